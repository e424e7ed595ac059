//! Values of options: what is no value is refused with what is expected.

use nilas_engine::{EngineRef, Settings, Techniques};

pub(super) fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds.is_finite() && seconds > 0.0 && seconds < 1e9 => Ok(seconds),
        _ => Err("a positive number of seconds expected".into()),
    }
}

pub(super) fn some_seconds(text: &str) -> Result<f64, String> {
    if text == "0" { Ok(0.0) } else { seconds(text) }
}

pub(super) fn jobs(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(jobs @ 1..=1024) => Ok(jobs),
        _ => Err("a number from 1 to 1024 expected".into()),
    }
}

/// A list of techniques that there are.
pub(super) fn techniques(list: &str) -> Result<String, String> {
    list.parse::<Techniques>()?;
    Ok(list.to_owned())
}

/// Engines that have one name.
#[derive(Clone, Debug)]
pub(crate) struct Engines(pub(crate) Vec<EngineRef>);

/// An engine that there is, or those of a preset.
pub(super) fn engines(name: &str) -> Result<Engines, String> {
    crate::registry().find_all(name).map(Engines)
}

/// An engine that there is.
pub(super) fn engine(name: &str) -> Result<EngineRef, String> {
    crate::registry().find(name)
}

/// A setting that there is.
pub(super) fn settable(assignment: &str) -> Result<String, String> {
    Settings::default().set_in(crate::registry(), assignment)?;
    Ok(assignment.to_owned())
}
