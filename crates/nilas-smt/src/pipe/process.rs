//! A solver as a child process: text goes in, s-expressions come out, nothing can block for ever.
//!
//! Two threads stand between us and the pipes. One writes, so that a solver that does not read cannot hold
//! us up; one reads into a bounded queue, so that a solver that never stops talking costs it time and us no
//! memory. The caller waits on the queue with one eye on its budget. Dropping a [`Process`] kills the child
//! and waits for it: there are no zombies. The threads end by themselves when the pipes close.

use super::frame::Framer;
use crate::budget::{Budget, Interrupt};
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::time::{Duration, Instant};

/// How often the cancel flag is polled while the solver works.
const POLL: Duration = Duration::from_millis(10);
/// How long a child that closed its output may take to end before it is killed.
const GRACE: Duration = Duration::from_millis(200);
/// The longest response that is taken, in bytes.
const MAX_RESPONSE: usize = 64 << 20;
/// Size and number of pieces of output that may wait to be looked at.
const PIECE: usize = 64 << 10;
const PIECES: usize = 16;

/// Why there is no response.
#[derive(Debug)]
pub(super) enum Trouble {
    /// The budget ended first.
    Interrupted(Interrupt),
    /// The solver is gone, or talks nonsense.
    Failed(String),
}

/// A running child process, see the module's text.
pub(super) struct Process {
    child: Child,
    input: Sender<Vec<u8>>,
    output: Receiver<Vec<u8>>,
    framer: Framer,
}

impl Process {
    /// Starts a program.
    pub(super) fn start(program: &Path, arguments: &[String]) -> Result<Self, String> {
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // Messages for a person; what matters comes as `(error …)`.
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("{} cannot be started: {error}", program.display()))?;
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let (input, to_write) = channel::<Vec<u8>>();
        let (from_reader, output) = sync_channel::<Vec<u8>>(PIECES);
        let process = Process { child, input, output, framer: Framer::new() };
        let (Some(mut stdin), Some(mut stdout)) = (stdin, stdout) else {
            return Err("no pipe to the solver".to_owned());
        };
        let writer = std::thread::Builder::new().name("solver input".to_owned()).spawn(move || {
            // Ends when the process is dropped, or no longer reads.
            while let Ok(bytes) = to_write.recv() {
                if stdin.write_all(&bytes).and_then(|()| stdin.flush()).is_err() {
                    return;
                }
            }
        });
        let reader = std::thread::Builder::new().name("solver output".to_owned()).spawn(move || {
            let mut piece = vec![0; PIECE];
            loop {
                match stdout.read(&mut piece) {
                    Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                    Ok(length) if length > 0 => {
                        if from_reader.send(piece[..length].to_vec()).is_err() {
                            return;
                        }
                    }
                    _ => return,
                }
            }
        });
        // On an error here, dropping `process` ends the child.
        writer.and(reader).map_err(|error| format!("no thread for the solver's pipes: {error}"))?;
        Ok(process)
    }

    /// Sends text. A child that is gone shows at the next [`Process::receive`].
    pub(super) fn send(&mut self, text: String) {
        let _ = self.input.send(text.into_bytes());
    }

    /// Whether the child still runs.
    pub(super) fn is_alive(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// The next expression of the output.
    pub(super) fn receive(&mut self, budget: &Budget) -> Result<String, Trouble> {
        loop {
            if let Some(text) = self.framer.next() {
                return Ok(text);
            }
            if self.framer.pending() > MAX_RESPONSE {
                return Err(Trouble::Failed(format!("a response of more than {} MB", MAX_RESPONSE >> 20)));
            }
            if let Some(why) = budget.exhausted() {
                return Err(Trouble::Interrupted(why));
            }
            let left = budget.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            match self.output.recv_timeout(left.map_or(POLL, |left| left.min(POLL))) {
                Ok(bytes) => self.framer.push(&bytes),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(Trouble::Failed(self.obituary())),
            }
        }
    }

    /// Everything up to the end of the output: for programs that end by themselves. At most one piece
    /// beyond `limit` bytes.
    pub(super) fn receive_all(&mut self, limit: usize, budget: &Budget) -> Result<String, Trouble> {
        let mut bytes = Vec::new();
        while bytes.len() <= limit {
            if let Some(why) = budget.exhausted() {
                return Err(Trouble::Interrupted(why));
            }
            match self.output.recv_timeout(POLL) {
                Ok(more) => bytes.extend_from_slice(&more),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// How the child ended, after its output did.
    fn obituary(&mut self) -> String {
        let until = Instant::now() + GRACE;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return format!("it ended without an answer ({status})"),
                Ok(None) if Instant::now() < until => std::thread::sleep(Duration::from_millis(1)),
                Ok(None) => return "it closed its output".to_owned(),
                Err(error) => return format!("it is lost ({error})"),
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Fails only for a child that has ended already; `wait` then just collects it.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
