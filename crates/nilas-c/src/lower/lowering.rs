//! The lowering of one program, in rounds.
//!
//! A round walks the program from `main` on. Addresses that are taken late (in a loop, in the initialiser of an object
//! that is met late) are known to accesses that come early in the next round. The last round knew everything from the
//! start.

use super::build::{Builder, aims};
use super::calls::Calls;
use super::memory::Memory;
use super::memory::points::Points;
use super::translate::facts::Facts;
use super::translate::scope::Scopes;
use super::translate::temporary::Temporaries;
use super::{HavocOrigin, LowerOptions, Lowered};
use crate::tree::{self, ExprId, FunctionId};
use nilas_program::VarId;
use nilas_term::Term;
use rustc_hash::FxHashMap;

/// A round: what is known of the tree, the automaton under construction, and the models of memory and of calls.
pub(in crate::lower) struct Lowering<'p> {
    pub(in crate::lower) tree: &'p tree::Program,
    pub(in crate::lower) options: &'p LowerOptions,
    pub(in crate::lower) facts: &'p Facts,
    pub(in crate::lower) points: &'p Points,
    pub(in crate::lower) scopes: &'p Scopes,
    pub(in crate::lower) build: Builder,
    pub(in crate::lower) memory: Memory,
    pub(in crate::lower) calls: Calls,
    pub(in crate::lower) temporaries: Temporaries,
    /// The value before a compound assignment, by the node that stands for it.
    pub(in crate::lower) olds: FxHashMap<ExprId, Term>,
    /// The variable of the rounding mode.
    pub(in crate::lower) rounding: Option<VarId>,
    /// How many loops are around the present place.
    pub(in crate::lower) loops: usize,
}

/// More rounds than that are not tried; what is not known then is unmodelled.
const MOST_ROUNDS: usize = 6;

/// Lowers until a round knows all addresses from the start: mostly twice.
pub(in crate::lower) fn run(tree: &tree::Program, options: &LowerOptions, main: FunctionId) -> Lowered {
    let facts = Facts::new(tree);
    let points = Points::new(tree, &facts.targets);
    let scopes = Scopes::new(tree);
    let mut before = Lowering::new(tree, options, &facts, &points, &scopes, main);
    before.program(main);
    let mut round = 1;
    loop {
        if before.memory.addresses.is_empty() && before.memory.widths.is_empty() {
            return before.finish();
        }
        let known = before.memory.known_size();
        let aims = aims::join(before.build.solve_aims(), before.build.aims.known.take());
        let mut next = Lowering::new(tree, options, &facts, &points, &scopes, main);
        // The last round takes nothing for granted that it might have to take back.
        next.build.aims.known = (round + 1 < MOST_ROUNDS).then_some(aims);
        next.memory = Memory::after(before.memory);
        next.memory.settled = round < MOST_ROUNDS;
        next.program(main);
        round += 1;
        let holds = next.build.aims_hold(&next.build.solve_aims());
        if (holds && known == next.memory.known_size()) || round > MOST_ROUNDS {
            return next.finish();
        }
        before = next;
    }
}

impl<'p> Lowering<'p> {
    fn new(
        tree: &'p tree::Program,
        options: &'p LowerOptions,
        facts: &'p Facts,
        points: &'p Points,
        scopes: &'p Scopes,
        main: FunctionId,
    ) -> Self {
        let pointer_bits = u32::try_from(8 * tree.types.model().pointer_size()).unwrap_or(64);
        Lowering {
            tree,
            options,
            facts,
            points,
            scopes,
            build: Builder::new(tree.functions[main].span, pointer_bits, options.check_undefined),
            memory: Memory::new(),
            calls: Calls::default(),
            temporaries: Temporaries::default(),
            olds: FxHashMap::default(),
            rounding: None,
            loops: 0,
        }
    }

    /// Everything from the entry on. Static objects are met on the way and initialised last, between entry and start.
    fn program(&mut self, main: FunctionId) {
        self.known_externals();
        let start = self.build.new_location();
        self.build.here = Some(start);
        self.start(main);
        self.build.here = Some(self.build.automaton.entry);
        self.initialise_rounding();
        self.initialise_counters();
        self.initialise_externals();
        self.initialise_statics();
        self.build.goto(start);
    }

    fn finish(self) -> Lowered {
        let mut build = self.build;
        let unmodelled = build.automaton.unmodelled;
        if !build.automaton.edges.iter().any(|edge| Some(edge.target) == unmodelled) {
            // Nothing leads there; the location stays, isolated sinks are allowed.
            build.places.clear();
        }
        build.automaton.name = self.tree.sources.locate(build.span).file;
        let program = nilas_program::Program { arena: build.arena, automaton: build.automaton };
        Lowered {
            program,
            notes: build.notes,
            places: build.places,
            undefined: build.undefined,
            instances: self.calls.instances,
            havocs: build.origins,
            unknown: self.calls.unknown.into_iter().collect(),
            refused: build.refused,
        }
    }

    /// What happens inside takes its values from there.
    pub(in crate::lower) fn with_origin<T>(
        &mut self,
        origin: HavocOrigin,
        inside: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let before = std::mem::replace(&mut self.build.origin, origin);
        let result = inside(self);
        self.build.origin = before;
        result
    }
}
