//! Formulas in C syntax.
//!
//! A bit-vector has no sign, so an expression is printed as its operators read it: plain where C's signed
//! arithmetic gives the same, with a cast to an unsigned type where it does not. The names of locals lose
//! their function where that leaves no doubt. What has no short form in C (floats with a rounding mode,
//! arrays as a whole, long formulas) is printed as the automaton's text prints it.

use nilas_program::text::print_expression;
use nilas_term::{Arena, Op, Sort, Term, Value};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Longer formulas are left as they are.
const LONGEST: usize = 4_000;

/// A formula as C writes it, or else as the automaton's text does.
#[must_use]
pub fn print(arena: &Arena, formula: Term) -> String {
    let names = names(arena, formula);
    let mut printed: FxHashMap<Term, Text> = FxHashMap::default();
    let mut stack = vec![formula];
    while let Some(&top) = stack.last() {
        if printed.contains_key(&top) {
            stack.pop();
            continue;
        }
        let before = stack.len();
        stack.extend(arena.children(top).iter().filter(|child| !printed.contains_key(child)));
        if stack.len() > before {
            continue;
        }
        match expression(arena, top, &names, &printed) {
            Some(text) if text.text.len() <= LONGEST => printed.insert(top, text),
            _ => return print_expression(arena, formula),
        };
        stack.pop();
    }
    printed.remove(&formula).map(|text| text.text).unwrap_or_default()
}

/// A piece of C, and how tightly it binds: 0 is an operand.
#[derive(Clone)]
struct Text {
    text: String,
    level: u8,
}

const ATOM: u8 = 0;
const UNARY: u8 = 1;
const PRODUCT: u8 = 2;
const SUM: u8 = 3;
const SHIFT: u8 = 4;
const ORDER: u8 = 5;
const EQUALITY: u8 = 6;
const BIT: u8 = 7;
const AND: u8 = 8;
const OR: u8 = 9;
const CHOICE: u8 = 10;

impl Text {
    fn new(text: impl Into<String>, level: u8) -> Self {
        Text { text: text.into(), level }
    }

    /// As an operand of something that binds as tightly as `level`.
    fn within(&self, level: u8) -> String {
        // Mixing bit operators, and comparisons below them, is where C surprises.
        let clear = self.level < level && !(level == BIT && self.level > UNARY);
        if clear || self.level == ATOM { self.text.clone() } else { format!("({})", self.text) }
    }
}

/// Names without the function, where no two would be the same.
fn names(arena: &Arena, formula: Term) -> BTreeMap<Term, String> {
    let variables = arena.free_variables(formula);
    let name = |&term: &Term| arena.name(term).unwrap_or_default().to_owned();
    let short = |name: &str| name.rsplit("::").next().unwrap_or(name).to_owned();
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    for term in &variables {
        *counts.entry(short(&name(term))).or_default() += 1;
    }
    let chosen = |term: &Term| {
        let (long, brief) = (name(term), short(&name(term)));
        (*term, if counts[&brief] == 1 { brief } else { long })
    };
    variables.iter().map(chosen).collect()
}

fn expression(
    arena: &Arena,
    term: Term,
    names: &BTreeMap<Term, String>,
    printed: &FxHashMap<Term, Text>,
) -> Option<Text> {
    let children = arena.children(term);
    let at = |index: usize| &printed[&children[index]];
    let width = |index: usize| match arena.sort(children[index]) {
        Sort::BitVec(width) => Some(*width),
        _ => None,
    };
    let joined = |operator: &str, level: u8| {
        let parts: Vec<String> = children.iter().map(|child| printed[child].within(level)).collect();
        Some(Text::new(parts.join(operator), level))
    };
    let infix = |operator: &str, level: u8| {
        Some(Text::new(format!("{} {operator} {}", at(0).within(level), at(1).within(level)), level))
    };
    // Both operands read as unsigned.
    let unsigned = |operator: &str, level: u8| {
        let cast = format!("({})", unsigned_type(width(0)?)?);
        let text = format!("{cast}{} {operator} {cast}{}", at(0).within(UNARY), at(1).within(UNARY));
        Some(Text::new(text, level))
    };
    match arena.op(term) {
        Op::Var(_) => Some(Text::new(names.get(&term)?.clone(), ATOM)),
        Op::Const(value) => constant(arena.value(value)),
        Op::Not => match arena.op(children[0]) {
            Op::Eq => {
                let parts = arena.children(children[0]);
                let sides = [&printed[&parts[0]], &printed[&parts[1]]].map(|side| side.within(EQUALITY));
                Some(Text::new(sides.join(" != "), EQUALITY))
            }
            _ => Some(Text::new(format!("!{}", at(0).within(UNARY)), UNARY)),
        },
        Op::And => joined(" && ", AND),
        Op::Or => joined(" || ", OR),
        Op::Xor => infix("!=", EQUALITY),
        Op::Eq if !matches!(arena.sort(children[0]), Sort::Array(_) | Sort::Float(..)) => {
            infix("==", EQUALITY)
        }
        Op::Ite if !matches!(arena.sort(term), Sort::Array(_)) => {
            let [condition, then, otherwise] = [0, 1, 2].map(|index| at(index).within(CHOICE));
            Some(Text::new(format!("{condition} ? {then} : {otherwise}"), CHOICE))
        }
        Op::BvNot => Some(Text::new(format!("~{}", at(0).within(UNARY)), UNARY)),
        Op::BvNeg => Some(Text::new(format!("-{}", at(0).within(UNARY)), UNARY)),
        Op::BvAnd => infix("&", BIT),
        Op::BvOr => infix("|", BIT),
        Op::BvXor => infix("^", BIT),
        Op::BvAdd => infix("+", SUM),
        Op::BvMul => infix("*", PRODUCT),
        Op::BvSdiv => infix("/", PRODUCT),
        Op::BvSrem => infix("%", PRODUCT),
        Op::BvUdiv => unsigned("/", PRODUCT),
        Op::BvUrem => unsigned("%", PRODUCT),
        Op::BvShl => infix("<<", SHIFT),
        Op::BvAshr => infix(">>", SHIFT),
        Op::BvLshr => unsigned(">>", SHIFT),
        Op::BvSlt => infix("<", ORDER),
        Op::BvSle => infix("<=", ORDER),
        Op::BvUlt => unsigned("<", ORDER),
        Op::BvUle => unsigned("<=", ORDER),
        Op::ZeroExtend(_) => match arena.sort(term) {
            Sort::BitVec(wide) => {
                let cast = format!("({})({})", signed_type(*wide)?, unsigned_type(width(0)?)?);
                Some(Text::new(format!("{cast}{}", at(0).within(UNARY)), UNARY))
            }
            _ => None,
        },
        Op::SignExtend(_) => match arena.sort(term) {
            Sort::BitVec(wide) => {
                Some(Text::new(format!("({}){}", signed_type(*wide)?, at(0).within(UNARY)), UNARY))
            }
            _ => None,
        },
        Op::Extract { hi, lo } if hi == lo => {
            let bit = if lo == 0 { at(0).within(BIT) } else { format!("{} >> {lo}", at(0).within(SHIFT)) };
            Some(Text::new(format!("({bit} & 1)"), ATOM))
        }
        Op::Extract { hi, lo: 0 } => {
            Some(Text::new(format!("({}){}", signed_type(hi + 1)?, at(0).within(UNARY)), UNARY))
        }
        Op::Select => {
            let name = at(0).within(UNARY);
            let name = name.strip_suffix("[]").unwrap_or(&name);
            Some(Text::new(format!("{name}[{}]", at(1).text), ATOM))
        }
        _ => None,
    }
}

fn constant(value: &Value) -> Option<Text> {
    match value {
        Value::Bool(value) => Some(Text::new(if *value { "1" } else { "0" }, ATOM)),
        Value::BitVec(bits) => {
            let width = bits.width();
            if width > 1 && bits.bit(width - 1) {
                let magnitude = nilas_term::BitVec::neg(bits).to_big();
                Some(Text::new(format!("-{magnitude}"), UNARY))
            } else {
                Some(Text::new(bits.to_big().to_string(), ATOM))
            }
        }
        _ => None,
    }
}

fn unsigned_type(width: u32) -> Option<&'static str> {
    match width {
        1 => Some("_Bool"),
        8 => Some("unsigned char"),
        16 => Some("unsigned short"),
        32 => Some("unsigned"),
        64 => Some("unsigned long long"),
        _ => None,
    }
}

fn signed_type(width: u32) -> Option<&'static str> {
    match width {
        8 => Some("signed char"),
        16 => Some("short"),
        32 => Some("int"),
        64 => Some("long long"),
        _ => None,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use nilas_term::smtlib::parse_term;

    #[track_caller]
    fn check(formula: &str, expected: &str) {
        let mut arena = Arena::new();
        for name in ["main::x", "f::y", "g::y"] {
            arena.variable(name, &Sort::BitVec(32)).unwrap();
        }
        arena.variable("main::a[]", &Sort::array(Sort::BitVec(32), Sort::BitVec(8))).unwrap();
        let term = parse_term(&mut arena, formula).unwrap();
        assert_eq!(print(&arena, term), expected, "{formula}");
    }

    #[test]
    fn formulas_read_like_c() {
        check("(bvslt |main::x| #x00000005)", "x <= 4");
        check("(bvult |main::x| #x00000005)", "(unsigned)x <= (unsigned)4");
        check("(= |main::x| #xffffffff)", "x == -1");
        check("(not (= |f::y| |g::y|))", "f::y != g::y");
        check(
            "(or (= |main::x| #x00000000) (bvsle #x00000003 (bvmul |main::x| |f::y|)))",
            "x == 0 || 3 <= x * y",
        );
        check("(= ((_ extract 0 0) |main::x|) #b1)", "(x & 1) == 1");
        check("(= (select |main::a[]| |main::x|) #x07)", "a[x] == 7");
        check("(= (bvand |main::x| (bvadd |f::y| #x00000001)) #x00000000)", "(x & (y + 1)) == 0");
    }
}
