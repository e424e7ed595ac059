//! The caller of a library function: what runs in the place of `main` where `--function f` checks `f` alone.
//!
//! The caller is a function of the typed tree, so that everything behind the type checker, the lowering as
//! the reference interpreter, sees a program that calls `f` once, with arguments that it chooses by inputs:
//!
//! - A number is an input. A struct is an object that holds any value ([`crate::tree::Variable::any`]).
//! - A pointer is null, or points to an element of an array whose elements hold any value ([`objects`]). A
//!   pointer to any element stands for pointers to the beginning of arrays of any smaller length, too: from
//!   it on there are 1 to [`Pointers::size`] elements.
//! - Pointers inside of these objects ([`slots`]) are null or point to such arrays again: to all of their
//!   type where pointers may be equal, so that lists, trees and cycles of as many nodes are among what `f`
//!   gets; else each to its own, [`Pointers::depth`] deep.
//! - Pointers that lie deeper, in unions, that are constant, and those to functions and to types without
//!   size are of unknown origin, as those of an object that the program does not define.
//!
//! With [`Caller::any_globals`] objects of static storage duration hold any value at first, constants
//! excepted. What all this says of the arguments is an assumption of the answer.

mod objects;
mod slots;
mod write;

use crate::source::{Diagnostic, Span};
use crate::tree::{Entry, Function, FunctionId, Program};
use objects::Objects;
use write::Writer;

/// The name of the caller.
const NAME: &str = "caller";
/// The text in which objects lie that the user's text has no place for.
const FILE: &str = "<caller>";

/// Which function to check instead of `main`, and what it is called with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Caller {
    /// Its name.
    pub function: String,
    /// Objects of static storage duration hold any value when it is called.
    pub any_globals: bool,
    /// What pointers point to.
    pub pointers: Pointers,
}

/// What the pointers point to that a function gets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pointers {
    /// Elements of the arrays that they point into; at least 1.
    pub size: u64,
    /// How many pointers deep there are such arrays: with 0, only behind the arguments themselves.
    pub depth: u32,
    /// They may be null.
    pub null: bool,
    /// Two of them may point into the same array.
    pub alias: bool,
}

impl Default for Pointers {
    fn default() -> Self {
        Pointers { size: 4, depth: 2, null: true, alias: true }
    }
}

impl Caller {
    /// What changes the meaning of an answer, in the words of the command line.
    #[must_use]
    pub fn options(&self) -> Vec<(&'static str, String)> {
        let Pointers { size, depth, null, alias } = self.pointers;
        let yes_or_no = |value| if value { "yes" } else { "no" }.to_owned();
        vec![
            ("function", self.function.clone()),
            ("globals", if self.any_globals { "any" } else { "initialised" }.to_owned()),
            ("pointer-size", size.to_string()),
            ("pointer-depth", depth.to_string()),
            ("pointer-null", yes_or_no(null)),
            ("pointer-alias", yes_or_no(alias)),
        ]
    }

    /// What the answer says of the arguments.
    fn assumptions(&self) -> Vec<String> {
        let Pointers { size, depth, null, alias } = self.pointers;
        let name = &self.function;
        let globals = match self.any_globals {
            true => "with any values in variables of static storage duration that are not `const`",
            false => "with variables of static storage duration as they are initialised",
        };
        let null = if null { "null or point" } else { "not null, and point" };
        let elements = if size == 1 { "single objects" } else { "arrays" };
        let size = if size == 1 { String::new() } else { format!(" of {size} elements, to any of them") };
        let alias = match alias {
            true => "two of them may point into the same one only if they have the same type",
            false => "no two of them point into the same one",
        };
        vec![
            format!("`{name}` is called once, by a program that then ends, {globals}"),
            format!(
                "pointers that `{name}` is called with are {null} into {elements}{size} (`void *`: as `unsigned char *`) that \
                 nothing else points to and that are not allocated; {alias}"
            ),
            format!(
                "pointers in these objects are so, too, {depth} pointers deep; deeper ones, those in unions, constant ones, those beyond \
                 the first {} of an object, and those to functions and to incomplete types are of unknown origin",
                slots::MOST
            ),
        ]
    }
}

/// Puts a caller into a linked program.
///
/// # Errors
/// A name that is no function with a body, or a function that cannot be called with any arguments.
pub(crate) fn put_in(program: &mut Program, caller: &Caller) -> Result<(), Diagnostic> {
    let checked = find(program, &caller.function)?;
    callable(program, checked)?;
    let mut objects = Objects::new(program, caller.pointers);
    let parameters = objects.parameters(checked);
    if caller.any_globals {
        objects.globals();
    }
    objects.reach();
    let objects = objects.done();
    let function = Writer::new(program, caller.pointers).caller(checked, &parameters, &objects);
    let assumptions = caller.assumptions();
    program.entry = Some(Entry { function, checked, caller: caller.clone(), assumptions });
    Ok(())
}

/// The function of a name; `NAME@FILE` where several files have one.
fn find(program: &Program, name: &str) -> Result<FunctionId, Diagnostic> {
    let (plain, file) = match name.split_once('@') {
        Some((plain, file)) => (plain, Some(file)),
        None => (name, None),
    };
    let in_file = |function: &Function| {
        let place = program.sources.locate(function.span).file;
        file.is_none_or(|file| place == file || place.rsplit('/').next() == Some(file))
    };
    let named: Vec<FunctionId> = program
        .functions
        .enumerate()
        .filter(|(_, function)| function.name == plain && in_file(function))
        .map(|(id, _)| id)
        .collect();
    let defined: Vec<FunctionId> =
        named.iter().copied().filter(|&id| program.functions[id].body.is_some()).collect();
    match defined[..] {
        [function] => Ok(function),
        [] => Err(missing(program, name, plain, &named)),
        [first, second, ..] => {
            let place = |id: FunctionId| program.functions[id].span;
            let file = program.sources.locate(place(first)).file;
            let message = format!("`--function {name}`: several files define a function of this name");
            let diagnostic = Diagnostic::error(place(first), message)
                .with_note(place(second), "another one is here")
                .with_hint(format!("name the file, too: `--function {plain}@{file}`"));
            Err(diagnostic)
        }
    }
}

/// Names of this distance are near.
const NEAR: usize = 3;
/// So many of them are listed.
const LISTED: usize = 5;

fn missing(program: &Program, name: &str, plain: &str, named: &[FunctionId]) -> Diagnostic {
    if let Some(&declared) = named.first() {
        let message =
            format!("`--function {name}`: the program declares this function, but has no body for it");
        return Diagnostic::error(program.functions[declared].span, message);
    }
    let own = |span: Span| !program.sources.locate(span).file.starts_with('<');
    let mut near: Vec<(usize, &str)> = program
        .functions
        .iter()
        .filter(|function| function.body.is_some() && own(function.span))
        .map(|function| (distance(plain, &function.name), function.name.as_str()))
        .collect();
    near.sort_unstable();
    near.dedup();
    let few = near.len() <= LISTED;
    near.retain(|&(distance, _)| few || distance <= NEAR);
    near.truncate(LISTED);
    let diagnostic =
        Diagnostic::general(format!("`--function {name}`: the program has no function of this name"));
    if near.is_empty() {
        return diagnostic;
    }
    let names: Vec<String> = near.iter().map(|(_, name)| format!("`{name}`")).collect();
    diagnostic.with_hint(format!("functions with a body: {}", names.join(", ")))
}

/// How many letters to change, add or drop (Levenshtein).
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (number, letter) in from.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], number + 1);
        for column in 0..to.len() {
            let changed = diagonal + usize::from(letter != to[column]);
            diagonal = row[column + 1];
            row[column + 1] = changed.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[to.len()]
}

/// A function that takes any number of arguments, or arrays whose length is another argument, has no list of
/// arguments that would be any.
fn callable(program: &Program, function: FunctionId) -> Result<(), Diagnostic> {
    let declared = &program.functions[function];
    let refuse =
        |span, what: &str| Err(Diagnostic::error(span, format!("`--function {}`: {what}", declared.name)));
    let ty = program.types.as_function(declared.ty);
    if ty.is_some_and(|ty| ty.variadic) {
        return refuse(
            declared.span,
            "a function with variable arguments cannot be called with any arguments; check one that calls it",
        );
    }
    for &parameter in &declared.parameters {
        let variable = &program.variables[parameter];
        let pointee = program.types.pointee(variable.ty);
        if pointee.is_some_and(|pointee| program.types.is_variable_length(pointee)) {
            return refuse(
                variable.span,
                "an array parameter whose element has a variable length is not supported",
            );
        }
        if program.types.va_list.is_some_and(|list| is_list(program, variable.ty, list)) {
            return refuse(variable.span, "a list of variable arguments as a parameter is not supported");
        }
        let sized = program.types.size_of(variable.ty).is_some();
        if !sized || matches!(program.types.kind(variable.ty), crate::types::TypeKind::Complex(_)) {
            return refuse(variable.span, "a parameter of this type is not supported");
        }
    }
    Ok(())
}

/// Whether a parameter was declared as a `va_list`, which is an array on some machines.
fn is_list(program: &Program, ty: crate::types::TypeId, list: crate::types::TypeId) -> bool {
    match program.types.kind(list) {
        crate::types::TypeKind::Array(element, _) => program
            .types
            .pointee(ty)
            .is_some_and(|pointee| program.types.kind(pointee) == program.types.kind(*element)),
        crate::types::TypeKind::Record(_) => program.types.kind(ty) == program.types.kind(list),
        // A list that is a plain pointer looks like any other.
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::distance;

    #[test]
    fn near_names() {
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("push", "push"), 0);
        assert_eq!(distance("psuh", "push"), 2);
        assert_eq!(distance("pus", "push"), 1);
        assert_eq!(distance("queue_put", "queue_get"), 2);
    }
}
