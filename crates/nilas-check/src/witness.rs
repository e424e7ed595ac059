//! What an answer says as a witness that other checkers can read ([`nilas_report::witness`]).

use crate::answer::{Answer, Parts};
use crate::input::Input;
use crate::path::{Turn, path};
use crate::refusal::Refusal;
use crate::task::Task;
use nilas_c::Head;
use nilas_c::source::Span;
use nilas_c::tree::{ExprKind, Program, StmtId};
use nilas_evidence::{Evidence, Invariant as Proof};
use nilas_report::witness::{Invariant, Location, Metadata, Waypoint, Witness, graphml, render};
use nilas_report::{Conclusion, Reached, Scalar, Scalars, Source, c_formula, harness};
use nilas_run::{ChoiceKind, Made, Place};
use nilas_term::{Arena, Op, Term};
use std::collections::BTreeMap;

/// The property that competitions ask for.
const UNREACH_CALL: &str = "CHECK( init(main()), LTL(G ! call(reach_error())) )";

/// How a witness is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WitnessFormat {
    /// Format 2.0.
    Yaml,
    /// Format 1.0.
    GraphMl,
}

impl Answer {
    /// A witness of the SV-COMP; `None` where there is no verdict about one C program. `created` is the time
    /// in seconds since 1970.
    ///
    /// # Errors
    /// When a file of the program cannot be read any more.
    pub fn witness(
        &self,
        task: &Task,
        created: u64,
        format: WitnessFormat,
    ) -> Result<Option<String>, Refusal> {
        let (Task::C(program), Some(input), Parts::One) = (task, self.input.as_deref(), &self.parts) else {
            return Ok(None);
        };
        let Some(tree) = &input.tree else { return Ok(None) };
        // Others know of `main` alone, and of the files that they are given.
        let language = &program.language;
        let other = language.caller.is_some() || !language.interrupts.handlers.is_empty();
        if other || program.files.is_empty() {
            return Ok(None);
        }
        let witness = match (&self.summary.conclusion, &self.summary.replayed) {
            (Conclusion::Safe(Evidence::Invariant(proof)), _) => {
                Witness::Correctness(invariants(input, proof))
            }
            (Conclusion::Safe(_), _) => Witness::Correctness(Vec::new()),
            (Conclusion::Reached(reached), _) | (_, Some(Ok(reached))) => {
                Witness::Violation(waypoints(input, reached))
            }
            _ => return Ok(None),
        };
        let mut files = Vec::new();
        for text in &program.files {
            files.push((text.name(), text.bytes()?));
        }
        let data_model = if tree.types.model().pointer_size() == 4 { "ILP32" } else { "LP64" };
        let specification = UNREACH_CALL.to_owned();
        let version = env!("CARGO_PKG_VERSION");
        let metadata = Metadata { version, created, files, specification, data_model };
        Ok(Some(match format {
            WitnessFormat::Yaml => render(&metadata, &witness),
            WitnessFormat::GraphMl => graphml::render(&metadata, &witness),
        }))
    }
}

/// What holds at the heads of loops, as far as it speaks about variables that are in scope there. A loop that
/// has several locations (its function is inlined) is left out, unless the same holds at all of them.
fn invariants(input: &Input, proof: &Proof) -> Vec<Invariant> {
    let Source::C { scalars, .. } = &input.source else { return Vec::new() };
    // Addresses of the automaton mean nothing to others.
    let scalars = Scalars { addresses: BTreeMap::new(), ..scalars.clone() };
    let mut loops: BTreeMap<nilas_c::tree::StmtId, Vec<&Head>> = BTreeMap::new();
    for head in &input.heads {
        loops.entry(head.statement).or_default().push(head);
    }
    let mut all = Vec::new();
    for heads in loops.values() {
        let told: Vec<Option<(Location, String)>> =
            heads.iter().map(|head| at_head(input, proof, &scalars, head)).collect();
        if let Some(Some((location, value))) = told.first()
            && told.iter().all(|it| it == &told[0])
        {
            let (location, value) = (location.clone(), value.clone());
            all.push(Invariant { is_loop: true, location, value });
        }
    }
    all
}

fn at_head(input: &Input, proof: &Proof, scalars: &Scalars, head: &Head) -> Option<(Location, String)> {
    let &formula = proof.formulas.get(&head.location)?;
    let span = input.program.automaton.location(head.location).span;
    let (place, function) = (input.source.place(span)?, input.source.function(span)?);
    let arena = &proof.arena;
    let conjuncts = match arena.op(formula) {
        Op::And => arena.children(formula),
        _ => std::slice::from_ref(&formula),
    };
    let kept: Vec<Term> =
        conjuncts.iter().copied().filter(|&it| is_in_scope(arena, it, function, scalars)).collect();
    let facts: Vec<String> = c_formula::facts_of(arena, &kept, scalars)
        .into_iter()
        .filter(|fact| is_expression(fact))
        .map(|fact| format!("({fact})"))
        .collect();
    if facts.is_empty() {
        return None;
    }
    let (line, column) = (place.line as u64, Some(place.column as u64));
    let location = Location { file: place.file, line, column, function: Some(function.to_owned()) };
    Some((location, facts.join(" && ")))
}

/// Whether a formula speaks about statics and variables of a function alone, and about no addresses.
fn is_in_scope(arena: &Arena, formula: Term, function: &str, scalars: &Scalars) -> bool {
    arena.free_variables(formula).iter().all(|&variable| {
        let name = arena.name(variable).unwrap_or_default();
        let own = match name.rsplit_once("::") {
            Some((scope, last)) => scope == function && last != "return",
            None => true,
        };
        let plain = !name.contains(['%', '~', '@', '#']);
        let typed = scalars.types.get(name);
        own && plain && typed.is_some_and(|scalar| *scalar != Scalar::Pointer)
    })
}

/// Whether a fact is an expression of C: no call stands for what C has no operator for, and nothing is cut.
fn is_expression(fact: &str) -> bool {
    let letters: Vec<char> = fact.chars().collect();
    let called = letters.windows(2).any(|pair| pair[0].is_alphanumeric() && pair[1] == '(');
    let words = ["…", " ? ", " with [", "never reached", "NAN", "INFINITY", "a constant array"];
    !called && !words.iter().any(|word| fact.contains(word))
}

/// The branches and the values that calls return on the way, and where it ends.
fn waypoints(input: &Input, reached: &Reached) -> Vec<Waypoint> {
    let Some(tree) = &input.tree else { return Vec::new() };
    let calls = Calls::of(tree);
    let waypoint = |turn: Turn| match turn {
        Turn::Branch(statement, taken) => Some(branch(tree, statement, taken)),
        Turn::Choice(made) => returned(tree, &calls, &made),
    };
    let mut all: Vec<Waypoint> = path(tree, &reached.text).into_iter().filter_map(waypoint).collect();
    if let Some(violation) = &reached.violates {
        let (line, column) = (u64::from(violation.line), Some(u64::from(violation.column)));
        let at = format!("{}:{}:", violation.file, violation.line);
        let blamed = reached.stack.iter().find(|(_, place)| place.starts_with(&at));
        let function = blamed.map(|(function, _)| function.clone());
        let location = Location { file: violation.file.clone(), line, column, function };
        let (constraint, called) = (None, None);
        all.push(Waypoint { kind: "target".into(), location, constraint, avoided: false, called });
    }
    all
}

fn location(at: nilas_c::source::Location) -> Location {
    let (line, column) = (u64::from(at.line), Some(u64::from(at.column)));
    Location { file: at.file, line, column, function: None }
}

/// A branch: its keyword is the place.
fn branch(tree: &Program, statement: StmtId, taken: bool) -> Waypoint {
    let location = location(tree.sources.locate(tree.stmts[statement].span));
    let constraint = Some(taken.to_string());
    Waypoint { kind: "branching".into(), location, constraint, avoided: false, called: None }
}

/// Where calls begin, and where the parenthesis is that closes them.
struct Calls(BTreeMap<(String, u32, u32), nilas_c::source::Location>);

impl Calls {
    fn of(tree: &Program) -> Calls {
        let mut all = BTreeMap::new();
        for expr in tree.exprs.iter().filter(|expr| matches!(expr.kind, ExprKind::Call { .. })) {
            let span = expr.span;
            let start = tree.sources.locate(span);
            let last = Span { start: span.end.saturating_sub(1).max(span.start), ..span };
            all.insert((start.file, start.line, start.column), tree.sources.locate(last));
        }
        Calls(all)
    }
}

/// The return of a call with a number; floats are written exactly.
fn returned(tree: &Program, calls: &Calls, made: &Made) -> Option<Waypoint> {
    let choice = &made.choice;
    if choice.kind != ChoiceKind::Input {
        return None;
    }
    let declared = tree.functions.iter().find(|function| function.name == choice.name)?;
    let result = tree.types.as_function(declared.ty)?.result;
    let value = match tree.types.int_kind(result) {
        Some(_) => made.value.to_string(),
        // Constants only: what is no number has none.
        None => {
            tree.types.float_kind(result)?;
            let text = harness::literal(tree, result, made.value)?;
            Some(text).filter(|text| !text.contains('_'))?
        }
    };
    let Place { file, line, column, .. } = &choice.place;
    let location = location(calls.0.get(&(file.clone(), *line, *column))?.clone());
    let constraint = Some(format!("\\result == {value}"));
    let called = Some(choice.name.clone());
    Some(Waypoint { kind: "function_return".into(), location, constraint, avoided: false, called })
}
