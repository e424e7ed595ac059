//! Inductive generalisation: a cube that the given one implies, still relative inductive and without initial
//! states.
//!
//! Literals are dropped, halves first, each question also by its core; those that stay are weakened. Literals
//! about the program counter come last: a lemma about fewer variables is worth more than one about more
//! locations.

use super::Ic3;
use super::block::Purpose;
use crate::landmarks::{constants_of, preferring};
use crate::level::Level;
use crate::outcome::Unknown;
use crate::phase::Phase;
use nilas_program::TransitionSystem;
use nilas_smt::weaken::Weakener;
use nilas_term::{Arena, Cube, Term};
use std::time::Instant;

/// Cubes with more literals than this are halved first.
const HALVE_ABOVE: usize = 4;

/// A weakener that prefers the system's constants as bounds.
pub(super) fn weakener(arena: &Arena, system: &TransitionSystem) -> Weakener {
    let mut terms = vec![system.initial, system.constraint, system.bad];
    terms.extend(system.variables.iter().filter_map(|variable| variable.update));
    preferring(constants_of(arena, terms))
}

impl Ic3<'_> {
    /// Generalises `cube`. `core` is a part of it that is relative inductive, found on the way.
    pub(super) fn generalise(&mut self, level: Level, cube: &Cube, core: &Cube) -> Result<Cube, Unknown> {
        self.statistics.literals_before += cube.len() as u64;
        let start = Instant::now();
        let dropped = self.drop_literals(level, core)?;
        self.statistics.times.spent(Phase::Generalise, start);
        let start = Instant::now();
        let weakened = self.weaken(level, dropped)?;
        self.statistics.times.spent(Phase::Weaken, start);
        self.statistics.literals_after += weakened.len() as u64;
        Ok(weakened)
    }

    /// Tries to drop pieces of the cube: halves, then halves of halves, down to single literals.
    fn drop_literals(&mut self, level: Level, cube: &Cube) -> Result<Cube, Unknown> {
        let mut literals = cube.literals().to_vec();
        literals.sort_by_key(|&literal| self.is_about_counter(literal));
        let mut result = cube.clone();
        let mut pieces: Vec<Vec<Term>> = if literals.len() > HALVE_ABOVE {
            vec![literals]
        } else {
            literals.into_iter().rev().map(|literal| vec![literal]).collect()
        };
        while let Some(piece) = pieces.pop() {
            let piece: Vec<Term> = piece.into_iter().filter(|&literal| result.contains(literal)).collect();
            if piece.is_empty() {
                continue;
            }
            let rest = result.difference(&Cube::new(piece.iter().copied()));
            if let Some(core) = self.down(level, &rest)? {
                result = core;
            } else if piece.len() > 1 {
                let (left, right) = piece.split_at(piece.len() / 2);
                pieces.push(right.to_vec());
                pieces.push(left.to_vec());
            }
        }
        Ok(result)
    }

    /// A part of the cube that can be blocked, if it can.
    fn down(&mut self, level: Level, cube: &Cube) -> Result<Option<Cube>, Unknown> {
        if self.initial.excludes(&mut self.arena, cube, self.budget)?.is_none() {
            return Ok(None);
        }
        self.relative_inductive(level, cube, Purpose::Truth)
    }

    fn is_about_counter(&self, literal: Term) -> bool {
        let atom = match self.arena.children(literal) {
            [child] => *child,
            _ => literal,
        };
        self.counter.is_some_and(|counter| counter.bits().contains(&atom))
    }

    /// Weakens the literals of a cube one by one; each weaker cube is asked about.
    fn weaken(&mut self, level: Level, mut cube: Cube) -> Result<Cube, Unknown> {
        let mut weakener = std::mem::take(&mut self.weakener);
        let mut arena = std::mem::take(&mut self.arena);
        // The weakener makes terms and asks in turn, so the arena goes back and forth.
        let asked = weakener.weaken(&mut arena, &mut cube, &mut |arena, cube| {
            std::mem::swap(arena, &mut self.arena);
            let answer = self.down(level, cube);
            std::mem::swap(arena, &mut self.arena);
            Ok(answer?.is_some())
        });
        self.arena = arena;
        self.weakener = weakener;
        asked?;
        Ok(cube)
    }
}
