//! Choices of an execution before, some of them changed: to where that execution did not go.

use super::{Choice, ChoiceKind, ChoiceType, Chooser, NoChoice, Seeded};
use std::sync::Arc;

/// Follows a list of values in the order in which they are asked for, and changes some; behind its end all
/// are new. New values are random, or numbers that the program names, or their neighbours.
#[derive(Clone, Debug)]
pub struct Mutated {
    values: Vec<i128>,
    next: usize,
    random: Seeded,
    numbers: Arc<[i128]>,
    /// One of so many values is changed.
    rarely: u64,
}

impl Mutated {
    /// A chooser with this seed that starts from the values of an execution.
    #[must_use]
    pub fn new(seed: u64, values: Vec<i128>, numbers: Arc<[i128]>) -> Mutated {
        let mut random = Seeded::new(seed);
        let rarely = 1 + random.below(2 * values.len() as u64 + 1);
        Mutated { values, next: 0, random, numbers, rarely }
    }

    /// One that changes none of these values, and goes on from there.
    #[must_use]
    pub fn following(seed: u64, values: Vec<i128>, numbers: Arc<[i128]>) -> Mutated {
        Mutated { rarely: u64::MAX, ..Mutated::new(seed, values, numbers) }
    }

    fn named(&mut self) -> Option<i128> {
        let count = self.numbers.len() as u64;
        if count == 0 || self.random.below(2) == 0 {
            return None;
        }
        let number = self.numbers[usize::try_from(self.random.below(count)).unwrap_or(0)];
        Some(number + [0, 0, 0, 1, -1][usize::try_from(self.random.below(5)).unwrap_or(0)])
    }
}

impl Chooser for Mutated {
    fn choose(&mut self, choice: &Choice) -> Result<Option<i128>, NoChoice> {
        let old = self.values.get(self.next).copied();
        self.next += 1;
        if let Some(old) = old
            && self.random.below(self.rarely) != 0
        {
            return Ok(Some(old));
        }
        if let ChoiceType::Int { range, .. } = choice.ty
            && let Some(number) = self.named()
            && range.is_none_or(|(low, high)| (low..=high).contains(&number))
        {
            return Ok(Some(number));
        }
        self.random.choose(choice)
    }

    fn asks(&self, kind: ChoiceKind) -> bool {
        self.random.asks(kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::end::Place;

    #[test]
    fn most_values_stay_and_named_numbers_come() {
        let place = Place { file: "a.c".to_owned(), line: 1, column: 1 };
        let ty = ChoiceType::Int { bits: 32, signed: true, range: None };
        let (kind, name) = (ChoiceKind::Input, "f".to_owned());
        let choice = Choice { kind, place, name, occurrence: 0, offset: 0, ty, asked: None };
        let numbers: Arc<[i128]> = Arc::from([4711]);
        let (mut same, mut named) = (0, 0);
        for seed in 0..200 {
            let mut chooser = Mutated::new(seed, vec![77; 8], Arc::clone(&numbers));
            for _ in 0..8 {
                match chooser.choose(&choice) {
                    Ok(Some(77)) => same += 1,
                    Ok(Some(4710..=4712)) => named += 1,
                    _ => {}
                }
            }
        }
        assert!(same > 800 && named > 50, "{same} {named}");
    }
}
