//! Small programs and how they end.

use super::{Outcome, check, check_with, lowered, run};
use crate::types::DataModel;

const HEAD: &str = "extern void __VERIFIER_error(void); extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int); extern void abort(void); void *malloc(unsigned long); void *calloc(unsigned long, unsigned long);
void free(void *); void *memset(void *, int, unsigned long); void *memcpy(void *, const void *, unsigned long);
void check(int c) { if (!c) { ERROR: __VERIFIER_error(); } }\n";

fn ends(body: &str) {
    check(&format!("{HEAD}{}", body.replace("unsigned long)", "__SIZE_TYPE__)")), &Outcome::End);
}

/// All checks hold, and the end of `main` is reached: a last check that fails is reached, too.
fn holds(globals: &str, body: &str) {
    let head = HEAD.replace("unsigned long", "typeof(sizeof 0)");
    check(&format!("{head}{globals}\nint main(void) {{ {body} return 0; }}"), &Outcome::End);
    check(&format!("{head}{globals}\nint main(void) {{ {body} check(0); return 0; }}"), &Outcome::Error);
}

#[test]
fn errors_and_ends() {
    check("void reach_error(void) {} int main(void) { reach_error(); return 0; }", &Outcome::Error);
    check(
        "void __assert_fail(void); int main(void) { int x = 3; if (x != 3) __assert_fail(); return 0; }",
        &Outcome::End,
    );
    check(
        "void abort(void); void reach_error(void); int main(void) { abort(); reach_error(); }",
        &Outcome::End,
    );
    check(
        "void reach_error(void); int main(void) { int z = 0; int y = 5 / z; reach_error(); }",
        &Outcome::End,
    );
    check(
        "void reach_error(void); int z = 40; int main(void) { z++; int y = 1 << z; reach_error(); }",
        &Outcome::End,
    );
    ends("int main(void) { return 0; }");
}

#[test]
fn inputs_reach_the_error() {
    let text = "int __VERIFIER_nondet_int(void); void reach_error(void);
        int main(void) { int x = __VERIFIER_nondet_int(); if (x * 3 == 21) reach_error(); return 0; }";
    check_with(text, &[7], &Outcome::Error);
    check_with(text, &[8], &Outcome::End);
}

#[test]
fn lazy_operators() {
    holds(
        "int n; int t(void) { n++; return 1; }",
        "int z = 0; check(z == 0 || 5 / z); check(!(z && t())); check(n == 0);
        check(t() && t()); check(n == 2); check((z || t()) && n == 3); int q = z ? 5 / z : 4; check(q == 4);
        q = (t(), n); check(q == 4); q = t() ? n : -n; check(q == 5);",
    );
}

#[test]
fn statements() {
    holds("", "int i, s = 0; for (i = 0; i < 10; i++) { if (i == 3) continue; if (i == 6) break; s += i; } check(s == 12);
        while (s > 3) s -= 2; check(s == 2); do { s++; } while (s < 1); check(s == 3);
        switch (s) { case 1: s = 9; case 3: s += 1; case 4: s += 10; break; default: s = 0; } check(s == 14);
        switch (s) { case 10 ... 20: s = 1; } check(s == 1);
        goto in; { s = 5; in: s += 1; } check(s == 2); again: s++; if (s < 6) goto again; check(s == 6);");
}

#[test]
fn switch_jumps_into_a_loop() {
    holds(
        "",
        "int n = 5, c = 0; switch (n % 4) { case 0: do { c++; case 3: c++; case 2: c++; case 1: c++; } while ((n -= 4) > 0); } check(c == 5);",
    );
}

#[test]
fn computed_goto() {
    holds(
        "",
        "static void *table[] = { &&a, &&b, &&c }; int i = 1, r = 0; goto *table[i]; a: r += 1; b: r += 10; c: r += 100; check(r == 110);",
    );
}

#[test]
fn recursion_and_its_cut() {
    holds("int f(int n) { return n <= 1 ? 1 : n * f(n - 1); }", "check(f(3) == 6);");
    let text = "int f(int n) { if (n == 0) return 0; return 1 + f(n - 1); } int main(void) { return f(20); }";
    check(text, &Outcome::Unmodelled("recursion of `f` deeper than 4 calls".to_owned()));
}

#[test]
fn static_locals_and_order_of_calls() {
    holds(
        "int next(void) { static int k = 4; return k++; } int sub(int a, int b) { return a - b; }",
        "check(next() == 4); int d = sub(next(), next()); check(d * d == 1); d = next() - next(); check(d * d == 1); int a = next(); a = a * 10 + next(); check(a == 100);",
    );
}

#[test]
fn structs_unions_and_bit_fields() {
    holds("struct p { int x; short y[3]; struct { char c; } in; }; struct p mk(int x) { struct p r = { x, { 1, 2, 3 } }; r.in.c = x + 1; return r; }
        struct b { unsigned a : 3; int s : 4; _Bool f : 1; } b; union u { unsigned w; unsigned char c[4]; } u;",
        "struct p p = mk(7), q; q = p; q.y[1] = 9; check(p.y[1] == 2 && q.y[1] == 9 && q.in.c == 8 && mk(3).x == 3);
        b.a = 9; b.s = 9; b.f = 2; check(b.a == 1 && b.s == -7 && b.f == 1); check((b.a = 15) == 7);
        u.w = 0x01020304; check(u.c[0] == 4 && u.c[3] == 1); u.c[1] = 0xff; check(u.w == 0x0102ff04);");
}

#[test]
fn arrays_and_pointers() {
    holds("int a[5]; int big[100]; int m[3][4]; void swap(int *x, int *y) { int t = *x; *x = *y; *y = t; }
        int sum(int *p, int n) { int s = 0; while (n--) s += *p++; return s; } char str[] = \"hey\"; const char *name = \"abc\";",
        "int i; for (i = 0; i < 5; i++) a[i] = i * i; swap(&a[1], a + 3); check(a[1] == 9 && a[3] == 1); check(sum(a, 5) == 30);
        for (i = 0; i < 100; i++) big[i] = i; check(big[42] == 42 && sum(big + 10, 3) == 33);
        for (i = 0; i < 12; i++) m[i / 4][i % 4] = i; check(m[1][2] == 6 && *(*(m + 2) + 3) == 11);
        int *p = &a[4], *q = &a[1]; check(p - q == 3 && p > q && p != q); int **pp = &q; **pp = 77; check(a[1] == 77);
        *pp = p; check(*q == 16); check(str[1] == 'e' && name[2] == 'c' && name[3] == 0); str[0] = 'H'; check(*str == 'H');");
}

#[test]
fn out_of_bounds_and_null_stop() {
    check(
        "int a[3]; int i = 3; void reach_error(void); int main(void) { i++; a[i] = 1; reach_error(); }",
        &Outcome::End,
    );
    check("int *p; void reach_error(void); int main(void) { *p = 1; p++; reach_error(); }", &Outcome::End);
    check(
        "struct s { int a, b; } *p; void reach_error(void); int main(void) { p = 0; p->b = 1; reach_error(); }",
        &Outcome::End,
    );
}

#[test]
fn function_pointers() {
    holds(
        "int inc(int x) { return x + 1; } int dbl(int x) { return 2 * x; } int (*ops[2])(int) = { inc, dbl };
        int apply(int (*f)(int), int x) { return f(x); }",
        "int i, v = 3; for (i = 0; i < 2; i++) v = ops[i](v); check(v == 8); check(apply(dbl, 5) == 10); int (*g)(int) = i > 1 ? inc : dbl; check((*g)(1) == 2);",
    );
}

#[test]
fn heap_objects() {
    holds("struct n { int v; struct n *next; };", "struct n *head = 0; int i; for (i = 0; i < 3; i++) { struct n *t = (struct n *)malloc(sizeof(struct n)); t->v = i; t->next = head; head = t; }
        int s = 0; struct n *p; for (p = head; p; p = p->next) s = s * 10 + p->v; check(s == 210);
        int *a = (int *)calloc(4, sizeof(int)); a[2] = 5; check(a[1] == 0 && a[2] == 5); free(a);
        unsigned char *b = malloc(8); memset(b, 7, 8); check(b[5] == 7);");
    let text =
        "void *malloc(typeof(sizeof 0)); int main(void) { int *p, n = 4; while (1) p = (int *)malloc(n++); }";
    check(text, &Outcome::Unmodelled("more than 3 allocations at one place".to_owned()));
}

#[test]
fn memory_functions() {
    holds(
        "struct p { int x; char c[4]; };",
        "struct p a = { 5, { 1, 2, 3, 4 } }, b; memcpy(&b, &a, sizeof a); check(b.x == 5 && b.c[2] == 3); memset(&b, 0, sizeof b); check(b.x == 0 && b.c[3] == 0); memset(&b, -1, sizeof b); check(b.x == -1);",
    );
}

/// A record at a variable offset is filled byte by byte, so its pointer is among those that the text may get.
#[test]
fn records_at_variable_offsets_are_filled() {
    let globals = "struct r { unsigned char key, value; }; struct p { short n; struct r rec[3]; } pages[4];";
    let body = "for (int i = 0; i < 4; i++) { memset(pages[i].rec, 255, sizeof pages[i].rec); check(pages[i].rec[1].key == 255); }";
    holds(globals, body);
}

#[test]
fn initialisers() {
    holds("int t[6] = { 1, [3] = 4, 5 }; struct { int a; struct { short b[2]; } c; } s = { 1, { { 2, 3 } } }; int *p = &t[4]; char big[40] = \"text\";
        int z; unsigned char c = 300; const int k = 12;",
        "check(t[0] == 1 && t[1] == 0 && t[3] == 4 && *p == 5 && s.c.b[1] == 3 && z == 0 && c == 44 && k == 12 && big[3] == 't' && big[20] == 0);
        int l[4] = { 9 }; check(l[0] == 9 && l[3] == 0); struct q { int a, b; } v = (struct q){ 3, 4 }; check(v.b == 4);");
}

#[test]
fn variable_length_arrays() {
    holds("int sum(int n) { int a[n], i, s = 0; for (i = 0; i < n; i++) a[i] = i; for (i = 0; i < n; i++) s += a[i]; return s; }",
        "int n = 3, m = 4; n++; int a[n][m]; int i, j; for (i = 0; i < n; i++) for (j = 0; j < m; j++) a[i][j] = 10 * i + j;
        check(a[2][3] == 23 && a[3][0] == 30 && sizeof a == 64); check(sum(n + 1) == 10);");
    check(
        "void reach_error(void); int main(void) { int n = 3; n++; int a[n]; a[n] = 1; reach_error(); }",
        &Outcome::End,
    );
}

#[test]
fn struct_copies_through_what_they_overwrite() {
    holds(
        "struct n { struct n *next; int v; int w[2]; };",
        "struct n c = { 0, 3, { 7, 8 } }, b = { &c, 2 }, a = { &b, 1 }; a = *a.next; check(a.v == 2 && a.next == &c); a = *a.next; check(a.v == 3 && !a.next && a.w[1] == 8);",
    );
}

#[test]
fn parts_of_union_elements() {
    holds(
        "union u { unsigned w; unsigned char b[4]; } t[4];",
        "int i; for (i = 0; i < 4; i++) { t[i].w = 0x01010101 * i; t[i].b[1] = 9; } check(t[3].w == 0x03030903 && t[2].b[1] == 9 && t[2].b[0] == 2);",
    );
}

#[test]
fn unmodelled_places_are_named() {
    let text = "int fork(void); int main(void) { fork(); return 0; }";
    check(text, &Outcome::Unmodelled("processes".to_owned()));
    let never = "void f(void) { asm volatile(\"nop\"); } int n; int main(void) { if (n) f(); return 0; }";
    let lowered = lowered(never, DataModel::Lp64);
    assert!(lowered.places.is_empty(), "{:?}", lowered.places);
    assert_eq!(lowered.instances, 1);
}

#[test]
fn functions_without_body_are_an_assumption_once() {
    let text = "int f(int *); int main(void) { int x = 1; f(&x); f(&x); return x; }";
    let lowered = lowered(text, DataModel::Lp64);
    assert_eq!(lowered.assumptions.len(), 1, "{:?}", lowered.assumptions);
    assert_eq!(run(&lowered, &[]).0, Outcome::End);
}

#[test]
fn long_chains() {
    let sum = vec!["x"; 5000].join(" + ");
    let mut text = format!(
        "void reach_error(void); int main(void) {{ int x = 2; if ({sum} != 10000) reach_error(); x++; "
    );
    for number in 0..3000 {
        text.push_str(&format!("if (x == {}) x = 0; else ", number + 10));
    }
    text.push_str("x = 1; if (x != 1) reach_error(); return 0; }");
    check(&text, &Outcome::End);
}

/// The value of an assignment to a bit-field is what the bit-field holds afterwards, not what was assigned.
#[test]
fn bit_fields_cut_the_values_of_assignments() {
    holds(
        "struct s { unsigned long long a : 17; unsigned b : 5; int c : 5; long long d : 20; } x;",
        "unsigned long long r = --x.a; check(r == 131071); unsigned q = --x.b; check(q == 31);
         x.c = 15; int w = ++x.c; check(w == -16); x.d = 524287; long long v = ++x.d; check(v == -524288);
         unsigned z = (x.b = 33); check(z == 1); r = (x.a = 131073); check(r == 1); r = (x.a += 131072); check(r == 1);
         q = x.b--; check(q == 1); q = x.b--; check(q == 0 && x.b == 31);",
    );
}

/// A bit-field that is cast to its own type is not promoted to `int` any more.
#[test]
fn casts_of_bit_fields_to_their_type() {
    holds(
        "struct s { unsigned long long b : 22; } x; int z = 22;",
        "int y = z / -(((unsigned long long)x.b & 7) + 2); check(y == 0); check(z / -((x.b & 7) + 2) == -11);",
    );
}
