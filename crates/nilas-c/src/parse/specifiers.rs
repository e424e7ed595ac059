//! Declaration specifiers: storage classes, qualifiers and type specifiers in any order.

use super::{Parse, Parser};
use crate::ast::{
    AlignAs, Attribute, BuiltinType, Declarator, Name, Qualifiers, Specifiers, Storage, TypeName, TypeSpec,
};
use crate::lex::{Keyword, Punct, Token, TokenKind};
use crate::source::Span;

/// The type keywords seen so far.
#[derive(Default)]
struct Words {
    base: Option<Keyword>,
    signed: bool,
    unsigned: bool,
    short: bool,
    long: u8,
    complex: bool,
}

impl Words {
    fn any(&self) -> bool {
        self.base.is_some() || self.signed || self.unsigned || self.short || self.long > 0 || self.complex
    }

    /// The type that the words name; `None` if they do not go together.
    fn resolve(&self) -> Option<BuiltinType> {
        use BuiltinType as T;
        let sign = self.signed || self.unsigned;
        if self.signed && self.unsigned {
            return None;
        }
        let pick = |signed, unsigned| if self.unsigned { unsigned } else { signed };
        if self.complex {
            return match (self.base, self.long, sign || self.short) {
                (Some(Keyword::Float | Keyword::Float32), 0, false) => Some(T::ComplexFloat),
                (Some(Keyword::Double | Keyword::Float64 | Keyword::Float32x) | None, 0, false) => {
                    Some(T::ComplexDouble)
                }
                (Some(Keyword::Double), 1, false)
                | (Some(Keyword::Float64x | Keyword::Float80), 0, false) => Some(T::ComplexLongDouble),
                (Some(Keyword::Float128), 0, false) => Some(T::ComplexFloat128),
                _ => None,
            };
        }
        match (self.base, self.short, self.long) {
            (Some(Keyword::Int) | None, false, 0) => Some(pick(T::Int, T::UnsignedInt)),
            (Some(Keyword::Int) | None, true, 0) => Some(pick(T::Short, T::UnsignedShort)),
            (Some(Keyword::Int) | None, false, 1) => Some(pick(T::Long, T::UnsignedLong)),
            (Some(Keyword::Int) | None, false, 2) => Some(pick(T::LongLong, T::UnsignedLongLong)),
            (Some(Keyword::Char), false, 0) if self.unsigned => Some(T::UnsignedChar),
            (Some(Keyword::Char), false, 0) if self.signed => Some(T::SignedChar),
            (Some(Keyword::Char), false, 0) => Some(T::Char),
            (Some(Keyword::Int128), false, 0) => Some(pick(T::Int128, T::UnsignedInt128)),
            (Some(Keyword::Double), false, 1) if !sign => Some(T::LongDouble),
            (Some(base), false, 0) if !sign => match base {
                Keyword::Void => Some(T::Void),
                Keyword::Bool => Some(T::Bool),
                Keyword::Float | Keyword::Float32 => Some(T::Float),
                Keyword::Double | Keyword::Float64 | Keyword::Float32x => Some(T::Double),
                Keyword::Float64x | Keyword::Float80 => Some(T::LongDouble),
                Keyword::Float128 => Some(T::Float128),
                Keyword::Float16 => Some(T::Float16),
                _ => None,
            },
            _ => None,
        }
    }
}

/// `_Float32` and kin: keywords now, but older sources define them by `typedef`.
pub(super) fn is_float_name(keyword: Keyword) -> bool {
    use Keyword as K;
    matches!(
        keyword,
        K::Float16 | K::Float32 | K::Float64 | K::Float32x | K::Float64x | K::Float128 | K::Float80
    )
}

impl Parser<'_> {
    /// Whether a token can start declaration specifiers.
    pub(super) fn starts_specifiers(&self, token: Token) -> bool {
        use Keyword as K;
        match token.kind {
            TokenKind::Ident(symbol) => self.scopes.is_typedef(symbol),
            TokenKind::Keyword(keyword) => {
                matches!(
                    keyword,
                    K::Auto
                        | K::Register
                        | K::Static
                        | K::Extern
                        | K::Typedef
                        | K::ThreadLocal
                        | K::Inline
                        | K::Noreturn
                        | K::Alignas
                        | K::Attribute
                ) || self.starts_type(token)
            }
            _ => false,
        }
    }

    /// Whether a token can start a type name.
    pub(super) fn starts_type(&self, token: Token) -> bool {
        use Keyword as K;
        match token.kind {
            TokenKind::Ident(symbol) => self.scopes.is_typedef(symbol),
            TokenKind::Keyword(keyword) => {
                is_float_name(keyword)
                    || matches!(
                        keyword,
                        K::Void
                            | K::Char
                            | K::Short
                            | K::Int
                            | K::Long
                            | K::Float
                            | K::Double
                            | K::Signed
                            | K::Unsigned
                            | K::Bool
                            | K::Complex
                            | K::Imaginary
                            | K::Struct
                            | K::Union
                            | K::Enum
                            | K::Const
                            | K::Volatile
                            | K::Restrict
                            | K::Atomic
                            | K::Typeof
                            | K::AutoType
                            | K::Int128
                            | K::Attribute
                    )
            }
            _ => false,
        }
    }

    /// `const`, `volatile`, `restrict`, `_Atomic` (without parentheses) if it is here.
    pub(super) fn qualifier(&mut self, into: &mut Qualifiers) -> bool {
        match self.token().kind {
            TokenKind::Keyword(Keyword::Const) => into.is_const = true,
            TokenKind::Keyword(Keyword::Volatile) => into.is_volatile = true,
            TokenKind::Keyword(Keyword::Restrict) => into.is_restrict = true,
            TokenKind::Keyword(Keyword::Atomic)
                if self.peek(1).kind != TokenKind::Punct(Punct::LeftParen) =>
            {
                into.is_atomic = true;
            }
            _ => return false,
        }
        self.advance();
        true
    }

    /// Declaration specifiers. An identifier that is no typedef name ends them.
    pub(super) fn specifiers(&mut self) -> Parse<Specifiers> {
        let start = self.span();
        let mut storage = Storage::default();
        let mut qualifiers = Qualifiers::default();
        let mut alignas = Vec::new();
        let mut attributes: Vec<Attribute> = Vec::new();
        let mut words = Words::default();
        let mut ty: Option<TypeSpec> = None;
        loop {
            let has_type = ty.is_some() || words.any();
            if self.qualifier(&mut qualifiers) {
                continue;
            }
            match self.token().kind {
                TokenKind::Keyword(Keyword::Attribute) => self.attributes(&mut attributes)?,
                TokenKind::Keyword(Keyword::Extension) => {
                    self.advance();
                }
                TokenKind::Keyword(Keyword::Alignas) => alignas.push(self.alignas()?),
                TokenKind::Keyword(keyword) if storage_word(&mut storage, keyword) => {
                    self.advance();
                }
                TokenKind::Keyword(keyword) if has_type && is_float_name(keyword) && !words.complex => break,
                TokenKind::Keyword(keyword) if ty.is_none() && self.type_word(&mut words, keyword)? => {
                    self.advance();
                }
                TokenKind::Keyword(keyword) => match self.type_specifier(keyword)? {
                    None => break,
                    Some((_, span)) if has_type => {
                        return self.fail(span, "two types in one declaration");
                    }
                    Some((spec, _)) => ty = Some(spec),
                },
                TokenKind::Ident(symbol) if !has_type && self.scopes.is_typedef(symbol) => {
                    let span = self.advance().span;
                    ty = Some(TypeSpec::Typedef(Name { symbol, span }));
                }
                _ => break,
            }
        }
        let span = if self.previous_span().end >= start.start { self.span_from(start) } else { start };
        let ty = match ty {
            Some(ty) if !words.any() => ty,
            Some(_) => return self.fail(span, "two types in one declaration"),
            None if !words.any() => TypeSpec::Missing,
            None => match words.resolve() {
                Some(builtin) => TypeSpec::Builtin(builtin),
                None => return self.fail(span, "these type words do not go together"),
            },
        };
        Ok(Specifiers { storage, qualifiers, ty, alignas, attributes, span })
    }

    fn type_word(&mut self, words: &mut Words, keyword: Keyword) -> Parse<bool> {
        match keyword {
            Keyword::Signed => words.signed = true,
            Keyword::Unsigned => words.unsigned = true,
            Keyword::Short => words.short = true,
            Keyword::Long => words.long = words.long.saturating_add(1),
            Keyword::Complex => words.complex = true,
            Keyword::Void
            | Keyword::Char
            | Keyword::Int
            | Keyword::Float
            | Keyword::Double
            | Keyword::Bool
            | Keyword::Int128 => return self.base_word(words, keyword),
            _ if is_float_name(keyword) => return self.base_word(words, keyword),
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn base_word(&mut self, words: &mut Words, keyword: Keyword) -> Parse<bool> {
        if words.base.is_some() {
            let span = self.span();
            return self.fail(span, "two types in one declaration");
        }
        words.base = Some(keyword);
        Ok(true)
    }

    /// `struct`, `union`, `enum`, `typeof`, `__auto_type`, `_Atomic(T)`; `None` if the keyword is none of
    /// them.
    fn type_specifier(&mut self, keyword: Keyword) -> Parse<Option<(TypeSpec, Span)>> {
        let span = self.span();
        let spec = match keyword {
            Keyword::Struct | Keyword::Union => TypeSpec::Record(Box::new(self.nested(Self::record)?)),
            Keyword::Enum => TypeSpec::Enum(Box::new(self.nested(Self::enumeration)?)),
            Keyword::AutoType => {
                self.advance();
                TypeSpec::Auto
            }
            Keyword::Typeof => {
                self.advance();
                let open = self.expect(Punct::LeftParen)?;
                let spec = if self.starts_type(self.token()) {
                    TypeSpec::TypeofType(Box::new(self.nested(Self::type_name)?))
                } else {
                    TypeSpec::TypeofExpr(self.nested(Self::expression)?)
                };
                self.expect_close(Punct::RightParen, open)?;
                spec
            }
            Keyword::Atomic => {
                self.advance();
                let open = self.expect(Punct::LeftParen)?;
                let mut name = self.nested(Self::type_name)?;
                if name.declarator.derived.is_empty() {
                    name.specifiers.qualifiers.is_atomic = true;
                }
                self.expect_close(Punct::RightParen, open)?;
                TypeSpec::TypeofType(Box::new(name))
            }
            Keyword::Imaginary => return self.fail(span, "imaginary types are not supported"),
            _ => return Ok(None),
        };
        Ok(Some((spec, span)))
    }

    fn alignas(&mut self) -> Parse<AlignAs> {
        self.advance();
        let open = self.expect(Punct::LeftParen)?;
        let result = if self.starts_type(self.token()) {
            AlignAs::Type(self.nested(Self::type_name)?)
        } else {
            AlignAs::Expr(self.nested(Self::conditional)?)
        };
        self.expect_close(Punct::RightParen, open)?;
        Ok(result)
    }

    /// A type as it stands in parentheses.
    pub(super) fn type_name(&mut self) -> Parse<TypeName> {
        let specifiers = self.specifiers()?;
        if matches!(specifiers.ty, TypeSpec::Missing) && specifiers.qualifiers == Qualifiers::default() {
            return Err(self.expected("a type"));
        }
        let declarator: Declarator = self.declarator()?;
        if let Some(name) = declarator.name {
            return self.fail(name.span, "a name where only a type can stand");
        }
        Ok(TypeName { specifiers, declarator })
    }
}

fn storage_word(storage: &mut Storage, keyword: Keyword) -> bool {
    match keyword {
        Keyword::Typedef => storage.is_typedef = true,
        Keyword::Extern => storage.is_extern = true,
        Keyword::Static => storage.is_static = true,
        Keyword::Auto => storage.is_auto = true,
        Keyword::Register => storage.is_register = true,
        Keyword::ThreadLocal => storage.is_thread_local = true,
        Keyword::Inline => storage.is_inline = true,
        Keyword::Noreturn => storage.is_noreturn = true,
        _ => return false,
    }
    true
}
