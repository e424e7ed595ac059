//! The whole way from files to a typed tree.

use crate::caller::{self, Caller};
use crate::interrupts::{self, Interrupts};
use crate::lex::{Symbols, lex};
use crate::library::{self, Wanted};
use crate::link;
use crate::parse::{Limits, parse};
use crate::preprocess::{PreprocessError, Preprocessor, needs_preprocessing};
use crate::registers;
use crate::sema::{self, Dialect};
use crate::source::{Diagnostic, SourceMap};
use crate::tree::Program;
use crate::types::DataModel;
use crate::waypoints::{self, Waypoints};
use crate::work::{self, Lost};
use nilas_term::{Budget, Interrupt};
use std::path::{Path, PathBuf};

/// What to parse.
#[derive(Clone, Debug)]
pub enum Input {
    /// A file.
    Path(PathBuf),
    /// A file that was read already; a compiler that preprocesses it reads it again.
    Read {
        /// The file.
        path: PathBuf,
        /// Its bytes.
        bytes: Vec<u8>,
    },
    /// A text, and what messages call it.
    Text {
        /// The name.
        name: String,
        /// The bytes.
        text: Vec<u8>,
    },
}

/// A translation unit of a program.
#[derive(Clone, Debug)]
pub struct File {
    /// Its text.
    pub input: Input,
    /// How to preprocess it, if it has directives.
    pub preprocessor: Preprocessor,
    /// What the compiler is told about the language.
    pub dialect: Dialect,
}

/// How to parse.
#[derive(Clone, Debug)]
pub struct Options {
    /// The data model.
    pub model: DataModel,
    /// How to preprocess a text with directives.
    pub preprocessor: Preprocessor,
    /// How deeply the source may be nested.
    pub max_depth: usize,
    /// The function to check instead of `main`.
    pub caller: Option<Caller>,
    /// Functions that may run between any two accesses.
    pub interrupts: Interrupts,
    /// Waypoints that an execution has to pass before the error counts.
    pub waypoints: Option<Waypoints>,
    /// What it may cost.
    pub budget: Budget,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            model: DataModel::Lp64,
            preprocessor: Preprocessor::default(),
            max_depth: Limits::default().depth,
            caller: None,
            interrupts: Interrupts::default(),
            waypoints: None,
            budget: Budget::unlimited(),
        }
    }
}

/// Why there is no program.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The errors, at least one.
    pub diagnostics: Vec<Diagnostic>,
    /// The texts that they point into.
    pub sources: SourceMap,
    /// The budget ended first: that is the only error.
    pub interrupted: Option<Interrupt>,
}

impl Failure {
    /// All messages as text.
    pub fn render(&self) -> String {
        self.diagnostics.iter().map(|diagnostic| diagnostic.render_in(&self.sources)).collect()
    }
}

/// Files beyond this size are refused: spans have 32 bits.
const SIZE_LIMIT: u64 = 1 << 30;

/// Reads, preprocesses, parses and checks a C program of one file.
pub fn parse_program(input: &Input, options: &Options) -> Result<Program, Box<Failure>> {
    let (input, preprocessor) = (input.clone(), options.preprocessor.clone());
    parse_files(&[File { input, preprocessor, dialect: Dialect::default() }], options)
}

/// A preprocessed text.
struct Text {
    name: String,
    bytes: Vec<u8>,
    dialect: Dialect,
    /// What the user wrote.
    written: Written,
}

/// How the user wrote a text.
enum Written {
    /// Not at all: it is made here.
    Nowhere,
    /// As it is parsed.
    So,
    /// So, before it was preprocessed.
    Before(Vec<u8>),
}

impl Text {
    /// A text that the user did not write.
    fn made(name: &str, text: String) -> Text {
        let (name, bytes, dialect) = (name.to_owned(), text.into_bytes(), Dialect::default());
        Text { name, bytes, dialect, written: Written::Nowhere }
    }
}

/// Reads, preprocesses, parses and checks the files of a C program, and links them. (How to preprocess is
/// said by the files, not by the options.)
pub fn parse_files(files: &[File], options: &Options) -> Result<Program, Box<Failure>> {
    let mut texts = Vec::new();
    for file in files {
        if let Some(why) = options.budget.exhausted() {
            return Err(interrupted(why));
        }
        texts.push(read(file, options)?);
    }
    let parsed = parse_read(&texts, options);
    match parsed {
        // Macros that the compiler defines by itself are the one thing in a text without directives that it
        // would change. Few texts use them, so it is asked only where the text is refused as it is written:
        // the name of a macro is declared by nothing else.
        Err(failure) if failure.interrupted.is_none() => {
            if expand(files, &mut texts, options)? {
                parse_read(&texts, options)
            } else {
                Err(failure)
            }
        }
        parsed => parsed,
    }
}

/// Preprocesses texts without directives that use predefined macros. Tells whether there is one.
fn expand(files: &[File], texts: &mut [Text], options: &Options) -> Result<bool, Box<Failure>> {
    let mut any = false;
    for (file, text) in files.iter().zip(texts) {
        let (preprocessor, path) = (&file.preprocessor, path_of(&file.input));
        if !matches!(text.written, Written::So) || is_preprocessed(path) {
            continue;
        }
        // Without a compiler, what the text says by itself is told.
        match preprocessor.uses_predefined(&text.bytes, options.model, &options.budget) {
            Ok(true) => {}
            Err(PreprocessError::Interrupted(why)) => return Err(interrupted(why)),
            Ok(false) | Err(_) => continue,
        }
        let bytes = std::mem::take(&mut text.bytes);
        text.bytes = preprocess(preprocessor, path, &text.name, &bytes, options)?;
        text.written = Written::Before(bytes);
        any = true;
    }
    Ok(any)
}

fn parse_read(texts: &[Text], options: &Options) -> Result<Program, Box<Failure>> {
    match work::on_thread("parse", &options.budget, || parse_texts(texts, options)) {
        Ok(result) => result,
        Err(Lost::Interrupted(why)) => Err(interrupted(why)),
        Err(Lost::Died) => {
            let message = "the front end failed on this program: this is a bug in Nilas";
            Err(fail(Diagnostic::general(message)))
        }
        Err(Lost::NoThread) => {
            Err(fail(Diagnostic::general("no thread could be started to parse the program")))
        }
    }
}

fn fail(diagnostic: Diagnostic) -> Box<Failure> {
    Box::new(Failure { diagnostics: vec![diagnostic], sources: SourceMap::new(), interrupted: None })
}

fn interrupted(why: Interrupt) -> Box<Failure> {
    let failure = fail(Diagnostic::general(why.to_string()));
    Box::new(Failure { interrupted: Some(why), ..*failure })
}

/// The text of a file, preprocessed if it has to be.
fn read(file: &File, options: &Options) -> Result<Text, Box<Failure>> {
    let path = path_of(&file.input);
    let (name, mut bytes) = match &file.input {
        Input::Path(path) => (path.display().to_string(), read_file(path).map_err(fail)?),
        Input::Read { path, bytes } => (path.display().to_string(), bytes.clone()),
        Input::Text { name, text } => (name.clone(), text.clone()),
    };
    if let Some(at) = bytes.iter().position(|&b| b == 0) {
        let message = format!("`{name}` is no C text: byte {at} is zero");
        let hint = "a program is given as its source, in ASCII or UTF-8";
        return Err(fail(Diagnostic::general(message).with_hint(hint)));
    }
    if bytes.starts_with(BYTE_ORDER_MARK) {
        bytes.drain(..BYTE_ORDER_MARK.len());
    }
    // As compilers do: what was preprocessed is not preprocessed again for the sake of options.
    let told = !is_preprocessed(path) && file.preprocessor.changes_text();
    if !told && !needs_preprocessing(&bytes) {
        return Ok(Text { name, bytes, dialect: file.dialect, written: Written::So });
    }
    let preprocessed = preprocess(&file.preprocessor, path, &name, &bytes, options)?;
    Ok(Text { name, bytes: preprocessed, dialect: file.dialect, written: Written::Before(bytes) })
}

/// What some editors put before UTF-8; compilers pass over it.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

fn preprocess(
    preprocessor: &Preprocessor,
    path: Option<&Path>,
    name: &str,
    bytes: &[u8],
    options: &Options,
) -> Result<Vec<u8>, Box<Failure>> {
    preprocessor.run(path, name, bytes, options.model, &options.budget).map_err(|error| match error {
        PreprocessError::Interrupted(why) => interrupted(why),
        error => fail(error.diagnostic()),
    })
}

fn path_of(input: &Input) -> Option<&Path> {
    match input {
        Input::Path(path) | Input::Read { path, .. } => Some(path),
        Input::Text { .. } => None,
    }
}

/// Whether the name of a file says that it was preprocessed.
fn is_preprocessed(path: Option<&Path>) -> bool {
    path.is_some_and(|path| path.extension().is_some_and(|it| it == "i"))
}

fn read_file(path: &Path) -> Result<Vec<u8>, Diagnostic> {
    let shown = path.display();
    let problem = |reason: &str| Diagnostic::general(format!("cannot read `{shown}`: {reason}"));
    let metadata = std::fs::metadata(path).map_err(|error| problem(&reason(&error)))?;
    if metadata.is_dir() {
        return Err(problem("it is a directory"));
    }
    if metadata.len() > SIZE_LIMIT {
        return Err(problem("it is larger than 1 GB"));
    }
    std::fs::read(path).map_err(|error| problem(&reason(&error)))
}

/// Why something could not be read or written, without the number that systems give the reason.
#[must_use]
pub fn reason(error: &std::io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or_default().to_owned()
}

fn parse_texts(texts: &[Text], options: &Options) -> Result<Program, Box<Failure>> {
    let mut reader = Reader {
        limits: Limits { depth: options.max_depth, ..Limits::default() },
        program: Program::new(options.model),
        units: Vec::new(),
        wanted: Wanted::default(),
        errors: Vec::new(),
    };
    for text in texts {
        reader.unit(text);
    }
    if !options.interrupts.is_empty() {
        reader.unit(&Text::made(interrupts::FILE, options.interrupts.text()));
    }
    let mut found = None;
    if let Some(waypoints) = options.waypoints.as_ref().filter(|_| reader.errors.is_empty()) {
        match waypoints::find(&reader.program, waypoints) {
            Ok((places, name, text)) => {
                reader.unit(&Text::made(&name, text));
                found = Some(places);
            }
            Err(diagnostic) => reader.errors.push(diagnostic),
        }
    }
    let texts = reader.program.functions.len();
    let library = reader.wanted.text();
    reader.unit(&Text::made("<nilas>", library));
    let Reader { mut program, units, errors, .. } = reader;
    let linked = if errors.is_empty() { link::link(&mut program, &units) } else { Err(errors) };
    if let Err(diagnostics) = linked {
        return Err(Box::new(Failure { diagnostics, sources: program.sources, interrupted: None }));
    }
    library::link::link(&mut program);
    registers::give_objects(&mut program);
    if let Some(caller) = &options.caller
        && let Err(diagnostic) = caller::put_in(&mut program, caller)
    {
        let diagnostics = vec![diagnostic];
        return Err(Box::new(Failure { diagnostics, sources: program.sources, interrupted: None }));
    }
    if !options.interrupts.is_empty()
        && let Err(diagnostics) = interrupts::put_in(&mut program, &options.interrupts, texts)
    {
        return Err(Box::new(Failure { diagnostics, sources: program.sources, interrupted: None }));
    }
    if let (Some(waypoints), Some(found)) = (&options.waypoints, &found)
        && let Err(diagnostic) = waypoints::put_in(&mut program, waypoints, found)
    {
        let diagnostics = vec![diagnostic];
        return Err(Box::new(Failure { diagnostics, sources: program.sources, interrupted: None }));
    }
    Ok(program)
}

/// Reads unit after unit. After an error the next unit is read, too, so that its errors are told.
struct Reader {
    limits: Limits,
    program: Program,
    units: Vec<link::Unit>,
    wanted: Wanted,
    errors: Vec<Diagnostic>,
}

impl Reader {
    fn unit(&mut self, text: &Text) {
        let sources = &mut self.program.sources;
        let file = sources.add(&text.name, text.bytes.clone());
        match &text.written {
            Written::Nowhere => {}
            Written::So => sources.wrote(&text.name, &text.bytes, false),
            Written::Before(bytes) => sources.wrote(&text.name, bytes, true),
        }
        let (mut symbols, mut errors) = (Symbols::new(), Vec::new());
        let lexed = lex(file, &text.bytes, &mut symbols, &mut errors);
        self.wanted.by(&lexed, &symbols);
        let ast = parse(lexed, &mut symbols, self.limits, &mut errors);
        if !errors.is_empty() {
            errors.sort_by_key(|d| d.span.map_or(0, |span| span.start));
            errors.truncate(self.limits.errors);
            self.errors.extend(errors);
            return;
        }
        let depth = 4 * self.limits.depth + self.limits.chain;
        let none = Program::new(self.program.types.model());
        let program = std::mem::replace(&mut self.program, none);
        let (program, unit) = sema::check(&ast, &mut symbols, program, text.dialect, depth);
        self.program = program;
        match unit {
            Ok(unit) => self.units.push(unit),
            Err(errors) => self.errors.extend(errors),
        }
    }
}
