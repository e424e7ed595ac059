//! Why nodes are equal: the literals on a path of the proof forest, and those that the congruences on it rest
//! on.
//!
//! Between two nodes of a tree there is one path, and later merges never change it. So the edges on it are
//! older than whatever was concluded from the equality, and explanations are not circular.

use super::closure::{Atom, Clash, Closure, NONE, Node, Reason};
use crate::sat::Lit;

/// Scratch space. A mark is set if it equals the stamp.
#[derive(Default)]
pub(super) struct Marks {
    stamp: u32,
    /// Nodes whose edges are explained.
    explained: Vec<u32>,
    walk: u32,
    /// Nodes on the way from the left node to the root of its tree.
    ancestors: Vec<u32>,
    work: Vec<(Node, Node)>,
}

impl Closure {
    /// The clause that the last assertion violates.
    pub(crate) fn conflict(&mut self, clause: &mut Vec<Lit>) {
        clause.clear();
        self.begin();
        match self.clash.take() {
            Some(Clash::Unequal(left, right, lit)) => {
                clause.push(!lit);
                self.marks.work.push((left, right));
            }
            Some(Clash::Values(left, right, reason)) => {
                self.by(left, right, reason, clause);
                self.by_value(left);
                self.by_value(right);
            }
            None => {}
        }
        self.explain_work(clause);
    }

    /// The clause that makes an implied literal true.
    pub(crate) fn explain(&mut self, implied: (Lit, u32), clause: &mut Vec<Lit>) {
        let (lit, atom) = implied;
        clause.clear();
        clause.push(lit);
        self.begin();
        match self.atom(atom) {
            Atom::Equality(left, right, _) if lit.is_positive() => self.marks.work.push((left, right)),
            Atom::Equality(left, right, _) => {
                self.by_value(left);
                self.by_value(right);
            }
            Atom::Truth(node, _) => self.by_value(node),
        }
        self.explain_work(clause);
    }

    fn begin(&mut self) {
        self.marks.stamp += 1;
        self.marks.work.clear();
        let nodes = self.root.len();
        self.marks.explained.resize(nodes, 0);
        self.marks.ancestors.resize(nodes, 0);
    }

    /// That a node has its value is to be explained.
    fn by_value(&mut self, node: Node) {
        if let Some(constant) = self.constant_of(node) {
            self.marks.work.push((node, constant));
        }
    }

    fn explain_work(&mut self, clause: &mut Vec<Lit>) {
        while let Some((left, right)) = self.marks.work.pop() {
            if left == right {
                continue;
            }
            let meeting = self.meeting(left, right);
            for end in [left, right] {
                let mut node = end;
                while node != meeting {
                    let (to, reason) = self.edge[node.index()];
                    if self.marks.explained[node.index()] != self.marks.stamp {
                        self.marks.explained[node.index()] = self.marks.stamp;
                        self.by(node, to, reason, clause);
                    }
                    node = to;
                }
            }
        }
        // Each edge is explained once, but a literal may be the reason of several.
        clause.sort_unstable();
        clause.dedup();
    }

    /// Where the ways from two nodes of a tree to its root meet.
    fn meeting(&mut self, left: Node, right: Node) -> Node {
        self.marks.walk += 1;
        let mut node = left;
        while node != NONE {
            self.marks.ancestors[node.index()] = self.marks.walk;
            node = self.edge[node.index()].0;
        }
        node = right;
        while self.marks.ancestors[node.index()] != self.marks.walk {
            node = self.edge[node.index()].0;
        }
        node
    }

    /// What an equality of two nodes rests on.
    fn by(&mut self, left: Node, right: Node, reason: Reason, clause: &mut Vec<Lit>) {
        match reason {
            Reason::Literal(lit) => clause.push(!lit),
            Reason::Congruence { crossed } => {
                let ((_, one), (_, mut other)) =
                    (self.signatures[left.index()], self.signatures[right.index()]);
                if crossed {
                    other.swap(0, 1);
                }
                let pairs = one.into_iter().zip(other).filter(|&(argument, _)| argument != NONE);
                self.marks.work.extend(pairs);
            }
            Reason::Computed(values) => {
                // One of the two is the value itself.
                let node = if self.values[left.index()].is_some() { right } else { left };
                let (_, of) = self.signatures[node.index()];
                let pairs = of.into_iter().zip(values).filter(|&(argument, _)| argument != NONE);
                self.marks.work.extend(pairs);
            }
        }
    }
}
