//! All passes, again and again until nothing changes, and large blocks at the end (Fig. 3 and §V of the
//! IC3CFA paper).
//!
//! Every pass preserves exactly which sinks can be reached, from which values and with which inputs. So an
//! execution of the result is one of the original, with values that do not matter left open; and an invariant
//! of the result, together with the facts of the back-map, is one of the original.

use super::back_map::{BackMap, EdgeMap};
use super::branches::fold_branches;
use super::constants::propagate_constants;
use super::copies::propagate_copies;
use super::cuts;
use super::flow::{Fate, Flow};
use super::large_block::fold_blocks;
use super::liveness::remove_dead_assignments;
use super::merge::merge_equivalent;
use crate::automaton::{Automaton, Edge, Location, Program};
use crate::command::{Command, Origin};
use crate::source::Span;
use nilas_fault::{Fault, planted};
use nilas_term::{Budget, Interrupt};

/// More rounds than that hardly find anything.
const MOST_ROUNDS: usize = 8;

/// The size of a program after a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassSize {
    /// The pass; the first entry is the program as it was given.
    pub pass: &'static str,
    /// Locations, inside commands as well.
    pub locations: usize,
    /// Edges, inside commands as well.
    pub edges: usize,
    /// Variables that some command mentions.
    pub variables: usize,
}

/// What [`simplify`] gives.
#[derive(Clone, Debug)]
pub struct Simplified {
    /// The small program.
    pub program: Program,
    /// The way back.
    pub back: BackMap,
    /// Sizes, pass by pass.
    pub sizes: Vec<PassSize>,
}

type Pass = (&'static str, fn(&mut Flow<'_>) -> Result<bool, Interrupt>);

const PASSES: [Pass; 5] = [
    ("constants", propagate_constants),
    ("copies", propagate_copies),
    ("dead assignments", remove_dead_assignments),
    ("branches", fold_branches),
    ("equivalent locations", merge_equivalent),
];

/// Runs all passes.
///
/// # Errors
/// When the budget has ended.
pub fn simplify(program: &Program, budget: &Budget) -> Result<Simplified, Interrupt> {
    let mut flow = Flow::within(program, budget);
    let mut sizes = Vec::new();
    note(&mut sizes, "as given", &mut flow);
    for _ in 0..MOST_ROUNDS {
        let mut changed = false;
        for (name, pass) in PASSES {
            flow.poll()?;
            changed |= pass(&mut flow)?;
            note(&mut sizes, name, &mut flow);
        }
        if !changed {
            break;
        }
    }
    let (program, back) = blocks(flow, budget)?;
    let automaton = &program.automaton;
    let variables = sizes.last().map_or(0, |size| size.variables);
    let (locations, edges) = (automaton.locations.len(), automaton.edges.len());
    sizes.push(PassSize { pass: "large blocks", locations, edges, variables });
    Ok(Simplified { program, back, sizes })
}

fn note(sizes: &mut Vec<PassSize>, pass: &'static str, flow: &mut Flow<'_>) {
    let (locations, edges, variables) = flow.size();
    sizes.push(PassSize { pass, locations, edges, variables });
}

/// The graph folded into large blocks, with the map back to the automaton that it came from.
fn blocks(flow: Flow<'_>, budget: &Budget) -> Result<(Program, BackMap), Interrupt> {
    let cuts = cuts::choose(&flow);
    let old = flow.old;
    // Only locations of the old automaton have names, and only they are cut.
    let nameless = Location { name: String::new(), span: Span::default() };
    let locations = (0..flow.fates.len()).map(|index| old.locations.get(index).unwrap_or(&nameless).clone());
    let edges = flow.arcs.iter().map(|arc| Edge {
        source: arc.source,
        target: arc.target,
        command: Command::basic(arc.basic, arc.span),
        span: arc.span,
    });
    let flat = Automaton {
        name: old.name.clone(),
        variables: old.variables.clone(),
        locations: locations.collect(),
        edges: edges.collect(),
        havocs: old.havocs.clone(),
        entry: old.entry,
        error: old.error,
        unmodelled: old.unmodelled,
    };
    let (mut automaton, kept) = fold_blocks(&flat, &cuts.kept, budget)?;
    let origins = |origin: Option<Origin>| origin.map_or(&[][..], |origin| &flow.arc(origin.edge).origins);
    let mut maps = Vec::with_capacity(automaton.edges.len());
    for edge in &mut automaton.edges {
        let arcs = edge.command.arcs().iter().map(|arc| origins(arc.origin).to_vec());
        maps.push(EdgeMap { arcs: arcs.collect() });
        let command = std::mem::replace(&mut edge.command, Command::skip());
        edge.command = command.with_origins(|origin| origins(Some(origin)).last().copied());
    }
    let mut back = BackMap::new(kept, maps);
    for (location, why) in cuts.vanished {
        back.add_vanished(location, why);
    }
    for (location, facts) in flow.facts {
        if flow.fates[location.index()] != Fate::Dead && !planted(Fault::FactsForgotten) {
            facts.into_iter().for_each(|fact| back.add_fact(location, fact));
        }
    }
    Ok((Program { arena: flow.arena, automaton }, back))
}
