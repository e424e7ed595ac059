//! From commands to formulas: forward symbolic execution with merges.
//!
//! This is the transition formula of Def. 2.3.2 of the generalisation thesis in functional form: what a
//! variable holds after a command is a term over what variables held before and over *inputs* (fresh
//! variables that stand for `havoc` and for free choices). No variable is ever constrained to be something,
//! so a formula can be evaluated, simplified and substituted, and its size is linear in the command but for
//! the merges.
//!
//! At every fork exactly one arc is taken: where the guards are disjoint they say which, elsewhere
//! selector inputs do. So the conditions of the paths into a join exclude each other, and merging values
//! by `ite` loses no state.
//!
//! Conditions of nodes are not built as terms. A node has a list of conjuncts that shares its front with the
//! lists of other nodes; a join keeps the common front and adds the disjunction of what remains. After
//! `if (b) … else …` what remains is `b ∨ ¬b`: conditions do not grow with the length of a program.

use crate::automaton::Automaton;
use crate::command::{Arc, Basic, Command};
use crate::conditions::{ConditionId, Conditions};
use crate::disjoint::are_disjoint;
use crate::ids::{ArcId, EdgeId, HavocSite, NodeId};
use crate::state::State;
use nilas_term::{Arena, Budget, Interrupt, Sort, Term};

/// What an input stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum InputKind {
    /// The value that a `havoc` picks.
    Havoc {
        /// The arc of the command.
        arc: ArcId,
        /// The site of the program text.
        site: HavocSite,
    },
    /// One bit of the number of the arc that is taken at a node.
    Select {
        /// The node of the command.
        node: NodeId,
    },
}

/// A fresh variable of an encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Input {
    /// What it stands for.
    pub kind: InputKind,
    /// The variable.
    pub variable: Term,
}

/// A command as terms.
#[derive(Clone, Debug)]
pub struct Encoding {
    /// The condition to get from start to end, over the state before and the inputs.
    pub guard: Term,
    /// The state at the end, where the guard holds.
    pub next: State,
    /// The fresh variables, in the order of the command's nodes and arcs.
    pub inputs: Vec<Input>,
    /// For each arc, when it is taken by an execution that has got to its source; `None` if never.
    arc_conditions: Vec<Option<Term>>,
    /// The inputs of `havoc`s, by arc.
    havocs: Vec<(ArcId, Term)>,
}

/// Encodes a command from a state that is reached under a condition (true for a lone edge). The condition
/// becomes part of the guard.
pub fn encode(
    arena: &mut Arena,
    automaton: &Automaton,
    command: &Command,
    start: &State,
    condition: Term,
) -> Encoding {
    match encode_within(arena, automaton, command, start, condition, &Budget::unlimited()) {
        Ok(encoding) => encoding,
        Err(_) => unreachable!("a budget without limit does not end"),
    }
}

/// The same within a budget: commands may be large.
///
/// # Errors
/// When the budget has ended.
pub fn encode_within(
    arena: &mut Arena,
    automaton: &Automaton,
    command: &Command,
    start: &State,
    condition: Term,
    budget: &Budget,
) -> Result<Encoding, Interrupt> {
    Encoder::new(arena, automaton, command, start).run(condition, budget)
}

/// The transition formula of an edge over variables, primed variables and inputs.
pub fn transition_formula(arena: &mut Arena, automaton: &Automaton, edge: EdgeId) -> Term {
    let condition = arena.mk_true();
    let start = State::initial(automaton);
    let encoding = encode(arena, automaton, &automaton.edge(edge).command, &start, condition);
    let mut conjuncts = vec![encoding.guard];
    for variable in automaton.variable_ids() {
        let primed = arena.prime(automaton.variable(variable).term);
        conjuncts.push(arena.eq(primed, encoding.next.get(variable)));
    }
    arena.and(&conjuncts)
}

impl Encoding {
    /// The path from start to end that a model of the guard picks. `holds` evaluates a Boolean term in that
    /// model and is asked only where the path forks.
    ///
    /// # Errors
    /// What `holds` returns.
    pub fn path<E>(
        &self,
        command: &Command,
        holds: &mut dyn FnMut(Term) -> Result<bool, E>,
    ) -> Result<Vec<ArcId>, E> {
        let mut path = Vec::new();
        let mut node = command.start();
        while node != command.end() {
            let mut possible = command
                .outgoing(node)
                .filter_map(|(id, arc)| self.arc_conditions[id.index()].map(|condition| (id, arc, condition)))
                .peekable();
            let mut taken = None;
            while let Some((id, arc, condition)) = possible.next() {
                // In a model of the guard one arc is taken, so the last one needs no question.
                if possible.peek().is_none() || holds(condition)? {
                    taken = Some((id, arc.target));
                    break;
                }
            }
            // No arc at all means that the guard is false: there is no model and no path.
            let Some((id, target)) = taken else { break };
            path.push(id);
            node = target;
        }
        Ok(path)
    }

    /// The input that stands for the value of the `havoc` on an arc; `None` if it is no `havoc` or dead.
    #[must_use]
    pub fn havoc_input(&self, arc: ArcId) -> Option<Term> {
        let index = self.havocs.binary_search_by_key(&arc, |(arc, _)| *arc).ok()?;
        Some(self.havocs[index].1)
    }

    /// When an arc is taken by an execution that has got to its source; `None` if never.
    #[must_use]
    pub fn arc_condition(&self, arc: ArcId) -> Option<Term> {
        self.arc_conditions[arc.index()]
    }
}

/// How an arc's execution arrives at a node.
struct Arrival {
    condition: ConditionId,
    state: State,
}

struct Encoder<'a> {
    arena: &'a mut Arena,
    automaton: &'a Automaton,
    command: &'a Command,
    start: &'a State,
    conditions: Conditions,
    arrivals: Vec<Vec<Arrival>>,
    inputs: Vec<Input>,
    arc_conditions: Vec<Option<Term>>,
    havocs: Vec<(ArcId, Term)>,
}

impl<'a> Encoder<'a> {
    fn new(arena: &'a mut Arena, automaton: &'a Automaton, command: &'a Command, start: &'a State) -> Self {
        let mut arrivals: Vec<Vec<Arrival>> = Vec::new();
        arrivals.resize_with(command.nodes(), Vec::new);
        Encoder {
            arena,
            automaton,
            command,
            start,
            conditions: Conditions::default(),
            arrivals,
            inputs: Vec::new(),
            arc_conditions: vec![None; command.arcs().len()],
            havocs: Vec::new(),
        }
    }

    fn run(mut self, condition: Term, budget: &Budget) -> Result<Encoding, Interrupt> {
        let end = self.command.end();
        self.arrivals[0].push(Arrival { condition: Conditions::ROOT, state: self.start.clone() });
        for node in (0..end.index()).map(NodeId::new) {
            budget.exhausted().map_or(Ok(()), Err)?;
            let arrivals = std::mem::take(&mut self.arrivals[node.index()]);
            if let Some(arrival) = self.merge(arrivals) {
                self.leave(node, arrival);
            }
        }
        let arrivals = std::mem::take(&mut self.arrivals[end.index()]);
        let (guard, next) = match self.merge(arrivals) {
            Some(Arrival { condition: reached, state }) => {
                let mut conjuncts = self.conditions.conjuncts(reached, Conditions::ROOT);
                conjuncts.push(condition);
                (self.arena.and(&conjuncts), state)
            }
            None => (self.arena.mk_false(), self.start.clone()),
        };
        let Encoder { inputs, arc_conditions, havocs, .. } = self;
        Ok(Encoding { guard, next, inputs, arc_conditions, havocs })
    }

    /// The state at a node from the ways into it; `None` if there is none.
    fn merge(&mut self, mut arrivals: Vec<Arrival>) -> Option<Arrival> {
        if arrivals.len() <= 1 {
            return arrivals.pop();
        }
        let ids: Vec<ConditionId> = arrivals.iter().map(|arrival| arrival.condition).collect();
        let join = self.conditions.join(self.arena, &ids);
        let states: Vec<&State> = arrivals.iter().map(|arrival| &arrival.state).collect();
        let different = State::differences(&states);
        let mut state = arrivals[0].state.clone();
        for variable in different {
            let values: Vec<Term> = arrivals.iter().map(|arrival| arrival.state.get(variable)).collect();
            let merged = join.select(self.arena, &values);
            state.set(variable, merged);
        }
        Some(Arrival { condition: join.condition, state })
    }

    /// Executes the arcs that leave a node.
    fn leave(&mut self, node: NodeId, arrival: Arrival) {
        let mut taken: Vec<(ArcId, Term)> = Vec::new();
        for (id, arc) in self.command.outgoing(node) {
            let guard = match arc.basic {
                Basic::Assume(term) => arrival.state.apply(self.arena, term),
                _ => self.arena.mk_true(),
            };
            let guard = self.conditions.under(self.arena, arrival.condition, guard);
            if self.arena.as_bool(guard) != Some(false) {
                taken.push((id, guard));
            }
        }
        if !self.disjoint(&taken) {
            self.select(node, &mut taken);
        }
        let mut arrival = Some(arrival);
        for (index, &(id, condition)) in taken.iter().enumerate() {
            let arc = self.command.arc(id);
            self.arc_conditions[id.index()] = Some(condition);
            // The last arc takes the state itself, so that a chain of arcs copies nothing.
            let last = index + 1 == taken.len();
            let from = if last { arrival.take() } else { arrival.as_ref().map(Arrival::copy) };
            if let Some(Arrival { condition: front, mut state }) = from {
                self.execute(id, arc, &mut state);
                let condition = self.conditions.extend(self.arena, front, condition);
                self.arrivals[arc.target.index()].push(Arrival { condition, state });
            }
        }
    }

    fn execute(&mut self, id: ArcId, arc: &Arc, state: &mut State) {
        match arc.basic {
            Basic::Skip | Basic::Assume(_) => {}
            Basic::Assign(variable, term) => {
                let value = state.apply(self.arena, term);
                state.set(variable, value);
            }
            Basic::Havoc(variable, site) => {
                let declared = self.automaton.variable(variable);
                let input = self.arena.fresh_variable(&declared.name, &declared.sort);
                self.inputs.push(Input { kind: InputKind::Havoc { arc: id, site }, variable: input });
                self.havocs.push((id, input));
                state.set(variable, input);
            }
        }
    }

    /// Whether the guards exclude each other, by syntax.
    fn disjoint(&mut self, arcs: &[(ArcId, Term)]) -> bool {
        // Pairs are many at a wide fork; selectors are right whatever the guards are.
        const WIDEST: usize = 64;
        arcs.len() <= WIDEST
            && arcs.iter().enumerate().all(|(index, &(_, left))| {
                arcs[..index].iter().all(|&(_, right)| are_disjoint(self.arena, left, right))
            })
    }

    /// Adds to each guard that its arc is the selected one: its number in binary, read from fresh inputs.
    fn select(&mut self, node: NodeId, arcs: &mut [(ArcId, Term)]) {
        let mut bits: Vec<Term> = Vec::new();
        // Ranges of arcs that the bits above `depth` leave open; halves share the bits.
        let mut ranges: Vec<(usize, usize, usize)> = vec![(0, arcs.len(), 0)];
        while let Some((from, to, depth)) = ranges.pop() {
            if to - from < 2 {
                continue;
            }
            if depth == bits.len() {
                let variable = self.arena.fresh_variable("choice", &Sort::Bool);
                self.inputs.push(Input { kind: InputKind::Select { node }, variable });
                bits.push(variable);
            }
            let (yes, no) = (bits[depth], self.arena.not(bits[depth]));
            let middle = from + (to - from).div_ceil(2);
            for (index, (_, guard)) in arcs[from..to].iter_mut().enumerate() {
                let half = if from + index < middle { yes } else { no };
                *guard = self.arena.and(&[*guard, half]);
            }
            ranges.push((middle, to, depth + 1));
            ranges.push((from, middle, depth + 1));
        }
    }
}

impl Arrival {
    fn copy(&self) -> Arrival {
        Arrival { condition: self.condition, state: self.state.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{parse_program, print_expression};
    use crate::{Program, VarId};

    fn program(body: &str) -> Program {
        let text = format!("var x, y : bv32\nvar b, c : bool\nentry a\nerror e\na -> e {{ {body} }}");
        parse_program(&text).unwrap_or_else(|errors| panic!("{}", errors[0].render("body", &text)))
    }

    fn encoded(program: &mut Program) -> Encoding {
        let (start, condition) = (State::initial(&program.automaton), program.arena.mk_true());
        let command = program.automaton.edges[0].command.clone();
        encode(&mut program.arena, &program.automaton, &command, &start, condition)
    }

    /// Guard, then the variables that change.
    #[track_caller]
    fn check(body: &str, expected: &[&str]) {
        let mut program = program(body);
        let encoding = encoded(&mut program);
        let mut found = vec![print_expression(&program.arena, encoding.guard)];
        for variable in program.automaton.variable_ids() {
            let declared = program.automaton.variable(variable);
            if encoding.next.get(variable) != declared.term {
                let term = print_expression(&program.arena, encoding.next.get(variable));
                found.push(format!("{} := {term}", declared.name));
            }
        }
        assert_eq!(found, expected, "{body}");
    }

    #[test]
    fn small_commands() {
        check("", &["true"]);
        check("x := x + 1; assume x == 5; y := x", &["x == 4", "x := x + 1", "y := x + 1"]);
        check("havoc x; assume x <u y", &["\"x!0\" <u y", "x := \"x!0\""]);
        // Guards that exclude each other need no selector, and the condition to be through with the choice is
        // gone.
        check("{ assume b; x := 1 } [] { assume !b; x := 2 }; y := 3", &["true", "x := b ? 1 : 2", "y := 3"]);
        check(
            "{ assume x == 0; y := 1 } [] { assume x == 1; y := 2 } [] { assume x >u 1; y := 3 }",
            &["x == 0 || x == 1 || x >=u 2", "y := x == 0 ? 1 : x == 1 ? 2 : 3"],
        );
        check("{ x := 1 } [] { x := 2 }", &["true", "x := \"choice!0\" ? 1 : 2"]);
        check("{ assume b; x := 1 } [] { assume false; y := 2 }", &["b", "x := 1"]);
        // What is assumed already is not assumed again, and its opposite is dead.
        check("assume b; { assume !b; x := 1 } [] { assume b; x := 2 }", &["b", "x := 2"]);
        check("assume b; assume !b; x := 1", &["false"]);
    }

    #[test]
    fn a_condition_becomes_part_of_the_guard() {
        let mut program = program("assume b");
        let command = program.automaton.edges[0].command.clone();
        let mut start = State::initial(&program.automaton);
        start.set(VarId::new(2), program.automaton.variables[3].term);
        let condition = program.automaton.variables[2].term;
        let encoding = encode(&mut program.arena, &program.automaton, &command, &start, condition);
        assert_eq!(print_expression(&program.arena, encoding.guard), "b && c");
    }

    /// Terms that are made for a command of `n` pieces, for two `n`: the second is ten times the first.
    #[track_caller]
    fn check_linear(body: impl Fn(usize) -> String) {
        let made = |size: usize| {
            let mut program = program(&body(size));
            let before = program.arena.len();
            encoded(&mut program);
            program.arena.len() - before
        };
        let (small, large) = (made(100), made(1000));
        assert!(large < 12 * small.max(100), "{small} terms for 100 pieces, {large} for 1000");
    }

    #[test]
    fn the_size_is_linear() {
        check_linear(|size| "{ assume x <u y; x := x * y } [] { assume x >=u y; y := y * x };".repeat(size));
        check_linear(|size| "{ x := x * 3 } [] { y := y ^ x };".repeat(size));
        check_linear(|size| "assume x * x != y; x := x * 5 + y;".repeat(size));
        // Early exits: from every node of a chain an arc leads to the end.
        check_linear(|size| {
            let arcs = (0..size).map(|node| {
                let next = node + 1;
                format!("{node} -> {next}: assume x != {node}; {node} -> {size}: assume x == {node};")
            });
            format!("block {{ {} }}", arcs.collect::<String>())
        });
    }
}
