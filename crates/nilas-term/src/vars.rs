//! Free variables and priming.

use crate::arena::Arena;
use crate::subst::Substitution;
use crate::term::Term;
use rustc_hash::FxHashSet;

impl Arena {
    /// The variables of a term, by id.
    #[must_use]
    pub fn free_variables(&self, term: Term) -> Vec<Term> {
        self.free_variables_of(&[term])
    }

    /// The variables of several terms, by id, each once.
    #[must_use]
    pub fn free_variables_of(&self, terms: &[Term]) -> Vec<Term> {
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        let mut variables = Vec::new();
        let mut stack = terms.to_vec();
        while let Some(term) = stack.pop() {
            if !seen.insert(term) {
                continue;
            }
            if self.as_variable(term).is_some() {
                variables.push(term);
            }
            stack.extend(self.children(term).iter().filter(|child| !seen.contains(child)));
        }
        variables.sort_unstable();
        variables
    }

    /// The variable `x'` of a variable `x`: its value after a step. Other terms are primed as a whole.
    ///
    /// Should somebody have declared that name with another sort, `x'!1` is taken, and so on.
    pub fn prime(&mut self, variable: Term) -> Term {
        let Some(symbol) = self.as_variable(variable) else { return self.prime_all(variable) };
        let sort = self.signature(symbol).result.clone();
        let base = format!("{}'", self.signature(symbol).name);
        let mut name = base.clone();
        let mut attempt = 0;
        loop {
            match self.variable(&name, &sort) {
                Ok(primed) => return primed,
                Err(_) => {
                    attempt += 1;
                    name = format!("{base}!{attempt}");
                }
            }
        }
    }

    /// The term with all its variables primed.
    pub fn prime_all(&mut self, term: Term) -> Term {
        let mut substitution = Substitution::new();
        for variable in self.free_variables(term) {
            let primed = self.prime(variable);
            substitution.insert(variable, primed);
        }
        substitution.apply(self, term)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::sort::Sort;

    #[test]
    fn variables_are_found_once_and_primed_the_same_way_each_time() {
        let mut arena = Arena::new();
        let [x, y] = ["x", "y"].map(|name| arena.variable(name, &Sort::BitVec(8)).unwrap());
        let sum = arena.bv_add(x, y);
        let product = arena.bv_mul(sum, x);
        assert_eq!(arena.free_variables(product), [x, y]);
        assert_eq!(arena.free_variables_of(&[y, product, y]), [x, y]);
        let constant = arena.bv(8, 3);
        assert_eq!(arena.free_variables(constant), []);
        let primed = arena.prime_all(product);
        let (x_next, y_next) = (arena.prime(x), arena.prime(y));
        assert_eq!(arena.free_variables(primed), [x_next, y_next]);
        assert_eq!(arena.name(x_next), Some("x'"));
        assert_ne!(arena.prime(x_next), x_next);
    }

    #[test]
    fn a_taken_name_is_avoided() {
        let mut arena = Arena::new();
        let x = arena.variable("x", &Sort::Bool).unwrap();
        arena.variable("x'", &Sort::Int).unwrap();
        let primed = arena.prime(x);
        assert_eq!((arena.name(primed), arena.sort(primed)), (Some("x'!1"), &Sort::Bool));
        assert_eq!(arena.prime(x), primed);
    }
}
