//! Which automatic variables may be outlived by their addresses.
//!
//! A variable has an instance for every entry into its block, and all instances of it are one object of the
//! model. That is exact as long as no pointer to an instance is used when the next one lives. So this looks
//! at every place where an address is taken and follows the value through the text: into variables whose own
//! address is never taken and which live no longer than what they point to, into parameters of functions with
//! such variables, through casts and arithmetic to accesses and comparisons. An address that goes anywhere
//! else (into other memory, out of a function, into an integer, to code that is not known) is *kept*. The
//! lowering then tells the instances apart, see [`crate::lower::memory::instances`].
//!
//! Nothing of this rests on where pointers point: variables whose address is not taken are written by name
//! alone.

use crate::index::Id;
use crate::library::catalogue::{self, Meaning, Model, Target};
use crate::lower::UnknownFunctions;
use crate::lower::memory::points::may_call;
use crate::lower::translate::facts::{Facts, root};
use crate::lower::translate::scope::Scopes;
use crate::tree::{
    Callee, Conversion, Duration, ExprId, ExprKind, FunctionId, InitValue, Program, StmtId, StmtKind, VarId,
    VarRole,
};

/// What something stands in directly.
#[derive(Clone, Copy)]
enum Around {
    Nothing,
    Expr(ExprId),
    Stmt(StmtId),
    /// The initialiser of a variable.
    Init(VarId),
}

/// Per variable: an address of one of its instances may be kept until another one lives.
pub(in crate::lower) struct Kept(Vec<bool>);

impl Kept {
    pub(in crate::lower) fn new(
        tree: &Program,
        facts: &Facts,
        scopes: &Scopes,
        unknown: UnknownFunctions,
    ) -> Kept {
        let mut flows = Flows::new(tree, facts, unknown);
        flows.confine();
        let again = flows.born_again(scopes);
        let mut kept = vec![false; tree.variables.len()];
        for (id, expr) in tree.exprs.enumerate() {
            let (ExprKind::AddressOf(place) | ExprKind::ArrayDecay(place)) = expr.kind else { continue };
            if let Some(variable) = root(tree, place)
                && tree.variables[variable].duration == Duration::Automatic
                && again[variable.index()]
                && !kept[variable.index()]
            {
                kept[variable.index()] = !flows.stays(id, variable);
            }
        }
        Kept(kept)
    }

    pub(in crate::lower) fn is_kept(&self, variable: VarId) -> bool {
        self.0[variable.index()]
    }
}

struct Flows<'t> {
    tree: &'t Program,
    facts: &'t Facts,
    unknown: UnknownFunctions,
    exprs: Vec<Around>,
    stmts: Vec<Around>,
    /// The block a variable is declared in.
    homes: Vec<Option<StmtId>>,
    /// Pointers in these variables go to variables of the kind that live no longer, and nowhere else.
    confined: Vec<bool>,
}

impl<'t> Flows<'t> {
    fn new(tree: &'t Program, facts: &'t Facts, unknown: UnknownFunctions) -> Self {
        let mut exprs = vec![Around::Nothing; tree.exprs.len()];
        let mut stmts = vec![Around::Nothing; tree.stmts.len()];
        let mut homes = vec![None; tree.variables.len()];
        for (id, expr) in tree.exprs.enumerate() {
            expr.kind.for_each_operand(|operand| exprs[operand.index()] = Around::Expr(id));
            if let ExprKind::Statement { block, .. } = expr.kind {
                stmts[block.index()] = Around::Expr(id);
            }
        }
        for (id, stmt) in tree.stmts.enumerate() {
            stmt.kind.for_each_expr(|expr| exprs[expr.index()] = Around::Stmt(id));
            stmt.kind.for_each_statement(|child| stmts[child.index()] = Around::Stmt(id));
            if let StmtKind::Block { variables, .. } = &stmt.kind {
                variables.iter().for_each(|variable| homes[variable.index()] = Some(id));
            }
        }
        for (id, variable) in tree.variables.enumerate() {
            for item in variable.init.iter().flat_map(|init| &init.items) {
                if let InitValue::Expr(expr) = item.value {
                    exprs[expr.index()] = Around::Init(id);
                }
            }
        }
        let plain = |(id, variable): (VarId, &crate::tree::Variable)| {
            variable.duration == Duration::Automatic
                && !facts.is_escaped(id)
                && tree.types.pointee(variable.ty).is_some()
        };
        let confined = tree.variables.enumerate().map(plain).collect();
        Flows { tree, facts, unknown, exprs, stmts, homes, confined }
    }

    /// Takes away what is not confined until the rest is.
    fn confine(&mut self) {
        let tree = self.tree;
        let named = |place: ExprId| match tree.exprs[place].kind {
            ExprKind::Variable(variable) => Some(variable),
            _ => None,
        };
        let uses = tree.exprs.enumerate().filter_map(|(id, expr)| match expr.kind {
            ExprKind::Load(place) => named(place).map(|variable| (id, variable)),
            ExprKind::Update { target, old, .. } => named(target).map(|variable| (old, variable)),
            _ => None,
        });
        let uses: Vec<(ExprId, VarId)> =
            uses.filter(|(_, variable)| self.confined[variable.index()]).collect();
        loop {
            let mut changed = false;
            for &(expr, variable) in &uses {
                if self.confined[variable.index()] && !self.stays(expr, variable) {
                    self.confined[variable.index()] = false;
                    changed = true;
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// Whether a pointer that a variable holds, or to the variable, is not kept longer than the variable
    /// lives.
    fn stays(&self, mut value: ExprId, source: VarId) -> bool {
        let tree = self.tree;
        loop {
            crate::work::poll();
            let around = match self.exprs[value.index()] {
                Around::Expr(around) => around,
                Around::Init(variable) => {
                    return self.takes(variable, source)
                        && tree.variables[variable].init.as_ref().is_some_and(|init| init.items.len() == 1);
                }
                Around::Stmt(stmt) => {
                    return !matches!(tree.stmts[stmt].kind, StmtKind::Return(_) | StmtKind::Asm(_));
                }
                Around::Nothing => return false,
            };
            match &tree.exprs[around].kind {
                ExprKind::Deref(_) => match self.address_again(around) {
                    Ok(stays) => return stays,
                    Err(address) => value = address,
                },
                ExprKind::Convert { conversion, .. } => match conversion {
                    Conversion::PointerToPointer | Conversion::Same => value = around,
                    Conversion::PointerToBool | Conversion::ToVoid => return true,
                    _ => return false,
                },
                ExprKind::Not(_)
                | ExprKind::Compare { .. }
                | ExprKind::And(..)
                | ExprKind::Or(..)
                | ExprKind::PointerDifference { .. }
                | ExprKind::VaArg(_)
                | ExprKind::Builtin { .. } => return true,
                ExprKind::PointerOffset { .. } => value = around,
                ExprKind::Conditional { condition, .. } if *condition == value => return true,
                ExprKind::Comma(first, _) if *first == value => return true,
                ExprKind::Conditional { .. } | ExprKind::Comma(..) => value = around,
                ExprKind::Assign { target, .. } | ExprKind::Update { target, .. } => {
                    match tree.exprs[*target].kind {
                        ExprKind::Variable(variable) if self.takes(variable, source) => value = around,
                        _ => return false,
                    }
                }
                ExprKind::Call { callee, arguments } => {
                    let position = arguments.iter().position(|&argument| argument == value);
                    let Some(position) = position else { return true };
                    match self.call(*callee, position) {
                        Given::Stays => return true,
                        Given::Kept => return false,
                        Given::Returned => value = around,
                    }
                }
                _ => return false,
            }
        }
    }

    /// What becomes of a pointer that is followed: whether it stays, or the address of a part of what it
    /// points to.
    fn address_again(&self, mut place: ExprId) -> Result<bool, ExprId> {
        loop {
            let around = match self.exprs[place.index()] {
                Around::Expr(around) => around,
                Around::Stmt(stmt) => return Ok(!matches!(self.tree.stmts[stmt].kind, StmtKind::Asm(_))),
                Around::Init(_) | Around::Nothing => return Ok(false),
            };
            match self.tree.exprs[around].kind {
                ExprKind::Member { .. } => place = around,
                ExprKind::AddressOf(_) | ExprKind::ArrayDecay(_) => return Err(around),
                ExprKind::Load(_)
                | ExprKind::Assign { .. }
                | ExprKind::Update { .. }
                | ExprKind::Convert { .. }
                | ExprKind::FunctionDecay(_)
                | ExprKind::Comma(..)
                | ExprKind::VaArg(_)
                | ExprKind::Builtin { .. } => return Ok(true),
                _ => return Ok(false),
            }
        }
    }

    /// Whether a variable may take a pointer to what another one holds or is.
    fn takes(&self, variable: VarId, source: VarId) -> bool {
        self.confined[variable.index()] && self.lives_within(variable, source)
    }

    /// Whether a variable lives no longer than another one.
    fn lives_within(&self, inner: VarId, outer: VarId) -> bool {
        let (a, b) = (&self.tree.variables[inner], &self.tree.variables[outer]);
        if a.function != b.function {
            return false;
        }
        if matches!(b.role, VarRole::Parameter(_)) {
            return true;
        }
        let (Some(mut block), Some(home)) = (self.homes[inner.index()], self.homes[outer.index()]) else {
            return false;
        };
        loop {
            if block == home {
                return true;
            }
            match self.outer(block) {
                Some(stmt) => block = stmt,
                None => return false,
            }
        }
    }

    /// The statement that a statement stands in.
    fn outer(&self, stmt: StmtId) -> Option<StmtId> {
        match self.stmts[stmt.index()] {
            Around::Stmt(outer) => Some(outer),
            Around::Expr(expr) => self.statement_of(expr),
            Around::Init(_) | Around::Nothing => None,
        }
    }

    /// The statement that an expression stands in; for an initialiser the block of its variable.
    fn statement_of(&self, mut expr: ExprId) -> Option<StmtId> {
        loop {
            match self.exprs[expr.index()] {
                Around::Expr(around) => expr = around,
                Around::Stmt(stmt) => return Some(stmt),
                Around::Init(variable) => return self.homes[variable.index()],
                Around::Nothing => return None,
            }
        }
    }

    /// What a call does with a pointer that it is given.
    fn call(&self, callee: Callee, position: usize) -> Given {
        let tree = self.tree;
        let function = match callee {
            Callee::Function(function) => function,
            Callee::Pointer(pointer) => {
                let mut targets = self.facts.targets.iter().filter(|&&f| may_call(tree, pointer, f));
                let all = targets.all(|&target| matches!(self.given(target, position), Given::Stays));
                return if all { Given::Stays } else { Given::Kept };
            }
        };
        self.given(function, position)
    }

    fn given(&self, function: FunctionId, position: usize) -> Given {
        let declared = &self.tree.functions[function];
        if declared.body.is_some() {
            let parameter = declared.parameters.get(position);
            let confined = parameter.is_some_and(|parameter| self.confined[parameter.index()]);
            return if confined { Given::Stays } else { Given::Kept };
        }
        let Some(row) = catalogue::row(&declared.name) else {
            return match self.unknown {
                UnknownFunctions::Nothing => Given::Returned,
                UnknownFunctions::Arguments | UnknownFunctions::Anything => Given::Kept,
            };
        };
        match (row.result, row.model) {
            (_, Model::Text | Model::Checker(_)) => Given::Kept,
            _ if row.callback.is_some() => Given::Kept,
            (_, Model::Lowering(Meaning::First)) => Given::Returned,
            (Target::Argument(argument), _) if usize::from(argument) == position => Given::Returned,
            _ => Given::Stays,
        }
    }

    /// Per variable: it may have two instances, one after the other.
    fn born_again(&self, scopes: &Scopes) -> Vec<bool> {
        let tree = self.tree;
        // Where functions are called by name: not at all, at one place, or at several.
        let mut calls: Vec<Option<Option<ExprId>>> = vec![None; tree.functions.len()];
        for (id, expr) in tree.exprs.enumerate() {
            if let ExprKind::Call { callee: Callee::Function(function), .. } = expr.kind {
                let before = &mut calls[function.index()];
                *before = Some(before.is_none().then_some(id));
            }
        }
        let bodies = tree.functions.enumerate().filter_map(|(id, f)| Some((f.body?, id)));
        let bodies: rustc_hash::FxHashMap<StmtId, FunctionId> = bodies.collect();
        // The function that a statement is in, unless a loop is around it.
        let straight = |mut stmt: StmtId| loop {
            let kind = &tree.stmts[stmt].kind;
            if matches!(kind, StmtKind::While { .. } | StmtKind::DoWhile { .. } | StmtKind::For { .. }) {
                return None;
            }
            match self.outer(stmt) {
                Some(outer) => stmt = outer,
                None => return bodies.get(&stmt).copied().filter(|&function| !scopes.goes_back(function)),
            }
        };
        let mut once: Vec<bool> = tree
            .functions
            .enumerate()
            .map(|(id, _)| {
                let several = matches!(calls[id.index()], Some(None));
                !several && !self.facts.targets.contains(&id) && !self.facts.is_recursive(id)
            })
            .collect();
        loop {
            let mut changed = false;
            for (id, _) in tree.functions.enumerate() {
                let Some(Some(call)) = calls[id.index()] else { continue };
                let caller = self.statement_of(call).and_then(straight);
                let single = caller.is_some_and(|caller| once[caller.index()]);
                if once[id.index()] && !single {
                    once[id.index()] = false;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        let again = |(id, variable): (VarId, &crate::tree::Variable)| {
            let Some(function) = variable.function else { return true };
            let home = match variable.role {
                VarRole::Parameter(_) => tree.functions[function].body,
                _ => self.homes[id.index()],
            };
            !(once[function.index()] && home.and_then(straight).is_some())
        };
        tree.variables.enumerate().map(again).collect()
    }
}

/// What becomes of an argument.
enum Given {
    /// It is forgotten when the call returns.
    Stays,
    /// It may be what the call returns, and is forgotten else.
    Returned,
    Kept,
}
