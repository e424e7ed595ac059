//! Enumeration of abstract states: large state machines, whose variables hold one of a few values, or are
//! only ever compared with a few constants.
//!
//! The values of a variable are cut into classes ([`cuts`]) where the program compares it with constants. An
//! abstract state is a location and a class for each variable that is live there; so this is predicate
//! abstraction (Graf and Saïdi, CAV 1997) with a fixed supply of predicates, by enumeration of the states
//! that are reached. Each edge has a solver, which knows the states that were reached at the edge's target:
//! from a state it is asked for a step to another one, until there is none. So there is one question per
//! state, and one more per state and edge. Of large edges a state often leaves little, which then has a
//! solver of its own ([`specialise`]).
//!
//! Where few variables are compared, all of them are tracked. Where they are many, as in a driver, most of
//! them decide nothing: then none is tracked at first, and those are added that a path to a sink needs to be
//! none ([`precision`]).
//!
//! When no state is left, lemmas are learnt that no state violates, until they are inductive ([`lemmas`]). A
//! path of states to a sink is an execution, or its interpolants tell where classes have to be cut, and all
//! begins anew. Where they do not, where states are too many or variables to be tracked too many, the engine
//! gives up: others do better there. Nor does it begin with small programs: others decide these, and would
//! have less time.

pub(crate) mod cuts;
mod lemmas;
pub(crate) mod precision;
mod specialise;

use crate::engine::{Context, Engine, Kind, Own, Prepared, Setting, Wants};
use crate::observer::{Counters, Observer, Progress, Work};
use crate::outcome::{Outcome, Proof, Unknown};
use crate::path::{PathFormula, sequence_interpolants};
use crate::phase::add_solver;
use crate::relevant::Relevant;
use crate::sinks::Sinks;
use crate::transition::Transition;
use cuts::Cuts;
use nilas_evidence::Execution;
use nilas_program::{Automaton, EdgeId, LiveVariables, LocationId, Program, VarId};
use nilas_smt::interpolate::InterpolateOptions;
use nilas_smt::{Activation, Answer, Budget, SatCore, Solver};
use nilas_term::{Arena, Substitution, Term};
use precision::Precision;
use rustc_hash::FxHashSet;
use specialise::Comparison;

/// The most states that are enumerated: of all variables, and of chosen ones, where a state costs less.
const MOST_STATES: usize = 4_000;
const MOST_CHOSEN_STATES: usize = 12_000;
/// Where more variables are compared, they are only tracked if they turn out to matter.
const MOST_COMPARED: usize = 24;
/// The most variables that are tracked at a location.
const MOST_TRACKED: usize = 64;
/// How often classes are cut anew.
const MOST_REFINEMENTS: u64 = 6;
/// How often variables are added to those that are tracked.
const MOST_ADDITIONS: u64 = 400;
/// Conflicts that a single question may take. States are small questions; where they are not, others do
/// better.
const CONFLICTS: u64 = 20_000;

/// Why this engine is none for the program.
fn give_up<T>(why: &str) -> Result<T, Unknown> {
    Err(Unknown::Inapplicable(why.to_owned()))
}

/// An abstract state that was reached.
struct Node {
    location: LocationId,
    /// The class of each variable that is tracked there.
    classes: Vec<u32>,
    /// What it says.
    literals: Vec<Term>,
    /// Where it was reached from.
    parent: Option<(usize, EdgeId)>,
}

/// An edge with its solver, which knows what was reached at its target.
struct EdgeSolver {
    transition: Transition,
    solver: Box<dyn Solver>,
    /// From each variable that is tracked at the target, or was, to the one that holds its value there.
    /// Values of variables are read from a model, those of large terms would have to be computed.
    next: Substitution,
    named: FxHashSet<VarId>,
    /// Under it the solver knows what was reached.
    reached: Activation,
    /// How many terms the edge has.
    size: usize,
    /// What it compares with constants, if they are many.
    comparisons: Vec<Comparison>,
    /// How many states left much of it, one after the other.
    in_vain: u32,
}

impl EdgeSolver {
    /// A solver that knows the edge.
    fn new(
        arena: &Arena,
        automaton: &Automaton,
        cuts: &Cuts,
        transition: Transition,
        mut solver: Box<dyn Solver>,
    ) -> Self {
        solver.assert(arena, transition.encoding.guard);
        let next = automaton.variable_ids().map(|id| transition.encoding.next.get(id));
        let terms: Vec<Term> = next.chain([transition.encoding.guard]).collect();
        let size = specialise::size(arena, terms.clone());
        let comparisons = specialise::comparisons(arena, cuts, size, terms);
        let reached = solver.activation();
        let (next, named) = (Substitution::new(), FxHashSet::default());
        EdgeSolver { transition, solver, next, named, reached, size, comparisons, in_vain: 0 }
    }

    /// Begins anew: nothing was reached, and these variables are tracked at the target.
    fn start(&mut self, arena: &mut Arena, automaton: &Automaton, tracked: &[VarId]) {
        self.solver.retire(self.reached);
        self.reached = self.solver.activation();
        for &id in tracked {
            let variable = automaton.variable(id);
            let after = self.transition.encoding.next.get(id);
            if after != variable.term && self.named.insert(id) {
                let fresh = arena.fresh_variable(&variable.name, &variable.sort);
                let equal = arena.eq(fresh, after);
                self.solver.assert(arena, equal);
                self.next.insert(variable.term, fresh);
            }
        }
    }
}

/// The state of a run.
struct Enumeration<'a> {
    automaton: &'a Automaton,
    arena: Arena,
    /// Terms of what single states leave of large edges. It begins as a copy of the other one.
    scratch: Arena,
    budget: &'a Budget,
    observer: &'a mut dyn Observer,
    core: SatCore,
    cuts: Cuts,
    precision: Precision,
    /// The variables that are tracked, by location.
    tracked: Vec<Vec<VarId>>,
    live: LiveVariables,
    relevant: Relevant,
    solvers: Vec<Option<EdgeSolver>>,
    nodes: Vec<Node>,
    known: FxHashSet<(LocationId, Vec<u32>)>,
    sinks: Sinks,
    refinements: u64,
    additions: u64,
    all_states: u64,
    /// How often what a state left of a large edge was asked alone.
    specialised: u64,
    lemmas: u64,
    counters: Counters,
}

/// How an enumeration ended.
enum Ended {
    /// All states that can be reached are there.
    Complete,
    Decided(Box<Outcome>),
    /// A path to a sink is none: there are new cuts.
    Refined,
}

impl<'a> Enumeration<'a> {
    fn new(
        program: &'a Program,
        core: SatCore,
        budget: &'a Budget,
        observer: &'a mut dyn Observer,
    ) -> Result<Self, Unknown> {
        let automaton = &program.automaton;
        let relevant = Relevant::new(automaton);
        let live = LiveVariables::within(program, budget).map_err(Unknown::Interrupted)?;
        let mut cuts = Cuts::none(automaton);
        cuts.of_commands(&program.arena, automaton);
        let mut run = Enumeration {
            automaton,
            arena: program.arena.clone(),
            scratch: Arena::new(),
            budget,
            observer,
            core,
            cuts,
            precision: Precision::Every,
            tracked: Vec::new(),
            live,
            sinks: Sinks::new(automaton, &relevant),
            relevant,
            solvers: Vec::new(),
            nodes: Vec::new(),
            known: FxHashSet::default(),
            refinements: 0,
            additions: 0,
            all_states: 0,
            specialised: 0,
            lemmas: 0,
            counters: Counters::new(),
        };
        run.track()?;
        Ok(run)
    }

    /// Which variables are tracked where.
    fn track(&mut self) -> Result<(), Unknown> {
        let automaton = self.automaton;
        self.tracked = vec![Vec::new(); automaton.locations.len()];
        for location in automaton.location_ids() {
            if !self.relevant.contains(location) || automaton.is_sink(location) {
                continue;
            }
            let is_tracked = |id: &VarId| {
                self.live.contains(location, *id)
                    && location != automaton.entry
                    && self.precision.includes(*id)
                    && self.cuts.tells_apart(automaton, *id)
            };
            let tracked: Vec<VarId> = automaton.variable_ids().filter(is_tracked).collect();
            match self.precision {
                Precision::Every if tracked.len() > MOST_COMPARED => {
                    self.precision = Precision::none();
                    return self.track();
                }
                _ if tracked.len() > MOST_TRACKED => {
                    return give_up("too many variables to enumerate states");
                }
                _ => self.tracked[location.index()] = tracked,
            }
        }
        Ok(())
    }

    fn run(&mut self) -> Result<Outcome, Unknown> {
        loop {
            self.start()?;
            match self.enumerate()? {
                Ended::Decided(outcome) => return Ok(*outcome),
                Ended::Refined => self.track()?,
                Ended::Complete => {
                    self.sinks.none_was_reached(self.automaton)?;
                    return Ok(Outcome::Safe(Proof::Invariant(self.invariant()?)));
                }
            }
        }
    }

    /// Nothing is reached but the entry.
    fn start(&mut self) -> Result<(), Unknown> {
        let automaton = self.automaton;
        if self.solvers.is_empty() {
            let Enumeration { arena, relevant, budget, observer, core, cuts, .. } = self;
            self.solvers = relevant
                .try_edges(automaton, |edge| {
                    let transition = Transition::new(arena, automaton, edge, budget)?;
                    Ok(EdgeSolver::new(arena, automaton, cuts, transition, observer.solver(core.solver())))
                })
                .map_err(Unknown::Interrupted)?;
            // What is compared inside a step is a comparison before it, too.
            for edge in self.solvers.iter().flatten() {
                let encoding = &edge.transition.encoding;
                let next = automaton.variable_ids().map(|id| encoding.next.get(id));
                let terms = next.chain([encoding.guard]).collect();
                self.cuts.of_terms(&self.arena, terms);
            }
            self.scratch = self.arena.clone();
            self.track()?;
        }
        self.start_solvers();
        self.known.clear();
        let entry =
            Node { location: automaton.entry, classes: Vec::new(), literals: Vec::new(), parent: None };
        self.nodes = vec![entry];
        Ok(())
    }

    fn start_solvers(&mut self) {
        for edge in self.solvers.iter_mut().flatten() {
            let target = self.automaton.edge(edge.transition.edge).target;
            let tracked = &self.tracked[target.index()];
            edge.start(&mut self.arena, self.automaton, tracked);
        }
    }

    /// Follows all states that were reached, the oldest first.
    fn enumerate(&mut self) -> Result<Ended, Unknown> {
        let mut next = 0;
        while next < self.nodes.len() {
            let edges = self.relevant.outgoing[self.nodes[next].location.index()].clone();
            for edge in edges {
                let target = self.automaton.edge(edge).target;
                if !self.automaton.is_sink(target) {
                    self.successors(next, edge)?;
                } else if self.sinks.left().contains(&target) && self.step(next, edge)? {
                    let Some(execution) = self.execution(next, edge)? else { return Ok(Ended::Refined) };
                    if let Some(outcome) = self.sinks.reached(self.automaton, target, execution) {
                        return Ok(Ended::Decided(Box::new(outcome)));
                    }
                }
            }
            next += 1;
        }
        Ok(Ended::Complete)
    }

    /// Whether an edge can be taken from a state, to none that is known.
    fn step(&mut self, node: usize, edge: EdgeId) -> Result<bool, Unknown> {
        let target = self.automaton.edge(edge).target;
        if self.automaton.is_sink(target)
            && let Some(answer) = self.step_over_large(node, edge)?
        {
            return Ok(answer);
        }
        let Some(EdgeSolver { solver, reached, .. }) = &mut self.solvers[edge.index()] else {
            return Ok(false);
        };
        let budget = Budget { conflicts: Some(CONFLICTS), ..self.budget.clone() };
        match solver.check(&self.arena, &[*reached], &self.nodes[node].literals, &budget) {
            Answer::Sat => Ok(true),
            Answer::Unsat => Ok(false),
            Answer::Unknown(reason) => match self.budget.exhausted() {
                Some(why) => Err(Unknown::Interrupted(why)),
                None => give_up(&format!("steps between states are too hard: {reason}")),
            },
        }
    }

    /// Makes all states that come after one over an edge.
    fn successors(&mut self, node: usize, edge: EdgeId) -> Result<(), Unknown> {
        let target = self.automaton.edge(edge).target;
        if self.successors_of_large(node, edge)? {
            return Ok(());
        }
        while self.step(node, edge)? {
            let Some(EdgeSolver { solver, next, .. }) = &mut self.solvers[edge.index()] else { break };
            let mut classes = Vec::with_capacity(self.tracked[target.index()].len());
            for &id in &self.tracked[target.index()] {
                let after = next.apply(&mut self.arena, self.automaton.variable(id).term);
                let value = solver.value(&self.arena, after)?;
                let Some(class) = self.cuts.class(id, &value) else {
                    return give_up("a value that is in no class");
                };
                classes.push(class);
            }
            self.reach(target, classes, (node, edge))?;
        }
        Ok(())
    }

    /// A new state is reached: no step has to lead there any more.
    fn reach(
        &mut self,
        location: LocationId,
        classes: Vec<u32>,
        parent: (usize, EdgeId),
    ) -> Result<(), Unknown> {
        let mut literals = Vec::new();
        for (&id, &class) in self.tracked[location.index()].iter().zip(&classes) {
            literals.extend(self.cuts.literals(&mut self.arena, self.automaton, id, (class, class)));
        }
        if !self.known.insert((location, classes.clone())) {
            return Err(Unknown::Internal("a step led to a state that is known".to_owned()));
        }
        for &edge in &self.relevant.incoming[location.index()] {
            let Some(EdgeSolver { solver, next, reached, .. }) = &mut self.solvers[edge.index()] else {
                continue;
            };
            let mut other = Vec::with_capacity(literals.len());
            for &literal in &literals {
                let after = next.apply(&mut self.arena, literal);
                other.push(self.arena.not(after));
            }
            let other = self.arena.or(&other);
            solver.assert_under(&self.arena, *reached, other);
        }
        self.nodes.push(Node { location, classes, literals, parent: Some(parent) });
        self.all_states += 1;
        self.observer.work(location, Work::Node);
        self.observer.progress(&Progress {
            engine: "classes",
            nodes: self.all_states,
            ..Progress::default()
        });
        let most = match self.precision {
            Precision::Every => MOST_STATES,
            Precision::Chosen(_) => MOST_CHOSEN_STATES,
        };
        if self.nodes.len() > most {
            return give_up("too many states to enumerate");
        }
        Ok(())
    }

    /// The execution along the states to one and over an edge; none if there is none, and classes were cut
    /// where they are too coarse.
    fn execution(&mut self, node: usize, edge: EdgeId) -> Result<Option<Execution>, Unknown> {
        let (mut edges, mut nodes, mut at) = (vec![edge], vec![node], node);
        while let Some((parent, edge)) = self.nodes[at].parent {
            edges.push(edge);
            nodes.push(parent);
            at = parent;
        }
        edges.reverse();
        nodes.reverse();
        let Enumeration { solvers, arena, automaton, .. } = self;
        let path: Vec<&Transition> = edges
            .iter()
            .filter_map(|edge| solvers[edge.index()].as_ref().map(|solver| &solver.transition))
            .collect();
        let mut formula = PathFormula::new(arena, automaton, &path);
        for (index, &node) in nodes.iter().enumerate() {
            let state = arena.and(&self.nodes[node].literals);
            let state = formula.at(arena, automaton, index, state);
            formula.steps[index].push(state);
        }
        if let Some(execution) = formula.execution(arena, automaton, &path, self.budget)? {
            return Ok(Some(execution));
        }
        if let Precision::Chosen(chosen) = &self.precision {
            let needed = precision::needed(arena, automaton, &formula, chosen, self.budget)?;
            if self.precision.add(needed) {
                self.additions += 1;
                if self.additions > MOST_ADDITIONS {
                    return give_up("the variables to be tracked do not settle");
                }
                return Ok(None);
            }
        }
        self.refinements += 1;
        if self.refinements > MOST_REFINEMENTS {
            return give_up("classes of values do not settle");
        }
        let options = InterpolateOptions::default();
        let Some(found) = sequence_interpolants(arena, &formula.steps, &options, self.budget)? else {
            return give_up("a path of states that nothing excludes");
        };
        let back = |index| formula.back(arena, automaton, index, found[index]);
        let found: Vec<Term> = (0..nodes.len()).map(back).collect();
        if !self.cuts.of_terms(&self.arena, found) {
            return give_up("a path of states that no class excludes");
        }
        Ok(None)
    }

    fn count_solvers(&mut self) {
        for edge in self.solvers.iter().flatten() {
            add_solver(&mut self.counters, edge.solver.stats());
        }
    }

    fn counters(mut self) -> Counters {
        self.count_solvers();
        self.counters.insert("states", self.all_states);
        self.counters.insert("specialised edges", self.specialised);
        self.counters.insert("refinements", self.refinements);
        self.counters.insert("variables added", self.precision.count());
        self.counters.insert("lemmas", self.lemmas);
        self.counters.insert("terms", self.arena.len() as u64);
        self.counters
    }
}

/// Enumeration of abstract states as an engine.
pub(crate) struct Classes;

impl Engine for Classes {
    fn name(&self) -> &'static str {
        "classes"
    }

    fn method(&self) -> &'static str {
        "puts the values of a variable that the program does not tell apart into classes, and lists all combinations of \
         classes that executions come to"
    }

    fn settings(&self) -> &'static [Setting] {
        const SETTINGS: [Setting; 1] = [Setting {
            key: "least-arcs",
            kind: Kind::Number("a number of commands"),
            default: Some("300"),
            help: "programs with fewer commands are left to other engines",
        }];
        &SETTINGS
    }

    fn wants(&self, _: &Own<'_>) -> Wants {
        Wants::FewValues
    }

    fn run(&self, prepared: &Prepared, settings: &Own<'_>, context: &mut Context<'_>) -> (Outcome, Counters) {
        let core = settings.sat_core().unwrap_or_default();
        let edges = prepared.program.automaton.edges.iter();
        let arcs: usize = edges.map(|edge| edge.command.arcs().len()).sum();
        if settings.parsed("least-arcs").is_some_and(|least: usize| arcs < least) {
            let why = "the program is smaller than what states are enumerated of (`classes.least-arcs`)";
            return (Outcome::Unknown(Unknown::Inapplicable(why.to_owned())), Counters::new());
        }
        match Enumeration::new(&prepared.program, core, context.budget, context.observer) {
            Ok(mut run) => {
                let outcome = run.run().unwrap_or_else(Outcome::Unknown);
                (outcome, run.counters())
            }
            Err(why) => (Outcome::Unknown(why), Counters::new()),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Report, Settings, Silent, Unknown, Verdict, verify};
    use nilas_evidence::Evidence;
    use nilas_program::parse_program;
    use nilas_smt::Budget;

    fn report(text: &str) -> Report {
        let program = parse_program(text).expect("a program of this test");
        let engine = "classes".parse().expect("the engine");
        let settings = Settings::of(&["classes.least-arcs=0"]).expect("a setting of the engine");
        verify(&program, engine, &settings, &Budget::unlimited(), &mut Silent)
    }

    fn verdict(text: &str) -> Verdict {
        report(text).verdict
    }

    /// A machine of four states; `n` is kept within bounds that it is compared with.
    const MACHINE: &str = "var s, n, i : bv32 entry a error e location a, b, e \
         a -> b { s := 1; n := 100 } \
         b -> b { havoc i; assume s == 1 && i == 2; s := 2; n := n + 7 } \
         b -> b { havoc i; assume s == 2 && n <=s 150; s := 3; n := (n %s 20) + 140 } \
         b -> b { havoc i; assume s == 3; s := 1; n := 99 } \
         b -> b { assume s == 7; s := 8 } \
         b -> e { assume s == 8 } b -> e { assume s == 3 && n <=s 100 }";

    #[test]
    fn a_state_machine_is_enumerated() {
        assert!(matches!(verdict(MACHINE), Verdict::Safe(Evidence::Invariant(_))));
        let wrong = MACHINE.replace("n := 99", "n := 99; s := 7");
        assert!(matches!(verdict(&wrong), Verdict::Unsafe(Evidence::Execution(_))));
    }

    /// A machine of two states beside thirty switches that decide nothing: there are too many states of all,
    /// and few of what matters.
    #[test]
    fn what_does_not_matter_is_not_tracked() {
        let names: Vec<String> = (0..30).map(|number| format!("v{number}")).collect();
        let clear: String = names.iter().map(|name| format!("{name} := 0; ")).collect();
        let switch = |name: &String| {
            format!(
                "b -> b {{ assume {name} == 0; {name} := 1 }} b -> b {{ assume {name} == 1; {name} := 0 }} "
            )
        };
        let switches: String = names.iter().map(switch).collect();
        let text = format!(
            "var s, {} : bv8 entry a error e location a, b, e a -> b {{ s := 1; {clear} }} {switches} \
             b -> b {{ assume s == 1; s := 2 }} b -> b {{ assume s == 2; s := 1 }} b -> e {{ assume s == 3 }}",
            names.join(", ")
        );
        assert!(matches!(verdict(&text), Verdict::Safe(Evidence::Invariant(_))));
        let wrong = text.replace("s == 2; s := 1", "s == 2; s := 3");
        assert!(matches!(verdict(&wrong), Verdict::Unsafe(Evidence::Execution(_))));
    }

    /// A loop of many branches, of which a state takes one or two: each state leaves little of the edge.
    #[test]
    fn a_large_edge_is_specialised() {
        let branch = |state: usize| {
            let next = state % 40 + 1;
            format!(
                "b -> b {{ havoc i; assume s == {state} && i <=u 3 && n <=s 150; s := {next}; \
                 n := ((n * 9) /s 10) + {state} }} \
                 b -> b {{ assume s == {state} && 150 <s n; s := {}; n := (n %s 20) + {state} }} ",
                (state + 7) % 40 + 1
            )
        };
        let branches: String = (1..=40).map(branch).collect();
        let text = format!(
            "var s, n, i : bv16 entry a error e location a, b, e a -> b {{ s := 1; n := 100 }} {branches} \
             b -> e {{ assume s == 41 }} b -> e {{ assume n <=s -30 }}"
        );
        let report = report(&text);
        assert!(matches!(report.verdict, Verdict::Safe(Evidence::Invariant(_))));
        assert!(report.counters["specialised edges"] >= 40, "{:?}", report.counters);
        let wrong = text.replace("s == 41", "s == 23 && n <=s 150");
        assert!(matches!(verdict(&wrong), Verdict::Unsafe(Evidence::Execution(_))));
    }

    /// The program compares `x` with 9 alone; that it is even decides.
    #[test]
    fn what_classes_do_not_tell_is_unknown() {
        let text = "var x : bv8 entry a error e location a, b, e a -> b { x := 0 } \
             b -> b { x := x + 2 } b -> e { assume x == 9 }";
        assert!(matches!(verdict(text), Verdict::Unknown(Unknown::Inapplicable(_))));
    }

    /// The program never compares `y` with 3: an interpolant does.
    #[test]
    fn interpolants_cut_classes() {
        let text = "var x, y : bv8 entry a error e location a, b, c, e a -> b { x := 0; y := 3 } \
             b -> b { assume y <u 200; y := 3 } b -> c { x := y + 1 } c -> e { assume x == 9 }";
        assert!(matches!(verdict(text), Verdict::Safe(_)));
    }
}
