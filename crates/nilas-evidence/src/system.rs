//! Evidence about transition systems, and its checker.
//!
//! A system has initial states, steps and bad states ([`nilas_program::TransitionSystem`]). It is *safe* if
//! no bad state can be reached. What the checker asks is what it asks about automata ([`crate::induction`]),
//! with one region, the step: with the same encoder, and with proofs.

use crate::check::{Account, Verdict};
use crate::encoder::Encoder;
use crate::evidence::Induction;
use crate::induction::conjuncts;
use crate::rejection::Rejection;
use nilas_program::TransitionSystem;
use nilas_smt::{Budget, Reason};
use nilas_term::{Arena, EvalError, Evaluator, Importer, Sort, Substitution, Term, Value};

/// Why a verdict about a system should be believed.
#[derive(Clone, Debug)]
pub enum SystemEvidence {
    /// Safe: a formula that holds in all reachable states, and in no bad one.
    Invariant(SystemInvariant),
    /// Unsafe: an execution to a bad state.
    Trace(SystemTrace),
}

/// A formula over the current variables.
#[derive(Clone, Debug)]
pub struct SystemInvariant {
    /// Owner of the formula. It knows variables by their names.
    pub arena: Arena,
    /// The formula.
    pub formula: Term,
    /// How it implies itself.
    pub induction: Induction,
}

/// One moment of a trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moment {
    /// The values of all current variables.
    pub state: Vec<(Term, Value)>,
    /// The values of all inputs at the step that follows; at the last moment, those with which the state is
    /// bad.
    pub inputs: Vec<(Term, Value)>,
}

/// An execution of a system: from an initial state to a bad one, each state a step after the one before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SystemTrace {
    /// The moments, at least one.
    pub steps: Vec<Moment>,
}

/// Checks evidence about a system, whose terms belong to the arena.
///
/// # Errors
/// When it does not show what it claims, or the budget ends first.
pub fn check_system(
    arena: &Arena,
    system: &TransitionSystem,
    evidence: &SystemEvidence,
    budget: &Budget,
    account: &mut Account,
) -> Result<Verdict, Rejection> {
    match evidence {
        SystemEvidence::Invariant(invariant) => {
            let encoder = Encoder::new(budget, account.listener.clone());
            let mut check = Check { arena: arena.clone(), system, encoder };
            let result = check.invariant(invariant);
            account.counts += check.encoder.counts();
            result.map(|()| Verdict::Safe)
        }
        SystemEvidence::Trace(trace) => follow(arena, system, trace).map(|()| Verdict::Unsafe),
    }
}

/// Evaluates a trace, moment by moment.
fn follow(arena: &Arena, system: &TransitionSystem, trace: &SystemTrace) -> Result<(), Rejection> {
    let wrong = |why: String| Rejection::NotReached { why };
    let fails = |error: EvalError| wrong(error.to_string());
    let currents: Vec<Term> = system.variables.iter().map(|variable| variable.current).collect();
    for (index, moment) in trace.steps.iter().enumerate() {
        complete(arena, &currents, &moment.state)?;
        complete(arena, &system.inputs, &moment.inputs)?;
        let mut now = Evaluator::new(moment.state.iter().chain(&moment.inputs).cloned().collect());
        if index == 0 && !now.holds(arena, system.initial).map_err(fails)? {
            return Err(wrong("its first state is not initial".into()));
        }
        let Some(after) = trace.steps.get(index + 1) else {
            let bad = now.holds(arena, system.bad).map_err(fails)?;
            return if bad { Ok(()) } else { Err(wrong("its last state is not bad".into())) };
        };
        complete(arena, &currents, &after.state)?;
        let held =
            |current: Term| after.state.iter().find(|(term, _)| *term == current).map(|(_, value)| value);
        for variable in system.variables.iter().filter(|variable| variable.update.is_none()) {
            if let Some(value) = held(variable.current) {
                now.set(variable.next, value.clone());
            }
        }
        let mut is_step = now.holds(arena, system.constraint).map_err(fails)?;
        for variable in &system.variables {
            if let Some(update) = variable.update {
                is_step &= Some(&now.eval(arena, update).map_err(fails)?) == held(variable.current);
            }
        }
        if !is_step {
            return Err(wrong(format!("its moment {} is not one step after the one before", index + 1)));
        }
    }
    Err(wrong("it has no moment".into()))
}

/// Whether each of the variables has one value, of its sort, and nothing else has.
fn complete(arena: &Arena, variables: &[Term], values: &[(Term, Value)]) -> Result<(), Rejection> {
    let fits = |(variable, value): &(Term, Value)| {
        variables.contains(variable)
            && value.sort() == *arena.sort(*variable)
            && values.iter().filter(|(other, _)| other == variable).count() == 1
    };
    match values.len() == variables.len() && values.iter().all(fits) {
        true => Ok(()),
        false => Err(Rejection::NotReached { why: "a moment does not give each variable its value".into() }),
    }
}

struct Check<'a> {
    arena: Arena,
    system: &'a TransitionSystem,
    encoder: Encoder<'a>,
}

/// A state as terms, and what holds of the steps that lead there.
struct State {
    values: Vec<Term>,
    conditions: Vec<Term>,
}

impl Check<'_> {
    fn invariant(&mut self, invariant: &SystemInvariant) -> Result<(), Rejection> {
        let bad = |why: String| Rejection::BadFormula { location: "the system".into(), why };
        let imported = Importer::new().import(&mut self.arena, &invariant.arena, invariant.formula);
        let formula = imported.map_err(|error| bad(error.to_string()))?;
        if *self.arena.sort(formula) != Sort::Bool {
            return Err(bad("it is not Boolean".into()));
        }
        let current = |term: &Term| self.system.variables.iter().any(|variable| variable.current == *term);
        if let Some(&stranger) = self.arena.free_variables(formula).iter().find(|term| !current(term)) {
            let stranger = self.arena.name(stranger).unwrap_or_default();
            return Err(bad(format!("`{stranger}` is no current variable of the system")));
        }
        let lemmas = conjuncts(&self.arena, formula);
        let k = invariant.induction.k.get();
        // Base: the formula holds in the first k states.
        let mut state = self.anywhere();
        state.conditions.push(self.system.initial);
        for number in 0..k {
            if number > 0 {
                self.step(&mut state);
            }
            if let Some(model) = self.violated(&state, &lemmas)? {
                return Err(Rejection::EntryNotImplied { model });
            }
        }
        // Step: after k states in which it holds, it holds.
        let mut state = self.anywhere();
        let mut before: Vec<Vec<Term>> = Vec::new();
        for _ in 0..k {
            let holds = self.read(&state, formula);
            state.conditions.extend(conjuncts(&self.arena, holds));
            if invariant.induction.simple {
                for earlier in &before {
                    let mut same = Vec::with_capacity(earlier.len());
                    for (&one, &other) in earlier.iter().zip(&state.values) {
                        same.push(self.arena.eq(one, other));
                    }
                    let same = self.arena.and(&same);
                    state.conditions.push(self.arena.not(same));
                }
                before.push(state.values.clone());
            }
            self.step(&mut state);
        }
        let (from, to) = ("a state".to_owned(), "the next one".to_owned());
        if let Some(model) = self.violated(&state, &lemmas)? {
            return Err(Rejection::NotPreserved { from, to, model });
        }
        // It excludes the bad states.
        let question = [formula, self.system.bad];
        match self.model(&question)? {
            Some(model) => Err(Rejection::SinkReached { sink: "bad states".into(), model }),
            None => Ok(()),
        }
    }

    fn anywhere(&self) -> State {
        let values = self.system.variables.iter().map(|variable| variable.current).collect();
        State { values, conditions: Vec::new() }
    }

    /// Goes on by a step, with inputs of its own.
    fn step(&mut self, state: &mut State) {
        let mut now: Substitution =
            self.system.variables.iter().zip(&state.values).map(|(it, &value)| (it.current, value)).collect();
        for choice in self.system.choices() {
            let sort = self.arena.sort(choice).clone();
            let chosen = self.arena.fresh_variable("check.input", &sort);
            now.insert(choice, chosen);
        }
        state.conditions.push(now.apply(&mut self.arena, self.system.constraint));
        let after =
            self.system.variables.iter().map(|it| now.apply(&mut self.arena, it.update.unwrap_or(it.next)));
        state.values = after.collect();
    }

    /// A formula over current variables, read in a state.
    fn read(&mut self, state: &State, formula: Term) -> Term {
        let pairs = self.system.variables.iter().zip(&state.values);
        let mut now: Substitution = pairs.map(|(variable, &value)| (variable.current, value)).collect();
        now.apply(&mut self.arena, formula)
    }

    /// If one of the lemmas can fail in a state: values of the variables at the start for which it does.
    fn violated(&mut self, state: &State, lemmas: &[Term]) -> Result<Option<Vec<(String, Value)>>, Reason> {
        let mut question = state.conditions.clone();
        for &lemma in lemmas {
            let lemma = self.read(state, lemma);
            question.push(self.arena.not(lemma));
            if let Some(model) = self.model(&question)? {
                return Ok(Some(model));
            }
            question.pop();
        }
        Ok(None)
    }

    fn model(&mut self, question: &[Term]) -> Result<Option<Vec<(String, Value)>>, Reason> {
        if !self.encoder.satisfiable(&mut self.arena, question)? {
            return Ok(None);
        }
        let value = |variable: &nilas_program::StateVariable| {
            let current = variable.current;
            let known = matches!(
                self.arena.sort(current),
                Sort::Bool | Sort::BitVec(_) | Sort::Float(..) | Sort::RoundingMode
            );
            let name = self.arena.name(current).unwrap_or_default().to_owned();
            known.then(|| (name, self.encoder.value(&self.arena, current)))
        };
        Ok(Some(self.system.variables.iter().filter_map(value).collect()))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::text::parse_system;
    use nilas_term::smtlib::parse_term;

    /// `y` is what `x` was, `z` what `y` was; `x` keeps its lowest bit.
    fn chase(initial: &str) -> (Arena, TransitionSystem) {
        let mut arena = Arena::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| arena.variable(name, &Sort::BitVec(4)).unwrap());
        let i = arena.variable("i", &Sort::BitVec(3)).unwrap();
        let pairs = [x, y, z].map(|current| (current, arena.prime(current)));
        let relation = "(and (= |x'| (concat i ((_ extract 0 0) x))) (= |y'| x) (= |z'| y))";
        let [initial, relation, bad] = [initial, relation, "(= #b0 ((_ extract 0 0) z))"]
            .map(|text| parse_term(&mut arena, text).unwrap());
        let system = TransitionSystem::from_relation(&mut arena, &pairs, vec![i], initial, relation, bad);
        (arena, system)
    }

    fn checked(initial: &str, evidence: &str) -> Result<Verdict, Rejection> {
        let (arena, system) = chase(initial);
        let evidence = parse_system(&arena, &system, evidence).unwrap();
        check_system(&arena, &system, &evidence, &Budget::unlimited(), &mut Account::default())
    }

    const ODD: &str = "(and (= x #x1) (= y #x3) (= z #x1))";

    #[test]
    fn invariants_of_systems() {
        let with = |initial: &str, induction: &str| {
            checked(initial, &format!("(invariant {induction} (always (= #b1 ((_ extract 0 0) z))))"))
        };
        assert!(matches!(with(ODD, ""), Err(Rejection::NotPreserved { .. })));
        assert!(matches!(with(ODD, "(induction 2)"), Err(Rejection::NotPreserved { .. })));
        // That `z` was odd three times says that `x` was two times ago.
        assert_eq!(with(ODD, "(induction 3)"), Ok(Verdict::Safe));
        assert_eq!(with(ODD, "(induction 4 simple)"), Ok(Verdict::Safe));
        assert!(matches!(with("(= z #x1)", "(induction 4)"), Err(Rejection::EntryNotImplied { .. })));
        let weak = checked(ODD, "(invariant (always (= #b1 ((_ extract 0 0) x))))");
        assert!(matches!(weak, Err(Rejection::SinkReached { .. })), "bad states are not excluded: {weak:?}");
        let stranger = checked(ODD, "(invariant (always (= i #b000)))");
        assert!(matches!(stranger, Err(Rejection::BadFormula { .. })));
    }

    #[test]
    fn traces_of_systems() {
        let start = "(= z #x1)";
        let trace =
            "(trace (moment (x #x1) (y #x2) (z #x1) (i #b111)) (moment (x #xf) (y #x1) (z #x2) (i #b000)))";
        assert_eq!(checked(start, trace), Ok(Verdict::Unsafe));
        for (from, to) in [
            ("(z #x1)", "(z #x3)"),
            ("(x #xf)", "(x #xe)"),
            ("(z #x2)", "(z #x3)"),
            (" (i #b000)", ""),
            ("(moment (x #x1) (y #x2) (z #x1) (i #b111))", ""),
        ] {
            let tampered = checked(start, &trace.replacen(from, to, 1));
            assert!(matches!(tampered, Err(Rejection::NotReached { .. })), "{from} -> {to}: {tampered:?}");
        }
        assert!(checked(start, "(trace)").is_err());
    }
}
