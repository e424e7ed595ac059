//! `nilas encode`: a program as Horn clauses or as a transition system.

use crate::cli::{EncodeArgs, Encoding};
use crate::exit::Exit;
use crate::input::{self, Refusal};
use crate::limits::Limits;
use nilas_program::large_blocks;
use nilas_system::write;

pub(crate) fn run(args: &EncodeArgs) -> Result<Exit, Refusal> {
    let limits = Limits::start(&args.common);
    let (files, language) = (args.files.clone(), args.language.clone());
    let (large, to) = (args.large_blocks, args.to);
    let written = limits.within(move || {
        let program = input::program(&files, &language)?.program;
        let program = if large { large_blocks(&program).0 } else { program };
        let text = match to {
            Encoding::Vmt => write::to_vmt(&program),
            Encoding::Horn => write::to_horn(&program),
            Encoding::Btor2 => write::to_btor2(&program),
        };
        text.map_err(|why| {
            Refusal::new(format!("nilas: `{}` cannot be written so: {why}", input::name(&files)))
        })
    });
    match written {
        Ok(text) => {
            crate::print(&text?);
            Ok(Exit::Safe)
        }
        Err(why) => {
            let message = format!("nilas: {why} before the program was written");
            Err(Refusal { message, exit: Exit::Unknown })
        }
    }
}
