//! Terms as expressions of the `.cfa` format.
//!
//! Infix where that is readable: operators that the format has, trees that are neither large nor deep.
//! Everything else is SMT-LIB in backticks, which shares subterms. Reading gives back the same term.

use super::lexer::quote;
use super::words::sort_text;
use nilas_term::smtlib::print_term;
use nilas_term::{Arena, BitVec, Op, Term, Value};
use num_bigint::{BigInt, Sign};
use rustc_hash::FxHashMap;

/// Larger expressions, counted as trees, are not readable any more.
const LARGEST: u64 = 200;
/// Deeper ones are not either; the parser allows more.
const DEEPEST: u32 = 60;

const TERNARY: u32 = 0;
const COMPARISON: u32 = 4;
const UNARY: u32 = 12;
const POSTFIX: u32 = 13;
const ATOM: u32 = 14;

/// A term as an expression of the `.cfa` format.
#[must_use]
pub fn print_expression(arena: &Arena, term: Term) -> String {
    let (size, depth) = measure(arena, term);
    if size > LARGEST || depth > DEEPEST {
        return smt(arena, term);
    }
    // The sort of a whole right-hand side or assumption is known.
    Printer { arena }.print(term, true).0
}

fn smt(arena: &Arena, term: Term) -> String {
    format!("`{}`", print_term(arena, term))
}

/// Size as a tree and depth, without walking the tree.
fn measure(arena: &Arena, term: Term) -> (u64, u32) {
    let mut known: FxHashMap<Term, (u64, u32)> = FxHashMap::default();
    let mut stack = vec![term];
    while let Some(&top) = stack.last() {
        let children = arena.children(top);
        let before = stack.len();
        stack.extend(children.iter().filter(|child| !known.contains_key(child)));
        if stack.len() == before {
            let size = children.iter().fold(1_u64, |size, child| size.saturating_add(known[child].0));
            let depth = children.iter().map(|child| known[child].1 + 1).max().unwrap_or(0);
            known.insert(top, (size, depth));
            stack.pop();
        }
    }
    known[&term]
}

struct Printer<'a> {
    arena: &'a Arena,
}

/// A text and how tightly its outermost operator binds.
type Printed = (String, u32);

fn at_least((text, binds): Printed, needed: u32) -> String {
    if binds < needed { format!("({text})") } else { text }
}

impl Printer<'_> {
    fn is_number(&self, term: Term) -> bool {
        match self.arena.as_value(term) {
            Some(Value::BitVec(_) | Value::Int(_)) => true,
            Some(Value::Real(value)) => value.is_integer(),
            _ => false,
        }
    }

    /// Whether the parser finds the sort of the printed term without its context.
    fn evident(&self, term: Term) -> bool {
        let children = self.arena.children(term);
        match self.arena.op(term) {
            Op::Const(_) => !self.is_number(term),
            Op::Ite => self.evident(children[1]) || self.evident(children[2]),
            Op::BvNot | Op::BvNeg | Op::Neg | Op::Store => self.evident(children[0]),
            op if binary_operator(op).is_some_and(|(_, binds)| binds > COMPARISON) && op != Op::Concat => {
                children.iter().any(|&child| self.evident(child))
            }
            Op::Add | Op::Mul => children.iter().any(|&child| self.evident(child)),
            _ => true,
        }
    }

    /// `known` says that the context tells the sort of a number.
    fn print(&self, term: Term, known: bool) -> Printed {
        let arena = self.arena;
        let children = arena.children(term);
        match (arena.op(term), children) {
            (Op::Var(_), _) => (quote(arena.name(term).unwrap_or_default()), ATOM),
            (Op::Const(value), _) => self.value(arena.value(value), term, known),
            (Op::Not, &[child]) => match (arena.op(child), arena.children(child)) {
                (Op::Eq, &[left, right]) => self.comparison("!=", "!=", left, right),
                _ => (format!("!{}", at_least(self.print(child, true), UNARY)), UNARY),
            },
            (Op::And, _) => self.chain("&&", 3, children, true),
            (Op::Or, _) => self.chain("||", 2, children, true),
            (Op::Eq, &[left, right]) => self.comparison("==", "==", left, right),
            (Op::BvUlt, &[left, right]) => self.comparison("<u", ">u", left, right),
            (Op::BvUle, &[left, right]) => self.comparison("<=u", ">=u", left, right),
            (Op::BvSlt, &[left, right]) => self.comparison("<s", ">s", left, right),
            (Op::BvSle, &[left, right]) => self.comparison("<=s", ">=s", left, right),
            (Op::Lt, &[left, right]) => self.comparison("<", ">", left, right),
            (Op::Le, &[left, right]) => self.comparison("<=", ">=", left, right),
            (Op::Ite, &[condition, then, otherwise]) => {
                let known_then = known || self.evident(otherwise);
                let known_otherwise = known || self.evident(then);
                let condition = at_least(self.print(condition, true), TERNARY + 1);
                let then = at_least(self.print(then, known_then), TERNARY + 1);
                let otherwise = self.print(otherwise, known_otherwise).0;
                (format!("{condition} ? {then} : {otherwise}"), TERNARY)
            }
            (Op::BvAdd, &[left, right]) => self.sum(left, right, known),
            (Op::BvNot, &[child]) => (format!("~{}", at_least(self.print(child, known), UNARY)), UNARY),
            (Op::BvNeg | Op::Neg, &[child]) => {
                // A minus before a bare number would become part of it.
                let needed = if self.is_number(child) { ATOM + 1 } else { UNARY };
                (format!("-{}", at_least(self.print(child, known), needed)), UNARY)
            }
            (Op::Concat, &[left, right]) => {
                let left = at_least(self.print(left, false), 9);
                (format!("{left} ++ {}", at_least(self.print(right, false), 10)), 9)
            }
            (Op::Extract { hi, lo }, &[child]) => {
                (format!("{}[{hi}:{lo}]", at_least(self.print(child, false), POSTFIX)), POSTFIX)
            }
            (op @ (Op::ZeroExtend(_) | Op::SignExtend(_)), &[child]) => {
                let name = if matches!(op, Op::ZeroExtend(_)) { "zext" } else { "sext" };
                (format!("{name}({}, {})", self.print(child, false).0, arena.width(term)), ATOM)
            }
            (Op::Select, &[array, index]) => {
                let array = at_least(self.print(array, false), POSTFIX);
                (format!("{array}[{}]", self.print(index, true).0), POSTFIX)
            }
            (Op::Store, &[array, index, element]) => {
                let array = at_least(self.print(array, false), POSTFIX);
                let (index, element) = (self.print(index, true).0, self.print(element, true).0);
                (format!("{array}[{index} := {element}]"), POSTFIX)
            }
            (Op::Apply(symbol), _) => {
                let arguments: Vec<String> =
                    children.iter().map(|&child| self.print(child, true).0).collect();
                let name = quote(&arena.signature(symbol).name);
                (format!("{name}({})", arguments.join(", ")), ATOM)
            }
            (Op::Add, &[_, _]) => self.chain("+", 10, children, known),
            (Op::Mul, &[_, _]) => self.chain("*", 11, children, known),
            (op, &[left, right]) => match binary_operator(op) {
                Some((operator, binds)) => self.binary(operator, binds, left, right, known),
                None => (smt(arena, term), ATOM),
            },
            _ => (smt(arena, term), ATOM),
        }
    }

    fn binary(&self, operator: &str, binds: u32, left: Term, right: Term, known: bool) -> Printed {
        let known_left = known || self.evident(right);
        let known_right = known || self.evident(left);
        let left = at_least(self.print(left, known_left), binds);
        let right = at_least(self.print(right, known_right), binds + 1);
        (format!("{left} {operator} {right}"), binds)
    }

    /// A comparison, with a number on its right side.
    fn comparison(&self, operator: &str, flipped: &str, left: Term, right: Term) -> Printed {
        let (operator, left, right) =
            if self.is_number(left) { (flipped, right, left) } else { (operator, left, right) };
        let (known_left, known_right) = (self.evident(right), self.evident(left));
        let left = at_least(self.print(left, known_left), COMPARISON + 1);
        let right = at_least(self.print(right, known_right), COMPARISON + 1);
        (format!("{left} {operator} {right}"), COMPARISON)
    }

    fn chain(&self, operator: &str, binds: u32, children: &[Term], known: bool) -> Printed {
        let known = known || children.iter().any(|&child| self.evident(child));
        let parts: Vec<String> =
            children.iter().map(|&child| at_least(self.print(child, known), binds + 1)).collect();
        (parts.join(&format!(" {operator} ")), binds)
    }

    /// A sum of bit-vectors: differences as such, numbers last.
    fn sum(&self, left: Term, right: Term, known: bool) -> Printed {
        let negated = |term: Term| match (self.arena.op(term), self.arena.children(term)) {
            (Op::BvNeg, &[child]) => Some(child),
            _ => None,
        };
        let (left, right) = if self.is_number(left) { (right, left) } else { (left, right) };
        if let Some(child) = negated(right) {
            return self.binary("-", 10, left, child, known);
        }
        if let Some(child) = negated(left)
            && !self.is_number(right)
        {
            return self.binary("-", 10, right, child, known);
        }
        let number = self.arena.as_bitvec(right).map(BitVec::to_signed);
        match number {
            Some(number)
                if is_small_negative(&number, self.arena.width(right)) && (known || self.evident(left)) =>
            {
                let left = at_least(self.print(left, true), 10);
                (format!("{left} - {}", -number), 10)
            }
            _ => self.binary("+", 10, left, right, known),
        }
    }

    fn value(&self, value: &Value, term: Term, known: bool) -> Printed {
        let number = match value {
            Value::Bool(value) => return (value.to_string(), ATOM),
            Value::BitVec(bits) => {
                let signed = bits.to_signed();
                // Few bits are rather flags or enumerations than signed numbers.
                let negative = bits.width() >= 8 && is_small_negative(&signed, bits.width());
                if negative { signed } else { bits.to_big().into() }
            }
            Value::Int(number) => number.clone(),
            Value::Real(number) if number.is_integer() => number.to_integer(),
            _ => return (smt(self.arena, term), ATOM),
        };
        let long = match value {
            Value::BitVec(bits) => {
                number.sign() != Sign::Minus && number.bits() > if bits.sign_bit() { 16 } else { 34 }
            }
            _ => false,
        };
        let text = if long { format!("0x{number:x}") } else { number.to_string() };
        let sort = if known { String::new() } else { format!(":{}", sort_text(self.arena.sort(term))) };
        (text + &sort, if number.sign() == Sign::Minus { UNARY } else { ATOM })
    }
}

/// Whether a number of that width is better read as a negative one.
fn is_small_negative(number: &BigInt, width: u32) -> bool {
    number.sign() == Sign::Minus && number.magnitude().bits() <= u64::from(width / 2).min(17)
}

/// The operators with two operands of the same sort, and how tightly they bind.
fn binary_operator(op: Op) -> Option<(&'static str, u32)> {
    Some(match op {
        Op::Xor | Op::BvXor => ("^", 6),
        Op::BvOr => ("|", 5),
        Op::BvAnd => ("&", 7),
        Op::BvShl => ("<<", 8),
        Op::BvLshr => (">>u", 8),
        Op::BvAshr => (">>s", 8),
        Op::Concat => ("++", 9),
        Op::BvAdd => ("+", 10),
        Op::BvMul => ("*", 11),
        Op::BvUdiv => ("/u", 11),
        Op::BvSdiv => ("/s", 11),
        Op::BvUrem => ("%u", 11),
        Op::BvSrem => ("%s", 11),
        Op::IntDiv | Op::RealDiv => ("/", 11),
        Op::IntMod => ("%", 11),
        _ => return None,
    })
}
