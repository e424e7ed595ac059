//! Addresses at the end of an object.
//!
//! The end of one object may be the address of another (6.5.9p6), and a number that was computed from an
//! address may be that of anything. In this model it never is, because every object has a region of its own
//! with room behind it. So an address that may lie behind its object is told apart where it is compared.

use crate::lower::lowering::Lowering;
use crate::lower::memory::Key;
use crate::lower::memory::points::Class;
use crate::tree::{ExprId, ExprKind};
use nilas_term::{Op, Term};

/// With more objects, an address that is computed may be behind one of them.
const MOST_OBJECTS: usize = 16;

impl Lowering<'_> {
    /// Whether two addresses of different objects may be equal, because one of them is outside of its object.
    pub(in crate::lower) fn may_touch(
        &mut self,
        (lhs, one, left): (ExprId, Class, Term),
        (rhs, other, right): (ExprId, Class, Term),
    ) -> Term {
        let outside = [self.is_beyond(lhs, one, left), self.is_beyond(rhs, other, right)];
        let outside = self.build.arena.or(&outside);
        if self.build.arena.as_bool(outside) == Some(false) {
            return outside;
        }
        let same = match one == other {
            true => self.same_object(left, right, Some(one)),
            false => self.build.arena.mk_false(),
        };
        let different = self.build.arena.not(same);
        let page = self.build.arena.bv(self.pointer_bits(), self.null_page());
        let both = [left, right].map(|term| self.build.arena.bv_ule(page, term));
        self.build.arena.and(&[different, outside, both[0], both[1]])
    }

    /// Whether an address is not that of a byte of its object.
    fn is_beyond(&mut self, expr: ExprId, class: Class, address: Term) -> Term {
        let width = self.pointer_bits();
        if let Some(addresses) = self.build.aim(address) {
            let mut ways = Vec::new();
            let page = self.null_page();
            for constant in addresses.into_iter().filter(|&constant| constant >= page) {
                let inside = self.at_address(constant).is_some_and(|(key, offset)| match key {
                    Key::Function(_) | Key::Label(_) => offset == 0,
                    _ => {
                        let object = self.object(key);
                        offset < self.memory.objects[object.0].size
                    }
                });
                if !inside {
                    let constant = self.build.arena.bv(width, constant);
                    ways.push(self.build.arena.eq(address, constant));
                }
            }
            return self.build.arena.or(&ways);
        }
        let number = self.tree.types.pointee(self.tree.exprs[expr].ty).is_none();
        if !number && !self.is_moved(expr, address) {
            return self.build.arena.mk_false();
        }
        let candidates = self.candidates(Some(class));
        if candidates.len() > MOST_OBJECTS {
            return self.build.arena.mk_true();
        }
        let mut ways = vec![self.build.arena.bv_is_negative(address)];
        for (start, key, log) in candidates {
            let high = self.build.arena.extract(address, width - 1, log);
            let region = self.build.arena.bv(width - log, start >> log);
            let hit = self.build.arena.eq(high, region);
            let planned = self.memory.plan.as_ref().and_then(|plan| plan.addresses.get(&key));
            let object_log = planned.map_or(log, |region| region.object_log.min(log));
            let low = self.build.arena.extract(address, object_log - 1, 0);
            let offset = self.extend(low, width, false);
            let object = self.object(key);
            let (size, length) = (self.memory.objects[object.0].size, self.memory.objects[object.0].length);
            let size = length.map_or_else(|| self.build.arena.bv(width, size), |(_, length)| length);
            let inside = self.build.arena.bv_ult(offset, size);
            ways.push(self.build.arena.and(&[hit, inside]));
        }
        let inside = self.build.arena.or(&ways);
        self.build.arena.not(inside)
    }

    /// Whether a pointer is moved where it is compared, or loaded from a variable that is. What was moved
    /// elsewhere and kept in memory is taken to be inside.
    fn is_moved(&self, mut expr: ExprId, address: Term) -> bool {
        loop {
            match self.tree.exprs[expr].kind {
                ExprKind::Convert { operand, .. } => expr = operand,
                ExprKind::PointerOffset { .. } => return self.build.arena.op(address) == Op::BvAdd,
                ExprKind::Update { .. } => return true,
                ExprKind::Load(place) => {
                    let ExprKind::Variable(variable) = self.tree.exprs[place].kind else { return false };
                    return self.facts.is_moved(variable);
                }
                _ => return false,
            }
        }
    }

    /// Whether the distance of two addresses does not depend on where objects lie, as far as their terms
    /// tell: they are in one object, or none of them is in an object that the term names.
    pub(in crate::lower) fn is_inner_distance(&self, left: Term, right: Term) -> bool {
        match (self.named_object(left), self.named_object(right)) {
            (Named::None, Named::None) => true,
            (Named::Object(one), Named::Object(other)) => one == other,
            (Named::Labels, Named::Labels) => true,
            _ => false,
        }
    }

    /// The object whose address is a part of a sum.
    fn named_object(&self, term: Term) -> Named {
        let arena = &self.build.arena;
        if let Some(constant) = arena.as_bitvec(term) {
            let key = constant.to_u64().and_then(|constant| self.at_address(constant));
            return match key {
                None => Named::None,
                Some((Key::Label(_), _)) => Named::Labels,
                Some((key, _)) => Named::Object(key),
            };
        }
        match arena.op(term) {
            Op::BvAdd => {
                let mut found = Named::None;
                for &child in arena.children(term) {
                    found = match (found, self.named_object(child)) {
                        (found, Named::None) => found,
                        (Named::None, named) => named,
                        _ => Named::Many,
                    };
                }
                found
            }
            Op::Ite => {
                match (self.named_object(arena.children(term)[1]), self.named_object(arena.children(term)[2]))
                {
                    (one, other) if one == other => one,
                    _ => Named::Many,
                }
            }
            _ => Named::None,
        }
    }
}

/// What objects a term names by their addresses.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Named {
    None,
    Object(Key),
    /// Labels, whose distances `goto` is computed from.
    Labels,
    Many,
}
