//! Programs made of idioms of C (`tests/idioms/idioms.txt`): each with a condition that holds, so that one of
//! two questions about it is *safe* and the other one *unsafe*.

const TEXT: &str = include_str!("../idioms/idioms.txt");

const HEADERS: &str = "\
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void);
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
";

/// An idiom.
pub(crate) struct Idiom {
    outside: &'static str,
    inside: &'static str,
    condition: &'static str,
}

/// All of them.
pub(crate) fn all() -> Vec<Idiom> {
    let idiom = |text: &'static str| {
        let (program, condition) = text.rsplit_once("=>").unwrap();
        let (outside, inside) = program.split_once("@@").unwrap_or(("", program));
        Idiom { outside, inside, condition: condition.trim() }
    };
    // The first part says what the others are.
    TEXT.split("\n---\n").skip(1).map(idiom).collect()
}

impl Idiom {
    /// The program that calls the error where the condition does not hold, which is never (`safe`), or where
    /// it holds.
    pub(crate) fn program(&self, safe: bool) -> String {
        let Idiom { outside, inside, condition } = self;
        let not = if safe { "!" } else { "" };
        format!(
            "{HEADERS}{outside}\nint main(void) {{ int k = __VERIFIER_nondet_int(); if (k != 3) return 0;\n{inside}\n\
             if ({not}({condition})) reach_error(); return 0; }}\n"
        )
    }
}
