//! Bodies that several calls share, found in the automaton, and what is live on ways that go back to where
//! they came from.
//!
//! A call of a shared body says in a variable which call it is, and the ways out of the body ask for that
//! (the wait encoding, EUForia thesis 5.2–5.4). Without regard to it a way out leads to every caller, and a
//! variable of one of them would be live in the bodies of all others. So liveness is computed as for
//! procedures (Sharir and Pnueli's functional approach): for each location what is live until its body ends,
//! and what stays as it is until then; what is live behind the body counts where it stays.

use super::live::{Accesses, Bits};
use crate::relevant::Relevant;
use crate::states::tracked::Tracked;
use nilas_program::{Automaton, Basic, EdgeId, LocationId, VarId};
use nilas_term::{Arena, BitVec, Op, Term};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A body.
struct Body {
    /// Which call it is.
    number: VarId,
    numbers: Vec<BitVec>,
    entry: LocationId,
    exit: LocationId,
    /// The ways in and out, call by call.
    calls: Vec<(EdgeId, EdgeId)>,
}

/// The bodies that calls share.
pub(super) struct Calls {
    bodies: Vec<Body>,
    /// By location, the body that it is in.
    owner: Vec<Option<usize>>,
    /// By edge, the body that it enters, and the way out that belongs to it.
    enters: FxHashMap<EdgeId, (usize, EdgeId)>,
    leaves: FxHashMap<EdgeId, usize>,
}

/// What is known of the number of a call so far.
#[derive(Default)]
struct Number {
    is_none: bool,
    /// By number, the way in and the way out.
    enters: BTreeMap<BitVec, EdgeId>,
    leaves: BTreeMap<BitVec, EdgeId>,
}

impl Calls {
    /// Finds them: a variable that only gets constants, by edges to one location, each another one, and is only
    /// asked for these, by edges from one location.
    pub(super) fn new(arena: &Arena, automaton: &Automaton, accesses: &Accesses) -> Self {
        let mut numbers: BTreeMap<VarId, Number> = BTreeMap::new();
        let index = automaton.variable_index();
        for edge in automaton.edge_ids() {
            for (number, arc) in automaton.edge(edge).command.arc_ids() {
                let read = accesses.read(edge, number.index());
                match arc.basic {
                    Basic::Skip => {}
                    Basic::Havoc(id, _) => numbers.entry(id).or_default().is_none = true,
                    Basic::Assign(id, term) => {
                        read.iter().for_each(|id| numbers.entry(*id).or_default().is_none = true);
                        let number = numbers.entry(id).or_default();
                        match arena.as_bitvec(term) {
                            Some(value) if !number.is_none => {
                                number.is_none |= number.enters.insert(value.clone(), edge).is_some();
                            }
                            _ => number.is_none = true,
                        }
                    }
                    Basic::Assume(condition) => {
                        let equal = equation(arena, &index, condition);
                        for &id in read {
                            let number = numbers.entry(id).or_default();
                            match &equal {
                                Some((_, value)) if !number.is_none => {
                                    number.is_none |= number.leaves.insert(value.clone(), edge).is_some();
                                }
                                _ => number.is_none = true,
                            }
                        }
                    }
                }
            }
        }
        let bodies = numbers.into_iter().filter_map(|(id, number)| body(automaton, id, number)).collect();
        Calls::of(automaton, bodies)
    }

    fn of(automaton: &Automaton, bodies: Vec<Body>) -> Self {
        let (mut enters, mut leaves) = (FxHashMap::default(), FxHashMap::default());
        for (number, body) in bodies.iter().enumerate() {
            for &(enter, leave) in &body.calls {
                enters.insert(enter, (number, leave));
                leaves.insert(leave, number);
            }
        }
        let mut calls = Calls { bodies, owner: vec![None; automaton.locations.len()], enters, leaves };
        let mut outgoing: Vec<Vec<EdgeId>> = vec![Vec::new(); automaton.locations.len()];
        automaton.edge_ids().for_each(|edge| outgoing[automaton.edge(edge).source.index()].push(edge));
        for number in 0..calls.bodies.len() {
            let entry = calls.bodies[number].entry;
            calls.owner[entry.index()] = Some(number);
            let mut waiting = vec![entry];
            while let Some(location) = waiting.pop() {
                for edge in &outgoing[location.index()] {
                    let behind = match calls.enters.get(edge) {
                        Some(&(_, leave)) => automaton.edge(leave).target,
                        None if calls.leaves.contains_key(edge) => continue,
                        None => automaton.edge(*edge).target,
                    };
                    let owner = &mut calls.owner[behind.index()];
                    if !automaton.is_sink(behind) && *owner != Some(number) {
                        *owner = Some(number);
                        waiting.push(behind);
                    }
                }
            }
        }
        calls
    }

    /// The number of the first call on a path that goes back to where another one came from.
    pub(super) fn astray(&self, path: impl Iterator<Item = EdgeId>) -> Option<VarId> {
        let mut active: FxHashMap<usize, EdgeId> = FxHashMap::default();
        for edge in path {
            if let Some(&(body, leave)) = self.enters.get(&edge) {
                active.insert(body, leave);
            } else if let Some(body) = self.leaves.get(&edge)
                && active.get(body) != Some(&edge)
            {
                return Some(self.bodies[*body].number);
            }
        }
        None
    }

    /// The numbers of the calls of a body, by the variable that holds them.
    pub(super) fn numbers(&self, number: VarId) -> &[BitVec] {
        let body = self.bodies.iter().find(|body| body.number == number);
        body.map_or(&[], |body| &body.numbers)
    }

    /// By location, what is live on ways that go back to where they came from.
    pub(super) fn live(
        &self,
        automaton: &Automaton,
        relevant: &Relevant,
        accesses: &Accesses,
        tracked: &Tracked,
    ) -> Vec<u128> {
        let bits = Bits::new(automaton, tracked);
        let effects: Vec<Effect> =
            automaton.edge_ids().map(|edge| Effect::new(automaton, accesses, tracked, &bits, edge)).collect();
        let count = automaton.locations.len();
        // What is live until the body ends, and what stays until then.
        let (mut read, mut stays) = (vec![0_u128; count], vec![0_u128; count]);
        for body in &self.bodies {
            stays[body.exit.index()] = u128::MAX;
            for &(_, leave) in &body.calls {
                read[body.exit.index()] |= effects[leave.index()].read;
            }
        }
        let callers = |location: LocationId| {
            let body = self.owner[location.index()].filter(|&body| self.bodies[body].entry == location);
            body.into_iter().flat_map(|body| self.bodies[body].calls.iter().map(|&(enter, _)| enter))
        };
        let mut waiting: Vec<EdgeId> = automaton.edge_ids().collect();
        while let Some(edge) = waiting.pop() {
            let (source, target) = (automaton.edge(edge).source, automaton.edge(edge).target);
            let effect = &effects[edge.index()];
            let (here, kept) = match self.enters.get(&edge) {
                Some(&(body, leave)) => {
                    let entry = self.bodies[body].entry.index();
                    let (out, behind) = (&effects[leave.index()], automaton.edge(leave).target.index());
                    let live = read[entry] | (stays[entry] & out.before(read[behind]));
                    (effect.before(live), stays[behind] & !out.written & stays[entry] & !effect.written)
                }
                None if self.leaves.contains_key(&edge) => continue,
                None => (effect.before(read[target.index()]), stays[target.index()] & !effect.written),
            };
            let at = source.index();
            if here & !read[at] != 0 || kept & !stays[at] != 0 {
                read[at] |= here;
                stays[at] |= kept;
                for &before in &relevant.incoming[at] {
                    match self.leaves.get(&before) {
                        // What is behind a call is looked at where the body is entered.
                        Some(&body) => {
                            let call = self.bodies[body].calls.iter().find(|call| call.1 == before);
                            waiting.extend(call.map(|call| call.0));
                        }
                        None => waiting.push(before),
                    }
                }
                waiting.extend(callers(source));
            }
        }
        self.in_bodies(automaton, &effects, read, &stays)
    }

    /// Adds to what is live in bodies what is live behind them and stays.
    fn in_bodies(
        &self,
        automaton: &Automaton,
        effects: &[Effect],
        mut live: Vec<u128>,
        stays: &[u128],
    ) -> Vec<u128> {
        let mut behind = vec![0_u128; self.bodies.len()];
        loop {
            let mut is_new = false;
            for (number, body) in self.bodies.iter().enumerate() {
                for &(_, leave) in &body.calls {
                    let target = automaton.edge(leave).target.index();
                    let own = self.owner[target].map_or(0, |owner| stays[target] & behind[owner]);
                    let more = effects[leave.index()].before(live[target] | own) & !behind[number];
                    behind[number] |= more;
                    is_new |= more != 0;
                }
            }
            if !is_new {
                break;
            }
        }
        for location in automaton.location_ids() {
            if let Some(owner) = self.owner[location.index()] {
                live[location.index()] |= stays[location.index()] & behind[owner];
            }
        }
        live
    }
}

/// What an edge does to sets of places.
struct Effect {
    read: u128,
    written: u128,
}

impl Effect {
    /// What is assigned to a place is taken to be read, whether that matters or not.
    fn new(automaton: &Automaton, accesses: &Accesses, tracked: &Tracked, bits: &Bits, edge: EdgeId) -> Self {
        let command = &automaton.edge(edge).command;
        // From the end on: what is live before a node if nothing is behind it, and what is written on all ways.
        let mut at: Vec<Option<Effect>> = (0..command.nodes()).map(|_| None).collect();
        at[command.end().index()] = Some(Effect { read: 0, written: 0 });
        for (id, arc) in command.arc_ids().collect::<Vec<_>>().into_iter().rev() {
            let (read, written) = accesses.bits(tracked, bits, edge, id.index());
            let Some(behind) = &at[arc.target.index()] else { continue };
            let here = Effect { read: read | (behind.read & !written), written: behind.written | written };
            let other = &mut at[arc.source.index()];
            *other = Some(match other.take() {
                None => here,
                Some(other) => Effect { read: other.read | here.read, written: other.written & here.written },
            });
        }
        at.swap_remove(command.start().index()).unwrap_or(Effect { read: 0, written: 0 })
    }

    fn before(&self, behind: u128) -> u128 {
        self.read | (behind & !self.written)
    }
}

/// The body whose calls a variable tells apart, if it is one.
fn body(automaton: &Automaton, id: VarId, number: Number) -> Option<Body> {
    let Number { is_none: false, enters, leaves } = number else { return None };
    let entry = automaton.edge(*enters.values().next()?).target;
    let exit = automaton.edge(*leaves.values().next()?).source;
    let mut calls = Vec::new();
    for (value, leave) in &leaves {
        calls.push((*enters.get(value)?, *leave));
    }
    let is_body = enters.values().all(|&edge| automaton.edge(edge).target == entry)
        && leaves.values().all(|&edge| automaton.edge(edge).source == exit);
    let numbers = leaves.into_keys().collect();
    is_body.then_some(Body { number: id, numbers, entry, exit, calls })
}

/// The variable and the constant of a condition that says nothing but that they are equal.
fn equation(arena: &Arena, index: &FxHashMap<Term, VarId>, condition: Term) -> Option<(VarId, BitVec)> {
    let &[left, right] = arena.children(condition) else { return None };
    if arena.op(condition) != Op::Eq {
        return None;
    }
    [(left, right), (right, left)]
        .into_iter()
        .find_map(|(variable, value)| Some((*index.get(&variable)?, arena.as_bitvec(value)?.clone())))
}
