//! Models of EUF: partitions of terms, and truth values.
//!
//! Terms of one class are equal, terms of different classes are not. A term that the solver has not read is
//! in the class that congruence or its value puts it into, if there is one; else it is equal to no term that
//! was read. So is a term that was read if the model leaves open what it rests on.

use super::Euf;
use super::closure::Node;
use super::read::{Operand, Strict, strict};
use crate::sat::SatSolver;
use nilas_term::{Arena, Op, Sort, Term, Value};
use rustc_hash::FxHashMap;

/// A class of equal terms.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// By number.
    Numbered(u32),
    /// That of a value which no term read has.
    Value(Value),
    /// That of a truth value.
    Truth(bool),
}

/// The model of an EUF solver that answered *sat*, as terms are looked up in it.
pub struct Partition<'a> {
    euf: &'a Euf,
    memo: FxHashMap<Term, Option<Class>>,
}

impl<'a> Partition<'a> {
    pub(super) fn new(euf: &'a Euf) -> Self {
        Partition { euf, memo: FxHashMap::default() }
    }

    /// The class of a term; `None` if it is equal to nothing that was read, or its truth value is open.
    pub fn class(&mut self, arena: &Arena, term: Term) -> Option<Class> {
        let mut stack = vec![(term, false)];
        while let Some((term, ready)) = stack.pop() {
            if self.memo.contains_key(&term) {
                continue;
            }
            if let Some(class) = self.read(arena, term) {
                self.memo.insert(term, Some(class));
            } else if ready {
                let class = self.compute(arena, term);
                self.memo.insert(term, class);
            } else {
                stack.push((term, true));
                stack.extend(arena.children(term).iter().map(|&child| (child, false)));
            }
        }
        self.memo[&term].clone()
    }

    /// Whether a Boolean term holds; `None` if that is open.
    pub fn holds(&mut self, arena: &Arena, term: Term) -> Option<bool> {
        match self.class(arena, term) {
            Some(Class::Truth(value)) => Some(value),
            _ => None,
        }
    }

    /// The value that a class has.
    #[must_use]
    pub fn value(&self, class: &Class) -> Option<Value> {
        match class {
            Class::Numbered(root) => self.euf.reader.gates.sat.theory()?.value_of(Node(*root)).cloned(),
            Class::Value(value) => Some(value.clone()),
            Class::Truth(value) => Some(Value::Bool(*value)),
        }
    }

    /// The class of a term that was read.
    fn read(&self, arena: &Arena, term: Term) -> Option<Class> {
        if let Some(value) = arena.as_value(term) {
            return Some(self.of_value(value.clone()));
        }
        let reader = &self.euf.reader;
        if *arena.sort(term) == Sort::Bool {
            let lit = reader.known(term)?;
            let value = reader.gates.sat.value(lit.var())?;
            return Some(Class::Truth(value == lit.is_positive()));
        }
        reader.settled(term).map(|node| self.of_node(node))
    }

    fn of_node(&self, node: Node) -> Class {
        let closure = self.euf.reader.gates.sat.theory();
        let value = closure.and_then(|closure| closure.value_of(node)).and_then(Value::as_bool);
        match (value, closure) {
            (Some(value), _) => Class::Truth(value),
            (None, Some(closure)) => Class::Numbered(closure.find(node).0),
            (None, None) => Class::Numbered(node.0),
        }
    }

    fn of_value(&self, value: Value) -> Class {
        if let Value::Bool(value) = value {
            return Class::Truth(value);
        }
        let closure = self.euf.reader.gates.sat.theory();
        match closure.and_then(|closure| Some(closure.find(closure.known_constant(&value)?))) {
            Some(root) => Class::Numbered(root.0),
            None => Class::Value(value),
        }
    }

    /// The class of a term that was not read, from those of its children.
    fn compute(&self, arena: &Arena, term: Term) -> Option<Class> {
        let children: Vec<Option<&Class>> =
            arena.children(term).iter().map(|child| self.memo[child].as_ref()).collect();
        let truth = |index: usize| match children[index] {
            Some(Class::Truth(value)) => Some(*value),
            _ => None,
        };
        let junction = |unit: bool| {
            let values: Vec<Option<bool>> = (0..children.len()).map(truth).collect();
            if values.contains(&Some(!unit)) {
                Some(Class::Truth(!unit))
            } else {
                values.iter().all(Option::is_some).then_some(Class::Truth(unit))
            }
        };
        match arena.op(term) {
            Op::Not => truth(0).map(|value| Class::Truth(!value)),
            Op::And => junction(true),
            Op::Or => junction(false),
            Op::Xor => Some(Class::Truth(truth(0)? != truth(1)?)),
            Op::Ite => match truth(0) {
                Some(condition) => children[if condition { 1 } else { 2 }].cloned(),
                None if children[1] == children[2] => children[1].cloned(),
                None => None,
            },
            Op::Eq => match (children[0], children[1]) {
                (Some(left), Some(right)) => Some(Class::Truth(left == right)),
                (None, None) => None,
                _ if *arena.sort(arena.children(term)[0]) == Sort::Bool => None,
                _ => Some(Class::Truth(false)),
            },
            op if op.is_leaf() => None,
            op => {
                if let Some(Strict { negated, op, left, right }) = strict(arena, term) {
                    let operand = |operand: Operand| match operand {
                        Operand::Term(term) => self.memo[&term].clone(),
                        Operand::Value(value) => Some(self.of_value(value)),
                    };
                    return match self.apply(arena, op, &[operand(left)?, operand(right)?])? {
                        Class::Truth(value) => Some(Class::Truth(value != negated)),
                        _ => None,
                    };
                }
                let children: Option<Vec<Class>> =
                    children.into_iter().map(Option::<&Class>::cloned).collect();
                self.apply(arena, op, &children?)
            }
        }
    }

    fn apply(&self, arena: &Arena, op: Op, children: &[Class]) -> Option<Class> {
        let closure = self.euf.reader.gates.sat.theory()?;
        let nodes: Option<Vec<Node>> = children
            .iter()
            .map(|class| match class {
                Class::Numbered(root) => Some(Node(*root)),
                Class::Value(value) => closure.known_constant(value),
                Class::Truth(value) => closure.known_constant(&Value::Bool(*value)),
            })
            .collect();
        if let Some(nodes) = nodes
            && let Some(found) = closure.look_up(op, &nodes)
        {
            return Some(self.of_node(found));
        }
        if !closure.computes() {
            return None;
        }
        let values: Option<Vec<Value>> = children.iter().map(|class| self.value(class)).collect();
        let values = values?;
        nilas_term::apply(arena, op, &values.iter().collect::<Vec<_>>()).map(|value| self.of_value(value))
    }
}
