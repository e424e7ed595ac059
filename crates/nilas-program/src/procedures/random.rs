//! Random programs with procedures for property tests, recursive ones among them. The same seed gives the
//! same module.

use super::{Call, Module, Owners, Procedure};
use crate::automaton::{Automaton, Edge, Havoc, Location, Program, Variable};
use crate::command::{Basic, Command};
use crate::ids::{HavocSite, LocationId, ProcedureId, VarId};
use crate::random::{Rng, term};
use crate::source::Span;
use nilas_term::{Arena, Sort, Term};

/// How large random modules are.
#[derive(Clone, Copy, Debug)]
pub struct ModuleShape {
    /// At most that many procedures besides the main one, at least one.
    pub procedures: usize,
    /// At most that many global variables, at least one.
    pub globals: usize,
    /// Bit-vectors of widths from 1 to this one.
    pub width: u32,
    /// At most that many locations of a procedure besides entry and exit.
    pub locations: usize,
    /// At most that many edges and calls of a procedure besides one from its entry.
    pub edges: usize,
    /// Whether procedures may call themselves and those before them.
    pub recursive: bool,
}

impl Default for ModuleShape {
    fn default() -> Self {
        ModuleShape { procedures: 3, globals: 2, width: 2, locations: 2, edges: 5, recursive: true }
    }
}

/// A random module, well-formed.
#[must_use]
pub fn module(rng: &mut Rng, shape: &ModuleShape) -> Module {
    let mut generator = Generator {
        rng,
        shape: *shape,
        arena: Arena::new(),
        variables: Vec::new(),
        locations: Vec::new(),
        owners: Owners::default(),
        edges: Vec::new(),
        havocs: Vec::new(),
        procedures: Vec::new(),
        calls: Vec::new(),
    };
    generator.module()
}

struct Generator<'r> {
    rng: &'r mut Rng,
    shape: ModuleShape,
    arena: Arena,
    variables: Vec<Variable>,
    locations: Vec<Location>,
    owners: Owners,
    edges: Vec<Edge>,
    havocs: Vec<Havoc>,
    procedures: Vec<Procedure>,
    calls: Vec<Call>,
}

impl Generator<'_> {
    fn module(&mut self) -> Module {
        for index in 0..=self.rng.below(self.shape.globals.max(1)) {
            self.variable(format!("g{index}"), None);
        }
        let entry = self.location("entry".to_owned(), None);
        let error = self.location("error".to_owned(), None);
        let inner: Vec<LocationId> = (0..=self.rng.below(self.shape.locations + 1))
            .map(|i| self.location(format!("l{i}"), None))
            .collect();
        for index in 0..=self.rng.below(self.shape.procedures.max(1)) {
            let owner = Some(ProcedureId::new(index));
            let name = format!("p{index}");
            let span = Span::default();
            let (parameters, results) = (self.some(&name, "x", owner), self.some(&name, "r", owner));
            self.some(&name, "v", owner);
            let entry = self.location(format!("{name}.in"), owner);
            let exit = self.location(format!("{name}.out"), owner);
            self.procedures.push(Procedure { name, parameters, results, entry, exit, span });
        }
        self.body(None, entry, &inner, error, error);
        for index in 0..self.procedures.len() {
            let owner = ProcedureId::new(index);
            let inner: Vec<LocationId> = (0..self.rng.below(self.shape.locations + 1))
                .map(|i| self.location(format!("p{index}.l{i}"), Some(owner)))
                .collect();
            let (entry, exit) = (self.procedures[index].entry, self.procedures[index].exit);
            self.body(Some(owner), entry, &inner, exit, error);
        }
        let automaton = Automaton {
            name: "random".to_owned(),
            variables: std::mem::take(&mut self.variables),
            locations: std::mem::take(&mut self.locations),
            edges: std::mem::take(&mut self.edges),
            havocs: std::mem::take(&mut self.havocs),
            entry,
            error,
            unmodelled: None,
        };
        Module {
            program: Program { arena: std::mem::take(&mut self.arena), automaton },
            targets: vec![error],
            procedures: std::mem::take(&mut self.procedures),
            calls: std::mem::take(&mut self.calls),
            owners: std::mem::take(&mut self.owners),
        }
    }

    fn variable(&mut self, name: String, owner: Option<ProcedureId>) -> VarId {
        let width = u32::try_from(1 + self.rng.below(self.shape.width as usize)).unwrap_or(1);
        let sort = if self.rng.once_in(4) { Sort::Bool } else { Sort::BitVec(width) };
        let id = VarId::new(self.variables.len());
        if let Ok(term) = self.arena.variable(&name, &sort) {
            self.variables.push(Variable { name, sort, term, span: Span::default() });
            self.owners.variables.push(owner);
        }
        id
    }

    /// None to two variables of a procedure.
    fn some(&mut self, procedure: &str, kind: &str, owner: Option<ProcedureId>) -> Vec<VarId> {
        (0..self.rng.below(3)).map(|i| self.variable(format!("{procedure}.{kind}{i}"), owner)).collect()
    }

    fn location(&mut self, name: String, owner: Option<ProcedureId>) -> LocationId {
        self.locations.push(Location { name, span: Span::default() });
        self.owners.locations.push(owner);
        LocationId::new(self.locations.len() - 1)
    }

    fn visible(&self, owner: Option<ProcedureId>) -> Vec<VarId> {
        let all = (0..self.variables.len()).map(VarId::new);
        all.filter(|it| self.owners.variables[it.index()].is_none_or(|it| Some(it) == owner)).collect()
    }

    fn term(&mut self, visible: &[VarId], sort: &Sort) -> Term {
        let terms: Vec<Term> = visible.iter().map(|it| self.variables[it.index()].term).collect();
        term(self.rng, &mut self.arena, &terms, sort, 2)
    }

    /// Edges and calls from the entry and the inner locations to inner ones, the end and the error.
    fn body(
        &mut self,
        owner: Option<ProcedureId>,
        entry: LocationId,
        inner: &[LocationId],
        end: LocationId,
        error: LocationId,
    ) {
        let visible = self.visible(owner);
        for index in 0..=self.rng.below(self.shape.edges + 1) {
            let from = self.rng.below(inner.len() + 1);
            let source = if index == 0 || from == 0 { entry } else { inner[from - 1] };
            let to = self.rng.below(inner.len() + 2);
            let target = match to.checked_sub(2) {
                Some(inside) => inner[inside],
                None if to == 1 && self.rng.once_in(2) => error,
                None => end,
            };
            let first = if self.shape.recursive { 0 } else { owner.map_or(0, |it| it.index() + 1) };
            let sink = target == error;
            if first < self.procedures.len() && !sink && self.rng.once_in(2) {
                self.call(&visible, source, target, first);
            } else {
                let parts: Vec<Command> = (0..self.rng.below(4)).map(|_| self.step(&visible)).collect();
                let command = match self.rng.once_in(4) {
                    true if parts.len() > 1 => Command::choice(&parts, Span::default()),
                    _ => Command::sequence(&parts),
                };
                self.edges.push(Edge { source, target, command, span: Span::default() });
            }
        }
    }

    fn call(&mut self, visible: &[VarId], source: LocationId, target: LocationId, first: usize) {
        let callee = ProcedureId::new(first + self.rng.below(self.procedures.len() - first));
        let Procedure { parameters, results, .. } = self.procedures[callee.index()].clone();
        let mut taken: Vec<VarId> = Vec::new();
        for result in results {
            let sort = &self.variables[result.index()].sort;
            let fits = |it: &&VarId| self.variables[it.index()].sort == *sort && !taken.contains(it);
            // Nobody takes it: the call is no good.
            let Some(&variable) = visible.iter().rev().find(fits) else { return };
            taken.push(variable);
        }
        let mut arguments = Vec::new();
        for parameter in parameters {
            let sort = self.variables[parameter.index()].sort.clone();
            arguments.push(self.term(visible, &sort));
        }
        self.calls.push(Call { source, target, callee, arguments, results: taken, span: Span::default() });
    }

    fn step(&mut self, visible: &[VarId]) -> Command {
        let variable = self.rng.pick(visible);
        let sort = self.variables[variable.index()].sort.clone();
        let basic = match self.rng.below(8) {
            0 => {
                self.havocs.push(Havoc { variable, span: Span::default() });
                Basic::Havoc(variable, HavocSite::new(self.havocs.len() - 1))
            }
            1..=3 => Basic::Assume(self.term(visible, &Sort::Bool)),
            _ => Basic::Assign(variable, self.term(visible, &sort)),
        };
        Command::basic(basic, Span::default())
    }
}
