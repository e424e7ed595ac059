//! A graph on paper, in layers (Sugiyama, Tagawa, Toda 1981): cycles are broken by a search from the first
//! node, layers are longest paths, arrows over several layers get bends, crossings are reduced by barycentres,
//! and nodes are moved towards their neighbours. Between two layers of nodes lies one of labels (as Graphviz has
//! it), so that labels lie apart from each other, too.

use super::graph::Graph;
use std::collections::BTreeMap;

/// The height of a node, and the widths of a character and of the space around a text.
pub(super) const HEIGHT: f64 = 40.0;
const CHARACTER: f64 = 7.6;
const PADDING: f64 = 22.0;
/// A character and a line of a label.
const SMALL: f64 = 6.8;
pub(super) const LINE: f64 = 14.0;
/// Between neighbours in a layer, between layers, and around the drawing.
const APART: f64 = 16.0;
const GAP: f64 = 18.0;
const MARGIN: f64 = 14.0;
/// Half of the width of a bend.
const BEND: f64 = 5.0;
/// How far a loop at a node reaches, and how far arrows back leave and arrive beside the others.
const LOOP: f64 = 26.0;
const ASIDE: f64 = 12.0;
/// How often orders and places are improved.
const SWEEPS: usize = 12;

/// Where everything is.
#[derive(Debug, Default)]
pub(super) struct Layout {
    pub(super) width: f64,
    pub(super) height: f64,
    /// Middle of the upper edge, and width, node by node.
    pub(super) nodes: Vec<(f64, f64, f64)>,
    /// Points of each arrow from its start to its end.
    pub(super) arrows: Vec<Vec<(f64, f64)>>,
    /// Where the label of each arrow stands: the left end and the middle.
    pub(super) labels: Vec<(f64, f64)>,
}

/// A node of a layer: one of the graph, a label of an arrow, or a bend. Nodes lie in even layers.
struct Cell {
    layer: usize,
    x: f64,
    /// How far it reaches.
    left: f64,
    right: f64,
    /// Neighbours in the layers above and below.
    up: Vec<usize>,
    down: Vec<usize>,
}

impl Cell {
    fn new(layer: usize, left: f64, right: f64) -> Cell {
        Cell { layer, x: 0.0, left, right, up: Vec::new(), down: Vec::new() }
    }
}

impl Layout {
    pub(super) fn new(graph: &Graph) -> Layout {
        let count = graph.nodes.len();
        let ends: Vec<(usize, usize)> = graph.arrows.iter().map(|arrow| (arrow.from, arrow.to)).collect();
        let back = back_arrows(count, &ends);
        let layer = layers(count, &ends, &back);
        let long = |arrow: usize| {
            let longest = graph.arrows[arrow].label.iter().map(|line| line.chars().count()).max();
            longest.unwrap_or(0) as f64 * SMALL
        };
        let widths: Vec<f64> = graph
            .nodes
            .iter()
            .map(|node| node.name.chars().count().max(6) as f64 * CHARACTER + PADDING)
            .collect();
        let mut cells: Vec<Cell> = (0..count)
            .map(|node| {
                let own = ends.iter().position(|&it| it == (node, node));
                let beside = own.map_or(0.0, |arrow| LOOP + long(arrow));
                Cell::new(2 * layer[node], widths[node] / 2.0, widths[node] / 2.0 + beside)
            })
            .collect();
        // The cells that an arrow passes, from the upper to the lower end, and the one that is its label.
        let mut chains: Vec<(Vec<usize>, usize)> = Vec::new();
        let mut lines = vec![0; 2 * layer.iter().max().map_or(0, |last| last + 1)];
        for (arrow, &(from, to)) in ends.iter().enumerate() {
            let (upper, lower) = if back[arrow] { (to, from) } else { (from, to) };
            let passed = cells[upper].layer + 1..cells[lower].layer;
            // It stands beside where the arrow begins.
            let labelled = if back[arrow] { passed.end.saturating_sub(1) } else { passed.start };
            let (mut chain, mut label) = (vec![upper], upper);
            for layer in passed {
                let beside = if layer == labelled { long(arrow) } else { 0.0 };
                cells.push(Cell::new(layer, BEND, BEND + beside));
                chain.push(cells.len() - 1);
                if layer == labelled {
                    label = cells.len() - 1;
                    lines[layer] = graph.arrows[arrow].label.len().max(lines[layer]);
                }
            }
            if upper != lower {
                chain.push(lower);
            }
            for pair in chain.windows(2) {
                cells[pair[0]].down.push(pair[1]);
                cells[pair[1]].up.push(pair[0]);
            }
            chains.push((chain, label));
        }
        place(&mut cells);
        let least = cells.iter().map(|cell| cell.x - cell.left).fold(f64::INFINITY, f64::min);
        let shift = if least.is_finite() { MARGIN - least } else { 0.0 };
        for cell in &mut cells {
            cell.x += shift;
        }
        let bands = bands(&lines);
        let top = |cell: &Cell| bands[cell.layer].0;
        let nodes = (0..count).map(|node| (cells[node].x, top(&cells[node]), widths[node])).collect();
        let mut layout = Layout { nodes, ..Layout::default() };
        for (arrow, (chain, label)) in chains.iter().enumerate() {
            let (from, to) = ends[arrow];
            if from == to {
                let (x, top, width) = layout.nodes[from];
                let right = x + width / 2.0;
                let (low, middle, high) = (top + HEIGHT * 0.75, top + HEIGHT / 2.0, top + HEIGHT * 0.25);
                layout.arrows.push(vec![(right, low), (right + LOOP, middle), (right, high)]);
                layout.labels.push((right + LOOP - 2.0, middle));
                continue;
            }
            let mut points: Vec<(f64, f64)> = Vec::new();
            for (number, &cell) in chain.iter().enumerate() {
                let (top, height) = bands[cells[cell].layer];
                if number > 0 {
                    points.push((cells[cell].x, top));
                }
                if number + 1 < chain.len() {
                    points.push((cells[cell].x, top + height));
                }
            }
            if back[arrow] {
                points.reverse();
                let last = points.len() - 1;
                points[0].0 += ASIDE;
                points[last].0 += ASIDE;
            }
            let (above, height) = bands[cells[*label].layer];
            layout.labels.push((cells[*label].x + BEND, above + height / 2.0));
            layout.arrows.push(points);
        }
        layout.width = cells.iter().map(|cell| cell.x + cell.right).fold(0.0, f64::max) + MARGIN;
        layout.height = cells.iter().map(|cell| top(cell) + HEIGHT).fold(0.0, f64::max) + MARGIN;
        layout
    }
}

/// The upper edge and the height of each layer: those of nodes are even, those of labels odd.
fn bands(lines: &[usize]) -> Vec<(f64, f64)> {
    let mut top = MARGIN;
    let band = |(layer, &lines): (usize, &usize)| {
        let height = if layer.is_multiple_of(2) { HEIGHT } else { LINE * lines as f64 };
        let here = (top, height);
        top += height + GAP;
        here
    };
    lines.iter().enumerate().map(band).collect()
}

/// The arrows that lead back in a depth-first search.
fn back_arrows(count: usize, ends: &[(usize, usize)]) -> Vec<bool> {
    let mut outgoing: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (arrow, &(from, _)) in ends.iter().enumerate() {
        outgoing[from].push(arrow);
    }
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let mut marks = vec![Mark::New; count];
    let mut back = vec![false; ends.len()];
    for root in 0..count {
        if marks[root] != Mark::New {
            continue;
        }
        marks[root] = Mark::Open;
        let mut stack = vec![(root, 0)];
        while let Some((node, next)) = stack.pop() {
            let Some(&arrow) = outgoing[node].get(next) else {
                marks[node] = Mark::Done;
                continue;
            };
            stack.push((node, next + 1));
            let target = ends[arrow].1;
            match marks[target] {
                Mark::New => {
                    marks[target] = Mark::Open;
                    stack.push((target, 0));
                }
                Mark::Open => back[arrow] = true,
                Mark::Done => {}
            }
        }
    }
    back
}

/// The longest way to each node that takes no arrow back.
fn layers(count: usize, ends: &[(usize, usize)], back: &[bool]) -> Vec<usize> {
    let mut layer = vec![0; count];
    // Without the arrows back there is no cycle, so that this ends.
    for _ in 0..count {
        let mut changed = false;
        for (&(from, to), _) in ends.iter().zip(back).filter(|(_, back)| !**back) {
            if layer[to] <= layer[from] {
                layer[to] = layer[from] + 1;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    layer
}

/// Orders the cells of each layer and gives them their places.
fn place(cells: &mut [Cell]) {
    let depth = cells.iter().map(|cell| cell.layer + 1).max().unwrap_or(0);
    let mut rows: Vec<Vec<usize>> = vec![Vec::new(); depth];
    for (number, cell) in cells.iter().enumerate() {
        rows[cell.layer].push(number);
    }
    for sweep in 0..SWEEPS {
        let downwards = sweep % 2 == 0;
        let order: Vec<usize> = if downwards { (0..depth).collect() } else { (0..depth).rev().collect() };
        for layer in order {
            let rank: BTreeMap<usize, usize> =
                rows.iter().flat_map(|row| row.iter().enumerate().map(|(at, &cell)| (cell, at))).collect();
            let centre = |cell: usize| {
                let near = if downwards { &cells[cell].up } else { &cells[cell].down };
                match near.len() {
                    0 => rank[&cell] as f64,
                    count => near.iter().map(|other| rank[other] as f64).sum::<f64>() / count as f64,
                }
            };
            let mut row: Vec<(f64, usize)> = rows[layer].iter().map(|&cell| (centre(cell), cell)).collect();
            row.sort_by(|one, other| one.0.total_cmp(&other.0));
            rows[layer] = row.into_iter().map(|(_, cell)| cell).collect();
        }
    }
    for row in &rows {
        let mut x = 0.0;
        for &cell in row {
            cells[cell].x = x + cells[cell].left;
            x += cells[cell].left + cells[cell].right + APART;
        }
        for &cell in row {
            cells[cell].x -= x / 2.0;
        }
    }
    for _ in 0..SWEEPS {
        for row in rows.iter().chain(rows.iter().rev()) {
            settle(cells, row);
        }
    }
}

/// Moves the cells of a row towards their neighbours, in their order and apart from each other.
fn settle(cells: &mut [Cell], row: &[usize]) {
    let wish = |cell: &Cell| {
        let near: Vec<f64> = cell.up.iter().chain(&cell.down).map(|&other| cells[other].x).collect();
        if near.is_empty() { cell.x } else { near.iter().sum::<f64>() / near.len() as f64 }
    };
    let wishes: Vec<f64> = row.iter().map(|&cell| wish(&cells[cell])).collect();
    let gap = |one: usize, other: usize| cells[row[one]].right + cells[row[other]].left + APART;
    // From the left and from the right, and between the two.
    let (mut left, mut right) = (wishes.clone(), wishes);
    for at in 1..row.len() {
        left[at] = left[at].max(left[at - 1] + gap(at - 1, at));
    }
    for at in (0..row.len().saturating_sub(1)).rev() {
        right[at] = right[at].min(right[at + 1] - gap(at, at + 1));
    }
    for (at, &cell) in row.iter().enumerate() {
        cells[cell].x = f64::midpoint(left[at], right[at]);
    }
}

#[cfg(test)]
mod tests {
    use super::super::graph::{Arrow, Kind, Node};
    use super::*;

    fn graph(count: usize, ends: &[(usize, usize)]) -> Graph {
        let node = |number: usize| Node {
            locations: Vec::new(),
            name: format!("node {number}"),
            kind: Kind::Plain,
            at: None,
            line: String::new(),
        };
        let arrow = |&(from, to): &(usize, usize)| {
            let label = vec!["a label".to_owned(); (from + to) % 3];
            Arrow { from, to, label, lines: Vec::new() }
        };
        let (nodes, arrows) = ((0..count).map(node).collect(), ends.iter().map(arrow).collect());
        Graph { nodes, arrows, ..Graph::default() }
    }

    /// No two nodes or labels lie on each other, everything lies on the paper, and arrows begin and end at their
    /// nodes.
    fn check(count: usize, ends: &[(usize, usize)]) -> Layout {
        let graph = graph(count, ends);
        let layout = Layout::new(&graph);
        let label = |arrow: usize| {
            let ((left, middle), lines) = (layout.labels[arrow], graph.arrows[arrow].label.len() as f64);
            (left, left + 7.0 * SMALL, middle - lines * LINE / 2.0, middle + lines * LINE / 2.0)
        };
        for one in (0..ends.len()).filter(|&arrow| !graph.arrows[arrow].label.is_empty()) {
            let (left, right, top, bottom) = label(one);
            assert!(
                left >= 0.0 && right <= layout.width && top >= 0.0 && bottom <= layout.height,
                "{layout:?}"
            );
            for other in (0..one).filter(|&arrow| !graph.arrows[arrow].label.is_empty()) {
                let (start, end, above, below) = label(other);
                assert!(right <= start || end <= left || bottom <= above || below <= top, "{layout:?}");
            }
        }
        for (one, &(x, top, width)) in layout.nodes.iter().enumerate() {
            assert!(x - width / 2.0 >= 0.0 && x + width / 2.0 <= layout.width, "{layout:?}");
            assert!(top >= 0.0 && top + HEIGHT <= layout.height, "{layout:?}");
            for &(other, above, wide) in &layout.nodes[..one] {
                let apart = (x - other).abs() >= (width + wide) / 2.0 || (top - above).abs() >= HEIGHT;
                assert!(apart, "{layout:?}");
            }
        }
        for (&(from, to), points) in ends.iter().zip(&layout.arrows) {
            let near = |node: usize, (x, y): (f64, f64)| {
                let (middle, top, width) = layout.nodes[node];
                (x - middle).abs() <= width / 2.0 + 0.1 && y >= top - 0.1 && y <= top + HEIGHT + 0.1
            };
            assert!(
                points.len() >= 2 && near(from, points[0]) && near(to, points[points.len() - 1]),
                "{points:?}"
            );
        }
        layout
    }

    #[test]
    fn nodes_lie_apart() {
        check(0, &[]);
        check(1, &[(0, 0)]);
        let layout = check(4, &[(0, 1), (1, 1), (1, 2), (2, 1), (1, 3), (2, 3), (0, 3)]);
        let top = |node: usize| layout.nodes[node].1;
        assert!(top(0) < top(1) && top(1) < top(2) && top(2) < top(3));
        // All kinds of graphs, the same each time.
        let mut seed = 7_u64;
        for count in 2..30 {
            let mut ends = Vec::new();
            for _ in 0..2 * count {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let (from, to) = ((seed >> 33) as usize % count, (seed >> 45) as usize % count);
                if !ends.contains(&(from, to)) {
                    ends.push((from, to));
                }
            }
            check(count, &ends);
        }
    }
}
