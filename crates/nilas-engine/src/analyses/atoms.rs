//! Formulas taken apart into what predicate abstraction abstracts by.

use nilas_term::{Arena, Op, Sort, Term};

/// Predicates larger than this many nodes of Boolean structure are taken as they are, not taken apart.
const LARGEST_STRUCTURE: usize = 64;

/// The formulas that a formula is a Boolean combination of.
pub(crate) fn atoms(arena: &Arena, formula: Term) -> Vec<Term> {
    let (mut found, mut stack, mut nodes) = (Vec::new(), vec![formula], 0);
    while let Some(term) = stack.pop() {
        nodes += 1;
        if nodes > LARGEST_STRUCTURE {
            return vec![formula];
        }
        let boolean = |term: &Term| *arena.sort(*term) == Sort::Bool;
        match arena.op(term) {
            Op::And | Op::Or | Op::Not => stack.extend_from_slice(arena.children(term)),
            Op::Eq | Op::Ite if arena.children(term).iter().all(boolean) => {
                stack.extend_from_slice(arena.children(term));
            }
            Op::Const(_) => {}
            _ if !found.contains(&term) => found.push(term),
            _ => {}
        }
    }
    found.reverse();
    found
}

#[cfg(test)]
mod tests {
    use super::atoms;
    use nilas_term::{Arena, Sort};

    #[test]
    fn formulas_fall_apart_into_atoms() {
        let mut arena = Arena::new();
        let [x, y] = ["x", "y"].map(|name| arena.variable(name, &Sort::BitVec(8)).expect("a new name"));
        let less = arena.bv_ult(x, y);
        let equal = arena.eq(x, y);
        let not = arena.not(equal);
        let both = arena.and(&[less, not]);
        let mut found = atoms(&arena, both);
        found.sort_unstable();
        let mut expected = vec![less, equal];
        expected.sort_unstable();
        assert_eq!(found, expected);
    }
}
