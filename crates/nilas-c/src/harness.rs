//! An execution as a C file that makes the program repeat it.
//!
//! The harness defines the functions whose results the execution chose (inputs, and other functions without
//! body): they return the recorded values in order. It also defines what leads to the error: `reach_error`,
//! `__VERIFIER_error` and their kin print a mark and end the process with a given code. Compile it *before*
//! the program, and let the linker take the first of two definitions:
//! `gcc -Wl,-z,muldefs harness.c program.c`. Functions without body that the execution never calls need no
//! definition with `-Wl,--unresolved-symbols=ignore-all`.
//!
//! Not every execution can be repeated: the machine does not put chosen values into uninitialised memory, and
//! pointers as inputs are not supported. [`harness`] finds out by running the execution again with other
//! values there: only if it still reaches the error it does not depend on them.

use crate::library::catalogue::is_input;
use crate::lower::{HavocOrigin, Lowered};
use crate::tree::Program;
use crate::types::{FloatKind, IntKind, TypeId, TypeKind};
use nilas_program::{Graph, HavocSite, Interpreter, Step};
use nilas_term::{BitVec, FloatValue, Value};
use std::collections::BTreeMap;
use std::fmt;
use std::fmt::Write as _;

/// What the harness prints when the error is reached.
pub const MARK: &str = "nilas: error reached";

/// The exit code when the execution asks for more inputs than were recorded: it is another one.
pub const EXHAUSTED: u8 = 99;

/// Why an execution has no harness.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unrepeatable {
    /// The values do not lead to the error.
    NoExecution,
    /// It depends on values that the machine does not let us choose.
    Garbage,
    /// This function returns something else than a number.
    Result {
        /// The function.
        function: String,
        /// The type, in C.
        ty: String,
    },
}

impl fmt::Display for Unrepeatable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unrepeatable::NoExecution => f.write_str("the values do not lead to the error"),
            Unrepeatable::Garbage => f.write_str(
                "the execution depends on uninitialised memory, arguments of `main` or what an unknown function writes",
            ),
            Unrepeatable::Result { function, ty } => {
                write!(f, "`{function}` returns a `{ty}`, which a harness cannot make")
            }
        }
    }
}

impl std::error::Error for Unrepeatable {}

/// How often the execution is repeated with other values where the machine does not let us choose.
const ATTEMPTS: u64 = 8;

/// Steps after which an execution is given up.
const MOST_STEPS: usize = 50_000_000;

/// The harness of the execution with these values at the entry and at `havoc`s (by site and occurrence), see
/// the module's text.
///
/// # Errors
/// When the execution cannot be repeated on a machine.
pub fn harness(
    tree: &Program,
    lowered: &Lowered,
    initial: &[Value],
    values: &dyn Fn(HavocSite, usize) -> Value,
    exit_code: u8,
) -> Result<String, Unrepeatable> {
    let mut recorded = Vec::new();
    if !reaches(lowered, initial.to_vec(), &mut |site, occurrence| {
        let value = values(site, occurrence);
        recorded.push((site, value.clone()));
        value
    }) {
        return Err(Unrepeatable::NoExecution);
    }
    let garbage = |site| match lowered.origin(site) {
        HavocOrigin::Garbage(_)
        | HavocOrigin::AllocationFailure(_)
        | HavocOrigin::Written(_)
        | HavocOrigin::Callback(_)
        | HavocOrigin::Kept(_)
        | HavocOrigin::Read(_)
        | HavocOrigin::MainArgument
        | HavocOrigin::Open(_)
        | HavocOrigin::AddressRelation
        | HavocOrigin::Determined(_)
        | HavocOrigin::Exists(_)
        | HavocOrigin::Volatile(_)
        | HavocOrigin::EvaluationOrder
        | HavocOrigin::Assembly
        | HavocOrigin::Stored => true,
        HavocOrigin::Input(_) | HavocOrigin::Unknown(_) | HavocOrigin::FloatBits => false,
    };
    // One other value may happen to have the same effect; the machine has the last word.
    for attempt in 0..ATTEMPTS {
        let other = |value: &Value, place: u64| match attempt {
            0 => opposite(value),
            1 => zero(value),
            2 => one(value),
            // Variables that differ from each other.
            _ => scattered(value, attempt ^ (place << 3)),
        };
        let changed = initial.iter().zip(0_u64..).map(|(value, place)| other(value, place)).collect();
        let mut choose = |site: HavocSite, occurrence| {
            let value = values(site, occurrence);
            if garbage(site) { other(&value, (site.index() + 7919 * occurrence) as u64) } else { value }
        };
        if !reaches(lowered, changed, &mut choose) {
            return Err(Unrepeatable::Garbage);
        }
    }
    write_harness(tree, lowered, &recorded, exit_code)
}

/// Whether the execution reaches the error.
fn reaches(
    lowered: &Lowered,
    initial: Vec<Value>,
    values: &mut dyn FnMut(HavocSite, usize) -> Value,
) -> bool {
    let automaton = &lowered.program.automaton;
    let graph = Graph::new(automaton);
    let Ok(mut interpreter) = Interpreter::new(&lowered.program.arena, automaton, initial) else {
        return false;
    };
    let mut here = automaton.entry;
    for _ in 0..MOST_STEPS {
        if here == automaton.error {
            return true;
        }
        let mut taken = None;
        for &edge in graph.outgoing(here) {
            match interpreter.step(edge, values) {
                Ok(Step::Taken(_)) => {
                    taken = Some(edge);
                    break;
                }
                Ok(Step::Blocked) => {}
                Err(_) => return false,
            }
        }
        match taken {
            Some(edge) => here = automaton.edge(edge).target,
            None => return false,
        }
    }
    false
}

/// A value that is as different as can be.
fn opposite(value: &Value) -> Value {
    match value {
        Value::Bool(value) => Value::Bool(!value),
        Value::BitVec(bits) => Value::BitVec(bits.not()),
        Value::Float(FloatValue { exponent, significand, bits }) => {
            Value::float(*exponent, *significand, bits.not())
        }
        Value::Array(array) => {
            let mut array = (**array).clone();
            array.default = opposite(&array.default);
            array.entries.clear();
            Value::Array(std::sync::Arc::new(array))
        }
        other => other.clone(),
    }
}

fn zero(value: &Value) -> Value {
    Value::default_of(&value.sort())
}

fn one(value: &Value) -> Value {
    match value {
        Value::BitVec(bits) => Value::BitVec(BitVec::new(bits.width(), 1)),
        value => zero(value),
    }
}

/// A value that follows from a seed, small ones and large ones.
fn scattered(value: &Value, seed: u64) -> Value {
    let mut mixed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^= mixed >> 31;
    match value {
        Value::Bool(_) => Value::Bool(mixed & 1 == 1),
        Value::BitVec(bits) if mixed & 2 == 0 => Value::BitVec(BitVec::new(bits.width(), mixed >> 2 & 15)),
        Value::BitVec(bits) if bits.width() <= 64 => {
            Value::BitVec(BitVec::new(64, mixed).extract(bits.width() - 1, 0))
        }
        value => opposite(value),
    }
}

/// The functions that lead to the error.
const ERRORS: [&str; 2] = ["reach_error", "__VERIFIER_error"];
const FAILED_ASSERTIONS: [&str; 3] = ["__assert_fail", "__assert_perror_fail", "__assert"];

fn write_harness(
    tree: &Program,
    lowered: &Lowered,
    recorded: &[(HavocSite, Value)],
    exit_code: u8,
) -> Result<String, Unrepeatable> {
    let mut results: BTreeMap<&str, (TypeId, Vec<&Value>)> = BTreeMap::new();
    for (site, value) in recorded {
        if let HavocOrigin::Input(result) | HavocOrigin::Unknown(result) = lowered.origin(*site) {
            results.entry(&result.function).or_insert_with(|| (result.ty, Vec::new())).1.push(value);
        }
    }
    let mut text = String::from(
        "/* The inputs of an execution that reaches the error. */\n\
         extern __typeof__(sizeof 0) nilas_write(int, const void *, __typeof__(sizeof 0)) __asm__(\"__write\");\n\
         extern void _exit(int) __attribute__((__noreturn__));\n",
    );
    // Writing to a string cannot fail.
    let _ = write!(
        text,
        "static void nilas_error(void) {{ nilas_write(2, \"{MARK}\\n\", {}); _exit({exit_code}); }}\n\
         static void nilas_more(void) {{ _exit({EXHAUSTED}); }}\n",
        MARK.len() + 1
    );
    let has_body =
        |name: &str| tree.function(name).is_some_and(|function| tree.functions[function].body.is_some());
    for name in ERRORS {
        let _ = writeln!(text, "void {name}() {{ nilas_error(); }}");
    }
    for name in FAILED_ASSERTIONS.into_iter().filter(|name| !has_body(name)) {
        let _ = writeln!(text, "void {name}() {{ nilas_error(); }}");
    }
    for (name, action) in [
        ("__VERIFIER_assume", "_exit(0)"),
        ("assume_abort_if_not", "_exit(0)"),
        ("__VERIFIER_assert", "nilas_error()"),
    ] {
        if !has_body(name) {
            let _ = writeln!(text, "void {name}(int condition) {{ if (!condition) {action}; }}");
        }
    }
    for (name, (ty, values)) in &results {
        let unsupported =
            || Unrepeatable::Result { function: (*name).to_owned(), ty: tree.types.display(*ty) };
        let (ty, literals) = literals(tree, *ty, values).ok_or_else(unsupported)?;
        let _ = write!(
            text,
            "{ty} {name}() {{\n    static const {ty} values[] = {{ {} }};\n    static unsigned next;\n    \
             if (next >= {}) nilas_more();\n    return values[next++];\n}}\n",
            literals.join(", "),
            literals.len()
        );
    }
    // Functions that the execution calls no value from must be there, too. The program may have a `write` of
    // its own, but hardly these names.
    let mut inputs: Vec<&str> = tree
        .functions
        .iter()
        .filter(|function| function.body.is_none() && is_input(&function.name))
        .map(|function| function.name.as_str())
        .filter(|name| !results.contains_key(name))
        .collect();
    inputs.sort_unstable();
    inputs.dedup();
    for name in inputs {
        let _ = writeln!(text, "int {name}() {{ nilas_more(); return 0; }}");
    }
    let unknown = lowered.unknown.iter().map(|&function| tree.functions[function].name.as_str());
    let input = |name: &str| is_input(name);
    for name in unknown.filter(|name| !results.contains_key(name) && !input(name)) {
        let _ = writeln!(text, "__attribute__((__weak__)) int {name}() {{ return 0; }}");
    }
    Ok(text)
}

/// A C type for results of a function, and the values as initialisers.
fn literals(tree: &Program, ty: TypeId, values: &[&Value]) -> Option<(&'static str, Vec<String>)> {
    if let TypeKind::Float(kind) = tree.types.kind(ty) {
        let name = match kind {
            FloatKind::Float => "float",
            FloatKind::Double => "double",
            _ => return None,
        };
        let literal = |value: &&Value| match value {
            // Lowered with bits or by value.
            Value::BitVec(bits) | Value::Float(FloatValue { bits, .. }) => float_literal(*kind, bits),
            _ => None,
        };
        return Some((name, values.iter().map(literal).collect::<Option<_>>()?));
    }
    let kind = tree.types.int_kind(ty)?;
    let name = match kind {
        IntKind::Bool => "_Bool",
        _ => match (kind.size(tree.types.model()), kind.is_signed()) {
            (1, true) => "signed char",
            (1, false) => "unsigned char",
            (2, true) => "short",
            (2, false) => "unsigned short",
            (4, true) => "int",
            (4, false) => "unsigned",
            (8, true) => "long long",
            (8, false) => "unsigned long long",
            (_, true) => "__int128",
            (_, false) => "unsigned __int128",
        },
    };
    let literal = |value: &&Value| match value {
        Value::Bool(value) => Some(u8::from(*value).to_string()),
        Value::BitVec(bits) => int_literal(name, bits),
        _ => None,
    };
    Some((name, values.iter().map(literal).collect::<Option<_>>()?))
}

fn int_literal(ty: &str, bits: &BitVec) -> Option<String> {
    match bits.to_u64() {
        Some(value) => Some(format!("({ty}){value}ULL")),
        None if bits.width() == 128 => {
            let (high, low) = (bits.extract(127, 64).to_u64()?, bits.extract(63, 0).to_u64()?);
            Some(format!("({ty})(((unsigned __int128){high}ULL << 64) | {low}ULL)"))
        }
        None => None,
    }
}

fn float_literal(kind: FloatKind, bits: &BitVec) -> Option<String> {
    let (exponent, significand) = kind.format();
    let bits = bits.to_u64()?;
    let fraction_bits = significand - 1;
    let fraction = bits & ((1 << fraction_bits) - 1);
    let field = (bits >> fraction_bits) & ((1 << exponent) - 1);
    let sign = if bits >> (exponent + fraction_bits) == 1 { "-" } else { "" };
    let bias = (1_i64 << (exponent - 1)) - 1;
    let last = i64::from(fraction_bits);
    let field = i64::try_from(field).ok()?;
    Some(match (field, fraction) {
        (field, 0) if field == 2 * bias + 1 => format!("{sign}__builtin_inf()"),
        (field, fraction) if field == 2 * bias + 1 => {
            let suffix = if kind == FloatKind::Float { "f" } else { "" };
            let quiet = 1 << (fraction_bits - 1);
            let signalling = if fraction & quiet == 0 { "s" } else { "" };
            format!("{sign}__builtin_nan{signalling}{suffix}(\"0x{:x}\")", fraction & (quiet - 1))
        }
        (0, fraction) => format!("{sign}0x{fraction:x}p{}", 1 - bias - last),
        (field, fraction) => {
            let digits = fraction | (1 << fraction_bits);
            format!("{sign}0x{digits:x}p{}", field - bias - last)
        }
    })
}
