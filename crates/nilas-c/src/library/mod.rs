//! Library functions whose meaning is written in C.
//!
//! Where a program names one of them, the text is put behind the program's own, under line markers that name a file
//! `<nilas>/…`. A function `f` is called `__nilas_f` there; the lowering inlines it in place of a call of `f` that the
//! program does not define. The texts use builtin names only, so they clash with no declaration of the program.

mod standard;

use crate::lex::Symbols;
pub use standard::{is_determined, writes_less};

/// What the model of a function is called.
pub(crate) const PREFIX: &str = "__nilas_";

const STRING: &str = include_str!("string.c");

/// The functions of `string.c`, without the prefix.
const STRING_NAMES: &[&str] = &[
    "strlen",
    "strnlen",
    "strcpy",
    "stpcpy",
    "strncpy",
    "strcat",
    "strncat",
    "strcmp",
    "strncmp",
    "memcmp",
    "memchr",
    "strchr",
    "strrchr",
    "strstr",
    "strspn",
    "strcspn",
    "strpbrk",
    "strdup",
    "strndup",
    "memset",
    "memcpy",
    "mempcpy",
    "memmove",
    "bzero",
    "strcasecmp",
    "strncasecmp",
    "strtok",
    "strtok_r",
];

/// The name without what the compiler and fortified headers add, and how many arguments those have at the end.
pub(crate) fn plain_name(name: &str) -> (&str, usize) {
    let plain = name.strip_prefix("__builtin_").unwrap_or(name);
    let plain = plain.strip_prefix("__isoc99_").unwrap_or(plain);
    let base = plain.strip_prefix("__").and_then(|rest| rest.strip_suffix("_chk"));
    match base.filter(|base| has_model(base)) {
        Some(base) => (base, 1),
        None => (plain, 0),
    }
}

/// Whether a function has a model.
pub(crate) fn has_model(name: &str) -> bool {
    STRING_NAMES.contains(&name)
}

/// The text to put behind a program that uses these names; `None` if there is nothing to add.
pub(crate) fn models_for(symbols: &Symbols) -> Option<String> {
    let named = |name: &&&str| {
        let variants =
            [format!("__builtin_{name}"), format!("__{name}_chk"), format!("__builtin___{name}_chk")];
        symbols.contains(name) || variants.iter().any(|variant| symbols.contains(variant))
    };
    STRING_NAMES.iter().find(named)?;
    Some(format!("\n# 1 \"<nilas>/string.c\"\n{STRING}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_a_model() {
        for name in STRING_NAMES {
            assert!(STRING.contains(&format!("{PREFIX}{name}(")), "{name}");
        }
    }
}
