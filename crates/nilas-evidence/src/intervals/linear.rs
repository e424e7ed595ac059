//! Sums of floats as linear forms.
//!
//! A float that is made of others by sums, negations and products with constants is, in real numbers, a linear
//! form of them and of what was rounded off the results on the way. If all of it is finite, less than the distance
//! to the next larger number was rounded off each of them, whatever the rounding mode. So the exact sum lies
//! between two rational numbers, and the float between these, rounded outward. What cancels out stays in a form
//! with the coefficient 0: it must be finite, too.
//!
//! An equation may be used in another one. A choice is the branch that is taken, so a form in which a branch
//! stands for its choice holds while the condition is decided that way. And where a sum `g` is `x + y` or `x - y`
//! but for what was rounded off, `g` minus all of that is 0 and can be added to the form of another sum, any
//! number of times: so what is known of `x - y` is used where `x` and `y` alone say nothing.
//!
//! Trusted: all of this file.

use super::Node;
use super::floats::{Floats, infinity, value};
use super::known::Known;
use nilas_term::{Arena, Format, Op, RoundingMode, Sort, Value};
use num_rational::BigRational;
use std::collections::BTreeMap;

/// Forms with more parts are not followed.
const MOST: usize = 24;
/// Conditions that one form may have, and forms that one sum may have.
const CONDITIONS: usize = 4;
const WAYS: usize = 16;
/// Forms of one sum that are about another sum.
const ABOUT_OTHERS: usize = 8;

/// Coefficients by the numbers of terms.
type Parts = BTreeMap<usize, BigRational>;

/// See the module's text.
#[derive(Clone, Debug)]
pub(super) struct Linear {
    operands: Parts,
    rounded: Parts,
    constant: BigRational,
    /// Truth values that must be decided so.
    conditions: Vec<(usize, bool)>,
}

fn integer(number: i8) -> BigRational {
    BigRational::from_integer(number.into())
}

impl Linear {
    fn constant(constant: BigRational) -> Linear {
        Linear { operands: Parts::new(), rounded: Parts::new(), constant, conditions: Vec::new() }
    }

    /// A term itself.
    fn of(number: usize) -> Linear {
        let operands = [(number, integer(1))].into_iter().collect();
        Linear { operands, ..Linear::constant(integer(0)) }
    }

    fn as_constant(&self) -> Option<&BigRational> {
        (self.operands.is_empty() && self.rounded.is_empty()).then_some(&self.constant)
    }

    fn times(&self, factor: &BigRational) -> Linear {
        let scaled = |parts: &Parts| parts.iter().map(|(&number, it)| (number, it * factor)).collect();
        Linear {
            operands: scaled(&self.operands),
            rounded: scaled(&self.rounded),
            constant: &self.constant * factor,
            conditions: self.conditions.clone(),
        }
    }

    fn plus(&self, other: &Linear) -> Linear {
        let mut sum = self.clone();
        sum.constant += &other.constant;
        for (own, others) in [(&mut sum.operands, &other.operands), (&mut sum.rounded, &other.rounded)] {
            for (&number, coefficient) in others {
                *own.entry(number).or_insert_with(|| integer(0)) += coefficient;
            }
        }
        sum
    }

    fn shares(&self, other: &Linear) -> bool {
        self.operands.keys().any(|part| other.operands.contains_key(part))
    }

    fn is_small(&self) -> bool {
        self.operands.len() + self.rounded.len() <= MOST
    }

    /// The same with a branch in the place of a choice.
    fn with(&self, choice: usize, branch: &Linear) -> Linear {
        let mut rest = self.clone();
        match rest.operands.remove(&choice) {
            Some(times) => rest.plus(&branch.times(&times)),
            None => rest,
        }
    }

    /// The two terms that this is the sum or the difference of, and little else.
    fn pair(&self) -> Option<[usize; 2]> {
        let plain = self.operands.values().all(|it| *it == integer(1) || *it == integer(-1));
        let terms: Vec<usize> = self.operands.keys().copied().collect();
        <[usize; 2]>::try_from(terms).ok().filter(|_| plain && self.rounded.len() <= 1)
    }

    /// The same with as much of `pair`, the exact value of the sum `number`, taken out as makes both of its terms
    /// count less.
    fn about(&self, number: usize, pair: &Linear, terms: [usize; 2]) -> Option<Linear> {
        let [one, two] = terms.map(|term| Some(self.operands.get(&term)? * pair.operands.get(&term)?));
        let (one, two) = (one?, two?);
        let zero = integer(0);
        if one == zero || two == zero || (one > zero) != (two > zero) {
            return None;
        }
        let times = if (one > zero) == (one < two) { one } else { two };
        let mut nothing = Linear::of(number).plus(&pair.times(&integer(-1)));
        *nothing.rounded.entry(number).or_insert_with(|| integer(0)) -= integer(1);
        Some(self.plus(&nothing.times(&times))).filter(Linear::is_small)
    }

    /// The terms that it is about, besides those that the sum itself is made of.
    pub(super) fn terms(&self) -> impl Iterator<Item = usize> {
        let conditions = self.conditions.iter().map(|&(condition, _)| condition);
        self.operands.keys().chain(self.rounded.keys()).copied().chain(conditions)
    }

    #[cfg(test)]
    pub(super) fn operands(&self) -> impl Iterator<Item = usize> {
        self.operands.keys().copied()
    }

    #[cfg(test)]
    pub(super) fn is_conditional(&self) -> bool {
        !self.conditions.is_empty()
    }

    /// What of a sum's values is left.
    pub(super) fn narrowed(&self, made: Known, known: &[Known]) -> Known {
        let Known::Float(floats) = made else { return made };
        let Some((lo, hi)) = self.range(known) else { return made };
        let end = |number: &BigRational, mode: RoundingMode| {
            let float = nilas_term::FloatValue::from_real(floats.format, number, mode);
            Floats::one(&float).filter(|it| it.numbers()).map(|it| it.lo)
        };
        let ends = (end(&lo, RoundingMode::Down), end(&hi, RoundingMode::Up));
        let (Some(lo), Some(hi)) = ends else { return made };
        // Both zeros are 0.
        let (lo, hi) = (if lo == 0 { -1 } else { lo }, if hi == -1 { 0 } else { hi });
        Known::Float(floats.meet(Floats { lo, hi, nan: false, ..floats }))
    }

    /// Between which numbers the sum lies before it is rounded; nothing if something may not be finite.
    fn range(&self, known: &[Known]) -> Option<(BigRational, BigRational)> {
        if self.conditions.iter().any(|&(condition, wanted)| known[condition].decided() != Some(wanted)) {
            return None;
        }
        let (mut lo, mut hi) = (self.constant.clone(), self.constant.clone());
        for (&number, coefficient) in &self.operands {
            let floats = finite(known[number])?;
            let ends = [floats.lo, floats.hi].map(|rank| value(floats.format, rank).to_real());
            let [Some(low), Some(high)] = ends else { return None };
            let (one, two) = (coefficient * low, coefficient * high);
            lo += (&one).min(&two);
            hi += (&one).max(&two);
        }
        for (&number, coefficient) in &self.rounded {
            let floats = finite(known[number])?;
            let size = |rank: i128| if rank < 0 { -1 - rank } else { rank };
            let most = size(floats.lo).max(size(floats.hi));
            // The largest number may stand for anything beyond it.
            if most + 1 >= infinity(floats.format) {
                return None;
            }
            let next = value(floats.format, most + 1).to_real()?;
            let off = (next - value(floats.format, most).to_real()?) * coefficient;
            let off = (&off).max(&(-&off)).clone();
            lo -= &off;
            hi += off;
        }
        Some((lo, hi))
    }
}

/// A set of numbers that are all finite.
fn finite(known: Known) -> Option<Floats> {
    let Known::Float(floats) = known else { return None };
    let top = infinity(floats.format);
    (floats.numbers() && !floats.nan && floats.lo > -1 - top && floats.hi < top).then_some(floats)
}

/// A form of a sum, and whether it says more than the sum's operands one by one.
struct Way {
    form: Linear,
    says_more: bool,
}

/// Finds the sums of which a form says more than their operands, and gives them their forms.
pub(super) fn find(arena: &Arena, nodes: &mut [Node]) {
    let forms = forms(arena, nodes);
    let exact = |number: usize| Some((number, exact(&nodes[number], &forms)?));
    let sums: Vec<(usize, Vec<Way>)> = (0..nodes.len())
        .filter_map(exact)
        .map(|(number, first)| (number, ways(nodes, &forms, first)))
        .collect();
    // Sums and differences of two terms.
    let mut pairs: BTreeMap<[usize; 2], Vec<(usize, &Linear)>> = BTreeMap::new();
    for (number, ways) in &sums {
        if let Some(terms) = ways[0].form.pair() {
            pairs.entry(terms).or_default().push((*number, &ways[0].form));
        }
    }
    for (number, ways) in &sums {
        let mut found = about_others(*number, ways, &pairs);
        found.extend(ways.iter().filter(|way| way.says_more).map(|way| way.form.clone()));
        nodes[*number].linear = found;
    }
}

/// Forms of a sum that are about other sums, of two of its terms.
fn about_others(
    number: usize,
    ways: &[Way],
    pairs: &BTreeMap<[usize; 2], Vec<(usize, &Linear)>>,
) -> Vec<Linear> {
    let mut found = Vec::new();
    for Way { form, .. } in ways {
        let terms: Vec<usize> = form.operands.keys().copied().collect();
        for (place, &one) in terms.iter().enumerate() {
            for &two in &terms[place + 1..] {
                for &(other, exact) in pairs.get(&[one, two]).into_iter().flatten() {
                    if other != number && found.len() < ABOUT_OTHERS {
                        found.extend(form.about(other, exact, [one, two]));
                    }
                }
            }
        }
    }
    found
}

/// The exact value of a sum that is followed.
fn exact(node: &Node, forms: &[Linear]) -> Option<Way> {
    let (Op::FpAdd, &[_, left, right]) = (node.op, &node.children[..]) else { return None };
    let Sort::Float(exponent, significand) = node.sort else { return None };
    Floats::all(Format::new(exponent, significand))?;
    let (left, right) = (&forms[left], &forms[right]);
    let form = left.plus(right);
    form.is_small().then(|| Way { says_more: left.shares(right), form })
}

/// What every term is: a sum, a multiple, a constant, or itself.
fn forms(arena: &Arena, nodes: &[Node]) -> Vec<Linear> {
    let mut forms: Vec<Linear> = Vec::with_capacity(nodes.len());
    for (number, node) in nodes.iter().enumerate() {
        let of = |at: usize| node.children.get(at).map(|&child| &forms[child]);
        let rounded = |mut form: Linear| {
            form.rounded.insert(number, integer(1));
            form
        };
        let made = match node.op {
            Op::Const(id) => match arena.value(id) {
                // The real of an infinity would be zero.
                Value::Float(float) if !float.is_nan() && !float.is_infinite() => {
                    float.to_real().map(Linear::constant)
                }
                _ => None,
            },
            Op::FpNeg => of(0).map(|form| form.times(&integer(-1))),
            Op::FpAdd => exact(node, &forms).map(|sum| rounded(sum.form)),
            Op::FpMul => {
                of(1).zip(of(2)).and_then(|(left, right)| match (left.as_constant(), right.as_constant()) {
                    (Some(factor), _) => Some(rounded(right.times(factor))),
                    (_, Some(factor)) => Some(rounded(left.times(factor))),
                    _ => None,
                })
            }
            _ => None,
        };
        forms.push(made.filter(Linear::is_small).unwrap_or_else(|| Linear::of(number)));
    }
    forms
}

/// A form, and what becomes of it where its operands are choices.
fn ways(nodes: &[Node], forms: &[Linear], first: Way) -> Vec<Way> {
    let mut ways = vec![first];
    let mut at = 0;
    while at < ways.len() {
        let form = ways[at].form.clone();
        at += 1;
        let Some(choice) = form.operands.keys().copied().find(|&term| nodes[term].op == Op::Ite) else {
            continue;
        };
        let [condition, then, otherwise] = nodes[choice].children[..] else { continue };
        let decided = form.conditions.iter().find(|(decided, _)| *decided == condition);
        if ways.len() + 2 > WAYS || decided.is_none() && form.conditions.len() == CONDITIONS {
            continue;
        }
        for (taken, branch) in [(true, then), (false, otherwise)] {
            if decided.is_some_and(|&(_, before)| before != taken) {
                continue;
            }
            let mut way = form.with(choice, &forms[branch]);
            if decided.is_none() {
                way.conditions.push((condition, taken));
            }
            if way.is_small() {
                ways.push(Way { says_more: form.shares(&forms[branch]), form: way });
            }
        }
    }
    ways
}
