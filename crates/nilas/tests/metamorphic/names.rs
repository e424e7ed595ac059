//! Other names for everything that the program declares, among them names that look like those of library
//! functions.

use super::tokens::{Kind, Tokens};
use crate::kit::random::Random;
use std::collections::{BTreeMap, BTreeSet};
use std::process::{Command, Stdio};

const NAMES: &[&str] = &[
    "structure_new",
    "memory_get",
    "fingerprint",
    "stream_next",
    "strategy",
    "printer",
    "string_table",
    "memcpy_fast",
    "mallocator",
    "free_list",
    "realloc_count",
    "scanner",
    "isotope",
    "tolower_bound",
    "fputs_like",
    "atomizer",
    "strict",
    "memo",
    "printf_count",
    "strlen_max",
    "getsize",
    "putting",
    "rounding",
    "absolute",
    "exit_code",
    "abort_flag",
    "assertion",
    "builtin_add",
    "sync_state",
    "atomic_state",
    "verifier",
    "nondet",
    "reach",
    "error_count",
    "stdin_line",
    "errno_value",
    "input",
    "output",
    "calloc_all",
    "pthread_like",
    "lock_state",
    "time_left",
    "randomised",
    "sine",
    "expression",
    "logarithm",
];

/// Words with a meaning of their own that no header declares.
const RESERVED: &[&str] = &[
    "auto",
    "break",
    "case",
    "char",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extern",
    "float",
    "for",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "register",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "typedef",
    "union",
    "unsigned",
    "void",
    "volatile",
    "while",
    "typeof",
    "asm",
    "main",
    "reach_error",
    "cleanup",
    "constructor",
    "destructor",
    "weak",
    "alias",
    "packed",
    "aligned",
    "noreturn",
    "nonnull",
    "returns_nonnull",
    "pure",
    "assert",
];

/// Headers whose names have a meaning even where the program declares them by hand.
const HEADERS: &[&str] = &[
    "assert",
    "ctype",
    "errno",
    "fcntl",
    "fenv",
    "inttypes",
    "limits",
    "locale",
    "math",
    "pthread",
    "setjmp",
    "signal",
    "stdarg",
    "stdatomic",
    "stddef",
    "stdint",
    "stdio",
    "stdlib",
    "string",
    "strings",
    "time",
    "unistd",
    "wchar",
    "wctype",
];

/// Functions without body are renamed too: what nobody knows is known by no name.
pub(crate) fn rename(tokens: &mut Tokens, random: &mut Random) -> bool {
    let Some(mut reserved) = words_of_headers(tokens) else { return false };
    reserved.extend(RESERVED.iter().map(|word| (*word).to_owned()));
    let mut new: BTreeMap<String, String> = BTreeMap::new();
    for token in &mut tokens.0 {
        if token.kind != Kind::Word || token.text.starts_with('_') || reserved.contains(&token.text) {
            continue;
        }
        let count = new.len();
        let name = new.entry(token.text.clone()).or_insert_with(|| {
            let name = random.pick::<&str>(NAMES);
            if random.chance(50) { format!("{name}_{count}") } else { format!("{name}{count}") }
        });
        token.text.clone_from(name);
    }
    !new.is_empty()
}

/// All words in the headers of the library, and in what the program itself says to the preprocessor.
fn words_of_headers(tokens: &Tokens) -> Option<BTreeSet<String>> {
    let mut text: String = HEADERS.iter().map(|header| format!("#include <{header}.h>\n")).collect();
    for token in tokens.0.iter().filter(|token| token.kind == Kind::Directive) {
        text += &token.text;
        text.push('\n');
    }
    let path = crate::kit::temporary("headers.c");
    std::fs::write(&path, text).unwrap();
    let mut words = BTreeSet::new();
    for option in ["-dM", "-dD"] {
        let output = Command::new("gcc")
            .args(["-D_GNU_SOURCE", "-E", option])
            .arg(&path)
            .stdin(Stdio::null())
            .output()
            .ok()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        words.extend(text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').map(str::to_owned));
    }
    std::fs::remove_file(path).unwrap();
    Some(words)
}
