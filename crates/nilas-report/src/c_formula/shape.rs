//! Truth values: conjunctions and disjunctions of ranges and other facts.
//!
//! A shape has two levels: what is nested deeper is text already. Ranges of one value are one: in a
//! conjunction they are intersected, in a disjunction united.

use super::bound::Bound;
use super::choice;
use super::expression::{AND, ATOM, CHOICE, EQUALITY, OR, ORDER, Sign, Text, UNARY, Writer};
use super::interval::Intervals;
use crate::scalar::{Scalar, Scalars};
use nilas_term::{Op, Sort, Term, Value};
use rustc_hash::FxHashMap;

/// How much a fact tells: the smaller, the more.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Class {
    Equation,
    Relation,
    Range,
    Cases,
    /// One value: what an initialiser says, most of the time.
    Value,
}

/// A fact that is no range.
#[derive(Clone, Debug)]
struct Fact {
    text: Text,
    /// Its opposite.
    negation: Text,
    class: Class,
    /// What it is made of, if it is a disjunction.
    cases: Option<Box<Shape>>,
    /// It is a bound of a float.
    bound: Option<Bound>,
}

/// What values something has.
#[derive(Clone, Debug)]
struct Range {
    /// What it is about.
    term: Term,
    text: Text,
    set: Intervals,
    /// How single values are called.
    names: Names,
}

/// How values are written.
#[derive(Clone, Debug)]
enum Names {
    Numbers,
    Constants(Vec<(String, i128)>),
    Addresses(Vec<(i128, String)>),
}

/// An end of a range.
enum Side {
    Lower,
    Upper,
}

/// See the module's text.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    or: bool,
    ranges: Vec<Range>,
    facts: Vec<Fact>,
}

/// The shape of a truth value whose children are known.
pub(super) fn of(writer: &mut Writer<'_>, term: Term, shapes: &FxHashMap<Term, Shape>) -> Shape {
    let arena = writer.arena;
    let children = arena.children(term);
    match arena.op(term) {
        Op::Const(value) => match arena.value(value) {
            Value::Bool(true) => Shape::holds(),
            _ => Shape { or: true, ..Shape::holds() },
        },
        Op::And => Shape::joined(false, children.iter().filter_map(|child| shapes.get(child))),
        Op::Or => Shape::joined(true, children.iter().filter_map(|child| shapes.get(child))),
        Op::Not => shapes.get(&children[0]).map_or_else(Shape::holds, Shape::negated),
        Op::Eq | Op::BvSlt | Op::BvSle | Op::BvUlt | Op::BvUle => {
            let shape = choice::compared(writer, term, shapes).or_else(|| ranged(writer, term));
            shape.unwrap_or_else(|| Shape::of(compared(writer, term)))
        }
        // Two facts that are read one after the other, where a nested `?:` has to be taken apart.
        Op::Ite
            if let [Some(condition), Some(then), Some(otherwise)] =
                [0, 1, 2].map(|index| shapes.get(&children[index])) =>
        {
            let holds = Shape::joined(true, [&condition.negated(), then].into_iter());
            let fails = Shape::joined(true, [condition, otherwise].into_iter());
            Shape::joined(false, [&holds, &fails].into_iter())
        }
        Op::FpLt | Op::FpLe => Shape::of(Fact { bound: Bound::of(writer, term), ..compared(writer, term) }),
        _ => Shape::of(compared(writer, term)),
    }
}

/// A comparison with a constant as a range.
fn ranged(writer: &Writer<'_>, term: Term) -> Option<Shape> {
    let arena = writer.arena;
    let &[one, other] = arena.children(term) else { return None };
    let (left, value) = match (arena.as_bitvec(one), arena.as_bitvec(other)) {
        (None, Some(_)) => (true, one),
        (Some(_), None) => (false, other),
        _ => return None,
    };
    let constant = arena.as_bitvec(if left { other } else { one })?;
    let mut inner = writer.unextended(value);
    let mut set = Intervals::compared(writer.domain(inner)?, arena.op(term), constant, left)?;
    // What is said of `x + 1` is said of `x`.
    while arena.op(inner) == Op::BvAdd
        && let &[one, other] = arena.children(inner)
        && let Some((value, constant)) = match (arena.as_bitvec(one), arena.as_bitvec(other)) {
            (None, Some(constant)) => Some((one, constant)),
            (Some(constant), None) => Some((other, constant)),
            _ => None,
        }
    {
        let domain = writer.domain(value)?;
        set = set.read_as(domain).shifted(constant)?;
        inner = value;
    }
    let names = names(writer.scalar(inner), writer.scalars);
    let range = Range { term: inner, text: writer.texts[&inner].clone(), set, names };
    Some(Shape { or: false, ranges: vec![range], facts: Vec::new() }.tidied())
}

/// Anything else.
fn compared(writer: &Writer<'_>, term: Term) -> Fact {
    let arena = writer.arena;
    let children = arena.children(term);
    let plain = |text: Text, class: Class| {
        let negation = Text::other(format!("!{}", text.within(UNARY)), UNARY);
        Fact { text, negation, class, cases: None, bound: None }
    };
    let infix = |(left, right): (Text, Text), [word, opposite]: [&str; 2], level: u8| {
        let said =
            |word: &str| Text::other(format!("{} {word} {}", left.within(level), right.within(level)), level);
        let class = if word == "==" { Class::Equation } else { Class::Relation };
        Fact { text: said(word), negation: said(opposite), class, cases: None, bound: None }
    };
    let at = |index: usize| writer.texts[&children[index]].clone();
    let call = |name: &str| plain(Text::other(format!("{name}({})", at(0).text), ATOM), Class::Range);
    let readable = |unsigned: bool, (left, right): &(Text, Text)| {
        let wrong = if unsigned { Sign::Signed } else { Sign::Unsigned };
        left.sign != wrong && right.sign != wrong
    };
    let op = arena.op(term);
    match op {
        Op::Eq if matches!(arena.sort(children[0]), Sort::BitVec(_)) => {
            let unsigned = children
                .iter()
                .any(|&it| arena.as_bitvec(it).is_none() && writer.texts[&it].sign == Sign::Unsigned);
            infix(writer.pair(children[0], children[1], unsigned), ["==", "!="], EQUALITY)
        }
        // A value that is none is not equal to itself in C.
        Op::Eq if children.iter().any(|&it| is_nan(arena.as_value(it))) => {
            let value = children.iter().position(|&it| !is_nan(arena.as_value(it))).unwrap_or(0);
            plain(Text::other(format!("isnan({})", at(value).text), ATOM), Class::Range)
        }
        Op::Eq | Op::FpEq => infix((at(0), at(1)), ["==", "!="], EQUALITY),
        Op::Xor => infix((at(0), at(1)), ["!=", "=="], EQUALITY),
        Op::BvSlt | Op::BvSle | Op::BvUlt | Op::BvUle => {
            let unsigned = matches!(op, Op::BvUlt | Op::BvUle);
            let sides = writer.pair(children[0], children[1], unsigned);
            if !readable(unsigned, &sides) {
                return plain(writer.expression(term), Class::Relation);
            }
            let words = if matches!(op, Op::BvSlt | Op::BvUlt) { ["<", ">="] } else { ["<=", ">"] };
            infix(sides, words, ORDER)
        }
        // Neither holds of what is no number.
        Op::FpLt => plain(infix((at(0), at(1)), ["<", ">="], ORDER).text, Class::Relation),
        Op::FpLe => plain(infix((at(0), at(1)), ["<=", ">"], ORDER).text, Class::Relation),
        Op::Lt => infix((at(0), at(1)), ["<", ">="], ORDER),
        Op::Le => infix((at(0), at(1)), ["<=", ">"], ORDER),
        Op::FpIsNan => call("isnan"),
        Op::FpIsInfinite => call("isinf"),
        Op::FpIsNormal => call("isnormal"),
        Op::FpIsNegative => call("signbit"),
        Op::FpIsZero => infix((at(0), Text::other("0", ATOM)), ["==", "!="], EQUALITY),
        Op::Ite => {
            let [condition, then, otherwise] = [0, 1, 2].map(|index| at(index).within(CHOICE));
            plain(Text::other(format!("{condition} ? {then} : {otherwise}"), CHOICE), Class::Cases)
        }
        _ => plain(writer.expression(term), Class::Range),
    }
}

/// Facts of a conjunction without bounds of floats that others imply.
fn tightest(mut facts: Vec<Fact>) -> Vec<Fact> {
    let mut at = 0;
    while at < facts.len() {
        let implied = |by: &Fact| match (&facts[at].bound, &by.bound) {
            (Some(own), Some(by)) => by.implies(own),
            (None, Some(by)) => by.is_number() == facts[at].text.text,
            _ => false,
        };
        let needless = facts.iter().enumerate().any(|(other, fact)| other != at && implied(fact));
        if needless {
            facts.remove(at);
        } else {
            at += 1;
        }
    }
    facts
}

fn is_nan(value: Option<&Value>) -> bool {
    let Some(Value::Float(float)) = value else { return false };
    // There is one, see `Value`.
    let width = float.significand - 1;
    let exponent = (width..width + float.exponent).all(|bit| float.bits.bit(bit));
    exponent && (0..width).any(|bit| float.bits.bit(bit))
}

fn names(scalar: Option<&Scalar>, scalars: &Scalars) -> Names {
    match scalar {
        Some(Scalar::Enumeration { constants, .. }) => Names::Constants(constants.clone()),
        Some(Scalar::Pointer) => {
            let known = scalars.addresses.iter().map(|(&start, name)| (i128::from(start), name.clone()));
            Names::Addresses([(0, "NULL".to_owned())].into_iter().chain(known).collect())
        }
        _ => Names::Numbers,
    }
}

impl Shape {
    /// What is always true.
    pub(super) fn holds() -> Shape {
        Shape { or: false, ranges: Vec::new(), facts: Vec::new() }
    }

    /// A constant.
    pub(super) fn truth(value: bool) -> Shape {
        Shape { or: !value, ..Shape::holds() }
    }

    fn of(fact: Fact) -> Shape {
        Shape { or: false, ranges: Vec::new(), facts: vec![fact] }
    }

    fn is_single(&self) -> bool {
        self.ranges.len() + self.facts.len() == 1
    }

    /// A constant: `true` has no conjunct, `false` no disjunct.
    fn constant(&self) -> Option<bool> {
        (self.ranges.is_empty() && self.facts.is_empty()).then_some(!self.or)
    }

    pub(super) fn negated(&self) -> Shape {
        let negate = |fact: &Fact| Fact {
            text: fact.negation.clone(),
            negation: fact.text.clone(),
            class: fact.class,
            cases: None,
            bound: None,
        };
        let ranges = self.ranges.iter().map(|it| Range { set: it.set.complement(), ..it.clone() });
        let (ranges, facts) = (ranges.collect(), self.facts.iter().map(negate).collect());
        Shape { or: !self.or, ranges, facts }.tidied()
    }

    pub(super) fn joined<'s>(or: bool, shapes: impl Iterator<Item = &'s Shape>) -> Shape {
        let mut all = Shape { or, ranges: Vec::new(), facts: Vec::new() };
        for shape in shapes {
            if let Some(constant) = shape.constant() {
                if constant == or {
                    return Shape { or: !constant, ..Shape::holds() };
                }
            } else if shape.or == or || shape.is_single() {
                for range in &shape.ranges {
                    all.add(range);
                }
                all.facts.extend(shape.facts.iter().cloned());
            } else {
                let (text, negation) = (shape.whole(), shape.negated().whole());
                let cases = shape.or.then(|| Box::new(shape.clone()));
                all.facts.push(Fact { text, negation, class: Class::Cases, cases, bound: None });
            }
        }
        all.tidied()
    }

    fn add(&mut self, range: &Range) {
        match self.ranges.iter_mut().find(|it| it.term == range.term) {
            Some(known) if self.or => known.set = known.set.union(&range.set),
            Some(known) => known.set = known.set.intersection(&range.set),
            None => self.ranges.push(range.clone()),
        }
    }

    /// Without what makes no difference.
    fn tidied(mut self) -> Shape {
        let decides = |it: &Range| if self.or { it.set.is_full() } else { it.set.is_empty() };
        if self.ranges.iter().any(decides) {
            return Shape { or: !self.or, ..Shape::holds() };
        }
        let or = self.or;
        self.ranges.retain(|it| if or { !it.set.is_empty() } else { !it.set.is_full() });
        let mut seen: Vec<String> = Vec::new();
        self.facts.retain(|fact| {
            let new = !seen.contains(&fact.text.text);
            seen.push(fact.text.text.clone());
            new
        });
        if !or {
            self.facts = tightest(std::mem::take(&mut self.facts));
        }
        self
    }

    /// All of it in one.
    pub(super) fn whole(&self) -> Text {
        let mut pieces: Vec<Text> = self.pieces().into_iter().map(|(_, text)| text).collect();
        match (pieces.len(), self.or) {
            (0, or) => Text::other(if or { "0" } else { "1" }, ATOM),
            (1, _) => pieces.remove(0),
            (_, or) => {
                let (word, level) = if or { (" || ", OR) } else { (" && ", AND) };
                let same =
                    |text: &Text| if text.level == level { text.text.clone() } else { text.within(level) };
                Text::other(pieces.iter().map(same).collect::<Vec<_>>().join(word), level)
            }
        }
    }

    fn pieces(&self) -> Vec<(Class, Text)> {
        let facts = self.facts.iter().filter_map(|fact| match self.other_side(fact) {
            Some((Side::Lower, range)) => Some((Class::Range, range)),
            Some((Side::Upper, _)) => None,
            None => Some((fact.class, fact.text.clone())),
        });
        let mut pieces: Vec<(Class, Text)> = facts.chain(self.ranges.iter().map(Range::told)).collect();
        let order = |(class, it): &(Class, Text)| {
            // Names with `%` are none of the user's.
            let internal = it.text.replace(" % ", " ").contains('%');
            // Among cases a value is as good as a range.
            let class = if self.or && *class == Class::Value { Class::Range } else { *class };
            (internal, class, it.text.len(), it.text.clone())
        };
        pieces.sort_by_cached_key(order);
        pieces
    }

    /// The range that a bound of a conjunction is an end of, and which one it is.
    fn other_side(&self, fact: &Fact) -> Option<(Side, Text)> {
        let own = fact.bound.as_ref().filter(|_| !self.or)?;
        let bounds = self.facts.iter().filter_map(|fact| fact.bound.as_ref());
        let other = bounds.into_iter().find(|it| it.term == own.term && it.upper != own.upper)?;
        match own.upper {
            true => Some((Side::Upper, other.range(own))),
            false => Some((Side::Lower, own.range(other))),
        }
    }

    /// What the ranges of a conjunction leave of a disjunction in it.
    fn among(&self, context: &[Range]) -> Shape {
        let among = |range: &Range| match context.iter().find(|it| it.term == range.term) {
            Some(known) => Range { set: range.set.among(&known.set), ..range.clone() },
            None => range.clone(),
        };
        Shape { ranges: self.ranges.iter().map(among).collect(), ..self.clone() }.tidied()
    }

    /// The same conjunction, its disjunctions in the light of its ranges.
    fn simplified(&self) -> Shape {
        let facts = self.facts.iter().filter_map(|fact| match &fact.cases {
            Some(cases) => {
                let cases = cases.among(&self.ranges);
                let class = if cases.is_single() { Class::Range } else { Class::Cases };
                let told = Fact { text: cases.whole(), class, ..fact.clone() };
                (cases.constant() != Some(true)).then_some(told)
            }
            None => Some(fact.clone()),
        });
        Shape { facts: facts.collect(), ..self.clone() }.tidied()
    }

    /// The conjuncts, each as a line.
    pub(super) fn facts(&self) -> Vec<String> {
        if !self.or && self.facts.iter().any(|fact| fact.cases.is_some()) {
            return self.simplified().listed();
        }
        self.listed()
    }

    fn listed(&self) -> Vec<String> {
        match self.constant() {
            Some(true) => Vec::new(),
            Some(false) => vec!["never reached".to_owned()],
            None if self.or && !self.is_single() => vec![self.whole().text],
            None => self.pieces().into_iter().map(|(_, text)| text.text).collect(),
        }
    }
}

impl Range {
    fn told(&self) -> (Class, Text) {
        let outside = self.set.complement();
        let points = |set: &Intervals| set.parts.iter().all(|(low, high)| low == high);
        if points(&outside) && outside.parts.len() <= 3 && self.set.parts.len() > 1 {
            let parts = outside.parts.iter().map(|&(value, _)| self.compare("!=", value, EQUALITY));
            return (Class::Range, joined(parts.collect(), " && ", AND));
        }
        let parts: Vec<Text> = self.set.parts.iter().map(|&part| self.interval(part)).collect();
        let class = match (parts.len(), points(&self.set)) {
            (1, true) => Class::Value,
            (1, false) => Class::Range,
            _ => Class::Cases,
        };
        (class, joined(parts, " || ", OR))
    }

    fn interval(&self, (low, high): (i128, i128)) -> Text {
        let domain = self.set.domain;
        match (low == domain.min(), high == domain.max()) {
            _ if low == high => self.compare("==", low, EQUALITY),
            (true, _) => self.compare("<=", high, ORDER),
            (_, true) => self.compare(">=", low, ORDER),
            _ => {
                let value = self.text.within(ORDER);
                let (low, high) = (self.number(low), self.number(high));
                Text::other(format!("{low} <= {value} && {value} <= {high}"), AND)
            }
        }
    }

    fn compare(&self, word: &str, value: i128, level: u8) -> Text {
        let number = if level == EQUALITY { self.named(value) } else { self.number(value) };
        Text::other(format!("{} {word} {number}", self.text.within(level)), level)
    }

    fn named(&self, value: i128) -> String {
        let known = match &self.names {
            Names::Numbers => None,
            Names::Constants(all) => all.iter().find(|(_, it)| *it == value).map(|(name, _)| name),
            Names::Addresses(all) => all.iter().find(|(it, _)| *it == value).map(|(_, name)| name),
        };
        known.cloned().unwrap_or_else(|| self.number(value))
    }

    fn number(&self, value: i128) -> String {
        match &self.names {
            Names::Addresses(_) if value > 0 => format!("{value:#x}"),
            _ if value > i128::from(i64::MAX) => format!("{value}u"),
            _ => value.to_string(),
        }
    }
}

fn joined(mut parts: Vec<Text>, word: &str, level: u8) -> Text {
    if parts.len() == 1 {
        return parts.remove(0);
    }
    let parts: Vec<String> = parts.iter().map(|part| part.within(level)).collect();
    Text::other(parts.join(word), level)
}
