//! What one operation on floats costs: rounded to nearest even, where single and double precision take the
//! floats of the machine, and away from zero, where `nilas-term` computes exactly.
//!
//! ```text
//! cargo run --release -p nilas-icp --example operations
//! ```

#![allow(clippy::print_stdout)]

use nilas_icp::boxes::float::infinity;
use nilas_icp::contract::float::Operation;
use nilas_term::{Format, RoundingMode};
use std::time::Instant;

fn nanoseconds(operation: Operation, format: Format, mode: RoundingMode) -> f64 {
    const COUNT: u32 = 200_000;
    let top = infinity(format);
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut sum = 0i128;
    let start = Instant::now();
    for _ in 0..COUNT {
        let operands = [(); 3].map(|()| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            i128::from(state) % top
        });
        let operands = &operands[..operation.arity()];
        sum ^= operation.apply(format, mode, operands).unwrap_or_default();
    }
    std::hint::black_box(sum);
    start.elapsed().as_secs_f64() * 1e9 / f64::from(COUNT)
}

fn main() {
    println!("| operation | format | nearest even (ns) | nearest away (ns) |\n|---|---|---|---|");
    for operation in [Operation::Add, Operation::Multiply, Operation::Divide, Operation::Fma, Operation::Sqrt]
    {
        for (name, format) in [("half", Format::HALF), ("single", Format::SINGLE), ("double", Format::DOUBLE)]
        {
            let [even, away] = [RoundingMode::NearestEven, RoundingMode::NearestAway]
                .map(|mode| nanoseconds(operation, format, mode));
            println!("| {operation:?} | {name} | {even:.0} | {away:.0} |");
        }
    }
}
