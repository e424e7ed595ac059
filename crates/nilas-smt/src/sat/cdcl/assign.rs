//! The partial assignment: values, the trail, levels, reasons, saved phases.
//!
//! Level 0 holds what is implied for ever, level 1 holds all assumptions at once with what follows from
//! them, decisions begin at level 2. Since no two assumptions are told apart by level, learnt clauses
//! count them as one block (LBD), and a conflict at level 1 means that the assumptions fail.
//!
//! A value has a fourth case besides true, false and open: *outside*, for variables that are not in the
//! cone of the query. It is chosen greater than *true* so that one comparison, "greater than zero", says
//! that a clause with that literal need not be looked at. This is the whole cost of the cone in the
//! propagation loop.

use super::super::{Lit, Var};
use super::arena::ClauseRef;

/// Value of a literal that is false.
pub(super) const FALSE: i8 = -1;
/// Value of a literal that is not assigned, in the cone.
pub(super) const OPEN: i8 = 0;
/// Value of a literal that is true.
pub(super) const TRUE: i8 = 1;
/// Value of both literals of a variable that is outside the cone and not implied for ever.
pub(super) const OUTSIDE: i8 = 2;

/// Why a variable has its value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Reason(u32, u32);

/// A [`Reason`], taken apart.
pub(super) enum Because {
    /// Decided or assumed.
    Nothing,
    /// The other literal of a binary clause is false.
    Binary(Lit),
    /// The other two literals of a ternary clause are false.
    Ternary(Lit, Lit),
    /// All other literals of the clause are false.
    Clause(ClauseRef),
}

/// In place of a second literal: there is none.
const NO_LITERAL: u32 = u32::MAX;
/// In place of a second literal: the first word is a clause.
const IS_CLAUSE: u32 = u32::MAX - 1;

impl Reason {
    /// Decided or assumed.
    pub(super) const NOTHING: Reason = Reason(NO_LITERAL, NO_LITERAL);

    /// The binary clause with this other, false literal.
    #[inline]
    pub(super) fn binary(other: Lit) -> Self {
        Reason(other.code(), NO_LITERAL)
    }

    /// The ternary clause with these other, false literals.
    #[inline]
    pub(super) fn ternary(a: Lit, b: Lit) -> Self {
        Reason(a.code(), b.code())
    }

    /// A clause of the arena, whose first literal is the implied one.
    #[inline]
    pub(super) fn clause(clause: ClauseRef) -> Self {
        Reason(clause.0, IS_CLAUSE)
    }

    /// Whether the variable got its value from its gate, given that this is its reason: ternary clauses with
    /// reasons of their own kind are clauses of gates, and the output is the youngest variable of each.
    #[inline]
    pub(super) fn is_definition_of(self, var: Var) -> bool {
        let Reason(a, b) = self;
        // The marks for other kinds are greater than any literal.
        a >> 1 < var.0 && b >> 1 < var.0
    }

    /// Tells the cases apart.
    #[inline]
    pub(super) fn because(self) -> Because {
        match self {
            Self::NOTHING => Because::Nothing,
            Reason(other, NO_LITERAL) => Because::Binary(Lit::from_code(other)),
            Reason(clause, IS_CLAUSE) => Because::Clause(ClauseRef(clause)),
            Reason(a, b) => Because::Ternary(Lit::from_code(a), Lit::from_code(b)),
        }
    }
}

/// Level and reason of an assigned variable.
#[derive(Clone, Copy)]
struct Origin {
    level: u32,
    reason: Reason,
}

/// The assignment.
#[derive(Default)]
pub(super) struct Assignment {
    values: Vec<i8>,
    origins: Vec<Origin>,
    phases: Vec<bool>,
    /// Assigned literals in order.
    pub(super) trail: Vec<Lit>,
    /// Length of the trail when each level above 0 began.
    limits: Vec<usize>,
    /// The first literal of the trail that is not yet propagated.
    pub(super) head: usize,
}

impl Assignment {
    /// Makes room for one more variable, outside the cone.
    pub(super) fn new_var(&mut self) {
        self.values.extend([OUTSIDE, OUTSIDE]);
        self.origins.push(Origin { level: 0, reason: Reason::NOTHING });
        self.phases.push(false);
    }

    /// How many variables there are.
    pub(super) fn vars(&self) -> u32 {
        self.origins.len() as u32
    }

    /// The value of a literal.
    #[inline]
    pub(super) fn value(&self, lit: Lit) -> i8 {
        self.values[lit.code() as usize]
    }

    /// Whether the variable is true or false.
    #[inline]
    pub(super) fn is_assigned(&self, var: Var) -> bool {
        matches!(self.values[2 * var.0 as usize], TRUE | FALSE)
    }

    /// Brings a variable that is not assigned into the cone or takes it out.
    #[inline]
    pub(super) fn set_unassigned(&mut self, var: Var, value: i8) {
        let at = 2 * var.0 as usize;
        if matches!(self.values[at], OPEN | OUTSIDE) {
            self.values[at] = value;
            self.values[at + 1] = value;
        }
    }

    /// The level at which an assigned variable got its value.
    #[inline]
    pub(super) fn level_of(&self, var: Var) -> u32 {
        self.origins[var.0 as usize].level
    }

    /// Why an assigned variable has its value. Meaningless at level 0.
    #[inline]
    pub(super) fn reason(&self, var: Var) -> Reason {
        self.origins[var.0 as usize].reason
    }

    /// Whether an assigned literal follows from the inputs of its gate that are assigned; not always noticed.
    /// Then each clause of the gate with the other literal of the variable is satisfied by its inputs: they
    /// imply the output, the output implies the rest of the clause, and what assigned inputs alone imply of a
    /// clause over inputs is that one of them satisfies it. Meaningless at level 0.
    #[inline]
    pub(super) fn is_defined(&self, lit: Lit) -> bool {
        self.reason(lit.var()).is_definition_of(lit.var())
    }

    /// Changes the reason of an assigned variable: its clause has moved.
    pub(super) fn set_reason(&mut self, var: Var, reason: Reason) {
        self.origins[var.0 as usize].reason = reason;
    }

    /// The current level.
    #[inline]
    pub(super) fn level(&self) -> u32 {
        self.limits.len() as u32
    }

    /// Where a level above 0 begins on the trail, if it is open.
    pub(super) fn start_of(&self, level: u32) -> usize {
        match level {
            0 => 0,
            level => self.limits.get(level as usize - 1).copied().unwrap_or(self.trail.len()),
        }
    }

    /// Opens the next level.
    pub(super) fn open_level(&mut self) {
        self.limits.push(self.trail.len());
    }

    /// Makes a literal true that is not assigned.
    #[inline]
    pub(super) fn assign(&mut self, lit: Lit, reason: Reason) {
        let code = lit.code() as usize;
        self.values[code] = TRUE;
        self.values[code ^ 1] = FALSE;
        self.origins[lit.var().0 as usize] = Origin { level: self.level(), reason };
        self.trail.push(lit);
    }

    /// Takes back all assignments above `level`, and tells of each variable. They were all in the cone.
    #[inline]
    pub(super) fn backtrack(&mut self, level: u32, mut reopened: impl FnMut(Var)) {
        if level >= self.level() {
            return;
        }
        let start = self.start_of(level + 1);
        for &lit in self.trail[start..].iter().rev() {
            let code = lit.code() as usize;
            self.values[code] = OPEN;
            self.values[code ^ 1] = OPEN;
            self.phases[code >> 1] = lit.is_positive();
            reopened(lit.var());
        }
        self.trail.truncate(start);
        self.limits.truncate(level as usize);
        self.head = self.head.min(start);
    }

    /// The literal of a variable with the value it had last.
    #[inline]
    pub(super) fn preferred(&self, var: Var) -> Lit {
        Lit::new(var, self.phases[var.0 as usize])
    }

    /// Forgets that a literal holds for ever, and tells where on the trail it was. Only for activation
    /// variables, from which nothing follows, and at level 0.
    pub(super) fn forget_root(&mut self, var: Var) -> Option<usize> {
        if !self.is_assigned(var) {
            return None;
        }
        let at = self.trail.iter().rposition(|lit| lit.var() == var)?;
        self.trail.remove(at);
        self.values[2 * var.0 as usize] = OUTSIDE;
        self.values[2 * var.0 as usize + 1] = OUTSIDE;
        Some(at)
    }
}

/// The assignment as the propagation loop needs it: the slices are taken out once, so that the loop does not
/// fetch them again after every write.
pub(super) struct Writer<'a> {
    values: &'a mut [i8],
    origins: &'a mut [Origin],
    trail: &'a mut Vec<Lit>,
    head: &'a mut usize,
    level: u32,
}

impl Assignment {
    /// Prepares for propagation.
    pub(super) fn writer(&mut self) -> Writer<'_> {
        let level = self.level();
        let Assignment { values, origins, trail, head, .. } = self;
        Writer { values, origins, trail, head, level }
    }
}

impl Writer<'_> {
    /// The next literal to propagate.
    #[inline]
    pub(super) fn next(&mut self) -> Option<Lit> {
        let lit = self.trail.get(*self.head).copied()?;
        *self.head += 1;
        Some(lit)
    }

    /// See [`Assignment::value`].
    #[inline]
    pub(super) fn value(&self, lit: Lit) -> i8 {
        self.values[lit.code() as usize]
    }

    /// See [`Assignment::is_defined`].
    #[inline]
    pub(super) fn is_defined(&self, lit: Lit) -> bool {
        self.origins[lit.var().0 as usize].reason.is_definition_of(lit.var())
    }

    /// See [`Assignment::assign`].
    #[inline]
    pub(super) fn assign(&mut self, lit: Lit, reason: Reason) {
        let code = lit.code() as usize;
        self.values[code] = TRUE;
        self.values[code ^ 1] = FALSE;
        self.origins[code >> 1] = Origin { level: self.level, reason };
        self.trail.push(lit);
    }
}
