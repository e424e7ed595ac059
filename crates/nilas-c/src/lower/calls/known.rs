//! Functions that Nilas knows by name, where the program does not define them.

use crate::library;
use crate::lower::lowering::Lowering;
use crate::lower::memory::layout::{Kind, scalar};
use crate::lower::translate::expr::Val;
use crate::lower::translate::temporary::Purpose;
use crate::tree::{AddressBase, Builtin, CompareOp, ExprId, ExprKind};
use nilas_term::{Sort, Term};

/// Functions that print by a format, and the position of the format. Only `%n` would write.
const PRINTING: &[(&str, usize)] = &[
    ("printf", 0),
    ("fprintf", 1),
    ("vprintf", 0),
    ("vfprintf", 1),
    ("dprintf", 1),
    ("printk", 0),
    ("_printk", 0),
    ("syslog", 1),
    ("__printf_chk", 1),
    ("__fprintf_chk", 2),
    ("__vprintf_chk", 1),
    ("__vfprintf_chk", 2),
];

/// Functions that start what is not modelled: other processes, handlers that run some time.
const UNMODELLED: &[(&str, &str)] = &[
    ("fork", "processes"),
    ("vfork", "processes"),
    ("clone", "processes"),
    ("signal", "signal handlers"),
    ("sigaction", "signal handlers"),
    ("atexit", "functions that run at exit"),
    ("on_exit", "functions that run at exit"),
    ("at_quick_exit", "functions that run at exit"),
];

/// Functions that only print, log or flush: no effect, any result.
const SILENT: &[&str] = &[
    "puts",
    "putchar",
    "fputs",
    "fputc",
    "putc",
    "perror",
    "fflush",
    "fclose",
    "__builtin_puts",
    "__builtin_putchar",
    "setbuf",
    "setvbuf",
    "srand",
    "free",
    "cfree",
    "__builtin_free",
    "usleep",
    "sleep",
    "getpid",
    "__builtin_prefetch",
    "strerror",
    "openlog",
    "closelog",
    "isatty",
    "close",
];

impl Lowering<'_> {
    /// A call of a function without body whose meaning is known; `None` if it is not.
    pub(in crate::lower) fn known(
        &mut self,
        expr: ExprId,
        name: &str,
        arguments: &[ExprId],
        values: &[Val],
    ) -> Option<Val> {
        let tree = self.tree;
        let ty = tree.exprs[expr].ty;
        let (plain, extra) = library::plain_name(name);
        let count = arguments.len().saturating_sub(extra);
        let (arguments, values) = (&arguments[..count], &values[..count.min(values.len())]);
        if name.starts_with("__VERIFIER_nondet_") {
            // With pointers (`__VERIFIER_nondet_memory`) it writes, like any function without body.
            let writes = arguments.iter().any(|&a| tree.types.pointee(tree.exprs[a].ty).is_some());
            return (!writes).then(|| self.any_value(expr, name));
        }
        if let Some(&(_, position)) = PRINTING.iter().find(|(printing, _)| *printing == plain) {
            return match arguments.get(position).and_then(|&format| self.format_writes(format)) {
                Some(true) => Some(self.unmodelled_value("a format with `%n`", ty)),
                Some(false) => Some(self.any_value(expr, name)),
                None => None,
            };
        }
        if let Some((_, construct)) = UNMODELLED.iter().find(|(function, _)| *function == plain) {
            return Some(self.unmodelled_value(construct, ty));
        }
        if SILENT.contains(&name) {
            return Some(self.any_value(expr, name));
        }
        let mut terms = Vec::new();
        for (value, &argument) in values.iter().zip(arguments) {
            if matches!(value, Val::Scalar(_)) || is_scalar_function(plain) {
                terms.push(self.argument_term(value, tree.exprs[argument].ty));
            }
        }
        match (plain, &terms[..]) {
            ("__VERIFIER_assume" | "assume_abort_if_not" | "__CPROVER_assume", &[condition]) => {
                let condition = self.truth(condition);
                self.build.assume(condition);
                Some(Val::Void)
            }
            ("__VERIFIER_assert" | "assert", &[condition]) => {
                let condition = self.truth(condition);
                let fails = self.build.split(condition);
                self.join(fails, |this| this.build.error());
                Some(Val::Void)
            }
            ("__assert_fail" | "__assert" | "__assert_perror_fail" | "__assert_rtn" | "_assert", _) => {
                self.build.error();
                Some(self.nothing(ty))
            }
            ("exit", _) => {
                self.at_exit();
                self.build.stop();
                Some(self.nothing(ty))
            }
            ("abort" | "_exit" | "_Exit" | "quick_exit" | "trap" | "unreachable", _) => {
                self.build.stop();
                Some(self.nothing(ty))
            }
            ("rand" | "random" | "lrand48", _) => {
                let value = self.any_value(expr, name);
                if let Val::Scalar(term) = value {
                    let negative = self.build.arena.bv_is_negative(term);
                    let defined = self.build.arena.not(negative);
                    self.build.assume(defined);
                }
                Some(value)
            }
            ("getchar" | "getc" | "fgetc", _) => {
                let value = self.any_value(expr, name);
                if let Val::Scalar(term) = value {
                    let width = self.build.arena.width(term);
                    let (low, high) = (self.big_constant(-1, width), self.build.arena.bv(width, 255));
                    let (above, below) =
                        (self.build.arena.bv_sle(low, term), self.build.arena.bv_sle(term, high));
                    let possible = self.build.arena.and(&[above, below]);
                    self.build.assume(possible);
                }
                Some(value)
            }
            ("setjmp" | "_setjmp" | "sigsetjmp" | "longjmp" | "siglongjmp" | "setjmp_sigs", _) => {
                Some(self.refused_value("`setjmp` and `longjmp` are not supported", ty))
            }
            (name, _)
                if name.starts_with("pthread_")
                    || name.starts_with("__VERIFIER_atomic")
                    || matches!(name, "thrd_create" | "kthread_create" | "kthread_run") =>
            {
                Some(self.refused_value("threads are not supported", ty))
            }
            ("fesetround", &[number]) => self.set_rounding(number).map(Val::Scalar),
            ("fegetround", _) => Some(Val::Scalar(self.get_rounding())),
            ("flt_rounds", _) => Some(Val::Scalar(self.float_rounds())),
            (name, _) if name.starts_with("__sync_") => self.synchronised(expr, name, arguments, values),
            ("expect" | "expect_with_probability", [value, ..]) => Some(Val::Scalar(*value)),
            ("assume_aligned", _) => values.first().cloned(),
            ("constant_p", _) => Some(Val::Scalar(self.build.arena.bv(32, 0))),
            ("abs" | "labs" | "llabs" | "imaxabs", &[value]) => {
                let negative = self.build.arena.bv_is_negative(value);
                let minus = self.build.arena.bv_neg(value);
                Some(Val::Scalar(self.build.arena.ite(negative, minus, value)))
            }
            ("popcount" | "popcountl" | "popcountll" | "parity" | "parityl" | "parityll", &[value]) => {
                let mut sum = self.build.arena.bv(32, 0);
                for bit in 0..self.build.arena.width(value) {
                    let bit = self.build.arena.extract(value, bit, bit);
                    let bit = self.build.arena.zero_extend(bit, 31);
                    sum = self.build.arena.bv_add(sum, bit);
                }
                let one = self.build.arena.bv(32, 1);
                Some(Val::Scalar(if plain.starts_with("parity") {
                    self.build.arena.bv_and(sum, one)
                } else {
                    sum
                }))
            }
            ("clz" | "clzl" | "clzll" | "ctz" | "ctzl" | "ctzll" | "ffs" | "ffsl" | "ffsll", &[value]) => {
                Some(Val::Scalar(self.count_zeros(plain, value)))
            }
            ("bswap16" | "bswap32" | "bswap64", &[value]) => {
                let mut swapped: Option<Term> = None;
                for byte in 0..self.build.arena.width(value) / 8 {
                    let part = self.build.arena.extract(value, 8 * byte + 7, 8 * byte);
                    swapped = Some(swapped.map_or(part, |high| self.build.arena.concat(high, part)));
                }
                swapped.map(Val::Scalar)
            }
            (name, &[value]) if ctype(name).is_some() => {
                let ranges = ctype(name)?;
                let hits: Vec<Term> =
                    ranges.iter().map(|&(low, high)| self.between(value, low, high)).collect();
                let hit = self.build.arena.or(&hits);
                Some(Val::Scalar(self.nonzero_if(expr, hit)))
            }
            ("tolower", &[value]) => {
                let upper = self.between(value, b'A', b'Z');
                let distance = self.build.arena.bv(32, 32);
                let lower = self.build.arena.bv_add(value, distance);
                Some(Val::Scalar(self.build.arena.ite(upper, lower, value)))
            }
            ("toupper", &[value]) => {
                let lower = self.between(value, b'a', b'z');
                let distance = self.big_constant(-32, 32);
                let upper = self.build.arena.bv_add(value, distance);
                Some(Val::Scalar(self.build.arena.ite(lower, upper, value)))
            }
            _ => self
                .known_float(expr, mathematical_name(plain), arguments, values, &terms)
                .or_else(|| self.known_memory(expr, plain, arguments, values)),
        }
    }

    /// Whether a format writes through an argument; `None` if it is no literal.
    fn format_writes(&self, format: ExprId) -> Option<bool> {
        let exprs = &self.tree.exprs;
        let mut format = format;
        while let ExprKind::Convert { operand, .. } = exprs[format].kind {
            format = operand;
        }
        let string = match exprs[format].kind {
            ExprKind::Address { base: AddressBase::String(string), .. } => string,
            ExprKind::ArrayDecay(place) => match exprs[place].kind {
                ExprKind::String(string) => string,
                _ => return None,
            },
            _ => return None,
        };
        let units = &self.tree.strings[string].units;
        let mut writes = false;
        let mut inside = false;
        for &unit in units {
            let letter = char::from_u32(unit).unwrap_or(' ');
            match (inside, letter) {
                (_, '%') => inside = !inside,
                (true, 'n') => writes = true,
                (true, letter) if letter.is_ascii_alphabetic() && !"hljztLq".contains(letter) => {
                    inside = false;
                }
                _ => {}
            }
        }
        Some(writes)
    }

    /// An `int` that is not zero if and only if the condition holds; which one, the standard leaves open.
    pub(in crate::lower) fn nonzero_if(&mut self, expr: ExprId, condition: Term) -> Term {
        let (zero, one) = (self.build.arena.bv(32, 0), self.build.arena.bv(32, 1));
        match self.build.arena.as_bool(condition) {
            Some(false) => zero,
            _ => {
                let (variable, any) = self.temporary(expr, Purpose::NonZero, &Sort::BitVec(32));
                self.build.havoc(variable);
                let is_zero = self.build.arena.eq(any, zero);
                let set = self.build.arena.ite(is_zero, one, any);
                self.build.arena.ite(condition, set, zero)
            }
        }
    }

    fn between(&mut self, value: Term, low: u8, high: u8) -> Term {
        let width = self.build.arena.width(value);
        let (low, high) =
            (self.build.arena.bv(width, u64::from(low)), self.build.arena.bv(width, u64::from(high)));
        let above = self.build.arena.bv_sle(low, value);
        let below = self.build.arena.bv_sle(value, high);
        self.build.arena.and(&[above, below])
    }

    fn count_zeros(&mut self, name: &str, value: Term) -> Term {
        let width = self.build.arena.width(value);
        let zero = self.build.arena.bv(width, 0);
        let nonzero = self.build.arena.ne(value, zero);
        let from_top = name.starts_with("clz");
        let first = u64::from(name.starts_with("ffs"));
        if first == 0 {
            self.build.assume(nonzero);
        }
        let mut result = self.build.arena.bv(32, 0);
        let order: Vec<u32> = if from_top { (0..width).collect() } else { (0..width).rev().collect() };
        for bit in order {
            let one = self.build.arena.bv(1, 1);
            let at = self.build.arena.extract(value, bit, bit);
            let set = self.build.arena.eq(at, one);
            let count = if from_top { width - 1 - bit } else { bit };
            let count = self.build.arena.bv(32, u64::from(count) + first);
            result = self.build.arena.ite(set, count, result);
        }
        result
    }

    /// Builtins that are no functions.
    pub(in crate::lower) fn builtin(&mut self, expr: ExprId, builtin: Builtin, arguments: &[ExprId]) -> Val {
        let tree = self.tree;
        let ty = tree.exprs[expr].ty;
        match builtin {
            Builtin::VaStart | Builtin::VaEnd | Builtin::VaCopy => {
                // Harmless unless arguments are really read, which is unmodelled.
                Val::Void
            }
            Builtin::Unreachable | Builtin::Trap => {
                self.build.stop();
                self.nothing(ty)
            }
            Builtin::AddOverflow | Builtin::SubOverflow | Builtin::MulOverflow => self
                .overflow(builtin, arguments)
                .map_or_else(|| self.unmodelled_value("overflow builtin", ty), Val::Scalar),
            _ => {
                let mut terms = Vec::new();
                for &argument in arguments {
                    let term = self.term(argument);
                    terms.push(self.save(argument, Purpose::Saved, term));
                }
                match self.float_builtin(expr, builtin, &terms) {
                    Some(term) => Val::Scalar(term),
                    None => self.unmodelled_value("builtin", ty),
                }
            }
        }
    }

    /// Computes with enough bits, stores what fits, and tells whether all did.
    fn overflow(&mut self, builtin: Builtin, arguments: &[ExprId]) -> Option<Term> {
        let tree = self.tree;
        let &[a, b, pointer] = arguments else { return None };
        let target = tree.types.pointee(tree.exprs[pointer].ty)?;
        let (Kind::Bits(width), _) = scalar(&tree.types, target)? else { return None };
        let mut wide = Vec::new();
        for operand in [a, b] {
            let term = self.term(operand);
            let term = self.save(operand, Purpose::Saved, term);
            wide.push(self.int_to_width(term, tree.exprs[operand].ty, 260));
        }
        let exact = match builtin {
            Builtin::AddOverflow => self.build.arena.bv_add(wide[0], wide[1]),
            Builtin::SubOverflow => self.build.arena.bv_sub(wide[0], wide[1]),
            _ => self.build.arena.bv_mul(wide[0], wide[1]),
        };
        let cut = self.extend(exact, width, false);
        let signed = self.is_signed(target);
        let back = self.extend(cut, 260, signed);
        let same = self.compare_bits(CompareOp::Equal, back, exact, signed);
        let overflow = self.build.arena.not(same);
        let overflow = self.save(arguments[0], Purpose::Overflow, overflow);
        let pointer = self.value(pointer);
        let place = self.pointed(pointer, target, None);
        self.write(&place, cut);
        Some(overflow)
    }
}

/// The ranges of a class of `ctype.h` in the C locale.
fn ctype(name: &str) -> Option<&'static [(u8, u8)]> {
    Some(match name {
        "isdigit" => &[(b'0', b'9')],
        "isalpha" => &[(b'A', b'Z'), (b'a', b'z')],
        "isalnum" => &[(b'0', b'9'), (b'A', b'Z'), (b'a', b'z')],
        "isupper" => &[(b'A', b'Z')],
        "islower" => &[(b'a', b'z')],
        "isspace" => &[(9, 13), (b' ', b' ')],
        "isblank" => &[(9, 9), (b' ', b' ')],
        "iscntrl" => &[(0, 31), (127, 127)],
        "isprint" => &[(32, 126)],
        "isgraph" => &[(33, 126)],
        "ispunct" => &[(33, 47), (58, 64), (91, 96), (123, 126)],
        "isxdigit" => &[(b'0', b'9'), (b'A', b'F'), (b'a', b'f')],
        _ => return None,
    })
}

/// Functions whose arguments are looked at as values, pointers included.
fn is_scalar_function(name: &str) -> bool {
    matches!(name, "__VERIFIER_assume" | "assume_abort_if_not" | "__VERIFIER_assert" | "assert" | "expect")
}

/// The name for `double` of a function of `math.h`.
fn mathematical_name(name: &str) -> &str {
    match name {
        "modf" | "isinf" | "ceil" | "erf" => name,
        "__isnan" | "isnanf" | "__isnanf" | "__isnanl" | "isnanl" => "isnan",
        "__isinf" | "isinff" | "__isinff" | "__isinfl" | "isinfl" => "isinf",
        "__finite" | "finitef" | "__finitef" | "__finitel" | "finitel" => "finite",
        "__signbit" | "signbitf" | "__signbitf" | "__signbitl" | "signbitl" => "signbit",
        "__fpclassifyf" | "__fpclassifyl" => "__fpclassify",
        _ => name.strip_suffix(['f', 'l']).unwrap_or(name),
    }
}
