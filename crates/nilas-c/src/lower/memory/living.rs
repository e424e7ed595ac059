//! What is wrong with an access through a pointer to no living object, by name.
//!
//! In the order in which a reader of C would say it: the pointer is null; the object is gone that it points
//! to; it points beside the object.

use crate::lower::lowering::Lowering;
use crate::lower::memory::access::Raw;
use crate::lower::memory::object::ObjectId;
use crate::property::{Claim, Property};
use nilas_term::Term;

/// Accesses through null.
pub(in crate::lower) const NULL: Claim = Claim::new(Property::Null, "access through a null pointer");
/// Accesses of what is freed or has ended its lifetime.
pub(in crate::lower) const GONE: Claim =
    Claim::new(Property::UseAfterFree, "access of an object that is gone");
const BOUNDS: Claim = Claim::new(Property::Bounds, "access out of bounds");
const NO_OBJECT: Claim = Claim::new(Property::Bounds, "access through a pointer to no living object");
const NOWHERE: &str = "access through a pointer to no object";

impl Lowering<'_> {
    /// An access through a pointer is one of a living object where `any` holds. Elsewhere the behaviour is
    /// undefined, for one of several reasons.
    pub(in crate::lower) fn points_to_living(&mut self, raw: Raw, any: Term) {
        let asks = |property| self.build.asks(property);
        if ![Property::Null, Property::UseAfterFree, Property::Bounds].into_iter().any(asks) {
            self.build.defined(any, NO_OBJECT);
            return;
        }
        let page = self.build.arena.bv(self.pointer_bits(), self.null_page());
        let null = self.build.arena.bv_ult(raw.address, page);
        self.claim_not(null, any, NULL);
        let (mut gone, mut beside) = (Vec::new(), Vec::new());
        let living: Vec<u64> = self.candidates(raw.class).into_iter().map(|(start, ..)| start).collect();
        let regions: Vec<_> =
            self.memory.regions.iter().map(|(&start, &(key, log))| (start, key, log)).collect();
        for (start, key, log) in regions {
            let meant = self.object_class(key).is_some_and(|own| raw.class.is_none_or(|class| class == own));
            if !meant {
                continue;
            }
            let hit = self.in_region(raw.address, start, log);
            if !living.contains(&start) {
                gone.push(hit);
                continue;
            }
            let object = self.object(key);
            let low = self.build.arena.extract(raw.address, log - 1, 0);
            let offset = self.extend(low, self.pointer_bits(), false);
            match self.not_freed(object, offset) {
                Some(alive) => {
                    let freed = self.build.arena.not(alive);
                    gone.push(self.build.arena.and(&[hit, freed]));
                    beside.push(self.build.arena.and(&[hit, alive]));
                }
                None => beside.push(hit),
            }
        }
        let gone = self.build.arena.or(&gone);
        self.claim_not(gone, any, GONE);
        let beside = self.build.arena.or(&beside);
        self.claim_not(beside, any, BOUNDS);
        // Nothing else is known of where such a pointer could point.
        let nowhere = self.build.arena.not(any);
        self.build.unmodelled_if(nowhere, NOWHERE);
    }

    /// Claims that the access is none of this kind.
    fn claim_not(&mut self, kind: Term, any: Term, claim: Claim) {
        let not = self.build.arena.not(kind);
        let fine = self.build.arena.or(&[any, not]);
        self.build.defined(fine, claim);
    }

    /// Whether an address lies in a region.
    pub(in crate::lower) fn in_region(&mut self, address: Term, start: u64, log: u32) -> Term {
        let pointer = self.pointer_bits();
        let high = self.build.arena.extract(address, pointer - 1, log);
        let region = self.build.arena.bv(pointer - log, start >> log);
        self.build.arena.eq(high, region)
    }

    /// Claims that an object was not freed that a library function gets at, at an offset.
    pub(in crate::lower) fn must_live(&mut self, object: ObjectId, offset: Term) {
        if let Some(alive) = self.not_freed(object, offset) {
            self.build.defined(alive, GONE);
        }
    }
}
