//! docs/command-line.md has its lists of options from what the parser declares.
//! `NILAS_WRITE=1 cargo test -p nilas manual` writes them anew.

use crate::cli::Cli;
use clap::{Arg, Command, CommandFactory};
use std::fmt::Write;
use std::path::Path;

const BEGIN: &str = "<!-- options: written by crates/nilas/src/manual.rs -->";
const END: &str = "<!-- end of options -->";

/// A section for each subcommand: what it does, how it is called, a table of its options.
fn sections() -> String {
    let mut text = String::from("\n");
    let mut cli = Cli::command();
    cli.build();
    for command in cli.get_subcommands().filter(|command| command.get_name() != "help") {
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        let usage = command.clone().render_usage().to_string();
        let usage = usage.trim_start_matches("Usage: ");
        let _ = writeln!(text, "\n## nilas {}\n\n{about}.\n\n```text\n{usage}\n```\n", command.get_name());
        text.push_str("| option | what it does |\n|---|---|\n");
        for arg in arguments(command) {
            let _ = writeln!(text, "| {} | {} |", spelled(arg), told(arg));
        }
    }
    text + "\n"
}

/// What a user can give, positional arguments first.
fn arguments(command: &Command) -> impl Iterator<Item = &Arg> {
    let shown = |arg: &&Arg| !arg.is_hide_set() && arg.get_id() != "help";
    command.get_positionals().chain(command.get_opts()).chain(flags(command)).filter(shown)
}

fn flags(command: &Command) -> impl Iterator<Item = &Arg> {
    command.get_arguments().filter(|arg| !arg.is_positional() && !arg.get_action().takes_values())
}

/// `--name VALUE`, `-n`.
fn spelled(arg: &Arg) -> String {
    let names = arg.get_short().map(|short| format!("-{short}")).into_iter();
    let names: Vec<String> = names.chain(arg.get_long().map(|long| format!("--{long}"))).collect();
    let values = arg.get_value_names().unwrap_or_default().join(" ");
    let values = if arg.get_action().takes_values() { values.as_str() } else { "" };
    let separator = if names.is_empty() || values.is_empty() { "" } else { " " };
    format!("`{}{separator}{values}`", names.join("`, `"))
}

fn told(arg: &Arg) -> String {
    let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
    let values: Vec<String> = match arg.get_action().takes_values() {
        true => arg.get_possible_values().iter().map(|value| format!("`{}`", value.get_name())).collect(),
        false => Vec::new(),
    };
    let values = if values.is_empty() { String::new() } else { format!("; one of {}", values.join(", ")) };
    let defaults: Vec<_> = arg.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
    let default = match (arg.get_action().takes_values(), defaults.is_empty()) {
        (true, false) => format!("; default `{}`", defaults.join(" ")),
        _ => String::new(),
    };
    format!("{help}{values}{default}").replace('|', "\\|").replace('\n', " ")
}

#[test]
fn the_page_says_what_there_is() -> std::io::Result<()> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/command-line.md");
    let page = std::fs::read_to_string(&path)?;
    let parts = page.split_once(BEGIN).and_then(|(head, rest)| Some((head, rest.split_once(END)?)));
    let Some((head, (old, tail))) = parts else { panic!("docs/command-line.md has no `{BEGIN}`") };
    if std::env::var_os("NILAS_WRITE").is_some() {
        return std::fs::write(&path, format!("{head}{BEGIN}{}{END}{tail}", sections()));
    }
    assert!(old == sections(), "run `NILAS_WRITE=1 cargo test -p nilas manual`");
    Ok(())
}
