//! The model of memory: objects, their addresses, and what an access through a pointer means.
//!
//! An object is a set of automaton variables: one per scalar leaf, or an array (`layout`, `object`). Each
//! object whose address is taken lies in an aligned region of its own, so that the object of an address is
//! its upper bits and the offset its lower ones. `access` reads and writes scalars at places, `resolve` finds
//! the leaves that an access can mean, `parts` those that it covers only in part. `heap` and `realloc`
//! allocate, `outside` is memory of unknown origin, `unknown` what holds anything, `init` initialises and
//! copies. `abstracted` does without all that. `points` says which objects a pointer is expected to mean.

pub(in crate::lower) mod abstracted;
pub(in crate::lower) mod access;
pub(in crate::lower) mod heap;
pub(in crate::lower) mod init;
pub(in crate::lower) mod instances;
pub(in crate::lower) mod layout;
pub(in crate::lower) mod leak;
pub(in crate::lower) mod living;
pub(in crate::lower) mod object;
pub(in crate::lower) mod outside;
pub(in crate::lower) mod parts;
pub(in crate::lower) mod pointer;
pub(in crate::lower) mod points;
pub(in crate::lower) mod provenance;
pub(in crate::lower) mod realloc;
pub(in crate::lower) mod register;
pub(in crate::lower) mod resolve;
pub(in crate::lower) mod span;
pub(in crate::lower) mod stored;
pub(in crate::lower) mod unknown;

use crate::tree::{self, ExprId, FunctionId, LabelId, StringId};
use instances::Instance;
use nilas_program::VarId;
use object::{Local, Object, ObjectId, Shape};
use outside::Outside;
use provenance::Provenance;
use rustc_hash::FxHashMap;
use span::{Placed, Plan};
use std::collections::{BTreeMap, BTreeSet};

/// What identifies an object across rounds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(in crate::lower) enum Key {
    Static(tree::VarId),
    Local(Local),
    Result(FunctionId, usize),
    Aggregate(FunctionId, usize, ExprId),
    String(StringId),
    /// An allocation: which of its shapes, and which of its objects.
    Heap(Site, u32, usize),
    /// All objects of one shape that an allocation in a loop makes.
    Pool(Site, u32),
    /// What pointers of unknown origin point to, in elements of so many bits.
    External(u32),
    Function(FunctionId),
    Label(LabelId),
}

/// A call of an allocator in a function at a depth of its recursion.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(in crate::lower) struct Site {
    pub(in crate::lower) function: FunctionId,
    pub(in crate::lower) depth: usize,
    pub(in crate::lower) call: ExprId,
}

/// The state of the model of memory.
pub(in crate::lower) struct Memory {
    pub(in crate::lower) objects: Vec<Object>,
    /// What is written at the moment are first values, which constant objects get, too.
    pub(in crate::lower) initialising: bool,
    pub(in crate::lower) by_key: FxHashMap<Key, ObjectId>,
    /// The objects with an address: those of the rounds before, and new ones.
    pub(in crate::lower) placed: BTreeMap<Key, Placed>,
    /// Those of them that this round has added. There is another round if there is one.
    pub(in crate::lower) new: BTreeSet<Key>,
    /// Where they lie, as far as the round before knew them; `None` in the first round.
    pub(in crate::lower) plan: Option<Plan>,
    /// Their addresses in this round.
    pub(in crate::lower) addresses: BTreeMap<Key, u64>,
    /// The same by the start of their regions, with the size as a power of two; new ones, too.
    pub(in crate::lower) regions: BTreeMap<u64, (Key, u32)>,
    /// Where the next new object lies.
    pub(in crate::lower) next_address: u64,
    /// What is known of pointers.
    pub(in crate::lower) provenance: Provenance,
    /// What allocations hold, by key.
    pub(in crate::lower) shapes: FxHashMap<Key, Shape>,
    /// The shapes of the objects that an allocation makes, in the order in which they were met.
    pub(in crate::lower) site_shapes: BTreeMap<Site, Vec<Shape>>,
    /// Allocations that were zero, also behind their ends.
    pub(in crate::lower) cleared: BTreeSet<Key>,
    /// The variables that count the objects of allocations.
    pub(in crate::lower) counters: BTreeMap<(Site, u32), VarId>,
    /// How many objects of a call are not freed, if somebody asks.
    pub(in crate::lower) living: BTreeMap<crate::tree::ExprId, VarId>,
    /// Where the program ends, in that case, by procedure.
    pub(in crate::lower) ends: BTreeMap<Option<nilas_program::ProcedureId>, nilas_program::LocationId>,
    /// Whether a value was stored to a variable, if somebody asks.
    pub(in crate::lower) companions: FxHashMap<VarId, object::Slot>,
    /// What is known of the value that is stored at the moment, if it is copied.
    pub(in crate::lower) storing: Option<nilas_term::Term>,
    /// The flags of variables that may be outlived by their addresses.
    pub(in crate::lower) instances: BTreeMap<Key, Instance>,
    /// How often an allocation was met outside of loops.
    pub(in crate::lower) visits: FxHashMap<Site, usize>,
    /// The bits of elements that memory of unknown origin needs: known from the rounds before, and found.
    pub(in crate::lower) widths: BTreeSet<u32>,
    /// The object that stands for memory of unknown origin.
    pub(in crate::lower) external: Option<ObjectId>,
    /// How it is used.
    pub(in crate::lower) outside: Outside,
    /// What was read from open memory, where memory is abstracted.
    pub(in crate::lower) reads: abstracted::Reads,
    /// Static objects in the order in which they were met, to be initialised before `main`.
    pub(in crate::lower) statics: Vec<tree::VarId>,
}

impl Memory {
    pub(in crate::lower) fn new() -> Self {
        Memory {
            objects: Vec::new(),
            by_key: FxHashMap::default(),
            placed: BTreeMap::new(),
            new: BTreeSet::new(),
            plan: None,
            addresses: BTreeMap::new(),
            regions: BTreeMap::new(),
            next_address: 0x1_0000,
            provenance: Provenance::default(),
            shapes: FxHashMap::default(),
            site_shapes: BTreeMap::new(),
            cleared: BTreeSet::new(),
            counters: BTreeMap::new(),
            living: BTreeMap::new(),
            ends: BTreeMap::new(),
            companions: FxHashMap::default(),
            storing: None,
            instances: BTreeMap::new(),
            visits: FxHashMap::default(),
            widths: BTreeSet::new(),
            external: None,
            initialising: false,
            outside: Outside::default(),
            reads: abstracted::Reads::default(),
            statics: Vec::new(),
        }
    }

    /// What a round knows from the round before.
    pub(in crate::lower) fn after(before: Memory, literals: &[u64], pointer_bits: u32) -> Self {
        let plan = Plan::new(&before.placed, literals, pointer_bits).unwrap_or_default();
        let addresses = plan.addresses.iter().map(|(&key, region)| (key, region.start)).collect();
        let regions = plan.addresses.iter().map(|(&key, region)| (region.start, (key, region.log))).collect();
        Memory {
            placed: before.placed,
            next_address: plan.end,
            plan: Some(plan),
            addresses,
            regions,
            // The first round knew too little to find exceptions.
            provenance: if before.plan.is_some() {
                Provenance::after(before.provenance)
            } else {
                Provenance::default()
            },
            shapes: before.shapes,
            site_shapes: before.site_shapes,
            widths: before.widths,
            cleared: before.cleared,
            outside: Outside::after(before.outside),
            ..Memory::new()
        }
    }

    /// Where objects begin, and what C promises of their alignments, as powers of two.
    pub(in crate::lower) fn alignments(&self, tree: &tree::Program) -> BTreeMap<u64, u32> {
        // Wider scalars are aligned less on the stack of some machines.
        let word = tree.types.model().pointer_size();
        let of_type = |ty| tree.types.align_of(ty).clamp(1, word);
        let of_variable = |variable: tree::VarId| {
            let declared = &tree.variables[variable];
            declared.alignment.unwrap_or(1).max(of_type(declared.ty))
        };
        let alignment = |key: Key| match key {
            Key::Static(variable) => match tree.variables[variable].role {
                tree::VarRole::Register(start) if start % of_variable(variable) != 0 => 1,
                _ => of_variable(variable),
            },
            Key::Local(local) => of_variable(local.variable),
            // What every scalar can lie in.
            Key::Heap(..) | Key::Pool(..) => 8,
            Key::String(string) => of_type(tree.strings[string].element),
            _ => 1,
        };
        self.addresses.iter().map(|(&key, &start)| (start, alignment(key).ilog2())).collect()
    }

    /// How much is known of memory; more in a later round, until nothing is added.
    pub(in crate::lower) fn known_size(&self) -> [u64; 5] {
        let count = |length: usize| length as u64;
        [
            count(self.placed.len()),
            self.placed.values().map(|placed| placed.size).fold(0, u64::wrapping_add),
            count(self.shapes.len() + self.site_shapes.values().map(Vec::len).sum::<usize>()),
            count(self.widths.len() + self.cleared.len() + self.outside.size()),
            count(self.provenance.size()),
        ]
    }
}
