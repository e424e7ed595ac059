//! The model of the last check, read on demand.

use crate::blast::{Blaster, Table, bits_of_sort, from_bits, to_bits};
use crate::sat::{Lit, SatSolver, Var};
use crate::solver::Reason;
use nilas_term::{Arena, ArraySort, ArrayValue, Evaluator, Model, Op, Sort, SymbolId, Term, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What has been read of the SAT solver's model, and computed from it.
pub(crate) struct LazyModel {
    evaluator: Evaluator,
    /// Terms whose variables have been read.
    read: FxHashSet<Term>,
    stack: Vec<Term>,
    /// Values of SAT variables, completed where the SAT solver's model does not care.
    simulated: FxHashMap<Var, bool>,
}

impl Default for LazyModel {
    fn default() -> Self {
        LazyModel {
            evaluator: Evaluator::new(Model::new()).with_defaults(),
            read: FxHashSet::default(),
            stack: Vec::new(),
            simulated: FxHashMap::default(),
        }
    }
}

impl LazyModel {
    /// The value of a term. The SAT solver must still have the model that this was made for.
    pub(crate) fn value<S: SatSolver>(
        &mut self,
        blaster: &Blaster<S>,
        arena: &Arena,
        term: Term,
    ) -> Result<Value, Reason> {
        // Children first: an application is looked up at the values of its arguments.
        self.stack.push(term);
        while let Some(&top) = self.stack.last() {
            if self.read.contains(&top) {
                self.stack.pop();
                continue;
            }
            let waiting = self.stack.len();
            self.stack.extend(arena.children(top).iter().filter(|child| !self.read.contains(child)));
            if self.stack.len() > waiting {
                continue;
            }
            self.stack.pop();
            self.read.insert(top);
            let value = match (arena.op(top), arena.sort(top)) {
                (Op::Var(_), Sort::Array(sort)) => self.array(blaster, arena, top, sort),
                (Op::Var(_), _) => read(blaster, arena, top),
                (Op::Apply(symbol), _) => self.application(blaster, arena, top, symbol)?,
                _ => continue,
            };
            self.evaluator.set(top, value);
        }
        self.evaluator.eval(arena, term).map_err(|error| Reason::Unsupported(error.to_string()))
    }

    /// An index at which two arrays differ that are equal in the SAT solver's model, and its sort.
    pub(crate) fn difference<S: SatSolver>(
        &mut self,
        blaster: &Blaster<S>,
        arena: &Arena,
    ) -> Result<Option<(Sort, Value)>, Reason> {
        for (left, right) in blaster.equal_arrays(&mut self.simulated) {
            let (left, right) = (self.value(blaster, arena, left)?, self.value(blaster, arena, right)?);
            let (Value::Array(left), Value::Array(right)) = (left, right) else { continue };
            if left == right {
                continue;
            }
            let mut written = left.entries.keys().chain(right.entries.keys());
            let index = written.find(|index| left.select(index) != right.select(index)).cloned();
            let index = index.or_else(|| unwritten(&left, &right));
            return Ok(index.map(|index| (left.sort.index.clone(), index)));
        }
        Ok(None)
    }

    /// An array: what its cells hold, and elsewhere a default that fits the constant arrays it is equal to.
    fn array<S: SatSolver>(
        &mut self,
        blaster: &Blaster<S>,
        arena: &Arena,
        array: Term,
        sort: &ArraySort,
    ) -> Value {
        let mut entries = BTreeMap::new();
        for (index, content) in blaster.contents(Table::Array(array), &mut self.simulated) {
            entries.insert(from_bits(&sort.index, &index), from_bits(&sort.element, &content));
        }
        let default = self.default_of(blaster, arena, array, sort);
        Value::Array(Arc::new(ArrayValue::new(sort.clone(), default, entries)))
    }

    /// What an array holds away from its cells. Arrays that are equal in the model share it; where one of
    /// them is constant at the bottom, it is that constant.
    fn default_of<S: SatSolver>(
        &mut self,
        blaster: &Blaster<S>,
        arena: &Arena,
        array: Term,
        sort: &ArraySort,
    ) -> Value {
        let equal: Vec<(Term, Term)> = blaster
            .equal_arrays(&mut self.simulated)
            .into_iter()
            .map(|(left, right)| (self.base(blaster, arena, left), self.base(blaster, arena, right)))
            .collect();
        let mut class = vec![array];
        let mut next = 0;
        while next < class.len() {
            let member = class[next];
            next += 1;
            match arena.op(member) {
                Op::ConstArray(_) => {
                    if let Some(bits) = blaster.known(arena, arena.children(member)[0]) {
                        let bits: Vec<bool> = bits
                            .iter()
                            .map(|&lit| blaster.gates.simulate(lit, &mut self.simulated))
                            .collect();
                        return from_bits(&sort.element, &bits);
                    }
                }
                Op::Const(value) => {
                    if let Value::Array(value) = arena.value(value) {
                        return value.default.clone();
                    }
                }
                _ => {}
            }
            for &(left, right) in &equal {
                for (one, other) in [(left, right), (right, left)] {
                    if one == member && !class.contains(&other) {
                        class.push(other);
                    }
                }
            }
        }
        Value::default_of(&sort.element)
    }

    /// The variable or constant below the stores and choices of an array term, as the model chooses.
    fn base<S: SatSolver>(&mut self, blaster: &Blaster<S>, arena: &Arena, mut array: Term) -> Term {
        loop {
            let children = arena.children(array);
            array = match arena.op(array) {
                Op::Store => children[0],
                Op::Ite => {
                    let condition = blaster.known(arena, children[0]).and_then(|bits| bits.first().copied());
                    let holds = condition.is_some_and(|lit| blaster.gates.simulate(lit, &mut self.simulated));
                    if holds { children[1] } else { children[2] }
                }
                _ => return array,
            };
        }
    }

    /// The number that stands for an array as an argument: its own, or that of an array that is equal to it.
    fn number<S: SatSolver>(
        &mut self,
        blaster: &Blaster<S>,
        arena: &Arena,
        array: Term,
    ) -> Result<Option<Vec<bool>>, Reason> {
        let known = blaster.array_arguments(arena.sort(array)).to_vec();
        let own = known.iter().find(|(other, _)| *other == array);
        let mut found = own.map(|(_, number)| number.clone());
        if found.is_none() {
            // Values of others are read on the way; what waits goes on afterwards.
            let waiting = std::mem::take(&mut self.stack);
            let value = self.value(blaster, arena, array)?;
            for (other, number) in known {
                if self.value(blaster, arena, other)? == value {
                    found = Some(number);
                    break;
                }
            }
            self.stack = waiting;
        }
        Ok(found.map(|number| {
            number.iter().map(|&lit| blaster.gates.simulate(lit, &mut self.simulated)).collect()
        }))
    }

    /// An application of an uninterpreted function: what the function's cell at these arguments holds.
    fn application<S: SatSolver>(
        &mut self,
        blaster: &Blaster<S>,
        arena: &Arena,
        term: Term,
        symbol: SymbolId,
    ) -> Result<Value, Reason> {
        let mut arguments = Vec::new();
        for &argument in arena.children(term) {
            if matches!(arena.sort(argument), Sort::Array(_)) {
                match self.number(blaster, arena, argument)? {
                    Some(number) => arguments.extend(number),
                    // The function was never applied to that array.
                    None => return Ok(Value::default_of(arena.sort(term))),
                }
                continue;
            }
            let value = self
                .evaluator
                .eval(arena, argument)
                .map_err(|error| Reason::Unsupported(error.to_string()))?;
            arguments.extend(to_bits(&value));
        }
        let contents = blaster.contents(Table::Function(symbol), &mut self.simulated);
        let found = contents.into_iter().find(|(index, _)| *index == arguments);
        let sort = arena.sort(term);
        Ok(found.map_or_else(|| Value::default_of(sort), |(_, content)| from_bits(sort, &content)))
    }
}

/// The value of a variable: bits that the model does not care about are false, and so is everything about
/// variables that were never blasted.
fn read<S: SatSolver>(blaster: &Blaster<S>, arena: &Arena, variable: Term) -> Value {
    let bit = |lit: Lit| blaster.gates.sat.value(lit.var()).is_some_and(|value| value == lit.is_positive());
    blaster.variable_value(arena, variable, bit).unwrap_or_else(|| Value::default_of(arena.sort(variable)))
}

/// An index at which neither array has an entry, if there is one.
fn unwritten(left: &ArrayValue, right: &ArrayValue) -> Option<Value> {
    let sort = &left.sort.index;
    let bits = bits_of_sort(sort)?;
    let most = left.entries.len() + right.entries.len();
    (0..=most)
        .map(|number| {
            let bits: Vec<bool> = (0..bits).map(|bit| bit < 32 && number >> bit & 1 == 1).collect();
            from_bits(sort, &bits)
        })
        .find(|index| !left.entries.contains_key(index) && !right.entries.contains_key(index))
}
