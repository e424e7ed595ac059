//! Statements.

use super::barrier::Barrier;
use super::{Check, Checker};
use crate::ast::{self, BlockItem, Label};
use crate::source::Span;
use crate::tree::{Asm, AsmOperand, ExprId, ExprKind, StmtId, StmtKind, VarId};

impl Checker<'_> {
    /// Checks a statement. An error in it is reported and leaves an empty statement.
    pub(super) fn statement(&mut self, id: ast::StmtId) -> StmtId {
        let span = self.ast.stmts[id].span;
        let checked = self.nested(span, |this| this.statement_inner(id, span));
        let statement = match checked {
            Ok(statement) => statement,
            Err(_) => self.stmt_node(StmtKind::Empty, span),
        };
        self.after_pending(statement, span)
    }

    /// Puts waiting length assignments before a statement.
    fn after_pending(&mut self, statement: StmtId, span: Span) -> StmtId {
        if self.pending.is_empty() {
            return statement;
        }
        let mut items = Vec::new();
        self.flush_pending(&mut items);
        items.push(statement);
        self.stmt_node(StmtKind::Block { items, variables: Vec::new() }, span)
    }

    fn statement_inner(&mut self, id: ast::StmtId, span: Span) -> Check<StmtId> {
        let ast = self.ast;
        Ok(match &ast.stmts[id].kind {
            ast::StmtKind::Empty => self.stmt_node(StmtKind::Empty, span),
            ast::StmtKind::Expr(expr) => {
                let value = self.effect(*expr)?;
                self.stmt_node(StmtKind::Expr(value), span)
            }
            ast::StmtKind::Block(items) => self.block(items, Vec::new(), span),
            ast::StmtKind::Labelled { labels, body } => {
                let mut items = Vec::new();
                self.labels(labels, &mut items)?;
                items.push(self.statement(*body));
                self.stmt_node(StmtKind::Block { items, variables: Vec::new() }, span)
            }
            ast::StmtKind::If { .. } => self.if_chain(id)?,
            ast::StmtKind::Switch { value, body } => self.switch(*value, *body, span)?,
            ast::StmtKind::While { condition, body } => {
                let condition = self.condition(*condition)?;
                let body = self.loop_body(*body);
                self.stmt_node(StmtKind::While { condition, body }, span)
            }
            ast::StmtKind::DoWhile { body, condition } => {
                let body = self.loop_body(*body);
                let condition = self.condition(*condition)?;
                self.stmt_node(StmtKind::DoWhile { body, condition }, span)
            }
            ast::StmtKind::For { init, condition, step, body } => {
                let outside = self.open_block();
                let result = self.for_loop(init, *condition, *step, *body, span);
                let variables = self.close_block(outside);
                let items = result?;
                self.stmt_node(StmtKind::Block { items, variables }, span)
            }
            ast::StmtKind::Goto(name) => self.goto(*name, span)?,
            ast::StmtKind::ComputedGoto(target) => {
                let target = self.value(*target)?;
                let pointer = self.void_pointer();
                let target = self.convert_assign(target, pointer, "the target of `goto`")?;
                let goto = self.stmt_node(StmtKind::ComputedGoto { target, barred: Vec::new() }, span);
                self.computed_jump(goto);
                goto
            }
            ast::StmtKind::Continue => {
                if self.function.as_ref().is_none_or(|state| state.loops == 0) {
                    return self.fail(span, "`continue` outside a loop");
                }
                self.stmt_node(StmtKind::Continue, span)
            }
            ast::StmtKind::Break => {
                if self.function.as_ref().is_none_or(|state| state.breakable == 0) {
                    return self.fail(span, "`break` outside a loop or switch");
                }
                self.stmt_node(StmtKind::Break, span)
            }
            ast::StmtKind::Return(value) => self.return_statement(*value, span)?,
            ast::StmtKind::Asm(asm) => {
                let asm = self.asm(asm, span)?;
                self.stmt_node(StmtKind::Asm(Box::new(asm)), span)
            }
        })
    }

    /// An expression evaluated for its effects: scalars are read (they may be volatile), structs and arrays
    /// are not.
    fn effect(&mut self, expr: ast::ExprId) -> Check<ExprId> {
        let checked = self.expr(expr)?;
        if self.program.types.is_scalar(self.type_of(checked)) { self.rvalue(checked) } else { Ok(checked) }
    }

    /// Opens a scope. The barrier around it is to be given to [`Checker::close_block`].
    fn open_block(&mut self) -> Option<Barrier> {
        self.scopes.push();
        if let Some(state) = &mut self.function {
            state.blocks.push(Vec::new());
        }
        self.inside()
    }

    fn close_block(&mut self, outside: Option<Barrier>) -> Vec<VarId> {
        self.scopes.pop();
        let Some(state) = &mut self.function else { return Vec::new() };
        state.barriers.inside = outside;
        state.blocks.pop().unwrap_or_default()
    }

    fn block(&mut self, items: &[BlockItem], mut statements: Vec<StmtId>, span: Span) -> StmtId {
        let outside = self.open_block();
        self.push_label_scope();
        for item in items {
            self.block_item(item, &mut statements);
        }
        self.pop_label_scope();
        let variables = self.close_block(outside);
        self.stmt_node(StmtKind::Block { items: statements, variables }, span)
    }

    /// The outermost block of a function: its scope is that of the parameters, so that no local can hide one.
    pub(super) fn function_block(&mut self, body: ast::StmtId, mut statements: Vec<StmtId>) -> StmtId {
        let ast = self.ast;
        let span = ast.stmts[body].span;
        self.push_label_scope();
        if let ast::StmtKind::Block(items) = &ast.stmts[body].kind {
            for item in items {
                self.block_item(item, &mut statements);
            }
        }
        self.pop_label_scope();
        self.stmt_node(StmtKind::Block { items: statements, variables: Vec::new() }, span)
    }

    fn block_item(&mut self, item: &BlockItem, statements: &mut Vec<StmtId>) {
        match item {
            BlockItem::Statement(id) => statements.push(self.statement(*id)),
            BlockItem::Declaration(declaration) => {
                let _ = self.declaration(declaration, Some(statements));
            }
            BlockItem::StaticAssert(assertion) => {
                let _ = self.static_assert(assertion);
            }
            BlockItem::LocalLabels(names) => self.local_labels(names),
            BlockItem::Function(function) => {
                let _: Check<()> = self.fail(function.declarator.span, "nested functions are not supported");
            }
        }
    }

    fn labels(&mut self, labels: &[Label], items: &mut Vec<StmtId>) -> Check<()> {
        for label in labels {
            let (id, span) = match *label {
                Label::Named(name) => (self.define_label(name)?, name.span),
                Label::Case { low, high, span } => (self.case(low, high, span)?, span),
                Label::Default(span) => (self.default_case(span)?, span),
            };
            items.push(self.stmt_node(StmtKind::Label(id), span));
        }
        Ok(())
    }

    /// `if … else if …`, by a loop.
    fn if_chain(&mut self, id: ast::StmtId) -> Check<StmtId> {
        let mut chain = Vec::new();
        let mut next = Some(id);
        let mut last = None;
        while let Some(current) = next {
            let span = self.ast.stmts[current].span;
            if let ast::StmtKind::If { condition, then, otherwise } = self.ast.stmts[current].kind {
                let condition = self.condition(condition);
                let then = self.statement(then);
                chain.push((condition, then, span));
                next = otherwise;
            } else {
                last = Some(self.statement(current));
                next = None;
            }
        }
        for (condition, then, span) in chain.into_iter().rev() {
            let condition = condition?;
            last = Some(self.stmt_node(StmtKind::If { condition, then, otherwise: last }, span));
        }
        last.ok_or(super::Failed)
    }

    fn loop_body(&mut self, body: ast::StmtId) -> StmtId {
        if let Some(state) = &mut self.function {
            state.loops += 1;
            state.breakable += 1;
        }
        let body = self.statement(body);
        if let Some(state) = &mut self.function {
            state.loops -= 1;
            state.breakable -= 1;
        }
        body
    }

    fn for_loop(
        &mut self,
        init: &[BlockItem],
        condition: Option<ast::ExprId>,
        step: Option<ast::ExprId>,
        body: ast::StmtId,
        span: Span,
    ) -> Check<Vec<StmtId>> {
        let mut items = Vec::new();
        for item in init {
            self.block_item(item, &mut items);
        }
        let condition = match condition {
            Some(condition) => Some(self.condition(condition)?),
            None => None,
        };
        let step = match step {
            Some(step) => Some(self.effect(step)?),
            None => None,
        };
        let body = self.loop_body(body);
        items.push(self.stmt_node(StmtKind::For { condition, step, body }, span));
        Ok(items)
    }

    fn return_statement(&mut self, value: Option<ast::ExprId>, span: Span) -> Check<StmtId> {
        let Some(result) = self.function.as_ref().map(|state| state.result) else {
            return self.fail(span, "`return` outside a function");
        };
        let Some(value) = value else { return Ok(self.stmt_node(StmtKind::Return(None), span)) };
        let value = self.value(value)?;
        if self.program.types.is_void(result) {
            // GCC takes a value in a function without one: it is evaluated and dropped.
            let items = vec![
                self.stmt_node(StmtKind::Expr(value), span),
                self.stmt_node(StmtKind::Return(None), span),
            ];
            return Ok(self.stmt_node(StmtKind::Block { items, variables: Vec::new() }, span));
        }
        let value = self.convert_assign(value, result, "the returned value")?;
        Ok(self.stmt_node(StmtKind::Return(Some(value)), span))
    }

    /// `({ … })`: the value is that of the last statement, if it is an expression.
    pub(super) fn statement_expr(&mut self, block: ast::StmtId, span: Span) -> Check<ExprId> {
        if self.function.is_none() {
            return self.fail(span, "a statement expression outside a function");
        }
        let ast = self.ast;
        let ast::StmtKind::Block(items) = &ast.stmts[block].kind else { return Err(super::Failed) };
        let waiting = std::mem::take(&mut self.pending);
        let before = self.errors.len();
        let outside = self.open_block();
        self.enter_statement_expr(span);
        self.push_label_scope();
        let mut statements = Vec::new();
        let value = self.statement_expr_items(items, &mut statements);
        self.pop_label_scope();
        let variables = self.close_block(outside);
        self.pending = waiting;
        let value = value?;
        if self.errors.len() > before {
            return Err(super::Failed);
        }
        let block = self.stmt_node(StmtKind::Block { items: statements, variables }, span);
        let ty = match value {
            Some(value) => self.type_of(value),
            None => self.program.types.void(),
        };
        Ok(self.node(ExprKind::Statement { block, value }, ty, span))
    }

    fn statement_expr_items(
        &mut self,
        items: &[BlockItem],
        statements: &mut Vec<StmtId>,
    ) -> Check<Option<ExprId>> {
        let Some((last, rest)) = items.split_last() else { return Ok(None) };
        for item in rest {
            self.block_item(item, statements);
        }
        let BlockItem::Statement(mut last_statement) = *last else {
            self.block_item(last, statements);
            return Ok(None);
        };
        while let ast::StmtKind::Labelled { labels, body } = &self.ast.stmts[last_statement].kind {
            self.labels(labels, statements)?;
            last_statement = *body;
        }
        match self.ast.stmts[last_statement].kind {
            ast::StmtKind::Expr(expr) => {
                let value = self.value(expr)?;
                self.flush_pending(statements);
                Ok(Some(value))
            }
            _ => {
                let statement = self.statement(last_statement);
                statements.push(statement);
                Ok(None)
            }
        }
    }

    pub(super) fn asm(&mut self, asm: &ast::Asm, span: Span) -> Check<Asm> {
        let mut outputs = Vec::new();
        for operand in &asm.outputs {
            let value = self.expr(operand.value)?;
            outputs.push(AsmOperand { constraint: operand.constraint.clone(), value });
        }
        let mut inputs = Vec::new();
        for operand in &asm.inputs {
            let value = self.expr(operand.value)?;
            let memory = operand.constraint.contains('m') && self.kind_of(value).is_lvalue();
            let value = if memory { value } else { self.rvalue(value)? };
            inputs.push(AsmOperand { constraint: operand.constraint.clone(), value });
        }
        let mut labels = Vec::new();
        for name in &asm.labels {
            let address = self.label_address(*name, name.span)?;
            if let ExprKind::LabelAddress(label) = *self.kind_of(address) {
                self.jump_leads(label, name.span);
                labels.push(label);
            }
        }
        Ok(Asm {
            template: asm.template.clone(),
            volatile: asm.volatile,
            outputs,
            inputs,
            clobbers: asm.clobbers.clone(),
            labels,
            span,
        })
    }
}
