//! Statements: every effect is a statement of its own, so that the order of evaluation does not matter.

use crate::generator::Generator;

impl Generator {
    /// An assignment of some form.
    pub(crate) fn assignment(&mut self) {
        let (place, value) = (self.place(), self.integer(2));
        let text = match self.random.below(12) {
            0..=3 => format!("{place} = {value};"),
            4 => format!("{place} {} {value};", *self.random.pick(&["+=", "-=", "*=", "&=", "|=", "^="])),
            5 => format!("{place} {} ({value} & 7);", *self.random.pick(&["<<=", ">>="])),
            6 => format!("{place} {} (({value} & 63) + 1);", *self.random.pick(&["/=", "%="])),
            7 => format!("{}({place});", *self.random.pick(&["++", "--"])),
            8 => format!("({place}){};", *self.random.pick(&["++", "--"])),
            9 | 10 => {
                let floats = self.floats.clone();
                let (target, value) = (self.random.pick(&floats).clone(), self.float(2));
                format!("{target} {} {value};", *self.random.pick(&["=", "=", "+=", "-=", "*=", "/="]))
            }
            _ => format!("{place} = f2i@({});", self.float(2)),
        };
        self.line(&text);
    }

    fn block(&mut self, depth: usize, count: usize) {
        for _ in 0..count {
            self.statement(depth);
        }
    }

    /// A statement; compound ones only while `depth` lasts.
    pub(crate) fn statement(&mut self, depth: usize) {
        self.fuel = self.fuel.saturating_sub(1);
        if depth == 0 || self.fuel == 0 {
            return self.assignment();
        }
        let d = depth - 1;
        match self.random.below(24) {
            0 => {
                let test = self.integer(2);
                self.line(&format!("if ({test}) {{"));
                self.block(d, 2);
                if self.random.chance(50) {
                    self.line("} else {");
                    self.block(d, 1);
                }
                self.line("}");
            }
            1 | 2 => self.repetition(d),
            3 | 4 => self.choice(d),
            5 => self.jump(d),
            6 | 7 => self.pointers(),
            8 | 9 => self.structs(),
            10 | 11 => self.call(),
            12 => self.unions(),
            13 => self.local_block(d),
            14 => self.library(),
            15 => self.value_of_effect(),
            _ => self.assignment(),
        }
    }

    fn repetition(&mut self, d: usize) {
        if self.loops >= 3 {
            return self.assignment();
        }
        let i = self.loops;
        self.loops += 1;
        let (bound, test) = (1 + self.random.below(4), self.integer(1));
        match self.random.below(4) {
            0 => {
                self.line(&format!("for (i{i} = 0; i{i} < {bound}; i{i}++) {{ if ({test}) continue;"));
                self.block(d, 2);
                self.line("}");
            }
            1 => {
                self.line(&format!("i{i} = {bound}; while (i{i}--) {{"));
                self.block(d, 1);
                self.line(&format!("if ({test}) break; }}"));
            }
            2 => {
                self.line(&format!("i{i} = 0; do {{"));
                self.block(d, 1);
                self.line(&format!("if ({test}) continue; k++; }} while (++i{i} < {bound});"));
            }
            _ => {
                self.line(&format!("for (unsigned char c = {bound}; c; c -= 1) {{ k += c;"));
                self.block(d, 1);
                self.line("}");
            }
        }
        self.loops -= 1;
    }

    fn choice(&mut self, d: usize) {
        let value = self.integer(2);
        match self.random.below(4) {
            0 => {
                self.line(&format!("switch (({value}) & 7) {{ case 1: case 3 ... 4:"));
                self.block(d, 1);
                self.line("default: k += 2; case 0:");
                self.block(d, 1);
                self.line("break; case 6: { k ^= 3;");
                self.block(d, 1);
                self.line("} case 2: k *= 3; }");
            }
            1 => {
                let cast = self.ty();
                self.line(&format!("switch (({cast})({value})) {{ case 0: k = 4; break; case 1: k++; case 255: k -= 7; break;"));
                self.line("case 2 ... 99: k ^= 0x55; default: ;");
                self.block(d, 1);
                self.line("}");
            }
            2 => {
                self.line(&format!(
                    "sm = ({value}) & 7; switch (sm & 3) {{ case 0: do {{ k += 1; case 3: k += 10; case 2:"
                ));
                self.block(0, 1);
                self.line("case 1: k += 100; } while ((sm -= 4) > 0); }");
            }
            _ => {
                let inner = self.integer(1);
                self.line(&format!("switch (({value}) & 1) {{ case 0: switch (({inner}) & 1) {{ case 1: k += 5; break; default: k -= 1; }} k++; break; case 1: if ({inner}) {{ case 2: k <<= 1; }} else case 3: k |= 64; }}"));
            }
        }
    }

    fn jump(&mut self, d: usize) {
        let n = self.labels;
        self.labels += 1;
        let test = self.integer(1);
        match self.random.below(4) {
            0 => {
                self.line(&format!("if ({test}) goto over{n};"));
                self.block(d, 1);
                self.line(&format!("over{n}: k++;"));
            }
            1 => {
                self.line(&format!("goto into{n}; {{ k = 99; into{n}:;"));
                self.block(d, 1);
                self.line("}");
            }
            2 => {
                self.line(&format!("i3 = 0; back{n}:;"));
                self.block(0, 1);
                self.line(&format!("if (++i3 < 3 && ({test})) goto back{n};"));
            }
            _ => {
                self.line(&format!(
                    "{{ static void *const table[] = {{ &&x{n}, &&y{n}, &&x{n} }}; goto *table[({test}) & 1];"
                ));
                self.line(&format!("x{n}: k += 3; y{n}: k ^= 17; }}"));
            }
        }
    }

    fn pointers(&mut self) {
        let value = self.integer(1);
        let text = match self.random.below(10) {
            0 => format!("p0@ = &pi@[({value}) & 3];"),
            1 => format!("p1@ = ({value}) ? p0@ : pi@ + 2;"),
            2 => format!("pp@ = ({value}) ? &p0@ : &p1@;"),
            3 => "p0@ = pi@; *p0@++ = 5; (*p0@)++;".to_owned(),
            4 => format!("ps@ = &sa@[({value}) & 1];"),
            5 => format!("pt@ = tv@ + (({value}) & 1);"),
            6 => "*pp@ = pi@ + 1; **pp@ += 2;".to_owned(),
            7 => format!("ps@ = sa@; ps@++; ps@->x = {value}; --ps@;"),
            8 => format!("pv@ = ({value}) ? (void *)&g1@ : 0; if (pv@) *(typeof(g1@) *)pv@ = {value};"),
            _ => format!(
                "{{ int *q = pi@ + 4; while (q >= pi@) {{ *q ^= {value}; if (q == pi@) break; q--; }} }}"
            ),
        };
        self.line(&text);
    }

    fn structs(&mut self) {
        let (value, init) = (self.integer(1), self.struct_initialiser(false));
        let text = match self.random.below(10) {
            0 => "s2@ = s1@;".to_owned(),
            1 => format!("sa@[({value}) & 1] = ls;"),
            2 => format!("ls = make@({value}, s1@);"),
            3 => format!("s1@ = (struct s@){init};"),
            4 => "*ps@ = s2@;".to_owned(),
            5 => format!("l0 = make@({value}, ls).in.q[1];"),
            6 => "s2@.in = sa@[2].in;".to_owned(),
            7 => format!("ls = ({value}) ? s1@ : sa@[1];"),
            8 => format!("sa@[2] = make@({value}, *ps@);"),
            _ => "s1@ = s2@ = ls;".to_owned(),
        };
        self.line(&text);
    }

    fn unions(&mut self) {
        let (value, float) = (self.integer(1), self.float(1));
        let text = match self.random.below(15) {
            0 => format!("u1@.c[{}] = {value};", self.random.below(8)),
            1 => format!("u1@.r = {float}; if (u1@.r != u1@.r) u1@.w = 1;"),
            2 => format!("u2@.d = {float}; if (u2@.d != u2@.d) u2@.w = 2;"),
            3 => "u2@ = u1@;".to_owned(),
            4 => format!("ua@[({value}) & 1].s[{}] = {value};", self.random.below(4)),
            5 => format!(
                "ua@[1] = (union u@){{ .i = {value} }}; ua@[1].c[7] = ua@[1].c[6] = ua@[1].c[5] = ua@[1].c[4] = 1;"
            ),
            6 => format!("u1@.f.a += {value}; u1@.f.c = u1@.f.e;"),
            7 => format!(
                "{{ union u@ *q = ({value}) ? &u1@ : &ua@[1]; q->c[({value}) & 7] += 3; k += q->s[1]; }}"
            ),
            8 => format!("{{ union u@ *q = &ua@[({value}) & 1]; q->f.b = {value}; q->f.c--; k ^= q->f.a; }}"),
            9 => {
                format!("{{ unsigned char *q = ({value}) ? u1@.c : u2@.c; q[({value}) & 7] = 77; k += *q; }}")
            }
            10 => format!("{{ short *q = &u2@.s[({value}) & 3]; *q += {value}; k += q[0]; }}"),
            11 => format!(
                "{{ int x = {value}, y = 5; unsigned char *q = (unsigned char *)(({value}) ? &x : &y); q[({value}) & 3] ^= 9; k += x ^ y; }}"
            ),
            12 => format!(
                "{{ union u@ v = u1@, *q = &v; __builtin_memcpy(q, ({value}) ? &u2@ : &ua@[0], sizeof v); k += q->i; }}"
            ),
            13 => format!(
                "{{ struct {{ short a; unsigned short b; int c; }} t = {{ 1, 2, 3 }}, w = t; int *q = (int *)(({value}) ? &t : &w); *q += {value}; k += t.a + w.b; }}"
            ),
            _ => format!("{{ union u@ *q = ({value}) ? &u1@ : &u2@; q->i ^= {value}; }}"),
        };
        self.line(&text);
    }

    fn call(&mut self) {
        let (a, b, c) = (self.integer(1), self.integer(1), self.integer(1));
        let local = *self.random.pick(&["l0", "l1", "l2", "l3"]);
        let text = match self.random.below(6) {
            0 => format!("{local} = effect@({a}, &pi@[({b}) & 3], &sa@[({c}) & 1]);"),
            1 => format!("{local} = effect@({a}, p0@, ps@);"),
            2 => format!("{local} = ops@[({a}) & 1](({b}), ({c}));"),
            3 => format!("{{ int (*f)(int, int) = ({a}) ? op2@ : *ops@[1]; {local} = f({b}, {c}); }}"),
            4 => format!("{local} = deep@(({a}) & 3, {b});"),
            _ => format!("{local} = effect@({a}, &sm, &ls);"),
        };
        self.line(&text);
    }

    fn local_block(&mut self, d: usize) {
        let [a, b, c] = [(); 3].map(|()| self.integer(1));
        let (ty, init) = (self.ty(), self.struct_initialiser(false));
        self.line(&format!("{{ {ty} v[4] = {{ {a}, [2] = {b} }}; struct {{ struct s@ s; int t[2]; }} w = {{ {init}, {{ {c} }} }};"));
        self.line(&format!(
            "struct s@ *q = &w.s; q->z[({a}) & 1] ^= v[({b}) & 3]; k += v[2] + w.t[0] + w.t[1];"
        ));
        self.block(d, 1);
        self.line("s2@ = w.s; }");
    }

    fn library(&mut self) {
        let value = self.integer(1);
        let text = match self.random.below(9) {
            0 => format!("__builtin_memset(arr@, ({value}) & 1, sizeof arr@); arr@[7] = 1;"),
            1 => "__builtin_memcpy(&s2@, &s1@, sizeof s1@);".to_owned(),
            2 => "l1 = __builtin_strlen(names@[1]) + __builtin_strcmp(names@[0], \"abc\");".to_owned(),
            3 => "__builtin_memmove(pi@ + 1, pi@, 2 * sizeof(int));".to_owned(),
            4 => format!("l2 = __builtin_abs(f2c@({value}));"),
            5 => "__builtin_strcpy(str@, \"new\"); k += str@[2];".to_owned(),
            6 => format!("{{ int r; k += __builtin_add_overflow(({value}), 77, &r); l3 = r; }}"),
            7 => "l0 = __builtin_memcmp(two@[0], two@[2], 4) == 0;".to_owned(),
            _ => "l3 = __builtin_strchr(str@, 0) - str@;".to_owned(),
        };
        self.line(&text);
    }

    /// Values of assignments, increments and lazily evaluated effects, on variables of their own.
    fn value_of_effect(&mut self) {
        let value = self.integer(1);
        let text = match self.random.below(8) {
            0 => format!("l0 = (s1@.b0 = {value});"),
            1 => "l1 = g2@++;".to_owned(),
            2 => format!("l2 = (g3@ ^= {value}) + 1;"),
            3 => format!("if (({value}) && (g4@ = 3, g4@ > 1)) k++;"),
            4 => format!("({value}) || (k += 7); l3 = ({value}) ? (sm = 4) : (sm = 5);"),
            5 => "sm = 200; sm += 1.75; sm *= 0.5f; sm -= 3.25L;".to_owned(),
            6 => "l0 = --s2@.b1; l1 = s2@.b3++;".to_owned(),
            _ => format!("l0 = ({{ int t = {value}; g5@ += t; t * 2; }});"),
        };
        self.line(&text);
    }
}
