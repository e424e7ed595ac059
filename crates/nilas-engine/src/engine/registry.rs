//! The engines, a line for each.

use super::setting::{Kind, Setting};
use super::{Engine, EngineRef};
use crate::{
    bmc, classes, euf, ic3, ic3cfa, ic3ia, icp, itp, k_induction, predabs, run, states, summaries, tree,
};
use nilas_smt::SatCore;

/// What an engine does in the portfolio.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It has some time for itself before the others start.
    First,
    /// It runs beside others.
    Beside,
    /// It has a short turn when the others have worked for a while without a verdict: what it decides, it
    /// mostly decides at once, and then it has what they have found out by that time.
    Briefly,
    /// It runs alone, if somebody asks for it.
    Alone,
}

/// An engine with its role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The engine.
    pub engine: EngineRef,
    /// What it does in the portfolio.
    pub role: Role,
}

const fn entry(engine: &'static dyn Engine, role: Role) -> Entry {
    Entry { engine: EngineRef::new(engine), role }
}

/// The engines that come with Nilas.
const STANDARD: &[Entry] = &[
    entry(&run::Run, Role::First),
    entry(&bmc::BoundedModelChecking, Role::Beside),
    entry(&ic3cfa::Ic3CfaEngine, Role::Beside),
    entry(&summaries::SummariesEngine, Role::Beside),
    entry(&icp::IcpEngine, Role::Beside),
    entry(&icp::IcpBmc, Role::Alone),
    entry(&icp::Variant::Set, Role::Alone),
    entry(&icp::Variant::First, Role::Alone),
    entry(&icp::Variant::Second, Role::Alone),
    entry(&states::States, Role::Beside),
    entry(&classes::Classes, Role::Beside),
    entry(&ic3::Ic3Engine, Role::Alone),
    entry(&ic3ia::Ic3IaEngine, Role::Alone),
    entry(&euf::EufEngine, Role::Beside),
    entry(&tree::Variant::TreeIc3, Role::Alone),
    entry(&tree::Variant::TreeIc3Itp, Role::Alone),
    entry(&tree::Variant::TreeIc3ItpMono, Role::Alone),
    entry(&tree::Variant::TreeItp, Role::Briefly),
    entry(&predabs::PredicateAbstraction, Role::Briefly),
    // These have the lemmas and predicates of all others then.
    entry(&k_induction::KInduction, Role::Briefly),
    entry(&itp::InterpolationBased, Role::Briefly),
];

/// What can be set for all engines at once: it has no name of an engine before it.
pub(crate) const SHARED: [Setting; 1] = [Setting {
    key: "sat-core",
    kind: Kind::Words(SatCore::NAMES),
    default: None,
    help: "the SAT core of the embedded solver; without it, each engine takes the one that suits it",
}];

/// A portfolio with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// The name.
    pub name: &'static str,
    /// The names of its engines.
    pub engines: &'static [&'static str],
}

/// The portfolios of table 1 of *ICP and IC3 with Stronger Generalization*. In the place of EP-CBMC, which is
/// k-induction on bits, is ours; Craig interpolation is that on bits, too.
pub const PRESETS: [Preset; 4] = [
    Preset { name: "PF1", engines: &["icp-bmc", "icp", "k-ind", "itp"] },
    Preset { name: "PF2", engines: &["icp-bmc", "icp", "k-ind", "itp", "icp-ic3-1"] },
    Preset { name: "PF3", engines: &["icp-bmc", "icp", "k-ind", "itp", "icp-ic3-2"] },
    Preset { name: "PF4", engines: &["icp-bmc", "icp", "k-ind", "itp", "icp-ic3-1", "icp-ic3-2"] },
];

/// Engines to choose from. Those that come with Nilas, unless others are added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registry {
    entries: Vec<Entry>,
}

impl Default for Registry {
    fn default() -> Self {
        Registry { entries: STANDARD.to_vec() }
    }
}

impl Registry {
    /// These engines and no others.
    #[must_use]
    pub fn of(entries: Vec<Entry>) -> Self {
        Registry { entries }
    }

    /// The same with one more engine.
    #[must_use]
    pub fn with(mut self, engine: EngineRef, role: Role) -> Self {
        self.entries.push(Entry { engine, role });
        self
    }

    /// The same with an engine that runs only if somebody asks for it.
    #[must_use]
    pub fn without(mut self, engine: EngineRef) -> Self {
        for entry in self.entries.iter_mut().filter(|entry| entry.engine == engine) {
            entry.role = Role::Alone;
        }
        self
    }

    /// All entries.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// All engines.
    pub fn engines(&self) -> impl Iterator<Item = EngineRef> + '_ {
        self.entries.iter().map(|entry| entry.engine)
    }

    /// The engine of a name.
    ///
    /// # Errors
    /// The names that there are, if this is none.
    pub fn find(&self, name: &str) -> Result<EngineRef, String> {
        let found = self.engines().find(|engine| engine.name() == name);
        found.ok_or_else(|| {
            let names: Vec<&str> = self.engines().map(|engine| engine.name()).collect();
            format!("there is no engine `{name}`; choose one of {}", names.join(", "))
        })
    }

    /// The engines that run side by side unless one is chosen, in the order in which they start.
    #[must_use]
    pub fn portfolio(&self) -> Vec<EngineRef> {
        let with = |role: Role| self.entries.iter().filter(move |entry| entry.role == role);
        let all = with(Role::First).chain(with(Role::Beside)).chain(with(Role::Briefly));
        all.map(|entry| entry.engine).collect()
    }

    /// The engines of a preset portfolio, or the one of that name.
    ///
    /// # Errors
    /// The names that there are, if this is none.
    pub fn find_all(&self, name: &str) -> Result<Vec<EngineRef>, String> {
        match PRESETS.iter().find(|preset| preset.name == name) {
            Some(preset) => preset.engines.iter().map(|name| self.find(name)).collect(),
            None => Ok(vec![self.find(name)?]),
        }
    }

    /// What an engine does in the portfolio.
    #[must_use]
    pub fn role(&self, engine: EngineRef) -> Role {
        let found = self.entries.iter().find(|entry| entry.engine == engine);
        found.map_or(Role::Alone, |entry| entry.role)
    }

    /// Everything that can be set: the first part of the name (empty for what all engines share), and the
    /// setting.
    #[must_use]
    pub fn settings(&self) -> Vec<(&'static str, &'static Setting)> {
        let mut all: Vec<(&'static str, &'static Setting)> = SHARED.iter().map(|it| ("", it)).collect();
        for engine in self.engines() {
            let group = engine.group();
            if !all.iter().any(|(known, _)| *known == group) {
                all.extend(engine.settings().iter().map(|setting| (group, setting)));
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names are unique, defaults are values, and the same group has the same settings.
    #[test]
    fn declarations_make_sense() {
        let registry = Registry::default();
        let names: Vec<&str> = registry.engines().map(|engine| engine.name()).collect();
        for (index, name) in names.iter().enumerate() {
            assert!(!names[..index].contains(name), "{name}");
        }
        for (group, setting) in registry.settings() {
            assert!(setting.default.is_none_or(|value| setting.kind.takes(value)), "{group} {setting:?}");
            assert!(!setting.help.is_empty() && !setting.help.ends_with('.'), "{group} {setting:?}");
        }
        for one in registry.engines() {
            for other in registry.engines().filter(|other| other.group() == one.group()) {
                assert_eq!(one.settings(), other.settings(), "{one} and {other}");
            }
        }
        for preset in PRESETS {
            assert!(!names.contains(&preset.name), "{preset:?}");
            let engines = registry.find_all(preset.name).expect("engines of the registry");
            assert_eq!(engines.len(), preset.engines.len());
        }
        let less = registry.clone().without(registry.find("k-ind").expect("an engine of the registry"));
        assert_eq!(less.portfolio().len() + 1, registry.portfolio().len());
        let portfolio: Vec<&str> = registry.portfolio().iter().map(|engine| engine.name()).collect();
        let portfolio = portfolio.join(" ");
        assert_eq!(portfolio, "run bmc ic3cfa summaries icp states classes euf tree-itp pred-abs k-ind itp");
    }
}
