//! Initialisers: flattened into stores, with braces elided as C allows.

use super::init_place::Step;
use super::{Check, Checker};
use crate::ast::{self, InitItem as AstItem, Initialiser as AstInit};
use crate::source::Span;
use crate::tree::{ExprId, ExprKind, InitItem, InitValue, Initialiser};
use crate::types::{ArrayLength, BitRange, IntKind, TypeId, TypeKind};

/// More stores than this in one initialiser are refused.
const ITEM_LIMIT: usize = 1_000_000;

/// A place inside the object.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) ty: TypeId,
    pub(super) offset: u64,
    pub(super) bits: Option<BitRange>,
}

/// The stores found so far, and what is needed on the way.
#[derive(Debug)]
pub(super) struct Stores {
    pub(super) items: Vec<InitItem>,
    pub(super) is_static: bool,
    /// How many elements the outermost array needs.
    pub(super) elements: u64,
    pub(super) covered: bool,
    /// No store so far begins behind this byte.
    pub(super) highest: u64,
    /// How many stores were overridden and are gone.
    pub(super) forgotten: usize,
}

impl Stores {
    /// A new value for a whole aggregate overrides all that was said about its parts (C11 6.7.9p19).
    pub(super) fn forget(&mut self, from: u64, to: u64) {
        // Lists are mostly written in order: then nothing can be there yet.
        if from > self.highest {
            return;
        }
        let before = self.items.len();
        self.items.retain(|item| item.offset < from || item.offset >= to);
        self.forgotten += before - self.items.len();
    }
}

/// A list in braces, read from left to right.
#[derive(Debug)]
pub(super) struct Reader<'b> {
    pub(super) items: &'b [AstItem],
    pub(super) next: usize,
}

impl<'b> Reader<'b> {
    pub(super) fn peek(&self) -> Option<&'b AstItem> {
        self.items.get(self.next)
    }
}

impl Checker<'_> {
    /// The initialiser of an object of this type, and the type with its length filled in.
    pub(super) fn initialiser(
        &mut self,
        ty: TypeId,
        init: &AstInit,
        is_static: bool,
        name: Span,
    ) -> Check<(TypeId, Initialiser)> {
        let mut stores =
            Stores { items: Vec::new(), is_static, elements: 0, covered: false, highest: 0, forgotten: 0 };
        if matches!(self.program.types.kind(ty), TypeKind::Void | TypeKind::Function(_)) {
            let shown = self.show(ty);
            return self.fail(name, format!("an object of type `{shown}` cannot be initialised"));
        }
        let place = Place { ty, offset: 0, bits: None };
        self.init_place(place, init, &mut stores, true)?;
        let ty = match *self.program.types.kind(ty) {
            TypeKind::Array(element, ArrayLength::Unknown) => {
                self.program.types.array(element, stores.elements)
            }
            _ => ty,
        };
        let span = match init {
            AstInit::Expr(expr) => self.ast.exprs[*expr].span,
            AstInit::List(_, span) => *span,
        };
        Ok((ty, Initialiser { zero_fill: !stores.covered, items: stores.items, span }))
    }

    /// Initialises one place from a value or a list in braces. `whole` is the outermost object.
    pub(super) fn init_place(
        &mut self,
        place: Place,
        init: &AstInit,
        stores: &mut Stores,
        whole: bool,
    ) -> Check<()> {
        match init {
            AstInit::Expr(expr) => self.init_from_expr(place, *expr, stores, whole),
            AstInit::List(items, span) => self.init_from_list(place, items, *span, stores, whole),
        }
    }

    fn init_from_list(
        &mut self,
        place: Place,
        items: &[AstItem],
        span: Span,
        stores: &mut Stores,
        whole: bool,
    ) -> Check<()> {
        if self.is_aggregate(place.ty) {
            // `char a[] = {"text"}`
            if let [AstItem { designators, value: AstInit::Expr(expr), .. }] = items
                && designators.is_empty()
                && self.string_fits(place.ty, *expr)
            {
                return self.init_from_expr(place, *expr, stores, whole);
            }
            let size = self.program.types.size_of(place.ty).unwrap_or(0);
            stores.forget(place.offset, place.offset.saturating_add(size));
            let mut reader = Reader { items, next: 0 };
            return self.fill(place, &mut reader, stores, true, whole);
        }
        match items.first() {
            None => Ok(()),
            Some(item) if item.designators.is_empty() => {
                if items.len() > 1 {
                    self.warn(span, "too many initialisers for a scalar");
                }
                self.nested(span, |this| this.init_place(place, &item.value, stores, whole))
            }
            Some(item) => self.fail(item.span, "a designator for a scalar"),
        }
    }

    fn init_from_expr(
        &mut self,
        place: Place,
        expr: ast::ExprId,
        stores: &mut Stores,
        whole: bool,
    ) -> Check<()> {
        if let TypeKind::Array(element, length) = *self.program.types.kind(place.ty) {
            if self.string_fits(place.ty, expr) {
                return self.init_from_string(place, length, expr, stores, whole);
            }
            let value = self.init_expr(expr)?;
            return self.init_from_literal(place, element, value, stores, whole);
        }
        let value = self.init_value(expr)?;
        let span = self.span_of(value);
        let ty = self.program.types.unqualified(place.ty);
        let value = self.convert_assign(value, ty, "the initialiser")?;
        let value = if stores.is_static { self.static_value(value, span)? } else { value };
        stores.covered |= whole;
        self.store(
            stores,
            InitItem { offset: place.offset, bits: place.bits, ty, value: InitValue::Expr(value) },
            span,
        )
    }

    fn store(&mut self, stores: &mut Stores, item: InitItem, span: Span) -> Check<()> {
        if stores.items.len() >= ITEM_LIMIT {
            return self.fail(span, format!("an initialiser with more than {ITEM_LIMIT} values"));
        }
        stores.highest = stores.highest.max(item.offset);
        stores.items.push(item);
        Ok(())
    }

    /// The checked expression of an initialiser, not yet a value. Checked once, however often it is asked
    /// for.
    pub(super) fn init_expr(&mut self, expr: ast::ExprId) -> Check<ExprId> {
        if let Some(&checked) = self.checked_inits.get(&expr) {
            return Ok(checked);
        }
        let checked = self.expr(expr)?;
        self.checked_inits.insert(expr, checked);
        Ok(checked)
    }

    fn init_value(&mut self, expr: ast::ExprId) -> Check<ExprId> {
        let checked = self.init_expr(expr)?;
        self.rvalue(checked)
    }

    pub(super) fn is_aggregate(&self, ty: TypeId) -> bool {
        matches!(self.program.types.kind(ty), TypeKind::Array(..) | TypeKind::Record(_))
    }

    /// Whether an expression is a string literal that may initialise an array of this type.
    pub(super) fn string_fits(&self, ty: TypeId, expr: ast::ExprId) -> bool {
        let TypeKind::Array(element, _) = *self.program.types.kind(ty) else { return false };
        let ast::ExprKind::String { encoding, .. } = &self.ast.exprs[expr].kind else { return false };
        let Some(kind) = self.program.types.int_kind(element) else { return false };
        let wide = self.literal_int_kind(*encoding);
        let model = self.program.types.model();
        kind != IntKind::Bool && kind.size(model) == wide.size(model)
    }

    fn init_from_string(
        &mut self,
        place: Place,
        length: ArrayLength,
        expr: ast::ExprId,
        stores: &mut Stores,
        whole: bool,
    ) -> Check<()> {
        let literal = self.expr(expr)?;
        let span = self.span_of(literal);
        let ExprKind::String(string) = *self.kind_of(literal) else { return Ok(()) };
        let available = self.program.strings[string].units.len() as u64 + 1;
        let units = match length {
            ArrayLength::Fixed(n) => n.min(available),
            _ => available,
        };
        if whole {
            stores.elements = available;
        }
        let value = InitValue::String { string, units };
        let ty = match *self.program.types.kind(place.ty) {
            TypeKind::Array(element, ArrayLength::Unknown) => self.program.types.array(element, available),
            _ => place.ty,
        };
        self.store(stores, InitItem { offset: place.offset, bits: None, ty, value }, span)
    }

    /// GNU C: an array initialised by a compound literal of array type takes over its stores.
    fn init_from_literal(
        &mut self,
        place: Place,
        element: TypeId,
        value: ExprId,
        stores: &mut Stores,
        whole: bool,
    ) -> Check<()> {
        let span = self.span_of(value);
        let ExprKind::CompoundLiteral(source) = *self.kind_of(value) else {
            let shown = self.show(place.ty);
            return self.fail(span, format!("an array of type `{shown}` needs a list in braces"));
        };
        let variable = &self.program.variables[source];
        let length = match *self.program.types.kind(variable.ty) {
            TypeKind::Array(other, ArrayLength::Fixed(n))
                if self.program.types.compatible_unqualified(element, other) =>
            {
                n
            }
            _ => return self.fail(span, "the compound literal has another type"),
        };
        if whole {
            stores.elements = length;
        }
        let copies = variable.init.as_ref().map(|init| init.items.clone()).unwrap_or_default();
        for mut item in copies {
            item.offset += place.offset;
            self.store(stores, item, span)?;
        }
        Ok(())
    }

    /// Copies the stores from `first` on to the other elements of a range designator.
    pub(super) fn repeat(
        &mut self,
        stores: &mut Stores,
        first: usize,
        count: u64,
        stride: u64,
        span: Span,
    ) -> Check<()> {
        let template: Vec<InitItem> = stores.items.get(first..).unwrap_or_default().to_vec();
        if template.is_empty() {
            return Ok(());
        }
        // Said at once, rather than after a million stores.
        if count.saturating_mul(template.len() as u64) > ITEM_LIMIT as u64 {
            return self.fail(span, format!("an initialiser with more than {ITEM_LIMIT} values"));
        }
        for copy in 1..count {
            for item in &template {
                self.store(stores, InitItem { offset: item.offset + copy * stride, ..*item }, span)?;
            }
        }
        Ok(())
    }

    /// Whether an item without braces initialises an aggregate as a whole, rather than its first scalar.
    pub(super) fn is_whole_value(&mut self, ty: TypeId, expr: ast::ExprId) -> Check<bool> {
        if self.string_fits(ty, expr) {
            return Ok(true);
        }
        if self.program.types.as_record(ty).is_none() {
            return Ok(false);
        }
        let checked = self.init_expr(expr)?;
        let found = self.type_of(checked);
        Ok(self.program.types.compatible_unqualified(found, ty))
    }

    /// A path of designators as steps through the types.
    pub(super) fn steps(&mut self, ty: TypeId, designators: &[ast::Designator]) -> Check<Vec<Step>> {
        let mut ty = ty;
        let mut steps = Vec::new();
        for designator in designators {
            match *designator {
                ast::Designator::Member(name) => {
                    let Some(record) = self.program.types.as_record(ty) else {
                        let shown = self.show(ty);
                        return self.fail(name.span, format!("`{shown}` has no members"));
                    };
                    let text = self.name_text(name);
                    let Some(path) = self.member_path(record, &text) else {
                        let shown = self.show(ty);
                        return self.fail(name.span, format!("`{shown}` has no member `{text}`"));
                    };
                    for field in path {
                        steps.push(Step::Field(field));
                        ty = self.step_type(ty, field);
                    }
                }
                ast::Designator::Index(index) => {
                    let index = self.designator_index(ty, index)?;
                    steps.push(Step::Range(index, index));
                    ty = self.element_of(ty);
                }
                ast::Designator::Range { low, high } => {
                    let span = self.ast.exprs[low].span;
                    let (low, high) = (self.designator_index(ty, low)?, self.designator_index(ty, high)?);
                    if high < low {
                        return self.fail(span, "an empty range of elements");
                    }
                    steps.push(Step::Range(low, high));
                    ty = self.element_of(ty);
                }
            }
        }
        Ok(steps)
    }

    fn element_of(&self, ty: TypeId) -> TypeId {
        match *self.program.types.kind(ty) {
            TypeKind::Array(element, _) => element,
            _ => ty,
        }
    }

    fn designator_index(&mut self, ty: TypeId, index: ast::ExprId) -> Check<u64> {
        let value = self.value(index)?;
        let span = self.span_of(value);
        let TypeKind::Array(_, length) = *self.program.types.kind(ty) else {
            return self.fail(span, "an index into something that is no array");
        };
        match self.constant_int(value).map(u64::try_from) {
            Some(Ok(index)) => match length {
                ArrayLength::Fixed(n) if index >= n => {
                    self.fail(span, format!("element {index} of an array of {n} elements"))
                }
                _ => Ok(index),
            },
            _ => self.fail(span, "an index in an initialiser must be a constant that is not negative"),
        }
    }
}
