//! Which engines there are, and what can be set.

use crate::{bmc, ic3, ic3cfa, k_induction, predabs, tree};
use std::fmt;
use std::str::FromStr;

/// The engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Engine {
    /// The program is run: decides where no decision depends on an input.
    Run,
    /// Bounded model checking.
    Bmc,
    /// k-induction.
    KInduction,
    /// IC3 on control-flow automata.
    Ic3Cfa,
    /// IC3 on the automaton as one symbolic transition system.
    Ic3,
    /// Tree-IC3: an abstract reachability tree, labelled by blocking paths.
    TreeIc3,
    /// Tree-IC3 with interpolants where they are good.
    TreeIc3Itp,
    /// The same with monolithic strengthening.
    TreeIc3ItpMono,
    /// Lazy abstraction with interpolants.
    TreeItp,
    /// Lazy predicate abstraction.
    PredAbs,
}

impl Engine {
    /// All engines.
    pub const ALL: [Engine; 10] = [
        Engine::Run,
        Engine::Bmc,
        Engine::KInduction,
        Engine::Ic3Cfa,
        Engine::Ic3,
        Engine::TreeIc3,
        Engine::TreeIc3Itp,
        Engine::TreeIc3ItpMono,
        Engine::TreeItp,
        Engine::PredAbs,
    ];

    /// The engines that run side by side unless one is chosen.
    pub const PORTFOLIO: [Engine; 3] = [Engine::Run, Engine::Bmc, Engine::Ic3Cfa];

    /// The name that users give.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Engine::Run => "run",
            Engine::Bmc => "bmc",
            Engine::KInduction => "k-ind",
            Engine::Ic3Cfa => "ic3cfa",
            Engine::Ic3 => "ic3",
            Engine::TreeIc3 => "tree-ic3",
            Engine::TreeIc3Itp => "tree-ic3-itp",
            Engine::TreeIc3ItpMono => "tree-ic3-itp-mono",
            Engine::TreeItp => "tree-itp",
            Engine::PredAbs => "pred-abs",
        }
    }

    /// How it works, in a sentence for people who do not know such engines.
    #[must_use]
    pub fn method(self) -> &'static str {
        match self {
            Engine::Run => {
                "runs the program: where no decision depends on an input there is only one way to go"
            }
            Engine::Bmc => {
                "follows all executions at once, one step more at a time, until one reaches the error or all have ended"
            }
            Engine::KInduction => {
                "follows all executions at once, one step more at a time, and asks each time whether the error could come \
                 after so many steps without it, wherever these start"
            }
            Engine::Ic3Cfa => {
                "goes back from the error, and excludes the states that lead there by facts (lemmas) about single \
                 places of the program, until these facts imply each other and so hold for ever"
            }
            Engine::Ic3 => {
                "goes back from the error, and excludes the states that lead there by facts (lemmas) about the program as a \
                 whole, in which the place is one more variable, until these facts imply each other and so hold for ever"
            }
            Engine::TreeIc3 => {
                "unfolds the program into a tree of paths, goes back along each path that ends in the error, and excludes \
                 the states that lead there by facts (lemmas) about the points of the tree, until no point is left that \
                 is not covered by an earlier one"
            }
            Engine::TreeIc3Itp | Engine::TreeIc3ItpMono => {
                "unfolds the program into a tree of paths, asks a solver why each path to the error cannot be executed, \
                 and keeps the reasons as facts (lemmas) about the points of the tree, until no point is left that is \
                 not covered by an earlier one"
            }
            Engine::TreeItp => {
                "unfolds the program into a tree of paths, and describes its points by the reasons (interpolants) why \
                 paths to the error cannot be executed, until no point is left that is not covered by an earlier one"
            }
            Engine::PredAbs => {
                "looks at the program through a few conditions (predicates) instead of its values, follows all executions in that \
                 view, and adds conditions where the view is too coarse"
            }
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Engine {
    type Err = String;
    fn from_str(name: &str) -> Result<Self, String> {
        let found = Engine::ALL.into_iter().find(|engine| engine.name() == name);
        found.ok_or_else(|| {
            let names: Vec<&str> = Engine::ALL.iter().map(|engine| engine.name()).collect();
            format!("there is no engine `{name}`; choose one of {}", names.join(", "))
        })
    }
}

impl Options {
    /// Whether variables that take few values are encoded anew for an engine.
    pub(crate) fn few_values(&self, engine: Engine) -> bool {
        match engine {
            Engine::Ic3Cfa => self.ic3cfa.techniques.contains(ic3cfa::Technique::FewValues),
            Engine::TreeIc3 | Engine::TreeIc3Itp | Engine::TreeIc3ItpMono | Engine::TreeItp => {
                self.tree.few_values
            }
            _ => false,
        }
    }
}

/// Settings of all engines.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Settings of BMC.
    pub bmc: bmc::Settings,
    /// Settings of k-induction.
    pub k_induction: k_induction::Settings,
    /// Settings of IC3CFA.
    pub ic3cfa: ic3cfa::Settings,
    /// Settings of IC3.
    pub ic3: ic3::Settings,
    /// Settings of Tree-IC3 and its relatives.
    pub tree: tree::Settings,
    /// Settings of predicate abstraction.
    pub pred_abs: predabs::Settings,
}
