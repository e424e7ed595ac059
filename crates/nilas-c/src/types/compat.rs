//! Compatible and composite types (C11 6.2.7).

use super::{ArrayLength, FunctionType, RecordId, TypeId, TypeKind, TypeTable};

struct Compatibility<'a> {
    types: &'a TypeTable,
    /// Between two translation units.
    across: bool,
}

impl Compatibility<'_> {
    fn qualified(&self, a: TypeId, b: TypeId) -> bool {
        a == b || (self.types.qualifiers(a) == self.types.qualifiers(b) && self.unqualified(a, b))
    }

    fn unqualified(&self, a: TypeId, b: TypeId) -> bool {
        match (self.types.kind(a), self.types.kind(b)) {
            (TypeKind::Enum(x), TypeKind::Int(y)) | (TypeKind::Int(y), TypeKind::Enum(x)) => {
                self.types.enums[*x].int == *y
            }
            (TypeKind::Pointer(x), TypeKind::Pointer(y)) => self.qualified(*x, *y),
            (TypeKind::Array(x, n), TypeKind::Array(y, m)) => {
                let lengths = match (n, m) {
                    (ArrayLength::Fixed(n), ArrayLength::Fixed(m)) => n == m,
                    _ => true,
                };
                lengths && self.qualified(*x, *y)
            }
            (TypeKind::Function(f), TypeKind::Function(g)) => self.functions(f, g),
            (TypeKind::Record(x), TypeKind::Record(y)) => x == y || (self.across && self.incomplete(*x, *y)),
            (x, y) => x == y,
        }
    }

    /// Two struct or union types of one tag, of which one is incomplete.
    fn incomplete(&self, x: RecordId, y: RecordId) -> bool {
        let (x, y) = (&self.types.records[x], &self.types.records[y]);
        x.is_union == y.is_union && x.tag == y.tag && (x.layout.is_none() || y.layout.is_none())
    }

    fn functions(&self, f: &FunctionType, g: &FunctionType) -> bool {
        if !self.qualified(f.result, g.result) {
            return false;
        }
        if !f.prototype || !g.prototype {
            return true;
        }
        f.variadic == g.variadic
            && f.parameters.len() == g.parameters.len()
            && f.parameters.iter().zip(&g.parameters).all(|(&p, &q)| self.unqualified(p, q))
    }
}

impl TypeTable {
    /// Whether two types are compatible, qualifiers included.
    pub fn compatible(&self, a: TypeId, b: TypeId) -> bool {
        Compatibility { types: self, across: false }.qualified(a, b)
    }

    /// Whether two types are compatible when the outermost qualifiers are dropped.
    pub fn compatible_unqualified(&self, a: TypeId, b: TypeId) -> bool {
        Compatibility { types: self, across: false }.unqualified(a, b)
    }

    /// Whether types of two translation units are compatible when the outermost qualifiers are dropped.
    /// Complete structs, unions and enumerations that are compatible are already one type; an incomplete one
    /// is compatible with those that have its tag.
    pub(crate) fn linkable(&self, a: TypeId, b: TypeId) -> bool {
        Compatibility { types: self, across: true }.unqualified(a, b)
    }

    /// The type that knows what both of two compatible types know.
    pub fn composite(&mut self, a: TypeId, b: TypeId) -> TypeId {
        if a == b {
            return a;
        }
        let qualifiers = self.qualifiers(a);
        let merged = match (self.kind(a).clone(), self.kind(b).clone()) {
            (TypeKind::Pointer(x), TypeKind::Pointer(y)) => {
                let to = self.composite(x, y);
                self.pointer(to)
            }
            (TypeKind::Array(x, n), TypeKind::Array(y, m)) => {
                let element = self.composite(x, y);
                let length = match (n, m) {
                    (ArrayLength::Fixed(_), _) => n,
                    (_, ArrayLength::Fixed(_)) => m,
                    (ArrayLength::Variable(_), _) => n,
                    (_, other) => other,
                };
                return self.intern(TypeKind::Array(element, length));
            }
            (TypeKind::Function(f), TypeKind::Function(g)) => match (f.prototype, g.prototype) {
                (true, true) if f.parameters.len() == g.parameters.len() => {
                    let result = self.composite(f.result, g.result);
                    let parameters =
                        f.parameters.iter().zip(&g.parameters).map(|(&p, &q)| self.composite(p, q)).collect();
                    let variadic = f.variadic;
                    return self.intern(TypeKind::Function(FunctionType {
                        result,
                        parameters,
                        variadic,
                        prototype: true,
                    }));
                }
                (false, true) => return b,
                _ => return a,
            },
            _ => return a,
        };
        self.qualified(merged, qualifiers)
    }
}
