//! Data models and the arithmetic types, with their sizes.

/// The sizes of `long` and pointers, and what else a machine decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum DataModel {
    /// 32-bit `int`, `long` and pointers (i386).
    Ilp32,
    /// 32-bit `int`, 64-bit `long` and pointers (x86-64).
    Lp64,
    /// Something else, as a compiler has it.
    Other(Target),
}

/// What a compiler decides about types. `short` has 16 bits, `int` 32, `long` as many as pointers, `long
/// long` 64; the least significant byte comes first. Nothing else is modelled.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Target {
    /// `long` and pointers have 64 bits, not 32.
    pub wide: bool,
    /// `char` is unsigned.
    pub unsigned_char: bool,
    /// Members of 8 bytes are aligned to 8 bytes, not to 4.
    pub aligned_members: bool,
    /// An enumeration is as small as its constants allow.
    pub short_enums: bool,
    /// An unnamed bit-field raises the alignment of its struct.
    pub aligning_bits: bool,
    /// `size_t`
    pub size: IntKind,
    /// `ptrdiff_t`
    pub difference: IntKind,
    /// `wchar_t`
    pub wide_char: IntKind,
    /// What `long double` is.
    pub long_double: FloatKind,
    /// What `aligned` means without a number.
    pub largest_alignment: u64,
}

/// i386 Linux.
const I386: Target = Target {
    wide: false,
    unsigned_char: false,
    aligned_members: false,
    short_enums: false,
    aligning_bits: false,
    size: IntKind::UnsignedInt,
    difference: IntKind::Int,
    wide_char: IntKind::Long,
    long_double: FloatKind::LongDouble,
    largest_alignment: 16,
};

/// x86-64 Linux.
const X86_64: Target = Target {
    wide: true,
    unsigned_char: false,
    aligned_members: true,
    short_enums: false,
    aligning_bits: false,
    size: IntKind::UnsignedLong,
    difference: IntKind::Long,
    wide_char: IntKind::Int,
    long_double: FloatKind::LongDouble,
    largest_alignment: 16,
};

impl Target {
    /// The model of this machine.
    pub fn model(self) -> DataModel {
        match self {
            I386 => DataModel::Ilp32,
            X86_64 => DataModel::Lp64,
            other => DataModel::Other(other),
        }
    }
}

impl DataModel {
    /// All that the model decides.
    pub fn target(self) -> Target {
        match self {
            DataModel::Ilp32 => I386,
            DataModel::Lp64 => X86_64,
            DataModel::Other(target) => target,
        }
    }

    /// A name that tells it from all others.
    pub fn name(self) -> String {
        let target = match self {
            DataModel::Ilp32 => return "ilp32".to_owned(),
            DataModel::Lp64 => return "lp64".to_owned(),
            DataModel::Other(target) => target,
        };
        let width = if target.wide { "lp64" } else { "ilp32" };
        let flags = [
            ("unsigned-char", target.unsigned_char),
            ("aligned-members", target.aligned_members),
            ("short-enums", target.short_enums),
            ("aligning-bits", target.aligning_bits),
        ];
        let flags: String = flags.iter().filter(|(_, on)| *on).map(|(name, _)| format!("+{name}")).collect();
        let Target { size, difference, wide_char, long_double, largest_alignment, .. } = target;
        let types = format!("+{size:?}+{difference:?}+{wide_char:?}+{long_double:?}+{largest_alignment}");
        format!("{width}{flags}{}", types.to_lowercase())
    }

    /// Whether pointers have 32 bits.
    pub fn is_narrow(self) -> bool {
        !self.target().wide
    }

    /// Bytes of a pointer.
    pub fn pointer_size(self) -> u64 {
        if self.is_narrow() { 4 } else { 8 }
    }

    /// The type `size_t`.
    pub fn size_type(self) -> IntKind {
        self.target().size
    }

    /// The type `ptrdiff_t`.
    pub fn ptrdiff_type(self) -> IntKind {
        self.target().difference
    }

    /// The type `wchar_t`.
    pub fn wchar_type(self) -> IntKind {
        self.target().wide_char
    }

    /// The type `char`.
    pub fn char_kind(self) -> IntKind {
        if self.target().unsigned_char { IntKind::CharUnsigned } else { IntKind::Char }
    }
}

/// The integer types, `_Bool` included, enumerations not.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub enum IntKind {
    Bool,
    Char,
    /// `char` where it is unsigned.
    CharUnsigned,
    SignedChar,
    UnsignedChar,
    Short,
    UnsignedShort,
    Int,
    UnsignedInt,
    Long,
    UnsignedLong,
    LongLong,
    UnsignedLongLong,
    Int128,
    UnsignedInt128,
}

impl IntKind {
    /// Whether values can be negative.
    pub fn is_signed(self) -> bool {
        use IntKind as K;
        matches!(self, K::Char | K::SignedChar | K::Short | K::Int | K::Long | K::LongLong | K::Int128)
    }

    /// Bytes.
    pub fn size(self, model: DataModel) -> u64 {
        use IntKind as K;
        match self {
            K::Bool | K::Char | K::CharUnsigned | K::SignedChar | K::UnsignedChar => 1,
            K::Short | K::UnsignedShort => 2,
            K::Int | K::UnsignedInt => 4,
            K::Long | K::UnsignedLong => model.pointer_size(),
            K::LongLong | K::UnsignedLongLong => 8,
            K::Int128 | K::UnsignedInt128 => 16,
        }
    }

    /// Bits that hold the value: 1 for `_Bool`, else all.
    pub fn value_bits(self, model: DataModel) -> u32 {
        match self {
            IntKind::Bool => 1,
            _ => u32::try_from(8 * self.size(model)).unwrap_or(128),
        }
    }

    /// The conversion rank (C11 6.3.1.1).
    pub fn rank(self) -> u8 {
        use IntKind as K;
        match self {
            K::Bool => 0,
            K::Char | K::CharUnsigned | K::SignedChar | K::UnsignedChar => 1,
            K::Short | K::UnsignedShort => 2,
            K::Int | K::UnsignedInt => 3,
            K::Long | K::UnsignedLong => 4,
            K::LongLong | K::UnsignedLongLong => 5,
            K::Int128 | K::UnsignedInt128 => 6,
        }
    }

    /// The unsigned type of the same rank.
    #[must_use]
    pub fn to_unsigned(self) -> IntKind {
        use IntKind as K;
        match self {
            K::Char | K::CharUnsigned | K::SignedChar => K::UnsignedChar,
            K::Short => K::UnsignedShort,
            K::Int => K::UnsignedInt,
            K::Long => K::UnsignedLong,
            K::LongLong => K::UnsignedLongLong,
            K::Int128 => K::UnsignedInt128,
            other => other,
        }
    }

    /// The signed type of the same rank; `_Bool` stays.
    #[must_use]
    pub fn to_signed(self) -> IntKind {
        use IntKind as K;
        match self {
            K::UnsignedChar | K::CharUnsigned => K::SignedChar,
            K::UnsignedShort => K::Short,
            K::UnsignedInt => K::Int,
            K::UnsignedLong => K::Long,
            K::UnsignedLongLong => K::LongLong,
            K::UnsignedInt128 => K::Int128,
            other => other,
        }
    }

    /// Reduces a value to this type: modulo 2^n for integers, "is not zero" for `_Bool`. Values of
    /// `unsigned __int128` from 2^127 up are kept as the negative number with the same bits.
    pub fn wrap(self, value: i128, model: DataModel) -> i128 {
        match self.value_bits(model) {
            1 => i128::from(value != 0),
            bits => wrap_bits(value, bits, self.is_signed()),
        }
    }
}

/// Reduces a value to `bits` bits (1 to 128).
pub(crate) fn wrap_bits(value: i128, bits: u32, signed: bool) -> i128 {
    if bits >= 128 {
        return value;
    }
    let shift = 128 - bits.max(1);
    if signed { (value << shift) >> shift } else { ((value << shift).cast_unsigned() >> shift).cast_signed() }
}

/// The real floating types.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum FloatKind {
    /// `_Float16`: IEEE binary16.
    Half,
    /// `float`: IEEE binary32.
    Float,
    /// `double`: IEEE binary64.
    Double,
    /// `long double`: x87 extended, 15 bits of exponent and 64 of significand.
    LongDouble,
    /// `__float128`: IEEE binary128.
    Float128,
}

impl FloatKind {
    /// Bytes.
    pub fn size(self, model: DataModel) -> u64 {
        match self {
            FloatKind::Half => 2,
            FloatKind::Float => 4,
            FloatKind::Double => 8,
            FloatKind::LongDouble if model.is_narrow() => 12,
            FloatKind::LongDouble | FloatKind::Float128 => 16,
        }
    }

    /// Bits of the exponent, and of the significand with its leading bit.
    pub fn format(self) -> (u32, u32) {
        match self {
            FloatKind::Half => (5, 11),
            FloatKind::Float => (8, 24),
            FloatKind::Double => (11, 53),
            FloatKind::LongDouble => (15, 64),
            FloatKind::Float128 => (15, 113),
        }
    }
}
