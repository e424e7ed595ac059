//! The abstract reachability tree (§2 of the paper), its covering relation, and nothing about solvers.
//!
//! A node has a location and a label, a conjunction of clauses. Kept here, whatever the strategy does:
//! - identifiers grow in the order of making, and a node is covered only by one with a smaller identifier, so
//!   covering has no cycles;
//! - a node that covers another is *active*: neither it nor a node above it is covered ([`Tree::cover`]
//!   uncovers what its subtree covered);
//! - a node that is strengthened covers nothing any more (its label may have become too strong for it);
//! - [`Tree::open`] has exactly the active nodes that are not expanded.
//!
//! Left to the caller: the label of a child holds after every step from a state of its parent's label, and a
//! covered node's label implies its coverer's. A node whose label is *false* is removed with its subtree: it
//! stands for an edge that cannot be taken, and so does an edge that no child was made for.

use nilas_program::{EdgeId, LocationId};
use nilas_term::{Arena, Cube, Term};
use std::collections::BTreeSet;

/// A node, by the order of making.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct NodeId(usize);

/// A clause of a label.
#[derive(Clone, Debug)]
pub(super) struct Clause {
    /// The negated literals: the clause excludes this cube.
    pub(super) cube: Cube,
    pub(super) term: Term,
}

impl Clause {
    pub(super) fn new(arena: &mut Arena, cube: Cube) -> Self {
        let term = cube.negation(arena);
        Clause { cube, term }
    }
}

/// A node of the tree.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) location: LocationId,
    /// The parent and the edge from it; none at the root.
    pub(super) parent: Option<(NodeId, EdgeId)>,
    pub(super) depth: u64,
    pub(super) children: Vec<NodeId>,
    /// The label as it grew. A clause is never taken away, so that solvers can be told of the last ones only.
    pub(super) clauses: Vec<Clause>,
    /// For each clause, whether a later one implies it.
    subsumed: Vec<bool>,
    pub(super) covered_by: Option<NodeId>,
    covers: Vec<NodeId>,
    expanded: bool,
    /// Whether its label is *false*, or that of a node above it.
    removed: bool,
}

impl Node {
    /// The clauses that no other clause of the label subsumes.
    pub(super) fn label(&self) -> impl Iterator<Item = &Clause> {
        self.clauses.iter().zip(&self.subsumed).filter(|(_, subsumed)| !**subsumed).map(|(clause, _)| clause)
    }

    /// Whether a clause of the label subsumes that which excludes `cube`.
    pub(super) fn subsumes(&self, cube: &Cube) -> bool {
        self.label().any(|clause| clause.cube.is_subset_of(cube))
    }
}

/// The tree.
#[derive(Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    by_location: Vec<Vec<NodeId>>,
    open: BTreeSet<NodeId>,
    /// How many nodes there are that are not removed.
    alive: usize,
}

impl Tree {
    /// The root alone, labelled *true*.
    pub(super) fn new(locations: usize, entry: LocationId) -> (Self, NodeId) {
        let mut tree = Tree {
            nodes: Vec::new(),
            by_location: vec![Vec::new(); locations],
            open: BTreeSet::new(),
            alive: 0,
        };
        let root = tree.make(entry, None, 0);
        (tree, root)
    }

    fn make(&mut self, location: LocationId, parent: Option<(NodeId, EdgeId)>, depth: u64) -> NodeId {
        let id = NodeId(self.nodes.len());
        self.nodes.push(Node {
            location,
            parent,
            depth,
            children: Vec::new(),
            clauses: Vec::new(),
            subsumed: Vec::new(),
            covered_by: None,
            covers: Vec::new(),
            expanded: false,
            removed: false,
        });
        self.by_location[location.index()].push(id);
        self.open.insert(id);
        self.alive += 1;
        id
    }

    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0]
    }

    /// How many nodes were ever made, and how many are left.
    pub(super) fn sizes(&self) -> (usize, usize) {
        (self.nodes.len(), self.alive)
    }

    /// The newest active node that is not expanded.
    pub(super) fn open(&self) -> Option<NodeId> {
        self.open.last().copied()
    }

    /// All nodes that are not removed.
    pub(super) fn ids(&self) -> impl Iterator<Item = NodeId> + '_ {
        (0..self.nodes.len()).map(NodeId).filter(|&id| !self.node(id).removed)
    }

    /// The nodes at a location that are not removed, in the order of making.
    pub(super) fn at(&self, location: LocationId) -> &[NodeId] {
        &self.by_location[location.index()]
    }

    pub(super) fn is_removed(&self, id: NodeId) -> bool {
        self.node(id).removed
    }

    pub(super) fn is_expanded(&self, id: NodeId) -> bool {
        self.node(id).expanded
    }

    /// Whether neither the node nor one above it is covered or removed.
    pub(super) fn is_active(&self, id: NodeId) -> bool {
        !self.node(id).removed && self.upwards(id).all(|above| self.node(above).covered_by.is_none())
    }

    /// The node, its parent, and so on to the root.
    pub(super) fn upwards(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(Some(id), |&id| self.node(id).parent.map(|(parent, _)| parent))
    }

    /// The nodes from the root to this one.
    pub(super) fn path(&self, id: NodeId) -> Vec<NodeId> {
        let mut path: Vec<NodeId> = self.upwards(id).collect();
        path.reverse();
        path
    }

    /// The edges from a node above, or itself, to a node.
    pub(super) fn edges(&self, above: NodeId, id: NodeId) -> Vec<EdgeId> {
        let below = self.upwards(id).take_while(|&node| node != above);
        let mut edges: Vec<EdgeId> = below.filter_map(|node| Some(self.node(node).parent?.1)).collect();
        edges.reverse();
        edges
    }

    /// The node and everything below it.
    fn subtree(&self, id: NodeId) -> Vec<NodeId> {
        let (mut found, mut next) = (vec![id], 0);
        while let Some(&id) = found.get(next) {
            next += 1;
            found.extend_from_slice(&self.node(id).children);
        }
        found
    }

    /// ART UNWINDING of Fig. 3, one child: labelled *true*.
    pub(super) fn add_child(&mut self, parent: NodeId, edge: EdgeId, location: LocationId) -> NodeId {
        let depth = self.node(parent).depth + 1;
        let child = self.make(location, Some((parent, edge)), depth);
        self.nodes[parent.0].children.push(child);
        child
    }

    /// All children that a node needs were made.
    pub(super) fn set_expanded(&mut self, id: NodeId) {
        self.nodes[id.0].expanded = true;
        self.open.remove(&id);
    }

    /// NODE COVERING of Fig. 3. What the node and those below it covered is uncovered. Both are active, the
    /// coverer is the older one.
    pub(super) fn cover(&mut self, id: NodeId, by: NodeId) {
        debug_assert!(by < id && self.is_active(id) && self.is_active(by));
        self.nodes[id.0].covered_by = Some(by);
        self.nodes[by.0].covers.push(id);
        for below in self.subtree(id) {
            self.open.remove(&below);
            self.uncover_all(below);
        }
    }

    /// Uncovers everything that a node covers, and says how much that was.
    fn uncover_all(&mut self, id: NodeId) -> usize {
        let covered = std::mem::take(&mut self.nodes[id.0].covers);
        for &node in &covered {
            self.nodes[node.0].covered_by = None;
        }
        for &node in &covered {
            if self.is_active(node) {
                self.open_below(node);
            }
        }
        covered.len()
    }

    /// An active node was covered before: what is not expanded in its subtree is open again, except below
    /// other covered nodes.
    fn open_below(&mut self, id: NodeId) {
        let mut stack = vec![id];
        while let Some(id) = stack.pop() {
            let node = &self.nodes[id.0];
            if node.covered_by.is_none() && !node.removed {
                stack.extend_from_slice(&node.children);
                if !node.expanded {
                    self.open.insert(id);
                }
            }
        }
    }

    /// Adds a clause to the label of a node, which must hold there, and uncovers all that the node covered.
    pub(super) fn strengthen(&mut self, id: NodeId, clause: Clause) {
        let node = &mut self.nodes[id.0];
        for (old, subsumed) in node.clauses.iter().zip(&mut node.subsumed) {
            *subsumed |= clause.cube.is_subset_of(&old.cube);
        }
        node.clauses.push(clause);
        node.subsumed.push(false);
        self.uncover_all(id);
    }

    /// Adds a clause to the labels of all nodes of a location, where it must hold. Nothing is uncovered: who is
    /// covered gets the clause as well.
    pub(super) fn strengthen_all(&mut self, location: LocationId, clause: &Clause) {
        for &id in &self.by_location[location.index()] {
            let node = &mut self.nodes[id.0];
            node.clauses.push(clause.clone());
            node.subsumed.push(false);
        }
    }

    /// The label of a node is *false*: it goes, with all below it. Returns what went.
    pub(super) fn remove(&mut self, id: NodeId) -> Vec<NodeId> {
        let gone = self.subtree(id);
        for &node in &gone {
            // First, so that nothing below counts as active.
            self.nodes[node.0].removed = true;
        }
        for &node in &gone {
            self.open.remove(&node);
            self.alive -= 1;
            self.uncover_all(node);
            if let Some(by) = self.nodes[node.0].covered_by.take() {
                self.nodes[by.0].covers.retain(|&covered| covered != node);
            }
            let location = self.nodes[node.0].location;
            self.by_location[location.index()].retain(|&other| other != node);
            self.nodes[node.0].children = Vec::new();
            self.nodes[node.0].clauses = Vec::new();
            self.nodes[node.0].subsumed = Vec::new();
        }
        if let Some((parent, _)) = self.nodes[id.0].parent {
            self.nodes[parent.0].children.retain(|&child| child != id);
        }
        gone
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nilas_term::Sort;

    /// Root, and below it a chain of three nodes at location 1.
    fn chain() -> (Tree, Vec<NodeId>) {
        let (mut tree, root) = Tree::new(2, LocationId::new(0));
        let mut nodes = vec![root];
        for _ in 0..3 {
            let parent = nodes[nodes.len() - 1];
            nodes.push(tree.add_child(parent, EdgeId::new(0), LocationId::new(1)));
            tree.set_expanded(parent);
        }
        (tree, nodes)
    }

    #[test]
    fn what_a_covered_subtree_covered_is_open_again() {
        let (mut tree, nodes) = chain();
        let other = tree.add_child(nodes[1], EdgeId::new(0), LocationId::new(1));
        tree.cover(other, nodes[3]);
        assert_eq!(tree.open(), Some(nodes[3]), "a covered node is not open");
        tree.cover(nodes[2], nodes[1]);
        assert_eq!(tree.open(), Some(other), "its coverer is below a covered node now");
        assert!(!tree.is_active(nodes[3]));
        tree.cover(other, nodes[1]);
        assert_eq!(tree.open(), None);
    }

    #[test]
    fn a_strengthened_node_covers_nothing() {
        let (mut tree, nodes) = chain();
        tree.cover(nodes[2], nodes[1]);
        let mut arena = Arena::new();
        let p = arena.variable("p", &Sort::Bool).expect("a new name");
        let clause = Clause::new(&mut arena, Cube::new([p]));
        tree.strengthen(nodes[1], clause);
        assert_eq!(tree.open(), Some(nodes[3]), "all below the uncovered node is open again");
        assert!(tree.node(nodes[1]).subsumes(&Cube::new([p])));
    }

    #[test]
    fn what_is_false_goes_with_its_subtree() {
        let (mut tree, nodes) = chain();
        let other = tree.add_child(nodes[1], EdgeId::new(0), LocationId::new(1));
        tree.cover(other, nodes[3]);
        assert_eq!(tree.remove(nodes[2]), [nodes[2], nodes[3]]);
        assert_eq!(tree.open(), Some(other));
        assert_eq!(tree.at(LocationId::new(1)), [nodes[1], other]);
        assert_eq!(tree.sizes(), (5, 3));
    }
}
