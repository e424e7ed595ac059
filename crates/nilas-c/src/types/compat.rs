//! Compatible and composite types (C11 6.2.7).

use super::{ArrayLength, FunctionType, TypeId, TypeKind, TypeTable};

impl TypeTable {
    /// Whether two types are compatible, qualifiers included.
    pub fn compatible(&self, a: TypeId, b: TypeId) -> bool {
        a == b || (self.qualifiers(a) == self.qualifiers(b) && self.compatible_unqualified(a, b))
    }

    /// Whether two types are compatible when the outermost qualifiers are dropped.
    pub fn compatible_unqualified(&self, a: TypeId, b: TypeId) -> bool {
        match (self.kind(a), self.kind(b)) {
            (TypeKind::Enum(x), TypeKind::Int(y)) | (TypeKind::Int(y), TypeKind::Enum(x)) => {
                self.enums[*x].int == *y
            }
            (TypeKind::Pointer(x), TypeKind::Pointer(y)) => self.compatible(*x, *y),
            (TypeKind::Array(x, n), TypeKind::Array(y, m)) => {
                let lengths = match (n, m) {
                    (ArrayLength::Fixed(n), ArrayLength::Fixed(m)) => n == m,
                    _ => true,
                };
                lengths && self.compatible(*x, *y)
            }
            (TypeKind::Function(f), TypeKind::Function(g)) => self.compatible_functions(f, g),
            (x, y) => x == y,
        }
    }

    fn compatible_functions(&self, f: &FunctionType, g: &FunctionType) -> bool {
        if !self.compatible(f.result, g.result) {
            return false;
        }
        if !f.prototype || !g.prototype {
            return true;
        }
        f.variadic == g.variadic
            && f.parameters.len() == g.parameters.len()
            && f.parameters.iter().zip(&g.parameters).all(|(&p, &q)| self.compatible_unqualified(p, q))
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
