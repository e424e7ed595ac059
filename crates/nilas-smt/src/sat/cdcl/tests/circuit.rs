//! Random circuits with everything interleaved: gates, root clauses, activation variables that come and
//! go, assumptions. Answers are compared with CaDiCaL; models are checked by evaluating the circuit from
//! its inputs; cores are checked by CaDiCaL; every clause derived goes through the proof checker.

use super::*;
use crate::sat::drat::Checker;
use crate::sat::{ProofLog, ProofStep};

/// A node of the circuit, or an activation variable. Literals are over node numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Node {
    Input,
    Activation,
    Constant(bool),
    And(Lit, Lit),
    Xor(Lit, Lit),
    Mux(Lit, Lit, Lit),
}

/// A clause with the number of the activation variable it is under.
struct Clause {
    guard: Option<usize>,
    lits: Vec<Lit>,
}

/// A solver and its variables by node.
struct Mirror {
    solver: Box<dyn SatSolver>,
    vars: Vec<Var>,
}

impl Mirror {
    fn lit(&self, lit: Lit) -> Lit {
        Lit::new(self.vars[lit.var().0 as usize], lit.is_positive())
    }

    fn lits(&self, lits: &[Lit]) -> Vec<Lit> {
        lits.iter().map(|&lit| self.lit(lit)).collect()
    }

    fn ask(&mut self, assumptions: &[Lit]) -> SatAnswer {
        let assumptions = self.lits(assumptions);
        check(&mut *self.solver, &assumptions)
    }

    fn add_node(&mut self, node: Node) {
        if node == Node::Activation {
            self.vars.push(self.solver.new_activation());
            return;
        }
        let output = self.solver.new_var();
        self.vars.push(output);
        let o = output.lit();
        match node {
            Node::Input | Node::Activation => {}
            Node::Constant(value) => self.solver.add_gate(output, &[], &[&[Lit::new(output, value)]]),
            Node::And(a, b) => {
                let (a, b) = (self.lit(a), self.lit(b));
                self.solver.add_gate(output, &[a, b], &[&[!o, a], &[!o, b], &[!a, !b, o]]);
            }
            Node::Xor(a, b) => {
                let (a, b) = (self.lit(a), self.lit(b));
                let clauses: [&[Lit]; 4] = [&[!a, !b, !o], &[a, b, !o], &[!a, b, o], &[a, !b, o]];
                self.solver.add_gate(output, &[a, b], &clauses);
            }
            Node::Mux(c, a, b) => {
                let (c, a, b) = (self.lit(c), self.lit(a), self.lit(b));
                let clauses: [&[Lit]; 4] = [&[!c, !a, o], &[!c, a, !o], &[c, !b, o], &[c, b, !o]];
                self.solver.add_gate(output, &[c, a, b], &clauses);
            }
        }
    }
}

struct World {
    random: Random,
    seed: u64,
    nodes: Vec<Node>,
    /// Activation variables alive.
    active: Vec<usize>,
    retired: Vec<usize>,
    clauses: Vec<Clause>,
    ours: Mirror,
    theirs: Mirror,
    proof: Option<(ProofLog, Checker)>,
    /// Whether activation variables may be used as ordinary ones.
    misuse: bool,
    answers: [u32; 2],
    /// Calls that were handed over.
    handed_over: u64,
}

impl World {
    fn new(seed: u64, ours: Cdcl, with_proof: bool) -> Self {
        let mut ours = ours;
        let proof = with_proof.then(|| {
            let log = ProofLog::new();
            ours.set_proof(Box::new(log.clone()));
            (log, Checker::new())
        });
        World {
            random: Random(seed),
            seed,
            nodes: Vec::new(),
            active: Vec::new(),
            retired: Vec::new(),
            clauses: Vec::new(),
            ours: Mirror { solver: Box::new(ours), vars: Vec::new() },
            theirs: Mirror { solver: Box::new(Hard::new()), vars: Vec::new() },
            proof,
            misuse: seed % 8 == 7,
            answers: [0; 2],
            handed_over: 0,
        }
    }

    fn add_node(&mut self, node: Node) {
        self.ours.add_node(node);
        self.theirs.add_node(node);
        self.nodes.push(node);
    }

    /// A random literal, of an activation variable only if that is to be misused.
    fn literal(&mut self) -> Lit {
        loop {
            // Rather young nodes, for deep circuits.
            let n = self.nodes.len();
            let at =
                if self.random.bool() { self.random.below(n) } else { n - 1 - self.random.below(n.min(8)) };
            let activation = self.nodes[at] == Node::Activation;
            if !activation || self.misuse && self.active.contains(&at) && self.random.chance(3) {
                return Lit::new(Var(at as u32), self.random.bool());
            }
        }
    }

    fn literals(&mut self, most: usize) -> Vec<Lit> {
        (0..1 + self.random.below(most)).map(|_| self.literal()).collect()
    }

    fn step(&mut self) {
        match self.random.below(100) {
            0..15 => self.add_node(Node::Input),
            15..45 => {
                let (a, b, c) = (self.literal(), self.literal(), self.literal());
                let node = match self.random.below(20) {
                    0 => Node::Constant(self.random.bool()),
                    1..9 => Node::And(a, b),
                    9..14 => Node::Xor(a, b),
                    _ => Node::Mux(a, b, c),
                };
                self.add_node(node);
            }
            45..49 => {
                let lits = self.literals(4);
                if lits.len() > 1 || self.random.chance(30) {
                    self.ours.solver.add_clause(&self.ours.lits(&lits));
                    self.theirs.solver.add_clause(&self.theirs.lits(&lits));
                    self.clauses.push(Clause { guard: None, lits });
                }
            }
            49..54 => {
                self.active.push(self.nodes.len());
                self.add_node(Node::Activation);
            }
            54..68 if !self.active.is_empty() => {
                let guard = self.active[self.random.below(self.active.len())];
                let mut lits = self.literals(5);
                if self.random.chance(5) {
                    // Under two activation variables at once.
                    let other = self.active[self.random.below(self.active.len())];
                    lits.push(Lit::new(Var(other as u32), false));
                } else if self.random.chance(2) {
                    lits.clear();
                }
                self.ours.solver.add_clause_under(self.ours.vars[guard], &self.ours.lits(&lits));
                self.theirs.solver.add_clause_under(self.theirs.vars[guard], &self.theirs.lits(&lits));
                self.clauses.push(Clause { guard: Some(guard), lits });
            }
            68..71 if !self.active.is_empty() => {
                let gone = self.active.swap_remove(self.random.below(self.active.len()));
                self.ours.solver.retire(self.ours.vars[gone]);
                self.theirs.solver.retire(self.theirs.vars[gone]);
                self.retired.push(gone);
                // Clauses of others that are guarded by it besides go as well: it is false.
                self.clauses.retain(|clause| {
                    clause.guard != Some(gone) && !clause.lits.contains(&Lit::new(Var(gone as u32), false))
                });
            }
            _ => self.ask(),
        }
    }

    fn ask(&mut self) {
        let mut assumptions = if self.random.chance(90) { self.literals(6) } else { Vec::new() };
        for index in 0..self.active.len() {
            if self.random.chance(70) {
                assumptions.push(Lit::new(Var(self.active[index] as u32), self.random.chance(95)));
            }
        }
        if self.random.bool() {
            assumptions.reverse();
        }
        let seed = self.seed;
        let answer = self.ours.ask(&assumptions);
        self.handed_over = self.ours.solver.stats().handed_over;
        let expected = self.theirs.ask(&assumptions);
        assert_eq!(answer, expected, "seed {seed}");
        let core: Vec<Lit> = self.ours.solver.core().to_vec();
        if let Some((log, checker)) = &mut self.proof {
            let steps = log.take();
            if let Err(rejected) = checker.check(&steps) {
                panic!("seed {seed}: {rejected}");
            }
            if answer == SatAnswer::Unsat {
                let last = steps.iter().rev().find_map(|step| match step {
                    ProofStep::Derived(clause) => Some(clause.clone()),
                    _ => None,
                });
                assert_eq!(last, Some(core.iter().map(|&lit| !lit).collect()), "seed {seed}");
            }
        }
        if answer == SatAnswer::Sat {
            self.answers[0] += 1;
            self.check_model(&assumptions);
        } else {
            self.answers[1] += 1;
            // Back to node numbers, and over to the other solver.
            let mut named = Vec::new();
            for lit in core {
                let of = assumptions.iter().find(|&&assumed| self.ours.lit(assumed) == lit);
                named
                    .push(*of.unwrap_or_else(|| panic!("seed {seed}: core literal {lit:?} was not assumed")));
            }
            let again = self.theirs.ask(&named);
            assert_eq!(again, SatAnswer::Unsat, "seed {seed}: core {named:?} of {assumptions:?}");
        }
    }

    /// Evaluates the circuit from the values of the inputs.
    fn check_model(&mut self, assumptions: &[Lit]) {
        let seed = self.seed;
        let mut values: Vec<bool> = Vec::new();
        for (at, &node) in self.nodes.iter().enumerate() {
            let told = self.ours.solver.value(self.ours.vars[at]);
            let of = |lit: Lit| values[lit.var().0 as usize] == lit.is_positive();
            let value = match node {
                // Outside the cone any value does.
                Node::Input => told.unwrap_or(self.random.bool()),
                // A retired variable may belong to somebody else by now.
                Node::Activation => !self.retired.contains(&at) && told.unwrap_or(false),
                Node::Constant(value) => value,
                Node::And(a, b) => of(a) && of(b),
                Node::Xor(a, b) => of(a) != of(b),
                Node::Mux(c, a, b) => {
                    if of(c) {
                        of(a)
                    } else {
                        of(b)
                    }
                }
            };
            if node != Node::Activation {
                assert!(told.is_none_or(|told| told == value), "seed {seed}: node {at}");
            }
            values.push(value);
        }
        let holds = |lit: &Lit| values[lit.var().0 as usize] == lit.is_positive();
        assert!(assumptions.iter().all(holds), "seed {seed}: assumptions {assumptions:?}");
        for Clause { guard, lits } in &self.clauses {
            let in_force = guard.is_none_or(|guard| values[guard]);
            assert!(!in_force || lits.iter().any(holds), "seed {seed}: clause {lits:?} under {guard:?}");
        }
    }
}

fn run(seeds: std::ops::Range<u64>, steps: usize, make: &dyn Fn() -> Cdcl, with_proof: bool) -> [u32; 2] {
    let mut answers = [0; 2];
    for seed in seeds {
        let mut world = World::new(seed, make(), with_proof);
        for _ in 0..4 {
            world.add_node(Node::Input);
        }
        for _ in 0..steps {
            world.step();
        }
        answers[0] += world.answers[0];
        answers[1] += world.answers[1];
    }
    answers
}

#[test]
fn random_circuits_against_cadical() {
    let [sat, unsat] = run(0..2000, 150, &Cdcl::new, false);
    assert!(sat > 5000 && unsat > 5000, "{sat} satisfiable, {unsat} unsatisfiable: one kind is rare");
}

#[test]
fn random_circuits_with_proofs() {
    run(10_000..11_000, 150, &Cdcl::new, true);
}

#[test]
fn random_circuits_without_the_cone() {
    run(20_000..20_300, 150, &Cdcl::without_cone, true);
}

/// Calls that are handed over after no, one or two conflicts are answered as all others are, and do not
/// disturb those.
#[test]
fn random_circuits_with_calls_handed_over() {
    for after in 0..3 {
        let seeds = 40_000 + 1000 * after..40_300 + 1000 * after;
        let mut handed_over = 0;
        for seed in seeds {
            let mut world = World::new(seed, Cdcl::handing_over_after(after), false);
            (0..4).for_each(|_| world.add_node(Node::Input));
            (0..150).for_each(|_| world.step());
            handed_over += world.handed_over;
        }
        assert!(handed_over > 20, "{handed_over} calls handed over after {after} conflicts");
    }
}

#[test]
fn calls_are_not_handed_over_while_a_proof_is_written() {
    run(45_000..45_050, 150, &|| Cdcl::handing_over_after(0), true);
}

#[test]
fn long_runs_against_cadical() {
    run(30_000..30_060, 2500, &Cdcl::new, false);
}

#[test]
fn variables_outside_the_cone_have_no_value() {
    let mut solver = Cdcl::new();
    let (a, b) = (solver.new_var(), solver.new_var());
    let o = solver.new_var();
    let clauses: [&[Lit]; 3] = [&[!o.lit(), a.lit()], &[!o.lit(), b.lit()], &[o.lit(), !a.lit(), !b.lit()]];
    solver.add_gate(o, &[a.lit(), b.lit()], &clauses);
    assert_eq!(check(&mut solver, &[a.lit()]), SatAnswer::Sat);
    assert_eq!([a, b, o].map(|var| solver.value(var)), [Some(true), None, None]);
    assert_eq!(check(&mut solver, &[o.lit()]), SatAnswer::Sat);
    assert_eq!([a, b, o].map(|var| solver.value(var)), [Some(true); 3]);
    assert_eq!(solver.counters().cone_variables, 1 + 3);
}

#[test]
fn a_gate_out_of_order_is_taken_as_constraints() {
    // The output is older than its input, so nobody could follow it: both must be in the cone.
    let mut solver = Cdcl::new();
    let (o, a, x) = (solver.new_var(), solver.new_var(), solver.new_var());
    solver.add_gate(o, &[a.lit()], &[&[!o.lit(), a.lit()], &[o.lit(), !a.lit()]]);
    solver.add_gate(a, &[o.lit()], &[&[!a.lit(), !o.lit()], &[a.lit(), o.lit()]]);
    assert_eq!(check(&mut solver, &[x.lit()]), SatAnswer::Unsat);
}
