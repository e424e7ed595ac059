//! The abstract reachability tree of lazy abstraction, and nothing about solvers.
//!
//! A node has a location and an abstract state, a formula that does not change: a node that is to be more
//! precise is removed with its subtree, and made anew. Kept here:
//! - a node is open, covered or expanded; it never goes from expanded to covered, and only expanded nodes
//!   cover others, so covering has no cycles;
//! - when a node is removed, those that it covered are open again.
//!
//! Left to the caller: a child's state holds after every step from a state of its parent's, and a covered
//! node's state implies the disjunction of its coverers'.

use nilas_program::{EdgeId, LocationId};
use nilas_term::Term;

/// A node, by the order of making.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct NodeId(usize);

/// Where a node is in its life.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Status {
    Open,
    /// Its state implies the disjunction of these nodes' states.
    Covered(Vec<NodeId>),
    Expanded,
    Removed,
}

/// A node of the tree.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) location: LocationId,
    /// The parent and the edge from it; none at the root.
    pub(super) parent: Option<(NodeId, EdgeId)>,
    /// Over the program's variables.
    pub(super) state: Term,
    /// How many predicates the location had when the state was computed.
    pub(super) precision: usize,
    children: Vec<NodeId>,
    covers: Vec<NodeId>,
    status: Status,
}

/// The tree.
#[derive(Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    /// The expanded nodes of each location, the oldest first.
    expanded: Vec<Vec<NodeId>>,
}

impl Tree {
    /// The root alone, open.
    pub(super) fn new(locations: usize, entry: LocationId, state: Term) -> (Self, NodeId) {
        let mut tree = Tree { nodes: Vec::new(), expanded: vec![Vec::new(); locations] };
        let root = tree.make(entry, None, state, 0);
        (tree, root)
    }

    fn make(
        &mut self,
        location: LocationId,
        parent: Option<(NodeId, EdgeId)>,
        state: Term,
        precision: usize,
    ) -> NodeId {
        let id = NodeId(self.nodes.len());
        let (children, covers) = (Vec::new(), Vec::new());
        self.nodes.push(Node { location, parent, state, precision, children, covers, status: Status::Open });
        id
    }

    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0]
    }

    /// How many nodes were ever made.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn is_open(&self, id: NodeId) -> bool {
        self.node(id).status == Status::Open
    }

    pub(super) fn is_removed(&self, id: NodeId) -> bool {
        self.node(id).status == Status::Removed
    }

    /// The expanded nodes of a location, the oldest first.
    pub(super) fn expanded_at(&self, location: LocationId) -> &[NodeId] {
        &self.expanded[location.index()]
    }

    /// The nodes from the root to this one.
    pub(super) fn path(&self, id: NodeId) -> Vec<NodeId> {
        let up = |&id: &NodeId| self.node(id).parent.map(|(parent, _)| parent);
        let mut path: Vec<NodeId> = std::iter::successors(Some(id), up).collect();
        path.reverse();
        path
    }

    pub(super) fn add_child(
        &mut self,
        parent: NodeId,
        edge: EdgeId,
        location: LocationId,
        state: Term,
        precision: usize,
    ) -> NodeId {
        let child = self.make(location, Some((parent, edge)), state, precision);
        self.nodes[parent.0].children.push(child);
        child
    }

    /// From open to expanded.
    pub(super) fn expand(&mut self, id: NodeId) {
        debug_assert!(self.is_open(id));
        self.nodes[id.0].status = Status::Expanded;
        let location = self.nodes[id.0].location;
        self.expanded[location.index()].push(id);
    }

    /// From open to covered, by expanded nodes.
    pub(super) fn cover(&mut self, id: NodeId, by: Vec<NodeId>) {
        debug_assert!(self.is_open(id) && by.iter().all(|by| self.node(*by).status == Status::Expanded));
        for coverer in &by {
            self.nodes[coverer.0].covers.push(id);
        }
        self.nodes[id.0].status = Status::Covered(by);
    }

    /// Removes a node with all below it. Returns the nodes that are open again because a coverer is gone.
    pub(super) fn remove(&mut self, id: NodeId) -> Vec<NodeId> {
        let (mut gone, mut next) = (vec![id], 0);
        while let Some(&id) = gone.get(next) {
            next += 1;
            gone.extend_from_slice(&self.node(id).children);
        }
        let mut uncovered = Vec::new();
        for &id in &gone {
            let node = &mut self.nodes[id.0];
            let status = std::mem::replace(&mut node.status, Status::Removed);
            let (location, covered) = (node.location, std::mem::take(&mut node.covers));
            node.children = Vec::new();
            match status {
                Status::Expanded => self.expanded[location.index()].retain(|&other| other != id),
                Status::Covered(by) => self.forget(id, &by),
                Status::Open | Status::Removed => {}
            }
            for node in covered {
                if let Status::Covered(by) = self.nodes[node.0].status.clone() {
                    self.forget(node, &by);
                    self.nodes[node.0].status = Status::Open;
                    uncovered.push(node);
                }
            }
        }
        if let Some((parent, _)) = self.node(id).parent {
            self.nodes[parent.0].children.retain(|&child| child != id);
        }
        uncovered.retain(|&node| self.is_open(node));
        uncovered
    }

    /// These nodes do not cover a node any more.
    fn forget(&mut self, covered: NodeId, by: &[NodeId]) {
        for coverer in by {
            self.nodes[coverer.0].covers.retain(|&other| other != covered);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nilas_term::Arena;

    /// What a removed node covered is open again, unless it went too.
    #[test]
    fn covered_nodes_are_open_when_a_coverer_goes() {
        let state = Arena::new().mk_true();
        let (edge, location) = (EdgeId::new(0), LocationId::new(1));
        let (mut tree, root) = Tree::new(2, LocationId::new(0), state);
        tree.expand(root);
        let [one, two, three] = [(); 3].map(|()| tree.add_child(root, edge, location, state, 0));
        tree.expand(one);
        let below = tree.add_child(one, edge, location, state, 0);
        tree.expand(two);
        tree.cover(below, vec![two]);
        tree.cover(three, vec![one, two]);
        assert_eq!(tree.expanded_at(location), [one, two]);
        assert_eq!(tree.path(below), [root, one, below]);
        assert_eq!(tree.remove(one), [three]);
        assert!(tree.is_removed(below) && tree.is_open(three));
        assert_eq!(tree.remove(two), [], "nobody is covered by it any more");
        assert_eq!(tree.expanded_at(location), []);
    }
}
