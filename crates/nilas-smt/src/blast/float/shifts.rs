//! Shifts that lose nothing: right with a sticky bit, left until the top bit is set.

use super::Gates;
use crate::budget::Interrupt;
use crate::sat::{Lit, SatSolver};

impl<S: SatSolver> Gates<S> {
    /// `bits` shifted right by a natural number, and whether a bit that was set has been shifted out.
    pub(super) fn shift_right_sticky(
        &mut self,
        bits: &[Lit],
        amount: &[Lit],
    ) -> Result<(Vec<Lit>, Lit), Interrupt> {
        let (width, no) = (bits.len(), !self.truth());
        let mut bits = bits.to_vec();
        let mut lost = Vec::new();
        let mut stage = 0;
        while stage < amount.len() && stage < usize::BITS as usize - 1 && 1 << stage < width {
            let (step, select) = (1usize << stage, amount[stage]);
            let dropped = self.or_all(&mut bits[..step].to_vec())?;
            lost.push(self.and(select, dropped)?);
            let mut next = Vec::with_capacity(width);
            for index in 0..width {
                next.push(self.mux(select, bits.get(index + step).copied().unwrap_or(no), bits[index])?);
            }
            bits = next;
            stage += 1;
        }
        // Steps as long as the whole.
        let beyond = self.or_all(&mut amount[stage..].to_vec())?;
        let any = self.or_all(&mut bits.clone())?;
        lost.push(self.and(beyond, any)?);
        for bit in &mut bits {
            *bit = self.and(*bit, !beyond)?;
        }
        Ok((bits, self.or_all(&mut lost)?))
    }

    /// `bits` shifted left until the top bit is set, and by how much, lowest bit first. All zeros stay so.
    pub(super) fn normalise(&mut self, bits: &[Lit]) -> Result<(Vec<Lit>, Vec<Lit>), Interrupt> {
        let (width, no) = (bits.len(), !self.truth());
        let stages = (usize::BITS - width.saturating_sub(1).leading_zeros()) as usize;
        let mut bits = bits.to_vec();
        let mut count = vec![no; stages];
        for stage in (0..stages).rev() {
            let step = 1usize << stage;
            let zeros = !self.or_all(&mut bits[width - step..].to_vec())?;
            count[stage] = zeros;
            let mut next = Vec::with_capacity(width);
            for index in 0..width {
                let moved = index.checked_sub(step).map_or(no, |from| bits[from]);
                next.push(self.mux(zeros, moved, bits[index])?);
            }
            bits = next;
        }
        Ok((bits, count))
    }
}
