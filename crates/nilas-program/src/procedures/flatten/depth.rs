//! Variables and `havoc`s of procedures at depths beyond one, and values at entries.

use super::copies::{Flattener, fresh};
use crate::automaton::{Havoc, Variable};
use crate::command::Basic;
use crate::ids::{HavocSite, ProcedureId, VarId};
use crate::source::Span;
use nilas_term::{Sort, Substitution, Term};
use rustc_hash::FxHashMap;

/// What a procedure has at a depth beyond one.
#[derive(Default)]
pub(super) struct Deep {
    terms: Substitution,
    variables: FxHashMap<VarId, VarId>,
    sites: FxHashMap<HavocSite, HavocSite>,
}

impl Flattener<'_> {
    pub(super) fn new_variable(
        &mut self,
        name: &str,
        sort: &Sort,
        span: Span,
        is: Option<(VarId, usize)>,
    ) -> VarId {
        let mut name = fresh(&mut self.variable_names, name.to_owned(), false);
        let term = loop {
            match self.arena.variable(&name, sort) {
                Ok(term) => break term,
                // The name of a function.
                Err(_) => name = fresh(&mut self.variable_names, name, false),
            }
        };
        let id = VarId::new(self.automaton.variables.len());
        self.automaton.variables.push(Variable { name, sort: sort.clone(), term, span });
        self.variables.push(is);
        id
    }

    pub(super) fn local_site(&mut self, variable: VarId, span: Span) -> HavocSite {
        if let Some(&site) = self.local_sites.get(&variable) {
            return site;
        }
        let site = HavocSite::new(self.automaton.havocs.len());
        self.automaton.havocs.push(Havoc { variable, span });
        let is = self.variables[variable.index()].map_or(variable, |(is, _)| is);
        self.sites.push(self.module.local_site(is));
        self.local_sites.insert(variable, site);
        site
    }

    /// The variables of a procedure at a depth.
    pub(super) fn deep(&mut self, procedure: ProcedureId, depth: usize) -> &mut Deep {
        if !self.deep.contains_key(&(procedure, depth)) {
            let mut deep = Deep::default();
            for variable in self.module.variables_of(procedure) {
                let Variable { name, sort, term, span } = self.module.program.automaton.variable(variable);
                let new = self.new_variable(&format!("{name}#{depth}"), sort, *span, Some((variable, depth)));
                deep.variables.insert(variable, new);
                deep.terms.insert(*term, self.automaton.variable(new).term);
            }
            self.deep.insert((procedure, depth), deep);
        }
        self.deep.entry((procedure, depth)).or_default()
    }

    pub(super) fn at_depth(&mut self, procedure: ProcedureId, depth: usize, variable: VarId) -> VarId {
        match depth {
            1 => variable,
            _ => self.deep(procedure, depth).variables.get(&variable).copied().unwrap_or(variable),
        }
    }

    pub(super) fn deep_term(&mut self, procedure: ProcedureId, depth: usize, term: Term) -> Term {
        self.deep(procedure, depth);
        match self.deep.get_mut(&(procedure, depth)) {
            Some(deep) => deep.terms.apply(&mut self.arena, term),
            None => term,
        }
    }

    pub(super) fn deep_basic(&mut self, procedure: ProcedureId, depth: usize, basic: Basic) -> Basic {
        match basic {
            Basic::Skip => Basic::Skip,
            Basic::Assume(term) => Basic::Assume(self.deep_term(procedure, depth, term)),
            Basic::Assign(variable, term) => {
                let value = self.deep_term(procedure, depth, term);
                Basic::Assign(self.at_depth(procedure, depth, variable), value)
            }
            Basic::Havoc(variable, site) => {
                let new = self.at_depth(procedure, depth, variable);
                if new == variable {
                    return basic;
                }
                let next = HavocSite::new(self.automaton.havocs.len());
                let own = *self.deep(procedure, depth).sites.entry(site).or_insert(next);
                if own == next {
                    let span = self.automaton.havoc(site).span;
                    self.automaton.havocs.push(Havoc { variable: new, span });
                    self.sites.push(site);
                }
                Basic::Havoc(new, own)
            }
        }
    }
}
