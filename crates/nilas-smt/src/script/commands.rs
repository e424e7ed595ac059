//! Commands: declarations, definitions, assertions and levels.

use super::Word;
use super::state::{Assertion, Mode, State};
use nilas_term::smtlib::sexpr::Sexpr;
use nilas_term::smtlib::{Definition, ParseError};
use nilas_term::{Sort, Term};

/// What a command answers.
pub(super) enum Response {
    /// Nothing, or `success`.
    Done,
    /// A text of its own.
    Text(String),
    /// The script ends here.
    Exit,
}

type Result<T> = std::result::Result<T, ParseError>;

impl<'t> State<'t> {
    /// Runs one command.
    pub(super) fn execute(&mut self, command: Sexpr<'_, 't>) -> Result<Response> {
        let mut parts = command.children();
        let Some(name) = parts.next().as_ref().and_then(Sexpr::word) else {
            return Err(command.error("command expected"));
        };
        let parts: Vec<Sexpr<'_, 't>> = parts.collect();
        let parts = parts.as_slice();
        match name {
            "assert" => self.assert(command, parts),
            "check-sat" => {
                arity(command, parts, 0)?;
                Ok(Response::Text(self.check(command, None).text().to_owned()))
            }
            "check-sat-assuming" => self.check_assuming(command, parts),
            "declare-const" => {
                let [name, sort] = exactly(command, parts)?;
                let sort = self.parser.parse_sort(sort)?;
                self.declare_symbol(name, Vec::new(), sort)
            }
            "declare-fun" => {
                let [name, arguments, result] = exactly(command, parts)?;
                let arguments =
                    list(arguments)?.map(|sort| self.parser.parse_sort(sort)).collect::<Result<_>>()?;
                let result = self.parser.parse_sort(result)?;
                self.declare_symbol(name, arguments, result)
            }
            "define-fun" => {
                let [name, parameters, result, body] = exactly(command, parts)?;
                self.define_function(name, Some(parameters), result, body)
            }
            "define-const" => {
                let [name, result, body] = exactly(command, parts)?;
                self.define_function(name, None, result, body)
            }
            "declare-sort" => {
                if parts.get(1).is_some_and(|arity| arity.numeral() != Some(0)) {
                    return Err(parts[1].error("only sorts without parameters can be declared"));
                }
                let name = symbol(*parts.first().ok_or_else(|| command.error("name expected"))?)?;
                self.define_sort(name, Vec::new(), Sort::Uninterpreted(name.into()));
                Ok(Response::Done)
            }
            "define-sort" => {
                let [name, parameters, body] = exactly(command, parts)?;
                self.define_sort_command(name, parameters, body)
            }
            "push" => self.stack_command(command, parts, State::push),
            "pop" => self.stack_command(command, parts, State::pop),
            "reset" => {
                arity(command, parts, 0)?;
                self.reset();
                Ok(Response::Done)
            }
            "reset-assertions" => {
                arity(command, parts, 0)?;
                self.reset_assertions();
                Ok(Response::Done)
            }
            "get-assertions" => {
                arity(command, parts, 0)?;
                let sources = self.levels.iter().flat_map(|level| &level.assertions).map(|each| each.source);
                Ok(Response::Text(format!("({})", sources.collect::<Vec<_>>().join("\n "))))
            }
            "get-value" => self.get_value(command, parts),
            "get-model" => {
                arity(command, parts, 0)?;
                self.get_model(command)
            }
            "get-unsat-assumptions" => {
                arity(command, parts, 0)?;
                self.get_unsat_assumptions(command)
            }
            "get-unsat-core" => {
                arity(command, parts, 0)?;
                self.get_unsat_core(command)
            }
            "set-logic" => self.set_logic(command, parts),
            "set-option" => self.set_option(command, parts),
            "set-info" => self.set_info(command, parts),
            "get-info" => self.get_info(command, parts),
            "get-option" => self.get_option(command, parts),
            "echo" => {
                let [text] = exactly(command, parts)?;
                if text.string().is_none() {
                    return Err(text.error("string expected"));
                }
                Ok(Response::Text(text.source().to_owned()))
            }
            "exit" => Ok(Response::Exit),
            "define-fun-rec" | "define-funs-rec" | "declare-datatype" | "declare-datatypes" | "get-proof"
            | "get-assignment" | "simplify" | "minimize" | "maximize" | "assert-soft" => {
                // What is not understood may matter to what follows.
                self.refuse(&format!("the command `{name}` is not supported"));
                Err(command.error(format!("the command `{name}` is not supported")))
            }
            _ => {
                self.refuse(&format!("the command `{name}` is unknown"));
                Err(command.error(format!("unknown command `{name}`")))
            }
        }
    }

    /// Reads a term and checks that it uses what is declared now.
    pub(super) fn term(&mut self, text: Sexpr<'_, 't>, locals: &[(String, Term)]) -> Result<Term> {
        let parsed = self.parser.parse_term(&mut self.arena, text, locals);
        let named = self.parser.take_named();
        let term = parsed?;
        let parameters: Vec<Term> = locals.iter().map(|&(_, term)| term).collect();
        if let Some(name) = self.undeclared(term, &parameters) {
            return Err(
                text.error(format!("unknown symbol `{name}`: it was declared at a level that is gone"))
            );
        }
        for (name, body) in named {
            let definition = Definition { parameters: Vec::new(), body };
            self.define(&name, definition).map_err(|message| text.error(message))?;
        }
        Ok(term)
    }

    fn assert(&mut self, command: Sexpr<'_, 't>, parts: &[Sexpr<'_, 't>]) -> Result<Response> {
        let asserted = exactly(command, parts).and_then(|[text]| {
            let term = self.term(text, &[])?;
            match self.arena.sort(term) {
                Sort::Bool => Ok((text, term)),
                sort => Err(text.error(format!("a formula has sort Bool, this has sort {sort}"))),
            }
        });
        let (text, term) = match asserted {
            Ok(asserted) => asserted,
            Err(error) => {
                self.refuse("an assertion was refused");
                return Err(error);
            }
        };
        self.mode = Mode::Assert;
        let name = name_of(text);
        if name.is_none() || !self.produce_cores {
            let activation = self.top().activation;
            self.solver.assert_under(&self.arena, activation, term);
        }
        self.top().assertions.push(Assertion { term, source: text.source(), name });
        Ok(Response::Done)
    }

    fn declare_symbol(
        &mut self,
        name: Sexpr<'_, 't>,
        arguments: Vec<Sort>,
        result: Sort,
    ) -> Result<Response> {
        let symbol = symbol(name)?;
        self.declare(symbol, arguments, result).map_err(|message| name.error(message))?;
        Ok(Response::Done)
    }

    fn define_function(
        &mut self,
        name: Sexpr<'_, 't>,
        parameters: Option<Sexpr<'_, 't>>,
        result: Sexpr<'_, 't>,
        body: Sexpr<'_, 't>,
    ) -> Result<Response> {
        let symbol = symbol(name)?;
        let mut locals = Vec::new();
        if let Some(parameters) = parameters {
            for parameter in list(parameters)? {
                let members: Vec<_> = parameter.children().collect();
                let [parameter, sort] = exactly(parameter, &members)?;
                let (parameter, sort) = (self::symbol(parameter)?, self.parser.parse_sort(sort)?);
                locals.push((parameter.to_owned(), self.arena.fresh_variable(parameter, &sort)));
            }
        }
        let wanted = self.parser.parse_sort(result)?;
        let term = self.term(body, &locals)?;
        let found = self.arena.sort(term);
        if *found != wanted {
            return Err(body.error(format!("the body has sort {found}, but {wanted} is declared")));
        }
        let parameters = locals.into_iter().map(|(_, variable)| variable).collect();
        let definition = Definition { parameters, body: term };
        self.define(symbol, definition).map_err(|message| name.error(message))?;
        Ok(Response::Done)
    }

    fn define_sort_command(
        &mut self,
        name: Sexpr<'_, 't>,
        parameters: Sexpr<'_, 't>,
        body: Sexpr<'_, 't>,
    ) -> Result<Response> {
        let name = symbol(name)?;
        let names = list(parameters)?.map(symbol).collect::<Result<Vec<&str>>>()?;
        // While the body is read, parameters are sorts of their names.
        for parameter in &names {
            self.parser.declare_sort(parameter);
        }
        let body = self.parser.parse_sort(body);
        for parameter in &names {
            self.parser.forget_sort(parameter);
        }
        self.define_sort(name, names.into_iter().map(str::to_owned).collect(), body?);
        Ok(Response::Done)
    }

    fn stack_command(
        &mut self,
        command: Sexpr<'_, 't>,
        parts: &[Sexpr<'_, 't>],
        action: fn(&mut Self, usize) -> std::result::Result<(), String>,
    ) -> Result<Response> {
        let count = match parts {
            [] => 1,
            [count] => count.numeral().ok_or_else(|| count.error("number of levels expected"))?,
            [_, more, ..] => return Err(more.error("end of the command expected")),
        };
        match action(self, count as usize) {
            Ok(()) => Ok(Response::Done),
            Err(message) => {
                // What is asserted from here on is not where the script believes it to be.
                self.refuse("a change of levels was refused");
                Err(command.error(message))
            }
        }
    }

    fn check_assuming(&mut self, command: Sexpr<'_, 't>, parts: &[Sexpr<'_, 't>]) -> Result<Response> {
        let [assumptions] = exactly(command, parts)?;
        let mut terms = Vec::new();
        for text in list(assumptions)? {
            let term = self.term(text, &[])?;
            if *self.arena.sort(term) != Sort::Bool {
                return Err(text.error("an assumption is of sort Bool"));
            }
            terms.push((term, text.source()));
        }
        Ok(Response::Text(self.check(command, Some(terms)).text().to_owned()))
    }

    /// Compares an answer with what the script says it should be.
    pub(super) fn compare_status(&mut self, command: Sexpr<'_, 't>, word: Word) {
        let Some(status) = self.status.take() else { return };
        if status != word && status != Word::Unknown && word != Word::Unknown {
            self.outcome.contradictions += 1;
            let message = format!("the answer is {}, but the script says {}", word.text(), status.text());
            self.complaints.push(command.error(message));
        }
    }
}

/// The name that `(! t :named n)` gives to `t`.
fn name_of(text: Sexpr<'_, '_>) -> Option<String> {
    let mut members = text.children();
    if members.next().as_ref().and_then(Sexpr::word) != Some("!") {
        return None;
    }
    let members: Vec<_> = members.collect();
    let named = members.windows(2).find(|pair| pair[0].keyword() == Some(":named"))?;
    named[1].symbol().map(str::to_owned)
}

pub(super) fn symbol<'t>(text: Sexpr<'_, 't>) -> Result<&'t str> {
    text.symbol().ok_or_else(|| text.error("symbol expected"))
}

pub(super) fn list<'a, 't>(text: Sexpr<'a, 't>) -> Result<impl Iterator<Item = Sexpr<'a, 't>>> {
    if text.is_list() { Ok(text.children()) } else { Err(text.error("list expected")) }
}

pub(super) fn arity(command: Sexpr<'_, '_>, parts: &[Sexpr<'_, '_>], wanted: usize) -> Result<()> {
    if parts.len() == wanted {
        return Ok(());
    }
    Err(command.error(format!("{wanted} arguments expected, {} found", parts.len())))
}

pub(super) fn exactly<'a, 't, const N: usize>(
    command: Sexpr<'_, '_>,
    parts: &[Sexpr<'a, 't>],
) -> Result<[Sexpr<'a, 't>; N]> {
    arity(command, parts, N)?;
    parts.try_into().map_err(|_| command.error(format!("{N} arguments expected")))
}
