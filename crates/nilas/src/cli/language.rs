//! Which files are the program, and how C is read.

use clap::Args;
use nilas_c::{Caller, Interrupts, Pointers, Properties, UnknownFunctions};
use nilas_check::{Refusal, Task};
use std::path::PathBuf;

/// What inline assembly means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Assembly {
    /// Its outputs hold any value.
    Any,
    /// It is refused.
    Refuse,
}

/// What variables of static storage duration hold when a function is called that is checked alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Globals {
    /// What they are initialised with.
    Initialised,
    /// Any value.
    Any,
}

/// Yes or no.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Whether {
    /// It may be so.
    Yes,
    /// It is not.
    No,
}

/// How a C program is read.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "C")]
pub(crate) struct Language {
    /// Types as on 32-bit machines: int, long and pointers have 32 bits (ILP32).
    #[arg(long = "32", conflicts_with = "lp64")]
    pub(crate) ilp32: bool,
    /// Types as on 64-bit machines: long and pointers have 64 bits (LP64, the default).
    #[arg(long = "64", id = "lp64")]
    pub(crate) lp64: bool,
    /// What to ask about every place of the program, with commas between: `assert`, `bounds`, `null`, …, or
    /// the groups `memory` and `undefined` (an unknown name prints the list). Each place has an answer of its
    /// own. Without it: can some assertion fail?
    #[arg(long = "property", value_name = "LIST")]
    pub(crate) properties: Vec<Properties>,
    /// Let allocations fail: `malloc` and kin may give null.
    #[arg(long)]
    pub(crate) malloc_may_fail: bool,
    /// What becomes of calls: bodies stand in their place, and recursion is unrolled to a bound (`inline`);
    /// recursive functions stay procedures (`auto`); functions that are called from several places do, too
    /// (`keep`).
    #[arg(long, value_name = "HOW", default_value = "auto")]
    pub(crate) calls: nilas_c::CallMode,
    /// The same as `--property assert,undefined`.
    #[arg(long)]
    pub(crate) check_undefined: bool,
    /// What unknown functions (no body, no catalogue entry) do: `nothing` but return any value; also write to
    /// and call what their `arguments` reach; or `anything` that has external linkage, too.
    #[arg(long, value_name = "WHAT", default_value = "arguments")]
    pub(crate) unknown_functions: UnknownFunctions,
    /// Inline assembly gives its outputs any value (`any`), or a program that can reach it is refused
    /// (`refuse`). Empty templates are compiler barriers and never refused.
    #[arg(long, value_name = "WHAT", value_enum, default_value = "any")]
    pub(crate) asm: Assembly,
    /// Check this function instead of `main`, called once with any arguments (`FUNCTION@FILE` where several
    /// files have one of the name).
    #[arg(long, value_name = "FUNCTION")]
    pub(crate) function: Option<String>,
    /// What variables of static storage duration hold when the function is called: what they are
    /// `initialised` with, or `any` value (constants excepted).
    #[arg(long, value_name = "WHAT", value_enum, default_value = "initialised", requires = "function")]
    pub(crate) globals: Globals,
    /// Pointers that the function is called with point into arrays of N elements, to any of them.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=65536), default_value_t = Pointers::default().size, requires = "function")]
    pub(crate) pointer_size: u64,
    /// Pointers in what these point to are so, too, N pointers deep; deeper ones are of unknown origin.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=16), default_value_t = Pointers::default().depth, requires = "function")]
    pub(crate) pointer_depth: u32,
    /// Whether they may be null.
    #[arg(long, value_name = "WHETHER", value_enum, default_value = "yes", requires = "function")]
    pub(crate) pointer_null: Whether,
    /// Whether two of the same type may point into the same array.
    #[arg(long, value_name = "WHETHER", value_enum, default_value = "yes", requires = "function")]
    pub(crate) pointer_alias: Whether,
    /// An interrupt handler (`void f(void)`): it may run before every access to data that it touches, any
    /// number of times. Repeat the option for several handlers.
    #[arg(long = "interrupt", value_name = "FUNCTION")]
    pub(crate) interrupts: Vec<String>,
    /// How deep interrupt handlers may interrupt each other.
    #[arg(long, value_name = "N", default_value_t = 1, requires = "interrupts")]
    pub(crate) interrupt_depth: u32,
    /// The compiler that preprocesses files with directives, with flags if it needs any
    /// (`'gcc -funsigned-char'`); without it, `cc`, or what a project names.
    #[arg(long, value_name = "COMPILER")]
    pub(crate) cc: Option<String>,
    /// A folder to look for headers in.
    #[arg(short = 'I', value_name = "DIR")]
    pub(crate) include: Vec<PathBuf>,
    /// Define a macro.
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub(crate) define: Vec<String>,
    /// Undefine a macro.
    #[arg(short = 'U', value_name = "NAME")]
    pub(crate) undefine: Vec<String>,
    /// The language standard.
    #[arg(long = "std", value_name = "STANDARD")]
    pub(crate) standard: Option<String>,
    /// A flag for the compiler. Flags that compilers know (`-include FILE`, `-isystem DIR`, `-std=c99`,
    /// `-m32`, `-fcommon`, …) can be given as they are.
    #[arg(long = "flag", value_name = "FLAG", allow_hyphen_values = true)]
    pub(crate) flags: Vec<String>,
}

impl Language {
    /// The properties that are asked about, if any are named.
    pub(crate) fn asked(&self) -> Option<Properties> {
        let checked = self.check_undefined.then(Properties::undefined);
        self.properties.iter().copied().chain(checked).reduce(Properties::union)
    }

    /// The function that is checked alone.
    fn caller(&self) -> Option<Caller> {
        let pointers = Pointers {
            size: self.pointer_size,
            depth: self.pointer_depth,
            null: self.pointer_null == Whether::Yes,
            alias: self.pointer_alias == Whether::Yes,
        };
        let any_globals = self.globals == Globals::Any;
        self.function.clone().map(|function| Caller { function, any_globals, pointers })
    }

    pub(crate) fn library(&self) -> nilas_check::Language {
        nilas_check::Language {
            narrow: if self.ilp32 { Some(true) } else { self.lp64.then_some(false) },
            properties: self.asked(),
            stricter: Properties::NONE,
            malloc_may_fail: self.malloc_may_fail,
            calls: self.calls,
            unknown_functions: self.unknown_functions,
            caller: self.caller(),
            interrupts: Interrupts { handlers: self.interrupts.clone(), depth: self.interrupt_depth },
            waypoints: None,
            refuse_assembly: self.asm == Assembly::Refuse,
            compiler: self.cc.clone(),
            include: self.include.clone(),
            define: self.define.clone(),
            undefine: self.undefine.clone(),
            standard: self.standard.clone(),
            flags: self.flags.clone(),
        }
    }
}

/// Which files are the program.
#[derive(Debug, Clone, Args)]
pub(crate) struct Files {
    /// The program: C files (`.c`, `.i`), which are linked, or `-` for C from standard input; or a task
    /// definition (`.yml`); or an automaton (`.cfa`), transition system (`.vmt`, `.btor2`) or Horn clauses
    /// (`.smt2`). A property file (`.prp`) beside C says what is asked.
    #[arg(value_name = "FILE", required_unless_present = "project")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) project: Project,
}

impl Files {
    /// The program that the files are.
    pub(crate) fn task(&self, language: &Language) -> Result<Task, Refusal> {
        let dash = |path: &PathBuf| path.as_os_str() == "-";
        match &self.files[..] {
            [path] if dash(path) => return crate::check::standard_input(language.library()),
            files if files.iter().any(dash) => {
                return Err(Refusal::usage(
                    "nilas: `-` is a program by itself: no other file can be linked to it",
                ));
            }
            _ => {}
        }
        Task::of_files(&self.files, self.project.project.as_deref(), language.library())
    }

    /// The C program that they are, whatever their names.
    pub(crate) fn c_task(&self, language: &Language) -> Task {
        Task::of_c_files(&self.files, self.project.project.as_deref(), language.library())
    }
}

/// Where a build system says how files are compiled.
#[derive(Debug, Clone, Args)]
pub(crate) struct Project {
    /// Take files and their flags from this `compile_commands.json`, or the one in this folder; if files are
    /// named, only those.
    #[arg(long, value_name = "PATH")]
    pub(crate) project: Option<PathBuf>,
}
