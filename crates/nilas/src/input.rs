//! Reading what the user names.

use crate::cli::Language;
use crate::exit::Exit;
use nilas_c::index::Id;
use nilas_c::preprocess::Preprocessor;
use nilas_c::source::Diagnostic;
use nilas_c::types::DataModel;
use nilas_c::{
    Bound, Cell, HavocOrigin, Head, LowerOptions, Lowered, Undefined, UnknownFunctions, Unmodelled, tree,
};
use nilas_program::{ArcId, EdgeId, Program, Span, text};
use nilas_report::{Assumption, Source};
use nilas_system::System;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

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
    /// What a verdict rests on.
    pub(crate) assumptions: Vec<Assumption>,
    /// What the edges to *unmodelled* stand for.
    pub(crate) unmodelled: BTreeMap<EdgeId, Unmodelled>,
    /// Where the values of `havoc`s come from.
    pub(crate) havocs: Vec<HavocOrigin>,
    /// Where heads of loops and integers of the C program are in the automaton.
    pub(crate) heads: Vec<Head>,
    pub(crate) cells: Vec<Cell>,
    /// Assumptions that behaviour is defined.
    undefined: Vec<Undefined>,
    /// A C program, to be lowered again with larger bounds.
    pub(crate) tree: Option<Arc<tree::Program>>,
    /// Horn clauses or a transition system, of which the automaton comes.
    pub(crate) system: Option<Arc<System>>,
    /// The bounds it was lowered with.
    bounds: LowerOptions,
}

impl Input {
    /// A C program as it was lowered. The source knows no inputs yet.
    fn of(mut source: Source, lowered: Lowered, tree: Arc<tree::Program>, bounds: LowerOptions) -> Input {
        if let Source::C { inputs, .. } = &mut source {
            *inputs = input_names(&lowered.havocs);
        }
        Input {
            source,
            assumptions: assumptions(&lowered),
            program: lowered.program,
            unmodelled: by_edge(lowered.places),
            havocs: lowered.havocs,
            heads: lowered.heads,
            cells: lowered.cells,
            undefined: lowered.undefined,
            tree: Some(tree),
            system: None,
            bounds,
        }
    }

    /// The same text with another automaton.
    pub(crate) fn with_program(&self, program: Program) -> Input {
        let (name, text) = match &self.source {
            Source::Automaton { name, text } => (name.clone(), text.clone()),
            Source::C { name, .. } => (name.clone(), String::new()),
        };
        of_automaton(name, text, program)
    }

    /// The bound of the lowering that the edge stands for, if a larger one can be tried.
    pub(crate) fn bound(&self, edge: Option<EdgeId>) -> Option<Bound> {
        edge.and_then(|edge| self.unmodelled.get(&edge)).and_then(|place| place.bound)
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
        self.lower_with(self.bounds.raised(bound))
    }

    /// The same program where unknown functions do nothing but return; `None` if there is nothing that they
    /// do here. Its executions are executions of this program.
    pub(crate) fn with_idle_functions(&self) -> Option<Result<Input, Refusal>> {
        let tree = self.tree.as_ref()?;
        let unknown_functions = UnknownFunctions::Nothing;
        if self.bounds.unknown_functions == unknown_functions {
            return None;
        }
        let bounds = LowerOptions { unknown_functions, ..self.bounds.clone() };
        Some(lower(tree, &bounds).map(|lowered| {
            let mut idle = Input::of(self.source.clone(), lowered, Arc::clone(tree), bounds);
            // The answer is one about this program.
            idle.assumptions.clone_from(&self.assumptions);
            idle
        }))
    }

    /// Whether undefined behaviour is an error.
    pub(crate) fn checks_undefined(&self) -> bool {
        self.bounds.check_undefined
    }

    /// The bounds it was lowered with.
    pub(crate) fn bounds(&self) -> &LowerOptions {
        &self.bounds
    }

    /// Lowers the program again with other bounds.
    pub(crate) fn lower_with(&mut self, bounds: LowerOptions) -> Result<(), Refusal> {
        if let Some(tree) = &self.tree
            && bounds != self.bounds
        {
            let lowered = lower(tree, &bounds)?;
            *self = Input::of(self.source.clone(), lowered, Arc::clone(tree), bounds);
        }
        Ok(())
    }
}

/// What a verdict about the program rests on, with spans as the automaton has them.
fn assumptions(lowered: &Lowered) -> Vec<Assumption> {
    let assumption = |found: &nilas_c::Assumption| Assumption {
        kind: found.kind.name(),
        text: found.text.clone(),
        span: Span { file: found.span.file.index() as u32, start: found.span.start, end: found.span.end },
    };
    lowered.assumptions.iter().map(assumption).collect()
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
        Some("vmt") => system(path, nilas_system::read_vmt),
        Some("smt2") => system(path, nilas_system::read_horn),
        Some("btor2" | "btor") => system(path, nilas_system::read_btor2),
        _ => {
            let name = path.display();
            let expected = "`.c`, `.i`, `.cfa`, `.vmt`, `.smt2` or `.btor2`";
            Err(Refusal::new(format!("nilas: `{name}`: a file that ends in {expected} expected")))
        }
    }
}

/// A transition system or Horn clauses, as the automaton in which every goal is an error.
fn system(
    path: &Path,
    reader: fn(&str) -> Result<System, nilas_program::Diagnostic>,
) -> Result<Input, Refusal> {
    let name = path.display().to_string();
    let text = read_text(path)?;
    let system = reader(&text).map_err(|diagnostic| Refusal::new(diagnostic.render(&name, &text)))?;
    let layout = nilas_system::to_automaton(&system, None);
    let mut input = of_automaton(name, text, layout.program);
    input.system = Some(Arc::new(system));
    Ok(input)
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
    Ok(of_automaton(name, lossy.into_owned(), program))
}

fn of_automaton(name: String, text: String, program: Program) -> Input {
    Input {
        source: Source::Automaton { name, text },
        program,
        assumptions: Vec::new(),
        unmodelled: BTreeMap::new(),
        havocs: Vec::new(),
        heads: Vec::new(),
        cells: Vec::new(),
        undefined: Vec::new(),
        tree: None,
        system: None,
        bounds: LowerOptions::default(),
    }
}

/// Reads and checks a C program.
pub(crate) fn tree(path: &Path, language: &Language) -> Result<tree::Program, Refusal> {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("c" | "i") => {
            read(path)?;
            parse(path, language)
        }
        _ => {
            let name = path.display();
            Err(Refusal::new(format!("nilas: `{name}`: a file that ends in `.c` or `.i` expected")))
        }
    }
}

/// The line of a place, from the file that it names.
pub(crate) fn line(place: &nilas_run::Place) -> Option<String> {
    let bytes = std::fs::read(&place.file).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let index = usize::try_from(place.line).ok()?.checked_sub(1)?;
    text.lines().nth(index).map(str::to_owned)
}

fn parse(path: &Path, language: &Language) -> Result<tree::Program, Refusal> {
    let preprocessor = Preprocessor {
        compiler: language.cc.clone(),
        include_dirs: language.include.clone(),
        defines: language.define.clone(),
        standard: language.standard.clone(),
        ..Preprocessor::default()
    };
    let model = if language.ilp32 { DataModel::Ilp32 } else { DataModel::Lp64 };
    let options = nilas_c::Options { model, preprocessor, ..nilas_c::Options::default() };
    nilas_c::parse_program(&nilas_c::Input::Path(path.to_owned()), &options)
        .map_err(|failure| Refusal::new(failure.render().trim_end().to_owned()))
}

fn c_program(path: &Path, language: &Language) -> Result<Input, Refusal> {
    // The messages of `read` are those of every other input.
    let bytes = read(path)?;
    let original = String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect();
    let tree = parse(path, language)?;
    let bounds = LowerOptions {
        check_undefined: language.check_undefined,
        unknown_functions: language.unknown_functions,
        ..LowerOptions::default()
    };
    let lowered = lower(&tree, &bounds)?;
    let name = path.display().to_string();
    let functions = bodies(&tree);
    let source = Source::C { name, sources: tree.sources.clone(), original, inputs: Vec::new(), functions };
    Ok(Input::of(source, lowered, Arc::new(tree), bounds))
}
