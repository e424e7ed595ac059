//! Options and information.

use super::Word;
use super::commands::{Response, exactly, symbol};
use super::state::{Mode, State};
use nilas_term::smtlib::ParseError;
use nilas_term::smtlib::sexpr::Sexpr;

type Result<T> = std::result::Result<T, ParseError>;

impl<'t> State<'t> {
    pub(super) fn set_logic(&mut self, command: Sexpr<'_, 't>, parts: &[Sexpr<'_, 't>]) -> Result<Response> {
        let [logic] = exactly(command, parts)?;
        let name = symbol(logic)?;
        if let Some(known) = &self.logic {
            return Err(logic.error(format!("the logic is {known} already")));
        }
        // Any logic is taken: what the solver does not decide it says when asked.
        self.logic = Some(name.to_owned());
        Ok(Response::Done)
    }

    pub(super) fn set_option(&mut self, command: Sexpr<'_, 't>, parts: &[Sexpr<'_, 't>]) -> Result<Response> {
        let [option, value] = exactly(command, parts)?;
        let keyword = option.keyword().ok_or_else(|| option.error("keyword expected"))?;
        match keyword {
            ":print-success" => self.print_success = flag(value)?,
            ":global-declarations" => self.global_declarations = flag(value)?,
            ":produce-unsat-cores" => {
                let wanted = flag(value)?;
                let asserted = self.levels.iter().any(|level| !level.assertions.is_empty());
                if wanted != self.produce_cores && asserted {
                    return Err(option.error("unsat cores must be asked for before the first assertion"));
                }
                self.produce_cores = wanted;
            }
            ":produce-models" | ":produce-unsat-assumptions" | ":produce-assertions" => {
                flag(value)?;
            }
            ":random-seed" | ":verbosity" => {
                value.numeral().ok_or_else(|| value.error("number expected"))?;
            }
            _ => return Ok(Response::Text("unsupported".to_owned())),
        }
        Ok(Response::Done)
    }

    pub(super) fn get_option(&mut self, command: Sexpr<'_, 't>, parts: &[Sexpr<'_, 't>]) -> Result<Response> {
        let [option] = exactly(command, parts)?;
        let value = match option.keyword() {
            Some(":print-success") => self.print_success,
            Some(":global-declarations") => self.global_declarations,
            Some(":produce-unsat-cores") => self.produce_cores,
            Some(":produce-models" | ":produce-unsat-assumptions" | ":produce-assertions") => true,
            Some(_) => return Ok(Response::Text("unsupported".to_owned())),
            None => return Err(option.error("keyword expected")),
        };
        Ok(Response::Text(value.to_string()))
    }

    pub(super) fn set_info(&mut self, command: Sexpr<'_, 't>, parts: &[Sexpr<'_, 't>]) -> Result<Response> {
        let Some(keyword) = parts.first().and_then(Sexpr::keyword) else {
            return Err(command.error("keyword expected"));
        };
        if keyword == ":status" {
            let [_, status] = exactly(command, parts)?;
            self.status = match status.word() {
                Some("sat") => Some(Word::Sat),
                Some("unsat") => Some(Word::Unsat),
                Some("unknown") => Some(Word::Unknown),
                _ => return Err(status.error("the status is `sat`, `unsat` or `unknown`")),
            };
        }
        Ok(Response::Done)
    }

    pub(super) fn get_info(&mut self, command: Sexpr<'_, 't>, parts: &[Sexpr<'_, 't>]) -> Result<Response> {
        let [keyword] = exactly(command, parts)?;
        let text = match keyword.keyword() {
            Some(":name") => "(:name \"Nilas\")".to_owned(),
            Some(":version") => format!("(:version \"{}\")", env!("CARGO_PKG_VERSION")),
            Some(":authors") => "(:authors \"the authors of Nilas\")".to_owned(),
            Some(":error-behavior") => "(:error-behavior continued-execution)".to_owned(),
            Some(":assertion-stack-levels") => {
                format!("(:assertion-stack-levels {})", self.levels.len() - 1)
            }
            Some(":reason-unknown") => match (&self.mode, &self.reason_unknown) {
                (Mode::Unknown, Some(reason)) => {
                    format!("(:reason-unknown \"{}\")", reason.replace('"', "\"\""))
                }
                _ => return Err(command.error("the last command was no check answered `unknown`")),
            },
            Some(":all-statistics") => {
                let stats = self.solver.stats();
                format!(
                    "(:checks {} :sat {} :unsat {} :rebuilds {} :variables {} :clauses {} :conflicts {})",
                    stats.checks,
                    stats.sat,
                    stats.unsat,
                    stats.rebuilds,
                    stats.variables,
                    stats.clauses,
                    stats.sat_solver.conflicts
                )
            }
            Some(_) => "unsupported".to_owned(),
            None => return Err(keyword.error("keyword expected")),
        };
        Ok(Response::Text(text))
    }
}

fn flag(value: Sexpr<'_, '_>) -> Result<bool> {
    match value.word() {
        Some("true") => Ok(true),
        Some("false") => Ok(false),
        _ => Err(value.error("`true` or `false` expected")),
    }
}
