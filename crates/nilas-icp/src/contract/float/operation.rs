//! Operations on floats by their ranks.
//!
//! Exact by `nilas-term`; with rounding to nearest even, single and double precision take the floats of the
//! machine, which are IEEE's for these operations and several times as fast.

use crate::boxes::float::{bits, from_bits, rank, value};
use crate::boxes::interval::Rank;
use nilas_term::{Format, RoundingMode};

/// An operation that rounds its exact result once. In each of its classes of operands it is monotone in
/// every operand: see `monotone`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// `x + y`
    Add,
    /// `x * y`
    Multiply,
    /// `x / y`
    Divide,
    /// `x * y + c`
    Fma,
    /// The square root of `x`.
    Sqrt,
    /// `x` rounded to an integer.
    RoundToIntegral,
    /// `x` of another format.
    Convert {
        /// The format of `x`.
        from: Format,
    },
}

impl Operation {
    /// How many operands there are.
    #[must_use]
    pub fn arity(self) -> usize {
        match self {
            Operation::Add | Operation::Multiply | Operation::Divide => 2,
            Operation::Fma => 3,
            Operation::Sqrt | Operation::RoundToIntegral | Operation::Convert { .. } => 1,
        }
    }

    /// The format of operands, for a result of that format.
    #[must_use]
    pub fn operand_format(self, result: Format) -> Format {
        match self {
            Operation::Convert { from } => from,
            _ => result,
        }
    }

    /// The rank of the result; `None` where it is NaN.
    #[must_use]
    pub fn apply(self, format: Format, mode: RoundingMode, operands: &[Rank]) -> Option<Rank> {
        if mode == RoundingMode::NearestEven {
            if format == Format::DOUBLE {
                if let Some(result) = self.apply_double(operands) {
                    return from_bits(format, u128::from(result.to_bits()));
                }
            } else if format == Format::SINGLE
                && let Some(result) = self.apply_single(operands)
            {
                return from_bits(format, u128::from(result.to_bits()));
            }
        }
        self.apply_exactly(format, mode, operands)
    }

    fn apply_exactly(self, format: Format, mode: RoundingMode, operands: &[Rank]) -> Option<Rank> {
        let of = self.operand_format(format);
        let x = value(of, operands[0]);
        let operand = |index: usize| value(of, operands[index]);
        let result = match self {
            Operation::Add => x.add(&operand(1), mode),
            Operation::Multiply => x.mul(&operand(1), mode),
            Operation::Divide => x.div(&operand(1), mode),
            Operation::Fma => x.fma(&operand(1), &operand(2), mode),
            Operation::Sqrt => x.sqrt(mode),
            Operation::RoundToIntegral => x.round_to_integral(mode),
            Operation::Convert { .. } => x.to_format(format, mode),
        };
        rank(&result)
    }

    fn apply_double(self, operands: &[Rank]) -> Option<f64> {
        let operand = |index: usize| double(operands[index]);
        Some(match self {
            Operation::Add => operand(0) + operand(1),
            Operation::Multiply => operand(0) * operand(1),
            Operation::Divide => operand(0) / operand(1),
            Operation::Fma => operand(0).mul_add(operand(1), operand(2)),
            Operation::Sqrt => operand(0).sqrt(),
            Operation::RoundToIntegral => operand(0).round_ties_even(),
            Operation::Convert { from: Format::SINGLE } => f64::from(single(operands[0])),
            Operation::Convert { .. } => return None,
        })
    }

    fn apply_single(self, operands: &[Rank]) -> Option<f32> {
        let operand = |index: usize| single(operands[index]);
        Some(match self {
            Operation::Add => operand(0) + operand(1),
            Operation::Multiply => operand(0) * operand(1),
            Operation::Divide => operand(0) / operand(1),
            Operation::Fma => operand(0).mul_add(operand(1), operand(2)),
            Operation::Sqrt => operand(0).sqrt(),
            Operation::RoundToIntegral => operand(0).round_ties_even(),
            #[allow(clippy::cast_possible_truncation)]
            Operation::Convert { from: Format::DOUBLE } => double(operands[0]) as f32,
            Operation::Convert { .. } => return None,
        })
    }
}

fn double(rank: Rank) -> f64 {
    f64::from_bits(u64::try_from(bits(Format::DOUBLE, rank)).unwrap_or_default())
}

fn single(rank: Rank) -> f32 {
    f32::from_bits(u32::try_from(bits(Format::SINGLE, rank)).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boxes::float::numbers;
    use crate::testing::{Random, samples};

    /// The floats of the machine and those of `nilas-term` agree.
    #[test]
    fn the_fast_path_is_exact() {
        let mut random = Random(77);
        for format in [Format::SINGLE, Format::DOUBLE] {
            let other = if format == Format::SINGLE { Format::DOUBLE } else { Format::SINGLE };
            for operation in [
                Operation::Add,
                Operation::Multiply,
                Operation::Divide,
                Operation::Fma,
                Operation::Sqrt,
                Operation::RoundToIntegral,
                Operation::Convert { from: other },
            ] {
                let all = numbers(operation.operand_format(format));
                for _ in 0..samples(20_000) {
                    let operands: Vec<Rank> = (0..3)
                        .map(|_| {
                            let magnitude = random.up_to(all.hi.cast_unsigned()).cast_signed();
                            if random.below(2) == 0 { magnitude } else { !magnitude }
                        })
                        .collect();
                    let mode = RoundingMode::NearestEven;
                    let exact = operation.apply_exactly(format, mode, &operands);
                    assert_eq!(operation.apply(format, mode, &operands), exact, "{operation:?} {operands:?}");
                }
            }
        }
    }
}
