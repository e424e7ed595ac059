//! Horn clauses: what every input of this crate becomes.
//!
//! A clause says that whenever the predicates of its body hold of some values and its constraint holds, its
//! head holds: `∀v. B₁(s) ∧ … ∧ Bₙ(t) ∧ c ⇒ H(u)`. Without a body it is a fact, without a head a *goal*: what
//! must not be derived. Clauses are *linear* where no body has more than one predicate; transition systems
//! are, and the way to automata ([`crate::to_automaton`]) is for these. Others become procedures
//! ([`crate::Procedures`]). Invariants: arguments have the sorts that the predicate declares; clauses
//! share no variables with meaning, each is closed on its own.

use nilas_program::Span;
use nilas_term::{Arena, Sort, Term};

/// Which predicate of a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PredicateId(pub usize);

/// Which goal of a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GoalId(pub usize);

/// What the user wrote: it decides how answers read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Horn clauses: `sat` or `unsat`.
    Horn,
    /// A transition system in VMT: its properties hold or not.
    Vmt,
    /// A transition system in BTOR2: its bad states are reached or not.
    Btor2,
}

/// An unknown relation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Predicate {
    /// Its name in the text.
    pub name: String,
    /// Its arguments: what they are called, and their sorts.
    pub parameters: Vec<(String, Sort)>,
    /// Where it is declared.
    pub span: Span,
}

/// A predicate with arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Atom {
    /// The predicate.
    pub predicate: PredicateId,
    /// The arguments.
    pub arguments: Vec<Term>,
}

/// A clause, see the module's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// What must hold before; nothing for a fact.
    pub body: Vec<Atom>,
    /// What else must hold.
    pub constraint: Term,
    /// What follows.
    pub head: Result<Atom, GoalId>,
    /// Where it stands.
    pub span: Span,
}

/// Something that must not be derived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    /// What the user calls it.
    pub name: String,
    /// Where it stands.
    pub span: Span,
}

/// A set of Horn clauses, see the module's text.
#[derive(Clone, Debug)]
pub struct System {
    /// What the user wrote.
    pub form: Form,
    /// Owner of all terms.
    pub arena: Arena,
    /// The predicates.
    pub predicates: Vec<Predicate>,
    /// The clauses.
    pub clauses: Vec<Clause>,
    /// What must not be derived. Each gets an answer of its own.
    pub goals: Vec<Goal>,
    /// What the user calls the inputs, in the order of the file, where that matters.
    pub inputs: Vec<String>,
    /// Why nothing can be decided, if that is so.
    pub undecided: Option<String>,
}

impl System {
    /// A predicate.
    #[must_use]
    pub fn predicate(&self, id: PredicateId) -> &Predicate {
        &self.predicates[id.0]
    }

    /// Whether no clause has more than one predicate in its body.
    #[must_use]
    pub fn is_linear(&self) -> bool {
        self.clauses.iter().all(|clause| clause.body.len() <= 1)
    }

    /// All goals.
    pub fn goal_ids(&self) -> impl Iterator<Item = GoalId> + use<> {
        (0..self.goals.len()).map(GoalId)
    }

    /// Notes the first sort that cannot be decided.
    pub(crate) fn note_undecided(&mut self) {
        let terms = self.clauses.iter().flat_map(|clause| {
            let atoms = clause.body.iter().chain(clause.head.as_ref().ok());
            atoms.flat_map(|atom| atom.arguments.iter().copied()).chain([clause.constraint])
        });
        let terms: Vec<Term> = terms.collect();
        let predicates = self.predicates.iter().flat_map(|predicate| &predicate.parameters);
        let declared =
            predicates.map(|(_, sort)| sort.clone()).find_map(|sort| crate::script::undecided(&sort));
        let mut seen = rustc_hash::FxHashSet::default();
        let mut stack = terms;
        let mut found = declared;
        while let Some(term) = stack.pop() {
            if found.is_some() {
                break;
            }
            if seen.insert(term) {
                found = crate::script::undecided(self.arena.sort(term));
                stack.extend_from_slice(self.arena.children(term));
            }
        }
        self.undecided = found.map(|sort| {
            format!("the sort {sort} is not decided: Nilas decides Booleans, bit-vectors, floats and arrays")
        });
    }
}
