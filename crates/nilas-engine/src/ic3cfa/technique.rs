//! The techniques that can be switched on and off, each with its place in the literature.
//!
//! None of them decides whether a verdict is right: whatever is switched on, frames keep their invariants
//! (Def. 4.2.2), and the evidence is checked. They decide how many questions are asked and which lemmas come
//! out.

use std::fmt;
use std::str::FromStr;

/// A technique of the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Technique {
    /// Literals that relative inductiveness does not need are dropped (thesis 4.3). Without it a cube is
    /// blocked as it is.
    Dropping,
    /// Frames are *false* below a location's distance from the entry (thesis 5.1).
    PathLength,
    /// Literals that an edge's assumes imply are not asked about (thesis 5.4).
    Assumes,
    /// A lemma of the source that is a part of the precondition blocks a cube without a question (thesis
    /// 5.5).
    PredecessorCubes,
    /// What was blocked over an edge before is not asked again (thesis 5.3 and 5.6).
    Contexts,
    /// What could not be blocked is not asked again as long as the frame has not changed (thesis 5.7).
    MinimalGeneralisation,
    /// Obligations with few literals first (thesis 5.8).
    Ordering,
    /// Literals that cannot be dropped are weakened (thesis 5.10, and ICP-based IC3 §2.4.2).
    Weakening,
    /// Counterexamples to generalisation are blocked themselves (thesis 5.11).
    CounterexamplesToGeneralisation,
    /// Obligations are lifted: literals that the step to the next obligation does not need are dropped.
    Lifting,
    /// Literals that have grown too large are replaced by literals on variables that the model suggests.
    WordLiterals,
    /// A blocked obligation is asked again one level up, until it reaches the frontier.
    Requeue,
    /// A new lemma is pushed as far as it goes at once.
    PushAtOnce,
    /// Formulas guessed from the first states are kept where they are inductive together.
    Candidates,
    /// Bounds that an interval analysis finds are kept where they are inductive together.
    Intervals,
    /// Inputs are projected out of preimages by terms that the model suggests, instead of taking its values.
    Projection,
    /// Variables that only ever take a few constants are re-encoded in a few bits.
    FewValues,
    /// Edges are generalised over one by one, and what one needs is kept for the others (thesis 5.9).
    Necessary,
    /// What is left after dropping literals is interpolated (thesis 5.10).
    Interpolation,
    /// Counterexamples to generalisation are blocked with their predecessors (EXCTG).
    ExtendedCtg,
    /// The more often an obligation was blocked, the more is done about counterexamples to generalisation
    /// (DynAMic).
    DynamicEffort,
    /// Literals of lemmas that were pushed are dropped last (i-good lemmas).
    GoodLiterals,
    /// A lemma that failed to be pushed, and one literal against the state it failed by, are tried before
    /// dropping literals.
    Prediction,
    /// Lemmas that are inductive together are lifted to all levels.
    Infinity,
    /// Lemmas that others of the same or a higher level subsume are dropped after pushing.
    Subsumption,
    /// Series of lemmas that differ in one constant lead to one lemma for all (global guidance: subsume,
    /// conjecture, concretise).
    Guidance,
    /// Obligations are abstracted to predicates of their location, refined from infeasible paths (IC3IA,
    /// CTIGAR).
    Predicates,
    /// Sums of two inequalities of a cube are tried in their place.
    Sums,
}

impl Technique {
    /// All of them.
    pub const ALL: [Technique; 28] = [
        Technique::Dropping,
        Technique::PathLength,
        Technique::Assumes,
        Technique::PredecessorCubes,
        Technique::Contexts,
        Technique::MinimalGeneralisation,
        Technique::Ordering,
        Technique::Weakening,
        Technique::CounterexamplesToGeneralisation,
        Technique::Lifting,
        Technique::WordLiterals,
        Technique::Requeue,
        Technique::PushAtOnce,
        Technique::Candidates,
        Technique::Intervals,
        Technique::Projection,
        Technique::FewValues,
        Technique::Necessary,
        Technique::Interpolation,
        Technique::ExtendedCtg,
        Technique::DynamicEffort,
        Technique::GoodLiterals,
        Technique::Prediction,
        Technique::Infinity,
        Technique::Subsumption,
        Technique::Guidance,
        Technique::Predicates,
        Technique::Sums,
    ];

    /// The name that users give.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.names()[0]
    }

    /// The name, and the names of the counters of uses and savings.
    pub(crate) fn names(self) -> [&'static str; 3] {
        macro_rules! names {
            ($name:literal) => {
                [$name, concat!($name, ": applied"), concat!($name, ": saved")]
            };
        }
        match self {
            Technique::Dropping => names!("dropping"),
            Technique::PathLength => names!("path-length"),
            Technique::Assumes => names!("assumes"),
            Technique::PredecessorCubes => names!("predecessor-cubes"),
            Technique::Contexts => names!("contexts"),
            Technique::MinimalGeneralisation => names!("minimal-generalisation"),
            Technique::Ordering => names!("ordering"),
            Technique::Weakening => names!("weakening"),
            Technique::CounterexamplesToGeneralisation => names!("ctg"),
            Technique::Lifting => names!("lifting"),
            Technique::WordLiterals => names!("word-literals"),
            Technique::Requeue => names!("requeue"),
            Technique::PushAtOnce => names!("push-at-once"),
            Technique::Candidates => names!("candidates"),
            Technique::Intervals => names!("intervals"),
            Technique::Projection => names!("projection"),
            Technique::FewValues => names!("few-values"),
            Technique::Necessary => names!("necessary"),
            Technique::Interpolation => names!("interpolation"),
            Technique::ExtendedCtg => names!("exctg"),
            Technique::DynamicEffort => names!("dynamic-ctg"),
            Technique::GoodLiterals => names!("good-literals"),
            Technique::Prediction => names!("prediction"),
            Technique::Infinity => names!("infinity"),
            Technique::Subsumption => names!("subsumption"),
            Technique::Guidance => names!("guidance"),
            Technique::Predicates => names!("predicates"),
            Technique::Sums => names!("sums"),
        }
    }
}

impl fmt::Display for Technique {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Technique {
    type Err = String;
    fn from_str(name: &str) -> Result<Self, String> {
        let found = Technique::ALL.into_iter().find(|technique| technique.name() == name);
        found.ok_or_else(|| {
            let names: Vec<&str> = Technique::ALL.iter().map(|technique| technique.name()).collect();
            format!("there is no technique `{name}`; choose from {}", names.join(", "))
        })
    }
}

/// A set of techniques.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Techniques(u32);

impl Techniques {
    /// None at all: the algorithm of the paper without any generalisation.
    #[must_use]
    pub fn none() -> Self {
        Techniques(0)
    }

    /// All of them.
    #[must_use]
    pub fn all() -> Self {
        Technique::ALL.into_iter().fold(Self::none(), Self::with)
    }

    /// The set of which bit `i` says whether the `i`-th of [`Technique::ALL`] is in it.
    #[must_use]
    pub fn from_bits(bits: u32) -> Self {
        Techniques(bits & Self::all().0)
    }

    /// With one more.
    #[must_use]
    pub fn with(self, technique: Technique) -> Self {
        Techniques(self.0 | 1 << technique as u32)
    }

    /// With one less.
    #[must_use]
    pub fn without(self, technique: Technique) -> Self {
        Techniques(self.0 & !(1 << technique as u32))
    }

    /// Whether one is in it.
    #[must_use]
    pub fn contains(self, technique: Technique) -> bool {
        self.0 & 1 << technique as u32 != 0
    }
}

impl Default for Techniques {
    /// What the benchmark says pays.
    fn default() -> Self {
        let off = [
            Technique::Ordering,
            Technique::CounterexamplesToGeneralisation,
            Technique::Necessary,
            Technique::Interpolation,
            Technique::ExtendedCtg,
            Technique::DynamicEffort,
            Technique::GoodLiterals,
            Technique::Prediction,
            Technique::Infinity,
            Technique::Subsumption,
            Technique::Guidance,
            Technique::Predicates,
        ];
        off.into_iter().fold(Self::all(), Self::without)
    }
}

/// As it can be read again.
impl fmt::Display for Techniques {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("none")?;
        let mut on = Technique::ALL.into_iter().filter(|&technique| self.contains(technique));
        on.try_for_each(|technique| write!(f, ",+{technique}"))
    }
}

impl FromStr for Techniques {
    type Err = String;
    /// A list of names, separated by commas: `+name` or `name` adds to the default, `-name` takes away; `all`
    /// and `none` stand for themselves.
    fn from_str(list: &str) -> Result<Self, String> {
        let mut set = Techniques::default();
        for name in list.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            set = match (name, name.strip_prefix('-')) {
                ("all", _) => Techniques::all(),
                ("none", _) => Techniques::none(),
                (_, Some(name)) => set.without(name.parse()?),
                (_, None) => set.with(name.strip_prefix('+').unwrap_or(name).parse()?),
            };
        }
        Ok(set)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for technique in Technique::ALL {
            assert_eq!(technique.name().parse(), Ok(technique));
            assert_eq!(Technique::ALL[technique as usize], technique);
        }
        assert!("magic".parse::<Technique>().is_err());
    }

    #[test]
    fn lists_add_and_take_away() {
        let set: Techniques = "none,+weakening, requeue".parse().expect("these names exist");
        assert!(set.contains(Technique::Weakening) && set.contains(Technique::Requeue));
        assert_eq!(set, Techniques::none().with(Technique::Weakening).with(Technique::Requeue));
        let set: Techniques = "all,-weakening".parse().expect("these names exist");
        assert_eq!(set, Techniques::all().without(Technique::Weakening));
    }
}
