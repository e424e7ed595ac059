//! Random automata over small widths, and an explicit-state search to compare with.

#![allow(dead_code)]

pub(crate) mod tamper;

use nilas_program::{
    Automaton, Basic, Command, Edge, Havoc, HavocSite, Location, LocationId, Program, Span, VarId, Variable,
};
use nilas_term::{Arena, Op, Sort, Term, Value};
use std::collections::{BTreeSet, VecDeque};

/// xorshift64*: small, and the same everywhere.
pub(crate) struct Rng(u64);

impl Rng {
    pub(crate) fn new(seed: u64) -> Self {
        Rng(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() >> 33) as usize % bound
    }

    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

struct Generator<'r> {
    rng: &'r mut Rng,
    arena: Arena,
    variables: Vec<Variable>,
    havocs: Vec<Havoc>,
}

/// A random automaton: some Boolean and bit-vector variables, a few locations, loops, nondeterminism.
pub(crate) fn random_program(rng: &mut Rng) -> Program {
    let mut arena = Arena::new();
    let count = 1 + rng.below(3);
    let width = 1 + u32::try_from(rng.below(3)).unwrap();
    let variables = (0..count)
        .map(|index| {
            let name = format!("v{index}");
            let sort = if rng.chance(25) { Sort::Bool } else { Sort::BitVec(width) };
            let term = arena.variable(&name, &sort).unwrap();
            Variable { name, sort, term, span: Span::default() }
        })
        .collect();
    let mut generator = Generator { rng, arena, variables, havocs: Vec::new() };
    let inner = 1 + generator.rng.below(4);
    let locations: Vec<Location> = ["entry".to_owned(), "error".to_owned(), "unmodelled".to_owned()]
        .into_iter()
        .chain((0..inner).map(|index| format!("l{index}")))
        .map(|name| Location { name, span: Span::default() })
        .collect();
    let (entry, error, unmodelled) = (LocationId::new(0), LocationId::new(1), LocationId::new(2));
    let inner_location = |rng: &mut Rng| LocationId::new(3 + rng.below(inner));
    let with_unmodelled = generator.rng.chance(15);
    let mut edges = Vec::new();
    // A constrained start makes safe programs more likely.
    let first = generator.initialisation();
    edges.push((entry, inner_location(generator.rng), first));
    for _ in 0..1 + generator.rng.below(2 * inner + 2) {
        let source = if generator.rng.chance(8) { entry } else { inner_location(generator.rng) };
        let target = inner_location(generator.rng);
        let command = generator.command(2);
        edges.push((source, target, command));
    }
    for _ in 0..1 + generator.rng.below(2) {
        let source = if generator.rng.chance(5) { entry } else { inner_location(generator.rng) };
        let command = generator.guarded();
        let target = if with_unmodelled && generator.rng.chance(40) { unmodelled } else { error };
        edges.push((source, target, command));
    }
    let edges = edges
        .into_iter()
        .map(|(source, target, command)| Edge { source, target, command, span: Span::default() })
        .collect();
    let Generator { arena, variables, havocs, .. } = generator;
    let automaton = Automaton {
        name: "random".into(),
        variables,
        locations,
        edges,
        havocs,
        entry,
        error,
        unmodelled: with_unmodelled.then_some(unmodelled),
    };
    Program { arena, automaton }
}

impl Generator<'_> {
    fn variable(&mut self) -> VarId {
        VarId::new(self.rng.below(self.variables.len()))
    }

    fn constant(&mut self, sort: &Sort) -> Term {
        match sort {
            Sort::BitVec(width) => {
                let value = self.rng.next();
                self.arena.bv(*width, value)
            }
            _ => {
                let value = self.rng.chance(50);
                self.arena.mk_bool(value)
            }
        }
    }

    fn term(&mut self, sort: &Sort, depth: usize) -> Term {
        let same: Vec<Term> = self
            .variables
            .iter()
            .filter(|variable| variable.sort == *sort)
            .map(|variable| variable.term)
            .collect();
        if depth == 0 || self.rng.chance(30) {
            if same.is_empty() || self.rng.chance(30) {
                return self.constant(sort);
            }
            return same[self.rng.below(same.len())];
        }
        if *sort == Sort::Bool {
            return self.condition(depth);
        }
        let ops = [
            Op::BvAdd,
            Op::BvAdd,
            Op::BvAdd,
            Op::BvMul,
            Op::BvAnd,
            Op::BvOr,
            Op::BvXor,
            Op::BvShl,
            Op::BvLshr,
            Op::BvUdiv,
            Op::BvUrem,
            Op::BvSdiv,
            Op::BvSrem,
            Op::BvAshr,
        ];
        match self.rng.below(18) {
            0 => {
                let child = self.term(sort, depth - 1);
                self.arena.bv_not(child)
            }
            1 => {
                let child = self.term(sort, depth - 1);
                self.arena.bv_neg(child)
            }
            2 | 3 => {
                let condition = self.condition(depth - 1);
                let (then, otherwise) = (self.term(sort, depth - 1), self.term(sort, depth - 1));
                self.arena.ite(condition, then, otherwise)
            }
            _ => {
                let op = ops[self.rng.below(ops.len())];
                let (left, right) = (self.term(sort, depth - 1), self.term(sort, depth - 1));
                self.arena.mk(op, &[left, right])
            }
        }
    }

    fn condition(&mut self, depth: usize) -> Term {
        let sort = self.variables[self.rng.below(self.variables.len())].sort.clone();
        if depth == 0 || self.rng.chance(65) {
            let (left, right) = (self.term(&sort, depth.min(1)), self.term(&sort, depth.min(1)));
            let op = match sort {
                Sort::Bool => Op::Eq,
                _ => [Op::Eq, Op::BvUlt, Op::BvUle, Op::BvSlt, Op::BvSle][self.rng.below(5)],
            };
            let atom = self.arena.mk(op, &[left, right]);
            return if self.rng.chance(40) { self.arena.not(atom) } else { atom };
        }
        let (left, right) = (self.condition(depth - 1), self.condition(depth - 1));
        match self.rng.below(4) {
            0 => self.arena.or(&[left, right]),
            1 => self.arena.xor(left, right),
            _ => self.arena.and(&[left, right]),
        }
    }

    fn basic(&mut self) -> Command {
        let basic = match self.rng.below(10) {
            0 => Basic::Skip,
            1..=3 => Basic::Assume(self.condition(2)),
            4 => {
                let variable = self.variable();
                let site = HavocSite::new(self.havocs.len());
                self.havocs.push(Havoc { variable, span: Span::default() });
                Basic::Havoc(variable, site)
            }
            _ => {
                let variable = self.variable();
                let sort = self.variables[variable.index()].sort.clone();
                Basic::Assign(variable, self.term(&sort, 2))
            }
        };
        Command::basic(basic, Span::default())
    }

    fn command(&mut self, depth: usize) -> Command {
        match self.rng.below(if depth == 0 { 5 } else { 8 }) {
            0..=4 => self.basic(),
            5 | 6 => {
                let parts: Vec<Command> =
                    (0..1 + self.rng.below(3)).map(|_| self.command(depth - 1)).collect();
                Command::sequence(&parts)
            }
            _ => {
                let parts: Vec<Command> =
                    (0..2 + self.rng.below(2)).map(|_| self.command(depth - 1)).collect();
                Command::choice(&parts, Span::default())
            }
        }
    }

    fn guarded(&mut self) -> Command {
        let guard = self.condition(2);
        Command::basic(Basic::Assume(guard), Span::default())
    }

    fn initialisation(&mut self) -> Command {
        let mut parts = Vec::new();
        for index in 0..self.variables.len() {
            if self.rng.chance(80) {
                let sort = self.variables[index].sort.clone();
                let value = self.constant(&sort);
                parts.push(Command::basic(Basic::Assign(VarId::new(index), value), Span::default()));
            }
        }
        Command::sequence(&parts)
    }
}

/// What an explicit-state search finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reachable {
    pub(crate) error: bool,
    pub(crate) unmodelled: bool,
}

/// All values of a small sort.
pub(crate) fn values(sort: &Sort) -> Vec<Value> {
    match sort {
        Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Sort::BitVec(width) => {
            (0..1 << width).map(|value| Value::BitVec(nilas_term::BitVec::new(*width, value))).collect()
        }
        other => panic!("{other} is not small"),
    }
}

/// Explores every state. Independent of interpreter and encodings: walks commands arc by arc.
pub(crate) fn explore(program: &Program) -> Reachable {
    let (automaton, seen) = (&program.automaton, reachable(program));
    let reached = |sink: LocationId| seen.iter().any(|(location, _)| *location == sink);
    Reachable { error: reached(automaton.error), unmodelled: automaton.unmodelled.is_some_and(reached) }
}

/// All states after some edge from a state.
pub(crate) fn after(
    program: &Program,
    location: LocationId,
    state: &[Value],
) -> Vec<(LocationId, Vec<Value>)> {
    let Program { arena, automaton } = program;
    let leaving = automaton.edges.iter().filter(|edge| edge.source == location);
    let ends = leaving.flat_map(|edge| {
        run(arena, automaton, &edge.command, state).into_iter().map(|state| (edge.target, state))
    });
    ends.collect()
}

/// All reachable states.
pub(crate) fn reachable(program: &Program) -> BTreeSet<(LocationId, Vec<Value>)> {
    let automaton = &program.automaton;
    let mut states: Vec<Vec<Value>> = vec![Vec::new()];
    for variable in &automaton.variables {
        states = states
            .iter()
            .flat_map(|state| values(&variable.sort).into_iter().map(|value| [&state[..], &[value]].concat()))
            .collect();
    }
    let mut seen: BTreeSet<(LocationId, Vec<Value>)> = BTreeSet::new();
    let mut queue: VecDeque<(LocationId, Vec<Value>)> =
        states.into_iter().map(|state| (automaton.entry, state)).collect();
    while let Some((location, state)) = queue.pop_front() {
        if !seen.insert((location, state.clone())) {
            continue;
        }
        queue.extend(after(program, location, &state));
    }
    seen
}

/// All states after a command.
fn run(arena: &Arena, automaton: &Automaton, command: &Command, state: &[Value]) -> BTreeSet<Vec<Value>> {
    let mut at: Vec<BTreeSet<Vec<Value>>> = vec![BTreeSet::new(); command.nodes()];
    at[0].insert(state.to_vec());
    for arc in command.arcs() {
        for state in at[arc.source.index()].clone() {
            let mut model = nilas_term::Model::new();
            for (variable, value) in automaton.variables.iter().zip(&state) {
                model.set(variable.term, value.clone());
            }
            let mut evaluator = nilas_term::Evaluator::new(model);
            match arc.basic {
                Basic::Skip => {
                    at[arc.target.index()].insert(state);
                }
                Basic::Assume(condition) => {
                    if evaluator.eval(arena, condition).unwrap() == Value::Bool(true) {
                        at[arc.target.index()].insert(state);
                    }
                }
                Basic::Assign(variable, term) => {
                    let mut after = state.clone();
                    after[variable.index()] = evaluator.eval(arena, term).unwrap();
                    at[arc.target.index()].insert(after);
                }
                Basic::Havoc(variable, _) => {
                    for value in values(&automaton.variable(variable).sort) {
                        let mut after = state.clone();
                        after[variable.index()] = value;
                        at[arc.target.index()].insert(after);
                    }
                }
            }
        }
    }
    at.pop().unwrap_or_default()
}
