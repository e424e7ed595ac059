//! `nilas verify-evidence`: evidence that was saved passes the gate that `nilas check` has.

use crate::challenge;
use crate::cli::VerifyArgs;
use crate::exit::Exit;
use crate::gate::{self, Admitted, Confirmed};
use crate::input::{self, Refusal};
use crate::limits::Limits;
use crate::saved;
use crate::system;
use crate::targets;
use crate::watch::Watch;
use nilas_c::tree;
use nilas_engine::{Examined, Verdict, examine};
use nilas_evidence::{Account, Form, Header, text};
use nilas_report::{Assumption, Reached};
use nilas_run::choice::ChoiceFile;
use nilas_smt::Interrupt;
use serde_json::json;
use std::time::{Duration, Instant};

pub(crate) fn run(args: &VerifyArgs) -> Result<Exit, Refusal> {
    let limits = Limits::start(&args.common);
    let (files, path) = (args.files(), args.evidence());
    let saved = input::read_text(&path)?;
    if saved.starts_with(challenge::HEADING) {
        // Version 0 of `(choices)`.
        let tree = input::tree(&files, &args.language)?;
        return choices(args, &tree, &saved, Vec::new());
    }
    let (header, form) = Header::parse(&saved).map_err(|error| saved::misread(&path, &saved, error))?;
    let (language, named) = (args.language.clone(), header.clone());
    let read = limits.within(move || {
        let asked = input::program(&files, &language)?;
        let assumptions = asked.assumptions.clone();
        Ok((saved::program_of(asked, &named, form)?, assumptions))
    });
    let (input, asked) = match read {
        Ok(read) => read?,
        Err(why) => return Ok(Told::unknown(format!("{why} while the program was read")).print(args)),
    };
    // An execution may use less than the user allows; a proof rests on no more than it assumes.
    let assumptions = if form.is_execution() { asked } else { input.assumptions.clone() };
    let tree = input.tree.clone();
    if form == Form::Choices {
        return match &tree {
            Some(tree) => choices(args, tree, &saved, assumptions),
            None => {
                Err(Refusal::new("nilas: choices are evidence about a C program, not about an automaton"))
            }
        };
    }
    if input.errors.len() > 1 {
        return targets::verify(args, &limits, &saved, &header, &input);
    }
    let evidence =
        text::parse(&input.program, &saved).map_err(|error| saved::misread(&path, &saved, error))?;
    let began = Instant::now();
    let (budget, threads) = (limits.budget(), args.common.cores());
    let examined = limits.within(move || {
        let mut account = Account { threads, ..Account::default() };
        let examined = examine(&input.program, evidence, &budget, &mut account);
        (input, examined)
    });
    let (input, Examined { verdict, stopped, .. }) = match examined {
        Ok(examined) => examined,
        Err(why) => return Ok(Told::unknown(out_of(why)).print(args)),
    };
    let Admitted { verdict, doubtful, .. } = gate::admit(&input, verdict, stopped);
    let mut told = Told {
        word: word(&verdict),
        why: match &verdict {
            Verdict::Safe(_) | Verdict::Unsafe(_) => None,
            Verdict::Unchecked { why, .. } => Some(gate::unchecked(why)),
            Verdict::Rejected { why, .. } => Some(why.to_string()),
            Verdict::Unknown(_) => Some(gate::reason(&input, &verdict, ("the file", Duration::ZERO))),
        },
        assumptions,
        repeated: None,
        exit: gate::exit(&verdict),
    };
    if let Some(system) = &input.system {
        let layout = nilas_system::to_automaton(system, None);
        if let Some(why) = system::confirm(system, None, &layout, &verdict, &limits.budget())? {
            told = Told { word: "unknown", why: Some(why), exit: Exit::Unknown, ..told };
        }
    }
    if let Some(tree) = &tree {
        let mut watch = Watch::new(tree, input.checks_undefined());
        let doubtful: Vec<_> = doubtful.into_iter().collect();
        let who = ("the evidence", began.elapsed());
        match gate::confirm(&input, (&verdict, &doubtful), &mut watch, args.unreplayed, who)? {
            Confirmed::Stands(repeated) => told.repeated = repeated,
            Confirmed::Reached(reached) => {
                told = Told {
                    word: "unsafe",
                    why: None,
                    repeated: Some(Ok(reached)),
                    exit: Exit::Unsafe,
                    ..told
                };
            }
            Confirmed::Unknown(why) => {
                told = Told { word: "unknown", why: Some(why), exit: Exit::Unknown, ..told };
            }
        }
    }
    if header.program.is_none() && matches!(verdict, Verdict::Rejected { .. }) {
        // Nobody knows what it is about, so nothing is known to be broken.
        let hint = "the evidence does not say which program it is about; perhaps it is about another one";
        told.why = told.why.map(|why| format!("{why}\nhint: {hint}"));
        told.exit = Exit::Refused;
    }
    Ok(told.print(args))
}

fn word(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Safe(_) => "safe",
        Verdict::Unsafe(_) => "unsafe",
        Verdict::Unknown(_) | Verdict::Unchecked { .. } => "unknown",
        Verdict::Rejected { .. } => "rejected",
    }
}

fn out_of(why: Interrupt) -> String {
    gate::unchecked(&nilas_smt::Reason::Interrupted(why))
}

/// Runs the program with the choices that were saved.
fn choices(
    args: &VerifyArgs,
    tree: &tree::Program,
    saved: &str,
    assumptions: Vec<Assumption>,
) -> Result<Exit, Refusal> {
    let wrong = |error| Refusal::new(format!("nilas: `{}`, {error}", args.evidence().display()));
    let choices = ChoiceFile::parse(saved).map_err(wrong)?;
    let challenge = challenge::Challenge::new(tree, args.language.check_undefined);
    let time = args.common.timeout.map_or(Duration::MAX, Duration::from_secs_f64);
    let told = match challenge.repeat(&choices, time) {
        Ok(()) => Told { word: "unsafe", why: None, assumptions, repeated: None, exit: Exit::Unsafe },
        Err(why) => Told { assumptions, ..Told::unknown(why) },
    };
    Ok(told.print(args))
}

/// What is said.
struct Told {
    word: &'static str,
    /// Why it is neither safe nor unsafe.
    why: Option<String>,
    /// What it rests on.
    assumptions: Vec<Assumption>,
    /// What came of repeating an execution in C.
    repeated: Option<Result<Reached, String>>,
    exit: Exit,
}

impl Told {
    fn unknown(why: String) -> Told {
        Told { word: "unknown", why: Some(why), assumptions: Vec::new(), repeated: None, exit: Exit::Unknown }
    }

    fn print(&self, args: &VerifyArgs) -> Exit {
        crate::print(&self.text(args.common.json, args.common.quiet));
        self.exit
    }

    fn text(&self, as_json: bool, quiet: bool) -> String {
        let Told { word, why, assumptions, repeated, .. } = self;
        if as_json {
            let repeated = repeated.as_ref().map(|repeated| match repeated {
                Ok(reached) => json!({ "place": reached.place, "what": reached.what }),
                Err(why) => json!({ "not": why }),
            });
            let assumption = |it: &Assumption| json!({ "kind": it.kind, "text": it.text });
            let assumptions: Vec<_> = assumptions.iter().map(assumption).collect();
            let object =
                json!({ "verdict": word, "reason": why, "assumptions": assumptions, "repeated": repeated });
            return format!("{object:#}\n");
        }
        if quiet {
            return format!("{word}\n");
        }
        let mut text = match why {
            Some(why) => format!("{word}: {why}\n"),
            None => format!("{word}: the evidence is accepted\n"),
        };
        for assumption in assumptions {
            text += &format!("assuming: {}\n", assumption.text);
        }
        match repeated {
            Some(Ok(reached)) => text += &format!("repeated in C: {} at {}\n", reached.what, reached.place),
            Some(Err(why)) => text += &format!("not repeated in C: {why}\n"),
            None => {}
        }
        text
    }
}
