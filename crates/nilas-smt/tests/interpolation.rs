//! Interpolants of random formulas, checked by enumeration; those of random paths; the examples of the
//! thesis.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod common;

use common::{Formulas, Rng};
use nilas_smt::interpolate::{
    InterpolateOptions, Method, Style, System, interpolate, is_interpolant, is_sequence, sequence,
};
use nilas_smt::{Answer, Budget, Embedded, Interrupt, Reason, Solver};
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
    let mut solver = Embedded::hard();
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
    for seed in 1..=3000u64 {
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
        let mut judged: BTreeSet<Term> = BTreeSet::new();
        for ((name, options), found) in ways.iter().zip(&mut found) {
            let text = |arena: &Arena| {
                format!("seed {seed}, {name}\nA:\n{}B:\n{}", show(arena, &a), show(arena, &b))
            };
            let Some(interpolant) = interpolate(&mut arena, &a, &b, options, &Budget::unlimited())
                .unwrap_or_else(|why| panic!("{why}"))
            else {
                continue;
            };
            *found += 1;
            if !judged.insert(interpolant) {
                continue;
            }
            let text = format!("{}I:\n{}", text(&arena), show(&arena, &[interpolant]));
            assert!(variables(&arena, &[interpolant]).is_subset(&shared), "not over shared symbols\n{text}");
            let negated = arena.not(interpolant);
            let refuted = |terms: Vec<Term>| all.enumerate(&arena, &terms).is_none();
            assert!(refuted([a.clone(), vec![negated]].concat()), "not implied by A\n{text}");
            assert!(refuted([b.clone(), vec![interpolant]].concat()), "has a model with B\n{text}");
        }
    }
    println!("{pairs} pairs");
    assert!(pairs >= 150, "{pairs} pairs only");
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
    for seed in 1..=800u64 {
        let mut rng = Rng::new(seed);
        let mut arena = Arena::new();
        let width = 1 + u32::try_from(rng.below(2)).unwrap();
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
        let mut judged: BTreeSet<Vec<Term>> = BTreeSet::new();
        for ((name, options), found) in ways.iter().zip(&mut found) {
            let interpolants = sequence(&mut arena, &path, options, &Budget::unlimited())
                .unwrap_or_else(|why| panic!("{why}"));
            let Some(interpolants) = interpolants else { continue };
            *found += 1;
            if !judged.insert(interpolants.clone()) {
                continue;
            }
            let text = format!(
                "seed {seed}, {name}\n{}I:\n{}",
                show(&arena, &path.concat()),
                show(&arena, &interpolants)
            );
            assert_eq!(interpolants.len(), path.len() + 1, "{text}");
            assert_eq!(arena.as_bool(interpolants[0]), Some(true), "{text}");
            assert_eq!(arena.as_bool(interpolants[path.len()]), Some(false), "{text}");
            for step in 0..path.len() {
                let (before, behind) = path.split_at(step);
                let shared: BTreeSet<Term> =
                    &variables(&arena, &before.concat()) & &variables(&arena, &behind.concat());
                assert!(
                    variables(&arena, &[interpolants[step]]).is_subset(&shared),
                    "symbols at {step}\n{text}"
                );
                let negated = arena.not(interpolants[step + 1]);
                let terms = [path[step].clone(), vec![interpolants[step], negated]].concat();
                assert!(all.enumerate(&arena, &terms).is_none(), "not inductive at {step}\n{text}");
            }
        }
    }
    println!("{paths} paths");
    assert!(paths >= 80, "{paths} paths only");
    for ((name, _), found) in ways.iter().zip(&found) {
        assert!(*found == paths, "{name} has found {found} of {paths}");
    }
}

/// Interpolates formulas over 32-bit words `x`, `y`, `z`, their primed versions, a function `f` and arrays
/// `a`, `b`.
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

/// Thesis 5.10: Jain1. The cube y' = 0 is generalised against the edge y := 1, and the result is inductive
/// over y := y + 2n.
#[test]
fn the_lowest_bit_of_jain1() {
    let (arena, parts) = parse(&[&["(= ((_ extract 0 0) yp) #b0)"]]);
    let parity = Some(print_term(&arena, parts[0][0]));
    let auto = InterpolateOptions::default();
    assert_eq!(example(&["(= yp #x00000000)"], &["(= yp #x00000001)"], &auto), parity);
    assert_eq!(example(&["(= yp #x00000000)"], &["(= y #x00000001)", "(= yp y)"], &auto), parity);
    for (name, options) in ways() {
        let found = example(&["(= yp #x00000000)"], &["(= y #x00000001)", "(= yp y)"], &options);
        assert_eq!(found, parity, "{name}");
    }
    // The self-loop: the found cube as A, the frame without it and the edge as B.
    let step = ["(= ((_ extract 0 0) y) #b1)", "(= yp (bvadd y (bvmul #x00000002 n)))"];
    assert_eq!(example(&["(= ((_ extract 0 0) yp) #b0)"], &step, &auto), parity);
    // The whole cube against both edges' posts.
    let post = ["(or (= yp #x00000001) (= yp (bvadd #x00000001 (bvmul #x00000002 n))))"];
    assert_eq!(example(&["(= yp #x00000000)"], &post, &auto), parity);
}

/// Functions and arrays: congruence and reads inside of the parts.
#[test]
fn functions_and_arrays() {
    let auto = InterpolateOptions::default();
    let cases: [(&[&str], &[&str]); 9] = [
        (&["(= (f x) #x00000001)", "(= x y)"], &["(= (f y) #x00000002)"]),
        (&["(= x y)"], &["(not (= (f x) (f y)))"]),
        (&["(= (f x) z)", "(= (f y) z)", "(= z #x00000003)", "(= y xp)"], &["(= (f xp) #x00000004)"]),
        (&["(= (f (f x)) x)", "(= (f x) y)"], &["(= (f y) xp)", "(not (= (f xp) y))"]),
        (&["(= b (store a x #x00000005))"], &["(= (select b x) #x00000006)"]),
        (&["(= (select a x) #x00000001)"], &["(= x y)", "(= (select a y) #x00000002)"]),
        (&["(= y (select (store a x z) x))"], &["(bvult y z)"]),
        (&["(= b (store a x #x00000000))", "(= y (select b x))"], &["(= y #x00000001)"]),
        (
            &["(= zp (select (store (store a x #x00000001) y #x00000003) n))", "(= n x)"],
            &["(= zp #x00000002)"],
        ),
    ];
    for (a, b) in cases {
        println!("A: {a:?}\nB: {b:?}");
        let mut some = 0;
        for (name, options) in ways() {
            let found = example(a, b, &options);
            println!("  {name}: {}", found.as_deref().unwrap_or("none"));
            some += u32::from(found.is_some());
        }
        let found = example(a, b, &auto);
        let expected = !a.contains(&"(= (f (f x)) x)");
        assert!(some > 0 || !expected, "none for {a:?} and {b:?}");
        assert!(found.is_some() || !expected, "none for {a:?} and {b:?}");
    }
}

/// A path through a loop, and one with an array, as engines unroll them.
#[test]
fn sequences_at_32_bits() {
    let paths: [&[&[&str]]; 4] = [
        // y := 1; y := y + 2n; assume y = 0
        &[&["(= y #x00000001)"], &["(= yp (bvadd y (bvmul #x00000002 n)))"], &["(= yp #x00000000)"]],
        // x := 0; x := x + 1; x := x + 1; assume x > 2
        &[
            &["(= x #x00000000)"],
            &["(= xp (bvadd x #x00000001))"],
            &["(= y (bvadd xp #x00000001))"],
            &["(bvugt y #x00000002)"],
        ],
        // assume x < 10; y := x; assume y > 20
        &[&["(bvslt x #x0000000a)"], &["(= y x)"], &["(bvsgt y #x00000014)"]],
        &[
            &["(= x #x00000001)", "(= z #x00000000)"],
            &["(= b (store a x z))"],
            &["(= y (select b x))"],
            &["(= y x)"],
        ],
    ];
    for path in paths {
        println!("{path:?}");
        for (name, options) in ways() {
            let (mut arena, parts) = parse(path);
            let found = sequence(&mut arena, &parts, &options, &Budget::unlimited()).unwrap();
            let found = found.unwrap_or_else(|| panic!("{name} has found none for {path:?}"));
            let text: Vec<String> = found.iter().map(|&term| print_term(&arena, term)).collect();
            println!("  {name}: {text:?}");
        }
    }
}

#[test]
fn no_interpolant_is_a_normal_answer() {
    let square = ["(distinct yp (bvadd (bvmul x x) (bvmul #x00000002 (bvmul x y)) (bvmul y y)))"];
    for (name, options) in ways() {
        // There is a model.
        assert_eq!(example(&["(bvult x y)"], &["(bvult y z)"], &options), None, "{name}");
        let (mut arena, parts) = parse(&[&["(bvult x y)"], &["(bvult y z)"]]);
        assert_eq!(sequence(&mut arena, &parts, &options, &Budget::unlimited()), Ok(None), "{name}");
        assert_eq!(sequence(&mut arena, &[], &options, &Budget::unlimited()), Ok(None), "{name}");
        // No room for an answer.
        let (mut arena, parts) = parse(&[&["(= yp (bvmul (bvadd x y) (bvadd x y)))"], &square]);
        let tight = InterpolateOptions { check_conflicts: 1, conflicts: 1, ..options.clone() };
        assert_eq!(
            interpolate(&mut arena, &parts[0], &parts[1], &tight, &Budget::unlimited()),
            Ok(None),
            "{name}"
        );
    }
}

#[test]
fn a_budget_ends_it() {
    for (name, options) in ways() {
        let (mut arena, parts) = parse(&[&["(= y #x00000000)"], &["(= y #x00000001)"]]);
        let budget = Budget::unlimited();
        budget.cancel.cancel(Interrupt::Timeout);
        let expected = Err(Reason::Interrupted(Interrupt::Timeout));
        assert_eq!(interpolate(&mut arena, &parts[0], &parts[1], &options, &budget), expected, "{name}");
    }
}

/// The judge refuses what is wrong in one condition each.
#[test]
fn the_checker_refuses() {
    let texts = [
        "(= y #x00000000)",
        "(= y #x00000001)",
        "(= y #x00000003)",
        "(= x x)",
        "(bvule x y)",
        "true",
        "false",
    ];
    let (mut arena, parts) =
        parse(&[&["(bvule y #x00000004)", "(bvule x y)"], &["(bvugt y #x00000009)"], &texts]);
    let budget = Budget::unlimited();
    for &wrong in &parts[2] {
        let text = print_term(&arena, wrong);
        assert_eq!(is_interpolant(&mut arena, &parts[0], &parts[1], wrong, &budget), Ok(false), "{text}");
    }
    let right = parse_term(&mut arena, "(bvule y #x00000007)").unwrap();
    assert_eq!(is_interpolant(&mut arena, &parts[0], &parts[1], right, &budget), Ok(true));
    let ends = (arena.mk_true(), arena.mk_false());
    let path = &parts[..2];
    assert_eq!(is_sequence(&mut arena, path, &[ends.0, right, ends.1], &budget), Ok(true));
    assert_eq!(is_sequence(&mut arena, path, &[ends.0, ends.0, ends.1], &budget), Ok(false));
    assert_eq!(is_sequence(&mut arena, path, &[right, right, ends.1], &budget), Ok(false));
    assert_eq!(is_sequence(&mut arena, path, &[ends.0, right, right], &budget), Ok(false));
    assert_eq!(is_sequence(&mut arena, path, &[ends.0, ends.1], &budget), Ok(false));
}

/// What each way finds, printed with `--nocapture`; all of it was checked by `interpolate`.
#[test]
fn every_way_on_examples() {
    let examples: [(&[&str], &[&str]); 8] = [
        (&["(= yp #x00000000)"], &["(= yp #x00000001)"]),
        (&["(= yp #x00000005)"], &["(bvugt yp #x0000000a)"]),
        (&["(bvule x #x00000003)", "(= y (bvadd x #x00000001))"], &["(= y #x00000009)"]),
        (&["(= y (bvmul #x00000002 x))"], &["(= y (bvadd #x00000001 (bvmul #x00000002 z)))"]),
        (&["(= x y)", "(bvult y z)"], &["(bvule z x)"]),
        (&["(bvslt x #x00000000)", "(= y (ite (bvslt x #x00000000) (bvneg x) x))"], &["(= y #x00000000)"]),
        (&["(bvult x #x00000064)", "(bvult y #x00000064)", "(= z (bvadd x y))"], &["(bvult #x000000c8 z)"]),
        (
            &["(or (= x #x00000001) (= x #x00000002))", "(= y x)"],
            &["(or (= y #x00000000) (bvugt y #x00000007))"],
        ),
    ];
    for (a, b) in examples {
        println!("A: {a:?}\nB: {b:?}");
        for (name, options) in ways() {
            let found = example(a, b, &options);
            let mut text = found.clone().unwrap_or("none".to_owned());
            if text.len() > 300 {
                text = format!("{} characters", text.len());
            }
            println!("  {name}: {text}");
            assert!(
                found.is_some() || name == "post" || name == "pre",
                "{name} has found none for {a:?} and {b:?}"
            );
        }
    }
}
