//! Reading what was written, and what others write.

#![allow(clippy::unwrap_used)]

use super::{Definition, TermParser, parse_term};
use crate::arena::Arena;
use crate::smtlib::print_term;
use crate::smtlib::sexpr::Reader;
use crate::sort::Sort;
use crate::testing::{Random, leaves_of_all_sorts, random_term};

fn arena() -> Arena {
    let mut arena = Arena::new();
    for name in ["x", "y", "z"] {
        arena.variable(name, &Sort::BitVec(8)).unwrap();
    }
    for name in ["p", "q"] {
        arena.variable(name, &Sort::Bool).unwrap();
    }
    arena.variable("r", &Sort::Real).unwrap();
    arena.variable("n", &Sort::Int).unwrap();
    arena.variable("f", &Sort::FLOAT32).unwrap();
    arena
}

/// Both texts denote the same term.
#[track_caller]
fn same(left: &str, right: &str) {
    let mut arena = arena();
    let a = parse_term(&mut arena, left).unwrap_or_else(|error| panic!("{left}: {error}"));
    let b = parse_term(&mut arena, right).unwrap_or_else(|error| panic!("{right}: {error}"));
    assert_eq!(a, b, "{left} is {}, {right} is {}", print_term(&arena, a), print_term(&arena, b));
}

#[test]
fn printing_and_reading_is_the_identity_on_random_terms_of_all_sorts() {
    for seed in 1..=40 {
        let mut arena = Arena::new();
        let mut pool = leaves_of_all_sorts(&mut arena);
        let mut random = Random(seed);
        for _ in 0..150 {
            let term = random_term(&mut arena, &mut random, &pool);
            pool.push(term);
        }
        for term in pool {
            let text = print_term(&arena, term);
            match parse_term(&mut arena, &text) {
                Ok(again) => assert_eq!(again, term, "seed {seed}: {text}\n{}", print_term(&arena, again)),
                Err(error) => panic!("seed {seed}: {text}: {error}"),
            }
        }
    }
}

#[test]
fn sharing_keeps_the_text_linear() {
    let mut arena = arena();
    let mut term = parse_term(&mut arena, "x").unwrap();
    let y = parse_term(&mut arena, "y").unwrap();
    for _ in 0..200 {
        let quotient = arena.bv_udiv(term, y);
        term = arena.bv_urem(quotient, term);
    }
    let text = print_term(&arena, term);
    assert!(text.len() < 200 * 60, "{} bytes", text.len());
    assert_eq!(parse_term(&mut arena, &text), Ok(term));
}

#[test]
fn depth_is_bounded_by_memory_only() {
    let mut arena = arena();
    let depth = 100_000;
    let text = "(bvudiv x ".repeat(depth) + "y" + &")".repeat(depth);
    let term = parse_term(&mut arena, &text).unwrap();
    assert_eq!(print_term(&arena, term), text);
    let text = "(let ((a (bvudiv x y))) ".repeat(depth) + "a" + &")".repeat(depth);
    parse_term(&mut arena, &text).unwrap();
    let text = "(not ".repeat(depth) + "p" + &")".repeat(depth);
    assert_eq!(parse_term(&mut arena, &text), parse_term(&mut arena, "p"));
}

#[test]
fn derived_operators_are_their_definitions() {
    same("(bvsub x y)", "(bvadd x (bvneg y))");
    same("(bvuge x y)", "(not (bvult x y))");
    same("(bvsgt x y)", "(bvslt y x)");
    same("(=> p q p)", "(or (not p) (or (not q) p))");
    same("(xor p q p)", "(xor (xor p q) p)");
    same("(distinct x y z)", "(and (not (= x y)) (not (= x z)) (not (= y z)))");
    same("(= x y z)", "(and (= x y) (= y z))");
    same("(bvadd x y z)", "(bvadd (bvadd x y) z)");
    same("(concat x y z)", "(concat (concat x y) z)");
    same("(bvcomp x y)", "(ite (= x y) #b1 #b0)");
    same("((_ rotate_left 3) x)", "(concat ((_ extract 4 0) x) ((_ extract 7 5) x))");
    same("((_ rotate_right 5) x)", "((_ rotate_left 3) x)");
    same("((_ rotate_left 8) x)", "x");
    same("((_ repeat 3) x)", "(concat x x x)");
    same("(bvnand x y)", "(bvnot (bvand x y))");
    same("(bvxnor x y)", "(bvnot (bvxor x y))");
    same("(_ bv10 8)", "#x0a");
    same("(bvusubo x y)", "(bvult x y)");
    same("(> n 0)", "(< 0 n)");
    same("(- n 1)", "(+ n (- 1))");
    same("(<= 1 r)", "(<= 1.0 r)");
    same("(fp.sub RNE f f)", "(fp.add roundNearestTiesToEven f (fp.neg f))");
    same("(fp.gt f (_ +zero 8 24))", "(fp.lt (fp #b0 #x00 #b00000000000000000000000) f)");
    same("((_ to_fp 8 24) RNE 1)", "((_ to_fp 8 24) RNE 1.0)");
    same("(let ((x y) (y x)) (bvudiv x y))", "(bvudiv y x)");
    same("(! (= x y) :named same)", "(= x y)");
    same("(as x (_ BitVec 8))", "x");
}

/// Overflow predicates, against numbers, at all values of three bits.
#[test]
fn overflow_predicates_agree_with_integers() {
    let mut arena = Arena::new();
    let in_signed = |value: i64| !(-4..=3).contains(&value);
    let signed = |value: u64| if value > 3 { value as i64 - 8 } else { value as i64 };
    for a in 0..8u64 {
        for b in 0..8u64 {
            let (s, t) = (signed(a), signed(b));
            for (name, wanted) in [
                ("bvuaddo", a + b > 7),
                ("bvsaddo", in_signed(s + t)),
                ("bvumulo", a * b > 7),
                ("bvsmulo", in_signed(s * t)),
                ("bvusubo", a < b),
                ("bvssubo", in_signed(s - t)),
                ("bvsdivo", t != 0 && in_signed(s / t)),
            ] {
                let text = format!("({name} (_ bv{a} 3) (_ bv{b} 3))");
                let term = parse_term(&mut arena, &text).unwrap();
                assert_eq!(arena.as_bool(term), Some(wanted), "{text}");
            }
        }
        let term = parse_term(&mut arena, &format!("(bvnego (_ bv{a} 3))")).unwrap();
        assert_eq!(arena.as_bool(term), Some(a == 4));
    }
}

#[test]
fn mistakes_are_reported_where_they_are() {
    for (text, offset, part) in [
        ("", 0, "term expected"),
        ("x y", 2, "end expected"),
        ("(bvadd x w)", 9, "unknown symbol `w`"),
        ("(bvadd x p)", 1, "sort"),
        ("(bvadd x)", 1, "at least 2"),
        ("(frobnicate x)", 1, "unknown symbol"),
        ("((_ extract 9 0) x)", 1, "do not exist"),
        ("(x y)", 1, "0 arguments expected"),
        ("(let ((a)) x)", 6, "binding"),
        ("(let () x)", 5, "bindings"),
        ("(forall ((a Int)) p)", 1, "quantifiers"),
        ("()", 0, "term expected"),
        ("(and p (or q", 7, "never closed"),
        ("(= x #b1)", 1, "different sorts"),
        ("(_ bv300 8)", 0, "no such constant"),
        ("(_ bv1 0)", 0, "between 1"),
        ("((_ repeat 0) x)", 1, "at least one"),
        ("((_ repeat 99999999) x)", 1, "at most"),
        ("((_ zero_extend 99999999) x)", 1, "not between"),
        ("((as const (_ BitVec 8)) x)", 5, "unknown"),
        ("(as x Foo)", 6, "unknown sort `Foo`"),
        ("\"text\"", 0, "term expected"),
        ("(true)", 1, "needs arguments"),
        ("(ubv_to_int x)", 1, "unknown symbol"),
        ("(ite p x q)", 1, "different sorts"),
        ("(/ p q)", 1, "Real"),
    ] {
        let mut arena = arena();
        let error = parse_term(&mut arena, text).expect_err(text);
        assert!(error.message.contains(part), "{text}: {error}");
        assert_eq!(error.offset, offset, "{text}: {error}");
    }
}

#[test]
fn definitions_locals_and_sorts() {
    let mut arena = arena();
    let mut parser = TermParser::new();
    let read = |text: &'static str| Reader::new(text).read().unwrap().unwrap();
    let parameter = arena.fresh_variable("a", &Sort::BitVec(8));
    let locals = [("a".to_owned(), parameter)];
    let body = parser.parse_term(&mut arena, read("(bvadd a a #x01)").root(), &locals).unwrap();
    parser.define("double", Definition { parameters: vec![parameter], body });
    let term = parser.parse_term(&mut arena, read("(double (double y))").root(), &[]).unwrap();
    assert_eq!(Ok(term), parse_term(&mut arena, "(bvadd (bvmul #x04 y) #x03)"));
    let error = parser.parse_term(&mut arena, read("(double p)").root(), &[]).unwrap_err();
    assert!(error.message.contains("Bool found"), "{error}");
    parser.undefine("double");
    assert!(parser.parse_term(&mut arena, read("(double y)").root(), &[]).is_err());

    parser
        .parse_term(&mut arena, read("(and (! p :named first) (! q :named |the second|))").root(), &[])
        .unwrap();
    let names: Vec<String> = parser.take_named().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["first", "the second"]);

    parser.declare_sort("T");
    let body = {
        let mut inner = parser.clone();
        inner.declare_sort("E");
        inner.parse_sort(read("(Array T (Array Int E))").root()).unwrap()
    };
    parser.define_sort("Map", vec!["E".to_owned()], body);
    let sort = parser.parse_sort(read("(Map (_ FloatingPoint 8 24))").root()).unwrap();
    assert_eq!(sort.to_string(), "(Array T (Array Int (_ FloatingPoint 8 24)))");
    for text in
        ["(Map)", "Map", "(_ BitVec 0)", "(_ FloatingPoint 1 1)", "BitVec", "(Array Int)", "()", "(_ Foo 1)"]
    {
        assert!(parser.parse_sort(read(text).root()).is_err(), "{text}");
    }
    let deep: &'static str =
        Box::leak(("(Array Int ".repeat(5000) + "Int" + &")".repeat(5000)).into_boxed_str());
    assert!(parser.parse_sort(read(deep).root()).unwrap_err().message.contains("deep"));
}

/// Texts of terms with pieces cut, doubled and exchanged: an error or a term, never a panic.
#[test]
fn damaged_text_is_refused_without_panic() {
    let pieces = [
        "(",
        ")",
        " ",
        "|",
        "\"",
        "#b1",
        "#x",
        "_",
        "as",
        "let",
        "!",
        ":named",
        "x",
        "p",
        "n",
        "r",
        "f",
        "1",
        "2.5",
        "99999999999",
        "bvadd",
        "extract",
        "fp",
        "to_fp",
        "const",
        "Array",
        "é",
        "\0",
        ";",
        "bv7",
        "@1",
        "Thing",
        "(_ bv5 3)",
        "(_ BitVec 8)",
        "((a x))",
        "RNE",
        "-",
        "/",
        "0",
        "divisible",
        "repeat",
        "concat",
        "store",
    ];
    for seed in 1..=20 {
        let mut arena = Arena::new();
        let mut pool = leaves_of_all_sorts(&mut arena);
        let mut random = Random(seed);
        for _ in 0..60 {
            let term = random_term(&mut arena, &mut random, &pool);
            pool.push(term);
        }
        for _ in 0..300 {
            let mut text: Vec<char> = print_term(&arena, random.pick(&pool)).chars().collect();
            for _ in 0..1 + random.below(4) {
                let (a, b) = (random.below(text.len() + 1), random.below(text.len() + 1));
                let (from, to) = (a.min(b), a.max(b).min(a.min(b) + 12));
                match random.below(3) {
                    0 => drop(text.drain(from..to)),
                    1 => {
                        let copy = text[from..to].to_vec();
                        text.splice(from..from, copy);
                    }
                    _ => {
                        let piece: Vec<char> = random.pick(&pieces).chars().collect();
                        text.splice(from..to.min(from + 3), piece);
                    }
                }
            }
            let text: String = text.into_iter().collect();
            if let Err(error) = parse_term(&mut arena, &text) {
                assert!(error.offset <= text.len() && text.is_char_boundary(error.offset), "{text}: {error}");
            }
        }
    }
}
