//! Random small systems of constraints against enumeration.

use super::*;
use crate::contract::bits::BitOp;
use crate::contract::order::{Order, Relation};
use crate::testing::{Random, samples};

#[test]
fn restarts_follow_luby() {
    let first: Vec<u64> = (1..=15).map(luby).collect();
    assert_eq!(first, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
}

/// Two inputs of four bits, sums and products of them, comparisons, random clauses, random assumptions. The
/// same search is asked again and again.
#[test]
fn answers_are_those_of_enumeration() {
    let mut random = Random(4242);
    for round in 0..samples(20_000) {
        let mut search = Search::new();
        let bits = |search: &mut Search| {
            let u = search.column(Interval { lo: 0, hi: 15 });
            let s = search.column(Interval { lo: -8, hi: 7 });
            (u, s, search.constrain(Constraint::Readings { width: 4 }, vec![u, s]))
        };
        let (x, y) = (bits(&mut search), bits(&mut search));
        let mut constraints = vec![x.2, y.2];
        let mut vectors = vec![(x.0, x.1), (y.0, y.1)];
        // How to compute columns from inputs.
        let mut programme: Vec<(BitOp, usize, usize)> = Vec::new();
        for _ in 0..1 + random.below(3) {
            let ops = [BitOp::Add, BitOp::Multiply, BitOp::And, BitOp::UnsignedRemainder, BitOp::ShiftLeft];
            let op = ops[random.below(ops.len())];
            let (left, right) = (random.below(vectors.len()), random.below(vectors.len()));
            let z = bits(&mut search);
            constraints.push(z.2);
            let columns =
                vec![z.0, z.1, vectors[left].0, vectors[left].1, vectors[right].0, vectors[right].1];
            constraints.push(search.constrain(Constraint::Bits { op, widths: [4; 3] }, columns));
            programme.push((op, left, right));
            vectors.push((z.0, z.1));
        }
        let mut comparisons: Vec<(Column, Relation, bool, usize, usize)> = Vec::new();
        for _ in 0..1 + random.below(4) {
            let relation = [Relation::Less, Relation::LessOrEqual, Relation::Equal][random.below(3)];
            let signed = random.below(2) == 0;
            let (left, right) = (random.below(vectors.len()), random.below(vectors.len()));
            let b = search.column(Interval::BOOLEAN);
            let pick = |vector: (Column, Column)| if signed { vector.1 } else { vector.0 };
            let order = Constraint::Order(Order { relation, ieee: false });
            constraints.push(search.constrain(order, vec![b, pick(vectors[left]), pick(vectors[right])]));
            comparisons.push((b, relation, signed, left, right));
        }
        let literal = |random: &mut Random| {
            if random.below(3) == 0 {
                let vector = vectors[random.below(vectors.len())];
                let value = random.below(16) as Rank;
                match random.below(4) {
                    0 => Bound::at_least(vector.0, value),
                    1 => Bound::at_most(vector.0, value),
                    2 => Bound::at_least(vector.1, value - 8),
                    _ => Bound::at_most(vector.1, value - 8),
                }
            } else {
                let column = comparisons[random.below(comparisons.len())].0;
                if random.below(2) == 0 { Bound::at_least(column, 1) } else { Bound::at_most(column, 0) }
            }
        };
        let models: Vec<Vec<Rank>> = (0..256)
            .map(|number| {
                let mut values: Vec<nilas_term::BitVec> =
                    [number % 16, number / 16].map(|value| nilas_term::BitVec::new(4, value)).to_vec();
                for &(op, left, right) in &programme {
                    let (left, right) = (&values[left], &values[right]);
                    values.push(match op {
                        BitOp::Add => left.add(right),
                        BitOp::Multiply => left.mul(right),
                        BitOp::And => left.and(right),
                        BitOp::UnsignedRemainder => left.urem(right),
                        _ => left.shl(right),
                    });
                }
                let mut columns = vec![0; search.trail.columns()];
                for (value, vector) in values.iter().zip(&vectors) {
                    let unsigned = crate::boxes::float::number(value).cast_signed();
                    columns[vector.0.index()] = unsigned;
                    columns[vector.1.index()] = if unsigned >= 8 { unsigned - 16 } else { unsigned };
                }
                for &(b, relation, signed, left, right) in &comparisons {
                    let read = |at: usize| {
                        let vector = vectors[at];
                        columns[(if signed { vector.1 } else { vector.0 }).index()]
                    };
                    let (left, right) = (read(left), read(right));
                    columns[b.index()] = Rank::from(match relation {
                        Relation::Less => left < right,
                        Relation::LessOrEqual => left <= right,
                        Relation::Equal => left == right,
                    });
                }
                columns
            })
            .collect();
        let booleans: Vec<Column> = comparisons.iter().map(|comparison| comparison.0).collect();
        let inputs = [Input::Bits(x.0, 4), Input::Bits(y.0, 4)];
        let mut clauses: Vec<Vec<Bound>> = Vec::new();
        for call in 0..4 {
            search.reset();
            for _ in 0..random.below(4) {
                let clause: Vec<Bound> = (0..1 + random.below(3)).map(|_| literal(&mut random)).collect();
                search.add_clause(&clause);
                clauses.push(clause);
            }
            let assumptions: Vec<Bound> = (0..random.below(4)).map(|_| literal(&mut random)).collect();
            search.begin(&booleans, &inputs, &constraints);
            let satisfies =
                |model: &Vec<Rank>, bound: &Bound| bound.holds(Interval::point(model[bound.column.index()]));
            let good = |model: &&Vec<Rank>| {
                clauses.iter().all(|clause| clause.iter().any(|literal| satisfies(model, literal)))
            };
            let verdict = search.solve(&assumptions, &Budget::unlimited(), None, &mut |_| false);
            let exists = |assumptions: &[Bound]| {
                models
                    .iter()
                    .filter(good)
                    .any(|model| assumptions.iter().all(|bound| satisfies(model, bound)))
            };
            let place = format!("round {round}, call {call}");
            match verdict {
                Verdict::Sat => {
                    let point = |column: Column| search.range(column).lo;
                    let model = &models[(point(x.0) + 16 * point(y.0)) as usize];
                    assert!(good(&model), "{place}: the model violates a clause");
                    assert!(assumptions.iter().all(|bound| satisfies(model, bound)), "{place}: assumptions");
                    for (index, &value) in model.iter().enumerate() {
                        let range = search.range(Column(index as u32));
                        assert_eq!(range, Interval::point(value), "{place}: column {index}");
                    }
                }
                Verdict::Unsat(failure) => {
                    assert!(!exists(&assumptions), "{place}: there is a model");
                    let core: Vec<Bound> = failure.assumptions.iter().map(|&at| assumptions[at]).collect();
                    assert!(!exists(&core), "{place}: the failed assumptions do not suffice");
                    // Nor do they with the last one as weak as it may be.
                    if let Some((last, reached)) = failure.last {
                        let weak = assumptions[last].weakened_to_fail_at(reached);
                        let others = failure.assumptions.iter().filter(|&&at| at != last);
                        let mut core: Vec<Bound> = others.map(|&at| assumptions[at]).collect();
                        assert!(weak.implied_by(assumptions[last].value), "{place}: it is not weaker");
                        core.push(weak);
                        assert!(!exists(&core), "{place}: the weakest bound does not suffice");
                    }
                }
                Verdict::Unknown(_) | Verdict::Impatient => panic!("{place}: no answer"),
            }
        }
    }
}
