//! Executions that go on for ever without changing anything.
//!
//! Programs stop like this where they have no `abort`: `stop: goto stop;`. What an execution does next depends
//! on where it is, on the calls that have not returned, on memory, and on choices. If it comes to a jump or to
//! the head of a loop again, in the same call, and neither wrote, made or ended an object nor made a choice or
//! called the library since, then it does the same for ever.
//!
//! One place is remembered at a time. A cycle that it is not on is found later: the place is given up for
//! the present one now and then (Brent, BIT 1980).

use crate::end::End;
use crate::machine::{Eval, Machine, finish};
use nilas_c::tree::StmtId;

/// The place that is remembered.
#[derive(Default)]
pub(crate) struct Again {
    statement: Option<StmtId>,
    /// The number of the call, and of changes before.
    call: u64,
    changes: u64,
    /// How many places were passed since, and how many are before another one is remembered.
    passed: u64,
    patience: u64,
}

impl Machine<'_> {
    /// The execution jumps, or is at the head of a loop.
    #[inline]
    pub(crate) fn passes(&mut self, statement: StmtId) -> Eval<()> {
        let call = self.frames.last().map_or(0, |frame| frame.serial);
        let again = &mut self.again;
        let unchanged = again.call == call && again.changes == self.memory.changes;
        if unchanged && again.statement == Some(statement) {
            let span = self.program.stmts[statement].span;
            return finish(End::Endless { place: self.place(span) });
        }
        again.passed += 1;
        if !unchanged || again.passed > again.patience {
            // Without a change, the next one has more time to come again.
            let patience = if unchanged { 2 * again.patience + 1 } else { 0 };
            let changes = self.memory.changes;
            self.again = Again { statement: Some(statement), call, changes, passed: 0, patience };
        }
        Ok(())
    }
}
