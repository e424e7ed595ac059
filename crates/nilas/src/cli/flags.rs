//! Flags of compilers among our own options.

/// Flags of compilers that begin as no option of ours does.
const COMPILER_FLAGS: [&str; 9] =
    ["-std=", "-ansi", "-m", "-f", "-O", "-W", "-pthread", "-pedantic", "-nostdinc"];

/// Flags of compilers with a value of their own.
const COMPILER_FLAGS_WITH_VALUE: [&str; 5] = ["-include", "-isystem", "-iquote", "-idirafter", "-imacros"];

/// Lets flags of compilers be given as compilers take them: `-m32` becomes `--flag=-m32`.
pub(crate) fn with_compiler_flags(
    arguments: impl Iterator<Item = std::ffi::OsString>,
) -> Vec<std::ffi::OsString> {
    let mut all: Vec<std::ffi::OsString> = Vec::new();
    let mut arguments = arguments.enumerate();
    let mut reads_c = false;
    while let Some((number, argument)) = arguments.next() {
        let text = argument.to_string_lossy().into_owned();
        if number == 1 {
            reads_c = matches!(text.as_str(), "check" | "run" | "show" | "validate" | "verify-evidence");
        }
        let starts = |flags: &[&str]| flags.iter().any(|flag| text.starts_with(flag));
        if text == "--" {
            all.push(argument);
            break;
        } else if reads_c && starts(&COMPILER_FLAGS_WITH_VALUE) {
            all.push(format!("--flag={text}").into());
            if COMPILER_FLAGS_WITH_VALUE.contains(&text.as_str())
                && let Some((_, value)) = arguments.next()
            {
                all.push(format!("--flag={}", value.to_string_lossy()).into());
            }
        } else if reads_c && starts(&COMPILER_FLAGS) {
            all.push(format!("--flag={text}").into());
        } else {
            // Values that may begin like flags.
            let takes = matches!(text.as_str(), "--techniques" | "--input" | "--flag");
            all.push(argument);
            if takes {
                all.extend(arguments.next().map(|(_, value)| value));
            }
        }
    }
    all.extend(arguments.map(|(_, argument)| argument));
    all
}
