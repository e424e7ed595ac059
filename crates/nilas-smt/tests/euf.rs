//! The EUF solver against enumeration of partitions, the embedded solver and z3.
//!
//! Formulas are over functions and constants at a width that has more values than a formula has terms: there,
//! bits decide EUF, too. `NILAS_EUF_FORMULAS` says how many formulas are tried.

#![allow(clippy::unwrap_used, clippy::print_stderr)]

mod common;

use common::Rng;
use nilas_smt::pipe::discover;
use nilas_smt::{Activation, Answer, Budget, Embedded, Euf, Solver};
use nilas_term::{Arena, Op, Sort, SymbolId, Term};
use std::collections::{BTreeMap, BTreeSet};

const WIDTH: u32 = 6;

const COUNT: &str = "NILAS_EUF_FORMULAS";

fn count() -> u64 {
    std::env::var(COUNT).ok().and_then(|text| text.parse().ok()).unwrap_or(400)
}

/// Makers of terms over a few variables, functions and predicates.
struct Language {
    variables: Vec<Term>,
    booleans: Vec<Term>,
    unary: SymbolId,
    binary: SymbolId,
    predicate: SymbolId,
    constants: u64,
}

impl Language {
    fn new(arena: &mut Arena, variables: usize, constants: u64) -> Self {
        let word = Sort::BitVec(WIDTH);
        Language {
            variables: (0..variables).map(|i| arena.variable(&format!("x{i}"), &word).unwrap()).collect(),
            booleans: (0..2).map(|i| arena.variable(&format!("b{i}"), &Sort::Bool).unwrap()).collect(),
            unary: arena.declare("f", vec![word.clone()], word.clone()).unwrap(),
            binary: arena.declare("g", vec![word.clone(), word.clone()], word.clone()).unwrap(),
            predicate: arena.declare("p", vec![word], Sort::Bool).unwrap(),
            constants,
        }
    }

    fn word(&self, arena: &mut Arena, rng: &mut Rng, depth: u32) -> Term {
        if depth == 0 || rng.chance(35) {
            return if self.constants > 0 && rng.chance(20) {
                arena.bv(WIDTH, rng.below(self.constants))
            } else {
                rng.pick(&self.variables)
            };
        }
        let one = self.word(arena, rng, depth - 1);
        match rng.below(6) {
            0 | 1 => arena.mk(Op::Apply(self.unary), &[one]),
            2 | 3 => {
                let other = self.word(arena, rng, depth - 1);
                arena.mk(Op::Apply(self.binary), &[one, other])
            }
            4 => {
                let condition = self.atom(arena, rng, depth - 1);
                let other = self.word(arena, rng, depth - 1);
                arena.ite(condition, one, other)
            }
            _ => one,
        }
    }

    fn atom(&self, arena: &mut Arena, rng: &mut Rng, depth: u32) -> Term {
        match rng.below(8) {
            0 => rng.pick(&self.booleans),
            1 | 2 => {
                let word = self.word(arena, rng, depth);
                arena.mk(Op::Apply(self.predicate), &[word])
            }
            _ => {
                let (left, right) = (self.word(arena, rng, depth), self.word(arena, rng, depth));
                arena.eq(left, right)
            }
        }
    }

    fn literal(&self, arena: &mut Arena, rng: &mut Rng, depth: u32) -> Term {
        let atom = self.atom(arena, rng, depth);
        if rng.chance(40) { arena.not(atom) } else { atom }
    }

    fn formula(&self, arena: &mut Arena, rng: &mut Rng, depth: u32, nesting: u32) -> Term {
        if nesting == 0 {
            return self.literal(arena, rng, depth);
        }
        let parts: Vec<Term> =
            (0..2 + rng.below(2)).map(|_| self.formula(arena, rng, depth, nesting - 1)).collect();
        match rng.below(5) {
            0 => arena.and(&parts),
            1 => arena.xor(parts[0], parts[1]),
            2 => arena.eq(parts[0], parts[1]),
            _ => arena.or(&parts),
        }
    }
}

/// All terms below these, children first.
fn subterms(arena: &Arena, terms: &[Term]) -> Vec<Term> {
    let (mut seen, mut stack) = (BTreeSet::new(), terms.to_vec());
    while let Some(term) = stack.pop() {
        if seen.insert(term) {
            stack.extend_from_slice(arena.children(term));
        }
    }
    // Children have smaller numbers.
    seen.into_iter().collect()
}

/// Whether some partition satisfies the formulas: by trying all of them, with all truth values.
fn by_partitions(arena: &Arena, formulas: &[Term], free: &[Term], words: &[Term], all: &[Term]) -> bool {
    fn extend(classes: &mut Vec<usize>, rest: usize, try_one: &mut dyn FnMut(&[usize]) -> bool) -> bool {
        if rest == 0 {
            return try_one(classes);
        }
        let next = classes.iter().max().map_or(0, |max| max + 1);
        (0..=next).any(|class| {
            classes.push(class);
            let found = extend(classes, rest - 1, try_one);
            classes.pop();
            found
        })
    }
    extend(&mut Vec::new(), words.len(), &mut |classes| {
        let class: BTreeMap<Term, usize> = words.iter().copied().zip(classes.iter().copied()).collect();
        let mut results: BTreeMap<(Op, Vec<usize>), usize> = BTreeMap::new();
        let mut constants = BTreeSet::new();
        for &word in words {
            let arguments = arena.children(word).iter().map(|child| class.get(child).copied());
            match arena.op(word) {
                Op::Const(_) if !constants.insert(class[&word]) => return false,
                Op::Apply(symbol) => {
                    let key = (Op::Apply(symbol), arguments.map(Option::unwrap).collect());
                    if *results.entry(key).or_insert(class[&word]) != class[&word] {
                        return false;
                    }
                }
                _ => {}
            }
        }
        (0..1_u32 << free.len()).any(|bits| {
            let mut truths: BTreeMap<Term, bool> = BTreeMap::new();
            let mut predicates: BTreeMap<usize, bool> = BTreeMap::new();
            for &term in all.iter().filter(|&&term| *arena.sort(term) == Sort::Bool) {
                let children = arena.children(term);
                let truth = |index: usize| truths[&children[index]];
                let guess = |term| bits >> free.iter().position(|&it| it == term).unwrap() & 1 == 1;
                let value = match arena.op(term) {
                    Op::Const(_) => arena.as_bool(term).unwrap(),
                    Op::Var(_) => guess(term),
                    Op::Apply(_) => *predicates.entry(class[&children[0]]).or_insert(guess(term)),
                    Op::Not => !truth(0),
                    Op::And => (0..children.len()).all(truth),
                    Op::Or => (0..children.len()).any(truth),
                    Op::Xor => truth(0) != truth(1),
                    Op::Eq if *arena.sort(children[0]) == Sort::Bool => truth(0) == truth(1),
                    Op::Eq => class[&children[0]] == class[&children[1]],
                    Op::Ite => truth(if truth(0) { 1 } else { 2 }),
                    op => panic!("{op:?}"),
                };
                truths.insert(term, value);
            }
            let chosen = |word: &Term| {
                let children = arena.children(*word);
                arena.op(*word) != Op::Ite
                    || class[word] == class[&children[if truths[&children[0]] { 1 } else { 2 }]]
            };
            words.iter().all(chosen) && formulas.iter().all(|formula| truths[formula])
        })
    })
}

/// Whether the model that the solver has is a partition in which all formulas hold.
fn confirm(arena: &Arena, euf: &Euf, formulas: &[Term]) {
    let mut partition = euf.partition().unwrap();
    for &formula in formulas {
        assert_eq!(partition.holds(arena, formula), Some(true), "{}", show(arena, formula));
    }
    let mut results = BTreeMap::new();
    for term in subterms(arena, formulas) {
        // Where a formula holds anyway, the truth of its parts may be open, and so may be words with conditions.
        let Some(class) = partition.class(arena, term) else { continue };
        if let Op::Apply(symbol) = arena.op(term) {
            let arguments: Option<Vec<_>> =
                arena.children(term).iter().map(|&child| partition.class(arena, child)).collect();
            let Some(arguments) = arguments else { continue };
            let known = results.entry((symbol, arguments)).or_insert(class.clone());
            assert_eq!(*known, class, "{}", show(arena, term));
        }
        if let Some(value) = arena.as_value(term) {
            assert_eq!(partition.value(&class).as_ref(), Some(value));
        }
    }
}

fn show(arena: &Arena, term: Term) -> String {
    nilas_term::smtlib::print_term(arena, term)
}

#[test]
fn small_formulas_against_all_partitions() {
    let mut answers = [0; 2];
    let mut seed = 0;
    while answers[0] + answers[1] < count() {
        seed += 1;
        let mut rng = Rng::new(seed);
        let mut arena = Arena::new();
        let language = Language::new(&mut arena, 3, 2);
        let number = 2 + rng.below(4);
        let formulas: Vec<Term> = (0..number)
            .map(|_| {
                let nesting = u32::from(rng.chance(60));
                language.formula(&mut arena, &mut rng, 2, nesting)
            })
            .collect();
        let all = subterms(&arena, &formulas);
        let words: Vec<Term> = all.iter().copied().filter(|&it| *arena.sort(it) != Sort::Bool).collect();
        let is_free = |&it: &Term| matches!(arena.op(it), Op::Var(_) | Op::Apply(_));
        let free: Vec<Term> =
            all.iter().copied().filter(|&it| *arena.sort(it) == Sort::Bool).filter(is_free).collect();
        if words.len() > 6 || free.len() > 4 {
            continue;
        }
        let mut euf = Euf::new();
        let answer = euf.check(&arena, &[], &formulas, &Budget::unlimited());
        let expected = by_partitions(&arena, &formulas, &free, &words, &all);
        let shown: Vec<String> = formulas.iter().map(|&formula| show(&arena, formula)).collect();
        assert_eq!(answer == Answer::Sat, expected, "seed {seed}: {shown:#?}");
        answers[usize::from(expected)] += 1;
        if expected {
            confirm(&arena, &euf, &formulas);
        }
    }
    assert!(answers.iter().all(|&number| number > count() / 20), "{answers:?}");
}

/// One solver, many questions: assertions, activations that come and go, assumptions, cores.
#[test]
fn streams_against_the_embedded_solver() {
    let mut answers = [0_u64; 2];
    let mut seed = 0;
    while answers[0] + answers[1] < count() {
        seed += 1;
        let mut rng = Rng::new(seed);
        let mut arena = Arena::new();
        let language = Language::new(&mut arena, 4, 3);
        let (mut euf, mut forever) = (Euf::new(), Vec::new());
        let mut active: Vec<(Activation, Vec<Term>)> = Vec::new();
        for question in 0..12 {
            if rng.chance(30) {
                let formula = language.formula(&mut arena, &mut rng, 2, 2);
                euf.assert(&arena, formula);
                forever.push(formula);
            }
            if rng.chance(40) {
                let activation = euf.activation();
                let formulas: Vec<Term> =
                    (0..2).map(|_| language.formula(&mut arena, &mut rng, 2, 1)).collect();
                for &formula in &formulas {
                    euf.assert_under(&arena, activation, formula);
                }
                active.push((activation, formulas));
            }
            if active.len() > 2 {
                let (activation, _) = active.remove(usize::try_from(rng.below(3)).unwrap());
                euf.retire(activation);
            }
            let named: Vec<&(Activation, Vec<Term>)> = active.iter().filter(|_| rng.chance(70)).collect();
            let activations: Vec<Activation> = named.iter().map(|it| it.0).collect();
            let assumptions: Vec<Term> =
                (0..rng.below(6)).map(|_| language.literal(&mut arena, &mut rng, 2)).collect();
            let answer = euf.check(&arena, &activations, &assumptions, &Budget::unlimited());
            let under = named.iter().flat_map(|it| it.1.iter().copied());
            let asked: Vec<Term> =
                forever.iter().copied().chain(under).chain(assumptions.iter().copied()).collect();
            let mut bits: Embedded = Embedded::new();
            let expected = bits.check(&arena, &[], &asked, &Budget::unlimited());
            let shown: Vec<String> = asked.iter().map(|&formula| show(&arena, formula)).collect();
            assert_eq!(answer, expected, "seed {seed}, question {question}: {shown:#?}");
            answers[usize::from(answer == Answer::Sat)] += 1;
            if answer == Answer::Sat {
                confirm(&arena, &euf, &asked);
                continue;
            }
            let in_core = |it: &&&(Activation, Vec<Term>)| euf.failed_activations().contains(&it.0);
            let under = named.iter().filter(in_core).flat_map(|it| it.1.iter().copied());
            let core: Vec<Term> =
                forever.iter().copied().chain(under).chain(euf.failed().iter().copied()).collect();
            let mut bits: Embedded = Embedded::new();
            let again = bits.check(&arena, &[], &core, &Budget::unlimited());
            assert_eq!(again, Answer::Unsat, "seed {seed}, question {question}: the core is none");
        }
    }
    assert!(answers.iter().all(|&number| number > count() / 20), "{answers:?}");
}

#[test]
fn formulas_against_z3() {
    let Some(z3) = discover().into_iter().find(|found| found.name() == "z3") else {
        eprintln!("notice: z3 is not on PATH, so the EUF solver is not compared with it");
        return;
    };
    let mut arena = Arena::new();
    let language = Language::new(&mut arena, 5, 4);
    let (mut other, mut answers) = (z3.start(), [0; 2]);
    // A process is slower than enumeration.
    let count = if std::env::var_os(COUNT).is_some() { count() } else { count() / 4 };
    for seed in 0..count {
        let mut rng = Rng::new(seed);
        let number = 3 + rng.below(9);
        let formulas: Vec<Term> = (0..number)
            .map(|_| {
                let nesting = u32::from(rng.chance(70));
                language.formula(&mut arena, &mut rng, 3, nesting)
            })
            .collect();
        let mut euf = Euf::new();
        let answer = euf.check(&arena, &[], &formulas, &Budget::unlimited());
        let expected = other.check(&arena, &[], &formulas, &Budget::unlimited());
        let shown: Vec<String> = formulas.iter().map(|&formula| show(&arena, formula)).collect();
        assert_eq!(answer, expected, "seed {seed}: {shown:#?}");
        answers[usize::from(answer == Answer::Sat)] += 1;
        if answer == Answer::Sat {
            confirm(&arena, &euf, &formulas);
        }
    }
    assert!(answers.iter().all(|&number| number > count / 50), "{answers:?}");
}

/// Whatever theory terms belong to: *unsat* is right, also where operators are computed on values.
#[test]
fn unsat_holds_in_the_theory_of_bit_vectors() {
    let mut answers = [0_u64; 2];
    let mut more = 0;
    for seed in 0..count() {
        let mut rng = Rng::new(seed);
        let mut arena = Arena::new();
        let formulas = common::Formulas::new(&mut arena, 3, 3, 2);
        let asked: Vec<Term> = (0..4 + rng.below(5))
            .map(|_| {
                let depth = u32::try_from(rng.below(3)).unwrap();
                formulas.boolean(&mut arena, &mut rng, depth)
            })
            .collect();
        let mut plain = Euf::new();
        let mut computing = Euf::computing();
        let [plain, computing] = [&mut plain, &mut computing].map(|euf| {
            let answer = euf.check(&arena, &[], &asked, &Budget::unlimited());
            let core = if answer == Answer::Unsat { euf.failed().to_vec() } else { asked.clone() };
            let mut bits: Embedded = Embedded::new();
            let expected = bits.check(&arena, &[], &core, &Budget::unlimited());
            let shown: Vec<String> = core.iter().map(|&formula| show(&arena, formula)).collect();
            assert!(answer == Answer::Sat || expected == Answer::Unsat, "seed {seed}: {shown:#?}");
            if answer == Answer::Sat {
                let mut partition = euf.partition().unwrap();
                for &formula in &asked {
                    assert_eq!(partition.holds(&arena, formula), Some(true), "seed {seed}");
                }
            }
            answer
        });
        answers[usize::from(computing == Answer::Sat)] += 1;
        assert!(plain == Answer::Sat || computing == Answer::Unsat, "seed {seed}");
        more += u64::from(plain != computing);
    }
    assert!(answers.iter().all(|&number| number > count() / 20), "{answers:?}");
    assert!(more > 0);
}

/// An equality with a branch of an if-then-else brings the other branch into the question.
#[test]
fn an_if_then_else_is_one_of_its_branches() {
    let mut arena = Arena::new();
    let [x, y] = ["x", "y"].map(|name| arena.variable(name, &Sort::BitVec(8)).unwrap());
    let equal = arena.eq(x, y);
    let word = arena.ite(equal, x, y);
    let differs = arena.ne(word, y);
    let mut euf = Euf::new();
    assert_eq!(euf.check(&arena, &[], &[differs], &Budget::unlimited()), Answer::Unsat);
}

/// A model decides what the question needs and leaves the rest open: no condition of a term that nothing
/// speaks of, but that of one that something does.
#[test]
fn models_decide_what_is_needed() {
    let mut arena = Arena::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| arena.variable(name, &Sort::BitVec(8)).unwrap());
    let [p, c, d] = ["p", "c", "d"].map(|name| arena.variable(name, &Sort::Bool).unwrap());
    let first = arena.ite(c, x, y);
    let second = arena.ite(d, y, z);
    let (first, second) = (arena.bv_mul(first, z), arena.bv_mul(second, x));
    let five = arena.bv(8, 5);
    let (is_first, is_second) = (arena.eq(first, five), arena.eq(second, five));
    let mut euf = Euf::new();
    euf.assert_clause(&mut arena, &[p, is_second]);
    let asked = [is_first, p];
    assert_eq!(euf.check(&arena, &[], &asked, &Budget::unlimited()), Answer::Sat);
    let mut partition = euf.partition().unwrap();
    assert_eq!(partition.holds(&arena, is_first), Some(true));
    assert!(partition.holds(&arena, c).is_some());
    assert_eq!(partition.holds(&arena, d), None);
    assert_eq!(partition.class(&arena, second), None);
}

/// An if-then-else between formulas has its condition decided, even where both branches could be true.
#[test]
fn a_choice_between_formulas_is_made() {
    let mut arena = Arena::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| arena.variable(name, &Sort::BitVec(8)).unwrap());
    let c = arena.variable("c", &Sort::Bool).unwrap();
    let (then, otherwise) = (arena.eq(x, y), arena.eq(x, z));
    let choice = arena.ite(c, then, otherwise);
    let mut euf = Euf::new();
    assert_eq!(euf.check(&arena, &[], &[choice], &Budget::unlimited()), Answer::Sat);
    assert!(euf.partition().unwrap().holds(&arena, c).is_some());
}

/// A literal in normal form and its negation are about one atom.
#[test]
fn comparisons_and_their_negations_exclude_each_other() {
    let mut arena = Arena::new();
    let [x, y] = ["x", "y"].map(|name| arena.variable(name, &Sort::BitVec(8)).unwrap());
    let five = arena.bv(8, 5);
    for (left, right) in [(x, y), (x, five), (five, x)] {
        for op in [Op::BvUlt, Op::BvUle, Op::BvSlt, Op::BvSle] {
            let literal = arena.mk(op, &[left, right]);
            let negation = arena.not(literal);
            let mut euf = Euf::new();
            assert_eq!(euf.check(&arena, &[], &[literal, negation], &Budget::unlimited()), Answer::Unsat);
            let either = [literal, negation];
            euf.assert_clause(&mut arena, &either);
            for literal in either {
                assert_eq!(euf.check(&arena, &[], &[literal], &Budget::unlimited()), Answer::Sat);
                assert_eq!(euf.partition().unwrap().holds(&arena, literal), Some(true));
            }
        }
    }
}
