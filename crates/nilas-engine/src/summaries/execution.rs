//! From a derivation to an execution of the flat automaton.
//!
//! A derivation is a tree of rules. Walked in order it is an execution of the module: what is before a call,
//! the way into it, what the callee does, and the way out. The flat automaton has the same moves, as far as
//! it unrolls recursion; beyond, its execution ends in *unmodelled*.

use super::facts::Fact;
use super::instance::{Derivation, Summaries};
use super::rules::{Block, Origin, Rule};
use crate::execution::{ExecutionBuilder, sites};
use crate::outcome::Unknown;
use nilas_evidence::Execution;
use nilas_program::procedures::{Blocks, Came, WithCalls};
use nilas_program::{ArcId, Basic, CallId, EdgeId, LocationId, Program, VarId};
use nilas_term::{Arena, Evaluator, Model, Term, Value};
use std::collections::BTreeMap;

/// Longer executions are not built.
const LONGEST: usize = 2_000_000;

/// A move of the module.
enum Move {
    /// Over an edge, with the values that its `havoc`s choose.
    Edge(EdgeId, Vec<ArcId>, Vec<Value>),
    Enter(CallId),
    Leave(CallId),
    /// The values that variables have at the entry, of the program or of the callee of the last call.
    Begin(BTreeMap<Term, Value>),
}

/// What is still to be walked.
enum Walk<'f> {
    Fact(&'f Fact, Vec<Value>),
    Move(Move),
}

// Given to `map_err`, which passes errors by value.
#[allow(clippy::needless_pass_by_value)]
fn internal(error: impl ToString) -> Unknown {
    Unknown::Internal(error.to_string())
}

fn model_of(terms: &[Term], values: &[Value]) -> Model {
    let mut model = Model::new();
    for (&term, value) in terms.iter().zip(values) {
        model.set(term, value.clone());
    }
    model
}

/// The moves of a derivation.
fn moves(
    arena: &Arena,
    instance: &Summaries<'_>,
    blocks: &Blocks,
    derivation: &Derivation,
) -> Result<Vec<Move>, Unknown> {
    let automaton = &blocks.module.program.automaton;
    let mut moves: Vec<Move> = Vec::new();
    let mut walk = vec![Walk::Fact(&derivation.fact, derivation.inputs.clone())];
    while let Some(next) = walk.pop() {
        if moves.len() > LONGEST || walk.len() > LONGEST {
            return Err(Unknown::Bound { what: "step of the execution", limit: LONGEST as u64 });
        }
        let (fact, inputs) = match next {
            Walk::Move(step) => {
                moves.push(step);
                continue;
            }
            Walk::Fact(fact, inputs) => (fact, inputs),
        };
        let rule: &Rule = &instance.rules.rules[fact.rule];
        let mut evaluator = Evaluator::new(model_of(&fact.inputs, &inputs)).with_defaults();
        let mut known = BTreeMap::new();
        for (&input, &term) in rule.inputs.iter().zip(&fact.rule_inputs) {
            known.insert(input, evaluator.eval(arena, term).map_err(internal)?);
        }
        let mut children = Vec::new();
        for ((id, terms), premise) in fact.children.iter().zip(&rule.premises) {
            let child = &instance.facts[*id];
            let mut values = Vec::with_capacity(terms.len());
            for &term in terms {
                values.push(evaluator.eval(arena, term).map_err(internal)?);
            }
            if rule.origin.block().is_some() {
                let mut inside = Evaluator::new(model_of(&child.inputs, &values)).with_defaults();
                for (&variable, &term) in premise.variables.iter().zip(&child.values) {
                    known.insert(variable, inside.eval(arena, term).map_err(internal)?);
                }
            }
            children.push(Walk::Fact(child, values));
        }
        // Last things first.
        if let Some(call) = rule.origin.call() {
            if matches!(rule.origin, Origin::Return(..)) {
                walk.push(Walk::Move(Move::Leave(call)));
            }
            let Some(callee) = children.pop() else {
                return Err(internal("a call has a callee"));
            };
            walk.push(callee);
            walk.push(Walk::Move(Move::Enter(call)));
        }
        if let Some(Block { edge, encoding }) = rule.origin.block() {
            let mut model = Model::new();
            for (&variable, value) in &known {
                model.set(variable, value.clone());
            }
            let mut evaluator = Evaluator::new(model).with_defaults();
            let command = &automaton.edge(*edge).command;
            let arcs = encoding
                .path(command, &mut |condition| evaluator.holds(arena, condition).map_err(internal))?;
            let mut havocs = Vec::new();
            for &arc in &arcs {
                if let Some(input) = encoding.havoc_input(arc) {
                    havocs.push(evaluator.eval(arena, input).map_err(internal)?);
                }
            }
            walk.push(Walk::Move(Move::Edge(*edge, arcs, havocs)));
        }
        if children.is_empty() {
            walk.push(Walk::Move(Move::Begin(known)));
        }
        walk.extend(children);
    }
    Ok(moves)
}

/// The execution of the flat automaton, as far as it goes.
pub(super) fn execution(
    arena: &Arena,
    instance: &Summaries<'_>,
    blocks: &Blocks,
    flat: &Program,
    calls: &WithCalls,
    derivation: &Derivation,
) -> Result<Execution, Unknown> {
    let automaton = &flat.automaton;
    let mut outgoing: BTreeMap<(LocationId, Came), EdgeId> = BTreeMap::new();
    for id in automaton.edge_ids() {
        let came = calls.came.get(id.index()).copied().ok_or_else(|| internal("an edge of no module"))?;
        outgoing.insert((automaton.edge(id).source, came), id);
    }
    let mut builder = ExecutionBuilder::new(automaton);
    let mut here = automaton.entry;
    let mut entering: Option<CallId> = None;
    let names = &calls.module.program.automaton;
    for step in moves(arena, instance, blocks, derivation)? {
        match step {
            // The way in is taken when it is known what variables hold there.
            Move::Enter(call) => entering = Some(call),
            Move::Begin(known) => {
                let value = |variable: VarId| known.get(&names.variable(variable).term);
                let Some(call) = entering.take() else {
                    for variable in names.variable_ids() {
                        if let Some(value) = value(variable) {
                            builder.initial(automaton.variable(variable).term, value.clone());
                        }
                    }
                    continue;
                };
                let Some(&edge) = outgoing.get(&(here, Came::Enter(call))) else {
                    let Some(&cut) = outgoing.get(&(here, Came::Cut(call))) else {
                        return Err(internal("a call is not in the automaton"));
                    };
                    builder.step(cut, Vec::new(), Vec::new());
                    return Ok(builder.finish());
                };
                let command = &automaton.edge(edge).command;
                let arcs: Vec<ArcId> = command.arc_ids().map(|(arc, _)| arc).collect();
                let mut havocs = Vec::new();
                for arc in command.arcs() {
                    let Basic::Havoc(variable, _) = arc.basic else { continue };
                    let of = calls.variable(variable);
                    let known = of.and_then(value).cloned();
                    let sort = &automaton.variable(variable).sort;
                    havocs.push(known.unwrap_or_else(|| Value::default_of(sort)));
                }
                builder.step(edge, arcs, havocs);
                here = automaton.edge(edge).target;
            }
            Move::Leave(call) => {
                let Some(&edge) = outgoing.get(&(here, Came::Leave(call))) else {
                    return Err(internal("a call does not come back"));
                };
                let arcs = automaton.edge(edge).command.arc_ids().map(|(arc, _)| arc).collect();
                builder.step(edge, arcs, Vec::new());
                here = automaton.edge(edge).target;
            }
            Move::Edge(block, arcs, havocs) => {
                let mut havocs = havocs.into_iter();
                for (edge, arcs) in blocks.path(block, &arcs) {
                    let Some(&edge) = outgoing.get(&(here, Came::Edge(edge))) else {
                        return Err(internal("an edge is not in the automaton"));
                    };
                    let count = sites(automaton, edge, &arcs).count();
                    builder.step(edge, arcs, havocs.by_ref().take(count).collect());
                    here = automaton.edge(edge).target;
                }
            }
        }
    }
    Ok(builder.finish())
}
