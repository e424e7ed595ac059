//! Models as text.

use super::commands::Response;
use super::state::{Mode, State};
use nilas_term::smtlib::sexpr::Sexpr;
use nilas_term::smtlib::{ParseError, print_value, quote_symbol};
use nilas_term::{Op, Sort, SymbolId, Term, Value};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::fmt::Write;

/// A function where it is applied: values of the arguments, value of the result.
type Graph = BTreeMap<Vec<Value>, Value>;

impl<'t> State<'t> {
    /// All declared symbols with their values. A function has the values of its applications in what was
    /// checked, and the default of its sort elsewhere.
    pub(super) fn get_model(&mut self, command: Sexpr<'_, 't>) -> Result<Response, ParseError> {
        self.require_model(command)?;
        let declared: Vec<(String, SymbolId)> = (self.levels.iter().flat_map(|level| &level.declared))
            .map(|declared| (declared.name.clone(), declared.symbol))
            .collect();
        let mut graphs = self.graphs(command)?;
        let mut text = String::from("(");
        for (name, symbol) in declared {
            let signature = self.arena.signature(symbol);
            let (arguments, sort) = (signature.arguments.clone(), signature.result.clone());
            let body = if arguments.is_empty() {
                let variable = self.arena.try_mk(Op::Var(symbol), &[]);
                let variable = variable.map_err(|error| command.error(error.to_string()))?;
                print_value(&self.value_of(command, variable)?)
            } else {
                cases(&graphs.remove(&symbol).unwrap_or_default(), &sort)
            };
            let parameters = arguments.iter().enumerate().map(|(index, sort)| format!("(x!{index} {sort})"));
            let parameters = parameters.collect::<Vec<_>>().join(" ");
            // Writing to a string does not fail.
            let _ = write!(text, "\n  (define-fun {} ({parameters}) {sort} {body})", quote_symbol(&name));
        }
        text.push_str("\n)");
        Ok(Response::Text(text))
    }

    fn value_of(&mut self, command: Sexpr<'_, 't>, term: Term) -> Result<Value, ParseError> {
        self.solver.value(&self.arena, term).map_err(|why| command.error(why.to_string()))
    }

    /// The values of all applications in what was checked.
    fn graphs(&mut self, command: Sexpr<'_, 't>) -> Result<BTreeMap<SymbolId, Graph>, ParseError> {
        let mut stack: Vec<Term> =
            self.levels.iter().flat_map(|level| &level.assertions).map(|each| each.term).collect();
        if let Mode::Sat { assumptions } = &self.mode {
            stack.extend(assumptions);
        }
        let mut seen = FxHashSet::default();
        let mut graphs: BTreeMap<SymbolId, Graph> = BTreeMap::new();
        while let Some(term) = stack.pop() {
            if !seen.insert(term) {
                continue;
            }
            let children = self.arena.children(term).to_vec();
            stack.extend(&children);
            if let Op::Apply(symbol) = self.arena.op(term) {
                let arguments = children.iter().map(|&child| self.value_of(command, child));
                let arguments = arguments.collect::<Result<Vec<Value>, ParseError>>()?;
                let value = self.value_of(command, term)?;
                graphs.entry(symbol).or_default().insert(arguments, value);
            }
        }
        Ok(graphs)
    }
}

/// The body of a function: a chain of cases, in the order of the arguments.
fn cases(graph: &Graph, sort: &Sort) -> String {
    let default = Value::default_of(sort);
    let mut text = String::new();
    let mut open = 0;
    for (arguments, value) in graph.iter().filter(|(_, value)| **value != default) {
        let equal = |(index, value): (usize, &Value)| format!("(= x!{index} {})", print_value(value));
        let equalities: Vec<String> = arguments.iter().enumerate().map(equal).collect();
        let condition = match equalities.as_slice() {
            [one] => one.clone(),
            many => format!("(and {})", many.join(" ")),
        };
        let _ = write!(text, "(ite {condition} {} ", print_value(value));
        open += 1;
    }
    text + &print_value(&default) + &")".repeat(open)
}
