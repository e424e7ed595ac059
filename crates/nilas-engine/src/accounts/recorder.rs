//! Keeps account of what an engine does, whichever it is.
//!
//! The [`Recorder`] stands between an engine and the user's observer, passes everything on, and counts work
//! by location. What it knows at the end is a [`Journal`] about the automaton as lowered, and counters that
//! bear the same names for every engine: *lemmas learnt*, *obligations*, *nodes*, *coverings*, *refinements*,
//! and *frames* where there is a frontier. An engine that counts one of them itself is believed: it may tell
//! of a refinement at several locations. Questions to solvers are *solver checks*, which every engine reads
//! off its own solvers: to listen to each of hundreds of thousands would cost time.

use crate::observer::{Counters, FramesAt, Observer, Progress, Work};
use nilas_program::{BackMap, HavocSite, LocationId, Program};
use nilas_smt::Solver;
use nilas_term::{Arena, Importer, Term, Value};
use std::collections::BTreeMap;

/// How often each kind of work was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally([u64; Work::ALL.len()]);

impl Tally {
    /// How often this kind of work was done.
    #[must_use]
    pub fn get(&self, work: Work) -> u64 {
        self.0[work as usize]
    }

    /// All work together.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    fn add(&mut self, other: Tally) {
        for (count, more) in self.0.iter_mut().zip(other.0) {
            *count += more;
        }
    }
}

/// What an engine did, place by place of the automaton as lowered.
#[derive(Clone, Debug, Default)]
pub struct Journal {
    /// Work by location.
    pub places: BTreeMap<LocationId, Tally>,
    /// Owner of the lemmas.
    pub arena: Arena,
    /// The lemmas (or predicates) that the engine held at the end, the oldest first, at the locations with
    /// most work.
    pub lemmas: BTreeMap<LocationId, Vec<Term>>,
    /// The frames that an engine of the family of IC3 had at the end, where somebody wanted them.
    pub frames: BTreeMap<LocationId, FramesAt>,
    /// The frontier: the last of them.
    pub frontier: u64,
}

impl Journal {
    /// All work.
    #[must_use]
    pub fn total(&self) -> Tally {
        let mut total = Tally::default();
        for tally in self.places.values() {
            total.add(*tally);
        }
        total
    }

    /// The locations with most work of these kinds, the most first.
    #[must_use]
    pub fn busiest(&self, kinds: &[Work]) -> Vec<LocationId> {
        let count = |tally: &Tally| kinds.iter().map(|&kind| tally.get(kind)).sum::<u64>();
        let mut places: Vec<(LocationId, u64)> =
            self.places.iter().map(|(&location, tally)| (location, count(tally))).collect();
        places.retain(|&(_, count)| count > 0);
        places.sort_by_key(|&(location, count)| (std::cmp::Reverse(count), location));
        places.into_iter().map(|(location, _)| location).collect()
    }
}

/// The lemmas of so many locations are kept.
const PLACES: usize = 8;

/// The frames of so many locations are kept, with so many lemmas each.
const FRAMES: usize = 200;
const LEMMAS: usize = 100;

/// Larger lemmas are not kept: nobody reads them.
const LARGEST_LEMMA: usize = 200;

/// Listens to an engine on behalf of [`crate::verify`].
pub(crate) struct Recorder<'a> {
    inner: &'a mut dyn Observer,
    /// By location of the automaton that the engine works on.
    tallies: Vec<Tally>,
    frontier: u64,
    arena: Arena,
    lemmas: Vec<(LocationId, Vec<Term>)>,
    frames: Vec<(LocationId, FramesAt)>,
}

impl<'a> Recorder<'a> {
    pub(crate) fn new(inner: &'a mut dyn Observer) -> Self {
        let (tallies, arena) = (Vec::new(), Arena::new());
        Recorder { inner, tallies, frontier: 0, arena, lemmas: Vec::new(), frames: Vec::new() }
    }

    /// What was recorded; adds the counters that all engines have.
    pub(crate) fn finish(self, small: &Program, back: &BackMap, counters: &mut Counters) -> Journal {
        let frontier = counters.get("frames").copied().unwrap_or(self.frontier);
        let mut journal = Journal { arena: self.arena, frontier, ..Journal::default() };
        for (index, tally) in self.tallies.into_iter().enumerate() {
            if tally.total() > 0 {
                journal.places.entry(back.location(LocationId::new(index))).or_default().add(tally);
            }
        }
        for (location, mut lemmas) in self.lemmas {
            // A lemma that cannot be carried over is no loss: this is for people.
            if back.restore(&small.arena, &mut journal.arena, &mut lemmas).is_err() {
                continue;
            }
            journal.lemmas.entry(back.location(location)).or_default().extend(lemmas);
        }
        for (location, mut frames) in self.frames {
            let (mut lemmas, last): (Vec<Term>, Vec<Option<u64>>) = frames.lemmas.drain(..).unzip();
            match back.restore(&small.arena, &mut journal.arena, &mut lemmas) {
                Ok(()) => frames.lemmas = lemmas.into_iter().zip(last).collect(),
                Err(_) => frames.more += lemmas.len(),
            }
            journal.frames.insert(back.location(location), frames);
        }
        let total = journal.total();
        for (name, kind) in [
            ("lemmas learnt", Work::Lemma),
            ("obligations", Work::Obligation),
            ("nodes", Work::Node),
            ("coverings", Work::Covering),
            ("refinements", Work::Refinement),
        ] {
            counters.entry(name).or_insert(total.get(kind));
        }
        if self.frontier > 0 {
            counters.entry("frames").or_insert(self.frontier);
        }
        journal
    }

    /// Whether so few locations have more work that the lemmas of this one are kept.
    fn is_busy(&self, location: LocationId) -> bool {
        let work = |index: usize| self.tallies.get(index).map_or(0, Tally::total);
        let here = work(location.index());
        (0..self.tallies.len()).filter(|&index| work(index) > here).count() < PLACES
    }
}

impl Observer for Recorder<'_> {
    fn progress(&mut self, progress: &Progress) {
        self.frontier = self.frontier.max(progress.frame);
        self.inner.progress(progress);
    }

    fn event(&mut self, event: &dyn Fn() -> String) {
        self.inner.event(event);
    }

    fn work(&mut self, location: LocationId, work: Work) {
        if self.tallies.len() <= location.index() {
            self.tallies.resize(location.index() + 1, Tally::default());
        }
        self.tallies[location.index()].0[work as usize] += 1;
        self.inner.work(location, work);
    }

    fn lemmas(&mut self, location: LocationId, arena: &Arena, lemmas: &[Term]) {
        if self.is_busy(location) && self.lemmas.len() < 4 * PLACES {
            let mut importer = Importer::new();
            let small = lemmas.iter().filter(|&&lemma| is_small(arena, lemma));
            // A lemma whose variables do not fit together with those of others is left out.
            let kept = small.filter_map(|&lemma| importer.import(&mut self.arena, arena, lemma).ok());
            self.lemmas.push((location, kept.collect()));
        }
        self.inner.lemmas(location, arena, lemmas);
    }

    fn wants_frames(&self) -> bool {
        self.inner.wants_frames()
    }

    fn frames(&mut self, location: LocationId, arena: &Arena, frames: &FramesAt) {
        if self.frames.len() < FRAMES {
            let mut importer = Importer::new();
            let small = frames.lemmas.iter().filter(|(lemma, _)| is_small(arena, *lemma)).take(LEMMAS);
            let kept: Vec<(Term, Option<u64>)> = small
                .filter_map(|&(lemma, last)| {
                    Some((importer.import(&mut self.arena, arena, lemma).ok()?, last))
                })
                .collect();
            let more = frames.more + frames.lemmas.len() - kept.len();
            self.frames.push((location, FramesAt { first: frames.first, lemmas: kept, more }));
        }
        self.inner.frames(location, arena, frames);
    }

    fn wants_inputs(&mut self) -> bool {
        self.inner.wants_inputs()
    }

    fn inputs(&mut self, inputs: Vec<(HavocSite, Value)>) {
        self.inner.inputs(inputs);
    }

    fn solver(&mut self, solver: Box<dyn Solver>) -> Box<dyn Solver> {
        self.inner.solver(solver)
    }
}

/// Whether a term has few different subterms.
fn is_small(arena: &Arena, term: Term) -> bool {
    let mut seen = std::collections::BTreeSet::from([term]);
    let mut stack = vec![term];
    while let Some(term) = stack.pop() {
        if seen.len() > LARGEST_LEMMA {
            return false;
        }
        stack.extend(arena.children(term).iter().copied().filter(|&child| seen.insert(child)));
    }
    true
}

#[cfg(test)]
mod tests {
    use crate::{EngineRef, Registry, Report, Settings, Silent, Unknown, Verdict, Work, verify};
    use nilas_evidence::Evidence;
    use nilas_program::parse_program;
    use nilas_smt::Budget;

    const COUNTER: &str = "var x, y : bv4 entry a error e location a, b, c, e a -> b { x := 0; y := 0 } \
         b -> b { assume x != 3; x := x + 1; y := y + 3 } b -> c { assume x == 3 } c -> e { assume y != 9 }";

    fn report(engine: EngineRef) -> (nilas_program::Program, Report) {
        let program = parse_program(COUNTER).expect("a program of this test");
        let settings = Settings::of(&["classes.least-arcs=0"]).expect("a setting of an engine");
        let report = verify(&program, engine, &settings, &Budget::unlimited(), &mut Silent);
        (program, report)
    }

    /// All engines that search report the same counters.
    #[test]
    fn counters_bear_the_same_names() {
        let mut inapplicable = Vec::new();
        for engine in Registry::default().engines().filter(|engine| engine.name() != "run") {
            let (_, report) = report(engine);
            if matches!(report.verdict, Verdict::Unknown(Unknown::Inapplicable(_))) {
                inapplicable.push(engine.name());
                continue;
            }
            assert!(matches!(report.verdict, Verdict::Safe(_)), "{engine}: {:?}", report.verdict);
            for name in ["lemmas learnt", "obligations", "nodes", "coverings", "refinements", "solver checks"]
            {
                assert!(report.counters.contains_key(name), "{engine}: {name} in {:?}", report.counters);
            }
            assert!(
                report.counters.get("frames").copied().unwrap_or(0) + report.counters["nodes"] > 0,
                "{engine}: how far it came, {:?}",
                report.counters
            );
            // Those that unroll learn nothing.
            let unrolled =
                engine.needs_bound() || matches!(report.verdict, Verdict::Safe(Evidence::Unwinding(_)));
            let told = !report.journal.lemmas.is_empty();
            assert_eq!(told, !unrolled, "{engine}: {:?}", report.journal);
        }
        let some = "summaries icp icp-bmc icp-ic3 icp-ic3-1 icp-ic3-2 states classes";
        assert_eq!(inapplicable.join(" "), some, "the others take any program");
    }

    /// Work is told at locations of the automaton as it was given.
    #[test]
    fn work_is_at_the_given_locations() {
        let (program, report) = report("ic3cfa".parse().expect("the engine"));
        let journal = &report.journal;
        let busiest = journal.busiest(&[Work::Obligation, Work::Lemma]);
        let name = |location| &*program.automaton.location(location).name;
        assert_eq!(busiest.first().map(|&location| name(location)), Some("b"), "{journal:?}");
        assert_eq!(journal.total().get(Work::Lemma), report.counters["lemmas learnt"]);
        assert_eq!(journal.total().get(Work::Obligation), report.counters["obligations"]);
        assert!(journal.lemmas.values().all(|lemmas| !lemmas.is_empty()), "{journal:?}");
        assert!(journal.lemmas.contains_key(&busiest[0]), "{journal:?}");
    }

    /// Wants to see frames.
    struct Curious;

    impl crate::Observer for Curious {
        fn wants_frames(&self) -> bool {
            true
        }
    }

    /// Frames are told with the level that each lemma belongs to, at locations of the automaton as lowered.
    #[test]
    fn frames_are_kept_where_they_are_wanted() {
        let settings = Settings::of(&["classes.least-arcs=0"]).expect("a setting of an engine");
        for name in ["ic3cfa", "ic3", "ic3ia"] {
            let program = parse_program(COUNTER).expect("a program of this test");
            let engine: EngineRef = name.parse().expect("an engine");
            let report = verify(&program, engine, &settings, &Budget::unlimited(), &mut Curious);
            let journal = &report.journal;
            assert!(journal.frontier > 0 && !journal.frames.is_empty(), "{name}: {journal:?}");
            let loop_head = &program.automaton.locations[1];
            let (location, frames) = journal
                .frames
                .iter()
                .find(|(_, frames)| !frames.lemmas.is_empty())
                .unwrap_or_else(|| panic!("{name} has lemmas: {journal:?}"));
            assert_eq!(program.automaton.location(*location).name, loop_head.name, "{name}");
            for (_, last) in &frames.lemmas {
                assert!(last.is_none_or(|last| last >= 1 && last <= journal.frontier), "{name}: {frames:?}");
            }
            // What holds everywhere or beyond the fixpoint is the invariant that the checker accepted.
            assert!(
                matches!(report.verdict, Verdict::Safe(Evidence::Invariant(_))),
                "{name}: {:?}",
                report.verdict
            );
            let silent = verify(&program, engine, &settings, &Budget::unlimited(), &mut Silent);
            assert!(silent.journal.frames.is_empty(), "{name}: nobody asked");
        }
    }
}
