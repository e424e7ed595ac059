//! A graph on paper, in layers (Sugiyama, Tagawa, Toda 1981): cycles are broken by a search from the first
//! node, layers are longest paths, arrows over several layers get bends, crossings are reduced by barycentres,
//! and nodes are moved towards their neighbours.

use super::graph::Graph;
use std::collections::BTreeMap;

/// The height of a node, and the widths of a character and of the space around a text.
pub(super) const HEIGHT: f64 = 40.0;
const CHARACTER: f64 = 7.6;
const PADDING: f64 = 22.0;
/// Between nodes of a layer, and around the drawing.
const APART: f64 = 26.0;
const MARGIN: f64 = 14.0;
/// Between layers: room for an arrow, and for each line of a label.
const LAYER: f64 = 46.0;
const LINE: f64 = 14.0;
/// How wide a bend is.
const BEND: f64 = 14.0;
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
}

/// A node of a layer: one of the graph, or a bend of an arrow.
struct Cell {
    layer: usize,
    width: f64,
    x: f64,
    /// Neighbours in the layers above and below.
    up: Vec<usize>,
    down: Vec<usize>,
}

impl Layout {
    pub(super) fn new(graph: &Graph) -> Layout {
        let count = graph.nodes.len();
        let ends: Vec<(usize, usize)> = graph.arrows.iter().map(|arrow| (arrow.from, arrow.to)).collect();
        let back = back_arrows(count, &ends);
        let layer = layers(count, &ends, &back);
        let mut cells: Vec<Cell> = (0..count)
            .map(|node| {
                let characters = graph.nodes[node].name.chars().count().max(6);
                let width = characters as f64 * CHARACTER + PADDING;
                Cell { layer: layer[node], width, x: 0.0, up: Vec::new(), down: Vec::new() }
            })
            .collect();
        // The cells that an arrow passes, from the upper to the lower end.
        let mut chains: Vec<Vec<usize>> = Vec::new();
        for (&(from, to), &back) in ends.iter().zip(&back) {
            let (upper, lower) = if back { (to, from) } else { (from, to) };
            let mut chain = vec![upper];
            for layer in cells[upper].layer + 1..cells[lower].layer {
                cells.push(Cell { layer, width: BEND, x: 0.0, up: Vec::new(), down: Vec::new() });
                chain.push(cells.len() - 1);
            }
            if upper != lower {
                chain.push(lower);
            }
            for pair in chain.windows(2) {
                cells[pair[0]].down.push(pair[1]);
                cells[pair[1]].up.push(pair[0]);
            }
            chains.push(chain);
        }
        let rows = rows(&mut cells);
        let tops = tops(graph, &cells, rows.len());
        let least = cells.iter().map(|cell| cell.x - cell.width / 2.0).fold(f64::INFINITY, f64::min);
        let shift = if least.is_finite() { MARGIN - least } else { 0.0 };
        for cell in &mut cells {
            cell.x += shift;
        }
        let nodes = cells[..count].iter().map(|cell| (cell.x, tops[cell.layer], cell.width)).collect();
        let mut layout = Layout { nodes, ..Layout::default() };
        for ((chain, &(from, to)), &back) in chains.iter().zip(&ends).zip(&back) {
            let points = if from == to {
                own_loop(layout.nodes[from])
            } else {
                let mut points: Vec<(f64, f64)> = Vec::new();
                for (number, &cell) in chain.iter().enumerate() {
                    let (x, top) = (cells[cell].x, tops[cells[cell].layer]);
                    if number > 0 {
                        points.push((x, top));
                    }
                    if number + 1 < chain.len() {
                        points.push((x, top + HEIGHT));
                    }
                }
                // Two arrows between the same nodes do not lie on each other.
                let aside = if back { 16.0 } else { 0.0 };
                for point in &mut points {
                    point.0 += aside;
                }
                if back {
                    points.reverse();
                }
                points
            };
            layout.arrows.push(points);
        }
        let right = cells.iter().map(|cell| cell.x + cell.width / 2.0);
        let loops = layout.arrows.iter().flatten().map(|point| point.0);
        // Labels stand beside their arrows.
        let labels = graph.arrows.iter().zip(&layout.arrows).map(|(arrow, points)| {
            let longest = arrow.label.iter().map(|line| line.chars().count()).max().unwrap_or(0);
            label_at(points).0 + longest as f64 * 6.4 + 8.0
        });
        layout.width = right.chain(loops).chain(labels).fold(0.0, f64::max) + MARGIN;
        layout.height = tops.last().map_or(0.0, |top| top + HEIGHT) + MARGIN;
        layout
    }
}

/// Where the label of an arrow stands: beside the middle of its first stretch between layers.
pub(super) fn label_at(points: &[(f64, f64)]) -> (f64, f64) {
    match points {
        [first, second, ..] => ((first.0 + second.0) / 2.0 + 6.0, (first.1 + second.1) / 2.0 + 4.0),
        _ => (0.0, 0.0),
    }
}

/// From the right side of a node to itself.
fn own_loop((x, top, width): (f64, f64, f64)) -> Vec<(f64, f64)> {
    let right = x + width / 2.0;
    vec![(right, top + HEIGHT * 0.75), (right + 26.0, top + HEIGHT / 2.0), (right, top + HEIGHT * 0.25)]
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
fn rows(cells: &mut [Cell]) -> Vec<Vec<usize>> {
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
            cells[cell].x = x + cells[cell].width / 2.0;
            x += cells[cell].width + APART;
        }
        for &cell in row {
            cells[cell].x -= x / 2.0;
        }
    }
    for _ in 0..SWEEPS {
        for row in &rows {
            settle(cells, row);
        }
        for row in rows.iter().rev() {
            settle(cells, row);
        }
    }
    rows
}

/// Moves the cells of a row towards their neighbours, in their order and apart from each other.
fn settle(cells: &mut [Cell], row: &[usize]) {
    let wish = |cell: &Cell| {
        let near: Vec<f64> = cell.up.iter().chain(&cell.down).map(|&other| cells[other].x).collect();
        if near.is_empty() { cell.x } else { near.iter().sum::<f64>() / near.len() as f64 }
    };
    let mut places: Vec<f64> = row.iter().map(|&cell| wish(&cells[cell])).collect();
    let gap = |one: usize, other: usize| (cells[row[one]].width + cells[row[other]].width) / 2.0 + APART;
    // From the left and from the right, and between the two.
    let (mut left, mut right) = (places.clone(), places.clone());
    for at in 1..row.len() {
        left[at] = left[at].max(left[at - 1] + gap(at - 1, at));
    }
    for at in (0..row.len().saturating_sub(1)).rev() {
        right[at] = right[at].min(right[at + 1] - gap(at, at + 1));
    }
    for at in 0..row.len() {
        places[at] = f64::midpoint(left[at], right[at]);
    }
    for (&cell, place) in row.iter().zip(places) {
        cells[cell].x = place;
    }
}

/// The upper edges of layers: labels need room below the nodes that their arrows leave.
fn tops(graph: &Graph, cells: &[Cell], depth: usize) -> Vec<f64> {
    let mut room = vec![0_usize; depth];
    for arrow in &graph.arrows {
        let upper = cells[arrow.from].layer.min(cells[arrow.to].layer);
        room[upper] = room[upper].max(arrow.label.len());
    }
    let mut top = MARGIN;
    room.iter()
        .map(|&lines| {
            let here = top;
            top += HEIGHT + LAYER + LINE * lines.saturating_sub(1) as f64;
            here
        })
        .collect()
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
        let arrow = |&(from, to): &(usize, usize)| Arrow { from, to, label: Vec::new(), lines: Vec::new() };
        let (nodes, arrows) = ((0..count).map(node).collect(), ends.iter().map(arrow).collect());
        Graph { nodes, arrows, ..Graph::default() }
    }

    /// No two nodes lie on each other, everything lies on the paper, and arrows begin and end at their nodes.
    fn check(count: usize, ends: &[(usize, usize)]) -> Layout {
        let layout = Layout::new(&graph(count, ends));
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
            assert!(points.len() >= 2 && near(from, points[0]) && near(to, points[points.len() - 1]), "{points:?}");
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
