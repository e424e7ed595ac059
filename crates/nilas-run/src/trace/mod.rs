//! What an execution does, step by step, as data for people: statements begun, branches taken, objects that
//! changed, inputs, calls, and the failure with the values of the parts of its expression.
//!
//! A [`Tracer`] is given to [`Interpreter::run_traced`](crate::Interpreter::run_traced); an execution without
//! one only looks whether there is one. Values are texts in C's notation, by the types of the program
//! ([`show`]); objects are called as in the source ([`name`]). Nothing here changes what an execution does.
//!
//! Long executions keep their first and last events ([`HEAD`], [`TAIL`]), and count what lies between.

mod name;
mod record;
mod show;

use crate::memory::AllocationId;
use crate::value::Value;
use nilas_c::source::Span;
use nilas_c::tree::{BinaryOp, ExprId, ExprKind, Program, UnaryOp, VarId};
use nilas_c::types::{RecordId, TypeId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// How many events are kept from the start of an execution, and how many from its end.
pub const HEAD: usize = 20_000;
/// See [`HEAD`].
pub const TAIL: usize = 40_000;

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// How many calls and loops are open around it.
    pub level: usize,
    /// How many calls are active.
    pub depth: usize,
    /// What it was.
    pub what: What,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// A statement, or the head of one, begins.
    Statement {
        /// Where.
        at: Span,
        /// Its text as the preprocessor left it, without bodies.
        text: String,
        /// The part of the text that stands in the source as it is if no macro was expanded in it.
        core: String,
    },
    /// A condition held, or not.
    Branch(bool),
    /// A `switch` went there: `case 3`, `default`, or behind it.
    Case(String),
    /// A loop begins.
    Loop {
        /// Where its head stands.
        at: Span,
        /// See [`What::Statement`].
        text: String,
        /// See [`What::Statement`].
        core: String,
    },
    /// The head of the innermost loop is reached for this time, from 1.
    Iteration(u64),
    /// Its condition does not hold.
    LoopEnds,
    /// An object changed.
    Change {
        /// What the source calls it.
        name: String,
        /// What it holds now.
        value: String,
        /// The number of the active call whose variable it is; 0 if it outlives all calls.
        owner: usize,
    },
    /// A value from outside.
    Input {
        /// The function that gave it, or the object that was read.
        name: String,
        /// The value.
        value: String,
    },
    /// Memory that nothing was stored to was read: it held this value.
    Uninitialised {
        /// The object.
        name: String,
        /// The value.
        value: String,
    },
    /// Something else that C leaves open went this way.
    Choice(String),
    /// A call begins.
    Enter {
        /// The function.
        function: String,
        /// Parameters and what they hold.
        arguments: Vec<(String, String)>,
    },
    /// A call ends, perhaps with a value.
    Leave(Option<String>),
    /// The execution fails.
    Failure {
        /// Where.
        at: Span,
        /// The undefined behaviour, or the property that is violated; `None` for the error that the program
        /// names.
        what: Option<String>,
        /// The values of the parts of the expression that decided it.
        parts: Vec<(String, String)>,
    },
}

/// The events of an execution.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Course {
    /// The first events.
    pub head: Vec<Event>,
    /// How many are left out behind them.
    pub omitted: u64,
    /// The last events.
    pub tail: Vec<Event>,
}

/// What is open around an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Level {
    Call,
    Loop(u64),
}

/// A part of an expression, and its value.
struct Part {
    expr: ExprId,
    value: Value,
    /// The string that it points to, where that matters.
    string: Option<String>,
}

/// The parts of expressions that a call evaluated.
#[derive(Default)]
struct Parts {
    /// Of the present statement.
    statement: Vec<Part>,
    /// Of the last condition that a branch depended on.
    condition: Vec<Part>,
}

/// Records an execution.
pub struct Tracer {
    head: Vec<Event>,
    omitted: u64,
    tail: VecDeque<Event>,
    levels: Vec<Level>,
    parts: Vec<Parts>,
    /// So many calls of functions of the library are active whose text is not the user's.
    muted: usize,
    /// Allocated objects in their order, and the types of their elements where a store told.
    heap: FxHashMap<AllocationId, (usize, Option<TypeId>)>,
    bitwise: Bitwise,
    /// The arguments of the function whose result is chosen next.
    given: String,
    /// The name and type of what is read next from outside of the program.
    register: Option<(String, TypeId)>,
}

impl Tracer {
    /// A tracer for one execution of a program.
    #[must_use]
    pub fn new(program: &Program) -> Tracer {
        Tracer {
            head: Vec::new(),
            omitted: 0,
            tail: VecDeque::new(),
            levels: Vec::new(),
            parts: Vec::new(),
            muted: 0,
            heap: FxHashMap::default(),
            bitwise: Bitwise::of(program),
            given: String::new(),
            register: None,
        }
    }

    /// What was recorded.
    #[must_use]
    pub fn course(self) -> Course {
        Course { head: self.head, omitted: self.omitted, tail: self.tail.into() }
    }

    fn depth(&self) -> usize {
        self.parts.len()
    }

    fn push(&mut self, what: What) {
        if self.muted > 0 {
            return;
        }
        let event = Event { level: self.levels.len(), depth: self.depth(), what };
        if self.head.len() < HEAD {
            self.head.push(event);
            return;
        }
        if self.tail.len() == TAIL {
            self.tail.pop_front();
            self.omitted += 1;
        }
        self.tail.push_back(event);
    }
}

/// Objects of which single bits matter: operands of bit operators, and what is assigned from these.
#[derive(Default)]
struct Bitwise {
    variables: FxHashSet<VarId>,
    members: FxHashSet<(RecordId, u64)>,
}

impl Bitwise {
    fn of(program: &Program) -> Bitwise {
        let mut found = Bitwise::default();
        for expr in &program.exprs {
            match expr.kind {
                ExprKind::Binary { op, lhs, rhs } if is_bitwise(op) => {
                    found.add(program, lhs);
                    if !matches!(op, BinaryOp::ShiftLeft | BinaryOp::ShiftRight) {
                        found.add(program, rhs);
                    }
                }
                ExprKind::Unary { op: UnaryOp::BitNot, operand } => found.add(program, operand),
                ExprKind::Assign { target, value } | ExprKind::Update { target, value, .. } => {
                    if let ExprKind::Binary { op, .. } = program.exprs[plain(program, value)].kind
                        && is_bitwise(op)
                    {
                        found.add(program, target);
                    }
                }
                _ => {}
            }
        }
        found
    }

    fn add(&mut self, program: &Program, expr: ExprId) {
        match program.exprs[plain(program, expr)].kind {
            ExprKind::Variable(variable) => _ = self.variables.insert(variable),
            ExprKind::Member { base, offset, .. } => {
                if let Some(record) = program.types.as_record(program.exprs[base].ty) {
                    self.members.insert((record, offset));
                }
            }
            // An element of an array: of the variable that it is.
            ExprKind::Deref(pointer) => {
                if let ExprKind::PointerOffset { pointer, .. } = program.exprs[pointer].kind
                    && let ExprKind::ArrayDecay(array) = program.exprs[pointer].kind
                {
                    self.add(program, array);
                }
            }
            _ => {}
        }
    }
}

/// An expression without conversions and loads around it.
fn plain(program: &Program, mut expr: ExprId) -> ExprId {
    while let ExprKind::Convert { operand, .. } | ExprKind::Load(operand) = program.exprs[expr].kind {
        expr = operand;
    }
    expr
}

fn is_bitwise(op: BinaryOp) -> bool {
    matches!(
        op,
        BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor | BinaryOp::ShiftLeft | BinaryOp::ShiftRight
    )
}
