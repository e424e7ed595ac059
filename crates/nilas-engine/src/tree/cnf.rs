//! Interpolants as clauses (§5): conversion to conjunctive normal form that keeps the formula *equivalent*,
//! not just equisatisfiable, and so has no new variables and may be exponential. It is given up when it grows
//! beyond a limit.
//!
//! A clause is written as the cube it excludes, so that what is computed is the disjunctive normal form of
//! the negation.

use nilas_term::{Arena, Cube, Op, Sort, Term};
use rustc_hash::{FxHashMap, FxHashSet};

/// A formula, or its negation.
type Signed = (Term, bool);

/// The cubes that the clauses of a formula exclude; `None` if they have more than `limit` literals together,
/// here or on the way.
pub(super) fn clauses(arena: &mut Arena, formula: Term, limit: usize) -> Option<Vec<Cube>> {
    let mut known: FxHashMap<Signed, Vec<Cube>> = FxHashMap::default();
    let mut stack = vec![(formula, false)];
    while let Some(&(term, positive)) = stack.last() {
        if known.contains_key(&(term, positive)) {
            stack.pop();
            continue;
        }
        let Some(alternatives) = alternatives(arena, term, positive) else {
            let literal = if positive { term } else { arena.not(term) };
            known.insert((term, positive), vec![Cube::new([literal])]);
            continue;
        };
        let parts = alternatives.iter().flatten();
        let unknown: Vec<Signed> = parts.filter(|part| !known.contains_key(part)).copied().collect();
        if !unknown.is_empty() {
            stack.extend(unknown);
            continue;
        }
        let mut cubes = Vec::new();
        for alternative in &alternatives {
            let product = product(arena, alternative.iter().map(|part| &known[part][..]), limit)?;
            cubes.extend(product);
            weakest(&mut cubes);
            within(&cubes, limit)?;
        }
        known.insert((term, positive), cubes);
    }
    known.remove(&(formula, false))
}

/// The size of a formula: its Boolean structure, down to the atoms.
pub(super) fn size(arena: &Arena, formula: Term) -> usize {
    let (mut seen, mut stack) = (FxHashSet::default(), vec![formula]);
    while let Some(term) = stack.pop() {
        if seen.insert(term) && is_structure(arena, term) {
            stack.extend_from_slice(arena.children(term));
        }
    }
    seen.len()
}

/// Whether a term is a Boolean combination of other formulas.
fn is_structure(arena: &Arena, term: Term) -> bool {
    match arena.op(term) {
        Op::And | Op::Or | Op::Not | Op::Xor => true,
        Op::Eq | Op::Ite => arena.children(term).iter().all(|&child| *arena.sort(child) == Sort::Bool),
        _ => false,
    }
}

/// A signed formula as a disjunction of conjunctions of signed formulas that are smaller; `None` for an atom.
fn alternatives(arena: &Arena, term: Term, positive: bool) -> Option<Vec<Vec<Signed>>> {
    if let Some(value) = arena.as_bool(term) {
        return Some(if value == positive { vec![Vec::new()] } else { Vec::new() });
    }
    if !is_structure(arena, term) {
        return None;
    }
    let children = arena.children(term);
    let all = |positive: bool| vec![children.iter().map(|&child| (child, positive)).collect()];
    let any = |positive: bool| children.iter().map(|&child| vec![(child, positive)]).collect();
    Some(match (arena.op(term), children) {
        (Op::And, _) => {
            if positive {
                all(true)
            } else {
                any(false)
            }
        }
        (Op::Or, _) => {
            if positive {
                any(true)
            } else {
                all(false)
            }
        }
        (Op::Not, &[of]) => vec![vec![(of, !positive)]],
        (Op::Xor, &[a, b]) => vec![vec![(a, true), (b, !positive)], vec![(a, false), (b, positive)]],
        (Op::Eq, &[a, b]) => vec![vec![(a, true), (b, positive)], vec![(a, false), (b, !positive)]],
        (Op::Ite, &[condition, then, otherwise]) => {
            vec![vec![(condition, true), (then, positive)], vec![(condition, false), (otherwise, positive)]]
        }
        _ => return None,
    })
}

/// The conjunction of disjunctions of cubes, multiplied out.
fn product<'c>(
    arena: &mut Arena,
    factors: impl Iterator<Item = &'c [Cube]>,
    limit: usize,
) -> Option<Vec<Cube>> {
    let mut cubes = vec![Cube::empty()];
    for factor in factors {
        let mut next = Vec::with_capacity(cubes.len() * factor.len());
        for cube in &cubes {
            for other in factor {
                let both = cube.union(other);
                if !is_contradictory(arena, &both) {
                    next.push(both);
                }
            }
            within(&next, limit)?;
        }
        weakest(&mut next);
        cubes = next;
    }
    Some(cubes)
}

fn is_contradictory(arena: &mut Arena, cube: &Cube) -> bool {
    cube.iter().any(|literal| {
        let negated = arena.not(literal);
        cube.contains(negated)
    })
}

/// Drops cubes that contain all literals of another one.
fn weakest(cubes: &mut Vec<Cube>) {
    cubes.sort_by_key(Cube::len);
    let mut kept: Vec<Cube> = Vec::with_capacity(cubes.len());
    for cube in cubes.drain(..) {
        if !kept.iter().any(|smaller| smaller.is_subset_of(&cube)) {
            kept.push(cube);
        }
    }
    *cubes = kept;
}

fn within(cubes: &[Cube], limit: usize) -> Option<()> {
    (cubes.iter().map(|cube| cube.len().max(1)).sum::<usize>() <= limit).then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use nilas_program::random::Rng;
    use nilas_term::{Evaluator, Model, Value};

    const ATOMS: usize = 4;

    fn random_formula(rng: &mut Rng, arena: &mut Arena, atoms: &[Term], depth: u32) -> Term {
        if depth == 0 || rng.once_in(6) {
            return rng.pick(atoms);
        }
        let mut part = |rng: &mut Rng| random_formula(rng, arena, atoms, depth - 1);
        let (a, b, c) = (part(rng), part(rng), part(rng));
        match rng.below(6) {
            0 => arena.and(&[a, b, c]),
            1 => arena.or(&[a, b, c]),
            2 => arena.not(a),
            3 => arena.ite(a, b, c),
            4 => arena.eq(a, b),
            _ => arena.xor(a, b),
        }
    }

    #[test]
    fn clauses_are_equivalent_to_the_formula() {
        let mut rng = Rng::new(7);
        let mut given_up = 0;
        for round in 0..500 {
            let mut arena = Arena::new();
            let names = ["a", "b", "c", "d"];
            let atoms: Vec<Term> =
                names.map(|name| arena.variable(name, &Sort::Bool).expect("a new name")).to_vec();
            let formula = random_formula(&mut rng, &mut arena, &atoms, 4);
            let Some(cubes) = clauses(&mut arena, formula, 40) else {
                given_up += 1;
                continue;
            };
            assert!(cubes.iter().map(Cube::len).sum::<usize>() <= 40);
            for bits in 0..1_u32 << ATOMS {
                let mut model = Model::new();
                for (index, &atom) in atoms.iter().enumerate() {
                    model.set(atom, Value::Bool(bits >> index & 1 == 1));
                }
                let mut evaluator = Evaluator::new(model);
                let expected = evaluator.holds(&arena, formula).expect("all atoms have values");
                let excluded = cubes.iter().any(|cube| {
                    cube.iter().all(|literal| evaluator.holds(&arena, literal).expect("as before"))
                });
                assert_eq!(expected, !excluded, "round {round}, {bits:b}: {formula:?} and {cubes:?}");
            }
        }
        assert!((1..400).contains(&given_up), "{given_up} were too large");
    }

    #[test]
    fn constants_have_the_clauses_one_expects() {
        let mut arena = Arena::new();
        let (yes, no) = (arena.mk_true(), arena.mk_false());
        assert_eq!(clauses(&mut arena, yes, 1), Some(vec![]));
        assert_eq!(clauses(&mut arena, no, 1), Some(vec![Cube::empty()]));
    }
}
