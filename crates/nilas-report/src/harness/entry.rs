//! The call of a function that is checked alone, as `main` of a harness.
//!
//! What calls the function is a tree that the front end wrote (`nilas-c`, `caller`): here it becomes C, with
//! the chosen values in the place of its inputs. Objects are arrays of bytes, so that no type of the program
//! has to be known.

use super::literal::{literal, type_name};
use super::objects::Objects;
use nilas_c::tree::{
    AddressBase, Callee, CompareOp, Conversion, Entry, ExprId, ExprKind, Linkage, Program, Scale, StmtId,
    StmtKind,
};
use nilas_c::tree::{BinaryOp, FunctionId, VarId};
use nilas_run::choice::Made;
use std::collections::VecDeque;
use std::fmt::Write as _;

/// The statements of `main`, and what must be declared before it.
///
/// # Errors
/// Why the call cannot be written.
pub(super) fn call<'a>(
    tree: &'a Program,
    entry: &'a Entry,
    inputs: VecDeque<&'a Made>,
    objects: &mut Objects<'a>,
) -> Result<(String, String), String> {
    let checked = &tree.functions[entry.checked];
    let name = &checked.name;
    if checked.linkage != Linkage::External || checked.asm_name.is_some() {
        return Err(format!("`{name}` is static: a test in another file cannot call it"));
    }
    let body = tree.functions[entry.function].body.ok_or("the call is not written")?;
    let mut writer = Writer { tree, entry, inputs, objects, before: String::new() };
    let mut text = String::new();
    writer.statement(&mut text, body)?;
    Ok((writer.before, text))
}

struct Writer<'a, 'o> {
    tree: &'a Program,
    entry: &'a Entry,
    /// What the arguments are, in their order.
    inputs: VecDeque<&'a Made>,
    objects: &'o mut Objects<'a>,
    before: String,
}

impl Writer<'_, '_> {
    fn statement(&mut self, text: &mut String, statement: StmtId) -> Result<(), String> {
        match &self.tree.stmts[statement].kind {
            StmtKind::Block { items, .. } => items.iter().try_for_each(|&item| self.statement(text, item)),
            StmtKind::Declare(_) => Ok(()),
            StmtKind::Expr(expr) => {
                let expr = self.effect(*expr)?;
                let _ = writeln!(text, "    {expr};");
                Ok(())
            }
            StmtKind::Return(_) => {
                text.push_str("    return 0;\n");
                Ok(())
            }
            _ => Err("its caller is more than a call".to_owned()),
        }
    }

    /// An assignment or the call.
    fn effect(&mut self, expr: ExprId) -> Result<String, String> {
        match &self.tree.exprs[expr].kind {
            ExprKind::Convert { conversion: Conversion::ToVoid, operand } => self.effect(*operand),
            ExprKind::Assign { target, value } => {
                let written = self.value(*value)?;
                match self.tree.exprs[*target].kind {
                    ExprKind::Variable(variable) => {
                        let ty = self.type_of(*value)?;
                        Ok(format!("{ty} {} = {written}", local(self.tree, variable)))
                    }
                    ExprKind::Member { base, offset, bits: None } => {
                        let ExprKind::Variable(object) = self.tree.exprs[base].kind else {
                            return Err("a part of no object is set".to_owned());
                        };
                        let object = self.objects.name(object)?;
                        Ok(format!("*(void **)({object} + {offset}) = {written}"))
                    }
                    _ => Err("something else than an object is set".to_owned()),
                }
            }
            ExprKind::Call { callee: Callee::Function(function), arguments }
                if *function == self.entry.checked =>
            {
                self.the_call(*function, arguments)
            }
            _ => Err("its caller is more than a call".to_owned()),
        }
    }

    fn the_call(&mut self, function: FunctionId, arguments: &[ExprId]) -> Result<String, String> {
        let tree = self.tree;
        let (mut types, mut values) = (Vec::new(), Vec::new());
        for &argument in arguments {
            types.push(self.type_of(argument)?);
            values.push(self.value(argument)?);
        }
        let declared = &tree.functions[function];
        let result = tree.types.as_function(declared.ty).map(|it| it.result);
        let result = match result {
            Some(ty) if !tree.types.is_void(ty) => type_name(tree, ty).ok_or_else(|| {
                format!(
                    "`{}` returns a `{}`, which a test cannot take",
                    declared.name,
                    tree.types.display(ty)
                )
            })?,
            _ => "void",
        };
        let types = if types.is_empty() { "void".to_owned() } else { types.join(", ") };
        let _ = writeln!(self.before, "extern {result} {}({types});", declared.name);
        Ok(format!("{}({})", declared.name, values.join(", ")))
    }

    fn type_of(&self, expr: ExprId) -> Result<&'static str, String> {
        let ty = self.tree.exprs[expr].ty;
        type_name(self.tree, ty).ok_or_else(|| {
            format!("an argument is a `{}`, which a test cannot make", self.tree.types.display(ty))
        })
    }

    fn value(&mut self, expr: ExprId) -> Result<String, String> {
        let node = &self.tree.exprs[expr];
        Ok(match &node.kind {
            ExprKind::Int(value) => {
                literal(self.tree, node.ty, *value).ok_or("a number that C cannot write")?
            }
            ExprKind::Load(operand) => match self.tree.exprs[*operand].kind {
                ExprKind::Variable(variable) if self.tree.types.as_record(node.ty).is_none() => {
                    local(self.tree, variable)
                }
                _ => {
                    let ty = self.tree.types.display(node.ty);
                    return Err(format!("an argument is a `{ty}`, which a test cannot make"));
                }
            },
            ExprKind::Call { callee: Callee::Function(_), .. } => {
                let made = self.inputs.pop_front().ok_or("an argument has no value")?;
                literal(self.tree, node.ty, made.value)
                    .ok_or_else(|| format!("{} has a value that C cannot write", made.choice.name))?
            }
            ExprKind::Address { base: AddressBase::Variable(object), offset } => {
                format!("(void *)({} + {offset})", self.objects.name(*object)?)
            }
            ExprKind::PointerOffset { pointer, index, scale: Scale::Bytes(size), negate: false } => {
                let (pointer, index) = (self.value(*pointer)?, self.value(*index)?);
                format!("(void *)((char *){pointer} + {index} * {size})")
            }
            ExprKind::Convert { conversion, operand } => {
                let value = self.value(*operand)?;
                match conversion {
                    Conversion::PointerToPointer => value,
                    Conversion::IntToPointer => format!("(void *)({value})"),
                    Conversion::IntToBool => format!("({value} != 0)"),
                    Conversion::IntToInt | Conversion::FloatToFloat => {
                        format!("({})({value})", self.type_of(expr)?)
                    }
                    _ => return Err("an argument is converted in a way that is not written".to_owned()),
                }
            }
            ExprKind::Compare { op: CompareOp::Equal, lhs, rhs } => {
                format!("({} == {})", self.value(*lhs)?, self.value(*rhs)?)
            }
            ExprKind::Binary { op: BinaryOp::Rem, lhs, rhs } => {
                format!("({} % {})", self.value(*lhs)?, self.value(*rhs)?)
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                let (condition, then) = (self.value(*condition)?, self.value(*then)?);
                format!("({condition} ? {then} : {})", self.value(*otherwise)?)
            }
            _ => return Err("an argument is no plain value".to_owned()),
        })
    }
}

/// What a variable of the caller is called.
fn local(tree: &Program, variable: VarId) -> String {
    format!("nilas_{}", super::objects::plain_name(&tree.variables[variable].name))
}
