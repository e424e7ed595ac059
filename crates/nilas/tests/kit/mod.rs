//! What tests against a compiler share: programs with inputs and observed values, gcc as the judge, the
//! `nilas` binary, and the table of results.
#![allow(dead_code, reason = "each test uses its part")]

pub(crate) mod gcc;
pub(crate) mod idioms;
pub(crate) mod nilas;
pub(crate) mod program;
#[path = "../../../nilas-c/tests/compiler/random.rs"]
pub(crate) mod random;
pub(crate) mod tally;

/// A number from the environment.
pub(crate) fn number(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// A file in the temporary folder that no other test uses.
pub(crate) fn temporary(name: &str) -> std::path::PathBuf {
    use std::sync::atomic::{AtomicUsize, Ordering};
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    std::env::temp_dir().join(format!("nilas-kit-{}-{number}-{name}", std::process::id()))
}

/// Keeps a program of interest in the folder `NILAS_KEEP`.
pub(crate) fn keep(title: &str, text: &str) {
    if let Ok(folder) = std::env::var("NILAS_KEEP") {
        std::fs::write(format!("{folder}/{}.c", title.replace([' ', ','], "-")), text).unwrap();
    }
}
