//! Term projection (Alg. 3, Fig. 3.5 of the thesis): what a model makes of a formula.
//!
//! The result are literals that hold in the model and imply the formula, over terms without if-then-else:
//! only the branch that the model takes is looked at (lines 14–19), a false conjunction and a true
//! disjunction have one witness (lines 28–37). Every condition on the way is a literal, too.
//!
//! The solver decides what its question needs. A condition is open where both branches are in one class; then
//! their equality is the literal.
//!
//! Terms are simplified when they are made, so what is left of a term when its branches are chosen may be
//! another one, which the model knows nothing of: `F(ite(c, 1, x))` becomes a constant. Theorems A.1 and A.2
//! (a projected term is in the class of the term, a projected formula as true as the formula) are therefore
//! seen to at every step: where they would fail, the term stays as it is. Where only values matter
//! ([`Projection::of_values`]), they need not hold: under the literals a term has the value of its projection,
//! whatever the model says of it.

use nilas_smt::euf::{Class, Partition};
use nilas_term::{Arena, Op, Sort, Term};
use rustc_hash::{FxHashMap, FxHashSet};

/// `S` and `Q` of the thesis, and the search for them.
pub(super) struct Projection<'p, 'e> {
    partition: &'p mut Partition<'e>,
    /// The literals, in the order in which they were found.
    pub(super) literals: Vec<Term>,
    /// The terms, projected, in the order in which they were found.
    pub(super) terms: Vec<Term>,
    found: FxHashSet<Term>,
    todo: Vec<(Term, bool)>,
    done: FxHashSet<(Term, bool)>,
    projected: FxHashMap<Term, Term>,
    /// Whether projections may be terms that the model knows nothing of.
    of_values: bool,
}

impl<'p, 'e> Projection<'p, 'e> {
    pub(super) fn new(partition: &'p mut Partition<'e>) -> Self {
        Projection {
            partition,
            literals: Vec::new(),
            terms: Vec::new(),
            found: FxHashSet::default(),
            todo: Vec::new(),
            done: FxHashSet::default(),
            projected: FxHashMap::default(),
            of_values: false,
        }
    }

    /// For questions about values: what is found follows the model, but need not hold in it.
    pub(super) fn of_values(partition: &'p mut Partition<'e>) -> Self {
        Projection { of_values: true, ..Self::new(partition) }
    }

    /// Projects a formula that holds.
    pub(super) fn formula(&mut self, arena: &mut Arena, formula: Term) {
        self.todo.push((formula, true));
        while let Some((formula, value)) = self.todo.pop() {
            if self.done.insert((formula, value)) {
                self.part(arena, formula, value);
            }
        }
    }

    /// TPRec of a formula that has this value.
    fn part(&mut self, arena: &mut Arena, formula: Term, value: bool) {
        let children = arena.children(formula).to_vec();
        let boolean = children.first().is_some_and(|&child| *arena.sort(child) == Sort::Bool);
        match arena.op(formula) {
            Op::Const(_) => {}
            Op::Not => self.todo.push((children[0], !value)),
            op @ (Op::And | Op::Or) if (op == Op::And) == value => {
                self.todo.extend(children.iter().rev().map(|&child| (child, value)));
            }
            Op::And | Op::Or => {
                let witness =
                    children.iter().find(|&&child| self.partition.holds(arena, child) == Some(value));
                match witness {
                    Some(&child) => self.todo.push((child, value)),
                    None => self.literal(arena, formula, value),
                }
            }
            Op::Ite => match self.partition.holds(arena, children[0]) {
                Some(condition) => {
                    self.todo.push((children[if condition { 1 } else { 2 }], value));
                    self.todo.push((children[0], condition));
                }
                None => self.literal(arena, formula, value),
            },
            Op::Eq | Op::Xor if boolean => {
                let values = children.iter().map(|&child| self.partition.holds(arena, child));
                match values.collect::<Option<Vec<bool>>>() {
                    Some(values) => self.todo.extend(children.into_iter().zip(values)),
                    None => self.literal(arena, formula, value),
                }
            }
            _ => self.literal(arena, formula, value),
        }
    }

    /// An atom, or what the model does not decide the parts of.
    fn literal(&mut self, arena: &mut Arena, atom: Term, value: bool) {
        let children: Vec<Term> = arena.children(atom).to_vec();
        let is_atom = children.iter().all(|&child| *arena.sort(child) != Sort::Bool);
        let projected = if is_atom && !children.is_empty() {
            let children: Vec<Term> = children.into_iter().map(|child| self.term(arena, child)).collect();
            arena.mk(arena.op(atom), &children)
        } else {
            atom
        };
        let [projected, atom] = [projected, atom].map(|atom| if value { atom } else { arena.not(atom) });
        // What simplification decides says nothing of the step that could be learnt.
        let faithful = self.partition.holds(arena, projected) == Some(true)
            || self.of_values && arena.as_bool(projected).is_none();
        let literal = if faithful { projected } else { atom };
        if arena.as_bool(literal).is_none() && self.found.insert(literal) {
            self.literals.push(literal);
        }
    }

    /// TPRec of a term.
    pub(super) fn term(&mut self, arena: &mut Arena, term: Term) -> Term {
        let mut stack = vec![(term, false)];
        while let Some((term, ready)) = stack.pop() {
            if self.projected.contains_key(&term) {
                continue;
            }
            let children = arena.children(term).to_vec();
            let branch = (arena.op(term) == Op::Ite)
                .then(|| self.partition.holds(arena, children[0]))
                .flatten()
                .map(|condition| (condition, children[if condition { 1 } else { 2 }]));
            let needed = match branch {
                Some((_, taken)) => vec![taken],
                None => children.clone(),
            };
            let is_word = |&child: &Term| *arena.sort(child) != Sort::Bool;
            if !ready {
                stack.push((term, true));
                stack.extend(needed.into_iter().filter(is_word).map(|child| (child, false)));
                continue;
            }
            let of = |child: &Term| self.projected.get(child).copied().unwrap_or(*child);
            let found = match branch {
                Some((condition, taken)) => {
                    self.todo.push((children[0], condition));
                    of(&taken)
                }
                None if arena.op(term) == Op::Ite => {
                    // A condition is left open only where both branches are equal: then that is what is said.
                    let (then, otherwise) = (of(&children[1]), of(&children[2]));
                    let same = arena.eq(then, otherwise);
                    if self.partition.holds(arena, same) == Some(true) {
                        self.todo.push((same, true));
                        otherwise
                    } else {
                        arena.ite(children[0], then, otherwise)
                    }
                }
                None if children.is_empty() => term,
                None => {
                    let children: Vec<Term> = children.iter().map(of).collect();
                    arena.mk(arena.op(term), &children)
                }
            };
            let class = self.partition.class(arena, term);
            let faithful = self.of_values
                || found == term
                || class.is_some() && self.partition.class(arena, found) == class;
            let found = if faithful { found } else { term };
            self.add_terms([found]);
            self.projected.insert(term, found);
        }
        self.projected[&term]
    }

    /// The terms by class, in the order in which they were found; terms of no class are left out.
    pub(super) fn classes(&mut self, arena: &Arena) -> Vec<Vec<Term>> {
        let (mut classes, mut number): (Vec<Vec<Term>>, FxHashMap<Class, usize>) = Default::default();
        for &term in &self.terms {
            let Some(class) = self.partition.class(arena, term) else { continue };
            let next = classes.len();
            match *number.entry(class).or_insert(next) {
                new if new == next => classes.push(vec![term]),
                known => classes[known].push(term),
            }
        }
        classes
    }

    /// Whether a literal holds in the model.
    pub(super) fn holds(&mut self, arena: &Arena, literal: Term) -> bool {
        self.partition.holds(arena, literal) == Some(true)
    }

    /// The truth value of a formula, if the model has one.
    pub(super) fn truth(&mut self, arena: &Arena, formula: Term) -> Option<bool> {
        self.partition.holds(arena, formula)
    }

    /// Terms that count as found, so that inputs can be expressed by them.
    pub(super) fn add_terms(&mut self, terms: impl IntoIterator<Item = Term>) {
        for term in terms {
            if self.found.insert(term) {
                self.terms.push(term);
            }
        }
    }
}
