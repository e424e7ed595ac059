//! What the compiler and the machine say.

use nilas_c::types::DataModel;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A folder for one test, removed at its end.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("nilas-compiler-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// How gcc is called for a data model.
pub(crate) fn flags(model: DataModel) -> &'static [&'static str] {
    match model {
        DataModel::Ilp32 => &["-m32", "-msse2", "-mfpmath=sse"],
        DataModel::Lp64 => &["-m64"],
        DataModel::Other(_) => &[],
    }
}

/// Compiles files to a program; what gcc has to say if it does not.
pub(crate) fn compile(
    source: &Path,
    binary: &Path,
    model: DataModel,
    more: &[&str],
    second: Option<&Path>,
) -> Result<(), String> {
    let output = Command::new("gcc")
        .args(["-std=gnu11", "-w", "-O0", "-fwrapv"])
        .args(flags(model))
        .args(more)
        .arg(source)
        .args(second)
        .arg("-o")
        .arg(binary)
        .arg("-lm")
        .stdin(Stdio::null())
        .output()
        .map_err(|error| error.to_string())?;
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}

/// Whether gcc makes programs for the data model here; says so if not.
pub(crate) fn available(model: DataModel) -> bool {
    let folder = Folder::new();
    let source = folder.file("probe.c");
    std::fs::write(&source, "#include <stdio.h>\nint main(void) { return puts(\"\") < 0; }\n").unwrap();
    match compile(&source, &folder.file("probe"), model, &[], None) {
        Ok(()) => true,
        Err(reason) => {
            eprintln!(
                "skipped for {model:?}: gcc cannot make a program ({})",
                reason.lines().next().unwrap_or("")
            );
            false
        }
    }
}

/// What a program prints; `None` if it does not end well within the seconds.
pub(crate) fn output(binary: &Path, seconds: u32) -> Option<String> {
    let output =
        Command::new("timeout").arg(seconds.to_string()).arg(binary).stdin(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}
