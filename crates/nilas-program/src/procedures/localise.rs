//! Global variables that are local to a procedure.
//!
//! A global variable that one procedure alone mentions, and that this procedure never looks at before setting
//! it, carries no value from one activation to the next. It becomes a variable of the procedure. If an
//! activation can begin while another one is active, the variable must not be needed after the calls that
//! lead there: as a global one it would hold what the inner activation left.

use super::Module;
use super::effects::own_accesses;
use super::unset::live;
use crate::ids::{ProcedureId, VarId};

/// Gives global variables to the procedures that alone need them; how many there are.
pub fn localise(module: &mut Module) -> usize {
    let accesses = own_accesses(module);
    let live = live(module, None);
    let reached = module.reached();
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); module.program.automaton.variables.len()];
    for (index, own) in accesses.iter().enumerate() {
        for &variable in own.reads.union(&own.writes) {
            users[variable.index()].push(index);
        }
    }
    // Per procedure: calls of it that may lead back to it.
    let mut returning: Vec<Vec<usize>> = vec![Vec::new(); module.procedures.len()];
    for (index, call) in module.calls.iter().enumerate() {
        if let Some(caller) = module.owner(call.source)
            && (call.callee == caller || reached[call.callee.index()].contains(&caller))
        {
            returning[caller.index()].push(index);
        }
    }
    let mut local: Vec<(VarId, ProcedureId)> = Vec::new();
    for variable in module.program.automaton.variable_ids() {
        let &[user] = &users[variable.index()][..] else { continue };
        if module.owner_of(variable).is_some() || user == module.procedures.len() {
            continue;
        }
        let is_live = |location: crate::ids::LocationId| live[location.index()].contains(&variable);
        let entry = module.procedures[user].entry;
        let kept = returning[user].iter().map(|&index| &module.calls[index]);
        let needed = kept.into_iter().any(|call| is_live(call.target) && !call.results.contains(&variable));
        if !is_live(entry) && !needed {
            local.push((variable, ProcedureId::new(user)));
        }
    }
    for &(variable, procedure) in &local {
        module.owners.variables[variable.index()] = Some(procedure);
    }
    local.len()
}

#[cfg(test)]
mod tests {
    use super::super::check;
    use super::*;
    use crate::text::parse_module;

    #[test]
    fn what_only_one_procedure_needs() {
        // `t` is set before it is read; `c` counts activations; `k` is needed behind the inner call, `s` is
        // set anew by it; `g` is everybody's.
        let text = "var t, c, k, s, g : bv8 entry m error e
            proc f(f.n : bv8) { entry f.in exit f.out
                f.in -> f.a { t := f.n; c := c + 1; k := f.n; s := 1; assume t == 3 && g == 1 }
                f.a -> f.b { call f(f.n) }
                f.b -> f.out { assume k == f.n; s := 2; assume s == 2 } }
            m -> n { call f(g) } n -> e";
        let mut module =
            parse_module(text).unwrap_or_else(|errors| panic!("{}", errors[0].render("f", text)));
        assert_eq!(localise(&mut module), 2);
        let owner = |name: &str| {
            let variables = &module.program.automaton.variables;
            let index = variables.iter().position(|variable| variable.name == name).expect("a variable");
            module.owners.variables[index].is_some()
        };
        assert_eq!(["t", "c", "k", "s", "g"].map(owner), [true, false, false, true, false]);
        assert_eq!(check(&module), Ok(()));
    }
}
