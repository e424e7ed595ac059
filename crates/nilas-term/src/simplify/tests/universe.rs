//! Terms over a few small variables, each with its value under every assignment.

use super::reference;
use crate::arena::Arena;
use crate::op::Op;
use crate::smtlib::print_term;
use crate::sort::Sort;
use crate::term::Term;
use crate::value::Value;
use rustc_hash::FxHashMap;
use std::rc::Rc;

pub(super) const BINARY: &[Op] = &[
    Op::BvAnd,
    Op::BvOr,
    Op::BvXor,
    Op::BvAdd,
    Op::BvMul,
    Op::BvUdiv,
    Op::BvUrem,
    Op::BvSdiv,
    Op::BvSrem,
    Op::BvSmod,
    Op::BvShl,
    Op::BvLshr,
    Op::BvAshr,
    Op::BvUlt,
    Op::BvUle,
    Op::BvSlt,
    Op::BvSle,
    Op::Eq,
];

/// Variables, and for every term its values: one byte per assignment of all variables.
pub(super) struct Universe {
    pub(super) arena: Arena,
    pub(super) variables: Vec<Term>,
    tables: FxHashMap<Term, Rc<[u8]>>,
    assignments: usize,
}

impl Universe {
    /// Two bit-vectors of a width, and Booleans.
    pub(super) fn new(width: u32, booleans: usize) -> Self {
        let mut arena = Arena::new();
        let mut variables = Vec::new();
        for name in ["x", "y"] {
            variables.push(arena.variable(name, &Sort::BitVec(width)).unwrap());
        }
        for name in ["p", "q"].into_iter().take(booleans) {
            variables.push(arena.variable(name, &Sort::Bool).unwrap());
        }
        let bits = 2 * width as usize + booleans;
        let assignments = 1 << bits;
        let mut tables = FxHashMap::default();
        let mut shift = 0;
        for &variable in &variables {
            let size = arena.width(variable).max(1);
            let table: Rc<[u8]> =
                (0..assignments).map(|all: usize| (all >> shift & ((1 << size) - 1)) as u8).collect();
            shift += size;
            tables.insert(variable, table);
        }
        Universe { arena, variables, tables, assignments }
    }

    fn compute(&self, op: Op, children: &[Term]) -> Rc<[u8]> {
        let operands: Vec<(Rc<[u8]>, u32)> =
            children.iter().map(|child| (Rc::clone(&self.tables[child]), self.arena.width(*child))).collect();
        let mut arguments: Vec<(u64, u32)> = operands.iter().map(|operand| (0, operand.1)).collect();
        (0..self.assignments)
            .map(|assignment| {
                for (argument, operand) in arguments.iter_mut().zip(&operands) {
                    argument.0 = u64::from(operand.0[assignment]);
                }
                reference::apply(op, &arguments) as u8
            })
            .collect()
    }

    /// The values of a term under all assignments.
    pub(super) fn table(&mut self, term: Term) -> Rc<[u8]> {
        let mut stack = vec![term];
        while let Some(&top) = stack.last() {
            if self.tables.contains_key(&top) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(self.arena.children(top).iter().filter(|child| !self.tables.contains_key(child)));
            if stack.len() > before {
                continue;
            }
            let table = match self.arena.as_value(top) {
                Some(Value::Bool(value)) => vec![u8::from(*value); self.assignments].into(),
                Some(Value::BitVec(value)) => {
                    vec![u8::try_from(value.to_u64().unwrap()).unwrap(); self.assignments].into()
                }
                Some(other) => panic!("unexpected constant {other:?}"),
                None => self.compute(self.arena.op(top), self.arena.children(top)),
            };
            self.tables.insert(top, table);
            stack.pop();
        }
        Rc::clone(&self.tables[&term])
    }

    /// Builds `op(children)` and checks that the simplified term has the values of the operator as it stands,
    /// that it is well-sorted, and that building it again from its own children changes nothing.
    pub(super) fn check(&mut self, op: Op, children: &[Term]) -> Term {
        for &child in children {
            self.table(child);
        }
        let wanted = self.compute(op, children);
        let sort = self.arena.sort_of(op, children).unwrap();
        let term = self.arena.mk(op, children);
        let show = |arena: &Arena| {
            let children: Vec<String> = children.iter().map(|&child| print_term(arena, child)).collect();
            format!("{op:?} of\n  {}\nbecame\n  {}", children.join("\n  "), print_term(arena, term))
        };
        assert_eq!(*self.arena.sort(term), sort, "{}", show(&self.arena));
        let found = self.table(term);
        assert!(found == wanted, "{}", show(&self.arena));
        self.check_stable(term, &show(&self.arena));
        term
    }

    fn check_stable(&mut self, term: Term, context: &str) {
        let mut stack = vec![term];
        while let Some(top) = stack.pop() {
            let op = self.arena.op(top);
            if op.is_leaf() {
                continue;
            }
            let children = self.arena.children(top).to_vec();
            let again = self.arena.mk(op, &children);
            assert!(
                again == top,
                "not a normal form:\n  {}\nbecomes\n  {}\nin: {context}",
                print_term(&self.arena, top),
                print_term(&self.arena, again)
            );
            stack.extend(children);
        }
    }

    /// Forgets all terms that were made after there were `length` of them.
    pub(super) fn reset(&mut self, base: &Arena) {
        let fired = std::mem::take(&mut self.arena.fired);
        self.arena = base.clone();
        self.arena.fired = fired;
        let length = base.len();
        self.tables.retain(|term, _| term.index() < length);
    }
}

/// Every operator on every combination of operands from two pools, as the sorts allow.
pub(super) fn combinations(arena: &Arena, left: &[Term], right: &[Term]) -> Vec<(Op, Vec<Term>)> {
    let mut all = Vec::new();
    for &a in left {
        for &b in right {
            let (width, other) = (arena.width(a), arena.width(b));
            if width != other && width + other <= 8 && width > 0 && other > 0 {
                all.push((Op::Concat, vec![a, b]));
            }
            if width != other {
                continue;
            }
            if width == 0 {
                for op in [Op::And, Op::Or, Op::Xor, Op::Eq] {
                    all.push((op, vec![a, b]));
                }
                continue;
            }
            all.extend(BINARY.iter().map(|&op| (op, vec![a, b])));
            if 2 * width <= 8 {
                all.push((Op::Concat, vec![a, b]));
            }
        }
    }
    all
}

/// Every unary operator on every operand.
pub(super) fn unary(arena: &Arena, operands: &[Term]) -> Vec<(Op, Vec<Term>)> {
    let mut all = Vec::new();
    for &a in operands {
        let width = arena.width(a);
        if width == 0 {
            all.push((Op::Not, vec![a]));
            continue;
        }
        all.push((Op::BvNot, vec![a]));
        all.push((Op::BvNeg, vec![a]));
        for lo in 0..width {
            for hi in lo..width {
                all.push((Op::Extract { hi, lo }, vec![a]));
            }
        }
        for by in 0..=2 {
            if width + by <= 8 {
                all.push((Op::ZeroExtend(by), vec![a]));
                all.push((Op::SignExtend(by), vec![a]));
            }
        }
    }
    all
}
