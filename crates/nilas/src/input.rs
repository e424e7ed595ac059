//! Reading what the user names.

use crate::cli::Language;
use crate::exit::Exit;
use nilas_c::index::Id;
use nilas_c::preprocess::Preprocessor;
use nilas_c::source::Diagnostic;
use nilas_c::types::DataModel;
use nilas_c::{Bound, FunctionResult, HavocOrigin, LowerOptions, Lowered, Undefined, Unmodelled, tree};
use nilas_evidence::{Execution, Trace, replay};
use nilas_program::{ArcId, EdgeId, HavocSite, Program, Span, text};
use nilas_report::Source;
use nilas_smt::Budget;
use nilas_term::{BitVec, Value};
use std::collections::BTreeMap;
use std::path::Path;

/// Files larger than this are refused: no automaton or script of that size is meant.
const LARGEST: u64 = 1 << 30;

/// A message for standard error, and how the process ends.
pub(crate) struct Refusal {
    pub(crate) message: String,
    pub(crate) exit: Exit,
}

impl Refusal {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Refusal { message: message.into(), exit: Exit::Refused }
    }
}

/// The bytes of a file.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Refusal> {
    let name = path.display();
    let explain = |error: &std::io::Error| Refusal::new(format!("nilas: cannot read `{name}`: {error}"));
    let metadata = std::fs::metadata(path).map_err(|error| explain(&error))?;
    if metadata.is_dir() {
        return Err(Refusal::new(format!("nilas: `{name}` is a directory; name a file in it")));
    }
    if metadata.len() > LARGEST {
        return Err(Refusal::new(format!("nilas: `{name}` is larger than 1 GiB")));
    }
    std::fs::read(path).map_err(|error| explain(&error))
}

/// The text of a file.
pub(crate) fn read_text(path: &Path) -> Result<String, Refusal> {
    String::from_utf8(read(path)?).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        Refusal::new(format!("nilas: `{}` is not UTF-8 text (at byte {offset})", path.display()))
    })
}

/// A program with its text.
pub(crate) struct Input {
    pub(crate) source: Source,
    pub(crate) program: Program,
    /// Assumptions about the program and suspicious places, as text.
    pub(crate) notes: Vec<String>,
    /// What the edges to *unmodelled* stand for.
    pub(crate) unmodelled: BTreeMap<EdgeId, Unmodelled>,
    /// Where the values of `havoc`s come from.
    havocs: Vec<HavocOrigin>,
    /// Assumptions that behaviour is defined.
    undefined: Vec<Undefined>,
    /// A C program, to be lowered again with larger bounds.
    tree: Option<Box<tree::Program>>,
    /// The bounds it was lowered with.
    bounds: LowerOptions,
}

impl Input {
    /// The bound of the lowering that the edge stands for, if a larger one can be tried.
    pub(crate) fn bound(&self, edge: Option<EdgeId>) -> Option<Bound> {
        edge.and_then(|edge| self.unmodelled.get(&edge)).and_then(|place| place.bound)
    }

    /// A function whose result the execution chooses, though its arguments fix it: the execution is not real.
    pub(crate) fn assumed_result(&self, trace: &Trace) -> Option<&str> {
        let inputs = trace.steps.iter().flat_map(|step| &step.inputs);
        inputs.filter_map(|(site, _)| self.havocs.get(site.index())).find_map(|origin| match origin {
            HavocOrigin::Unknown(FunctionResult { function, .. }) => {
                nilas_c::is_determined(function).then_some(function.as_str())
            }
            HavocOrigin::Written(function) => nilas_c::writes_less(function).then_some(function.as_str()),
            _ => None,
        })
    }

    /// Whether the execution rests on which NaN an operation gives, which the hardware and the compiler choose: with another
    /// choice it does not reach the same place.
    pub(crate) fn rests_on_nan(&self, execution: &Execution, trace: &Trace) -> bool {
        let is_choice =
            |site: HavocSite| matches!(self.havocs.get(site.index()), Some(HavocOrigin::FloatBits));
        if !trace.steps.iter().flat_map(|step| &step.inputs).any(|(site, _)| is_choice(*site)) {
            return false;
        }
        // The sign is the upper bit of a choice. x86 gives the negative NaN without payload.
        let choices: [fn(u32) -> BitVec; 3] = [BitVec::zero, BitVec::min_signed, BitVec::ones];
        choices.iter().any(|choice| {
            let mut other = execution.clone();
            let mut occurrences: BTreeMap<HavocSite, u64> = BTreeMap::new();
            for (site, value) in trace.steps.iter().flat_map(|step| &step.inputs) {
                let occurrence = occurrences.entry(*site).or_default();
                if let (true, Value::BitVec(bits)) = (is_choice(*site), value) {
                    other.havocs.insert((*site, *occurrence), Value::BitVec(choice(bits.width())));
                }
                *occurrence += 1;
            }
            let replayed = replay(&self.program, &other, &Budget::unlimited());
            replayed.map(|trace| trace.verdict) != Ok(trace.verdict)
        })
    }

    /// The undefined behaviour that an assumption excludes, as text.
    pub(crate) fn undefined_at(&self, (edge, arc): (EdgeId, ArcId)) -> Option<String> {
        let found = self.undefined.iter().find(|it| it.edge == edge && it.step == arc.index())?;
        let place = self.source.place(self.program.automaton.edge(edge).command.arc(arc).span);
        let place = place.map(|place| format!(" at {place}"));
        Some(format!("{}{}", found.what, place.unwrap_or_default()))
    }

    /// Lowers the program again with a larger bound.
    pub(crate) fn raise(&mut self, bound: Bound) -> Result<(), Refusal> {
        if let Some(tree) = &self.tree {
            self.bounds = self.bounds.raised(bound);
            let lowered = lower(tree, &self.bounds)?;
            self.take(lowered);
        }
        Ok(())
    }
}

/// What a saved evidence file says about the bounds of the lowering, in a comment: evidence belongs to one automaton.
const BOUNDS: &str = "; lowered with ";

impl Input {
    /// The line to save with evidence for this program; empty for an automaton.
    pub(crate) fn bounds_line(&self) -> String {
        if self.tree.is_none() {
            return String::new();
        }
        let LowerOptions { recursion, share, heap, parts, check_undefined, .. } = self.bounds;
        format!(
            "{BOUNDS}recursion={recursion} share={share} heap={heap} parts={parts} undefined={check_undefined}\n"
        )
    }

    /// Lowers the program with the bounds that saved evidence names, if they are others.
    pub(crate) fn lower_as(&mut self, saved: &str) -> Result<(), Refusal> {
        let Some(tree) = &self.tree else { return Ok(()) };
        let Some(line) = saved.lines().find_map(|line| line.strip_prefix(BOUNDS)) else { return Ok(()) };
        let mut bounds = self.bounds.clone();
        for part in line.split_whitespace() {
            let read = match part.split_once('=') {
                Some(("recursion", value)) => value.parse().map(|value| bounds.recursion = value).is_ok(),
                Some(("share", value)) => value.parse().map(|value| bounds.share = value).is_ok(),
                Some(("heap", value)) => value.parse().map(|value| bounds.heap = value).is_ok(),
                Some(("parts", value)) => value.parse().map(|value| bounds.parts = value).is_ok(),
                // What counts as an error is the user's to say, not the evidence's.
                Some(("undefined", value)) => value.parse() == Ok(bounds.check_undefined),
                _ => false,
            };
            if !read {
                return Err(Refusal::new(format!(
                    "nilas: the evidence has a bound that is not known: `{part}`"
                )));
            }
        }
        if bounds != self.bounds {
            let lowered = lower(tree, &bounds)?;
            self.bounds = bounds;
            self.take(lowered);
        }
        Ok(())
    }

    fn take(&mut self, lowered: Lowered) {
        if let Source::C { inputs, .. } = &mut self.source {
            *inputs = input_names(&lowered.havocs);
        }
        self.program = lowered.program;
        self.unmodelled = by_edge(lowered.places);
        self.havocs = lowered.havocs;
        self.undefined = lowered.undefined;
    }
}

/// What the user calls the values of `havoc`s: the calls that return them.
fn input_names(havocs: &[HavocOrigin]) -> Vec<Option<String>> {
    let name = |origin: &HavocOrigin| match origin {
        HavocOrigin::Input(result) | HavocOrigin::Unknown(result) => Some(format!("{}()", result.function)),
        _ => None,
    };
    havocs.iter().map(name).collect()
}

/// Where the bodies of functions lie.
fn bodies(tree: &tree::Program) -> Vec<(Span, String)> {
    let body = |(_, function): (tree::FunctionId, &tree::Function)| {
        let span = tree.stmts[function.body?].span;
        let span = Span { file: span.file.index() as u32, start: span.start, end: span.end };
        Some((span, function.name.clone()))
    };
    let mut bodies: Vec<(Span, String)> = tree.functions.enumerate().filter_map(body).collect();
    bodies.sort();
    bodies
}

fn by_edge(places: Vec<Unmodelled>) -> BTreeMap<EdgeId, Unmodelled> {
    places.into_iter().map(|place| (place.edge, place)).collect()
}

fn render(tree: &tree::Program, diagnostics: &[Diagnostic]) -> String {
    diagnostics.iter().map(|diagnostic| diagnostic.render(&tree.sources)).collect()
}

fn lower(tree: &tree::Program, bounds: &LowerOptions) -> Result<Lowered, Refusal> {
    nilas_c::lower(tree, bounds)
        .map_err(|diagnostics| Refusal::new(render(tree, &diagnostics).trim_end().to_owned()))
}

/// Reads and checks a program.
pub(crate) fn program(path: &Path, language: &Language) -> Result<Input, Refusal> {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("cfa") => automaton(path),
        Some("c" | "i") => c_program(path, language),
        _ => {
            let name = path.display();
            Err(Refusal::new(format!("nilas: `{name}`: a file that ends in `.c`, `.i` or `.cfa` expected")))
        }
    }
}

fn automaton(path: &Path) -> Result<Input, Refusal> {
    let name = path.display().to_string();
    let bytes = read(path)?;
    let lossy = String::from_utf8_lossy(&bytes);
    let program = text::parse_bytes(&bytes).map_err(|diagnostics| {
        let messages: Vec<String> =
            diagnostics.iter().map(|diagnostic| diagnostic.render(&name, &lossy)).collect();
        Refusal::new(messages.join("\n"))
    })?;
    let source = Source::Automaton { name, text: lossy.into_owned() };
    Ok(Input {
        source,
        program,
        notes: Vec::new(),
        unmodelled: BTreeMap::new(),
        havocs: Vec::new(),
        undefined: Vec::new(),
        tree: None,
        bounds: LowerOptions::default(),
    })
}

fn c_program(path: &Path, language: &Language) -> Result<Input, Refusal> {
    // The messages of `read` are those of every other input.
    let bytes = read(path)?;
    let original = String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect();
    let preprocessor = Preprocessor {
        compiler: language.cc.clone(),
        include_dirs: language.include.clone(),
        defines: language.define.clone(),
        standard: language.standard.clone(),
        ..Preprocessor::default()
    };
    let model = if language.ilp32 { DataModel::Ilp32 } else { DataModel::Lp64 };
    let options = nilas_c::Options { model, preprocessor, ..nilas_c::Options::default() };
    let tree = nilas_c::parse_program(&nilas_c::Input::Path(path.to_owned()), &options)
        .map_err(|failure| Refusal::new(failure.render().trim_end().to_owned()))?;
    let bounds = LowerOptions { check_undefined: language.check_undefined, ..LowerOptions::default() };
    let lowered = lower(&tree, &bounds)?;
    let notes = lowered.notes.iter().map(|note| render(&tree, std::slice::from_ref(note))).collect();
    let name = path.display().to_string();
    let inputs = input_names(&lowered.havocs);
    let functions = bodies(&tree);
    let source = Source::C { name, sources: tree.sources.clone(), original, inputs, functions };
    Ok(Input {
        source,
        program: lowered.program,
        notes,
        unmodelled: by_edge(lowered.places),
        havocs: lowered.havocs,
        undefined: lowered.undefined,
        tree: Some(Box::new(tree)),
        bounds,
    })
}
