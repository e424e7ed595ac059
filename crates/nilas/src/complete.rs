//! Completions of shells and the manual page, from the same description of the options as the parser's.

use crate::cli::{Cli, CompletionsArgs};
use crate::exit::Exit;
use clap::CommandFactory;
use nilas_check::Refusal;

/// `nilas completions SHELL`
pub(crate) fn completions(args: &CompletionsArgs) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "nilas", &mut script);
    crate::print(&String::from_utf8_lossy(&script));
    Exit::Safe
}

/// `nilas man`: one page with all subcommands.
pub(crate) fn man() -> Result<Exit, Refusal> {
    let wrong = |error: std::io::Error| Refusal::internal(format!("nilas: internal error: {error}"));
    let mut page = Vec::new();
    let mut cli = Cli::command();
    cli.build();
    clap_mangen::Man::new(cli.clone()).render(&mut page).map_err(wrong)?;
    for command in cli.get_subcommands().filter(|command| command.get_name() != "help") {
        let man = clap_mangen::Man::new(command.clone());
        page.extend(format!(".SH \"NILAS {}\"\n", command.get_name().to_uppercase()).bytes());
        man.render_description_section(&mut page).map_err(wrong)?;
        man.render_options_section(&mut page).map_err(wrong)?;
    }
    crate::print(&String::from_utf8_lossy(&page));
    Ok(Exit::Safe)
}
