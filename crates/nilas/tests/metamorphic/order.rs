//! Declarations in another order: neighbours change places where neither needs the other.

use super::tokens::{Kind, Token, Tokens};
use crate::kit::random::Random;
use std::collections::BTreeSet;

pub(crate) fn reorder(tokens: &mut Tokens, random: &mut Random) -> bool {
    let start = tokens.after_directives();
    let Some(mut items) = items(tokens, start) else { return false };
    let mut changed = false;
    for _ in 0..4 {
        for at in 1..items.len() {
            if random.chance(60) && independent(&items[at - 1], &items[at]) {
                items.swap(at - 1, at);
                changed = true;
            }
        }
    }
    tokens.0.truncate(start);
    tokens.0.extend(items.into_iter().flatten());
    changed
}

/// The declarations and definitions on the outside.
fn items(tokens: &Tokens, start: usize) -> Option<Vec<Vec<Token>>> {
    let bodies: BTreeSet<usize> = tokens.bodies().into_iter().map(|(_, place)| place).collect();
    let mut items = Vec::new();
    let (mut from, mut at) = (start, start);
    while at < tokens.0.len() {
        let end = if bodies.contains(&at) {
            tokens.closing(at)?
        } else if tokens.is(at, ";") {
            at
        } else if ["(", "[", "{"].iter().any(|open| tokens.is(at, open)) {
            at = tokens.closing(at)? + 1;
            continue;
        } else {
            at += 1;
            continue;
        };
        items.push(tokens.0[from..=end].to_vec());
        from = end + 1;
        at = from;
    }
    (from == tokens.0.len()).then_some(items)
}

/// No word that one has outside its brackets occurs in the other, apart from words of the language.
fn independent(one: &[Token], two: &[Token]) -> bool {
    const COMMON: &[&str] = &[
        "static", "extern", "int", "char", "long", "short", "unsigned", "void", "const", "struct", "union",
        "double", "float", "_Bool", "signed", "volatile",
    ];
    let outside = |item: &[Token]| {
        let mut depth = 0_usize;
        let mut words = BTreeSet::new();
        for token in item {
            match token.text.as_str() {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth -= 1,
                _ if depth == 0 && token.kind == Kind::Word && !COMMON.contains(&token.text.as_str()) => {
                    words.insert(token.text.clone());
                }
                _ => {}
            }
        }
        words
    };
    let uses =
        |item: &[Token], words: &BTreeSet<String>| item.iter().any(|token| words.contains(&token.text));
    !uses(two, &outside(one)) && !uses(one, &outside(two))
}
