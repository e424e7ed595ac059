//! One symbol is one object or function, whatever it is called in C.
//!
//! `__asm__("x")` on a declaration names the symbol that the C name stands for, and `alias("x")` and
//! `weakref("x")` make a name stand for another symbol; so do the pragmas `weak` and `redefine_extname`.
//! After everything is declared, all that stands for one symbol becomes one entity: the one that is defined,
//! if there is one. Expressions name that one from then on.

use super::{Check, Checker};
use crate::source::{Diagnostic, Span};
use crate::tree::{AddressBase, Callee, ExprKind, FunctionId, Linkage, VarId};
use std::collections::{BTreeMap, HashMap};

/// Symbols under which the GNU library keeps functions that C programs know by another name: its headers say
/// so by `__asm__`. Those for large files have wider types, which the headers declare.
const LIBRARY_SYMBOLS: &[(&str, &str)] = &[
    ("__isoc99_fscanf", "fscanf"),
    ("__isoc99_fwscanf", "fwscanf"),
    ("__isoc99_scanf", "scanf"),
    ("__isoc99_sscanf", "sscanf"),
    ("__isoc99_swscanf", "swscanf"),
    ("__isoc99_vfscanf", "vfscanf"),
    ("__isoc99_vfwscanf", "vfwscanf"),
    ("__isoc99_vscanf", "vscanf"),
    ("__isoc99_vsscanf", "vsscanf"),
    ("__isoc99_vswscanf", "vswscanf"),
    ("__isoc99_vwscanf", "vwscanf"),
    ("__isoc99_wscanf", "wscanf"),
    ("__isoc23_fscanf", "fscanf"),
    ("__isoc23_scanf", "scanf"),
    ("__isoc23_sscanf", "sscanf"),
    ("__isoc23_strtoimax", "strtoimax"),
    ("__isoc23_strtol", "strtol"),
    ("__isoc23_strtoll", "strtoll"),
    ("__isoc23_strtoul", "strtoul"),
    ("__isoc23_strtoull", "strtoull"),
    ("__isoc23_strtoumax", "strtoumax"),
    ("__isoc23_vfscanf", "vfscanf"),
    ("__isoc23_vscanf", "vscanf"),
    ("__isoc23_vsscanf", "vsscanf"),
    ("__isoc23_wcstol", "wcstol"),
    ("__isoc23_wcstoll", "wcstoll"),
    ("__isoc23_wcstoul", "wcstoul"),
    ("__isoc23_wcstoull", "wcstoull"),
    ("__xpg_basename", "basename"),
    ("__xpg_strerror_r", "strerror_r"),
    ("creat64", "creat"),
    ("fgetpos64", "fgetpos"),
    ("fopen64", "fopen"),
    ("freopen64", "freopen"),
    ("fseeko64", "fseeko"),
    ("fsetpos64", "fsetpos"),
    ("fstat64", "fstat"),
    ("ftello64", "ftello"),
    ("ftruncate64", "ftruncate"),
    ("lseek64", "lseek"),
    ("lstat64", "lstat"),
    ("mkstemp64", "mkstemp"),
    ("mmap64", "mmap"),
    ("open64", "open"),
    ("openat64", "openat"),
    ("pread64", "pread"),
    ("pwrite64", "pwrite"),
    ("readdir64", "readdir"),
    ("stat64", "stat"),
    ("tmpfile64", "tmpfile"),
    ("truncate64", "truncate"),
];

/// Something with a symbol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Linked {
    Variable(VarId),
    Function(FunctionId),
}

/// What all uses of an entity become.
#[derive(Default)]
struct Replacements {
    variables: HashMap<VarId, VarId>,
    functions: HashMap<FunctionId, FunctionId>,
}

impl Checker<'_> {
    /// See the module's text. Programs without labels and aliases stay as they are.
    pub(super) fn unite_symbols(&mut self) {
        self.symbol_pragmas();
        let labels = self.program.functions.iter().any(|function| function.asm_name.is_some())
            || self.program.variables.enumerate().any(|(id, v)| v.asm_name.is_some() && self.has_symbol(id));
        if (!labels && self.aliases.is_empty()) || !self.errors.is_empty() {
            return;
        }
        let mut replacements = Replacements::default();
        // An error is reported where it is found.
        if self.unite_all(&mut replacements).is_ok() {
            self.replace_all(&replacements);
        }
    }

    /// What pragmas say; they may stand before the declarations that they are about.
    fn symbol_pragmas(&mut self) {
        let pragmas = &self.ast.symbol_pragmas;
        if pragmas.weak.is_empty() && pragmas.renamed.is_empty() {
            return;
        }
        let functions =
            self.program.functions.enumerate().map(|(id, f)| (f.name.clone(), Linked::Function(id)));
        let variables = self.program.variables.enumerate().filter(|(_, v)| v.linkage != Linkage::None);
        let variables = variables.map(|(id, v)| (v.name.clone(), Linked::Variable(id)));
        let named: HashMap<String, Linked> = functions.chain(variables).collect();
        for (name, target) in &pragmas.weak {
            let Some(&entity) = named.get(name) else { continue };
            match entity {
                Linked::Function(id) => self.program.functions[id].weak = true,
                Linked::Variable(id) => self.program.variables[id].weak = true,
            }
            if let Some(target) = target {
                self.aliases.push((entity, target.clone(), self.span_of_entity(entity)));
            }
        }
        for (name, symbol) in &pragmas.renamed {
            let asm_name = match named.get(name) {
                Some(&Linked::Function(id)) => &mut self.program.functions[id].asm_name,
                Some(&Linked::Variable(id)) => &mut self.program.variables[id].asm_name,
                None => continue,
            };
            asm_name.get_or_insert_with(|| symbol.clone());
        }
    }

    /// Whether a variable has a symbol that other declarations can name.
    fn has_symbol(&self, id: VarId) -> bool {
        let variable = &self.program.variables[id];
        variable.linkage != Linkage::None
            || (variable.asm_name.is_some() && variable.duration != crate::tree::Duration::Automatic)
    }

    fn unite_all(&mut self, replacements: &mut Replacements) -> Check<()> {
        let mut symbols: BTreeMap<String, Vec<Linked>> = BTreeMap::new();
        let mut aliases = std::mem::take(&mut self.aliases);
        self.uses_of_aliases(&mut aliases);
        let is_alias = |entity: Linked| aliases.iter().any(|(other, ..)| *other == entity);
        for (id, function) in self.program.functions.enumerate() {
            if !is_alias(Linked::Function(id)) {
                let symbol = function.asm_name.as_ref().unwrap_or(&function.name);
                symbols.entry(symbol.clone()).or_default().push(Linked::Function(id));
            }
        }
        for (id, variable) in self.program.variables.enumerate() {
            if self.has_symbol(id) && !is_alias(Linked::Variable(id)) {
                let symbol = variable.asm_name.as_ref().unwrap_or(&variable.name);
                symbols.entry(symbol.clone()).or_default().push(Linked::Variable(id));
            }
        }
        let mut kept: HashMap<String, Linked> = HashMap::new();
        for (symbol, entities) in symbols {
            let defined = entities.iter().copied().find(|&entity| self.is_defined(entity));
            let keep = defined.unwrap_or(entities[0]);
            for entity in entities {
                if entity != keep {
                    self.unite(&symbol, keep, entity, replacements)?;
                }
            }
            self.rename(keep, &symbol);
            kept.insert(symbol, keep);
        }
        for (entity, symbol, span) in &aliases {
            // `int a __attribute__((alias("b")));` looks like a definition.
            if let Linked::Variable(id) = *entity {
                self.program.variables[id].defined = false;
            }
            // Aliases of aliases: every round resolves one more.
            let mut target = symbol.clone();
            for _ in 0..=aliases.len() {
                let next = aliases.iter().find(|(other, ..)| self.symbol_of(*other) == target);
                let Some((_, next, _)) = next.filter(|_| !kept.contains_key(&target)) else { break };
                target.clone_from(next);
            }
            match kept.get(&target).copied() {
                Some(keep) => self.unite(&target, keep, *entity, replacements)?,
                // A weak reference to what this program does not have.
                None if self.is_weak(*entity) => self.rename_always(*entity, &target),
                None => {
                    return self.fail(*span, format!("an alias of `{target}`, which is not defined here"));
                }
            }
        }
        Ok(())
    }

    /// Declarations of a symbol that an alias defines stand for what the alias stands for.
    fn uses_of_aliases(&self, aliases: &mut Vec<(Linked, String, Span)>) {
        // A weak reference is a name of its file, not a symbol: it is `static` and weak.
        let defining =
            aliases.iter().filter(|(entity, ..)| !(self.is_weak(*entity) && self.is_static(*entity)));
        let targets: HashMap<String, String> =
            defining.map(|(entity, target, _)| (self.symbol_of(*entity), target.clone())).collect();
        let functions = self.program.functions.ids().map(Linked::Function);
        let variables = self.program.variables.ids().filter(|&id| self.has_symbol(id)).map(Linked::Variable);
        for entity in functions.chain(variables) {
            if self.is_defined(entity) || aliases.iter().any(|(other, ..)| *other == entity) {
                continue;
            }
            if let Some(target) = targets.get(&self.symbol_of(entity)) {
                aliases.push((entity, target.clone(), self.span_of_entity(entity)));
            }
        }
    }

    fn symbol_of(&self, entity: Linked) -> String {
        match entity {
            Linked::Function(id) => {
                let function = &self.program.functions[id];
                function.asm_name.as_ref().unwrap_or(&function.name).clone()
            }
            Linked::Variable(id) => {
                let variable = &self.program.variables[id];
                variable.asm_name.as_ref().unwrap_or(&variable.name).clone()
            }
        }
    }

    fn is_defined(&self, entity: Linked) -> bool {
        match entity {
            Linked::Function(id) => self.program.functions[id].body.is_some(),
            Linked::Variable(id) => self.program.variables[id].defined,
        }
    }

    fn is_weak(&self, entity: Linked) -> bool {
        match entity {
            Linked::Function(id) => self.program.functions[id].weak,
            Linked::Variable(id) => self.program.variables[id].weak,
        }
    }

    fn is_static(&self, entity: Linked) -> bool {
        let linkage = match entity {
            Linked::Function(id) => self.program.functions[id].linkage,
            Linked::Variable(id) => self.program.variables[id].linkage,
        };
        linkage == Linkage::Internal
    }

    fn span_of_entity(&self, entity: Linked) -> Span {
        match entity {
            Linked::Variable(id) => self.program.variables[id].span,
            Linked::Function(id) => self.program.functions[id].span,
        }
    }

    /// Uses of `other` become uses of `keep`.
    fn unite(
        &mut self,
        symbol: &str,
        keep: Linked,
        other: Linked,
        replacements: &mut Replacements,
    ) -> Check<()> {
        let same_type = match (keep, other) {
            (Linked::Variable(a), Linked::Variable(b)) => {
                let (a, b) = (self.program.variables[a].ty, self.program.variables[b].ty);
                self.program.types.compatible_unqualified(a, b)
            }
            (Linked::Function(a), Linked::Function(b)) => {
                let (a, b) = (self.program.functions[a].ty, self.program.functions[b].ty);
                self.program.types.compatible(a, b) || self.mildly_compatible(a, b)
            }
            _ => false,
        };
        let (first, second) = (self.span_of_entity(keep), self.span_of_entity(other));
        if !same_type || (self.is_defined(keep) && self.is_defined(other)) {
            let message = if same_type {
                format!("the symbol `{symbol}` is defined twice")
            } else {
                format!(
                    "two declarations of the symbol `{symbol}` have different types: this is not supported"
                )
            };
            return Err(self.report(Diagnostic::error(second, message).with_note(first, "first here")));
        }
        match (keep, other) {
            (Linked::Variable(keep), Linked::Variable(other)) => {
                let alignment = self.program.variables[other].alignment;
                let weak = self.program.variables[other].weak;
                let variable = &mut self.program.variables[keep];
                variable.alignment = variable.alignment.max(alignment);
                variable.weak |= weak;
                replacements.variables.insert(other, keep);
            }
            (Linked::Function(keep), Linked::Function(other)) => {
                let from = self.program.functions[other].clone();
                let function = &mut self.program.functions[keep];
                function.noreturn |= from.noreturn;
                function.pure |= from.pure;
                function.nonnull |= from.nonnull;
                function.weak |= from.weak;
                function.indirect |= from.indirect;
                function.constructor = function.constructor.or(from.constructor);
                function.destructor = function.destructor.or(from.destructor);
                replacements.functions.insert(other, keep);
            }
            _ => {}
        }
        Ok(())
    }

    /// Gives an entity with a label the name of its symbol: models of functions go by that.
    fn rename(&mut self, entity: Linked, symbol: &str) {
        let labelled = match entity {
            Linked::Function(id) => self.program.functions[id].asm_name.is_some(),
            Linked::Variable(id) => self.program.variables[id].asm_name.is_some(),
        };
        if labelled {
            self.rename_always(entity, symbol);
        }
    }

    fn rename_always(&mut self, entity: Linked, symbol: &str) {
        match entity {
            Linked::Function(id) => {
                let function = &mut self.program.functions[id];
                let known = LIBRARY_SYMBOLS.iter().find(|(library, _)| *library == symbol);
                let name = known.filter(|_| function.body.is_none()).map_or(symbol, |(_, name)| name);
                function.name = name.to_owned();
            }
            Linked::Variable(id) => self.program.variables[id].name = symbol.to_owned(),
        }
    }

    fn replace_all(&mut self, replacements: &Replacements) {
        let variable = |id: &mut VarId| {
            if let Some(&keep) = replacements.variables.get(id) {
                *id = keep;
            }
        };
        let function = |id: &mut FunctionId| {
            if let Some(&keep) = replacements.functions.get(id) {
                *id = keep;
            }
        };
        for id in self.program.exprs.ids().collect::<Vec<_>>() {
            match &mut self.program.exprs[id].kind {
                ExprKind::Variable(id) | ExprKind::Address { base: AddressBase::Variable(id), .. } => {
                    variable(id);
                }
                ExprKind::Function(id)
                | ExprKind::Address { base: AddressBase::Function(id), .. }
                | ExprKind::Call { callee: Callee::Function(id), .. } => function(id),
                _ => {}
            }
        }
    }
}
