//! Multiplication: shift and add.
//!
//! A constant operand is recoded in non-adjacent form (digits −1, 0, 1), which takes at most half as
//! many rows as it has bits: multiplication by 2ᵏ−1 is one subtraction.

use super::gates::Gates;
use crate::budget::Interrupt;
use crate::sat::{Lit, SatSolver};

impl<S: SatSolver> Gates<S> {
    /// `a * b`, as wide as each.
    pub(crate) fn multiply(&mut self, a: &[Lit], b: &[Lit]) -> Result<Vec<Lit>, Interrupt> {
        let constants = |bits: &[Lit]| bits.iter().filter(|&&bit| self.as_constant(bit).is_some()).count();
        // The operand with more constant bits selects the rows: a row of a constant costs nothing or is
        // given.
        let (selector, row) = if constants(a) >= constants(b) { (a, b) } else { (b, a) };
        let known: Option<Vec<bool>> = selector.iter().map(|&bit| self.as_constant(bit)).collect();
        match known {
            Some(constant) => self.multiply_by_constant(row, &constant),
            None => self.multiply_by_rows(selector, row),
        }
    }

    fn multiply_by_rows(&mut self, selector: &[Lit], row: &[Lit]) -> Result<Vec<Lit>, Interrupt> {
        let mut product = vec![!self.truth(); row.len()];
        for (shift, &select) in selector.iter().enumerate() {
            self.poll(1)?;
            if select == !self.truth() {
                continue;
            }
            let mut summand = Vec::with_capacity(row.len() - shift);
            for &bit in &row[..row.len() - shift] {
                summand.push(self.and(select, bit)?);
            }
            let sum = self.add(&product[shift..], &summand, !self.truth())?;
            product.splice(shift.., sum);
        }
        Ok(product)
    }

    fn multiply_by_constant(&mut self, row: &[Lit], constant: &[bool]) -> Result<Vec<Lit>, Interrupt> {
        let mut product = vec![!self.truth(); row.len()];
        for (shift, digit) in non_adjacent_form(constant).into_iter().enumerate() {
            if digit == 0 {
                continue;
            }
            self.poll(1)?;
            let summand = &row[..row.len() - shift];
            let sum = if digit > 0 {
                self.add(&product[shift..], summand, !self.truth())?
            } else {
                self.subtract(&product[shift..], summand)?
            };
            product.splice(shift.., sum);
        }
        Ok(product)
    }
}

/// Digits −1, 0, 1, lowest first, no two neighbours both non-zero, of the same value modulo 2ⁿ.
fn non_adjacent_form(bits: &[bool]) -> Vec<i8> {
    let mut digits = Vec::with_capacity(bits.len());
    let mut carry = false;
    for (index, &bit) in bits.iter().enumerate() {
        let odd = bit != carry;
        let next = bits.get(index + 1).copied().unwrap_or(false);
        if odd {
            digits.push(if next { -1 } else { 1 });
            // 3 = 4 - 1: what is too much here is carried.
            carry = next;
        } else {
            digits.push(0);
            carry = bit && carry;
        }
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::non_adjacent_form;

    #[test]
    fn recoding_keeps_the_value() {
        for value in 0u32..256 {
            let bits: Vec<bool> = (0..8).map(|index| value >> index & 1 == 1).collect();
            let digits = non_adjacent_form(&bits);
            let sum: i64 = digits.iter().enumerate().map(|(index, &digit)| i64::from(digit) << index).sum();
            assert_eq!(sum.rem_euclid(256), i64::from(value), "{digits:?}");
            assert!(digits.windows(2).all(|pair| pair[0] == 0 || pair[1] == 0), "{digits:?}");
        }
    }
}
