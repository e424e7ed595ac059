//! The concrete interpreter: executes commands on values, without any solver.
//!
//! Executions that it makes are the ground truth that everything else is tested and checked against.
//! Inside a command it finds its own way: at a fork it tries the arcs in order and comes back to the next one
//! when an assumption further down fails. Values of `havoc`s come from outside, by site and occurrence along
//! the execution; coming back takes occurrences back too.

use crate::automaton::Automaton;
use crate::command::{Arc, Basic, Command};
use crate::ids::{ArcId, EdgeId, HavocSite, NodeId, VarId};
use nilas_term::{Arena, EvalError, Evaluator, Model, Sort, Term, Value};
use rustc_hash::FxHashSet;
use std::fmt;

/// The outcome of one command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// It ran to its end over these arcs.
    Taken(Vec<ArcId>),
    /// There is no way through it from this store with these values; store and occurrences are as before.
    Blocked,
}

/// Why a command cannot be executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InterpretError {
    /// A term has no value that can be computed.
    Eval(EvalError),
    /// The value for a `havoc` or a variable has another sort than the variable.
    Sort {
        /// The variable.
        variable: VarId,
        /// The sort of the value.
        found: Sort,
    },
    /// The arcs to follow are no path of the command from its start to its end.
    NoPath,
    /// The interpreter came back from more failed assumptions in one command than it is willing to.
    TooManyTries,
}

impl fmt::Display for InterpretError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InterpretError::Eval(error) => error.fmt(f),
            InterpretError::Sort { variable, found } => {
                write!(f, "variable {} is given a value of sort {found}", variable.index())
            }
            InterpretError::NoPath => f.write_str("the arcs are no path through the command"),
            InterpretError::TooManyTries => f.write_str("too many ways through one command"),
        }
    }
}

impl std::error::Error for InterpretError {}

impl From<EvalError> for InterpretError {
    fn from(error: EvalError) -> Self {
        InterpretError::Eval(error)
    }
}

/// How often the interpreter comes back inside one command.
const MOST_TRIES: usize = 1_000_000;

/// Gives the value of a `havoc`: site, and how often that site was executed before.
pub type Chooser<'c> = dyn FnMut(HavocSite, usize) -> Value + 'c;

/// The same, with the values of all variables at that moment.
pub type SeeingChooser<'c> = dyn FnMut(HavocSite, usize, &[Value]) -> Value + 'c;

/// An execution of an automaton, see the module's text.
#[derive(Clone, Debug)]
pub struct Interpreter<'a> {
    arena: &'a Arena,
    automaton: &'a Automaton,
    evaluator: Evaluator,
    store: Vec<Value>,
    occurrences: Vec<usize>,
}

/// What a step changed, to be undone.
enum Change {
    Value(VarId, Value),
    Occurrence(HavocSite),
}

/// A node on the way, with the position of the arc that is tried.
struct Frame {
    node: NodeId,
    next: usize,
    changes: usize,
}

impl<'a> Interpreter<'a> {
    /// An execution that starts with these values, one for each variable.
    ///
    /// # Errors
    /// When a value has another sort than its variable, or there are too few.
    pub fn new(
        arena: &'a Arena,
        automaton: &'a Automaton,
        store: Vec<Value>,
    ) -> Result<Self, InterpretError> {
        let mut model = Model::new();
        for variable in automaton.variable_ids() {
            let declared = automaton.variable(variable);
            let value = store.get(variable.index());
            let value = value.ok_or(InterpretError::Eval(EvalError::Unassigned(declared.term)))?;
            Self::check_sort(automaton, variable, value)?;
            model.set(declared.term, value.clone());
        }
        let occurrences = vec![0; automaton.havocs.len()];
        Ok(Interpreter { arena, automaton, evaluator: Evaluator::new(model), store, occurrences })
    }

    /// The value of a variable.
    #[must_use]
    pub fn value(&self, variable: VarId) -> &Value {
        &self.store[variable.index()]
    }

    /// The values of all variables.
    #[must_use]
    pub fn store(&self) -> &[Value] {
        &self.store
    }

    /// Gives a variable a value from outside.
    ///
    /// # Errors
    /// When the value has another sort than the variable.
    pub fn set(&mut self, variable: VarId, value: Value) -> Result<(), InterpretError> {
        Self::check_sort(self.automaton, variable, &value)?;
        self.assign(variable, value, &mut Vec::new());
        Ok(())
    }

    /// How often a `havoc` was executed.
    #[must_use]
    pub fn occurrences(&self, site: HavocSite) -> usize {
        self.occurrences[site.index()]
    }

    /// The value of a term in the present store.
    ///
    /// # Errors
    /// When it cannot be computed.
    pub fn eval(&mut self, term: Term) -> Result<Value, InterpretError> {
        Ok(self.evaluator.eval(self.arena, term)?)
    }

    /// Executes the command of an edge. That the edge starts where the execution is, is the caller's
    /// business.
    ///
    /// # Errors
    /// When a term cannot be evaluated or a value has the wrong sort.
    pub fn step(&mut self, edge: EdgeId, chooser: &mut Chooser<'_>) -> Result<Step, InterpretError> {
        let automaton = self.automaton;
        self.run(&automaton.edge(edge).command, chooser)
    }

    /// The same with a chooser that sees the store.
    ///
    /// # Errors
    /// When a term cannot be evaluated or a value has the wrong sort.
    pub fn step_seeing(
        &mut self,
        edge: EdgeId,
        chooser: &mut SeeingChooser<'_>,
    ) -> Result<Step, InterpretError> {
        let automaton = self.automaton;
        self.run_seeing(&automaton.edge(edge).command, &[], chooser)
    }

    /// Executes a command over the automaton's variables.
    ///
    /// # Errors
    /// When a term cannot be evaluated or a value has the wrong sort.
    pub fn run(&mut self, command: &Command, chooser: &mut Chooser<'_>) -> Result<Step, InterpretError> {
        self.run_over(command, &[], chooser)
    }

    /// Executes a command, and tries the given arcs before others. They should be sorted.
    ///
    /// # Errors
    /// When a term cannot be evaluated or a value has the wrong sort.
    pub fn run_over(
        &mut self,
        command: &Command,
        preferred: &[ArcId],
        chooser: &mut Chooser<'_>,
    ) -> Result<Step, InterpretError> {
        self.run_seeing(command, preferred, &mut |site, occurrence, _| chooser(site, occurrence))
    }

    fn run_seeing(
        &mut self,
        command: &Command,
        preferred: &[ArcId],
        chooser: &mut SeeingChooser<'_>,
    ) -> Result<Step, InterpretError> {
        let mut changes: Vec<Change> = Vec::new();
        let mut path: Vec<ArcId> = Vec::new();
        let mut stack = vec![Frame { node: command.start(), next: 0, changes: 0 }];
        // Where the execution came back from: the same node with the same values will fail again.
        let mut failed: FxHashSet<(NodeId, Vec<Value>, Vec<usize>)> = FxHashSet::default();
        let mut joins: Option<Vec<bool>> = None;
        let mut tries = 0;
        loop {
            let Some(frame) = stack.last_mut() else { return Ok(Step::Blocked) };
            if frame.node == command.end() {
                return Ok(Step::Taken(path));
            }
            let is_preferred = |(id, _): &(ArcId, &Arc)| preferred.binary_search(id).is_ok();
            let first = command.outgoing(frame.node).filter(is_preferred);
            let others = command.outgoing(frame.node).filter(|arc| !is_preferred(arc));
            let Some((id, arc)) = first.chain(others).nth(frame.next) else {
                let (node, before) = (frame.node, frame.changes);
                // Only joins are remembered: other nodes have one way in, which fails no second time.
                if joins.get_or_insert_with(|| command.joins())[node.index()] {
                    failed.insert((node, self.store.clone(), self.occurrences.clone()));
                }
                stack.pop();
                path.pop();
                let before = stack.last().map_or(before, |previous| previous.changes);
                self.undo(&mut changes, before);
                tries += 1;
                if tries > MOST_TRIES {
                    self.undo(&mut changes, 0);
                    return Err(InterpretError::TooManyTries);
                }
                continue;
            };
            frame.next += 1;
            let before = frame.changes;
            debug_assert_eq!(before, changes.len(), "changes are undone before the next try");
            let passed = match self.basic(arc.basic, chooser, &mut changes) {
                Ok(passed) => passed,
                Err(error) => {
                    self.undo(&mut changes, 0);
                    return Err(error);
                }
            };
            let hopeless = passed
                && !failed.is_empty()
                && failed.contains(&(arc.target, self.store.clone(), self.occurrences.clone()));
            if passed && !hopeless {
                path.push(id);
                stack.push(Frame { node: arc.target, next: 0, changes: changes.len() });
            } else {
                self.undo(&mut changes, before);
            }
        }
    }

    /// Executes a command along a given path from its start to its end.
    ///
    /// # Errors
    /// When the arcs are no such path, a term cannot be evaluated, or a value has the wrong sort.
    pub fn follow(
        &mut self,
        command: &Command,
        path: &[ArcId],
        chooser: &mut Chooser<'_>,
    ) -> Result<Step, InterpretError> {
        let mut changes: Vec<Change> = Vec::new();
        let mut node = command.start();
        for &id in path {
            let arc = command.arcs().get(id.index()).filter(|arc| arc.source == node);
            let passed = match arc {
                Some(arc) => {
                    node = arc.target;
                    let mut blind =
                        |site: HavocSite, occurrence: usize, _: &[Value]| chooser(site, occurrence);
                    self.basic(arc.basic, &mut blind, &mut changes)
                }
                None => Err(InterpretError::NoPath),
            };
            match passed {
                Ok(true) => {}
                Ok(false) => {
                    self.undo(&mut changes, 0);
                    return Ok(Step::Blocked);
                }
                Err(error) => {
                    self.undo(&mut changes, 0);
                    return Err(error);
                }
            }
        }
        if node != command.end() {
            self.undo(&mut changes, 0);
            return Err(InterpretError::NoPath);
        }
        Ok(Step::Taken(path.to_vec()))
    }

    /// Executes one basic command; whether it goes on.
    fn basic(
        &mut self,
        basic: Basic,
        chooser: &mut SeeingChooser<'_>,
        changes: &mut Vec<Change>,
    ) -> Result<bool, InterpretError> {
        match basic {
            Basic::Skip => {}
            Basic::Assume(term) => return Ok(self.evaluator.holds(self.arena, term)?),
            Basic::Assign(variable, term) => {
                let value = self.evaluator.eval(self.arena, term)?;
                self.assign(variable, value, changes);
            }
            Basic::Havoc(variable, site) => {
                let value = chooser(site, self.occurrences[site.index()], &self.store);
                Self::check_sort(self.automaton, variable, &value)?;
                self.occurrences[site.index()] += 1;
                changes.push(Change::Occurrence(site));
                self.assign(variable, value, changes);
            }
        }
        Ok(true)
    }

    fn check_sort(automaton: &Automaton, variable: VarId, value: &Value) -> Result<(), InterpretError> {
        let found = value.sort();
        if found == automaton.variable(variable).sort {
            Ok(())
        } else {
            Err(InterpretError::Sort { variable, found })
        }
    }

    fn assign(&mut self, variable: VarId, value: Value, changes: &mut Vec<Change>) {
        self.evaluator.set(self.automaton.variable(variable).term, value.clone());
        let old = std::mem::replace(&mut self.store[variable.index()], value);
        changes.push(Change::Value(variable, old));
    }

    fn undo(&mut self, changes: &mut Vec<Change>, to: usize) {
        while changes.len() > to {
            match changes.pop() {
                Some(Change::Value(variable, value)) => {
                    self.evaluator.set(self.automaton.variable(variable).term, value.clone());
                    self.store[variable.index()] = value;
                }
                Some(Change::Occurrence(site)) => self.occurrences[site.index()] -= 1,
                None => break,
            }
        }
    }
}
