//! What pointers may point to: Steensgaard's analysis, one class of objects per pointer, without regard to
//! fields.
//!
//! Every expression has a node: for an lvalue the class of the object it is in, for a value the class of what
//! it points to. Assignments unite classes; each class knows the class of what its contents point to. The
//! lowering relies on it: an access through a pointer is undefined where the pointer does not point into a
//! living object of its class. Values of every type have classes, so that pointers in integers and bytes are
//! not lost.
//!
//! Unknown code is one class, too: everything that a function without body and known meaning is given or
//! returns, what these point to, and the objects that are declared but not defined ([`Points::unknown`]).
//!
//! Pointers that do not come from an object have an [`Origin`], which is a property of the class that they
//! point to.

use crate::index::Id;
use crate::library::catalogue::{self, Meaning, Model, Row, Target};
use crate::lower::UnknownFunctions;
use crate::lower::translate::scope::Scopes;
use crate::tree::{
    AddressBase, Builtin, Callee, Conversion, Duration, Expr, ExprId, ExprKind, FunctionId, InitValue,
    Linkage, Program, StmtKind, StringId, VarId,
};
use crate::types::{TypeId, TypeKind, TypeTable};
use nilas_fault::{Fault, planted};
use std::collections::{BTreeMap, BTreeSet};

/// A class of objects.
pub(in crate::lower) type Class = u32;

/// Where else than from an object a pointer into a class may come.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(in crate::lower) struct Origin {
    /// From outside of the program: functions without body, inputs, `extern` objects.
    pub(in crate::lower) external: bool,
    /// From memory that nothing was written to.
    pub(in crate::lower) uninitialised: bool,
    /// From a number in the program.
    pub(in crate::lower) number: bool,
}

/// See the module's text.
pub(in crate::lower) struct Points {
    /// Casts between pointers into a class: from and to what.
    casts: BTreeMap<Class, Vec<(TypeId, TypeId)>>,
    /// Classes that pointers of any type may point into, whatever is there, in order.
    mixed: Vec<u32>,
    /// Classes given to `free`.
    freed: Vec<u32>,
    origins: Vec<Origin>,
    arguments: u32,
    parents: Vec<u32>,
    contents: Vec<Option<u32>>,
    variables: u32,
    strings: u32,
    results: u32,
    heap: u32,
    /// What is assumed of functions of which nothing is known.
    unknown_functions: UnknownFunctions,
    /// What unknown code may get at.
    unknown: u32,
    /// Where addresses of functions are taken.
    addresses: Vec<(u32, FunctionId)>,
    /// The functions that pointers into a class may mean, in order.
    code: BTreeMap<Class, Vec<FunctionId>>,
    /// Classes in which pointers to functions are converted to pointers to other types, in order.
    recast: Vec<u32>,
    /// Objects that belong to unknown code from the start, in order.
    outside: Vec<VarId>,
    /// Pointers that belong to unknown code, and that nothing points to, in order.
    owned: Vec<VarId>,
    /// Functions that unknown code may call, in order.
    callbacks: Vec<FunctionId>,
    /// A function of which nothing is known is called.
    calls_unknown: bool,
    /// The types of what unknown code is given pointers to, and returns pointers to.
    handed: Vec<TypeId>,
    /// Pointers may be stored into memory that belongs to unknown code.
    stores_outside: bool,
    /// Pointers are converted to integers somewhere.
    numbers: bool,
}

impl Points {
    pub(in crate::lower) fn new(
        tree: &Program,
        targets: &[FunctionId],
        scopes: &Scopes,
        unknown_functions: UnknownFunctions,
    ) -> Points {
        let count = |length: usize| u32::try_from(length).unwrap_or(u32::MAX / 8);
        let exprs = count(tree.exprs.len());
        let variables = exprs;
        let strings = variables + count(tree.variables.len());
        let results = strings + count(tree.strings.len());
        let heap = results + count(tree.functions.len());
        let arguments = heap + exprs;
        let unknown = arguments + 1;
        let total = unknown + 1;
        let mut points = Points {
            parents: (0..total).collect(),
            contents: vec![None; total as usize],
            variables,
            strings,
            results,
            heap,
            arguments,
            unknown_functions,
            unknown,
            addresses: Vec::new(),
            code: BTreeMap::new(),
            recast: Vec::new(),
            outside: Vec::new(),
            owned: Vec::new(),
            callbacks: Vec::new(),
            numbers: tree.exprs.iter().any(|expr| {
                matches!(expr.kind, ExprKind::Convert { conversion: Conversion::PointerToInt, .. })
            }),
            calls_unknown: false,
            handed: Vec::new(),
            stores_outside: false,
            casts: BTreeMap::new(),
            mixed: Vec::new(),
            freed: Vec::new(),
            origins: vec![Origin::default(); total as usize],
        };
        points.expressions(tree);
        for (id, variable) in tree.variables.enumerate() {
            let object = points.variable(id);
            let automatic = variable.duration == Duration::Automatic;
            // What a jump can get past holds anything, too, whatever its initialiser.
            let unset = variable.init.is_none() || scopes.is_skipped(id);
            if ((automatic && unset) || (!automatic && !variable.defined))
                && has_pointer(&tree.types, variable.ty)
            {
                let content = points.content(object);
                points.origins[content as usize].uninitialised |= automatic;
                points.origins[content as usize].external |= !automatic;
            }
            for item in variable.init.iter().flat_map(|init| &init.items) {
                if let InitValue::Expr(expr) = item.value {
                    let content = points.content(object);
                    points.unite(content, node(expr));
                }
            }
        }
        for (id, function) in tree.functions.enumerate() {
            let Some(body) = function.body else { continue };
            let mut returned = Vec::new();
            tree.walk(
                body,
                |stmt| {
                    if let StmtKind::Return(Some(value)) = tree.stmts[stmt].kind {
                        returned.push(value);
                    }
                },
                |_| {},
            );
            returned.retain(|_| !planted(Fault::FlowReturnLost));
            for value in returned {
                let result = points.result(id);
                points.unite(result, node(value));
            }
            let ends = match &tree.stmts[body].kind {
                StmtKind::Block { items, .. } => items
                    .last()
                    .is_some_and(|&last| matches!(tree.stmts[last].kind, StmtKind::Return(Some(_)))),
                _ => false,
            };
            let class = points.result(id);
            points.origins[class as usize].uninitialised |= !ends;
            if function.name == "main" {
                for &parameter in &function.parameters {
                    let content = points.content(points.variable(parameter));
                    points.origins[content as usize].external = true;
                }
            }
        }
        points.unknown_code(tree, targets);
        points.spread_origins();
        // From here on every node knows its class directly.
        for index in 0..points.parents.len() {
            points.parents[index] = points.find(u32::try_from(index).unwrap_or(0));
        }
        for (place, function) in std::mem::take(&mut points.addresses) {
            let code = points.code.entry(points.parents[place as usize]).or_default();
            if !code.contains(&function) {
                code.push(function);
            }
        }
        points.code.values_mut().for_each(|code| code.sort_unstable());
        points.recast = recasts(tree).map(|place| points.parents[place as usize]).collect();
        points.recast.sort_unstable();
        points.recast.dedup();
        points.classify(tree);
        points.stores_outside = tree.exprs.iter().any(|expr| points.is_store_outside(tree, expr));
        points
    }

    /// The class of what unknown code may get at.
    pub(in crate::lower) fn unknown(&self) -> Class {
        self.parents[self.unknown as usize]
    }

    /// Objects that belong to unknown code from the start, as far as the program names them.
    pub(in crate::lower) fn outside(&self) -> &[VarId] {
        &self.outside
    }

    /// Pointers that belong to unknown code, and that nothing points to.
    pub(in crate::lower) fn owned(&self) -> &[VarId] {
        &self.owned
    }

    /// Functions whose address unknown code may get.
    pub(in crate::lower) fn callbacks(&self) -> &[FunctionId] {
        &self.callbacks
    }

    /// The functions that pointers into a class may mean.
    pub(in crate::lower) fn code(&self, class: Class) -> &[FunctionId] {
        self.code.get(&class).map_or(&[], |code| code)
    }

    /// The functions that a call through a pointer may mean.
    pub(in crate::lower) fn called(&self, tree: &Program, pointer: ExprId) -> Vec<FunctionId> {
        let class = self.of_expr(pointer);
        let recast = self.recast.binary_search(&class).is_ok();
        let fits = |&&function: &&FunctionId| match recast {
            true => may_call(tree, pointer, function),
            false => is_of_type(tree, pointer, function),
        };
        self.code(class).iter().filter(fits).copied().collect()
    }

    /// Whether pointers may be stored into memory of unknown origin.
    pub(in crate::lower) fn stores_outside(&self) -> bool {
        self.stores_outside
    }

    /// Whether an expression stores pointers through a pointer that may come from unknown code.
    fn is_store_outside(&self, tree: &Program, expr: &Expr) -> bool {
        let unknown = self.unknown();
        let stored = |place: ExprId| {
            let mut root = place;
            while let ExprKind::Member { base, .. } = tree.exprs[root].kind {
                root = base;
            }
            self.of_expr(place) == unknown
                && !matches!(tree.exprs[root].kind, ExprKind::Variable(_))
                && self.may_hand_over(&tree.types, tree.exprs[place].ty)
        };
        match &expr.kind {
            ExprKind::Assign { target, .. } | ExprKind::Update { target, .. } => stored(*target),
            // Functions of the library and builtins may copy pointers byte by byte.
            ExprKind::Builtin { arguments, .. } => {
                arguments.iter().any(|&argument| self.of_expr(argument) == unknown)
            }
            ExprKind::Call { callee: Callee::Function(function), arguments } => {
                let pointee = |&argument: &ExprId| tree.types.pointee(tree.exprs[bare(tree, argument)].ty);
                let carries = |ty: TypeId| tree.types.is_void(ty) || has_pointer(&tree.types, ty);
                library_row(tree, *function).is_some()
                    && arguments.iter().any(|argument| {
                        self.of_expr(*argument) == unknown && pointee(argument).is_some_and(carries)
                    })
            }
            _ => false,
        }
    }

    /// Whether a value of the type may be or hold a pointer that unknown code gets.
    pub(in crate::lower) fn may_hand_over(&self, types: &TypeTable, ty: TypeId) -> bool {
        let wide = types.size_of(ty).is_some_and(|size| size >= types.model().pointer_size());
        has_pointer(types, ty) || (self.numbers && wide && types.int_kind(ty).is_some())
    }

    /// What unknown code may get at is one class, as are its contents. A function whose address is there may
    /// be called with anything that is there.
    fn unknown_code(&mut self, tree: &Program, targets: &[FunctionId]) {
        let mut linked = BTreeSet::new();
        self.calls_through_pointers(tree, &mut linked);
        if self.unknown_functions == UnknownFunctions::Nothing {
            return;
        }
        let anything = self.unknown_functions == UnknownFunctions::Anything;
        let mut named: BTreeSet<VarId> = BTreeSet::new();
        for expr in &tree.exprs {
            if let ExprKind::Variable(variable)
            | ExprKind::Address { base: AddressBase::Variable(variable), .. } = expr.kind
            {
                named.insert(variable);
            }
        }
        // A pointer that nothing in the program can point to is not among what pointers from unknown code
        // mean.
        let through =
            |expr: &Expr| matches!(expr.kind, ExprKind::Deref(_)) && tree.types.pointee(expr.ty).is_some();
        let pointed: BTreeSet<VarId> = if tree.exprs.iter().any(through) {
            named.clone()
        } else {
            let taken = tree.exprs.iter().filter_map(|expr| match expr.kind {
                ExprKind::AddressOf(place) => match tree.exprs[place].kind {
                    ExprKind::Variable(variable) => Some(variable),
                    _ => None,
                },
                ExprKind::Address { base: AddressBase::Variable(variable), .. } => Some(variable),
                _ => None,
            });
            taken.collect()
        };
        for variable in named {
            let declared = &tree.variables[variable];
            let external = declared.linkage == Linkage::External;
            if declared.duration != Duration::Automatic && external && (anything || !declared.defined) {
                if tree.types.pointee(declared.ty).is_some() && !anything && !pointed.contains(&variable) {
                    self.owned.push(variable);
                    let content = self.content(self.variable(variable));
                    self.unite(content, self.unknown);
                } else {
                    self.outside.push(variable);
                    self.unite(self.variable(variable), self.unknown);
                }
            }
        }
        if self.outside.is_empty() && self.owned.is_empty() && !self.calls_unknown {
            return;
        }
        self.origins[self.unknown as usize].external = true;
        let content = self.content(self.unknown);
        self.unite(content, self.unknown);
        let addresses = self.addresses.clone();
        let mut callbacks: BTreeSet<FunctionId> = BTreeSet::new();
        loop {
            let before = callbacks.len();
            let unknown = self.find(self.unknown);
            let public = |function: FunctionId| {
                let declared = &tree.functions[function];
                anything
                    && declared.body.is_some()
                    && declared.linkage == Linkage::External
                    && declared.name != "main"
            };
            let given = addresses.iter().filter(|&&(place, _)| self.class_of(place) == unknown);
            let found: Vec<FunctionId> = given
                .map(|&(_, function)| function)
                .filter(|&function| {
                    // A function of the library has effects, another one without body is unknown code, too.
                    let declared = &tree.functions[function];
                    declared.body.is_some() || catalogue::row(&declared.name).is_some()
                })
                .chain(tree.functions.enumerate().map(|(id, _)| id).filter(|&id| public(id)))
                .filter(|function| !callbacks.contains(function))
                .collect();
            for function in found {
                callbacks.insert(function);
                for &parameter in &tree.functions[function].parameters {
                    if self.may_hand_over(&tree.types, tree.variables[parameter].ty) {
                        let content = self.content(self.variable(parameter));
                        self.unite(content, self.unknown);
                    }
                }
                self.unite(self.result(function), self.unknown);
            }
            let more = self.calls_through_pointers(tree, &mut linked);
            if callbacks.len() == before && !more {
                break;
            }
        }
        let known = |function: &FunctionId| anything || targets.contains(function);
        self.callbacks = callbacks.into_iter().filter(known).collect();
    }

    /// The class of a node while classes are still united.
    fn class_of(&self, mut class: u32) -> u32 {
        while self.parents[class as usize] != class {
            class = self.parents[class as usize];
        }
        class
    }

    /// A call of a function of which nothing is known.
    fn unknown_call(&mut self, tree: &Program, call: ExprId, function: FunctionId, arguments: &[ExprId]) {
        self.outside_result(tree, call);
        let pointers =
            arguments.iter().any(|&argument| tree.types.pointee(tree.exprs[argument].ty).is_some());
        let input = catalogue::is_input(&tree.functions[function].name) && !pointers;
        if self.unknown_functions == UnknownFunctions::Nothing || input {
            return;
        }
        self.calls_unknown = true;
        for &argument in arguments {
            if self.may_hand_over(&tree.types, tree.exprs[argument].ty) {
                self.unite(node(argument), self.unknown);
                self.handed.extend(tree.types.pointee(tree.exprs[bare(tree, argument)].ty));
            }
        }
        if has_pointer(&tree.types, tree.exprs[call].ty) {
            self.unite(node(call), self.unknown);
            self.handed.extend(tree.types.pointee(tree.exprs[call].ty));
        }
    }

    fn variable(&self, variable: VarId) -> u32 {
        self.variables + u32::try_from(variable.index()).unwrap_or(0)
    }

    /// The class that the result of a function points into.
    pub(in crate::lower) fn of_result(&self, function: FunctionId) -> Class {
        self.parents[self.result(function) as usize]
    }

    fn result(&self, function: FunctionId) -> u32 {
        self.results + u32::try_from(function.index()).unwrap_or(0)
    }

    /// The class that the value of a pointer expression points to.
    pub(in crate::lower) fn of_expr(&self, expr: ExprId) -> Class {
        self.parents[node(expr) as usize]
    }

    /// Where pointers into a class may come from.
    pub(in crate::lower) fn origin(&self, class: Class) -> Origin {
        self.origins[class as usize]
    }

    /// The class that the pointers in memory of unknown origin point into.
    pub(in crate::lower) fn outside_content(&self) -> Option<Class> {
        // All that hold pointers hold pointers into one class; some hold none.
        (0..self.parents.len())
            .filter(|&index| self.parents[index] as usize == index && self.origins[index].external)
            .find_map(|index| self.content_of(u32::try_from(index).ok()?))
    }

    /// The class of what the contents of a class point to, if they point to anything.
    pub(in crate::lower) fn content_of(&self, class: Class) -> Option<Class> {
        self.contents[class as usize].map(|content| self.parents[content as usize])
    }

    /// Whether a `free` may mean objects of the class.
    pub(in crate::lower) fn is_freed(&self, class: Class) -> bool {
        self.freed.contains(&class)
    }

    /// Collects casts and what makes them unclear, after all classes are known.
    fn classify(&mut self, tree: &Program) {
        let types = &tree.types;
        let mut mixed: Vec<u32> = vec![self.parents[self.arguments as usize]];
        let pointee = |expr: ExprId| types.pointee(tree.exprs[expr].ty);
        for (id, expr) in tree.exprs.enumerate() {
            let class = self.of_expr(id);
            match &expr.kind {
                ExprKind::Convert { conversion: Conversion::PointerToPointer, operand } => {
                    let (Some(from), Some(to)) = (pointee(*operand), pointee(id)) else { continue };
                    if !types.compatible_unqualified(from, to) {
                        self.casts.entry(class).or_default().push((from, to));
                    }
                }
                ExprKind::Convert { conversion: Conversion::IntToPointer, operand }
                    if !matches!(tree.exprs[*operand].kind, ExprKind::Int(_)) =>
                {
                    mixed.push(class);
                }
                ExprKind::Member { base, .. } => {
                    let union =
                        types.as_record(tree.exprs[*base].ty).is_some_and(|id| types.record(id).is_union);
                    if union {
                        mixed.extend(self.content_of(class));
                    }
                }
                ExprKind::Call { callee: Callee::Pointer(pointer), arguments } => {
                    for target in self.called(tree, *pointer) {
                        self.unlike(tree, id, target, arguments);
                        self.release(tree, target, arguments, &mut mixed);
                    }
                }
                ExprKind::Call { callee: Callee::Function(function), arguments } => {
                    self.unlike(tree, id, *function, arguments);
                    self.release(tree, *function, arguments, &mut mixed);
                }
                _ => {}
            }
        }
        for function in tree.functions.iter().filter(|function| function.name != "main") {
            for call in on_stack(tree, function) {
                self.freed.push(self.of_allocation(call));
            }
        }
        // Unknown code may return a pointer to a part of what it was given.
        if let [first, others @ ..] = &self.handed[..]
            && !others.iter().all(|&other| types.compatible_unqualified(*first, other))
        {
            mixed.push(self.parents[self.unknown as usize]);
        }
        for (&class, casts) in &self.casts {
            let mut ends = casts.iter().flat_map(|&(from, to)| [from, to]).filter(|&ty| !types.is_void(ty));
            if ends.next().is_some_and(|first| ends.any(|other| !types.compatible_unqualified(first, other)))
            {
                mixed.push(class);
            }
        }
        // What lies behind pointers that stand for several types is seen as several types, too.
        let mut all: BTreeSet<u32> = BTreeSet::new();
        while let Some(class) = mixed.pop() {
            if all.insert(class) {
                mixed.extend(self.content_of(class));
            }
        }
        self.mixed = all.into_iter().collect();
        self.freed.sort_unstable();
        self.freed.dedup();
    }

    /// What a function of the library may free, and copies between memory of different types.
    fn release(&mut self, tree: &Program, function: FunctionId, arguments: &[ExprId], mixed: &mut Vec<u32>) {
        let Some(row) = library_row(tree, function) else { return };
        match (row.model, arguments) {
            (
                Model::Lowering(Meaning::Free | Meaning::Reallocate | Meaning::ReallocateArray),
                [first, ..],
            ) => {
                self.freed.push(self.of_expr(*first));
            }
            (Model::Lowering(Meaning::Move), &[first, second, ..]) => {
                let pointee = |expr: ExprId| tree.types.pointee(tree.exprs[bare(tree, expr)].ty);
                let same = pointee(first)
                    .zip(pointee(second))
                    .is_some_and(|(a, b)| tree.types.compatible_unqualified(a, b));
                if !same {
                    mixed.extend(self.content_of(self.of_expr(first)));
                }
            }
            _ => {}
        }
    }

    /// Casts that calls imply: arguments and results of other types than the function has.
    fn unlike(&mut self, tree: &Program, call: ExprId, function: FunctionId, arguments: &[ExprId]) {
        let types = &tree.types;
        let declared = &tree.functions[function];
        if declared.body.is_none() {
            return;
        }
        let mut pairs: Vec<(ExprId, TypeId, TypeId)> = Vec::new();
        for (&argument, &parameter) in arguments.iter().zip(&declared.parameters) {
            pairs.push((argument, tree.exprs[argument].ty, tree.variables[parameter].ty));
        }
        if let Some(signature) = types.as_function(declared.ty) {
            pairs.push((call, signature.result, tree.exprs[call].ty));
        }
        for (expr, from, to) in pairs {
            if let (Some(from), Some(to)) = (types.pointee(from), types.pointee(to))
                && !types.compatible_unqualified(from, to)
            {
                self.casts.entry(self.of_expr(expr)).or_default().push((from, to));
            }
        }
    }

    fn root(&self, mut class: u32) -> u32 {
        while self.parents[class as usize] != class {
            class = self.parents[class as usize];
        }
        class
    }

    /// Origins belong to whole classes.
    fn gather_origins(&mut self) {
        for index in 0..self.parents.len() {
            let root = self.find(u32::try_from(index).unwrap_or(0)) as usize;
            let own = self.origins[index];
            let origin = &mut self.origins[root];
            origin.external |= own.external;
            origin.uninitialised |= own.uninitialised;
            origin.number |= own.number;
        }
    }

    /// What comes from outside holds pointers that do.
    fn spread_origins(&mut self) {
        self.gather_origins();
        // Memory of unknown origin is one: whatever it holds may be loaded through any pointer into it.
        let mut contents: Option<u32> = None;
        loop {
            let external = (0..self.parents.len()).find(|&index| {
                let content = self.contents[index].map(|content| self.root(content));
                self.parents[index] as usize == index
                    && self.origins[index].external
                    && content.is_some_and(|content| contents.is_none_or(|all| self.root(all) != content))
            });
            let Some(external) = external else { break };
            let Some(content) = self.contents[external] else { break };
            let all = *contents.get_or_insert(content);
            self.origins[content as usize].external = true;
            let before = [self.root(all), self.root(content)].map(|root| self.origins[root as usize]);
            self.unite(all, content);
            let root = self.find(all) as usize;
            for origin in before {
                self.origins[root].external = true;
                self.origins[root].uninitialised |= origin.uninitialised;
                self.origins[root].number |= origin.number;
            }
            self.gather_origins();
        }
    }

    /// The class of a variable.
    pub(in crate::lower) fn of_variable(&self, variable: VarId) -> Class {
        self.parents[self.variable(variable) as usize]
    }

    /// The class of a string literal.
    pub(in crate::lower) fn of_string(&self, string: StringId) -> Class {
        self.parents[self.strings as usize + string.index()]
    }

    /// The class of what a call allocates.
    pub(in crate::lower) fn of_allocation(&self, call: ExprId) -> Class {
        self.parents[(self.heap + node(call)) as usize]
    }

    fn find(&mut self, mut class: u32) -> u32 {
        while self.parents[class as usize] != class {
            let above = self.parents[self.parents[class as usize] as usize];
            self.parents[class as usize] = above;
            class = above;
        }
        class
    }

    fn unite(&mut self, one: u32, other: u32) {
        let mut work = vec![(one, other)];
        while let Some((one, other)) = work.pop() {
            let (one, other) = (self.find(one), self.find(other));
            if one == other {
                continue;
            }
            let (keep, drop) = (one.min(other), one.max(other));
            self.parents[drop as usize] = keep;
            match (self.contents[keep as usize], self.contents[drop as usize]) {
                (Some(a), Some(b)) => work.push((a, b)),
                (None, content) => self.contents[keep as usize] = content,
                (Some(_), None) => {}
            }
        }
    }

    /// The class of what the contents of a class point to.
    fn content(&mut self, class: u32) -> u32 {
        let class = self.find(class);
        if let Some(content) = self.contents[class as usize] {
            return self.find(content);
        }
        let fresh = u32::try_from(self.parents.len()).unwrap_or(u32::MAX);
        self.parents.push(fresh);
        self.contents.push(None);
        self.origins.push(Origin::default());
        self.contents[class as usize] = Some(fresh);
        fresh
    }

    fn expressions(&mut self, tree: &Program) {
        for (id, expr) in tree.exprs.enumerate() {
            let this = node(id);
            match &expr.kind {
                ExprKind::Variable(variable) | ExprKind::CompoundLiteral(variable) => {
                    self.unite(this, self.variable(*variable));
                }
                ExprKind::Materialise { value, variable } => {
                    self.unite(this, self.variable(*variable));
                    let content = self.content(this);
                    self.unite(content, node(*value));
                }
                ExprKind::String(string) => {
                    self.unite(this, self.strings + u32::try_from(string.index()).unwrap_or(0));
                }
                ExprKind::Member { base: same, .. }
                | ExprKind::Deref(same)
                | ExprKind::AddressOf(same)
                | ExprKind::ArrayDecay(same)
                | ExprKind::Unary { operand: same, .. }
                | ExprKind::PointerOffset { pointer: same, .. }
                | ExprKind::Comma(_, same)
                | ExprKind::Statement { value: Some(same), .. } => {
                    self.unite(this, node(*same));
                    // `(char *)0 + u` is what `u` is.
                    if let ExprKind::PointerOffset { pointer, index, .. } = &expr.kind
                        && matches!(tree.exprs[bare(tree, *pointer)].kind, ExprKind::Int(0))
                    {
                        self.unite(this, node(*index));
                    }
                }
                ExprKind::Convert { conversion, operand } => {
                    if *conversion != Conversion::IntToPointer || !planted(Fault::FlowNumberLost) {
                        self.unite(this, node(*operand));
                    }
                    if *conversion == Conversion::IntToPointer
                        && let ExprKind::Int(value) = tree.exprs[*operand].kind
                        && value != 0
                    {
                        self.origins[this as usize].number = true;
                    }
                }
                ExprKind::VaArg(_) => self.unite(this, self.arguments),
                ExprKind::Load(place) => {
                    let content = self.content(node(*place));
                    self.unite(this, content);
                }
                ExprKind::Address { base, .. } => match *base {
                    AddressBase::Variable(variable) => self.unite(this, self.variable(variable)),
                    AddressBase::String(string) => {
                        self.unite(this, self.strings + u32::try_from(string.index()).unwrap_or(0));
                    }
                    AddressBase::Function(function) => self.addresses.push((this, function)),
                },
                ExprKind::FunctionDecay(place) => match tree.exprs[*place].kind {
                    ExprKind::Function(function) => self.addresses.push((this, function)),
                    _ => self.unite(this, node(*place)),
                },
                ExprKind::Binary { lhs, rhs, .. } => {
                    self.unite(this, node(*lhs));
                    self.unite(this, node(*rhs));
                }
                ExprKind::Conditional { then, otherwise, .. } => {
                    self.unite(this, node(*then));
                    self.unite(this, node(*otherwise));
                }
                ExprKind::Assign { target, value } => {
                    let content = self.content(node(*target));
                    let record = tree.types.as_record(expr.ty).is_some();
                    if !(record && planted(Fault::FlowStructLost)) {
                        self.unite(content, node(*value));
                    }
                    self.unite(this, node(*value));
                }
                ExprKind::Update { target, old, value, .. } => {
                    let content = self.content(node(*target));
                    for part in [node(*old), node(*value), this] {
                        self.unite(content, part);
                    }
                }
                ExprKind::Builtin { builtin, arguments } => self.builtin(*builtin, arguments),
                ExprKind::Call { callee: Callee::Function(function), arguments } => {
                    self.call(tree, id, *function, arguments);
                }
                _ => {}
            }
        }
    }

    /// Calls through pointers mean the functions whose addresses flow there. What flows where depends on them
    /// again. Whether there was something new.
    fn calls_through_pointers(
        &mut self,
        tree: &Program,
        linked: &mut BTreeSet<(ExprId, FunctionId)>,
    ) -> bool {
        let before = linked.len();
        loop {
            let round = linked.len();
            let mut code: BTreeMap<u32, BTreeSet<FunctionId>> = BTreeMap::new();
            for &(place, function) in &self.addresses {
                code.entry(self.class_of(place)).or_default().insert(function);
            }
            let recast: BTreeSet<u32> = recasts(tree).map(|place| self.class_of(place)).collect();
            let mut found = Vec::new();
            for (id, expr) in tree.exprs.enumerate() {
                let ExprKind::Call { callee: Callee::Pointer(pointer), arguments } = &expr.kind else {
                    continue;
                };
                let class = self.class_of(node(*pointer));
                for &function in code.get(&class).into_iter().flatten() {
                    let fits = match recast.contains(&class) {
                        true => may_call(tree, *pointer, function),
                        false => is_of_type(tree, *pointer, function),
                    };
                    if fits && !planted(Fault::FlowCallbackLost) && linked.insert((id, function)) {
                        found.push((id, function, arguments));
                    }
                }
            }
            for (id, function, arguments) in found {
                self.call(tree, id, function, arguments);
            }
            if linked.len() == round {
                return round > before;
            }
        }
    }

    /// The bits of a pointer may go through a sum that is stored, and lists of arguments are copied.
    fn builtin(&mut self, builtin: Builtin, arguments: &[ExprId]) {
        match (builtin, arguments) {
            (
                Builtin::AddOverflow | Builtin::SubOverflow | Builtin::MulOverflow,
                &[first, second, pointer],
            ) => {
                let content = self.content(node(pointer));
                self.unite(content, node(first));
                self.unite(content, node(second));
            }
            (Builtin::VaCopy, &[to, from]) => {
                let (to, from) = (self.content(node(to)), self.content(node(from)));
                self.unite(to, from);
            }
            _ => {}
        }
    }

    fn call(&mut self, tree: &Program, call: ExprId, function: FunctionId, arguments: &[ExprId]) {
        let declared = &tree.functions[function];
        let row = library_row(tree, function);
        if declared.body.is_some() {
            if row.is_some_and(|row| self.moves_leaves(tree, row, call, function, arguments)) {
                return;
            }
            for (&parameter, &argument) in declared.parameters.iter().zip(arguments) {
                let content = self.content(self.variable(parameter));
                self.unite(content, node(argument));
            }
            for &argument in arguments.iter().skip(declared.parameters.len()) {
                self.unite(self.arguments, node(argument));
            }
            self.unite(node(call), self.result(function));
            return;
        }
        match row {
            Some(row) => self.library(tree, call, row, arguments),
            None => self.unknown_call(tree, call, function, arguments),
        }
    }

    /// Moving a constant number of bytes needs no text, most of the time, which would make one class of all
    /// pointers that ever go through it.
    fn moves_leaves(
        &mut self,
        tree: &Program,
        row: &Row,
        call: ExprId,
        function: FunctionId,
        arguments: &[ExprId],
    ) -> bool {
        let wide = |&argument: &ExprId| {
            let pointee = tree.types.pointee(tree.exprs[bare(tree, argument)].ty);
            pointee.is_some_and(|ty| {
                !tree.types.is_void(ty) && tree.types.size_of(ty).is_some_and(|size| size > 1)
            })
        };
        let moves = matches!(row.model, Model::Lowering(Meaning::Move | Meaning::Fill))
            && arguments.first().is_some_and(wide)
            && arguments.last().is_some_and(|&size| is_constant(tree, size));
        if !moves {
            return false;
        }
        // What the text meets then is not known here.
        for &parameter in &tree.functions[function].parameters {
            let content = self.content(self.variable(parameter));
            self.origins[content as usize].number = true;
        }
        self.unite(node(call), node(arguments[0]));
        if row.model == Model::Lowering(Meaning::Move)
            && let Some(&second) = arguments.get(1)
        {
            let (to, from) = (self.content(node(arguments[0])), self.content(node(second)));
            if !planted(Fault::FlowMemcpyLost) {
                self.unite(to, from);
            }
        }
        true
    }

    /// A function of the library without a text.
    fn library(&mut self, tree: &Program, call: ExprId, row: &Row, arguments: &[ExprId]) {
        if let Model::Lowering(meaning) = row.model {
            match meaning {
                Meaning::Allocate
                | Meaning::AllocateOnStack
                | Meaning::AllocateAligned
                | Meaning::AllocateZeroed
                | Meaning::Reallocate
                | Meaning::ReallocateArray => {
                    let object = self.heap + node(call);
                    self.unite(node(call), object);
                    if meaning != Meaning::AllocateZeroed {
                        let content = self.content(object);
                        self.origins[content as usize].uninitialised = true;
                    }
                    if matches!(meaning, Meaning::Reallocate | Meaning::ReallocateArray)
                        && let Some(&first) = arguments.first()
                    {
                        self.unite(node(call), node(first));
                    }
                    return;
                }
                // The bits of a pointer may go through a number.
                Meaning::First | Meaning::Absolute | Meaning::SwapBytes => {
                    if let Some(&argument) = arguments.first() {
                        self.unite(node(call), node(argument));
                    }
                    return;
                }
                Meaning::PrintInto { size, .. } => {
                    if let Some(text) = row.helpers.first().and_then(|name| tree.function(name)) {
                        let size = size.and_then(|size| arguments.get(usize::from(size)));
                        let given: Vec<ExprId> = arguments.first().into_iter().chain(size).copied().collect();
                        self.call(tree, call, text, &given);
                    }
                    return;
                }
                Meaning::Scan { format, .. } => {
                    if let Some(text) = row.helpers.first().and_then(|name| tree.function(name)) {
                        for &argument in arguments.iter().skip(usize::from(format) + 1) {
                            let pointee = tree.types.pointee(tree.exprs[argument].ty);
                            if pointee.is_some_and(|ty| !has_value(tree, ty)) {
                                self.call(tree, call, text, &[argument]);
                            }
                        }
                    }
                }
                _ => {}
            }
        }
        self.outside_result(tree, call);
        if let Target::Argument(number) = row.result
            && let Some(&argument) = arguments.get(usize::from(number))
        {
            self.unite(node(call), node(argument));
        }
        for (number, &argument) in arguments.iter().enumerate() {
            if row.writes_through(number) {
                self.written_by_others(tree, argument);
            }
        }
    }

    /// A number from outside is no pointer, until it is made one.
    fn outside_result(&mut self, tree: &Program, call: ExprId) {
        if has_pointer(&tree.types, tree.exprs[call].ty) {
            self.origins[node(call) as usize].external = true;
        }
    }

    /// What an argument points to may hold pointers from outside after a call.
    fn written_by_others(&mut self, tree: &Program, argument: ExprId) {
        if tree.types.pointee(tree.exprs[argument].ty).is_some() {
            let content = self.content(node(argument));
            self.origins[content as usize].external = true;
        }
    }
}

/// The row of a function of the library: one that the program does not define, or a text.
fn library_row(tree: &Program, function: FunctionId) -> Option<&'static Row> {
    let declared = &tree.functions[function];
    catalogue::row(&declared.name).filter(|row| declared.body.is_none() || row.text_name() == declared.name)
}

/// Whether a call through a pointer may mean a function: the types agree, or at least the number of
/// parameters.
pub(in crate::lower) fn may_call(tree: &Program, pointer: ExprId, function: FunctionId) -> bool {
    let types = &tree.types;
    let found = tree.functions[function].ty;
    let Some(wanted) = types.pointee(tree.exprs[pointer].ty) else { return true };
    let arity = |ty| types.as_function(ty).map(|f| (f.parameters.len(), f.prototype, f.variadic));
    types.compatible_unqualified(wanted, found)
        || matches!((arity(wanted), arity(found)), (Some((a, p, v)), Some((b, q, w))) if !p || !q || v || w || a == b)
}

/// Whether a function is of the type that a pointer is declared to point to.
pub(in crate::lower) fn is_of_type(tree: &Program, pointer: ExprId, function: FunctionId) -> bool {
    let wanted = tree.types.pointee(tree.exprs[pointer].ty);
    wanted.is_none_or(|wanted| tree.types.compatible_unqualified(wanted, tree.functions[function].ty))
}

/// The nodes of conversions between a pointer to a function and one to something else.
fn recasts(tree: &Program) -> impl Iterator<Item = u32> + '_ {
    let types = &tree.types;
    let is_code = |ty: TypeId| matches!(types.kind(ty), TypeKind::Function(_));
    tree.exprs.enumerate().filter_map(move |(id, expr)| {
        let ExprKind::Convert { operand, .. } = expr.kind else { return None };
        let (from, to) = (types.pointee(tree.exprs[operand].ty), types.pointee(expr.ty));
        let null = matches!(tree.exprs[operand].kind, ExprKind::Int(_));
        let same = from.zip(to).is_some_and(|(from, to)| types.compatible_unqualified(from, to));
        let code = from.into_iter().chain(to).any(is_code);
        (code && !same && !null).then(|| node(id))
    })
}

/// Whether a type is that of a number of more than one byte.
fn has_value(tree: &Program, ty: TypeId) -> bool {
    tree.types.is_arithmetic(ty) && tree.types.size_of(ty).is_some_and(|size| size > 1)
}

/// A value without the conversions around it.
fn bare(tree: &Program, mut expr: ExprId) -> ExprId {
    while let ExprKind::Convert { operand, .. } = tree.exprs[expr].kind {
        expr = operand;
    }
    expr
}

/// Whether a part of the type is a pointer.
fn has_pointer(types: &TypeTable, ty: TypeId) -> bool {
    let mut work = vec![ty];
    let mut seen = Vec::new();
    while let Some(ty) = work.pop() {
        match types.kind(ty) {
            TypeKind::Pointer(_) => return true,
            TypeKind::Array(element, _) => work.push(*element),
            TypeKind::Record(id) if !seen.contains(id) => {
                seen.push(*id);
                let fields = types.record(*id).layout.iter().flat_map(|layout| &layout.fields);
                work.extend(fields.map(|field| field.ty));
            }
            _ => {}
        }
    }
    false
}

fn is_constant(tree: &Program, expr: ExprId) -> bool {
    match tree.exprs[expr].kind {
        ExprKind::Int(_) => true,
        ExprKind::Convert { operand, .. } => is_constant(tree, operand),
        ExprKind::Binary { lhs, rhs, .. } => is_constant(tree, lhs) && is_constant(tree, rhs),
        _ => false,
    }
}

fn node(expr: ExprId) -> u32 {
    u32::try_from(expr.index()).unwrap_or(u32::MAX)
}

/// The allocations in a function that end with it.
pub(in crate::lower) fn on_stack(tree: &Program, function: &crate::tree::Function) -> Vec<ExprId> {
    let mut found = Vec::new();
    let Some(body) = function.body else { return found };
    tree.walk(
        body,
        |_| {},
        |expr| {
            if let ExprKind::Call { callee: Callee::Function(callee), .. } = tree.exprs[expr].kind
                && let Some(row) = library_row(tree, callee)
                && row.model == Model::Lowering(Meaning::AllocateOnStack)
            {
                found.push(expr);
            }
        },
    );
    found
}
