//! The embedded solver: Booleans, bit-vectors and floats, blasted onto a SAT solver.
//!
//! Assertions are only recorded when they are made. A check blasts what it needs (everything asserted
//! for ever, everything under the activations it names, its assumptions) under its own budget, and
//! leaves the rest alone: an unsupported term under an activation that nobody names does no harm, one in
//! force makes the answer unknown.
//!
//! Nothing but a check touches the SAT solver, so the model of a `Sat` answer can be read until the next
//! check, whatever is asserted or retired in between. Values are read from the SAT model variable by variable
//! on demand; terms are evaluated from those, never read off gates.
//!
//! What was retired is reclaimed: when garbage outweighs what is alive, the SAT instance is dropped and
//! what is alive is blasted anew, as checks come to need it.

pub(crate) mod clausify;
mod garbage;
mod model;

use crate::blast::{Blaster, Obstacle};
use crate::budget::{Budget, Holdings};
#[cfg(feature = "cadical")]
use crate::sat::Cadical;
use crate::sat::{Batsat, Cdcl, Hard, Lit, SatAnswer, SatSolver, SatStats, Var};
use crate::solver::{Activation, Answer, Reason, Solver, SolverStats};
use clausify::Clausifier;
use garbage::{Garbage, Size};
use model::LazyModel;
use nilas_term::{Arena, Term, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The SAT cores that an embedded solver can stand on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SatCore {
    /// Our own, made for streams of small queries.
    #[default]
    Cdcl,
    /// CaDiCaL, where it was not left out of the build.
    #[cfg(feature = "cadical")]
    Cadical,
    /// BatSat.
    Batsat,
}

impl SatCore {
    /// All of them.
    pub const ALL: &[SatCore] = &[
        SatCore::Cdcl,
        #[cfg(feature = "cadical")]
        SatCore::Cadical,
        SatCore::Batsat,
    ];

    /// Their names.
    pub const NAMES: &[&str] = &[
        "cdcl",
        #[cfg(feature = "cadical")]
        "cadical",
        "batsat",
    ];

    /// That of [`Hard`].
    #[cfg(feature = "cadical")]
    pub const HARD: SatCore = SatCore::Cadical;
    /// That of [`Hard`].
    #[cfg(not(feature = "cadical"))]
    pub const HARD: SatCore = SatCore::Batsat;

    /// An embedded solver on this core, with nothing asserted.
    #[must_use]
    pub fn solver(self) -> Box<dyn Solver> {
        match self {
            SatCore::Cdcl => Box::new(Embedded::<Cdcl>::new()),
            #[cfg(feature = "cadical")]
            SatCore::Cadical => Box::new(Embedded::<Cadical>::new()),
            SatCore::Batsat => Box::new(Embedded::<Batsat>::new()),
        }
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            SatCore::Cdcl => "cdcl",
            #[cfg(feature = "cadical")]
            SatCore::Cadical => "cadical",
            SatCore::Batsat => "batsat",
        }
    }
}

/// Terms asserted together, for ever or under one activation.
#[derive(Default)]
struct Group {
    terms: Vec<Term>,
    /// How many of them the SAT solver has.
    done: usize,
    /// The activation variable, once the SAT solver has one.
    var: Option<Var>,
    /// What blasting these terms made.
    size: Size,
    /// How many of those clauses stand under the activation; the others define gates.
    constraints: u64,
}

/// The embedded solver, see the module's text.
pub struct Embedded<S = Cdcl> {
    /// Makes a SAT solver without clauses.
    make: Arc<dyn Fn() -> S + Send + Sync>,
    blaster: Blaster<S>,
    clausifier: Clausifier,
    forever: Group,
    groups: BTreeMap<Activation, Group>,
    next_activation: u32,
    /// Activation variables whose retirement the SAT solver has not been told.
    retired: Vec<Var>,
    garbage: Garbage,
    failed: Vec<Term>,
    failed_activations: Vec<Activation>,
    model: Option<LazyModel>,
    stats: SolverStats,
    /// Counters of SAT instances that were dropped.
    before: SatStats,
    lits: Vec<Lit>,
    held: Held,
}

/// What a solver told a budget that it holds.
#[derive(Default)]
struct Held {
    holdings: Holdings,
    size: u64,
}

impl Held {
    fn tell(&mut self, budget: &Budget, size: Size, terms: usize) {
        let size = size.variables + size.clauses;
        if self.size == 0 {
            self.holdings = budget.holdings.clone();
        }
        self.holdings.changed(self.size, size, terms);
        self.size = size;
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.holdings.changed(self.size, 0, 0);
    }
}

impl<S: SatSolver + Default + 'static> Default for Embedded<S> {
    fn default() -> Self {
        Self::new()
    }
}

impl Embedded<Hard> {
    /// A solver with nothing asserted, for hard single questions.
    #[must_use]
    pub fn hard() -> Self {
        Self::new()
    }
}

impl<S: SatSolver + Default + 'static> Embedded<S> {
    /// A solver with nothing asserted.
    #[must_use]
    pub fn new() -> Self {
        Self::on(S::default)
    }
}

impl<S: SatSolver> Embedded<S> {
    /// A solver with nothing asserted, on SAT solvers that are made so.
    #[must_use]
    pub fn on(make: impl Fn() -> S + Send + Sync + 'static) -> Self {
        Embedded {
            blaster: Blaster::new(make()),
            make: Arc::new(make),
            clausifier: Clausifier::default(),
            forever: Group::default(),
            groups: BTreeMap::new(),
            next_activation: 0,
            retired: Vec::new(),
            garbage: Garbage::default(),
            failed: Vec::new(),
            failed_activations: Vec::new(),
            model: None,
            stats: SolverStats::default(),
            before: SatStats::default(),
            lits: Vec::new(),
            held: Held::default(),
        }
    }

    fn size(&self) -> Size {
        let gates = &self.blaster.gates;
        Size { variables: gates.variables(), clauses: gates.clauses() }
    }

    /// Drops the SAT instance when garbage outweighs it. What is alive is blasted again when it is needed.
    fn reclaim(&mut self) {
        if !self.garbage.outweighs(self.size()) {
            return;
        }
        self.before = self.sat_stats();
        self.blaster = Blaster::new((self.make)());
        for group in self.groups.values_mut().chain([&mut self.forever]) {
            group.done = 0;
            group.var = None;
            group.size = Size::default();
            group.constraints = 0;
        }
        self.retired.clear();
        self.garbage = Garbage::default();
        self.stats.rebuilds += 1;
    }

    fn sat_stats(&self) -> SatStats {
        let (now, before) = (self.blaster.gates.sat.stats(), self.before);
        SatStats {
            calls: before.calls + now.calls,
            conflicts: before.conflicts + now.conflicts,
            decisions: before.decisions + now.decisions,
            propagations: before.propagations + now.propagations,
            handed_over: before.handed_over + now.handed_over,
        }
    }

    /// Gives the SAT solver what it lacks of a group: all assertions for ever, or those under an activation.
    fn flush(&mut self, arena: &Arena, activation: Option<Activation>) -> Result<Option<Var>, Obstacle> {
        let (before, constraints) = (self.size(), self.blaster.gates.constraints());
        let group = match activation {
            None => &mut self.forever,
            Some(activation) => match self.groups.get_mut(&activation) {
                Some(group) => group,
                // Refused by `check` before anything is done.
                None => return Ok(None),
            },
        };
        if activation.is_some() && group.var.is_none() {
            group.var = Some(self.blaster.gates.activation());
        }
        let mut result = Ok(group.var);
        while let Some(&term) = group.terms.get(group.done) {
            match self.clausifier.assert(&mut self.blaster, arena, group.var, term) {
                Ok(()) => group.done += 1,
                Err(obstacle) => {
                    result = Err(obstacle);
                    break;
                }
            }
        }
        let gates = &self.blaster.gates;
        group.size += Size { variables: gates.variables(), clauses: gates.clauses() } - before;
        group.constraints += gates.constraints() - constraints;
        result
    }

    /// The literals to solve under: activations first, then assumptions.
    fn prepare(
        &mut self,
        arena: &Arena,
        activations: &[Activation],
        assumptions: &[Term],
    ) -> Result<(), Obstacle> {
        self.flush(arena, None)?;
        self.lits.clear();
        for &activation in activations {
            if let Some(var) = self.flush(arena, Some(activation))? {
                self.lits.push(var.lit());
            }
        }
        let before = self.size();
        for &assumption in assumptions {
            let lit = self.blaster.literal(arena, assumption)?;
            self.lits.push(lit);
        }
        self.garbage.loose += self.size() - before;
        Ok(())
    }

    fn read_core(&mut self, activations: &[Activation], assumptions: &[Term]) {
        let mut core: Vec<Lit> = self.blaster.gates.sat.core().to_vec();
        core.sort_unstable();
        core.dedup();
        // Each literal is taken out with the first activation or assumption that it stands for.
        let mut take = |lit: Lit| match core.binary_search(&lit) {
            Ok(found) => {
                core.remove(found);
                true
            }
            Err(_) => false,
        };
        let (first, rest) = self.lits.split_at(activations.len());
        for (&activation, &lit) in activations.iter().zip(first) {
            if take(lit) {
                self.failed_activations.push(activation);
            }
        }
        for (&assumption, &lit) in assumptions.iter().zip(rest) {
            if take(lit) {
                self.failed.push(assumption);
            }
        }
    }
}

impl<S: SatSolver> Solver for Embedded<S> {
    fn assert(&mut self, _arena: &Arena, term: Term) {
        self.forever.terms.push(term);
    }

    fn activation(&mut self) -> Activation {
        let activation = Activation(self.next_activation);
        self.next_activation += 1;
        self.groups.insert(activation, Group::default());
        activation
    }

    fn assert_under(&mut self, _arena: &Arena, activation: Activation, term: Term) {
        if let Some(group) = self.groups.get_mut(&activation) {
            group.terms.push(term);
        }
    }

    fn retire(&mut self, activation: Activation) {
        let Some(group) = self.groups.remove(&activation) else { return };
        let Some(var) = group.var else { return };
        self.retired.push(var);
        let gates = &mut self.blaster.gates;
        if gates.sat.reclaims_activations() {
            gates.reclaimed(group.constraints);
            self.garbage.retired += group.size - Size { variables: 1, clauses: group.constraints };
        } else {
            self.garbage.retired += group.size;
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
        self.model = None;
        self.reclaim();
        for var in self.retired.drain(..) {
            self.blaster.gates.sat.retire(var);
        }
        if let Some(why) = budget.exhausted() {
            return Answer::Unknown(Reason::Interrupted(why));
        }
        if activations.iter().any(|activation| !self.groups.contains_key(activation)) {
            return Answer::Unknown(Reason::Failed("a retired activation is named".to_owned()));
        }
        self.blaster.gates.set_budget(budget);
        match self.prepare(arena, activations, assumptions) {
            Ok(()) => {}
            Err(Obstacle::Interrupted(why)) => return Answer::Unknown(Reason::Interrupted(why)),
            Err(Obstacle::Unsupported(what)) => {
                return Answer::Unknown(Reason::Unsupported(what.to_string()));
            }
        }
        self.held.tell(budget, self.size(), arena.len());
        loop {
            let answer = self.blaster.gates.sat.solve(&self.lits, budget);
            if let Some(why) = self.blaster.gates.sat.rejected() {
                return Answer::Unknown(Reason::Failed(format!("a proof was rejected: {why}")));
            }
            match answer {
                SatAnswer::Sat => {}
                SatAnswer::Unsat => {
                    self.stats.unsat += 1;
                    self.read_core(activations, assumptions);
                    return Answer::Unsat;
                }
                SatAnswer::Unknown(why) => return Answer::Unknown(Reason::Interrupted(why)),
            }
            // Lemmas on demand: what the model violates of arrays and functions is told, and asked again.
            match self.blaster.refine(arena) {
                Ok(true) => self.stats.refinements += 1,
                Ok(false) => {
                    let mut model = LazyModel::default();
                    match model.difference(&self.blaster, arena) {
                        Ok(None) => {
                            self.stats.sat += 1;
                            self.model = Some(model);
                            return Answer::Sat;
                        }
                        // Arrays that should be equal differ where nobody has looked yet.
                        Ok(Some((sort, index))) if self.blaster.add_index(&sort, &index) => {}
                        Ok(Some(_)) => {
                            return Answer::Unknown(Reason::Failed(
                                "equal arrays differ in the model".to_owned(),
                            ));
                        }
                        Err(reason) => return Answer::Unknown(reason),
                    }
                }
                Err(why) => return Answer::Unknown(Reason::Interrupted(why)),
            }
        }
    }

    fn failed(&self) -> &[Term] {
        &self.failed
    }

    fn failed_activations(&self) -> &[Activation] {
        &self.failed_activations
    }

    fn value(&mut self, arena: &Arena, term: Term) -> Result<Value, Reason> {
        match &mut self.model {
            Some(model) => model.value(&self.blaster, arena, term),
            None => Err(Reason::Failed("there is no model: the last answer was not sat".to_owned())),
        }
    }

    fn stats(&self) -> SolverStats {
        SolverStats {
            variables: self.blaster.gates.variables(),
            clauses: self.blaster.gates.clauses(),
            sat_solver: self.sat_stats(),
            ..self.stats
        }
    }
}
