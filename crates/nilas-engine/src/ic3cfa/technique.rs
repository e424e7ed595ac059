//! The techniques that can be switched on and off, each with its place in the literature.
//!
//! None of them decides whether a verdict is right: whatever is switched on, frames keep their invariants
//! (Def. 4.2.2), and the evidence is checked. They decide how many questions are asked and which lemmas come
//! out.

use std::fmt;
use std::str::FromStr;

/// Declares the techniques: variant, name for users, whether the benchmark says that it pays, a sentence. The
/// documentation has its table from here.
macro_rules! techniques {
    ($($variant:ident, $name:literal, $default:ident, $help:literal;)*) => {
        /// A technique of the engine.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Technique {
            $(#[doc = $help] $variant,)*
        }

        impl Technique {
            /// All of them.
            pub const ALL: [Technique; [$($name),*].len()] = [$(Technique::$variant),*];

            /// The name, and the names of the counters of uses and savings.
            pub(crate) fn names(self) -> [&'static str; 3] {
                match self {
                    $(Technique::$variant => [$name, concat!($name, ": applied"), concat!($name, ": saved")],)*
                }
            }

            /// What it does, in a sentence.
            #[must_use]
            pub fn help(self) -> &'static str {
                match self {
                    $(Technique::$variant => $help,)*
                }
            }

            /// Whether it is on by default.
            fn pays(self) -> bool {
                match self {
                    $(Technique::$variant => techniques!(@$default),)*
                }
            }
        }
    };
    (@on) => { true };
    (@off) => { false };
}

techniques! {
    Dropping, "dropping", on,
        "Literals that relative inductiveness does not need are dropped (thesis 4.3). Without it a cube is \
        blocked as it is.";
    PathLength, "path-length", on,
        "Frames are *false* below a location's distance from the entry (thesis 5.1).";
    Assumes, "assumes", on, "Literals that an edge's assumes imply are not asked about (thesis 5.4).";
    PredecessorCubes, "predecessor-cubes", on,
        "A lemma of the source that is a part of the precondition blocks a cube without a question (thesis \
        5.5).";
    Contexts, "contexts", on, "What was blocked over an edge before is not asked again (thesis 5.3 and 5.6).";
    MinimalGeneralisation, "minimal-generalisation", on,
        "What could not be blocked is not asked again as long as the frame has not changed (thesis 5.7).";
    Ordering, "ordering", off, "Obligations with few literals first (thesis 5.8).";
    Weakening, "weakening", on,
        "Literals that cannot be dropped are weakened (thesis 5.10, and ICP-based IC3 §2.4.2).";
    CounterexamplesToGeneralisation, "ctg", off,
        "Counterexamples to generalisation are blocked themselves (thesis 5.11).";
    Lifting, "lifting", on,
        "Obligations are lifted: literals that the step to the next obligation does not need are dropped.";
    WordLiterals, "word-literals", on,
        "Literals that have grown too large are replaced by literals on variables that the model suggests.";
    Requeue, "requeue", on,
        "A blocked obligation is asked again one level up, until it reaches the frontier.";
    PushAtOnce, "push-at-once", on, "A new lemma is pushed as far as it goes at once.";
    Candidates, "candidates", on,
        "Formulas guessed from the first states are kept where they are inductive together.";
    Intervals, "intervals", on,
        "Bounds that an interval analysis finds are kept where they are inductive together.";
    Projection, "projection", on,
        "Inputs are projected out of preimages by terms that the model suggests, instead of taking its \
        values.";
    FewValues, "few-values", on,
        "Variables that only ever take a few constants are re-encoded in a few bits.";
    Necessary, "necessary", off,
        "Edges are generalised over one by one, and what one needs is kept for the others (thesis 5.9).";
    Interpolation, "interpolation", off,
        "What is left after dropping literals is interpolated (thesis 5.10).";
    ExtendedCtg, "exctg", off,
        "Counterexamples to generalisation are blocked with their predecessors (EXCTG).";
    DynamicEffort, "dynamic-ctg", off,
        "The more often an obligation was blocked, the more is done about counterexamples to generalisation \
        (DynAMic).";
    GoodLiterals, "good-literals", off,
        "Literals of lemmas that were pushed are dropped last (i-good lemmas).";
    Prediction, "prediction", off,
        "A lemma that failed to be pushed, and one literal against the state it failed by, are tried before \
        dropping literals.";
    Infinity, "infinity", off, "Lemmas that are inductive together are lifted to all levels.";
    Subsumption, "subsumption", off,
        "Lemmas that others of the same or a higher level subsume are dropped after pushing.";
    Guidance, "guidance", off,
        "Series of lemmas that differ in one constant lead to one lemma for all (global guidance: subsume, \
        conjecture, concretise).";
    Sums, "sums", on, "Sums of two inequalities of a cube are tried in their place.";
}

impl Technique {
    /// The name that users give.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.names()[0]
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
        let on = Technique::ALL.into_iter().filter(|technique| technique.pays());
        on.fold(Self::none(), Self::with)
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
