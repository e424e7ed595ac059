//! Linking: translation units become one program, as C and a linker make them one.
//!
//! Units are checked one after the other into one [`Program`]; each has its own scopes, so everything that is
//! declared is there once per unit. Linking then says what is the same:
//!
//! - [`records`]: structs, unions and enumerations of different units that are compatible (C11 6.2.7) become
//!   one type.
//! - [`symbols`]: all that stands for one symbol becomes one object or function. Names with internal linkage
//!   stay in their unit. Strong definitions come before common ones (`-fcommon`), those before weak ones,
//!   and those before inline definitions, which other units do not see.
//! - [`agree`]: what is one symbol has one type. What differs is refused, with both places.
//!
//! Expressions name the one that is kept. What is given up is emptied ([`retire`]): it has no name, no body
//! and no initialiser, and nothing refers to it.
//!
//! The functions of the library that are written in C are one more unit, the last.

mod agree;
mod inline;
mod names;
mod records;
mod retire;
mod symbols;

use crate::source::{Diagnostic, Span};
use crate::tree::{FunctionId, Linkage, Program, VarId};
use std::collections::HashSet;
use std::ops::Range;

/// What linking has to know of a unit, apart from what it declares.
#[derive(Clone, Debug, Default)]
pub(crate) struct Unit {
    /// The functions that it declares.
    pub(crate) functions: Range<usize>,
    /// Its variables.
    pub(crate) variables: Range<usize>,
    /// Names that stand for other symbols.
    pub(crate) aliases: Vec<Alias>,
    /// Functions whose definition is an inline definition (C11 6.7.4p7, or `extern inline` of GNU C89): other
    /// units do not see it.
    pub(crate) inline: HashSet<FunctionId>,
    /// Variables without initialiser are common symbols, which may be defined in several units.
    pub(crate) common: bool,
}

/// `alias("x")`, `weakref("x")`, `#pragma weak a = x`.
#[derive(Clone, Debug)]
pub(crate) struct Alias {
    /// What stands for another symbol.
    pub(crate) entity: Entity,
    /// That symbol.
    pub(crate) target: String,
    /// Where it is said.
    pub(crate) span: Span,
}

/// Something with a symbol.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Entity {
    /// A variable.
    Variable(VarId),
    /// A function.
    Function(FunctionId),
}

/// See the module's text. The types of the last unit, which is Nilas's own, are left alone.
pub(crate) fn link(program: &mut Program, units: &[Unit]) -> Result<(), Vec<Diagnostic>> {
    if units.len() > 2 {
        records::unite(program);
    }
    symbols::unite(program, units)?;
    retire::mark_shared_names(program);
    Ok(())
}

/// Questions about entities.
impl Program {
    fn symbol_of(&self, entity: Entity) -> &str {
        match entity {
            Entity::Function(id) => {
                let function = &self.functions[id];
                function.asm_name.as_ref().unwrap_or(&function.name)
            }
            Entity::Variable(id) => {
                let variable = &self.variables[id];
                variable.asm_name.as_ref().unwrap_or(&variable.name)
            }
        }
    }

    fn is_defined(&self, entity: Entity) -> bool {
        match entity {
            Entity::Function(id) => self.functions[id].body.is_some() || self.functions[id].indirect,
            Entity::Variable(id) => self.variables[id].defined,
        }
    }

    fn is_weak(&self, entity: Entity) -> bool {
        match entity {
            Entity::Function(id) => self.functions[id].weak,
            Entity::Variable(id) => self.variables[id].weak,
        }
    }

    /// Whether other units cannot see it.
    fn is_internal(&self, entity: Entity) -> bool {
        let linkage = match entity {
            Entity::Function(id) => self.functions[id].linkage,
            Entity::Variable(id) => self.variables[id].linkage,
        };
        linkage != Linkage::External
    }

    fn is_implicit(&self, entity: Entity) -> bool {
        matches!(entity, Entity::Function(id) if self.functions[id].implicit)
    }

    fn has_label(&self, entity: Entity) -> bool {
        match entity {
            Entity::Function(id) => self.functions[id].asm_name.is_some(),
            Entity::Variable(id) => self.variables[id].asm_name.is_some(),
        }
    }

    fn span_of(&self, entity: Entity) -> Span {
        match entity {
            Entity::Variable(id) => self.variables[id].span,
            Entity::Function(id) => self.functions[id].span,
        }
    }

    fn type_of(&self, entity: Entity) -> crate::types::TypeId {
        match entity {
            Entity::Variable(id) => self.variables[id].ty,
            Entity::Function(id) => self.functions[id].ty,
        }
    }
}
