//! What is required of a term, told to its children.
//!
//! Connectives and comparisons only: arithmetic is left to splits. Each function gives values that the child
//! must be among; whatever is not given is not narrowed.

use super::Node;
use super::bits::{Bits, Span};
use super::floats::{Floats, greatest, key, least};
use super::known::Known;
use nilas_term::Op;

/// For some children, by number, what they must be among.
pub(super) fn backward(node: &Node, own: Known, known: &[Known]) -> Vec<(usize, Known)> {
    let child = |at: usize| known[node.children[at]];
    match (node.op, own.decided()) {
        (Op::Not, Some(value)) => vec![(node.children[0], Known::truth(!value))],
        (Op::And, Some(value)) => junction(node, known, value, true),
        (Op::Or, Some(value)) => junction(node, known, value, false),
        (Op::Xor | Op::Eq, Some(value)) if node.children.len() == 2 => {
            let same = value == (node.op == Op::Eq);
            match (child(0), child(1)) {
                (Known::Truth { .. }, Known::Truth { .. }) => {
                    let other = |from: usize, to: usize| {
                        Some((node.children[to], Known::truth(child(from).decided()? == same)))
                    };
                    other(0, 1).into_iter().chain(other(1, 0)).collect()
                }
                _ if same => vec![(node.children[0], child(1)), (node.children[1], child(0))],
                _ => Vec::new(),
            }
        }
        (Op::Ite, _) => choice(node, own, known),
        (_, Some(value)) => comparison(node, value, known),
        _ => Vec::new(),
    }
}

/// `and` that is true, `or` that is false: all children are. Otherwise one child must be different, and if only
/// one can be, it is.
fn junction(node: &Node, known: &[Known], value: bool, neutral: bool) -> Vec<(usize, Known)> {
    if value == neutral {
        return node.children.iter().map(|&child| (child, Known::truth(value))).collect();
    }
    let mut able = node.children.iter().filter(|&&child| known[child].can_be(value));
    match (able.next(), able.next()) {
        (Some(&only), None) => vec![(only, Known::truth(value))],
        _ => Vec::new(),
    }
}

/// The branch that is taken has the value of the whole. A branch that cannot have it is not taken.
fn choice(node: &Node, own: Known, known: &[Known]) -> Vec<(usize, Known)> {
    let [condition, then, otherwise] = node.children[..] else { return Vec::new() };
    match known[condition].decided() {
        Some(value) => vec![(if value { then } else { otherwise }, own)],
        None if own.meet(known[then]).is_empty() => vec![(condition, Known::truth(false))],
        None if own.meet(known[otherwise]).is_empty() => vec![(condition, Known::truth(true))],
        None => Vec::new(),
    }
}

fn comparison(node: &Node, value: bool, known: &[Known]) -> Vec<(usize, Known)> {
    let operands: Vec<Known> = node.children.iter().map(|&child| known[child]).collect();
    match (node.op, &operands[..]) {
        (Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle, &[Known::Bits(x), Known::Bits(y)]) => {
            let strict = matches!(node.op, Op::BvUlt | Op::BvSlt);
            let signed = matches!(node.op, Op::BvSlt | Op::BvSle);
            // That `x < y` is false is `y <= x`.
            let (less, more) = if value { (0, 1) } else { (1, 0) };
            let ends = if value { (x, y) } else { (y, x) };
            let gap = i128::from(strict == value);
            let (low, high) = ordered(ends.0, ends.1, gap, signed);
            vec![(node.children[less], Known::Bits(low)), (node.children[more], Known::Bits(high))]
        }
        (Op::FpLt | Op::FpLe, &[Known::Float(x), Known::Float(y)]) => {
            let strict = node.op == Op::FpLt;
            if value {
                let (low, high) = rising(x, y, i128::from(strict));
                vec![(node.children[0], Known::Float(low)), (node.children[1], Known::Float(high))]
            } else if !x.nan && !y.nan {
                let (low, high) = rising(y, x, i128::from(!strict));
                vec![(node.children[1], Known::Float(low)), (node.children[0], Known::Float(high))]
            } else {
                Vec::new()
            }
        }
        (Op::FpEq, &[Known::Float(x), Known::Float(y)]) if value && x.numbers() && y.numbers() => {
            let like = |it: Floats, other: Floats| {
                let (lo, hi) = (least(key(other.lo)), greatest(key(other.hi)));
                Known::Float(it.meet(Floats { lo, hi, nan: false, ..it }))
            };
            vec![(node.children[0], like(x, y)), (node.children[1], like(y, x))]
        }
        (Op::FpIsNan, &[Known::Float(x)]) => {
            let found = if value { Floats { lo: 1, hi: 0, ..x } } else { Floats { nan: false, ..x } };
            vec![(node.children[0], Known::Float(found))]
        }
        _ => Vec::new(),
    }
}

/// Numbers of which the first is at least `gap` below the second.
fn rising(low: Floats, high: Floats, gap: i128) -> (Floats, Floats) {
    if !low.numbers() || !high.numbers() {
        let none = |it: Floats| Floats { lo: 1, hi: 0, nan: false, ..it };
        return (none(low), none(high));
    }
    let most = greatest(key(high.hi) - gap);
    let fewest = least(key(low.lo) + gap);
    (
        Floats { hi: low.hi.min(most), nan: false, ..low },
        Floats { lo: high.lo.max(fewest), nan: false, ..high },
    )
}

/// The same for bit-vectors by one reading.
fn ordered(low: Bits, high: Bits, gap: i128, signed: bool) -> (Bits, Bits) {
    let reading = |it: Bits| if signed { it.signed } else { it.unsigned };
    let with = |it: Bits, span: Span| match signed {
        true => it.meet(Bits { signed: span, ..it }),
        false => it.meet(Bits { unsigned: span, ..it }),
    };
    let (from, to) = (reading(low), reading(high));
    (
        with(low, Span { lo: from.lo, hi: from.hi.min(to.hi - gap) }),
        with(high, Span { lo: to.lo.max(from.lo + gap), hi: to.hi }),
    )
}
