//! Conditions of nodes as lists of conjuncts with shared fronts.
//!
//! A list is a node of a tree: its parent is the list without the last conjunct. Of several lists, the common
//! front is their lowest common ancestor, and what remains is the tree below it. The disjunction of what
//! remains is built along that tree, so each conjunct occurs once in it.

use nilas_term::{Arena, Term};

/// A list of conjuncts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ConditionId(u32);

#[derive(Clone, Copy, Debug)]
struct Entry {
    parent: ConditionId,
    depth: u32,
    conjunct: Term,
}

/// The tree of lists.
#[derive(Clone, Debug, Default)]
pub(crate) struct Conditions {
    /// Entry `i` is the list with id `i + 1`; the empty list has none.
    entries: Vec<Entry>,
}

/// The meeting of several lists that exclude each other.
#[derive(Clone, Debug)]
pub(crate) struct Join {
    /// The condition that one of them holds.
    pub(crate) condition: ConditionId,
    tree: Vec<Branch>,
}

/// A node of the tree of what remains after the common front; children follow their parents.
#[derive(Clone, Debug)]
struct Branch {
    /// When the execution comes through here and meets, given that it came through the parent.
    condition: Option<Term>,
    /// Which of the lists end here.
    lists: Vec<usize>,
    children: Vec<usize>,
}

impl Conditions {
    /// The empty list, which is true.
    pub(crate) const ROOT: ConditionId = ConditionId(0);

    fn entry(&self, id: ConditionId) -> Option<Entry> {
        (id.0 > 0).then(|| self.entries[id.0 as usize - 1])
    }

    fn depth(&self, id: ConditionId) -> u32 {
        self.entry(id).map_or(0, |entry| entry.depth)
    }

    /// The list with one more conjunct at its end.
    pub(crate) fn extend(&mut self, arena: &Arena, parent: ConditionId, conjunct: Term) -> ConditionId {
        if arena.as_bool(conjunct) == Some(true) {
            return parent;
        }
        let depth = self.depth(parent) + 1;
        self.entries.push(Entry { parent, depth, conjunct });
        ConditionId(u32::try_from(self.entries.len()).expect("fewer than 2^32 arcs in a command"))
    }

    /// A term simplified in a place where the list holds: true or false where one of the last conjuncts
    /// says so.
    pub(crate) fn under(&self, arena: &mut Arena, mut id: ConditionId, term: Term) -> Term {
        // A bound, so that long commands stay linear.
        const FARTHEST: usize = 64;
        if arena.as_bool(term).is_some() {
            return term;
        }
        let negation = arena.not(term);
        for _ in 0..FARTHEST {
            let Some(entry) = self.entry(id) else { break };
            if entry.conjunct == term {
                return arena.mk_true();
            }
            if entry.conjunct == negation {
                return arena.mk_false();
            }
            id = entry.parent;
        }
        term
    }

    /// The conjuncts of a list behind a front of it, last first.
    pub(crate) fn conjuncts(&self, mut id: ConditionId, front: ConditionId) -> Vec<Term> {
        let mut conjuncts = Vec::new();
        while id != front {
            let Some(entry) = self.entry(id) else { break };
            conjuncts.push(entry.conjunct);
            id = entry.parent;
        }
        conjuncts
    }

    fn common_front(&self, ids: &[ConditionId]) -> ConditionId {
        let mut front = ids.first().copied().unwrap_or(Self::ROOT);
        for &id in ids {
            let mut other = id;
            while front != other {
                // The larger id is never an ancestor of the smaller.
                let deeper = if front > other { &mut front } else { &mut other };
                *deeper = self.entry(*deeper).map_or(Self::ROOT, |entry| entry.parent);
            }
        }
        front
    }

    /// Where several lists meet that exclude each other.
    pub(crate) fn join(&mut self, arena: &mut Arena, ids: &[ConditionId]) -> Join {
        let front = self.common_front(ids);
        let (mut tree, entries) = self.remaining(ids, front);
        // Children before parents: the disjunction of what remains, each conjunct once.
        let mut meets: Vec<Term> = vec![arena.mk_false(); tree.len()];
        for index in (0..tree.len()).rev() {
            let mut ways: Vec<Term> = tree[index].children.iter().map(|&child| meets[child]).collect();
            if !tree[index].lists.is_empty() {
                ways.push(arena.mk_true());
            }
            let below = arena.or(&ways);
            let conjunct = self.entry(entries[index]).map(|entry| entry.conjunct);
            meets[index] = match conjunct {
                Some(conjunct) if index > 0 => arena.and(&[conjunct, below]),
                _ => below,
            };
            tree[index].condition = Some(meets[index]);
        }
        Join { condition: self.extend(arena, front, meets[0]), tree }
    }

    /// The tree below the common front, with the lists that its nodes stand for.
    fn remaining(&self, ids: &[ConditionId], front: ConditionId) -> (Vec<Branch>, Vec<ConditionId>) {
        let mut entries: Vec<ConditionId> = vec![front];
        for &id in ids {
            let mut id = id;
            while id != front {
                entries.push(id);
                id = self.entry(id).map_or(front, |entry| entry.parent);
            }
        }
        // Ids grow from parent to child, so this is parents first.
        entries.sort_unstable();
        entries.dedup();
        let position = |id: ConditionId| entries.binary_search(&id).unwrap_or(0);
        let empty = Branch { condition: None, lists: Vec::new(), children: Vec::new() };
        let mut tree = vec![empty; entries.len()];
        for (list, &id) in ids.iter().enumerate() {
            tree[position(id)].lists.push(list);
        }
        for (index, &id) in entries.iter().enumerate().skip(1) {
            let parent = self.entry(id).map_or(front, |entry| entry.parent);
            tree[position(parent)].children.push(index);
        }
        (tree, entries)
    }
}

impl Join {
    /// The value of the list that holds: `values[i]` for list `i`.
    pub(crate) fn select(&self, arena: &mut Arena, values: &[Term]) -> Term {
        let mut chosen: Vec<Option<Term>> = vec![None; self.tree.len()];
        for (index, branch) in self.tree.iter().enumerate().rev() {
            // A list that ends here excludes all that go on, and several that end here exclude each other,
            // unless they are the same execution: any of them will do. What goes on is asked first.
            let mut value = branch.lists.first().map(|&list| values[list]);
            for &child in branch.children.iter().rev() {
                value = match (self.tree[child].condition, chosen[child], value) {
                    (_, below, None) => below,
                    (_, Some(below), Some(rest)) if below == rest => Some(rest),
                    (Some(condition), Some(below), Some(rest)) => Some(arena.ite(condition, below, rest)),
                    (_, _, rest) => rest,
                };
            }
            chosen[index] = value;
        }
        chosen[0].unwrap_or(values[0])
    }
}
