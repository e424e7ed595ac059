//! Functions that the program does not define and the catalogue knows.

use crate::library::catalogue::{self, Meaning, Model, Row};
use crate::lower::build::checks::ASSERTION;
use crate::lower::calls::Frame;
use crate::lower::lowering::Lowering;
use crate::lower::memory::layout::{Kind, scalar};
use crate::lower::translate::expr::{Val, whole};
use crate::lower::translate::temporary::Purpose;
use crate::lower::{FunctionResult, HavocOrigin};
use crate::tree::{AddressBase, ExprId, ExprKind, StringId};
use nilas_fault::{Fault, planted};
use nilas_term::{Sort, Term};

impl Lowering<'_> {
    /// A call of a function of the catalogue; `None` if its body says what it means.
    pub(in crate::lower) fn known(
        &mut self,
        expr: ExprId,
        row: &'static Row,
        arguments: &[ExprId],
        values: &[Val],
        has_text: bool,
    ) -> Option<Val> {
        let ty = self.tree.exprs[expr].ty;
        if let Some(object) = catalogue::sets_named(self.tree, row.base) {
            return Some(self.unmodelled_value(&format!("`{}`, which sets `{object}`", row.name), ty));
        }
        let meaning = match row.model {
            Model::Text => None,
            Model::Any(bounds) => return Some(self.any_result(expr, row, bounds, arguments, values)),
            Model::Unmodelled(construct) => return Some(self.unmodelled_value(construct, ty)),
            Model::Refused(message) => return Some(self.refused_value(message, ty)),
            Model::Checker(_) => {
                let construct = format!("`{}` of this type", row.name);
                return Some(self.unmodelled_value(&construct, ty));
            }
            Model::Lowering(meaning) => self.meaning(expr, row, meaning, arguments, values),
        };
        if meaning.is_some() || has_text {
            return meaning;
        }
        let construct = format!("`{}` with another type than the library's", row.name);
        Some(self.unmodelled_value(&construct, ty))
    }

    fn meaning(
        &mut self,
        expr: ExprId,
        row: &'static Row,
        meaning: Meaning,
        arguments: &[ExprId],
        values: &[Val],
    ) -> Option<Val> {
        let tree = self.tree;
        let ty = tree.exprs[expr].ty;
        let terms: Vec<Term> = values
            .iter()
            .zip(arguments)
            .map(|(value, &argument)| self.argument_term(value, tree.exprs[argument].ty))
            .collect();
        match (meaning, &terms[..]) {
            (Meaning::Error, _) => {
                let text = arguments.first().and_then(|&text| self.literal(text));
                let text = text.map(|text| self.literal_text(text));
                self.build.fails(ASSERTION, text);
                Some(self.nothing(ty))
            }
            (Meaning::Assume, &[condition]) => {
                let condition = self.truth(condition);
                self.build.assume(condition);
                Some(Val::Void)
            }
            // The second argument of some is a text for people.
            (Meaning::Assert, &[condition] | &[condition, _]) => {
                let condition = self.truth(condition);
                let fails = self.build.split(condition);
                let text = arguments.first().map(|&asserted| self.source_text(asserted));
                self.join(fails, |this| this.build.fails(ASSERTION, text));
                Some(Val::Void)
            }
            (Meaning::Exit, _) => {
                if !planted(Fault::ExitSkipsHandlers) {
                    self.at_exit();
                }
                self.build.stop();
                Some(self.nothing(ty))
            }
            (Meaning::Stop, _) => {
                self.build.stop();
                Some(self.nothing(ty))
            }
            (Meaning::Print(format), _) => Some(self.print(expr, row, format, arguments)),
            (Meaning::PrintInto { size, format }, _) => {
                self.print_into(expr, row, (size, format), arguments, values)
            }
            (Meaning::Scan { format, input }, _) => {
                let scanned = self.scan(expr, row, (usize::from(format) + 1, input), arguments, values);
                Some(scanned.unwrap_or_else(|| self.any_result(expr, row, None, arguments, values)))
            }
            (Meaning::Input, _) => Some(self.open_value(expr)),
            (Meaning::NotCovered | Meaning::Presume, _) => {
                let what = arguments.first().and_then(|&text| self.literal(text));
                let what = what.map(|what| self.literal_text(what)).unwrap_or_default();
                if meaning == Meaning::Presume {
                    self.build.presume(&what);
                } else {
                    self.build.unmodelled(&what);
                }
                Some(self.nothing(ty))
            }
            (Meaning::First, _) => values.first().cloned(),
            (Meaning::Opaque, _) => Some(self.any_value(expr, &row.name)),
            (Meaning::ObjectSize, &[_, kind]) => Some(self.object_size(expr, row, &values[0], kind)),
            (Meaning::SetRounding, &[number]) => self.set_rounding(number).map(Val::Scalar),
            (Meaning::GetRounding, _) => Some(Val::Scalar(self.get_rounding())),
            (Meaning::FloatRounds, _) => Some(Val::Scalar(self.float_rounds())),
            (Meaning::Mathematics, _) => {
                let exact = self.known_float(expr, row.base, arguments, values, &terms);
                if exact.is_some() && row.errno {
                    self.may_set_errno(expr, None);
                }
                Some(exact.unwrap_or_else(|| self.any_result(expr, row, None, arguments, values)))
            }
            (_, &[value]) if let Some(result) = self.bits_of(meaning, value) => {
                Some(Val::Scalar(self.told_by(&[value], result)))
            }
            _ => self.known_memory(expr, meaning, arguments, values),
        }
    }

    /// Any value within bounds, and any bytes in what the function may write.
    pub(in crate::lower) fn any_result(
        &mut self,
        expr: ExprId,
        row: &'static Row,
        bounds: Option<(i64, i64)>,
        arguments: &[ExprId],
        values: &[Val],
    ) -> Val {
        let tree = self.tree;
        for (number, (value, &argument)) in values.iter().zip(arguments).enumerate() {
            if !row.writes_through(number) || tree.types.pointee(tree.exprs[argument].ty).is_none() {
                continue;
            }
            let construct = format!("a pointer given to `{}`", row.name);
            let class = self.points.of_expr(argument);
            let written = if row.partial {
                HavocOrigin::Written(row.name.to_string())
            } else {
                HavocOrigin::Read(row.name.to_string())
            };
            self.with_origin(written, |this| this.overwrite(value, class, &construct, &mut Vec::new()));
        }
        if row.noreturn {
            self.build.stop();
            return self.nothing(tree.exprs[expr].ty);
        }
        let value = self.any_value(expr, &row.name);
        if let (Some((low, high)), Val::Scalar(term)) = (bounds, &value)
            && let Some((Kind::Bits(width), _)) = scalar(&tree.types, tree.exprs[expr].ty)
        {
            self.assume_between(*term, width, low, high);
            if low == -1 && row.errno {
                // -1 says that it failed.
                let minus = self.big_constant(-1, width);
                let fails = self.build.arena.eq(*term, minus);
                self.may_set_errno(expr, Some(fails));
                return value;
            }
        }
        if row.errno {
            self.may_set_errno(expr, None);
        }
        value
    }

    /// A choice that was made within bounds; those that its type has anyway are no bounds.
    pub(in crate::lower) fn assume_between(&mut self, term: Term, width: u32, low: i64, high: i64) {
        let high = if width < 64 { high.min((1 << (width - 1)) - 1) } else { high };
        let (low, high) =
            (self.big_constant(i128::from(low), width), self.big_constant(i128::from(high), width));
        let (above, below) = (self.build.arena.bv_sle(low, term), self.build.arena.bv_sle(term, high));
        let possible = self.build.arena.and(&[above, below]);
        self.build.assume(possible);
    }

    /// What a function in C leaves open. It is an input, unless the arguments of the function fix it.
    fn open_value(&mut self, expr: ExprId) -> Val {
        let node = &self.tree.exprs[expr];
        let row_of = |frame: &Frame| {
            let name = &self.tree.functions[frame.function].name;
            catalogue::row(name).filter(|row| row.text_name() == *name)
        };
        let rows = self.calls.frames.iter().enumerate().rev();
        let found = rows.filter_map(|(index, frame)| Some((index, row_of(frame)?))).next();
        self.ask_for_own(found.map(|(index, _)| index));
        let row = found.map(|(_, row)| row).or_else(|| self.calls.library.last().copied());
        let function = row.map_or("", |row| row.base).to_owned();
        let origin = if row.is_some_and(|row| row.determined) {
            HavocOrigin::Unknown(FunctionResult { function, ty: node.ty, span: node.span })
        } else {
            HavocOrigin::Read(function)
        };
        let Some((kind, _)) = scalar(&self.tree.types, node.ty) else { return Val::Void };
        let held = self.held_kind(kind).sort();
        let (variable, term) = self.temporary(expr, Purpose::AnyResult, &held);
        let term = self.unheld(term, kind);
        self.with_origin(origin, |this| this.build.havoc(variable));
        Val::Scalar(term)
    }

    /// `errno` keeps its value, unless the function is known to have failed, or holds the number of an error.
    /// No function sets it to zero.
    pub(in crate::lower) fn may_set_errno(&mut self, expr: ExprId, fails: Option<Term>) {
        let Some(errno) = self.facts.errno.filter(|_| !planted(Fault::ErrnoNeverSet)) else { return };
        let ty = self.tree.variables[errno].ty;
        let place = whole(self.variable_object(errno), ty);
        let old = self.read(&place);
        let origin = HavocOrigin::Read("errno".to_owned());
        let (variable, new) = self.temporary(expr, Purpose::Errno, &Sort::BitVec(32));
        self.with_origin(origin, |this| this.build.havoc(variable));
        let zero = self.build.arena.bv(32, 0);
        let set = self.build.arena.bv_slt(zero, new);
        let one = self.build.arena.bv(32, 1);
        let kept = fails.map_or(old, |fails| self.build.arena.ite(fails, one, old));
        let value = self.build.arena.ite(set, new, kept);
        self.write(&place, value);
    }

    /// At most what is left of an object: not known, or what GCC knows of a variable, which is not computed.
    fn object_size(&mut self, expr: ExprId, row: &Row, pointer: &Val, kind: Term) -> Val {
        let width = self.pointer_bits();
        let kind = self.build.arena.as_bitvec(kind).and_then(nilas_term::BitVec::to_u64);
        match (pointer, kind) {
            (Val::Scalar(_), Some(0 | 1)) => Val::Scalar(self.big_constant(-1, width)),
            (Val::Scalar(_), Some(2 | 3)) => Val::Scalar(self.build.arena.bv(width, 0)),
            _ => self.any_value(expr, &row.name),
        }
    }

    /// The text of a string literal.
    fn literal_text(&self, string: StringId) -> String {
        let units = self.tree.strings[string].units.iter().take_while(|&&unit| unit != 0);
        units.filter_map(|&unit| char::from_u32(unit)).collect()
    }

    /// The text of an expression in the source.
    pub(in crate::lower) fn source_text(&self, expr: ExprId) -> String {
        let text = self.tree.sources.expression(self.tree.exprs[expr].span);
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The string literal that an argument is.
    pub(in crate::lower) fn literal(&self, mut argument: ExprId) -> Option<StringId> {
        let exprs = &self.tree.exprs;
        while let ExprKind::Convert { operand, .. } = exprs[argument].kind {
            argument = operand;
        }
        match exprs[argument].kind {
            ExprKind::Address { base: AddressBase::String(string), offset: 0 } => Some(string),
            ExprKind::ArrayDecay(place) => match exprs[place].kind {
                ExprKind::String(string) => Some(string),
                _ => None,
            },
            _ => None,
        }
    }

    /// An `int` that is not zero if and only if the condition holds; which one, the standard leaves open.
    pub(in crate::lower) fn nonzero_if(&mut self, expr: ExprId, condition: Term) -> Term {
        let (zero, one) = (self.build.arena.bv(32, 0), self.build.arena.bv(32, 1));
        match self.build.arena.as_bool(condition) {
            Some(false) => zero,
            _ => {
                let (variable, any) = self.temporary(expr, Purpose::NonZero, &Sort::BitVec(32));
                self.build.havoc(variable);
                let is_zero = self.build.arena.eq(any, zero);
                let set = self.build.arena.ite(is_zero, one, any);
                self.build.arena.ite(condition, set, zero)
            }
        }
    }
}
