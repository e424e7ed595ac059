//! Copy propagation.
//!
//! For each node, the variables that hold the same as another in all executions that get there, because they
//! were assigned from it and neither was written since. Uses of the copy become uses of the original, so that
//! often nobody asks for the copy any more. What was known at the anchors becomes facts of the back-map.
//!
//! The original must be live where it is put in. Earlier passes have removed writes to variables where they
//! were not live, so there its value is not the one that it has in the automaton before all passes, and
//! formulas about it could not be carried back. As no write lies between the copy and the use, a variable
//! that is live at the use is so all the way: nothing becomes live where it was not before.

use super::flow::Flow;
use super::liveness::Liveness;
use crate::command::Basic;
use crate::ids::{LocationId, VarId};
use nilas_fault::{Fault, planted};
use nilas_term::{Interrupt, Sort, Substitution, Term};
use std::collections::{BTreeMap, BTreeSet};

/// What each copy is a copy of. Originals are no copies themselves.
type Copies = BTreeMap<VarId, VarId>;

/// Puts originals in for copies. Whether anything changed.
pub(crate) fn propagate_copies(flow: &mut Flow<'_>) -> Result<bool, Interrupt> {
    let known = analyse(flow)?;
    if known.iter().flatten().all(BTreeMap::is_empty) {
        return Ok(false);
    }
    let liveness = Liveness::new(flow)?;
    for anchor in flow.anchors().collect::<Vec<LocationId>>() {
        for (&copy, &original) in known[anchor.index()].iter().flatten() {
            if liveness.is_live(anchor, copy) && liveness.is_live(anchor, original) {
                let terms = [copy, original].map(|variable| flow.old.variable(variable).term);
                let fact = flow.arena.eq(terms[0], terms[1]);
                let facts = flow.facts.entry(anchor).or_default();
                if !facts.contains(&fact) {
                    facts.push(fact);
                }
            }
        }
    }
    let mut changed = false;
    for index in 0..flow.arcs.len() {
        let (source, basic) = (flow.arcs[index].source, flow.arcs[index].basic);
        let Some(copies) = &known[source.index()] else { continue };
        let mut replace = |term: Term| {
            let mut substitution = Substitution::new();
            for variable in flow.uses(term).iter() {
                if let Some(&original) = copies.get(variable)
                    && liveness.is_live(source, original)
                {
                    let [copy, original] = [*variable, original].map(|id| flow.old.variable(id).term);
                    substitution.insert(copy, original);
                }
            }
            substitution.apply(&mut flow.arena, term)
        };
        let replaced = match basic {
            Basic::Assume(condition) => Basic::Assume(replace(condition)),
            Basic::Assign(variable, term) => Basic::Assign(variable, replace(term)),
            Basic::Skip | Basic::Havoc(..) => basic,
        };
        if replaced != basic {
            flow.arcs[index].basic = replaced;
            changed = true;
        }
    }
    Ok(changed)
}

/// The copies at each node; nothing at nodes that no execution gets to.
fn analyse(flow: &Flow<'_>) -> Result<Vec<Option<Copies>>, Interrupt> {
    let graph = flow.graph();
    let order = graph.reverse_postorder(flow.old.entry);
    let mut position = vec![0; flow.fates.len()];
    for (index, node) in order.iter().enumerate() {
        position[node.index()] = index;
    }
    let mut known: Vec<Option<Copies>> = vec![None; flow.fates.len()];
    known[flow.old.entry.index()] = Some(Copies::new());
    let mut waiting = BTreeSet::from([0]);
    while let Some(next) = waiting.pop_first() {
        flow.poll()?;
        let node = order[next];
        for &edge in graph.outgoing(node) {
            let Some(mut copies) = known[node.index()].clone() else { continue };
            let arc = flow.arc(edge);
            execute(flow, &mut copies, arc.basic);
            let changed = match &mut known[arc.target.index()] {
                Some(present) => {
                    let before = present.len();
                    present.retain(|copy, original| copies.get(copy) == Some(original));
                    present.len() < before
                }
                unseen @ None => {
                    *unseen = Some(copies);
                    true
                }
            };
            if changed {
                waiting.insert(position[arc.target.index()]);
            }
        }
    }
    Ok(known)
}

fn execute(flow: &Flow<'_>, copies: &mut Copies, basic: Basic) {
    let (written, term) = match basic {
        Basic::Assign(variable, term) => (variable, Some(term)),
        Basic::Havoc(variable, _) => (variable, None),
        Basic::Skip | Basic::Assume(_) => return,
    };
    let scalar = matches!(flow.old.variable(written).sort, Sort::Bool | Sort::BitVec(_) | Sort::Float(..));
    let original = term.filter(|_| scalar).and_then(|term| flow.variable(term));
    let original = original.map(|original| copies.get(&original).copied().unwrap_or(original));
    if original == Some(written) {
        return;
    }
    let survives = planted(Fault::CopySurvivesWrite);
    copies.retain(|copy, original| *copy != written && (*original != written || survives));
    if let Some(original) = original {
        copies.insert(written, original);
    }
}

#[cfg(test)]
mod tests {
    use super::propagate_copies;
    use crate::passes::flow::Flow;
    use crate::passes::testing::{check_pass, no_change, program};
    use crate::text::print_expression;

    #[test]
    fn originals_are_put_in() {
        check_pass(
            propagate_copies,
            "a -> b { y := x } b -> b { z := z + y } b -> e { assume z == y; assume x == 3 }",
            "a -> b { y := x } b -> b { z := z + x } b -> e { assume z == x; assume x == 3 }",
        );
        // A copy of a copy is one of the original.
        check_pass(
            propagate_copies,
            "a -> b { y := x; z := y } b -> e { assume z == 1 && x == y }",
            "a -> b { y := x; z := x } b -> e { assume x == 1 }",
        );
    }

    #[test]
    fn what_is_written_or_differs_stays() {
        no_change(propagate_copies, "a -> b { y := x; x := x + 1 } b -> e { assume y == 1 && x == 2 }");
        no_change(propagate_copies, "a -> b { y := x } a -> b { y := 1 } b -> e { assume y == 1 && x == 2 }");
        no_change(
            propagate_copies,
            "a -> b { y := x } b -> b { havoc x } b -> e { assume y == 1 && x == 2 }",
        );
    }

    /// Nobody asks for `x` behind `b`, so its value there may be another one in the automaton as lowered.
    #[test]
    fn an_original_that_is_not_live_is_not_put_in() {
        no_change(propagate_copies, "a -> b { y := x } b -> b { skip } b -> e { assume y == 1 }");
    }

    #[test]
    fn what_was_known_at_anchors_becomes_facts() {
        let program = program("a -> b { y := x } b -> b { z := z + y } b -> e { assume z == y && x == 3 }");
        let mut flow = Flow::new(&program);
        assert_eq!(propagate_copies(&mut flow), Ok(true));
        let facts: Vec<String> =
            flow.facts.values().flatten().map(|&fact| print_expression(&flow.arena, fact)).collect();
        assert_eq!(facts, ["x == y"]);
    }
}
