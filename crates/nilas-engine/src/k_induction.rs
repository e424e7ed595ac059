//! k-induction (Sheeran, Singh, Stålmarck, FMCAD 2000; on automata as in Beyer, Dangl, Wendler, CAV 2015).
//!
//! *Base*: BMC finds no sink within `k` layers. *Step*: an unrolling that starts at any location with any
//! values, and whose states satisfy the property, does not violate it after `k` edges. Both grow layer by
//! layer, each in a solver of its own, until a sink is reached, the base runs out of layers, or the step
//! holds.
//!
//! The property at a location is that no edge to a sink can be taken there, as far as that is a formula over
//! the program's variables (no `havoc` on the edge). These formulas are the evidence, as a k-inductive
//! invariant.
//!
//! *Exchange*: invariants that it could show itself hold in all states of the step, and become part of the
//! evidence (they are inductive, so what is *k*-inductive with them is so as a whole). As deep as others say
//! that no sink is reached, the base waits until the step holds: it is only then that it is needed.
//!
//! With [`Settings::simple_paths`], the states of the step differ from each other. On finitely many states
//! the method always ends then. What *differ* means depends on which variables there are, so passes are left
//! out.

use crate::bmc::{self, Bmc, Reasoning};
use crate::engine::{Context, Engine, Kind, Own, Prepared, Setting, Wants};
use crate::exchange::Port;
use crate::observer::{Counters, Observer};
use crate::outcome::{Outcome, Proof, Unknown, invariant};
use crate::phase::add_solver;
use crate::relevant::Relevant;
use crate::unrolling::{Layer, Place, Unrolling};
use nilas_evidence::{Induction, Invariant};
use nilas_program::{Automaton, EdgeId, LocationId, Program, State, encode};
use nilas_smt::{Answer, Budget, Solver};
use nilas_term::{Arena, Importer, Term};
use std::collections::BTreeMap;
use std::num::NonZero;

/// What can be set.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    /// Stop after so many layers, if set.
    pub max_depth: Option<u64>,
    /// Whether states of the step have to differ.
    pub simple_paths: bool,
    /// What the solvers reason about.
    pub reasoning: Reasoning,
}

/// Formulas that are known to hold at locations, and are inductive together, with their arena.
#[derive(Default)]
pub(crate) struct Known {
    pub(crate) arena: Arena,
    pub(crate) formulas: Vec<(LocationId, Term)>,
}

/// Runs k-induction on an automaton.
pub fn k_induction(
    program: &Program,
    settings: Settings,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> (Outcome, Counters) {
    k_induction_beside(program, settings, &Known::default(), budget, observer, &mut Port::closed())
}

/// The same beside other engines, with what is known to be inductive.
pub(crate) fn k_induction_beside(
    program: &Program,
    settings: Settings,
    known: &Known,
    budget: &Budget,
    observer: &mut dyn Observer,
    port: &mut Port,
) -> (Outcome, Counters) {
    let limits = bmc::Settings { max_depth: settings.max_depth, reasoning: settings.reasoning };
    let name = if settings.reasoning == Reasoning::Bounds { "icp" } else { "k-ind" };
    let mut base = match Bmc::new(name, program, limits, budget, observer) {
        Ok(base) => base,
        Err(why) => return Outcome::before_work(why),
    };
    let mut step = Step::new(program, base.sinks.left(), settings, budget, observer);
    let outcome =
        prove(program, known, &mut base, &mut step, observer, port).unwrap_or_else(Outcome::Unknown);
    let mut counters = base.counters();
    counters.insert("step depth", step.unrolling.depth());
    add_solver(&mut counters, step.solver.stats());
    (outcome, counters)
}

fn prove<'a>(
    program: &'a Program,
    known: &Known,
    base: &mut Bmc<'_>,
    step: &mut Step<'a>,
    observer: &mut dyn Observer,
    port: &mut Port,
) -> Result<Outcome, Unknown> {
    // How deep the base has to be: as deep as a step that holds.
    let mut needed = 0;
    base.tell(&known.arena, &known.formulas, port);
    step.assume(&known.arena, known.formulas.clone())?;
    loop {
        let new = base.take_facts(port)?;
        port.used(new.len());
        step.assume(base.arena(), new)?;
        let claimed = step.settings.max_depth.map_or(port.depth(), |most| port.depth().min(most));
        if (base.depth() < needed || base.depth().max(claimed) <= step.unrolling.depth())
            && let Some(outcome) = base.advance(observer, port)?
        {
            return Ok(outcome);
        }
        if needed > 0
            && base.depth() >= needed
            && let Some(outcome) = base.catch_up()?
        {
            return Ok(outcome);
        }
        if base.sinks.left() != step.sinks {
            // One sink less to exclude: the property is another one.
            *step = Step::new(program, base.sinks.left(), step.settings, step.budget, observer);
            let shown = program.automaton.location_ids();
            let shown = shown.flat_map(|id| base.shown.at(id).iter().map(move |&formula| (id, formula)));
            step.assume(&known.arena, known.formulas.clone())?;
            step.assume(base.arena(), shown.collect())?;
            needed = 0;
        }
        if needed == 0 {
            if step.unrolling.depth() < base.depth().max(claimed) && step.holds()? {
                needed = step.unrolling.depth();
            }
        } else if base.depth() >= needed {
            base.sinks.none_was_reached(&program.automaton)?;
            return Ok(Outcome::Safe(Proof::Invariant(step.invariant()?)));
        }
    }
}

/// The unrolling from anywhere.
struct Step<'a> {
    settings: Settings,
    budget: &'a Budget,
    unrolling: Unrolling<'a>,
    solver: Box<dyn Solver>,
    /// The sinks that are to be excluded.
    sinks: Vec<LocationId>,
    /// What is to hold at each location.
    property: BTreeMap<LocationId, Term>,
    /// What is known to hold at each location.
    invariants: BTreeMap<LocationId, Vec<Term>>,
    importer: Importer,
    /// The states of all layers that satisfy the property, the last layer last.
    layers: Vec<Layer>,
}

impl<'a> Step<'a> {
    fn new(
        program: &'a Program,
        sinks: &[LocationId],
        settings: Settings,
        budget: &'a Budget,
        observer: &mut dyn Observer,
    ) -> Self {
        let automaton = &program.automaton;
        let relevant = Relevant::new(automaton);
        let inner = automaton.location_ids();
        let inner = inner.filter(|&location| relevant.contains(location) && !automaton.is_sink(location));
        let inner: Vec<LocationId> = inner.collect();
        let mut arena = program.arena.clone();
        let property = inner.iter().map(|&location| {
            (location, property_at(&mut arena, automaton, &relevant.outgoing[location.index()], sinks))
        });
        let property: BTreeMap<LocationId, Term> = property.collect();
        let mut unrolling = Unrolling::new(automaton, arena, relevant.outgoing, budget);
        let anywhere = unrolling.arena.mk_true();
        let conditions = unrolling.select(anywhere, inner.len());
        let mut start = Layer::new();
        for (&location, selected) in inner.iter().zip(conditions) {
            let condition = unrolling.arena.and(&[selected, property[&location]]);
            start.insert(location, Place { condition, state: State::initial(automaton) });
        }
        let solver = observer.solver(settings.reasoning.solver());
        let (invariants, importer) = (BTreeMap::new(), Importer::new());
        let (sinks, layers) = (sinks.to_vec(), vec![start]);
        Step { settings, budget, unrolling, solver, sinks, property, invariants, importer, layers }
    }

    /// Formulas of another arena hold at locations: they do so in all states of the step.
    fn assume(&mut self, arena: &Arena, formulas: Vec<(LocationId, Term)>) -> Result<(), Unknown> {
        for (location, formula) in formulas {
            let own = self.importer.import(&mut self.unrolling.arena, arena, formula);
            let formula = own.map_err(|error| Unknown::Internal(error.to_string()))?;
            self.invariants.entry(location).or_default().push(formula);
            for place in self.layers.iter_mut().filter_map(|layer| layer.get_mut(&location)) {
                place.assume(&mut self.unrolling.arena, &mut *self.solver, formula);
            }
        }
        Ok(())
    }

    /// Whether the property follows after one more layer.
    fn holds(&mut self) -> Result<bool, Unknown> {
        let Some(layer) = self.layers.last() else { return Ok(false) };
        let arrivals = self.unrolling.next_layer(layer)?;
        let (mut violated, mut next) = (Vec::new(), Layer::new());
        for (location, mut place) in arrivals {
            for &formula in self.invariants.get(&location).into_iter().flatten() {
                place.assume(&mut self.unrolling.arena, &mut *self.solver, formula);
            }
            let arena = &mut self.unrolling.arena;
            if self.unrolling.automaton.is_sink(location) {
                violated.extend(self.sinks.contains(&location).then_some(place.condition));
                continue;
            }
            let holds = match self.property.get(&location) {
                Some(&property) => place.state.apply(arena, property),
                None => arena.mk_true(),
            };
            let fails = arena.not(holds);
            violated.push(arena.and(&[place.condition, fails]));
            let mut conditions = vec![place.condition, holds];
            if self.settings.simple_paths {
                let earlier = self.layers.iter().filter_map(|layer| layer.get(&location));
                conditions
                    .extend(earlier.map(|earlier| differ(arena, self.unrolling.automaton, earlier, &place)));
            }
            place.condition = arena.and(&conditions);
            next.insert(location, place);
        }
        self.layers.push(next);
        let violated = self.unrolling.arena.or(&violated);
        match self.solver.check(&self.unrolling.arena, &[], &[violated], self.budget) {
            Answer::Sat => Ok(false),
            Answer::Unsat => Ok(true),
            Answer::Unknown(reason) => Err(reason.into()),
        }
    }

    /// The evidence once the step holds.
    fn invariant(&mut self) -> Result<Invariant, Unknown> {
        let mut formulas = Vec::with_capacity(self.property.len());
        for (&location, &property) in &self.property {
            let mut all = vec![property];
            all.extend(self.invariants.get(&location).into_iter().flatten());
            formulas.push((location, self.unrolling.arena.and(&all)));
        }
        let found = invariant(&self.unrolling.arena, formulas)?;
        let k = NonZero::new(self.unrolling.depth()).unwrap_or(NonZero::<u64>::MIN);
        Ok(Invariant { induction: Induction { k, simple: self.settings.simple_paths }, ..found })
    }
}

/// The property at a location with these outgoing edges: that none of those to the sinks can be taken, as far
/// as that is a formula.
pub(crate) fn property_at(
    arena: &mut Arena,
    automaton: &Automaton,
    outgoing: &[EdgeId],
    sinks: &[LocationId],
) -> Term {
    let last = outgoing.iter().filter(|&&edge| sinks.contains(&automaton.edge(edge).target));
    let closed: Vec<Term> = last.filter_map(|&edge| closed(arena, automaton, edge)).collect();
    arena.and(&closed)
}

/// That an edge cannot be taken, if the program's variables decide that.
fn closed(arena: &mut Arena, automaton: &Automaton, edge: EdgeId) -> Option<Term> {
    let truth = arena.mk_true();
    let command = &automaton.edge(edge).command;
    let encoding = encode(arena, automaton, command, &State::initial(automaton), truth);
    let free = arena.free_variables(encoding.guard);
    let decided = encoding.inputs.iter().all(|input| !free.contains(&input.variable));
    decided.then(|| arena.not(encoding.guard))
}

/// That two places are not both met in the same state.
fn differ(arena: &mut Arena, automaton: &Automaton, one: &Place, other: &Place) -> Term {
    let mut same = vec![one.condition];
    for id in automaton.variable_ids() {
        same.push(arena.eq(one.state.get(id), other.state.get(id)));
    }
    let same = arena.and(&same);
    arena.not(same)
}

/// k-induction as an engine.
pub(crate) struct KInduction;

impl Engine for KInduction {
    fn name(&self) -> &'static str {
        "k-ind"
    }

    fn method(&self) -> &'static str {
        "follows all executions at once, one step more at a time, and asks each time whether the error could come \
         after so many steps without it, wherever these start"
    }

    fn settings(&self) -> &'static [Setting] {
        const SETTINGS: [Setting; 2] = [
            Setting {
                key: "max-depth",
                kind: Kind::Number("a number of layers"),
                default: None,
                help: "stop after so many layers",
            },
            Setting {
                key: "simple-paths",
                kind: Kind::YesNo,
                default: Some("no"),
                help: "states of the step have to differ",
            },
        ];
        &SETTINGS
    }

    fn needs_bound(&self) -> bool {
        true
    }

    fn wants(&self, settings: &Own<'_>) -> Wants {
        // Whether states differ depends on all variables, so there must be no pass that drops some.
        if settings.flag("simple-paths") { Wants::Given } else { Wants::Small }
    }

    fn run(&self, prepared: &Prepared, settings: &Own<'_>, context: &mut Context<'_>) -> (Outcome, Counters) {
        let settings = Settings {
            max_depth: settings.parsed("max-depth"),
            simple_paths: settings.flag("simple-paths"),
            reasoning: Reasoning::Bits(settings.sat_core()),
        };
        let Context { budget, observer, exchange } = context;
        k_induction_beside(&prepared.program, settings, &Known::default(), budget, *observer, exchange)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Settings, Silent, Unknown, Verdict, verify};
    use nilas_evidence::{Evidence, Induction};
    use nilas_program::parse_program;
    use nilas_smt::Budget;

    fn verdict(text: &str, simple_paths: bool) -> Verdict {
        let program = parse_program(text).expect("a program of this test");
        let simple_paths = if simple_paths { "k-ind.simple-paths=yes" } else { "k-ind.simple-paths=no" };
        let settings = Settings::of(&["k-ind.max-depth=12", simple_paths]).expect("settings of the engine");
        let engine = "k-ind".parse().expect("the engine");
        verify(&program, engine, &settings, &Budget::unlimited(), &mut Silent).verdict
    }

    /// `z` follows `y`, which follows `x`, for ever; they are odd.
    const CHASE: &str = "var x, y, z : bv8 entry a error e location a, b, e \
         a -> b { havoc x; assume (x & 1) == 1; y := x; z := x } \
         b -> b { z := y; y := x; havoc x; assume (x & 1) == (y & 1) } b -> e { assume (z & 1) != 1 }";

    #[test]
    fn a_proof_and_an_execution() {
        let Verdict::Safe(Evidence::Invariant(invariant)) = verdict(CHASE, false) else {
            panic!("a proof expected")
        };
        let Induction { k, simple } = invariant.induction;
        assert!((2..=4).contains(&k.get()) && !simple, "{:?}", invariant.induction);
        let wrong = CHASE.replace("assume (x & 1) == (y & 1)", "assume x <u 9");
        assert!(matches!(verdict(&wrong, false), Verdict::Unsafe(Evidence::Execution(_))));
    }

    /// Without a bound on equal states there is no proof.
    #[test]
    fn simple_paths_prove_more() {
        let text = "var x : bv3 entry a error e location a, b, e a -> b { x := 0 } b -> b { x := (x == 2 ? 0 : x + 1) } \
             b -> b { assume x == 5 } b -> e { assume x == 7 }";
        assert!(matches!(verdict(text, false), Verdict::Unknown(Unknown::Bound { .. })));
        let Verdict::Safe(Evidence::Invariant(invariant)) = verdict(text, true) else {
            panic!("a proof expected")
        };
        assert!(invariant.induction.simple);
    }
}
