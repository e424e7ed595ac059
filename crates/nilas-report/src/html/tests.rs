//! Pages without a browser.

use super::{Page, Part, Proof, Question, render};
use crate::headline::Finding;
use crate::report::{Checked, Confirmation, Report};
use crate::scalar::Scalars;
use crate::source::Source;
use crate::summary::{Conclusion, Frames, FramesAt, Summary};
use crate::why::{Cause, Why};
use nilas_c::Property;
use nilas_evidence::{Evidence, Invariant};
use nilas_program::source::{FileId, SourceFile, SourceMap, Span};
use nilas_program::{LocationId, Program, parse_program};
use nilas_run::trace::{Course, Event, What};
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// What must not become markup.
const NASTY: &str = "</script><img src=x onerror=alert(1)>&lt;\"'<!--";

const COUNTER: &str = "cfa counter var x : bv8 entry a error e\na -> b { x := 0 }\nb -> b { assume x <u 9; x := x + 1 }\n\
                       b -> e { assume x >u 9 }\n";

fn report<'a>(name: &str, source: Option<&'a Source>, verdict: &'static str) -> Report<'a> {
    Report {
        name: name.to_owned(),
        version: "1",
        source,
        verdict,
        headline: format!("{verdict}: said"),
        checked: Vec::new(),
        assumptions: Vec::new(),
        warnings: Vec::new(),
        error: None,
    }
}

/// A C program of one file, whose functions have so many lines, and the spans of its lines.
fn c_source(name: &str, lines: &[&str], bodies: &[(&str, usize)]) -> (Source, Vec<Span>) {
    let mut sources = SourceMap::new();
    let file: FileId = sources.add(name, lines.join("\n").into_bytes());
    let mut spans = Vec::new();
    let mut start = 0;
    for line in lines {
        let end = start + u32::try_from(line.len()).unwrap_or(0);
        spans.push(Span::new(file, start, end));
        start = end + 1;
    }
    sources.wrote(name, lines.join("\n").as_bytes(), false);
    let mut functions = Vec::new();
    let mut first = 0;
    for &(function, count) in bodies {
        let (start, end) = (spans[first].start, spans[first + count - 1].end);
        functions.push((Span::new(file, start, end), function.to_owned()));
        first += count;
    }
    let (inputs, scalars) = (Vec::new(), Scalars::default());
    (Source::C { name: name.to_owned(), sources, inputs, functions, scalars }, spans)
}

fn event(level: usize, depth: usize, what: What) -> Event {
    Event { level, depth, what }
}

fn statement(at: Span, text: &str) -> What {
    What::Statement { at, text: text.to_owned(), core: text.to_owned() }
}

fn change(name: &str, value: &str, owner: usize) -> What {
    What::Change { name: name.to_owned(), value: value.to_owned(), owner }
}

fn checked(file: &str, line: u32, course: Option<Course>) -> Checked {
    let finding = Finding {
        property: Property::Assert,
        what: "an assertion fails".into(),
        file: file.into(),
        line,
        column: 1,
        expression: Some(NASTY.into()),
    };
    let verdict = if course.is_some() { "unsafe" } else { "safe" };
    // A test of an execution says something, too.
    let confirmation = course.is_some().then(|| Confirmation { confirmed: true, text: NASTY.into() });
    Checked { finding, verdict, reason: None, reached: None, course, confirmation }
}

/// The data that the script of a page reads.
fn data(html: &str) -> Json {
    let (_, behind) = html.split_once("id=\"data\">").expect("there is data");
    let (data, _) = behind.split_once("</script>").expect("it ends");
    serde_json::from_str(data).expect("it is JSON")
}

fn question<'a>(program: &'a Program, source: &'a Source, summary: &'a Summary) -> Question<'a> {
    let error = std::slice::from_ref(&program.automaton.error);
    Question { name: None, program, source, errors: error, summary, proofs: Vec::new(), traces: Vec::new() }
}

#[test]
fn what_the_program_says_is_no_markup() {
    let name = format!("{NASTY}.c");
    let comment = format!("/* {NASTY} */ char *s = \"{NASTY}\";");
    let (source, spans) = c_source(&name, &["int main(void) {", &comment, "f(s); }"], &[(NASTY, 3)]);
    let enter = What::Enter { function: NASTY.into(), arguments: vec![(NASTY.into(), NASTY.into())] };
    let failure =
        What::Failure { at: spans[2], what: Some(NASTY.into()), parts: vec![(NASTY.into(), NASTY.into())] };
    let events = vec![
        event(0, 1, statement(spans[0], NASTY)),
        event(0, 1, enter),
        event(1, 2, statement(spans[1], NASTY)),
        event(1, 2, change(NASTY, NASTY, 2)),
        event(1, 2, What::Input { name: NASTY.into(), value: NASTY.into() }),
        event(1, 2, What::Case(NASTY.into())),
        event(1, 2, failure),
    ];
    let course = Course { head: events, omitted: 0, tail: Vec::new() };
    let mut report = report(&name, Some(&source), "unsafe");
    report.headline = format!("unsafe: {NASTY}");
    report.checked = vec![checked(&name, 3, Some(course))];
    report.assumptions = vec![NASTY.into()];
    report.warnings = vec![NASTY.into()];
    let program = parse_program(COUNTER).expect("a program of this test");
    let mut summary = Summary::of(Conclusion::Unknown(Why::other(NASTY)), Some("bmc"));
    summary.statistics = vec![(NASTY.into(), vec![(NASTY.into(), 1.0)])];
    let mut asked = question(&program, &source, &summary);
    asked.name = Some(NASTY);
    let part = Part { name: NASTY.into(), verdict: "unknown", reason: Some(NASTY.into()) };
    let html = render(&Page { report, parts: vec![part], questions: vec![asked] });
    assert!(!html.contains("<img"), "{html}");
    assert_eq!((html.matches("<script").count(), html.matches("</script>").count()), (2, 2));
    assert_eq!(html.matches("<!--").count(), 0);
    assert!(html.contains("<span class=\"confirmation confirmed\">confirmed by running it: "), "{html}");
    let value = &data(&html)["walks"][0]["steps"][1]["c"][1];
    assert_eq!(value[2], NASTY, "{value}");
    // An error message of a refused program.
    let refused = Report { error: Some(NASTY.into()), ..self::report(NASTY, None, "unknown") };
    let html = render(&Page::of(refused));
    assert!(!html.contains("<img") && html.contains("there is no answer"), "{html}");
    assert_eq!(html.matches("</script>").count(), 2);
}

#[test]
fn nothing_is_loaded() {
    let html = render(&Page::of(report("a.c", None, "unknown")));
    assert!(html.contains("default-src 'none'"));
    for foreign in ["http:", "https:", "src=", "@import", "<link", "fetch(", "XMLHttpRequest", "innerHTML"] {
        assert!(!html.contains(foreign), "{foreign}");
    }
}

#[test]
fn an_execution_is_steps() {
    let lines = [
        "int f(int y) {",
        "return y + 1; }",
        "int main(void) {",
        "int x = f(2);",
        "while (x < 5) x++;",
        "assert(x < 5); }",
    ];
    let (source, spans) = c_source("dir/a.c", &lines, &[("f", 2), ("main", 4)]);
    let enter = |function: &str, arguments: &[(&str, &str)]| What::Enter {
        function: function.to_owned(),
        arguments: arguments.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
    };
    let head = What::Loop { at: spans[4], text: "while (x < 5)".into(), core: "x < 5".into() };
    let failure = What::Failure { at: spans[5], what: None, parts: vec![("x".into(), "5".into())] };
    let events = vec![
        event(0, 1, statement(spans[3], "int x = f(2);")),
        event(0, 1, enter("f", &[("y", "2")])),
        event(1, 2, statement(spans[1], "return y + 1;")),
        event(0, 1, What::Leave(Some("3".into()))),
        event(0, 1, change("x", "3", 1)),
        event(0, 1, enter("g", &[("z", "7")])),
        event(0, 1, What::Leave(Some("8".into()))),
        event(0, 1, head),
        event(1, 1, What::Iteration(1)),
        event(1, 1, change("x", "5", 1)),
        event(1, 1, What::Iteration(2)),
        event(1, 1, What::LoopEnds),
        event(0, 1, statement(spans[5], "assert(x < 5);")),
        event(0, 1, failure),
    ];
    let course = Course { head: events, omitted: 0, tail: Vec::new() };
    let mut report = report("dir/a.c", Some(&source), "unsafe");
    report.checked = vec![checked("dir/a.c", 6, Some(course)), checked("dir/a.c", 5, None)];
    let html = render(&Page { report, parts: Vec::new(), questions: Vec::new() });
    let walk = &data(&html)["walks"][0];
    let steps = walk["steps"].as_array().expect("steps");
    let told: Vec<(String, u64, &str, String)> = steps
        .iter()
        .map(|step| {
            let notes: Vec<&str> = step["n"]
                .as_array()
                .expect("notes")
                .iter()
                .map(|note| note[1].as_str().expect("text"))
                .collect();
            let (line, depth) =
                (step["at"][1].as_u64().expect("a line"), step["d"].as_u64().expect("a depth"));
            (format!("{line}/{depth}"), depth, step["t"].as_str().expect("text"), notes.join("; "))
        })
        .collect();
    let told: Vec<String> =
        told.iter().map(|(at, _, text, notes)| format!("{at} {text} | {notes}")).collect();
    assert_eq!(
        told,
        [
            "4/1 int x = f(2); | ",
            "2/2 return y + 1; | ",
            "4/1 f() returns 3 | x = 3; g(z = 7) returns 8",
            "5/1 while (x < 5) | iteration 1; x = 5",
            "5/1 while (x < 5) | the loop ends",
            "6/1 assert(x < 5); | fails; x = 5",
        ]
    );
    // Inside of `f` its argument is known, and behind it no more.
    assert_eq!(steps[1]["c"].to_string(), r#"[[2],[2,"y","2"]]"#);
    assert_eq!(steps[2]["c"][0].to_string(), "[2]");
    let stack = &walk["stacks"][usize::try_from(steps[1]["s"].as_u64().expect("a stack")).expect("small")];
    assert_eq!(stack.to_string(), r#"[["main",null],["f",[0,4]]]"#);
    assert!(html.contains("id=\"L0-6\"") && html.contains("data-walk=\"0\">step through"), "{html}");
    assert!(html.contains("1 place is safe"), "{html}");
}

#[test]
fn long_executions_are_cut_and_their_values_stay() {
    let (source, spans) = c_source("a.c", &["x++;", "y = 1;", "assert(0);"], &[]);
    let mut head = Vec::new();
    for number in 0..5_000 {
        head.push(event(0, 1, statement(spans[0], "x++;")));
        head.push(event(0, 1, change("x", &number.to_string(), 1)));
        if number == 2_000 {
            head.push(event(0, 1, statement(spans[1], "y = 1;")));
            head.push(event(0, 1, change("y", "1", 0)));
        }
    }
    head.push(event(0, 1, What::Failure { at: spans[2], what: None, parts: Vec::new() }));
    let mut report = report("a.c", Some(&source), "unsafe");
    report.checked = vec![checked("a.c", 3, Some(Course { head, omitted: 0, tail: Vec::new() }))];
    let html = render(&Page { report, parts: Vec::new(), questions: Vec::new() });
    assert!(html.contains("… 3002 steps are left out here"), "{}", &html[html.len() - 3000..]);
    let steps = data(&html)["walks"][0]["steps"].as_array().expect("steps").clone();
    assert_eq!(steps.len(), 2_001);
    let gap = steps.iter().find(|step| step["k"] == "gap").expect("a gap");
    assert!(gap["c"].to_string().contains(r#"[0,"y","1"],[1,"x","3400"]"#), "{}", gap["c"]);
}

#[test]
fn frames_and_invariants_are_told() {
    let program = parse_program(COUNTER).expect("a program of this test");
    let source = Source::Automaton(SourceFile::plain("counter.cfa", COUNTER.into()));
    let b = program.automaton.location_ids().nth(1).expect("three locations");
    let mut arena = program.arena.clone();
    let x = program.automaton.variables[0].term;
    let (nine, ten) = (arena.bv(8, 9), arena.bv(8, 10));
    let small = arena.bv_ule(x, nine);
    let other = arena.eq(x, ten);
    let other = arena.not(other);
    let formulas = BTreeMap::from([(b, small)]);
    let evidence = Evidence::Invariant(Invariant { arena: arena.clone(), formulas, ..Invariant::default() });
    let mut summary = Summary::of(Conclusion::Safe(evidence.clone()), Some("ic3cfa"));
    let at = FramesAt { first: 1, lemmas: vec![(small, None), (other, Some(2))], more: 3 };
    let frames = |at: &FramesAt| {
        let places: BTreeMap<LocationId, FramesAt> = BTreeMap::from([(b, at.clone())]);
        Some(Frames { engine: "ic3cfa", frontier: Some(4), arena: arena.clone(), places })
    };
    summary.frames = frames(&at);
    let page = |summary: &Summary| {
        let mut asked = question(&program, &source, summary);
        asked.proofs = vec![Proof { about: Vec::new(), evidence: &evidence }];
        let report = report("counter.cfa", Some(&source), "safe");
        render(&Page { report, parts: Vec::new(), questions: vec![asked] })
    };
    let html = page(&summary);
    for part in [
        "The automaton as it was read, all of its 3 locations.",
        "<li data-last=\"\"><code>x &lt;=u 9</code> <span class=\"muted\">in every frame</span></li>",
        "<li data-last=\"2\"><code>x != 10</code> <span class=\"muted\">up to frame 2</span></li>",
        "3 more lemmas are not shown.",
        // Not all lemmas are there: which frame is the invariant is not said.
        "max=\"5\" value=\"1\" data-frontier=\"4\" data-fixpoint=\"\"",
        ">2 lemmas</text>",
        "always true at b: 1 fact",
    ] {
        assert!(html.contains(part), "{part}\n{html}");
    }
    summary.frames = frames(&FramesAt { more: 0, ..at.clone() });
    assert!(page(&summary).contains("value=\"2\" data-frontier=\"4\" data-fixpoint=\"2\""));
    summary.frames = None;
    assert!(page(&summary).contains("The engine ic3cfa has left no lemmas at locations."));
}

#[test]
fn large_automata_are_folded() {
    let mut text = String::from("cfa large var x : bv8 entry a error e\na -> l0 { x := 0 }\n");
    for number in 0..60 {
        let next = number + 1;
        text.push_str(&format!("l{number} -> l{number} {{ assume x <u 9; x := x + 1 }}\n"));
        text.push_str(&format!("l{number} -> m{number} {{ skip }}\nm{number} -> l{next} {{ skip }}\n"));
    }
    text.push_str("l60 -> e { assume x >u 9 }\n");
    let program = parse_program(&text).expect("a program of this test");
    let source = Source::Automaton(SourceFile::plain("large.cfa", text.into_bytes()));
    let why = Why { cause: Cause::Time, text: "time limit reached".into() };
    let summary = Summary::of(Conclusion::Unknown(why), Some("bmc"));
    let asked = question(&program, &source, &summary);
    let html = render(&Page {
        report: report("large.cfa", Some(&source), "unknown"),
        parts: Vec::new(),
        questions: vec![asked],
    });
    assert!(html.contains("The automaton has 123 locations. Of these 38 are drawn"), "{html}");
    assert!(html.contains("24 more loops or places with lemmas are not drawn"), "{html}");
    assert_eq!(html.matches("<g class=\"node ").count(), 38);
}
