//! Configurations by the names of table 1 of the paper: `ind0+abort+ig+ctg+lf`.

use std::fmt;
use std::str::FromStr;

/// When literals are dropped, besides by rotation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dropping {
    /// Never.
    #[default]
    Never,
    /// At every propagation, in GeNTR, and in ungeneralisation (`+ld`, §2.4.4).
    Always,
    /// Once the cube is as high as it goes (`+ld-once`, §3.4), the clause unchanged.
    Once,
    /// The same with inductive generalisation: from cube and clause (`+ig`, §3.1).
    Inductive,
}

/// What of the paper is used. Literal rotation, bound generalisation and GeNTR always are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Configuration {
    /// How many steps before the last one bad states are looked for, at first (`ind`, §2.4.6).
    pub suffix: u32,
    /// Whether it is begun anew with a longer suffix where states are enumerated (`+abort`, §2.4.6).
    pub abort: bool,
    /// When literals are dropped.
    pub dropping: Dropping,
    /// Whether cubes are joined with what keeps them from being blocked (`+j`, §3.1.2).
    pub join: bool,
    /// Whether counterexamples to generalisation are blocked (`+ctg`, §3.2).
    pub ctg: bool,
    /// Whether these are generalised by lifting instead of GeNTR (`+lf`, §3.2).
    pub lift: bool,
    /// Whether obligations are, too (`+lift`). Not in the paper, whose relations are no functions; edges with
    /// all their inputs are.
    pub lift_obligations: bool,
}

impl FromStr for Configuration {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut words = text.split(['+', ' ']).filter(|word| !word.is_empty());
        let first = words.next().unwrap_or_default();
        let suffix = first.strip_prefix("ind").and_then(|number| number.parse().ok());
        let Some(suffix) = suffix.filter(|&suffix| suffix <= 64) else {
            return Err(format!("a configuration begins with `ind0` or `ind2`, not `{first}`"));
        };
        let mut configuration = Configuration { suffix, ..Configuration::default() };
        for word in words {
            match word {
                "abort" => configuration.abort = true,
                "ld" => configuration.dropping = Dropping::Always,
                "ld-once" => configuration.dropping = Dropping::Once,
                "ig" => configuration.dropping = Dropping::Inductive,
                "j" => configuration.join = true,
                "ctg" => configuration.ctg = true,
                "lf" => configuration.lift = true,
                "lift" => configuration.lift_obligations = true,
                _ => return Err(format!("there is no `{word}` in a configuration")),
            }
        }
        if (configuration.join || configuration.ctg) && configuration.dropping != Dropping::Inductive {
            return Err("`j` and `ctg` are about inductive generalisation: they need `ig`".to_owned());
        }
        if configuration.lift && !(configuration.join || configuration.ctg) {
            return Err("`lf` is about counterexamples to generalisation: it needs `j` or `ctg`".to_owned());
        }
        Ok(configuration)
    }
}

impl fmt::Display for Configuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ind{}", self.suffix)?;
        let dropping = match self.dropping {
            Dropping::Never => "",
            Dropping::Always => "+ld",
            Dropping::Once => "+ld-once",
            Dropping::Inductive => "+ig",
        };
        for (set, word) in [
            (self.abort, "+abort"),
            (true, dropping),
            (self.ctg, "+ctg"),
            (self.join, "+j"),
            (self.lift, "+lf"),
            (self.lift_obligations, "+lift"),
        ] {
            f.write_str(if set { word } else { "" })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_table_1() {
        for name in ["ind0", "ind0+ld", "ind0+ld-once", "ind0+abort+ig+ctg+j+lf", "ind2+abort"] {
            assert_eq!(name.parse::<Configuration>().expect("a name of the table").to_string(), name);
        }
        let spaced: Configuration = "ind0 +ig +ctg".parse().expect("as it is printed there");
        assert_eq!(spaced.to_string(), "ind0+ig+ctg");
        for wrong in ["", "ig", "ind", "ind0+ld+j", "ind0+ctg", "ind0+lf", "ind2+x"] {
            assert!(wrong.parse::<Configuration>().is_err(), "{wrong}");
        }
    }
}
