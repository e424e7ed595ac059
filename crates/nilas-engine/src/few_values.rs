//! Variables that only ever take a few constants (states of a protocol, flags), re-encoded in a few bits.
//!
//! A variable qualifies if nothing is assigned to it but constants, other such variables, and choices between
//! these, if it has no `havoc`, and if its value at the entry does not matter. Variables that are copied into
//! each other share one code. The engine then works on a program in which the variable holds the number of
//! its value among the few, and every use of it decodes that number.
//!
//! Evidence goes back by the inverse: in formulas the narrow variable is replaced by the code of the wide
//! one, and where the variable matters the formula says that it has one of its values, which holds because
//! every value that reaches such a place was assigned. Executions take the same arcs with the same `havoc`s,
//! as those are on other variables.

use crate::observer::Observer;
use crate::outcome::{Outcome, Proof, Unknown};
use nilas_evidence::{Execution, Invariant};
use nilas_program::{Arc, Automaton, Basic, Command, LiveVariables, LocationId, Program, VarId};
use nilas_term::{Arena, BitVec, Importer, Op, Sort, Substitution, Term};
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

/// A program over codes, and the way back.
pub(crate) struct FewValues {
    pub(crate) program: Program,
    codes: Vec<Code>,
    /// Where the variables of the given program matter.
    live: LiveVariables,
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

impl FewValues {
    /// The program over codes; `None` if no variable has few values.
    pub(crate) fn new(program: &Program) -> Option<FewValues> {
        let live = LiveVariables::new(program);
        let values = Values::new(program, &live);
        let mut result = FewValues { program: program.clone(), codes: Vec::new(), live };
        let Program { automaton, arena } = &mut result.program;
        for id in program.automaton.variable_ids() {
            let variable = &mut automaton.variables[id.index()];
            let Sort::BitVec(width) = variable.sort else { continue };
            let Some((values, bits)) = values.code(id, width) else { continue };
            let sort = Sort::BitVec(bits);
            let narrow = arena.fresh_variable(&variable.name, &sort);
            result.codes.push(Code { variable: id, wide: variable.term, narrow, values });
            (variable.sort, variable.term) = (sort, narrow);
        }
        if result.codes.is_empty() {
            return None;
        }
        let mut decoded = Substitution::new();
        for code in &result.codes {
            let value = code.decode(arena);
            decoded.insert(code.wide, value);
        }
        let by_variable: FxHashMap<VarId, &Code> =
            result.codes.iter().map(|code| (code.variable, code)).collect();
        let by_term: FxHashMap<Term, &Code> = result.codes.iter().map(|code| (code.wide, code)).collect();
        for edge in &mut automaton.edges {
            let mut arcs: Vec<Arc> = edge.command.arcs().to_vec();
            for arc in &mut arcs {
                arc.basic = match arc.basic {
                    Basic::Assume(term) => Basic::Assume(decoded.apply(arena, term)),
                    Basic::Assign(variable, term) => match by_variable.get(&variable) {
                        Some(code) => {
                            Basic::Assign(variable, encode(arena, code, &by_term, &mut decoded, term)?)
                        }
                        None => Basic::Assign(variable, decoded.apply(arena, term)),
                    },
                    other => other,
                };
            }
            if !arcs.is_empty() {
                edge.command = Command::from_arcs(edge.command.nodes(), arcs)?;
            }
        }
        Some(result)
    }

    /// How many variables were re-encoded.
    pub(crate) fn len(&self) -> usize {
        self.codes.len()
    }

    /// What the engine found, about the given program.
    pub(crate) fn restore(&self, given: &Program, outcome: Outcome) -> Outcome {
        match outcome {
            Outcome::Safe(Proof::Invariant(invariant)) => match self.restore_invariant(given, &invariant) {
                Ok(invariant) => Outcome::Safe(Proof::Invariant(invariant)),
                Err(error) => Outcome::Unknown(Unknown::Internal(error)),
            },
            Outcome::Unsafe(execution) => Outcome::Unsafe(self.restore_execution(execution)),
            Outcome::Unknown(Unknown::Unmodelled { span, edge, execution }) => {
                let execution = Box::new(self.restore_execution(*execution));
                Outcome::Unknown(Unknown::Unmodelled { span, edge, execution })
            }
            other => other,
        }
    }

    /// The codes at the entry say nothing: the values there do not matter.
    fn restore_execution(&self, mut execution: Execution) -> Execution {
        for code in &self.codes {
            execution.initial.remove(&code.variable);
        }
        execution
    }

    /// Tells an observer of lemmas at a location, in the variables of the given program where some were
    /// re-encoded.
    pub(crate) fn tell_lemmas(
        few: Option<&FewValues>,
        observer: &mut dyn Observer,
        location: LocationId,
        arena: &Arena,
        lemmas: &[Term],
    ) {
        match few {
            _ if lemmas.is_empty() => {}
            None => observer.lemmas(location, arena, lemmas),
            Some(few) => {
                // A lemma that cannot be carried over is no loss: this is for people.
                if let Ok((arena, lemmas)) = few.restore_lemmas(arena, lemmas) {
                    observer.lemmas(location, &arena, &lemmas);
                }
            }
        }
    }

    /// Lemmas that the engine has learnt, over the variables of the given program.
    fn restore_lemmas(&self, arena: &Arena, lemmas: &[Term]) -> Result<(Arena, Vec<Term>), String> {
        let mut wide_arena = self.program.arena.clone();
        let mut wide = Substitution::new();
        for code in &self.codes {
            let value = code.encode(&mut wide_arena);
            wide.insert(code.narrow, value);
        }
        let mut importer = Importer::new();
        let mut restored = Vec::with_capacity(lemmas.len());
        for &lemma in lemmas {
            let lemma = importer.import(&mut wide_arena, arena, lemma).map_err(|error| error.to_string())?;
            restored.push(wide.apply(&mut wide_arena, lemma));
        }
        Ok((wide_arena, restored))
    }

    fn restore_invariant(&self, given: &Program, found: &Invariant) -> Result<Invariant, String> {
        let automaton: &Automaton = &given.automaton;
        // Over the arena of this program, where both kinds of variables are known.
        let mut arena = self.program.arena.clone();
        let mut importer = Importer::new();
        let mut wide = Substitution::new();
        let mut one_of = Vec::with_capacity(self.codes.len());
        for code in &self.codes {
            let value = code.encode(&mut arena);
            wide.insert(code.narrow, value);
            let mut equalities = Vec::with_capacity(code.values.len());
            for value in &code.values {
                let constant = arena.bv_constant(value.clone());
                equalities.push(arena.eq(code.wide, constant));
            }
            one_of.push(arena.or(&equalities));
        }
        let mut result = Invariant::default();
        let mut outward = Importer::new();
        for (&location, &formula) in &found.formulas {
            let formula =
                importer.import(&mut arena, &found.arena, formula).map_err(|error| error.to_string())?;
            let mut conjuncts = vec![wide.apply(&mut arena, formula)];
            if location != automaton.entry {
                for (code, &one_of) in self.codes.iter().zip(&one_of) {
                    if self.live.contains(location, code.variable) {
                        conjuncts.push(one_of);
                    }
                }
            }
            let formula = arena.and(&conjuncts);
            let formula =
                outward.import(&mut result.arena, &arena, formula).map_err(|error| error.to_string())?;
            result.formulas.insert(location, formula);
        }
        Ok(result)
    }
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
    use nilas_program::parse_program;

    fn program(text: &str) -> Program {
        parse_program(text).expect("a program of this test")
    }

    #[test]
    fn states_and_their_copies_get_one_code() {
        let program = program(TEXT);
        let few = FewValues::new(&program).expect("s and old have three values");
        let names: Vec<&str> =
            few.codes.iter().map(|code| program.automaton.variable(code.variable).name.as_str()).collect();
        assert_eq!(names, ["s", "old"]);
        assert_eq!(few.codes[0].values, few.codes[1].values);
        assert_eq!(few.codes[0].values.len(), 3);
        for code in &few.codes {
            assert_eq!(*few.program.arena.sort(code.narrow), Sort::BitVec(2));
        }
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

    /// The proof over codes is one over values; the wrong program's execution is one of the given program.
    #[test]
    fn evidence_goes_back() {
        use crate::{Engine, Ic3CfaSettings, Options, Silent, Techniques, Verdict, verify};
        let techniques = Techniques::default().with(crate::Technique::FewValues);
        let ic3cfa = Ic3CfaSettings { techniques, check_frames: true, ..Ic3CfaSettings::default() };
        let options = Options { ic3cfa, ..Options::default() };
        let budget = nilas_smt::Budget::unlimited();
        let check =
            |text: &str| verify(&program(text), Engine::Ic3Cfa, &options, &budget, &mut Silent).verdict;
        assert!(matches!(check(TEXT), Verdict::Safe(_)));
        let wrong = TEXT.replace("assume old != 8496", "assume old == 8496");
        assert!(matches!(check(&wrong), Verdict::Unsafe(_)));
    }
}
