//! Lazy predicate abstraction on large blocks, refined by interpolants (Henzinger, Jhala, Majumdar, Sutre,
//! POPL 2002; Henzinger, Jhala, Majumdar, McMillan, POPL 2004; Beyer, Cimatti, Griggio, Keremoglu,
//! Sebastiani, FMCAD 2009): the *Kratos* column of the Tree-IC3 paper, §6.2.
//!
//! An abstract reachability tree is unwound depth-first. A node's state is what the predicates of its
//! location can say about what comes over the edge from its parent ([`abstraction`]). A node whose state
//! implies those of others at its location is covered. A path to a sink is tried ([`refine`]): it is an
//! execution, or it gives predicates, and the tree is cut where they are missing. When nothing is left to do,
//! the invariant at a location is the disjunction of its expanded nodes' states.
//!
//! *Exchange*: predicates are published. Invariants of others, as far as they can be shown, become predicates:
//! an abstract state then says them without a refinement.
//!
//! Edges are large blocks already: passes have folded loop-free pieces into one command, so a post-image
//! covers all paths of a block at once.

mod abstraction;
mod art;
mod refine;

use crate::analyses::houdini::{Transitions, effort};
use crate::engine::{Context, Engine, Kind, Own, Prepared, Setting};
use crate::exchange::{Port, Shown};
use crate::observer::{Counters, Observer, Progress, Work};
use crate::outcome::{Outcome, Proof, Unknown, invariant};
use crate::phase::{Phase, Times, add_solver};
use crate::relevant::Relevant;
use crate::sinks::Sinks;
use crate::transition::Transition;
use art::{NodeId, Tree};
use nilas_evidence::{Execution, Invariant};
use nilas_program::{Automaton, EdgeId, LiveVariables, Program, VarId};
use nilas_smt::{Answer, Budget, Interrupt, SatCore, Solver};
use nilas_term::{Arena, Term};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::time::Instant;

/// After so many tasks, what others published is looked at.
const EXCHANGE: u64 = 16;
/// Invariants of others become predicates of a location as long as it has fewer.
const PREDICATES: usize = 24;

/// How much an abstract state says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Abstraction {
    /// The strongest Boolean combination of the predicates.
    #[default]
    Boolean,
    /// The strongest conjunction of predicates and their negations.
    Cartesian,
}

/// Where predicates come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Refinement {
    /// From interpolants of the path that is to be excluded, and where none are found from preconditions.
    #[default]
    Interpolants,
    /// From weakest preconditions alone.
    Preconditions,
}

/// The setting that says so.
pub(crate) const REFINEMENT: Setting = Setting {
    key: "refinement",
    kind: Kind::Words(&["interpolants", "preconditions"]),
    default: Some("interpolants"),
    help: "where predicates come from",
};

impl Refinement {
    /// As an engine's settings say.
    pub(crate) fn of(settings: &Own<'_>) -> Self {
        match settings.text(REFINEMENT.key) {
            Some("preconditions") => Refinement::Preconditions,
            _ => Refinement::Interpolants,
        }
    }
}

/// What can be set.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    /// How much an abstract state says.
    pub abstraction: Abstraction,
    /// Where predicates come from.
    pub refinement: Refinement,
    /// The SAT core of the edges' solvers.
    pub core: SatCore,
}

/// An edge with its solver.
struct EdgeSolver {
    transition: Transition,
    solver: Box<dyn Solver>,
}

/// What is to be done, the last one first.
#[derive(Clone, Copy, Debug)]
enum Task {
    /// An open node is covered or expanded.
    Visit(NodeId),
    /// The child of an expanded node over an edge is made, or the path over an edge to a sink is tried.
    Post(NodeId, EdgeId),
}

/// What a run counts.
#[derive(Clone, Copy, Debug, Default)]
struct Statistics {
    predicates: u64,
    refinements: u64,
    coverings: u64,
    path_checks: u64,
    /// Refinements for which interpolation gave nothing.
    without_interpolants: u64,
    /// Abstract states for which combinations were too many.
    cut_short: u64,
    times: Times,
}

/// The state of a run.
struct PredAbs<'a> {
    automaton: &'a Automaton,
    arena: Arena,
    budget: &'a Budget,
    observer: &'a mut dyn Observer,
    settings: Settings,
    tree: Tree,
    tasks: Vec<Task>,
    /// The predicates of each location. They only ever grow.
    predicates: Vec<Vec<Term>>,
    /// Solvers of the edges that matter.
    solvers: Vec<Option<EdgeSolver>>,
    outgoing: Vec<Vec<EdgeId>>,
    /// Asked about implications between states.
    implications: Box<dyn Solver>,
    /// Locations from which a sink can be reached, and that can be reached themselves.
    relevant: Relevant,
    sinks: Sinks,
    port: &'a mut Port,
    shown: Shown,
    live: LiveVariables,
    variables: FxHashMap<Term, VarId>,
    statistics: Statistics,
}

/// Runs lazy predicate abstraction on an automaton.
pub fn pred_abs(
    program: &Program,
    settings: Settings,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> (Outcome, Counters) {
    pred_abs_beside(program, settings, budget, observer, &mut Port::closed())
}

/// The same beside other engines.
fn pred_abs_beside(
    program: &Program,
    settings: Settings,
    budget: &Budget,
    observer: &mut dyn Observer,
    port: &mut Port,
) -> (Outcome, Counters) {
    let mut engine = match PredAbs::new(program, settings, budget, observer, port) {
        Ok(engine) => engine,
        Err(why) => return Outcome::before_work(why),
    };
    let outcome = engine.explore().unwrap_or_else(Outcome::Unknown);
    for location in engine.automaton.location_ids() {
        let predicates = &engine.predicates[location.index()];
        if !predicates.is_empty() {
            engine.observer.lemmas(location, &engine.arena, predicates);
        }
    }
    (outcome, engine.counters())
}

impl<'a> PredAbs<'a> {
    fn new(
        program: &'a Program,
        settings: Settings,
        budget: &'a Budget,
        observer: &'a mut dyn Observer,
        port: &'a mut Port,
    ) -> Result<Self, Interrupt> {
        let automaton = &program.automaton;
        let mut arena = program.arena.clone();
        let relevant = Relevant::new(automaton);
        let solvers = relevant.try_edges(automaton, |edge| {
            let transition = Transition::new(&mut arena, automaton, edge, budget)?;
            Ok(EdgeSolver { transition, solver: observer.solver(settings.core.solver()) })
        })?;
        let mut outgoing = relevant.outgoing.clone();
        for edges in &mut outgoing {
            // Sinks are tried first, so they come last onto the stack.
            edges.sort_by_key(|&edge| automaton.is_sink(automaton.edge(edge).target));
        }
        let state = arena.mk_true();
        let (tree, root) = Tree::new(automaton.locations.len(), automaton.entry, state);
        Ok(PredAbs {
            automaton,
            arena,
            budget,
            implications: observer.solver(settings.core.solver()),
            observer,
            settings,
            tree,
            tasks: vec![Task::Visit(root)],
            predicates: vec![Vec::new(); automaton.locations.len()],
            solvers,
            outgoing,
            sinks: Sinks::new(automaton, &relevant),
            port,
            shown: Shown::new(program, &relevant, budget)?,
            relevant,
            live: LiveVariables::within(program, budget)?,
            variables: automaton.variable_index(),
            statistics: Statistics::default(),
        })
    }

    /// Unwinds, covers and refines until nothing is left to do.
    fn explore(&mut self) -> Result<Outcome, Unknown> {
        let mut done = 0;
        while let Some(task) = self.tasks.pop() {
            done += 1;
            if self.port.is_open() && done % EXCHANGE == 0 {
                self.take_facts()?;
            }
            if let Some(why) = self.budget.exhausted() {
                return Err(Unknown::Interrupted(why));
            }
            self.report();
            match task {
                Task::Visit(node) if self.tree.is_open(node) => self.visit(node)?,
                Task::Post(node, edge) if !self.tree.is_removed(node) => {
                    let target = self.automaton.edge(edge).target;
                    if !self.automaton.is_sink(target) {
                        self.make_child(node, edge)?;
                    } else if self.sinks.left().contains(&target)
                        && let Some(execution) = self.reach_sink(node, edge)?
                        && let Some(outcome) = self.sinks.reached(self.automaton, target, execution)
                    {
                        return Ok(outcome);
                    }
                }
                // Its node is gone, or was seen to.
                Task::Visit(_) | Task::Post(..) => {}
            }
        }
        self.sinks.none_was_reached(self.automaton)?;
        Ok(Outcome::Safe(Proof::Invariant(self.invariant()?)))
    }

    /// Makes predicates of what others published, as far as it can be shown.
    fn take_facts(&mut self) -> Result<(), Unknown> {
        let work = self.solvers.iter().flatten().map(|edge| effort(&edge.solver.stats())).sum();
        let (arena, automaton, solvers) = (&mut self.arena, self.automaton, &mut self.solvers);
        let new = self.shown.take(arena, automaton, solvers, self.port, self.budget, work)?;
        for (location, formula) in new {
            let known = &mut self.predicates[location.index()];
            if known.len() < PREDICATES && !known.contains(&formula) {
                known.push(formula);
                self.port.used(1);
            }
        }
        Ok(())
    }

    /// Covers an open node, or expands it.
    fn visit(&mut self, node: NodeId) -> Result<(), Unknown> {
        let start = Instant::now();
        let coverers = self.coverers(node)?;
        self.statistics.times.spent(Phase::Cover, start);
        let location = self.tree.node(node).location;
        if let Some(coverers) = coverers {
            self.statistics.coverings += 1;
            self.observer.work(location, Work::Covering);
            self.tree.cover(node, coverers);
            return Ok(());
        }
        self.tree.expand(node);
        let edges = self.outgoing[location.index()].iter();
        self.tasks.extend(edges.map(|&edge| Task::Post(node, edge)));
        Ok(())
    }

    /// Expanded nodes whose states together follow from that of a node.
    fn coverers(&mut self, node: NodeId) -> Result<Option<Vec<NodeId>>, Unknown> {
        let (location, state) = (self.tree.node(node).location, self.tree.node(node).state);
        let others = self.tree.expanded_at(location);
        if let Some(&same) = others.iter().find(|&&other| self.tree.node(other).state == state) {
            return Ok(Some(vec![same]));
        }
        if others.is_empty() {
            return Ok(None);
        }
        let mut assumptions = vec![state];
        for &other in others {
            assumptions.push(self.arena.not(self.tree.node(other).state));
        }
        match self.implications.check(&self.arena, &[], &assumptions, self.budget) {
            Answer::Sat => Ok(None),
            Answer::Unsat => {
                let failed = self.implications.failed();
                let needed = others.iter().zip(&assumptions[1..]).filter(|(_, other)| failed.contains(other));
                Ok(Some(needed.map(|(&other, _)| other).collect()))
            }
            Answer::Unknown(reason) => Err(reason.into()),
        }
    }

    /// Makes the child of a node over an edge, if the edge can be taken.
    fn make_child(&mut self, node: NodeId, edge: EdgeId) -> Result<(), Unknown> {
        let start = Instant::now();
        let target = self.automaton.edge(edge).target;
        let predicates = self.predicates[target.index()].clone();
        let state = self.post(self.tree.node(node).state, edge, &predicates)?;
        self.statistics.times.spent(Phase::Abstract, start);
        if let Some(state) = state {
            let child = self.tree.add_child(node, edge, target, state, predicates.len());
            self.observer.work(target, Work::Node);
            self.tasks.push(Task::Visit(child));
        }
        Ok(())
    }

    /// Tries the path over an edge to a sink, if the abstraction allows it.
    fn reach_sink(&mut self, node: NodeId, edge: EdgeId) -> Result<Option<Execution>, Unknown> {
        if !self.feasible(self.tree.node(node).state, edge)? {
            return Ok(None);
        }
        self.try_path(node, edge)
    }

    /// The disjunction of the states of expanded nodes, location by location.
    fn invariant(&mut self) -> Result<Invariant, Unknown> {
        let locations = self.automaton.location_ids().filter(|&location| !self.automaton.is_sink(location));
        let mut formulas = Vec::new();
        for location in locations {
            let nodes = self.tree.expanded_at(location);
            let states: Vec<Term> = nodes.iter().map(|&node| self.tree.node(node).state).collect();
            let matters = self.relevant.contains(location);
            let formula = if matters { self.arena.or(&states) } else { self.arena.mk_true() };
            formulas.push((location, formula));
        }
        invariant(&self.arena, formulas)
    }

    /// An edge's solver. Edges outside of what matters have none and are never asked.
    fn solver(&mut self, edge: EdgeId) -> Result<(&mut EdgeSolver, &mut Arena), Unknown> {
        match &mut self.solvers[edge.index()] {
            Some(solver) => Ok((solver, &mut self.arena)),
            None => Err(Unknown::Internal(format!("{edge:?} was asked about, but cannot matter"))),
        }
    }

    fn report(&mut self) {
        let progress = Progress {
            engine: "pred-abs",
            nodes: self.tree.len() as u64,
            lemmas: self.statistics.predicates,
            ..Progress::default()
        };
        self.observer.progress(&progress);
    }

    fn counters(&self) -> Counters {
        let Statistics { predicates, refinements, coverings, path_checks, cut_short, .. } = self.statistics;
        let Statistics { without_interpolants, times, .. } = self.statistics;
        let mut counters: Counters = BTreeMap::from([
            ("nodes", self.tree.len() as u64),
            ("predicates", predicates),
            ("refinements", refinements),
            ("refinements without interpolants", without_interpolants),
            ("coverings", coverings),
            ("abstractions cut short", cut_short),
            ("solver checks", path_checks),
            ("terms", self.arena.len() as u64),
        ]);
        times.counters(&mut counters);
        let edges = self.solvers.iter().flatten().map(|edge| edge.solver.stats());
        for stats in edges.chain([self.implications.stats()]) {
            add_solver(&mut counters, stats);
        }
        counters
    }
}

impl Transitions for Vec<Option<EdgeSolver>> {
    fn transition(&mut self, _: &mut Arena, edge: EdgeId) -> Result<Option<&mut Transition>, Unknown> {
        Ok(self[edge.index()].as_mut().map(|solver| &mut solver.transition))
    }
}

/// Predicate abstraction as an engine.
pub(crate) struct PredicateAbstraction;

impl Engine for PredicateAbstraction {
    fn name(&self) -> &'static str {
        "pred-abs"
    }

    fn method(&self) -> &'static str {
        "looks at the program through a few conditions (predicates) instead of its values, follows all executions in that \
         view, and adds conditions where the view is too coarse"
    }

    fn settings(&self) -> &'static [Setting] {
        const SETTINGS: [Setting; 2] = [
            Setting {
                key: "abstraction",
                kind: Kind::Words(&["boolean", "cartesian"]),
                default: Some("boolean"),
                help: "how much an abstract state says: any combination of predicates, or a conjunction",
            },
            REFINEMENT,
        ];
        &SETTINGS
    }

    fn run(&self, prepared: &Prepared, settings: &Own<'_>, context: &mut Context<'_>) -> (Outcome, Counters) {
        let settings = Settings {
            abstraction: match settings.text("abstraction") {
                Some("cartesian") => Abstraction::Cartesian,
                _ => Abstraction::Boolean,
            },
            refinement: Refinement::of(settings),
            core: settings.sat_core().unwrap_or_default(),
        };
        let Context { budget, observer, exchange } = context;
        pred_abs_beside(&prepared.program, settings, budget, *observer, exchange)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Report, Silent, Verdict, verify};
    use nilas_evidence::Evidence;
    use nilas_program::parse_program;

    fn check(text: &str, abstraction: Abstraction) -> Report {
        let abstraction = match abstraction {
            Abstraction::Boolean => "pred-abs.abstraction=boolean",
            Abstraction::Cartesian => "pred-abs.abstraction=cartesian",
        };
        check_with(text, &[abstraction])
    }

    fn check_with(text: &str, assignments: &[&str]) -> Report {
        let program = parse_program(text).unwrap_or_else(|errors| panic!("{errors:?}"));
        let settings = crate::Settings::of(assignments).expect("a setting of the engine");
        let engine = "pred-abs".parse().expect("the engine");
        verify(&program, engine, &settings, &Budget::unlimited(), &mut Silent)
    }

    const BOTH: [Abstraction; 2] = [Abstraction::Boolean, Abstraction::Cartesian];

    /// A lock that is taken and released in turn.
    const LOCK: &str = "var locked : bool var old, new : bv32 entry init error err \
         init -> top { locked := false } \
         top -> body { assume !locked; locked := true; old := new } \
         top -> err { assume locked } \
         body -> test { { locked := false; new := new + 1 } [] { skip } } \
         test -> top { assume new != old } test -> unlock { assume new == old } \
         unlock -> err { assume !locked }";

    /// The example of lazy abstraction: whether the lock is held hangs on `new == old`.
    #[test]
    fn predicates_that_hang_together_prove_the_lock() {
        for abstraction in BOTH {
            let report = check(LOCK, abstraction);
            assert!(matches!(report.verdict, Verdict::Safe(Evidence::Invariant(_))), "{:?}", report.verdict);
            assert!(report.counters["predicates"] >= 1, "{:?}", report.counters);
            assert!(report.counters["refinements"] >= 1, "{:?}", report.counters);
        }
    }

    /// The predicates `a` and `b` are known soon, but no conjunction of them says that both are the same.
    #[test]
    fn a_cube_is_excluded_as_a_whole() {
        let text = "var a, b : bool entry i error e i -> t { havoc a; b := a } \
             t -> t { a := !a; b := !b } t -> e { assume a && !b }";
        let report =
            check_with(text, &["pred-abs.abstraction=cartesian", "pred-abs.refinement=preconditions"]);
        assert!(matches!(report.verdict, Verdict::Safe(Evidence::Invariant(_))), "{:?}", report.verdict);
    }

    #[test]
    fn an_execution_is_found_through_a_loop() {
        let text =
            "var x : bv8 entry a error e a -> b { x := 0 } b -> b { x := x + 3 } b -> e { assume x == 9 }";
        for abstraction in BOTH {
            let report = check(text, abstraction);
            assert!(
                matches!(report.verdict, Verdict::Unsafe(Evidence::Execution(_))),
                "{:?}",
                report.verdict
            );
        }
    }

    /// Nodes that are alike are covered, so a loop without end is no unwinding without end.
    #[test]
    fn loops_are_covered() {
        let text = "var x, y : bv32 entry a error e a -> b { x := 0; y := 0 } \
             b -> b { x := x + 1; havoc y; assume y <s 10 } b -> e { assume y >s 20 }";
        let report = check(text, Abstraction::Boolean);
        assert!(matches!(report.verdict, Verdict::Safe(_)), "{:?}", report.verdict);
        assert!(report.counters["coverings"] >= 1, "{:?}", report.counters);
    }

    /// What is not modelled makes the answer unknown, unless the error is found as well.
    #[test]
    fn unmodelled_is_no_proof() {
        let text = "var x : bv8 entry a error e unmodelled u a -> b { skip } b -> u { assume x == 3 } \
             b -> e { assume x == 4 && x == 5 }";
        let verdict = check(text, Abstraction::Boolean).verdict;
        assert!(matches!(verdict, Verdict::Unknown(Unknown::Unmodelled { .. })), "{verdict:?}");
        let worse = check(&text.replace("x == 4 && x == 5", "x == 4"), Abstraction::Boolean).verdict;
        assert!(matches!(worse, Verdict::Unsafe(_)), "{worse:?}");
    }
}
