//! `nilas run`: executes a C program by the reference interpreter.

use crate::cli::RunArgs;
use crate::exit::Exit;
use nilas_c::Properties;
use nilas_check::{LimitOptions, Refusal, Session, read_text};
use nilas_run::choice::{ChoiceFile, Chooser, Defaults, Inputs, Seeded};
use nilas_run::{Discard, End, Execution, Frame, Interpreter, Options, Output, Place, Stream, Undefined};
use std::fmt::Write as _;
use std::io::Write as _;
use std::time::{Duration, Instant};

/// Prints what the program prints.
struct Console;

impl Output for Console {
    fn write(&mut self, stream: Stream, bytes: &[u8]) {
        // A closed pipe is no error.
        let _ = match stream {
            Stream::Output => std::io::stdout().write_all(bytes),
            Stream::Error => std::io::stderr().write_all(bytes),
        };
    }
}

pub(crate) fn run(args: &RunArgs) -> Result<Exit, Refusal> {
    let limits = LimitOptions { megabytes: args.common.memory_limit, ..LimitOptions::default() };
    let tree = Session::start(&limits).read_tree(&args.files.c_task(&args.language))?;
    if !args.common.quiet {
        let differences = tree.differences.iter().map(|difference| difference.render_in(&tree.sources));
        let _ = std::io::stderr().write_all(differences.collect::<String>().as_bytes());
    }
    let mut chooser = chooser(args)?;
    let deadline = args.common.timeout.map(|seconds| Instant::now() + Duration::from_secs_f64(seconds));
    let options = Options {
        check_undefined: args.language.check_undefined,
        ends: nilas_check::kinds_of(args.language.properties.iter().copied().reduce(Properties::union)),
        strict: args.strict,
        check_overflow: args.check_overflow,
        check_uninitialised: args.check_uninitialised,
        steps: args.steps.unwrap_or(u64::MAX),
        memory: args.memory << 20,
        address_seed: args.seed.unwrap_or(0),
        deadline,
        arguments: Some(args.arguments.clone()),
        ..Options::default()
    };
    let interpreter = Interpreter::new(&tree);
    let mut output: Box<dyn Output> = if args.common.json { Box::new(Discard) } else { Box::new(Console) };
    let execution = interpreter.run(&options, &mut *chooser, &mut *output);
    let _ = std::io::stdout().flush();
    if let Some(path) = &args.record {
        std::fs::write(path, ChoiceFile::print(&execution.choices))
            .map_err(|error| Refusal::usage(format!("nilas: cannot write `{}`: {error}", path.display())))?;
    }
    report(args, &execution, line);
    Ok(exit(&execution.end))
}

/// The line of a place, from the file that it names.
fn line(place: &Place) -> Option<String> {
    let bytes = std::fs::read(&place.file).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let index = usize::try_from(place.line).ok()?.checked_sub(1)?;
    text.lines().nth(index).map(str::to_owned)
}

fn chooser(args: &RunArgs) -> Result<Box<dyn Chooser>, Refusal> {
    if let Some(path) = &args.choices {
        let text = read_text(path)?;
        let file = ChoiceFile::parse(&text)
            .map_err(|error| Refusal::new(format!("nilas: `{}`, {error}", path.display())))?;
        return Ok(Box::new(file));
    }
    if let Some(values) = &args.input {
        return Ok(Box::new(Inputs::new(values.iter().copied())));
    }
    Ok(match args.seed {
        Some(seed) if args.random_order => Box::new(Seeded::of_everything(seed)),
        Some(seed) => Box::new(Seeded::new(seed)),
        None => Box::new(Defaults),
    })
}

/// The program's own status, unless something is to be told.
fn exit(end: &End) -> Exit {
    match end {
        End::Exit(status) => Exit::Program(*status),
        End::Abort { .. } => Exit::Program(134),
        End::Error { .. } | End::Undefined(_) => Exit::Unsafe,
        End::Unsupported { .. } => Exit::Refused,
        _ => Exit::Unknown,
    }
}

fn report(args: &RunArgs, execution: &Execution, line: impl Fn(&Place) -> Option<String>) {
    if args.common.json {
        crate::print(&format!("{:#}\n", json(execution)));
        return;
    }
    let mut text = String::new();
    describe(&mut text, &execution.end, &line);
    if !args.common.quiet {
        if let Some(undefined) = &execution.lenient {
            let Undefined { kind, place, sentence, .. } = &**undefined;
            let _ = writeln!(
                text,
                "note: {place}: {kind}: {sentence} (C leaves this undefined; the execution went on)"
            );
        }
        for name in &execution.unknown {
            let _ = writeln!(
                text,
                "note: nothing is known about `{name}`: its result was chosen, and it wrote nothing"
            );
        }
    }
    if args.common.verbose {
        let _ = writeln!(text, "{} steps, {} choices", execution.steps, execution.choices.len());
    }
    let _ = std::io::stderr().write_all(text.as_bytes());
}

fn describe(text: &mut String, end: &End, line: &impl Fn(&Place) -> Option<String>) {
    let point = |text: &mut String, place: &Place| {
        if let Some(source) = line(place) {
            let number = place.line.to_string();
            let column = usize::try_from(place.column).unwrap_or(1).saturating_sub(1);
            let indent: String =
                source.chars().take(column).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
            let margin = " ".repeat(number.len());
            let _ = writeln!(text, " {number} | {source}");
            let _ = writeln!(text, " {margin} | {indent}^");
        }
    };
    match end {
        End::Exit(_) => {}
        End::Abort { what, place } => {
            let _ = writeln!(text, "{place}: the program ends itself (`{what}`)");
            point(text, place);
        }
        End::Error { kind, place, stack } => {
            let _ = writeln!(text, "{place}: error: {kind}");
            point(text, place);
            calls(text, stack);
        }
        End::Undefined(undefined) => {
            let Undefined { kind, place, sentence, object, stack, .. } = &**undefined;
            let clause = match kind.clause() {
                "" => String::new(),
                clause => format!(", C11 {clause}"),
            };
            let word = if kind.is_undefined() { "undefined behaviour" } else { "violation" };
            let _ = writeln!(text, "{place}: {word}: {sentence} [{kind}{clause}]");
            point(text, place);
            if let Some(object) = object {
                if let Some(declared) = &object.declared {
                    let _ = writeln!(text, "  {} comes from {declared}", object.name);
                    point(text, declared);
                }
                if let Some(ended) = &object.ended {
                    let _ = writeln!(text, "  its lifetime ended at {ended}");
                    point(text, ended);
                }
            }
            calls(text, stack);
        }
        End::Assumed { place } => {
            let _ = writeln!(text, "{place}: an assumption does not hold: the execution does not count");
            point(text, place);
        }
        End::Endless { place } => {
            let _ = writeln!(text, "{place}: the execution goes on for ever");
            point(text, place);
        }
        End::OutOfSteps => text.push_str("the execution did not end within its steps or its time\n"),
        End::OutOfMemory => {
            text.push_str("the program asks for more memory than it may have (see --memory)\n");
        }
        End::OutOfStack { function, place } => {
            let _ = writeln!(text, "{place}: calls are nested too deeply (`{function}`)");
            point(text, place);
        }
        End::OutOfChoices { choice } => {
            let _ = writeln!(text, "no value is given for this choice: {choice}");
        }
        End::Unsupported { what, place } => {
            let _ = writeln!(text, "{place}: not supported: {what}");
            point(text, place);
        }
    }
}

fn calls(text: &mut String, stack: &[Frame]) {
    for (number, frame) in stack.iter().enumerate() {
        let word = if number == 0 { "in" } else { "called from" };
        let _ = writeln!(text, "  {word} `{}` at {}", frame.function, frame.place);
    }
}

fn json(execution: &Execution) -> serde_json::Value {
    use serde_json::json;
    let place = |place: &Place| json!({ "file": place.file, "line": place.line, "column": place.column });
    let stack = |stack: &[Frame]| -> Vec<serde_json::Value> {
        stack
            .iter()
            .map(|frame| json!({ "function": frame.function, "place": place(&frame.place) }))
            .collect()
    };
    let undefined = |it: &Undefined| {
        json!({ "kind": it.kind.name(), "clause": it.kind.clause(), "sentence": it.sentence,
                "place": place(&it.place), "stack": stack(&it.stack) })
    };
    let end = match &execution.end {
        End::Exit(status) => json!({ "end": "exit", "status": status }),
        End::Abort { what, place: at } => json!({ "end": "abort", "what": what, "place": place(at) }),
        End::Error { kind, place: at, stack: calls } => {
            json!({ "end": "error", "what": kind.to_string(), "place": place(at), "stack": stack(calls) })
        }
        End::Undefined(it) => json!({ "end": "undefined", "undefined": undefined(it) }),
        End::Assumed { place: at } => json!({ "end": "assumed", "place": place(at) }),
        End::Endless { place: at } => json!({ "end": "endless", "place": place(at) }),
        End::OutOfSteps => json!({ "end": "out of steps" }),
        End::OutOfMemory => json!({ "end": "out of memory" }),
        End::OutOfStack { function, place: at } => {
            json!({ "end": "out of stack", "function": function, "place": place(at) })
        }
        End::OutOfChoices { choice } => json!({ "end": "out of choices", "choice": choice }),
        End::Unsupported { what, place: at } => {
            json!({ "end": "unsupported", "what": what, "place": place(at) })
        }
    };
    json!({
        "execution": end,
        "steps": execution.steps,
        "passed_over": execution.lenient.as_deref().map(undefined),
        "unknown_functions": execution.unknown,
        "choices": execution.choices.iter().map(|made| {
            json!({ "kind": made.choice.kind.name(), "place": place(&made.choice.place), "name": made.choice.name,
                    "occurrence": made.choice.occurrence, "offset": made.choice.offset,
                    "value": made.value.to_string() })
        }).collect::<Vec<_>>(),
    })
}
