//! And-inverter graphs over bits, in which partial interpolants are built.

use super::record::Bit;
use rustc_hash::FxHashMap;
use std::ops::Not;

/// A node or its complement. Node 0 is the constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Edge(u32);

impl Edge {
    pub(super) const FALSE: Edge = Edge(0);
    pub(super) const TRUE: Edge = Edge(1);

    pub(super) fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    pub(super) fn is_complement(self) -> bool {
        self.0 & 1 == 1
    }
}

impl Not for Edge {
    type Output = Edge;
    fn not(self) -> Edge {
        Edge(self.0 ^ 1)
    }
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Node {
    /// The constant false.
    False,
    /// A bit.
    Bit(Bit),
    /// A conjunction.
    And(Edge, Edge),
}

/// Nodes, each once; children come before parents.
pub(super) struct Circuit {
    nodes: Vec<Node>,
    table: FxHashMap<Node, Edge>,
}

impl Circuit {
    pub(super) fn new() -> Self {
        Circuit { nodes: vec![Node::False], table: FxHashMap::default() }
    }

    pub(super) fn node(&self, edge: Edge) -> Node {
        self.nodes[edge.node()]
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    fn add(&mut self, node: Node) -> Edge {
        let nodes = &mut self.nodes;
        *self.table.entry(node).or_insert_with(|| {
            nodes.push(node);
            // Memory ends before there are 2^31 nodes.
            Edge(u32::try_from(nodes.len() - 1).unwrap_or(0) << 1)
        })
    }

    pub(super) fn bit(&mut self, bit: Bit) -> Edge {
        self.add(Node::Bit(bit))
    }

    pub(super) fn and(&mut self, a: Edge, b: Edge) -> Edge {
        let (mut a, mut b) = (a, b);
        'again: loop {
            if b < a {
                (a, b) = (b, a);
            }
            if a == Edge::FALSE || a == !b {
                return Edge::FALSE;
            }
            if a == Edge::TRUE || a == b {
                return b;
            }
            for (x, y) in [(a, b), (b, a)] {
                let Node::And(left, right) = self.node(y) else { continue };
                match y.is_complement() {
                    // x and (x and z); x and (not x and z).
                    false if x == left || x == right => return y,
                    false if x == !left || x == !right => return Edge::FALSE,
                    // x and not (not x and z); x and not (x and z).
                    true if x == !left || x == !right => return x,
                    true if x == left || x == right => {
                        (a, b) = (x, if x == left { !right } else { !left });
                        continue 'again;
                    }
                    _ => {}
                }
            }
            return self.add(Node::And(a, b));
        }
    }

    pub(super) fn or(&mut self, a: Edge, b: Edge) -> Edge {
        !self.and(!a, !b)
    }

    /// The two edges of an equivalence `a = b`, if the edge is one.
    pub(super) fn as_iff(&self, edge: Edge) -> Option<(Edge, Edge)> {
        let Node::And(left, right) = self.node(edge) else { return None };
        if !left.is_complement() || !right.is_complement() {
            return None;
        }
        let (Node::And(a, b), Node::And(c, d)) = (self.node(left), self.node(right)) else { return None };
        // not (a and b) and not (not a and not b): a differs from b.
        if (c, d) != (!a, !b) && (c, d) != (!b, !a) {
            return None;
        }
        Some(if edge.is_complement() { (a, b) } else { (a, !b) })
    }
}
