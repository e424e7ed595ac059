//! The first states that reach each location, found by walking forwards with the edges' solvers.

use crate::analyses::houdini::{CONFLICTS, Houdini};
use crate::ic3cfa::Ic3Cfa;
use crate::outcome::Unknown;
use nilas_smt::{Answer, Budget, Interrupt, Reason};
use nilas_term::{Sort, Term, Value};

/// Values of all variables.
pub(crate) type Sample = Vec<(Term, Value)>;

/// How many states are kept for a location.
const KEPT: usize = 3;

impl Ic3Cfa<'_, '_> {
    /// Some states of each location that executions reach, as far as variables are live there; `None` if
    /// finding them costs more than it may.
    pub(super) fn live_samples(
        &mut self,
        houdini: &mut Houdini,
    ) -> Result<Option<Vec<Vec<Sample>>>, Unknown> {
        let Some(mut samples) = self.samples(houdini)? else { return Ok(None) };
        self.simulate(&mut samples);
        let variables = self.instance.map.automaton.variable_index();
        for (location, samples) in self.instance.map.automaton.location_ids().zip(&mut samples) {
            for sample in samples {
                sample.retain(|(term, _)| {
                    variables
                        .get(term)
                        .is_some_and(|&variable| self.instance.live.contains(location, variable))
                });
            }
        }
        Ok(Some(samples))
    }

    /// Some states of each location that executions reach. Values of arrays are not carried over from step to
    /// step, so a state behind one may not be reachable: these are only hints.
    fn samples(&mut self, houdini: &mut Houdini) -> Result<Option<Vec<Vec<Sample>>>, Unknown> {
        let automaton = self.instance.map.automaton;
        let mut samples: Vec<Vec<Sample>> = vec![Vec::new(); automaton.locations.len()];
        let mut queue = std::collections::VecDeque::from([(automaton.entry, None::<Sample>)]);
        while let Some((location, state)) = queue.pop_front() {
            if houdini.is_spent() {
                return Ok(None);
            }
            for edge in self.instance.map.outgoing[location.index()].clone() {
                let target = automaton.edge(edge).target;
                if !self.has_candidates(target) || samples[target.index()].len() >= KEPT {
                    continue;
                }
                self.statistics.relative_checks += 1;
                let budget = Budget { conflicts: Some(CONFLICTS), ..self.budget.clone() };
                let (edge_solver, arena) = self.solver(edge)?;
                let mut here: Vec<Term> = Vec::new();
                for (variable, value) in state.iter().flatten() {
                    if !matches!(arena.sort(*variable), Sort::Array(_)) {
                        let value = arena.constant(Value::clone(value));
                        here.push(arena.eq(*variable, value));
                    }
                }
                let solver = houdini.solver(arena, &edge_solver.transition);
                match solver.check(arena, &[], &here, &budget) {
                    Answer::Sat => {}
                    Answer::Unsat => continue,
                    Answer::Unknown(Reason::Interrupted(why)) if why != Interrupt::Conflicts => {
                        return Err(Unknown::Interrupted(why));
                    }
                    Answer::Unknown(_) => continue,
                }
                let mut sample = Sample::with_capacity(automaton.variables.len());
                for variable in automaton.variable_ids() {
                    let declared = automaton.variable(variable);
                    if matches!(declared.sort, Sort::Array(_)) {
                        continue;
                    }
                    let value = solver.value(arena, edge_solver.transition.encoding.next.get(variable))?;
                    sample.push((declared.term, value));
                }
                if !samples[target.index()].contains(&sample) {
                    samples[target.index()].push(sample.clone());
                    queue.push_back((target, Some(sample)));
                }
            }
        }
        Ok(Some(samples))
    }
}
