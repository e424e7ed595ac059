//! Parsing of `.cfa` files into [`super::ast`], with recovery: after an error it goes on at the next line
//! that starts a declaration or an edge.

use super::ast::{EdgeText, File, Function, Name, ProcedureText};
use super::expression::join;
use super::lexer::{Kind, Lexer, Token, is_reserved, unquote};
use super::message::shorten;
use crate::source::Diagnostic;
use crate::source::Span;
use nilas_term::{MAX_WIDTH, Sort};

pub(super) type Result<T> = std::result::Result<T, Diagnostic>;

/// More errors than that are of no use to a reader.
pub(super) const MOST_ERRORS: usize = 20;

/// How deep brackets, `?:`, choices and sorts may nest. What the printer writes stays far below.
const DEEPEST: u32 = 200;

const ITEMS: &[&str] =
    &["cfa", "sort", "fun", "var", "entry", "error", "unmodelled", "location", "havoc", "proc", "exit"];

pub(super) struct Parser<'t> {
    lexer: Lexer<'t>,
    /// Tokens read ahead: at most two.
    ahead: Vec<Token<'t>>,
    depth: u32,
    file: File<'t>,
    pub(super) errors: Vec<Diagnostic>,
    /// The number of the procedure around the present item.
    inside: Option<usize>,
    /// Whether a declaration was lost, so that unknown names say nothing.
    declarations_lost: bool,
}

/// What was parsed, errors, and whether declarations were lost.
pub(super) fn parse_file(text: &str) -> (File<'_>, Vec<Diagnostic>, bool) {
    let mut parser = Parser {
        lexer: Lexer::new(text),
        ahead: Vec::new(),
        depth: 0,
        file: File::default(),
        errors: Vec::new(),
        inside: None,
        declarations_lost: false,
    };
    parser.items();
    (parser.file, parser.errors, parser.declarations_lost)
}

impl<'t> Parser<'t> {
    // Tokens.

    pub(super) fn peek(&mut self) -> Result<Token<'t>> {
        if self.ahead.is_empty() {
            let token = self.lexer.next()?;
            self.ahead.push(token);
        }
        Ok(self.ahead[0])
    }

    pub(super) fn peek_second(&mut self) -> Result<Token<'t>> {
        self.peek()?;
        if self.ahead.len() < 2 {
            let token = self.lexer.next()?;
            self.ahead.push(token);
        }
        Ok(self.ahead[1])
    }

    pub(super) fn advance(&mut self) -> Result<Token<'t>> {
        let token = self.peek()?;
        self.ahead.remove(0);
        Ok(token)
    }

    pub(super) fn eat(&mut self, text: &str) -> Result<bool> {
        let found = self.peek()?.is(text);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    pub(super) fn expect(&mut self, text: &str) -> Result<Token<'t>> {
        if self.peek()?.is(text) { self.advance() } else { Err(self.unexpected(&format!("`{text}`"))) }
    }

    pub(super) fn unexpected(&mut self, wanted: &str) -> Diagnostic {
        let token = match self.peek() {
            Ok(token) => token,
            Err(error) => return error,
        };
        let found = match token.kind {
            Kind::End => "the end of the file".to_owned(),
            _ => format!("`{}`", shorten(token.text)),
        };
        Diagnostic::error(token.span, format!("{wanted} is expected, {found} found"))
    }

    pub(super) fn enter(&mut self) -> Result<()> {
        self.depth += 1;
        if self.depth > DEEPEST {
            let span = self.peek()?.span;
            let error = Diagnostic::error(span, format!("nested deeper than {DEEPEST} levels"));
            return Err(error.with_hint("SMT-LIB text in backticks may nest as deep as you like"));
        }
        Ok(())
    }

    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// A name; plain ones must not be words of the format.
    pub(super) fn name(&mut self, what: &str) -> Result<Name> {
        let token = self.peek()?;
        if token.kind == Kind::Name && is_reserved(token.text) {
            let error = self.unexpected(what);
            return Err(error.with_hint(format!("`{0}` is a word of the format; write \"{0}\"", token.text)));
        }
        self.any_name(what)
    }

    /// A name, be it a word of the format or not.
    pub(super) fn any_name(&mut self, what: &str) -> Result<Name> {
        let token = self.peek()?;
        if !matches!(token.kind, Kind::Name | Kind::Quoted) {
            return Err(self.unexpected(what));
        }
        self.advance()?;
        Ok(Name { text: unquote(&token)?, span: token.span })
    }

    pub(super) fn count(&mut self, what: &str) -> Result<(u32, Span)> {
        let token = self.peek()?;
        let number = if token.kind == Kind::Number { token.text.parse().ok() } else { None };
        let Some(number) = number else { return Err(self.unexpected(what)) };
        self.advance()?;
        Ok((number, token.span))
    }

    // Declarations and edges.

    fn items(&mut self) {
        loop {
            let start = match self.peek() {
                Ok(token) if token.kind == Kind::End => {
                    if let Some(procedure) = self.inside.and_then(|inside| self.file.procedures.get(inside)) {
                        let message =
                            format!("the procedure `{}` has no `}}`", shorten(&procedure.name.text));
                        let error = Diagnostic::error(procedure.name.span, message);
                        self.report(error);
                    }
                    return;
                }
                Ok(token) => token,
                Err(error) => {
                    self.declarations_lost = true;
                    if !self.report(error) {
                        return;
                    }
                    continue;
                }
            };
            self.depth = 0;
            let edges = self.file.edges.len();
            if let Err(error) = self.item() {
                // Of a broken edge the locations are known, and nothing else depends on it.
                self.declarations_lost |= self.file.edges.len() == edges;
                if !self.report(error) {
                    return;
                }
                self.recover(start);
            }
        }
    }

    /// Notes an error; whether to go on.
    fn report(&mut self, error: Diagnostic) -> bool {
        self.errors.push(error);
        self.errors.len() < MOST_ERRORS
    }

    /// Skips to the next line that starts an item. `start` is where the broken one started: it is left behind
    /// in any case.
    fn recover(&mut self, start: Token<'t>) {
        loop {
            // Characters that are no tokens were worth one error.
            let (Ok(token), second) = (self.peek(), self.peek_second()) else { continue };
            if token.kind == Kind::End {
                return;
            }
            let edge = second.as_ref().is_ok_and(|second| second.is("->"));
            let item = token.kind == Kind::Name && ITEMS.contains(&token.text) || edge;
            let is_name = matches!(token.kind, Kind::Name | Kind::Quoted);
            let end = token.is("}") && self.inside.is_some();
            if token.first && (is_name && item || end) && token.span != start.span {
                return;
            }
            if self.advance().is_err() {
                continue;
            }
        }
    }

    fn item(&mut self) -> Result<()> {
        let token = self.peek()?;
        if self.peek_second()?.is("->") {
            return self.edge();
        }
        if token.is("}") && self.inside.is_some() {
            self.advance()?;
            self.inside = None;
            return Ok(());
        }
        if token.kind != Kind::Name || !ITEMS.contains(&token.text) {
            let error = self.unexpected("a declaration or an edge");
            return Err(error.with_hint("edges look like `a -> b { assume x == 0 }`"));
        }
        let inner = matches!(token.text, "var" | "entry" | "exit" | "location");
        if self.inside.is_some() != inner && (self.inside.is_some() || token.text == "exit") {
            let place = if inner { "inside" } else { "outside" };
            let message = format!("`{}` stands {place} of procedures", token.text);
            return Err(Diagnostic::error(token.span, message));
        }
        self.advance()?;
        match token.text {
            "proc" => self.procedure()?,
            "entry" | "exit" if self.inside.is_some() => {
                let name = self.any_name("a location")?;
                let Some(procedure) = self.file.procedures.last_mut() else { return Ok(()) };
                let (place, what) = match token.text {
                    "entry" => (&mut procedure.entry, "the entry of the procedure"),
                    _ => (&mut procedure.exit, "the exit of the procedure"),
                };
                once(place, name, what)?;
            }
            "cfa" => {
                let name = self.any_name("a name for the automaton")?;
                once(&mut self.file.name, name, "the automaton's name")?;
            }
            "entry" => {
                let name = self.any_name("a location")?;
                once(&mut self.file.entry, name, "the entry")?;
            }
            "error" => {
                let names = self.names(|parser| parser.any_name("a location"))?;
                match (names.first(), self.file.errors.is_empty()) {
                    (Some(first), false) => {
                        let message = "the error location is declared twice";
                        let hint = "several of them stand in one line: `error a, b`";
                        return Err(Diagnostic::error(first.span, message).with_hint(hint));
                    }
                    _ => self.file.errors = names,
                }
            }
            "unmodelled" => {
                let name = self.any_name("a location")?;
                once(&mut self.file.unmodelled, name, "the unmodelled location")?;
            }
            "location" => {
                let names = self.names(|parser| parser.any_name("a location"))?;
                let inside = self.inside;
                self.file.locations.extend(names.into_iter().map(|name| (name, inside)));
            }
            "sort" => {
                let names = self.names(|parser| parser.name("a sort"))?;
                self.file.sorts.extend(names);
            }
            "havoc" => {
                let name = self.name("a variable")?;
                let Some(site) = self.site()? else { return Err(self.unexpected("`@` and a number")) };
                self.file.sites.push((name, site));
            }
            "fun" => self.function()?,
            _ => {
                let names = self.names(|parser| parser.name("a variable"))?;
                self.expect(":")?;
                let sort = self.sort()?;
                let variables = match self.inside {
                    Some(inside) => &mut self.file.procedures[inside].locals,
                    None => &mut self.file.variables,
                };
                variables.extend(names.into_iter().map(|name| (name, sort.clone())));
            }
        }
        Ok(())
    }

    fn names(&mut self, one: impl Fn(&mut Self) -> Result<Name>) -> Result<Vec<Name>> {
        let mut names = vec![one(self)?];
        while self.eat(",")? {
            names.push(one(self)?);
        }
        Ok(names)
    }

    fn function(&mut self) -> Result<()> {
        let name = self.name("a function")?;
        self.expect("(")?;
        let mut arguments = vec![self.sort()?];
        while self.eat(",")? {
            arguments.push(self.sort()?);
        }
        self.expect(")")?;
        self.expect(":")?;
        let result = self.sort()?;
        self.file.functions.push(Function { name, arguments, result });
        Ok(())
    }

    /// `f(x : bv8, y : bool) returns (r : bv8) {`
    fn procedure(&mut self) -> Result<()> {
        let name = self.any_name("a procedure")?;
        let parameters = self.declared()?;
        let results = if self.eat("returns")? { self.declared()? } else { Vec::new() };
        self.inside = Some(self.file.procedures.len());
        let locals = Vec::new();
        self.file.procedures.push(ProcedureText {
            name,
            parameters,
            results,
            locals,
            entry: None,
            exit: None,
        });
        self.expect("{")?;
        Ok(())
    }

    /// `(x : bv8, y, z : bool)`
    fn declared(&mut self) -> Result<Vec<(Name, Sort)>> {
        self.expect("(")?;
        let mut declared = Vec::new();
        while !self.peek()?.is(")") {
            if !declared.is_empty() {
                self.expect(",")?;
            }
            let names = self.names(|parser| parser.name("a variable"))?;
            self.expect(":")?;
            let sort = self.sort()?;
            declared.extend(names.into_iter().map(|name| (name, sort.clone())));
        }
        self.advance()?;
        Ok(declared)
    }

    /// A sort. Names that are no words of the format are uninterpreted sorts; whether they are declared is
    /// checked later.
    pub(super) fn sort(&mut self) -> Result<Sort> {
        self.enter()?;
        let token = self.peek()?;
        let sort = match (token.kind, token.text) {
            (Kind::Name, "bool") => Sort::Bool,
            (Kind::Name, "int") => Sort::Int,
            (Kind::Name, "real") => Sort::Real,
            (Kind::Name, "rm") => Sort::RoundingMode,
            (Kind::Name, "fp" | "array") => {
                self.advance()?;
                let sort = if token.text == "fp" { self.float_format()? } else { self.array()? };
                self.leave();
                return Ok(sort);
            }
            (Kind::Name, text) if is_reserved(text) && text.starts_with("bv") => {
                match text[2..].parse::<u32>() {
                    Ok(width) if (1..=MAX_WIDTH).contains(&width) => Sort::BitVec(width),
                    _ => {
                        let message = format!("the width of a bit-vector is between 1 and {MAX_WIDTH}");
                        return Err(Diagnostic::error(token.span, message));
                    }
                }
            }
            (Kind::Name, text) if !is_reserved(text) => Sort::Uninterpreted(text.into()),
            (Kind::Quoted, _) => Sort::Uninterpreted(unquote(&token)?.into()),
            _ => return Err(self.unexpected("a sort").with_hint("sorts are `bool`, `bv32`, `fp(8, 24)`, …")),
        };
        self.advance()?;
        self.leave();
        Ok(sort)
    }

    fn float_format(&mut self) -> Result<Sort> {
        self.expect("(")?;
        let (exponent, start) = self.count("the bits of the exponent")?;
        self.expect(",")?;
        let (significand, end) = self.count("the bits of the significand")?;
        self.expect(")")?;
        if (2..=30).contains(&exponent) && (2..=65536).contains(&significand) {
            return Ok(Sort::Float(exponent, significand));
        }
        let message = format!("the floating-point format fp({exponent}, {significand}) is not supported");
        Err(Diagnostic::error(join(start, end), message))
    }

    fn array(&mut self) -> Result<Sort> {
        self.expect("(")?;
        let index = self.sort()?;
        self.expect(",")?;
        let element = self.sort()?;
        self.expect(")")?;
        Ok(Sort::array(index, element))
    }

    fn edge(&mut self) -> Result<()> {
        let source = self.any_name("a location")?;
        self.expect("->")?;
        let target = self.any_name("a location")?;
        let span = join(source.span, target.span);
        // The locations are known even if the command is not.
        self.file.edges.push(EdgeText { owner: self.inside, source, target, span, body: Vec::new() });
        let index = self.file.edges.len() - 1;
        if self.peek()?.is("{") {
            self.file.edges[index].body = self.braces()?;
        }
        Ok(())
    }
}

fn once(place: &mut Option<Name>, name: Name, what: &str) -> Result<()> {
    if place.is_some() {
        return Err(Diagnostic::error(name.span, format!("{what} is declared twice")));
    }
    *place = Some(name);
    Ok(())
}
