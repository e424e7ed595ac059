//! A side covered by cubes that refute the other.

use super::Problem;
use crate::solver::Reason;
use nilas_term::{Arena, Cube, Term, Value};

impl Problem<'_, '_> {
    /// A disjunction of cubes over shared variables that contains the left side: as long as it has a model
    /// outside of all cubes, that model's shared part is generalised against the right side and added.
    pub(super) fn cover(&mut self, arena: &mut Arena, left: &[Term]) -> Result<Option<Term>, Reason> {
        let variables = self.shared_words(arena, left);
        let mut cubes: Vec<Term> = Vec::new();
        loop {
            match self.left.satisfiable(arena, &[], self.checks)? {
                Some(true) => {}
                Some(false) => return Ok(Some(arena.or(&cubes))),
                None => return Ok(None),
            }
            if cubes.len() >= self.options.cubes {
                return Ok(None);
            }
            let mut literals = Vec::new();
            for &variable in &variables {
                literals.push(match self.left.value(arena, variable)? {
                    Value::Bool(true) => variable,
                    Value::Bool(false) => arena.not(variable),
                    value => {
                        let constant = arena.constant(value);
                        arena.eq(variable, constant)
                    }
                });
            }
            // Should the right side allow it, the sides have a model together, or checks have run out.
            let Some(core) = self.right.core(arena, &literals, self.checks)? else { return Ok(None) };
            let cube = self.generalise(arena, Cube::new(core))?.to_term(arena);
            let outside = arena.not(cube);
            self.left.assert(arena, outside);
            cubes.push(cube);
        }
    }
}
