//! The text of the caller, as a tree.

use super::objects::{Argument, Pointer};
use super::{NAME, Pointers};
use crate::library::catalogue::ARGUMENT;
use crate::source::Span;
use crate::tree::{
    AddressBase, BinaryOp, Callee, CompareOp, Conversion, Duration, Expr, ExprId, ExprKind, Function,
    FunctionId, Linkage, Program, Scale, Stmt, StmtId, StmtKind, VarId, Variable,
};
use crate::types::{FunctionType, IntKind, TypeId, TypeKind};

/// Up to so many elements of an array are chosen by number, which makes their addresses constants.
const BY_NUMBER: u64 = 8;

pub(super) struct Writer<'p> {
    program: &'p mut Program,
    options: Pointers,
    statements: Vec<StmtId>,
    locals: Vec<VarId>,
    span: Span,
    /// The caller; it exists when it is written.
    function: FunctionId,
}

impl<'p> Writer<'p> {
    pub(super) fn new(program: &'p mut Program, options: Pointers) -> Self {
        let function = program.functions.next_id();
        let span = Span::default();
        Writer { program, options, statements: Vec::new(), locals: Vec::new(), span, function }
    }

    /// Writes the caller of a function.
    pub(super) fn caller(
        mut self,
        checked: FunctionId,
        arguments: &[Argument],
        pointers: &[Pointer],
    ) -> FunctionId {
        self.span = self.program.functions[checked].span;
        let int = self.program.types.int(IntKind::Int);
        let ty = self.function_type(int);
        self.declare(NAME.to_owned(), ty);
        for pointer in pointers {
            if let Some((object, offset)) = pointer.inside {
                self.span = pointer.span;
                let value = self.chosen(pointer);
                let target = self.inside(object, offset, pointer.ty);
                self.assign(target, value);
            }
        }
        let mut values = Vec::new();
        for argument in arguments {
            values.push(match argument {
                Argument::Number(name, ty, span) => {
                    self.span = *span;
                    let value = self.input(name, *ty);
                    let variable = self.kept(name, value);
                    self.read(variable)
                }
                Argument::Pointer(number) => {
                    let pointer = &pointers[*number];
                    self.span = pointer.span;
                    let value = match pointer.targets.is_empty() {
                        true => self.input(&pointer.name, pointer.ty),
                        false => self.chosen(pointer),
                    };
                    let variable = self.kept(&pointer.name, value);
                    self.read(variable)
                }
                Argument::Object(object) => self.read(*object),
            });
        }
        self.span = self.program.functions[checked].span;
        self.call(checked, values);
        let zero = self.expr(ExprKind::Int(0), int);
        self.statement(StmtKind::Return(Some(zero)));
        let (items, variables) = (std::mem::take(&mut self.statements), self.locals.clone());
        let body = self.stmt(StmtKind::Block { items, variables });
        let caller = &mut self.program.functions[self.function];
        caller.body = Some(body);
        caller.locals = self.locals;
        self.function
    }

    fn function_type(&mut self, result: TypeId) -> TypeId {
        let parameters = Box::new([]);
        let ty = FunctionType { result, parameters, variadic: false, prototype: true };
        self.program.types.intern(TypeKind::Function(ty))
    }

    fn declare(&mut self, name: String, ty: TypeId) -> FunctionId {
        self.program.functions.push(Function {
            name,
            ty,
            linkage: Linkage::Internal,
            inline: false,
            noreturn: false,
            pure: false,
            nonnull: false,
            implicit: false,
            constructor: None,
            destructor: None,
            indirect: false,
            weak: false,
            asm_name: None,
            parameters: Vec::new(),
            body: None,
            locals: Vec::new(),
            labels: Vec::new(),
            span: self.span,
        })
    }

    /// Calls a function; its result is dropped.
    fn call(&mut self, function: FunctionId, mut arguments: Vec<ExprId>) {
        let ty = self.program.types.as_function(self.program.functions[function].ty).cloned();
        let Some(FunctionType { result, prototype, .. }) = ty else { return };
        if !prototype {
            for argument in &mut arguments {
                *argument = self.promoted(*argument);
            }
        }
        let (callee, arguments) = (Callee::Function(function), arguments.into_boxed_slice());
        let result = self.program.types.unqualified(result);
        let mut call = self.expr(ExprKind::Call { callee, arguments }, result);
        if !self.program.types.is_void(result) {
            let void = self.program.types.void();
            call = self.convert(Conversion::ToVoid, call, void);
        }
        self.statement(StmtKind::Expr(call));
    }

    /// What an argument becomes where there is no prototype.
    fn promoted(&mut self, value: ExprId) -> ExprId {
        let ty = self.program.exprs[value].ty;
        let types = &mut self.program.types;
        let promoted = types.default_promotion(ty);
        let conversion = match types.kind(ty) {
            _ if promoted == ty => return value,
            TypeKind::Float(_) => Conversion::FloatToFloat,
            _ => Conversion::IntToInt,
        };
        self.convert(conversion, value, promoted)
    }

    /// An input of a type.
    fn input(&mut self, name: &str, ty: TypeId) -> ExprId {
        let function = self.function_type(ty);
        let function = self.declare(format!("{ARGUMENT}{name}"), function);
        self.expr(ExprKind::Call { callee: Callee::Function(function), arguments: Box::new([]) }, ty)
    }

    /// A value in a variable of the caller, so that it is computed before what follows.
    fn kept(&mut self, name: &str, value: ExprId) -> VarId {
        let ty = self.program.exprs[value].ty;
        let variable = self.program.variables.push(Variable {
            duration: Duration::Automatic,
            function: Some(self.function),
            ..Variable::new(name.to_owned(), ty, self.span)
        });
        self.locals.push(variable);
        self.statement(StmtKind::Declare(variable));
        let target = self.expr(ExprKind::Variable(variable), ty);
        self.assign(target, value);
        variable
    }

    fn read(&mut self, variable: VarId) -> ExprId {
        let ty = self.program.variables[variable].ty;
        let lvalue = self.expr(ExprKind::Variable(variable), ty);
        self.expr(ExprKind::Load(lvalue), ty)
    }

    /// A pointer that is null or points to an element of an array: number 0 means the first element of its
    /// own array, and so does every number that means nothing else.
    fn chosen(&mut self, pointer: &Pointer) -> ExprId {
        let unsigned = self.program.types.int(IntKind::UnsignedInt);
        let by_number = self.options.size <= BY_NUMBER;
        let index = match by_number {
            true => None,
            false => {
                let index = self.input(&format!("{}.index", pointer.name), unsigned);
                let size = i128::from(self.options.size.min(u64::from(u32::MAX)));
                let size = self.expr(ExprKind::Int(size), unsigned);
                let index =
                    self.expr(ExprKind::Binary { op: BinaryOp::Rem, lhs: index, rhs: size }, unsigned);
                Some(self.kept(&format!("{}.index", pointer.name), index))
            }
        };
        let mut places = Vec::new();
        for &target in &pointer.targets {
            match index {
                Some(index) => places.push((target, 0, Some(index))),
                None => places.extend((0..self.options.size.max(1)).map(|number| (target, number, None))),
            }
        }
        let mut ways: Vec<ExprId> = Vec::new();
        for (target, number, index) in places {
            ways.push(self.element(target, number, index, pointer.ty));
        }
        if self.options.null {
            let zero = self.program.types.int(IntKind::Int);
            let zero = self.expr(ExprKind::Int(0), zero);
            let null = self.convert(Conversion::IntToPointer, zero, pointer.ty);
            ways.insert(1.min(ways.len()), null);
        }
        let Some((&first, others)) = ways.split_first() else {
            return self.input(&pointer.name, pointer.ty);
        };
        if others.is_empty() {
            return first;
        }
        let number = self.input(&format!("{}.target", pointer.name), unsigned);
        let number = self.kept(&format!("{}.choice", pointer.name), number);
        let mut value = first;
        for (way, &then) in others.iter().enumerate().rev() {
            let lhs = self.read(number);
            let rhs = self.expr(ExprKind::Int(way as i128 + 1), unsigned);
            let condition = self.equal(lhs, rhs);
            value = self.expr(ExprKind::Conditional { condition, then, otherwise: value }, pointer.ty);
        }
        value
    }

    fn equal(&mut self, lhs: ExprId, rhs: ExprId) -> ExprId {
        let (int, boolean) = (self.program.types.int(IntKind::Int), self.program.types.int(IntKind::Bool));
        let equal = self.expr(ExprKind::Compare { op: CompareOp::Equal, lhs, rhs }, int);
        self.convert(Conversion::IntToBool, equal, boolean)
    }

    /// The address of an element of an array.
    fn element(&mut self, array: VarId, number: u64, index: Option<VarId>, ty: TypeId) -> ExprId {
        let TypeKind::Array(element, _) = *self.program.types.kind(self.program.variables[array].ty) else {
            return self.expr(ExprKind::Int(0), ty);
        };
        let size = self.program.types.size_of(element).unwrap_or(1);
        let to_element = self.program.types.pointer(element);
        let offset = i64::try_from(number.saturating_mul(size)).unwrap_or(0);
        let kind = ExprKind::Address { base: AddressBase::Variable(array), offset };
        let mut pointer = self.expr(kind, to_element);
        if let Some(index) = index {
            let scale = Scale::Bytes(size);
            let index = self.read(index);
            let kind = ExprKind::PointerOffset { pointer, index, scale, negate: false };
            pointer = self.expr(kind, to_element);
        }
        match to_element == ty {
            true => pointer,
            false => self.convert(Conversion::PointerToPointer, pointer, ty),
        }
    }

    /// A part of an object, by its place: no access of it can be out of bounds.
    fn inside(&mut self, object: VarId, offset: u64, ty: TypeId) -> ExprId {
        let object_ty = self.program.variables[object].ty;
        let base = self.expr(ExprKind::Variable(object), object_ty);
        self.expr(ExprKind::Member { base, offset, bits: None }, ty)
    }

    fn assign(&mut self, target: ExprId, value: ExprId) {
        let ty = self.program.exprs[value].ty;
        let assignment = self.expr(ExprKind::Assign { target, value }, ty);
        self.statement(StmtKind::Expr(assignment));
    }

    fn convert(&mut self, conversion: Conversion, operand: ExprId, ty: TypeId) -> ExprId {
        self.expr(ExprKind::Convert { conversion, operand }, ty)
    }

    fn expr(&mut self, kind: ExprKind, ty: TypeId) -> ExprId {
        self.program.exprs.push(Expr { kind, ty, span: self.span })
    }

    fn stmt(&mut self, kind: StmtKind) -> StmtId {
        self.program.stmts.push(Stmt { kind, span: self.span })
    }

    fn statement(&mut self, kind: StmtKind) {
        let statement = self.stmt(kind);
        self.statements.push(statement);
    }
}
