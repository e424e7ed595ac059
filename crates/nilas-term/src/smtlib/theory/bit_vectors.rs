//! Symbols of the theory of bit-vectors.

use super::{Made, at_least, exactly, left_associative, make};
use crate::arena::Arena;
use crate::op::Op;
use crate::sorting::MAX_WIDTH;
use crate::term::Term;

pub(super) fn bit_vectors(arena: &mut Arena, name: &str, arguments: &[Term]) -> Option<Made> {
    let op = match name {
        "concat" => return Some(left_associative(arena, Op::Concat, arguments)),
        "bvand" => return Some(left_associative(arena, Op::BvAnd, arguments)),
        "bvor" => return Some(left_associative(arena, Op::BvOr, arguments)),
        "bvxor" => return Some(left_associative(arena, Op::BvXor, arguments)),
        "bvadd" => return Some(left_associative(arena, Op::BvAdd, arguments)),
        "bvmul" => return Some(left_associative(arena, Op::BvMul, arguments)),
        "bvnot" => Op::BvNot,
        "bvneg" => Op::BvNeg,
        "bvudiv" => Op::BvUdiv,
        "bvurem" => Op::BvUrem,
        "bvsdiv" => Op::BvSdiv,
        "bvsrem" => Op::BvSrem,
        "bvsmod" => Op::BvSmod,
        "bvshl" => Op::BvShl,
        "bvlshr" => Op::BvLshr,
        "bvashr" => Op::BvAshr,
        "bvult" => Op::BvUlt,
        "bvule" => Op::BvUle,
        "bvslt" => Op::BvSlt,
        "bvsle" => Op::BvSle,
        _ => return derived_bit_vectors(arena, name, arguments),
    };
    Some(make(arena, op, arguments))
}

fn derived_bit_vectors(arena: &mut Arena, name: &str, arguments: &[Term]) -> Option<Made> {
    type Unary = fn(&mut Arena, Term) -> Term;
    type Binary = fn(&mut Arena, Term, Term) -> Term;
    let unary: Option<Unary> = match name {
        "bvnego" => Some(Arena::bv_nego),
        "bvredor" => Some(Arena::bv_redor),
        "bvredand" => Some(Arena::bv_redand),
        _ => None,
    };
    if let Some(build) = unary {
        return Some(exactly(arguments, 1).and_then(|()| {
            make(arena, Op::BvNot, arguments)?;
            Ok(build(arena, arguments[0]))
        }));
    }
    let build: Binary = match name {
        "bvsub" => Arena::bv_sub,
        "bvnand" => Arena::bv_nand,
        "bvnor" => Arena::bv_nor,
        "bvxnor" => Arena::bv_xnor,
        "bvcomp" => Arena::bv_comp,
        "bvugt" => Arena::bv_ugt,
        "bvuge" => Arena::bv_uge,
        "bvsgt" => Arena::bv_sgt,
        "bvsge" => Arena::bv_sge,
        "bvuaddo" => Arena::bv_uaddo,
        "bvsaddo" => Arena::bv_saddo,
        "bvumulo" => Arena::bv_umulo,
        "bvsmulo" => Arena::bv_smulo,
        "bvusubo" => Arena::bv_usubo,
        "bvssubo" => Arena::bv_ssubo,
        "bvsdivo" => Arena::bv_sdivo,
        _ => return None,
    };
    let associative = matches!(name, "bvsub" | "bvxnor");
    Some(if associative { at_least(arguments, 2) } else { exactly(arguments, 2) }.and_then(|()| {
        let mut result = arguments[0];
        for &argument in &arguments[1..] {
            arena.sort_of(Op::BvUlt, &[result, argument]).map_err(|error| error.message)?;
            if matches!(name, "bvumulo" | "bvsmulo") && arena.width(result) > MAX_WIDTH / 2 {
                return Err(format!("operands of at most {} bits expected", MAX_WIDTH / 2));
            }
            result = build(arena, result, argument);
        }
        Ok(result)
    }))
}
