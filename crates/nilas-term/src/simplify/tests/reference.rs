//! A second definition of the operators, on machine words, straight from SMT-LIB's text: what the rules are
//! checked against shares no code with what they use.

use crate::op::Op;

fn mask(width: u32) -> u64 {
    (1 << width) - 1
}

fn signed(value: u64, width: u32) -> i64 {
    if value >> (width - 1) & 1 == 1 { value as i64 - (1 << width) } else { value as i64 }
}

/// The value of an operator on arguments with their widths; Booleans are 0 and 1 of width 0.
pub(super) fn apply(op: Op, arguments: &[(u64, u32)]) -> u64 {
    let (a, width) = arguments[0];
    let b = arguments.get(1).map_or(0, |argument| argument.0);
    let second_width = arguments.get(1).map_or(0, |argument| argument.1);
    match op {
        Op::Not => 1 - a,
        Op::And => u64::from(arguments.iter().all(|argument| argument.0 == 1)),
        Op::Or => u64::from(arguments.iter().any(|argument| argument.0 == 1)),
        Op::Xor => a ^ b,
        Op::Eq => u64::from(a == b),
        Op::Ite => {
            if a == 1 {
                b
            } else {
                arguments[2].0
            }
        }
        Op::Concat => a << second_width | b,
        Op::Extract { hi, lo } => a >> lo & mask(hi - lo + 1),
        Op::ZeroExtend(_) => a,
        Op::SignExtend(by) => signed(a, width) as u64 & mask(width + by),
        Op::BvNot => !a & mask(width),
        Op::BvAnd => a & b,
        Op::BvOr => a | b,
        Op::BvXor => a ^ b,
        Op::BvNeg => a.wrapping_neg() & mask(width),
        Op::BvAdd => (a + b) & mask(width),
        Op::BvMul => (a * b) & mask(width),
        Op::BvUdiv => a.checked_div(b).unwrap_or(mask(width)),
        Op::BvUrem => a.checked_rem(b).unwrap_or(a),
        Op::BvSdiv | Op::BvSrem | Op::BvSmod => {
            let (dividend, divisor) = (signed(a, width), signed(b, width));
            let result = match op {
                Op::BvSdiv if divisor == 0 => {
                    if dividend < 0 {
                        1
                    } else {
                        -1
                    }
                }
                _ if divisor == 0 => dividend,
                Op::BvSdiv => dividend / divisor,
                Op::BvSrem => dividend % divisor,
                _ => ((dividend % divisor) + divisor) % divisor,
            };
            result as u64 & mask(width)
        }
        Op::BvShl => {
            if b >= u64::from(width) {
                0
            } else {
                a << b & mask(width)
            }
        }
        Op::BvLshr => {
            if b >= u64::from(width) {
                0
            } else {
                a >> b
            }
        }
        Op::BvAshr => (signed(a, width) >> b.min(63)) as u64 & mask(width),
        Op::BvUlt => u64::from(a < b),
        Op::BvUle => u64::from(a <= b),
        Op::BvSlt => u64::from(signed(a, width) < signed(b, width)),
        Op::BvSle => u64::from(signed(a, width) <= signed(b, width)),
        _ => unreachable!("{op:?} is not checked here"),
    }
}
