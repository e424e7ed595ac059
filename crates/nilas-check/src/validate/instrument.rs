//! Invariants of a witness become assertions of the program: a text in C in which each loop begins by looking
//! whether its invariant holds.
//!
//! The invariant of a loop holds where its condition is about to be evaluated, so it is put in front of the
//! condition; in a `do` loop, at the start of the body.

use nilas_report::witness::Invariant;

/// The text of one file with the invariants that are about it.
///
/// # Errors
/// When there is no loop where a witness says.
pub(super) fn instrument(name: &str, text: &str, invariants: &[&Invariant]) -> Result<String, String> {
    let mut insertions: Vec<(usize, String)> = Vec::new();
    for invariant in invariants {
        insertions.push(insertion(text, invariant)?);
    }
    // From the end on, so that positions stay what they are.
    insertions.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
    let mut out = text.to_owned();
    for (at, piece) in insertions {
        out.insert_str(at, &piece);
    }
    // Lines are called as before.
    let name = name.replace('\\', "\\\\").replace('"', "\\\"");
    Ok(format!("extern void __VERIFIER_error(void);\n# 1 \"{name}\"\n{out}"))
}

fn insertion(text: &str, invariant: &Invariant) -> Result<(usize, String), String> {
    let place = &invariant.location;
    let wrong = || format!("there is no loop at line {}", place.line);
    let line = usize::try_from(place.line).map_err(|_| wrong())?;
    let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let rest = text.get(start..).ok_or_else(wrong)?;
    let end = rest.find('\n').unwrap_or(rest.len());
    let from = place.column.and_then(|column| usize::try_from(column.saturating_sub(1)).ok()).unwrap_or(0);
    let from = if rest.is_char_boundary(from.min(end)) { from.min(end) } else { 0 };
    let found = keyword(&rest[from..end]).map(|(at, word)| (at + from, word));
    let (at, word) = found.or_else(|| keyword(&rest[..end])).ok_or_else(wrong)?;
    let looks = format!("(({}) ? (void)0 : __VERIFIER_error())", invariant.value);
    let behind = start + at + word.len();
    let next = |from: usize| significant(text, from);
    let open = next(behind).ok_or_else(wrong)?;
    match (word, text.as_bytes()[open]) {
        ("while", b'(') => Ok((open + 1, format!("{looks}, "))),
        ("for", b'(') => {
            let first = semicolon(text, open + 1).ok_or_else(wrong)?;
            let empty = next(first + 1).is_some_and(|at| text.as_bytes()[at] == b';');
            Ok((first + 1, if empty { format!(" {looks}, 1") } else { format!(" {looks}, ") }))
        }
        ("do", b'{') => Ok((open + 1, format!(" {looks};"))),
        _ => Err(wrong()),
    }
}

/// The first keyword of a loop.
fn keyword(text: &str) -> Option<(usize, &'static str)> {
    let word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let bytes = text.as_bytes();
    (0..bytes.len()).find_map(|at| {
        let starts = at == 0 || !word(bytes[at - 1]);
        let found = ["while", "for", "do"].into_iter().find(|it| {
            bytes[at..].starts_with(it.as_bytes())
                && !bytes.get(at + it.len()).is_some_and(|&next| word(next))
        });
        found.filter(|_| starts).map(|it| (at, it))
    })
}

/// Where the text goes on that is no blank and no comment.
pub(super) fn significant(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = from;
    while at < bytes.len() {
        if let Some(end) = comment(text, at) {
            at = end;
        } else if bytes[at].is_ascii_whitespace() {
            at += 1;
        } else {
            return Some(at);
        }
    }
    None
}

/// The end of a comment that begins here.
fn comment(text: &str, at: usize) -> Option<usize> {
    let rest = &text.as_bytes()[at..];
    let find = |wanted: &[u8]| rest.windows(wanted.len()).position(|it| it == wanted);
    if rest.starts_with(b"//") {
        Some(at + find(b"\n").unwrap_or(rest.len()))
    } else if rest.starts_with(b"/*") {
        let behind = rest.get(2..)?.windows(2).position(|it| it == b"*/")?;
        Some(at + 2 + behind + 2)
    } else {
        None
    }
}

/// The next semicolon outside of parentheses, literals and comments.
pub(super) fn semicolon(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut at, mut depth) = (from, 0_i32);
    while at < bytes.len() {
        if let Some(end) = comment(text, at) {
            at = end;
            continue;
        }
        match bytes[at] {
            b';' if depth == 0 => return Some(at),
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            quote @ (b'"' | b'\'') => {
                at += 1;
                while at < bytes.len() && bytes[at] != quote {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use nilas_report::witness::Location;

    fn instrumented(text: &str, line: u64, column: Option<u64>) -> Result<String, String> {
        let location = Location { line, column, ..Location::default() };
        let invariant = Invariant { is_loop: true, location, value: "x < 5".into() };
        instrument("a.c", text, &[&invariant])
            .map(|text| text.lines().skip(2).map(|it| format!("{it}\n")).collect())
    }

    #[test]
    fn loops_look_at_their_invariants() {
        let looks = "((x < 5) ? (void)0 : __VERIFIER_error())";
        let said = |text: &str| instrumented(text, 2, None).unwrap();
        assert_eq!(said("\nwhile (x) f();\n"), format!("\nwhile ({looks}, x) f();\n"));
        assert_eq!(said("\nfor (;;) f();\n"), format!("\nfor (; {looks}, 1;) f();\n"));
        let string = "\nfor (c = ';'; /* ; */ x; x--) ;\n";
        assert_eq!(said(string), format!("\nfor (c = ';'; {looks},  /* ; */ x; x--) ;\n"));
        assert_eq!(said("\n  do { f(); } while (x);\n"), format!("\n  do {{ {looks}; f(); }} while (x);\n"));
        let two = instrumented("\nwhile (a) { while (b) f(); }\n", 2, Some(13)).unwrap();
        assert_eq!(two, format!("\nwhile (a) {{ while ({looks}, b) f(); }}\n"));
        assert!(instrumented("\nint done;\n", 2, None).is_err());
        assert!(instrumented("\n", 700, None).is_err());
    }
}
