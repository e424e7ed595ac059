//! Sorts as text.

use super::parse::TermParser;
use super::sexpr::{ParseError, Sexpr};
use crate::sort::{ArraySort, Sort};
use crate::sorting::MAX_WIDTH;
use std::sync::Arc;

/// How deep sorts may nest. Sorts are trees; real ones nest three deep.
const MAX_DEPTH: usize = 200;

/// A sort with parameters, as `define-sort` makes them. Parameters stand in the body as uninterpreted sorts.
#[derive(Clone, Debug)]
pub(super) struct SortDefinition {
    pub(super) parameters: Vec<String>,
    pub(super) body: Sort,
}

impl TermParser {
    /// Makes an uninterpreted sort known.
    pub fn declare_sort(&mut self, name: &str) {
        self.define_sort(name, Vec::new(), Sort::Uninterpreted(name.into()));
    }

    /// Makes a sort known by a name. In `body`, parameters are uninterpreted sorts of their names.
    pub fn define_sort(&mut self, name: &str, parameters: Vec<String>, body: Sort) {
        self.sorts.insert(name.to_owned(), SortDefinition { parameters, body });
    }

    /// Forgets a sort that was declared or defined.
    pub fn forget_sort(&mut self, name: &str) {
        self.sorts.remove(name);
    }

    /// The sort that an expression denotes.
    ///
    /// # Errors
    /// When it denotes none.
    pub fn parse_sort(&self, text: Sexpr<'_, '_>) -> Result<Sort, ParseError> {
        self.sort_at(text, 0)
    }

    fn sort_at(&self, text: Sexpr<'_, '_>, depth: usize) -> Result<Sort, ParseError> {
        if depth > MAX_DEPTH {
            return Err(text.error(format!("sorts nest at most {MAX_DEPTH} deep")));
        }
        if let Some(name) = text.symbol() {
            return self.named_sort(text, name, &[]);
        }
        let members: Vec<Sexpr<'_, '_>> = text.children().collect();
        match members.as_slice() {
            [head, name, indices @ ..] if head.word() == Some("_") => indexed_sort(text, *name, indices),
            [head, arguments @ ..] if head.symbol().is_some() => {
                let arguments = arguments
                    .iter()
                    .map(|argument| self.sort_at(*argument, depth + 1))
                    .collect::<Result<Vec<Sort>, ParseError>>()?;
                self.named_sort(*head, head.symbol().unwrap_or_default(), &arguments)
            }
            _ => Err(text.error("sort expected")),
        }
    }

    fn named_sort(&self, at: Sexpr<'_, '_>, name: &str, arguments: &[Sort]) -> Result<Sort, ParseError> {
        if let Some(definition) = self.sorts.get(name) {
            let wanted = definition.parameters.len();
            if wanted != arguments.len() {
                return Err(at.error(format!(
                    "the sort `{name}` takes {wanted} arguments, {} found",
                    arguments.len()
                )));
            }
            return Ok(instantiate(&definition.body, &definition.parameters, arguments));
        }
        match (name, arguments) {
            ("Bool", []) => Ok(Sort::Bool),
            ("Int", []) => Ok(Sort::Int),
            ("Real", []) => Ok(Sort::Real),
            ("RoundingMode", []) => Ok(Sort::RoundingMode),
            ("Float16", []) => Ok(Sort::Float(5, 11)),
            ("Float32", []) => Ok(Sort::FLOAT32),
            ("Float64", []) => Ok(Sort::FLOAT64),
            ("Float128", []) => Ok(Sort::Float(15, 113)),
            ("Array", [index, element]) => Ok(Sort::array(index.clone(), element.clone())),
            ("Array", _) => Err(at.error("the sort `Array` takes an index sort and an element sort")),
            ("BitVec" | "FloatingPoint", _) => {
                Err(at.error(format!("`{name}` takes numbers")).with_hint(format!("write `(_ {name} …)`")))
            }
            _ => Err(at.error(format!("unknown sort `{name}`"))),
        }
    }
}

fn indexed_sort(
    at: Sexpr<'_, '_>,
    name: Sexpr<'_, '_>,
    indices: &[Sexpr<'_, '_>],
) -> Result<Sort, ParseError> {
    match (name.symbol(), indices) {
        (Some("BitVec"), [width]) => match width.numeral() {
            Some(number) if (1..=MAX_WIDTH).contains(&number) => Ok(Sort::BitVec(number)),
            _ => Err(width.error(format!("bit-vectors have between 1 and {MAX_WIDTH} bits"))),
        },
        (Some("FloatingPoint"), [exponent, significand]) => {
            match (exponent.numeral(), significand.numeral()) {
                (Some(e), Some(s)) => {
                    crate::sorting::format_limit(e, s).map_err(|error| at.error(error.message))
                }
                _ => Err(at.error("`FloatingPoint` takes two numbers")),
            }
        }
        _ => Err(at.error(format!("unknown sort {}", at.source()))),
    }
}

/// The body with arguments for parameters. Sorts nest no deeper than the parser lets them.
fn instantiate(body: &Sort, parameters: &[String], arguments: &[Sort]) -> Sort {
    match body {
        Sort::Uninterpreted(name) => {
            let position = parameters.iter().position(|parameter| **parameter == **name);
            position.map_or_else(|| body.clone(), |position| arguments[position].clone())
        }
        Sort::Array(array) if !parameters.is_empty() => Sort::Array(Arc::new(ArraySort {
            index: instantiate(&array.index, parameters, arguments),
            element: instantiate(&array.element, parameters, arguments),
        })),
        _ => body.clone(),
    }
}
