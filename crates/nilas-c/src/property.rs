//! What can be asked about a program, by name.
//!
//! A [`Property`] says what must not happen anywhere in an execution. A set of them ([`Properties`]) makes a
//! question: each place of the program where one of them could be violated has an answer of its own. Where a
//! property that is not asked about is violated, an execution goes on or stops as if nobody had asked.

use std::fmt;
use std::str::FromStr;

macro_rules! properties {
    ($($(#[$doc:meta])* $variant:ident = $name:literal, $violated:literal;)*) => {
        /// What must not happen.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Property { $($(#[$doc])* $variant,)* }

        impl Property {
            /// All of them.
            pub const ALL: &'static [Property] = &[$(Property::$variant,)*];

            /// Its name on the command line and in JSON.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Property::$variant => $name,)* }
            }

            /// What happened where it is violated, as a headline says it.
            #[must_use]
            pub fn violated(self) -> &'static str {
                match self { $(Property::$variant => $violated,)* }
            }
        }
    };
}

properties! {
    /// Assertions hold, and `reach_error` and kin are never called.
    Assert = "assert", "assertion failed";
    /// `__builtin_unreachable()` is never reached.
    Unreachable = "unreachable", "`__builtin_unreachable` reached";
    /// Accesses stay in their object, and indices in their array.
    Bounds = "bounds", "access out of bounds";
    /// Nothing is accessed or called through a null pointer.
    Null = "null", "null pointer dereferenced";
    /// Memory that was freed and objects whose lifetime has ended are not accessed.
    UseAfterFree = "use-after-free", "access of memory that is gone";
    /// Memory is freed once.
    DoubleFree = "double-free", "memory freed twice";
    /// Only what was allocated is freed.
    BadFree = "bad-free", "free of what was not allocated";
    /// When the program ends, all memory that it allocated is freed.
    Leak = "leak", "memory never freed";
    /// No value is read that nothing was stored to.
    Uninitialised = "uninitialised", "uninitialised value read";
    /// No division by zero.
    Division = "division", "division by zero";
    /// Shifts are by less than the width, and what is shifted left is not negative and stays in its type.
    Shift = "shift", "invalid shift";
    /// Results of signed arithmetic fit into their type.
    SignedOverflow = "signed-overflow", "signed overflow";
    /// Integers that are converted to a signed type fit into it. C leaves the result to the compiler, so this
    /// is no undefined behaviour.
    SignedConversion = "signed-conversion", "value changed by a conversion to a signed type";
    /// Results of unsigned arithmetic do not wrap around. No undefined behaviour.
    UnsignedOverflow = "unsigned-overflow", "unsigned overflow";
    /// Floats that are converted to an integer fit into its type.
    FloatToInt = "float-to-int", "float out of the range of an integer type";
    /// Arithmetic on numbers gives numbers. No undefined behaviour.
    FloatNan = "float-nan", "result is not a number";
    /// A function whose value is used returns one.
    MissingReturn = "missing-return", "value of a function that returned none";
    /// String literals are not written.
    StringLiteralWrite = "string-literal-write", "write to a string literal";
    /// Other undefined behaviour: unsequenced accesses, lengths of arrays, writes to constants, …
    OtherUndefined = "other-undefined", "undefined behaviour";
}

impl Property {
    /// Whether C gives a violation a meaning: then executions go on behind it.
    #[must_use]
    pub fn is_defined(self) -> bool {
        use Property as P;
        matches!(self, P::SignedConversion | P::UnsignedOverflow | P::FloatNan)
    }

    fn bit(self) -> u32 {
        1 << self as u32
    }
}

/// Names for several properties.
const GROUPS: &[(&str, &[Property])] = &[
    (
        "memory",
        &[
            Property::Bounds,
            Property::Null,
            Property::UseAfterFree,
            Property::DoubleFree,
            Property::BadFree,
            Property::StringLiteralWrite,
        ],
    ),
    (
        "undefined",
        &[
            Property::Unreachable,
            Property::Bounds,
            Property::Null,
            Property::UseAfterFree,
            Property::DoubleFree,
            Property::BadFree,
            Property::Division,
            Property::Shift,
            Property::SignedOverflow,
            Property::FloatToInt,
            Property::MissingReturn,
            Property::StringLiteralWrite,
            Property::OtherUndefined,
        ],
    ),
    // The name of a property means the conversions, too.
    ("signed-overflow", &[Property::SignedOverflow, Property::SignedConversion]),
];

/// A set of properties.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Properties(u32);

impl Properties {
    /// None.
    pub const NONE: Properties = Properties(0);

    /// What is asked if nothing else is said: assertions.
    pub const ASSERT: Properties = Properties(1 << Property::Assert as u32);

    /// A group by its name.
    #[must_use]
    pub fn group(name: &str) -> Option<Properties> {
        GROUPS.iter().find(|(group, _)| *group == name).map(|(_, all)| all.iter().copied().collect())
    }

    /// Assertions and all undefined behaviour.
    #[must_use]
    pub fn undefined() -> Properties {
        Properties::group("undefined").unwrap_or_default().union(Properties::ASSERT)
    }

    /// The set that is printed as this list: each name means one property.
    #[must_use]
    pub fn of_names(list: &str) -> Option<Properties> {
        let property = |name: &str| Property::ALL.iter().copied().find(|it| it.name() == name);
        list.split(',').map(property).collect()
    }

    /// Whether a property is in the set.
    #[must_use]
    pub fn contains(self, property: Property) -> bool {
        self.0 & property.bit() != 0
    }

    /// Whether all of another set are in this one.
    #[must_use]
    pub fn covers(self, other: Properties) -> bool {
        other.0 & !self.0 == 0
    }

    /// Whether it has nothing but assertions.
    #[must_use]
    pub fn is_plain(self) -> bool {
        Properties::ASSERT.covers(self)
    }

    /// Both sets.
    #[must_use]
    pub fn union(self, other: Properties) -> Properties {
        Properties(self.0 | other.0)
    }

    /// Its properties.
    pub fn iter(self) -> impl Iterator<Item = Property> {
        Property::ALL.iter().copied().filter(move |&property| self.contains(property))
    }
}

impl FromIterator<Property> for Properties {
    fn from_iter<T: IntoIterator<Item = Property>>(all: T) -> Properties {
        Properties(all.into_iter().fold(0, |set, property| set | property.bit()))
    }
}

/// The names, with commas between them.
impl fmt::Display for Properties {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, property) in self.iter().enumerate() {
            write!(f, "{}{}", if number == 0 { "" } else { "," }, property.name())?;
        }
        Ok(())
    }
}

impl fmt::Debug for Properties {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Properties({self})")
    }
}

/// Reads a list of names as users write it: of properties and groups, with commas between them.
impl FromStr for Properties {
    type Err = String;

    fn from_str(list: &str) -> Result<Properties, String> {
        let mut all = Properties::NONE;
        for name in list.split(',').map(str::trim) {
            let property = || Property::ALL.iter().find(|it| it.name() == name).map(|&it| [it].into_iter());
            let found = Properties::group(name).or_else(|| property().map(Iterator::collect));
            all = all.union(found.ok_or_else(|| unknown(name))?);
        }
        Ok(all)
    }
}

fn unknown(name: &str) -> String {
    let names: Vec<&str> = Property::ALL.iter().map(|property| property.name()).collect();
    format!("no property `{name}`; there are {}, and the groups `memory` and `undefined`", names.join(", "))
}

/// What a step of the program claims: that this property is not violated, in these words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Claim {
    pub(crate) property: Property,
    pub(crate) what: &'static str,
    /// Its violation only leads to one elsewhere, see [`crate::Check::auxiliary`].
    pub(crate) auxiliary: bool,
}

impl Claim {
    pub(crate) const fn new(property: Property, what: &'static str) -> Claim {
        Claim { property, what, auxiliary: false }
    }

    /// One whose violation only leads to one of the property elsewhere.
    pub(crate) const fn auxiliary(property: Property, what: &'static str) -> Claim {
        Claim { property, what, auxiliary: true }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_and_printed() {
        let set: Properties = "bounds, leak".parse().unwrap();
        assert_eq!(set.to_string(), "bounds,leak");
        assert!(set.contains(Property::Leak) && !set.contains(Property::Null));
        assert_eq!(
            "signed-overflow".parse::<Properties>().unwrap().to_string(),
            "signed-overflow,signed-conversion"
        );
        // What is not undefined in C is not in the group.
        let undefined: Properties = "undefined".parse().unwrap();
        let not =
            [Property::SignedConversion, Property::UnsignedOverflow, Property::FloatNan, Property::Leak];
        for property in not {
            assert!(!undefined.contains(property), "{property:?}");
        }
        assert!(undefined.covers("memory".parse().unwrap()));
        let printed = undefined.to_string();
        assert_eq!(Properties::of_names(&printed), Some(undefined), "{printed}");
        assert!("bound".parse::<Properties>().unwrap_err().contains("no property `bound`"));
    }
}
