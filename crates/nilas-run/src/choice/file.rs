//! Choices as text, a line each: `kind place name occurrence value`, in which the occurrence may be followed
//! by `+offset`. What follows `#` at the start of a line is a comment. A name has no spaces.
//!
//! Evidence of `nilas check` (it starts with `(`) has them in its comments: where lines start with
//! `; choice `, the choices stand behind that, and all other lines are none.

use super::{Choice, ChoiceKind, Chooser, Made, NoChoice};
use rustc_hash::FxHashMap;
use std::fmt;
use std::fmt::Write as _;

/// What stands before a choice in evidence.
pub const EVIDENCE: &str = "; choice ";

/// What names a choice.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Key {
    kind: ChoiceKind,
    place: String,
    name: String,
    occurrence: u64,
    offset: u64,
}

/// Choices that were read from a text.
#[derive(Clone, Default, Debug)]
pub struct ChoiceFile {
    values: FxHashMap<Key, i128>,
    /// Whether a choice that the text does not make ends the execution.
    strict: bool,
}

/// A line that is none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileError {
    /// Its number, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub message: String,
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl ChoiceFile {
    /// Reads choices.
    ///
    /// # Errors
    /// The first line that names no choice.
    pub fn parse(text: &str) -> Result<ChoiceFile, FileError> {
        let mut values = FxHashMap::default();
        let evidence = text.starts_with('(') || text.lines().any(|line| line.starts_with(EVIDENCE));
        for (index, line) in text.lines().enumerate() {
            let line = match line.strip_prefix(EVIDENCE) {
                Some(line) => line.trim(),
                None if evidence => continue,
                None => line.trim(),
            };
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (key, value) = parse_line(line)
                .map_err(|message| FileError { line: index + 1, message: message.to_owned() })?;
            values.insert(key, value);
        }
        Ok(ChoiceFile { values, strict: false })
    }

    /// The same choices, of which a missing one ends the execution. Orders of evaluation and relations of
    /// addresses that are not named stay the default.
    #[must_use]
    pub fn strict(self) -> ChoiceFile {
        ChoiceFile { strict: true, ..self }
    }

    /// The text of choices that an execution made.
    #[must_use]
    pub fn print(made: &[Made]) -> String {
        let mut text = String::from("# kind place name occurrence value\n");
        for Made { choice, value } in made {
            let _ = writeln!(text, "{choice} {value}");
        }
        text
    }
}

fn parse_line(line: &str) -> Result<(Key, i128), &'static str> {
    // Places may have spaces in them: the kind comes first, the other three last.
    let (kind, rest) = line.split_once(' ').ok_or("`kind place name occurrence value` expected")?;
    let kind = ChoiceKind::ALL.into_iter().find(|k| k.name() == kind).ok_or("an unknown kind of choice")?;
    let mut parts = rest.rsplitn(4, ' ');
    let value = parts.next().and_then(parse_number).ok_or("a number expected as the value")?;
    let occurrence = parts.next().ok_or("`kind place name occurrence value` expected")?;
    let (occurrence, offset) = occurrence.split_once('+').unwrap_or((occurrence, "0"));
    let occurrence = occurrence.parse().map_err(|_| "a number expected as the occurrence")?;
    let offset = offset.parse().map_err(|_| "a number expected as the offset")?;
    let (Some(name), Some(place)) = (parts.next(), parts.next()) else {
        return Err("`kind place name occurrence value` expected");
    };
    Ok((Key { kind, place: place.to_owned(), name: name.to_owned(), occurrence, offset }, value))
}

/// A number in decimal or, behind `0x`, in hexadecimal.
fn parse_number(text: &str) -> Option<i128> {
    match text.strip_prefix("0x") {
        Some(digits) => i128::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

impl Chooser for ChoiceFile {
    fn choose(&mut self, choice: &Choice) -> Result<Option<i128>, NoChoice> {
        let key = Key {
            kind: choice.kind,
            place: choice.place.to_string(),
            name: choice.name.clone(),
            occurrence: choice.occurrence,
            offset: choice.offset,
        };
        match self.values.get(&key) {
            Some(&value) => Ok(Some(value)),
            None if self.strict && matches!(choice.kind, ChoiceKind::Input | ChoiceKind::UnknownResult) => {
                Err(NoChoice)
            }
            None => Ok(None),
        }
    }
}
