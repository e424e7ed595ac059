//! Affine equalities: the relations `Σ cᵢ·xᵢ = c` that all samples of a location satisfy.
//!
//! Karr's analysis, by samples: the differences of the samples to the first span a module over the integers
//! modulo 2ʷ, and the relations are the coefficients that annihilate it, found by elimination (Müller-Olm,
//! Seidl: Analysis of Modular Arithmetic, 2007). A pivot is an entry with the fewest factors of two, so that
//! it divides all others of its column. What is left of the pivot's row after multiplying those factors away
//! annihilates the column as well, and gives relations about low bits: parity, multiples of four.

use super::samples::Sample;
use nilas_term::{Arena, BitVec, Sort, Term, Value};

/// More variables than this at a location are not related.
const MOST: usize = 24;

/// Relations between the variables of each width, if there are enough samples to believe in them.
pub(super) fn affine(arena: &mut Arena, samples: &[Sample]) -> Vec<Term> {
    let Some(first) = samples.first() else { return Vec::new() };
    let mut widths: Vec<u32> = first.iter().filter_map(|(_, value)| word(value)).map(BitVec::width).collect();
    widths.sort_unstable();
    widths.dedup();
    let mut found = Vec::new();
    for width in widths {
        let of_width = |(_, value): &&(Term, Value)| word(value).is_some_and(|word| word.width() == width);
        let variables: Vec<Term> = first.iter().filter(of_width).map(|(term, _)| *term).collect();
        // Fewer samples than unknowns satisfy anything.
        if !(2..=64).contains(&width) || variables.len() > MOST || samples.len() < variables.len() + 2 {
            continue;
        }
        let rows: Vec<Vec<u64>> = samples
            .iter()
            .map(|sample| {
                sample.iter().filter(of_width).filter_map(|(_, value)| word(value)?.to_u64()).collect()
            })
            .collect();
        if rows.iter().any(|row| row.len() != variables.len()) {
            continue;
        }
        for relation in relations(width, &rows) {
            found.extend(formula(arena, width, &variables, &relation, &rows[0]));
        }
    }
    found
}

fn word(value: &Value) -> Option<&BitVec> {
    match value {
        Value::BitVec(word) => Some(word),
        _ => None,
    }
}

/// Coefficients that give the same sum modulo 2ʷ for all points.
fn relations(width: u32, points: &[Vec<u64>]) -> Vec<Vec<u64>> {
    let mask = if width == 64 { u64::MAX } else { (1 << width) - 1 };
    let unknowns = points[0].len();
    // One row for each unknown: its differences, and behind them the coefficients that made the row.
    let columns = points.len() - 1;
    let mut rows: Vec<Vec<u64>> = (0..unknowns)
        .map(|unknown| {
            let differences =
                points[1..].iter().map(|point| point[unknown].wrapping_sub(points[0][unknown]) & mask);
            let mut row: Vec<u64> = differences.collect();
            row.extend((0..unknowns).map(|other| u64::from(other == unknown)));
            row
        })
        .collect();
    for column in 0..columns {
        let factors = |row: &Vec<u64>| row[column].trailing_zeros().min(width);
        let Some(pivot) = (0..rows.len()).min_by_key(|&index| factors(&rows[index])) else { break };
        let power = factors(&rows[pivot]);
        if power == width {
            continue;
        }
        let mut pivot = rows.swap_remove(pivot);
        let inverse = inverse(pivot[column] >> power);
        for row in &mut rows {
            let factor = (row[column] >> power).wrapping_mul(inverse);
            for (entry, subtracted) in row.iter_mut().zip(&pivot) {
                *entry = entry.wrapping_sub(factor.wrapping_mul(*subtracted)) & mask;
            }
        }
        if power > 0 {
            // 2^(w - power) times the pivot is zero in this column.
            for entry in &mut pivot {
                *entry = (*entry << (width - power)) & mask;
            }
            rows.push(pivot);
        }
    }
    let mut found: Vec<Vec<u64>> = rows.into_iter().map(|row| row[columns..].to_vec()).collect();
    found.retain(|relation| relation.iter().any(|&coefficient| coefficient != 0));
    found
}

/// The inverse of an odd number modulo 2⁶⁴ (Newton's iteration doubles the bits that are right).
fn inverse(odd: u64) -> u64 {
    let mut inverse = odd;
    for _ in 0..6 {
        inverse = inverse.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    inverse
}

/// The formula of a relation, which holds at the given point: over as many low bits as its coefficients
/// leave.
fn formula(
    arena: &mut Arena,
    width: u32,
    variables: &[Term],
    relation: &[u64],
    point: &[u64],
) -> Option<Term> {
    let power = relation.iter().map(|coefficient| coefficient.trailing_zeros().min(width)).min()?;
    let bits = width - power;
    if bits == 0 {
        return None;
    }
    // A leading one, where there is an odd coefficient: what it is multiplied by has an inverse.
    let leading =
        relation.iter().map(|coefficient| coefficient >> power).find(|coefficient| coefficient & 1 == 1)?;
    let scale = inverse(leading);
    let low =
        |arena: &mut Arena, term: Term| if bits == width { term } else { arena.extract(term, bits - 1, 0) };
    let mut sum = arena.bv(bits, 0);
    let mut constant = 0_u64;
    for ((&variable, &coefficient), &value) in variables.iter().zip(relation).zip(point) {
        let coefficient = (coefficient >> power).wrapping_mul(scale);
        constant = constant.wrapping_add(coefficient.wrapping_mul(value));
        let factor = arena.bv_constant(BitVec::new(bits, coefficient));
        let variable = low(arena, variable);
        let product = arena.bv_mul(factor, variable);
        sum = arena.bv_add(sum, product);
    }
    let constant = arena.bv_constant(BitVec::new(bits, constant));
    let formula = arena.eq(sum, constant);
    (*arena.sort(sum) == Sort::BitVec(bits) && arena.as_bool(formula).is_none()).then_some(formula)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nilas_term::{Evaluator, Model};

    fn sums(width: u32, relation: &[u64], points: &[Vec<u64>]) -> Vec<u64> {
        let mask = (1_u64 << width) - 1;
        let sum = |point: &Vec<u64>| {
            point.iter().zip(relation).fold(0_u64, |sum, (x, c)| sum.wrapping_add(x.wrapping_mul(*c))) & mask
        };
        points.iter().map(sum).collect()
    }

    #[test]
    fn relations_hold_for_all_points() {
        // a + b = 3 i, and c is a multiple of four.
        let points: Vec<Vec<u64>> = [(0, 0, 0), (1, 2, 4), (3, 3, 8), (5, 4, 4), (6, 6, 32)]
            .map(|(a, b, c)| vec![(a + b) / 3, a, b, c])
            .to_vec();
        let found = relations(8, &points);
        assert!(!found.is_empty());
        for relation in &found {
            let sums = sums(8, relation, &points);
            assert!(sums.iter().all(|&sum| sum == sums[0]), "{relation:?}: {sums:?}");
        }
        // And not for points that violate one of the two.
        for other in [vec![1, 1, 2, 2], vec![0, 1, 0, 0], vec![2, 3, 3, 7]] {
            let tells = |relation: &Vec<u64>| {
                let sums = sums(8, relation, &[points[0].clone(), other.clone()]);
                sums[0] != sums[1]
            };
            assert!(found.iter().any(tells), "{other:?}: {found:?}");
        }
    }

    #[test]
    fn formulas_hold_for_all_samples() {
        let mut arena = Arena::new();
        let variables: Vec<Term> =
            ["x", "y"].iter().map(|name| arena.variable(name, &Sort::BitVec(8)).expect("new")).collect();
        let samples: Vec<Sample> = [(1, 3), (2, 5), (7, 15), (9, 19)]
            .map(|(x, y)| {
                variables.iter().copied().zip([x, y].map(|v| Value::BitVec(BitVec::new(8, v)))).collect()
            })
            .to_vec();
        let formulas = affine(&mut arena, &samples);
        assert_eq!(formulas.len(), 1, "y = 2 x + 1");
        for sample in &samples {
            let mut model = Model::new();
            for (variable, value) in sample {
                model.set(*variable, value.clone());
            }
            assert_eq!(Evaluator::new(model).holds(&arena, formulas[0]), Ok(true));
        }
        assert!(affine(&mut arena, &samples[..3]).is_empty(), "too few samples");
    }

    #[test]
    fn odd_numbers_have_inverses() {
        for odd in [1, 3, 5, 0xffff_ffff, u64::MAX, 0x1234_5679] {
            assert_eq!(u64::wrapping_mul(odd, inverse(odd)), 1);
        }
    }
}
