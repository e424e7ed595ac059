//! Engines that take turns by counted work (`--deterministic`), and engines that have a short turn.
//!
//! Work is counted by polls of the budget: there is one for every question to a solver, and one for every so
//! many propagations, gates, terms and steps inside. What an engine does between two of its polls depends on
//! the program and on what others have published alone. At any moment one engine works; when it has spent its
//! turn, the next one does, in the order in which they were started. So everything that happens, happens in
//! the same order every time.
//!
//! Evidence is checked out of turn: whoever has some keeps the turn until it is checked.
//!
//! Short turns ([`Role::Briefly`](nilas_engine::Role)) come one after the other, when the engines that run
//! all the time have worked for a while: by counted work here, by processor time where engines race. There
//! polls say little: an engine that unrolls makes few of them in a second.

use nilas_engine::processor_time;
use nilas_smt::{Budget, CancelFlag, Interrupt, Turn, Turns};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Polls of a turn.
const TURN: u64 = 4_000;
/// How many of them the first turn of an engine has that has some time for itself.
const HEAD_START: u64 = 40_000;
/// Polls of a short turn, and its processor time where engines race.
const BRIEF: u64 = 10_000;
const BRIEF_TIME: Duration = Duration::from_millis(250);
/// The work of all, in polls, and the processor seconds, after which short turns begin.
const LATER: u64 = 30_000;
const LATER_S: f64 = 2.0;
/// Polls that stand for a second, where a share of the time is meant.
const SECOND: f64 = 40_000.0;
/// The least work that other engines get after a cut.
const GRACE: u64 = 8_000;
/// How often somebody who waits looks whether he is still wanted.
const POLL: Duration = Duration::from_millis(5);

/// The work that stands for a time.
pub(crate) fn work(time: Duration) -> u64 {
    (time.as_secs_f64() * SECOND) as u64
}

/// A budget that ends after the work that stands for a time, whatever the clock says; and with another one.
pub(crate) fn counted(budget: &Budget, time: Duration) -> Budget {
    let brief = Brief { other: Some(budget.cancel.clone()), ..Brief::counted(work(time)) };
    // A flag of its own: what it stops is this work alone.
    Budget { cancel: CancelFlag::new(), turn: Turn::of(Arc::new(brief)), ..budget.clone() }
}

/// Says whose turn it is.
#[derive(Default)]
pub(crate) struct Turnstile {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// Whose turn it is.
    turn: usize,
    /// For each engine, whether it still works.
    works: Vec<bool>,
    /// What is left of the turn.
    left: u64,
    /// The work of all.
    total: u64,
    /// The work of all at which nobody gets a turn any more.
    end: Option<u64>,
    ended: bool,
    /// Those that wait for a short turn, the next one last, and who has it.
    waiting: Vec<usize>,
    brief: Option<usize>,
}

impl State {
    /// The next one's turn.
    fn pass(&mut self) {
        let is_free = self.brief.is_none_or(|engine| !self.works[engine]);
        if is_free && (self.total >= LATER || !self.works.contains(&true)) {
            self.brief = self.waiting.pop();
            if let Some(engine) = self.brief {
                self.works[engine] = true;
            }
        }
        if self.end.is_some_and(|end| self.total >= end) {
            self.ended = true;
        }
        let count = self.works.len();
        let next = (1..=count).map(|ahead| (self.turn + ahead) % count);
        if let Some(next) = next.into_iter().find(|&next| self.works[next]) {
            self.turn = next;
        }
        self.left = TURN;
    }
}

impl Turnstile {
    /// For engines, of which some have a short turn, and the first ones some time for themselves. All ends
    /// after so much work.
    pub(crate) fn new(brief: &[bool], first: usize, end: Option<u64>) -> Arc<Self> {
        let left = if first > 0 { HEAD_START } else { TURN };
        let works = brief.iter().map(|brief| !brief).collect();
        let waiting = (0..brief.len()).rev().filter(|&engine| brief[engine]).collect();
        let state = State { works, left, end, waiting, ..State::default() };
        Arc::new(Turnstile { state: Mutex::new(state), changed: Condvar::new() })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The seat of an engine.
    pub(crate) fn seat(self: &Arc<Self>, engine: usize) -> Arc<Seat> {
        Arc::new(Seat { turnstile: Arc::clone(self), engine })
    }

    /// Others get as much work again as was done so far.
    pub(crate) fn cut(&self) {
        let mut state = self.state();
        let end = state.total * 2 + GRACE;
        state.end = Some(state.end.map_or(end, |before| before.min(end)));
    }

    /// Whether nobody gets a turn any more.
    pub(crate) fn has_ended(&self) -> bool {
        self.state().ended
    }
}

/// Where an engine waits for its turn.
pub(crate) struct Seat {
    turnstile: Arc<Turnstile>,
    engine: usize,
}

impl Seat {
    /// Waits until it is its turn, or it is not wanted any more.
    pub(crate) fn wait(&self, cancel: &CancelFlag) {
        let mut state = self.turnstile.state();
        while (state.turn != self.engine || state.ended) && cancel.reason().is_none() {
            let waited = self.turnstile.changed.wait_timeout(state, POLL);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// It does not work any more.
    pub(crate) fn leave(&self) {
        let mut state = self.turnstile.state();
        state.works[self.engine] = false;
        if state.turn == self.engine {
            state.pass();
        }
        self.turnstile.changed.notify_all();
    }
}

impl Seat {
    /// The next one's turn, until it is this one's again.
    fn pass(&self, mut state: MutexGuard<'_, State>, cancel: &CancelFlag) {
        state.pass();
        let again = state.turn == self.engine && !state.ended;
        self.turnstile.changed.notify_all();
        drop(state);
        if !again {
            self.wait(cancel);
        }
    }
}

impl Turns for Seat {
    fn worked(&self, cancel: &CancelFlag) {
        if cancel.reason().is_some() {
            // It is about to end, and keeps its turn until then.
            return;
        }
        let mut state = self.turnstile.state();
        state.total += 1;
        state.left = state.left.saturating_sub(1);
        if state.left == 0 {
            self.pass(state, cancel);
        }
    }

    fn rests(&self, cancel: &CancelFlag) {
        if cancel.reason().is_none() {
            let mut state = self.turnstile.state();
            state.total += 1;
            self.pass(state, cancel);
        }
    }
}

/// The order of short turns where engines race.
pub(crate) struct ShortTurns {
    /// Which one of them it is, if they have begun.
    turn: Mutex<Option<usize>>,
    changed: Condvar,
    /// The processor time of the process when everything began, and when that is not known, the time.
    since_s: Option<f64>,
    since: Instant,
}

impl ShortTurns {
    /// They have not begun.
    pub(crate) fn new(since_s: Option<f64>) -> Arc<Self> {
        let (turn, changed) = (Mutex::new(None), Condvar::new());
        Arc::new(ShortTurns { turn, changed, since_s, since: Instant::now() })
    }

    fn turn(&self) -> MutexGuard<'_, Option<usize>> {
        self.turn.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// They begin when the others have ended, or have worked for a while.
    pub(crate) fn open_when(&self, others_have_ended: bool, now_s: Option<f64>) {
        let worked_s = match self.since_s.zip(now_s) {
            Some((since, now)) => now - since,
            None => self.since.elapsed().as_secs_f64(),
        };
        if others_have_ended || worked_s >= LATER_S {
            self.turn().get_or_insert(0);
            self.changed.notify_all();
        }
    }

    /// Waits for a turn, or until it is not wanted any more.
    pub(crate) fn wait(&self, place: usize, cancel: &CancelFlag) {
        let mut turn = self.turn();
        while *turn != Some(place) && cancel.reason().is_none() {
            turn = self.changed.wait_timeout(turn, POLL).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// A turn has ended.
    pub(crate) fn next(&self) {
        let mut turn = self.turn();
        *turn = turn.map(|turn| turn + 1);
        self.changed.notify_all();
    }
}

/// The work of an engine in its short turn. When it is done, the engine is stopped.
pub(crate) struct Brief {
    done: AtomicU64,
    most: u64,
    /// The processor time that counts instead, if no turns are taken.
    time: Option<ThreadTime>,
    /// Where it waits besides, if turns are taken.
    seat: Option<Arc<Seat>>,
    /// It ends when this one does.
    other: Option<CancelFlag>,
}

impl Brief {
    /// That of an engine that takes turns with others, or races with them.
    pub(crate) fn new(seat: Option<Arc<Seat>>) -> Self {
        let time = seat.is_none().then(|| ThreadTime::new(BRIEF_TIME));
        Brief { time, seat, ..Brief::counted(BRIEF) }
    }

    fn counted(most: u64) -> Self {
        Brief { done: AtomicU64::new(0), most, time: None, seat: None, other: None }
    }

    fn is_done(&self) -> bool {
        match &self.time {
            Some(time) => time.is_over(),
            None => self.done.fetch_add(1, Ordering::Relaxed) >= self.most,
        }
    }
}

/// Processor time of the thread that asks for it, from its first question on.
struct ThreadTime {
    most: Duration,
    /// What the thread had used at the first question, and when to look again: before, it cannot be over.
    looked: Mutex<Option<(Duration, Instant)>>,
}

impl ThreadTime {
    fn new(most: Duration) -> Self {
        ThreadTime { most, looked: Mutex::new(None) }
    }

    fn is_over(&self) -> bool {
        let mut looked = self.looked.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        let Some((first, again)) = *looked else {
            *looked = Some((processor_time().unwrap_or_default(), now + self.most));
            return false;
        };
        if now < again {
            return false;
        }
        // Where the system does not tell, the clock does.
        let used = processor_time().map_or(self.most, |used| used.saturating_sub(first));
        *looked = Some((first, now + self.most.saturating_sub(used)));
        used >= self.most
    }
}

impl Turns for Brief {
    fn worked(&self, cancel: &CancelFlag) {
        if let Some(why) = self.other.as_ref().and_then(CancelFlag::reason) {
            cancel.cancel(why);
        } else if self.is_done() {
            cancel.cancel(Interrupt::Cancelled);
        } else if let Some(seat) = &self.seat {
            seat.worked(cancel);
        }
    }

    fn rests(&self, cancel: &CancelFlag) {
        match &self.seat {
            Some(seat) => seat.rests(cancel),
            None => self.worked(cancel),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    /// Whoever is faster, work is done in the same order.
    #[test]
    fn turns_are_taken_by_work() {
        let turnstile = Turnstile::new(&[false; 3], 0, None);
        let (sender, receiver) = mpsc::channel();
        std::thread::scope(|scope| {
            for engine in 0..3 {
                let (seat, sender) = (turnstile.seat(engine), sender.clone());
                scope.spawn(move || {
                    let cancel = CancelFlag::new();
                    seat.wait(&cancel);
                    for piece in 0..2 * TURN {
                        if piece % TURN == 0 {
                            let _ = sender.send(engine);
                        }
                        seat.worked(&cancel);
                    }
                    seat.leave();
                });
            }
        });
        drop(sender);
        assert_eq!(receiver.iter().collect::<Vec<_>>(), [0, 1, 2, 0, 1, 2]);
    }

    /// Who has nothing to do before others have worked leaves the rest of the turn.
    #[test]
    fn who_waits_does_not_keep_the_turn() {
        let turnstile = Turnstile::new(&[false; 2], 0, None);
        let (done, cancel) = (std::sync::atomic::AtomicBool::new(false), CancelFlag::new());
        let (waits, works) = (turnstile.seat(0), turnstile.seat(1));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !done.load(Ordering::SeqCst) {
                    waits.rests(&cancel);
                }
                waits.leave();
            });
            works.wait(&cancel);
            (0..3 * TURN).for_each(|_| works.worked(&cancel));
            done.store(true, Ordering::SeqCst);
            works.leave();
        });
    }

    /// Work that stands for a time ends when it is done, or when what it belongs to is stopped.
    #[test]
    fn counted_work_ends() {
        let whole = Budget::unlimited();
        let budget = counted(&whole, Duration::from_millis(1));
        (0..work(Duration::from_millis(1))).for_each(|_| assert_eq!(budget.exhausted(), None));
        assert_eq!(budget.exhausted(), Some(Interrupt::Cancelled));
        assert_eq!(whole.exhausted(), None);
        let budget = counted(&whole, Duration::from_secs(1));
        whole.cancel.cancel(Interrupt::Timeout);
        assert_eq!(budget.exhausted(), Some(Interrupt::Timeout));
    }

    #[test]
    fn a_brief_engine_is_stopped() {
        let (brief, cancel) = (Brief::counted(BRIEF), CancelFlag::new());
        (0..BRIEF).for_each(|_| brief.worked(&cancel));
        assert_eq!(cancel.reason(), None);
        brief.worked(&cancel);
        assert_eq!(cancel.reason(), Some(Interrupt::Cancelled));
    }

    /// Where engines race, a turn ends by itself however seldom it is polled.
    #[test]
    fn a_brief_engine_that_races_is_stopped() {
        let (brief, cancel) = (Brief::new(None), CancelFlag::new());
        brief.worked(&cancel);
        assert_eq!(cancel.reason(), None);
        while cancel.reason().is_none() {
            brief.worked(&cancel);
        }
        assert_eq!(cancel.reason(), Some(Interrupt::Cancelled));
    }

    /// After a cut there is as much work again, and then nobody's turn.
    #[test]
    fn a_cut_ends_the_turns() {
        let turnstile = Turnstile::new(&[false], 0, None);
        let (seat, cancel) = (turnstile.seat(0), CancelFlag::new());
        turnstile.cut();
        (0..GRACE - 1).for_each(|_| seat.worked(&cancel));
        assert!(!turnstile.has_ended());
        std::thread::scope(|scope| {
            scope.spawn(|| seat.worked(&cancel));
            while !turnstile.has_ended() {
                std::thread::yield_now();
            }
            cancel.cancel(Interrupt::Cancelled);
        });
    }

    /// Short turns come one after the other, when the others have worked for a while.
    #[test]
    fn short_turns_come_later() {
        let turnstile = Turnstile::new(&[false, true, true], 0, None);
        let (sender, receiver) = mpsc::channel();
        std::thread::scope(|scope| {
            for (engine, pieces) in [(0, LATER + 3 * TURN), (1, 2 * TURN), (2, TURN)] {
                let (seat, sender) = (turnstile.seat(engine), sender.clone());
                scope.spawn(move || {
                    let cancel = CancelFlag::new();
                    seat.wait(&cancel);
                    for piece in 0..pieces {
                        if piece % TURN == 0 {
                            let _ = sender.send(engine);
                        }
                        seat.worked(&cancel);
                    }
                    seat.leave();
                });
            }
        });
        drop(sender);
        let order: Vec<usize> = receiver.iter().collect();
        let alone = usize::try_from(LATER.div_ceil(TURN)).unwrap_or(0);
        assert_eq!(order[..alone], vec![0; alone]);
        assert_eq!(order[alone..], [1, 0, 1, 0, 2, 0]);
    }

    #[test]
    fn short_turns_where_engines_race() {
        let (short, cancel) = (ShortTurns::new(Some(1.0)), CancelFlag::new());
        short.open_when(false, Some(1.0));
        assert_eq!(*short.turn(), None);
        short.open_when(false, Some(1.0 + LATER_S));
        short.wait(0, &cancel);
        short.next();
        short.wait(1, &cancel);
        // Who is not wanted any more does not wait.
        cancel.cancel(Interrupt::Cancelled);
        short.wait(7, &cancel);
        let short = ShortTurns::new(None);
        short.open_when(true, None);
        assert_eq!(*short.turn(), Some(0));
    }
}
