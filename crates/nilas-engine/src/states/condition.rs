//! Conditions, compiled: which of their answers are possible for a vector of classes.
//!
//! A comparison of a variable with a constant has one answer for all values of a class, or both if the class
//! is not cut there, so it is a table.
//! What is compared otherwise is asked of a solver, once for each combination of classes of its variables.

use super::UNKNOWN;
use super::solving::Question;
use super::tracked::Tracked;
use crate::classes::cuts::Cuts;
use crate::outcome::Unknown;
use nilas_program::Automaton;
use nilas_term::{Arena, Op, Term};
use rustc_hash::{FxHashMap, FxHashSet};

/// Answers that are possible: one bit for *false*, one for *true*.
pub(super) type Truth = u8;
pub(super) const FALSE: Truth = 1;
pub(super) const TRUE: Truth = 2;
const BOTH: Truth = FALSE | TRUE;

/// A condition with more parts than this is asked as a whole.
const LARGEST: usize = 4_000;
/// The most combinations of classes that a condition splits a vector into.
const MOST_SPLIT: usize = 256;

enum Instruction {
    Known(Truth),
    /// The answer for each class of a variable, by its place in vectors.
    Test(usize, Vec<Truth>),
    /// Something else, by its number.
    Open(usize),
    Not,
    And(usize),
    Or(usize),
}

/// What no table answers.
struct Open {
    term: Term,
    /// The places that say something about it.
    places: Vec<usize>,
    known: FxHashMap<Vec<u16>, Truth>,
}

impl Open {
    fn new(arena: &Arena, tracked: &Tracked, term: Term) -> Self {
        Open { term, places: tracked.places_in(arena, term), known: FxHashMap::default() }
    }

    /// The answers that are possible.
    fn answers(&mut self, vector: &[u16], question: &mut Question<'_>) -> Result<Truth, Unknown> {
        let key: Vec<u16> = self.places.iter().map(|&place| vector[place]).collect();
        if let Some(&answer) = self.known.get(&key) {
            return Ok(answer);
        }
        let answer = question.truth(self.term, &self.places, vector)?;
        self.known.insert(key, answer);
        Ok(answer)
    }
}

/// A compiled condition: instructions in the order of a stack machine.
#[derive(Default)]
pub(super) struct Condition {
    code: Vec<Instruction>,
    open: Vec<Open>,
    /// The condition as a whole, if parts of it that no table answers are about the same variables.
    whole: Option<Open>,
    /// The atoms among the tests, by their places.
    atoms: Vec<(usize, Open)>,
}

impl Condition {
    /// Compiles a Boolean term.
    pub(super) fn new(
        arena: &mut Arena,
        automaton: &Automaton,
        cuts: &Cuts,
        tracked: &Tracked,
        term: Term,
    ) -> Self {
        let mut condition = Condition::default();
        if !condition.compile(arena, automaton, cuts, tracked, term) {
            condition = Condition::default();
            condition.open(arena, tracked, term);
        } else if share(arena, condition.open.iter().map(|open| open.term)) {
            condition.whole = Some(Open::new(arena, tracked, term));
        }
        condition
    }

    /// Whether the condition is small enough.
    fn compile(
        &mut self,
        arena: &mut Arena,
        automaton: &Automaton,
        cuts: &Cuts,
        tracked: &Tracked,
        term: Term,
    ) -> bool {
        let mut stack = vec![(term, false)];
        while let Some((term, is_done)) = stack.pop() {
            if self.code.len() > LARGEST {
                return false;
            }
            let children = arena.children(term).to_vec();
            match arena.op(term) {
                Op::Not | Op::And | Op::Or if !is_done => {
                    stack.push((term, true));
                    stack.extend(children.into_iter().map(|child| (child, false)));
                }
                Op::Not => self.code.push(Instruction::Not),
                Op::And => self.code.push(Instruction::And(children.len())),
                Op::Or => self.code.push(Instruction::Or(children.len())),
                _ => match arena.as_bool(term) {
                    Some(answer) => self.code.push(Instruction::Known(if answer { TRUE } else { FALSE })),
                    None => match table(arena, automaton, cuts, tracked, term) {
                        Some((place, answers)) => {
                            if tracked.atom(term).is_some() {
                                self.atoms.push((place, Open::new(arena, tracked, term)));
                            }
                            self.code.push(Instruction::Test(place, answers));
                        }
                        None => self.open(arena, tracked, term),
                    },
                },
            }
        }
        true
    }

    fn open(&mut self, arena: &Arena, tracked: &Tracked, term: Term) {
        self.code.push(Instruction::Open(self.open.len()));
        self.open.push(Open::new(arena, tracked, term));
    }

    /// The vector with a class for each compared place that has none, one for each combination; the vector
    /// itself where all get classes at once, and where combinations are many.
    pub(super) fn split(
        &mut self,
        vector: Vec<u16>,
        question: &mut Question<'_>,
    ) -> Result<Vec<Vec<u16>>, Unknown> {
        if question.late.is_none() {
            return Ok(vec![vector]);
        }
        let mut vectors = vec![vector];
        for instruction in &self.code {
            let Instruction::Test(place, answers) = instruction else { continue };
            if vectors[0][*place] != UNKNOWN || vectors.len() * answers.len() > MOST_SPLIT {
                continue;
            }
            let with = |vector: &Vec<u16>, class: usize| {
                let mut vector = vector.clone();
                vector[*place] = u16::try_from(class).unwrap_or(UNKNOWN);
                vector
            };
            vectors = vectors
                .iter()
                .flat_map(|vector| (0..answers.len()).map(move |class| with(vector, class)))
                .collect();
            // What is known of its variables may decide an atom.
            if let Some((_, open)) = self.atoms.iter_mut().find(|(atom, _)| atom == place) {
                let mut possible = Vec::with_capacity(vectors.len());
                for vector in vectors {
                    let answer = answers[usize::from(vector[*place])];
                    let mut before = vector.clone();
                    before[*place] = UNKNOWN;
                    if open.answers(&before, question)? & answer != 0 {
                        possible.push(vector);
                    }
                }
                vectors = possible;
                if vectors.is_empty() {
                    break;
                }
            }
        }
        Ok(vectors)
    }

    /// The answers that are possible where variables have these classes.
    pub(super) fn answers(
        &mut self,
        vector: &[u16],
        question: &mut Question<'_>,
        stack: &mut Vec<Truth>,
    ) -> Result<Truth, Unknown> {
        stack.clear();
        for instruction in &self.code {
            let answer = match instruction {
                Instruction::Known(answer) => *answer,
                Instruction::Test(place, answers) => match vector[*place] {
                    UNKNOWN => BOTH,
                    class => answers[usize::from(class)],
                },
                Instruction::Open(number) => self.open[*number].answers(vector, question)?,
                Instruction::Not => {
                    let inner = stack.pop().unwrap_or(BOTH);
                    ((inner & FALSE) << 1) | ((inner & TRUE) >> 1)
                }
                // All can be true together, as far as is known; one that can be false is enough.
                Instruction::And(count) => {
                    let parts = stack.split_off(stack.len().saturating_sub(*count));
                    let (every, some) = parts.iter().fold((BOTH, 0), |(all, any), it| (all & it, any | it));
                    (every & TRUE) | (some & FALSE)
                }
                Instruction::Or(count) => {
                    let parts = stack.split_off(stack.len().saturating_sub(*count));
                    let (every, some) = parts.iter().fold((BOTH, 0), |(all, any), it| (all & it, any | it));
                    (every & FALSE) | (some & TRUE)
                }
            };
            stack.push(answer);
        }
        let answer = stack.pop().unwrap_or(BOTH);
        match &mut self.whole {
            Some(whole) if answer == BOTH && question.late.is_some() => whole.answers(vector, question),
            _ => Ok(answer),
        }
    }
}

/// Whether two terms have a variable in common.
fn share(arena: &Arena, terms: impl Iterator<Item = Term>) -> bool {
    let mut variables: FxHashSet<Term> = FxHashSet::default();
    for term in terms {
        let (mut seen, mut stack, mut here) = (FxHashSet::default(), vec![term], Vec::new());
        while let Some(term) = stack.pop() {
            if seen.insert(term) {
                let children = arena.children(term);
                if children.is_empty() && arena.as_value(term).is_none() {
                    here.push(term);
                }
                stack.extend_from_slice(children);
            }
        }
        if here.into_iter().fold(false, |shared, variable| !variables.insert(variable) | shared) {
            return true;
        }
    }
    false
}

/// The answers of a comparison for each class, if it compares a tracked variable with a constant.
fn table(
    arena: &mut Arena,
    automaton: &Automaton,
    cuts: &Cuts,
    tracked: &Tracked,
    term: Term,
) -> Option<(usize, Vec<Truth>)> {
    if let Some((place, is_negated)) = tracked.atom(term) {
        return Some((place, if is_negated { vec![TRUE, FALSE] } else { vec![FALSE, TRUE] }));
    }
    if let Some(place) = tracked.place(term) {
        // A Boolean variable itself.
        return Some((place, vec![FALSE, TRUE]));
    }
    let (variable, constant, _) = cuts.comparison(arena, term)?;
    let place = tracked.place(automaton.variable(variable).term)?;
    let of = automaton.variable(variable).term;
    let mut answers = Vec::new();
    for class in 0..cuts.count(automaton, variable) {
        let mut answer = 0;
        for value in cuts.samples(variable, class, &constant)? {
            let value = arena.bv_constant(value);
            let mut put = nilas_term::Substitution::from_iter([(of, value)]);
            let holds = put.apply(arena, term);
            answer |= if arena.as_bool(holds)? { TRUE } else { FALSE };
        }
        answers.push(answer);
    }
    Some((place, answers))
}
