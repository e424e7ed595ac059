//! Formulas are written as people expect them, and mean in C what they mean as terms.

#![allow(clippy::unwrap_used)]

use super::*;
use crate::scalar::Scalar;
use nilas_run::choice::Inputs;
use nilas_run::{Discard, End, Interpreter, Options};
use nilas_term::smtlib::parse_term;
use nilas_term::{BitVec, Evaluator, Model, Op, Value};

/// Variables of all widths and signs: name, type in C, width.
const VARIABLES: [(&str, &str, u32, bool); 8] = [
    ("main::sc", "signed char", 8, true),
    ("main::uc", "unsigned char", 8, false),
    ("main::ss", "short", 16, true),
    ("main::us", "unsigned short", 16, false),
    ("main::x", "int", 32, true),
    ("main::u", "unsigned", 32, false),
    ("main::l", "long long", 64, true),
    ("main::ul", "unsigned long long", 64, false),
];

fn setting() -> (Arena, Vec<Term>, Scalars) {
    let mut arena = Arena::new();
    let mut scalars = Scalars::default();
    let mut variables = Vec::new();
    for (name, _, width, signed) in VARIABLES {
        variables.push(arena.variable(name, &Sort::BitVec(width)).unwrap());
        let scalar = if signed { Scalar::Signed } else { Scalar::Unsigned };
        scalars.types.insert(name.to_owned(), scalar);
    }
    for name in ["f::y", "g::y"] {
        arena.variable(name, &Sort::BitVec(32)).unwrap();
    }
    arena.variable("main::a[]", &Sort::array(Sort::BitVec(64), Sort::BitVec(8))).unwrap();
    scalars.types.insert("main::a[]".to_owned(), Scalar::Unsigned);
    arena.variable("main::k", &Sort::FLOAT32).unwrap();
    arena.variable("main::state", &Sort::BitVec(32)).unwrap();
    let constants = vec![("IDLE".to_owned(), 0), ("BUSY".to_owned(), 1), ("DONE".to_owned(), 2)];
    scalars.types.insert("main::state".to_owned(), Scalar::Enumeration { signed: false, constants });
    arena.variable("main::p", &Sort::BitVec(64)).unwrap();
    scalars.types.insert("main::p".to_owned(), Scalar::Pointer);
    scalars.addresses.insert(0x100, "t_blink".to_owned());
    (arena, variables, scalars)
}

#[track_caller]
fn check(formula: &str, expected: &[&str]) {
    let (mut arena, _, scalars) = setting();
    let term = parse_term(&mut arena, formula).unwrap();
    assert_eq!(facts(&arena, term, &scalars), expected, "{formula}");
}

/// Of many bounds of a float the tightest are told, and not that it is a number.
#[test]
fn bounds_of_floats_are_ranges() {
    let number = |bits: &str| format!("(fp #b{} #b{} #b{})", &bits[..1], &bits[1..9], &bits[9..]);
    let float = |value: f32| number(&format!("{:032b}", value.to_bits()));
    let [zero, minus, small, large] = [0.0, -1.0, 2.5, 45.0].map(float);
    let k = "|main::k|";
    check(
        &format!(
            "(and (fp.leq {minus} {k}) (fp.leq {zero} {k}) (fp.lt {k} {small}) (fp.leq {k} {large}) (not (fp.isNaN {k})))"
        ),
        &["0.0f <= k && k < 2.5f"],
    );
    check(&format!("(and (fp.lt {zero} {k}) (fp.leq {zero} {k}))"), &["0.0f < k"]);
    check(&format!("(or (fp.lt {zero} {k}) (fp.leq {k} {minus}))"), &["0.0f < k || k <= -1.0f"]);
}

/// What is chosen among addresses is told by what it is chosen by; sums of addresses are left out.
#[test]
fn addresses_are_told_by_conditions() {
    let chosen = "(ite (= |main::state| #x00000000) #x0000000000001000 (ite (= |main::state| #x00000001) \
                  #x0000000000001010 #x0000000000001020))";
    check(&format!("(bvule {chosen} #x0000000000001010)"), &["state <= 1"]);
    check(&format!("(= {chosen} #x0000000000001020)"), &["state >= 2"]);
    let (mut arena, _, scalars) = setting();
    let sum = format!(
        "(and (bvult (bvadd |main::p| #x0000000000001010) |main::p|) (bvule {chosen} #x0000000000001010))"
    );
    let term = parse_term(&mut arena, &sum).unwrap();
    let left = "… and a fact about addresses or with many cases";
    assert_eq!(readable_facts(&arena, term, &scalars), ["state <= 1", left]);
}

/// What holds only in some cases is told case by case.
#[test]
fn choices_are_taken_apart() {
    check(
        "(ite (= |main::state| #x00000000) (bvsle |main::x| #x00000009) (= |main::u| #x00000001))",
        &["x <= 9 || state >= 1", "u == 1 || state == IDLE"],
    );
}

#[test]
fn bounds_are_ranges_in_the_sign_of_the_source() {
    check("(bvult |main::uc| #xc8)", &["uc <= 199"]);
    check("(bvule |main::x| #x00000009)", &["0 <= x && x <= 9"]);
    check("(bvsle |main::x| #x00000009)", &["x <= 9"]);
    check("(bvslt #x00000009 |main::x|)", &["x >= 10"]);
    check("(and (bvsle |main::x| #x00000009) (bvsle #xffffffff |main::x|))", &["-1 <= x && x <= 9"]);
    check("(and (bvule |main::u| #x00000009) (not (= |main::u| #x00000000)))", &["1 <= u && u <= 9"]);
    check("(= |main::x| #xffffffff)", &["x == -1"]);
    check("(= |main::u| #xffffffff)", &["u == 4294967295"]);
    check("(not (= |main::x| #x00000003))", &["x != 3"]);
    check("(or (= |main::u| #x00000003) (bvult #x00000008 |main::u|))", &["u == 3 || u >= 9"]);
    check("true", &[]);
    check("(and (bvsle |main::x| #x00000001) (bvsle #x00000005 |main::x|))", &["never reached"]);
    check(
        "(and (bvsle (bvadd |main::x| #x00000001) #x0000000a) (bvsle #x00000000 |main::x|))",
        &["(0 <= x && x <= 9) || x == 2147483647"],
    );
    // What is known anyway is left out of cases.
    check(
        "(and (bvsle |main::x| #x00000005) (bvsle #x00000001 |main::x|)
              (or (= |main::u| #x00000000) (bvsle (bvadd |main::x| #x00000001) #x00000002)))",
        &["1 <= x && x <= 5", "u == 0 || x <= 1"],
    );
    // Extensions say nothing to a person.
    check("(bvsle ((_ zero_extend 24) |main::uc|) #x00000009)", &["uc <= 9"]);
    check("(bvsle ((_ sign_extend 24) |main::sc|) #xfffffffe)", &["sc <= -2"]);
}

#[test]
fn names_are_those_of_the_source() {
    check("(= |main::state| #x00000002)", &["state == DONE"]);
    check("(= |main::p| #x0000000000000000)", &["p == NULL"]);
    check("(not (= |main::p| #x0000000000000100))", &["p != t_blink"]);
    check("(not (= |f::y| |g::y|))", &["f::y != g::y"]);
    check("(= (select |main::a[]| ((_ sign_extend 32) |main::x|)) #xf0)", &["a[x] == 240"]);
    check("(fp.leq |main::k| ((_ to_fp 8 24) RNE 0.5))", &["k <= 0.5f"]);
}

#[test]
fn casts_stand_where_c_needs_them() {
    check("(bvult |main::x| |f::y|)", &["(unsigned)x < (unsigned)y"]);
    check("(bvslt |main::x| |f::y|)", &["x < y"]);
    check("(bvule |main::u| (bvadd |main::x| #xffffffff))", &["u <= (unsigned)(x - 1)"]);
    check("(= (bvadd |main::uc| #x01) #x00)", &["uc == 255"]);
    check("(bvult (bvmul |main::uc| |main::uc|) #x09)", &["(unsigned char)(uc * uc) <= 8"]);
    check("(= ((_ extract 0 0) |main::x|) #b1)", &["(x & 1) == 1"]);
    check("(= (bvand |main::x| (bvadd |f::y| #x00000001)) #x00000000)", &["(x & (y + 1)) == 0"]);
}

#[test]
fn the_most_telling_facts_come_first() {
    check(
        "(and (bvsle |main::x| #x00000009) (or (= |main::u| #x00000000) (bvslt |main::x| |f::y|))
              (= (bvadd |main::x| |f::y|) |main::ss32|))"
            .replace("|main::ss32|", "((_ sign_extend 16) |main::ss|)")
            .as_str(),
        &["x + y == ss", "x <= 9", "x < y || u == 0"],
    );
}

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() >> 11) as usize % bound
    }
}

/// A random formula over the variables.
fn formula(arena: &mut Arena, variables: &[Term], random: &mut Random) -> Term {
    let mut terms = variables.to_vec();
    for width in [8, 16, 32, 64] {
        for _ in 0..2 {
            let value = random.next() >> random.below(60);
            terms.push(arena.bv(width, value & (u64::MAX >> (64 - width))));
        }
    }
    let two = [
        Op::BvAdd,
        Op::BvMul,
        Op::BvAnd,
        Op::BvOr,
        Op::BvXor,
        Op::BvAdd,
        Op::BvAdd,
        Op::BvLshr,
        Op::BvUdiv,
        Op::BvUrem,
    ];
    for _ in 0..12 {
        let one = terms[random.below(terms.len())];
        let width = arena.width(one);
        let alike: Vec<Term> = terms.iter().copied().filter(|&it| arena.width(it) == width).collect();
        let other = alike[random.below(alike.len())];
        let made = match random.below(8) {
            0 if width < 64 => arena.zero_extend(one, width),
            1 if width < 64 => arena.sign_extend(one, width),
            2 if width > 8 => arena.extract(one, width / 2 - 1, 0),
            3 => arena.bv_not(one),
            4 => arena.bv_neg(one),
            _ => arena.try_mk(two[random.below(two.len())], &[one, other]).unwrap(),
        };
        if matches!(arena.width(made), 8 | 16 | 32 | 64) {
            terms.push(made);
        }
    }
    let mut literals = Vec::new();
    for _ in 0..4 {
        let one = terms[terms.len() - 1 - random.below(8)];
        let alike: Vec<Term> =
            terms.iter().copied().filter(|&it| arena.width(it) == arena.width(one)).collect();
        let other = alike[random.below(alike.len())];
        let op = [Op::BvSlt, Op::BvSle, Op::BvUlt, Op::BvUle, Op::Eq][random.below(5)];
        let literal = arena.try_mk(op, &[one, other]).unwrap();
        literals.push(if random.below(3) == 0 { arena.not(literal) } else { literal });
    }
    let (left, right) = (arena.or(&literals[..2]), arena.or(&literals[2..]));
    match random.below(4) {
        0 => arena.and(&literals),
        3 => {
            let inner = arena.try_mk(Op::Ite, &[literals[0], left, literals[3]]).unwrap();
            arena.try_mk(Op::Ite, &[literals[2], inner, right]).unwrap()
        }
        1 => arena.and(&[left, right]),
        _ => {
            let inner = arena.and(&[literals[0], right]);
            let negated = arena.not(inner);
            arena.or(&[negated, literals[1]])
        }
    }
}

/// What is printed, run as C by the reference interpreter, has the value that the term has.
#[test]
fn what_is_printed_means_the_same_in_c() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    for round in 0..150 {
        let (mut arena, variables, scalars) = setting();
        let term = formula(&mut arena, &variables, &mut random);
        let printed = print(&arena, term, &scalars);
        let listed = facts(&arena, term, &scalars);
        let listed = match &listed[..] {
            [] => "1".to_owned(),
            [never] if never == "never reached" => "0".to_owned(),
            all => all.iter().map(|fact| format!("({fact})")).collect::<Vec<_>>().join(" && "),
        };
        let declared: String = VARIABLES
            .iter()
            .map(|(name, ty, ..)| {
                let name = name.rsplit("::").next().unwrap();
                format!("  {ty} {name} = ({ty})__VERIFIER_nondet_ulong();\n")
            })
            .collect();
        let text = format!(
            "extern unsigned long __VERIFIER_nondet_ulong(void);\nint main(void) {{\n{declared}  \
             return 2 * !!({printed}) + !!({listed});\n}}\n"
        );
        let input = nilas_c::Input::Text { name: "printed.c".into(), text: text.clone().into_bytes() };
        let tree = nilas_c::parse_program(&input, &nilas_c::Options::default())
            .unwrap_or_else(|failure| panic!("round {round}: {}\n{text}", failure.render()));
        for _ in 0..6 {
            let values: Vec<u64> = (0..VARIABLES.len()).map(|_| random.next() >> random.below(64)).collect();
            let mut model = Model::new();
            for ((&variable, value), (_, _, width, _)) in variables.iter().zip(&values).zip(VARIABLES) {
                let value = BitVec::new(width, value & (u64::MAX >> (64 - width)));
                model.set(variable, Value::BitVec(value));
            }
            let expected = i32::from(Evaluator::new(model).holds(&arena, term).unwrap()) * 3;
            let mut inputs = Inputs::new(values.iter().map(|&value| i128::from(value)));
            let interpreter = Interpreter::new(&tree);
            let options = Options::default();
            let end = interpreter.run_here(&options, &mut inputs, &mut Discard, 1 << 20).end;
            // Where the term divides by zero, C says nothing.
            if let End::Undefined(_) = end {
                continue;
            }
            assert_eq!(end, End::Exit(expected), "round {round}, {values:?}\n{text}");
        }
    }
}
