//! Literal weakening, for generalisation.
//!
//! A cube that a query refutes is made weaker by replacing single literals instead of dropping them: an
//! equality by one of its two bounds or by some of its bits, a strict order by a lax one or by an inequality,
//! a bound by the weakest bound that still conflicts (*bound generalisation*, §2.4.2 of "ICP and IC3 with
//! Stronger Generalization"). The caller supplies the query, so the same code serves relative inductiveness,
//! interpolation and cores.
//!
//! Promised: each literal that is put in is implied by the literal it replaces (by construction, for every
//! width; see [`Step`]), and no cube is kept that the query has not confirmed. The number of queries is
//! bounded by [`WeakenOptions`]. When the query fails, the cube holds what was confirmed until then.
//!
//! A disequality `x != c` has no weaker form here: strict bounds *imply* it, so it is what they are weakened
//! to.

mod bits;
mod bounds;
mod shape;
#[cfg(test)]
mod tests;

use crate::solver::Reason;
pub(crate) use bits::slice;
use nilas_term::{Arena, BitVec, Cube, Term};
pub use shape::{Order, Shape};

/// A way to weaken a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// The literal goes altogether.
    Drop,
    /// `x = t` to the equality of the lowest bits: parity.
    LowestBit,
    /// `x = c` to `x <= c` or `x >= c`, unsigned, and on to the weakest such bound; `x = y` to `x <= y` or
    /// `x >= y`.
    UnsignedBound,
    /// The same, signed.
    SignedBound,
    /// `x = t` to the equality of as few low bits as conflict.
    LowBits,
    /// `x = t` to the equality of as few high bits as conflict.
    HighBits,
    /// `x = c` to any set of bits, minimal for the order in which halves, quarters, … are tried.
    AnyBits,
    /// A bound to the weakest one of its direction that still conflicts.
    WeakerBound,
    /// `x < t` to `x != t`.
    Disequality,
    /// `x < y` to `x <= y`.
    Lax,
}

/// How literals are weakened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeakenOptions {
    /// What is tried, in this order; the first step that is confirmed ends a literal's turn.
    pub steps: Vec<Step>,
    /// Queries that one literal may take.
    pub checks_per_literal: u32,
    /// Queries that one call of [`Weakener::weaken`] may take.
    pub checks: u32,
    /// Constants that make good bounds (those of the program). Where some of a bound's width are weaker than
    /// the bound, only they and their neighbours are tried, instead of all constants.
    pub landmarks: Vec<BitVec>,
}

impl Default for WeakenOptions {
    fn default() -> Self {
        use Step::{
            AnyBits, Disequality, HighBits, Lax, LowBits, LowestBit, SignedBound, UnsignedBound, WeakerBound,
        };
        WeakenOptions {
            steps: vec![
                LowestBit,
                WeakerBound,
                UnsignedBound,
                SignedBound,
                Disequality,
                Lax,
                LowBits,
                HighBits,
                AnyBits,
            ],
            checks_per_literal: 96,
            checks: 1024,
            landmarks: Vec::new(),
        }
    }
}

/// What weakening has cost and brought.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WeakenCounters {
    /// Queries asked.
    pub checks: u64,
    /// Queries that confirmed a weaker cube.
    pub confirmed: u64,
    /// Literals looked at.
    pub literals: u64,
    /// Literals replaced by weaker ones.
    pub weakened: u64,
    /// Literals dropped.
    pub dropped: u64,
}

/// "Is this cube still blocked?"
pub type Query<'q> = dyn FnMut(&mut Arena, &Cube) -> Result<bool, Reason> + 'q;

/// Weakens cubes, see the module's text.
#[derive(Clone, Debug, Default)]
pub struct Weakener {
    options: WeakenOptions,
    counters: WeakenCounters,
}

impl Weakener {
    /// A weakener with those options.
    #[must_use]
    pub fn new(options: WeakenOptions) -> Self {
        Weakener { options, counters: WeakenCounters::default() }
    }

    /// Counters over all calls.
    #[must_use]
    pub fn counters(&self) -> WeakenCounters {
        self.counters
    }

    /// Weakens the literals of a blocked cube one by one, by id; returns whether any changed.
    ///
    /// # Errors
    /// When the query fails; the cube is then the last one that was confirmed.
    pub fn weaken(
        &mut self,
        arena: &mut Arena,
        cube: &mut Cube,
        blocked: &mut Query<'_>,
    ) -> Result<bool, Reason> {
        let mut left = self.options.checks;
        let mut changed = false;
        for literal in cube.literals().to_vec() {
            if left == 0 {
                break;
            }
            let allowed = left.min(self.options.checks_per_literal);
            let (used, result) = self.turn(arena, cube, literal, allowed, blocked);
            left -= used;
            changed |= result?;
        }
        Ok(changed)
    }

    /// Weakens one literal of a blocked cube with at most the queries that one literal may take; returns
    /// whether it changed.
    ///
    /// # Errors
    /// When the query fails; the cube is then the last one that was confirmed.
    pub fn weaken_literal(
        &mut self,
        arena: &mut Arena,
        cube: &mut Cube,
        literal: Term,
        blocked: &mut Query<'_>,
    ) -> Result<bool, Reason> {
        let allowed = self.options.checks_per_literal.min(self.options.checks);
        self.turn(arena, cube, literal, allowed, blocked).1
    }

    fn turn(
        &mut self,
        arena: &mut Arena,
        cube: &mut Cube,
        literal: Term,
        allowed: u32,
        blocked: &mut Query<'_>,
    ) -> (u32, Result<bool, Reason>) {
        self.counters.literals += 1;
        let rest = cube.without(literal);
        let mut turn = Turn {
            rest: &rest,
            best: vec![literal],
            left: allowed,
            confirmed: 0,
            blocked,
            options: &self.options,
        };
        let result = turn.run(arena, literal);
        let (used, confirmed, best) = (allowed - turn.left, turn.confirmed, turn.best);
        let changed = best != [literal];
        self.counters.checks += u64::from(used);
        self.counters.confirmed += confirmed;
        if changed {
            *if best.is_empty() { &mut self.counters.dropped } else { &mut self.counters.weakened } += 1;
            *cube = Cube::new(rest.iter().chain(best));
        }
        (used, result.map(|()| changed))
    }
}

/// One literal's turn.
struct Turn<'t, 'q> {
    /// The rest of the cube.
    rest: &'t Cube,
    /// What stands for the literal now: confirmed.
    best: Vec<Term>,
    /// Queries left.
    left: u32,
    confirmed: u64,
    blocked: &'t mut Query<'q>,
    options: &'t WeakenOptions,
}

impl Turn<'_, '_> {
    fn run(&mut self, arena: &mut Arena, literal: Term) -> Result<(), Reason> {
        let shape = Shape::of(arena, literal);
        for &step in &self.options.steps {
            if self.left == 0 {
                break;
            }
            let done = match (step, &shape) {
                (Step::Drop, _) => self.attempt(arena, &[])?,
                (Step::LowestBit, &Shape::Equal(x, t)) if arena.width(x) > 1 => {
                    let literal = bits::equal(arena, x, t, 0, 0);
                    self.attempt(arena, &[literal])?
                }
                (Step::UnsignedBound, &Shape::Equal(x, t)) => self.equality_to_bound(arena, x, t, false)?,
                (Step::SignedBound, &Shape::Equal(x, t)) => self.equality_to_bound(arena, x, t, true)?,
                (Step::LowBits, &Shape::Equal(x, t)) => self.low_bits(arena, x, t)?,
                (Step::HighBits, &Shape::Equal(x, t)) => self.high_bits(arena, x, t)?,
                (Step::AnyBits, &Shape::Equal(x, t)) => self.any_bits(arena, x, t)?,
                (Step::WeakerBound, Shape::Bound { term, order, rank }) => {
                    self.weakest_bound(arena, *term, *order, rank)?
                }
                // The simplifier writes `x = 0` for `x <= 0`.
                (Step::WeakerBound, &Shape::Equal(x, t)) => self.extreme_to_bound(arena, x, t)?,
                (Step::Disequality, Shape::Bound { term, order, rank }) => {
                    self.bound_to_disequality(arena, *term, *order, rank)?
                }
                (Step::Disequality, &Shape::Less { left, right, strict: true, .. }) => {
                    let literal = arena.ne(left, right);
                    self.attempt(arena, &[literal])?
                }
                (Step::Lax, &Shape::Less { left, right, signed, strict: true }) => {
                    let literal = if signed { arena.bv_sle(left, right) } else { arena.bv_ule(left, right) };
                    self.attempt(arena, &[literal])?
                }
                _ => false,
            };
            if done {
                break;
            }
        }
        Ok(())
    }

    /// Asks whether the cube is still blocked with these literals in place of the one whose turn it is, and
    /// keeps them if so. Out of queries is a no.
    fn attempt(&mut self, arena: &mut Arena, literals: &[Term]) -> Result<bool, Reason> {
        let literals: Vec<Term> =
            literals.iter().copied().filter(|&literal| arena.as_bool(literal) != Some(true)).collect();
        if self.left == 0 || literals == self.best {
            return Ok(false);
        }
        self.left -= 1;
        let cube = Cube::new(self.rest.iter().chain(literals.iter().copied()));
        let blocked = (self.blocked)(arena, &cube)?;
        if blocked {
            self.confirmed += 1;
            self.best = literals;
        }
        Ok(blocked)
    }
}
