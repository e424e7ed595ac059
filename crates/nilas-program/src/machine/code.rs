//! Terms as straight-line code: each subterm once, operands before results.
//!
//! Array terms are no values here: a chain of stores is walked where it is read, and applied where it is
//! assigned.

use crate::ids::VarId;
use nilas_term::{Arena, ArrayValue, Op, Sort, Term, Value};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A register: the position of a [`Node`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reg(pub(super) u32);

/// The position of an [`ArrayNode`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ArrayReg(pub(super) u32);

#[derive(Clone, Debug)]
pub(super) enum Node {
    Variable(VarId),
    Constant(Value),
    /// Cannot be computed here: functions without interpretation, equality of arrays.
    Unknown,
    All(Box<[Reg]>),
    Any(Box<[Reg]>),
    Ite(Reg, Reg, Reg),
    Select(ArrayReg, Reg),
    Unary(Op, Reg),
    Binary(Op, Reg, Reg),
    Apply(Op, Box<[Reg]>),
}

#[derive(Clone, Debug)]
pub(super) enum ArrayNode {
    Variable(VarId),
    Constant(Reg),
    /// Array, index, element.
    Store(ArrayReg, Reg, Reg),
    Ite(Reg, ArrayReg, ArrayReg),
    Value(Arc<ArrayValue>),
    /// Elements that are arrays themselves.
    Unknown,
}

/// The code of one term.
#[derive(Clone, Debug, Default)]
pub(super) struct Code {
    pub(super) nodes: Vec<Node>,
    pub(super) arrays: Vec<ArrayNode>,
    /// The result, if the term is an array; otherwise it is in the last register.
    pub(super) array: Option<ArrayReg>,
}

#[derive(Clone, Copy)]
enum Place {
    Scalar(Reg),
    Array(ArrayReg),
}

impl Code {
    pub(super) fn new(arena: &Arena, variables: &FxHashMap<Term, VarId>, term: Term) -> Code {
        let mut code = Code::default();
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
        if let Place::Array(array) = places[&term] {
            code.array = Some(array);
        }
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
        let scalars = || (0..children.len()).map(scalar).collect::<Option<Box<[Reg]>>>();
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
            (Op::Var(_), _) => variables.get(&term).map(|&variable| Node::Variable(variable)),
            (Op::Const(value), _) => Some(Node::Constant(arena.value(value).clone())),
            (Op::Apply(_), _) => None,
            (Op::And, _) => scalars().map(Node::All),
            (Op::Or, _) => scalars().map(Node::Any),
            (Op::Ite, _) => scalar(0).zip(scalar(1)).zip(scalar(2)).map(|((c, t), e)| Node::Ite(c, t, e)),
            (Op::Select, _) => array(0).zip(scalar(1)).map(|(array, index)| Node::Select(array, index)),
            (_, 1) => scalar(0).map(|one| Node::Unary(op, one)),
            (_, 2) => scalar(0).zip(scalar(1)).map(|(one, two)| Node::Binary(op, one, two)),
            _ => scalars().map(|arguments| Node::Apply(op, arguments)),
        };
        self.nodes.push(node.unwrap_or(Node::Unknown));
        Place::Scalar(Reg(position(self.nodes.len())))
    }
}

/// The position of the last of `len` nodes. Terms have 32-bit ids, so there are never more.
fn position(len: usize) -> u32 {
    u32::try_from(len - 1).expect("at most as many nodes as terms")
}
