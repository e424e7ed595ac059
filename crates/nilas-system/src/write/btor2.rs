//! An automaton as a transition system in BTOR2.
//!
//! Steps are functions of the state and the inputs. Where no edge can be taken the system is *stuck*: a bit
//! that stays, and nothing is bad from then on.

use super::has_unmodelled;
use nilas_program::{Program, SymbolicAutomaton};
use nilas_term::{Arena, Op, Sort, Term, Value};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The system. `b0` is the error, `b1` what is not modelled.
///
/// # Errors
/// What BTOR2 cannot say: other sorts than bit-vectors and arrays of them, functions.
pub fn to_btor2(program: &Program) -> Result<String, String> {
    let mut arena = program.arena.clone();
    let symbolic = SymbolicAutomaton::new(&mut arena, program);
    let automaton = &program.automaton;
    let mut bad = vec![symbolic.before(&mut arena, automaton, &[automaton.error])];
    if let Some(unmodelled) = automaton.unmodelled.filter(|_| has_unmodelled(automaton)) {
        bad.push(symbolic.before(&mut arena, automaton, &[unmodelled]));
    }
    let stuck = arena.fresh_variable("stuck", &Sort::Bool);
    let mut writer = Writer::default();
    for &input in &symbolic.system.inputs {
        writer.leaf(&arena, input, "input")?;
    }
    let bits = symbolic.counter.bits();
    for variable in &symbolic.system.variables {
        writer.leaf(&arena, variable.current, "state")?;
    }
    writer.leaf(&arena, stuck, "state")?;
    for &bit in bits.iter().chain([&stuck]) {
        let (state, sort) = (writer.nodes[&bit], writer.sort(&Sort::Bool)?);
        let zero = writer.line(&format!("zero {sort}"));
        writer.line(&format!("init {sort} {state} {zero}"));
    }
    for variable in &symbolic.system.variables {
        let Some(update) = variable.update else { return Err("a step that is no function".into()) };
        let (state, sort) = (writer.nodes[&variable.current], writer.sort(arena.sort(variable.current))?);
        let update = writer.term(&arena, update)?;
        writer.line(&format!("next {sort} {state} {update}"));
    }
    let goes_on = arena.not(symbolic.system.constraint);
    let stops = arena.or(&[stuck, goes_on]);
    let (state, sort) = (writer.nodes[&stuck], writer.sort(&Sort::Bool)?);
    let stops = writer.term(&arena, stops)?;
    writer.line(&format!("next {sort} {state} {stops}"));
    let moves = arena.not(stuck);
    for bad in bad {
        let bad = arena.and(&[bad, moves]);
        let bad = writer.term(&arena, bad)?;
        writer.line(&format!("bad {bad}"));
    }
    Ok(writer.text)
}

#[derive(Default)]
struct Writer {
    text: String,
    last: u64,
    sorts: BTreeMap<Sort, u64>,
    nodes: FxHashMap<Term, u64>,
}

impl Writer {
    fn line(&mut self, content: &str) -> u64 {
        self.last += 1;
        // Writing to a string does not fail.
        let _ = writeln!(self.text, "{} {content}", self.last);
        self.last
    }

    fn sort(&mut self, sort: &Sort) -> Result<u64, String> {
        let sort = if *sort == Sort::Bool { &Sort::BitVec(1) } else { sort };
        if let Some(&known) = self.sorts.get(sort) {
            return Ok(known);
        }
        let number = match sort {
            Sort::BitVec(width) => self.line(&format!("sort bitvec {width}")),
            Sort::Array(array) => {
                let (index, element) = (self.sort(&array.index)?, self.sort(&array.element)?);
                self.line(&format!("sort array {index} {element}"))
            }
            other => return Err(format!("BTOR2 has no values of sort {other}")),
        };
        self.sorts.insert(sort.clone(), number);
        Ok(number)
    }

    /// An input or state, with its name if BTOR2 can have it.
    fn leaf(&mut self, arena: &Arena, variable: Term, word: &str) -> Result<(), String> {
        let sort = self.sort(arena.sort(variable))?;
        let name = arena.name(variable).unwrap_or_default();
        let name: String = name
            .chars()
            .map(|c| if c.is_whitespace() || c.is_control() || c == ';' { '_' } else { c })
            .collect();
        let number = self.line(format!("{word} {sort} {name}").trim_end());
        self.nodes.insert(variable, number);
        Ok(())
    }

    fn term(&mut self, arena: &Arena, root: Term) -> Result<u64, String> {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.nodes.contains_key(&term) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(arena.children(term).iter().filter(|child| !self.nodes.contains_key(child)));
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let number = self.node(arena, term)?;
            self.nodes.insert(term, number);
        }
        Ok(self.nodes[&root])
    }

    fn node(&mut self, arena: &Arena, term: Term) -> Result<u64, String> {
        let sort = self.sort(arena.sort(term))?;
        let children: Vec<u64> = arena.children(term).iter().map(|child| self.nodes[child]).collect();
        let word = match arena.op(term) {
            Op::Const(value) => return self.value(&arena.value(value).clone()),
            Op::ConstArray(_) => {
                let Some(element) = arena.as_value(arena.children(term)[0]).cloned() else {
                    return Err("BTOR2 has no array of one value that is not constant".into());
                };
                return self.constant_array(sort, &element);
            }
            Op::Extract { hi, lo } => {
                return Ok(self.line(&format!("slice {sort} {} {hi} {lo}", children[0])));
            }
            Op::ZeroExtend(by) => return Ok(self.line(&format!("uext {sort} {} {by}", children[0]))),
            Op::SignExtend(by) => return Ok(self.line(&format!("sext {sort} {} {by}", children[0]))),
            Op::Not | Op::BvNot => "not",
            Op::And | Op::BvAnd => "and",
            Op::Or | Op::BvOr => "or",
            Op::Xor | Op::BvXor => "xor",
            Op::Eq => "eq",
            Op::Ite => "ite",
            Op::Concat => "concat",
            Op::BvNeg => "neg",
            Op::BvAdd => "add",
            Op::BvMul => "mul",
            Op::BvUdiv => "udiv",
            Op::BvUrem => "urem",
            Op::BvSdiv => "sdiv",
            Op::BvSrem => "srem",
            Op::BvSmod => "smod",
            Op::BvShl => "sll",
            Op::BvLshr => "srl",
            Op::BvAshr => "sra",
            Op::BvUlt => "ult",
            Op::BvUle => "ulte",
            Op::BvSlt => "slt",
            Op::BvSle => "slte",
            Op::Select => "read",
            Op::Store => "write",
            other => return Err(format!("BTOR2 has no operator {other:?}")),
        };
        if matches!(word, "and" | "or") && children.len() > 2 {
            let (first, rest) = children.split_at(1);
            let folded =
                rest.iter().fold(first[0], |left, right| self.line(&format!("{word} {sort} {left} {right}")));
            return Ok(folded);
        }
        let arguments: Vec<String> = children.iter().map(ToString::to_string).collect();
        Ok(self.line(&format!("{word} {sort} {}", arguments.join(" "))))
    }

    fn value(&mut self, value: &Value) -> Result<u64, String> {
        let sort = self.sort(&value.sort())?;
        match value {
            Value::Bool(truth) => Ok(self.line(&format!("{} {sort}", if *truth { "one" } else { "zero" }))),
            Value::BitVec(bits) => {
                let digits: String =
                    (0..bits.width()).rev().map(|bit| if bits.bit(bit) { '1' } else { '0' }).collect();
                Ok(self.line(&format!("const {sort} {digits}")))
            }
            Value::Array(array) => {
                let mut number = self.constant_array(sort, &array.default)?;
                for (index, element) in &array.entries {
                    let (index, element) = (self.value(index)?, self.value(element)?);
                    number = self.line(&format!("write {sort} {number} {index} {element}"));
                }
                Ok(number)
            }
            other => Err(format!("BTOR2 has no values of sort {}", other.sort())),
        }
    }

    /// A state that holds one value everywhere and never changes.
    fn constant_array(&mut self, sort: u64, element: &Value) -> Result<u64, String> {
        let element = self.value(element)?;
        let state = self.line(&format!("state {sort}"));
        self.line(&format!("init {sort} {state} {element}"));
        self.line(&format!("next {sort} {state} {state}"));
        Ok(state)
    }
}
