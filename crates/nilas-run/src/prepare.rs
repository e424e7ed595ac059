//! What is looked up once per program: slots of variables, shapes of types, where labels stand, and what
//! expressions do.

use crate::library::Resolution;
use crate::value::Shape;
use nilas_c::index::Id;
use nilas_c::tree::{Duration, ExprId, ExprKind, FunctionId, LabelId, Program, StmtId, StmtKind, VarId};
use nilas_c::types::TypeId;

/// What an expression does, apart from what functions do that it calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Effects {
    /// It writes an object.
    pub(crate) writes: bool,
    /// It reads an object.
    pub(crate) reads: bool,
    /// It calls a function.
    pub(crate) calls: bool,
}

impl Effects {
    /// Whether it makes a difference when the expression is evaluated.
    pub(crate) fn touches(self) -> bool {
        self.writes || self.reads || self.calls
    }

    fn and(self, other: Effects) -> Effects {
        Effects {
            writes: self.writes || other.writes,
            reads: self.reads || other.reads,
            calls: self.calls || other.calls,
        }
    }
}

/// Tables about a program.
#[derive(Debug)]
pub(crate) struct Tables {
    /// The slot of each automatic variable in the frame of its function.
    slots: Vec<u32>,
    shapes: Vec<Shape>,
    pub(crate) effects: Vec<Effects>,
    /// Whether the operands of an expression are unsequenced and one may touch what another writes.
    pub(crate) conflicts: Vec<bool>,
    /// The range of labels that stand in a statement, as numbers of labels in order of their places.
    ranges: Vec<(u32, u32)>,
    order: Vec<u32>,
    /// What calls of each function mean.
    resolutions: Vec<Resolution>,
    address_taken: Vec<bool>,
}

/// A number that no label has.
const NOWHERE: u32 = u32::MAX;

impl Tables {
    pub(crate) fn new(program: &Program) -> Tables {
        let mut slots = vec![u32::MAX; program.variables.len()];
        for function in &program.functions {
            for (slot, variable) in function.locals.iter().enumerate() {
                slots[variable.index()] = u32::try_from(slot).unwrap_or(u32::MAX);
            }
        }
        let shapes = program.types.ids().map(|ty| Shape::of(&program.types, ty)).collect();
        let mut tables = Tables {
            slots,
            shapes,
            effects: Vec::new(),
            conflicts: vec![false; program.exprs.len()],
            ranges: vec![(NOWHERE, 0); program.stmts.len()],
            order: vec![NOWHERE; program.labels.len()],
            resolutions: crate::library::resolutions(program),
            address_taken: vec![false; program.variables.len()],
        };
        for expr in &program.exprs {
            let (ExprKind::AddressOf(lvalue) | ExprKind::ArrayDecay(lvalue)) = expr.kind else { continue };
            let mut lvalue = lvalue;
            while let ExprKind::Member { base, .. } = program.exprs[lvalue].kind {
                lvalue = base;
            }
            if let ExprKind::Variable(variable) = program.exprs[lvalue].kind {
                tables.address_taken[variable.index()] = true;
            }
        }
        tables.find_effects(program);
        let mut next = 0;
        for function in &program.functions {
            if let Some(body) = function.body {
                tables.find_labels(program, body, &mut next);
            }
        }
        for expr in &program.exprs {
            if let ExprKind::Statement { block, .. } = expr.kind {
                tables.find_labels(program, block, &mut next);
            }
        }
        tables
    }

    /// Whether a pointer to a variable, or to a part of it, is made anywhere.
    pub(crate) fn is_address_taken(&self, variable: VarId) -> bool {
        self.address_taken[variable.index()]
    }

    /// What a call of a function means.
    pub(crate) fn resolution(&self, function: FunctionId) -> Resolution {
        self.resolutions[function.index()]
    }

    /// Whether a call of a function runs a body.
    pub(crate) fn runs_body(&self, function: FunctionId) -> bool {
        matches!(self.resolution(function), Resolution::Body)
    }

    pub(crate) fn slot(&self, variable: VarId) -> usize {
        self.slots[variable.index()] as usize
    }

    pub(crate) fn shape(&self, ty: TypeId) -> Shape {
        self.shapes.get(ty.index()).copied().unwrap_or(Shape::Open)
    }

    /// Whether a label stands in a statement. (Statement expressions are not entered by jumps.)
    pub(crate) fn holds(&self, stmt: StmtId, label: LabelId) -> bool {
        let (first, behind) = self.ranges[stmt.index()];
        (first..behind).contains(&self.order[label.index()])
    }

    fn find_effects(&mut self, program: &Program) {
        let mut effects: Vec<Effects> = vec![Effects::default(); program.exprs.len()];
        let known = |effects: &[Effects], e: ExprId| effects[e.index()];
        for (id, expr) in program.exprs.enumerate() {
            let mut own = Effects::default();
            let mut operands = Vec::new();
            expr.kind.for_each_operand(|operand| {
                own = own.and(known(&effects, operand));
                operands.push(operand);
            });
            let mut sequenced = false;
            match &expr.kind {
                ExprKind::Load(_) => own.reads = true,
                ExprKind::Assign { target, value } => {
                    let inner = known(&effects, *target).and(known(&effects, *value));
                    self.conflicts[id.index()] = inner.writes;
                    own.writes = true;
                }
                ExprKind::Update { target, value, .. } => {
                    let inner = known(&effects, *target).and(known(&effects, *value));
                    self.conflicts[id.index()] = inner.writes;
                    (own.reads, own.writes) = (true, true);
                }
                ExprKind::Materialise { .. } | ExprKind::VaArg(_) | ExprKind::Builtin { .. } => {
                    (own.reads, own.writes) = (true, true);
                }
                ExprKind::Statement { .. } | ExprKind::CompoundLiteral(_) => {
                    own = Effects { writes: true, reads: true, calls: true };
                }
                ExprKind::Call { .. } => own.calls = true,
                ExprKind::And(..) | ExprKind::Or(..) | ExprKind::Comma(..) | ExprKind::Conditional { .. } => {
                    sequenced = true;
                }
                _ => {}
            }
            if !sequenced && operands.len() > 1 {
                let sum =
                    |of: fn(&Effects) -> bool| operands.iter().filter(|&&e| of(&known(&effects, e))).count();
                let writers = sum(|it| it.writes);
                let touching = sum(|it| it.writes || it.reads);
                self.conflicts[id.index()] |= writers > 0 && touching > 1;
            }
            effects[id.index()] = own;
        }
        self.effects = effects;
    }

    /// Numbers the labels of a statement in the order of their places.
    fn find_labels(&mut self, program: &Program, body: StmtId, next: &mut u32) {
        // A statement is met before and after its parts.
        let mut work = vec![(body, false)];
        while let Some((stmt, done)) = work.pop() {
            if done {
                self.ranges[stmt.index()].1 = *next;
                continue;
            }
            self.ranges[stmt.index()].0 = *next;
            if let StmtKind::Label(label) = program.stmts[stmt].kind {
                self.order[label.index()] = *next;
                *next += 1;
            }
            work.push((stmt, true));
            let first = work.len();
            program.stmts[stmt].kind.for_each_statement(|part| work.push((part, false)));
            work[first..].reverse();
        }
    }
}

/// Whether a variable has one object for the whole execution.
pub(crate) fn is_lasting(program: &Program, variable: VarId) -> bool {
    program.variables[variable].duration != Duration::Automatic
}
