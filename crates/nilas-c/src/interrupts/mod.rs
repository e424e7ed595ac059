//! Interrupts: functions that may run between any two accesses of the program.
//!
//! An interrupt handler changes what the program sees only through data that both touch. So it is enough to
//! let handlers run, any number of times in any order, where the program comes to `main`, before it reads
//! what a handler may write, before it writes what a handler may touch, and after it has written that (so
//! that a handler sees it, even if nothing else is accessed any more). A read and a write are two accesses:
//! in `x++` a handler may run between them. At these points a call of [`POINT`] is put into the expressions.
//! Its text stands behind the program ([`Interrupts::text`]), so that everything behind the type checker sees calls of
//! ordinary functions.
//!
//! A handler that runs can be interrupted by others, as deep as is asked for; with a depth of 1 it cannot.
//! Functions of the library, single reads and writes, and atomic operations are not interrupted: that is an
//! assumption of the answer. [`touched`] says what handlers do with data, [`put`] puts the points in.

mod put;
mod touched;

use crate::index::Id as _;
use crate::source::Diagnostic;
use crate::tree::{Callee, ExprKind, FunctionId, Program};
use put::Put;
use std::fmt::Write as _;
use touched::{called, taken, touched};

/// The function in which handlers run.
const POINT: &str = "__nilas_interrupts";
/// What stands for the handlers in the text.
const HANDLER: &str = "__nilas_handler_";
/// Where the text is, for messages.
pub(crate) const FILE: &str = "<nilas>/interrupts.c";

/// Which functions are handlers.
#[derive(Clone, Debug, Default)]
pub struct Interrupts {
    /// Their names.
    pub handlers: Vec<String>,
    /// How many handlers may run at a time, each interrupting the one before.
    pub depth: u32,
}

impl Interrupts {
    pub(crate) fn is_empty(&self) -> bool {
        self.handlers.is_empty()
    }

    /// The text of the function in which handlers run.
    pub(crate) fn text(&self) -> String {
        let mut text = "extern int __VERIFIER_nondet_interrupt(void);\n".to_owned();
        for number in 0..self.handlers.len() {
            let _ = writeln!(text, "extern void {HANDLER}{number}(void);");
        }
        let _ = writeln!(
            text,
            "static int __nilas_interrupt_depth;\nvoid {POINT}(void) {{\n    if (__nilas_interrupt_depth >= {}) return;\n    \
             __nilas_interrupt_depth++;\n    while (__VERIFIER_nondet_interrupt()) {{\n        int which = __VERIFIER_nondet_interrupt();",
            self.depth.max(1)
        );
        for number in 0..self.handlers.len() {
            let _ = writeln!(text, "        if (which == {number}) {HANDLER}{number}();");
        }
        text.push_str("    }\n    __nilas_interrupt_depth--;\n}\n");
        text
    }
}

/// Lets handlers run wherever that makes a difference. The text of [`Interrupts::text`] is among the files of
/// the program; functions from `texts` on are those of the library.
///
/// # Errors
/// A name that is no function `void f(void)` with a body.
pub(crate) fn put_in(
    program: &mut Program,
    interrupts: &Interrupts,
    texts: usize,
) -> Result<(), Vec<Diagnostic>> {
    let mut handlers = Vec::new();
    for name in &interrupts.handlers {
        handlers.push(handler(program, name).map_err(|diagnostic| vec![diagnostic])?);
    }
    let Some(point) = program.function(POINT) else { return Ok(()) };
    for (number, &handler) in handlers.iter().enumerate() {
        redirect(program, &format!("{HANDLER}{number}"), handler);
    }
    let touched = touched(program, &called(program, &handlers));
    let taken = taken(program);
    let nested = interrupts.depth > 1;
    let starts: Vec<FunctionId> = program
        .functions
        .enumerate()
        .filter(|(id, function)| {
            let start = program.first() == Some(*id)
                || function.constructor.is_some()
                || function.destructor.is_some();
            start || nested && handlers.contains(id)
        })
        .map(|(id, _)| id)
        .collect();
    let mut own = called(program, &starts);
    own.retain(|&id| id != point && id.index() < texts);
    let mut put = Put { program, point, texts, touched, taken };
    for function in own {
        put.function(function).map_err(|diagnostic| vec![diagnostic])?;
    }
    program.interrupts = handlers;
    Ok(())
}

fn handler(program: &Program, name: &str) -> Result<FunctionId, Diagnostic> {
    let Some(id) = program.function(name) else {
        return Err(Diagnostic::general(format!(
            "`--interrupt {name}`: the program has no function of this name"
        )));
    };
    let function = &program.functions[id];
    let ty = program.types.as_function(function.ty);
    let plain = ty.is_some_and(|ty| ty.parameters.is_empty() && program.types.is_void(ty.result));
    if function.body.is_none() || !plain {
        let message =
            format!("`--interrupt {name}`: a handler is a function `void {name}(void)` with a body");
        return Err(Diagnostic::error(function.span, message));
    }
    Ok(id)
}

fn redirect(program: &mut Program, name: &str, to: FunctionId) {
    let Some(from) = program.function(name) else { return };
    for id in program.exprs.ids() {
        if let ExprKind::Call { callee: Callee::Function(function), .. } = &mut program.exprs[id].kind
            && *function == from
        {
            *function = to;
        }
    }
}
