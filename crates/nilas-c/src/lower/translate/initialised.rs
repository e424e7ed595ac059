//! Values that nothing was stored to, where somebody asks about them.
//!
//! A scalar variable whose address is never taken has a flag: a value was stored to it. Of other memory only
//! what holds a value from the start is known (statics, what has an initialiser, `calloc`); a read elsewhere
//! is not modelled when it is asked about.

use crate::lower::lowering::Lowering;
use crate::lower::memory::Key;
use crate::lower::memory::layout::scalar;
use crate::lower::memory::object::Local;
use crate::lower::translate::facts::root;
use crate::property::{Claim, Property};
use crate::tree::{Duration, ExprId, ExprKind, VarId, VarRole};
use nilas_term::{Sort, Term};

const UNSET: Claim = Claim::new(Property::Uninitialised, "a read of a variable that nothing was stored to");
const PERHAPS: &str = "whether a value was stored to what is read";

impl Lowering<'_> {
    /// Whether a variable holds a value whenever it is read.
    fn is_always_set(&self, variable: VarId) -> bool {
        let declared = &self.tree.variables[variable];
        let made = !matches!(declared.role, VarRole::Named);
        let initialised = declared.init.is_some() && !self.scopes.is_skipped(variable);
        declared.duration != Duration::Automatic || made || initialised
    }

    /// Whether a variable has a flag.
    fn has_flag(&self, variable: VarId) -> bool {
        let ty = self.tree.variables[variable].ty;
        let plain = scalar(&self.tree.types, ty).is_some() && !self.facts.is_escaped(variable);
        plain && !self.is_always_set(variable) && !self.scopes.is_skipped(variable)
    }

    fn flag_of(&mut self, variable: VarId) -> (nilas_program::VarId, Term) {
        let key = self.local(variable);
        if let Some(&flag) = self.memory.set.get(&key) {
            return flag;
        }
        let name = format!("{}::{}.%set", self.context(), self.tree.variables[variable].name);
        let flag = self.build.new_variable(&name, &Sort::Bool);
        self.memory.set.insert(key, flag);
        flag
    }

    /// A variable is declared, or a value is stored to an lvalue.
    pub(in crate::lower) fn note_set(&mut self, variable: VarId, is_set: bool) {
        if self.options.properties.contains(Property::Uninitialised) && self.has_flag(variable) {
            let (flag, _) = self.flag_of(variable);
            let value = self.build.arena.mk_bool(is_set);
            self.build.assign(flag, value);
        }
    }

    /// The same for the target of an assignment.
    pub(in crate::lower) fn note_stored(&mut self, target: ExprId) {
        if let ExprKind::Variable(variable) = self.tree.exprs[target].kind {
            self.note_set(variable, true);
        }
    }

    /// The value of an lvalue is read.
    pub(in crate::lower) fn check_set(&mut self, lvalue: ExprId) {
        if !self.build.asks(Property::Uninitialised) || !self.build.reachable() {
            return;
        }
        let tree = self.tree;
        if let ExprKind::Variable(variable) = tree.exprs[lvalue].kind
            && self.has_flag(variable)
        {
            let (_, flag) = self.flag_of(variable);
            self.build.span = tree.exprs[lvalue].span;
            self.build.defined(flag, UNSET);
            return;
        }
        let known = match root(tree, lvalue) {
            Some(variable) => self.is_always_set(variable),
            None => self.points_to_set(lvalue),
        };
        if !known {
            self.build.unmodelled(PERHAPS);
        }
    }

    /// Whether everything that an lvalue can designate holds a value from the start.
    fn points_to_set(&self, mut lvalue: ExprId) -> bool {
        let pointer = loop {
            match self.tree.exprs[lvalue].kind {
                ExprKind::Member { base, .. } => lvalue = base,
                ExprKind::Deref(pointer) => break pointer,
                _ => return false,
            }
        };
        let candidates = self.candidates(Some(self.points.of_expr(pointer)));
        candidates.iter().all(|(_, key, _)| match key {
            Key::Static(_) | Key::String(_) => true,
            Key::Local(Local { variable, .. }) => self.is_always_set(*variable),
            key => self.memory.cleared.contains(key),
        })
    }

    /// Flags hold something at first, too.
    pub(in crate::lower) fn initialise_set(&mut self) {
        let flags: Vec<nilas_program::VarId> = self.memory.set.values().map(|(flag, _)| *flag).collect();
        for flag in flags {
            let no = self.build.arena.mk_false();
            self.build.assign(flag, no);
        }
    }
}
