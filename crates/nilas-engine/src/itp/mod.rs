//! Interpolation-based model checking (McMillan, *Interpolation and SAT-Based Model Checking*, CAV 2003), on
//! automata.
//!
//! `R` is a set of states, at first where executions begin. If no sink can be reached from `R` in `k` steps,
//! the interpolant between the first step and the others ([`image`]) is a set of states that contains what is
//! behind the first step, and from which no sink can be reached in `k - 1` steps. It is added to `R`, until
//! nothing new comes: then `R` is inductive. Where a sink *can* be reached from a larger `R`, that may be due
//! to the interpolants: it is begun anew with a larger `k`. BMC goes ahead by as many steps as `k`, so what
//! can be reached from the beginning is found there.
//!
//! Deviations from the paper: a state has a location, and `R` is a formula for each of them; the formula of
//! the image has it as a variable. Where no interpolant is found within the limits of interpolation, `k`
//! grows, too.
//!
//! *Exchange*: invariants of others that could be shown hold in `R` and behind the first step, and are part
//! of the evidence. Interpolants are published.

mod image;

use crate::bmc::{self, Bmc, Reasoning};
use crate::engine::{Context, Engine, Kind, Own, Prepared, Setting};
use crate::exchange::{Fact, Port};
use crate::observer::{Counters, Observer, Work};
use crate::outcome::{Outcome, Proof, Unknown, invariant};
use crate::relevant::Relevant;
use image::{Image, Images};
use nilas_evidence::Invariant;
use nilas_program::{LocationId, Program};
use nilas_smt::{Answer, Budget, Embedded, Interrupt, SatCore, Solver};
use nilas_term::{Arena, Importer, Term};
use std::collections::BTreeMap;

/// What can be set.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    /// Stop after so many layers, if set.
    pub max_depth: Option<u64>,
    /// The SAT core of the solver of BMC.
    pub core: Option<SatCore>,
}

/// A formula for each location: a set of states.
type Region = BTreeMap<LocationId, Term>;

/// The state of a run.
struct Itp<'a> {
    program: &'a Program,
    budget: &'a Budget,
    relevant: Relevant,
    /// What can be reached from the beginning.
    base: Bmc<'a>,
    images: Images<'a>,
    /// What is known to hold at each location.
    invariants: BTreeMap<LocationId, Vec<Term>>,
    importer: Importer,
    statistics: Statistics,
}

#[derive(Clone, Copy, Debug, Default)]
struct Statistics {
    interpolants: u64,
    restarts: u64,
    not_found: u64,
    checks: u64,
}

/// Runs interpolation-based model checking on an automaton.
pub fn itp(
    program: &Program,
    settings: Settings,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> (Outcome, Counters) {
    itp_beside(program, settings, budget, observer, &mut Port::closed())
}

/// The same beside other engines.
fn itp_beside(
    program: &Program,
    settings: Settings,
    budget: &Budget,
    observer: &mut dyn Observer,
    port: &mut Port,
) -> (Outcome, Counters) {
    let mut engine = match Itp::new(program, settings, budget, observer) {
        Ok(engine) => engine,
        Err(why) => return Outcome::before_work(why),
    };
    let outcome = engine.prove(observer, port).unwrap_or_else(Outcome::Unknown);
    (outcome, engine.counters())
}

impl<'a> Itp<'a> {
    fn new(
        program: &'a Program,
        settings: Settings,
        budget: &'a Budget,
        observer: &mut dyn Observer,
    ) -> Result<Self, Interrupt> {
        let relevant = Relevant::new(&program.automaton);
        let limits =
            bmc::Settings { max_depth: settings.max_depth, reasoning: Reasoning::Bits(settings.core) };
        let base = Bmc::new("itp", program, limits, budget, observer)?;
        let images = Images::new(program, &relevant, budget)?;
        let (invariants, importer) = (BTreeMap::new(), Importer::new());
        let statistics = Statistics::default();
        Ok(Itp { program, budget, relevant, base, images, invariants, importer, statistics })
    }

    /// Larger and larger `k`, until there is an answer.
    fn prove(&mut self, observer: &mut dyn Observer, port: &mut Port) -> Result<Outcome, Unknown> {
        loop {
            let outcome = match self.base.advance(observer, port)? {
                None => self.base.catch_up()?,
                outcome => outcome,
            };
            if let Some(outcome) = outcome {
                return Ok(outcome);
            }
            self.take_facts(port)?;
            if let Some(region) = self.fixpoint(observer, port)? {
                self.base.sinks.none_was_reached(&self.program.automaton)?;
                for (&location, &formula) in &region {
                    observer.lemmas(location, self.images.arena(), &[formula]);
                }
                return Ok(Outcome::Safe(Proof::Invariant(self.invariant(&region)?)));
            }
            self.statistics.restarts += 1;
        }
    }

    fn take_facts(&mut self, port: &mut Port) -> Result<(), Unknown> {
        let new = self.base.take_facts(port)?;
        port.used(new.len());
        for (location, formula) in new {
            let own = self.importer.import(self.images.arena(), self.base.arena(), formula);
            let formula = own.map_err(|error| Unknown::Internal(error.to_string()))?;
            self.invariants.entry(location).or_default().push(formula);
        }
        Ok(())
    }

    /// Images of images from the beginning on, until nothing new comes; `None` if a sink comes too close.
    fn fixpoint(&mut self, observer: &mut dyn Observer, port: &mut Port) -> Result<Option<Region>, Unknown> {
        let k = self.base.depth();
        let targets = self.images.targets(self.base.sinks.left(), k - 1, &self.invariants)?;
        let all = self.images.arena().mk_true();
        let mut region = Region::from([(self.program.automaton.entry, all)]);
        loop {
            if let Some(why) = self.budget.exhausted() {
                return Err(Unknown::Interrupted(why));
            }
            let step = self.images.step(&region, &self.invariants)?;
            let image = match self.images.image(&step, targets, self.budget)? {
                Image::Contains(found) => found,
                Image::Close => return Ok(None),
                Image::NotFound => {
                    self.statistics.not_found += 1;
                    return Ok(None);
                }
            };
            self.statistics.interpolants += 1;
            let mut grown = false;
            for (location, formula) in image {
                observer.work(location, Work::Lemma);
                port.publish(self.images.arena(), &Fact::Lemma(location, formula));
                grown |= self.add(&mut region, location, formula)?;
            }
            observer.event(&|| format!("{k} steps: {} interpolants", self.statistics.interpolants));
            if !grown {
                return Ok(Some(region));
            }
        }
    }

    /// Adds states of a location; whether some of them are new.
    fn add(&mut self, region: &mut Region, location: LocationId, formula: Term) -> Result<bool, Unknown> {
        let arena = self.images.arena();
        let nothing = arena.mk_false();
        let known = region.get(&location).copied().unwrap_or(nothing);
        let outside = arena.not(known);
        let mut asked = vec![formula, outside];
        asked.extend(self.invariants.get(&location).into_iter().flatten());
        let mut solver: Embedded = Embedded::default();
        self.statistics.checks += 1;
        match solver.check(arena, &[], &asked, self.budget) {
            Answer::Unsat => Ok(false),
            Answer::Sat => {
                region.insert(location, arena.or(&[known, formula]));
                Ok(true)
            }
            Answer::Unknown(reason) => Err(reason.into()),
        }
    }

    /// The evidence: a region that is closed under steps.
    fn invariant(&mut self, region: &Region) -> Result<Invariant, Unknown> {
        let automaton = &self.program.automaton;
        let arena: &mut Arena = self.images.arena();
        let mut formulas = Vec::new();
        for location in automaton.location_ids().filter(|&location| !automaton.is_sink(location)) {
            let (nothing, all) = (arena.mk_false(), arena.mk_true());
            let mut here = vec![region.get(&location).copied().unwrap_or(nothing)];
            here.extend(self.invariants.get(&location).into_iter().flatten());
            let formula = if self.relevant.contains(location) { arena.and(&here) } else { all };
            formulas.push((location, formula));
        }
        invariant(arena, formulas)
    }

    fn counters(&self) -> Counters {
        let Statistics { interpolants, restarts, not_found, checks } = self.statistics;
        let mut counters = self.base.counters();
        counters.extend([
            ("interpolants", interpolants),
            ("restarts with more steps", restarts),
            ("images without interpolants", not_found),
        ]);
        *counters.entry("solver checks").or_default() += checks + self.images.checks;
        counters
    }
}

/// Interpolation-based model checking as an engine.
pub(crate) struct InterpolationBased;

impl Engine for InterpolationBased {
    fn name(&self) -> &'static str {
        "itp"
    }

    fn method(&self) -> &'static str {
        "asks a solver why the error is not reached within some steps, takes the reason (an interpolant) as a description of \
         the states behind the first step, and goes on from there until nothing new comes"
    }

    fn settings(&self) -> &'static [Setting] {
        const SETTINGS: [Setting; 1] = [Setting {
            key: "max-depth",
            kind: Kind::Number("a number of layers"),
            default: None,
            help: "stop after so many layers",
        }];
        &SETTINGS
    }

    fn run(&self, prepared: &Prepared, settings: &Own<'_>, context: &mut Context<'_>) -> (Outcome, Counters) {
        let settings = Settings { max_depth: settings.parsed("max-depth"), core: settings.sat_core() };
        let Context { budget, observer, exchange } = context;
        itp_beside(&prepared.program, settings, budget, *observer, exchange)
    }
}
