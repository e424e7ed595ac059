//! Values that come from nowhere: objects and pointers that hold anything, and what functions without body
//! may write.

use crate::lower::lowering::Lowering;
use crate::lower::memory::Key;
use crate::lower::memory::object::{Leaf, ObjectId, Storage};
use crate::lower::memory::points::Class;
use crate::lower::memory::provenance::Known;
use crate::lower::translate::expr::Val;
use crate::lower::{HavocOrigin, Unset};
use crate::source::Span;
use crate::types::TypeId;
use nilas_program::VarId;
use nilas_term::BitVec;

/// Objects behind objects behind … a pointer that is given to a function without body.
const DEEPEST: usize = 4;
/// More objects that the pointer may mean are not looked at one by one.
const MOST_TARGETS: usize = 12;

impl Lowering<'_> {
    /// An object holds anything from here on; its pointers are of unknown origin.
    pub(in crate::lower) fn havoc_object(&mut self, object: ObjectId) {
        let declared = match self.memory.objects[object.0].key {
            Key::Local(local) => Some(self.tree.variables[local.variable].span),
            Key::Heap(site, ..) => Some(self.tree.exprs[site.call].span),
            _ => None,
        };
        self.havoc_declared(object, declared);
    }

    /// The same of an object that a declaration or an allocation makes, unless its values have another
    /// origin.
    pub(in crate::lower) fn havoc_declared(&mut self, object: ObjectId, declared: Option<Span>) {
        let leaves = self.memory.objects[object.0].leaves.clone();
        let before = self.build.origin.clone();
        let declared = declared.filter(|_| before == HavocOrigin::Garbage(None));
        for leaf in leaves {
            for (number, slot) in leaf.slots().into_iter().enumerate() {
                let Some(variable) = slot.variable else { continue };
                if let Some(span) = declared {
                    let array = matches!(leaf.storage, Storage::Array(_));
                    let offset = if array { leaf.offset } else { leaf.position(number as u64) };
                    let dims =
                        leaf.dims.iter().filter(|_| array).map(|dim| (dim.stride, dim.count)).collect();
                    let unset = Unset { span, offset, width: leaf.width, dims };
                    self.build.origin = HavocOrigin::Garbage(Some(Box::new(unset)));
                }
                if leaf.pointee.is_some() && matches!(leaf.storage, Storage::Cells(_)) {
                    self.build.havoc_pointer(variable);
                    self.unknown_pointer(variable);
                } else {
                    self.build.havoc(variable);
                }
                match before {
                    HavocOrigin::Garbage(_) => self.note_all(slot, false),
                    // How much they write is not known.
                    HavocOrigin::Written(_) => {
                        let yes = self.build.arena.mk_true();
                        self.note_perhaps(slot, yes);
                    }
                    _ => self.note_all(slot, true),
                }
            }
        }
        self.build.origin = before;
    }

    /// Makes any value a pointer of unknown origin: null, or in the upper half of all addresses.
    pub(in crate::lower) fn unknown_pointer(&mut self, variable: VarId) {
        if self.abstracts {
            return;
        }
        let pointer = self.build.variable_term(variable);
        let external = self.build.arena.bv_is_negative(pointer);
        if let Some(Known::In(within)) = self.known_pointer(pointer, None)
            && !self.may_be_outside(within.class)
        {
            // Loads rely on it being none.
            self.build.unmodelled_if(external, "a pointer of unknown origin that was not foreseen");
        }
        let null = self.build.arena.bv(self.pointer_bits(), 0);
        let value = self.build.arena.ite(external, pointer, null);
        self.build.assign(variable, value);
    }

    /// The same of a temporary of a pointer type.
    pub(in crate::lower) fn unknown_temporary(&mut self, variable: VarId, ty: TypeId) {
        let zeros = self.pointee_alignment(ty);
        self.build.note_source_alignment(variable, zeros);
        let pointer = self.build.variable_term(variable);
        self.memory.provenance.learn(pointer, Known::Outside);
        self.unknown_pointer(variable);
    }

    /// Whatever can be reached through a pointer may be written: it holds anything from here on.
    pub(in crate::lower) fn overwrite(
        &mut self,
        pointer: &Val,
        class: Class,
        construct: &str,
        above: &mut Vec<ObjectId>,
    ) {
        let term = match pointer {
            Val::Pointer(address) => {
                self.overwrite_object(address.object, class, construct, above);
                return;
            }
            Val::Scalar(term) => *term,
            Val::Void | Val::Aggregate(_) => return,
        };
        if let Some(constant) = self.build.arena.as_bitvec(term).and_then(BitVec::to_u64) {
            if let Some((key, _)) = self.at_address(constant)
                && !matches!(key, Key::Function(_) | Key::Label(_))
            {
                let object = self.object(key);
                self.overwrite_object(object, class, construct, above);
            }
            return;
        }
        let targets = self.candidates(Some(class));
        let width = self.pointer_bits();
        let null = self.build.arena.bv(width, 0);
        let set = self.build.arena.ne(term, null);
        if targets.len() > MOST_TARGETS || above.len() > DEEPEST || self.points.origin(class).number {
            self.build.unmodelled_if(set, construct);
            return;
        }
        let meet = self.build.new_location();
        for (start, key, log) in targets {
            if !self.build.reachable() {
                break;
            }
            let high = self.build.arena.extract(term, width - 1, log);
            let region = self.build.arena.bv(width - log, start >> log);
            let hit = self.build.arena.eq(high, region);
            let other = self.build.split(hit);
            let object = self.object(key);
            self.overwrite_object(object, class, construct, above);
            self.build.goto(meet);
            match other {
                Some(other) => self.build.continue_at(other),
                None => self.build.here = None,
            }
        }
        // Elsewhere: null, dead, or of unknown origin. The latter holds anything from here on, all of the
        // class.
        if self.build.reachable() && self.points.origin(class).external {
            let external = self.build.arena.bv_is_negative(term);
            let other = self.build.split(external);
            if let Some(object) = self.memory.external {
                self.havoc_object(object);
            }
            self.build.goto(meet);
            match other {
                Some(other) => self.build.continue_at(other),
                None => self.build.here = None,
            }
        }
        self.build.goto(meet);
        if self.build.has_incoming(meet) {
            self.build.continue_at(meet);
        }
    }

    fn overwrite_object(
        &mut self,
        object: ObjectId,
        class: Class,
        construct: &str,
        above: &mut Vec<ObjectId>,
    ) {
        if above.contains(&object) || !self.build.reachable() {
            return;
        }
        if matches!(self.memory.objects[object.0].key, Key::Pool(..)) {
            self.build.unmodelled(construct);
            return;
        }
        // First what lies behind it: the pointers to it are about to be overwritten.
        above.push(object);
        let leaves = self.memory.objects[object.0].leaves.clone();
        let content =
            self.points.content_of(class).filter(|&content| !self.candidates(Some(content)).is_empty());
        if let Some(content) = content {
            for leaf in leaves.iter().filter(|leaf| leaf.pointee.is_some() || leaf.union) {
                self.overwrite_behind(leaf, content, construct, above);
            }
        }
        above.pop();
        self.havoc_object(object);
    }

    fn overwrite_behind(&mut self, leaf: &Leaf, class: Class, construct: &str, above: &mut Vec<ObjectId>) {
        match &leaf.storage {
            Storage::Cells(cells) if leaf.pointee.is_some() => {
                for cell in cells {
                    self.overwrite(&Val::Scalar(cell.term), class, construct, above);
                }
            }
            _ => self.build.unmodelled(construct),
        }
    }
}
