//! Guarded commands (§2.2 of the generalisation thesis), as acyclic flow graphs.
//!
//! The thesis builds commands from `assume`, assignment, sequence and choice; we add `havoc`. A command here
//! is their flow graph: basic commands on arcs, a chain for a sequence, a fork and a join for a
//! choice. That form takes a whole loop-free piece of a program without repeating any of it, which no tree of
//! sequences and choices can, and every walk over it is a loop over its arcs.
//!
//! Invariants: arcs lead from smaller to larger node numbers and are sorted by their source, so that arc
//! order is a topological order; node 0 is the start, the last node the end; every node lies on a path from
//! start to end. (A command of one node and no arc is `skip`.)

use crate::ids::{ArcId, EdgeId, HavocSite, NodeId, VarId};
use crate::source::Span;
use nilas_term::Term;

/// One step without branching.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Basic {
    /// Nothing happens.
    Skip,
    /// Goes on only where the Boolean term holds.
    Assume(Term),
    /// The variable takes the value of the term.
    Assign(VarId, Term),
    /// The variable takes any value of its sort.
    Havoc(VarId, HavocSite),
}

/// Where an arc came from in the automaton before a pass: evidence goes back this way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Origin {
    /// The edge.
    pub edge: EdgeId,
    /// The arc of that edge's command; `None` if the command was `skip` and had none.
    pub arc: Option<ArcId>,
}

/// A basic command between two nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arc {
    /// Start.
    pub source: NodeId,
    /// End, larger than the start.
    pub target: NodeId,
    /// What happens.
    pub basic: Basic,
    /// Where it stands in the source text.
    pub span: Span,
    /// Where it stood before the last pass; `None` in an automaton as read.
    pub origin: Option<Origin>,
}

/// A guarded command, see the module's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    nodes: u32,
    arcs: Vec<Arc>,
}

impl Command {
    /// The command that does nothing.
    #[must_use]
    pub fn skip() -> Self {
        Command { nodes: 1, arcs: Vec::new() }
    }

    /// A single step.
    #[must_use]
    pub fn basic(basic: Basic, span: Span) -> Self {
        let arc = Arc { source: NodeId::new(0), target: NodeId::new(1), basic, span, origin: None };
        Command { nodes: 2, arcs: vec![arc] }
    }

    /// A command from the arcs of an acyclic graph with `nodes` nodes, numbered topologically from the
    /// start 0 to the end `nodes - 1`; `None` if the invariants of the module do not hold.
    #[must_use]
    pub fn from_arcs(nodes: usize, mut arcs: Vec<Arc>) -> Option<Self> {
        arcs.sort_by_key(|arc| arc.source);
        let mut reached = vec![false; nodes];
        *reached.first_mut()? = true;
        for arc in &arcs {
            if arc.source >= arc.target || arc.target.index() >= nodes || !reached[arc.source.index()] {
                return None;
            }
            reached[arc.target.index()] = true;
        }
        let mut leaves = vec![false; nodes];
        leaves[nodes - 1] = true;
        for arc in arcs.iter().rev() {
            leaves[arc.source.index()] |= leaves[arc.target.index()];
        }
        let whole = reached.iter().chain(&leaves).all(|&good| good);
        whole.then_some(Command { nodes: u32::try_from(nodes).ok()?, arcs })
    }

    /// One after the other.
    #[must_use]
    pub fn sequence(parts: &[Command]) -> Self {
        let mut whole = Command::skip();
        for part in parts {
            let shift = whole.nodes as usize - 1;
            whole.arcs.extend(part.arcs.iter().map(|arc| arc.shifted(shift)));
            whole.nodes += part.nodes - 1;
        }
        whole
    }

    /// Any one of them; at least one must be given.
    #[must_use]
    pub fn choice(parts: &[Command], span: Span) -> Self {
        if let [single] = parts {
            return single.clone();
        }
        // Start, the inner nodes of the parts one after the other, end. A skip becomes one arc.
        let inner = |part: &Command| part.nodes.saturating_sub(2) as usize;
        let end = 1 + parts.iter().map(inner).sum::<usize>();
        let mut arcs = Vec::new();
        let mut shift = 0;
        for part in parts {
            if part.arcs.is_empty() {
                let (source, target) = (NodeId::new(0), NodeId::new(end));
                arcs.push(Arc { source, target, basic: Basic::Skip, span, origin: None });
                continue;
            }
            let last = part.nodes as usize - 1;
            let place = |node: NodeId| match node.index() {
                0 => NodeId::new(0),
                index if index == last => NodeId::new(end),
                index => NodeId::new(index + shift),
            };
            for arc in &part.arcs {
                arcs.push(Arc { source: place(arc.source), target: place(arc.target), ..arc.clone() });
            }
            shift += inner(part);
        }
        arcs.sort_by_key(|arc| arc.source);
        Command { nodes: u32::try_from(end + 1).expect("fewer than 2^32 nodes"), arcs }
    }

    /// Number of nodes.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.nodes as usize
    }

    /// The node where it starts.
    #[must_use]
    pub fn start(&self) -> NodeId {
        NodeId::new(0)
    }

    /// The node where it ends.
    #[must_use]
    pub fn end(&self) -> NodeId {
        NodeId::new(self.nodes() - 1)
    }

    /// The arcs in topological order.
    #[must_use]
    pub fn arcs(&self) -> &[Arc] {
        &self.arcs
    }

    /// An arc.
    #[must_use]
    pub fn arc(&self, arc: ArcId) -> &Arc {
        &self.arcs[arc.index()]
    }

    /// The arcs with their ids, in topological order.
    pub fn arc_ids(&self) -> impl Iterator<Item = (ArcId, &Arc)> {
        self.arcs.iter().enumerate().map(|(index, arc)| (ArcId::new(index), arc))
    }

    /// The same command with other origins.
    #[must_use]
    pub fn with_origins(mut self, origin: impl Fn(Origin) -> Option<Origin>) -> Self {
        for arc in &mut self.arcs {
            arc.origin = arc.origin.and_then(&origin);
        }
        self
    }

    /// The same command with other steps.
    #[must_use]
    pub fn with_basics(mut self, mut basic: impl FnMut(Basic) -> Basic) -> Self {
        for arc in &mut self.arcs {
            arc.basic = basic(arc.basic);
        }
        self
    }

    /// For each node, whether more than one arc leads to it.
    #[must_use]
    pub fn joins(&self) -> Vec<bool> {
        let mut incoming = vec![0_u32; self.nodes()];
        for arc in &self.arcs {
            incoming[arc.target.index()] += 1;
        }
        incoming.into_iter().map(|count| count > 1).collect()
    }

    /// The arcs that leave a node.
    pub fn outgoing(&self, node: NodeId) -> impl Iterator<Item = (ArcId, &Arc)> {
        let first = self.arcs.partition_point(|arc| arc.source < node);
        let leaving = self.arcs[first..].iter().take_while(move |arc| arc.source == node);
        leaving.enumerate().map(move |(index, arc)| (ArcId::new(first + index), arc))
    }
}

impl Arc {
    fn shifted(&self, by: usize) -> Arc {
        let (source, target) = (self.source.index() + by, self.target.index() + by);
        Arc { source: NodeId::new(source), target: NodeId::new(target), ..self.clone() }
    }
}
