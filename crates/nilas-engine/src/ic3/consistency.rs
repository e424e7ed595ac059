//! Checking what frames promise, to find bugs where they arise. Every question goes to a fresh solver.

use super::Ic3;
use crate::outcome::Unknown;
use crate::pdr::{Level, Whole};
use nilas_smt::Answer;
use nilas_term::Term;

impl Ic3<'_, '_> {
    /// An internal error unless the initial states satisfy every lemma, frames up to the frontier are
    /// consecutive, and the frontier has no bad state. Frames are monotone by construction.
    pub(super) fn check_invariants(&mut self) -> Result<(), Unknown> {
        let lemmas: Vec<(Level, Term)> =
            self.frames.lemmas(Whole).iter().map(|lemma| (lemma.level, lemma.clause)).collect();
        for &(_, clause) in &lemmas {
            let excluded = self.arena.not(clause);
            self.refute(&[self.instance.system.initial, excluded], "a lemma excludes initial states")?;
        }
        for level in (0..self.level.0).map(Level) {
            let mut frame: Vec<Term> = self.frames.frame(level, Whole).map(|lemma| lemma.clause).collect();
            if level == Level(0) {
                frame.push(self.instance.system.initial);
            }
            frame.push(self.instance.system.constraint);
            for &(_, clause) in lemmas.iter().filter(|(highest, _)| *highest > level) {
                let after = self.instance.step.apply(&mut self.arena, clause);
                let mut question = frame.clone();
                question.push(self.arena.not(after));
                self.refute(&question, "a frame does not follow from the one below")?;
            }
        }
        let mut frontier: Vec<Term> =
            self.frames.frame(self.level, Whole).map(|lemma| lemma.clause).collect();
        if self.level == Level(0) {
            frontier.push(self.instance.system.initial);
        }
        frontier.push(self.instance.bad);
        self.refute(&frontier, "the frontier has bad states")
    }

    fn refute(&mut self, question: &[Term], wrong: &str) -> Result<(), Unknown> {
        match self.instance.solvers.make().check(&self.arena, &[], question, self.budget) {
            Answer::Unsat => Ok(()),
            Answer::Sat => Err(Unknown::Internal(wrong.to_owned())),
            Answer::Unknown(reason) => Err(reason.into()),
        }
    }
}
