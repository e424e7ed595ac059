//! From a place in a preprocessed line to the place in the line that the user wrote.
//!
//! The preprocessor keeps lines, but not columns: macros were expanded. The tokens of both lines are aligned
//! (a longest common subsequence). A token that stands in both is where the user wrote it. One that only an
//! expansion has belongs to the macro call around it: to a name that the expanded line lacks, with the
//! parentheses behind it.

use std::ops::Range;

/// Tokens of a line beyond which nothing is aligned: the work is quadratic.
const MOST: usize = 2_000;

/// Where the bytes `at` of `expanded` stand in `written`. `None` if no place is better than any other.
pub(super) fn place(written: &str, expanded: &str, at: Range<usize>) -> Option<Range<usize>> {
    let (from, to) = (tokens(written), tokens(expanded));
    if from.is_empty() || from.len() > MOST || to.len() > MOST {
        return None;
    }
    let aligned = align(written, &from, expanded, &to);
    let first = to.iter().position(|token| token.end > at.start)?;
    let last =
        to.iter().rposition(|token| token.start < at.end.max(at.start + 1)).unwrap_or(first).max(first);
    let start = token_place(written, &from, &aligned, first)?;
    let end = token_place(written, &from, &aligned, last)?;
    Some(start.start..end.end.max(start.end))
}

/// Where a token of the expanded line stands, as bytes of the written one.
fn token_place(
    written: &str,
    from: &[Range<usize>],
    aligned: &[Option<usize>],
    token: usize,
) -> Option<Range<usize>> {
    if let Some(own) = aligned[token] {
        return Some(from[own].clone());
    }
    let before = aligned[..token].iter().rev().flatten().next().copied();
    let behind = aligned[token..].iter().flatten().next().copied().unwrap_or(from.len());
    let matched: Vec<usize> = aligned.iter().flatten().copied().collect();
    let is_macro = |index: &usize| is_name(&written[from[*index].clone()]) && !matched.contains(index);
    let call = (0..behind).rev().filter(is_macro).map(|name| (name, call_end(written, from, name)));
    let around = call.into_iter().find(|&(name, end)| before.is_none_or(|it| name > it || end >= it));
    let (first, last) = around.unwrap_or_else(|| {
        let next = before.map_or(0, |it| it + 1).min(from.len() - 1);
        (next, next)
    });
    Some(from[first].start..from[last].end)
}

/// The last token of a macro call: the parenthesis that ends its arguments, or its name.
fn call_end(written: &str, from: &[Range<usize>], name: usize) -> usize {
    let mut depth = 0_usize;
    for (index, token) in from.iter().enumerate().skip(name + 1) {
        match &written[token.clone()] {
            "(" => depth += 1,
            ")" if depth > 1 => depth -= 1,
            ")" if depth == 1 => return index,
            _ if depth == 0 => return name,
            _ => {}
        }
    }
    name
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Names, numbers and literals as wholes, other characters one by one; nothing of comments.
fn tokens(line: &str) -> Vec<Range<usize>> {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = Vec::new();
    let mut rest = line.char_indices().peekable();
    while let Some((start, c)) = rest.next() {
        if c.is_whitespace() {
            continue;
        }
        if line[start..].starts_with("//") {
            break;
        }
        if line[start..].starts_with("/*") {
            let end = line[start + 2..].find("*/").map_or(line.len(), |end| start + 2 + end + 2);
            while rest.next_if(|&(at, _)| at < end).is_some() {}
            continue;
        }
        let mut end = start + c.len_utf8();
        if word(c) {
            while let Some((at, c)) = rest.next_if(|&(_, c)| word(c)) {
                end = at + c.len_utf8();
            }
        } else if c == '"' || c == '\'' {
            let mut escaped = false;
            for (at, other) in rest.by_ref() {
                end = at + other.len_utf8();
                if other == c && !escaped {
                    break;
                }
                escaped = other == '\\' && !escaped;
            }
        }
        found.push(start..end);
    }
    found
}

/// For each token of the expanded line the one of the written line that it is, if any.
fn align(written: &str, from: &[Range<usize>], expanded: &str, to: &[Range<usize>]) -> Vec<Option<usize>> {
    let same = |i: usize, j: usize| written[from[i].clone()] == expanded[to[j].clone()];
    // What lines share at their ends is not a matter of choice.
    let head = (0..from.len().min(to.len())).take_while(|&i| same(i, i)).count();
    let tail = (0..from.len().min(to.len()) - head)
        .take_while(|&i| same(from.len() - 1 - i, to.len() - 1 - i))
        .count();
    let (rows, columns) = (from.len() - head - tail, to.len() - head - tail);
    // common[i][j]: the longest common subsequence of what is behind i and j.
    let mut common = vec![0_u32; (rows + 1) * (columns + 1)];
    let index = |i: usize, j: usize| i * (columns + 1) + j;
    for i in (0..rows).rev() {
        for j in (0..columns).rev() {
            common[index(i, j)] = if same(head + i, head + j) {
                common[index(i + 1, j + 1)] + 1
            } else {
                common[index(i + 1, j)].max(common[index(i, j + 1)])
            };
        }
    }
    let mut aligned: Vec<Option<usize>> = (0..to.len()).map(|j| (j < head).then_some(j)).collect();
    let (mut i, mut j) = (0, 0);
    while i < rows && j < columns {
        if same(head + i, head + j) {
            aligned[head + j] = Some(head + i);
            (i, j) = (i + 1, j + 1);
        } else if common[index(i + 1, j)] >= common[index(i, j + 1)] {
            i += 1;
        } else {
            j += 1;
        }
    }
    for k in 0..tail {
        aligned[to.len() - 1 - k] = Some(from.len() - 1 - k);
    }
    aligned
}

#[cfg(test)]
mod tests {
    use super::place;

    #[track_caller]
    fn check(written: &str, expanded: &str, what: &str, expected: &str) {
        let start = expanded.find(what).expect("the text to look for");
        let found = place(written, expanded, start..start + what.len()).map(|it| &written[it]);
        assert_eq!(found, Some(expected));
    }

    #[test]
    fn what_only_an_expansion_has_is_the_macro_call() {
        let written = "int main(void) { struct s x = {1}; return GET(&x, a); }";
        let expanded = "int main(void) { struct s x = {1}; return ((&x)->a + missing); }";
        check(written, expanded, "missing", "GET(&x, a)");
        check("    n = MOST + m;", "    n = (limit) + m;", "limit", "MOST");
        check("y = F(G(1), 2) + H;", "y = ((g1(1)) * (2)) + h2;", "h2", "H");
    }

    #[test]
    fn what_stands_in_both_is_where_the_user_wrote_it() {
        check("y = TWICE(count) + size;", "y = ((count) + (count)) + size;", "size", "size");
        check("y = SIZE * lost;", "y = (4 * sizeof(int)) * lost;", "lost", "lost");
        check("x = f(1); // SIZE", "x = f(1);", "f(1)", "f(1)");
        check("p = \"A B\" NAME;", "p = \"A B\" \"name\";", "\"name\"", "NAME");
    }

    #[test]
    fn lines_without_anything_in_common() {
        assert_eq!(place("", "x = 1;", 0..1), None);
        check("DECLARE", "static int x ;", "x", "DECLARE");
    }
}
