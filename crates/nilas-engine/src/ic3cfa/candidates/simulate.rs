//! States that random executions reach: what they violate need not be guessed, and what they all satisfy is
//! worth guessing.
//!
//! Executions start at the entry with small random values, which tell more about a program than large ones,
//! and take edges whose guard holds for random inputs. The numbers are always the same ones, so a run can be
//! repeated.

use super::samples::Sample;
use crate::ic3cfa::Ic3Cfa;
use nilas_term::{BitVec, Evaluator, Model, Sort, Term, Value};

/// States that are kept for a location.
const KEPT: usize = 48;
/// Steps of one execution, and of all.
const LONGEST: usize = 40;
const STEPS: usize = 3_000;
/// Terms that may be evaluated, all steps together, taking each step to need all there are.
const TERMS: usize = 3_000_000;
/// Inputs that are tried for one edge.
const TRIES: usize = 2;

/// Pseudorandom numbers (SplitMix64; Steele, Lea, Flood 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    /// A value of a sort: mostly a small number.
    fn value(&mut self, sort: &Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(self.below(2) == 1),
            Sort::BitVec(width) => {
                let number = match self.below(8) {
                    0 => self.next(),
                    1 => u64::MAX - self.below(8),
                    2 => self.below(1000),
                    _ => self.below(12),
                };
                let small = BitVec::new((*width).min(64), number);
                // Small negative numbers stay so in greater widths.
                Value::BitVec(if *width > 64 { small.sign_extend(*width - 64) } else { small })
            }
            other => Value::default_of(other),
        }
    }
}

impl Ic3Cfa<'_, '_> {
    /// States of each location from random executions, besides those that are known already.
    pub(super) fn simulate(&self, samples: &mut [Vec<Sample>]) {
        let automaton = self.instance.map.automaton;
        if automaton.variables.iter().any(|variable| matches!(variable.sort, Sort::Array(_))) {
            return;
        }
        let mut steps = STEPS.min(TERMS / self.arena.len().max(1));
        let mut random = Random(1);
        while steps > 0 {
            let mut location = automaton.entry;
            let mut state: Sample = automaton
                .variables
                .iter()
                .map(|variable| (variable.term, random.value(&variable.sort)))
                .collect();
            for _ in 0..LONGEST {
                let edges = &self.instance.map.outgoing[location.index()];
                if edges.is_empty() {
                    break;
                }
                let first = random.below(edges.len() as u64) as usize;
                let mut taken = None;
                for offset in 0..edges.len() * TRIES {
                    let edge = edges[(first + offset) % edges.len()];
                    steps = steps.saturating_sub(1);
                    taken = self.random_step(edge, &state, &mut random).map(|after| (edge, after));
                    if taken.is_some() || steps == 0 {
                        break;
                    }
                }
                let Some((edge, after)) = taken else { break };
                location = automaton.edge(edge).target;
                state = after;
                if !self.has_candidates(location) {
                    break;
                }
                let known = &mut samples[location.index()];
                if known.len() < KEPT && !known.contains(&state) {
                    known.push(state.clone());
                }
            }
            // An execution that ends at once costs something, too.
            steps = steps.saturating_sub(1);
        }
    }

    /// The state behind an edge for random inputs; `None` if it cannot be taken with them.
    fn random_step(
        &self,
        edge: nilas_program::EdgeId,
        state: &Sample,
        random: &mut Random,
    ) -> Option<Sample> {
        let encoding = &self.instance.map.solvers[edge.index()].as_ref()?.transition.encoding;
        let mut model = Model::new();
        for (variable, value) in state {
            model.set(*variable, value.clone());
        }
        for input in &encoding.inputs {
            model.set(input.variable, random.value(self.arena.sort(input.variable)));
        }
        let mut evaluator = Evaluator::new(model).with_defaults();
        if !evaluator.holds(&self.arena, encoding.guard).ok()? {
            return None;
        }
        let value = |id| -> Option<(Term, Value)> {
            let after = evaluator.eval(&self.arena, encoding.next.get(id)).ok()?;
            Some((self.instance.map.automaton.variable(id).term, after))
        };
        self.instance.map.automaton.variable_ids().map(value).collect()
    }
}
