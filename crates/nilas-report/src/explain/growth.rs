//! Lemmas that only count on: `x != 0`, `x != 1`, `x != 2`, …
//!
//! An engine that has not found the one fact behind them learns such a sequence for ever, so it is what a
//! person wants to know who waits. Lemmas that are alike but for their constants are put together; it is a
//! sequence when there are several, the same constants change, and nothing else does.

use nilas_term::{Arena, BitVec, Op, Term};
use std::collections::BTreeMap;

/// So many lemmas make a sequence.
const FEWEST: usize = 4;

/// Lemmas with more operators and operands are not looked at.
const LONGEST: usize = 100;

/// Lemmas that differ in constants only, by rising constants.
#[derive(Clone, Debug)]
pub struct Growth {
    /// The lemmas.
    pub lemmas: Vec<Term>,
    /// Whether the steps between constants are all the same, as in counting.
    pub even: bool,
}

/// The longest sequence among lemmas.
#[must_use]
pub fn growth(arena: &Arena, lemmas: &[Term]) -> Option<Growth> {
    let mut alike: BTreeMap<Vec<Token>, Vec<(Vec<BitVec>, Term)>> = BTreeMap::new();
    for &lemma in lemmas {
        let Some((shape, constants)) = shape(arena, lemma) else { continue };
        let group = alike.entry(shape).or_default();
        if !group.iter().any(|(_, other)| *other == lemma) {
            group.push((constants, lemma));
        }
    }
    let mut longest: Option<Growth> = None;
    for group in alike.into_values().filter(|group| group.len() >= FEWEST) {
        let first = &group[0].0;
        let moving: Vec<usize> = (0..first.len())
            .filter(|&at| group.iter().any(|(constants, _)| constants[at] != first[at]))
            .collect();
        let Some(&at) = moving.first() else { continue };
        let mut ordered: Vec<(BitVec, Term)> =
            group.iter().map(|(constants, lemma)| (constants[at].clone(), *lemma)).collect();
        ordered.sort_by(|(one, _), (other, _)| one.compare_signed(other));
        let mut steps: Vec<BitVec> = ordered.windows(2).map(|pair| pair[1].0.sub(&pair[0].0)).collect();
        steps.dedup();
        let even = moving.len() == 1 && steps.len() == 1;
        let lemmas: Vec<Term> = ordered.into_iter().map(|(_, lemma)| lemma).collect();
        if longest.as_ref().is_none_or(|longest| lemmas.len() > longest.lemmas.len()) {
            longest = Some(Growth { lemmas, even });
        }
    }
    longest
}

/// One node of a term: its operator, or that a constant stands there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Token {
    Constant(u32),
    Leaf(Term),
    Node(Op, usize),
}

/// A term with constants taken out, in prefix order; `None` if it is long.
fn shape(arena: &Arena, term: Term) -> Option<(Vec<Token>, Vec<BitVec>)> {
    let (mut shape, mut constants) = (Vec::new(), Vec::new());
    let mut stack = vec![term];
    while let Some(term) = stack.pop() {
        let children = arena.children(term);
        match arena.as_bitvec(term) {
            Some(constant) => {
                shape.push(Token::Constant(constant.width()));
                constants.push(constant.clone());
            }
            None if children.is_empty() => shape.push(Token::Leaf(term)),
            None => {
                shape.push(Token::Node(arena.op(term), children.len()));
                stack.extend(children.iter().rev());
            }
        }
        if shape.len() > LONGEST {
            return None;
        }
    }
    Some((shape, constants))
}

#[cfg(test)]
mod tests {
    use super::*;
    use nilas_term::Sort;

    #[test]
    fn counting_is_seen() {
        let mut arena = Arena::new();
        let x = arena.variable("x", &Sort::BitVec(8)).expect("new name");
        let y = arena.variable("y", &Sort::BitVec(8)).expect("new name");
        let mut differs = |variable: Term, value: u64| {
            let constant = arena.bv(8, value);
            let same = arena.eq(variable, constant);
            arena.not(same)
        };
        let values = [3, 255, 1, 2, 0];
        let mut lemmas: Vec<Term> = values.iter().map(|&value| differs(x, value)).collect();
        lemmas.push(differs(y, 7));
        let expected: Vec<Term> = [255, 0, 1, 2, 3].iter().map(|&value| differs(x, value)).collect();
        let jump = differs(x, 77);
        let found = growth(&arena, &lemmas).expect("a sequence");
        assert_eq!(found.lemmas, expected, "from -1 to 3");
        assert!(found.even);
        lemmas.push(jump);
        assert!(!growth(&arena, &lemmas).expect("a sequence").even);
        assert!(growth(&arena, &lemmas[..3]).is_none(), "three are no sequence yet");
    }
}
