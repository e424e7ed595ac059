use super::*;
use std::collections::BTreeSet;

#[test]
fn names_are_unique() {
    let mut seen = BTreeSet::new();
    for row in rows() {
        assert!(seen.insert(row.name.to_string()), "{} has two rows", row.name);
    }
    assert!(FAMILIES.iter().map(|family| family.len()).sum::<usize>() >= 250);
}

#[test]
fn signatures_can_be_read() {
    for row in rows() {
        if matches!(row.model, Model::Checker(_)) {
            assert!(row.signature.is_empty(), "{}", row.name);
            continue;
        }
        let (result, parameters) = row.signature.split_once(':').expect(&row.name);
        assert_eq!(result.len(), 1, "{}", row.name);
        let letters = "vbciuhlLqQzkjJwfdDpPsSeWXo";
        let parameters = parameters.strip_suffix('.').unwrap_or(parameters);
        for letter in result.chars().chain(parameters.chars()) {
            assert!(letters.contains(letter), "{}: {letter}", row.name);
        }
        let (count, _) = row.parameters();
        if let Writes::Through(arguments) = row.writes {
            assert!(arguments.iter().all(|&argument| usize::from(argument) < count), "{}", row.name);
        }
        if let Target::Argument(argument) = row.result {
            assert!(usize::from(argument) < count, "{}", row.name);
        }
        assert!(row.callback.is_none_or(|argument| usize::from(argument) < count), "{}", row.name);
    }
}

#[test]
fn every_text_is_there_and_every_text_has_a_row() {
    for row in FAMILIES.iter().flat_map(|family| family.iter()) {
        if row.model == Model::Text {
            assert!(super::super::text::has(&row.text_name()), "{} has no text", row.name);
        }
    }
}

#[test]
fn variants_are_exact() {
    assert_eq!(row("fabsf").map(|row| (row.base, &*row.signature)), Some(("fabs", "f:f")));
    assert_eq!(row("__builtin_powl").map(|row| &*row.signature), Some("D:DD"));
    assert_eq!(row("__builtin_bswap32").map(|row| &*row.signature), Some("u:u"));
    assert_eq!(row("__isoc99_sscanf").map(|row| row.base), Some("sscanf"));
    for unknown in ["bswap32", "structure_new", "fingerprint", "memory_get", "stream_next", "__builtin_qsort"]
    {
        assert!(row(unknown).is_none(), "{unknown}");
    }
}

#[test]
fn inputs_are_not_determined() {
    for name in ["sin", "sinf", "powl", "__builtin_sin", "strtol", "__strcpy_chk", "atoi", "sscanf"] {
        assert!(row(name).is_some_and(|row| row.determined), "{name}");
    }
    for name in ["getchar", "rand", "read", "time", "__VERIFIER_nondet_int", "printf"] {
        assert!(row(name).is_some_and(|row| !row.determined), "{name}");
    }
}
