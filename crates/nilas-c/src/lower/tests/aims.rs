//! Pointers that hold few addresses, and ways to make them hold others.

use super::{Outcome, check_with, lowered};
use crate::types::DataModel;

const HEAD: &str = "extern void __VERIFIER_error(void); extern int __VERIFIER_nondet_int(void); void *malloc(typeof(sizeof 0));
void *memcpy(void *, const void *, typeof(sizeof 0)); void check(int c) { if (!c) __VERIFIER_error(); }\n";

/// All checks hold for each input, and the end of `main` is reached: a last check that fails is reached, too.
fn holds(globals: &str, body: &str) {
    let program = |end: &str| {
        let read = "int n = __VERIFIER_nondet_int();";
        format!("{HEAD}{globals}\nint main(void) {{ {read} {body} {end} return 0; }}")
    };
    for input in [0, 1, 2] {
        check_with(&program(""), &[input], &Outcome::End);
        check_with(&program("check(0);"), &[input], &Outcome::Error);
    }
}

const STRUCTS: &str = "struct a { int x, y; }; struct b { int z[3]; char c; }; struct s { struct a *a; struct b *b; struct s *self; int n; };
    struct s *make(void) { struct s *s = malloc(sizeof *s); s->a = malloc(sizeof(struct a)); s->b = malloc(sizeof(struct b)); s->self = s; s->n = 0; return s; }";

/// Three allocations of one class; every access means one of them.
#[test]
fn pointers_in_a_struct_are_told_apart() {
    holds(
        STRUCTS,
        "struct s *s = make(); s->a->x = n; s->a->y = 2; s->b->z[1] = 5; s->b->c = 7; s->self->n = 9;
        check(s->a->x == n && s->a->y == 2 && s->b->z[1] == 5 && s->b->c == 7 && s->n == 9);
        if (n == 1) s->a = (struct a *)s->b; s->a->y = 6; check(s->b->z[1] == (n == 1 ? 6 : 5));",
    );
    let text = format!(
        "{HEAD}{STRUCTS} int main(void) {{ struct s *s = make(); s->a->x = 1; s->b->z[1] = 2; check(s->a->x == 1); return 0; }}"
    );
    let lowered = lowered(&text, DataModel::Ilp32);
    let across = lowered.places.iter().find(|place| place.construct.contains("across"));
    assert!(across.is_none(), "{across:?}");
}

/// Pointers are set through other pointers, in bytes, in unions, by copies of structs and in loops.
#[test]
fn pointers_are_set_in_other_ways() {
    holds(
        "int x = 1, y = 2, a[3] = { 7, 8, 9 }; int *p = &x, **pp = &p, **qq; struct t { int *p; int k; } t, u; union v { int *p; unsigned char c[sizeof(int *)]; } v, w;",
        "*pp = &y; check(*p == 2); qq = n ? pp : &t.p; *qq = &x; check(n ? *p == 1 : *t.p == 1);
        t.p = &a[1]; u = t; *u.p = 5; check(a[1] == 5); memcpy(&u, &t, sizeof t); u.p++; check(*u.p == 9);
        for (p = a; p < a + 3; p++) if (*p == 9) break; check(p == &a[2] && *p == 9);
        ",
    );
}

/// The base is a constant, and the index is what a variable holds.
#[test]
fn indices_are_no_pointers() {
    holds(
        "int a[4] = { 1, 2, 3, 4 }; int get(int *p, int i) { return p[i]; }",
        "int s = 0, *p = a; for (int i = 0; i < 4; i++) s += p[i]; check(s == 10); long k; p = n ? a : a + 1; k = 2; check(p[k] == (n ? 3 : 4)); check(get(a, n & 1) == (n & 1) + 1);",
    );
    // An uninitialised index is any.
    let text = format!(
        "{HEAD} int a[4] = {{ 0, 5 }}; int get(int *p) {{ int i; return p[i]; }}
        int main(void) {{ int b[2] = {{ 0 }}; if (get(b) + get(a) == 5) __VERIFIER_error(); return 0; }}"
    );
    let lowered = lowered(&text, DataModel::Ilp32);
    assert!((0..400).any(|seed| super::random_run(&lowered, seed) == Outcome::Error), "{text}");
}

/// An address that is taken late, behind the access that means it.
#[test]
fn addresses_that_come_later() {
    holds(
        "int x = 1, y = 2, *p = &x; struct l { struct l *next; int v; } a, b;",
        "struct l *l = &a; a.next = &b; for (int i = 0; i < 3; i++) { l->v = i; l = l->next; if (!l) break; if (i == 0) { int *q = p; *q += 10; p = &y; } b.next = n ? &a : 0; }
        check(x == 11 && b.v == 1 && a.v == (n ? 2 : 0)); check(*p == 2);",
    );
}

/// A freed object, and one that is dead, cannot be meant.
#[test]
fn the_dead_are_not_meant() {
    let text = |end: &str| {
        format!(
            "{HEAD} void free(void *); int *p; void f(void) {{ int local = 3; p = &local; {end} }} int main(void) {{ f(); *p = 4; check(0); return 0; }}"
        )
    };
    check_with(&text(""), &[], &Outcome::End);
    check_with(&text("p = malloc(4);"), &[], &Outcome::Error);
    check_with(&text("p = malloc(4); free(p);"), &[], &Outcome::End);
}
