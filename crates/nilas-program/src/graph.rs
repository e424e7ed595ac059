//! The automaton as a graph: neighbours, distances, reachability, cycles.
//!
//! Everything here is iterative and deterministic: edges are visited in the automaton's order.

use crate::automaton::Automaton;
use crate::ids::{EdgeId, LocationId};

/// Edges by their ends.
#[derive(Clone, Debug)]
pub struct Graph {
    outgoing: Vec<Vec<EdgeId>>,
    incoming: Vec<Vec<EdgeId>>,
    sources: Vec<LocationId>,
    targets: Vec<LocationId>,
}

/// A set of locations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocationSet {
    members: Vec<bool>,
}

impl LocationSet {
    /// Whether a location is in it.
    #[must_use]
    pub fn contains(&self, location: LocationId) -> bool {
        self.members[location.index()]
    }

    /// The locations, by id.
    pub fn iter(&self) -> impl Iterator<Item = LocationId> + '_ {
        self.members
            .iter()
            .enumerate()
            .filter(|(_, member)| **member)
            .map(|(index, _)| LocationId::new(index))
    }

    /// The locations that are in both.
    #[must_use]
    pub fn intersection(&self, other: &LocationSet) -> LocationSet {
        let both = self.members.iter().zip(&other.members).map(|(left, right)| *left && *right);
        LocationSet { members: both.collect() }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Colour {
    White,
    Grey,
    Black,
}

impl Graph {
    /// The graph of an automaton.
    #[must_use]
    pub fn new(automaton: &Automaton) -> Self {
        let ends = automaton.edges.iter().map(|edge| (edge.source, edge.target));
        Graph::of_edges(automaton.locations.len(), ends)
    }

    /// A graph with that many locations and these edges, which are numbered as they come.
    #[must_use]
    pub fn of_edges(locations: usize, ends: impl IntoIterator<Item = (LocationId, LocationId)>) -> Self {
        let (sources, targets): (Vec<LocationId>, Vec<LocationId>) = ends.into_iter().unzip();
        let mut outgoing = vec![Vec::new(); locations];
        let mut incoming = vec![Vec::new(); locations];
        for (index, (source, target)) in sources.iter().zip(&targets).enumerate() {
            outgoing[source.index()].push(EdgeId::new(index));
            incoming[target.index()].push(EdgeId::new(index));
        }
        Graph { outgoing, incoming, sources, targets }
    }

    /// The edges that leave a location.
    #[must_use]
    pub fn outgoing(&self, location: LocationId) -> &[EdgeId] {
        &self.outgoing[location.index()]
    }

    /// The edges that lead to a location.
    #[must_use]
    pub fn incoming(&self, location: LocationId) -> &[EdgeId] {
        &self.incoming[location.index()]
    }

    /// The targets of the edges that leave a location, with repetitions.
    pub fn successors(&self, location: LocationId) -> impl Iterator<Item = LocationId> + '_ {
        self.outgoing(location).iter().map(|edge| self.targets[edge.index()])
    }

    /// The sources of the edges that lead to a location, with repetitions.
    pub fn predecessors(&self, location: LocationId) -> impl Iterator<Item = LocationId> + '_ {
        self.incoming(location).iter().map(|edge| self.sources[edge.index()])
    }

    /// The least number of edges from a location to each, if there is a way.
    #[must_use]
    pub fn distances(&self, from: LocationId) -> Vec<Option<u32>> {
        let mut distances = vec![None; self.outgoing.len()];
        distances[from.index()] = Some(0);
        let mut layer = vec![from];
        let mut distance = 0;
        while !layer.is_empty() {
            distance += 1;
            let mut next = Vec::new();
            for location in layer {
                for successor in self.successors(location) {
                    if distances[successor.index()].is_none() {
                        distances[successor.index()] = Some(distance);
                        next.push(successor);
                    }
                }
            }
            layer = next;
        }
        distances
    }

    /// The locations that can be got to from one of these, by the graph alone.
    #[must_use]
    pub fn reachable(&self, from: impl IntoIterator<Item = LocationId>) -> LocationSet {
        self.closure(from, |location, visit| self.successors(location).for_each(visit))
    }

    /// The locations from which one can get to one of these, by the graph alone.
    #[must_use]
    pub fn co_reachable(&self, to: impl IntoIterator<Item = LocationId>) -> LocationSet {
        self.closure(to, |location, visit| self.predecessors(location).for_each(visit))
    }

    /// The locations on some way from the entry to a sink, by the graph alone. Nothing else can matter.
    #[must_use]
    pub fn relevant(&self, automaton: &Automaton) -> LocationSet {
        self.reachable([automaton.entry]).intersection(&self.co_reachable(automaton.sinks()))
    }

    fn closure(
        &self,
        seeds: impl IntoIterator<Item = LocationId>,
        neighbours: impl Fn(LocationId, &mut dyn FnMut(LocationId)),
    ) -> LocationSet {
        let mut members = vec![false; self.outgoing.len()];
        let mut stack: Vec<LocationId> = seeds.into_iter().collect();
        for seed in &stack {
            members[seed.index()] = true;
        }
        while let Some(location) = stack.pop() {
            neighbours(location, &mut |neighbour| {
                if !members[neighbour.index()] {
                    members[neighbour.index()] = true;
                    stack.push(neighbour);
                }
            });
        }
        LocationSet { members }
    }

    /// Depth-first search inside a region: the locations in postorder, and the targets of back edges in order
    /// of their ids. Every cycle inside the region that can be got to from the roots has a back edge.
    fn search(
        &self,
        roots: &[LocationId],
        inside: impl Fn(LocationId) -> bool,
    ) -> (Vec<LocationId>, Vec<LocationId>) {
        let mut colours = vec![Colour::White; self.outgoing.len()];
        let (mut postorder, mut heads) = (Vec::new(), Vec::new());
        for &root in roots {
            if colours[root.index()] != Colour::White || !inside(root) {
                continue;
            }
            colours[root.index()] = Colour::Grey;
            let mut stack = vec![(root, 0)];
            while let Some((location, next)) = stack.last_mut() {
                let Some(edge) = self.outgoing[location.index()].get(*next) else {
                    colours[location.index()] = Colour::Black;
                    postorder.push(*location);
                    stack.pop();
                    continue;
                };
                *next += 1;
                let target = self.targets[edge.index()];
                match colours[target.index()] {
                    Colour::Grey => heads.push(target),
                    Colour::White if inside(target) => {
                        colours[target.index()] = Colour::Grey;
                        stack.push((target, 0));
                    }
                    Colour::White | Colour::Black => {}
                }
            }
        }
        heads.sort_unstable();
        heads.dedup();
        (postorder, heads)
    }

    /// The targets of the back edges of a depth-first search from a location, inside a region: at least one
    /// location of every cycle that can be got to.
    #[must_use]
    pub fn loop_heads(&self, from: LocationId, inside: impl Fn(LocationId) -> bool) -> Vec<LocationId> {
        self.search(&[from], inside).1
    }

    /// The locations that can be got to, each before its successors except along back edges.
    #[must_use]
    pub fn reverse_postorder(&self, from: LocationId) -> Vec<LocationId> {
        let (mut order, _) = self.search(&[from], |_| true);
        order.reverse();
        order
    }

    /// The locations that lie on a cycle inside a region: members of strongly connected components that have
    /// an edge inside (Tarjan's algorithm).
    #[must_use]
    pub fn on_cycles(&self, inside: impl Fn(LocationId) -> bool) -> LocationSet {
        const UNSEEN: u32 = u32::MAX;
        let count = self.outgoing.len();
        let mut members = vec![false; count];
        let (mut number, mut low) = (vec![UNSEEN; count], vec![0_u32; count]);
        let (mut waiting, mut is_waiting) = (Vec::new(), vec![false; count]);
        let mut next_number = 0;
        for root in (0..count).map(LocationId::new).filter(|&root| inside(root)) {
            let mut stack: Vec<(LocationId, usize)> = Vec::new();
            if number[root.index()] == UNSEEN {
                stack.push((root, 0));
            }
            while let Some((location, next)) = stack.last_mut() {
                let (index, location) = (location.index(), *location);
                if *next == 0 {
                    number[index] = next_number;
                    low[index] = next_number;
                    next_number += 1;
                    waiting.push(location);
                    is_waiting[index] = true;
                }
                if let Some(edge) = self.outgoing[index].get(*next) {
                    *next += 1;
                    let target = self.targets[edge.index()];
                    if !inside(target) {
                        continue;
                    }
                    members[index] |= target == location;
                    if number[target.index()] == UNSEEN {
                        stack.push((target, 0));
                    } else if is_waiting[target.index()] {
                        low[index] = low[index].min(number[target.index()]);
                    }
                    continue;
                }
                if low[index] == number[index] {
                    let first = waiting.iter().rposition(|&other| other == location).unwrap_or(0);
                    let component = waiting.split_off(first);
                    let cyclic = component.len() > 1;
                    for member in component {
                        is_waiting[member.index()] = false;
                        members[member.index()] |= cyclic;
                    }
                }
                stack.pop();
                if let Some((parent, _)) = stack.last() {
                    low[parent.index()] = low[parent.index()].min(low[index]);
                }
            }
        }
        LocationSet { members }
    }

    /// The locations of a region such that edges inside it lead forwards; `None` if it has a cycle.
    #[must_use]
    pub fn topological_order(
        &self,
        roots: &[LocationId],
        inside: impl Fn(LocationId) -> bool,
    ) -> Option<Vec<LocationId>> {
        let (mut order, heads) = self.search(roots, inside);
        order.reverse();
        heads.is_empty().then_some(order)
    }
}

/// The entry and at least one location of every cycle, by id: where formulas of an invariant must stand.
/// Cycles that cannot be got to from the entry are covered as well.
#[must_use]
pub fn cutset(automaton: &Automaton) -> Vec<LocationId> {
    let graph = Graph::new(automaton);
    let roots: Vec<LocationId> = std::iter::once(automaton.entry).chain(automaton.location_ids()).collect();
    let (_, mut cuts) = graph.search(&roots, |_| true);
    cuts.push(automaton.entry);
    cuts.sort_unstable();
    cuts.dedup();
    cuts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_program;

    /// An automaton of these edges, from `a` to `e`.
    fn automaton(edges: &str) -> Automaton {
        let text = format!("entry a\nerror e\nlocation a, b, c, d, e, f\n{edges}");
        parse_program(&text).unwrap_or_else(|errors| panic!("{}", errors[0].render("edges", &text))).automaton
    }

    fn names(automaton: &Automaton, locations: impl IntoIterator<Item = LocationId>) -> String {
        locations.into_iter().map(|location| &automaton.location(location).name[..]).collect()
    }

    #[test]
    fn distances_and_reachability() {
        let automaton = automaton("a -> b b -> c c -> b a -> c c -> d f -> e");
        let graph = Graph::new(&automaton);
        let distances = graph.distances(automaton.entry);
        assert_eq!(distances, [Some(0), Some(1), Some(1), Some(2), None, None]);
        assert_eq!(names(&automaton, graph.reachable([automaton.entry]).iter()), "abcd");
        assert_eq!(names(&automaton, graph.co_reachable([automaton.error]).iter()), "ef");
        let c = LocationId::new(2);
        assert_eq!(names(&automaton, graph.successors(c)), "bd");
        assert_eq!(names(&automaton, graph.predecessors(c)), "ba");
    }

    #[test]
    fn every_cycle_is_cut() {
        let check = |edges: &str, cuts: &str| {
            let automaton = automaton(edges);
            let found = cutset(&automaton);
            assert_eq!(names(&automaton, found.iter().copied()), cuts, "{edges}");
            // Without the cuts no cycle is left.
            let all: Vec<LocationId> = automaton.location_ids().collect();
            let order = Graph::new(&automaton).topological_order(&all, |location| !found.contains(&location));
            assert!(order.is_some(), "{edges}");
        };
        check("a -> b b -> e", "a");
        check("a -> b b -> b", "ab");
        check("a -> b b -> c c -> b c -> d d -> c d -> e", "abc");
        // Two ways into a cycle, and a cycle that nothing leads to.
        check("a -> b a -> c b -> c c -> b", "ab");
        check("a -> e f -> f", "af");
    }

    #[test]
    fn locations_on_cycles() {
        let check = |edges: &str, without: usize, expected: &str| {
            let automaton = automaton(edges);
            let graph = Graph::new(&automaton);
            let found = graph.on_cycles(|location| location.index() != without);
            assert_eq!(names(&automaton, found.iter()), expected, "{edges}");
        };
        check("a -> b b -> c c -> b c -> d d -> e", 9, "bc");
        check("a -> b b -> c c -> b c -> d d -> e", 1, "");
        check("a -> b b -> b b -> c c -> d d -> c d -> e", 9, "bcd");
        check("a -> b b -> c c -> d d -> b c -> f f -> c f -> e", 1, "cf");
        check("a -> b a -> c b -> c c -> b c -> e", 0, "bc");
    }

    #[test]
    fn topological_orders() {
        let automaton = automaton("a -> c a -> b c -> b b -> d c -> d d -> e");
        let graph = Graph::new(&automaton);
        let order = graph.topological_order(&[automaton.entry], |_| true).expect("no cycle");
        assert_eq!(names(&automaton, order), "acbde");
        let part =
            graph.topological_order(&[automaton.entry], |location| location.index() != 2).expect("no cycle");
        assert_eq!(names(&automaton, part), "abde");
    }
}
