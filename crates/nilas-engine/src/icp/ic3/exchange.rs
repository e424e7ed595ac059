//! Bounds for other engines.
//!
//! Published are the lemmas that hold at all levels, those of the frontier, and, without a suffix, how far the
//! frontier is. A lemma is a clause of bounds; most have one or two, and others can show these quickly.

use super::IcpIc3;
use crate::exchange::Fact;
use crate::pdr::Level;

/// Lemmas of the frontier that are published of a location at a time, the newest ones.
const LEMMAS: usize = 16;

impl IcpIc3<'_, '_> {
    pub(super) fn publish(&mut self) {
        if !self.instance.port.is_open() {
            return;
        }
        let automaton = self.instance.map.automaton;
        for location in automaton.location_ids() {
            let mut frontier = 0;
            for lemma in self.frames.lemmas(location).iter().rev() {
                if lemma.level == Level::INFINITE {
                    self.instance.port.publish(&mut self.arena, &Fact::Invariant(location, lemma.clause));
                } else if lemma.level.next() >= self.level && frontier < LEMMAS {
                    frontier += 1;
                    self.instance.port.publish(&mut self.arena, &Fact::Lemma(location, lemma.clause));
                }
            }
        }
        if self.instance.suffix == 0 && self.instance.map.sinks.all_are_left() {
            // Before the last level was added, no state of the frontier led to a sink.
            let depth = u64::from(self.level.0).saturating_sub(1);
            self.instance.port.publish(&mut self.arena, &Fact::Depth(depth));
        }
    }
}
