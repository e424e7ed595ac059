//! A short name for an automaton, so that evidence can say which one it is about.
//!
//! It is FNV-1a with 128 bits over the automaton's canonical text: what `nilas show` prints, without comments
//! and without the line `cfa NAME`. It depends on nothing but that text: not on the machine, the compiler or
//! the run. It guards against mistakes (evidence of another program), not against malice, and need not:
//! evidence is checked against the automaton itself, whatever its fingerprint says.

use nilas_program::{Program, Targets, print_program, print_targets};
use std::fmt;

/// The name of the algorithm in evidence files.
pub(crate) const ALGORITHM: &str = "fnv1a-128";

/// See the module's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint(u128);

impl Fingerprint {
    /// The fingerprint of a program as lowered.
    #[must_use]
    pub fn of(program: &Program) -> Self {
        Self::of_text(&print_program(program))
    }

    /// The fingerprint of a program with several targets.
    #[must_use]
    pub fn of_targets(targets: &Targets) -> Self {
        Self::of_text(&print_targets(targets))
    }

    fn of_text(text: &str) -> Self {
        let unnamed = match text.split_once('\n') {
            Some((first, rest)) if first.starts_with("cfa ") => rest,
            _ => text,
        };
        Fingerprint(fnv1a_128(unnamed.trim_start_matches('\n').as_bytes()))
    }

    /// Reads 32 hexadecimal digits.
    pub(crate) fn parse(digits: &str) -> Option<Self> {
        let whole = digits.len() == 32 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        whole.then(|| u128::from_str_radix(digits, 16).ok().map(Fingerprint)).flatten()
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// FNV-1a (Fowler, Noll, Vo): for each byte, exclusive or, then a product modulo 2^128.
fn fnv1a_128(bytes: &[u8]) -> u128 {
    const OFFSET: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    bytes.iter().fold(OFFSET, |hash, &byte| (hash ^ u128::from(byte)).wrapping_mul(PRIME))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use nilas_program::parse_program;

    /// The values of the authors' test suite.
    #[test]
    fn fnv_of_known_texts() {
        assert_eq!(fnv1a_128(b""), 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d);
        assert_eq!(fnv1a_128(b"a"), 0xd228_cb69_6f1a_8caf_7891_2b70_4e4a_8964);
        assert_eq!(fnv1a_128(b"foobar"), 0x343e_1662_793c_64bf_6f0d_3597_ba44_6f18);
    }

    #[test]
    fn names_and_comments_do_not_count_and_all_else_does() {
        let text = "cfa one var x : bv8 entry a error e a -> b { x := 1 } b -> e { assume x == 2 }";
        let of = |text: &str| Fingerprint::of(&parse_program(text).unwrap());
        let same = of(text);
        assert_eq!(of(&text.replace("cfa one", "cfa two")), same);
        assert_eq!(of(&text.replace("cfa one", "")), same);
        assert_eq!(of(&text.replace("b ->", "/* here */ b ->")), same);
        assert_ne!(of(&text.replace("x := 1", "x := 2")), same);
        assert_ne!(of(&text.replace("b -> e", "a -> e")), same, "the shape");
        assert_ne!(of(&text.replace("bv8", "bv9")), same);
        assert_eq!(Fingerprint::parse(&same.to_string()), Some(same));
        assert_eq!(Fingerprint::parse("+0000000000000000000000000000001"), None);
        // It must be the same on every machine and in every version.
        assert_eq!(same.to_string(), "2bf3f84f5ec7fed60bda30883cf9c45e");
    }
}
