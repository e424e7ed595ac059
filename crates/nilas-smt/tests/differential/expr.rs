//! Expressions as text trees: not simplified, so that our parser and simplifier are under test as well.

use std::fmt::{self, Write as _};
use std::rc::Rc;

/// Sorts of generated expressions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Ty {
    Bool,
    Bits(u32),
    Float(u32, u32),
    Rounding,
    Array(u32, u32),
    Element,
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ty::Bool => f.write_str("Bool"),
            Ty::Bits(width) => write!(f, "(_ BitVec {width})"),
            Ty::Float(e, s) => write!(f, "(_ FloatingPoint {e} {s})"),
            Ty::Rounding => f.write_str("RoundingMode"),
            Ty::Array(index, element) => write!(f, "(Array (_ BitVec {index}) (_ BitVec {element}))"),
            Ty::Element => f.write_str("U"),
        }
    }
}

/// An operator, as it is written, on arguments.
#[derive(Debug)]
pub struct Expr {
    pub head: String,
    pub ty: Ty,
    pub args: Vec<E>,
}

/// A shared expression.
pub type E = Rc<Expr>;

pub fn leaf(head: impl Into<String>, ty: Ty) -> E {
    Rc::new(Expr { head: head.into(), ty, args: Vec::new() })
}

pub fn app(head: impl Into<String>, ty: Ty, args: Vec<E>) -> E {
    Rc::new(Expr { head: head.into(), ty, args })
}

/// Depth is bounded by the generator.
pub fn write(expr: &E, text: &mut String) {
    if expr.args.is_empty() {
        text.push_str(&expr.head);
        return;
    }
    let _ = write!(text, "({}", expr.head);
    for argument in &expr.args {
        text.push(' ');
        write(argument, text);
    }
    text.push(')');
}

/// A command of a script.
#[derive(Clone, Debug)]
pub enum Cmd {
    Assert(E),
    Push,
    Pop,
    Check,
    /// Names of Boolean constants, negated or not.
    Assuming(Vec<(String, bool)>),
}

/// A script: declarations, which are never shrunk, and commands.
#[derive(Clone, Debug)]
pub struct Script {
    pub logic: String,
    pub declarations: Vec<String>,
    pub commands: Vec<Cmd>,
}

impl Script {
    pub fn checks(&self) -> usize {
        self.commands.iter().filter(|command| matches!(command, Cmd::Check | Cmd::Assuming(_))).count()
    }

    /// The text. Pops without a push, which shrinking leaves behind, are dropped; so are unused declarations
    /// when asked for.
    pub fn text(&self, lean: bool) -> String {
        let mut commands = String::new();
        let mut depth = 0;
        for command in &self.commands {
            match command {
                Cmd::Assert(expr) => {
                    commands.push_str("(assert ");
                    write(expr, &mut commands);
                    commands.push_str(")\n");
                }
                Cmd::Push => {
                    depth += 1;
                    commands.push_str("(push 1)\n");
                }
                Cmd::Pop if depth == 0 => {}
                Cmd::Pop => {
                    depth -= 1;
                    commands.push_str("(pop 1)\n");
                }
                Cmd::Check => commands.push_str("(check-sat)\n"),
                Cmd::Assuming(literals) => {
                    let words: Vec<String> = literals
                        .iter()
                        .map(|(name, value)| if *value { name.clone() } else { format!("(not {name})") })
                        .collect();
                    let _ = writeln!(commands, "(check-sat-assuming ({}))", words.join(" "));
                }
            }
        }
        let mut text = format!("(set-logic {})\n", self.logic);
        for declaration in &self.declarations {
            let name = declaration.split_whitespace().nth(1).unwrap_or_default();
            let used = commands.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| word == name);
            if !lean || used || declaration.starts_with("(declare-sort") {
                let _ = writeln!(text, "{declaration}");
            }
        }
        text + &commands
    }
}
