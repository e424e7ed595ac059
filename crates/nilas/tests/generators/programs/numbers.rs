//! Addresses as numbers (6.3.2.3, 7.20.1.4): masked, compared, subtracted, sorted and searched for, and made
//! pointers again. Whatever is observed is the same wherever the objects lie.

use super::objects;
use crate::kit::program::Program;
use crate::kit::random::Random;

/// What is done with the object `X`, which is that with the number `K`, and another one `Y`. `I` is zero and
/// may be an input. `M` is a part of the object, and `P` its type.
const USES: &[&str] = &[
    "W u = (W)&X; r += (u == (W)&X) * 2 + (u == (W)&Y); set((T *)u, 40);",
    "W lo = (W)&X, hi = (W)(&X + 1); r += hi - lo; r += (lo < hi) * 3 + (hi <= lo) * 5;",
    "intptr_t d = (intptr_t)(&X + 1) - (intptr_t)&X; r += d; r += (intptr_t)&X - (intptr_t)(&X + 1);",
    "r += ((W)&X & (_Alignof(T) - 1)) * 100 + (W)&X % _Alignof(T);",
    "W m = _Alignof(T) - 1, u = (W)&X | m; r += (u & m) == m; set((T *)(u & ~m), 41);",
    "W m = _Alignof(T) - 1, u = (W)t[K] + m; r += u & m; set((T *)(u - m), 42);",
    "W u = (W)&t[K] | 2; r += u & 3; set(*(T **)(u & ~(W)3), 43);",
    "W a = (W)&X; int hits = 0; for (int k = 0; k < N; k++) { W lo = (W)t[k]; if (lo <= a && a < lo + sizeof(T)) { r += k; hits++; } } r += hits * 10;",
    "W a = (W)&X + sizeof(T) - 1; int hits = 0; for (int k = 0; k < N; k++) { W lo = (W)t[k]; if (lo <= a && a < lo + sizeof(T)) { set(t[k], 44); hits++; } } r += hits * 10;",
    "W a = (W)&X + sizeof(T) / 2; for (int k = 0; k < N; k++) if (a - (W)t[k] < sizeof(T)) { r += k * 7 + (a - (W)t[k]); set(t[k], 45); }",
    "W a = (W)&X M; int k = 0; while (k < N && !((W)t[k] <= a && a < (W)(t[k] + 1))) k++; r += k; if (k < N) set(t[k], 46);",
    "W a = (W)t[K] + (I); T *f = 0; for (int k = N; k-- > 0;) if (a >= (W)t[k] && a - (W)t[k] < sizeof(T)) f = t[k]; r += f == &X; if (f) set(f, 47);",
    "W lo = -1, hi = 0; for (int k = 0; k < N; k++) { W u = (W)t[k]; if (u < lo) lo = u; if (u + sizeof(T) > hi) hi = u + sizeof(T); } for (int k = 0; k < N; k++) r += lo <= (W)t[k] && (W)t[k] + sizeof(T) <= hi; r += (hi - lo >= N * sizeof(T)) * 8;",
    "W lo = (W)t[0], hi = lo; for (int k = 1; k < N; k++) { if ((W)t[k] < lo) lo = (W)t[k]; if ((W)t[k] > hi) hi = (W)t[k]; } r += (lo <= (W)&X) + ((W)&X <= hi) * 2 + (lo < hi) * 4;",
    "for (int i = 0; i < N; i++) for (int k = 0; k < N; k++) { W u = (W)t[i], v = (W)t[k]; r = r * 2 % 65521 + (u + sizeof(T) <= v || v + sizeof(T) <= u); }",
    "W u = (W)&X, v = (W)&Y; r += (u != v) * 2 + ((u < v) != (v < u)) * 4 + ((u < v ? v - u : u - v) >= sizeof(T));",
    "W u = (W)&X, v = (W)&Y; u ^= v; v ^= u; u ^= v; set((T *)u, 48); set((T *)v, 49);",
    "W u = (W)&X + (W)&Y; set((T *)(u - (W)&Y), 50); r += get((T *)(u - (W)&X));",
    "W d = (W)&X - (W)&Y; set((T *)((W)&Y + d), 51); r += get((T *)((W)&X - d));",
    "W l[N]; for (int k = 0; k < N; k++) l[k] = (k ? (W)t[k - 1] : 0) ^ (k + 1 < N ? (W)t[k + 1] : 0); W before = 0, at = (W)t[0]; for (int k = 0; k < N; k++) { r = r * 3 + get((T *)at); W next = before ^ l[k]; before = at; at = next; } r += at == 0;",
    "W l[N]; for (int k = 0; k < N; k++) l[k] = (k ? (W)t[k - 1] : 0) ^ (k + 1 < N ? (W)t[k + 1] : 0); W after = 0, at = (W)t[N - 1]; for (int k = N; k-- > (K);) { W next = after ^ l[k]; after = at; at = next; } set((T *)after, 52);",
    "W u = (W)&X; r += *(unsigned char *)u * 3 + *(unsigned char *)(u + sizeof(T) - 1);",
    "W u = (W)&X; *(unsigned char *)(u + sizeof(T) - 1 - (I)) = 1;",
    "for (W u = (W)&X; u < (W)(&X + 1); u++) r = r * 3 % 65521 + *(unsigned char *)u;",
    "for (W u = (W)(&X + 1); u > (W)&X;) r = r * 3 % 65521 + *(unsigned char *)--u;",
    "for (W u = (W)&X; u != (W)(&X + 1); u++) *(unsigned char *)u = 0;",
    "r += !!(W)&X + ((W)&X == 0) * 2 + ((T *)(W)0 == &X) * 4 + ((T *)(W)(I) == 0) * 8;",
    "W u = (I) ? (W)&Y : (W)t[K]; set((T *)u, 53); r += u == (W)&X;",
    "W o = (W)&Y M - (W)&Y; T *p = (T *)((W)&X M - o); r += o + (p == &X) * 100; set(p, 54);",
    "W o = (W)&X M - (W)&X; *(P *)((W)t[K] + o) = 1; r += X M + o;",
    "W a = (W)&X M; r += ((W)&X <= a) + (a + sizeof(P) <= (W)(&X + 1)) * 2 + (a % _Alignof(P)) * 4; *(P *)a = 2;",
    "W s[N]; for (int k = 0; k < N; k++) { W u = (W)t[k]; int j = k; for (; j > 0 && s[j - 1] > u; j--) s[j] = s[j - 1]; s[j] = u; } W a = (W)(&X + 1) - 1; int k = N - 1; while (k > 0 && s[k] > a) k--; set((T *)s[k], 55); for (k = 1; k < N; k++) r += s[k] - s[k - 1] >= sizeof(T);",
    "W l = (W)t[0]; for (int k = 1; k < N; k++) if ((W)t[k] < l) l = (W)t[k]; for (int k = 0; k < N; k++) set(t[k], 5); set((T *)l, 9); for (int k = 0; k < N; k++) r += get(t[k]); for (int k = 0; k < N; k++) set(t[k], k);",
    "W b[3][N]; int n[3] = { 0 }; for (int k = 0; k < N; k++) { W u = (W)t[k]; b[u % 3][n[u % 3]++] = u; } W u = (W)&X; for (int k = 0; k < n[u % 3]; k++) if (b[u % 3][k] == u) { r += 3; set((T *)b[u % 3][k], 56); } r += n[0] + n[1] + n[2];",
    "W base = (W)&X & ~(W)15, rest = (W)&X & 15; r += ((W)&X - base < 16) + (base <= (W)&X) * 2 + (base % 16) * 4; set((T *)(base + rest), 57);",
    "set((T *)((W)(t[K] + 1) - sizeof(T)), 58); r += get((T *)((W)&Y + sizeof(T)) - 1);",
    "W u; GUESS(u, (W)&X) for (int k = 0; k < N; k++) if ((W)t[k] == u) { set(t[k], 59); r += k + 1; }",
    "W u; GUESS(u, (W)&X + sizeof(T) - 1) for (int k = 0; k < N; k++) if (u - (W)t[k] < sizeof(T)) { set(t[k], 60); r += k + 1; }",
    "W u[N]; for (int k = 0; k < N; k++) u[k] = (W)t[k]; u[K] = 0; for (int k = 0; k < N; k++) if (u[k]) r = r * 3 + get((T *)u[k]);",
    "W x = 0; for (int k = 0; k < N; k++) x ^= (W)t[k]; for (int k = 0; k < N; k++) if (k != (K)) x ^= (W)t[k]; set((T *)x, 61);",
    "W h = (W)&X >> 16 >> 8, l = (W)&X & 0xffffff; set((T *)(h << 16 << 8 | l), 62);",
];

/// For objects that lie in the order of the table.
const ORDERED: &[&str] = &[
    "for (int k = 1; k < N; k++) r = r * 4 + ((W)t[k] > (W)t[k - 1]) + ((W)t[k - 1] + sizeof(T) <= (W)t[k]) * 2;",
    "W lo = (W)&A, hi = (W)(&B + 1); for (int k = 0; k < N; k++) r += lo <= (W)t[k] && (W)t[k] + sizeof(T) <= hi; r += (hi - lo >= N * sizeof(T)) * 8 + (hi - lo < N * sizeof(T) * 9);",
    "W d = (W)&X - (W)&A; set((T *)((W)&A + d), 63); r += d;",
    "W d = (W)&B - (W)&X; set((T *)((W)&B - d), 64); r += d * 3;",
    "int n = 0; while (n < N - 1 && (W)&X >= (W)t[n + 1]) n++; r += n; set(t[n], 65);",
    "r += ((W)&X < (W)&A) + ((W)&X > (W)&B) * 2 + ((W)&X == (W)&B) * 4 + ((W)&X == (W)&A) * 8;",
];

pub(crate) fn count() -> usize {
    objects::groups() * objects::COUNT
}

/// One object of one group, used in one way.
pub(crate) fn program(number: usize, random: &mut Random) -> Program {
    let mut program = Program::new(random);
    program.guesses = true;
    let zero = format!("(({}) & 0)", program.choice(random));
    let objects = objects::declare(&mut program, number, &zero, random);
    let place = number / objects::groups() % objects::COUNT;
    let other = (place + 1 + random.below(objects::COUNT - 1)) % objects::COUNT;
    let index = if random.chance(50) { place.to_string() } else { format!("({place} + {zero})") };
    let used = if objects.ordered && random.chance(40) {
        random.pick::<&str>(ORDERED)
    } else {
        USES[number % USES.len()]
    };
    let names = [
        ("X", objects.names[place]),
        ("Y", objects.names[other]),
        ("A", objects.names[0]),
        ("B", objects.names[objects::COUNT - 1]),
        ("M", objects.part.1),
        ("P", objects.part.0),
        ("K", &index),
        ("I", &zero),
    ];
    let text = names.iter().fold(used.to_owned(), |text, (letter, with)| super::named(&text, letter, with));
    program.line(&format!("{{ {text} }}"));
    objects::observe(&mut program, &objects);
    program
}
