//! The interpreter of programs with procedures: concrete executions with a call stack.
//!
//! Commands are executed by [`Interpreter`]. A call keeps the values that the variables of its callee hold:
//! they belong to an earlier activation if there is one, and are put back when the call comes back.

use super::Module;
use crate::ids::{CallId, EdgeId, LocationId, VarId};
use crate::interpret::{Chooser, InterpretError, Interpreter, Step};
use nilas_term::Value;

/// One step of an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Move {
    /// Along an edge.
    Edge(EdgeId),
    /// Into the callee of a call edge.
    Enter(CallId),
    /// Out of the callee, back to where this call leads.
    Leave(CallId),
}

/// A call that is active.
#[derive(Clone, Debug)]
struct Activation {
    call: CallId,
    /// What the variables of the callee held before.
    before: Vec<(VarId, Value)>,
}

/// An execution of a module, see the module's text.
#[derive(Clone, Debug)]
pub struct CallInterpreter<'a> {
    module: &'a Module,
    commands: Interpreter<'a>,
    location: LocationId,
    stack: Vec<Activation>,
    /// How often a variable got a value at an entry.
    entered: Vec<usize>,
}

impl<'a> CallInterpreter<'a> {
    /// An execution that starts at the entry with these values, one for each variable.
    ///
    /// # Errors
    /// When a value has another sort than its variable, or there are too few.
    pub fn new(module: &'a Module, store: Vec<Value>) -> Result<Self, InterpretError> {
        let program = &module.program;
        let commands = Interpreter::new(&program.arena, &program.automaton, store)?;
        let entered = vec![0; program.automaton.variables.len()];
        let location = program.automaton.entry;
        Ok(CallInterpreter { module, commands, location, stack: Vec::new(), entered })
    }

    /// Where the execution is.
    #[must_use]
    pub fn location(&self) -> LocationId {
        self.location
    }

    /// The active calls, the oldest first.
    pub fn calls(&self) -> impl ExactSizeIterator<Item = CallId> + '_ {
        self.stack.iter().map(|activation| activation.call)
    }

    /// The value of a variable; one of a procedure has that of the latest activation.
    #[must_use]
    pub fn value(&self, variable: VarId) -> &Value {
        self.commands.value(variable)
    }

    /// The moves that lead on from here, whether their assumptions hold or not.
    #[must_use]
    pub fn moves(&self) -> Vec<Move> {
        let automaton = &self.module.program.automaton;
        let edges = automaton.edge_ids().filter(|&edge| automaton.edge(edge).source == self.location);
        let calls = self.module.calls_from(self.location).map(Move::Enter);
        let back = self
            .stack
            .last()
            .map(|activation| activation.call)
            .filter(|&call| self.module.procedure(self.module.call(call).callee).exit == self.location);
        edges.map(Move::Edge).chain(calls).chain(back.map(Move::Leave)).collect()
    }

    /// Does a move, which must be one of [`CallInterpreter::moves`]; whether its assumptions hold. If not,
    /// nothing has changed. Values at entries are asked for by [`Module::local_site`].
    ///
    /// # Errors
    /// When a term cannot be evaluated or a value has the wrong sort.
    pub fn go(&mut self, step: Move, chooser: &mut Chooser<'_>) -> Result<bool, InterpretError> {
        match step {
            Move::Edge(edge) => {
                let taken = self.commands.step(edge, chooser)?;
                if taken == Step::Blocked {
                    return Ok(false);
                }
                self.location = self.module.program.automaton.edge(edge).target;
            }
            Move::Enter(call) => self.enter(call, chooser)?,
            Move::Leave(_) => self.leave()?,
        }
        Ok(true)
    }

    fn enter(&mut self, id: CallId, chooser: &mut Chooser<'_>) -> Result<(), InterpretError> {
        let module = self.module;
        let call = module.call(id);
        let callee = module.procedure(call.callee);
        let mut arguments = Vec::new();
        for &argument in &call.arguments {
            arguments.push(self.commands.eval(argument)?);
        }
        let mut before = Vec::new();
        for variable in module.variables_of(call.callee) {
            before.push((variable, self.commands.value(variable).clone()));
            if !callee.parameters.contains(&variable) {
                let count = &mut self.entered[variable.index()];
                let value = chooser(module.local_site(variable), *count);
                *count += 1;
                self.commands.set(variable, value)?;
            }
        }
        for (&parameter, value) in callee.parameters.iter().zip(arguments) {
            self.commands.set(parameter, value)?;
        }
        self.stack.push(Activation { call: id, before });
        self.location = callee.entry;
        Ok(())
    }

    fn leave(&mut self) -> Result<(), InterpretError> {
        let Some(Activation { call, before }) = self.stack.pop() else { return Ok(()) };
        let call = self.module.call(call);
        let callee = self.module.procedure(call.callee);
        let results: Vec<Value> =
            callee.results.iter().map(|&result| self.commands.value(result).clone()).collect();
        for (variable, value) in before {
            self.commands.set(variable, value)?;
        }
        for (&variable, value) in call.results.iter().zip(results) {
            self.commands.set(variable, value)?;
        }
        self.location = call.target;
        Ok(())
    }
}
