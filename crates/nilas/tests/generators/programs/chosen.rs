//! Several objects of one type behind one pointer that an input chooses: what is written there is found in
//! that object, and all others are as before.

use super::objects;
use crate::kit::program::Program;
use crate::kit::random::Random;

/// How `p` comes to point to the object with the number `i`. `A`, `B`, `C` and `D` are the objects.
const CHOICES: &[&str] = &[
    "p = t[i];",
    "p = i == 0 ? &A : i == 1 ? &B : i == 2 ? &C : &D;",
    "p = i < 2 ? i < 1 ? &A : &B : i > 2 ? &D : &C;",
    "switch (i) { case 0: p = &A; break; case 1: p = &B; break; case 2: p = &C; break; default: p = &D; }",
    "p = &A; if (i >= 1) p = &B; if (i >= 2) p = &C; if (i >= 3) p = &D;",
    "p = &D; if (i == 2) p = &C; if (i == 1) p = &B; if (i == 0) p = &A;",
    "p = 0; for (int k = 0; k < N; k++) if (k == i) p = t[k];",
    "int k = N - 1; while (k > i) k--; p = t[k];",
    "p = pick(i, &A, &B, &C, &D);",
    "put(&p, t, i);",
    "T **pp = &t[i]; p = *pp;",
    "T **pp = t; for (int k = 0; k < i; k++) pp++; p = *pp;",
    "T **pp = t + N; for (int k = N; k > i; k--) pp--; p = *pp;",
    "struct { int key; T *p; } e[] = { { 3, &D }, { 1, &B }, { 0, &A }, { 2, &C } }; p = 0; for (int k = 0; k < N; k++) if (e[k].key == i) p = e[k].p;",
    "struct { T *one, *two, *rest[2]; } e = { &A, &B, { &C, &D } }; p = i == 0 ? e.one : i == 1 ? e.two : e.rest[i - 2];",
    "struct node { T *p; struct node *next; } d = { &D, 0 }, c = { &C, &d }, b = { &B, &c }, a = { &A, &b }, *n = &a; for (int k = 0; k < i; k++) n = n->next; p = n->p;",
    "T *e[2][2] = { { &A, &B }, { &C, &D } }; p = e[i >> 1][i & 1];",
    "T *e[N] = { &D, &C, &B, &A }; for (int k = 0; k < N / 2; k++) { T *m = e[k]; e[k] = e[N - 1 - k]; e[N - 1 - k] = m; } p = e[i];",
    "T *e[N] = { &B, &C, &D, &A }; p = e[(i + 3) % N];",
    "void *v[] = { &A, &B, &C, &D }; p = v[i];",
    "static T *kept; kept = t[i]; p = kept;",
    "if (i == 0) goto a; if (i == 1) goto b; if (i == 2) goto c; p = &D; goto e; a: p = &A; goto e; b: p = &B; goto e; c: p = &C; e:;",
    "T *q = &A; p = q; if (i & 1) p = p == &A ? &B : 0; if (i & 2) p = p == &A ? &C : &D;",
];

/// What is done with the object; the sum `r` and all objects are observed behind it. `J` is another number of
/// an object, `M` a part and `P` its type.
const USES: &[&str] = &[
    "r += get(p);",
    "set(p, 40);",
    "set(p, get(p) % 50 + 1);",
    "(*p) M = 1; r += X M;",
    "P *m = &(*p) M; *m = 2; r += X M * 3 + (m == &X M);",
    "T u; memcpy(&u, p, sizeof u); memcpy(p, t[J], sizeof u); memcpy(t[J], &u, sizeof u);",
    "T u; memmove(&u, t[J], sizeof u); memmove(t[J], p, sizeof u); memmove(p, &u, sizeof u); r += get(&u);",
    "memset(p, 0, sizeof *p);",
    "memset(p, 1, 1); r += *(char *)p;",
    "r += memcmp(p, t[J], sizeof *p) == 0;",
    "r += (p == &A) + (p == &B) * 2 + (p == &C) * 4 + (p == &D) * 8 + (p != &X) * 16;",
    "for (int k = 0; k < N; k++) r = r * 2 + (t[k] == p);",
    "for (int i = 0; i < N; i++) for (int k = 0; k < N; k++) r = (r * 2 + (t[i] == t[k]) + (t[i] == p) * (t[k] != p)) % 65521;",
    "for (int k = 0; k < N; k++) if (t[k] != p) set(t[k], 20 + k);",
    "for (int k = 0; k < N; k++) set(t[k] == p ? t[J] : t[k], 30 + k);",
    "T *q = t[J]; set(q, 41); r += get(p); set(p, 42); r = r * 3 + get(q);",
    "set(&A, 43); r += get(p); set(&B, 44); r += get(p) * 3; set(&C, 45); r += get(p) * 5; set(&D, 46); r += get(p) * 7;",
    "set(p, 47); r += get(&A) + get(&B) * 3 + get(&C) * 5 + get(&D) * 7;",
    "T *s[2] = { p, t[J] }; T *m = s[0]; s[0] = s[1]; s[1] = m; set(s[1], 48); r += get(s[0]);",
    "struct { int n; T *p; } b[2] = { { 1, p }, { 2, t[J] } }, c; c = b[0]; b[0] = b[1]; set(c.p, 49); r += get(b[0].p) + b[0].n;",
    "T **pp = &p; set(*pp, 50); *pp = t[J]; r += get(p); set(p, 51);",
    "for (int k = 0; k < N; k++) { T *q = p; p = t[k]; set(p, get(q) % 40 + k); }",
    "int n = 0; for (int k = 0; k < N; k++) { if (t[k] == p) n = k; } set(t[n], 52); r += n == (J);",
    "T *q = p; p = 0; r += !p + (q == &X) * 2 + (q != t[J]) * 4; set(q, 53);",
    "T *e = p + 1; r += (e - 1 == p) + (e - p) * 2; set(&e[-1], 54);",
    "unsigned char *b = (unsigned char *)p; b[sizeof *p - 1] = 0; b[0] = 3; r += b[sizeof *p / 2];",
    "const T *c = p; set(p, 55); r += get(c); set(t[J], 56); r = r * 3 + get(c);",
];

pub(crate) fn count() -> usize {
    CHOICES.len() * objects::COUNT
}

/// One way to choose one of the objects, and two uses of it.
pub(crate) fn program(number: usize, random: &mut Random) -> Program {
    let mut program = Program::new(random);
    let place = number / CHOICES.len() % objects::COUNT;
    let chosen = format!("{} & 3", program.input_of(place, random));
    let second = random.below(objects::COUNT);
    let other = if random.chance(50) {
        second.to_string()
    } else {
        format!("{} & 3", program.input_of(second, random))
    };
    let objects = objects::declare(&mut program, number, "0", random);
    program.global("static T *pick(int i, T *a, T *b, T *c, T *d) { if (i & 2) return i & 1 ? d : c; return i & 1 ? b : a; }");
    program.global("static void put(T **to, T **from, int i) { *to = from[i]; }");
    program.line(&format!("T *p; int i = {chosen}, j = {other};"));
    let names = [
        ("A", objects.names[0]),
        ("B", objects.names[1]),
        ("C", objects.names[2]),
        ("D", objects.names[3]),
        ("X", objects.names[place]),
        ("M", objects.part.1),
        ("P", objects.part.0),
        ("J", "j"),
    ];
    let steps = [CHOICES[number % CHOICES.len()], USES[number % USES.len()], *random.pick::<&str>(USES)];
    for (step, text) in steps.iter().enumerate() {
        let text =
            names.iter().fold((*text).to_owned(), |text, (letter, with)| super::named(&text, letter, with));
        program.line(&format!("{{ {text} }}"));
        // A use may have left the pointer elsewhere.
        if step == 1 {
            program.line("p = t[i];");
        }
    }
    objects::observe(&mut program, &objects);
    program
}
