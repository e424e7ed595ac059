//! Functions on the bits of a number.

use crate::library::catalogue::Meaning;
use crate::lower::HavocOrigin;
use crate::lower::lowering::Lowering;
use crate::property::{Claim, Property};
use crate::tree::BinaryOp;
use nilas_fault::{Fault, planted};
use nilas_term::Term;

impl Lowering<'_> {
    /// The result of a function on bits; `None` if the meaning is none.
    pub(in crate::lower) fn bits_of(&mut self, meaning: Meaning, value: Term) -> Option<Term> {
        if !matches!(self.build.arena.sort(value), nilas_term::Sort::BitVec(_)) {
            return None;
        }
        let width = self.build.arena.width(value);
        Some(match meaning {
            Meaning::Absolute => {
                let zero = self.build.arena.bv(self.build.arena.width(value), 0);
                self.check_overflow(BinaryOp::Sub, zero, value, true);
                let negative = self.build.arena.bv_is_negative(value);
                let minus = self.build.arena.bv_neg(value);
                self.build.arena.ite(negative, minus, value)
            }
            Meaning::PopulationCount => self.population_count(value),
            Meaning::Parity => {
                let count = self.population_count(value);
                let one = self.build.arena.bv(32, 1);
                self.build.arena.bv_and(count, one)
            }
            Meaning::LeadingZeros => {
                let count = self.first_set(value, true, 0);
                self.open_at_zero(value, count, "__builtin_clz", "`__builtin_clz(0)`")
            }
            Meaning::TrailingZeros => {
                let count = self.first_set(value, false, 0);
                self.open_at_zero(value, count, "__builtin_ctz", "`__builtin_ctz(0)`")
            }
            Meaning::FindFirstSet => self.first_set(value, false, 1),
            Meaning::LeadingSigns => {
                // Where the bits begin to differ from the sign; nowhere is all but the sign.
                let sign = self.build.arena.bv(width, u64::from(width - 1));
                let sign = self.build.arena.bv_ashr(value, sign);
                let differ = self.build.arena.bv_xor(value, sign);
                let count = self.first_set(differ, true, 0);
                let one = self.build.arena.bv(32, 1);
                let count = self.build.arena.bv_sub(count, one);
                let zero = self.build.arena.bv(width, 0);
                let same = self.build.arena.eq(differ, zero);
                let all = self.build.arena.bv(32, u64::from(width - 1));
                self.build.arena.ite(same, all, count)
            }
            Meaning::SwapBytes => {
                let mut swapped: Option<Term> = None;
                for byte in 0..width / 8 {
                    let part = self.build.arena.extract(value, 8 * byte + 7, 8 * byte);
                    swapped = Some(swapped.map_or(part, |high| self.build.arena.concat(high, part)));
                }
                swapped?
            }
            _ => return None,
        })
    }

    /// GCC leaves open what the function gives for zero: any number, of which nobody knows which.
    fn open_at_zero(&mut self, value: Term, count: Term, name: &str, what: &'static str) -> Term {
        let zero = self.build.arena.bv(self.build.arena.width(value), 0);
        let nonzero = self.build.arena.ne(value, zero);
        if self.build.asks(Property::OtherUndefined) {
            self.defined_for(value, nonzero, Claim::new(Property::OtherUndefined, what));
            return count;
        }
        if self.build.arena.as_bool(nonzero) == Some(true) {
            return count;
        }
        let sort = self.build.arena.sort(count).clone();
        let (variable, any) = self.build.new_variable(&format!("{}::%open", self.context()), &sort);
        let origin = HavocOrigin::Determined(name.to_owned());
        self.with_origin(origin, |this| this.build.havoc(variable));
        self.build.arena.ite(nonzero, count, any)
    }

    fn population_count(&mut self, value: Term) -> Term {
        let mut sum = self.build.arena.bv(32, 0);
        for bit in 0..self.build.arena.width(value) - u32::from(planted(Fault::PopcountTopBit)) {
            let bit = self.build.arena.extract(value, bit, bit);
            let bit = self.build.arena.zero_extend(bit, 31);
            sum = self.build.arena.bv_add(sum, bit);
        }
        sum
    }

    /// The number of zeros before the first bit that is set, from the top or from the bottom, plus `more`; 0
    /// if there is none.
    fn first_set(&mut self, value: Term, from_top: bool, more: u64) -> Term {
        let width = self.build.arena.width(value);
        let mut result = self.build.arena.bv(32, 0);
        let order: Vec<u32> = if from_top { (0..width).collect() } else { (0..width).rev().collect() };
        for bit in order {
            let one = self.build.arena.bv(1, 1);
            let at = self.build.arena.extract(value, bit, bit);
            let set = self.build.arena.eq(at, one);
            let count = if from_top { width - 1 - bit } else { bit };
            let count = self.build.arena.bv(32, u64::from(count) + more);
            result = self.build.arena.ite(set, count, result);
        }
        result
    }
}
