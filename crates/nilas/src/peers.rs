//! Options of other checkers, answered with the way that Nilas has.

/// What Nilas does instead, for the options of CBMC and ESBMC that ask for the same.
const WAYS: &[(&[&str], &str)] = &[
    (
        &[
            "--unwind",
            "--unwindset",
            "--unwinding-assertions",
            "--no-unwinding-assertions",
            "--partial-loops",
            "--max-k-step",
            "--unlimited-k-steps",
            "--incremental-bmc",
            "--falsification",
            "--base-k-step",
        ],
        "no bound is needed: loops are unrolled as far as it takes, or proved by invariants; `--timeout S` limits \
         the time, `--engine bmc` unrolls and does nothing else",
    ),
    (&["--k-induction", "--k-induction-parallel", "--inductive-step"], "use `--engine k-ind`"),
    (&["--bounds-check", "--no-bounds-check", "--array-bounds-check"], "use `--property bounds`"),
    (
        &["--pointer-check", "--no-pointer-check", "--pointer-primitive-check", "--pointer-overflow-check"],
        "use `--property memory` (bounds, null, use-after-free, double-free, bad-free, string-literal-write)",
    ),
    (&["--memory-leak-check", "--memory-cleanup-check", "--no-memory-leak-check"], "use `--property leak`"),
    (&["--div-by-zero-check", "--no-div-by-zero-check"], "use `--property division`"),
    (
        &["--signed-overflow-check", "--overflow-check", "--no-signed-overflow-check"],
        "use `--property signed-overflow`",
    ),
    (&["--unsigned-overflow-check"], "use `--property unsigned-overflow`"),
    (&["--conversion-check"], "use `--property signed-conversion`"),
    (&["--undefined-shift-check", "--ub-shift-check"], "use `--property shift`"),
    (&["--float-overflow-check"], "use `--property float-to-int` for conversions; infinities are no errors"),
    (&["--nan-check"], "use `--property float-nan`"),
    (&["--uninitialized-check", "--uninitialised-vars-check"], "use `--property uninitialised`"),
    (
        &["--all-properties", "--multi-property", "--all-claims"],
        "use `--property assert,undefined`: every place has an answer of its own",
    ),
    (
        &["--show-properties", "--show-claims", "--list-properties"],
        "`--property LIST --json` lists every place with its answer",
    ),
    (
        &["--assertion-check", "--assertions", "--no-standard-checks", "--no-assertions"],
        "assertions are what is checked unless `--property` says otherwise",
    ),
    (
        &["--malloc-may-fail", "--malloc-fail-null", "--force-malloc-success"],
        "allocations never fail unless `--malloc-may-fail` is given",
    ),
    (&["--entry-function"], "use `--function F`, which checks a function with any arguments"),
    (&["--memlimit"], "use `--memory-limit MB`"),
    (
        &["--i386-linux", "--i386-win32", "--win32", "--arch"],
        "use `--32` or `--64`, or `--cc COMPILER` to take the types of a compiler",
    ),
    (&["--json-ui"], "use `--json`"),
    (&["--xml-ui", "--xml-interface"], "use `--json`"),
    (
        &["--stop-on-fail", "--compact-trace", "--trace-values"],
        "an execution is always printed; `--trace full` prints all of it",
    ),
    (
        &[
            "--z3",
            "--boolector",
            "--bitwuzla",
            "--cvc4",
            "--cvc5",
            "--mathsat",
            "--yices",
            "--smt2",
            "--minisat2",
            "--cadical",
            "--sat-solver",
            "--external-sat-solver",
        ],
        "the solver is built in; `nilas solvers` lists the SAT cores, and `--set` chooses one for an engine",
    ),
    (&["--error-label"], "call `reach_error()` at the label instead"),
    (
        &["--nondet-static", "--havoc-statics"],
        "give statics a value by `__VERIFIER_nondet_int()` and kin at the start of `main`",
    ),
];

/// What to say of an option that Nilas does not have.
pub(crate) fn hint(option: &str) -> Option<&'static str> {
    let name = option.split('=').next().unwrap_or(option);
    WAYS.iter().find(|(names, _)| names.contains(&name)).map(|(_, way)| *way)
}

/// What is said where one of these options is given: a hint for each that is.
pub(crate) fn message(first: &str, given: impl Iterator<Item = String>) -> String {
    let mut told = format!("error: Nilas has no option `{first}`\n");
    let name = |option: &str| option.split('=').next().unwrap_or(option).to_owned();
    let mut seen = Vec::new();
    for option in std::iter::once(first.to_owned()).chain(given).map(|option| name(&option)) {
        let Some(hint) = hint(&option).filter(|_| !seen.contains(&option)) else { continue };
        told.push_str(&format!("hint: instead of `{option}`: {hint}\n"));
        seen.push(option);
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Cli;
    use clap::CommandFactory;
    use std::collections::BTreeSet;

    #[test]
    fn every_option_has_its_hint() {
        let given = ["check", "--unwind", "5", "--bounds-check", "--unwind"].map(str::to_owned);
        let said = message("--unwind", given.into_iter());
        assert!(
            said.starts_with("error: Nilas has no option `--unwind`\nhint: instead of `--unwind`: no"),
            "{said}"
        );
        assert!(said.ends_with("\nhint: instead of `--bounds-check`: use `--property bounds`\n"), "{said}");
        assert_eq!(said.lines().count(), 3, "{said}");
    }

    /// No option of ours is in the way, none is there twice, and properties and options that are named exist.
    #[test]
    fn hints_are_true() {
        let cli = Cli::command();
        let check =
            cli.find_subcommand("check").map(|check| check.get_arguments().filter_map(|it| it.get_long()));
        let own: BTreeSet<String> = check.into_iter().flatten().map(|name| format!("--{name}")).collect();
        let mut seen = BTreeSet::new();
        for (names, way) in WAYS {
            for name in *names {
                assert!(seen.insert(*name), "{name} is there twice");
                assert!(!own.contains(*name) || way.contains(name), "{name} is an option of Nilas");
            }
            for quoted in way.split('`').skip(1).step_by(2).filter(|it| it.starts_with("--")) {
                let mut words = quoted.split(' ');
                let option = words.next().unwrap_or_default();
                assert!(own.contains(option), "{way}: no option {option}");
                if let ("--property", Some(list)) = (option, words.next().filter(|it| *it != "LIST")) {
                    assert!(list.parse::<nilas_c::Properties>().is_ok(), "{way}");
                }
            }
        }
        assert_eq!(hint("--unwind=10"), hint("--unwind"));
        assert!(hint("--bounds-check").is_some() && hint("--frobnicate").is_none());
    }
}
