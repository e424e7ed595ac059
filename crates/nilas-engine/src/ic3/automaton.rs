//! IC3 on automata: the system of an automaton, and evidence from what is found about it.

use super::{Ic3, Settings, engine};
use crate::execution::ExecutionBuilder;
use crate::observer::{Counters, FramesAt, Observer};
use crate::outcome::{Outcome, Proof, Unknown, invariant};
use crate::pdr::{Found, Level, Whole};
use crate::relevant::Relevant;
use crate::sinks::Sinks;
use nilas_evidence::{Execution, Invariant, SystemTrace};
use nilas_program::{Automaton, Graph, LocationId, Program, SymbolicAutomaton, SymbolicEdge};
use nilas_smt::Budget;
use nilas_term::{Arena, EvalError, Evaluator, Term};

/// So many lemmas are told at the end.
const TOLD: usize = 64;

/// Runs IC3 on an automaton.
pub fn ic3(
    program: &Program,
    settings: Settings,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> (Outcome, Counters) {
    let automaton = &program.automaton;
    let mut arena = program.arena.clone();
    let symbolic = SymbolicAutomaton::new(&mut arena, program);
    let counter = Some(&symbolic.counter);
    match engine(arena, &symbolic.system, counter, settings, budget, observer) {
        Ok(mut engine) => {
            let outcome = prove(&mut engine, automaton, &symbolic).unwrap_or_else(Outcome::Unknown);
            tell_lemmas(&mut engine, automaton, &symbolic);
            (outcome, engine.counters())
        }
        Err(unknown) => (Outcome::Unknown(unknown), Counters::new()),
    }
}

fn prove(
    engine: &mut Ic3<'_, '_>,
    automaton: &Automaton,
    symbolic: &SymbolicAutomaton,
) -> Result<Outcome, Unknown> {
    let mut sinks = Sinks::new(automaton, &Relevant::new(automaton));
    loop {
        match engine.prove()? {
            Found::Counterexample((), trace) => {
                let (sink, execution) = execution(&engine.arena, automaton, symbolic, &trace)?;
                if let Some(outcome) = sinks.reached(automaton, sink, execution) {
                    return Ok(outcome);
                }
                engine.instance.bad = symbolic.before(&mut engine.arena, automaton, sinks.left());
            }
            Found::Fixpoint(level) => {
                sinks.none_was_reached(automaton)?;
                let frame = frame_by_location(engine, automaton, symbolic, level)?;
                return Ok(Outcome::Safe(Proof::Invariant(frame)));
            }
        }
    }
}

/// Tells the observer of the lemmas that were learnt last, at the locations that they leave.
fn tell_lemmas(engine: &mut Ic3<'_, '_>, automaton: &Automaton, symbolic: &SymbolicAutomaton) {
    let lemmas = engine.frames.lemmas(Whole);
    let clauses: Vec<Term> =
        lemmas[lemmas.len().saturating_sub(TOLD)..].iter().map(|lemma| lemma.clause).collect();
    for location in automaton.location_ids() {
        let Some(mut values) = symbolic.counter.values(&mut engine.arena, location) else { continue };
        let mut here: Vec<Term> =
            clauses.iter().map(|&clause| values.apply(&mut engine.arena, clause)).collect();
        // Most are about another location.
        here.retain(|&clause| engine.arena.as_bool(clause).is_none());
        if !here.is_empty() {
            engine.observer.lemmas(location, &engine.arena, &here);
        }
    }
    if engine.observer.wants_frames() {
        tell_frames(engine, automaton, symbolic);
    }
}

/// Tells the observer of all frames: what they say when the program counter stands at a location.
fn tell_frames(engine: &mut Ic3<'_, '_>, automaton: &Automaton, symbolic: &SymbolicAutomaton) {
    let lemmas = engine.frames.lemmas(Whole).iter().rev();
    let lemmas: Vec<(Term, Option<u64>)> = lemmas.map(|lemma| (lemma.clause, lemma.level.last())).collect();
    for location in automaton.location_ids() {
        let Some(mut values) = symbolic.counter.values(&mut engine.arena, location) else { continue };
        let here = lemmas.iter().map(|&(lemma, last)| (values.apply(&mut engine.arena, lemma), last));
        let mut here: Vec<(Term, Option<u64>)> = here.collect();
        // Most are about another location.
        here.retain(|&(lemma, _)| engine.arena.as_bool(lemma) != Some(true));
        let frames = FramesAt { lemmas: here, ..FramesAt::default() };
        engine.observer.frames(location, &engine.arena, &frames);
    }
}

/// The frame above a fixpoint, at each location: what it says when the program counter stands there.
fn frame_by_location(
    engine: &mut Ic3<'_, '_>,
    automaton: &Automaton,
    symbolic: &SymbolicAutomaton,
    fixpoint: Level,
) -> Result<Invariant, Unknown> {
    let reachable = Graph::new(automaton).reachable([automaton.entry]);
    let clauses: Vec<Term> = engine.frames.frame(fixpoint.next(), Whole).map(|lemma| lemma.clause).collect();
    let arena = &mut engine.arena;
    let mut formulas = Vec::new();
    for location in automaton.location_ids().filter(|&location| !automaton.is_sink(location)) {
        let formula = match symbolic.counter.values(arena, location) {
            Some(mut values) => {
                let clauses: Vec<Term> = clauses.iter().map(|&clause| values.apply(arena, clause)).collect();
                arena.and(&clauses)
            }
            // From what is reachable and has no code, no sink is.
            None => arena.mk_bool(reachable.contains(location)),
        };
        formulas.push((location, formula));
    }
    invariant(arena, formulas)
}

/// The execution that a trace is, and the sink that it ends in.
fn execution(
    arena: &Arena,
    automaton: &Automaton,
    symbolic: &SymbolicAutomaton,
    trace: &SystemTrace,
) -> Result<(LocationId, Execution), Unknown> {
    let fails = |error: EvalError| Unknown::Internal(error.to_string());
    let mut builder = ExecutionBuilder::new(automaton);
    for (variable, value) in trace.steps.first().map(|step| &step.state[..]).unwrap_or_default() {
        builder.initial(*variable, value.clone());
    }
    let mut sink = None;
    for (index, step) in trace.steps.iter().enumerate() {
        let model = step.state.iter().chain(&step.inputs).cloned().collect();
        let mut evaluator = Evaluator::new(model).with_defaults();
        let is_last = index + 1 == trace.steps.len();
        let edges = if is_last { &symbolic.last } else { &symbolic.edges };
        let mut taken: Option<&SymbolicEdge> = None;
        for edge in edges {
            // The error before anything else.
            let is_better = taken.is_none() || automaton.edge(edge.edge).target == automaton.error;
            if is_better && evaluator.holds(arena, edge.encoding.guard).map_err(fails)? {
                taken = Some(edge);
            }
        }
        let SymbolicEdge { edge, encoding } =
            taken.ok_or_else(|| Unknown::Internal("a trace takes no edge".into()))?;
        let command = &automaton.edge(*edge).command;
        let arcs =
            encoding.path(command, &mut |condition| evaluator.holds(arena, condition).map_err(fails))?;
        let mut havocs = Vec::new();
        for &arc in &arcs {
            if let Some(input) = encoding.havoc_input(arc) {
                havocs.push(evaluator.eval(arena, input).map_err(fails)?);
            }
        }
        builder.step(*edge, arcs, havocs);
        sink = Some(automaton.edge(*edge).target);
    }
    let sink = sink.ok_or_else(|| Unknown::Internal("a trace without steps".into()))?;
    Ok((sink, builder.finish()))
}
