//! Implicants: a cube that a model satisfies and that implies a formula.
//!
//! This is `split` of the preconditions, made for relations that are merged over many edges. If-then-else
//! inside of atoms is resolved too: the branch that the model takes stays, and its condition becomes part of
//! the cube. So the cube speaks about one path, as a weakest precondition along that path does.
//!
//! Where there is a choice (a disjunction, a false conjunction) everything that needs none comes first: often
//! it has settled the choice already. A counter that stands at one location is not at any other, so none of
//! the conditions of other locations' edges adds a literal.

use nilas_smt::Reason;
use nilas_term::{Arena, Cube, Op, Sort, Term};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::project::ModelOf;

/// The implicant of the formulas, which the model satisfies. `free` are variables about which a literal costs
/// nothing.
pub(super) fn implicant(
    arena: &mut Arena,
    formulas: &[Term],
    free: &FxHashSet<Term>,
    model: &mut dyn ModelOf,
) -> Result<Cube, Reason> {
    let mut search = Search { free, literals: Vec::new(), seen: FxHashSet::default(), stack: Vec::new() };
    search.stack.extend(formulas.iter().rev().map(|&formula| (formula, true)));
    let mut choices: Vec<(Term, bool)> = Vec::new();
    let mut decided = 0;
    loop {
        while let Some((term, positive)) = search.stack.pop() {
            if search.seen.insert((term, positive)) && !search.certain(arena, term, positive, model)? {
                choices.push((term, positive));
            }
        }
        let Some(&(term, positive)) = choices.get(decided) else { break };
        decided += 1;
        search.decide(arena, term, positive, model)?;
    }
    Ok(Cube::new(search.literals))
}

struct Search<'a> {
    free: &'a FxHashSet<Term>,
    literals: Vec<Term>,
    seen: FxHashSet<(Term, bool)>,
    stack: Vec<(Term, bool)>,
}

impl Search<'_> {
    /// Takes apart what needs no choice; `false` if it does.
    fn certain(
        &mut self,
        arena: &mut Arena,
        term: Term,
        positive: bool,
        model: &mut dyn ModelOf,
    ) -> Result<bool, Reason> {
        let children = arena.children(term).to_vec();
        let of_booleans = children.first().is_some_and(|&child| *arena.sort(child) == Sort::Bool);
        match (arena.op(term), &children[..]) {
            (Op::Not, &[child]) => self.stack.push((child, !positive)),
            (Op::And, _) if positive => self.stack.extend(children.iter().map(|&child| (child, true))),
            (Op::Or, _) if !positive => self.stack.extend(children.iter().map(|&child| (child, false))),
            (Op::And | Op::Or, _) => return Ok(false),
            (Op::Ite, &[condition, then, otherwise]) => {
                let taken = model.holds(arena, condition)?;
                self.stack.push((if taken { then } else { otherwise }, positive));
                self.stack.push((condition, taken));
            }
            (Op::Xor | Op::Eq, &[left, right]) if of_booleans => {
                let value = model.holds(arena, left)?;
                let equal = (arena.op(term) == Op::Eq) == positive;
                self.stack.push((right, value == equal));
                self.stack.push((left, value));
            }
            _ => {
                let resolved = self.resolve(arena, term, model)?;
                if resolved != term {
                    self.stack.push((resolved, positive));
                } else if arena.as_bool(term).is_none() {
                    self.literals.push(if positive { term } else { arena.not(term) });
                }
            }
        }
        Ok(true)
    }

    /// Of a disjunction that holds, one disjunct that does; of a conjunction that does not, one that does
    /// not. None if one of them is in the cube already.
    fn decide(
        &mut self,
        arena: &Arena,
        term: Term,
        positive: bool,
        model: &mut dyn ModelOf,
    ) -> Result<(), Reason> {
        let children = arena.children(term);
        if children.iter().any(|&child| self.seen.contains(&strip(arena, child, positive))) {
            return Ok(());
        }
        let mut best: Option<(u32, Term)> = None;
        for &child in children {
            let cost = self.cost(arena, child);
            if best.is_none_or(|(least, _)| cost < least) && model.holds(arena, child)? == positive {
                best = Some((cost, child));
            }
        }
        let (_, child) =
            best.ok_or_else(|| Reason::Failed("a model does not satisfy what it is a model of".into()))?;
        self.stack.push((child, positive));
        Ok(())
    }

    /// What is nothing but a free variable is the best choice, another Boolean variable the next.
    fn cost(&self, arena: &Arena, term: Term) -> u32 {
        let (atom, _) = strip(arena, term, true);
        match arena.op(atom) {
            Op::Var(_) if self.free.contains(&atom) => 0,
            Op::Var(_) => 1,
            Op::And | Op::Or | Op::Ite => 3,
            _ => 2,
        }
    }

    /// The term without if-then-else inside, as it is in the model; conditions go to the stack.
    fn resolve(&mut self, arena: &mut Arena, term: Term, model: &mut dyn ModelOf) -> Result<Term, Reason> {
        let mut done: FxHashMap<Term, Term> = FxHashMap::default();
        let mut pending = vec![term];
        while let Some(&top) = pending.last() {
            if done.contains_key(&top) {
                pending.pop();
                continue;
            }
            let children = arena.children(top).to_vec();
            if let (Op::Ite, &[condition, then, otherwise]) = (arena.op(top), &children[..]) {
                let taken = model.holds(arena, condition)?;
                let branch = if taken { then } else { otherwise };
                if let Some(&resolved) = done.get(&branch) {
                    self.stack.push((condition, taken));
                    done.insert(top, resolved);
                    pending.pop();
                } else {
                    pending.push(branch);
                }
                continue;
            }
            let before = pending.len();
            pending.extend(children.iter().filter(|child| !done.contains_key(child)));
            if pending.len() > before {
                continue;
            }
            let resolved: Vec<Term> = children.iter().map(|child| done[child]).collect();
            let result = if resolved == children { top } else { arena.mk(arena.op(top), &resolved) };
            done.insert(top, result);
            pending.pop();
        }
        Ok(done[&term])
    }
}

/// A literal without its negation, and what it must be.
fn strip(arena: &Arena, term: Term, positive: bool) -> (Term, bool) {
    match (arena.op(term), arena.children(term)) {
        (Op::Not, &[child]) => (child, !positive),
        _ => (term, positive),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::testing::Fixed;
    use nilas_term::smtlib::parse_term;
    use nilas_term::{BitVec, Evaluator, Model, Value};

    /// For formulas of every shape and each of their models: the implicant holds in the model, each of its
    /// states satisfies the formula, and none of its literals has structure left.
    #[test]
    fn implicants_imply() {
        let mut arena = Arena::new();
        let names = ["x", "y"].map(|name| arena.variable(name, &Sort::BitVec(2)).expect("a new name"));
        let bools = ["b", "c", "h"].map(|name| arena.variable(name, &Sort::Bool).expect("a new name"));
        let free: FxHashSet<Term> = [bools[2]].into_iter().collect();
        let point = |n: u64| {
            let mut model = Model::new();
            for (index, &variable) in names.iter().enumerate() {
                model.set(variable, Value::BitVec(BitVec::new(2, n >> (2 * index) & 3)));
            }
            for (index, &variable) in bools.iter().enumerate() {
                model.set(variable, Value::Bool(n >> (4 + index) & 1 == 1));
            }
            model
        };
        let mut models = 0;
        for text in [
            "(or (and b (= x #b01)) (and (not b) h) (bvult y x))",
            "(= (ite b (bvadd x y) (ite c #b01 y)) x)",
            "(xor b (bvult x (ite (= x y) y #b10)))",
            "(and (= b (or c h)) (not (and b c (= x y))))",
            "(ite (and b c) (= x y) (or h (= x #b10)))",
            "(bvult (bvmul (ite (or b (= (ite c x y) #b00)) x y) y) #b10)",
        ] {
            let formula = parse_term(&mut arena, text).expect("a formula");
            for n in 0..128 {
                let mut model = Fixed(point(n));
                if model.holds(&arena, formula) != Ok(true) {
                    continue;
                }
                models += 1;
                let cube = implicant(&mut arena, &[formula], &free, &mut model).expect("all has a value");
                let conjunction = cube.to_term(&mut arena);
                assert_eq!(model.holds(&arena, conjunction), Ok(true), "{text}, {n}");
                for other in (0..128).map(|other| Evaluator::new(point(other))) {
                    let mut other = other;
                    let inside = other.holds(&arena, conjunction).expect("all has a value");
                    assert!(!inside || other.holds(&arena, formula) == Ok(true), "{text}, {n}");
                }
                for literal in cube.iter() {
                    assert!(!matches!(arena.op(literal), Op::And | Op::Or | Op::Ite | Op::Xor), "{text}");
                }
            }
        }
        assert!(models > 100);
    }

    #[test]
    fn what_is_certain_settles_choices() {
        let mut arena = Arena::new();
        let [a, b, p, h] =
            ["a", "b", "p", "h"].map(|name| arena.variable(name, &Sort::Bool).expect("a new name"));
        let formula =
            parse_term(&mut arena, "(and (or a p) (not (and b p)) (or a h) (not p) a)").expect("a formula");
        let model: Model = [(a, true), (b, false), (p, false), (h, true)]
            .into_iter()
            .map(|(variable, value)| (variable, Value::Bool(value)))
            .collect();
        let free: FxHashSet<Term> = [h].into_iter().collect();
        let cube = implicant(&mut arena, &[formula], &free, &mut Fixed(model.clone())).expect("has a value");
        let not_p = arena.not(p);
        assert_eq!(cube, Cube::new([a, not_p]));
        let formula = parse_term(&mut arena, "(or b a h)").expect("a formula");
        let cube = implicant(&mut arena, &[formula], &free, &mut Fixed(model)).expect("has a value");
        assert_eq!(cube, Cube::new([h]), "what is free is chosen first");
    }
}
