//! Conditional constant propagation.
//!
//! For each node, the variables that have one and the same value in all executions that get there: an
//! optimistic fixpoint from the entry over the arcs that can be taken (Wegman and Zadeck's idea, on states
//! instead of on SSA). Assumptions of the form `x = 5` and Boolean variables in assumptions teach values; an
//! assumption that is false with what is known ends the way. Afterwards constants are put in, arcs that are
//! never taken disappear, and what was known at the anchors becomes facts of the back-map.
//!
//! Facts are about variables that are live only: earlier passes may have removed what assigns the others.

use super::flow::{Fate, Flow};
use super::liveness::Liveness;
use crate::command::Basic;
use crate::ids::{LocationId, VarId};
use nilas_fault::{Fault, planted};
use nilas_term::{Interrupt, Op, Sort, Substitution, Term};
use std::collections::BTreeSet;
use std::rc::Rc;

const CHUNK: usize = 32;

/// What is known of each variable at a node. Copies share what they have in common.
#[derive(Clone, PartialEq, Eq)]
struct Known {
    chunks: Vec<Rc<[Option<Term>; CHUNK]>>,
}

impl Known {
    fn nothing(variables: usize) -> Self {
        let empty = Rc::new([None; CHUNK]);
        Known { chunks: vec![empty; variables.div_ceil(CHUNK)] }
    }

    fn get(&self, variable: VarId) -> Option<Term> {
        self.chunks[variable.index() / CHUNK][variable.index() % CHUNK]
    }

    fn set(&mut self, variable: VarId, value: Option<Term>) {
        if self.get(variable) != value {
            Rc::make_mut(&mut self.chunks[variable.index() / CHUNK])[variable.index() % CHUNK] = value;
        }
    }

    /// Keeps what both know. Whether something was lost.
    fn meet(&mut self, other: &Known) -> bool {
        let mut lost = false;
        for (mine, theirs) in self.chunks.iter_mut().zip(&other.chunks) {
            if Rc::ptr_eq(mine, theirs) {
                continue;
            }
            let differs = |index: &usize| {
                mine[*index].is_some()
                    && mine[*index] != theirs[*index]
                    && !(planted(Fault::ConstantsMeetKeeps) && theirs[*index].is_none())
            };
            let differences: Vec<usize> = (0..CHUNK).filter(differs).collect();
            if !differences.is_empty() {
                lost = true;
                let chunk = Rc::make_mut(mine);
                differences.into_iter().for_each(|index| chunk[index] = None);
            }
        }
        lost
    }
}

/// Puts constants in and removes arcs that are never taken. Whether anything changed.
pub(crate) fn propagate_constants(flow: &mut Flow<'_>) -> Result<bool, Interrupt> {
    let liveness = Liveness::new(flow)?;
    let known = analyse(flow)?;
    for anchor in flow.anchors().collect::<Vec<LocationId>>() {
        if let Some(state) = &known[anchor.index()] {
            record_facts(flow, &liveness, anchor, state);
        }
    }
    let mut changed = false;
    let mut kept = Vec::with_capacity(flow.arcs.len());
    for mut arc in std::mem::take(&mut flow.arcs) {
        let basic = known[arc.source.index()].as_ref().and_then(|state| {
            let basic = simplified(flow, state, arc.basic);
            (!is_false(flow, basic)).then_some(basic)
        });
        let Some(basic) = basic else {
            changed = true;
            continue;
        };
        changed |= basic != arc.basic;
        arc.basic = basic;
        kept.push(arc);
    }
    flow.arcs = kept;
    flow.prune(Fate::Dead);
    Ok(changed)
}

fn record_facts(flow: &mut Flow<'_>, liveness: &Liveness, anchor: LocationId, state: &Known) {
    for variable in flow.old.variable_ids() {
        let declared = flow.old.variable(variable);
        if let Some(value) = state.get(variable)
            && liveness.is_live(anchor, variable)
        {
            let fact = flow.arena.eq(declared.term, value);
            let facts = flow.facts.entry(anchor).or_default();
            if !facts.contains(&fact) {
                facts.push(fact);
            }
        }
    }
}

/// What is known at each node; nothing at nodes that no execution gets to.
fn analyse(flow: &mut Flow<'_>) -> Result<Vec<Option<Known>>, Interrupt> {
    let graph = flow.graph();
    let order = graph.reverse_postorder(flow.old.entry);
    let mut position = vec![0; flow.fates.len()];
    for (index, node) in order.iter().enumerate() {
        position[node.index()] = index;
    }
    let mut known: Vec<Option<Known>> = vec![None; flow.fates.len()];
    known[flow.old.entry.index()] = Some(Known::nothing(flow.old.variables.len()));
    let mut waiting = BTreeSet::from([0]);
    while let Some(next) = waiting.pop_first() {
        flow.poll()?;
        let node = order[next];
        for &edge in graph.outgoing(node) {
            let Some(state) = known[node.index()].clone() else { continue };
            let (basic, target) = (flow.arc(edge).basic, flow.arc(edge).target);
            let Some(after) = execute(flow, state, basic) else { continue };
            let changed = match &mut known[target.index()] {
                Some(present) => present.meet(&after),
                unseen @ None => {
                    *unseen = Some(after);
                    true
                }
            };
            if changed {
                waiting.insert(position[target.index()]);
            }
        }
    }
    Ok(known)
}

/// What is known after an arc; nothing if it cannot be taken.
fn execute(flow: &mut Flow<'_>, mut state: Known, basic: Basic) -> Option<Known> {
    let basic = simplified(flow, &state, basic);
    match basic {
        Basic::Skip => {}
        Basic::Assume(condition) => {
            if flow.arena.as_bool(condition) == Some(false) {
                return None;
            }
            learn(flow, &mut state, condition);
        }
        Basic::Assign(variable, term) => {
            let value = is_scalar(flow.arena.sort(term)) && flow.arena.as_value(term).is_some();
            state.set(variable, value.then_some(term));
        }
        Basic::Havoc(variable, _) => state.set(variable, None),
    }
    Some(state)
}

/// Values that an assumption, in which what is known is put in, leaves no choice about.
fn learn(flow: &mut Flow<'_>, state: &mut Known, condition: Term) {
    let conjuncts = match flow.arena.op(condition) {
        Op::And => flow.arena.children(condition).to_vec(),
        _ => vec![condition],
    };
    for conjunct in conjuncts {
        let learnt = match (flow.arena.op(conjunct), flow.arena.children(conjunct)) {
            (Op::Eq, &[left, right]) => {
                let pairs = [(left, right), (right, left)];
                pairs.into_iter().find_map(|(variable, value)| Some((flow.variable(variable)?, value)))
            }
            (Op::Not, &[child]) => {
                let value = flow.arena.mk_bool(planted(Fault::NegationLearntTrue));
                flow.variable(child).map(|variable| (variable, value))
            }
            _ => flow.variable(conjunct).map(|variable| (variable, flow.arena.mk_true())),
        };
        if let Some((variable, value)) = learnt
            && flow.arena.as_value(value).is_some()
            && is_scalar(flow.arena.sort(value))
        {
            state.set(variable, Some(value));
        }
    }
}

/// Equalities of other sorts would be more than the checker of evidence can decide.
fn is_scalar(sort: &Sort) -> bool {
    matches!(sort, Sort::Bool | Sort::BitVec(_) | Sort::Float(..))
}

/// A basic command with constants put in.
fn simplified(flow: &mut Flow<'_>, state: &Known, basic: Basic) -> Basic {
    let replace = |flow: &mut Flow<'_>, term: Term| {
        let mut substitution = Substitution::new();
        for &variable in flow.uses(term).iter() {
            if let Some(value) = state.get(variable) {
                substitution.insert(flow.old.variable(variable).term, value);
            }
        }
        substitution.apply(&mut flow.arena, term)
    };
    match basic {
        Basic::Assume(condition) => match replace(flow, condition) {
            condition if flow.arena.as_bool(condition) == Some(true) => Basic::Skip,
            condition => Basic::Assume(condition),
        },
        Basic::Assign(variable, term) => match replace(flow, term) {
            term if state.get(variable) == Some(term) => Basic::Skip,
            term => Basic::Assign(variable, term),
        },
        Basic::Skip | Basic::Havoc(..) => basic,
    }
}

fn is_false(flow: &Flow<'_>, basic: Basic) -> bool {
    matches!(basic, Basic::Assume(condition) if flow.arena.as_bool(condition) == Some(false))
}

#[cfg(test)]
mod tests {
    use super::propagate_constants;
    use crate::passes::flow::{Fate, Flow};
    use crate::passes::testing::{check_pass, no_change, program};
    use crate::text::print_expression;

    #[test]
    fn constants_are_put_in() {
        check_pass(
            propagate_constants,
            "a -> b { x := 5 } b -> b { y := x + y } b -> e { assume y == x }",
            "a -> b { x := 5 } b -> b { y := y + 5 } b -> e { assume y == 5 }",
        );
        // The branch that is never taken does not spoil what is known, even around a loop.
        check_pass(
            propagate_constants,
            "a -> b { x := 1 } b -> c { assume x == 1 } b -> d { assume x != 1 } d -> b { x := 2 } c -> b { havoc y } \
             b -> e { assume y == x }",
            "a -> b { x := 1 } b -> c { skip } c -> b { havoc y } b -> e { assume y == 1 }",
        );
    }

    #[test]
    fn assumptions_teach_values() {
        check_pass(
            propagate_constants,
            "a -> b { assume x == 3 && p } b -> c { assume !q } c -> d { assume p || y == 2 } d -> e { assume y == x + z && q == p }\
             d -> e { assume y != 0 && !q }",
            "a -> b { assume x == 3 && p } b -> c { assume !q } c -> d { skip } d -> e { assume y != 0 }",
        );
        // Different on two ways, or changed around a loop.
        no_change(
            propagate_constants,
            "a -> b { assume x == 3 } a -> b { x := 4 } b -> b { x := x + 1 } b -> e { assume x == 9 }",
        );
    }

    #[test]
    fn what_was_known_at_anchors_becomes_facts() {
        let program = program(
            "a -> b { x := 5; z := 1 } b -> b { havoc y } b -> c { assume x == 5 } b -> d { assume x == 6 } d -> d { skip } \
             d -> e { skip } c -> c { assume z == 2 } c -> e { assume x != 5 }",
        );
        let mut flow = Flow::new(&program);
        assert_eq!(propagate_constants(&mut flow), Ok(true));
        assert!(flow.arcs.is_empty());
        let text = |index| {
            let facts = flow.facts.get(&crate::LocationId::new(index)).into_iter().flatten();
            facts.map(|&fact| print_expression(&flow.arena, fact)).collect::<Vec<_>>().join(", ")
        };
        assert_eq!([text(0), text(1), text(2), text(3)], ["", "x == 5, z == 1", "x == 5, z == 1", ""]);
        assert_eq!(flow.fates[1..4], [Fate::Harmless, Fate::Harmless, Fate::Dead]);
    }
}
