//! Witnesses of format 1.0: automata in GraphML (Beyer et al., *Verification Witnesses*, TOSEM 2022).
//!
//! A violation is a chain of nodes from the entry to the violation; an edge says which way a branch goes
//! (`control`) or what a call returns (`assumption` with `\result`), and the last one is the line of the
//! target. A proof has a node for each loop with its invariant, behind an edge that enters the head of the
//! loop.
//!
//! What others write is read as the same: the path to the violation must be the only one, edges to sinks
//! excepted. Branches become waypoints of type `branching`, other assumptions waypoints of type `assumption`.

use super::xml::{Element, parse};
use super::{Invariant, Location, Metadata, Waypoint, Witness, sha256, time};
use crate::junit::escaped;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Keys: name, type, what it is for.
const KEYS: [(&str, &str, &str); 20] = [
    ("witness-type", "string", "graph"),
    ("sourcecodelang", "string", "graph"),
    ("producer", "string", "graph"),
    ("specification", "string", "graph"),
    ("programfile", "string", "graph"),
    ("programhash", "string", "graph"),
    ("architecture", "string", "graph"),
    ("creationtime", "string", "graph"),
    ("entry", "boolean", "node"),
    ("violation", "boolean", "node"),
    ("sink", "boolean", "node"),
    ("invariant", "string", "node"),
    ("invariant.scope", "string", "node"),
    ("startline", "int", "edge"),
    ("endline", "int", "edge"),
    ("assumption", "string", "edge"),
    ("assumption.resultfunction", "string", "edge"),
    ("enterLoopHead", "boolean", "edge"),
    ("control", "string", "edge"),
    ("originfile", "string", "edge"),
];

/// A witness as GraphML.
#[must_use]
pub fn render(metadata: &Metadata, witness: &Witness) -> String {
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" \
         xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n",
    );
    // Writing to a string cannot fail, so results of `write!` are dropped here.
    for (name, ty, what) in KEYS {
        let _ = write!(out, "  <key attr.name=\"{name}\" attr.type=\"{ty}\" for=\"{what}\" id=\"{name}\"");
        let default = matches!(name, "entry" | "violation" | "sink" | "enterLoopHead");
        out.push_str(if default { "><default>false</default></key>\n" } else { "/>\n" });
    }
    out.push_str("  <graph edgedefault=\"directed\">\n");
    let kind = match witness {
        Witness::Correctness(_) => "correctness_witness",
        Witness::Violation(_) => "violation_witness",
    };
    let (file, bytes) = metadata.files.first().map_or(("", &[][..]), |(name, bytes)| (name, bytes));
    let architecture = if metadata.data_model == "ILP32" { "32bit" } else { "64bit" };
    for (key, value) in [
        ("witness-type", kind),
        ("sourcecodelang", "C"),
        ("producer", &format!("nilas {}", metadata.version)),
        ("specification", &metadata.specification),
        ("programfile", file),
        ("programhash", &sha256::hex(bytes)),
        ("architecture", architecture),
        ("creationtime", &time(metadata.created)),
    ] {
        let _ = writeln!(out, "    {}", data(key, value));
    }
    match witness {
        Witness::Correctness(invariants) => correctness(&mut out, invariants),
        Witness::Violation(waypoints) => violation(&mut out, waypoints),
    }
    out + "  </graph>\n</graphml>\n"
}

fn data(key: &str, value: &str) -> String {
    format!("<data key=\"{key}\">{}</data>", escaped(value))
}

fn node(out: &mut String, number: usize, inside: &[String]) {
    let _ = match inside.is_empty() {
        true => writeln!(out, "    <node id=\"N{number}\"/>"),
        false => writeln!(out, "    <node id=\"N{number}\">{}</node>", inside.concat()),
    };
}

fn edge(out: &mut String, from: usize, to: usize, place: &Location, more: &[String]) {
    let line = place.line.to_string();
    let place = [data("originfile", &place.file), data("startline", &line), data("endline", &line)].concat();
    let more = more.concat();
    let _ = writeln!(out, "    <edge source=\"N{from}\" target=\"N{to}\">{place}{more}</edge>");
}

fn correctness(out: &mut String, invariants: &[Invariant]) {
    node(out, 0, &[data("entry", "true")]);
    for (number, Invariant { location, value, .. }) in invariants.iter().enumerate() {
        let mut inside = vec![data("invariant", value)];
        inside.extend(location.function.iter().map(|function| data("invariant.scope", function)));
        node(out, number + 1, &inside);
        edge(out, 0, number + 1, location, &[data("enterLoopHead", "true")]);
    }
}

fn violation(out: &mut String, waypoints: &[Waypoint]) {
    node(out, 0, &[data("entry", "true")]);
    for (number, waypoint) in waypoints.iter().enumerate() {
        let target = waypoint.kind == "target";
        node(out, number + 1, &if target { vec![data("violation", "true")] } else { Vec::new() });
        let said = |it: &String| match waypoint.kind.as_str() {
            "branching" => data("control", &format!("condition-{it}")),
            _ => data("assumption", &format!("{it};")),
        };
        let mut more: Vec<String> = waypoint.constraint.iter().map(said).collect();
        more.extend(waypoint.called.iter().map(|it| data("assumption.resultfunction", it)));
        edge(out, number, number + 1, &waypoint.location, &more);
    }
}

/// What a witness says.
///
/// # Errors
/// When the text is no XML, or no witness of this format.
pub fn read(text: &str) -> Result<Witness, String> {
    let root = parse(text).map_err(|error| format!("no XML: {error}"))?;
    let graph = root.all("graph").next().ok_or("no graph")?;
    let automaton = Automaton::of(graph)?;
    match value(graph, "witness-type") {
        Some("correctness_witness") => Ok(Witness::Correctness(automaton.invariants()?)),
        Some("violation_witness") => automaton.path().map(Witness::Violation),
        _ => Err("neither `correctness_witness` nor `violation_witness`".to_owned()),
    }
}

/// What an element says under a key.
fn value<'a>(element: &'a Element, key: &str) -> Option<&'a str> {
    let found = element.children.iter().find(|it| it.name == "data" && it.attribute("key") == Some(key));
    found.map(|it| it.text.trim())
}

fn is_true(element: &Element, key: &str) -> bool {
    value(element, key) == Some("true")
}

struct Automaton<'a> {
    nodes: BTreeMap<&'a str, &'a Element>,
    edges: Vec<(&'a str, &'a str, &'a Element)>,
    file: String,
}

impl<'a> Automaton<'a> {
    fn of(graph: &'a Element) -> Result<Automaton<'a>, String> {
        let mut nodes = BTreeMap::new();
        for node in graph.all("node") {
            nodes.insert(node.attribute("id").ok_or("a node without name")?, node);
        }
        let mut edges = Vec::new();
        for edge in graph.all("edge") {
            let end = |name: &str| edge.attribute(name).ok_or("an edge without end");
            edges.push((end("source")?, end("target")?, edge));
        }
        let file = value(graph, "programfile").unwrap_or_default().to_owned();
        Ok(Automaton { nodes, edges, file })
    }

    fn location(&self, edge: &Element) -> Option<Location> {
        let line = value(edge, "startline").and_then(|line| line.parse().ok())?;
        let file = value(edge, "originfile").unwrap_or(&self.file).to_owned();
        Some(Location { file, line, column: None, function: None })
    }

    fn invariants(&self) -> Result<Vec<Invariant>, String> {
        let mut all = Vec::new();
        for (id, node) in &self.nodes {
            let Some(invariant) = value(node, "invariant").filter(|it| !matches!(*it, "true" | "1")) else {
                continue;
            };
            let entering = self.edges.iter().filter(|(_, to, _)| to == id);
            let head = entering.clone().find(|(_, _, edge)| is_true(edge, "enterLoopHead"));
            let edge = head
                .or_else(|| entering.clone().next())
                .ok_or("an invariant at a place that nothing leads to")?;
            let mut location = self.location(edge.2).ok_or("an invariant without line")?;
            location.function = value(node, "invariant.scope").map(str::to_owned);
            all.push(Invariant { is_loop: head.is_some(), location, value: invariant.to_owned() });
        }
        Ok(all)
    }

    /// The waypoints of the one path from the entry to the violation.
    fn path(&self) -> Result<Vec<Waypoint>, String> {
        let entry = |(_, node): &(&&str, &&Element)| is_true(node, "entry");
        let (&entry, _) = self.nodes.iter().find(entry).ok_or("no entry")?;
        let (mut here, mut seen, mut waypoints) = (entry, BTreeSet::new(), Vec::new());
        loop {
            let node = self.nodes.get(here).ok_or("an edge leads to no node")?;
            if is_true(node, "violation") {
                break;
            }
            if !seen.insert(here) {
                return Err("its path has a cycle".to_owned());
            }
            let sink = |to: &str| self.nodes.get(to).is_some_and(|it| is_true(it, "sink"));
            let mut ways =
                self.edges.iter().filter(|(from, to, _)| *from == here && *to != here && !sink(to));
            let (_, to, edge) = ways.next().ok_or("no path leads to a violation")?;
            if ways.next().is_some() {
                return Err("it has several paths".to_owned());
            }
            self.waypoint(edge, &mut waypoints);
            here = to;
        }
        // The last edge is where it ends.
        let last = self.edges.iter().find(|(_, to, _)| *to == here).and_then(|it| self.location(it.2));
        if let Some(location) = last {
            let (constraint, called, kind) = (None, None, "target".to_owned());
            waypoints.push(Waypoint { kind, location, constraint, avoided: false, called });
        }
        Ok(waypoints)
    }

    fn waypoint(&self, edge: &Element, waypoints: &mut Vec<Waypoint>) {
        let location = self.location(edge).unwrap_or_default();
        let mut push = |kind: &str, constraint: Option<String>| {
            let called = value(edge, "assumption.resultfunction").map(str::to_owned);
            let (kind, location) = (kind.to_owned(), location.clone());
            waypoints.push(Waypoint { kind, location, constraint, avoided: false, called });
        };
        if let Some(control) = value(edge, "control") {
            let taken = (control == "condition-true").to_string();
            push("branching", Some(taken));
        }
        for assumption in value(edge, "assumption").into_iter().flat_map(|it| it.split(';')) {
            let assumption = assumption.trim();
            match assumption {
                "" | "1" => {}
                it if it.contains("\\result") => push("function_return", Some(it.to_owned())),
                it => push("assumption", Some(it.to_owned())),
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn witnesses_are_read_as_they_were_written() {
        let metadata = Metadata {
            version: "1",
            created: 0,
            files: vec![("a b.c".into(), b"int main(void) {}".to_vec())],
            specification: "CHECK( init(main()), LTL(G ! call(reach_error())) )".into(),
            data_model: "ILP32",
        };
        let location = |line, function: Option<&str>| Location {
            file: "a b.c".into(),
            line,
            column: None,
            function: function.map(str::to_owned),
        };
        let value = "x <= 9 && s[0] != '\"'".to_owned();
        let invariants = vec![Invariant { is_loop: true, location: location(7, Some("main")), value }];
        let waypoint = |kind: &str, constraint: Option<&str>, called: Option<&str>| Waypoint {
            kind: kind.into(),
            location: location(9, None),
            constraint: constraint.map(str::to_owned),
            avoided: false,
            called: called.map(str::to_owned),
        };
        let result = waypoint("function_return", Some("\\result == -5"), Some("nondet"));
        let branches = ["true", "false"].map(|it| waypoint("branching", Some(it), None));
        let [first, second] = branches;
        let waypoints = vec![first, result, second, waypoint("target", None, None)];
        for witness in [
            Witness::Correctness(Vec::new()),
            Witness::Correctness(invariants),
            Witness::Violation(waypoints),
        ] {
            let text = render(&metadata, &witness);
            assert_eq!(read(&text).unwrap(), witness, "{text}");
        }
    }

    #[test]
    fn paths_of_others_are_followed() {
        let text = |more: &str| {
            format!(
                "<graphml><graph edgedefault=\"directed\"><data key=\"witness-type\">violation_witness</data>\
             <data key=\"programfile\">a.c</data><node id=\"A\"><data key=\"entry\">true</data></node><node id=\"B\"/>\
             <node id=\"S\"><data key=\"sink\">true</data></node><node id=\"V\"><data key=\"violation\">true</data></node>\
             <edge source=\"A\" target=\"B\"><data key=\"startline\">3</data><data key=\"assumption\">x == (5);</data></edge>\
             <edge source=\"A\" target=\"S\"><data key=\"startline\">3</data></edge>\
             <edge source=\"B\" target=\"V\"><data key=\"startline\">4</data><data key=\"control\">condition-true</data>\
             </edge>{more}</graph></graphml>"
            )
        };
        let Ok(Witness::Violation(path)) = read(&text("")) else { panic!() };
        let kinds: Vec<&str> = path.iter().map(|it| it.kind.as_str()).collect();
        assert_eq!(kinds, ["assumption", "branching", "target"]);
        assert!(read(&text("<edge source=\"B\" target=\"A\"/>")).is_err());
        assert!(read("<graphml/>").is_err());
        assert!(read("- entry").is_err());
    }
}
