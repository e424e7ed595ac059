//! What formulas need, and what a solver therefore has to be able to do.

use nilas_term::{Arena, Op, Sort, SymbolId, Term, Value};
use rustc_hash::FxHashSet;
use std::fmt;
use std::sync::Arc;

/// A set of features of formulas. Booleans are no feature: everybody has them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Features(u16);

macro_rules! features {
    ($($(#[$doc:meta])* $name:ident = $bit:literal, $word:literal;)*) => {
        impl Features {
            $($(#[$doc])* pub const $name: Features = Features(1 << $bit);)*
            const WORDS: &[(Features, &str)] = &[$((Features::$name, $word)),*];
        }
    };
}

features! {
    /// Bit-vectors.
    BIT_VECTORS = 0, "bit-vectors";
    /// Arrays.
    ARRAYS = 1, "arrays";
    /// Arrays that hold one value everywhere.
    CONSTANT_ARRAYS = 2, "constant arrays";
    /// Uninterpreted functions.
    FUNCTIONS = 3, "functions";
    /// Uninterpreted sorts.
    SORTS = 4, "sorts";
    /// IEEE floats.
    FLOATS = 5, "floats";
    /// Integers.
    INTEGERS = 6, "integers";
    /// Real numbers.
    REALS = 7, "reals";
    /// Products of variable numbers.
    NONLINEAR = 8, "nonlinear arithmetic";
    /// Numbers together with bit-vectors or floats.
    MIXED = 9, "numbers mixed with bit-vectors or floats";
}

impl Features {
    /// No feature.
    pub const NONE: Features = Features(0);

    /// Both sets together. Numbers and bits together are one more feature.
    #[must_use]
    pub fn union(self, other: Features) -> Features {
        let both = Features(self.0 | other.0);
        let numbers = both.any(Features(Self::INTEGERS.0 | Self::REALS.0));
        let bits = both.any(Features(Self::BIT_VECTORS.0 | Self::FLOATS.0));
        if numbers && bits { Features(both.0 | Self::MIXED.0) } else { both }
    }

    /// Whether all of `other` is in it.
    #[must_use]
    pub fn contains(self, other: Features) -> bool {
        other.0 & !self.0 == 0
    }

    fn any(self, other: Features) -> bool {
        self.0 & other.0 != 0
    }

    /// What is in it but not in `other`.
    #[must_use]
    pub fn without(self, other: Features) -> Features {
        Features(self.0 & !other.0)
    }

    /// The features in words, in a fixed order.
    #[must_use]
    pub fn words(self) -> Vec<&'static str> {
        Self::WORDS.iter().filter(|(feature, _)| self.contains(*feature)).map(|(_, word)| *word).collect()
    }

    /// The least SMT-LIB logic that has it all; bit-vectors come with all logics but those of numbers, so
    /// that a solver need not be restarted when the first one turns up.
    #[must_use]
    pub fn logic(self) -> String {
        // Constant arrays are in none of the logics of arrays, and Z3 4.8 minds.
        if self.any(Features(Self::MIXED.0 | Self::CONSTANT_ARRAYS.0)) {
            return "ALL".to_owned();
        }
        let mut logic = "QF_".to_owned();
        let mut add = |when: bool, letters: &str| {
            if when {
                logic.push_str(letters);
            }
        };
        let (integers, reals) = (self.contains(Self::INTEGERS), self.contains(Self::REALS));
        add(self.contains(Self::ARRAYS), "A");
        add(self.any(Features(Self::FUNCTIONS.0 | Self::SORTS.0)), "UF");
        add(!integers && !reals, "BV");
        add(self.contains(Self::FLOATS), "FP");
        add(integers || reals, if self.contains(Self::NONLINEAR) { "N" } else { "L" });
        add(integers, "I");
        add(reals, "R");
        add(integers || reals, "A");
        logic
    }

    fn of_sort(self, sort: &Sort, sorts: &mut Vec<Arc<str>>) -> Features {
        let feature = match sort {
            Sort::Bool => Features::NONE,
            Sort::BitVec(_) => Self::BIT_VECTORS,
            Sort::Float(..) | Sort::RoundingMode => Self::FLOATS,
            Sort::Int => Self::INTEGERS,
            Sort::Real => Self::REALS,
            Sort::Uninterpreted(name) => {
                if !sorts.contains(name) {
                    sorts.push(Arc::clone(name));
                }
                Self::SORTS
            }
            // Sorts nest as deep as somebody wrote them: a handful.
            Sort::Array(array) => Self::ARRAYS.of_sort(&array.index, sorts).of_sort(&array.element, sorts),
        };
        self.union(feature)
    }
}

impl fmt::Display for Features {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words().join(", "))
    }
}

/// What a term is made of.
#[derive(Clone, Debug, Default)]
pub(crate) struct Survey {
    /// What it needs.
    pub(crate) features: Features,
    /// Its symbols, those met first first.
    pub(crate) symbols: Vec<SymbolId>,
    /// Its uninterpreted sorts, likewise.
    pub(crate) sorts: Vec<Arc<str>>,
    /// What no solver reads.
    pub(crate) obstacle: Option<&'static str>,
}

impl Survey {
    /// Looks at what of `term` is not in `seen`, and puts it there.
    pub(crate) fn add(&mut self, arena: &Arena, term: Term, seen: &mut FxHashSet<Term>) {
        let mut stack = vec![term];
        while let Some(term) = stack.pop() {
            if !seen.insert(term) {
                continue;
            }
            self.features = self.features.of_sort(arena.sort(term), &mut self.sorts);
            self.node(arena, term);
            stack.extend(arena.children(term).iter().filter(|child| !seen.contains(child)));
        }
    }

    /// The survey of one term on its own.
    pub(crate) fn of(arena: &Arena, term: Term) -> Self {
        let mut survey = Survey::default();
        survey.add(arena, term, &mut FxHashSet::default());
        survey
    }

    fn node(&mut self, arena: &Arena, term: Term) {
        let children = arena.children(term);
        let variable = |child: &&Term| arena.as_value(**child).is_none();
        let mut need = |feature: Features| self.features = self.features.union(feature);
        match arena.op(term) {
            Op::Apply(symbol) => {
                need(Features::FUNCTIONS);
                let signature = arena.signature(symbol);
                for sort in &signature.arguments {
                    self.features = self.features.of_sort(sort, &mut self.sorts);
                }
                self.symbols.push(symbol);
            }
            Op::Var(symbol) => self.symbols.push(symbol),
            Op::Const(value) => match arena.value(value) {
                Value::Array(_) => need(Features::CONSTANT_ARRAYS),
                Value::Uninterpreted(..) => {
                    self.obstacle = Some("constants of uninterpreted sorts have no SMT-LIB text");
                }
                _ => {}
            },
            Op::ConstArray(_) => need(Features::CONSTANT_ARRAYS),
            Op::Mul if children.iter().filter(variable).count() > 1 => need(Features::NONLINEAR),
            Op::IntDiv | Op::IntMod | Op::RealDiv
                if children.iter().skip(1).any(|child| variable(&child)) =>
            {
                need(Features::NONLINEAR);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn logics_are_named_as_in_smt_lib() {
        let logic = |features: &[Features]| features.iter().fold(Features::NONE, |a, b| a.union(*b)).logic();
        assert_eq!(logic(&[]), "QF_BV");
        assert_eq!(logic(&[Features::ARRAYS, Features::FUNCTIONS]), "QF_AUFBV");
        assert_eq!(logic(&[Features::ARRAYS, Features::FLOATS]), "QF_ABVFP");
        assert_eq!(logic(&[Features::ARRAYS, Features::CONSTANT_ARRAYS]), "ALL");
        assert_eq!(logic(&[Features::INTEGERS]), "QF_LIA");
        assert_eq!(logic(&[Features::SORTS, Features::INTEGERS, Features::NONLINEAR]), "QF_UFNIA");
        assert_eq!(logic(&[Features::INTEGERS, Features::REALS]), "QF_LIRA");
        assert_eq!(logic(&[Features::INTEGERS, Features::BIT_VECTORS]), "ALL");
    }

    #[test]
    fn surveys_find_what_is_inside() {
        let mut arena = Arena::new();
        let sort = Sort::array(Sort::Int, Sort::Uninterpreted("Node".into()));
        let array = arena.variable("a", &sort).unwrap();
        let index = arena.variable("i", &Sort::Int).unwrap();
        let square = arena.mk(Op::Mul, &[index, index]);
        let element = arena.select(array, square);
        let survey = Survey::of(&arena, element);
        assert_eq!(survey.features.words(), ["arrays", "sorts", "integers", "nonlinear arithmetic"]);
        assert_eq!(survey.sorts, [Arc::from("Node")]);
        assert_eq!(survey.symbols.len(), 2);
    }
}
