//! Blocks and jumps: which variables a jump can get past the declaration of, and what dies where.
//!
//! A variable begins to live when its block is entered, however that happens, and then holds anything. Its
//! declaration, where it is reached, gives it a value again. So a variable is *skipped* if a jump may lead
//! behind its declaration without passing it: it gets any value at every entry of its block. All others get
//! theirs at the declaration alone.
//!
//! What a variable with a `cleanup` needs is a matter of places in the text: its scope reaches from its
//! declaration to the end of its block, and whatever leads from inside to outside calls the function. (A jump
//! that gets past the declaration enters the scope, too; GCC does the same.)

use crate::index::Id;
use crate::tree::{ExprId, ExprKind, FunctionId, InitValue, LabelId, Program, StmtId, StmtKind, VarId};
use rustc_hash::FxHashMap;

/// See the module's text.
pub(in crate::lower) struct Scopes {
    /// Per variable: a jump may get past its declaration.
    skipped: Vec<bool>,
    /// Per function: a jump in it may lead back.
    back: Vec<bool>,
    /// The block a variable lives in; `None` for parameters, and for blocks of statement expressions, whose
    /// value is taken after they ended.
    blocks: FxHashMap<VarId, StmtId>,
    /// The blocks around a label, outermost first.
    around: FxHashMap<LabelId, Vec<StmtId>>,
    /// The variables with a `cleanup` in whose scope a label is, in the order of their declarations.
    cleanups: FxHashMap<LabelId, Vec<VarId>>,
}

/// What is around a block.
#[derive(Clone, Default)]
struct Around {
    blocks: Vec<StmtId>,
    cleanups: Vec<VarId>,
}

/// A block on the way to the present statement.
struct Open {
    block: StmtId,
    start: usize,
    /// Variables declared so far, with their places.
    declared: Vec<(VarId, usize)>,
}

/// A label, and what was declared around it before: variable, place of the declaration, place and block of
/// its scope.
struct Mark {
    label: LabelId,
    place: usize,
    before: Vec<(VarId, usize, usize, StmtId)>,
}

enum Work {
    Visit(StmtId),
    Close,
}

impl Scopes {
    pub(in crate::lower) fn new(tree: &Program) -> Scopes {
        let mut scopes = Scopes {
            skipped: vec![false; tree.variables.len()],
            back: vec![false; tree.functions.len()],
            blocks: FxHashMap::default(),
            around: FxHashMap::default(),
            cleanups: FxHashMap::default(),
        };
        for (id, function) in tree.functions.enumerate() {
            let Some(body) = function.body else { continue };
            // Jumps out of statement expressions, and computed ones, may come from anywhere.
            let mut jumps: FxHashMap<LabelId, Vec<usize>> = FxHashMap::default();
            for &label in &function.labels {
                if tree.labels[label].address_taken {
                    jumps.entry(label).or_default().push(0);
                }
            }
            let mut inner = Vec::new();
            tree.walk(
                body,
                |_| {},
                |expr| {
                    if let ExprKind::Statement { block, .. } = tree.exprs[expr].kind {
                        inner.push(block);
                    }
                },
            );
            for &block in &inner {
                tree.walk(
                    block,
                    |stmt| {
                        if let StmtKind::Goto(label) = tree.stmts[stmt].kind {
                            jumps.entry(label).or_default().push(0);
                        }
                    },
                    |_| {},
                );
            }
            // Where statement expressions stand; those in them follow.
            let mut found = (!inner.is_empty()).then(Vec::new);
            scopes.back[id.index()] |= scopes.body(tree, body, jumps, &Around::default(), found.as_mut());
            while let Some((block, around)) = found.as_mut().and_then(Vec::pop) {
                let known = std::mem::take(&mut scopes.blocks);
                let none = FxHashMap::default();
                scopes.back[id.index()] |= scopes.body(tree, block, none, &around, found.as_mut());
                scopes.blocks = known;
            }
        }
        scopes
    }

    fn body(
        &mut self,
        tree: &Program,
        body: StmtId,
        mut jumps: FxHashMap<LabelId, Vec<usize>>,
        outside: &Around,
        mut inner: Option<&mut Vec<(StmtId, Around)>>,
    ) -> bool {
        let mut open: Vec<Open> = Vec::new();
        let mut marks: Vec<Mark> = Vec::new();
        let mut ends: FxHashMap<StmtId, usize> = FxHashMap::default();
        let mut work = vec![Work::Visit(body)];
        let mut place = 0;
        while let Some(next) = work.pop() {
            crate::work::poll();
            place += 1;
            let Work::Visit(stmt) = next else {
                if let Some(closed) = open.pop() {
                    ends.insert(closed.block, place);
                }
                continue;
            };
            if let Some(inner) = inner.as_deref_mut() {
                statement_expressions(tree, stmt, &around(tree, outside, &open), inner);
            }
            match &tree.stmts[stmt].kind {
                StmtKind::Block { items, variables } => {
                    for &variable in variables {
                        self.blocks.insert(variable, stmt);
                    }
                    open.push(Open { block: stmt, start: place, declared: Vec::new() });
                    work.push(Work::Close);
                    work.extend(items.iter().rev().map(|&item| Work::Visit(item)));
                    continue;
                }
                StmtKind::Declare(variable) => {
                    if let Some(block) = open.last_mut() {
                        block.declared.push((*variable, place));
                    }
                }
                StmtKind::Goto(label) => jumps.entry(*label).or_default().push(place),
                StmtKind::Switch { cases, default, .. } => {
                    for label in cases.iter().map(|case| case.label).chain(*default) {
                        jumps.entry(label).or_default().push(place);
                    }
                }
                StmtKind::Label(label) => {
                    let here = around(tree, outside, &open);
                    self.around.insert(*label, here.blocks);
                    if !here.cleanups.is_empty() {
                        self.cleanups.insert(*label, here.cleanups);
                    }
                    let before = open.iter().flat_map(|block| {
                        block.declared.iter().map(|&(variable, at)| (variable, at, block.start, block.block))
                    });
                    marks.push(Mark { label: *label, place, before: before.collect() });
                }
                _ => {}
            }
            let at = work.len();
            tree.stmts[stmt].kind.for_each_statement(|child| work.push(Work::Visit(child)));
            work[at..].reverse();
        }
        let mut back = false;
        for mark in marks {
            let all = jumps.get(&mark.label).map_or(&[][..], Vec::as_slice);
            back |= all.iter().any(|&jump| jump == 0 || jump > mark.place);
            for &(variable, declared, start, block) in &mark.before {
                let end = ends.get(&block).copied().unwrap_or(usize::MAX);
                let past = |jump: &usize| *jump < declared || *jump < start || *jump >= end;
                if all.iter().any(past) {
                    self.skipped[variable.index()] = true;
                }
            }
        }
        back
    }

    /// Whether a jump may get past the variable's declaration.
    pub(in crate::lower) fn is_skipped(&self, variable: VarId) -> bool {
        self.skipped[variable.index()]
    }

    /// Whether a `goto` of the function may lead back to where it was before.
    pub(in crate::lower) fn goes_back(&self, function: FunctionId) -> bool {
        self.back[function.index()]
    }

    /// The block in which the variable lives, if it lives shorter than its function.
    pub(in crate::lower) fn block_of(&self, variable: VarId) -> Option<StmtId> {
        self.blocks.get(&variable).copied()
    }

    /// The blocks around a label.
    pub(in crate::lower) fn around(&self, label: LabelId) -> &[StmtId] {
        self.around.get(&label).map_or(&[], Vec::as_slice)
    }

    /// The variables with a `cleanup` in whose scope a label is, in the order of their declarations.
    pub(in crate::lower) fn cleanups(&self, label: LabelId) -> &[VarId] {
        self.cleanups.get(&label).map_or(&[], Vec::as_slice)
    }
}

/// What is around the present statement.
fn around(tree: &Program, outside: &Around, open: &[Open]) -> Around {
    let declared = open.iter().flat_map(|block| block.declared.iter().map(|&(variable, _)| variable));
    let cleanups = declared.filter(|&variable| tree.variables[variable].cleanup.is_some());
    Around {
        blocks: outside.blocks.iter().copied().chain(open.iter().map(|block| block.block)).collect(),
        cleanups: outside.cleanups.iter().copied().chain(cleanups).collect(),
    }
}

/// The statement expressions that stand directly in a statement, with what is around them. Those inside of
/// the value of another one have its block around them.
fn statement_expressions(tree: &Program, stmt: StmtId, here: &Around, found: &mut Vec<(StmtId, Around)>) {
    let mut work: Vec<(ExprId, Option<Around>)> = Vec::new();
    let kind = &tree.stmts[stmt].kind;
    kind.for_each_expr(|expr| work.push((expr, None)));
    if let StmtKind::Declare(variable) = kind
        && let Some(init) = &tree.variables[*variable].init
    {
        work.extend(init.items.iter().filter_map(|item| match item.value {
            InitValue::Expr(expr) => Some((expr, None)),
            InitValue::String { .. } => None,
        }));
    }
    while let Some((expr, inside)) = work.pop() {
        let node = &tree.exprs[expr].kind;
        match *node {
            ExprKind::Statement { block, value } => {
                let mut inside = inside.unwrap_or_else(|| here.clone());
                found.push((block, inside.clone()));
                inside.blocks.push(block);
                if let StmtKind::Block { items, .. } = &tree.stmts[block].kind {
                    inside.cleanups.extend(items.iter().filter_map(|&item| match tree.stmts[item].kind {
                        StmtKind::Declare(variable) => tree.variables[variable].cleanup.map(|_| variable),
                        _ => None,
                    }));
                }
                work.extend(value.map(|value| (value, Some(inside))));
            }
            ExprKind::CompoundLiteral(variable) => {
                for item in tree.variables[variable].init.iter().flat_map(|init| &init.items) {
                    if let InitValue::Expr(expr) = item.value {
                        work.push((expr, inside.clone()));
                    }
                }
            }
            _ => node.for_each_operand(|operand| work.push((operand, inside.clone()))),
        }
    }
}
