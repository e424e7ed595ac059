//! Mutated examples through the parser: errors or programs, never a panic, always a place in the text.

use crate::examples::examples;
use nilas_program::procedures::check;
use nilas_program::random::Rng;
use nilas_program::{parse_module, parse_module_bytes, print_module};

const PIECES: &[&str] = &[
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "[]",
    ";",
    ":=",
    "->",
    "assume ",
    "havoc ",
    "block {",
    "0 -> 1:",
    "bv0",
    "bv99999999999",
    "\"",
    "`",
    "`(",
    "|",
    "//",
    "/*",
    "*/",
    "-",
    "1",
    "99999999999999999999999999",
    "#x",
    "#b2",
    "? 1 :",
    "true",
    "\u{0}",
    "ä",
    "\n",
    "entry ",
    "error ",
    "unmodelled l1",
    "var x : bool",
    "@4294967295",
    "zext(x, 4294967295)",
    "x[4294967295:0]",
    "'",
    "\\u{110000}",
    ".",
    "&& ",
    "=> ",
    "proc f(x : bv8) returns (y : bv8) {",
    "x := call f(x)",
    "call f()",
    "exit l1",
];

fn mutate(rng: &mut Rng, text: &str, other: &str) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=rng.below(4) {
        let at = rng.below(bytes.len() + 1);
        match rng.below(6) {
            0 => {
                let end = (at + rng.below(20)).min(bytes.len());
                bytes.drain(at..end);
            }
            1 => {
                let piece = rng.pick(PIECES).as_bytes();
                bytes.splice(at..at, piece.iter().copied());
            }
            2 => {
                let end = (at + rng.below(30)).min(bytes.len());
                let copy = bytes[at..end].to_vec();
                let to = rng.below(bytes.len() + 1);
                bytes.splice(to..to, copy);
            }
            3 if at < bytes.len() => bytes[at] = u8::try_from(rng.below(256)).unwrap(),
            4 if at < bytes.len() => bytes[at] ^= 1 << rng.below(7),
            _ => {
                let from = rng.below(other.len());
                let end = (from + rng.below(60)).min(other.len());
                bytes.splice(at..at, other.as_bytes()[from..end].iter().copied());
            }
        }
    }
    bytes
}

#[test]
fn mutated_examples() {
    let examples = examples();
    let (mut good, mut bad) = (0, 0);
    for seed in 0..20_000 {
        let mut rng = Rng::new(seed);
        let (name, text) = &examples[rng.below(examples.len())];
        let other = &examples[rng.below(examples.len())].1;
        let bytes = mutate(&mut rng, text, other);
        match parse_module_bytes(&bytes) {
            Ok(module) => {
                good += 1;
                assert_eq!(check(&module), Ok(()), "seed {seed} on {name}");
                let printed = print_module(&module);
                assert!(parse_module(&printed).is_ok(), "seed {seed} on {name}:\n{printed}");
            }
            Err(errors) => {
                bad += 1;
                assert!(
                    !errors.is_empty() && errors.len() <= 20,
                    "seed {seed} on {name}: {} errors",
                    errors.len()
                );
                let text = String::from_utf8_lossy(&bytes);
                for error in errors {
                    let rendered = error.render("f.cfa", &text);
                    assert!(
                        rendered.starts_with("f.cfa:") && rendered.contains('^'),
                        "seed {seed}: {rendered}"
                    );
                    assert!(!error.message.contains('\n'), "seed {seed}: {rendered}");
                }
            }
        }
    }
    assert!(good > 1000 && bad > 5000, "{good} good, {bad} bad");
}
