//! Lemma templates about order, tried before anything is solved: instances of the axioms of a total order
//! that a model violates.
//!
//! What a model says about comparisons of one kind (signed or not) is a graph over its classes: `a < b` or `a
//! ≤ b` is an arc, the negation of either is an arc back, and constants are connected in their own order. A
//! cycle with a strict arc violates transitivity; one without, through classes that differ, violates
//! antisymmetry. Monotonicity in a bound (`x < 5` implies `x < 7`) and the place of a value among bounds are
//! cycles through constants. Every lemma is a clause of the cycle's literals and of the equalities that
//! connect them, so it holds of all values.

use nilas_smt::euf::{Class, Partition};
use nilas_term::{Arena, BitVec, Op, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, VecDeque};

/// The comparisons in a formula, with all of its subterms.
#[derive(Default)]
pub(super) struct Comparisons {
    seen: FxHashSet<Term>,
    /// Unsigned ones, signed ones.
    of: [Vec<Term>; 2],
}

/// `left` is below `right`, or equal unless strict.
struct Arc {
    left: Term,
    right: Term,
    strict: bool,
    /// What says so; nothing if it holds of values.
    literal: Option<Term>,
}

impl Comparisons {
    /// Adds those of a formula.
    pub(super) fn add(&mut self, arena: &Arena, formula: Term) {
        let mut stack = vec![formula];
        while let Some(term) = stack.pop() {
            if !self.seen.insert(term) {
                continue;
            }
            match arena.op(term) {
                Op::BvUlt | Op::BvUle => self.of[0].push(term),
                Op::BvSlt | Op::BvSle => self.of[1].push(term),
                _ => {}
            }
            stack.extend_from_slice(arena.children(term));
        }
    }

    /// Instances of axioms, as clauses, that do not hold in the model.
    pub(super) fn violated(&self, arena: &mut Arena, partition: &mut Partition<'_>) -> Vec<Vec<Term>> {
        let mut found = Vec::new();
        for (signed, comparisons) in [false, true].into_iter().zip(&self.of) {
            let graph = Graph::new(arena, partition, comparisons, signed);
            found.extend(graph.cycles(arena));
        }
        found
    }
}

/// Arcs between classes.
struct Graph {
    arcs: Vec<Arc>,
    /// For each arc, the numbers of its classes.
    ends: Vec<(usize, usize)>,
    /// By class, arcs that leave it.
    leaving: Vec<Vec<usize>>,
}

impl Graph {
    fn new(arena: &mut Arena, partition: &mut Partition<'_>, comparisons: &[Term], signed: bool) -> Self {
        let mut arcs = Vec::new();
        for &comparison in comparisons {
            let &[left, right] = arena.children(comparison) else { continue };
            let Some(holds) = partition.holds(arena, comparison) else { continue };
            let strict = matches!(arena.op(comparison), Op::BvUlt | Op::BvSlt);
            arcs.push(if holds {
                Arc { left, right, strict, literal: Some(comparison) }
            } else {
                let literal = Some(arena.not(comparison));
                Arc { left: right, right: left, strict: !strict, literal }
            });
        }
        let mut graph = Graph { arcs: Vec::new(), ends: Vec::new(), leaving: Vec::new() };
        let mut numbers: FxHashMap<Class, usize> = FxHashMap::default();
        let mut values: BTreeMap<u32, Vec<(BitVec, usize)>> = BTreeMap::new();
        for arc in arcs {
            let classes = (partition.class(arena, arc.left), partition.class(arena, arc.right));
            let (Some(left), Some(right)) = classes else { continue };
            let ends = [left, right].map(|class| {
                *numbers.entry(class.clone()).or_insert_with(|| {
                    let number = graph.leaving.len();
                    graph.leaving.push(Vec::new());
                    if let Some(value) = partition.value(&class).and_then(|value| value.as_bitvec().cloned())
                    {
                        values.entry(value.width()).or_default().push((value, number));
                    }
                    number
                })
            });
            graph.add(arc, (ends[0], ends[1]));
        }
        for values in values.into_values() {
            graph.add_values(arena, values, signed);
        }
        graph
    }

    fn add(&mut self, arc: Arc, ends: (usize, usize)) {
        self.leaving[ends.0].push(self.arcs.len());
        self.ends.push(ends);
        self.arcs.push(arc);
    }

    /// Connects the classes of values in their order.
    fn add_values(&mut self, arena: &mut Arena, mut values: Vec<(BitVec, usize)>, signed: bool) {
        values.sort_by(|(left, _), (right, _)| match () {
            () if left == right => std::cmp::Ordering::Equal,
            () if if signed { left.slt(right) } else { left.ult(right) } => std::cmp::Ordering::Less,
            () => std::cmp::Ordering::Greater,
        });
        for pair in values.windows(2) {
            let [(left, from), (right, to)] = pair else { continue };
            let [left, right] = [left, right].map(|value| arena.constant(value.clone().into()));
            self.add(Arc { left, right, strict: true, literal: None }, (*from, *to));
        }
    }

    /// A shortest cycle through each arc that contradicts the axioms, as a clause.
    fn cycles(&self, arena: &mut Arena) -> Vec<Vec<Term>> {
        let mut found: Vec<Vec<Term>> = Vec::new();
        for (index, arc) in self.arcs.iter().enumerate() {
            let (from, to) = self.ends[index];
            if arc.literal.is_none() || from == to && !arc.strict {
                continue;
            }
            let Some(mut cycle) = self.way(to, from) else { continue };
            cycle.insert(0, index);
            if let Some(clause) = self.clause(arena, &cycle)
                && !found.contains(&clause)
            {
                found.push(clause);
            }
        }
        found
    }

    /// A shortest way from one class to another.
    fn way(&self, from: usize, to: usize) -> Option<Vec<usize>> {
        let mut by: FxHashMap<usize, Option<usize>> = FxHashMap::default();
        by.insert(from, None);
        let mut queue: VecDeque<usize> = [from].into();
        while let Some(class) = queue.pop_front() {
            if class == to {
                let (mut way, mut class) = (Vec::new(), class);
                while let Some(arc) = by[&class] {
                    way.push(arc);
                    class = self.ends[arc].0;
                }
                way.reverse();
                return Some(way);
            }
            for &arc in &self.leaving[class] {
                let next = self.ends[arc].1;
                by.entry(next).or_insert_with(|| {
                    queue.push_back(next);
                    Some(arc)
                });
            }
        }
        None
    }

    /// That a cycle cannot be, or that all on it are equal. `None` if simplification knows it already.
    fn clause(&self, arena: &mut Arena, cycle: &[usize]) -> Option<Vec<Term>> {
        let mut clause = Vec::new();
        let strict = cycle.iter().any(|&arc| self.arcs[arc].strict);
        if !strict {
            let arc = &self.arcs[cycle[0]];
            clause.push(arena.eq(arc.left, arc.right));
        }
        for (position, &index) in cycle.iter().enumerate() {
            let arc = &self.arcs[index];
            let next = &self.arcs[cycle[(position + 1) % cycle.len()]];
            if let Some(literal) = arc.literal {
                clause.push(arena.not(literal));
            }
            let equal = arena.eq(arc.right, next.left);
            clause.push(arena.not(equal));
        }
        clause.retain(|&literal| arena.as_bool(literal) != Some(false));
        clause.sort_unstable();
        clause.dedup();
        (!clause.is_empty() && clause.iter().all(|&literal| arena.as_bool(literal) != Some(true)))
            .then_some(clause)
    }
}
