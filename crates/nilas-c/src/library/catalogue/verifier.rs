//! Functions of verification benchmarks, and what `assert` expands to.

use super::Meaning::{Assert, Assume, Error, Input, NotCovered, Presume, Stop};
use super::{Row, any, known, text};

pub(super) const ROWS: &[Row] = &[
    known("reach_error", "v:", Error).noreturn().also(&["__VERIFIER_error"]),
    known("__VERIFIER_assume", "v:i", Assume).also(&["assume_abort_if_not"]),
    known("__VERIFIER_assert", "v:i", Assert).also(&["assert"]),
    known("__assert_fail", "v:SSuS", Error).noreturn().also(&["__assert_rtn"]),
    known("__assert_perror_fail", "v:iSuS", Error).noreturn(),
    known("__assert", "v:SSi", Error).noreturn().also(&["_assert"]),
    any("__VERIFIER_nondet_bool", "b:").also(&["__VERIFIER_nondet__Bool"]),
    any("__VERIFIER_nondet_char", "c:"),
    any("__VERIFIER_nondet_uchar", "c:"),
    any("__VERIFIER_nondet_short", "i:"),
    any("__VERIFIER_nondet_ushort", "h:"),
    any("__VERIFIER_nondet_int", "i:"),
    any("__VERIFIER_nondet_uint", "u:")
        .also(&["__VERIFIER_nondet_unsigned", "__VERIFIER_nondet_unsigned_int"]),
    any("__VERIFIER_nondet_long", "l:"),
    any("__VERIFIER_nondet_ulong", "L:"),
    any("__VERIFIER_nondet_longlong", "q:"),
    any("__VERIFIER_nondet_ulonglong", "Q:"),
    any("__VERIFIER_nondet_size_t", "z:"),
    any("__VERIFIER_nondet_float", "f:"),
    any("__VERIFIER_nondet_double", "d:"),
    any("__VERIFIER_nondet_pointer", "p:"),
    // What CBMC, ESBMC and KLEE call the same. (`nondet_int` and kin are functions without body.)
    known("__CPROVER_assume", "v:i", Assume).compiler().also(&["__ESBMC_assume"]),
    known("__CPROVER_assert", "v:iS", Assert).compiler().also(&["__ESBMC_assert"]),
    known("klee_assume", "v:L", Assume),
    known("klee_silent_exit", "v:i", Stop).noreturn(),
    text("klee_make_symbolic", "v:pzS").writes(&[0]),
    text("klee_range", "i:iiS"),
    any("klee_int", "i:S"),
    // What functions in C of the library use.
    known("__nilas_any_int", "i:", Input),
    known("__nilas_any_char", "c:", Input),
    known("__nilas_any_size", "z:", Input),
    known("__nilas_any_long", "l:", Input),
    known("__nilas_any_double", "d:", Input),
    known("__nilas_any_float", "f:", Input),
    known("__nilas_any_long_double", "D:", Input),
    known("__nilas_not_covered", "v:S", NotCovered),
    known("__nilas_presume", "v:S", Presume),
];
