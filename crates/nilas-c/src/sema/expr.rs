//! Expressions: names and dispatch.

use super::scope::Entity;
use super::{Check, Checker};
use crate::ast;
use crate::lex::Symbol;
use crate::source::Span;
use crate::tree::{ExprId, ExprKind, VarRole, Variable};
use crate::types::TypeKind;

impl Checker<'_> {
    /// Checks an expression; the result may be an lvalue or a function designator.
    pub(super) fn expr(&mut self, id: ast::ExprId) -> Check<ExprId> {
        let span = self.ast.exprs[id].span;
        self.nested(span, |this| this.expr_inner(id, span))
    }

    fn expr_inner(&mut self, id: ast::ExprId, span: Span) -> Check<ExprId> {
        // The tree outlives the checker's borrow of itself.
        let ast = self.ast;
        match &ast.exprs[id].kind {
            ast::ExprKind::Ident(symbol) => self.name(*symbol, span),
            ast::ExprKind::Int(index) => self.int_literal(ast.ints[*index as usize], span),
            ast::ExprKind::Float(index) => self.float_literal(*index, span),
            ast::ExprKind::Char { encoding, pieces } => Ok(self.char_literal(*encoding, pieces, span)),
            ast::ExprKind::String { encoding, pieces } => Ok(self.string_literal(*encoding, pieces, span)),
            ast::ExprKind::Unary { op, operand } => self.unary(*op, *operand, span),
            ast::ExprKind::Binary { .. } => self.binary_chain(id),
            ast::ExprKind::Assign { op, target, value } => self.assign(*op, *target, *value, span),
            ast::ExprKind::Conditional { condition, then, otherwise } => {
                self.conditional(*condition, *then, *otherwise, span)
            }
            ast::ExprKind::Comma { .. } => self.comma_chain(id),
            ast::ExprKind::Cast { ty, operand } => self.cast_expr(ty, *operand, span),
            ast::ExprKind::CompoundLiteral { ty, init } => self.compound_literal(ty, init, span),
            ast::ExprKind::SizeofExpr(operand) => self.sizeof_expr(*operand, span),
            ast::ExprKind::SizeofType(ty) => self.sizeof_type(ty, span),
            ast::ExprKind::AlignofExpr(operand) => self.alignof_expr(*operand, span),
            ast::ExprKind::AlignofType { ty, preferred } => self.alignof_type(ty, *preferred, span),
            ast::ExprKind::Call { callee, arguments } => self.call(*callee, arguments, span),
            ast::ExprKind::Index { base, index } => self.index(*base, *index, span),
            ast::ExprKind::Member { base, member, arrow } => self.member(*base, *member, *arrow, span),
            ast::ExprKind::Statement(block) => self.statement_expr(*block, span),
            ast::ExprKind::LabelAddress(name) => self.label_address(*name, span),
            ast::ExprKind::Generic { control, arms } => self.generic(*control, arms, span),
            ast::ExprKind::VaArg { list, ty } => self.va_arg(*list, ty, span),
            ast::ExprKind::Offsetof { ty, path } => self.offsetof(ty, path, span),
            ast::ExprKind::TypesCompatible(pair) => self.types_compatible(&pair.0, &pair.1, span),
            ast::ExprKind::Choose { condition, then, otherwise } => {
                self.choose(*condition, *then, *otherwise)
            }
        }
    }

    fn name(&mut self, symbol: Symbol, span: Span) -> Check<ExprId> {
        match self.scopes.lookup(symbol).map(|bound| bound.what) {
            Some(Entity::Variable(variable)) => {
                let ty = self.program.variables[variable].ty;
                Ok(self.node(ExprKind::Variable(variable), ty, span))
            }
            Some(Entity::Function(function)) => {
                let ty = self.program.functions[function].ty;
                Ok(self.node(ExprKind::Function(function), ty, span))
            }
            Some(Entity::Constant(value, ty)) => Ok(self.int_node(value, ty, span)),
            Some(Entity::Prototype(ty)) => {
                // A stand-in that is replaced by the real parameter if this turns out to be a definition.
                let name = format!("prototype#{}", self.text(symbol));
                let variable = self.automatic(name, ty, VarRole::Temporary, span);
                Ok(self.node(ExprKind::Variable(variable), ty, span))
            }
            Some(Entity::Typedef(_)) => {
                let text = self.text(symbol).to_owned();
                self.fail(span, format!("`{text}` is a type, not a value"))
            }
            None => self.unknown_name(symbol, span),
        }
    }

    fn unknown_name(&mut self, symbol: Symbol, span: Span) -> Check<ExprId> {
        let text = self.text(symbol).to_owned();
        if matches!(text.as_str(), "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__") {
            return Ok(self.function_name(span));
        }
        if let Some(function) = self.library_function(symbol, &text, span) {
            let ty = self.program.functions[function].ty;
            return Ok(self.node(ExprKind::Function(function), ty, span));
        }
        self.fail(span, format!("`{text}` is not declared"))
    }

    /// Comma operators from left to right; the chain can be long.
    fn comma_chain(&mut self, id: ast::ExprId) -> Check<ExprId> {
        let mut spine = Vec::new();
        let mut first = id;
        while let ast::ExprKind::Comma { lhs, rhs } = self.ast.exprs[first].kind {
            spine.push((rhs, self.ast.exprs[first].span));
            first = lhs;
        }
        let mut result = self.value(first)?;
        for (rhs, span) in spine.into_iter().rev() {
            let rhs = self.value(rhs)?;
            let ty = self.type_of(rhs);
            result = self.node(ExprKind::Comma(result, rhs), ty, span);
        }
        Ok(result)
    }

    fn cast_expr(&mut self, ty: &ast::TypeName, operand: ast::ExprId, span: Span) -> Check<ExprId> {
        let waiting = std::mem::take(&mut self.pending);
        let to = self.type_name(ty)?;
        let lengths = std::mem::replace(&mut self.pending, waiting);
        let value = self.value(operand)?;
        let result = match self.program.types.kind(to) {
            TypeKind::Record(record) if self.program.types.record(*record).is_union => {
                self.cast_to_union(value, to, span)?
            }
            TypeKind::Array(..) | TypeKind::Function(_) => {
                let shown = self.show(to);
                return self.fail(span, format!("a cast to `{shown}`"));
            }
            _ => self.cast(value, to, span)?,
        };
        Ok(self.after_lengths(lengths, result))
    }

    /// Puts length assignments before an expression.
    pub(super) fn after_lengths(&mut self, lengths: Vec<ExprId>, mut result: ExprId) -> ExprId {
        for length in lengths.into_iter().rev() {
            let (ty, span) = (self.type_of(result), self.span_of(result));
            result = self.node(ExprKind::Comma(length, result), ty, span);
        }
        result
    }

    fn compound_literal(&mut self, ty: &ast::TypeName, init: &ast::Initialiser, span: Span) -> Check<ExprId> {
        let ty = self.type_name(ty)?;
        if self.has_variable_length(ty) {
            return self.fail(span, "a compound literal of variable length");
        }
        let is_static = self.function.is_none();
        let (ty, init) = self.initialiser(ty, init, is_static, span)?;
        if self.program.types.size_of(ty).is_none() {
            let shown = self.show(ty);
            return self.fail(span, format!("a compound literal of the incomplete type `{shown}`"));
        }
        let name = format!("literal#{}", self.program.variables.len());
        let variable = if is_static {
            self.program.variables.push(Variable {
                role: VarRole::CompoundLiteral,
                defined: true,
                ..Variable::new(name, ty, span)
            })
        } else {
            self.automatic(name, ty, VarRole::CompoundLiteral, span)
        };
        self.program.variables[variable].init = Some(init);
        Ok(self.node(ExprKind::CompoundLiteral(variable), ty, span))
    }
}
