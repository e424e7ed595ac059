//! Zones: upper bounds of differences of columns (Miné, *A New Numerical Abstract Domain Based on
//! Difference-Bound Matrices*, 2001).
//!
//! A column is a number: a float, or a bit-vector in one reading. Column 0 is zero, so that bounds of single
//! columns are differences, too. Zones are kept closed: no bound can be improved by adding two others.

use super::forms::Form;
use nilas_icp::outward::{Range, add_up, mul_down, mul_up};

/// A column of a zone; 0 is the number zero.
pub(super) type Column = usize;

/// The column that is always zero.
pub(super) const ZERO: Column = 0;

/// See the module's text. Never empty.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Zone {
    /// How many columns there are.
    size: usize,
    /// At `i * size + j` what `i - j` is at most.
    bounds: Vec<f64>,
}

impl Zone {
    /// Columns of which nothing is known but ranges; that of column 0 is left out.
    pub(super) fn of(ranges: &[Range]) -> Zone {
        let size = ranges.len() + 1;
        let mut zone = Zone { size, bounds: vec![f64::INFINITY; size * size] };
        for column in 0..size {
            zone.bounds[column * size + column] = 0.0;
        }
        for (range, column) in ranges.iter().zip(1..) {
            zone.set_range(column, *range);
        }
        zone
    }

    /// What `x - y` is at most.
    pub(super) fn most(&self, x: Column, y: Column) -> f64 {
        self.bounds[x * self.size + y]
    }

    pub(super) fn range(&self, column: Column) -> Range {
        Range { lo: -self.most(ZERO, column), hi: self.most(column, ZERO) }
    }

    fn set(&mut self, x: Column, y: Column, most: f64) {
        self.bounds[x * self.size + y] = most;
    }

    /// Nothing is known of a column but a range.
    fn set_range(&mut self, column: Column, range: Range) {
        for other in 0..self.size {
            if other != column {
                let Range { lo, hi } = self.range(other);
                self.set(column, other, add_up(range.hi, -lo));
                self.set(other, column, add_up(hi, -range.lo));
            }
        }
    }

    /// Adds that `x - y` is at most a number, and what follows. Whether anything is left.
    pub(super) fn require(&mut self, x: Column, y: Column, most: f64) -> bool {
        if most >= self.most(x, y) {
            return true;
        }
        if add_up(most, self.most(y, x)) < 0.0 {
            return false;
        }
        for one in 0..self.size {
            let before = add_up(self.most(one, x), most);
            for other in 0..self.size {
                let sum = add_up(before, self.most(y, other));
                if one != other && sum < self.most(one, other) {
                    self.set(one, other, sum);
                }
            }
        }
        true
    }

    /// A column is anything within a range.
    pub(super) fn forget(&mut self, column: Column, range: Range) {
        self.set_range(column, range);
    }

    /// A column takes the value of a form, which is within a range.
    pub(super) fn assign(&mut self, column: Column, form: &Form, range: Range) -> bool {
        let value = self.bound(form).meet(range);
        if value.lo > value.hi {
            return false;
        }
        let difference = |other: Column| self.bound(&form.minus(&Form::column(other), self));
        let differences: Vec<Range> = (0..self.size).map(difference).collect();
        self.set_range(column, value);
        for (other, Range { lo, hi }) in differences.into_iter().enumerate().skip(1) {
            if other != column {
                self.set(column, other, hi.min(self.most(column, other)));
                self.set(other, column, (-lo).min(self.most(other, column)));
            }
        }
        true
    }

    /// The values of a form.
    pub(super) fn bound(&self, form: &Form) -> Range {
        Range { lo: -self.upper(&form.negated()), hi: self.upper(form) }
    }

    /// What a form is at most: columns of different sign are taken together as long as that is better than each
    /// by itself, those first for which it is best.
    fn upper(&self, form: &Form) -> f64 {
        let mut parts: Vec<(Column, Range)> =
            form.parts.iter().map(|&(column, times)| (column, Range::point(times))).collect();
        let mut couples: Vec<(f64, usize, usize)> = Vec::new();
        for (at, &(x, _)) in form.parts.iter().enumerate().filter(|(_, part)| part.1 > 0.0) {
            for (other, &(y, _)) in form.parts.iter().enumerate().filter(|(_, part)| part.1 < 0.0) {
                let apart = add_up(self.range(x).hi, -self.range(y).lo);
                let together = self.most(x, y);
                if together < apart {
                    let gain = if apart.is_finite() { apart - together } else { f64::INFINITY };
                    couples.push((gain, at, other));
                }
            }
        }
        couples.sort_by(|one, two| two.0.total_cmp(&one.0));
        let mut sum = form.rest.hi;
        for (_, at, other) in couples {
            let times = parts[at].1.lo.min(-parts[other].1.hi);
            if times > 0.0 {
                sum = add_up(sum, mul_up(times, self.most(parts[at].0, parts[other].0)));
                parts[at].1 = parts[at].1.plus(Range::point(-times));
                parts[other].1 = parts[other].1.plus(Range::point(times));
            }
        }
        for (column, times) in parts {
            sum = add_up(sum, times.times(self.range(column)).hi);
        }
        sum
    }

    /// Adds that a form is at most zero. Whether anything is left.
    pub(super) fn require_form(&mut self, form: &Form) -> bool {
        if -self.upper(&form.negated()) > 0.0 {
            return false;
        }
        let mut found = Vec::new();
        for &(x, times) in &form.parts {
            for &(y, other) in form.parts.iter().chain([&(ZERO, 0.0)]) {
                // `times (x - y) + rest <= 0`; a column alone is bounded by what the rest is at least.
                let (sign, size) = (times > 0.0, times.abs());
                let pair_size = if y == ZERO { size } else { size.min(other.abs()) };
                if x == y || (y != ZERO && sign == (other > 0.0)) {
                    continue;
                }
                let Some(rest) = form.without(x, y, if sign { pair_size } else { -pair_size }) else {
                    continue;
                };
                let least = -self.upper(&rest.negated());
                let most = -mul_down(least, 1.0 / pair_size);
                // The division may have been rounded the wrong way.
                let most = if pair_size == 1.0 { most } else { most.next_up().next_up() };
                found.push(if sign { (x, y, most) } else { (y, x, most) });
            }
        }
        found.into_iter().all(|(x, y, most)| most.is_nan() || self.require(x, y, most))
    }

    /// Differences of integers are integers.
    pub(super) fn tighten(&mut self, is_integer: &dyn Fn(Column) -> bool) {
        for x in 0..self.size {
            for y in 0..self.size {
                if is_integer(x) && is_integer(y) {
                    let whole = self.most(x, y).floor();
                    self.set(x, y, whole);
                }
            }
        }
    }

    pub(super) fn join(&self, other: &Zone) -> Zone {
        let bounds = self.bounds.iter().zip(&other.bounds).map(|(one, two)| one.max(*two)).collect();
        Zone { size: self.size, bounds }
    }

    /// Bounds that have grown jump to the next threshold: the sizes of these grow.
    pub(super) fn widen(&self, new: &Zone, thresholds: &[f64]) -> Zone {
        let jump = |(&old, &new): (&f64, &f64)| {
            if new <= old {
                return old;
            }
            thresholds.iter().copied().find(|&it| it >= new).unwrap_or(f64::INFINITY)
        };
        Zone { size: self.size, bounds: self.bounds.iter().zip(&new.bounds).map(jump).collect() }
    }
}
