//! Conditions, compiled: which of their answers are possible for a vector of classes.
//!
//! A comparison of a variable with a constant has one answer for all values of a class, so it is a table.
//! What is compared otherwise is asked of a solver, once for each combination of classes of its variables.

use super::solving::Question;
use super::{Tracked, UNKNOWN};
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
    /// The tracked variables that it depends on.
    places: Vec<usize>,
    known: FxHashMap<Vec<u16>, Truth>,
}

/// A compiled condition: instructions in the order of a stack machine.
pub(super) struct Condition {
    code: Vec<Instruction>,
    open: Vec<Open>,
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
        let mut condition = Condition { code: Vec::new(), open: Vec::new() };
        if !condition.compile(arena, automaton, cuts, tracked, term) {
            condition.code.clear();
            condition.open.clear();
            condition.open(arena, tracked, term);
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
                        Some((place, answers)) => self.code.push(Instruction::Test(place, answers)),
                        None => self.open(arena, tracked, term),
                    },
                },
            }
        }
        true
    }

    fn open(&mut self, arena: &Arena, tracked: &Tracked, term: Term) {
        self.code.push(Instruction::Open(self.open.len()));
        self.open.push(Open { term, places: tracked.places_in(arena, term), known: FxHashMap::default() });
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
                Instruction::Open(number) => {
                    let open = &mut self.open[*number];
                    let key: Vec<u16> = open.places.iter().map(|&place| vector[place]).collect();
                    match open.known.get(&key) {
                        Some(&answer) => answer,
                        None => {
                            let answer = question.truth(open.term, &open.places, vector)?;
                            open.known.insert(key, answer);
                            answer
                        }
                    }
                }
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
        Ok(stack.pop().unwrap_or(BOTH))
    }
}

/// The answers of a comparison for each class, if it compares a tracked variable with a constant.
fn table(
    arena: &mut Arena,
    automaton: &Automaton,
    cuts: &Cuts,
    tracked: &Tracked,
    term: Term,
) -> Option<(usize, Vec<Truth>)> {
    if let Some(place) = tracked.place(term) {
        // A Boolean variable itself.
        return Some((place, vec![FALSE, TRUE]));
    }
    let (variable, _, _) = cuts.comparison(arena, term)?;
    let place = tracked.place(automaton.variable(variable).term)?;
    let of = automaton.variable(variable).term;
    let mut answers = Vec::new();
    for class in 0..cuts.count(automaton, variable) {
        let (value, _) = cuts.value(arena, automaton, variable, class)?;
        let mut put = nilas_term::Substitution::from_iter([(of, value)]);
        let answer = put.apply(arena, term);
        answers.push(if arena.as_bool(answer)? { TRUE } else { FALSE });
    }
    Some((place, answers))
}

/// The tracked variables in a term, by their places.
pub(super) fn places_in(arena: &Arena, places: &FxHashMap<Term, usize>, term: Term) -> Vec<usize> {
    let (mut seen, mut stack, mut found) = (FxHashSet::default(), vec![term], Vec::new());
    while let Some(term) = stack.pop() {
        if seen.insert(term) {
            found.extend(places.get(&term));
            stack.extend_from_slice(arena.children(term));
        }
    }
    found.sort_unstable();
    found
}
