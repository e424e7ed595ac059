//! A generator of C programs without inputs and without behaviour that the standard leaves open, aimed at
//! what is easy to get wrong: conversions, bit-fields, unions, pointers, `switch`, `goto`, floats,
//! initialisers, structs by value, function pointers, strings and recursion.
//!
//! Expressions have no side effects; statements have. In the text `@` stands for the program's number, so
//! that many programs fit into one file. The checksum is left in `chk@`, the function to call is `prog@`.

use crate::random::Random;

pub(crate) const TYPES: &[&str] = &[
    "signed char",
    "unsigned char",
    "char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "_Bool",
    "enum e@",
];

/// A program under construction.
pub(crate) struct Generator {
    pub(crate) random: Random,
    text: String,
    /// Lvalues of integer type.
    pub(crate) integers: Vec<String>,
    /// Lvalues of floating type.
    pub(crate) floats: Vec<String>,
    /// Nesting of loops: each has a counter of its own.
    pub(crate) loops: usize,
    pub(crate) labels: usize,
    /// Functions without side effects may be called in expressions.
    pub(crate) calls: bool,
    /// The budget of statements.
    pub(crate) fuel: usize,
}

/// The text of a program, see the module's text.
pub(crate) fn program(number: usize, seed: u64) -> String {
    let mut this = Generator {
        random: Random::new(seed),
        text: String::new(),
        integers: Vec::new(),
        floats: Vec::new(),
        loops: 0,
        labels: 0,
        calls: false,
        fuel: 40,
    };
    this.helpers();
    this.types();
    this.globals();
    this.functions();
    this.main_function();
    this.text.replace('@', &format!("_{number}"))
}

impl Generator {
    pub(crate) fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    pub(crate) fn ty(&mut self) -> &'static str {
        self.random.pick::<&str>(TYPES)
    }

    fn helpers(&mut self) {
        self.line(
            "unsigned long long chk@; enum e@ { EA@, EB@ = 7, EC@, ED@ = -3 };
static int f2i@(double d) { return d > -1000000000.0 && d < 1000000000.0 ? (int)d : -7; }
static unsigned char f2c@(float d) { return d >= 0.0f && d < 256.0f ? (unsigned char)d : 3; }
static long long f2l@(long double d) { return d > -9.0e18L && d < 9.0e18L ? (long long)d : 11; }
static unsigned long long f2u@(double d) { return d > -1.0 && d < 1.8e19 ? (unsigned long long)d : 13; }
static void mix@(unsigned long long v) { chk@ = (chk@ ^ v) * 1099511628211ULL + (chk@ >> 29); }
static void mixd@(double d) { union { double d; unsigned long long u; } b; b.d = d; mix@(d != d ? 77 : d == 0 ? 5 : b.u); }
static void mixf@(float d) { union { float d; unsigned u; } b; b.d = d; mix@(d != d ? 79 : d == 0 ? 6 : b.u); }",
        );
    }

    /// Struct and union types, and the lvalues of their globals.
    fn types(&mut self) {
        let inner = [self.ty(), self.ty()];
        let text = format!("struct in@ {{ {} p; {} q[2]; float r; }};", inner[0], inner[1]);
        self.line(&text);
        let bit_types =
            ["int", "unsigned", "_Bool", "short", "unsigned char", "unsigned long long", "long long"];
        let mut fields = String::new();
        for number in 0..4 {
            let ty = *self.random.pick(&bit_types);
            let most = match ty {
                "_Bool" => 1,
                "short" => 16,
                "unsigned char" => 8,
                // (Wider ones have types of their own in gcc, and are not modelled in arithmetic.)
                "unsigned long long" | "long long" if self.random.chance(95) => 32,
                "unsigned long long" | "long long" => 64,
                _ => 32,
            };
            let width = 1 + self.random.below(most);
            fields.push_str(&format!("{ty} b{number} : {width}; "));
            match self.random.below(6) {
                0 => fields.push_str("int : 0; "),
                1 => fields.push_str("unsigned : 3; "),
                2 => fields.push_str(&format!("{} m{number}; ", self.ty())),
                _ => {}
            }
        }
        let attribute = if self.random.chance(15) { "__attribute__((packed))" } else { "" };
        let (x, z) = (self.ty(), self.ty());
        let text = format!(
            "struct s@ {{ {x} x; {fields}struct in@ in; {z} z[3]; double d; struct {{ short an; int on; }}; }} {attribute};"
        );
        self.line(&text);
        let a = 1 + self.random.below(31);
        let b = 1 + self.random.below(31);
        let text = format!(
            "union u@ {{ unsigned long long w; struct {{ unsigned a : {a}; int c : {}; unsigned b : {b}; int e : {}; }} f; unsigned char c[8]; short s[4]; int i; float r; double d; }};",
            32 - a,
            32 - b
        );
        self.line(&text);
    }

    /// The initialiser of a `struct s@`, with constant or other values.
    pub(crate) fn struct_initialiser(&mut self, constant: bool) -> String {
        let value = |this: &mut Self| if constant { this.constant() } else { this.integer(1) };
        let [a, b, c, d, e] = [(); 5].map(|()| value(self));
        match self.random.below(5) {
            0 => format!("{{ {a}, {b} }}"),
            1 => format!(
                "{{ .in = {{ {a}, {{ [1] = {b} }}, 2.5f }}, .z = {{ {c} }}, .d = -1.25e2, .x = {d} }}"
            ),
            2 => format!("{{ .z[2] = {a}, .in.q = {{ {b}, {c} }}, .in.p = {d}, .an = 5, .on = {e} }}"),
            3 => format!("{{ {a}, .b1 = {b}, .z = {{ [0 ... 1] = {c}, {d} }} }}"),
            _ => format!("{{ .b0 = {a}, .b2 = {b}, .b3 = {c}, .x = {d}, .x = {e} }}"),
        }
    }

    fn globals(&mut self) {
        for number in 0..6 {
            let (ty, value) = (self.ty(), self.constant());
            self.line(&format!("{ty} g{number}@ = {value};"));
            self.integers.push(format!("g{number}@"));
        }
        self.line("float gf@ = 1.5f, gg@; double gd@ = -2.75e3, ge@ = 0x1.8p-4; long double gl@ = 3.5L;");
        self.floats.extend(["gf@", "gg@", "gd@", "ge@"].map(str::to_owned));
        let (a, b) = (self.ty(), self.ty());
        let [p, q, r] = [(); 3].map(|()| self.constant());
        self.line(&format!(
            "{a} arr@[8] = {{ {p}, [5] = {q} }}; {b} mat@[3][4] = {{ {{ {r} }}, [2] = {{ 1, 2, 3, 4 }} }};"
        ));
        let c = self.ty();
        self.line(&format!("{c} big@[40] = {{ [7] = 9, [30 ... 34] = 3 }};"));
        let inits = [(); 3].map(|()| self.struct_initialiser(true));
        self.line(&format!(
            "struct s@ s1@ = {}, s2@, sa@[3] = {{ {}, [2] = {} }};",
            inits[0], inits[1], inits[2]
        ));
        self.line("union u@ u1@ = { 0x1122334455667788ULL }, u2@ = { .s = { 1, -2 } }, ua@[2];");
        self.line("char str@[12] = \"hello w\"; const char *names@[3] = { \"abc\", \"de\", \"\" }; char two@[][4] = { \"xyz\", { 'q' }, \"w\" };");
        self.line("int pi@[5] = { 10, 20, 30 }; int *p0@ = &pi@[1], *p1@ = pi@ + 3; int **pp@ = &p0@; struct s@ *ps@ = &sa@[1];");
        let t = self.ty();
        self.line(&format!("{t} tv@[3] = {{ 1, 2, 3 }}; {t} *pt@ = tv@; void *pv@ = &g0@;"));
        for name in ["s1@", "s2@", "sa@[1]"] {
            for field in ["x", "b0", "b1", "b2", "b3", "in.p", "in.q[1]", "z[0]", "an", "on"] {
                self.integers.push(format!("{name}.{field}"));
            }
            self.floats.push(format!("{name}.d"));
            self.floats.push(format!("{name}.in.r"));
        }
        for name in ["u1@", "u2@"] {
            for field in ["w", "f.a", "f.c", "f.b", "f.e", "c[3]", "s[1]", "i"] {
                self.integers.push(format!("{name}.{field}"));
            }
        }
    }

    /// Functions: some without side effects, some with.
    fn functions(&mut self) {
        let globals = (self.integers.clone(), self.floats.clone());
        for number in 0..3 {
            let [r, a, b] = [(); 3].map(|()| self.ty());
            self.integers = vec!["a".to_owned(), "b".to_owned()];
            self.floats = vec!["c".to_owned()];
            let (value, other, test) = (self.integer(3), self.integer(2), self.integer(2));
            self.line(&format!(
                "static {r} pure{number}@({a} a, {b} b, float c) {{ if ({test}) return {value}; return {other}; }}"
            ));
        }
        self.line("static int op0@(int a, int b) { return a - 3 * b; } static int op1@(int a, int b) { return (a ^ b) & 0xff; } static int op2@(int a, int b) { g0@ += 1; return b ? a % (b | 0x10000) : a; }");
        self.line("static int (*ops@[3])(int, int) = { op0@, &op1@, op2@ };");
        (self.integers, self.floats) = globals.clone();
        self.calls = true;
        let (r, a) = (self.ty(), self.ty());
        self.integers.push("a".to_owned());
        self.line(&format!(
            "static {r} effect@({a} a, int *q, struct s@ *t) {{ static int times = 3; times++;"
        ));
        for _ in 0..3 {
            self.assignment();
        }
        let value = self.integer(2);
        self.line(&format!("*q = *q + times; t->z[1] = t->x + *q; t->b1 += 1; a++; return {value}; }}"));
        let (x, y) = (self.integer(1), self.integer(1));
        self.line(&format!(
            "static struct s@ make@(int a, struct s@ other) {{ struct s@ r = other; r.x = {x}; r.b2 = {y}; other.in.p = a; r.in = other.in; return r; }}"
        ));
        self.line(&format!("static {r} deep@(int n, {a} a) {{ if (n <= 0) return a; {a} mine = a + n;"));
        let value = self.integer(1);
        self.line(&format!("{r} below = deep@(n - 1, mine ^ 5); return below * 3 + mine + ({value}); }}"));
        (self.integers, self.floats) = globals;
    }

    fn main_function(&mut self) {
        self.line("void prog@(void) { int i0 = 0, i1 = 0, i2 = 0, i3 = 0, k = 0, sm = 0;");
        for number in 0..4 {
            let (ty, value) = (self.ty(), self.integer(2));
            self.line(&format!("{ty} l{number} = {value};"));
            self.integers.push(format!("l{number}"));
        }
        let (value, other) = (self.float(2), self.float(2));
        self.line(&format!("float lf = {value}; double ld = {other};"));
        self.floats.extend(["lf".to_owned(), "ld".to_owned()]);
        let init = self.struct_initialiser(false);
        self.line(&format!("struct s@ ls = {init};"));
        self.integers.extend(["ls.x", "ls.b0", "ls.b3", "ls.in.q[0]", "ls.z[2]"].map(str::to_owned));
        while self.fuel > 0 {
            self.statement(3);
        }
        let integers = self.integers.clone();
        for integer in integers {
            self.line(&format!("mix@({integer});"));
        }
        let floats = self.floats.clone();
        for float in floats {
            self.line(&format!("mixd@({float});"));
        }
        self.line("mixf@(gf@); mixd@((double)gl@); mix@(k + sm);");
        self.line("for (i0 = 0; i0 < 8; i0++) mix@(arr@[i0]); for (i0 = 0; i0 < 3; i0++) for (i1 = 0; i1 < 4; i1++) mix@(mat@[i0][i1]);");
        self.line("for (i0 = 0; i0 < 40; i0++) mix@(big@[i0]); for (i0 = 0; i0 < 12; i0++) mix@(str@[i0] + two@[i0 / 4][i0 % 4]);");
        self.line("for (i0 = 0; i0 < 5; i0++) mix@(pi@[i0]); for (i0 = 0; i0 < 3; i0++) { mix@(tv@[i0]); mix@(sa@[i0].b1); mix@(sa@[i0].z[i0]); } mix@(p1@ - p0@); mix@(ps@ - sa@); mix@(ua@[0].w); mix@(ua@[1].w); }");
    }
}
