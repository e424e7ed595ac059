//! Which floats are linear forms of others.
//!
//! Forms are kept by the columns of ranks. A constraint is made of one only where operands of a sum have some
//! column in common: otherwise the sum itself says as much.

use super::Decomposition;
use crate::boxes::float::value;
use crate::contract::Constraint;
use crate::contract::linear::Linear;
use crate::search::{Column, Search};
use nilas_term::Format;
use num_rational::BigRational;
use num_traits::{One, Zero};
use std::collections::BTreeMap;

/// Forms with more columns are taken to be something new.
const MOST: usize = 24;

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

    fn is_large(&self) -> bool {
        self.operands.len() + self.rounded.len() > MOST
    }
}

impl Decomposition {
    /// The form of a rank: what was noted, a constant, or the rank itself.
    fn form(&self, search: &Search, rank: Column, format: Format) -> Form {
        if let Some(form) = self.forms.get(&rank) {
            return form.clone();
        }
        let range = search.range(rank);
        let number = if range.is_point() { value(format, range.lo).to_real() } else { None };
        match number {
            Some(constant) => Form { constant, ..Form::default() },
            None => {
                let operands = [(rank, (BigRational::one(), format))].into_iter().collect();
                Form { operands, ..Form::default() }
            }
        }
    }

    fn note(&mut self, rank: Column, format: Format, mut form: Form, rounds: bool) {
        if rounds {
            form.rounded.insert(rank, (BigRational::one(), format));
        }
        if !form.is_large() {
            self.forms.insert(rank, form);
        }
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
        let sum = left.plus(&right);
        if left.shares(&right) && !sum.is_large() {
            let mut columns = vec![z];
            columns.extend(sum.operands.keys().chain(sum.rounded.keys()));
            let parts = |parts: &Parts| parts.values().cloned().collect();
            let (operands, rounded) = (parts(&sum.operands), parts(&sum.rounded));
            let linear = Linear { format, operands, rounded, constant: sum.constant.clone() };
            self.constrain(search, Constraint::Linear(Box::new(linear)), columns);
        }
        self.note(z, format, sum, true);
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
