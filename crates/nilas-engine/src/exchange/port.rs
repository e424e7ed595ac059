//! An engine's end of the exchange: it carries facts to the program as given and back.

use super::board::{Board, Exchange, Posted, Saying, Standing};
use super::{Fact, Steps};
use crate::engine::Prepared;
use crate::observer::Counters;
use nilas_program::LocationId;
use nilas_term::{Arena, Importer, Sort, Substitution, Term, Value};
use std::collections::BTreeMap;

/// Formulas with more different subterms are not passed on: they cost more to show than they are worth.
const LARGEST: usize = 400;

/// See [the module](super). A port belongs to one arena: that of the engine, which extends its program's.
#[derive(Default)]
pub struct Port {
    open: Option<Open>,
    counts: Counts,
}

/// What was exchanged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    published: u64,
    received: u64,
    shown: u64,
    used: u64,
}

struct Open {
    exchange: Exchange,
    me: usize,
    steps: Steps,
    /// How many facts of the board were looked at.
    seen: usize,
    /// The location of the program as given, for each of the engine's, and back.
    given: Vec<LocationId>,
    own: BTreeMap<LocationId, LocationId>,
    /// The engine's variables, by name, with their sorts; those that a pass encoded anew are left out.
    variables: BTreeMap<String, (Term, Sort)>,
    /// All of the engine's variables.
    terms: Vec<Term>,
    /// Variables that a pass encoded anew as terms over the old ones (in the engine's arena), and back.
    narrow: Substitution,
    wide: Substitution,
    publishing: Importer,
    receiving: Importer,
}

impl Port {
    /// A port to nowhere.
    #[must_use]
    pub fn closed() -> Self {
        Self::default()
    }

    /// A port for an engine that works on a program.
    #[must_use]
    pub fn new(exchange: &Exchange, prepared: &Prepared) -> Self {
        let Prepared { program, back, steps, .. } = prepared;
        let automaton = &program.automaton;
        let given: Vec<LocationId> = automaton.location_ids().map(|id| back.location(id)).collect();
        let own = automaton.location_ids().map(|id| (given[id.index()], id)).collect();
        let (mut narrow, mut wide) = (Substitution::new(), Substitution::new());
        for recoded in back.recoded() {
            narrow.insert(recoded.narrow, recoded.wide);
            wide.insert(recoded.old, recoded.value);
        }
        let recoded: Vec<Term> = back.recoded().map(|recoded| recoded.narrow).collect();
        let plain = automaton.variables.iter().filter(|variable| !recoded.contains(&variable.term));
        let variables =
            plain.map(|it| (it.name.clone(), (it.term, it.sort.clone()))).collect::<BTreeMap<_, _>>();
        let mut terms: Vec<Term> = automaton.variables.iter().map(|variable| variable.term).collect();
        terms.sort_unstable();
        let open = Open {
            exchange: exchange.clone(),
            me: exchange.join(),
            steps: *steps,
            seen: 0,
            given,
            own,
            variables,
            terms,
            narrow,
            wide,
            publishing: Importer::new(),
            receiving: Importer::new(),
        };
        Port { open: Some(open), counts: Counts::default() }
    }

    /// Whether anybody may listen.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Tells the others.
    pub fn publish(&mut self, arena: &mut Arena, fact: &Fact) {
        if self.open.as_mut().is_some_and(|open| open.publish(arena, fact)) {
            self.counts.published += 1;
        }
    }

    /// The facts of others that came since this was asked last, as far as they can be said of the engine's
    /// program. (How deep others have looked is asked by [`Port::depth`].)
    pub fn receive(&mut self, arena: &mut Arena) -> Vec<Fact> {
        let facts = self.open.as_mut().map_or_else(Vec::new, |open| open.receive(arena));
        self.counts.received += facts.len() as u64;
        facts
    }

    /// In how many steps others say that no sink can be reached.
    #[must_use]
    pub fn depth(&self) -> u64 {
        self.open.as_ref().map_or(0, |open| open.exchange.board().depth(open.me, open.steps))
    }

    /// The engine has shown so many facts that it received.
    pub fn shown(&mut self, facts: usize) {
        self.counts.shown += facts as u64;
    }

    /// The engine has made use of so many facts that it received.
    pub fn used(&mut self, facts: usize) {
        self.counts.used += facts as u64;
    }

    /// Adds what was exchanged, if there was somebody to exchange it with.
    pub(crate) fn counters(&self, counters: &mut Counters) {
        let Counts { published, received, shown, used } = self.counts;
        if self.is_open() {
            counters.insert("facts published", published);
            counters.insert("facts received", received);
            counters.insert("facts received and shown", shown);
            counters.insert("facts received and used", used);
        }
    }
}

impl Open {
    fn publish(&mut self, arena: &mut Arena, fact: &Fact) -> bool {
        let (standing, location, formula) = match fact {
            Fact::Invariant(location, formula) => (Standing::Invariant, *location, *formula),
            Fact::Lemma(location, formula) => (Standing::Lemma, *location, *formula),
            Fact::Predicate(location, formula) => (Standing::Predicate, *location, *formula),
            Fact::Depth(depth) => {
                self.exchange.board().reach_depth(self.me, self.steps, *depth);
                return false;
            }
            Fact::Reached(location, state) => {
                let name = |(term, value): &(Term, Value)| {
                    let name = arena.name(*term)?;
                    let known = self.variables.contains_key(name) && !matches!(value, Value::Array(_));
                    known.then(|| (name.to_owned(), value.clone()))
                };
                let state = state.iter().filter_map(name).collect();
                let saying = Saying::Reached(self.given[location.index()], state);
                return self.exchange.board().post(self.me, saying);
            }
        };
        let own = |term: &Term| self.terms.binary_search(term).is_ok();
        if arena.as_bool(formula).is_some()
            || !is_small(arena, formula)
            || !arena.free_variables(formula).iter().all(own)
        {
            return false;
        }
        let formula = self.narrow.apply(arena, formula);
        let mut board = self.exchange.board();
        let Ok(formula) = self.publishing.import(&mut board.arena, arena, formula) else { return false };
        board.post(self.me, Saying::Formula(standing, self.given[location.index()], formula))
    }

    fn receive(&mut self, arena: &mut Arena) -> Vec<Fact> {
        let exchange = self.exchange.clone();
        let board = exchange.board();
        let mut facts = Vec::new();
        let me = self.me;
        for Posted { saying, .. } in board.posted[self.seen..].iter().filter(|posted| posted.by != me) {
            match saying {
                Saying::Formula(standing, location, formula) => {
                    if let Some((location, formula)) = self.own(arena, &board, *location, *formula) {
                        facts.push(match standing {
                            Standing::Invariant => Fact::Invariant(location, formula),
                            Standing::Lemma => Fact::Lemma(location, formula),
                            Standing::Predicate => Fact::Predicate(location, formula),
                        });
                    }
                }
                Saying::Reached(location, state) => {
                    if let Some(&location) = self.own.get(location) {
                        let own = |(name, value): &(String, Value)| {
                            let (term, sort) = self.variables.get(name)?;
                            (*sort == value.sort()).then(|| (*term, value.clone()))
                        };
                        facts.push(Fact::Reached(location, state.iter().filter_map(own).collect()));
                    }
                }
            }
        }
        self.seen = board.posted.len();
        facts
    }

    /// A formula of the board as one of the engine's program, if it has the location and the variables.
    fn own(
        &mut self,
        arena: &mut Arena,
        board: &Board,
        location: LocationId,
        formula: Term,
    ) -> Option<(LocationId, Term)> {
        let location = *self.own.get(&location)?;
        // A name may mean something else here: then nothing is known.
        let formula = self.receiving.import(arena, &board.arena, formula).ok()?;
        let formula = self.wide.apply(arena, formula);
        let own = |term: &Term| self.terms.binary_search(term).is_ok();
        let all = arena.as_bool(formula).is_none() && arena.free_variables(formula).iter().all(own);
        all.then_some((location, formula))
    }
}

fn is_small(arena: &Arena, formula: Term) -> bool {
    let mut seen = rustc_hash::FxHashSet::default();
    let mut stack = vec![formula];
    while let Some(term) = stack.pop() {
        if seen.insert(term) {
            stack.extend_from_slice(arena.children(term));
            if seen.len() > LARGEST {
                return false;
            }
        }
    }
    true
}
