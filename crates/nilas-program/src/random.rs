//! Random programs for property tests, here and in the crates above: small widths, all shapes of commands.
//!
//! The same seed gives the same program.

use crate::automaton::{Automaton, Edge, Havoc, Location, Program, Variable};
use crate::command::{Arc, Basic, Command};
use crate::ids::{HavocSite, LocationId, NodeId, VarId};
use crate::source::Span;
use nilas_term::{Arena, BitVec, Op, Sort, Term, Value};

/// A small generator of random numbers (xorshift64*).
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// A generator; seeds that are near give sequences that are not.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Rng((seed ^ 0x9E37_79B9_7F4A_7C15).wrapping_mul(0xBF58_476D_1CE4_E5B9) | 1)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number below `limit`, which is not 0.
    pub fn below(&mut self, limit: usize) -> usize {
        let limit = u64::try_from(limit).unwrap_or(u64::MAX);
        usize::try_from((self.bits() >> 11) % limit).unwrap_or(0)
    }

    /// True once in `times`.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of several, which are not none.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// How large random programs are.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// At most that many variables, at least one.
    pub variables: usize,
    /// Bit-vectors of widths from 1 to this one.
    pub width: u32,
    /// At most that many locations besides entry, error and unmodelled.
    pub locations: usize,
    /// At most that many edges besides one from the entry.
    pub edges: usize,
    /// How deep commands nest.
    pub command_depth: u32,
    /// How deep terms nest.
    pub term_depth: u32,
}

impl Default for Shape {
    fn default() -> Self {
        Shape { variables: 3, width: 3, locations: 4, edges: 8, command_depth: 2, term_depth: 2 }
    }
}

/// A random program, well-formed.
#[must_use]
pub fn program(rng: &mut Rng, shape: &Shape) -> Program {
    let mut generator = Generator::new(rng, *shape);
    let unmodelled = generator.rng.once_in(4);
    let first_inner = if unmodelled { 3 } else { 2 };
    let locations = first_inner + 1 + generator.rng.below(shape.locations.max(1));
    let names = ["entry", "error", "unmodelled"];
    let name = |index: usize| if index < first_inner { names[index].to_owned() } else { format!("l{index}") };
    let mut edges = Vec::new();
    for index in 0..=generator.rng.below(shape.edges + 1) {
        // The first edge leaves the entry; sinks are left by none, and none comes back to the entry.
        let inner = generator.rng.below(locations - first_inner + 1);
        let source = if index == 0 || inner == 0 { 0 } else { first_inner + inner - 1 };
        let target = 1 + generator.rng.below(locations - 1);
        let command = generator.command(shape.command_depth);
        let (source, target) = (LocationId::new(source), LocationId::new(target));
        edges.push(Edge { source, target, command, span: Span::default() });
    }
    let Generator { arena, variables, havocs, .. } = generator;
    let automaton = Automaton {
        name: "random".to_owned(),
        variables,
        locations: (0..locations)
            .map(|index| Location { name: name(index), span: Span::default() })
            .collect(),
        edges,
        havocs,
        entry: LocationId::new(0),
        error: LocationId::new(1),
        unmodelled: unmodelled.then(|| LocationId::new(2)),
    };
    Program { arena, automaton }
}

/// A random program with one edge from the entry to the error: a random command.
#[must_use]
pub fn single_command(rng: &mut Rng, shape: &Shape) -> Program {
    let mut generator = Generator::new(rng, *shape);
    let command = generator.command(shape.command_depth);
    let Generator { arena, variables, havocs, .. } = generator;
    let location = |name: &str| Location { name: name.to_owned(), span: Span::default() };
    let (entry, error) = (LocationId::new(0), LocationId::new(1));
    let automaton = Automaton {
        name: "random".to_owned(),
        variables,
        locations: vec![location("entry"), location("error")],
        edges: vec![Edge { source: entry, target: error, command, span: Span::default() }],
        havocs,
        entry,
        error,
        unmodelled: None,
    };
    Program { arena, automaton }
}

/// A random Boolean term over a program's variables.
pub fn condition(rng: &mut Rng, program: &mut Program, depth: u32) -> Term {
    let variables = program.automaton.variables.iter().map(|variable| variable.term).collect::<Vec<_>>();
    term(rng, &mut program.arena, &variables, &Sort::Bool, depth)
}

/// A random value of a Boolean or bit-vector sort.
pub fn value(rng: &mut Rng, sort: &Sort) -> Value {
    match sort {
        Sort::BitVec(width) => Value::BitVec(BitVec::new(*width, rng.bits() >> 7)),
        Sort::Bool => Value::Bool(rng.once_in(2)),
        other => Value::default_of(other),
    }
}

/// A random term over the given variables, of a Boolean or bit-vector sort.
pub fn term(rng: &mut Rng, arena: &mut Arena, variables: &[Term], sort: &Sort, depth: u32) -> Term {
    if depth == 0 || rng.once_in(5) {
        let fitting: Vec<Term> = variables.iter().copied().filter(|&term| arena.sort(term) == sort).collect();
        if fitting.is_empty() || rng.once_in(4) {
            let value = value(rng, sort);
            return arena.constant(value);
        }
        return rng.pick(&fitting);
    }
    let depth = depth - 1;
    let part = |rng: &mut Rng, arena: &mut Arena, sort: &Sort| term(rng, arena, variables, sort, depth);
    match sort {
        Sort::BitVec(width) => match rng.below(8) {
            0 => {
                let condition = part(rng, arena, &Sort::Bool);
                let (then, otherwise) = (part(rng, arena, sort), part(rng, arena, sort));
                arena.ite(condition, then, otherwise)
            }
            1 => {
                let op = rng.pick(&[Op::BvNot, Op::BvNeg]);
                let child = part(rng, arena, sort);
                arena.mk(op, &[child])
            }
            2 => {
                let lo = u32::try_from(rng.below(2)).unwrap_or(0);
                let child = part(rng, arena, &Sort::BitVec(width + lo + 1));
                arena.extract(child, width + lo - 1, lo)
            }
            3 if *width > 1 => {
                let op = if rng.once_in(2) { Op::ZeroExtend(1) } else { Op::SignExtend(1) };
                let child = part(rng, arena, &Sort::BitVec(width - 1));
                arena.mk(op, &[child])
            }
            4 if *width > 1 => {
                let high = part(rng, arena, &Sort::BitVec(1));
                let low = part(rng, arena, &Sort::BitVec(width - 1));
                arena.concat(high, low)
            }
            _ => {
                const OPS: [Op; 16] = [
                    Op::BvAdd,
                    Op::BvAdd,
                    Op::BvAdd,
                    Op::BvAnd,
                    Op::BvOr,
                    Op::BvXor,
                    Op::BvMul,
                    Op::BvUdiv,
                    Op::BvUrem,
                    Op::BvSdiv,
                    Op::BvSrem,
                    Op::BvSmod,
                    Op::BvShl,
                    Op::BvLshr,
                    Op::BvAshr,
                    Op::BvAdd,
                ];
                let op = rng.pick(&OPS);
                let (left, right) = (part(rng, arena, sort), part(rng, arena, sort));
                arena.mk(op, &[left, right])
            }
        },
        _ => {
            let sorts: Vec<Sort> = variables.iter().map(|&variable| arena.sort(variable).clone()).collect();
            let bits: Vec<&Sort> = sorts.iter().filter(|sort| sort.width().is_some()).collect();
            let op = rng.pick(&[
                Op::Not,
                Op::And,
                Op::Or,
                Op::Xor,
                Op::Ite,
                Op::Eq,
                Op::Eq,
                Op::BvUlt,
                Op::BvUle,
                Op::BvSlt,
            ]);
            let sort = match op {
                Op::Eq => &sorts[rng.below(sorts.len())],
                Op::BvUlt | Op::BvUle | Op::BvSlt if bits.is_empty() => return part(rng, arena, &Sort::Bool),
                Op::BvUlt | Op::BvUle | Op::BvSlt => bits[rng.below(bits.len())],
                _ => &Sort::Bool,
            };
            let count = match op {
                Op::Not => 1,
                Op::Ite => 3,
                _ => 2,
            };
            let children: Vec<Term> = (0..count).map(|_| part(rng, arena, sort)).collect();
            arena.mk(op, &children)
        }
    }
}

struct Generator<'r> {
    rng: &'r mut Rng,
    shape: Shape,
    arena: Arena,
    variables: Vec<Variable>,
    havocs: Vec<Havoc>,
}

impl<'r> Generator<'r> {
    fn new(rng: &'r mut Rng, shape: Shape) -> Self {
        let mut arena = Arena::new();
        let mut variables = Vec::new();
        for index in 0..=rng.below(shape.variables.max(1)) {
            let width = u32::try_from(1 + rng.below(shape.width as usize)).unwrap_or(1);
            let sort = if rng.once_in(4) { Sort::Bool } else { Sort::BitVec(width) };
            let name = format!("v{index}");
            if let Ok(term) = arena.variable(&name, &sort) {
                variables.push(Variable { name, sort, term, span: Span::default() });
            }
        }
        Generator { rng, shape, arena, variables, havocs: Vec::new() }
    }

    fn term(&mut self, sort: &Sort) -> Term {
        let variables: Vec<Term> = self.variables.iter().map(|variable| variable.term).collect();
        term(self.rng, &mut self.arena, &variables, sort, self.shape.term_depth)
    }

    fn basic(&mut self) -> Basic {
        let variable = VarId::new(self.rng.below(self.variables.len()));
        match self.rng.below(8) {
            0 => Basic::Skip,
            1 => {
                self.havocs.push(Havoc { variable, span: Span::default() });
                Basic::Havoc(variable, HavocSite::new(self.havocs.len() - 1))
            }
            2..=4 => Basic::Assume(self.term(&Sort::Bool)),
            _ => {
                let sort = self.variables[variable.index()].sort.clone();
                Basic::Assign(variable, self.term(&sort))
            }
        }
    }

    fn command(&mut self, depth: u32) -> Command {
        if depth == 0 {
            return Command::basic(self.basic(), Span::default());
        }
        let parts = |generator: &mut Self, least: usize| {
            let count = least + generator.rng.below(3);
            (0..count).map(|_| generator.command(depth - 1)).collect::<Vec<Command>>()
        };
        match self.rng.below(4) {
            0 => Command::choice(&parts(self, 2), Span::default()),
            1 => self.graph(),
            _ => Command::sequence(&parts(self, 0)),
        }
    }

    /// A flow graph that is mostly no tree: a chain of nodes with arcs that jump over some.
    fn graph(&mut self) -> Command {
        let nodes = 3 + self.rng.below(3);
        let mut arcs = Vec::new();
        for source in 0..nodes - 1 {
            for target in source + 1..nodes {
                if target == source + 1 || self.rng.once_in(3) {
                    let (source, target) = (NodeId::new(source), NodeId::new(target));
                    arcs.push(Arc {
                        source,
                        target,
                        basic: self.basic(),
                        span: Span::default(),
                        origin: None,
                    });
                }
            }
        }
        Command::from_arcs(nodes, arcs).unwrap_or_else(Command::skip)
    }
}
