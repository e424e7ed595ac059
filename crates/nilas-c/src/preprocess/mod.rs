//! From the user's file to preprocessed text.
//!
//! Text whose only `#` lines are line markers and pragmas is taken as it is, unless it is refused so and
//! uses a
//! macro that the compiler defines by itself (`__INT_MAX__`); anything else goes through the system's C
//! compiler as `cc -E`, in a child process with a time limit and an output limit. Nilas puts its
//! own `assert.h` and `nilas.h` (the verifier functions) before the system's headers and after the user's
//! `-I` folders.

mod flags;
mod headers;
mod process;
mod target;

pub use flags::{Flags, words};
pub use headers::NILAS_H;
pub use process::{Allowed, Ended, supervise};

use crate::source::Diagnostic;
use crate::types::DataModel;
use nilas_term::{Budget, Interrupt};
use std::collections::HashSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How to call the compiler.
#[derive(Clone, Debug)]
pub struct Preprocessor {
    /// The compiler, a path or a name on `PATH`.
    pub compiler: PathBuf,
    /// Folders for `-I`.
    pub include_dirs: Vec<PathBuf>,
    /// Macros for `-D`, as `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// The language standard for `-std=`.
    pub standard: Option<String>,
    /// More flags, in order.
    pub flags: Vec<OsString>,
    /// Whether the compiler is told the width of pointers by `-m32` or `-m64`.
    pub tell_width: bool,
    /// How long the compiler may take.
    pub time_limit: Duration,
    /// How many bytes it may write.
    pub output_limit: usize,
}

impl Default for Preprocessor {
    fn default() -> Self {
        Preprocessor {
            compiler: PathBuf::from("cc"),
            include_dirs: Vec::new(),
            defines: Vec::new(),
            standard: None,
            flags: Vec::new(),
            tell_width: true,
            time_limit: Duration::from_secs(60),
            output_limit: 256 << 20,
        }
    }
}

/// Why there is no preprocessed text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PreprocessError {
    /// The compiler could not be started.
    NoCompiler {
        /// What was tried.
        compiler: String,
        /// What the system said.
        reason: String,
    },
    /// The compiler ran and refused the file; its messages.
    Refused(String),
    /// The compiler did not end in time.
    TimedOut(Duration),
    /// The caller's budget ended first.
    Interrupted(Interrupt),
    /// The compiler wrote more than the limit.
    TooLarge(usize),
    /// The compiler is for a machine that is not supported.
    Unsupported(String),
    /// The folder for the shipped headers could not be made.
    Folder(String),
    /// A pipe broke.
    Io(String),
}

impl PreprocessError {
    /// The error as a message.
    pub fn diagnostic(&self) -> Diagnostic {
        match self {
            PreprocessError::NoCompiler { compiler, reason } => Diagnostic::general(format!(
                "the file has preprocessor directives, but the C compiler `{compiler}` cannot be run: {reason}"
            ))
            .with_hint("install a C compiler, choose one with --cc, or give Nilas preprocessed text"),
            PreprocessError::Refused(messages) => {
                let refused = Diagnostic::general(format!("preprocessing failed\n{}", messages.trim_end()));
                match messages.contains(": No such file or directory") {
                    true => refused.with_hint(
                        "`-I DIR` adds a folder to look for headers in, `--project` takes the flags of a build",
                    ),
                    false => refused,
                }
            }
            PreprocessError::TimedOut(limit) => {
                Diagnostic::general(format!("preprocessing took longer than {} s", limit.as_secs()))
            }
            PreprocessError::Interrupted(why) => {
                Diagnostic::general(format!("{why} while the program was preprocessed"))
            }
            PreprocessError::TooLarge(limit) => {
                Diagnostic::general(format!("preprocessing gave more than {} MB of text", limit >> 20))
            }
            PreprocessError::Unsupported(message) => Diagnostic::general(message.clone()),
            PreprocessError::Folder(reason) => Diagnostic::general(format!("preprocessing failed: {reason}"))
                .with_hint("the variable TMPDIR names the folder for temporary files"),
            PreprocessError::Io(reason) => Diagnostic::general(format!("preprocessing failed: {reason}")),
        }
    }
}

impl Preprocessor {
    /// Whether options may change a text without directives: by macros, or by files that are put before it.
    #[must_use]
    pub fn changes_text(&self) -> bool {
        let changing = ["-D", "-U", "-include", "-imacros", "--include", "--imacros"];
        let changes = |flag: &OsString| {
            flag.to_str().is_some_and(|flag| changing.iter().any(|option| flag.starts_with(option)))
        };
        !self.defines.is_empty() || self.flags.iter().any(changes)
    }

    fn allowed<'b>(&self, budget: &'b Budget) -> process::Allowed<'b> {
        process::Allowed { time: self.time_limit, output: self.output_limit, budget }
    }

    /// What every run of the compiler is told.
    fn arguments(&self, model: DataModel) -> Vec<OsString> {
        let mut arguments: Vec<OsString> = ["-E", "-x", "c", "-U_FORTIFY_SOURCE"].map(OsString::from).into();
        if self.tell_width {
            arguments.push(if model.is_narrow() { "-m32".into() } else { "-m64".into() });
        }
        if let Some(standard) = &self.standard {
            arguments.push(format!("-std={standard}").into());
        }
        for define in &self.defines {
            arguments.push(format!("-D{define}").into());
        }
        for dir in &self.include_dirs {
            arguments.push("-I".into());
            arguments.push(dir.into());
        }
        arguments.extend(self.flags.iter().cloned());
        arguments
    }

    /// Whether a text uses a macro that the compiler defines by itself, or another word that only a
    /// preprocessor follows.
    ///
    /// # Errors
    /// When the compiler cannot be asked for its macros.
    pub fn uses_predefined(
        &self,
        text: &[u8],
        model: DataModel,
        budget: &Budget,
    ) -> Result<bool, PreprocessError> {
        let words: HashSet<&[u8]> = words_of(text).collect();
        if DYNAMIC.iter().any(|word| words.contains(word.as_bytes())) {
            return Ok(true);
        }
        let mut arguments = self.arguments(model);
        arguments.extend(["-dM", "-"].map(OsString::from));
        let defined = process::run(&self.compiler, &arguments, Vec::new(), &self.allowed(budget))?;
        let mut names = defined
            .split(|&b| b == b'\n')
            .filter_map(|line| words_of(line.strip_prefix(b"#define ")?).next());
        Ok(names.any(|name| words.contains(name)))
    }

    /// Runs the compiler on a file, or on a text that is called `name`.
    pub fn run(
        &self,
        path: Option<&Path>,
        name: &str,
        text: &[u8],
        model: DataModel,
        budget: &Budget,
    ) -> Result<Vec<u8>, PreprocessError> {
        let folder = headers::Folder::create().map_err(|e| PreprocessError::Folder(e.to_string()))?;
        let mut arguments = self.arguments(model);
        arguments.push("-isystem".into());
        arguments.push(folder.first().into());
        // A 64-bit machine often has one set of headers only; they serve both models, given the missing stubs
        // file.
        for dir in headers::multiarch_dirs().into_iter().filter(|_| self.tell_width) {
            arguments.push("-idirafter".into());
            arguments.push(dir.into());
        }
        arguments.push("-idirafter".into());
        arguments.push(folder.last().into());
        let mut input = Vec::new();
        match path {
            Some(path) => {
                // A name like `-o` must not be read as an option.
                let shown = if path.to_string_lossy().starts_with('-') {
                    Path::new(".").join(path)
                } else {
                    path.into()
                };
                arguments.push(shown.into());
            }
            None => {
                arguments.push("-".into());
                input = format!("# 1 \"{}\"\n", name.replace('\\', "\\\\").replace('"', "\\\"")).into_bytes();
                input.extend_from_slice(text);
            }
        }
        process::run(&self.compiler, &arguments, input, &self.allowed(budget))
    }
}

/// Words that only a preprocessor follows, and that are not in its list of macros: their meaning depends on
/// the place (C11 6.10.8.1, 6.10.9, and GNU C).
const DYNAMIC: [&str; 9] = [
    "__FILE__",
    "__LINE__",
    "__DATE__",
    "__TIME__",
    "__COUNTER__",
    "__BASE_FILE__",
    "__INCLUDE_LEVEL__",
    "__TIMESTAMP__",
    "_Pragma",
];

/// The identifiers of a text, those in comments and strings included.
fn words_of(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|&b| !(b.is_ascii_alphanumeric() || b == b'_'))
        .filter(|word| word.first().is_some_and(|b| !b.is_ascii_digit()))
}

/// The part behind `#` (or `%:`, which means the same) and spaces, if the line has one.
fn after_hash(line: &[u8]) -> Option<&[u8]> {
    let line = line.trim_ascii_start();
    Some(line.strip_prefix(b"#").or_else(|| line.strip_prefix(b"%:"))?.trim_ascii_start())
}

/// A line from the first thing on it that is no comment; nothing where it ends inside of one.
fn behind_comments(line: &[u8], mut in_comment: bool) -> &[u8] {
    let mut rest = line;
    loop {
        if in_comment {
            let Some(end) = rest.windows(2).position(|pair| pair == b"*/") else { return &[] };
            rest = &rest[end + 2..];
        }
        rest = rest.trim_ascii_start();
        match rest.strip_prefix(b"/*") {
            Some(inner) => (rest, in_comment) = (inner, true),
            None => return rest,
        }
    }
}

/// The text of a `#pragma` line.
pub(crate) fn pragma_text(line: &[u8]) -> Option<String> {
    let text = after_hash(line)?.strip_prefix(b"pragma")?;
    Some(String::from_utf8_lossy(text).into_owned())
}

/// Whether a line is a directive that only a preprocessor can follow.
pub(crate) fn is_directive(line: &[u8]) -> bool {
    let Some(text) = after_hash(line) else { return false };
    let harmless = text.is_empty()
        || [&b"pragma"[..], b"ident", b"sccs"].iter().any(|word| text.starts_with(word))
        || crate::source::is_line_marker(line);
    !harmless
}

/// Whether a text has directives that only a preprocessor can follow. Lines inside block comments do not
/// count.
pub fn needs_preprocessing(text: &[u8]) -> bool {
    let mut in_comment = false;
    for line in text.split(|&b| b == b'\n') {
        if is_directive(behind_comments(line, in_comment)) {
            return true;
        }
        in_comment = comment_after(line, in_comment);
    }
    false
}

/// Whether a block comment is open after this line.
fn comment_after(line: &[u8], mut in_comment: bool) -> bool {
    let mut quote = None;
    let mut i = 0;
    while i < line.len() {
        let rest = &line[i..];
        if in_comment {
            if rest.starts_with(b"*/") {
                in_comment = false;
                i += 1;
            }
        } else if let Some(q) = quote {
            if rest[0] == b'\\' {
                i += 1;
            } else if rest[0] == q {
                quote = None;
            }
        } else if rest.starts_with(b"//") {
            return false;
        } else if rest.starts_with(b"/*") {
            in_comment = true;
            i += 1;
        } else if rest[0] == b'"' || rest[0] == b'\'' {
            quote = Some(rest[0]);
        }
        i += 1;
    }
    in_comment
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_are_told_from_markers() {
        for (text, expected) in [
            ("# 1 \"a.c\" 2\n#pragma pack(1)\n#\nint x;", false),
            ("#include <a.h>\n", true),
            ("int x;\n  # define A 1\n", true),
            ("/*\n#include <a.h>\n*/ int x;", false),
            ("/* a */ /* b\n*/ # define A 1\n", true),
            ("%:define A 1\n", true),
            ("int y = 7 /* a\n # b */ %2;\n", false),
            ("char *s = \"/*\";\n#if 1\n", true),
            ("#line 4 \"x\"\n#ident \"v\"\n", false),
        ] {
            assert_eq!(needs_preprocessing(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn words_are_identifiers() {
        let words: Vec<&[u8]> = words_of(b"int x1=0x1f+__A__; /* b */").collect();
        assert_eq!(words, [&b"int"[..], b"x1", b"__A__", b"b"]);
    }

    #[test]
    fn a_missing_compiler_is_named() {
        let preprocessor = Preprocessor { compiler: "/no/such/cc".into(), ..Preprocessor::default() };
        let error = preprocessor.run(None, "a.c", b"#define A\n", DataModel::Lp64, &Budget::unlimited());
        assert!(matches!(error, Err(PreprocessError::NoCompiler { .. })), "{error:?}");
    }

    #[test]
    fn a_hanging_compiler_is_stopped() {
        let preprocessor =
            Preprocessor { compiler: "yes".into(), output_limit: 1 << 16, ..Preprocessor::default() };
        // `yes` may be missing or dislike the options; what matters is that this returns.
        assert!(preprocessor.run(None, "a.c", b"", DataModel::Lp64, &Budget::unlimited()).is_err());
    }

    #[test]
    fn a_compiler_is_stopped_when_the_budget_ends() {
        // `yes` writes for ever; where it is missing or dislikes the options, there is nothing to stop.
        let preprocessor = Preprocessor { compiler: "yes".into(), ..Preprocessor::default() };
        let budget = Budget::unlimited();
        budget.cancel.cancel(Interrupt::Cancelled);
        let error = preprocessor.run(None, "a.c", b"", DataModel::Lp64, &budget);
        let is_expected = matches!(
            error,
            Err(PreprocessError::Interrupted(Interrupt::Cancelled) | PreprocessError::NoCompiler { .. })
        );
        assert!(is_expected || matches!(error, Err(PreprocessError::Refused(_))), "{error:?}");
    }
}
