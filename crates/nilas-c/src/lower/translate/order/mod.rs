//! Evaluation order, where C leaves it open (6.5p2, 6.5p3).
//!
//! The operands of most operators, the arguments of a call and both sides of an assignment may be evaluated
//! in any order, interleaved. What is evaluated between two sequence points is a *region*: a tree of
//! operators over leaves (reads of objects, calls, assignments, lazy operators). Where two leaves conflict,
//! because one changes what the other reads or changes, or one may end the execution before the other reaches
//! the error:
//!
//! - If one leaf takes part in all conflicts of the region (the *centre*), each of the others (the
//!   *satellites*) is evaluated before or after it, by a choice: all orders are explored. ([`schedule`] does
//!   it.)
//! - Conflicts between two calls or a call and an access are indeterminately sequenced: their orders are all
//!   there is.
//! - Two accesses of the same object outside of calls are unsequenced, which is undefined.
//! - All else is *unmodelled*.
//!
//! Elements of an initialiser are regions of their own: each is evaluated as a whole, in any order
//! (6.7.9p23).

mod effects;
mod place;
mod schedule;

use crate::index::Id;
use crate::lower::memory::layout::scalar;
use crate::lower::memory::points::Points;
use crate::lower::translate::facts::Facts;
use crate::tree::{Callee, ExprId, ExprKind, FunctionId, InitValue, Program, Scale, StmtKind, VarId};
use effects::{Analysis, Effects};
use place::{Overlap, overlap};
use rustc_hash::FxHashMap;

/// How a region is evaluated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::lower) enum Plan {
    /// Satellites before or after the centre.
    Around { centre: ExprId, satellites: Vec<ExprId> },
    /// Two unsequenced accesses of the same object.
    Undefined,
    /// Too many orders, or accesses that may be unsequenced.
    Open,
}

/// The regions with conflicts.
#[derive(Default)]
pub(in crate::lower) struct Order {
    /// By the root of the region.
    regions: FxHashMap<ExprId, Plan>,
    /// By the variable that is initialised.
    initialisers: FxHashMap<VarId, Plan>,
    /// Per function: it writes nothing but its own variables, and does not reach the error.
    quiet: Vec<bool>,
}

/// One evaluation inside of a leaf.
struct Atom {
    /// The node.
    expr: ExprId,
    effects: Effects,
    /// It is the body of a call.
    call: bool,
}

struct Finder<'p> {
    analysis: Analysis<'p>,
    /// Unsequenced accesses that may be the same object are not explored but left open.
    strict: bool,
}

impl Order {
    pub(in crate::lower) fn new(tree: &Program, facts: &Facts, points: &Points, strict: bool) -> Order {
        let finder = Finder { analysis: Analysis::new(tree, facts, points), strict };
        let mut order = Order::default();
        let inner = inner_nodes(tree);
        for (id, expr) in tree.exprs.enumerate() {
            let unit = is_unit(&expr.kind);
            if facts.has_effects(id) && (unit || !inner[id.index()]) {
                let mut leaves = Vec::new();
                operands(&expr.kind, |operand| finder.leaves(operand, &mut leaves));
                if let Some(plan) = finder.plan(id, &leaves) {
                    order.regions.insert(id, plan);
                }
            }
        }
        for (id, variable) in tree.variables.enumerate() {
            let Some(init) = variable.init.as_ref().filter(|_| variable.function.is_some()) else { continue };
            let mut items: Vec<ExprId> = init
                .items
                .iter()
                .filter_map(|item| match item.value {
                    InitValue::Expr(expr) => Some(expr),
                    InitValue::String { .. } => None,
                })
                .collect();
            items.dedup();
            if items.len() > 1
                && items.iter().any(|&item| facts.has_effects(item))
                && let Some(plan) = finder.plan_of_items(&items)
            {
                order.initialisers.insert(id, plan);
            }
        }
        order.quiet = tree.functions.ids().map(|function| finder.analysis.is_quiet(function)).collect();
        order
    }

    /// Whether it does not matter how often a function is called, and when.
    pub(in crate::lower) fn is_quiet(&self, function: FunctionId) -> bool {
        self.quiet.get(function.index()).is_some_and(|&quiet| quiet)
    }

    pub(in crate::lower) fn region(&self, expr: ExprId) -> Option<&Plan> {
        self.regions.get(&expr)
    }

    pub(in crate::lower) fn initialiser(&self, variable: VarId) -> Option<&Plan> {
        self.initialisers.get(&variable)
    }
}

/// Whether a node is a leaf of the region it stands in.
fn is_unit(kind: &ExprKind) -> bool {
    matches!(
        kind,
        ExprKind::Load(_)
            | ExprKind::Old
            | ExprKind::Call { .. }
            | ExprKind::Assign { .. }
            | ExprKind::Update { .. }
            | ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::Conditional { .. }
            | ExprKind::Comma(..)
            | ExprKind::Statement { .. }
            | ExprKind::CompoundLiteral(_)
            | ExprKind::Materialise { .. }
            | ExprKind::Builtin { .. }
            | ExprKind::VaArg(_)
    )
}

/// The operands of a node that belong to the region that it is the root of.
fn operands(kind: &ExprKind, mut visit: impl FnMut(ExprId)) {
    match kind {
        // Sequenced, or evaluated with the region around them.
        ExprKind::And(..)
        | ExprKind::Or(..)
        | ExprKind::Conditional { .. }
        | ExprKind::Comma(..)
        | ExprKind::Statement { .. }
        | ExprKind::CompoundLiteral(_) => {}
        ExprKind::Call { callee, arguments } => {
            if let Callee::Pointer(pointer) = callee {
                visit(*pointer);
            }
            arguments.iter().copied().for_each(visit);
        }
        ExprKind::PointerOffset { pointer: lhs, index: rhs, scale, .. }
        | ExprKind::PointerDifference { lhs, rhs, scale } => {
            visit(*lhs);
            visit(*rhs);
            if let Scale::Dynamic(size) = scale {
                visit(*size);
            }
        }
        other => other.for_each_operand(visit),
    }
}

/// Which nodes are evaluated as part of a region whose root is above them.
fn inner_nodes(tree: &Program) -> Vec<bool> {
    let mut inner = vec![false; tree.exprs.len()];
    for expr in &tree.exprs {
        operands(&expr.kind, |operand| inner[operand.index()] = true);
    }
    inner
}

impl Finder<'_> {
    fn tree(&self) -> &Program {
        self.analysis.tree
    }

    /// The leaves under a node, from left to right.
    fn leaves(&self, expr: ExprId, into: &mut Vec<ExprId>) {
        let mut work = vec![expr];
        while let Some(next) = work.pop() {
            crate::work::poll();
            let kind = &self.tree().exprs[next].kind;
            if is_unit(kind) {
                into.push(next);
                continue;
            }
            let start = work.len();
            operands(kind, |operand| work.push(operand));
            work[start..].reverse();
        }
    }

    /// All evaluations inside of a leaf.
    fn atoms(&self, leaf: ExprId) -> Vec<Atom> {
        let tree = self.tree();
        let mut atoms = Vec::new();
        let mut work = vec![leaf];
        while let Some(next) = work.pop() {
            crate::work::poll();
            let kind = &tree.exprs[next].kind;
            let mut effects = Effects::default();
            self.analysis.access(next, &mut effects);
            if !effects.reads.is_empty() || !effects.writes.is_empty() {
                atoms.push(Atom { expr: next, effects, call: false });
            }
            kind.for_each_operand(|operand| work.push(operand));
            match kind {
                ExprKind::Call { .. } => {
                    atoms.push(Atom { expr: next, effects: self.analysis.call(next), call: true });
                }
                ExprKind::CompoundLiteral(variable) => {
                    let init = self.tree().variables[*variable].init.iter().flat_map(|init| &init.items);
                    work.extend(init.filter_map(|item| match item.value {
                        InitValue::Expr(expr) => Some(expr),
                        InitValue::String { .. } => None,
                    }));
                }
                ExprKind::Statement { block, .. } => self.statements(*block, &mut work),
                _ => {}
            }
        }
        atoms
    }

    /// The expressions that stand directly in a block.
    fn statements(&self, block: crate::tree::StmtId, into: &mut Vec<ExprId>) {
        let tree = self.tree();
        let mut work = vec![block];
        while let Some(next) = work.pop() {
            let kind = &tree.stmts[next].kind;
            kind.for_each_statement(|child| work.push(child));
            kind.for_each_expr(|expr| into.push(expr));
            if let StmtKind::Declare(variable) = kind {
                let variable = &tree.variables[*variable];
                into.extend(variable.cleanup);
                into.extend(variable.init.iter().flat_map(|init| &init.items).filter_map(|item| {
                    match item.value {
                        InitValue::Expr(expr) => Some(expr),
                        InitValue::String { .. } => None,
                    }
                }));
            }
        }
    }

    /// How to evaluate the region of a root with these leaves; `None` if the order does not matter.
    fn plan(&self, root: ExprId, leaves: &[ExprId]) -> Option<Plan> {
        let facts = self.analysis.facts;
        let active = leaves.iter().any(|&leaf| facts.has_effects(leaf));
        if !active {
            return None;
        }
        // The old value of an update is read anew, whatever the value is made of.
        let old = match self.tree().exprs[root].kind {
            ExprKind::Update { target, old, .. } => Some((old, target)),
            _ => None,
        };
        let atoms: Vec<Vec<Atom>> = leaves
            .iter()
            .map(|&leaf| match old {
                Some((node, target)) if node == leaf => {
                    let mut effects = Effects::default();
                    self.analysis.cells(target, &mut effects.reads);
                    vec![Atom { expr: target, effects, call: false }]
                }
                _ => self.atoms(leaf),
            })
            .collect();
        if let Some(plan) = self.own_store(root, leaves, &atoms) {
            return Some(plan);
        }
        let mut pairs: Vec<(usize, usize)> = Vec::new();
        for i in 0..leaves.len() {
            for j in i + 1..leaves.len() {
                if !facts.has_effects(leaves[i]) && !facts.has_effects(leaves[j]) {
                    continue;
                }
                let mut count = 0;
                for a in &atoms[i] {
                    for b in &atoms[j] {
                        if !a.effects.conflicts(&b.effects) {
                            continue;
                        }
                        if !a.call && !b.call {
                            match overlap(self.analysis.tree, self.lvalue(a), self.lvalue(b)) {
                                Overlap::Never => continue,
                                Overlap::Always => return Some(Plan::Undefined),
                                Overlap::Maybe if self.strict => return Some(Plan::Open),
                                Overlap::Maybe => {}
                            }
                        }
                        count += 1;
                    }
                }
                if count > 1 {
                    return Some(Plan::Open);
                }
                if count > 0 {
                    pairs.push((i, j));
                }
            }
        }
        // The place of an update is found before its old value is read.
        if let Some((_, target)) = old {
            let mut fixed = Vec::new();
            self.leaves(target, &mut fixed);
            if pairs.iter().any(|&(i, _)| i < fixed.len()) {
                return Some(Plan::Open);
            }
        }
        self.around(leaves, &pairs)
    }

    /// The lvalue that a direct access means.
    fn lvalue(&self, atom: &Atom) -> Option<ExprId> {
        match self.tree().exprs[atom.expr].kind {
            ExprKind::Load(place) => Some(place),
            ExprKind::Assign { target, .. } | ExprKind::Update { target, .. } => Some(target),
            ref kind if kind.is_lvalue() => Some(atom.expr),
            _ => None,
        }
    }

    /// What an assignment stores is sequenced behind the values of its operands, but not behind their side
    /// effects.
    fn own_store(&self, root: ExprId, leaves: &[ExprId], atoms: &[Vec<Atom>]) -> Option<Plan> {
        let tree = self.tree();
        let (target, value) = match tree.exprs[root].kind {
            ExprKind::Assign { target, value } => (target, value),
            ExprKind::Update { target, value, .. } => (target, value),
            _ => return None,
        };
        let mut stored = Effects::default();
        self.analysis.cells(target, &mut stored.writes);
        // In `a = b = c` both store one value.
        let mut chained = value;
        while let ExprKind::Convert { operand, .. } = tree.exprs[chained].kind {
            chained = operand;
        }
        let side_effects = atoms.iter().zip(leaves).flat_map(|(atoms, &leaf)| {
            atoms.iter().filter(move |atom| {
                let same_value = leaf == chained && atom.expr == chained;
                !atom.call && !same_value && !atom.effects.writes.is_empty()
            })
        });
        for atom in side_effects {
            let mut written = Effects::default();
            written.writes.clone_from(&atom.effects.writes);
            if stored.conflicts(&written) && self.is_unsequenced(atom.expr, leaves) {
                match overlap(tree, Some(target), self.lvalue(atom)) {
                    Overlap::Never => {}
                    Overlap::Always => return Some(Plan::Undefined),
                    Overlap::Maybe => return Some(Plan::Open),
                }
            }
        }
        None
    }

    /// Whether a side effect inside of the leaves may come behind the value of its leaf: none that a sequence
    /// point ends.
    fn is_unsequenced(&self, effect: ExprId, leaves: &[ExprId]) -> bool {
        let tree = self.tree();
        let mut work: Vec<ExprId> = leaves.to_vec();
        while let Some(next) = work.pop() {
            if next == effect {
                return true;
            }
            match tree.exprs[next].kind {
                // All but the last value is complete when the next one begins; a call begins behind its
                // arguments.
                ExprKind::And(_, last) | ExprKind::Or(_, last) | ExprKind::Comma(_, last) => work.push(last),
                ExprKind::Conditional { then, otherwise, .. } => work.extend([then, otherwise]),
                ExprKind::Call { .. } => {}
                ExprKind::Statement { .. } => {}
                ref kind => kind.for_each_operand(|operand| work.push(operand)),
            }
        }
        false
    }

    /// The star of conflicts around one leaf.
    fn around(&self, leaves: &[ExprId], pairs: &[(usize, usize)]) -> Option<Plan> {
        let &(first, second) = pairs.first()?;
        let takes_part = |leaf: usize| pairs.iter().all(|&(i, j)| i == leaf || j == leaf);
        let types = &self.tree().types;
        let simple = |leaf: usize| scalar(types, self.tree().exprs[leaves[leaf]].ty).is_some();
        let calls =
            |leaf: usize| matches!(self.tree().exprs[leaves[leaf]].kind, ExprKind::Load(_) | ExprKind::Old);
        // What is evaluated once is better the larger one: not a plain read.
        let mut centres: Vec<usize> = [second, first].into_iter().filter(|&leaf| takes_part(leaf)).collect();
        centres.sort_by_key(|&leaf| calls(leaf));
        for centre in centres {
            let satellites: Vec<usize> =
                pairs.iter().map(|&(i, j)| if i == centre { j } else { i }).collect();
            let old = matches!(self.tree().exprs[leaves[centre]].kind, ExprKind::Old);
            if !old && simple(centre) && satellites.iter().all(|&leaf| simple(leaf)) {
                let satellites = satellites.into_iter().map(|leaf| leaves[leaf]).collect();
                return Some(Plan::Around { centre: leaves[centre], satellites });
            }
        }
        Some(Plan::Open)
    }

    /// Elements of an initialiser: each is evaluated as a whole.
    fn plan_of_items(&self, items: &[ExprId]) -> Option<Plan> {
        let mut pairs = Vec::new();
        let atoms: Vec<Vec<Atom>> = items.iter().map(|&item| self.atoms(item)).collect();
        for i in 0..items.len() {
            for j in i + 1..items.len() {
                if atoms[i].iter().any(|a| atoms[j].iter().any(|b| a.effects.conflicts(&b.effects))) {
                    pairs.push((i, j));
                }
            }
        }
        self.around(items, &pairs)
    }
}
