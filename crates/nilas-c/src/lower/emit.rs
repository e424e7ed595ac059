//! From what was lowered, with calls of bodies that are there once, to the automaton that engines know.
//!
//! A copy of its body replaces each call of a procedure, or all calls share it in the automaton, too: the
//! wait encoding of [`nilas_program::procedures`]. Commands and variables stay as they are, and each copy
//! has `havoc` sites of its own; what is told of edges and locations is told of their copies.

use super::{Bound, HavocOrigin, LowerOptions, Lowered, Unmodelled};
use crate::work;
use nilas_program::procedures::{
    Call, Came, CutReason, Flat, FlattenOptions, Names, Owners, Procedure, WithCalls, flatten, validate,
};
use nilas_program::{Basic, Command, Edge, EdgeId, HavocSite, LocationId, Module, ProcedureId};
use std::collections::BTreeSet;

/// The program with calls, in numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Emitted {
    /// Bodies that calls enter.
    pub procedures: usize,
    /// Call edges.
    pub calls: usize,
    /// Edges of all bodies together.
    pub edges: usize,
    /// Edges with each call replaced by a copy of its body.
    pub inlined: u64,
}

impl Emitted {
    fn of(module: &Module) -> Self {
        let edges = &module.program.automaton.edges;
        let Module { procedures, calls, owners, .. } = module;
        Emitted {
            procedures: procedures.len(),
            calls: calls.len(),
            edges: edges.len() + calls.len(),
            // Into the body and out of it.
            inlined: with_copies(edges, calls, &owners.locations, procedures.len(), 2, &|_| true),
        }
    }
}

/// Edges of a program in which copies of procedures replace calls, where they do; a call counts for some
/// itself.
pub(in crate::lower) fn with_copies(
    edges: &[Edge],
    calls: &[Call],
    owners: &[Option<ProcedureId>],
    procedures: usize,
    per_call: u64,
    copied: &dyn Fn(ProcedureId) -> bool,
) -> u64 {
    let owner = |location: LocationId| owners[location.index()].map_or(procedures, ProcedureId::index);
    let mut own = vec![0_u64; procedures + 1];
    for edge in edges {
        own[owner(edge.source)] += 1;
    }
    let mut callees: Vec<Vec<usize>> = vec![Vec::new(); procedures + 1];
    for call in calls {
        own[owner(call.source)] += per_call;
        if copied(call.callee) {
            callees[owner(call.source)].push(call.callee.index());
        }
    }
    let sizes = super::calls::graph::inlined(&own, &callees);
    let shared = (0..procedures).filter(|&procedure| !copied(ProcedureId::new(procedure)));
    shared.fold(sizes[procedures], |sum, procedure| sum.saturating_add(sizes[procedure]))
}

/// The flat automaton, with everything that is told of its edges and locations. The procedures of the set are
/// those that calls share.
pub(in crate::lower) fn flat(
    lowered: Lowered,
    procedures: Vec<Procedure>,
    calls: Vec<Call>,
    locations: Vec<Option<ProcedureId>>,
    shared: &BTreeSet<ProcedureId>,
    options: &LowerOptions,
) -> Lowered {
    if procedures.is_empty() {
        return lowered;
    }
    let variables = vec![None; lowered.program.automaton.variables.len()];
    let targets = vec![lowered.program.automaton.error];
    let owners = Owners { variables, locations };
    let program = lowered.program.clone();
    let module = Module { program, targets, procedures, calls, owners };
    debug_assert_eq!(nilas_program::procedures::check(&module), Ok(()), "what is lowered is well-formed");
    let emitted = Emitted::of(&module);
    // Procedures do not call themselves.
    let share = |procedure| shared.contains(&procedure);
    let flatten_options =
        FlattenOptions { recursion: usize::MAX, edges: options.edges, share: &share, names: Names::Numbers };
    let mut flat = work::within(|budget| flatten(module.clone(), &flatten_options, budget));
    if !shared.is_empty() {
        // The module goes no further, so the wait encoding is validated here.
        let calls = WithCalls::new(module.clone(), &flat);
        if let Err(why) = validate(&flat.targets.program, &calls) {
            debug_assert!(false, "the wait encoding is another program: {why}");
            let copies = FlattenOptions { share: &|_| false, ..flatten_options };
            flat = work::within(|budget| flatten(module.clone(), &copies, budget));
        }
    }
    let lowered = own_sites(told(lowered, &flat, flat.targets.program.clone()));
    Lowered { emitted: Some(emitted), ..with_cuts(lowered, &module, &flat, options) }
}

/// Each copy of a body has `havoc` sites of its own. Passes drop the choices of a site all together or not at
/// all, since executions number them.
fn own_sites(mut lowered: Lowered) -> Lowered {
    let automaton = &mut lowered.program.automaton;
    let (havocs, origins) = (&mut automaton.havocs, &mut lowered.havocs);
    let mut used = vec![false; havocs.len()];
    for edge in &mut automaton.edges {
        let command = std::mem::replace(&mut edge.command, Command::skip());
        edge.command = command.with_basics(|basic| match basic {
            Basic::Havoc(variable, site) if std::mem::replace(&mut used[site.index()], true) => {
                let own = HavocSite::new(havocs.len());
                havocs.push(havocs[site.index()].clone());
                origins.push(origins[site.index()].clone());
                Basic::Havoc(variable, own)
            }
            _ => basic,
        });
    }
    lowered
}

/// The same with procedures that variables belong to and that may call themselves: recursion is unrolled to
/// the bound in the automaton, and the module is there, too.
pub(in crate::lower) fn kept(
    mut lowered: Lowered,
    procedures: Vec<Procedure>,
    calls: Vec<Call>,
    owners: Owners,
    options: &LowerOptions,
) -> Lowered {
    if procedures.is_empty() {
        return lowered;
    }
    let targets = vec![lowered.program.automaton.error];
    let program = lowered.program.clone();
    let module = Module { program, targets, procedures, calls, owners };
    if let Err(errors) = nilas_program::procedures::check(&module) {
        // Something of one procedure is in another one: then none is kept.
        debug_assert!(false, "what is kept is well-formed: {errors:?}");
        lowered.unkeepable = Some((None, "a procedure is not closed".to_owned()));
        return lowered;
    }
    let emitted = Emitted::of(&module);
    let reached = module.reached();
    let recursive = |procedure: ProcedureId| reached[procedure.index()].contains(&procedure);
    let LowerOptions { recursion, edges, share, .. } = *options;
    let share = |procedure| share || !recursive(procedure);
    let flatten_options = FlattenOptions { recursion, edges, share: &share, names: Names::Numbers };
    let flat = work::within(|budget| flatten(module.clone(), &flatten_options, budget));
    let lowered = told(lowered, &flat, flat.targets.program.clone());
    let mut lowered = with_cuts(lowered, &module, &flat, options);
    // Values at entries are those of memory that holds anything.
    let origin = |site: &HavocSite| lowered.havocs.get(site.index()).cloned();
    let havocs = flat.sites.iter().map(|site| origin(site).unwrap_or(HavocOrigin::Garbage(None)));
    lowered.havocs = havocs.collect();
    lowered.emitted = Some(emitted);
    lowered.calls = Some(WithCalls::new(module, &flat));
    lowered
}

/// The same with the calls that were not followed: they are not modelled.
fn with_cuts(mut lowered: Lowered, module: &Module, flat: &Flat, options: &LowerOptions) -> Lowered {
    for cut in &flat.cuts {
        let call = module.call(cut.call);
        let name = module.procedure(call.callee).name.trim_end_matches("()");
        let (construct, bound) = match cut.reason {
            CutReason::Recursion => {
                let recursion = options.recursion;
                (format!("recursion of `{name}` deeper than {recursion} calls"), Some(Bound::Recursion))
            }
            CutReason::Edges => ("a program too large to inline its calls".to_owned(), None),
        };
        lowered.places.push(Unmodelled { edge: cut.edge, construct, span: call.span, bound });
    }
    lowered.places.sort_by_key(|place| place.edge);
    lowered
}

/// What is told of edges and locations, told of the automaton that they became.
fn told(lowered: Lowered, flat: &Flat, program: nilas_program::Program) -> Lowered {
    let copies = Copies::new(flat);
    Lowered {
        program,
        places: copies.edges(
            &lowered.places,
            |place: &Unmodelled, edge| Unmodelled { edge, ..place.clone() },
            |it| it.edge,
        ),
        undefined: copies.edges(
            &lowered.undefined,
            |it, edge| super::Undefined { edge, ..it.clone() },
            |it| it.edge,
        ),
        presumed: copies.edges(
            &lowered.presumed,
            |it, edge| super::Presumed { edge, ..it.clone() },
            |it| it.edge,
        ),
        checks: lowered
            .checks
            .iter()
            .map(|check| {
                let copies = |edge: &EdgeId| copies.edges.get(edge.index()).cloned().unwrap_or_default();
                super::Check { edges: check.edges.iter().flat_map(copies).collect(), ..check.clone() }
            })
            .collect(),
        heads: lowered
            .heads
            .iter()
            .flat_map(|head| {
                copies.locations[head.location.index()]
                    .iter()
                    .map(|&location| super::Head { location, ..*head })
            })
            .collect(),
        ..lowered
    }
}

/// Which edges and locations of the automaton stand for those of the module.
struct Copies {
    edges: Vec<Vec<EdgeId>>,
    locations: Vec<Vec<LocationId>>,
}

impl Copies {
    fn new(flat: &Flat) -> Self {
        let mut copies = Copies { edges: Vec::new(), locations: Vec::new() };
        for (index, came) in flat.edges.iter().enumerate() {
            if let Came::Edge(edge) = came {
                let needed = copies.edges.len().max(edge.index() + 1);
                copies.edges.resize(needed, Vec::new());
                copies.edges[edge.index()].push(EdgeId::new(index));
            }
        }
        for (index, origin) in flat.locations.iter().enumerate() {
            if let Some((_, location)) = origin {
                let needed = copies.locations.len().max(location.index() + 1);
                copies.locations.resize(needed, Vec::new());
                copies.locations[location.index()].push(LocationId::new(index));
            }
        }
        copies
    }

    /// What is told of edges, told of their copies.
    fn edges<T>(&self, told: &[T], of: impl Fn(&T, EdgeId) -> T, edge: impl Fn(&T) -> EdgeId) -> Vec<T> {
        let copies = |it: &T| self.edges.get(edge(it).index()).cloned().unwrap_or_default();
        let mut all: Vec<T> = told
            .iter()
            .flat_map(|it| copies(it).into_iter().map(|edge| of(it, edge)).collect::<Vec<T>>())
            .collect();
        all.sort_by_key(|it| edge(it));
        all
    }
}
