//! Evidence on disk: s-expressions, formulas and values in SMT-LIB. The whole format, and what has to be
//! checked, is documented in `docs/evidence.md`.
//!
//! Behind a [`crate::header`] stands one of
//! ```text
//! (invariant (at l1 (= x y)))
//! (invariant (induction 3) (at l1 (= x y)))
//! (invariant (at l1 (= x y) (= z #x00)) (premises l1 l1 1) (premises l1 err 0 0))
//! (unwinding (visits l1 11))
//! (run)
//! (contracts (procedure f (requires (bvult f.n #x07)) (ensures (= f.r |old f.n|))) (at f.l1 (= f.n |old f.n|)))
//! (execution (initial x #x00000003) (havoc 0 2 #xffffffff) (step 4 0 1))
//! ```
//! Several formulas at a location are their conjunction; `premises` gives start and end of a region, the
//! number of a formula at its end, and the numbers of those at its start from which that follows: a hint.
//! Locations and variables are named; `havoc` gives site, occurrence and value; `step` gives an edge and the
//! arcs of its command. Contracts name a procedure and say what it needs and does; `old x` is the value of
//! `x` at its entry. `steps` tells how long an execution without a path is. (`(choices)` is evidence about
//! the source program, and nothing that can be read here.)

mod system;

pub use system::{parse_system, print_system};

use crate::answers::{Answer, Answers};
use crate::contracts::entry_name;
use crate::evidence::{Contract, Contracts, Evidence, Execution, Induction, Invariant, Step, Unwinding};
use crate::header::{self, Form};
use crate::induction::conjuncts;
use nilas_program::{ArcId, EdgeId, HavocSite, LocationId, Program, Targets, VarId};
use nilas_term::smtlib::sexpr::Sexpr;
use nilas_term::smtlib::{ParseError, print_term, print_value, quote_symbol};
use nilas_term::{Arena, Sort, Term, Value};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

/// The text of evidence for a program, without a header.
#[must_use]
pub fn print(program: &Program, evidence: &Evidence) -> String {
    let automaton = &program.automaton;
    let place = |location: &LocationId| quote_symbol(&automaton.location(*location).name);
    let mut text = String::new();
    // Writing to a string cannot fail, so results of `write!` are dropped here.
    match evidence {
        Evidence::Invariant(invariant) => {
            text.push_str("(invariant");
            write_induction(&mut text, invariant.induction);
            write_formulas(&mut text, &place, invariant);
        }
        Evidence::Unwinding(unwinding) => {
            text.push_str("(unwinding");
            for (location, visits) in &unwinding.visits {
                let _ = write!(text, "\n  (visits {} {visits})", place(location));
            }
        }
        Evidence::Run => text.push_str("(run"),
        Evidence::Contracts(Contracts { arena, procedures, formulas }) => {
            text.push_str("(contracts");
            for (name, Contract { requires, ensures }) in procedures {
                let (requires, ensures) = (print_term(arena, *requires), print_term(arena, *ensures));
                let name = quote_symbol(name);
                let _ = write!(text, "\n  (procedure {name} (requires {requires}) (ensures {ensures}))");
            }
            for (location, &formula) in formulas {
                let _ = write!(text, "\n  (at {} {})", quote_symbol(location), print_term(arena, formula));
            }
        }
        Evidence::Execution(execution) => {
            text.push_str("(execution");
            for (&variable, value) in &execution.initial {
                let name = quote_symbol(&automaton.variable(variable).name);
                let _ = write!(text, "\n  (initial {name} {})", print_value(value));
            }
            if let Some(steps) = execution.steps {
                let _ = write!(text, "\n  (steps {steps})");
            }
            for ((site, occurrence), value) in &execution.havocs {
                let _ = write!(text, "\n  (havoc {} {occurrence} {})", site.index(), print_value(value));
            }
            for step in &execution.path {
                let _ = write!(text, "\n  (step {}", step.edge.index());
                for arc in &step.arcs {
                    let _ = write!(text, " {}", arc.index());
                }
                text.push(')');
            }
        }
    }
    text.push_str(")\n");
    text
}

/// Formulas one by one only where something is said of them.
fn write_formulas(text: &mut String, place: &dyn Fn(&LocationId) -> String, invariant: &Invariant) {
    let Invariant { arena, formulas, premises, .. } = invariant;
    let mut numbers: HashMap<(LocationId, Term), usize> = HashMap::new();
    for (location, &formula) in formulas {
        let parts = if premises.is_empty() { vec![formula] } else { conjuncts(arena, formula) };
        let _ = write!(text, "\n  (at {}", place(location));
        for (number, part) in parts.into_iter().enumerate() {
            let _ = write!(text, " {}", print_term(arena, part));
            numbers.insert((*location, part), number);
        }
        text.push(')');
    }
    for (from, to, lemma, used) in premises.iter() {
        // At a sink nothing is written, and nothing may hold.
        let lemma = match formulas.contains_key(&to) {
            true => numbers.get(&(to, lemma)).copied(),
            false => (arena.as_bool(lemma) == Some(false)).then_some(0),
        };
        let Some(lemma) = lemma else { continue };
        let _ = write!(text, "\n  (premises {} {} {lemma}", place(&from), place(&to));
        let mut used: Vec<usize> =
            used.iter().filter_map(|&premise| numbers.get(&(from, premise)).copied()).collect();
        used.sort_unstable();
        for number in used {
            let _ = write!(text, " {number}");
        }
        text.push(')');
    }
}

/// The version of the format that has all of the evidence.
#[must_use]
pub fn version<'e>(evidence: impl IntoIterator<Item = &'e Evidence>) -> u32 {
    let needs = |evidence: &Evidence| match evidence {
        Evidence::Contracts(_) => header::WITH_CONTRACTS,
        Evidence::Invariant(invariant) if !invariant.premises.is_empty() => header::WITH_PREMISES,
        Evidence::Invariant(_) | Evidence::Unwinding(_) | Evidence::Run | Evidence::Execution(_) => {
            header::FIRST
        }
    };
    evidence.into_iter().map(needs).max().unwrap_or(header::FIRST)
}

/// Nothing for plain induction.
fn write_induction(text: &mut String, induction: Induction) {
    let Induction { k, simple } = induction;
    if induction != Induction::default() {
        let _ = write!(text, "\n  (induction {k}{})", if simple { " simple" } else { "" });
    }
}

fn read_induction(part: Sexpr<'_, '_>) -> Result<Induction, ParseError> {
    let (number, simple) = match Reading::entry(part, "induction")?[..] {
        [number] => (number, false),
        [number, word] if word.symbol() == Some("simple") => (number, true),
        _ => return Err(part.error("`(induction NUMBER)` or `(induction NUMBER simple)` expected")),
    };
    let k = number.source().parse().map_err(|_| number.error("a positive number expected"))?;
    Ok(Induction { k, simple })
}

/// Reads evidence for a program, with or without a header.
///
/// # Errors
/// When the text is not evidence in the form above, or names what the program does not have.
pub fn parse(program: &Program, text: &str) -> Result<Evidence, ParseError> {
    let (_, _, tree) = header::split(text)?;
    Reading::new(program).evidence(tree.root())
}

/// The text of answers for several targets, without a header.
#[must_use]
pub fn print_answers(targets: &Targets, answers: &Answers) -> String {
    let mut text = "(answers".to_owned();
    for (&target, answer) in answers {
        let _ = write!(text, "\n(target {} ", quote_symbol(targets.name(target)));
        match answer {
            Answer::Evidence(evidence) => text.push_str(print(&targets.program, evidence).trim_end()),
            Answer::With(leader) => {
                let _ = write!(text, "(with {})", quote_symbol(targets.name(*leader)));
            }
            Answer::Choices(choices) => {
                text.push_str("(choices");
                for choice in choices.lines() {
                    let _ = write!(text, "\n  {}", header::quoted(choice));
                }
                text.push(')');
            }
            Answer::Unknown(why) => {
                let _ = write!(text, "(unknown {})", header::quoted(why));
            }
        }
        text.push(')');
    }
    text.push_str(")\n");
    text
}

/// Reads answers for several targets, with or without a header. Every target has one.
///
/// # Errors
/// When the text is no such list, or names what the program does not have.
pub fn parse_answers(targets: &Targets, text: &str) -> Result<Answers, ParseError> {
    let (_, form, tree) = header::split(text)?;
    let root = tree.root();
    if form != Form::Answers {
        return Err(root.error("the program has several error locations: `(answers …)` expected"));
    }
    let reading = Reading::new(&targets.program);
    let mut answers = Answers::new();
    for part in root.children().skip(1) {
        let [target, answer] = Reading::entry(part, "target")?[..] else {
            return Err(part.error("`(target LOCATION EVIDENCE)` expected"));
        };
        let location = reading.location(target)?;
        if !targets.targets.contains(&location) {
            return Err(target.error(format!("`{}` is no error location", target.source())));
        }
        let answer = match header::word(answer) {
            Some("unknown") => match Reading::entry(answer, "unknown")?[..] {
                [why] => why
                    .string()
                    .map(Answer::Unknown)
                    .ok_or_else(|| why.error("a text in double quotes expected"))?,
                _ => return Err(answer.error("`(unknown \"WHY\")` expected")),
            },
            Some("with") => match Reading::entry(answer, "with")?[..] {
                [leader] => Answer::With(reading.location(leader)?),
                _ => return Err(answer.error("`(with TARGET)` expected")),
            },
            Some("choices") => {
                let lines = Reading::entry(answer, "choices")?
                    .into_iter()
                    .map(|line| line.string().ok_or_else(|| line.error("a text in double quotes expected")));
                Answer::Choices(lines.map(|line| Ok(line? + "\n")).collect::<Result<String, ParseError>>()?)
            }
            _ => Answer::Evidence(reading.evidence(answer)?),
        };
        if answers.insert(location, answer).is_some() {
            return Err(target.error("this target has an answer already"));
        }
    }
    match targets.targets.iter().find(|target| !answers.contains_key(target)) {
        Some(&missing) => Err(root.error(format!("the target `{}` has no answer", targets.name(missing)))),
        None => Ok(answers),
    }
}

struct Reading<'p> {
    program: &'p Program,
    locations: HashMap<&'p str, LocationId>,
    variables: HashMap<&'p str, VarId>,
}

type Parts<'a, 't> = Vec<Sexpr<'a, 't>>;

impl<'p> Reading<'p> {
    fn new(program: &'p Program) -> Self {
        let automaton = &program.automaton;
        let locations = automaton.location_ids().map(|id| (&*automaton.location(id).name, id)).collect();
        let variables = automaton.variable_ids().map(|id| (&*automaton.variable(id).name, id)).collect();
        Reading { program, locations, variables }
    }

    /// A piece of evidence.
    fn evidence(&self, root: Sexpr<'_, '_>) -> Result<Evidence, ParseError> {
        let mut parts = root.children();
        let form = header::word(root).and_then(Form::of);
        parts.next();
        match form {
            Some(Form::Invariant) => self.invariant(parts.collect()).map(Evidence::Invariant),
            Some(Form::Unwinding) => self.unwinding(parts.collect()).map(Evidence::Unwinding),
            Some(Form::Run) => match parts.next() {
                None => Ok(Evidence::Run),
                Some(more) => Err(more.error("`(run)` has no parts")),
            },
            Some(Form::Contracts) => self.contracts(parts.collect()).map(Evidence::Contracts),
            Some(Form::Execution) => self.execution(parts.collect()).map(Evidence::Execution),
            Some(Form::Choices) => Err(root.error("choices are no evidence about an automaton")),
            Some(Form::Answers) => Err(root.error("the program has one error location, not several")),
            None => Err(root.error("a piece of evidence expected")),
        }
    }

    /// The arguments of `(head …)`.
    fn entry<'a, 't>(part: Sexpr<'a, 't>, head: &str) -> Result<Parts<'a, 't>, ParseError> {
        let mut children = part.children();
        if children.next().and_then(|first| first.symbol()) != Some(head) {
            return Err(part.error(format!("`({head} …)` expected")));
        }
        Ok(children.collect())
    }

    fn location(&self, name: Sexpr<'_, '_>) -> Result<LocationId, ParseError> {
        let found = name.symbol().and_then(|text| self.locations.get(text));
        found.copied().ok_or_else(|| name.error(format!("there is no location `{}`", name.source())))
    }

    fn number(text: Sexpr<'_, '_>, below: usize, what: &str) -> Result<usize, ParseError> {
        let number = text.numeral().map(|number| number as usize).filter(|&number| number < below);
        number.ok_or_else(|| text.error(format!("the number of {what} expected")))
    }

    /// An arena that knows the program's variables and functions by their names, and nothing else.
    fn arena(&self) -> Arena {
        let mut arena = Arena::new();
        let functions = self.program.arena.symbols().filter(|symbol| !symbol.arguments.is_empty());
        // A fresh arena knows no other meaning of a name.
        for function in functions {
            let _ = arena.declare(&function.name, function.arguments.clone(), function.result.clone());
        }
        for variable in &self.program.automaton.variables {
            let _ = arena.variable(&variable.name, &variable.sort);
        }
        arena
    }

    fn read(arena: &mut Arena, text: Sexpr<'_, '_>) -> Result<Term, ParseError> {
        nilas_term::smtlib::parse_term(arena, text.source()).map_err(|mut error| {
            error.offset += text.offset();
            error
        })
    }

    fn value(text: Sexpr<'_, '_>, sort: &Sort) -> Result<Value, ParseError> {
        let mut arena = Arena::new();
        let term = Self::read(&mut arena, text)?;
        let value = arena.as_value(term).filter(|value| value.sort() == *sort);
        value.cloned().ok_or_else(|| text.error(format!("a value of sort {sort} expected")))
    }

    /// Names of procedures and locations are those of the module, which are not known here.
    fn contracts(&self, parts: Parts<'_, '_>) -> Result<Contracts, ParseError> {
        let mut contracts = Contracts { arena: self.arena(), ..Contracts::default() };
        for variable in &self.program.automaton.variables {
            let _ = contracts.arena.variable(&entry_name(&variable.name), &variable.sort);
        }
        let mut formula = |text: Sexpr<'_, '_>| {
            let term = Self::read(&mut contracts.arena, text)?;
            match *contracts.arena.sort(term) {
                Sort::Bool => Ok(term),
                _ => Err(text.error("a Boolean formula expected")),
            }
        };
        let name = |text: Sexpr<'_, '_>| {
            text.symbol().map(str::to_owned).ok_or_else(|| text.error("a name expected"))
        };
        for part in parts {
            if header::word(part) == Some("at") {
                let [location, text] = Self::entry(part, "at")?[..] else {
                    return Err(part.error("`(at LOCATION FORMULA)` expected"));
                };
                contracts.formulas.insert(name(location)?, formula(text)?);
                continue;
            }
            let entry = Self::entry(part, "procedure")?;
            let [procedure, requires, ensures] = entry[..] else {
                return Err(part.error("`(procedure NAME (requires FORMULA) (ensures FORMULA))` expected"));
            };
            let mut only = |text: Sexpr<'_, '_>, head: &str| match Self::entry(text, head)?[..] {
                [text] => formula(text),
                _ => Err(text.error(format!("`({head} FORMULA)` expected"))),
            };
            let (requires, ensures) = (only(requires, "requires")?, only(ensures, "ensures")?);
            contracts.procedures.insert(name(procedure)?, Contract { requires, ensures });
        }
        Ok(contracts)
    }

    fn invariant(&self, parts: Parts<'_, '_>) -> Result<Invariant, ParseError> {
        let mut invariant = Invariant { arena: self.arena(), ..Invariant::default() };
        let mut parts = parts;
        if let Some(first) = parts.first().filter(|first| header::word(**first) == Some("induction")) {
            invariant.induction = read_induction(*first)?;
            parts.remove(0);
        }
        let is_hint = |part: &Sexpr<'_, '_>| header::word(*part) == Some("premises");
        let hints = parts.iter().position(is_hint).unwrap_or(parts.len());
        let hints = parts.split_off(hints);
        let mut written: BTreeMap<LocationId, Vec<Term>> = BTreeMap::new();
        for part in parts {
            let entry = Self::entry(part, "at")?;
            let [location, formulas @ ..] = &entry[..] else {
                return Err(part.error("`(at LOCATION FORMULA)` expected"));
            };
            let mut terms = Vec::new();
            for &formula in formulas {
                terms.push(Self::read(&mut invariant.arena, formula)?);
                if terms.last().is_none_or(|&term| *invariant.arena.sort(term) != Sort::Bool) {
                    return Err(formula.error("a Boolean formula expected"));
                }
            }
            if terms.is_empty() {
                return Err(part.error("`(at LOCATION FORMULA)` expected"));
            }
            let place = self.location(*location)?;
            if invariant.formulas.insert(place, invariant.arena.and(&terms)).is_some() {
                return Err(location.error("this location has a formula already"));
            }
            written.insert(place, terms);
        }
        for hint in hints {
            self.premises(hint, &written, &mut invariant)?;
        }
        Ok(invariant)
    }

    /// A hint; one about formulas that are not there is passed over.
    fn premises(
        &self,
        hint: Sexpr<'_, '_>,
        written: &BTreeMap<LocationId, Vec<Term>>,
        invariant: &mut Invariant,
    ) -> Result<(), ParseError> {
        let parts = Self::entry(hint, "premises")?;
        let [from, to, numbers @ ..] = &parts[..] else {
            return Err(hint.error("`(premises LOCATION LOCATION NUMBER NUMBER …)` expected"));
        };
        let (from, to) = (self.location(*from)?, self.location(*to)?);
        let mut told = Vec::with_capacity(numbers.len());
        for number in numbers {
            told.push(
                number.numeral().ok_or_else(|| number.error("the number of a formula expected"))? as usize
            );
        }
        let [lemma, used @ ..] = &told[..] else {
            return Err(hint.error("the number of a formula expected"));
        };
        let lemma = match written.get(&to) {
            Some(terms) => terms.get(*lemma).copied(),
            None => Some(invariant.arena.mk_false()),
        };
        if let (Some(lemma), Some(terms)) = (lemma, written.get(&from)) {
            let used = used.iter().filter_map(|&number| terms.get(number).copied());
            invariant.premises.tell(from, to, lemma, used);
        }
        Ok(())
    }

    fn unwinding(&self, parts: Parts<'_, '_>) -> Result<Unwinding, ParseError> {
        let mut unwinding = Unwinding::default();
        for part in parts {
            let [location, visits] = Self::entry(part, "visits")?[..] else {
                return Err(part.error("`(visits LOCATION NUMBER)` expected"));
            };
            let count = visits.source().parse().map_err(|_| visits.error("a number of visits expected"))?;
            if unwinding.visits.insert(self.location(location)?, count).is_some() {
                return Err(location.error("this location has a bound already"));
            }
        }
        Ok(unwinding)
    }

    fn execution(&self, parts: Parts<'_, '_>) -> Result<Execution, ParseError> {
        let automaton = &self.program.automaton;
        let mut execution = Execution::default();
        for part in parts {
            match part.children().next().and_then(|head| head.symbol()) {
                Some("initial") => {
                    let [name, value] = Self::entry(part, "initial")?[..] else {
                        return Err(part.error("`(initial VARIABLE VALUE)` expected"));
                    };
                    let Some(&id) = name.symbol().and_then(|text| self.variables.get(text)) else {
                        return Err(name.error(format!("there is no variable `{}`", name.source())));
                    };
                    let value = Self::value(value, &automaton.variable(id).sort)?;
                    if execution.initial.insert(id, value).is_some() {
                        return Err(name.error("this variable has a value already"));
                    }
                }
                Some("havoc") => {
                    let [site, occurrence, value] = Self::entry(part, "havoc")?[..] else {
                        return Err(part.error("`(havoc SITE OCCURRENCE VALUE)` expected"));
                    };
                    let id = HavocSite::new(Self::number(site, automaton.havocs.len(), "a havoc")?);
                    let count =
                        occurrence.source().parse().map_err(|_| occurrence.error("a number expected"))?;
                    let sort = &automaton.variable(automaton.havoc(id).variable).sort;
                    if execution.havocs.insert((id, count), Self::value(value, sort)?).is_some() {
                        return Err(part.error("this choice is made already"));
                    }
                }
                Some("steps") => {
                    let [steps] = Self::entry(part, "steps")?[..] else {
                        return Err(part.error("`(steps NUMBER)` expected"));
                    };
                    let number = steps.source().parse().map_err(|_| steps.error("a number expected"))?;
                    if execution.steps.replace(number).is_some() {
                        return Err(part.error("the number of steps is there already"));
                    }
                }
                Some("step") => {
                    let parts = Self::entry(part, "step")?;
                    let Some((edge, arcs)) = parts.split_first() else {
                        return Err(part.error("`(step EDGE ARC …)` expected"));
                    };
                    let edge = EdgeId::new(Self::number(*edge, automaton.edges.len(), "an edge")?);
                    let most = automaton.edge(edge).command.arcs().len();
                    let arcs = arcs.iter().map(|arc| Self::number(*arc, most, "an arc").map(ArcId::new));
                    execution.path.push(Step { edge, arcs: arcs.collect::<Result<_, _>>()? });
                }
                _ => return Err(part.error("`(initial …)`, `(havoc …)`, `(steps …)` or `(step …)` expected")),
            }
        }
        Ok(execution)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use nilas_program::parse_program;

    /// Functions and sorts of the program are known where its evidence is read.
    #[test]
    fn declared_functions_are_read_again() {
        let text = "sort S fun f(S, bv8) : bv8 fun g(bv8) : S var x : bv8 var s : S entry a error e location a, b, e \
             a -> b { x := f(s, x) } b -> b { s := g(x) } b -> e { assume x != x }";
        let program = parse_program(text).unwrap();
        let evidence = "(invariant (at b (or (= x (f s x)) (not (= s (g x))) (= x x))))";
        let read = parse(&program, evidence).unwrap();
        let Evidence::Invariant(invariant) = &read else { panic!("an invariant") };
        assert_eq!(invariant.formulas.len(), 1);
        let written = "(invariant (at b (= x (f s (f s x)))))";
        let printed = print(&program, &parse(&program, written).unwrap());
        assert_eq!(printed, print(&program, &parse(&program, &printed).unwrap()));
        assert!(printed.contains("(f s (f s x))"), "{printed}");
        assert!(parse(&program, "(invariant (at b (= x (h x))))").is_err());
    }
}
