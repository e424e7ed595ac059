//! Invariants: formulas at cut locations that imply each other, plainly or over `k` regions.
//!
//! Notation: layer `n` is where executions are after `n` regions; layer 0 is the entry with all values. To be
//! shown, for the formulas `I`:
//!
//! - *base*: in the layers 0 to k - 1 formulas hold, and no sink is reached;
//! - *step*: after any k + 1 states, each a region after the one before, of which the first k satisfy their
//!   formulas, the last one is at no sink and satisfies its formula, too.
//!
//! Then formulas hold in every layer: the first violation would be in a layer n >= k, and its last k
//! predecessors, whose layers are smaller, would contradict the step. With k = 1 this is plain induction.
//!
//! *Simple* induction shows the step for k states that differ only (in their location or some variable). The
//! argument is the same with the *shortest* execution to a violation: between two equal states on it there
//! would be a shortcut, since what can happen next depends on nothing but the state.

use crate::check::{Account, Checker, Layer, name};
use crate::evidence::{Induction, Invariant};
use crate::premises::Premises;
use crate::proof::Counts;
use crate::region::Arrival;
use crate::rejection::Rejection;
use crate::sharing::{Key, PATIENCE, STACK, Sharing};
use nilas_program::{LocationId, Program};
use nilas_smt::{Budget, Reason};
use nilas_term::{Arena, Importer, Op, Sort, Term};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Checks an invariant, see the module's text.
pub(crate) fn check(
    program: &Program,
    invariant: &Invariant,
    budget: &Budget,
    account: &mut Account,
) -> Result<(), Rejection> {
    check_within(program, invariant, budget, account, PATIENCE)
}

/// The same; other cores join after some time.
fn check_within(
    program: &Program,
    invariant: &Invariant,
    budget: &Budget,
    account: &mut Account,
    patience: Duration,
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
    let threads = if account.listener.is_some() { 1 } else { account.threads.get() };
    let mut checker = Checker::new(program, &cuts, budget, account)?;
    let (lemmas, told) = import(&mut checker, invariant)?;
    let mut check = Check { checker, lemmas, told, induction: invariant.induction };
    check.base()?;
    let sharing = Sharing::default();
    let others = Mutex::new(Counts::default());
    let (lemmas, told) = (check.lemmas.clone(), check.told.clone());
    // Work of another core, with the terms that there are when it begins.
    let help = |arena: Arena| {
        let mut account = Account::default();
        let Ok(mut checker) = Checker::new(program, &cuts, budget, &mut account) else { return };
        checker.arena = arena;
        let (lemmas, told) = (lemmas.clone(), told.clone());
        let mut check = Check { checker, lemmas, told, induction: invariant.induction };
        check.steps(&sharing, &mut |_| {});
        drop(check);
        *others.lock().unwrap_or_else(PoisonError::into_inner) += account.counts;
    };
    std::thread::scope(|scope| {
        let (began, help) = (Instant::now(), &help);
        let mut alone = threads > 1;
        check.steps(&sharing, &mut |arena| {
            if alone && began.elapsed() >= patience {
                alone = false;
                for _ in 1..threads {
                    let (thread, arena) = (std::thread::Builder::new().stack_size(STACK), arena.clone());
                    // Without it there is less help.
                    let _ = thread.spawn_scoped(scope, move || help(arena));
                }
            }
        });
    });
    drop(check);
    account.counts += others.into_inner().unwrap_or_else(PoisonError::into_inner);
    sharing.result()
}

/// What is claimed at the locations that are named: the conjuncts of their formulas.
type Lemmas = BTreeMap<LocationId, Vec<Term>>;

/// What is known of a start: each premise as it is given, and as it is read there.
type Known = Vec<(Term, Term)>;

/// The conjuncts of all formulas, and what they are said to follow from, in the checker's arena.
fn import(checker: &mut Checker<'_>, invariant: &Invariant) -> Result<(Lemmas, Premises), Rejection> {
    let mut lemmas = BTreeMap::new();
    let mut importer = Importer::new();
    for (&location, &formula) in &invariant.formulas {
        let bad = |why: String| Rejection::BadFormula { location: name(checker.automaton, location), why };
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
        lemmas.insert(location, conjuncts(&checker.arena, formula));
    }
    // Hints that cannot be read are none.
    let told = invariant.premises.import(&mut importer, &mut checker.arena, &invariant.arena);
    Ok((lemmas, told.unwrap_or_default()))
}

/// The formulas whose conjunction a formula is.
#[must_use]
pub fn conjuncts(arena: &Arena, formula: Term) -> Vec<Term> {
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

struct Check<'a> {
    checker: Checker<'a>,
    lemmas: Lemmas,
    told: Premises,
    induction: Induction,
}

impl Check<'_> {
    fn lemmas(&self, location: LocationId) -> &[Term] {
        self.lemmas.get(&location).map_or(&[], Vec::as_slice)
    }

    /// What must hold at the end of a region: a sink must not be reached; elsewhere each lemma is asked about
    /// by itself.
    fn claims(&mut self, target: LocationId) -> Vec<Term> {
        match self.checker.automaton.is_sink(target) {
            true => vec![self.checker.arena.mk_false()],
            false => self.lemmas(target).to_vec(),
        }
    }

    /// The layers 0 to k - 1.
    fn base(&mut self) -> Result<(), Rejection> {
        let automaton = self.checker.automaton;
        let anywhere = Arrival::anywhere(&mut self.checker.arena, automaton);
        for lemma in self.claims(automaton.entry) {
            let violated = self.checker.arena.not(lemma);
            if let Some(model) = self.checker.model(&[violated], &anywhere)? {
                return Err(Rejection::EntryNotImplied { model });
            }
        }
        let mut layer = Layer::from([(automaton.entry, anywhere.clone())]);
        let mut done = 1;
        while done < self.induction.k.get() && !layer.is_empty() {
            layer = self.checker.next_layer(&layer)?;
            for (&target, arrival) in &layer {
                for lemma in self.claims(target) {
                    self.follow(&[], &anywhere, (automaton.entry, target), arrival, lemma)?;
                }
            }
            layer.retain(|&location, _| !automaton.is_sink(location));
            done += 1;
        }
        Ok(())
    }

    /// The step at all cut locations; `between` is called before each question. What fails is told to the
    /// others.
    fn steps(&mut self, sharing: &Sharing, between: &mut dyn FnMut(&Arena)) {
        for (position, cut) in self.checker.cutset.cuts().into_iter().enumerate() {
            if sharing.is_over((position, LocationId::new(0), 0)) {
                return;
            }
            if let Err((question, why)) = self.step(position, cut, sharing, between) {
                sharing.fail(question, why);
            }
        }
    }

    /// All ways of `k` regions from a cut location.
    fn step(
        &mut self,
        position: usize,
        cut: LocationId,
        sharing: &Sharing,
        between: &mut dyn FnMut(&Arena),
    ) -> Result<(), (Key, Rejection)> {
        let undecided = |why: Reason| ((position, LocationId::new(0), 0), why.into());
        let Some((start, premises, layer)) = self.last_layer(cut).map_err(undecided)? else {
            return Ok(());
        };
        for (target, arrival) in layer {
            for (number, lemma) in self.claims(target).into_iter().enumerate() {
                let question = (position, target, number);
                between(&self.checker.arena);
                if sharing.is_over(question) {
                    return Ok(());
                }
                if sharing.take(question) {
                    self.follow(&premises, &start, (cut, target), &arrival, lemma)
                        .map_err(|why| (question, why))?;
                }
            }
        }
        Ok(())
    }

    /// Where executions are after `k` regions from a cut location, if their states before satisfy the
    /// formulas: the start, what is known of it, and the layer. Nothing if no execution gets so far.
    fn last_layer(&mut self, cut: LocationId) -> Result<Option<(Arrival, Known, Layer)>, Reason> {
        let automaton = self.checker.automaton;
        let premises = self.lemmas(cut).to_vec();
        let nothing_gets_there =
            premises.iter().any(|&premise| self.checker.arena.as_bool(premise) == Some(false));
        if automaton.is_sink(cut) || nothing_gets_there {
            return Ok(None);
        }
        let checker = &mut self.checker;
        let (start, premises) = Arrival::where_hold(&mut checker.arena, automaton, &checker.names, premises);
        let mut before: Vec<Layer> = Vec::new();
        let mut layer = Layer::from([(cut, start.clone())]);
        for _ in 1..self.induction.k.get() {
            let mut next = self.checker.next_layer(&layer)?;
            next.retain(|&location, _| !automaton.is_sink(location));
            before.push(layer);
            layer = self.where_formulas_hold(next, &before);
            if layer.is_empty() {
                return Ok(None);
            }
        }
        Ok(Some((start, premises, self.checker.next_layer(&layer)?)))
    }

    /// The states of a layer that satisfy their formulas, and that were not there `before`, if that matters.
    fn where_formulas_hold(&mut self, layer: Layer, before: &[Layer]) -> Layer {
        let mut result = Layer::new();
        for (location, mut arrival) in layer {
            let mut conditions = vec![arrival.condition];
            for lemma in self.lemmas(location).to_vec() {
                conditions.push(arrival.read(&mut self.checker.arena, &self.checker.names, lemma));
            }
            if self.induction.simple {
                let earlier = before.iter().filter_map(|layer| layer.get(&location));
                conditions.extend(earlier.map(|earlier| differ(&mut self.checker.arena, earlier, &arrival)));
            }
            arrival.condition = self.checker.arena.and(&conditions);
            if self.checker.arena.as_bool(arrival.condition) != Some(false) {
                result.insert(location, arrival);
            }
        }
        result
    }

    /// Whether a lemma follows where executions arrive, from the premises about their start (each as it is
    /// given and as it is read there): from those that are said to suffice, else from all of them.
    fn follow(
        &mut self,
        premises: &[(Term, Term)],
        start: &Arrival,
        (from, to): (LocationId, LocationId),
        arrival: &Arrival,
        lemma: Term,
    ) -> Result<(), Rejection> {
        let told = self.told.told(from, to, lemma);
        let checker = &mut self.checker;
        let lemma = arrival.read(&mut checker.arena, &checker.names, lemma);
        let violated = [arrival.condition, checker.arena.not(lemma)];
        if let Some(told) = told {
            let told = premises.iter().filter(|(given, _)| told.contains(given)).map(|&(_, premise)| premise);
            let question: Vec<Term> = told.chain(violated).collect();
            if question.len() < premises.len() + violated.len() && checker.exclude_each_other(&question)? {
                return Ok(());
            }
        }
        let question: Vec<Term> = premises.iter().map(|&(_, premise)| premise).chain(violated).collect();
        match checker.model(&question, start)? {
            Some(model) => {
                let (from, to) = (name(checker.automaton, from), name(checker.automaton, to));
                Err(Rejection::NotPreserved { from, to, model })
            }
            None => Ok(()),
        }
    }
}

/// That two arrivals are not both met in the same state.
fn differ(arena: &mut Arena, one: &Arrival, other: &Arrival) -> Term {
    let mut same = vec![one.condition];
    for (&one, &other) in one.values.iter().zip(other.values.iter()) {
        same.push(arena.eq(one, other));
    }
    let same = arena.and(&same);
    arena.not(same)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::text;
    use nilas_program::parse_program;

    fn checked(program: &str, evidence: &str) -> Result<(), Rejection> {
        let program = parse_program(program).unwrap();
        let crate::Evidence::Invariant(invariant) = text::parse(&program, evidence).unwrap() else {
            panic!("an invariant expected")
        };
        check(&program, &invariant, &Budget::unlimited(), &mut Account::default())
    }

    /// Two variables that follow each other: `y` is what `x` was.
    const CHASE: &str = "var x, y, z : bv8 entry a error e location a, b, e a -> b { x := 1; y := 1; z := 1 } \
         b -> b { z := y; y := x; havoc x; assume x == y } b -> e { assume z != 1 }";

    /// That `z` is 1 follows from `y` being 1 before, and that from `x` before that.
    #[test]
    fn what_needs_more_states_is_told_so() {
        let with = |induction: &str| checked(CHASE, &format!("(invariant {induction} (at b (= z #x01)))"));
        assert!(matches!(with(""), Err(Rejection::NotPreserved { .. })));
        assert!(matches!(with("(induction 2)"), Err(Rejection::NotPreserved { .. })));
        assert_eq!(with("(induction 3)"), Ok(()));
        assert_eq!(with("(induction 4)"), Ok(()));
        assert_eq!(with("(induction 3 simple)"), Ok(()));
    }

    /// The error is reached in layer 3. The step alone holds for many states: nothing goes on so long.
    #[test]
    fn the_base_is_checked() {
        let program = "var x : bv8 entry a error e location a, b, e a -> b { x := 0 } \
             b -> b { assume x <u 5; x := x + 1 } b -> e { assume x == 2 }";
        let evidence = |k: u64| format!("(invariant (induction {k}) (at b true))");
        assert!(
            matches!(checked(program, &evidence(9)), Err(Rejection::NotPreserved { from, .. }) if from == "a")
        );
        assert_eq!(checked(&program.replace("x == 2", "x == 6"), &evidence(9)), Ok(()));
    }

    /// `x` goes round in a circle of three. Elsewhere it can stay at 5 for ever before it goes to the error.
    #[test]
    fn states_that_differ() {
        let program = "var x : bv3 entry a error e location a, b, e a -> b { x := 0 } \
             b -> b { x := (x == 2 ? 0 : x + 1) } b -> b { assume x == 5 } b -> e { assume x == 7 }";
        let with = |induction: &str| {
            checked(program, &format!("(invariant (induction {induction}) (at b (not (= x #b111))))"))
        };
        assert!(with("4").is_err() && with("9").is_err(), "5 stays");
        assert!(with("4 simple").is_err(), "3, 4, 5, 6 differ");
        assert_eq!(with("5 simple"), Ok(()));
    }

    /// However many cores there are, the answer is the same.
    #[test]
    fn several_cores() {
        let program = parse_program(
            "var x, y, z : bv8 entry a error e location a, b, c, d, e a -> b { x := 1; y := 2; z := 3 } \
             b -> c { x := x + 2 } c -> d { y := y + 2 } d -> b { z := z + 2 } d -> e { assume (x & 1) == 0 }",
        );
        let program = program.unwrap();
        let odd = |name: &str, bit: u8| format!("(= #b{bit} ((_ extract 0 0) {name}))");
        let at = |bits: [u8; 3]| {
            format!("(and {} {} {})", odd("x", bits[0]), odd("y", bits[1]), odd("z", bits[2]))
        };
        let told = |bits: [u8; 3], threads: usize| {
            let all = at([1, 0, 1]);
            let text = format!("(invariant (at b {all}) (at c {}) (at d {all}))", at(bits));
            let crate::Evidence::Invariant(invariant) = text::parse(&program, &text).unwrap() else {
                panic!("an invariant expected")
            };
            let mut account = Account { threads: threads.try_into().unwrap(), ..Account::default() };
            let result =
                check_within(&program, &invariant, &Budget::unlimited(), &mut account, Duration::ZERO);
            (
                result.map_err(|why| why.to_string().split(", for example").next().map(str::to_owned)),
                account.counts.questions,
            )
        };
        for bits in [[1, 0, 1], [1, 1, 1], [0, 0, 1]] {
            let (alone, questions) = told(bits, 1);
            assert_eq!(alone.is_ok(), bits == [1, 0, 1]);
            for _ in 0..20 {
                let (together, asked) = told(bits, 4);
                assert_eq!(alone, together);
                assert!(alone.is_err() || questions == asked, "each question once: {questions}, {asked}");
            }
        }
    }

    /// `x` stays below `y`, for which it needs that `y` is 9; `z` has nothing to do with it.
    const BELOW: &str = "var x, y, z : bv8 entry a error e location a, b, e a -> b { x := 0; y := 9; z := 0 } \
         b -> b { assume x <u 8; x := x + 1; z := z + 2 } b -> e { assume x >=u y }";
    const LEMMAS: &str = "(at b (bvult x y) (bvuge y #x09) (= #b0 ((_ extract 0 0) z)))";

    /// Premises that suffice are all that is asked with. Where they do not, all others are there, too.
    #[test]
    fn premises_are_a_hint() {
        let program = parse_program(BELOW).unwrap();
        let with = |hints: &str| {
            let text = format!("(invariant {LEMMAS} {hints})");
            let crate::Evidence::Invariant(invariant) = text::parse(&program, &text).unwrap() else {
                panic!("an invariant expected")
            };
            let mut account = Account::default();
            let result = check(&program, &invariant, &Budget::unlimited(), &mut account);
            (result, account.counts.told, account.counts.sufficed)
        };
        assert_eq!(with(""), (Ok(()), 0, 0));
        assert_eq!(with("(premises b b 0 0 1)"), (Ok(()), 1, 1));
        assert_eq!(with("(premises b b 0 1)(premises b b 2 2)(premises b e 0 0)"), (Ok(()), 3, 3));
        assert_eq!(with("(premises b b 0 0 1 2)"), (Ok(()), 0, 0), "these are all of them");
        for wrong in
            ["(premises b b 0 2)", "(premises b b 0)", "(premises b e 0 1 2)", "(premises b b 2 0 1)"]
        {
            assert_eq!(with(wrong), (Ok(()), 1, 0), "{wrong}");
        }
        // About what is not there.
        for idle in ["(premises a e 0 0)", "(premises b b 7 0)", "(premises e b 0 0)", "(premises b a 0 1)"] {
            assert_eq!(with(idle), (Ok(()), 0, 0), "{idle}");
        }
    }

    /// No hint makes wrong evidence right.
    #[test]
    fn hints_show_nothing() {
        let wrong = LEMMAS.replace("(bvuge y #x09)", "(bvuge y #x08)");
        let every = ["", "0", "1", "2", "0 1", "0 2", "1 2", "0 1 2"];
        for used in every {
            for lemma in 0..3 {
                let hint = format!("(premises b b {lemma} {used}) (premises b e 0 {used})");
                let said = checked(BELOW, &format!("(invariant {wrong} {hint})"));
                assert!(matches!(said, Err(Rejection::NotPreserved { .. })), "{hint}: {said:?}");
            }
        }
    }

    /// What is printed is read again, hints and all; what they cannot be is refused.
    #[test]
    fn hints_as_text() {
        let program = parse_program(BELOW).unwrap();
        let text = format!(
            "(invariant (induction 2) {LEMMAS} (premises b b 0 0 1) (premises b b 2 2) (premises b e 0 0))"
        );
        let read = text::parse(&program, &text).unwrap();
        assert_eq!(text::version([&read]), 2);
        let printed = text::print(&program, &read);
        assert_eq!(printed.matches("(premises ").count(), 3, "{printed}");
        let again = text::parse(&program, &printed).unwrap();
        let told = |evidence: &crate::Evidence| match evidence {
            crate::Evidence::Invariant(invariant) => {
                invariant.premises.iter().map(|(.., used)| used.len()).collect::<Vec<_>>()
            }
            _ => Vec::new(),
        };
        assert_eq!(told(&read), [2, 1, 1]);
        let sorted = |mut lengths: Vec<usize>| {
            lengths.sort_unstable();
            lengths
        };
        assert_eq!(sorted(told(&again)), [1, 1, 2]);
        assert_eq!(text::version([&text::parse(&program, "(invariant (at b true))").unwrap()]), 1);
        for wrong in [
            "(premises)",
            "(premises b)",
            "(premises b b)",
            "(premises b b x)",
            "(premises b nowhere 0)",
            "(premises b b 0 -1)",
        ] {
            assert!(text::parse(&program, &format!("(invariant {LEMMAS} {wrong})")).is_err(), "{wrong}");
        }
        assert!(text::parse(&program, "(invariant (premises b b 0) (at b true))").is_err(), "formulas first");
        assert!(text::parse(&program, "(invariant (at b))").is_err());
    }

    #[test]
    fn no_states_are_no_induction() {
        let program = parse_program(CHASE).unwrap();
        for wrong in ["(induction 0)", "(induction -1)", "(induction)", "(induction 2 short)"] {
            assert!(text::parse(&program, &format!("(invariant {wrong} (at b true))")).is_err(), "{wrong}");
        }
    }
}
