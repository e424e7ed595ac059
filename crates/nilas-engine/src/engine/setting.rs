//! Settings: declared by engines, given by users as `ENGINE.KEY=VALUE`, and read by engines.

use super::{Engine, Registry};
use nilas_smt::SatCore;
use std::collections::BTreeMap;
use std::str::FromStr;

/// Something that can be set.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// The last part of its name.
    pub key: &'static str,
    /// What it can be.
    pub kind: Kind,
    /// What it is if nobody says; `None` if that is nothing in particular.
    pub default: Option<&'static str>,
    /// What it does, without a full stop.
    pub help: &'static str,
}

impl PartialEq for Setting {
    fn eq(&self, other: &Self) -> bool {
        (self.key, self.default, self.help) == (other.key, other.default, other.help)
    }
}

/// What a setting can be.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// `yes` or `no`.
    YesNo,
    /// A number; of what.
    Number(&'static str),
    /// One of some words.
    Words(&'static [&'static str]),
    /// What a function takes; what that is, for people.
    Text(fn(&str) -> Result<(), String>, &'static str),
}

impl Kind {
    /// The values, for people.
    #[must_use]
    pub fn values(&self) -> String {
        match self {
            Kind::YesNo => "yes or no".to_owned(),
            Kind::Number(what) | Kind::Text(_, what) => (*what).to_owned(),
            Kind::Words(words) => match words {
                [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
                words => words.concat(),
            },
        }
    }

    /// Whether it can be this.
    #[must_use]
    pub fn takes(&self, value: &str) -> bool {
        match self {
            Kind::YesNo => matches!(value, "yes" | "no"),
            Kind::Number(_) => value.parse::<u32>().is_ok(),
            Kind::Words(words) => words.contains(&value),
            Kind::Text(check, _) => check(value).is_ok(),
        }
    }
}

/// What was set, by full name. Everything in it was declared by an engine and is a value that it takes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    given: BTreeMap<String, String>,
}

impl Settings {
    /// Sets something of the engines that come with Nilas: `NAME=VALUE`.
    ///
    /// # Errors
    /// What can be set, if this cannot.
    pub fn set(&mut self, assignment: &str) -> Result<(), String> {
        self.set_in(&Registry::default(), assignment)
    }

    /// Sets something of the engines of a registry.
    ///
    /// # Errors
    /// What can be set, if this cannot.
    pub fn set_in(&mut self, registry: &Registry, assignment: &str) -> Result<(), String> {
        let (name, value) = assignment.split_once('=').unwrap_or((assignment, ""));
        let declared = registry.settings();
        let Some((_, setting)) = declared.iter().find(|(group, it)| full(group, it.key) == name) else {
            let line =
                |(group, it): &(&str, &Setting)| format!("  {}: {}", full(group, it.key), it.kind.values());
            let lines: Vec<String> = declared.iter().map(line).collect();
            return Err(format!("there is no setting `{name}`; there are\n{}", lines.join("\n")));
        };
        if !setting.kind.takes(value) {
            return Err(format!("`{name}` is {}, not `{value}`", setting.kind.values()));
        }
        self.given.insert(name.to_owned(), value.to_owned());
        Ok(())
    }

    /// Settings from assignments.
    ///
    /// # Errors
    /// What can be set, if one of them cannot.
    pub fn of(assignments: &[&str]) -> Result<Self, String> {
        let mut settings = Settings::default();
        for assignment in assignments {
            settings.set(assignment)?;
        }
        Ok(settings)
    }

    /// Those of an engine.
    #[must_use]
    pub fn own(&self, engine: &dyn Engine) -> Own<'_> {
        Own { group: engine.group(), declared: engine.settings(), all: self }
    }
}

fn full(group: &str, key: &str) -> String {
    if group.is_empty() { key.to_owned() } else { format!("{group}.{key}") }
}

/// The settings of one engine.
#[derive(Clone, Copy, Debug)]
pub struct Own<'a> {
    group: &'static str,
    declared: &'static [Setting],
    all: &'a Settings,
}

impl<'a> Own<'a> {
    /// What was set, else the default; `None` if there is none, or the engine has not declared it.
    #[must_use]
    pub fn text(&self, key: &str) -> Option<&'a str> {
        let declared = self.declared.iter().find(|setting| setting.key == key);
        debug_assert!(declared.is_some(), "`{}.{key}` is not declared", self.group);
        let given = self.all.given.get(&full(self.group, key)).map(String::as_str);
        given.or(declared?.default)
    }

    /// The same of what is `yes` or `no`.
    #[must_use]
    pub fn flag(&self, key: &str) -> bool {
        self.text(key) == Some("yes")
    }

    /// The same of what is a number, or anything else that can be read.
    #[must_use]
    pub fn parsed<T: FromStr>(&self, key: &str) -> Option<T> {
        self.text(key)?.parse().ok()
    }

    /// The SAT core that all engines are to use, if there is one.
    #[must_use]
    pub fn sat_core(&self) -> Option<SatCore> {
        let name = self.all.given.get("sat-core")?;
        SatCore::ALL.iter().copied().find(|core| core.name() == name)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_set_by_name() {
        let settings = Settings::of(&[
            "sat-core=batsat",
            "bmc.max-depth=7",
            "k-ind.simple-paths=yes",
            "ic3cfa.check=yes",
            "ic3cfa.techniques=none,+lifting",
            "tree.clause-limit=10",
            "tree.few-values=no",
            "pred-abs.abstraction=cartesian",
        ])
        .unwrap();
        let own = |name: &str| {
            let engine = Registry::default().find(name).unwrap();
            settings.own(&*engine)
        };
        assert_eq!(own("bmc").sat_core(), Some(SatCore::Batsat));
        assert_eq!(own("bmc").parsed::<u64>("max-depth"), Some(7));
        assert_eq!(own("k-ind").parsed::<u64>("max-depth"), None);
        assert!(
            own("k-ind").flag("simple-paths") && own("ic3cfa").flag("check") && !own("ic3").flag("check")
        );
        assert_eq!(own("tree-itp").parsed::<usize>("clause-limit"), Some(10));
        assert!(!own("tree-ic3").flag("few-values"));
        assert_eq!(own("pred-abs").text("abstraction"), Some("cartesian"));
        assert_eq!(own("pred-abs").text("refinement"), Some("interpolants"));
    }

    #[test]
    fn what_cannot_be_set_is_told() {
        let mut settings = Settings::default();
        let unknown = settings.set("magic=yes").expect_err("no such name");
        assert!(unknown.contains("magic") && unknown.contains("pred-abs.abstraction"), "{unknown}");
        let wrong = settings.set("tree.few-values=perhaps").expect_err("no such value");
        assert!(wrong.contains("yes or no") && wrong.contains("perhaps"), "{wrong}");
        assert!(settings.set("bmc.max-depth").is_err());
        assert!(settings.set("bmc.max-depth=-1").is_err());
        assert_eq!(settings, Settings::default());
    }
}
