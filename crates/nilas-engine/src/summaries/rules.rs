//! Rules: Horn clauses in the form that the engine works with.
//!
//! A rule derives a fact about its head's predicate from facts about those of its premises. Premises have
//! variables of their own, the head has terms over these and over *inputs*, which are free. So next-state
//! variables do not exist, as everywhere in this crate. Rules may have any number of premises: none where
//! executions begin, one for a step, two for a call (before it, and what the callee does).

use crate::pdr::{self, Level};
use nilas_program::{CallId, EdgeId, Encoding};
use nilas_term::Term;

/// A predicate; the first one, [`BEGINNING`], stands for where derivations begin, and has no rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PlaceId(u32);

/// Where derivations begin.
pub(super) const BEGINNING: PlaceId = PlaceId(0);

impl pdr::Place for PlaceId {
    fn index(self) -> usize {
        self.0 as usize
    }
}

impl PlaceId {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A rule, by its number.
pub(super) type RuleId = usize;

/// What facts are about.
#[derive(Debug)]
pub(crate) struct Predicate {
    pub(crate) name: String,
    /// The variables that lemmas about it are over.
    pub(crate) variables: Vec<Term>,
}

#[derive(Debug)]
pub(crate) struct Premise {
    pub(crate) place: PlaceId,
    /// What stands for the variables of the predicate. Those of the first premise may be the same; all
    /// others belong to this premise alone.
    pub(crate) variables: Vec<Term>,
    /// Whether it counts a level ([`rounds`](super::rounds)).
    pub(crate) back: bool,
}

impl Premise {
    /// The level of facts about the premise that lead to one of the head at this level.
    pub(super) fn below(&self, level: Level) -> Option<Level> {
        if self.back { level.previous() } else { Some(level) }
    }

    /// The level of the head that facts of this level about the premise lead to.
    pub(super) fn above(&self, below: Level) -> Level {
        if self.back { below.next() } else { below }
    }
}

/// An edge of the module, and what it means.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub(crate) edge: EdgeId,
    pub(crate) encoding: Encoding,
}

/// What a rule stands for.
#[derive(Debug)]
pub(crate) enum Origin {
    /// An edge of the module.
    Edge(Box<Block>),
    /// What happens behind a call that comes back. The edge before it, if there is one, is in the rule.
    Return(Option<Box<Block>>, CallId),
    /// A call that does not come back: it ends in a sink. The same for the edge before it.
    Sunk(Option<Box<Block>>, CallId),
}

impl Origin {
    /// The edge that the rule begins with.
    pub(super) fn block(&self) -> Option<&Block> {
        match self {
            Origin::Edge(block) => Some(block),
            Origin::Return(block, _) | Origin::Sunk(block, _) => block.as_deref(),
        }
    }

    /// The call that it ends with.
    pub(super) fn call(&self) -> Option<CallId> {
        match self {
            Origin::Edge(_) => None,
            Origin::Return(_, call) | Origin::Sunk(_, call) => Some(*call),
        }
    }
}

#[derive(Debug)]
pub(crate) struct Rule {
    pub(crate) premises: Vec<Premise>,
    /// Equations between variables of premises and terms without them.
    pub(crate) equations: Vec<(Term, Term)>,
    /// What else must hold.
    pub(crate) guard: Term,
    /// Free variables of the rule.
    pub(crate) inputs: Vec<Term>,
    pub(crate) head: PlaceId,
    /// The values of the head's variables.
    pub(crate) values: Vec<Term>,
    pub(crate) origin: Origin,
}

/// Predicates, rules for them, and what is to be shown underivable.
#[derive(Debug)]
pub(crate) struct Rules {
    pub(crate) predicates: Vec<Predicate>,
    pub(crate) rules: Vec<Rule>,
    pub(crate) targets: Vec<PlaceId>,
    /// All predicates; premises that count no level come before their heads.
    pub(crate) order: Vec<PlaceId>,
}

impl Default for Rules {
    fn default() -> Self {
        let beginning = Predicate { name: String::new(), variables: Vec::new() };
        Rules { predicates: vec![beginning], rules: Vec::new(), targets: Vec::new(), order: Vec::new() }
    }
}

impl Rules {
    pub(crate) fn predicate(&mut self, name: String, variables: Vec<Term>) -> PlaceId {
        let id = PlaceId(u32::try_from(self.predicates.len()).expect("fewer than 2^32 predicates"));
        self.predicates.push(Predicate { name, variables });
        id
    }

    pub(crate) fn places(&self) -> impl Iterator<Item = PlaceId> + use<> {
        (0..self.predicates.len() as u32).map(PlaceId)
    }

    pub(crate) fn of(&self, place: PlaceId) -> &Predicate {
        &self.predicates[place.index()]
    }

    /// The least level of a derivation of each predicate, by syntax, from 1 on; none where there is no
    /// derivation.
    pub(crate) fn heights(&self) -> Vec<Option<Level>> {
        let mut heights: Vec<Option<Level>> = vec![None; self.predicates.len()];
        heights[BEGINNING.index()] = Some(Level(0));
        loop {
            let mut changed = false;
            for rule in &self.rules {
                let height = rule.premises.iter().try_fold(Level(1), |most, premise| {
                    let below = heights[premise.place.index()]?;
                    Some(most.max(premise.above(below)))
                });
                let Some(height) = height else { continue };
                let known = &mut heights[rule.head.index()];
                if known.is_none_or(|known| height < known) {
                    *known = Some(height);
                    changed = true;
                }
            }
            if !changed {
                return heights;
            }
        }
    }

    /// Keeps the rules that a derivation of a target can have in it. Which predicates these need.
    pub(crate) fn reduce(&mut self) -> Vec<bool> {
        let heights = self.heights();
        let derivable = |place: PlaceId| heights[place.index()].is_some();
        self.rules.retain(|rule| rule.premises.iter().all(|premise| derivable(premise.place)));
        let mut needed = vec![false; self.predicates.len()];
        let mut work = self.targets.clone();
        while let Some(place) = work.pop() {
            if !std::mem::replace(&mut needed[place.index()], true) {
                let rules = self.rules.iter().filter(|rule| rule.head == place);
                work.extend(rules.flat_map(|rule| rule.premises.iter().map(|premise| premise.place)));
            }
        }
        self.rules.retain(|rule| needed[rule.head.index()]);
        needed
    }
}
