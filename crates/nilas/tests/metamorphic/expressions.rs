//! Expressions split into temporaries, and arrays written as pointers.

use super::tokens::{Kind, Tokens};
use crate::kit::random::Random;

/// `x = e;` and `return e;` go through a temporary.
pub(crate) fn split(tokens: &mut Tokens, random: &mut Random) -> bool {
    let mut changed = false;
    let bodies: Vec<(usize, usize)> =
        tokens.bodies().iter().filter_map(|(_, place)| Some((*place, tokens.closing(*place)?))).collect();
    for (start, end) in bodies.into_iter().rev() {
        for at in (start + 1..end).rev() {
            let begins = [";", "{", "}"].iter().any(|before| tokens.is(at - 1, before));
            if !begins || !tokens.word(at) || !random.chance(70) {
                continue;
            }
            let Some(last) = tokens.semicolon(at) else { continue };
            let (target, value) = if tokens.is(at, "return") {
                (None, at + 1)
            } else if tokens.is(at + 1, "=") {
                (Some(tokens.0[at].text.clone()), at + 2)
            } else {
                continue;
            };
            let plain =
                tokens.0[value..last].iter().all(|token| token.text != "{" && token.kind != Kind::Quoted);
            if value >= last || !plain || has_comma(tokens, value, last) {
                continue;
            }
            let expression = tokens.between(value, last);
            let text = match target {
                Some(name) => {
                    format!("{{ __typeof__({name}) temporary = {expression}; {name} = temporary; }}")
                }
                None => format!("{{ __typeof__({expression}) temporary = {expression}; return temporary; }}"),
            };
            tokens.replace(at, last + 1, &text);
            changed = true;
        }
    }
    changed
}

fn has_comma(tokens: &Tokens, from: usize, to: usize) -> bool {
    let mut depth = 0_usize;
    tokens.0[from..to].iter().any(|token| {
        match token.text.as_str() {
            "(" | "[" => depth += 1,
            ")" | "]" => depth -= 1,
            _ => {}
        }
        depth == 0 && token.text == ","
    })
}

/// `a[i]` becomes `*(a + i)`, and `p->m` becomes `(*p).m`.
pub(crate) fn pointers_for_arrays(tokens: &mut Tokens, random: &mut Random) -> bool {
    let mut changed = false;
    let bodies: Vec<(usize, usize)> =
        tokens.bodies().iter().filter_map(|(_, place)| Some((*place, tokens.closing(*place)?))).collect();
    for (start, end) in bodies.into_iter().rev() {
        for at in (start + 1..end).rev() {
            let before = &tokens.0[at - 1];
            let value =
                before.kind == Kind::Mark && ![".", "->", "*", ",", "&&"].contains(&before.text.as_str());
            if !value || !tokens.word(at) || !random.chance(70) {
                continue;
            }
            let name = tokens.0[at].text.clone();
            if tokens.is(at + 1, "->") {
                tokens.replace(at, at + 2, &format!("(*{name})."));
                changed = true;
            } else if tokens.is(at + 1, "[") {
                let Some(close) = tokens.closing(at + 1) else { continue };
                let index = tokens.between(at + 2, close);
                tokens.replace(at, close + 1, &format!("(*({name} + ({index})))"));
                changed = true;
            }
        }
    }
    changed
}
