//! Gates: variables that are functions of others, by clauses.
//!
//! A gate of up to three inputs is its truth table. The table is simplified by looking at it (constant and
//! equal inputs, inputs that it does not depend on), a table over the same inputs is built once, and its
//! clauses are all those over inputs and output that are true of the table and have no shorter one in them
//! ([`clauses_of`]). So there is one argument for all of them: each clause was evaluated on every row.

use crate::proof::{Listener, Prover};
use nilas_smt::sat::{Lit, Var};
use rustc_hash::FxHashMap;

/// A truth table: bit `a + 2 b + 4 c` is the output for inputs a, b, c. Operators on bits compute all rows at
/// once.
type Table = u8;

/// The tables of the three inputs themselves.
const INPUTS: [Table; 3] = [0b1010_1010, 0b1100_1100, 0b1111_0000];

/// A clause over inputs and output: per variable (inputs first, the output last) its sign, if it occurs.
type Pattern = [Option<bool>; 4];

const ROWS: u32 = 8;

/// Gates over the clauses of a prover.
pub(crate) struct Gates {
    pub(crate) prover: Prover,
    yes: Lit,
    known: FxHashMap<(Table, [Var; 3]), Lit>,
    patterns: FxHashMap<(Table, usize), Vec<Pattern>>,
}

impl Gates {
    pub(crate) fn new(listener: Option<Listener>) -> Self {
        let mut prover = Prover::new(listener);
        let yes = prover.new_var().lit();
        prover.add_clause(&[yes]);
        Gates { prover, yes, known: FxHashMap::default(), patterns: FxHashMap::default() }
    }

    pub(crate) fn constant(&self, value: bool) -> Lit {
        if value { self.yes } else { !self.yes }
    }

    pub(crate) fn fresh(&mut self) -> Lit {
        self.prover.new_var().lit()
    }

    pub(crate) fn and(&mut self, a: Lit, b: Lit) -> Lit {
        self.gate(|[a, b, _]| a & b, [a, b, self.yes])
    }

    pub(crate) fn or(&mut self, a: Lit, b: Lit) -> Lit {
        self.gate(|[a, b, _]| a | b, [a, b, self.yes])
    }

    /// The inputs differ.
    pub(crate) fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        self.gate(|[a, b, _]| a ^ b, [a, b, self.yes])
    }

    /// The sum of three bits, modulo two.
    pub(crate) fn sum(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        self.gate(|[a, b, c]| a ^ b ^ c, [a, b, c])
    }

    /// At least two of three.
    pub(crate) fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        self.gate(|[a, b, c]| a & b | a & c | b & c, [a, b, c])
    }

    /// If `condition` then `then` else `otherwise`.
    pub(crate) fn mux(&mut self, condition: Lit, then: Lit, otherwise: Lit) -> Lit {
        self.gate(|[c, t, e]| c & t | !c & e, [condition, then, otherwise])
    }

    /// All of them.
    pub(crate) fn conjunction(&mut self, inputs: &[Lit]) -> Lit {
        let yes = self.yes;
        let mut inputs: Vec<Lit> = inputs.iter().copied().filter(|&input| input != yes).collect();
        inputs.sort_unstable();
        inputs.dedup();
        // The two literals of a variable are neighbours.
        if inputs.contains(&!yes) || inputs.windows(2).any(|pair| pair[0] == !pair[1]) {
            return !yes;
        }
        match inputs[..] {
            [] => return yes,
            [single] => return single,
            [a, b] => return self.and(a, b),
            [a, b, c] => return self.gate(|[a, b, c]| a & b & c, [a, b, c]),
            _ => {}
        }
        let out = self.fresh();
        let pairs: Vec<[Lit; 2]> = inputs.iter().map(|&input| [!out, input]).collect();
        let mut all: Vec<Lit> = inputs.iter().map(|&input| !input).collect();
        all.push(out);
        let mut clauses: Vec<&[Lit]> = pairs.iter().map(|pair| &pair[..]).collect();
        clauses.push(&all);
        self.prover.add_gate(out, &inputs, &clauses);
        out
    }

    /// A function of three literals.
    fn gate(&mut self, function: fn([Table; 3]) -> Table, literals: [Lit; 3]) -> Lit {
        // The variables that are none of the constants, each once.
        let mut buffer = [self.yes.var(); 3];
        let mut count = 0;
        for lit in literals {
            if lit.var() != self.yes.var() && !buffer[..count].contains(&lit.var()) {
                buffer[count] = lit.var();
                count += 1;
            }
        }
        buffer[..count].sort_unstable();
        // A constant is true. So is a variable that was left out: any value of it will do.
        let tabulate = |vars: &[Var]| {
            function(literals.map(|lit| {
                let table = vars.iter().position(|&var| var == lit.var()).map_or(Table::MAX, |at| INPUTS[at]);
                if lit.is_positive() { table } else { !table }
            }))
        };
        let mut table = tabulate(&buffer[..count]);
        while let Some(unused) = (0..count).find(|&index| !depends(table, index)) {
            buffer.copy_within(unused + 1..count, unused);
            count -= 1;
            table = tabulate(&buffer[..count]);
        }
        // The output is false in the first row, or it is the negation of one that is.
        let negated = table & 1 == 1;
        if negated {
            table = !table;
        }
        let output = match buffer[..count] {
            [] => !self.yes,
            [var] => var.lit(),
            _ => self.output(table, &buffer[..count]),
        };
        if negated { !output } else { output }
    }

    /// The output of a table that depends on all of two or three variables.
    fn output(&mut self, table: Table, vars: &[Var]) -> Lit {
        let key = (table, [vars[0], vars[1], vars.get(2).copied().unwrap_or(vars[0])]);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let out = self.fresh();
        let mut buffer = [out; 3];
        for (input, var) in buffer.iter_mut().zip(vars) {
            *input = var.lit();
        }
        let inputs = &buffer[..vars.len()];
        let patterns =
            self.patterns.entry((table, vars.len())).or_insert_with(|| clauses_of(table, vars.len()));
        let literal = |(index, sign): (usize, &Option<bool>)| {
            let lit = inputs.get(index).copied().unwrap_or(out);
            sign.map(|sign| if sign { lit } else { !lit })
        };
        let mut literals: Vec<Lit> = Vec::with_capacity(4 * patterns.len());
        let mut ends: Vec<usize> = Vec::with_capacity(patterns.len());
        for pattern in patterns.iter() {
            literals.extend(pattern.iter().enumerate().filter_map(literal));
            ends.push(literals.len());
        }
        let starts = [0].into_iter().chain(ends.iter().copied());
        let clauses: Vec<&[Lit]> = starts.zip(&ends).map(|(start, &end)| &literals[start..end]).collect();
        self.prover.add_gate(out, inputs, &clauses);
        self.known.insert(key, out);
        out
    }
}

/// Whether the output of a table changes with an input.
fn depends(table: Table, input: usize) -> bool {
    let rows = INPUTS[input];
    (table & rows) >> (1 << input) != table & !rows
}

/// All clauses with the output that are true of a table over so many inputs, and of which no part is.
fn clauses_of(table: Table, inputs: usize) -> Vec<Pattern> {
    let signs = [None, Some(false), Some(true)];
    let mut patterns: Vec<Pattern> = Vec::new();
    for number in 0..81usize {
        let pattern: Pattern = [number, number / 3, number / 9, number / 27].map(|n| signs[n % 3]);
        if pattern[3].is_some() && pattern[inputs..3].iter().all(Option::is_none) && holds(table, &pattern) {
            patterns.push(pattern);
        }
    }
    let is_part = |part: &Pattern, whole: &Pattern| {
        part != whole && part.iter().zip(whole).all(|(part, whole)| part.is_none() || part == whole)
    };
    let all = patterns.clone();
    patterns.retain(|pattern| !all.iter().any(|other| is_part(other, pattern)));
    patterns
}

/// Whether a clause is true in every row.
fn holds(table: Table, pattern: &Pattern) -> bool {
    (0..ROWS).all(|row| {
        let output = table >> row & 1 == 1;
        let values = [row & 1 == 1, row >> 1 & 1 == 1, row >> 2 & 1 == 1, output];
        pattern.iter().zip(values).any(|(sign, value)| *sign == Some(value))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The clauses of a table leave exactly its own output in every row.
    #[test]
    fn clauses_define_the_output() {
        for table in 0..=Table::MAX {
            let patterns = clauses_of(table, 3);
            for row in 0..ROWS {
                for output in [false, true] {
                    let values = [row & 1 == 1, row >> 1 & 1 == 1, row >> 2 & 1 == 1, output];
                    let satisfied = patterns
                        .iter()
                        .all(|pattern| pattern.iter().zip(values).any(|(sign, value)| *sign == Some(value)));
                    assert_eq!(satisfied, output == (table >> row & 1 == 1), "{table:08b} in row {row}");
                }
            }
        }
    }

    #[test]
    fn known_shapes() {
        let lengths = |table| {
            let mut lengths: Vec<usize> =
                clauses_of(table, 3).iter().map(|pattern| pattern.iter().flatten().count()).collect();
            lengths.sort_unstable();
            lengths
        };
        assert_eq!(lengths(0b1110_1000), [3; 6], "majority");
        assert_eq!(lengths(0b1001_0110), [4; 8], "sum");
        assert_eq!(lengths(0b1000_1000), [2, 2, 3], "and of two");
    }

    /// Constants, equal and opposite inputs need no gate, and the same gate is built once.
    #[test]
    fn what_is_simple_stays_simple() {
        let mut gates = Gates::new(None);
        let (a, b, yes) = (gates.fresh(), gates.fresh(), gates.constant(true));
        assert_eq!(gates.and(a, a), a);
        assert_eq!(gates.and(a, !a), !yes);
        assert_eq!(gates.or(a, !yes), a);
        assert_eq!(gates.xor(a, !a), yes);
        assert_eq!(gates.xor(a, yes), !a);
        assert_eq!(gates.mux(a, b, b), b);
        assert_eq!(gates.mux(a, yes, !yes), a);
        assert_eq!(gates.majority(a, b, !b), a);
        assert_eq!(gates.sum(a, b, b), a);
        assert_eq!(gates.conjunction(&[a, yes, b, !a]), !yes);
        let xor = gates.xor(a, b);
        assert_eq!(gates.xor(!b, a), !xor);
        assert_eq!(gates.sum(b, yes, a), !xor);
        assert_eq!(gates.mux(a, !b, b), xor);
        let and = gates.and(a, b);
        assert_eq!(gates.or(!b, !a), !and);
        assert_eq!(gates.conjunction(&[b, a, a]), and);
    }
}
