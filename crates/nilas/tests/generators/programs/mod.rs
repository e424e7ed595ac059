//! All generators, by name.

mod addresses;
mod allocators;
mod assignments;
mod atomics;
mod blocks;
mod builtins;
mod calls;
mod chosen;
mod control;
mod copies;
mod ends;
pub(crate) mod features;
mod float_bits;
mod flows;
mod function_pointers;
mod heap;
mod library;
mod many;
mod numbers;
mod objects;
mod pointers;
mod reallocation;
mod recursion;
mod round_trips;
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

/// Programs that go through all cases of something: a name, how many there are, and what makes the one with a
/// number; the rest of it is random.
pub(crate) type Family = (&'static str, fn() -> usize, fn(usize, &mut Random) -> Program);

pub(crate) const FAMILIES: &[Family] = &[
    ("assignments", assignments::count, assignments::program),
    ("calls", calls::count, calls::program),
    ("chosen", chosen::count, chosen::program),
    ("copies", copies::count, copies::program),
    ("ends", ends::count, ends::program),
    ("many", many::count, many::program),
    ("numbers", numbers::count, numbers::program),
    ("round trips", round_trips::count, round_trips::program),
];

/// Puts a text in the place of a name of one letter, where that stands alone.
fn named(text: &str, letter: &str, with: &str) -> String {
    let letter = letter.chars().next();
    let mut result = String::new();
    let mut before = ' ';
    let mut rest = text.chars().peekable();
    while let Some(next) = rest.next() {
        let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let alone = !part(before) && !rest.peek().copied().is_some_and(part);
        if Some(next) == letter && alone {
            result.push_str(with);
        } else {
            result.push(next);
        }
        before = next;
    }
    result
}
