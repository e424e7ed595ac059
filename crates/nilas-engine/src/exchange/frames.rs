//! What an instance of IC3 over locations tells others of its frames: the lemmas that hold at all levels, those
//! of the frontier, and how far that is.

use super::{Fact, Port};
use crate::pdr::{Frames, Level};
use nilas_program::{Automaton, LocationId};
use nilas_term::Arena;

/// Lemmas of the frontier that are published of a location at a time, the newest ones.
const LEMMAS: usize = 16;

/// Publishes the lemmas that others may want. `clear` says that no state of the frontier led to a sink, before
/// the last level was added.
pub(crate) fn publish_frames(
    port: &mut Port,
    arena: &mut Arena,
    automaton: &Automaton,
    frames: &Frames<LocationId>,
    level: Level,
    clear: bool,
) {
    if !port.is_open() {
        return;
    }
    for location in automaton.location_ids() {
        let mut frontier = 0;
        for lemma in frames.lemmas(location).iter().rev() {
            if lemma.level == Level::INFINITE {
                port.publish(arena, &Fact::Invariant(location, lemma.clause));
            } else if lemma.level.next() >= level && frontier < LEMMAS {
                frontier += 1;
                port.publish(arena, &Fact::Lemma(location, lemma.clause));
            }
        }
    }
    if clear {
        port.publish(arena, &Fact::Depth(u64::from(level.0).saturating_sub(1)));
    }
}
