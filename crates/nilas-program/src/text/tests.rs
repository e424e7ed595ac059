//! What the parser says about bad input, word for word.

use super::{expectation, parse_bytes, parse_program, print_program};
use crate::automaton::Program;
use crate::command::Basic;

/// A file around one edge.
fn with_body(body: &str) -> String {
    format!("var x, y : bv8\nvar flag : bool\nvar wide : bv32\nentry a\nerror e\na -> e {{ {body} }}\n")
}

fn messages(text: &str) -> String {
    match parse_program(text) {
        Ok(program) => panic!("parsed:\n{}", print_program(&program)),
        Err(errors) => errors.iter().map(|error| error.render("f.cfa", text)).collect(),
    }
}

#[track_caller]
fn check(text: &str, expected: &str) {
    let found = messages(text);
    assert_eq!(found, expected, "\n{found}");
}

/// The errors in the body of the only edge, which is line 6.
#[track_caller]
fn check_body(body: &str, expected: &str) {
    let found = messages(&with_body(body));
    assert_eq!(found, expected, "\n{found}");
}

fn good(text: &str) -> Program {
    parse_program(text).unwrap_or_else(|_| panic!("{}", messages(text)))
}

#[test]
fn missing_parts() {
    let nothing = "there is no automaton in this text";
    let hint = "   = hint: it starts with `cfa NAME`\n";
    check("", &format!("f.cfa:1:1: error: {nothing}\n 1 | \n   | ^\n{hint}"));
    check("// only this\n", &format!("f.cfa:1:1: error: {nothing}\n 1 | // only this\n   | ^\n{hint}"));
    check(
        "cfa c\nerror e\na -> e\n",
        "f.cfa:1:1: error: there is no entry location\n 1 | cfa c\n   | ^\n   = hint: add a line `entry NAME`\n",
    );
    check(
        "cfa c\nentry a\na -> e\n",
        "f.cfa:1:1: error: there is no error location\n 1 | cfa c\n   | ^\n   = hint: add a line `error NAME`\n",
    );
}

#[test]
fn unknown_names() {
    check(
        "entry a\nerror erorr\na -> error\n",
        "f.cfa:2:7: error: unknown location `erorr`\n 2 | error erorr\n   |       ^^^^^\n   = hint: did you mean `error`?\n",
    );
    check(
        "entry start\nerror e\na -> e\n",
        "f.cfa:1:7: error: unknown location `start`\n 1 | entry start\n   |       ^^^^^\n   \
         = hint: no edge mentions it; if that is so, declare it with `location`\n",
    );
    check_body(
        "flga := true; assume wid == 0; havoc q",
        "f.cfa:6:10: error: unknown variable `flga`\n 6 | a -> e { flga := true; assume wid == 0; havoc q }\n   \
         |          ^^^^\n   = hint: did you mean `flag`?\n\
         f.cfa:6:31: error: unknown variable `wid`\n 6 | a -> e { flga := true; assume wid == 0; havoc q }\n   \
         |                               ^^^\n   = hint: did you mean `wide`?\n\
         f.cfa:6:47: error: unknown variable `q`\n 6 | a -> e { flga := true; assume wid == 0; havoc q }\n   \
         |                                               ^\n",
    );
    check(
        "var x : integer\nentry a\nerror e\na -> e",
        "f.cfa:1:5: error: unknown sort `integer`\n 1 | var x : integer\n   |     ^\n   \
         = hint: sorts are `bool`, `bv32`, `fp(8, 24)`, …; or declare `sort integer`\n",
    );
}

#[test]
fn duplicates() {
    check(
        "var x : bv8\nvar y, x : bool\nentry a\nerror e\nentry a\na -> e\n",
        "f.cfa:2:8: error: variable `x` is declared twice\n 2 | var y, x : bool\n   |        ^\n   \
         = hint: first declared in line 1\n\
         f.cfa:5:7: error: the entry is declared twice\n 5 | entry a\n   |       ^\n",
    );
    check(
        "location a, e, a\nentry a\nerror e\n",
        "f.cfa:1:16: error: location `a` is declared twice\n 1 | location a, e, a\n   |                ^\n   \
         = hint: first declared in line 1\n",
    );
}

#[test]
fn the_structure_of_the_automaton() {
    check(
        "entry a\nerror e\na -> b\nb -> a\n",
        "f.cfa:2:7: error: unknown location `e`\n 2 | error e\n   |       ^\n   \
         = hint: no edge mentions it; if that is so, declare it with `location`\n",
    );
    check(
        "entry a\nerror e\na -> e\nb -> a\n",
        "f.cfa:4:1: error: the entry `a` has an incoming edge\n 4 | b -> a\n   | ^^^^^^\n   \
         = hint: add a fresh entry location with an edge to this one\n",
    );
    check(
        "entry a\nerror e\nunmodelled u\na -> e\na -> u\ne -> b\nu -> u\n",
        "f.cfa:6:1: error: the error location `e` has an outgoing edge\n 6 | e -> b\n   | ^^^^^^\n   \
         = hint: executions end there; remove the edge\n\
         f.cfa:7:1: error: the unmodelled location `u` has an outgoing edge\n 7 | u -> u\n   | ^^^^^^\n   \
         = hint: executions end there; remove the edge\n",
    );
    check(
        "entry a\nerror a\na -> b\n",
        "f.cfa:3:1: error: `a` is both entry and error\n 3 | a -> b\n   | ^\n\
         f.cfa:3:1: error: the error location `a` has an outgoing edge\n 3 | a -> b\n   | ^^^^^^\n   \
         = hint: executions end there; remove the edge\n",
    );
}

#[test]
fn sorts_of_operands() {
    check_body(
        "assume x + wide == 0",
        "f.cfa:6:21: error: this has sort bv32, the left side of `+` has bv8\n \
         6 | a -> e { assume x + wide == 0 }\n   |                     ^^^^\n",
    );
    check_body(
        "assume flag && x",
        "f.cfa:6:25: error: this has sort bv8, bool is expected\n \
         6 | a -> e { assume flag && x }\n   |                         ^\n",
    );
    check_body(
        "assume x",
        "f.cfa:6:17: error: this has sort bv8, bool is expected\n 6 | a -> e { assume x }\n   \
         |                 ^\n   = hint: compare it with something, as in `x != 0`\n",
    );
    check_body(
        "x := wide",
        "f.cfa:6:15: error: this has sort bv32, bv8 is expected\n 6 | a -> e { x := wide }\n   |               ^^^^\n",
    );
    check_body(
        "assume x < y",
        "f.cfa:6:17: error: `<` cannot be applied to bv8\n 6 | a -> e { assume x < y }\n   \
         |                 ^^^^^\n   = hint: say `<u` for unsigned or `<s` for signed numbers\n",
    );
    check_body(
        "x := wide[8:1] + x[8:1]",
        "f.cfa:6:27: error: bits 8 to 1 do not exist in a bit-vector of width 8\n \
         6 | a -> e { x := wide[8:1] + x[8:1] }\n   |                           ^^^^^^\n",
    );
    check_body(
        "assume flag & (x == 1)",
        "f.cfa:6:17: error: `&` cannot be applied to bool\n 6 | a -> e { assume flag & (x == 1) }\n   \
         |                 ^^^^^^^^^^^^^^\n   = hint: write `&&`\n",
    );
}

#[test]
fn numbers() {
    check_body(
        "x := 256; x := -129; x := -128; x := 255",
        "f.cfa:6:15: error: 256 does not fit into bv8\n 6 | a -> e { x := 256; x := -129; x := -128; x := 255 }\n   \
         |               ^^^\n   = hint: numbers from -128 to 255 do\n\
         f.cfa:6:25: error: -129 does not fit into bv8\n 6 | a -> e { x := 256; x := -129; x := -128; x := 255 }\n   \
         |                         ^^^^\n   = hint: numbers from -128 to 255 do\n",
    );
    check_body(
        "assume 1 == 2:bv8 && 3 <u 4",
        "f.cfa:6:31: error: nothing here tells the sort of the number 3\n 6 | a -> e { assume 1 == 2:bv8 && 3 <u 4 }\n   \
         |                               ^\n   = hint: write it out, as in `3:bv32`\n\
         f.cfa:6:36: error: nothing here tells the sort of the number 4\n 6 | a -> e { assume 1 == 2:bv8 && 3 <u 4 }\n   \
         |                                    ^\n   = hint: write it out, as in `4:bv32`\n",
    );
    check_body(
        "flag := 1; x := 12ab",
        "f.cfa:6:26: error: `12ab` is not a number\n 6 | a -> e { flag := 1; x := 12ab }\n   \
         |                          ^^^^\n",
    );
    check_body(
        "flag := 1",
        "f.cfa:6:18: error: this is a number, bool is expected\n 6 | a -> e { flag := 1 }\n   |                  ^\n",
    );
}

#[test]
fn syntax() {
    check_body(
        "assume x == 1 y := 2",
        "f.cfa:6:24: error: `;` or `}` is expected, `y` found\n 6 | a -> e { assume x == 1 y := 2 }\n   \
         |                        ^\n",
    );
    check_body(
        "assume (x == 1",
        "f.cfa:6:25: error: `)` is expected, `}` found\n 6 | a -> e { assume (x == 1 }\n   |                         ^\n",
    );
    check_body(
        "assume x == y == flag",
        "f.cfa:6:24: error: comparisons cannot be chained\n 6 | a -> e { assume x == y == flag }\n   \
         |                        ^^\n   = hint: use `&&`, or parentheses to compare truth values\n",
    );
    check_body(
        "x == 1",
        "f.cfa:6:12: error: `:=` is expected, `==` found\n 6 | a -> e { x == 1 }\n   |            ^^\n   \
         = hint: statements are `assume e`, `x := e`, `havoc x`, `skip` and `call f()`\n",
    );
    check_body(
        "assume = x",
        "f.cfa:6:17: error: an expression is expected, `=` found\n 6 | a -> e { assume = x }\n   |                 ^\n",
    );
    check_body(
        "block { 0 -> 1: skip; 2 -> 1: skip }",
        "f.cfa:6:37: error: arcs lead from smaller to larger node numbers\n \
         6 | a -> e { block { 0 -> 1: skip; 2 -> 1: skip } }\n   |                                     ^\n",
    );
    check_body(
        "block { 0 -> 1: skip; 0 -> 2: skip }",
        "f.cfa:6:10: error: some node of this block is not on a way from node 0 to node 2\n \
         6 | a -> e { block { 0 -> 1: skip; 0 -> 2: skip } }\n   |          ^^^^^\n",
    );
    check_body(
        "x := `(bvadd x z)`",
        "f.cfa:6:25: error: unknown symbol `z`\n 6 | a -> e { x := `(bvadd x z)` }\n   |                         ^\n",
    );
}

#[test]
fn several_errors_after_recovery() {
    check(
        "var x ; bv8\nentry a\nnonsense here\nerror e\na -> e { assume }\nb -> e { x := }\nb -> e { skip }\n",
        "f.cfa:1:7: error: `:` is expected, `;` found\n 1 | var x ; bv8\n   |       ^\n\
         f.cfa:3:1: error: a declaration or an edge is expected, `nonsense` found\n 3 | nonsense here\n   | ^^^^^^^^\n   \
         = hint: edges look like `a -> b { assume x == 0 }`\n\
         f.cfa:5:17: error: an expression is expected, `}` found\n 5 | a -> e { assume }\n   |                 ^\n\
         f.cfa:6:15: error: an expression is expected, `}` found\n 6 | b -> e { x := }\n   |               ^\n",
    );
}

#[test]
fn the_number_of_errors_is_bounded() {
    let text = format!("entry a\nerror e\n{}", "a -> e { assume }\n".repeat(1000));
    assert_eq!(parse_program(&text).expect_err("bad text").len(), 20);
    let text = format!("entry a\nerror e\n{}", "a -> e { assume q }\n".repeat(1000));
    assert_eq!(parse_program(&text).expect_err("bad text").len(), 20);
}

#[test]
fn depth_is_bounded() {
    for (open, close) in [("(", ")"), ("x[", "]"), ("true ? ", " : false"), ("zext(", ", 8)"), ("-(", ")")] {
        let body = format!("assume {}x{}", open.repeat(100_000), close.repeat(100_000));
        let found = messages(&with_body(&body));
        assert!(found.contains("error: nested deeper than 200 levels\n"), "{found}");
    }
    let found = messages(&with_body(&"{".repeat(100_000)));
    assert!(found.contains("error: nested deeper than 200 levels\n"), "{found}");
    let found = messages(&format!("var a : {}bool", "array(".repeat(100_000)));
    assert!(found.contains("error: nested deeper than 200 levels\n"), "{found}");
    // What only looks deep is not: prefixes, and chains of operators on either side.
    good(&with_body(&format!("assume {}flag", "!".repeat(100_000))));
    good(&with_body(&format!("x := {}1", "x + ".repeat(100_000))));
    good(&with_body(&format!("assume {}flag", "flag => ".repeat(100_000))));
}

#[test]
fn ten_megabytes_in_a_line() {
    let size = 10_000_000;
    for text in [
        "x".repeat(size),
        "9".repeat(size),
        "\u{1}".repeat(size),
        "{".repeat(size),
        "\"".repeat(size),
        "-".repeat(size),
    ] {
        let text = format!("entry a error e a -> e {{ assume {text} }}");
        for error in parse_program(&text).expect_err("bad text") {
            let rendered = error.render("f.cfa", &text);
            assert!(rendered.len() < 2000 && rendered.starts_with("f.cfa:1:"), "{} bytes", rendered.len());
        }
    }
}

#[test]
fn junk() {
    let errors = parse_bytes(b"entry a\n\xff\xfe").expect_err("bad text");
    assert_eq!(errors[0].message, "this is no text: byte 8 (0xff) is not UTF-8");
    assert_eq!((errors.len(), errors[0].span.map(|span| span.start)), (1, Some(8)));
    let found = messages("\u{7f}ELF\u{2}\u{1}");
    assert!(found.starts_with("f.cfa:1:1: error: unexpected character '\\u{7f}'\n"), "{found}");
    assert!(messages("/* no end").contains("this comment has no end"));
    assert!(messages("entry \"a").contains("this quoted name has no end"));
    assert!(messages("entry \"a\\q\"").contains("unknown escape"));
    assert!(messages(&with_body("assume `(= x x)")).contains("this SMT-LIB text has no end"));
}

#[test]
fn havoc_sites() {
    let program = good(&with_body("havoc x; havoc y @0; { havoc y @0 } [] { havoc flag }"));
    let sites: Vec<(usize, usize)> = program.automaton.edges[0]
        .command
        .arcs()
        .iter()
        .filter_map(|arc| match arc.basic {
            Basic::Havoc(variable, site) => Some((variable.index(), site.index())),
            _ => None,
        })
        .collect();
    assert_eq!(sites, [(0, 1), (1, 0), (1, 0), (2, 2)]);
    assert!(messages(&with_body("havoc x @7")).contains("there are only 1 sites"));
    assert!(messages(&with_body("havoc x @0; havoc y @0")).contains("site 0 is a havoc of another variable"));
}

#[test]
fn precedence_is_as_documented() {
    let same = |left: &str, right: &str| {
        let text = with_body(&format!("assume {left}; assume {right}"));
        let program = good(&text);
        let terms: Vec<Basic> =
            program.automaton.edges[0].command.arcs().iter().map(|arc| arc.basic).collect();
        assert_eq!(terms[0], terms[1], "{left} and {right}");
    };
    same("flag || flag && x == y", "flag || (flag && (x == y))");
    same("x & 1 == y", "(x & 1) == y");
    same("x | y ^ x & y << 1 == 0", "(x | (y ^ (x & (y << 1)))) == 0");
    same("x - y - 1 == 0", "(x - y) - 1 == 0");
    same("x + y * 2 <u 3", "(x + (y * 2)) <u 3");
    same("flag => flag => x == y", "flag => (flag => (x == y))");
    same("flag ? x == y : flag ? x == 1 : y == 1", "flag ? (x == y) : (flag ? (x == 1) : (y == 1))");
    same("-x + y == ~x - 1", "((-x) + y) == ((~x) - 1)");
    same("x[3:0] ++ y[3:0] == 1", "(x[3:0] ++ y[3:0]) == 1");
    same("x <s y", "y >s x");
}

#[test]
fn expectations() {
    let text = "// expect: safe\n// expect[bmc]: unknown\n\n// expect[ic3cfa]: unsafe\n";
    assert_eq!(expectation(text, None), Some("safe"));
    assert_eq!(expectation(text, Some("bmc")), Some("unknown"));
    assert_eq!(expectation(text, Some("ic3cfa")), Some("safe"));
    assert_eq!(expectation("cfa x", None), None);
}
