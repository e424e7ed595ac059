//! Flows of pointers through functions of the library without a text.

use super::{Points, has_value, node};
use crate::library::catalogue::{self, Meaning, Model, Row, Target};
use crate::tree::{ExprId, FunctionId, Program};

impl Points {
    /// A function of the library without a text.
    pub(super) fn library(&mut self, tree: &Program, call: ExprId, row: &Row, arguments: &[ExprId]) {
        if let Model::Lowering(meaning) = row.model {
            match meaning {
                Meaning::Allocate
                | Meaning::AllocateOnStack
                | Meaning::AllocateAligned
                | Meaning::AllocateZeroed
                | Meaning::Reallocate
                | Meaning::ReallocateArray => {
                    let object = self.heap + node(call);
                    self.unite(node(call), object);
                    if meaning != Meaning::AllocateZeroed {
                        let content = self.content(object);
                        self.origins[content as usize].uninitialised = true;
                    }
                    if matches!(meaning, Meaning::Reallocate | Meaning::ReallocateArray)
                        && let Some(&first) = arguments.first()
                    {
                        self.unite(node(call), node(first));
                    }
                    return;
                }
                // The bits of a pointer may go through a number.
                Meaning::First | Meaning::Absolute | Meaning::SwapBytes => {
                    if let Some(&argument) = arguments.first() {
                        self.unite(node(call), node(argument));
                    }
                    return;
                }
                Meaning::PrintInto { size, .. } => {
                    if let Some(text) = row.helpers.first().and_then(|name| tree.function(name)) {
                        let size = size.and_then(|size| arguments.get(usize::from(size)));
                        let given: Vec<ExprId> = arguments.first().into_iter().chain(size).copied().collect();
                        self.call(tree, call, text, &given);
                    }
                    return;
                }
                Meaning::Scan { format, .. } => {
                    if let Some(text) = row.helpers.first().and_then(|name| tree.function(name)) {
                        for &argument in arguments.iter().skip(usize::from(format) + 1) {
                            let pointee = tree.types.pointee(tree.exprs[argument].ty);
                            if pointee.is_some_and(|ty| !has_value(tree, ty)) {
                                self.call(tree, call, text, &[argument]);
                            }
                        }
                    }
                    let reading = row.helpers.get(1).and_then(|name| tree.function(name));
                    if let (Some(text), Some(&stream)) = (reading, arguments.first()) {
                        self.call(tree, call, text, &[stream]);
                    }
                }
                _ => {}
            }
        }
        self.outside_result(tree, call);
        if let Target::Argument(number) = row.result
            && let Some(&argument) = arguments.get(usize::from(number))
        {
            self.unite(node(call), node(argument));
        }
        for (number, &argument) in arguments.iter().enumerate() {
            if row.writes_through(number) {
                self.written_by_others(tree, argument);
            }
        }
    }
}

/// The row of a function of the library: one that the program does not define, or a text.
pub(super) fn library_row(tree: &Program, function: FunctionId) -> Option<&'static Row> {
    let declared = &tree.functions[function];
    catalogue::row(&declared.name).filter(|row| declared.body.is_none() || row.text_name() == declared.name)
}
