//! Facts: what is known to be derivable, kept symbolic.
//!
//! A fact is a derivation of rules whose inputs are left open: over its inputs, a condition and the values of
//! the predicate's variables. So it stands for all executions of one shape, whoever calls and whatever is
//! chosen, and a fact about an exit is a part of what a procedure does at least (the *must* summaries of
//! Spacer). Where its terms grow too large, the inputs take the values of a model, and it is one execution.

use super::rules::{PlaceId, Rule, RuleId};
use nilas_smt::{Activation, Reason, Solver};
use nilas_term::{Arena, Op, Substitution, Term};
use rustc_hash::FxHashSet;

pub(super) type FactId = usize;

/// Terms of a fact that have more different subterms than this are replaced by their values.
const LARGEST: usize = 4_000;

#[derive(Clone, Debug)]
pub(super) struct Fact {
    pub(super) place: PlaceId,
    /// When the values can be, over the inputs.
    pub(super) guard: Term,
    /// The values of the predicate's variables.
    pub(super) values: Vec<Term>,
    pub(super) inputs: Vec<Term>,
    pub(super) rule: RuleId,
    /// The inputs of the rule, as terms over those of the fact.
    pub(super) rule_inputs: Vec<Term>,
    /// The facts about the premises, with their inputs as terms over those of this one.
    pub(super) children: Vec<(FactId, Vec<Term>)>,
}

/// A fact in the place of a premise, with inputs of its own.
#[derive(Clone, Debug)]
pub(super) struct Instance {
    pub(super) fact: FactId,
    /// It is the one that is used.
    pub(super) selector: Term,
    pub(super) guard: Term,
    pub(super) values: Vec<Term>,
    pub(super) inputs: Vec<Term>,
}

/// The facts about variables, as a solver knows them.
#[derive(Default)]
pub(super) struct Known {
    pub(super) instances: Vec<Instance>,
    /// Under it, one of them is used.
    activation: Option<Activation>,
}

impl Known {
    /// One more fact about these variables.
    pub(super) fn add(
        &mut self,
        arena: &mut Arena,
        solver: &mut dyn Solver,
        id: FactId,
        fact: &Fact,
        variables: &[Term],
    ) {
        let mut apart = Substitution::new();
        let mut inputs = Vec::with_capacity(fact.inputs.len());
        for &input in &fact.inputs {
            let sort = arena.sort(input).clone();
            let fresh = arena.fresh_variable("input", &sort);
            apart.insert(input, fresh);
            inputs.push(fresh);
        }
        let guard = apart.apply(arena, fact.guard);
        let values: Vec<Term> = fact.values.iter().map(|&value| apart.apply(arena, value)).collect();
        let selector = arena.fresh_variable("fact", &nilas_term::Sort::Bool);
        let mut conjuncts = vec![guard];
        for (&variable, &value) in variables.iter().zip(&values) {
            conjuncts.push(arena.eq(variable, value));
        }
        for conjunct in conjuncts {
            let implied = arena.implies(selector, conjunct);
            solver.assert(arena, implied);
        }
        self.instances.push(Instance { fact: id, selector, guard, values, inputs });
        let selectors: Vec<Term> = self.instances.iter().map(|instance| instance.selector).collect();
        let one = arena.or(&selectors);
        if let Some(before) = self.activation.take() {
            solver.retire(before);
        }
        let activation = solver.activation();
        solver.assert_under(arena, activation, one);
        self.activation = Some(activation);
    }

    /// Under it, one of the facts is used; none if there is no fact.
    pub(super) fn activation(&self) -> Option<Activation> {
        self.activation
    }

    /// After a model was found in which one of them is used: which.
    pub(super) fn used(&self, arena: &Arena, solver: &mut dyn Solver) -> Result<&Instance, Reason> {
        for instance in &self.instances {
            if solver.value(arena, instance.selector)?.as_bool() == Some(true) {
                return Ok(instance);
            }
        }
        Err(Reason::Failed("a model uses no fact".into()))
    }
}

/// The fact that a rule derives from facts about its premises, of which the solver has a model.
pub(super) fn derive(
    arena: &mut Arena,
    (id, rule): (RuleId, &Rule),
    used: &[Instance],
    solver: &mut dyn Solver,
) -> Result<Fact, Reason> {
    let mut inside = Substitution::new();
    let mut guards = Vec::new();
    let mut open: Vec<Term> = rule.inputs.clone();
    for (premise, instance) in rule.premises.iter().zip(used) {
        for (&variable, &value) in premise.variables.iter().zip(&instance.values) {
            inside.insert(variable, value);
        }
        guards.push(instance.guard);
        open.extend(&instance.inputs);
    }
    // What a callee was entered with is what the caller passes.
    let mut passed = Substitution::new();
    for &(left, right) in &rule.equations {
        let (left, right) = (inside.apply(arena, left), inside.apply(arena, right));
        let position = open.iter().position(|&input| input == left);
        match position.filter(|_| !arena.free_variables(right).contains(&left)) {
            Some(position) => {
                open.swap_remove(position);
                let right = passed.apply(arena, right);
                passed.insert(left, right);
            }
            None => guards.push(arena.eq(left, right)),
        }
    }
    guards.push(inside.apply(arena, rule.guard));
    let guards: Vec<Term> = guards.into_iter().map(|guard| passed.apply(arena, guard)).collect();
    let guard = arena.and(&guards);
    let mut value = |term: Term| {
        let term = inside.apply(arena, term);
        passed.apply(arena, term)
    };
    let values: Vec<Term> = rule.values.iter().map(|&term| value(term)).collect();
    let rule_inputs: Vec<Term> = rule.inputs.iter().map(|&term| value(term)).collect();
    let children: Vec<(FactId, Vec<Term>)> = used
        .iter()
        .map(|instance| (instance.fact, instance.inputs.iter().map(|&term| value(term)).collect()))
        .collect();
    let mut fact = Fact { place: rule.head, guard, values, inputs: open, rule: id, rule_inputs, children };
    if is_large(arena, &fact) {
        fact.concretise(arena, solver)?;
    }
    Ok(fact)
}

impl Fact {
    /// The one of its executions that the solver has a model of.
    fn concretise(&mut self, arena: &mut Arena, solver: &mut dyn Solver) -> Result<(), Reason> {
        let mut chosen = Substitution::new();
        for input in std::mem::take(&mut self.inputs) {
            let value = solver.value(arena, input)?;
            let value = arena.constant(value);
            chosen.insert(input, value);
        }
        self.guard = chosen.apply(arena, self.guard);
        let terms = self.values.iter_mut().chain(&mut self.rule_inputs);
        for term in terms.chain(self.children.iter_mut().flat_map(|(_, inputs)| inputs.iter_mut())) {
            *term = chosen.apply(arena, *term);
        }
        Ok(())
    }
}

fn is_large(arena: &Arena, fact: &Fact) -> bool {
    let mut seen = FxHashSet::default();
    let mut stack = fact.values.clone();
    stack.push(fact.guard);
    while let Some(term) = stack.pop() {
        if !matches!(arena.op(term), Op::Const(_)) && seen.insert(term) {
            if seen.len() > LARGEST {
                return true;
            }
            stack.extend_from_slice(arena.children(term));
        }
    }
    false
}
