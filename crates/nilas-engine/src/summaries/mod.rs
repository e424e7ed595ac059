//! Summaries: IC3 over procedures, with recursion of any depth (GPDR, Hoder and Bjørner, SAT 2012; Spacer,
//! Komuravelli, Gurfinkel and Chaki, CAV 2014).
//!
//! An instance of the IC3 core ([`pdr`](crate::pdr)) on rules ([`rules`]), Horn clauses of any number of
//! premises. Those of a module ([`clauses`]) say what its procedures do and when they end in a sink. Frames
//! are what a procedure does at most, facts ([`facts`]) what it does at least; both are about the procedure
//! and serve all its calls. An obligation behind a call has two children, before the call and in the callee,
//! one after the other ([`preimage`]).
//!
//! Levels count how often loops and recursion go round ([`rounds`]), not steps: calls in a row cost no frames.
//!
//! What procedures do for some values is also guessed to be all they do ([`conjectures`]), and tried as
//! lemmas.
//!
//! A proof is a contract per procedure and formulas inside ([`contracts`]), about the module; an execution is
//! one of the flat automaton ([`execution`]), as deep as that unrolls recursion.
//!
//! Deviations from Spacer, and why:
//! - Facts are derivations with open inputs instead of cubes that a projection gives: bit-vectors have no
//!   exact projection, and terms are shared.
//! - Premises are looked at in their order: a callee is asked about for what callers really pass.

mod clauses;
mod conjectures;
mod contracts;
mod execution;
mod facts;
mod instance;
mod preimage;
mod rounds;
mod rules;
mod solver;

use crate::engine::{Context, Engine, Own, Prepared, Question, Setting, Wants};
use crate::landmarks::{constants_of, preferring, terms};
use crate::observer::{Counters, Observer};
use crate::outcome::{Outcome, Proof, Unknown};
use crate::pdr::{self, Found, Level, Pdr};
use crate::phase::add_solver;
use clauses::{Clauses, clauses};
use conjectures::{Conjectures, Shape};
use instance::{Derivation, Search, Summaries};
use nilas_program::Program;
use nilas_program::procedures::{Blocks, WithCalls, blocks};
use nilas_smt::{Budget, SatCore};
use nilas_term::Arena;
use rules::Rules;
use solver::RuleSolver;

/// What can be set.
#[derive(Clone, Copy, Debug, Default)]
struct Chosen {
    check_frames: bool,
    max_level: Option<u32>,
    core: SatCore,
}

/// A search that has not begun.
fn search<'a>(
    rules: &'a Rules,
    automaton: Option<&'a nilas_program::Automaton>,
    mut arena: Arena,
    weakener: nilas_smt::weaken::Weakener,
    chosen: Chosen,
    budget: &'a Budget,
    observer: &'a mut dyn Observer,
) -> Search<'a, 'a> {
    let Chosen { check_frames, max_level, core } = chosen;
    let mut solvers = Vec::new();
    for rule in &rules.rules {
        let pair = [(); 2].map(|()| observer.solver(core.solver()));
        solvers.push(RuleSolver::new(&mut arena, rule, |place| rules.of(place).variables.clone(), pair));
    }
    let instance = Summaries::new(rules, automaton, solvers, core);
    let settings = pdr::Settings {
        check_frames,
        max_level,
        first: Level(1),
        by_size: false,
        requeue: true,
        push_at_once: true,
        subsume_pushed: true,
    };
    Pdr::new(instance, arena, rules.heights(), weakener, settings, budget, observer)
}

impl Search<'_, '_> {
    fn counters(&self) -> Counters {
        let mut counters = self.common_counters();
        counters.extend([
            ("facts", self.instance.facts.len() as u64),
            ("rules", self.instance.rules.rules.len() as u64),
        ]);
        for stats in self.instance.solvers.iter().flat_map(RuleSolver::stats) {
            add_solver(&mut counters, stats);
        }
        for (solver, _) in self.instance.known.iter().flatten() {
            add_solver(&mut counters, solver.stats());
        }
        counters
    }
}

/// Searches a module; `flat` is the automaton that it became.
fn summaries(
    flat: &Program,
    calls: &WithCalls,
    chosen: Chosen,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> (Outcome, Counters) {
    let prepared = blocks(&calls.module, budget).map_err(Unknown::Interrupted).and_then(|blocks| {
        let mut arena = blocks.module.program.arena.clone();
        let clauses = clauses(&blocks, &mut arena, budget)?;
        Ok((blocks, clauses, arena))
    });
    let (blocks, clauses, arena) = match prepared {
        Ok(prepared) => prepared,
        Err(unknown) => return (Outcome::Unknown(unknown), [("solver checks", 0)].into()),
    };
    let automaton = &blocks.module.program.automaton;
    let mut mentioned = terms(automaton);
    mentioned.extend(blocks.module.calls.iter().flat_map(|call| call.arguments.iter().copied()));
    let weakener = preferring(constants_of(&arena, mentioned));
    let shape = Shape::new(&blocks, &clauses, &arena);
    let mut search = search(&clauses.rules, Some(automaton), arena, weakener, chosen, budget, observer);
    search.instance.conjectures = Some(Conjectures::new(shape));
    let outcome = outcome(&mut search, flat, calls, &blocks, &clauses).unwrap_or_else(Outcome::Unknown);
    let counters = search.counters();
    (outcome, counters)
}

fn outcome(
    search: &mut Search<'_, '_>,
    flat: &Program,
    calls: &WithCalls,
    blocks: &Blocks,
    clauses: &Clauses,
) -> Result<Outcome, Unknown> {
    let main = calls.module.procedures.len();
    let error = clauses.sunk[main].iter().find(|(sink, _)| *sink == blocks.module.program.automaton.error);
    let mut unmodelled = None;
    search.conjecture()?;
    loop {
        match search.prove()? {
            Found::Counterexample(target, derivation) => {
                let derivation: Derivation = derivation;
                let found =
                    execution::execution(&search.arena, &search.instance, blocks, flat, calls, &derivation)?;
                let last = found.path.last().map(|step| flat.automaton.edge(step.edge).target);
                if last == Some(flat.automaton.error) && error.map(|(_, place)| *place) == Some(target) {
                    return Ok(Outcome::Unsafe(found));
                }
                if error.map(|(_, place)| *place) == Some(target) {
                    // The automaton does not unroll recursion so deep.
                    return Err(Unknown::leaves_model(&flat.automaton, found));
                }
                // Perhaps the error can be reached as well.
                search.instance.left.retain(|&other| other != target);
                unmodelled.get_or_insert(found);
            }
            Found::Fixpoint(level) => {
                return match unmodelled {
                    Some(execution) => Err(Unknown::leaves_model(&flat.automaton, execution)),
                    None => {
                        let contracts = search.contracts(&calls.module, blocks, clauses, level.next())?;
                        Ok(Outcome::Safe(Proof::Contracts(contracts)))
                    }
                };
            }
        }
    }
}

/// Summaries as an engine.
pub(crate) struct SummariesEngine;

impl Engine for SummariesEngine {
    fn name(&self) -> &'static str {
        "summaries"
    }

    fn method(&self) -> &'static str {
        "goes back from the error as `ic3cfa` does, through procedures instead of copies of them: facts about \
         what a procedure does at most and at least serve all its calls, also those in itself"
    }

    fn settings(&self) -> &'static [Setting] {
        const SETTINGS: [Setting; 2] = [crate::pdr::MAX_LEVEL, crate::pdr::CHECK];
        &SETTINGS
    }

    fn takes(&self, question: Question) -> bool {
        question == Question::Program
    }

    fn wants(&self, _: &Own<'_>) -> Wants {
        Wants::Given
    }

    fn run(&self, prepared: &Prepared, settings: &Own<'_>, context: &mut Context<'_>) -> (Outcome, Counters) {
        let Some(calls) = &prepared.calls else {
            let why = "the program has no calls: all functions stand in the place of their calls".to_owned();
            return (Outcome::Unknown(Unknown::Inapplicable(why)), [("solver checks", 0)].into());
        };
        let chosen = Chosen {
            check_frames: settings.flag("check"),
            max_level: settings.parsed("max-level"),
            core: settings.sat_core().unwrap_or_default(),
        };
        let Context { budget, observer, .. } = context;
        summaries(&prepared.program, calls, chosen, budget, *observer)
    }
}
