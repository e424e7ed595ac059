//! Bounds for other engines.
//!
//! Published are the lemmas that hold at all levels, those of the frontier, and, without a suffix, how far the
//! frontier is. A lemma is a clause of bounds; most have one or two, and others can show these quickly.

use super::IcpIc3;
use crate::exchange::publish_frames;

impl IcpIc3<'_, '_> {
    pub(super) fn publish(&mut self) {
        let instance = &mut self.instance;
        let clear = instance.suffix == 0 && instance.map.sinks.all_are_left();
        let automaton = instance.map.automaton;
        publish_frames(instance.port, &mut self.arena, automaton, &self.frames, self.level, clear);
    }
}
