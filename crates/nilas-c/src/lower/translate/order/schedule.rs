//! Evaluating a region whose order matters: satellites before or after the centre, by a choice.

use super::Plan;
use crate::lower::HavocOrigin;
use crate::lower::lowering::Lowering;
use crate::lower::memory::layout::scalar;
use crate::lower::translate::expr::Val;
use crate::lower::translate::temporary::Purpose;
use crate::property::{Claim, Property};
use crate::tree::{ExprId, VarId};
use nilas_fault::{Fault, planted};
use nilas_term::{Sort, Term};

const UNSEQUENCED: &str = "unsequenced accesses of the same object";
const OPEN: &str = "an expression whose meaning depends on the order of evaluation";

impl Lowering<'_> {
    /// The value of a leaf that was evaluated already.
    pub(in crate::lower) fn ready(&self, expr: ExprId) -> Option<Term> {
        if self.ready.is_empty() {
            return None;
        }
        self.ready.get(&(self.calls.frames.len(), expr)).copied()
    }

    /// Whether the order of evaluation matters in the region of this root, and was not chosen yet.
    pub(in crate::lower) fn is_unordered(&self, root: ExprId) -> bool {
        match self.order.region(root) {
            None => false,
            Some(Plan::Around { centre, .. }) => self.ready(*centre).is_none(),
            Some(_) => true,
        }
    }

    /// Evaluates the leaves of a region in an order that is chosen, then the rest of it.
    pub(in crate::lower) fn in_order<T>(&mut self, root: ExprId, rest: impl FnOnce(&mut Self) -> T) -> T {
        let order = self.order;
        match order.region(root) {
            Some(plan) => self.follow(plan, rest),
            None => rest(self),
        }
    }

    /// The same for the elements of an initialiser.
    pub(in crate::lower) fn initialise_in_order<T>(
        &mut self,
        variable: VarId,
        rest: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let order = self.order;
        match order.initialiser(variable) {
            Some(plan) => self.follow(plan, rest),
            None => rest(self),
        }
    }

    fn follow<T>(&mut self, plan: &Plan, rest: impl FnOnce(&mut Self) -> T) -> T {
        let (centre, satellites) = match plan {
            Plan::Around { centre, satellites } => (*centre, satellites),
            Plan::Undefined => {
                if self.build.asks(Property::OtherUndefined) {
                    self.build.never(Claim::new(Property::OtherUndefined, UNSEQUENCED));
                } else {
                    self.build.unmodelled(UNSEQUENCED);
                }
                return rest(self);
            }
            Plan::Open => {
                self.build.unmodelled(OPEN);
                return rest(self);
            }
        };
        let depth = self.calls.frames.len();
        let mut chosen = Vec::new();
        for &satellite in satellites {
            let Some((kind, _)) = scalar(&self.tree.types, self.tree.exprs[satellite].ty) else { continue };
            let (choice, before) = self.temporary(satellite, Purpose::Order, &Sort::Bool);
            let sort = self.held_kind(kind).sort();
            let (variable, value) = self.temporary(satellite, Purpose::Ordered, &sort);
            self.with_origin(HavocOrigin::EvaluationOrder, |this| this.build.havoc(choice));
            if planted(Fault::OrderOneWay) {
                self.build.assume(before);
            }
            let other = self.build.split(before);
            let term = self.term(satellite);
            let term = self.held(term);
            self.build.assign(variable, term);
            let known = self.known_pointer(term, self.tree.types.pointee(self.tree.exprs[satellite].ty));
            self.join(other, |_| {});
            chosen.push((satellite, before, variable, value, (kind, known)));
        }
        let value = self.value(centre);
        let term = match self.save_value(centre, value) {
            Val::Scalar(term) => term,
            Val::Pointer(address) => self.address_term(&address),
            Val::Void | Val::Aggregate(_) => self.default_term(self.tree.exprs[centre].ty),
        };
        for &(satellite, before, variable, value, (_, known)) in &chosen {
            let after = self.build.arena.not(before);
            let other = self.build.split(after);
            let term = self.term(satellite);
            let term = self.held(term);
            self.build.assign(variable, term);
            let after = self.known_pointer(term, self.tree.types.pointee(self.tree.exprs[satellite].ty));
            self.join(other, |_| {});
            match known.filter(|known| Some(*known) == after) {
                Some(known) => self.memory.provenance.learn(value, known),
                None => self.memory.provenance.forget(value),
            }
        }
        self.ready.insert((depth, centre), term);
        for &(satellite, .., value, (kind, _)) in &chosen {
            let value = self.unheld(value, kind);
            self.ready.insert((depth, satellite), value);
        }
        let result = rest(self);
        self.ready.remove(&(depth, centre));
        for &(satellite, ..) in &chosen {
            self.ready.remove(&(depth, satellite));
        }
        result
    }
}
