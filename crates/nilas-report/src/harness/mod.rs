//! An execution as a C file that makes the program repeat it: a test that fails.
//!
//! The harness defines the functions whose results the execution chose (inputs, and other functions that the
//! program does not define): they return the chosen values in order. It defines the objects that the program
//! declares only, and what is the error: `__assert_fail`, `reach_error` and their kin say so and abort. For a
//! function that is checked alone it has a `main` with the arguments. The user's files are compiled beside
//! it as they are: `cc harness.c program.c`.
//!
//! What the program defines itself is not defined a second time. The exceptions are `reach_error` and its kin
//! and `main`, which stand under `#ifdef NILAS_CONFIRM`, for whoever lets the linker take the first of two
//! definitions (`-Wl,-z,muldefs`).
//!
//! A machine does not let a test choose everything: not what uninitialised memory holds, what functions of
//! the C library read or where objects lie. Such choices are listed in [`Harness::open`]; whether they matter
//! is seen when the test runs.

mod entry;
mod literal;
mod objects;

pub use literal::literal;
use literal::type_name;
use nilas_c::catalogue::{self, Meaning, Model, Row, Writes};
use nilas_c::tree::{AddressBase, Callee, ExprKind, Function, FunctionId, Linkage, Program};
use nilas_c::types::TypeId;
use nilas_run::choice::{ChoiceKind, Made};
use objects::Objects;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::Write as _;

/// What a run prints when it reaches the error.
pub const MARK: &str = "nilas: error reached";
/// What it prints when it asks for more values than the execution chose: it goes another way.
pub const MORE: &str = "nilas: no more values of";
/// What it prints when an assumption does not hold.
pub const ASSUMED: &str = "nilas: an assumption does not hold";
/// The macro with which functions are defined that the program defines, too.
pub const CONFIRM: &str = "NILAS_CONFIRM";

/// What a function is called with that gives an argument of a function that is checked alone.
const ARGUMENT: &str = "argument:";

/// See the module's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Harness {
    /// The text of the file.
    pub text: String,
    /// What the execution chose and the test cannot, a sentence each.
    pub open: Vec<String>,
}

/// The results that a function gives, in order.
struct Results {
    ty: TypeId,
    values: Vec<String>,
}

/// The harness of an execution with these choices, in their order. `title` says what it shows.
///
/// # Errors
/// Why there is none.
pub fn harness<'a>(tree: &'a Program, made: &'a [Made], title: &str) -> Result<Harness, String> {
    let mut objects = Objects::new(tree);
    let mut results: BTreeMap<&str, Results> = BTreeMap::new();
    let mut arguments = VecDeque::new();
    let mut open = Vec::new();
    for made in made {
        if made.choice.kind == ChoiceKind::Input && made.choice.name.starts_with(ARGUMENT) {
            arguments.push_back(made);
            continue;
        }
        let chosen = match made.choice.kind {
            ChoiceKind::Uninitialised => objects.store(made),
            _ => result(tree, made, &mut results),
        };
        if !chosen {
            open.extend(why_open(made));
        }
    }
    let referenced = referenced(tree, &mut objects);
    let hooks = hooks(tree, &referenced);
    let own_main = tree.entry.is_some() && has_main(tree);
    let twice = own_main || hooks.iter().any(|(_, is_own)| *is_own);
    let mut text = opening(title, tree, twice);
    for (function, is_own) in hooks {
        let declared = &tree.functions[function];
        let hook = hook(tree, declared);
        let _ =
            if is_own { writeln!(text, "#ifdef {CONFIRM}\n{hook}#endif") } else { write!(text, "{hook}") };
    }
    for (name, results) in &results {
        text.push_str(&table(tree, name, results));
    }
    for &function in &referenced {
        let declared = &tree.functions[function];
        if is_given(declared) && !results.contains_key(declared.name.as_str()) {
            text.push_str(&without_results(tree, declared));
        }
    }
    let call =
        tree.entry.as_ref().map(|entry| entry::call(tree, entry, arguments, &mut objects)).transpose()?;
    let (before, inside) = objects.text()?;
    text.push_str(&before);
    if !inside.is_empty() {
        let _ = write!(
            text,
            "__attribute__((__constructor__)) static void nilas_fill(void) {{\n    \
             unsigned i = 0;\n    (void)i;\n{inside}}}\n"
        );
    }
    if let Some((before, inside)) = call {
        let main = format!("{before}int main(void) {{\n{inside}}}\n");
        text.push_str(&if own_main { format!("#ifdef {CONFIRM}\n{main}#endif\n") } else { main });
    }
    open.dedup();
    // Zero is what machines have most often.
    open.sort_by_key(|it: &String| it.ends_with(" holds 0"));
    Ok(Harness { text, open })
}

fn has_main(tree: &Program) -> bool {
    tree.function("main").is_some_and(|main| tree.functions[main].body.is_some())
}

/// What the file is and how it is compiled; `twice` if it defines what the program defines, too.
fn opening(title: &str, tree: &Program, twice: bool) -> String {
    let title: String = title.replace("*/", "* /").replace('\n', " ");
    let width = if tree.types.model().is_narrow() { " -m32" } else { "" };
    let first = match twice {
        true => format!(" -D{CONFIRM} -Wl,-z,muldefs"),
        false => String::new(),
    };
    format!(
        "/* {title}\n   Compile this file with the program, and run it: it fails.\n   \
         cc{width}{first} THIS_FILE.c PROGRAM.c */\n\
         extern int dprintf(int, const char *, ...);\nextern void abort(void);\nextern void _exit(int);\n\
         static void nilas_error(const char *what) {{ dprintf(2, \"{MARK}: %s\\n\", what); abort(); }}\n\
         static void nilas_more(const char *name) {{ dprintf(2, \"{MORE} %s\\n\", name); _exit(99); }}\n\
         static void nilas_assumed(void) {{ dprintf(2, \"{ASSUMED}\\n\"); _exit(98); }}\n"
    )
}

/// Notes a result of a function that a harness can define; whether it is one.
fn result<'t>(tree: &'t Program, made: &Made, results: &mut BTreeMap<&'t str, Results>) -> bool {
    if !matches!(made.choice.kind, ChoiceKind::Input | ChoiceKind::UnknownResult) {
        return false;
    }
    let Some(function) = tree.function(&made.choice.name) else { return false };
    let declared = &tree.functions[function];
    if !is_given(declared) {
        return false;
    }
    let Some(ty) = tree.types.as_function(declared.ty).map(|it| it.result) else { return false };
    let Some(value) = literal(tree, ty, made.value) else { return false };
    let name = declared.name.as_str();
    results.entry(name).or_insert_with(|| Results { ty, values: Vec::new() }).values.push(value);
    true
}

/// Whether a harness defines a function: the program does not, and neither does the C library in a way that
/// matters.
fn is_given(function: &Function) -> bool {
    if function.body.is_some() || function.asm_name.is_some() || function.name.starts_with(ARGUMENT) {
        return false;
    }
    match catalogue::row(&function.name) {
        _ if catalogue::is_input(&function.name) => true,
        None => !function.implicit || !catalogue::has_hidden_type(&function.name),
        Some(row) => matches!(row.model, Model::Any(_)) && row.writes == Writes::Nothing && !row.reserved,
    }
}

/// What a choice is that no test makes; `None` where it is what machines do.
fn why_open(made: &Made) -> Option<String> {
    let (choice, value) = (&made.choice, made.value);
    let (name, place) = (&choice.name, &choice.place);
    Some(match choice.kind {
        ChoiceKind::EvaluationOrder | ChoiceKind::AllocationFailure if value == 0 => return None,
        ChoiceKind::AddressRelation | ChoiceKind::FloatBits => return None,
        ChoiceKind::Uninitialised => format!("uninitialised memory of `{name}` ({place}) holds {value}"),
        ChoiceKind::Input | ChoiceKind::UnknownResult => format!("`{name}` at {place} gives {value}"),
        ChoiceKind::UnknownWrite => format!("`{name}` at {place} writes {value}"),
        ChoiceKind::EvaluationOrder => format!("operands at {place} are evaluated in the other order"),
        ChoiceKind::AllocationFailure => format!("the allocation at {place} fails"),
        ChoiceKind::VolatileRead => format!("volatile `{name}` at {place} holds {value}"),
    })
}

/// The functions that the program uses, and the objects.
fn referenced(tree: &Program, objects: &mut Objects<'_>) -> BTreeSet<FunctionId> {
    let mut found = BTreeSet::new();
    // What texts of the library use is theirs.
    let own = |span| !nilas_c::is_text(&tree.sources.locate(span).file);
    for expr in &tree.exprs {
        match &expr.kind {
            ExprKind::Call { callee: Callee::Function(function), .. }
            | ExprKind::Function(function)
            | ExprKind::Address { base: AddressBase::Function(function), .. }
                if own(expr.span) =>
            {
                found.insert(*function);
            }
            ExprKind::Variable(object) | ExprKind::Address { base: AddressBase::Variable(object), .. }
                if own(expr.span) =>
            {
                objects.used(*object);
            }
            _ => {}
        }
    }
    found
}

/// What a call of a function means by itself.
fn meaning(row: &Row) -> Option<Meaning> {
    match row.model {
        Model::Lowering(it @ (Meaning::Error | Meaning::Assert | Meaning::Assume)) => Some(it),
        _ => None,
    }
}

/// The functions that are the error, and assumptions, with whether the program defines them, too.
fn hooks(tree: &Program, referenced: &BTreeSet<FunctionId>) -> Vec<(FunctionId, bool)> {
    let mut hooks = Vec::new();
    for &function in referenced {
        let declared = &tree.functions[function];
        let Some(row) = catalogue::row(&declared.name).filter(|row| meaning(row).is_some()) else { continue };
        // The call of these is the error whatever the program says that they do.
        let always = row.base == "reach_error";
        let own = declared.body.is_some();
        if !own || (always && declared.linkage == Linkage::External) {
            hooks.push((function, own));
        }
    }
    hooks
}

/// The text of such a function.
fn hook(tree: &Program, declared: &Function) -> String {
    let name = &declared.name;
    let Some(row) = catalogue::row(name) else { return String::new() };
    match (meaning(row), row.base) {
        (Some(Meaning::Error), "__assert_fail") if name == "__assert_fail" => format!(
            "void {name}(const char *text, const char *file, unsigned line, const char *function) {{\n    \
             (void)function;\n    dprintf(2, \"{MARK}: %s:%u: %s\\n\", file, line, text);\n    abort();\n}}\n"
        ),
        (Some(Meaning::Error), _) => format!("void {name}() {{ nilas_error(\"{name}\"); }}\n"),
        (meaning, _) => {
            let parameter = tree.types.as_function(declared.ty).and_then(|it| it.parameters.first().copied());
            let ty = parameter.and_then(|ty| type_name(tree, ty)).unwrap_or("int");
            let action = match meaning {
                Some(Meaning::Assume) => "nilas_assumed()".to_owned(),
                _ => format!("nilas_error(\"{name}\")"),
            };
            let more = if row.signature.len() > 3 { ", const char *text" } else { "" };
            let used = if more.is_empty() { "" } else { "(void)text; " };
            format!("void {name}({ty} condition{more}) {{ {used}if (!condition) {action}; }}\n")
        }
    }
}

/// A function that gives values in order.
fn table(tree: &Program, name: &str, results: &Results) -> String {
    let ty = type_name(tree, results.ty).unwrap_or("int");
    let space = if ty.ends_with('*') { "" } else { " " };
    let count = results.values.len();
    format!(
        "{ty}{space}{name}() {{\n    static {ty}{space}values[] = {{ {} }};\n    static unsigned next;\n    \
         if (next >= {count}) nilas_more(\"{name}\");\n    return values[next++];\n}}\n",
        results.values.join(", ")
    )
}

/// A function that the execution takes no value from.
fn without_results(tree: &Program, declared: &Function) -> String {
    let name = &declared.name;
    match tree.types.as_function(declared.ty).map(|it| it.result) {
        Some(ty) if tree.types.is_void(ty) => format!("void {name}() {{ }}\n"),
        _ => format!("long long {name}() {{ nilas_more(\"{name}\"); return 0; }}\n"),
    }
}
