//! One child process with a time limit, an output limit and a budget.

use super::PreprocessError;
use nilas_term::Budget;
use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// What the compiler says on its error output is cut here.
const MESSAGE_LIMIT: usize = 64 << 10;

/// How often the budget is looked at.
const POLL: Duration = Duration::from_millis(20);

/// How long after the end of a child its pipes may stay open: somebody whom it started may hold them.
const GRACE: Duration = Duration::from_secs(1);

/// What a child may use.
#[derive(Debug)]
pub struct Allowed<'b> {
    /// Time by the clock.
    pub time: Duration,
    /// Bytes of output.
    pub output: usize,
    /// The caller's budget.
    pub budget: &'b Budget,
}

/// Runs `program`, feeds it `input`, and returns what it wrote if it ended well.
pub(super) fn run(
    program: &Path,
    arguments: &[OsString],
    input: Vec<u8>,
    allowed: &Allowed<'_>,
) -> Result<Vec<u8>, PreprocessError> {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
    match supervise(command, input, allowed)? {
        Ended { status, output, .. } if status.success() => Ok(output),
        Ended { messages, .. } => {
            Err(PreprocessError::Refused(String::from_utf8_lossy(&messages).into_owned()))
        }
    }
}

/// Runs a command in a process group of its own, feeds it `input`, and waits for its end. It and what it
/// started are ended where it uses more than is allowed.
///
/// # Errors
/// When it cannot be started, or used too much.
pub fn supervise(
    mut command: Command,
    input: Vec<u8>,
    allowed: &Allowed<'_>,
) -> Result<Ended, PreprocessError> {
    command.stderr(Stdio::piped());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command.spawn().map_err(|error| PreprocessError::NoCompiler {
        compiler: command.get_program().to_string_lossy().into_owned(),
        reason: error.to_string(),
    })?;
    let (sender, receiver) = mpsc::channel();
    let mut threads = Vec::new();
    if let Some(mut stdin) = child.stdin.take() {
        // A compiler that stops reading is not an error by itself: its exit code tells.
        threads.push(std::thread::spawn(move || drop(stdin.write_all(&input))));
    }
    let (stdout, limit) = (child.stdout.take(), allowed.output);
    let output_sender = sender.clone();
    // Nobody listens any more when the child was stopped.
    threads.push(std::thread::spawn(move || drop(output_sender.send((true, read_up_to(stdout, limit))))));
    let stderr = child.stderr.take();
    threads.push(std::thread::spawn(move || drop(sender.send((false, read_up_to(stderr, MESSAGE_LIMIT))))));
    let ended = follow(&mut child, &receiver, allowed);
    if ended.is_err() {
        stop(&mut child);
    }
    join(threads);
    ended
}

/// What came of a child that ended by itself.
#[derive(Debug)]
pub struct Ended {
    /// How it ended.
    pub status: ExitStatus,
    /// Its standard output, if that was a pipe.
    pub output: Vec<u8>,
    /// Its standard error, cut where it is long.
    pub messages: Vec<u8>,
}

/// Waits for the end of the child and of its output.
fn follow(
    child: &mut Child,
    receiver: &mpsc::Receiver<(bool, Vec<u8>)>,
    allowed: &Allowed<'_>,
) -> Result<Ended, PreprocessError> {
    let deadline = Instant::now() + allowed.time;
    let within_limits = || match allowed.budget.exhausted() {
        Some(why) => Err(PreprocessError::Interrupted(why)),
        None if Instant::now() >= deadline => Err(PreprocessError::TimedOut(allowed.time)),
        None => Ok(()),
    };
    let (mut output, mut messages) = (None, None);
    while output.is_none() || messages.is_none() {
        within_limits()?;
        match receiver.recv_timeout(POLL) {
            Ok((true, bytes)) if bytes.len() > allowed.output => {
                return Err(PreprocessError::TooLarge(allowed.output));
            }
            Ok((true, bytes)) => output = Some(bytes),
            Ok((false, bytes)) => messages = Some(bytes),
            Err(mpsc::RecvTimeoutError::Timeout) => {}
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                return Err(PreprocessError::Io("a pipe broke".to_owned()));
            }
        }
    }
    loop {
        match child.try_wait() {
            Ok(Some(status)) => {
                let (output, messages) = (output.unwrap_or_default(), messages.unwrap_or_default());
                return Ok(Ended { status, output, messages });
            }
            Ok(None) => {
                within_limits()?;
                std::thread::sleep(Duration::from_millis(1));
            }
            Err(error) => return Err(PreprocessError::Io(error.to_string())),
        }
    }
}

/// Waits for the threads of the pipes. They end with the child, unless somebody whom it started has left its
/// group and holds a pipe open: such a thread ends when that one does.
fn join(threads: Vec<JoinHandle<()>>) {
    let until = Instant::now() + GRACE;
    for thread in threads {
        while !thread.is_finished() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(1));
        }
        if thread.is_finished() {
            // What it read has arrived, or nobody wants it.
            let _ = thread.join();
        }
    }
}

/// Reads to the end, but keeps at most one byte more than `limit` and then stops reading.
fn read_up_to(pipe: Option<impl Read>, limit: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(pipe) = pipe {
        let _ = pipe.take(limit as u64 + 1).read_to_end(&mut bytes);
    }
    bytes
}

/// Ends the child and, where process groups exist, what it started: `cc` runs the real compiler as a child.
fn stop(child: &mut Child) {
    #[cfg(unix)]
    {
        let group = format!("-{}", child.id());
        let _ = Command::new("kill").args(["-KILL", "--", &group]).stderr(Stdio::null()).status();
    }
    let _ = child.kill();
    let _ = child.wait();
}
