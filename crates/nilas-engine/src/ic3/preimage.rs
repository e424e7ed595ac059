//! `APPROX-PREIMAGE` (§3): states that lead where the model does.
//!
//! After a model was found of what the step, or the bad formula, demands: its implicant under the model,
//! which speaks about one path; then what the step chooses is projected out ([`project`], exactly over the
//! reals, by a term or the model's value elsewhere); then lifting drops what the step does not need. All of
//! it is an under-approximation of the preimage, and all of it is real: with the choices that are returned
//! every state of the cube satisfies the goal.

use super::Ic3;
use super::implicant::implicant;
use super::instance::Choices;
use crate::lift::word_literals;
use crate::outcome::Unknown;
use crate::phase::Phase;
use crate::project::{ModelOf, project};
use crate::transition::SolverModel;
use nilas_program::ProgramCounter;
use nilas_term::{Cube, Sort, Substitution, Term};
use rustc_hash::FxHashSet;
use std::time::Instant;

impl Ic3<'_, '_> {
    /// The states, and what is chosen in them, from which the goals are met the way the frame solver's model
    /// does.
    pub(super) fn preimage(&mut self, goals: &[Term]) -> Result<(Cube, Choices), Unknown> {
        let start = Instant::now();
        let mut model = SolverModel(self.instance.solver.model());
        // The model's location and its Boolean choices are fixed first: of a relation that is merged over all
        // edges the one that is taken is left.
        let mut known = Substitution::new();
        let mut location = Vec::new();
        for &bit in self.instance.counter.map(ProgramCounter::bits).unwrap_or_default() {
            let value = model.constant(&mut self.arena, bit)?;
            known.insert(bit, value);
            location.push(self.arena.eq(bit, value));
        }
        let mut choices = Vec::new();
        for variable in self.arena.free_variables_of(goals) {
            if self.instance.is_choice.contains(&variable) && *self.arena.sort(variable) == Sort::Bool {
                let value = model.constant(&mut self.arena, variable)?;
                known.insert(variable, value);
                choices.push((variable, value));
            }
        }
        let goals: Vec<Term> = goals.iter().map(|&goal| known.apply(&mut self.arena, goal)).collect();
        let literals = implicant(&mut self.arena, &goals, &self.instance.is_choice, &mut model)?;
        let met: FxHashSet<Term> = self.arena.free_variables_of(literals.literals()).into_iter().collect();
        let projecting: Vec<Term> =
            self.instance.choices.iter().copied().filter(|choice| met.contains(choice)).collect();
        let projected = project(&mut self.arena, literals.literals().to_vec(), &projecting, &mut model)?;
        self.instance.projected += projected.terms;
        let mut inputs = projected.inputs;
        // What the path does not depend on may hold anything; the model's value makes lifting easier.
        for variable in self.arena.free_variables_of(&goals) {
            if self.instance.is_choice.contains(&variable) && !met.contains(&variable) {
                inputs.push((variable, model.constant(&mut self.arena, variable)?));
            }
        }
        let mut cube = Cube::new(projected.literals);
        if let Some(words) = word_literals(self.instance.solver.model(), &mut self.arena, &cube)? {
            cube = words;
        }
        let goal = self.arena.and(&goals);
        let part = self.instance.lifter.lift_to(&mut self.arena, goal, &inputs, &cube, self.budget)?;
        if let Some(part) = part {
            self.instance.lifted += (cube.len() - part.len()) as u64;
            cube = part;
        }
        choices.extend(inputs);
        let cube = cube.union(&Cube::new(location));
        self.statistics.times.spent(Phase::Lift, start);
        Ok((cube, choices))
    }
}
