//! Printing and parsing.

use nilas_program::random::{self, Rng, Shape};
use nilas_program::{Basic, Program, large_blocks, parse_program, print_program};
use nilas_term::Importer;

/// Fails unless the two are the same up to spans and the numbering of terms.
#[track_caller]
pub(crate) fn assert_same(left: &Program, right: &Program, context: &str) {
    let mut arena = left.arena.clone();
    let mut importer = Importer::new();
    let mut import = |term| importer.import(&mut arena, &right.arena, term).unwrap();
    let (a, b) = (&left.automaton, &right.automaton);
    assert_eq!(a.name, b.name, "{context}");
    assert_eq!((a.entry, a.error, a.unmodelled), (b.entry, b.error, b.unmodelled), "{context}");
    let names = |program: &Program| -> Vec<String> {
        program.automaton.locations.iter().map(|location| location.name.clone()).collect()
    };
    assert_eq!(names(left), names(right), "{context}");
    let variables = |program: &Program| -> Vec<_> {
        let variables = program.automaton.variables.iter();
        variables.map(|variable| (variable.name.clone(), variable.sort.clone())).collect()
    };
    assert_eq!(variables(left), variables(right), "{context}");
    let havocs = |program: &Program| -> Vec<_> {
        program.automaton.havocs.iter().map(|havoc| havoc.variable).collect()
    };
    assert_eq!(havocs(left), havocs(right), "{context}");
    assert_eq!(a.edges.len(), b.edges.len(), "{context}");
    for (old, new) in a.edges.iter().zip(&b.edges) {
        assert_eq!((old.source, old.target), (new.source, new.target), "{context}");
        assert_eq!(old.command.nodes(), new.command.nodes(), "{context}");
        assert_eq!(old.command.arcs().len(), new.command.arcs().len(), "{context}");
        for (old, new) in old.command.arcs().iter().zip(new.command.arcs()) {
            let basic = match new.basic {
                Basic::Assume(term) => Basic::Assume(import(term)),
                Basic::Assign(variable, term) => Basic::Assign(variable, import(term)),
                other => other,
            };
            assert_eq!((old.source, old.target, old.basic), (new.source, new.target, basic), "{context}");
        }
    }
}

#[track_caller]
pub(crate) fn assert_round_trip(program: &Program, context: &str) {
    let text = print_program(program);
    let context = format!("{context}\n{text}");
    match parse_program(&text) {
        Ok(again) => assert_same(program, &again, &context),
        Err(errors) => {
            let rendered: Vec<String> = errors.iter().map(|error| error.render("printed", &text)).collect();
            panic!("{context}\n{}", rendered.join("\n"));
        }
    }
}

#[test]
fn random_programs() {
    let shape = Shape { width: 5, term_depth: 4, ..Shape::default() };
    for seed in 0..2000 {
        let program = random::program(&mut Rng::new(seed), &shape);
        assert_round_trip(&program, &format!("seed {seed}"));
        assert_round_trip(&large_blocks(&program).0, &format!("seed {seed}, large blocks"));
    }
}

#[test]
fn deep_terms() {
    // Far deeper than the parser nests: printed in SMT-LIB.
    let mut program = random::single_command(&mut Rng::new(1), &Shape::default());
    let bits = program.automaton.variables.iter().map(|variable| variable.term).collect::<Vec<_>>();
    let mut term = program.arena.mk_true();
    let mut rng = Rng::new(2);
    for _ in 0..5000 {
        let condition = random::term(&mut rng, &mut program.arena, &bits, &nilas_term::Sort::Bool, 1);
        let other = random::term(&mut rng, &mut program.arena, &bits, &nilas_term::Sort::Bool, 1);
        term = program.arena.ite(condition, term, other);
    }
    let span = nilas_program::Span::default();
    program.automaton.havocs.clear();
    program.automaton.edges[0].command = nilas_program::Command::basic(Basic::Assume(term), span);
    assert_round_trip(&program, "deep");
}

#[test]
fn names_of_all_kinds() {
    let mut text =
        String::from("var \"x y\", \"assume\", \"bv8\", \"ä\", \"and\", \"let\", \"`\", \"\\\"\" : bv8\n");
    text.push_str("entry \"->\"\nerror \"a\\nb\\u{1}\\\\|'\"\n");
    text.push_str("\"->\" -> \"a\\nb\\u{1}\\\\|'\" { assume \"x y\" + \"assume\" == \"bv8\" * \"ä\" }\n");
    text.push_str("\"->\" -> \"\u{200b}\" { assume `(= |and| |let| (bvsmod |`| |\"|))`; \"\\\"\" := 1 }");
    let program = parse_program(&text).unwrap_or_else(|errors| panic!("{}", errors[0].render("f", &text)));
    assert_round_trip(&program, &text);
}

#[test]
fn all_sorts_and_operators() {
    let text = "
        sort Thing
        fun weight(Thing, int) : real
        var a, b : bv8   var c, d : bool   var i, j : int   var r, s : real
        var f, g : fp(8, 24)   var m : rm   var p : array(bv8, bv16)   var t : Thing
        entry init error err
        init -> err {
            assume a + b - 3 == a * 5 && a /u b != a /s b || (a %u b == a %s b => a << 2 <u a >>u b);
            assume a >>s 1 <=u (a & b | ~a ^ -b) && a >u 0x7f && a >=u #xff && a <s -5 && a <=s b && b >s 1 && b >=s -128;
            assume c ^ d == (c ? d : !d) && (c == d) != true;
            a := c ? 1 : 255; a := a[3:0] ++ 5:bv4; a := zext(a[0:0], 8); a := sext(a[6:0], 8);
            p := p[a := zext(b, 16)]; assume p[0] == 7 && p[a][7:0] == b;
            i := i + j * 2 - 1; assume i < j && i <= 10 && j > -4 && i / 2 >= j % 3;
            r := r + s / 1.5; assume weight(t, 3) < 0.25 && r >= 3;
            f := `(fp.add m f g)`; assume `(fp.leq f ((_ to_fp 8 24) RNE 0.5))`;
            havoc t; havoc m
        }";
    let program = parse_program(text).unwrap_or_else(|errors| panic!("{}", errors[0].render("f", text)));
    assert_round_trip(&program, text);
}
