//! Which variables matter where, and removal of what does not.
//!
//! A variable is *live* at a node if its value there can decide whether a sink is reached: if it is assumed
//! on, or flows into a live variable, further down. An assignment to a variable that is not live after it
//! does nothing, even if it feeds itself around a loop (`i := i + 1` where nobody asks for `i`), so this is
//! slicing towards the error. Assumptions stay: an execution that they stop must stay stopped.

use super::flow::Flow;
use crate::automaton::Program;
use crate::command::{Basic, Origin};
use crate::ids::{HavocSite, LocationId, VarId};
use nilas_fault::{Fault, planted};
use nilas_term::{Budget, Interrupt};
use rustc_hash::FxHashMap;

/// The live variables at each node.
pub(crate) struct Liveness {
    words: usize,
    bits: Vec<u64>,
}

impl Liveness {
    pub(crate) fn new(flow: &mut Flow<'_>) -> Result<Self, Interrupt> {
        let words = flow.old.variables.len().div_ceil(64);
        let mut liveness = Liveness { words, bits: vec![0; words * flow.fates.len()] };
        let graph = flow.graph();
        let mut order = graph.reverse_postorder(flow.old.entry);
        order.reverse();
        // Successors first; once more for every level of loops.
        let mut changed = true;
        while changed {
            changed = false;
            for &node in &order {
                flow.poll()?;
                let mut here = liveness.row(node).to_vec();
                for &edge in graph.outgoing(node) {
                    let (basic, target) = (flow.arc(edge).basic, flow.arc(edge).target);
                    liveness.before(flow, basic, target, &mut here);
                }
                if here != liveness.row(node) {
                    let first = node.index() * words;
                    liveness.bits[first..first + words].copy_from_slice(&here);
                    changed = !planted(Fault::LivenessOneRound);
                }
            }
        }
        Ok(liveness)
    }

    fn row(&self, node: LocationId) -> &[u64] {
        let first = node.index() * self.words;
        &self.bits[first..first + self.words]
    }

    pub(crate) fn is_live(&self, node: LocationId, variable: VarId) -> bool {
        self.row(node)[variable.index() / 64] >> (variable.index() % 64) & 1 == 1
    }

    /// Adds what is live before an arc.
    fn before(&self, flow: &mut Flow<'_>, basic: Basic, target: LocationId, here: &mut [u64]) {
        let written = match basic {
            Basic::Assign(variable, _) | Basic::Havoc(variable, _) => Some(variable),
            Basic::Skip | Basic::Assume(_) => None,
        };
        let read = match basic {
            Basic::Assume(term) => Some(term),
            Basic::Assign(variable, term) if self.is_live(target, variable) => Some(term),
            _ => None,
        };
        for (index, (word, after)) in here.iter_mut().zip(self.row(target)).enumerate() {
            let hidden = written.filter(|variable| variable.index() / 64 == index);
            *word |= after & !hidden.map_or(0, |variable| 1 << (variable.index() % 64));
        }
        for variable in read.map(|term| flow.uses(term)).iter().flat_map(|uses| uses.iter()) {
            here[variable.index() / 64] |= 1 << (variable.index() % 64);
        }
    }
}

/// The live variables at each location of a program.
///
/// Evidence may speak about these only: passes keep the values of live variables, not those of others.
pub struct LiveVariables(Liveness);

impl LiveVariables {
    /// Those of a program.
    #[must_use]
    pub fn new(program: &Program) -> Self {
        match LiveVariables::within(program, &Budget::unlimited()) {
            Ok(live) => live,
            Err(_) => unreachable!("a budget without limit does not end"),
        }
    }

    /// The same within a budget.
    ///
    /// # Errors
    /// When the budget has ended.
    pub fn within(program: &Program, budget: &Budget) -> Result<Self, Interrupt> {
        Ok(LiveVariables(Liveness::new(&mut Flow::within(program, budget))?))
    }

    /// Whether the value of a variable at a location can decide whether a sink is reached.
    #[must_use]
    pub fn contains(&self, location: LocationId, variable: VarId) -> bool {
        self.0.is_live(location, variable)
    }
}

/// Turns assignments and havocs of variables that are not live afterwards into `skip`. Whether there were
/// any.
pub(crate) fn remove_dead_assignments(flow: &mut Flow<'_>) -> Result<bool, Interrupt> {
    let liveness = Liveness::new(flow)?;
    let shared = shared_sites(flow);
    let mut changed = false;
    for index in 0..flow.arcs.len() {
        let arc = &flow.arcs[index];
        let dead = match arc.basic {
            Basic::Skip | Basic::Assume(_) => false,
            Basic::Assign(variable, term) => {
                flow.variable(term) == Some(variable) || !liveness.is_live(arc.target, variable)
            }
            Basic::Havoc(variable, site) => {
                !liveness.is_live(arc.target, variable) && !shared.contains_key(&site)
            }
        };
        if dead {
            flow.arcs[index].basic = Basic::Skip;
            changed = true;
        }
    }
    Ok(changed)
}

/// Sites with several arcs. Executions number the occurrences of a site, so either all of them stay or none.
fn shared_sites(flow: &Flow<'_>) -> FxHashMap<HavocSite, Origin> {
    let mut first: FxHashMap<HavocSite, Origin> = FxHashMap::default();
    let mut shared: FxHashMap<HavocSite, Origin> = FxHashMap::default();
    for edge in flow.old.edge_ids() {
        for (arc, step) in flow.old.edge(edge).command.arc_ids() {
            if let Basic::Havoc(_, site) = step.basic {
                let origin = Origin { edge, arc: Some(arc) };
                if *first.entry(site).or_insert(origin) != origin {
                    shared.insert(site, origin);
                }
            }
        }
    }
    shared
}

#[cfg(test)]
mod tests {
    use super::remove_dead_assignments;
    use crate::passes::testing::{check_pass, no_change};

    #[test]
    fn what_nobody_asks_for_is_removed() {
        check_pass(
            remove_dead_assignments,
            "a -> b { x := 1; y := 2 } b -> b { x := x + y; y := y + 1; havoc z } b -> e { assume y == 9 }",
            "a -> b { skip; y := 2 } b -> b { skip; y := y + 1; skip } b -> e { assume y == 9 }",
        );
        // Overwritten before anybody asks, in one branch and in the other.
        check_pass(
            remove_dead_assignments,
            "a -> b { x := 1 } b -> c { x := 2 } b -> c { havoc x } c -> e { assume x == 2 }",
            "a -> b { skip } b -> c { x := 2 } b -> c { havoc x } c -> e { assume x == 2 }",
        );
    }

    #[test]
    fn what_decides_stays() {
        // The loop may not end unless `x` is counted.
        no_change(
            remove_dead_assignments,
            "a -> b { x := 0 } b -> b { assume x != 5; x := x + 1 } b -> e { assume x == 5 }",
        );
        no_change(remove_dead_assignments, "a -> b { havoc x; y := x } b -> e { assume y == 5 }");
    }
}
