//! Whether truth values of formulas contradict each other because equal operands give equal results.
//!
//! Trusted: that terms get into one class only if they are equal wherever the formulas have these truth
//! values. There are six ways into a class, each a [`Why`]:
//! - a formula is the truth value that it was given;
//! - the operands of an equality that is true are equal;
//! - an equality of operands that are equal is true;
//! - an operator of the same sort has one result for equal operands, in any order where that does not matter;
//! - an if-then-else is the branch that its condition, as given, chooses;
//! - an operator whose operands all have values has the value that the interpreter computes.
//!
//! A class with two values is a contradiction. Values are Booleans and bit-vectors: these are different if
//! they are written differently. Nothing is taken back, and no case is looked at besides the one given: who
//! asks for another one makes another closure.
//!
//! Not trusted: which of the given truth values the contradiction needs ([`Closure::explain`]). Whoever wants
//! to rely on fewer asks about these again.

use nilas_term::{Arena, Op, Sort, Term, Value, apply};
use rustc_hash::{FxHashMap, FxHashSet};

/// A term, or a value that none of the terms is.
type Node = usize;

/// Why two nodes are equal.
#[derive(Clone, Copy, Debug)]
enum Why {
    /// So it was given, by its number.
    Given(usize),
    /// This equality is true.
    Equality(Node),
    /// This equality has equal operands.
    Reflexive(Node),
    /// The same operator has equal operands, or so if those of the second one are swapped.
    Congruent(Node, Node, bool),
    /// This if-then-else has the condition with this number.
    Branch(usize),
    /// The operands of this term have values.
    Computed(Node),
}

/// What an operator is applied to: two terms with the same signature are equal.
type Signature<'a> = (Op, &'a Sort, Vec<Node>);

/// Terms with their classes.
struct Closure<'a> {
    arena: &'a Arena,
    /// The number and the value of each formula that is given.
    truths: FxHashMap<Term, (usize, bool)>,
    numbers: FxHashMap<Term, Node>,
    /// Nothing for a value.
    terms: Vec<Option<Term>>,
    operands: Vec<Vec<Node>>,
    /// The node that stands for each value.
    values: FxHashMap<Value, Node>,
    /// The representative of each node's class.
    class: Vec<Node>,
    /// By representative: the nodes of the class, those that have one of them as operand, and its value.
    members: Vec<Vec<Node>>,
    uses: Vec<Vec<Node>>,
    value: Vec<Option<(Node, Value)>>,
    signatures: FxHashMap<Signature<'a>, Node>,
    /// Towards the root of a tree that has the nodes of a class; along each branch nodes are equal.
    towards: Vec<Option<(Node, Why)>>,
    waiting: Vec<(Node, Node, Why)>,
}

/// Some of the given truth values, by number, that contradict each other; nothing if congruence does not show
/// that they do. What is said is trusted of *all* given values only.
pub(super) fn contradiction(arena: &Arena, given: &[(Term, bool)]) -> Option<Vec<usize>> {
    let mut closure = Closure::new(arena, given);
    let (one, other) = closure.close()?;
    Some(closure.explain(one, other))
}

impl<'a> Closure<'a> {
    fn new(arena: &'a Arena, given: &'a [(Term, bool)]) -> Self {
        let truths = given.iter().enumerate().map(|(number, &(formula, value))| (formula, (number, value)));
        let mut closure = Closure {
            arena,
            truths: truths.collect(),
            numbers: FxHashMap::default(),
            terms: Vec::new(),
            operands: Vec::new(),
            values: FxHashMap::default(),
            class: Vec::new(),
            members: Vec::new(),
            uses: Vec::new(),
            value: Vec::new(),
            signatures: FxHashMap::default(),
            towards: Vec::new(),
            waiting: Vec::new(),
        };
        for (number, &(formula, value)) in given.iter().enumerate() {
            let formula = closure.add(formula);
            let value = closure.node_of(Value::Bool(value));
            closure.waiting.push((formula, value, Why::Given(number)));
        }
        closure
    }

    /// The branch of an if-then-else that a condition, as given, chooses, and the number of the condition.
    fn chosen(&self, term: Term) -> Option<(Term, usize)> {
        let &[condition, then, otherwise] = self.arena.children(term) else { return None };
        let &(number, value) = self.truths.get(&condition).filter(|_| self.arena.op(term) == Op::Ite)?;
        Some((if value { then } else { otherwise }, number))
    }

    /// The node of a term; those of its operands come first.
    fn add(&mut self, root: Term) -> Node {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.numbers.contains_key(&term) {
                stack.pop();
                continue;
            }
            let chosen = self.chosen(term);
            let below = match &chosen {
                Some((branch, _)) => std::slice::from_ref(branch),
                None => self.arena.children(term),
            };
            let before = stack.len();
            stack.extend(below.iter().filter(|child| !self.numbers.contains_key(child)));
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let operands: Vec<Node> = below.iter().map(|child| self.numbers[child]).collect();
            if let Some(value) = self.arena.as_value(term).filter(|value| is_plain(value)) {
                let node = self.node_of(value.clone());
                self.terms[node] = Some(term);
                self.numbers.insert(term, node);
            } else if let Some((_, condition)) = chosen {
                let node = self.node(Some(term), Vec::new());
                self.numbers.insert(term, node);
                self.waiting.push((node, operands[0], Why::Branch(condition)));
            } else {
                for &operand in &operands {
                    let class = self.class[operand];
                    self.uses[class].push(self.terms.len());
                }
                let node = self.node(Some(term), operands);
                self.numbers.insert(term, node);
                self.look_at(node);
            }
        }
        self.numbers[&root]
    }

    fn node(&mut self, term: Option<Term>, operands: Vec<Node>) -> Node {
        let node = self.terms.len();
        self.terms.push(term);
        self.operands.push(operands);
        self.class.push(node);
        self.members.push(vec![node]);
        self.uses.push(Vec::new());
        self.value.push(None);
        self.towards.push(None);
        node
    }

    /// The one node that has this value without further reason.
    fn node_of(&mut self, value: Value) -> Node {
        if let Some(&node) = self.values.get(&value) {
            return node;
        }
        let node = self.node(None, Vec::new());
        self.values.insert(value.clone(), node);
        self.value[node] = Some((node, value));
        node
    }

    /// What follows for a term from the classes of its operands.
    fn look_at(&mut self, node: Node) {
        let Some(term) = self.terms[node].filter(|_| !self.operands[node].is_empty()) else { return };
        let op = self.arena.op(term);
        let mut classes: Vec<Node> = self.operands[node].iter().map(|&operand| self.class[operand]).collect();
        if op == Op::Eq && classes[0] == classes[1] {
            let yes = self.node_of(Value::Bool(true));
            self.waiting.push((node, yes, Why::Reflexive(node)));
        }
        let values: Option<Vec<&Value>> =
            classes.iter().map(|&class| self.value[class].as_ref().map(|(_, value)| value)).collect();
        if let Some(value) = values.and_then(|values| apply(self.arena, op, &values)).filter(is_plain) {
            let value = self.node_of(value);
            self.waiting.push((node, value, Why::Computed(node)));
        }
        if commutes(op) && classes.len() == 2 {
            classes.sort_unstable();
        }
        let same = *self.signatures.entry((op, self.arena.sort(term), classes)).or_insert(node);
        if same != node {
            // If their first operands are not in one class, those of one are those of the other in turn.
            let swapped = self.class[self.operands[same][0]] != self.class[self.operands[node][0]];
            self.waiting.push((node, same, Why::Congruent(node, same, swapped)));
        }
    }

    /// Merges classes until nothing changes, or a class has two values: these are returned.
    fn close(&mut self) -> Option<(Node, Node)> {
        while let Some((one, other, why)) = self.waiting.pop() {
            if let Some(values) = self.merge(one, other, why) {
                return Some(values);
            }
        }
        None
    }

    fn merge(&mut self, one: Node, other: Node, why: Why) -> Option<(Node, Node)> {
        let (mut from, mut into) = (self.class[one], self.class[other]);
        if from == into {
            return None;
        }
        self.connect(one, other, why);
        if let (Some((one, _)), Some((other, _))) = (&self.value[from], &self.value[into]) {
            return Some((*one, *other));
        }
        // Equalities that become true.
        let yes = Value::Bool(true);
        for (class, with) in [(from, into), (into, from)] {
            if self.value[with].as_ref().is_some_and(|(_, value)| *value == yes) {
                for &node in &self.members[class] {
                    if let (Some(term), &[left, right]) = (self.terms[node], &self.operands[node][..])
                        && self.arena.op(term) == Op::Eq
                    {
                        self.waiting.push((left, right, Why::Equality(node)));
                    }
                }
            }
        }
        let size = |class: Node| self.members[class].len() + self.uses[class].len();
        if size(from) > size(into) {
            std::mem::swap(&mut from, &mut into);
        }
        let (members, uses) = (std::mem::take(&mut self.members[from]), std::mem::take(&mut self.uses[from]));
        let had_value = self.value[into].is_some();
        if let Some(value) = self.value[from].take() {
            self.value[into] = Some(value);
        }
        for &member in &members {
            self.class[member] = into;
        }
        self.members[into].extend(members);
        // Terms whose operands are in another class now, or have a value.
        let mut changed = uses.clone();
        if !had_value && self.value[into].is_some() {
            changed.extend_from_slice(&self.uses[into]);
        }
        self.uses[into].extend(uses);
        for node in changed {
            self.look_at(node);
        }
        None
    }

    /// Adds a branch between two trees: the first one is turned so that the node is its root, and hung up.
    fn connect(&mut self, one: Node, other: Node, why: Why) {
        let (mut node, mut branch) = (one, (other, why));
        while let Some((next, why)) = self.towards[node].replace(branch) {
            (node, branch) = (next, (node, why));
        }
    }

    /// The given truth values that two nodes are equal by.
    fn explain(&self, one: Node, other: Node) -> Vec<usize> {
        let (mut needed, mut done) = (FxHashSet::default(), FxHashSet::default());
        let mut pairs = vec![(one, other)];
        while let Some((one, other)) = pairs.pop() {
            let above = self.way_up(one);
            let meeting = self.way_up(other).into_iter().find(|node| above.contains(node));
            for start in [one, other] {
                let mut node = start;
                while Some(node) != meeting
                    && let Some((next, why)) = self.towards[node]
                {
                    if done.insert(node) {
                        self.reasons(why, &mut needed, &mut pairs);
                    }
                    node = next;
                }
            }
        }
        let mut needed: Vec<usize> = needed.into_iter().collect();
        needed.sort_unstable();
        needed
    }

    /// The nodes from one to the root of its tree.
    fn way_up(&self, node: Node) -> Vec<Node> {
        std::iter::successors(Some(node), |&node| self.towards[node].map(|(next, _)| next)).collect()
    }

    /// What a branch of a tree rests on.
    fn reasons(&self, why: Why, needed: &mut FxHashSet<usize>, pairs: &mut Vec<(Node, Node)>) {
        match why {
            Why::Given(number) | Why::Branch(number) => {
                needed.insert(number);
            }
            Why::Equality(node) => {
                pairs.extend(self.values.get(&Value::Bool(true)).map(|&yes| (node, yes)));
            }
            Why::Reflexive(node) => pairs.push((self.operands[node][0], self.operands[node][1])),
            Why::Congruent(one, other, swapped) => {
                let (one, other) = (&self.operands[one], &self.operands[other]);
                match swapped {
                    true => pairs.extend(one.iter().copied().zip(other.iter().rev().copied())),
                    false => pairs.extend(one.iter().copied().zip(other.iter().copied())),
                }
            }
            Why::Computed(node) => {
                let value = |&operand: &Node| {
                    self.value[self.class[operand]].as_ref().map(|&(value, _)| (operand, value))
                };
                pairs.extend(self.operands[node].iter().filter_map(value));
            }
        }
    }
}

/// Whether the order of two operands does not matter.
fn commutes(op: Op) -> bool {
    matches!(
        op,
        Op::And | Op::Or | Op::Xor | Op::Eq | Op::BvAnd | Op::BvOr | Op::BvXor | Op::BvAdd | Op::BvMul
    )
}

/// Whether two values of this kind are different if they are written differently.
fn is_plain(value: &Value) -> bool {
    matches!(value, Value::Bool(_) | Value::BitVec(_))
}
