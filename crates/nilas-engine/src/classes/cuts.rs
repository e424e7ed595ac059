//! The values of a variable cut into classes: between two values that the program tells apart lies a cut.
//!
//! All numbers of a width stand in signed order, and a class is an interval of them. A comparison of a
//! variable with a constant is true of all values of a class, or of none.

use nilas_program::{Automaton, Basic, VarId};
use nilas_term::{Arena, BitVec, Op, Sort, Term, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Ordering;

/// The cuts of all variables.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cuts {
    /// The least value of each class, in signed order; the first one is the least of all. Nothing for
    /// variables that are never compared.
    first: Vec<Vec<BitVec>>,
    variables: FxHashMap<Term, VarId>,
}

impl Cuts {
    /// No cuts.
    pub(crate) fn none(automaton: &Automaton) -> Self {
        let first = vec![Vec::new(); automaton.variables.len()];
        Cuts { first, variables: automaton.variable_index() }
    }

    /// The cuts that the commands of an automaton make.
    pub(crate) fn of_commands(&mut self, arena: &Arena, automaton: &Automaton) {
        let arcs = automaton.edges.iter().flat_map(|edge| edge.command.arcs());
        let terms = arcs.filter_map(|arc| match arc.basic {
            Basic::Assume(term) | Basic::Assign(_, term) => Some(term),
            Basic::Skip | Basic::Havoc(..) => None,
        });
        self.of_terms(arena, terms.collect());
    }

    /// Adds the cuts that comparisons in these terms make; whether there was a new one.
    pub(crate) fn of_terms(&mut self, arena: &Arena, mut stack: Vec<Term>) -> bool {
        let (mut seen, mut new) = (FxHashSet::default(), false);
        while let Some(term) = stack.pop() {
            if seen.insert(term) {
                new |= self.compared(arena, term);
                stack.extend_from_slice(arena.children(term));
            }
        }
        new
    }

    /// The variable and the constant that a term compares, and whether the constant comes first.
    pub(crate) fn comparison(&self, arena: &Arena, term: Term) -> Option<(VarId, BitVec, bool)> {
        let &[left, right] = arena.children(term) else { return None };
        if !matches!(arena.op(term), Op::Eq | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle) {
            return None;
        }
        let (variable, constant, swapped) = match (arena.as_bitvec(left), arena.as_bitvec(right)) {
            (None, Some(constant)) => (left, constant, false),
            (Some(constant), None) => (right, constant, true),
            _ => return None,
        };
        Some((*self.variables.get(&variable)?, constant.clone(), swapped))
    }

    /// Adds the cuts of a comparison between a variable and a constant; whether there was a new one.
    pub(crate) fn compared(&mut self, arena: &Arena, term: Term) -> bool {
        let op = arena.op(term);
        let Some((id, constant, swapped)) = self.comparison(arena, term) else { return false };
        let width = constant.width();
        let behind = constant.add(&BitVec::one(width));
        let cuts = match (op, swapped) {
            (Op::Eq, _) => vec![constant.clone(), behind],
            // `x < c` and `c <= x` are cut before `c`, `x <= c` and `c < x` behind it.
            (Op::BvSlt, false) | (Op::BvSle, true) => vec![constant.clone()],
            (Op::BvSlt | Op::BvSle, _) => vec![behind],
            (Op::BvUlt, false) | (Op::BvUle, true) => vec![BitVec::zero(width), constant.clone()],
            _ => vec![BitVec::zero(width), behind],
        };
        cuts.into_iter().fold(false, |new, cut| self.cut(id, cut) | new)
    }

    /// Adds a cut before a value; whether there was none.
    pub(crate) fn cut(&mut self, variable: VarId, cut: BitVec) -> bool {
        let first = &mut self.first[variable.index()];
        if first.is_empty() {
            first.push(BitVec::min_signed(cut.width()));
        }
        match first.binary_search_by(|other| other.compare_signed(&cut)) {
            Ok(_) => false,
            Err(position) => {
                first.insert(position, cut);
                true
            }
        }
    }

    /// Whether the values of a variable are told apart at all.
    pub(crate) fn tells_apart(&self, automaton: &Automaton, variable: VarId) -> bool {
        automaton.variable(variable).sort == Sort::Bool || self.first[variable.index()].len() > 1
    }

    /// The class of a value.
    pub(crate) fn class(&self, variable: VarId, value: &Value) -> Option<u32> {
        if let Some(truth) = value.as_bool() {
            return Some(u32::from(truth));
        }
        let value = value.as_bitvec()?;
        let first = &self.first[variable.index()];
        let behind = first.partition_point(|cut| cut.compare_signed(value) != Ordering::Greater);
        u32::try_from(behind.checked_sub(1)?).ok()
    }

    /// The least value of each class but the first, in signed order.
    pub(crate) fn between(&self, variable: VarId) -> &[BitVec] {
        self.first[variable.index()].get(1..).unwrap_or_default()
    }

    /// How many classes a variable has.
    pub(crate) fn count(&self, automaton: &Automaton, variable: VarId) -> u32 {
        match automaton.variable(variable).sort {
            Sort::Bool => 2,
            _ => u32::try_from(self.first[variable.index()].len()).unwrap_or(u32::MAX),
        }
    }

    /// A value of a class, and whether it has no others.
    pub(crate) fn value(
        &self,
        arena: &mut Arena,
        automaton: &Automaton,
        variable: VarId,
        class: u32,
    ) -> Option<(Term, bool)> {
        if automaton.variable(variable).sort == Sort::Bool {
            return Some((if class == 0 { arena.mk_false() } else { arena.mk_true() }, true));
        }
        let first = &self.first[variable.index()];
        let low = first.get(class as usize)?;
        let behind = low.add(&BitVec::one(low.width()));
        // Behind the largest number there is no class.
        let next = first.get(class as usize + 1).cloned();
        let next = next.unwrap_or_else(|| BitVec::min_signed(low.width()));
        Some((arena.bv_constant(low.clone()), behind == next))
    }

    /// The least and the largest value of a class, in signed order; `None` for Booleans.
    pub(crate) fn bounds(&self, variable: VarId, class: u32) -> Option<(BitVec, BitVec)> {
        let first = &self.first[variable.index()];
        let low = first.get(class as usize)?.clone();
        let high = match first.get(class as usize + 1) {
            Some(next) => next.sub(&BitVec::one(next.width())),
            None => BitVec::max_signed(low.width()),
        };
        Some((low, high))
    }

    /// Values of a class among which every answer is that a comparison with a constant has for one of it: its
    /// ends, the constant, and where unsigned order begins anew.
    pub(crate) fn samples(&self, variable: VarId, class: u32, constant: &BitVec) -> Option<Vec<BitVec>> {
        let (low, high) = self.bounds(variable, class)?;
        let zero = BitVec::zero(low.width());
        let inner = [constant.clone(), zero.sub(&BitVec::one(low.width())), zero];
        let is_inside = |value: &BitVec| {
            low.compare_signed(value) != Ordering::Greater && value.compare_signed(&high) != Ordering::Greater
        };
        let inner: Vec<BitVec> = inner.into_iter().filter(is_inside).collect();
        Some(inner.into_iter().chain([low, high]).collect())
    }

    /// That a variable has a value of one of the classes from one to another: literals that hold together.
    pub(crate) fn literals(
        &self,
        arena: &mut Arena,
        automaton: &Automaton,
        variable: VarId,
        (lowest, highest): (u32, u32),
    ) -> Vec<Term> {
        let term = automaton.variable(variable).term;
        if automaton.variable(variable).sort == Sort::Bool {
            return match (lowest, highest) {
                (0, 0) => vec![arena.not(term)],
                (0, _) => Vec::new(),
                _ => vec![term],
            };
        }
        let first = &self.first[variable.index()];
        let Some(((low, _), (_, high))) = self.bounds(variable, lowest).zip(self.bounds(variable, highest))
        else {
            return Vec::new();
        };
        if low == high {
            let value = arena.bv_constant(low);
            return vec![arena.eq(term, value)];
        }
        let mut literals = Vec::new();
        if lowest > 0 {
            let bound = arena.bv_constant(low);
            literals.push(arena.bv_sle(bound, term));
        }
        if (highest as usize) + 1 < first.len() {
            let bound = arena.bv_constant(high);
            literals.push(arena.bv_sle(term, bound));
        }
        literals
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nilas_program::parse_program;

    /// Every value has the class whose literals it satisfies, and comparisons do not tell values of a class
    /// apart.
    #[test]
    fn classes_are_what_comparisons_tell_apart() {
        let text = "var x : bv4 entry a error e location a, e \
             a -> e { assume x == 5 || x <s 2 || x <u 12 || 3 <=s x || x <=u 7 }";
        let program = parse_program(text).expect("a program of this test");
        let automaton = &program.automaton;
        let mut arena = program.arena.clone();
        let mut cuts = Cuts::none(automaton);
        cuts.of_commands(&arena, automaton);
        let variable = VarId::new(0);
        assert!(cuts.tells_apart(automaton, variable));
        let signed = |value: u64| if value < 8 { value.cast_signed() } else { value.cast_signed() - 16 };
        let facts = |value: u64| {
            let order = signed(value);
            [value == 5, order < 2, value < 12, 3 <= order, value <= 7]
        };
        let term = automaton.variable(variable).term;
        let class_of = |value| cuts.class(variable, &Value::BitVec(BitVec::new(4, value))).expect("a class");
        for value in 0..16 {
            let class = class_of(value);
            let (chosen, is_only) = cuts.value(&mut arena, automaton, variable, class).expect("a value");
            let chosen = arena.as_bitvec(chosen).and_then(BitVec::to_u64).expect("a number");
            assert_eq!(class_of(chosen), class);
            assert_eq!(is_only, (0..16).filter(|&other| class_of(other) == class).count() == 1);
            for other in 0..16 {
                let number = Value::BitVec(BitVec::new(4, other));
                let same = cuts.class(variable, &number) == Some(class);
                assert!(!same || facts(value) == facts(other), "{value} and {other}");
                let literals = cuts.literals(&mut arena, automaton, variable, (class, class));
                let mut model = nilas_term::Model::new();
                model.set(term, number);
                let mut evaluator = nilas_term::Evaluator::new(model);
                let holds = literals.iter().all(|&it| evaluator.holds(&arena, it).expect("a truth value"));
                assert_eq!(holds, same, "{value} and {other}");
            }
        }
    }
}
