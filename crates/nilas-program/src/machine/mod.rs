//! The machine: runs single steps on concrete values, fast, also where some values are not known.
//!
//! The [interpreter](crate::interpret) finds its own way through commands and takes steps back; the machine
//! does neither. It executes one basic command after the other, and terms are compiled once per arc, so that
//! executions of millions of steps are a matter of seconds. An array is updated in place where it is stored
//! into, never copied.
//!
//! A variable may be *unknown* (it holds any value). Unknown operands make results unknown, except where the
//! known ones decide: what is known is what every execution along the same arcs has in common.

mod cells;
mod code;

use crate::automaton::{Automaton, Program};
use crate::command::Basic;
use crate::ids::{ArcId, EdgeId, HavocSite, VarId};
use cells::Cells;
use code::{ArrayNode, ArrayReg, Code, Node, Operand, Place};
use nilas_term::{Arena, Sort, Term, Value, apply};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Gives the value of a `havoc`, site and occurrence; `None` for any value.
pub type Inputs<'c> = dyn FnMut(HavocSite, u64) -> Option<Value> + 'c;

/// A variable's content.
#[derive(Clone, Debug)]
enum Slot {
    Scalar(Option<Value>),
    Array(Cells),
}

/// See the module's text.
#[derive(Debug)]
pub struct Machine<'p> {
    arena: &'p Arena,
    automaton: &'p Automaton,
    variables: FxHashMap<Term, VarId>,
    store: Vec<Slot>,
    occurrences: Vec<u64>,
    /// The code of each arc that was met, by edge and arc.
    code: Vec<Vec<Option<Arc<Code>>>>,
    registers: Vec<Option<Value>>,
    /// Scratch: what is stored into an array, the last one first.
    stores: Vec<(Option<Value>, Option<Value>)>,
}

impl<'p> Machine<'p> {
    /// A machine whose variables are all unknown.
    #[must_use]
    pub fn new(program: &'p Program) -> Self {
        let automaton = &program.automaton;
        let unknown = |sort: &Sort| match sort {
            Sort::Array(_) => Slot::Array(Cells::unknown()),
            _ => Slot::Scalar(None),
        };
        Machine {
            arena: &program.arena,
            automaton,
            variables: automaton.variable_index(),
            store: automaton.variables.iter().map(|variable| unknown(&variable.sort)).collect(),
            occurrences: vec![0; automaton.havocs.len()],
            code: vec![Vec::new(); automaton.edges.len()],
            registers: Vec::new(),
            stores: Vec::new(),
        }
    }

    /// Gives a variable a value of its sort; `None` for any value.
    pub fn set(&mut self, variable: VarId, value: Option<Value>) {
        self.store[variable.index()] = match (&self.automaton.variable(variable).sort, value) {
            (Sort::Array(_), Some(Value::Array(array))) => Slot::Array(Cells::of(&array)),
            (Sort::Array(_), _) => Slot::Array(Cells::unknown()),
            (_, value) => Slot::Scalar(value),
        };
    }

    /// The value of a variable that is no array, if it is known.
    #[must_use]
    pub fn scalar(&self, variable: VarId) -> Option<&Value> {
        match &self.store[variable.index()] {
            Slot::Scalar(value) => value.as_ref(),
            Slot::Array(_) => None,
        }
    }

    /// The value of a variable, if all of it is known. Arrays are copied.
    #[must_use]
    pub fn value(&self, variable: VarId) -> Option<Value> {
        match (&self.store[variable.index()], &self.automaton.variable(variable).sort) {
            (Slot::Array(cells), Sort::Array(sort)) => {
                cells.value(sort).map(|array| Value::Array(Arc::new(array)))
            }
            (Slot::Scalar(value), _) => value.clone(),
            (Slot::Array(_), _) => None,
        }
    }

    /// Whether an arc can be taken: `None` if that depends on unknown values. Only an `assume` can refuse.
    pub fn can_take(&mut self, edge: EdgeId, arc: ArcId) -> Option<bool> {
        match self.basic(edge, arc) {
            Basic::Assume(term) => {
                let code = self.code(edge, arc, term);
                self.compute(&code);
                match code.result {
                    Place::Scalar(result) => self.truth(&code, result),
                    Place::Array(_) => None,
                }
            }
            _ => Some(true),
        }
    }

    /// Takes an arc, whose assumption is the caller's business ([`Machine::can_take`]). What a `havoc` got,
    /// if it is one.
    pub fn take(
        &mut self,
        edge: EdgeId,
        arc: ArcId,
        inputs: &mut Inputs<'_>,
    ) -> Option<(HavocSite, Option<Value>)> {
        match self.basic(edge, arc) {
            Basic::Skip | Basic::Assume(_) => None,
            Basic::Assign(variable, term) => {
                let code = self.code(edge, arc, term);
                self.compute(&code);
                match code.result {
                    Place::Array(array) => self.store_array(variable, &code, array),
                    Place::Scalar(result) => {
                        let value = self.operand(&code, result).cloned();
                        self.store[variable.index()] = Slot::Scalar(value);
                    }
                }
                None
            }
            Basic::Havoc(variable, site) => {
                let occurrence = self.occurrences[site.index()];
                self.occurrences[site.index()] += 1;
                let value = inputs(site, occurrence);
                self.set(variable, value.clone());
                Some((site, value))
            }
        }
    }

    /// Takes an arc that is a `havoc`, and lets the variable keep its value. Site and occurrence; `None` if
    /// it is no `havoc`.
    pub fn keep(&mut self, edge: EdgeId, arc: ArcId) -> Option<(HavocSite, u64)> {
        let Basic::Havoc(_, site) = self.basic(edge, arc) else { return None };
        let occurrence = self.occurrences[site.index()];
        self.occurrences[site.index()] += 1;
        Some((site, occurrence))
    }

    fn basic(&self, edge: EdgeId, arc: ArcId) -> Basic {
        self.automaton.edge(edge).command.arc(arc).basic
    }

    /// The code of an arc's term.
    fn code(&mut self, edge: EdgeId, arc: ArcId, term: Term) -> Arc<Code> {
        let of_edge = &mut self.code[edge.index()];
        if of_edge.is_empty() {
            of_edge.resize(self.automaton.edge(edge).command.arcs().len(), None);
        }
        let compiled = of_edge[arc.index()]
            .get_or_insert_with(|| Arc::new(Code::new(self.arena, &self.variables, term)));
        Arc::clone(compiled)
    }

    /// Fills the registers.
    fn compute(&mut self, code: &Code) {
        self.registers.clear();
        for node in &code.nodes {
            let value = match node {
                Node::All(parts) => self.connective(code, parts, false),
                Node::Any(parts) => self.connective(code, parts, true),
                Node::Ite(condition, then, otherwise) => match self.truth(code, *condition) {
                    Some(true) => self.operand(code, *then).cloned(),
                    Some(false) => self.operand(code, *otherwise).cloned(),
                    None => None,
                },
                Node::Select(array, index) => {
                    self.operand(code, *index).and_then(|index| self.select(code, *array, index)).cloned()
                }
                Node::Unary(op, one) => {
                    self.operand(code, *one).and_then(|one| apply(self.arena, *op, &[one]))
                }
                Node::Binary(op, one, two) => match (self.operand(code, *one), self.operand(code, *two)) {
                    (Some(one), Some(two)) => apply(self.arena, *op, &[one, two]),
                    _ => None,
                },
                Node::Apply(op, arguments) => {
                    let values: Option<Vec<&Value>> =
                        arguments.iter().map(|&argument| self.operand(code, argument)).collect();
                    values.and_then(|values| apply(self.arena, *op, &values))
                }
            };
            self.registers.push(value);
        }
    }

    /// A value that was computed, or is there; `None` if it is unknown.
    fn operand<'m>(&'m self, code: &'m Code, operand: Operand) -> Option<&'m Value> {
        match operand {
            Operand::Register(at) => self.registers[at as usize].as_ref(),
            Operand::Constant(at) => Some(&code.constants[at as usize]),
            Operand::Variable(variable) => self.scalar(variable),
            Operand::Unknown => None,
        }
    }

    fn truth(&self, code: &Code, operand: Operand) -> Option<bool> {
        self.operand(code, operand).and_then(Value::as_bool)
    }

    /// `deciding` is the value of one part that makes it the value of the whole.
    fn connective(&self, code: &Code, parts: &[Operand], deciding: bool) -> Option<Value> {
        let mut known = true;
        for &part in parts {
            match self.truth(code, part) {
                Some(value) if value == deciding => return Some(Value::Bool(deciding)),
                Some(_) => {}
                None => known = false,
            }
        }
        known.then_some(Value::Bool(!deciding))
    }

    /// The element at an index of an array term, the registers being computed.
    fn select<'m>(&'m self, code: &'m Code, array: ArrayReg, index: &Value) -> Option<&'m Value> {
        let mut array = array;
        loop {
            match &code.arrays[array.0 as usize] {
                ArrayNode::Variable(variable) => match &self.store[variable.index()] {
                    Slot::Array(cells) => return cells.get(index),
                    Slot::Scalar(_) => return None,
                },
                ArrayNode::Constant(value) => return self.operand(code, *value),
                ArrayNode::Value(array) => return Some(array.select(index)),
                ArrayNode::Store(below, at, value) => {
                    if self.operand(code, *at)? == index {
                        return self.operand(code, *value);
                    }
                    array = *below;
                }
                ArrayNode::Ite(condition, then, otherwise) => {
                    array = if self.truth(code, *condition)? { *then } else { *otherwise };
                }
                ArrayNode::Unknown => return None,
            }
        }
    }

    /// Assigns an array term, the registers being computed: finds what it starts from, then stores into that.
    fn store_array(&mut self, variable: VarId, code: &Code, array: ArrayReg) {
        let mut stores = std::mem::take(&mut self.stores);
        let mut array = array;
        let base = loop {
            match &code.arrays[array.0 as usize] {
                ArrayNode::Variable(other) if *other == variable => break None,
                ArrayNode::Variable(other) => match &self.store[other.index()] {
                    Slot::Array(cells) => break Some(cells.clone()),
                    Slot::Scalar(_) => break Some(Cells::unknown()),
                },
                ArrayNode::Constant(value) => break Some(Cells::filled(self.operand(code, *value).cloned())),
                ArrayNode::Value(array) => break Some(Cells::of(array)),
                ArrayNode::Store(below, at, value) => {
                    stores.push((self.operand(code, *at).cloned(), self.operand(code, *value).cloned()));
                    array = *below;
                }
                ArrayNode::Ite(condition, then, otherwise) => match self.truth(code, *condition) {
                    Some(true) => array = *then,
                    Some(false) => array = *otherwise,
                    None => {
                        stores.clear();
                        break Some(Cells::unknown());
                    }
                },
                ArrayNode::Unknown => {
                    stores.clear();
                    break Some(Cells::unknown());
                }
            }
        };
        if let Some(base) = base {
            self.store[variable.index()] = Slot::Array(base);
        }
        if let Slot::Array(cells) = &mut self.store[variable.index()] {
            for (at, value) in stores.drain(..).rev() {
                match at {
                    Some(at) => cells.set(at, value),
                    None => cells.forget(),
                }
            }
        }
        stores.clear();
        self.stores = stores;
    }
}
