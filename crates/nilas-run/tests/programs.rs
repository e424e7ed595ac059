//! Small programs: what they print and how they end is as gcc has it. The expectation is stored (`.out`, and
//! `.out32` where 32-bit programs differ); where gcc is at hand, the stored expectation is compared with it,
//! too. A program whose first line is `// lp64` is only one for 64 bits.
#![allow(clippy::unwrap_used)]

mod kit;

use nilas_c::types::DataModel;
use nilas_run::Options;
use std::path::Path;

fn expected(path: &Path, model: DataModel) -> String {
    let narrow = path.with_extension("out32");
    let stored =
        if model == DataModel::Ilp32 && narrow.exists() { narrow } else { path.with_extension("out") };
    String::from_utf8_lossy(&std::fs::read(stored).unwrap()).into_owned()
}

fn models(text: &str) -> &'static [DataModel] {
    if text.starts_with("// lp64") { &kit::MODELS[..1] } else { &kit::MODELS }
}

#[test]
fn programs_do_what_is_expected() {
    let files = kit::files("programs");
    assert!(files.len() >= 150);
    let mut wrong = Vec::new();
    for path in &files {
        let text = std::fs::read_to_string(path).unwrap();
        for &model in models(&text) {
            let (execution, output) = kit::run(&text, model, &Options::default());
            let told = kit::told(&execution, &output);
            if told != expected(path, model) {
                wrong.push(format!("{} {model:?}:\n{told}", path.display()));
            }
            if let Some(undefined) = execution.lenient {
                wrong.push(format!("{} {model:?}: {undefined:?}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn strict_checks_find_nothing_in_programs_that_are_defined() {
    let options = Options { check_undefined: true, strict: true, ..Options::default() };
    for path in kit::files("programs") {
        let text = std::fs::read_to_string(&path).unwrap();
        for &model in models(&text) {
            let (execution, output) = kit::run(&text, model, &options);
            assert_eq!(
                kit::told(&execution, &output),
                expected(&path, model),
                "{} {model:?}",
                path.display()
            );
        }
    }
}

/// A few in every run, all with `NILAS_PROGRAMS=1000`.
#[test]
fn the_expectation_is_that_of_gcc() {
    let most = usize::try_from(kit::number("NILAS_PROGRAMS", 12)).unwrap();
    let files = kit::files("programs");
    let step = files.len().div_ceil(most).max(1);
    for path in files.iter().step_by(step) {
        let text = std::fs::read_to_string(path).unwrap();
        for &model in models(&text) {
            if let Some(told) = kit::gcc(&text, model, &[]) {
                assert_eq!(told, expected(path, model), "{} {model:?}", path.display());
            }
        }
    }
}
