//! Evidence about transition systems on disk.
//!
//! ```text
//! (invariant (induction 2) (always (bvult x #x05)))
//! (trace (moment (x #x00) (in #b1)) (moment (x #x01) (in #b0)))
//! ```
//! Variables and inputs are named. There is no header: how a system is named is up to whoever has it.

use super::{Reading, read_induction, write_induction};
use crate::evidence::Induction;
use crate::header::word;
use crate::system::{Moment, SystemEvidence, SystemInvariant, SystemTrace};
use nilas_program::TransitionSystem;
use nilas_term::smtlib::sexpr::{Reader, Sexpr};
use nilas_term::smtlib::{ParseError, print_term, print_value, quote_symbol};
use nilas_term::{Arena, Sort, Term};
use std::fmt::Write;

/// The text of evidence about a system, whose terms belong to the arena.
#[must_use]
pub fn print_system(arena: &Arena, evidence: &SystemEvidence) -> String {
    // Writing to a string cannot fail, so results of `write!` are dropped here.
    let mut text = String::new();
    match evidence {
        SystemEvidence::Invariant(invariant) => {
            text.push_str("(invariant");
            write_induction(&mut text, invariant.induction);
            let _ = write!(text, "\n  (always {})", print_term(&invariant.arena, invariant.formula));
        }
        SystemEvidence::Trace(trace) => {
            text.push_str("(trace");
            for moment in &trace.steps {
                text.push_str("\n  (moment");
                for (variable, value) in moment.state.iter().chain(&moment.inputs) {
                    let name = quote_symbol(arena.name(*variable).unwrap_or_default());
                    let _ = write!(text, " ({name} {})", print_value(value));
                }
                text.push(')');
            }
        }
    }
    text.push_str(")\n");
    text
}

/// Reads evidence about a system.
///
/// # Errors
/// When the text is not evidence in the form above, or names what the system does not have.
pub fn parse_system(
    arena: &Arena,
    system: &TransitionSystem,
    text: &str,
) -> Result<SystemEvidence, ParseError> {
    let mut reader = Reader::new(text);
    let Some(tree) = reader.read()? else {
        return Err(ParseError::new(reader.position(), "there is no evidence"));
    };
    let root = tree.root();
    let parts: Vec<Sexpr<'_, '_>> = root.children().skip(1).collect();
    let evidence = match word(root) {
        Some("invariant") => SystemEvidence::Invariant(invariant(arena, root, &parts)?),
        Some("trace") => {
            let moments = parts.into_iter().map(|part| moment(arena, system, part));
            SystemEvidence::Trace(SystemTrace { steps: moments.collect::<Result<_, _>>()? })
        }
        _ => return Err(root.error("`(invariant …)` or `(trace …)` expected")),
    };
    match reader.read()? {
        Some(more) => Err(more.root().error("only one piece of evidence can be in a file")),
        None => Ok(evidence),
    }
}

fn invariant(
    arena: &Arena,
    root: Sexpr<'_, '_>,
    parts: &[Sexpr<'_, '_>],
) -> Result<SystemInvariant, ParseError> {
    let (induction, always) = match parts {
        [always] => (Induction::default(), *always),
        [induction, always] => (read_induction(*induction)?, *always),
        _ => return Err(root.error("`(invariant (always FORMULA))` expected")),
    };
    let [text] = Reading::entry(always, "always")?[..] else {
        return Err(always.error("`(always FORMULA)` expected"));
    };
    let mut arena = arena.clone();
    let formula = Reading::read(&mut arena, text)?;
    match arena.sort(formula) {
        Sort::Bool => Ok(SystemInvariant { arena, formula, induction }),
        _ => Err(text.error("a Boolean formula expected")),
    }
}

fn moment(arena: &Arena, system: &TransitionSystem, part: Sexpr<'_, '_>) -> Result<Moment, ParseError> {
    let mut moment = Moment::default();
    for pair in Reading::entry(part, "moment")? {
        let parts: Vec<Sexpr<'_, '_>> = pair.children().collect();
        let [name, value] = parts[..] else { return Err(pair.error("`(VARIABLE VALUE)` expected")) };
        let named = |term: &Term| arena.name(*term).is_some() && arena.name(*term) == name.symbol();
        let mut variables = system.variables.iter().map(|variable| variable.current);
        let (variable, values) = match variables.find(named) {
            Some(variable) => (Some(variable), &mut moment.state),
            None => (system.inputs.iter().copied().find(named), &mut moment.inputs),
        };
        let Some(variable) = variable else {
            return Err(name.error(format!("there is no variable `{}`", name.source())));
        };
        if values.iter().any(|(other, _)| *other == variable) {
            return Err(name.error("this variable has a value already"));
        }
        values.push((variable, Reading::value(value, arena.sort(variable))?));
    }
    Ok(moment)
}
