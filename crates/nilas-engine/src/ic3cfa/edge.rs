//! One edge with its solver: everything an IC3CFA engine asks is asked here.
//!
//! The solver of edge `e = (l, cmd, l')` holds the guard of `cmd` for ever and the lemmas of `l` under one activation
//! per level. Next-state variables do not exist: a literal of a cube at `l'` is asked in the form of its
//! weakest precondition, the literal with each variable replaced by its value after `cmd` (`relIndAlt`, thesis
//! 5.3, over the merged encoding of all paths of the command).

use super::level::Level;
use super::obligation::Step;
use nilas_program::{ArcId, Automaton, EdgeId, Encoding, State, encode, split, wep};
use nilas_smt::{Activation, Answer, Budget, Reason, Solver, SolverStats};
use nilas_term::{Arena, Cube, Substitution, Term, Value};
use std::collections::BTreeMap;

/// Is a cube reachable over the edge?
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reachability {
    /// Not from the frame asked about; these literals of the cube suffice to see it.
    Blocked(Cube),
    /// From some state: the solver has a model.
    Reachable,
}

/// An edge and its long-lived solver.
pub(crate) struct EdgeSolver {
    id: EdgeId,
    is_loop: bool,
    encoding: Encoding,
    next: Substitution,
    solver: Box<dyn Solver>,
    levels: Vec<Activation>,
    /// The temporary clause of the last question. It goes before the next one, not sooner: the model may still be read.
    temporary: Option<Activation>,
}

impl EdgeSolver {
    /// An edge with a solver that has nothing asserted yet.
    pub(crate) fn new(
        arena: &mut Arena,
        automaton: &Automaton,
        id: EdgeId,
        mut solver: Box<dyn Solver>,
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
        EdgeSolver { id, is_loop, encoding, next, solver, levels: Vec::new(), temporary: None }
    }

    /// Adds a lemma of the source location at a level.
    pub(crate) fn add_lemma(&mut self, arena: &Arena, level: Level, clause: Term) {
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

    /// Edge-relative inductiveness (Def. 4.2.1): is the cube at the target reachable from the frame `level` of the
    /// source? For a self-loop the question is asked of states outside of the cube.
    pub(crate) fn reachable(
        &mut self,
        arena: &mut Arena,
        level: Level,
        cube: &Cube,
        budget: &Budget,
    ) -> Result<Reachability, Reason> {
        self.drop_temporary();
        let primed: Vec<Term> = cube.iter().map(|literal| self.next.apply(arena, literal)).collect();
        let mut activations = self.frame(level);
        if self.is_loop {
            let outside = self.solver.activation();
            let clause = cube.negation(arena);
            self.solver.assert_under(arena, outside, clause);
            activations.push(outside);
            self.temporary = Some(outside);
        }
        match self.solver.check(arena, &activations, &primed, budget) {
            Answer::Sat => Ok(Reachability::Reachable),
            Answer::Unsat => {
                let failed = self.solver.failed();
                let core = cube.iter().zip(&primed).filter(|(_, primed)| failed.contains(primed));
                Ok(Reachability::Blocked(Cube::new(core.map(|(literal, _)| literal))))
            }
            Answer::Unknown(reason) => Err(reason),
        }
    }

    /// After a model was found: the states before the edge that reach `cube` the way the model does. A
    /// weakest existential precondition along the model's path, `havoc`s at the model's values: an
    /// under-approximation of the preimage, all of it real.
    pub(crate) fn predecessor(
        &mut self,
        arena: &mut Arena,
        automaton: &Automaton,
        cube: &Cube,
    ) -> Result<(Step, Cube), Reason> {
        let command = &automaton.edge(self.id).command;
        let Self { encoding, solver, .. } = self;
        let arcs = encoding.path(command, &mut |condition| holds(&mut **solver, arena, condition))?;
        let mut values: BTreeMap<ArcId, Value> = BTreeMap::new();
        for &arc in &arcs {
            if let Some(input) = encoding.havoc_input(arc) {
                values.insert(arc, solver.value(arena, input)?);
            }
        }
        let mut failure = None;
        let mut value = |arc: ArcId| values[&arc].clone();
        let formulas = wep(arena, automaton, command, &arcs, &mut value, cube);
        let predecessor = split(arena, &formulas, &mut |arena, formula| {
            holds(&mut **solver, arena, formula).unwrap_or_else(|reason| {
                failure = Some(reason);
                false
            })
        });
        if let Some(reason) = failure {
            return Err(reason);
        }
        let havocs = arcs.iter().filter_map(|arc| values.get(arc).cloned()).collect();
        Ok((Step { edge: self.id, arcs, havocs }, predecessor))
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

    pub(crate) fn stats(&self) -> SolverStats {
        self.solver.stats()
    }
}

fn holds(solver: &mut dyn Solver, arena: &Arena, formula: Term) -> Result<bool, Reason> {
    let value = solver.value(arena, formula)?;
    value.as_bool().ok_or_else(|| Reason::Failed("a condition has no truth value".into()))
}
