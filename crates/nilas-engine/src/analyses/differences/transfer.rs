//! What commands do to zones.
//!
//! A choice within a term is looked at case by case, as long as there are few: each case is what holds where the
//! condition is decided one way, and what comes out is joined.

use super::Analysis;
use super::forms::Decided;
use super::zone::Zone;
use nilas_icp::outward::Range;
use nilas_program::{Basic, Command, VarId};
use nilas_term::{Op, Sort, Term};

/// Choices that are decided within one step.
const CHOICES: usize = 4;
/// Terms below one that are looked at for choices.
const LOOKED_AT: usize = 400;
/// Depth of conditions.
const DEEPEST: usize = 32;

impl Analysis<'_> {
    /// What holds after a command; nothing if nothing gets through.
    pub(super) fn execute(&self, command: &Command, before: &Zone) -> Option<Zone> {
        if command.arcs().is_empty() {
            return Some(before.clone());
        }
        let mut at: Vec<Option<Zone>> = vec![None; command.nodes()];
        at[command.start().index()] = Some(before.clone());
        // Arcs are in an order in which sources come before targets.
        for arc in command.arcs() {
            let Some(zone) = &at[arc.source.index()] else { continue };
            let Some(after) = self.step(zone, arc.basic) else { continue };
            let target = &mut at[arc.target.index()];
            *target = Some(match target {
                None => after,
                Some(old) => old.join(&after),
            });
        }
        at.swap_remove(command.end().index())
    }

    fn step(&self, zone: &Zone, basic: Basic) -> Option<Zone> {
        match basic {
            Basic::Skip => Some(zone.clone()),
            Basic::Assume(condition) => self.cases(zone, condition, &Decided::default(), &|zone, decided| {
                let mut zone = zone.clone();
                self.assume(&mut zone, decided, condition, true, DEEPEST).then_some(zone)
            }),
            Basic::Assign(variable, term) => {
                if self.column_of(variable).is_none() {
                    return Some(zone.clone());
                }
                self.cases(zone, term, &Decided::default(), &|zone, decided| {
                    self.assign(zone, decided, variable, term)
                })
            }
            Basic::Havoc(variable, _) => {
                let mut zone = zone.clone();
                if let Some((column, _)) = self.column_of(variable) {
                    zone.forget(column, self.values_of(variable));
                }
                Some(zone)
            }
        }
    }

    fn assign(&self, zone: &Zone, decided: &Decided, variable: VarId, term: Term) -> Option<Zone> {
        let mut zone = zone.clone();
        let (column, signed) = self.column_of(variable)?;
        let form = self.form(&zone, decided, term, signed)?;
        zone.assign(column, &form, self.values_of(variable)).then_some(zone)
    }

    /// What comes out of `then` in the cases of the choices below a term, joined.
    fn cases(
        &self,
        zone: &Zone,
        term: Term,
        decided: &Decided,
        then: &dyn Fn(&Zone, &Decided) -> Option<Zone>,
    ) -> Option<Zone> {
        let open = if decided.len() < CHOICES { self.open_choice(term, decided) } else { None };
        let Some(condition) = open else { return then(zone, decided) };
        let case = |value: bool| {
            let mut zone = zone.clone();
            let mut decided = decided.clone();
            decided.insert(condition, value);
            if !self.assume(&mut zone, &decided, condition, value, DEEPEST) {
                return None;
            }
            self.cases(&zone, term, &decided, then)
        };
        match (case(true), case(false)) {
            (Some(one), Some(two)) => Some(one.join(&two)),
            (one, two) => one.or(two),
        }
    }

    /// The condition of a choice between numbers that is not decided, innermost first.
    fn open_choice(&self, term: Term, decided: &Decided) -> Option<Term> {
        let mut stack = vec![term];
        let mut found = None;
        for _ in 0..LOOKED_AT {
            let Some(term) = stack.pop() else { break };
            let children = self.arena.children(term);
            if self.arena.op(term) != Op::Ite {
                stack.extend_from_slice(children);
            } else {
                match decided.get(&children[0]) {
                    Some(true) => stack.push(children[1]),
                    Some(false) => stack.push(children[2]),
                    None => {
                        // Choices in the condition are decided before it.
                        found = Some(children[0]);
                        stack.push(children[0]);
                    }
                }
            }
        }
        found
    }

    /// Adds that a condition holds, or that it does not. Whether anything is left.
    fn assume(&self, zone: &mut Zone, decided: &Decided, condition: Term, holds: bool, depth: usize) -> bool {
        if let Some(value) = self.arena.as_bool(condition) {
            return value == holds;
        }
        if depth == 0 {
            return true;
        }
        let children = self.arena.children(condition);
        match (self.arena.op(condition), holds) {
            (Op::Not, _) => self.assume(zone, decided, children[0], !holds, depth - 1),
            (Op::And, true) | (Op::Or, false) => {
                children.iter().all(|&child| self.assume(zone, decided, child, holds, depth - 1))
            }
            (Op::And, false) | (Op::Or, true) => {
                let case = |&child: &Term| {
                    let mut zone = zone.clone();
                    self.assume(&mut zone, decided, child, holds, depth - 1).then_some(zone)
                };
                match children.iter().filter_map(case).reduce(|one, two| one.join(&two)) {
                    Some(joined) => {
                        *zone = joined;
                        true
                    }
                    None => false,
                }
            }
            (Op::FpEq | Op::Eq, true) => {
                let [left, right] = [children[0], children[1]];
                match self.arena.sort(left) {
                    Sort::Float(..) => {
                        self.at_most(zone, decided, (left, right), false, 0.0)
                            && self.at_most(zone, decided, (right, left), false, 0.0)
                    }
                    Sort::BitVec(_) => [true, false].into_iter().all(|signed| {
                        self.at_most(zone, decided, (left, right), signed, 0.0)
                            && self.at_most(zone, decided, (right, left), signed, 0.0)
                    }),
                    _ => true,
                }
            }
            (op, _) => {
                let (signed, strict) = match op {
                    Op::FpLe | Op::BvUle => (false, false),
                    Op::FpLt | Op::BvUlt => (false, true),
                    Op::BvSle => (true, false),
                    Op::BvSlt => (true, true),
                    _ => return true,
                };
                // That `x <= y` is false is `y < x`: floats that are compared are taken to be numbers.
                let (left, right) = (children[0], children[1]);
                let ends = if holds { (left, right) } else { (right, left) };
                let is_integer = matches!(self.arena.sort(left), Sort::BitVec(_));
                let gap = if strict == holds && is_integer { 1.0 } else { 0.0 };
                self.at_most(zone, decided, ends, signed, gap)
            }
        }
    }

    /// Adds that one term is at most another, less a gap.
    fn at_most(
        &self,
        zone: &mut Zone,
        decided: &Decided,
        (less, more): (Term, Term),
        signed: bool,
        gap: f64,
    ) -> bool {
        let forms = (self.form(zone, decided, less, signed), self.form(zone, decided, more, signed));
        let (Some(less), Some(more)) = forms else { return true };
        let mut difference = less.minus(&more, zone);
        difference.rest = difference.rest.plus(Range::point(gap));
        let left = zone.require_form(&difference);
        zone.tighten(&|column| self.is_integer(column));
        left
    }
}
