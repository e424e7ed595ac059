//! What the inside of a body depends on besides its text.
//!
//! A function is lowered once, and its body serves every call at which it would be lowered to the same
//! edges. What the lowering of a function looks up beyond its own frame is noted here as a question with its
//! answer: whether a variable of a caller is alive, whether the call may be executed several times. Another
//! call is served if it gives the same answers. An object that each call allocates anew, and arguments that
//! only one call has, are nothing that two calls have in common: such a body serves the call alone for which
//! it was lowered.
//!
//! A body that calls share in the automaton knows none of its callers: inside, variables of callers are
//! all taken to be alive, and everything to be executed several times. Nothing is asked there.

use crate::lower::lowering::Lowering;
use crate::lower::memory::object::Local;
use std::collections::BTreeMap;

/// The questions of a body, with their answers.
#[derive(Clone, Debug, Default)]
pub(in crate::lower) struct Asked {
    /// Whether variables of callers are alive.
    alive: BTreeMap<Local, bool>,
    /// Whether the call may be executed several times.
    repeats: Option<bool>,
    /// Something that no other call has.
    own: bool,
}

impl Asked {
    /// Whether another call may have the same answers.
    pub(in crate::lower) fn is_common(&self) -> bool {
        !self.own
    }
}

/// A body that is being lowered.
#[derive(Debug)]
pub(in crate::lower) struct Asking {
    /// How many calls are active around it.
    around: usize,
    /// Whether its call may be executed several times.
    repeats: bool,
    asked: Asked,
}

impl Asking {
    /// Whether something that was found in an active call, if at all, was found around the body.
    fn is_around(&self, found: Option<usize>) -> bool {
        found.is_none_or(|frame| frame < self.around)
    }
}

impl Lowering<'_> {
    /// Begins to note what is asked.
    pub(in crate::lower) fn begin_asking(&self) {
        let (around, repeats) = (self.calls.frames.len(), self.may_repeat());
        self.calls.asking.borrow_mut().push(Asking { around, repeats, asked: Asked::default() });
    }

    /// Ends it.
    pub(in crate::lower) fn end_asking(&self) -> Asked {
        self.calls.asking.borrow_mut().pop().map(|asking| asking.asked).unwrap_or_default()
    }

    /// Whether a body that asked this would be the same here.
    pub(in crate::lower) fn answers(&self, asked: &Asked) -> bool {
        asked.is_common()
            && asked.repeats.is_none_or(|repeats| repeats == self.may_repeat())
            && asked.alive.iter().all(|(&local, &alive)| self.is_local_alive(local).1 == alive)
    }

    /// A body serves a call: whatever is around both has asked the same.
    pub(in crate::lower) fn ask_again(&self, asked: &Asked) {
        if asked.repeats.is_some() {
            self.ask_repeats();
        }
        for &local in asked.alive.keys() {
            self.ask_alive(local);
        }
    }

    /// Whether an automatic variable is alive, as far as scopes tell.
    pub(in crate::lower) fn ask_alive(&self, local: Local) -> bool {
        if self.in_shared() {
            return true;
        }
        let (found, alive) = self.is_local_alive(local);
        for asking in self.calls.asking.borrow_mut().iter_mut().filter(|asking| asking.is_around(found)) {
            asking.asked.alive.insert(local, alive);
        }
        alive
    }

    /// In which of the active calls a variable is, and whether it is alive.
    fn is_local_alive(&self, local: Local) -> (Option<usize>, bool) {
        let is_it = |frame: &super::Frame| frame.function == local.function && frame.depth == local.depth;
        let Some(found) = self.calls.frames.iter().position(is_it) else { return (None, false) };
        let block = self.scopes.block_of(local.variable);
        (Some(found), block.is_none_or(|block| self.calls.frames[found].blocks.contains(&block)))
    }

    /// Whether what is lowered now may be executed several times.
    pub(in crate::lower) fn ask_repeats(&self) -> bool {
        if !self.in_shared() {
            for asking in self.calls.asking.borrow_mut().iter_mut() {
                asking.asked.repeats = Some(asking.repeats);
            }
        }
        self.may_repeat()
    }

    fn may_repeat(&self) -> bool {
        self.loops > 0
            || self.in_shared()
            || self.calls.frames.iter().any(|frame| self.scopes.goes_back(frame.function))
    }

    /// What is lowered now depends on something that was found in an active call, or in none of them: bodies
    /// between serve no other call.
    pub(in crate::lower) fn ask_for_own(&self, found: Option<usize>) {
        if self.in_shared() {
            return;
        }
        for asking in self.calls.asking.borrow_mut().iter_mut().filter(|asking| asking.is_around(found)) {
            asking.asked.own = true;
        }
    }
}
