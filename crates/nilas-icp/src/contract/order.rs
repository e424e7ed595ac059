//! Comparisons, equality and choices, on columns of any sort.

use crate::boxes::float::{greatest_of_key, key, least_of_key};
use crate::boxes::interval::Interval;

/// What is compared, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    /// The relation.
    pub relation: Relation,
    /// Ranks of floats in the IEEE order, where both zeros are equal.
    pub ieee: bool,
}

/// A relation of two columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Relation {
    Less,
    LessOrEqual,
    Equal,
}

impl Order {
    /// `columns` are `b`, `x`, `y`: `b` says whether the relation holds.
    pub(super) fn contract(self, columns: &mut [Interval]) -> Option<()> {
        let to_key = |range: Interval| Interval { lo: key(range.lo), hi: key(range.hi) };
        let (mut x, mut y) = (columns[1], columns[2]);
        if self.ieee {
            (x, y) = (to_key(x), to_key(y));
        }
        let (never, always) = match self.relation {
            Relation::Less => (x.lo >= y.hi, x.hi < y.lo),
            Relation::LessOrEqual => (x.lo > y.hi, x.hi <= y.lo),
            Relation::Equal => (x.meet(y).is_none(), x.is_point() && x == y),
        };
        columns[0] = columns[0].meet(Interval::new(i128::from(always), i128::from(!never))?)?;
        if columns[0].is_point() {
            let holds = columns[0].lo == 1;
            match (self.relation, holds) {
                (Relation::Less, true) => less(&mut x, &mut y, 1)?,
                (Relation::Less, false) => less(&mut y, &mut x, 0)?,
                (Relation::LessOrEqual, true) => less(&mut x, &mut y, 0)?,
                (Relation::LessOrEqual, false) => less(&mut y, &mut x, 1)?,
                (Relation::Equal, true) => {
                    x = x.meet(y)?;
                    y = x;
                }
                (Relation::Equal, false) => {
                    if x.is_point() {
                        y = without(y, x.lo)?;
                    }
                    if y.is_point() {
                        x = without(x, y.lo)?;
                    }
                }
            }
        }
        let back = |range: Interval, before: Interval| {
            if self.ieee {
                before.meet(Interval { lo: least_of_key(range.lo), hi: greatest_of_key(range.hi) })
            } else {
                Some(range)
            }
        };
        (columns[1], columns[2]) = (back(x, columns[1])?, back(y, columns[2])?);
        Some(())
    }
}

/// `x + gap ≤ y`.
fn less(x: &mut Interval, y: &mut Interval, gap: i128) -> Option<()> {
    *x = Interval::new(x.lo, x.hi.min(y.hi - gap))?;
    *y = Interval::new(y.lo.max(x.lo + gap), y.hi)?;
    Some(())
}

/// An interval without a rank, where that is its end.
fn without(range: Interval, rank: i128) -> Option<Interval> {
    if range.lo == rank {
        Interval::new(rank + 1, range.hi)
    } else if range.hi == rank {
        Interval::new(range.lo, rank - 1)
    } else {
        Some(range)
    }
}

/// `columns` are `c`, `z`, `x`, `y`: `z` is `x` if `c`, else `y`.
pub(super) fn choice(columns: &mut [Interval]) -> Option<()> {
    let [c, z, x, y] = [columns[0], columns[1], columns[2], columns[3]];
    let then = z.meet(x).filter(|_| c.hi == 1);
    let otherwise = z.meet(y).filter(|_| c.lo == 0);
    columns[0] = Interval::new(i128::from(otherwise.is_none()), i128::from(then.is_some()))?;
    match (then, otherwise) {
        (Some(range), None) => (columns[1], columns[2]) = (range, range),
        (None, Some(range)) => (columns[1], columns[3]) = (range, range),
        (Some(left), Some(right)) => columns[1] = left.hull(right),
        (None, None) => return None,
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn intervals(lo: i128, hi: i128) -> Vec<Interval> {
        (lo..=hi)
            .flat_map(|lo| (lo..=hi).map(move |hi| Interval { lo, hi }))
            .filter(|i| i.lo <= i.hi)
            .collect()
    }

    /// All boxes of the toy format's ranks: nothing is lost, and what is left is the hull of the solutions.
    #[test]
    fn orders_are_optimal() {
        for relation in [Relation::Less, Relation::LessOrEqual, Relation::Equal] {
            for ieee in [false, true] {
                let order = Order { relation, ieee };
                let ranges = intervals(-7, 6);
                for &b in &intervals(0, 1) {
                    for &x in &ranges {
                        for &y in &ranges {
                            let mut best: Option<[Interval; 3]> = None;
                            for i in x.lo..=x.hi {
                                for j in y.lo..=y.hi {
                                    let (left, right) = if ieee { (key(i), key(j)) } else { (i, j) };
                                    let holds = i128::from(match relation {
                                        Relation::Less => left < right,
                                        Relation::LessOrEqual => left <= right,
                                        Relation::Equal => left == right,
                                    });
                                    if b.contains(holds) {
                                        let here = [holds, i, j].map(Interval::point);
                                        best = Some(best.map_or(here, |best| {
                                            std::array::from_fn(|at| best[at].hull(here[at]))
                                        }));
                                    }
                                }
                            }
                            let mut columns = [b, x, y];
                            let left = order.contract(&mut columns).map(|()| columns);
                            assert_eq!(left, best, "{order:?} on {b:?} {x:?} {y:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn choices_are_optimal() {
        let ranges = intervals(0, 4);
        for &c in &intervals(0, 1) {
            for &z in &ranges {
                for &x in &ranges {
                    for &y in &ranges {
                        let mut best: Option<[Interval; 4]> = None;
                        for condition in c.lo..=c.hi {
                            for i in x.lo..=x.hi {
                                for j in y.lo..=y.hi {
                                    let chosen = if condition == 1 { i } else { j };
                                    if z.contains(chosen) {
                                        let here = [condition, chosen, i, j].map(Interval::point);
                                        best = Some(best.map_or(here, |best| {
                                            std::array::from_fn(|at| best[at].hull(here[at]))
                                        }));
                                    }
                                }
                            }
                        }
                        let mut columns = [c, z, x, y];
                        let left = choice(&mut columns).map(|()| columns);
                        assert_eq!(left, best, "{c:?} {z:?} {x:?} {y:?}");
                    }
                }
            }
        }
    }
}
