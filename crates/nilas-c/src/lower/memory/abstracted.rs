//! Memory abstracted: whatever pointers can reach holds any value.
//!
//! What a large program does to memory is often nothing that its property depends on: a driver's locks are
//! counted in variables that nothing points to. So large programs are lowered a first time without a model of
//! memory ([`super::super::LowerOptions::abstracted`]):
//!
//! - Variables whose address is not taken are modelled as ever: no pointer means them.
//! - All other memory is *open*. Reading it gives any value, each time anew; writing it does nothing.
//! - The address of something is any number but null, each time anew.
//! - Executions that stop at undefined behaviour go on, unless they stop for certain: what they stop at is no
//!   concern of the property, and would keep alive what it depends on.
//! - A call through a pointer calls any function whose address is taken and that is of the pointer's type, or
//!   one that the program does not know.
//!
//! Every execution of the program is one of the abstracted program, so a proof about that is one about the
//! program. Nothing else follows: each way to the error leads to *unmodelled* with a bound
//! ([`Bound::Memory`]), and the program is lowered again with all its memory where one is found.
//!
//! This needs that unknown functions do nothing: else they would call back, and write what is modelled here.

use super::Key;
use super::access::{Base, Place};
use super::layout::{Kind, scalar};
use super::points::is_of_type;
use crate::library::catalogue::{self, Meaning, Model, Row};
use crate::lower::lowering::Lowering;
use crate::lower::translate::expr::Val;
use crate::lower::{AssumptionKind, Bound, FunctionResult, HavocOrigin, Unmodelled};
use crate::tree::{AddressBase, ExprId, ExprKind, FunctionId, Program};
use crate::types::TypeId;
use nilas_program::{EdgeId, VarId};
use nilas_term::{Sort, Term};
use rustc_hash::FxHashMap;

/// Calls through a pointer that more functions can be meant by are not modelled.
const MOST_CALLED: usize = 32;

/// The values that were read from open memory and are still in use.
#[derive(Default)]
pub(in crate::lower) struct Reads {
    /// Something was read from there, or an address taken: the program is not the same without its memory.
    pub(in crate::lower) used: bool,
    /// How many there are in the present call.
    pub(in crate::lower) pending: usize,
    /// The variables that hold them: by the function's instance, number and sort.
    variables: FxHashMap<(String, usize, Sort), (VarId, Term)>,
    /// The types that the addresses of functions are converted to where they are taken.
    converted: Option<FxHashMap<FunctionId, Vec<TypeId>>>,
}

impl Lowering<'_> {
    /// Whether a place is in open memory.
    pub(in crate::lower) fn is_open(&self, base: &Base) -> bool {
        if !self.abstracts {
            return false;
        }
        match base {
            Base::Nowhere => false,
            Base::Raw(_) => true,
            Base::Known(address) => self.is_open_object(self.memory.objects[address.object.0].key),
        }
    }

    /// Whether an object is open memory.
    pub(in crate::lower) fn is_open_object(&self, key: Key) -> bool {
        match key {
            _ if !self.abstracts => false,
            Key::Static(variable) => self.facts.is_escaped(variable),
            Key::Local(local) => self.facts.is_escaped(local.variable),
            Key::Result(..) | Key::Aggregate(..) => false,
            Key::String(_)
            | Key::Heap(..)
            | Key::Pool(..)
            | Key::External(_)
            | Key::Function(_)
            | Key::Label(_) => true,
        }
    }

    /// Any value of a kind, as it is held: what the lvalue reads that is being evaluated.
    pub(in crate::lower) fn any_read(&mut self, kind: Kind) -> Term {
        self.any_of(kind, HavocOrigin::Open(self.build.span))
    }

    /// Any value of a kind, as it is held.
    fn any_of(&mut self, kind: Kind, origin: HavocOrigin) -> Term {
        let sort = self.held_kind(kind).sort();
        let place = (self.context(), self.memory.reads.pending, sort.clone());
        self.memory.reads.pending += 1;
        self.memory.reads.used = true;
        let (variable, term) = match self.memory.reads.variables.get(&place) {
            Some(&known) => known,
            None => {
                let made = self.build.new_variable(&format!("{}::%read", place.0), &sort);
                self.memory.reads.variables.insert(place, made);
                made
            }
        };
        self.with_origin(origin, |this| this.build.havoc(variable));
        term
    }

    /// The address of something: any but null.
    pub(in crate::lower) fn any_address(&mut self) -> Term {
        let width = self.pointer_bits();
        let address = self.any_of(Kind::Bits(width), HavocOrigin::AddressRelation);
        let null = self.build.arena.bv(width, 0);
        let one = self.build.arena.bv(width, 1);
        // No assumption: one would keep alive what decides nothing.
        let is_null = self.build.arena.eq(address, null);
        self.build.arena.ite(is_null, one, address)
    }

    /// Calls any function that a pointer of this type may mean.
    pub(in crate::lower) fn call_any(
        &mut self,
        expr: ExprId,
        pointer: ExprId,
        arguments: &[ExprId],
        result: Option<&Place>,
    ) {
        let text = "calls through pointers call functions of the pointer's type";
        self.build.rests_on(AssumptionKind::UnknownPointer, text);
        let (tree, facts) = (self.tree, self.facts);
        let converted = self.memory.reads.converted.get_or_insert_with(|| conversions(tree));
        let wanted = tree.types.pointee(tree.exprs[pointer].ty);
        let is_wanted = |ty: &TypeId| wanted.is_none_or(|it| tree.types.compatible_unqualified(*ty, it));
        let is_target = |target: &FunctionId| {
            is_of_type(tree, pointer, *target)
                || converted.get(target).is_some_and(|types| types.iter().any(is_wanted))
        };
        let targets: Vec<FunctionId> = facts.targets.iter().copied().filter(is_target).collect();
        if targets.len() > MOST_CALLED {
            self.build.unmodelled("a call through a pointer that may mean many functions");
            return;
        }
        let meet = self.build.new_location();
        let mut reached = false;
        for target in targets {
            let chosen = self.any_of(Kind::Bool, HavocOrigin::AddressRelation);
            let chosen = self.truth(chosen);
            let other = self.build.split(chosen);
            let value = self.call_function(expr, target, arguments);
            if let Some(result) = result {
                self.store(result, value);
            }
            reached |= self.build.reachable();
            self.build.goto(meet);
            match other {
                Some(other) => self.build.continue_at(other),
                None => self.build.here = None,
            }
        }
        let text = "functions of unknown origin return any value and do nothing else";
        self.build.rests_on(AssumptionKind::UnknownFunction, text);
        self.arguments(arguments);
        let value = self.any_value(expr, "a function of unknown origin");
        if let Some(result) = result {
            self.store(result, value);
        }
        reached |= self.build.reachable();
        self.build.goto(meet);
        if reached {
            self.build.continue_at(meet);
        }
    }

    /// A call of a function of the catalogue, where it works on memory; `None` if it means what it says.
    pub(in crate::lower) fn known_abstracted(
        &mut self,
        expr: ExprId,
        row: &'static Row,
        arguments: &[ExprId],
    ) -> Option<Val> {
        let tree = self.tree;
        let ty = tree.exprs[expr].ty;
        let is_pointer = |ty: TypeId| tree.types.pointee(ty).is_some();
        let pointers = is_pointer(ty) || arguments.iter().any(|&it| is_pointer(tree.exprs[it].ty));
        match row.model {
            Model::Lowering(
                Meaning::Allocate
                | Meaning::AllocateOnStack
                | Meaning::AllocateAligned
                | Meaning::AllocateZeroed,
            ) => {
                self.build.rests_on(AssumptionKind::AllocationNeverFails, "allocations never fail");
                Some(Val::Scalar(self.any_address()))
            }
            Model::Lowering(Meaning::Free) => Some(Val::Void),
            Model::Lowering(
                Meaning::Error
                | Meaning::Assume
                | Meaning::Assert
                | Meaning::Exit
                | Meaning::Stop
                | Meaning::NotCovered
                | Meaning::Presume
                | Meaning::First,
            )
            | Model::Refused(_)
            | Model::Unmodelled(_) => None,
            _ if !pointers => None,
            // What it writes is open, and nothing else knows that it was called.
            Model::Lowering(
                Meaning::Reallocate
                | Meaning::ReallocateArray
                | Meaning::Fill
                | Meaning::Move
                | Meaning::Length
                | Meaning::ObjectSize
                | Meaning::Opaque
                | Meaning::Input
                | Meaning::Print(_),
            ) => Some(self.any_result_abstracted(expr, row)),
            _ if row.callback.is_some() || row.noreturn => {
                let construct = format!("`{}`, where memory holds any values", row.name);
                Some(self.unmodelled_value(&construct, ty))
            }
            Model::Any(_) => Some(self.any_result_abstracted(expr, row)),
            _ if row.determined => Some(self.any_result_abstracted(expr, row)),
            _ => {
                let construct = format!("`{}`, where memory holds any values", row.name);
                Some(self.unmodelled_value(&construct, ty))
            }
        }
    }

    /// Any result of a call.
    fn any_result_abstracted(&mut self, expr: ExprId, row: &Row) -> Val {
        if row.errno {
            self.may_set_errno(expr, None);
        }
        let ty = self.tree.exprs[expr].ty;
        match scalar(&self.tree.types, ty) {
            _ if self.tree.types.is_void(ty) => Val::Void,
            Some((kind, _)) => {
                let span = self.tree.exprs[expr].span;
                let result = FunctionResult { function: row.name.to_string(), ty, span };
                let origin = match catalogue::is_input(&row.name) {
                    true => HavocOrigin::Input(result),
                    false => HavocOrigin::Unknown(result),
                };
                let held = self.any_of(kind, origin);
                Val::Scalar(self.unheld(held, kind))
            }
            None => self.unmodelled_value("a struct of a function of the library", ty),
        }
    }

    /// The error is not known to be reached: each way to it leads to *unmodelled*, and all that is there is
    /// for want of memory.
    pub(in crate::lower) fn hide_error(&mut self) {
        let Some(sink) = self.build.automaton.unmodelled else { return };
        let error = self.build.automaton.error;
        for (number, edge) in self.build.automaton.edges.iter_mut().enumerate() {
            if edge.target == error {
                edge.target = sink;
                let construct = "the error, where memory holds any values".to_owned();
                let (edge, span) = (EdgeId::new(number), self.build.span);
                self.build.places.push(Unmodelled { edge, construct, span, bound: None });
            }
        }
        let bound = if self.slices.is_some() { Bound::Slice } else { Bound::Memory };
        self.build.places.iter_mut().for_each(|place| place.bound = Some(bound));
    }
}

/// The types that the addresses of functions are converted to where they are taken.
fn conversions(tree: &Program) -> FxHashMap<FunctionId, Vec<TypeId>> {
    let mut found: FxHashMap<FunctionId, Vec<TypeId>> = FxHashMap::default();
    for expr in &tree.exprs {
        let ExprKind::Convert { operand, .. } = expr.kind else { continue };
        let taken = match tree.exprs[operand].kind {
            ExprKind::Address { base: AddressBase::Function(taken), .. } => Some(taken),
            ExprKind::FunctionDecay(designator) => match tree.exprs[designator].kind {
                ExprKind::Function(taken) => Some(taken),
                _ => None,
            },
            _ => None,
        };
        if let (Some(taken), Some(ty)) = (taken, tree.types.pointee(expr.ty)) {
            found.entry(taken).or_default().push(ty);
        }
    }
    found
}
