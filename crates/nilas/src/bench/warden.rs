//! A small helper process that ends what the runner has started, even when the runner itself is killed.
//!
//! Each task runs in a process group of its own, so that a tool's helpers end with it; but then Ctrl-C in a
//! terminal reaches only the runner. The warden is a shell that reads orders from a pipe. When the pipe
//! closes, because the runner has ended in whatever way, it kills every group that is still watched. It also
//! does the killing for the runner, which cannot send signals to groups by itself.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Mutex, PoisonError};

/// Each order is answered by one line. Groups are killed while their leader is not yet reaped, so that their
/// number cannot belong to anybody else.
const SCRIPT: &str = r#"
trap '' INT TERM HUP
groups=
while read -r order group others; do
  if [ "$order" = watch ]; then
    groups="$groups $group"
  else
    kill -s KILL -- "-$group" 2>/dev/null
    for process in $others; do kill -s KILL "$process" 2>/dev/null; done
    rest=
    for other in $groups; do [ "$other" = "$group" ] || rest="$rest $other"; done
    groups=$rest
  fi
  echo done
done
for group in $groups; do kill -s KILL -- "-$group" 2>/dev/null; done
"#;

/// The helper process and the pipes to it.
pub(crate) struct Warden {
    child: Child,
    pipes: Mutex<Option<(ChildStdin, BufReader<ChildStdout>)>>,
}

impl Warden {
    pub(crate) fn start() -> std::io::Result<Warden> {
        let mut command = Command::new("sh");
        command.args(["-c", SCRIPT]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        // Out of reach of the terminal's Ctrl-C.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let pipes = Mutex::new(pipes.map(|(stdin, stdout)| (stdin, BufReader::new(stdout))));
        Ok(Warden { child, pipes })
    }

    /// Kills the group when the runner ends before [`Warden::stop`].
    pub(crate) fn watch(&self, group: u32) {
        self.order(&format!("watch {group}\n"));
    }

    /// Kills what is left of the group, and the other processes.
    pub(crate) fn stop(&self, group: u32, others: &[u32]) {
        let others: String = others.iter().map(|process| format!(" {process}")).collect();
        self.order(&format!("stop {group}{others}\n"));
    }

    fn order(&self, order: &str) {
        let mut pipes = self.pipes.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((stdin, stdout)) = &mut *pipes {
            // A warden that somebody has killed cannot help; the runner still kills the task's own process.
            if stdin.write_all(order.as_bytes()).is_ok() {
                let _ = stdout.read_line(&mut String::new());
            }
        }
    }
}

impl Drop for Warden {
    fn drop(&mut self) {
        self.pipes.lock().unwrap_or_else(PoisonError::into_inner).take();
        let _ = self.child.wait();
    }
}
