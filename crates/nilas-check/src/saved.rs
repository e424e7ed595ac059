//! Evidence files: the header that `check --evidence` writes, and whether what a file holds answers the
//! question of the one who reads it.
//!
//! Evidence belongs to one automaton. The header names the options by which it comes from the C program, and
//! its fingerprint. Bounds of the lowering are the evidence's to say: beyond them is *unmodelled*, so that no
//! verdict rests on them. What a verdict means is the user's to say: the data model, what counts as an error
//! and what unknown functions may do. A proof may be about more than was asked, an execution about less.

use crate::input::{Input, Stop};
use crate::refusal::Refusal;
use crate::task::Text;
use nilas_c::{CallMode, LowerOptions, Properties, Slice, UnknownFunctions};
use nilas_evidence::{Fingerprint, Form, Header};
use nilas_smt::Budget;
use nilas_term::smtlib::ParseError;

/// The header of evidence for a program.
pub(crate) fn header(input: &Input) -> Header {
    Header::of(Fingerprint::of_targets(&input.targets()), options(input))
}

/// What is wrong with the text of an evidence file.
pub(crate) fn misread(name: &str, text: &str, error: ParseError) -> Refusal {
    Refusal::new(nilas_program::Diagnostic::from(error).render(name, text))
}

/// The program that evidence is about, as lowered for it.
pub(crate) fn program_of_text(input: Input, evidence: &Text, budget: &Budget) -> Result<Input, Stop> {
    let text = evidence.text()?;
    let (header, form) = Header::parse(&text).map_err(|error| misread(&evidence.name(), &text, error))?;
    program_of(input, &header, form, budget)
}

/// What changes how a C program or an automaton with procedures is read; nothing for another automaton.
fn options(input: &Input) -> Vec<(String, String)> {
    if input.module.is_some() {
        let LowerOptions { recursion, edges, .. } = input.bounds();
        return [("recursion", recursion), ("edges", edges)]
            .map(|(name, value)| (name.to_owned(), value.to_string()))
            .to_vec();
    }
    let Some(tree) = &input.tree else { return Vec::new() };
    let LowerOptions {
        calls,
        recursion,
        share,
        inlined,
        heap,
        parts,
        cells,
        edges,
        abstracted,
        slice,
        properties,
        malloc_may_fail,
        unknown_functions,
    } = input.bounds();
    let pairs = [
        ("data-model", tree.types.model().name()),
        ("properties", asked(input.by_place, *properties)),
        ("malloc-may-fail", yes_or_no(*malloc_may_fail)),
        ("unknown-functions", unknown_functions.name().to_owned()),
        ("calls", calls.name().to_owned()),
        ("recursion", recursion.to_string()),
        ("share", yes_or_no(*share)),
        ("inlined", inlined.to_string()),
        ("heap", heap.to_string()),
        ("parts", parts.to_string()),
        ("cells", cells.to_string()),
        ("edges", edges.to_string()),
        ("abstracted", abstracted.to_string()),
        ("slice", slice.name().to_owned()),
    ];
    let pairs = pairs.into_iter().map(|(name, value)| (name.to_owned(), value));
    pairs.chain(caller(tree)).collect()
}

/// What a function that is checked alone is called with, in words that can stand in a header.
fn caller(tree: &nilas_c::tree::Program) -> Vec<(String, String)> {
    let options = tree.entry.iter().flat_map(|entry| entry.caller.options());
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "_@./-".contains(letter);
    let word = |text: String| text.chars().map(|it| if plain(it) { it } else { '_' }).collect();
    options.map(|(name, value)| (name.to_owned(), word(value))).collect()
}

/// The names of these options.
const CALLER: [&str; 6] =
    ["function", "globals", "pointer-size", "pointer-depth", "pointer-null", "pointer-alias"];

/// What is asked when no property is named: whether some assertion fails.
const ONE: &str = "one";

/// The properties that are asked about.
fn asked(by_place: bool, properties: Properties) -> String {
    if by_place { properties.to_string().replace(',', "+") } else { ONE.to_owned() }
}

fn yes_or_no(value: bool) -> String {
    if value { "yes" } else { "no" }.to_owned()
}

/// The name of a data model, if it looks like one.
fn model_name(text: &str) -> Option<String> {
    let width = text.split('+').next();
    matches!(width, Some("ilp32" | "lp64")).then(|| text.to_owned())
}

/// The options of a header, as far as they are understood.
#[derive(Debug, PartialEq, Eq)]
struct Made {
    /// The name of the data model.
    model: String,
    bounds: LowerOptions,
    by_place: bool,
    /// What a function that is checked alone is called with; empty for a program with `main`.
    caller: Vec<(String, String)>,
}

/// Reads the options of a header. All of them must be there, and no others.
fn made(header: &Header) -> Result<Made, Refusal> {
    // Evidence that does not say it was made when all calls were inlined, and nothing was sliced.
    let mut bounds = LowerOptions { calls: CallMode::Inline, slice: Slice::Whole, ..LowerOptions::default() };
    let (mut model, mut by_place, mut caller) = (None, false, Vec::new());
    let mut missing = vec![
        "data-model",
        "properties",
        "malloc-may-fail",
        "unknown-functions",
        "calls",
        "recursion",
        "share",
        "inlined",
        "heap",
        "parts",
        "cells",
        "edges",
        "abstracted",
        "slice",
    ];
    let flag = |value: &str| match value {
        "yes" => Some(true),
        "no" => Some(false),
        _ => None,
    };
    for (name, value) in &header.options {
        let unread = || {
            Refusal::new(format!("nilas: the evidence has an option that is not known: `({name} {value})`"))
        };
        if CALLER.contains(&name.as_str()) && caller.iter().all(|(known, _)| known != name) {
            caller.push((name.clone(), value.clone()));
            continue;
        }
        let position = missing.iter().position(|missing| missing == name).ok_or_else(unread)?;
        missing.swap_remove(position);
        let read = match name.as_str() {
            "data-model" => {
                model = model_name(value);
                model.as_ref().map(|_| ())
            }
            "properties" => {
                by_place = value != ONE;
                let list = if by_place { value.replace('+', ",") } else { "assert".to_owned() };
                Properties::of_names(&list).map(|value| bounds.properties = value)
            }
            "malloc-may-fail" => flag(value).map(|value| bounds.malloc_may_fail = value),
            "unknown-functions" => value.parse().ok().map(|value| bounds.unknown_functions = value),
            "calls" => value.parse().ok().map(|value| bounds.calls = value),
            "recursion" => value.parse().ok().map(|value| bounds.recursion = value),
            "share" => flag(value).map(|value| bounds.share = value),
            "inlined" => value.parse().ok().map(|value| bounds.inlined = value),
            "heap" => value.parse().ok().map(|value| bounds.heap = value),
            "parts" => value.parse().ok().map(|value| bounds.parts = value),
            "cells" => value.parse().ok().map(|value| bounds.cells = value),
            "edges" => value.parse().ok().map(|value| bounds.edges = value),
            "abstracted" => value.parse().ok().map(|value| bounds.abstracted = value),
            "slice" => value.parse().ok().map(|value| bounds.slice = value),
            _ => None,
        };
        read.ok_or_else(unread)?;
    }
    missing.retain(|name| !["calls", "slice"].contains(name));
    match (model, missing.first()) {
        (Some(model), None) => Ok(Made { model, bounds, by_place, caller }),
        (_, missing) => {
            let name = missing.unwrap_or(&"data-model");
            Err(Refusal::new(format!("nilas: the evidence does not say with which `{name}` it was made")))
        }
    }
}

/// The bounds to which calls of an automaton were followed.
fn followed(header: &Header, asked: &LowerOptions) -> Result<LowerOptions, Refusal> {
    match &header.options[..] {
        [(first, recursion), (second, edges)] if first == "recursion" && second == "edges" => {
            let (Ok(recursion), Ok(edges)) = (recursion.parse(), edges.parse()) else {
                return Err(Refusal::new("nilas: the bounds in the evidence are no numbers"));
            };
            Ok(LowerOptions { recursion, edges, ..asked.clone() })
        }
        _ => Err(Refusal::new(
            "nilas: the evidence is not about an automaton with procedures: it does not say with which `recursion` \
             and `edges` it was made",
        )),
    }
}

/// The program that a file's evidence is about, if it is this one and the evidence answers what is asked
/// about it. The input is lowered as asked; what comes back is lowered as the evidence says.
pub(crate) fn program_of(
    mut input: Input,
    header: &Header,
    form: Form,
    budget: &Budget,
) -> Result<Input, Stop> {
    let Some(fingerprint) = header.program else { return Ok(input) };
    match (&input.tree, header.options.is_empty()) {
        (None, _) if input.module.is_some() => {
            let bounds = followed(header, input.bounds())?;
            input.lower_with(bounds, budget)?;
        }
        (None, false) => {
            let message = "nilas: the evidence is about a C program, not about an automaton";
            return Err(Refusal::new(message).into());
        }
        (None, true) => {}
        (Some(tree), _) => {
            let made = made(header)?;
            let asked = Made {
                model: tree.types.model().name(),
                bounds: input.bounds().clone(),
                by_place: input.by_place,
                caller: caller(tree),
            };
            admissible(form, &made, &asked)?;
            input.lower_with(made.bounds, budget)?;
        }
    }
    let found = Fingerprint::of_targets(&input.targets());
    if found == fingerprint {
        return Ok(input);
    }
    Err(Refusal::new(format!(
        "nilas: the evidence is about another program: its fingerprint is {fingerprint}, that of this program is \
         {found}\nhint: the program was changed since, or is preprocessed otherwise (-I, -D, --std, --cc), or another \
         version of Nilas made the evidence"
    ))
    .into())
}

/// Whether evidence about a program that may do some things serves where it may do others: a proof where it
/// may do less, an execution where it may do more, and answers of both forms only where it is the same.
fn serves<T: Ord + Copy>(form: Form, made: T, asked: T) -> bool {
    match form {
        Form::Answers => made == asked,
        form if form.is_execution() => made <= asked,
        _ => made >= asked,
    }
}

/// Whether evidence that was made with some options says something about a program with others.
fn admissible(form: Form, made: &Made, asked: &Made) -> Result<(), Refusal> {
    let refuse = |made: &str, asked: &str| {
        let message =
            format!("nilas: the evidence was made {made}: it says nothing about the program {asked}");
        Err(Refusal::new(message))
    };
    if made.model != asked.model {
        let machine = |name: &str| match name {
            "ilp32" => "with `--32`".to_owned(),
            "lp64" => "with `--64`".to_owned(),
            other => format!("for the machine `{other}`"),
        };
        return refuse(&machine(&made.model), &machine(&asked.model));
    }
    if made.caller != asked.caller {
        let with = |made: &Made| match made.caller.is_empty() {
            true => "with `main`".to_owned(),
            false => {
                let option = |(name, value): &(String, String)| format!("--{name} {value}");
                format!("with `{}`", made.caller.iter().map(option).collect::<Vec<_>>().join(" "))
            }
        };
        return refuse(&with(made), &with(asked));
    }
    if made.by_place != asked.by_place || (made.by_place && made.bounds.properties != asked.bounds.properties)
    {
        let with = |made: &Made| match made.by_place {
            true => format!("with `--property {}`", made.bounds.properties),
            false => "without `--property`".to_owned(),
        };
        return refuse(&with(made), &with(asked));
    }
    let (did, may) = (made.bounds.malloc_may_fail, asked.bounds.malloc_may_fail);
    if !serves(form, did, may) {
        let with = |may| if may { "with `--malloc-may-fail`" } else { "without `--malloc-may-fail`" };
        return refuse(with(did), with(may));
    }
    let (did, may) = (made.bounds.unknown_functions, asked.bounds.unknown_functions);
    if !serves(form, did, may) {
        let with = |functions: UnknownFunctions| format!("with `--unknown-functions {}`", functions.name());
        return refuse(&with(did), &with(may));
    }
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn with(change: impl FnOnce(&mut Made)) -> Made {
        let mut made = Made {
            model: "lp64".to_owned(),
            bounds: LowerOptions::default(),
            by_place: false,
            caller: Vec::new(),
        };
        change(&mut made);
        made
    }

    #[test]
    fn a_proof_may_say_more_and_an_execution_may_need_less() {
        let plain = with(|_| {});
        let checked = with(|it| {
            it.bounds.properties = Properties::undefined();
            it.by_place = true;
        });
        let idle = with(|it| it.bounds.unknown_functions = UnknownFunctions::Nothing);
        let deep = with(|it| it.bounds.recursion = 64);
        let narrow = with(|it| it.model = "ilp32".to_owned());
        let alone = with(|it| it.caller.push(("function".to_owned(), "f".to_owned())));
        for (made, asked, proof, execution) in [
            (&alone, &alone, true, true),
            (&alone, &plain, false, false),
            (&plain, &alone, false, false),
            (&plain, &plain, true, true),
            (&checked, &checked, true, true),
            (&checked, &plain, false, false),
            (&plain, &checked, false, false),
            (&idle, &plain, false, true),
            (&plain, &idle, true, false),
            (&deep, &plain, true, true),
            (&plain, &deep, true, true),
            (&narrow, &plain, false, false),
        ] {
            assert_eq!(admissible(Form::Invariant, made, asked).is_ok(), proof, "{made:?} {asked:?}");
            assert_eq!(admissible(Form::Run, made, asked).is_ok(), proof, "{made:?} {asked:?}");
            assert_eq!(admissible(Form::Execution, made, asked).is_ok(), execution, "{made:?} {asked:?}");
        }
    }

    #[test]
    fn every_option_must_be_there_once() {
        let text = "data-model lp64, properties bounds+leak, malloc-may-fail no, unknown-functions nothing, calls auto, recursion 8, share no, inlined 50000, heap 9, \
                    parts 16, cells 16, edges 1000, abstracted 500, slice data";
        let read = |text: &str| {
            let pair =
                |part: &str| part.trim().split_once(' ').map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
            let header = Header { options: text.split(',').map(pair).collect(), ..Header::default() };
            made(&header).map_err(|refusal| refusal.message)
        };
        let expected = with(|it| {
            it.bounds = LowerOptions {
                properties: "bounds,leak".parse().unwrap(),
                unknown_functions: UnknownFunctions::Nothing,
                recursion: 8,
                heap: 9,
                edges: 1000,
                ..LowerOptions::default()
            };
            it.by_place = true;
        });
        assert_eq!(read(text), Ok(expected));
        for (from, to, message) in [
            ("recursion 8, ", "", "does not say with which `recursion`"),
            ("recursion 8", "recursion x", "`(recursion x)`"),
            ("recursion 8", "recursion 8, recursion 8", "`(recursion 8)`"),
            ("lp64", "lp65", "`(data-model lp65)`"),
            ("share no", "share false", "`(share false)`"),
            ("heap 9", "heap 9, moon full", "`(moon full)`"),
        ] {
            let said = read(&text.replacen(from, to, 1)).unwrap_err();
            assert!(said.contains(message), "{said}");
        }
    }
}
