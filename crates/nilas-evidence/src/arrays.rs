//! Arrays and uninterpreted functions away, for the checker alone.
//!
//! The encoder knows bits only. Here every formula is replaced by one without arrays and functions that is
//! *implied* by it: reads are pushed through stores and if-then-elses down to array variables, where each
//! read becomes a variable of its own; two such variables are equal where array and index are (Ackermann). An
//! equality of arrays becomes a truth value that implies equal elements at the indices that occur, and whose
//! negation implies a difference at an index of its own. Indices that occur are those of reads and writes of
//! arrays that are connected with these: by equalities, stores and choices.
//!
//! Every step either rewrites by the meaning of the operators or forgets something. So if the result has no
//! model, the original has none: forgetting can make the checker reject good evidence, never accept bad
//! evidence.

use nilas_smt::{Budget, Reason};
use nilas_term::{Arena, Op, Sort, Term, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// What has been replaced so far, and what holds of the replacements.
#[derive(Default)]
pub(crate) struct Reduction {
    reduced: FxHashMap<Term, Term>,
    reads: FxHashMap<(Term, Term), Term>,
    /// Variables that stand for reads, by array variable: index and variable.
    cells: FxHashMap<Term, Vec<(Term, Term)>>,
    /// Variables that stand for applications, by function: arguments and variable.
    applications: FxHashMap<Op, Vec<(Vec<Term>, Term)>>,
    equalities: Vec<Equality>,
    connected: Connected,
    facts: Vec<Term>,
}

/// Arrays that may have elements in common, as a union-find over array terms, and the indices that occur in
/// each of these classes. Constants connect nothing: their elements are known.
#[derive(Default)]
struct Connected {
    met: FxHashSet<Term>,
    parents: FxHashMap<Term, Term>,
    indices: FxHashMap<Term, BTreeSet<Term>>,
}

impl Connected {
    /// The representative of an array's class, in which all is that the array is made of.
    fn class(&mut self, arena: &Arena, array: Term) -> Term {
        let mut stack = vec![array];
        while let Some(term) = stack.pop() {
            if !self.met.insert(term) {
                continue;
            }
            for &part in beneath(arena, term) {
                if !matches!(arena.op(part), Op::ConstArray(_) | Op::Const(_)) {
                    self.unite(part, term);
                    stack.push(part);
                }
            }
        }
        self.root(array)
    }

    fn root(&mut self, term: Term) -> Term {
        let mut root = term;
        while let Some(&parent) = self.parents.get(&root) {
            root = parent;
        }
        let mut below = term;
        while below != root {
            below = self.parents.insert(below, root).unwrap_or(root);
        }
        root
    }

    fn unite(&mut self, left: Term, right: Term) {
        let (left, right) = (self.root(left), self.root(right));
        if left == right {
            return;
        }
        self.parents.insert(left, right);
        let moved = self.indices.remove(&left).unwrap_or_default();
        self.indices.entry(right).or_default().extend(moved);
    }

    fn index(&mut self, arena: &Arena, array: Term, index: Term) {
        let class = self.class(arena, array);
        self.indices.entry(class).or_default().insert(index);
    }
}

/// The arrays that an array is made of.
fn beneath(arena: &Arena, array: Term) -> &[Term] {
    let children = arena.children(array);
    match arena.op(array) {
        Op::Store => &children[..1],
        Op::Ite => &children[1..],
        _ => &[],
    }
}

struct Equality {
    left: Term,
    right: Term,
    /// The side that is no constant, if there is one.
    open: Term,
    truth: Term,
    instantiated: FxHashSet<Term>,
}

impl Reduction {
    /// Formulas without arrays and functions that are implied by the given ones, with whatever is new to be
    /// said of the variables in them.
    pub(crate) fn formulas(
        &mut self,
        arena: &mut Arena,
        formulas: &[Term],
        budget: &Budget,
    ) -> Result<(Vec<Term>, Vec<Term>), Reason> {
        let mut result = Vec::with_capacity(formulas.len());
        for &formula in formulas {
            result.push(self.reduce(arena, formula, budget)?);
        }
        self.instantiate(arena, budget)?;
        Ok((result, std::mem::take(&mut self.facts)))
    }

    /// Children first. Array-sorted terms are rebuilt over reduced children, others lose their arrays.
    fn reduce(&mut self, arena: &mut Arena, root: Term, budget: &Budget) -> Result<Term, Reason> {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.reduced.contains_key(&term) {
                stack.pop();
                continue;
            }
            let waiting = stack.len();
            stack.extend(arena.children(term).iter().filter(|child| !self.reduced.contains_key(child)));
            if stack.len() > waiting {
                continue;
            }
            stack.pop();
            poll(budget)?;
            let children: Vec<Term> = arena.children(term).iter().map(|child| self.reduced[child]).collect();
            let op = arena.op(term);
            let is_array = |arena: &Arena, term: Term| matches!(arena.sort(term), Sort::Array(_));
            let result = match op {
                Op::Var(_) | Op::Const(_) => term,
                Op::Select => self.read(arena, children[0], children[1], budget)?,
                Op::Apply(_) => self.apply(arena, op, children, &arena.sort(term).clone()),
                Op::Eq if is_array(arena, children[0]) => {
                    self.equality(arena, children[0], children[1], budget)?
                }
                _ => arena.mk(op, &children),
            };
            self.reduced.insert(term, result);
        }
        Ok(self.reduced[&root])
    }

    /// The element of an array at an index: through stores and choices, down to variables and constants.
    fn read(&mut self, arena: &mut Arena, array: Term, index: Term, budget: &Budget) -> Result<Term, Reason> {
        self.connected.index(arena, array, index);
        let mut stack = vec![array];
        while let Some(&array) = stack.last() {
            if self.reads.contains_key(&(array, index)) {
                stack.pop();
                continue;
            }
            poll(budget)?;
            let below = beneath(arena, array).to_vec();
            let waiting = stack.len();
            stack.extend(below.iter().filter(|child| !self.reads.contains_key(&(**child, index))));
            if stack.len() > waiting {
                continue;
            }
            stack.pop();
            let children = arena.children(array).to_vec();
            let below: Vec<Term> = below.iter().map(|child| self.reads[&(*child, index)]).collect();
            let element = match arena.op(array) {
                Op::Store => {
                    let hit = arena.eq(index, children[1]);
                    arena.ite(hit, children[2], below[0])
                }
                Op::Ite => arena.ite(children[0], below[0], below[1]),
                Op::ConstArray(_) => children[0],
                Op::Const(value) => {
                    let Value::Array(value) = arena.value(value).clone() else {
                        return Err(Reason::Unsupported("an array constant in the evidence checker".into()));
                    };
                    let mut element = arena.constant(value.default.clone());
                    for (at, entry) in &value.entries {
                        let at = arena.constant(at.clone());
                        let entry = arena.constant(entry.clone());
                        let hit = arena.eq(index, at);
                        element = arena.ite(hit, entry, element);
                    }
                    element
                }
                Op::Var(_) => self.cell(arena, array, index)?,
                other => {
                    return Err(Reason::Unsupported(format!(
                        "an array made by {other:?} in the evidence checker"
                    )));
                }
            };
            self.reads.insert((array, index), element);
        }
        Ok(self.reads[&(array, index)])
    }

    /// The variable that stands for a read of an array variable.
    fn cell(&mut self, arena: &mut Arena, array: Term, index: Term) -> Result<Term, Reason> {
        let Sort::Array(sort) = arena.sort(array).clone() else {
            return Err(Reason::Failed("a read of something that is no array".into()));
        };
        let cell = arena.fresh_variable("check.read", &sort.element);
        for (other, value) in self.cells.entry(array).or_default().iter() {
            let same_index = arena.eq(*other, index);
            let same_value = arena.eq(*value, cell);
            self.facts.push(arena.implies(same_index, same_value));
        }
        self.cells.entry(array).or_default().push((index, cell));
        Ok(cell)
    }

    /// The variable that stands for an application of a function.
    fn apply(&mut self, arena: &mut Arena, op: Op, arguments: Vec<Term>, sort: &Sort) -> Term {
        let known = self.applications.entry(op).or_default();
        if let Some((_, value)) = known.iter().find(|(others, _)| *others == arguments) {
            return *value;
        }
        let result = arena.fresh_variable("check.apply", sort);
        for (others, value) in known.iter() {
            let same: Vec<Term> =
                others.iter().zip(&arguments).map(|(&left, &right)| arena.eq(left, right)).collect();
            let same_arguments = arena.and(&same);
            let same_value = arena.eq(*value, result);
            self.facts.push(arena.implies(same_arguments, same_value));
        }
        known.push((arguments, result));
        result
    }

    /// The truth value that stands for an equality of arrays. Where it is false, the arrays differ at an
    /// index of its own.
    fn equality(
        &mut self,
        arena: &mut Arena,
        left: Term,
        right: Term,
        budget: &Budget,
    ) -> Result<Term, Reason> {
        if left == right {
            return Ok(arena.mk_true());
        }
        let Sort::Array(sort) = arena.sort(left).clone() else {
            return Err(Reason::Failed("an equality of arrays that are none".into()));
        };
        let truth = arena.fresh_variable("check.equal", &Sort::Bool);
        let index = arena.fresh_variable("check.differ", &sort.index);
        let (left_element, right_element) =
            (self.read(arena, left, index, budget)?, self.read(arena, right, index, budget)?);
        let same = self.reduced_equality(arena, left_element, right_element, budget)?;
        let different = arena.not(same);
        self.facts.push(arena.or(&[truth, different]));
        for array in [left, right] {
            self.stored_indices(arena, array);
        }
        let open = |&term: &Term| !matches!(arena.op(term), Op::ConstArray(_) | Op::Const(_));
        if open(&left) && open(&right) {
            self.connected.unite(left, right);
        }
        let open = [left, right].into_iter().find(open).unwrap_or(left);
        self.equalities.push(Equality { left, right, open, truth, instantiated: FxHashSet::default() });
        Ok(truth)
    }

    /// Equality of elements, which may be arrays again.
    fn reduced_equality(
        &mut self,
        arena: &mut Arena,
        left: Term,
        right: Term,
        budget: &Budget,
    ) -> Result<Term, Reason> {
        if matches!(arena.sort(left), Sort::Array(_)) {
            return self.equality(arena, left, right, budget);
        }
        Ok(arena.eq(left, right))
    }

    /// Notes the indices at which an array term was written.
    fn stored_indices(&mut self, arena: &Arena, array: Term) {
        let mut stack = vec![array];
        let mut seen = FxHashSet::default();
        while let Some(array) = stack.pop() {
            if !seen.insert(array) {
                continue;
            }
            if arena.op(array) == Op::Store {
                self.connected.index(arena, array, arena.children(array)[1]);
            }
            stack.extend(beneath(arena, array));
        }
    }

    /// Equal arrays have equal elements at all indices that occur, whichever came first.
    fn instantiate(&mut self, arena: &mut Arena, budget: &Budget) -> Result<(), Reason> {
        loop {
            let mut work = Vec::new();
            for (number, equality) in self.equalities.iter_mut().enumerate() {
                let class = self.connected.root(equality.open);
                for &index in self.connected.indices.get(&class).into_iter().flatten() {
                    if equality.instantiated.insert(index) {
                        work.push((number, index));
                    }
                }
            }
            if work.is_empty() {
                return Ok(());
            }
            for (number, index) in work {
                let Equality { left, right, truth, .. } = self.equalities[number];
                let left = self.read(arena, left, index, budget)?;
                let right = self.read(arena, right, index, budget)?;
                let same = self.reduced_equality(arena, left, right, budget)?;
                self.facts.push(arena.implies(truth, same));
            }
        }
    }
}

fn poll(budget: &Budget) -> Result<(), Reason> {
    budget.exhausted().map_or(Ok(()), |why| Err(Reason::Interrupted(why)))
}
