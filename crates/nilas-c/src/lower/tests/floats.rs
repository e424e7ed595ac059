//! Floats with their bits: signs and payloads of NaNs are state of the program.

use super::{Outcome, check, check_every, lowered};
use crate::types::DataModel;
use nilas_term::Sort;

const DECLARATIONS: &str = "
    typedef unsigned long long u64;
    void reach_error(void);
    void *memcpy(void *, const void *, unsigned long);
    void *memset(void *, int, unsigned long);
    double copysign(double, double);
    double fabs(double);
    float __VERIFIER_nondet_float(void);
    double __VERIFIER_nondet_double(void);
    unsigned __VERIFIER_nondet_uint(void);
    int __VERIFIER_nondet_int(void);
    union d { double d; u64 u; };
    union f { float f; unsigned u; };
    u64 bits(double d) { u64 u; memcpy(&u, &d, 8); return u; }
    double from(u64 u) { double d; memcpy(&d, &u, 8); return d; }
";

/// The condition holds at the end of the statements, whatever is chosen.
fn holds(statements: &str, condition: &str) {
    let text = |condition: &str| {
        format!("{DECLARATIONS} int main(void) {{ {statements} if ({condition}) reach_error(); return 0; }}")
    };
    check_every(&text(&format!("!({condition})")), false);
    check_every(&text("1"), true);
}

#[test]
fn signs_of_nans() {
    holds("union d x; x.d = -__builtin_nan(\"\");", "x.u == 0xfff8000000000000");
    holds("double n = copysign(__builtin_nan(\"\"), -1.0);", "__builtin_signbit(n)");
    holds("double n = copysign(-__builtin_nan(\"\"), 1.0);", "!__builtin_signbit(n)");
    holds("double n = copysign(2.0, -__builtin_nan(\"\"));", "n == -2.0");
    holds("double n = fabs(-__builtin_nan(\"\"));", "!__builtin_signbit(n) && n != n");
    holds("double n = -fabs(-__builtin_nan(\"\"));", "bits(n) >> 63");
    holds("double n = -__builtin_nanf(\"\");", "__builtin_signbit(n)");
    holds("long double n = -__builtin_nanl(\"\");", "__builtin_signbit(n) && !__builtin_signbit(-n)");
    holds(
        "int c = __VERIFIER_nondet_int(); double n = c ? -__builtin_nan(\"\") : 1;",
        "!__builtin_signbit(n) == !c",
    );
}

#[test]
fn payloads() {
    holds("float n = __builtin_nanf(\"0x123\");", "*(unsigned *)&n == 0x7fc00123");
    holds("double n = __builtin_nans(\"\");", "bits(n) == 0x7ff4000000000000");
    holds("double n = __builtin_nans(\"5\");", "bits(n) == 0x7ff0000000000005");
    holds("static const float n = -__builtin_nanf(\"010\");", "*(unsigned *)&n == 0xffc00008");
    holds("static float n[40] = {0, -__builtin_nanf(\"\")};", "*(unsigned *)&n[1] == 0xffc00000 && !n[2]");
    holds("double d = __builtin_nanf(\"1\");", "bits(d) == 0x7ff8000020000000");
    holds("float f = from(0xfff0000040000001);", "*(unsigned *)&f == 0xffc00002");
}

#[test]
fn copies_keep_all_bits() {
    let input = "unsigned u = __VERIFIER_nondet_uint(); u |= 0xff800000;";
    holds(&format!("{input} float f; memcpy(&f, &u, 4); float g = f;"), "*(unsigned *)&g == u");
    holds(&format!("{input} union f x; x.u = u; float g = x.f; union f y; y.f = g;"), "y.u == u");
    holds(
        &format!(
            "struct s {{ char c; float f[2]; }} a, b; {input} *(unsigned *)&a.f[1] = u; b = a; float g = b.f[1];"
        ),
        "*(unsigned *)&g == u",
    );
    holds(
        &format!("float a[30]; {input} unsigned i = u % 30; *(unsigned *)&a[i] = u; float g = a[i];"),
        "*(unsigned *)&g == u",
    );
    holds(
        "u64 u = 0xfff4000000000007; double d = 0, e; int c = __VERIFIER_nondet_int(); (c ? (d = from(u)) : d); e = d;",
        "!c || bits(e) == u",
    );
}

/// What arithmetic gives may be any NaN, but it is one value from there on.
#[test]
fn computed_nans() {
    let text = |condition: &str| {
        format!(
            "{DECLARATIONS} int main(void) {{ double a = __VERIFIER_nondet_double(), b = __VERIFIER_nondet_double();
             double n = 0.0 * (a / b); if (n != n && {condition}) reach_error(); return 0; }}"
        )
    };
    for condition in ["bits(n) != bits(n)", "!__builtin_signbit(n) != !(bits(n) >> 63)", "bits(n) << 1 == 0"]
    {
        check_every(&text(condition), false);
    }
    let constant = "double n = 0.0 / 0.0, m = n; double one = n * 1.0;";
    holds(
        constant,
        "n != n && bits(n) == bits(m) && one != one && (bits(n) & 0x7ff8000000000000ull) > 0x7fefffffffffffffull",
    );
}

/// Without a look at bits floats are values.
#[test]
fn floats_are_values_where_nobody_looks() {
    let floats = |text: &str| {
        let lowered = lowered(&format!("{DECLARATIONS} {text}"), DataModel::Lp64);
        let variables = &lowered.program.automaton.variables;
        variables.iter().any(|variable| matches!(variable.sort, Sort::Float(..)))
    };
    let main = |statements: &str| {
        format!(
            "int main(void) {{ double d = __VERIFIER_nondet_double(), e; {statements} if (d < 0) reach_error(); return 0; }}"
        )
    };
    for statements in
        ["e = -d;", "e = d + 1;", "memset(&e, 0, 8);", "memcpy(&e, &d, 8);", "e = copysign(d, 2.0);"]
    {
        assert!(floats(&main(statements)), "{statements}");
    }
    for statements in [
        "*(unsigned *)&e = __VERIFIER_nondet_uint();",
        "e = __builtin_signbit(d);",
        "e = copysign(1, d);",
        "e = bits(d);",
    ] {
        assert!(!floats(&main(statements)), "{statements}");
    }
}

#[test]
fn bytes_of_long_doubles_are_not_modelled() {
    let text = "int main(void) { long double d = 1; return ((char *)&d)[9]; }";
    check(text, &Outcome::Unmodelled("the bytes of a long double".to_owned()));
    let text = "void *memset(void *, int, unsigned long);
        int main(void) { long double d; memset(&d, 255, sizeof d); return 0; }";
    check(text, &Outcome::Unmodelled("the bytes of a long double".to_owned()));
}

#[test]
fn conversions_out_of_range_are_undefined() {
    let text = "double __VERIFIER_nondet_double(void);
        int main(void) { double d = __VERIFIER_nondet_double(); return (int)d; }";
    let lowered = lowered(text, DataModel::Lp64);
    assert_eq!(lowered.undefined.iter().filter(|it| it.what.contains("conversion of a float")).count(), 1);
}

/// Compilers for 32-bit x86 may compute in wider registers.
#[test]
fn precision_is_an_assumption() {
    let text = "double __VERIFIER_nondet_double(void);
        int main(void) { return __VERIFIER_nondet_double() * 3 > 1; }";
    for (model, count) in [(DataModel::Ilp32, 1), (DataModel::Lp64, 0)] {
        let lowered = lowered(text, model);
        let met = lowered.assumptions.iter().filter(|it| it.kind == crate::AssumptionKind::FloatPrecision);
        assert_eq!(met.count(), count, "{model:?}");
    }
}
