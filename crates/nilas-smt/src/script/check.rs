//! Checks, and what can be asked about them.

use super::Word;
use super::commands::{Response, exactly, list};
use super::state::{Mode, State};
use crate::solver::{Answer, Reason};
use nilas_term::smtlib::sexpr::Sexpr;
use nilas_term::smtlib::{ParseError, print_value, quote_symbol};
use nilas_term::{Term, Value};

type Result<T> = std::result::Result<T, ParseError>;

impl<'t> State<'t> {
    /// Checks what is asserted, under assumptions given as terms with their text.
    pub(super) fn check(
        &mut self,
        command: Sexpr<'_, 't>,
        assumptions: Option<Vec<(Term, &'t str)>>,
    ) -> Word {
        let activations: Vec<_> = self.levels.iter().map(|level| level.activation).collect();
        let given = assumptions.as_deref().unwrap_or(&[]);
        let mut terms: Vec<Term> = given.iter().map(|&(term, _)| term).collect();
        if self.produce_cores {
            let all = self.levels.iter().flat_map(|level| &level.assertions);
            terms.extend(all.filter(|each| each.name.is_some()).map(|each| each.term));
        }
        let answer = self.solver.check(&self.arena, &activations, &terms, &self.options.budget);
        self.reason_unknown = None;
        self.mode = Mode::Unknown;
        let word = match answer {
            Answer::Sat => match self.distrust(&terms) {
                None => {
                    self.mode = Mode::Sat { assumptions: terms };
                    Word::Sat
                }
                Some(Distrust::Refused(why)) => {
                    self.reason_unknown = Some(why);
                    Word::Unknown
                }
                Some(Distrust::WrongModel(what)) => {
                    self.outcome.wrong_models += 1;
                    self.complaints.push(command.error(format!("internal error: {what}")));
                    self.reason_unknown = Some("the model of the solver is wrong".to_owned());
                    Word::Unknown
                }
            },
            Answer::Unsat => match self.unspecified {
                None => {
                    self.mode = Mode::Unsat { assumptions };
                    Word::Unsat
                }
                Some(operator) => {
                    self.reason_unknown = Some(format!("{operator} is not specified on all arguments"));
                    Word::Unknown
                }
            },
            Answer::Unknown(reason) => {
                if let (Some(_), Reason::Failed(what)) = (&self.options.proof, &reason) {
                    self.outcome.rejected_proofs += 1;
                    self.complaints.push(command.error(format!("internal error: {what}")));
                }
                self.reason_unknown = Some(reason.to_string());
                Word::Unknown
            }
        };
        self.outcome.answers.push(word);
        self.compare_status(command, word);
        word
    }

    /// Why a `sat` of the solver must not leave.
    fn distrust(&mut self, assumptions: &[Term]) -> Option<Distrust> {
        let assertions = self.levels.iter().flat_map(|level| &level.assertions);
        let texts = assertions.map(|each| (each.term, each.source));
        for (term, source) in texts.chain(assumptions.iter().map(|&term| (term, "an assumption"))) {
            match self.solver.value(&self.arena, term) {
                Ok(Value::Bool(true)) => {}
                Ok(value) => {
                    let shown: String = source.chars().take(200).collect();
                    return Some(Distrust::WrongModel(format!(
                        "the model makes {} of the assertion {shown}",
                        print_value(&value)
                    )));
                }
                Err(why) => return Some(Distrust::Refused(why.to_string())),
            }
        }
        let refused = self.levels.iter().find_map(|level| level.refused.clone());
        refused.map(Distrust::Refused)
    }

    pub(super) fn get_value(&mut self, command: Sexpr<'_, 't>, parts: &[Sexpr<'_, 't>]) -> Result<Response> {
        let [terms] = exactly(command, parts)?;
        self.require_model(command)?;
        let mut shown = Vec::new();
        for text in list(terms)? {
            let term = self.term(text, &[])?;
            let value = self.value(text, term)?;
            shown.push(format!("({} {})", text.source(), print_value(&value)));
        }
        Ok(Response::Text(format!("({})", shown.join("\n "))))
    }

    fn value(&mut self, text: Sexpr<'_, 't>, term: Term) -> Result<Value> {
        self.solver.value(&self.arena, term).map_err(|why| text.error(why.to_string()))
    }

    pub(super) fn require_model(&self, command: Sexpr<'_, 't>) -> Result<()> {
        match self.mode {
            Mode::Sat { .. } => Ok(()),
            _ => Err(command.error("there is no model: the last command was no check answered `sat`")),
        }
    }

    pub(super) fn get_unsat_assumptions(&mut self, command: Sexpr<'_, 't>) -> Result<Response> {
        let Mode::Unsat { assumptions: Some(assumptions) } = &self.mode else {
            return Err(command.error("the last command was no `check-sat-assuming` answered `unsat`"));
        };
        let failed = self.solver.failed();
        let mut shown: Vec<&str> = Vec::new();
        for (index, (term, source)) in assumptions.iter().enumerate() {
            let again = assumptions[..index].iter().any(|(earlier, _)| earlier == term);
            if failed.contains(term) && !again {
                shown.push(source);
            }
        }
        Ok(Response::Text(format!("({})", shown.join(" "))))
    }

    pub(super) fn get_unsat_core(&mut self, command: Sexpr<'_, 't>) -> Result<Response> {
        if !self.produce_cores {
            return Err(command.error("unsat cores need (set-option :produce-unsat-cores true)"));
        }
        let Mode::Unsat { .. } = self.mode else {
            return Err(command.error("the last command was no check answered `unsat`"));
        };
        let failed = self.solver.failed();
        let all = self.levels.iter().flat_map(|level| &level.assertions);
        let named = all.filter(|each| failed.contains(&each.term)).filter_map(|each| each.name.as_ref());
        let names: Vec<String> = named.map(|name| quote_symbol(name)).collect();
        Ok(Response::Text(format!("({})", names.join(" "))))
    }
}

enum Distrust {
    /// Something that may matter was not understood.
    Refused(String),
    /// An assertion is not true in the model.
    WrongModel(String),
}
