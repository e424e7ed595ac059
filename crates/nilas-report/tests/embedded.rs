//! Programs of the kind that embedded engineers write, each with a bug: the execution that shows it, word for
//! word.
//!
//! The first line of `examples/embedded/NAME.expected` has the inputs, and whether undefined behaviour is the
//! error. `NILAS_WRITE=1` writes what is told now.

#![allow(clippy::unwrap_used)]

use nilas_report::{Conclusion, Reached, Source, Summary, Trace, json, text};
use nilas_run::choice::Inputs;
use nilas_run::trace::{Course, Tracer};
use nilas_run::{End, Interpreter, Options};
use std::path::{Path, PathBuf};

/// Lines that a short trace may have, so that there are 40 with what stands above it.
const LINES: usize = 36;
const STACK: usize = 1 << 20;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/embedded")
}

/// The program and its execution with these inputs, which has to fail.
fn run(path: &Path, line: &str) -> (Source, Summary) {
    let bytes = std::fs::read(path).unwrap();
    let name = path.file_name().unwrap().to_str().unwrap().to_owned();
    let input = nilas_c::Input::Text { name: name.clone(), text: bytes };
    let tree = nilas_c::parse_program(&input, &nilas_c::Options::default())
        .unwrap_or_else(|failure| panic!("{}", failure.render()));
    let check_undefined = line.contains("undefined");
    let inputs = line.split(' ').filter_map(|word| word.parse().ok());
    let options = Options { check_undefined, ..Options::default() };
    let mut tracer = Tracer::new(&tree);
    let interpreter = Interpreter::new(&tree);
    let execution = interpreter.run_traced(&options, &mut Inputs::new(inputs), &mut tracer, STACK);
    let (what, place) = match &execution.end {
        End::Error { kind, place, .. } => (kind.to_string(), place.to_string()),
        End::Undefined(undefined) if check_undefined => {
            (undefined.sentence.clone(), undefined.place.to_string())
        }
        end => panic!("{name}: {end:?}"),
    };
    let source = Source::C {
        name: name.clone(),
        sources: tree.sources.clone(),
        inputs: Vec::new(),
        functions: Vec::new(),
        scalars: nilas_report::Scalars::default(),
    };
    let reached =
        Reached { what, place, stack: Vec::new(), choices: Vec::new(), text: String::new(), violates: None };
    let mut summary = Summary::of(Conclusion::Reached(reached), None);
    summary.course = Some(tracer.course());
    (source, summary)
}

/// What is told below the headline.
fn told(source: &Source, summary: &Summary, trace: Trace) -> String {
    let program = nilas_program::parse_program("var x : bv8 entry a error e a -> e { skip }").unwrap();
    let detail = text::Detail { evidence: true, statistics: false, trace };
    let all = text::render(&program, source, summary, detail);
    all[all.find("execution:\n").unwrap()..].to_owned()
}

fn example(name: &str) -> (Source, Summary) {
    let expected = std::fs::read_to_string(folder().join(format!("{name}.expected"))).unwrap();
    run(&folder().join(format!("{name}.c")), expected.lines().next().unwrap())
}

#[test]
fn executions_are_told_word_for_word() {
    let mut expectations: Vec<PathBuf> = std::fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|it| it == "expected"))
        .collect();
    expectations.sort();
    assert!(expectations.len() >= 15, "{expectations:?}");
    let mut wrong = Vec::new();
    for path in expectations {
        let expected = std::fs::read_to_string(&path).unwrap();
        let line = expected.lines().next().unwrap();
        let (source, summary) = run(&path.with_extension("c"), line);
        let text = told(&source, &summary, Trace::Short);
        assert!(text.lines().count() <= LINES + 1, "{text}");
        let text = format!("{line}\n{text}");
        if std::env::var_os("NILAS_WRITE").is_some() {
            std::fs::write(&path, &text).unwrap();
        } else if text != expected {
            wrong.push(format!("{}\nexpected:\n{expected}\ntold:\n{text}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn two_runs_give_the_same_trace() {
    for name in ["ring", "queue"] {
        let courses: [Option<Course>; 2] = [(), ()].map(|()| example(name).1.course);
        assert_eq!(courses[0], courses[1], "{name}");
    }
}

/// Everything is there on request, and JSON has it as data.
#[test]
fn a_full_trace_folds_nothing() {
    let (source, summary) = example("nmea");
    let full = told(&source, &summary, Trace::Full);
    assert!(full.contains("iteration 5:") && !full.contains("iterations "), "{full}");
    let program = nilas_program::parse_program("var x : bv8 entry a error e a -> e { skip }").unwrap();
    let object = json::object(&program, &source, &summary, true);
    let events = object["trace"]["events"].as_array().unwrap();
    let change = events.iter().find(|event| event["kind"] == "change" && event["name"] == "gps.state");
    assert_eq!(change.unwrap()["value"], "TALKER");
    assert_eq!(events.last().unwrap()["kind"], "failure");
}
