//! The catalogue: what Nilas knows about functions that a program uses and does not define.
//!
//! One [`Row`] per exact name; [`row`] is the only way to ask. Nothing is ever concluded from a part of a
//! name: the variants that compilers and headers make of a name (`__builtin_f`, `__isoc99_f`, `ff` and `fl`
//! of `math.h`) are entries of their own, made from what a row says about itself. A function in no row is
//! unknown.
//!
//! The type checker reads signatures and what is special syntax, the points-to analysis flows and results,
//! the lowering models, and the judgement of executions whether a result is fixed by the arguments. A family
//! of functions is a file here; models in C are files of `library/text`.

mod atomic;
mod builtin;
mod ctype;
mod hidden;
mod math;
mod objects;
mod process;
mod stdio;
mod stdlib;
mod string;
mod system;
mod thread;
mod time;
mod verifier;
mod wchar;

pub use hidden::has_hidden_type;
pub use objects::sets_named;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::sync::LazyLock;

/// What is known about one function.
#[derive(Clone, Debug)]
pub struct Row {
    /// The exact name.
    pub name: Cow<'static, str>,
    /// The name of the row that this is a variant of: `fabs` for `fabsf` and `__builtin_fabsl`.
    pub base: &'static str,
    /// The type: `result:parameters` with one letter each, see [`signature`](self#signatures); a dot at the
    /// end means variadic. Empty where the type depends on the arguments.
    ///
    /// # Signatures
    /// `v` void, `b` `_Bool`, `c` char, `i` int, `u` unsigned, `h` unsigned short, `l` long, `L` unsigned
    /// long, `q` long long, `Q` unsigned long long, `z` size_t, `k` ssize_t, `j` intmax_t, `J` uintmax_t, `w`
    /// wchar_t, `f` float, `d` double, `D` long double, `r` the floating type of the variant, `p` `void *`
    /// (or another object or function pointer), `P` `const void *`, `s` `char *`, `S` `const char *`, `e`
    /// `char **`, `W` `wchar_t *`, `X` `const wchar_t *`, `o` a struct.
    pub signature: Cow<'static, str>,
    /// Which arguments it writes through.
    pub writes: Writes,
    /// What a pointer that it returns may point to.
    pub result: Target,
    /// The argument that is a function which it calls.
    pub callback: Option<u8>,
    /// It may set `errno`.
    pub errno: bool,
    /// The result and what it writes follow from its arguments and what they point to: an execution that
    /// chooses them is not a real one.
    pub determined: bool,
    /// It writes less than any bytes into all of the objects that it is given: an execution that relies on
    /// what it wrote is not a real one.
    pub partial: bool,
    /// It does not return.
    pub noreturn: bool,
    /// GCC knows its type without a declaration.
    pub builtin: bool,
    /// No declaration is expected: the name belongs to the compiler.
    pub reserved: bool,
    /// What a call means.
    pub model: Model,
    /// Other definitions of the texts that the lowering uses where the function is named.
    pub helpers: &'static [&'static str],
    variants: Variants,
}

/// The names that a row makes beside its own.
#[derive(Clone, Copy, Default, Debug)]
struct Variants {
    /// `__builtin_f`
    builtin: bool,
    /// `ff` and `fl`, the same for `float` and `long double`.
    real: bool,
    /// `__isoc99_f` and `__isoc23_f`
    isoc: bool,
    /// `f_1`, `f_2`, `f_4`, `f_8` and `f_16`
    sized: bool,
    others: &'static [&'static str],
}

/// Which arguments a function writes through, counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Writes {
    /// None.
    Nothing,
    /// These.
    Through(&'static [u8]),
    /// This one and all behind it.
    From(u8),
}

/// What a result may point to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// It is no pointer, or one that is never followed.
    Nothing,
    /// What this argument points to, or nowhere.
    Argument(u8),
    /// An object of the library.
    Static,
    /// Memory that nothing else points to.
    Fresh,
}

/// What a call means.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Model {
    /// A function in C, see [`super::text`]; what it reads, writes, returns and calls follows from its text.
    Text,
    /// The lowering knows it. Where it has a text, too, that is what counts wherever the lowering's way does
    /// not apply.
    Lowering(Meaning),
    /// It is no function: the type checker makes expressions of it.
    Checker(Syntax),
    /// Any value within the bounds, if there are any.
    Any(Option<(i64, i64)>),
    /// Not modelled: this is what to call it.
    Unmodelled(&'static str),
    /// A reason to refuse the program where it is reached.
    Refused(&'static str),
}

/// Functions that the lowering knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Meaning {
    /// A call is the error.
    Error,
    /// The execution stops where the argument is zero.
    Assume,
    /// The error, where the argument is zero.
    Assert,
    /// `exit`: what was registered runs, then the execution ends.
    Exit,
    /// The execution ends at once.
    Stop,
    /// Prints by the format at this position; only `%n` would write.
    Print(u8),
    /// Prints by a format into a buffer: positions of the size (none: unbounded) and of the format.
    PrintInto {
        size: Option<u8>,
        format: u8,
    },
    /// Reads by the format at this position; `input` if what it reads comes from outside.
    Scan {
        format: u8,
        input: bool,
    },
    Allocate,
    /// Memory that lives until the function returns that calls it.
    AllocateOnStack,
    AllocateAligned,
    AllocateZeroed,
    Reallocate,
    ReallocateArray,
    Free,
    /// `memset`, and `memcpy` or `memmove`, of constant size on whole leaves.
    Fill,
    Move,
    /// `strlen` of a literal.
    Length,
    /// Any value of the result's type, of which the functions in C make what they return.
    Input,
    /// A construct that a function in C does not cover.
    NotCovered,
    /// `__nilas_presume`: C may leave undefined what a text goes on with.
    Presume,
    /// The first argument.
    First,
    /// The address of something on the stack that no program may use.
    Opaque,
    Absolute,
    PopulationCount,
    Parity,
    LeadingZeros,
    TrailingZeros,
    FindFirstSet,
    LeadingSigns,
    SwapBytes,
    ObjectSize,
    SetRounding,
    GetRounding,
    FloatRounds,
    /// A function of `math.h`, by the name of its row.
    Mathematics,
}

/// What the type checker makes of a name that is no function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Syntax {
    Unreachable,
    Trap,
    VaStart,
    VaEnd,
    VaCopy,
    Expect,
    ConstantP,
    ClassifyType,
    TypeGeneric,
    FpClassify,
    Classify(crate::tree::Builtin),
    Infinity(crate::types::FloatKind),
    Nan {
        kind: crate::types::FloatKind,
        signalling: bool,
    },
    /// Computes and tells whether the result fits: the operator, and the type of the operands unless any.
    Overflow(crate::tree::Builtin, Option<crate::types::IntKind>),
    /// Tells whether a result would fit the type of the third argument.
    OverflowPredicate(crate::tree::Builtin),
    Atomic(Atomic),
}

/// Atomic operations. There is one thread: they are what they do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Atomic {
    /// `*r = *p`
    Load,
    /// The value of `*p`.
    LoadValue,
    /// `*p = *v`
    Store,
    /// `*p = v`
    StoreValue,
    /// `*r = *p, *p = *v`
    Exchange,
    /// `old = *p, *p = v, old`
    ExchangeValue,
    /// `*p == *e ? (*p = *v, 1) : (*e = *p, 0)`
    CompareExchange,
    /// The same with a value `v`.
    CompareExchangeValue,
    /// `*p == e ? (*p = v, 1) : 0`
    CompareAndSwap,
    /// The old value of `*p`, which becomes `v` if it was `e`.
    CompareAndSwapValue,
    /// The value before `*p op= v`.
    FetchThen(Operation),
    /// The value after `*p op= v`.
    ThenFetch(Operation),
    /// Sets a byte; whether it was set.
    TestAndSet,
    /// `*p = 0`
    Clear,
    /// Nothing, in one thread.
    Fence,
    /// Whether operations of a size take no lock.
    LockFree,
}

/// Operators of atomic updates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Operation {
    Add,
    Sub,
    And,
    Or,
    Xor,
    Nand,
}

/// A function that has a text.
const fn text(name: &'static str, signature: &'static str) -> Row {
    Row::new(name, signature, Model::Text)
}

/// A function that the lowering knows.
const fn known(name: &'static str, signature: &'static str, meaning: Meaning) -> Row {
    Row::new(name, signature, Model::Lowering(meaning))
}

/// A function that returns any value.
const fn any(name: &'static str, signature: &'static str) -> Row {
    Row::new(name, signature, Model::Any(None))
}

/// A function whose result lies within bounds.
const fn within(name: &'static str, signature: &'static str, low: i64, high: i64) -> Row {
    Row::new(name, signature, Model::Any(Some((low, high))))
}

impl Row {
    const fn new(name: &'static str, signature: &'static str, model: Model) -> Row {
        Row {
            name: Cow::Borrowed(name),
            base: name,
            signature: Cow::Borrowed(signature),
            writes: Writes::Nothing,
            result: Target::Nothing,
            callback: None,
            errno: false,
            determined: false,
            partial: false,
            noreturn: false,
            builtin: false,
            reserved: false,
            model,
            helpers: &[],
            variants: Variants { builtin: false, real: false, isoc: false, sized: false, others: &[] },
        }
    }

    /// GCC knows the function, also as `__builtin_f`.
    const fn builtin(mut self) -> Row {
        self.builtin = true;
        self.variants.builtin = true;
        self
    }

    /// A name that only GCC knows.
    const fn compiler(mut self) -> Row {
        self.builtin = true;
        self.reserved = true;
        self
    }

    /// There are `ff` and `fl`, too.
    const fn real(mut self) -> Row {
        self.variants.real = true;
        self
    }

    const fn isoc(mut self) -> Row {
        self.variants.isoc = true;
        self
    }

    const fn sized(mut self) -> Row {
        self.variants.sized = true;
        self
    }

    const fn also(mut self, names: &'static [&'static str]) -> Row {
        self.variants.others = names;
        self
    }

    const fn writes(mut self, arguments: &'static [u8]) -> Row {
        self.writes = Writes::Through(arguments);
        self
    }

    const fn writes_from(mut self, argument: u8) -> Row {
        self.writes = Writes::From(argument);
        self
    }

    const fn points(mut self, result: Target) -> Row {
        self.result = result;
        self
    }

    const fn calls(mut self, argument: u8) -> Row {
        self.callback = Some(argument);
        self
    }

    const fn with(mut self, helpers: &'static [&'static str]) -> Row {
        self.helpers = helpers;
        self
    }

    const fn errno(mut self) -> Row {
        self.errno = true;
        self
    }

    const fn determined(mut self) -> Row {
        self.determined = true;
        self.partial = true;
        self
    }

    const fn partial(mut self) -> Row {
        self.partial = true;
        self
    }

    const fn noreturn(mut self) -> Row {
        self.noreturn = true;
        self
    }

    /// How many parameters the signature names, and whether more may follow.
    pub(crate) fn parameters(&self) -> (usize, bool) {
        let parameters = self.signature.split_once(':').map_or("", |(_, parameters)| parameters);
        let variadic = parameters.ends_with('.');
        (parameters.len() - usize::from(variadic), variadic)
    }

    /// Whether the function writes through this argument.
    pub fn writes_through(&self, argument: usize) -> bool {
        match self.writes {
            Writes::Nothing => false,
            Writes::Through(arguments) => arguments.iter().any(|&number| usize::from(number) == argument),
            Writes::From(first) => argument >= usize::from(first),
        }
    }

    /// The name of the function in C that a row with this base has, if it has one.
    pub(crate) fn text_name(&self) -> String {
        format!("{}{}", super::PREFIX, self.base)
    }

    /// All names that the row stands for, each with a row of its own.
    fn all(&self) -> Vec<Row> {
        let mut rows = vec![self.clone()];
        if self.variants.real {
            rows[0].signature = self.signature.replace('r', "d").into();
            for (suffix, letter) in [("f", "f"), ("l", "D")] {
                let name = format!("{}{suffix}", self.name).into();
                rows.push(Row {
                    name,
                    signature: self.signature.replace('r', letter).into(),
                    ..self.clone()
                });
            }
        }
        let mut more = Vec::new();
        let first = rows[0].clone();
        let same = |name: String| Row { name: name.into(), ..first.clone() };
        if self.variants.builtin {
            for row in &rows {
                let name = format!("__builtin_{}", row.name).into();
                more.push(Row { name, reserved: true, ..row.clone() });
            }
        }
        if self.variants.isoc {
            more.extend(["__isoc99_", "__isoc23_"].map(|start| same(format!("{start}{}", self.name))));
        }
        if self.variants.sized {
            more.extend([1, 2, 4, 8, 16].map(|size| same(format!("{}_{size}", self.name))));
        }
        more.extend(self.variants.others.iter().map(|&name| same(name.to_owned())));
        rows.extend(more);
        rows
    }
}

const FAMILIES: &[&[Row]] = &[
    atomic::ROWS,
    builtin::ROWS,
    ctype::ROWS,
    math::ROWS,
    process::ROWS,
    stdio::ROWS,
    stdlib::ROWS,
    string::ROWS,
    system::ROWS,
    thread::ROWS,
    time::ROWS,
    verifier::ROWS,
    wchar::ROWS,
];

/// Every name with its row, in the order of the files.
fn rows() -> impl Iterator<Item = Row> {
    FAMILIES.iter().flat_map(|family| family.iter()).flat_map(Row::all)
}

static CATALOGUE: LazyLock<FxHashMap<String, Row>> = LazyLock::new(|| {
    let mut catalogue: FxHashMap<String, Row> = rows().map(|row| (row.name.to_string(), row)).collect();
    // Functions in C are known by the names that they have in the texts.
    let texts: Vec<(String, Row)> = FAMILIES
        .iter()
        .flat_map(|family| family.iter())
        .filter(|row| super::text::has(&row.text_name()))
        .map(|row| (row.text_name(), row.clone()))
        .collect();
    catalogue.extend(texts);
    catalogue
});

/// What is known about the function of this exact name.
pub fn row(name: &str) -> Option<&'static Row> {
    CATALOGUE.get(name)
}

/// Whether a function is one of `__VERIFIER_nondet_…`, each of which returns any value of its declared type.
/// This family is open by contract: benchmarks declare such functions for types of their own.
pub fn is_input(name: &str) -> bool {
    name.starts_with("__VERIFIER_nondet_") || name.starts_with(ARGUMENT)
}

/// What the functions are called that give the arguments of a function that is checked alone.
pub(crate) const ARGUMENT: &str = "argument:";

/// What people call an input: the call of its function, or the argument that it is.
#[must_use]
pub fn shown_input(name: &str) -> String {
    name.strip_prefix(ARGUMENT).map_or_else(|| format!("{name}()"), str::to_owned)
}

#[cfg(test)]
mod tests;
