//! Terms as an EUF solver reads them (Def. 3.3 and 4.3 of the EUForia thesis).
//!
//! Booleans, equality and if-then-else mean what they mean. Every other operator is a function of which
//! nothing is known but that equal arguments give equal results: `select`, `store` and constant arrays, too.
//! Operators at different sorts are different functions by themselves, as their arguments are never equal.
//! Constants are different from each other.
//!
//! The thesis maps each term to an abstract one and back. Here the abstraction is the reading: an abstract
//! term and its concretisation are the same term of the arena, so both mappings are the identity. What a
//! solver of this kind calls unsatisfiable is so in every theory.
//!
//! Terms in normal form have comparisons of both directions; here all are strict ones, `a <= b` is `not (b <
//! a)` and `a <= 4` is `a < 5`, so that a literal and its negation are about one atom.
//!
//! An if-then-else that is no Boolean is a node of its own, equal to one of its branches. The clauses that
//! say so are declared as gates of the two equalities, and the equalities as inputs of every atom whose terms
//! contain the node: so they are in the cone of exactly the queries that need them.
//!
//! Models are partial: an atom that no clause needs stays open. For the rest to be a partition, an atom with
//! a truth value needs the conditions of the if-then-elses in its terms decided, and the Booleans that
//! functions are applied to ([`Need`]). Say that this is so at every atom that has a truth value. Then the
//! classes of their terms are a part of a term model, in which all open atoms and all other terms are
//! evaluated; and the atoms that have truth values have the same there. Clauses are seen to as in every call.

use super::closure::{Atom, Closure, Node};
use crate::blast::{Gates, Obstacle};
use crate::budget::Interrupt;
use crate::embedded::clausify::Literals;
use crate::sat::{Cdcl, Lit, SatSolver, Var};
use nilas_term::{Arena, BitVec, Op, Sort, Term, Value};
use rustc_hash::FxHashMap;

/// The literals and nodes of terms.
pub(super) struct Reader {
    pub(super) gates: Gates<Cdcl>,
    literals: FxHashMap<Term, Lit>,
    pub(super) nodes: FxHashMap<Term, Node>,
    equalities: FxHashMap<(Node, Node), Lit>,
    /// The literals of nodes that are predicates.
    truths: FxHashMap<Node, Lit>,
    /// Variables that are in the cone of a query that speaks of a node, by node: those of the outermost
    /// if-then-elses, and of Booleans below it.
    below: Vec<Box<[Var]>>,
    /// What has to be decided for a node to stand for its term, by node.
    needs: Vec<Box<[Need]>>,
    stack: Vec<(Task, bool)>,
}

/// A literal that has to be decided, and what says so to the closure if it is true, and if it is false.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Need {
    decided: Lit,
    told: [Lit; 2],
}

/// What is to be read.
#[derive(Clone, Copy)]
enum Task {
    Literal(Term),
    Node(Term),
}

/// A comparison as a strict one: whether it is the negation, the operator, and the operands.
pub(super) struct Strict {
    pub(super) negated: bool,
    pub(super) op: Op,
    pub(super) left: Operand,
    pub(super) right: Operand,
}

/// An operand: a term, or a value that need not be in the arena.
pub(super) enum Operand {
    Term(Term),
    Value(Value),
}

/// See the module's text. `None` if the term is no comparison that has another form.
pub(super) fn strict(arena: &Arena, term: Term) -> Option<Strict> {
    let op = match arena.op(term) {
        Op::BvUle => Op::BvUlt,
        Op::BvSle => Op::BvSlt,
        Op::Le => Op::Lt,
        _ => return None,
    };
    let &[left, right] = arena.children(term) else { return None };
    if let Some(bound) = arena.as_bitvec(right) {
        let greatest =
            if op == Op::BvUlt { BitVec::ones(bound.width()) } else { BitVec::max_signed(bound.width()) };
        if *bound != greatest {
            let next = bound.add(&BitVec::one(bound.width()));
            let right = Operand::Value(Value::BitVec(next));
            return Some(Strict { negated: false, op, left: Operand::Term(left), right });
        }
    }
    Some(Strict { negated: true, op, left: Operand::Term(right), right: Operand::Term(left) })
}

impl Reader {
    pub(super) fn new(closure: Closure) -> Self {
        Reader {
            gates: Gates::new(Cdcl::with_theory(closure)),
            literals: FxHashMap::default(),
            nodes: FxHashMap::default(),
            equalities: FxHashMap::default(),
            truths: FxHashMap::default(),
            below: Vec::new(),
            needs: Vec::new(),
            stack: Vec::new(),
        }
    }

    /// How many terms have nodes.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The literal of a Boolean term, if it was read.
    pub(super) fn known(&self, term: Term) -> Option<Lit> {
        self.literals.get(&term).copied()
    }

    /// The node that stands for a term in the present model, if it was read and what it needs is decided.
    pub(super) fn settled(&self, term: Term) -> Option<Node> {
        let &node = self.nodes.get(&term)?;
        let holds = |lit: Lit| self.gates.sat.value(lit.var()).map(|value| value == lit.is_positive());
        let needs = self.needs.get(node.index()).map_or(&[][..], |needs| needs);
        let is_told = |need: &Need| match holds(need.decided) {
            Some(value) => holds(need.told[usize::from(!value)]) == Some(true),
            None => false,
        };
        needs.iter().all(is_told).then_some(node)
    }

    fn closure(&mut self) -> Result<&mut Closure, Obstacle> {
        // It is there from the beginning on.
        self.gates.sat.theory_mut().ok_or(Obstacle::Interrupted(Interrupt::Cancelled))
    }

    /// Reads a term and everything below it, children first.
    fn read(&mut self, arena: &Arena, task: Task) -> Result<(), Obstacle> {
        self.stack.clear();
        self.stack.push((task, false));
        while let Some((task, ready)) = self.stack.pop() {
            let (term, is_literal) = match task {
                Task::Literal(term) => (term, true),
                Task::Node(term) => (term, false),
            };
            let known =
                if is_literal { self.literals.contains_key(&term) } else { self.nodes.contains_key(&term) };
            if known {
                continue;
            }
            if !ready {
                self.stack.push((task, true));
                self.push_children(arena, task);
                continue;
            }
            if is_literal {
                let lit = self.make_literal(arena, term)?;
                self.literals.insert(term, lit);
            } else {
                let node = self.make_node(arena, term)?;
                self.nodes.insert(term, node);
            }
        }
        Ok(())
    }

    fn push_children(&mut self, arena: &Arena, task: Task) {
        let boolean = |term: Term| *arena.sort(term) == Sort::Bool;
        match task {
            Task::Literal(term) => {
                let op = arena.op(term);
                let connective = match op {
                    Op::Not | Op::And | Op::Or | Op::Xor | Op::Ite => true,
                    Op::Eq => boolean(arena.children(term)[0]),
                    _ => false,
                };
                for &child in arena.children(term).iter().rev() {
                    let task = if connective { Task::Literal(child) } else { Task::Node(child) };
                    self.stack.push((task, false));
                }
            }
            Task::Node(term) if boolean(term) => self.stack.push((Task::Literal(term), false)),
            Task::Node(term) => {
                for &child in arena.children(term).iter().rev() {
                    let is_condition = arena.op(term) == Op::Ite && boolean(child);
                    let task = if is_condition { Task::Literal(child) } else { Task::Node(child) };
                    self.stack.push((task, false));
                }
            }
        }
    }

    /// The literal of a term whose children were read.
    fn make_literal(&mut self, arena: &Arena, term: Term) -> Result<Lit, Obstacle> {
        let children = arena.children(term);
        let op = arena.op(term);
        if let Some(value) = arena.as_bool(term) {
            return Ok(self.gates.constant(value));
        }
        let is_connective = matches!(op, Op::Not | Op::And | Op::Or | Op::Xor | Op::Ite)
            || op == Op::Eq && *arena.sort(children[0]) == Sort::Bool;
        if is_connective {
            let mut lits: Vec<Lit> = children.iter().map(|child| self.literals[child]).collect();
            return Ok(match op {
                Op::Not => !lits[0],
                Op::And => self.gates.and_all(&mut lits)?,
                Op::Or => self.gates.or_all(&mut lits)?,
                Op::Xor => self.gates.xor(lits[0], lits[1])?,
                Op::Eq => self.gates.iff(lits[0], lits[1])?,
                _ => self.choice(lits[0], lits[1], lits[2])?,
            });
        }
        if op.is_leaf() {
            return Ok(self.gates.input()?);
        }
        if op == Op::Eq {
            return self.equality(self.nodes[&children[0]], self.nodes[&children[1]]);
        }
        if let Some(Strict { negated, op, left, right }) = strict(arena, term) {
            let mut operands = Vec::with_capacity(2);
            for operand in [left, right] {
                operands.push(match operand {
                    Operand::Term(term) => self.nodes[&term],
                    Operand::Value(value) => self.closure()?.constant(&value),
                });
            }
            let lit = self.predicate(op, &operands)?;
            return Ok(if negated { !lit } else { lit });
        }
        let arguments: Vec<Node> = children.iter().map(|child| self.nodes[child]).collect();
        self.predicate(op, &arguments)
    }

    /// The literal of an if-then-else. That both branches have its value would settle it, too, but then models
    /// make terms equal that have no reason to be, such as `a` and `b` in `x = ite(c, a, b)`.
    fn choice(&mut self, condition: Lit, then: Lit, otherwise: Lit) -> Result<Lit, Obstacle> {
        let lit = self.gates.mux(condition, then, otherwise)?;
        if lit.var() > condition.var() {
            self.gates.sat.needs(lit.var(), [condition.var()].into_iter());
        }
        Ok(lit)
    }

    /// The literal of an operator with a Boolean result.
    fn predicate(&mut self, op: Op, arguments: &[Node]) -> Result<Lit, Obstacle> {
        let node = self.closure()?.apply(op, arguments);
        if let Some(&lit) = self.truths.get(&node) {
            return Ok(lit);
        }
        let (below, needs) = self.below_all(arguments);
        let lit = self.gates.input()?;
        self.declare(lit.var(), &below, &needs, &[]);
        self.note_below(node, below, needs);
        self.closure()?.add_atom(lit.var(), Atom::Truth(node, lit));
        self.truths.insert(node, lit);
        Ok(lit)
    }

    /// The literal of an equality.
    fn equality(&mut self, left: Node, right: Node) -> Result<Lit, Obstacle> {
        if left == right {
            return Ok(self.gates.truth());
        }
        let pair = if left < right { (left, right) } else { (right, left) };
        if let Some(&lit) = self.equalities.get(&pair) {
            return Ok(lit);
        }
        let closure = self.closure()?;
        if closure.value_of(left).is_some() && closure.value_of(right).is_some() {
            return Ok(self.gates.constant(false));
        }
        let (below, needs) = self.below_all(&[left, right]);
        let lit = self.gates.input()?;
        self.declare(lit.var(), &below, &needs, &[]);
        self.closure()?.add_atom(lit.var(), Atom::Equality(left, right, lit.var()));
        self.equalities.insert(pair, lit);
        Ok(lit)
    }

    /// The literal of the equality of an if-then-else with a branch, which holds unless `unless` does. It is
    /// no literal of any term: one that speaks of this equality has to bring the other branch into its cone,
    /// too.
    fn branch(&mut self, node: Node, branch: Node, unless: Lit) -> Result<Lit, Obstacle> {
        let (mut below, needs) = self.below_all(&[branch]);
        below.push(unless.var());
        let lit = self.gates.input()?;
        self.declare(lit.var(), &below, &needs, &[&[lit, unless]]);
        self.closure()?.add_atom(lit.var(), Atom::Equality(node, branch, lit.var()));
        Ok(lit)
    }

    /// The node of a term whose children were read.
    fn make_node(&mut self, arena: &Arena, term: Term) -> Result<Node, Obstacle> {
        if let Some(value) = arena.as_value(term) {
            return Ok(self.closure()?.constant(value));
        }
        if *arena.sort(term) == Sort::Bool {
            let lit = self.literals[&term];
            if let Some(value) = self.gates.as_constant(lit) {
                return Ok(self.closure()?.constant(&Value::Bool(value)));
            }
            let node = self.closure()?.leaf();
            self.closure()?.add_atom(lit.var(), Atom::Truth(node, lit));
            let need = Need { decided: lit, told: [lit, !lit] };
            self.note_below(node, vec![lit.var()], vec![need]);
            return Ok(node);
        }
        let op = arena.op(term);
        let children = arena.children(term);
        if op.is_leaf() {
            return Ok(self.closure()?.leaf());
        }
        if op == Op::Ite {
            let condition = self.literals[&children[0]];
            let (then, otherwise) = (self.nodes[&children[1]], self.nodes[&children[2]]);
            if let Some(value) = self.gates.as_constant(condition) {
                return Ok(if value { then } else { otherwise });
            }
            if then == otherwise {
                return Ok(then);
            }
            let node = self.closure()?.leaf();
            let is_then = self.branch(node, then, !condition)?;
            let is_otherwise = self.branch(node, otherwise, condition)?;
            let need = Need { decided: condition, told: [is_then, is_otherwise] };
            self.note_below(node, vec![is_then.var(), is_otherwise.var()], vec![need]);
            return Ok(node);
        }
        let arguments: Vec<Node> = children.iter().map(|child| self.nodes[child]).collect();
        let (below, needs) = self.below_all(&arguments);
        let node = self.closure()?.apply(op, &arguments);
        self.note_below(node, below, needs);
        Ok(node)
    }

    fn below_all(&self, nodes: &[Node]) -> (Vec<Var>, Vec<Need>) {
        fn all<T: Copy + Ord>(lists: &[Box<[T]>], nodes: &[Node]) -> Vec<T> {
            let lists = nodes.iter().filter_map(|node| lists.get(node.index()));
            let mut found: Vec<T> = lists.flat_map(|list| list.iter().copied()).collect();
            found.sort_unstable();
            found.dedup();
            found
        }
        (all(&self.below, nodes), all(&self.needs, nodes))
    }

    fn note_below(&mut self, node: Node, below: Vec<Var>, needs: Vec<Need>) {
        if self.below.len() <= node.index() {
            self.below.resize(node.index() + 1, Box::default());
            self.needs.resize(node.index() + 1, Box::default());
        }
        self.below[node.index()] = below.into();
        self.needs[node.index()] = needs.into();
    }

    fn declare(&mut self, var: Var, inputs: &[Var], needs: &[Need], clauses: &[&[Lit]]) {
        if !inputs.is_empty() {
            let inputs: Vec<Lit> = inputs.iter().map(|input| input.lit()).collect();
            self.gates.sat.add_gate(var, &inputs, clauses);
            self.gates.sat.needs(var, needs.iter().map(|need| need.decided.var()));
        }
    }
}

impl Literals for Reader {
    fn literal(&mut self, arena: &Arena, term: Term) -> Result<Lit, Obstacle> {
        if let Some(&lit) = self.literals.get(&term) {
            return Ok(lit);
        }
        self.read(arena, Task::Literal(term))?;
        Ok(self.literals[&term])
    }

    fn constrain(&mut self, activation: Option<Var>, clause: &mut Vec<Lit>) {
        self.gates.constrain(activation, clause);
    }
}
