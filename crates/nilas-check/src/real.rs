//! Whether an execution that reaches the error is known to be one of the program.
//!
//! The values of some `havoc`s are no inputs: what a function without body writes, where objects lie, what
//! `sin` returns. An execution is believed if it reaches the error whatever these values are, or if unknown
//! functions write nothing and call nothing. Both are replayed, without a solver.

use crate::input::Input;
use nilas_c::HavocOrigin;
use nilas_evidence::{Choice, Execution, Rejection, Trace, excerpt, follow, replay_with};
use nilas_program::{ArcId, HavocSite};
use nilas_smt::{Budget, Reason};
use nilas_term::{BitVec, Value};
use std::collections::BTreeMap;

/// Choices that are looked at one by one.
const MOST_SITES: usize = 16;

/// What is known of an execution.
pub(crate) enum Judgement {
    /// It is one of the program, with what it does. Perhaps it is another one than was asked about.
    Real(Box<(Execution, Trace)>),
    /// It may be none.
    Doubtful {
        /// What it relies on.
        on: String,
        /// An execution in which unknown functions do less may be real.
        less: bool,
        /// What it does, if it could be followed.
        trace: Option<Trace>,
    },
}

/// Judges an execution that reaches the error. It is replayed once, and again only where it is changed.
pub(crate) fn judge(input: &Input, execution: &Execution, budget: &Budget) -> Judgement {
    let mut trace = match excerpt(&input.program, execution, budget) {
        Ok(trace) => trace,
        Err(why) => return Judgement::Doubtful { on: lost(&why), less: false, trace: None },
    };
    let real = match judge_choices(input, execution, &trace, budget) {
        Choices::Made => execution.clone(),
        Choices::Other(other) => match excerpt(&input.program, &other, budget) {
            Ok(other_trace) => {
                trace = other_trace;
                other
            }
            Err(why) => return Judgement::Doubtful { on: lost(&why), less: false, trace: Some(trace) },
        },
        Choices::Doubtful { on, less } => return Judgement::Doubtful { on, less, trace: Some(trace) },
    };
    if rests_on_nan(input, &real, &trace, budget) {
        let on = "what C leaves open about floats: the sign and payload of a NaN that an operation gives, or the sign of a zero".to_owned();
        return Judgement::Doubtful { on, less: false, trace: Some(trace) };
    }
    match presumed(input, &trace) {
        Some(on) => Judgement::Doubtful { on, less: false, trace: Some(trace) },
        None => Judgement::Real(Box::new((real, trace))),
    }
}

/// What an execution relies on that was accepted and then could not be followed again.
fn lost(why: &Rejection) -> String {
    match why {
        Rejection::Undecided(Reason::Interrupted(why)) => format!("choices that were not judged ({why})"),
        _ => "choices that could not be followed again".to_owned(),
    }
}

/// What the execution comes by that C may leave undefined, though the lowering lets it go on.
fn presumed(input: &Input, trace: &Trace) -> Option<String> {
    let met = trace.course.edges.iter().find_map(|edge| input.presumed.get(edge))?;
    let command = &input.program.automaton.edge(met.edge).command;
    let place = input.source.place(command.arc(ArcId::new(met.step)).span);
    let place = place.map(|place| format!(" (at {place})"));
    Some(format!("{}{}", met.what, place.unwrap_or_default()))
}

/// Whether the execution rests on which NaN an operation gives, which the hardware and the compiler choose:
/// with another choice it does not reach the same place.
fn rests_on_nan(input: &Input, execution: &Execution, trace: &Trace, budget: &Budget) -> bool {
    let is_choice = |site: HavocSite| matches!(input.havocs.get(site.index()), Some(HavocOrigin::FloatBits));
    if !trace.course.inputs.iter().any(|(site, _)| is_choice(*site)) {
        return false;
    }
    // The sign is the upper bit of a choice. x86 gives the negative NaN without payload.
    let choices: [fn(u32) -> BitVec; 3] = [BitVec::zero, BitVec::min_signed, BitVec::ones];
    choices.iter().any(|choice| {
        let mut other = execution.relaxed();
        let mut occurrences: BTreeMap<HavocSite, u64> = BTreeMap::new();
        for (site, value) in &trace.course.inputs {
            let occurrence = occurrences.entry(*site).or_default();
            let value = match value {
                Value::BitVec(bits) => Value::BitVec(choice(bits.width())),
                Value::Bool(_) => Value::Bool(choice(1).is_ones()),
                value => value.clone(),
            };
            if is_choice(*site) {
                other.havocs.insert((*site, *occurrence), value);
            }
            *occurrence += 1;
        }
        let followed = follow(&input.program, &other, budget);
        followed.map(|course| course.verdict) != Ok(trace.verdict)
    })
}

/// What is known of the choices of an execution.
enum Choices {
    /// They can be made.
    Made,
    /// Those of another execution can.
    Other(Execution),
    /// Perhaps they cannot.
    Doubtful { on: String, less: bool },
}

fn judge_choices(input: &Input, execution: &Execution, trace: &Trace, budget: &Budget) -> Choices {
    let origin = |site: HavocSite| input.havocs.get(site.index());
    let doubtful = |site: HavocSite| origin(site).is_some_and(|origin| origin.doubt().is_some());
    let idle = |site: HavocSite| origin(site).is_some_and(HavocOrigin::may_be_idle);
    let mut met: Vec<&HavocOrigin> = Vec::new();
    for &(site, _) in &trace.course.inputs {
        if let Some(origin) = origin(site).filter(|_| doubtful(site))
            && !met.contains(&origin)
        {
            met.push(origin);
        }
    }
    if met.is_empty() {
        return Choices::Made;
    }
    let still = |choice: &dyn Fn(HavocSite) -> Choice| replay_with(&input.program, execution, choice, budget);
    let open = |is_open: bool| if is_open { Choice::Open } else { Choice::Made };
    if still(&|site| open(doubtful(site))).is_some() {
        return Choices::Made;
    }
    let kept = still(&|site| if idle(site) { Choice::Kept } else { open(doubtful(site)) });
    if let Some(execution) = kept {
        return Choices::Other(execution);
    }
    let needed = |of: &&&HavocOrigin| still(&|site| open(origin(site) == Some(**of))).is_none();
    let needed = met.iter().find(needed).or(met.first()).copied();
    let on = needed.and_then(|needed| {
        let sites = trace.course.inputs.iter().map(|(site, _)| *site);
        // The last one that is needed, or the last one.
        let sites: Vec<HavocSite> = sites.filter(|&site| origin(site) == Some(needed)).collect();
        let alone = |of: &&HavocSite| still(&|site| open(site == **of)).is_none();
        let site = sites.iter().rev().take(MOST_SITES).find(alone).or(sites.last())?;
        let place = input.source.place(input.program.automaton.havoc(*site).span);
        let place = place.map(|place| format!(" ({})", place.at().trim_start()));
        Some(needed.doubt()? + &place.unwrap_or_default())
    });
    let less = met.iter().any(|origin| origin.may_be_idle());
    Choices::Doubtful { on: on.unwrap_or_default(), less }
}
