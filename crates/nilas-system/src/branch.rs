//! The constraint of a clause as guarded assignments.
//!
//! Variables that the body does not fix are solved for where an equation says what they are, so that most of
//! what a relation leaves to a solver becomes an assignment. Where a disjunction stands in the way (the usual
//! form of a program's relation: one disjunct per step) each disjunct becomes a branch of its own.

use nilas_program::solve_for;
use nilas_term::{Arena, Op, Sort, Substitution, Term};
use rustc_hash::FxHashSet;

/// More branches are not made of one clause: what is left stays a guard.
const MOST: usize = 256;

/// One way to satisfy a clause.
#[derive(Clone, Debug)]
pub(crate) struct Branch {
    /// What must hold, over the variables of the body and those that are left open.
    pub(crate) guard: Term,
    /// The arguments of the head.
    pub(crate) head: Vec<Term>,
    /// Variables that were solved for, with their values.
    pub(crate) solved: Vec<(Term, Term)>,
    /// Variables that are left open, by id.
    pub(crate) open: Vec<Term>,
}

struct Open {
    conjuncts: Vec<Term>,
    head: Vec<Term>,
    solved: Vec<(Term, Term)>,
    free: FxHashSet<Term>,
}

/// The branches of a constraint with the arguments of a head, where `free` are the variables that may be
/// solved for. No branch: the constraint is false.
pub(crate) fn branches(arena: &mut Arena, constraint: Term, head: &[Term], free: &[Term]) -> Vec<Branch> {
    let free = free.iter().copied().collect();
    let mut waiting =
        vec![Open { conjuncts: vec![constraint], head: head.to_vec(), solved: Vec::new(), free }];
    let mut done = Vec::new();
    while let Some(mut open) = waiting.pop() {
        if !open.solve(arena) {
            continue;
        }
        let room = MOST.saturating_sub(done.len() + waiting.len());
        match open.split(arena, room) {
            // The first disjunct is looked at first.
            Some(parts) => waiting.extend(parts.into_iter().rev()),
            None => done.push(open.finish(arena)),
        }
    }
    done
}

impl Open {
    /// Solves equations until none is left; `false` if the branch is impossible.
    fn solve(&mut self, arena: &mut Arena) -> bool {
        loop {
            let whole = arena.and(&self.conjuncts);
            self.conjuncts = match (arena.as_bool(whole), arena.op(whole)) {
                (Some(false), _) => return false,
                (Some(true), _) => Vec::new(),
                (_, Op::And) => arena.children(whole).to_vec(),
                _ => vec![whole],
            };
            let mut batch: Vec<(Term, Term)> = Vec::new();
            // Variables that a definition of this batch defines or mentions.
            let mut touched: FxHashSet<Term> = FxHashSet::default();
            let mut kept = Vec::new();
            for &conjunct in &self.conjuncts {
                match self.definition(arena, conjunct, &touched) {
                    Some((variable, value)) => {
                        touched.insert(variable);
                        touched.extend(arena.free_variables(value));
                        batch.push((variable, value));
                    }
                    None => kept.push(conjunct),
                }
            }
            if batch.is_empty() {
                return true;
            }
            let mut known: Substitution = batch.iter().copied().collect();
            for term in kept.iter_mut().chain(&mut self.head) {
                *term = known.apply(arena, *term);
            }
            for (_, value) in &mut self.solved {
                *value = known.apply(arena, *value);
            }
            for (variable, _) in &batch {
                self.free.remove(variable);
            }
            self.solved.extend(batch);
            self.conjuncts = kept;
        }
    }

    /// The variable that a conjunct defines, with its value. Neither is touched by the batch yet.
    fn definition(
        &self,
        arena: &mut Arena,
        conjunct: Term,
        touched: &FxHashSet<Term>,
    ) -> Option<(Term, Term)> {
        let open = |term: &Term| self.free.contains(term) && !touched.contains(term);
        if open(&conjunct) {
            return Some((conjunct, arena.mk_true()));
        }
        let (equation, negated) = match (arena.op(conjunct), arena.children(conjunct)) {
            (Op::Not, &[child]) if open(&child) => return Some((child, arena.mk_false())),
            (Op::Not, &[child]) if arena.op(child) == Op::Eq => (child, true),
            (Op::Eq, _) => (conjunct, false),
            _ => return None,
        };
        let &[left, right] = arena.children(equation) else { return None };
        if negated && *arena.sort(left) != Sort::Bool {
            return None;
        }
        let mut candidates: Vec<Term> = Vec::new();
        for side in [left, right] {
            match arena.op(side) {
                Op::Var(_) => candidates.push(side),
                Op::BvAdd => candidates.extend_from_slice(arena.children(side)),
                _ => {}
            }
        }
        for variable in candidates {
            if !open(&variable) {
                continue;
            }
            let value = solve_for(arena, variable, left, right)
                .or_else(|| solve_for(arena, variable, right, left));
            if let Some(value) = value
                && arena.free_variables(value).iter().all(|mentioned| {
                    // A variable that the batch defines would have to be replaced first.
                    !touched.contains(mentioned) || !self.free.contains(mentioned)
                })
            {
                return Some((variable, if negated { arena.not(value) } else { value }));
            }
        }
        None
    }

    /// The branches of the first disjunction or choice that mentions an open variable.
    fn split(&self, arena: &mut Arena, room: usize) -> Option<Vec<Open>> {
        for (index, &conjunct) in self.conjuncts.iter().enumerate() {
            let children = arena.children(conjunct).to_vec();
            let ways: Vec<Term> = match (arena.op(conjunct), &children[..]) {
                (Op::Or, _) => children,
                (Op::Ite, &[condition, yes, no]) => {
                    let not = arena.not(condition);
                    vec![arena.and(&[condition, yes]), arena.and(&[not, no])]
                }
                _ => continue,
            };
            let mentions = arena.free_variables(conjunct).iter().any(|free| self.free.contains(free));
            if !mentions || ways.len() > room {
                continue;
            }
            let part = |way: Term| {
                let mut conjuncts = self.conjuncts.clone();
                conjuncts[index] = way;
                Open {
                    conjuncts,
                    head: self.head.clone(),
                    solved: self.solved.clone(),
                    free: self.free.clone(),
                }
            };
            return Some(ways.into_iter().map(part).collect());
        }
        None
    }

    fn finish(self, arena: &mut Arena) -> Branch {
        let guard = arena.and(&self.conjuncts);
        let values = self.solved.iter().map(|&(_, value)| value);
        let terms: Vec<Term> = self.head.iter().copied().chain([guard]).chain(values).collect();
        let mut open = arena.free_variables_of(&terms);
        open.retain(|variable| self.free.contains(variable));
        Branch { guard, head: self.head, solved: self.solved, open }
    }
}
