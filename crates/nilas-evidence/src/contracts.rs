//! Contracts: what each procedure needs and does, checked procedure by procedure.
//!
//! For each procedure `p` an automaton is made in which calls are replaced by what contracts say, and a plain
//! invariant of it is checked:
//!
//! - it begins with any values that satisfy *requires* of `p`; `old x` keeps the value of `x` there;
//! - a call leads to the error where *requires* of its callee does not hold, and otherwise on, with any
//!   values of global variables and results that satisfy *ensures* of the callee;
//! - the exit leads to the error where *ensures* of `p` does not hold.
//!
//! If the error can be reached in none of them, no execution of the module reaches a sink: in the shortest
//! one that reaches a sink, or violates *requires* at a call or *ensures* at an exit, all earlier calls and
//! returns kept their contracts, so its last activation is an execution of its automaton. That calls come
//! back is not claimed.

use crate::check::{Account, Verdict, check_with};
use crate::evidence::{Contract, Contracts, Evidence, Invariant};
use crate::induction;
use crate::rejection::Rejection;
use nilas_program::procedures::{WithCalls, validate};
use nilas_program::{
    Automaton, Basic, Command, Edge, Havoc, HavocSite, Location, LocationId, Module, ProcedureId, Program,
    Span, VarId, Variable,
};
use nilas_smt::Budget;
use nilas_term::{Arena, Importer, Sort, Substitution, Term};
use std::collections::{BTreeMap, BTreeSet};

/// What the value of a variable at the entry of its procedure is called. No variable has a space in its name.
#[must_use]
pub fn entry_name(variable: &str) -> String {
    format!("old {variable}")
}

/// Checks evidence against an automaton that was made of a module: contracts are about the module, and for all
/// else the automaton must mean what the module means ([`validate`]).
///
/// # Errors
/// When the automaton does not, the evidence does not show what it claims, or the budget ends first.
pub fn check_with_calls(
    program: &Program,
    calls: &WithCalls,
    evidence: &Evidence,
    budget: &Budget,
    account: &mut Account,
) -> Result<Verdict, Rejection> {
    if let Evidence::Contracts(contracts) = evidence {
        return check_contracts(&calls.module, contracts, budget, account).map(|()| Verdict::Safe);
    }
    check_translation(program, calls)?;
    check_with(program, evidence, budget, account)
}

/// Whether an automaton means what the module means that it was made of.
///
/// # Errors
/// When it does not.
pub fn check_translation(program: &Program, calls: &WithCalls) -> Result<(), Rejection> {
    validate(program, calls).map_err(|why| Rejection::NotTheModule { why })
}

/// Checks contracts, see the module's text.
///
/// # Errors
/// When they do not show that no sink is reached, or the budget ends first.
pub fn check_contracts(
    module: &Module,
    contracts: &Contracts,
    budget: &Budget,
    account: &mut Account,
) -> Result<(), Rejection> {
    nilas_program::procedures::check(module).map_err(|errors| bad("the module", format!("{errors:?}")))?;
    let automaton = &module.program.automaton;
    if let Some(strange) = automaton.variables.iter().find(|variable| variable.name.contains(' ')) {
        return Err(bad(&strange.name, "the name has a space".into()));
    }
    let locations: BTreeMap<&str, LocationId> =
        automaton.location_ids().map(|id| (&*automaton.location(id).name, id)).collect();
    if let Some(name) = contracts.formulas.keys().find(|name| !locations.contains_key(name.as_str())) {
        return Err(bad(name, "there is no such location".into()));
    }
    let every = module.procedure_ids().map(Some).chain([None]);
    for procedure in every {
        let mut maker = Maker::new(module, contracts)?;
        let program = maker.procedure(procedure)?;
        let mut invariant = Invariant { arena: contracts.arena.clone(), ..Invariant::default() };
        for (name, &formula) in &contracts.formulas {
            let Some(&location) = locations.get(name.as_str()) else { continue };
            if module.owner(location) == procedure && !module.is_sink(location) {
                invariant.formulas.insert(location, formula);
            }
        }
        induction::check(&program, &invariant, budget, account)?;
    }
    Ok(())
}

fn bad(location: &str, why: String) -> Rejection {
    Rejection::BadFormula { location: location.to_owned(), why }
}

/// Makes the automaton of a procedure.
struct Maker<'a> {
    module: &'a Module,
    contracts: &'a Contracts,
    arena: Arena,
    automaton: Automaton,
    importer: Importer,
    /// Values at entries, values passed, values returned: by variable of the module.
    old: BTreeMap<VarId, VarId>,
    passed: BTreeMap<VarId, VarId>,
    returned: BTreeMap<VarId, VarId>,
}

impl<'a> Maker<'a> {
    fn new(module: &'a Module, contracts: &'a Contracts) -> Result<Self, Rejection> {
        let Program { arena, automaton } = module.program.clone();
        let (old, passed, returned) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let importer = Importer::new();
        let mut maker = Maker { module, contracts, arena, automaton, importer, old, passed, returned };
        for id in module.program.automaton.variable_ids() {
            let Variable { name, sort, .. } = module.program.automaton.variable(id);
            let old = maker.variable(&entry_name(name), sort)?;
            maker.old.insert(id, old);
            let passed = maker.variable(&format!("passed {name}"), sort)?;
            maker.passed.insert(id, passed);
            let returned = maker.variable(&format!("returned {name}"), sort)?;
            maker.returned.insert(id, returned);
        }
        Ok(maker)
    }

    fn variable(&mut self, name: &str, sort: &Sort) -> Result<VarId, Rejection> {
        let id = VarId::new(self.automaton.variables.len());
        let term = self.arena.variable(name, sort).map_err(|error| bad(name, error.to_string()))?;
        let variable = Variable { name: name.to_owned(), sort: sort.clone(), term, span: Span::default() };
        self.automaton.variables.push(variable);
        Ok(id)
    }

    fn term(&self, variable: VarId) -> Term {
        self.automaton.variable(variable).term
    }

    fn globals(&self) -> Vec<VarId> {
        let all = self.module.program.automaton.variable_ids();
        all.filter(|&variable| self.module.owner_of(variable).is_none()).collect()
    }

    /// A formula of a contract, which may be about these variables only.
    fn formula(&mut self, name: &str, formula: Term, over: &BTreeSet<Term>) -> Result<Term, Rejection> {
        let imported = self.importer.import(&mut self.arena, &self.contracts.arena, formula);
        let formula = imported.map_err(|error| bad(name, error.to_string()))?;
        if *self.arena.sort(formula) != Sort::Bool {
            return Err(bad(name, "it is not Boolean".into()));
        }
        match self.arena.free_variables(formula).into_iter().find(|variable| !over.contains(variable)) {
            Some(stranger) => {
                let stranger = self.arena.name(stranger).unwrap_or_default();
                Err(bad(name, format!("the contract cannot be about `{stranger}`")))
            }
            None => Ok(formula),
        }
    }

    /// The contract of a procedure: *requires* over global variables and parameters, *ensures* over these at
    /// the entry, and over global variables and results.
    fn contract(&mut self, procedure: ProcedureId) -> Result<Contract, Rejection> {
        let declared = self.module.procedure(procedure);
        let Some(contract) = self.contracts.procedures.get(&declared.name) else {
            return Err(bad(&declared.name, "the procedure has no contract".into()));
        };
        let globals = self.globals();
        let now = |these: &[VarId]| these.iter().map(|&it| self.term(it)).collect::<Vec<Term>>();
        let entered: Vec<VarId> = globals.iter().chain(&declared.parameters).copied().collect();
        let requires: BTreeSet<Term> = now(&entered).into_iter().collect();
        let mut ensures: BTreeSet<Term> = entered.iter().map(|it| self.term(self.old[it])).collect();
        ensures.extend(now(&globals).into_iter().chain(now(&declared.results)));
        Ok(Contract {
            requires: self.formula(&declared.name, contract.requires, &requires)?,
            ensures: self.formula(&declared.name, contract.ensures, &ensures)?,
        })
    }

    fn havoc(&mut self, variable: VarId) -> Basic {
        let site = HavocSite::new(self.automaton.havocs.len());
        self.automaton.havocs.push(Havoc { variable, span: Span::default() });
        Basic::Havoc(variable, site)
    }

    fn edge(&mut self, source: LocationId, target: LocationId, steps: Vec<Basic>) {
        let steps: Vec<Command> =
            steps.into_iter().map(|basic| Command::basic(basic, Span::default())).collect();
        let command = Command::sequence(&steps);
        self.automaton.edges.push(Edge { source, target, command, span: Span::default() });
    }

    /// The automaton of a procedure, or of the main one.
    fn procedure(&mut self, procedure: Option<ProcedureId>) -> Result<Program, Rejection> {
        let module = self.module;
        self.automaton.edges.retain(|edge| module.owner(edge.source) == procedure);
        let error = self.automaton.error;
        if let Some(id) = procedure {
            let declared = module.procedure(id);
            let Contract { requires, ensures } = self.contract(id)?;
            let start = LocationId::new(self.automaton.locations.len());
            let name = "at the call".to_owned();
            self.automaton.locations.push(Location { name, span: Span::default() });
            self.automaton.entry = start;
            let mut enter = vec![Basic::Assume(requires)];
            for variable in self.globals().into_iter().chain(declared.parameters.iter().copied()) {
                enter.push(Basic::Assign(self.old[&variable], self.term(variable)));
            }
            self.edge(start, declared.entry, enter);
            let violated = self.arena.not(ensures);
            self.edge(declared.exit, error, vec![Basic::Assume(violated)]);
        }
        for call in module.calls.iter().filter(|call| module.owner(call.source) == procedure) {
            let callee = module.procedure(call.callee);
            let Contract { requires, ensures } = self.contract(call.callee)?;
            let mut arguments = Substitution::new();
            for (&parameter, &argument) in callee.parameters.iter().zip(&call.arguments) {
                arguments.insert(self.term(parameter), argument);
            }
            let requires = arguments.apply(&mut self.arena, requires);
            let violated = self.arena.not(requires);
            self.edge(call.source, error, vec![Basic::Assume(violated)]);
            let mut names = Substitution::new();
            let mut steps = Vec::new();
            for (&parameter, &argument) in callee.parameters.iter().zip(&call.arguments) {
                steps.push(Basic::Assign(self.passed[&parameter], argument));
                names.insert(self.term(self.old[&parameter]), self.term(self.passed[&parameter]));
            }
            for global in self.globals() {
                steps.push(Basic::Assign(self.passed[&global], self.term(global)));
                names.insert(self.term(self.old[&global]), self.term(self.passed[&global]));
            }
            for global in self.globals() {
                steps.push(self.havoc(global));
            }
            for &result in &callee.results {
                steps.push(self.havoc(self.returned[&result]));
                names.insert(self.term(result), self.term(self.returned[&result]));
            }
            steps.push(Basic::Assume(names.apply(&mut self.arena, ensures)));
            for (&to, result) in call.results.iter().zip(&callee.results) {
                steps.push(Basic::Assign(to, self.term(self.returned[result])));
            }
            self.edge(call.source, call.target, steps);
        }
        Ok(Program { arena: self.arena.clone(), automaton: self.automaton.clone() })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::text;
    use nilas_program::parse_module;

    const SUM: &str = "var n, total, calls : bv8 entry init error err
        proc sum(sum.n : bv8) returns (sum.r : bv8) { entry sum.in exit sum.out
            sum.in -> sum.out { assume sum.n == 0; sum.r := 0; calls := calls + 1 }
            sum.in -> sum.l1 { assume sum.n != 0 }
            sum.l1 -> sum.l2 { sum.r := call sum(sum.n - 1) }
            sum.l2 -> sum.out { assume sum.r <u 100; sum.r := sum.r + 2 }
            sum.l2 -> err { assume sum.n >u 40 } }
        init -> ask { havoc n; assume n <=u 30; calls := 5 }
        ask -> told { total := call sum(n) }
        told -> err { assume total[0:0] == 1 || calls != 6 }";

    const PROOF: &str = "(contracts
        (procedure sum (requires (bvule sum.n #x1e))
            (ensures (and (= ((_ extract 0 0) sum.r) #b0) (= calls (bvadd |old calls| #x01)) (bvule |old sum.n| #x1e))))
        (at sum.l1 (and (= calls |old calls|) (bvule sum.n #x1e) (= sum.n |old sum.n|) (distinct sum.n #x00)))
        (at ask (and (= calls #x05) (bvule n #x1e))))";

    fn checked(program: &str, proof: &str) -> Result<(), Rejection> {
        let module =
            parse_module(program).unwrap_or_else(|errors| panic!("{}", errors[0].render("f", program)));
        let Evidence::Contracts(contracts) = text::parse(&module.program, proof).unwrap() else {
            panic!("contracts expected")
        };
        check_contracts(&module, &contracts, &Budget::unlimited(), &mut Account::default())
    }

    #[test]
    fn contracts_of_a_recursive_procedure() {
        assert_eq!(checked(SUM, PROOF), Ok(()));
    }

    /// Each part of the program and of the proof matters.
    #[test]
    fn what_does_not_fit_is_rejected() {
        for (from, to) in [
            ("n <=u 30", "n <=u 31"),
            ("sum.r + 2", "sum.r + 1"),
            ("calls != 6", "calls != 7"),
            ("sum.n - 1", "sum.n - 2"),
            ("sum.n >u 40", "sum.n >u 20"),
            ("sum.r := 0;", ""),
            ("calls := 5", "skip"),
        ] {
            assert!(SUM.contains(from), "{from}");
            assert!(checked(&SUM.replace(from, to), PROOF).is_err(), "{from} -> {to}");
        }
        for (from, to) in [
            ("(requires (bvule sum.n #x1e))", "(requires true)"),
            ("(requires (bvule sum.n #x1e))", "(requires false)"),
            ("(ensures (and (= ((_ extract 0 0) sum.r) #b0)", "(ensures (and true"),
            ("(ensures (and", "(ensures (or"),
            ("(= calls |old calls|)", "true"),
            ("(= sum.n |old sum.n|)", "true"),
            ("(at sum.l1", "(at sum.l2"),
            ("procedure sum", "procedure sun"),
            ("(requires (bvule sum.n #x1e))", "(requires (bvule sum.r #x1e))"),
            ("|old sum.n| #x1e))))", "sum.n #x1e))))"),
        ] {
            assert!(PROOF.contains(from), "{from}");
            assert!(checked(SUM, &PROOF.replace(from, to)).is_err(), "{from} -> {to}");
        }
    }

    /// Variables that a call gives a value to are set after all else, and a callee's errors are errors.
    #[test]
    fn results_and_errors_of_callees() {
        let text = "var x : bv8 entry a error e
            proc f() returns (f.r : bv8) { entry f.in exit f.out f.in -> f.out { x := 3; f.r := 4 } }
            a -> b { x := call f() } b -> e { assume x != 4 }";
        let proof = "(contracts (procedure f (requires true) (ensures (and (= x #x03) (= f.r #x04)))))";
        assert_eq!(checked(text, proof), Ok(()));
        assert!(checked(&text.replace("x != 4", "x != 3"), proof).is_err());
        let inside = text.replace("f.in -> f.out {", "f.in -> e { assume x == 9 } f.in -> f.out {");
        assert!(checked(&inside, proof).is_err());
        let needs = proof.replace("requires true", "requires (distinct x #x09)");
        assert!(checked(&inside, &needs).is_err(), "main calls with any value");
        assert_eq!(checked(&inside.replace("a -> b {", "a -> aa { x := 1 } aa -> b {"), &needs), Ok(()));
    }

    #[test]
    fn what_is_printed_is_read_again() {
        let module = parse_module(SUM).unwrap();
        let read = text::parse(&module.program, PROOF).unwrap();
        let printed = text::print(&module.program, &read);
        let again = text::parse(&module.program, &printed).unwrap();
        assert_eq!(text::print(&module.program, &again), printed);
        assert_eq!(text::version([&read]), crate::header::WITH_CONTRACTS);
        for wrong in [
            "(contracts (procedure f))",
            "(contracts (procedure f (requires true)))",
            "(contracts (procedure f (requires #x00) (ensures true)))",
            "(contracts (at))",
            "(contracts (at x))",
            "(contracts (requires true))",
        ] {
            assert!(text::parse(&module.program, wrong).is_err(), "{wrong}");
        }
    }
}
