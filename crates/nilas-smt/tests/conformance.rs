//! Every back end through the conformance kit.

use nilas_smt::proof::Proved;
use nilas_smt::sat::{Batsat, Cdcl, Hard, SatSolver};
use nilas_smt::{Embedded, Solver, conformance};

fn conforms<S: SatSolver + Default + 'static>() {
    let mut make = || Box::new(Embedded::<S>::new()) as Box<dyn Solver>;
    if let Err(what) = conformance::run(&mut make) {
        panic!("{what}");
    }
}

#[test]
fn hard() {
    conforms::<Hard>();
}

#[test]
fn batsat() {
    conforms::<Batsat>();
}

#[test]
fn cdcl() {
    conforms::<Cdcl>();
}

/// Calls that are handed over after so many conflicts, all of them at once if that is 0.
#[test]
fn cdcl_that_hands_over() {
    for after in [0, 1, 5] {
        let mut make = || Box::new(Embedded::on(move || Cdcl::handing_over_after(after))) as Box<dyn Solver>;
        if let Err(what) = conformance::run(&mut make) {
            panic!("after {after} conflicts: {what}");
        }
    }
}

/// A step of a proof that is rejected ends as an answer that the kit does not expect.
#[test]
fn proved() {
    conforms::<Proved>();
}
