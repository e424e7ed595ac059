//! Functions that print and read by a format.

use crate::library::catalogue::Row;
use crate::lower::HavocOrigin;
use crate::lower::lowering::Lowering;
use crate::lower::memory::layout::{Kind, scalar};
use crate::lower::translate::expr::Val;
use crate::lower::translate::temporary::Purpose;
use crate::tree::{ExprId, StringId};
use crate::types::TypeId;
use nilas_term::Sort;

const WRITES: &str = "a format with `%n`";

impl Lowering<'_> {
    /// Prints to where nobody looks: a number of characters, or -1.
    pub(in crate::lower) fn print(
        &mut self,
        expr: ExprId,
        row: &'static Row,
        format: u8,
        arguments: &[ExprId],
    ) -> Val {
        if self.format_may_write(format, arguments) {
            return self.unmodelled_value(WRITES, self.tree.exprs[expr].ty);
        }
        self.any_result(expr, row, Some((-1, i64::from(i32::MAX))), arguments, &[])
    }

    /// Prints into a buffer: what, is not computed.
    pub(in crate::lower) fn print_into(
        &mut self,
        expr: ExprId,
        row: &'static Row,
        (size, format): (Option<u8>, u8),
        arguments: &[ExprId],
        values: &[Val],
    ) -> Option<Val> {
        let tree = self.tree;
        if self.format_may_write(format, arguments) {
            return Some(self.unmodelled_value(WRITES, tree.exprs[expr].ty));
        }
        let text = tree.function(row.helpers.first()?)?;
        let &[_, parameter] = &tree.functions[text].parameters[..] else { return None };
        let limit = match size {
            Some(size) => {
                let size = usize::from(size);
                (values.get(size)?.clone(), tree.exprs[*arguments.get(size)?].ty)
            }
            // No buffer is that large.
            None => {
                let most = self.big_constant(-1, self.pointer_bits());
                (Val::Scalar(most), tree.variables[parameter].ty)
            }
        };
        let buffer: (Val, TypeId) = (values.first()?.clone(), tree.exprs[*arguments.first()?].ty);
        self.calls.library.push(row);
        let result = self.inline(text, &[buffer, limit]);
        self.calls.library.pop();
        Some(result)
    }

    /// Whether a format may write through an argument. One that is computed may be any literal of the program.
    fn format_may_write(&self, format: u8, arguments: &[ExprId]) -> bool {
        let literal = arguments.get(usize::from(format)).and_then(|&format| self.literal(format));
        match literal {
            Some(string) => self.writes(string),
            None => self.tree.strings.ids().any(|string| self.writes(string)),
        }
    }

    /// Whether a string, taken as a format, has a conversion that writes.
    fn writes(&self, string: StringId) -> bool {
        let mut inside = false;
        self.tree.strings[string].units.iter().any(|&unit| {
            let letter = char::from_u32(unit).unwrap_or(' ');
            let writes = inside && letter == 'n';
            inside = match letter {
                '%' => !inside,
                // Flags, widths and lengths.
                _ => inside && (!letter.is_ascii_alphabetic() || "hljztLq".contains(letter)),
            };
            writes
        })
    }

    /// Reads by a format: each number that an argument points to keeps its value or becomes any other. `None` where text is
    /// read, too: then it is a function without body.
    pub(in crate::lower) fn scan(
        &mut self,
        expr: ExprId,
        row: &'static Row,
        (fixed, input): (usize, bool),
        arguments: &[ExprId],
        values: &[Val],
    ) -> Option<Val> {
        let tree = self.tree;
        let mut targets = Vec::new();
        for (&argument, value) in arguments.iter().zip(values).skip(fixed) {
            let pointee = tree.types.pointee(tree.exprs[argument].ty)?;
            let (kind, width) = scalar(&tree.types, pointee)?;
            if width == 8 || tree.types.pointee(pointee).is_some() {
                return None;
            }
            targets.push((argument, value.clone(), pointee, kind));
        }
        let ty = tree.exprs[expr].ty;
        for (argument, pointer, pointee, kind) in targets {
            let (read, new) = self.temporary(argument, Purpose::Read, &kind.sort());
            let (choice, written) = self.temporary(argument, Purpose::ReadChoice, &Sort::Bool);
            let name = row.name.to_string();
            let origin = if input { HavocOrigin::Read(name) } else { HavocOrigin::Written(name) };
            self.with_origin(origin, |this| {
                this.build.havoc(read);
                this.build.havoc(choice);
            });
            let place = self.pointed(pointer, pointee, Some(self.points.of_expr(argument)));
            let old = self.read(&place);
            let value = self.build.arena.ite(written, new, old);
            self.write(&place, value);
        }
        if row.errno {
            self.may_set_errno(expr);
        }
        let count = self.any_value(expr, &row.name);
        if let (Val::Scalar(term), Some((Kind::Bits(width), _))) = (&count, scalar(&tree.types, ty)) {
            let most = i64::try_from(arguments.len().saturating_sub(fixed)).unwrap_or(i64::MAX);
            self.assume_between(*term, width, -1, most);
        }
        Some(count)
    }
}
