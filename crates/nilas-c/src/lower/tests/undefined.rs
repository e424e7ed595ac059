//! Values that nothing has given, dead objects, and accesses that C leaves undefined.

use super::{Outcome, check_every, lowered, run};
use crate::lower::{LowerOptions, lower};
use crate::property::Properties;
use crate::types::DataModel;

const HEAD: &str = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void); extern void *malloc(typeof(sizeof 0));
extern void *calloc(typeof(sizeof 0), typeof(sizeof 0)); extern void free(void *);\n";

/// Some choice of inputs and uninitialised values reaches the error.
fn reaches(text: &str) {
    check_every(&format!("{HEAD}{text}"), true);
}

/// None does, and nothing is unmodelled on the way.
fn never(text: &str) {
    check_every(&format!("{HEAD}{text}"), false);
}

#[test]
fn a_jump_over_a_declaration_leaves_any_value() {
    reaches(
        "int main(void) { int i; for (i = 0; i < 2; i++) { if (i == 1) goto in; int x = 5; in: if (x != 5) reach_error(); } return 0; }",
    );
    reaches(
        "int main(void) { int n = __VERIFIER_nondet_int(); switch (n) { case 0:; int x = 5; case 1: if (x != 5) reach_error(); } return 0; }",
    );
    reaches(
        "int main(void) { int i = 0; goto in; { int a[2] = { 1, 2 }; in: i++; if (a[1] != 2) reach_error(); if (i < 2) goto in; } return 0; }",
    );
    never(
        "int main(void) { int i = 0; { int x = 5; again: i++; if (x != 5) reach_error(); if (i < 3) goto again; } return 0; }",
    );
}

#[test]
fn every_entry_of_a_block_renews_its_variables() {
    reaches(
        "int main(void) { int i; for (i = 0; i < 2; i++) { int x; if (i == 0) x = 7; if (i == 1 && x != 7) reach_error(); } return 0; }",
    );
    reaches(
        "struct s { int a, b; }; void set(struct s *p) { p->b = 7; } int main(void) { int i; for (i = 0; i < 2; i++) { struct s x; if (i == 0) set(&x); if (i == 1 && x.b != 7) reach_error(); } return 0; }",
    );
}

#[test]
fn dead_objects_stop() {
    never(
        "int *p; void f(void) { int x = 1; p = &x; } int main(void) { f(); if (*p == 1) reach_error(); reach_error(); return 0; }",
    );
    never("int main(void) { int *p; { int x = 1; p = &x; } *p = 2; reach_error(); return 0; }");
    never(
        "int main(void) { int *p = (int *)malloc(sizeof(int)); *p = 1; free(p); int x = *p; reach_error(); return 0; }",
    );
    never(
        "int main(void) { int *p = (int *)malloc(sizeof(int)); free(p); free(p); reach_error(); return 0; }",
    );
    never("int main(void) { int x; int *p = &x; free(p); reach_error(); return 0; }");
    reaches(
        "int main(void) { int *p = (int *)malloc(sizeof(int)); int *q = (int *)malloc(sizeof(int)); *q = 3; free(p); free(0); if (*q == 3) reach_error(); return 0; }",
    );
}

#[test]
fn accesses_stay_in_their_object() {
    never(
        "int a[4], b[4]; int main(void) { int *p = a; int i; for (i = 0; i < 40; i++) p++; *p = 1; reach_error(); return 0; }",
    );
    reaches(
        "int a[4], b[4]; int main(void) { int *p = a; if (__VERIFIER_nondet_int()) p = b; p[3] = 1; if (b[3] == 1) reach_error(); return 0; }",
    );
}

#[test]
fn functions_without_body_write_through_pointers() {
    reaches("void get(int *); int main(void) { int x = 1; get(&x); if (x == 9) reach_error(); return 0; }");
    reaches(
        "struct s { int *p; }; void get(struct s *); int main(void) { int x = 1; struct s s = { &x }; get(&s); if (x == 9) reach_error(); return 0; }",
    );
    reaches(
        "int x, y; void get(int *); int main(void) { int *p = &x; if (__VERIFIER_nondet_int()) p = &y; get(p); if (y == 9) reach_error(); return 0; }",
    );
    never(
        "int g = 1; void get(int *); int main(void) { int x; get(&x); if (g != 1) reach_error(); return 0; }",
    );
    never(
        "int x = 1, y = 1; void get(int *); int main(void) { int *p = &x; if (y > 5) p = &y; get(p); if (y != 1) reach_error(); return 0; }",
    );
}

#[test]
fn pointers_of_unknown_origin() {
    reaches("int *get(void); int main(void) { int *p = get(); if (p && *p == 7) reach_error(); return 0; }");
    never("int *get(void); int main(void) { int *p = get(); *p = 5; if (*p != 5) reach_error(); return 0; }");
    never(
        "int g; int *get(void); int main(void) { int *p = get(); *p = 5; if (g != 0) reach_error(); if (p == &g) reach_error(); return 0; }",
    );
    reaches("extern int *p; int main(void) { if (*p == 3) reach_error(); return 0; }");
}

#[test]
fn objects_of_variable_size() {
    never(
        "int main(void) { unsigned n = __VERIFIER_nondet_int(); int a[n]; unsigned i = __VERIFIER_nondet_int(); a[i] = 3; if (i >= n) reach_error(); if (a[i] != 3) reach_error(); return 0; }",
    );
    reaches(
        "int main(void) { unsigned n = __VERIFIER_nondet_int(); if (n > 1000000) return 0; char *a = (char *)malloc(n); a[100000] = 3; if (a[100000] == 3) reach_error(); return 0; }",
    );
}

#[test]
fn allocations_in_loops() {
    reaches("struct n { int v; struct n *next; }; int main(void) { struct n *l = 0; int i; for (i = 0; i < 6; i++) { struct n *t = (struct n *)malloc(sizeof *t); t->v = i; t->next = l; l = t; }
        int s = 0; while (l) { s = s * 10 + l->v; l = l->next; } if (s == 543210) reach_error(); return 0; }");
    never(
        "struct n { int v; int w; }; int main(void) { struct n *l = 0; int i; for (i = 0; i < 5; i++) { struct n *t = (struct n *)calloc(1, sizeof *t); if (t->w) reach_error(); if (l && l == t) reach_error(); t->w = 4; if (l) free(l); l = t; } return 0; }",
    );
}

#[test]
fn undefined_behaviour_is_listed() {
    let text = "int a[4]; int main(void) { int i = 7; i++; a[i] = 1; return 1 / i; }";
    let lowered = lowered(text, DataModel::Lp64);
    let what: Vec<&str> = lowered.undefined.iter().map(|undefined| undefined.what).collect();
    assert_eq!(what, ["access out of bounds", "division by zero"], "{:?}", lowered.undefined);
}

#[test]
fn casts_and_members() {
    // A struct inside another one, at an offset that is no multiple of its size.
    reaches(
        "struct base { int u, v; }; struct outer { int a; struct base b; int c; } o; int get(struct base *p) { return p->v; }
        int main(void) { struct base *p = &o.b; if (__VERIFIER_nondet_int()) p = &((struct outer *)calloc(1, sizeof o))->b; o.b.v = 7; if (get(p) == 7) reach_error(); return 0; }",
    );
    reaches(
        "struct s { char c; int i[3]; } t[4]; int main(void) { struct s *p = t; int i; for (i = 0; i < 3; i++) p++; p->i[2] = 4; if (t[3].i[2] == 4) reach_error(); return 0; }",
    );
    reaches(
        "int x; void set(void *p, int *q) { *(int *)p = 5; *q += 1; } int main(void) { int y = 0; void *v = &x; if (__VERIFIER_nondet_int()) v = &y; set(v, &y); if (y == 6) reach_error(); return 0; }",
    );
    reaches(
        "struct a { int x; }; struct b { int *p; }; int g; void *keep; int main(void) { struct b *b = (struct b *)malloc(sizeof *b); b->p = &g; keep = b; struct b *c = (struct b *)keep; *c->p = 3; if (g == 3) reach_error(); return 0; }",
    );
}

#[test]
fn pointers_in_integers_and_bytes() {
    reaches(
        "int g; int main(void) { typeof(sizeof 0) n = (typeof(sizeof 0))&g; int *p = (int *)(n + 0 * __VERIFIER_nondet_int()); *p = 3; if (g == 3) reach_error(); return 0; }",
    );
    reaches(
        "int g, h; union u { int *p; typeof(sizeof 0) n; } u; int main(void) { u.p = &g; if (__VERIFIER_nondet_int()) u.p = &h; int *q = (int *)u.n; *q = 3; if (h == 3) reach_error(); return 0; }",
    );
}

#[test]
fn calls_in_blocks_see_what_lives_there() {
    reaches(
        "void add(int *p) { *p += 1; } int main(void) { int i; for (i = 0; i < 3; i++) { int x = i, y = 5; int *p = &x; if (__VERIFIER_nondet_int()) p = &y; add(p); if (x == 3) reach_error(); } return 0; }",
    );
    reaches(
        "int main(void) { int v = ({ int x = 3, y = 4; int *p = &x; if (__VERIFIER_nondet_int()) p = &y; *p; }); if (v == 4) reach_error(); return 0; }",
    );
}

/// How a program ends if undefined behaviour is the error, in both data models.
fn checked(text: &str, expected: &Outcome) {
    for model in [DataModel::Ilp32, DataModel::Lp64] {
        let input = crate::Input::Text { name: "test.c".to_owned(), text: text.as_bytes().to_vec() };
        let options = crate::Options { model, ..crate::Options::default() };
        let tree =
            crate::parse_program(&input, &options).unwrap_or_else(|failure| panic!("{}", failure.render()));
        let options = LowerOptions { properties: Properties::undefined(), ..LowerOptions::default() };
        let lowered = lower(&tree, &options).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
        assert_eq!(run(&lowered, &[]).0, *expected, "{model:?}\n{text}");
    }
}

#[test]
fn what_means_nothing_to_the_machine_is_seen_when_asked_for() {
    let head = "struct { int a[4]; int b; int m[2][3]; } s; int i;";
    let main = |body: &str| format!("{head} int main(void) {{ {body} return 0; }}");
    // Inside of the struct, but not of the array.
    checked(&main("i = 4; s.a[i] = 1;"), &Outcome::Error);
    checked(&main("s.a[5] = 1;"), &Outcome::Error);
    checked(&main("i = 3; s.m[0][i] = 1;"), &Outcome::Error);
    checked(&main("i = 3; s.a[i] = 1; s.m[1][2] = s.a[i];"), &Outcome::End);
    checked(&main("int n = i; int a[n]; "), &Outcome::Error);
    checked(&main("int n = i - 3; typedef int t[n];"), &Outcome::Error);
    checked(&main("int n = i + 2; int a[n]; a[1] = 3;"), &Outcome::End);
    checked(&main("i = i++ + 1;"), &Outcome::Error);
    checked(&main("s.a[i] = i++;"), &Outcome::Error);
    checked(&main("s.a[0] = s.a[1] = i; i = i + 1;"), &Outcome::End);
}

#[test]
fn a_function_that_must_not_return_does_not() {
    never(
        "__attribute__((noreturn)) void f(int x) { if (x == 0) for (;;); } int main(void) { f(__VERIFIER_nondet_int()); reach_error(); return 0; }",
    );
    never("_Noreturn int f(void) { return 1; } int main(void) { if (f()) reach_error(); return 0; }");
    reaches(
        "__attribute__((noreturn)) void f(void) { for (;;); } int main(void) { if (__VERIFIER_nondet_int()) f(); reach_error(); return 0; }",
    );
}
