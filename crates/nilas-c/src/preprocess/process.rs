//! One child process with a time limit and an output limit.

use super::PreprocessError;
use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// What the compiler says on its error output is cut here.
const MESSAGE_LIMIT: usize = 64 << 10;

/// Runs `program`, feeds it `input`, and returns what it wrote if it ended well.
pub(super) fn run(
    program: &Path,
    arguments: &[OsString],
    input: Vec<u8>,
    time_limit: Duration,
    output_limit: usize,
) -> Result<Vec<u8>, PreprocessError> {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command.spawn().map_err(|error| PreprocessError::NoCompiler {
        compiler: program.display().to_string(),
        reason: error.to_string(),
    })?;
    let (sender, receiver) = mpsc::channel();
    if let Some(mut stdin) = child.stdin.take() {
        // A compiler that stops reading is not an error by itself: its exit code tells.
        std::thread::spawn(move || drop(stdin.write_all(&input)));
    }
    let stdout = child.stdout.take();
    let output_sender = sender.clone();
    std::thread::spawn(move || output_sender.send((true, read_up_to(stdout, output_limit))));
    let stderr = child.stderr.take();
    std::thread::spawn(move || sender.send((false, read_up_to(stderr, MESSAGE_LIMIT))));

    let deadline = Instant::now() + time_limit;
    let (mut output, mut messages) = (None, None);
    while output.is_none() || messages.is_none() {
        match receiver.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok((true, bytes)) if bytes.len() > output_limit => {
                stop(&mut child);
                return Err(PreprocessError::TooLarge(output_limit));
            }
            Ok((true, bytes)) => output = Some(bytes),
            Ok((false, bytes)) => messages = Some(bytes),
            Err(mpsc::RecvTimeoutError::Timeout) => {
                stop(&mut child);
                return Err(PreprocessError::TimedOut(time_limit));
            }
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                stop(&mut child);
                return Err(PreprocessError::Io("a pipe broke".to_owned()));
            }
        }
    }
    loop {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return Ok(output.unwrap_or_default()),
            Ok(Some(_)) => {
                let messages = messages.unwrap_or_default();
                return Err(PreprocessError::Refused(String::from_utf8_lossy(&messages).into_owned()));
            }
            Ok(None) if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(1)),
            Ok(None) => {
                stop(&mut child);
                return Err(PreprocessError::TimedOut(time_limit));
            }
            Err(error) => return Err(PreprocessError::Io(error.to_string())),
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
