//! What to check.

use crate::definition;
use crate::refusal::Refusal;
use nilas_c::waypoints::Waypoints;
use nilas_c::{Caller, Interrupts, Properties, UnknownFunctions};
use std::path::{Path, PathBuf};

/// A program, and how it is read. Nothing is read before the task is.
#[derive(Clone, Debug)]
pub enum Task {
    /// C files, which are linked.
    C(CProgram),
    /// An automaton in its own text format.
    Automaton(Text),
    /// A transition system in VMT.
    Vmt(Text),
    /// A transition system in BTOR2.
    Btor2(Text),
    /// Horn clauses in SMT-LIB.
    Horn(Text),
}

/// A C program.
#[derive(Clone, Debug)]
pub struct CProgram {
    /// Its files; if there are none, all that the project names.
    pub files: Vec<Text>,
    /// A `compile_commands.json`, or the folder of one, that says how files are compiled.
    pub project: Option<PathBuf>,
    /// How they are read.
    pub language: Language,
}

/// A text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Text {
    /// A file.
    File(PathBuf),
    /// The text itself, and what messages call it.
    Given {
        /// The name.
        name: String,
        /// The bytes.
        bytes: Vec<u8>,
    },
}

impl Text {
    /// What messages call it.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Text::File(path) => path.display().to_string(),
            Text::Given { name, .. } => name.clone(),
        }
    }
}

/// How a C program is read.
#[derive(Clone, Debug, Default)]
pub struct Language {
    /// Pointers and `long` have 32 bits, or 64; if that is not said, as flags of compilers say, or 64.
    pub narrow: Option<bool>,
    /// What is asked about each place of the program; if nothing is, whether some assertion fails.
    pub properties: Option<Properties>,
    /// Properties that are asked because a proof needs them, but of which a violation decides nothing: what a
    /// property file asks is less.
    pub stricter: Properties,
    /// Allocations may give null.
    pub malloc_may_fail: bool,
    /// Which functions stay procedures.
    pub calls: nilas_c::CallMode,
    /// What functions may do of which nothing is known.
    pub unknown_functions: UnknownFunctions,
    /// The function to check instead of `main`, and what it is called with.
    pub caller: Option<Caller>,
    /// Functions that may run between any two accesses, and how deep they may interrupt each other.
    pub interrupts: Interrupts,
    /// Waypoints that an execution has to pass before an error counts.
    pub waypoints: Option<Waypoints>,
    /// Programs that can get to inline assembly are refused.
    pub refuse_assembly: bool,
    /// The compiler that preprocesses files with directives, with flags; without it, `cc`, or what a project
    /// names.
    pub compiler: Option<String>,
    /// Folders to look for headers in.
    pub include: Vec<PathBuf>,
    /// Macros to define, as `NAME` or `NAME=VALUE`.
    pub define: Vec<String>,
    /// Macros to undefine.
    pub undefine: Vec<String>,
    /// The language standard.
    pub standard: Option<String>,
    /// More flags for the compiler.
    pub flags: Vec<String>,
}

impl Task {
    /// The task that files stand for by the ends of their names: programs, or a task definition (`.yml`);
    /// beside either there may be a property (`.prp`).
    ///
    /// # Errors
    /// When there is one file, and its name ends as that of no program, or a definition cannot be read.
    pub fn of_files(files: &[PathBuf], project: Option<&Path>, language: Language) -> Result<Task, Refusal> {
        let text = |path: &PathBuf| Text::File(path.clone());
        if definition::is_meant(files) {
            return definition::task(files, project, language);
        }
        match files {
            [path] if ends_in(path, &["cfa"]) && project.is_none() => Ok(Task::Automaton(text(path))),
            [path] if ends_in(path, &["vmt"]) => Ok(Task::Vmt(text(path))),
            [path] if ends_in(path, &["smt2"]) => Ok(Task::Horn(text(path))),
            [path] if ends_in(path, &["btor2", "btor"]) => Ok(Task::Btor2(text(path))),
            [path] if !ends_in(path, &["c", "i"]) => {
                Err(expected(path, "`.c`, `.i`, `.yml`, `.cfa`, `.vmt`, `.smt2` or `.btor2`"))
            }
            files => Ok(Task::of_c_files(files, project, language)),
        }
    }

    /// The C program of some files, whatever their names are.
    #[must_use]
    pub fn of_c_files(files: &[PathBuf], project: Option<&Path>, language: Language) -> Task {
        let files = files.iter().cloned().map(Text::File).collect();
        Task::C(CProgram { files, project: project.map(Path::to_owned), language })
    }

    /// A C program of one text, which messages call `name`.
    #[must_use]
    pub fn of_c_text(name: &str, text: &str, language: Language) -> Task {
        let file = Text::Given { name: name.to_owned(), bytes: text.as_bytes().to_vec() };
        Task::C(CProgram { files: vec![file], project: None, language })
    }

    /// What messages call the program.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Task::C(CProgram { files, project: Some(project), .. }) if files.is_empty() => {
                project.display().to_string()
            }
            Task::C(CProgram { files, .. }) => files.iter().map(Text::name).collect::<Vec<_>>().join(" "),
            Task::Automaton(text) | Task::Vmt(text) | Task::Btor2(text) | Task::Horn(text) => text.name(),
        }
    }
}

pub(crate) fn ends_in(path: &Path, endings: &[&str]) -> bool {
    path.extension().and_then(|extension| extension.to_str()).is_some_and(|it| endings.contains(&it))
}

pub(crate) fn expected(path: &Path, endings: &str) -> Refusal {
    if path.is_dir() {
        let name = path.display();
        return Refusal::new(format!(
            "nilas: `{name}` is a folder: name the files of the program in it (`{name}/*.c`), or give `--project \
             {name}` if it has a `compile_commands.json`"
        ));
    }
    Refusal::new(format!("nilas: `{}`: a file that ends in {endings} expected", path.display()))
}
