//! Printing of terms and values.

use super::numbers::{print_integer, print_real};
use super::quote_symbol;
use crate::arena::{Arena, SymbolId};
use crate::op::Op;
use crate::sort::Sort;
use crate::term::Term;
use crate::value::{FloatValue, RoundingMode, Value};
use rustc_hash::FxHashMap;
use std::fmt::Write as _;

/// What symbols and sorts are called in printed text.
///
/// Text for another program may need names other than the arena's own: names that are free of what that
/// program takes for built in, or shorter ones.
pub trait Naming {
    /// The symbol as it is written, with bars where it needs them.
    fn symbol(&self, arena: &Arena, symbol: SymbolId) -> String;
    /// The sort as it is written.
    fn sort(&self, sort: &Sort) -> String;
}

/// The names that the arena has.
struct OwnNames;

impl Naming for OwnNames {
    fn symbol(&self, arena: &Arena, symbol: SymbolId) -> String {
        quote_symbol(&arena.signature(symbol).name)
    }

    fn sort(&self, sort: &Sort) -> String {
        sort.to_string()
    }
}

/// A value as a term.
#[must_use]
pub fn print_value(value: &Value) -> String {
    print_value_with(value, &OwnNames)
}

fn print_value_with(value: &Value, naming: &dyn Naming) -> String {
    match value {
        Value::Bool(value) => value.to_string(),
        Value::BitVec(value) => value.to_string(),
        Value::Float(value) => print_float(value),
        Value::RoundingMode(mode) => match mode {
            RoundingMode::NearestEven => "RNE",
            RoundingMode::NearestAway => "RNA",
            RoundingMode::Up => "RTP",
            RoundingMode::Down => "RTN",
            RoundingMode::TowardZero => "RTZ",
        }
        .to_owned(),
        Value::Array(array) => {
            let mut text = "(store ".repeat(array.entries.len());
            let default = print_value_with(&array.default, naming);
            let _ = write!(text, "((as const {}) {default})", naming.sort(&value.sort()));
            for (index, element) in &array.entries {
                let (index, element) = (print_value_with(index, naming), print_value_with(element, naming));
                let _ = write!(text, " {index} {element})");
            }
            text
        }
        Value::Uninterpreted(sort, number) => format!("(as @{number} {})", quote_symbol(sort)),
        Value::Int(value) => print_integer(value),
        Value::Real(value) => print_real(value),
    }
}

fn print_float(value: &FloatValue) -> String {
    let FloatValue { exponent, significand, bits } = value;
    let sign = bits.sign_bit();
    let exponent_bits = bits.extract(exponent + significand - 2, significand - 1);
    let fraction = bits.extract(significand - 2, 0);
    let name = match (exponent_bits.is_ones(), exponent_bits.is_zero(), fraction.is_zero()) {
        (true, _, false) => "NaN",
        (true, _, true) => {
            if sign {
                "-oo"
            } else {
                "+oo"
            }
        }
        (_, true, true) => {
            if sign {
                "-zero"
            } else {
                "+zero"
            }
        }
        _ => return format!("(fp #b{} {exponent_bits} {fraction})", u8::from(sign)),
    };
    format!("(_ {name} {exponent} {significand})")
}

/// A term. Subterms that occur more than once, other than leaves, are named by `let`: those that contain no
/// others first, and so on, one `let` per level.
#[must_use]
pub fn print_term(arena: &Arena, term: Term) -> String {
    print_term_with(arena, term, &OwnNames)
}

/// A term, with names for its symbols and sorts. No name may be `?` and a number, unless a symbol of the
/// arena is called that.
#[must_use]
pub fn print_term_with(arena: &Arena, term: Term, naming: &dyn Naming) -> String {
    let shared = Sharing::of(arena, term);
    let mut printer = Printer { arena, naming, names: FxHashMap::default(), text: String::new() };
    let mut number = 0u32;
    for level in &shared.levels {
        let mut names = Vec::with_capacity(level.len());
        printer.text.push_str("(let (");
        for (position, &term) in level.iter().enumerate() {
            let name = loop {
                let name = format!("?{number}");
                number += 1;
                if arena.lookup(&name).is_none() {
                    break name;
                }
            };
            if position > 0 {
                printer.text.push(' ');
            }
            let _ = write!(printer.text, "({name} ");
            printer.print(term);
            printer.text.push(')');
            names.push((term, name));
        }
        printer.text.push_str(") ");
        printer.names.extend(names);
    }
    printer.print(term);
    printer.text.push_str(&")".repeat(shared.levels.len()));
    printer.text
}

/// What occurs more than once in a term, by level: a term of one level contains shared terms of lower ones
/// only.
struct Sharing {
    levels: Vec<Vec<Term>>,
}

impl Sharing {
    fn of(arena: &Arena, root: Term) -> Self {
        let mut uses: FxHashMap<Term, u32> = FxHashMap::default();
        let mut order = Vec::new();
        let mut stack = vec![root];
        while let Some(term) = stack.pop() {
            let count = uses.entry(term).or_default();
            *count += 1;
            if *count == 1 {
                order.push(term);
                stack.extend_from_slice(arena.children(term));
            }
        }
        // Children have smaller ids than their parents.
        order.sort_unstable();
        let mut height: FxHashMap<Term, usize> = FxHashMap::default();
        let mut levels: Vec<Vec<Term>> = Vec::new();
        for term in order {
            let below = arena.children(term).iter().map(|child| height[child]).max().unwrap_or(0);
            let named = uses[&term] > 1 && is_worth_a_name(arena, term);
            if named {
                if levels.len() <= below {
                    levels.resize(below + 1, Vec::new());
                }
                levels[below].push(term);
            }
            height.insert(term, below + usize::from(named));
        }
        Sharing { levels }
    }
}

fn is_worth_a_name(arena: &Arena, term: Term) -> bool {
    !arena.op(term).is_leaf() || matches!(arena.as_value(term), Some(Value::Array(_)))
}

struct Printer<'a> {
    arena: &'a Arena,
    naming: &'a dyn Naming,
    names: FxHashMap<Term, String>,
    text: String,
}

enum Piece {
    Term(Term),
    Close,
}

impl Printer<'_> {
    fn print(&mut self, term: Term) {
        let mut stack = vec![Piece::Term(term)];
        while let Some(piece) = stack.pop() {
            match piece {
                Piece::Close => self.text.push(')'),
                Piece::Term(term) => {
                    if !self.text.is_empty() && !self.text.ends_with(['(', ' ']) {
                        self.text.push(' ');
                    }
                    if let Some(name) = self.names.get(&term) {
                        self.text.push_str(name);
                        continue;
                    }
                    let op = self.arena.op(term);
                    match op {
                        Op::Const(value) => {
                            self.text.push_str(&print_value_with(self.arena.value(value), self.naming));
                        }
                        Op::Var(symbol) => self.text.push_str(&self.naming.symbol(self.arena, symbol)),
                        _ => {
                            self.text.push('(');
                            self.text.push_str(&operator(self.arena, op, self.naming));
                            stack.push(Piece::Close);
                            stack.extend(
                                self.arena.children(term).iter().rev().map(|&child| Piece::Term(child)),
                            );
                        }
                    }
                }
            }
        }
    }
}

/// The operator as it stands at the head of an application.
fn operator(arena: &Arena, op: Op, naming: &dyn Naming) -> String {
    let name = match op {
        Op::Var(symbol) | Op::Apply(symbol) => return naming.symbol(arena, symbol),
        Op::Const(value) => return print_value_with(arena.value(value), naming),
        Op::Extract { hi, lo } => return format!("(_ extract {hi} {lo})"),
        Op::ZeroExtend(by) => return format!("(_ zero_extend {by})"),
        Op::SignExtend(by) => return format!("(_ sign_extend {by})"),
        Op::ConstArray(sort) => return format!("(as const {})", naming.sort(arena.sort_by_id(sort))),
        Op::Divisible(by) => return format!("(_ divisible {by})"),
        Op::FpToFp(exponent, significand)
        | Op::FpFromIeeeBits(exponent, significand)
        | Op::FpFromSigned(exponent, significand)
        | Op::FpFromReal(exponent, significand) => return format!("(_ to_fp {exponent} {significand})"),
        Op::FpFromUnsigned(exponent, significand) => {
            return format!("(_ to_fp_unsigned {exponent} {significand})");
        }
        Op::FpToUnsigned(width) => return format!("(_ fp.to_ubv {width})"),
        Op::FpToSigned(width) => return format!("(_ fp.to_sbv {width})"),
        Op::Not => "not",
        Op::And => "and",
        Op::Or => "or",
        Op::Xor => "xor",
        Op::Eq => "=",
        Op::Ite => "ite",
        Op::Concat => "concat",
        Op::BvNot => "bvnot",
        Op::BvAnd => "bvand",
        Op::BvOr => "bvor",
        Op::BvXor => "bvxor",
        Op::BvNeg => "bvneg",
        Op::BvAdd => "bvadd",
        Op::BvMul => "bvmul",
        Op::BvUdiv => "bvudiv",
        Op::BvUrem => "bvurem",
        Op::BvSdiv => "bvsdiv",
        Op::BvSrem => "bvsrem",
        Op::BvSmod => "bvsmod",
        Op::BvShl => "bvshl",
        Op::BvLshr => "bvlshr",
        Op::BvAshr => "bvashr",
        Op::BvUlt => "bvult",
        Op::BvUle => "bvule",
        Op::BvSlt => "bvslt",
        Op::BvSle => "bvsle",
        Op::Select => "select",
        Op::Store => "store",
        Op::Neg => "-",
        Op::Add => "+",
        Op::Mul => "*",
        Op::IntDiv => "div",
        Op::IntMod => "mod",
        Op::IntAbs => "abs",
        Op::RealDiv => "/",
        Op::Le => "<=",
        Op::Lt => "<",
        Op::ToReal => "to_real",
        Op::ToInt => "to_int",
        Op::IsInt => "is_int",
        Op::FpFromBits => "fp",
        Op::FpAbs => "fp.abs",
        Op::FpNeg => "fp.neg",
        Op::FpAdd => "fp.add",
        Op::FpMul => "fp.mul",
        Op::FpDiv => "fp.div",
        Op::FpFma => "fp.fma",
        Op::FpSqrt => "fp.sqrt",
        Op::FpRem => "fp.rem",
        Op::FpRoundToIntegral => "fp.roundToIntegral",
        Op::FpMin => "fp.min",
        Op::FpMax => "fp.max",
        Op::FpLe => "fp.leq",
        Op::FpLt => "fp.lt",
        Op::FpEq => "fp.eq",
        Op::FpIsNormal => "fp.isNormal",
        Op::FpIsSubnormal => "fp.isSubnormal",
        Op::FpIsZero => "fp.isZero",
        Op::FpIsInfinite => "fp.isInfinite",
        Op::FpIsNan => "fp.isNaN",
        // No symbol of the standard, but what solvers agree on.
        Op::FpToIeeeBits => "fp.to_ieee_bv",
        Op::FpIsNegative => "fp.isNegative",
        Op::FpIsPositive => "fp.isPositive",
        Op::FpToReal => "fp.to_real",
    };
    name.to_owned()
}
