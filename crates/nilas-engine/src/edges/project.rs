//! Projection of inputs out of preimages, guided by the model.
//!
//! The precondition along a path speaks about the state before it and about the inputs on it. To fix an input
//! at the model's value is always right, but gives a cube of few states: from `h > y` comes `7 > y`. Instead
//! a *term* over the state is looked for that the input can be set to (model-based projection; Komuravelli,
//! Gurfinkel, Chaki, CAV 2014, here over bit-vectors, where a bound plus one is below the input and so does
//! not wrap): the other side of an equation, a bound of the input, a neighbour of one. A term is taken if all
//! literals with the input still hold in the model, otherwise the model's value. Either way every state of
//! what comes out takes the path into the cube, with the inputs that the terms say. Reals are eliminated
//! exactly.

mod real;

use nilas_program::solve_for;
use nilas_smt::Reason;
use nilas_smt::weaken::Shape;
use nilas_term::{Arena, Op, Sort, Substitution, Term};

/// Terms that are tried for one input.
const TRIES: usize = 6;

/// Where values come from.
pub(crate) trait ModelOf {
    /// Whether a formula holds.
    fn holds(&mut self, arena: &Arena, formula: Term) -> Result<bool, Reason>;
    /// The value of a variable, as a term.
    fn constant(&mut self, arena: &mut Arena, variable: Term) -> Result<Term, Reason>;
}

/// Literals without the inputs, and what each input is set to.
pub(crate) struct Projected {
    pub(crate) literals: Vec<Term>,
    pub(crate) inputs: Vec<(Term, Term)>,
    /// How many inputs were set to something else than the model's value.
    pub(crate) terms: u64,
}

/// Eliminates inputs from literals that the model satisfies.
pub(crate) fn project(
    arena: &mut Arena,
    literals: Vec<Term>,
    inputs: &[Term],
    model: &mut dyn ModelOf,
) -> Result<Projected, Reason> {
    let mut result = Projected { literals, inputs: Vec::with_capacity(inputs.len()), terms: 0 };
    // Later inputs first: what they are set to may speak about earlier ones.
    for &input in inputs.iter().rev() {
        let (with, without): (Vec<Term>, Vec<Term>) =
            result.literals.iter().partition(|&&literal| mentions(arena, literal, input));
        let mut replaced = None;
        if !with.is_empty() && *arena.sort(input) == Sort::Real {
            replaced = real::eliminate(arena, input, &with, model)?;
            result.terms += u64::from(replaced.is_some());
        }
        if !with.is_empty() && replaced.is_none() {
            for term in choices(arena, input, &with) {
                let mut set = Substitution::new();
                set.insert(input, term);
                let literals: Vec<Term> = with.iter().map(|&literal| set.apply(arena, literal)).collect();
                let mut all = true;
                for &literal in &literals {
                    all = all && model.holds(arena, literal)?;
                }
                if all {
                    result.terms += 1;
                    replaced = Some((term, literals));
                    break;
                }
            }
        }
        let (term, literals) = match replaced {
            Some(found) => found,
            None => {
                let value = model.constant(arena, input)?;
                let mut set = Substitution::new();
                set.insert(input, value);
                (value, with.iter().map(|&literal| set.apply(arena, literal)).collect())
            }
        };
        let mut set = Substitution::new();
        set.insert(input, term);
        for (_, earlier) in &mut result.inputs {
            *earlier = set.apply(arena, *earlier);
        }
        result.inputs.push((input, term));
        result.literals = without;
        result.literals.extend(literals);
        result.literals.retain(|&literal| arena.as_bool(literal) != Some(true));
    }
    Ok(result)
}

fn mentions(arena: &Arena, term: Term, variable: Term) -> bool {
    arena.free_variables(term).contains(&variable)
}

/// Terms without the input that its literals suggest for it, the most exact first.
fn choices(arena: &mut Arena, input: Term, literals: &[Term]) -> Vec<Term> {
    let (mut equal, mut bounds) = (Vec::new(), Vec::new());
    for &literal in literals {
        if let (Op::Eq, &[left, right]) = (arena.op(literal), arena.children(literal)) {
            for (this, other) in [(left, right), (right, left)] {
                equal.extend(solve_for(arena, input, this, other));
            }
            continue;
        }
        let Shape::Less { left, right, strict, .. } = Shape::of(arena, literal) else { continue };
        let Sort::BitVec(width) = *arena.sort(left) else { continue };
        let one = arena.bv(width, 1);
        if right == input && !mentions(arena, left, input) {
            bounds.push(if strict { arena.bv_add(left, one) } else { left });
        } else if left == input && !mentions(arena, right, input) {
            bounds.push(if strict { arena.bv_sub(right, one) } else { right });
        }
    }
    equal.extend(bounds);
    equal.truncate(TRIES);
    equal
}

/// A model that is known.
#[cfg(test)]
pub(crate) mod testing {
    use super::*;
    use nilas_term::{Evaluator, Model};

    pub(crate) struct Fixed(pub(crate) Model);

    impl ModelOf for Fixed {
        fn holds(&mut self, arena: &Arena, formula: Term) -> Result<bool, Reason> {
            Evaluator::new(self.0.clone()).holds(arena, formula).map_err(|e| Reason::Failed(e.to_string()))
        }

        fn constant(&mut self, arena: &mut Arena, variable: Term) -> Result<Term, Reason> {
            let value = Evaluator::new(self.0.clone()).eval(arena, variable);
            Ok(arena.constant(value.map_err(|e| Reason::Failed(e.to_string()))?))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::testing::Fixed;
    use super::*;
    use nilas_term::{BitVec, Evaluator, Model, Value};

    /// For every choice of two literals about an input, each state of the projection satisfies them with what
    /// the input is set to, and the model's state is among them.
    #[test]
    fn projections_are_real() {
        let mut arena = Arena::new();
        let sort = Sort::BitVec(3);
        let [x, y, h] = ["x", "y", "h"].map(|name| arena.variable(name, &sort).expect("a new name"));
        let sum = arena.bv_add(h, x);
        let mut literals = vec![
            arena.bv_ult(h, x),
            arena.bv_ule(y, h),
            arena.bv_slt(x, h),
            arena.bv_sle(h, y),
            arena.eq(h, y),
            arena.eq(sum, y),
        ];
        for index in 0..literals.len() {
            let negated = arena.not(literals[index]);
            literals.push(negated);
        }
        let state = |x_value: u64, y_value: u64| {
            let mut model = Model::new();
            model.set(x, Value::BitVec(BitVec::new(3, x_value)));
            model.set(y, Value::BitVec(BitVec::new(3, y_value)));
            model
        };
        let mut general = 0;
        for (first, second, point) in (0..literals.len() * literals.len() * 512)
            .map(|n| (n / 512 / literals.len(), n / 512 % literals.len(), n % 512))
        {
            let mut model = state(point as u64 & 7, point as u64 >> 3 & 7);
            model.set(h, Value::BitVec(BitVec::new(3, point as u64 >> 6)));
            let mut model = Fixed(model);
            let both = vec![literals[first], literals[second]];
            if !both.iter().all(|&literal| model.holds(&arena, literal) == Ok(true)) {
                continue;
            }
            let found = project(&mut arena, both.clone(), &[h], &mut model).expect("everything has a value");
            general += found.terms;
            let [(_, term)] = found.inputs[..] else { panic!("one input, one term") };
            let mut real = false;
            for n in 0..64 {
                let here = state(n & 7, n >> 3);
                let mut evaluator = Evaluator::new(here.clone());
                if !found.literals.iter().all(|&l| evaluator.holds(&arena, l).expect("over x and y")) {
                    continue;
                }
                real |= n == point as u64 & 63;
                let value = evaluator.eval(&arena, term).expect("over x and y");
                let mut with = here;
                with.set(h, value);
                let mut evaluator = Evaluator::new(with);
                assert!(both.iter().all(|&literal| evaluator.holds(&arena, literal).expect("all variables")));
            }
            assert!(real, "the model's own state is lost");
        }
        assert!(general > 0, "terms are found");
    }
}
