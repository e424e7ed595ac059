//! The model of memory: objects, their addresses, and what an access through a pointer means.
//!
//! An object is a set of automaton variables: one per scalar leaf, or an array (`layout`, `object`). Each object whose
//! address is taken lies in an aligned region of its own, so that the object of an address is its upper bits and the
//! offset its lower ones. `access` reads and writes scalars at places, `resolve` finds the leaves that an access can mean,
//! `parts` those that it covers only in part. `heap` and `realloc` allocate, `unknown` is what comes from outside of the
//! program, `init` initialises and copies. `points` says which objects a pointer is expected to mean.

pub(in crate::lower) mod access;
pub(in crate::lower) mod heap;
pub(in crate::lower) mod init;
pub(in crate::lower) mod layout;
pub(in crate::lower) mod object;
pub(in crate::lower) mod parts;
pub(in crate::lower) mod pointer;
pub(in crate::lower) mod points;
pub(in crate::lower) mod realloc;
pub(in crate::lower) mod resolve;
pub(in crate::lower) mod unknown;

use crate::tree::{self, ExprId, FunctionId, LabelId, StringId};
use nilas_program::VarId;
use object::{Local, Object, ObjectId, Shape};
use points::Class;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// What identifies an object across rounds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(in crate::lower) enum Key {
    Static(tree::VarId),
    Local(Local),
    Result(FunctionId, usize),
    Aggregate(FunctionId, usize, ExprId),
    String(StringId),
    /// An allocation: function and depth, call, and which of its objects.
    Heap(FunctionId, usize, ExprId, usize),
    /// All objects of an allocation in a loop.
    Pool(FunctionId, usize, ExprId),
    /// What pointers of unknown origin into a class point to, in elements of so many bits.
    External(Class, u32),
    Function(FunctionId),
    Label(LabelId),
}

/// The state of the model of memory.
pub(in crate::lower) struct Memory {
    pub(in crate::lower) objects: Vec<Object>,
    pub(in crate::lower) by_key: FxHashMap<Key, ObjectId>,
    /// Addresses by key: those of the rounds before, and new ones.
    pub(in crate::lower) addresses: BTreeMap<Key, u64>,
    /// Objects by the start of their regions.
    pub(in crate::lower) regions: BTreeMap<u64, (Key, u32)>,
    pub(in crate::lower) next_address: u64,
    /// What allocations hold, by key.
    pub(in crate::lower) shapes: FxHashMap<Key, Shape>,
    pub(in crate::lower) counters: FxHashMap<(FunctionId, usize, ExprId), VarId>,
    /// How often an allocation was met outside of loops.
    pub(in crate::lower) visits: FxHashMap<(FunctionId, usize, ExprId), usize>,
    /// The bits of accesses through pointers of unknown origin, by class: known from the round before, and found.
    pub(in crate::lower) widths: BTreeMap<Class, BTreeSet<u32>>,
    /// Objects that stand for what pointers of unknown origin point to.
    pub(in crate::lower) externals: Vec<ObjectId>,
    /// All objects with an address were known from the start, so that a pointer to no object is undefined.
    pub(in crate::lower) settled: bool,
    /// Static objects in the order in which they were met, to be initialised before `main`.
    pub(in crate::lower) statics: Vec<tree::VarId>,
}

impl Memory {
    pub(in crate::lower) fn new() -> Self {
        Memory {
            objects: Vec::new(),
            by_key: FxHashMap::default(),
            addresses: BTreeMap::new(),
            regions: BTreeMap::new(),
            next_address: 0x1_0000,
            shapes: FxHashMap::default(),
            counters: FxHashMap::default(),
            visits: FxHashMap::default(),
            widths: BTreeMap::new(),
            externals: Vec::new(),
            settled: true,
            statics: Vec::new(),
        }
    }

    /// What the round before knew of memory.
    pub(in crate::lower) fn after(before: Memory) -> Self {
        Memory {
            addresses: before.addresses,
            regions: before.regions,
            shapes: before.shapes,
            next_address: before.next_address,
            widths: before.widths,
            ..Memory::new()
        }
    }

    /// How much is known of memory; more in a later round, until nothing is added.
    pub(in crate::lower) fn known_size(&self) -> (usize, usize, usize) {
        (self.addresses.len(), self.shapes.len(), self.widths.values().map(BTreeSet::len).sum())
    }
}
