//! What a script has declared and asserted so far.

use super::{Options, Outcome, Word};
use crate::solver::{Activation, Solver};
use nilas_term::smtlib::{Definition, ParseError, TermParser};
use nilas_term::{Arena, Op, Sort, SymbolId, Term};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// More levels than this are refused.
const MAX_LEVELS: usize = 1 << 20;

/// An assertion with its text.
pub(super) struct Assertion<'t> {
    pub(super) term: Term,
    pub(super) source: &'t str,
    pub(super) name: Option<String>,
}

/// A symbol that the script may use.
pub(super) struct Declared {
    pub(super) name: String,
    pub(super) symbol: SymbolId,
}

/// One level of the assertion stack.
pub(super) struct Level<'t> {
    pub(super) activation: Activation,
    pub(super) assertions: Vec<Assertion<'t>>,
    pub(super) declared: Vec<Declared>,
    defined: Vec<String>,
    sorts: Vec<String>,
    /// Why a `sat` at this level could be wrong: something was refused that may have been an assertion.
    pub(super) refused: Option<String>,
}

/// What the last check left to ask for.
pub(super) enum Mode<'t> {
    /// No check yet, or something changed since.
    Assert,
    /// A model of the assertions and these.
    Sat { assumptions: Vec<Term> },
    /// Failed assumptions, as terms and as text.
    Unsat { assumptions: Option<Vec<(Term, &'t str)>> },
    /// Nothing but a reason.
    Unknown,
}

/// The state of a script.
pub(super) struct State<'t> {
    pub(super) options: Options,
    pub(super) arena: Arena,
    pub(super) parser: TermParser,
    pub(super) solver: Box<dyn Solver>,
    pub(super) levels: Vec<Level<'t>>,
    pub(super) mode: Mode<'t>,
    pub(super) outcome: Outcome,
    /// Errors of a command that has an answer nevertheless.
    pub(super) complaints: Vec<ParseError>,
    pub(super) print_success: bool,
    pub(super) produce_cores: bool,
    pub(super) global_declarations: bool,
    pub(super) logic: Option<String>,
    pub(super) status: Option<Word>,
    pub(super) reason_unknown: Option<String>,
    /// An operator in the script whose value the solver chooses where SMT-LIB leaves it open: no `unsat`
    /// then.
    pub(super) unspecified: Option<&'static str>,
    names: BTreeSet<String>,
    live: FxHashSet<SymbolId>,
    /// Terms that use live symbols only.
    sound: FxHashSet<Term>,
}

impl<'t> State<'t> {
    pub(super) fn new(options: Options) -> Self {
        let mut state = State {
            arena: Arena::new(),
            parser: TermParser::new(),
            solver: options.make_solver(),
            options,
            levels: Vec::new(),
            mode: Mode::Assert,
            outcome: Outcome::default(),
            complaints: Vec::new(),
            print_success: false,
            produce_cores: false,
            global_declarations: false,
            logic: None,
            status: None,
            reason_unknown: None,
            unspecified: None,
            names: BTreeSet::new(),
            live: FxHashSet::default(),
            sound: FxHashSet::default(),
        };
        state.push_level();
        state
    }

    /// Forgets everything but what came of the script so far.
    pub(super) fn reset(&mut self) {
        let outcome = std::mem::take(&mut self.outcome);
        let unspecified = self.unspecified;
        *self = State::new(self.options.clone());
        self.unspecified = unspecified;
        self.outcome = outcome;
    }

    fn push_level(&mut self) {
        let activation = self.solver.activation();
        self.levels.push(Level {
            activation,
            assertions: Vec::new(),
            declared: Vec::new(),
            defined: Vec::new(),
            sorts: Vec::new(),
            refused: None,
        });
    }

    pub(super) fn push(&mut self, count: usize) -> Result<(), String> {
        if self.levels.len() + count > MAX_LEVELS {
            return Err(format!("more than {MAX_LEVELS} levels"));
        }
        self.mode = Mode::Assert;
        for _ in 0..count {
            self.push_level();
        }
        Ok(())
    }

    pub(super) fn pop(&mut self, count: usize) -> Result<(), String> {
        if count >= self.levels.len() {
            return Err(format!("there are only {} levels to pop", self.levels.len() - 1));
        }
        self.mode = Mode::Assert;
        for level in self.levels.split_off(self.levels.len() - count) {
            self.drop_level(level);
        }
        Ok(())
    }

    /// Drops all levels and what is asserted at the bottom.
    pub(super) fn reset_assertions(&mut self) {
        self.mode = Mode::Assert;
        for level in std::mem::take(&mut self.levels) {
            self.drop_level(level);
        }
        self.push_level();
    }

    fn drop_level(&mut self, level: Level<'t>) {
        self.solver.retire(level.activation);
        for declared in level.declared {
            self.parser.undefine(&declared.name);
            self.names.remove(&declared.name);
            self.live.remove(&declared.symbol);
            self.sound.clear();
        }
        for name in level.defined {
            self.parser.undefine(&name);
            self.names.remove(&name);
        }
        for name in level.sorts {
            self.parser.forget_sort(&name);
        }
    }

    /// The level that assertions go to.
    pub(super) fn top(&mut self) -> &mut Level<'t> {
        // There is always the bottom level: `pop` refuses to take it, `reset_assertions` puts a new one.
        self.levels.last_mut().expect("the bottom level is never popped")
    }

    /// The level that declarations go to.
    fn scope(&mut self) -> &mut Level<'t> {
        let index = if self.global_declarations { 0 } else { self.levels.len() - 1 };
        &mut self.levels[index]
    }

    /// From now on `sat` could be wrong, and is not said.
    pub(super) fn refuse(&mut self, why: &str) {
        self.mode = Mode::Assert;
        self.top().refused.get_or_insert_with(|| why.to_owned());
    }

    /// Checks that a name is free.
    fn claim(&mut self, name: &str) -> Result<(), String> {
        if !self.names.insert(name.to_owned()) {
            return Err(format!("`{name}` is declared already"));
        }
        Ok(())
    }

    pub(super) fn declare(&mut self, name: &str, arguments: Vec<Sort>, result: Sort) -> Result<(), String> {
        self.claim(name)?;
        let symbol = if arguments.is_empty() {
            // A name that was popped may come back with another sort: the arena's variable gets another name
            // then.
            let variable = match self.arena.variable(name, &result) {
                Ok(variable) => variable,
                Err(_) => self.arena.fresh_variable(name, &result),
            };
            self.parser.define(name, Definition { parameters: Vec::new(), body: variable });
            self.arena.as_variable(variable)
        } else {
            self.arena.declare(name, arguments, result).ok()
        };
        let Some(symbol) = symbol else {
            self.names.remove(name);
            return Err(format!("`{name}` was declared with another signature before"));
        };
        self.live.insert(symbol);
        self.scope().declared.push(Declared { name: name.to_owned(), symbol });
        Ok(())
    }

    pub(super) fn define(&mut self, name: &str, definition: Definition) -> Result<(), String> {
        self.claim(name)?;
        self.parser.define(name, definition);
        self.scope().defined.push(name.to_owned());
        Ok(())
    }

    pub(super) fn define_sort(&mut self, name: &str, parameters: Vec<String>, body: Sort) {
        self.parser.define_sort(name, parameters, body);
        self.scope().sorts.push(name.to_owned());
    }

    /// A name in the term that was popped from the stack, which the arena still knows. Parameters of a
    /// definition count as live.
    pub(super) fn undeclared(&mut self, term: Term, parameters: &[Term]) -> Option<String> {
        let mut stack = vec![term];
        let mut seen = FxHashSet::default();
        while let Some(term) = stack.pop() {
            if self.sound.contains(&term) || !seen.insert(term) || parameters.contains(&term) {
                continue;
            }
            if let Op::Var(symbol) | Op::Apply(symbol) = self.arena.op(term)
                && !self.live.contains(&symbol)
            {
                return Some(self.arena.signature(symbol).name.to_string());
            }
            stack.extend_from_slice(self.arena.children(term));
        }
        if parameters.is_empty() {
            self.sound.insert(term);
        }
        None
    }
}
