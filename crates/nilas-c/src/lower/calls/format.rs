//! Functions that print and read by a format.

use crate::library::catalogue::Row;
use crate::lower::HavocOrigin;
use crate::lower::lowering::Lowering;
use crate::lower::memory::layout::{Kind, scalar};
use crate::lower::translate::expr::Val;
use crate::lower::translate::temporary::Purpose;
use crate::tree::{ExprId, StringId};
use crate::types::{FloatKind, TypeId, TypeKind};
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
        self.presume_format(row, usize::from(format), arguments);
        let literal = arguments.get(usize::from(format)).and_then(|&format| self.literal(format));
        let (least, exact) = literal.map_or((0, false), |string| self.printed(string));
        let Some((Kind::Bits(width), _)) = scalar(&self.tree.types, self.tree.exprs[expr].ty) else {
            return self.any_result(expr, row, None, arguments, &[]);
        };
        let Val::Scalar(outcome) = self.any_result(expr, row, Some((-1, 0)), arguments, &[]) else {
            return Val::Void;
        };
        let length = if exact {
            self.build.arena.bv(width, least)
        } else {
            let (variable, length) = self.temporary(expr, Purpose::Open, &Sort::BitVec(width));
            let origin = HavocOrigin::Determined(row.name.to_string());
            self.with_origin(origin, |this| this.build.havoc(variable));
            let least = self.build.arena.bv(width, least);
            let less = self.build.arena.bv_slt(length, least);
            self.build.arena.ite(less, least, length)
        };
        let fails = self.build.arena.bv_is_negative(outcome);
        Val::Scalar(self.build.arena.ite(fails, outcome, length))
    }

    /// A format whose directives do not have the arguments that they ask for makes the behaviour undefined
    /// (7.21.6.1p9). Types are compared; whether a pointer is one to a string is looked at for literals only.
    fn presume_format(&mut self, row: &Row, format: usize, arguments: &[ExprId]) {
        let literal = arguments.get(format).and_then(|&format| self.literal(format));
        let fits =
            literal.and_then(|string| directives(&self.tree.strings[string].units)).is_some_and(|found| {
                let given = arguments.get(format + 1..).unwrap_or_default();
                let (_, variadic) = row.parameters();
                found.is_empty()
                    || variadic
                        && found.len() <= given.len()
                        && found
                            .iter()
                            .zip(given)
                            .all(|(directive, &argument)| self.takes(*directive, argument))
            });
        if !fits {
            self.build
                .presume(&format!("the arguments of `{}` being those that its format asks for", row.name));
        }
    }

    /// Whether an argument is certainly what a directive asks for.
    fn takes(&self, directive: Directive, argument: ExprId) -> bool {
        let types = &self.tree.types;
        let ty = self.tree.exprs[argument].ty;
        match directive {
            Directive::Integer(size) => types.int_kind(ty).is_some() && types.size_of(ty) == Some(size),
            Directive::Long => {
                types.int_kind(ty).is_some() && types.size_of(ty) == Some(types.model().pointer_size())
            }
            Directive::Float { long } => match types.kind(ty) {
                TypeKind::Float(kind) if long => *kind == types.model().target().long_double,
                TypeKind::Float(kind) => *kind == FloatKind::Double,
                _ => false,
            },
            Directive::Pointer => types.pointee(ty).is_some(),
            Directive::Text => self.literal(argument).is_some(),
        }
    }

    /// How many characters a format prints at least, and whether it has no conversions, so that these are
    /// all.
    fn printed(&self, string: StringId) -> (u64, bool) {
        let mut units =
            self.tree.strings[string].units.iter().copied().take_while(|&unit| unit != 0).peekable();
        let (mut least, mut exact) = (0, true);
        let percent = u32::from('%');
        while let Some(unit) = units.next() {
            if unit != percent || units.next_if_eq(&percent).is_some() {
                least += 1;
            } else {
                // Flags, widths and lengths end with the letter of a conversion.
                exact = false;
                for unit in units.by_ref() {
                    let letter = char::from_u32(unit).unwrap_or(' ');
                    if letter == '%' || letter.is_ascii_alphabetic() && !"hljztLq".contains(letter) {
                        break;
                    }
                }
            }
        }
        (least, exact)
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
        self.presume_format(row, usize::from(format), arguments);
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

    /// Whether a format may write through an argument. One that is computed may be any literal of the
    /// program.
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

    /// Reads by a format: as many conversions as the result says store what they read, any value of their
    /// type. `None` where the format is no literal, or has conversions of another sort.
    pub(in crate::lower) fn scan(
        &mut self,
        expr: ExprId,
        row: &'static Row,
        (fixed, input): (usize, bool),
        arguments: &[ExprId],
        values: &[Val],
    ) -> Option<Val> {
        let tree = self.tree;
        let format = self.literal(*arguments.get(fixed - 1)?)?;
        if let Some(text) = row.helpers.get(1).and_then(|name| tree.function(name)) {
            let stream = (values.first()?.clone(), tree.exprs[*arguments.first()?].ty);
            self.calls.library.push(row);
            self.inline(text, &[stream]);
            self.calls.library.pop();
        }
        let conversions = conversions(&tree.strings[format].units)?;
        let (targets, values) = (arguments.get(fixed..)?, values.get(fixed..)?);
        let (Kind::Bits(width), _) = scalar(&tree.types, tree.exprs[expr].ty)? else { return None };
        if conversions.len() != targets.len() || !self.fit(&conversions, targets) {
            return None;
        }
        if row.errno {
            self.may_set_errno(expr, None);
        }
        let result = self.any_value(expr, &row.name);
        let Val::Scalar(count) = result else { return None };
        let counted = conversions.iter().filter(|conversion| **conversion != Conversion::Count).count();
        self.assume_between(count, width, -1, i64::try_from(counted).unwrap_or(i64::MAX));
        let mut before = 0;
        for ((conversion, &argument), pointer) in conversions.iter().zip(targets).zip(values) {
            let number = self.build.arena.bv(width, before);
            let reached = self.build.arena.bv_slt(number, count);
            match *conversion {
                Conversion::Text { most, string } => {
                    before += 1;
                    if string == 2 {
                        let what =
                            format!("what `{}` reads being in the set that its format names", row.name);
                        self.build.presume_if(reached, &what);
                    }
                    self.scan_text(row, (pointer.clone(), argument), most, string, reached)?;
                }
                Conversion::Number { .. } | Conversion::Count => {
                    // How much was read so far is stored wherever it is reached, and does not count.
                    let reached = if *conversion == Conversion::Count {
                        self.build.arena.bv_sle(number, count)
                    } else {
                        before += 1;
                        reached
                    };
                    // What few characters may say, and how many there were, is not any value.
                    let any = *conversion == Conversion::Number { any: true };
                    self.scan_number(row, input && any, (pointer.clone(), argument), reached)?;
                }
            }
        }
        Some(result)
    }

    /// Whether each conversion has a pointer to what it stores.
    fn fit(&self, conversions: &[Conversion], targets: &[ExprId]) -> bool {
        let types = &self.tree.types;
        conversions.iter().zip(targets).all(|(conversion, &target)| {
            let pointee = types.pointee(self.tree.exprs[target].ty);
            match conversion {
                Conversion::Text { .. } => pointee.is_some(),
                _ => pointee.is_some_and(|to| scalar(types, to).is_some() && types.pointee(to).is_none()),
            }
        })
    }

    fn scan_number(
        &mut self,
        row: &'static Row,
        input: bool,
        (pointer, argument): (Val, ExprId),
        reached: nilas_term::Term,
    ) -> Option<()> {
        let pointee = self.tree.types.pointee(self.tree.exprs[argument].ty)?;
        let (kind, _) = scalar(&self.tree.types, pointee)?;
        let held = self.held_kind(kind).sort();
        let (read, new) = self.temporary(argument, Purpose::Read, &held);
        let new = self.unheld(new, kind);
        let name = row.name.to_string();
        let origin = if input { HavocOrigin::Read(name) } else { HavocOrigin::Written(name) };
        self.with_origin(origin, |this| this.build.havoc(read));
        let other = self.build.split(reached);
        let place = self.pointed(pointer, pointee, Some(self.points.of_expr(argument)));
        self.write(&place, new);
        self.join(other, |_| {});
        Some(())
    }

    fn scan_text(
        &mut self,
        row: &'static Row,
        (pointer, argument): (Val, ExprId),
        most: Option<u64>,
        string: u64,
        reached: nilas_term::Term,
    ) -> Option<()> {
        let tree = self.tree;
        let text = tree.function(row.helpers.first()?)?;
        let types: Vec<TypeId> =
            tree.functions[text].parameters.iter().map(|&parameter| tree.variables[parameter].ty).collect();
        let &[_, size, int, _] = &types[..] else { return None };
        let width = self.pointer_bits();
        let most = match most {
            Some(most) => self.build.arena.bv(width, most),
            None => self.big_constant(-1, width),
        };
        let (yes, no) = (self.build.arena.bv(32, 1), self.build.arena.bv(32, 0));
        let reached = self.build.arena.ite(reached, yes, no);
        let string = self.build.arena.bv(32, string);
        let arguments = [
            (pointer, tree.exprs[argument].ty),
            (Val::Scalar(most), size),
            (Val::Scalar(string), int),
            (Val::Scalar(reached), int),
        ];
        self.calls.library.push(row);
        self.inline(text, &arguments);
        self.calls.library.pop();
        Some(())
    }
}

/// What a directive of `printf` asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Directive {
    /// An integer of so many bytes.
    Integer(u64),
    /// A `long`, or another one of the size of a pointer.
    Long,
    Float {
        long: bool,
    },
    Pointer,
    /// A pointer to a string.
    Text,
}

/// The arguments that a format of `printf` asks for, in order; `None` if it has directives of another sort.
fn directives(units: &[u32]) -> Option<Vec<Directive>> {
    let mut found = Vec::new();
    let mut letters = units.iter().map(|&unit| char::from_u32(unit).unwrap_or(' ')).peekable();
    while let Some(letter) = letters.next() {
        if letter != '%' {
            continue;
        }
        let mut length = String::new();
        loop {
            let letter = letters.next()?;
            match letter {
                '%' => break,
                '*' => found.push(Directive::Integer(4)),
                '-' | '+' | ' ' | '#' | '0'..='9' | '.' | '\'' => {}
                'h' | 'l' | 'j' | 'z' | 't' | 'L' | 'q' => length.push(letter),
                'd' | 'i' | 'u' | 'x' | 'X' | 'o' | 'c' => {
                    found.push(match &length[..] {
                        "" | "h" | "hh" => Directive::Integer(4),
                        "l" | "z" | "t" if letter != 'c' => Directive::Long,
                        "ll" | "j" | "q" | "L" if letter != 'c' => Directive::Integer(8),
                        _ => return None,
                    });
                    break;
                }
                'f' | 'F' | 'e' | 'E' | 'g' | 'G' | 'a' | 'A' => {
                    let long = length == "L";
                    if !long && !matches!(&length[..], "" | "l") {
                        return None;
                    }
                    found.push(Directive::Float { long });
                    break;
                }
                'p' if length.is_empty() => {
                    found.push(Directive::Pointer);
                    break;
                }
                's' if length.is_empty() => {
                    found.push(Directive::Text);
                    break;
                }
                _ => return None,
            }
        }
    }
    Some(found)
}

/// What a conversion stores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Conversion {
    /// Of any value, or one that fits into a few characters.
    Number { any: bool },
    /// The number of characters read so far.
    Count,
    /// At most so many characters; 1: a string without spaces, 2: any string, 0: no string.
    Text { most: Option<u64>, string: u64 },
}

/// The conversions of a format that store something; `None` if one is of another sort.
fn conversions(units: &[u32]) -> Option<Vec<Conversion>> {
    let mut found = Vec::new();
    let mut letters = units.iter().map(|&unit| char::from_u32(unit).unwrap_or(' ')).peekable();
    while let Some(letter) = letters.next() {
        if letter != '%' {
            continue;
        }
        let dropped = letters.next_if_eq(&'*').is_some();
        let mut width: Option<u64> = None;
        while let Some(digit) = letters.peek().and_then(|letter| letter.to_digit(10)) {
            letters.next();
            width = Some(width.unwrap_or(0).saturating_mul(10).saturating_add(u64::from(digit)));
        }
        let mut long = false;
        while let Some(length) = letters.next_if(|letter| "hljztLq".contains(*letter)) {
            long |= length == 'l';
        }
        let conversion = match letters.next()? {
            '%' => continue,
            'd' | 'i' | 'u' | 'o' | 'x' | 'X' | 'a' | 'A' | 'e' | 'E' | 'f' | 'F' | 'g' | 'G' => {
                Conversion::Number { any: width.is_none() }
            }
            'n' => Conversion::Count,
            's' if !long => Conversion::Text { most: width, string: 1 },
            'c' if !long => Conversion::Text { most: Some(width.unwrap_or(1)), string: 0 },
            '[' if !long => {
                letters.next_if_eq(&'^');
                letters.next_if_eq(&']');
                letters.by_ref().find(|&letter| letter == ']')?;
                Conversion::Text { most: width, string: 2 }
            }
            _ => return None,
        };
        if !dropped {
            found.push(conversion);
        }
    }
    Some(found)
}
