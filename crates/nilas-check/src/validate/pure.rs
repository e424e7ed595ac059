//! Whether the text of an invariant can be put into a program without changing what that does: an expression
//! without assignments, calls and anything that ends before the expression does.

/// The words of types that a cast may have.
const TYPES: [&str; 9] = ["unsigned", "signed", "char", "short", "int", "long", "_Bool", "float", "double"];

/// See the module's text. What is not known to be harmless is not.
pub(super) fn is_pure(text: &str) -> bool {
    let letters: Vec<char> = text.chars().collect();
    if letters.iter().any(|&it| it.is_control() || ";{}\"'\\#,:?@$`".contains(it)) {
        return false;
    }
    let pairs = |pair: &[char]| matches!(pair, ['+', '+'] | ['-', '-'] | ['/', '/' | '*']);
    if letters.windows(2).any(pairs) {
        return false;
    }
    let mut open = Vec::new();
    for (at, &letter) in letters.iter().enumerate() {
        let before = letters[..at].iter().rposition(|it| !it.is_whitespace());
        match letter {
            '(' => {
                // What stands before is called, unless it is a type.
                let called = match before.map(|it| letters[it]) {
                    Some(')') => before.is_some_and(|end| !is_cast(&letters[..end])),
                    Some(it) => it.is_alphanumeric() || it == '_' || it == ']',
                    None => false,
                };
                if called {
                    return false;
                }
                open.push(at);
            }
            ')' if open.pop().is_none() => return false,
            '=' if !is_comparison(&letters, at) => return false,
            _ => {}
        }
    }
    open.is_empty()
}

/// Whether the parenthesis that ends here has a type in it.
fn is_cast(letters: &[char]) -> bool {
    let Some(start) = letters.iter().rposition(|&it| it == '(') else { return false };
    let inside: String = letters[start + 1..].iter().collect();
    !inside.trim().is_empty() && inside.split_whitespace().all(|word| TYPES.contains(&word))
}

/// Whether `=` belongs to `==`, `!=`, `<=` or `>=`.
fn is_comparison(letters: &[char], at: usize) -> bool {
    let near = |at: Option<usize>| at.and_then(|at| letters.get(at)).copied();
    let (before, earlier) = (near(at.checked_sub(1)), near(at.checked_sub(2)));
    match before {
        Some('=' | '!') => true,
        // `<<=` assigns.
        Some(it @ ('<' | '>')) => earlier != Some(it),
        _ => near(Some(at + 1)) == Some('='),
    }
}

#[cfg(test)]
mod tests {
    use super::is_pure;

    #[test]
    fn only_what_changes_nothing_is_put_into_a_program() {
        let pure = [
            "x <= 9",
            "(0 <= i && i <= 9) && (a[i] == 3 || !done)",
            "(unsigned)(x + 1) >= 4u",
            "(unsigned char)(uc * uc) <= 8",
            "x != -1 && s.count == p->count",
        ];
        for text in pure {
            assert!(is_pure(text), "{text}");
        }
        let impure = [
            "x = 5",
            "x += 5",
            "x <<= 1",
            "x++ < 5",
            "--x > 0",
            "f(x)",
            "(f)(x)",
            "x == 1) || (1",
            "x == (1",
            "1 // ",
            "1 /* ",
            "x, 1",
            "({ x; })",
            "x; y",
            "x == 1\n#define y",
            "c ? x : y",
            "g (1) == 2",
        ];
        for text in impure {
            assert!(!is_pure(text), "{text}");
        }
    }
}
