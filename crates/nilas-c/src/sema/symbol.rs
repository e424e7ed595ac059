//! What pragmas say about symbols; they may stand before the declarations that they are about.

use super::Checker;
use crate::index::Id;
use crate::link::{Alias, Entity};
use crate::tree::Linkage;
use std::collections::HashMap;

impl Checker<'_> {
    /// `#pragma weak` and `#pragma redefine_extname`.
    pub(super) fn symbol_pragmas(&mut self) {
        let pragmas = &self.ast.symbol_pragmas;
        if pragmas.weak.is_empty() && pragmas.renamed.is_empty() {
            return;
        }
        let own = self.program.functions.enumerate().skip(self.unit.functions.start);
        let functions = own.map(|(id, f)| (f.name.clone(), Entity::Function(id)));
        let own = self.program.variables.enumerate().skip(self.unit.variables.start);
        let variables = own.filter(|(_, v)| v.linkage != Linkage::None);
        let variables = variables.map(|(id, v)| (v.name.clone(), Entity::Variable(id)));
        let named: HashMap<String, Entity> = functions.chain(variables).collect();
        for (name, target) in &pragmas.weak {
            let Some(&entity) = named.get(name) else { continue };
            let span = match entity {
                Entity::Function(id) => {
                    self.program.functions[id].weak = true;
                    self.program.functions[id].span
                }
                Entity::Variable(id) => {
                    self.program.variables[id].weak = true;
                    self.program.variables[id].span
                }
            };
            if let Some(target) = target {
                self.unit.aliases.push(Alias { entity, target: target.clone(), span });
            }
        }
        for (name, symbol) in &pragmas.renamed {
            let asm_name = match named.get(name) {
                Some(&Entity::Function(id)) => &mut self.program.functions[id].asm_name,
                Some(&Entity::Variable(id)) => &mut self.program.variables[id].asm_name,
                None => continue,
            };
            asm_name.get_or_insert_with(|| symbol.clone());
        }
    }

    /// What linking has to know of the unit.
    pub(super) fn finish_unit(&mut self) {
        self.symbol_pragmas();
        self.unit.functions.end = self.program.functions.len();
        self.unit.variables.end = self.program.variables.len();
        for number in self.unit.functions.clone() {
            let id = Id::from_index(number);
            let function = &self.program.functions[id];
            let inline = match function.body {
                None => false,
                // `extern inline` of GNU C89, or C99 without a declaration that says more than `inline`.
                Some(_) if self.gnu_inline.contains(&id) || self.dialect.gnu_inline => {
                    self.replaceable.contains(&id)
                }
                Some(_) => function.inline && !self.external.contains(&id),
            };
            if inline {
                self.unit.inline.insert(id);
            }
        }
    }
}
