//! Functions that stay procedures, so that recursion has no bound.
//!
//! A recursive function is lowered once, into a procedure of its own, and every call of it is a call edge.
//! Arguments and result go through objects that belong to the function and not to a call (those of depth 0):
//! the caller writes the arguments, the body begins by copying them to its parameters, and the caller reads
//! the result at once. All other automatic objects and temporaries of the body, and of what is inlined into
//! it, belong to the procedure: they exist once per activation. Depths inside of a procedure are counted
//! anew, from a base of its own, so that nothing of it is anything of another one.
//!
//! An object that exists once per activation must have no address, since there would be many. Whether one
//! has is known when all is lowered ([`Lowering::unkept`]); then the program is lowered again without that
//! procedure: calls of it are inlined, and its recursion is unrolled to a bound.

use crate::lower::CallMode;
use crate::lower::build::Builder;
use crate::lower::lowering::Lowering;
use crate::lower::memory::Key;
use crate::lower::memory::layout::scalar;
use crate::lower::memory::object::{Local, Storage};
use crate::lower::translate::expr::{Val, whole};
use crate::tree::FunctionId;
use crate::types::TypeId;
use nilas_program::{ProcedureId, VarId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The depths of each procedure begin at a multiple of this.
const BASE: usize = 1 << 20;

/// Where the depths of the procedure begin that a depth is of.
pub(in crate::lower) fn base_of(depth: usize) -> usize {
    depth - depth % BASE
}

/// What a procedure was lowered for.
pub(in crate::lower) type Wanted = (FunctionId, bool, bool);

impl Lowering<'_> {
    /// Whether calls of a function are call edges.
    pub(in crate::lower) fn is_kept(&self, function: FunctionId) -> bool {
        let recursive = self.facts.is_recursive(function);
        let wanted = match self.options.calls {
            CallMode::Inline => false,
            CallMode::Auto => recursive,
            CallMode::Keep => recursive || self.graph.sites(function) > 1,
        };
        wanted
            && self.keeping
            && !self.unkeepable.contains(&function)
            && function != self.main
            && self.calls.library.is_empty()
            && !self.facts.readers.contains(&function)
    }

    /// A call of a function that stays a procedure.
    pub(in crate::lower) fn call_kept(
        &mut self,
        function: FunctionId,
        arguments: &[(Val, TypeId)],
        result_ty: TypeId,
    ) -> Val {
        let tree = self.tree;
        let declared = &tree.functions[function];
        self.calls.entered.push(function);
        // Nobody reads what is passed behind the parameters.
        self.calls.more = None;
        for (number, &parameter) in declared.parameters.iter().enumerate() {
            let ty = tree.variables[parameter].ty;
            let object = self.object(Key::Local(Local { function, depth: 0, variable: parameter }));
            match arguments.get(number) {
                None => self.havoc_object(object),
                Some((Val::Void, _)) => {}
                Some((value @ Val::Aggregate(_), _)) => {
                    self.initialising(|this| this.store(&whole(object, ty), value.clone()));
                }
                Some((value, from)) => {
                    let term = self.argument_term(value, *from);
                    let term = self.adapt(term, *from, ty);
                    self.initialising(|this| this.write(&whole(object, ty), term));
                }
            }
        }
        let has_result = !tree.types.is_void(result_ty);
        let result = has_result.then(|| self.object(Key::Result(function, 0)));
        let wanted = (function, self.calls.ending, self.calls.called_back);
        let procedure = match self.calls.kept.get(&wanted) {
            Some(&procedure) => procedure,
            None => self.keep(wanted),
        };
        self.build.call(procedure, true);
        if declared.noreturn {
            self.build.never(super::call::RETURNS);
            return self.nothing(result_ty);
        }
        match result {
            Some(object) if scalar(&tree.types, result_ty).is_some() => {
                Val::Scalar(self.read(&whole(object, result_ty)))
            }
            Some(object) => Val::Aggregate(whole(object, result_ty)),
            None => Val::Void,
        }
    }

    /// Lowers the body of a function as a procedure.
    fn keep(&mut self, wanted: Wanted) -> ProcedureId {
        let (function, ..) = wanted;
        let name = self.tree.functions[function].name.clone();
        let depths = std::mem::take(&mut self.calls.depths);
        let base = std::mem::replace(&mut self.calls.base, BASE * (self.build.procedures.len() + 1));
        let blamed = self.build.blamed.take();
        let (procedure, _) = Builder::procedure(
            self,
            |this| &mut this.build,
            &name,
            |this| {
                if let Some(procedure) = this.build.inside() {
                    // Calls of it in its own body find it.
                    this.calls.kept.insert(wanted, procedure);
                }
                this.kept_body(function);
            },
        );
        self.calls.depths = depths;
        self.calls.base = base;
        self.build.blamed = blamed;
        procedure
    }

    fn kept_body(&mut self, function: FunctionId) {
        let tree = self.tree;
        let depth = self.calls.base + 1;
        for &parameter in &tree.functions[function].parameters {
            let ty = tree.variables[parameter].ty;
            let key = |depth| Key::Local(Local { function, depth, variable: parameter });
            self.begin_life(key(depth));
            let (from, to) = (self.object(key(0)), self.object(key(depth)));
            if scalar(&tree.types, ty).is_some() {
                let value = self.read(&whole(from, ty));
                self.initialising(|this| this.write(&whole(to, ty), value));
            } else {
                let value = Val::Aggregate(whole(from, ty));
                self.initialising(|this| this.store(&whole(to, ty), value));
            }
        }
        let result = tree.types.as_function(tree.functions[function].ty).map(|f| f.result);
        let result = result.filter(|&ty| !tree.types.is_void(ty));
        let result = result.map(|_| self.object(Key::Result(function, 0)));
        self.body(function, depth, FxHashMap::default(), result, true);
    }

    /// The procedure that an object exists once per activation of.
    fn procedure_of(key: Key) -> Option<ProcedureId> {
        let depth = match key {
            Key::Local(local) => local.depth,
            Key::Result(_, depth) | Key::Aggregate(_, depth, _) => depth,
            Key::Heap(site, ..) | Key::Pool(site, _) => site.depth,
            Key::Static(_) | Key::String(_) | Key::External(_) | Key::Function(_) | Key::Label(_) => 0,
        };
        (depth >= BASE).then(|| ProcedureId::new(depth / BASE - 1))
    }

    /// A function that must be unrolled or inlined after all, and why.
    pub(in crate::lower) fn unkept(&self) -> Option<(Option<FunctionId>, String)> {
        if !self.keeping || self.build.procedures.is_empty() {
            return None;
        }
        let of = |procedure: ProcedureId| {
            let mut kept = self.calls.kept.iter();
            kept.find(|(_, other)| **other == procedure).map(|((function, ..), _)| *function)
        };
        let name = |function: FunctionId| &self.tree.functions[function].name;
        let unnamed = String::new();
        let named = |function: Option<FunctionId>| function.map_or(&unnamed, name);
        for &key in self.memory.placed.keys().chain(self.memory.instances.keys()) {
            let passed = matches!(key, Key::Local(Local { depth: 0, .. }) | Key::Result(_, 0));
            if let Some(function) = Self::procedure_of(key).map(of) {
                let why = format!("`{}`: the address of a variable in it is taken", named(function));
                return Some((function, why));
            }
            if let (true, Key::Local(Local { function, .. }) | Key::Result(function, _)) = (passed, key) {
                let why = format!("`{}`: the address of an argument or result is taken", name(function));
                return Some((Some(function), why));
            }
        }
        let allocated = self.memory.objects.iter().map(|object| object.key);
        let allocated = allocated.filter(|key| matches!(key, Key::Heap(..) | Key::Pool(..)));
        if let Some(procedure) = allocated.filter_map(Self::procedure_of).next() {
            let function = of(procedure);
            return Some((function, format!("`{}`: it allocates memory", named(function))));
        }
        None
    }

    /// The variables that exist once per activation, by procedure.
    pub(in crate::lower) fn kept_variables(&self) -> Vec<Option<ProcedureId>> {
        let mut owners = vec![None; self.build.automaton.variables.len()];
        let mut global: BTreeSet<VarId> = BTreeSet::new();
        for object in &self.memory.objects {
            let owner = Self::procedure_of(object.key);
            for leaf in &object.leaves {
                let slots = match &leaf.storage {
                    Storage::Cells(cells) => &cells[..],
                    Storage::Array(slot) => std::slice::from_ref(slot),
                };
                for variable in slots.iter().filter_map(|slot| slot.variable) {
                    owners[variable.index()] = owner;
                    if owner.is_none() {
                        global.insert(variable);
                    }
                }
            }
            let others = object.length.map(|(variable, _)| variable);
            for variable in others.into_iter().chain(object.freed.map(|freed| freed.variable)) {
                owners[variable.index()] = owner;
                if owner.is_none() {
                    global.insert(variable);
                }
            }
        }
        for variable in self.temporaries.variables() {
            if !global.contains(&variable) {
                owners[variable.index()] = self.build.created[variable.index()];
            }
        }
        owners
    }
}
