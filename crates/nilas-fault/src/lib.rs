//! Seeded faults: mistakes that the lowering, the catalogue and the passes could have, to measure what finds
//! them.
//!
//! A build with the feature `faults` makes the mistake that the environment variable `NILAS_FAULT` names, and
//! none otherwise. All other builds make none: [`planted`] is a constant there, and nothing is left of the
//! faults. The table of what finds which fault is `benchmarks/results/seeded-faults.txt`; the test `faults`
//! of the crate `nilas` makes it.

mod registry;

pub use registry::{ALL, Fault, Seeded};

/// Whether the program makes this mistake.
#[cfg(not(feature = "faults"))]
#[must_use]
#[inline(always)]
pub const fn planted(_: Fault) -> bool {
    false
}

/// Whether the program makes this mistake.
///
/// # Panics
/// If `NILAS_FAULT` names no fault.
#[cfg(feature = "faults")]
#[must_use]
pub fn planted(fault: Fault) -> bool {
    use std::sync::OnceLock;
    static CHOSEN: OnceLock<Option<Fault>> = OnceLock::new();
    let chosen = CHOSEN.get_or_init(|| {
        let name = std::env::var("NILAS_FAULT").ok().filter(|name| !name.is_empty())?;
        let found = ALL.iter().find(|seeded| seeded.name == name);
        assert!(found.is_some(), "`{name}` is no fault");
        found.map(|seeded| seeded.fault)
    });
    *chosen == Some(fault)
}

#[cfg(test)]
mod tests {
    use super::ALL;
    use std::collections::BTreeSet;

    #[test]
    fn faults_have_names_of_their_own() {
        let names: BTreeSet<&str> = ALL.iter().map(|seeded| seeded.name).collect();
        assert_eq!(names.len(), ALL.len());
        assert!(ALL.len() >= 40);
        for seeded in ALL {
            assert!(seeded.sentence.ends_with('.'), "{}", seeded.name);
        }
    }
}
