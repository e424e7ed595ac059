//! Objects of the library that programs may name and that functions of the library set.
//!
//! Such a function is modelled only in programs that do not name what it sets.

use crate::tree::{AddressBase, ExprKind, Program};

const SIGN: &[&str] = &["signgam", "__signgam"];
const ZONE: &[&str] = &["timezone", "daylight", "tzname", "__timezone", "__daylight", "__tzname"];
const ENVIRONMENT: &[&str] = &["environ", "__environ", "_environ"];

/// What the function of a row with this base sets.
fn set_by(base: &str) -> &'static [&'static str] {
    match base {
        "lgamma" => SIGN,
        "tzset" | "mktime" | "ctime" | "strftime" => ZONE,
        "setenv" | "unsetenv" | "clearenv" => ENVIRONMENT,
        _ => &[],
    }
}

/// An object that the function sets and that the program names without defining it.
pub fn sets_named(program: &Program, base: &str) -> Option<&'static str> {
    let objects = set_by(base);
    if objects.is_empty() {
        return None;
    }
    program.exprs.iter().find_map(|expr| {
        let (ExprKind::Variable(variable) | ExprKind::Address { base: AddressBase::Variable(variable), .. }) =
            expr.kind
        else {
            return None;
        };
        let variable = &program.variables[variable];
        let foreign = !variable.defined && variable.function.is_none();
        objects.iter().find(|&&object| foreign && variable.name == object).copied()
    })
}
