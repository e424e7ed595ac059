//! The way back from the automaton after a pass to the one before it.

use crate::automaton::Automaton;
use crate::command::Origin;
use crate::ids::{ArcId, EdgeId, LocationId, VarId};
use nilas_term::{Arena, Importer, SortError, Substitution, Term};
use std::collections::BTreeMap;

/// What an edge of the new automaton was in the old one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EdgeMap {
    /// For each arc of its command, the old arcs that it stands for, in the order in which they are taken.
    /// None for an arc that a pass made of several ways.
    pub arcs: Vec<Vec<Origin>>,
}

/// Why a location of a cycle is not in the new automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vanished {
    /// With the facts, no execution gets there.
    Unreachable,
    /// With the facts, no execution gets from there to a sink.
    Harmless,
}

/// A variable that has another sort after a pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recoded {
    /// The variable. What it holds at the entry does not matter.
    pub variable: VarId,
    /// The new variable.
    pub narrow: Term,
    /// What it holds, as a term over the old variables.
    pub wide: Term,
    /// The old variable.
    pub old: Term,
    /// What the old variable holds, as a term over the new ones.
    pub value: Term,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Stage {
    locations: Vec<LocationId>,
    edges: Vec<EdgeMap>,
    recoded: Vec<Recoded>,
}

/// Carries evidence from the automaton after one or several passes to the automaton before them.
///
/// Formulas at locations go back by [`BackMap::location`]; what a pass relied on is in [`BackMap::facts`] and
/// has to be conjoined to them; variables that a pass encoded anew are replaced by [`BackMap::restore`].
/// Cycles of the old automaton that are none in the new one are cut at the locations of
/// [`BackMap::vanished`], where facts alone do (or *false*, if nothing gets there). Executions go back edge
/// by edge with [`BackMap::path`]; where several ways became one, the path has a gap, and the interpreter
/// finds its own way.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct BackMap {
    /// The first pass first.
    stages: Vec<Stage>,
    facts: BTreeMap<LocationId, Vec<Term>>,
    vanished: BTreeMap<LocationId, Vanished>,
}

impl BackMap {
    /// The map of a pass: for each new location its old one, and for each new edge what it was.
    #[must_use]
    pub fn new(locations: Vec<LocationId>, edges: Vec<EdgeMap>) -> Self {
        BackMap { stages: vec![Stage { locations, edges, recoded: Vec::new() }], ..BackMap::default() }
    }

    /// The map of no pass at all.
    #[must_use]
    pub fn identity() -> Self {
        BackMap::default()
    }

    /// Notes that the last pass has encoded a variable anew. The terms belong to the new program's arena.
    pub fn add_recoded(&mut self, recoded: Recoded) {
        if let Some(stage) = self.stages.last_mut() {
            stage.recoded.push(recoded);
        }
    }

    /// The variables that passes have encoded anew.
    pub fn recoded(&self) -> impl Iterator<Item = &Recoded> {
        self.stages.iter().flat_map(|stage| &stage.recoded)
    }

    /// Formulas of the new program, in an arena that knows variables by their names, as formulas of the old
    /// one. `new` is the new program's arena.
    ///
    /// # Errors
    /// When the arena has other variables of the same names.
    pub fn restore(&self, new: &Arena, arena: &mut Arena, formulas: &mut [Term]) -> Result<(), SortError> {
        let mut importer = Importer::new();
        for stage in self.stages.iter().rev().filter(|stage| !stage.recoded.is_empty()) {
            let mut wide = Substitution::new();
            for recoded in &stage.recoded {
                let narrow = importer.import(arena, new, recoded.narrow)?;
                wide.insert(narrow, importer.import(arena, new, recoded.wide)?);
            }
            for formula in formulas.iter_mut() {
                *formula = wide.apply(arena, *formula);
            }
        }
        Ok(())
    }

    /// Adds a formula that the pass relies on at an old location. The term belongs to the old program's
    /// arena, or to the new one's that extends it.
    pub fn add_fact(&mut self, old: LocationId, fact: Term) {
        self.facts.entry(old).or_default().push(fact);
    }

    /// Notes that an old location of a cycle has no new one.
    pub fn add_vanished(&mut self, old: LocationId, why: Vanished) {
        self.vanished.insert(old, why);
    }

    /// The old location of a new one.
    #[must_use]
    pub fn location(&self, new: LocationId) -> LocationId {
        self.stages.iter().rev().fold(new, |location, stage| stage.locations[location.index()])
    }

    /// What the passes relied on: formulas that hold at old locations whenever executions get there.
    pub fn facts(&self) -> impl Iterator<Item = (LocationId, &[Term])> {
        self.facts.iter().map(|(&location, facts)| (location, &facts[..]))
    }

    /// What the passes relied on at an old location.
    #[must_use]
    pub fn facts_at(&self, old: LocationId) -> &[Term] {
        self.facts.get(&old).map_or(&[], |facts| &facts[..])
    }

    /// Old locations without a new one that cut the cycles which are gone.
    pub fn vanished(&self) -> impl Iterator<Item = (LocationId, Vanished)> + '_ {
        self.vanished.iter().map(|(&old, &why)| (old, why))
    }

    /// The old edges that a path through a new edge's command went over, with the arcs taken in each, as far
    /// as they are known.
    ///
    /// `new` is the automaton after the last pass.
    #[must_use]
    pub fn path(&self, edge: EdgeId, arcs: &[ArcId], new: &Automaton) -> Vec<(EdgeId, Vec<ArcId>)> {
        debug_assert!(
            arcs.iter().all(|arc| arc.index() < new.edge(edge).command.arcs().len()),
            "a path through the edge"
        );
        let mut path = vec![(edge, arcs.to_vec())];
        for stage in self.stages.iter().rev() {
            path = path.iter().flat_map(|(edge, arcs)| stage.path(*edge, arcs)).collect();
        }
        path
    }

    /// First this pass, then a later one that ran on its result.
    #[must_use]
    pub fn then(mut self, later: BackMap) -> BackMap {
        for (location, facts) in later.facts {
            let old = self.location(location);
            self.facts.entry(old).or_default().extend(facts);
        }
        for (location, why) in later.vanished {
            let old = self.location(location);
            self.vanished.insert(old, why);
        }
        self.stages.extend(later.stages);
        self
    }
}

impl Stage {
    fn path(&self, edge: EdgeId, arcs: &[ArcId]) -> Vec<(EdgeId, Vec<ArcId>)> {
        let map = &self.edges[edge.index()];
        let mut path: Vec<(EdgeId, Vec<ArcId>)> = Vec::new();
        for origin in arcs.iter().flat_map(|arc| &map.arcs[arc.index()]) {
            // An old edge occurs once on a path without cycles, so its arcs follow each other.
            match path.last_mut() {
                Some((last, taken)) if *last == origin.edge => taken.extend(origin.arc),
                _ => path.push((origin.edge, origin.arc.into_iter().collect())),
            }
        }
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_compose() {
        let location = LocationId::new;
        let origin = |edge, arc| Origin { edge: EdgeId::new(edge), arc: Some(ArcId::new(arc)) };
        let mut arena = Arena::new();
        let (yes, no) = (arena.mk_true(), arena.mk_false());
        // Old edges 0 and 1 become one; old locations 2 and 0 stay.
        let joined = EdgeMap { arcs: vec![vec![origin(0, 4)], vec![], vec![origin(1, 5), origin(1, 6)]] };
        let mut first = BackMap::new(vec![location(2), location(0)], vec![joined]);
        first.add_fact(location(2), yes);
        // Then two arcs become one.
        let shorter = EdgeMap { arcs: vec![vec![origin(0, 0), origin(0, 1)], vec![origin(0, 2)]] };
        let mut second = BackMap::new(vec![location(1), location(0)], vec![shorter]);
        second.add_fact(location(0), no);
        second.add_vanished(location(0), Vanished::Harmless);
        let both = first.then(second);
        assert_eq!(both.location(location(0)), location(0));
        assert_eq!(both.location(location(1)), location(2));
        assert_eq!(both.facts().collect::<Vec<_>>(), [(location(2), &[yes, no][..])]);
        assert_eq!(both.facts_at(location(0)), []);
        assert_eq!(both.vanished().collect::<Vec<_>>(), [(location(2), Vanished::Harmless)]);
        let path: Vec<_> = both
            .stages
            .iter()
            .rev()
            .fold(vec![(EdgeId::new(0), vec![ArcId::new(0), ArcId::new(1)])], |path, stage| {
                path.iter().flat_map(|(edge, arcs)| stage.path(*edge, arcs)).collect()
            });
        let arcs = vec![ArcId::new(5), ArcId::new(6)];
        assert_eq!(path, [(EdgeId::new(0), vec![ArcId::new(4)]), (EdgeId::new(1), arcs)]);
    }
}
