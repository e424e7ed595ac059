//! The solver: the contract of `nilas-smt` on the search.
//!
//! Assertions are recorded when they are made and decomposed when a check needs them. Activations are columns
//! that clauses stand under; a check assumes those it names, then its assumptions one at a time. Only what
//! the formulas in force rest on takes part in a check. *Sat* leaves only with a model on which all formulas
//! in force evaluate to true.
//!
//! Formulas over mathematical integers and reals are none of the search's: they go to [`numbers`].
//!
//! Intervals say little about single bits and about long cancellations. So a check that takes more than
//! [`Options::patience`] contractions, or meets what is not supported (arrays, functions), is handed to the
//! embedded bit-blasting solver, unless [`Options::hand_over`] is off; counters tell how often.

mod rotation;

use crate::boxes::float::{bit_vector, value};
use crate::boxes::interval::{Interval, Rank};
use crate::decompose::{Cone, Decomposition, Unsupported, View};
use crate::numbers::{self, Found};
use crate::proof::{Proof, Teller};
use crate::search::{Bound, Column, Search, Verdict};
use nilas_smt::sat::SatStats;
use nilas_smt::{Activation, Answer, Budget, Embedded, Reason, Solver, SolverStats};
use nilas_term::{Arena, Evaluator, FloatValue, Model, Op, RoundingMode, Term, Value};
pub use rotation::{Analysis, Asked, Refutation};
use std::collections::BTreeMap;

/// How to solve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Whether hard and unsupported checks go to the bit-blasting solver.
    pub hand_over: bool,
    /// Contractions of one check before it is handed over, or a proof is given up.
    pub patience: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options { hand_over: true, patience: 200_000 }
    }
}

/// Terms asserted together, for ever or under one activation.
#[derive(Debug, Default)]
struct Group {
    terms: Vec<Term>,
    /// How many of them are clauses already.
    done: usize,
    column: Option<Column>,
}

/// Evaluations of terms about numbers that finding out whether an assumption is needed may take.
const SHORT: u64 = 5_000;

/// Who has the model of the last check.
enum Holder {
    Here(Box<Evaluator>),
    Blaster,
}

/// The solver `icp`, see the module's text.
pub struct Icp {
    options: Options,
    search: Search,
    decomposition: Decomposition,
    forever: Group,
    groups: BTreeMap<Activation, Group>,
    /// Knows everything that was asserted, and blasts nothing unless it is asked. Gives activations names.
    blaster: Embedded,
    failed: Vec<Term>,
    failed_activations: Vec<Activation>,
    found: Option<Holder>,
    stats: SolverStats,
    handed_over: u64,
    retired: u64,
}

impl Default for Icp {
    fn default() -> Self {
        Self::new(Options::default())
    }
}

/// Retired activations before what stood under them is dropped.
const RETIRED: u64 = 100;

impl Icp {
    /// A solver with nothing asserted.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Icp {
            options,
            search: Search::new(),
            decomposition: Decomposition::default(),
            forever: Group::default(),
            groups: BTreeMap::new(),
            blaster: Embedded::new(),
            failed: Vec::new(),
            failed_activations: Vec::new(),
            found: None,
            stats: SolverStats::default(),
            handed_over: 0,
            retired: 0,
        }
    }

    /// Makes clauses of what a group lacks; the column of its activation.
    fn flush(
        &mut self,
        arena: &Arena,
        activation: Option<Activation>,
    ) -> Result<Option<Column>, Unsupported> {
        let group = match activation {
            None => &mut self.forever,
            Some(activation) => match self.groups.get_mut(&activation) {
                Some(group) => group,
                None => return Ok(None),
            },
        };
        if activation.is_some() && group.column.is_none() {
            group.column = Some(self.search.column(Interval::BOOLEAN));
        }
        let under = group.column.map(|column| Bound::at_most(column, 0));
        while let Some(&term) = group.terms.get(group.done) {
            // Conjunctions are several assertions, disjunctions are clauses.
            let mut stack = vec![term];
            while let Some(term) = stack.pop() {
                if arena.op(term) == Op::And {
                    stack.extend_from_slice(arena.children(term));
                    continue;
                }
                let parts = if arena.op(term) == Op::Or { arena.children(term) } else { &[term] };
                let mut clause: Vec<Bound> = under.into_iter().collect();
                for &part in parts {
                    clause.push(self.decomposition.literal(&mut self.search, arena, part)?);
                }
                self.search.add_clause(&clause);
            }
            group.done += 1;
        }
        Ok(group.column)
    }

    /// The bounds to solve under: activations first, then assumptions.
    fn prepare(
        &mut self,
        arena: &Arena,
        activations: &[Activation],
        assumptions: &[Term],
    ) -> Result<Vec<Bound>, Unsupported> {
        self.search.reset();
        self.flush(arena, None)?;
        let mut bounds = Vec::with_capacity(activations.len() + assumptions.len());
        for &activation in activations {
            let column = self.flush(arena, Some(activation))?;
            bounds.extend(column.map(|column| Bound::at_least(column, 1)));
        }
        for &assumption in assumptions {
            bounds.push(self.decomposition.literal(&mut self.search, arena, assumption)?);
        }
        Ok(bounds)
    }

    /// The formulas in force.
    fn roots(&self, activations: &[Activation], assumptions: &[Term]) -> Vec<Term> {
        let mut roots = assumptions.to_vec();
        for activation in activations {
            roots.extend(self.groups.get(activation).into_iter().flat_map(|group| &group.terms));
        }
        roots.extend_from_slice(&self.forever.terms);
        roots
    }

    /// The answer about formulas that are none of the search's: about integers and reals, or nobody's here.
    fn beyond(
        &mut self,
        arena: &Arena,
        activations: &[Activation],
        assumptions: &[Term],
        budget: &Budget,
        Unsupported(mut why): Unsupported,
    ) -> Answer {
        self.search.reset();
        let patience = self.options.hand_over.then_some(self.options.patience);
        match numbers::solve(arena, &self.roots(activations, assumptions), budget, patience) {
            Ok(Found::Model(evaluator)) => {
                self.found = Some(Holder::Here(evaluator));
                return Answer::Sat;
            }
            Ok(Found::Unsat) => {
                self.failed_activations.extend_from_slice(activations);
                self.failed = self.needed(arena, activations, assumptions, budget);
                return Answer::Unsat;
            }
            Ok(Found::Unknown(numbers::Why::Interrupted(why))) => {
                return Answer::Unknown(Reason::Interrupted(why));
            }
            Ok(Found::Unknown(numbers::Why::Open(open))) => why = open,
            Err(_) => {}
        }
        if !self.options.hand_over {
            return Answer::Unknown(Reason::Unsupported(why));
        }
        self.hand_over(arena, activations, assumptions, budget)
    }

    /// Assumptions about numbers without which there may be a model, as far as a short look tells.
    fn needed(
        &self,
        arena: &Arena,
        activations: &[Activation],
        assumptions: &[Term],
        budget: &Budget,
    ) -> Vec<Term> {
        let mut needed = assumptions.to_vec();
        for &assumption in assumptions {
            let others: Vec<Term> = needed.iter().copied().filter(|&it| it != assumption).collect();
            let roots = self.roots(activations, &others);
            if matches!(numbers::solve(arena, &roots, budget, Some(SHORT)), Ok(Found::Unsat)) {
                needed = others;
            }
        }
        needed
    }

    fn hand_over(
        &mut self,
        arena: &Arena,
        activations: &[Activation],
        assumptions: &[Term],
        budget: &Budget,
    ) -> Answer {
        self.handed_over += 1;
        let answer = self.blaster.check(arena, activations, assumptions, budget);
        match answer {
            Answer::Sat => self.found = Some(Holder::Blaster),
            Answer::Unsat => {
                self.failed.extend_from_slice(self.blaster.failed());
                self.failed_activations.extend_from_slice(self.blaster.failed_activations());
            }
            Answer::Unknown(_) => {}
        }
        answer
    }

    fn answer(
        &mut self,
        arena: &Arena,
        activations: &[Activation],
        assumptions: &[Term],
        budget: &Budget,
    ) -> Answer {
        if let Err(reason) = self.ready(activations, budget) {
            return Answer::Unknown(reason);
        }
        let bounds = match self.prepare(arena, activations, assumptions) {
            Ok(bounds) => bounds,
            Err(why) => return self.beyond(arena, activations, assumptions, budget, why),
        };
        match self.search(arena, activations, assumptions, &[], &bounds, budget) {
            Verdict::Sat => self.sat(),
            Verdict::Unsat(failure) => {
                self.search.reset();
                let blamed = |bound: Bound| failure.assumptions.iter().any(|&at| bounds[at] == bound);
                // Of several that mean the same the first is named.
                let mut named: Vec<Bound> = Vec::new();
                for (&bound, place) in bounds.iter().zip(0..) {
                    if !blamed(bound) || named.contains(&bound) {
                        continue;
                    }
                    named.push(bound);
                    match activations.get(place) {
                        Some(&activation) => self.failed_activations.push(activation),
                        None => self.failed.push(assumptions[place - activations.len()]),
                    }
                }
                Answer::Unsat
            }
            Verdict::Unknown(why) => Answer::Unknown(Reason::Interrupted(why)),
            Verdict::Impatient => self.hand_over(arena, activations, assumptions, budget),
        }
    }

    /// Whether there is anything to be asked.
    fn ready(&self, activations: &[Activation], budget: &Budget) -> Result<(), Reason> {
        if let Some(why) = budget.exhausted() {
            return Err(Reason::Interrupted(why));
        }
        if activations.iter().any(|activation| !self.groups.contains_key(activation)) {
            return Err(Reason::Failed("a retired activation is named".to_owned()));
        }
        Ok(())
    }

    /// Searches for a model of the formulas in force under bounds, which are about `bounded` terms, too, and
    /// keeps the one that it finds.
    fn search(
        &mut self,
        arena: &Arena,
        activations: &[Activation],
        assumptions: &[Term],
        bounded: &[Term],
        bounds: &[Bound],
        budget: &Budget,
    ) -> Verdict {
        let roots = self.roots(activations, assumptions);
        let cone = self.decomposition.cone(arena, &[&roots, bounded].concat());
        self.search.begin(&cone.booleans, &cone.inputs, &cone.constraints);
        let limited = self.options.hand_over || self.search.log.is_some();
        let patience = limited.then_some(self.options.patience);
        let decomposition = &self.decomposition;
        let mut candidate = None;
        let mut looks = 0u32;
        let mut accept = |search: &Search| {
            looks += 1;
            let model = model(search, decomposition, &cone, Pick::ALL[looks as usize % Pick::ALL.len()]);
            candidate = satisfying(arena, model, &roots);
            candidate.is_some()
        };
        let verdict = self.search.solve(bounds, budget, patience, &mut accept);
        if verdict == Verdict::Sat {
            let found = candidate.or_else(|| {
                satisfying(arena, model(&self.search, &self.decomposition, &cone, Pick::Least), &roots)
            });
            self.found = found.map(Holder::Here);
        }
        verdict
    }

    /// Asserts a formula if it is supported.
    pub(crate) fn assert_supported(&mut self, arena: &Arena, formula: Term) {
        if self.decomposition.literal(&mut self.search, arena, formula).is_ok() {
            self.forever.terms.push(formula);
        }
    }

    /// Looks for a model of what was asserted, and keeps what is learnt.
    pub(crate) fn refute_logged(&mut self, arena: &Arena, budget: &Budget) -> Verdict {
        self.search.log = Some(Vec::new());
        match self.prepare(arena, &[], &[]) {
            Ok(bounds) => self.search(arena, &[], &[], &[], &bounds, budget),
            Err(Unsupported(_)) => Verdict::Impatient,
        }
    }

    /// What was learnt, as bounds of terms.
    pub(crate) fn proof(&self) -> Proof {
        let teller = Teller::new(&self.decomposition);
        let mut proof = Proof::default();
        for clause in self.search.log.iter().flatten() {
            match teller.clause(clause) {
                Some(clause) => proof.clauses.push(clause),
                None => proof.untold += 1,
            }
        }
        proof
    }

    /// The answer after the search has found a model.
    fn sat(&mut self) -> Answer {
        self.search.reset();
        match self.found {
            Some(_) => Answer::Sat,
            None => Answer::Unknown(Reason::Failed("a model does not evaluate to true".to_owned())),
        }
    }
}

/// Which point of a box to look at.
#[derive(Clone, Copy, Debug)]
enum Pick {
    Last,
    Least,
    Greatest,
    Middle,
}

impl Pick {
    const ALL: [Pick; 4] = [Pick::Middle, Pick::Last, Pick::Least, Pick::Greatest];

    fn of(self, search: &Search, column: Column) -> Rank {
        let range = search.range(column);
        match self {
            Pick::Last => search.candidate(column),
            Pick::Least => range.lo,
            Pick::Greatest => range.hi,
            Pick::Middle => range.middle(),
        }
    }
}

/// A point of the present box as a model.
fn model(search: &Search, decomposition: &Decomposition, cone: &Cone, pick: Pick) -> Model {
    let mut model = Model::new();
    for &variable in &cone.variables {
        let value = match decomposition.known(variable) {
            Some(View::Bool(bound)) => {
                Value::Bool(bound.holds(Interval::point(pick.of(search, bound.column))))
            }
            Some(View::Bits { unsigned, width, .. }) => {
                Value::BitVec(bit_vector(width, pick.of(search, unsigned).cast_unsigned()))
            }
            Some(View::Float { rank, nan, format }) => Value::Float(if search.range(nan).lo == 1 {
                FloatValue::nan(format)
            } else {
                value(format, pick.of(search, rank))
            }),
            Some(View::Mode(column)) => {
                let place = usize::try_from(pick.of(search, column)).unwrap_or_default();
                Value::RoundingMode(RoundingMode::ALL[place.min(4)])
            }
            None => continue,
        };
        model.set(variable, value);
    }
    model
}

/// The model as an evaluator, if all terms are true in it.
fn satisfying(arena: &Arena, model: Model, roots: &[Term]) -> Option<Box<Evaluator>> {
    let mut evaluator = Box::new(Evaluator::new(model).with_defaults());
    roots.iter().all(|&term| evaluator.holds(arena, term) == Ok(true)).then_some(evaluator)
}

impl Solver for Icp {
    fn assert(&mut self, arena: &Arena, term: Term) {
        self.forever.terms.push(term);
        self.blaster.assert(arena, term);
    }

    fn activation(&mut self) -> Activation {
        let activation = self.blaster.activation();
        self.groups.insert(activation, Group::default());
        activation
    }

    fn assert_under(&mut self, arena: &Arena, activation: Activation, term: Term) {
        if let Some(group) = self.groups.get_mut(&activation) {
            group.terms.push(term);
            self.blaster.assert_under(arena, activation, term);
        }
    }

    fn retire(&mut self, activation: Activation) {
        let Some(group) = self.groups.remove(&activation) else { return };
        self.blaster.retire(activation);
        if let Some(column) = group.column {
            self.search.reset();
            self.search.add_clause(&[Bound::at_most(column, 0)]);
            self.retired += 1;
            if self.retired.is_multiple_of(RETIRED) {
                self.search.tidy();
            }
        }
    }

    fn check(
        &mut self,
        arena: &Arena,
        activations: &[Activation],
        assumptions: &[Term],
        budget: &Budget,
    ) -> Answer {
        self.stats.checks += 1;
        self.failed.clear();
        self.failed_activations.clear();
        self.found = None;
        let answer = self.answer(arena, activations, assumptions, budget);
        match answer {
            Answer::Sat => self.stats.sat += 1,
            Answer::Unsat => self.stats.unsat += 1,
            Answer::Unknown(_) => self.search.reset(),
        }
        answer
    }

    fn failed(&self) -> &[Term] {
        &self.failed
    }

    fn failed_activations(&self) -> &[Activation] {
        &self.failed_activations
    }

    fn value(&mut self, arena: &Arena, term: Term) -> Result<Value, Reason> {
        match &mut self.found {
            Some(Holder::Here(evaluator)) => {
                evaluator.eval(arena, term).map_err(|error| Reason::Unsupported(error.to_string()))
            }
            Some(Holder::Blaster) => self.blaster.value(arena, term),
            None => Err(Reason::Failed("there is no model: the last answer was not sat".to_owned())),
        }
    }

    fn stats(&self) -> SolverStats {
        let (variables, clauses) = self.search.size();
        SolverStats {
            variables,
            clauses,
            sat_solver: SatStats {
                calls: self.stats.checks,
                conflicts: self.search.counters.conflicts,
                decisions: self.search.counters.decisions,
                propagations: self.search.propagations + self.search.contractions,
                handed_over: self.handed_over,
            },
            ..self.stats
        }
    }
}
