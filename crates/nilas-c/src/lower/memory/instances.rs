//! Instances of automatic variables that are outlived by their addresses.
//!
//! All instances of a variable are one object. Where the address of one may be kept
//! ([`crate::lower::translate::kept`]), two flags say what an address means: *kept*, that the address was
//! taken, and *stale*, that it had been taken when the present instance began to live. Then a pointer to the
//! variable may be one to a dead instance, and nobody can tell: an access through it is *unmodelled*, and
//! what it is equal to may go either way.

use super::Key;
use crate::lower::lowering::Lowering;
use nilas_fault::{Fault, planted};
use nilas_program::VarId;
use nilas_term::{Sort, Term};

const STALE: &str =
    "access through a pointer to a variable of which an earlier instance had its address kept";

/// See the module's text.
#[derive(Clone, Copy, Debug)]
pub(in crate::lower) struct Instance {
    kept: (VarId, Term),
    stale: (VarId, Term),
}

impl Lowering<'_> {
    /// The flags of a variable that may be outlived by its address.
    fn instance(&mut self, key: Key) -> Option<Instance> {
        let Key::Local(local) = key else { return None };
        if !self.kept.is_kept(local.variable) {
            return None;
        }
        if let Some(&instance) = self.memory.instances.get(&key) {
            return Some(instance);
        }
        let prefix = self.prefix(local.function, local.depth);
        let name = format!("{prefix}::{}", self.tree.variables[local.variable].name);
        let kept = self.build.new_variable(&format!("{name}.kept"), &Sort::Bool);
        let stale = self.build.new_variable(&format!("{name}.stale"), &Sort::Bool);
        let instance = Instance { kept, stale };
        self.memory.instances.insert(key, instance);
        Some(instance)
    }

    /// Before the program starts no address is kept.
    pub(in crate::lower) fn initialise_instances(&mut self) {
        let no = self.build.arena.mk_false();
        for Instance { kept, stale } in self.memory.instances.clone().into_values() {
            self.build.assign(kept.0, no);
            self.build.assign(stale.0, no);
        }
    }

    /// The address of an object is used as a value.
    pub(in crate::lower) fn keep_address(&mut self, key: Key) {
        if let Some(Instance { kept, .. }) = self.instance(key) {
            let yes = self.build.arena.mk_true();
            self.build.assign(kept.0, yes);
        }
    }

    /// An instance of a variable of the present frame begins to live.
    pub(in crate::lower) fn begin_life(&mut self, key: Key) {
        if let Some(Instance { kept, stale }) = self.instance(key)
            && !planted(Fault::OlderInstanceAlive)
        {
            self.build.assign(stale.0, kept.1);
        }
    }

    /// Where a pointer hits an object, it is one to the present instance, or the access is not modelled.
    pub(in crate::lower) fn not_stale(&mut self, key: Key, hit: Term) {
        if let Some(stale) = self.is_stale(key) {
            let both = self.build.arena.and(&[hit, stale]);
            self.build.unmodelled_if(both, STALE);
        }
    }

    /// Whether pointers to an object may be pointers to a dead instance of it.
    pub(in crate::lower) fn is_stale(&mut self, key: Key) -> Option<Term> {
        self.instance(key).map(|instance| instance.stale.1)
    }
}
