//! Statements.
//!
//! [`Machine::exec`] executes a statement from its start, or, when a jump leads into it, from a label that
//! stands in it: then everything before the label is passed over, and blocks on the way are entered.

use crate::machine::{Eval, Flow, Machine, Stop};
use crate::prepare::is_lasting;
use crate::undefined::UndefinedKind;
use crate::value::Value;
use nilas_c::tree::{Conversion, ExprId, ExprKind, LabelId, StmtId, StmtKind, VarId, VarRole};

/// Where in a statement execution starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Entry {
    Start,
    At(LabelId),
    /// The statement that a `longjmp` comes back to.
    Again(StmtId),
}

impl Machine<'_> {
    /// Executes a statement. A jump out of a statement expression in it is one out of the statement.
    pub(crate) fn exec(&mut self, stmt: StmtId, entry: Entry) -> Eval<Flow> {
        let levels = self.levels();
        match self.exec_statement(stmt, entry) {
            Err(stop) => match *stop {
                Stop::Jump(Flow::LongJump { .. }) | Stop::End(_) | Stop::Exit(_) => Err(stop),
                Stop::Jump(flow) => {
                    self.restore(levels);
                    Ok(flow)
                }
            },
            flow => flow,
        }
    }

    fn exec_statement(&mut self, stmt: StmtId, entry: Entry) -> Eval<Flow> {
        self.step()?;
        let program = self.program;
        let node = &program.stmts[stmt];
        // A jump into a part of the statement passes over its conditions.
        let into = |machine: &Self, part: StmtId| machine.enters(part, entry);
        let passing = entry != Entry::Start && entry != Entry::Again(stmt);
        match &node.kind {
            StmtKind::Empty | StmtKind::Label(_) => Ok(Flow::Next),
            StmtKind::Expr(expr) => {
                self.at(stmt);
                self.trace_statement(stmt);
                self.full(*expr)?;
                Ok(Flow::Next)
            }
            StmtKind::Block { items, variables } => {
                self.block(stmt, items, variables, entry, None).map(|(flow, _)| flow)
            }
            StmtKind::Declare(variable) => {
                self.at(stmt);
                self.trace_statement(stmt);
                // Static objects are there already.
                if !is_lasting(self.program, *variable) {
                    let temporaries = self.temporaries.len();
                    self.declare(*variable)?;
                    self.end_temporaries(temporaries);
                }
                Ok(Flow::Next)
            }
            StmtKind::If { condition, then, otherwise } => {
                if passing {
                    return match otherwise {
                        Some(otherwise) if !into(self, *then) => self.exec(*otherwise, entry),
                        _ => self.exec(*then, entry),
                    };
                }
                self.at(stmt);
                self.trace_statement(stmt);
                let holds = self.full_condition(*condition)?;
                self.at_branch(stmt, holds);
                self.trace_branch(holds);
                if holds {
                    self.exec(*then, Entry::Start)
                } else if let Some(otherwise) = otherwise {
                    self.exec(*otherwise, Entry::Start)
                } else {
                    Ok(Flow::Next)
                }
            }
            StmtKind::Switch { value, body, cases, default } => {
                let entry = if passing {
                    entry
                } else {
                    self.at(stmt);
                    self.trace_statement(stmt);
                    let temporaries = self.temporaries.len();
                    let value = self.eval(*value)?.int();
                    self.end_temporaries(temporaries);
                    let found = cases.partition_point(|case| case.high < value);
                    let case = cases.get(found).filter(|case| case.low <= value);
                    let label = case.map(|case| case.label).or(*default);
                    self.trace_case(label);
                    match label {
                        Some(label) => {
                            self.met_label(label);
                            Entry::At(label)
                        }
                        None => return Ok(Flow::Next),
                    }
                };
                self.loop_body(*body, entry).map(|flow| if flow == Flow::Break { Flow::Next } else { flow })
            }
            StmtKind::While { .. } | StmtKind::DoWhile { .. } | StmtKind::For { .. } => {
                let levels = self.trace_loop(stmt);
                let flow = self.exec_loop(stmt, entry, passing);
                if !matches!(&flow, Err(stop) if matches!(**stop, Stop::End(_) | Stop::Exit(_))) {
                    self.trace_loop_left(levels);
                }
                flow
            }
            StmtKind::Goto(label) => {
                self.passes(stmt)?;
                Ok(Flow::Goto(*label))
            }
            StmtKind::ComputedGoto { target, barred } => {
                let pointer = self.eval(*target)?.pointer();
                self.here = node.span;
                match self.label_at(pointer.address) {
                    Some(label) if self.may_go_to(label) && !barred.contains(&label) => Ok(Flow::Goto(label)),
                    _ => self.undefined(UndefinedKind::JumpOutOfScope, "a computed `goto` to no label", None),
                }
            }
            StmtKind::Break => Ok(Flow::Break),
            StmtKind::Continue => Ok(Flow::Continue),
            StmtKind::Return(value) => {
                self.at(stmt);
                self.trace_statement(stmt);
                let value = match value {
                    Some(value) => self.eval_any(*value)?,
                    None => Value::Void,
                };
                Ok(Flow::Return(value))
            }
            StmtKind::Asm(asm) => {
                self.here = asm.span;
                if asm.template.trim().is_empty() && asm.outputs.is_empty() && asm.labels.is_empty() {
                    // A barrier for the compiler.
                    for input in &asm.inputs {
                        self.eval_any(input.value)?;
                    }
                    return Ok(Flow::Next);
                }
                self.unsupported("assembly")
            }
        }
    }

    /// Executes a loop.
    fn exec_loop(&mut self, stmt: StmtId, entry: Entry, passing: bool) -> Eval<Flow> {
        let program = self.program;
        match &program.stmts[stmt].kind {
            StmtKind::While { condition, body } => {
                let mut entry = if passing { entry } else { Entry::Start };
                loop {
                    if entry == Entry::Start {
                        self.at(stmt);
                        self.at_head(stmt);
                        self.passes(stmt)?;
                        self.trace_iteration();
                        if !self.loop_condition(stmt, *condition)? {
                            return Ok(Flow::Next);
                        }
                    }
                    match self.iterate(*body, entry)? {
                        Flow::Next | Flow::Continue => {}
                        Flow::Break => return Ok(Flow::Next),
                        flow => return Ok(flow),
                    }
                    entry = Entry::Start;
                }
            }
            StmtKind::DoWhile { body, condition } => {
                let mut entry = entry;
                loop {
                    if entry == Entry::Start {
                        self.at_head(stmt);
                        self.passes(stmt)?;
                    }
                    self.trace_iteration();
                    if entry != Entry::Again(stmt) {
                        match self.iterate(*body, entry)? {
                            Flow::Next | Flow::Continue => {}
                            Flow::Break => return Ok(Flow::Next),
                            flow => return Ok(flow),
                        }
                    }
                    entry = Entry::Start;
                    self.at(stmt);
                    if !self.loop_condition(stmt, *condition)? {
                        return Ok(Flow::Next);
                    }
                }
            }
            StmtKind::For { condition, step, body } => {
                let mut entry = if passing { entry } else { Entry::Start };
                loop {
                    if entry == Entry::Start {
                        self.at_head(stmt);
                        self.passes(stmt)?;
                    }
                    self.trace_iteration();
                    if entry == Entry::Start
                        && let Some(condition) = condition
                    {
                        self.at(stmt);
                        if !self.loop_condition(stmt, *condition)? {
                            return Ok(Flow::Next);
                        }
                    }
                    match self.iterate(*body, entry)? {
                        Flow::Next | Flow::Continue => {}
                        Flow::Break => return Ok(Flow::Next),
                        flow => return Ok(flow),
                    }
                    if let Some(step) = step {
                        self.full(*step)?;
                    }
                    entry = Entry::Start;
                }
            }
            _ => Ok(Flow::Next),
        }
    }

    /// The body of a loop, once.
    fn iterate(&mut self, body: StmtId, entry: Entry) -> Eval<Flow> {
        let flow = self.loop_body(body, entry)?;
        // What the last statement changed does not belong to the next iteration.
        self.trace_changes();
        Ok(flow)
    }

    /// The condition of a loop.
    fn loop_condition(&mut self, stmt: StmtId, expr: ExprId) -> Eval<bool> {
        let holds = self.full_condition(expr)?;
        self.at_branch(stmt, holds);
        self.trace_loop_condition(holds);
        Ok(holds)
    }

    fn enters(&self, part: StmtId, entry: Entry) -> bool {
        match entry {
            Entry::Start => true,
            Entry::At(label) => self.tables.holds(part, label),
            Entry::Again(stmt) => self.is_inside(part, stmt),
        }
    }

    /// Whether a statement is another or stands in it. Only `longjmp` asks.
    fn is_inside(&self, part: StmtId, stmt: StmtId) -> bool {
        let mut found = part == stmt;
        let mut work = vec![part];
        while let Some(next) = work.pop() {
            found |= next == stmt;
            self.program.stmts[next].kind.for_each_statement(|inner| work.push(inner));
        }
        found
    }

    /// A statement with a full expression is executed.
    #[inline]
    fn at(&mut self, stmt: StmtId) {
        if let Some(frame) = self.frames.last_mut() {
            frame.statement = Some(stmt);
        }
    }

    /// Executes a full expression.
    fn full(&mut self, expr: ExprId) -> Eval<()> {
        self.discarded = Some(match self.program.exprs[expr].kind {
            ExprKind::Convert { conversion: Conversion::ToVoid, operand } => operand,
            _ => expr,
        });
        let temporaries = self.temporaries.len();
        self.eval_any(expr)?;
        self.end_temporaries(temporaries);
        Ok(())
    }

    fn full_condition(&mut self, expr: ExprId) -> Eval<bool> {
        let temporaries = self.temporaries.len();
        let holds = self.condition(expr)?;
        self.end_temporaries(temporaries);
        Ok(holds)
    }

    /// The full expression ends, and with it the objects that it made for values (6.2.4p8).
    fn end_temporaries(&mut self, from: usize) {
        for id in self.temporaries.split_off(from.min(self.temporaries.len())) {
            self.memory.end_early(id, Some(self.here));
        }
    }

    /// A jump leads before the declarations of arrays of variable length: these end (6.2.4p7).
    fn leave_arrays(&mut self, behind: &[StmtId]) {
        for &item in behind {
            if let StmtKind::Declare(variable) = self.program.stmts[item].kind
                && self.program.types.is_variable_length(self.program.variables[variable].ty)
            {
                let slot = self.tables.slot(variable);
                let id = self.frames.last().and_then(|frame| frame.slots.get(slot).copied().flatten());
                if let Some(id) = id {
                    self.memory.end_early(id, Some(self.here));
                }
            }
        }
    }

    /// The body of a loop or a switch; a jump to a label inside of it stays there.
    fn loop_body(&mut self, body: StmtId, entry: Entry) -> Eval<Flow> {
        self.exec_here(body, entry)
    }

    /// Executes a statement, and follows jumps to labels in it.
    fn exec_here(&mut self, stmt: StmtId, mut entry: Entry) -> Eval<Flow> {
        loop {
            match self.exec(stmt, entry)? {
                Flow::Goto(label) if self.tables.holds(stmt, label) => {
                    self.step()?;
                    entry = Entry::At(label);
                }
                flow => return Ok(flow),
            }
        }
    }

    /// Executes a block.
    fn block(
        &mut self,
        stmt: StmtId,
        items: &[StmtId],
        variables: &[VarId],
        entry: Entry,
        value: Option<ExprId>,
    ) -> Eval<(Flow, Value)> {
        if !self.has_stack() {
            return self.out_of_stack("a block");
        }
        let mark = self.memory.mark();
        let cleanups = self.frames.last().map_or(0, |frame| frame.cleanups.len());
        for &variable in variables {
            // Parameters are alive already, and so is everything when `longjmp` comes back.
            let parameter = matches!(self.program.variables[variable].role, VarRole::Parameter(_));
            let alive = (parameter || matches!(entry, Entry::Again(_))) && {
                let slot = self.tables.slot(variable);
                let id = self.frames.last().and_then(|frame| frame.slots.get(slot).copied().flatten());
                id.is_some_and(|id| self.memory.get(id).is_some())
            };
            // Arrays of variable length come to life at their declarations.
            if !alive && !self.program.types.is_variable_length(self.program.variables[variable].ty) {
                self.new_object(variable)?;
            }
        }
        let flow = self.items(items, entry)?;
        let result = match (value, &flow) {
            (Some(value), Flow::Next) => self.eval_any(value)?,
            _ => Value::Void,
        };
        self.clean_up(cleanups)?;
        let span = self.program.stmts[stmt].span;
        let end = nilas_c::source::Span::new(span.file, span.end.saturating_sub(1), span.end);
        self.memory.release(mark, Some(end));
        Ok((flow, result))
    }

    /// Executes statements in order; jumps inside of them are followed.
    fn items(&mut self, items: &[StmtId], entry: Entry) -> Eval<Flow> {
        let (mut entry, mut next) = match entry {
            Entry::Start => (entry, 0),
            _ => (entry, items.iter().position(|&item| self.enters(item, entry)).unwrap_or(items.len())),
        };
        while let Some(&item) = items.get(next) {
            match self.exec(item, entry)? {
                Flow::Next => {
                    entry = Entry::Start;
                    next += 1;
                }
                Flow::Goto(label) => match items.iter().position(|&item| self.tables.holds(item, label)) {
                    Some(position) => {
                        self.step()?;
                        self.leave_arrays(&items[position..]);
                        (entry, next) = (Entry::At(label), position);
                    }
                    None => return Ok(Flow::Goto(label)),
                },
                flow => return Ok(flow),
            }
        }
        Ok(Flow::Next)
    }

    /// Runs the clean-up of variables that go out of scope, the youngest first.
    fn clean_up(&mut self, from: usize) -> Eval<()> {
        loop {
            let Some(frame) = self.frames.last_mut() else { return Ok(()) };
            if frame.cleanups.len() <= from {
                return Ok(());
            }
            let Some(variable) = frame.cleanups.pop() else { return Ok(()) };
            if let Some(call) = self.program.variables[variable].cleanup {
                self.eval_any(call)?;
            }
        }
    }

    /// The block of a statement expression and the value behind it.
    pub(crate) fn block_with_value(&mut self, block: StmtId, value: Option<ExprId>) -> Eval<(Flow, Value)> {
        match &self.program.stmts[block].kind {
            StmtKind::Block { items, variables } => self.block(block, items, variables, Entry::Start, value),
            _ => {
                let flow = self.exec(block, Entry::Start)?;
                let result = match (value, &flow) {
                    (Some(value), Flow::Next) => self.eval_any(value)?,
                    _ => Value::Void,
                };
                Ok((flow, result))
            }
        }
    }

    /// The declaration of an automatic variable is reached.
    fn declare(&mut self, variable: VarId) -> Eval<()> {
        let declared = &self.program.variables[variable];
        if crate::prepare::is_lasting(self.program, variable) {
            return Ok(());
        }
        self.here = declared.span;
        let id = if self.program.types.is_variable_length(declared.ty) {
            self.new_object(variable)?
        } else {
            self.object(variable)?
        };
        self.declared_again(variable, id);
        self.initialise(variable, id)?;
        if declared.cleanup.is_some()
            && let Some(frame) = self.frames.last_mut()
        {
            frame.cleanups.push(variable);
        }
        Ok(())
    }
}
