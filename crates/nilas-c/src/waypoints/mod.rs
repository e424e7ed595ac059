//! The product of a program with a sequence of waypoints, such as a violation witness is one (format 2.0 of
//! the SV-COMP; Ayaziová et al., SPIN 2024): the error counts only in executions that pass all waypoints in
//! their order.
//!
//! A variable counts the waypoints that were passed. Where one can be passed, a call of a function stands
//! that looks whether it is the next one and whether what it asks for holds ([`put`]); an expression that has
//! a value there goes through the function. Their texts stand behind the program ([`Waypoints::text`]), so
//! that everything behind the type checker sees ordinary calls. The next waypoint is passed at the first
//! occasion; one that is to be avoided and is met ends the count for good. An error before all waypoints were
//! passed is a call of `abort`.
//!
//! Apart from that, executions are those of the program: nothing is added to it that it could see.

mod put;
mod sites;

use crate::source::Diagnostic;
use crate::tree::Program;
use crate::types::{TypeId, float_name, int_name};
use sites::Site;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The functions that look at waypoints begin so.
pub const FUNCTION: &str = "__nilas_waypoint_";
/// How many waypoints were passed.
const COUNT: &str = "__nilas_waypoints";
/// Whether all of them were.
const ALL: &str = "__nilas_all_waypoints";
/// What a failing assertion before that is.
const ELSE: &str = "__nilas_other_way";
/// What becomes of the condition of an assertion.
const CLAIM: &str = "__nilas_claim";
/// Where the text is, for messages.
const FILE: &str = "<nilas>/waypoints.c";

/// Waypoints that an execution has to pass.
#[derive(Clone, Debug, Default)]
pub struct Waypoints {
    /// Where they can be passed.
    pub watched: Vec<Watched>,
    /// How many there are.
    pub number: u32,
    /// Where the error is, if that is said: others do not count.
    pub target: Option<Point>,
}

/// A place, and the waypoints that can be passed there.
#[derive(Clone, Debug)]
pub struct Watched {
    /// What is looked at.
    pub what: Look,
    /// Where.
    pub point: Point,
    /// The waypoints, in their order.
    pub steps: Vec<Step>,
}

/// A place as others name it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Point {
    /// The file; only the last part of its name counts.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// Where in the line.
    pub column: Column,
}

/// A place in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Column {
    /// There, from 1; or if nothing is there, the only thing of its kind in the line.
    At(u32),
    /// The first thing of its kind in the line.
    First,
    /// Every thing of its kind in the line.
    Every,
}

/// What can be looked at.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Look {
    /// The condition of an `if` or a loop: its keyword is at the place.
    Branch,
    /// The value of a `switch`: its keyword is at the place.
    Case,
    /// The value that a call returns, of this function if it is named; its closing parenthesis is at the
    /// place.
    Return(Option<String>),
    /// A call; its closing parenthesis is at the place.
    Enter,
    /// Whatever the text says: it calls the function of the waypoint with a condition.
    Assumption,
}

/// A waypoint at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// How many waypoints are before it.
    pub after: u32,
    /// What holds there.
    pub condition: Condition,
    /// It must not be met.
    pub avoided: bool,
}

/// What holds at a waypoint.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Condition {
    /// An expression in C in which `taken` is the value that is looked at.
    Text(String),
    /// No `case` of a `switch` has the value.
    Default,
}

impl Waypoints {
    /// The functions that look at waypoints.
    fn text(&self, sites: &[Site]) -> String {
        let mut text = format!(
            "extern void abort(void);\nstatic int {COUNT};\n_Bool {ALL}(void) {{ return {COUNT} == {}; }}\n\
             void {ELSE}(void) {{ abort(); }}\n\
             _Bool {CLAIM}(_Bool taken) {{ if (!taken && !{ALL}()) abort(); return taken; }}\n",
            self.number
        );
        for site in sites {
            let (ty, number) = (site.ty, site.watched);
            match ty {
                "void" => _ = writeln!(text, "void {FUNCTION}{number}(void) {{ const int taken = 1;"),
                _ => _ = writeln!(text, "{ty} {FUNCTION}{number}({ty} taken) {{"),
            }
            let _ = writeln!(text, "    switch ({COUNT}) {{");
            let mut by_body: BTreeMap<String, Vec<u32>> = BTreeMap::new();
            let mut by_count: BTreeMap<u32, String> = BTreeMap::new();
            for step in &self.watched[site.watched].steps {
                let condition = match &step.condition {
                    Condition::Text(text) => text.clone(),
                    Condition::Default => format!("!({})", site.cases),
                };
                let to = if step.avoided { format!("{COUNT} = -1") } else { format!("{COUNT}++") };
                let body = by_count.entry(step.after).or_default();
                let _ = write!(body, "if ({condition}) {{ {to}; break; }} ");
            }
            for (count, body) in by_count {
                by_body.entry(body).or_default().push(count);
            }
            for (body, counts) in by_body {
                let labels: Vec<String> = counts.iter().map(|count| format!("case {count}:")).collect();
                let _ = writeln!(text, "    {} {body}break;", labels.join(" "));
            }
            text.push_str(if ty == "void" { "    }\n}\n" } else { "    }\n    return taken;\n}\n" });
        }
        text
    }
}

/// What is found before the program is linked, and used after.
pub(crate) struct Found {
    sites: Vec<Site>,
}

/// Looks for the places of waypoints, and tells the text that is to be a file of the program.
///
/// # Errors
/// A waypoint at a place where there is nothing of its kind.
pub(crate) fn find(program: &Program, waypoints: &Waypoints) -> Result<(Found, String, String), Diagnostic> {
    let sites = sites::sites(program, waypoints)?;
    let text = waypoints.text(&sites);
    Ok((Found { sites }, FILE.to_owned(), text))
}

/// Puts the calls in.
///
/// # Errors
/// Errors that cannot be told apart.
pub(crate) fn put_in(program: &mut Program, waypoints: &Waypoints, found: &Found) -> Result<(), Diagnostic> {
    put::Put { program }.all(waypoints, &found.sites)
}

/// The type as a text of C that every file understands; `None` for what is no number.
fn spelled(program: &Program, ty: TypeId) -> Option<&'static str> {
    let types = &program.types;
    let int = types.int_kind(ty).map(int_name);
    int.or_else(|| types.float_kind(ty).map(float_name))
}
