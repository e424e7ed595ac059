//! Gates as definitions: whatever the inputs are, the clauses leave exactly one value to the output.
//!
//! Such clauses exclude no assignment of the older variables, so they may be added to anything.

use crate::sat::{Lit, Var};

/// More inputs than this are tried only for conjunctions.
const MAX_INPUTS: usize = 6;

/// Whether the clauses define `output` as a total function of the inputs.
pub(super) fn is_total(output: Var, inputs: &[Lit], clauses: &[Vec<Lit>]) -> bool {
    let mut vars: Vec<Var> = inputs.iter().map(|lit| lit.var()).collect();
    vars.sort_unstable();
    vars.dedup();
    let known = |lit: &Lit| lit.var() == output || vars.binary_search(&lit.var()).is_ok();
    if vars.binary_search(&output).is_ok() || !clauses.iter().flatten().all(known) {
        return false;
    }
    if vars.len() > MAX_INPUTS {
        return is_conjunction(output.lit(), inputs, clauses);
    }
    (0..1u32 << vars.len()).all(|assignment| {
        let allowed = |value: bool| {
            let holds = |lit: &Lit| {
                let of = match vars.binary_search(&lit.var()) {
                    Ok(place) => assignment >> place & 1 == 1,
                    Err(_) => value,
                };
                of == lit.is_positive()
            };
            clauses.iter().all(|clause| clause.iter().any(holds))
        };
        allowed(false) != allowed(true)
    })
}

/// Whether the clauses say exactly that the output is the conjunction of the inputs.
fn is_conjunction(output: Lit, inputs: &[Lit], clauses: &[Vec<Lit>]) -> bool {
    let Some((long, binary)) = clauses.split_last() else { return false };
    let mut wanted: Vec<Lit> = inputs.iter().map(|&input| !input).chain([output]).collect();
    let mut found = long.clone();
    wanted.sort_unstable();
    found.sort_unstable();
    wanted == found
        && binary.len() == inputs.len()
        && binary.iter().zip(inputs).all(|(clause, &input)| **clause == [!output, input])
}
