//! The constraint of a clause as guarded assignments.
//!
//! Variables that the body does not fix are solved for where an equation says what they are, so that most of
//! what a relation leaves to a solver becomes an assignment. Where a disjunction stands in the way (the usual
//! form of a program's relation: one disjunct per step) each disjunct becomes a branch of its own. Where all
//! that is said about a variable are equations under conditions (the form of relations made from static
//! single assignments), its value is a choice between them, and nothing branches.
//!
//! A relation that was made from clauses (the functional re-encoding, Alg. 9 of the EUFORIA thesis) says `a = B`,
//! where `B` is the whole body of a clause with inputs of its own and `a` that the clause is applied. That
//! branches: on the one side the equations of `B` are solved, on the other `¬B` holds by choice of an input.

use nilas_program::solve_for;
use nilas_term::{Arena, Op, Sort, Substitution, Term};
use rustc_hash::{FxHashMap, FxHashSet};

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
    /// Variables that stand for what no condition covers.
    anything: FxHashSet<Term>,
    /// Whether truth values of conjunctions are kept for branching.
    by_bodies: bool,
}

/// The branches of a constraint with the arguments of a head, where `free` are the variables that may be
/// solved for. No branch: the constraint is false.
pub(crate) fn branches(arena: &mut Arena, constraint: Term, head: &[Term], free: &[Term]) -> Vec<Branch> {
    let free = free.iter().copied().collect();
    let mut waiting = vec![Open {
        conjuncts: vec![constraint],
        head: head.to_vec(),
        solved: Vec::new(),
        free,
        anything: FxHashSet::default(),
        by_bodies: true,
    }];
    let mut done = Vec::new();
    while let Some(mut open) = waiting.pop() {
        let mut possible = open.solve(arena);
        while possible && (open.release(arena) || open.merge(arena)) {
            possible = open.solve(arena);
        }
        if !possible {
            continue;
        }
        let room = MOST.saturating_sub(done.len() + waiting.len());
        match open.split(arena, room) {
            // The first disjunct is looked at first.
            Some(parts) => waiting.extend(parts.into_iter().rev()),
            None if open.has_bodies(arena) => {
                // There is no room for them.
                open.by_bodies = false;
                waiting.push(open);
            }
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
            let mentions = self.mentions(arena);
            // Variables that a definition of this batch defines or mentions.
            let mut touched: FxHashSet<Term> = FxHashSet::default();
            let mut kept = Vec::new();
            for &conjunct in &self.conjuncts {
                match self.definition(arena, conjunct, &touched) {
                    Some((variable, value))
                        if !(mentions[&variable] > 1 && self.is_body(arena, conjunct, value)) =>
                    {
                        touched.insert(variable);
                        touched.extend(arena.free_variables(value));
                        batch.push((variable, value));
                    }
                    _ => kept.push(conjunct),
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

    /// How many conjuncts and arguments of the head mention each open variable.
    fn mentions(&self, arena: &Arena) -> FxHashMap<Term, usize> {
        let mut mentions = FxHashMap::default();
        for &term in self.conjuncts.iter().chain(&self.head) {
            for variable in arena.free_variables(term) {
                if self.free.contains(&variable) {
                    *mentions.entry(variable).or_default() += 1;
                }
            }
        }
        mentions
    }

    /// Whether a conjunct says that a truth value is that of a conjunction with equations to solve.
    fn is_body(&self, arena: &mut Arena, conjunct: Term, value: Term) -> bool {
        let nothing = FxHashSet::default();
        self.by_bodies
            && arena.op(conjunct) == Op::Eq
            && arena.op(value) == Op::And
            && arena
                .children(value)
                .to_vec()
                .into_iter()
                .any(|child| arena.op(child) == Op::Eq && self.definition(arena, child, &nothing).is_some())
    }

    /// Whether something is kept for branching.
    fn has_bodies(&self, arena: &mut Arena) -> bool {
        self.conjuncts.iter().any(|&conjunct| {
            let sides = arena.children(conjunct).to_vec();
            sides.into_iter().any(|side| self.is_body(arena, conjunct, side))
        })
    }

    /// Drops the conjuncts that a variable which nothing else mentions makes true: where one of the disjuncts
    /// is `v ≠ t`, the variable is something else than `t`. Whether there was one.
    fn release(&mut self, arena: &mut Arena) -> bool {
        let mentions = self.mentions(arena);
        let mut released: Vec<(Term, Term)> = Vec::new();
        let mut kept = Vec::with_capacity(self.conjuncts.len());
        for conjunct in std::mem::take(&mut self.conjuncts) {
            match self.released(arena, conjunct, &mentions) {
                Some(found) => released.push(found),
                None => kept.push(conjunct),
            }
        }
        self.conjuncts = kept;
        for (variable, value) in &released {
            self.free.remove(variable);
            let mut known: Substitution = [(*variable, *value)].into_iter().collect();
            for (_, earlier) in &mut self.solved {
                *earlier = known.apply(arena, *earlier);
            }
            self.solved.push((*variable, *value));
        }
        !released.is_empty()
    }

    /// The variable that makes a conjunct true, with a value for which it does.
    fn released(
        &self,
        arena: &mut Arena,
        conjunct: Term,
        mentions: &FxHashMap<Term, usize>,
    ) -> Option<(Term, Term)> {
        let disjuncts = match (arena.op(conjunct), arena.children(conjunct)) {
            (Op::Or, children) => children.to_vec(),
            (Op::Not, &[child]) if arena.op(child) == Op::And => {
                let children = arena.children(child).to_vec();
                children.into_iter().map(|child| arena.not(child)).collect()
            }
            _ => vec![conjunct],
        };
        for &disjunct in &disjuncts {
            let (Op::Not, &[equation]) = (arena.op(disjunct), arena.children(disjunct)) else { continue };
            let (Op::Eq, &[left, right]) = (arena.op(equation), arena.children(equation)) else { continue };
            for (variable, other) in [(left, right), (right, left)] {
                let alone = self.free.contains(&variable)
                    && mentions.get(&variable) == Some(&1)
                    && !arena.free_variables(other).contains(&variable)
                    && disjuncts.iter().all(|&beside| {
                        beside == disjunct || !arena.free_variables(beside).contains(&variable)
                    });
                if alone && let Some(value) = something_else(arena, other) {
                    return Some((variable, value));
                }
            }
        }
        None
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
            let value =
                solve_for(arena, variable, left, right).or_else(|| solve_for(arena, variable, right, left));
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

    /// Solves for the first variable about which nothing is said but equations under conditions,
    /// `c ⇒ v = t`: it is the first of the terms whose condition holds, and anything if none does. Where two
    /// conditions hold, both equations must. Whether there was one.
    fn merge(&mut self, arena: &mut Arena) -> bool {
        let mut mentions: FxHashMap<Term, Vec<usize>> = FxHashMap::default();
        for (index, &conjunct) in self.conjuncts.iter().enumerate() {
            for variable in arena.free_variables(conjunct) {
                if self.free.contains(&variable) && !self.anything.contains(&variable) {
                    mentions.entry(variable).or_default().push(index);
                }
            }
        }
        let mut variables: Vec<Term> = mentions.keys().copied().collect();
        variables.sort_unstable();
        for variable in variables {
            let places = &mentions[&variable];
            let cases: Option<Vec<(Term, Term)>> =
                places.iter().map(|&index| case(arena, self.conjuncts[index], variable)).collect();
            let Some(cases) = cases else { continue };
            let places = places.clone();
            self.choose(arena, variable, &cases, &places);
            return true;
        }
        false
    }

    fn choose(&mut self, arena: &mut Arena, variable: Term, cases: &[(Term, Term)], places: &[usize]) {
        let conditions: Vec<Term> = cases.iter().map(|&(condition, _)| condition).collect();
        let covered = arena.or(&conditions);
        let mut value = match cases.last() {
            Some(&(_, last)) if arena.as_bool(covered) == Some(true) => last,
            _ => {
                let sort = arena.sort(variable).clone();
                let anything = arena.fresh_variable("any", &sort);
                self.free.insert(anything);
                self.anything.insert(anything);
                anything
            }
        };
        for &(condition, term) in cases.iter().rev() {
            value = arena.ite(condition, term, value);
        }
        let mut kept = Vec::new();
        for (index, &conjunct) in self.conjuncts.iter().enumerate() {
            if !places.contains(&index) {
                kept.push(conjunct);
            }
        }
        for (index, &(condition, term)) in cases.iter().enumerate().skip(1) {
            let earlier = arena.or(&conditions[..index]);
            let both = arena.and(&[condition, earlier]);
            let equal = arena.eq(value, term);
            kept.push(arena.implies(both, equal));
        }
        let mut known: Substitution = [(variable, value)].into_iter().collect();
        for term in &mut self.head {
            *term = known.apply(arena, *term);
        }
        for (_, earlier) in &mut self.solved {
            *earlier = known.apply(arena, *earlier);
        }
        self.free.remove(&variable);
        self.solved.push((variable, value));
        self.conjuncts = kept;
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
                (Op::Eq, &[left, right])
                    if self.is_body(arena, conjunct, left) || self.is_body(arena, conjunct, right) =>
                {
                    let (not_left, not_right) = (arena.not(left), arena.not(right));
                    vec![arena.and(&[left, right]), arena.and(&[not_left, not_right])]
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
                    anything: self.anything.clone(),
                    by_bodies: self.by_bodies,
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

/// A term whose value is never that of the given one.
fn something_else(arena: &mut Arena, term: Term) -> Option<Term> {
    match arena.sort(term).clone() {
        Sort::Bool => Some(arena.not(term)),
        Sort::BitVec(_) => Some(arena.bv_not(term)),
        Sort::Array(array) => {
            let Sort::BitVec(width) = array.index else { return None };
            let index = arena.bv(width, 0);
            let element = arena.select(term, index);
            let other = something_else(arena, element)?;
            Some(arena.store(term, index, other))
        }
        _ => None,
    }
}

/// A conjunct as `c ⇒ variable = t`, where neither `c` nor `t` mentions the variable.
fn case(arena: &mut Arena, conjunct: Term, variable: Term) -> Option<(Term, Term)> {
    if arena.op(conjunct) != Op::Or {
        return None;
    }
    let disjuncts = arena.children(conjunct).to_vec();
    let mut value = None;
    let mut rest = Vec::new();
    for disjunct in disjuncts {
        if !arena.free_variables(disjunct).contains(&variable) {
            rest.push(disjunct);
            continue;
        }
        let found = match (arena.op(disjunct), arena.children(disjunct)) {
            _ if disjunct == variable => arena.mk_true(),
            (Op::Not, &[child]) if child == variable => arena.mk_false(),
            (Op::Eq, &[left, right]) => {
                solve_for(arena, variable, left, right).or_else(|| solve_for(arena, variable, right, left))?
            }
            _ => return None,
        };
        if value.replace(found).is_some() {
            return None;
        }
    }
    let otherwise = arena.or(&rest);
    Some((arena.not(otherwise), value?))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use nilas_term::smtlib::{parse_term, print_term};

    /// The branches of a relation over `x`, `y` (given) and `x.next`, `b`, `i` (free), as guard and new value.
    #[track_caller]
    fn check(relation: &str, expected: &[(&str, &str)]) {
        let mut arena = Arena::new();
        let byte = Sort::BitVec(8);
        for (name, sort) in [("x", &byte), ("y", &byte), ("x.next", &byte), ("i", &byte), ("b", &Sort::Bool)]
        {
            arena.variable(name, sort).unwrap();
        }
        let relation = parse_term(&mut arena, relation).unwrap();
        let [next, b, i] = ["x.next", "b", "i"].map(|name| parse_term(&mut arena, name).unwrap());
        let found = branches(&mut arena, relation, &[next], &[next, b, i]);
        let found: Vec<(String, String)> = found
            .iter()
            .map(|branch| (print_term(&arena, branch.guard), print_term(&arena, branch.head[0])))
            .collect();
        let found: Vec<(&str, &str)> =
            found.iter().map(|(guard, value)| (guard.as_str(), value.as_str())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn relations_become_assignments() {
        check("(and (bvult x y) (= x.next (bvadd x y)))", &[("(bvult x y)", "(bvadd x y)")]);
        check("(= (bvadd x.next x) y)", &[("true", "(bvadd (bvneg x) y)")]);
        check("(and b (= b (= x.next x)))", &[("true", "x")]);
        check("(and (= x.next x) (= x.next y))", &[("(= x y)", "x")]);
        check("false", &[]);
    }

    #[test]
    fn disjunctions_branch() {
        check(
            "(or (and (= x y) (= x.next x)) (and (bvult x y) (= x.next y)))",
            &[("(= x y)", "x"), ("(bvult x y)", "y")],
        );
    }

    /// `b` says whether a body with equations of its own holds.
    #[test]
    fn bodies_branch() {
        check(
            "(and (= b (and (bvult x y) (= x i))) (= x.next (ite b y x)))",
            &[("(bvult x y)", "y"), ("true", "x")],
        );
        // Where nothing else mentions it there is nothing to branch on.
        check("(and (= b (and (bvult x y) (= x i))) (= x.next x))", &[("true", "x")]);
        // No input of its own: it holds or it does not.
        check(
            "(and (= b (and (bvult x y) (= x.next y))) (or b (= x.next x)))",
            &[("(bvult x y)", "y"), ("(or (bvule y x) (not (= x y)))", "x")],
        );
    }

    #[test]
    fn what_a_variable_can_avoid_is_no_guard() {
        check("(and (= x.next x) (not (= i x)))", &[("true", "x")]);
        check("(and (= x.next x) (or (bvult x y) (not (= i x))))", &[("true", "x")]);
        check("(and (= x.next i) (not (= i x)))", &[("(not (= x i))", "i")]);
    }

    #[test]
    fn conditions_do_not() {
        check(
            "(and (or (= x y) (= x.next x)) (or (not (= x y)) (= x.next #x07)))",
            &[("true", "(ite (= x y) #x07 x)")],
        );
    }
}
