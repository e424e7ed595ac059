//! Library functions and what the standard leaves open, as small programs.

use super::{Outcome, check, check_with};

fn ends(text: &str) {
    check(text, &Outcome::End);
}

fn errs(text: &str) {
    check(text, &Outcome::Error);
}

fn unmodelled(text: &str, construct: &str) {
    check(text, &Outcome::Unmodelled(construct.to_owned()));
}

fn refused(text: &str, message: &str) {
    let input = crate::Input::Text { name: "test.c".to_owned(), text: text.as_bytes().to_vec() };
    let tree = crate::parse_program(&input, &crate::Options::default()).unwrap();
    let messages = super::super::lower(&tree, &super::super::LowerOptions::default()).unwrap_err();
    assert_eq!(messages[0].message, message, "{text}");
    assert!(messages[0].span.is_some(), "{text}");
}

/// gcc computes with 33 bits here: unsigned arithmetic wraps at 2^33, and against a signed operand of 36 bits
/// it is signed.
#[test]
fn bit_fields_wider_than_int() {
    let head =
        "void reach_error(void); struct s { unsigned long long a : 33; long long b : 36; } s; int n = 5;";
    for wide in [
        "-(s.a - s.b) < 0",
        "s.a - 7 > 9",
        "(n > 9 ? s.a : -1) == 0x1ffffffffULL",
        "n - 1 > s.b",
        "(s.a <<= 32) + 1 == 1",
        "(0, s.a) - 7 > 0",
        "({ s.a; }) - 7 > 0",
    ] {
        errs(&format!("{head} int main(void) {{ n++; s.a = n; if ({wide}) reach_error(); return 0; }}"));
    }
    errs(&format!(
        "{head} int main(void) {{ s.a = n; s.b = -2; s.a += 4; if (s.a == 9 && (int)s.b < n && s.b != 0) reach_error(); return 0; }}"
    ));
}

/// The pointer's initialiser is met after the first access through it.
#[test]
fn addresses_in_initialisers_met_late() {
    errs("void reach_error(void); int a[5] = { 1, 2, 3 }, *p = &a[1], **pp = &p, n;
        int get(void) { return **pp; } int main(void) { n = get(); p = &a[2]; n += get(); *pp = a; n += *p; if (n == 6) reach_error(); return 0; }");
}

#[test]
fn conversions_out_of_range_stop() {
    let text = |ty: &str, value: &str| {
        format!(
            "void reach_error(void); double v = {value}; int main(void) {{ v = v + 0; {ty} i = ({ty})v; if (i != 77) reach_error(); return 0; }}"
        )
    };
    for (ty, inside, outside) in [
        ("int", "-2147483648.9", "-2147483649.0"),
        ("int", "2147483647.9", "2147483648.0"),
        ("unsigned", "-0.9", "-1.0"),
        ("unsigned", "4294967295.5", "4294967296.0"),
        ("signed char", "127.5", "128.0"),
        ("long long", "-9223372036854775808.0", "9223372036854775808.0"),
        ("int", "1e2", "0.0 / 0.0"),
        ("unsigned long long", "18446744073709549568.0", "1e300"),
    ] {
        errs(&text(ty, inside));
        ends(&text(ty, outside));
    }
}

#[test]
fn destructors_run_at_the_end() {
    let head = "void reach_error(void); void exit(int); void abort(void); int done; __attribute__((destructor)) static void last(void) { if (done) reach_error(); }";
    errs(&format!("{head} int main(void) {{ done = 1; return 0; }}"));
    errs(&format!("{head} void f(void) {{ exit(0); }} int main(void) {{ done = 1; f(); return 0; }}"));
    ends(&format!("{head} int main(void) {{ done = 1; abort(); }}"));
    ends(&format!("{head} int main(void) {{ return 0; }}"));
}

#[test]
fn what_runs_elsewhere_is_not_modelled() {
    unmodelled(
        "int on_exit(void (*)(int, void *), void *); void f(int n, void *p) {} int main(void) { on_exit(f, 0); return 0; }",
        "functions that run at exit with arguments",
    );
    unmodelled(
        "void (*signal(int, void (*)(int)))(int); void f(int n) {} int main(void) { signal(2, f); return 0; }",
        "signal handlers",
    );
    refused(
        "int pthread_create(void *, void *, void *(*)(void *), void *); void *f(void *p) { return p; } int main(void) { int t; pthread_create(&t, 0, f, 0); return 0; }",
        "threads are not supported",
    );
    unmodelled(
        "typedef long jmp_buf[8]; int setjmp(jmp_buf); void longjmp(jmp_buf, int); jmp_buf b; int main(void) { if (setjmp(b)) return 1; longjmp(b, 1); return 0; }",
        "a jump out of functions by `longjmp`",
    );
    unmodelled(
        "int f(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n); __builtin_va_end(l); return __builtin_va_arg(l, int); } int main(void) { return f(1, 2); }",
        "a list of arguments that was not started, was ended, or belongs to another call",
    );
    unmodelled(
        "int printf(const char *, ...); int main(void) { int n; printf(\"abc%n\", &n); return 0; }",
        "a format with `%n`",
    );
}

/// Without threads a lock does its work; what depends on its kind is left open.
#[test]
fn locks_without_threads_are_ordinary_functions() {
    let head = "void reach_error(void); union u { struct { int lock; unsigned count; } data; long align; };
        int pthread_mutex_init(union u *, const void *); int pthread_mutex_lock(union u *); int pthread_mutex_unlock(union u *);
        int pthread_rwlock_rdlock(union u *); int pthread_rwlock_wrlock(union u *); int pthread_rwlock_unlock(union u *);
        union u m, r; int x;";
    errs(&format!(
        "{head} int main(void) {{ if (pthread_mutex_lock(&m)) return 1; x++; if (pthread_mutex_unlock(&m)) return 1;
        pthread_mutex_init(&m, 0); pthread_mutex_lock(&m); if (x == 1) reach_error(); return 0; }}"
    ));
    errs(&format!(
        "{head} int main(void) {{ pthread_rwlock_rdlock(&r); pthread_rwlock_rdlock(&r); pthread_rwlock_unlock(&r); pthread_rwlock_unlock(&r);
        pthread_rwlock_wrlock(&r); pthread_rwlock_unlock(&r); reach_error(); return 0; }}"
    ));
    let twice =
        format!("{head} int main(void) {{ pthread_mutex_lock(&m); pthread_mutex_lock(&m); return 0; }}");
    unmodelled(&twice, "a lock that is taken while it is held, or was not initialised");
    let open = format!("{head} int main(void) {{ pthread_mutex_unlock(&m); return 0; }}");
    unmodelled(&open, "the release of a lock that nobody holds");
}

#[test]
fn printing_evaluates_its_arguments() {
    errs("int printf(const char *, ...); int puts(const char *); void reach_error(void); int n; int f(void) { return ++n; }
        int main(void) { printf(\"100%% %d%5ld\", f(), (long)f()); puts(\"x\"); if (n == 2) reach_error(); return 0; }");
}

/// Which value a function returns that only promises not to return zero.
#[test]
fn open_results_are_open() {
    let text = "int isalpha(int); void reach_error(void); int main(void) { int r = isalpha('x'); if (r == 7) reach_error(); return 0; }";
    super::check_every(text, true);
    let text = "void reach_error(void); double z; int main(void) { double n = z / z; if (__builtin_signbit(n)) reach_error(); return 0; }";
    check(text, &Outcome::End);
    let text =
        "int rand(void); void reach_error(void); int main(void) { if (rand() < 0) reach_error(); return 0; }";
    check_with(text, &[0x8000_0000], &Outcome::End);
}

/// A function that is given memory writes to it.
#[test]
fn inputs_may_be_written() {
    let text = "void __VERIFIER_nondet_memory(void *, unsigned); void reach_error(void); int main(void) { int x = 5; __VERIFIER_nondet_memory(&x, 4); if (x != 5) reach_error(); return 0; }";
    check(text, &Outcome::Error);
}

#[test]
fn parts_of_arrays_are_set_and_moved() {
    errs("void reach_error(void); void *memset(void *, int, typeof(sizeof 0)); void *memmove(void *, const void *, typeof(sizeof 0));
        int a[6] = { 1, 2, 3, 4, 5, 6 }; char s[40]; int main(void) { memmove(a + 1, a, 3 * sizeof *a); memset(s + 3, 7, 30); memset(&a[4], 0, 4);
        if (a[0] == 1 && a[1] == 1 && a[3] == 3 && a[4] == 0 && a[5] == 6 && s[2] == 0 && s[3] == 7 && s[32] == 7 && s[33] == 0) reach_error(); return 0; }");
}

#[test]
fn strings_of_the_library() {
    errs("void reach_error(void); typeof(sizeof 0) strlen(const char *); char *strcpy(char *, const char *); int strcmp(const char *, const char *);
        char b[8]; int main(void) { const char *s = \"abc\"; strcpy(b, s); b[1]++; if (strlen(b) == 3 && strcmp(b, \"acc\") == 0 && strcmp(b, s) > 0) reach_error(); return 0; }");
    // A program's own body wins.
    errs(
        "void reach_error(void); typeof(sizeof 0) strlen(const char *s) { return 42; } int main(void) { if (strlen(\"a\") == 42) reach_error(); return 0; }",
    );
}

#[test]
fn realloc_keeps_contents() {
    let head = "void reach_error(void); int __VERIFIER_nondet_int(void); typedef typeof(sizeof 0) size_t; void *malloc(size_t); void *realloc(void *, size_t); void free(void *);";
    for (first, second) in
        [("3", "5"), ("5", "3"), ("3", "40"), ("40", "3"), ("n", "5"), ("5", "n"), ("n", "n + 7")]
    {
        let text = |condition: &str| {
            format!(
                "{head} int main(void) {{ int n = __VERIFIER_nondet_int(); int *p = malloc({first} * sizeof *p); p[0] = 4; p[2] = 6;
                p = realloc(p, ({second}) * sizeof *p); if ({condition}) reach_error(); free(p); return 0; }}"
            )
        };
        check_with(&text("p[0] != 4 || p[2] != 6"), &[4], &Outcome::End);
        check_with(&text("p[0] == 4 && p[2] == 6"), &[4], &Outcome::Error);
    }
    let text = |condition: &str| {
        format!(
            "{head} struct s {{ int a; char c; }} *p; int main(void) {{ p = realloc(p, sizeof *p); p->a = 1; p->c = 2; struct s *q = p;
            p = realloc(p, 3 * sizeof *p); p[2].a = 3; if ({condition}) reach_error(); return 0; }}"
        )
    };
    ends(&text("p->a != 1 || p[0].c != 2 || p[2].a != 3"));
    errs(&text("p->a == 1 && q"));
    // The old object is gone.
    ends(&text("q->a || !q->a"));
    ends(&format!("{head} int main(void) {{ int x, *p = &x; p = realloc(p, 8); reach_error(); return 0; }}"));
}

#[test]
fn formats_that_write() {
    let head = "void reach_error(void); int sprintf(char *, const char *, ...); int snprintf(char *, typeof(sizeof 0), const char *, ...);
        int scanf(const char *, ...); int sscanf(const char *, const char *, ...); int strcasecmp(const char *, const char *); char *strtok(char *, const char *);";
    ends(&format!(
        "{head} int main(void) {{ char b[9]; int x = 3, y[2] = {{ 1, 2 }}; sprintf(b, \"%d\", x); snprintf(b, 9, \"%d\", x); if (x != 3) reach_error();
        scanf(\"%d %d\", &x, &y[0]); if (y[1] != 2) reach_error(); int n = sscanf(b, \"%d\", &x); if (n > 1 || n < -1) reach_error(); return 0; }}"
    ));
    super::check_every(
        &format!(
            "{head} int main(void) {{ int x = 3; scanf(\"%d\", &x); if (x == 7) reach_error(); return 0; }}"
        ),
        true,
    );
    super::check_every(
        &format!(
            "{head} int main(void) {{ int x = 3; scanf(\"%d\", &x); if (x == 3) reach_error(); return 0; }}"
        ),
        true,
    );
    errs(&format!(
        "{head} int main(void) {{ char s[] = \",a,bc\"; if (strcasecmp(\"aB\", \"Ab\")) return 1; char *t = strtok(s, \",\"); if (*t != 'a' || t[1]) return 2;
        t = strtok(0, \",\"); if (*t != 'b' || t[1] != 'c' || t[2]) return 3; if (strtok(0, \",\")) return 4; reach_error(); return 0; }}"
    ));
}
