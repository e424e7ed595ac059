//! Statements.

use crate::lower::build::levels::Level;
use crate::lower::calls::Way;
use crate::lower::lowering::Lowering;
use crate::lower::memory::Key;
use crate::lower::memory::layout::scalar;
use crate::lower::translate::expr::whole;
use crate::lower::translate::temporary::Purpose;
use crate::tree::{ExprId, InitValue, LabelId, StmtId, StmtKind, SwitchCase, VarId};
use nilas_fault::{Fault, planted};
use nilas_term::Term;

impl Lowering<'_> {
    /// Lowers a statement. Where nothing leads to, only what holds a label is looked at.
    pub(in crate::lower) fn stmt(&mut self, stmt: StmtId) {
        crate::work::poll();
        // What was read from open memory is used up at the end of the statement.
        let pending = self.memory.reads.pending;
        self.statement(stmt);
        self.memory.reads.pending = pending;
    }

    fn statement(&mut self, stmt: StmtId) {
        if !self.build.reachable() && !self.facts.has_label(stmt) {
            return;
        }
        let tree = self.tree;
        let node = &tree.stmts[stmt];
        self.build.span = node.span;
        match &node.kind {
            StmtKind::Empty => {}
            StmtKind::Expr(expr) => self.effect(*expr),
            StmtKind::Block { .. } => self.block(stmt, |_| {}),
            StmtKind::Declare(variable) => self.declare(*variable),
            StmtKind::Label(label) => self.label(*label),
            StmtKind::If { condition, then, otherwise } => self.if_else(*condition, *then, *otherwise),
            StmtKind::Switch { value, body, cases, default } => self.switch(*value, *body, cases, *default),
            StmtKind::While { condition, body } => {
                self.loops += 1;
                let (head, exit) = (self.build.new_location(), self.build.new_location());
                self.note_head(head, stmt);
                self.goto_or_label(head, *body);
                let exits = self.loop_test(Some(*condition));
                self.loop_body(*body, head, exit);
                self.build.goto(head);
                self.loops -= 1;
                self.leave(exits, exit);
            }
            StmtKind::DoWhile { body, condition } => {
                self.loops += 1;
                let (head, test, exit) =
                    (self.build.new_location(), self.build.new_location(), self.build.new_location());
                self.note_head(head, stmt);
                self.goto_or_label(head, *body);
                let next = if planted(Fault::DoWhileContinueToHead) { head } else { test };
                self.loop_body(*body, next, exit);
                self.build.goto(test);
                if self.build.has_incoming(test) {
                    self.build.continue_at(test);
                }
                self.build.span = tree.exprs[*condition].span;
                let exits = self.loop_test(Some(*condition));
                self.build.goto(head);
                self.loops -= 1;
                self.leave(exits, exit);
            }
            StmtKind::For { condition, step, body } => {
                self.loops += 1;
                let (head, next, exit) =
                    (self.build.new_location(), self.build.new_location(), self.build.new_location());
                self.note_head(head, stmt);
                self.goto_or_label(head, *body);
                let exits = self.loop_test(*condition);
                let continued = if planted(Fault::ContinueSkipsStep) { head } else { next };
                self.loop_body(*body, continued, exit);
                self.build.goto(next);
                if self.build.has_incoming(next) {
                    self.build.continue_at(next);
                    if let Some(step) = step {
                        self.effect(*step);
                    }
                    self.build.goto(head);
                }
                self.loops -= 1;
                self.leave(exits, exit);
            }
            StmtKind::Goto(label) => {
                let target = self.label_location(*label);
                if !planted(Fault::GotoSkipsCleanup) {
                    self.clean_up(self.kept_cleanups(*label));
                }
                self.enter_blocks(*label);
                self.build.goto(target);
            }
            StmtKind::ComputedGoto { target, barred } => self.computed_goto(*target, barred),
            StmtKind::Break => {
                if let Some(&way) = self.frame().breaks.last() {
                    self.leave_by(way);
                }
            }
            StmtKind::Continue => {
                if let Some(&way) = self.frame().continues.last() {
                    self.leave_by(way);
                }
            }
            StmtKind::Return(value) => self.return_value(*value),
            StmtKind::Asm(asm) => self.assembly(asm),
        }
    }

    /// Lowers a block; `last` is evaluated in its scope, at its end.
    pub(in crate::lower) fn block<T>(&mut self, block: StmtId, last: impl FnOnce(&mut Self) -> T) -> T {
        let tree = self.tree;
        let StmtKind::Block { items, .. } = &tree.stmts[block].kind else { return last(self) };
        self.enter_block(block);
        self.frame_mut().blocks.push(block);
        let outside = self.frame().cleanups.len();
        for &item in items {
            self.stmt(item);
            // The scope begins behind the declaration, whether that is reached or not.
            if let StmtKind::Declare(variable) = tree.stmts[item].kind
                && tree.variables[variable].cleanup.is_some()
            {
                self.frame_mut().cleanups.push(variable);
            }
        }
        let result = last(self);
        self.clean_up(outside);
        self.frame_mut().cleanups.truncate(outside);
        self.frame_mut().blocks.pop();
        result
    }

    /// Calls the `cleanup` of the variables in scope but for the first so many, the last declared first.
    fn clean_up(&mut self, kept: usize) {
        let mut left = self.frame().cleanups[kept..].to_vec();
        if planted(Fault::CleanupInOrder) {
            left.reverse();
        }
        for variable in left.into_iter().rev() {
            if let Some(call) = self.tree.variables[variable].cleanup {
                self.effect(call);
            }
        }
    }

    fn leave_by(&mut self, way: Way) {
        self.clean_up(way.cleanups);
        self.build.goto(way.target);
    }

    /// How many of the variables with a `cleanup` a jump from here to a label leaves in scope.
    fn kept_cleanups(&self, label: LabelId) -> usize {
        let (here, there) = (&self.frame().cleanups, self.scopes.cleanups(label));
        here.iter().zip(there).take_while(|(here, there)| here == there).count()
    }

    /// Enters a loop head; a body with labels may be entered elsewhere, too.
    fn goto_or_label(&mut self, head: nilas_program::LocationId, body: StmtId) {
        if self.build.reachable() {
            self.build.goto(head);
            self.build.continue_at(head);
        } else if self.facts.has_label(body) {
            // A jump into the body may come round to the head.
            self.build.continue_at(head);
        }
    }

    /// The condition of a loop; where it fails (`None`: nowhere).
    fn loop_test(&mut self, condition: Option<ExprId>) -> Option<nilas_program::LocationId> {
        match condition {
            Some(condition) if self.build.reachable() => {
                self.build.span = self.tree.exprs[condition].span;
                self.test(condition)
            }
            _ => None,
        }
    }

    fn loop_body(&mut self, body: StmtId, next: nilas_program::LocationId, exit: nilas_program::LocationId) {
        let cleanups = self.frame().cleanups.len();
        self.frame_mut().breaks.push(Way { target: exit, cleanups });
        self.frame_mut().continues.push(Way { target: next, cleanups });
        self.stmt(body);
        self.frame_mut().breaks.pop();
        self.frame_mut().continues.pop();
    }

    /// Goes on behind a loop.
    fn leave(&mut self, exits: Option<nilas_program::LocationId>, exit: nilas_program::LocationId) {
        if let Some(exits) = exits {
            self.build.continue_at(exits);
            if !self.build.has_incoming(exit) {
                return;
            }
            if !planted(Fault::LoopExitLost) {
                self.build.goto(exit);
            }
        }
        self.build.here = None;
        if self.build.has_incoming(exit) {
            self.build.continue_at(exit);
        }
    }

    fn if_else(&mut self, condition: ExprId, then: StmtId, mut otherwise: Option<StmtId>) {
        // A chain of `else if` is walked by a loop: it can be very long.
        let meet = self.build.new_location();
        let (mut condition, mut then) = (condition, then);
        loop {
            self.build.span = self.tree.exprs[condition].span;
            let other = if self.build.reachable() { self.test(condition) } else { None };
            self.stmt(then);
            self.build.goto(meet);
            match other {
                Some(other) => self.build.continue_at(other),
                None => self.build.here = None,
            }
            if planted(Fault::ElseLost) && otherwise.is_some() {
                self.build.here = None;
            }
            let Some(next) = otherwise else { break };
            if let StmtKind::If { condition: c, then: t, otherwise: o } = self.tree.stmts[next].kind {
                if !self.build.reachable() && !self.facts.has_label(next) {
                    break;
                }
                (condition, then, otherwise) = (c, t, o);
            } else {
                self.stmt(next);
                break;
            }
        }
        if self.build.has_incoming(meet) {
            self.build.goto(meet);
            self.build.continue_at(meet);
        }
    }

    fn switch(&mut self, value: ExprId, body: StmtId, cases: &[SwitchCase], default: Option<LabelId>) {
        let exit = self.build.new_location();
        if self.build.reachable() {
            let ty = self.tree.exprs[value].ty;
            let term = self.term(value);
            let term =
                if self.facts.has_effects(value) { self.save(value, Purpose::Saved, term) } else { term };
            self.build.span = self.tree.exprs[value].span;
            if self.build.level(term) != Level::Clean {
                self.build.unmodelled("a `switch` on an address");
            }
            let mut hits: Vec<Term> = Vec::new();
            for case in cases {
                let hit = self.in_range(term, case, ty);
                self.jump_if(hit, case.label);
                hits.push(hit);
            }
            let any = self.build.arena.or(&hits);
            let none = self.build.arena.not(any);
            match default {
                Some(_) if planted(Fault::SwitchDefaultLost) => {}
                Some(label) => self.jump_if(none, label),
                None => {
                    self.build.branch(none, exit);
                }
            }
            self.build.here = None;
        }
        let cleanups = self.frame().cleanups.len();
        self.frame_mut().breaks.push(Way { target: exit, cleanups });
        self.stmt(body);
        self.frame_mut().breaks.pop();
        self.build.goto(exit);
        if self.build.has_incoming(exit) {
            self.build.continue_at(exit);
        }
    }

    fn in_range(&mut self, term: Term, case: &SwitchCase, ty: crate::types::TypeId) -> Term {
        let low = self.int_constant(case.low, ty);
        if case.low == case.high {
            return self.build.arena.eq(term, low);
        }
        let high = self.int_constant(case.high, ty);
        let signed = self.is_signed(ty);
        let above = self.compare_bits(crate::tree::CompareOp::LessEqual, low, term, signed);
        let open = planted(Fault::CaseRangeOpen);
        let order = if open { crate::tree::CompareOp::Less } else { crate::tree::CompareOp::LessEqual };
        let below = self.compare_bits(order, term, high, signed);
        self.build.arena.and(&[above, below])
    }

    fn label_location(&mut self, label: LabelId) -> nilas_program::LocationId {
        if let Some(&location) = self.frame().labels.get(&label) {
            return location;
        }
        self.build.span = self.tree.labels[label].span;
        let location = self.build.new_location();
        self.frame_mut().labels.insert(label, location);
        location
    }

    /// Jumps to a label where a condition holds.
    fn jump_if(&mut self, condition: Term, label: LabelId) {
        let target = self.label_location(label);
        let kept = self.kept_cleanups(label);
        if !self.skips(label) && kept == self.frame().cleanups.len() {
            self.build.branch(condition, target);
            return;
        }
        let on_the_way = self.build.new_location();
        if self.build.branch(condition, on_the_way).is_none() {
            // Nothing goes there, and nothing was flushed.
            return;
        }
        let here = self.build.here;
        self.build.continue_at(on_the_way);
        self.clean_up(kept);
        self.enter_blocks(label);
        self.build.goto(target);
        self.build.here = here;
    }

    /// Whether a jump from here to a label gives variables any value.
    fn skips(&self, label: LabelId) -> bool {
        self.entered_blocks(label).iter().any(|&block| match &self.tree.stmts[block].kind {
            StmtKind::Block { variables, .. } => variables.iter().any(|&v| self.scopes.is_skipped(v)),
            _ => false,
        })
    }

    /// The blocks that a jump from here to a label enters.
    fn entered_blocks(&self, label: LabelId) -> Vec<StmtId> {
        let open = &self.frame().blocks;
        self.scopes.around(label).iter().copied().filter(|block| !open.contains(block)).collect()
    }

    fn enter_blocks(&mut self, label: LabelId) {
        for block in self.entered_blocks(label) {
            self.enter_block(block);
        }
    }

    /// Variables whose declaration may not be reached hold anything from the entry of their block on.
    fn enter_block(&mut self, block: StmtId) {
        let tree = self.tree;
        let StmtKind::Block { variables, .. } = &tree.stmts[block].kind else { return };
        for &variable in variables {
            if self.build.reachable() && self.scopes.is_skipped(variable) && !planted(Fault::GotoKeepsValue) {
                self.begin_life(self.local(variable));
                let object = self.variable_object(variable);
                self.havoc_declared(object, None);
            }
        }
    }

    fn label(&mut self, label: LabelId) {
        let known = self.frame().labels.contains_key(&label);
        let is_case = self.tree.labels[label].name.is_none();
        // A `case` is jumped to only by its `switch`, which stands before it.
        if !known && is_case {
            return;
        }
        let location = self.label_location(label);
        if !(is_case && planted(Fault::SwitchNoFallThrough)) {
            self.build.goto(location);
        }
        self.build.continue_at(location);
    }

    fn computed_goto(&mut self, value: ExprId, barred: &[LabelId]) {
        let term = self.term(value);
        self.must_be_plain(term);
        let labels = self.tree.functions[self.frame().function].labels.clone();
        let mut hits = Vec::new();
        for label in labels {
            if !self.facts.label_numbers.contains_key(&label) || barred.contains(&label) {
                continue;
            }
            let address = self.code_address(Key::Label(label));
            let hit = self.build.arena.eq(term, address);
            self.jump_if(hit, label);
            hits.push(hit);
        }
        let any = self.build.arena.or(&hits);
        let none = self.build.arena.not(any);
        self.build.unmodelled_if(none, "computed goto to an unknown label");
        self.build.here = None;
    }

    fn return_value(&mut self, value: Option<ExprId>) {
        if let Some(value) = value {
            let result = self.frame().result;
            match result {
                Some(object) => {
                    let ty = self.tree.exprs[value].ty;
                    let stored = self.value(value);
                    self.build.span = self.tree.exprs[value].span;
                    self.store(&whole(object, ty), stored);
                }
                None => self.effect(value),
            }
        } else if let Some(object) = self.frame().result {
            self.no_value(self.frame().function, object);
        }
        self.clean_up(0);
        let exit = self.frame().exit;
        self.build.goto(exit);
    }

    fn declare(&mut self, variable: VarId) {
        let tree = self.tree;
        let declared = &tree.variables[variable];
        if planted(Fault::StaticLocalAgain)
            && self.build.reachable()
            && declared.duration != crate::tree::Duration::Automatic
        {
            let object = self.object(Key::Static(variable));
            self.initialise(variable, object);
        }
        if !self.build.reachable() || declared.duration != crate::tree::Duration::Automatic {
            return;
        }
        self.build.span = declared.span;
        self.begin_life(self.local(variable));
        if let Some(init) = &declared.init
            && !self.facts.is_written(variable)
            && !self.scopes.is_skipped(variable)
            && scalar(&tree.types, declared.ty).is_some()
            && let [item] = init.items[..]
            && let InitValue::Expr(expr) = item.value
        {
            // Written only here: a constant needs no variable.
            let term = self.term(expr);
            self.build.span = declared.span;
            if self.build.arena.as_value(term).is_some() {
                self.frame_mut().bound.insert(variable, term);
            } else {
                self.frame_mut().bound.remove(&variable);
                let object = self.variable_object(variable);
                self.initialising(|this| this.write(&whole(object, declared.ty), term));
            }
            return;
        }
        let object = self.variable_object(variable);
        self.set_length(variable, object);
        if declared.init.is_some() {
            self.initialise(variable, object);
        } else if !planted(Fault::DeclaredKeepsValue) {
            self.havoc_object(object);
        }
    }
}
