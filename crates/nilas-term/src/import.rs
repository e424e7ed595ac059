//! Terms from one arena in another.

use crate::arena::Arena;
use crate::op::Op;
use crate::sorting::SortError;
use crate::term::Term;
use rustc_hash::FxHashMap;

/// Copies terms from one arena to another, by name of symbols. Remembers what it has copied, so one importer
/// belongs to one pair of arenas.
#[derive(Clone, Debug, Default)]
pub struct Importer {
    memo: FxHashMap<Term, Term>,
    stack: Vec<Term>,
    arguments: Vec<Term>,
}

impl Importer {
    /// An importer that has copied nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The term of `target` that means what `term` means in `source`. Symbols are declared as needed.
    ///
    /// # Errors
    /// When a symbol is declared in `target` with another signature.
    pub fn import(&mut self, target: &mut Arena, source: &Arena, term: Term) -> Result<Term, SortError> {
        self.stack.clear();
        self.stack.push(term);
        while let Some(&top) = self.stack.last() {
            if self.memo.contains_key(&top) {
                self.stack.pop();
                continue;
            }
            let before = self.stack.len();
            self.stack.extend(source.children(top).iter().filter(|child| !self.memo.contains_key(child)));
            if self.stack.len() > before {
                continue;
            }
            self.arguments.clear();
            self.arguments.extend(source.children(top).iter().map(|child| self.memo[child]));
            let imported = match source.op(top) {
                Op::Var(symbol) => {
                    let signature = source.signature(symbol);
                    target.variable(&signature.name, &signature.result)?
                }
                Op::Const(value) => target.constant(source.value(value).clone()),
                Op::Apply(symbol) => {
                    let signature = source.signature(symbol).clone();
                    let symbol = target.declare(&signature.name, signature.arguments, signature.result)?;
                    target.mk(Op::Apply(symbol), &self.arguments)
                }
                Op::ConstArray(sort) => {
                    let sort = target.sort_id(source.sort_by_id(sort));
                    target.mk(Op::ConstArray(sort), &self.arguments)
                }
                op => target.mk(op, &self.arguments),
            };
            self.memo.insert(top, imported);
            self.stack.pop();
        }
        Ok(self.memo[&term])
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::smtlib::print_term;
    use crate::sort::Sort;
    use crate::testing::{Random, leaves_of_all_sorts, random_term};

    /// There and back again is the identity, though ids, and with them the order of operands, differ there.
    #[test]
    fn terms_of_all_sorts_survive_a_round_trip() {
        for seed in 1..=20 {
            let mut source = Arena::new();
            let mut pool = leaves_of_all_sorts(&mut source);
            let mut random = Random(seed);
            for _ in 0..120 {
                let term = random_term(&mut source, &mut random, &pool);
                pool.push(term);
            }
            let mut target = Arena::new();
            target.variable("unrelated", &Sort::Real).unwrap();
            let (mut there, mut back) = (Importer::new(), Importer::new());
            for &term in pool.iter().rev() {
                let imported = there.import(&mut target, &source, term).unwrap();
                assert_eq!(source.sort(term), target.sort(imported));
                let returned = back.import(&mut source, &target, imported).unwrap();
                // Other operand orders may let other rules fire: equal up to another round.
                if returned != term {
                    let again = Importer::new().import(&mut target, &source, returned).unwrap();
                    assert_eq!(
                        again,
                        imported,
                        "seed {seed}: {} came back as {}",
                        print_term(&source, term),
                        print_term(&source, returned)
                    );
                }
            }
        }
    }

    #[test]
    fn symbols_of_another_sort_are_refused() {
        let (mut source, mut target) = (Arena::new(), Arena::new());
        let x = source.variable("x", &Sort::Bool).unwrap();
        target.variable("x", &Sort::Int).unwrap();
        let error = Importer::new().import(&mut target, &source, x).unwrap_err();
        assert!(error.message.contains("`x`"), "{error}");
    }
}
