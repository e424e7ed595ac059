//! k-induction over bounds: the solver is interval constraint propagation ([`nilas_icp`]).
//!
//! §2.4.6 of *ICP and IC3 with Stronger Generalization* has k-induction beside IC3 on the same solver. Where
//! floats are multiplied and divided, bounds decide in a moment what bits do not decide at all; elsewhere
//! they get nowhere. So the engines here are for programs with floats only: this one, BMC ([`bounded`]) and
//! IC3 ([`ic3`]), all on the same solver.
//!
//! Evidence is that of k-induction. The checker has intervals of its own for it (`nilas-evidence`).

mod bounded;
mod candidates;
mod ic3;
mod ladder;

pub(crate) use bounded::IcpBmc;
pub(crate) use ic3::Variant;
pub use ic3::{Configuration as IcpIc3Configuration, Dropping, Settings as IcpIc3Settings, icp_ic3};

use crate::bmc::Reasoning;
use crate::engine::{Context, Engine, Kind, Own, Prepared, Question, Setting};
use crate::k_induction::{self, k_induction_beside};
use crate::landmarks::terms;
use crate::observer::Counters;
use crate::outcome::{Outcome, Unknown};
use nilas_program::Program;
use nilas_term::Sort;
use rustc_hash::FxHashSet;

/// k-induction over bounds as an engine.
pub(crate) struct IcpEngine;

impl Engine for IcpEngine {
    fn name(&self) -> &'static str {
        "icp"
    }

    fn method(&self) -> &'static str {
        "reasons about the ranges that floats lie in, from any state some steps on, as k-induction does"
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
                key: "candidates",
                kind: Kind::YesNo,
                default: Some("yes"),
                help: "look for bounds of variables that are inductive first",
            },
        ];
        &SETTINGS
    }

    fn takes(&self, question: Question) -> bool {
        question == Question::Program
    }

    fn needs_bound(&self) -> bool {
        true
    }

    fn run(&self, prepared: &Prepared, settings: &Own<'_>, context: &mut Context<'_>) -> (Outcome, Counters) {
        let program = &prepared.program;
        if !has_floats(program) {
            let why = "it is made for programs with floats".to_owned();
            return (Outcome::Unknown(Unknown::Inapplicable(why)), Counters::new());
        }
        let found = match settings.flag("candidates") {
            true => candidates::inductive(program, context.budget),
            false => Ok(candidates::Found::default()),
        };
        let found = match found {
            Ok(found) => found,
            Err(why) => return (Outcome::Unknown(why), Counters::new()),
        };
        let own = k_induction::Settings {
            max_depth: settings.parsed("max-depth"),
            simple_paths: false,
            reasoning: Reasoning::Bounds,
        };
        let Context { budget, observer, exchange } = context;
        let (outcome, mut counters) =
            k_induction_beside(program, own, &found.known, budget, *observer, exchange);
        counters.insert("bounds by constants of the program", found.constants);
        counters.insert("bounds by steps between them", found.steps);
        counters.insert("bounds by differences", found.differences);
        (outcome, counters)
    }
}

/// Whether the program computes with floats.
fn has_floats(program: &Program) -> bool {
    let (mut stack, mut seen) = (terms(&program.automaton), FxHashSet::default());
    while let Some(term) = stack.pop() {
        if matches!(program.arena.sort(term), Sort::Float(..)) {
            return true;
        }
        if seen.insert(term) {
            stack.extend_from_slice(program.arena.children(term));
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use crate::{Settings, Silent, Unknown, Verdict, verify};
    use nilas_program::parse_program;
    use nilas_smt::Budget;

    fn verdict(text: &str, settings: &[&str]) -> Verdict {
        let program = parse_program(text).expect("a program of this test");
        let settings = Settings::of(settings).expect("settings of the engine");
        let engine = "icp".parse().expect("the engine");
        verify(&program, engine, &settings, &Budget::unlimited(), &mut Silent).verdict
    }

    /// A filter whose output stays in the range of its input, from -2 to 2; `limit` is what is asked.
    fn filter(limit: &str) -> String {
        let two = "(fp #b0 #x80 #b00000000000000000000000)";
        let quarter = "(fp #b0 #x7d #b00000000000000000000000)";
        let rest = "(fp #b0 #x7e #b10000000000000000000000)";
        format!(
            "var s, x : fp(8, 24) entry a error e location a, b, e a -> b {{ s := `(_ +zero 8 24)` }} \
             b -> b {{ havoc x; assume `(and (fp.leq (fp.neg {two}) x) (fp.leq x {two}))`; \
             s := `(fp.add RNE (fp.mul RNE {rest} s) (fp.mul RNE {quarter} x))` }} \
             b -> e {{ assume `(not (and (fp.leq (fp.neg {limit}) s) (fp.leq s {limit})))` }}"
        )
    }

    #[test]
    fn a_filter_stays_in_range() {
        let two = filter("(fp #b0 #x80 #b00000000000000000000000)");
        assert!(matches!(verdict(&two, &[]), Verdict::Safe(_)));
        // Less than that is left after some steps.
        let one = filter("(fp #b0 #x7f #b00000000000000000000000)");
        assert!(matches!(verdict(&one, &[]), Verdict::Unsafe(_)));
    }

    /// The bound is inductive, and the property follows from nothing else.
    #[test]
    fn bounds_are_found_first() {
        let text = filter("(fp #b0 #x80 #b01000000000000000000000)");
        assert!(matches!(verdict(&text, &["icp.max-depth=6"]), Verdict::Safe(_)));
    }

    /// `s := 0.75 s + x` with `x` up to 1 stays below 4, which the program does not name: what is asked is
    /// whether `s * s` stays below a limit.
    #[test]
    fn bounds_are_found_between_constants() {
        let one = "(fp #b0 #x7f #b00000000000000000000000)";
        let rest = "(fp #b0 #x7e #b10000000000000000000000)";
        let square = |limit: &str| {
            format!(
                "var s, x : fp(8, 24) entry a error e location a, b, e a -> b {{ s := `(_ +zero 8 24)` }} \
                 b -> b {{ havoc x; assume `(and (fp.leq (fp.neg {one}) x) (fp.leq x {one}))`; \
                 s := `(fp.add RNE (fp.mul RNE {rest} s) x)` }} \
                 b -> e {{ assume `(not (fp.leq (fp.mul RNE s s) {limit}))` }}"
            )
        };
        // 20, and 4: the square of 4 is 16, that of what three steps come to is more than 4.
        let twenty = square("(fp #b0 #x83 #b01000000000000000000000)");
        assert!(matches!(verdict(&twenty, &["icp.max-depth=6"]), Verdict::Safe(_)));
        let four = square("(fp #b0 #x81 #b00000000000000000000000)");
        assert!(matches!(verdict(&four, &[]), Verdict::Unsafe(_)));
    }

    /// A filter that follows an input that moves by at most one: only the difference of both is bounded by little,
    /// and nothing in the program says by how much. The bounds of the input itself are far away.
    #[test]
    fn differences_are_found() {
        let number = |it: f32| format!("((_ to_fp 8 24) RNE {it:?})");
        let (one, quarter, far) = (number(1.0), number(0.25), number(1000.0));
        let follows = |limit: f32| {
            let limit = number(limit);
            format!(
                "var x, y, d : fp(8, 24) entry a error e location a, b, e \
                 a -> b {{ x := `(_ +zero 8 24)`; y := `(_ +zero 8 24)` }} \
                 b -> b {{ havoc d; assume `(and (fp.leq (fp.neg {one}) d) (fp.leq d {one}))`; \
                 x := `(fp.add RNE x d)`; \
                 assume `(and (fp.leq (fp.neg {far}) x) (fp.leq x {far}))`; \
                 y := `(fp.add RNE y (fp.mul RNE {quarter} (fp.sub RNE x y)))` }} \
                 b -> e {{ assume `(not (fp.leq (fp.sub RNE x y) {limit}))` }}"
            )
        };
        assert!(matches!(verdict(&follows(4.5), &["icp.max-depth=3"]), Verdict::Safe(_)));
        assert!(matches!(verdict(&follows(1.5), &[]), Verdict::Unsafe(_)));
    }

    #[test]
    fn programs_without_floats_are_left_to_others() {
        let text = "var x : bv8 entry a error e location a, e a -> e { assume x == 3 }";
        let verdict = verdict(text, &[]);
        assert!(matches!(verdict, Verdict::Unknown(Unknown::Inapplicable(_))), "{verdict:?}");
    }
}
