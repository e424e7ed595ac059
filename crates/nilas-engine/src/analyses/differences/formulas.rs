//! Zones as formulas.
//!
//! A bound of the zone is about exact differences, and a formula about floats of those that a machine computes:
//! that is the same where the bound is rounded up to a float. But rounding differences makes a formula say a little
//! less, so what is inductive for exact numbers may be not quite inductive any more. Therefore each bound of floats
//! is proposed several times, a little and much farther out; the least that is inductive is kept by whoever asks.

use super::Analysis;
use super::zone::{Column, ZERO, Zone};
use nilas_icp::outward::{Range, add_up};
use nilas_program::VarId;
use nilas_term::{BitVec, FloatValue, Format, Op, RoundingMode, Sort, Term, Value};

/// How much farther out bounds of floats are proposed, and rounded up to so many decimal digits.
const FARTHER: [(f64, i32); 4] = [(1.0, 9), (1.001, 4), (1.02, 2), (1.5, 1)];

impl Analysis<'_> {
    /// The formulas that say what a zone knows about some variables, of each bound the strongest first.
    pub(super) fn formulas(&mut self, zone: &Zone, variables: &[VarId]) -> Vec<Term> {
        let mut found = Vec::new();
        for (place, &one) in variables.iter().enumerate() {
            self.range(zone, one, &mut found);
            for &two in &variables[place + 1..] {
                self.difference(zone, one, two, &mut found);
            }
        }
        found
    }

    /// Bounds of a float.
    fn range(&mut self, zone: &Zone, variable: VarId, found: &mut Vec<Term>) {
        let (Some((column, _)), Sort::Float(exponent, significand)) =
            (self.column_of(variable), self.automaton.variable(variable).sort.clone())
        else {
            return;
        };
        let format = Format::new(exponent, significand);
        let term = self.automaton.variable(variable).term;
        self.within(term, format, zone.range(column), &mut *found);
    }

    /// Bounds of the difference of two variables, where the zone knows more of it than of each of them.
    fn difference(&mut self, zone: &Zone, x: VarId, y: VarId, found: &mut Vec<Term>) {
        let (Some((one, signed)), Some((two, other))) = (self.column_of(x), self.column_of(y)) else {
            return;
        };
        let sort = self.automaton.variable(x).sort.clone();
        if sort != self.automaton.variable(y).sort || signed != other {
            return;
        }
        let most = |x: Column, y: Column| {
            let apart = add_up(zone.most(x, ZERO), zone.most(ZERO, y));
            Some(zone.most(x, y)).filter(|&most| most < apart)
        };
        let (upper, lower) = (most(one, two), most(two, one));
        let (x, y) = (self.automaton.variable(x).term, self.automaton.variable(y).term);
        match sort {
            Sort::Float(exponent, significand) if upper.is_some() || lower.is_some() => {
                let mode = self.arena.constant(Value::RoundingMode(RoundingMode::NearestEven));
                let negated = self.arena.mk(Op::FpNeg, &[y]);
                let difference = self.arena.mk(Op::FpAdd, &[mode, x, negated]);
                let [lower, upper] = [lower, upper].map(|most| most.unwrap_or(f64::INFINITY));
                let range = Range { lo: -lower, hi: upper };
                self.within(difference, Format::new(exponent, significand), range, found);
            }
            Sort::BitVec(width) => {
                for (most, x, y) in [(upper, x, y), (lower, y, x)] {
                    let Some(most) = most else { continue };
                    let formula = self.integers_apart(x, y, (width, signed), most);
                    found.push(formula);
                }
            }
            _ => {}
        }
    }

    /// `x - y <= most` for bit-vectors.
    fn integers_apart(&mut self, x: Term, y: Term, (width, signed): (u32, bool), most: f64) -> Term {
        let (le, extend) = match signed {
            true => (Op::BvSle, Op::SignExtend(1)),
            false => (Op::BvUle, Op::ZeroExtend(1)),
        };
        if most == 0.0 {
            return self.arena.mk(le, &[x, y]);
        }
        // One more bit, so that the difference is what it says.
        let [x, y] = [x, y].map(|term| self.arena.mk(extend, &[term]));
        let minus = self.arena.mk(Op::BvNeg, &[y]);
        let difference = self.arena.mk(Op::BvAdd, &[x, minus]);
        let most = BitVec::from_signed(width + 1, &(most as i128).into());
        let most = self.arena.bv_constant(most);
        self.arena.mk(Op::BvSle, &[difference, most])
    }

    /// That a float is within a range, or one that is wider.
    fn within(&mut self, term: Term, format: Format, range: Range, found: &mut Vec<Term>) {
        for (most, is_upper) in [(range.hi, true), (-range.lo, false)] {
            for (farther, digits) in FARTHER {
                let most = decimal_up(if most > 0.0 { most * farther } else { most / farther }, digits);
                let double = FloatValue::from_bits(Format::DOUBLE, BitVec::new(64, most.to_bits()));
                let most = double.to_format(format, RoundingMode::Up);
                if most.is_infinite() || most.is_nan() {
                    continue;
                }
                let formula = if is_upper {
                    let most = self.arena.constant(Value::Float(most));
                    self.arena.mk(Op::FpLe, &[term, most])
                } else {
                    let least = self.arena.constant(Value::Float(most.neg()));
                    self.arena.mk(Op::FpLe, &[least, term])
                };
                if !found.contains(&formula) {
                    found.push(formula);
                }
            }
        }
    }
}

/// A number rounded up to so many decimal digits.
fn decimal_up(number: f64, digits: i32) -> f64 {
    if number == 0.0 || !number.is_finite() {
        return number;
    }
    let place = number.abs().log10().floor() as i32 + 1 - digits;
    let rounded = if place >= 0 {
        let unit = 10.0_f64.powi(place);
        (number / unit).ceil() * unit
    } else {
        let unit = 10.0_f64.powi(-place);
        (number * unit).ceil() / unit
    };
    rounded.max(number)
}
