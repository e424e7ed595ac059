//! Settings of the engines by name, as users give them: `pred-abs.abstraction=cartesian`.

use crate::engine::Options;
use crate::predabs::{Abstraction, Refinement};
use nilas_smt::SatCore;
use std::str::FromStr;

/// Something that can be set.
struct Setting {
    name: &'static str,
    /// The values it takes, for people.
    values: &'static str,
    set: fn(&mut Options, &str) -> Option<()>,
}

const SETTINGS: [Setting; 13] = [
    Setting {
        name: "sat-core",
        values: "cdcl, cadical or batsat",
        set: |options, value| {
            let core = SatCore::ALL.into_iter().find(|core| core.name() == value)?;
            options.bmc.core = Some(core);
            options.k_induction.core = Some(core);
            options.ic3cfa.core = core;
            options.ic3.core = core;
            options.tree.core = core;
            options.pred_abs.core = core;
            Some(())
        },
    },
    Setting {
        name: "bmc.max-depth",
        values: "a number of layers",
        set: |options, value| put(&mut options.bmc.max_depth, number(value).map(Some)),
    },
    Setting {
        name: "k-ind.max-depth",
        values: "a number of layers",
        set: |options, value| put(&mut options.k_induction.max_depth, number(value).map(Some)),
    },
    Setting {
        name: "k-ind.simple-paths",
        values: "yes or no",
        set: |options, value| put(&mut options.k_induction.simple_paths, yes_or_no(value)),
    },
    Setting {
        name: "ic3cfa.max-level",
        values: "a number of frames",
        set: |options, value| put(&mut options.ic3cfa.max_level, number(value).map(Some)),
    },
    Setting {
        name: "ic3cfa.check",
        values: "yes or no",
        set: |options, value| put(&mut options.ic3cfa.check_frames, yes_or_no(value)),
    },
    Setting {
        name: "ic3.max-level",
        values: "a number of frames",
        set: |options, value| put(&mut options.ic3.max_level, number(value).map(Some)),
    },
    Setting {
        name: "ic3.check",
        values: "yes or no",
        set: |options, value| put(&mut options.ic3.check_frames, yes_or_no(value)),
    },
    Setting {
        name: "tree.clause-limit",
        values: "how many times an interpolant its clauses may be",
        set: |options, value| put(&mut options.tree.largest_clauses, number(value)),
    },
    Setting {
        name: "tree.few-values",
        values: "yes or no",
        set: |options, value| put(&mut options.tree.few_values, yes_or_no(value)),
    },
    Setting {
        name: "tree.check",
        values: "yes or no",
        set: |options, value| put(&mut options.tree.check_tree, yes_or_no(value)),
    },
    Setting {
        name: "pred-abs.abstraction",
        values: "boolean or cartesian",
        set: |options, value| {
            let abstraction = match value {
                "boolean" => Some(Abstraction::Boolean),
                "cartesian" => Some(Abstraction::Cartesian),
                _ => None,
            };
            put(&mut options.pred_abs.abstraction, abstraction)
        },
    },
    Setting {
        name: "pred-abs.refinement",
        values: "interpolants or preconditions",
        set: |options, value| {
            let refinement = match value {
                "interpolants" => Some(Refinement::Interpolants),
                "preconditions" => Some(Refinement::Preconditions),
                _ => None,
            };
            put(&mut options.pred_abs.refinement, refinement)
        },
    },
];

/// Sets a place to a value, if there is one.
fn put<T>(place: &mut T, value: Option<T>) -> Option<()> {
    *place = value?;
    Some(())
}

fn number<N: FromStr>(text: &str) -> Option<N> {
    text.parse().ok()
}

fn yes_or_no(text: &str) -> Option<bool> {
    match text {
        "yes" => Some(true),
        "no" => Some(false),
        _ => None,
    }
}

impl Options {
    /// Sets something by its name: `NAME=VALUE`.
    ///
    /// # Errors
    /// What can be set, if this cannot.
    pub fn set(&mut self, assignment: &str) -> Result<(), String> {
        let (name, value) = assignment.split_once('=').unwrap_or((assignment, ""));
        let Some(setting) = SETTINGS.iter().find(|setting| setting.name == name) else {
            let lines: Vec<String> =
                SETTINGS.iter().map(|it| format!("  {}: {}", it.name, it.values)).collect();
            return Err(format!("there is no setting `{name}`; there are\n{}", lines.join("\n")));
        };
        (setting.set)(self, value).ok_or_else(|| format!("`{name}` is {}, not `{value}`", setting.values))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_set_by_name() {
        let mut options = Options::default();
        for assignment in [
            "sat-core=batsat",
            "bmc.max-depth=7",
            "k-ind.max-depth=6",
            "k-ind.simple-paths=yes",
            "ic3cfa.max-level=8",
            "ic3cfa.check=yes",
            "ic3.max-level=9",
            "ic3.check=yes",
            "tree.clause-limit=10",
            "tree.few-values=no",
            "tree.check=yes",
            "pred-abs.abstraction=cartesian",
            "pred-abs.refinement=preconditions",
        ] {
            assert_eq!(options.set(assignment), Ok(()));
        }
        assert_eq!(options.bmc.core, Some(SatCore::Batsat));
        assert_eq!(options.ic3cfa.core, SatCore::Batsat);
        assert_eq!(options.bmc.max_depth, Some(7));
        assert_eq!((options.k_induction.max_depth, options.k_induction.simple_paths), (Some(6), true));
        assert_eq!((options.ic3cfa.max_level, options.ic3cfa.check_frames), (Some(8), true));
        assert_eq!((options.ic3.max_level, options.ic3.check_frames), (Some(9), true));
        assert_eq!(options.tree.largest_clauses, 10);
        assert!(!options.tree.few_values && options.tree.check_tree);
        assert_eq!(options.pred_abs.abstraction, Abstraction::Cartesian);
        assert_eq!(options.pred_abs.refinement, Refinement::Preconditions);
    }

    #[test]
    fn what_cannot_be_set_is_told() {
        let mut options = Options::default();
        let unknown = options.set("magic=yes").expect_err("no such name");
        assert!(unknown.contains("magic") && unknown.contains("pred-abs.abstraction"), "{unknown}");
        let wrong = options.set("tree.few-values=perhaps").expect_err("no such value");
        assert!(wrong.contains("yes or no") && wrong.contains("perhaps"), "{wrong}");
        assert!(options.set("bmc.max-depth").is_err());
        assert!(options.set("bmc.max-depth=-1").is_err());
    }
}
