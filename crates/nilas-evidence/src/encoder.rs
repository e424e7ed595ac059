//! From terms to clauses, for the checker alone.
//!
//! This is not the bit-blaster of the engines: it shares no code with it, and is
//! written to be read. Every bit of every term is one literal. Circuits are the ones of a first course:
//! ripple-carry adders, shift-and-add multipliers, restoring dividers; what is clever is in the gates
//! ([`crate::gates`]).
//!
//! Before that, questions are asked without bits ([`crate::congruence`]): what is shown so needs no circuit.
//!
//! What holds of arrays and functions is many facts, of which a question needs few. They wait until a model
//! violates them. (Leaving out what holds can make the checker reject, never accept.)

use crate::arrays::Reduction;
use crate::congruence::Skeleton;
use crate::floats::{Floats, value_of};
use crate::gates::Gates;
use crate::intervals;
use crate::proof::{Counts, Listener};
use nilas_smt::sat::Lit;
use nilas_smt::{Budget, Reason};
use nilas_term::{Arena, Evaluator, Model, Op, Sort, Term, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// So often a question is asked again with what its model violates; then with everything.
const ROUNDS: usize = 12;

/// A growing set of definitions over one arena, and questions about them.
pub(crate) struct Encoder<'b> {
    gates: Gates,
    yes: Lit,
    bits: FxHashMap<Term, Vec<Lit>>,
    /// Quotients and remainders by operands: often both are asked for.
    divisions: FxHashMap<(Term, Term), (Vec<Lit>, Vec<Lit>)>,
    reduction: Reduction,
    /// What holds of arrays and functions, and no question needed so far.
    waiting: Vec<Term>,
    floats: Floats,
    /// What was shown to hold always and has no bits yet.
    shown: Vec<Term>,
    /// The same questions without bits.
    skeleton: Option<Skeleton>,
    budget: &'b Budget,
}

impl<'b> Encoder<'b> {
    pub(crate) fn new(budget: &'b Budget, listener: Option<Listener>) -> Self {
        // Who listens wants to hear of every question, as bits.
        let skeleton = listener.is_none().then(Skeleton::new);
        let gates = Gates::new(listener);
        let yes = gates.constant(true);
        Encoder {
            gates,
            yes,
            bits: FxHashMap::default(),
            divisions: FxHashMap::default(),
            reduction: Reduction::default(),
            waiting: Vec::new(),
            floats: Floats::default(),
            shown: Vec::new(),
            skeleton,
            budget,
        }
    }

    /// One that looks at bits at once, so that these are tested.
    #[cfg(test)]
    pub(crate) fn of_bits_alone(budget: &'b Budget) -> Self {
        Encoder { skeleton: None, ..Encoder::new(budget, None) }
    }

    /// Whether connectives and congruence show that the formulas cannot hold together.
    fn refuted_without_bits(
        &mut self,
        arena: &mut Arena,
        formulas: &[Term],
        told: bool,
    ) -> Result<bool, Reason> {
        let Some(skeleton) = &mut self.skeleton else { return Ok(false) };
        let refuted = skeleton.refutes(arena, formulas, self.budget)?;
        if refuted {
            self.gates.prover.by_congruence(told);
        }
        Ok(refuted)
    }

    /// Is there an assignment of the variables under which all the formulas hold?
    /// If arrays or functions occur, *no* is certain, but *yes* may be said where more knowledge of arrays
    /// would show a *no*.
    pub(crate) fn satisfiable(&mut self, arena: &mut Arena, formulas: &[Term]) -> Result<bool, Reason> {
        if self.refuted_without_bits(arena, formulas, false)? {
            return Ok(false);
        }
        if intervals::refuted(arena, formulas, self.budget)? {
            self.gates.prover.by_intervals();
            return Ok(false);
        }
        let assumptions = self.assumptions(arena, formulas)?;
        let mut rounds = 0;
        while self.gates.prover.ask(&assumptions, self.budget)? {
            let violated = match rounds {
                ROUNDS => std::mem::take(&mut self.waiting),
                _ => self.violated(arena),
            };
            if violated.is_empty() {
                return Ok(true);
            }
            self.assert(arena, violated)?;
            rounds = (rounds + 1).min(ROUNDS);
        }
        Ok(false)
    }

    /// Takes the facts that the model of the last question violates from those that wait.
    fn violated(&mut self, arena: &Arena) -> Vec<Term> {
        if self.waiting.is_empty() {
            return Vec::new();
        }
        let mut model = Model::new();
        let (mut stack, mut seen) = (self.waiting.clone(), FxHashSet::default());
        while let Some(term) = stack.pop() {
            if !seen.insert(term) {
                continue;
            }
            match arena.op(term) {
                Op::Var(_) => model.set(term, self.value(arena, term)),
                _ => stack.extend(arena.children(term)),
            }
        }
        let mut evaluator = Evaluator::new(model);
        let holds = |fact: &Term| evaluator.holds(arena, *fact) == Ok(true);
        let (kept, violated) = std::mem::take(&mut self.waiting).into_iter().partition(holds);
        self.waiting = kept;
        violated
    }

    /// Takes formulas that hold always.
    fn assert(&mut self, arena: &mut Arena, facts: Vec<Term>) -> Result<(), Reason> {
        for fact in facts {
            let fact = self.floats.reduce(arena, fact, self.budget)?;
            let fact = self.encode(arena, fact)?[0];
            self.gates.prover.add_clause(&[fact]);
        }
        for variable in self.floats.new_variables() {
            self.encode(arena, variable)?;
        }
        Ok(())
    }

    /// Is it quickly shown that there is none? *No* says nothing.
    pub(crate) fn refuted(&mut self, arena: &mut Arena, formulas: &[Term]) -> Result<bool, Reason> {
        if self.refuted_without_bits(arena, formulas, true)? {
            return Ok(true);
        }
        let assumptions = self.assumptions(arena, formulas)?;
        let waiting = std::mem::take(&mut self.waiting);
        self.assert(arena, waiting)?;
        self.gates.prover.refutes(&assumptions, self.budget)
    }

    /// The literals of formulas.
    fn assumptions(&mut self, arena: &mut Arena, formulas: &[Term]) -> Result<Vec<Lit>, Reason> {
        let shown = std::mem::take(&mut self.shown);
        let (shown, facts) = self.reduction.formulas(arena, &shown, self.budget)?;
        self.waiting.extend(facts);
        self.assert(arena, shown)?;
        let (formulas, facts) = self.reduction.formulas(arena, formulas, self.budget)?;
        self.waiting.extend(facts);
        let mut assumptions = Vec::with_capacity(formulas.len());
        for formula in formulas {
            let formula = self.floats.reduce(arena, formula, self.budget)?;
            assumptions.push(self.encode(arena, formula)?[0]);
        }
        for variable in self.floats.new_variables() {
            self.encode(arena, variable)?;
        }
        Ok(assumptions)
    }

    /// Takes a formula that was shown to hold always. Its bits wait for a question that needs any.
    pub(crate) fn add_fact(&mut self, arena: &mut Arena, formula: Term) -> Result<(), Reason> {
        self.shown.push(formula);
        self.skeleton.as_mut().map_or(Ok(()), |skeleton| skeleton.add_fact(arena, formula, self.budget))
    }

    /// After a satisfiable question: a variable's value. One that no formula mentions has the default value.
    pub(crate) fn value(&self, arena: &Arena, variable: Term) -> Value {
        let sort = arena.sort(variable);
        let known = self.floats.of(variable).and_then(|bits| self.bits.get(&bits));
        let Some(bits) = known else {
            return Value::default_of(sort);
        };
        let bits: Vec<bool> =
            bits.iter().map(|&lit| self.gates.prover.value(lit.var()) == Some(lit.is_positive())).collect();
        value_of(sort, &bits)
    }

    /// How questions were answered so far.
    pub(crate) fn counts(&self) -> Counts {
        let mut counts = self.gates.prover.counts();
        if let Some(skeleton) = &self.skeleton {
            let Counts { steps, propagations, .. } = skeleton.gates.prover.counts();
            counts.steps += steps;
            counts.propagations += propagations;
        }
        counts
    }

    fn poll(&self) -> Result<(), Reason> {
        self.budget.exhausted().map_or(Ok(()), |why| Err(Reason::Interrupted(why)))
    }

    /// The literals of a term, lowest bit first; a Boolean has one. Children come before parents.
    fn encode(&mut self, arena: &Arena, root: Term) -> Result<Vec<Lit>, Reason> {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.bits.contains_key(&term) {
                stack.pop();
                continue;
            }
            let waiting = stack.len();
            stack.extend(arena.children(term).iter().filter(|child| !self.bits.contains_key(child)));
            if stack.len() > waiting {
                continue;
            }
            stack.pop();
            self.poll()?;
            let bits = self.gate(arena, term)?;
            self.bits.insert(term, bits);
        }
        Ok(self.bits[&root].clone())
    }

    /// One operator, its children being encoded.
    fn gate(&mut self, arena: &Arena, term: Term) -> Result<Vec<Lit>, Reason> {
        let sort = arena.sort(term);
        let width = match sort {
            Sort::Bool => 1,
            Sort::BitVec(width) => *width as usize,
            other => return Err(Reason::Unsupported(format!("sort {other} in the evidence checker"))),
        };
        let of = |index: usize| self.bits[&arena.children(term)[index]].clone();
        let bits = match arena.op(term) {
            Op::Var(_) => (0..width).map(|_| self.gates.fresh()).collect(),
            Op::Const(value) => match arena.value(value) {
                Value::Bool(value) => vec![self.gates.constant(*value)],
                Value::BitVec(value) => {
                    (0..value.width()).map(|bit| self.gates.constant(value.bit(bit))).collect()
                }
                other => return Err(Reason::Unsupported(format!("value {other:?} in the evidence checker"))),
            },
            Op::Not => vec![!of(0)[0]],
            Op::And => {
                let inputs: Vec<Lit> = arena.children(term).iter().map(|child| self.bits[child][0]).collect();
                vec![self.gates.conjunction(&inputs)]
            }
            Op::Or => {
                let inputs: Vec<Lit> =
                    arena.children(term).iter().map(|child| !self.bits[child][0]).collect();
                vec![!self.gates.conjunction(&inputs)]
            }
            Op::Xor => vec![self.gates.xor(of(0)[0], of(1)[0])],
            Op::Eq => vec![self.equal(&of(0), &of(1))],
            Op::Ite => {
                let (condition, then, otherwise) = (of(0)[0], of(1), of(2));
                self.choose(condition, &then, &otherwise)
            }
            Op::Concat => [of(1), of(0)].concat(),
            Op::Extract { hi, lo } => of(0)[lo as usize..=hi as usize].to_vec(),
            Op::ZeroExtend(_) => self.padded(of(0), width, !self.yes),
            Op::SignExtend(_) => {
                let bits = of(0);
                let sign = bits[bits.len() - 1];
                self.padded(bits, width, sign)
            }
            Op::BvNot => of(0).iter().map(|&bit| !bit).collect(),
            Op::BvAnd => self.bitwise(&of(0), &of(1), Gates::and),
            Op::BvOr => self.bitwise(&of(0), &of(1), Gates::or),
            Op::BvXor => self.bitwise(&of(0), &of(1), Gates::xor),
            Op::BvNeg => self.negate(&of(0)),
            Op::BvAdd => self.add(&of(0), &of(1), !self.yes),
            Op::BvMul => self.multiply(&of(0), &of(1))?,
            Op::BvUdiv | Op::BvUrem => {
                let operands = (arena.children(term)[0], arena.children(term)[1]);
                let (dividend, divisor) = (of(0), of(1));
                if !self.divisions.contains_key(&operands) {
                    let division = self.divide(&dividend, &divisor)?;
                    self.divisions.insert(operands, division);
                }
                let (quotient, remainder) = &self.divisions[&operands];
                if arena.op(term) == Op::BvUdiv { quotient.clone() } else { remainder.clone() }
            }
            Op::BvSdiv => self.signed_quotient(&of(0), &of(1))?,
            Op::BvSrem => self.signed_remainder(&of(0), &of(1))?,
            Op::BvSmod => self.signed_modulus(&of(0), &of(1))?,
            Op::BvShl => {
                // A left shift is a right shift in a mirror.
                let mirrored: Vec<Lit> = of(0).into_iter().rev().collect();
                let shifted = self.shift_right(&mirrored, &of(1), !self.yes)?;
                shifted.into_iter().rev().collect()
            }
            Op::BvLshr => self.shift_right(&of(0), &of(1), !self.yes)?,
            Op::BvAshr => {
                let bits = of(0);
                self.shift_right(&bits, &of(1), bits[bits.len() - 1])?
            }
            Op::BvUlt => vec![self.less(&of(0), &of(1))],
            Op::BvUle => vec![!self.less(&of(1), &of(0))],
            Op::BvSlt => vec![self.signed_less(of(0), of(1))],
            Op::BvSle => vec![!self.signed_less(of(1), of(0))],
            other => return Err(Reason::Unsupported(format!("operator {other:?} in the evidence checker"))),
        };
        debug_assert_eq!(bits.len(), width, "{:?}", arena.op(term));
        Ok(bits)
    }

    fn bitwise(&mut self, left: &[Lit], right: &[Lit], gate: fn(&mut Gates, Lit, Lit) -> Lit) -> Vec<Lit> {
        left.iter().zip(right).map(|(&left, &right)| gate(&mut self.gates, left, right)).collect()
    }

    fn choose(&mut self, condition: Lit, then: &[Lit], otherwise: &[Lit]) -> Vec<Lit> {
        then.iter()
            .zip(otherwise)
            .map(|(&then, &otherwise)| self.gates.mux(condition, then, otherwise))
            .collect()
    }

    #[allow(clippy::unused_self)]
    fn padded(&self, mut bits: Vec<Lit>, width: usize, with: Lit) -> Vec<Lit> {
        bits.resize(width, with);
        bits
    }

    fn equal(&mut self, left: &[Lit], right: &[Lit]) -> Lit {
        let same: Vec<Lit> =
            left.iter().zip(right).map(|(&left, &right)| !self.gates.xor(left, right)).collect();
        self.gates.conjunction(&same)
    }

    /// Ripple-carry: sum of both and the carry-in, without the carry-out.
    fn add(&mut self, left: &[Lit], right: &[Lit], mut carry: Lit) -> Vec<Lit> {
        let mut sum = Vec::with_capacity(left.len());
        for (&left, &right) in left.iter().zip(right) {
            sum.push(self.gates.sum(left, right, carry));
            carry = self.gates.majority(left, right, carry);
        }
        sum
    }

    fn negate(&mut self, bits: &[Lit]) -> Vec<Lit> {
        let inverted: Vec<Lit> = bits.iter().map(|&bit| !bit).collect();
        let zero = vec![!self.yes; bits.len()];
        self.add(&inverted, &zero, self.yes)
    }

    /// left <u right: the highest bit in which they differ is set in `right`.
    fn less(&mut self, left: &[Lit], right: &[Lit]) -> Lit {
        let mut less = !self.yes;
        for (&left, &right) in left.iter().zip(right) {
            // Where they differ it is `right`, else what the lower bits say.
            less = self.gates.majority(!left, right, less);
        }
        less
    }

    /// Signed order is unsigned order with the sign bits flipped.
    fn signed_less(&mut self, mut left: Vec<Lit>, mut right: Vec<Lit>) -> Lit {
        for bits in [&mut left, &mut right] {
            if let Some(sign) = bits.last_mut() {
                *sign = !*sign;
            }
        }
        self.less(&left, &right)
    }

    fn multiply(&mut self, left: &[Lit], right: &[Lit]) -> Result<Vec<Lit>, Reason> {
        let width = left.len();
        let mut product = vec![!self.yes; width];
        // Rows of constant bits cost least.
        let constants = |bits: &[Lit]| bits.iter().filter(|bit| bit.var() == self.yes.var()).count();
        let (left, right) = if constants(left) > constants(right) { (right, left) } else { (left, right) };
        for (shift, &bit) in right.iter().enumerate() {
            if bit == !self.yes {
                continue;
            }
            self.poll()?;
            let mut row = vec![!self.yes; shift];
            for &other in &left[..width - shift] {
                row.push(self.gates.and(bit, other));
            }
            product = self.add(&product, &row, !self.yes);
        }
        Ok(product)
    }

    /// Restoring division; a divisor of zero gives all ones and the dividend, as SMT-LIB wants.
    ///
    /// Before every step the remainder is below the divisor unless that is zero. So where a bit of the divisor
    /// is known to be set, the remainder has no more bits than the divisor can have, and all above are zero.
    fn divide(&mut self, dividend: &[Lit], divisor: &[Lit]) -> Result<(Vec<Lit>, Vec<Lit>), Reason> {
        let width = dividend.len();
        let significant = divisor.iter().rposition(|&bit| bit != !self.yes).map_or(0, |highest| highest + 1);
        let bound = if divisor.contains(&self.yes) { significant } else { width };
        // One bit more, since the shifted remainder can exceed the bound.
        let wide_divisor = self.padded(divisor[..bound].to_vec(), bound + 1, !self.yes);
        let inverted: Vec<Lit> = wide_divisor.iter().map(|&bit| !bit).collect();
        let mut remainder = vec![!self.yes; bound];
        let mut quotient = vec![!self.yes; width];
        for index in (0..width).rev() {
            self.poll()?;
            let mut shifted = vec![dividend[index]];
            shifted.extend_from_slice(&remainder);
            let fits = !self.less(&shifted, &wide_divisor);
            let difference = self.add(&shifted, &inverted, self.yes);
            remainder = self.choose(fits, &difference[..bound], &shifted[..bound]);
            quotient[index] = fits;
        }
        Ok((quotient, self.padded(remainder, width, !self.yes)))
    }

    fn magnitude(&mut self, bits: &[Lit]) -> Vec<Lit> {
        let negated = self.negate(bits);
        self.choose(bits[bits.len() - 1], &negated, bits)
    }

    fn negate_if(&mut self, condition: Lit, bits: &[Lit]) -> Vec<Lit> {
        let negated = self.negate(bits);
        self.choose(condition, &negated, bits)
    }

    fn signed_quotient(&mut self, left: &[Lit], right: &[Lit]) -> Result<Vec<Lit>, Reason> {
        let (numerator, denominator) = (self.magnitude(left), self.magnitude(right));
        let quotient = self.divide(&numerator, &denominator)?.0;
        let differ = self.gates.xor(left[left.len() - 1], right[right.len() - 1]);
        Ok(self.negate_if(differ, &quotient))
    }

    fn signed_remainder(&mut self, left: &[Lit], right: &[Lit]) -> Result<Vec<Lit>, Reason> {
        let (numerator, denominator) = (self.magnitude(left), self.magnitude(right));
        let remainder = self.divide(&numerator, &denominator)?.1;
        Ok(self.negate_if(left[left.len() - 1], &remainder))
    }

    /// The remainder with the sign of the divisor: where the signs differ and something remains, the divisor
    /// is added to the signed remainder.
    fn signed_modulus(&mut self, left: &[Lit], right: &[Lit]) -> Result<Vec<Lit>, Reason> {
        let remainder = self.signed_remainder(left, right)?;
        let differ = self.gates.xor(left[left.len() - 1], right[right.len() - 1]);
        let zero = vec![!self.yes; left.len()];
        let nothing = self.equal(&remainder, &zero);
        let correct = self.gates.and(differ, !nothing);
        let corrected = self.add(&remainder, right, !self.yes);
        Ok(self.choose(correct, &corrected, &remainder))
    }

    /// Shifts by 1, 2, 4, … as the bits of the amount say; bits of the amount beyond the width clear
    /// everything.
    fn shift_right(&mut self, bits: &[Lit], amount: &[Lit], fill: Lit) -> Result<Vec<Lit>, Reason> {
        let width = bits.len();
        let mut result = bits.to_vec();
        for (stage, &active) in amount.iter().enumerate() {
            self.poll()?;
            let distance = 1usize.checked_shl(u32::try_from(stage).unwrap_or(u32::MAX)).unwrap_or(width);
            let distance = if stage < 31 { distance.min(width) } else { width };
            let mut shifted = result[distance..].to_vec();
            shifted.resize(width, fill);
            result = self.choose(active, &shifted, &result);
        }
        Ok(result)
    }
}
