//! Colours of verdicts, where somebody sees them.

use std::io::IsTerminal;

/// When to use colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub(crate) enum When {
    /// On a terminal, unless `NO_COLOR` is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl When {
    /// Whether what goes to standard output is coloured.
    pub(crate) fn applies(self) -> bool {
        let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        match self {
            When::Always => true,
            When::Never => false,
            When::Auto => std::io::stdout().is_terminal() && !set("NO_COLOR") && !dumb,
        }
    }
}

/// Colours the verdict that each line begins with.
pub(crate) fn verdicts(text: &str) -> String {
    text.split_inclusive('\n').map(line).collect()
}

fn line(line: &str) -> String {
    let word = line.split([':', ' ', '\n']).next().unwrap_or_default();
    let colour = match word {
        "safe" => 32,
        "unsafe" | "also" => 31,
        "unknown" => 33,
        _ => return line.to_owned(),
    };
    format!("\x1b[1;{colour}m{word}\x1b[0m{}", &line[word.len()..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_verdicts_are_coloured() {
        assert_eq!(verdicts("safe: x\n  safe\n"), "\x1b[1;32msafe\x1b[0m: x\n  safe\n");
        assert_eq!(verdicts("unsafe\n"), "\x1b[1;31munsafe\x1b[0m\n");
        assert_eq!(verdicts("safety first"), "safety first");
    }
}
