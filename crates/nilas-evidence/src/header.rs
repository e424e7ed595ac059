//! What stands before evidence in a file: the version of the format, which program it is about, how that
//! program was read, and whether the evidence was ever accepted.
//!
//! ```text
//! (nilas-evidence 1)
//! (program fnv1a-128 #x0123456789abcdef0123456789abcdef)
//! (options (data-model lp64) (properties one))
//! (unaccepted "time limit reached")
//! ```
//!
//! Options are names and values, and mean something to whoever reads the program; here they are only text. A
//! text that starts with evidence at once has version 0: it says nothing about where it came from.

use crate::fingerprint::{ALGORITHM, Fingerprint};
use nilas_term::smtlib::ParseError;
use nilas_term::smtlib::sexpr::{AtomKind, Reader, Sexpr, Tree};
use std::fmt::Write;

/// The first version with a header.
pub const FIRST: u32 = 1;
/// The version with premises, and with several formulas at a location. It is written where there are some.
pub const WITH_PREMISES: u32 = 2;
/// The version with contracts. It is written where there are some.
pub const WITH_CONTRACTS: u32 = 3;
/// The newest version that is read.
pub const VERSION: u32 = WITH_CONTRACTS;

/// See the module's text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// The version of the format.
    pub version: u32,
    /// The automaton; always there from version 1 on.
    pub program: Option<Fingerprint>,
    /// What changes how the program is read, in the order of the text.
    pub options: Vec<(String, String)>,
    /// Why the evidence was not accepted when it was saved, if it was not.
    pub unaccepted: Option<String>,
}

/// The forms of evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `(invariant …)`
    Invariant,
    /// `(unwinding …)`
    Unwinding,
    /// `(run)`
    Run,
    /// `(contracts …)`
    Contracts,
    /// `(execution …)`
    Execution,
    /// `(choices)`: an execution of the source program, not of the automaton. Its choices stand in comments,
    /// and mean something to whoever executes that program.
    Choices,
    /// `(answers …)`: for several targets.
    Answers,
}

impl Form {
    const ALL: [Form; 7] = [
        Form::Invariant,
        Form::Unwinding,
        Form::Run,
        Form::Contracts,
        Form::Execution,
        Form::Choices,
        Form::Answers,
    ];

    /// The word that it starts with.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Form::Invariant => "invariant",
            Form::Unwinding => "unwinding",
            Form::Run => "run",
            Form::Contracts => "contracts",
            Form::Execution => "execution",
            Form::Choices => "choices",
            Form::Answers => "answers",
        }
    }

    /// The form that starts with a word.
    pub(crate) fn of(word: &str) -> Option<Form> {
        Form::ALL.into_iter().find(|form| form.word() == word)
    }

    /// Whether it shows that the error can be reached.
    #[must_use]
    pub fn is_execution(self) -> bool {
        matches!(self, Form::Execution | Form::Choices)
    }
}

impl Header {
    /// The header of evidence for a program that is read with these options.
    #[must_use]
    pub fn of(program: Fingerprint, options: Vec<(String, String)>) -> Self {
        Header { version: FIRST, program: Some(program), options, unaccepted: None }
    }

    /// Its text.
    #[must_use]
    pub fn print(&self) -> String {
        // Writing to a string cannot fail, so results of `write!` are dropped here.
        let mut text = format!("(nilas-evidence {})\n", self.version);
        if let Some(fingerprint) = self.program {
            let _ = writeln!(text, "(program {ALGORITHM} #x{fingerprint})");
        }
        if !self.options.is_empty() {
            text.push_str("(options");
            for (name, value) in &self.options {
                let _ = write!(text, " ({name} {value})");
            }
            text.push_str(")\n");
        }
        if let Some(why) = &self.unaccepted {
            let _ = writeln!(text, "(unaccepted {})", quoted(why));
        }
        text
    }

    /// Reads the header of a text, and tells which form of evidence follows.
    ///
    /// # Errors
    /// When the text is neither, or of a version that is not known.
    pub fn parse(text: &str) -> Result<(Header, Form), ParseError> {
        split(text).map(|(header, form, _)| (header, form))
    }
}

/// A text in double quotes.
pub(crate) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\"").replace('\n', " "))
}

/// The header, and the form and the tree of the evidence behind it.
pub(crate) fn split(text: &str) -> Result<(Header, Form, Tree<'_>), ParseError> {
    let mut reader = Reader::new(text);
    let mut header = Header::default();
    let mut next = reader.read()?;
    if let Some(tree) = next.as_ref().filter(|tree| head(tree) == Some("nilas-evidence")) {
        header.version = version(tree.root())?;
        next = reader.read()?;
        let program = next.as_ref().map(Tree::root);
        let Some(program) = program.filter(|root| word(*root) == Some("program")) else {
            return Err(ParseError::new(reader.position(), "`(program …)` expected behind the version"));
        };
        header.program = Some(fingerprint(program)?);
        next = reader.read()?;
        if let Some(tree) = next.as_ref().filter(|tree| head(tree) == Some("options")) {
            for option in tree.root().children().skip(1) {
                header.options.push(name_and_value(option)?);
            }
            next = reader.read()?;
        }
        if let Some(tree) = next.as_ref().filter(|tree| head(tree) == Some("unaccepted")) {
            let [why] = arguments(tree.root())[..] else {
                return Err(tree.root().error("`(unaccepted \"WHY\")` expected"));
            };
            let why = why.string().ok_or_else(|| why.error("a text in double quotes expected"))?;
            header.unaccepted = Some(why);
            next = reader.read()?;
        }
    }
    let Some(tree) = next else {
        return Err(ParseError::new(reader.position(), "the file holds no evidence"));
    };
    let Some(form) = head(&tree).and_then(Form::of) else {
        let words: Vec<String> = Form::ALL.iter().map(|form| format!("`({} …)`", form.word())).collect();
        return Err(tree.root().error(format!("one of {} expected", words.join(", "))));
    };
    if let Some(more) = reader.read()? {
        return Err(more.root().error("only one piece of evidence can be in a file"));
    }
    Ok((header, form, tree))
}

fn head<'t>(tree: &Tree<'t>) -> Option<&'t str> {
    word(tree.root())
}

/// The first word of a list.
pub(crate) fn word<'t>(list: Sexpr<'_, 't>) -> Option<&'t str> {
    list.children().next().and_then(|head| head.word())
}

fn arguments<'a, 't>(list: Sexpr<'a, 't>) -> Vec<Sexpr<'a, 't>> {
    list.children().skip(1).collect()
}

fn version(list: Sexpr<'_, '_>) -> Result<u32, ParseError> {
    let [version] = arguments(list)[..] else {
        return Err(list.error("`(nilas-evidence VERSION)` expected"));
    };
    match version.numeral() {
        Some(number @ FIRST..=VERSION) => Ok(number),
        _ => {
            let message = format!("evidence of version {} is not known here", version.source());
            let hint = format!("this program reads versions up to {VERSION}; a newer one may read it");
            Err(version.error(message).with_hint(hint))
        }
    }
}

fn fingerprint(list: Sexpr<'_, '_>) -> Result<Fingerprint, ParseError> {
    let [algorithm, digits] = arguments(list)[..] else {
        return Err(list.error(format!("`(program {ALGORITHM} #x…)` expected")));
    };
    if algorithm.word() != Some(ALGORITHM) {
        return Err(algorithm.error(format!("a fingerprint by `{ALGORITHM}` expected")));
    }
    let read = match digits.atom() {
        Some((AtomKind::Hexadecimal, digits)) => Fingerprint::parse(digits),
        _ => None,
    };
    read.ok_or_else(|| digits.error("`#x` and 32 hexadecimal digits expected"))
}

fn name_and_value(option: Sexpr<'_, '_>) -> Result<(String, String), ParseError> {
    let parts: Vec<Sexpr<'_, '_>> = option.children().collect();
    let value = |value: Sexpr<'_, '_>| match value.atom() {
        Some((AtomKind::Symbol | AtomKind::Numeral, text)) => Some(text.to_owned()),
        _ => None,
    };
    match parts[..] {
        [name, text] => name.word().map(str::to_owned).zip(value(text)),
        _ => None,
    }
    .ok_or_else(|| option.error("`(NAME VALUE)` expected"))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn header() -> Header {
        let options = vec![("data-model".to_owned(), "lp64".to_owned()), ("heap".into(), "3".into())];
        let program = Fingerprint::parse("0123456789abcdef0123456789abcdef").unwrap();
        Header { unaccepted: Some("say \"no\"".into()), ..Header::of(program, options) }
    }

    #[test]
    fn what_is_printed_is_read_again() {
        for unaccepted in [None, header().unaccepted] {
            let header = Header { unaccepted, ..header() };
            let text = header.print() + "; a comment\n(run)\n";
            assert_eq!(Header::parse(&text), Ok((header, Form::Run)), "{text}");
        }
        let newer = header().print().replace("(nilas-evidence 1)", "(nilas-evidence 2)") + "(run)";
        assert_eq!(Header::parse(&newer).unwrap().0.version, 2);
        assert_eq!(Header::parse("(execution)"), Ok((Header::default(), Form::Execution)), "version 0");
    }

    #[test]
    fn junk_is_refused_with_its_place() {
        let text = header().print() + "(run)";
        for (from, to, message) in [
            ("(nilas-evidence 1)", "(nilas-evidence 4)", "version 4 is not known"),
            ("(nilas-evidence 1)", "(nilas-evidence 0)", "version 0 is not known"),
            ("(nilas-evidence 1)", "(nilas-evidence)", "VERSION"),
            ("#x0123", "#x123", "32 hexadecimal digits"),
            ("fnv1a-128", "sha-256", "fnv1a-128"),
            ("(heap 3)", "(heap)", "NAME VALUE"),
            ("(heap 3)", "(heap \"3\")", "NAME VALUE"),
            ("(unaccepted", "(accepted", "`(run …)`"),
            ("(run)", "", "no evidence"),
            ("(run)", "(run) (run)", "only one"),
            ("(run)", "(proof)", "`(invariant …)`"),
            ("(program", "(programme", "`(program …)` expected"),
        ] {
            assert!(text.contains(from), "{from}");
            let error = Header::parse(&text.replacen(from, to, 1)).unwrap_err();
            assert!(error.message.contains(message), "{from} -> {to}: {error}");
        }
    }
}
