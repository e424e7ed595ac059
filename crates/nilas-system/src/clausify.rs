//! From a formula over predicates to clauses.
//!
//! A formula is taken apart as a disjunction of literals; conjunctions and cases that have predicates in them
//! split it into several clauses. What has no predicate in it becomes part of the constraint as it is.

use crate::script::Result;
use crate::system::PredicateId;
use nilas_term::smtlib::ParseError;
use nilas_term::{Arena, Op, SymbolId, Term};
use rustc_hash::FxHashMap;

/// More clauses than that from one formula are refused.
const MOST: usize = 10_000;

/// A clause as literals: predicates that are applied, and what else must hold before.
#[derive(Clone, Debug, Default)]
pub(crate) struct Literals {
    pub(crate) body: Vec<Term>,
    pub(crate) head: Vec<Term>,
    /// Disjuncts without predicates.
    pub(crate) rest: Vec<Term>,
}

/// Which terms have predicates in them.
pub(crate) struct Predicates<'a> {
    ids: &'a FxHashMap<SymbolId, PredicateId>,
    known: FxHashMap<Term, bool>,
}

impl<'a> Predicates<'a> {
    pub(crate) fn new(ids: &'a FxHashMap<SymbolId, PredicateId>) -> Self {
        Predicates { ids, known: FxHashMap::default() }
    }

    fn is_atom(&self, arena: &Arena, term: Term) -> bool {
        matches!(arena.op(term), Op::Var(symbol) | Op::Apply(symbol) if self.ids.contains_key(&symbol))
    }

    /// Whether a predicate occurs in the term.
    pub(crate) fn occur(&mut self, arena: &Arena, term: Term) -> bool {
        let mut stack = vec![term];
        while let Some(&top) = stack.last() {
            if self.known.contains_key(&top) {
                stack.pop();
                continue;
            }
            if self.is_atom(arena, top) {
                self.known.insert(top, true);
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(arena.children(top).iter().filter(|child| !self.known.contains_key(child)));
            if stack.len() == before {
                let found = arena.children(top).iter().any(|child| self.known[child]);
                self.known.insert(top, found);
                stack.pop();
            }
        }
        self.known[&term]
    }
}

/// The clauses whose conjunction is the formula. `offset` is where errors are reported.
pub(crate) fn clauses(
    arena: &mut Arena,
    predicates: &mut Predicates<'_>,
    formula: Term,
    offset: usize,
) -> Result<Vec<Literals>> {
    let error = |message: &str| ParseError::new(offset, message);
    let mut done = Vec::new();
    let mut open: Vec<(Literals, Vec<Term>)> = vec![(Literals::default(), vec![formula])];
    while let Some((mut literals, mut rest)) = open.pop() {
        let Some(term) = rest.pop() else {
            done.push(literals);
            continue;
        };
        if done.len() + open.len() > MOST {
            return Err(error("this formula has too many clauses"));
        }
        if arena.as_bool(term) == Some(true) {
            continue;
        }
        if !predicates.occur(arena, term) {
            literals.rest.push(term);
            open.push((literals, rest));
            continue;
        }
        if predicates.is_atom(arena, term) {
            literals.head.push(term);
            open.push((literals, rest));
            continue;
        }
        let children = arena.children(term).to_vec();
        // Each way to go on: what to add to the disjunction.
        let mut ways: Vec<Vec<Term>> = match (arena.op(term), &children[..]) {
            (Op::Or, _) => vec![children],
            (Op::And, _) => children.into_iter().map(|child| vec![child]).collect(),
            (Op::Ite, &[condition, yes, no]) => {
                let not = arena.not(condition);
                vec![vec![not, yes], vec![condition, no]]
            }
            (Op::Eq, &[left, right]) => {
                let (not_left, not_right) = (arena.not(left), arena.not(right));
                vec![vec![not_left, right], vec![left, not_right]]
            }
            (Op::Xor, &[left, right]) => {
                let (not_left, not_right) = (arena.not(left), arena.not(right));
                vec![vec![left, right], vec![not_left, not_right]]
            }
            (Op::Not, &[inner]) => {
                if predicates.is_atom(arena, inner) {
                    literals.body.push(inner);
                    open.push((literals, rest));
                    continue;
                }
                let grandchildren = arena.children(inner).to_vec();
                match (arena.op(inner), &grandchildren[..]) {
                    (Op::And, _) => vec![grandchildren.into_iter().map(|child| arena.not(child)).collect()],
                    (Op::Or, _) => grandchildren.into_iter().map(|child| vec![arena.not(child)]).collect(),
                    (Op::Not, &[child]) => vec![vec![child]],
                    (Op::Ite, &[condition, yes, no]) => {
                        let (not, yes, no) = (arena.not(condition), arena.not(yes), arena.not(no));
                        vec![vec![not, yes], vec![condition, no]]
                    }
                    (Op::Eq, &[left, right]) => {
                        let (not_left, not_right) = (arena.not(left), arena.not(right));
                        vec![vec![left, right], vec![not_left, not_right]]
                    }
                    (Op::Xor, &[left, right]) => {
                        let (not_left, not_right) = (arena.not(left), arena.not(right));
                        vec![vec![not_left, right], vec![left, not_right]]
                    }
                    _ => return Err(error("a predicate stands where Horn clauses have none")),
                }
            }
            _ => return Err(error("a predicate stands where Horn clauses have none")),
        };
        // The first way last, so that clauses come in the order of the text. It needs no copies.
        let first = if ways.is_empty() { None } else { Some(ways.remove(0)) };
        for way in ways.into_iter().rev() {
            let mut rest = rest.clone();
            rest.extend(way.into_iter().rev());
            open.push((literals.clone(), rest));
        }
        if let Some(way) = first {
            rest.extend(way.into_iter().rev());
            open.push((literals, rest));
        }
    }
    Ok(done)
}
