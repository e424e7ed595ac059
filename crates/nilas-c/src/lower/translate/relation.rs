//! Comparing addresses.
//!
//! Equality of pointers is exact, but for what C leaves open: whether a pointer to memory that was freed is
//! equal to one to an object that lives (memory is reused), what a pointer to a dead variable is equal to,
//! and whether string literals with the same characters are the same object. The
//! order and the distance of two pointers are exact inside of one object. Everything else that is decided by
//! where objects happen to lie may go either way: the value of a `havoc` that an execution to an error must
//! not rest on.

use crate::lower::HavocOrigin;
use crate::lower::build::levels::Level;
use crate::lower::lowering::Lowering;
use crate::lower::memory::Key;
use crate::lower::memory::points::Class;
use crate::lower::memory::provenance::SLACK;
use crate::lower::translate::temporary::Purpose;
use crate::property::Claim;
use crate::tree::{CompareOp, ExprId};
use nilas_term::{BitVec, Sort, Term};

/// What a construct is called that C leaves to where objects lie.
pub(in crate::lower) const LAYOUT: &str = "behaviour that depends on where objects happen to lie in memory";

impl Lowering<'_> {
    /// A choice that nothing in the program decides: where objects happen to lie.
    fn relation(&mut self, expr: ExprId) -> Term {
        let (variable, term) = self.temporary(expr, Purpose::Relation, &Sort::Bool);
        self.with_origin(HavocOrigin::AddressRelation, |this| this.build.havoc(variable));
        term
    }

    /// The comparison of two pointers.
    pub(in crate::lower) fn compare_pointers(
        &mut self,
        expr: ExprId,
        op: CompareOp,
        (lhs, left): (ExprId, Term),
        (rhs, right): (ExprId, Term),
    ) -> Term {
        let exact = self.compare_bits(op, left, right, false);
        if self.memory.plan.is_none() || self.build.arena.as_bool(exact).is_some() && left == right {
            return exact;
        }
        if self.is_fixed(left) || self.is_fixed(right) {
            let other = if self.is_fixed(left) { right } else { left };
            return if self.is_not_moved(other) { exact } else { self.relation(expr) };
        }
        let (one, other) = (self.points.of_expr(lhs), self.points.of_expr(rhs));
        let certain = match op {
            CompareOp::Equal | CompareOp::NotEqual => {
                let scrambled = [left, right].iter().any(|&term| self.build.level(term) == Level::Scrambled);
                if scrambled {
                    self.build.arena.mk_false()
                } else {
                    let open = [
                        self.may_coincide((one, left), (other, right)),
                        self.may_touch((lhs, one, left), (rhs, other, right)),
                    ];
                    let open = self.build.arena.or(&open);
                    self.build.arena.not(open)
                }
            }
            _ if one == other => self.same_object(left, right, Some(one)),
            _ => self.build.arena.mk_false(),
        };
        self.unless(expr, certain, exact)
    }

    /// The comparison of two integers, of which one may hold an address.
    pub(in crate::lower) fn compare_integers(
        &mut self,
        expr: ExprId,
        op: CompareOp,
        (lhs, left): (ExprId, Term),
        (rhs, right): (ExprId, Term),
        exact: Term,
    ) -> Term {
        match (self.build.level(left), self.build.level(right)) {
            (Level::Clean, Level::Clean) => exact,
            (Level::Address(_), Level::Clean) if self.is_fixed(right) && self.is_not_moved(left) => exact,
            (Level::Clean, Level::Address(_)) if self.is_fixed(left) && self.is_not_moved(right) => exact,
            (Level::Address(_), Level::Address(_)) if self.build.arena.width(left) == self.pointer_bits() => {
                match op {
                    CompareOp::Equal | CompareOp::NotEqual => {
                        self.compare_pointers(expr, op, (lhs, left), (rhs, right))
                    }
                    _ => {
                        let (one, other) = (self.points.of_expr(lhs), self.points.of_expr(rhs));
                        let certain = if one == other {
                            self.same_object(left, right, Some(one))
                        } else {
                            self.build.arena.mk_false()
                        };
                        self.unless(expr, certain, exact)
                    }
                }
            }
            _ => self.relation(expr),
        }
    }

    /// A number that may be an address is moved by another one.
    pub(in crate::lower) fn note_moved(&mut self, address: Term, by: Term) {
        if !self.build.level(address).is_address() || self.build.level(by) != Level::Clean {
            return;
        }
        let by = self.build.arena.as_bitvec(by).and_then(BitVec::to_i64);
        // No object lies so close to either end of all addresses that a few bytes matter, once.
        if by.is_none_or(|by| by.unsigned_abs() > SLACK) || self.ask_repeats() && by != Some(0) {
            self.build.levels.move_far();
        }
    }

    /// Whether an address is where its object is, or null, or one of the last ones: it is known where it
    /// points, or no address is moved as a number.
    pub(in crate::lower) fn is_not_moved(&mut self, address: Term) -> bool {
        let [moved, _] = self.build.levels.moves_far();
        !moved || !self.build.level(address).is_address() || self.known_pointer(address, None).is_some()
    }

    /// A truth value that depends on where objects happen to lie.
    pub(in crate::lower) fn open_truth(&mut self) -> Term {
        let (variable, term) = self.build.new_variable(&format!("{}::%open", self.context()), &Sort::Bool);
        self.with_origin(HavocOrigin::AddressRelation, |this| this.build.havoc(variable));
        term
    }

    /// The result of a function of numbers, which says something about addresses if its arguments do.
    pub(in crate::lower) fn told_by(&mut self, arguments: &[Term], result: Term) -> Term {
        let clean = |this: &mut Self, term: Term| this.build.level(term) == Level::Clean;
        if arguments.iter().all(|&term| clean(self, term)) || !clean(self, result) {
            return result;
        }
        let sort = self.build.arena.sort(result).clone();
        if sort == Sort::Bool {
            return self.open_truth();
        }
        let (variable, scrambled) =
            self.build.new_variable(&format!("{}::%scrambled", self.context()), &sort);
        self.build.assign(variable, result);
        self.build.levels.taint(variable, scrambled);
        scrambled
    }

    /// The behaviour is defined only where a condition on a value holds. Where the value depends on where
    /// objects lie, so does that: then the rest is not modelled, instead of taken to stop.
    pub(in crate::lower) fn defined_for(&mut self, value: Term, condition: Term, claim: Claim) {
        if self.build.level(value) == Level::Clean {
            self.build.defined(condition, claim);
        } else {
            let not = self.build.arena.not(condition);
            self.build.unmodelled_if(not, LAYOUT);
        }
    }

    /// What is done with a pointer does not depend on where objects lie, or it is not modelled.
    pub(in crate::lower) fn must_be_plain(&mut self, pointer: Term) {
        if self.build.level(pointer) == Level::Scrambled {
            self.build.unmodelled(LAYOUT);
        }
    }

    /// `exact` where it is certain, else any truth value.
    fn unless(&mut self, expr: ExprId, certain: Term, exact: Term) -> Term {
        if self.build.arena.as_bool(certain) == Some(true) {
            return exact;
        }
        let any = self.relation(expr);
        self.build.arena.ite(certain, exact, any)
    }

    /// Whether a term is a number that no object has for an address: null and its members, and the last ones
    /// of all addresses, which stand for errors.
    fn is_fixed(&self, term: Term) -> bool {
        let Some(value) = self.build.arena.as_bitvec(term) else { return false };
        let small = |value: &BitVec| value.to_u64().is_some_and(|value| value < self.null_page());
        let error = |value: &BitVec| value.to_i64().is_some_and(|value| (-4096..0).contains(&value));
        small(value) || self.has_error_numbers() && error(value)
    }

    /// Whether C leaves open if two different addresses are equal.
    fn may_coincide(&mut self, (one, left): (Class, Term), (other, right): (Class, Term)) -> Term {
        let mut ways = vec![self.is_freed(one, left), self.is_freed(other, right)];
        if self.share_characters(one, other) {
            let (a, b) = (self.is_literal(one, left), self.is_literal(other, right));
            ways.push(self.build.arena.and(&[a, b]));
        }
        let open = self.build.arena.or(&ways);
        let equal = self.build.arena.eq(left, right);
        let different = self.build.arena.not(equal);
        let open = self.build.arena.and(&[open, different]);
        // The instances of a variable have one address here; which of them is dead nobody knows any more.
        let (a, b) = (self.is_dead(one, left), self.is_dead(other, right));
        self.build.arena.or(&[open, a, b])
    }

    /// Whether a pointer points to a variable that does not live here, or maybe to a dead instance of one
    /// that does.
    fn is_dead(&mut self, class: Class, pointer: Term) -> Term {
        let width = self.pointer_bits();
        let living = self.candidates(Some(class));
        let dead = self.memory.regions.iter().filter(|(start, (key, _))| {
            matches!(key, Key::Local(_))
                && self.object_class(*key) == Some(class)
                && !living.iter().any(|(other, ..)| other == *start)
        });
        let dead: Vec<(u64, u32)> = dead.map(|(&start, &(_, log))| (start, log)).collect();
        let mut ways = Vec::new();
        let hit = |this: &mut Self, start: u64, log: u32| {
            let high = this.build.arena.extract(pointer, width - 1, log);
            let region = this.build.arena.bv(width - log, start >> log);
            this.build.arena.eq(high, region)
        };
        for (start, log) in dead {
            ways.push(hit(self, start, log));
        }
        for (start, key, log) in living {
            if let Some(stale) = self.is_stale(key) {
                let hit = hit(self, start, log);
                ways.push(self.build.arena.and(&[hit, stale]));
            }
        }
        self.build.arena.or(&ways)
    }

    /// Whether a pointer points to memory that was freed.
    fn is_freed(&mut self, class: Class, pointer: Term) -> Term {
        let width = self.pointer_bits();
        let mut ways = Vec::new();
        if self.points.is_freed(class) {
            for (start, key, log) in self.candidates(Some(class)) {
                if !matches!(key, Key::Heap(..) | Key::Pool(..)) {
                    continue;
                }
                let object = self.object(key);
                let high = self.build.arena.extract(pointer, width - 1, log);
                let region = self.build.arena.bv(width - log, start >> log);
                let hit = self.build.arena.eq(high, region);
                let low = self.build.arena.extract(pointer, log - 1, 0);
                let offset = self.extend(low, width, false);
                if let Some(alive) = self.not_freed(object, offset) {
                    let freed = self.build.arena.not(alive);
                    ways.push(self.build.arena.and(&[hit, freed]));
                }
            }
        }
        self.build.arena.or(&ways)
    }

    /// The string literals of a class that have an address.
    fn literals(&self, class: Class) -> Vec<(u64, crate::tree::StringId, u32)> {
        let all = self.candidates(Some(class)).into_iter();
        all.filter_map(|(start, key, log)| match key {
            Key::String(string) => Some((start, string, log)),
            _ => None,
        })
        .collect()
    }

    /// Whether two string literals may be one object: one is the end of the other.
    fn share_characters(&self, one: Class, other: Class) -> bool {
        let (a, b) = (self.literals(one), self.literals(other));
        a.iter().any(|&(_, first, _)| {
            b.iter().any(|&(_, second, _)| {
                let (x, y) = (&self.tree.strings[first].units, &self.tree.strings[second].units);
                first != second && (x.ends_with(y) || y.ends_with(x))
            })
        })
    }

    fn is_literal(&mut self, class: Class, pointer: Term) -> Term {
        let width = self.pointer_bits();
        let mut ways = Vec::new();
        for (start, _, log) in self.literals(class) {
            let high = self.build.arena.extract(pointer, width - 1, log);
            let region = self.build.arena.bv(width - log, start >> log);
            ways.push(self.build.arena.eq(high, region));
        }
        self.build.arena.or(&ways)
    }

    /// The distance of two pointers in bytes. Across objects it says where they happen to lie.
    pub(in crate::lower) fn distance(
        &mut self,
        expr: ExprId,
        (lhs, left): (ExprId, Term),
        (rhs, right): (ExprId, Term),
    ) -> Term {
        let difference = self.build.arena.bv_sub(left, right);
        let clean = self.build.level(difference) == Level::Clean && self.is_inner_distance(left, right);
        if self.memory.plan.is_none() || clean {
            return difference;
        }
        let (one, other) = (self.points.of_expr(lhs), self.points.of_expr(rhs));
        let same =
            if one == other { self.same_object(left, right, Some(one)) } else { self.build.arena.mk_false() };
        let not = self.build.arena.not(same);
        self.build.unmodelled_if(not, "the difference of pointers to different objects");
        let sort = self.build.arena.sort(difference).clone();
        let (variable, clean) = self.temporary(expr, Purpose::Distance, &sort);
        self.build.assign_clean(variable, difference);
        clean
    }
}
