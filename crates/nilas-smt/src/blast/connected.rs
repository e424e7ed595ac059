//! Arrays that may have elements in common, and the indices that occur with them.
//!
//! Classes of array terms, as a union-find: an array is in the class of those that it is made of, and the sides
//! of an equality are in one class. What is read or written in one class says nothing about another one, so
//! that equalities need instances at the indices of their own class only. Constant arrays connect nothing:
//! their elements are known.

use super::theory::Word;
use crate::sat::Lit;
use nilas_term::{Arena, Op, Sort, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// The arrays that an array is made of.
pub(super) fn beneath(arena: &Arena, array: Term) -> &[Term] {
    let children = arena.children(array);
    match arena.op(array) {
        Op::Store => &children[..1],
        Op::Ite => &children[1..],
        _ => &[],
    }
}

fn is_constant(arena: &Arena, array: Term) -> bool {
    matches!(arena.op(array), Op::ConstArray(_) | Op::Const(_))
}

/// See the module's text. Indices are numbered.
#[derive(Default)]
pub(super) struct Connected {
    met: FxHashSet<Term>,
    parents: FxHashMap<Term, Term>,
    words: Vec<Word>,
    numbers: FxHashMap<Word, u32>,
    indices: FxHashMap<Term, BTreeSet<u32>>,
    /// Indices of all classes, by sort.
    everywhere: FxHashMap<Sort, BTreeSet<u32>>,
}

impl Connected {
    fn number(&mut self, index: &[Lit]) -> u32 {
        if let Some(&number) = self.numbers.get(index) {
            return number;
        }
        let number = u32::try_from(self.words.len()).unwrap_or(u32::MAX);
        self.words.push(index.into());
        self.numbers.insert(index.into(), number);
        number
    }

    /// The literals of an index.
    pub(super) fn word(&self, number: u32) -> Word {
        self.words[number as usize].clone()
    }

    /// An index occurs with an array.
    pub(super) fn note(&mut self, arena: &Arena, array: Term, index: &[Lit]) {
        let (number, class) = (self.number(index), self.class(arena, array));
        self.indices.entry(class).or_default().insert(number);
    }

    /// An index occurs with all arrays that have this sort of indices. False if it does already.
    pub(super) fn note_everywhere(&mut self, sort: &Sort, index: &[Lit]) -> bool {
        let number = self.number(index);
        self.everywhere.entry(sort.clone()).or_default().insert(number)
    }

    /// The arrays of an equality are connected.
    pub(super) fn unite(&mut self, arena: &Arena, left: Term, right: Term) {
        let (one, other) = (self.class(arena, left), self.class(arena, right));
        if !is_constant(arena, left) && !is_constant(arena, right) {
            self.join(one, other);
        }
    }

    /// The indices that an equality of two arrays is about.
    pub(super) fn indices(&mut self, arena: &Arena, left: Term, right: Term) -> BTreeSet<u32> {
        let open = if is_constant(arena, left) { right } else { left };
        let class = self.class(arena, open);
        let mut all = self.indices.get(&class).cloned().unwrap_or_default();
        if open == right {
            // Perhaps both are constants.
            let class = self.root(left);
            all.extend(self.indices.get(&class).filter(|_| is_constant(arena, right)).into_iter().flatten());
        }
        if let Sort::Array(sort) = arena.sort(left) {
            all.extend(self.everywhere.get(&sort.index).into_iter().flatten());
        }
        all
    }

    /// The representative of an array's class, in which all is that the array is made of.
    fn class(&mut self, arena: &Arena, array: Term) -> Term {
        let mut stack = vec![array];
        while let Some(term) = stack.pop() {
            if !self.met.insert(term) {
                continue;
            }
            for &part in beneath(arena, term) {
                if !is_constant(arena, part) {
                    self.join(part, term);
                    stack.push(part);
                }
            }
        }
        self.root(array)
    }

    fn root(&mut self, term: Term) -> Term {
        let mut root = term;
        while let Some(&parent) = self.parents.get(&root) {
            root = parent;
        }
        let mut below = term;
        while below != root {
            below = self.parents.insert(below, root).unwrap_or(root);
        }
        root
    }

    fn join(&mut self, left: Term, right: Term) {
        let (left, right) = (self.root(left), self.root(right));
        if left != right {
            self.parents.insert(left, right);
            let moved = self.indices.remove(&left).unwrap_or_default();
            self.indices.entry(right).or_default().extend(moved);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sat::Var;
    use nilas_term::Value;

    /// Indices go where arrays are connected, whichever comes first, and not through constants.
    #[test]
    fn classes_have_their_own_indices() {
        let mut arena = Arena::new();
        let byte = Sort::BitVec(8);
        let sort = Sort::array(byte.clone(), byte.clone());
        let mut variable = |name: &str, sort: &Sort| arena.fresh_variable(name, sort);
        let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| variable(name, &sort));
        let [i, v] = ["i", "v"].map(|name| variable(name, &byte));
        let stored = arena.mk(Op::Store, &[b, i, v]);
        let index = |number: u32| [Var(number).lit()];
        let mut connected = Connected::default();
        let numbers = |all: BTreeSet<u32>| all.into_iter().collect::<Vec<_>>();
        connected.note(&arena, a, &index(0));
        connected.note(&arena, b, &index(1));
        connected.note(&arena, c, &index(2));
        connected.unite(&arena, c, d);
        assert_eq!(numbers(connected.indices(&arena, c, d)), [2]);
        // a = store(b, i, v): what is read from b matters to a.
        connected.unite(&arena, a, stored);
        assert_eq!(numbers(connected.indices(&arena, a, stored)), [0, 1]);
        // Both are equal to the same constant: that says nothing about what they are read at.
        let zero = arena.constant(Value::default_of(&sort));
        connected.unite(&arena, a, zero);
        connected.unite(&arena, zero, d);
        assert_eq!(numbers(connected.indices(&arena, zero, d)), [2]);
        assert!(connected.note_everywhere(&byte, &index(3)));
        assert!(!connected.note_everywhere(&byte, &index(3)));
        assert_eq!(numbers(connected.indices(&arena, a, zero)), [0, 1, 3]);
    }
}
