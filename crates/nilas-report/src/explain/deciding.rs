//! Which inputs of an execution decide that it reaches the error.
//!
//! Each input is given a few other values, all else as it was, and the execution is replayed. If one of them
//! keeps it from the error, the input decides. If none does, other values may still: that is why the ones
//! tried are told.

use crate::source::Source;
use nilas_evidence::{Execution, Trace, Verdict, follow};
use nilas_program::{HavocSite, Program, Span, VarId};
use nilas_smt::Budget;
use nilas_term::{BitVec, Sort, Value};
use std::collections::BTreeMap;

/// Steps that all replays together may take, by the length of the execution: beyond that inputs are not
/// tried.
const STEPS: usize = 300_000;

/// More inputs than this are counted instead of told.
const INPUTS: usize = 40;

/// An execution and what it depends on.
#[derive(Clone, Debug)]
pub struct Deciding {
    /// Edges taken.
    pub steps: usize,
    /// The inputs in the order in which they are read; the first ones, if there are many.
    pub inputs: Vec<Input>,
    /// How many inputs there are.
    pub count: usize,
}

/// An input of an execution.
#[derive(Clone, Debug)]
pub struct Input {
    /// What the user calls it.
    pub name: String,
    /// Where it is read.
    pub span: Span,
    /// Its value.
    pub value: Value,
    /// A value with which the error is not reached, if one was found.
    pub otherwise: Option<Value>,
    /// Whether other values were tried.
    pub tried: bool,
}

/// Where a value comes from.
enum Origin {
    Initial(VarId),
    Havoc(HavocSite, u64),
}

/// Tries the inputs of an accepted execution that does what the trace says.
#[must_use]
pub fn deciding(
    program: &Program,
    source: &Source,
    execution: &Execution,
    trace: &Trace,
    budget: &Budget,
) -> Deciding {
    let found = origins(program, source, trace);
    let steps = usize::try_from(trace.course.steps).unwrap_or(usize::MAX);
    let (count, length) = (found.len(), steps.max(1));
    let mut spent = 0;
    let mut inputs = Vec::new();
    for (origin, name, span, value) in found.into_iter().take(INPUTS) {
        let mut input = Input { name, span, value, otherwise: None, tried: false };
        for other in others(&input.value) {
            spent += length;
            if spent > STEPS || budget.exhausted().is_some() {
                break;
            }
            input.tried = true;
            let mut changed = execution.relaxed();
            match origin {
                Origin::Initial(variable) => changed.initial.insert(variable, other.clone()),
                Origin::Havoc(site, occurrence) => changed.havocs.insert((site, occurrence), other.clone()),
            };
            let ended = follow(program, &changed, budget);
            let undecided = matches!(ended, Err(nilas_evidence::Rejection::Undecided(_)));
            if !undecided && ended.map(|course| course.verdict) != Ok(Verdict::Unsafe) {
                input.otherwise = Some(other);
                break;
            }
        }
        inputs.push(input);
    }
    Deciding { steps, inputs, count }
}

/// The inputs of a trace that the user has a word for. In an automaton the initial values count too.
fn origins(program: &Program, source: &Source, trace: &Trace) -> Vec<(Origin, String, Span, Value)> {
    let automaton = &program.automaton;
    let mut found = Vec::new();
    if !source.is_c() {
        for id in automaton.variable_ids() {
            let variable = automaton.variable(id);
            if !matches!(variable.sort, Sort::Array(_)) {
                let value = trace.initial[id.index()].clone();
                found.push((
                    Origin::Initial(id),
                    format!("{} at the start", variable.name),
                    Span::default(),
                    value,
                ));
            }
        }
    }
    let mut occurrences: BTreeMap<HavocSite, u64> = BTreeMap::new();
    for (site, value) in &trace.course.inputs {
        let occurrence = occurrences.entry(*site).or_default();
        let (havoc, number) = (automaton.havoc(*site), *occurrence);
        *occurrence += 1;
        let variable = automaton.variable(havoc.variable);
        let name = match source.input_name(*site) {
            Some(name) => name.to_owned(),
            None if variable.name.contains('%') || matches!(variable.sort, Sort::Array(_)) => continue,
            None => variable.name.clone(),
        };
        found.push((Origin::Havoc(*site, number), name, havoc.span, value.clone()));
    }
    found
}

/// A few other values: zero, one, the neighbours, all ones.
fn others(value: &Value) -> Vec<Value> {
    match value {
        Value::Bool(value) => vec![Value::Bool(!value)],
        Value::BitVec(bits) => {
            let width = bits.width();
            let one = BitVec::one(width);
            let ones = BitVec::ones(width);
            let mut others = Vec::new();
            for other in [BitVec::zero(width), bits.add(&one), bits.sub(&one), one, ones] {
                if other != *bits && !others.contains(&other) {
                    others.push(other);
                }
            }
            others.into_iter().map(Value::BitVec).collect()
        }
        _ => Vec::new(),
    }
}
