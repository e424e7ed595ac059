//! Random choices with a seed, with boundary values more often than others.

use super::{Choice, ChoiceKind, ChoiceType, Chooser, NoChoice};

/// Random inputs, uninitialised values and results of unknown functions. The same seed makes the same
/// choices.
#[derive(Clone, Debug)]
pub struct Seeded {
    state: u64,
    /// Whether orders of evaluation and failures of allocations are random, too.
    everything: bool,
}

impl Seeded {
    /// A chooser with this seed.
    #[must_use]
    pub fn new(seed: u64) -> Seeded {
        Seeded { state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d, everything: false }
    }

    /// A chooser that chooses orders of evaluation and failures of allocations, too.
    #[must_use]
    pub fn of_everything(seed: u64) -> Seeded {
        Seeded { everything: true, ..Seeded::new(seed) }
    }

    /// The next number (splitmix64).
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// One of `0..n`.
    pub(super) fn below(&mut self, n: u64) -> u64 {
        self.next() % n.max(1)
    }

    fn wide(&mut self) -> i128 {
        (i128::from(self.next()) << 64) | i128::from(self.next())
    }

    fn int(&mut self, bits: u32, signed: bool, range: Option<(i128, i128)>) -> i128 {
        let low = if signed { -(1_i128 << (bits.min(127) - 1)) } else { 0 };
        let high = if signed { -(low + 1) } else { (1_i128 << bits.min(126)) - 1 };
        let (low, high) = range.unwrap_or((low, high));
        let value = match self.below(8) {
            0 => 0,
            1 => [1, -1, low, high, low + 1, high - 1][usize::try_from(self.below(6)).unwrap_or(0)],
            2..=4 => i128::from(self.below(16)) - if signed { 4 } else { 0 },
            5 => {
                let power = 1_i128 << self.below(u64::from(bits.min(100)));
                power + i128::from(self.below(3)) - 1
            }
            6 => i128::from(self.below(1024)),
            _ => self.wide(),
        };
        if (low..=high).contains(&value) {
            value
        } else {
            let count = high.wrapping_sub(low).wrapping_add(1);
            if count <= 0 { value } else { low + value.rem_euclid(count) }
        }
    }

    fn float(&mut self, bits: u32) -> i128 {
        let (exponent, fraction) = match bits {
            16 => (5, 10),
            32 => (8, 23),
            64 => (11, 52),
            _ => return self.extended(bits),
        };
        let exponents = (1_u64 << exponent) - 1;
        let bias = exponents / 2;
        let sign = self.below(2) << (exponent + fraction);
        let parts = match self.below(6) {
            0 => 0,
            1 => bias << fraction,
            2 => (bias + self.below(8)) << fraction | (self.below(8) << (fraction - 3)),
            3 => [
                1,
                exponents << fraction,
                (exponents << fraction) - 1,
                exponents << fraction | 1 << (fraction - 1),
            ][usize::try_from(self.below(4)).unwrap_or(0)],
            _ => self.next() & ((1_u64 << (exponent + fraction)) - 1),
        };
        i128::from(sign | parts)
    }

    /// Wider floats: small whole numbers in the x87 and binary128 formats.
    fn extended(&mut self, bits: u32) -> i128 {
        let number = self.below(16);
        if number == 0 {
            return 0;
        }
        let log = number.ilog2();
        let exponent = i128::from(16383 + log);
        if bits == 80 {
            (exponent << 64) | (i128::from(number) << (63 - log))
        } else {
            let fraction = (i128::from(number) << (112 - log)) & ((1_i128 << 112) - 1);
            (exponent << 112) | fraction
        }
    }
}

impl Chooser for Seeded {
    fn choose(&mut self, choice: &Choice) -> Result<Option<i128>, NoChoice> {
        // Functions that nothing is known of often do what they usually do.
        let is_pointer = matches!(choice.ty, ChoiceType::Pointer { .. });
        if choice.kind == ChoiceKind::UnknownResult && !is_pointer && self.below(2) == 0 {
            return Ok(None);
        }
        Ok(Some(match choice.ty {
            ChoiceType::Option(options) => i128::from(self.below(u64::from(options))),
            ChoiceType::Int { bits, signed, range } => self.int(bits, signed, range),
            ChoiceType::Float { bits } => self.float(bits),
            // Null, or memory that the program did not make; more often that, since null mostly ends it all.
            ChoiceType::Pointer { bits } => match self.below(6) {
                0 => 0,
                _ => (1 << (bits - 1)) + 0x1_0000 * i128::from(self.below(256)) + 0x1000,
            },
        }))
    }

    fn asks(&self, kind: ChoiceKind) -> bool {
        match kind {
            ChoiceKind::Input
            | ChoiceKind::Uninitialised
            | ChoiceKind::UnknownResult
            | ChoiceKind::UnknownWrite
            | ChoiceKind::VolatileRead => true,
            ChoiceKind::AllocationFailure | ChoiceKind::EvaluationOrder => self.everything,
            ChoiceKind::AddressRelation | ChoiceKind::FloatBits => false,
        }
    }
}
