//! Calls by other ways: through pointers, through outlined functions, through wrapped allocators; and
//! addresses that take a detour.

use super::tokens::Tokens;
use crate::kit::random::Random;
use std::fmt::Write as _;

/// Calls in `main` go through pointers in global objects.
pub(crate) fn through_pointers(tokens: &mut Tokens, _: &mut Random) -> bool {
    let bodies = tokens.bodies();
    let Some(start) = bodies.iter().find(|(name, _)| name == "main").map(|(_, place)| *place) else {
        return false;
    };
    let Some(end) = tokens.closing(start) else { return false };
    let mut pointers = String::new();
    for (name, _) in bodies.iter().filter(|(name, _)| name != "main") {
        let mut called = false;
        for at in start..end {
            if tokens.is(at, name)
                && tokens.is(at + 1, "(")
                && !tokens.is(at - 1, ".")
                && !tokens.is(at - 1, "->")
            {
                tokens.0[at].text = format!("(*via_{name})");
                called = true;
            }
        }
        if called {
            writeln!(pointers, "static __typeof__({name}) *via_{name} = {name};").unwrap();
        }
    }
    // The declaration of `main` begins after the item before it.
    let declaration =
        (0..start).rev().find(|&at| tokens.is(at, "}") || tokens.is(at, ";")).map_or(0, |at| at + 1);
    tokens.replace(declaration, declaration, &pointers);
    !pointers.is_empty()
}

/// `main` is a function that the new `main` calls, and the error is reached by a function of the program.
pub(crate) fn outline(tokens: &mut Tokens, random: &mut Random) -> bool {
    if tokens.is(0, "main") || !tokens.bodies().iter().any(|(name, _)| name == "main") {
        return false;
    }
    let arguments = tokens
        .bodies()
        .iter()
        .any(|(name, place)| name == "main" && !tokens.is(place - 2, "void") && !tokens.is(place - 2, "("));
    if arguments {
        return false;
    }
    let error = random.chance(50) && !tokens.0.iter().any(|token| token.text == "assert");
    for at in 0..tokens.0.len() {
        if tokens.is(at, "main") && tokens.is(at + 1, "(") {
            "program".clone_into(&mut tokens.0[at].text);
        }
        if error && tokens.is(at, "reach_error") && tokens.is(at + 2, ")") {
            "report(1)".clone_into(&mut tokens.0[at].text);
            tokens.0[at + 1].text.clear();
            tokens.0[at + 2].text.clear();
        }
    }
    if error {
        tokens.declare(
            "extern void reach_error(void); static void report(int wrong) { if (wrong) reach_error(); }",
        );
    }
    let end = tokens.0.len();
    tokens.replace(end, end, "int main(void) { int result = program(); return result; }");
    true
}

/// Allocation goes through functions of the program, which all sizes and shapes share.
pub(crate) fn wrap_allocators(tokens: &mut Tokens, _: &mut Random) -> bool {
    let wrappers = [
        ("malloc", "static void *own_malloc(__SIZE_TYPE__ n) { void *p = malloc(n); return p; }"),
        ("calloc", "static void *own_calloc(__SIZE_TYPE__ n, __SIZE_TYPE__ m) { return calloc(n, m); }"),
        ("realloc", "static void *own_realloc(void *p, __SIZE_TYPE__ n) { return realloc(p, n); }"),
        ("free", "static void own_free(void *p) { free(p); }"),
    ];
    let declared = tokens.0.iter().any(|token| token.text.contains("stdlib.h"));
    let mut changed = false;
    for (name, wrapper) in wrappers {
        let mut used = false;
        for token in &mut tokens.0 {
            if declared && token.text == name {
                token.text = format!("own_{name}");
                used = true;
            }
        }
        if used {
            tokens.declare(wrapper);
            changed = true;
        }
    }
    changed
}

/// Addresses of objects pass through a function, or through an integer.
pub(crate) fn detour(tokens: &mut Tokens, random: &mut Random) -> bool {
    let integer = random.chance(40);
    let bodies: Vec<(usize, usize)> =
        tokens.bodies().iter().filter_map(|(_, place)| Some((*place, tokens.closing(*place)?))).collect();
    let mut changed = false;
    for (start, end) in bodies.into_iter().rev() {
        for at in (start..end).rev() {
            let before = tokens.0[at - 1].text.clone();
            let value = ["=", "(", ",", "?", ":"].contains(&before.as_str());
            let whole =
                tokens.word(at + 1) && !["[", ".", "->", "("].iter().any(|next| tokens.is(at + 2, next));
            if tokens.is(at, "&") && value && whole && random.chance(60) {
                let name = tokens.0[at + 1].text.clone();
                let way = if integer { "(void *)(unsigned long)" } else { "same(" };
                let close = if integer { "" } else { ")" };
                tokens.replace(at, at + 2, &format!("((__typeof__(&{name})){way}&{name}{close})"));
                changed = true;
            }
        }
    }
    if changed && !integer {
        tokens.declare("static void *same(void *p) { return p; }");
    }
    changed
}
