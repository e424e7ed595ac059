//! Expressions without side effects whose value the standard fixes (with wrapping arithmetic).

use crate::generator::Generator;

impl Generator {
    /// A constant expression of integer type.
    pub(crate) fn constant(&mut self) -> String {
        let value = self.random.next();
        match self.random.below(10) {
            0 => format!("{}", value % 10),
            1 => format!("-{}", value % 300),
            2 => format!("0x{:x}U", value & 0xffff_ffff),
            3 => format!("{}LL", value % 10_000_000_000),
            4 => format!("0x{:x}ULL", value.wrapping_mul(0x10001)),
            5 => format!("'{}'", char::from(b'a' + u8::try_from(value % 26).unwrap_or(0))),
            6 => format!("(1 << {})", value % 31),
            7 => "sizeof(struct s@)".to_owned(),
            8 => format!("({})({})", self.ty(), value % 100_000),
            _ => self
                .random
                .pick(&["EB@", "ED@", "EC@ + 1", "-1", "0", "'\\xff'", "2147483647", "-2147483647 - 1"])
                .to_string(),
        }
    }

    /// An lvalue of integer type.
    pub(crate) fn place(&mut self) -> String {
        if !self.calls || self.random.chance(60) {
            let integers = self.integers.clone();
            return self.random.pick(&integers).clone();
        }
        let index = self.integer(1);
        match self.random.below(12) {
            0 => format!("arr@[({index}) & 7]"),
            1 => format!("mat@[{}][({index}) & 3]", self.random.below(3)),
            2 => format!("big@[({index}) & 31]"),
            3 => format!("sa@[({index}) & 1].z[1]"),
            4 => format!("sa@[({index}) & 1].b{}", self.random.below(4)),
            5 => "*p0@".to_owned(),
            6 => format!("p0@[({index}) & 1]"),
            7 => "**pp@".to_owned(),
            8 => "ps@->in.q[1]".to_owned(),
            9 => format!("ps@->b{}", self.random.below(4)),
            10 => format!("str@[({index}) & 7]"),
            _ => format!("*(pt@ + (({index}) & 1))"),
        }
    }

    /// An expression of integer type.
    pub(crate) fn integer(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.chance(15) {
            return if self.random.chance(30) { self.constant() } else { self.place() };
        }
        let d = depth - 1;
        match self.random.below(30) {
            0..=4 => {
                let op = *self.random.pick(&["+", "-", "*", "&", "|", "^"]);
                format!("({} {op} {})", self.integer(d), self.integer(d))
            }
            5 | 6 => {
                let (op, mask) = (*self.random.pick(&["<<", ">>"]), *self.random.pick(&[7, 15, 31]));
                format!("({} {op} ({} & {mask}))", self.integer(d), self.integer(d))
            }
            7 | 8 => {
                let (op, mask) = (*self.random.pick(&["/", "%"]), *self.random.pick(&[3, 255, 65535]));
                let sign = *self.random.pick(&["+ 1", "+ 1U", "+ 2LL"]);
                format!("({} {op} (({} & {mask}) {sign}))", self.integer(d), self.integer(d))
            }
            9 => format!("({} / -(({} & 7) + 2))", self.integer(d), self.integer(d)),
            10..=12 => {
                let op = *self.random.pick(&["<", "<=", ">", ">=", "==", "!="]);
                format!("({} {op} {})", self.integer(d), self.integer(d))
            }
            13 => format!("({} && {})", self.integer(d), self.integer(d)),
            14 => format!("({} || {})", self.integer(d), self.integer(d)),
            15 | 16 => format!("({} ? {} : {})", self.integer(d), self.integer(d), self.integer(d)),
            17 => format!("{}({})", *self.random.pick(&["-", "~", "!", "+"]), self.integer(d)),
            18..=20 => format!("({})({})", self.ty(), self.integer(d)),
            21 => {
                let op = *self.random.pick(&["<", "<=", ">", ">=", "==", "!="]);
                format!("({} {op} {})", self.float(d), self.float(d))
            }
            22 => format!("{}@({})", *self.random.pick(&["f2i", "f2c", "f2l", "f2u"]), self.float(d)),
            23 if self.calls => {
                let (number, a, b, c) =
                    (self.random.below(3), self.integer(d), self.integer(d), self.float(0));
                format!("pure{number}@({a}, {b}, {c})")
            }
            24 => self.unusual(d),
            25 if self.calls => self.pointer_question(d),
            // (gcc 12 fails internally on a constant in front of the comma.)
            26 => format!("({}, {})", self.place(), self.integer(d)),
            _ => {
                let op = *self.random.pick(&["+", "-", "^"]);
                format!("({} {op} {})", self.integer(d), self.integer(d))
            }
        }
    }

    fn unusual(&mut self, d: usize) -> String {
        let value = self.integer(d);
        match self.random.below(11) {
            0 => format!("({value} ?: 5)"),
            1 => format!("(({value}) ? 0.5 : 2) * 4 == 2"),
            2 => format!("((int[]){{ 4, {value}, 6 }})[({value}) & 1]"),
            3 => format!("(struct in@){{ .p = {value} }}.p"),
            4 => format!("\"string\"[({value}) & 3]"),
            5 => format!("__builtin_popcountll({value})"),
            6 => format!("__builtin_clz(({value}) | 1) + __builtin_ctzll(({value}) | 0x100)"),
            7 => format!("__builtin_bswap32({value})"),
            8 => format!("sizeof(({value}) + 0LL) * 2"),
            9 => format!("({{ typeof(({value}) + 0LL) t = {value}; t ^ 3; }})"),
            // (A bit-field wider than `int` has a type of its own in gcc.)
            _ => format!(
                "_Generic(({})({value}) + ({})1, int: 1, unsigned: 2, long: 3, unsigned long: 4, long long: 5, default: 6)",
                self.ty(),
                self.ty()
            ),
        }
    }

    fn pointer_question(&mut self, d: usize) -> String {
        match self.random.below(9) {
            0 => "(p0@ == p1@)".to_owned(),
            1 => "(p0@ - pi@)".to_owned(),
            2 => "(p1@ > p0@)".to_owned(),
            3 => format!("(&arr@[({}) & 7] - arr@)", self.integer(d)),
            4 => "(ps@ == &sa@[1])".to_owned(),
            5 => format!("names@[({}) & 1][1]", self.integer(d)),
            6 => "(pv@ != 0) + !pv@".to_owned(),
            7 => "((char *)(p0@ + 1) - (char *)pi@)".to_owned(),
            _ => "(&ps@->z[2] - ps@->z)".to_owned(),
        }
    }

    /// An expression of floating type.
    pub(crate) fn float(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.chance(25) {
            if self.random.chance(60) {
                let floats = self.floats.clone();
                return self.random.pick(&floats).clone();
            }
            let value = self.random.next();
            return match self.random.below(6) {
                0 => format!("{}.{}", value % 1000, value % 97),
                1 => format!("{}.5f", value % 100),
                2 => format!("{}e-{}", value % 100_000, value % 12),
                3 => format!("0x{:x}.{:x}p{}", value & 0xff, value & 0xfff, value % 9),
                4 => format!("{}.1e{}f", value % 9, value % 20),
                _ => format!("{}.25L", value % 50),
            };
        }
        let d = depth - 1;
        match self.random.below(14) {
            0..=4 => {
                let op = *self.random.pick(&["+", "-", "*", "/"]);
                format!("({} {op} {})", self.float(d), self.float(d))
            }
            5 | 6 => format!(
                "(({})({}) {} {})",
                *self.random.pick(&["float", "double", "long double"]),
                self.integer(d),
                *self.random.pick(&["+", "*"]),
                self.float(d)
            ),
            7 => format!("(float)({})", self.float(d)),
            8 => format!("(double)({})", self.integer(d)),
            9 => format!("({} ? {} : {})", self.integer(d), self.float(d), self.float(d)),
            10 => format!("-({})", self.float(d)),
            11 => {
                let function =
                    *self.random.pick(&["fabs", "floor", "ceil", "trunc", "round", "rint", "nearbyint"]);
                format!("__builtin_{function}({})", self.float(d))
            }
            12 => format!("__builtin_sqrt(__builtin_fabs({}))", self.float(d)),
            _ => {
                // Which zero is the smaller one is open, and so is the sign of a NaN.
                match *self.random.pick(&["fmin", "fmax", "fmod", "copysign", "fdim"]) {
                    "copysign" => format!("__builtin_copysign({}, -2.0)", self.float(d)),
                    function => format!("(__builtin_{function}({}, {}) + 1.0)", self.float(d), self.float(d)),
                }
            }
        }
    }
}
