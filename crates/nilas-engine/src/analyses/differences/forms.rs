//! Terms as linear forms of columns (Miné, *Relational Abstract Domains for the Detection of Floating-Point
//! Run-Time Errors*, 2004).
//!
//! A form is a sum of multiples of columns, and a range that is added: what is no multiple of anything, and what
//! floats were rounded by. A bit-vector is a form modulo its width; where the values of the form lie in the
//! reading that is asked for, they are the values of that reading.

use super::Analysis;
use super::zone::{Column, ZERO, Zone};
use nilas_icp::outward::{Range, add_down, add_up, mul_down, mul_up};
use nilas_term::{FloatValue, Format, Op, RoundingMode, Sort, Term, Value};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Terms are followed to this depth; what is below may be anything.
const DEEPEST: usize = 48;

/// See the module's text. Parts are sorted by their columns, and no multiple is 0.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Form {
    pub(super) parts: Vec<(Column, f64)>,
    pub(super) rest: Range,
}

impl Form {
    pub(super) fn of(rest: Range) -> Form {
        Form { parts: Vec::new(), rest }
    }

    pub(super) fn column(column: Column) -> Form {
        if column == ZERO {
            return Form::of(Range::point(0.0));
        }
        Form { parts: vec![(column, 1.0)], rest: Range::point(0.0) }
    }

    pub(super) fn negated(&self) -> Form {
        let parts = self.parts.iter().map(|&(column, times)| (column, -times)).collect();
        Form { parts, rest: Range { lo: -self.rest.hi, hi: -self.rest.lo } }
    }

    fn times(&self, column: Column) -> f64 {
        self.parts.binary_search_by_key(&column, |part| part.0).map_or(0.0, |at| self.parts[at].1)
    }

    /// The sum. What coefficients are rounded by is added as a range, for which columns are looked up.
    pub(super) fn plus(&self, other: &Form, zone: &Zone) -> Form {
        let mut sum = Form::of(self.rest.plus(other.rest));
        let columns: BTreeSet<Column> = self.parts.iter().chain(&other.parts).map(|part| part.0).collect();
        for column in columns {
            let (one, two) = (self.times(column), other.times(column));
            sum.push(column, one + two, add_up(one, two) - add_down(one, two), zone);
        }
        sum
    }

    pub(super) fn minus(&self, other: &Form, zone: &Zone) -> Form {
        self.plus(&other.negated(), zone)
    }

    fn scaled(&self, by: f64, zone: &Zone) -> Form {
        let mut product = Form::of(self.rest.times(Range::point(by)));
        for &(column, times) in &self.parts {
            product.push(column, times * by, mul_up(times, by) - mul_down(times, by), zone);
        }
        product
    }

    /// Adds a multiple of a column, of which `off` may have been rounded off.
    fn push(&mut self, column: Column, times: f64, off: f64, zone: &Zone) {
        if off != 0.0 {
            self.rest = self.rest.plus(zone.range(column).times(Range::around_zero(off)));
        }
        if times != 0.0 {
            self.parts.push((column, times));
        }
    }

    /// Less `times (x - y)`; nothing if a multiple would not be exact.
    pub(super) fn without(&self, x: Column, y: Column, times: f64) -> Option<Form> {
        let mut less = self.clone();
        for (column, off) in [(x, times), (y, -times)] {
            if column == ZERO {
                continue;
            }
            let at = less.parts.binary_search_by_key(&column, |part| part.0).ok()?;
            let rest = less.parts[at].1 - off;
            if rest + off != less.parts[at].1 {
                return None;
            }
            less.parts[at].1 = rest;
        }
        less.parts.retain(|part| part.1 != 0.0);
        Some(less)
    }

    fn point(&self) -> Option<f64> {
        (self.parts.is_empty() && self.rest.lo == self.rest.hi).then_some(self.rest.lo)
    }
}

/// Conditions of choices that were decided.
pub(super) type Decided = FxHashMap<Term, bool>;

impl Analysis<'_> {
    /// The value of a float or of a reading of a bit-vector; nothing for other terms.
    pub(super) fn form(&self, zone: &Zone, decided: &Decided, term: Term, signed: bool) -> Option<Form> {
        match *self.arena.sort(term) {
            Sort::Float(..) => Some(self.float(zone, decided, term, DEEPEST)),
            Sort::BitVec(width) => Some(self.reading(zone, decided, term, (width, signed), DEEPEST)),
            _ => None,
        }
    }

    fn float(&self, zone: &Zone, decided: &Decided, term: Term, depth: usize) -> Form {
        let all = Form::of(Range::ALL);
        let Sort::Float(exponent, significand) = *self.arena.sort(term) else { return all };
        let format = Format::new(exponent, significand);
        if depth == 0 || !super::is_followed(format) {
            return all;
        }
        if let Some(&(column, _)) = self.columns.get(&term) {
            return Form::column(column);
        }
        let children = self.arena.children(term);
        let child = |at: usize| match children.get(at) {
            Some(&child) if matches!(self.arena.sort(child), Sort::Float(..)) => {
                self.float(zone, decided, child, depth - 1)
            }
            _ => Form::of(Range::ALL),
        };
        let rounded = |form: Form| round(form, zone, format);
        match self.arena.op(term) {
            Op::Const(id) => match self.arena.value(id) {
                Value::Float(float) => number(float).map_or(all, |number| Form::of(Range::point(number))),
                _ => all,
            },
            Op::FpNeg => child(0).negated(),
            Op::FpAbs => {
                let inner = child(0);
                let Range { lo, hi } = zone.bound(&inner);
                match (lo >= 0.0, hi <= 0.0) {
                    (true, _) => inner,
                    (_, true) => inner.negated(),
                    _ => Form::of(Range { lo: 0.0, hi: hi.max(-lo) }),
                }
            }
            Op::FpAdd => rounded(child(1).plus(&child(2), zone)),
            Op::FpMul => {
                let (left, right) = (child(1), child(2));
                rounded(match (left.point(), right.point()) {
                    (Some(factor), _) => right.scaled(factor, zone),
                    (_, Some(factor)) => left.scaled(factor, zone),
                    _ => Form::of(zone.bound(&left).times(zone.bound(&right))),
                })
            }
            Op::FpDiv => match child(2).point() {
                Some(divisor) if divisor != 0.0 => {
                    let (factor, dividend) = (1.0 / divisor, child(1));
                    // The quotient of the constants is off by less than its last place.
                    let off = zone.bound(&dividend).size() * factor.abs() * 2.0 * f64::EPSILON;
                    let mut quotient = dividend.scaled(factor, zone);
                    quotient.rest = quotient.rest.plus(Range::around_zero(if off.is_nan() {
                        f64::INFINITY
                    } else {
                        off
                    }));
                    rounded(quotient)
                }
                _ => all,
            },
            Op::FpToFp(..) => rounded(child(1)),
            Op::FpRoundToIntegral => {
                let mut whole = child(1);
                whole.rest = whole.rest.plus(Range::around_zero(1.0));
                whole
            }
            Op::FpFromSigned(..) | Op::FpFromUnsigned(..) => {
                let signed = matches!(self.arena.op(term), Op::FpFromSigned(..));
                match children.get(1).map(|&child| (child, self.arena.sort(child))) {
                    Some((child, &Sort::BitVec(width))) => {
                        rounded(self.reading(zone, decided, child, (width, signed), depth - 1))
                    }
                    _ => all,
                }
            }
            Op::FpMin | Op::FpMax => {
                let (left, right) = (zone.bound(&child(0)), zone.bound(&child(1)));
                Form::of(if self.arena.op(term) == Op::FpMin {
                    Range { lo: left.lo.min(right.lo), hi: left.hi.min(right.hi) }
                } else {
                    Range { lo: left.lo.max(right.lo), hi: left.hi.max(right.hi) }
                })
            }
            Op::Ite => match decided.get(&children[0]) {
                Some(true) => child(1),
                Some(false) => child(2),
                None => Form::of(zone.bound(&child(1)).join(zone.bound(&child(2)))),
            },
            _ => all,
        }
    }

    /// The value of a bit-vector in a reading.
    fn reading(
        &self,
        zone: &Zone,
        decided: &Decided,
        term: Term,
        (width, signed): (u32, bool),
        depth: usize,
    ) -> Form {
        let values = super::values(width, signed);
        let fits = |form: Form| {
            if values.includes(zone.bound(&form)) { form } else { Form::of(values) }
        };
        if depth == 0 || width > super::WIDEST {
            return Form::of(values);
        }
        let children = self.arena.children(term);
        // A value that is the same in both readings is one of the other reading that fits.
        let inner = |child: Term, signed: bool| match *self.arena.sort(child) {
            Sort::BitVec(width) => self.reading(zone, decided, child, (width, signed), depth - 1),
            _ => Form::of(Range::ALL),
        };
        if self.columns.contains_key(&term) || self.is_linear(term) {
            return fits(self.modular(zone, decided, term, depth));
        }
        match self.arena.op(term) {
            Op::ZeroExtend(_) => fits(inner(children[0], false)),
            Op::SignExtend(_) => fits(inner(children[0], true)),
            Op::Ite => match decided.get(&children[0]) {
                Some(true) => inner(children[1], signed),
                Some(false) => inner(children[2], signed),
                None => {
                    let (one, two) = (inner(children[1], signed), inner(children[2], signed));
                    Form::of(zone.bound(&one).join(zone.bound(&two)))
                }
            },
            Op::BvAnd => {
                // Not more than the least of those that are no negative numbers.
                let sizes = children.iter().map(|&child| zone.bound(&inner(child, signed)));
                let most = sizes.filter(|range| range.lo >= 0.0).map(|range| range.hi).reduce(f64::min);
                Form::of(most.map_or(values, |hi| Range { lo: 0.0, hi }))
            }
            _ => Form::of(values),
        }
    }

    fn is_linear(&self, term: Term) -> bool {
        matches!(self.arena.op(term), Op::Const(_) | Op::BvAdd | Op::BvNeg | Op::BvMul)
    }

    /// A form that a bit-vector is, modulo its width.
    fn modular(&self, zone: &Zone, decided: &Decided, term: Term, depth: usize) -> Form {
        let Sort::BitVec(width) = *self.arena.sort(term) else { return Form::of(Range::ALL) };
        if let Some(&(column, _)) = self.columns.get(&term) {
            return Form::column(column);
        }
        if depth == 0 || !self.is_linear(term) {
            return self.reading(zone, decided, term, (width, true), depth);
        }
        let children = self.arena.children(term);
        let mut inner = children.iter().map(|&child| self.modular(zone, decided, child, depth - 1));
        let made = match self.arena.op(term) {
            Op::Const(_) => self.arena.as_bitvec(term).map(super::signed_number).map(Form::of),
            Op::BvNeg => inner.next().map(|form| form.negated()),
            Op::BvAdd => inner.reduce(|sum, form| sum.plus(&form, zone)),
            _ => inner.reduce(|product, form| match (product.point(), form.point()) {
                (Some(factor), _) => form.scaled(factor, zone),
                (_, Some(factor)) => product.scaled(factor, zone),
                _ => Form::of(zone.bound(&product).times(zone.bound(&form))),
            }),
        };
        made.unwrap_or(Form::of(Range::ALL))
    }
}

/// A form and what its value may be rounded by to a format, in any rounding mode. What overflows may be anything.
fn round(mut form: Form, zone: &Zone, format: Format) -> Form {
    let range = zone.bound(&form);
    let size = range.size();
    let largest = number(&FloatValue::largest(format, false)).unwrap_or(f64::MAX);
    if size.is_nan() || size >= largest {
        return Form::of(Range::ALL);
    }
    let relative = mul_up(size, 2.0_f64.powi(1 - super::exponent(format.significand)));
    let least = 2.0_f64.powi(super::exponent_of(format.least_exponent())).max(f64::from_bits(1));
    form.rest = form.rest.plus(Range::around_zero(relative.max(least)));
    form
}

/// A float as a number of the machine; nothing if it is not finite or not exactly one.
pub(super) fn number(float: &FloatValue) -> Option<f64> {
    let double = float.to_format(Format::DOUBLE, RoundingMode::NearestEven);
    let back = double.to_format(float.format(), RoundingMode::NearestEven);
    let number = f64::from_bits(u64::try_from(double.bits.to_big()).ok()?);
    (number.is_finite() && back.compare(float).is_some_and(std::cmp::Ordering::is_eq)).then_some(number)
}
