//! From a path of states to a sink to an execution, or to what excludes it.
//!
//! The path is a chain of basic commands. Each reads its variables through symbols of its own, and that these
//! are what the variable was given before is said under an activation of the variable: without it the command
//! may read anything, as if the variable were not tracked. So a core of activations is a set of variables that
//! excludes the path once they are tracked (compare [`crate::classes::precision`], where states of an edge
//! stand in the place of commands).
//!
//! If those that are tracked suffice already, their classes say too little. Either one of them gets its class
//! too late, or classes are to be cut where interpolants along the path say so.

use super::super::MOST_CLASSES;
use super::live::{self, Accesses};
use super::{Demand, MOST_TRACKED, UNKNOWN, give_up};
use crate::classes::precision::fewest;
use crate::execution::ExecutionBuilder;
use crate::outcome::Unknown;
use crate::path::{PathFormula, sequence_interpolants};
use nilas_evidence::Execution;
use nilas_program::{ArcId, Automaton, Basic, EdgeId, NodeId, VarId};
use nilas_smt::{Activation, Embedded, Solver};
use nilas_term::{Arena, BitVec, Op, Substitution, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// Interpolants are looked for along paths of which not more commands matter.
const LONGEST: usize = 600;
/// A variable with more classes is not cut at values.
const MOST_VALUES: usize = 100;
/// A counter with so many cuts is cut at all values between them.
const SOME_VALUES: usize = 8;
/// Conditions about more variables get no place.
const MOST_ABOUT: usize = 4;

/// What became of a path.
pub(super) enum Found {
    /// It has an execution.
    Execution(Execution),
    /// It has none, and states exclude it from now on.
    Excluded,
}

/// Variables with what says that they are read as they were written, and others.
type Needed = (Vec<(VarId, Activation)>, Vec<VarId>);

/// The commands of a path, edge by edge.
pub(super) type Arcs = [(EdgeId, Vec<ArcId>)];

impl Demand<'_> {
    /// Finds out about a path to a sink. If it is not the `first` one of a round, what was tracked since may
    /// exclude it already.
    pub(super) fn explain(&mut self, path: &Arcs, first: bool) -> Result<Found, Unknown> {
        // What is live was computed for ways that go back to where they came from.
        if let Some(number) = self.calls.astray(path.iter().map(|(edge, _)| *edge)) {
            let is_new = self.tell_calls_apart(number);
            if !self.is_tracked(number) {
                self.track(number)?;
                return Ok(Found::Excluded);
            } else if !first || is_new || self.longer(&[number]) || self.earlier(&[number]) {
                return Ok(Found::Excluded);
            }
        }
        let mut solver: Embedded = Embedded::default();
        let said = Said::along(&mut self.arena, self.automaton, &self.accesses, path, &mut solver);
        let (tracked, needed) = match self.needed(&said, &mut solver, false)? {
            Some(needed) => needed,
            // Counters have a class for each of their values in the end.
            None => match self.needed(&said, &mut solver, true)? {
                Some(needed) => needed,
                None => return Ok(Found::Execution(self.execution(path, &said, &mut solver)?)),
            },
        };
        if needed.is_empty() && !first {
            return Ok(Found::Excluded);
        }
        if needed.is_empty() {
            let Some(of) = fewest(&mut solver, &self.arena, &[], tracked, self.budget)? else {
                return Err(Unknown::Internal("a path without an execution has one".to_owned()));
            };
            if !self.longer(&of) && !self.compared(path, &of) && !self.earlier(&of) {
                self.cut(path, &of)?;
            }
            return Ok(Found::Excluded);
        }
        self.compared(path, &needed);
        let mut new = false;
        for &id in &needed {
            if self.has_classes(id) {
                self.track(id)?;
                new = true;
            }
        }
        if !new {
            let of: Vec<VarId> = needed.into_iter().chain(tracked.iter().map(|&(id, _)| id)).collect();
            self.cut(path, &of)?;
        }
        Ok(Found::Excluded)
    }

    /// The tracked variables, and those that have to be tracked as well to exclude a path; `None` if all together
    /// do not. Counters may be left out of both.
    fn needed(
        &self,
        said: &Said,
        solver: &mut Embedded,
        with_counters: bool,
    ) -> Result<Option<Needed>, Unknown> {
        let groups = said.groups.iter().copied();
        let groups = groups.filter(|(id, _)| with_counters || !self.is_counter[id.index()]);
        let (tracked, others): (Vec<_>, Vec<_>) = groups.partition(|(id, _)| self.is_tracked(*id));
        let always: Vec<Activation> = tracked.iter().map(|&(_, activation)| activation).collect();
        let needed = fewest(solver, &self.arena, &always, others, self.budget)?;
        Ok(needed.map(|needed| (tracked, needed)))
    }

    /// Cuts the classes of variables at what they are compared with along a path; whether that is new.
    fn compared(&mut self, path: &Arcs, of: &[VarId]) -> bool {
        let mut terms = Vec::new();
        for (edge, arcs) in path {
            for &arc in arcs {
                let read = self.accesses.read(*edge, arc.index());
                if let Basic::Assume(term) | Basic::Assign(_, term) =
                    self.automaton.edge(*edge).command.arc(arc).basic
                    && read.iter().any(|id| of.contains(id))
                {
                    terms.push(term);
                }
            }
        }
        let mut changed = BTreeSet::new();
        for term in parts_of(&self.arena, terms) {
            if let Some((id, ..)) = self.cuts.comparison(&self.arena, term).filter(|(id, ..)| of.contains(id))
                && self.cuts.compared(&self.arena, term)
            {
                changed.insert(id);
            }
        }
        let is_new = !changed.is_empty();
        self.recut(changed);
        is_new
    }

    /// Takes note of variables whose classes were cut.
    fn recut(&mut self, mut changed: BTreeSet<VarId>) {
        let waiting: Vec<VarId> = changed.iter().copied().collect();
        changed.extend(self.copies.carry(self.automaton, &mut self.cuts, waiting));
        for id in changed {
            self.forget(id);
        }
    }

    /// Cuts the classes of the number of a call so that each has its own; whether that is new.
    fn tell_calls_apart(&mut self, number: VarId) -> bool {
        let mut is_new = false;
        for value in self.calls.numbers(number) {
            let behind = value.add(&BitVec::one(value.width()));
            is_new |= self.cuts.cut(number, value.clone()) | self.cuts.cut(number, behind);
        }
        self.forget(number);
        is_new
    }

    fn is_tracked(&self, id: VarId) -> bool {
        self.tracked.place(self.automaton.variable(id).term).is_some()
    }

    fn has_classes(&self, id: VarId) -> bool {
        self.cuts.tells_apart(self.automaton, id) && self.cuts.count(self.automaton, id) <= MOST_CLASSES
    }

    /// Classes of variables are told at once from now on; whether that is new for one.
    fn earlier(&mut self, variables: &[VarId]) -> bool {
        let mut new = false;
        for &id in variables {
            let Some(place) = self.tracked.place(self.automaton.variable(id).term) else { continue };
            if std::mem::take(&mut self.late[place]) {
                self.forget(id);
                new = true;
            }
        }
        new
    }

    /// Classes of variables are no longer forgotten where they are equal to a constant; whether that is new
    /// for one.
    fn longer(&mut self, variables: &[VarId]) -> bool {
        let mut new = false;
        for &id in variables {
            let Some(place) = self.tracked.place(self.automaton.variable(id).term) else { continue };
            if std::mem::take(&mut self.brief[place]) {
                self.forget(id);
                new = true;
            }
        }
        new
    }

    /// The commands on the way to a state.
    pub(super) fn arcs(&mut self, node: usize) -> Result<Vec<(EdgeId, Vec<ArcId>)>, Unknown> {
        let mut path = Vec::new();
        let mut at = node;
        while let Some((before, edge)) = self.nodes[at].parent {
            path.push((edge, self.way(edge, before, at)?));
            at = before;
        }
        path.reverse();
        Ok(path)
    }

    /// The arcs from one state to the next one over an edge.
    fn way(&mut self, edge: EdgeId, before: usize, after: usize) -> Result<Vec<ArcId>, Unknown> {
        let command = &self.automaton.edge(edge).command;
        if command.nodes() == command.arcs().len() + 1 {
            return Ok(command.arc_ids().map(|(arc, _)| arc).collect());
        }
        let goal = self.nodes[after].vector.to_vec();
        let mut steps = self.compiled(edge);
        let start = (command.start(), self.nodes[before].vector.to_vec());
        // What was seen, with the one before it and the arc between.
        let mut seen: Vec<((NodeId, Vec<u16>), usize, usize)> = vec![(start.clone(), 0, 0)];
        let mut known: FxHashSet<(NodeId, Vec<u16>)> = FxHashSet::from_iter([start]);
        let (mut next, mut found) = (0, None);
        let mut stack = Vec::new();
        while found.is_none() && next < seen.len() {
            let (at, vector) = seen[next].0.clone();
            for (arc, step) in steps.iter_mut().enumerate().filter(|(_, step)| step.source == at) {
                let mut behind = Vec::new();
                self.apply(step, vector.clone(), &mut stack, &mut behind)?;
                for vector in behind {
                    let place = (step.target, vector);
                    if known.insert(place.clone()) {
                        seen.push((place, next, arc));
                    }
                }
            }
            let is_goal = at == command.end() && agree(&vector, &goal);
            found = is_goal.then_some(next);
            next += 1;
        }
        self.steps[edge.index()] = Some(steps);
        let Some(mut at) = found else {
            return Err(Unknown::Internal("a state does not come after the one before it".to_owned()));
        };
        let mut arcs = Vec::new();
        while at != 0 {
            arcs.push(ArcId::new(seen[at].2));
            at = seen[at].1;
        }
        arcs.reverse();
        Ok(arcs)
    }

    /// The execution that a model of the path describes.
    fn execution(&self, path: &Arcs, said: &Said, model: &mut Embedded) -> Result<Execution, Unknown> {
        let mut builder = ExecutionBuilder::new(self.automaton);
        for variable in &self.automaton.variables {
            builder.initial(variable.term, model.value(&self.arena, variable.term)?);
        }
        let mut havocs = said.havocs.iter();
        for (edge, arcs) in path {
            let command = &self.automaton.edge(*edge).command;
            let is_havoc = |arc: &&ArcId| matches!(command.arc(**arc).basic, Basic::Havoc(..));
            let mut values = Vec::new();
            for &symbol in havocs.by_ref().take(arcs.iter().filter(is_havoc).count()) {
                values.push(model.value(&self.arena, symbol)?);
            }
            builder.step(*edge, arcs.clone(), values);
        }
        Ok(builder.finish())
    }

    /// Makes these variables, read as they were written, exclude a path: by cuts at the values that they have
    /// along it, or else by what interpolants say.
    fn cut(&mut self, path: &Arcs, variables: &[VarId]) -> Result<(), Unknown> {
        let (parts, states) = parts(&mut self.arena, self.automaton, &self.accesses, path, variables);
        let count = |demand: &Self, id| demand.cuts.between(id).len();
        let before: Vec<usize> = self.automaton.variable_ids().map(|id| count(self, id)).collect();
        let is_new = self.cut_at_values(&parts, &states);
        if !is_new {
            self.interpolate(&parts, &states)?;
        }
        let is_changed = |id: &VarId| count(self, *id) != before[id.index()];
        let changed: BTreeSet<VarId> = self.automaton.variable_ids().filter(is_changed).collect();
        self.recut(changed);
        for &id in variables {
            if !self.is_tracked(id) && self.has_classes(id) {
                self.track(id)?;
            }
        }
        Ok(())
    }

    /// Follows values along a path. If one contradicts what is assumed, the classes of all are cut to them, as
    /// in explicit-value analysis; whether there are new cuts.
    fn cut_at_values(&mut self, parts: &[Vec<Term>], states: &[State]) -> bool {
        let mut values = Substitution::new();
        let mut is_contradiction = false;
        for &part in parts.iter().flatten() {
            let part = values.apply(&mut self.arena, part);
            if self.arena.as_bool(part) == Some(false) {
                is_contradiction = true;
                break;
            }
            let conjuncts = match self.arena.op(part) {
                Op::And => self.arena.children(part).to_vec(),
                _ => vec![part],
            };
            for conjunct in conjuncts {
                if let &[left, right] = self.arena.children(conjunct)
                    && self.arena.op(conjunct) == Op::Eq
                {
                    for (symbol, value) in [(left, right), (right, left)] {
                        let is_symbol = self.arena.children(symbol).is_empty();
                        if is_symbol && self.arena.as_bitvec(value).is_some() {
                            values.insert(symbol, value);
                        }
                    }
                }
            }
        }
        let mut is_new = false;
        for state in states.iter().filter(|_| is_contradiction) {
            for (&id, &symbol) in state {
                let value = values.get(symbol).and_then(|value| self.arena.as_bitvec(value)).cloned();
                if let Some(value) = value.filter(|_| self.cuts.between(id).len() < MOST_VALUES) {
                    let behind = value.add(&BitVec::one(value.width()));
                    is_new |= self.cuts.cut(id, value) | self.cuts.cut(id, behind);
                    self.fill(id);
                }
            }
        }
        is_new
    }

    /// A counter that was cut at some of its values is cut at all between the least and the largest of them:
    /// else that would take a path for each.
    fn fill(&mut self, counter: VarId) {
        let cuts = self.cuts.between(counter);
        if !self.is_counter[counter.index()] || cuts.len() < SOME_VALUES {
            return;
        }
        let ends = cuts.first().zip(cuts.last()).map(|(first, last)| (first.clone(), last.clone()));
        let Some((mut value, last)) = ends else { return };
        let is_short = last.sub(&value).to_u64().is_some_and(|length| length < MOST_VALUES as u64);
        while is_short && value != last {
            value = value.add(&BitVec::one(value.width()));
            self.cuts.cut(counter, value.clone());
        }
    }

    /// Cuts classes where interpolants say so, and gives a place to conditions of theirs that are no
    /// comparisons with constants.
    fn interpolate(&mut self, parts: &[Vec<Term>], states: &[State]) -> Result<(), Unknown> {
        if parts.len() > LONGEST {
            return give_up("a path of states that is too long to look for classes that exclude it");
        }
        let limits = PathFormula::limits();
        let Some(found) = sequence_interpolants(&mut self.arena, parts, &limits, self.budget)? else {
            return give_up("a path of states that nothing excludes");
        };
        let mut terms = Vec::new();
        for (state, &term) in states.iter().zip(&found) {
            let mut back = Substitution::new();
            for (&id, &symbol) in state {
                back.insert(symbol, self.automaton.variable(id).term);
            }
            terms.push(back.apply(&mut self.arena, term));
        }
        let mut is_new = self.cuts.of_terms(&self.arena, terms.clone());
        for atom in atoms(&self.arena, terms) {
            let is_comparison = self.cuts.comparison(&self.arena, atom).is_some();
            let is_known = self.tracked.atom(atom).is_some();
            let of = live::variables(&self.arena, &self.automaton.variable_index(), atom).to_vec();
            if is_comparison || is_known || of.is_empty() || of.len() > MOST_ABOUT {
                continue;
            }
            if of.len() == 1 && self.arena.children(atom).is_empty() {
                continue;
            }
            if self.tracked.len() == MOST_TRACKED {
                return give_up("too many variables matter");
            }
            let first = of[0];
            self.tracked.add_atom(&mut self.arena, self.automaton, atom, of);
            // With the atom that is about it, this takes in all of its variables.
            self.forget(first);
            self.late.push(true);
            self.brief.push(false);
            is_new = true;
        }
        if is_new { Ok(()) } else { give_up("a path of states that no class excludes") }
    }
}

/// The symbols of variables at a place of a path.
type State = BTreeMap<VarId, Term>;

/// All that terms are made of.
fn parts_of(arena: &Arena, mut stack: Vec<Term>) -> Vec<Term> {
    let (mut seen, mut found) = (FxHashSet::default(), Vec::new());
    while let Some(term) = stack.pop() {
        if seen.insert(term) {
            found.push(term);
            stack.extend_from_slice(arena.children(term));
        }
    }
    found
}

/// The conditions that Boolean terms are made of.
fn atoms(arena: &Arena, mut stack: Vec<Term>) -> Vec<Term> {
    let (mut seen, mut found) = (FxHashSet::default(), Vec::new());
    stack.reverse();
    while let Some(term) = stack.pop() {
        if seen.insert(term) {
            match arena.op(term) {
                Op::Not | Op::And | Op::Or => stack.extend_from_slice(arena.children(term)),
                _ if arena.as_bool(term).is_none() => found.push(term),
                _ => {}
            }
        }
    }
    found
}

/// Whether a vector is this one, but for what is forgotten where an edge ends.
fn agree(vector: &[u16], goal: &[u16]) -> bool {
    vector.iter().zip(goal).all(|(&class, &goal)| goal == UNKNOWN || goal == class)
}

/// What a path says, told to a solver.
struct Said {
    /// The variables that are read, each with what says that it is read as it was written.
    groups: Vec<(VarId, Activation)>,
    /// The symbols of the values that variables get by `havoc`, one after the other.
    havocs: Vec<Term>,
}

impl Said {
    fn along(
        arena: &mut Arena,
        automaton: &Automaton,
        accesses: &Accesses,
        path: &Arcs,
        solver: &mut Embedded,
    ) -> Self {
        let mut said = Said { groups: Vec::new(), havocs: Vec::new() };
        let mut activations: FxHashMap<VarId, Activation> = FxHashMap::default();
        let mut values: FxHashMap<VarId, Term> = FxHashMap::default();
        for (edge, arc) in matters(automaton, accesses, path, |_| true) {
            let basic = automaton.edge(edge).command.arc(arc.id).basic;
            if let Basic::Havoc(id, _) = basic {
                let symbol = arena.fresh_variable("input", &automaton.variable(id).sort);
                said.havocs.push(symbol);
                values.insert(id, symbol);
            }
            let (Basic::Assume(term) | Basic::Assign(_, term)) = basic else { continue };
            if !arc.matters {
                continue;
            }
            let mut here = Substitution::new();
            for &id in accesses.read(edge, arc.id.index()) {
                let variable = automaton.variable(id);
                let symbol = arena.fresh_variable(&variable.name, &variable.sort);
                let activation = *activations.entry(id).or_insert_with(|| {
                    let activation = solver.activation();
                    said.groups.push((id, activation));
                    activation
                });
                let same = arena.eq(symbol, *values.get(&id).unwrap_or(&variable.term));
                solver.assert_under(arena, activation, same);
                here.insert(variable.term, symbol);
            }
            let term = here.apply(arena, term);
            match basic {
                Basic::Assign(id, _) => {
                    values.insert(id, term);
                }
                _ => solver.assert(arena, term),
            }
        }
        said
    }
}

/// An arc on a path.
struct Taken {
    id: ArcId,
    /// Whether what it assumes or assigns can matter to what is assumed later.
    matters: bool,
}

/// The arcs of a path, where assignments to some variables are followed.
fn matters(
    automaton: &Automaton,
    accesses: &Accesses,
    path: &Arcs,
    is_followed: impl Fn(VarId) -> bool,
) -> Vec<(EdgeId, Taken)> {
    let mut live: FxHashSet<VarId> = FxHashSet::default();
    let mut taken = Vec::new();
    for (edge, arcs) in path.iter().rev() {
        for &id in arcs.iter().rev() {
            let matters = match automaton.edge(*edge).command.arc(id).basic {
                Basic::Skip => false,
                Basic::Assume(_) => true,
                Basic::Assign(variable, _) | Basic::Havoc(variable, _) => live.remove(&variable),
            };
            if matters {
                live.extend(accesses.read(*edge, id.index()).iter().filter(|&&id| is_followed(id)));
            }
            taken.push((*edge, Taken { id, matters }));
        }
    }
    taken.reverse();
    taken
}

/// The formulas of a path, one for each command that matters, in which only these variables are read as they
/// were written; and their symbols before each.
fn parts(
    arena: &mut Arena,
    automaton: &Automaton,
    accesses: &Accesses,
    path: &Arcs,
    followed: &[VarId],
) -> (Vec<Vec<Term>>, Vec<State>) {
    let mut symbols: State = followed.iter().map(|&id| (id, automaton.variable(id).term)).collect();
    let (mut parts, mut states) = (Vec::new(), Vec::new());
    for (edge, arc) in matters(automaton, accesses, path, |id| followed.contains(&id)) {
        let read = accesses.read(edge, arc.id.index());
        let basic = automaton.edge(edge).command.arc(arc.id).basic;
        // An assumption about nothing that is followed holds of something.
        let says = match basic {
            Basic::Assume(_) => read.iter().any(|id| symbols.contains_key(id)),
            _ => arc.matters,
        };
        if !says {
            continue;
        }
        let before = symbols.clone();
        let mut here = Substitution::new();
        for &id in read {
            let variable = automaton.variable(id);
            let symbol = before.get(&id).copied();
            let symbol = symbol.unwrap_or_else(|| arena.fresh_variable(&variable.name, &variable.sort));
            here.insert(variable.term, symbol);
        }
        let formula = match basic {
            Basic::Skip => continue,
            Basic::Assume(term) => here.apply(arena, term),
            Basic::Havoc(id, _) | Basic::Assign(id, _) => {
                let variable = automaton.variable(id);
                let symbol = arena.fresh_variable(&variable.name, &variable.sort);
                symbols.insert(id, symbol);
                let Basic::Assign(_, term) = basic else { continue };
                let value = here.apply(arena, term);
                arena.eq(symbol, value)
            }
        };
        parts.push(vec![formula]);
        states.push(before);
    }
    (parts, states)
}
