//! Objects elsewhere, and code that never runs but takes addresses.

use super::tokens::{Kind, Tokens};
use crate::kit::random::Random;
use std::fmt::Write as _;

/// Global integers that only `main` uses become its locals.
pub(crate) fn globals_to_locals(tokens: &mut Tokens, _: &mut Random) -> bool {
    let mut locals = String::new();
    let mut at = tokens.after_directives();
    let mut outside = true;
    while at + 3 < tokens.0.len() {
        if ["(", "[", "{"].iter().any(|open| tokens.is(at, open)) {
            let Some(end) = tokens.closing(at) else { return false };
            outside = tokens.is(end, "}");
            at = end + 1;
            continue;
        }
        let width = match (tokens.0[at].text.as_str(), tokens.0[at + 1].text.as_str()) {
            ("long", "long") => 2,
            ("int" | "long" | "unsigned" | "short", _) => 1,
            _ => 0,
        };
        let name = at + width;
        if width > 0 && outside && tokens.word(name) && tokens.is(name + 1, ";") && only_main(tokens, name) {
            write!(locals, "{} = 0; ", tokens.between(at, name + 1)).unwrap();
            tokens.0.drain(at..=name + 1);
            continue;
        }
        outside = tokens.is(at, ";");
        at += 1;
    }
    let main = tokens.bodies().into_iter().find(|(name, _)| name == "main");
    let Some((_, place)) = main else { return false };
    tokens.replace(place + 1, place + 1, &locals);
    !locals.is_empty()
}

/// Whether no function but `main` mentions the name.
fn only_main(tokens: &Tokens, name: usize) -> bool {
    let text = &tokens.0[name].text;
    let Some((_, start)) = tokens.bodies().into_iter().find(|(name, _)| name == "main") else { return false };
    let Some(end) = tokens.closing(start) else { return false };
    tokens
        .0
        .iter()
        .enumerate()
        .all(|(at, token)| at == name || token.text != *text || (start < at && at < end))
}

/// At the beginning of `main`, where a flag says that it never runs: addresses of objects and functions are
/// stored and written through.
pub(crate) fn dead_code(tokens: &mut Tokens, random: &mut Random) -> bool {
    let bodies = tokens.bodies();
    let Some((_, place)) = bodies.iter().find(|(name, _)| name == "main") else { return false };
    let mut code = String::from("if (never) {");
    for (name, _) in bodies.iter().filter(|(name, _)| name != "main") {
        write!(code, "sink = (void *){name}; ").unwrap();
    }
    for at in tokens.after_directives()..*place {
        let object =
            tokens.word(at) && tokens.is(at + 1, ";") && at > 0 && tokens.0[at - 1].kind == Kind::Word;
        let plain = at > 0 && ["int", "long"].iter().any(|ty| tokens.is(at - 1, ty));
        if object && plain && random.chance(60) && depth(tokens, at) == 0 {
            write!(
                code,
                "sink = &{0}; *(char *)sink = 1; sinks[1] = (unsigned long)&{0}; ",
                tokens.0[at].text
            )
            .unwrap();
        }
    }
    code.push_str("**(void ***)sinks = sink; ((void (*)(void))sink)(); }");
    tokens.replace(place + 1, place + 1, &code);
    tokens.declare("static int never; static void *sink; static unsigned long sinks[2];");
    true
}

fn depth(tokens: &Tokens, place: usize) -> usize {
    tokens.0[..place].iter().fold(0, |depth: usize, token| match token.text.as_str() {
        "(" | "[" | "{" => depth + 1,
        ")" | "]" | "}" => depth.saturating_sub(1),
        _ => depth,
    })
}
