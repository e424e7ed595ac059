//! Undefined behaviour: a small program or more for each kind. The first line says what is expected:
//! `// expect: KIND`, and behind it `with undefined`, `with strict`, `with overflow` or `with uninitialised`
//! for the checks that find it, or `with ends` where only asking for the kind does.
#![allow(clippy::unwrap_used)]

mod kit;

use nilas_run::{End, Options, UndefinedKind};
use std::collections::BTreeSet;

#[test]
fn each_kind_is_found_where_it_is() {
    let mut found = BTreeSet::new();
    for path in kit::files("undefined") {
        let text = std::fs::read_to_string(&path).unwrap();
        let expectation = text.lines().next().unwrap().strip_prefix("// expect: ").unwrap();
        let (name, with) = expectation.split_once(" with ").unwrap_or((expectation, ""));
        let kind = *UndefinedKind::ALL.iter().find(|kind| kind.name() == name).expect(name);
        found.insert(kind);
        let strict = Options {
            check_undefined: with == "undefined",
            strict: with == "strict",
            check_overflow: with == "overflow",
            check_uninitialised: with == "uninitialised",
            ends: [kind].into_iter().filter(|_| with == "ends").collect(),
            ..Options::default()
        };
        for model in kit::MODELS {
            let (execution, _) = kit::run(&text, model, &strict);
            match &execution.end {
                End::Undefined(undefined) => {
                    assert_eq!(undefined.kind, kind, "{}: {undefined:?}", path.display());
                    assert_eq!(undefined.place.file, "test.c");
                    // When the program has ended, nothing is called.
                    let ended = kind == UndefinedKind::Leak;
                    assert!(!undefined.sentence.is_empty() && undefined.stack.is_empty() == ended);
                }
                end => panic!("{} {model:?}: {end:?}", path.display()),
            }
            if !with.is_empty() && kind != UndefinedKind::WildPointer {
                // Without the check the execution goes on.
                let (execution, _) = kit::run(&text, model, &Options::default());
                assert!(matches!(execution.end, End::Exit(_)), "{}: {:?}", path.display(), execution.end);
                if with == "strict" && kind != UndefinedKind::Misaligned {
                    assert_eq!(execution.lenient.map(|it| it.kind), Some(kind), "{}", path.display());
                }
            }
        }
    }
    let missing: Vec<_> = UndefinedKind::ALL.iter().filter(|kind| !found.contains(kind)).collect();
    assert!(missing.is_empty(), "no program for {missing:?}");
}

#[test]
fn names_are_unique() {
    let names: BTreeSet<_> = UndefinedKind::ALL.iter().map(|kind| kind.name()).collect();
    assert_eq!(names.len(), UndefinedKind::ALL.len());
}
