//! Circuits run on values, 64 at a time: a stand-in for a SAT solver that only remembers gates.

use crate::blast::float::{from_bits, to_bits};
use crate::blast::{Blaster, size};
use crate::budget::Budget;
use crate::sat::{Lit, SatAnswer, SatSolver, SatStats, Var};
use nilas_term::{Arena, BitVec, Sort, Term, Value};

/// What a gate's clauses say of its output: set if all literals of one of `set` are false, clear if all of
/// one of `clear`.
struct Gate {
    output: Var,
    set: Vec<Vec<Lit>>,
    clear: Vec<Vec<Lit>>,
}

/// Gates in the order they were made, and 64 values of each variable.
#[derive(Default)]
pub(super) struct Netlist {
    gates: Vec<Gate>,
    values: Vec<u64>,
    clauses: usize,
}

impl Netlist {
    fn get(&self, lit: Lit) -> u64 {
        let value = self.values[lit.var().0 as usize];
        if lit.is_positive() { value } else { !value }
    }

    fn fires(&self, cases: &[Vec<Lit>]) -> u64 {
        cases.iter().fold(0, |any, case| any | case.iter().fold(u64::MAX, |all, &lit| all & !self.get(lit)))
    }

    /// Computes all gates. They must be total: what is not set is clear.
    fn run(&mut self) {
        self.values[0] = u64::MAX;
        for index in 0..self.gates.len() {
            let gate = &self.gates[index];
            let (set, clear) = (self.fires(&gate.set), self.fires(&gate.clear));
            assert_eq!(set, !clear, "the gate {:?} is no function", gate.output);
            let output = gate.output.0 as usize;
            self.values[output] = set;
        }
    }
}

impl SatSolver for Netlist {
    fn new_var(&mut self) -> Var {
        self.values.push(0);
        Var(u32::try_from(self.values.len() - 1).unwrap())
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        assert_eq!(clause, [Var(0).lit()], "a circuit constrains nothing but the constant");
    }

    fn add_gate(&mut self, output: Var, inputs: &[Lit], clauses: &[&[Lit]]) {
        let without = |lit: Lit| {
            let with: Vec<&&[Lit]> = clauses.iter().filter(|clause| clause.contains(&lit)).collect();
            with.iter().map(|clause| clause.iter().copied().filter(|&other| other != lit).collect()).collect()
        };
        assert!(inputs.iter().all(|input| input.var() < output), "inputs are older");
        self.gates.push(Gate { output, set: without(output.lit()), clear: without(!output.lit()) });
        self.clauses += clauses.len();
    }

    fn solve(&mut self, _: &[Lit], _: &Budget) -> SatAnswer {
        SatAnswer::Unsat
    }

    fn value(&self, _: Var) -> Option<bool> {
        None
    }

    fn core(&self) -> &[Lit] {
        &[]
    }

    fn stats(&self) -> SatStats {
        SatStats::default()
    }
}

/// The circuit of a term over variables.
pub(super) struct Circuit {
    pub(super) blaster: Blaster<Netlist>,
    pub(super) inputs: Vec<Term>,
    pub(super) output: Term,
}

/// The bits of a value, lowest first.
pub(super) fn bits_of(value: &Value) -> Vec<bool> {
    match value {
        Value::Bool(value) => vec![*value],
        Value::BitVec(value) => (0..value.width()).map(|index| value.bit(index)).collect(),
        _ => to_bits(value).unwrap(),
    }
}

impl Circuit {
    pub(super) fn new(arena: &Arena, inputs: &[Term], output: Term) -> Self {
        let mut blaster = Blaster::new(Netlist::default());
        for &term in inputs.iter().chain([&output]) {
            blaster.blast(arena, term).unwrap();
        }
        Circuit { blaster, inputs: inputs.to_vec(), output }
    }

    /// Gates and clauses.
    pub(super) fn size(&self) -> (usize, usize) {
        (self.blaster.gates.sat.gates.len(), self.blaster.gates.sat.clauses)
    }

    /// The bits of the output for free bits of the inputs, up to 64 rows at once.
    pub(super) fn run(&mut self, arena: &Arena, rows: &[Vec<Vec<bool>>]) -> Vec<Vec<bool>> {
        assert!(rows.len() <= 64);
        for (position, &input) in self.inputs.iter().enumerate() {
            let lits = match self.blaster.free.get(&input) {
                Some(&start) => self.blaster.pool[start as usize..][..size(arena, input)].to_vec(),
                None => self.blaster.known(arena, input).unwrap().to_vec(),
            };
            for (index, lit) in lits.into_iter().enumerate() {
                let lanes = rows
                    .iter()
                    .enumerate()
                    .fold(0, |lanes, (lane, row)| lanes | u64::from(row[position][index]) << lane);
                self.blaster.gates.sat.values[lit.var().0 as usize] = lanes;
            }
        }
        self.blaster.gates.sat.run();
        let lits = self.blaster.known(arena, self.output).unwrap();
        let lanes: Vec<u64> = lits.iter().map(|&lit| self.blaster.gates.sat.get(lit)).collect();
        (0..rows.len()).map(|lane| lanes.iter().map(|lanes| lanes >> lane & 1 == 1).collect()).collect()
    }
}

/// The value that bits are, which must be one of its sort.
pub(super) fn value_of(sort: &Sort, bits: &[bool]) -> Value {
    let value = match sort {
        Sort::Bool => Value::Bool(bits[0]),
        Sort::BitVec(_) => Value::BitVec(BitVec::from_bits(bits)),
        _ => from_bits(sort, bits).unwrap(),
    };
    assert_eq!(bits_of(&value), bits, "not the one form of {value:?}");
    value
}
