//! The face of the crate: a program that can be run.

use crate::choice::{Chooser, Made};
use crate::end::End;
use crate::machine::Machine;
use crate::observe::Observer;
use crate::prepare::Tables;
use crate::trace::Tracer;
use crate::undefined::{Kinds, Undefined};
use nilas_c::tree::Program;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// How to run.
#[derive(Clone, Debug)]
pub struct Options {
    /// Undefined behaviour that only `nilas check --check-undefined` looks for ends the execution: indices
    /// outside of an array in a larger object, arrays without elements.
    pub check_undefined: bool,
    /// These kinds end the execution, too.
    pub ends: Kinds,
    /// All undefined behaviour that programs rely on ends the execution.
    pub strict: bool,
    /// Signed arithmetic that overflows is undefined instead of wrapping around.
    pub check_overflow: bool,
    /// A variable whose address is never taken and that is read before a value was stored to it is undefined
    /// behaviour instead of any value.
    pub check_uninitialised: bool,
    /// How many expressions and statements may be evaluated.
    pub steps: u64,
    /// How many bytes the objects of the program may take.
    pub memory: u64,
    /// How many calls may be nested.
    pub depth: usize,
    /// Moves the addresses of objects.
    pub address_seed: u64,
    /// With pointers of 64 bits, static and allocated memory lies below 4 GiB, as in programs that are linked
    /// to fixed addresses (`gcc -no-pie`), and memory of unknown origin may.
    pub low: bool,
    /// Keep the choices that were made.
    pub record: bool,
    /// Keep which conditions held and did not.
    pub cover: bool,
    /// When to stop; looked at now and then.
    pub deadline: Option<Instant>,
    /// Stop when this is set.
    pub cancel: Option<Arc<AtomicBool>>,
    /// The arguments of `main` behind the name of the program. Without them `argc` is a choice.
    pub arguments: Option<Vec<String>>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            check_undefined: false,
            ends: Kinds::default(),
            strict: false,
            check_overflow: false,
            check_uninitialised: false,
            steps: u64::MAX,
            memory: 1 << 30,
            depth: 100_000,
            address_seed: 0,
            low: false,
            record: true,
            cover: false,
            deadline: None,
            cancel: None,
            arguments: Some(Vec::new()),
        }
    }
}

/// An execution that has ended.
#[derive(Clone, Debug)]
pub struct Execution {
    /// How.
    pub end: End,
    /// The first behaviour that C leaves undefined and that the execution passed over.
    pub lenient: Option<Box<Undefined>>,
    /// The choices that were made, in order, if they were recorded.
    pub choices: Vec<Made>,
    /// How many expressions and statements were evaluated.
    pub steps: u64,
    /// Which conditions (by expression: bit 0 did not hold, bit 1 held) and labels (behind all expressions)
    /// were met, if that was asked for.
    pub covered: Vec<u8>,
    /// Functions without a body of which nothing is known and that were called, each once.
    pub unknown: Vec<String>,
}

/// Where a program prints.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stream {
    /// Standard output.
    Output,
    /// Standard error.
    Error,
}

/// Takes what a program prints.
pub trait Output: Send {
    /// These bytes are printed.
    fn write(&mut self, stream: Stream, bytes: &[u8]);
}

/// Nobody reads what is printed.
#[derive(Clone, Copy, Default, Debug)]
pub struct Discard;

impl Output for Discard {
    fn write(&mut self, _: Stream, _: &[u8]) {}
}

/// Keeps what is printed on standard output.
impl Output for Vec<u8> {
    fn write(&mut self, stream: Stream, bytes: &[u8]) {
        if stream == Stream::Output {
            self.extend_from_slice(bytes);
        }
    }
}

/// The stack of the thread that runs; only touched pages cost memory.
const STACK: usize = 1 << 30;

/// A program that can be run.
#[derive(Debug)]
pub struct Interpreter<'p> {
    program: &'p Program,
    tables: Tables,
}

impl<'p> Interpreter<'p> {
    /// Prepares a program.
    #[must_use]
    pub fn new(program: &'p Program) -> Interpreter<'p> {
        Interpreter { program, tables: Tables::new(program) }
    }

    /// The program.
    #[must_use]
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// Runs it, on a thread with a large stack.
    pub fn run(&self, options: &Options, chooser: &mut dyn Chooser, output: &mut dyn Output) -> Execution {
        // A stack that cannot be had (a tight memory limit) is asked for again, smaller.
        let mut stack = STACK;
        loop {
            let (chooser, output) = (&mut *chooser, &mut *output);
            let work = std::thread::scope(|scope| {
                let builder = std::thread::Builder::new().stack_size(stack).name("run".to_owned());
                let run = || self.run_here(options, chooser, output, stack);
                let handle = builder.spawn_scoped(scope, run).ok()?;
                Some(handle.join())
            });
            match work {
                Some(Ok(execution)) => return execution,
                Some(Err(panic)) => std::panic::resume_unwind(panic),
                None if stack > 1 << 22 => stack /= 4,
                None => {
                    return Execution {
                        end: End::OutOfMemory,
                        lenient: None,
                        choices: Vec::new(),
                        steps: 0,
                        covered: Vec::new(),
                        unknown: Vec::new(),
                    };
                }
            }
        }
    }

    /// Runs it on this thread, of whose stack `stack` bytes are left.
    pub fn run_here(
        &self,
        options: &Options,
        chooser: &mut dyn Chooser,
        output: &mut dyn Output,
        stack: usize,
    ) -> Execution {
        Machine::new(self.program, &self.tables, options, chooser, output, stack).run()
    }

    /// The same, while somebody looks on. What the program prints is dropped.
    pub fn run_observed(
        &self,
        options: &Options,
        chooser: &mut dyn Chooser,
        observer: &mut dyn Observer,
        stack: usize,
    ) -> Execution {
        let mut output = Discard;
        let machine = Machine::new(self.program, &self.tables, options, chooser, &mut output, stack);
        machine.observed_by(observer).run()
    }

    /// The same, while what happens is recorded.
    pub fn run_traced(
        &self,
        options: &Options,
        chooser: &mut dyn Chooser,
        tracer: &mut Tracer,
        stack: usize,
    ) -> Execution {
        let mut output = Discard;
        let machine = Machine::new(self.program, &self.tables, options, chooser, &mut output, stack);
        machine.traced_by(tracer).run()
    }
}
