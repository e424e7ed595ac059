//! From an automaton as lowered to a verdict that can be believed.
//!
//! Passes make the automaton small, an engine works on the small one, its evidence is mapped back and checked
//! on the automaton as lowered. A verdict leaves here only with evidence that the checker has accepted; a bug
//! in a pass, an engine or the solver ends as [`Verdict::Rejected`].

use crate::checks::Checks;
use crate::engine::{Context, EngineRef, Preparations, Prepared, Settings};
use crate::exchange::{Exchange, Port};
use crate::observer::{Counters, Observer};
use crate::outcome::{Outcome, Proof, Unknown};
use crate::processor::{milliseconds_since, processor_time};
use crate::recorder::{Journal, Recorder};
use nilas_evidence::{self as evidence, Evidence, Execution, Invariant, Premises, Step, Unwinding};
use nilas_program::procedures::WithCalls;
use nilas_program::{ArcId, Automaton, BackMap, EdgeId, LocationId, Program, Vanished};
use nilas_smt::{Budget, Interrupt, Reason};
use nilas_term::{Arena, Importer, Term};
use std::collections::BTreeMap;
use std::num::NonZero;
use std::time::{Duration, Instant};

/// A verdict, with the evidence that was accepted for it.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// The error cannot be reached.
    Safe(Evidence),
    /// The error can be reached.
    Unsafe(Evidence),
    /// Nothing was shown.
    Unknown(Unknown),
    /// The engine has evidence, but the checker came to no decision about it.
    Unchecked {
        /// The evidence.
        evidence: Evidence,
        /// Why the checker stopped.
        why: Reason,
    },
    /// The checker did not accept the engine's evidence: a bug in Nilas.
    Rejected {
        /// What the checker said.
        why: evidence::Rejection,
        /// The evidence.
        evidence: Evidence,
    },
}

/// What a run gave.
#[derive(Clone, Debug)]
pub struct Report {
    /// The engine that ran.
    pub engine: EngineRef,
    /// Its verdict.
    pub verdict: Verdict,
    /// Counters of the engine; those that all engines have bear the same names, see [`Journal`].
    pub counters: Counters,
    /// What it did, place by place.
    pub journal: Journal,
    /// The assumption at which the only execution stopped, if it was run and did.
    pub stopped: Option<(EdgeId, ArcId)>,
    /// Time of the engine.
    pub engine_time: Duration,
    /// Time of the checker.
    pub check_time: Duration,
}

/// What engine and checker may use. They are apart, so that an engine that is stopped does not take the
/// checker with it.
#[derive(Clone, Debug, Default)]
pub struct Budgets {
    /// The engine's.
    pub search: Budget,
    /// The checker's.
    pub check: Budget,
    /// How long the checker may take for a piece of evidence, besides.
    pub checker: Option<Duration>,
    /// How many cores the checker may use; one, if that is not said.
    pub threads: Option<NonZero<usize>>,
    /// Where the engine exchanges facts with others, if it does.
    pub exchange: Option<Exchange>,
    /// Whose checks it waits for, if there are others.
    pub checks: Option<Checks>,
}

impl Budgets {
    /// How a check is made.
    fn account(&self) -> evidence::Account {
        let threads = self.threads.unwrap_or(NonZero::<usize>::MIN);
        evidence::Account { threads, ..evidence::Account::default() }
    }

    /// The budget of a check that begins now.
    fn checking(&self) -> Budget {
        let own = self.checker.and_then(|time| Instant::now().checked_add(time));
        let deadline = match (self.check.deadline, own) {
            (Some(all), Some(own)) => Some(all.min(own)),
            (all, own) => all.or(own),
        };
        Budget { deadline, ..self.check.clone() }
    }
}

/// Runs an engine on an automaton and checks its evidence, under one budget for both.
pub fn verify(
    program: &Program,
    engine: EngineRef,
    settings: &Settings,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Report {
    let budgets = Budgets { search: budget.clone(), check: budget.clone(), ..Budgets::default() };
    verify_within(&Preparations::new(program.clone()), engine, settings, &budgets, observer)
}

/// The counter of variables that were encoded anew because they take few values.
const FEW_VALUES: &str = "few-values: applied";

/// Runs an engine on an automaton, of which others may be at work, and checks its evidence.
pub fn verify_within(
    preparations: &Preparations,
    engine: EngineRef,
    settings: &Settings,
    budgets: &Budgets,
    observer: &mut dyn Observer,
) -> Report {
    let (program, budget) = (preparations.given(), &budgets.search);
    let own = settings.own(&*engine);
    let (started, processor) = (Instant::now(), processor_time());
    let engine_on = |prepared: &Prepared, observer: &mut dyn Observer| {
        let mut recorder = Recorder::new(observer);
        let exchange = budgets.exchange.as_ref();
        let mut port = exchange.map_or_else(Port::closed, |exchange| Port::new(exchange, prepared));
        let mut context = Context { budget, observer: &mut recorder, exchange: &mut port };
        let (outcome, mut counters) = engine.run(prepared, &own, &mut context);
        port.counters(&mut counters);
        let recoded = prepared.back.recoded().count();
        if recoded > 0 {
            counters.insert(FEW_VALUES, recoded as u64);
        }
        let journal = recorder.finish(&prepared.program, &prepared.back, &mut counters);
        (outcome, counters, journal)
    };
    let mut prepared = match preparations.get(engine.wants(&own), &budget.out_of_turn()) {
        Ok(prepared) => prepared,
        Err(why) => return stopped_early(engine, why, started.elapsed()),
    };
    let (mut outcome, mut counters, mut journal) = engine_on(&prepared, observer);
    if matches!(outcome, Outcome::OnlyExecution) {
        return run(program, preparations.calls(), engine, budgets, observer);
    }
    if matches!(outcome, Outcome::Safe(Proof::Unwinding(_))) && !can_unwind(&prepared) {
        // Passes have found loops that do no harm but may go on forever: no bound can be shown for them.
        prepared = match preparations.blocks(&budget.out_of_turn()) {
            Ok(blocks) => blocks,
            Err(why) => return stopped_early(engine, why, started.elapsed()),
        };
        (outcome, counters, journal) = engine_on(&prepared, observer);
    }
    let mut engine_time = started.elapsed();
    let mut engine_processor = milliseconds_since(processor);
    let is_proof = matches!(outcome, Outcome::Safe(_));
    let checks = budgets.checks.as_ref().filter(|_| is_proof);
    let underway = checks.map(|checks| checks.begin(&budgets.check));
    let (checking, processor) = (Instant::now(), processor_time());
    let mut account = budgets.account();
    let mut verdict = judge(preparations, &prepared, outcome, &budgets.checking(), observer, &mut account);
    let mut check_time = checking.elapsed();
    let mut check_processor = milliseconds_since(processor);
    drop(underway);
    if matches!(verdict, Verdict::Rejected { why: evidence::Rejection::NotReached { .. }, .. }) {
        // The path has gaps where passes removed what does not matter, and the replayer did not find its own
        // way.
        let (searching, processor) = (Instant::now(), processor_time());
        prepared = match preparations.blocks(&budget.out_of_turn()) {
            Ok(blocks) => blocks,
            Err(why) => return stopped_early(engine, why, started.elapsed()),
        };
        (outcome, counters, journal) = engine_on(&prepared, observer);
        engine_time += searching.elapsed();
        engine_processor = engine_processor.zip(milliseconds_since(processor)).map(|(one, two)| one + two);
        let (checking, processor) = (Instant::now(), processor_time());
        verdict = judge(preparations, &prepared, outcome, &budgets.checking(), observer, &mut account);
        check_time += checking.elapsed();
        check_processor = check_processor.zip(milliseconds_since(processor)).map(|(one, two)| one + two);
    }
    // Times by the clock tell little on a busy machine. (Other cores of the checker are not counted.)
    counters.extend(engine_processor.map(|used| ("engine processor milliseconds", used)));
    counters.extend(check_processor.map(|used| ("checker processor milliseconds", used)));
    let evidence::Account { counts, layers, .. } = account;
    counters.insert("checker questions", counts.questions);
    counters.insert("checker questions with premises that were told", counts.told);
    counters.insert("checker questions that these sufficed for", counts.sufficed);
    counters.insert("checker questions answered by a proof", counts.proved);
    counters.insert("checker questions answered by congruence", counts.congruence);
    counters.insert("checker questions handed over", counts.handed_over);
    counters.insert("checker questions without a proof", counts.alone);
    counters.insert("checker proof steps", counts.steps);
    counters.insert("checker propagations", counts.propagations);
    // Unwindings are unrolled anew, which is work of its own kind.
    counters.insert("checker layers of unwindings", layers);
    Report { engine, verdict, counters, journal, stopped: None, engine_time, check_time }
}

/// The budget ended before the engine had a program to work on.
fn stopped_early(engine: EngineRef, why: Interrupt, engine_time: Duration) -> Report {
    Report {
        engine,
        verdict: Verdict::Unknown(Unknown::Interrupted(why)),
        counters: [("solver checks", 0)].into(),
        journal: Journal::default(),
        stopped: None,
        engine_time,
        check_time: Duration::ZERO,
    }
}

/// The checker itself runs the program; there is nothing to search for. Where that ends with an execution to
/// tell, it was the search, and the execution is checked as any other.
fn run(
    program: &Program,
    calls: Option<&WithCalls>,
    engine: EngineRef,
    budgets: &Budgets,
    observer: &mut dyn Observer,
) -> Report {
    let (started, processor) = (Instant::now(), processor_time());
    let faithful = calls.map_or(Ok(()), |calls| evidence::check_translation(program, calls));
    let ended = faithful.and_then(|()| evidence::run(program, &budgets.search));
    let (run_time, run_processor) = (started.elapsed(), milliseconds_since(processor));
    let (checking, processor) = (Instant::now(), processor_time());
    let (mut stopped, mut steps, mut is_search) = (None, 0, false);
    let verdict = match ended {
        Ok(ended) => {
            (stopped, steps) = (ended.stopped, ended.steps);
            is_search = ended.verdict != evidence::Verdict::Safe;
            match ended.verdict {
                evidence::Verdict::Safe => Verdict::Safe(Evidence::Run),
                evidence::Verdict::Unsafe => {
                    let evidence = Evidence::Execution(only_execution(steps));
                    observer.found(&evidence);
                    examine_with_calls(program, calls, evidence, &budgets.checking(), &mut budgets.account())
                        .verdict
                }
                evidence::Verdict::Unmodelled => {
                    judge_unmodelled(program, only_execution(steps), &budgets.checking())
                }
            }
        }
        Err(evidence::Rejection::Undecided(Reason::Unsupported(why))) => {
            Verdict::Unknown(Unknown::Inapplicable(why))
        }
        Err(evidence::Rejection::Undecided(reason)) => Verdict::Unknown(reason.into()),
        Err(why) => Verdict::Rejected { why, evidence: Evidence::Run },
    };
    let (mut check_time, mut check_processor) = (checking.elapsed(), milliseconds_since(processor));
    let mut counters: Counters = [("steps", steps)].into_iter().collect();
    let mut engine_time = Duration::ZERO;
    if is_search {
        engine_time = run_time;
        counters.extend(run_processor.map(|used| ("engine processor milliseconds", used)));
    } else {
        check_time += run_time;
        check_processor = check_processor.zip(run_processor).map(|(one, two)| one + two);
    }
    counters.extend(check_processor.map(|used| ("checker processor milliseconds", used)));
    Report { engine, verdict, counters, journal: Journal::default(), stopped, engine_time, check_time }
}

/// The execution that needs no choice.
fn only_execution(steps: u64) -> Execution {
    Execution { steps: Some(steps), ..Execution::default() }
}

/// Whether a proof by unwinding can be carried back: there is a bound for every loop, or no loop that needs
/// one.
fn can_unwind(prepared: &Prepared) -> bool {
    let Prepared { program, back, .. } = prepared;
    program.automaton.edges.is_empty() || !back.vanished().any(|(_, why)| why == Vanished::Harmless)
}

fn judge(
    preparations: &Preparations,
    prepared: &Prepared,
    outcome: Outcome,
    budget: &Budget,
    observer: &mut dyn Observer,
    account: &mut evidence::Account,
) -> Verdict {
    let program = preparations.given();
    let Prepared { program: small, back, .. } = prepared;
    let evidence = match outcome {
        Outcome::OnlyExecution => Evidence::Run,
        Outcome::Safe(proof) => match proof_back(program, small, back, proof) {
            Ok(evidence) => evidence,
            Err(unknown) => return Verdict::Unknown(unknown),
        },
        Outcome::Unsafe(execution) => Evidence::Execution(execution_back(back, &small.automaton, execution)),
        Outcome::Unknown(Unknown::Unmodelled { execution, .. }) => {
            let execution = execution_back(back, &small.automaton, *execution);
            return judge_unmodelled(program, execution, budget);
        }
        Outcome::Unknown(unknown) => return Verdict::Unknown(unknown),
    };
    observer.found(&evidence);
    examine_with_calls(program, preparations.calls(), evidence, budget, account).verdict
}

/// What the checker says of evidence.
#[derive(Clone, Debug)]
pub struct Examined {
    /// Safe, unsafe, unchecked or rejected, with the evidence; unknown if nobody needs to know any more.
    pub verdict: Verdict,
    /// The assumption at which the only execution stopped, if the evidence is a run and it did.
    pub stopped: Option<(EdgeId, ArcId)>,
}

/// Has evidence about an automaton as lowered checked, wherever it comes from. What it claims is decided by
/// its form: that of an execution says *unsafe*, all others say *safe*.
#[must_use]
pub fn examine(
    program: &Program,
    evidence: Evidence,
    budget: &Budget,
    account: &mut evidence::Account,
) -> Examined {
    examine_with_calls(program, None, evidence, budget, account)
}

/// The same of an automaton with the module that it comes from: contracts are about that, and for all else the
/// checker looks whether the automaton means the same.
#[must_use]
pub fn examine_with_calls(
    program: &Program,
    calls: Option<&WithCalls>,
    evidence: Evidence,
    budget: &Budget,
    account: &mut evidence::Account,
) -> Examined {
    let mut stopped = None;
    let checked = match &evidence {
        Evidence::Run => {
            let faithful = calls.map_or(Ok(()), |calls| evidence::check_translation(program, calls));
            faithful.and_then(|()| evidence::run(program, budget)).map(|ended| {
                stopped = ended.stopped;
                ended.verdict
            })
        }
        other => match calls {
            Some(calls) => evidence::check_with_calls(program, calls, other, budget, account),
            None => evidence::check_with(program, other, budget, account),
        },
    };
    let verdict = match (checked, &evidence) {
        (Ok(evidence::Verdict::Unsafe), Evidence::Execution(_)) => Verdict::Unsafe(evidence),
        (
            Ok(evidence::Verdict::Safe),
            Evidence::Invariant(_) | Evidence::Unwinding(_) | Evidence::Run | Evidence::Contracts(_),
        ) => Verdict::Safe(evidence),
        (Ok(_), Evidence::Execution(_)) => {
            let why = evidence::Rejection::NotReached { why: "it ends in what is not modelled".into() };
            Verdict::Rejected { why, evidence }
        }
        (Ok(end), _) => {
            let automaton = &program.automaton;
            let sink = match end {
                evidence::Verdict::Unmodelled => automaton.unmodelled.unwrap_or(automaton.error),
                _ => automaton.error,
            };
            let sink = automaton.location(sink).name.clone();
            Verdict::Rejected { why: evidence::Rejection::SinkReached { sink, model: Vec::new() }, evidence }
        }
        // Neither accepted nor shown to be wrong.
        (Err(evidence::Rejection::Undecided(why)), _) => match why {
            Reason::Interrupted(Interrupt::Cancelled) | Reason::Failed(_) => Verdict::Unknown(why.into()),
            why => Verdict::Unchecked { evidence, why },
        },
        (Err(why), _) => Verdict::Rejected { why, evidence },
    };
    Examined { verdict, stopped }
}

/// An execution to *unmodelled* is replayed too: what is told to the user should be true.
fn judge_unmodelled(program: &Program, execution: Execution, budget: &Budget) -> Verdict {
    match evidence::follow(program, &execution, budget) {
        Ok(course) if course.verdict == evidence::Verdict::Unmodelled => {
            let edge = course.last;
            let span = edge.map(|edge| program.automaton.edge(edge).span).unwrap_or_default();
            Verdict::Unknown(Unknown::Unmodelled { span, edge, execution: Box::new(execution) })
        }
        Ok(_) => {
            let why =
                evidence::Rejection::NotReached { why: "it ends elsewhere than the engine said".into() };
            Verdict::Rejected { why, evidence: Evidence::Execution(execution) }
        }
        Err(evidence::Rejection::Undecided(reason)) => Verdict::Unknown(reason.into()),
        Err(why) => Verdict::Rejected { why, evidence: Evidence::Execution(execution) },
    }
}

/// A proof about the automaton as lowered.
fn proof_back(program: &Program, small: &Program, back: &BackMap, proof: Proof) -> Result<Evidence, Unknown> {
    match proof {
        Proof::Invariant(invariant) => invariant_back(small, back, invariant).map(Evidence::Invariant),
        // Passes alone have shown it: facts are the invariant.
        Proof::Unwinding(_) if small.automaton.edges.is_empty() && back.vanished().next().is_some() => {
            let invariant = Invariant { arena: program.arena.clone(), ..Invariant::default() };
            invariant_back(small, back, invariant).map(Evidence::Invariant)
        }
        Proof::Unwinding(unwinding) => Ok(Evidence::Unwinding(unwinding_back(back, &unwinding))),
        Proof::Contracts(contracts) => Ok(Evidence::Contracts(contracts)),
    }
}

/// Formulas at their old locations, with what the passes relied on, and with facts alone where a cycle is
/// gone.
fn invariant_back(small: &Program, back: &BackMap, invariant: Invariant) -> Result<Invariant, Unknown> {
    let Invariant { mut arena, formulas, induction, premises } = invariant;
    let mut importer = Importer::new();
    let mut with_facts = |arena: &mut Arena, old: LocationId, formula: Term| {
        let mut conjuncts = vec![formula];
        for &fact in back.facts_at(old) {
            let imported = importer.import(arena, &small.arena, fact);
            conjuncts.push(imported.map_err(|error| Unknown::Internal(error.to_string()))?);
        }
        Ok::<Term, Unknown>(arena.and(&conjuncts))
    };
    let mut old_formulas = BTreeMap::new();
    let (locations, mut formulas): (Vec<LocationId>, Vec<Term>) = formulas.into_iter().unzip();
    let restored = back.restore(&small.arena, &mut arena, &mut formulas);
    restored.map_err(|error| Unknown::Internal(error.to_string()))?;
    for (location, formula) in locations.into_iter().zip(formulas) {
        let old = back.location(location);
        old_formulas.insert(old, with_facts(&mut arena, old, formula)?);
    }
    for (old, why) in back.vanished() {
        let formula = arena.mk_bool(why == Vanished::Harmless);
        old_formulas.insert(old, with_facts(&mut arena, old, formula)?);
    }
    let premises = premises_back(small, back, &mut arena, &premises)?;
    Ok(Invariant { arena, formulas: old_formulas, induction, premises })
}

/// Hints about formulas at their old locations. What the passes relied on is always a premise.
fn premises_back(
    small: &Program,
    back: &BackMap,
    arena: &mut Arena,
    premises: &Premises,
) -> Result<Premises, Unknown> {
    let internal = |error: nilas_term::SortError| Unknown::Internal(error.to_string());
    // All terms at once, each hint's lemma before its premises.
    let mut terms: Vec<Term> = premises
        .iter()
        .flat_map(|(_, _, lemma, used)| [lemma].into_iter().chain(used.iter().copied()))
        .collect();
    back.restore(&small.arena, arena, &mut terms).map_err(internal)?;
    let mut terms = terms.into_iter();
    let mut importer = Importer::new();
    let mut told = Premises::default();
    for (from, to, lemma, used) in premises.iter() {
        let (from, to) = (back.location(from), back.location(to));
        let lemma = terms.next().unwrap_or(lemma);
        let mut used: Vec<Term> = terms.by_ref().take(used.len()).collect();
        for &fact in back.facts_at(from) {
            let fact = importer.import(arena, &small.arena, fact).map_err(internal)?;
            used.extend(evidence::conjuncts(arena, fact));
        }
        told.tell(from, to, lemma, used);
    }
    Ok(told)
}

fn unwinding_back(back: &BackMap, unwinding: &Unwinding) -> Unwinding {
    let visits = unwinding.visits.iter().map(|(&location, &visits)| (back.location(location), visits));
    let never = back.vanished().filter(|(_, why)| *why == Vanished::Unreachable).map(|(old, _)| (old, 0));
    Unwinding { visits: visits.chain(never).collect() }
}

fn execution_back(back: &BackMap, small: &Automaton, execution: Execution) -> Execution {
    let steps = execution.path.iter().flat_map(|step| back.path(step.edge, &step.arcs, small));
    let path = steps.map(|(edge, arcs)| Step { edge, arcs }).collect();
    // Codes at the entry say nothing: the values there do not matter.
    let mut initial = execution.initial;
    for recoded in back.recoded() {
        initial.remove(&recoded.variable);
    }
    Execution { path, initial, ..execution }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::exchange::Steps;
    use crate::ic3cfa::ic3cfa;
    use crate::observer::Silent;
    use nilas_program::{Simplified, parse_program, simplify};

    fn engine(name: &str) -> EngineRef {
        name.parse().unwrap()
    }

    fn program(text: &str) -> Program {
        parse_program(text).unwrap_or_else(|errors| panic!("{}", errors[0].render("text", text)))
    }

    const COUNTER: &str = "var x, y, n : bv8 entry a error e location a, b, c, e a -> b { n := 3; x := 0; y := 0 } \
         b -> b { assume x != 7; x := x + 1; y := y + n } b -> c { assume x == 7 } c -> e { assume y != 21 || n != 3 }";

    /// What is judged of IC3CFA's proof when the passes have relied on one more fact at `b`.
    fn judged(fact: impl Fn(&mut Program) -> Term) -> Verdict {
        let program = program(COUNTER);
        let Simplified { program: mut small, mut back, .. } =
            simplify(&program, &Budget::unlimited()).unwrap();
        assert!(back.facts().next().is_some(), "`n` is known");
        let budget = Budget::unlimited();
        let (outcome, _) = ic3cfa(&small, crate::Ic3CfaSettings::default(), &budget, &mut Silent);
        let fact = fact(&mut small);
        back.add_fact(LocationId::new(1), fact);
        let prepared = Prepared { program: small, back, steps: Steps::Small, calls: None };
        judge(
            &Preparations::new(program),
            &prepared,
            outcome,
            &budget,
            &mut Silent,
            &mut evidence::Account::default(),
        )
    }

    #[test]
    fn wrong_facts_are_rejected() {
        let is = |value: u64| {
            move |small: &mut Program| {
                let (n, value) = (small.automaton.variables[2].term, small.arena.bv(8, value));
                small.arena.eq(n, value)
            }
        };
        assert!(matches!(judged(is(3)), Verdict::Safe(Evidence::Invariant(_))));
        assert!(matches!(judged(is(4)), Verdict::Rejected { .. }));
        assert!(matches!(judged(|small| small.arena.mk_false()), Verdict::Rejected { .. }));
    }

    /// Hints of an engine about the small program are hints about the given one, with the passes' facts.
    #[test]
    fn hints_go_back() {
        const TWO: &str = "var x, y, n : bv8 entry a error e location a, b, e a -> b { n := 3; x := 0; y := 0 } \
             b -> b { assume x <u 40; x := x + n; havoc y; assume y <u x } b -> e { assume x >u 45 } \
             b -> e { assume y >u 44 }";
        for techniques in ["ic3cfa.techniques=-few-values", "ic3cfa.techniques=+few-values"] {
            let settings = Settings::of(&["ic3cfa.premises=yes", techniques]).unwrap();
            let program = program(TWO);
            let report = verify(&program, engine("ic3cfa"), &settings, &Budget::unlimited(), &mut Silent);
            let Verdict::Safe(Evidence::Invariant(invariant)) = &report.verdict else {
                panic!("{techniques}: {:?}", report.verdict)
            };
            assert!(!invariant.premises.is_empty(), "{techniques}");
            let count = |name: &str| report.counters.get(name).copied().unwrap_or(0);
            let told = count("checker questions with premises that were told");
            assert!(told > 0 && told == count("checker questions that these sufficed for"), "{techniques}");
            let without = Settings::of(&["ic3cfa.premises=no"]).unwrap();
            let report = verify(&program, engine("ic3cfa"), &without, &Budget::unlimited(), &mut Silent);
            let Verdict::Safe(Evidence::Invariant(invariant)) = &report.verdict else {
                panic!("{techniques}: {:?}", report.verdict)
            };
            assert!(invariant.premises.is_empty());
        }
    }

    /// A checker without budget leaves evidence that somebody else can check.
    #[test]
    fn evidence_that_was_not_checked_is_kept() {
        let cancelled = Budget::unlimited();
        cancelled.cancel.cancel(Interrupt::Timeout);
        let budgets = Budgets { check: cancelled, ..Budgets::default() };
        for (engine, text) in [
            (engine("ic3cfa"), COUNTER.to_owned()),
            (engine("bmc"), COUNTER.to_owned()),
            (engine("bmc"), COUNTER.replace("y != 21", "y == 21")),
        ] {
            let program = program(&text);
            let prepared = Preparations::new(program.clone());
            let report = verify_within(&prepared, engine, &Settings::default(), &budgets, &mut Silent);
            let Verdict::Unchecked { evidence, why } = report.verdict else {
                panic!("{engine}: {:?}", report.verdict)
            };
            assert_eq!(why, Reason::Interrupted(Interrupt::Timeout));
            let is_execution = matches!(evidence, Evidence::Execution(_));
            match examine(&program, evidence, &Budget::unlimited(), &mut evidence::Account::default()).verdict
            {
                Verdict::Safe(_) => assert!(!is_execution),
                Verdict::Unsafe(_) => assert!(is_execution),
                other => panic!("{engine}: {other:?}"),
            }
        }
    }

    /// An engine that is stopped does not take the checker with it, and the other way round.
    #[test]
    fn a_stopped_engine_has_nothing_to_check() {
        let stopped = Budget::unlimited();
        stopped.cancel.cancel(Interrupt::Cancelled);
        let budgets = Budgets { search: stopped, ..Budgets::default() };
        for engine in [engine("bmc"), engine("ic3cfa")] {
            let prepared = Preparations::new(program(COUNTER));
            let report = verify_within(&prepared, engine, &Settings::default(), &budgets, &mut Silent);
            let interrupted = Verdict::Unknown(Unknown::Interrupted(Interrupt::Cancelled));
            assert_eq!(format!("{:?}", report.verdict), format!("{interrupted:?}"));
        }
    }

    #[test]
    fn a_run_claims_safety() {
        let text = "var x : bv8 entry a error e a -> b { x := 1 } b -> e { assume x == 1 }";
        let unlimited = Budget::unlimited();
        let account = &mut evidence::Account::default();
        let wrong = examine(&program(text), Evidence::Run, &unlimited, account);
        assert!(matches!(wrong.verdict, Verdict::Rejected { .. }), "{wrong:?}");
        let right = examine(&program(&text.replace("x == 1", "x == 2")), Evidence::Run, &unlimited, account);
        assert!(matches!(right.verdict, Verdict::Safe(Evidence::Run)), "{right:?}");
        assert!(right.stopped.is_some());
    }

    #[track_caller]
    fn check(text: &str, engine: EngineRef) -> Evidence {
        let program = program(text);
        let report = verify(&program, engine, &Settings::default(), &Budget::unlimited(), &mut Silent);
        match report.verdict {
            Verdict::Safe(evidence) | Verdict::Unsafe(evidence) => evidence,
            other => panic!("{engine}: {other:?}"),
        }
    }

    #[test]
    fn loops_that_passes_removed() {
        // It goes on forever, but `p` is never true: no unwinding shows that, the fact does.
        let forever = "var x : bv8 var p : bool entry a error e a -> b { p := false } b -> b { havoc x } b -> e { assume p }";
        // A second loop after it that counts.
        let finite = "var x, y : bv8 var p : bool entry a error e location a, b, c, e a -> b { p := false; x := 0; y := 0 } \
             a -> c { p := false; x := 0 } b -> b { assume y != 3; y := y + 1 } b -> e { assume p } \
             c -> c { assume x != 3; x := x + 1 } c -> e { assume x == 5 }";
        // A loop that is never entered.
        let never = "var x : bv8 var p : bool entry a error e location a, b, c, e a -> b { p := false; x := 0 } b -> c { assume p } \
             c -> b { x := x + 1 } b -> e { assume !p && x == 1 }";
        for engine in [engine("bmc"), engine("ic3cfa")] {
            assert!(matches!(check(forever, engine), Evidence::Invariant(_)));
            check(finite, engine);
            check(never, engine);
        }
    }

    /// The proof over codes is one over values; the wrong program's execution is one of the given program.
    #[test]
    fn evidence_over_codes_goes_back() {
        const PROTOCOL: &str = "var s, old, n : bv32 entry start error err \
             start -> loop { s := 8464; old := 8464; n := 0 } \
             loop -> loop { assume s == 8464; old := s; s := 8496; n := n + 1 } \
             loop -> loop { assume s == 8496; old := s; s := 3 } loop -> loop { assume s == 3; s := old } \
             loop -> err { assume s == 3; assume old != 8496 }";
        let settings = ["ic3cfa.techniques=+few-values", "ic3cfa.check=yes"];
        let settings = Settings::of(&settings).unwrap();
        let check = |text: &str, engine| {
            let report = verify(&program(text), engine, &settings, &Budget::unlimited(), &mut Silent);
            let applied = report.counters.get(FEW_VALUES);
            assert_eq!(applied, Some(&2), "{engine}");
            report.verdict
        };
        for engine in [engine("ic3cfa"), engine("tree-ic3")] {
            assert!(matches!(check(PROTOCOL, engine), Verdict::Safe(_)));
            let wrong = PROTOCOL.replace("assume old != 8496", "assume old == 8496");
            assert!(matches!(check(&wrong, engine), Verdict::Unsafe(_)));
        }
    }

    #[test]
    fn executions_over_ways_that_passes_joined() {
        // Which branch is taken does not matter, but one has to be.
        let branches = "var x, y : bv8 entry a error e location a, b, c, d, e, f a -> b { havoc x; havoc y } \
             b -> c { assume y <u 9 } b -> d { assume y >=u 9 } c -> f { y := 1 } d -> d { skip } d -> f { havoc y } \
             f -> e { assume x == 3 }";
        for engine in [engine("bmc"), engine("ic3cfa")] {
            assert!(matches!(check(branches, engine), Evidence::Execution(_)));
        }
    }
}
