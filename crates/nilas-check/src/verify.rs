//! Evidence that was saved passes the gate that [`crate::check`] has.

use crate::answer::{Standing, Target};
use crate::challenge::{self, Challenge};
use crate::gate::{self, Admitted, Claim, Confirmed};
use crate::input::{self, Stop};
use crate::models::Model;
use crate::nonlinear;
use crate::options::Options;
use crate::places::{self, Place};
use crate::refusal::Refusal;
use crate::saved;
use crate::session::Session;
use crate::system;
use crate::targets;
use crate::task::{Task, Text};
use crate::watch::Watch;
use nilas_c::{Properties, tree};
use nilas_engine::{Examined, Verdict, examine_with_calls};
use nilas_evidence::{Account, Form, Header, text};
use nilas_report::{Assumption, Reached};
use nilas_run::choice::ChoiceFile;
use std::time::{Duration, Instant};

/// What is said of saved evidence.
#[derive(Debug)]
pub struct Verified {
    /// What it comes to.
    pub standing: Standing,
    /// `safe`, `unsafe`, `unknown` or `rejected`.
    pub word: &'static str,
    /// Why it is neither safe nor unsafe.
    pub why: Option<String>,
    /// What it rests on.
    pub assumptions: Vec<Assumption>,
    /// What came of repeating an execution in C.
    pub repeated: Option<Result<Reached, String>>,
    /// The answers of an automaton with several error locations; then nothing else is said.
    pub targets: Vec<Target>,
    /// The answers for places, if they are asked about.
    pub places: Option<Vec<Place>>,
}

impl Verified {
    /// Nothing is known, for this reason.
    #[must_use]
    pub fn unknown(why: String) -> Verified {
        let standing = Standing::Unknown;
        let (assumptions, repeated, targets, places) = (Vec::new(), None, Vec::new(), None);
        Verified { standing, word: standing.word(), why: Some(why), assumptions, repeated, targets, places }
    }

    /// The same of which nothing is known after all.
    fn undecided(self, why: String) -> Verified {
        Verified { standing: Standing::Unknown, word: "unknown", why: Some(why), ..self }
    }

    /// The same after somebody has looked at the answers for places.
    pub(crate) fn judged(mut self, judge: impl FnOnce(&mut [Place])) -> Verified {
        if let Some(places) = &mut self.places {
            judge(places);
            self.standing = places::standing(places);
            self.word = self.standing.word();
        }
        self
    }

    fn of_targets(targets: Vec<Target>) -> Verified {
        let standing = Standing::of_all(targets.iter().map(|target| target.standing));
        let (assumptions, repeated, places) = (Vec::new(), None, None);
        Verified { standing, word: standing.word(), why: None, assumptions, repeated, targets, places }
    }

    fn of_places(places: Vec<Place>, assumptions: Vec<Assumption>) -> Verified {
        let standing = places::standing(&places);
        let (repeated, targets, places) = (None, Vec::new(), Some(places));
        Verified { standing, word: standing.word(), why: None, assumptions, repeated, targets, places }
    }
}

pub(crate) fn verify(
    session: &Session,
    task: &Task,
    file: &Text,
    options: &Options,
) -> Result<Verified, Refusal> {
    let (name, saved) = (file.name(), file.text()?);
    let budget = session.budget();
    let late = |stop: Stop| match stop {
        Stop::Interrupted(why) => Ok(Verified::unknown(format!("{why} while the program was read"))),
        Stop::Refused(refusal) => Err(refusal),
    };
    if saved.starts_with(challenge::HEADING) {
        // Version 0 of `(choices)`.
        return match input::tree(task, &budget) {
            Ok(tree) => choices(task, &tree, (&name, &saved), options, Vec::new()),
            Err(stop) => late(stop),
        };
    }
    let (header, form) = Header::parse(&saved).map_err(|error| saved::misread(&name, &saved, error))?;
    let read = input::read(task, &budget).and_then(|asked| {
        let assumptions = asked.assumptions.clone();
        Ok((saved::program_of(asked, &header, form, &budget)?, assumptions))
    });
    let (input, asked) = match read {
        Ok(read) => read,
        Err(stop) => return late(stop),
    };
    // An execution may use less than the user allows; a proof rests on no more than it assumes.
    let assumptions = if form.is_execution() { asked } else { input.assumptions.clone() };
    if form == Form::Choices {
        return match &input.tree {
            Some(tree) => choices(task, tree, (&name, &saved), options, assumptions),
            None => {
                Err(Refusal::new("nilas: choices are evidence about a C program, not about an automaton"))
            }
        };
    }
    if input.by_place && form == Form::Answers {
        let told = places::verify((&name, &saved), &input, options, session)?;
        return Ok(match told {
            Ok(places) => Verified::of_places(places, assumptions),
            Err(why) => Verified { assumptions, ..Verified::unknown(why) },
        });
    }
    if input.errors.len() > 1 {
        let told = targets::verify((&name, &saved), &header, &input, options.cores(), &budget)?;
        return Ok(Verified::of_targets(told));
    }
    let evidence =
        text::parse(&input.program, &saved).map_err(|error| saved::misread(&name, &saved, error))?;
    let began = Instant::now();
    let mut account = Account { threads: options.cores(), ..Account::default() };
    let Examined { verdict, stopped, .. } =
        examine_with_calls(&input.program, input.calls.as_deref(), evidence, &budget, &mut account);
    let Admitted { verdict, trace, doubtful, .. } = gate::admit(&input, verdict, stopped, &budget);
    let mut told = Verified {
        standing: Standing::of(&verdict),
        word: word(&verdict),
        why: match &verdict {
            Verdict::Safe(_) | Verdict::Unsafe(_) => None,
            Verdict::Unchecked { why, .. } => Some(gate::unchecked(why)),
            Verdict::Rejected { why, .. } => Some(why.to_string()),
            Verdict::Unknown(_) => Some(gate::reason(&input, &verdict, ("the file", Duration::ZERO)).text),
        },
        assumptions,
        repeated: None,
        targets: Vec::new(),
        places: None,
    };
    if let Some(system) = &input.system {
        let confirmed = if system.is_linear() {
            let layout = nilas_system::to_automaton(system, None);
            system::confirm(system, None, &layout, &verdict, &session.budget())?
        } else {
            nonlinear::confirm(system, None, &input, &verdict, &session.budget())?.undecided()
        };
        if let Some(why) = confirmed {
            told = told.undecided(why);
        }
    }
    if let Some(tree) = &input.tree {
        let mut watch = Watch::new(tree, input.properties(), session.budget(), false);
        let doubtful: Vec<Model> = doubtful.into_iter().collect();
        let claim =
            Claim { verdict: &verdict, trace: trace.as_ref(), doubtful: &doubtful, about: &gate::everything };
        let who = ("the evidence", began.elapsed());
        match gate::confirm(&input, claim, &mut watch, options.unreplayed, who)? {
            Confirmed::Stands { repeated, .. } => told.repeated = repeated,
            Confirmed::Reached(reached) => {
                let repeated = Some(Ok(reached));
                told = Verified { standing: Standing::Unsafe, word: "unsafe", why: None, repeated, ..told };
            }
            Confirmed::Unknown(why) => told = told.undecided(why),
        }
    }
    if header.program.is_none() && matches!(verdict, Verdict::Rejected { .. }) {
        // Nobody knows what it is about, so nothing is known to be broken.
        let hint = "the evidence does not say which program it is about; perhaps it is about another one";
        told.why = told.why.map(|why| format!("{why}\nhint: {hint}"));
        told.standing = Standing::Refused;
    }
    Ok(told)
}

fn word(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Safe(_) => "safe",
        Verdict::Unsafe(_) => "unsafe",
        Verdict::Unknown(_) | Verdict::Unchecked { .. } => "unknown",
        Verdict::Rejected { .. } => "rejected",
    }
}

/// Runs the program with the choices that were saved.
fn choices(
    task: &Task,
    tree: &tree::Program,
    (name, saved): (&str, &str),
    options: &Options,
    assumptions: Vec<Assumption>,
) -> Result<Verified, Refusal> {
    let wrong = |error| Refusal::new(format!("nilas: `{name}`, {error}"));
    let choices = ChoiceFile::parse(saved).map_err(wrong)?;
    let asked = match task {
        Task::C(program) => program.language.properties,
        _ => None,
    };
    let challenge = Challenge::new(tree, asked.unwrap_or(Properties::ASSERT));
    let time = options.limits.time.unwrap_or(Duration::MAX);
    Ok(match challenge.repeat(&choices, time) {
        Ok(_) => {
            let standing = Standing::Unsafe;
            let (word, repeated, targets, places) = (standing.word(), None, Vec::new(), None);
            Verified { standing, word, why: None, assumptions, repeated, targets, places }
        }
        Err(why) => Verified { assumptions, ..Verified::unknown(why) },
    })
}
