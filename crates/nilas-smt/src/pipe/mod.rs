//! Other solvers, through a pipe.
//!
//! [`Piped`] is a [`Solver`] that speaks SMT-LIB 2 to a program: `z3`, `cvc5`, `bitwuzla`, `yices-smt2`,
//! `mathsat`, whichever [`discover`] finds on PATH. They give second opinions on evidence and carry `Int` and
//! `Real`.
//!
//! Activations are Boolean constants, assertions under them implications. An assumption gets a constant that
//! implies it, once per session; failed assumptions are read back by these constants. As in the embedded
//! solver, assertions are only recorded when they are made, and a check tells the program what it needs: what
//! is in force, nothing else.
//!
//! **Promised.** Whatever the program does (crash, hang, nonsense, endless output, refusal) a check ends
//! within its budget as an answer or as unknown with a reason, and the next check starts a fresh process with
//! what is alive then. A program that dies between checks is replaced without a word. No child process
//! outlives its `Piped`.
//!
//! A formula outside of what the program was seen to decide is unknown before anything is sent. A conflict
//! limit counts only where the program can be told one ([`Abilities::conflict_limits`]); time and the cancel
//! flag count everywhere.
//!
//! Why no crate for the pipe: `rsmt2` and `easy-smt`, the maintained ones, read the pipe with blocking calls
//! in the caller's thread, so neither a deadline nor a cancel flag can end a check, and a solver that dies
//! takes the connection with it; terms would be printed and values parsed here in any case. `std::process`
//! and two threads are enough.

mod dialect;
mod discover;
mod features;
mod frame;
mod model;
mod names;
mod process;
mod session;
#[cfg(all(test, unix))]
mod tests;
mod values;

pub use dialect::Kind;
pub use discover::{Abilities, Description, Found, describe, discover, examine};
pub use features::Features;
pub(crate) use features::Survey;

use crate::budget::{Budget, Interrupt};
use crate::solver::{Activation, Answer, Reason, Solver, SolverStats};
use model::LazyModel;
use nilas_term::smtlib::sexpr::Reader;
use nilas_term::{Arena, Sort, Term, Value};
use process::Trouble;
use session::Session;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Garbage that is always tolerated, in bytes of text.
const TOLERATED_GARBAGE: usize = 1 << 20;
/// How long a solver may take for failed assumptions or a reason, after it has answered.
const AFTERMATH: Duration = Duration::from_secs(5);

/// Terms asserted together, for ever or under one activation.
#[derive(Default)]
struct Group {
    terms: Vec<Term>,
    /// How many of them have been looked at.
    surveyed: usize,
    features: Features,
    obstacle: Option<&'static str>,
}

impl Group {
    fn survey(&mut self, arena: &Arena) -> Result<Features, Reason> {
        while let Some(&term) = self.terms.get(self.surveyed) {
            match formula(arena, term) {
                Ok(features) => self.features = self.features.union(features),
                Err(obstacle) => self.obstacle = Some(obstacle),
            }
            self.surveyed += 1;
        }
        match self.obstacle {
            None => Ok(self.features),
            Some(obstacle) => Err(Reason::Unsupported(obstacle.to_owned())),
        }
    }
}

/// What a formula needs, or why it is none.
fn formula(arena: &Arena, term: Term) -> Result<Features, &'static str> {
    if *arena.sort(term) != Sort::Bool {
        return Err("a term that is no formula");
    }
    let survey = Survey::of(arena, term);
    survey.obstacle.map_or(Ok(survey.features), Err)
}

/// A solver behind a pipe, see the module's text.
pub struct Piped {
    kind: Kind,
    path: PathBuf,
    arguments: Vec<String>,
    abilities: Abilities,
    forever: Group,
    groups: BTreeMap<Activation, Group>,
    next_activation: u32,
    session: Option<Session>,
    model: Option<LazyModel>,
    failed: Vec<Term>,
    failed_activations: Vec<Activation>,
    stats: SolverStats,
    started: bool,
}

impl Piped {
    /// A solver with nothing asserted. The program is started by the first check.
    #[must_use]
    pub fn new(found: &Found) -> Self {
        Self::with_command(found.kind, found.path.clone(), found.kind.arguments(), found.abilities)
    }

    /// The same for any command that speaks like `kind` and has the given abilities.
    #[must_use]
    pub fn with_command(kind: Kind, path: PathBuf, arguments: Vec<String>, abilities: Abilities) -> Self {
        Piped {
            kind,
            path,
            arguments,
            abilities,
            forever: Group::default(),
            groups: BTreeMap::new(),
            next_activation: 0,
            session: None,
            model: None,
            failed: Vec::new(),
            failed_activations: Vec::new(),
            stats: SolverStats::default(),
            started: false,
        }
    }

    /// What the formulas in force need together.
    fn needed(
        &mut self,
        arena: &Arena,
        activations: &[Activation],
        assumptions: &[Term],
    ) -> Result<Features, Reason> {
        let mut needed = self.forever.survey(arena)?;
        for activation in activations {
            match self.groups.get_mut(activation) {
                Some(group) => needed = needed.union(group.survey(arena)?),
                None => return Err(Reason::Failed("a retired activation is named".to_owned())),
            }
        }
        for &assumption in assumptions {
            let known = self.session.as_ref().and_then(|session| session.assumption(assumption));
            let features = known.map_or_else(|| formula(arena, assumption), Ok);
            let features = features.map_err(|obstacle| Reason::Unsupported(obstacle.to_owned()))?;
            needed = needed.union(features);
        }
        let missing = needed.without(self.abilities.features);
        if missing != Features::NONE {
            return Err(Reason::Unsupported(format!("{missing} (by {})", self.kind)));
        }
        Ok(needed)
    }

    /// A session that can take what is needed: the one there is, or a new one.
    fn session(&mut self, needed: Features) -> Result<&mut Session, Reason> {
        let mut features = needed;
        if let Some(session) = &mut self.session {
            let alive = session.told.saturating_sub(session.garbage);
            let fits = session.features.contains(needed)
                // The logic of no feature at all has bit-vectors.
                || session.features.logic() == session.features.union(needed).logic();
            if !fits || session.garbage > TOLERATED_GARBAGE.max(alive) || !session.is_alive() {
                // So that formulas that take turns do not restart the solver each time.
                let both = session.features.union(needed);
                if self.abilities.features.contains(both) {
                    features = both;
                }
                self.session = None;
            }
        }
        if self.session.is_none() {
            let session = Session::start(
                self.kind,
                &self.path,
                &self.arguments,
                features,
                self.abilities.unsat_assumptions,
            );
            self.session = Some(session.map_err(Reason::Failed)?);
            self.stats.rebuilds += u64::from(self.started);
            self.started = true;
        }
        self.session.as_mut().ok_or_else(|| Reason::Failed("no session".to_owned()))
    }

    /// The check itself; an error ends the session.
    fn ask(
        &mut self,
        arena: &Arena,
        needed: Features,
        activations: &[Activation],
        assumptions: &[Term],
        budget: &Budget,
    ) -> Result<Answer, Reason> {
        let kind = self.kind;
        // Borrowed apart: the session, and the groups that it is told of.
        self.session(needed)?;
        let Some(session) = &mut self.session else { return Err(Reason::Failed("no session".to_owned())) };
        session.tell(arena, None, &self.forever.terms);
        let mut constants = Vec::new();
        for activation in activations {
            if let Some(group) = self.groups.get(activation) {
                session.tell(arena, Some(*activation), &group.terms);
                constants.push(names::activation(*activation));
            }
        }
        for &assumption in assumptions {
            session.assume(arena, assumption);
            constants.push(names::assumption(assumption));
        }
        session.limit(kind, budget.conflicts);
        match session.check(&constants, budget).map_err(reason)?.as_str() {
            "sat" => Ok(Answer::Sat),
            "unsat" => {
                self.read_core(activations, assumptions, &constants);
                Ok(Answer::Unsat)
            }
            // Bitwuzla and MathSAT have words of their own for limits.
            "unknown" | "timeout" | "interrupted" => {
                let why = self.why_unknown(budget);
                // Z3 gives up on later checks after one that a limit has ended: better a fresh one.
                self.session = None;
                Ok(Answer::Unknown(why))
            }
            other => Err(refusal(other)),
        }
    }

    /// Reads the failed assumptions. Where the solver has nothing to say about them, all have failed, which
    /// is true as well.
    fn read_core(&mut self, activations: &[Activation], assumptions: &[Term], constants: &[String]) {
        let mut core: BTreeSet<String> = constants.iter().cloned().collect();
        if self.abilities.unsat_assumptions
            && !constants.is_empty()
            && let Some(session) = &mut self.session
        {
            let response = session.ask("(get-unsat-assumptions)\n".to_owned(), &aftermath());
            match response.ok().as_deref().and_then(names_in) {
                Some(names) if names.is_subset(&core) => core = names,
                // What is left of its output would be taken for answers.
                _ => self.session = None,
            }
        }
        // Each constant is taken out with the first activation or assumption that it stands for.
        self.failed_activations =
            activations.iter().copied().filter(|&it| core.remove(&names::activation(it))).collect();
        self.failed = assumptions.iter().copied().filter(|&it| core.remove(&names::assumption(it))).collect();
    }

    fn why_unknown(&mut self, budget: &Budget) -> Reason {
        if let Some(why) = budget.exhausted() {
            return Reason::Interrupted(why);
        }
        let Some(session) = &mut self.session else { return Reason::Failed("no session".to_owned()) };
        let Ok(text) = session.ask("(get-info :reason-unknown)\n".to_owned(), &aftermath()) else {
            return Reason::Failed("it does not know, and does not say why".to_owned());
        };
        let lower = text.to_lowercase();
        let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
        let limited = budget.conflicts.is_some() && self.abilities.conflict_limits;
        if limited && !has(&["incomplete"]) {
            // Z3 words this in many ways, `no reason given` among them.
            Reason::Interrupted(Interrupt::Conflicts)
        } else if has(&["memout", "memory"]) {
            Reason::Interrupted(Interrupt::OutOfMemory)
        } else {
            Reason::Unsupported(format!("{} does not know: {text}", self.kind))
        }
    }
}

fn aftermath() -> Budget {
    Budget { deadline: Some(Instant::now() + AFTERMATH), ..Budget::default() }
}

fn reason(trouble: Trouble) -> Reason {
    match trouble {
        Trouble::Interrupted(why) => Reason::Interrupted(why),
        Trouble::Failed(what) => Reason::Failed(what),
    }
}

/// What a response that is no answer means.
fn refusal(response: &str) -> Reason {
    let start: String = response.chars().take(300).collect();
    let message = Reader::new(response).read().ok().flatten().and_then(|tree| {
        let mut members = tree.root().children();
        match members.next()?.word()? {
            "error" => members.next()?.string(),
            _ => None,
        }
    });
    match message {
        Some(message) => Reason::Failed(message.split_whitespace().collect::<Vec<_>>().join(" ")),
        None if response == "unsupported" => Reason::Unsupported("a command".to_owned()),
        None => Reason::Failed(format!("no answer but `{start}`")),
    }
}

/// The names in a list of symbols.
fn names_in(response: &str) -> Option<BTreeSet<String>> {
    let tree = Reader::new(response).read().ok()??;
    let root = tree.root();
    if !root.is_list() {
        return None;
    }
    root.children().map(|name| name.symbol().map(str::to_owned)).collect()
}

impl Solver for Piped {
    fn assert(&mut self, _arena: &Arena, term: Term) {
        self.forever.terms.push(term);
    }

    fn activation(&mut self) -> Activation {
        let activation = Activation(self.next_activation);
        self.next_activation += 1;
        self.groups.insert(activation, Group::default());
        activation
    }

    fn assert_under(&mut self, _arena: &Arena, activation: Activation, term: Term) {
        if let Some(group) = self.groups.get_mut(&activation) {
            group.terms.push(term);
        }
    }

    fn retire(&mut self, activation: Activation) {
        self.groups.remove(&activation);
        if let Some(session) = &mut self.session {
            session.retire(activation);
        }
    }

    fn check(
        &mut self,
        arena: &Arena,
        activations: &[Activation],
        assumptions: &[Term],
        budget: &Budget,
    ) -> Answer {
        self.stats.checks += 1;
        self.failed.clear();
        self.failed_activations.clear();
        self.model = None;
        if let Some(why) = budget.exhausted() {
            return Answer::Unknown(Reason::Interrupted(why));
        }
        let needed = match self.needed(arena, activations, assumptions) {
            Ok(needed) => needed,
            Err(reason) => return Answer::Unknown(reason),
        };
        match self.ask(arena, needed, activations, assumptions, budget) {
            Ok(answer) => {
                match answer {
                    Answer::Sat => {
                        self.stats.sat += 1;
                        self.model = Some(LazyModel::new(budget));
                    }
                    Answer::Unsat => self.stats.unsat += 1,
                    Answer::Unknown(_) => {}
                }
                answer
            }
            Err(reason) => {
                self.session = None;
                Answer::Unknown(match reason {
                    Reason::Failed(what) => Reason::Failed(format!("{}: {what}", self.kind)),
                    other => other,
                })
            }
        }
    }

    fn failed(&self) -> &[Term] {
        &self.failed
    }

    fn failed_activations(&self) -> &[Activation] {
        &self.failed_activations
    }

    fn value(&mut self, arena: &Arena, term: Term) -> Result<Value, Reason> {
        let Some(model) = &mut self.model else {
            return Err(Reason::Failed("there is no model: the last answer was not sat".to_owned()));
        };
        let Some(session) = &mut self.session else {
            return Err(Reason::Failed("the solver that had the model is gone".to_owned()));
        };
        let value = model.value(session, arena, term);
        if matches!(value, Err(Reason::Failed(_) | Reason::Interrupted(_))) {
            // What is left of its output would be taken for answers.
            self.session = None;
        }
        value
    }

    fn stats(&self) -> SolverStats {
        self.stats
    }
}
