//! Shows the typed tree of C files: what every function and object became.
//!
//! `cargo run --example show -- FILE.c …` (data model LP64; ILP32 if the variable `ILP32` is set)
#![allow(clippy::print_stdout, reason = "an example may print")]

use nilas_c::types::DataModel;
use nilas_c::{Input, Options, parse_program};

fn main() {
    let model = if std::env::var_os("ILP32").is_some() { DataModel::Ilp32 } else { DataModel::Lp64 };
    for path in std::env::args().skip(1) {
        let program = match parse_program(&Input::Path(path.into()), &Options { model, ..Options::default() })
        {
            Ok(program) => program,
            Err(failure) => {
                println!("{}", failure.render());
                continue;
            }
        };
        for variable in program.statics().map(|id| &program.variables[id]) {
            let init = variable.init.as_ref().map(|init| format!(" = {}", program.show_init(init)));
            println!("{}: {}{}", variable.name, program.types.display(variable.ty), init.unwrap_or_default());
        }
        for function in &program.functions {
            if let Some(body) = function.body {
                println!(
                    "{}: {}\n{}",
                    function.name,
                    program.types.display(function.ty),
                    program.show_stmt(body)
                );
            }
        }
        for warning in &program.warnings {
            println!("{}", warning.render_in(&program.sources));
        }
    }
}
