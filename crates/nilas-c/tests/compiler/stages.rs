//! What the interpreter says about the lowered automaton, as lowered and after passes.

use nilas_c::tree::Program as Tree;
use nilas_c::types::DataModel;
use nilas_c::{Input, Options, parse_program};
use nilas_c::{LowerOptions, Lowered, lower};
use nilas_program::{Basic, Graph, Interpreter, Program, Step};
use nilas_term::{Evaluator, FloatValue, Model, Op, Term, Value};
use std::collections::BTreeMap;

/// A form of the automaton with a name.
pub(crate) type Stage = (&'static str, fn(&Program) -> Program);

/// All forms that an execution must be the same in.
pub(crate) const STAGES: &[Stage] = &[
    ("as lowered", Program::clone),
    ("large blocks", |program| nilas_program::passes::large_blocks(program).0),
    ("all passes", |program| {
        nilas_program::passes::simplify(program, &nilas_term::Budget::unlimited()).unwrap().program
    }),
];

/// How an execution ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    /// At the error, after so many steps.
    Error(usize),
    /// Where nothing leads on; the value of the checksum.
    Stopped(Option<u64>),
    /// At something that is not modelled.
    Unmodelled(String),
    /// Not within the steps that a test may take.
    Running,
    /// The front end refused the program.
    Refused(String),
}

/// How many steps an execution may take.
const STEPS: usize = 5_000_000;

/// Parses and lowers.
pub(crate) fn lowered(
    text: &str,
    options: &Options,
    lowering: &LowerOptions,
) -> Result<(Tree, Lowered), Outcome> {
    let input = Input::Text { name: "test.c".to_owned(), text: text.as_bytes().to_vec() };
    let tree = parse_program(&input, options).map_err(|failure| Outcome::Refused(failure.render()))?;
    let lowered = lower(&tree, lowering).map_err(|errors| Outcome::Refused(format!("{errors:?}")))?;
    if let Err(errors) = nilas_program::wellformed::check(&lowered.program) {
        return Err(Outcome::Refused(format!("not well-formed: {}", errors[0].message)));
    }
    Ok((tree, lowered))
}

/// Options for a data model.
pub(crate) fn options(model: DataModel) -> Options {
    Options { model, ..Options::default() }
}

/// Runs an automaton without inputs. Havocs are the bits of floats, or do not matter.
pub(crate) fn run(lowered: &Lowered, program: &Program, checksum: &str, tree: &Tree) -> Outcome {
    let (automaton, arena) = (&program.automaton, &program.arena);
    let graph = Graph::new(automaton);
    let store = automaton.variables.iter().map(|variable| Value::default_of(&variable.sort)).collect();
    let mut interpreter = Interpreter::new(arena, automaton, store).unwrap();
    let bits = float_bits(program);
    // Whether something rested on where objects happen to lie.
    let related = std::cell::Cell::new(false);
    let mut chooser = |site: nilas_program::HavocSite, _: usize, store: &[Value]| {
        related.set(related.get() || *lowered.origin(site) == nilas_c::HavocOrigin::AddressRelation);
        let variable = automaton.variable(automaton.havoc(site).variable);
        let value = bits.get(&variable.term).and_then(|&float| {
            let terms = automaton.variables.iter().map(|variable| variable.term);
            let model: Model = terms.zip(store.iter().cloned()).collect();
            Evaluator::new(model).eval(arena, float).ok()
        });
        match value {
            Some(Value::Float(FloatValue { bits, .. })) => Value::BitVec(bits),
            _ => Value::default_of(&variable.sort),
        }
    };
    let mut here = automaton.entry;
    for step in 0..STEPS {
        if here == automaton.error {
            return Outcome::Error(step);
        }
        let taken = graph
            .outgoing(here)
            .iter()
            .copied()
            .find(|&edge| matches!(interpreter.step_seeing(edge, &mut chooser), Ok(Step::Taken(_))));
        let Some(edge) = taken else {
            let variable = automaton.variable_ids().find(|&id| automaton.variable(id).name == checksum);
            if std::env::var_os("NILAS_DUMP").is_some() {
                for (variable, value) in automaton.variables.iter().zip(interpreter.store()) {
                    eprintln!("{} = {}", variable.name, nilas_term::smtlib::print_value(value));
                }
            }
            if related.get() {
                return Outcome::Unmodelled("where objects happen to lie".to_owned());
            }
            let value = variable.and_then(|id| interpreter.value(id).as_bitvec()?.to_u64());
            return Outcome::Stopped(value);
        };
        here = automaton.edge(edge).target;
        if Some(here) == automaton.unmodelled {
            let place = lowered.places.iter().find(|place| place.edge == edge);
            return Outcome::Unmodelled(place.map_or(String::new(), |place| {
                let at = tree.sources.locate(place.span);
                format!("{} at {}:{}", place.construct, at.file, at.line)
            }));
        }
    }
    Outcome::Running
}

/// The variables that hold the bits of a float, with that float.
fn float_bits(program: &Program) -> BTreeMap<Term, Term> {
    let arena = &program.arena;
    let mut found = BTreeMap::new();
    for edge in &program.automaton.edges {
        for arc in edge.command.arcs() {
            let Basic::Assume(condition) = arc.basic else { continue };
            let mut work = vec![condition];
            while let Some(term) = work.pop() {
                match (arena.op(term), arena.children(term)) {
                    (Op::Eq, &[a, b]) => {
                        for (from, float) in [(a, b), (b, a)] {
                            if matches!(arena.op(from), Op::FpFromIeeeBits(..)) {
                                found.insert(arena.children(from)[0], float);
                            }
                        }
                    }
                    (Op::And | Op::Or | Op::Not, children) => work.extend(children),
                    _ => {}
                }
            }
        }
    }
    found
}
