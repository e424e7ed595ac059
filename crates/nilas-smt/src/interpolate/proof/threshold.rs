//! Comparisons with constants, recognised in circuits.
//!
//! From the highest bit down, `x <= c` is `not x_i and rest` where `c_i` is 0 and `not x_i or rest` where it
//! is 1; `x >= c` is `x_i and rest` where `c_i` is 1 and `x_i or rest` where it is 0.

use super::circuit::{Circuit, Edge, Node};
use super::lift::conjuncts;
use super::record::Bit;
use nilas_term::Term;

/// `variable[lo + n - 1 : lo]` compared with a constant of `n` bits, unsigned.
pub(super) struct Bound {
    pub(super) variable: Term,
    pub(super) lo: u32,
    /// Lowest bit first.
    pub(super) constant: Vec<bool>,
    /// At most, or at least.
    pub(super) upper: bool,
}

/// The comparison that an edge is, if it is one with both `and` and `or` in it: without, it is better said by
/// equality.
pub(super) fn recognise(circuit: &Circuit, edge: Edge) -> Option<Bound> {
    let mut rest = Some(edge);
    // From the highest bit down; the bit to come next, and the polarity of all literals.
    let mut constant: Vec<bool> = Vec::new();
    let mut next: Option<(Bit, bool)> = None;
    let mut groups = 0;
    while let Some(edge) = rest.take() {
        let disjunction = edge.is_complement();
        let (mut bits, mut chain): (Vec<(Bit, bool)>, Option<Edge>) = (Vec::new(), None);
        let members = match circuit.node(edge) {
            Node::False => return None,
            Node::Bit(_) => vec![edge],
            Node::And(..) => conjuncts(circuit, edge),
        };
        let single = members.len() == 1;
        for member in members {
            let member = if disjunction && !single { !member } else { member };
            match circuit.node(member) {
                Node::Bit(bit) => bits.push((bit, !member.is_complement())),
                _ if chain.is_none() => chain = Some(member),
                _ => return None,
            }
        }
        bits.sort_unstable_by(|a, b| b.cmp(a));
        let last = bits.len().checked_sub(1)?;
        for (position, (bit, positive)) in bits.into_iter().enumerate() {
            if next.is_some_and(|expected| expected != (bit, positive)) {
                return None;
            }
            let is_final = position == last && chain.is_none();
            // The final literal decides alone: everything below is free.
            constant.push(if is_final { positive } else { positive != disjunction });
            let below = match bit.index.checked_sub(1) {
                Some(index) => Bit { index, ..bit },
                None if is_final => bit,
                None => return None,
            };
            next = Some((below, positive));
            if is_final {
                if groups == 0 {
                    return None;
                }
                constant.reverse();
                return Some(Bound { variable: bit.variable, lo: bit.index, constant, upper: !positive });
            }
        }
        groups += 1;
        rest = chain;
    }
    None
}
