//! Interpretations: what an invariant of the automaton says about the predicates.
//!
//! An invariant has formulas at a cutset only. A predicate whose location has none gets the weakest formula
//! that leads to those behind it: along every edge, whatever is chosen, where the guard holds the formula
//! behind it holds. That is quantified over what the edges choose, where they choose something that matters.

use crate::automaton::Layout;
use crate::system::{PredicateId, System};
use nilas_evidence::{Evidence, Induction, Invariant};
use nilas_program::graph::Graph;
use nilas_program::{Automaton, LocationId, State, encode};
use nilas_term::smtlib::{print_term, quote_symbol};
use nilas_term::{Arena, Importer, Sort, Substitution, Term, Value};
use std::collections::BTreeMap;
use std::fmt::Write;

/// A formula for a predicate: `∀ chosen. formula`, over the variables of its arguments.
#[derive(Clone, Debug)]
struct Meaning {
    chosen: Vec<Term>,
    formula: Term,
}

/// A formula for each predicate.
#[derive(Clone, Debug)]
pub struct Interpretation {
    arena: Arena,
    meanings: Vec<Meaning>,
}

impl Interpretation {
    /// The interpretation that evidence gives; `None` if it is not evidence of that kind.
    #[must_use]
    pub fn new(layout: &Layout, evidence: &Evidence) -> Option<Self> {
        let empty = Invariant::default();
        let invariant = match evidence {
            // Formulas that only several states imply together are no interpretation.
            Evidence::Invariant(invariant) if invariant.induction != Induction::default() => return None,
            Evidence::Invariant(invariant) => invariant,
            // Without cycles no formula is needed; with them they are missing.
            Evidence::Unwinding(_) | Evidence::Run => &empty,
            Evidence::Contracts(_) | Evidence::Execution(_) => return None,
        };
        let automaton = &layout.program.automaton;
        let mut arena = layout.program.arena.clone();
        let mut importer = Importer::new();
        let mut meanings: BTreeMap<LocationId, Meaning> = BTreeMap::new();
        for (&location, &formula) in &invariant.formulas {
            let formula = importer.import(&mut arena, &invariant.arena, formula).ok()?;
            meanings.insert(location, Meaning { chosen: Vec::new(), formula });
        }
        let falsehood = arena.mk_false();
        meanings.insert(automaton.error, Meaning { chosen: Vec::new(), formula: falsehood });
        let graph = Graph::new(automaton);
        let relevant = graph.relevant(automaton);
        let truth = arena.mk_true();
        for &root in &layout.locations {
            let mut stack = vec![root];
            let mut entered: Vec<LocationId> = Vec::new();
            while let Some(&location) = stack.last() {
                if meanings.contains_key(&location) {
                    stack.pop();
                    continue;
                }
                if !relevant.contains(location) {
                    // It leads nowhere, or nothing leads to it.
                    let formula = if reaches(automaton, &graph, location) { falsehood } else { truth };
                    meanings.insert(location, Meaning { chosen: Vec::new(), formula });
                    continue;
                }
                let open = graph
                    .outgoing(location)
                    .iter()
                    .map(|&edge| automaton.edge(edge).target)
                    .filter(|target| !meanings.contains_key(target));
                let open: Vec<LocationId> = open.collect();
                if !open.is_empty() {
                    if entered.contains(&location) {
                        return None;
                    }
                    entered.push(location);
                    stack.extend(open);
                    continue;
                }
                let meaning = weakest(layout, &mut arena, &graph, location, &meanings);
                meanings.insert(location, meaning);
            }
        }
        let mut interpretation = Interpretation { arena, meanings: Vec::new() };
        for (index, location) in layout.locations.iter().enumerate() {
            let meaning = meanings.remove(location)?;
            interpretation.close(layout, PredicateId(index), meaning);
        }
        Some(interpretation)
    }

    /// Puts some value for every variable that is no argument: formulas do not depend on them.
    fn close(&mut self, layout: &Layout, predicate: PredicateId, meaning: Meaning) {
        let Meaning { mut chosen, formula } = meaning;
        let arguments = &layout.arguments[predicate.0];
        let mut fixed = Substitution::new();
        for id in layout.program.automaton.variable_ids().filter(|id| !arguments.contains(id)) {
            let variable = layout.program.automaton.variable(id);
            let value = self.arena.constant(Value::default_of(&variable.sort));
            fixed.insert(variable.term, value);
        }
        let formula = fixed.apply(&mut self.arena, formula);
        let free = self.arena.free_variables(formula);
        chosen.retain(|variable| free.contains(variable));
        chosen.sort_unstable();
        chosen.dedup();
        self.meanings.push(Meaning { chosen, formula });
    }

    /// The interpretation as evidence, so that it can be checked clause by clause; `None` if it has
    /// quantifiers.
    #[must_use]
    pub fn evidence(&self, layout: &Layout) -> Option<Evidence> {
        let mut formulas = BTreeMap::new();
        for (&location, meaning) in layout.locations.iter().zip(&self.meanings) {
            if !meaning.chosen.is_empty() {
                return None;
            }
            formulas.insert(location, meaning.formula);
        }
        Some(Evidence::Invariant(Invariant { arena: self.arena.clone(), formulas, ..Invariant::default() }))
    }

    /// The interpretation as `define-fun`s.
    #[must_use]
    pub fn print(&self, system: &System, layout: &Layout) -> String {
        let mut text = String::new();
        for (index, (predicate, meaning)) in system.predicates.iter().zip(&self.meanings).enumerate() {
            let mut arena = self.arena.clone();
            let mut renamed = Substitution::new();
            let mut parameters = Vec::new();
            for (&slot, (name, sort)) in layout.arguments[index].iter().zip(&predicate.parameters) {
                let own = layout.program.automaton.variable(slot).term;
                let known = arena.lookup(name).is_none();
                let made = if known { arena.variable(name, sort).ok() } else { None };
                let parameter = made.unwrap_or(own);
                renamed.insert(own, parameter);
                parameters.push(declare(&arena, parameter, sort));
            }
            let formula = renamed.apply(&mut arena, meaning.formula);
            let mut body = print_term(&arena, formula);
            if !meaning.chosen.is_empty() {
                let chosen = meaning.chosen.iter().map(|&term| declare(&arena, term, arena.sort(term)));
                body = format!("(forall ({}) {body})", chosen.collect::<Vec<_>>().join(" "));
            }
            let name = quote_symbol(&predicate.name);
            // Writing to a string does not fail.
            let _ = writeln!(text, "(define-fun {name} ({}) Bool\n  {body})", parameters.join(" "));
        }
        text
    }
}

/// Evidence of safety about the automaton of a system, as evidence about any other automaton with the same
/// locations and arguments: formulas speak about arguments only.
#[must_use]
pub fn portable(layout: &Layout, evidence: &Evidence) -> Evidence {
    let Evidence::Invariant(invariant) = evidence else { return evidence.clone() };
    let automaton = &layout.program.automaton;
    let mut arena = invariant.arena.clone();
    let mut formulas = BTreeMap::new();
    for (&location, &formula) in &invariant.formulas {
        let none = Vec::new();
        let arguments = layout.predicate(location).map_or(&none, |id| &layout.arguments[id.0]);
        let mut fixed = Substitution::new();
        for id in automaton.variable_ids().filter(|id| !arguments.contains(id)) {
            let variable = automaton.variable(id);
            if let Ok(term) = arena.variable(&variable.name, &variable.sort) {
                let value = arena.constant(Value::default_of(&variable.sort));
                fixed.insert(term, value);
            }
        }
        formulas.insert(location, fixed.apply(&mut arena, formula));
    }
    Evidence::Invariant(Invariant { arena, formulas, induction: invariant.induction, ..Invariant::default() })
}

fn declare(arena: &Arena, variable: Term, sort: &Sort) -> String {
    format!("({} {sort})", quote_symbol(arena.name(variable).unwrap_or("?")))
}

/// Whether a location lies before the error.
fn reaches(automaton: &Automaton, graph: &Graph, from: LocationId) -> bool {
    let mut stack = vec![from];
    let mut seen = std::collections::BTreeSet::new();
    while let Some(location) = stack.pop() {
        if location == automaton.error {
            return true;
        }
        if seen.insert(location) {
            stack.extend(graph.outgoing(location).iter().map(|&edge| automaton.edge(edge).target));
        }
    }
    false
}

/// The weakest formula at a location from which all edges lead to the formulas behind them.
fn weakest(
    layout: &Layout,
    arena: &mut Arena,
    graph: &Graph,
    location: LocationId,
    meanings: &BTreeMap<LocationId, Meaning>,
) -> Meaning {
    let automaton = &layout.program.automaton;
    let start = State::initial(automaton);
    let truth = arena.mk_true();
    let (mut chosen, mut conjuncts) = (Vec::new(), Vec::new());
    for &edge in graph.outgoing(location) {
        let edge = automaton.edge(edge);
        let Some(behind) = meanings.get(&edge.target) else { continue };
        let encoding = encode(arena, automaton, &edge.command, &start, truth);
        let after = encoding.next.apply(arena, behind.formula);
        conjuncts.push(arena.implies(encoding.guard, after));
        chosen.extend(encoding.inputs.iter().map(|input| input.variable));
        chosen.extend_from_slice(&behind.chosen);
    }
    Meaning { chosen, formula: arena.and(&conjuncts) }
}
