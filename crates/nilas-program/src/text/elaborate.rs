//! From a parsed file to a program: names are looked up, commands built.
//!
//! Everything is numbered as it stands in the text, what is outside of procedures first.

use super::ast::{ArcText, CallText, EdgeText, File, Name, Site, Statement, StatementKind};
use super::message::{nearest, shorten};
use super::parser::MOST_ERRORS;
use super::typing::{Names, term_of};
use crate::automaton::{Automaton, Edge, Havoc, Location, Program, Variable};
use crate::command::{Arc, Basic, Command};
use crate::ids::{HavocSite, LocationId, NodeId, ProcedureId, VarId};
use crate::procedures::{Call, Module, Owners, Procedure};
use crate::source::Diagnostic;
use crate::source::Span;
use nilas_term::{Arena, Sort, Term};
use rustc_hash::{FxHashMap, FxHashSet};

/// The program of a file. `lost` says that declarations may be missing because of errors found already.
pub(super) fn elaborate(file: &File<'_>, text: &str, lost: bool) -> Result<Module, Vec<Diagnostic>> {
    let mut elaborator = Elaborator {
        text,
        arena: Arena::new(),
        names: Names { silent: lost, ..Names::default() },
        variables: Vec::new(),
        variable_ids: FxHashMap::default(),
        locations: Vec::new(),
        location_ids: FxHashMap::default(),
        owners: Owners::default(),
        procedures: FxHashMap::default(),
        calls: Vec::new(),
        sites: Sites::default(),
        errors: Vec::new(),
    };
    let found = elaborator.file(file);
    for name in file.errors.iter().skip(1) {
        elaborator.role(Some(name), "error");
    }
    let roles = file.errors.iter().map(|name| elaborator.location_ids.get(&name.text).copied());
    match found.zip(roles.collect::<Option<Vec<LocationId>>>()) {
        Some(((automaton, procedures), targets)) if elaborator.errors.is_empty() => Ok(Module {
            program: Program { arena: elaborator.arena, automaton },
            targets,
            procedures,
            calls: elaborator.calls,
            owners: elaborator.owners,
        }),
        _ => Err(elaborator.errors),
    }
}

struct Elaborator<'t> {
    text: &'t str,
    arena: Arena,
    names: Names,
    variables: Vec<Variable>,
    variable_ids: FxHashMap<String, VarId>,
    locations: Vec<Location>,
    location_ids: FxHashMap<String, LocationId>,
    owners: Owners,
    procedures: FxHashMap<String, ProcedureId>,
    calls: Vec<Call>,
    sites: Sites,
    errors: Vec<Diagnostic>,
}

/// The `havoc` sites: numbered as they stand in the text, unless their numbers are written out.
#[derive(Default)]
struct Sites {
    written: FxHashMap<usize, Havoc>,
    next: usize,
    table: Vec<Option<Havoc>>,
}

impl Elaborator<'_> {
    fn error(&mut self, message: impl Into<String>, span: Span) {
        self.errors.push(Diagnostic::error(span, message));
    }

    fn line_of(&self, span: Span) -> usize {
        let start = (span.start as usize).min(self.text.len());
        1 + self.text.as_bytes()[..start].iter().filter(|&&byte| byte == b'\n').count()
    }

    fn duplicate(&mut self, what: &str, name: &Name, first: Span) {
        let message = format!("{what} `{}` is declared twice", shorten(&name.text));
        let hint = format!("first declared in line {}", self.line_of(first));
        self.errors.push(Diagnostic::error(name.span, message).with_hint(hint));
    }

    fn file(&mut self, file: &File<'_>) -> Option<(Automaton, Vec<Procedure>)> {
        self.symbols(file);
        self.locations(file);
        self.collect_sites(file);
        let mut edges = Vec::new();
        for edge in edges_in_order(file) {
            if self.errors.len() >= MOST_ERRORS {
                return None;
            }
            if let [Statement { kind: StatementKind::Call(call), span }] = &edge.body[..] {
                self.call(file, edge, call, *span);
                continue;
            }
            let parts = self.statements(&edge.body);
            edges.push(Edge {
                source: self.location_ids[&edge.source.text],
                target: self.location_ids[&edge.target.text],
                command: Command::sequence(&parts),
                span: edge.span,
            });
        }
        let entry = self.role(file.entry.as_ref(), "entry");
        let error = self.role(file.errors.first(), "error");
        let unmodelled = match &file.unmodelled {
            Some(name) => Some(self.role(Some(name), "unmodelled")?),
            None => None,
        };
        let procedures = self.procedures(file);
        let havocs = std::mem::take(&mut self.sites.table);
        let automaton = Automaton {
            name: file.name.as_ref().map(|name| name.text.clone()).unwrap_or_default(),
            variables: std::mem::take(&mut self.variables),
            locations: std::mem::take(&mut self.locations),
            edges,
            havocs: havocs.into_iter().collect::<Option<Vec<Havoc>>>()?,
            entry: entry?,
            error: error?,
            unmodelled,
        };
        Some((automaton, procedures?))
    }

    fn procedures(&mut self, file: &File<'_>) -> Option<Vec<Procedure>> {
        let mut procedures = Vec::new();
        for text in &file.procedures {
            let name = &text.name;
            let mut end = |what: &str, end: &Option<Name>| match end {
                Some(end) => self.role(Some(end), what),
                None => {
                    let message = format!("the procedure `{}` has no {what} location", shorten(&name.text));
                    let hint = format!("add a line `{what} NAME`");
                    self.errors.push(Diagnostic::error(name.span, message).with_hint(hint));
                    None
                }
            };
            let (entry, exit) = (end("entry", &text.entry), end("exit", &text.exit));
            let known = |variables: &[(Name, Sort)]| -> Option<Vec<VarId>> {
                variables.iter().map(|(name, _)| self.variable_ids.get(&name.text).copied()).collect()
            };
            let (parameters, results) = (known(&text.parameters), known(&text.results));
            if let (Some(entry), Some(exit), Some(parameters), Some(results)) =
                (entry, exit, parameters, results)
            {
                let (name, span) = (name.text.clone(), name.span);
                procedures.push(Procedure { name, parameters, results, entry, exit, span });
            }
        }
        (procedures.len() == file.procedures.len()).then_some(procedures)
    }

    /// A call edge.
    fn call(&mut self, file: &File<'_>, edge: &EdgeText<'_>, call: &CallText<'_>, span: Span) {
        let Some(&callee) = self.procedures.get(&call.callee.text) else {
            if !self.names.silent {
                let near = nearest(&call.callee.text, file.procedures.iter().map(|it| &it.name.text[..]));
                let message = format!("unknown procedure `{}`", shorten(&call.callee.text));
                let mut error = Diagnostic::error(call.callee.span, message);
                error.hint = near.map(|near| format!("did you mean `{}`?", shorten(near)));
                self.errors.push(error);
            }
            return;
        };
        let parameters = &file.procedures[callee.index()].parameters;
        if parameters.len() != call.arguments.len() {
            let (wanted, found) = (parameters.len(), call.arguments.len());
            let plural = if wanted == 1 { "" } else { "s" };
            let name = shorten(&call.callee.text);
            self.error(format!("`{name}` has {wanted} argument{plural}, {found} here"), span);
        }
        let arguments: Vec<Option<Term>> = call
            .arguments
            .iter()
            .zip(parameters)
            .map(|(argument, (_, sort))| self.term(argument, sort))
            .collect();
        let results: Vec<Option<VarId>> = call.results.iter().map(|name| self.variable(name)).collect();
        let all = (arguments.into_iter().collect(), results.into_iter().collect());
        if let (Some(arguments), Some(results)) = all {
            let (source, target) =
                (self.location_ids[&edge.source.text], self.location_ids[&edge.target.text]);
            self.calls.push(Call { source, target, callee, arguments, results, span });
        }
    }

    fn symbols(&mut self, file: &File<'_>) {
        let mut sorts: FxHashMap<&str, Span> = FxHashMap::default();
        for name in &file.sorts {
            match sorts.get(&name.text[..]) {
                Some(&first) => self.duplicate("sort", name, first),
                None => {
                    sorts.insert(&name.text, name.span);
                    self.names.smt.declare_sort(&name.text);
                }
            }
        }
        let mut seen: FxHashMap<&str, Span> = FxHashMap::default();
        for function in &file.functions {
            let name = &function.name;
            for sort in function.arguments.iter().chain([&function.result]) {
                self.declared_sort(sort, &sorts, name.span);
            }
            if let Some(&first) = seen.get(&name.text[..]) {
                self.duplicate("function", name, first);
                continue;
            }
            seen.insert(&name.text, name.span);
            self.symbol_name(name);
            match self.arena.declare(&name.text, function.arguments.clone(), function.result.clone()) {
                Ok(symbol) => {
                    self.names.functions.insert(name.text.clone(), symbol);
                }
                Err(error) => self.error(error.message, name.span),
            }
        }
        let mut known: FxHashMap<&str, Span> = FxHashMap::default();
        for procedure in &file.procedures {
            let name = &procedure.name;
            match known.get(&name.text[..]) {
                Some(&first) => self.duplicate("procedure", name, first),
                None => {
                    known.insert(&name.text, name.span);
                }
            }
            let id = ProcedureId::new(self.procedures.len());
            self.procedures.entry(name.text.clone()).or_insert(id);
        }
        let of = |index: usize| {
            let procedure = &file.procedures[index];
            procedure.parameters.iter().chain(&procedure.results).chain(&procedure.locals)
        };
        let locals = (0..file.procedures.len())
            .flat_map(|index| of(index).map(move |declared| (Some(ProcedureId::new(index)), declared)));
        let globals = file.variables.iter().map(|declared| (None, declared));
        for (owner, (name, sort)) in globals.chain(locals) {
            self.declared_sort(sort, &sorts, name.span);
            if let Some(&first) = seen.get(&name.text[..]) {
                self.duplicate("variable", name, first);
                if let Some(error) = self.errors.last_mut().filter(|_| owner.is_some()) {
                    let line = error.hint.take().unwrap_or_default();
                    error.hint = Some(format!("{line}; names are unique in a file, as in `f.x`"));
                }
                continue;
            }
            seen.insert(&name.text, name.span);
            self.symbol_name(name);
            match self.arena.variable(&name.text, sort) {
                Ok(term) => {
                    self.variable_ids.insert(name.text.clone(), VarId::new(self.variables.len()));
                    self.names.variables.insert(name.text.clone(), term);
                    let (name, span) = (name.text.clone(), name.span);
                    self.variables.push(Variable { name, sort: sort.clone(), term, span });
                    self.owners.variables.push(owner);
                }
                Err(error) => self.error(error.message, name.span),
            }
        }
    }

    /// SMT-LIB has no way to write a bar or a backslash in a name.
    fn symbol_name(&mut self, name: &Name) {
        if name.text.contains(['|', '\\']) {
            self.error("the name of a variable or function cannot have `|` or `\\` in it", name.span);
        }
    }

    fn declared_sort(&mut self, sort: &Sort, sorts: &FxHashMap<&str, Span>, span: Span) {
        let mut stack = vec![sort];
        while let Some(sort) = stack.pop() {
            match sort {
                Sort::Array(array) => stack.extend([&array.index, &array.element]),
                Sort::Uninterpreted(name) if !sorts.contains_key(&**name) && !self.names.silent => {
                    let message = format!("unknown sort `{}`", shorten(name));
                    let hint = format!(
                        "sorts are `bool`, `bv32`, `fp(8, 24)`, …; or declare `sort {}`",
                        shorten(name)
                    );
                    self.errors.push(Diagnostic::error(span, message).with_hint(hint));
                }
                _ => {}
            }
        }
    }

    fn locations(&mut self, file: &File<'_>) {
        let sinks: FxHashSet<&str> =
            file.errors.iter().chain(&file.unmodelled).map(|it| &it.text[..]).collect();
        for group in groups(file) {
            let owner = group.map(ProcedureId::new);
            for (name, _) in file.locations.iter().filter(|(_, owner)| *owner == group) {
                match self.location_ids.get(&name.text) {
                    Some(first) => self.duplicate("location", name, self.locations[first.index()].span),
                    None => self.add_location(name, owner),
                }
            }
            for edge in file.edges.iter().filter(|edge| edge.owner == group) {
                for name in [&edge.source, &edge.target] {
                    self.mention(file, name, owner.filter(|_| !sinks.contains(&name.text[..])));
                }
            }
            // Sinks belong to no procedure, wherever they are mentioned.
            if group.is_none() {
                let mentioned =
                    file.edges.iter().filter(|edge| edge.owner.is_some()).map(|edge| &edge.target);
                for name in mentioned.filter(|name| sinks.contains(&name.text[..])) {
                    self.mention(file, name, None);
                }
            }
        }
    }

    /// A location of an edge.
    fn mention(&mut self, file: &File<'_>, name: &Name, owner: Option<ProcedureId>) {
        let Some(&known) = self.location_ids.get(&name.text) else { return self.add_location(name, owner) };
        let first = self.owners.locations[known.index()];
        if first != owner {
            let place = match first {
                Some(first) => format!("of `{}`", shorten(&file.procedures[first.index()].name.text)),
                None => "outside of procedures".to_owned(),
            };
            let message = format!("`{}` is a location {place}", shorten(&name.text));
            let hint =
                "names are unique in a file, as in `f.in`; only calls lead from one procedure to another";
            self.errors.push(Diagnostic::error(name.span, message).with_hint(hint));
        }
    }

    fn add_location(&mut self, name: &Name, owner: Option<ProcedureId>) {
        self.location_ids.insert(name.text.clone(), LocationId::new(self.locations.len()));
        self.locations.push(Location { name: name.text.clone(), span: name.span });
        self.owners.locations.push(owner);
    }

    fn role(&mut self, name: Option<&Name>, role: &str) -> Option<LocationId> {
        let Some(name) = name else {
            if !self.names.silent {
                let start = Span::of_text(0, 0);
                let error = Diagnostic::error(start, format!("there is no {role} location"));
                self.errors.push(error.with_hint(format!("add a line `{role} NAME`")));
            }
            return None;
        };
        let known = self.location_ids.get(&name.text).copied();
        if known.is_none() && !self.names.silent {
            let near = nearest(&name.text, self.locations.iter().map(|location| &location.name[..]));
            let hint = match near {
                Some(near) => format!("did you mean `{}`?", shorten(near)),
                None => "no edge mentions it; if that is so, declare it with `location`".to_owned(),
            };
            let message = format!("unknown location `{}`", shorten(&name.text));
            self.errors.push(Diagnostic::error(name.span, message).with_hint(hint));
        }
        known
    }

    // Havoc sites.

    /// Finds the numbers that are written out, so that the others can go round them.
    fn collect_sites(&mut self, file: &File<'_>) {
        let mut count = 0;
        let mut written: Vec<(&Name, Site)> = file.sites.iter().map(|(name, site)| (name, *site)).collect();
        let mut stack: Vec<&Statement<'_>> =
            edges_in_order(file).iter().rev().flat_map(|edge| edge.body.iter().rev()).collect();
        while let Some(statement) = stack.pop() {
            match &statement.kind {
                StatementKind::Havoc(name, Some(site)) => written.push((name, *site)),
                StatementKind::Havoc(_, None) => count += 1,
                StatementKind::Choice(parts) => {
                    stack.extend(parts.iter().rev().flat_map(|part| part.iter().rev()));
                }
                StatementKind::Block(arcs) => stack.extend(arcs.iter().rev().map(|arc| &arc.basic)),
                _ => {}
            }
        }
        let numbers: FxHashSet<usize> = written.iter().map(|(_, site)| site.number).collect();
        let total = count + numbers.len();
        for (name, site) in written {
            if site.number >= total {
                let message = format!("there are only {total} sites, numbered from 0");
                self.error(message, site.span);
            }
            let Some(variable) = self.variable(name) else { continue };
            let havoc = Havoc { variable, span: name.span };
            let first = self.sites.written.entry(site.number).or_insert(havoc);
            if first.variable != variable {
                self.error(format!("site {} is a havoc of another variable", site.number), site.span);
            }
        }
        self.sites.table = vec![None; total];
        for number in 0..total {
            self.sites.table[number] = self.sites.written.get(&number).cloned();
        }
    }

    fn havoc(&mut self, name: &Name, site: Option<Site>) -> Option<Basic> {
        let variable = self.variable_quietly(name, site.is_some())?;
        let number = match site {
            Some(site) => site.number,
            None => {
                while self.sites.written.contains_key(&self.sites.next) {
                    self.sites.next += 1;
                }
                self.sites.next += 1;
                self.sites.next - 1
            }
        };
        let place = self.sites.table.get_mut(number)?;
        place.get_or_insert(Havoc { variable, span: name.span });
        Some(Basic::Havoc(variable, HavocSite::new(number)))
    }

    /// Sites with numbers were looked up before: their errors are known.
    fn variable_quietly(&mut self, name: &Name, quiet: bool) -> Option<VarId> {
        if quiet { self.variable_ids.get(&name.text).copied() } else { self.variable(name) }
    }

    fn variable(&mut self, name: &Name) -> Option<VarId> {
        let known = self.variable_ids.get(&name.text).copied();
        if known.is_none() && !self.names.silent {
            let near = nearest(&name.text, self.names.variables.keys().map(String::as_str));
            let mut error =
                Diagnostic::error(name.span, format!("unknown variable `{}`", shorten(&name.text)));
            error.hint = near.map(|near| format!("did you mean `{}`?", shorten(near)));
            self.errors.push(error);
        }
        known
    }

    // Commands. Statements nest no deeper than the parser lets them.

    fn statements(&mut self, statements: &[Statement<'_>]) -> Vec<Command> {
        statements.iter().map(|statement| self.statement(statement)).collect()
    }

    /// The command of a statement; something of no use where there is an error.
    fn statement(&mut self, statement: &Statement<'_>) -> Command {
        match &statement.kind {
            StatementKind::Choice(parts) => {
                let parts: Vec<Command> =
                    parts.iter().map(|part| Command::sequence(&self.statements(part))).collect();
                Command::choice(&parts, statement.span)
            }
            StatementKind::Block(arcs) => self.block(arcs, statement.span),
            _ => match self.basic(statement) {
                Some(basic) => Command::basic(basic, statement.span),
                None => Command::skip(),
            },
        }
    }

    fn basic(&mut self, statement: &Statement<'_>) -> Option<Basic> {
        match &statement.kind {
            StatementKind::Assume(condition) => {
                let term = self.term(condition, &Sort::Bool)?;
                Some(Basic::Assume(term))
            }
            StatementKind::Assign(name, value) => {
                let variable = self.variable(name)?;
                let sort = self.variables[variable.index()].sort.clone();
                Some(Basic::Assign(variable, self.term(value, &sort)?))
            }
            StatementKind::Havoc(name, site) => self.havoc(name, *site),
            StatementKind::Call(_) => {
                let error = Diagnostic::error(statement.span, "a call is the only statement of its edge");
                self.errors.push(error.with_hint("split the edge before and behind the call"));
                None
            }
            StatementKind::Skip | StatementKind::Choice(_) | StatementKind::Block(_) => Some(Basic::Skip),
        }
    }

    fn term(&mut self, expression: &super::ast::Expression<'_>, sort: &Sort) -> Option<Term> {
        term_of(&mut self.arena, &mut self.names, expression, sort, &mut self.errors)
    }

    fn block(&mut self, arcs: &[ArcText<'_>], span: Span) -> Command {
        let before = self.errors.len();
        let last = arcs.iter().map(|arc| arc.source.0.max(arc.target.0)).max().unwrap_or(0);
        let mut built = Vec::new();
        for arc in arcs {
            let ((source, _), (target, target_span)) = (arc.source, arc.target);
            if source >= target {
                self.error("arcs lead from smaller to larger node numbers", target_span);
            } else if target > arcs.len() {
                // Every node but the last has an arc that leaves it.
                self.error(format!("node {target} of a block with {} arcs", arcs.len()), target_span);
            } else if let Some(basic) = self.basic(&arc.basic) {
                let (source, target) = (NodeId::new(source), NodeId::new(target));
                built.push(Arc { source, target, basic, span: arc.basic.span, origin: None });
            }
        }
        if self.errors.len() > before || built.len() < arcs.len() {
            return Command::skip();
        }
        match Command::from_arcs(last + 1, built) {
            Some(command) => command,
            None => {
                let message = format!("some node of this block is not on a way from node 0 to node {last}");
                self.error(message, span);
                Command::skip()
            }
        }
    }
}

/// What is outside of procedures, then the procedures.
fn groups(file: &File<'_>) -> impl Iterator<Item = Option<usize>> + use<> {
    std::iter::once(None).chain((0..file.procedures.len()).map(Some))
}

/// The edges in the order of their ids.
fn edges_in_order<'f, 't>(file: &'f File<'t>) -> Vec<&'f EdgeText<'t>> {
    let mut edges: Vec<&EdgeText<'_>> = file.edges.iter().collect();
    edges.sort_by_key(|edge| edge.owner);
    edges
}
