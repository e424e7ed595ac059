//! `nilas encode`: a program as Horn clauses or as a transition system.

use crate::cli::{EncodeArgs, Encoding, Leaving};
use crate::exit::Exit;
use nilas_check::{Refusal, RefusalKind, Session};
use nilas_program::procedures::blocks;
use nilas_program::{Module, Program, large_blocks_within};
use nilas_smt::Budget;
use nilas_system::{Form, Functional, GoalId, System, to_automaton, write};

pub(crate) fn run(args: &EncodeArgs) -> Result<Exit, Refusal> {
    let task = args.files.task(&args.language)?;
    let session = Session::start(&args.common.limits());
    let late =
        |why: &dyn std::fmt::Display| Refusal::limit(format!("nilas: {why} before the program was written"));
    let budget = session.budget();
    let read = session.read(&task).map_err(|refusal| match budget.exhausted() {
        Some(why) if refusal.kind == RefusalKind::Limit => late(&why),
        _ => refusal,
    });
    let input = read?;
    let program = match &input.system {
        Some(system) if args.one_relation && system.form == Form::Horn => one_relation(system)?,
        _ if args.one_relation => {
            let message = "nilas: --one-relation is for Horn clauses: other files have no predicates";
            return Err(Refusal::usage(message));
        }
        _ => input.program,
    };
    // Horn clauses have calls, the other formats have none.
    if let (Encoding::Horn, Some(calls), None) = (&args.to, input.calls, &input.system) {
        return with_calls(args, &task.name(), &calls.module, &budget, &late);
    }
    let mut program = program;
    let stops = args.unmodelled == Leaving::Stop && stop(&mut program);
    let program = match args.large_blocks {
        true => large_blocks_within(&program, &budget).map_err(|why| late(&why))?.0,
        false => program,
    };
    let written = match args.to {
        Encoding::Vmt => write::to_vmt(&program),
        Encoding::Horn => write::to_horn(&program),
        Encoding::Btor2 => write::to_btor2(&program),
    };
    let text = written
        .map_err(|why| Refusal::new(format!("nilas: `{}` cannot be written so: {why}", task.name())))?;
    if let Some(why) = budget.exhausted() {
        return Err(late(&why));
    }
    print_told(&text, stops);
    Ok(Exit::Safe)
}

/// A program with procedures as Horn clauses.
fn with_calls(
    args: &EncodeArgs,
    name: &str,
    module: &Module,
    budget: &Budget,
    late: &dyn Fn(&dyn std::fmt::Display) -> Refusal,
) -> Result<Exit, Refusal> {
    let mut module = match args.large_blocks {
        true => blocks(module, budget).map_err(|why| late(&why))?.module,
        false => module.clone(),
    };
    let stops = args.unmodelled == Leaving::Stop && stop(&mut module.program);
    let text = write::to_horn_with_calls(&module)
        .map_err(|why| Refusal::new(format!("nilas: `{name}` cannot be written so: {why}")))?;
    print_told(&text, stops);
    Ok(Exit::Safe)
}

fn print_told(text: &str, stops: bool) {
    if stops {
        crate::print("; executions that leave what is modelled stop: that no error is reached is no proof\n");
    }
    crate::print(text);
}

/// Executions that leave what is modelled stop there. Whether there can be any.
fn stop(program: &mut Program) -> bool {
    let automaton = &mut program.automaton;
    let Some(unmodelled) = automaton.unmodelled else { return false };
    let before = automaton.edges.len();
    automaton.edges.retain(|edge| edge.target != unmodelled);
    automaton.edges.len() < before
}

/// The clauses as one relation.
fn one_relation(system: &System) -> Result<Program, Refusal> {
    if system.goals.len() > 1 {
        let message = format!("nilas: --one-relation takes one goal, this file has {}", system.goals.len());
        return Err(Refusal::usage(message));
    }
    let goal = GoalId(0);
    Ok(Functional::new(system, &to_automaton(system, Some(goal)), goal).program().clone())
}
