//! Places where properties that are asked about could be violated.
//!
//! Each is one [`Check`], however often the code is inlined: kind and place name it. A violation is an edge to
//! the error, and the check knows which edges are its own.

use super::Builder;
use crate::lower::Check;
use crate::property::{Claim, Property};
use crate::source::{SourceMap, Span};
use nilas_program::EdgeId;
use nilas_term::Term;

/// What a failing assertion is.
pub(in crate::lower) const ASSERTION: &str = "an assertion fails";

impl Builder {
    /// Whether a property is asked about here. Arithmetic in functions of the library is not the user's.
    pub(in crate::lower) fn asks(&self, property: Property) -> bool {
        let foreign = self.blamed.is_some_and(|blamed| blamed.library);
        let arithmetic = matches!(
            property,
            Property::SignedOverflow
                | Property::SignedConversion
                | Property::UnsignedOverflow
                | Property::FloatNan
                | Property::Uninitialised
        );
        self.properties.contains(property) && !(foreign && arithmetic)
    }

    /// Executions that violate a claim, if it is asked about, reach the error; the others go on here.
    pub(super) fn check(&mut self, condition: Term, claim: Claim) {
        if !self.asks(claim.property) || self.here.is_none() {
            return;
        }
        if self.made && self.arena.as_bool(condition) == Some(true) {
            return;
        }
        let number = self.check_number(claim, None);
        let (not, error) = (self.arena.not(condition), self.automaton.error);
        let edge = self.branch(not, error);
        self.checks[number].edges.extend(edge);
    }

    /// An assertion fails: executions end here.
    pub(in crate::lower) fn fails(&mut self, what: &str, asserted: Option<String>) {
        let Some(here) = self.here.take() else { return };
        let steps = std::mem::take(&mut self.pending);
        if self.asks(Property::Assert) {
            let claim = Claim::new(Property::Assert, ASSERTION);
            let number = self.check_number(claim, asserted);
            what.clone_into(&mut self.checks[number].what);
            let error = self.automaton.error;
            let edge = self.edge(here, error, &steps);
            self.checks[number].edges.push(edge);
        }
    }

    /// The number of the check of a claim here.
    fn check_number(&mut self, claim: Claim, asserted: Option<String>) -> usize {
        let Claim { property, what, auxiliary } = claim;
        let span = self.blamed.map_or(self.span, |blamed| blamed.call);
        let next = self.checks.len();
        let number = *self.check_numbers.entry((property, span)).or_insert(next);
        if number == next {
            let edges: Vec<EdgeId> = Vec::new();
            if let (None, Some(span)) = (&asserted, self.blamed.and_then(|blamed| blamed.asserted)) {
                self.asserted.insert(number, span);
            }
            let what = what.to_owned();
            let check = Check { property, what, span, expression: asserted, edges, auxiliary };
            self.checks.push(check);
        } else {
            self.checks[number].auxiliary &= auxiliary;
        }
        number
    }

    /// All checks, with the text of their expressions.
    pub(in crate::lower) fn take_checks(&mut self, sources: &SourceMap) -> Vec<Check> {
        let mut checks = std::mem::take(&mut self.checks);
        for (number, check) in checks.iter_mut().enumerate() {
            let text = |span: Span| {
                let text = sources.expression(span);
                text.split_whitespace().collect::<Vec<_>>().join(" ")
            };
            let asserted = self.asserted.get(&number).copied();
            if let (None, Some(span)) = (&check.expression, asserted) {
                check.expression = Some(text(span));
            }
            if check.expression.is_none() && check.property != Property::Assert {
                check.expression = Some(text(check.span)).filter(|text| !text.is_empty());
            }
        }
        checks
    }
}
