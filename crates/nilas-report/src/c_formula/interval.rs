//! Sets of integers as intervals: what comparisons with constants say about a value.

use nilas_term::{BitVec, Op};

/// The integers that a value can be: `width` bits, read as signed or unsigned. At most 64 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Domain {
    pub(super) width: u32,
    pub(super) signed: bool,
}

impl Domain {
    pub(super) fn min(self) -> i128 {
        if self.signed { -(1 << (self.width - 1)) } else { 0 }
    }

    pub(super) fn max(self) -> i128 {
        (1 << (if self.signed { self.width - 1 } else { self.width })) - 1
    }

    /// The integer that bits are.
    pub(super) fn read(self, bits: &BitVec) -> Option<i128> {
        let unsigned = i128::from(bits.to_u64()?);
        let negative = self.signed && bits.bit(bits.width() - 1);
        Some(if negative { unsigned - (1 << bits.width()) } else { unsigned })
    }
}

/// Some of the integers of a domain: intervals in order, with gaps between them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Intervals {
    pub(super) domain: Domain,
    pub(super) parts: Vec<(i128, i128)>,
}

impl Intervals {
    /// What remains of an interval in a domain.
    fn of(domain: Domain, low: i128, high: i128) -> Intervals {
        let (low, high) = (low.max(domain.min()), high.min(domain.max()));
        Intervals { domain, parts: if low <= high { vec![(low, high)] } else { Vec::new() } }
    }

    /// The values of which a comparison with a constant holds; `left` says on which side the value stands.
    pub(super) fn compared(domain: Domain, op: Op, constant: &BitVec, left: bool) -> Option<Intervals> {
        let signed = match op {
            Op::BvSlt | Op::BvSle => true,
            Op::BvUlt | Op::BvUle => false,
            Op::Eq => domain.signed,
            _ => return None,
        };
        let reading = Domain { width: constant.width(), signed };
        let bound = reading.read(constant)?;
        let strict = i128::from(matches!(op, Op::BvSlt | Op::BvUlt));
        let (low, high) = match (op, left) {
            (Op::Eq, _) => (bound, bound),
            (_, true) => (reading.min(), bound - strict),
            (_, false) => (bound + strict, reading.max()),
        };
        Some(Intervals::of(reading, low, high).read_as(domain))
    }

    /// The same bits in another reading, or the same integers in a smaller domain of the same reading.
    pub(super) fn read_as(&self, domain: Domain) -> Intervals {
        if self.domain.signed == domain.signed {
            let parts = self.parts.iter().flat_map(|&(low, high)| Intervals::of(domain, low, high).parts);
            return Intervals { domain, parts: parts.collect() };
        }
        let all = 1_i128 << self.domain.width;
        let half = all / 2;
        let mut parts = Vec::new();
        for &(low, high) in &self.parts {
            match domain.signed {
                // Large unsigned numbers are negative ones.
                true => {
                    parts.push((low.max(half) - all, high - all));
                    parts.push((low, high.min(half - 1)));
                }
                false => {
                    parts.push((low.max(0), high));
                    parts.push((low + all, high.min(-1) + all));
                }
            }
        }
        let parts = parts.into_iter().filter(|(low, high)| low <= high);
        let parts = parts.flat_map(|(low, high)| Intervals::of(domain, low, high).parts).collect();
        Intervals { domain, parts }.joined()
    }

    /// In order, without neighbours that touch.
    fn joined(mut self) -> Intervals {
        self.parts.sort_unstable();
        let mut parts: Vec<(i128, i128)> = Vec::new();
        for (low, high) in self.parts {
            match parts.last_mut() {
                Some((_, last)) if low <= *last + 1 => *last = high.max(*last),
                _ => parts.push((low, high)),
            }
        }
        Intervals { domain: self.domain, parts }
    }

    /// The values `x` of which `x + constant` is one of these, modulo the width; both in the same domain.
    pub(super) fn shifted(&self, constant: &BitVec) -> Option<Intervals> {
        let by = i128::from(constant.to_u64()?);
        let (domain, all) = (self.domain, 1_i128 << self.domain.width);
        let mut parts = Vec::new();
        for &(low, high) in &self.parts {
            // A part that leaves the domain at its lower end comes in again at its upper end.
            for turn in [0, all, 2 * all] {
                let (low, high) = (low - by + turn, high - by + turn);
                let (low, high) = (low.max(domain.min()), high.min(domain.max()));
                parts.extend((low <= high).then_some((low, high)));
            }
        }
        Some(Intervals { domain, parts }.joined())
    }

    /// A simpler set that has the same values among those of a context.
    pub(super) fn among(&self, context: &Intervals) -> Intervals {
        let (Some(first), Some(last)) = (context.parts.first(), context.parts.last()) else {
            return self.clone();
        };
        let mut parts = self.intersection(context).parts;
        if let Some(part) = parts.first_mut().filter(|part| part.0 == first.0) {
            part.0 = self.domain.min();
        }
        if let Some(part) = parts.last_mut().filter(|part| part.1 == last.1) {
            part.1 = self.domain.max();
        }
        Intervals { domain: self.domain, parts }
    }

    pub(super) fn union(&self, other: &Intervals) -> Intervals {
        let parts = self.parts.iter().chain(&other.parts).copied().collect();
        Intervals { domain: self.domain, parts }.joined()
    }

    pub(super) fn intersection(&self, other: &Intervals) -> Intervals {
        let mut parts = Vec::new();
        for &(low, high) in &self.parts {
            let met = other.parts.iter().map(|&(from, to)| (low.max(from), high.min(to)));
            parts.extend(met.filter(|(low, high)| low <= high));
        }
        Intervals { domain: self.domain, parts }.joined()
    }

    pub(super) fn complement(&self) -> Intervals {
        let mut parts = Vec::new();
        let mut next = self.domain.min();
        for &(low, high) in &self.parts {
            if next < low {
                parts.push((next, low - 1));
            }
            next = high + 1;
        }
        if next <= self.domain.max() {
            parts.push((next, self.domain.max()));
        }
        Intervals { domain: self.domain, parts }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    pub(super) fn is_full(&self) -> bool {
        self.parts == [(self.domain.min(), self.domain.max())]
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use nilas_term::{Arena, Evaluator, Model, Sort, Value};

    const WIDTH: u32 = 4;

    /// Sums and contexts, on all intervals of four bits.
    #[test]
    fn sets_are_shifted_and_simplified() {
        for signed in [true, false] {
            let domain = Domain { width: WIDTH, signed };
            let all: Vec<i128> = (domain.min()..=domain.max()).collect();
            let inside =
                |set: &Intervals, value: i128| set.parts.iter().any(|p| (p.0..=p.1).contains(&value));
            for &low in &all {
                for &high in all.iter().filter(|&&high| high >= low) {
                    let set = Intervals::of(domain, low, high);
                    for constant in 0..16_u64 {
                        let shifted = set.shifted(&BitVec::new(WIDTH, constant)).unwrap();
                        for &value in &all {
                            let bits = (value + i128::from(constant)).rem_euclid(16) as u64;
                            let sum = domain.read(&BitVec::new(WIDTH, bits)).unwrap();
                            assert_eq!(
                                inside(&shifted, value),
                                inside(&set, sum),
                                "{set:?} {constant} {value}"
                            );
                        }
                        let context = Intervals::of(domain, domain.min() + 2, domain.max() - 3);
                        let simple = shifted.among(&context);
                        for &value in all.iter().filter(|&&value| inside(&context, value)) {
                            assert_eq!(
                                inside(&simple, value),
                                inside(&shifted, value),
                                "{shifted:?} {value}"
                            );
                        }
                    }
                }
            }
        }
    }

    /// Every comparison of four bits with every constant, in both readings, against the evaluator.
    #[test]
    fn comparisons_mean_what_the_evaluator_says() {
        let mut arena = Arena::new();
        let x = arena.variable("x", &Sort::BitVec(WIDTH)).unwrap();
        for op in [Op::BvSlt, Op::BvSle, Op::BvUlt, Op::BvUle, Op::Eq] {
            for constant in 0..16_u64 {
                for (left, signed) in [(true, true), (true, false), (false, true), (false, false)] {
                    let c = arena.bv(WIDTH, constant);
                    let sides = if left { [x, c] } else { [c, x] };
                    let term = arena.try_mk(op, &sides).unwrap();
                    let domain = Domain { width: WIDTH, signed };
                    let bits = BitVec::new(WIDTH, constant);
                    let set = Intervals::compared(domain, op, &bits, left).unwrap();
                    for value in 0..16_u64 {
                        let value = BitVec::new(WIDTH, value);
                        let number = domain.read(&value).unwrap();
                        let inside =
                            |set: &Intervals| set.parts.iter().any(|p| (p.0..=p.1).contains(&number));
                        let model = Model::from_iter([(x, Value::BitVec(value.clone()))]);
                        let holds = Evaluator::new(model).holds(&arena, term).unwrap();
                        assert_eq!(inside(&set), holds, "{op:?} {constant} {left} {signed} {number}");
                        assert_eq!(inside(&set.complement()), !holds);
                    }
                    assert!(set.union(&set.complement()).is_full());
                    assert!(set.intersection(&set.complement()).is_empty());
                }
            }
        }
    }
}
