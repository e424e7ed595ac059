//! The model of the last check, read on demand.
//!
//! The solver is asked for the values of variables and applications of functions; terms are computed from
//! those by the evaluator, which costs no round trip and means what Nilas means. Where that is not possible
//! (an array that is printed as an internal function, an operator on arguments where SMT-LIB leaves its value
//! open) the solver is asked for the value of the term itself.

use super::features::Survey;
use super::process::Trouble;
use super::session::Session;
use super::values;
use crate::budget::{Budget, CancelFlag};
use crate::solver::Reason;
use nilas_term::smtlib::sexpr::Reader;
use nilas_term::smtlib::{Naming, print_term_with, print_value};
use nilas_term::{Arena, Evaluator, Op, Sort, SymbolId, Term, Value};
use rustc_hash::FxHashSet;
use std::time::{Duration, Instant};

/// How long the solver may take to print values.
const PATIENCE: Duration = Duration::from_secs(20);

/// What has been read of the solver's model.
pub(super) struct LazyModel {
    evaluator: Evaluator,
    /// Terms whose leaves have been read.
    read: FxHashSet<Term>,
    cancel: CancelFlag,
}

impl LazyModel {
    pub(super) fn new(budget: &Budget) -> Self {
        LazyModel {
            evaluator: Evaluator::default(),
            read: FxHashSet::default(),
            cancel: budget.cancel.clone(),
        }
    }

    /// The value of a term. The session must still be where the check left it.
    pub(super) fn value(
        &mut self,
        session: &mut Session,
        arena: &Arena,
        term: Term,
    ) -> Result<Value, Reason> {
        let leaves = self.read_leaves(session, arena, term)?;
        if !leaves.open
            && let Ok(value) = self.evaluator.eval(arena, term)
        {
            return Ok(value);
        }
        let values = self.ask(session, arena, &[term])?;
        let [value] = values.as_slice() else { return Err(nonsense("a list of another length")) };
        value.clone().ok_or_else(|| Reason::Unsupported("the printed value is not understood".to_owned()))
    }

    /// Reads the variables and applications in a term.
    fn read_leaves(&mut self, session: &mut Session, arena: &Arena, term: Term) -> Result<Leaves, Reason> {
        let leaves = Leaves::of(arena, term);
        let mut wanted = Vec::new();
        for &leaf in &leaves.terms {
            if !self.read.insert(leaf) {
                continue;
            }
            match arena.op(leaf) {
                Op::Var(symbol) if !session.names.knows(symbol) => {
                    self.evaluator.set(leaf, Value::default_of(arena.sort(leaf)));
                }
                _ => wanted.push(leaf),
            }
        }
        if !wanted.is_empty() {
            let values = self.ask(session, arena, &wanted)?;
            for (&leaf, value) in wanted.iter().zip(values) {
                // What is not understood stays without a value, and so does what is computed from it.
                if let Some(value) = value {
                    self.evaluator.set(leaf, value);
                }
            }
        }
        Ok(leaves)
    }

    /// Asks for the values of some terms; `None` for those that are not understood.
    fn ask(
        &self,
        session: &mut Session,
        arena: &Arena,
        terms: &[Term],
    ) -> Result<Vec<Option<Value>>, Reason> {
        let mut question = String::from("(get-value (");
        for &term in terms {
            question.push_str(&closed(session, arena, term)?);
            question.push(' ');
        }
        question.push_str("))\n");
        let budget = Budget {
            cancel: self.cancel.clone(),
            deadline: Some(Instant::now() + PATIENCE),
            ..Budget::default()
        };
        let response = session.ask(question, &budget).map_err(|trouble| match trouble {
            Trouble::Interrupted(why) => Reason::Interrupted(why),
            Trouble::Failed(what) => Reason::Failed(what),
        })?;
        let tree = Reader::new(&response).read().ok().flatten().ok_or_else(|| nonsense(&response))?;
        let root = tree.root();
        let pairs: Vec<_> = root.children().collect();
        if pairs.len() != terms.len() || pairs.iter().any(|pair| pair.children().count() != 2) {
            return Err(nonsense(&response));
        }
        let value = |(pair, &term): (&nilas_term::smtlib::sexpr::Sexpr<'_, '_>, &Term)| {
            pair.children().last().and_then(|text| values::read(text, arena.sort(term)))
        };
        Ok(pairs.iter().zip(terms).map(value).collect())
    }
}

fn nonsense(response: &str) -> Reason {
    let start: String = response.chars().take(200).collect();
    Reason::Failed(format!("no values but `{start}`"))
}

/// What a term is computed from.
struct Leaves {
    /// Variables and applications of functions, not looked into.
    terms: Vec<Term>,
    /// Whether there is an operator whose value SMT-LIB leaves open somewhere: the solver's choice counts.
    open: bool,
}

impl Leaves {
    fn of(arena: &Arena, term: Term) -> Self {
        let mut leaves = Leaves { terms: Vec::new(), open: false };
        let mut seen = FxHashSet::default();
        let mut stack = vec![term];
        while let Some(term) = stack.pop() {
            if !seen.insert(term) {
                continue;
            }
            match arena.op(term) {
                Op::Var(_) | Op::Apply(_) => {
                    leaves.terms.push(term);
                    continue;
                }
                Op::FpMin | Op::FpMax | Op::FpToUnsigned(_) | Op::FpToSigned(_) | Op::FpToReal => {
                    leaves.open = true;
                }
                _ => {}
            }
            stack.extend_from_slice(arena.children(term));
        }
        leaves
    }
}

/// The text of a term for a question. Variables that the solver has not heard of have their default value,
/// by a `let` around the term: declaring them would cost the model.
fn closed(session: &mut Session, arena: &Arena, term: Term) -> Result<String, Reason> {
    let survey = Survey::of(arena, term);
    let unknown: Vec<SymbolId> =
        survey.symbols.iter().copied().filter(|&symbol| !session.names.knows(symbol)).collect();
    if unknown.is_empty() {
        return Ok(print_term_with(arena, term, &session.names));
    }
    let mut names = session.names.clone();
    let mut bindings = String::new();
    for symbol in unknown {
        let signature = arena.signature(symbol);
        let printable = !matches!(signature.result, Sort::Uninterpreted(_));
        if !signature.arguments.is_empty() || !printable {
            return Err(Reason::Unsupported(format!("`{}` is in no formula in force", signature.name)));
        }
        names.name(symbol);
        let value = print_value(&Value::default_of(&signature.result));
        bindings.push_str(&format!("({} {value})", names.symbol(arena, symbol)));
    }
    Ok(format!("(let ({bindings}) {})", print_term_with(arena, term, &names)))
}
