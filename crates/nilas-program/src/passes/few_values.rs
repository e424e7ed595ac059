//! Variables that only ever take a few constants (states of a protocol, flags), re-encoded in a few bits.
//!
//! A variable qualifies if nothing is assigned to it but constants, other such variables, and choices between
//! these, if it has no `havoc`, and if its value at the entry does not matter. Variables that are copied into
//! each other share one code. The engine then works on a program in which the variable holds the number of
//! its value among the few, and every use of it decodes that number.
//!
//! Evidence goes back by the inverse: in formulas the narrow variable is replaced by the code of the wide
//! one ([`Recoded`]), and where the variable matters it is a fact that it has one of its values, because
//! every value that reaches such a place was assigned. Executions take the same arcs with the same `havoc`s,
//! as those are on other variables.

use super::back_map::{BackMap, EdgeMap, Recoded};
use super::liveness::LiveVariables;
use crate::automaton::Program;
use crate::command::{Arc, Basic, Command, Origin};
use crate::ids::{ArcId, VarId};
use nilas_term::{Arena, BitVec, Budget, Op, Sort, Substitution, Term};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The most values that a variable may take.
const MOST: usize = 64;

/// How a variable is encoded.
#[derive(Clone, Debug)]
struct Code {
    variable: VarId,
    wide: Term,
    narrow: Term,
    /// The values, by their code.
    values: Vec<BitVec>,
}

/// The values that variables take, for those that take few.
struct Values {
    /// The group of each variable; a group shares its values.
    group: Vec<usize>,
    values: Vec<BTreeSet<BitVec>>,
    many: Vec<bool>,
}

impl Values {
    fn new(program: &Program, live: &LiveVariables) -> Self {
        let automaton = &program.automaton;
        let count = automaton.variables.len();
        let index = automaton.variable_index();
        let mut found = Values {
            group: (0..count).collect(),
            values: vec![BTreeSet::new(); count],
            many: automaton
                .variable_ids()
                .map(|id| {
                    let narrow = !matches!(automaton.variable(id).sort, Sort::BitVec(width) if width > 2);
                    narrow || live.contains(automaton.entry, id)
                })
                .collect(),
        };
        for arc in automaton.edges.iter().flat_map(|edge| edge.command.arcs()) {
            match arc.basic {
                Basic::Skip | Basic::Assume(_) => {}
                Basic::Havoc(variable, _) => found.give_up(variable),
                Basic::Assign(variable, term) => found.assign(&program.arena, &index, variable, term),
            }
        }
        found
    }

    fn find(&self, variable: VarId) -> usize {
        let mut group = variable.index();
        while self.group[group] != group {
            group = self.group[group];
        }
        group
    }

    fn give_up(&mut self, variable: VarId) {
        let group = self.find(variable);
        self.many[group] = true;
    }

    fn assign(&mut self, arena: &Arena, index: &FxHashMap<Term, VarId>, variable: VarId, term: Term) {
        let mut stack = vec![term];
        let mut seen = BTreeSet::new();
        while let Some(term) = stack.pop() {
            if !seen.insert(term) {
                continue;
            }
            let group = self.find(variable);
            if let Some(value) = arena.as_bitvec(term) {
                self.values[group].insert(value.clone());
                self.many[group] |= self.values[group].len() > MOST;
            } else if let Some(&other) = index.get(&term) {
                let other = self.find(other);
                if other != group {
                    self.group[other] = group;
                    let values = std::mem::take(&mut self.values[other]);
                    self.values[group].extend(values);
                    self.many[group] |= self.many[other] || self.values[group].len() > MOST;
                }
            } else if arena.op(term) == Op::Ite {
                stack.extend_from_slice(&arena.children(term)[1..]);
            } else {
                self.many[group] = true;
            }
            if self.many[self.find(variable)] {
                return;
            }
        }
    }

    /// The values of a variable in the order of their codes, and the bits of a code.
    fn code(&self, variable: VarId, width: u32) -> Option<(Vec<BitVec>, u32)> {
        let group = self.find(variable);
        let values = &self.values[group];
        if self.many[group] || values.is_empty() {
            return None;
        }
        let bits = usize::BITS - (values.len() - 1).leading_zeros();
        let bits = bits.max(1);
        (bits < width).then(|| (values.iter().cloned().collect(), bits))
    }
}

/// The program over codes, with the way back; `None` if no variable has few values, or the budget has ended.
#[must_use]
pub fn few_values(program: &Program, budget: &Budget) -> Option<(Program, BackMap)> {
    let live = LiveVariables::within(program, budget).ok()?;
    let values = Values::new(program, &live);
    let mut result = program.clone();
    let Program { automaton, arena } = &mut result;
    let mut codes = Vec::new();
    for id in program.automaton.variable_ids() {
        let variable = &mut automaton.variables[id.index()];
        let Sort::BitVec(width) = variable.sort else { continue };
        let Some((values, bits)) = values.code(id, width) else { continue };
        let sort = Sort::BitVec(bits);
        let narrow = arena.fresh_variable(&variable.name, &sort);
        codes.push(Code { variable: id, wide: variable.term, narrow, values });
        (variable.sort, variable.term) = (sort, narrow);
        // A variable bears the name of its term.
        variable.name = arena.name(narrow).unwrap_or_default().to_owned();
    }
    if codes.is_empty() {
        return None;
    }
    let mut decoded = Substitution::new();
    for code in &codes {
        let value = code.decode(arena);
        decoded.insert(code.wide, value);
    }
    let by_variable: FxHashMap<VarId, &Code> = codes.iter().map(|code| (code.variable, code)).collect();
    let by_term: FxHashMap<Term, &Code> = codes.iter().map(|code| (code.wide, code)).collect();
    for edge in &mut automaton.edges {
        let mut arcs: Vec<Arc> = edge.command.arcs().to_vec();
        for arc in &mut arcs {
            arc.basic = match arc.basic {
                Basic::Assume(term) => Basic::Assume(decoded.apply(arena, term)),
                Basic::Assign(variable, term) => match by_variable.get(&variable) {
                    Some(code) => Basic::Assign(variable, encode(arena, code, &by_term, &mut decoded, term)?),
                    None => Basic::Assign(variable, decoded.apply(arena, term)),
                },
                other => other,
            };
        }
        if !arcs.is_empty() {
            edge.command = Command::from_arcs(edge.command.nodes(), arcs)?;
        }
    }
    let back = way_back(program, arena, &codes, &live);
    Some((result, back))
}

/// Locations, edges and arcs are the same. Where a variable matters, it has one of its values: that is what
/// the pass relies on.
fn way_back(program: &Program, arena: &mut Arena, codes: &[Code], live: &LiveVariables) -> BackMap {
    let automaton = &program.automaton;
    let edges = automaton.edge_ids().map(|edge| {
        let arcs = 0..automaton.edge(edge).command.arcs().len();
        EdgeMap { arcs: arcs.map(|arc| vec![Origin { edge, arc: Some(ArcId::new(arc)) }]).collect() }
    });
    let mut back = BackMap::new(automaton.location_ids().collect(), edges.collect());
    for code in codes {
        let (wide, value) = (code.encode(arena), code.decode(arena));
        back.add_recoded(Recoded {
            variable: code.variable,
            narrow: code.narrow,
            wide,
            old: code.wide,
            value,
        });
        let mut equalities = Vec::with_capacity(code.values.len());
        for value in &code.values {
            let constant = arena.bv_constant(value.clone());
            equalities.push(arena.eq(code.wide, constant));
        }
        let one_of = arena.or(&equalities);
        for location in automaton.location_ids().filter(|&location| location != automaton.entry) {
            if live.contains(location, code.variable) {
                back.add_fact(location, one_of);
            }
        }
    }
    back
}

impl Code {
    fn bits(&self, arena: &Arena) -> u32 {
        match arena.sort(self.narrow) {
            Sort::BitVec(bits) => *bits,
            _ => 0,
        }
    }

    fn number(&self, value: &BitVec) -> Option<u64> {
        self.values.binary_search(value).ok().map(|number| number as u64)
    }

    /// The value that a code stands for; numbers that are none stand for the last value.
    fn decode(&self, arena: &mut Arena) -> Term {
        let bits = self.bits(arena);
        let mut values = self.values.iter().enumerate().rev();
        let last = values.next().map(|(_, value)| value.clone());
        let mut result = arena.bv_constant(last.unwrap_or_else(|| BitVec::new(bits, 0)));
        for (number, value) in values {
            let number = arena.bv(bits, number as u64);
            let here = arena.eq(self.narrow, number);
            let value = arena.bv_constant(value.clone());
            result = arena.ite(here, value, result);
        }
        result
    }

    /// The code of the wide variable's value; that of the last value if it has none.
    fn encode(&self, arena: &mut Arena) -> Term {
        let bits = self.bits(arena);
        let mut result = arena.bv(bits, self.values.len() as u64 - 1);
        for (number, value) in self.values.iter().enumerate().rev().skip(1) {
            let value = arena.bv_constant(value.clone());
            let here = arena.eq(self.wide, value);
            let number = arena.bv(bits, number as u64);
            result = arena.ite(here, number, result);
        }
        result
    }
}

/// The code of what is assigned to a variable with few values. Iterative: choices are done when their
/// branches are.
fn encode(
    arena: &mut Arena,
    code: &Code,
    by_term: &FxHashMap<Term, &Code>,
    decoded: &mut Substitution,
    term: Term,
) -> Option<Term> {
    let bits = code.bits(arena);
    let mut done: FxHashMap<Term, Term> = FxHashMap::default();
    let mut stack = vec![term];
    while let Some(&top) = stack.last() {
        if done.contains_key(&top) {
            stack.pop();
            continue;
        }
        let result = if let Some(value) = arena.as_bitvec(top) {
            let number = code.number(value)?;
            arena.bv(bits, number)
        } else if let Some(other) = by_term.get(&top) {
            other.narrow
        } else {
            let &[condition, then, otherwise] = arena.children(top) else { return None };
            match (done.get(&then), done.get(&otherwise)) {
                (Some(&then), Some(&otherwise)) => {
                    let condition = decoded.apply(arena, condition);
                    arena.ite(condition, then, otherwise)
                }
                _ => {
                    stack.extend([then, otherwise]);
                    continue;
                }
            }
        };
        done.insert(top, result);
        stack.pop();
    }
    done.get(&term).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::parse_program;

    #[test]
    fn states_and_their_copies_get_one_code() {
        let program = parse_program(TEXT).expect("a program of this test");
        let (small, back) = few_values(&program, &Budget::unlimited()).expect("s and old have three values");
        let names: Vec<&str> =
            back.recoded().map(|it| program.automaton.variable(it.variable).name.as_str()).collect();
        assert_eq!(names, ["s", "old"]);
        for recoded in back.recoded() {
            assert_eq!(*small.arena.sort(recoded.narrow), Sort::BitVec(2));
        }
        assert!(crate::wellformed::check(&small).is_ok());
        let facts: Vec<usize> = back.facts().map(|(location, _)| location.index()).collect();
        assert_eq!(facts, [1], "at the loop, where they matter");
    }

    /// A protocol with a copy of its state; `n` counts.
    const TEXT: &str = r"
        cfa protocol
        var s, old, n : bv32
        entry start
        error err
        start -> loop { s := 8464; old := 8464; n := 0 }
        loop -> loop { assume s == 8464; old := s; s := 8496; n := n + 1 }
        loop -> loop { assume s == 8496; old := s; s := 3 }
        loop -> loop { assume s == 3; s := old }
        loop -> err { assume s == 3; assume old != 8496 }
    ";
}
