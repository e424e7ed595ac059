//! A session: limits, and the threads that work under them.
//!
//! Whoever asks one question calls [`crate::check`], which returns when everything that worked for the answer
//! has ended. A process that is about to end anyway does not need to wait for that: it keeps the session,
//! tells the answer, and ends.

use crate::answer::{Answer, Parts};
use crate::check;
use crate::definition;
use crate::input::{self, Input};
use crate::limits::{Clock, Limits, Stopper};
use crate::observer::Observer;
use crate::options::{LimitOptions, Options};
use crate::refusal::Refusal;
use crate::saved;
use crate::task::{Task, Text};
use crate::validate::{self, Validated};
use crate::verify::{self, Verified};
use nilas_c::tree;
use nilas_smt::Budget;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

/// Engines and checker recurse nowhere on user data, but drop deep structures of other crates: be generous.
pub(crate) const STACK: usize = 256 << 20;

/// So often a thread is started that finds no room for its stack, with pauses.
const ATTEMPTS: u32 = 8;
const PAUSE: Duration = Duration::from_millis(50);

/// See the module's text. Dropping it stops what still works, and waits for that.
pub struct Session {
    limits: Limits,
    crew: Mutex<Vec<JoinHandle<()>>>,
}

impl Session {
    /// A session that begins now.
    #[must_use]
    pub fn start(limits: &LimitOptions) -> Session {
        Session { limits: Limits::start(limits), crew: Mutex::default() }
    }

    /// Checks a program. (The limits among the options are those of another session.)
    ///
    /// # Errors
    /// When the program cannot be read, or a bug in Nilas shows.
    pub fn check(
        &self,
        task: &Task,
        options: &Options,
        observer: &mut dyn Observer,
    ) -> Result<Answer, Refusal> {
        on_thread(|| {
            let mut answer = check::check(self, task, options, observer)?;
            if let Parts::Places(places, _) = &mut answer.parts {
                definition::judge_no_stricter(task, places);
            }
            Ok(answer)
        })
    }

    /// Checks evidence that was saved, see [`crate::verify`].
    ///
    /// # Errors
    /// When the program or the evidence cannot be read, or a bug in Nilas shows.
    pub fn verify(&self, task: &Task, evidence: &Text, options: &Options) -> Result<Verified, Refusal> {
        on_thread(|| {
            let verified = verify::verify(self, task, evidence, options)?;
            Ok(verified.judged(|places| definition::judge_no_stricter(task, places)))
        })
    }

    /// Looks whether a witness of the SV-COMP is true of a program.
    ///
    /// # Errors
    /// When the program or the witness cannot be read, or a bug in Nilas shows.
    pub fn validate(
        &self,
        task: &Task,
        witness: &Text,
        options: &Options,
        observer: &mut dyn Observer,
    ) -> Result<Validated, Refusal> {
        on_thread(|| validate::validate(self, task, witness, options, observer))
    }

    /// Reads a program.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn read(&self, task: &Task) -> Result<Input, Refusal> {
        on_thread(|| input::read(task, &self.budget()).map_err(|stop| stop.refusal("was read")))
    }

    /// Reads a program as evidence is about it: lowered with the bounds that the evidence names.
    ///
    /// # Errors
    /// When program or evidence cannot be read, or the evidence is about something else.
    pub fn read_for(&self, task: &Task, evidence: &Text) -> Result<Input, Refusal> {
        let budget = self.budget();
        on_thread(|| {
            let read = input::read(task, &budget);
            let read = read.and_then(|input| saved::program_of_text(input, evidence, &budget));
            read.map_err(|stop| stop.refusal("was read"))
        })
    }

    /// Reads a C program as a typed tree.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn read_tree(&self, task: &Task) -> Result<tree::Program, Refusal> {
        on_thread(|| input::tree(task, &self.budget()).map_err(|stop| stop.refusal("was read")))
    }

    /// A budget under the limits of the session.
    #[must_use]
    pub fn budget(&self) -> Budget {
        self.limits.budget()
    }

    /// When a limit was reached.
    #[must_use]
    pub fn clock(&self) -> Clock {
        self.limits.clock().clone()
    }

    /// Stops the work of the session from another thread.
    #[must_use]
    pub fn stopper(&self) -> Stopper {
        self.limits.stopper()
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Starts a thread that is waited for when the session ends; whether that worked. Where there is no room
    /// for its stack, threads that have just been stopped may be about to make some.
    pub(crate) fn spawn(&self, name: &str, work: impl FnOnce() + Send + 'static) -> bool {
        // A thread that cannot be started takes its closure with it.
        let work = Arc::new(Mutex::new(Some(work)));
        for _ in 0..ATTEMPTS {
            let work = Arc::clone(&work);
            let begin = move || {
                let work = work.lock().unwrap_or_else(PoisonError::into_inner).take();
                if let Some(work) = work {
                    work();
                }
            };
            let spawned = Builder::new().name(name.to_owned()).stack_size(STACK).spawn(begin);
            let mut crew = self.crew.lock().unwrap_or_else(PoisonError::into_inner);
            let (ended, working): (Vec<_>, _) =
                std::mem::take(&mut *crew).into_iter().partition(JoinHandle::is_finished);
            *crew = working;
            let made_room = !ended.is_empty();
            join(ended);
            match spawned {
                Ok(thread) => {
                    crew.push(thread);
                    return true;
                }
                Err(_) if made_room => {}
                Err(_) => {
                    drop(crew);
                    std::thread::sleep(PAUSE);
                }
            }
        }
        false
    }
}

/// Does work on a thread with a large stack, and waits for it.
fn on_thread<T: Send>(work: impl FnOnce() -> Result<T, Refusal> + Send) -> Result<T, Refusal> {
    std::thread::scope(|scope| {
        let thread = Builder::new().name("nilas".into()).stack_size(STACK);
        let ended = thread.spawn_scoped(scope, work).map(std::thread::ScopedJoinHandle::join);
        match ended {
            Ok(Ok(result)) => result,
            Ok(Err(_)) => Err(Refusal::internal("nilas: internal error; please report it with the input")),
            Err(_) => Err(Refusal::limit("nilas: there is no memory for a thread")),
        }
    })
}

impl Drop for Session {
    fn drop(&mut self) {
        self.limits.cancel();
        let crew = std::mem::take(&mut *self.crew.lock().unwrap_or_else(PoisonError::into_inner));
        join(crew);
    }
}

fn join(threads: Vec<JoinHandle<()>>) {
    for thread in threads {
        // What an engine that lost died of does not matter to the answer.
        let _ = thread.join();
    }
}
