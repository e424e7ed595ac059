//! The type checker: [`crate::ast`] to [`crate::tree`].
//!
//! One pass in the order of the text, as C demands. Each file of this folder adds one group of rules to
//! [`Checker`]: declarations, types, initialisers, expressions, conversions, folding, statements. An error
//! ends the statement or declaration it is in; checking goes on behind it, so that several errors are
//! reported.
//!
//! Where GCC (with warnings off) takes a program that breaks a constraint of the standard — integers for
//! pointers, calls without declaration, missing values — this checker takes it too and notes a warning.

mod assign;
mod atomic;
mod attributes;
mod barrier;
mod binary;
mod bit_field;
mod builtin;
mod call;
mod conditional;
mod constant;
mod convert;
mod decl;
mod declarator;
mod evaluate;
mod expr;
mod fold;
mod function;
mod init;
mod init_place;
mod jump;
mod literal;
mod member;
mod record;
mod scope;
mod size;
mod specifiers;
mod stmt;
mod symbol;
mod unary;

use crate::ast::{self, Ast, Name};
use crate::lex::{Symbol, Symbols};
use crate::link::Unit;
use crate::source::{Diagnostic, Span};
use crate::tree::{
    Duration, Expr, ExprId, ExprKind, FunctionId, Program, Stmt, StmtId, StmtKind, VarId, VarRole, Variable,
};
use crate::types::{IntKind, TypeId};
use function::FunctionState;
use scope::Scopes;
use std::collections::{HashMap, HashSet};

/// Errors and warnings beyond these numbers are dropped.
const ERROR_LIMIT: usize = 50;
const WARNING_LIMIT: usize = 1000;

/// What compilers are told about the language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dialect {
    /// `inline` has the meaning of GNU C89: with `extern`, the definition is for inlining only.
    pub gnu_inline: bool,
    /// Variables without initialiser are common symbols (`-fcommon`).
    pub common: bool,
}

/// Checks a translation unit and adds it to a program. On errors, they are the result, and the program is of
/// no use but for its sources.
pub(crate) fn check(
    ast: &Ast,
    symbols: &mut Symbols,
    program: Program,
    dialect: Dialect,
    max_depth: usize,
) -> (Program, Result<Unit, Vec<Diagnostic>>) {
    let scopes = Scopes::new();
    let unit = Unit {
        functions: program.functions.len()..program.functions.len(),
        variables: program.variables.len()..program.variables.len(),
        common: dialect.common,
        ..Unit::default()
    };
    let mut checker = Checker {
        ast,
        symbols,
        program,
        scopes,
        dialect,
        unit,
        errors: Vec::new(),
        function: None,
        linked: HashMap::new(),
        pending: Vec::new(),
        replaceable: HashSet::new(),
        gnu_inline: HashSet::new(),
        external: HashSet::new(),
        max_depth,
        depth: 0,
        typed_only: 0,
        checked_inits: HashMap::new(),
        narrow: HashMap::new(),
    };
    checker.declare_builtin_types();
    for external in &ast.externals {
        checker.external(external);
    }
    checker.finish_globals();
    checker.finish_unit();
    let Checker { program, unit, errors, .. } = checker;
    (program, if errors.is_empty() { Ok(unit) } else { Err(errors) })
}

/// An error was reported.
#[derive(Debug, Clone, Copy)]
struct Failed;

type Check<T> = Result<T, Failed>;

struct Checker<'a> {
    ast: &'a Ast,
    symbols: &'a mut Symbols,
    program: Program,
    scopes: Scopes,
    errors: Vec<Diagnostic>,
    /// The function whose body is being checked.
    function: Option<FunctionState>,
    /// Names with linkage, whatever their scope: a second declaration in another block means the same thing.
    linked: HashMap<Symbol, scope::Entity>,
    /// Assignments to hidden lengths of variable-length types that still have to be put somewhere.
    pending: Vec<ExprId>,
    /// Functions whose body is `extern inline` in the GNU sense: a real definition replaces it.
    replaceable: HashSet<FunctionId>,
    /// Functions with the attribute `gnu_inline`.
    gnu_inline: HashSet<FunctionId>,
    /// Functions with a declaration at file scope that is not `inline`, or `extern` as well.
    external: HashSet<FunctionId>,
    dialect: Dialect,
    /// What linking will have to know.
    unit: Unit,
    max_depth: usize,
    depth: usize,
    /// How many operands of which only the type counts are around the expression that is being checked.
    typed_only: usize,
    /// Initialiser expressions that were checked before their place was known.
    checked_inits: HashMap<ast::ExprId, ExprId>,
    /// Values of which fewer bits count than their types have, as of wide bit-fields (see `bit_field`).
    narrow: HashMap<ExprId, u32>,
}

impl Checker<'_> {
    /// An operand of which only the type counts.
    fn typed_only<T>(&mut self, check: impl FnOnce(&mut Self) -> T) -> T {
        self.typed_only += 1;
        let result = check(self);
        self.typed_only -= 1;
        result
    }

    fn external(&mut self, external: &ast::External) {
        let _ = match external {
            ast::External::Declaration(declaration) => self.global_declaration(declaration),
            ast::External::Function(function) => self.function_definition(function),
            ast::External::StaticAssert(assertion) => self.static_assert(assertion),
            ast::External::Asm(asm, span) => self.asm(asm, *span).map(|asm| self.program.file_asm.push(asm)),
        };
        self.pending.clear();
    }

    fn static_assert(&mut self, assertion: &ast::StaticAssert) -> Check<()> {
        let condition = self.value(assertion.condition)?;
        let span = self.span_of(condition);
        match self.constant_int(condition) {
            Some(0) => {
                let message = assertion.message.as_deref().unwrap_or("the condition is false");
                self.fail(span, format!("static assertion failed: {message}"))
            }
            Some(_) => Ok(()),
            None => self.fail(span, "the condition of a static assertion is not constant"),
        }
    }

    fn report(&mut self, diagnostic: Diagnostic) -> Failed {
        if self.errors.len() < ERROR_LIMIT {
            self.errors.push(diagnostic);
        }
        Failed
    }

    fn fail<T>(&mut self, span: Span, message: impl Into<String>) -> Check<T> {
        Err(self.report(Diagnostic::error(span, message)))
    }

    fn warn(&mut self, span: Span, message: impl Into<String>) {
        if self.program.warnings.len() < WARNING_LIMIT {
            self.program.warnings.push(Diagnostic::warning(span, message));
        }
    }

    fn text(&self, symbol: Symbol) -> &str {
        self.symbols.text(symbol)
    }

    fn name_text(&self, name: Name) -> String {
        self.symbols.text(name.symbol).to_owned()
    }

    /// The type as a message shows it.
    fn show(&self, ty: TypeId) -> String {
        self.program.types.display(ty)
    }

    fn int_type(&mut self) -> TypeId {
        self.program.types.int(IntKind::Int)
    }

    fn bool_type(&mut self) -> TypeId {
        self.program.types.int(IntKind::Bool)
    }

    fn void_pointer(&mut self) -> TypeId {
        let void = self.program.types.void();
        self.program.types.pointer(void)
    }

    fn node(&mut self, kind: ExprKind, ty: TypeId, span: Span) -> ExprId {
        self.program.exprs.push(Expr { kind, ty, span })
    }

    fn stmt_node(&mut self, kind: StmtKind, span: Span) -> StmtId {
        self.program.stmts.push(Stmt { kind, span })
    }

    fn kind_of(&self, expr: ExprId) -> &ExprKind {
        &self.program.exprs[expr].kind
    }

    fn type_of(&self, expr: ExprId) -> TypeId {
        self.program.exprs[expr].ty
    }

    fn span_of(&self, expr: ExprId) -> Span {
        self.program.exprs[expr].span
    }

    /// An integer constant of a type, reduced to it.
    fn int_node(&mut self, value: i128, ty: TypeId, span: Span) -> ExprId {
        let kind = self.program.types.int_kind(ty).unwrap_or(IntKind::Int);
        let value = kind.wrap(value, self.program.types.model());
        self.node(ExprKind::Int(value), ty, span)
    }

    /// A new automatic variable of the current function that the user did not declare.
    fn temporary(&mut self, what: &str, ty: TypeId, span: Span) -> VarId {
        let name = format!("{what}#{}", self.program.variables.len());
        self.automatic(name, ty, VarRole::Temporary, span)
    }

    /// A new automatic variable in the innermost block; outside functions it is static.
    fn automatic(&mut self, name: String, ty: TypeId, role: VarRole, span: Span) -> VarId {
        let function = self.function.as_ref().map(|f| f.id);
        let duration = if function.is_some() { Duration::Automatic } else { Duration::Static };
        let id = self.program.variables.push(Variable {
            duration,
            role,
            defined: true,
            function,
            ..Variable::new(name, ty, span)
        });
        if let Some(state) = &mut self.function {
            state.add_local(id);
        }
        id
    }

    /// Guards a recursion; the parser's bound makes this a second line of defence.
    fn nested<T>(&mut self, span: Span, inner: impl FnOnce(&mut Self) -> Check<T>) -> Check<T> {
        if self.depth >= self.max_depth {
            return self.fail(span, "the expression is nested too deeply");
        }
        crate::work::poll();
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }
}

#[cfg(test)]
mod tests;
