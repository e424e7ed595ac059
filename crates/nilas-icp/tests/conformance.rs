//! The conformance kit of `nilas-smt`.

use nilas_icp::{Icp, Options};
use nilas_smt::{Answer, Budget, Solver, conformance};
use nilas_term::{Arena, Sort};

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

/// What stood under retired activations goes; what was learnt about the rest stays right.
#[test]
fn retired_activations_leave_nothing_behind() {
    let mut arena = Arena::new();
    let sort = Sort::BitVec(16);
    let [x, y] = ["x", "y"].map(|name| arena.variable(name, &sort).expect("a fresh arena knows no names"));
    let less = arena.bv_ult(x, y);
    let mut icp = Icp::new(Options { hand_over: false, ..Options::default() });
    icp.assert(&arena, less);
    let mut sizes = Vec::new();
    for round in 0..600 {
        let activation = icp.activation();
        let (low, high) = (arena.bv(16, 40), arena.bv(16, 41 + round % 3));
        let (above, below) = (arena.bv_ule(low, x), arena.bv_ule(y, high));
        let either = arena.bv_ult(y, low);
        let clause = arena.or(&[either, below]);
        icp.assert_under(&arena, activation, above);
        icp.assert_under(&arena, activation, clause);
        let tight = arena.bv_ult(high, y);
        let answer = icp.check(&arena, &[activation], &[], &Budget::unlimited());
        assert_eq!(answer, Answer::Sat, "round {round}");
        let answer = icp.check(&arena, &[activation], &[tight], &Budget::unlimited());
        assert_eq!(answer, Answer::Unsat, "round {round}");
        icp.retire(activation);
        sizes.push(icp.stats().clauses);
    }
    assert!(sizes[599] <= sizes[250] + 250, "clauses pile up: {} and {}", sizes[250], sizes[599]);
}
