//! What a verdict is about, in the places of the C program.

use crate::input::Input;
use crate::places::check_of;
use nilas_c::catalogue::{self, Meaning, Model};
use nilas_c::tree::{self, AddressBase, Callee, ExprKind, FunctionId};
use nilas_c::{Check, Property};
use nilas_evidence::Trace;
use nilas_report::{Finding, Question, Reached, Violation};

/// A check of the lowering as it is told.
pub(crate) fn of_check(input: &Input, check: &Check) -> Finding {
    let at = input.tree.as_ref().map(|tree| tree.sources.locate(check.span));
    let (file, line, column) = at.map(|at| (at.file, at.line, at.column)).unwrap_or_default();
    let (property, what) = (check.property, check.what.clone());
    let mut expression = check.expression.clone();
    // An assertion is named as its macro got it.
    if let (Some(text), Some(place)) = (&expression, input.source.place(check.span))
        && property != Property::Assert
    {
        expression = Some(nilas_report::as_written(&place, text));
    }
    Finding { property, what, file, line, column, expression }
}

/// What an execution of the second reading violates: the check of the lowering where there is one, for that
/// knows the expression.
pub(crate) fn of_reached(input: &Input, reached: &Reached) -> Option<Finding> {
    let violation = reached.violates.as_ref()?;
    let found = check_of(input, violation);
    let check = found.and_then(|key| input.checks.iter().find(|check| (check.property, check.span) == key));
    Some(match check {
        Some(check) => of_check(input, check),
        None => without_check(input, reached)?,
    })
}

/// The same at a place that the lowering does not list: its expression is the one of the text.
pub(crate) fn without_check(input: &Input, reached: &Reached) -> Option<Finding> {
    let violation = reached.violates.clone()?;
    let expression = input.tree.as_deref().and_then(|tree| expression(tree, &violation));
    let (property, file) = (violation.property, violation.file);
    let (line, column, what) = (violation.line, violation.column, reached.what.clone());
    Some(Finding { property, what, file, line, column, expression })
}

/// The text of what is at the place of a violation: the longest expression that begins there.
fn expression(tree: &tree::Program, violation: &Violation) -> Option<String> {
    let begins = |expr: &&tree::Expr| {
        let at = tree.sources.locate(expr.span);
        (&at.file, at.line, at.column) == (&violation.file, violation.line, violation.column)
    };
    let longest = || tree.exprs.iter().filter(begins).map(|expr| expr.span).max_by_key(|span| span.end);
    let span = violation.span.or_else(longest)?;
    let text = tree.sources.expression(span);
    Some(text.split_whitespace().collect::<Vec<_>>().join(" ")).filter(|text| !text.is_empty())
}

/// What an execution of the automaton violates: the check that its last edge belongs to.
pub(crate) fn of_trace(input: &Input, trace: &Trace) -> Option<Finding> {
    let last = trace.course.edges.last()?;
    let check = input.checks.iter().find(|check| check.edges.contains(last))?;
    Some(of_check(input, check))
}

/// What is asked about a program.
pub(crate) fn question(input: &Input) -> Question {
    let Some(tree) = input.tree.as_deref() else { return Question::Error };
    match input.checks.iter().any(|check| check.property == Property::Assert) {
        true => Question::Error,
        false if has_assertion(tree) => Question::NoneExecuted,
        false => Question::NoAssertion,
    }
}

/// Whether the text names a function whose call may be the error.
fn has_assertion(tree: &tree::Program) -> bool {
    let fails = |function: FunctionId| {
        let name = tree.functions[function].name.as_str();
        let meaning = catalogue::row(name).map(|row| row.model);
        matches!(name, "reach_error" | "__VERIFIER_error")
            || matches!(meaning, Some(Model::Lowering(Meaning::Error | Meaning::Assert)))
    };
    tree.exprs.iter().any(|expr| match &expr.kind {
        ExprKind::Call { callee: Callee::Function(function), .. }
        | ExprKind::Address { base: AddressBase::Function(function), .. } => fails(*function),
        _ => false,
    })
}
