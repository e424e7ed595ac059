//! Rounding modes: three bits, the number of the mode in the order of [`RoundingMode::ALL`]. Numbers 5 to 7
//! do not occur as values; as free bits of a variable they stand for 4, towards zero.

use super::Gates;
use crate::budget::Interrupt;
use crate::sat::{Lit, SatSolver};
use nilas_term::RoundingMode;

/// Bits of a rounding mode.
pub(super) const MODE_BITS: u32 = 3;

/// The bits of a mode, lowest first.
pub(super) fn mode_bits(mode: RoundingMode) -> [bool; 3] {
    let number = RoundingMode::ALL.iter().position(|&other| other == mode).unwrap_or_default();
    [0, 1, 2].map(|index| number >> index & 1 == 1)
}

/// The mode that free bits stand for.
pub(super) fn mode_of(bits: [bool; 3]) -> RoundingMode {
    let number = bits.iter().rev().fold(0, |number, &bit| number << 1 | usize::from(bit));
    RoundingMode::ALL[number.min(RoundingMode::ALL.len() - 1)]
}

/// A mode, decoded: at most one holds; none is towards zero.
pub(super) struct Mode {
    pub(super) nearest_even: Lit,
    pub(super) nearest_away: Lit,
    pub(super) up: Lit,
    pub(super) down: Lit,
}

impl<S: SatSolver> Gates<S> {
    pub(super) fn canonical_mode(&mut self, free: &[Lit]) -> Result<Vec<Lit>, Interrupt> {
        let high = free[2];
        Ok(vec![self.and(free[0], !high)?, self.and(free[1], !high)?, high])
    }

    pub(super) fn mode(&mut self, bits: &[Lit]) -> Result<Mode, Interrupt> {
        let &[low, middle, high] = bits else { unreachable!("a mode has three bits") };
        let mut case = |low: Lit, middle: Lit| self.and_all(&mut vec![low, middle, !high]);
        Ok(Mode {
            nearest_even: case(!low, !middle)?,
            nearest_away: case(low, !middle)?,
            up: case(!low, middle)?,
            down: case(low, middle)?,
        })
    }

    /// The mode towards zero: nothing is rounded away.
    pub(super) fn toward_zero(&self) -> Mode {
        let no = !self.truth();
        Mode { nearest_even: no, nearest_away: no, up: no, down: no }
    }

    /// Whether a magnitude is rounded away from zero, by the last bit kept, the bit below, and whether
    /// anything is below that.
    pub(super) fn increment(
        &mut self,
        mode: &Mode,
        sign: Lit,
        last: Lit,
        half: Lit,
        below: Lit,
    ) -> Result<Lit, Interrupt> {
        let more = self.or(last, below)?;
        let inexact = self.or(half, below)?;
        let cases = [
            self.and_all(&mut vec![mode.nearest_even, half, more])?,
            self.and(mode.nearest_away, half)?,
            self.and_all(&mut vec![mode.up, !sign, inexact])?,
            self.and_all(&mut vec![mode.down, sign, inexact])?,
        ];
        self.or_all(&mut cases.to_vec())
    }

    /// Whether what is too large becomes infinite, rather than the largest number.
    pub(super) fn overflow_is_infinite(&mut self, mode: &Mode, sign: Lit) -> Result<Lit, Interrupt> {
        let (up, down) = (self.and(mode.up, !sign)?, self.and(mode.down, sign)?);
        self.or_all(&mut vec![mode.nearest_even, mode.nearest_away, up, down])
    }
}
