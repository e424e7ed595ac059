//! The order of evaluation.
//!
//! C leaves the order of most operands open. Here it is that of gcc: left to right, arguments of calls right
//! to left, the right side of a compound assignment first if it calls functions. A chooser may ask for the
//! other order where one operand calls a function and another one calls one, too, or touches an object.
//!
//! Accesses without order to one object, of which one is a write, are undefined (6.5p2). They are found by
//! footprints: where an operand writes something, the accesses of all operands are noted and compared. What
//! happens inside of functions that are called does not count: calls are ordered, one way or the other. An
//! assignment conflicts with writes of its operands that no sequence point has completed.
//!
//! Where an index leaves its array in such an expression (`s->buf[s->len++] = b` with `len` behind `buf`),
//! that is what is undefined, and machines go on: so does the execution, unless somebody asks about indices.

use super::pointer::outside_of_array;
use crate::choice::{ACCESSES, CALLS, ChoiceKind, ChoiceType};
use crate::machine::{Eval, Machine};
use crate::memory::AllocationId;
use crate::undefined::UndefinedKind;
use crate::value::Value;
use nilas_c::index::Id;
use nilas_c::source::Span;
use nilas_c::tree::ExprId;

/// An access to some bits of an object.
#[derive(Clone, Copy, Debug)]
struct Access {
    object: AllocationId,
    first: u64,
    behind: u64,
    write: bool,
    /// No sequence point has come since.
    pending: bool,
    span: Span,
}

impl Access {
    fn conflicts(&self, other: &Access) -> bool {
        (self.write || other.write)
            && self.object == other.object
            && self.first < other.behind
            && other.first < self.behind
    }
}

/// The accesses of the expression that is evaluated, if anyone asks.
#[derive(Default)]
pub(crate) struct Footprints {
    accesses: Vec<Access>,
    /// How many expressions ask.
    watching: u32,
    /// An index of the expression left its array: the index, and the length of the array.
    stray: Option<(i128, u64)>,
}

/// Who asks for accesses, and what is known so far: restored behind a call.
#[derive(Clone, Copy)]
pub(crate) struct Watch {
    watching: u32,
    length: usize,
    stray: Option<(i128, u64)>,
}

impl Footprints {
    /// Where the accesses of an operand begin.
    #[inline]
    pub(crate) fn start(&self) -> usize {
        self.accesses.len()
    }

    /// Notes an access to bits of an object.
    #[inline]
    pub(crate) fn note(&mut self, object: AllocationId, first: u64, bits: u64, write: bool, span: Span) {
        if self.watching > 0 {
            self.accesses.push(Access { object, first, behind: first + bits, write, pending: true, span });
        }
    }

    /// A sequence point: what was done since `start` is done.
    #[inline]
    pub(crate) fn complete(&mut self, start: usize) {
        if let Some(done) = self.accesses.get_mut(start..) {
            for access in done {
                access.pending = false;
            }
        }
    }

    /// Nobody asks inside of a function that is called; the caller's question is answered afterwards.
    pub(crate) fn enter_call(&mut self) -> Watch {
        let watch = self.level();
        (self.watching, self.stray) = (0, None);
        watch
    }

    pub(crate) fn leave_call(&mut self, Watch { watching, length, stray }: Watch) {
        (self.watching, self.stray) = (watching, stray);
        self.accesses.truncate(length);
    }

    pub(crate) fn level(&self) -> Watch {
        Watch { watching: self.watching, length: self.accesses.len(), stray: self.stray }
    }

    /// Whether anyone asks.
    #[inline]
    pub(crate) fn is_watching(&self) -> bool {
        self.watching > 0
    }

    /// An index left its array.
    pub(crate) fn note_index(&mut self, index: i128, length: u64) {
        self.stray.get_or_insert((index, length));
    }

    fn watch(&mut self) -> usize {
        if self.watching == 0 {
            self.stray = None;
        }
        self.watching += 1;
        self.accesses.len()
    }

    fn unwatch(&mut self, start: usize) {
        self.watching = self.watching.saturating_sub(1);
        if self.watching == 0 {
            self.accesses.truncate(start);
        }
    }

    /// A conflict between accesses of two operands.
    fn conflict(&self, parts: &[usize]) -> Option<(Span, Span)> {
        let end = self.accesses.len();
        for (number, &start) in parts.iter().enumerate() {
            let behind = parts.get(number + 1).copied().unwrap_or(end);
            for access in self.accesses.get(start..behind).unwrap_or(&[]) {
                let later = self.accesses.get(behind..).unwrap_or(&[]);
                if let Some(other) = later.iter().find(|other| access.conflicts(other)) {
                    return Some((access.span, other.span));
                }
            }
        }
        None
    }
}

impl Machine<'_> {
    /// Two operands without an order.
    #[inline]
    pub(super) fn operands(&mut self, expr: ExprId, lhs: ExprId, rhs: ExprId) -> Eval<(Value, Value)> {
        let (left, right) = (self.tables.effects[lhs.index()], self.tables.effects[rhs.index()]);
        if !left.calls && !right.calls && !self.tables.conflicts[expr.index()] {
            let left = self.eval(lhs)?;
            return Ok((left, self.eval(rhs)?));
        }
        let mut values = self.unsequenced(expr, &[lhs, rhs], Machine::eval)?;
        let right = values.pop().unwrap_or(Value::Void);
        Ok((values.pop().unwrap_or(Value::Void), right))
    }

    /// Operands without an order, evaluated in the order of the list unless a chooser says otherwise. The
    /// results come in the order of the list.
    pub(crate) fn unsequenced<T>(
        &mut self,
        expr: ExprId,
        operands: &[ExprId],
        mut eval: impl FnMut(&mut Self, ExprId) -> Eval<T>,
    ) -> Eval<Vec<T>> {
        let watched = self.tables.conflicts[expr.index()];
        let start = if watched { self.footprints.watch() } else { 0 };
        let effects = |e: &ExprId| self.tables.effects[e.index()];
        let callers = operands.iter().filter(|e| effects(e).calls).count();
        let touching = operands.iter().filter(|e| effects(e).touches()).count();
        let reverse = callers > 0 && touching > 1 && self.turned_around(expr, callers > 1)?;
        let mut values = Vec::with_capacity(operands.len());
        let mut parts = Vec::with_capacity(operands.len());
        let mut one = |machine: &mut Self, operand: ExprId| -> Eval<()> {
            parts.push(machine.footprints.start());
            values.push(eval(machine, operand)?);
            Ok(())
        };
        if reverse {
            for &operand in operands.iter().rev() {
                one(self, operand)?;
            }
            values.reverse();
        } else {
            for &operand in operands {
                one(self, operand)?;
            }
        }
        if watched {
            let conflict = self.footprints.conflict(&parts);
            self.footprints.unwatch(start);
            if let Some(conflict) = conflict {
                self.here = self.program.exprs[expr].span;
                self.unsequenced_conflict(conflict)?;
            }
        }
        Ok(values)
    }

    /// Whether a chooser asks for the other order of the two sides of an assignment, of which one calls a
    /// function and the other one does something, too.
    pub(super) fn other_order(&mut self, expr: ExprId, target: ExprId, value: ExprId) -> Eval<bool> {
        let (target, value) = (self.tables.effects[target.index()], self.tables.effects[value.index()]);
        if !(target.calls && value.touches() || value.calls && target.touches()) {
            return Ok(false);
        }
        self.turned_around(expr, target.calls && value.calls)
    }

    /// Whether a chooser asks for the other order of the operands of an expression.
    fn turned_around(&mut self, expr: ExprId, calls: bool) -> Eval<bool> {
        let span = self.program.exprs[expr].span;
        let name = if calls { CALLS } else { ACCESSES };
        Ok(self.choose(ChoiceKind::EvaluationOrder, span, || name.to_owned(), ChoiceType::Option(2), 0)? != 0)
    }

    fn unsequenced_conflict(&mut self, (first, second): (Span, Span)) -> Eval<()> {
        if let Some((index, length)) = self.footprints.stray {
            let sentence = |_: &Self| outside_of_array(index, length);
            return self.lenient(UndefinedKind::IndexOutOfArray, sentence, None);
        }
        let text = |span| self.program.sources.expression(span);
        let (first, second) = (text(first), text(second));
        let sentence = format!(
            "`{first}` and `{second}` access the same object without an order between them, and one of them changes it"
        );
        self.undefined(UndefinedKind::Unsequenced, sentence, None)
    }

    /// Watches the operands of an assignment.
    pub(super) fn watch_assignment(&mut self, expr: ExprId) -> Option<usize> {
        self.tables.conflicts[expr.index()].then(|| self.footprints.watch())
    }

    /// The operands of an assignment are evaluated: in the parts from `parts` on, the last one being the
    /// store.
    pub(super) fn check_assignment(
        &mut self,
        expr: ExprId,
        start: usize,
        parts: &[usize],
        store: usize,
    ) -> Eval<()> {
        let accesses = &self.footprints.accesses;
        let own = accesses.get(store..).and_then(|own| own.iter().find(|access| access.write));
        let pending = own.and_then(|own| {
            let before = accesses[start..store].iter();
            before.filter(|access| access.write && access.pending).find(|access| own.conflicts(access))
        });
        let conflict = match (pending, own) {
            (Some(write), Some(own)) => Some((write.span, own.span)),
            _ => {
                let tail = self.footprints.accesses.split_off(store);
                let conflict = self.footprints.conflict(parts);
                self.footprints.accesses.extend(tail);
                conflict
            }
        };
        self.footprints.unwatch(start);
        match conflict {
            Some(conflict) => {
                self.here = self.program.exprs[expr].span;
                self.unsequenced_conflict(conflict)
            }
            None => Ok(()),
        }
    }
}
