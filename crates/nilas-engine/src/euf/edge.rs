//! One edge with its EUF solver: guard and lemmas of its source as in the other instances, and refinement
//! lemmas as its models come to violate them.

use super::Settings;
use super::arrays::ArrayTerms;
use super::concrete::Applications;
use super::lemmas::Lemmas;
use super::order::Comparisons;
use crate::observer::Observer;
use crate::pdr::{FrameSolver, Level, Reachability};
use crate::transition::Transition;
use nilas_program::{Automaton, EdgeId};
use nilas_smt::{Answer, Budget, Euf, Interrupt, Reason};
use nilas_term::{Arena, Cube, Term};
use rustc_hash::{FxHashMap, FxHashSet};

/// The inputs of an edge.
pub(super) struct Inputs {
    variables: FxHashSet<Term>,
    memo: FxHashMap<Term, bool>,
}

impl Inputs {
    fn new(transition: &Transition) -> Self {
        let variables = transition.encoding.inputs.iter().map(|input| input.variable).collect();
        Inputs { variables, memo: FxHashMap::default() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.variables.is_empty()
    }

    /// Whether a term is an input.
    pub(super) fn contains(&self, term: Term) -> bool {
        self.variables.contains(&term)
    }

    /// Whether a term has an input in it.
    pub(super) fn occur_in(&mut self, arena: &Arena, term: Term) -> bool {
        if self.variables.is_empty() {
            return false;
        }
        let mut stack = vec![(term, false)];
        while let Some((term, ready)) = stack.pop() {
            if self.memo.contains_key(&term) {
                continue;
            }
            let children = arena.children(term);
            if ready || children.is_empty() {
                let inside = children.iter().any(|child| self.memo[child]);
                self.memo.insert(term, inside || self.variables.contains(&term));
            } else {
                stack.push((term, true));
                stack.extend(children.iter().map(|&child| (child, false)));
            }
        }
        self.memo[&term]
    }
}

/// Instances of axioms of order that an edge may have: where more are violated, most do not matter, and
/// what does is learnt.
const ORDERS: usize = 64;

/// A lemma as it is said of an edge.
struct Said {
    clause: Vec<Term>,
    is_told: bool,
}

/// An edge and its long-lived solver.
pub(super) struct EdgeSolver {
    pub(super) is_loop: bool,
    pub(super) transition: Transition,
    pub(super) frame: FrameSolver,
    pub(super) inputs: Inputs,
    /// The shared lemmas before the edge and behind it, as far as they were looked at.
    said: Vec<Said>,
    looked_at: usize,
    /// How often a shared lemma was put in.
    pub(super) told: u64,
    /// What is said about arrays here, if they are not abstracted.
    arrays: Option<ArrayTerms>,
    /// The instances of array axioms that were put in.
    pub(super) axioms: FxHashSet<Vec<Term>>,
    /// What is compared here, if templates are tried.
    comparisons: Option<Comparisons>,
    /// The instances of axioms of order that were put in.
    pub(super) orders: FxHashSet<Vec<Term>>,
    /// What concrete operators are applied to here.
    pub(super) applications: Applications,
    /// Whether operators can become concrete.
    mixed: bool,
}

impl EdgeSolver {
    /// An edge with a solver that knows its guard.
    pub(super) fn new(
        arena: &mut Arena,
        automaton: &Automaton,
        id: EdgeId,
        settings: &Settings,
        observer: &mut dyn Observer,
        budget: &Budget,
    ) -> Result<Self, Interrupt> {
        let transition = Transition::new(arena, automaton, id, budget)?;
        let euf = if settings.templates { Euf::computing() } else { Euf::new() };
        let mut euf = observer.solver(Box::new(euf));
        euf.assert(arena, transition.encoding.guard);
        let edge = automaton.edge(id);
        let guard = transition.encoding.guard;
        let mut solver = EdgeSolver {
            is_loop: edge.source == edge.target,
            inputs: Inputs::new(&transition),
            transition,
            frame: FrameSolver::new(euf),
            said: Vec::new(),
            looked_at: 0,
            told: 0,
            arrays: (!settings.arrays).then(ArrayTerms::default),
            axioms: FxHashSet::default(),
            comparisons: settings.templates.then(Comparisons::default),
            orders: FxHashSet::default(),
            applications: Applications::default(),
            mixed: settings.concrete.is_some(),
        };
        solver.note(arena, guard);
        Ok(solver)
    }

    /// Takes note of a formula that questions are about from now on.
    fn note(&mut self, arena: &Arena, formula: Term) {
        if let Some(arrays) = &mut self.arrays {
            arrays.add(arena, formula);
        }
        if let Some(comparisons) = &mut self.comparisons {
            comparisons.add(arena, formula);
        }
        if self.mixed {
            self.applications.add(arena, formula);
        }
    }

    /// Adds a lemma of the source at a level.
    pub(super) fn add_lemma(&mut self, arena: &Arena, level: Level, clause: Term) {
        self.note(arena, clause);
        self.frame.add_lemma(arena, level, clause);
    }

    /// Asserts a clause that holds of all values where this edge is taken.
    pub(super) fn assert_clause(&mut self, arena: &mut Arena, clause: &[Term]) {
        clause.iter().for_each(|&literal| self.note(arena, literal));
        self.frame.solver.assert_clause(arena, clause);
    }

    /// Is the cube reachable over the edge, with all lemmas that there are?
    pub(super) fn reachable(
        &mut self,
        arena: &mut Arena,
        lemmas: &Lemmas,
        below: Level,
        cube: &Cube,
        budget: &Budget,
    ) -> Result<Reachability, Reason> {
        let preconditions = self.transition.preconditions(arena, cube);
        let outside = self.is_loop.then_some(cube);
        preconditions.iter().for_each(|&formula| self.note(arena, formula));
        loop {
            let answer = self.frame.reachable(arena, below, outside, cube, &preconditions, budget)?;
            if answer != Reachability::Reachable || !self.learns(arena, lemmas, budget) {
                return Ok(answer);
            }
        }
    }

    /// Can the edge be taken from the frame, with all lemmas that there are?
    pub(super) fn is_open(
        &mut self,
        arena: &mut Arena,
        lemmas: &Lemmas,
        level: Level,
        budget: &Budget,
    ) -> Result<bool, Reason> {
        while self.frame.meets(arena, level, &[], budget)? {
            if !self.learns(arena, lemmas, budget) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Can these literals hold before the edge, with all lemmas that there are? The solver then has a model.
    pub(super) fn has_model(
        &mut self,
        arena: &mut Arena,
        lemmas: &Lemmas,
        literals: &[Term],
        budget: &Budget,
    ) -> Result<bool, Reason> {
        literals.iter().for_each(|&literal| self.note(arena, literal));
        loop {
            match self.frame.solver.check(arena, &[], literals, budget) {
                Answer::Sat if self.learns(arena, lemmas, budget) => {}
                Answer::Sat => return Ok(true),
                Answer::Unsat => return Ok(false),
                Answer::Unknown(reason) => return Err(reason),
            }
        }
    }

    /// Puts in what is known and the model violates; whether there is anything.
    fn learns(&mut self, arena: &mut Arena, lemmas: &Lemmas, budget: &Budget) -> bool {
        self.tell_violated(arena, lemmas)
            || self.tell_axioms(arena)
            || self.tell_orders(arena)
            || self.tell_concrete(arena, lemmas, budget)
    }

    /// Puts in what bits say of concrete operators and the model violates; whether there is anything.
    fn tell_concrete(&mut self, arena: &mut Arena, lemmas: &Lemmas, budget: &Budget) -> bool {
        if lemmas.concrete.len() == 0 {
            return false;
        }
        let Some(mut partition) = self.frame.solver.partition() else { return false };
        let violated = self.applications.violated(arena, &lemmas.concrete, &mut partition, budget);
        let Some(clause) = violated else { return false };
        self.assert_clause(arena, &clause);
        true
    }

    /// Puts in the lemmas that the model violates; whether there are any.
    fn tell_violated(&mut self, arena: &mut Arena, lemmas: &Lemmas) -> bool {
        for clause in &lemmas.shared[self.looked_at..] {
            let behind: Vec<Term> =
                clause.iter().map(|&literal| self.transition.before(arena, literal)).collect();
            if behind != *clause {
                self.said.push(Said { clause: behind, is_told: false });
            }
            self.said.push(Said { clause: clause.clone(), is_told: false });
        }
        self.looked_at = lemmas.shared.len();
        let Some(mut partition) = self.frame.solver.partition() else { return false };
        let mut violated: Vec<usize> = Vec::new();
        for (index, said) in self.said.iter().enumerate().filter(|(_, said)| !said.is_told) {
            if said.clause.iter().all(|&literal| partition.holds(arena, literal) == Some(false)) {
                violated.push(index);
            }
        }
        for &index in &violated {
            self.said[index].is_told = true;
            let clause = self.said[index].clause.clone();
            self.assert_clause(arena, &clause);
        }
        self.told += violated.len() as u64;
        !violated.is_empty()
    }

    /// Puts in the instances of array axioms that the model violates; whether there are any.
    fn tell_axioms(&mut self, arena: &mut Arena) -> bool {
        let (Some(arrays), Some(mut partition)) = (&self.arrays, self.frame.solver.partition()) else {
            return false;
        };
        let mut violated = arrays.violated(arena, &mut partition);
        violated.retain(|clause| self.axioms.insert(clause.clone()));
        violated.iter().for_each(|clause| self.assert_clause(arena, clause));
        !violated.is_empty()
    }

    /// Puts in the instances of axioms of order that the model violates; whether there are any.
    fn tell_orders(&mut self, arena: &mut Arena) -> bool {
        let (Some(comparisons), Some(mut partition)) = (&self.comparisons, self.frame.solver.partition())
        else {
            return false;
        };
        if self.orders.len() >= ORDERS {
            return false;
        }
        let mut violated = comparisons.violated(arena, &mut partition);
        violated.retain(|clause| self.orders.insert(clause.clone()));
        violated.iter().for_each(|clause| self.assert_clause(arena, clause));
        !violated.is_empty()
    }
}
