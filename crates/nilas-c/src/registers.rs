//! Memory at fixed addresses: the registers of a microcontroller.
//!
//! Firmware makes pointers of numbers: `(*(volatile uint8_t *)0x25)`, `((GPIO_TypeDef *)0x40020000)`. Such a
//! cast means an object of its own here, one that the program declares but does not define: it holds anything
//! at first, a volatile read of it gives any value, and another read what was written last. Casts whose
//! objects overlap mean one object: of the type that covers all of it, or of bytes. The cast becomes an
//! address constant in it, so that everything behind the type checker knows no numbers.
//!
//! Not every number that becomes a pointer is accessed: programs mark the ends of lists so, or failures. A
//! cast counts if what it points to is volatile, or has volatile members; else only where the cast itself is
//! dereferenced, not in the first page (null, and what is near it) and not in the last (error numbers). Null
//! never counts.

use crate::tree::{AddressBase, Conversion, ExprId, ExprKind, Linkage, Program, VarId, VarRole, Variable};
use crate::types::{IntKind, TypeId, TypeKind, TypeTable};
use std::collections::BTreeSet;

/// Pointers this close to either end of all addresses are no addresses of objects.
const PAGE: u64 = 4096;
/// Structs inside of structs are looked into this deep for volatile members.
pub(crate) const DEPTH: usize = 32;

/// A cast that means a register.
#[derive(Clone, Copy)]
struct Cast {
    expr: ExprId,
    address: u64,
    size: u64,
    ty: TypeId,
}

/// Gives the memory at fixed addresses objects.
pub(crate) fn give_objects(program: &mut Program) {
    let mut casts = casts(program);
    casts.sort_by_key(|cast| (cast.address, u64::MAX - cast.size));
    let mut rest = &casts[..];
    while let Some(first) = rest.first() {
        let mut end = first.address + first.size;
        let count = rest.iter().take_while(|cast| {
            let meets = cast.address < end;
            if meets {
                end = end.max(cast.address + cast.size);
            }
            meets
        });
        let count = count.count();
        let (block, others) = rest.split_at(count);
        let register = object(program, block, (first.address, end));
        for cast in block {
            let offset = i64::try_from(cast.address - first.address).unwrap_or(0);
            program.exprs[cast.expr].kind =
                ExprKind::Address { base: AddressBase::Variable(register), offset };
        }
        rest = others;
    }
}

/// All casts that mean registers.
fn casts(program: &Program) -> Vec<Cast> {
    let types = &program.types;
    let pointer = types.model().pointer_size() * 8;
    let last = if pointer == 64 { u64::MAX } else { (1 << pointer) - 1 };
    let dereferenced: BTreeSet<ExprId> = program
        .exprs
        .iter()
        .filter_map(|expr| match expr.kind {
            ExprKind::Deref(pointer) => Some(pointer),
            _ => None,
        })
        .collect();
    let cast = |(expr, node): (ExprId, &crate::tree::Expr)| {
        let ExprKind::Convert { conversion: Conversion::IntToPointer, operand } = node.kind else {
            return None;
        };
        let ExprKind::Int(number) = program.exprs[operand].kind else { return None };
        let address = u64::try_from(number & i128::from(last)).ok()?;
        let ty = types.pointee(node.ty)?;
        let size = types.size_of(ty).filter(|&size| size > 0)?;
        let inside = address != 0 && address <= last - size;
        let data = (PAGE..=last - PAGE).contains(&address) && dereferenced.contains(&expr);
        (inside && (data || is_volatile(types, ty, DEPTH))).then_some(Cast { expr, address, size, ty })
    };
    program.exprs.enumerate().filter_map(cast).collect()
}

/// Whether an object of a type is volatile, or a part of it.
pub(crate) fn is_volatile(types: &TypeTable, ty: TypeId, depth: usize) -> bool {
    if types.qualifiers(ty).is_volatile {
        return true;
    }
    match types.kind(ty) {
        TypeKind::Array(element, _) => is_volatile(types, *element, depth),
        TypeKind::Record(record) if depth > 0 => {
            let layout = types.record(*record).layout.as_ref();
            layout.is_some_and(|layout| {
                layout.fields.iter().any(|field| is_volatile(types, field.ty, depth - 1))
            })
        }
        _ => false,
    }
}

/// The object that casts mean which overlap.
fn object(program: &mut Program, block: &[Cast], (start, end): (u64, u64)) -> VarId {
    let covers = |cast: &&Cast| cast.address == start && cast.size == end - start;
    // A struct says more than a number that begins at the same place and is as long.
    let record = block.iter().filter(covers).find(|cast| program.types.as_record(cast.ty).is_some());
    let ty = match record.or(block.iter().find(covers)) {
        Some(cast) => cast.ty,
        None => {
            let byte = program.types.int(IntKind::UnsignedChar);
            program.types.array(byte, end - start)
        }
    };
    let span = program.exprs[block[0].expr].span;
    program.variables.push(Variable {
        linkage: Linkage::Internal,
        role: VarRole::Register(start),
        ..Variable::new(format!("*{start:#x}"), ty, span)
    })
}
