//! Tests of layouts and conversions; sizes were taken from GCC.

use super::*;
use crate::source::Span;

fn span() -> Span {
    Span::default()
}

fn member(name: &str, ty: TypeId, width: Option<u32>) -> MemberSpec {
    let name = (!name.is_empty()).then(|| name.to_owned());
    MemberSpec { name, ty, width, alignment: None, packed: false }
}

/// `size/alignment name@offset[.bit:width] …`
fn lay_out(
    model: DataModel,
    is_union: bool,
    attributes: RecordAttributes,
    members: impl Fn(&mut TypeTable) -> Vec<MemberSpec>,
) -> String {
    let mut types = TypeTable::new(model);
    let members = members(&mut types);
    let (id, _) = types.add_record(None, is_union, span());
    types.complete_record(id, &members, attributes);
    let layout = types.record(id).layout.clone().expect("complete");
    let mut text = format!("{}/{}", layout.size, layout.alignment);
    for field in layout.fields {
        text += &format!(" {}@{}", field.name.unwrap_or_default(), field.offset);
        if let Some(bits) = field.bits {
            text += &format!(".{}:{}", bits.offset, bits.width);
        }
    }
    text
}

#[test]
fn plain_structs() {
    let members = |types: &mut TypeTable| {
        let char_ = types.int(IntKind::Char);
        let long_long = types.int(IntKind::LongLong);
        let long_double = types.float(FloatKind::LongDouble);
        vec![member("a", char_, None), member("b", long_long, None), member("c", long_double, None)]
    };
    let none = RecordAttributes::default();
    assert_eq!(lay_out(DataModel::Lp64, false, none, members), "32/16 a@0 b@8 c@16");
    assert_eq!(lay_out(DataModel::Ilp32, false, none, members), "24/4 a@0 b@4 c@12");
    assert_eq!(lay_out(DataModel::Lp64, true, none, members), "16/16 a@0 b@0 c@0");
    let packed = RecordAttributes { packed: true, ..none };
    assert_eq!(lay_out(DataModel::Lp64, false, packed, members), "25/1 a@0 b@1 c@9");
    let pack2 = RecordAttributes { pack: Some(2), ..none };
    assert_eq!(lay_out(DataModel::Lp64, false, pack2, members), "26/2 a@0 b@2 c@10");
}

#[test]
fn bit_fields() {
    let members = |types: &mut TypeTable| {
        let int = types.int(IntKind::Int);
        let char_ = types.int(IntKind::Char);
        vec![
            member("a", int, Some(3)),
            member("b", char_, Some(7)),
            member("c", int, Some(30)),
            member("", int, Some(0)),
            member("d", char_, None),
            member("e", int, Some(20)),
        ]
    };
    let none = RecordAttributes::default();
    assert_eq!(lay_out(DataModel::Lp64, false, none, members), "12/4 a@0.0:3 b@1.0:7 c@4.0:30 d@8 e@9.0:20");
    let packed = RecordAttributes { packed: true, ..none };
    assert_eq!(
        lay_out(DataModel::Lp64, false, packed, members),
        "12/1 a@0.0:3 b@0.3:7 c@1.2:30 d@8 e@9.0:20"
    );
}

#[test]
fn conversions() {
    let mut t = TypeTable::new(DataModel::Ilp32);
    let mut common = |a: IntKind, b: IntKind| {
        let (x, y) = (t.int(a), t.int(b));
        let common = t.usual_conversion(x, y).expect("integers");
        t.display(common)
    };
    assert_eq!(common(IntKind::Char, IntKind::UnsignedShort), "int");
    assert_eq!(common(IntKind::UnsignedInt, IntKind::Long), "unsigned long");
    assert_eq!(common(IntKind::UnsignedLong, IntKind::LongLong), "long long");
    let mut t = TypeTable::new(DataModel::Lp64);
    let (x, y) = (t.int(IntKind::UnsignedInt), t.int(IntKind::Long));
    let common = t.usual_conversion(x, y).expect("integers");
    assert_eq!(t.display(common), "long");
    let (float, double) = (t.float(FloatKind::Float), t.float(FloatKind::Double));
    assert_eq!(t.usual_conversion(float, x), Some(float));
    assert_eq!(t.usual_conversion(float, double), Some(double));
}

#[test]
fn wrapping() {
    let model = DataModel::Lp64;
    assert_eq!(IntKind::Char.wrap(200, model), -56);
    assert_eq!(IntKind::UnsignedInt.wrap(-1, model), 0xffff_ffff);
    assert_eq!(IntKind::Bool.wrap(256, model), 1);
    assert_eq!(IntKind::UnsignedInt128.wrap(-1, model), -1);
}

#[test]
fn display() {
    let mut t = TypeTable::new(DataModel::Lp64);
    let char_ = t.int(IntKind::Char);
    let const_char = t.qualified(char_, Qualifiers { is_const: true, ..Qualifiers::default() });
    let string = t.pointer(const_char);
    let int = t.int(IntKind::Int);
    let function = t.intern(TypeKind::Function(FunctionType {
        result: int,
        parameters: [string].into(),
        variadic: true,
        prototype: true,
    }));
    let pointer = t.pointer(function);
    let array = t.array(pointer, 3);
    let pointer = t.pointer(array);
    assert_eq!(t.display(pointer), "int (*(*)[3])(const char *, ...)");
}
