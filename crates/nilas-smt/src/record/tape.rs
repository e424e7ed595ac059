//! Scripts of many solvers: engines have one per edge.
//!
//! A file holds whole commands at any time, so what was recorded is a script however the process ends. Files
//! are opened for each piece that is written: an engine may have more solvers than a process may have open
//! files.

use super::{Limits, Recorder};
use crate::solver::Solver;
use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Files to record to. Solver by solver they are `FILE.smt2`, `FILE.2.smt2`, `FILE.3.smt2` and so on, each
/// made when its solver is first asked something. Clones count on together, so that threads can share one.
#[derive(Clone, Debug)]
pub struct Tape {
    path: PathBuf,
    limits: Limits,
    /// Solvers recorded so far.
    files: Arc<AtomicUsize>,
    shared: Arc<Shared>,
}

/// What all parts of a tape share.
#[derive(Debug, Default)]
struct Shared {
    bytes: AtomicU64,
    error: Mutex<Option<String>>,
}

impl Tape {
    /// A tape whose first file is `path`. The limit of queries holds for each file, that of bytes for all
    /// files together.
    #[must_use]
    pub fn new(path: &Path, limits: Limits) -> Self {
        Tape { path: path.to_owned(), limits, files: Arc::default(), shared: Arc::default() }
    }

    /// The tape for a part of the work, under the same limits: its files are `FILE.NAME.smt2`,
    /// `FILE.NAME.2.smt2` and so on.
    #[must_use]
    pub fn part(&self, name: &str) -> Self {
        let path = self.path.with_extension(extension(name, &self.path));
        Tape { path, limits: self.limits, files: Arc::default(), shared: Arc::clone(&self.shared) }
    }

    /// The first file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Makes the first file, empty.
    ///
    /// # Errors
    /// When that is not possible.
    pub fn begin(&self) -> io::Result<()> {
        File::create(&self.path).map(|_| ())
    }

    /// The solver, recorded to the next file from its first question on.
    pub fn record<S: Solver>(&self, solver: S) -> Recorder<S, TapeWriter> {
        let number = self.files.fetch_add(1, Ordering::Relaxed) + 1;
        let writer = TapeWriter {
            path: self.file(number),
            limit: self.limits.bytes,
            shared: Arc::clone(&self.shared),
            begun: false,
        };
        Recorder::new(solver, writer, self.limits)
    }

    /// The first error that any file met.
    #[must_use]
    pub fn error(&self) -> Option<String> {
        self.shared.error.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The name of the `number`th file, from 1.
    fn file(&self, number: usize) -> PathBuf {
        match number {
            1 => self.path.clone(),
            _ => self.path.with_extension(extension(&number.to_string(), &self.path)),
        }
    }
}

/// A word, a dot, and the extension that the path has or should have.
fn extension(word: &str, path: &Path) -> OsString {
    let mut extension = OsString::from(format!("{word}."));
    extension.push(path.extension().unwrap_or_else(|| "smt2".as_ref()));
    extension
}

/// Writes one file of a [`Tape`]. What is given in one piece is written in one piece or not at all.
#[derive(Debug)]
pub struct TapeWriter {
    path: PathBuf,
    limit: u64,
    shared: Arc<Shared>,
    begun: bool,
}

impl TapeWriter {
    fn open(&mut self) -> io::Result<File> {
        if self.begun {
            return OpenOptions::new().append(true).open(&self.path);
        }
        self.begun = true;
        File::create(&self.path)
    }
}

impl Write for TapeWriter {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        let bytes = piece.len() as u64;
        if self.shared.bytes.fetch_add(bytes, Ordering::Relaxed) > self.limit {
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, "the limit of the recording is reached"));
        }
        let written = self.open().and_then(|mut file| file.write_all(piece));
        if let Err(error) = &written {
            let what = format!("{}: {error}", self.path.display());
            self.shared.error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(what);
        }
        written.map(|()| piece.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::super::Stream;
    use super::*;
    use crate::{Answer, Budget, Embedded};
    use nilas_term::{Arena, Sort};

    #[test]
    fn files_are_numbered() {
        let tape = Tape::new(Path::new("/tmp/a/queries.smt2"), Limits::default());
        assert_eq!(tape.file(1), Path::new("/tmp/a/queries.smt2"));
        assert_eq!(tape.file(2), Path::new("/tmp/a/queries.2.smt2"));
        assert_eq!(tape.part("bmc").file(1), Path::new("/tmp/a/queries.bmc.smt2"));
        assert_eq!(tape.part("bmc").file(2), Path::new("/tmp/a/queries.bmc.2.smt2"));
        assert_eq!(Tape::new(Path::new("log"), Limits::default()).file(3), Path::new("log.3.smt2"));
    }

    #[test]
    fn what_is_on_the_tape_is_a_script_before_the_solver_has_ended() {
        let folder = std::env::temp_dir().join(format!("nilas-tape-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let tape = Tape::new(&folder.join("queries.smt2"), Limits { bytes: 600, ..Limits::default() });
        let mut arena = Arena::new();
        let x = arena.variable("x", &Sort::BitVec(8)).unwrap();
        let mut solvers: Vec<_> =
            (0..3).map(|_| tape.record(Embedded::<crate::sat::Cdcl>::default())).collect();
        for number in 0..20 {
            let constant = arena.bv(8, number);
            let less = arena.bv_ult(x, constant);
            // The second solver is never asked, and has no file.
            for which in [0, 2] {
                let answer = solvers[which].check(&arena, &[], &[less], &Budget::unlimited());
                assert_eq!(answer, if number == 0 { Answer::Unsat } else { Answer::Sat });
            }
        }
        let mut bytes = 0;
        for (number, exists) in [(1, true), (2, false), (3, true)] {
            let path = tape.file(number);
            assert_eq!(path.exists(), exists, "{}", path.display());
            if exists {
                let text = std::fs::read_to_string(path).unwrap();
                let stream = Stream::read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
                assert!((2..10).contains(&stream.queries()), "{text}");
                bytes += text.len();
            }
        }
        assert!(bytes < 1200, "{bytes}");
        assert_eq!(tape.error(), None);
        std::fs::remove_dir_all(folder).unwrap();
        let lost = Tape::new(Path::new("/nowhere/at/all.smt2"), Limits::default());
        let mut solver = lost.record(Embedded::<crate::sat::Cdcl>::default());
        assert_eq!(solver.check(&arena, &[], &[], &Budget::unlimited()), Answer::Sat);
        assert!(lost.error().unwrap().starts_with("/nowhere/at/all.smt2: "), "{:?}", lost.error());
    }
}
