//! Rules of concatenation and extension.

use super::rules::Rule;
use crate::arena::Arena;
use crate::bitvec::BitVec;
use crate::op::Op;
use crate::term::Term;

/// How many parts concatenations are flattened to.
const MAX_PARTS: usize = 16;

impl Arena {
    /// The parts of a concatenation that leans to the right, highest first, with zeros for extensions; `None`
    /// if they are too many or nest otherwise. Another term is its own only part.
    pub(super) fn concat_leaves(&mut self, term: Term) -> Option<Vec<Term>> {
        let mut leaves = Vec::new();
        let mut rest = term;
        loop {
            match self.op(rest) {
                Op::Concat => {
                    let (high, low) = self.pair(rest);
                    if self.op(high) == Op::Concat {
                        return None;
                    }
                    leaves.push(high);
                    rest = low;
                }
                Op::ZeroExtend(by) => {
                    leaves.push(self.bv(by, 0));
                    rest = self.child(rest);
                }
                _ => break,
            }
            if leaves.len() >= MAX_PARTS {
                return None;
            }
        }
        leaves.push(rest);
        Some(leaves)
    }

    /// The concatenation of parts, highest first; `None` for no part.
    pub(super) fn concat_all(&mut self, parts: &[Term]) -> Option<Term> {
        let (&last, rest) = parts.split_last()?;
        let mut result = last;
        for &part in rest.iter().rev() {
            result = self.concat(part, result);
        }
        Some(result)
    }

    pub(super) fn simplify_concat(&mut self, high: Term, low: Term) -> Term {
        if let Op::ZeroExtend(by) = self.op(high) {
            self.fire(Rule::ConcatZeros);
            let inner = self.child(high);
            let bits = self.concat(inner, low);
            return self.zero_extend(bits, by);
        }
        let Some(parts) = self.concat_parts(high, low) else { return self.mk_raw(Op::Concat, &[high, low]) };
        if let Some(merged) = self.merge_neighbours(&parts) {
            return self.concat_all(&merged).unwrap_or(high);
        }
        self.raw_concat(&parts)
    }

    /// Parts put together from the right, with extensions for zeros; no two neighbours can be joined.
    fn raw_concat(&mut self, parts: &[Term]) -> Term {
        let (mut result, mut rest) = match parts {
            [rest @ .., high, low] => match self.shifted(*high, *low) {
                Some(shifted) => (shifted, rest),
                None => (*low, &parts[..parts.len() - 1]),
            },
            _ => return parts[0],
        };
        while let [before @ .., part] = rest {
            result = if self.is_zero(*part) {
                self.fire(Rule::ConcatZeros);
                let by = self.width(*part);
                self.mk_raw(Op::ZeroExtend(by), &[result])
            } else {
                self.mk_raw(Op::Concat, &[*part, result])
            };
            rest = before;
        }
        result
    }

    /// Low bits of a term followed by as many zeros as there were high bits.
    fn shifted(&mut self, high: Term, low: Term) -> Option<Term> {
        let Op::Extract { hi, lo: 0 } = self.op(high) else { return None };
        let whole = self.child(high);
        let by = self.width(low);
        if !self.is_zero(low) || hi + 1 + by != self.width(whole) {
            return None;
        }
        self.fire(Rule::ConcatShifted);
        let factor = self.bv_constant(BitVec::one(hi + 1 + by).shl_by(by));
        Some(self.bv_mul(whole, factor))
    }

    /// The parts of both, if there are not too many.
    fn concat_parts(&mut self, high: Term, low: Term) -> Option<Vec<Term>> {
        let mut parts = self.concat_leaves(high)?;
        let nested = parts.len() > 1;
        parts.extend(self.concat_leaves(low)?);
        if parts.len() > MAX_PARTS {
            return None;
        }
        if nested {
            self.fire(Rule::ConcatNested);
        }
        Some(parts)
    }

    /// Joins the first neighbours that are constants or adjacent bits of one term.
    fn merge_neighbours(&mut self, parts: &[Term]) -> Option<Vec<Term>> {
        for position in 1..parts.len() {
            let (high, low) = (parts[position - 1], parts[position]);
            let merged = match (self.op(high), self.op(low)) {
                (Op::Const(_), Op::Const(_)) => {
                    self.fire(Rule::ConcatConstants);
                    self.concat(high, low)
                }
                (Op::Const(_), Op::Ite) if self.is_constant_ite(low) => self.concat(high, low),
                (Op::Ite, Op::Const(_)) if self.is_constant_ite(high) => self.concat(high, low),
                (Op::Extract { hi, lo }, Op::Extract { hi: next, lo: end })
                    if lo == next + 1 && self.child(high) == self.child(low) =>
                {
                    self.fire(Rule::ConcatExtracts);
                    let whole = self.child(high);
                    self.extract(whole, hi, end)
                }
                _ => continue,
            };
            let mut result = parts[..position - 1].to_vec();
            result.push(merged);
            result.extend_from_slice(&parts[position + 1..]);
            return Some(result);
        }
        None
    }

    pub(super) fn simplify_zero_extend(&mut self, a: Term, by: u32) -> Term {
        if by == 0 {
            self.fire(Rule::ExtendNone);
            return a;
        }
        if let Op::ZeroExtend(inner) = self.op(a) {
            self.fire(Rule::ExtendExtend);
            let x = self.child(a);
            return self.zero_extend(x, by + inner);
        }
        self.mk_raw(Op::ZeroExtend(by), &[a])
    }

    pub(super) fn simplify_sign_extend(&mut self, a: Term, by: u32) -> Term {
        if by == 0 {
            self.fire(Rule::ExtendNone);
            return a;
        }
        match self.op(a) {
            Op::SignExtend(inner) => {
                self.fire(Rule::ExtendExtend);
                let x = self.child(a);
                self.sign_extend(x, by + inner)
            }
            Op::ZeroExtend(inner) => {
                self.fire(Rule::ExtendExtend);
                let x = self.child(a);
                self.zero_extend(x, by + inner)
            }
            _ => self.mk_raw(Op::SignExtend(by), &[a]),
        }
    }
}
