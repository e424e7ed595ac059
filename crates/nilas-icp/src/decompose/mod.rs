//! From terms to columns, clauses and constraints: a Tseitin-like decomposition.
//!
//! Every term becomes a [`View`]: a truth value is a bound, a bit-vector two columns (its readings), a float
//! two (rank and flag), a rounding mode one. Operators become constraints that define the columns of the term
//! from those of its children; Boolean structure becomes clauses. All of it says what a term *is*, and
//! nothing that must hold, so it is shared by all checks and never taken back.

mod bits;
mod boolean;
mod float;
mod linear;

use crate::boxes::interval::Interval;
use crate::contract::Constraint;
use crate::search::{Bound, Column, Input, Search};
use nilas_term::{Arena, Format, Op, RoundingMode, Sort, Term, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// What a term is in the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum View {
    /// A truth value.
    Bool(Bound),
    /// A bit-vector: unsigned and signed reading, width.
    Bits { unsigned: Column, signed: Column, width: u32 },
    /// A float: rank, flag of NaN, format.
    Float { rank: Column, nan: Column, format: Format },
    /// A rounding mode.
    Mode(Column),
}

/// A term that is not supported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unsupported(pub(crate) String);

/// What was made for one term.
#[derive(Clone, Debug, Default)]
struct Made {
    booleans: Vec<Column>,
    constraints: Vec<usize>,
    input: Option<Input>,
}

/// What matters to a check.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cone {
    pub(crate) booleans: Vec<Column>,
    pub(crate) inputs: Vec<Input>,
    pub(crate) constraints: Vec<usize>,
    /// Variables of the formulas.
    pub(crate) variables: Vec<Term>,
}

/// The decomposition so far.
#[derive(Debug, Default)]
pub(crate) struct Decomposition {
    views: FxHashMap<Term, View>,
    made: FxHashMap<Term, Made>,
    /// Truth values that stand for bounds of other columns.
    named: FxHashMap<Bound, Column>,
    constants: FxHashMap<i128, Column>,
    /// Truth values that say whether all of several literals hold.
    pub(crate) conjunctions: Vec<(Bound, Vec<Bound>)>,
    /// Floats that are linear forms of others.
    forms: linear::Forms,
    /// What the term in work has made.
    current: Made,
    stack: Vec<Term>,
}

impl Decomposition {
    /// The view of a term, decomposed as far as it is not yet.
    pub(crate) fn view(
        &mut self,
        search: &mut Search,
        arena: &Arena,
        term: Term,
    ) -> Result<View, Unsupported> {
        self.stack.clear();
        self.stack.push(term);
        while let Some(&top) = self.stack.last() {
            if self.views.contains_key(&top) {
                self.stack.pop();
                continue;
            }
            let before = self.stack.len();
            let children = arena.children(top);
            self.stack.extend(children.iter().filter(|child| !self.views.contains_key(child)));
            if self.stack.len() > before {
                continue;
            }
            let children: Vec<View> = children.iter().map(|child| self.views[child]).collect();
            self.current = Made::default();
            let view = self.decompose(search, arena, top, &children)?;
            self.views.insert(top, view);
            self.made.insert(top, std::mem::take(&mut self.current));
            self.stack.pop();
        }
        Ok(self.views[&term])
    }

    /// The literal of a Boolean term.
    pub(crate) fn literal(
        &mut self,
        search: &mut Search,
        arena: &Arena,
        term: Term,
    ) -> Result<Bound, Unsupported> {
        match self.view(search, arena, term)? {
            View::Bool(literal) => Ok(literal),
            _ => Err(Unsupported("a term that is no truth value is asserted".to_owned())),
        }
    }

    /// The view of a term that was decomposed.
    pub(crate) fn known(&self, term: Term) -> Option<View> {
        self.views.get(&term).copied()
    }

    /// All terms that were decomposed.
    pub(crate) fn views(&self) -> impl Iterator<Item = (Term, View)> {
        let mut views: Vec<(Term, View)> = self.views.iter().map(|(&term, &view)| (term, view)).collect();
        views.sort_unstable_by_key(|&(term, _)| term);
        views.into_iter()
    }

    /// Truth values that stand for bounds.
    pub(crate) fn names(&self) -> impl Iterator<Item = (&Bound, &Column)> {
        self.named.iter()
    }

    /// Everything that terms rest on.
    pub(crate) fn cone(&self, arena: &Arena, roots: &[Term]) -> Cone {
        let mut cone = Cone::default();
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        let mut stack = roots.to_vec();
        while let Some(term) = stack.pop() {
            if !seen.insert(term) {
                continue;
            }
            stack.extend_from_slice(arena.children(term));
            if arena.as_variable(term).is_some() {
                cone.variables.push(term);
            }
            if let Some(made) = self.made.get(&term) {
                cone.booleans.extend_from_slice(&made.booleans);
                cone.constraints.extend_from_slice(&made.constraints);
                cone.inputs.extend(made.input);
            }
        }
        // The order of the walk depends on the roots; that of the search should not.
        cone.booleans.sort_unstable();
        cone.booleans.dedup();
        cone.constraints.sort_unstable();
        cone.variables.sort_unstable();
        cone
    }

    fn decompose(
        &mut self,
        search: &mut Search,
        arena: &Arena,
        term: Term,
        children: &[View],
    ) -> Result<View, Unsupported> {
        let op = arena.op(term);
        match op {
            Op::Var(_) => self.variable(search, arena.sort(term)),
            Op::Const(value) => self.constant(search, arena.value(value)),
            Op::Not | Op::And | Op::Or | Op::Xor => self.connective(search, op, children),
            Op::Eq => self.equality(search, children),
            Op::Ite => self.choice(search, children),
            _ => match arena.sort(term) {
                Sort::BitVec(width) if supported_width(*width) => self.bits(search, op, *width, children),
                Sort::Bool => self.predicate(search, op, children),
                Sort::Float(exponent, significand) => {
                    let format = supported_format(*exponent, *significand)?;
                    self.float(search, op, format, children)
                }
                sort => Err(Unsupported(format!("{op:?} of sort {sort}"))),
            },
        }
    }

    fn variable(&mut self, search: &mut Search, sort: &Sort) -> Result<View, Unsupported> {
        Ok(match sort {
            Sort::Bool => View::Bool(self.boolean(search)),
            Sort::BitVec(width) if supported_width(*width) => {
                let view = self.new_bits(search, *width);
                if let View::Bits { unsigned, .. } = view {
                    self.current.input = Some(Input::Bits(unsigned, *width));
                }
                view
            }
            Sort::Float(exponent, significand) => {
                let format = supported_format(*exponent, *significand)?;
                let nan = self.boolean(search).column;
                let rank = search.column(crate::boxes::float::numbers(format));
                self.current.input = Some(Input::Float(rank, nan));
                View::Float { rank, nan, format }
            }
            Sort::RoundingMode => {
                let column = search.column(Interval { lo: 0, hi: 4 });
                self.current.input = Some(Input::Mode(column));
                View::Mode(column)
            }
            sort => return Err(Unsupported(format!("variables of sort {sort}"))),
        })
    }

    fn constant(&mut self, search: &mut Search, value: &Value) -> Result<View, Unsupported> {
        Ok(match value {
            Value::Bool(value) => View::Bool(self.truth(search, *value)),
            Value::BitVec(bits) if supported_width(bits.width()) => {
                let width = bits.width();
                let number = crate::boxes::float::number(bits).cast_signed();
                let signed = if bits.sign_bit() { number - (1 << width) } else { number };
                let [unsigned, signed] = [number, signed].map(|rank| self.point(search, rank));
                View::Bits { unsigned, signed, width }
            }
            Value::Float(float) => {
                let format = supported_format(float.exponent, float.significand)?;
                let rank = crate::boxes::float::rank(float);
                let nan = self.point(search, i128::from(rank.is_none()));
                View::Float { rank: self.point(search, rank.unwrap_or_default()), nan, format }
            }
            Value::RoundingMode(mode) => View::Mode(self.mode(search, *mode)),
            value => return Err(Unsupported(format!("values of sort {}", value.sort()))),
        })
    }

    fn mode(&mut self, search: &mut Search, mode: RoundingMode) -> Column {
        self.point(search, crate::contract::float::mode_rank(mode))
    }

    /// A column that holds one rank.
    fn point(&mut self, search: &mut Search, rank: i128) -> Column {
        *self.constants.entry(rank).or_insert_with(|| search.column(Interval::point(rank)))
    }

    /// True or false as a bound.
    fn truth(&mut self, search: &mut Search, value: bool) -> Bound {
        let one = Bound::at_least(self.point(search, 1), 1);
        if value { one } else { one.negated() }
    }

    fn constrain(&mut self, search: &mut Search, constraint: Constraint, columns: Vec<Column>) {
        let id = search.constrain(constraint, columns);
        self.current.constraints.push(id);
    }
}

fn supported_width(width: u32) -> bool {
    width <= crate::boxes::bits::MAX_WIDTH
}

fn supported_format(exponent: u32, significand: u32) -> Result<Format, Unsupported> {
    if exponent + significand <= crate::boxes::float::MAX_BITS {
        Ok(Format::new(exponent, significand))
    } else {
        Err(Unsupported(format!("floats of {} bits", exponent + significand)))
    }
}

/// For children of the wrong sort, which arenas do not make.
fn ill_sorted(op: Op) -> Unsupported {
    Unsupported(format!("{op:?} on these arguments"))
}
