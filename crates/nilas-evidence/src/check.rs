//! The checker: does the evidence show what it claims?
//!
//! Nothing here trusts where the evidence came from. An invariant is checked region by region, an unwinding
//! is unrolled anew, an execution is replayed by the interpreter. The checker clones the automaton's
//! arena, so it cannot disturb its owner.

use crate::cutset::{Cutset, UncutCycle};
use crate::encoder::Encoder;
use crate::evidence::{Evidence, Invariant, Unwinding};
use crate::proof::{Counts, Listener};
use crate::region::{self, Arrival, Names};
use crate::replay;
use crate::run;
use nilas_program::{Automaton, LocationId, Program};
use nilas_smt::{Budget, Reason};
use nilas_term::{Arena, Importer, Op, Sort, Term, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// What accepted evidence shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Neither error nor unmodelled can be reached.
    Safe,
    /// The error can be reached.
    Unsafe,
    /// What is not modelled can be reached, so nothing is known.
    Unmodelled,
}

/// Why evidence was not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rejection {
    /// A cycle passes none of the locations that the evidence names.
    NotACutset {
        /// A location of the cycle, by name.
        location: String,
    },
    /// A formula is not one over the automaton's variables.
    BadFormula {
        /// The location it stands at, by name.
        location: String,
        /// What is wrong with it.
        why: String,
    },
    /// The formula at the entry does not hold for all initial values.
    EntryNotImplied {
        /// Values for which it fails.
        model: Vec<(String, Value)>,
    },
    /// From a state that satisfies the formula at `from`, one can get to `to` and violate the formula there
    /// (or reach a sink, which must not be reached at all).
    NotPreserved {
        /// Where the region starts, by name.
        from: String,
        /// Where it ends, by name.
        to: String,
        /// Values at the start for which it happens.
        model: Vec<(String, Value)>,
    },
    /// An execution within the bounds reaches a sink.
    SinkReached {
        /// The sink, by name.
        sink: String,
        /// Initial values for which it happens.
        model: Vec<(String, Value)>,
    },
    /// An execution is at a location more often than the unwinding says.
    BoundExceeded {
        /// The location, by name.
        location: String,
        /// The bound.
        bound: u64,
        /// Initial values for which it happens.
        model: Vec<(String, Value)>,
    },
    /// The execution does not get to a sink.
    NotReached {
        /// How far it got.
        why: String,
    },
    /// The checker could not decide.
    Undecided(Reason),
}

impl From<Reason> for Rejection {
    fn from(reason: Reason) -> Self {
        Rejection::Undecided(reason)
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values = |f: &mut fmt::Formatter<'_>, model: &[(String, Value)]| {
            for (index, (name, value)) in model.iter().enumerate() {
                let lead = if index == 0 { ", for example with" } else { "," };
                write!(f, "{lead} {name} = {}", nilas_term::smtlib::print_value(value))?;
            }
            Ok(())
        };
        match self {
            Rejection::NotACutset { location } => {
                write!(f, "a cycle through `{location}` passes no location that the evidence names")
            }
            Rejection::BadFormula { location, why } => write!(f, "the formula at `{location}`: {why}"),
            Rejection::EntryNotImplied { model } => {
                write!(f, "the formula at the entry does not hold initially")?;
                values(f, model)
            }
            Rejection::NotPreserved { from, to, model } => {
                write!(f, "the region from `{from}` to `{to}` breaks the invariant")?;
                values(f, model)
            }
            Rejection::SinkReached { sink, model } => {
                write!(f, "`{sink}` is reached within the bounds")?;
                values(f, model)
            }
            Rejection::BoundExceeded { location, bound, model } => {
                write!(f, "`{location}` can be visited more than {bound} times")?;
                values(f, model)
            }
            Rejection::NotReached { why } => write!(f, "the execution does not reach a sink: {why}"),
            Rejection::Undecided(reason) => write!(f, "the checker could not decide: {reason}"),
        }
    }
}

impl std::error::Error for Rejection {}

/// Checks evidence against the automaton as lowered.
///
/// # Errors
/// When it does not show what it claims, or the budget ends first.
pub fn check(program: &Program, evidence: &Evidence, budget: &Budget) -> Result<Verdict, Rejection> {
    check_with(program, evidence, budget, &mut Account::default())
}

/// What a check leaves behind besides its result.
#[derive(Default)]
pub struct Account {
    /// How questions were answered.
    pub counts: Counts,
    /// Who wants to hear of each question.
    pub listener: Option<Listener>,
}

/// The same, with an account of the questions.
///
/// # Errors
/// As [`check`].
pub fn check_with(
    program: &Program,
    evidence: &Evidence,
    budget: &Budget,
    account: &mut Account,
) -> Result<Verdict, Rejection> {
    match evidence {
        Evidence::Invariant(invariant) => {
            check_invariant(program, invariant, budget, account).map(|()| Verdict::Safe)
        }
        Evidence::Unwinding(unwinding) => {
            check_unwinding(program, unwinding, budget, account).map(|()| Verdict::Safe)
        }
        Evidence::Run => run::run(program, budget).map(|ended| ended.verdict),
        Evidence::Execution(execution) => {
            replay::replay(program, execution, budget).map(|trace| trace.verdict)
        }
    }
}

/// What a check of formulas works with.
struct Checker<'a> {
    automaton: &'a Automaton,
    arena: Arena,
    names: Names,
    cutset: Cutset,
    encoder: Encoder<'a>,
    budget: &'a Budget,
    account: &'a mut Account,
}

impl Drop for Checker<'_> {
    fn drop(&mut self) {
        self.account.counts += self.encoder.counts();
    }
}

impl<'a> Checker<'a> {
    fn new(
        program: &'a Program,
        cuts: &BTreeSet<LocationId>,
        budget: &'a Budget,
        account: &'a mut Account,
    ) -> Result<Checker<'a>, Rejection> {
        let automaton = &program.automaton;
        let cutset = Cutset::new(automaton, cuts)
            .map_err(|UncutCycle(location)| Rejection::NotACutset { location: name(automaton, location) })?;
        let arena = program.arena.clone();
        let names = Names::new(automaton);
        let encoder = Encoder::new(budget, account.listener.clone());
        Ok(Checker { automaton, arena, names, cutset, encoder, budget, account })
    }

    fn execute(
        &mut self,
        cut: LocationId,
        start: Arrival,
    ) -> Result<BTreeMap<LocationId, Vec<Arrival>>, Reason> {
        region::execute(&mut self.arena, self.automaton, &self.names, &self.cutset, cut, start, self.budget)
    }

    /// If the formulas can hold together: values of the variables in a start state for which they do.
    fn model(&mut self, formulas: &[Term], start: &Arrival) -> Result<Option<Vec<(String, Value)>>, Reason> {
        if !self.encoder.satisfiable(&mut self.arena, formulas)? {
            return Ok(None);
        }
        let value = |(variable, &term): (&nilas_program::Variable, &Term)| {
            let known = self.arena.as_value(term).cloned();
            (variable.name.clone(), known.unwrap_or_else(|| self.encoder.value(&self.arena, term)))
        };
        let known = |(variable, _): &(&nilas_program::Variable, &Term)| {
            matches!(variable.sort, Sort::Bool | Sort::BitVec(_) | Sort::Float(..) | Sort::RoundingMode)
        };
        let variables = self.automaton.variables.iter().zip(start.values.iter());
        Ok(Some(variables.filter(known).map(value).collect()))
    }
}

fn name(automaton: &Automaton, location: LocationId) -> String {
    automaton.location(location).name.clone()
}

/// Formulas hold at the entry, are preserved by every region, and no region that starts in them ends in a
/// sink.
fn check_invariant(
    program: &Program,
    invariant: &Invariant,
    budget: &Budget,
    account: &mut Account,
) -> Result<(), Rejection> {
    let automaton = &program.automaton;
    let cuts: BTreeSet<LocationId> = invariant.formulas.keys().copied().collect();
    let known = |location: &LocationId| location.index() < automaton.locations.len();
    if let Some(stranger) = cuts.iter().find(|location| !known(location)) {
        return Err(Rejection::BadFormula {
            location: format!("{stranger:?}"),
            why: "there is no such location".into(),
        });
    }
    let mut checker = Checker::new(program, &cuts, budget, account)?;
    let mut formulas: BTreeMap<LocationId, Term> = BTreeMap::new();
    let mut importer = Importer::new();
    for (&location, &formula) in &invariant.formulas {
        let bad = |why: String| Rejection::BadFormula { location: name(automaton, location), why };
        let formula = importer
            .import(&mut checker.arena, &invariant.arena, formula)
            .map_err(|error| bad(error.to_string()))?;
        if *checker.arena.sort(formula) != Sort::Bool {
            return Err(bad("it is not Boolean".into()));
        }
        let variables = checker.arena.free_variables(formula);
        if let Some(&stranger) = variables.iter().find(|&&variable| !checker.names.contains(variable)) {
            let stranger = checker.arena.name(stranger).unwrap_or_default();
            return Err(bad(format!("`{stranger}` is no variable of the automaton")));
        }
        formulas.insert(location, formula);
    }

    if let Some(&formula) = formulas.get(&automaton.entry) {
        let violated = checker.arena.not(formula);
        let anywhere = Arrival::anywhere(&mut checker.arena, automaton);
        if let Some(model) = checker.model(&[violated], &anywhere)? {
            return Err(Rejection::EntryNotImplied { model });
        }
    }
    for cut in checker.cutset.cuts() {
        let premises =
            formulas.get(&cut).map_or_else(Vec::new, |&formula| conjuncts(&checker.arena, formula));
        let nothing_gets_there =
            premises.iter().any(|&premise| checker.arena.as_bool(premise) == Some(false));
        if automaton.is_sink(cut) || nothing_gets_there {
            continue;
        }
        let (start, premises) = Arrival::where_hold(&mut checker.arena, automaton, &checker.names, premises);
        for (target, arrivals) in checker.execute(cut, start.clone())? {
            let Some(arrival) = region::merge(&mut checker.arena, &arrivals) else {
                continue;
            };
            let mut question = premises.clone();
            question.push(arrival.condition);
            // A sink must not be reached; elsewhere each lemma is asked about by itself.
            let lemmas: Vec<Term> = match formulas.get(&target) {
                _ if automaton.is_sink(target) => vec![checker.arena.mk_false()],
                Some(&formula) => conjuncts(&checker.arena, formula),
                None => Vec::new(),
            };
            for lemma in lemmas {
                let lemma = arrival.read(&mut checker.arena, &checker.names, lemma);
                question.push(checker.arena.not(lemma));
                if let Some(model) = checker.model(&question, &start)? {
                    let (from, to) = (name(automaton, cut), name(automaton, target));
                    return Err(Rejection::NotPreserved { from, to, model });
                }
                question.pop();
            }
        }
    }
    Ok(())
}

/// The formulas whose conjunction a formula is.
fn conjuncts(arena: &Arena, formula: Term) -> Vec<Term> {
    let mut parts = Vec::new();
    let mut stack = vec![formula];
    while let Some(term) = stack.pop() {
        match arena.op(term) {
            Op::And => stack.extend(arena.children(term).iter().rev()),
            _ => parts.push(term),
        }
    }
    parts
}

/// An exhausted unwinding. Whether a location can be reached in a layer decides nothing but which layers
/// count as its visits. So every layer is counted first, which spares a question for each; where there are
/// too many of them so, those in which nothing gets there are left out.
fn check_unwinding(
    program: &Program,
    unwinding: &Unwinding,
    budget: &Budget,
    account: &mut Account,
) -> Result<(), Rejection> {
    match unroll(program, unwinding, Layers::All, budget, account) {
        Err(Rejection::BoundExceeded { .. }) => {
            unroll(program, unwinding, Layers::Reachable, budget, account)
        }
        checked => checked,
    }
}

/// Which layers of a location are followed, and count.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Layers {
    /// All up to its bound.
    All,
    /// Those that an execution gets to.
    Reachable,
}

/// Unrolls the regions layer by layer: layer k is where executions are after k regions. Sinks must not be
/// reachable in any layer, and no location in a layer beyond its bound; there are finitely many layers up to
/// the bounds, so this ends.
fn unroll(
    program: &Program,
    unwinding: &Unwinding,
    layers: Layers,
    budget: &Budget,
    account: &mut Account,
) -> Result<(), Rejection> {
    let automaton = &program.automaton;
    let cuts: BTreeSet<LocationId> = unwinding.visits.keys().copied().collect();
    if let Some(stranger) = cuts.iter().find(|location| location.index() >= automaton.locations.len()) {
        return Err(Rejection::NotACutset { location: format!("{stranger:?}") });
    }
    let mut checker = Checker::new(program, &cuts, budget, account)?;
    let mut visits: BTreeMap<LocationId, u64> = BTreeMap::new();
    let anywhere = Arrival::anywhere(&mut checker.arena, automaton);
    let mut layer = BTreeMap::from([(automaton.entry, anywhere.clone())]);
    while !layer.is_empty() {
        let mut arrivals: BTreeMap<LocationId, Vec<Arrival>> = BTreeMap::new();
        for (cut, start) in std::mem::take(&mut layer) {
            for (target, more) in checker.execute(cut, start)? {
                arrivals.entry(target).or_default().extend(more);
            }
        }
        for (target, arrivals) in arrivals {
            let Some(arrival) = region::merge(&mut checker.arena, &arrivals) else {
                continue;
            };
            let bound = unwinding.visits.get(&target).copied().unwrap_or(0);
            let count = visits.entry(target).or_default();
            let is_sink = automaton.is_sink(target);
            let is_beyond = *count >= bound;
            if is_sink || is_beyond || layers == Layers::Reachable {
                let Some(model) = checker.model(&[arrival.condition], &anywhere)? else {
                    continue;
                };
                if is_sink {
                    return Err(Rejection::SinkReached { sink: name(automaton, target), model });
                }
                if is_beyond {
                    return Err(Rejection::BoundExceeded { location: name(automaton, target), bound, model });
                }
            }
            *count += 1;
            layer.insert(target, arrival);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use nilas_program::parse_program;

    /// Whether an unwinding with these bounds is accepted, counting layers in either way, and by the check
    /// itself.
    fn accepted(program: &Program, bounds: &[(&str, u64)]) -> [bool; 3] {
        let location = |name: &str| {
            let mut ids = program.automaton.location_ids();
            ids.find(|&id| program.automaton.location(id).name == name).expect("a location of this test")
        };
        let visits = bounds.iter().map(|&(name, bound)| (location(name), bound)).collect();
        let (unwinding, budget) = (Unwinding { visits }, Budget::unlimited());
        [
            unroll(program, &unwinding, Layers::All, &budget, &mut Account::default()).is_ok(),
            unroll(program, &unwinding, Layers::Reachable, &budget, &mut Account::default()).is_ok(),
            check_unwinding(program, &unwinding, &budget, &mut Account::default()).is_ok(),
        ]
    }

    #[test]
    fn a_loop_needs_its_bound() {
        let text = |limit: &str| {
            format!(
                "var x : bv8 entry a error e location a, b, e a -> b {{ x := 0 }} b -> b {{ assume x <u 3; x := x + 1 }} \
                 b -> e {{ assume x == {limit} }}"
            )
        };
        let safe = parse_program(&text("5")).expect("a program of this test");
        assert_eq!(accepted(&safe, &[("b", 4)]), [true; 3]);
        assert_eq!(accepted(&safe, &[("b", 9)]), [true; 3], "more than enough");
        assert_eq!(accepted(&safe, &[("b", 3)]), [false; 3], "too few");
        let wrong = parse_program(&text("2")).expect("a program of this test");
        assert_eq!(accepted(&wrong, &[("b", 4)]), [false; 3], "the error can be reached");
    }

    /// The inner loop always takes two layers; those in which it might take one or three use bounds up unless
    /// they are asked about.
    #[test]
    fn layers_that_nothing_gets_to_do_not_count() {
        let text = "var x, y : bv8 entry a error e location a, b, c, e a -> b { havoc x; assume x <=u 2; y := 0 } \
             b -> c { assume x != 0; x := x - 1; havoc y; assume y == 1 } c -> c { assume y != 0; y := y - 1 } \
             c -> b { assume y == 0 } b -> e { assume x == 3 }";
        let program = parse_program(text).expect("a program of this test");
        assert_eq!(accepted(&program, &[("b", 3), ("c", 4)]), [false, true, true]);
        assert_eq!(accepted(&program, &[("b", 3), ("c", 3)]), [false; 3]);
        assert_eq!(accepted(&program, &[("b", 2), ("c", 4)]), [false; 3]);
    }
}
