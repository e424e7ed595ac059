//! Which sanitisers of gcc show which property, and what their reports say.

use nilas_c::Property;
use nilas_report::Violation;

/// Sanitisers, and the words of their reports that mean a violation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sanitiser {
    /// For `-fsanitize=`.
    pub(super) names: &'static str,
    signs: &'static [&'static str],
    /// Whether the report names the place of the violation.
    placed: bool,
}

/// Lines that a report may be off: an expression of several lines has one place only.
const NEAR: u32 = 2;

impl Sanitiser {
    /// What shows a property; `None` if gcc has nothing that does.
    pub(super) fn of(property: Property) -> Option<Sanitiser> {
        use Property as P;
        let (names, signs, placed): (_, &[&str], _) = match property {
            P::Bounds => (
                "address,bounds-strict",
                &["buffer-overflow", "buffer-underflow", "out of bounds for type", "SEGV on unknown address"],
                true,
            ),
            P::UseAfterFree => ("address", &["use-after-free", "use-after-scope", "use-after-return"], true),
            P::Null => ("address,null", &["null pointer", "SEGV on unknown address"], true),
            P::StringLiteralWrite => {
                ("address", &["SEGV on unknown address", "global-buffer-overflow"], true)
            }
            P::BadFree => ("address", &["which was not malloc()-ed"], true),
            P::DoubleFree => ("address", &["double-free"], true),
            // The report names where memory was allocated.
            P::Leak => ("address", &["detected memory leaks"], false),
            P::Division => ("integer-divide-by-zero", &["division by zero"], true),
            P::Shift => ("shift", &["shift exponent", "left shift of"], true),
            P::SignedOverflow => {
                ("signed-integer-overflow", &["signed integer overflow", "negation of", "division of"], true)
            }
            P::FloatToInt => ("float-cast-overflow", &["outside the range of representable values"], true),
            P::Unreachable => ("unreachable", &["unreachable program point"], true),
            P::OtherUndefined => ("vla-bound", &["variable length array bound"], true),
            P::Assert
            | P::Uninitialised
            | P::SignedConversion
            | P::UnsignedOverflow
            | P::FloatNan
            | P::MissingReturn => return None,
        };
        Some(Sanitiser { names, signs, placed })
    }

    /// Whether it reserves more addresses than a limit may allow.
    pub(super) fn maps_shadow(&self) -> bool {
        self.names.starts_with("address")
    }

    /// Whether it looks for leaks.
    pub(super) fn finds_leaks(&self) -> bool {
        !self.placed
    }

    /// What a report shows: the violation, or something else. `None` if there is no report.
    pub(super) fn shows(&self, said: &str, violation: Option<&Violation>) -> Option<Result<String, String>> {
        let is_report = |line: &&str| line.contains("runtime error: ") || line.contains("ERROR: ");
        let (number, report) = said.lines().enumerate().find(|(_, line)| is_report(line))?;
        let text = match report.split_once("runtime error: ").or_else(|| report.split_once("ERROR: ")) {
            // Where things lie differs from run to run.
            Some((_, text)) => text.split(" on address 0x").next().unwrap_or(text).trim(),
            None => report,
        };
        if !self.signs.iter().any(|sign| report.contains(sign)) {
            return Some(Err(format!("the run fails otherwise: {text}")));
        }
        let Some(violation) = violation.filter(|_| self.placed) else { return Some(Ok(text.to_owned())) };
        // The report itself begins with a place, or calls follow.
        let calls =
            said.lines().skip(number + 1).skip_while(|line| !is_call(line)).take_while(|line| is_call(line));
        let base = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
        let near = |line: &str| {
            places(line).any(|(file, line)| {
                base(file) == base(&violation.file) && line.abs_diff(violation.line) <= NEAR
            })
        };
        Some(match near(report) || calls.clone().any(near) {
            true => Ok(text.to_owned()),
            false => Err(format!("the run fails elsewhere: {text}")),
        })
    }
}

/// Whether a line is one of a list of calls: `#1 0x55 in main a.c:7`.
fn is_call(line: &str) -> bool {
    line.trim_start().starts_with('#')
}

/// What looks like `FILE:LINE` in a line.
fn places(line: &str) -> impl Iterator<Item = (&str, u32)> {
    line.split_whitespace().filter_map(|word| {
        let mut parts = word.trim_end_matches(':').rsplitn(3, ':');
        let (last, middle, first) = (parts.next()?, parts.next()?, parts.next());
        // `FILE:LINE:COLUMN` or `FILE:LINE`
        match (first, middle.parse::<u32>()) {
            (Some(file), Ok(line)) => Some((file, line)),
            (None, _) => Some((middle, last.parse().ok()?)),
            (Some(_), Err(_)) => None,
        }
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn violation(property: Property, line: u32) -> Violation {
        Violation { property, file: "src/a.c".into(), line, column: 1, span: None }
    }

    fn shows(property: Property, said: &str, line: u32) -> Option<Result<String, String>> {
        Sanitiser::of(property).unwrap().shows(said, Some(&violation(property, line)))
    }

    #[test]
    fn reports_are_held_against_kind_and_place() {
        let overflow = "src/a.c:5:9: runtime error: signed integer overflow: 1 + 2147483647 cannot be\n";
        assert!(shows(Property::SignedOverflow, overflow, 5).unwrap().is_ok());
        assert!(shows(Property::SignedOverflow, overflow, 50).unwrap().is_err());
        assert!(shows(Property::Division, overflow, 5).unwrap().is_err());
        assert!(shows(Property::Division, "hello\n", 5).is_none());
        let address = "=====\n==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x6 at pc 0x5\n\
                       READ of size 4 at 0x6 thread T0\n    #0 0x55 in f /home/a.c:12\n    #1 0x56 in main a.c:30\n\n\
                       allocated by:\n    #0 0x77 in malloc\n    #1 0x88 in main a.c:90\n";
        assert!(shows(Property::Bounds, address, 12).unwrap().is_ok());
        assert!(shows(Property::Bounds, address, 30).unwrap().is_ok());
        assert!(shows(Property::Bounds, address, 90).unwrap().is_err());
        assert!(shows(Property::UseAfterFree, address, 12).unwrap().is_err());
    }
}
