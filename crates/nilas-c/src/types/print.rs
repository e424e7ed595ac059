//! Types as C text, for messages.

use super::{ArrayLength, FloatKind, IntKind, Qualifiers, TypeId, TypeKind, TypeTable};

impl TypeTable {
    /// The type as an abstract declarator, such as `int (*)(char *)`.
    pub fn display(&self, ty: TypeId) -> String {
        self.display_nested(ty, 0)
    }

    /// Function types inside function types can name exponentially many types: below this depth they are cut.
    fn display_nested(&self, ty: TypeId, depth: usize) -> String {
        let mut declarator = String::new();
        let mut ty = ty;
        // Layers are added around the declarator, so that nesting costs no recursion except in parameter
        // lists.
        loop {
            match self.kind(ty) {
                TypeKind::Pointer(to) => {
                    let qualifiers = qualifier_text(self.qualifiers(ty));
                    let space = if qualifiers.is_empty() || declarator.is_empty() { "" } else { " " };
                    declarator = format!("*{}{space}{declarator}", qualifiers.trim_end());
                    if matches!(self.kind(*to), TypeKind::Array(..) | TypeKind::Function(_)) {
                        declarator = format!("({declarator})");
                    }
                    ty = *to;
                }
                TypeKind::Array(element, length) => {
                    match length {
                        ArrayLength::Fixed(n) => declarator.push_str(&format!("[{n}]")),
                        ArrayLength::Unknown => declarator.push_str("[]"),
                        ArrayLength::Variable(_) | ArrayLength::Star => declarator.push_str("[*]"),
                    }
                    ty = *element;
                }
                TypeKind::Function(function) => {
                    let shown = if depth > 4 { &[] } else { &function.parameters[..] };
                    let mut parameters: Vec<String> =
                        shown.iter().map(|&p| self.display_nested(p, depth + 1)).collect();
                    if depth > 4 {
                        parameters = vec!["…".to_owned()];
                    } else if function.variadic {
                        parameters.push("...".to_owned());
                    }
                    if parameters.is_empty() && function.prototype {
                        parameters.push("void".to_owned());
                    }
                    declarator.push_str(&format!("({})", parameters.join(", ")));
                    ty = function.result;
                }
                _ => break,
            }
        }
        let base = format!("{}{}", qualifier_text(self.qualifiers(ty)), self.base_name(ty));
        if declarator.is_empty() { base } else { format!("{base} {declarator}") }
    }

    fn base_name(&self, ty: TypeId) -> String {
        match self.kind(ty) {
            TypeKind::Int(kind) => int_name(*kind).to_owned(),
            TypeKind::Float(kind) => float_name(*kind).to_owned(),
            TypeKind::Complex(kind) => format!("_Complex {}", float_name(*kind)),
            TypeKind::Record(id) => {
                let record = &self.records[*id];
                let word = if record.is_union { "union" } else { "struct" };
                format!("{word} {}", record.tag.as_deref().unwrap_or("<anonymous>"))
            }
            TypeKind::Enum(id) => format!("enum {}", self.enums[*id].tag.as_deref().unwrap_or("<anonymous>")),
            _ => "void".to_owned(),
        }
    }
}

fn qualifier_text(qualifiers: Qualifiers) -> String {
    let mut text = String::new();
    for (present, word) in [
        (qualifiers.is_const, "const "),
        (qualifiers.is_volatile, "volatile "),
        (qualifiers.is_restrict, "restrict "),
        (qualifiers.is_atomic, "_Atomic "),
    ] {
        if present {
            text.push_str(word);
        }
    }
    text
}

/// The name of an integer type.
pub(crate) fn int_name(kind: IntKind) -> &'static str {
    match kind {
        IntKind::Bool => "_Bool",
        IntKind::Char | IntKind::CharUnsigned => "char",
        IntKind::SignedChar => "signed char",
        IntKind::UnsignedChar => "unsigned char",
        IntKind::Short => "short",
        IntKind::UnsignedShort => "unsigned short",
        IntKind::Int => "int",
        IntKind::UnsignedInt => "unsigned int",
        IntKind::Long => "long",
        IntKind::UnsignedLong => "unsigned long",
        IntKind::LongLong => "long long",
        IntKind::UnsignedLongLong => "unsigned long long",
        IntKind::Int128 => "__int128",
        IntKind::UnsignedInt128 => "unsigned __int128",
    }
}

/// The name of a floating type.
pub(crate) fn float_name(kind: FloatKind) -> &'static str {
    match kind {
        FloatKind::Half => "_Float16",
        FloatKind::Float => "float",
        FloatKind::Double => "double",
        FloatKind::LongDouble => "long double",
        FloatKind::Float128 => "__float128",
    }
}
