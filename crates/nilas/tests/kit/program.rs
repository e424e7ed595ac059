//! A generated C program: declarations, the statements of `main`, inputs and observed values.
//!
//! The same program is written in three ways. [`Form::Print`] is for gcc: inputs have their chosen values,
//! and the observed values are printed. [`Form::Agrees`] is for Nilas: inputs are open, and the error is
//! reached where all values are as gcc computed them; a proof of safety is wrong. [`Form::Differs`] assumes
//! the chosen inputs, and reaches the error where some value is different; an execution to the error is
//! wrong.

use super::random::Random;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The data models.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Model {
    Lp64,
    Ilp32,
}

impl Model {
    /// The option of `nilas`.
    pub(crate) fn option(self) -> &'static str {
        match self {
            Model::Lp64 => "--64",
            Model::Ilp32 => "--32",
        }
    }
}

/// A way to write the program, see the module's text.
pub(crate) enum Form<'a> {
    Print,
    Agrees(&'a [i64]),
    Differs(&'a [i64]),
}

struct Input {
    ty: &'static str,
    function: &'static str,
    value: i64,
}

/// A program under construction.
#[derive(Default)]
pub(crate) struct Program {
    headers: BTreeSet<&'static str>,
    globals: String,
    body: String,
    inputs: Vec<Input>,
    observed: usize,
    /// An input of its own decides whether anything happens at all: an execution that vanishes is not all of
    /// them.
    pub(crate) guarded: bool,
    /// It uses functions that the GNU headers declare only when asked.
    pub(crate) gnu: bool,
    /// It uses `GUESS(place, value)`: the place gets a number that is an input; only executions where it is the
    /// value count.
    pub(crate) guesses: bool,
    /// C or the system leaves the values open, so that others are right, too: only [`Form::Agrees`] is asked.
    pub(crate) open: bool,
}

/// Types of inputs with the functions that give them.
const INPUTS: &[(&str, &str)] = &[
    ("int", "__VERIFIER_nondet_int"),
    ("unsigned", "__VERIFIER_nondet_uint"),
    ("char", "__VERIFIER_nondet_char"),
    ("unsigned char", "__VERIFIER_nondet_uchar"),
    ("short", "__VERIFIER_nondet_short"),
    ("long", "__VERIFIER_nondet_long"),
    ("_Bool", "__VERIFIER_nondet_bool"),
];

const GUESS: &str = "\
extern unsigned long __VERIFIER_nondet_ulong(void); extern void exit(int);
#define GUESS(p, v) p = __VERIFIER_nondet_ulong(); if (p != (v)) exit(0);
";

impl Program {
    pub(crate) fn new(random: &mut Random) -> Self {
        Program { guarded: random.chance(60), ..Program::default() }
    }

    pub(crate) fn header(&mut self, header: &'static str) {
        self.headers.insert(header);
    }

    /// Declarations and functions, in this order.
    pub(crate) fn global(&mut self, text: &str) {
        self.globals.push_str(text);
        self.globals.push('\n');
    }

    /// A statement of `main`.
    pub(crate) fn line(&mut self, text: &str) {
        self.body.push_str("  ");
        self.body.push_str(text);
        self.body.push('\n');
    }

    /// An input of some integer type with a small value; its name.
    pub(crate) fn input(&mut self, random: &mut Random) -> String {
        let &(ty, function) = random.pick(INPUTS);
        let value = if ty == "_Bool" { random.below(2) } else { random.below(5) };
        self.add_input(ty, function, value)
    }

    /// An input of some integer type with this small value; its name.
    pub(crate) fn input_of(&mut self, value: usize, random: &mut Random) -> String {
        let (ty, function) = loop {
            let &(ty, function) = random.pick(INPUTS);
            if value < 2 || ty != "_Bool" {
                break (ty, function);
            }
        };
        self.add_input(ty, function, value)
    }

    fn add_input(&mut self, ty: &'static str, function: &'static str, value: usize) -> String {
        self.inputs.push(Input { ty, function, value: i64::try_from(value).unwrap() });
        format!("i{}", self.inputs.len() - 1)
    }

    /// Usually nothing; sometimes an input's name, for a choice that the checker has to follow both ways.
    pub(crate) fn choice(&mut self, random: &mut Random) -> String {
        if self.inputs.len() < 3 && random.chance(60) {
            self.input(random)
        } else {
            random.below(2).to_string()
        }
    }

    /// The value is one of those that are compared.
    pub(crate) fn observe(&mut self, expression: &str) {
        let line = format!("o{} = (long long)({expression});", self.observed);
        self.observed += 1;
        self.line(&line);
    }

    /// The questions to ask where gcc computes these values: a name, the program, and whether *safe* is the
    /// wrong answer (else it is *unsafe*).
    pub(crate) fn questions(&self, values: &[i64]) -> Vec<(&'static str, String, bool)> {
        let mut questions = vec![("agrees", self.text(&Form::Agrees(values)), true)];
        if !self.open {
            questions.push(("differs", self.text(&Form::Differs(values)), false));
        }
        questions
    }

    pub(crate) fn text(&self, form: &Form<'_>) -> String {
        let mut text = String::from(if self.gnu { "#define _GNU_SOURCE 1\n" } else { "" });
        text.push_str("extern void reach_error(void);\n");
        let print = matches!(form, Form::Print);
        for (ty, function) in INPUTS {
            if self.inputs.iter().any(|input| input.ty == *ty) || (self.guarded && *ty == "int") {
                writeln!(text, "extern {ty} {function}(void);").unwrap();
            }
        }
        for header in &self.headers {
            writeln!(text, "#include <{header}>").unwrap();
        }
        if print && !self.headers.contains("stdio.h") {
            text.push_str("#include <stdio.h>\n");
        }
        if self.guesses {
            text.push_str(if print { "#define GUESS(p, v) p = v;\n" } else { GUESS });
        }
        text.push_str(&self.globals);
        for place in 0..self.observed {
            writeln!(text, "long long o{place};").unwrap();
        }
        text.push_str("int main(void) {\n");
        if self.guarded && !print {
            text.push_str("  if (!__VERIFIER_nondet_int()) return 0;\n");
        }
        for (place, Input { ty, function, value }) in self.inputs.iter().enumerate() {
            match form {
                Form::Print => writeln!(text, "  {ty} i{place} = {value};").unwrap(),
                Form::Agrees(_) => writeln!(text, "  {ty} i{place} = {function}();").unwrap(),
                Form::Differs(_) => {
                    writeln!(text, "  {ty} i{place} = {function}(); if (i{place} != {value}) return 0;")
                        .unwrap();
                }
            }
        }
        text.push_str(&self.body);
        self.question(form, &mut text);
        text.push_str("  return 0;\n}\n");
        text
    }

    fn question(&self, form: &Form<'_>, text: &mut String) {
        let compare = |values: &[i64], operator: &str, between: &str| {
            let parts: Vec<String> = values
                .iter()
                .enumerate()
                .map(|(place, &value)| match value {
                    i64::MIN => format!("o{place} {operator} (-{}LL - 1)", i64::MAX),
                    _ => format!("o{place} {operator} {value}LL"),
                })
                .collect();
            parts.join(between)
        };
        match form {
            Form::Print => {
                (0..self.observed)
                    .for_each(|place| writeln!(text, "  printf(\"%lld\\n\", o{place});").unwrap());
            }
            Form::Agrees(values) => {
                writeln!(text, "  if ({}) reach_error();", compare(values, "==", " && ")).unwrap();
            }
            Form::Differs(values) => {
                writeln!(text, "  if ({}) reach_error();", compare(values, "!=", " || ")).unwrap();
            }
        }
    }
}
