//! What a jump may not lead into: statement expressions, and the scope of names whose type depends on a
//! run-time length (C11 6.8.6.1p1, 6.8.4.2p2; GNU C: jumping into a statement expression).
//!
//! Both begin somewhere in a function and end with the block around them, so the places of a function form a
//! tree of barriers, and a jump is allowed where everything around its label is around the jump, too. `goto`
//! and `switch` are refused at once. A computed `goto` to such a label is undefined only where it happens:
//! the
//! labels are noted with it.

use super::{Check, Checker};
use crate::source::{Diagnostic, Span};
use crate::tree::{LabelId, StmtId, StmtKind};
use crate::types::TypeId;
use std::collections::HashMap;

/// What stands between a place and the places outside of it.
#[derive(Clone, Copy, Debug)]
enum Kind {
    StatementExpression,
    /// A declaration with a type of variable length.
    Declaration,
}

/// A barrier, by its number in [`Barriers`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Barrier(usize);

/// The barriers of a function, and who jumps where.
#[derive(Debug, Default)]
pub(super) struct Barriers {
    all: Vec<(Option<Barrier>, Kind, Span)>,
    /// The innermost barrier around the place that is checked now.
    pub(super) inside: Option<Barrier>,
    labels: HashMap<LabelId, Option<Barrier>>,
    jumps: Vec<(LabelId, Option<Barrier>, Span)>,
    computed: Vec<(StmtId, Option<Barrier>)>,
}

impl Barriers {
    fn add(&mut self, kind: Kind, span: Span) {
        self.all.push((self.inside, kind, span));
        self.inside = Some(Barrier(self.all.len() - 1));
    }

    /// The barrier that a jump from one place to another would lead into.
    fn between(&self, from: Option<Barrier>, to: Option<Barrier>) -> Option<Barrier> {
        let mut around = from;
        while around != to {
            match around {
                Some(barrier) => around = self.all[barrier.0].0,
                None => return to,
            }
        }
        None
    }
}

impl Checker<'_> {
    /// A statement expression begins here.
    pub(super) fn enter_statement_expr(&mut self, span: Span) {
        if let Some(state) = &mut self.function {
            state.barriers.add(Kind::StatementExpression, span);
        }
    }

    /// A name of this type is declared here.
    pub(super) fn declares(&mut self, ty: TypeId, span: Span) {
        if self.program.types.is_variably_modified(ty)
            && let Some(state) = &mut self.function
        {
            state.barriers.add(Kind::Declaration, span);
        }
    }

    /// The innermost barrier around this place.
    pub(super) fn inside(&self) -> Option<Barrier> {
        self.function.as_ref().and_then(|state| state.barriers.inside)
    }

    /// A label stands here.
    pub(super) fn label_stands(&mut self, label: LabelId) {
        if let Some(state) = &mut self.function {
            state.barriers.labels.insert(label, state.barriers.inside);
        }
    }

    /// A `goto` leads from here to a label.
    pub(super) fn jump_leads(&mut self, label: LabelId, span: Span) {
        if let Some(state) = &mut self.function {
            state.barriers.jumps.push((label, state.barriers.inside, span));
        }
    }

    /// A computed `goto` leads from here.
    pub(super) fn computed_jump(&mut self, statement: StmtId) {
        if let Some(state) = &mut self.function {
            state.barriers.computed.push((statement, state.barriers.inside));
        }
    }

    /// A `case` stands here, and its `switch` began at a place.
    pub(super) fn case_stands(&mut self, switch: Option<Barrier>, span: Span) -> Check<()> {
        let Some(state) = &self.function else { return Ok(()) };
        let barriers = &state.barriers;
        match barriers.between(switch, barriers.inside).map(|barrier| barriers.all[barrier.0]) {
            Some((_, kind, at)) => Err(self.leads_into(kind, at, span)),
            None => Ok(()),
        }
    }

    /// At the end of a function, all labels are known.
    pub(super) fn check_jumps(&mut self) {
        let Some(barriers) = self.function.as_mut().map(|state| std::mem::take(&mut state.barriers)) else {
            return;
        };
        if barriers.all.is_empty() {
            return;
        }
        for &(label, from, span) in &barriers.jumps {
            let to = barriers.labels.get(&label).copied().flatten();
            if let Some(barrier) = barriers.between(from, to) {
                let (_, kind, at) = barriers.all[barrier.0];
                self.leads_into(kind, at, span);
            }
        }
        for &(statement, from) in &barriers.computed {
            let mut labels: Vec<LabelId> = barriers
                .labels
                .iter()
                .filter(|&(&label, &to)| {
                    self.program.labels[label].address_taken && barriers.between(from, to).is_some()
                })
                .map(|(&label, _)| label)
                .collect();
            labels.sort_unstable();
            if let StmtKind::ComputedGoto { barred, .. } = &mut self.program.stmts[statement].kind {
                *barred = labels;
            }
        }
    }

    fn leads_into(&mut self, kind: Kind, at: Span, span: Span) -> super::Failed {
        let (message, note) = match kind {
            Kind::StatementExpression => ("a jump into a statement expression", "which begins here"),
            Kind::Declaration => {
                ("a jump into the scope of a name with a type of variable length", "which is declared here")
            }
        };
        self.report(Diagnostic::error(span, message).with_note(at, note))
    }
}
