//! The whole way from a file to a typed tree.

use crate::ast::Ast;
use crate::lex::{Lexed, Symbols, lex};
use crate::library;
use crate::parse::{Limits, parse};
use crate::preprocess::{Preprocessor, needs_preprocessing};
use crate::sema;
use crate::source::{Diagnostic, SourceMap};
use crate::tree::Program;
use crate::types::DataModel;
use std::path::{Path, PathBuf};

/// What to parse.
#[derive(Clone, Debug)]
pub enum Input {
    /// A file.
    Path(PathBuf),
    /// A text, and what messages call it.
    Text {
        /// The name.
        name: String,
        /// The bytes.
        text: Vec<u8>,
    },
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
}

impl Default for Options {
    fn default() -> Self {
        Options {
            model: DataModel::Lp64,
            preprocessor: Preprocessor::default(),
            max_depth: Limits::default().depth,
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
}

impl Failure {
    /// All messages as text.
    pub fn render(&self) -> String {
        self.diagnostics.iter().map(|diagnostic| diagnostic.render(&self.sources)).collect()
    }
}

/// Files beyond this size are refused: spans have 32 bits.
const SIZE_LIMIT: u64 = 1 << 30;

/// The stack of the thread that parses and checks: enough for the deepest nesting and the longest chains that
/// the parser's limits allow, with room to spare in unoptimised builds. Only touched pages cost memory.
const STACK: usize = 1 << 30;

/// Reads, preprocesses, parses and checks a C program.
pub fn parse_program(input: &Input, options: &Options) -> Result<Program, Box<Failure>> {
    let fail = |diagnostic: Diagnostic, sources: SourceMap| {
        Box::new(Failure { diagnostics: vec![diagnostic], sources })
    };
    let (name, path, text) = match input {
        Input::Path(path) => {
            let text = read_file(path).map_err(|error| fail(error, SourceMap::new()))?;
            (path.display().to_string(), Some(path.as_path()), text)
        }
        Input::Text { name, text } => (name.clone(), None, text.clone()),
    };
    let text = if needs_preprocessing(&text) {
        let run = options.preprocessor.run(path, &name, &text, options.model);
        run.map_err(|error| fail(error.diagnostic(), SourceMap::new()))?
    } else {
        text
    };
    // A stack that cannot be had (a tight memory limit) is asked for again, smaller.
    let mut stack = STACK;
    loop {
        let work = std::thread::scope(|scope| {
            let builder = std::thread::Builder::new().stack_size(stack).name("parse".to_owned());
            let handle = builder.spawn_scoped(scope, || parse_text(&name, &text, options)).ok()?;
            Some(handle.join())
        });
        match work {
            Some(Ok(result)) => return result,
            Some(Err(_)) => {
                let message = "the front end failed on this program: this is a bug in Nilas";
                return Err(fail(Diagnostic::general(message), SourceMap::new()));
            }
            None if stack > 1 << 26 => stack /= 4,
            None => {
                let message = "no thread could be started to parse the program";
                return Err(fail(Diagnostic::general(message), SourceMap::new()));
            }
        }
    }
}

fn read_file(path: &Path) -> Result<Vec<u8>, Diagnostic> {
    let shown = path.display();
    let problem = |reason: &str| Diagnostic::general(format!("cannot read `{shown}`: {reason}"));
    let metadata = std::fs::metadata(path).map_err(|error| problem(&error.to_string()))?;
    if metadata.is_dir() {
        return Err(problem("it is a directory"));
    }
    if metadata.len() > SIZE_LIMIT {
        return Err(problem("it is larger than 1 GB"));
    }
    std::fs::read(path).map_err(|error| problem(&error.to_string()))
}

fn parse_text(name: &str, text: &[u8], options: &Options) -> Result<Program, Box<Failure>> {
    let limits = Limits { depth: options.max_depth, ..Limits::default() };
    let program = Source::read(name, text);
    let parsed = match library::texts_for(&program.lexed, &program.symbols) {
        // An error of a program that ends too early would appear in the wrong place: it is looked for without
        // the texts.
        Some(texts) => Source::read(name, &[text, texts.as_bytes()].concat())
            .syntax(limits)
            .or_else(|failure| program.syntax(limits).and(Err(failure)))?,
        None => program.syntax(limits)?,
    };
    let (mut symbols, sources, ast) = parsed;
    let depth = 4 * limits.depth + limits.chain;
    let mut program = sema::check(&ast, &mut symbols, sources, options.model, depth)
        .map_err(|(diagnostics, sources)| Box::new(Failure { diagnostics, sources }))?;
    library::link::link(&mut program);
    Ok(program)
}

/// A text that was taken apart into tokens.
struct Source {
    sources: SourceMap,
    symbols: Symbols,
    lexed: Lexed,
    diagnostics: Vec<Diagnostic>,
}

impl Source {
    fn read(name: &str, text: &[u8]) -> Source {
        let mut sources = SourceMap::new();
        let file = sources.add(name, text.to_vec());
        let mut symbols = Symbols::new();
        let mut diagnostics = Vec::new();
        let lexed = lex(file, text, &mut symbols, &mut diagnostics);
        Source { sources, symbols, lexed, diagnostics }
    }

    fn syntax(mut self, limits: Limits) -> Result<(Symbols, SourceMap, Ast), Box<Failure>> {
        let ast = parse(self.lexed, &mut self.symbols, limits, &mut self.diagnostics);
        if !self.diagnostics.is_empty() {
            self.diagnostics.sort_by_key(|d| d.span.map_or(0, |span| span.start));
            self.diagnostics.truncate(limits.errors);
            return Err(Box::new(Failure { diagnostics: self.diagnostics, sources: self.sources }));
        }
        Ok((self.symbols, self.sources, ast))
    }
}
