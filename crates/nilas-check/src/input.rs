//! Reading a task: every file once, into an automaton and what is known about it.

use crate::places::Asked;
use crate::project::{self, Units};
use crate::refusal::Refusal;
use crate::task::{CProgram, Language, Task, Text, ends_in, expected};
use nilas_c::types::{TypeId, TypeKind};
use nilas_c::{
    Bound, Cell, Check, Emitted, HavocOrigin, Head, LowerOptions, Lowered, Presumed, Properties, Property,
    Undefined, UnknownFunctions, Unmodelled, tree,
};
use nilas_program::procedures::{CutReason, Flat, FlattenOptions, WithCalls, flatten};
use nilas_program::source::{Diagnostic, SourceFile};
use nilas_program::{ArcId, EdgeId, Location, LocationId, Module, Program, Span, Targets, text};
use nilas_report::{Assumption, Scalar, Scalars, Source};
use nilas_smt::{Budget, Interrupt};
use nilas_system::System;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

/// Files larger than this are refused: no automaton or script of that size is meant.
const LARGEST: u64 = 1 << 30;

/// Why there is no program.
#[derive(Debug)]
pub(crate) enum Stop {
    Refused(Refusal),
    /// A limit was reached.
    Interrupted(Interrupt),
}

impl From<Refusal> for Stop {
    fn from(refusal: Refusal) -> Self {
        Stop::Refused(refusal)
    }
}

impl Stop {
    /// As a refusal, to somebody who wants the program and nothing else.
    pub(crate) fn refusal(self, what: &str) -> Refusal {
        match self {
            Stop::Refused(refusal) => refusal,
            Stop::Interrupted(why) => Refusal::limit(format!("nilas: {why} while the program {what}")),
        }
    }
}

/// The bytes of a file.
///
/// # Errors
/// When it cannot be read.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, Refusal> {
    let name = path.display();
    let explain = |error: &std::io::Error| {
        Refusal::new(format!("nilas: cannot read `{name}`: {}", nilas_c::reason(error)))
    };
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
///
/// # Errors
/// When it cannot be read, or is no UTF-8 text.
pub fn read_text(path: &Path) -> Result<String, Refusal> {
    utf8(&path.display().to_string(), read_bytes(path)?)
}

fn utf8(name: &str, bytes: Vec<u8>) -> Result<String, Refusal> {
    String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        Refusal::new(format!("nilas: `{name}` is not UTF-8 text (at byte {offset})"))
    })
}

impl Text {
    /// Its bytes.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn bytes(&self) -> Result<Vec<u8>, Refusal> {
        match self {
            Text::File(path) => read_bytes(path),
            Text::Given { bytes, .. } => Ok(bytes.clone()),
        }
    }

    /// Its text.
    ///
    /// # Errors
    /// When a file cannot be read, or is no UTF-8 text.
    pub fn text(&self) -> Result<String, Refusal> {
        utf8(&self.name(), self.bytes()?)
    }
}

/// A program as it was read, with its text.
#[derive(Debug)]
pub struct Input {
    /// The text.
    pub source: Source,
    /// The automaton.
    pub program: Program,
    /// The error locations that are asked about: the program's error, and in an automaton perhaps others.
    pub errors: Vec<LocationId>,
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
    /// Places where the properties could be violated that are asked about.
    pub(crate) checks: Vec<Check>,
    /// Each of them has an answer of its own, and an error location.
    pub(crate) by_place: bool,
    /// Which of them are asked about at the moment.
    asked: Asked,
    /// What executions rely on that take an edge.
    pub(crate) presumed: BTreeMap<EdgeId, Presumed>,
    /// A C program, to be lowered again with larger bounds.
    pub tree: Option<Arc<tree::Program>>,
    /// Horn clauses or a transition system, of which the automaton comes.
    pub system: Option<Arc<System>>,
    /// What a C program was before calls became edges, in numbers.
    pub emitted: Option<Emitted>,
    /// Why functions of a C program that might stay procedures do not.
    pub unkept: Vec<String>,
    /// An automaton with procedures, of which the automaton comes: bodies stand in the place of calls.
    pub module: Option<Arc<Module>>,
    /// The program with its calls, and how the automaton goes back to it, for those that know calls.
    pub calls: Option<Arc<WithCalls>>,
    /// The bounds it was lowered with.
    bounds: LowerOptions,
    /// Inline assembly is refused, however the program is lowered.
    refuses_assembly: bool,
}

impl Input {
    /// A C program as it was lowered. The source knows no inputs yet.
    fn of(
        mut source: Source,
        lowered: Lowered,
        tree: Arc<tree::Program>,
        bounds: LowerOptions,
        asked: Option<Asked>,
    ) -> Input {
        if let Source::C { inputs, scalars, .. } = &mut source {
            *inputs = input_names(&lowered.havocs);
            *scalars = written(&lowered, &tree);
        }
        let mut input = Input {
            source,
            assumptions: assumptions(&lowered),
            errors: vec![lowered.program.automaton.error],
            program: lowered.program,
            unmodelled: by_edge(lowered.places),
            havocs: lowered.havocs,
            heads: lowered.heads,
            cells: lowered.cells,
            undefined: lowered.undefined,
            presumed: lowered.presumed.into_iter().map(|it| (it.edge, it)).collect(),
            checks: lowered.checks,
            by_place: asked.is_some(),
            asked: Asked::All,
            tree: Some(tree),
            system: None,
            emitted: lowered.emitted,
            unkept: lowered.unkept,
            module: None,
            // Questions by place are about another automaton.
            calls: lowered.calls.map(Arc::new).filter(|_| asked.is_none()),
            bounds,
            refuses_assembly: false,
        };
        if let Some(asked) = asked {
            input.split();
            input.ask(asked);
        }
        input
    }

    /// Whether the automaton is that of a slice: an execution to the error asks for a larger one.
    pub(crate) fn is_sliced(&self) -> bool {
        self.unmodelled.values().any(|place| place.bound == Some(Bound::Slice))
    }

    /// The same text with another automaton.
    pub(crate) fn with_program(&self, program: Program) -> Input {
        let text = match &self.source {
            Source::Automaton(text) => text.clone(),
            Source::C { name, .. } => SourceFile::plain(name, Vec::new()),
        };
        let error = program.automaton.error;
        Input::of_automaton(Source::Automaton(text), program, vec![error])
    }

    /// The same text with another program with procedures.
    pub(crate) fn with_module(&self, module: Arc<Module>, budget: &Budget) -> Result<Input, Interrupt> {
        Input::of_module(self.source.clone(), module, self.bounds.clone(), budget)
    }

    /// The bound of the lowering that the edge stands for, if a larger one can be tried.
    pub(crate) fn bound(&self, edge: Option<EdgeId>) -> Option<Bound> {
        edge.and_then(|edge| self.unmodelled.get(&edge)).and_then(|place| place.bound)
    }

    /// The undefined behaviour that an assumption excludes, as text.
    pub(crate) fn undefined_at(&self, (edge, arc): (EdgeId, ArcId)) -> Option<String> {
        let found = self.undefined.iter().find(|it| it.edge == edge && it.step == arc.index())?;
        let place = self.source.place(self.program.automaton.edge(edge).command.arc(arc).span);
        let place = place.map(|place| place.at());
        Some(format!("{}{}", found.what, place.unwrap_or_default()))
    }

    /// Lowers the program again with a larger bound.
    pub(crate) fn raise(&mut self, bound: Bound, budget: &Budget) -> Result<(), Stop> {
        self.lower_with(self.bounds.raised(bound), budget)
    }

    /// The same program where unknown functions do nothing but return; `None` if there is nothing that they
    /// do here. Its executions are executions of this program.
    pub(crate) fn with_idle_functions(&self, budget: &Budget) -> Option<Result<Input, Stop>> {
        let tree = self.tree.as_ref()?;
        let unknown_functions = UnknownFunctions::Nothing;
        if self.bounds.unknown_functions == unknown_functions {
            return None;
        }
        let bounds = LowerOptions { unknown_functions, ..self.bounds.clone() };
        Some(lower(tree, &bounds, budget).map(|lowered| {
            let asked = self.by_place.then(|| self.asked.clone());
            let mut idle = Input::of(self.source.clone(), lowered, Arc::clone(tree), bounds, asked);
            // The answer is one about this program.
            idle.assumptions.clone_from(&self.assumptions);
            idle
        }))
    }

    /// What is asked about the program.
    pub(crate) fn properties(&self) -> Properties {
        self.bounds.properties
    }

    /// The properties that end an execution which is repeated: where C gives a violation a meaning, only if
    /// it is asked about at the moment.
    pub(crate) fn sought(&self) -> Properties {
        let asked = |property: Property| {
            let checks = self.checks.iter().filter(|check| check.property == property);
            checks.into_iter().any(|check| self.asked.includes(check))
        };
        let sought = |property: &Property| !property.is_defined() || !self.by_place || asked(*property);
        self.properties().iter().filter(sought).collect()
    }

    /// How large the program is as it was lowered, for people.
    pub(crate) fn size(&self) -> String {
        let automaton = &self.program.automaton;
        let (locations, edges) = (automaton.locations.len(), automaton.edges.len());
        let part = match self.is_sliced() {
            true => format!(" (slice: {})", self.bounds.slice.name()),
            false => String::new(),
        };
        format!("lowered to {locations} locations and {edges} edges{part}")
    }

    /// The bounds it was lowered with.
    pub(crate) fn bounds(&self) -> &LowerOptions {
        &self.bounds
    }

    /// Lowers the program again with other bounds.
    pub(crate) fn lower_with(&mut self, bounds: LowerOptions, budget: &Budget) -> Result<(), Stop> {
        if let Some(tree) = &self.tree
            && bounds != self.bounds
        {
            let lowered = lower(tree, &bounds, budget)?;
            let refuses_assembly = self.refuses_assembly;
            if refuses_assembly {
                refuse_assembly(tree, &lowered)?;
            }
            let asked = self.by_place.then(|| self.asked.clone());
            *self = Input::of(self.source.clone(), lowered, Arc::clone(tree), bounds, asked);
            self.refuses_assembly = refuses_assembly;
        } else if let Some(module) = &self.module
            && bounds != self.bounds
        {
            let system = self.system.take();
            *self = Input::of_module(self.source.clone(), Arc::clone(module), bounds, budget)
                .map_err(Stop::Interrupted)?;
            self.system = system;
        }
        Ok(())
    }
}

/// What a verdict about the program rests on.
fn assumptions(lowered: &Lowered) -> Vec<Assumption> {
    let assumption = |found: &nilas_c::Assumption| Assumption {
        kind: found.kind.name(),
        text: found.text.clone(),
        span: found.span,
    };
    lowered.assumptions.iter().map(assumption).collect()
}

/// What the user calls the values of `havoc`s: the calls that return them.
fn input_names(havocs: &[HavocOrigin]) -> Vec<Option<String>> {
    let name = |origin: &HavocOrigin| match origin {
        HavocOrigin::Input(result) | HavocOrigin::Unknown(result) => {
            Some(nilas_c::catalogue::shown_input(&result.function))
        }
        _ => None,
    };
    havocs.iter().map(name).collect()
}

/// How the values of the program are written.
fn written(lowered: &Lowered, tree: &tree::Program) -> Scalars {
    let types = &tree.types;
    let scalar = |ty: TypeId| {
        Some(match types.kind(ty) {
            TypeKind::Pointer(_) => Scalar::Pointer,
            TypeKind::Float(_) => Scalar::Float,
            TypeKind::Enum(id) => {
                let enumeration = types.enumeration(*id);
                let constants = enumeration.constants.clone();
                Scalar::Enumeration { signed: enumeration.int.is_signed(), constants }
            }
            _ if types.int_kind(ty)?.is_signed() => Scalar::Signed,
            _ => Scalar::Unsigned,
        })
    };
    let name = |variable| lowered.program.automaton.variable(variable).name.clone();
    let typed = lowered.typed.iter().filter_map(|it| Some((name(it.variable), scalar(it.ty)?)));
    Scalars { types: typed.collect(), addresses: lowered.addresses.iter().cloned().collect() }
}

/// Where the bodies of functions lie.
fn bodies(tree: &tree::Program) -> Vec<(Span, String)> {
    let body = |(_, function): (tree::FunctionId, &tree::Function)| {
        Some((tree.stmts[function.body?].span, function.name.clone()))
    };
    let mut bodies: Vec<(Span, String)> = tree.functions.enumerate().filter_map(body).collect();
    bodies.sort();
    bodies
}

fn by_edge(places: Vec<Unmodelled>) -> BTreeMap<EdgeId, Unmodelled> {
    places.into_iter().map(|place| (place.edge, place)).collect()
}

pub(crate) fn render(tree: &tree::Program, diagnostics: &[Diagnostic]) -> String {
    diagnostics.iter().map(|diagnostic| diagnostic.render_in(&tree.sources)).collect()
}

fn lower(tree: &tree::Program, bounds: &LowerOptions, budget: &Budget) -> Result<Lowered, Stop> {
    nilas_c::lower_within(tree, bounds, budget)
        .map_err(Stop::Interrupted)?
        .map_err(|diagnostics| Stop::Refused(Refusal::new(render(tree, &diagnostics).trim_end().to_owned())))
}

/// Refuses a program that can get to inline assembly: it is among what the answer would rest on.
fn refuse_assembly(tree: &tree::Program, lowered: &Lowered) -> Result<(), Refusal> {
    let found = lowered.assumptions.iter().find(|it| it.kind == nilas_c::AssumptionKind::InlineAssembly);
    let Some(found) = found else { return Ok(()) };
    let message = "inline assembly, which `--asm refuse` does not allow";
    let text = render(tree, &[Diagnostic::error(found.span, message)]);
    Err(Refusal::new(text.trim_end().to_owned()))
}

/// Reads and checks a program.
pub(crate) fn read(task: &Task, budget: &Budget) -> Result<Input, Stop> {
    let input = match task {
        Task::C(program) => return c_program(task, program, budget),
        Task::Automaton(text) => return automaton(text, budget),
        Task::Vmt(text) => system(text, nilas_system::read_vmt, budget),
        Task::Btor2(text) => system(text, nilas_system::read_btor2, budget),
        Task::Horn(text) => system(text, nilas_system::read_horn, budget),
    };
    // A program that is there is not thrown away, whatever the budget says: engines end with statistics.
    input
}

/// A transition system or Horn clauses, as the automaton in which every goal is an error.
fn system(
    text: &Text,
    reader: fn(&str) -> Result<System, Diagnostic>,
    budget: &Budget,
) -> Result<Input, Stop> {
    let (name, text) = (text.name(), text.text()?);
    let system = reader(&text).map_err(|diagnostic| Refusal::new(diagnostic.render(&name, &text)))?;
    let source = Source::Automaton(SourceFile::plain(&name, text.into_bytes()));
    let mut input = if system.is_linear() {
        let layout = nilas_system::to_automaton(&system, None);
        let error = layout.program.automaton.error;
        Input::of_automaton(source, layout.program, vec![error])
    } else {
        let module = Arc::new(nilas_system::Procedures::new(&system, None).module);
        Input::of_module(source, module, LowerOptions::default(), budget).map_err(Stop::Interrupted)?
    };
    input.system = Some(Arc::new(system));
    Ok(input)
}

fn automaton(text: &Text, budget: &Budget) -> Result<Input, Stop> {
    let (name, bytes) = (text.name(), text.bytes()?);
    let module = text::parse_module_bytes(&bytes).map_err(|diagnostics| {
        let lossy = String::from_utf8_lossy(&bytes);
        let messages: Vec<String> =
            diagnostics.iter().map(|diagnostic| diagnostic.render(&name, &lossy)).collect();
        Refusal::new(messages.join("\n"))
    })?;
    let source = Source::Automaton(SourceFile::plain(&name, bytes));
    if module.procedures.is_empty() {
        return Ok(Input::of_automaton(source, module.program, module.targets));
    }
    let bounds = LowerOptions::default();
    Input::of_module(source, Arc::new(module), bounds, budget).map_err(Stop::Interrupted)
}

impl Input {
    /// Each check gets an error location of its own.
    fn split(&mut self) {
        let automaton = &mut self.program.automaton;
        // What leads out of the model shows nothing.
        for check in &mut self.checks {
            check.edges.retain(|edge| !self.unmodelled.contains_key(edge));
        }
        // Every way to the error is one of a check; should there be another, nothing is known about it.
        let known: BTreeSet<EdgeId> =
            self.checks.iter().flat_map(|check| check.edges.iter().copied()).collect();
        let (error, sink) = (automaton.error, automaton.unmodelled);
        for (number, edge) in automaton.edges.iter_mut().enumerate() {
            if edge.target == error && !known.contains(&EdgeId::new(number)) {
                edge.target = sink.unwrap_or(error);
            }
        }
        self.errors.clear();
        for (number, check) in self.checks.iter().enumerate() {
            self.errors.push(LocationId::new(automaton.locations.len()));
            let name = format!("{}.{number}", check.property.name());
            automaton.locations.push(Location { name, span: check.span });
        }
        let span = automaton.location(automaton.error).span;
        automaton.locations.push(Location { name: "stopped".to_owned(), span });
    }

    /// Makes some of the checks the error; where another one is violated, executions stop.
    pub(crate) fn ask(&mut self, asked: Asked) {
        direct(&mut self.program, &self.checks, &self.errors, &self.unmodelled, &asked);
        self.asked = asked;
    }

    /// What is asked.
    pub(crate) fn asked(&self) -> &Asked {
        &self.asked
    }

    /// The checks that are asked about.
    pub(crate) fn asked_checks(&self) -> Vec<usize> {
        (0..self.checks.len()).filter(|&it| self.asked.includes(&self.checks[it])).collect()
    }

    pub(crate) fn of_automaton(source: Source, program: Program, errors: Vec<LocationId>) -> Input {
        Input {
            source,
            program,
            errors,
            assumptions: Vec::new(),
            unmodelled: BTreeMap::new(),
            havocs: Vec::new(),
            heads: Vec::new(),
            cells: Vec::new(),
            undefined: Vec::new(),
            checks: Vec::new(),
            by_place: false,
            asked: Asked::All,
            presumed: BTreeMap::new(),
            tree: None,
            system: None,
            emitted: None,
            unkept: Vec::new(),
            module: None,
            calls: None,
            bounds: LowerOptions::default(),
            refuses_assembly: false,
        }
    }

    /// An automaton with procedures: verdicts and evidence are about the one in which bodies stand in the
    /// place of calls. Of the bounds, those of recursion and of edges matter.
    fn of_module(
        source: Source,
        module: Arc<Module>,
        bounds: LowerOptions,
        budget: &Budget,
    ) -> Result<Input, Interrupt> {
        let options =
            FlattenOptions { recursion: bounds.recursion, edges: bounds.edges, ..FlattenOptions::default() };
        let flat = flatten(Module::clone(&module), &options, budget)?;
        let unmodelled = cuts(&flat, &module, &bounds);
        // Questions about several error locations are about automata of their own.
        let calls = (module.targets.len() == 1).then(|| WithCalls::new(Module::clone(&module), &flat));
        let Targets { program, targets } = flat.targets;
        let input = Input::of_automaton(source, program, targets);
        Ok(Input { unmodelled, module: Some(module), calls: calls.map(Arc::new), bounds, ..input })
    }

    /// The question about one error location of an automaton.
    pub(crate) fn about(&self, error: LocationId) -> Input {
        let targets = self.targets();
        let input = Input::of_automaton(self.source.clone(), targets.about(error), vec![error]);
        // Answers for several locations are about one automaton: no bound is raised.
        let mut unmodelled = self.unmodelled.clone();
        unmodelled.values_mut().for_each(|place| place.bound = None);
        Input { unmodelled, ..input }
    }

    /// The program with all its error locations.
    #[must_use]
    pub fn targets(&self) -> Targets {
        let mut program = self.program.clone();
        if self.by_place {
            direct(&mut program, &self.checks, &self.errors, &self.unmodelled, &Asked::None);
        }
        Targets { program, targets: self.errors.clone() }
    }
}

/// What the edges to *unmodelled* stand for that calls became.
fn cuts(flat: &Flat, module: &Module, bounds: &LowerOptions) -> BTreeMap<EdgeId, Unmodelled> {
    let cut = |cut: &nilas_program::procedures::Cut| {
        let name = &module.procedure(module.call(cut.call).callee).name;
        let (construct, bound) = match cut.reason {
            CutReason::Recursion => {
                let construct = format!("recursion of `{name}` deeper than {} calls", bounds.recursion);
                (construct, Some(Bound::Recursion))
            }
            CutReason::Edges => ("a program too large to inline its calls".to_owned(), None),
        };
        let span = module.call(cut.call).span;
        (cut.edge, Unmodelled { edge: cut.edge, construct, span, bound })
    };
    flat.cuts.iter().map(cut).collect()
}

/// Reads, checks and links a C program.
pub(crate) fn tree(task: &Task, budget: &Budget) -> Result<tree::Program, Stop> {
    let Task::C(program) = task else {
        return Err(expected(Path::new(&task.name()), "`.c` or `.i`").into());
    };
    let units = project::units(program, &task.name(), budget)?;
    parse(units, &program.language, budget)
}

/// A C program.
fn parse(mut units: Units, language: &Language, budget: &Budget) -> Result<tree::Program, Stop> {
    for file in &mut units.files {
        if let nilas_c::Input::Path(path) = &file.input {
            if !ends_in(path, &["c", "i"]) {
                return Err(expected(path, "`.c` or `.i`").into());
            }
            // The messages of `read_bytes` are those of every other input.
            let (path, bytes) = (path.clone(), read_bytes(path)?);
            file.input = nilas_c::Input::Read { path, bytes };
        }
    }
    let options = nilas_c::Options {
        model: units.model,
        caller: language.caller.clone(),
        interrupts: language.interrupts.clone(),
        waypoints: language.waypoints.clone(),
        budget: budget.clone(),
        ..nilas_c::Options::default()
    };
    nilas_c::parse_files(&units.files, &options).map_err(|failure| match failure.interrupted {
        Some(why) => Stop::Interrupted(why),
        None => Stop::Refused(Refusal::new(failure.render().trim_end().to_owned())),
    })
}

fn c_program(task: &Task, program: &CProgram, budget: &Budget) -> Result<Input, Stop> {
    let (name, language) = (task.name(), &program.language);
    let units = project::units(program, &name, budget)?;
    let tree = parse(units, language, budget)?;
    let bounds = LowerOptions {
        properties: language.properties.unwrap_or(Properties::ASSERT),
        malloc_may_fail: language.malloc_may_fail,
        calls: language.calls,
        unknown_functions: language.unknown_functions,
        ..LowerOptions::default()
    };
    let lowered = lower(&tree, &bounds, budget)?;
    let refuses_assembly = language.refuse_assembly;
    if refuses_assembly {
        refuse_assembly(&tree, &lowered)?;
    }
    let asked = language.properties.map(|_| Asked::All);
    let functions = bodies(&tree);
    let (sources, scalars) = (tree.sources.clone(), Scalars::default());
    let source = Source::C { name, sources, inputs: Vec::new(), functions, scalars };
    Ok(Input { refuses_assembly, ..Input::of(source, lowered, Arc::new(tree), bounds, asked) })
}

/// Leads every violation where the question says: to the error, or to the location of its check.
fn direct(
    program: &mut Program,
    checks: &[Check],
    errors: &[LocationId],
    unmodelled: &BTreeMap<EdgeId, Unmodelled>,
    asked: &Asked,
) {
    let automaton = &mut program.automaton;
    let included = checks.iter().zip(errors).find(|(check, _)| asked.includes(check));
    let Some(&error) = included.map(|(_, error)| error).or(errors.first()) else { return };
    automaton.error = error;
    for (check, &own) in checks.iter().zip(errors) {
        let target = if asked.includes(check) { error } else { own };
        for &edge in &check.edges {
            automaton.edges[edge.index()].target = target;
        }
    }
    let stopped = LocationId::new(automaton.locations.len() - 1);
    if let Some(sink) = automaton.unmodelled {
        let target = if asked.stops_unmodelled() { stopped } else { sink };
        for edge in unmodelled.keys() {
            automaton.edges[edge.index()].target = target;
        }
    }
}
