//! Instances whose places are the locations of an automaton and whose ways are its edges: what they share.

use super::instance::Instance;
use super::level::Level;
use super::{Found, Pdr};
use crate::observer::FramesAt;
use crate::outcome::{Outcome, Proof, Unknown, invariant};
use crate::relevant::Relevant;
use crate::sinks::Sinks;
use nilas_evidence::{Execution, Invariant};
use nilas_program::{Automaton, EdgeId, Graph, LocationId, State, encode};
use nilas_smt::{Answer, Embedded, Solver};
use nilas_term::{Substitution, Term};

/// How many lemmas of a location are told at the end.
const TOLD: usize = 32;

/// An instance with a place per location. The entry has no incoming edge and no lemma.
pub(crate) trait Local:
    Instance<Place = LocationId, Way = EdgeId, Target = EdgeId, Counterexample = Execution>
{
    fn sinks(&mut self) -> &mut Sinks;

    /// The frames of this level are an invariant: what else is said about it.
    fn proved(_pdr: &mut Pdr<'_, Self>, _level: Level, invariant: Invariant) -> Result<Invariant, Unknown> {
        Ok(invariant)
    }
}

/// How many edges each location is away from the entry, but no more than `longest`; `None` for sinks, and for
/// locations that do not matter.
pub(crate) fn distances(automaton: &Automaton, relevant: &Relevant, longest: u32) -> Vec<Option<Level>> {
    let distance = Graph::new(automaton).distances(automaton.entry);
    let matters = |id: &LocationId| !automaton.is_sink(*id) && relevant.contains(*id);
    let level = |id: LocationId| {
        let distance = Some(id).filter(matters).and_then(|id| distance[id.index()]);
        distance.map(|distance| Level(distance.min(longest)))
    };
    automaton.location_ids().map(level).collect()
}

impl<I: Local> Pdr<'_, I> {
    /// Searches until there is an answer.
    pub(crate) fn outcome(&mut self, automaton: &Automaton) -> Result<Outcome, Unknown> {
        loop {
            match self.prove()? {
                Found::Counterexample(edge, execution) => {
                    let sink = automaton.edge(edge).target;
                    if let Some(outcome) = self.instance.sinks().reached(automaton, sink, execution) {
                        return Ok(outcome);
                    }
                }
                Found::Fixpoint(level) => {
                    self.instance.sinks().none_was_reached(automaton)?;
                    return Ok(Outcome::Safe(Proof::Invariant(self.invariant(automaton, level)?)));
                }
            }
        }
    }

    /// The frame above a fixpoint, as evidence.
    fn invariant(&mut self, automaton: &Automaton, fixpoint: Level) -> Result<Invariant, Unknown> {
        let mut formulas = Vec::new();
        for location in automaton.location_ids().filter(|&location| !automaton.is_sink(location)) {
            let clauses: Vec<Term> =
                self.frames.frame(fixpoint.next(), location).map(|lemma| lemma.clause).collect();
            formulas.push((location, self.arena.and(&clauses)));
        }
        let found = invariant(&self.arena, formulas)?;
        I::proved(self, fixpoint.next(), found)
    }

    /// Tells the observer of all frames, the newest lemmas first.
    fn tell_frames(&mut self, automaton: &Automaton) {
        for location in automaton.location_ids() {
            let Some(first) = self.frames.first(location) else { continue };
            let lemmas = self.frames.lemmas(location).iter().rev();
            let lemmas = lemmas.map(|lemma| (lemma.clause, lemma.level.last())).collect();
            let frames = FramesAt { first: u64::from(first.0), lemmas, more: 0 };
            self.observer.frames(location, &self.arena, &frames);
        }
    }

    /// Tells the observer of the lemmas that were learnt last.
    pub(crate) fn tell_lemmas(&mut self, automaton: &Automaton) {
        for location in automaton.location_ids() {
            let lemmas = self.frames.lemmas(location);
            let last = &lemmas[lemmas.len().saturating_sub(TOLD)..];
            let clauses: Vec<Term> = last.iter().map(|lemma| lemma.clause).collect();
            if !clauses.is_empty() {
                self.observer.lemmas(location, &self.arena, &clauses);
            }
        }
        if self.observer.wants_frames() {
            self.tell_frames(automaton);
        }
    }

    /// An internal error if some invariant of the frames does not hold (Def. 4.2.2 of the IC3CFA thesis), to
    /// find bugs where they arise: the final check of the evidence would turn them into an *unknown* only.
    /// Frames are monotone by construction (delta encoding); what is asked here is that they are consecutive
    /// over every edge, that the frontier excludes the sinks, and that the entry has no lemma. Every question
    /// goes to a fresh solver.
    pub(crate) fn check_consecution(&mut self, automaton: &Automaton) -> Result<(), Unknown> {
        if self.frames.lemmas(automaton.entry).iter().next().is_some() {
            return Err(Unknown::Internal("the entry has a lemma".into()));
        }
        for location in automaton.location_ids() {
            for edge in self.instance.ways(location).to_vec() {
                for level in (0..self.level.0).map(Level) {
                    self.check_edge(automaton, edge, level)?;
                }
            }
        }
        Ok(())
    }

    /// The same for one edge, from one level.
    fn check_edge(&mut self, automaton: &Automaton, edge: EdgeId, level: Level) -> Result<(), Unknown> {
        let (source, target) = (automaton.edge(edge).source, automaton.edge(edge).target);
        if self.frames.is_empty_at(level, source) {
            return Ok(());
        }
        if !automaton.is_sink(target) && self.frames.is_empty_at(level.next(), target) {
            return Err(broken(automaton, level, edge));
        }
        let clauses: Vec<Term> = if automaton.is_sink(target) {
            if !self.instance.sinks().left().contains(&target) {
                return Ok(());
            }
            vec![self.arena.mk_false()]
        } else {
            self.frames.frame(level.next(), target).map(|lemma| lemma.clause).collect()
        };
        let before: Vec<Term> = self.frames.frame(level, source).map(|lemma| lemma.clause).collect();
        let condition = self.arena.mk_true();
        let start = State::initial(automaton);
        let encoding = encode(&mut self.arena, automaton, &automaton.edge(edge).command, &start, condition);
        let mut next = Substitution::new();
        for variable in automaton.variable_ids() {
            next.insert(automaton.variable(variable).term, encoding.next.get(variable));
        }
        for clause in clauses {
            let after = next.apply(&mut self.arena, clause);
            let violated = self.arena.not(after);
            let mut question = before.clone();
            question.extend([encoding.guard, violated]);
            let mut solver: Embedded = Embedded::default();
            match solver.check(&self.arena, &[], &question, self.budget) {
                Answer::Unsat => {}
                Answer::Sat => return Err(broken(automaton, level, edge)),
                Answer::Unknown(reason) => return Err(reason.into()),
            }
        }
        Ok(())
    }
}

fn broken(automaton: &Automaton, level: Level, edge: EdgeId) -> Unknown {
    let name = |location| &automaton.location(location).name;
    Unknown::Internal(format!(
        "frame {} at `{}` does not follow from frame {level} at `{}`",
        level.next(),
        name(automaton.edge(edge).target),
        name(automaton.edge(edge).source)
    ))
}
