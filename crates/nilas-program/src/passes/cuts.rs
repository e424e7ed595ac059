//! Where the automaton after the passes is cut, and where the one before them needs a formula besides.
//!
//! The checker of evidence wants a formula on every cycle of the automaton as lowered. Anchors cut all of
//! them. Of these, the ones that are still heads of loops become locations of the new automaton; at the ones
//! that are gone, facts do. What remains are cycles that are none any more although their anchor is live,
//! because a branch is never taken. If they pass a location that nothing gets to, *false* stands there;
//! otherwise the anchor stays a location.

use super::back_map::Vanished;
use super::flow::{Fate, Flow};
use crate::graph::{Graph, LocationSet};
use crate::ids::LocationId;

/// The result, by id.
pub(crate) struct Cuts {
    /// Locations of the new automaton besides entry and sinks.
    pub(crate) kept: Vec<LocationId>,
    /// Locations that cut what is not in the new automaton.
    pub(crate) vanished: Vec<(LocationId, Vanished)>,
}

pub(crate) fn choose(flow: &Flow<'_>) -> Cuts {
    let old = flow.old;
    let original = Graph::new(old);
    let relevant = original.relevant(old);
    let is_inner =
        |location: LocationId| location != old.entry && !old.is_sink(location) && relevant.contains(location);
    let anchors: Vec<LocationId> = flow.anchors().filter(|&anchor| is_inner(anchor)).collect();

    let graph = flow.graph();
    let mut is_kept = vec![false; flow.fates.len()];
    for head in graph.loop_heads(old.entry, |_| true) {
        is_kept[head.index()] = flow.is_anchor(head);
    }
    // Another search may have entered a cycle elsewhere.
    let open = graph.on_cycles(|node| !is_kept[node.index()]);
    for &anchor in &anchors {
        is_kept[anchor.index()] |= open.contains(anchor);
    }

    let mut vanished = Vec::new();
    let mut is_cut = is_kept.clone();
    for &anchor in &anchors {
        let why = match flow.fates[anchor.index()] {
            Fate::Dead => Vanished::Unreachable,
            Fate::Harmless => Vanished::Harmless,
            Fate::Live | Fate::Absorbed => continue,
        };
        vanished.push((anchor, why));
        is_cut[anchor.index()] = true;
    }
    let open = |is_cut: &[bool]| -> LocationSet {
        original.on_cycles(|location| relevant.contains(location) && !is_cut[location.index()])
    };
    let is_dead = |location: LocationId| flow.fates[location.index()] == Fate::Dead;
    for location in open(&is_cut).iter().filter(|&location| is_dead(location)) {
        if original.predecessors(location).any(|before| !is_dead(before)) {
            vanished.push((location, Vanished::Unreachable));
            is_cut[location.index()] = true;
        }
    }
    let still_open = open(&is_cut);
    for &anchor in anchors.iter().filter(|&&anchor| still_open.contains(anchor)) {
        is_kept[anchor.index()] |= flow.is_live(anchor);
    }
    vanished.sort_unstable_by_key(|(location, _)| *location);
    Cuts { kept: old.location_ids().filter(|location| is_kept[location.index()]).collect(), vanished }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::constants::propagate_constants;
    use crate::passes::testing::program;

    #[track_caller]
    fn check(edges: &str, kept: &str, vanished: &[(&str, Vanished)]) {
        let program = program(edges);
        let mut flow = Flow::new(&program);
        assert!(propagate_constants(&mut flow).is_ok(), "there is no limit");
        let cuts = choose(&flow);
        let name = |location: LocationId| &program.automaton.location(location).name[..];
        assert_eq!(cuts.kept.iter().map(|&location| name(location)).collect::<String>(), kept);
        let found: Vec<(&str, Vanished)> =
            cuts.vanished.iter().map(|&(location, why)| (name(location), why)).collect();
        assert_eq!(found, vanished);
    }

    #[test]
    fn cycles_that_are_gone() {
        use Vanished::{Harmless, Unreachable};
        check("a -> b { skip } b -> b { x := x + 1 } b -> e { assume x == 1 }", "b", &[]);
        // The body of the loop is never entered: its head is an ordinary location.
        check(
            "a -> b { p := false } b -> c { assume p } c -> b { x := x + 1 } b -> e { assume !p && x == 1 }",
            "",
            &[("c", Unreachable)],
        );
        // It is never repeated, and there is no location that says so.
        check(
            "a -> b { p := false } b -> c { havoc x } c -> b { assume p } c -> e { assume x == 1 }",
            "b",
            &[],
        );
        // The error behind it is not reached; it may go on forever.
        check("a -> b { p := false } b -> b { havoc x } b -> e { assume p }", "", &[("b", Harmless)]);
        check(
            "a -> b { p := false } b -> c { assume p } c -> d { skip } d -> c { havoc x } d -> e { skip } b -> e { havoc x }",
            "",
            &[("c", Unreachable)],
        );
    }
}
