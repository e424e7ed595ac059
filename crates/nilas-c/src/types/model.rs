//! Data models and the arithmetic types, with their sizes.

/// The sizes of `long` and pointers: the two models of x86 Linux.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum DataModel {
    /// 32-bit `int`, `long` and pointers (i386).
    Ilp32,
    /// 32-bit `int`, 64-bit `long` and pointers (x86-64).
    Lp64,
}

impl DataModel {
    /// Bytes of a pointer.
    pub fn pointer_size(self) -> u64 {
        match self {
            DataModel::Ilp32 => 4,
            DataModel::Lp64 => 8,
        }
    }

    /// The type `size_t`.
    pub fn size_type(self) -> IntKind {
        match self {
            DataModel::Ilp32 => IntKind::UnsignedInt,
            DataModel::Lp64 => IntKind::UnsignedLong,
        }
    }

    /// The type `ptrdiff_t`.
    pub fn ptrdiff_type(self) -> IntKind {
        match self {
            DataModel::Ilp32 => IntKind::Int,
            DataModel::Lp64 => IntKind::Long,
        }
    }

    /// The type `wchar_t`.
    pub fn wchar_type(self) -> IntKind {
        match self {
            DataModel::Ilp32 => IntKind::Long,
            DataModel::Lp64 => IntKind::Int,
        }
    }
}

/// The integer types, `_Bool` included, enumerations not.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub enum IntKind {
    Bool,
    Char,
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
    /// Whether values can be negative. `char` is signed.
    pub fn is_signed(self) -> bool {
        use IntKind as K;
        matches!(self, K::Char | K::SignedChar | K::Short | K::Int | K::Long | K::LongLong | K::Int128)
    }

    /// Bytes.
    pub fn size(self, model: DataModel) -> u64 {
        use IntKind as K;
        match self {
            K::Bool | K::Char | K::SignedChar | K::UnsignedChar => 1,
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
            K::Char | K::SignedChar | K::UnsignedChar => 1,
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
            K::Char | K::SignedChar => K::UnsignedChar,
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
            K::UnsignedChar => K::SignedChar,
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
            FloatKind::LongDouble if model == DataModel::Ilp32 => 12,
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
