//! All generators, by name.

mod addresses;
mod allocators;
mod atomics;
mod blocks;
mod builtins;
mod control;
pub(crate) mod features;
mod float_bits;
mod flows;
mod function_pointers;
mod heap;
mod library;
mod pointers;
mod reallocation;
mod recursion;
mod structs;
mod unions;

use crate::kit::program::Program;
use crate::kit::random::Random;

/// A name and what makes a program of random choices.
pub(crate) type Generator = (&'static str, fn(&mut Random) -> Program);

pub(crate) const GENERATORS: &[Generator] = &[
    ("addresses", addresses::generate),
    ("allocators", allocators::generate),
    ("atomics", atomics::generate),
    ("blocks", blocks::generate),
    ("builtins", builtins::generate),
    ("control", control::generate),
    ("features", features::generate),
    ("float bits", float_bits::generate),
    ("flows", flows::generate),
    ("function pointers", function_pointers::generate),
    ("heap", heap::generate),
    ("library", library::generate),
    ("pointers", pointers::generate),
    ("reallocation", reallocation::generate),
    ("recursion", recursion::generate),
    ("structs", structs::generate),
    ("unions", unions::generate),
];
