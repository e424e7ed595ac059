//! What the front end costs: each program is parsed, lowered, simplified and folded into large blocks in a
//! process of its own, and its processor seconds and memory are printed as a table. Without files: an ECA
//! program of 10,000 lines that this example writes.
//!
//! ```sh
//! cargo run --release -p nilas-c --example front_end -- [--64] FILE.c …      # a table
//! cargo run --release -p nilas-c --example front_end -- --generate           # the generated program
//! ```
#![allow(clippy::print_stdout, reason = "an example may print")]
#![allow(clippy::format_push_string, reason = "the text is small")]

use nilas_c::types::DataModel;
use nilas_c::{Input, LowerOptions, Options, lower, parse_program};
use nilas_program::passes::{large_blocks, simplify};
use std::process::Command;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.first().map(String::as_str) {
        Some("--generate") => print!("{}", generate(10_000)),
        Some("--one") => one(&arguments[1], arguments.get(2).map(String::as_str) == Some("--64")),
        _ => table(&arguments),
    }
}

fn table(arguments: &[String]) {
    let wide = arguments.iter().any(|argument| argument == "--64");
    let mut files: Vec<String> = arguments.iter().filter(|argument| *argument != "--64").cloned().collect();
    let generated = std::env::temp_dir().join(format!("generated-{}.c", std::process::id()));
    let own = files.is_empty() && std::fs::write(&generated, generate(10_000)).is_ok();
    if own {
        files.push(generated.display().to_string());
    }
    println!(
        "{:>6} {:>6} {:>6} {:>6} {:>6}  {:>9} {:>7} {:>7}  file",
        "parse", "lower", "passes", "blocks", "MB", "locations", "small", "blocks"
    );
    for file in &files {
        let Ok(program) = std::env::current_exe() else { return };
        let mut command = Command::new(program);
        command.arg("--one").arg(file);
        if wide {
            command.arg("--64");
        }
        match command.output() {
            Ok(output) if output.status.success() => print!("{}", String::from_utf8_lossy(&output.stdout)),
            _ => println!("failed: {file}"),
        }
    }
    if own {
        // A file of the temporary folder that stays does no harm.
        let _ = std::fs::remove_file(&generated);
    }
}

/// What all threads of this process used so far, in ticks of a hundredth.
fn processor_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace().skip(11).take(2);
    fields.filter_map(|field| field.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// One program, in this process: seconds per step, the most memory, and sizes.
fn one(file: &str, wide: bool) {
    let model = if wide { DataModel::Lp64 } else { DataModel::Ilp32 };
    let options = Options { model, ..Options::default() };
    let tree = match parse_program(&Input::Path(file.into()), &options) {
        Ok(tree) => tree,
        Err(failure) => return println!("refused: {file}: {}", failure.diagnostics[0].message),
    };
    let parsed = processor_seconds();
    let lowered = match lower(&tree, &LowerOptions::default()) {
        Ok(lowered) => lowered,
        Err(diagnostics) => return println!("refused: {file}: {}", diagnostics[0].message),
    };
    let lowered_at = processor_seconds();
    let Ok(small) = simplify(&lowered.program, &nilas_term::Budget::unlimited()) else { return };
    let simplified = processor_seconds();
    let (blocks, _) = large_blocks(&lowered.program);
    let folded = processor_seconds();
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = peak.and_then(|rest| rest.split_whitespace().next()?.parse::<f64>().ok()).unwrap_or(0.0);
    let name = file.rsplit('/').take(2).collect::<Vec<_>>().into_iter().rev().collect::<Vec<_>>().join("/");
    println!(
        "{:>6.2} {:>6.2} {:>6.2} {:>6.2} {:>6.0}  {:>9} {:>7} {:>7}  {name}",
        parsed,
        lowered_at - parsed,
        simplified - lowered_at,
        folded - simplified,
        peak / 1024.0,
        lowered.program.automaton.locations.len(),
        small.program.automaton.locations.len(),
        blocks.automaton.locations.len(),
    );
}

/// A reactive program in the style of the RERS challenge: state variables, inputs 1 to 6, nested `if`s over
/// both, and outputs.
fn generate(lines: usize) -> String {
    let mut seed = 12_345_u64;
    let mut below = |n: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % n
    };
    let mut text = String::from(
        "extern int __VERIFIER_nondet_int(void);\nextern void __VERIFIER_error(void);\nextern void exit(int);\nextern int printf(const char *, ...);\n",
    );
    for variable in 0..24 {
        text += &format!("int a{variable} = {};\n", below(16));
    }
    text += "int calculate_output(int input) {\n";
    let mut count = 32;
    for state in 0..60 {
        text += &format!("  if ((a{} == {} && a{} == {})) {{\n", below(24), below(16), below(24), below(16));
        text += &format!("    error_{state}: __VERIFIER_error();\n  }}\n");
        count += 3;
    }
    let mut first = true;
    while count + 20 < lines {
        let keyword = if first { "if" } else { "else if" };
        first = false;
        text += &format!(
            "  {keyword} ((((a{} == {}) && !(a{} == {})) && (input == {})) && ((a{} == {}) || a{} == {})) {{\n",
            below(24),
            below(16),
            below(24),
            below(16),
            1 + below(6),
            below(24),
            below(16),
            below(24),
            below(16)
        );
        count += 1;
        for _ in 0..2 + below(5) {
            text += &format!("    a{} = {};\n", below(24), below(16));
            count += 1;
        }
        if below(4) == 0 {
            text += &format!(
                "    if (a{} == {}) {{\n      a{} = {};\n    }} else {{\n      a{} = (a{} + {}) % 16;\n    }}\n",
                below(24),
                below(16),
                below(24),
                below(16),
                below(24),
                below(24),
                below(16)
            );
            count += 5;
        }
        text += &format!("    return {};\n  }}\n", 20 + below(8));
        count += 2;
    }
    text += "  return -2;\n}\n\nint main() {\n  int output = -1;\n  while (1) {\n    int input;\n    input = __VERIFIER_nondet_int();\n";
    text += "    if ((input != 1) && (input != 2) && (input != 3) && (input != 4) && (input != 5) && (input != 6)) return -2;\n";
    text += "    output = calculate_output(input);\n    if (output == -2)\n      printf(\"Invalid input: %d\\n\", input);\n    else if (output != -1)\n      printf(\"%d\\n\", output);\n  }\n}\n";
    text
}
