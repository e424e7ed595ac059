//! Verification witnesses of the SV-COMP, which other checkers write and read: format 2.0 in YAML (Ayaziová et
//! al., *Software Verification Witnesses 2.0*, SPIN 2024), and format 1.0 in GraphML ([`graphml`]).
//!
//! A correctness witness is a set of invariants at loops, as C expressions. A violation witness is a sequence
//! of waypoints that an execution passes: here the values that calls return, and the target.

pub mod graphml;
mod read;
mod sha256;
mod xml;

pub use read::read;

use serde_json::Value as Json;
use std::fmt::Write;

/// What a witness says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Witness {
    /// These hold, and so no error is reached.
    Correctness(Vec<Invariant>),
    /// An execution passes these in order, and then violates the property.
    Violation(Vec<Waypoint>),
}

/// Where.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Location {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u64,
    /// The column, from 1.
    pub column: Option<u64>,
    /// The function.
    pub function: Option<String>,
}

/// Something that holds whenever control is somewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invariant {
    /// It is about a loop: it holds whenever its head is reached.
    pub is_loop: bool,
    /// Where.
    pub location: Location,
    /// A C expression.
    pub value: String,
}

/// What an execution passes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waypoint {
    /// `function_return`, `branching`, `assumption`, `function_enter` or `target`.
    pub kind: String,
    /// Where.
    pub location: Location,
    /// What holds there.
    pub constraint: Option<String>,
    /// The execution does not pass it.
    pub avoided: bool,
    /// The function that returns, where that is known. Format 2.0 does not say it.
    pub called: Option<String>,
}

/// What a witness is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Metadata {
    /// The version of Nilas.
    pub version: &'static str,
    /// Seconds since 1970.
    pub created: u64,
    /// The files and what is in them.
    pub files: Vec<(String, Vec<u8>)>,
    /// The property as a formula.
    pub specification: String,
    /// `ILP32` or `LP64`.
    pub data_model: &'static str,
}

/// A witness as YAML.
#[must_use]
pub fn render(metadata: &Metadata, witness: &Witness) -> String {
    let kind = match witness {
        Witness::Correctness(_) => "invariant_set",
        Witness::Violation(_) => "violation_sequence",
    };
    let content = content(witness);
    let mut out = format!("- entry_type: {kind}\n  metadata:\n    format_version: \"2.0\"\n");
    // Writing to a string cannot fail, so results of `write!` are dropped here.
    let _ = writeln!(out, "    uuid: \"{}\"", uuid(metadata, &content));
    let _ = writeln!(out, "    creation_time: \"{}\"", time(metadata.created));
    let _ =
        writeln!(out, "    producer:\n      name: \"nilas\"\n      version: {}", quoted(metadata.version));
    out.push_str("    task:\n      input_files:\n");
    for (name, _) in &metadata.files {
        let _ = writeln!(out, "        - {}", quoted(name));
    }
    out.push_str("      input_file_hashes:\n");
    for (name, bytes) in &metadata.files {
        let _ = writeln!(out, "        {}: \"{}\"", quoted(name), sha256::hex(bytes));
    }
    let _ = writeln!(out, "      specification: {}", quoted(&metadata.specification));
    let _ = writeln!(out, "      data_model: {}\n      language: C", metadata.data_model);
    out + &content
}

fn content(witness: &Witness) -> String {
    let mut out = String::new();
    match witness {
        Witness::Correctness(invariants) if invariants.is_empty() => out.push_str("  content: []\n"),
        Witness::Correctness(invariants) => {
            out.push_str("  content:\n");
            for Invariant { is_loop, location, value } in invariants {
                let kind = if *is_loop { "loop_invariant" } else { "location_invariant" };
                let _ = writeln!(out, "    - invariant:\n        type: {kind}");
                place(&mut out, "        ", location);
                let _ = writeln!(out, "        value: {}\n        format: c_expression", quoted(value));
            }
        }
        Witness::Violation(waypoints) => {
            out.push_str("  content:\n");
            for Waypoint { kind, location, constraint, .. } in waypoints {
                let _ = writeln!(out, "    - segment:\n        - waypoint:\n            type: {kind}");
                let _ = writeln!(out, "            action: follow");
                place(&mut out, "            ", location);
                if let Some(constraint) = constraint {
                    let format = if kind == "function_return" { "acsl_expression" } else { "c_expression" };
                    let value = quoted(constraint);
                    let _ = writeln!(out, "            constraint:\n              value: {value}");
                    let _ = writeln!(out, "              format: {format}");
                }
            }
        }
    }
    out
}

fn place(out: &mut String, indent: &str, location: &Location) {
    let Location { file, line, column, function } = location;
    let _ = writeln!(out, "{indent}location:\n{indent}  file_name: {}\n{indent}  line: {line}", quoted(file));
    if let Some(column) = column {
        let _ = writeln!(out, "{indent}  column: {column}");
    }
    if let Some(function) = function {
        let _ = writeln!(out, "{indent}  function: {}", quoted(function));
    }
}

/// A string of JSON is one of YAML.
fn quoted(text: &str) -> String {
    Json::String(text.to_owned()).to_string()
}

/// A name for the witness that follows from what it says, so that the same answer has the same one.
fn uuid(metadata: &Metadata, content: &str) -> String {
    let mut bytes = content.as_bytes().to_vec();
    for (_, file) in &metadata.files {
        bytes.extend(file);
    }
    let digest = sha256::hex(&bytes);
    // Version 8: by a rule of one's own.
    format!(
        "{}-{}-8{}-8{}-{}",
        &digest[..8],
        &digest[8..12],
        &digest[13..16],
        &digest[17..20],
        &digest[20..32]
    )
}

/// A time as ISO 8601 has it, in the calendar of Gregory.
fn time(seconds: u64) -> String {
    let (mut days, rest) = (seconds / 86_400, seconds % 86_400);
    let leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let mut year = 1970;
    while days >= if leap(year) { 366 } else { 365 } {
        days -= if leap(year) { 366 } else { 365 };
        year += 1;
    }
    let february = if leap(year) { 29 } else { 28 };
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{:02}T{hour:02}:{minute:02}:{second:02}Z", days + 1)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_the_calendar() {
        assert_eq!(time(0), "1970-01-01T00:00:00Z");
        assert_eq!(time(951_827_696), "2000-02-29T12:34:56Z");
        assert_eq!(time(1_735_689_599), "2024-12-31T23:59:59Z");
    }

    /// What is written is read again.
    #[test]
    fn witnesses_are_read_as_they_were_written() {
        let metadata = Metadata {
            version: "1",
            created: 0,
            files: vec![("a b.c".into(), b"int main(void) {}".to_vec())],
            specification: "CHECK( init(main()), LTL(G ! call(reach_error())) )".into(),
            data_model: "ILP32",
        };
        let location =
            |column| Location { file: "a b.c".into(), line: 7, column, function: Some("main".into()) };
        let value = "x <= 9 && s[0] != '\"'".to_owned();
        let invariants = vec![Invariant { is_loop: true, location: location(Some(3)), value }];
        let waypoint = |kind: &str, constraint: Option<&str>| Waypoint {
            kind: kind.into(),
            location: location(None),
            constraint: constraint.map(str::to_owned),
            avoided: false,
            called: None,
        };
        let waypoints = vec![waypoint("function_return", Some("\\result == -5")), waypoint("target", None)];
        for witness in [
            Witness::Correctness(Vec::new()),
            Witness::Correctness(invariants),
            Witness::Violation(waypoints),
        ] {
            let text = render(&metadata, &witness);
            assert_eq!(read(&text).unwrap(), witness, "{text}");
            assert_eq!(text, render(&metadata, &witness));
        }
        assert!(read("- entry_type: something").is_err());
        assert!(read("[").is_err());
    }
}
