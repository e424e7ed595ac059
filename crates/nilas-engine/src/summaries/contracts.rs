//! From frames that are inductive to contracts of procedures.
//!
//! A procedure needs that its entry is not among those from which the frames let it get to a sink. What it
//! does, and what holds inside of it, is what the frames say, and that global variables which it does not
//! write are as they were.

use super::clauses::Clauses;
use super::instance::Search;
use super::rules::PlaceId;
use crate::outcome::Unknown;
use crate::pdr::Level;
use nilas_evidence::{Contract, Contracts, entry_name};
use nilas_program::procedures::{Blocks, effects};
use nilas_program::{Graph, LocationId, Module};
use nilas_term::{Importer, Substitution, Term};

impl Search<'_, '_> {
    /// What frames say of a predicate at a level.
    fn said(&mut self, place: PlaceId, clauses: &Clauses, level: Level) -> Term {
        if !clauses.needed[place.index()] {
            // Nobody has looked at it: it may be anything.
            return self.arena.mk_true();
        }
        if self.frames.is_empty_at(level, place) {
            return self.arena.mk_false();
        }
        let lemmas: Vec<Term> = self.frames.frame(level, place).map(|lemma| lemma.clause).collect();
        self.arena.and(&lemmas)
    }

    /// What frames say of a location of the blocks: anything, where it leads to no sink.
    fn said_at(&mut self, location: LocationId, blocks: &Blocks, clauses: &Clauses, level: Level) -> Term {
        if !blocks.reachable[location.index()] {
            return self.arena.mk_false();
        }
        match clauses.locations[location.index()].filter(|_| blocks.relevant[location.index()]) {
            None => self.arena.mk_true(),
            Some(place) if clauses.derivable[place.index()] => self.said(place, clauses, level),
            Some(_) => self.arena.mk_false(),
        }
    }

    /// The contracts that frames of a level give.
    pub(super) fn contracts(
        &mut self,
        module: &Module,
        blocks: &Blocks,
        clauses: &Clauses,
        level: Level,
    ) -> Result<Contracts, Unknown> {
        let automaton = &module.program.automaton;
        let main = module.procedures.len();
        // Blocks have lost what leads to no sink.
        let effects = effects(module);
        let mut contracts = Contracts::default();
        let mut importer = Importer::new();
        let mut out = |search: &mut Self, formula: Term| {
            let imported = importer.import(&mut contracts.arena, &search.arena, formula);
            imported.map_err(|error| Unknown::Internal(error.to_string()))
        };
        // By procedure: what holds wherever it is.
        let mut always = Vec::new();
        let mut procedures = Vec::new();
        for (index, procedure) in module.procedures.iter().enumerate() {
            let mut parts = Vec::new();
            let (entry, exit) = {
                let folded = &blocks.module.procedures[index];
                (folded.entry, folded.exit)
            };
            for (_, place) in clauses.sunk[index].clone() {
                let sunk = match (blocks.reachable[entry.index()], clauses.derivable[place.index()]) {
                    // Nobody calls it: its edges were not looked at.
                    (false, _) => self.arena.mk_true(),
                    (true, true) => self.said(place, clauses, level),
                    (true, false) => self.arena.mk_false(),
                };
                parts.push(self.arena.not(sunk));
            }
            let needed = self.arena.and(&parts);
            let mut now = Substitution::new();
            for &(variable, old) in &clauses.entered[index] {
                now.insert(old, automaton.variable(variable).term);
            }
            let requires = now.apply(&mut self.arena, needed);
            let mut kept = vec![needed];
            for variable in automaton.variable_ids() {
                if module.owner_of(variable).is_none() && !effects[index].writes.contains(&variable) {
                    let declared = automaton.variable(variable);
                    let old = self.arena.variable(&entry_name(&declared.name), &declared.sort);
                    let old = old.map_err(|error| Unknown::Internal(error.to_string()))?;
                    kept.push(self.arena.eq(declared.term, old));
                }
            }
            let kept = self.arena.and(&kept);
            let done = self.said_at(exit, blocks, clauses, level);
            let ensures = self.arena.and(&[kept, done]);
            always.push(kept);
            let contract = Contract { requires: out(self, requires)?, ensures: out(self, ensures)? };
            procedures.push((procedure.name.clone(), contract));
        }
        always.push(self.arena.mk_true());
        let owner =
            |location: LocationId| module.owner(location).map_or(main, nilas_program::ProcedureId::index);
        let mut formulas = Vec::new();
        for (folded, &location) in blocks.locations.iter().enumerate() {
            if clauses.locations[folded].is_none() {
                continue;
            }
            let said = self.said_at(LocationId::new(folded), blocks, clauses, level);
            let formula = self.arena.and(&[always[owner(location)], said]);
            formulas.push((location, out(self, formula)?));
        }
        // Loops that lead to no sink have no formula yet.
        let graph = Graph::new(automaton);
        let begins = module.procedures.iter().map(|procedure| procedure.entry).chain([automaton.entry]);
        for begin in begins {
            for head in graph.loop_heads(begin, |_| true) {
                if module.owner(head) == module.owner(begin) && formulas.iter().all(|(at, _)| *at != head) {
                    formulas.push((head, out(self, always[owner(head)])?));
                }
            }
        }
        contracts.procedures = procedures.into_iter().collect();
        let named = formulas.into_iter().map(|(at, formula)| (automaton.location(at).name.clone(), formula));
        contracts.formulas = named.collect();
        Ok(contracts)
    }
}
