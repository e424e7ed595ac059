//! Which files a program has, and how each is preprocessed: what the command line says, and what a
//! `compile_commands.json` says.
//!
//! Only the preprocessor of a compiler is ever run. Paths of a compilation database start from the folder
//! that its entries name; they are said from here as far as possible, so that messages are about files that
//! the user finds.

use crate::input::{Stop, read_text};
use crate::refusal::Refusal;
use crate::task::{CProgram, Language, Text};
use nilas_c::preprocess::{Flags, PreprocessError, Preprocessor, words};
use nilas_c::types::DataModel;
use nilas_c::{File, Input};
use nilas_smt::Budget;
use serde_json::Value;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The files of a program.
pub(crate) struct Units {
    pub(crate) files: Vec<File>,
    pub(crate) model: DataModel,
}

/// What a compiler is called as, if it only calls another one.
const WRAPPERS: [&str; 4] = ["ccache", "sccache", "distcc", "icecc"];

fn usage(message: impl Into<String>) -> Refusal {
    Refusal::usage(format!("nilas: {}", message.into()))
}

/// The files that the user means by a program of some name.
pub(crate) fn units(program: &CProgram, name: &str, budget: &Budget) -> Result<Units, Stop> {
    let language = &program.language;
    let own = Flags::parse(&flags(language), None).map_err(usage)?;
    if let Some(file) = own.files.first() {
        return Err(usage(format!("`{}` is no flag of a compiler", file.display())).into());
    }
    let compiler = match &language.compiler {
        Some(text) => Some(command(words(text).map_err(usage)?, "`--cc`")?),
        None => None,
    };
    let mut found: Vec<(File, Option<bool>)> = Vec::new();
    match &program.project {
        None => {
            let (name, flags) = match compiler {
                Some((name, words)) => (name, Flags::parse(&words, None).map_err(usage)?),
                None => (PathBuf::from("cc"), Flags::default()),
            };
            for text in &program.files {
                found.push(file(input(text), &name, &flags, &own));
            }
        }
        Some(database) => {
            let named: Vec<&Path> = program.files.iter().filter_map(path_of).collect();
            for entry in entries(database)?.into_iter().filter(|entry| entry.is_one_of(&named)) {
                let (name, words) = compiler.clone().unwrap_or((entry.compiler, Vec::new()));
                let mut all = Flags::parse(&words, None).map_err(usage)?;
                all.arguments.extend(entry.flags.arguments);
                all.narrow = entry.flags.narrow.or(all.narrow);
                all.dialect = entry.flags.dialect;
                found.push(file(Input::Path(entry.path), &name, &all, &own));
            }
            for path in named {
                let named = |(file, _): &(File, _)| matches!(&file.input, Input::Path(it) if same(it, path));
                if !found.iter().any(named) {
                    return Err(Refusal::new(format!(
                        "nilas: `{}` says nothing about `{}`",
                        database.display(),
                        path.display()
                    ))
                    .into());
                }
            }
        }
    }
    if found.is_empty() {
        return Err(Refusal::new(format!("nilas: `{name}` names no file")).into());
    }
    let mut units: Vec<File> = Vec::new();
    let mut model = None;
    for (mut file, narrow) in found {
        let own = machine(&mut file, language.narrow.or(narrow), budget)?;
        if model.is_some_and(|model| model != own) {
            let Input::Path(path) = &file.input else { continue };
            return Err(Refusal::new(format!(
                "nilas: `{}` is compiled for another machine than the files before it: {}",
                path.display(),
                own.name()
            ))
            .into());
        }
        model = Some(own);
        units.push(file);
    }
    Ok(Units { files: units, model: model.unwrap_or(DataModel::Lp64) })
}

/// The data model of a file. A compiler that the user names, or flags that can change the model, are asked.
fn machine(file: &mut File, narrow: Option<bool>, budget: &Budget) -> Result<DataModel, Stop> {
    let preprocessor = &mut file.preprocessor;
    let usual = ["cc", "gcc"].iter().any(|name| preprocessor.compiler == Path::new(name));
    let changes = |flag: &OsString| {
        let flag = flag.to_string_lossy();
        ["-m", "-f", "-target", "--target", "-arch"].iter().any(|start| flag.starts_with(start))
    };
    if usual && !preprocessor.flags.iter().any(changes) {
        return Ok(if narrow == Some(true) { DataModel::Ilp32 } else { DataModel::Lp64 });
    }
    preprocessor.tell_width = false;
    preprocessor.flags.extend(narrow.map(|narrow| if narrow { "-m32".into() } else { "-m64".into() }));
    let target = preprocessor.target(budget).map_err(|error| match error {
        PreprocessError::Interrupted(why) => Stop::Interrupted(why),
        error => {
            let message = error.diagnostic().render_in(&nilas_program::source::SourceMap::new());
            Stop::Refused(Refusal::new(message.trim_end().to_owned()))
        }
    })?;
    // Headers for both widths are found as without flags.
    preprocessor.tell_width = usual && narrow.is_some();
    Ok(target.model())
}

/// The flags of the command line.
fn flags(language: &Language) -> Vec<String> {
    let mut all = Vec::new();
    all.extend(language.standard.iter().map(|standard| format!("-std={standard}")));
    all.extend(language.define.iter().map(|name| format!("-D{name}")));
    all.extend(language.undefine.iter().map(|name| format!("-U{name}")));
    for dir in &language.include {
        all.extend(["-I".to_owned(), dir.display().to_string()]);
    }
    all.extend(language.flags.iter().cloned());
    all
}

/// A file with the flags of its compiler and those of the command line, which come later and win.
fn file(input: Input, compiler: &Path, flags: &Flags, own: &Flags) -> (File, Option<bool>) {
    let arguments = flags.arguments.iter().chain(&own.arguments).cloned().collect();
    let preprocessor =
        Preprocessor { compiler: compiler.to_owned(), flags: arguments, ..Preprocessor::default() };
    let said = |flags: &Flags| {
        flags.arguments.iter().any(|flag| {
            let flag = flag.to_string_lossy();
            flag.starts_with("-std=") || flag == "-ansi" || flag.ends_with("gnu89-inline")
        })
    };
    let mut dialect = flags.dialect;
    dialect.common |= own.dialect.common;
    if said(own) {
        dialect.gnu_inline = own.dialect.gnu_inline;
    }
    let file = File { input, preprocessor, dialect };
    (file, own.narrow.or(flags.narrow))
}

/// A text as the front end takes it.
fn input(text: &Text) -> Input {
    match text {
        Text::File(path) => Input::Path(path.clone()),
        Text::Given { name, bytes } => Input::Text { name: name.clone(), text: bytes.clone() },
    }
}

fn path_of(text: &Text) -> Option<&Path> {
    match text {
        Text::File(path) => Some(path),
        Text::Given { .. } => None,
    }
}

/// A compiler and its flags. What only calls a compiler is left out.
fn command(mut words: Vec<String>, whose: &str) -> Result<(PathBuf, Vec<String>), Refusal> {
    let is_wrapper = |word: &String| {
        let name = Path::new(word).file_name().unwrap_or_default().to_string_lossy();
        WRAPPERS.contains(&&*name)
    };
    while words.len() > 1 && words.first().is_some_and(is_wrapper) {
        words.remove(0);
    }
    match words.split_first() {
        Some((name, rest)) => Ok((PathBuf::from(name), rest.to_vec())),
        None => Err(usage(format!("{whose} names no compiler"))),
    }
}

/// An entry of a compilation database.
struct Entry {
    path: PathBuf,
    compiler: PathBuf,
    flags: Flags,
}

impl Entry {
    fn is_one_of(&self, files: &[&Path]) -> bool {
        files.is_empty() || files.iter().any(|file| same(file, &self.path))
    }
}

fn same(a: &Path, b: &Path) -> bool {
    let canonical = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    a == b || canonical(a) == canonical(b)
}

/// The entries of a `compile_commands.json`, each file once.
fn entries(path: &Path) -> Result<Vec<Entry>, Refusal> {
    let path = if path.is_dir() { path.join("compile_commands.json") } else { path.to_owned() };
    let wrong = |what: &str| Refusal::new(format!("nilas: `{}`: {what}", path.display()));
    let text = read_text(&path)?;
    let value: Value = serde_json::from_str(&text).map_err(|error| wrong(&error.to_string()))?;
    let Value::Array(list) = value else { return Err(wrong("a list of commands expected")) };
    let home = path.parent().unwrap_or(Path::new(""));
    let mut found: Vec<Entry> = Vec::new();
    for (number, value) in list.iter().enumerate() {
        let text = |name: &str| value.get(name).and_then(Value::as_str);
        let at = |what: &str| wrong(&format!("entry {}: {what}", number + 1));
        let file = text("file").ok_or_else(|| at("`file` is missing"))?;
        let folder = home.join(text("directory").unwrap_or(""));
        let words = match (value.get("arguments").and_then(Value::as_array), text("command")) {
            (Some(list), _) => {
                let words = list.iter().map(|word| word.as_str().map(str::to_owned));
                words.collect::<Option<Vec<String>>>().ok_or_else(|| at("`arguments` are strings"))?
            }
            (None, Some(command)) => words(command).map_err(|error| at(&error))?,
            (None, None) => return Err(at("`command` or `arguments` expected")),
        };
        let (compiler, rest) = command(words, "the entry").map_err(|_| at("it names no compiler"))?;
        // A compiler is looked for on PATH, or from the folder.
        let compiler = if compiler.components().count() > 1 { folder.join(compiler) } else { compiler };
        let about = |error: String| at(&format!("`{file}`: {error}"));
        let mut flags = Flags::parse(&rest, Some(&folder)).map_err(about)?;
        let path = Flags::parse(&[file.to_owned()], Some(&folder)).map_err(about)?.files.pop();
        let path = path.ok_or_else(|| at("`file` is no name of a file"))?;
        flags.files.clear();
        match found.iter().find(|entry| same(&entry.path, &path)) {
            None => found.push(Entry { path, compiler, flags }),
            Some(first) if first.flags == flags => {}
            Some(_) => {
                let what = format!("`{file}` is compiled a second time, with other flags");
                let mut refusal = at(&what);
                refusal.message += "\nhint: make a file with the commands of one program";
                return Err(refusal);
            }
        }
    }
    Ok(found)
}
