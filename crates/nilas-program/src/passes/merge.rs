//! Merging of locations that do the same.
//!
//! Two nodes are merged if the same commands lead from them to the same nodes, as found in one sweep from the
//! sinks upwards, in which nodes that were merged count as one. That is a bisimulation: from merged nodes the
//! same executions start. (It is not the coarsest one: bodies of different loops are never found to be the
//! same.) A `havoc` is the same only at the same site, because executions name values by site.

use super::flow::{Fate, Flow};
use crate::command::Basic;
use crate::ids::LocationId;
use nilas_fault::{Fault, planted};
use nilas_term::Interrupt;
use rustc_hash::FxHashMap;

/// Merges nodes. Whether there were any to merge.
pub(crate) fn merge_equivalent(flow: &mut Flow<'_>) -> Result<bool, Interrupt> {
    let graph = flow.graph();
    let mut order = graph.reverse_postorder(flow.old.entry);
    order.reverse();
    let mut representative: Vec<LocationId> = (0..flow.fates.len()).map(LocationId::new).collect();
    let mut known: FxHashMap<Vec<(Basic, LocationId)>, LocationId> = FxHashMap::default();
    let mut merged = false;
    for node in order {
        if flow.is_anchor(node) {
            continue;
        }
        let mut behaviour: Vec<(Basic, LocationId)> = graph
            .outgoing(node)
            .iter()
            .map(|&edge| (flow.arc(edge).basic, representative[flow.arc(edge).target.index()]))
            .map(|(basic, target)| (if planted(Fault::MergeByTarget) { Basic::Skip } else { basic }, target))
            .collect();
        behaviour.sort_unstable_by_key(|&(basic, target)| (target, key(basic)));
        behaviour.dedup();
        let first = *known.entry(behaviour).or_insert(node);
        merged |= first != node;
        representative[node.index()] = first;
    }
    if merged {
        for arc in &mut flow.arcs {
            arc.target = representative[arc.target.index()];
        }
        flow.prune(Fate::Absorbed);
    }
    Ok(merged)
}

/// Any order will do.
fn key(basic: Basic) -> (u8, usize, usize) {
    match basic {
        Basic::Skip => (0, 0, 0),
        Basic::Assume(condition) => (1, condition.index(), 0),
        Basic::Assign(variable, term) => (2, variable.index(), term.index()),
        Basic::Havoc(variable, site) => (3, variable.index(), site.index()),
    }
}

#[cfg(test)]
mod tests {
    use super::merge_equivalent;
    use crate::passes::testing::{check_pass, no_change};

    #[test]
    fn the_same_tails_are_one() {
        check_pass(
            merge_equivalent,
            "a -> b { assume p } a -> c { assume !p } b -> d { x := x + 1 } c -> f { x := x + 1 } d -> e { assume x == 3 } \
             f -> e { assume x == 3 }",
            "a -> b { assume p } a -> b { assume !p } b -> d { x := x + 1 } d -> e { assume x == 3 }",
        );
        // Two ways back to the head of a loop.
        check_pass(
            merge_equivalent,
            "a -> b { skip } b -> c { assume p } b -> d { assume !p } c -> f { havoc p } d -> g { havoc q } f -> b { x := 1 } \
             g -> b { x := 1 } b -> e { assume x == 3 }",
            "a -> b { skip } b -> c { assume p } b -> d { assume !p } c -> f { havoc p } d -> f { havoc q } f -> b { x := 1 } \
             b -> e { assume x == 3 }",
        );
    }

    #[test]
    fn different_inputs_are_different() {
        no_change(
            merge_equivalent,
            "a -> b { assume p } a -> c { assume !p } b -> d { havoc x } c -> d { havoc x } d -> e { assume x == 3 }",
        );
    }
}
