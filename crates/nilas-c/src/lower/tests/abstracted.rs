//! Programs lowered without a model of memory.

use super::{Outcome, lowered_with, run};
use crate::lower::{Bound, LowerOptions, Lowered, Slice, UnknownFunctions};
use crate::types::DataModel;
use nilas_program::Basic;

fn options() -> LowerOptions {
    let unknown_functions = UnknownFunctions::Nothing;
    LowerOptions { abstracted: 0, slice: Slice::Whole, unknown_functions, ..LowerOptions::default() }
}

fn abstracted(text: &str) -> Lowered {
    lowered_with(text, DataModel::Lp64, &options())
}

/// Whether something leads to the error as it is.
fn has_error(lowered: &Lowered) -> bool {
    let automaton = &lowered.program.automaton;
    automaton.edges.iter().any(|edge| edge.target == automaton.error)
}

/// Whether a way to the error is left.
#[track_caller]
fn may_fail(text: &str) -> bool {
    let lowered = abstracted(text);
    assert!(!has_error(&lowered), "{text}");
    assert!(lowered.places.iter().all(|place| place.bound == Some(Bound::Memory)), "{text}");
    let small = nilas_program::simplify(&lowered.program, &nilas_term::Budget::unlimited())
        .unwrap()
        .program
        .automaton;
    !small.edges.is_empty()
}

const HEAD: &str = "void reach_error(void); struct s { int a; struct s *next; int (*f)(struct s *); }; \
     extern struct s *get(void); void *malloc(unsigned long); ";

#[track_caller]
fn check(body: &str, expected: bool) {
    let text = format!("{HEAD}{body}");
    assert_eq!(may_fail(&text), expected, "{text}");
}

#[test]
fn what_nothing_points_to_keeps_its_value() {
    check(
        "int lock; int main(void) { struct s *p = get(); p->a = 1; if (p->a) p->next = p; if (lock) reach_error(); }",
        false,
    );
    check("int a[2]; int main(void) { *get() = *get()->next; a[1] = 0; if (a[1]) reach_error(); }", false);
    check(
        "struct s g; int main(void) { struct s h = *get(); h.a = 2; g = h; if (g.a != 2) reach_error(); }",
        false,
    );
}

#[test]
fn what_pointers_reach_holds_anything() {
    check("int main(void) { struct s *p = get(); p->a = 1; if (p->a != 1) reach_error(); }", true);
    check("int x; int main(void) { int *p = &x; if (x) reach_error(); return *p; }", true);
    check("int main(void) { struct s *p = malloc(sizeof *p); p->a = 0; if (p->a) reach_error(); }", true);
    check(
        "struct s g; int main(void) { struct s *p = &g; struct s h = g; if (h.a) reach_error(); return p->a; }",
        true,
    );
    // A variable that is given away.
    check(
        "void set(int *p) { *p = 1; } int main(void) { int x = 0; set(&x); if (x == 7) reach_error(); }",
        true,
    );
    // Two values that were read are not one, however they are read.
    for other in ["p->next->a", "({ int x = p->a; x; })", "({ p->a; })", "(p ? p->a : p->next->a)", "*&p->a"]
    {
        for one in ["p->a", "({ p->next->a; p->a; })", "id(p->a)"] {
            let test = format!("if (({one}) - ({other})) reach_error();");
            let main = format!("int main(void) {{ struct s *p = get(); {test} }}");
            check(&format!("int id(int x) {{ return x; }} {main}"), true);
        }
    }
}

#[test]
fn addresses_are_no_numbers() {
    check("int x, y; int main(void) { if (&x < &y) reach_error(); }", true);
    check("int x, y; int main(void) { if (&x >= &y) reach_error(); }", true);
}

#[test]
fn calls_through_pointers_call_what_they_can() {
    let f = "int lock; int f(struct s *p) { lock = 1; return 0; } ";
    check(
        &format!(
            "{f} struct s g = {{ 0, 0, f }}; int main(void) {{ get()->f(&g); if (lock) reach_error(); }}"
        ),
        true,
    );
    // Its address is not taken.
    check(&format!("{f} int main(void) {{ get()->f(0); if (lock) reach_error(); }}"), false);
    // It is taken as that of a function of another type.
    let g = "int lock; int g(char *p) { lock = 1; return 0; } ";
    let taken = "int (*keep)(struct s *) = (int (*)(struct s *))g; ";
    check(
        &format!("{g} {taken} int main(void) {{ get()->f(0); if (lock) reach_error(); return keep == 0; }}"),
        true,
    );
}

#[test]
fn programs_without_memory_are_not_abstracted() {
    let lowered =
        abstracted("void reach_error(void); int in(void); int main(void) { if (in()) reach_error(); }");
    assert!(has_error(&lowered));
    assert_eq!(run(&lowered, &[]).0, Outcome::End);
}

#[test]
fn a_way_to_the_error_asks_for_memory() {
    let text = format!("{HEAD} int main(void) {{ struct s *p = get(); if (p->a == 0) reach_error(); }}");
    let Outcome::Unmodelled(construct) = run(&abstracted(&text), &[]).0 else { panic!("{text}") };
    assert!(construct.contains("the error"), "{construct}");
    let whole = options().raised(Bound::Memory);
    assert!(has_error(&lowered_with(&text, DataModel::Lp64, &whole)));
    // Unknown functions that do more, and undefined behaviour that is asked for, need it anyway.
    let more = LowerOptions { unknown_functions: UnknownFunctions::Arguments, ..options() };
    assert!(has_error(&lowered_with(&text, DataModel::Lp64, &more)));
    let strict = LowerOptions { properties: crate::property::Properties::undefined(), ..options() };
    assert!(has_error(&lowered_with(&text, DataModel::Lp64, &strict)));
}

/// Whether a way to the error is left in a slice.
#[track_caller]
fn slice_may_fail(body: &str, slice: Slice) -> bool {
    let text = format!("{HEAD}{body}");
    let lowered = lowered_with(&text, DataModel::Lp64, &LowerOptions { slice, ..options() });
    assert!(!has_error(&lowered), "{text}");
    assert!(lowered.places.iter().all(|place| place.bound == Some(Bound::Slice)), "{text}");
    let small = nilas_program::simplify(&lowered.program, &nilas_term::Budget::unlimited()).unwrap();
    !small.program.automaton.edges.is_empty()
}

#[test]
fn slices_forget_what_does_not_matter() {
    let both = [Slice::Data, Slice::Control];
    let check = |body: &str, expected: [bool; 2]| {
        assert_eq!(both.map(|slice| slice_may_fail(body, slice)), expected, "{body}");
    };
    let idle = "int lock; int idle(struct s *p) { for (int i = 0; i < 99; i++) p->a = i; return p->a; }";
    let locks = "idle(get()); lock = 1; if (idle(get())) idle(get()); lock = 0; if (lock) reach_error();";
    check(&format!("{idle} int main(void) {{ {locks} }}"), [false, false]);
    check(
        &format!("{idle} int main(void) {{ if (get()->a) lock = 1; if (lock) reach_error(); }}"),
        [true, true],
    );
    // The flag decides whether it is locked: control, not data.
    let text = format!(
        "{HEAD} int lock; int main(void) {{ int flag = get()->a == 0; if (flag) lock = 1; if (flag) lock = 0; \
         if (lock) reach_error(); }}"
    );
    let keeps_flag = |slice: Slice| {
        let lowered = lowered_with(&text, DataModel::Lp64, &LowerOptions { slice, ..options() });
        let automaton = &lowered.program.automaton;
        let is_flag = |basic: Basic| match basic {
            Basic::Assign(variable, _) => automaton.variable(variable).name.ends_with("flag"),
            _ => false,
        };
        automaton.edges.iter().flat_map(|edge| edge.command.arcs()).any(|arc| is_flag(arc.basic))
    };
    assert_eq!(both.map(keeps_flag), [false, true]);
}

#[test]
fn an_execution_of_a_slice_asks_for_a_larger_one() {
    let slices = [Slice::Data, Slice::Control, Slice::Whole];
    for (slice, next) in slices.into_iter().zip([Slice::Control, Slice::Whole, Slice::Whole]) {
        assert_eq!(LowerOptions { slice, ..options() }.raised(Bound::Slice).slice, next);
        assert_eq!(slice.name().parse(), Ok(slice));
    }
}
