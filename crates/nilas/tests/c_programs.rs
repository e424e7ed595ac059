//! What `nilas check` says about C programs beyond safe and unsafe: what is not known is not claimed.

#![allow(clippy::unwrap_used)]

use std::process::{Command, Output};

fn check(name: &str, text: &str, more: &[&str]) -> Output {
    let path = std::env::temp_dir().join(format!("nilas-{name}-{}.c", std::process::id()));
    std::fs::write(&path, text).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_nilas"))
        .args(if more.contains(&"--timeout") { vec!["check"] } else { vec!["check", "--timeout", "60"] })
        .args(more)
        .arg(&path)
        .output()
        .unwrap();
    std::fs::remove_file(path).unwrap();
    output
}

#[track_caller]
fn says(name: &str, text: &str, code: i32, words: &str) {
    let output = check(name, text, &[]);
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{text}: {said}");
    assert!(said.contains(words), "`{words}` in: {said}");
}

/// An execution to the error exists only because nobody knows what `sin` returns.
#[test]
fn results_of_library_functions_are_not_chosen() {
    let text = "double sin(double); void reach_error(void);
                int main(void) { double x = sin(1.0); if (x == 0.5) reach_error(); return 0; }";
    says("sin", text, 5, "relies on the result of `sin`, which its arguments determine");
    // What it really returns is known to who runs the program.
    says("run", &text.replace("==", "!="), 10, "unsafe: `reach_error` is called at ");
    // A function that nobody knows may return anything.
    says("unknown", &text.replace("sin", "measure"), 10, "measure");
}

#[test]
fn proofs_that_say_nothing_are_not_given() {
    let text = "void reach_error(void); int a[3];
                int main(void) { int s = 0; for (int i = 0; i <= 3; i++) s += a[i]; if (s) reach_error(); return 0; }";
    says("vacuous", text, 5, "undefined behaviour (access out of bounds");
    says("defined", &text.replace("<=", "<"), 0, "safe");
}

#[test]
fn what_is_not_modelled_has_a_name_and_a_line() {
    let text = "int fork(void); void reach_error(void);\nint main(void) {\n  return fork();\n}";
    says("fork", text, 5, ":3: return fork();");
    let jump = "int setjmp(void *); void longjmp(void *, int); int b[9];\nint main(void) {\n  if (setjmp(b)) return 0;\n  longjmp(b, 1);\n}";
    says("longjmp", jump, 5, ":4: longjmp(b, 1);");
    let variadic = "int f(int n, ...) {\n  __builtin_va_list l; __builtin_va_start(l, n); __builtin_va_end(l);\n  return __builtin_va_arg(l, int);\n}
int main(void) { return f(1, 2); }";
    says("variadic", variadic, 5, ":3: return __builtin_va_arg(l, int);");
}

/// What is refused is refused where it can be reached, with the place.
#[test]
fn unsupported_constructs_are_refused_with_a_caret() {
    let threads =
        "int pthread_create(long *, void *, void *(*)(void *), void *);\nvoid *f(void *p) { return p; }
int main(void) {\n  long t;\n  pthread_create(&t, 0, f, 0);\n  return 0;\n}";
    says("threads", threads, 2, ":5:3: error: threads are not supported");
    says("caret", threads, 2, "^");
    says("uncalled", &threads.replace("  pthread_create", "  return 0; pthread_create"), 0, "safe");
    let asm = "int main(void) {\n  int x;\n  asm volatile(\"mov $1, %0\" : \"=r\"(x));\n  return x;\n}";
    says("asm", asm, 0, "assuming: inline assembly gives its outputs any value");
    let goto = "int main(void) {\n  asm goto(\"jmp %l0\" :::: out);\nout:\n  return 0;\n}";
    says("asm-goto", goto, 2, ":2:3: error: assembly that jumps is not supported");
    says("barrier", "int main(void) { asm volatile(\"\" ::: \"memory\"); return 0; }", 0, "safe");
}

#[test]
fn files_that_are_none_are_refused() {
    for (path, words) in [("/nowhere/x.c", "No such file"), ("/tmp.c/", "No such file"), ("/", "is a folder")]
    {
        let output = Command::new(env!("CARGO_BIN_EXE_nilas")).args(["check", path]).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{path}: {said}");
        assert!(said.contains(words) && said.contains(path), "{path}: {said}");
    }
    let folder = std::env::temp_dir().join(format!("nilas-folder-{}.c", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_nilas")).arg("check").arg(&folder).output().unwrap();
    std::fs::remove_dir(&folder).unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && said.contains("directory"), "{said}");
}

/// Undefined behaviour ends executions, unless it is asked for.
#[test]
fn undefined_behaviour_is_reported_on_demand() {
    let text = "int __VERIFIER_nondet_int(void); int a[3]; int main(void) { unsigned i = __VERIFIER_nondet_int(); return a[i]; }";
    assert_eq!(check("defined", text, &[]).status.code(), Some(0));
    assert_eq!(check("undefined", text, &["--check-undefined"]).status.code(), Some(10));
    let guarded = text.replace("return a[i]", "return i < 3 ? a[i] : 0");
    assert_eq!(check("guarded", &guarded, &["--check-undefined"]).status.code(), Some(0));
}

/// Calls that multiply: reading the program takes longer than the limit, which is a reason like any other.
#[test]
fn limits_hold_while_a_program_is_read() {
    let mut text = String::from("int x; void f0(void) { x++; if (x > 3) x--; }\n");
    for level in 1..24 {
        let below = level - 1;
        text += &format!("void f{level}(void) {{ f{below}(); f{below}(); }}\n");
    }
    text += "int main(void) { f23(); return 0; }";
    let output = check("large", &text, &["--timeout", "0.01", "--quiet"]);
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!((output.status.code(), said.trim()), (Some(5), "unknown"));
}

#[test]
fn bad_programs_are_refused_with_a_caret() {
    says("type", "int main(void) { return y; }", 2, ":1:25: error: `y` is not declared");
    says("syntax", "int main(void) { return 1 }", 2, "^");
    let output =
        check("model", "int main(void) { _Static_assert(sizeof(long) == 4, \"\"); return 0; }", &["--32"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Deeper recursion than the lowering starts with; a bound that is raised finds the error.
#[test]
fn bounds_are_raised() {
    let text = "void reach_error(void); int depth(int n) { return n ? 1 + depth(n - 1) : 0; }
                int main(void) { if (depth(40) == 40) reach_error(); return 0; }";
    says("recursion", text, 10, "unsafe");
}

/// A large program is looked at without its memory first; what an execution read there then leads executions
/// in C, where memory holds anything, too.
#[test]
fn executions_in_c_follow_what_was_read() {
    let lines = "x = x * 3 + y - x; y = y / 5 + x * x - y;\n".repeat(60);
    let text = format!(
        "extern void reach_error(void); struct pair {{ int a, b; }}; extern struct pair *get(void);
        int filler(int x, int y) {{ {lines} return x; }}
        int main(void) {{
            struct pair *p = get();
            if (p && p->a * 3 + 1 == 370370368 && p->b * 5 - 3 == 4938267) reach_error();
            return 0;
        }}"
    );
    let output = check("followed", &text, &["--unknown-functions", "nothing"]);
    assert_eq!(output.status.code(), Some(10), "{output:?}");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("found by: execution"), "{said}");
}

/// Numbers that are no addresses stand where pointers are expected, as in tables of device ids: the rest of the
/// program is modelled all the same.
#[test]
fn numbers_in_tables_of_pointers_are_modelled() {
    let text = "extern void reach_error(void); extern int number(void);
        struct id { char name[4]; void const *data; };
        static struct id const ids[2] = {{{'a', 0, 0, 0}, (void const *)9488}, {{'b', 0, 0, 0}, (void const *)9493}};
        struct driver { struct id const *ids; };
        static struct driver driver = { (struct id const *)(&ids) };
        int main(void) {
            int index = number() ? 1 : 0;
            if (driver.ids[index].name[0] == 'b' && index == 1) reach_error();
            return 0;
        }";
    let options = ["--engine", "bmc", "--64", "--unknown-functions", "nothing"];
    let output = check("ids", text, &options);
    assert_eq!(output.status.code(), Some(10), "{output:?}");
    let output = check("other-ids", &text.replace("index == 1", "index == 0"), &options);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}
