//! Intervals against the evaluator, on all values of tiny sorts; then formulas as a whole.

mod tampering;

use super::backward::backward;
use super::forward::forward;
use super::known::Known;
use super::{Linear, Node, nodes, refuted};
use nilas_smt::Budget;
use nilas_term::{Arena, BitVec, Evaluator, Model, Op, RoundingMode, Sort, Term, Value};

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }

    /// Bits, often of a small number.
    fn bits(&mut self) -> u64 {
        let (high, low) = (self.below(1 << 32) as u64, self.below(1 << 32) as u64);
        (high << 32 | low) >> self.pick(&[0, 0, 0, 32, 56])
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

const FLOAT: Sort = Sort::Float(2, 3);
const WIDTH: u32 = 4;
const BITS: Sort = Sort::BitVec(WIDTH);

fn values(sort: &Sort) -> Vec<Value> {
    match sort {
        Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Sort::BitVec(width) => (0..1 << width).map(|bits| Value::BitVec(BitVec::new(*width, bits))).collect(),
        Sort::RoundingMode => RoundingMode::ALL.iter().map(|&mode| Value::RoundingMode(mode)).collect(),
        Sort::Float(exponent, significand) => {
            let width = exponent + significand;
            let all = (0..1 << width).map(|bits| BitVec::new(width, bits));
            all.map(|bits| Value::float(*exponent, *significand, bits)).collect()
        }
        _ => Vec::new(),
    }
}

fn contains(known: Known, value: &Value) -> bool {
    !Known::one(value).meet(known).is_empty()
}

/// The hull of a few values.
fn some(random: &mut Random, values: &[Value]) -> Known {
    let mut hull = Known::one(&values[random.below(values.len())]);
    for _ in 0..random.below(3) {
        hull = hull.join(Known::one(&values[random.below(values.len())]));
    }
    hull
}

/// Operators and the sorts of their operands.
fn operators() -> Vec<(Op, Vec<Sort>)> {
    let (b, f, m) = (|| BITS, || FLOAT, || Sort::RoundingMode);
    let mut all = vec![
        (Op::Not, vec![Sort::Bool]),
        (Op::And, vec![Sort::Bool, Sort::Bool]),
        (Op::Or, vec![Sort::Bool, Sort::Bool]),
        (Op::Xor, vec![Sort::Bool, Sort::Bool]),
        (Op::Eq, vec![Sort::Bool, Sort::Bool]),
        (Op::Eq, vec![b(), b()]),
        (Op::Eq, vec![f(), f()]),
        (Op::Ite, vec![Sort::Bool, f(), f()]),
        (Op::Ite, vec![Sort::Bool, b(), b()]),
        (Op::Extract { hi: 2, lo: 0 }, vec![b()]),
        (Op::Extract { hi: 3, lo: 1 }, vec![b()]),
        (Op::ZeroExtend(2), vec![b()]),
        (Op::SignExtend(2), vec![b()]),
        (Op::FpFma, vec![m(), f(), f(), f()]),
        (Op::FpToFp(3, 4), vec![m(), f()]),
        (Op::FpToFp(2, 2), vec![m(), f()]),
        (Op::FpFromSigned(3, 3), vec![m(), b()]),
        (Op::FpFromUnsigned(2, 3), vec![m(), b()]),
        (Op::FpToSigned(3), vec![m(), f()]),
        (Op::FpToSigned(2), vec![m(), f()]),
        (Op::FpToUnsigned(2), vec![m(), f()]),
        (Op::FpFromIeeeBits(2, 2), vec![b()]),
        (Op::FpToIeeeBits, vec![f()]),
    ];
    for op in [Op::BvNot, Op::BvNeg] {
        all.push((op, vec![b()]));
    }
    for op in [
        Op::BvAdd,
        Op::BvMul,
        Op::BvUdiv,
        Op::BvUrem,
        Op::BvSdiv,
        Op::BvSrem,
        Op::BvSmod,
        Op::BvShl,
        Op::BvLshr,
        Op::BvAshr,
        Op::BvAnd,
        Op::BvOr,
        Op::BvXor,
        Op::Concat,
        Op::BvUlt,
        Op::BvUle,
        Op::BvSlt,
        Op::BvSle,
    ] {
        all.push((op, vec![b(), b()]));
    }
    for op in [Op::FpAdd, Op::FpMul, Op::FpDiv] {
        all.push((op, vec![m(), f(), f()]));
    }
    for op in [Op::FpSqrt, Op::FpRoundToIntegral] {
        all.push((op, vec![m(), f()]));
    }
    for op in [Op::FpLt, Op::FpLe, Op::FpEq, Op::FpMin, Op::FpMax, Op::FpRem] {
        all.push((op, vec![f(), f()]));
    }
    for op in [
        Op::FpNeg,
        Op::FpAbs,
        Op::FpIsNan,
        Op::FpIsZero,
        Op::FpIsInfinite,
        Op::FpIsNegative,
        Op::FpIsPositive,
        Op::FpIsNormal,
        Op::FpIsSubnormal,
    ] {
        all.push((op, vec![f()]));
    }
    all
}

/// All tuples of values, one of each list.
fn tuples(lists: &[Vec<Value>]) -> Vec<Vec<Value>> {
    lists.iter().fold(vec![Vec::new()], |tuples, list| {
        let longer = |tuple: &Vec<Value>| {
            list.iter().map(|value| [&tuple[..], std::slice::from_ref(value)].concat()).collect::<Vec<_>>()
        };
        tuples.iter().flat_map(longer).collect()
    })
}

#[test]
fn no_operator_loses_a_value() {
    let random = &mut Random(0x9e37_79b9_7f4a_7c15);
    for (op, sorts) in operators() {
        let mut arena = Arena::new();
        let domains: Vec<Vec<Value>> = sorts.iter().map(values).collect();
        let rounds = if op == Op::FpFma { 4 } else { 60 };
        for _ in 0..rounds {
            let boxes: Vec<Known> = domains.iter().map(|domain| some(random, domain)).collect();
            let inside: Vec<Vec<Value>> = domains
                .iter()
                .zip(&boxes)
                .map(|(domain, &hull)| domain.iter().filter(|it| contains(hull, it)).cloned().collect())
                .collect();
            let first: Vec<Term> = sorts
                .iter()
                .enumerate()
                .map(|(at, sort)| arena.variable(&format!("v{at}{sort}"), sort).unwrap())
                .collect();
            let term = arena.mk(op, &first);
            // Simplification may have made another operator of it.
            let sort = arena.sort(term).clone();
            let node =
                Node { op, sort: sort.clone(), children: (0..sorts.len()).collect(), linear: Vec::new() };
            let made = forward(&arena, &node, &boxes);
            let required: Vec<Known> = domains_of(&sort, random);
            for tuple in tuples(&inside) {
                let operands: Vec<Term> = tuple.iter().map(|value| arena.constant(value.clone())).collect();
                let result = arena.mk(op, &operands);
                let result = arena.as_value(result).unwrap().clone();
                assert!(contains(made, &result), "{op:?} {boxes:?} {tuple:?} {result:?} not in {made:?}");
                for &own in required.iter().filter(|&&own| contains(own, &result)) {
                    for (child, left) in backward(&node, own, &boxes) {
                        let kept = contains(left, &tuple[child]);
                        assert!(kept, "{op:?} {own:?} {boxes:?} {tuple:?} operand {child} not in {left:?}");
                    }
                }
            }
        }
    }
}

/// A few sets that a result may be required to be in.
fn domains_of(sort: &Sort, random: &mut Random) -> Vec<Known> {
    match sort {
        Sort::Bool => vec![Known::truth(true), Known::truth(false)],
        _ => {
            let all = values(sort);
            if all.is_empty() { Vec::new() } else { (0..2).map(|_| some(random, &all)).collect() }
        }
    }
}

/// A term of a sort over variables and constants.
fn random_term(arena: &mut Arena, random: &mut Random, sort: &Sort, depth: usize) -> Term {
    if depth == 0 || random.below(6) == 0 {
        if random.below(3) == 0 {
            let all = values(sort);
            return arena.constant(all[random.below(all.len())].clone());
        }
        let name = format!("{}{sort}", random.pick(&["x", "y"]));
        return arena.variable(&name, sort).unwrap();
    }
    let fitting: Vec<(Op, Vec<Sort>)> = operators()
        .into_iter()
        .filter(|(op, sorts)| {
            let mut scratch = Arena::new();
            let operands: Vec<Term> = sorts
                .iter()
                .enumerate()
                .map(|(at, sort)| scratch.variable(&format!("v{at}{sort}"), sort).unwrap())
                .collect();
            let term = scratch.mk(*op, &operands);
            scratch.sort(term) == sort && !sorts.is_empty()
        })
        .collect();
    if fitting.is_empty() {
        return random_term(arena, random, sort, 0);
    }
    let (op, sorts) = fitting[random.below(fitting.len())].clone();
    let operands: Vec<Term> = sorts.iter().map(|sort| random_term(arena, random, sort, depth - 1)).collect();
    arena.mk(op, &operands)
}

#[test]
fn what_is_refuted_has_no_model() {
    let random = &mut Random(0x1234_5678_9abc_def1);
    let (mut said, mut asked) = (0, 0);
    for _ in 0..400 {
        let mut arena = Arena::new();
        let formulas: Vec<Term> = (0..3).map(|_| random_term(&mut arena, random, &Sort::Bool, 4)).collect();
        let variables: Vec<Term> = {
            let all = arena.and(&formulas);
            arena.free_variables(all)
        };
        let domains: Vec<Vec<Value>> = variables.iter().map(|&it| values(&arena.sort(it).clone())).collect();
        if domains.iter().map(Vec::len).product::<usize>() > 40_000 {
            continue;
        }
        asked += 1;
        if !refuted(&arena, &formulas, &Budget::unlimited()).unwrap() {
            continue;
        }
        said += 1;
        for tuple in tuples(&domains) {
            let mut model = Model::new();
            for (&variable, value) in variables.iter().zip(&tuple) {
                model.set(variable, value.clone());
            }
            let mut evaluator = Evaluator::new(model);
            let holds = formulas.iter().all(|&it| evaluator.holds(&arena, it) == Ok(true));
            assert!(!holds, "{tuple:?}");
        }
    }
    assert!(said > 20, "only {said} of {asked} are refuted");
}

/// `x - x³/6 + x⁵/120` for `-1.5 < x < 1.5` lies between -1.1 and 1.1, but not between -0.5 and 0.5.
#[test]
fn a_polynomial_is_bounded() {
    let mut arena = Arena::new();
    let float = Sort::Float(8, 24);
    let mode = arena.constant(Value::RoundingMode(RoundingMode::NearestEven));
    let x = arena.variable("x", &float).unwrap();
    let number = |arena: &mut Arena, value: f32| {
        arena.constant(Value::float(8, 24, BitVec::new(32, u64::from(value.to_bits()))))
    };
    let square = arena.mk(Op::FpMul, &[mode, x, x]);
    let cube = arena.mk(Op::FpMul, &[mode, square, x]);
    let fifth = arena.mk(Op::FpMul, &[mode, cube, square]);
    let (six, more) = (number(&mut arena, 6.0), number(&mut arena, 120.0));
    let third = arena.mk(Op::FpDiv, &[mode, cube, six]);
    let fifth = arena.mk(Op::FpDiv, &[mode, fifth, more]);
    let third = arena.mk(Op::FpNeg, &[third]);
    let sum = arena.mk(Op::FpAdd, &[mode, x, third]);
    let sum = arena.mk(Op::FpAdd, &[mode, sum, fifth]);
    let (low, high) = (number(&mut arena, -1.5), number(&mut arena, 1.5));
    let (above, below) = (arena.mk(Op::FpLt, &[low, x]), arena.mk(Op::FpLt, &[x, high]));
    for (limit, expected) in [(1.1, true), (0.5, false)] {
        let (least, most) = (number(&mut arena, -limit), number(&mut arena, limit));
        let (up, down) = (arena.mk(Op::FpLe, &[sum, most]), arena.mk(Op::FpLe, &[least, sum]));
        let inside = arena.and(&[up, down]);
        let outside = arena.not(inside);
        let found = refuted(&arena, &[above, below, outside], &Budget::unlimited()).unwrap();
        assert_eq!(found, expected, "{limit}");
    }
}

/// What is clamped lies in the range, though the value before it does not.
#[test]
fn a_choice_knows_its_condition() {
    let mut arena = Arena::new();
    let float = Sort::Float(8, 24);
    let mode = arena.constant(Value::RoundingMode(RoundingMode::NearestEven));
    let [x, y] = ["x", "y"].map(|name| arena.variable(name, &float).unwrap());
    let one = arena.constant(Value::float(8, 24, BitVec::new(32, u64::from(1.0_f32.to_bits()))));
    let product = arena.mk(Op::FpMul, &[mode, x, y]);
    let large = arena.mk(Op::FpLt, &[one, product]);
    let clamped = arena.ite(large, one, product);
    let wrong = arena.mk(Op::FpLt, &[one, clamped]);
    assert!(refuted(&arena, &[wrong], &Budget::unlimited()).unwrap());
    // NaN is not larger, and not smaller either.
    let fine = arena.mk(Op::FpLe, &[clamped, one]);
    let wrong = arena.not(fine);
    assert!(!refuted(&arena, &[wrong], &Budget::unlimited()).unwrap());
}

#[test]
fn formulas_without_floats_are_left_alone() {
    let mut arena = Arena::new();
    let x = arena.variable("x", &BITS).unwrap();
    let zero = arena.bv(WIDTH, 0);
    let wrong = arena.bv_ult(x, zero);
    assert!(nodes(&arena, &[wrong]).is_some());
    assert!(!refuted(&arena, &[wrong], &Budget::unlimited()).unwrap());
}

/// Operators on half, single and double precision and on wider integers: values inside of random boxes.
#[test]
fn no_operator_loses_a_value_of_real_formats() {
    let random = &mut Random(0x2545_f491_4f6c_dd1d);
    for (small, (exponent, significand), width) in
        [(16, (5, 11), 8), (32, (8, 24), 32), (64, (11, 53), 64), (80, (15, 64), 33)]
    {
        let (float, bits) = (Sort::Float(exponent, significand), Sort::BitVec(width));
        let value = |random: &mut Random, sort: &Sort| match sort {
            Sort::Float(..) => {
                let low = BitVec::new(64.min(small), random.bits());
                let all = if small > 64 { BitVec::new(small - 64, random.bits()).concat(&low) } else { low };
                let wide = exponent + significand;
                Value::float(exponent, significand, all.extract(wide - 1, 0))
            }
            Sort::BitVec(width) => Value::BitVec(BitVec::new(*width, random.bits())),
            Sort::Bool => Value::Bool(random.below(2) == 0),
            _ => Value::RoundingMode(random.pick(&RoundingMode::ALL)),
        };
        for (op, sorts) in operators() {
            let op = match op {
                Op::FpFromSigned(..) => Op::FpFromSigned(exponent, significand),
                Op::FpFromUnsigned(..) => Op::FpFromUnsigned(exponent, significand),
                Op::FpToSigned(_) => Op::FpToSigned(width),
                Op::FpToUnsigned(_) => Op::FpToUnsigned(width),
                Op::FpFromIeeeBits(..) => continue,
                other => other,
            };
            let sorts: Vec<Sort> = sorts
                .into_iter()
                .map(|sort| match sort {
                    FLOAT => float.clone(),
                    BITS => bits.clone(),
                    other => other,
                })
                .collect();
            for _ in 0..60 {
                let mut arena = Arena::new();
                let tuple: Vec<Value> = sorts.iter().map(|sort| value(random, sort)).collect();
                // Each operand somewhere in a box around it and perhaps another value.
                let boxes: Vec<Known> = tuple
                    .iter()
                    .zip(&sorts)
                    .map(|(it, sort)| match random.below(3) {
                        0 => Known::one(it),
                        1 => Known::one(it).join(Known::one(&value(random, sort))),
                        _ => Known::all(sort),
                    })
                    .collect();
                let operands: Vec<Term> = tuple.iter().map(|value| arena.constant(value.clone())).collect();
                let result = arena.mk(op, &operands);
                let (sort, children) = (arena.sort(result).clone(), (0..sorts.len()).collect());
                let node = Node { op, sort, children, linear: Vec::new() };
                let result = arena.as_value(result).unwrap().clone();
                let made = forward(&arena, &node, &boxes);
                assert!(contains(made, &result), "{op:?} {boxes:?} {tuple:?} {result:?} not in {made:?}");
                for (child, left) in backward(&node, Known::one(&result), &boxes) {
                    let kept = contains(left, &tuple[child]);
                    assert!(kept, "{op:?} {boxes:?} {tuple:?} {result:?} operand {child} not in {left:?}");
                }
            }
        }
    }
}

/// Sums in which operands come again, choices among them and sums that are about the same terms, on random values
/// of half precision and all rounding modes: no value is lost, and often something is narrowed.
#[test]
fn linear_forms_lose_no_value() {
    let random = &mut Random(0x0123_4567_89ab_cdef);
    let half = Sort::Float(5, 11);
    // By the operands themselves, by branches of choices, by other sums.
    let mut narrowed = [0; 3];
    for _ in 0..6_000 {
        let mut arena = Arena::new();
        let mode = arena.constant(Value::RoundingMode(random.pick(&RoundingMode::ALL)));
        let mut pool: Vec<Term> = ["x", "y"].map(|name| arena.variable(name, &half).unwrap()).to_vec();
        let constant = Value::float(5, 11, BitVec::new(16, random.below(1 << 15) as u64));
        pool.push(arena.constant(constant));
        let condition = arena.variable("c", &Sort::Bool).unwrap();
        for _ in 0..9 {
            let (x, y) = (random.pick(&pool), random.pick(&pool));
            let y = if random.below(2) == 0 { arena.mk(Op::FpNeg, &[y]) } else { y };
            pool.push(match random.below(6) {
                0 => arena.mk(Op::FpMul, &[mode, x, y]),
                1 => arena.mk(Op::Ite, &[condition, x, y]),
                _ => arena.mk(Op::FpAdd, &[mode, x, y]),
            });
        }
        let Some((nodes, _, numbers)) = nodes(&arena, &pool) else { continue };
        let mut model = Model::new();
        for &variable in &pool[..2] {
            let bits = BitVec::new(16, random.below(1 << 16) as u64);
            model.set(variable, Value::float(5, 11, bits));
        }
        model.set(condition, Value::Bool(random.below(2) == 0));
        let mut evaluator = Evaluator::new(model);
        let mut known: Vec<Known> = nodes.iter().map(|node| Known::all(&node.sort)).collect();
        let mut terms: Vec<(Term, usize)> = numbers.into_iter().collect();
        terms.sort_by_key(|&(_, number)| number);
        // What is said of a sum may rest on a later one, so all is evaluated twice.
        for (round, (term, number)) in (0..2).flat_map(|round| terms.iter().map(move |&it| (round, it))) {
            let value = evaluator.eval(&arena, term).unwrap();
            let node = &nodes[number];
            let mut around = |one: super::floats::Floats, size: usize| {
                let mut some = || random.below(size) as i128;
                let wider = super::floats::Floats { lo: one.lo - some(), hi: one.hi + some(), ..one };
                Known::Float(wider).meet(Known::all(&half))
            };
            let made = match (&node.op, Known::one(&value)) {
                (Op::Var(_), _) if round == 1 => continue,
                (Op::Var(_), Known::Float(one)) => around(one, 2_000),
                (Op::Var(_), it) => it,
                // Something that was required of a sum.
                (Op::FpAdd, Known::Float(one)) if number % 3 == 0 => {
                    forward(&arena, node, &known).meet(around(one, 9))
                }
                _ => forward(&arena, node, &known),
            };
            assert!(contains(made, &value), "{:?} {value:?} not in {made:?}", node.op);
            for linear in &node.linear {
                let plain = |linear: Vec<Linear>| {
                    let (sort, children) = (half.clone(), node.children.clone());
                    forward(&arena, &Node { op: node.op, sort, children, linear }, &known)
                };
                let other = linear.operands().any(|part| nodes[part].op == Op::FpAdd);
                let kind = if other { 2 } else { usize::from(linear.is_conditional()) };
                narrowed[kind] += usize::from(plain(Vec::new()) != plain(vec![linear.clone()]));
            }
            known[number] = known[number].meet(made);
        }
    }
    assert!(narrowed.iter().all(|&count| count > 100), "only {narrowed:?} forms narrow");
}
