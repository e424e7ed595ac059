//! Scripts of many solvers: engines have one per edge.

use super::{Limits, Recorder};
use crate::solver::Solver;
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Files to record to. Solver by solver they are `FILE.smt2`, `FILE.2.smt2`, `FILE.3.smt2` and so on. Clones count on
/// together, so that threads can share one.
#[derive(Clone, Debug)]
pub struct Tape {
    path: PathBuf,
    limits: Limits,
    /// Files at most.
    files: usize,
    used: Arc<AtomicUsize>,
}

impl Tape {
    /// A tape whose first file is `path`, with limits for each file and for their number.
    #[must_use]
    pub fn new(path: &Path, limits: Limits, files: usize) -> Self {
        Tape { path: path.to_owned(), limits, files, used: Arc::default() }
    }

    /// Records a new solver to the next file; `None` for the recorder when all files are used up.
    ///
    /// # Errors
    /// When the file cannot be created.
    pub fn record<S: Solver>(&self, solver: S) -> io::Result<Result<Recorder<S, BufWriter<File>>, S>> {
        let number = self.used.fetch_add(1, Ordering::Relaxed) + 1;
        if number > self.files {
            return Ok(Err(solver));
        }
        let writer = BufWriter::new(File::create(self.file(number))?);
        Ok(Ok(Recorder::new(solver, writer, self.limits)))
    }

    /// The name of the `number`th file, from 1.
    fn file(&self, number: usize) -> PathBuf {
        if number == 1 {
            return self.path.clone();
        }
        let extension = self.path.extension().unwrap_or_else(|| "smt2".as_ref());
        let mut numbered = std::ffi::OsString::from(format!("{number}."));
        numbered.push(extension);
        self.path.with_extension(numbered)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_numbered() {
        let tape = Tape::new(Path::new("/tmp/a/queries.smt2"), Limits::default(), 3);
        assert_eq!(tape.file(1), Path::new("/tmp/a/queries.smt2"));
        assert_eq!(tape.file(2), Path::new("/tmp/a/queries.2.smt2"));
        assert_eq!(Tape::new(Path::new("log"), Limits::default(), 3).file(3), Path::new("log.3.smt2"));
    }
}
