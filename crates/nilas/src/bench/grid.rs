//! Named settings of `nilas check`, to be run over the same tasks.
//!
//! A grid is a text with a setting per line, `name: options`; blank lines and lines that start with `#` are
//! skipped. Options are words as in a shell: quotes keep words together, nothing else is special. A line
//! `plot A B` asks for a plot of one setting against another. What a setting cannot mean is told before
//! anything runs.

use super::task;
use crate::cli::{CheckArgs, Cli, Command};
use clap::Parser;
use nilas_check::{Refusal, read_text};
use std::collections::BTreeSet;
use std::path::Path;

/// A name for some options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Setting {
    pub(crate) name: String,
    pub(crate) options: Vec<String>,
}

impl Setting {
    /// Reads `name: options`. The name becomes a part of the name of a file.
    fn parse(text: &str) -> Result<Setting, String> {
        let Some((name, options)) = text.split_once(':') else {
            return Err(format!("a setting is `name: options`, not `{}`", text.trim()));
        };
        let name = name.trim();
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_+.".contains(c);
        if name.is_empty() || !name.chars().all(plain) {
            return Err(format!("the name of a setting has letters, digits and `-_+.`, unlike `{name}`"));
        }
        Ok(Setting { name: name.to_owned(), options: words(options)? })
    }
}

/// Settings, and which of them are drawn against each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Grid {
    pub(crate) settings: Vec<Setting>,
    /// Names of settings.
    pub(crate) plots: Vec<[String; 2]>,
}

/// The settings of a file, then those of the command line. No name occurs twice, and plots are of settings
/// that there are.
pub(crate) fn read(file: Option<&Path>, more: &[String]) -> Result<Grid, Refusal> {
    let mut grid = Grid::default();
    if let Some(file) = file {
        let text = read_text(file)?;
        grid = parse(&text).map_err(|why| Refusal::new(format!("{}:{why}", file.display())))?;
    }
    let settings = &mut grid.settings;
    let usage = |why: String| Refusal::usage(format!("nilas: --setting: {why}"));
    for text in more {
        settings.push(Setting::parse(text).map_err(usage)?);
    }
    let mut seen = BTreeSet::new();
    for Setting { name, .. } in &*settings {
        if !seen.insert(name) {
            return Err(usage(format!("the setting `{name}` is there twice")));
        }
    }
    match grid.plots.iter().flatten().find(|name| !seen.contains(name)) {
        Some(name) => Err(Refusal::new(format!("nilas: there is no setting `{name}` to plot"))),
        None => Ok(grid),
    }
}

fn parse(text: &str) -> Result<Grid, String> {
    let mut grid = Grid::default();
    for (number, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.trim_start().starts_with('#') {
            continue;
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["plot", a, b] => grid.plots.push([a.to_owned(), b.to_owned()]),
            ["plot", ..] => return Err(format!("{}: a plot is `plot A B`, two settings", number + 1)),
            _ => grid.settings.push(Setting::parse(line).map_err(|why| format!("{}: {why}", number + 1))?),
        }
    }
    if grid.settings.is_empty() { Err("1: a grid without a setting".into()) } else { Ok(grid) }
}

/// Words between spaces, quotes around what holds spaces.
fn words(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for character in text.chars() {
        match (quote, character) {
            (Some(open), _) if character == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (None, _) if character.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(character),
        }
    }
    if quote.is_some() {
        return Err(format!("a quote does not end: `{}`", text.trim()));
    }
    words.extend(word);
    Ok(words)
}

/// What options of `nilas check` mean together with those that the runner gives itself.
pub(crate) fn understand(options: &[String]) -> Result<CheckArgs, Refusal> {
    let own = ["--timeout=1", "--memory-limit=1"];
    let call = ["nilas"].iter().chain(&task::ALWAYS).chain(&own).map(|&word| word.to_owned());
    let call = call.chain(options.iter().cloned()).chain(["--".to_owned(), "x.c".to_owned()]);
    let cannot = |why: &str| {
        Refusal::usage(format!("nilas: `nilas check` cannot take `{}`: {why}", options.join(" ")))
    };
    match Cli::try_parse_from(call) {
        Ok(Cli { command: Command::Check(args) })
            if args.files.files.len() > 1 || args.files.project.project.is_some() =>
        {
            Err(cannot("the runner names the program itself"))
        }
        Ok(Cli { command: Command::Check(args) }) => Ok(args),
        Ok(_) => Err(Refusal::usage("nilas: options of `nilas check` expected")),
        Err(error) => {
            let why = error.to_string();
            Err(cannot(why.lines().next().unwrap_or_default().trim_start_matches("error: ")))
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_per_line() {
        let text = "# a grid\n\nplain:\nplot plain old\n  old: --engine ic3cfa --techniques none\nq: -D 'A=\"x y\"' -I \"\"\n";
        let Grid { settings, plots } = parse(text).unwrap();
        assert_eq!(plots, [["plain", "old"]]);
        let told: Vec<(&str, Vec<&str>)> = settings
            .iter()
            .map(|setting| (&*setting.name, setting.options.iter().map(String::as_str).collect()))
            .collect();
        let expected = [
            ("plain", vec![]),
            ("old", vec!["--engine", "ic3cfa", "--techniques", "none"]),
            ("q", vec!["-D", "A=\"x y\"", "-I", ""]),
        ];
        assert_eq!(told, expected);
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        for (text, part) in [
            ("# nothing\n", "1: a grid without"),
            ("a: x\nnone --engine bmc\n", "2: a setting is `name: options`"),
            ("a: x\nplot a\n", "2: a plot is `plot A B`"),
            ("a/b: x\n", "1: the name of a setting"),
            (": x\n", "1: the name of a setting"),
            ("a: 'x\n", "1: a quote does not end"),
        ] {
            let message = parse(text).unwrap_err();
            assert!(message.starts_with(part), "{text:?}: {message}");
        }
        let twice = ["a: --stats".to_owned(), "a:".to_owned()];
        assert!(read(None, &twice).is_err_and(|refusal| refusal.message.contains("`a` is there twice")));
    }

    #[test]
    fn options_are_understood_before_anything_runs() {
        let understand = |text: &str| understand(&words(text).unwrap()).map_err(|refusal| refusal.message);
        let args = understand("--engine ic3cfa --techniques none,+lifting").unwrap();
        assert_eq!(args.engine.map(|engine| engine.name()), Some("ic3cfa"));
        assert_eq!(args.techniques.as_deref(), Some("none,+lifting"));
        for wrong in ["--engine magic", "--techniques magic", "--engine bmc --engine bmc", "--json", "y.c"] {
            let message = understand(wrong).unwrap_err();
            assert!(message.contains(&format!("cannot take `{wrong}`: ")), "{message}");
        }
    }

    /// The grids that come with Nilas.
    #[test]
    fn shipped_grids_are_understood() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benchmarks/grids");
        let mut count = 0;
        for entry in std::fs::read_dir(folder).unwrap() {
            let grid = read(Some(&entry.unwrap().path()), &[]).map_err(|refusal| refusal.message).unwrap();
            for setting in grid.settings {
                understand_or_panic(&setting);
                count += 1;
            }
        }
        assert!(count >= 4, "{count}");
    }

    fn understand_or_panic(setting: &Setting) {
        if let Err(refusal) = understand(&setting.options) {
            panic!("{}: {}", setting.name, refusal.message);
        }
    }
}
