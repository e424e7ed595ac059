//! Which floats are linear forms of others.
//!
//! Forms are kept by the columns of ranks. A constraint is made of one only where it says more than the sum itself:
//! - operands of the sum have some column in common;
//! - an operand is a choice, and one of its branches has a column in common with the rest: the form holds while
//!   the condition of the choice is that of the branch;
//! - another sum `g` is `x ± y`, and the form is about `x` and `y`, too: `0.9 x - 0.9 y` is `0.9 g` but for what
//!   was rounded off `g`. So what is known of differences and sums of two variables is used where intervals of
//!   each of them say nothing.

use super::Decomposition;
use crate::boxes::float::{infinity, magnitude, value};
use crate::contract::Constraint;
use crate::contract::linear::Linear;
use crate::search::{Column, Search};
use nilas_term::Format;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Forms with more columns are taken to be something new.
const MOST: usize = 24;
/// Conditions that one form may have, and forms that one sum may have.
const CONDITIONS: usize = 4;
const WAYS: usize = 16;
/// Forms of one sum that are about another sum.
const ABOUT_OTHERS: usize = 8;

/// Columns with coefficients; formats beside them.
type Parts = BTreeMap<Column, (BigRational, Format)>;

/// A linear form, see [`Linear`].
#[derive(Clone, Debug, Default)]
pub(super) struct Form {
    operands: Parts,
    rounded: Parts,
    constant: BigRational,
}

impl Form {
    /// A column itself.
    fn of(column: Column, format: Format) -> Form {
        let operands = [(column, (BigRational::one(), format))].into_iter().collect();
        Form { operands, ..Form::default() }
    }

    fn scaled(&self, by: &BigRational) -> Form {
        let scale = |parts: &Parts| {
            let scaled = parts.iter().map(|(&column, (times, format))| (column, (times * by, *format)));
            scaled.collect()
        };
        Form { operands: scale(&self.operands), rounded: scale(&self.rounded), constant: &self.constant * by }
    }

    fn plus(&self, other: &Form) -> Form {
        let sum = |one: &Parts, two: &Parts| {
            let mut sum = one.clone();
            for (&column, (times, format)) in two {
                let entry = sum.entry(column).or_insert_with(|| (BigRational::zero(), *format));
                // What cancels out stays: it must be finite nevertheless.
                entry.0 += times;
            }
            sum
        };
        Form {
            operands: sum(&self.operands, &other.operands),
            rounded: sum(&self.rounded, &other.rounded),
            constant: &self.constant + &other.constant,
        }
    }

    fn shares(&self, other: &Form) -> bool {
        self.operands.keys().any(|column| other.operands.contains_key(column))
    }

    /// The same with something else in the place of an operand.
    fn with(&self, column: Column, instead: &Form) -> Form {
        let mut rest = self.clone();
        match rest.operands.remove(&column) {
            Some((times, _)) => rest.plus(&instead.scaled(&times)),
            None => rest,
        }
    }

    /// The two columns that this is the sum or the difference of, and little else.
    fn pair(&self) -> Option<[Column; 2]> {
        let is_one = |(times, _): &(BigRational, Format)| times.abs().is_one();
        let plain = self.operands.values().all(is_one) && self.rounded.len() <= 1;
        let columns: Vec<Column> = self.operands.keys().copied().collect();
        <[Column; 2]>::try_from(columns).ok().filter(|_| plain)
    }

    /// How often another form, of the sum or difference of two columns, can be taken out of this one.
    fn multiple(&self, pair: &Form, columns: [Column; 2]) -> Option<BigRational> {
        let part = |column: Column| {
            let (own, other) = (&self.operands.get(&column)?.0, &pair.operands.get(&column)?.0);
            Some(own * other)
        };
        let (one, two) = (part(columns[0])?, part(columns[1])?);
        // Both of one sign, so that taking out makes both smaller.
        (one.is_positive() == two.is_positive() && !one.is_zero() && !two.is_zero())
            .then(|| if one.abs() < two.abs() { one } else { two })
    }

    fn is_large(&self) -> bool {
        self.operands.len() + self.rounded.len() > MOST
    }
}

/// What a sum is while some truth values are as they are.
#[derive(Clone, Debug)]
struct Way {
    form: Form,
    conditions: Vec<(Column, bool)>,
    /// Whether the last branch that was taken has something in common with the rest.
    is_new: bool,
}

/// A sum with all its forms, before it was rounded to `z`.
#[derive(Debug)]
struct Sum {
    z: Column,
    format: Format,
    ways: Vec<Way>,
    /// How many of the constraints are about other sums.
    about_others: usize,
}

/// A float that is one of two: the truth value that decides, and both.
#[derive(Clone, Copy, Debug)]
struct Choice {
    condition: Column,
    branches: [Column; 2],
    format: Format,
}

/// All that is known of linear forms.
#[derive(Debug, Default)]
pub(super) struct Forms {
    /// Ranks of floats that are linear forms of others.
    of: FxHashMap<Column, Form>,
    choices: FxHashMap<Column, Choice>,
    sums: Vec<Sum>,
    /// Which sums are about a column.
    about: FxHashMap<Column, Vec<usize>>,
    /// Sums and differences of two columns.
    pairs: BTreeMap<[Column; 2], Vec<usize>>,
}

impl Decomposition {
    /// The form of a rank: what was noted, a constant, or the rank itself.
    fn form(&self, search: &Search, rank: Column, format: Format) -> Form {
        if let Some(form) = self.forms.of.get(&rank) {
            return form.clone();
        }
        let range = search.range(rank);
        // The real of an infinity would be zero.
        let is_number = range.is_point() && magnitude(range.lo) < infinity(format);
        let number = is_number.then(|| value(format, range.lo).to_real()).flatten();
        match number {
            Some(constant) => Form { constant, ..Form::default() },
            None => Form::of(rank, format),
        }
    }

    fn note(&mut self, rank: Column, format: Format, mut form: Form, rounds: bool) {
        if rounds {
            form.rounded.insert(rank, (BigRational::one(), format));
        }
        if !form.is_large() {
            self.forms.of.insert(rank, form);
        }
    }

    /// `z` is one of two floats.
    pub(super) fn linear_choice(
        &mut self,
        condition: Column,
        z: Column,
        format: Format,
        branches: [Column; 2],
    ) {
        self.forms.choices.insert(z, Choice { condition, branches, format });
    }

    /// `z` is a sum.
    pub(super) fn linear_sum(
        &mut self,
        search: &mut Search,
        z: Column,
        format: Format,
        x: Column,
        y: Column,
    ) {
        let (left, right) = (self.form(search, x, format), self.form(search, y, format));
        let form = left.plus(&right);
        self.note(z, format, form.clone(), true);
        if form.is_large() {
            return;
        }
        let ways = self.ways(search, Way { is_new: left.shares(&right), form, conditions: Vec::new() });
        for way in ways.iter().filter(|way| way.is_new) {
            self.constrain_way(search, z, format, way);
        }
        self.add_sum(search, Sum { z, format, ways, about_others: 0 });
    }

    /// A form and what becomes of it where its operands are choices.
    fn ways(&self, search: &Search, first: Way) -> Vec<Way> {
        let mut ways = vec![first];
        let mut at = 0;
        while let Some(way) = ways.get(at).cloned() {
            at += 1;
            let choice = |&column: &Column| Some((column, *self.forms.choices.get(&column)?));
            let Some((column, choice)) = way.form.operands.keys().find_map(choice) else { continue };
            let decided = way.conditions.iter().find(|(condition, _)| *condition == choice.condition);
            if ways.len() + 2 > WAYS || decided.is_none() && way.conditions.len() == CONDITIONS {
                continue;
            }
            for (taken, branch) in [true, false].into_iter().zip(choice.branches) {
                if decided.is_some_and(|&(_, before)| before != taken) {
                    continue;
                }
                let branch = self.form(search, branch, choice.format);
                let form = way.form.with(column, &branch);
                if form.is_large() {
                    continue;
                }
                let mut conditions = way.conditions.clone();
                if decided.is_none() {
                    conditions.push((choice.condition, taken));
                }
                ways.push(Way { is_new: way.form.shares(&branch), form, conditions });
            }
        }
        ways
    }

    fn constrain_way(&mut self, search: &mut Search, z: Column, format: Format, way: &Way) {
        let Way { form, conditions, .. } = way;
        let mut columns = vec![z];
        columns.extend(form.operands.keys().chain(form.rounded.keys()));
        columns.extend(conditions.iter().map(|&(column, _)| column));
        let parts = |parts: &Parts| parts.values().cloned().collect();
        let (operands, rounded) = (parts(&form.operands), parts(&form.rounded));
        let conditions = conditions.iter().map(|&(_, wanted)| wanted).collect();
        let linear = Linear::new(format, operands, rounded, form.constant.clone(), conditions);
        self.constrain(search, Constraint::Linear(Box::new(linear)), columns);
    }

    /// Notes a sum, and uses those that are about the same columns: older ones here, and this one there.
    fn add_sum(&mut self, search: &mut Search, sum: Sum) {
        let own = self.forms.sums.len();
        let mut columns: Vec<Column> =
            sum.ways.iter().flat_map(|way| way.form.operands.keys().copied()).collect();
        columns.sort_unstable();
        columns.dedup();
        let pair = sum.ways[0].form.pair();
        self.forms.sums.push(sum);
        for (place, &one) in columns.iter().enumerate() {
            for &two in &columns[place + 1..] {
                for other in self.forms.pairs.get(&[one, two]).cloned().unwrap_or_default() {
                    self.use_pair(search, own, other, [one, two]);
                }
            }
        }
        if let Some(pair) = pair {
            let about = |column: Column| self.forms.about.get(&column).map_or(&[][..], Vec::as_slice);
            let both: Vec<usize> =
                about(pair[0]).iter().copied().filter(|other| about(pair[1]).contains(other)).collect();
            for other in both {
                self.use_pair(search, other, own, pair);
            }
            self.forms.pairs.entry(pair).or_default().push(own);
        }
        for column in columns {
            self.forms.about.entry(column).or_default().push(own);
        }
    }

    /// Forms of a sum in which another sum, of two columns, stands for these.
    fn use_pair(&mut self, search: &mut Search, sum: usize, pair: usize, columns: [Column; 2]) {
        let Sum { z: other, format: other_format, ref ways, .. } = self.forms.sums[pair];
        let exact = ways[0].form.clone();
        let mut rounded = exact.clone();
        rounded.rounded.insert(other, (BigRational::one(), other_format));
        let instead = Form::of(other, other_format).plus(&rounded.scaled(&-BigRational::one()));
        let Sum { z, format, ref ways, .. } = self.forms.sums[sum];
        let about = |way: &Way| {
            let form = way.form.plus(&instead.scaled(&way.form.multiple(&exact, columns)?));
            (!form.is_large()).then(|| Way { form, ..way.clone() })
        };
        let found: Vec<Way> = ways.iter().filter_map(about).collect();
        for way in found {
            if self.forms.sums[sum].about_others == ABOUT_OTHERS {
                return;
            }
            self.forms.sums[sum].about_others += 1;
            self.constrain_way(search, z, format, &way);
        }
    }

    /// `z` is a product, perhaps with a constant.
    pub(super) fn linear_product(
        &mut self,
        search: &Search,
        z: Column,
        format: Format,
        x: Column,
        y: Column,
    ) {
        let (left, right) = (self.form(search, x, format), self.form(search, y, format));
        let constant = |form: &Form| form.operands.is_empty() && form.rounded.is_empty();
        if constant(&left) {
            self.note(z, format, right.scaled(&left.constant), true);
        } else if constant(&right) {
            self.note(z, format, left.scaled(&right.constant), true);
        }
    }

    /// `z` is the negation of `x`.
    pub(super) fn linear_negation(&mut self, search: &Search, z: Column, format: Format, x: Column) {
        let form = self.form(search, x, format);
        self.note(z, format, form.scaled(&-BigRational::one()), false);
    }
}
