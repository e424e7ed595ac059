//! Who calls whom, as far as the analysis of pointers shows, and how large functions are with everything that
//! they call in place of the calls.
//!
//! It decides how calls are lowered, never what they mean: whatever it does not see makes the automaton
//! larger than foreseen, nothing else.

use crate::index::Id;
use crate::lower::memory::points::Points;
use crate::tree::{Callee, ExprKind, FunctionId, Program};

/// See the module's text.
pub(in crate::lower) struct CallGraph {
    /// Per function: how many nodes it has with what it calls in place of the calls.
    inlined: Vec<u64>,
    /// Per function: how many calls may mean it.
    sites: Vec<usize>,
}

impl CallGraph {
    pub(in crate::lower) fn new(tree: &Program, points: &Points) -> Self {
        let count = tree.functions.len();
        let mut own = vec![0_u64; count];
        let mut callees: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (id, function) in tree.functions.enumerate() {
            let Some(body) = function.body else { continue };
            let (size, calls) = (&mut own[id.index()], &mut callees[id.index()]);
            tree.walk(
                body,
                |_| {},
                |expr| {
                    *size += 1;
                    match &tree.exprs[expr].kind {
                        ExprKind::Call { callee: Callee::Function(function), .. } => {
                            calls.push(function.index());
                        }
                        ExprKind::Call { callee: Callee::Pointer(pointer), .. } => {
                            calls.extend(points.called(tree, *pointer).iter().map(|callee| callee.index()));
                        }
                        _ => {}
                    }
                },
            );
        }
        let mut sites = vec![0; count];
        for &callee in callees.iter().flatten() {
            sites[callee] += 1;
        }
        CallGraph { inlined: inlined(&own, &callees), sites }
    }

    /// How many nodes a function has with everything that it calls in place of the calls.
    pub(in crate::lower) fn inlined_size(&self, function: FunctionId) -> u64 {
        self.inlined[function.index()]
    }

    /// How many calls may mean a function.
    pub(in crate::lower) fn sites(&self, function: FunctionId) -> usize {
        self.sites[function.index()]
    }
}

/// Sizes with callees, which come before their callers; a call that closes a cycle counts for nothing.
pub(in crate::lower) fn inlined(own: &[u64], callees: &[Vec<usize>]) -> Vec<u64> {
    let mut sizes: Vec<Option<u64>> = vec![None; own.len()];
    let mut entered = vec![false; own.len()];
    for start in 0..own.len() {
        let mut work = vec![start];
        while let Some(&function) = work.last() {
            if sizes[function].is_some() {
                work.pop();
                continue;
            }
            if !std::mem::replace(&mut entered[function], true) {
                work.extend(callees[function].iter().filter(|&&callee| !entered[callee]));
                continue;
            }
            work.pop();
            let called = callees[function].iter().filter_map(|&callee| sizes[callee]);
            sizes[function] = Some(called.fold(own[function], u64::saturating_add));
        }
    }
    sizes.into_iter().map(Option::unwrap_or_default).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_grow_with_calls() {
        // 0 calls 1 twice, 1 calls 2 twice, 2 calls itself; 3 and 4 call each other.
        let callees = vec![vec![1, 1], vec![2, 2], vec![2], vec![4], vec![3]];
        assert_eq!(inlined(&[1, 10, 100, 5, 7], &callees), [421, 210, 100, 12, 7]);
    }
}
