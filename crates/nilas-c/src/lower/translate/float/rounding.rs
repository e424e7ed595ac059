//! The rounding mode: to nearest, ties to even, unless the program declares `fesetround`; then it is a
//! variable.

use crate::lower::lowering::Lowering;
use crate::lower::translate::temporary::Scratch;
use nilas_fault::{Fault, planted};
use nilas_term::{RoundingMode, Sort, Term, Value};

impl Lowering<'_> {
    pub(super) fn mode(&mut self, mode: RoundingMode) -> Term {
        self.build.arena.constant(Value::RoundingMode(mode))
    }

    /// The rounding mode of arithmetic.
    pub(super) fn current_mode(&mut self) -> Term {
        match self.rounding_variable() {
            Some(variable) => self.build.variable_term(variable),
            None if planted(Fault::RoundTowardZero) => self.mode(RoundingMode::TowardZero),
            None => self.mode(RoundingMode::NearestEven),
        }
    }

    fn rounding_variable(&mut self) -> Option<nilas_program::VarId> {
        if !self.facts.rounding {
            return None;
        }
        if self.rounding.is_none() {
            self.rounding = Some(self.build.new_variable("rounding mode", &Sort::RoundingMode).0);
        }
        self.rounding
    }

    /// What stands here was computed by the compiler, or is computed now: the same in one mode only.
    pub(in crate::lower) fn rounds_to_nearest(&mut self) {
        let (current, nearest) = (self.current_mode(), self.mode(RoundingMode::NearestEven));
        let other = self.build.arena.ne(current, nearest);
        self.build.unmodelled_if(other, "a constant expression in another rounding mode than to nearest");
    }

    /// Execution starts with rounding to nearest.
    pub(in crate::lower) fn initialise_rounding(&mut self) {
        if let Some(variable) = self.rounding {
            let nearest = self.mode(RoundingMode::NearestEven);
            self.build.assign(variable, nearest);
        }
    }

    /// `fesetround`: sets the mode that x86 gives this number; 0, or not 0 if there is none.
    pub(in crate::lower) fn set_rounding(&mut self, number: Term) -> Option<Term> {
        let variable = self.rounding_variable()?;
        let number = self.save_scratch(number);
        let mut result = self.build.arena.bv(32, 1);
        let mut mode = self.build.variable_term(variable);
        for (value, name) in MODES {
            let value = self.build.arena.bv(32, value);
            let hit = self.build.arena.eq(number, value);
            let (zero, constant) = (self.build.arena.bv(32, 0), self.mode(name));
            result = self.build.arena.ite(hit, zero, result);
            mode = self.build.arena.ite(hit, constant, mode);
        }
        self.build.assign(variable, mode);
        Some(result)
    }

    /// `fegetround`
    pub(in crate::lower) fn get_rounding(&mut self) -> Term {
        let current = self.current_mode();
        let mut result = self.build.arena.bv(32, 0);
        for (value, name) in MODES {
            let constant = self.mode(name);
            let hit = self.build.arena.eq(current, constant);
            let value = self.build.arena.bv(32, value);
            result = self.build.arena.ite(hit, value, result);
        }
        result
    }

    fn save_scratch(&mut self, term: Term) -> Term {
        if self.build.arena.as_value(term).is_some() {
            return term;
        }
        let sort = self.build.arena.sort(term).clone();
        let (variable, saved) = self.scratch(Scratch::RoundingMode, &sort);
        self.build.assign(variable, term);
        saved
    }

    /// `FLT_ROUNDS`
    pub(in crate::lower) fn float_rounds(&mut self) -> Term {
        let current = self.current_mode();
        let mut result = self.build.arena.bv(32, 0);
        for (number, name) in [(1, RoundingMode::NearestEven), (2, RoundingMode::Up), (3, RoundingMode::Down)]
        {
            let constant = self.mode(name);
            let hit = self.build.arena.eq(current, constant);
            let number = self.build.arena.bv(32, number);
            result = self.build.arena.ite(hit, number, result);
        }
        result
    }
}

/// The rounding modes with their numbers in `fenv.h` on x86.
const MODES: [(u64, RoundingMode); 4] = [
    (0, RoundingMode::NearestEven),
    (0x400, RoundingMode::Down),
    (0x800, RoundingMode::Up),
    (0xc00, RoundingMode::TowardZero),
];
