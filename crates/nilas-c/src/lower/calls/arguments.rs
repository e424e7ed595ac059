//! Variable arguments that are read.
//!
//! Calls are inlined, so what a call passes behind the parameters is known where its body is lowered: the
//! arguments are saved at the call, and belong to its frame ([`More`]). A `va_list` holds a number: which
//! call, and which argument comes next. On machines where it is an array of one struct, the first member
//! holds it; where it is a pointer, the number is an address outside of the program. So lists are copied,
//! passed on and kept in memory as every other object is.
//!
//! `va_arg` tells the calls apart that are active, and their arguments. An argument that was not passed, or
//! that has another type, is undefined (7.16.1.1p2). Every other number (a list that was not started, was
//! ended, or belongs to a call that is not active) is *unmodelled*. Bodies in which lists are started or
//! read are not shared by calls; should a body around them be, then the lists of other calls are unmodelled
//! there.

use crate::lower::lowering::Lowering;
use crate::lower::memory::Key;
use crate::lower::memory::access::Place;
use crate::lower::memory::layout::scalar;
use crate::lower::translate::expr::{Val, whole};
use crate::lower::translate::temporary::Purpose;
use crate::property::{Claim, Property};
use crate::tree::{Builtin, ExprId, ExprKind, FunctionId, Program};
use crate::types::{TypeId, TypeKind};
use nilas_term::Term;
use std::collections::BTreeSet;
use std::rc::Rc;

const MISSING: Claim = Claim::new(Property::OtherUndefined, "`va_arg` of an argument that was not passed");
const OTHER_TYPE: Claim = Claim::new(Property::OtherUndefined, "`va_arg` of another type than was passed");
const NOT_KNOWN: &str = "a list of arguments that was not started, was ended, or belongs to another call";

/// Bits of the number of the next argument.
const POSITION: u32 = 10;
/// The most calls that are told apart; numbers of calls start at 1.
const MOST_CALLS: u32 = 1 << 20;

/// What a call passes behind the parameters.
#[derive(Debug)]
pub(in crate::lower) struct More {
    /// The number of the call.
    number: u32,
    /// The arguments, saved, with their types.
    values: Vec<(Val, TypeId)>,
}

/// The functions in which lists of arguments are started or read; none if nothing is ever read.
pub(in crate::lower) fn readers(tree: &Program) -> BTreeSet<FunctionId> {
    let is_read = |expr: &crate::tree::Expr| matches!(expr.kind, ExprKind::VaArg(_));
    if !tree.exprs.iter().any(is_read) {
        return BTreeSet::new();
    }
    let mut readers = BTreeSet::new();
    for (id, function) in tree.functions.enumerate() {
        let Some(body) = function.body else { continue };
        let mut found = false;
        tree.walk(
            body,
            |_| {},
            |expr| {
                found |= match tree.exprs[expr].kind {
                    ExprKind::VaArg(_) => true,
                    ExprKind::Builtin { builtin, .. } => builtin == Builtin::VaStart,
                    _ => false,
                }
            },
        );
        if found {
            readers.insert(id);
        }
    }
    readers
}

impl Lowering<'_> {
    /// Saves what a call passes behind the parameters, if the function may read it.
    pub(in crate::lower) fn pass_more(
        &mut self,
        function: FunctionId,
        arguments: &[ExprId],
        values: &mut [Val],
    ) {
        self.calls.more = None;
        if !self.facts.readers.contains(&function) {
            return;
        }
        let first = self.tree.functions[function].parameters.len();
        let mut more = Vec::new();
        for (&argument, value) in arguments.iter().zip(values.iter_mut()).skip(first) {
            *value = self.save_value(argument, value.clone());
            more.push((value.clone(), self.tree.exprs[argument].ty));
        }
        self.calls.lists += 1;
        if self.calls.lists < MOST_CALLS && more.len() + 1 < 1 << POSITION {
            self.calls.more = Some(Rc::new(More { number: self.calls.lists, values: more }));
        }
    }

    /// `va_start`, `va_end`, `va_copy`
    pub(in crate::lower) fn argument_list(&mut self, builtin: Builtin, arguments: &[ExprId]) {
        let Some(&list) = arguments.first() else { return };
        // Nothing reads lists, so it does not matter what they hold.
        if self.facts.readers.is_empty() {
            return;
        }
        let Some(to) = self.list_place(list) else { return };
        let value = match (builtin, arguments.get(1)) {
            (Builtin::VaStart, _) => match self.frame().more.clone() {
                Some(more) => self.list_number(to.ty, more.number, 0),
                None => {
                    self.build.unmodelled("variable arguments of a call that is not known");
                    return;
                }
            },
            (Builtin::VaCopy, Some(&from)) => {
                let Some(from) = self.list_place(from) else { return };
                let number = self.read(&from);
                self.save(list, Purpose::Number, number)
            }
            _ => self.default_term(to.ty),
        };
        self.write(&to, value);
    }

    /// Where the number of a list lies.
    fn list_place(&mut self, list: ExprId) -> Option<Place> {
        let tree = self.tree;
        let node = &tree.exprs[list];
        let record = |ty: TypeId| {
            let record = tree.types.as_record(ty)?;
            Some(tree.types.record(record).layout.as_ref()?.fields.first()?.ty)
        };
        let pointee = tree.types.pointee(node.ty);
        // An array that was passed on is a pointer.
        if let Some((pointee, number)) = pointee.and_then(|to| Some((to, record(to)?))) {
            let class = match node.kind.is_lvalue() {
                true => self.points.content_of(self.points.of_expr(list)),
                false => Some(self.points.of_expr(list)),
            };
            let pointer = match node.kind.is_lvalue() {
                true => {
                    let place = self.place(list);
                    Val::Scalar(self.read(&place))
                }
                false => self.value(list),
            };
            let place = self.pointed(pointer, pointee, class);
            return Some(Place { ty: number, ..place });
        }
        if !node.kind.is_lvalue() {
            self.build.unmodelled("a list of arguments that is no object");
            return None;
        }
        let place = self.place(list);
        match tree.types.kind(node.ty) {
            TypeKind::Array(element, _) => match record(*element) {
                Some(number) => Some(Place { ty: number, ..place }),
                None => {
                    self.build.unmodelled("a list of arguments of this type");
                    None
                }
            },
            _ => Some(place),
        }
    }

    /// The number that a list holds: never zero. As a pointer, an address outside of the program.
    fn list_number(&mut self, ty: TypeId, call: u32, position: usize) -> Term {
        let number = u64::from(call) << POSITION | position as u64;
        if self.tree.types.pointee(ty).is_none() {
            return self.build.arena.bv(32, number);
        }
        let width = self.pointer_bits();
        self.build.arena.bv(width, 1 << (width - 1) | number)
    }

    /// `va_arg(list, T)`
    pub(in crate::lower) fn next_argument(&mut self, expr: ExprId, list: ExprId) -> Val {
        let ty = self.tree.exprs[expr].ty;
        let Some(place) = self.list_place(list).filter(|_| self.build.reachable()) else {
            return self.nothing(ty);
        };
        let place = self.save_place(list, place);
        self.build.span = self.tree.exprs[expr].span;
        let number = self.read(&place);
        let number = self.save(list, Purpose::Number, number);
        self.ask_for_own(None);
        let active: Vec<Rc<More>> =
            self.calls.frames.iter().rev().filter_map(|frame| frame.more.clone()).collect();
        let mut taken = Taken::new(self, expr, ty);
        let meet = self.build.new_location();
        for more in &active {
            for (position, (value, from)) in more.values.iter().enumerate() {
                let this = self.list_number(place.ty, more.number, position);
                self.one_way(number, this, meet, |lowering| {
                    let next = lowering.list_number(place.ty, more.number, position + 1);
                    if lowering.is_taken_as(*from, ty) {
                        taken.take(lowering, value, *from);
                        lowering.write(&place, next);
                    }
                });
            }
            let end = self.list_number(place.ty, more.number, more.values.len());
            if self.build.reachable() {
                let passed = self.build.arena.ne(number, end);
                self.build.defined(passed, MISSING);
            }
        }
        self.build.unmodelled(NOT_KNOWN);
        if !self.build.has_incoming(meet) {
            return self.nothing(ty);
        }
        self.build.continue_at(meet);
        taken.value(self)
    }

    /// Where the list holds a number, goes one way; goes on where it does not.
    fn one_way(
        &mut self,
        number: Term,
        expected: Term,
        meet: nilas_program::LocationId,
        lower: impl FnOnce(&mut Self),
    ) {
        if !self.build.reachable() {
            return;
        }
        let hit = self.build.arena.eq(number, expected);
        let other = self.build.split(hit);
        if self.build.reachable() {
            lower(self);
            self.build.goto(meet);
        }
        match other {
            Some(other) => self.build.continue_at(other),
            None => self.build.here = None,
        }
    }

    /// Whether an argument is taken as a type; if not, that is undefined. Machines take the bits where types
    /// differ in no more than their names or signs, though C may leave that undefined.
    fn is_taken_as(&mut self, from: TypeId, to: TypeId) -> bool {
        let types = &self.tree.types;
        if types.compatible_unqualified(from, to) {
            return true;
        }
        let same_size = types.size_of(from) == types.size_of(to);
        let like = match (types.kind(from), types.kind(to)) {
            (TypeKind::Pointer(_), TypeKind::Pointer(_)) => true,
            (TypeKind::Float(from), TypeKind::Float(to)) => from == to,
            (TypeKind::Record(_), TypeKind::Record(_)) => same_size,
            _ => types.int_kind(from).is_some() && types.int_kind(to).is_some() && same_size,
        };
        if like {
            self.build.presume("an argument may be taken as a type that is not compatible with its own");
            return true;
        }
        self.build.never(OTHER_TYPE);
        false
    }
}

/// Where the argument goes that is taken.
struct Taken {
    ty: TypeId,
    target: Target,
    known: Option<Option<crate::lower::memory::provenance::Known>>,
}

enum Target {
    Scalar(nilas_program::VarId, Term, crate::lower::memory::layout::Kind),
    Aggregate(Place),
}

impl Taken {
    fn new(lowering: &mut Lowering<'_>, expr: ExprId, ty: TypeId) -> Taken {
        let target = match scalar(&lowering.tree.types, ty) {
            Some((kind, _)) => {
                let held = lowering.held_kind(kind).sort();
                let (variable, result) = lowering.temporary(expr, Purpose::Joined, &held);
                Target::Scalar(variable, result, kind)
            }
            None => {
                let (function, depth) = (lowering.frame().function, lowering.frame().depth);
                let object = lowering.object(Key::Aggregate(function, depth, expr));
                Target::Aggregate(whole(object, ty))
            }
        };
        Taken { ty, target, known: None }
    }

    fn take(&mut self, lowering: &mut Lowering<'_>, value: &Val, from: TypeId) {
        match (&self.target, value) {
            (Target::Scalar(variable, ..), _) => {
                let term = lowering.argument_term(value, from);
                let term = lowering.adapt(term, from, self.ty);
                let term = lowering.held(term);
                lowering.build.assign(*variable, term);
                let pointee = lowering.tree.types.pointee(self.ty);
                let known = lowering.known_pointer(term, pointee);
                self.known = Some(match self.known.take() {
                    Some(before) => before.filter(|before| Some(*before) == known),
                    None => known,
                });
            }
            (Target::Aggregate(place), Val::Aggregate(source)) => {
                let place = place.clone();
                lowering.copy(&place, source, self.ty);
            }
            (Target::Aggregate(_), _) => lowering.build.unmodelled("an argument of this type"),
        }
    }

    fn value(self, lowering: &mut Lowering<'_>) -> Val {
        match self.target {
            Target::Scalar(_, result, kind) => {
                match self.known.flatten() {
                    Some(known) => lowering.memory.provenance.learn(result, known),
                    None => lowering.memory.provenance.forget(result),
                }
                Val::Scalar(lowering.unheld(result, kind))
            }
            Target::Aggregate(place) => Val::Aggregate(place),
        }
    }
}
