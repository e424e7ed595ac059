//! A generator of C programs without undefined behaviour and without inputs, aimed at integer conversions,
//! control flow, arrays, structs, bit-fields, unions and pointers.
#![allow(clippy::format_push_string)]

/// A small generator of numbers.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub(super) fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    fn pick<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[usize::try_from(self.below(words.len() as u64)).unwrap_or(0)]
    }
}

const TYPES: &[&str] = &[
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "_Bool",
];

/// A program; all names end with its number, so that several go into one file.
pub(super) struct Generator {
    random: Random,
    number: u64,
    text: String,
    depth: u64,
    labels: u64,
    scalars: Vec<String>,
}

impl Generator {
    /// The text; it leaves its checksum in `chk` + number, and its function is `prog` + number.
    pub(super) fn program(number: u64, seed: u64) -> String {
        let random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        let mut this =
            Generator { random, number, text: String::new(), depth: 0, labels: 0, scalars: Vec::new() };
        let n = number;
        this.line(&format!("unsigned long long chk{n};"));
        for k in 0..6 {
            let ty = this.random.pick(TYPES);
            let value = this.random.below(1000);
            this.line(&format!("{ty} g{k}_{n} = {value};"));
            this.scalars.push(format!("g{k}_{n}"));
        }
        let element = this.random.pick(TYPES);
        this.line(&format!("{element} arr{n}[8];"));
        let element = this.random.pick(TYPES);
        this.line(&format!("{element} big{n}[4][6];"));
        let (a, b, c) = (this.random.pick(TYPES), this.random.pick(TYPES), this.random.pick(TYPES));
        let (w1, w2) = (1 + this.random.below(15), 1 + this.random.below(20));
        this.line(&format!(
            "struct s{n} {{ {a} x; {b} y; int f:{w1}; unsigned h:{w2}; {c} z[3]; }} st{n}, su{n};"
        ));
        this.line(&format!(
            "union u{n} {{ unsigned long long w; unsigned char b[8]; short s; int i; }} un{n};"
        ));
        this.scalars.extend([
            format!("st{n}.x"),
            format!("st{n}.y"),
            format!("st{n}.f"),
            format!("st{n}.h"),
            format!("su{n}.x"),
            format!("un{n}.w"),
            format!("un{n}.s"),
            format!("un{n}.i"),
            format!("un{n}.b[3]"),
        ]);
        let (r, p, q) = (this.random.pick(TYPES), this.random.pick(TYPES), this.random.pick(TYPES));
        this.line(&format!("{r} fun{n}({p} a, {q} b) {{"));
        let globals = this.scalars.clone();
        this.scalars.extend(["a".to_owned(), "b".to_owned()]);
        for _ in 0..2 {
            this.assignment();
        }
        let result = this.expr(3);
        this.line(&format!("return {result}; }}"));
        this.scalars.clone_from(&globals);
        this.line(&format!("void upd{n}({p} *pp, int *q, struct s{n} *t) {{ *pp = *pp + 3; q[1] += *q; t->y = t->x; t->z[1] = q[1]; }}"));
        this.line(&format!("{p} pv{n}; int iv{n}[3];"));
        this.line(&format!("int prog{n}(void) {{"));
        this.line("int i0, i1, i2, i3;");
        for k in 0..3 {
            let ty = this.random.pick(TYPES);
            let value = this.expr(2);
            this.line(&format!("{ty} l{k} = {value};"));
            this.scalars.push(format!("l{k}"));
        }
        for _ in 0..9 {
            this.statement();
        }
        this.line(&format!("upd{n}(&pv{n}, iv{n} + 1, &st{n}); su{n} = st{n}; pv{n} += 1;"));
        for _ in 0..3 {
            this.statement();
        }
        let all = this.scalars.clone();
        for scalar in all {
            this.line(&format!("chk{n} = chk{n} * 31 + {scalar};"));
        }
        this.line(&format!(
            "for (i0 = 0; i0 < 8; i0++) chk{n} = chk{n} * 7 + arr{n}[i0]; for (i0 = 0; i0 < 4; i0++) for (i1 = 0; i1 < 6; i1++) chk{n} ^= (chk{n} << 3) + big{n}[i0][i1];"
        ));
        this.line(&format!("chk{n} += iv{n}[2] * 5 + pv{n} + su{n}.z[1]; return 0; }}"));
        this.text
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn scalar(&mut self) -> String {
        let index = usize::try_from(self.random.below(self.scalars.len() as u64)).unwrap_or(0);
        self.scalars[index].clone()
    }

    fn target(&mut self) -> String {
        let n = self.number;
        match self.random.below(6) {
            0 => {
                let index = self.expr(1);
                format!("arr{n}[({index}) & 7]")
            }
            1 => {
                let (i, j) = (self.expr(1), self.random.below(6));
                format!("big{n}[({i}) & 3][{j}]")
            }
            _ => self.scalar(),
        }
    }

    fn expr(&mut self, depth: u64) -> String {
        if depth == 0 {
            return match self.random.below(3) {
                0 => format!("{}", self.random.below(300)),
                1 => {
                    let value = self.random.next() >> self.random.below(60);
                    let suffix = self.random.pick(&["u", "ll", "ull", "l"]);
                    let value = if suffix == "ll" || suffix == "l" { value >> 1 } else { value };
                    format!("{value}{suffix}")
                }
                _ => self.target_value(),
            };
        }
        let (a, b) = (self.expr(depth - 1), self.expr(depth - 1));
        match self.random.below(14) {
            0 => format!("({a} / ((({b}) & 7) + 1))"),
            1 => format!("({a} % ((({b}) & 15) + 1))"),
            2 => format!("({a} << (({b}) & 7))"),
            3 => format!("({a} >> (({b}) & 7))"),
            4 => format!("({})({a})", self.random.pick(TYPES)),
            5 => format!("({a} {} {b})", self.random.pick(&["<", "<=", ">", ">=", "==", "!="])),
            6 => format!("({a} {} {b})", self.random.pick(&["&&", "||"])),
            7 => {
                let c = self.expr(depth - 1);
                format!("(({a}) ? {b} : {c})")
            }
            8 => format!("{}({a})", self.random.pick(&["-", "~", "!"])),
            _ => format!("({a} {} {b})", self.random.pick(&["+", "-", "*", "&", "|", "^"])),
        }
    }

    fn target_value(&mut self) -> String {
        let n = self.number;
        match self.random.below(5) {
            0 => format!("arr{n}[{}]", self.random.below(8)),
            1 => {
                let (i, j) = (self.scalar(), self.random.below(4));
                format!("big{n}[{j}][({i}) & 3]")
            }
            _ => self.scalar(),
        }
    }

    fn assignment(&mut self) {
        let target = self.target();
        let value = self.expr(3);
        let op = self.random.pick(&["=", "=", "=", "+=", "-=", "*=", "^=", "|=", "&="]);
        match self.random.below(6) {
            0 => self.line(&format!("{target} <<= ({value}) & 3;")),
            1 => {
                let scalar = self.scalar();
                let step = self.random.pick(&["++", "--"]);
                self.line(&format!("{scalar}{step};"));
            }
            _ => self.line(&format!("{target} {op} {value};")),
        }
    }

    fn block(&mut self, count: u64) {
        self.depth += 1;
        for _ in 0..count {
            self.statement();
        }
        self.depth -= 1;
    }

    fn statement(&mut self) {
        let n = self.number;
        if self.depth >= 3 {
            return self.assignment();
        }
        let depth = self.depth;
        let condition = self.expr(2);
        match self.random.below(12) {
            0 => {
                self.line(&format!("if ({condition}) {{"));
                self.block(2);
                self.line("} else {");
                self.block(1);
                self.line("}");
            }
            1 => {
                let count = 1 + self.random.below(4);
                self.line(&format!("for (i{depth} = 0; i{depth} < {count}; i{depth}++) {{"));
                self.block(2);
                self.line(&format!("if ({condition}) continue;"));
                self.block(1);
                self.line("}");
            }
            2 => {
                self.line(&format!("switch ((int)({condition}) & 7) {{ case 0: "));
                self.block(1);
                self.line("case 1 ... 3:");
                self.block(1);
                self.line("break; default: ");
                self.block(1);
                self.line("case 5: ");
                self.block(1);
                self.line("}");
            }
            3 => {
                let label = self.labels;
                self.labels += 1;
                self.line(&format!("if ({condition}) goto lab{label}_{n};"));
                self.block(2);
                self.line(&format!("lab{label}_{n}: ;"));
            }
            4 => {
                self.line(&format!("i{depth} = 0; do {{ i{depth}++;"));
                self.block(1);
                self.line(&format!("if ({condition}) break;"));
                self.block(1);
                self.line(&format!("}} while (i{depth} < 3);"));
            }
            5 => {
                // An index and the call would be unsequenced.
                let (target, a, b) = (self.scalar(), self.expr(2), self.expr(2));
                self.line(&format!("{target} = fun{n}({a}, {b});"));
            }
            6 => {
                let (target, value) = (self.scalar(), self.expr(1));
                self.line(&format!(
                    "if (({condition}) && ({target} = {value}, {value})) {target} = {condition};"
                ));
            }
            _ => self.assignment(),
        }
    }
}
