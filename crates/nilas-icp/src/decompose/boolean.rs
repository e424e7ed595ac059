//! Boolean structure, equality and choices.

use super::{Decomposition, Unsupported, View, ill_sorted};
use crate::boxes::interval::Interval;
use crate::contract::Constraint;
use crate::contract::order::{Order, Relation};
use crate::search::{Bound, Column, Search};
use nilas_term::Op;

impl Decomposition {
    /// A new truth value.
    pub(super) fn boolean(&mut self, search: &mut Search) -> Bound {
        let column = search.column(Interval::BOOLEAN);
        self.current.booleans.push(column);
        Bound::at_least(column, 1)
    }

    /// A truth value that stands for a bound, so that it can be decided, and a column for constraints.
    pub(super) fn named(&mut self, search: &mut Search, bound: Bound) -> Column {
        let range = search.range(bound.column);
        if range.lo >= 0 && range.hi <= 1 && bound == Bound::at_least(bound.column, 1) {
            return bound.column;
        }
        if let Some(&column) = self.named.get(&bound) {
            self.current.booleans.push(column);
            return column;
        }
        let name = self.boolean(search);
        search.add_clause(&[name.negated(), bound]);
        search.add_clause(&[name, bound.negated()]);
        self.named.insert(bound, name.column);
        name.column
    }

    /// A bound as a truth value.
    pub(super) fn atom(&mut self, search: &mut Search, bound: Bound) -> View {
        View::Bool(Bound::at_least(self.named(search, bound), 1))
    }

    /// A truth value that says whether all of them hold.
    pub(super) fn all(&mut self, search: &mut Search, literals: &[Bound]) -> Bound {
        if let [only] = literals {
            return *only;
        }
        let name = self.boolean(search);
        let mut long = vec![name];
        for &literal in literals {
            search.add_clause(&[name.negated(), literal]);
            long.push(literal.negated());
        }
        search.add_clause(&long);
        self.conjunctions.push((name, literals.to_vec()));
        name
    }

    /// A truth value that says whether any of them holds.
    pub(super) fn any(&mut self, search: &mut Search, literals: &[Bound]) -> Bound {
        let negated: Vec<Bound> = literals.iter().map(|literal| literal.negated()).collect();
        self.all(search, &negated).negated()
    }

    /// A truth value that says whether both are the same.
    fn equivalent(&mut self, search: &mut Search, left: Bound, right: Bound) -> Bound {
        let name = self.boolean(search);
        search.add_clause(&[name.negated(), left.negated(), right]);
        search.add_clause(&[name.negated(), left, right.negated()]);
        search.add_clause(&[name, left, right]);
        search.add_clause(&[name, left.negated(), right.negated()]);
        name
    }

    pub(super) fn connective(
        &mut self,
        search: &mut Search,
        op: Op,
        children: &[View],
    ) -> Result<View, Unsupported> {
        let literals: Option<Vec<Bound>> =
            children.iter().map(|child| if let View::Bool(l) = child { Some(*l) } else { None }).collect();
        let literals = literals.ok_or_else(|| ill_sorted(op))?;
        Ok(View::Bool(match (op, literals.as_slice()) {
            (Op::Not, [x]) => x.negated(),
            (Op::And, all) => self.all(search, all),
            (Op::Or, any) => self.any(search, any),
            (Op::Xor, [x, y]) => self.equivalent(search, *x, *y).negated(),
            _ => return Err(ill_sorted(op)),
        }))
    }

    /// A truth value that says whether two columns are in a relation.
    pub(super) fn related(&mut self, search: &mut Search, order: Order, x: Column, y: Column) -> Bound {
        let name = self.boolean(search);
        self.constrain(search, Constraint::Order(order), vec![name.column, x, y]);
        name
    }

    /// A truth value that says whether two columns are equal.
    fn same(&mut self, search: &mut Search, x: Column, y: Column) -> Bound {
        for (constant, column) in [(x, y), (y, x)] {
            let range = search.range(constant);
            if range.is_point() {
                let bounds = [Bound::at_least(column, range.lo), Bound::at_most(column, range.lo)];
                return self.all(search, &bounds);
            }
        }
        self.related(search, Order { relation: Relation::Equal, ieee: false }, x, y)
    }

    pub(super) fn equality(&mut self, search: &mut Search, children: &[View]) -> Result<View, Unsupported> {
        Ok(View::Bool(match *children {
            [View::Bool(x), View::Bool(y)] => self.equivalent(search, x, y),
            [View::Bits { unsigned: x, .. }, View::Bits { unsigned: y, .. }]
            | [View::Mode(x), View::Mode(y)] => self.same(search, x, y),
            [View::Float { rank: x, nan: x_nan, .. }, View::Float { rank: y, nan: y_nan, .. }] => {
                let [x_nan, y_nan] = [x_nan, y_nan].map(|column| Bound::at_least(column, 1));
                let ranks = self.same(search, x, y);
                // Both NaN, or the same number.
                let neither = self.all(search, &[x_nan.negated(), y_nan.negated(), ranks]);
                let both = self.all(search, &[x_nan, y_nan]);
                self.any(search, &[neither, both])
            }
            _ => return Err(ill_sorted(Op::Eq)),
        }))
    }

    pub(super) fn choice(&mut self, search: &mut Search, children: &[View]) -> Result<View, Unsupported> {
        let &[View::Bool(condition), then, otherwise] = children else { return Err(ill_sorted(Op::Ite)) };
        if let (View::Bool(x), View::Bool(y)) = (then, otherwise) {
            let name = self.boolean(search);
            for (when, value) in [(condition, x), (condition.negated(), y)] {
                search.add_clause(&[when.negated(), name.negated(), value]);
                search.add_clause(&[when.negated(), name, value.negated()]);
            }
            search.add_clause(&[name.negated(), x, y]);
            search.add_clause(&[name, x.negated(), y.negated()]);
            return Ok(View::Bool(name));
        }
        let condition = self.named(search, condition);
        Ok(match (then, otherwise) {
            (View::Bits { unsigned: xu, signed: xs, width }, View::Bits { unsigned: yu, signed: ys, .. }) => {
                let view = self.new_bits(search, width);
                if let View::Bits { unsigned, signed, .. } = view {
                    self.constrain(search, Constraint::Choice, vec![condition, unsigned, xu, yu]);
                    self.constrain(search, Constraint::Choice, vec![condition, signed, xs, ys]);
                }
                view
            }
            (View::Float { rank: x, nan: x_nan, format }, View::Float { rank: y, nan: y_nan, .. }) => {
                let rank = search.column(crate::boxes::float::numbers(format));
                let nan = self.boolean(search).column;
                self.constrain(search, Constraint::Choice, vec![condition, rank, x, y]);
                self.constrain(search, Constraint::Choice, vec![condition, nan, x_nan, y_nan]);
                self.linear_choice(condition, rank, format, [x, y]);
                View::Float { rank, nan, format }
            }
            (View::Mode(x), View::Mode(y)) => {
                let column = search.column(Interval { lo: 0, hi: 4 });
                self.constrain(search, Constraint::Choice, vec![condition, column, x, y]);
                View::Mode(column)
            }
            _ => return Err(ill_sorted(Op::Ite)),
        })
    }
}
