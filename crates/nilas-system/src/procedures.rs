//! From Horn clauses of any form to a program with procedures.
//!
//! A predicate becomes a procedure without arguments: it comes back with some values that the predicate must
//! hold of. Each of its clauses is a way through it: the predicates of the body are called, one after the
//! other, what they come back with must be their arguments, the constraint must hold, and the results are the
//! arguments of the head. A goal is a procedure, too, whose ways end in the error; the main one calls it.
//! So an execution is a derivation, with the calls as the branches of its tree, and a contract of a
//! procedure is what its predicate means.
//!
//! Every clause stands as it was read: nothing is solved for. The variables of clauses hold any value when
//! their procedure is entered, so nothing needs to be chosen either. No procedure has a loop or takes
//! arguments, and there are no global variables: contracts without formulas inside are checked clause
//! by clause ([`Procedures::contracts`]).

use crate::derivation::{Derivation, Fact};
use crate::system::{Clause, GoalId, System};
use nilas_evidence::{Contract, Contracts, Execution, Trace, replay};
use nilas_program::procedures::{Call, Came, Module, Owners, Procedure, WithCalls};
use nilas_program::{
    Automaton, Basic, Command, Edge, Location, LocationId, ProcedureId, Program, Span, VarId, Variable,
};
use nilas_smt::Budget;
use nilas_term::smtlib::{print_term, quote_symbol};
use nilas_term::{Arena, Evaluator, Importer, Model, Sort, Substitution, Term, Value};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::Write;

/// A program with what its parts stand for.
#[derive(Clone, Debug)]
pub struct Procedures {
    /// The program. The first procedures are the predicates, in their order; goals follow.
    pub module: Module,
    /// By edge: the clause that it is the end of.
    clauses: Vec<usize>,
    /// By clause: its variables, with their names in the clause.
    variables: Vec<Vec<(String, VarId)>>,
}

const ENTRY: usize = 0;
const ERROR: usize = 1;

struct Builder {
    arena: Arena,
    automaton: Automaton,
    owners: Owners,
    procedures: Vec<Procedure>,
    calls: Vec<Call>,
    clauses: Vec<usize>,
    variables: Vec<Vec<(String, VarId)>>,
}

impl Procedures {
    /// The program of the clauses, where the error is to derive the goal, or any goal if none is named.
    #[must_use]
    pub fn new(system: &System, goal: Option<GoalId>) -> Self {
        let automaton = Automaton {
            name: String::new(),
            variables: Vec::new(),
            locations: Vec::new(),
            edges: Vec::new(),
            havocs: Vec::new(),
            entry: LocationId::new(ENTRY),
            error: LocationId::new(ERROR),
            unmodelled: None,
        };
        let mut builder = Builder {
            arena: system.arena.clone(),
            automaton,
            owners: Owners::default(),
            procedures: Vec::new(),
            calls: Vec::new(),
            clauses: Vec::new(),
            variables: Vec::new(),
        };
        builder.location("entry".to_owned(), None);
        builder.location("error".to_owned(), None);
        for (index, predicate) in system.predicates.iter().enumerate() {
            let id = ProcedureId::new(index);
            let entry = builder.location(format!("p{index}.in"), Some(id));
            let exit = builder.location(format!("p{index}.out"), Some(id));
            let sorts = predicate.parameters.iter().enumerate();
            let results =
                sorts.map(|(at, (_, sort))| builder.variable(&format!("p{index}.x{at}"), sort, Some(id)));
            let results = results.collect();
            let (name, span) = (format!("p{index}"), predicate.span);
            let parameters = Vec::new();
            builder.procedures.push(Procedure { name, parameters, results, entry, exit, span });
        }
        for (index, clause) in system.clauses.iter().enumerate() {
            builder.variables.push(Vec::new());
            if clause.head.as_ref().err().is_none_or(|&other| goal.is_none_or(|goal| goal == other)) {
                builder.clause(index, clause);
            }
        }
        let Builder { arena, automaton, owners, procedures, calls, clauses, variables, .. } = builder;
        let targets = vec![automaton.error];
        let module = Module { program: Program { arena, automaton }, targets, procedures, calls, owners };
        Procedures { module, clauses, variables }
    }

    fn results(&self, predicate: usize) -> &[VarId] {
        &self.module.procedures[predicate].results
    }

    /// What contracts say of the predicates alone: contracts of the same program, without formulas inside.
    /// They are checked clause by clause. `None` if they are not of this program.
    #[must_use]
    pub fn contracts(&self, contracts: &Contracts) -> Option<Contracts> {
        let automaton = &self.module.program.automaton;
        let mut arena = contracts.arena.clone();
        let mut procedures = BTreeMap::new();
        for (index, procedure) in self.module.procedures.iter().enumerate() {
            let Contract { requires, ensures } = contracts.procedures.get(&procedure.name)?;
            // Of what nobody may call nothing is claimed.
            let ensures = arena.implies(*requires, *ensures);
            let mut own = BTreeSet::new();
            for &result in self.results(index) {
                let Variable { name, sort, .. } = automaton.variable(result);
                own.insert(arena.variable(name, sort).ok()?);
            }
            // Nothing else is passed, so any value may be put for it.
            let mut fixed = Substitution::new();
            for variable in arena.free_variables(ensures).into_iter().filter(|it| !own.contains(it)) {
                let value = Value::default_of(&arena.sort(variable).clone());
                let value = arena.constant(value);
                fixed.insert(variable, value);
            }
            let (requires, ensures) = (arena.mk_true(), fixed.apply(&mut arena, ensures));
            procedures.insert(procedure.name.clone(), Contract { requires, ensures });
        }
        Some(Contracts { arena, procedures, ..Contracts::default() })
    }

    /// The interpretation that contracts of [`Procedures::contracts`] are, as definitions in SMT-LIB.
    #[must_use]
    pub fn print(&self, system: &System, contracts: &Contracts) -> Option<String> {
        let mut text = String::new();
        for (index, predicate) in system.predicates.iter().enumerate() {
            let ensures = contracts.procedures.get(&self.module.procedures[index].name)?.ensures;
            let mut arena = system.arena.clone();
            let formula = Importer::new().import(&mut arena, &contracts.arena, ensures).ok()?;
            let (mut renamed, mut parameters) = (Substitution::new(), Vec::new());
            for (&result, (name, sort)) in self.results(index).iter().zip(&predicate.parameters) {
                let own = arena.variable(&self.module.program.automaton.variable(result).name, sort).ok()?;
                let is_free = arena.lookup(name).is_none();
                let parameter = if is_free { arena.variable(name, sort).ok() } else { None }.unwrap_or(own);
                renamed.insert(own, parameter);
                let called = quote_symbol(arena.name(parameter).unwrap_or("?"));
                parameters.push(format!("({called} {sort})"));
            }
            let formula = renamed.apply(&mut arena, formula);
            let (name, body) = (quote_symbol(&predicate.name), print_term(&arena, formula));
            // Writing to a string does not fail.
            let _ = writeln!(text, "(define-fun {name} ({}) Bool\n  {body})", parameters.join(" "));
        }
        Some(text)
    }

    /// The derivation of an execution of the flat automaton: its moves are carried out here once more, on
    /// values, and each fact is checked against its clause as it was read.
    #[must_use]
    pub fn derivation(
        &self,
        system: &System,
        flat: &Program,
        calls: &WithCalls,
        execution: &Execution,
    ) -> Option<Derivation> {
        let Trace { initial, steps, .. } = replay(flat, execution, &Budget::unlimited()).ok()?;
        let automaton = &self.module.program.automaton;
        let arena = &self.module.program.arena;
        let term = |variable: VarId| automaton.variable(variable).term;
        let activation =
            || Activation { values: Evaluator::new(Model::new()).with_defaults(), premises: Vec::new() };
        let mut stack = vec![activation()];
        for (variable, value) in calls.variables.iter().zip(initial) {
            if let Some((variable, _)) = variable {
                stack[0].values.set(term(*variable), value);
            }
        }
        let mut facts: Vec<Fact> = Vec::new();
        for step in &steps {
            let mut chosen: VecDeque<&Value> = step.inputs.iter().map(|(_, value)| value).collect();
            match *calls.came.get(step.edge.index())? {
                Came::Enter(_) => {
                    let mut entered = activation();
                    let command = &flat.automaton.edge(step.edge).command;
                    for &arc in &step.arcs {
                        if let Basic::Havoc(variable, _) = command.arc(arc).basic {
                            let value = chosen.pop_front()?.clone();
                            if let Some(variable) = calls.variable(variable) {
                                entered.values.set(term(variable), value);
                            }
                        }
                    }
                    stack.push(entered);
                }
                Came::Leave(call) => {
                    let mut done = stack.pop()?;
                    let call = self.module.call(call);
                    let results = &self.module.procedure(call.callee).results;
                    let caller = stack.last_mut()?;
                    for (&to, &result) in call.results.iter().zip(results) {
                        let value = done.values.eval(arena, term(result)).ok()?;
                        caller.values.set(term(to), value);
                    }
                    caller.premises.push(facts.len().checked_sub(1)?);
                }
                Came::Edge(edge) => {
                    let here = stack.last_mut()?;
                    let command = &automaton.edge(edge).command;
                    for (_, arc) in command.arc_ids() {
                        if let Basic::Assign(variable, value) = arc.basic {
                            let value = here.values.eval(arena, value).ok()?;
                            here.values.set(term(variable), value);
                        }
                    }
                    let clause = *self.clauses.get(edge.index())?;
                    let mut inputs = Vec::new();
                    for (name, variable) in &self.variables[clause] {
                        inputs.push((name.clone(), here.values.eval(arena, term(*variable)).ok()?));
                    }
                    let holds = match &system.clauses.get(clause)?.head {
                        Err(goal) => Err(*goal),
                        Ok(atom) => {
                            let results = self.results(atom.predicate.0).iter();
                            let values = results.map(|&it| here.values.eval(arena, term(it)).ok());
                            Ok((atom.predicate, values.collect::<Option<Vec<Value>>>()?))
                        }
                    };
                    let premises = std::mem::take(&mut here.premises);
                    facts.push(Fact { holds, clause, premises, inputs });
                }
                Came::Cut(_) => return None,
            }
        }
        Derivation::of(system, facts)
    }
}

/// A procedure at work: its values, and the facts that its calls came back with.
struct Activation {
    values: Evaluator,
    premises: Vec<usize>,
}

impl Builder {
    fn location(&mut self, name: String, owner: Option<ProcedureId>) -> LocationId {
        let id = LocationId::new(self.automaton.locations.len());
        self.automaton.locations.push(Location { name, span: Span::default() });
        self.owners.locations.push(owner);
        id
    }

    /// A variable whose name is new to the arena.
    fn variable(&mut self, wanted: &str, sort: &Sort, owner: Option<ProcedureId>) -> VarId {
        let mut name = wanted.to_owned();
        let mut number = 0_u64;
        let term = loop {
            if self.arena.lookup(&name).is_none()
                && let Ok(term) = self.arena.variable(&name, sort)
            {
                break term;
            }
            name = format!("{wanted}.{number}");
            number += 1;
        };
        let id = VarId::new(self.automaton.variables.len());
        let span = Span::default();
        self.automaton.variables.push(Variable { name, sort: sort.clone(), term, span });
        self.owners.variables.push(owner);
        id
    }

    /// The procedure of a goal, which the main one calls, and its entry. It never comes back.
    fn goal(&mut self, index: usize, span: Span) -> (ProcedureId, LocationId) {
        let id = ProcedureId::new(self.procedures.len());
        let entry = self.location(format!("g{index}.in"), Some(id));
        let exit = self.location(format!("g{index}.out"), Some(id));
        let (name, parameters, results) = (format!("g{index}"), Vec::new(), Vec::new());
        self.procedures.push(Procedure { name, parameters, results, entry, exit, span });
        let target = self.location(format!("g{index}.after"), None);
        let (arguments, results, source) = (Vec::new(), Vec::new(), self.automaton.entry);
        self.calls.push(Call { source, target, callee: id, arguments, results, span });
        (id, entry)
    }

    fn term(&self, variable: VarId) -> Term {
        self.automaton.variable(variable).term
    }

    fn clause(&mut self, index: usize, clause: &Clause) {
        let (owner, mut here, end) = match &clause.head {
            Ok(atom) => {
                let procedure = &self.procedures[atom.predicate.0];
                (ProcedureId::new(atom.predicate.0), procedure.entry, procedure.exit)
            }
            Err(_) => {
                let (goal, entry) = self.goal(index, clause.span);
                (goal, entry, self.automaton.error)
            }
        };
        let owner = Some(owner);
        let atoms = clause.body.iter().chain(clause.head.as_ref().ok());
        let terms = atoms.flat_map(|atom| atom.arguments.iter().copied()).chain([clause.constraint]);
        let terms: Vec<Term> = terms.collect();
        let mut names = Substitution::new();
        let mut own: BTreeMap<Term, VarId> = BTreeMap::new();
        for (at, variable) in self.arena.free_variables_of(&terms).into_iter().enumerate() {
            let sort = self.arena.sort(variable).clone();
            let name = self.arena.name(variable).unwrap_or_default().to_owned();
            let id = self.variable(&format!("c{index}.v{at}"), &sort, owner);
            names.insert(variable, self.term(id));
            own.insert(variable, id);
            self.variables[index].push((name, id));
        }
        // A variable that is an argument takes what a call comes back with, at its first occurrence.
        let mut taken: BTreeSet<VarId> = BTreeSet::new();
        let mut conditions = Vec::new();
        for (number, atom) in clause.body.iter().enumerate() {
            let mut results = Vec::new();
            for (at, &argument) in atom.arguments.iter().enumerate() {
                if let Some(&variable) = own.get(&argument).filter(|&&it| taken.insert(it)) {
                    results.push(variable);
                    continue;
                }
                let sort = self.arena.sort(argument).clone();
                let result = self.variable(&format!("c{index}.r{number}.{at}"), &sort, owner);
                let argument = names.apply(&mut self.arena, argument);
                let returned = self.term(result);
                conditions.push(self.arena.eq(returned, argument));
                results.push(result);
            }
            let target = self.location(format!("c{index}.l{number}"), owner);
            let callee = ProcedureId::new(atom.predicate.0);
            let arguments = Vec::new();
            self.calls.push(Call { source: here, target, callee, arguments, results, span: clause.span });
            here = target;
        }
        conditions.push(names.apply(&mut self.arena, clause.constraint));
        let mut steps = vec![Basic::Assume(self.arena.and(&conditions))];
        if let Ok(atom) = &clause.head {
            for (at, &argument) in atom.arguments.iter().enumerate() {
                let value = names.apply(&mut self.arena, argument);
                steps.push(Basic::Assign(self.procedures[atom.predicate.0].results[at], value));
            }
        }
        let steps: Vec<Command> = steps.into_iter().map(|step| Command::basic(step, clause.span)).collect();
        let command = Command::sequence(&steps);
        self.automaton.edges.push(Edge { source: here, target: end, command, span: clause.span });
        self.clauses.push(index);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::read_horn;

    const SUM: &str = "(set-logic HORN) (declare-fun S ((_ BitVec 8) (_ BitVec 8)) Bool)
        (assert (S #x00 #x00))
        (assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8)) (a (_ BitVec 8)) (b (_ BitVec 8)))
            (=> (and (S x a) (S y b)) (S (bvadd x y #x01) (bvadd a b #x02)))))
        (assert (forall ((x (_ BitVec 8)) (a (_ BitVec 8))) (=> (and (S x a) (= ((_ extract 0 0) a) #b1)) false)))";

    #[test]
    fn a_predicate_is_a_procedure() {
        let system = read_horn(SUM).unwrap();
        assert!(!system.is_linear());
        let made = Procedures::new(&system, Some(GoalId(0)));
        assert_eq!(nilas_program::procedures::check(&made.module), Ok(()));
        assert_eq!(made.module.procedures.len(), 2);
        assert_eq!(made.module.calls.len(), 4);
        assert_eq!(made.module.program.automaton.edges.len(), 3);
    }

    #[test]
    fn predicates_of_a_body_may_be_the_same_and_arguments_may_be_terms() {
        let text = "(set-logic HORN) (declare-fun P ((_ BitVec 4) Bool) Bool) (declare-fun q () Bool)
            (assert (forall ((x (_ BitVec 4)) (b Bool)) (=> (and (P x b) (P x (not b)) (P #x3 true) q) (P (bvneg x) b))))
            (assert (=> (and q (P #x1 true)) false))";
        let system = read_horn(text).unwrap();
        let made = Procedures::new(&system, Some(GoalId(0)));
        assert_eq!(nilas_program::procedures::check(&made.module), Ok(()));
        assert_eq!(made.module.calls.len(), 7);
    }
}
