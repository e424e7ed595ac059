//! The conformance kit of `nilas-smt`.

use nilas_icp::{Icp, Options};
use nilas_smt::{Solver, conformance};

#[test]
fn intervals_alone_conform() {
    let options = Options { hand_over: false, ..Options::default() };
    let result = conformance::run(&mut || Box::new(Icp::new(options)) as Box<dyn Solver>);
    assert_eq!(result, Ok(()));
}

#[test]
fn with_the_bit_blaster_behind_them_they_conform() {
    let result = conformance::run(&mut || Box::new(Icp::default()) as Box<dyn Solver>);
    assert_eq!(result, Ok(()));
}

#[test]
fn handing_over_at_once_conforms() {
    let options = Options { patience: 0, ..Options::default() };
    let result = conformance::run(&mut || Box::new(Icp::new(options)) as Box<dyn Solver>);
    assert_eq!(result, Ok(()));
}
