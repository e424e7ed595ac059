//! The automaton with what the engine held at its locations, frame by frame.

use super::Question;
use super::draw;
use super::escape;
use super::graph::{Graph, Kind, Node};
use super::texts::Texts;
use crate::summary::{Conclusion, Frames, FramesAt};
use crate::text::print_formula;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Characters of a lemma.
const LONGEST: usize = 500;

/// The automaton of a question, as it is shown.
pub(super) struct Shown<'a> {
    question: &'a Question<'a>,
    graph: Graph,
}

impl<'a> Shown<'a> {
    pub(super) fn new(question: &'a Question<'a>, texts: &mut Texts<'_>) -> Self {
        let graph = Graph::new(question);
        for (file, line) in graph.nodes.iter().filter_map(|node| node.at.as_ref()) {
            texts.matters(file, *line);
        }
        Shown { question, graph }
    }

    /// The frames of a node: those of its locations.
    fn frames(&self, node: &Node) -> Option<&'a FramesAt> {
        let places = &self.question.summary.frames.as_ref()?.places;
        node.locations.iter().find_map(|location| places.get(location))
    }

    /// The section of a page.
    pub(super) fn section(&self, id: usize) -> String {
        let frames = self.question.summary.frames.as_ref();
        let mut out = format!("<div class=\"frames\" data-graph=\"{id}\">\n");
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(out, "<p class=\"muted\">{}</p>", escape::text(&self.said()));
        if let Some(frames) = frames {
            out.push_str(&self.slider(frames, id));
        } else {
            let _ = writeln!(out, "<p class=\"muted\">{}</p>", escape::text(&self.without()));
        }
        let counts: Vec<Option<usize>> = self
            .graph
            .nodes
            .iter()
            .map(|node| self.frames(node).map(|it| it.lemmas.len()).filter(|count| *count > 0))
            .collect();
        let _ = writeln!(out, "<div class=\"scroll\">\n{}</div>", draw::svg(&self.graph, &counts, id));
        let _ = writeln!(out, "<div class=\"arrow-lines\" hidden></div>");
        if let Some(frames) = frames {
            out.push_str("<div class=\"cards\">\n");
            for (number, node) in self.graph.nodes.iter().enumerate() {
                if let Some(at) = self.frames(node).filter(|_| node.kind == Kind::Plain) {
                    out.push_str(&self.card(frames, (number, node), at));
                }
            }
            out.push_str("</div>\n");
        }
        out.push_str("</div>\n");
        out
    }

    /// What is drawn, and what is not.
    fn said(&self) -> String {
        let Graph { nodes, all, whole, left, .. } = &self.graph;
        if *whole {
            return format!("The automaton as it was read, all of its {all} locations.");
        }
        let mut said = format!(
            "The automaton has {all} locations. Of these {} are drawn: where executions start and end, loops, and where \
             lemmas stand. An arrow stands for all ways between two of them that pass no third one.",
            nodes.iter().map(|node| node.locations.len()).sum::<usize>()
        );
        if *left > 0 {
            let _ = write!(
                said,
                " {left} more loops or places with lemmas are not drawn: arrows pass through them."
            );
        }
        said
    }

    /// Why there are no lemmas.
    fn without(&self) -> String {
        match (&self.question.summary.conclusion, self.question.summary.engine) {
            (Conclusion::Reached(_), _) => {
                "The error was found by running the program: no engine has learnt lemmas. (--engine ic3cfa shows what \
                 IC3 learns.)"
                    .to_owned()
            }
            (_, Some(engine)) => format!(
                "The engine {engine} has left no lemmas at locations. (--engine ic3cfa shows the frames of IC3.)"
            ),
            (_, None) => "No engine has left lemmas at locations.".to_owned(),
        }
    }

    /// The frame that is shown at first, and whether it is the invariant.
    fn first(&self, frames: &Frames, frontier: u64) -> (u64, bool) {
        let horizon = frames.places.values().map(|at| at.first).max().unwrap_or(0).max(1);
        let all_told = frames.places.values().all(|at| at.more == 0);
        let proved = !self.question.proofs.is_empty() && self.question.summary.engine == Some(frames.engine);
        let is_empty = |level: &u64| {
            frames.places.values().flat_map(|at| &at.lemmas).all(|(_, last)| *last != Some(*level))
        };
        // A level that no lemma ends at is the fixpoint.
        match (horizon..frontier).find(is_empty).filter(|_| all_told && proved) {
            Some(level) => (level + 1, true),
            None => (horizon.min(frontier), false),
        }
    }

    fn slider(&self, frames: &Frames, id: usize) -> String {
        let Some(frontier) = frames.frontier else {
            return format!(
                "<p>Below each location: lemmas or predicates that <b>{}</b> held there when it ended. This engine has no \
                 frames.</p>\n",
                escape::text(frames.engine)
            );
        };
        let every = frames.places.values().flat_map(|at| &at.lemmas).any(|(_, last)| last.is_none());
        let (first, fixpoint) = self.first(frames, frontier);
        let most = if every { frontier + 1 } else { frontier };
        let fixpoint = if fixpoint { first.to_string() } else { String::new() };
        format!(
            "<p>Frames of <b>{}</b>: frame <i>i</i> holds of every state that executions can be in after at most <i>i</i> \
             steps from location to location, as the engine sees the program.</p>\n<p class=\"slide\"><label \
             for=\"frame{id}\">Frame</label> <input type=\"range\" class=\"frame\" id=\"frame{id}\" min=\"0\" \
             max=\"{most}\" value=\"{first}\" data-frontier=\"{frontier}\" data-fixpoint=\"{fixpoint}\"> <output \
             for=\"frame{id}\">{first} of {frontier}</output></p>\n",
            escape::text(frames.engine)
        )
    }

    fn card(&self, frames: &Frames, (number, node): (usize, &Node), at: &FramesAt) -> String {
        let heading = match node.line.is_empty() {
            true => format!("<b>{}</b>", escape::text(&node.name)),
            false => {
                format!("<b>{}</b> <code>{}</code>", escape::text(&node.name), escape::brief(&node.line, 80))
            }
        };
        let mut out = format!(
            "<section class=\"card\" data-node=\"{number}\" data-first=\"{}\">\n<h4>{heading}</h4>\n<p class=\"none\" \
             hidden></p>\n<ul>\n",
            at.first
        );
        // What was told twice for one node of the drawing is shown once, as far up as it goes.
        let mut lemmas: BTreeMap<String, Option<u64>> = BTreeMap::new();
        let mut order: Vec<String> = Vec::new();
        for &(lemma, last) in &at.lemmas {
            let text = print_formula(self.question.source, &frames.arena, lemma);
            match lemmas.get_mut(&text) {
                Some(known) => *known = known.and_then(|known| last.map(|last| known.max(last))),
                None => {
                    order.push(text.clone());
                    lemmas.insert(text, last);
                }
            }
        }
        for text in &order {
            let last = lemmas[text].map(|last| last.to_string()).unwrap_or_default();
            let told = match (frames.frontier, lemmas[text]) {
                (None, _) => String::new(),
                (_, Some(last)) => format!(" <span class=\"muted\">up to frame {last}</span>"),
                (_, None) => " <span class=\"muted\">in every frame</span>".to_owned(),
            };
            let _ = writeln!(
                out,
                "<li data-last=\"{last}\"><code>{}</code>{told}</li>",
                escape::brief(text, LONGEST)
            );
        }
        out.push_str("</ul>\n");
        if at.more > 0 {
            let _ = writeln!(out, "<p class=\"muted\">{} more lemmas are not shown.</p>", at.more);
        }
        out.push_str("</section>\n");
        out
    }

    /// What the script knows of the drawing: the lines of arrows.
    pub(super) fn data(&self, texts: &Texts<'_>) -> Json {
        let line = |(file, line): &(String, usize)| texts.find(file).map(|file| json!([file, line]));
        let arrow = |arrow: &super::graph::Arrow| -> Json { arrow.lines.iter().filter_map(line).collect() };
        let node = |node: &Node| node.at.as_ref().and_then(line);
        json!({
            "arrows": self.graph.arrows.iter().map(arrow).collect::<Vec<_>>(),
            "nodes": self.graph.nodes.iter().map(node).collect::<Vec<_>>(),
        })
    }
}
