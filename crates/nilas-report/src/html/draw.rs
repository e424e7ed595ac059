//! The automaton as a picture.

use super::escape;
use super::graph::{Graph, Kind};
use super::layout::{HEIGHT, LINE, Layout};
use std::fmt::Write;

/// An element `svg`. `counts` says how many lemmas a node has; `id` tells pictures of a page apart.
pub(super) fn svg(graph: &Graph, counts: &[Option<usize>], id: usize) -> String {
    let layout = Layout::new(graph);
    let (width, height) = (layout.width.ceil(), layout.height.ceil());
    let mut out = format!(
        "<svg class=\"automaton\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" \
         aria-label=\"the automaton\">\n<defs><marker id=\"head{id}\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" \
         markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path class=\"head\" d=\"M0 0.5L8 4L0 7.5z\"/></marker></defs>\n"
    );
    // Writing to a string cannot fail, here and below.
    for (number, (arrow, points)) in graph.arrows.iter().zip(&layout.arrows).enumerate() {
        let (path, (x, y)) = (path(points), layout.labels[number]);
        let _ = write!(
            out,
            "<g class=\"arrow\" data-arrow=\"{number}\"><path class=\"hit\" d=\"{path}\"/><path class=\"line\" \
             d=\"{path}\" marker-end=\"url(#head{id})\"/>"
        );
        let first = y - LINE / 2.0 * arrow.label.len() as f64 + 11.0;
        for (line, text) in arrow.label.iter().enumerate() {
            let y = first + LINE * line as f64;
            let _ = write!(out, "<text x=\"{x:.1}\" y=\"{y:.1}\">{}</text>", escape::text(text));
        }
        out.push_str("</g>\n");
    }
    for (number, (node, &(x, top, width))) in graph.nodes.iter().zip(&layout.nodes).enumerate() {
        let class = match node.kind {
            Kind::Entry => "entry",
            Kind::Plain => "plain",
            Kind::End => "end",
            Kind::Error => "error",
            Kind::Unmodelled => "unmodelled",
        };
        let (left, radius) = (x - width / 2.0, if node.kind == Kind::Plain { 8.0 } else { HEIGHT / 2.0 });
        let count = counts.get(number).copied().flatten();
        let middle = if count.is_some() { top + 17.0 } else { top + 25.0 };
        let _ = write!(
            out,
            "<g class=\"node {class}\" data-node=\"{number}\" tabindex=\"0\" role=\"button\"><title>{}</title><rect \
             x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{HEIGHT}\" rx=\"{radius}\"/><text \
             x=\"{x:.1}\" y=\"{middle:.1}\">{}</text>",
            escape::text(&node.line),
            escape::text(&node.name)
        );
        if let Some(count) = count {
            let y = top + 32.0;
            let word = if count == 1 { "1 lemma".to_owned() } else { format!("{count} lemmas") };
            let _ = write!(out, "<text class=\"count\" x=\"{x:.1}\" y=\"{y:.1}\">{word}</text>");
        }
        out.push_str("</g>\n");
    }
    out.push_str("</svg>\n");
    out
}

/// A smooth line through points.
fn path(points: &[(f64, f64)]) -> String {
    let mut out = String::new();
    let [first, rest @ ..] = points else { return out };
    let _ = write!(out, "M{:.1} {:.1}", first.0, first.1);
    // A loop at one node has three points.
    if let [bend, last] = rest {
        let _ = write!(
            out,
            "C{:.1} {:.1} {:.1} {:.1} {:.1} {:.1}",
            bend.0, first.1, bend.0, last.1, last.0, last.1
        );
        return out;
    }
    let mut from = *first;
    for &to in rest {
        let middle = f64::midpoint(from.1, to.1);
        let _ = write!(out, "C{:.1} {middle:.1} {:.1} {middle:.1} {:.1} {:.1}", from.0, to.0, to.0, to.1);
        from = to;
    }
    out
}
