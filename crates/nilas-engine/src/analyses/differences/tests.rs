//! Forms and zones against values, and what the analysis finds of small programs.

use super::forms::Decided;
use super::zone::{ZERO, Zone};
use super::{Analysis, columns, differences};
use crate::relevant::Relevant;
use nilas_icp::outward::Range;
use nilas_program::{LiveVariables, parse_program};
use nilas_smt::Budget;
use nilas_term::{Arena, BitVec, Evaluator, Model, Op, RoundingMode, Sort, Value};

struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % bound
    }
}

/// Sums, products and quotients of three floats in single precision, all rounding modes: the value lies within
/// the bound of the form, in zones that know ranges and differences.
#[test]
fn values_are_within_the_bounds_of_forms() {
    let random = &mut Random(0x5851_f42d_4c95_7f2d);
    let single = Sort::Float(8, 24);
    let mut narrow = 0;
    for _ in 0..4_000 {
        let mut arena = Arena::new();
        let mut text = String::from("var x, y, z : fp(8, 24) entry a error e location a, e a -> e { ");
        text.push_str("assume `(fp.lt (fp.add RNE x y) z)` }");
        let program = parse_program(&text).expect("a program of this test");
        let variables = ["x", "y", "z"].map(|name| arena.variable(name, &single).expect("a variable"));
        let values: Vec<f32> =
            (0..3).map(|_| (random.below(4_000_001) as f32 - 2_000_000.0) / 977.0).collect();
        let mut model = Model::new();
        let float = |value: f32| Value::float(8, 24, BitVec::new(32, u64::from(value.to_bits())));
        for (variable, value) in variables.iter().zip(&values) {
            model.set(*variable, float(*value));
        }
        let mut pool = variables.to_vec();
        pool.push(arena.constant(float((random.below(2_001) as f32 - 1_000.0) / 64.0)));
        for _ in 0..6 {
            let mode = RoundingMode::ALL[random.below(5) as usize];
            let mode = arena.constant(Value::RoundingMode(mode));
            let mut pick = || pool[random.below(pool.len() as u64) as usize];
            let (left, right) = (pick(), pick());
            let negated = arena.mk(Op::FpNeg, &[right]);
            let op = [Op::FpAdd, Op::FpAdd, Op::FpMul, Op::FpDiv][random.below(4) as usize];
            pool.push(arena.mk(op, &[mode, left, if random.below(2) == 0 { right } else { negated }]));
        }
        let mut evaluator = Evaluator::new(model);
        let columns = columns(&arena, &program.automaton);
        let columns =
            columns.into_values().map(|(column, _)| (variables[column - 1], (column, true))).collect();
        let (automaton, integers, thresholds) = (&program.automaton, vec![false; 4], Vec::new());
        let analysis = Analysis { arena: &mut arena, automaton, columns, integers, thresholds };
        let some = |random: &mut Random| random.below(100) as f64 / 8.0;
        let numbers: Vec<f64> = values.iter().map(|&value| f64::from(value)).collect();
        let range = |random: &mut Random, &it: &f64| Range { lo: it - some(random), hi: it + some(random) };
        let ranges: Vec<Range> = numbers.iter().map(|it| range(random, it)).collect();
        let mut zone = Zone::of(&ranges);
        for (x, y) in [(1, 2), (2, 3), (3, 1)] {
            let difference = numbers[x - 1] - numbers[y - 1];
            assert!(zone.require(x, y, difference + some(random) / 8.0));
        }
        for &term in &pool {
            let form = analysis.form(&zone, &Decided::default(), term, true).expect("a float");
            let bound = zone.bound(&form);
            let Ok(Value::Float(value)) = evaluator.eval(analysis.arena, term) else { panic!("no value") };
            let Some(value) = super::forms::number(&value) else { continue };
            assert!(bound.lo <= value && value <= bound.hi, "{values:?} {form:?} {bound:?} {value}");
            narrow += usize::from(bound.size().is_finite());
            // The same in a zone in which a column was assigned.
            let mut assigned = zone.clone();
            assert!(assigned.assign(1, &form, Range::ALL));
            for (other, number) in numbers.iter().enumerate().skip(1) {
                let within = value - number <= assigned.most(1, other + 1).next_up();
                assert!(within, "{form:?} {value} {number} {assigned:?}");
            }
            assert!(assigned.most(1, ZERO) >= value);
        }
    }
    assert!(narrow > 10_000, "only {narrow} forms are bounded");
}

fn found(text: &str) -> Vec<String> {
    let program = parse_program(text).expect("a program of this test");
    let mut arena = program.arena.clone();
    let budget = Budget::unlimited();
    let live = LiveVariables::within(&program, &budget).expect("no limit");
    let relevant = Relevant::new(&program.automaton);
    let found = differences(&mut arena, &program.automaton, &relevant, &live, &budget);
    found.into_iter().flatten().map(|formula| nilas_term::smtlib::print_term(&arena, formula)).collect()
}

/// Two counters, of which one never overtakes the other, and both may go on for ever.
#[test]
fn counters_keep_their_order() {
    let text = "var i, j : bv32 entry a error e location a, b, e a -> b { i := 0; j := 0 } \
                b -> b { assume i <s j; i := i + 1 } b -> b { assume j <s 1000; j := j + 1 } \
                b -> e { assume j <s i }";
    let found = found(text);
    assert!(found.iter().any(|formula| formula.contains("bvsle i j")), "{found:#?}");
}

/// A filter that follows an input which moves by at most one: they stay nine apart, and the input is bounded.
#[test]
fn a_filter_follows_its_input() {
    let (one, tenth) = ("(fp #b0 #x7f #b00000000000000000000000)", "(fp #b0 #x7b #b10011001100110011001101)");
    let text = format!(
        "var x, y, d : fp(8, 24) entry a error e location a, b, e \
         a -> b {{ x := `(_ +zero 8 24)`; y := `(_ +zero 8 24)` }} \
         b -> b {{ havoc d; assume `(and (fp.leq (fp.neg {one}) d) (fp.leq d {one}))`; \
         x := `(fp.add RNE x d)`; \
         assume `(and (fp.leq x (fp #b0 #x88 #b11110100000000000000000)) \
         (fp.leq (fp.neg (fp #b0 #x88 #b11110100000000000000000)) x))`; \
         y := `(fp.add RNE y (fp.mul RNE {tenth} (fp.sub RNE x y)))` }} \
         b -> e {{ assume `(fp.lt x y)` }}"
    );
    let found = found(&text);
    assert!(found.iter().any(|formula| formula.contains("fp.add RNE x")), "{found:#?}");
}
