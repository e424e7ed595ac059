//! Where in a program the places of waypoints are.

use super::{Column, Look, Point, Watched, Waypoints, spelled};
use crate::source::{Diagnostic, Location, Span};
use crate::tree::{Callee, ExprId, ExprKind, FunctionId, Program, StmtId, StmtKind, SwitchCase};
use crate::types::TypeId;

/// Things of the program that are looked at, all of one type.
pub(super) struct Site {
    /// The number of the place.
    pub(super) watched: usize,
    /// The type of what is looked at, in C; `void` if there is no value.
    pub(super) ty: &'static str,
    /// What it is.
    pub(super) exprs: Vec<(FunctionId, ExprId)>,
    /// Whether the value is one of a `case`, in C.
    pub(super) cases: String,
}

/// Something that can be looked at.
struct Thing {
    function: FunctionId,
    /// The statement of a branch; a loop `for (;;)` has no expression.
    statement: Option<StmtId>,
    expr: Option<ExprId>,
    location: Location,
}

pub(super) fn sites(program: &Program, waypoints: &Waypoints) -> Result<Vec<Site>, Diagnostic> {
    let things = Things::of(program);
    let mut sites = Vec::new();
    for (number, watched) in waypoints.watched.iter().enumerate() {
        let (kind, of_kind) = match &watched.what {
            Look::Branch => ("branch", &things.branches),
            Look::Case => ("`switch`", &things.switches),
            Look::Return(_) | Look::Enter => ("call", &things.calls),
            Look::Assumption => {
                let (exprs, cases) = (Vec::new(), String::new());
                sites.push(Site { watched: number, ty: "int", exprs, cases });
                continue;
            }
        };
        let line = watched.point.line;
        let fail = |what: &str| Err(Diagnostic::general(format!("{what} at line {line}")));
        let candidates: Vec<&Thing> = of_kind.iter().filter(|it| fits(program, it, watched)).collect();
        let chosen = match chosen(candidates, &watched.point) {
            Ok(chosen) => chosen,
            Err(0) => return fail(&format!("there is no {kind}")),
            Err(_) => return fail(&format!("there are several things of the kind of a {kind}")),
        };
        let mut exprs = Vec::new();
        let mut ty = None;
        for thing in &chosen {
            // The condition that is not there always holds, but it is no branch either.
            let Some(expr) = thing.expr else { return fail("a loop without condition") };
            exprs.push((thing.function, expr));
            let Some(own) = looked_at(program, &watched.what, program.exprs[expr].ty) else {
                return fail("a value that is no number");
            };
            if *ty.get_or_insert(own) != own {
                return fail("values of different types");
            }
        }
        let Some(ty) = ty else { return fail(&format!("there is no {kind}")) };
        let cases = chosen.iter().filter_map(|it| it.statement).map(|it| cases(program, it, ty)).collect();
        sites.push(Site { watched: number, ty, exprs, cases });
    }
    Ok(sites)
}

/// The type of what is looked at; `None` where it cannot be.
fn looked_at(program: &Program, what: &Look, ty: TypeId) -> Option<&'static str> {
    match what {
        Look::Enter => Some("void"),
        Look::Branch => Some("_Bool"),
        _ => spelled(program, ty),
    }
}

fn fits(program: &Program, thing: &Thing, watched: &Watched) -> bool {
    let named = match (&watched.what, thing.expr.map(|it| &program.exprs[it].kind)) {
        (Look::Return(Some(name)), Some(ExprKind::Call { callee: Callee::Function(called), .. })) => {
            program.functions[*called].name == *name
        }
        (Look::Return(Some(_)), _) => false,
        _ => true,
    };
    named && watched.point.is_at(program, &thing.location)
}

impl Point {
    /// Whether a place is in the same line of the same file. A file that the program does not have is taken
    /// for any: programs are moved and renamed.
    pub(super) fn is_at(&self, program: &Program, location: &Location) -> bool {
        let base = |name: &str| name.rsplit('/').next().unwrap_or_default().to_owned();
        let known = || program.sources.files().any(|file| file.base_name() == base(&self.file));
        self.line == location.line && (base(&self.file) == base(&location.file) || !known())
    }
}

/// The things that a place names, of those in its line; else how many there are.
fn chosen<'t>(mut candidates: Vec<&'t Thing>, point: &Point) -> Result<Vec<&'t Thing>, usize> {
    candidates.sort_by_key(|it| it.location.column);
    let number = candidates.len();
    match point.column {
        Column::Every if number > 0 => Ok(candidates),
        Column::First if number > 0 => Ok(candidates[..1].to_vec()),
        Column::At(column) => {
            let there: Vec<&Thing> =
                candidates.iter().copied().filter(|it| it.location.column == column).collect();
            match (there.len(), number) {
                (1, _) => Ok(there),
                (0, 1) => Ok(candidates),
                (0, _) => Err(number),
                _ => Err(there.len()),
            }
        }
        _ => Err(0),
    }
}

/// All that can be looked at.
#[derive(Default)]
struct Things {
    branches: Vec<Thing>,
    switches: Vec<Thing>,
    calls: Vec<Thing>,
}

impl Things {
    fn of(program: &Program) -> Things {
        let mut things = Things::default();
        for (function, definition) in program.functions.enumerate() {
            let Some(body) = definition.body else { continue };
            let (mut statements, mut exprs) = (Vec::new(), Vec::new());
            program.walk(body, |it| statements.push(it), |it| exprs.push(it));
            statements.sort_unstable();
            statements.dedup();
            exprs.sort_unstable();
            exprs.dedup();
            for statement in statements {
                let node = &program.stmts[statement];
                let (list, expr) = match node.kind {
                    StmtKind::If { condition, .. }
                    | StmtKind::While { condition, .. }
                    | StmtKind::DoWhile { condition, .. } => (&mut things.branches, Some(condition)),
                    StmtKind::For { condition, .. } => (&mut things.branches, condition),
                    StmtKind::Switch { value, .. } => (&mut things.switches, Some(value)),
                    _ => continue,
                };
                let location = program.sources.locate(node.span);
                list.push(Thing { function, statement: Some(statement), expr, location });
            }
            for expr in exprs {
                let node = &program.exprs[expr];
                if !matches!(node.kind, ExprKind::Call { .. }) {
                    continue;
                }
                let location = program.sources.locate(closing(node.span));
                things.calls.push(Thing { function, statement: None, expr: Some(expr), location });
            }
        }
        things
    }
}

/// The last byte of a span: the parenthesis that closes a call.
fn closing(span: Span) -> Span {
    Span { start: span.end.saturating_sub(1).max(span.start), ..span }
}

/// Whether `taken` is a value of a `case`.
fn cases(program: &Program, statement: StmtId, ty: &str) -> String {
    let StmtKind::Switch { cases, .. } = &program.stmts[statement].kind else { return "0".to_owned() };
    let number = |value: i128| match value {
        ..0 => format!("(-{}LL - 1)", -(value + 1)),
        _ => format!("{value}ULL"),
    };
    let one = |case: &SwitchCase| {
        let (low, high) = (number(case.low), number(case.high));
        format!("taken >= ({ty}){low} && taken <= ({ty}){high}")
    };
    let all: Vec<String> = cases.iter().map(one).collect();
    if all.is_empty() { "0".to_owned() } else { all.join(" || ") }
}
