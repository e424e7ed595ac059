//! Congruence closure that can be taken back and that can say why (Nieuwenhuis and Oliveras, *Fast Congruence
//! Closure and Extensions*, 2007).
//!
//! Nodes stand for terms: a symbol applied to at most three nodes. Classes are lists with their root written
//! at every member, so a look-up is one step and a merge relabels the class with less to it. The signatures of nodes
//! (symbol, roots of the arguments) are in one table; two nodes of one signature are merged. Arguments of
//! commutative symbols are ordered in the signature.
//!
//! Constants are nodes with a value. No class has two of them: that they differ costs no clause. If asked
//! for, an operator whose arguments all have a value is computed.
//!
//! Literals are asserted one after the other, each with its position on the trail of the SAT solver, and
//! taken back from the end. Explanations walk the proof forest, in which every merge is an edge with its
//! reason (`explain.rs`).
//!
//! Invariants: with nothing asserted every node is a class of its own. Nodes are only added then, constants
//! excepted. Of all nodes with one signature exactly one is in the table.

use super::explain::Marks;
use crate::sat::{Lit, Var};
use nilas_term::{Arena, Op, Value};
use rustc_hash::FxHashMap;

/// A node, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Node(pub(super) u32);

impl Node {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// No node: fills signatures up.
pub(super) const NONE: Node = Node(u32::MAX);

/// What a node applies to its arguments: the number of an operator of terms, even if it is commutative, or
/// one of those below.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Symbol(u32);

impl Symbol {
    /// Nothing: a variable, a value, an if-then-else, a Boolean from outside.
    const LEAF: Symbol = Symbol(u32::MAX);
    /// The rest of the arguments of an operator with more than three.
    const REST: Symbol = Symbol(u32::MAX - 2);

    fn is_commutative(self) -> bool {
        self.0 & 1 == 0
    }
}

pub(super) type Signature = (Symbol, [Node; 3]);

/// Why two nodes were merged.
#[derive(Clone, Copy, Debug)]
pub(super) enum Reason {
    /// A literal says so.
    Literal(Lit),
    /// Their arguments are equal, perhaps in the other order.
    Congruence { crossed: bool },
    /// One is the value of the other, whose arguments have these values.
    Computed([Node; 3]),
}

/// A Boolean variable of the SAT solver that says something about nodes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Atom {
    /// Whether two nodes are equal.
    Equality(Node, Node, Var),
    /// Whether a Boolean node is true: the literal that says so.
    Truth(Node, Lit),
}

/// What contradicts itself.
#[derive(Clone, Copy, Debug)]
pub(super) enum Clash {
    /// Two nodes are equal, and a literal says that they are not.
    Unequal(Node, Node, Lit),
    /// Two nodes with different values are to be merged.
    Values(Node, Node, Reason),
}

enum Undo {
    Merge {
        from: Node,
        into: Node,
        /// Lengths of lists before.
        parents: u32,
        atoms: u32,
        unequal: u32,
        removed: u32,
        /// The constant of `into` before.
        value: Node,
        edge: (Node, Node),
    },
    /// The last entry of what a class is not equal to.
    Unequal(Node),
}

/// The closure, see the module's text.
pub(crate) struct Closure {
    pub(super) signatures: Vec<Signature>,
    symbols: FxHashMap<Op, Symbol>,
    /// The operators, in the order of their numbers, which are half of those of symbols.
    operators: Vec<Op>,
    pub(super) root: Vec<Node>,
    /// The next member of the class, in a ring.
    next: Vec<Node>,
    size: Vec<u32>,
    /// Of a class, by its root: nodes with an argument in it.
    parents: Vec<Vec<Node>>,
    /// Of a class, by its root: its constant.
    constant: Vec<Node>,
    /// Of a class without constant, by its root: atoms that speak of it. An atom that speaks of a class with a
    /// constant and another one is told by the other one.
    speaking: Vec<Vec<u32>>,
    /// Of a class without constant, by its root: what it is not equal to, and the literal that says so.
    unequal: Vec<Vec<(Node, Node, Lit)>>,
    /// The proof forest: where the edge of a node leads, and why.
    pub(super) edge: Vec<(Node, Reason)>,
    pub(super) values: Vec<Option<Value>>,
    constants: FxHashMap<Value, Node>,
    table: FxHashMap<Signature, Node>,
    atoms: Vec<Atom>,
    /// By SAT variable, the atom that was added last; and by atom, the one of its variable before.
    atom_of: Vec<Option<u32>>,
    atom_before: Vec<Option<u32>>,
    undo: Vec<Undo>,
    /// Nodes that merges took out of the table.
    removed: Vec<Node>,
    /// For each literal asserted, where on the trail it stands and how much there was to undo before.
    asserted: Vec<(usize, usize)>,
    pending: Vec<(Node, Node, Reason)>,
    pub(super) clash: Option<Clash>,
    implied: Vec<(Lit, u32)>,
    pub(super) marks: Marks,
    computes: bool,
    /// Operators that are computed here need no arena, but the function that does takes one.
    no_terms: Arena,
}

impl Closure {
    /// An empty one; `computes` says whether operators are computed on values.
    pub(super) fn new(computes: bool) -> Self {
        Closure {
            signatures: Vec::new(),
            symbols: FxHashMap::default(),
            operators: Vec::new(),
            root: Vec::new(),
            next: Vec::new(),
            size: Vec::new(),
            parents: Vec::new(),
            constant: Vec::new(),
            speaking: Vec::new(),
            unequal: Vec::new(),
            edge: Vec::new(),
            values: Vec::new(),
            constants: FxHashMap::default(),
            table: FxHashMap::default(),
            atoms: Vec::new(),
            atom_of: Vec::new(),
            atom_before: Vec::new(),
            undo: Vec::new(),
            removed: Vec::new(),
            asserted: Vec::new(),
            pending: Vec::new(),
            clash: None,
            implied: Vec::new(),
            marks: Marks::default(),
            computes,
            no_terms: Arena::new(),
        }
    }

    /// The class of a node, by its root.
    pub(super) fn find(&self, node: Node) -> Node {
        self.root[node.index()]
    }

    /// The constant that a node is equal to.
    pub(super) fn constant_of(&self, node: Node) -> Option<Node> {
        Some(self.constant[self.find(node).index()]).filter(|&constant| constant != NONE)
    }

    /// The value that a node has.
    pub(super) fn value_of(&self, node: Node) -> Option<&Value> {
        self.values[self.constant_of(node)?.index()].as_ref()
    }

    /// Whether operators are computed on values.
    pub(super) fn computes(&self) -> bool {
        self.computes
    }

    /// The node of a value, if there is one.
    pub(super) fn known_constant(&self, value: &Value) -> Option<Node> {
        self.constants.get(value).copied()
    }

    fn new_node(&mut self, signature: Signature) -> Node {
        // There are fewer nodes than terms and values, which are counted in 32 bits.
        let node = Node(self.root.len() as u32);
        self.signatures.push(signature);
        self.root.push(node);
        self.next.push(node);
        self.size.push(1);
        self.parents.push(Vec::new());
        self.constant.push(NONE);
        self.speaking.push(Vec::new());
        self.unequal.push(Vec::new());
        self.edge.push((NONE, Reason::Congruence { crossed: false }));
        self.values.push(None);
        node
    }

    /// A new node that nothing is known of.
    pub(super) fn leaf(&mut self) -> Node {
        self.new_node((Symbol::LEAF, [NONE; 3]))
    }

    /// The node of a value.
    pub(super) fn constant(&mut self, value: &Value) -> Node {
        if let Some(&node) = self.constants.get(value) {
            return node;
        }
        let node = self.leaf();
        self.values[node.index()] = Some(value.clone());
        self.constant[node.index()] = node;
        self.constants.insert(value.clone(), node);
        node
    }

    /// The node of an operator on arguments. Nothing may be asserted.
    pub(super) fn apply(&mut self, op: Op, arguments: &[Node]) -> Node {
        debug_assert!(self.asserted.is_empty());
        let mut arguments = arguments.to_vec();
        while arguments.len() > 3 {
            let at = arguments.len() - 3;
            let rest = self.node((Symbol::REST, [arguments[at], arguments[at + 1], arguments[at + 2]]));
            arguments.truncate(at);
            arguments.push(rest);
        }
        arguments.resize(3, NONE);
        let symbol = self.symbol(op);
        self.node((symbol, [arguments[0], arguments[1], arguments[2]]))
    }

    fn symbol(&mut self, op: Op) -> Symbol {
        let Closure { symbols, operators, .. } = self;
        *symbols.entry(op).or_insert_with(|| {
            // There are fewer operators than terms.
            let number = 2 * operators.len() as u32;
            operators.push(op);
            Symbol(number + u32::from(!op.is_commutative()))
        })
    }

    fn node(&mut self, signature: Signature) -> Node {
        let key = normalised(signature);
        if let Some(&node) = self.table.get(&key) {
            return node;
        }
        let node = self.new_node(signature);
        self.table.insert(key, node);
        for argument in arguments(&signature) {
            let parents = &mut self.parents[argument.index()];
            if parents.last() != Some(&node) {
                parents.push(node);
            }
        }
        node
    }

    /// The class of an operator on classes, if some node is in it.
    pub(super) fn look_up(&self, op: Op, arguments: &[Node]) -> Option<Node> {
        let mut arguments: Vec<Node> = arguments.iter().map(|&node| self.find(node)).collect();
        while arguments.len() > 3 {
            let at = arguments.len() - 3;
            let key = (Symbol::REST, [arguments[at], arguments[at + 1], arguments[at + 2]]);
            let rest = self.find(*self.table.get(&key)?);
            arguments.truncate(at);
            arguments.push(rest);
        }
        arguments.resize(3, NONE);
        let key = normalised((*self.symbols.get(&op)?, [arguments[0], arguments[1], arguments[2]]));
        self.table.get(&key).map(|&node| self.find(node))
    }

    /// A variable of the SAT solver says something from now on. Nothing may be asserted.
    pub(super) fn add_atom(&mut self, var: Var, atom: Atom) {
        debug_assert!(self.asserted.is_empty());
        let id = self.atoms.len() as u32;
        self.atoms.push(atom);
        if self.atom_of.len() <= var.0 as usize {
            self.atom_of.resize(var.0 as usize + 1, None);
        }
        self.atom_before.push(self.atom_of[var.0 as usize].replace(id));
        match atom {
            Atom::Equality(left, right, _) => {
                for node in [left, right] {
                    if self.constant[node.index()] == NONE {
                        self.speaking[node.index()].push(id);
                    }
                }
            }
            Atom::Truth(node, _) => self.speaking[node.index()].push(id),
        }
    }

    /// Asserts the literal at this position of the trail; false if that contradicts what was asserted.
    pub(crate) fn assign(&mut self, position: usize, lit: Lit) -> bool {
        let Some(&(mut next @ Some(_))) = self.atom_of.get(lit.var().0 as usize) else { return true };
        self.asserted.push((position, self.undo.len()));
        while let Some(id) = next {
            next = self.atom_before[id as usize];
            match self.atoms[id as usize] {
                Atom::Equality(left, right, _) if lit.is_positive() => {
                    self.pending.push((left, right, Reason::Literal(lit)));
                }
                Atom::Equality(left, right, _) => {
                    if !self.separate(left, right, lit) {
                        return false;
                    }
                }
                Atom::Truth(node, truth) => {
                    let value = self.constant(&Value::Bool(lit == truth));
                    self.pending.push((node, value, Reason::Literal(lit)));
                }
            }
            if !self.merge_pending() {
                return false;
            }
        }
        true
    }

    /// Two nodes are not equal, as this literal says; false if they are.
    fn separate(&mut self, left: Node, right: Node, lit: Lit) -> bool {
        let (one, other) = (self.find(left), self.find(right));
        if one == other {
            self.clash = Some(Clash::Unequal(left, right, lit));
            return false;
        }
        // Two values keep the classes apart for as long as the literal stands.
        for class in [one, other] {
            if self.constant[class.index()] == NONE {
                self.unequal[class.index()].push((left, right, lit));
                self.undo.push(Undo::Unequal(class));
            }
        }
        true
    }

    /// Takes back what stands at this position of the trail or behind it.
    pub(crate) fn retract(&mut self, position: usize) {
        while let Some(&(at, undo)) = self.asserted.last()
            && at >= position
        {
            self.asserted.pop();
            self.implied.clear();
            self.clash = None;
            while self.undo.len() > undo {
                match self.undo.pop() {
                    Some(Undo::Unequal(class)) => {
                        self.unequal[class.index()].pop();
                    }
                    Some(Undo::Merge { from, into, parents, atoms, unequal, removed, value, edge }) => {
                        self.split(from, into, parents as usize, removed as usize);
                        self.speaking[into.index()].truncate(atoms as usize);
                        self.unequal[into.index()].truncate(unequal as usize);
                        self.constant[into.index()] = value;
                        self.cut(edge);
                    }
                    None => {}
                }
            }
        }
    }

    /// A literal that follows from what is asserted; perhaps the SAT solver knows it.
    pub(crate) fn implied(&mut self) -> Option<(Lit, u32)> {
        self.implied.pop()
    }

    pub(super) fn atom(&self, atom: u32) -> Atom {
        self.atoms[atom as usize]
    }

    fn key(&self, node: Node) -> Signature {
        let (symbol, mut arguments) = self.signatures[node.index()];
        for argument in &mut arguments {
            if *argument != NONE {
                *argument = self.find(*argument);
            }
        }
        normalised((symbol, arguments))
    }

    fn merge_pending(&mut self) -> bool {
        while let Some((left, right, reason)) = self.pending.pop() {
            if self.find(left) != self.find(right) && !self.merge(left, right, reason) {
                self.pending.clear();
                return false;
            }
        }
        true
    }

    fn merge(&mut self, left: Node, right: Node, reason: Reason) -> bool {
        if let (Some(one), Some(other)) = (self.constant_of(left), self.constant_of(right))
            && one != other
        {
            self.clash = Some(Clash::Values(left, right, reason));
            return false;
        }
        let smaller = self.weight(left) <= self.weight(right);
        let (a, b) = if smaller { (left, right) } else { (right, left) };
        let (from, into) = (self.find(a), self.find(b));
        self.plant(a, b, reason);
        self.undo.push(Undo::Merge {
            from,
            into,
            // Lists have each node or literal once or twice, and these are counted in 32 bits.
            parents: self.parents[into.index()].len() as u32,
            atoms: self.speaking[into.index()].len() as u32,
            unequal: self.unequal[into.index()].len() as u32,
            removed: self.removed.len() as u32,
            value: self.constant[into.index()],
            edge: (a, b),
        });
        let moved = std::mem::take(&mut self.parents[from.index()]);
        for &parent in &moved {
            let key = self.key(parent);
            if self.table.get(&key) == Some(&parent) {
                self.table.remove(&key);
                self.removed.push(parent);
            }
        }
        self.relabel(from, into);
        self.next.swap(from.index(), into.index());
        self.size[into.index()] += self.size[from.index()];
        for &parent in &moved {
            let key = self.key(parent);
            match self.table.get(&key) {
                Some(&other) if self.find(other) != self.find(parent) => {
                    let crossed = self.is_crossed(parent, other);
                    self.pending.push((parent, other, Reason::Congruence { crossed }));
                }
                Some(_) => {}
                None => {
                    self.table.insert(key, parent);
                }
            }
        }
        let (old, new) = (self.constant[into.index()], self.constant[from.index()]);
        let gained = old == NONE && new != NONE;
        if gained {
            self.constant[into.index()] = new;
        }
        if self.computes {
            if old != NONE {
                self.compute(&moved);
            } else if gained {
                let parents = std::mem::take(&mut self.parents[into.index()]);
                self.compute(&parents);
                self.parents[into.index()] = parents;
            }
        }
        self.parents[into.index()].extend_from_slice(&moved);
        self.parents[from.index()] = moved;
        if old == NONE && new == NONE {
            self.tell_atoms(from);
            let (lists, at) = (&mut self.speaking, from.index());
            let told = std::mem::take(&mut lists[at]);
            lists[into.index()].extend_from_slice(&told);
            lists[at] = told;
            let (lists, at) = (&mut self.unequal, from.index());
            let kept = std::mem::take(&mut lists[at]);
            lists[into.index()].extend_from_slice(&kept);
            lists[at] = kept;
            return self.is_separate(from);
        }
        let without = if gained { into } else { from };
        self.tell_atoms(without);
        self.is_separate(without)
    }

    /// What it costs to make the class of a node a part of another one.
    fn weight(&self, node: Node) -> usize {
        let root = self.find(node).index();
        self.size[root] as usize + self.parents[root].len()
    }

    /// Looks at the atoms of a class that was made part of another one, or got a constant.
    fn tell_atoms(&mut self, class: Node) {
        for index in 0..self.speaking[class.index()].len() {
            self.tell_atom(self.speaking[class.index()][index]);
        }
    }

    fn tell_atom(&mut self, id: u32) {
        match self.atoms[id as usize] {
            Atom::Equality(left, right, var) => {
                if self.find(left) == self.find(right) {
                    self.implied.push((var.lit(), id));
                } else if let (Some(one), Some(other)) = (self.constant_of(left), self.constant_of(right))
                    && one != other
                {
                    self.implied.push((!var.lit(), id));
                }
            }
            Atom::Truth(node, lit) => {
                if let Some(value) = self.value_of(node).and_then(Value::as_bool) {
                    self.implied.push((if value { lit } else { !lit }, id));
                }
            }
        }
    }

    /// Whether nothing that a class is not equal to is equal to it now.
    fn is_separate(&mut self, class: Node) -> bool {
        for index in 0..self.unequal[class.index()].len() {
            let (left, right, lit) = self.unequal[class.index()][index];
            if self.find(left) == self.find(right) {
                self.clash = Some(Clash::Unequal(left, right, lit));
                return false;
            }
        }
        true
    }

    /// Computes those of the nodes whose arguments have values.
    fn compute(&mut self, nodes: &[Node]) {
        for &node in nodes {
            let (symbol, of) = self.signatures[node.index()];
            let Some(&op) = self.operators.get(symbol.0 as usize / 2) else { continue };
            // These need an arena; nodes with more than three arguments are left alone.
            if matches!(op, Op::Apply(_) | Op::ConstArray(_)) {
                continue;
            }
            let mut values = [NONE; 3];
            let mut complete = true;
            for (value, &argument) in values.iter_mut().zip(&of) {
                if argument != NONE {
                    match self.constant_of(argument) {
                        Some(constant) => *value = constant,
                        None => complete = false,
                    }
                }
            }
            if !complete {
                continue;
            }
            let known: Option<Vec<&Value>> = values
                .iter()
                .filter(|&&value| value != NONE)
                .map(|value| self.values[value.index()].as_ref())
                .collect();
            let Some(known) = known else { continue };
            if let Some(result) = nilas_term::apply(&self.no_terms, op, &known) {
                let result = self.constant(&result);
                if self.find(result) != self.find(node) {
                    self.pending.push((node, result, Reason::Computed(values)));
                }
            }
        }
    }

    /// Whether the arguments of two nodes with one signature agree in the other order only.
    fn is_crossed(&self, one: Node, other: Node) -> bool {
        let ((_, left), (_, right)) = (&self.signatures[one.index()], &self.signatures[other.index()]);
        left.iter().zip(right).any(|(&a, &b)| a != NONE && self.find(a) != self.find(b))
    }

    fn relabel(&mut self, class: Node, root: Node) {
        let mut member = class;
        loop {
            self.root[member.index()] = root;
            member = self.next[member.index()];
            if member == class {
                return;
            }
        }
    }

    /// Undoes the merge of a class into another one.
    fn split(&mut self, from: Node, into: Node, parents: usize, removed: usize) {
        self.parents[into.index()].truncate(parents);
        let moved = std::mem::take(&mut self.parents[from.index()]);
        for &parent in &moved {
            let key = self.key(parent);
            if self.table.get(&key) == Some(&parent) {
                self.table.remove(&key);
            }
        }
        self.next.swap(from.index(), into.index());
        self.size[into.index()] -= self.size[from.index()];
        self.relabel(from, from);
        // The same nodes as before are in the table.
        while self.removed.len() > removed
            && let Some(parent) = self.removed.pop()
        {
            let key = self.key(parent);
            self.table.insert(key, parent);
        }
        self.parents[from.index()] = moved;
    }

    /// Adds an edge to the proof forest: the tree of `from` is turned so that `from` is its root.
    fn plant(&mut self, from: Node, to: Node, reason: Reason) {
        let (mut node, mut edge) = (from, (to, reason));
        while node != NONE {
            let old = std::mem::replace(&mut self.edge[node.index()], edge);
            edge = (node, old.1);
            node = old.0;
        }
    }

    /// Removes an edge that was planted. It may point the other way by now.
    fn cut(&mut self, planted: (Node, Node)) {
        let (from, to) = planted;
        let node = if self.edge[from.index()].0 == to { from } else { to };
        self.edge[node.index()] = (NONE, Reason::Congruence { crossed: false });
    }
}

fn arguments(signature: &Signature) -> impl Iterator<Item = Node> {
    signature.1.into_iter().filter(|&argument| argument != NONE)
}

fn normalised((symbol, mut arguments): Signature) -> Signature {
    if symbol.is_commutative() && arguments[2] == NONE && arguments[0] > arguments[1] {
        arguments.swap(0, 1);
    }
    (symbol, arguments)
}
