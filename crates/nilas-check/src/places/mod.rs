//! Questions about every place of a program: each has its own answer.
//!
//! All places are asked about together first: if none of them can be violated, one proof answers all. A place
//! whose violation an execution shows has its answer, and the others go on without it; executions stop there.
//! Where that takes too long, each of the others is asked about alone, so that a hard one does not hide the
//! rest. If an execution leaves the model, no place is shown to be safe, but violations are still looked for.
//!
//! A violation is told only if the second reading of C repeats it: the same property at the same place. What
//! it finds by itself counts as well.

mod asked;
mod told;
mod verify;

pub(crate) use asked::Asked;
pub use told::Place;
pub(crate) use told::check_of;
pub(crate) use verify::verify;

use crate::answer::{Answer, Parts, Standing};
use crate::check::{add_statistics, several};
use crate::frames;
use crate::gate::{self, Claim, Confirmed};
use crate::input::{self, Input};
use crate::observer::{Listener, Warning};
use crate::options::{Options, Unreplayed};
use crate::refusal::Refusal;
use crate::search::{Ended, Found, Search};
use crate::watch::Watch;
use asked::{Key, key};
use nilas_c::Property;
use nilas_engine::{Unknown, Verdict};
use nilas_evidence::{Answer as Evidenced, Answers, Evidence};
use nilas_report::{Conclusion, Frames, Reached, Summary, Violation};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};
use told::{Shown, Why};

/// How long all places together are asked about before each is asked about alone, if there is no limit.
const TOGETHER: Duration = Duration::from_secs(30);
/// How long each of them, then.
const ALONE: Duration = Duration::from_secs(10);
/// How often the program is run before the engines start, as long as that finds something new.
const RUNS: usize = 8;

/// What is known so far.
#[derive(Default)]
struct Known {
    /// By check.
    shown: BTreeMap<Key, Shown>,
    /// Checks that only led to violations elsewhere.
    passed: BTreeMap<Key, Reached>,
    /// Violations at places that the lowering does not list.
    others: BTreeMap<Violation, Reached>,
    /// Why a check that was asked about alone has no answer.
    whys: BTreeMap<Key, Why>,
    /// No execution leaves the model of a program without checks.
    modelled: Option<Evidence>,
    /// What an engine held that ended last, where somebody wants to see it.
    frames: Option<Frames>,
    /// What engines counted.
    statistics: Vec<(String, Vec<(String, f64)>)>,
}

impl Known {
    /// The checks that are not asked about any more.
    fn answered(&self) -> BTreeSet<Key> {
        self.shown.keys().chain(self.passed.keys()).copied().collect()
    }

    /// Notes what an execution of the second reading violates; the check that it is, if the lowering has it.
    ///
    /// # Errors
    /// There is a proof that it cannot be violated.
    fn reached(&mut self, input: &Input, reached: &Reached) -> Result<Option<Key>, Refusal> {
        let Some(violation) = reached.violates.clone() else { return Ok(None) };
        let found = told::check_of(input, &violation);
        match found {
            Some(found) if self.shown.get(&found).is_some_and(Shown::is_proof) => {
                return Err(gate::proof_contradicted("an engine", reached));
            }
            Some(found) => _ = self.shown.insert(found, Shown::Choices(reached.clone())),
            None => _ = self.others.insert(violation, reached.clone()),
        }
        Ok(found)
    }

    /// Proofs are about a lowering: they say nothing about another one.
    fn lowered_again(&mut self) {
        self.shown.retain(|_, shown| matches!(shown, Shown::Choices(_)));
        self.modelled = None;
        self.frames = None;
    }

    /// The lowering lists no place, but perhaps only because all of them lie behind what is not modelled.
    fn may_hide_places(&self, input: &Input) -> bool {
        may_hide_places(input) && self.modelled.is_none()
    }
}

/// Whether the places of a program may all lie behind what is not modelled, where the lowering lists none.
fn may_hide_places(input: &Input) -> bool {
    let automaton = &input.program.automaton;
    let leaves = |sink| automaton.edges.iter().any(|edge| edge.target == sink);
    input.checks.is_empty() && automaton.unmodelled.is_some_and(leaves)
}

/// Looks for an answer for each place.
pub(crate) fn check(
    mut input: Input,
    search: &Search<'_>,
    options: &Options,
    listener: &mut Listener<'_>,
) -> Result<Answer, Refusal> {
    let Some(tree) = input.tree.clone() else {
        return Err(Refusal::internal("nilas: internal error: places of what is no C program"));
    };
    if !tree.differences.is_empty() {
        listener.warn(Warning::Differences(input::render(&tree, &tree.differences)));
    }
    for why in &input.unkept {
        listener.warn(Warning::Inlined(why.clone()));
    }
    let mut known = Known::default();
    let mut watch = Watch::new(&tree, input.properties(), search.session.budget(), options.deterministic);
    if options.engine.is_none() {
        for _ in 0..RUNS {
            let Some(reached) = watch.before() else { break };
            known.reached(&input, &reached)?;
            watch.pass_over(reached.violates);
        }
    }
    let mut engine = None;
    let mut why = None;
    let mut together = true;
    // All that are left together, then one after the other.
    loop {
        let answered = known.answered();
        input.ask(Asked::Except(answered.clone()));
        let left = input.asked_checks().len();
        let nothing = left == 0 && !known.may_hide_places(&input);
        if nothing || search.session.limits().overdue().is_some() {
            break;
        }
        let time = search.left();
        let slice = match (left, time) {
            (0 | 1, _) => None,
            (_, Some(time)) => Some(time / 2),
            (_, None) => Some(TOGETHER),
        };
        match step(input, &mut known, search, options, &mut watch, listener, slice)? {
            Step::Progress(next, who) => (input, engine) = (next, Some(who)),
            Step::Stuck(next, reason, unmodelled) => {
                input = next;
                why = Some(reason);
                if unmodelled {
                    // Violations are looked for though executions leave the model elsewhere.
                    let how: (How, _) = (Asked::Modelled, Some(ALONE));
                    input = all_at_once(input, how, &mut known, search, options, &mut watch, listener)?;
                    together = false;
                }
                break;
            }
            Step::Lost(reason) => return Ok(lost(&reason)),
        }
    }
    if together && why.is_some() {
        input = alone(input, &mut known, search, options, &mut watch, listener)?;
        let late = known.whys.values().any(|why| why.late);
        if late && search.left().is_none() {
            // What is left goes on together, until all is decided.
            let how: (How, _) = (Asked::Except, None);
            input = all_at_once(input, how, &mut known, search, options, &mut watch, listener)?;
        }
    }
    let all = known.shown.len() == input.checks.len() && known.shown.values().all(Shown::is_proof);
    let all = all && !known.may_hide_places(&input);
    if let Some(reached) = known.others.values().next().filter(|_| all) {
        return Err(gate::proof_contradicted(engine.unwrap_or("an engine"), reached));
    }
    if known.others.is_empty() && known.may_hide_places(&input) {
        let why = why.map_or_else(|| "not decided".to_owned(), |why| why.reason);
        let mut summary = Summary::of(Conclusion::Unknown(nilas_report::Why::of_text(why)), engine);
        summary.assumptions.clone_from(&input.assumptions);
        return Ok(Answer::of(input, summary));
    }
    input.ask(Asked::All);
    Ok(told::answer(input, known, why.as_ref(), engine, (options, search)))
}

/// There is no program to report on: a limit was reached while it was lowered again.
fn lost(reason: &str) -> Answer {
    Answer::unread(String::new(), nilas_report::Cause::Other, reason.to_owned())
}

/// What came of asking.
enum Step {
    /// Something has an answer that had none, by an engine.
    Progress(Input, &'static str),
    /// Nothing has, for this reason; perhaps because an execution leaves the model.
    Stuck(Input, Why, bool),
    /// There is no program any more.
    Lost(String),
}

/// An execution in C violated something, perhaps at a place that has its answer already.
fn met(
    input: Input,
    reached: &Reached,
    known: &mut Known,
    watch: &mut Watch<'_>,
    who: &'static str,
) -> Result<Step, Refusal> {
    watch.pass_over(reached.violates.clone());
    if known.reached(&input, reached)?.is_some() {
        return Ok(Step::Progress(input, who));
    }
    let reason = Why { reason: format!("{} at {}", reached.what, reached.place), late: false };
    Ok(Step::Stuck(input, reason, false))
}

/// Whether a proof about some checks is about what an execution violates. What the lowering does not list is
/// violated by no execution if `all` is known about all checks that it lists.
fn concerns(input: &Input, asked: &BTreeSet<Key>, all: bool, reached: &Reached) -> bool {
    let Some(violation) = &reached.violates else { return true };
    told::check_of(input, violation).map_or(all, |check| asked.contains(&check))
}

/// Asks about what the input asks about.
fn step(
    input: Input,
    known: &mut Known,
    search: &Search<'_>,
    options: &Options,
    watch: &mut Watch<'_>,
    listener: &mut Listener<'_>,
    slice: Option<Duration>,
) -> Result<Step, Refusal> {
    let began = Instant::now();
    let bounds = input.bounds().clone();
    // Places take turns, and each has executions before the engines: nothing is hunted for beside them.
    let found = match search.within(slice).run(input, listener, &mut |_, _| None)? {
        Ended::Found(found) => found,
        Ended::Reached(input, reached) => return met(*input, &reached, known, watch, "execution"),
        Ended::Overdue(input, why) => {
            return Ok(Step::Stuck(
                *input,
                Why { reason: Unknown::Interrupted(why).to_string(), late: true },
                false,
            ));
        }
        Ended::Unread(_, why) => {
            return Ok(Step::Lost(format!("{why} while the program was lowered with larger bounds")));
        }
    };
    let Found { input, reports, trace, doubtful, models, .. } = found;
    if *input.bounds() != bounds {
        known.lowered_again();
    }
    known.frames = frames::of(&reports, options.frames).or(known.frames.take());
    add_statistics(&mut known.statistics, &reports);
    let Some(report) = reports.first() else {
        return Err(Refusal::internal("nilas: internal error: no engine ran"));
    };
    let who = report.engine.name();
    watch.guide(&input, &models.take());
    let asked: BTreeSet<Key> = input.asked_checks().into_iter().map(|it| key(&input.checks[it])).collect();
    let about = |reached: &Reached| match input.asked() {
        Asked::Modelled(_) => false,
        Asked::Only(_) => concerns(&input, &asked, false, reached),
        _ => concerns(&input, &asked, true, reached),
    };
    let claim = Claim { verdict: &report.verdict, trace: trace.as_ref(), doubtful: &doubtful, about: &about };
    let confirmed = gate::confirm(&input, claim, watch, Unreplayed::Unsafe, (who, began.elapsed()))?;
    match (confirmed, &report.verdict) {
        (Confirmed::Reached(reached), _) => met(input, &reached, known, watch, who),
        (Confirmed::Unknown(reason), _) => Ok(Step::Stuck(input, Why { reason, late: false }, false)),
        (Confirmed::Stands { elsewhere, .. }, Verdict::Safe(evidence)) => {
            for reached in &elsewhere {
                known.reached(&input, reached)?;
            }
            if input.asked().stops_unmodelled() {
                // That is no proof: executions stopped where they leave the model.
                let why = Why { reason: "no execution within the model".to_owned(), late: false };
                return Ok(match elsewhere.is_empty() {
                    true => Step::Stuck(input, why, false),
                    false => Step::Progress(input, who),
                });
            }
            proved(&input, known, evidence);
            Ok(Step::Progress(input, who))
        }
        (Confirmed::Stands { repeated, .. }, Verdict::Unsafe(Evidence::Execution(execution))) => {
            let last = trace.as_ref().and_then(|trace| trace.course.edges.last());
            let check = last.and_then(|edge| input.checks.iter().find(|check| check.edges.contains(edge)));
            let Some(check) = check else {
                return Err(Refusal::internal("nilas: internal error: an execution violates nothing"));
            };
            let (asked, auxiliary) = (key(check), check.auxiliary);
            match repeated {
                Some(Ok(reached)) => {
                    watch.pass_over(reached.violates.clone());
                    let before = known.answered();
                    let found = known.reached(&input, &reached)?;
                    let new = found.is_some_and(|found| !before.contains(&found));
                    if found != Some(asked) && new {
                        // Another one was violated first: this one is asked about again.
                    } else if found != Some(asked) && auxiliary {
                        known.passed.insert(asked, reached);
                    } else if found != Some(asked) {
                        let reason = format!(
                            "an execution gets there, but in the reference interpreter it ends elsewhere: {} at {}",
                            reached.what, reached.place
                        );
                        known.shown.insert(asked, Shown::Nothing(Why { reason, late: false }));
                    }
                }
                // Whoever trusts executions that could not be repeated means failing assertions.
                Some(Err(_)) if asked.0 == Property::Assert && options.unreplayed == Unreplayed::Unsafe => {
                    let evidence = Evidence::Execution(execution.clone());
                    known.shown.insert(asked, Shown::Execution(evidence));
                }
                Some(Err(why)) => {
                    let reason = format!("an execution gets there, but it could not be repeated in C: {why}");
                    known.shown.insert(asked, Shown::Nothing(Why { reason, late: false }));
                }
                None => {
                    let reason = "an execution gets there, but it was not repeated in C".to_owned();
                    known.shown.insert(asked, Shown::Nothing(Why { reason, late: false }));
                }
            }
            Ok(Step::Progress(input, who))
        }
        (Confirmed::Stands { .. }, verdict) => {
            let why = gate::reason(&input, verdict, (who, began.elapsed()));
            // What an engine says that was stopped is not why there is no answer.
            if let (Some(interrupt), Verdict::Unknown(_)) = (search.session.limits().overdue(), verdict) {
                let reason = Unknown::Interrupted(interrupt).to_string();
                return Ok(Step::Stuck(input, Why { reason, late: true }, false));
            }
            let late =
                matches!(verdict, Verdict::Unknown(Unknown::Interrupted(_)) | Verdict::Unchecked { .. });
            let unmodelled = matches!(verdict, Verdict::Unknown(Unknown::Unmodelled { .. }));
            Ok(Step::Stuck(input, Why { reason: why.text, late }, unmodelled))
        }
    }
}

/// What is asked about cannot be violated.
fn proved(input: &Input, known: &mut Known, evidence: &Evidence) {
    let group: Vec<Key> = input.asked_checks().into_iter().map(|it| key(&input.checks[it])).collect();
    let Some(&leader) = group.first() else {
        known.modelled = Some(evidence.clone());
        return;
    };
    for other in &group[1..] {
        known.shown.insert(*other, Shown::With(leader));
    }
    known.shown.insert(leader, Shown::Proof(evidence.clone()));
}

/// Which places are asked about, of those that are decided.
type How = fn(BTreeSet<Key>) -> Asked;

/// Asks about all checks at once that have no answer, until there is nothing new. A round has half of what is
/// left of the time, and `unlimited` where nobody set a limit.
fn all_at_once(
    mut input: Input,
    (asked, unlimited): (How, Option<Duration>),
    known: &mut Known,
    search: &Search<'_>,
    options: &Options,
    watch: &mut Watch<'_>,
    listener: &mut Listener<'_>,
) -> Result<Input, Refusal> {
    loop {
        input.ask(asked(known.answered()));
        if input.asked_checks().is_empty() || search.session.limits().overdue().is_some() {
            return Ok(input);
        }
        let slice = search.left().map_or(unlimited, |left| Some(left / 2));
        match step(input, known, search, options, watch, listener, slice)? {
            Step::Progress(next, _) => input = next,
            Step::Stuck(next, ..) => return Ok(next),
            Step::Lost(why) => return Err(Refusal::limit(format!("nilas: {why}"))),
        }
    }
}

/// Asks about one check after the other. What is left of the time in the end belongs to those that had too
/// little, as long as each of them gets at least twice as much as before.
fn alone(
    mut input: Input,
    known: &mut Known,
    search: &Search<'_>,
    options: &Options,
    watch: &mut Watch<'_>,
    listener: &mut Listener<'_>,
) -> Result<Input, Refusal> {
    let mut given: BTreeMap<Key, Duration> = BTreeMap::new();
    loop {
        input.ask(Asked::Except(known.answered()));
        let open: Vec<Key> = input.asked_checks().into_iter().map(|it| key(&input.checks[it])).collect();
        let mut next: Vec<Key> = open.iter().copied().filter(|it| !given.contains_key(it)).collect();
        if next.is_empty() {
            next = open;
            next.retain(|it| known.whys.get(it).is_some_and(|why| why.late));
        }
        let left = u32::try_from(next.len()).unwrap_or(u32::MAX).max(1);
        let slice = search.left().map_or(ALONE, |time| time / left);
        next.retain(|it| given.get(it).is_none_or(|&before| before * 2 <= slice));
        let Some(&next) = next.first() else { return Ok(input) };
        if search.session.limits().overdue().is_some() {
            return Ok(input);
        }
        given.insert(next, slice);
        input.ask(Asked::Only(next));
        match step(input, known, search, options, watch, listener, Some(slice))? {
            Step::Progress(after, _) => input = after,
            Step::Stuck(after, why, _) => {
                input = after;
                known.whys.insert(next, why);
            }
            Step::Lost(why) => return Err(Refusal::limit(format!("nilas: {why}"))),
        }
    }
}

/// The answers as evidence about the targets of the program.
fn evidence(input: &Input, known: &Known, why: Option<&Why>) -> Answers {
    let location = |wanted: Key| {
        let at = input.checks.iter().position(|check| key(check) == wanted)?;
        input.errors.get(at).copied()
    };
    let mut answers = Answers::new();
    for (check, &error) in input.checks.iter().zip(&input.errors) {
        let nothing = |why: Option<&Why>| {
            Evidenced::Unknown(why.map_or_else(|| "not decided".to_owned(), |why| why.reason.clone()))
        };
        let passed = known.passed.get(&key(check));
        let answer = match known.shown.get(&key(check)) {
            None if let Some(reached) = passed => Evidenced::Choices(reached.text.clone()),
            Some(Shown::Proof(evidence) | Shown::Execution(evidence)) => {
                Evidenced::Evidence(evidence.clone())
            }
            Some(Shown::With(leader)) => location(*leader).map_or_else(|| nothing(None), Evidenced::With),
            Some(Shown::Choices(reached)) => Evidenced::Choices(reached.text.clone()),
            Some(Shown::Nothing(why)) => nothing(Some(why)),
            None => nothing(known.whys.get(&key(check)).or(why)),
        };
        answers.insert(error, answer);
    }
    answers
}

/// What all answers come to.
pub(crate) fn standing(places: &[Place]) -> Standing {
    Standing::of_all(places.iter().map(|place| place.standing))
}

pub(crate) fn parts(places: Vec<Place>, answers: Answers) -> (Parts, nilas_report::Summary) {
    (Parts::Places(places, answers), several())
}
