//! SARIF 2.1.0, the format of static-analysis results that code hosts and editors read.
//!
//! A place is one result: `fail` with the execution as a code flow, `pass`, or `open` where nothing is known.

use crate::course;
use crate::report::{Checked, Report, Step};
use nilas_c::Property;
use serde_json::{Value as Json, json};

/// The log of one answer.
#[must_use]
pub fn render(report: &Report<'_>) -> String {
    let rules: Vec<Property> = {
        let mut rules: Vec<Property> = report.checked.iter().map(|it| it.finding.property).collect();
        rules.sort_unstable();
        rules.dedup();
        rules
    };
    let rule = |property: &Property| json!({ "id": property.name(), "shortDescription": { "text": property.violated() } });
    let index = |property: Property| rules.iter().position(|it| *it == property);
    let mut results: Vec<Json> = report
        .checked
        .iter()
        .map(|checked| result(report, checked, index(checked.finding.property)))
        .collect();
    // An answer about something that has no places.
    if report.checked.is_empty() && report.error.is_none() {
        let (kind, level) = kind(report.verdict);
        results.push(json!({
            "ruleId": "reachability", "kind": kind, "level": level, "message": { "text": report.headline },
            "locations": [{ "physicalLocation": { "artifactLocation": { "uri": uri(&report.name) } } }],
        }));
    }
    let note = |level: &str, text: &str| json!({ "level": level, "message": { "text": text } });
    let mut notes: Vec<Json> = report.warnings.iter().map(|text| note("warning", text)).collect();
    notes.extend(report.assumptions.iter().map(|text| note("note", &format!("assuming: {text}"))));
    notes.extend(report.error.iter().map(|text| note("error", text)));
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "nilas",
                "version": report.version,
                "rules": rules.iter().map(rule).collect::<Vec<_>>(),
            } },
            "invocations": [{
                "executionSuccessful": report.error.is_none(),
                "toolExecutionNotifications": notes,
            }],
            "results": results,
        }],
    });
    format!("{log:#}\n")
}

/// What kind of result a verdict is. Levels are only for failures.
fn kind(verdict: &str) -> (&'static str, &'static str) {
    match verdict {
        "safe" => ("pass", "none"),
        "unsafe" => ("fail", "error"),
        _ => ("open", "none"),
    }
}

fn result(report: &Report<'_>, checked: &Checked, rule: Option<usize>) -> Json {
    let Checked { finding, verdict, reason, course, confirmation, .. } = checked;
    let (kind, level) = kind(verdict);
    let text = match (*verdict, reason) {
        ("unsafe", _) => finding.headline(),
        ("safe", _) => format!("cannot happen: {}", finding.headline()),
        (_, Some(why)) => format!("not known: {}: {why}", finding.headline()),
        (_, None) => format!("not known: {}", finding.headline()),
    };
    let mut result = json!({
        "ruleId": finding.property.name(),
        "kind": kind,
        "level": level,
        "message": { "text": text },
        "locations": [location(&finding.file, finding.line as usize, Some(finding.column), None)],
    });
    if let Some(rule) = rule {
        result["ruleIndex"] = json!(rule);
    }
    if let Some(confirmation) = confirmation {
        result["properties"] =
            json!({ "confirmed": confirmation.confirmed, "confirmation": confirmation.line() });
    }
    if let (Some(course), Some(source)) = (course, report.source) {
        let steps = course::steps(source, course);
        let step = |step: &Step| {
            json!({
                "location": location(&step.file, step.line, None, Some(&step.text)),
                "nestingLevel": step.depth,
            })
        };
        let steps: Vec<Json> = steps.iter().map(step).collect();
        result["codeFlows"] = json!([{ "threadFlows": [{ "locations": steps }] }]);
    }
    result
}

fn location(file: &str, line: usize, column: Option<u32>, text: Option<&str>) -> Json {
    let mut region = json!({ "startLine": line.max(1) });
    if let Some(column) = column.filter(|column| *column > 0) {
        region["startColumn"] = json!(column);
    }
    let mut location =
        json!({ "physicalLocation": { "artifactLocation": { "uri": uri(file) }, "region": region } });
    if let Some(text) = text {
        location["message"] = json!({ "text": text });
    }
    location
}

/// A path as a reference of a URI.
fn uri(path: &str) -> String {
    let mut uri = String::new();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(byte as char);
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::headline::Finding;

    #[test]
    fn places_are_results() {
        let finding = |line: u32| Finding {
            property: Property::Bounds,
            what: "an access leaves its object".into(),
            file: "my files/a.c".into(),
            line,
            column: 3,
            expression: Some("a[i]".into()),
        };
        let checked = |line: u32, verdict: &'static str| Checked {
            finding: finding(line),
            verdict,
            reason: None,
            reached: None,
            course: None,
            confirmation: None,
        };
        let report = Report {
            name: "my files/a.c".into(),
            version: "1",
            source: None,
            verdict: "unsafe",
            headline: String::new(),
            checked: vec![checked(1, "safe"), checked(2, "unsafe"), checked(3, "unknown")],
            assumptions: vec!["x".into()],
            warnings: Vec::new(),
            error: None,
        };
        let log: Json = serde_json::from_str(&render(&report)).unwrap();
        let run = &log["runs"][0];
        let told: Vec<(&str, &str)> = run["results"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| (it["kind"].as_str().unwrap(), it["level"].as_str().unwrap()))
            .collect();
        assert_eq!(told, [("pass", "none"), ("fail", "error"), ("open", "none")]);
        let place = &run["results"][1]["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "my%20files/a.c");
        assert_eq!(place["region"]["startLine"], 2);
        assert_eq!(run["results"][1]["message"]["text"], "access out of bounds at my files/a.c:2: a[i]");
        assert_eq!(run["tool"]["driver"]["rules"][0]["id"], "bounds");
        let refused = Report { checked: Vec::new(), error: Some("no".into()), ..report };
        let log: Json = serde_json::from_str(&render(&refused)).unwrap();
        assert_eq!(log["runs"][0]["invocations"][0]["executionSuccessful"], false);
    }
}
