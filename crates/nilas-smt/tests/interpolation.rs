//! Interpolants of random formulas, checked by enumeration; those of random paths; the examples of the thesis.

#![allow(clippy::unwrap_used)]

mod common;

use common::{Formulas, Rng};
use nilas_smt::interpolate::{InterpolateOptions, Method, Style, System, interpolate, sequence};
use nilas_smt::{Answer, Budget, Embedded, Solver};
use nilas_term::smtlib::{parse_term, print_term};
use nilas_term::{Arena, Sort, Term};
use std::collections::BTreeSet;

/// Every way to interpolate, with a name.
fn ways() -> Vec<(&'static str, InterpolateOptions)> {
    let options = |method, style, system| InterpolateOptions { method, style, system, ..Default::default() };
    vec![
        ("auto", options(Method::Auto, Style::Post, System::McMillan)),
        ("post", options(Method::Word, Style::Post, System::McMillan)),
        ("pre", options(Method::Word, Style::Pre, System::McMillan)),
        ("mcmillan", options(Method::Proof, Style::Post, System::McMillan)),
        ("pudlak", options(Method::Proof, Style::Post, System::Pudlak)),
        ("inverse", options(Method::Proof, Style::Post, System::InverseMcMillan)),
        (
            "mcmillan, as it comes",
            InterpolateOptions { shrink: false, ..options(Method::Proof, Style::Post, System::McMillan) },
        ),
    ]
}

fn unsatisfiable(arena: &Arena, terms: &[Term]) -> bool {
    let mut solver = Embedded::cadical();
    solver.check(arena, &[], terms, &Budget::unlimited()) == Answer::Unsat
}

fn variables(arena: &Arena, terms: &[Term]) -> BTreeSet<Term> {
    arena.free_variables_of(terms).into_iter().collect()
}

/// The terms over a choice of the variables.
fn over(all: &Formulas, vectors: &[usize], booleans: &[usize]) -> Formulas {
    Formulas {
        width: all.width,
        vectors: vectors.iter().map(|&index| all.vectors[index]).collect(),
        booleans: booleans.iter().map(|&index| all.booleans[index]).collect(),
    }
}

fn show(arena: &Arena, terms: &[Term]) -> String {
    terms.iter().map(|&term| format!("  {}\n", print_term(arena, term))).collect()
}

#[test]
fn random_pairs() {
    let ways = ways();
    let mut found = vec![0; ways.len()];
    let mut pairs = 0;
    for seed in 1..=4000u64 {
        let mut rng = Rng::new(seed);
        let mut arena = Arena::new();
        let width = 1 + u32::try_from(rng.below(3)).unwrap();
        let all = Formulas::new(&mut arena, width, 3, 2);
        let (left, right) = (over(&all, &[0, 1], &[0]), over(&all, &[1, 2], &[0, 1]));
        let mut side = |formulas: &Formulas, rng: &mut Rng| -> Vec<Term> {
            (0..1 + rng.below(3)).map(|_| formulas.boolean(&mut arena, rng, 2)).collect()
        };
        let (a, b) = (side(&left, &mut rng), side(&right, &mut rng));
        // Trivial ones are many; a few of them are enough.
        if !unsatisfiable(&arena, &[a.clone(), b.clone()].concat())
            || (rng.chance(90) && (unsatisfiable(&arena, &a) || unsatisfiable(&arena, &b)))
        {
            continue;
        }
        pairs += 1;
        let shared: BTreeSet<Term> = &variables(&arena, &a) & &variables(&arena, &b);
        for ((name, options), found) in ways.iter().zip(&mut found) {
            let text = |arena: &Arena| format!("seed {seed}, {name}\nA:\n{}B:\n{}", show(arena, &a), show(arena, &b));
            let Some(interpolant) = interpolate(&mut arena, &a, &b, options, &Budget::unlimited())
                .unwrap_or_else(|why| panic!("{why}"))
            else {
                continue;
            };
            *found += 1;
            let text = format!("{}I:\n{}", text(&arena), show(&arena, &[interpolant]));
            assert!(variables(&arena, &[interpolant]).is_subset(&shared), "not over shared symbols\n{text}");
            let negated = arena.not(interpolant);
            let refuted = |terms: Vec<Term>| all.enumerate(&arena, &terms).is_none();
            assert!(refuted([a.clone(), vec![negated]].concat()), "not implied by A\n{text}");
            assert!(refuted([b.clone(), vec![interpolant]].concat()), "has a model with B\n{text}");
        }
    }
    assert!(pairs >= 200, "{pairs} pairs only");
    for ((name, _), found) in ways.iter().zip(&found) {
        // Proofs always give one; so does the cover where there are few bits.
        assert!(*found == pairs, "{name} has found {found} of {pairs}");
    }
}

/// Formulas over neighbouring states, `x0` to `x3`, and a rigid Boolean.
#[test]
fn random_paths() {
    let ways = ways();
    let mut found = vec![0; ways.len()];
    let mut paths = 0;
    for seed in 1..=1500u64 {
        let mut rng = Rng::new(seed);
        let mut arena = Arena::new();
        let width = 1 + u32::try_from(rng.below(3)).unwrap();
        let all = Formulas::new(&mut arena, width, 4, 1);
        let mut path: Vec<Vec<Term>> = Vec::new();
        let functional = rng.chance(60);
        for step in 0..3 {
            let formulas = over(&all, &[step], &[0]);
            let mut formula = Vec::new();
            if functional {
                // x' = t, perhaps under an assumption.
                let term = formulas.vector(&mut arena, &mut rng, 2);
                formula.push(arena.eq(all.vectors[step + 1], term));
                if rng.chance(60) {
                    formula.push(formulas.boolean(&mut arena, &mut rng, 1));
                }
            } else {
                let formulas = over(&all, &[step, step + 1], &[0]);
                formula.push(formulas.boolean(&mut arena, &mut rng, 2));
                formula.push(formulas.boolean(&mut arena, &mut rng, 1));
            }
            path.push(formula);
        }
        path.push(vec![over(&all, &[3], &[0]).boolean(&mut arena, &mut rng, 1)]);
        if !unsatisfiable(&arena, &path.concat())
            || (rng.chance(90) && path.iter().any(|formula| unsatisfiable(&arena, formula)))
        {
            continue;
        }
        paths += 1;
        for ((name, options), found) in ways.iter().zip(&mut found) {
            let interpolants =
                sequence(&mut arena, &path, options, &Budget::unlimited()).unwrap_or_else(|why| panic!("{why}"));
            let Some(interpolants) = interpolants else { continue };
            *found += 1;
            let text = format!("seed {seed}, {name}\n{}I:\n{}", show(&arena, &path.concat()), show(&arena, &interpolants));
            assert_eq!(interpolants.len(), path.len() + 1, "{text}");
            assert_eq!(arena.as_bool(interpolants[0]), Some(true), "{text}");
            assert_eq!(arena.as_bool(interpolants[path.len()]), Some(false), "{text}");
            for step in 0..path.len() {
                let (before, behind) = path.split_at(step);
                let shared: BTreeSet<Term> =
                    &variables(&arena, &before.concat()) & &variables(&arena, &behind.concat());
                assert!(variables(&arena, &[interpolants[step]]).is_subset(&shared), "symbols at {step}\n{text}");
                let negated = arena.not(interpolants[step + 1]);
                let terms = [path[step].clone(), vec![interpolants[step], negated]].concat();
                assert!(all.enumerate(&arena, &terms).is_none(), "not inductive at {step}\n{text}");
            }
        }
    }
    assert!(paths >= 100, "{paths} paths only");
    for ((name, _), found) in ways.iter().zip(&found) {
        assert!(*found == paths, "{name} has found {found} of {paths}");
    }
}

/// Interpolates formulas over 32-bit words `x`, `y`, `z`, their primed versions, a function `f` and arrays `a`, `b`.
fn example(a: &[&str], b: &[&str], options: &InterpolateOptions) -> Option<String> {
    let (mut arena, parts) = parse(&[a, b]);
    interpolate(&mut arena, &parts[0], &parts[1], options, &Budget::unlimited())
        .unwrap()
        .map(|found| print_term(&arena, found))
}

fn parse(parts: &[&[&str]]) -> (Arena, Vec<Vec<Term>>) {
    let mut arena = Arena::new();
    let word = Sort::BitVec(32);
    for name in ["x", "y", "z", "n", "xp", "yp", "zp", "ypp"] {
        arena.variable(name, &word).unwrap();
    }
    let array = Sort::array(word.clone(), word.clone());
    for name in ["a", "b"] {
        arena.variable(name, &array).unwrap();
    }
    arena.declare("f", vec![word.clone()], word).unwrap();
    let parts = parts
        .iter()
        .map(|part| part.iter().map(|text| parse_term(&mut arena, text).unwrap()).collect())
        .collect();
    (arena, parts)
}

/// Thesis 5.10: Jain1. The cube y' = 0 is generalised against the edge y := 1, and the result is inductive over
/// y := y + 2n.
#[test]
fn the_lowest_bit_of_jain1() {
    let parity = Some("(= ((_ extract 0 0) yp) #b0)".to_owned());
    let auto = InterpolateOptions::default();
    assert_eq!(example(&["(= yp #x00000000)"], &["(= yp #x00000001)"], &auto), parity);
    assert_eq!(example(&["(= yp #x00000000)"], &["(= y #x00000001)", "(= yp y)"], &auto), parity);
    for (name, options) in ways() {
        let found = example(&["(= yp #x00000000)"], &["(= y #x00000001)", "(= yp y)"], &options);
        let expected = match name {
            "pre" => Some("(not (= ((_ extract 0 0) yp) #b1))".to_owned()),
            _ => parity.clone(),
        };
        let normal = |text: Option<String>| text.map(|text| text.replace("(not (= ((_ extract 0 0) yp) #b1))", "even"));
        assert!(found == parity || normal(found.clone()) == normal(expected), "{name}: {found:?}");
    }
    // The self-loop: the found cube as A, the frame without it and the edge as B.
    let step = ["(= ((_ extract 0 0) y) #b1)", "(= yp (bvadd y (bvmul #x00000002 n)))"];
    assert_eq!(example(&["(= ((_ extract 0 0) yp) #b0)"], &step, &auto), parity);
    // The whole cube against both edges' posts.
    let post = ["(or (= yp #x00000001) (= yp (bvadd #x00000001 (bvmul #x00000002 n))))"];
    assert_eq!(example(&["(= yp #x00000000)"], &post, &auto), parity);
}
