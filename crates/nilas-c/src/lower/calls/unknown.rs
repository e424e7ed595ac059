//! Functions of which nothing is known: they have neither a body nor a row in the catalogue.
//!
//! [`UnknownFunctions`] says what they may do. All of unknown code is one: what one function was given,
//! another may return or write later. Each object (or function) of the class that unknown code may get at
//! ([`Points::unknown`]) has two flags in the automaton: unknown code *knows* its address, and may *write*
//! it, which it may not if it was given pointers to `const` only. A call sets flags, lets everything that may
//! be written become anything, calls the known functions any number of times, and returns.
//!
//! The flags say *may*: they are set for all that pointers in known memory can mean. That is allowed, because
//! whatever they decide is a choice with an origin that makes an execution doubtful ([`HavocOrigin::doubt`]):
//! every write starts from `t := x; havoc t`, so that an execution with the old value kept is the one in
//! which the function does not write. Only results are real: null, memory of unknown origin, or the object of
//! an argument of this very call.
//!
//! [`Points::unknown`]: crate::lower::memory::points::Points::unknown

use crate::lower::build::alignment::ALL_ZERO;
use crate::lower::build::levels::Level;
use crate::lower::lowering::Lowering;
use crate::lower::memory::Key;
use crate::lower::memory::layout::scalar;
use crate::lower::memory::object::{ObjectId, Storage};
use crate::lower::memory::provenance::{Known, Within};
use crate::lower::translate::expr::{Val, whole};
use crate::lower::translate::temporary::{Purpose, Scratch};
use crate::lower::{AssumptionKind, FunctionResult, HavocOrigin, UnknownFunctions};
use crate::source::Span;
use crate::tree::{ExprId, FunctionId, Linkage};
use crate::types::TypeId;
use nilas_fault::{Fault, planted};
use nilas_program::VarId;
use nilas_term::{BitVec, Sort, Term};

/// More objects that a pointer may mean are not looked at one by one.
const MOST_TARGETS: usize = 12;
/// More pairs of a pointer in known memory and an object are not looked at one by one.
const MOST_PAIRS: usize = 64;
/// Longer chains of pointers in known memory are not followed one by one.
const LONGEST_CHAIN: usize = 3;

/// The flags of an object or a function.
#[derive(Clone, Copy)]
pub(in crate::lower) struct Escape {
    /// Unknown code knows the address.
    known: (VarId, Term),
    /// It may write there.
    open: (VarId, Term),
}

/// Something that unknown code may get at.
#[derive(Clone, Copy)]
struct Reached {
    key: Key,
    /// The address and the size of its region as a power of two.
    start: u64,
    log: u32,
    escape: Escape,
}

/// What an argument gives to unknown code.
enum Given {
    /// The address of an object or a function, and whether it may write there.
    Object(Key, bool),
    /// What the pointer means.
    Address(Term, bool),
    /// Nobody knows: everything of the class.
    Everything,
}

impl Lowering<'_> {
    /// A call of a function of which nothing is known.
    pub(in crate::lower) fn call_unknown(
        &mut self,
        expr: ExprId,
        function: FunctionId,
        arguments: &[ExprId],
        values: &[Val],
    ) -> Val {
        let declared = &self.tree.functions[function];
        let ty = self.tree.exprs[expr].ty;
        let text = self.options.unknown_functions.sentence(&declared.name);
        self.build.rests_on(AssumptionKind::UnknownFunction, &text);
        self.calls.unknown.insert(function);
        if self.options.unknown_functions == UnknownFunctions::Nothing {
            if declared.noreturn {
                self.build.stop();
                return self.nothing(ty);
            }
            let result = self.any_value(expr, &declared.name);
            self.keep_promise(function, ty, &result);
            return result;
        }
        let given = self.given(arguments, values);
        let reached = self.reached();
        if !declared.pure {
            self.hand_over(&given, &reached);
            self.spread(&reached);
            if !planted(Fault::UnknownWritesNothing) {
                self.act(expr, &declared.name, &reached);
            }
        }
        if declared.noreturn {
            self.build.stop();
            return self.nothing(ty);
        }
        let result = self.unknown_result(expr, &declared.name, &given, &reached);
        self.keep_promise(function, ty, &result);
        result
    }

    /// A function that is declared so gives no null pointer.
    fn keep_promise(&mut self, function: FunctionId, ty: TypeId, result: &Val) {
        if let Val::Scalar(pointer) = *result
            && self.tree.functions[function].nonnull
            && self.tree.types.pointee(ty).is_some()
        {
            let null = self.build.arena.bv(self.pointer_bits(), 0);
            let nonnull = self.build.arena.ne(pointer, null);
            self.build.assume(nonnull);
        }
    }

    /// Whether a function is declared to give the same result for the same arguments.
    pub(in crate::lower) fn is_pure(&self, name: &str) -> bool {
        self.tree.function(name).is_some_and(|function| self.tree.functions[function].pure)
    }

    /// What unknown code knows when the program starts.
    pub(in crate::lower) fn initialise_escapes(&mut self) {
        for (key, escape) in self.calls.escapes.clone() {
            let from_start = match key {
                Key::Static(variable) => self.points.outside().contains(&variable),
                Key::Function(function) => {
                    self.options.unknown_functions == UnknownFunctions::Anything
                        && self.tree.functions[function].linkage == Linkage::External
                }
                _ => false,
            };
            let value = self.build.arena.mk_bool(from_start);
            self.build.assign(escape.known.0, value);
            self.build.assign(escape.open.0, value);
        }
    }

    /// An object that is declared and not defined holds anything at first; its pointers may point to others
    /// of the kind.
    pub(in crate::lower) fn havoc_outside(&mut self, object: ObjectId, declared: Span) {
        self.havoc_declared(object, Some(declared));
        if self.options.unknown_functions == UnknownFunctions::Nothing {
            return;
        }
        let reached: Vec<Reached> =
            self.reached().into_iter().filter(|it| self.belongs_outside(it.key)).collect();
        if reached.is_empty() {
            return;
        }
        for (number, leaf) in self.memory.objects[object.0].leaves.clone().into_iter().enumerate() {
            let Storage::Cells(cells) = &leaf.storage else { continue };
            for cell in cells.iter().filter(|_| leaf.pointee.is_some()) {
                let Some(variable) = cell.variable else { continue };
                let sort = Sort::BitVec(self.pointer_bits());
                let (new, pointer) = self.scratch(Scratch::WrittenPointer, &sort);
                self.build.havoc_aligned(new, self.alignment(leaf.pointee));
                let mut ways = self.not_of_the_program(pointer);
                for object in &reached {
                    ways.push(self.is_inside(pointer, object));
                }
                self.make_pointer(new, &ways);
                self.check_stored(object, number, pointer, true, None);
                self.build.assign(variable, pointer);
            }
        }
    }

    fn belongs_outside(&self, key: Key) -> bool {
        matches!(key, Key::Static(variable) if self.points.outside().contains(&variable))
    }

    /// What the arguments give away.
    fn given(&mut self, arguments: &[ExprId], values: &[Val]) -> Vec<Given> {
        let tree = self.tree;
        let mut given = Vec::new();
        for (value, &argument) in values.iter().zip(arguments) {
            let ty = tree.exprs[argument].ty;
            if !self.points.may_hand_over(&tree.types, ty) {
                // A part of an address, or one as a float.
                if let Val::Scalar(term) = *value
                    && self.build.level(term) != Level::Clean
                {
                    if self.points.of_expr(argument) != self.points.unknown() {
                        let construct = "a part of an address given to a function without body";
                        self.build.unmodelled(construct);
                    }
                    given.push(Given::Everything);
                }
                continue;
            }
            let pointee = tree.types.pointee(ty);
            let fixed = pointee.is_some_and(|pointee| tree.types.qualifiers(pointee).is_const);
            if fixed {
                let text = "functions without body do not write through pointers to `const`";
                self.build.rests_on(AssumptionKind::ConstPointee, text);
            }
            match value {
                Val::Pointer(address) => {
                    // It gets an address, if it has none.
                    self.address_term(address);
                    given.push(Given::Object(self.memory.objects[address.object.0].key, !fixed));
                }
                Val::Scalar(term) => match self.build.arena.as_bitvec(*term).and_then(BitVec::to_u64) {
                    Some(constant) => {
                        given.extend(self.at_address(constant).map(|(key, _)| Given::Object(key, !fixed)));
                    }
                    None if self.build.level(*term) == Level::Scrambled => given.push(Given::Everything),
                    None => {
                        let construct =
                            "a pointer to an object that was not foreseen given to a function without body";
                        if pointee.is_some() || self.build.level(*term).is_address() {
                            self.use_expected(*term, Some(self.points.unknown()), construct);
                        }
                        given.push(Given::Address(*term, !fixed));
                    }
                },
                Val::Aggregate(_) => given.push(Given::Everything),
                Val::Void => {}
            }
        }
        given
    }

    /// All that unknown code may ever get at and that lives here, with its flags.
    fn reached(&mut self) -> Vec<Reached> {
        for &variable in self.points.outside() {
            let object = self.object(Key::Static(variable));
            let size = self.memory.objects[object.0].size;
            self.address(Key::Static(variable), size);
        }
        let mut places = self.candidates(Some(self.points.unknown()));
        for &function in self.points.callbacks() {
            let key = Key::Function(function);
            places.extend(self.address(key, 1).map(|start| (start, key, 0)));
        }
        places.into_iter().map(|(start, key, log)| self.reach(key, start, log)).collect()
    }

    /// All that was reached and what belongs to unknown code anyway, each with one of its flags.
    fn with_owned(&mut self, reached: &[Reached], flag: fn(Escape) -> Term) -> Vec<(Key, Term)> {
        let always = self.build.arena.mk_true();
        let owned = self.points.owned().iter().map(|&variable| (Key::Static(variable), always));
        reached.iter().map(|target| (target.key, flag(target.escape))).chain(owned).collect()
    }

    fn reach(&mut self, key: Key, start: u64, log: u32) -> Reached {
        let escape = match self.calls.escapes.get(&key) {
            Some(&escape) => escape,
            None => {
                let known = self.build.new_variable(&format!("known.{start:x}"), &Sort::Bool);
                let open = self.build.new_variable(&format!("open.{start:x}"), &Sort::Bool);
                *self.calls.escapes.entry(key).or_insert(Escape { known, open })
            }
        };
        Reached { key, start, log, escape }
    }

    /// Whether an address is in the region of an object, or that of a function.
    fn is_in_region(&mut self, address: Term, reached: &Reached) -> Term {
        let width = self.pointer_bits();
        if reached.log == 0 {
            let start = self.build.arena.bv(width, reached.start);
            return self.build.arena.eq(address, start);
        }
        let high = self.build.arena.extract(address, width - 1, reached.log);
        let region = self.build.arena.bv(width - reached.log, reached.start >> reached.log);
        self.build.arena.eq(high, region)
    }

    /// Whether an address is in an object, or behind its last byte.
    fn is_inside(&mut self, address: Term, reached: &Reached) -> Term {
        let in_region = self.is_in_region(address, reached);
        if reached.log == 0 {
            return in_region;
        }
        let object = self.object(reached.key);
        let (size, length) = (self.memory.objects[object.0].size, self.memory.objects[object.0].length);
        let width = self.pointer_bits();
        let size = length.map_or_else(|| self.build.arena.bv(width, size), |(_, length)| length);
        let start = self.build.arena.bv(width, reached.start);
        let offset = self.build.arena.bv_sub(address, start);
        let fits = self.build.arena.bv_ule(offset, size);
        self.build.arena.and(&[in_region, fits])
    }

    /// Null, or memory of unknown origin.
    fn not_of_the_program(&mut self, address: Term) -> Vec<Term> {
        let null = self.build.arena.bv(self.pointer_bits(), 0);
        vec![self.build.arena.eq(address, null), self.build.arena.bv_is_negative(address)]
    }

    /// Makes any value a pointer that unknown code may make: it is one of these, or null.
    fn make_pointer(&mut self, variable: VarId, ways: &[Term]) {
        let pointer = self.build.variable_term(variable);
        let null = self.build.arena.bv(self.pointer_bits(), 0);
        let any = self.build.arena.or(ways);
        let value = self.build.arena.ite(any, pointer, null);
        self.build.assign(variable, value);
        self.build.levels.holds_address(variable, pointer);
        if self.memory.plan.is_some() {
            let class = Some(self.points.unknown());
            self.memory.provenance.learn(pointer, Known::In(Within { class, position: None, near: false }));
        }
    }

    fn set_flags(&mut self, escape: Escape, condition: Term, writes: bool) {
        for (variable, flag) in [Some(escape.known), writes.then_some(escape.open)].into_iter().flatten() {
            let value = self.build.arena.or(&[flag, condition]);
            self.build.assign(variable, value);
        }
    }

    /// Unknown code gets what the arguments mean.
    fn hand_over(&mut self, given: &[Given], reached: &[Reached]) {
        for given in given {
            for target in reached {
                let (condition, writes) = match given {
                    Given::Object(key, writes) if *key == target.key => (self.build.arena.mk_true(), *writes),
                    Given::Object(..) => continue,
                    Given::Address(term, writes) if reached.len() <= MOST_TARGETS => {
                        (self.is_in_region(*term, target), *writes)
                    }
                    Given::Address(_, writes) => (self.build.arena.mk_true(), *writes),
                    Given::Everything => (self.build.arena.mk_true(), true),
                };
                self.set_flags(target.escape, condition, writes);
            }
        }
    }

    /// What pointers in known memory mean is known, and may be written.
    fn spread(&mut self, reached: &[Reached]) {
        if self.points.stores_outside() && self.memory.external.is_some() {
            // Nobody looks for pointers in memory of unknown origin.
            self.hand_over(&[Given::Everything], reached);
            return;
        }
        let mut holders: Vec<(Term, Option<Vec<Term>>)> = Vec::new();
        for (key, known) in self.with_owned(reached, |escape| escape.known.1) {
            if matches!(key, Key::Function(_) | Key::String(_)) {
                continue;
            }
            let object = self.object(key);
            let mut cells = Some(Vec::new());
            let mut holds = false;
            for leaf in self.memory.objects[object.0].leaves.clone() {
                // Numbers and bytes may hold addresses, too.
                let number = leaf.pointee.is_none() && !leaf.union;
                if number && leaf.slots().iter().all(|slot| self.build.level(slot.term) == Level::Clean) {
                    continue;
                }
                holds = true;
                match (&leaf.storage, &mut cells) {
                    (Storage::Cells(slots), Some(cells)) if leaf.pointee.is_some() => {
                        cells.extend(slots.iter().map(|slot| slot.term));
                    }
                    _ => cells = None,
                }
            }
            if holds || !self.memory.objects[object.0].modelled {
                holders.push((known, cells.filter(|_| self.memory.objects[object.0].modelled)));
            }
        }
        let pairs: usize =
            holders.iter().map(|(_, cells)| cells.as_ref().map_or(0, Vec::len) * reached.len()).sum();
        let rounds = holders.len();
        let exact = rounds <= LONGEST_CHAIN && pairs <= MOST_PAIRS;
        for _ in 0..rounds {
            for (known, cells) in &holders {
                let known = *known;
                for target in reached {
                    let condition = match cells {
                        Some(cells) if exact => {
                            let mut ways = Vec::new();
                            for &cell in cells {
                                ways.push(self.is_in_region(cell, target));
                            }
                            let meant = self.build.arena.or(&ways);
                            self.build.arena.and(&[known, meant])
                        }
                        _ => known,
                    };
                    self.set_flags(target.escape, condition, true);
                }
            }
        }
    }

    /// Unknown code writes, calls back, writes, calls back, …
    fn act(&mut self, expr: ExprId, name: &str, reached: &[Reached]) {
        let functions: Vec<(FunctionId, Term)> = reached
            .iter()
            .filter_map(|it| match it.key {
                Key::Function(function) => Some((function, it.escape.known.1)),
                _ => None,
            })
            .collect();
        if functions.is_empty() {
            self.write_known(name, reached);
            return;
        }
        if self.calls.called_back {
            let known: Vec<Term> = functions.iter().map(|&(_, known)| known).collect();
            let known = self.build.arena.or(&known);
            let construct = format!("`{name}`, which has no body, calling back from within a callback");
            self.build.unmodelled_if(known, &construct);
            self.write_known(name, reached);
            return;
        }
        self.calls.called_back = true;
        self.loops += 1;
        let head = self.build.new_location();
        self.build.goto(head);
        self.build.continue_at(head);
        self.write_known(name, reached);
        for (function, known) in functions {
            if !self.build.reachable() {
                break;
            }
            let (choice, calls) = self.scratch(Scratch::Callback, &Sort::Bool);
            let no = self.build.arena.mk_false();
            self.build.assign(choice, no);
            let origin = HavocOrigin::Callback(name.to_owned());
            self.with_origin(origin, |this| this.build.havoc(choice));
            let called = self.build.arena.and(&[known, calls]);
            let Some(other) = self.build.split(called) else { break };
            self.call_back(expr, name, function, reached);
            self.build.goto(head);
            self.build.continue_at(other);
        }
        self.loops -= 1;
        self.calls.called_back = false;
    }

    /// Calls a function with any arguments.
    fn call_back(&mut self, expr: ExprId, name: &str, function: FunctionId, reached: &[Reached]) {
        let tree = self.tree;
        let declared = &tree.functions[function];
        if declared.body.is_none() {
            // With which arguments, nobody knows.
            let construct = format!("`{name}`, which has no body, calling back `{}`", declared.name);
            self.build.unmodelled(&construct);
            return;
        }
        let mut arguments: Vec<(Val, TypeId)> = Vec::new();
        for (number, &parameter) in tree.functions[function].parameters.iter().enumerate() {
            let ty = tree.variables[parameter].ty;
            let Some((kind, _)) = scalar(&tree.types, ty) else {
                let construct = format!("`{name}`, which has no body, calling back with a struct");
                self.build.unmodelled(&construct);
                return;
            };
            let purpose = Purpose::CallbackArgument(function, number);
            let held = self.held_kind(kind).sort();
            let (variable, held) = self.temporary(expr, purpose, &held);
            let zeros = self.pointee_alignment(ty);
            let origin = HavocOrigin::Callback(name.to_owned());
            self.with_origin(origin, |this| this.build.havoc_aligned(variable, zeros));
            if tree.types.pointee(ty).is_some() {
                let ways = self.known_ways(held, reached);
                self.make_pointer(variable, &ways);
            }
            let term = self.unheld(held, kind);
            arguments.push((Val::Scalar(term), ty));
        }
        let result = self.inline(function, &arguments);
        // What it returns is known from now on.
        let result_ty = tree.types.as_function(tree.functions[function].ty).map(|f| f.result);
        if let Some(ty) = result_ty.filter(|&ty| self.points.may_hand_over(&tree.types, ty)) {
            let given = match result {
                Val::Scalar(term) if tree.types.pointee(ty).is_some() => Given::Address(term, true),
                _ => Given::Everything,
            };
            self.hand_over(&[given], reached);
        }
        self.spread(reached);
    }

    /// The pointers that unknown code may make: null, memory of unknown origin, and what it knows.
    fn known_ways(&mut self, address: Term, reached: &[Reached]) -> Vec<Term> {
        let mut ways = self.not_of_the_program(address);
        for target in reached {
            let inside = self.is_inside(address, target);
            ways.push(self.build.arena.and(&[target.escape.known.1, inside]));
        }
        ways
    }

    /// Everything that unknown code may write is written, or not.
    fn write_known(&mut self, name: &str, reached: &[Reached]) {
        let written = HavocOrigin::Written(name.to_owned());
        for (key, open) in self.with_owned(reached, |escape| escape.open.1) {
            let constant = match key {
                Key::Function(_) | Key::String(_) => true,
                Key::Static(variable) => {
                    self.tree.types.qualifiers(self.tree.variables[variable].ty).is_const
                }
                _ => false,
            };
            if constant {
                continue;
            }
            let object = self.object(key);
            let construct = format!("a pointer given to `{name}`, which has no body");
            if !self.memory.objects[object.0].modelled {
                self.build.unmodelled_if(open, &construct);
                continue;
            }
            for (number, leaf) in self.memory.objects[object.0].leaves.clone().into_iter().enumerate() {
                if leaf.pointee.is_some() && matches!(leaf.storage, Storage::Array(_)) {
                    self.build.unmodelled_if(open, &construct);
                    continue;
                }
                for slot in leaf.slots() {
                    let Some(variable) = slot.variable else { continue };
                    let sort = self.build.arena.sort(slot.term).clone();
                    let purpose = match leaf.pointee {
                        Some(_) => Scratch::WrittenPointer,
                        None => Scratch::Written,
                    };
                    let (new, value) = self.scratch(purpose, &sort);
                    self.build.assign(new, slot.term);
                    let zeros = self.alignment(leaf.pointee);
                    self.with_origin(written.clone(), |this| this.build.havoc_aligned(new, zeros));
                    if leaf.pointee.is_some() {
                        let mut ways = self.known_ways(value, reached);
                        ways.push(self.build.arena.eq(value, slot.term));
                        self.make_pointer(new, &ways);
                    }
                    let value = self.build.arena.ite(open, value, slot.term);
                    if leaf.pointee.is_some() {
                        self.check_stored(object, number, value, true, None);
                    }
                    self.build.assign(variable, value);
                    self.note_perhaps(slot, open);
                }
            }
        }
        if let Some(object) = self.memory.external {
            self.with_origin(written.clone(), |this| this.havoc_object(object));
        }
        // Any code may set `errno`, though nobody gives it to it.
        if let Some(errno) = self.facts.errno {
            let place = whole(self.variable_object(errno), self.tree.variables[errno].ty);
            let old = self.read(&place);
            let sort = self.build.arena.sort(old).clone();
            let (new, value) = self.scratch(Scratch::Written, &sort);
            self.build.assign(new, old);
            self.with_origin(written, |this| this.build.havoc(new));
            self.write(&place, value);
        }
    }

    /// Any result. A pointer is null, or points into memory of unknown origin, into what the call was given,
    /// or (not known to be real) into what unknown code was given earlier.
    fn unknown_result(&mut self, expr: ExprId, name: &str, given: &[Given], reached: &[Reached]) -> Val {
        let tree = self.tree;
        let node = &tree.exprs[expr];
        let result = FunctionResult { function: name.to_owned(), ty: node.ty, span: node.span };
        let origin = match self.is_pure(name) {
            true => HavocOrigin::Determined(name.to_owned()),
            false => HavocOrigin::Unknown(result),
        };
        if tree.types.pointee(node.ty).is_some() {
            let sort = Sort::BitVec(self.pointer_bits());
            let (variable, term) = self.temporary(expr, Purpose::AnyResult, &sort);
            self.build.note_source_alignment(variable, self.pointee_alignment(node.ty));
            self.any_pointer(variable, &origin, name, given, reached);
            return Val::Scalar(term);
        }
        let value = self.any_value(expr, name);
        if let Val::Aggregate(_) = value {
            let (function, depth) = (self.frame().function, self.frame().depth);
            let object = self.object(Key::Aggregate(function, depth, expr));
            for (number, leaf) in self.memory.objects[object.0].leaves.clone().into_iter().enumerate() {
                if leaf.pointee.is_none() || !matches!(leaf.storage, Storage::Cells(_)) {
                    continue;
                }
                for variable in leaf.slots().into_iter().filter_map(|slot| slot.variable) {
                    let sort = Sort::BitVec(self.pointer_bits());
                    let (new, pointer) = self.scratch(Scratch::WrittenPointer, &sort);
                    self.build.note_source_alignment(new, self.alignment(leaf.pointee));
                    self.any_pointer(new, &origin, name, given, reached);
                    self.check_stored(object, number, pointer, true, None);
                    self.build.assign(variable, pointer);
                }
            }
        }
        value
    }

    /// Makes a variable, whose alignment is noted, such a pointer.
    fn any_pointer(
        &mut self,
        variable: VarId,
        origin: &HavocOrigin,
        name: &str,
        given: &[Given],
        reached: &[Reached],
    ) {
        let pointer = self.build.variable_term(variable);
        let mut ways = self.not_of_the_program(pointer);
        for target in reached {
            let inside = self.is_inside(pointer, target);
            for given in given {
                match given {
                    Given::Object(key, _) if *key == target.key => ways.push(inside),
                    Given::Address(term, _) => {
                        let meant = self.is_in_region(*term, target);
                        ways.push(self.build.arena.and(&[meant, inside]));
                    }
                    Given::Object(..) | Given::Everything => {}
                }
            }
        }
        if !reached.is_empty() {
            let (choice, kept) = self.scratch(Scratch::Callback, &Sort::Bool);
            let no = self.build.arena.mk_false();
            self.build.assign(choice, no);
            self.with_origin(HavocOrigin::Kept(name.to_owned()), |this| this.build.havoc(choice));
            let known = self.known_ways(pointer, reached);
            let known = self.build.arena.or(&known);
            ways.push(self.build.arena.and(&[kept, known]));
        }
        self.with_origin(origin.clone(), |this| this.build.havoc_aligned(variable, ALL_ZERO));
        self.make_pointer(variable, &ways);
    }
}
