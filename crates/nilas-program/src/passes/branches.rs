//! Branches that do not matter, and steps that do nothing.
//!
//! Once dead assignments are gone, many branches do nothing but come together again. Assumptions that lead
//! from one node to the same other node are one assumption, their disjunction, which is *true* where they
//! cover everything; a node that is left by nothing but a `skip` is the node behind it. One sweep from the
//! sinks upwards does this for any nesting. Nothing is lost or gained: executions are the same, and so is
//! what they can reach.

use super::flow::{Fate, Flow, FlowArc};
use crate::command::{Basic, Origin};
use crate::ids::LocationId;
use nilas_fault::{Fault, planted};
use nilas_term::{Arena, Interrupt, Op, Term};
use std::collections::BTreeMap;

/// An arc that many others continue with is not copied into them if it stands for more than that.
const LONGEST_COPY: usize = 16;

/// Where a node leads that is left by nothing but a `skip`, and what the `skip` stands for.
type Forward = Option<(LocationId, Vec<Origin>)>;

/// Folds branches and steps. Whether there were any.
pub(crate) fn fold_branches(flow: &mut Flow<'_>) -> Result<bool, Interrupt> {
    let graph = flow.graph();
    let mut order = graph.reverse_postorder(flow.old.entry);
    order.reverse();
    let mut leaving: Vec<Vec<FlowArc>> = vec![Vec::new(); flow.fates.len()];
    for arc in std::mem::take(&mut flow.arcs) {
        leaving[arc.source.index()].push(arc);
    }
    let mut forwards: Vec<Forward> = vec![None; flow.fates.len()];
    let mut changed = false;
    for node in order {
        flow.poll()?;
        let mut arcs = std::mem::take(&mut leaving[node.index()]);
        for arc in &mut arcs {
            // One step is enough: what comes later in the graph was resolved before.
            if let Some((target, origins)) = &forwards[arc.target.index()] {
                arc.target = *target;
                arc.origins.extend_from_slice(origins);
                changed = true;
            }
        }
        changed |= join_parallel(&mut flow.arena, &mut arcs);
        let alone = graph.incoming(node).len() == 1;
        if let [FlowArc { target, basic: Basic::Skip, origins, .. }] = &arcs[..]
            && !flow.is_anchor(node)
            && (alone || origins.len() <= LONGEST_COPY)
        {
            forwards[node.index()] = Some((*target, origins.clone()));
        }
        leaving[node.index()] = arcs;
    }
    // Nodes that are forwarded have no way in any more, and go.
    flow.arcs = leaving.into_iter().flatten().collect();
    flow.prune(Fate::Absorbed);
    Ok(changed)
}

/// Makes one arc of assumptions with the same target. Whether there were any.
fn join_parallel(arena: &mut Arena, arcs: &mut Vec<FlowArc>) -> bool {
    let mut first: BTreeMap<LocationId, usize> = BTreeMap::new();
    let mut groups: Vec<Vec<FlowArc>> = Vec::new();
    let before = arcs.len();
    for arc in arcs.drain(..) {
        let guards = matches!(arc.basic, Basic::Skip | Basic::Assume(_));
        match first.get(&arc.target) {
            Some(&group) if guards => groups[group].push(arc),
            _ => {
                if guards {
                    first.insert(arc.target, groups.len());
                }
                groups.push(vec![arc]);
            }
        }
    }
    for mut group in groups {
        if let [_, _, ..] = &group[..] {
            let conditions: Option<Vec<Term>> = group
                .iter()
                .map(|arc| if let Basic::Assume(condition) = arc.basic { Some(condition) } else { None })
                .collect();
            let basic = match conditions {
                Some(conditions) if !covers(arena, &conditions) => Basic::Assume(arena.or(&conditions)),
                _ => Basic::Skip,
            };
            group.truncate(1);
            group[0].basic = basic;
            group[0].origins.clear();
        }
        arcs.append(&mut group);
    }
    arcs.len() < before
}

/// Whether one of the conditions always holds, by their looks.
fn covers(arena: &mut Arena, conditions: &[Term]) -> bool {
    let any = arena.or(conditions);
    if arena.as_bool(any) == Some(true) || planted(Fault::BranchesCover) {
        return true;
    }
    // The default of a `switch`: none of the others.
    conditions.iter().any(|&rest| {
        let negated: Vec<Term> = match arena.op(rest) {
            Op::And => arena.children(rest).to_vec(),
            _ => vec![rest],
        };
        negated.into_iter().all(|conjunct| {
            let negation = arena.not(conjunct);
            conditions.contains(&negation)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::fold_branches;
    use crate::passes::testing::{check_pass, no_change};

    #[test]
    fn branches_that_do_nothing_disappear() {
        check_pass(
            fold_branches,
            "a -> b { havoc x } b -> c { assume x == 1 } b -> d { assume x != 1 } c -> f { skip } d -> g { assume p } \
             d -> g { assume !p } g -> f { skip } f -> e { assume y == 2 }",
            "a -> f { havoc x } f -> e { assume y == 2 }",
        );
        // A switch with a default.
        check_pass(
            fold_branches,
            "a -> b { havoc y } b -> c { assume x == 1 } b -> c { assume x == 2 } b -> c { assume x != 1 && x != 2 } c -> e { assume y == 2 }",
            "a -> c { havoc y } c -> e { assume y == 2 }",
        );
    }

    #[test]
    fn branches_that_stop_something_stay() {
        check_pass(
            fold_branches,
            "a -> b { havoc x } b -> c { assume x == 1 } b -> c { assume x == 3 } c -> e { assume y == 2 }",
            "a -> b { havoc x } b -> c { assume x == 1 || x == 3 } c -> e { assume y == 2 }",
        );
        no_change(
            fold_branches,
            "a -> b { havoc x } b -> c { assume x == 1; y := 3 } b -> c { assume x != 1 } c -> e { assume y == 2 }",
        );
    }

    #[test]
    fn loop_heads_stay() {
        no_change(
            fold_branches,
            "a -> b { skip } b -> c { skip } c -> b { x := x + 1 } c -> e { assume x == 3 }",
        );
    }
}
