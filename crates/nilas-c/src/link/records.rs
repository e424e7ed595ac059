//! Structs, unions and enumerations of different units that are compatible become one type.

use crate::index::Id;
use crate::tree::Program;
use crate::types::TypeId;

/// See the module's text.
pub(super) fn unite(program: &mut Program) {
    let types = program.types.unite_compatible();
    let change = |ty: &mut TypeId| *ty = types[ty.index()];
    for id in program.exprs.ids() {
        change(&mut program.exprs[id].ty);
    }
    for id in program.variables.ids() {
        let variable = &mut program.variables[id];
        change(&mut variable.ty);
        variable.init.iter_mut().flat_map(|init| &mut init.items).for_each(|item| change(&mut item.ty));
    }
    for id in program.functions.ids() {
        change(&mut program.functions[id].ty);
    }
    for id in program.strings.ids() {
        change(&mut program.strings[id].element);
        change(&mut program.strings[id].ty);
    }
    program.types.va_list.iter_mut().for_each(change);
}
