//! Invariants of a proof, in the terms of the source, are watched while the challenge runs the program.
//!
//! An invariant says what holds at locations of the automaton. Where such a location is the head of a loop,
//! conjuncts that speak only about integers of the C program are evaluated whenever an execution comes there.
//! One that fails is a *lead*: the automaton and the interpreter do not see the same thing there. It is told
//! with `-v` and counted, and never changes a verdict.
//!
//! A loop has a location for each copy of its function. An execution is at one of them, nobody knows which:
//! a lead is where every copy has a conjunct that fails. A copy without formula is one of which nothing is
//! claimed, so the loop is not watched then.

use crate::input::Input;
use nilas_c::Cell;
use nilas_c::tree::StmtId;
use nilas_evidence::Invariant;
use nilas_program::VarId;
use nilas_report::{Scalars, Source, c_formula};
use nilas_run::{Observer, State};
use nilas_term::{Arena, BitVec, Evaluator, Model, Op, Sort, Term, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Visits of one loop that are looked at in one execution.
const MOST_VISITS: u64 = 64;
/// Leads that are kept to be told.
const MOST_TOLD: usize = 8;
/// Conjuncts with more variables are not watched.
const MOST_VARIABLES: usize = 32;

/// A conjunct, and the integers that it speaks about.
struct Conjunct {
    term: Term,
    cells: Vec<(Term, Cell)>,
}

/// A loop at a depth of its function.
struct Watched {
    /// For each copy: what holds there.
    copies: Vec<Vec<Conjunct>>,
    place: String,
    visits: u64,
}

/// Watches the invariants of a proof.
pub(crate) struct Leads<'i> {
    arena: &'i Arena,
    scalars: Scalars,
    loops: BTreeMap<(StmtId, usize), Watched>,
    /// How many conjuncts the formulas have, and how many are watched.
    conjuncts: u64,
    watched: u64,
    /// How often a conjunct was evaluated.
    looks: u64,
    /// Loops that were left in this execution with a lead.
    fresh: BTreeSet<(StmtId, usize)>,
    /// All leads, each loop once.
    found: BTreeSet<(StmtId, usize)>,
    told: Vec<String>,
}

impl<'i> Leads<'i> {
    pub(crate) fn new(input: &Input, invariant: &'i Invariant) -> Self {
        let automaton = &input.program.automaton;
        let cells: BTreeMap<VarId, Cell> = input.cells.iter().map(|&cell| (cell.variable, cell)).collect();
        let names: BTreeMap<&str, (&Sort, Cell)> = automaton
            .variables
            .iter()
            .enumerate()
            .filter_map(|(index, variable)| {
                let cell = cells.get(&VarId::new(index))?;
                Some((variable.name.as_str(), (&variable.sort, *cell)))
            })
            .collect();
        let arena = &invariant.arena;
        let scalars = match &input.source {
            Source::C { scalars, .. } => scalars.clone(),
            Source::Automaton { .. } => Scalars::default(),
        };
        let mut leads = Leads {
            arena,
            scalars,
            loops: BTreeMap::new(),
            conjuncts: 0,
            watched: 0,
            looks: 0,
            fresh: BTreeSet::new(),
            found: BTreeSet::new(),
            told: Vec::new(),
        };
        for &formula in invariant.formulas.values() {
            leads.conjuncts += conjuncts(arena, formula).len() as u64;
        }
        let entered: BTreeSet<_> = automaton.edges.iter().map(|edge| edge.target).collect();
        let mut open = BTreeSet::new();
        for head in input.heads.iter().filter(|head| entered.contains(&head.location)) {
            let key = (head.statement, head.depth);
            let Some(&formula) = invariant.formulas.get(&head.location) else {
                open.insert(key);
                continue;
            };
            let place = input.source.place(automaton.location(head.location).span);
            let place = place.map(|place| format!("{}:{}", place.file, place.line)).unwrap_or_default();
            let watched = leads.loops.entry(key).or_insert(Watched { copies: Vec::new(), place, visits: 0 });
            let parts = conjuncts(arena, formula).into_iter();
            watched.copies.push(parts.filter_map(|term| in_source_terms(arena, term, &names)).collect());
        }
        leads
            .loops
            .retain(|key, watched| !open.contains(key) && watched.copies.iter().all(|copy| !copy.is_empty()));
        let copies = leads.loops.values().flat_map(|watched| &watched.copies);
        leads.watched = copies.map(|copy| copy.len() as u64).sum();
        leads
    }

    /// Whether there is anything to watch.
    pub(crate) fn is_empty(&self) -> bool {
        self.loops.is_empty()
    }

    /// An execution has ended. What it showed counts if it met nothing undefined on the way.
    pub(crate) fn ended(&mut self, counts: bool) {
        let fresh = std::mem::take(&mut self.fresh);
        for watched in self.loops.values_mut() {
            watched.visits = 0;
        }
        if counts {
            for key in fresh {
                if self.found.insert(key) && self.told.len() < MOST_TOLD {
                    self.told.extend(self.loops.get(&key).map(|watched| self.tell(watched)));
                }
            }
        }
    }

    fn tell(&self, watched: &Watched) -> String {
        let copies: Vec<String> = watched
            .copies
            .iter()
            .map(|copy| {
                let parts: Vec<String> =
                    copy.iter().map(|part| c_formula::print(self.arena, part.term, &self.scalars)).collect();
                parts.join(" && ")
            })
            .collect();
        format!("at {}, an execution does not satisfy {}", watched.place, copies.join(", nor "))
    }

    /// What to tell of the leads.
    pub(crate) fn told(&self) -> &[String] {
        &self.told
    }

    /// Counters for `--stats`.
    pub(crate) fn counters(&self) -> [(&'static str, u64); 4] {
        [
            ("conjuncts of invariants", self.conjuncts),
            ("conjuncts watched", self.watched),
            ("looks at conjuncts", self.looks),
            ("leads", self.found.len() as u64),
        ]
    }
}

impl Observer for Leads<'_> {
    fn at_head(&mut self, statement: StmtId, state: &State<'_, '_>) {
        let key = (statement, state.depth());
        let Some(watched) = self.loops.get_mut(&key) else { return };
        watched.visits += 1;
        if watched.visits > MOST_VISITS {
            return;
        }
        let (arena, looks) = (self.arena, &mut self.looks);
        let mut fails = |conjunct: &Conjunct| {
            let Some(model) = model(arena, conjunct, state) else { return false };
            *looks += 1;
            Evaluator::new(model).holds(arena, conjunct.term) == Ok(false)
        };
        // No copy can be where the execution is.
        if watched.copies.iter().all(|copy| copy.iter().any(&mut fails)) {
            self.fresh.insert(key);
        }
    }
}

/// The values of what a conjunct speaks about; `None` if something has no value now.
fn model(arena: &Arena, conjunct: &Conjunct, state: &State<'_, '_>) -> Option<Model> {
    let mut model = Model::new();
    for &(variable, cell) in &conjunct.cells {
        let number = state.number(cell.declared, cell.depth, cell.offset, cell.size)?;
        let value = match arena.sort(variable) {
            Sort::Bool => Value::Bool(number != 0),
            &Sort::BitVec(width) => Value::BitVec(BitVec::new(width, u64::try_from(number).ok()?)),
            _ => return None,
        };
        model.set(variable, value);
    }
    Some(model)
}

fn conjuncts(arena: &Arena, formula: Term) -> Vec<Term> {
    match arena.op(formula) {
        Op::And => arena.children(formula).to_vec(),
        _ if arena.as_bool(formula) == Some(true) => Vec::new(),
        _ => vec![formula],
    }
}

/// A conjunct that speaks only about integers of the C program.
fn in_source_terms(arena: &Arena, term: Term, names: &BTreeMap<&str, (&Sort, Cell)>) -> Option<Conjunct> {
    let (mut cells, mut seen, mut stack) = (Vec::new(), BTreeSet::new(), vec![term]);
    while let Some(next) = stack.pop() {
        if !seen.insert(next) {
            continue;
        }
        if arena.as_variable(next).is_some() {
            let &(sort, cell) = names.get(arena.name(next)?)?;
            let fits = match sort {
                Sort::Bool => cell.size == 1,
                &Sort::BitVec(width) => u64::from(width) == 8 * cell.size,
                _ => false,
            };
            if !fits || cells.len() == MOST_VARIABLES {
                return None;
            }
            cells.push((next, cell));
        }
        stack.extend(arena.children(next));
    }
    Some(Conjunct { term, cells })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::Leads;
    use crate::challenge::Challenge;
    use crate::input::{self, Input};
    use crate::task::{Language, Task};
    use nilas_evidence::{Evidence, text};
    use nilas_smt::Budget;
    use std::time::Duration;

    const TWICE: &str = "extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int twice(int n) { int k = 0; while (n > 0) { n--; k += 2; } return k; }
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 9) return 0;
    if (twice(n) + twice(3) > 100) reach_error();
    return 0;
}
";

    fn input(name: &str, program: &str) -> Input {
        let task = Task::of_c_text(&format!("{name}.c"), program, Language::default());
        input::read(&task, &Budget::unlimited()).unwrap()
    }

    /// Runs the program with the same formula at all heads of loops but those left out: watched conjuncts,
    /// and leads.
    fn leads(name: &str, formula: &str, left_out: usize) -> (u64, Vec<String>) {
        let input = input(name, TWICE);
        let automaton = &input.program.automaton;
        let heads = input.heads.iter().skip(left_out);
        let heads = heads.map(|head| format!("(at {} {formula})", automaton.location(head.location).name));
        let evidence = format!("(invariant {})", heads.collect::<Vec<_>>().join(" "));
        let Evidence::Invariant(invariant) = text::parse(&input.program, &evidence).unwrap() else {
            panic!("no invariant")
        };
        let mut leads = Leads::new(&input, &invariant);
        let watched = leads.watched;
        if !leads.is_empty() {
            let tree = input.tree.as_deref().unwrap();
            let _ = Challenge::new(tree, nilas_c::Properties::ASSERT)
                .run(Duration::from_millis(200), Some(&mut leads));
        }
        (watched, leads.told().to_vec())
    }

    #[test]
    fn what_does_not_hold_is_a_lead() {
        let (watched, told) =
            leads("wrong", "(and (bvsle |twice::k| #x00000004) (bvsle #x00000000 |twice::k|))", 0);
        assert_eq!(watched, 4);
        assert!(matches!(&told[..], [lead] if lead.contains(":3,") && lead.contains("k <= 4")), "{told:?}");
    }

    #[test]
    fn what_holds_is_none() {
        let (watched, told) = leads("right", "(= ((_ extract 0 0) |twice::k|) #b0)", 0);
        assert_eq!((watched, told), (2, Vec::new()));
    }

    /// An execution may be at the copy of which nothing is claimed.
    #[test]
    fn a_copy_without_formula_is_not_watched() {
        assert_eq!(leads("open", "(bvsle |twice::k| #x00000004)", 1), (0, Vec::new()));
    }

    /// Registers of the automaton are nothing of C.
    #[test]
    fn what_is_not_of_c_is_not_watched() {
        assert_eq!(leads("other", "(= |twice::return| #x00000004)", 0), (0, Vec::new()));
    }
}
