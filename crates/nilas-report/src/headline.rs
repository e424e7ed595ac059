//! The line that an answer begins with: the verdict in one word, and what it says about the program.
//!
//! The first word is always `safe`, `unsafe` or `unknown`; scripts rely on that.

use crate::source::Source;
use crate::summary::{Conclusion, Question, Summary};
use nilas_c::Property;

/// A property at a place of a C program: what must not happen there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The property.
    pub property: Property,
    /// What must not happen.
    pub what: String,
    /// The file, as line markers name it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// The expression, as far as there is one.
    pub expression: Option<String>,
}

impl Finding {
    /// What is wrong if it happens, in one line: kind, place, expression.
    #[must_use]
    pub fn headline(&self) -> String {
        let place = format!("{} at {}:{}", self.kind(), self.file, self.line);
        match &self.expression {
            Some(text) => format!("{place}: {text}"),
            None => place,
        }
    }

    /// The kind of the violation, in words.
    #[must_use]
    pub fn kind(&self) -> &str {
        match self.property {
            // Not every error is an assertion.
            Property::Assert if self.expression.is_none() => &self.what,
            property => property.violated(),
        }
    }
}

/// The first line of an answer to one question.
#[must_use]
pub fn headline(source: &Source, summary: &Summary) -> String {
    let word = summary.conclusion.word();
    match said(source, summary) {
        Some(said) => format!("{word}: {said}"),
        None => word.to_owned(),
    }
}

/// What the verdict says about the program.
fn said(source: &Source, summary: &Summary) -> Option<String> {
    match &summary.conclusion {
        Conclusion::Unknown(why) if why.text.is_empty() => None,
        Conclusion::Unknown(why) => Some(why.text.clone()),
        Conclusion::Unsafe(_) | Conclusion::Reached(_) => Some(match (&summary.finding, source) {
            (Some(finding), _) => finding.headline(),
            (None, Source::C { .. }) => "an assertion fails".to_owned(),
            (None, Source::Automaton { .. }) => "the error location is reached".to_owned(),
        }),
        Conclusion::Safe(_) => Some(
            match (summary.question, source) {
                (Question::NoAssertion, _) => {
                    "nothing to check: the program has no assertion (other questions: --property undefined)"
                }
                (Question::NoneExecuted, _) => {
                    "nothing to check: no assertion of the program is ever executed (other questions: --property \
                     undefined)"
                }
                (Question::Error, Source::C { .. }) => {
                    "no assertion fails, provided that no undefined behaviour occurs (not checked: --property \
                     undefined)"
                }
                (Question::Error, Source::Automaton { .. }) => "the error location is never reached",
            }
            .to_owned(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::why::Why;
    use nilas_evidence::Evidence;

    fn finding(property: Property, expression: Option<&str>) -> Finding {
        let what = "`reach_error` is called".to_owned();
        let expression = expression.map(str::to_owned);
        Finding { property, what, file: "ring.c".into(), line: 62, column: 3, expression }
    }

    #[test]
    fn violations_name_kind_place_and_expression() {
        let asserted = finding(Property::Assert, Some("n <= SIZE")).headline();
        assert_eq!(asserted, "assertion failed at ring.c:62: n <= SIZE");
        assert_eq!(finding(Property::Assert, None).headline(), "`reach_error` is called at ring.c:62");
        let literal = finding(Property::StringLiteralWrite, Some("*p = 'x'")).headline();
        assert_eq!(literal, "write to a string literal at ring.c:62: *p = 'x'");
    }

    #[test]
    fn the_first_word_is_the_verdict() {
        let automaton = Source::Automaton(nilas_program::source::SourceFile::plain("a.cfa", Vec::new()));
        let said = |conclusion: Conclusion, question: Question| {
            headline(&automaton, &Summary { question, ..Summary::of(conclusion, None) })
        };
        let safe = || Conclusion::Safe(Evidence::Run);
        assert_eq!(said(safe(), Question::Error), "safe: the error location is never reached");
        let nothing = said(safe(), Question::NoAssertion);
        assert!(nothing.starts_with("safe: nothing to check: the program has no assertion"), "{nothing}");
        let reason = Why::other("time limit reached");
        assert_eq!(said(Conclusion::Unknown(reason), Question::Error), "unknown: time limit reached");
        let reached = said(Conclusion::Unsafe(Evidence::Run), Question::Error);
        assert_eq!(reached, "unsafe: the error location is reached");
    }
}
