//! Checking the invariants of the frames, to find bugs where they arise (Def. 4.2.2).
//!
//! The final check of the evidence would turn such a bug into an *unknown* only. Frames are monotone by
//! construction (delta encoding); what is asked here is that they are consecutive over every edge, that the
//! frontier excludes the sinks, and that the entry has no lemma. Every question goes to a fresh solver.

use super::Ic3Cfa;
use crate::outcome::Unknown;
use crate::pdr::Level;
use nilas_program::{LocationId, State, encode};
use nilas_smt::{Answer, Embedded, Solver};
use nilas_term::{Substitution, Term};

impl Ic3Cfa<'_, '_> {
    /// An internal error if some invariant of the frames does not hold.
    pub(super) fn check_invariants(&mut self) -> Result<(), Unknown> {
        if self.frames.lemmas(self.instance.automaton.entry).iter().next().is_some() {
            return Err(Unknown::Internal("the entry has a lemma".into()));
        }
        for location in self.instance.automaton.location_ids() {
            for edge in self.instance.incoming[location.index()].clone() {
                for level in (0..self.level.0).map(Level) {
                    let source = self.instance.automaton.edge(edge).source;
                    if self.frames.is_empty_at(level, source) {
                        continue;
                    }
                    if !self.instance.automaton.is_sink(location)
                        && self.frames.is_empty_at(level.next(), location)
                    {
                        return Err(self.broken(level, source, location));
                    }
                    let clauses: Vec<Term> = if self.instance.automaton.is_sink(location) {
                        if !self.instance.sinks.left().contains(&location) {
                            continue;
                        }
                        vec![self.arena.mk_false()]
                    } else {
                        self.frames.frame(level.next(), location).map(|lemma| lemma.clause).collect()
                    };
                    let before: Vec<Term> =
                        self.frames.frame(level, source).map(|lemma| lemma.clause).collect();
                    let condition = self.arena.mk_true();
                    let command = &self.instance.automaton.edge(edge).command;
                    let start = State::initial(self.instance.automaton);
                    let encoding =
                        encode(&mut self.arena, self.instance.automaton, command, &start, condition);
                    let mut next = Substitution::new();
                    for variable in self.instance.automaton.variable_ids() {
                        next.insert(
                            self.instance.automaton.variable(variable).term,
                            encoding.next.get(variable),
                        );
                    }
                    for clause in clauses {
                        let after = next.apply(&mut self.arena, clause);
                        let violated = self.arena.not(after);
                        let mut question = before.clone();
                        question.extend([encoding.guard, violated]);
                        let mut solver: Embedded = Embedded::default();
                        match solver.check(&self.arena, &[], &question, self.budget) {
                            Answer::Unsat => {}
                            Answer::Sat => return Err(self.broken(level, source, location)),
                            Answer::Unknown(reason) => return Err(reason.into()),
                        }
                    }
                }
            }
        }
        Ok(())
    }

    fn broken(&self, level: Level, source: LocationId, target: LocationId) -> Unknown {
        let name = |location| &self.instance.automaton.location(location).name;
        Unknown::Internal(format!(
            "frame {} at `{}` does not follow from frame {level} at `{}`",
            level.next(),
            name(target),
            name(source)
        ))
    }
}
