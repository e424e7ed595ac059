//! Programs of csmith (Yang, Chen, Eide, Regehr: *Finding and Understanding Bugs in C Compilers*, PLDI 2011).
//! They print a checksum of all globals; here it is compared inside the program, so that nothing needs to be
//! printed.

use nilas_c::types::DataModel;
use std::process::Command;

/// Keeps programs small enough to be inlined and interpreted.
const OPTIONS: &[&str] = &[
    "--no-argc",
    "--max-funcs",
    "3",
    "--max-block-depth",
    "3",
    "--max-block-size",
    "3",
    "--max-expr-complexity",
    "4",
    "--max-pointer-depth",
    "2",
    "--max-array-dim",
    "2",
    "--max-array-len-per-dim",
    "5",
    "--max-struct-fields",
    "6",
];

/// The statement that ends a program.
const END: &str = "platform_main_end(crc32_context ^ 0xFFFFFFFFUL, print_hash_value);";

/// Where the headers of csmith are.
pub(crate) fn headers() -> Option<String> {
    ["/usr/include/csmith", "/usr/include/csmith-2.3.0", "/usr/local/include/csmith"]
        .into_iter()
        .find(|folder| std::path::Path::new(folder).join("csmith.h").is_file())
        .map(str::to_owned)
}

/// A program; `None` if csmith is not here.
pub(crate) fn program(seed: u64) -> Option<String> {
    program_with(seed, &[])
}

/// A program with what more options allow; `None` if csmith is not here.
pub(crate) fn program_with(seed: u64, more: &[&str]) -> Option<String> {
    let seed = seed.to_string();
    // It leaves a file behind where it runs.
    let mut csmith = Command::new("csmith");
    csmith.current_dir(std::env::temp_dir()).args(OPTIONS).args(more).args(["--seed", &seed]);
    let output = csmith.output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    (output.status.success() && text.contains(END)).then_some(text)
}

/// The program that reaches an error where its checksum is as expected.
pub(crate) fn checked(text: &str, checksum: u32) -> String {
    let test = format!("if ((unsigned)(crc32_context ^ 0xFFFFFFFFUL) == {checksum}U) reach_error();");
    format!("extern void reach_error(void);\n{}", text.replace(END, &test))
}

/// The checksum in what the program printed.
pub(crate) fn checksum(printed: &str) -> Option<u32> {
    let text = printed.lines().find_map(|line| line.strip_prefix("checksum = "))?;
    u32::from_str_radix(text.trim(), 16).ok()
}

/// The model's name in tables.
pub(crate) fn name(model: DataModel) -> &'static str {
    match model {
        DataModel::Ilp32 => "ILP32",
        DataModel::Lp64 => "LP64",
        DataModel::Other(_) => "other",
    }
}
