//! Where which places are live: their variables are read on a way behind, before they are written.
//!
//! Only what is read for conditions counts, and for what is assigned to tracked variables: what others are
//! computed from does not matter to states.

use super::super::tracked::Tracked;
use crate::relevant::Relevant;
use nilas_program::{Automaton, Basic, EdgeId, VarId};
use nilas_term::{Arena, Term};
use rustc_hash::{FxHashMap, FxHashSet};

/// What the commands of edges read and write.
pub(super) struct Accesses {
    /// By edge and arc.
    arcs: Vec<Vec<Access>>,
    /// By variable, the edges that mention it.
    edges: Vec<Vec<EdgeId>>,
}

struct Access {
    written: Option<VarId>,
    read: Box<[VarId]>,
}

impl Accesses {
    pub(super) fn new(arena: &Arena, automaton: &Automaton) -> Self {
        let index = automaton.variable_index();
        let mut known: FxHashMap<Term, Box<[VarId]>> = FxHashMap::default();
        let mut edges: Vec<Vec<EdgeId>> = vec![Vec::new(); automaton.variables.len()];
        let mut arcs = Vec::with_capacity(automaton.edges.len());
        for edge in automaton.edge_ids() {
            let mut accesses = Vec::new();
            for arc in automaton.edge(edge).command.arcs() {
                let (written, term) = match arc.basic {
                    Basic::Skip => (None, None),
                    Basic::Assume(term) => (None, Some(term)),
                    Basic::Assign(variable, term) => (Some(variable), Some(term)),
                    Basic::Havoc(variable, _) => (Some(variable), None),
                };
                let read = term.map_or_else(Box::default, |term| {
                    known.entry(term).or_insert_with(|| variables(arena, &index, term)).clone()
                });
                for id in read.iter().chain(&written) {
                    if edges[id.index()].last() != Some(&edge) {
                        edges[id.index()].push(edge);
                    }
                }
                accesses.push(Access { written, read });
            }
            arcs.push(accesses);
        }
        Accesses { arcs, edges }
    }

    /// The edges that mention a variable.
    pub(super) fn edges(&self, variable: VarId) -> &[EdgeId] {
        &self.edges[variable.index()]
    }

    /// The places that an arc of an edge reads, whatever is live behind it, and those that it decides about.
    pub(super) fn bits(&self, tracked: &Tracked, bits: &Bits, edge: EdgeId, arc: usize) -> (u128, u128) {
        let access = &self.arcs[edge.index()][arc];
        let written = access.written.map_or(0, |id| bits.about[id.index()]);
        let matters = access.written.is_none() || written != 0;
        (if matters { bits.read(tracked, access, written) } else { 0 }, written)
    }

    /// The variables that an arc of an edge reads.
    pub(super) fn read(&self, edge: EdgeId, arc: usize) -> &[VarId] {
        &self.arcs[edge.index()][arc].read
    }
}

/// The variables in a term, in their order.
pub(super) fn variables(arena: &Arena, index: &FxHashMap<Term, VarId>, term: Term) -> Box<[VarId]> {
    let (mut seen, mut stack, mut found) = (FxHashSet::default(), vec![term], Vec::new());
    while let Some(term) = stack.pop() {
        if seen.insert(term) {
            found.extend(index.get(&term).copied());
            stack.extend_from_slice(arena.children(term));
        }
    }
    found.sort_unstable();
    found.into()
}

/// Sets of places as bits.
pub(super) struct Bits {
    /// By variable, the places that it decides about.
    about: Vec<u128>,
    atoms: Vec<usize>,
}

impl Bits {
    pub(super) fn new(automaton: &Automaton, tracked: &Tracked) -> Self {
        let mut about = vec![0_u128; automaton.variables.len()];
        for place in 0..tracked.len() {
            tracked.about(place).iter().for_each(|id| about[id.index()] |= 1 << place);
        }
        let atoms = (0..tracked.len()).filter(|&place| tracked.variable(place).is_none()).collect();
        Bits { about, atoms }
    }

    /// The places that say something about what a command reads; if it writes, for these places.
    fn read(&self, tracked: &Tracked, access: &Access, written: u128) -> u128 {
        // An atom behind an assignment is one about the other variables before it, too.
        let behind = self.atoms.iter().filter(|&&place| written >> place & 1 != 0);
        let others = behind.flat_map(|&place| tracked.about(place));
        let others: Vec<VarId> = others.copied().filter(|id| access.written != Some(*id)).collect();
        let read = |id: &VarId| access.read.contains(id) || others.contains(id);
        let all = access.read.iter().chain(&others).fold(0, |all, id| all | self.about[id.index()]);
        let is_about_more = |place: &&usize| !tracked.about(**place).iter().all(read);
        self.atoms.iter().filter(is_about_more).fold(all, |all, place| all & !(1 << place))
    }
}

/// By location, a bit for each place: whether it is live there.
pub(super) fn live(
    automaton: &Automaton,
    relevant: &Relevant,
    accesses: &Accesses,
    tracked: &Tracked,
) -> Vec<u128> {
    let bits = Bits::new(automaton, tracked);
    let mut live = vec![0_u128; automaton.locations.len()];
    let mut is_waiting = vec![true; automaton.edges.len()];
    let mut waiting: Vec<EdgeId> = automaton.edge_ids().collect();
    while let Some(id) = waiting.pop() {
        is_waiting[id.index()] = false;
        let edge = automaton.edge(id);
        let command = &edge.command;
        let mut at = vec![0_u128; command.nodes()];
        at[command.end().index()] = live[edge.target.index()];
        // Arcs stand in the order of their sources, so what lies behind one is known before it.
        for (arc, access) in command.arcs().iter().zip(&accesses.arcs[id.index()]).rev() {
            let behind = at[arc.target.index()];
            let written = access.written.map_or(0, |id| bits.about[id.index()]);
            let matters = access.written.is_none() || behind & written != 0;
            let read = if matters { bits.read(tracked, access, behind & written) } else { 0 };
            at[arc.source.index()] |= (behind & !written) | read;
        }
        let before = at[command.start().index()];
        let here = &mut live[edge.source.index()];
        if before & !*here != 0 {
            *here |= before;
            for &edge in &relevant.incoming[edge.source.index()] {
                if !is_waiting[edge.index()] {
                    is_waiting[edge.index()] = true;
                    waiting.push(edge);
                }
            }
        }
    }
    live
}
