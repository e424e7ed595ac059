//! The model of calls: inlining, recursion, calls through pointers, and functions that the program does not
//! define.
//!
//! A function with a body is lowered once for all calls that are alike (`call`, `shared`, `asked`), and
//! copies of the body replace them when all is lowered. Recursive functions stay procedures where they
//! can (`kept`). In large programs (`graph`), and beyond a depth of recursion, calls of a function share
//! its body in the automaton, too. `startup` is what runs around `main`. Functions of the library have
//! their meaning in the catalogue ([`crate::library`]): a text, which is inlined like a function of the
//! program, or a meaning that is built in here (`known` and the files that it uses). What is in neither
//! is unknown: any result.

pub(in crate::lower) mod arguments;
pub(in crate::lower) mod asked;
pub(in crate::lower) mod bits;
pub(in crate::lower) mod builtin;
pub(in crate::lower) mod call;
pub(in crate::lower) mod format;
pub(in crate::lower) mod graph;
pub(in crate::lower) mod kept;
pub(in crate::lower) mod known;
pub(in crate::lower) mod library;
pub(in crate::lower) mod mathematics;
pub(in crate::lower) mod shared;
pub(in crate::lower) mod startup;
pub(in crate::lower) mod unknown;
pub(in crate::lower) mod weak;

use super::lowering::Lowering;
use super::memory::Key;
use super::memory::object::ObjectId;
use crate::library::catalogue::Row;
use crate::tree::{self, ExprId, FunctionId, LabelId};
use nilas_program::LocationId;
use nilas_term::Term;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// An active call.
pub(in crate::lower) struct Frame {
    pub(in crate::lower) function: FunctionId,
    /// How many frames of the function are active, this one included.
    pub(in crate::lower) depth: usize,
    /// Variables that hold a constant as long as they live.
    pub(in crate::lower) bound: FxHashMap<tree::VarId, Term>,
    pub(in crate::lower) labels: FxHashMap<LabelId, LocationId>,
    pub(in crate::lower) exit: LocationId,
    pub(in crate::lower) result: Option<ObjectId>,
    /// What was passed behind the parameters, if it may be read.
    pub(in crate::lower) more: Option<Rc<arguments::More>>,
    /// Other calls share the body.
    pub(in crate::lower) shared: bool,
    pub(in crate::lower) breaks: Vec<Way>,
    pub(in crate::lower) continues: Vec<Way>,
    /// The blocks around the present statement, outermost first.
    pub(in crate::lower) blocks: Vec<tree::StmtId>,
    /// The variables with a `cleanup` in whose scope the present statement is, in the order of their
    /// declarations.
    pub(in crate::lower) cleanups: Vec<tree::VarId>,
}

/// Where `break` or `continue` leads.
#[derive(Clone, Copy)]
pub(in crate::lower) struct Way {
    pub(in crate::lower) target: LocationId,
    /// How many of [`Frame::cleanups`] stay in scope.
    pub(in crate::lower) cleanups: usize,
}

/// The state of the model of calls.
#[derive(Default)]
pub(in crate::lower) struct Calls {
    /// The active calls, `main` first.
    pub(in crate::lower) frames: Vec<Frame>,
    /// The calls by name around the present place, and what they call, outermost first.
    pub(in crate::lower) sites: Vec<(FunctionId, ExprId)>,
    /// How often each function is active.
    pub(in crate::lower) depths: FxHashMap<FunctionId, usize>,
    /// Where the depths of the procedure begin that is being lowered.
    pub(in crate::lower) base: usize,
    /// Functions that stay procedures.
    pub(in crate::lower) kept: FxHashMap<kept::Wanted, nilas_program::ProcedureId>,
    /// Bodies that serve several calls.
    pub(in crate::lower) bodies: FxHashMap<FunctionId, Vec<shared::Body>>,
    /// Those that calls share in the automaton, too.
    pub(in crate::lower) shared: BTreeSet<nilas_program::ProcedureId>,
    /// The bodies that are being lowered, and what they asked so far.
    pub(in crate::lower) asking: RefCell<Vec<asked::Asking>>,
    /// All functions that were inlined or gone through, in order.
    pub(in crate::lower) entered: Vec<FunctionId>,
    /// Which weak symbols exist that the program does not define.
    pub(in crate::lower) weak: weak::Existing,
    /// The arguments of `main`.
    pub(in crate::lower) arguments: Option<startup::Arguments>,
    /// The lowering is in what runs when the program ends.
    pub(in crate::lower) ending: bool,
    /// There are more edges than inlining is worth.
    pub(in crate::lower) too_large: bool,
    /// How many bodies were lowered.
    pub(in crate::lower) instances: usize,
    /// Functions without body and known meaning that were called.
    pub(in crate::lower) unknown: BTreeSet<FunctionId>,
    /// Functions of the library whose helper texts are being inlined.
    pub(in crate::lower) library: Vec<&'static Row>,
    /// What unknown code knows and may write, by object or function.
    pub(in crate::lower) escapes: BTreeMap<Key, unknown::Escape>,
    /// What the next call passes behind the parameters, if its function may read it.
    pub(in crate::lower) more: Option<Rc<arguments::More>>,
    /// How many calls did so.
    pub(in crate::lower) lists: u32,
    /// The call is one by unknown code.
    pub(in crate::lower) called_back: bool,
}

impl Lowering<'_> {
    pub(in crate::lower) fn frame(&self) -> &Frame {
        self.calls.frames.last().expect("code is lowered inside a frame")
    }

    pub(in crate::lower) fn frame_mut(&mut self) -> &mut Frame {
        self.calls.frames.last_mut().expect("code is lowered inside a frame")
    }

    /// What the names of helper variables start with here.
    pub(in crate::lower) fn context(&self) -> String {
        match self.calls.frames.last() {
            Some(frame) => self.prefix(frame.function, frame.depth),
            None => "static".to_owned(),
        }
    }

    /// The name of a function's instance.
    pub(in crate::lower) fn prefix(&self, function: FunctionId, depth: usize) -> String {
        let name = &self.tree.functions[function].name;
        match depth.checked_sub(kept::base_of(depth)) {
            Some(0) => format!("{name}@call"),
            Some(1) | None => name.clone(),
            Some(depth) => format!("{name}#{depth}"),
        }
    }
}
