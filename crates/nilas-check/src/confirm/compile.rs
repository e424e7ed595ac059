//! A scratch folder in which a test is compiled with the files of the user, and run within limits.

use super::sanitiser::Sanitiser;
use crate::input::Stop;
use crate::project;
use crate::refusal::Refusal;
use crate::task::CProgram;
use nilas_c::Input;
use nilas_c::preprocess::{
    Allowed, Ended, NILAS_H, PreprocessError, Preprocessor, needs_preprocessing, supervise,
};
use nilas_report::harness::CONFIRM;
use nilas_smt::Budget;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// How long the compiler may take for one file, by the clock.
const COMPILE: Duration = Duration::from_secs(120);
/// How long the test may run: processor seconds, and time by the clock.
const SECONDS: u32 = 10;
const CLOCK: Duration = Duration::from_secs(60);
/// How much memory it may take, and how large a file may be that it writes, in megabytes.
const MEGABYTES: u32 = 2048;
const FILE_MEGABYTES: u32 = 64;
/// What is read of what the compiler prints.
const OUTPUT: usize = 1 << 20;

static COUNTER: AtomicU32 = AtomicU32::new(0);

/// A folder that is removed at the end.
pub(super) struct Scratch {
    folder: PathBuf,
}

/// How a run ended.
pub(super) struct Ran {
    /// What it printed on standard error.
    pub(super) messages: String,
    /// Its end, as what a sentence about the program goes on with.
    pub(super) end: String,
}

impl Scratch {
    pub(super) fn new() -> std::io::Result<Scratch> {
        loop {
            let number = COUNTER.fetch_add(1, Ordering::Relaxed);
            let folder = std::env::temp_dir().join(format!("nilas-confirm-{}-{number}", std::process::id()));
            match std::fs::create_dir(&folder) {
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists && number < 1 << 20 => {}
                other => return other.map(|()| Scratch { folder }),
            }
        }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Compiles test and program; why that does not work.
    ///
    /// # Errors
    /// When the files of the program cannot be read.
    pub(super) fn build(
        &self,
        program: &CProgram,
        name: &str,
        test: &str,
        sanitiser: Option<&Sanitiser>,
    ) -> Result<Result<(), String>, Refusal> {
        let budget = Budget::unlimited();
        let units = project::units(program, name, &budget).map_err(|stop: Stop| stop.refusal("was read"))?;
        let narrow = units.model.is_narrow();
        let Some(first) = units.files.first().map(|file| file.preprocessor.clone()) else {
            return Ok(Err("the program has no file".to_owned()));
        };
        Ok(self.build_units(&units.files, &first, narrow, test, sanitiser).map_err(|why| {
            match narrow && first.tell_width && !self.has_library(&first) {
                true => format!("`{} -m32` has no C library here", first.compiler.display()),
                false => why,
            }
        }))
    }

    fn build_units(
        &self,
        files: &[nilas_c::File],
        first: &Preprocessor,
        narrow: bool,
        test: &str,
        sanitiser: Option<&Sanitiser>,
    ) -> Result<(), String> {
        let failed = |error: std::io::Error| format!("the scratch folder cannot be written: {error}");
        let harness = self.file("harness.c");
        std::fs::write(&harness, test).map_err(failed)?;
        std::fs::create_dir_all(self.file("include")).map_err(failed)?;
        std::fs::write(self.file("include/nilas.h"), NILAS_H).map_err(failed)?;
        let mut shared: Vec<OsString> = width(first, narrow);
        match sanitiser {
            Some(sanitiser) => shared.extend([
                sanitise(first, sanitiser).into(),
                "-fno-sanitize-recover=all".into(),
                "-fno-omit-frame-pointer".into(),
            ]),
            None => shared.push("-fwrapv".into()),
        }
        let mut objects = vec![self.file("harness.o")];
        let flags = [format!("-D{CONFIRM}").into(), "-fno-builtin".into()];
        compile(first, &shared, &flags, (&harness, "c"), &objects[0])?;
        for (number, file) in files.iter().enumerate() {
            let (path, bytes) = match &file.input {
                Input::Path(path) => (path.clone(), std::fs::read(path).map_err(failed)?),
                Input::Read { path, bytes } => (path.clone(), bytes.clone()),
                Input::Text { name, text } => {
                    let path = self.file(&format!("program{number}.c"));
                    let name = name.replace('\\', "\\\\").replace('"', "\\\"");
                    let marked = [format!("# 1 \"{name}\"\n").as_bytes(), text].concat();
                    std::fs::write(&path, marked).map_err(failed)?;
                    (path, text.clone())
                }
            };
            // The compiler looks at macros only where Nilas does.
            let language = if needs_preprocessing(&bytes) { "c" } else { "cpp-output" };
            let mut flags = file.preprocessor.flags.clone();
            flags.extend(["-idirafter".into(), self.file("include").into(), "-fno-builtin".into()]);
            // Some value that uninitialised variables may have, and the simplest one.
            let zero = "-ftrivial-auto-var-init=zero";
            if understands(&file.preprocessor, zero) {
                flags.push(zero.into());
            }
            let object = self.file(&format!("{number}.o"));
            compile(&file.preprocessor, &shared, &flags, (&path, language), &object)?;
            objects.push(object);
        }
        let mut command = Command::new(&first.compiler);
        command.args(&shared).args(&objects).arg("-o").arg(self.file("program"));
        // The definitions of the test come first.
        command.args(["-Wl,-z,muldefs", "-w", "-lm"]);
        finished(command, "link")
    }

    /// Whether the compiler makes 32-bit programs that use the C library.
    fn has_library(&self, preprocessor: &Preprocessor) -> bool {
        let (source, program) = (self.file("probe.c"), self.file("probe"));
        let text = "#include <stdlib.h>\nint main(void) { return abs(0); }\n";
        if std::fs::write(&source, text).is_err() {
            return false;
        }
        let mut command = Command::new(&preprocessor.compiler);
        command.args(["-m32", "-w"]).arg(&source).arg("-o").arg(&program);
        finished(command, "compile").is_ok()
    }

    /// Runs the program; why that does not work.
    pub(super) fn run(&self, sanitiser: Option<&Sanitiser>) -> Result<Ran, String> {
        let mut limits = format!("ulimit -c 0; ulimit -t {SECONDS}; ulimit -f {};", 2048 * FILE_MEGABYTES);
        if !sanitiser.is_some_and(Sanitiser::maps_shadow) {
            limits += &format!(" ulimit -v {};", 1024 * MEGABYTES);
        }
        let mut command = Command::new("sh");
        command.arg("-c").arg(format!("{limits} exec ./program")).current_dir(&self.folder);
        command.env_clear().env("PATH", "/usr/bin:/bin").env("LC_ALL", "C");
        let leaks = u8::from(sanitiser.is_some_and(Sanitiser::finds_leaks));
        command.env(
            "ASAN_OPTIONS",
            format!(
                "detect_leaks={leaks}:detect_stack_use_after_return=1:hard_rss_limit_mb={MEGABYTES}:allocator_may_return_null=1"
            ),
        );
        command.env("UBSAN_OPTIONS", "halt_on_error=1");
        command.stdin(Stdio::null()).stdout(Stdio::null());
        let budget = Budget::unlimited();
        let allowed = Allowed { time: CLOCK, output: OUTPUT, budget: &budget };
        match supervise(command, Vec::new(), &allowed) {
            Ok(Ended { status, messages, .. }) => {
                let messages = String::from_utf8_lossy(&messages).into_owned();
                Ok(Ran { messages, end: end(status) })
            }
            Err(PreprocessError::TimedOut(limit)) => {
                Err(format!("the program does not end within {} s", limit.as_secs()))
            }
            Err(PreprocessError::NoCompiler { reason, .. }) => Err(format!("it cannot be run: {reason}")),
            Err(_) => Err("it cannot be run".to_owned()),
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// What tells the compiler the width of pointers. On narrow x86, floats are computed in their own precision.
fn width(preprocessor: &Preprocessor, narrow: bool) -> Vec<OsString> {
    match (preprocessor.tell_width, narrow) {
        (false, _) => Vec::new(),
        (true, false) => vec!["-m64".into()],
        (true, true) if cfg!(any(target_arch = "x86", target_arch = "x86_64")) => {
            ["-m32", "-msse2", "-mfpmath=sse"].map(OsString::from).into()
        }
        (true, true) => vec!["-m32".into()],
    }
}

/// Compiles one file.
fn compile(
    preprocessor: &Preprocessor,
    shared: &[OsString],
    flags: &[OsString],
    (source, language): (&Path, &str),
    object: &Path,
) -> Result<(), String> {
    let mut command = Command::new(&preprocessor.compiler);
    command.args(flags).args(shared).args(["-w", "-O0", "-g", "-c", "-x", language]);
    // A name like `-o` must not be read as an option.
    let option = source.to_string_lossy().starts_with('-');
    let source = if option { Path::new(".").join(source) } else { source.to_owned() };
    command.arg(source).arg("-o").arg(object);
    finished(command, "compile")
}

/// The flag of sanitisers. Those of clang know arrays at the end of structs without being told.
fn sanitise(preprocessor: &Preprocessor, sanitiser: &Sanitiser) -> String {
    let flag = format!("-fsanitize={}", sanitiser.names);
    if understands(preprocessor, &flag) { flag } else { flag.replace("bounds-strict", "bounds") }
}

/// Whether the compiler knows a flag.
fn understands(preprocessor: &Preprocessor, flag: &str) -> bool {
    let mut command = Command::new(&preprocessor.compiler);
    command.args([flag, "-w", "-fsyntax-only", "-x", "c", "/dev/null"]);
    finished(command, "compile").is_ok()
}

fn finished(mut command: Command, verb: &str) -> Result<(), String> {
    let compiler = command.get_program().to_string_lossy().into_owned();
    command.stdin(Stdio::null()).stdout(Stdio::null());
    let budget = Budget::unlimited();
    let allowed = Allowed { time: COMPILE, output: OUTPUT, budget: &budget };
    match supervise(command, Vec::new(), &allowed) {
        Ok(Ended { status, .. }) if status.success() => Ok(()),
        Ok(Ended { messages, .. }) => {
            let said = String::from_utf8_lossy(&messages).into_owned();
            let wanted = |line: &&str| line.contains("error") || line.contains("undefined reference");
            let line = said.lines().find(wanted).or(said.lines().next()).unwrap_or_default();
            Err(format!("it does not {verb}: {}", line.trim()))
        }
        Err(PreprocessError::NoCompiler { reason, .. }) => {
            Err(format!("the compiler `{compiler}` cannot be run: {reason}"))
        }
        Err(_) => Err(format!("the compiler `{compiler}` takes too long or prints too much")),
    }
}

/// How a process ended, in words.
fn end(status: std::process::ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        // Signals of the limits of processor time.
        return match signal {
            9 | 24 => format!("is ended after {SECONDS} s of processor time, or for its memory"),
            signal => format!("is ended by signal {signal}"),
        };
    }
    format!("ends with status {}", status.code().unwrap_or(-1))
}
