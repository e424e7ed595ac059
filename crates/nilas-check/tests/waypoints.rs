//! Violation witnesses that say more than inputs: branches, calls, what they return, assumptions, and what is
//! to be avoided. What is true is confirmed, and something else never.

#![allow(clippy::unwrap_used)]

use nilas_check::{Language, LimitOptions, Options, Session, Silent, Task, Text, Validated, WitnessFormat};
use std::fmt::Write;

/// It fails where `y` is 30 at the `switch`: with an input of 15, or one of at most 10.
const PROGRAM: &str = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int twice(int x) { return 2 * x; }
int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = 0;
  if (x > 10) {
    y = twice(x);
  } else {
    y = 30;
  }
  switch (y) {
  case 30: y = 1; break;
  default: y = 2; break;
  }
  if (y == 1)
    reach_error();
  return 0;
}
";

/// Type, place and constraint of a waypoint; one that begins with `!` is to be avoided, and belongs to the
/// next one.
type Waypoint<'w> = (&'w str, (u32, u32), &'w str);

fn validated(text: &str, witness: &str) -> Validated {
    let task = Task::of_c_text("ways.c", text, Language::default());
    let witness = Text::Given { name: "witness".to_owned(), bytes: witness.as_bytes().to_vec() };
    let session = Session::start(&LimitOptions::default());
    session.validate(&task, &witness, &Options::default(), &mut Silent).unwrap()
}

/// A witness of format 2.0 that ends at the call in line 17.
fn yaml(waypoints: &[Waypoint<'_>]) -> String {
    let mut out = String::from(
        "- entry_type: violation_sequence\n  metadata:\n    format_version: \"2.0\"\n  content:\n",
    );
    let mut open = false;
    for (kind, (line, column), constraint) in waypoints.iter().chain(&[("target", (17, 5), "")]) {
        let (kind, action) = kind.strip_prefix('!').map_or((*kind, "follow"), |kind| (kind, "avoid"));
        if !open {
            out.push_str("    - segment:\n");
        }
        open = action == "avoid";
        let _ = write!(
            out,
            "        - waypoint:\n            type: {kind}\n            action: {action}\n            location:\n              \
             file_name: \"ways.c\"\n              line: {line}\n              column: {column}\n"
        );
        if !constraint.is_empty() {
            let value = constraint.replace('\\', "\\\\");
            let _ = writeln!(out, "            constraint:\n              value: \"{value}\"");
        }
    }
    out
}

#[track_caller]
fn confirmed(waypoints: &[Waypoint<'_>]) {
    let said = validated(PROGRAM, &yaml(waypoints));
    assert!(matches!(said, Validated::Confirmed(_)), "{said:?}");
}

#[track_caller]
fn refuted(waypoints: &[Waypoint<'_>]) {
    let said = validated(PROGRAM, &yaml(waypoints));
    assert!(matches!(said, Validated::Refuted(_)), "{said:?}");
}

#[track_caller]
fn unknown(waypoints: &[Waypoint<'_>]) {
    let said = validated(PROGRAM, &yaml(waypoints));
    assert!(matches!(said, Validated::Unknown(_)), "{said:?}");
}

#[test]
fn branches_are_followed() {
    confirmed(&[]);
    confirmed(&[("branching", (7, 3), "false")]);
    // Nobody says with which input.
    confirmed(&[("branching", (7, 3), "true"), ("branching", (16, 3), "true")]);
    refuted(&[("branching", (7, 3), "true"), ("branching", (16, 3), "false")]);
    // It is not passed a second time.
    refuted(&[("branching", (7, 3), "false"), ("branching", (7, 3), "false")]);
    confirmed(&[("branching", (12, 3), "30")]);
    refuted(&[("branching", (12, 3), "default")]);
    refuted(&[("branching", (12, 3), "29")]);
    unknown(&[("branching", (6, 3), "true")]);
}

#[test]
fn calls_and_what_they_return_are_followed() {
    confirmed(&[("function_enter", (8, 16), "")]);
    refuted(&[("function_enter", (8, 16), ""), ("branching", (7, 3), "true")]);
    confirmed(&[("function_return", (8, 16), "\\result == 30")]);
    confirmed(&[("function_return", (8, 16), "\\result > 29 && \\result < 32")]);
    refuted(&[("function_return", (8, 16), "\\result == 32")]);
    let input = |value| ("function_return", (5, 33), value);
    confirmed(&[input("\\result == 15"), ("branching", (7, 3), "true")]);
    refuted(&[input("\\result == 15"), ("branching", (7, 3), "false")]);
    refuted(&[input("\\result == 16")]);
    // More than an expression about the result.
    unknown(&[input("\\result == x")]);
}

#[test]
fn assumptions_are_followed() {
    confirmed(&[("assumption", (12, 3), "x > 10 && y == 30")]);
    confirmed(&[("assumption", (10, 5), "x < 0"), ("assumption", (16, 3), "y == 1")]);
    confirmed(&[("assumption", (6, 3), "x == 15"), ("function_enter", (8, 16), "")]);
    // Whether their evaluation is defined nobody knows, so nothing is refuted by them.
    unknown(&[("assumption", (12, 3), "y == 29")]);
    unknown(&[("assumption", (12, 3), "y = 30")]);
    unknown(&[("assumption", (13, 3), "y == 30")]);
}

#[test]
fn what_is_to_be_avoided_is_not_met() {
    let reaches = ("branching", (16, 3), "true");
    confirmed(&[("!function_enter", (8, 16), ""), reaches]);
    confirmed(&[("!branching", (7, 3), "false"), reaches]);
    refuted(&[("!branching", (7, 3), "true"), ("!branching", (7, 3), "false"), reaches]);
    refuted(&[("!branching", (7, 3), "true"), ("function_enter", (8, 16), "")]);
}

/// In format 1.0 a branch is what an edge says; nothing is refuted by what may have been meant otherwise.
#[test]
fn branches_of_automata_are_followed() {
    let text = |line: u32, taken: bool| {
        format!(
            "<graphml><graph edgedefault=\"directed\"><data key=\"witness-type\">violation_witness</data>\
             <data key=\"programfile\">ways.c</data><node id=\"A\"><data key=\"entry\">true</data></node><node id=\"B\"/>\
             <node id=\"V\"><data key=\"violation\">true</data></node>\
             <edge source=\"A\" target=\"B\"><data key=\"startline\">{line}</data><data key=\"control\">condition-{taken}</data>\
             </edge><edge source=\"B\" target=\"V\"><data key=\"startline\">17</data></edge></graph></graphml>"
        )
    };
    let said = |line, taken| validated(PROGRAM, &text(line, taken));
    assert!(matches!(said(7, true), Validated::Confirmed(_)));
    assert!(matches!(said(7, false), Validated::Confirmed(_)));
    assert!(matches!(said(16, false), Validated::Unknown(_)));
}

/// What Nilas writes itself has the branches, and is confirmed; with another branch it is not.
#[test]
fn own_witnesses_have_their_branches() {
    let task = Task::of_c_text("ways.c", PROGRAM, Language::default());
    let session = Session::start(&LimitOptions::default());
    let answer = session.check(&task, &Options::default(), &mut Silent).unwrap();
    for format in [WitnessFormat::Yaml, WitnessFormat::GraphMl] {
        let witness = answer.witness(&task, 0, format).unwrap().unwrap();
        let said = validated(PROGRAM, &witness);
        assert!(matches!(said, Validated::Confirmed(_)), "{said:?}\n{witness}");
        let word =
            if format == WitnessFormat::Yaml { ["\"true\"", "\"false\""] } else { ["n-true", "n-false"] };
        let last = word.iter().max_by_key(|word| witness.rfind(**word)).unwrap();
        let other = if *last == word[0] { word[1] } else { word[0] };
        let at = witness.rfind(last).unwrap();
        let changed = format!("{}{other}{}", &witness[..at], &witness[at + last.len()..]);
        let said = validated(PROGRAM, &changed);
        assert!(!matches!(said, Validated::Confirmed(_)), "{said:?}\n{changed}");
    }
}
