//! Loops in another form: `for` as `while`, `while` as `for` or with `goto`.

use super::tokens::Tokens;
use crate::kit::random::Random;

pub(crate) fn change(tokens: &mut Tokens, random: &mut Random) -> bool {
    let mut changed = false;
    for at in (0..tokens.0.len()).rev() {
        if !tokens.is(at + 1, "(") || !random.chance(70) {
            continue;
        }
        let text = if tokens.is(at, "for") {
            from_for(tokens, at)
        } else if tokens.is(at, "while") && at > 0 && !tokens.is(at - 1, "}") {
            from_while(tokens, at, random.chance(50))
        } else {
            None
        };
        if let Some((end, text)) = text {
            tokens.replace(at, end, &text);
            changed = true;
        }
    }
    changed
}

/// Where the statement at `place` ends, if it is a block or has no statements inside.
fn end_of_statement(tokens: &Tokens, place: usize) -> Option<usize> {
    if tokens.is(place, "{") {
        return Some(tokens.closing(place)? + 1);
    }
    let compound = ["if", "for", "while", "do", "switch", "goto"].iter().any(|word| tokens.is(place, word));
    if compound { None } else { Some(tokens.semicolon(place)? + 1) }
}

fn mentions(tokens: &Tokens, from: usize, to: usize, words: &[&str]) -> bool {
    tokens.0[from..to].iter().any(|token| words.contains(&token.text.as_str()))
}

fn from_for(tokens: &Tokens, at: usize) -> Option<(usize, String)> {
    let close = tokens.closing(at + 1)?;
    let first = tokens.semicolon(at + 2)?;
    let second = tokens.semicolon(first + 1)?;
    let end = end_of_statement(tokens, close + 1)?;
    if mentions(tokens, close, end, &["continue", "case"]) {
        return None;
    }
    let condition = if second == first + 1 { "1".to_owned() } else { tokens.between(first + 1, second) };
    let text = format!(
        "{{ {} while ({condition}) {{ {} {}; }} }}",
        tokens.between(at + 2, first + 1),
        tokens.between(close + 1, end),
        tokens.between(second + 1, close)
    );
    Some((end, text))
}

fn from_while(tokens: &Tokens, at: usize, jump: bool) -> Option<(usize, String)> {
    let close = tokens.closing(at + 1)?;
    let condition = tokens.between(at + 2, close);
    let end = end_of_statement(tokens, close + 1)?;
    let body = tokens.between(close + 1, end);
    if !jump {
        return Some((end, format!("for (; {condition}; ) {body}")));
    }
    if mentions(tokens, close, end, &["break", "continue", "case"]) {
        return None;
    }
    Some((
        end,
        format!("{{ __label__ top, out; top: if (!({condition})) goto out; {body} goto top; out: ; }}"),
    ))
}
