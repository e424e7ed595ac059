//! Commands as trees of sequences and choices, where they are such trees.
//!
//! A flow graph falls apart at the nodes that every path passes, and between two of those into the pieces
//! that share no inner node. The tree is used only if building it again gives the very same graph, so that
//! node and arc numbers survive printing and parsing.

use crate::command::Command;
use crate::ids::{ArcId, NodeId};
use crate::source::Span;

/// A command as a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Tree {
    Arc(ArcId),
    Sequence(Vec<Tree>),
    Choice(Vec<Tree>),
}

impl Tree {
    /// The arcs in the order of the text.
    pub(crate) fn arcs(&self) -> Vec<ArcId> {
        let mut arcs = Vec::new();
        let mut stack = vec![self];
        while let Some(tree) = stack.pop() {
            match tree {
                Tree::Arc(arc) => arcs.push(*arc),
                Tree::Sequence(parts) | Tree::Choice(parts) => stack.extend(parts.iter().rev()),
            }
        }
        arcs
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::{Arc, Basic};

    fn skip() -> Command {
        Command::basic(Basic::Skip, Span::default())
    }

    #[test]
    fn trees_are_found_again() {
        let branch = Command::sequence(&[skip(), skip()]);
        let diamond = Command::choice(&[branch.clone(), skip()], Span::default());
        let whole = Command::sequence(&[
            skip(),
            diamond.clone(),
            Command::choice(&[diamond, branch], Span::default()),
        ]);
        let Some(Tree::Sequence(parts)) = tree_of(&whole) else { panic!("a sequence") };
        assert_eq!(parts.len(), 3);
        assert!(matches!(parts[0], Tree::Arc(_)) && matches!(&parts[1], Tree::Choice(two) if two.len() == 2));
        // A choice inside of a choice is one choice of three.
        assert!(matches!(&parts[2], Tree::Choice(three) if three.len() == 3), "{:?}", parts[2]);
    }

    #[test]
    fn other_graphs_stay_graphs() {
        let arc = |source, target| Arc {
            source: NodeId::new(source),
            target: NodeId::new(target),
            basic: Basic::Skip,
            span: Span::default(),
            origin: None,
        };
        let bridge = Command::from_arcs(4, vec![arc(0, 1), arc(0, 2), arc(1, 2), arc(1, 3), arc(2, 3)])
            .expect("a graph");
        assert_eq!(tree_of(&bridge), None);
        // Numbered differently from what a choice would number it.
        let swapped = vec![arc(0, 3), arc(0, 2), arc(0, 1), arc(1, 4), arc(2, 4), arc(3, 4)];
        assert_eq!(tree_of(&Command::from_arcs(5, swapped).expect("a graph")), None);
        assert_eq!(tree_of(&Command::skip()), Some(Tree::Sequence(Vec::new())));
    }
}
