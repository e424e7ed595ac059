//! Bodies that serve several calls mean what each call means, and calls through pointers what flows there.

use super::language::{ends, programs};
use super::{LowerOptions, Outcome, lowered, lowered_with, run};
use crate::property::Properties;
use crate::types::DataModel;

/// Nothing is inlined that is called twice.
fn sharing() -> LowerOptions {
    LowerOptions { inlined: 0, ..LowerOptions::default() }
}

/// The program ends in the given way, or meets what is not modelled, in both data models.
fn check_shared(text: &str, expected: &Outcome) -> bool {
    let mut modelled = true;
    for model in [DataModel::Ilp32, DataModel::Lp64] {
        let lowered = lowered_with(text, model, &sharing());
        match run(&lowered, &[]).0 {
            Outcome::Unmodelled(_) => modelled = false,
            outcome => assert_eq!(outcome, *expected, "{model:?}\n{text}"),
        }
    }
    modelled
}

#[test]
fn the_language_with_shared_bodies() {
    let mut open = 0;
    for text in programs() {
        for (text, expected) in ends(&text) {
            open += usize::from(!check_shared(&text, &expected));
        }
    }
    assert!(open <= 4, "{open} programs are not modelled with shared bodies");
}

const HEAD: &str = "void reach_error(void); void *malloc(__SIZE_TYPE__);\n";

#[test]
fn every_call_returns_to_where_it_came_from() {
    for body in [
        // One after the other, nested in arguments, in a loop, through a function between.
        "static int twice(int x) { int y = x; y += x; return y; }
         static int more(int x) { return twice(x) + 1; }
         int main(void) { int s = 0; for (int i = 0; i < 3; i++) s += twice(more(i)) + more(twice(i));
         if (s != 33) reach_error(); if (twice(more(2)) != 10) reach_error(); END return 0; }",
        // With the address of a caller's variable.
        "static void set(int *p, int v) { *p = v; } static int both(int v) { int a, b; set(&a, v); set(&b, v + 1); return a * b; }
         int main(void) { int x; set(&x, 3); if (both(x) != 12 || both(x + 1) != 20 || x != 3) reach_error(); END return 0; }",
        // A recursive function that is active at several depths when the shared one is called.
        "static int leaf(int x) { int y = x * 2; return y + 1; }
         static int down(int n) { int mine = leaf(n); if (n > 0) mine += down(n - 1); return mine + leaf(0); }
         int main(void) { if (leaf(4) != 9 || down(2) != 12 || leaf(1) != 3) reach_error(); END return 0; }",
        // What is called inside depends on who is active around.
        "static int f(int n); static int g(int n) { int k = n; return n > 0 ? f(n - 1) + k : k; }
         static int f(int n) { int here = n; int below = g(n); return below + here; }
         int main(void) { if (g(2) != 4 || f(2) != 6 || g(1) != 1) reach_error(); END return 0; }",
        // Objects that are allocated in a body.
        "struct s { int v; struct s *n; };
         static struct s *make(int v, struct s *n) { struct s *p = malloc(sizeof *p); p->v = v; p->n = n; return p; }
         int main(void) { struct s *l = make(1, make(2, make(3, 0))); int s = 0; for (; l; l = l->n) s = s * 10 + l->v;
         if (s != 123) reach_error(); END return 0; }",
    ] {
        for (text, expected) in
            [(format!("{HEAD}#define END\n{body}"), Outcome::End), (format!("{HEAD}#define END reach_error();\n{body}"), Outcome::Error)]
        {
            assert!(check_shared(&text, &expected), "{text}");
        }
    }
}

#[test]
fn bodies_are_lowered_once() {
    let calls = "sum += f(sum);".repeat(40);
    let text = format!(
        "{HEAD} static int h(int x) {{ return x * 3 + 1; }} static int g(int x) {{ return h(x) + h(x + 1) + h(x + 2); }}
         static int f(int x) {{ return g(x) + g(x + 1); }} int main(void) {{ int sum = 0; {calls} return sum; }}"
    );
    let (copied, shared) =
        (lowered(&text, DataModel::Lp64), lowered_with(&text, DataModel::Lp64, &sharing()));
    for lowered in [&copied, &shared] {
        assert_eq!(lowered.instances, 4);
        let emitted = lowered.emitted.expect("bodies that calls enter");
        assert_eq!((emitted.procedures, emitted.calls), (3, 40 + 2 + 3));
        let edges = lowered.program.automaton.edges.len();
        assert!(emitted.edges * 3 < copied.program.automaton.edges.len(), "{emitted:?}");
        // Two edges of the automaton stand for a call; copies have all edges of a body.
        let shares = edges == emitted.edges + emitted.calls;
        assert!(shares || edges as u64 == emitted.inlined, "{emitted:?}, {edges}");
    }
}

/// A body serves the calls at which it would be lowered to the same edges, and no others.
#[test]
fn a_body_serves_calls_that_are_alike() {
    for (instances, body) in [
        // Constants: `f(3)` is lowered once, `f(4)` and `f(x)` once each.
        (4, "static int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }
             int main(void) { int x = 2; if (f(3) + f(x) != 4 || f(3) + f(x) + f(4) != 10) reach_error(); END return 0; }"),
        // Each call of a function that allocates has an object of its own.
        (3, "static int *make(int v) { int *p = malloc(sizeof *p); *p = v; return p; }
             int main(void) { int x = 2, *a = make(x), *b = make(x + 1); if (a == b || *a != 2 || *b != 3) reach_error(); END return 0; }"),
        // Whether variables of callers are alive is another matter inside of `one` and of `two`.
        (6, "static int get(int *p) { return *p; } static int one(int n) { int a = n; return get(&a); }
             static int two(int n) { int b = n + 1; return get(&b); }
             int main(void) { int x = 1; if (one(x) + two(x) != 3 || get(&x) != 1) reach_error(); END return 0; }"),
        // The same variables are alive, and the address is the same: one body. An address is a constant, too.
        (2, "static void set(int *p, int v) { *p = v; }
             int main(void) { int a; set(&a, 3); a = 0; set(&a, 3); if (a != 3) reach_error(); END return 0; }"),
        (3, "static void set(int *p, int v) { *p = v; }
             int main(void) { int a, b; set(&a, 3); set(&b, 3); if (a + b != 6) reach_error(); END return 0; }"),
    ] {
        for (end, expected) in [("", Outcome::End), ("reach_error();", Outcome::Error)] {
            let text = format!("{HEAD}#define END {end}\n{body}");
            for model in [DataModel::Ilp32, DataModel::Lp64] {
                let lowered = lowered(&text, model);
                assert_eq!(run(&lowered, &[]).0, expected, "{text}");
                assert_eq!(lowered.instances, instances, "{text}");
            }
        }
    }
}

/// The program ends inside of a function that is lowered once, and somebody asks what is left then.
#[test]
fn the_program_ends_inside_of_a_body() {
    let text = format!(
        "{HEAD} void exit(int); void free(void *);
         static void stop(int n) {{ if (n > 3) exit(0); }}
         int main(void) {{ int *p = malloc(4), n = 1; stop(n); LEFT stop(n + 3); return 0; }}"
    );
    for (left, expected) in [("free(p);", Outcome::End), ("", Outcome::Error)] {
        for inlined in [0, 50_000] {
            let properties = Properties::of_names("leak").expect("a property");
            let options = LowerOptions { inlined, properties, ..LowerOptions::default() };
            let lowered = lowered_with(&text.replace("LEFT", left), DataModel::Ilp32, &options);
            assert_eq!(run(&lowered, &[]).0, expected, "{left}");
        }
    }
}

/// Functions of another type in the same table are not called, and no pointer to them has to be ruled out.
#[test]
fn calls_through_pointers_mean_what_flows_there() {
    let text = format!(
        "{HEAD} static int one(int *p) {{ return *p; }} static int two(int *p) {{ return *p + 1; }}
         static int far(char *p) {{ return *p; }}
         struct ops {{ int (*get)(int *); int (*other)(char *); }};
         static struct ops table[2] = {{ {{ one, far }}, {{ two, 0 }} }};
         int __VERIFIER_nondet_int(void);
         int main(void) {{ int x = 4; int i = __VERIFIER_nondet_int() & 1; return table[i].get(&x); }}"
    );
    for model in [DataModel::Ilp32, DataModel::Lp64] {
        let lowered = lowered(&text, model);
        assert_eq!(lowered.instances, 3, "main, one and two");
        assert!(lowered.places.is_empty(), "{:?}", lowered.places);
    }
}
