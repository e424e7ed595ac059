//! How much is done about counterexamples to generalisation.
//!
//! How much of that pays depends on the obligation: one that comes back at level after level deserves more
//! (DynAMic: Xia et al., Extended CTG Generalization and Dynamic Adjustment of Generalization Strategies in
//! IC3, 2025), so there the effort grows with the number of times it was blocked.

use super::technique::{Technique, Techniques};
use crate::pdr::Effort;

/// Counterexamples are blocked one step back, or with their predecessors.
const PLAIN: Effort = Effort { tries: 3, depth: 1 };
const EXTENDED: Effort = Effort { tries: 5, depth: 3 };
/// How often an obligation is blocked before counterexamples are looked at, and before they are extended.
const CTG_FROM: u32 = 3;
const EXTENDED_FROM: u32 = 10;

/// The effort that the techniques call for, about an obligation that was blocked so often.
pub(super) fn effort(techniques: Techniques, activity: u32) -> Effort {
    if techniques.contains(Technique::DynamicEffort) {
        return match activity {
            0..CTG_FROM => Effort::NONE,
            CTG_FROM..EXTENDED_FROM => PLAIN,
            _ => EXTENDED,
        };
    }
    if techniques.contains(Technique::ExtendedCtg) {
        return EXTENDED;
    }
    if techniques.contains(Technique::CounterexamplesToGeneralisation) {
        return PLAIN;
    }
    Effort::NONE
}
