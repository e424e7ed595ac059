//! One edge as terms: what engines that go over edges one at a time ask about it.
//!
//! Next-state variables do not exist: a literal behind the edge is asked in the form of its weakest
//! precondition, the literal with each variable replaced by its value after the command (thesis 5.3, over the
//! merged encoding of all paths of the command). Preimages are under-approximated along the one path that a
//! model picks.

use crate::execution::sites;
use crate::project::{ModelOf, project};
use nilas_program::{ArcId, Automaton, EdgeId, Encoding, HavocSite, State, encode_within, split, wep};
use nilas_smt::{Budget, Interrupt, Reason, Solver};
use nilas_term::{Arena, Cube, Evaluator, Model, Op, Sort, Substitution, Term, Value};

/// One way over an edge.
pub(crate) struct Way {
    pub(crate) arcs: Vec<ArcId>,
    pub(crate) havocs: Vec<Value>,
    /// The values of all variables afterwards.
    pub(crate) after: Vec<(Term, Value)>,
}

/// One edge of a counterexample: with these inputs every state of the obligation's cube takes the edge, into
/// the next obligation's cube.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) edge: EdgeId,
    /// What all inputs of the edge's encoding are set to, as terms over the state before the edge.
    pub(crate) inputs: Vec<(Term, Term)>,
}

/// The relation of an edge.
pub(crate) struct Transition {
    pub(crate) edge: EdgeId,
    pub(crate) encoding: Encoding,
    /// From each variable that changes to its value behind the edge.
    pub(crate) next: Substitution,
    /// The conjuncts of the guard.
    pub(crate) assumed: Cube,
}

impl Transition {
    /// That of an edge.
    ///
    /// # Errors
    /// When the budget ends first.
    pub(crate) fn new(
        arena: &mut Arena,
        automaton: &Automaton,
        edge: EdgeId,
        budget: &Budget,
    ) -> Result<Self, Interrupt> {
        let condition = arena.mk_true();
        let command = &automaton.edge(edge).command;
        let start = State::initial(automaton);
        let encoding = encode_within(arena, automaton, command, &start, condition, budget)?;
        let mut next = Substitution::new();
        for variable in automaton.variable_ids() {
            let (before, after) = (automaton.variable(variable).term, encoding.next.get(variable));
            if before != after {
                next.insert(before, after);
            }
        }
        let assumed = match arena.op(encoding.guard) {
            Op::And => Cube::new(arena.children(encoding.guard).iter().copied()),
            _ => Cube::new([encoding.guard]),
        };
        Ok(Transition { edge, encoding, next, assumed })
    }

    /// A formula behind the edge as a condition before it.
    pub(crate) fn before(&mut self, arena: &mut Arena, formula: Term) -> Term {
        self.next.apply(arena, formula)
    }

    /// The literals of a cube at the target as conditions before the edge.
    pub(crate) fn preconditions(&mut self, arena: &mut Arena, cube: &Cube) -> Vec<Term> {
        cube.iter().map(|literal| self.next.apply(arena, literal)).collect()
    }

    /// After the solver has found a model: the states before the edge that reach `cube` the way the model
    /// does. A weakest existential precondition along the model's path, inputs at the model's values or, if
    /// `projecting`, set to terms over the state: an under-approximation of the preimage, all of it real.
    /// Also says how many inputs were set to terms.
    pub(crate) fn predecessor(
        &self,
        arena: &mut Arena,
        automaton: &Automaton,
        solver: &mut dyn Solver,
        cube: &Cube,
        projecting: bool,
    ) -> Result<(Step, Cube, u64), Reason> {
        let command = &automaton.edge(self.edge).command;
        let encoding = &self.encoding;
        let arcs = encoding.path(command, &mut |condition| holds(solver, arena, condition))?;
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
            holds(solver, arena, formula).unwrap_or_else(|reason| {
                failure = Some(reason);
                false
            })
        });
        if let Some(reason) = failure {
            return Err(reason);
        }
        if !projecting || met.is_empty() {
            return Ok((Step { edge: self.edge, inputs }, split, 0));
        }
        let mut model = SolverModel(solver);
        let projected = project(arena, split.literals().to_vec(), &met, &mut model)?;
        inputs.extend(projected.inputs);
        Ok((Step { edge: self.edge, inputs }, Cube::new(projected.literals), projected.terms))
    }

    /// After the solver has found a model: the values of the `havoc`s on its way over the edge. Arrays are
    /// left out: to read them takes long.
    pub(crate) fn inputs(
        &self,
        arena: &Arena,
        automaton: &Automaton,
        solver: &mut dyn Solver,
    ) -> Result<Vec<(HavocSite, Value)>, Reason> {
        let command = &automaton.edge(self.edge).command;
        let arcs = self.encoding.path(command, &mut |condition| holds(solver, arena, condition))?;
        let inputs = arcs.iter().filter_map(|&arc| self.encoding.havoc_input(arc));
        let scalars = sites(automaton, self.edge, &arcs)
            .zip(inputs)
            .filter(|&(_, input)| !matches!(arena.sort(input), Sort::Array(_)));
        scalars.map(|(site, input)| Ok((site, solver.value(arena, input)?))).collect()
    }

    /// Takes the edge from a state, inputs given: the arcs, the values of the `havoc`s among them, and the
    /// state after.
    pub(crate) fn execute(
        &self,
        arena: &Arena,
        automaton: &Automaton,
        state: &[(Term, Value)],
        inputs: &[(Term, Value)],
    ) -> Result<Way, Reason> {
        let mut model = Model::new();
        for (variable, value) in state.iter().chain(inputs) {
            model.set(*variable, value.clone());
        }
        let mut evaluator = Evaluator::new(model).with_defaults();
        let fails = |error: nilas_term::EvalError| Reason::Failed(error.to_string());
        let command = &automaton.edge(self.edge).command;
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
        Ok(Way { arcs, havocs, after })
    }

    /// After a model was found: the values of all variables behind the edge.
    pub(crate) fn state_after(
        &self,
        arena: &Arena,
        automaton: &Automaton,
        solver: &mut dyn Solver,
    ) -> Result<Vec<(Term, Value)>, Reason> {
        let value = |id| Ok((automaton.variable(id).term, solver.value(arena, self.encoding.next.get(id))?));
        automaton.variable_ids().map(value).collect()
    }
}

/// The model that a solver has.
pub(crate) struct SolverModel<'a>(pub(crate) &'a mut dyn Solver);

impl ModelOf for SolverModel<'_> {
    fn holds(&mut self, arena: &Arena, formula: Term) -> Result<bool, Reason> {
        holds(self.0, arena, formula)
    }

    fn constant(&mut self, arena: &mut Arena, variable: Term) -> Result<Term, Reason> {
        let value = self.0.value(arena, variable)?;
        Ok(arena.constant(value))
    }
}

/// After the solver has found a model: the values of all variables in it.
pub(crate) fn state(
    arena: &Arena,
    automaton: &Automaton,
    solver: &mut dyn Solver,
) -> Result<Vec<(Term, Value)>, Reason> {
    let variables = automaton.variables.iter();
    variables.map(|variable| Ok((variable.term, solver.value(arena, variable.term)?))).collect()
}

/// Whether a formula holds in the model that a solver has.
pub(crate) fn holds(solver: &mut dyn Solver, arena: &Arena, formula: Term) -> Result<bool, Reason> {
    let value = solver.value(arena, formula)?;
    value.as_bool().ok_or_else(|| Reason::Failed("a condition has no truth value".into()))
}
