//! Tree-IC3 and its relatives: Cimatti, Griggio, *Software Model Checking via IC3*, CAV 2012, §4 and §5.
//!
//! The automaton is unwound into an abstract reachability tree ([`art`]), depth first, as in McMillan's *Lazy
//! Abstraction with Interpolants* (CAV 2006). Whatever leads to a sink is refuted along its path ([`block`],
//! Fig. 2; [`interpolants`], §5), which labels the nodes on it; nodes are closed by older ones that cover
//! them ([`cover`]), helped by clauses of their ancestors that hold again ([`strengthen`], Fig. 3). The four
//! [`Variant`]s of the paper's §6.2 differ in where labels come from and in how nodes are strengthened, and
//! in nothing else.
//!
//! Deviations from the paper, and why:
//! - Sinks have no nodes: an edge to a sink that can be taken from a node's label is refuted when the node is
//!   expanded, before it gets children. So is an edge that cannot be taken: both stand for children labelled
//!   *false*.
//! - The sink *unmodelled* is refuted like the error. Where it can be reached there is no proof any more, but
//!   the search for the error goes on.
//! - Clauses go straight to the nodes, see [`block`]; generalisation tries clauses of other nodes at the
//!   location first, see [`generalise`].
//! - Strengthening asks by blocking, and only for the nearest ancestor, see [`strengthen`]. The forward
//!   propagation of §4, of a parent's clauses to a child at another location, is left out: on a fifth of the
//!   benchmarks it solved no more programs, with more clauses.
//! - A node may be forced to be covered by older nodes that are not its ancestors, see [`cover`].
//! - Interpolants are of the last part of a path that suffices, and only of small paths, see
//!   [`interpolants`].
//! - Variables with few values are re-encoded before, as for IC3CFA.

mod art;
mod block;
mod check;
mod cnf;
mod cover;
mod edge;
mod evidence;
mod generalise;
mod interpolants;
mod statistics;
mod strengthen;
mod subpath;
#[cfg(test)]
mod tests;

use crate::analyses::houdini::{Transitions, effort};
use crate::engine::{Context, Kind, Own, Prepared, Setting, Wants};
use crate::exchange::{Port, Shown};
use crate::landmarks;
use crate::observer::{Counters, Observer, Progress, Work};
use crate::outcome::{Outcome, Proof, Unknown};
use crate::phase::add_solver;
use crate::relevant::Relevant;
use crate::sinks::Sinks;
use crate::transition::Transition;
use art::{Clause, NodeId, Tree};
use cover::Implications;
use edge::EdgeSolver;
use generalise::Vocabulary;
use nilas_evidence::Execution;
use nilas_program::{Automaton, EdgeId, LocationId, Program};
use nilas_smt::weaken::Weakener;
use nilas_smt::{Budget, Interrupt, SatCore};
use nilas_term::{Arena, Cube, Term};
use rustc_hash::FxHashMap;
use statistics::Statistics;
use std::collections::BTreeMap;
use subpath::Subpaths;

/// After so many nodes were looked at, so is what others published.
const EXCHANGE: u64 = 16;

/// How many clauses of a location are told at the end.
const TOLD: usize = 64;

/// The engines of §6.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// TREE-IC3: labels by blocking (§4).
    TreeIc3,
    /// TREE-IC3+ITP: labels by interpolation where the interpolants are good, else by blocking (§5).
    TreeIc3Itp,
    /// TREE-IC3+ITP-MONO: the same with monolithic strengthening.
    TreeIc3ItpMono,
    /// TREE-ITP: lazy abstraction with interpolants.
    TreeItp,
}

impl Variant {
    fn name(self) -> &'static str {
        match self {
            Variant::TreeIc3 => "tree-ic3",
            Variant::TreeIc3Itp => "tree-ic3-itp",
            Variant::TreeIc3ItpMono => "tree-ic3-itp-mono",
            Variant::TreeItp => "tree-itp",
        }
    }
}

/// How nodes are strengthened by their ancestors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Strengthening {
    /// By those clauses that hold again.
    ByClause,
    /// By all clauses if all hold again, else by none.
    Monolithic,
}

/// What can be set, for all variants.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// After every step, check that the tree is well-labelled, with solvers of their own. Slow: for finding
    /// bugs.
    pub check_tree: bool,
    /// Interpolants are used only if their clauses are not larger than this many times the interpolants (`k`
    /// of §6.1).
    pub largest_clauses: usize,
    /// Whether variables that only ever take a few constants are re-encoded in a few bits.
    pub few_values: bool,
    /// The SAT core of the solvers.
    pub core: SatCore,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { check_tree: false, largest_clauses: 5, few_values: true, core: SatCore::default() }
    }
}

/// The state of a run.
struct Engine<'a> {
    automaton: &'a Automaton,
    arena: Arena,
    budget: &'a Budget,
    observer: &'a mut dyn Observer,
    variant: Variant,
    settings: Settings,
    tree: Tree,
    root: NodeId,
    /// Solvers of the edges that matter.
    edges: Vec<Option<EdgeSolver>>,
    /// For each location, the edges that matter, to sinks and to others.
    outgoing: Vec<Vec<EdgeId>>,
    sink_edges: Vec<Vec<EdgeId>>,
    relevant: Relevant,
    sinks: Sinks,
    port: &'a mut Port,
    /// What others told and could be shown: part of the label of every node.
    shown: Shown,
    /// What labels imply, by location.
    implications: Vec<Option<Implications>>,
    subpaths: Subpaths,
    /// How many clauses the nearest ancestor at its location had when a node was last strengthened.
    strengthened: FxHashMap<NodeId, usize>,
    /// How many clauses the parent of a node and an older node had when it was last tried to force the older
    /// to cover it.
    forced: FxHashMap<(NodeId, NodeId), (usize, usize)>,
    /// How many clauses a node had when it was last tried to be covered, below other nodes.
    closed: FxHashMap<NodeId, usize>,
    /// Whether strengthening a node has labelled nodes above it, which may be strengthened by each other or
    /// covered now.
    path_changed: bool,
    vocabulary: Vocabulary,
    weakener: Weakener,
    statistics: Statistics,
    /// Obligations that the blocking at hand may still make, if that is limited.
    effort: Option<u64>,
    /// Clauses that nodes get if the blocking at hand succeeds; without that, they get them at once.
    tentative: Option<Vec<(NodeId, Clause)>>,
}

/// Runs a variant of Tree-IC3 on an automaton.
pub fn tree(
    program: &Program,
    variant: Variant,
    settings: Settings,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> (Outcome, Counters) {
    tree_beside(program, variant, settings, budget, observer, &mut Port::closed())
}

/// The same beside other engines.
fn tree_beside(
    program: &Program,
    variant: Variant,
    settings: Settings,
    budget: &Budget,
    observer: &mut dyn Observer,
    port: &mut Port,
) -> (Outcome, Counters) {
    let mut engine = match Engine::new(program, variant, settings, budget, observer, port) {
        Ok(engine) => engine,
        Err(why) => return Outcome::before_work(why),
    };
    let outcome = engine.prove().unwrap_or_else(Outcome::Unknown);
    engine.tell_lemmas();
    let counters = engine.counters();
    (outcome, counters)
}

impl<'a> Engine<'a> {
    fn new(
        program: &'a Program,
        variant: Variant,
        settings: Settings,
        budget: &'a Budget,
        observer: &'a mut dyn Observer,
        port: &'a mut Port,
    ) -> Result<Self, Interrupt> {
        let automaton = &program.automaton;
        let mut arena = program.arena.clone();
        let relevant = Relevant::new(automaton);
        let locations = automaton.locations.len();
        let edges = relevant.try_edges(automaton, |edge| {
            let solvers = [(); 2].map(|()| observer.solver(settings.core.solver()));
            EdgeSolver::new(&mut arena, automaton, edge, solvers, budget)
        })?;
        let to_sink = |edge: &EdgeId| automaton.is_sink(automaton.edge(*edge).target);
        let (sink_edges, outgoing) =
            relevant.outgoing.iter().map(|edges| edges.iter().copied().partition(to_sink)).unzip();
        let weakener = landmarks::weakener(&arena, automaton);
        let (tree, root) = Tree::new(locations, automaton.entry);
        Ok(Engine {
            automaton,
            arena,
            budget,
            observer,
            variant,
            settings,
            tree,
            root,
            edges,
            outgoing,
            sink_edges,
            sinks: Sinks::new(automaton, &relevant),
            port,
            shown: Shown::new(program, &relevant, budget)?,
            relevant,
            implications: (0..locations).map(|_| None).collect(),
            subpaths: Subpaths::default(),
            strengthened: FxHashMap::default(),
            forced: FxHashMap::default(),
            closed: FxHashMap::default(),
            path_changed: false,
            vocabulary: Vocabulary::new(locations),
            weakener,
            statistics: Statistics::default(),
            effort: None,
            tentative: None,
        })
    }

    fn strengthening(&self) -> Strengthening {
        match self.variant {
            Variant::TreeIc3 | Variant::TreeIc3Itp => Strengthening::ByClause,
            Variant::TreeIc3ItpMono | Variant::TreeItp => Strengthening::Monolithic,
        }
    }

    /// Unwinds the tree until it is complete: the newest open node is closed or expanded.
    fn prove(&mut self) -> Result<Outcome, Unknown> {
        let mut looked_at = 0;
        while let Some(node) = self.tree.open() {
            self.interrupted()?;
            self.report(0);
            looked_at += 1;
            if self.port.is_open() && looked_at % EXCHANGE == 0 {
                self.take_facts()?;
                // A label may imply another one now.
                continue;
            }
            if !self.close(node)?
                && let Some((sink, execution)) = self.expand(node)?
                && let Some(outcome) = self.sinks.reached(self.automaton, sink, execution)
            {
                return Ok(outcome);
            }
            if self.settings.check_tree {
                self.check_tree()?;
            }
        }
        self.sinks.none_was_reached(self.automaton)?;
        Ok(Outcome::Safe(Proof::Invariant(self.invariant()?)))
    }

    /// Labels all nodes with what others published, as far as it can be shown. It holds after every step from
    /// a state with such a label, and a covered node gets no less than its coverer.
    fn take_facts(&mut self) -> Result<(), Unknown> {
        let edges = self.edges.iter().flatten().flat_map(EdgeSolver::stats);
        let work = edges.map(|stats| effort(&stats)).sum();
        let (arena, automaton, edges) = (&mut self.arena, self.automaton, &mut self.edges);
        let new = self.shown.take(arena, automaton, edges, self.port, self.budget, work)?;
        self.port.used(new.len());
        for (location, formula) in new {
            let clause = self.shown_clause(formula);
            self.tree.strengthen_all(location, &clause);
        }
        Ok(())
    }

    /// A formula as a clause of one literal.
    fn shown_clause(&mut self, formula: Term) -> Clause {
        let violated = self.arena.not(formula);
        Clause::new(&mut self.arena, Cube::new([violated]))
    }

    /// PATH BLOCKING and ART UNWINDING of Fig. 3: where an edge to a sink can be taken, its path is refuted,
    /// and the node comes again later if it is still open. Otherwise it gets its children.
    fn expand(&mut self, node: NodeId) -> Result<Option<(LocationId, Execution)>, Unknown> {
        let location = self.tree.node(node).location;
        for edge in self.sink_edges[location.index()].clone() {
            let sink = self.automaton.edge(edge).target;
            if self.sinks.left().contains(&sink) && self.feasible(node, edge)? {
                if let Some(execution) = self.refute(node, edge)? {
                    return Ok(Some((sink, execution)));
                }
                self.close_path(node)?;
                return Ok(None);
            }
        }
        for edge in self.outgoing[location.index()].clone() {
            if self.feasible(node, edge)? {
                let target = self.automaton.edge(edge).target;
                let child = self.tree.add_child(node, edge, target);
                for index in 0..self.shown.at(target).len() {
                    let clause = self.shown_clause(self.shown.at(target)[index]);
                    self.tree.strengthen(child, clause);
                }
                self.observer.work(target, Work::Node);
                self.observer.event(&|| {
                    format!("{child:?} at {} below {node:?}", self.automaton.location(target).name)
                });
                self.statistics.depth = self.statistics.depth.max(self.tree.node(child).depth);
            }
        }
        self.tree.set_expanded(node);
        Ok(None)
    }

    /// Shows that a path to a sink cannot be executed, by clauses for its nodes. Returns an execution if it
    /// can.
    fn refute(&mut self, node: NodeId, edge: EdgeId) -> Result<Option<Execution>, Unknown> {
        self.statistics.refinements += 1;
        self.observer.work(self.tree.node(node).location, Work::Refinement);
        self.observer.event(&|| format!("path to {node:?} and over {edge:?}"));
        if self.variant != Variant::TreeIc3 {
            self.interpolate_path(node, edge)?;
        }
        // Does nothing where interpolants have labelled the path.
        self.block_path(node, edge)
    }

    /// Tries to close the nodes above one whose path was refuted, if their labels or those of their ancestors
    /// have changed.
    fn close_path(&mut self, node: NodeId) -> Result<(), Unknown> {
        for above in self.tree.path(node) {
            if !self.tree.is_active(above) {
                return Ok(());
            }
            if above == self.root || above == node {
                continue;
            }
            let changed = self.strengthen(above)?;
            if !self.tree.is_active(above) {
                return Ok(());
            }
            let version = self.tree.node(above).clauses.len();
            let new = self.closed.insert(above, version) != Some(version);
            if (changed || new) && self.cover(above)? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Removes a node that cannot be reached, with all below it.
    fn remove(&mut self, node: NodeId) {
        for gone in self.tree.remove(node) {
            let location = self.tree.node(gone).location.index();
            for edge in self.outgoing[location].iter().chain(&self.sink_edges[location]) {
                if let Some(solver) = &mut self.edges[edge.index()] {
                    solver.forget(gone);
                }
            }
            if let Some(implications) = &mut self.implications[location] {
                implications.forget(gone);
            }
        }
    }

    /// An edge's solver. Edges outside of what matters have none and are never asked about.
    fn edge(&mut self, edge: EdgeId) -> Result<(&mut EdgeSolver, &mut Arena, &Tree), Unknown> {
        match &mut self.edges[edge.index()] {
            Some(solver) => Ok((solver, &mut self.arena, &self.tree)),
            None => Err(Unknown::Internal(format!("{edge:?} was asked about, but cannot matter"))),
        }
    }

    /// Tells the observer of the clauses of active nodes.
    fn tell_lemmas(&mut self) {
        for location in self.automaton.location_ids() {
            let active = self.tree.at(location).iter().filter(|&&node| self.tree.is_active(node));
            let mut clauses: Vec<Term> = Vec::new();
            for clause in active.flat_map(|&node| self.tree.node(node).label()) {
                if clauses.len() < TOLD && !clauses.contains(&clause.term) {
                    clauses.push(clause.term);
                }
            }
            if !clauses.is_empty() {
                self.observer.lemmas(location, &self.arena, &clauses);
            }
        }
    }

    fn interrupted(&self) -> Result<(), Unknown> {
        self.budget.exhausted().map_or(Ok(()), |why| Err(Unknown::Interrupted(why)))
    }

    fn report(&mut self, obligations: usize) {
        let progress = Progress {
            engine: self.variant.name(),
            frame: self.statistics.depth,
            nodes: self.tree.sizes().1 as u64,
            lemmas: self.statistics.lemmas,
            obligations: obligations as u64,
            checks: self.statistics.checks,
        };
        self.observer.progress(&progress);
    }

    fn counters(&self) -> Counters {
        let (made, left) = self.tree.sizes();
        let mut counters: Counters = BTreeMap::from([
            ("nodes", made as u64),
            ("nodes left", left as u64),
            ("terms", self.arena.len() as u64),
        ]);
        self.statistics.counters(&mut counters);
        let edges = self.edges.iter().flatten().flat_map(EdgeSolver::stats);
        let implications = self.implications.iter().flatten().map(Implications::stats);
        let (subpaths, before) = self.subpaths.stats();
        counters.insert("solver checks", before);
        for stats in edges.chain(implications).chain(subpaths) {
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

impl crate::engine::Engine for Variant {
    fn name(&self) -> &'static str {
        Variant::name(*self)
    }

    fn method(&self) -> &'static str {
        match self {
            Variant::TreeIc3 => {
                "unfolds the program into a tree of paths, goes back along each path that ends in the error, and excludes \
                 the states that lead there by facts (lemmas) about the points of the tree, until no point is left that \
                 is not covered by an earlier one"
            }
            Variant::TreeIc3Itp | Variant::TreeIc3ItpMono => {
                "unfolds the program into a tree of paths, asks a solver why each path to the error cannot be executed, \
                 and keeps the reasons as facts (lemmas) about the points of the tree, until no point is left that is \
                 not covered by an earlier one"
            }
            Variant::TreeItp => {
                "unfolds the program into a tree of paths, and describes its points by the reasons (interpolants) why \
                 paths to the error cannot be executed, until no point is left that is not covered by an earlier one"
            }
        }
    }

    fn group(&self) -> &'static str {
        "tree"
    }

    fn settings(&self) -> &'static [Setting] {
        const SETTINGS: [Setting; 3] = [
            Setting {
                key: "clause-limit",
                kind: Kind::Number("how many times an interpolant its clauses may be"),
                default: Some("5"),
                help: "interpolants are used only if their clauses are not larger than so many times themselves",
            },
            Setting {
                key: "few-values",
                kind: Kind::YesNo,
                default: Some("yes"),
                help: "variables that only ever take a few constants are encoded anew in a few bits",
            },
            Setting {
                key: "check",
                kind: Kind::YesNo,
                default: Some("no"),
                help: "check that the tree is well-labelled after every step, for finding bugs",
            },
        ];
        &SETTINGS
    }

    fn wants(&self, settings: &Own<'_>) -> Wants {
        if settings.flag("few-values") { Wants::FewValues } else { Wants::Small }
    }

    fn run(&self, prepared: &Prepared, settings: &Own<'_>, context: &mut Context<'_>) -> (Outcome, Counters) {
        let usual = Settings::default();
        let settings = Settings {
            check_tree: settings.flag("check"),
            largest_clauses: settings.parsed("clause-limit").unwrap_or(usual.largest_clauses),
            few_values: settings.flag("few-values"),
            core: settings.sat_core().unwrap_or_default(),
        };
        let Context { budget, observer, exchange } = context;
        tree_beside(&prepared.program, *self, settings, budget, *observer, exchange)
    }
}
