//! Which objects there are that a function is called with, and where their pointers may point.

use super::slots::{Slot, slots};
use super::{FILE, Pointers};
use crate::registers;
use crate::source::{FileId, Location, Span};
use crate::tree::{Duration, FunctionId, Program, VarId, VarRole, Variable};
use crate::types::{IntKind, TypeId, TypeKind};
use std::collections::{BTreeMap, BTreeSet};

/// Pointers that are given a place to point to, in all objects together. Others are of unknown origin.
const MOST_SLOTS: usize = 2048;

/// A pointer that the caller sets.
pub(super) struct Pointer {
    /// The object that it lies in; none for an argument.
    pub(super) inside: Option<(VarId, u64)>,
    /// Its type.
    pub(super) ty: TypeId,
    /// What it is called.
    pub(super) name: String,
    /// The place of its choices.
    pub(super) span: Span,
    /// The arrays that it may point into, its own first. Empty if it is of unknown origin.
    pub(super) targets: Vec<VarId>,
    /// What it points to, see [`Objects::key`].
    key: Option<TypeId>,
    own: Option<VarId>,
}

/// An argument of the call.
pub(super) enum Argument {
    /// A number: an input, of this name at this place.
    Number(String, TypeId, Span),
    /// This pointer.
    Pointer(usize),
    /// What an object holds.
    Object(VarId),
}

/// What is chosen at a place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Choice {
    /// An input.
    Input,
    /// The value of an object.
    Value,
}

pub(super) struct Objects<'p> {
    program: &'p mut Program,
    options: Pointers,
    pointers: Vec<Pointer>,
    /// Objects whose pointers have not been looked at, and how deep they are.
    todo: Vec<(VarId, u32)>,
    /// Arrays behind pointers, by what these point to.
    arrays: BTreeMap<TypeId, Vec<VarId>>,
    /// The array that pointers inside of objects share, by what they point to.
    shared: BTreeMap<TypeId, VarId>,
    /// Places that are taken: choices are named by them.
    taken: BTreeSet<(Choice, String, u32, u32)>,
    /// A text with a line for each place that the user's text does not have, and how many are taken.
    file: FileId,
    lines: u32,
}

impl<'p> Objects<'p> {
    pub(super) fn new(program: &'p mut Program, options: Pointers) -> Self {
        let most = program.variables.len() + 4 * MOST_SLOTS;
        let file = program.sources.add(FILE, vec![b'\n'; most]);
        let (pointers, todo, taken) = (Vec::new(), Vec::new(), BTreeSet::new());
        let (arrays, shared) = (BTreeMap::new(), BTreeMap::new());
        Objects { program, options, pointers, todo, arrays, shared, taken, file, lines: 0 }
    }

    pub(super) fn done(self) -> Vec<Pointer> {
        self.pointers
    }

    /// The arguments of a call.
    pub(super) fn parameters(&mut self, function: FunctionId) -> Vec<Argument> {
        let parameters = self.program.functions[function].parameters.clone();
        parameters.into_iter().map(|parameter| self.parameter(parameter)).collect()
    }

    fn parameter(&mut self, parameter: VarId) -> Argument {
        let declared = &self.program.variables[parameter];
        let (name, ty, place) = (declared.name.clone(), declared.ty, declared.span);
        let ty = self.program.types.unqualified(ty);
        if self.program.types.is_arithmetic(ty) {
            return Argument::Number(name, ty, self.place(Choice::Input, place));
        }
        if self.program.types.pointee(ty).is_some() {
            return Argument::Pointer(self.pointer(None, ty, name, place, 0));
        }
        let object = self.object(name, ty, place);
        self.todo.push((object, 0));
        Argument::Object(object)
    }

    /// Lets variables of static storage duration hold any value.
    pub(super) fn globals(&mut self) {
        let program = &mut *self.program;
        let variables: Vec<VarId> = program
            .variables
            .enumerate()
            .filter(|(_, variable)| {
                let file = program.sources.locate(variable.span).file;
                let own = !file.starts_with('<');
                let made = matches!(variable.role, VarRole::Named | VarRole::CompoundLiteral);
                let constant = program.types.qualifiers(variable.ty).is_const;
                variable.duration != Duration::Automatic
                    && variable.defined
                    && !variable.any
                    && own
                    && made
                    && !constant
            })
            .map(|(id, _)| id)
            .collect();
        for variable in variables {
            let span = self.program.variables[variable].span;
            // The same line of a header can declare variables of several files.
            self.program.variables[variable].span = self.place(Choice::Value, span);
            self.program.variables[variable].any = true;
            self.todo.push((variable, 0));
        }
    }

    /// Gives the pointers in all objects something to point to.
    pub(super) fn reach(&mut self) {
        let mut next = 0;
        while next < self.todo.len() {
            let (object, depth) = self.todo[next];
            next += 1;
            let declared = &self.program.variables[object];
            let (name, ty, span) = (declared.name.clone(), declared.ty, declared.span);
            for Slot { offset, ty, path } in slots(&mut self.program.types, ty) {
                if self.pointers.len() >= MOST_SLOTS {
                    break;
                }
                let name = format!("{name}{path}");
                self.pointer(Some((object, offset)), ty, name, span, depth + 1);
            }
        }
        for pointer in &mut self.pointers {
            let Some(key) = pointer.key else { continue };
            let others = self.arrays.get(&key).into_iter().flatten().copied();
            let others = others.filter(|&it| self.options.alias && Some(it) != pointer.own);
            pointer.targets = pointer.own.into_iter().chain(others).collect();
        }
        self.pointers.retain(|pointer| pointer.inside.is_none() || !pointer.targets.is_empty());
    }

    /// A pointer that is chosen.
    fn pointer(
        &mut self,
        inside: Option<(VarId, u64)>,
        ty: TypeId,
        name: String,
        place: Span,
        depth: u32,
    ) -> usize {
        let key = self.key(ty);
        let span = self.place(Choice::Input, place);
        let mut own = None;
        if let Some((key, element)) = key {
            let shared = inside.is_some() && self.options.alias;
            own = if shared { self.shared.get(&key).copied() } else { None };
            let deep = inside.is_some() && depth > self.options.depth;
            if own.is_none() && !deep {
                own = Some(self.array(key, element, &name, place, depth));
                if shared {
                    self.shared.extend(own.map(|own| (key, own)));
                }
            }
        }
        let key = key.map(|(key, _)| key);
        self.pointers.push(Pointer { inside, ty, name, span, targets: Vec::new(), key, own });
        self.pointers.len() - 1
    }

    /// The array that a pointer points into.
    fn array(&mut self, key: TypeId, element: TypeId, name: &str, place: Span, depth: u32) -> VarId {
        let ty = self.program.types.array(element, self.options.size.max(1));
        let object = self.object(format!("*{name}"), ty, place);
        self.arrays.entry(key).or_default().push(object);
        self.todo.push((object, depth));
        object
    }

    fn object(&mut self, name: String, ty: TypeId, place: Span) -> VarId {
        let span = self.place(Choice::Value, place);
        // What is volatile may be a register: every read of it gives any value.
        let defined = !registers::is_volatile(&self.program.types, ty, registers::DEPTH);
        let variable = Variable { defined, any: true, ..Variable::new(name, ty, span) };
        self.program.variables.push(variable)
    }

    /// What a pointer points to: pointers of the same key may be equal. And the type of the elements of the
    /// array that it points into. None for functions and types without size.
    fn key(&mut self, pointer: TypeId) -> Option<(TypeId, TypeId)> {
        let types = &mut self.program.types;
        let pointee = types.pointee(pointer)?;
        let byte = types.int(IntKind::UnsignedChar);
        let element = if types.is_void(pointee) { byte } else { without_const(types, pointee) };
        let is_byte = types.int_kind(element).is_some() && types.size_of(element) == Some(1);
        let sized = types.size_of(element).is_some_and(|size| size > 0);
        if !sized || matches!(types.kind(element), TypeKind::Function(_)) {
            return None;
        }
        let plain = types.unqualified(element);
        Some((if is_byte { byte } else { plain }, element))
    }

    /// A place that no other choice of the kind has: that of the declaration, or a line of the caller's text.
    fn place(&mut self, choice: Choice, span: Span) -> Span {
        let Location { file, line, column } = self.program.sources.locate(span);
        if self.taken.insert((choice, file, line, column)) {
            return span;
        }
        self.lines += 1;
        Span::new(self.file, self.lines - 1, self.lines - 1)
    }
}

/// Elements are written when they are made, so they are no constants. They stay volatile.
fn without_const(types: &mut crate::types::TypeTable, ty: TypeId) -> TypeId {
    let qualifiers = types.qualifiers(ty);
    if let TypeKind::Array(element, length) = *types.kind(ty) {
        let element = without_const(types, element);
        return types.intern(TypeKind::Array(element, length));
    }
    let plain = types.unqualified(ty);
    types.qualified(plain, crate::types::Qualifiers { is_const: false, ..qualifiers })
}
