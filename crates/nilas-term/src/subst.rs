//! Simultaneous substitution of terms by terms.

use crate::arena::Arena;
use crate::term::Term;
use rustc_hash::FxHashMap;

/// Replaces terms, mostly variables, by terms of the same sort; all at once: what is put in is not looked
/// into again. Where one key contains another, the outer one is replaced.
///
/// Results are remembered from call to call, so one substitution belongs to one arena.
#[derive(Clone, Debug, Default)]
pub struct Substitution {
    map: FxHashMap<Term, Term>,
    memo: FxHashMap<Term, Term>,
    stack: Vec<Term>,
    arguments: Vec<Term>,
}

impl Substitution {
    /// The substitution that changes nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// From now on, `from` is replaced by `to`, which must have the same sort.
    pub fn insert(&mut self, from: Term, to: Term) {
        self.map.insert(from, to);
        self.memo.clear();
    }

    /// What a key is replaced by.
    #[must_use]
    pub fn get(&self, from: Term) -> Option<Term> {
        self.map.get(&from).copied()
    }

    /// Whether it changes nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.map.is_empty()
    }

    /// The term with everything replaced, simplified.
    pub fn apply(&mut self, arena: &mut Arena, term: Term) -> Term {
        if self.map.is_empty() {
            return term;
        }
        self.stack.clear();
        self.stack.push(term);
        while let Some(&top) = self.stack.last() {
            if self.memo.contains_key(&top) {
                self.stack.pop();
                continue;
            }
            if let Some(&to) = self.map.get(&top) {
                self.memo.insert(top, to);
                self.stack.pop();
                continue;
            }
            let before = self.stack.len();
            self.stack.extend(arena.children(top).iter().filter(|child| !self.memo.contains_key(child)));
            if self.stack.len() > before {
                continue;
            }
            self.arguments.clear();
            self.arguments.extend(arena.children(top).iter().map(|child| self.memo[child]));
            // Terms are in normal form already: what did not change need not be built again.
            let result = if self.arguments == arena.children(top) {
                top
            } else {
                arena.mk(arena.op(top), &self.arguments)
            };
            self.memo.insert(top, result);
            self.stack.pop();
        }
        self.memo[&term]
    }
}

impl Extend<(Term, Term)> for Substitution {
    fn extend<I: IntoIterator<Item = (Term, Term)>>(&mut self, pairs: I) {
        self.map.extend(pairs);
        self.memo.clear();
    }
}

impl FromIterator<(Term, Term)> for Substitution {
    fn from_iter<I: IntoIterator<Item = (Term, Term)>>(pairs: I) -> Self {
        let mut substitution = Self::new();
        substitution.extend(pairs);
        substitution
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::smtlib::{parse_term, print_term};
    use crate::sort::Sort;

    #[test]
    fn replacement_is_simultaneous_outermost_first_and_simplified() {
        let mut arena = Arena::new();
        for name in ["x", "y", "z"] {
            arena.variable(name, &Sort::BitVec(8)).unwrap();
        }
        let mut term = |text: &str| parse_term(&mut arena, text).unwrap();
        let (x, y, z) = (term("x"), term("y"), term("z"));
        let quotient = term("(bvudiv x y)");
        let whole = term("(bvadd (bvudiv x y) (bvmul x y))");
        let mut swap: Substitution = [(x, y), (y, x)].into_iter().collect();
        let swapped = swap.apply(&mut arena, whole);
        assert_eq!(print_term(&arena, swapped), "(bvadd (bvmul x y) (bvudiv y x))");
        let mut outer = Substitution::new();
        outer.insert(quotient, z);
        outer.insert(x, z);
        let replaced = outer.apply(&mut arena, whole);
        assert_eq!(print_term(&arena, replaced), "(bvadd z (bvmul y z))");
        let one = arena.bv(8, 1);
        outer.insert(y, one);
        let replaced = outer.apply(&mut arena, whole);
        assert_eq!(print_term(&arena, replaced), "(bvmul z #x02)");
        assert_eq!(Substitution::new().apply(&mut arena, whole), whole);
        assert_eq!(outer.get(x), Some(z));
    }
}
