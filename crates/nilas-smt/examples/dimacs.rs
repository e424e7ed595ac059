//! The SAT cores on files in DIMACS: which one is fastest on what.
//!
//! `cargo run --release -p nilas-smt --example dimacs -- [--timeout SECONDS] FILE.cnf …`

#![allow(clippy::print_stdout)]

use nilas_smt::Budget;
use nilas_smt::sat::{Batsat, Cadical, Cdcl, Lit, SatAnswer, SatSolver, Var};
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut timeout = 20.0;
    let mut files = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--timeout" => timeout = arguments.next().unwrap_or_default().parse()?,
            _ => files.push(argument),
        }
    }
    println!(
        "{:40} {:>9} {:>9} {:>8} {:>8} {:>8}",
        "seconds to decide", "variables", "clauses", "BatSat", "CaDiCaL", "ours"
    );
    for file in files {
        let clauses = read(&std::fs::read_to_string(&file)?)?;
        let variables = clauses.iter().flatten().map(|lit| lit.var().0 + 1).max().unwrap_or(0);
        let cores: [(&str, Box<dyn SatSolver>); 3] = [
            ("BatSat", Box::new(Batsat::new())),
            ("CaDiCaL", Box::new(Cadical::new())),
            ("ours", Box::new(Cdcl::alone())),
        ];
        let mut answers = Vec::new();
        let mut times = String::new();
        for (_, mut core) in cores {
            let started = Instant::now();
            for _ in 0..variables {
                core.new_var();
            }
            for clause in &clauses {
                core.add_clause(clause);
            }
            let deadline = Some(Instant::now() + Duration::from_secs_f64(timeout));
            let budget = Budget { deadline, ..Budget::default() };
            let answer = core.solve(&[], &budget);
            let seconds = started.elapsed().as_secs_f64();
            times += &match answer {
                SatAnswer::Unknown(_) => format!(" {:>8}", format!("> {timeout}")),
                _ => format!(" {seconds:>8.3}"),
            };
            if !matches!(answer, SatAnswer::Unknown(_)) {
                answers.push(answer);
            }
        }
        let agree = answers.windows(2).all(|pair| pair[0] == pair[1]);
        let answer = match answers.first() {
            _ if !agree => "CONTRADICTION",
            Some(SatAnswer::Sat) => "sat",
            Some(_) => "unsat",
            None => "",
        };
        println!("{:40} {variables:>9} {:>9}{times}  {answer}", short(&file), clauses.len());
    }
    Ok(())
}

fn short(file: &str) -> &str {
    let from = file.len().saturating_sub(40);
    file.get(from..).unwrap_or(file)
}

fn read(text: &str) -> Result<Vec<Vec<Lit>>, std::num::ParseIntError> {
    let mut clauses = vec![Vec::new()];
    for line in text.lines().filter(|line| !line.starts_with(['c', 'p'])) {
        for number in line.split_whitespace() {
            let number: i64 = number.parse()?;
            if number == 0 {
                clauses.push(Vec::new());
            } else if let Some(clause) = clauses.last_mut() {
                let var = Var(u32::try_from(number.unsigned_abs() - 1).unwrap_or(u32::MAX));
                clause.push(Lit::new(var, number > 0));
            }
        }
    }
    clauses.pop();
    Ok(clauses)
}
