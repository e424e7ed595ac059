//! Values as solvers print them.
//!
//! Reading is guided by the sort that the value must have, so a text that means something else is refused
//! rather than taken for something. Store chains and `let`s, which can be long, are walked in a loop;
//! recursion is as deep as sorts nest.

use nilas_term::smtlib::sexpr::{AtomKind, Sexpr};
use nilas_term::{ArrayValue, BitVec, RoundingMode, Sort, Value};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Zero;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// How deep values of values may nest: arrays of arrays, and signs before fractions.
const MAX_DEPTH: usize = 64;

/// Names that a `let` has bound to texts.
type Scope<'a, 't> = FxHashMap<&'t str, Sexpr<'a, 't>>;

/// The value of the given sort that a text means; `None` where it is not understood.
pub(super) fn read(text: Sexpr<'_, '_>, sort: &Sort) -> Option<Value> {
    value(text, sort, &mut Scope::default(), 0)
}

fn value<'a, 't>(text: Sexpr<'a, 't>, sort: &Sort, scope: &mut Scope<'a, 't>, depth: usize) -> Option<Value> {
    if depth > MAX_DEPTH {
        return None;
    }
    let text = open(text, scope)?;
    match sort {
        Sort::Bool => match text.word()? {
            "true" => Some(Value::Bool(true)),
            "false" => Some(Value::Bool(false)),
            _ => None,
        },
        Sort::BitVec(width) => bits(text).filter(|bits| bits.width() == *width).map(Value::BitVec),
        Sort::Float(exponent, significand) => float(text, *exponent, *significand),
        Sort::RoundingMode => rounding_mode(text.word()?).map(Value::RoundingMode),
        Sort::Uninterpreted(name) => Some(Value::Uninterpreted(Arc::clone(name), element(text)?)),
        Sort::Int => {
            let number = number(text, depth)?;
            number.is_integer().then(|| Value::Int(number.to_integer()))
        }
        Sort::Real => number(text, depth).map(Value::Real),
        Sort::Array(_) => array(text, sort, scope, depth).map(|array| Value::Array(Arc::new(array))),
    }
}

/// Goes through `let`s and bound names to what stands there. Later bindings only refer to earlier ones, and
/// solvers never bind a name twice in one value, so one scope does for all.
fn open<'a, 't>(mut text: Sexpr<'a, 't>, scope: &mut Scope<'a, 't>) -> Option<Sexpr<'a, 't>> {
    let mut steps = 0usize;
    loop {
        if let Some(&bound) = text.symbol().and_then(|name| scope.get(name)) {
            text = bound;
        } else if text.is_list() && text.children().next().is_some_and(|head| head.word() == Some("let")) {
            let mut members = text.children().skip(1);
            let (bindings, body) = (members.next()?, members.next()?);
            for binding in bindings.children() {
                let mut members = binding.children();
                let (name, meaning) = (members.next()?.symbol()?, members.next()?);
                if scope.insert(name, meaning).is_some() {
                    return None;
                }
            }
            text = body;
        } else {
            return Some(text);
        }
        steps += 1;
        // A name bound to itself would go round for ever.
        if steps > 1 << 20 {
            return None;
        }
    }
}

fn bits(text: Sexpr<'_, '_>) -> Option<BitVec> {
    if let Some((kind, digits)) = text.atom() {
        let (per_digit, radix) = match kind {
            AtomKind::Binary => (1, 2),
            AtomKind::Hexadecimal => (4, 16),
            _ => return None,
        };
        return BitVec::parse(u32::try_from(digits.len()).ok()?.checked_mul(per_digit)?, digits, radix);
    }
    let members: Vec<Sexpr<'_, '_>> = text.children().take(4).collect();
    match members.as_slice() {
        [head, name, width] if head.word() == Some("_") => {
            BitVec::parse(width.numeral()?, name.word()?.strip_prefix("bv")?, 10)
        }
        _ => None,
    }
}

fn float(text: Sexpr<'_, '_>, exponent: u32, significand: u32) -> Option<Value> {
    let members: Vec<Sexpr<'_, '_>> = text.children().take(5).collect();
    let all = match members.as_slice() {
        [head, sign, middle, fraction] if head.word() == Some("fp") => {
            let (sign, middle, fraction) = (bits(*sign)?, bits(*middle)?, bits(*fraction)?);
            if (sign.width(), middle.width(), fraction.width()) != (1, exponent, significand - 1) {
                return None;
            }
            sign.concat(&middle).concat(&fraction)
        }
        [head, name, e, s] if head.word() == Some("_") => {
            if (e.numeral()?, s.numeral()?) != (exponent, significand) {
                return None;
            }
            let (sign, middle, fraction) = match name.word()? {
                "+oo" => (0, BitVec::ones(exponent), BitVec::zero(significand - 1)),
                "-oo" => (1, BitVec::ones(exponent), BitVec::zero(significand - 1)),
                "+zero" => (0, BitVec::zero(exponent), BitVec::zero(significand - 1)),
                "-zero" => (1, BitVec::zero(exponent), BitVec::zero(significand - 1)),
                "NaN" => (0, BitVec::ones(exponent), BitVec::ones(significand - 1)),
                _ => return None,
            };
            BitVec::new(1, sign).concat(&middle).concat(&fraction)
        }
        _ => return None,
    };
    Some(Value::float(exponent, significand, all))
}

fn rounding_mode(word: &str) -> Option<RoundingMode> {
    Some(match word {
        "RNE" | "roundNearestTiesToEven" => RoundingMode::NearestEven,
        "RNA" | "roundNearestTiesToAway" => RoundingMode::NearestAway,
        "RTP" | "roundTowardPositive" => RoundingMode::Up,
        "RTN" | "roundTowardNegative" => RoundingMode::Down,
        "RTZ" | "roundTowardZero" => RoundingMode::TowardZero,
        _ => return None,
    })
}

/// The number of an element of an uninterpreted sort: solvers write `S!val!3`, `@S_3`, `(as @S_3 S)` and the
/// like.
fn element(text: Sexpr<'_, '_>) -> Option<u64> {
    let name = match text.symbol() {
        Some(name) => name,
        None => {
            let mut members = text.children();
            match (members.next()?.word()?, members.next()) {
                ("as", Some(name)) => name.symbol()?,
                _ => return None,
            }
        }
    };
    let digits = name.len() - name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    name[name.len() - digits..].parse().ok()
}

fn number(text: Sexpr<'_, '_>, depth: usize) -> Option<BigRational> {
    if depth > MAX_DEPTH {
        return None;
    }
    if let Some((kind, digits)) = text.atom() {
        return match kind {
            AtomKind::Numeral => Some(BigRational::from_integer(digits.parse::<BigInt>().ok()?)),
            AtomKind::Decimal => {
                let (whole, fraction) = digits.split_once('.')?;
                let scale = BigInt::from(10).pow(u32::try_from(fraction.len()).ok()?);
                Some(BigRational::new(format!("{whole}{fraction}").parse().ok()?, scale))
            }
            // Some print `-3` or `1/3` as if they were symbols.
            AtomKind::Symbol => {
                let (numerator, denominator) = digits.split_once('/').unwrap_or((digits, "1"));
                let (numerator, denominator): (BigInt, BigInt) =
                    (numerator.parse().ok()?, denominator.parse().ok()?);
                (!denominator.is_zero()).then(|| BigRational::new(numerator, denominator))
            }
            _ => None,
        };
    }
    let members: Vec<Sexpr<'_, '_>> = text.children().take(4).collect();
    let head = members.first()?.word()?;
    match (head, &members[1..]) {
        ("-", [inner]) => Some(-number(*inner, depth + 1)?),
        ("to_real", [inner]) => number(*inner, depth + 1),
        ("/", [above, below]) => {
            let (above, below) = (number(*above, depth + 1)?, number(*below, depth + 1)?);
            (!below.is_zero()).then(|| above / below)
        }
        _ => None,
    }
}

/// A chain of stores on a constant array, or a `lambda` that compares its argument with constants.
fn array<'a, 't>(
    text: Sexpr<'a, 't>,
    sort: &Sort,
    scope: &mut Scope<'a, 't>,
    depth: usize,
) -> Option<ArrayValue> {
    let Sort::Array(parts) = sort else { return None };
    // The outermost store is the last one: its entry wins.
    let mut entries: BTreeMap<Value, Value> = BTreeMap::new();
    let mut text = text;
    let default = loop {
        text = open(text, scope)?;
        let members: Vec<Sexpr<'a, 't>> = text.children().take(5).collect();
        match members.as_slice() {
            [head, inner, index, element] if head.word() == Some("store") => {
                let index = value(*index, &parts.index, scope, depth + 1)?;
                let element = value(*element, &parts.element, scope, depth + 1)?;
                entries.entry(index).or_insert(element);
                text = *inner;
            }
            [head, default] if is_const(*head) => break value(*default, &parts.element, scope, depth + 1)?,
            [head, parameters, body] if head.word() == Some("lambda") => {
                let parameter = parameters.children().next()?.children().next()?.symbol()?;
                break lambda(parameter, *body, &parts.index, &parts.element, &mut entries, scope, depth)?;
            }
            _ => return None,
        }
    };
    Some(ArrayValue::new((**parts).clone(), default, entries))
}

/// `(as const SORT)`.
fn is_const(head: Sexpr<'_, '_>) -> bool {
    let mut members = head.children();
    let words = (members.next().and_then(|word| word.word()), members.next().and_then(|word| word.word()));
    words == (Some("as"), Some("const"))
}

/// `(ite (= parameter c) v (ite …))`, which ends with the default.
fn lambda<'a, 't>(
    parameter: &'t str,
    mut body: Sexpr<'a, 't>,
    index: &Sort,
    element: &Sort,
    entries: &mut BTreeMap<Value, Value>,
    scope: &mut Scope<'a, 't>,
    depth: usize,
) -> Option<Value> {
    loop {
        body = open(body, scope)?;
        let members: Vec<Sexpr<'a, 't>> = body.children().take(5).collect();
        match members.as_slice() {
            [head, condition, then, otherwise] if head.word() == Some("ite") => {
                let sides: Vec<Sexpr<'a, 't>> = condition.children().take(4).collect();
                let [equals, left, right] = sides.as_slice() else { return None };
                if equals.word() != Some("=") {
                    return None;
                }
                let constant = match (left.symbol() == Some(parameter), right.symbol() == Some(parameter)) {
                    (true, false) => right,
                    (false, true) => left,
                    _ => return None,
                };
                let at = value(*constant, index, scope, depth + 1)?;
                let holds = value(*then, element, scope, depth + 1)?;
                entries.entry(at).or_insert(holds);
                body = *otherwise;
            }
            _ => return value(body, element, scope, depth + 1),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use nilas_term::smtlib::print_value;
    use nilas_term::smtlib::sexpr::Reader;

    fn reads(text: &str, sort: &Sort) -> Option<String> {
        let tree = Reader::new(text).read().unwrap().unwrap();
        let value = read(tree.root(), sort)?;
        assert_eq!(value.sort(), *sort, "{text}");
        Some(print_value(&value))
    }

    fn check(text: &str, sort: &Sort, wanted: &str) {
        assert_eq!(reads(text, sort).as_deref(), Some(wanted), "{text} as {sort}");
    }

    #[test]
    fn scalars() {
        check("true", &Sort::Bool, "true");
        check("#xaf", &Sort::BitVec(8), "#xaf");
        check("#b101", &Sort::BitVec(3), "#b101");
        check("(_ bv10 12)", &Sort::BitVec(12), "#x00a");
        check("42", &Sort::Int, "42");
        check("(- 42)", &Sort::Int, "(- 42)");
        check("-42", &Sort::Int, "(- 42)");
        check("3", &Sort::Real, "3.0");
        check("(/ 2 6)", &Sort::Real, "(/ 1.0 3.0)");
        check("(- (/ 11.0 6.0))", &Sort::Real, "(- (/ 11.0 6.0))");
        check("(/ (- 1) 2)", &Sort::Real, "(- (/ 1.0 2.0))");
        check("-1/2", &Sort::Real, "(- (/ 1.0 2.0))");
        check("(to_real (- 2))", &Sort::Real, "(- 2.0)");
        check("0.125", &Sort::Real, "(/ 1.0 8.0)");
        check("(fp #b1 #b10001 #b0000000001)", &Sort::Float(5, 11), "(fp #b1 #b10001 #b0000000001)");
        check("(fp #b0 #xff #b00000000000000000000001)", &Sort::FLOAT32, "(_ NaN 8 24)");
        check("(_ -zero 5 11)", &Sort::Float(5, 11), "(_ -zero 5 11)");
        check("(_ +oo 5 11)", &Sort::Float(5, 11), "(_ +oo 5 11)");
        check("roundTowardZero", &Sort::RoundingMode, "RTZ");
        let sort = Sort::Uninterpreted("S".into());
        for text in ["S!val!3", "@S_3", "(as @S_3 S)", "@uc_S_3", "(as @a3 S)"] {
            check(text, &sort, "(as @3 S)");
        }
    }

    #[test]
    fn arrays() {
        let sort = Sort::array(Sort::BitVec(8), Sort::Int);
        let constant = "((as const (Array (_ BitVec 8) Int)) 0)";
        check(constant, &sort, constant);
        let stored = format!("(store {constant} #x02 (- 5))");
        check(&stored, &sort, &stored);
        // The outer store wins.
        check(&format!("(store {stored} #x02 7)"), &sort, &format!("(store {constant} #x02 7)"));
        let shared = format!("(let ((a!1 {stored})) (let ((a!2 (store a!1 #x03 1))) (store a!2 #x04 1)))");
        check(
            &shared,
            &sort,
            &format!("(store (store {stored} #x03 1) #x04 1)").replacen(&stored, &stored, 1),
        );
        let lambda = "(lambda ((x!1 (_ BitVec 8))) (ite (= x!1 #x02) (- 5) (ite (= #x04 x!1) 1 0)))";
        check(lambda, &sort, &format!("(store (store {constant} #x02 (- 5)) #x04 1)"));
        let nested = Sort::array(Sort::Int, sort.clone());
        let outer = format!("((as const (Array Int (Array (_ BitVec 8) Int))) {constant})");
        check(&outer, &nested, &outer);
    }

    #[test]
    fn long_chains_need_no_stack() {
        let sort = Sort::array(Sort::Int, Sort::Int);
        let constant = "((as const (Array Int Int)) 0)";
        let count = 100_000;
        let mut text = "(store ".repeat(count) + constant;
        for index in 0..count {
            text.push_str(&format!(" {index} 1)"));
        }
        let tree = Reader::new(&text).read().unwrap().unwrap();
        let Some(Value::Array(array)) = read(tree.root(), &sort) else { panic!("not understood") };
        assert_eq!(array.entries.len(), count);
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        for (text, sort) in [
            ("#x0", Sort::BitVec(8)),
            ("yes", Sort::Bool),
            ("x", Sort::BitVec(8)),
            ("(root-obj (+ (^ x 2) (- 2)) 1)", Sort::Real),
            ("1.5", Sort::Int),
            ("(/ 1 0)", Sort::Real),
            ("(_ NaN 5 11)", Sort::FLOAT32),
            ("(_ as-array k!0)", Sort::array(Sort::Int, Sort::Int)),
            ("(let ((a a)) a)", Sort::Int),
            ("(let ((a b) (b a)) a)", Sort::Int),
            ("()", Sort::Int),
        ] {
            assert_eq!(reads(text, &sort), None, "{text} as {sort}");
        }
    }
}
