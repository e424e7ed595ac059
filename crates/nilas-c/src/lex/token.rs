//! Tokens, keywords and punctuators.

use crate::define_id;
use crate::index::Id;
use crate::source::Span;
use std::collections::HashMap;

define_id!(
    /// An interned identifier. Keywords have the smallest numbers.
    pub(crate) Symbol
);

/// What a token is. Literals are indices into the tables of [`super::Lexed`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TokenKind {
    /// An identifier that is no keyword.
    Ident(Symbol),
    /// A keyword, in any of its spellings.
    Keyword(Keyword),
    /// An integer constant.
    Int(u32),
    /// A floating constant.
    Float(u32),
    /// A character constant.
    Char(u32),
    /// One string literal; adjacent ones are joined by the parser.
    String(u32),
    /// A punctuator.
    Punct(Punct),
    /// The end of the text.
    Eof,
}

/// A token with its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it stands.
    pub span: Span,
}

macro_rules! keywords {
    ($($variant:ident $first:literal $(| $other:literal)*;)*) => {
        /// The keywords of C11 and GNU C. Alternative spellings are one keyword.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
        pub(crate) enum Keyword {
            $(#[doc = concat!("`", $first, "`")] $variant,)*
        }

        /// Every spelling with its keyword; the position in this table is the number of the symbol.
        const KEYWORDS: &[(&str, Keyword)] =
            &[$(($first, Keyword::$variant), $(($other, Keyword::$variant),)*)*];

        impl Keyword {
            /// The standard spelling.
            pub(crate) fn text(self) -> &'static str {
                match self { $(Keyword::$variant => $first,)* }
            }
        }
    };
}

keywords! {
    Auto "auto"; Break "break"; Case "case"; Char "char";
    Const "const" | "__const" | "__const__";
    Continue "continue"; Default "default"; Do "do"; Double "double"; Else "else"; Enum "enum";
    Extern "extern"; Float "float"; For "for"; Goto "goto"; If "if";
    Inline "inline" | "__inline" | "__inline__";
    Int "int"; Long "long"; Register "register";
    Restrict "restrict" | "__restrict" | "__restrict__";
    Return "return"; Short "short";
    Signed "signed" | "__signed" | "__signed__";
    Sizeof "sizeof"; Static "static"; Struct "struct"; Switch "switch"; Typedef "typedef"; Union "union";
    Unsigned "unsigned"; Void "void";
    Volatile "volatile" | "__volatile" | "__volatile__";
    While "while";
    Alignas "_Alignas"; Alignof "_Alignof"; PreferredAlignof "__alignof__" | "__alignof"; Atomic "_Atomic"; Bool "_Bool";
    Complex "_Complex" | "__complex" | "__complex__"; Generic "_Generic"; Imaginary "_Imaginary";
    Noreturn "_Noreturn"; StaticAssert "_Static_assert"; ThreadLocal "_Thread_local" | "__thread";
    Attribute "__attribute__" | "__attribute"; Extension "__extension__";
    Typeof "typeof" | "__typeof" | "__typeof__"; AutoType "__auto_type";
    Asm "asm" | "__asm" | "__asm__"; Label "__label__";
    Int128 "__int128" | "__int128_t";
    Float16 "_Float16"; Float32 "_Float32"; Float64 "_Float64"; Float32x "_Float32x"; Float64x "_Float64x";
    Float128 "_Float128" | "__float128";
    Float80 "__float80";
    Real "__real__" | "__real"; Imag "__imag__" | "__imag";
    VaArg "__builtin_va_arg"; Offsetof "__builtin_offsetof"; TypesCompatible "__builtin_types_compatible_p";
    ChooseExpr "__builtin_choose_expr";
}

macro_rules! puncts {
    ($($variant:ident $text:literal;)*) => {
        /// The punctuators; digraphs are the punctuator they stand for.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
        pub(crate) enum Punct {
            $(#[doc = concat!("`", $text, "`")] $variant,)*
        }

        impl Punct {
            /// The usual spelling.
            pub(crate) fn text(self) -> &'static str {
                match self { $(Punct::$variant => $text,)* }
            }
        }
    };
}

puncts! {
    LeftParen "("; RightParen ")"; LeftBracket "["; RightBracket "]"; LeftBrace "{"; RightBrace "}";
    Dot "."; Arrow "->"; Increment "++"; Decrement "--"; And "&"; Star "*"; Plus "+"; Minus "-"; Tilde "~";
    Not "!"; Slash "/"; Percent "%"; ShiftLeft "<<"; ShiftRight ">>"; Less "<"; Greater ">"; LessEqual "<=";
    GreaterEqual ">="; EqualEqual "=="; NotEqual "!="; Caret "^"; Or "|"; AndAnd "&&"; OrOr "||";
    Question "?"; Colon ":"; Semicolon ";"; Ellipsis "..."; Assign "="; StarAssign "*="; SlashAssign "/=";
    PercentAssign "%="; PlusAssign "+="; MinusAssign "-="; ShiftLeftAssign "<<="; ShiftRightAssign ">>=";
    AndAssign "&="; CaretAssign "^="; OrAssign "|="; Comma ",";
}

impl Token {
    /// The token as a message names it.
    pub(crate) fn describe(&self, symbols: &Symbols) -> String {
        match self.kind {
            TokenKind::Ident(symbol) => format!("`{}`", symbols.text(symbol)),
            TokenKind::Keyword(keyword) => format!("`{}`", keyword.text()),
            TokenKind::Int(_) | TokenKind::Float(_) => "a number".to_owned(),
            TokenKind::Char(_) => "a character constant".to_owned(),
            TokenKind::String(_) => "a string literal".to_owned(),
            TokenKind::Punct(punct) => format!("`{}`", punct.text()),
            TokenKind::Eof => "the end of the file".to_owned(),
        }
    }
}

/// The interned identifiers of one program.
#[derive(Clone, Debug)]
pub(crate) struct Symbols {
    names: Vec<Box<str>>,
    by_name: HashMap<Box<str>, Symbol>,
}

impl Symbols {
    /// Only the keywords.
    pub(crate) fn new() -> Symbols {
        let mut symbols = Symbols { names: Vec::new(), by_name: HashMap::new() };
        for (text, _) in KEYWORDS {
            symbols.intern(text);
        }
        symbols
    }

    /// The symbol of a name.
    pub(crate) fn intern(&mut self, name: &str) -> Symbol {
        if let Some(&symbol) = self.by_name.get(name) {
            return symbol;
        }
        let symbol = Symbol::from_index(self.names.len());
        self.names.push(name.into());
        self.by_name.insert(name.into(), symbol);
        symbol
    }

    /// The name of a symbol.
    pub(crate) fn text(&self, symbol: Symbol) -> &str {
        &self.names[symbol.index()]
    }

    /// The symbol of a keyword's standard spelling.
    pub(crate) fn of_keyword(keyword: Keyword) -> Symbol {
        Symbol::from_index(KEYWORDS.iter().position(|&(_, k)| k == keyword).unwrap_or(0))
    }

    /// The keyword that a symbol spells, if any.
    pub(crate) fn keyword(symbol: Symbol) -> Option<Keyword> {
        KEYWORDS.get(symbol.index()).map(|&(_, keyword)| keyword)
    }
}

impl Default for Symbols {
    fn default() -> Self {
        Symbols::new()
    }
}
