//! Which facts say something to a person.
//!
//! Where objects lie is an accident of the lowering: a comparison with an address is told by the object's
//! name, but a sum with one is a number that nobody knows. Neither does a choice between choices read well:
//! its cases are no statement about the program. Comparisons of chosen constants are told by their
//! conditions ([`choice`]).

use super::choice;
use crate::scalar::Scalars;
use nilas_term::{Arena, BitVec, Op, Sort, Term};
use rustc_hash::FxHashMap;

/// Addresses this far behind the last named one belong to its object.
const BEHIND: u64 = 4096;
/// Addresses of small width are plain numbers, too.
const LEAST_WIDTH: u32 = 32;

/// See the module's text.
pub(super) fn is_readable(arena: &Arena, formula: Term, scalars: &Scalars) -> bool {
    let lowest = scalars.addresses.keys().next().copied();
    let highest = scalars.addresses.keys().next_back().copied();
    let addresses = lowest.zip(highest).map(|(low, high)| low.max(BEHIND)..=high.saturating_add(BEHIND));
    let is_address = |term: Term| {
        matches!(*arena.sort(term), Sort::BitVec(width) if width >= LEAST_WIDTH)
            && arena
                .as_bitvec(term)
                .and_then(BitVec::to_u64)
                .is_some_and(|value| addresses.as_ref().is_some_and(|addresses| addresses.contains(&value)))
    };
    // How many choices lie inside of each other, from the leaves up.
    let mut choices: FxHashMap<Term, u32> = FxHashMap::default();
    let mut stack = vec![formula];
    while let Some(&top) = stack.last() {
        if choices.contains_key(&top) {
            stack.pop();
            continue;
        }
        // Told by its conditions.
        let conditions = choice::conditions(arena, top);
        let told = conditions.is_some();
        let children = conditions.as_deref().unwrap_or(arena.children(top));
        let before = stack.len();
        stack.extend(children.iter().filter(|child| !choices.contains_key(child)));
        if stack.len() > before {
            continue;
        }
        stack.pop();
        let compared = *arena.sort(top) == Sort::Bool
            && children.iter().any(|&child| arena.name(child).is_some() || arena.op(child) == Op::Select);
        if !told && !compared && children.iter().any(|&child| is_address(child)) {
            return false;
        }
        let inner = children.iter().map(|child| choices[child]).max().unwrap_or(0);
        let own = u32::from(arena.op(top) == Op::Ite && *arena.sort(top) != Sort::Bool);
        if inner + own > 1 {
            return false;
        }
        choices.insert(top, inner + own);
    }
    true
}
