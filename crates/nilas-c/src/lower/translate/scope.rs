//! Blocks and jumps: which variables a jump can get past the declaration of, and what dies where.
//!
//! A variable begins to live when its block is entered, however that happens, and then holds anything. Its declaration, where
//! it is reached, gives it a value again. So a variable is *skipped* if a jump may lead behind its declaration without passing
//! it: it gets any value at every entry of its block. All others get theirs at the declaration alone.

use crate::index::Id;
use crate::tree::{ExprKind, FunctionId, LabelId, Program, StmtId, StmtKind, VarId};
use rustc_hash::FxHashMap;

/// See the module's text.
pub(in crate::lower) struct Scopes {
    /// Per variable: a jump may get past its declaration.
    skipped: Vec<bool>,
    /// Per function: a jump in it may lead back.
    back: Vec<bool>,
    /// The block a variable lives in; `None` for parameters, and for blocks of statement expressions, whose value is
    /// taken after they ended.
    blocks: FxHashMap<VarId, StmtId>,
    /// The blocks around a label, outermost first.
    around: FxHashMap<LabelId, Vec<StmtId>>,
}

/// A block on the way to the present statement.
struct Open {
    block: StmtId,
    start: usize,
    /// Variables declared so far, with their places.
    declared: Vec<(VarId, usize)>,
}

/// A label, and what was declared around it before: variable, place of the declaration, place and block of its scope.
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
            scopes.back[id.index()] |= scopes.body(tree, body, jumps);
            for block in inner {
                let known = std::mem::take(&mut scopes.blocks);
                scopes.back[id.index()] |= scopes.body(tree, block, FxHashMap::default());
                scopes.blocks = known;
            }
        }
        scopes
    }

    fn body(&mut self, tree: &Program, body: StmtId, mut jumps: FxHashMap<LabelId, Vec<usize>>) -> bool {
        let mut open: Vec<Open> = Vec::new();
        let mut marks: Vec<Mark> = Vec::new();
        let mut ends: FxHashMap<StmtId, usize> = FxHashMap::default();
        let mut work = vec![Work::Visit(body)];
        let mut place = 0;
        while let Some(next) = work.pop() {
            place += 1;
            let Work::Visit(stmt) = next else {
                if let Some(closed) = open.pop() {
                    ends.insert(closed.block, place);
                }
                continue;
            };
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
                    self.around.insert(*label, open.iter().map(|block| block.block).collect());
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
}
