//! Initialisers, and copies of structs.

use crate::lower::AssumptionKind;
use crate::lower::lowering::Lowering;
use crate::lower::memory::Key;
use crate::lower::memory::access::{Address, Base, Place};
use crate::lower::memory::layout::{flatten, scalar};
use crate::lower::memory::object::{ObjectId, Slot, Storage, innermost};
use crate::lower::translate::expr::whole;
use crate::lower::translate::temporary::Scratch;
use crate::tree::{InitItem, InitValue, VarId, VarRole};
use crate::types::{ArrayLength, TypeId, TypeKind};
use nilas_fault::{Fault, planted};
use nilas_term::{Op, Sort, Term, Value};

/// Arrays in a struct that is copied are copied element by element up to this size.
const MOST_ELEMENTS: u64 = 256;

const REGISTER: &str = "fixed addresses are registers: they hold any value at first, no object of the program lies there, and the hardware writes no object of the program";

impl Lowering<'_> {
    /// All static objects that were met, in that order; initialising one may meet others.
    pub(in crate::lower) fn initialise_statics(&mut self) {
        for text in self.tree.entry.iter().flat_map(|entry| &entry.assumptions) {
            self.build.rests_on(AssumptionKind::Caller, text);
        }
        for &handler in &self.tree.interrupts {
            let name = &self.tree.functions[handler].name;
            let text = format!(
                "`{name}` may interrupt the program at any time, but no single read or write (of a struct neither) and no function of the library, and nothing masks it"
            );
            self.build.rests_on(AssumptionKind::Interrupt, &text);
        }
        let mut next = 0;
        while next < self.memory.statics.len() {
            let variable = self.memory.statics[next];
            next += 1;
            let declared = &self.tree.variables[variable];
            self.build.span = declared.span;
            let object = self.object(Key::Static(variable));
            if declared.any {
                self.havoc_declared(object, Some(declared.span));
            } else if !declared.defined {
                self.havoc_outside(object, declared.span);
                if matches!(declared.role, VarRole::Register(_)) {
                    self.build.rests_on(AssumptionKind::FixedAddress, REGISTER);
                    continue;
                }
                let mut text = format!("`{}` is declared but not defined: it holds any value", declared.name);
                let is_number = scalar(&self.tree.types, declared.ty).is_some()
                    && self.tree.types.pointee(declared.ty).is_none();
                if !is_number {
                    text.push_str(", but points to no object that the program defines");
                }
                self.build.rests_on(AssumptionKind::ExternObject, &text);
            } else if declared.init.is_some() {
                self.initialise(variable, object);
            } else if !planted(Fault::StaticAnyValue) {
                self.clear(object);
            }
        }
    }

    /// All bytes of an object are zero.
    pub(in crate::lower) fn clear(&mut self, object: ObjectId) {
        let leaves = self.memory.objects[object.0].leaves.clone();
        for leaf in leaves {
            let zero = self.zero(leaf.kind);
            match leaf.storage {
                Storage::Cells(cells) => cells.iter().for_each(|cell| self.set(*cell, zero)),
                Storage::Array(slot) => {
                    let all = self.constant_array(slot.term, zero);
                    self.set(slot, all);
                }
            }
        }
    }

    fn set(&mut self, slot: Slot, term: Term) {
        if let Some(variable) = slot.variable {
            self.build.assign(variable, term);
            self.note_all(slot, true);
        }
    }

    /// The array of the sort of `like` that holds one value everywhere.
    pub(in crate::lower) fn constant_array(&mut self, like: Term, value: Term) -> Term {
        let sort = self.build.arena.sort(like).clone();
        let id = self.build.arena.sort_id(&sort);
        self.build.arena.mk(Op::ConstArray(id), &[value])
    }

    /// Runs the initialiser of a variable.
    pub(in crate::lower) fn initialise(&mut self, variable: VarId, object: ObjectId) {
        let tree = self.tree;
        let declared = &tree.variables[variable];
        let Some(init) = &declared.init else { return };
        self.build.span = init.span;
        // A large array is built as one term, not by one step per element.
        if init.zero_fill && self.initialise_array(object, init) {
            return;
        }
        if init.zero_fill && !planted(Fault::RestNotZero) {
            self.clear(object);
        }
        self.initialise_in_order(variable, |this| this.initialise_items(init, object));
    }

    fn initialise_items(&mut self, init: &crate::tree::Initialiser, object: ObjectId) {
        let mut last = None;
        for item in &init.items {
            let base = Base::Known(Address { object, offset: item.offset.cast_signed(), parts: Vec::new() });
            let place = Place { base, ty: item.ty, bits: item.bits };
            match item.value {
                InitValue::Expr(expr) => {
                    let value = match last.take() {
                        Some((same, value)) if same == expr => value,
                        _ => self.value(expr),
                    };
                    let repeated = init.items.len() > 1 && self.facts.has_effects(expr);
                    let value = if repeated { self.save_value(expr, value) } else { value };
                    self.build.span = init.span;
                    self.initialising(|this| this.store(&place, value.clone()));
                    last = Some((expr, value));
                }
                InitValue::String { string, units } => self.string_item(&place, string, units),
            }
        }
    }

    fn string_item(&mut self, place: &Place, string: crate::tree::StringId, units: u64) {
        let TypeKind::Array(element, length) = *self.tree.types.kind(place.ty) else { return };
        let Some((kind, width)) = scalar(&self.tree.types, element) else { return };
        let literal = &self.tree.strings[string];
        let total = match length {
            ArrayLength::Fixed(total) => total,
            _ => units,
        };
        for number in 0..total - u64::from(planted(Fault::TerminatorLost)) {
            let unit = usize::try_from(number).ok().and_then(|n| literal.units.get(n)).copied().unwrap_or(0);
            let unit = if number < units { unit } else { 0 };
            let value = self.build.arena.bv(width, u64::from(unit));
            let base = place.base.shifted(self, number * u64::from(width / 8));
            self.initialising(|this| this.write_kind(&base, 0, kind, width, value));
        }
    }

    /// An object that is one large array, with constant items only.
    fn initialise_array(&mut self, object: ObjectId, init: &crate::tree::Initialiser) -> bool {
        let [leaf] = &self.memory.objects[object.0].leaves[..] else { return false };
        let (Storage::Array(slot), [dim]) = (&leaf.storage, &leaf.dims[..]) else { return false };
        let (slot, stride, width, kind) = (*slot, dim.stride, leaf.width, leaf.kind);
        if u64::from(width) != stride * 8 || leaf.pointee.is_some() {
            return false;
        }
        let mut entries = std::collections::BTreeMap::new();
        let index_bits = self.pointer_bits();
        for item in &init.items {
            if item.offset % stride != 0 || item.bits.is_some() || scalar(&self.tree.types, item.ty).is_none()
            {
                return false;
            }
            let Some(term) = self.constant_item(item) else { return false };
            let term = self.held(term);
            let Some(value) = self.build.arena.as_value(term).cloned() else { return false };
            if value.sort() != kind.sort() {
                return false;
            }
            entries.insert(Value::BitVec(nilas_term::BitVec::new(index_bits, item.offset / stride)), value);
        }
        let Sort::Array(sort) = self.build.arena.sort(slot.term).clone() else { return false };
        let default = Value::default_of(&kind.sort());
        let array = nilas_term::ArrayValue::new((*sort).clone(), default, entries);
        let term = self.build.arena.constant(Value::Array(std::sync::Arc::new(array)));
        self.set(slot, term);
        true
    }

    /// The value of an item whose expression is a constant.
    pub(in crate::lower) fn constant_item(&mut self, item: &InitItem) -> Option<Term> {
        use crate::tree::{Conversion, ExprKind, UnaryOp};
        let InitValue::Expr(mut expr) = item.value else { return None };
        let tree = self.tree;
        // Conversions and signs around a literal.
        let mut outer = Vec::new();
        loop {
            match tree.exprs[expr].kind {
                ExprKind::Convert { conversion, operand } if conversion != Conversion::ToVoid => {
                    outer.push((Some(conversion), expr));
                    expr = operand;
                }
                ExprKind::Unary { op: UnaryOp::Negate, operand } => {
                    outer.push((None, expr));
                    expr = operand;
                }
                _ => break,
            }
        }
        let mut ty = tree.exprs[expr].ty;
        let mut term = match &tree.exprs[expr].kind {
            ExprKind::Int(value) => self.int_constant(*value, ty),
            ExprKind::Float(constant) => match scalar(&tree.types, ty)?.0 {
                crate::lower::memory::layout::Kind::Float(e, s) => self.float_constant(constant, e, s),
                _ => return None,
            },
            _ => return None,
        };
        for (conversion, node) in outer.into_iter().rev() {
            term = match conversion {
                Some(conversion) => self.convert(conversion, term, ty, tree.exprs[node].ty),
                None => match self.build.arena.sort(term) {
                    Sort::Float(..) => self.negate_float(term),
                    Sort::BitVec(_) => self.build.arena.bv_neg(term),
                    _ => return None,
                },
            };
            ty = tree.exprs[node].ty;
        }
        Some(term)
    }

    /// The size of a variable-length array, where its declaration is reached.
    pub(in crate::lower) fn set_length(&mut self, variable: VarId, object: ObjectId) {
        let Some((length, _)) = self.memory.objects[object.0].length else { return };
        let tree = self.tree;
        let width = self.pointer_bits();
        let mut ty = tree.variables[variable].ty;
        let stride = tree.types.size_of(innermost(&tree.types, ty)).unwrap_or(1);
        let mut size = self.build.arena.bv(width, stride);
        while let TypeKind::Array(element, count) = *tree.types.kind(ty) {
            let count = match count {
                ArrayLength::Variable(hidden) => match self.frame().bound.get(&hidden) {
                    Some(&count) => count,
                    None => {
                        let object = self.variable_object(hidden);
                        self.read(&whole(object, tree.variables[hidden].ty))
                    }
                },
                ArrayLength::Fixed(count) => self.build.arena.bv(width, count),
                _ => self.build.arena.bv(width, 0),
            };
            let count = self.extend(count, width, false);
            size = self.build.arena.bv_mul(size, count);
            ty = element;
        }
        self.build.assign(length, size);
        if self.facts.is_escaped(variable) {
            self.limit_size(size);
        }
    }

    /// Copies a struct, union or array.
    pub(in crate::lower) fn copy(&mut self, target: &Place, source: &Place, ty: TypeId) {
        if !self.build.reachable()
            || matches!(source.base, Base::Nowhere)
            || matches!(target.base, Base::Nowhere)
            || self.is_open(&target.base)
        {
            return;
        }
        let Some(leaves) = flatten(&self.tree.types, ty) else {
            self.build.unmodelled("copying an object of this type");
            return;
        };
        // The addresses may be in what is overwritten.
        let (to_base, from_base) = (
            self.steady_base(&target.base, Scratch::CopyTarget),
            self.steady_base(&source.base, Scratch::CopySource),
        );
        let mut leaves = leaves;
        if planted(Fault::StructCopyLastLost) && leaves.len() > 1 {
            leaves.pop();
        }
        for leaf in leaves {
            if self.copy_array(&to_base, &from_base, &leaf) {
                continue;
            }
            if leaf.count() > MOST_ELEMENTS {
                self.build.unmodelled("copying a large array");
                return;
            }
            let bit = u32::try_from(leaf.offset % 8).unwrap_or(0);
            let count = if planted(Fault::StructCopyFirstElement) { 1 } else { leaf.count() };
            for number in 0..count {
                let mut rest = number;
                let mut offset = leaf.offset / 8;
                for dim in leaf.dims.iter().rev() {
                    offset += (rest % dim.count) * dim.stride;
                    rest /= dim.count;
                }
                let from = from_base.shifted(self, offset);
                let to = to_base.shifted(self, offset);
                let value = self.read_kind(&from, bit, leaf.kind, leaf.width);
                let set = self.copied_set(&from, bit, leaf.width, Scratch::CopiedSet);
                self.storing(set, |this| this.write_kind(&to, bit, leaf.kind, leaf.width, value));
            }
        }
    }

    /// Copies a whole array variable where both objects have it at the same place of the struct.
    fn copy_array(
        &mut self,
        target: &Base,
        source: &Base,
        spec: &crate::lower::memory::layout::Spec,
    ) -> bool {
        let (Some(to), Some(from)) =
            (self.whole_array(target, spec, false), self.whole_array(source, spec, true))
        else {
            return false;
        };
        if to.variable.is_none() || self.build.arena.sort(to.term) != self.build.arena.sort(from.term) {
            return false;
        }
        // Pointers that are not known to be expected there are checked one by one.
        if spec.pointee.is_some() && !self.is_known_as(from.term, to.term) {
            return false;
        }
        self.set(to, from.term);
        self.note_copied(to, from);
        true
    }

    /// The variable of an array, to be read or to be written. What is constant is not written so.
    fn whole_array(
        &self,
        base: &Base,
        spec: &crate::lower::memory::layout::Spec,
        to_read: bool,
    ) -> Option<Slot> {
        let Base::Known(address) = base else { return None };
        if !address.parts.is_empty() || self.is_open(base) {
            return None;
        }
        let start = u64::try_from(address.offset).ok()? * 8 + spec.offset;
        let leaf = self.memory.objects[address.object.0].leaves.iter().find(|leaf| leaf.offset == start)?;
        match leaf.storage {
            Storage::Array(slot)
                if leaf.dims == spec.dims
                    && leaf.kind == self.held_kind(spec.kind)
                    && (to_read || !leaf.constant || self.memory.initialising) =>
            {
                Some(slot)
            }
            _ => None,
        }
    }
}
