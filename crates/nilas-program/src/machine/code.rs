//! Terms as straight-line code: each subterm once, operands before results.
//!
//! Variables and constants are read where they are used and take no step. Array terms are no values here: a
//! chain of stores is walked where it is read, and applied where it is assigned.

use crate::ids::VarId;
use nilas_term::{Arena, ArrayValue, Op, Sort, Term, Value};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Where a value is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operand {
    /// The result of the [`Node`] at this position.
    Register(u32),
    /// The content of a variable.
    Variable(VarId),
    /// The constant at this position.
    Constant(u32),
    /// Cannot be computed here: functions without interpretation, equality of arrays.
    Unknown,
}

/// The position of an [`ArrayNode`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ArrayReg(pub(super) u32);

#[derive(Clone, Debug)]
pub(super) enum Node {
    All(Box<[Operand]>),
    Any(Box<[Operand]>),
    Ite(Operand, Operand, Operand),
    Select(ArrayReg, Operand),
    Unary(Op, Operand),
    Binary(Op, Operand, Operand),
    Apply(Op, Box<[Operand]>),
}

#[derive(Clone, Debug)]
pub(super) enum ArrayNode {
    Variable(VarId),
    Constant(Operand),
    /// Array, index, element.
    Store(ArrayReg, Operand, Operand),
    Ite(Operand, ArrayReg, ArrayReg),
    Value(Arc<ArrayValue>),
    /// Elements that are arrays themselves.
    Unknown,
}

/// The code of one term.
#[derive(Clone, Debug)]
pub(super) struct Code {
    pub(super) nodes: Vec<Node>,
    pub(super) constants: Vec<Value>,
    pub(super) arrays: Vec<ArrayNode>,
    /// Where the result is.
    pub(super) result: Place,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    Scalar(Operand),
    Array(ArrayReg),
}

impl Code {
    pub(super) fn new(arena: &Arena, variables: &FxHashMap<Term, VarId>, term: Term) -> Code {
        let result = Place::Scalar(Operand::Unknown);
        let mut code = Code { nodes: Vec::new(), constants: Vec::new(), arrays: Vec::new(), result };
        let mut places: FxHashMap<Term, Place> = FxHashMap::default();
        let mut stack = vec![term];
        while let Some(&top) = stack.last() {
            if places.contains_key(&top) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(arena.children(top).iter().filter(|child| !places.contains_key(child)));
            if stack.len() == before {
                let place = code.add(arena, variables, &places, top);
                places.insert(top, place);
                stack.pop();
            }
        }
        code.result = places[&term];
        code
    }

    fn add(
        &mut self,
        arena: &Arena,
        variables: &FxHashMap<Term, VarId>,
        places: &FxHashMap<Term, Place>,
        term: Term,
    ) -> Place {
        let children = arena.children(term);
        let scalar = |index: usize| match places[&children[index]] {
            Place::Scalar(reg) => Some(reg),
            Place::Array(_) => None,
        };
        let array = |index: usize| match places[&children[index]] {
            Place::Array(reg) => Some(reg),
            Place::Scalar(_) => None,
        };
        let scalars = || (0..children.len()).map(scalar).collect::<Option<Box<[Operand]>>>();
        let op = arena.op(term);
        if matches!(arena.sort(term), Sort::Array(_)) {
            let node = match op {
                Op::Var(_) => variables.get(&term).map(|&variable| ArrayNode::Variable(variable)),
                Op::Const(value) => match arena.value(value) {
                    Value::Array(array) => Some(ArrayNode::Value(array.clone())),
                    _ => None,
                },
                Op::ConstArray(_) => scalar(0).map(ArrayNode::Constant),
                Op::Store => {
                    array(0).zip(scalar(1)).zip(scalar(2)).map(|((of, at), v)| ArrayNode::Store(of, at, v))
                }
                Op::Ite => scalar(0).zip(array(1)).zip(array(2)).map(|((c, t), e)| ArrayNode::Ite(c, t, e)),
                _ => None,
            };
            self.arrays.push(node.unwrap_or(ArrayNode::Unknown));
            return Place::Array(ArrayReg(position(self.arrays.len())));
        }
        let node = match (op, children.len()) {
            (Op::Var(_), _) => {
                let variable = variables.get(&term).copied();
                return Place::Scalar(variable.map_or(Operand::Unknown, Operand::Variable));
            }
            (Op::Const(value), _) => {
                self.constants.push(arena.value(value).clone());
                return Place::Scalar(Operand::Constant(position(self.constants.len())));
            }
            (Op::Apply(_), _) => None,
            (Op::And, _) => scalars().map(Node::All),
            (Op::Or, _) => scalars().map(Node::Any),
            (Op::Ite, _) => scalar(0).zip(scalar(1)).zip(scalar(2)).map(|((c, t), e)| Node::Ite(c, t, e)),
            (Op::Select, _) => array(0).zip(scalar(1)).map(|(array, index)| Node::Select(array, index)),
            (_, 1) => scalar(0).map(|one| Node::Unary(op, one)),
            (_, 2) => scalar(0).zip(scalar(1)).map(|(one, two)| Node::Binary(op, one, two)),
            _ => scalars().map(|arguments| Node::Apply(op, arguments)),
        };
        let Some(node) = node else { return Place::Scalar(Operand::Unknown) };
        self.nodes.push(node);
        Place::Scalar(Operand::Register(position(self.nodes.len())))
    }
}

/// The position of the last of `len` nodes. Terms have 32-bit ids, so there are never more.
fn position(len: usize) -> u32 {
    u32::try_from(len - 1).expect("at most as many nodes as terms")
}
