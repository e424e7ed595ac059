//! Commands as trees of sequences and choices, where they are such trees.
//!
//! A flow graph falls apart at the nodes that every path passes, and between two of those into the pieces that share
//! no inner node. The tree is used only if building it again gives the very same graph, so that node and arc numbers
//! survive printing and parsing.

use crate::command::Command;
use crate::ids::{ArcId, NodeId};
use crate::span::Span;

/// A command as a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Tree {
    Arc(ArcId),
    Sequence(Vec<Tree>),
    Choice(Vec<Tree>),
}

/// Deeper trees stay graphs: nobody could read them.
const DEEPEST: usize = 50;

/// The tree of a command, if it is one.
pub(crate) fn tree_of(command: &Command) -> Option<Tree> {
    let arcs: Vec<ArcId> = command.arc_ids().map(|(id, _)| id).collect();
    let tree = sequence(command, &arcs, command.start(), command.end(), DEEPEST)?;
    let again = rebuild(command, &tree);
    let same = again.nodes() == command.nodes()
        && again.arcs().len() == command.arcs().len()
        && again.arcs().iter().zip(command.arcs()).all(|(left, right)| {
            (left.source, left.target, left.basic) == (right.source, right.target, right.basic)
        });
    same.then_some(tree)
}

/// The part between two nodes, given by its arcs in topological order.
fn sequence(command: &Command, arcs: &[ArcId], from: NodeId, to: NodeId, depth: usize) -> Option<Tree> {
    let mut parts = Vec::new();
    let mut piece_start = 0;
    let mut piece_from = from;
    let mut farthest = from;
    for (index, &arc) in arcs.iter().enumerate() {
        let source = command.arc(arc).source;
        // No arc leads over this node: all paths pass it.
        if source != piece_from && farthest <= source {
            parts.push(choice(command, &arcs[piece_start..index], piece_from, source, depth)?);
            (piece_start, piece_from) = (index, source);
        }
        farthest = farthest.max(command.arc(arc).target);
    }
    if piece_start < arcs.len() {
        parts.push(choice(command, &arcs[piece_start..], piece_from, to, depth)?);
    }
    if parts.len() == 1 { parts.pop() } else { Some(Tree::Sequence(parts)) }
}

/// A part that no node divides.
fn choice(command: &Command, arcs: &[ArcId], from: NodeId, to: NodeId, depth: usize) -> Option<Tree> {
    if let [arc] = arcs {
        return Some(Tree::Arc(*arc));
    }
    let depth = depth.checked_sub(1)?;
    let first = from.index();
    let mut component: Vec<usize> = (0..=to.index() - first).collect();
    fn root(component: &mut [usize], mut node: usize) -> usize {
        while component[node] != node {
            component[node] = component[component[node]];
            node = component[node];
        }
        node
    }
    for &id in arcs {
        let arc = command.arc(id);
        if arc.source != from && arc.target != to {
            let left = root(&mut component, arc.source.index() - first);
            let right = root(&mut component, arc.target.index() - first);
            component[left.max(right)] = left.min(right);
        }
    }
    // Pieces in the order of their first arcs.
    let mut pieces: Vec<Vec<ArcId>> = Vec::new();
    let mut piece_of: Vec<Option<usize>> = vec![None; component.len()];
    for &id in arcs {
        let arc = command.arc(id);
        let inner = if arc.source != from { arc.source } else { arc.target };
        if inner == to {
            pieces.push(vec![id]);
            continue;
        }
        let root = root(&mut component, inner.index() - first);
        let piece = *piece_of[root].get_or_insert_with(|| {
            pieces.push(Vec::new());
            pieces.len() - 1
        });
        pieces[piece].push(id);
    }
    if pieces.len() < 2 {
        return None;
    }
    let parts: Option<Vec<Tree>> =
        pieces.iter().map(|piece| sequence(command, piece, from, to, depth)).collect();
    parts.map(Tree::Choice)
}

fn rebuild(command: &Command, tree: &Tree) -> Command {
    match tree {
        Tree::Arc(arc) => Command::basic(command.arc(*arc).basic, Span::default()),
        Tree::Sequence(parts) => {
            let parts: Vec<Command> = parts.iter().map(|part| rebuild(command, part)).collect();
            Command::sequence(&parts)
        }
        Tree::Choice(parts) => {
            let parts: Vec<Command> = parts.iter().map(|part| rebuild(command, part)).collect();
            Command::choice(&parts, Span::default())
        }
    }
}
