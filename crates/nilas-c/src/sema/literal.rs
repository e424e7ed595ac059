//! Constants and string literals.

use super::{Check, Checker};
use crate::lex::{Encoding, FloatSuffix, IntLiteral, Piece, encode};
use crate::source::Span;
use crate::tree::{ExprId, ExprKind, FloatConstant, StringLiteral};
use crate::types::{FloatKind, IntKind, Qualifiers, TypeId};

impl Checker<'_> {
    /// The first type of the standard's list that holds the value (C11 6.4.4.1, and `__int128` beyond).
    pub(super) fn int_literal(&mut self, literal: IntLiteral, span: Span) -> Check<ExprId> {
        use IntKind as K;
        if literal.imaginary {
            return self.fail(span, "complex numbers are not supported");
        }
        let model = self.program.types.model();
        let kinds = [K::Int, K::Long, K::LongLong, K::Int128];
        let first = usize::from(literal.long);
        let fits = |kind: IntKind| {
            let bits = kind.value_bits(model) - u32::from(kind.is_signed());
            bits >= 128 || literal.value >> bits == 0
        };
        let mut found = K::UnsignedInt128;
        for kind in &kinds[first..] {
            if !literal.unsigned && fits(*kind) {
                found = *kind;
                break;
            }
            // A decimal constant without suffix becomes unsigned only where no signed type is left.
            if (literal.unsigned || !literal.decimal) && fits(kind.to_unsigned()) {
                found = kind.to_unsigned();
                break;
            }
        }
        let ty = self.program.types.int(found);
        Ok(self.int_node(literal.value.cast_signed(), ty, span))
    }

    pub(super) fn float_literal(&mut self, index: u32, span: Span) -> Check<ExprId> {
        let literal = &self.ast.floats[index as usize];
        if literal.imaginary {
            return self.fail(span, "complex numbers are not supported");
        }
        let kind = match literal.suffix {
            FloatSuffix::Float => FloatKind::Float,
            FloatSuffix::Double => FloatKind::Double,
            FloatSuffix::LongDouble => self.program.types.model().target().long_double,
            FloatSuffix::Float128 => FloatKind::Float128,
        };
        let value = FloatConstant::Finite {
            digits: literal.digits.clone(),
            exponent: literal.exponent,
            binary: literal.hexadecimal,
        };
        let ty = self.program.types.float(kind);
        Ok(self.node(ExprKind::Float(value), ty, span))
    }

    /// The type of the elements of a literal with this prefix.
    pub(super) fn literal_int_kind(&self, encoding: Encoding) -> IntKind {
        match encoding {
            Encoding::Narrow | Encoding::Utf8 => self.program.types.model().char_kind(),
            Encoding::Utf16 => IntKind::UnsignedShort,
            Encoding::Utf32 => IntKind::UnsignedInt,
            Encoding::Wide => self.program.types.model().wchar_type(),
        }
    }

    /// A character constant. Several narrow characters make one `int`, as in GCC.
    pub(super) fn char_literal(&mut self, encoding: Encoding, pieces: &[Piece], span: Span) -> ExprId {
        let units = encode(pieces, encoding);
        if encoding == Encoding::Narrow {
            let int = self.int_type();
            let value = match units.as_slice() {
                [one] => {
                    let model = self.program.types.model();
                    model.char_kind().wrap(i128::from(*one), model)
                }
                many => {
                    many.iter().fold(0i128, |value, &unit| ((value << 8) | i128::from(unit)) & 0xffff_ffff)
                }
            };
            return self.int_node(value, int, span);
        }
        let kind = self.literal_int_kind(encoding);
        let ty = self.program.types.int(kind);
        self.int_node(i128::from(units.last().copied().unwrap_or(0)), ty, span)
    }

    pub(super) fn string_literal(&mut self, encoding: Encoding, pieces: &[Piece], span: Span) -> ExprId {
        let kind = self.literal_int_kind(encoding);
        let element = self.program.types.int(kind);
        self.string_node(encode(pieces, encoding), element, span)
    }

    fn string_node(&mut self, units: Vec<u32>, element: TypeId, span: Span) -> ExprId {
        let ty = self.program.types.array(element, units.len() as u64 + 1);
        let string = self.program.strings.push(StringLiteral { units, element, ty, span });
        self.node(ExprKind::String(string), ty, span)
    }

    /// `__func__` and its kin.
    pub(super) fn function_name(&mut self, span: Span) -> ExprId {
        let name = match &self.function {
            Some(state) => self.program.functions[state.id].name.clone(),
            None => String::new(),
        };
        let char_ = self.program.types.int(self.program.types.model().char_kind());
        let constant =
            self.program.types.qualified(char_, Qualifiers { is_const: true, ..Qualifiers::default() });
        self.string_node(name.bytes().map(u32::from).collect(), constant, span)
    }
}
