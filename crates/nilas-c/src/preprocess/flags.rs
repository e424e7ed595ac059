//! Flags as compilers take them: what the preprocessor has to see, what the reader has to know, and what
//! means nothing here.
//!
//! A flag that changes how objects lie in memory in a way that Nilas does not model is refused. Flags about
//! code generation, warnings, dependencies and linking mean nothing. All others are handed on: the compiler
//! knows best which macros they define.

use crate::sema::Dialect;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What flags say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// For the preprocessor, in order.
    pub arguments: Vec<OsString>,
    /// `-m32` or `-m64`: whether it is the first.
    pub narrow: Option<bool>,
    /// The language.
    pub dialect: Dialect,
    /// The files that the command compiles.
    pub files: Vec<PathBuf>,
}

/// Flags with a folder or file for the preprocessor, as a word of its own or behind the flag.
const PATHS: [&str; 8] =
    ["-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-iprefix", "-isysroot", "-I"];

/// Flags with a word for the preprocessor.
const WORDS: [&str; 2] = ["-D", "-U"];

/// Flags with a word that means nothing here.
const SKIPPED_WITH_WORD: [&str; 10] =
    ["-o", "-MF", "-MT", "-MQ", "-l", "-L", "-Xlinker", "-Xassembler", "-T", "-u"];

/// Flags that change the layout of objects or the meaning of programs.
const REFUSED: [(&str, &str); 5] = [
    ("-fpack-struct", "it changes the layout of structs"),
    ("-mms-bitfields", "it changes the layout of structs"),
    ("-fopenmp", "threads are not supported"),
    ("-fopenacc", "threads are not supported"),
    ("-fcilkplus", "threads are not supported"),
];

/// Whether a flag means nothing here.
fn is_skipped(flag: &str) -> bool {
    let exact = ["-c", "-S", "-E", "-s", "-w", "-v", "-pipe", "-pedantic", "-pedantic-errors", "-static"];
    let starts = ["-O", "-g", "-W", "-M", "-shared", "-save-temps", "-l", "-L", "-fdiagnostics", "-flto"];
    exact.contains(&flag) || (starts.iter().any(|start| flag.starts_with(start)) && !flag.starts_with("-Wp,"))
}

impl Flags {
    /// Reads flags. Relative paths start from `folder`.
    pub fn parse(words: &[String], folder: Option<&Path>) -> Result<Flags, String> {
        let mut flags = Flags::default();
        let place = |text: &str| folder.map_or_else(|| PathBuf::from(text), |folder| near(folder, text));
        let mut rest = words.iter();
        while let Some(word) = rest.next() {
            let mut value = |flag: &str| {
                let behind = &word[flag.len()..];
                if !behind.is_empty() {
                    return Ok(behind.to_owned());
                }
                rest.next().cloned().ok_or_else(|| format!("`{flag}` needs a value"))
            };
            let starting = |flags: &[&'static str]| flags.iter().copied().find(|flag| word.starts_with(flag));
            if let Some((_, why)) = REFUSED.iter().find(|(flag, _)| word.starts_with(flag)) {
                return Err(format!("the compiler flag `{word}` is not supported: {why}"));
            } else if word.starts_with('@') {
                return Err(format!("a file of flags, `{word}`, is not supported"));
            } else if let Some(flag) = SKIPPED_WITH_WORD.iter().find(|flag| *flag == word) {
                value(flag)?;
            } else if let Some(flag) = starting(&PATHS) {
                let text = value(flag)?;
                // The compiler looks for `-include` in its folder first, then where it looks for headers.
                let searched = matches!(flag, "-include" | "-imacros") && !place(&text).exists();
                let path = if searched { PathBuf::from(text) } else { place(&text) };
                flags.arguments.extend([OsString::from(flag), path.into()]);
            } else if let Some(flag) = starting(&WORDS) {
                let text = value(flag)?;
                flags.arguments.push(format!("{flag}{text}").into());
            } else if word == "-x" {
                let language = value("-x")?;
                if language != "c" && language != "none" {
                    return Err(format!("the language `{language}` is not C"));
                }
            } else if word == "-m32" || word == "-m64" {
                flags.narrow = Some(word == "-m32");
            } else if !is_skipped(word) && word.starts_with('-') && word != "-" {
                flags.language(word);
                flags.arguments.push(word.into());
                if ["-target", "-arch", "--sysroot", "--param", "-Xclang"].contains(&word.as_str()) {
                    flags.arguments.push(value(word)?.into());
                }
            } else if !word.starts_with('-') {
                flags.files.push(place(word));
            }
        }
        Ok(flags)
    }

    /// What the reader has to know of a flag.
    fn language(&mut self, flag: &str) {
        let old = ["c89", "c90", "gnu89", "gnu90", "iso9899:1990", "iso9899:199409"];
        match flag {
            "-ansi" | "-fgnu89-inline" => self.dialect.gnu_inline = true,
            "-fno-gnu89-inline" => self.dialect.gnu_inline = false,
            "-fcommon" => self.dialect.common = true,
            "-fno-common" => self.dialect.common = false,
            _ => {
                if let Some(standard) = flag.strip_prefix("-std=") {
                    self.dialect.gnu_inline = old.contains(&standard);
                }
            }
        }
    }
}

/// A path from a folder, as short as it can be said from here.
fn near(folder: &Path, text: &str) -> PathBuf {
    let path = folder.join(text);
    let mut whole = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::CurDir => {}
            // Symbolic links make `a/..` something else, so only what is plain is taken back.
            std::path::Component::ParentDir if whole.is_dir() && !whole.is_symlink() && whole.pop() => {}
            part => whole.push(part),
        }
    }
    let here = std::env::current_dir().ok();
    let short = here.and_then(|here| whole.strip_prefix(here).ok().map(Path::to_path_buf));
    match short {
        Some(short) if short.as_os_str().is_empty() => PathBuf::from("."),
        Some(short) => short,
        None => whole,
    }
}

/// Takes a command line apart as a shell does: blanks separate words, quotes and backslashes hold them
/// together.
pub fn words(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some('\''), '\'') | (Some('"'), '"') => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None | Some('"'), '\\') => match chars.next() {
                // Between double quotes, a backslash before other characters stands for itself.
                Some(next) if quote.is_some() && !matches!(next, '"' | '\\' | '$' | '`') => {
                    word.get_or_insert_default().extend(['\\', next]);
                }
                Some(next) => word.get_or_insert_default().push(next),
                None => return Err("the command ends with a backslash".to_owned()),
            },
            (None, c) if c.is_ascii_whitespace() => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    if let Some(quote) = quote {
        return Err(format!("the command ends inside {quote} quotes"));
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Flags, String> {
        Flags::parse(&words(text)?, None)
    }

    fn arguments(text: &str) -> String {
        let flags = parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let shown: Vec<_> = flags.arguments.iter().map(|it| it.to_string_lossy().into_owned()).collect();
        shown.join(" ")
    }

    #[test]
    fn flags_are_sorted() {
        assert_eq!(
            arguments("-c -O2 -g -Wall -Ia -I b -DX -D Y=1 -UZ -o x.o -MD -MF x.d -std=c99 -include h.h f.c"),
            "-I a -I b -DX -DY=1 -UZ -std=c99 -include h.h"
        );
        assert_eq!(
            arguments("-isystem s -isystemt -iquote q -m32 -fshort-enums"),
            "-isystem s -isystem t -iquote q -fshort-enums"
        );
        assert_eq!(parse("-m32").map(|it| it.narrow), Ok(Some(true)));
        assert_eq!(parse("a.c -l m -Lx b.c").map(|it| it.files), Ok(vec!["a.c".into(), "b.c".into()]));
        assert!(parse("-std=gnu89").is_ok_and(|it| it.dialect.gnu_inline));
        assert!(parse("-fcommon").is_ok_and(|it| it.dialect.common));
        for bad in ["-fpack-struct=1", "-fopenmp", "-I", "-x c++", "@flags"] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn words_are_as_in_a_shell() {
        let found = words(r#"cc  -D'A="b c"' -DB=\"x\" "d e" '' f\ g "h\n""#);
        let expected = ["cc", "-DA=\"b c\"", "-DB=\"x\"", "d e", "", "f g", "h\\n"];
        assert_eq!(found, Ok(expected.map(str::to_owned).to_vec()));
        assert!(words("a 'b").is_err());
    }

    #[test]
    fn relative_paths_start_from_the_folder() {
        let words = words("-Iinc -I/abs a.c").unwrap_or_default();
        let flags = Flags::parse(&words, Some(Path::new("/p/q"))).unwrap_or_default();
        assert_eq!(flags.arguments, ["-I", "/p/q/inc", "-I", "/abs"].map(OsString::from));
        assert_eq!(flags.files, [PathBuf::from("/p/q/a.c")]);
    }
}
