//! Programs of `order/`, whose meaning depends on the order of evaluation, or seems to. The first line says
//! what becomes of them.

use super::{Outcome, check_every, lowered, run};
use crate::types::DataModel;

const HEAD: &str =
    "extern void reach_error(void); extern void exit(int); extern void *malloc(__SIZE_TYPE__);\n";

#[test]
fn evaluation_order() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lower/tests/order");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty());
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let program = format!("{HEAD}{text}");
        match text.lines().next() {
            Some("// safe") => check_every(&program, false),
            Some("// unsafe") => check_every(&program, true),
            Some("// unmodelled") => {
                let (outcome, _) = run(&lowered(&program, DataModel::Lp64), &[]);
                assert!(matches!(outcome, Outcome::Unmodelled(_)), "{outcome:?}\n{program}");
            }
            other => panic!("{}: {other:?}", file.display()),
        }
    }
}
