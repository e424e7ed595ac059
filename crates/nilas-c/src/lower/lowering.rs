//! The lowering of one program, in rounds.
//!
//! A round walks the program from `main` on. Addresses that are taken late (in a loop, in the initialiser of
//! an object that is met late) are known to accesses that come early in the next round. The last round knew
//! everything from the start. Should there be none such after [`MOST_ROUNDS`], the whole program is
//! *unmodelled*.

use super::build::alignment::{self, Alignments};
use super::build::levels::Levels;
use super::build::{Builder, aims};
use super::calls::Calls;
use super::calls::graph::CallGraph;
use super::emit;
use super::memory::Memory;
use super::memory::points::Points;
use super::translate::expr::Old;
use super::translate::facts::Facts;
use super::translate::float::bits::Floats;
use super::translate::kept::Kept;
use super::translate::order::Order;
use super::translate::scope::Scopes;
use super::translate::temporary::Temporaries;
use super::{CallMode, HavocOrigin, LowerOptions, Lowered, UnknownFunctions};
use crate::property::Property;
use crate::tree::{self, ExprId, FunctionId};
use nilas_program::VarId;
use nilas_program::procedures::{Owners, Reach};
use nilas_term::Term;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A round: what is known of the tree, the automaton under construction, and the models of memory and of
/// calls.
pub(in crate::lower) struct Lowering<'p> {
    pub(in crate::lower) tree: &'p tree::Program,
    pub(in crate::lower) options: &'p LowerOptions,
    pub(in crate::lower) facts: &'p Facts,
    pub(in crate::lower) points: &'p Points,
    pub(in crate::lower) scopes: &'p Scopes,
    pub(in crate::lower) kept: &'p Kept,
    pub(in crate::lower) order: &'p Order,
    pub(in crate::lower) graph: &'p CallGraph,
    /// Where the program begins.
    pub(in crate::lower) main: FunctionId,
    /// Calls share bodies, because inlining all of them is too much.
    pub(in crate::lower) sharing: bool,
    /// Functions may stay procedures, see [`super::calls::kept`].
    pub(in crate::lower) keeping: bool,
    /// Those that cannot.
    pub(in crate::lower) unkeepable: std::collections::BTreeSet<FunctionId>,
    /// Memory is abstracted, see [`super::memory::abstracted`].
    pub(in crate::lower) abstracts: bool,
    /// Only a slice of the program is wanted.
    pub(in crate::lower) slices: Option<Reach>,
    pub(in crate::lower) build: Builder,
    pub(in crate::lower) memory: Memory,
    pub(in crate::lower) calls: Calls,
    pub(in crate::lower) temporaries: Temporaries,
    /// The value before a compound assignment, by the number of active calls and the node that stands for it.
    pub(in crate::lower) olds: FxHashMap<(usize, ExprId), Old>,
    /// Leaves of expressions that were evaluated in an order that was chosen, by the number of active calls.
    pub(in crate::lower) ready: FxHashMap<(usize, ExprId), Term>,
    /// The variable of the rounding mode.
    pub(in crate::lower) rounding: Option<VarId>,
    pub(in crate::lower) floats: Floats,
    /// How many loops are around the present place.
    pub(in crate::lower) loops: usize,
    /// The heads of all loops.
    pub(in crate::lower) heads: Vec<super::watch::Head>,
}

/// More rounds than that are not tried.
const MOST_ROUNDS: usize = 12;
/// From this round on aims are not relied on: they may go up and down.
const MOST_AIMED: usize = 6;

/// Lowers with copies of bodies in the place of calls, and if these are too large, with bodies that calls
/// share.
pub(in crate::lower) fn run(tree: &tree::Program, options: &LowerOptions, main: FunctionId) -> Lowered {
    let facts = Facts::new(tree);
    let scopes = Scopes::new(tree);
    let points = Points::new(tree, &facts.targets, &scopes, options.unknown_functions);
    let kept = Kept::new(tree, &facts, &scopes, options.unknown_functions);
    let order = Order::new(tree, &facts, &points, options.properties.contains(Property::OtherUndefined));
    let graph = CallGraph::new(tree, &points);
    let start = |sharing: bool| {
        Lowering::new(tree, options, &facts, &points, &scopes, &kept, &order, &graph, main, sharing)
    };
    let idle = options.unknown_functions == UnknownFunctions::Nothing && options.properties.is_plain();
    if idle && tree.exprs.len() >= options.abstracted {
        let slices = options.slice.reach();
        let lower = |sharing: bool| abstracted(Lowering { slices, ..start(sharing) });
        if let Some(lowered) = lower(false).or_else(|| lower(true)) {
            return lowered;
        }
    }
    let mut unkept = Vec::new();
    let keeps = match options.calls {
        CallMode::Inline => false,
        CallMode::Auto => tree.functions.ids().any(|function| facts.is_recursive(function)),
        CallMode::Keep => true,
    };
    if keeps {
        // A function that turns out to need unrolling is left out, until the others can stay.
        let mut never = std::collections::BTreeSet::new();
        loop {
            let keeping = || Lowering { keeping: true, unkeepable: never.clone(), ..start(false) };
            let Some(lowered) = rounds(&keeping) else { break };
            match lowered.unkeepable {
                None => return Lowered { unkept, ..lowered },
                Some((function, why)) => {
                    unkept.push(why);
                    if !function.is_some_and(|function| never.insert(function)) {
                        break;
                    }
                }
            }
        }
    }
    let lowered = rounds(&|| start(false)).or_else(|| rounds(&|| start(true)));
    let lowered = lowered.map(|lowered| Lowered { unkept, ..lowered });
    lowered.unwrap_or_else(|| {
        // Bodies that calls share are never too large to be tried; should they be, nothing is known.
        let mut none = start(true);
        none.build.here = Some(none.build.automaton.entry);
        none.build.unmodelled("a program too large to lower");
        none.finish()
    })
}

/// Lowers with memory abstracted: one round, because there are no addresses. `None` if that becomes too
/// large, makes no difference, or needs or refuses what only the program with its memory can tell.
fn abstracted(mut lowering: Lowering<'_>) -> Option<Lowered> {
    lowering.abstracts = true;
    lowering.build.goes_on = true;
    lowering.program();
    let placed = !lowering.memory.placed.is_empty() || !lowering.memory.widths.is_empty();
    let refused = !lowering.build.refused.is_empty() || lowering.floats.need_bits() || placed;
    if lowering.calls.too_large || refused || !lowering.memory.reads.used {
        return None;
    }
    lowering.hide_error();
    if let Some(reach) = lowering.slices {
        lowering.build.slice(reach);
        lowering.measure();
        if lowering.calls.too_large {
            return None;
        }
    }
    Some(lowering.finish())
}

/// Lowers until a round knows all addresses from the start: mostly twice. `None` if that becomes too large.
fn rounds<'p>(start: &dyn Fn() -> Lowering<'p>) -> Option<Lowered> {
    let mut before = start();
    let (tree, facts) = (before.tree, before.facts);
    before.program();
    if before.calls.too_large {
        return None;
    }
    before.build.solve_levels();
    let mut aligned = before.note_alignments().known;
    let mut round = 1;
    loop {
        let first = &before.memory;
        let settled = first.placed.is_empty() && first.widths.is_empty() && !first.provenance.unchecked;
        if settled && !before.floats.need_bits() {
            return Some(before.finish());
        }
        let known = before.memory.known_size();
        let mut aims = aims::join(before.build.solve_aims(), before.build.aims.known.take());
        let (levels, _) = before.build.levels.found(|variable| before.build.variable_name(variable));
        let [_, moved] = before.build.levels.moves_far();
        let regions = std::mem::take(&mut before.memory.regions);
        let pointer_bits = before.pointer_bits();
        let memory = Memory::after(before.memory, &facts.literals, pointer_bits);
        // The plan of addresses is another one.
        if let Some(plan) = &memory.plan {
            aims::moved(&mut aims, |address| plan.moved(address, &regions));
        }
        let mut next = start();
        // The last round takes nothing for granted that it might have to take back.
        next.build.aims.known = (round < MOST_AIMED).then_some(aims);
        let addresses = memory.plan.as_ref().map_or(0..0, |plan| plan.code.0..plan.end);
        next.build.levels =
            Levels::new(levels, addresses, memory.alignments(tree), pointer_bits).with_moved(moved);
        next.build.alignments = Alignments::new(aligned.clone());
        next.memory = memory;
        next.floats.with_bits = before.floats.with_bits || before.floats.need_bits();
        next.program();
        if next.calls.too_large {
            return None;
        }
        next.build.solve_levels();
        round += 1;
        let solved = next.note_alignments();
        // They may go up and down at first.
        let settled = solved.holds && (!solved.sharper || round >= MOST_AIMED);
        aligned = match round >= MOST_AIMED {
            true => alignment::join(solved.known, &aligned),
            false => solved.known,
        };
        let holds = next.build.aims_hold(&next.build.solve_aims());
        let (_, more) = next.build.levels.found(|variable| next.build.variable_name(variable));
        let [relied, moved] = next.build.levels.moves_far();
        let more = more || moved && !relied;
        if next.floats.need_bits() {
            before = next;
            continue;
        }
        if settled && holds && !more && known == next.memory.known_size() {
            return Some(next.finish());
        }
        if round > MOST_ROUNDS {
            next.build.here = Some(next.build.automaton.entry);
            next.build.unmodelled("memory whose model does not settle");
            return Some(next.finish());
        }
        before = next;
    }
}

impl<'p> Lowering<'p> {
    #[allow(clippy::too_many_arguments, reason = "what is known before a round begins")]
    fn new(
        tree: &'p tree::Program,
        options: &'p LowerOptions,
        facts: &'p Facts,
        points: &'p Points,
        scopes: &'p Scopes,
        kept: &'p Kept,
        order: &'p Order,
        graph: &'p CallGraph,
        main: FunctionId,
        sharing: bool,
    ) -> Self {
        let pointer_bits = u32::try_from(8 * tree.types.model().pointer_size()).unwrap_or(64);
        Lowering {
            tree,
            options,
            facts,
            points,
            scopes,
            kept,
            order,
            graph,
            main,
            sharing,
            keeping: false,
            unkeepable: std::collections::BTreeSet::new(),
            abstracts: false,
            slices: None,
            build: Builder::new(tree.functions[main].span, pointer_bits, options.properties),
            memory: Memory::new(),
            calls: Calls::default(),
            temporaries: Temporaries::default(),
            olds: FxHashMap::default(),
            ready: FxHashMap::default(),
            rounding: None,
            floats: Floats::default(),
            loops: 0,
            heads: Vec::new(),
        }
    }

    /// Everything from the entry on. Static objects are met on the way and initialised last, between entry
    /// and start.
    fn program(&mut self) {
        self.known_external();
        self.find_weak_symbols();
        let start = self.build.new_location();
        self.build.here = Some(start);
        self.start(self.main);
        self.check_leaks();
        self.build.here = Some(self.build.automaton.entry);
        self.initialise_rounding();
        self.initialise_counters();
        self.initialise_living();
        self.initialise_companions();
        self.initialise_weak_symbols();
        self.initialise_external();
        self.initialise_statics();
        self.initialise_escapes();
        self.initialise_instances();
        self.build.goto(start);
        // Of a slice it is told when there is one.
        if self.slices.is_none() {
            self.measure();
        }
    }

    /// Whether copies of bodies in the place of calls are too large.
    fn measure(&mut self) {
        let copied = |callee| !self.calls.shared.contains(&callee);
        self.calls.too_large |=
            !self.sharing && self.build.with_copies(&copied) > self.options.inlined as u64;
    }

    /// Sentences about functions of which nothing is known, and shorter ones that say the same where none of
    /// them is given anything.
    fn idle_sentences(&self) -> BTreeMap<String, String> {
        let (all, sentence) = (&self.calls.unknown, UnknownFunctions::sentence);
        let functions = all.iter().map(|&function| &self.tree.functions[function]);
        let takes_nothing = |function: &crate::tree::Function| {
            let ty = self.tree.types.as_function(function.ty);
            ty.is_some_and(|it| it.prototype && !it.variadic && it.parameters.is_empty())
        };
        let known = self.options.unknown_functions;
        if known != UnknownFunctions::Arguments || !functions.clone().all(takes_nothing) {
            return BTreeMap::new();
        }
        let names = functions.map(|function| &function.name);
        names.map(|name| (sentence(known, name), sentence(UnknownFunctions::Nothing, name))).collect()
    }

    fn finish(self) -> Lowered {
        let (cells, typed, addresses) = (self.watched_cells(), self.typed(), self.named_addresses());
        let (unkeepable, variables) = (self.unkept(), self.kept_variables());
        let idle = self.idle_sentences();
        let (keeping, shared) = (self.keeping, self.calls.shared);
        let mut build = self.build;
        for assumption in &mut build.assumptions {
            if let Some(text) = idle.get(&assumption.text) {
                assumption.text.clone_from(text);
            }
        }
        let unmodelled = build.automaton.unmodelled;
        if !build.automaton.edges.iter().any(|edge| Some(edge.target) == unmodelled) {
            // Nothing leads there; the location stays, isolated sinks are allowed.
            build.places.clear();
        }
        build.automaton.name = self.tree.sources.locate(build.span).file;
        let presumed = build.take_presumed();
        let checks = build.take_checks(&self.tree.sources);
        let program = nilas_program::Program { arena: build.arena, automaton: build.automaton };
        let lowered = Lowered {
            program,
            assumptions: build.assumptions,
            places: build.places,
            undefined: build.undefined,
            presumed,
            checks,
            instances: self.calls.instances,
            emitted: None,
            calls: None,
            unkept: Vec::new(),
            unkeepable,
            havocs: build.origins,
            unknown: self.calls.unknown.into_iter().collect(),
            heads: self.heads,
            cells,
            typed,
            addresses,
            refused: build.refused,
        };
        if lowered.unkeepable.is_some() {
            // It is lowered again: there is no automaton of procedures that call themselves.
            return lowered;
        }
        let owners = Owners { variables, locations: build.owners };
        match keeping {
            true => emit::kept(lowered, build.procedures, build.calls, owners, self.options),
            false => {
                emit::flat(lowered, build.procedures, build.calls, owners.locations, &shared, self.options)
            }
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
