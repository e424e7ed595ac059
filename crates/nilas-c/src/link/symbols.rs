//! One symbol is one object or function, whatever it is called in C and wherever it is declared.
//!
//! `__asm__("x")` on a declaration names the symbol that the C name stands for, and `alias("x")` and
//! `weakref("x")` make a name stand for another symbol; so do the pragmas `weak` and `redefine_extname`.
//! An alias is a definition of its own name; it means what its own unit defines, as the assembler binds it. A
//! weak reference is a name for a symbol of any unit.

use super::agree::{Agreement, agree, disagreement};
use super::inline::written_alike;
use super::retire::{Replacements, replace};
use super::{Entity, Unit, names};
use crate::source::{Diagnostic, Severity, Span};
use crate::tree::{AddressBase, Callee, Duration, ExprKind, Linkage, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// How strongly a definition claims its symbol; the strongest one is kept.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Binding {
    /// An inline definition, which other units do not see.
    Inline,
    Weak,
    Common,
    Strong,
}

/// What a definition gives its symbol.
#[derive(Clone, Debug)]
enum Meaning {
    Own(Entity),
    /// What another symbol of the same unit means.
    Alias(String),
}

#[derive(Clone, Debug)]
struct Definition {
    meaning: Meaning,
    binding: Binding,
    /// Only its unit sees it.
    internal: bool,
    unit: usize,
    span: Span,
}

/// A use of a symbol that is not defined where it is declared.
#[derive(Clone, Copy, Debug)]
struct Reference {
    entity: Entity,
    unit: usize,
    /// By `weakref`: it asks for nothing.
    weak_reference: bool,
}

/// All that stands for symbols.
struct Linker<'a> {
    program: &'a mut Program,
    /// The definitions of each unit.
    own: Vec<BTreeMap<String, Definition>>,
    /// The definition that other units see.
    global: BTreeMap<String, Definition>,
    references: BTreeMap<String, Vec<Reference>>,
    /// What symbols without definition are.
    undefined: BTreeMap<String, Entity>,
    errors: Vec<Diagnostic>,
    replacements: Replacements,
    /// Declarations that make a symbol stand for another.
    aliases: FxHashSet<Entity>,
}

/// See the module's text.
pub(super) fn unite(program: &mut Program, units: &[Unit]) -> Result<(), Vec<Diagnostic>> {
    let mut linker = Linker {
        program,
        own: vec![BTreeMap::new(); units.len()],
        global: BTreeMap::new(),
        references: BTreeMap::new(),
        undefined: BTreeMap::new(),
        errors: Vec::new(),
        replacements: Replacements::default(),
        aliases: units.iter().flat_map(|unit| &unit.aliases).map(|alias| alias.entity).collect(),
    };
    for (number, unit) in units.iter().enumerate() {
        linker.declarations(number, unit);
    }
    linker.choose();
    linker.represent();
    linker.resolve_all();
    if !linker.errors.is_empty() {
        return Err(linker.errors);
    }
    let replacements = std::mem::take(&mut linker.replacements);
    replace(program, &replacements);
    Ok(())
}

impl Linker<'_> {
    /// What a unit defines and what it refers to.
    fn declarations(&mut self, number: usize, unit: &Unit) {
        let mut aliases: FxHashMap<Entity, (&str, Span)> = FxHashMap::default();
        for alias in &unit.aliases {
            aliases.entry(alias.entity).or_insert((&alias.target, alias.span));
            // `int a __attribute__((alias("b")));` looks like a definition.
            if let Entity::Variable(id) = alias.entity {
                self.program.variables[id].defined = false;
            }
        }
        let functions = unit.functions.clone().map(|id| Entity::Function(crate::index::Id::from_index(id)));
        let variables = unit.variables.clone().map(|id| Entity::Variable(crate::index::Id::from_index(id)));
        for entity in functions.chain(variables) {
            if !self.has_symbol(entity) {
                continue;
            }
            let symbol = self.program.symbol_of(entity).to_owned();
            let internal = self.program.is_internal(entity);
            match aliases.get(&entity) {
                // A weak reference is `static` and weak.
                Some((target, _)) if internal && self.program.is_weak(entity) => {
                    let reference = Reference { entity, unit: number, weak_reference: true };
                    self.references.entry((*target).to_owned()).or_default().push(reference);
                }
                Some((target, span)) => {
                    let meaning = Meaning::Alias((*target).to_owned());
                    let binding = if self.program.is_weak(entity) { Binding::Weak } else { Binding::Strong };
                    let definition = Definition { meaning, binding, internal, unit: number, span: *span };
                    self.define(symbol.clone(), definition);
                    let reference = Reference { entity, unit: number, weak_reference: false };
                    self.references.entry(symbol).or_default().push(reference);
                }
                None if self.program.is_defined(entity) => {
                    let binding = self.binding(entity, unit);
                    let span = self.program.span_of(entity);
                    let meaning = Meaning::Own(entity);
                    self.define(
                        symbol.clone(),
                        Definition { meaning, binding, internal, unit: number, span },
                    );
                    let reference = Reference { entity, unit: number, weak_reference: false };
                    self.references.entry(symbol).or_default().push(reference);
                }
                None => {
                    let reference = Reference { entity, unit: number, weak_reference: false };
                    self.references.entry(symbol).or_default().push(reference);
                }
            }
        }
    }

    /// Whether other declarations can name it.
    fn has_symbol(&self, entity: Entity) -> bool {
        let Entity::Variable(id) = entity else { return true };
        let variable = &self.program.variables[id];
        variable.linkage != Linkage::None
            || (variable.asm_name.is_some() && variable.duration != Duration::Automatic)
    }

    fn binding(&self, entity: Entity, unit: &Unit) -> Binding {
        let program = &self.program;
        match entity {
            _ if program.is_weak(entity) => Binding::Weak,
            Entity::Function(id) if unit.inline.contains(&id) => Binding::Inline,
            Entity::Variable(id) if unit.common && program.variables[id].init.is_none() => Binding::Common,
            _ => Binding::Strong,
        }
    }

    fn define(&mut self, symbol: String, definition: Definition) {
        let Definition { unit, span, .. } = definition;
        if let Some(first) = self.own[unit].get(&symbol) {
            let first = first.span;
            self.twice(&symbol, first, span);
        } else {
            self.own[unit].insert(symbol, definition);
        }
    }

    fn twice(&mut self, symbol: &str, first: Span, second: Span) {
        let message = format!("the symbol `{symbol}` is defined twice");
        self.errors.push(Diagnostic::error(second, message).with_note(first, "first here"));
    }

    /// Picks the definitions that all units see.
    fn choose(&mut self) {
        let own = std::mem::take(&mut self.own);
        for unit in &own {
            for (symbol, definition) in unit.iter().filter(|(_, definition)| !definition.internal) {
                let Some(first) = self.global.get(symbol).cloned() else {
                    self.global.insert(symbol.clone(), definition.clone());
                    continue;
                };
                self.compare(symbol, &first, definition);
                if definition.binding > first.binding {
                    self.global.insert(symbol.clone(), definition.clone());
                }
            }
        }
        self.own = own;
    }

    /// Two definitions of one symbol that other units see, in the order of the units.
    fn compare(&mut self, symbol: &str, first: &Definition, second: &Definition) {
        if first.binding == Binding::Strong && second.binding == Binding::Strong {
            let tentative = |definition: &Definition| matches!(definition.meaning, Meaning::Own(Entity::Variable(id)) if self.program.variables[id].init.is_none());
            let hint = tentative(first) || tentative(second);
            self.twice(symbol, first.span, second.span);
            if let Some(error) = self.errors.last_mut().filter(|_| hint) {
                error.hint = Some("compilers that merge such definitions are told so by -fcommon".to_owned());
            }
            return;
        }
        if first.binding.min(second.binding) == Binding::Inline
            && let (Meaning::Own(Entity::Function(a)), Meaning::Own(Entity::Function(b))) =
                (&first.meaning, &second.meaning)
            && !written_alike(self.program, *a, *b)
        {
            let message = format!(
                "two definitions of `{symbol}` differ, and one of them is inline: C leaves open which one is called"
            );
            self.errors.push(Diagnostic::error(second.span, message).with_note(first.span, "first here"));
        }
    }

    /// Picks the declarations that stand for symbols without definition.
    fn represent(&mut self) {
        let references = std::mem::take(&mut self.references);
        for (symbol, all) in &references {
            let open: Vec<&Reference> =
                all.iter().filter(|reference| self.definition(reference.unit, symbol).is_none()).collect();
            let good = |reference: &&&Reference| {
                !reference.weak_reference && !self.program.is_implicit(reference.entity)
            };
            let asking = |reference: &&&Reference| !reference.weak_reference;
            let chosen = open.iter().find(good).or_else(|| open.iter().find(asking)).or_else(|| open.first());
            let Some(&&Reference { entity: keep, weak_reference, .. }) = chosen else { continue };
            self.undefined.insert(symbol.clone(), keep);
            if self.program.has_label(keep) || weak_reference {
                self.rename(keep, symbol);
            }
            let weak = self.is_weakly_asked(&open);
            match keep {
                Entity::Function(id) => {
                    self.program.functions[id].weak = weak;
                    if weak_reference {
                        self.program.functions[id].linkage = Linkage::External;
                    }
                }
                Entity::Variable(id) => {
                    self.program.variables[id].weak = weak;
                    if weak_reference {
                        self.program.variables[id].linkage = Linkage::External;
                    }
                }
            }
        }
        self.references = references;
    }

    /// Whether a symbol without definition may be missing: no unit asks for it but weakly. In a unit, one
    /// weak declaration makes the symbol weak.
    fn is_weakly_asked(&self, references: &[&Reference]) -> bool {
        let mut units: BTreeMap<usize, bool> = BTreeMap::new();
        for reference in references {
            let weak = units.entry(reference.unit).or_default();
            *weak |= self.program.is_weak(reference.entity);
        }
        units.values().all(|&weak| weak)
    }

    /// The definition of a symbol as a unit sees it.
    fn definition(&self, unit: usize, symbol: &str) -> Option<&Definition> {
        let own = self.own[unit].get(symbol);
        if let Some(own) = own.filter(|definition| definition.internal) {
            return Some(own);
        }
        // Those without an inline definition of their own do not see those of others.
        self.global.get(symbol).filter(|global| global.binding > Binding::Inline || own.is_some())
    }

    /// What a definition means.
    fn meaning(&self, definition: &Definition) -> Result<Entity, String> {
        let mut definition = definition;
        // Aliases of aliases: every round resolves one more.
        for _ in 0..=self.own[definition.unit].len() {
            let target = match &definition.meaning {
                Meaning::Own(entity) => return Ok(*entity),
                Meaning::Alias(target) => target,
            };
            let unit = definition.unit;
            match self.own[unit].get(target).or_else(|| self.global.get(target)) {
                Some(next) => definition = next,
                None => return self.undefined.get(target).copied().ok_or_else(|| target.clone()),
            }
        }
        Err("itself".to_owned())
    }

    /// Says what every declaration stands for.
    fn resolve_all(&mut self) {
        let references = std::mem::take(&mut self.references);
        for (symbol, all) in &references {
            for reference in all {
                let keep = match self.definition(reference.unit, symbol) {
                    None => self.undefined.get(symbol).copied().ok_or_else(|| symbol.clone()),
                    Some(definition) => self.meaning(definition),
                };
                match keep {
                    Ok(keep) => self.resolve(symbol, keep, *reference),
                    Err(target) => {
                        let span = self.program.span_of(reference.entity);
                        let message = format!("an alias of `{target}`, which is not defined here");
                        self.errors.push(Diagnostic::error(span, message));
                    }
                }
            }
        }
    }

    /// Uses of a declaration become uses of `keep`.
    fn resolve(&mut self, symbol: &str, keep: Entity, reference: Reference) {
        let other = reference.entity;
        if keep == other {
            if self.program.has_label(keep) {
                self.rename(keep, symbol);
            }
            return;
        }
        match agree(self.program, keep, other) {
            Agreement::Same => {}
            Agreement::Mild => {
                let error = disagreement(self.program, symbol, keep, other, None);
                let warning = Diagnostic { severity: Severity::Warning, ..error };
                self.program.differences.push(warning);
            }
            // Of two definitions it is already said that they are two.
            Agreement::Different(_) if !self.errors.is_empty() && self.is_told(symbol, other) => return,
            // As with `MODULE_DEVICE_TABLE`, which makes an alias of a table as one of its elements: a name
            // for those who read the object file, that means nothing to the program.
            Agreement::Different(_) if self.aliases.contains(&other) && !self.is_named(other) => return,
            Agreement::Different(why) => {
                self.errors.push(disagreement(self.program, symbol, keep, other, why));
                return;
            }
        }
        self.combine(keep, other);
        self.replacements.insert(other, keep);
    }

    /// Whether an expression names an entity.
    fn is_named(&self, entity: Entity) -> bool {
        self.program.exprs.iter().any(|expr| match (&expr.kind, entity) {
            (
                ExprKind::Variable(id) | ExprKind::Address { base: AddressBase::Variable(id), .. },
                Entity::Variable(other),
            ) => *id == other,
            (
                ExprKind::Function(id)
                | ExprKind::Address { base: AddressBase::Function(id), .. }
                | ExprKind::Call { callee: Callee::Function(id), .. },
                Entity::Function(other),
            ) => *id == other,
            _ => false,
        })
    }

    /// Whether a declaration is a definition that came too late.
    fn is_told(&self, symbol: &str, other: Entity) -> bool {
        let strong = |definition: &Definition| definition.binding == Binding::Strong;
        self.program.is_defined(other) && self.global.get(symbol).is_some_and(strong)
    }

    /// What a declaration says about the one that is kept. Only declarations in the same unit say something
    /// about a definition.
    fn combine(&mut self, keep: Entity, other: Entity) {
        let defined = self.program.is_defined(keep);
        let same_unit = self.program.span_of(keep).file == self.program.span_of(other).file;
        if defined && !same_unit {
            return;
        }
        match (keep, other) {
            (Entity::Variable(keep), Entity::Variable(other)) => {
                let alignment = self.program.variables[other].alignment;
                let ty = self.program.variables[other].ty;
                let own = self.program.variables[keep].ty;
                let ty = if defined { own } else { self.program.types.composite(own, ty) };
                let variable = &mut self.program.variables[keep];
                variable.ty = ty;
                variable.alignment = variable.alignment.max(alignment);
            }
            (Entity::Function(keep), Entity::Function(other)) => {
                let from = self.program.functions[other].clone();
                let own = self.program.functions[keep].ty;
                let ty = if defined { own } else { self.program.types.composite(own, from.ty) };
                let function = &mut self.program.functions[keep];
                function.ty = ty;
                function.noreturn |= from.noreturn;
                function.pure |= from.pure;
                function.nonnull |= from.nonnull;
                function.constructor = function.constructor.or(from.constructor);
                function.destructor = function.destructor.or(from.destructor);
            }
            _ => {}
        }
    }

    /// Gives an entity the name of its symbol: models of functions go by that.
    fn rename(&mut self, entity: Entity, symbol: &str) {
        match entity {
            Entity::Function(id) => {
                let function = &mut self.program.functions[id];
                let known = names::of_library(symbol).filter(|_| function.body.is_none());
                let name = known.unwrap_or(symbol);
                function.name = name.to_owned();
            }
            Entity::Variable(id) => self.program.variables[id].name = symbol.to_owned(),
        }
    }
}
