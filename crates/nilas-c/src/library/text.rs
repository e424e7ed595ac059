//! The functions of the library that are written in C.
//!
//! A definition of a file of `library/text` is put behind a program that needs it, under a line marker that
//! names a file `<nilas>/…`, together with the definitions that it names itself. A function `f` is called
//! `__nilas_f` there. The texts use no name of the program, so they clash with none of its declarations; what
//! a definition needs stands before it, in its own file or one that comes earlier.

use nilas_fault::{Fault, planted};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::LazyLock;

const FILES: &[(&str, &str)] = &[
    ("base.c", include_str!("text/base.c")),
    ("ctype.c", include_str!("text/ctype.c")),
    ("string.c", include_str!("text/string.c")),
    ("wchar.c", include_str!("text/wchar.c")),
    ("stdlib.c", include_str!("text/stdlib.c")),
    ("number.c", include_str!("text/number.c")),
    ("stdio.c", include_str!("text/stdio.c")),
    ("system.c", include_str!("text/system.c")),
    ("thread.c", include_str!("text/thread.c")),
];

/// One definition of a text.
struct Definition {
    file: &'static str,
    line: usize,
    text: &'static str,
    /// The definitions it names.
    needs: Vec<usize>,
}

struct Texts {
    definitions: Vec<Definition>,
    by_name: BTreeMap<&'static str, usize>,
}

static TEXTS: LazyLock<Texts> = LazyLock::new(|| {
    let mut texts = Texts { definitions: Vec::new(), by_name: BTreeMap::new() };
    for &(file, text) in FILES {
        for (line, text) in definitions(text) {
            let Some(name) = defined_name(text) else { continue };
            let needs = names(text).filter_map(|name| texts.by_name.get(name).copied());
            let needs = needs.collect();
            texts.by_name.insert(name, texts.definitions.len());
            texts.definitions.push(Definition { file, line, text, needs });
        }
    }
    texts
});

/// The definitions of a file with the numbers of their first lines: what ends in column 0 at depth 0.
fn definitions(text: &'static str) -> Vec<(usize, &'static str)> {
    let (mut found, mut depth, mut start, mut first, mut at) = (Vec::new(), 0_i32, None, 0, 0);
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let plain = line.trim_end();
        if start.is_none() && !plain.is_empty() {
            (start, first) = (Some(at), number + 1);
        }
        depth += i32::try_from(line.matches('{').count()).unwrap_or(0);
        depth -= i32::try_from(line.matches('}').count()).unwrap_or(0);
        at += line.len();
        if let Some(begin) = start
            && depth == 0
            && (plain.ends_with(';') || plain.ends_with('}') || plain.ends_with("*/"))
        {
            if !plain.ends_with("*/") {
                found.push((first, &text[begin..at]));
            }
            start = None;
        }
    }
    found
}

/// Names of the texts, wherever they stand.
fn names(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .filter(|name| name.starts_with(super::PREFIX))
}

/// The name that a definition defines: the first one that is followed by what can follow a declarator's name.
fn defined_name(text: &'static str) -> Option<&'static str> {
    names(text).find(|name| {
        let start = name.as_ptr() as usize - text.as_ptr() as usize;
        let behind = text[start + name.len()..].trim_start();
        behind.starts_with(['(', '[', ';', '='])
    })
}

/// Whether there is a definition of this name.
pub(super) fn has(name: &str) -> bool {
    TEXTS.by_name.contains_key(name)
}

/// Faults of texts: what is written, and what takes its place.
const FAULTS: &[(Fault, &str, &str)] = &[
    (
        Fault::HandlersInOrder,
        "__nilas_handler_count--;\n        __nilas_handlers[__nilas_handler_count]();",
        "static int __nilas_ran;\n__nilas_handlers[__nilas_ran++]();\n__nilas_handler_count--;\n",
    ),
    (Fault::QsortDoesNotCompare, "__nilas_after(compare(first + (j - 1) * size, first + j * size))", "0"),
    (
        Fault::StrncpyDoesNotPad,
        "    for (; i < n && from[i]; i++) to[i] = from[i];\n    for (; i < n; i++) to[i] = 0;",
        "    for (; i < n && from[i]; i++) to[i] = from[i];\n    if (i < n) to[i] = 0;",
    ),
    (Fault::StrcmpSigned, "unsigned char a, unsigned char b", "signed char a, signed char b"),
    (
        Fault::StrchrNoTerminator,
        "if (s[i] == (char)c) return (char *)(s + i);\n        if (!s[i]) return 0;",
        "if (!s[i]) return 0;\n        if (s[i] == (char)c) return (char *)(s + i);",
    ),
    (
        Fault::MemcmpOneShort,
        "while (i < n && p[i] == q[i]) i++;\n    if (i == n) return 0;",
        "while (i < n && p[i] == q[i]) i++;\n    if (i + 1 >= n) return 0;",
    ),
    (Fault::BsearchLastMissed, "low = 0, high = count;", "low = 0, high = count - 1;"),
    (Fault::ToupperWithoutZ, "c <= 'z' ? c - 32 :", "c < 'z' ? c - 32 :"),
    (Fault::StrtolNoSign, "return negative ? -value : value;", "return value;"),
];

/// A definition with the fault that is planted in it.
fn seeded(text: &'static str) -> Cow<'static, str> {
    for &(fault, right, wrong) in FAULTS {
        if planted(fault) && text.contains(right) {
            return Cow::Owned(text.replace(right, wrong));
        }
    }
    Cow::Borrowed(text)
}

/// The definitions of these names and all that they need, as a text.
pub(super) fn select<'a>(wanted: impl Iterator<Item = &'a str>) -> String {
    use std::fmt::Write as _;
    let texts = &*TEXTS;
    let mut chosen = vec![false; texts.definitions.len()];
    let mut work: Vec<usize> = wanted.filter_map(|name| texts.by_name.get(name).copied()).collect();
    while let Some(next) = work.pop() {
        if !std::mem::replace(&mut chosen[next], true) {
            work.extend(&texts.definitions[next].needs);
        }
    }
    let mut text = String::new();
    for (definition, _) in texts.definitions.iter().zip(chosen).filter(|(_, chosen)| *chosen) {
        let own = seeded(definition.text);
        let _ = write!(text, "\n# {} \"<nilas>/{}\"\n{own}", definition.line, definition.file);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::catalogue;
    use super::*;

    /// Faults are about what is really written.
    #[test]
    fn faults_are_about_texts() {
        for (fault, right, _) in FAULTS {
            let texts = TEXTS.definitions.iter().filter(|definition| definition.text.contains(right));
            assert!(texts.count() > 0, "{fault:?}");
        }
    }

    /// What a definition names stands before it.
    #[test]
    fn definitions_come_before_their_uses() {
        for (own, &number) in &TEXTS.by_name {
            let definition = &TEXTS.definitions[number];
            for name in names(definition.text).filter(|name| name != own) {
                let needed = TEXTS.by_name.get(name).unwrap_or_else(|| panic!("{own}: no {name}"));
                assert!(definition.needs.contains(needed), "{own}: {name} comes later");
            }
        }
    }

    /// Each text is a program, and each function in it has as many parameters as its row says.
    #[test]
    fn texts_agree_with_rows() {
        for model in [crate::types::DataModel::Lp64, crate::types::DataModel::Ilp32] {
            let text = select(TEXTS.by_name.keys().copied());
            let input = crate::Input::Text { name: "texts.c".to_owned(), text: text.into_bytes() };
            let options = crate::Options { model, ..crate::Options::default() };
            let tree = crate::parse_program(&input, &options);
            let tree = tree.unwrap_or_else(|failure| panic!("{}", failure.render()));
            for function in tree.functions.iter().filter(|function| function.body.is_some()) {
                if let Some(row) = catalogue::row(&function.name) {
                    assert_eq!(function.parameters.len(), row.parameters().0, "{}", function.name);
                }
            }
        }
    }
}
