//! Terms that are no truth values, as pieces of C.
//!
//! A piece of C has a type of C, and its value is the term's bits read as signed or unsigned ([`Sign`]). With
//! both known, the usual arithmetic conversions (C11 6.3.1.8) say where a cast is needed.

use super::float;
use super::interval::Domain;
use crate::scalar::{Scalar, Scalars};
use nilas_term::{Arena, BitVec, Op, RoundingMode, Sort, Term, Value};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

pub(super) const ATOM: u8 = 0;
pub(super) const UNARY: u8 = 1;
const PRODUCT: u8 = 2;
const SUM: u8 = 3;
const SHIFT: u8 = 4;
pub(super) const ORDER: u8 = 5;
pub(super) const EQUALITY: u8 = 6;
const BIT: u8 = 7;
pub(super) const AND: u8 = 8;
pub(super) const OR: u8 = 9;
pub(super) const CHOICE: u8 = 10;

/// How the value of a piece of C reads the bits of its term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sign {
    Signed,
    Unsigned,
    /// Both give the same: the first bit is never set.
    Either,
}

/// A piece of C.
#[derive(Clone, Debug)]
pub(super) struct Text {
    pub(super) text: String,
    /// How tightly it binds: 0 is an operand.
    pub(super) level: u8,
    pub(super) sign: Sign,
    /// The width of its type, after the integer promotions, and whether that is unsigned.
    pub(super) width: u32,
    pub(super) unsigned: bool,
}

impl Text {
    /// Something that is no integer: a float, a truth value, an array.
    pub(super) fn other(text: impl Into<String>, level: u8) -> Text {
        Text { text: text.into(), level, sign: Sign::Either, width: 32, unsigned: false }
    }

    /// As an operand of something that binds as tightly as `level`.
    pub(super) fn within(&self, level: u8) -> String {
        // Mixing bit operators, and comparisons below them, is where C surprises.
        let mixed = (level == BIT && self.level > UNARY) || (level == OR && self.level == AND);
        let clear = self.level < level && !mixed;
        if clear || self.level == ATOM { self.text.clone() } else { format!("({})", self.text) }
    }

    fn cast(&self, unsigned: bool, width: u32) -> Option<Text> {
        let ty = if unsigned { unsigned_type(width)? } else { signed_type(width)? };
        let sign = if unsigned { Sign::Unsigned } else { Sign::Signed };
        let text = format!("({ty}){}", self.within(UNARY + 1));
        // A narrow type is promoted to `int`.
        Some(Text { text, level: UNARY, sign, width: width.max(32), unsigned: unsigned && width >= 32 })
    }
}

/// Writes terms, the children first.
pub(super) struct Writer<'a> {
    pub(super) arena: &'a Arena,
    pub(super) scalars: &'a Scalars,
    names: BTreeMap<Term, String>,
    pub(super) texts: FxHashMap<Term, Text>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(arena: &'a Arena, formulas: &[Term], scalars: &'a Scalars) -> Self {
        Writer { arena, scalars, names: names(arena, formulas), texts: FxHashMap::default() }
    }

    /// The type of the scalar that a term is, if it is a variable or an element of an array.
    pub(super) fn scalar(&self, term: Term) -> Option<&'a Scalar> {
        let holder = match self.arena.op(term) {
            Op::Select => *self.arena.children(term).first()?,
            _ => term,
        };
        self.scalars.types.get(self.arena.name(holder)?)
    }

    /// The integers that a term is, as its text reads it; `None` if it is none of up to 64 bits.
    pub(super) fn domain(&self, term: Term) -> Option<Domain> {
        match *self.arena.sort(term) {
            Sort::BitVec(width @ 1..=64) => {
                Some(Domain { width, signed: self.texts[&term].sign == Sign::Signed })
            }
            _ => None,
        }
    }

    /// A term as a text of a sign, in whose type comparisons and divisions are as the term's.
    pub(super) fn read_as(&self, term: Term, unsigned: bool) -> Text {
        let width = self.arena.width(term);
        if let Some(bits) = self.arena.as_bitvec(term) {
            return constant(bits, !unsigned);
        }
        let text = &self.texts[&term];
        match (text.sign, unsigned) {
            (Sign::Either, _) | (Sign::Signed, false) | (Sign::Unsigned, true) => text.clone(),
            _ => text.cast(unsigned, width).unwrap_or_else(|| text.clone()),
        }
    }

    /// Both operands of a comparison or choice, in one reading and in types that do not change their values.
    pub(super) fn pair(&self, one: Term, other: Term, unsigned: bool) -> (Text, Text) {
        let (mut left, mut right) = (self.read_as(one, unsigned), self.read_as(other, unsigned));
        let width = self.arena.width(one);
        // A negative number would become a large one in the other's type.
        let spoils = |a: &Text, b: &Text| a.unsigned && b.sign == Sign::Signed && b.width <= a.width;
        if !unsigned && (spoils(&left, &right) || spoils(&right, &left)) {
            left = left.cast(false, width.max(64)).unwrap_or(left);
            right = right.cast(false, width.max(64)).unwrap_or(right);
        }
        (left, right)
    }

    /// A term, its children being written already.
    pub(super) fn expression(&self, term: Term) -> Text {
        self.written(term).unwrap_or_else(|| self.call(term))
    }

    /// What C has no operator for.
    fn call(&self, term: Term) -> Text {
        let arguments: Vec<&str> =
            self.arena.children(term).iter().map(|child| self.texts[child].text.as_str()).collect();
        let name = match self.arena.op(term) {
            Op::Store => return Text::other(stored(&arguments), UNARY),
            Op::ConstArray(_) => "all".to_owned(),
            Op::Apply(symbol) => self.arena.signature(symbol).name.to_string(),
            op => words(&format!("{op:?}")),
        };
        Text::other(format!("{name}({})", arguments.join(", ")), ATOM)
    }

    fn written(&self, term: Term) -> Option<Text> {
        let arena = self.arena;
        let children = arena.children(term);
        let width = match *arena.sort(term) {
            Sort::BitVec(width) => width,
            Sort::Float(..) => return self.float(term),
            _ => 0,
        };
        let at = |index: usize| &self.texts[&children[index]];
        match arena.op(term) {
            Op::Var(_) => Some(self.atom(term, self.names.get(&term)?.clone(), width)),
            Op::Const(value) => match arena.value(value) {
                Value::BitVec(bits) => Some(constant(bits, true)),
                Value::Array(_) => Some(Text::other("a constant array", ATOM)),
                Value::Int(number) => Some(Text::other(number.to_string(), UNARY)),
                Value::Real(number) => Some(Text::other(number.to_string(), PRODUCT)),
                _ => None,
            },
            Op::Select => {
                let name = at(0).within(UNARY);
                let name = name.strip_suffix("[]").unwrap_or(&name);
                let index = self.unextended(children[1]);
                let index = match arena.as_bitvec(index) {
                    Some(bits) => bits.to_big().to_string(),
                    None => self.texts[&index].text.clone(),
                };
                Some(self.atom(term, format!("{name}[{index}]"), width))
            }
            Op::Ite if width > 0 => {
                let unsigned = [1, 2].iter().any(|&at| self.sign(children[at]) == Some(Sign::Unsigned));
                let (then, otherwise) = self.pair(children[1], children[2], unsigned);
                let condition = at(0).within(CHOICE);
                let text = format!("{condition} ? {} : {}", then.within(CHOICE), otherwise.within(CHOICE));
                let (sign, c_width) = (signed(unsigned), then.width.max(otherwise.width));
                let c_unsigned = then.unsigned || otherwise.unsigned;
                Some(Text { text, level: CHOICE, sign, width: c_width, unsigned: c_unsigned })
            }
            Op::BvAdd => self.sum(children, width),
            Op::BvMul => self.arithmetic("*", PRODUCT, children, width),
            Op::BvAnd => self.arithmetic("&", BIT, children, width),
            Op::BvOr => self.arithmetic("|", BIT, children, width),
            Op::BvXor => self.arithmetic("^", BIT, children, width),
            Op::BvNeg => self.unary("-", children[0], width),
            Op::BvNot => self.unary("~", children[0], width),
            Op::BvSdiv => self.divided("/", PRODUCT, children, width, false),
            Op::BvSrem => self.divided("%", PRODUCT, children, width, false),
            Op::BvUdiv => self.divided("/", PRODUCT, children, width, true),
            Op::BvUrem => self.divided("%", PRODUCT, children, width, true),
            Op::BvShl => {
                let left = widened(at(0).clone(), width)?;
                let right = self.read_as(children[1], true);
                let text = format!("{} << {}", left.within(SHIFT), right.within(SHIFT));
                let sign = if left.unsigned { Sign::Unsigned } else { Sign::Signed };
                narrowed(Text { text, level: SHIFT, sign, ..left }, width)
            }
            Op::BvAshr => self.divided(">>", SHIFT, children, width, false),
            Op::BvLshr => self.divided(">>", SHIFT, children, width, true),
            Op::ZeroExtend(_) => {
                let text = self.read_as(children[0], true);
                (text.sign != Sign::Signed).then_some(Text { sign: Sign::Either, ..text })
            }
            Op::SignExtend(_) => {
                let text = self.read_as(children[0], false);
                (text.sign != Sign::Unsigned).then_some(text)
            }
            Op::Extract { hi, lo } => self.extract(children[0], hi, lo),
            Op::Concat => {
                let low = arena.width(children[1]);
                let (left, right) = (self.read_as(children[0], true), self.read_as(children[1], true));
                if width > 64 || left.sign == Sign::Signed || right.sign == Sign::Signed {
                    return None;
                }
                let left = left.cast(true, if width > 32 { 64 } else { 32 })?;
                let text = format!("{} << {low} | {}", left.within(SHIFT), right.within(BIT));
                Some(Text { text: format!("({text})"), level: ATOM, sign: Sign::Unsigned, ..left })
            }
            Op::FpToSigned(_) => Text::other(at(1).text.clone(), at(1).level).cast(false, width),
            Op::FpToUnsigned(_) => Text::other(at(1).text.clone(), at(1).level).cast(true, width),
            _ => None,
        }
    }

    /// A variable or an element.
    fn atom(&self, term: Term, text: String, width: u32) -> Text {
        let unsigned = match self.scalar(term) {
            Some(Scalar::Unsigned | Scalar::Pointer) => true,
            Some(Scalar::Enumeration { signed, .. }) => !signed,
            Some(Scalar::Signed | Scalar::Float) | None => false,
        };
        let sign = signed(unsigned);
        Text { text, level: ATOM, sign, width: width.max(32), unsigned: unsigned && width >= 32 }
    }

    fn sign(&self, term: Term) -> Option<Sign> {
        self.arena.as_bitvec(term).is_none().then(|| self.texts[&term].sign)
    }

    /// `a + b`, with a minus where there is one.
    fn sum(&self, children: &[Term], width: u32) -> Option<Text> {
        let arena = self.arena;
        let &[one, other] = children else { return None };
        let (mut left, mut right) = (one, other);
        if arena.as_bitvec(left).is_some() || arena.op(left) == Op::BvNeg {
            (left, right) = (right, left);
        }
        if let Some(bits) = arena.as_bitvec(right).filter(|bits| bits.sign_bit() && bits.width() > 1) {
            let magnitude = constant(&BitVec::neg(bits), false);
            return infix("-", SUM, (self.texts[&left].clone(), magnitude), width);
        }
        if arena.op(right) == Op::BvNeg {
            let negated = self.texts[&arena.children(right)[0]].clone();
            return infix("-", SUM, (self.texts[&left].clone(), negated), width);
        }
        self.arithmetic("+", SUM, &[left, right], width)
    }

    /// An operator whose low bits depend on low bits alone.
    fn arithmetic(&self, operator: &str, level: u8, children: &[Term], width: u32) -> Option<Text> {
        let &[one, other] = children else { return None };
        let unsigned = [one, other].iter().any(|&it| self.sign(it) == Some(Sign::Unsigned));
        let text = |term: Term| match self.arena.as_bitvec(term) {
            Some(bits) => constant(bits, !unsigned),
            None => self.texts[&term].clone(),
        };
        // Constants come last.
        let (left, right) = if self.arena.as_bitvec(one).is_some() { (other, one) } else { (one, other) };
        infix(operator, level, (text(left), text(right)), width)
    }

    fn unary(&self, operator: &str, operand: Term, width: u32) -> Option<Text> {
        let text = widened(self.texts[&operand].clone(), width)?;
        let sign = if text.unsigned || text.sign == Sign::Unsigned { Sign::Unsigned } else { Sign::Signed };
        let told = format!("{operator}{}", text.within(UNARY));
        narrowed(Text { text: told, level: UNARY, sign, ..text }, width)
    }

    /// An operator that depends on the reading of its operands.
    fn divided(
        &self,
        operator: &str,
        level: u8,
        children: &[Term],
        width: u32,
        unsigned: bool,
    ) -> Option<Text> {
        let &[one, other] = children else { return None };
        let shift = level == SHIFT;
        let (left, right) = match shift {
            true => (self.read_as(one, unsigned), self.read_as(other, true)),
            false => self.pair(one, other, unsigned),
        };
        let fits = |text: &Text| match unsigned {
            true => text.sign != Sign::Signed,
            false => text.sign != Sign::Unsigned,
        };
        if !fits(&left) || (!shift && !fits(&right)) {
            return None;
        }
        let left = if shift { widened(left, width)? } else { left };
        let text = format!("{} {operator} {}", left.within(level), right.within(level));
        let c_width = if shift { left.width } else { left.width.max(right.width) };
        let c_unsigned = left.unsigned || (!shift && right.unsigned);
        let whole = Text { text, level, sign: signed(unsigned), width: c_width, unsigned: c_unsigned };
        // -128 / -1 is no number of eight bits.
        if operator == "/" && !unsigned && width < 32 { narrowed(whole, width) } else { Some(whole) }
    }

    fn extract(&self, operand: Term, hi: u32, lo: u32) -> Option<Text> {
        let text = self.texts[&operand].clone();
        let width = hi - lo + 1;
        if lo == 0 && matches!(width, 8 | 16 | 32) {
            return text.cast(text.sign != Sign::Signed, width);
        }
        let (from, mask) = (self.arena.width(operand), (1_u64 << width.min(63)) - 1);
        if from > 64 || width > 63 || text.width < from {
            return None;
        }
        let shifted = match lo {
            0 => text.within(BIT),
            _ => format!("({} >> {lo})", text.within(SHIFT)),
        };
        let told = format!("({shifted} & {mask})");
        let sign = Sign::Unsigned;
        Some(Text { text: told, level: ATOM, sign, ..text })
    }

    /// A term without extensions that its text does not show.
    pub(super) fn unextended(&self, mut term: Term) -> Term {
        loop {
            let inner = match self.arena.op(term) {
                Op::ZeroExtend(_) | Op::SignExtend(_) => self.arena.children(term)[0],
                _ => return term,
            };
            let is_zero = matches!(self.arena.op(term), Op::ZeroExtend(_));
            match self.sign(inner) {
                Some(Sign::Either) => term = inner,
                Some(Sign::Unsigned) if is_zero => term = inner,
                Some(Sign::Signed) if !is_zero => term = inner,
                _ => return term,
            }
        }
    }

    fn float(&self, term: Term) -> Option<Text> {
        let arena = self.arena;
        let children = arena.children(term);
        let at = |index: usize| &self.texts[&children[index]];
        // Where there is a rounding mode it comes first; only the usual one goes without saying.
        let usual = || {
            let mode = children.first().and_then(|&mode| arena.as_value(mode));
            mode == Some(&Value::RoundingMode(RoundingMode::NearestEven))
        };
        let infix = |operator: &str, level: u8| {
            let text = format!("{} {operator} {}", at(1).within(level), at(2).within(level));
            usual().then(|| Text::other(text, level))
        };
        let call = |name: &str, from: usize| {
            let arguments: Vec<&str> =
                children[from..].iter().map(|it| self.texts[it].text.as_str()).collect();
            Some(Text::other(format!("{name}({})", arguments.join(", ")), ATOM))
        };
        let converted = |index: usize, exponent: u32, significand: u32| {
            let ty = match (exponent, significand) {
                (8, 24) => "float",
                (11, 53) => "double",
                _ => return None,
            };
            let text = format!("({ty}){}", at(index).within(UNARY + 1));
            usual().then(|| Text::other(text, UNARY))
        };
        match arena.op(term) {
            Op::Var(_) => Some(Text::other(self.names.get(&term)?.clone(), ATOM)),
            Op::Const(value) => match arena.value(value) {
                Value::Float(value) => Some(Text::other(float::constant(value), UNARY)),
                _ => None,
            },
            Op::Select => {
                let name = at(0).within(UNARY);
                let name = name.strip_suffix("[]").unwrap_or(&name);
                let index = &self.texts[&self.unextended(children[1])].text;
                Some(Text::other(format!("{name}[{index}]"), ATOM))
            }
            Op::Ite => {
                let [condition, then, otherwise] = [0, 1, 2].map(|index| at(index).within(CHOICE));
                Some(Text::other(format!("{condition} ? {then} : {otherwise}"), CHOICE))
            }
            Op::FpAdd => infix("+", SUM),
            Op::FpMul => infix("*", PRODUCT),
            Op::FpDiv => infix("/", PRODUCT),
            Op::FpNeg => Some(Text::other(format!("-{}", at(0).within(UNARY)), UNARY)),
            Op::FpAbs => call("fabs", 0),
            Op::FpSqrt if usual() => call("sqrt", 1),
            Op::FpFma if usual() => call("fma", 1),
            Op::FpRoundToIntegral if usual() => call("rint", 1),
            Op::FpRem => call("remainder", 0),
            Op::FpMin => call("fmin", 0),
            Op::FpMax => call("fmax", 0),
            Op::FpToFp(exponent, significand) => converted(1, exponent, significand),
            Op::FpFromSigned(exponent, significand) => (self.sign(children[1]) != Some(Sign::Unsigned))
                .then(|| converted(1, exponent, significand))?,
            Op::FpFromUnsigned(exponent, significand) => {
                (self.sign(children[1]) != Some(Sign::Signed)).then(|| converted(1, exponent, significand))?
            }
            _ => None,
        }
    }
}

/// Names without the function, and without the number that tells variables of one name in it apart, where no
/// two would be the same.
fn names(arena: &Arena, formulas: &[Term]) -> BTreeMap<Term, String> {
    let variables = arena.free_variables_of(formulas);
    let name = |&term: &Term| arena.name(term).unwrap_or_default().to_owned();
    let short = |name: &str| {
        let last = name.rsplit("::").next().unwrap_or(name);
        let Some((head, tail)) = last.split_once('~') else { return last.to_owned() };
        head.to_owned() + tail.trim_start_matches(|digit: char| digit.is_ascii_digit())
    };
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

/// A constant read as signed or unsigned.
fn constant(bits: &BitVec, as_signed: bool) -> Text {
    let negative = as_signed && bits.width() > 1 && bits.sign_bit();
    let (text, level) = match negative {
        true => (format!("-{}", BitVec::neg(bits).to_big()), UNARY),
        false => (bits.to_big().to_string(), ATOM),
    };
    let big = bits.to_u64().is_none_or(|number| i64::try_from(number).is_err()) && !negative;
    let text = if big { format!("{text}u") } else { text };
    let sign = match (bits.sign_bit() && bits.width() > 1, as_signed) {
        (false, _) => Sign::Either,
        (true, true) => Sign::Signed,
        (true, false) => Sign::Unsigned,
    };
    // Its type in C is the first of `int` and `long` that has it.
    let fits = if negative { true } else { bits.to_u64().is_some_and(|it| i32::try_from(it).is_ok()) };
    let narrow = fits && (!negative || BitVec::neg(bits).to_u64().is_some_and(|it| it <= 1 << 31));
    Text { text, level, sign, width: if narrow { 32 } else { 64 }, unsigned: big }
}

fn signed(unsigned: bool) -> Sign {
    if unsigned { Sign::Unsigned } else { Sign::Signed }
}

/// `a` with some elements replaced.
fn stored(arguments: &[&str]) -> String {
    match arguments {
        [array, index, element] => format!("{array} with [{index}] = {element}"),
        other => other.join(", "),
    }
}

/// `BvSmod` becomes `bv_smod`; what is said of its type is left out.
fn words(name: &str) -> String {
    let mut words = String::new();
    for letter in name.chars().take_while(|letter| letter.is_alphanumeric()) {
        if letter.is_uppercase() && !words.is_empty() {
            words.push('_');
        }
        words.extend(letter.to_lowercase());
    }
    words
}

fn unsigned_type(width: u32) -> Option<&'static str> {
    match width {
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

fn infix(operator: &str, level: u8, (left, right): (Text, Text), width: u32) -> Option<Text> {
    let left = if right.width < width { widened(left, width)? } else { left };
    let text = format!("{} {operator} {}", left.within(level), right.within(level));
    let c_width = left.width.max(right.width);
    let unsigned = (left.unsigned && left.width == c_width) || (right.unsigned && right.width == c_width);
    let narrow = width < 32 && [&left, &right].iter().any(|it| it.sign == Sign::Unsigned);
    let sign = signed(unsigned || narrow);
    narrowed(Text { text, level, sign, width: c_width, unsigned }, width)
}

/// In a type of at least so many bits.
fn widened(text: Text, width: u32) -> Option<Text> {
    if text.width >= width || width <= 32 {
        return Some(text);
    }
    let unsigned = text.sign == Sign::Unsigned;
    let sign = text.sign;
    Some(Text { sign, ..text.cast(unsigned, 64).filter(|_| width <= 64)? })
}

/// What was computed in a wider type has to lose its upper bits.
fn narrowed(text: Text, width: u32) -> Option<Text> {
    if text.width == width {
        return Some(text);
    }
    match width {
        8 | 16 | 32 => text.cast(text.sign == Sign::Unsigned, width),
        1..=63 => {
            let mask = (1_u64 << width) - 1;
            let told = format!("({} & {mask})", text.within(BIT));
            Some(Text { text: told, level: ATOM, sign: Sign::Unsigned, ..text })
        }
        _ => None,
    }
}
