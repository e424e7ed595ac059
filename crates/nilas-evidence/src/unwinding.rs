//! Exhausted unwindings: the regions are unrolled anew, layer by layer.
//!
//! What was shown impossible in one layer is a fact for the questions about later ones.

use crate::check::{Account, Checker, Layer, name};
use crate::evidence::Unwinding;
use crate::region::Arrival;
use crate::rejection::Rejection;
use nilas_program::{LocationId, Program};
use nilas_smt::Budget;
use std::collections::{BTreeMap, BTreeSet};

/// An exhausted unwinding. Whether a location can be reached in a layer decides nothing but which layers
/// count as its visits. So every layer is counted first, which spares a question for each; where there are
/// too many of them so, those in which nothing gets there are left out.
pub(crate) fn check(
    program: &Program,
    unwinding: &Unwinding,
    budget: &Budget,
    account: &mut Account,
) -> Result<(), Rejection> {
    match unroll(program, unwinding, Layers::All, budget, account) {
        Err(Rejection::BoundExceeded { .. }) => {
            unroll(program, unwinding, Layers::Reachable, budget, account)
        }
        checked => checked,
    }
}

/// Which layers of a location are followed, and count.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Layers {
    /// All up to its bound.
    All,
    /// Those that an execution gets to.
    Reachable,
}

/// Unrolls the regions layer by layer: layer k is where executions are after k regions. Sinks must not be
/// reachable in any layer, and no location in a layer beyond its bound; there are finitely many layers up to
/// the bounds, so this ends.
fn unroll(
    program: &Program,
    unwinding: &Unwinding,
    layers: Layers,
    budget: &Budget,
    account: &mut Account,
) -> Result<(), Rejection> {
    let automaton = &program.automaton;
    let cuts: BTreeSet<LocationId> = unwinding.visits.keys().copied().collect();
    if let Some(stranger) = cuts.iter().find(|location| location.index() >= automaton.locations.len()) {
        return Err(Rejection::NotACutset { location: format!("{stranger:?}") });
    }
    let mut checker = Checker::new(program, &cuts, budget, account)?;
    let mut visits: BTreeMap<LocationId, u64> = BTreeMap::new();
    let anywhere = Arrival::anywhere(&mut checker.arena, automaton);
    let mut layer = Layer::from([(automaton.entry, anywhere.clone())]);
    while !layer.is_empty() {
        checker.account.layers += 1;
        let arrivals = checker.next_layer(&std::mem::take(&mut layer))?;
        for (target, arrival) in arrivals {
            let bound = unwinding.visits.get(&target).copied().unwrap_or(0);
            let count = visits.entry(target).or_default();
            let is_sink = automaton.is_sink(target);
            let is_beyond = *count >= bound;
            if is_sink || is_beyond || layers == Layers::Reachable {
                let Some(model) = checker.model(&[arrival.condition], &anywhere)? else {
                    checker.is_impossible(arrival.condition)?;
                    continue;
                };
                if is_sink {
                    return Err(Rejection::SinkReached { sink: name(automaton, target), model });
                }
                if is_beyond {
                    return Err(Rejection::BoundExceeded { location: name(automaton, target), bound, model });
                }
            }
            *count += 1;
            layer.insert(target, arrival);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use nilas_program::parse_program;

    /// Whether an unwinding with these bounds is accepted, counting layers in either way, and by the check
    /// itself.
    fn accepted(program: &Program, bounds: &[(&str, u64)]) -> [bool; 3] {
        let location = |name: &str| {
            let mut ids = program.automaton.location_ids();
            ids.find(|&id| program.automaton.location(id).name == name).expect("a location of this test")
        };
        let visits = bounds.iter().map(|&(name, bound)| (location(name), bound)).collect();
        let (unwinding, budget) = (Unwinding { visits }, Budget::unlimited());
        [
            unroll(program, &unwinding, Layers::All, &budget, &mut Account::default()).is_ok(),
            unroll(program, &unwinding, Layers::Reachable, &budget, &mut Account::default()).is_ok(),
            check(program, &unwinding, &budget, &mut Account::default()).is_ok(),
        ]
    }

    #[test]
    fn a_loop_needs_its_bound() {
        let text = |limit: &str| {
            format!(
                "var x : bv8 entry a error e location a, b, e a -> b {{ x := 0 }} b -> b {{ assume x <u 3; x := x + 1 }} \
                 b -> e {{ assume x == {limit} }}"
            )
        };
        let safe = parse_program(&text("5")).expect("a program of this test");
        assert_eq!(accepted(&safe, &[("b", 4)]), [true; 3]);
        assert_eq!(accepted(&safe, &[("b", 9)]), [true; 3], "more than enough");
        assert_eq!(accepted(&safe, &[("b", 3)]), [false; 3], "too few");
        let wrong = parse_program(&text("2")).expect("a program of this test");
        assert_eq!(accepted(&wrong, &[("b", 4)]), [false; 3], "the error can be reached");
    }

    /// The inner loop always takes two layers; those in which it might take one or three use bounds up unless
    /// they are asked about.
    #[test]
    fn layers_that_nothing_gets_to_do_not_count() {
        let text = "var x, y : bv8 entry a error e location a, b, c, e a -> b { havoc x; assume x <=u 2; y := 0 } \
             b -> c { assume x != 0; x := x - 1; havoc y; assume y == 1 } c -> c { assume y != 0; y := y - 1 } \
             c -> b { assume y == 0 } b -> e { assume x == 3 }";
        let program = parse_program(text).expect("a program of this test");
        assert_eq!(accepted(&program, &[("b", 3), ("c", 4)]), [false, true, true]);
        assert_eq!(accepted(&program, &[("b", 3), ("c", 3)]), [false; 3]);
        assert_eq!(accepted(&program, &[("b", 2), ("c", 4)]), [false; 3]);
    }
}
