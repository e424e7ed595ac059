//! Labels, `goto`, `switch` and its cases.

use super::barrier::Barrier;
use super::{Check, Checker};
use crate::ast::{self, Name};
use crate::lex::Symbol;
use crate::source::{Diagnostic, Span};
use crate::tree::{ExprId, ExprKind, Label, LabelId, StmtId, StmtKind, SwitchCase};
use crate::types::TypeId;
use std::collections::HashMap;

/// What is known about a label name.
#[derive(Clone, Copy, Debug)]
pub(super) struct LabelState {
    id: LabelId,
    /// Where the label itself stands, once seen.
    defined: Option<Span>,
    /// The first use.
    used: Span,
}

/// The label names of one scope; `order` makes messages deterministic.
#[derive(Debug, Default)]
pub(super) struct LabelScope {
    names: HashMap<Symbol, LabelState>,
    order: Vec<Symbol>,
}

/// A `switch` whose body is being checked.
#[derive(Debug)]
pub(super) struct SwitchState {
    ty: TypeId,
    cases: Vec<(SwitchCase, Span)>,
    default: Option<(LabelId, Span)>,
    /// What is around the `switch`.
    inside: Option<Barrier>,
}

impl Checker<'_> {
    pub(super) fn new_label(&mut self, name: Option<String>, span: Span) -> LabelId {
        let id = self.program.labels.push(Label { name, span, address_taken: false });
        if let Some(state) = &mut self.function {
            state.labels.push(id);
        }
        id
    }

    /// The label of this name, made on first sight in the function's own scope.
    fn label(&mut self, name: Name) -> Check<LabelId> {
        let found = self.function.as_ref().and_then(|state| {
            state.label_scopes.iter().rev().find_map(|scope| scope.names.get(&name.symbol))
        });
        if let Some(found) = found {
            return Ok(found.id);
        }
        if self.function.is_none() {
            return self.fail(name.span, "a label outside a function");
        }
        let text = self.name_text(name);
        let id = self.new_label(Some(text), name.span);
        if let Some(scope) = self.function.as_mut().and_then(|state| state.label_scopes.first_mut()) {
            scope.names.insert(name.symbol, LabelState { id, defined: None, used: name.span });
            scope.order.push(name.symbol);
        }
        Ok(id)
    }

    /// `name:`
    pub(super) fn define_label(&mut self, name: Name) -> Check<LabelId> {
        let id = self.label(name)?;
        let state = self.function.as_mut().and_then(|state| {
            state.label_scopes.iter_mut().rev().find_map(|scope| scope.names.get_mut(&name.symbol))
        });
        let first = state.and_then(|state| state.defined.replace(name.span));
        if let Some(first) = first {
            let text = self.name_text(name);
            let error =
                Diagnostic::error(name.span, format!("the label `{text}` stands twice in this function"));
            return Err(self.report(error.with_note(first, "first here")));
        }
        self.program.labels[id].span = name.span;
        self.label_stands(id);
        Ok(id)
    }

    /// `__label__ a, b;`: names of the innermost block.
    pub(super) fn local_labels(&mut self, names: &[Name]) {
        for &name in names {
            let text = self.name_text(name);
            let id = self.new_label(Some(text), name.span);
            if let Some(scope) = self.function.as_mut().and_then(|state| state.label_scopes.last_mut()) {
                scope.names.insert(name.symbol, LabelState { id, defined: None, used: name.span });
                scope.order.push(name.symbol);
            }
        }
    }

    pub(super) fn push_label_scope(&mut self) {
        if let Some(state) = &mut self.function {
            state.label_scopes.push(LabelScope::default());
        }
    }

    pub(super) fn pop_label_scope(&mut self) {
        let scope = self.function.as_mut().and_then(|state| state.label_scopes.pop());
        self.check_label_scope(scope);
    }

    /// At the end of a function: every label that is named stands somewhere.
    pub(super) fn check_labels(&mut self) {
        let scope = self.function.as_mut().and_then(|state| state.label_scopes.pop());
        self.check_label_scope(scope);
    }

    fn check_label_scope(&mut self, scope: Option<LabelScope>) {
        let Some(scope) = scope else { return };
        for symbol in &scope.order {
            if let Some(LabelState { defined: None, used, .. }) = scope.names.get(symbol) {
                let text = self.text(*symbol).to_owned();
                self.report(Diagnostic::error(*used, format!("there is no label `{text}` in this function")));
            }
        }
    }

    pub(super) fn goto(&mut self, name: Name, span: Span) -> Check<StmtId> {
        let label = self.label(name)?;
        self.jump_leads(label, span);
        Ok(self.stmt_node(StmtKind::Goto(label), span))
    }

    pub(super) fn label_address(&mut self, name: Name, span: Span) -> Check<ExprId> {
        let label = self.label(name)?;
        self.program.labels[label].address_taken = true;
        let ty = self.void_pointer();
        Ok(self.node(ExprKind::LabelAddress(label), ty, span))
    }

    pub(super) fn switch(&mut self, value: ast::ExprId, body: ast::StmtId, span: Span) -> Check<StmtId> {
        let value = self.value(value)?;
        let at = self.span_of(value);
        if self.program.types.int_kind(self.type_of(value)).is_none() {
            let shown = self.show(self.type_of(value));
            return self.fail(at, format!("`switch` needs an integer, not `{shown}`"));
        }
        let value = self.promote(value);
        let ty = self.type_of(value);
        let inside = self.inside();
        if let Some(state) = &mut self.function {
            state.switches.push(SwitchState { ty, cases: Vec::new(), default: None, inside });
            state.breakable += 1;
        }
        let body = self.statement(body);
        let finished = self.function.as_mut().and_then(|state| {
            state.breakable -= 1;
            state.switches.pop()
        });
        let Some(SwitchState { mut cases, default, .. }) = finished else { return Ok(body) };
        cases.sort_by_key(|(case, _)| case.low);
        for pair in cases.windows(2) {
            if pair[1].0.low <= pair[0].0.high {
                let error = Diagnostic::error(pair[1].1, "this case is there twice")
                    .with_note(pair[0].1, "also here");
                return Err(self.report(error));
            }
        }
        let cases = cases.into_iter().map(|(case, _)| case).collect();
        let default = default.map(|(label, _)| label);
        Ok(self.stmt_node(StmtKind::Switch { value, body, cases, default }, span))
    }

    /// `case low ... high:`
    pub(super) fn case(&mut self, low: ast::ExprId, high: Option<ast::ExprId>, span: Span) -> Check<LabelId> {
        let around = self.function.as_ref().and_then(|state| state.switches.last());
        let Some((ty, inside)) = around.map(|switch| (switch.ty, switch.inside)) else {
            return self.fail(span, "`case` outside a switch");
        };
        self.case_stands(inside, span)?;
        let low = self.case_value(low, ty)?;
        let high = match high {
            Some(high) => self.case_value(high, ty)?,
            None => low,
        };
        let label = self.new_label(None, span);
        if high < low {
            self.warn(span, "an empty range of values");
        } else if let Some(switch) = self.function.as_mut().and_then(|state| state.switches.last_mut()) {
            switch.cases.push((SwitchCase { low, high, label }, span));
        }
        Ok(label)
    }

    fn case_value(&mut self, expr: ast::ExprId, ty: TypeId) -> Check<i128> {
        let value = self.value(expr)?;
        let span = self.span_of(value);
        let Some(number) = self.constant_int(value) else {
            return self.fail(span, "the value of a case must be constant");
        };
        let kind = self.program.types.int_kind(ty).unwrap_or(crate::types::IntKind::Int);
        Ok(kind.wrap(number, self.program.types.model()))
    }

    pub(super) fn default_case(&mut self, span: Span) -> Check<LabelId> {
        let label = self.new_label(None, span);
        let Some(switch) = self.function.as_mut().and_then(|state| state.switches.last_mut()) else {
            return self.fail(span, "`default` outside a switch");
        };
        let inside = switch.inside;
        if let Some((_, first)) = switch.default.replace((label, span)) {
            let error =
                Diagnostic::error(span, "a second `default` in this switch").with_note(first, "first here");
            return Err(self.report(error));
        }
        self.case_stands(inside, span)?;
        Ok(label)
    }
}
