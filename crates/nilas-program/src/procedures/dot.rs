//! Programs with procedures as Graphviz text: a cluster for each procedure, call edges in bold.

use super::Module;
use crate::dot::{edge_label, escape, head, label, location_line, quoted};
use crate::text::{print_call, print_signature};
use std::fmt::Write as _;

/// The module in the language of Graphviz's `dot`: as [`crate::to_dot`] draws automata, with the procedures in
/// boxes. A dotted arrow leads from a call to the entry of its callee.
#[must_use]
pub fn module_to_dot(module: &Module) -> String {
    let program = &module.program;
    let automaton = &program.automaton;
    let mut out = head(&automaton.name);
    // Writing to a string cannot fail, here and below.
    for location in automaton.location_ids().filter(|&location| module.owner(location).is_none()) {
        let _ =
            writeln!(out, "    {}", location_line(automaton, location, module.targets.contains(&location)));
    }
    for id in module.procedure_ids() {
        let _ = writeln!(out, "    subgraph {} {{", quoted(&format!("cluster_{}", id.index())));
        let _ = writeln!(out, "        label=\"{}\";", escape(&print_signature(module, id)));
        for location in automaton.location_ids().filter(|&location| module.owner(location) == Some(id)) {
            let _ = writeln!(out, "        {}", location_line(automaton, location, false));
        }
        out.push_str("    }\n");
    }
    for edge in &automaton.edges {
        let (source, target) = (edge.source.index(), edge.target.index());
        let _ = writeln!(out, "    n{source} -> n{target} [label={}];", edge_label(program, edge));
    }
    for call in &module.calls {
        let (source, target) = (call.source.index(), call.target.index());
        let label = label(&[print_call(module, call)]);
        let _ = writeln!(out, "    n{source} -> n{target} [label={label}, style=bold];");
        let entry = module.procedure(call.callee).entry.index();
        let _ = writeln!(out, "    n{source} -> n{entry} [style=dotted, constraint=false];");
    }
    out.push_str("}\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::parse_module;

    #[test]
    fn clusters_and_calls() {
        let text = "cfa c var x : bv8 entry a error e a -> b { x := call f(x + 1) } b -> e
            proc f(f.x : bv8) returns (f.r : bv8) { entry f.in exit f.out f.in -> f.out { f.r := f.x } f.in -> e }";
        let module = parse_module(text).unwrap_or_else(|errors| panic!("{}", errors[0].render("f", text)));
        let expected = r##"digraph "c" {
    node [shape=circle, fontname="Helvetica"];
    edge [fontname="Courier", fontsize=10];
    n0 [label="a", penwidth=2.5];
    n1 [label="b"];
    n2 [label="e", shape=doublecircle, style=filled, fillcolor="#f4a6a6"];
    subgraph "cluster_0" {
        label="f(f.x : bv8) returns (f.r : bv8)";
        n3 [label="f.in"];
        n4 [label="f.out"];
    }
    n1 -> n2 [label="\l"];
    n3 -> n4 [label="f.r := f.x"];
    n3 -> n2 [label="\l"];
    n0 -> n1 [label="x := call f(x + 1)", style=bold];
    n0 -> n3 [style=dotted, constraint=false];
}
"##;
        let found = module_to_dot(&module);
        assert_eq!(found, expected, "\n{found}");
    }
}
