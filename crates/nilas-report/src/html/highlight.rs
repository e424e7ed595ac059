//! Colours for C: words of the language, numbers, strings, comments, lines of the preprocessor. A mistake here
//! is a wrong colour and nothing else.

use super::escape;

const WORDS: [&str; 44] = [
    "_Bool",
    "_Generic",
    "_Noreturn",
    "_Static_assert",
    "auto",
    "bool",
    "break",
    "case",
    "char",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extern",
    "false",
    "float",
    "for",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "register",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "static_assert",
    "struct",
    "switch",
    "true",
    "typedef",
    "union",
    "unsigned",
    "void",
    "volatile",
    "while",
    "nullptr",
    "alignas",
];

/// Lines of one file, in order.
#[derive(Default)]
pub(super) struct Highlighter {
    /// A comment that has begun goes on.
    comment: bool,
}

impl Highlighter {
    /// Text that is left out may end or begin a comment; most often it does not.
    pub(super) fn skip(&mut self) {
        self.comment = false;
    }

    /// A line as markup.
    pub(super) fn line(&mut self, line: &str) -> String {
        let mut out = String::new();
        let mut rest = line;
        if !self.comment && rest.trim_start().starts_with('#') {
            return span("pre", rest);
        }
        while !rest.is_empty() {
            let (class, length) = self.token(rest);
            let (token, behind) = rest.split_at(length);
            if class.is_empty() {
                out.push_str(&escape::text(token));
            } else {
                out.push_str(&span(class, token));
            }
            rest = behind;
        }
        out
    }

    /// The class and the length of what a text begins with; the length is never 0.
    fn token(&mut self, rest: &str) -> (&'static str, usize) {
        if self.comment || rest.starts_with("/*") {
            let from = if self.comment { 0 } else { 2 };
            let end = rest[from..].find("*/").map(|at| from + at + 2);
            self.comment = end.is_none();
            return ("com", end.unwrap_or(rest.len()));
        }
        if rest.starts_with("//") {
            return ("com", rest.len());
        }
        let Some(first) = rest.chars().next() else { return ("", rest.len()) };
        let run = |inside: &dyn Fn(char) -> bool| rest.find(|it| !inside(it)).unwrap_or(rest.len());
        let in_word = |it: char| it.is_alphanumeric() || it == '_';
        match first {
            '"' | '\'' => ("str", quoted(rest, first)),
            _ if first.is_ascii_digit() => ("num", run(&|it| in_word(it) || it == '.')),
            _ if in_word(first) => {
                let length = run(&in_word);
                let class = if WORDS.contains(&&rest[..length]) { "kw" } else { "" };
                (class, length)
            }
            _ => {
                let plain = |it: char| !in_word(it) && !matches!(it, '"' | '\'' | '/');
                ("", run(&plain).max(first.len_utf8()))
            }
        }
    }
}

/// The length of a string or character that a text begins with.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, character) in text.char_indices().skip(1) {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if character == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

fn span(class: &str, text: &str) -> String {
    format!("<span class=\"{class}\">{}</span>", escape::text(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_strings_and_comments() {
        let mut lines = Highlighter::default();
        let said = lines.line("int a = 0x1f; /* </b> ");
        assert_eq!(
            said,
            "<span class=\"kw\">int</span> a = <span class=\"num\">0x1f</span>; <span class=\"com\">/* &lt;/b&gt; </span>"
        );
        assert_eq!(
            lines.line("*/ \"a\\\"<\" é/2 'x'"),
            "<span class=\"com\">*/</span> <span class=\"str\">&quot;a\\&quot;&lt;&quot;</span> é/<span class=\"num\">2</span> <span class=\"str\">&#39;x&#39;</span>"
        );
        assert_eq!(lines.line("#include <a.h>"), "<span class=\"pre\">#include &lt;a.h&gt;</span>");
        for odd in ["", "/", "\"", "'\\", "/*", "é\"é"] {
            lines.line(odd);
        }
    }
}
