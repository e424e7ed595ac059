//! Accesses that do not match the leaves of an object.

use super::{Outcome, check_with};

const HEAD: &str = "extern void __VERIFIER_error(void); extern int __VERIFIER_nondet_int(void); void *malloc(typeof(sizeof 0));
void *memcpy(void *, const void *, typeof(sizeof 0)); void check(int c) { if (!c) __VERIFIER_error(); }\n";

/// All checks hold for each input, and the end of `main` is reached: a last check that fails is reached, too.
fn holds(globals: &str, body: &str, inputs: &[u64]) {
    let program = |end: &str| {
        let read = "int n = __VERIFIER_nondet_int();";
        format!("{HEAD}{globals}\nint main(void) {{ {read} {body} {end} return 0; }}")
    };
    for &input in inputs {
        check_with(&program(""), &[input], &Outcome::End);
        check_with(&program("check(0);"), &[input], &Outcome::Error);
    }
}

#[test]
fn bytes_of_an_int() {
    holds(
        "int x = 0x04030201, y = 0x14131211;",
        "unsigned char *p = (unsigned char *)(n & 1 ? &x : &y);
        check(p[0] == (n & 1 ? 0x01 : 0x11)); check(*(p + (n & 3)) == (n & 3) + (n & 1 ? 1 : 0x11));
        p[n & 3] = 0xff; check(((n & 1 ? x : y) >> 8 * (n & 3) & 0xff) == 0xff); check((n & 1 ? y : x) >> 24 == (n & 1 ? 0x14 : 4));
        unsigned char *q = (unsigned char *)&x; x = 0x04030201; check(q[n & 3] == (n & 3) + 1);",
        &[0, 1, 2, 3],
    );
}

#[test]
fn an_int_over_two_shorts() {
    holds(
        "struct s { short a, b; } s = { 1, 2 }, t = { 3, 4 };",
        "int *p = (int *)(n ? &s : &t); check(*p == (n ? 0x20001 : 0x40003)); *p = 0x70006; check((n ? s.a : t.a) == 6);
        check((n ? s.b : t.b) == 7); check((n ? t.b : s.b) == (n ? 4 : 2)); (*p)++; check((n ? s.a : t.a) == 7);",
        &[0, 1],
    );
}

#[test]
fn members_of_a_union_through_a_pointer() {
    holds(
        "union u { unsigned long long w; struct { unsigned lo, hi; } h; unsigned char c[8]; short s[4]; float r; double d; };
        union u a, b, v[3];",
        "union u *q = n ? &a : &b; q->w = 0x1122334455667788ULL; check(q->h.hi == 0x11223344); check(q->c[n + 1] == (n ? 0x66 : 0x77));
        q->s[n] = 5; check(q->h.lo == (n ? 0x57788 : 0x55660005)); q->h.hi ^= 1; check(q->w >> 32 == 0x11223345);
        check((n ? b.w : a.w) == 0); q->h.lo = 0x3f800000; check(q->r == 1.0f);
        union u *r = &v[n]; r->h.lo = 9; r[1].h.hi = 4; check(v[n].w == 9 && v[n + 1].w >> 32 == 4); check(r->c[0] == 9 && v[1].c[n ? 0 : 4] == (n ? 9 : 4));",
        &[0, 1],
    );
}

#[test]
fn unions_in_structs_in_lists() {
    holds(
        "struct node { int kind; union { int i; float f; struct { short a, b; } p; } u; struct node *next; };",
        "struct node *list = 0; for (int k = 0; k < 3; k++) { struct node *m = malloc(sizeof *m); m->kind = k; m->next = list; list = m;
            if (k == 1) m->u.i = 0x40000000; else m->u.i = k * 0x10001; }
        int sum = 0; for (struct node *m = list; m; m = m->next) { if (m->kind == 1) { check(m->u.f == 2.0f); }
            else sum += m->u.p.a + m->u.p.b; } check(sum == 4);",
        &[0],
    );
}

#[test]
fn bit_fields_of_a_union_through_a_pointer() {
    holds(
        "union u { unsigned w; struct { unsigned a : 3; unsigned b : 12; int c : 9; unsigned d : 8; } f; } x, y;",
        "union u *q = n ? &x : &y; q->w = 0xdeadbeef; check(q->f.a == 7); check(q->f.b == (0xdeadbeef >> 3 & 0xfff));
        check(q->f.d == 0xde); q->f.c = -5; check((q->w >> 15 & 0x1ff) == 0x1fb); check(q->f.c == -5); check((n ? y.w : x.w) == 0);",
        &[0, 1],
    );
}

#[test]
fn packed_members_through_a_pointer() {
    holds(
        "union u { struct { char c; int i; } __attribute__((packed)) p; unsigned long long w; } x, y;",
        "union u *q = n ? &x : &y; q->p.i = 0x01020304; q->p.c = 7; check((n ? x.w : y.w) == 0x0102030407ULL);",
        &[0, 1],
    );
}

#[test]
fn large_unions_are_bytes() {
    holds(
        "union u { unsigned char c[200]; int i[50]; struct { short s; double d; } p; }; struct t { int a; union u u; int b; } x, y;",
        "struct t *q = n ? &x : &y; q->a = 1; q->b = 2; q->u.i[n + 40] = 0x01020304; check(q->u.c[4 * n + 161] == 3);
        check(q->a == 1 && q->b == 2);
        x.u.i[3] = 77; check(x.u.c[12] == 77); struct t z = *q; check(z.u.i[n + 40] == 0x01020304);",
        &[0, 1],
    );
}

#[test]
fn copies_of_structs_with_unions() {
    holds(
        "struct s { char k; union { int i; char c[4]; } u; short z; } a, b, c[2];",
        "a.k = 1; a.u.i = 0x41424344; a.z = 3; struct s *p = n ? &b : &c[1]; *p = a; check(p->u.c[1] == 0x43);
        memcpy(&c[0], p, sizeof a); check(c[0].u.i == 0x41424344 && c[0].z == 3 && c[0].k == 1);
        p->u.c[n] = 0; check(p->u.i == (n ? 0x41420044 : 0x41424300)); check(a.u.i == 0x41424344);",
        &[0, 1],
    );
}

#[test]
fn a_bool_that_is_neither_0_nor_1_is_not_lost() {
    let text = format!(
        "{HEAD} _Bool x; int main(void) {{ unsigned char *p = (unsigned char *)&x; *p = 2; check(*p == 2); return 0; }}"
    );
    check_with(&text, &[], &Outcome::Unmodelled("a `_Bool` that is neither 0 nor 1".to_owned()));
    holds("_Bool x;", "unsigned char *p = (unsigned char *)&x; *p = n; check(x == n && *p == n);", &[0, 1]);
}
