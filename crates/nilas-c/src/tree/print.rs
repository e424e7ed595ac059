//! The tree as text: C-like, with every conversion shown. For tests and for looking at what the front end
//! made.

use super::{
    AddressBase, BinaryOp, Callee, CompareOp, ExprId, ExprKind, FloatConstant, InitValue, Initialiser,
    Program, Scale, StmtId, StmtKind, UnaryOp,
};
use std::fmt::Write as _;

impl Program {
    /// An expression on one line. Loads are `@x`, conversions `(T <- e)`, members `x.+offset` or
    /// `x.+offset:bit:width`.
    pub fn show_expr(&self, id: ExprId) -> String {
        let mut out = String::new();
        self.write_expr(id, &mut out);
        out
    }

    fn write_expr(&self, id: ExprId, out: &mut String) {
        let expr = &self.exprs[id];
        let list = |ids: &[ExprId]| ids.iter().map(|&a| self.show_expr(a)).collect::<Vec<_>>().join(", ");
        let one = |id: ExprId| self.show_expr(id);
        let text = match &expr.kind {
            ExprKind::Int(value) => value.to_string(),
            ExprKind::Float(FloatConstant::Finite { digits, exponent, binary }) => {
                format!("{digits}{}{exponent}", if *binary { "p" } else { "e" })
            }
            ExprKind::Float(FloatConstant::Infinity) => "inf".to_owned(),
            ExprKind::Float(FloatConstant::Nan { .. }) => "nan".to_owned(),
            ExprKind::Variable(v) => self.variables[*v].name.clone(),
            ExprKind::CompoundLiteral(v) => format!("literal {}", self.variables[*v].name),
            ExprKind::String(s) => {
                let units = self.strings[*s].units.iter().filter_map(|&u| char::from_u32(u));
                format!("{:?}", units.collect::<String>())
            }
            ExprKind::Function(f) => self.functions[*f].name.clone(),
            ExprKind::Materialise { value, variable } => {
                format!("[{} = {}]", self.variables[*variable].name, one(*value))
            }
            ExprKind::Deref(a) => format!("*{}", one(*a)),
            ExprKind::Member { base, offset, bits } => {
                let bits = bits.map(|b| format!(":{}:{}", b.offset, b.width)).unwrap_or_default();
                format!("{}.+{offset}{bits}", one(*base))
            }
            ExprKind::Load(a) => format!("@{}", one(*a)),
            ExprKind::AddressOf(a) => format!("&{}", one(*a)),
            ExprKind::ArrayDecay(a) => format!("&{}[0]", one(*a)),
            ExprKind::FunctionDecay(a) => format!("&{}", one(*a)),
            ExprKind::Address { base, offset } => {
                let base = match base {
                    AddressBase::Variable(v) => self.variables[*v].name.clone(),
                    AddressBase::Function(f) => self.functions[*f].name.clone(),
                    AddressBase::String(s) => format!("{s:?}"),
                };
                format!("<{base} + {offset}>")
            }
            ExprKind::LabelAddress(l) => format!("&&{}", self.labels[*l].name.as_deref().unwrap_or("?")),
            ExprKind::Convert { operand, .. } => {
                format!("({} <- {})", self.types.display(expr.ty), one(*operand))
            }
            ExprKind::Unary { op, operand } => {
                format!("{}{}", if *op == UnaryOp::Negate { "-" } else { "~" }, one(*operand))
            }
            ExprKind::Not(a) => format!("!{}", one(*a)),
            ExprKind::Binary { .. } => return self.write_binary(id, out),
            ExprKind::Compare { op, lhs, rhs } => {
                format!("({} {} {})", one(*lhs), compare_text(*op), one(*rhs))
            }
            ExprKind::PointerOffset { pointer, index, scale, negate } => {
                let sign = if *negate { "-" } else { "+" };
                format!("({} {sign} {} * {})", one(*pointer), one(*index), self.show_scale(*scale))
            }
            ExprKind::PointerDifference { lhs, rhs, scale } => {
                format!("(({} - {}) / {})", one(*lhs), one(*rhs), self.show_scale(*scale))
            }
            ExprKind::And(a, b) => format!("({} && {})", one(*a), one(*b)),
            ExprKind::Or(a, b) => format!("({} || {})", one(*a), one(*b)),
            ExprKind::Conditional { condition, then, otherwise } => {
                format!("({} ? {} : {})", one(*condition), one(*then), one(*otherwise))
            }
            ExprKind::Comma(a, b) => format!("({}, {})", one(*a), one(*b)),
            ExprKind::Assign { target, value } => format!("({} = {})", one(*target), one(*value)),
            ExprKind::Update { target, value, postfix, .. } => {
                format!("({} := {}{})", one(*target), one(*value), if *postfix { ", old" } else { "" })
            }
            ExprKind::Old => "old".to_owned(),
            ExprKind::Call { callee, arguments } => {
                let callee = match callee {
                    Callee::Function(f) => self.functions[*f].name.clone(),
                    Callee::Pointer(p) => format!("(*{})", one(*p)),
                };
                format!("{callee}({})", list(arguments))
            }
            ExprKind::Builtin { builtin, arguments } => format!("{builtin:?}({})", list(arguments)),
            ExprKind::VaArg(a) => format!("va_arg({}, {})", one(*a), self.types.display(expr.ty)),
            ExprKind::Statement { block, value } => {
                let value = value.map(one).unwrap_or_default();
                format!("({{ {} {value} }})", self.show_stmt(*block).replace('\n', " "))
            }
        };
        out.push_str(&text);
    }

    /// Arithmetic along the left spine by a loop: sums can be thousands of terms long.
    fn write_binary(&self, id: ExprId, out: &mut String) {
        let mut spine = Vec::new();
        let mut first = id;
        while let ExprKind::Binary { op, lhs, rhs } = self.exprs[first].kind {
            spine.push((op, rhs));
            first = lhs;
        }
        out.push_str(&"(".repeat(spine.len()));
        self.write_expr(first, out);
        for (op, rhs) in spine.into_iter().rev() {
            let _ = write!(out, " {} {})", binary_text(op), self.show_expr(rhs));
        }
    }

    fn show_scale(&self, scale: Scale) -> String {
        match scale {
            Scale::Bytes(n) => n.to_string(),
            Scale::Dynamic(size) => self.show_expr(size),
        }
    }

    /// An initialiser on one line: `offset: value`, with `0` in front if the rest is filled with zeros.
    pub fn show_init(&self, init: &Initialiser) -> String {
        let mut parts = Vec::new();
        if init.zero_fill {
            parts.push("0".to_owned());
        }
        for item in &init.items {
            let bits = item.bits.map(|b| format!(".{}:{}", b.offset, b.width)).unwrap_or_default();
            let value = match item.value {
                InitValue::Expr(value) => self.show_expr(value),
                InitValue::String { string, units } => format!("{string:?}[{units}]"),
            };
            parts.push(format!("{}{bits}: {value}", item.offset));
        }
        format!("{{{}}}", parts.join(", "))
    }

    /// A statement, one line per simple statement.
    pub fn show_stmt(&self, id: StmtId) -> String {
        let mut out = String::new();
        self.write_stmt(id, 0, &mut out);
        out
    }

    fn write_stmt(&self, id: StmtId, indent: usize, out: &mut String) {
        let pad = "  ".repeat(indent);
        let label = |l: super::LabelId| self.labels[l].name.clone().unwrap_or_else(|| format!("{l:?}"));
        let line = match &self.stmts[id].kind {
            StmtKind::Empty => ";".to_owned(),
            StmtKind::Expr(e) => format!("{};", self.show_expr(*e)),
            StmtKind::Block { items, .. } => {
                for &item in items {
                    self.write_stmt(item, indent, out);
                }
                return;
            }
            StmtKind::Declare(v) => {
                let variable = &self.variables[*v];
                let init =
                    variable.init.as_ref().map(|i| format!(" = {}", self.show_init(i))).unwrap_or_default();
                format!("{}: {}{init};", variable.name, self.types.display(variable.ty))
            }
            StmtKind::Label(l) => format!("{}:", label(*l)),
            StmtKind::If { condition, then, otherwise } => {
                let _ = writeln!(out, "{pad}if {}", self.show_expr(*condition));
                self.write_stmt(*then, indent + 1, out);
                if let Some(otherwise) = otherwise {
                    let _ = writeln!(out, "{pad}else");
                    self.write_stmt(*otherwise, indent + 1, out);
                }
                return;
            }
            StmtKind::Switch { value, body, cases, default } => {
                let cases: Vec<String> =
                    cases.iter().map(|c| format!("{}..{} {}", c.low, c.high, label(c.label))).collect();
                let default = default.map(|l| format!("; default {}", label(l))).unwrap_or_default();
                let _ =
                    writeln!(out, "{pad}switch {} [{}{default}]", self.show_expr(*value), cases.join(", "));
                return self.write_stmt(*body, indent + 1, out);
            }
            StmtKind::While { condition, body } => {
                let _ = writeln!(out, "{pad}while {}", self.show_expr(*condition));
                return self.write_stmt(*body, indent + 1, out);
            }
            StmtKind::DoWhile { body, condition } => {
                let _ = writeln!(out, "{pad}do while {}", self.show_expr(*condition));
                return self.write_stmt(*body, indent + 1, out);
            }
            StmtKind::For { condition, step, body } => {
                let part = |e: &Option<ExprId>| e.map(|e| self.show_expr(e)).unwrap_or_default();
                let _ = writeln!(out, "{pad}for {}; {}", part(condition), part(step));
                return self.write_stmt(*body, indent + 1, out);
            }
            StmtKind::Goto(l) => format!("goto {};", label(*l)),
            StmtKind::ComputedGoto { target, .. } => format!("goto *{};", self.show_expr(*target)),
            StmtKind::Break => "break;".to_owned(),
            StmtKind::Continue => "continue;".to_owned(),
            StmtKind::Return(value) => {
                format!("return {};", value.map(|v| self.show_expr(v)).unwrap_or_default())
            }
            StmtKind::Asm(asm) => format!("asm {:?};", asm.template),
        };
        let _ = writeln!(out, "{pad}{line}");
    }
}

fn binary_text(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::ShiftLeft => "<<",
        BinaryOp::ShiftRight => ">>",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitXor => "^",
        BinaryOp::BitOr => "|",
    }
}

fn compare_text(op: CompareOp) -> &'static str {
    match op {
        CompareOp::Less => "<",
        CompareOp::LessEqual => "<=",
        CompareOp::Greater => ">",
        CompareOp::GreaterEqual => ">=",
        CompareOp::Equal => "==",
        CompareOp::NotEqual => "!=",
    }
}
