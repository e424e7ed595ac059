//! Atomic built-ins on integers and pointers: `__sync_*`, `__atomic_*` and `<stdatomic.h>`.

use crate::kit::program::Program;
use crate::kit::random::Random;

/// On an integer object `X` with a value `V`; `e` is of the type of `X`.
const INTEGERS: &[&str] = &[
    "r += __sync_fetch_and_add(&X, V);",
    "r += __sync_sub_and_fetch(&X, V);",
    "r ^= __sync_fetch_and_or(&X, V);",
    "r ^= __sync_and_and_fetch(&X, V);",
    "r += __sync_fetch_and_xor(&X, V);",
    "r += __sync_nand_and_fetch(&X, V);",
    "r += __sync_bool_compare_and_swap(&X, V, 9);",
    "r += __sync_val_compare_and_swap(&X, X, V);",
    "r += __sync_lock_test_and_set(&X, V); __sync_lock_release(&X);",
    "r += __atomic_load_n(&X, __ATOMIC_SEQ_CST); __atomic_store_n(&X, V, __ATOMIC_RELEASE);",
    "r -= __atomic_exchange_n(&X, V, __ATOMIC_ACQ_REL);",
    "r += __atomic_fetch_sub(&X, V, 0); r += __atomic_add_fetch(&X, V, 5);",
    "r ^= __atomic_fetch_nand(&X, V, 5); r -= __atomic_xor_fetch(&X, V, 5);",
    "e = V; r += __atomic_compare_exchange_n(&X, &e, 7, 0, 5, 5); r += e * 3;",
    "e = X; r += __atomic_compare_exchange_n(&X, &e, V, 0, 5, 0); r += X;",
    "__atomic_load(&X, &e, 5); e += V; __atomic_store(&X, &e, 5);",
    "{ T n = V, o; __atomic_exchange(&X, &n, &o, 5); r += o; }",
    "{ T n = 5; e = V; r += __atomic_compare_exchange(&X, &e, &n, 0, 5, 5); }",
    "__sync_synchronize(); r += X;",
    "r += atomic_fetch_add(&ca, V); atomic_store(&ca, V + 1);",
    "{ int old = V; r += atomic_compare_exchange_strong(&ca, &old, 12); r += old; }",
    "r += atomic_exchange(&ca, V); ca += 2; r += ca;",
    "r += atomic_flag_test_and_set(&flag) * V;",
    "r += atomic_fetch_and(&ca, 6); r -= atomic_fetch_or(&ca, V);",
];

/// On pointer objects `P`, with addresses `A` and `Q` of integers.
const POINTERS: &[&str] = &[
    "if (__sync_bool_compare_and_swap(&P, A, Q)) r++; *P += 2;",
    "*__sync_val_compare_and_swap(&P, P, A) += 3; *P += 1;",
    "*__sync_lock_test_and_set(&P, A) += 4; *P += 1;",
    "*__atomic_exchange_n(&P, Q, 5) += 5; *P -= 1;",
    "*__atomic_load_n(&P, 5) += 6; __atomic_store_n(&P, A, 5);",
    "{ int *want = A; if (!__atomic_compare_exchange_n(&P, &want, Q, 0, 5, 5)) *want += 7; *P += 1; }",
    "{ int *n = Q, *o; __atomic_exchange(&P, &n, &o, 5); *o += 8; }",
    "{ int *n; __atomic_load(&P, &n, 5); *n += 9; n = A; __atomic_store(&P, &n, 5); }",
    "{ P = &a[0]; __sync_fetch_and_add(&P, sizeof(int)); *P += 10; }",
    "{ int *old = atomic_exchange(&cp, A); *old += 11; *atomic_load(&cp) += 1; }",
    "{ int *want = A; if (atomic_compare_exchange_strong(&cp, &want, Q)) r += 2; else *want += 12; }",
    "atomic_store(&cp, A); *cp += 13;",
];

pub(crate) fn generate(random: &mut Random) -> Program {
    let mut program = Program::new(random);
    program.header("stdatomic.h");
    let ty = random.pick(&["int", "unsigned", "short", "unsigned char", "long", "unsigned long long"]);
    program.global(&format!(
        "typedef {ty} T; T g = 3; atomic_int ca; atomic_flag flag = ATOMIC_FLAG_INIT; int x, y, a[3], *p = &x; _Atomic(int *) cp = &y;
struct {{ char c; T m; int *p; }} s;"
    ));
    program.line("T l = 5, e; long long r = 0; int z = 0, *q = &z; s.p = &a[2]; s.m = 1;");
    for _ in 0..3 + random.below(5) {
        let choice = program.choice(random);
        let mut value = random.below(20).to_string();
        if random.chance(40) {
            value = format!("(({choice}) + {value})");
        }
        let statement = if random.chance(60) {
            random
                .pick::<&str>(INTEGERS)
                .replace('X', random.pick::<&str>(&["g", "l", "s.m"]))
                .replace('V', &value)
        } else {
            let addresses = ["&x", "&y", "&a[1]", "&z"];
            let first = random.pick(&addresses);
            let picked = format!("(({choice}) ? {first} : {})", random.pick(&addresses));
            random
                .pick::<&str>(POINTERS)
                .replace('P', random.pick::<&str>(&["p", "q", "s.p"]))
                .replace('A', &picked)
                .replace('Q', random.pick::<&str>(&addresses))
        };
        program.line(&statement);
    }
    for value in ["r", "g", "l", "s.m", "ca", "x", "y", "z", "a[1]", "*p", "*q", "*s.p"] {
        program.observe(value);
    }
    program
}
