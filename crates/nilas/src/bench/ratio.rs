//! How many times as much one run took as another, task by task.

use super::table::rounded;
use serde_json::{Value as Json, json};

/// Ratios of pairs, in rising order; there is at least one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ratios(Vec<f64>);

impl Ratios {
    /// How many times the first of each pair the second one is. Anything below `least` counts as `least`: a
    /// ratio of what is too small to be measured would say nothing.
    pub(crate) fn of(pairs: &[(f64, f64)], least: f64) -> Option<Ratios> {
        let mut ratios: Vec<f64> = pairs.iter().map(|(a, b)| b.max(least) / a.max(least)).collect();
        ratios.sort_by(f64::total_cmp);
        (!ratios.is_empty()).then_some(Ratios(ratios))
    }

    pub(crate) fn median(&self) -> f64 {
        let Ratios(ratios) = self;
        let middle = ratios.len() / 2;
        if ratios.len().is_multiple_of(2) {
            f64::midpoint(ratios[middle - 1], ratios[middle])
        } else {
            ratios[middle]
        }
    }

    pub(crate) fn mean(&self) -> f64 {
        self.0.iter().sum::<f64>() / self.0.len() as f64
    }

    fn ends(&self) -> (f64, f64) {
        let Ratios(ratios) = self;
        (ratios[0], ratios[ratios.len() - 1])
    }

    pub(crate) fn text(&self) -> String {
        let (least, greatest) = self.ends();
        format!(
            "median {}, mean {}, from {} to {}",
            factor(self.median()),
            factor(self.mean()),
            factor(least),
            factor(greatest)
        )
    }

    pub(crate) fn json(&self) -> Json {
        let (least, greatest) = self.ends();
        json!({
            "median": rounded(self.median()),
            "mean": rounded(self.mean()),
            "least": rounded(least),
            "greatest": rounded(greatest),
        })
    }
}

/// With two digits that say something, or more.
pub(crate) fn factor(ratio: f64) -> String {
    match ratio {
        _ if ratio >= 10.0 => format!("{ratio:.0}"),
        _ if ratio >= 1.0 => format!("{ratio:.1}"),
        _ if ratio >= 0.1 => format!("{ratio:.2}"),
        _ => format!("{ratio:.3}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_and_the_ends() {
        let ratios = |pairs: &[(f64, f64)]| Ratios::of(pairs, 0.01).map(|ratios| ratios.text());
        assert_eq!(ratios(&[]), None);
        assert_eq!(
            ratios(&[(1.0, 30.0), (2.0, 1.0), (1.0, 4.0)]).as_deref(),
            Some("median 4.0, mean 12, from 0.50 to 30")
        );
        assert_eq!(
            ratios(&[(1.0, 3.0), (1.0, 2.0)]).as_deref(),
            Some("median 2.5, mean 2.5, from 2.0 to 3.0")
        );
    }

    #[test]
    fn what_cannot_be_measured_counts_as_the_least() {
        let ratios = Ratios::of(&[(0.0, 1.0)], 0.01).map(|ratios| ratios.median());
        assert!(ratios.is_some_and(|ratio| (ratio - 100.0).abs() < 1e-9), "{ratios:?}");
    }
}
