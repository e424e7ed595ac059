//! Weak functions and objects that the program does not define.
//!
//! Whether another file defines one is not known, so both are explored: a Boolean per symbol, chosen before
//! everything else, says whether it exists. The address of what does not exist is null; calling or accessing
//! it is undefined. A weak definition in the program is taken to be the one that the linker keeps.

use crate::lower::HavocOrigin;
use crate::lower::lowering::Lowering;
use crate::lower::memory::Key;
use crate::lower::memory::access::Address;
use crate::lower::translate::expr::Val;
use crate::property::{Claim, Property};
use crate::tree::{AddressBase, Callee, ExprKind, FunctionId};
use nilas_program::VarId;
use nilas_term::{Sort, Term};
use rustc_hash::FxHashMap;

/// Which weak symbols exist, by the key of what they name.
pub(in crate::lower) type Existing = FxHashMap<Key, (VarId, Term)>;

impl Lowering<'_> {
    /// Makes a Boolean for every weak symbol that the program uses and does not define.
    pub(in crate::lower) fn find_weak_symbols(&mut self) {
        let tree = self.tree;
        let function = |id: FunctionId| tree.functions[id].weak && tree.functions[id].body.is_none();
        let variable = |id: crate::tree::VarId| tree.variables[id].weak && !tree.variables[id].defined;
        if !tree.functions.ids().any(function) && !tree.variables.ids().any(variable) {
            return;
        }
        for expr in &tree.exprs {
            let (key, name) = match expr.kind {
                ExprKind::Function(id)
                | ExprKind::Address { base: AddressBase::Function(id), .. }
                | ExprKind::Call { callee: Callee::Function(id), .. }
                    if function(id) =>
                {
                    (Key::Function(id), &tree.functions[id].name)
                }
                ExprKind::Variable(id) | ExprKind::Address { base: AddressBase::Variable(id), .. }
                    if variable(id) =>
                {
                    (Key::Static(id), &tree.variables[id].name)
                }
                _ => continue,
            };
            if !self.calls.weak.contains_key(&key) {
                let existing = self.build.new_variable(&format!("{name}.exists"), &Sort::Bool);
                self.calls.weak.insert(key, existing);
            }
        }
    }

    /// Any of them may exist.
    pub(in crate::lower) fn initialise_weak_symbols(&mut self) {
        let mut all: Vec<(Key, VarId)> = self.calls.weak.iter().map(|(key, (id, _))| (*key, *id)).collect();
        all.sort_unstable_by_key(|(key, _)| *key);
        for (key, variable) in all {
            let name = match key {
                Key::Function(id) => self.tree.functions[id].name.clone(),
                Key::Static(id) => self.tree.variables[id].name.clone(),
                _ => continue,
            };
            self.with_origin(HavocOrigin::Exists(name), |this| this.build.havoc(variable));
        }
    }

    /// The address of a function.
    pub(in crate::lower) fn function_address(&mut self, function: FunctionId) -> Term {
        let key = Key::Function(function);
        let address = self.code_address(key);
        match self.calls.weak.get(&key) {
            Some(&(_, exists)) => {
                let null = self.build.arena.bv(self.pointer_bits(), 0);
                self.build.arena.ite(exists, address, null)
            }
            None => address,
        }
    }

    /// A pointer into a known object, of which the object may not exist.
    pub(in crate::lower) fn object_address(&mut self, address: Address) -> Val {
        let key = self.memory.objects[address.object.0].key;
        let Some(&(_, exists)) = self.calls.weak.get(&key) else { return Val::Pointer(address) };
        let there = self.address_term(&address);
        let nowhere = self.offset_term(&address);
        Val::Scalar(self.build.arena.ite(exists, there, nowhere))
    }

    /// What is called or accessed exists.
    pub(in crate::lower) fn must_exist(&mut self, key: Key) {
        if let Some(&(_, exists)) = self.calls.weak.get(&key) {
            let claim = Claim::new(Property::Null, "use of a weak symbol that nothing defines");
            self.build.defined(exists, claim);
        }
    }
}
