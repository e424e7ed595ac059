//! A control-flow automaton as one transition system.
//!
//! The relation of the system is the union of the edges' relations: an edge can be taken where the program
//! counter stands at its source, its guard holds, and the inputs that choose among the edges of a location
//! choose it. So the conditions of different edges exclude each other, and what a variable holds after a step
//! is one term, merged by if-then-else.
//!
//! What a variable holds where it is not live does not matter, and passes do not keep it. So there it holds
//! anything: an edge sets the variables that are not live behind it to inputs. Without that, a lemma that
//! holds at several locations could rely, at one of them, on what the automaton as lowered does not do.
//!
//! Sinks have no code. A state is *bad* where an edge to a sink can be taken: that is one step less to search
//! than a counter that stands at a sink.

use super::{ProgramCounter, StateVariable, TransitionSystem};
use crate::automaton::{Automaton, Program};
use crate::encode::{Encoding, encode};
use crate::graph::Graph;
use crate::ids::{EdgeId, LocationId};
use crate::passes::LiveVariables;
use crate::state::State;
use nilas_term::{Arena, Sort, Term};

/// An edge of the automaton inside of the system.
#[derive(Clone, Debug)]
pub struct SymbolicEdge {
    /// The edge.
    pub edge: EdgeId,
    /// Its encoding; the guard says that the edge is taken.
    pub encoding: Encoding,
}

/// An automaton as a transition system, see the module's text.
#[derive(Clone, Debug)]
pub struct SymbolicAutomaton {
    /// The system. Its bad states are those before any sink.
    pub system: TransitionSystem,
    /// Where the automaton is.
    pub counter: ProgramCounter,
    /// The edges between locations that have a code.
    pub edges: Vec<SymbolicEdge>,
    /// The edges into sinks.
    pub last: Vec<SymbolicEdge>,
}

impl SymbolicAutomaton {
    /// Encodes what of an automaton can matter: what is on some way from the entry to a sink. The arena is a
    /// copy of the program's.
    pub fn new(arena: &mut Arena, program: &Program) -> Self {
        let automaton = &program.automaton;
        let live = LiveVariables::new(program);
        let graph = Graph::new(automaton);
        let relevant = graph.relevant(automaton);
        let others = relevant.iter().filter(|&id| !automaton.is_sink(id) && id != automaton.entry);
        let locations: Vec<LocationId> = std::iter::once(automaton.entry).chain(others).collect();
        let counter = ProgramCounter::new(arena, locations.clone());
        let start = State::initial(automaton);
        let (mut edges, mut last, mut inputs) = (Vec::new(), Vec::new(), Vec::new());
        let mut choices: Vec<Term> = Vec::new();
        for location in locations {
            let at = counter.at(arena, location);
            let leaving = || graph.outgoing(location).iter().copied();
            for edge in leaving().filter(|&edge| automaton.is_sink(automaton.edge(edge).target)) {
                let encoding = encode(arena, automaton, &automaton.edge(edge).command, &start, at);
                last.push(SymbolicEdge { edge, encoding });
            }
            let inner = leaving().filter(|&edge| {
                let target = automaton.edge(edge).target;
                !automaton.is_sink(target) && relevant.contains(target)
            });
            let inner: Vec<EdgeId> = inner.collect();
            let chosen = choose(arena, &mut choices, inner.len());
            for (edge, mut condition) in inner.into_iter().zip(chosen) {
                condition.push(at);
                let condition = arena.and(&condition);
                let encoding = encode(arena, automaton, &automaton.edge(edge).command, &start, condition);
                edges.push(SymbolicEdge { edge, encoding });
            }
        }
        edges.retain(|edge| arena.as_bool(edge.encoding.guard) != Some(false));
        last.retain(|edge| arena.as_bool(edge.encoding.guard) != Some(false));
        inputs.extend(choices);
        for edge in edges.iter().chain(&last) {
            inputs.extend(edge.encoding.inputs.iter().map(|input| input.variable));
        }
        let mut dead: Vec<Option<Term>> = vec![None; automaton.variables.len()];
        let states: Vec<State> = edges
            .iter()
            .map(|edge| {
                let mut state = edge.encoding.next.clone();
                let target = automaton.edge(edge.edge).target;
                for id in automaton.variable_ids().filter(|&id| !live.contains(target, id)) {
                    let declared = automaton.variable(id);
                    let any = dead[id.index()]
                        .get_or_insert_with(|| arena.fresh_variable(&declared.name, &declared.sort));
                    state.set(id, *any);
                }
                state
            })
            .collect();
        inputs.extend(dead.into_iter().flatten());
        let ways: Vec<(Term, &State)> =
            edges.iter().zip(&states).map(|(edge, state)| (edge.encoding.guard, state)).collect();
        let (constraint, next) = match &ways[..] {
            [] => (arena.mk_false(), start.clone()),
            ways => State::merge(arena, ways),
        };
        let mut variables = Vec::new();
        for (index, &bit) in counter.bits().iter().enumerate() {
            let set = edges.iter().filter(|edge| {
                counter.code(automaton.edge(edge.edge).target).is_some_and(|code| code >> index & 1 == 1)
            });
            let set: Vec<Term> = set.map(|edge| edge.encoding.guard).collect();
            let update = Some(arena.or(&set));
            variables.push(StateVariable { current: bit, next: arena.prime(bit), update });
        }
        for id in automaton.variable_ids() {
            let current = automaton.variable(id).term;
            let update = Some(next.get(id));
            variables.push(StateVariable { current, next: arena.prime(current), update });
        }
        let initial = counter.at(arena, automaton.entry);
        let bad: Vec<Term> = last.iter().map(|edge| edge.encoding.guard).collect();
        let bad = arena.or(&bad);
        let system = TransitionSystem { variables, inputs, initial, constraint, bad };
        SymbolicAutomaton { system, counter, edges, last }
    }

    /// The states before these sinks.
    pub fn before(&self, arena: &mut Arena, automaton: &Automaton, sinks: &[LocationId]) -> Term {
        let before = self.last.iter().filter(|edge| sinks.contains(&automaton.edge(edge.edge).target));
        let before: Vec<Term> = before.map(|edge| edge.encoding.guard).collect();
        arena.or(&before)
    }
}

/// For each of `count` edges, literals about choices that exclude those of the others: its number in binary,
/// no longer than needed. Locations share the choices.
fn choose(arena: &mut Arena, choices: &mut Vec<Term>, count: usize) -> Vec<Vec<Term>> {
    let mut chosen = vec![Vec::new(); count];
    // Ranges of edges that the choices above `depth` leave open.
    let mut ranges: Vec<(usize, usize, usize)> = vec![(0, count, 0)];
    while let Some((from, to, depth)) = ranges.pop() {
        if to - from < 2 {
            continue;
        }
        if depth == choices.len() {
            choices.push(arena.fresh_variable("edge", &Sort::Bool));
        }
        let (yes, no) = (choices[depth], arena.not(choices[depth]));
        let middle = from + (to - from).div_ceil(2);
        for (index, literals) in chosen[from..to].iter_mut().enumerate() {
            literals.push(if from + index < middle { yes } else { no });
        }
        ranges.push((middle, to, depth + 1));
        ranges.push((from, middle, depth + 1));
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Program;
    use crate::text::{parse_program, print_expression};

    fn program(text: &str) -> Program {
        parse_program(text).unwrap_or_else(|errors| panic!("{}", errors[0].render("text", text)))
    }

    #[test]
    fn a_small_automaton() {
        let program = program(
            "var x : bv8 entry a error e location a, b, e a -> b { x := 0 } b -> b { assume x <u 5; x := x + 1 } \
             b -> b { havoc x; assume x >u 9 } b -> e { assume x == 7 }",
        );
        let arena = &mut program.arena.clone();
        let symbolic = SymbolicAutomaton::new(arena, &program);
        let [pc] = *symbolic.counter.bits() else { panic!("two locations, one bit") };
        let [edge, input] = symbolic.system.inputs[..] else { panic!("a choice and a `havoc`") };
        assert_eq!((arena.name(pc), arena.name(edge)), (Some("pc!0"), Some("edge!1")));
        assert_eq!(arena.name(input), Some("x!2"));
        let printed = |term| print_expression(arena, term);
        assert_eq!(printed(symbolic.system.initial), "!\"pc!0\"");
        assert_eq!(printed(symbolic.system.bad), "x == 7 && \"pc!0\"");
        let guards: Vec<String> = symbolic.edges.iter().map(|edge| printed(edge.encoding.guard)).collect();
        assert_eq!(
            guards,
            ["!\"pc!0\"", "x <=u 4 && \"pc!0\" && \"edge!1\"", "\"pc!0\" && !\"edge!1\" && \"x!2\" >=u 10"]
        );
        for variable in &symbolic.system.variables {
            assert!(variable.update.is_some(), "everything is a function");
        }
    }

    /// At `b` only `x` matters, at `c` only `y`: passes do not keep the other one there, so no lemma may rely
    /// on it.
    #[test]
    fn what_is_not_live_holds_anything() {
        let program = program(
            "var x, y : bv8 entry a error e location a, b, c, e a -> b { x := 1; y := 2 } \
             b -> c { assume x <u 5; y := x } c -> c { y := y * y } c -> e { assume y == 7 }",
        );
        let arena = &mut program.arena.clone();
        let symbolic = SymbolicAutomaton::new(arena, &program);
        let after = |arena: &mut Arena, edge: usize, variable: usize| {
            let update = symbolic.system.variables[symbolic.counter.bits().len() + variable].update;
            let taken = program.automaton.edge(symbolic.edges[edge].edge).source;
            let mut values = symbolic.counter.values(arena, taken).expect("a location with a code");
            let update = values.apply(arena, update.expect("everything is a function"));
            let guard = values.apply(arena, symbolic.edges[edge].encoding.guard);
            let truth = arena.mk_true();
            let update =
                [(guard, truth)].into_iter().collect::<nilas_term::Substitution>().apply(arena, update);
            print_expression(arena, update)
        };
        assert_eq!(after(arena, 0, 0), "1");
        let any_y = after(arena, 0, 1);
        assert!(any_y.starts_with("\"y!"), "{any_y}");
        let any_x = after(arena, 1, 0);
        assert!(any_x.starts_with("\"x!"), "{any_x}");
        assert_eq!(after(arena, 1, 1), "x");
        let inputs: Vec<String> =
            symbolic.system.inputs.iter().map(|&input| print_expression(arena, input)).collect();
        assert!(inputs.contains(&any_x) && inputs.contains(&any_y), "{inputs:?}");
    }

    #[test]
    fn choices_exclude_each_other() {
        for count in 0..9 {
            let mut arena = Arena::new();
            let mut choices = Vec::new();
            let chosen = choose(&mut arena, &mut choices, count);
            assert_eq!(chosen.len(), count);
            for (index, literals) in chosen.iter().enumerate() {
                for other in &chosen[..index] {
                    let clash = literals.iter().any(|&literal| {
                        let negated = arena.not(literal);
                        other.contains(&negated)
                    });
                    assert!(clash, "{count} edges");
                }
            }
            assert_eq!(choices.len(), count.max(1).next_power_of_two().trailing_zeros() as usize);
        }
    }
}
