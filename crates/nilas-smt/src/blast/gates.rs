//! Gates: Boolean functions as SAT literals.
//!
//! Every gate is a fresh variable defined as a total function of older literals, told to the SAT solver
//! through [`SatSolver::add_gate`] with clauses for both polarities. Gates are hashed by structure:
//! asking twice for the same function of the same literals gives the same literal. Constants fold,
//! complements are pulled out, so no gate has a constant, a repeated or a complementary input.
//!
//! Every constructor can fail with an [`Interrupt`]: making gates is work like any other, and a wide
//! multiplication is a lot of it. What was made before stays and is found again.

use crate::budget::{Budget, Interrupt};
use crate::sat::{Lemma, Lit, SatSolver, Var};
use rustc_hash::FxHashMap;

/// More variables than this are refused as out of memory: SAT solvers number literals in 31 bits.
const MAX_VARIABLES: u64 = 1 << 28;

/// Gates made between two looks at the budget.
const POLL_INTERVAL: u32 = 256;

/// What a gate computes; together with its inputs the key of structural hashing.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    And,
    Xor,
    Mux,
    Majority,
}

type Key = (Kind, Lit, Lit, Lit);

/// What a variable is.
#[derive(Clone)]
enum Definition {
    /// Free, or an activation, or the constant.
    Input,
    /// A gate of up to three inputs.
    Gate(Key),
    /// The conjunction of many.
    All(Box<[Lit]>),
}

/// Maker of gates in one SAT instance, see the module's text.
pub(crate) struct Gates<S> {
    pub(crate) sat: S,
    truth: Lit,
    table: FxHashMap<Key, Lit>,
    wide: FxHashMap<Box<[Lit]>, Lit>,
    /// What each variable is, by number.
    definitions: Vec<Definition>,
    variables: u64,
    clauses: u64,
    /// Those of the clauses that constrain rather than define.
    constraints: u64,
    budget: Budget,
    until_poll: u32,
}

impl<S: SatSolver> Gates<S> {
    pub(crate) fn new(mut sat: S) -> Self {
        let truth = sat.new_var().lit();
        sat.add_clause(&[truth]);
        Gates {
            sat,
            truth,
            table: FxHashMap::default(),
            wide: FxHashMap::default(),
            definitions: Vec::new(),
            variables: 1,
            clauses: 1,
            constraints: 1,
            budget: Budget::unlimited(),
            until_poll: POLL_INTERVAL,
        }
    }

    /// The budget of the work to come.
    pub(crate) fn set_budget(&mut self, budget: &Budget) {
        self.budget = budget.clone();
        self.until_poll = POLL_INTERVAL;
    }

    /// The SAT solver has reclaimed an activation variable and that many clauses under it.
    pub(crate) fn reclaimed(&mut self, constraints: u64) {
        self.variables -= 1;
        self.clauses -= constraints;
        self.constraints -= constraints;
    }

    /// Clauses made that constrain.
    pub(crate) fn constraints(&self) -> u64 {
        self.constraints
    }

    /// Variables made.
    pub(crate) fn variables(&self) -> u64 {
        self.variables
    }

    /// Clauses made.
    pub(crate) fn clauses(&self) -> u64 {
        self.clauses
    }

    /// The literal that is true.
    pub(crate) fn truth(&self) -> Lit {
        self.truth
    }

    /// The literal of a constant.
    pub(crate) fn constant(&self, value: bool) -> Lit {
        if value { self.truth } else { !self.truth }
    }

    /// The constant that a literal is.
    pub(crate) fn as_constant(&self, lit: Lit) -> Option<bool> {
        (lit.var() == self.truth.var()).then(|| lit == self.truth)
    }

    /// Looks at the budget after each `POLL_INTERVAL` units of work.
    pub(crate) fn poll(&mut self, work: u32) -> Result<(), Interrupt> {
        if work < self.until_poll {
            self.until_poll -= work;
            return Ok(());
        }
        self.until_poll = POLL_INTERVAL;
        if self.variables > MAX_VARIABLES {
            return Err(Interrupt::OutOfMemory);
        }
        self.budget.exhausted().map_or(Ok(()), Err)
    }

    /// A fresh variable that nothing defines.
    pub(crate) fn input(&mut self) -> Result<Lit, Interrupt> {
        self.poll(1)?;
        self.variables += 1;
        Ok(self.sat.new_var().lit())
    }

    /// A fresh activation variable.
    pub(crate) fn activation(&mut self) -> Var {
        self.variables += 1;
        self.sat.new_activation()
    }

    /// A clause that constrains, for ever or under an activation. False literals are dropped, and a clause
    /// that holds anyway is not added.
    pub(crate) fn constrain(&mut self, activation: Option<Var>, clause: &mut Vec<Lit>) {
        if !self.is_needed(clause) {
            return;
        }
        match activation {
            None => self.sat.add_clause(clause),
            Some(activation) => self.sat.add_clause_under(activation, clause),
        }
    }

    /// A clause that holds by an axiom of arrays or functions.
    pub(crate) fn constrain_by(&mut self, lemma: Lemma<'_>, clause: &mut Vec<Lit>) {
        if self.is_needed(clause) {
            self.sat.add_lemma(lemma, clause);
        }
    }

    /// Drops false and repeated literals; whether the clause says anything then.
    fn is_needed(&mut self, clause: &mut Vec<Lit>) -> bool {
        let truth = self.truth;
        clause.retain(|&lit| lit != !truth);
        clause.sort_unstable();
        clause.dedup();
        // Sorted by variable: complements are neighbours.
        let holds = clause.binary_search(&truth).is_ok() || clause.windows(2).any(|pair| pair[0] == !pair[1]);
        if !holds {
            self.clauses += 1;
            self.constraints += 1;
        }
        !holds
    }

    /// A new gate; `define` tells the SAT solver what it computes and says how many clauses that took.
    fn gate(&mut self, key: Key, define: impl FnOnce(&mut S, Lit) -> u64) -> Result<Lit, Interrupt> {
        self.poll(1)?;
        self.variables += 1;
        let output = self.sat.new_var().lit();
        self.clauses += define(&mut self.sat, output);
        self.note(output.var(), Definition::Gate(key));
        self.table.insert(key, output);
        Ok(output)
    }

    /// Conjunction of two.
    pub(crate) fn and(&mut self, a: Lit, b: Lit) -> Result<Lit, Interrupt> {
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        if a == b || a == self.truth {
            return Ok(b);
        }
        if b == self.truth {
            return Ok(a);
        }
        if a == !b || a == !self.truth || b == !self.truth {
            return Ok(!self.truth);
        }
        let key = (Kind::And, a, b, self.truth);
        if let Some(&known) = self.table.get(&key) {
            return Ok(known);
        }
        self.gate(key, |sat, o| {
            sat.add_gate(o.var(), &[a, b], &[&[!o, a], &[!o, b], &[o, !a, !b]]);
            3
        })
    }

    /// Disjunction of two.
    pub(crate) fn or(&mut self, a: Lit, b: Lit) -> Result<Lit, Interrupt> {
        Ok(!self.and(!a, !b)?)
    }

    /// Conjunction of any number, as one gate. Uses up its argument.
    pub(crate) fn and_all(&mut self, lits: &mut Vec<Lit>) -> Result<Lit, Interrupt> {
        let truth = self.truth;
        lits.retain(|&lit| lit != truth);
        lits.sort_unstable();
        lits.dedup();
        if lits.binary_search(&!truth).is_ok() || lits.windows(2).any(|pair| pair[0] == !pair[1]) {
            return Ok(!truth);
        }
        match **lits {
            [] => return Ok(truth),
            [a] => return Ok(a),
            [a, b] => return self.and(a, b),
            _ => {}
        }
        if let Some(&known) = self.wide.get(lits.as_slice()) {
            return Ok(known);
        }
        self.poll(u32::try_from(lits.len()).unwrap_or(u32::MAX))?;
        self.variables += 1;
        let output = self.sat.new_var().lit();
        let binary: Vec<[Lit; 2]> = lits.iter().map(|&lit| [!output, lit]).collect();
        let long: Vec<Lit> = lits.iter().map(|&lit| !lit).chain([output]).collect();
        let clauses: Vec<&[Lit]> = binary.iter().map(<[Lit; 2]>::as_slice).chain([long.as_slice()]).collect();
        self.sat.add_gate(output.var(), lits, &clauses);
        self.clauses += clauses.len() as u64;
        self.note(output.var(), Definition::All(lits.as_slice().into()));
        self.wide.insert(lits.as_slice().into(), output);
        Ok(output)
    }

    fn note(&mut self, var: Var, definition: Definition) {
        let index = var.0 as usize;
        if self.definitions.len() <= index {
            self.definitions.resize(index + 1, Definition::Input);
        }
        self.definitions[index] = definition;
    }

    /// The value of a literal in the SAT solver's model, completed: where the model does not care, an input
    /// is false and a gate follows its inputs. `memo` belongs to this model.
    pub(crate) fn simulate(&self, lit: Lit, memo: &mut FxHashMap<Var, bool>) -> bool {
        let mut stack = vec![lit.var()];
        while let Some(&var) = stack.last() {
            if memo.contains_key(&var) {
                stack.pop();
                continue;
            }
            let known = if var == self.truth.var() { Some(true) } else { self.sat.value(var) };
            let value = match (known, self.definitions.get(var.0 as usize)) {
                (Some(value), _) => value,
                (None, None | Some(Definition::Input)) => false,
                (None, Some(Definition::Gate((kind, a, b, c)))) => {
                    let waiting = stack.len();
                    stack.extend([a, b, c].map(|lit| lit.var()).iter().filter(|var| !memo.contains_key(var)));
                    if stack.len() > waiting {
                        continue;
                    }
                    let of = |lit: &Lit| memo[&lit.var()] == lit.is_positive();
                    match kind {
                        Kind::And => of(a) && of(b),
                        // Two inputs have the constant as third.
                        Kind::Xor if *c == self.truth => of(a) != of(b),
                        Kind::Xor => of(a) ^ of(b) ^ of(c),
                        Kind::Mux => {
                            if of(a) {
                                of(b)
                            } else {
                                of(c)
                            }
                        }
                        Kind::Majority => u8::from(of(a)) + u8::from(of(b)) + u8::from(of(c)) >= 2,
                    }
                }
                (None, Some(Definition::All(lits))) => {
                    let waiting = stack.len();
                    stack.extend(lits.iter().map(|lit| lit.var()).filter(|var| !memo.contains_key(var)));
                    if stack.len() > waiting {
                        continue;
                    }
                    lits.iter().all(|lit| memo[&lit.var()] == lit.is_positive())
                }
            };
            memo.insert(var, value);
            stack.pop();
        }
        memo[&lit.var()] == lit.is_positive()
    }

    /// A fresh variable that is some function of the inputs which nothing here defines: what a read of an
    /// array is of its index. It is an input whose value matters only together with theirs.
    pub(crate) fn unknown_function(&mut self, inputs: &[Lit]) -> Result<Lit, Interrupt> {
        self.poll(1)?;
        self.variables += 1;
        let output = self.sat.new_var();
        self.sat.add_gate(output, inputs, &[]);
        Ok(output.lit())
    }

    /// Disjunction of any number, as one gate. Uses up its argument.
    pub(crate) fn or_all(&mut self, lits: &mut Vec<Lit>) -> Result<Lit, Interrupt> {
        for lit in lits.iter_mut() {
            *lit = !*lit;
        }
        Ok(!self.and_all(lits)?)
    }

    /// Exclusive or of two.
    pub(crate) fn xor(&mut self, a: Lit, b: Lit) -> Result<Lit, Interrupt> {
        let flip = a.is_positive() != b.is_positive();
        let (a, b) = (positive(a), positive(b));
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        let (truth, finish) = (self.truth, |lit: Lit| Ok(if flip { !lit } else { lit }));
        if a == b {
            return finish(!truth);
        }
        // The constant is variable 0, hence the smaller one.
        if a == truth {
            return finish(!b);
        }
        let key = (Kind::Xor, a, b, truth);
        if let Some(&known) = self.table.get(&key) {
            return finish(known);
        }
        finish(self.gate(key, |sat, o| {
            let clauses: [&[Lit]; 4] = [&[!o, a, b], &[!o, !a, !b], &[o, !a, b], &[o, a, !b]];
            sat.add_gate(o.var(), &[a, b], &clauses);
            4
        })?)
    }

    /// Equivalence of two.
    pub(crate) fn iff(&mut self, a: Lit, b: Lit) -> Result<Lit, Interrupt> {
        Ok(!self.xor(a, b)?)
    }

    /// Exclusive or of three: the sum of a full adder.
    pub(crate) fn xor3(&mut self, a: Lit, b: Lit, c: Lit) -> Result<Lit, Interrupt> {
        let truth = self.truth;
        let flip = [a, b, c].iter().filter(|lit| !lit.is_positive()).count() % 2 == 1;
        let finish = |lit: Lit| Ok(if flip { !lit } else { lit });
        let mut sorted = [positive(a), positive(b), positive(c)];
        sorted.sort_unstable();
        let [a, b, c] = sorted;
        if a == truth || a == b || b == c {
            let (x, y) = if a == b {
                (c, !truth)
            } else if b == c {
                (a, !truth)
            } else {
                (b, !c)
            };
            return finish(self.xor(x, y)?);
        }
        let key = (Kind::Xor, a, b, c);
        if let Some(&known) = self.table.get(&key) {
            return finish(known);
        }
        finish(self.gate(key, |sat, o| {
            let clauses: [&[Lit]; 8] = [
                &[!o, a, b, c],
                &[!o, a, !b, !c],
                &[!o, !a, b, !c],
                &[!o, !a, !b, c],
                &[o, !a, !b, !c],
                &[o, !a, b, c],
                &[o, a, !b, c],
                &[o, a, b, !c],
            ];
            sat.add_gate(o.var(), &[a, b, c], &clauses);
            8
        })?)
    }

    /// At least two of three: the carry of a full adder.
    pub(crate) fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Result<Lit, Interrupt> {
        let mut sorted = [a, b, c];
        sorted.sort_unstable();
        let [a, b, c] = sorted;
        // The constant is variable 0, hence first.
        match self.as_constant(a) {
            Some(true) => return self.or(b, c),
            Some(false) => return self.and(b, c),
            None => {}
        }
        if a.var() == b.var() {
            return Ok(if a == b { a } else { c });
        }
        if b.var() == c.var() {
            return Ok(if b == c { b } else { a });
        }
        // Majority is self-dual: complement all three to make the first one positive.
        let flip = !a.is_positive();
        let (a, b, c) = if flip { (!a, !b, !c) } else { (a, b, c) };
        let key = (Kind::Majority, a, b, c);
        let found = match self.table.get(&key) {
            Some(&known) => known,
            None => self.gate(key, |sat, o| {
                let clauses: [&[Lit]; 6] =
                    [&[o, !a, !b], &[o, !a, !c], &[o, !b, !c], &[!o, a, b], &[!o, a, c], &[!o, b, c]];
                sat.add_gate(o.var(), &[a, b, c], &clauses);
                6
            })?,
        };
        Ok(if flip { !found } else { found })
    }

    /// If-then-else.
    pub(crate) fn mux(&mut self, condition: Lit, then: Lit, otherwise: Lit) -> Result<Lit, Interrupt> {
        let (c, t, e) = if condition.is_positive() {
            (condition, then, otherwise)
        } else {
            (!condition, otherwise, then)
        };
        let truth = self.truth;
        if c == truth || t == e {
            return Ok(t);
        }
        if t == !e {
            return self.iff(c, t);
        }
        if t.var() == truth.var() || t.var() == c.var() {
            // if c then 1 else e; c in the then-branch is true.
            return if t == truth || t == c { self.or(c, e) } else { self.and(!c, e) };
        }
        if e.var() == truth.var() || e.var() == c.var() {
            return if e == !truth || e == c { self.and(c, t) } else { self.or(!c, t) };
        }
        let flip = !t.is_positive();
        let (t, e) = if flip { (!t, !e) } else { (t, e) };
        let key = (Kind::Mux, c, t, e);
        let found = match self.table.get(&key) {
            Some(&known) => known,
            None => self.gate(key, |sat, o| {
                // The last two are implied; they let equal branches propagate without the condition.
                let clauses: [&[Lit]; 6] =
                    [&[!c, !t, o], &[!c, t, !o], &[c, !e, o], &[c, e, !o], &[!t, !e, o], &[t, e, !o]];
                sat.add_gate(o.var(), &[c, t, e], &clauses);
                6
            })?,
        };
        Ok(if flip { !found } else { found })
    }
}

fn positive(lit: Lit) -> Lit {
    lit.var().lit()
}
