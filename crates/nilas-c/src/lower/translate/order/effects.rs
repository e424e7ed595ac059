//! What evaluations read and write: cells of memory, and whether they may end the execution.
//!
//! A cell is a variable that is named, or a class of objects that a pointer may point into. The lowering
//! checks that pointers stay in their classes, so classes may be relied on here.

use crate::index::Id;
use crate::library::catalogue::{Meaning, Model, Writes, row};
use crate::lower::memory::points::{Class, Points, may_call};
use crate::lower::translate::facts::{Facts, root};
use crate::tree::{Callee, Duration, ExprId, ExprKind, FunctionId, Program, StmtKind, VarId};
use rustc_hash::FxHashSet;

/// A piece of memory, as far as it is told apart from others.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Cell {
    /// A variable, by its name.
    Variable(VarId),
    /// A variable of the class, by its name: pointers may point to it, too.
    Named(Class),
    /// What a pointer into the class points to.
    Pointed(Class),
    /// What a pointer of unknown origin points to.
    Outside,
}

/// What an evaluation does.
#[derive(Clone, Default, Debug)]
pub(super) struct Effects {
    pub(super) reads: FxHashSet<Cell>,
    pub(super) writes: FxHashSet<Cell>,
    /// It may end the execution, or go on for ever.
    pub(super) stops: bool,
    /// It may reach the error.
    pub(super) errors: bool,
}

impl Effects {
    /// Whether it matters which of two evaluations comes first.
    pub(super) fn conflicts(&self, other: &Effects) -> bool {
        let touches = |writes: &FxHashSet<Cell>, of: &Effects| {
            writes.iter().any(|cell| {
                let hit = |cell: Cell| of.reads.contains(&cell) || of.writes.contains(&cell);
                match *cell {
                    Cell::Variable(_) | Cell::Outside => hit(*cell),
                    Cell::Named(class) => hit(Cell::Pointed(class)),
                    Cell::Pointed(class) => hit(Cell::Pointed(class)) || hit(Cell::Named(class)),
                }
            })
        };
        touches(&self.writes, other)
            || touches(&other.writes, self)
            || (self.stops && other.errors)
            || (other.stops && self.errors)
    }

    /// Adds all of another; whether that was new.
    fn add(&mut self, other: &Effects) -> bool {
        let before = (self.reads.len(), self.writes.len(), self.stops, self.errors);
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
        self.stops |= other.stops;
        self.errors |= other.errors;
        before != (self.reads.len(), self.writes.len(), self.stops, self.errors)
    }
}

/// Effects of accesses and of whole functions.
pub(super) struct Analysis<'p> {
    pub(super) tree: &'p Program,
    pub(super) facts: &'p Facts,
    pub(super) points: &'p Points,
    /// What a call of a function with a body does, its own variables left out.
    functions: Vec<Effects>,
}

impl<'p> Analysis<'p> {
    pub(super) fn new(tree: &'p Program, facts: &'p Facts, points: &'p Points) -> Self {
        let functions = vec![Effects::default(); tree.functions.len()];
        let mut analysis = Analysis { tree, facts, points, functions };
        analysis.summarise();
        analysis
    }

    /// Whether it matters how often a function is called, and when.
    pub(super) fn is_quiet(&self, function: FunctionId) -> bool {
        let effects = &self.functions[function.index()];
        effects.writes.is_empty() && !effects.errors
    }

    /// Effects of every function: its own, and those of what it calls, until nothing is added.
    fn summarise(&mut self) {
        let tree = self.tree;
        let mut callers: Vec<Vec<FunctionId>> = vec![Vec::new(); tree.functions.len()];
        for (id, function) in tree.functions.enumerate() {
            let Some(body) = function.body else { continue };
            let mut own = Effects::default();
            let mut callees = Vec::new();
            let mut exprs = Vec::new();
            let mut loops = self.facts.is_recursive(id);
            tree.walk(
                body,
                |stmt| {
                    loops |= matches!(
                        tree.stmts[stmt].kind,
                        StmtKind::While { .. }
                            | StmtKind::DoWhile { .. }
                            | StmtKind::For { .. }
                            | StmtKind::Goto(_)
                            | StmtKind::ComputedGoto { .. }
                    );
                },
                |expr| exprs.push(expr),
            );
            own.stops = loops;
            for expr in exprs {
                self.access(expr, &mut own);
                if let ExprKind::Call { callee, arguments } = &tree.exprs[expr].kind {
                    self.outside_call(callee, arguments, &mut own);
                    self.callees(*callee, arguments, &mut callees);
                }
            }
            // A variable of its own lives in another instance than the caller's.
            let foreign = |cell: &Cell| match cell {
                Cell::Variable(variable) => tree.variables[*variable].duration != Duration::Automatic,
                _ => true,
            };
            own.reads.retain(foreign);
            own.writes.retain(foreign);
            self.functions[id.index()] = own;
            callees.sort_unstable();
            callees.dedup();
            for callee in callees {
                callers[callee.index()].push(id);
            }
        }
        let mut work: Vec<FunctionId> = tree.functions.ids().collect();
        while let Some(callee) = work.pop() {
            crate::work::poll();
            if callers[callee.index()].is_empty() {
                continue;
            }
            let effects = self.functions[callee.index()].clone();
            for &caller in &callers[callee.index()] {
                if caller != callee && self.functions[caller.index()].add(&effects) && !work.contains(&caller)
                {
                    work.push(caller);
                }
            }
        }
    }

    /// The functions that a call may run.
    fn callees(&self, callee: Callee, arguments: &[ExprId], into: &mut Vec<FunctionId>) {
        let tree = self.tree;
        match callee {
            Callee::Function(function) => {
                into.push(function);
                // What has no body may call what it is given.
                let given = |&argument: &ExprId| {
                    tree.types
                        .pointee(tree.exprs[argument].ty)
                        .is_some_and(|to| tree.types.as_function(to).is_some())
                };
                if tree.functions[function].body.is_none() && arguments.iter().any(given) {
                    into.extend(&self.facts.targets);
                }
            }
            Callee::Pointer(pointer) => {
                into.extend(self.facts.targets.iter().filter(|&&target| may_call(tree, pointer, target)));
            }
        }
    }

    /// What a call does to memory and to the execution, the evaluation of its arguments left out.
    pub(super) fn call(&self, expr: ExprId) -> Effects {
        let mut effects = Effects::default();
        if let ExprKind::Call { callee, arguments } = &self.tree.exprs[expr].kind {
            self.outside_call(callee, arguments, &mut effects);
            let mut callees = Vec::new();
            self.callees(*callee, arguments, &mut callees);
            for callee in callees {
                effects.add(&self.functions[callee.index()]);
            }
        }
        effects
    }

    /// What functions without body do: the catalogue says it, or they read and write all that they are given.
    fn outside_call(&self, callee: &Callee, arguments: &[ExprId], into: &mut Effects) {
        let tree = self.tree;
        let Callee::Function(function) = *callee else { return };
        let declared = &tree.functions[function];
        if declared.body.is_some() {
            return;
        }
        let row = row(&declared.name);
        let meaning = row.and_then(|row| match row.model {
            Model::Lowering(meaning) => Some(meaning),
            _ => None,
        });
        match meaning {
            Some(Meaning::Error | Meaning::Assert) => into.errors = true,
            Some(Meaning::Exit) => {
                into.stops = true;
                into.errors |= tree.functions.iter().any(|f| f.destructor.is_some())
                    || tree.function("__nilas_run_at_exit").is_some();
            }
            Some(Meaning::Stop | Meaning::Assume) => into.stops = true,
            _ => into.stops |= declared.noreturn,
        }
        for (number, &argument) in arguments.iter().enumerate() {
            if tree.types.pointee(tree.exprs[argument].ty).is_none() {
                continue;
            }
            let writes = match (row.map(|row| row.writes), meaning) {
                (_, Some(Meaning::Free | Meaning::Reallocate)) | (None, _) => true,
                (Some(Writes::Nothing), _) => false,
                (Some(Writes::Through(all)), _) => all.iter().any(|&one| usize::from(one) == number),
                (Some(Writes::From(first)), _) => number >= usize::from(first),
            };
            let mut class = Some(self.points.of_expr(argument));
            let mut seen = Vec::new();
            while let Some(next) = class.filter(|next| !seen.contains(next)) {
                seen.push(next);
                self.pointed(next, &mut into.reads);
                if writes {
                    self.pointed(next, &mut into.writes);
                }
                class = self.points.content_of(next);
            }
        }
    }

    fn pointed(&self, class: Class, into: &mut FxHashSet<Cell>) {
        into.insert(Cell::Pointed(class));
        let origin = self.points.origin(class);
        if origin.external || origin.number {
            into.insert(Cell::Outside);
        }
    }

    /// What the node itself accesses, its operands left out.
    pub(super) fn access(&self, expr: ExprId, into: &mut Effects) {
        let node = &self.tree.exprs[expr];
        match &node.kind {
            ExprKind::Load(place) => self.cells(*place, &mut into.reads),
            ExprKind::Assign { target, .. } => self.cells(*target, &mut into.writes),
            ExprKind::Update { target, .. } => {
                self.cells(*target, &mut into.reads);
                self.cells(*target, &mut into.writes);
            }
            ExprKind::CompoundLiteral(variable) | ExprKind::Materialise { variable, .. } => {
                self.variable(*variable, &mut into.writes);
            }
            ExprKind::Builtin { arguments, .. } => {
                for &argument in arguments {
                    if self.tree.exprs[argument].kind.is_lvalue() {
                        self.cells(argument, &mut into.reads);
                        self.cells(argument, &mut into.writes);
                    } else if self.tree.types.pointee(self.tree.exprs[argument].ty).is_some() {
                        self.pointed(self.points.of_expr(argument), &mut into.writes);
                    }
                }
            }
            ExprKind::VaArg(list) => {
                self.cells(*list, &mut into.reads);
                self.cells(*list, &mut into.writes);
            }
            _ => {}
        }
    }

    fn variable(&self, variable: VarId, into: &mut FxHashSet<Cell>) {
        into.insert(Cell::Variable(variable));
        if self.facts.is_escaped(variable) {
            into.insert(Cell::Named(self.points.of_variable(variable)));
        }
    }

    /// The cells of an lvalue.
    pub(super) fn cells(&self, lvalue: ExprId, into: &mut FxHashSet<Cell>) {
        match root(self.tree, lvalue) {
            Some(variable) => self.variable(variable, into),
            None if matches!(self.tree.exprs[lvalue].kind, ExprKind::String(_)) => {}
            None => self.pointed(self.points.of_expr(lvalue), into),
        }
    }
}
