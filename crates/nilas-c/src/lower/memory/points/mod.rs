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
mod classes;
mod flow;
mod library;
mod origins;
mod unknown;
mod views;

pub(in crate::lower) use views::on_stack;

use crate::index::Id;
use crate::lower::UnknownFunctions;
use crate::lower::memory::register::Pages;
use crate::lower::translate::scope::Scopes;
use crate::tree::{
    Callee, Conversion, Duration, ExprId, ExprKind, FunctionId, InitValue, Program, StmtKind, StringId,
    VarId, VarRole,
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
    /// Classes with memory at fixed addresses.
    registers: Vec<u32>,
    /// Where registers lie.
    pub(in crate::lower) register_pages: Pages,
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
            registers: Vec::new(),
            register_pages: Pages::default(),
            origins: vec![Origin::default(); total as usize],
        };
        points.expressions(tree);
        for (id, variable) in tree.variables.enumerate() {
            let object = points.variable(id);
            let automatic = variable.duration == Duration::Automatic;
            // What a jump can get past holds anything, too, whatever its initialiser.
            let unset = variable.init.is_none() || scopes.is_skipped(id);
            if ((automatic && unset) || (!automatic && (!variable.defined || variable.any)))
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
        let registers = tree.variables.enumerate().filter(|(_, it)| matches!(it.role, VarRole::Register(_)));
        points.registers = registers.map(|(id, _)| points.of_variable(id)).collect();
        points.register_pages = Pages::of(tree);
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

    /// Whether pointers into a class may point to memory at fixed addresses.
    pub(in crate::lower) fn has_registers(&self, class: Option<Class>) -> bool {
        self.registers.iter().any(|&own| class.is_none_or(|class| class == own))
    }

    /// Whether pointers may be stored into memory of unknown origin.
    pub(in crate::lower) fn stores_outside(&self) -> bool {
        self.stores_outside
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
                    crate::work::poll();
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
pub(in crate::lower) fn bare(tree: &Program, mut expr: ExprId) -> ExprId {
    while let ExprKind::Convert { operand, .. } = tree.exprs[expr].kind {
        expr = operand;
    }
    expr
}

/// Whether a pointer is written as one into a variable at an offset that is not constant, as `&a[i]` and
/// `s.a + i` are.
fn at_variable_offset(tree: &Program, expr: ExprId) -> bool {
    let (mut expr, mut variable) = (expr, false);
    loop {
        match tree.exprs[expr].kind {
            ExprKind::Convert { operand, .. } => expr = operand,
            ExprKind::PointerOffset { pointer, index, .. } => {
                variable |= !is_constant(tree, index);
                expr = pointer;
            }
            ExprKind::AddressOf(inner) | ExprKind::ArrayDecay(inner) | ExprKind::Deref(inner) => expr = inner,
            ExprKind::Member { base, .. } => expr = base,
            ExprKind::Variable(_) => return variable,
            _ => return false,
        }
    }
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
