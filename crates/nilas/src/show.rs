//! `nilas show`: the control-flow automaton of a program.

use crate::cli::ShowArgs;
use crate::exit::Exit;
use crate::input::{self, Refusal};
use nilas_program::{large_blocks, text, to_dot};

pub(crate) fn run(args: &ShowArgs) -> Result<Exit, Refusal> {
    let mut program = input::program(&args.file, &args.language)?.program;
    if args.large_blocks {
        program = large_blocks(&program).0;
    }
    if args.common.json {
        let automaton = &program.automaton;
        let counts = serde_json::json!({
            "locations": automaton.locations.len(),
            "edges": automaton.edges.len(),
            "variables": automaton.variables.len(),
            "text": text::print_program(&program),
        });
        crate::print(&format!("{counts:#}\n"));
    } else if args.dot {
        crate::print(&to_dot(&program));
    } else {
        crate::print(&text::print_program(&program));
    }
    Ok(Exit::Safe)
}
