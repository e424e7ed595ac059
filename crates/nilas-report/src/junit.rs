//! JUnit's XML, which build servers show as a list of tests: a place is a test case.

use crate::course::{self, Trace};
use crate::report::{Checked, Report};
use std::fmt::Write;

/// The suite of one answer.
#[must_use]
pub fn render(report: &Report<'_>) -> String {
    let count = |verdict: &str| report.checked.iter().filter(|it| it.verdict == verdict).count();
    let whole = report.checked.is_empty() || report.error.is_some();
    let one = |holds: bool| usize::from(whole && holds);
    let tests = report.checked.len() + usize::from(whole);
    let failures = count("unsafe") + one(report.error.is_none() && report.verdict == "unsafe");
    let skipped = count("unknown") + one(report.error.is_none() && report.verdict == "unknown");
    let errors = usize::from(report.error.is_some());
    let name = escaped(&report.name);
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    // Writing to a string cannot fail, so results of `write!` are dropped here.
    let counts =
        format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\"");
    let _ = writeln!(out, "<testsuites name=\"nilas {}\" {counts}>", escaped(report.version));
    let _ = writeln!(out, "  <testsuite name=\"{name}\" {counts}>");
    for checked in &report.checked {
        case(&mut out, report, checked);
    }
    if whole {
        let _ = writeln!(out, "    <testcase classname=\"{name}\" name=\"{name}\">");
        let headline = escaped(&report.headline);
        let _ = match (&report.error, report.verdict) {
            (Some(error), _) => writeln!(out, "      <error message=\"{}\"/>", escaped(error)),
            (None, "unsafe") => writeln!(out, "      <failure message=\"{headline}\"/>"),
            (None, "safe") => Ok(()),
            (None, _) => writeln!(out, "      <skipped message=\"{headline}\"/>"),
        };
        let _ = writeln!(out, "    </testcase>");
    }
    let notes = report.assumptions.iter().map(|it| format!("assuming: {it}\n"));
    let notes: String = notes.chain(report.warnings.iter().map(|it| format!("{it}\n"))).collect();
    if !notes.is_empty() {
        let _ = writeln!(out, "    <system-out>{}</system-out>", escaped(&notes));
    }
    out + "  </testsuite>\n</testsuites>\n"
}

fn case(out: &mut String, report: &Report<'_>, checked: &Checked) {
    let Checked { finding, verdict, reason, course, confirmation, .. } = checked;
    let expression = finding.expression.as_ref().map(|text| format!(": {text}")).unwrap_or_default();
    let name = format!(
        "{} at line {}, column {}{expression}",
        finding.property.name(),
        finding.line,
        finding.column
    );
    let (file, name) = (escaped(&finding.file), escaped(&name));
    let _ = writeln!(out, "    <testcase classname=\"{file}\" name=\"{name}\">");
    let headline = escaped(&finding.headline());
    let _ = match *verdict {
        "unsafe" => {
            let trace = course
                .as_ref()
                .zip(report.source)
                .map(|(course, source)| course::text(source, course, Trace::Short));
            let confirmed = confirmation.as_ref().map(|it| it.line() + "\n").unwrap_or_default();
            let trace = escaped(&(confirmed + &trace.unwrap_or_default()));
            let kind = finding.property.name();
            writeln!(out, "      <failure message=\"{headline}\" type=\"{kind}\">{trace}</failure>")
        }
        "safe" => Ok(()),
        _ => {
            let why = escaped(reason.as_deref().unwrap_or("not decided"));
            writeln!(out, "      <skipped message=\"{why}\"/>")
        }
    };
    let _ = writeln!(out, "    </testcase>");
}

/// Text in XML 1.0, which has no control characters but white space.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\t' => out.push(' '),
            letter if letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}') => {
                out.push('\u{fffd}');
            }
            letter => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::headline::Finding;
    use nilas_c::Property;

    #[test]
    fn places_are_test_cases() {
        let checked = |verdict: &'static str| Checked {
            finding: Finding {
                property: Property::Assert,
                what: String::new(),
                file: "a.c".into(),
                line: 7,
                column: 3,
                expression: Some("a < b && \"c\"".into()),
            },
            verdict,
            reason: Some("time limit reached".into()),
            reached: None,
            course: None,
            confirmation: None,
        };
        let report = Report {
            name: "a.c".into(),
            version: "1",
            source: None,
            verdict: "unsafe",
            headline: "unsafe".into(),
            checked: vec![checked("safe"), checked("unsafe"), checked("unknown")],
            assumptions: Vec::new(),
            warnings: Vec::new(),
            error: None,
        };
        let xml = render(&report);
        assert!(xml.contains("tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"1\""), "{xml}");
        assert!(xml.contains("a &lt; b &amp;&amp; &quot;c&quot;"), "{xml}");
        assert!(xml.contains("<skipped message=\"time limit reached\"/>"), "{xml}");
        let refused = render(&Report { checked: Vec::new(), error: Some("bad\u{1}".into()), ..report });
        assert!(refused.contains("tests=\"1\" failures=\"0\" errors=\"1\""), "{refused}");
        assert!(refused.contains("<error message=\"bad\u{fffd}\"/>"), "{refused}");
    }
}
