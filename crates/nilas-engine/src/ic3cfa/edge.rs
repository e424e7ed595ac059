//! One edge with its solver: everything an IC3CFA engine asks is asked here.
//!
//! The solver of edge `e = (l, cmd, l')` holds the guard of `cmd` for ever and the lemmas of `l` under one activation
//! per level. Next-state variables do not exist: a literal of a cube at `l'` is asked in the form of its
//! weakest precondition, the literal with each variable replaced by its value after `cmd` (`relIndAlt`, thesis
//! 5.3, over the merged encoding of all paths of the command).

use super::context::Contexts;
use super::level::Level;
use super::obligation::Step;
use crate::project::{ModelOf, project};
use nilas_program::{ArcId, Automaton, EdgeId, Encoding, State, encode, split, wep};
use nilas_smt::{Activation, Answer, Budget, Reason, Solver, SolverStats};
use nilas_term::{Arena, Cube, Evaluator, Model, Op, Substitution, Term, Value};

/// Is a cube reachable over the edge?
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reachability {
    /// Not from the frame asked about.
    Blocked {
        /// Literals of the cube that suffice to see it.
        core: Cube,
        /// Over a self-loop: whether the cube's states had to be left out for that.
        outside: bool,
    },
    /// From some state: the solver has a model.
    Reachable,
}

/// One way over an edge.
pub(crate) struct Execution {
    pub(crate) arcs: Vec<ArcId>,
    pub(crate) havocs: Vec<Value>,
    /// The values of all variables afterwards.
    pub(crate) after: Vec<(Term, Value)>,
}

/// An edge and its long-lived solver.
pub(crate) struct EdgeSolver {
    pub(super) id: EdgeId,
    pub(super) is_loop: bool,
    pub(super) encoding: Encoding,
    next: Substitution,
    /// The conjuncts of the guard.
    pub(super) assumed: Cube,
    /// What is known without asking.
    pub(super) contexts: Contexts,
    pub(super) solver: Box<dyn Solver>,
    /// Knows neither guard nor frames: is asked what implies that a step can be taken.
    pub(super) lifter: Box<dyn Solver>,
    /// How often lifting has failed in a row, and has not been tried since.
    pub(super) lift_failures: u64,
    pub(super) lift_skipped: u64,
    levels: Vec<Activation>,
    /// The temporary clause of the last question. It goes before the next one, not sooner: the model may still be read.
    temporary: Option<Activation>,
}

impl EdgeSolver {
    /// An edge with two solvers that have nothing asserted yet: for questions about frames, and for lifting.
    pub(crate) fn new(
        arena: &mut Arena,
        automaton: &Automaton,
        id: EdgeId,
        [mut solver, lifter]: [Box<dyn Solver>; 2],
    ) -> Self {
        let edge = automaton.edge(id);
        let condition = arena.mk_true();
        let encoding = encode(arena, automaton, &edge.command, &State::initial(automaton), condition);
        let mut next = Substitution::new();
        for variable in automaton.variable_ids() {
            let (before, after) = (automaton.variable(variable).term, encoding.next.get(variable));
            if before != after {
                next.insert(before, after);
            }
        }
        solver.assert(arena, encoding.guard);
        let is_loop = edge.source == edge.target;
        let assumed = match arena.op(encoding.guard) {
            Op::And => Cube::new(arena.children(encoding.guard).iter().copied()),
            _ => Cube::new([encoding.guard]),
        };
        EdgeSolver {
            id,
            is_loop,
            encoding,
            next,
            assumed,
            contexts: Contexts::default(),
            solver,
            lifter,
            lift_failures: 0,
            lift_skipped: 0,
            levels: Vec::new(),
            temporary: None,
        }
    }

    /// Adds a lemma of the source location at a level.
    pub(crate) fn add_lemma(&mut self, arena: &Arena, level: Level, clause: Term) {
        if level == Level::INFINITE {
            // In force whatever is asked, also after the solver has forgotten its activations.
            self.solver.assert(arena, clause);
            return;
        }
        let activation = self.activation(level);
        self.solver.assert_under(arena, activation, clause);
    }

    fn activation(&mut self, level: Level) -> Activation {
        while self.levels.len() <= level.index() {
            self.levels.push(self.solver.activation());
        }
        self.levels[level.index()]
    }

    /// The activations of all lemmas in the frame `level`.
    fn frame(&mut self, level: Level) -> Vec<Activation> {
        self.activation(level);
        self.levels[level.index()..].to_vec()
    }

    fn drop_temporary(&mut self) {
        if let Some(activation) = self.temporary.take() {
            self.solver.retire(activation);
        }
    }

    /// Can the edge be taken at all from the frame `level` of its source?
    pub(crate) fn feasible(&mut self, arena: &Arena, level: Level, budget: &Budget) -> Result<bool, Reason> {
        self.drop_temporary();
        let frame = self.frame(level);
        match self.solver.check(arena, &frame, &[], budget) {
            Answer::Sat => Ok(true),
            Answer::Unsat => Ok(false),
            Answer::Unknown(reason) => Err(reason),
        }
    }

    /// The literals of a cube at the target as conditions before the edge.
    pub(super) fn preconditions(&mut self, arena: &mut Arena, cube: &Cube) -> Vec<Term> {
        cube.iter().map(|literal| self.next.apply(arena, literal)).collect()
    }

    /// Edge-relative inductiveness (Def. 4.2.1): are the literals `asked` at the target, which are `preconditions` before the
    /// edge, reachable together from the frame `level` of the source? For a self-loop the question is asked of states outside
    /// of the cube `outside`.
    pub(crate) fn reachable(
        &mut self,
        arena: &mut Arena,
        level: Level,
        outside: &Cube,
        asked: &Cube,
        preconditions: &[Term],
        budget: &Budget,
    ) -> Result<Reachability, Reason> {
        self.drop_temporary();
        let mut activations = self.frame(level);
        if self.is_loop {
            let clause = outside.negation(arena);
            let activation = self.solver.activation();
            self.solver.assert_under(arena, activation, clause);
            activations.push(activation);
            self.temporary = Some(activation);
        }
        match self.solver.check(arena, &activations, preconditions, budget) {
            Answer::Sat => Ok(Reachability::Reachable),
            Answer::Unsat => {
                let failed = self.solver.failed();
                let core = asked.iter().zip(preconditions).filter(|(_, before)| failed.contains(before));
                let core = Cube::new(core.map(|(literal, _)| literal));
                let outside =
                    self.temporary.is_some_and(|outside| self.solver.failed_activations().contains(&outside));
                Ok(Reachability::Blocked { core, outside })
            }
            Answer::Unknown(reason) => Err(reason),
        }
    }

    /// After a model was found: the states before the edge that reach `cube` the way the model does. A
    /// weakest existential precondition along the model's path, inputs at the model's values or, if `projecting`, set to terms over the
    /// state: an under-approximation of the preimage, all of it real. Also says how many inputs were set to terms.
    pub(crate) fn predecessor(
        &mut self,
        arena: &mut Arena,
        automaton: &Automaton,
        cube: &Cube,
        projecting: bool,
    ) -> Result<(Step, Cube, u64), Reason> {
        let command = &automaton.edge(self.id).command;
        let Self { encoding, solver, .. } = self;
        let arcs = encoding.path(command, &mut |condition| holds(&mut **solver, arena, condition))?;
        // In the order in which the path meets them.
        let met: Vec<Term> = arcs.iter().filter_map(|&arc| encoding.havoc_input(arc)).collect();
        let mut inputs = Vec::with_capacity(encoding.inputs.len());
        for input in &encoding.inputs {
            if !(projecting && met.contains(&input.variable)) {
                let value = solver.value(arena, input.variable)?;
                inputs.push((input.variable, arena.constant(value)));
            }
        }
        let mut value = |_: &mut Arena, arc: ArcId| {
            let input = encoding.havoc_input(arc);
            let known = inputs.iter().find(|(variable, _)| Some(*variable) == input);
            known.map(|(_, value)| *value).or(input).expect("every `havoc` of the command has an input")
        };
        let formulas = wep(arena, automaton, command, &arcs, &mut value, cube);
        let mut failure = None;
        let split = split(arena, &formulas, &mut |arena, formula| {
            holds(&mut **solver, arena, formula).unwrap_or_else(|reason| {
                failure = Some(reason);
                false
            })
        });
        if let Some(reason) = failure {
            return Err(reason);
        }
        if !projecting || met.is_empty() {
            return Ok((Step { edge: self.id, inputs }, split, 0));
        }
        let mut model = SolverModel(&mut **solver);
        let projected = project(arena, split.literals().to_vec(), &met, &mut model)?;
        inputs.extend(projected.inputs);
        Ok((Step { edge: self.id, inputs }, Cube::new(projected.literals), projected.terms))
    }

    /// Takes the edge from a state, inputs given: the arcs, the values of the `havoc`s among them, and the state after.
    pub(crate) fn execute(
        &self,
        arena: &Arena,
        automaton: &Automaton,
        state: &[(Term, Value)],
        inputs: &[(Term, Value)],
    ) -> Result<Execution, Reason> {
        let mut model = Model::new();
        for (variable, value) in state.iter().chain(inputs) {
            model.set(*variable, value.clone());
        }
        let mut evaluator = Evaluator::new(model).with_defaults();
        let fails = |error: nilas_term::EvalError| Reason::Failed(error.to_string());
        let command = &automaton.edge(self.id).command;
        let arcs =
            self.encoding.path(command, &mut |condition| evaluator.holds(arena, condition).map_err(fails))?;
        let mut havocs = Vec::new();
        for &arc in &arcs {
            if let Some(input) = self.encoding.havoc_input(arc) {
                havocs.push(evaluator.eval(arena, input).map_err(fails)?);
            }
        }
        let mut after = Vec::with_capacity(state.len());
        for variable in automaton.variable_ids() {
            let value = evaluator.eval(arena, self.encoding.next.get(variable)).map_err(fails)?;
            after.push((automaton.variable(variable).term, value));
        }
        Ok(Execution { arcs, havocs, after })
    }

    /// After a model was found: the values of all variables before the edge.
    pub(crate) fn state(
        &mut self,
        arena: &Arena,
        automaton: &Automaton,
    ) -> Result<Vec<(Term, Value)>, Reason> {
        let variables = automaton.variables.iter();
        variables.map(|variable| Ok((variable.term, self.solver.value(arena, variable.term)?))).collect()
    }

    /// After a model was found: the values of all variables behind the edge.
    pub(crate) fn state_after(
        &mut self,
        arena: &Arena,
        automaton: &Automaton,
    ) -> Result<Vec<(Term, Value)>, Reason> {
        let Self { encoding, solver, .. } = self;
        let value = |id| Ok((automaton.variable(id).term, solver.value(arena, encoding.next.get(id))?));
        automaton.variable_ids().map(value).collect()
    }

    /// Counters of its solvers.
    pub(crate) fn stats(&self) -> impl Iterator<Item = SolverStats> + use<> {
        [self.solver.stats(), self.lifter.stats()].into_iter()
    }
}

/// The model that a solver has.
struct SolverModel<'a>(&'a mut dyn Solver);

impl ModelOf for SolverModel<'_> {
    fn holds(&mut self, arena: &Arena, formula: Term) -> Result<bool, Reason> {
        holds(self.0, arena, formula)
    }

    fn constant(&mut self, arena: &mut Arena, variable: Term) -> Result<Term, Reason> {
        let value = self.0.value(arena, variable)?;
        Ok(arena.constant(value))
    }
}

pub(super) fn holds(solver: &mut dyn Solver, arena: &Arena, formula: Term) -> Result<bool, Reason> {
    let value = solver.value(arena, formula)?;
    value.as_bool().ok_or_else(|| Reason::Failed("a condition has no truth value".into()))
}
