//! A program in which the error counts only in executions that pass the waypoints of a witness; see
//! [`nilas_c::waypoints`].
//!
//! Branches, calls and what they return are found in the typed tree. An assumption is an expression in the
//! scope of its place, so it becomes text there: a statement that is put in front of the one at its place
//! (format 2.0), or behind it (GraphML, where it holds after the edge). What is not understood makes the
//! product impossible, and says why.

use super::instrument::semicolon;
use super::{Format, base, pure};
use crate::task::{CProgram, Text};
use nilas_c::tree::{Program, StmtKind};
use nilas_c::waypoints::{Column, Condition, FUNCTION, Look, Point, Step, Watched, Waypoints};
use nilas_report::witness::Waypoint;

/// See the module's text. `tree` is that of the program as it is.
///
/// # Errors
/// Why there is none.
pub(super) fn product(
    program: &CProgram,
    tree: &Program,
    waypoints: &[Waypoint],
    format: Format,
) -> Result<CProgram, String> {
    let mut all = Waypoints::default();
    let mut assumptions = Vec::new();
    for waypoint in waypoints {
        let point = point(waypoint, format)?;
        let line = point.line;
        if waypoint.kind == "target" {
            if waypoint.avoided {
                return Err(format!("its target at line {line} is to be avoided"));
            }
            all.target = Some(point);
            continue;
        }
        if all.target.is_some() {
            return Err("it goes on behind its target".to_owned());
        }
        let constraint = waypoint.constraint.as_deref().map(str::trim);
        let (what, condition) = match (waypoint.kind.as_str(), constraint) {
            ("branching", Some("true")) => (Look::Branch, Condition::Text("taken".to_owned())),
            ("branching", Some("false")) => (Look::Branch, Condition::Text("!taken".to_owned())),
            ("branching", Some("default")) => (Look::Case, Condition::Default),
            ("branching", Some(value)) if value.parse::<i64>().is_ok() => {
                (Look::Case, Condition::Text(format!("taken == {value}")))
            }
            ("function_enter", _) => (Look::Enter, Condition::Text("1".to_owned())),
            ("function_return", Some(value)) => {
                (Look::Return(waypoint.called.clone()), Condition::Text(returned(value, line)?))
            }
            ("assumption", Some(value)) => {
                if !pure::is_pure(value) {
                    return Err(format!("its assumption at line {line} is more than a plain expression"));
                }
                let known = assumptions.iter().find(|(_, at, text)| (at, *text) == (&point, value));
                let number = known.map_or(all.watched.len(), |&(number, ..)| number);
                if known.is_none() {
                    assumptions.push((number, point.clone(), value));
                    let (point, steps) = (point.clone(), Vec::new());
                    all.watched.push(Watched { what: Look::Assumption, point, steps });
                }
                let condition = Condition::Text("taken".to_owned());
                let step = Step { after: all.number, condition, avoided: waypoint.avoided };
                all.watched[number].steps.push(step);
                all.number += u32::from(!waypoint.avoided);
                continue;
            }
            (kind, _) => {
                return Err(format!("its waypoint of type `{kind}` at line {line} is not understood"));
            }
        };
        let step = Step { after: all.number, condition, avoided: waypoint.avoided };
        match all.watched.iter_mut().find(|it| it.what == what && it.point == point) {
            Some(watched) => watched.steps.push(step),
            None => all.watched.push(Watched { what, point, steps: vec![step] }),
        }
        all.number += u32::from(!waypoint.avoided);
    }
    let mut files = Vec::new();
    let mut placed = 0;
    for file in &program.files {
        let own = |point: &Point| program.files.len() == 1 || base(&point.file) == base(&file.name());
        let here: Vec<_> = assumptions.iter().filter(|(_, point, _)| own(point)).collect();
        placed += here.len();
        if here.is_empty() {
            files.push(file.clone());
            continue;
        }
        let text = file.text().map_err(|refusal| refusal.message)?;
        let mut insertions = Vec::new();
        for (number, point, value) in here {
            let looks = format!("{FUNCTION}{number}(({value}) ? 1 : 0)");
            insertions.extend(insertion(tree, &text, &file.name(), point, &looks, format)?);
        }
        // From the end on, so that positions stay what they are.
        insertions.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
        let mut out = text.clone();
        for (at, piece) in insertions {
            out.insert_str(at, &piece);
        }
        let declared = |(number, ..): &(usize, Point, &str)| format!("extern int {FUNCTION}{number}(int);\n");
        let head: String = assumptions.iter().map(declared).collect();
        let bytes = format!("{head}{}{out}", marker(&file.name(), 1)).into_bytes();
        files.push(Text::Given { name: file.name(), bytes });
    }
    if placed < assumptions.len() {
        return Err("it is about a file that the program does not have".to_owned());
    }
    let mut program = CProgram { files, ..program.clone() };
    program.language.waypoints = Some(all);
    Ok(program)
}

fn point(waypoint: &Waypoint, format: Format) -> Result<Point, String> {
    let number = |it: u64| u32::try_from(it).map_err(|_| format!("line {it}"));
    let line = number(waypoint.location.line)?;
    let column = match (format, waypoint.location.column) {
        (Format::One, _) => Column::Every,
        (Format::Two, None) => Column::First,
        (Format::Two, Some(column)) => Column::At(number(column)?),
    };
    Ok(Point { file: waypoint.location.file.clone(), line, column })
}

/// What a call returns, as C about `taken`.
fn returned(constraint: &str, line: u32) -> Result<String, String> {
    let wrong = || format!("its constraint at line {line} was not understood");
    let text = constraint.replace("\\result", "taken");
    let names = text.split(|it: char| !it.is_alphanumeric() && it != '_' && it != '.');
    // Numbers begin with a digit or a dot.
    let other = |word: &str| word.starts_with(|it: char| it.is_alphabetic() || it == '_') && word != "taken";
    if !pure::is_pure(&text) || names.clone().any(other) || !names.clone().any(|word| word == "taken") {
        return Err(wrong());
    }
    // Constants that no signed type has.
    let large = |word: &&str| word.parse::<u64>().is_ok_and(|value| i64::try_from(value).is_err());
    let found: Vec<&str> = names.filter(large).collect();
    Ok(found.iter().fold(text.clone(), |text, word| text.replace(word, &format!("{word}ULL"))))
}

/// A line as the compiler marks it.
fn marker(name: &str, line: u32) -> String {
    let name = name.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\n# {line} \"{name}\"\n")
}

/// The texts that look at an assumption, and where they are put. What follows keeps its line and column.
fn insertion(
    tree: &Program,
    text: &str,
    name: &str,
    point: &Point,
    looks: &str,
    format: Format,
) -> Result<Vec<(usize, String)>, String> {
    let wrong = || format!("there is no statement at line {}", point.line);
    let line = usize::try_from(point.line).map_err(|_| wrong())?;
    let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let own = text.get(start..).and_then(|rest| rest.lines().next()).ok_or_else(wrong)?;
    let (column, kind) = statement(tree, name, point, own)?;
    let before = usize::try_from(column.saturating_sub(1)).map_err(|_| wrong())?;
    let at = start + own.char_indices().nth(before).map(|(at, _)| at).ok_or_else(wrong)?;
    let resumed = |at: usize| {
        let line = text[..at].matches('\n').count();
        let begin = text[..at].rfind('\n').map_or(0, |it| it + 1);
        let blanks = " ".repeat(text[begin..at].chars().count());
        format!("{}{blanks}", marker(name, u32::try_from(line + 1).unwrap_or(u32::MAX)))
    };
    match (format, kind) {
        (_, Kind::Label) => Err(format!("its assumption at line {} is one at a label", point.line)),
        (Format::Two, Kind::Declaration) => Ok(vec![(at, format!("\n{looks};{}", resumed(at)))]),
        // One statement with the one that follows, wherever that stands.
        (Format::Two, _) => Ok(vec![(at, format!("\nif ({looks}, 0) ; else {}", resumed(at)))]),
        (Format::One, Kind::Declaration | Kind::Expression) => {
            let end = semicolon(text, at).ok_or_else(wrong)? + 1;
            if kind == Kind::Declaration {
                return Ok(vec![(end, format!("\n{looks};{}", resumed(end)))]);
            }
            let open = (at, format!("\n{{ {}", resumed(at)));
            Ok(vec![open, (end, format!("\n{looks}; }} {}", resumed(end)))])
        }
        (Format::One, _) => Err(format!("its assumption at line {} is behind no expression", point.line)),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Declaration,
    Expression,
    Label,
    Other,
}

/// The column and the kind of the statement that a place names in a line.
fn statement(tree: &Program, name: &str, point: &Point, line: &str) -> Result<(u32, Kind), String> {
    let mut found: Vec<(u32, Kind)> = Vec::new();
    for node in &tree.stmts {
        let location = tree.sources.locate(node.span);
        if location.line != point.line || base(&location.file) != base(name) {
            continue;
        }
        let kind = match node.kind {
            StmtKind::Declare(_) => Kind::Declaration,
            StmtKind::Expr(_) => Kind::Expression,
            StmtKind::Label(_) => Kind::Label,
            _ => Kind::Other,
        };
        let column = match kind {
            Kind::Declaration => declaration(line, location.column),
            _ => location.column,
        };
        found.push((column, kind));
    }
    found.sort_by_key(|&(column, kind)| (column, kind == Kind::Declaration));
    let there = match point.column {
        Column::At(column) => found.iter().find(|it| it.0 == column),
        _ => found.first(),
    };
    there
        .copied()
        .ok_or_else(|| format!("no statement begins at the place of its assumption at line {}", point.line))
}

/// Where the declaration begins whose declarator stands at a column: behind what ends the statement before.
fn declaration(line: &str, declarator: u32) -> u32 {
    let before = usize::try_from(declarator.saturating_sub(1)).unwrap_or(usize::MAX);
    let before: Vec<char> = line.chars().take(before).collect();
    let start = before.iter().rposition(|&it| ";{}()".contains(it)).map_or(0, |at| at + 1);
    let blanks = before[start..].iter().take_while(|it| it.is_whitespace()).count();
    u32::try_from(start + blanks + 1).unwrap_or(declarator)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_begin_with_their_type() {
        assert_eq!(declaration("  int y = 0;", 7), 3);
        assert_eq!(declaration("  f(); unsigned long *p;", 23), 8);
        assert_eq!(declaration("  { int i = f(1), j;", 9), 5);
    }

    #[test]
    fn constraints_are_about_the_result() {
        assert_eq!(returned("\\result == -5", 1).as_deref(), Ok("taken == -5"));
        let large = returned("\\result == 18446744073709551615", 1);
        assert_eq!(large.as_deref(), Ok("taken == 18446744073709551615ULL"));
        for wrong in ["\\result == x", "5 == 5", "\\result = 5", "f(\\result)"] {
            assert!(returned(wrong, 1).is_err(), "{wrong}");
        }
    }
}
