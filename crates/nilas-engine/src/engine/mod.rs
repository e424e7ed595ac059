//! What an engine is, and all of them.
//!
//! An engine is a value that implements [`Engine`], in a file or folder of its own, and one line of
//! `registry.rs`. Nothing else names it: settings, help and messages come from what it declares, and whoever
//! runs engines goes through the trait.
//!
//! **An engine provides** its name, a sentence for people, the settings that it reads, which program it wants
//! to work on ([`Wants`]), and [`Engine::run`].
//!
//! **It may rely on** a well-formed program, prepared as it wants; the settings that it declared having values
//! that they take; solvers from the context.
//!
//! **It must** look at the budget of the context in everything that takes long, and give evidence about the
//! program that it was given. What it says is not trusted: [`crate::verify()`] carries the evidence back
//! through the passes and has it checked.

mod context;
mod prepared;
pub(crate) mod registry;
mod setting;

use crate::observer::Counters;
use crate::outcome::Outcome;
pub use context::Context;
pub use prepared::{Preparations, Prepared};
use registry::Registry;
pub use setting::{Kind, Own, Setting, Settings};
use std::fmt;
use std::ops::Deref;
use std::str::FromStr;

/// See the module's text.
pub trait Engine: Sync {
    /// The name that users give.
    fn name(&self) -> &'static str;

    /// How it works, in a sentence for people who do not know such engines. It begins behind the name.
    fn method(&self) -> &'static str;

    /// The first part of the names of its settings. Engines with the same one share their settings.
    fn group(&self) -> &'static str {
        self.name()
    }

    /// What can be set.
    fn settings(&self) -> &'static [Setting] {
        &[]
    }

    /// Whether it can answer a kind of question.
    fn takes(&self, question: Question) -> bool {
        let _ = question;
        true
    }

    /// Whether it finds proofs only where executions have a bound, or the property needs no more.
    fn needs_bound(&self) -> bool {
        false
    }

    /// The program that it works on, by its settings.
    fn wants(&self, settings: &Own<'_>) -> Wants {
        let _ = settings;
        Wants::Small
    }

    /// Looks for evidence about the program that was prepared.
    fn run(&self, prepared: &Prepared, settings: &Own<'_>, context: &mut Context<'_>) -> (Outcome, Counters);
}

/// What a question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// The executions of a program.
    Program,
    /// Horn clauses or a transition system, which choose all their variables.
    Clauses,
}

/// The program that an engine works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wants {
    /// As it was given.
    Given,
    /// After all passes.
    Small,
    /// The same with variables that take few values encoded anew.
    FewValues,
}

/// An engine, by reference. Two are equal if they have the same name.
#[derive(Clone, Copy)]
pub struct EngineRef(&'static dyn Engine);

impl EngineRef {
    /// A reference to an engine.
    #[must_use]
    pub const fn new(engine: &'static dyn Engine) -> Self {
        EngineRef(engine)
    }
}

impl Deref for EngineRef {
    type Target = dyn Engine;

    fn deref(&self) -> &Self::Target {
        self.0
    }
}

impl PartialEq for EngineRef {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for EngineRef {}

impl fmt::Debug for EngineRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "EngineRef({})", self.name())
    }
}

impl fmt::Display for EngineRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One of the engines that come with Nilas.
impl FromStr for EngineRef {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Registry::default().find(name)
    }
}
