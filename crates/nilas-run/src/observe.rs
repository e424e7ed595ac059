//! Looking on while a program runs.

use crate::machine::Machine;
use nilas_c::index::Id;
use nilas_c::tree::{StmtId, VarId};

/// Is told where an execution is, and may look at its memory. It cannot change anything.
pub trait Observer {
    /// The execution is at the head of a loop: its condition is about to be evaluated, or the body of a `do`
    /// loop to begin.
    fn at_head(&mut self, statement: StmtId, state: &State<'_, '_>) {
        let _ = (statement, state);
    }

    /// The condition of an `if` or a loop held, or not.
    fn branch(&mut self, statement: StmtId, taken: bool, state: &State<'_, '_>) {
        let _ = (statement, taken, state);
    }
}

/// An execution that stands still.
pub struct State<'m, 'a>(&'m Machine<'a>);

impl State<'_, '_> {
    /// How many calls of the present function are active, this one included.
    #[must_use]
    pub fn depth(&self) -> usize {
        let frames = &self.0.frames;
        let function = frames.last().map(|frame| frame.function);
        frames.iter().filter(|frame| Some(frame.function) == function).count()
    }

    /// How many choices were made so far.
    #[must_use]
    pub fn choices(&self) -> usize {
        self.0.made.len()
    }

    /// The bytes of a variable or of a part of it as a number, little end first. An automatic variable is
    /// that of the active call of its function with the number `depth`, the oldest being 1.
    ///
    /// `None` if there is no such object now, if nothing was stored there, or if it is a part of an address:
    /// where objects lie is no matter of the program.
    #[must_use]
    pub fn number(&self, variable: VarId, depth: usize, offset: u64, size: u64) -> Option<u128> {
        let machine = self.0;
        let id = match machine.statics[variable.index()] {
            Some(id) => id,
            None => {
                let function = machine.program.variables[variable].function?;
                let mut calls = machine.frames.iter().filter(|frame| frame.function == function);
                let frame = calls.nth(depth.checked_sub(1)?)?;
                frame.slots.get(machine.tables.slot(variable)).copied().flatten()?
            }
        };
        let allocation = machine.memory.get(id)?;
        let (offset, size) = (usize::try_from(offset).ok()?, usize::try_from(size).ok()?);
        let end = offset.checked_add(size).filter(|&end| end <= allocation.data.len() && size <= 16)?;
        let parts = allocation.provenance.get(offset..end).unwrap_or_default();
        let plain = parts.iter().all(Option::is_none);
        (plain && allocation.is_initialised(offset, size)).then(|| allocation.number(offset, size))
    }
}

impl<'a> Machine<'a> {
    /// Tells who looks on that the execution is at the head of a loop.
    #[inline]
    pub(crate) fn at_head(&mut self, statement: StmtId) {
        if let Some(observer) = self.observer.take() {
            observer.at_head(statement, &State(self));
            self.observer = Some(observer);
        }
    }

    /// Tells who looks on which way a branch goes.
    #[inline]
    pub(crate) fn at_branch(&mut self, statement: StmtId, taken: bool) {
        if let Some(observer) = self.observer.take() {
            observer.branch(statement, taken, &State(self));
            self.observer = Some(observer);
        }
    }

    /// Somebody looks on.
    pub(crate) fn observed_by(mut self, observer: &'a mut dyn Observer) -> Self {
        self.observer = Some(observer);
        self
    }
}
