//! The table of types.

use super::{DataModel, EnumId, FloatKind, IntKind, Layout, Qualifiers, RecordId, TypeId};
use crate::index::Arena;
use crate::source::Span;
use crate::tree::VarId;
use std::collections::HashMap;

/// How many elements an array has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum ArrayLength {
    /// This many; zero is allowed (GNU).
    Fixed(u64),
    /// `[]`: incomplete, or a flexible array member.
    Unknown,
    /// A variable-length array: the hidden variable holds the number of elements (a `size_t`), and is
    /// assigned where the declaration is reached.
    Variable(VarId),
    /// `[*]` in a prototype.
    Star,
}

/// The type of a function.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct FunctionType {
    /// What it returns.
    pub result: TypeId,
    /// The types of its parameters, adjusted (no arrays, no functions, no qualifiers). Without a prototype:
    /// empty.
    pub parameters: Box<[TypeId]>,
    /// Takes more arguments than parameters.
    pub variadic: bool,
    /// Has a prototype. Without one any arguments are taken, after the default promotions.
    pub prototype: bool,
}

/// A type without its qualifiers.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub enum TypeKind {
    /// `void`
    Void,
    /// An integer type.
    Int(IntKind),
    /// A real floating type.
    Float(FloatKind),
    /// A complex type: known by name and size, no operation on it is accepted.
    Complex(FloatKind),
    /// An enumeration.
    Enum(EnumId),
    /// A pointer.
    Pointer(TypeId),
    /// An array.
    Array(TypeId, ArrayLength),
    /// A function.
    Function(FunctionType),
    /// A struct or union.
    Record(RecordId),
}

/// A struct or union.
#[derive(Clone, Debug)]
pub struct Record {
    /// The tag, if it has one.
    pub tag: Option<String>,
    /// `union`.
    pub is_union: bool,
    /// The members and where they lie; `None` while the type is incomplete.
    pub layout: Option<Layout>,
    /// Has the attribute `transparent_union`.
    pub transparent: bool,
    /// Where it is declared first.
    pub span: Span,
}

/// An enumeration.
#[derive(Clone, Debug)]
pub struct Enumeration {
    /// The tag, if it has one.
    pub tag: Option<String>,
    /// The integer type it is compatible with; `unsigned int` while incomplete.
    pub int: IntKind,
    /// Whether the list of constants has been seen.
    pub complete: bool,
    /// The constants in order, with their values.
    pub constants: Vec<(String, i128)>,
    /// Where it is declared first.
    pub span: Span,
}

/// All types of a program.
#[derive(Clone, Debug)]
pub struct TypeTable {
    model: DataModel,
    types: Arena<TypeId, (TypeKind, Qualifiers)>,
    ids: HashMap<(TypeKind, Qualifiers), TypeId>,
    pub(super) records: Arena<RecordId, Record>,
    pub(super) enums: Arena<EnumId, Enumeration>,
    /// Alignments given to typedefs by `aligned`; the aligned type is a copy of its own.
    pub(super) alignments: HashMap<TypeId, u64>,
    /// `__builtin_va_list`, once a unit has been begun.
    pub(crate) va_list: Option<TypeId>,
}

impl TypeTable {
    /// Only what [`TypeTable::intern`] adds.
    pub fn new(model: DataModel) -> TypeTable {
        let mut types = TypeTable {
            model,
            types: Arena::new(),
            ids: HashMap::new(),
            records: Arena::new(),
            enums: Arena::new(),
            alignments: HashMap::new(),
            va_list: None,
        };
        // Memory without a type is made of it.
        types.int(model.char_kind());
        types
    }

    /// The data model.
    pub fn model(&self) -> DataModel {
        self.model
    }

    /// The id of a type without qualifiers.
    pub fn intern(&mut self, kind: TypeKind) -> TypeId {
        self.intern_qualified(kind, Qualifiers::default())
    }

    fn intern_qualified(&mut self, kind: TypeKind, qualifiers: Qualifiers) -> TypeId {
        let key = (kind, qualifiers);
        if let Some(&id) = self.ids.get(&key) {
            return id;
        }
        let id = self.types.push(key.clone());
        self.ids.insert(key, id);
        id
    }

    /// A type with its own qualifiers.
    pub(super) fn entry(&self, ty: TypeId) -> &(TypeKind, Qualifiers) {
        &self.types[ty]
    }

    /// Replaces what types are made of. Of types that become the same, the first is found from then on.
    pub(super) fn rewrite_kinds(&mut self, change: impl Fn(&TypeKind) -> TypeKind) {
        self.ids.clear();
        for id in self.types.ids() {
            self.types[id].0 = change(&self.types[id].0);
            if !self.alignments.contains_key(&id) {
                self.ids.entry(self.types[id].clone()).or_insert(id);
            }
        }
    }

    /// All types.
    pub fn ids(&self) -> impl Iterator<Item = TypeId> + use<> {
        self.types.ids()
    }

    /// The type without its qualifiers.
    pub fn kind(&self, ty: TypeId) -> &TypeKind {
        &self.types[ty].0
    }

    /// The qualifiers; of an array, those of its elements.
    pub fn qualifiers(&self, ty: TypeId) -> Qualifiers {
        match self.kind(ty) {
            TypeKind::Array(element, _) => self.qualifiers(*element),
            _ => self.types[ty].1,
        }
    }

    /// The type with further qualifiers. Those of an array go to its elements, those of a function are
    /// dropped.
    pub fn qualified(&mut self, ty: TypeId, add: Qualifiers) -> TypeId {
        if add == Qualifiers::default() {
            return ty;
        }
        let (kind, old) = self.types[ty].clone();
        match kind {
            TypeKind::Function(_) => ty,
            TypeKind::Array(element, length) => {
                let element = self.qualified(element, add);
                self.intern(TypeKind::Array(element, length))
            }
            kind => self.intern_qualified(kind, old.union(add)),
        }
    }

    /// The type without qualifiers; arrays keep those of their elements.
    pub fn unqualified(&mut self, ty: TypeId) -> TypeId {
        let (kind, qualifiers) = &self.types[ty];
        if *qualifiers == Qualifiers::default() {
            return ty;
        }
        let kind = kind.clone();
        self.intern(kind)
    }

    /// A copy of the type that is aligned to `alignment` (at least its own). Equal to the type in everything
    /// else.
    pub fn aligned(&mut self, ty: TypeId, alignment: u64) -> TypeId {
        let entry = self.types[ty].clone();
        let id = self.types.push(entry);
        self.alignments.insert(id, alignment);
        id
    }

    /// An integer type.
    pub fn int(&mut self, kind: IntKind) -> TypeId {
        self.intern(TypeKind::Int(kind))
    }

    /// The type `char`, which every program has (see [`TypeTable::new`]).
    pub fn char_type(&self) -> Option<TypeId> {
        self.ids.get(&(TypeKind::Int(self.model.char_kind()), Qualifiers::default())).copied()
    }

    /// A real floating type.
    pub fn float(&mut self, kind: FloatKind) -> TypeId {
        self.intern(TypeKind::Float(kind))
    }

    /// `void`
    pub fn void(&mut self) -> TypeId {
        self.intern(TypeKind::Void)
    }

    /// A pointer to a type.
    pub fn pointer(&mut self, to: TypeId) -> TypeId {
        self.intern(TypeKind::Pointer(to))
    }

    /// An array with a fixed length.
    pub fn array(&mut self, element: TypeId, length: u64) -> TypeId {
        self.intern(TypeKind::Array(element, ArrayLength::Fixed(length)))
    }

    /// `size_t`
    pub fn size_type(&mut self) -> TypeId {
        self.int(self.model.size_type())
    }

    /// Adds an incomplete struct or union; its type.
    pub fn add_record(&mut self, tag: Option<String>, is_union: bool, span: Span) -> (RecordId, TypeId) {
        let id = self.records.push(Record { tag, is_union, layout: None, transparent: false, span });
        (id, self.intern(TypeKind::Record(id)))
    }

    /// Adds an incomplete enumeration; its type.
    pub fn add_enum(&mut self, tag: Option<String>, span: Span) -> (EnumId, TypeId) {
        let int = IntKind::UnsignedInt;
        let id = self.enums.push(Enumeration { tag, int, complete: false, constants: Vec::new(), span });
        (id, self.intern(TypeKind::Enum(id)))
    }

    /// A struct or union.
    pub fn record(&self, id: RecordId) -> &Record {
        &self.records[id]
    }

    /// A struct or union, to complete it.
    pub fn record_mut(&mut self, id: RecordId) -> &mut Record {
        &mut self.records[id]
    }

    /// An enumeration.
    pub fn enumeration(&self, id: EnumId) -> &Enumeration {
        &self.enums[id]
    }

    /// An enumeration, to complete it.
    pub fn enumeration_mut(&mut self, id: EnumId) -> &mut Enumeration {
        &mut self.enums[id]
    }

    /// The integer type of an integer or enumeration.
    pub fn int_kind(&self, ty: TypeId) -> Option<IntKind> {
        match self.kind(ty) {
            TypeKind::Int(kind) => Some(*kind),
            TypeKind::Enum(id) => Some(self.enums[*id].int),
            _ => None,
        }
    }

    /// The kind of a real floating type.
    pub fn float_kind(&self, ty: TypeId) -> Option<FloatKind> {
        match self.kind(ty) {
            TypeKind::Float(kind) => Some(*kind),
            _ => None,
        }
    }

    /// What a pointer points to.
    pub fn pointee(&self, ty: TypeId) -> Option<TypeId> {
        match self.kind(ty) {
            TypeKind::Pointer(to) => Some(*to),
            _ => None,
        }
    }

    /// The record of a struct or union type.
    pub fn as_record(&self, ty: TypeId) -> Option<RecordId> {
        match self.kind(ty) {
            TypeKind::Record(id) => Some(*id),
            _ => None,
        }
    }

    /// The function type.
    pub fn as_function(&self, ty: TypeId) -> Option<&FunctionType> {
        match self.kind(ty) {
            TypeKind::Function(function) => Some(function),
            _ => None,
        }
    }

    /// Whether it is `void`.
    pub fn is_void(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), TypeKind::Void)
    }

    /// Whether it is an integer, an enumeration, or a real floating type.
    pub fn is_arithmetic(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), TypeKind::Int(_) | TypeKind::Enum(_) | TypeKind::Float(_))
    }

    /// Whether it is arithmetic or a pointer.
    pub fn is_scalar(&self, ty: TypeId) -> bool {
        self.is_arithmetic(ty) || self.pointee(ty).is_some()
    }

    /// Whether a run-time length is part of it: its own, or that of something it points to or is made of.
    pub fn is_variably_modified(&self, ty: TypeId) -> bool {
        match self.kind(ty) {
            TypeKind::Array(_, ArrayLength::Variable(_)) => true,
            TypeKind::Array(inner, _) | TypeKind::Pointer(inner) => self.is_variably_modified(*inner),
            _ => false,
        }
    }

    /// Whether its size depends on a run-time value.
    pub fn is_variable_length(&self, ty: TypeId) -> bool {
        match self.kind(ty) {
            TypeKind::Array(_, ArrayLength::Variable(_)) => true,
            TypeKind::Array(element, _) => self.is_variable_length(*element),
            _ => false,
        }
    }
}
