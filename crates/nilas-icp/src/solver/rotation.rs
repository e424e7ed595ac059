//! Literal rotation with bound generalisation: §2.4.1 and §2.4.2 of *ICP and IC3 with Stronger
//! Generalization*.
//!
//! Which assumptions a refutation names depends on their order: an assumption whose turn comes late may be
//! false already, and nothing is asked of those behind it. So once a question is refuted, it is asked again
//! and again with the assumption that failed in front, until each of those that are left has been there. Each
//! time those that are not needed go, and of the one that failed as much of its bound as is not needed: where
//! `x ≤ 5` fails because `x ≥ 10`, so does `x ≤ 9`. All but the first question end by propagation, as a rule.

use super::{Holder, Icp};
use crate::boxes::interval::Rank;
use crate::decompose::Unsupported;
use crate::search::{Bound, Verdict};
use crate::simple::SimpleBound;
use nilas_smt::{Activation, Answer, Budget, Reason};
use nilas_term::{Arena, Term};

/// Contractions that a rotation may take, for each bound that is in it.
const PATIENCE: u64 = 20_000;

/// A bound that is asked about, and the formula that it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The formula.
    pub literal: Term,
    /// The bound. Where it bounds a number, that it is a number is asked about as well.
    pub bound: SimpleBound,
}

/// How a refutation is analysed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Analysis {
    /// Whether literals are rotated.
    pub rotate: bool,
    /// Whether bounds are generalised.
    pub weaken: bool,
}

/// Why bounds cannot hold together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refutation {
    /// Bounds that suffice: for each the place of one that was asked about, which implies it.
    pub kept: Vec<(usize, SimpleBound)>,
    /// Activations that it rests on; all of them where that is not known.
    pub activations: Vec<Activation>,
}

/// An assumption: the place of what was asked that it comes from, and the bound.
type Assumed = (usize, SimpleBound, Bound);

impl Icp {
    /// Whether bounds can hold together, beside what was asserted under these activations and `fixed` bounds,
    /// which are assumed first. `Ok(None)` if so, and there is a model; if not, why.
    ///
    /// # Errors
    /// If it could not be told.
    pub fn refute(
        &mut self,
        arena: &Arena,
        activations: &[Activation],
        fixed: &[Asked],
        asked: &[Asked],
        analysis: Analysis,
        budget: &Budget,
    ) -> Result<Option<Refutation>, Reason> {
        self.stats.checks += 1;
        self.failed.clear();
        self.failed_activations.clear();
        self.found = None;
        let literals: Vec<Term> = fixed.iter().chain(asked).map(|asked| asked.literal).collect();
        let answer = self.refuted(arena, activations, fixed, asked, &literals, analysis, budget);
        match &answer {
            Ok(Some(_)) => self.stats.unsat += 1,
            Ok(None) => self.stats.sat += 1,
            Err(_) => {}
        }
        self.search.reset();
        answer
    }

    #[allow(clippy::too_many_arguments, reason = "the question of `refute`, taken apart")]
    fn refuted(
        &mut self,
        arena: &Arena,
        activations: &[Activation],
        fixed: &[Asked],
        asked: &[Asked],
        literals: &[Term],
        analysis: Analysis,
        budget: &Budget,
    ) -> Result<Option<Refutation>, Reason> {
        self.ready(activations, budget)?;
        let (front, mut turning) = match self.assumptions(arena, activations, fixed, asked) {
            Ok(found) => found,
            Err(Unsupported(what)) if !self.options.hand_over => return Err(Reason::Unsupported(what)),
            Err(_) => {
                let answer = self.hand_over(arena, activations, literals, budget);
                return self.of_blaster(answer, activations, asked);
            }
        };
        let mut bounds = front.clone();
        bounds.extend(turning.iter().map(|&(_, _, bound)| bound));
        let bounded: Vec<Term> = fixed.iter().chain(asked).map(|asked| asked.bound.of).collect();
        match self.search(arena, activations, literals, &bounded, &bounds, budget) {
            Verdict::Sat => match self.sat() {
                Answer::Unknown(reason) => Err(reason),
                _ => Ok(None),
            },
            Verdict::Unknown(why) => Err(Reason::Interrupted(why)),
            Verdict::Impatient => {
                let answer = self.hand_over(arena, activations, literals, budget);
                self.of_blaster(answer, activations, asked)
            }
            Verdict::Unsat(failure) => {
                let used =
                    |at: &usize| failure.assumptions.contains(at).then_some(activations.get(*at).copied());
                let mut named: Vec<Activation> =
                    (0..activations.len()).filter_map(|at| used(&at).flatten()).collect();
                turning = next(&turning, front.len(), &failure.assumptions, failure.last, analysis);
                if analysis.rotate {
                    self.rotate(&front, &mut turning, analysis, budget, activations, &mut named);
                }
                let kept = turning.into_iter().map(|(place, simple, _)| (place, simple)).collect();
                Ok(Some(Refutation { kept, activations: named }))
            }
        }
    }

    /// Steps 2 to 6 of §2.4.1.
    fn rotate(
        &mut self,
        front: &[Bound],
        turning: &mut Vec<Assumed>,
        analysis: Analysis,
        budget: &Budget,
        activations: &[Activation],
        named: &mut Vec<Activation>,
    ) {
        let mut turns = 1;
        while turns < turning.len() {
            turns += 1;
            let mut bounds = front.to_vec();
            bounds.extend(turning.iter().map(|&(_, _, bound)| bound));
            self.search.reset();
            let verdict = self.search.solve(&bounds, budget, Some(PATIENCE), &mut |_| false);
            // Anything else means that it did not see in time what it had seen before.
            let Verdict::Unsat(failure) = verdict else { break };
            *turning = next(turning, front.len(), &failure.assumptions, failure.last, analysis);
            let used = |at: usize| failure.assumptions.contains(&at);
            for (at, &activation) in activations.iter().enumerate() {
                if used(at) && !named.contains(&activation) {
                    named.push(activation);
                }
            }
        }
    }

    /// What is assumed first, and what is rotated.
    fn assumptions(
        &mut self,
        arena: &Arena,
        activations: &[Activation],
        fixed: &[Asked],
        asked: &[Asked],
    ) -> Result<(Vec<Bound>, Vec<Assumed>), Unsupported> {
        let mut front = self.prepare(arena, activations, &[])?;
        front.extend(self.assumed(arena, fixed)?.into_iter().map(|(_, _, bound)| bound));
        Ok((front, self.assumed(arena, asked)?))
    }

    /// What is asked about as bounds of columns; that numbers are such comes before what is said of them.
    fn assumed(&mut self, arena: &Arena, asked: &[Asked]) -> Result<Vec<Assumed>, Unsupported> {
        let mut assumed: Vec<Assumed> = Vec::with_capacity(asked.len());
        for (place, asked) in asked.iter().enumerate() {
            for simple in asked.bound.is_number().into_iter().chain([asked.bound]) {
                let bound = simple.bound(&mut self.decomposition, &mut self.search, arena)?;
                if !assumed.iter().any(|&(_, _, other)| other == bound) {
                    assumed.push((place, simple, bound));
                }
            }
        }
        Ok(assumed)
    }

    /// What the answer of the bit-blaster to the same question says.
    fn of_blaster(
        &mut self,
        answer: Answer,
        activations: &[Activation],
        asked: &[Asked],
    ) -> Result<Option<Refutation>, Reason> {
        match answer {
            Answer::Sat => {
                self.found = Some(Holder::Blaster);
                Ok(None)
            }
            Answer::Unknown(reason) => Err(reason),
            Answer::Unsat => {
                let needed =
                    asked.iter().enumerate().filter(|(_, asked)| self.failed.contains(&asked.literal));
                let kept = needed.map(|(place, asked)| (place, asked.bound)).collect();
                Ok(Some(Refutation { kept, activations: activations.to_vec() }))
            }
        }
    }
}

/// The assumptions that are left, the one that failed first and perhaps weaker.
fn next(
    turning: &[Assumed],
    front: usize,
    needed: &[usize],
    last: Option<(usize, Rank)>,
    analysis: Analysis,
) -> Vec<Assumed> {
    let mut left: Vec<Assumed> = Vec::with_capacity(needed.len());
    if let Some((last, reached)) = last
        && let Some(&(place, simple, bound)) = last.checked_sub(front).and_then(|at| turning.get(at))
    {
        let weak = bound.weakened_to_fail_at(reached);
        left.push(if analysis.weaken && simple.is_ordered() {
            (place, SimpleBound { value: weak.value, ..simple }, weak)
        } else {
            (place, simple, bound)
        });
    }
    for &at in needed {
        if at >= front && last.is_none_or(|(last, _)| last != at) {
            left.extend(turning.get(at - front));
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Random, samples};
    use nilas_smt::{Embedded, Solver};
    use nilas_term::{Evaluator, Format, Model, Op, RoundingMode, Sort, Value};

    /// Questions about `x · y + x` and bit-vectors beside it: what is kept is implied by what was asked, and
    /// the bit-blaster refutes it, too; where nothing is refuted there is a model.
    #[test]
    fn what_is_kept_is_refuted() {
        let format = Format::new(3, 4);
        let mut random = Random(77);
        let (mut refuted, mut dropped, mut weakened) = (0u64, 0u64, 0u64);
        for round in 0..samples(10_000) {
            let mut arena = Arena::new();
            let mode = arena.constant(Value::RoundingMode(RoundingMode::ALL[random.below(5)]));
            let [x, y] = ["x", "y"].map(|name| arena.variable(name, &Sort::Float(3, 4)).expect("a new name"));
            let [n, m] = ["n", "m"].map(|name| arena.variable(name, &Sort::BitVec(4)).expect("a new name"));
            let product = arena.mk(Op::FpMul, &[mode, x, y]);
            let sum = arena.mk(Op::FpAdd, &[mode, product, x]);
            let total = arena.mk(Op::BvAdd, &[n, m]);
            let mut solver = Icp::default();
            let mut blaster: Embedded = Embedded::new();
            let less = arena.mk(if random.below(2) == 0 { Op::FpLt } else { Op::FpLe }, &[x, y]);
            let below = arena.mk(Op::BvUlt, &[n, m]);
            let either = arena.or(&[less, below]);
            let told = [less, below, either][random.below(3)];
            solver.assert(&arena, told);
            blaster.assert(&arena, told);
            for question in 0..4 {
                let mut asked: Vec<Asked> = Vec::new();
                for term in [x, y, sum, n, total] {
                    if random.below(3) == 0 {
                        continue;
                    }
                    let mut model = Model::new();
                    for (variable, width) in [(x, 7), (y, 7), (n, 4), (m, 4)] {
                        let bits = crate::boxes::float::bit_vector(width, random.up_to((1 << width) - 1));
                        let float = width == 7;
                        model.set(
                            variable,
                            if float {
                                Value::Float(nilas_term::FloatValue::from_bits(format, bits))
                            } else {
                                Value::BitVec(bits)
                            },
                        );
                    }
                    let value = Evaluator::new(model).eval(&arena, term).expect("it has a value");
                    let bounds =
                        SimpleBound::around(term, &value, random.below(2) == 0).expect("it has bounds");
                    for bound in bounds {
                        if random.below(4) > 0 {
                            asked.push(Asked { literal: bound.literal(&mut arena), bound });
                        }
                    }
                }
                let place = format!("round {round}, question {question}: {asked:?}");
                let analysis = Analysis { rotate: random.below(4) > 0, weaken: random.below(4) > 0 };
                let budget = Budget::unlimited();
                let found = solver.refute(&arena, &[], &[], &asked, analysis, &budget).expect("an answer");
                let literals: Vec<Term> = asked.iter().map(|asked| asked.literal).collect();
                let answer = blaster.check(&arena, &[], &literals, &budget);
                let Some(found) = found else {
                    assert_eq!(answer, Answer::Sat, "{place}");
                    for &literal in &literals {
                        assert_eq!(solver.value(&arena, literal), Ok(Value::Bool(true)), "{place}");
                    }
                    continue;
                };
                assert_eq!(answer, Answer::Unsat, "{place}");
                refuted += 1;
                let mut kept = Vec::new();
                for &(from, bound) in &found.kept {
                    let given = asked[from].bound;
                    let implied = given.implies(bound) || given.is_number() == Some(bound);
                    assert!(implied, "{place}: {given:?} does not imply {bound:?}");
                    weakened += u64::from(given.same_end(bound) && given != bound);
                    kept.push(bound.literal(&mut arena));
                }
                dropped += (asked.len() - kept.len().min(asked.len())) as u64;
                assert_eq!(blaster.check(&arena, &[], &kept, &budget), Answer::Unsat, "{place}: {found:?}");
            }
        }
        assert!(refuted > 0 && dropped > 0 && weakened > 0, "{refuted} {dropped} {weakened}");
    }
}
