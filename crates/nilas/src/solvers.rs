//! `nilas solvers`: the SMT solvers on PATH.

use crate::cli::SolversArgs;
use crate::exit::Exit;
use nilas_smt::pipe::{Description, describe, discover};

pub(crate) fn run(args: &SolversArgs) -> Exit {
    let found = describe(&discover());
    if args.json {
        let list: Vec<serde_json::Value> = found
            .iter()
            .map(|Description { name, version, path, abilities, .. }| {
                serde_json::json!({ "name": name, "version": version, "path": path, "abilities": abilities })
            })
            .collect();
        crate::print(&format!("{:#}\n", serde_json::Value::from(list)));
        return Exit::Safe;
    }
    crate::print(&format!("built in, on the SAT cores {}\n", nilas_smt::SatCore::NAMES.join(", ")));
    if found.is_empty() {
        crate::print("no SMT solver found on PATH (z3, cvc5, bitwuzla, yices-smt2, mathsat)\n");
        crate::print("Nilas does not need one: it has its own.\n");
    }
    for solver in found {
        let Description { name, version, path, abilities, .. } = solver;
        crate::print(&format!("{name} {version}  {path}\n    {}\n", abilities.join(", ")));
    }
    Exit::Safe
}
