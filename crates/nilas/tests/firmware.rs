//! Registers at fixed addresses and interrupt handlers.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::{Command, Output};

fn nilas(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_nilas"))
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
        .args(arguments)
        .output()
        .unwrap()
}

fn check(text: &str, more: &[&str]) -> Output {
    let number = text.len() + 1000 * more.len();
    let path = std::env::temp_dir().join(format!("nilas-firmware-{}-{number}.c", std::process::id()));
    std::fs::write(&path, format!("extern void reach_error(void);\n{text}")).unwrap();
    let path = path.to_str().unwrap();
    let output = nilas(&[&["check", "--timeout", "60", "--32", path], more].concat());
    std::fs::remove_file(path).unwrap();
    output
}

const SAFE: Option<i32> = Some(0);
const UNSAFE: Option<i32> = Some(10);

const FIRMWARE: &[&str] = &[
    "check",
    "--timeout",
    "100",
    "--32",
    "examples/firmware/main.c",
    "--interrupt",
    "USART1_IRQHandler",
    "--interrupt",
    "TIM2_IRQHandler",
];

#[test]
fn the_example_is_safe() {
    let output = nilas(FIRMWARE);
    assert_eq!(output.status.code(), SAFE, "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("`TIM2_IRQHandler` may interrupt the program at any time"), "{text}");
    assert!(text.contains("fixed addresses are registers"), "{text}");
}

#[test]
fn two_that_count_down_get_in_each_others_way() {
    assert_eq!(nilas(&[FIRMWARE, &["-DBUSY"]].concat()).status.code(), UNSAFE);
}

/// After the last access of the program, too.
#[test]
fn a_handler_sees_what_was_written_last() {
    let text = "static volatile int x; static void h(void) { if (x == 5) reach_error(); }\n\
                int main(void) { x = 5; while (1) ; }";
    assert_eq!(check(text, &["--interrupt", "h"]).status.code(), UNSAFE);
    assert_eq!(check(text, &[]).status.code(), SAFE);
}

/// Where the main program is in the middle of something, a handler must not look.
#[test]
fn a_flag_keeps_a_handler_out() {
    let text = |guard: &str| {
        format!(
            "static volatile int a, b, busy; static void h(void) {{ if ({guard} a != b) reach_error(); }}\n\
             int main(void) {{ while (1) {{ busy = 1; a++; b++; busy = 0; }} }}"
        )
    };
    assert_eq!(check(&text("!busy &&"), &["--interrupt", "h"]).status.code(), SAFE);
    assert_eq!(check(&text(""), &["--interrupt", "h"]).status.code(), UNSAFE);
}

/// `x++` is a read and a write.
#[test]
fn updates_can_be_torn() {
    let text = "static volatile int x; static void h(void) { x = 7; }\n\
                int main(void) { x++; int y = x; if (y == 1) reach_error(); return 0; }";
    assert_eq!(check(text, &["--interrupt", "h"]).status.code(), UNSAFE);
    let text = "static volatile int x, once; static void h(void) { if (!once) { once = 1; x = 7; } }\n\
                int main(void) { x++; if (once && x != 7 && x != 8 && x != 1) reach_error(); return 0; }";
    assert_eq!(check(text, &["--interrupt", "h"]).status.code(), SAFE);
}

/// Atomic operations are not torn.
#[test]
fn atomic_operations_are_one_access() {
    let text = |declaration: &str, operation: &str| {
        format!(
            "static {declaration} x; static volatile int ran; static void h(void) {{ if (!ran) {{ x = 100; ran = 1; }} }}\n\
             int main(void) {{ {operation}; if (ran && x == 1) reach_error(); return 0; }}"
        )
    };
    let operations = [
        ("int", "__atomic_fetch_add(&x, 1, 5)"),
        ("int", "__sync_add_and_fetch(&x, 1)"),
        ("int", "__sync_bool_compare_and_swap(&x, 0, 1)"),
        ("_Atomic int", "x++"),
        ("_Atomic int", "x += 1"),
    ];
    for (declaration, operation) in operations {
        let output = check(&text(declaration, operation), &["--interrupt", "h"]);
        assert_eq!(output.status.code(), SAFE, "{operation}: {output:?}");
    }
    assert_eq!(check(&text("int", "x++"), &["--interrupt", "h"]).status.code(), UNSAFE);
    // Where the operand is read is not told.
    assert_eq!(
        check(&text("int", "__sync_add_and_fetch(&x, ran)"), &["--interrupt", "h"]).status.code(),
        Some(2)
    );
}

/// Handlers interrupt each other only if that is asked for.
#[test]
fn handlers_are_nested_as_deep_as_is_asked_for() {
    let text = "static volatile int x; static void g(void) { x = 1; }\n\
                static void h(void) { x = 0; if (x != 0) reach_error(); }\n\
                int main(void) { while (1) x = 0; }";
    let handlers = ["--interrupt", "g", "--interrupt", "h"];
    assert_eq!(check(text, &handlers).status.code(), SAFE);
    assert_eq!(check(text, &[&handlers[..], &["--interrupt-depth", "2"]].concat()).status.code(), UNSAFE);
}

/// Through pointers, and in functions that the program calls.
#[test]
fn handlers_reach_data_through_pointers() {
    let text = "static int data, *p = &data; static void h(void) { *p = 3; }\n\
                static int get(int *q) { return *q; }\n\
                int main(void) { data = 1; if (get(&data) == 3) reach_error(); return 0; }";
    assert_eq!(check(text, &["--interrupt", "h"]).status.code(), UNSAFE);
    assert_eq!(check(text, &[]).status.code(), SAFE);
}

/// Also to variables of functions that have not returned.
#[test]
fn handlers_reach_variables_of_functions() {
    let text = "static int *p; static void h(void) { if (p) *p = 3; }\n\
                int main(void) { int local = 1; p = &local; if (local == 3) reach_error(); return 0; }";
    assert_eq!(check(text, &["--interrupt", "h"]).status.code(), UNSAFE);
    assert_eq!(check(text, &[]).status.code(), SAFE);
}

/// What inline assembly of a handler writes.
#[test]
fn handlers_write_by_assembly() {
    let text = "static volatile int x; static void h(void) { __asm__ volatile (\"mov %0, #1\" : \"=r\"(x)); }\n\
                int main(void) { x = 0; if (x == 9) reach_error(); return 0; }";
    assert_ne!(check(text, &["--interrupt", "h"]).status.code(), SAFE);
}

/// What a function of the library writes is seen by handlers.
#[test]
fn handlers_see_what_the_library_writes() {
    let text = "#include <string.h>\nstatic char data[4]; static void h(void) { if (data[1] == 'b') reach_error(); }\n\
                int main(void) { strcpy(data, \"abc\"); return 0; }";
    assert_eq!(check(text, &["--interrupt", "h"]).status.code(), UNSAFE);
}

#[test]
fn a_handler_has_to_be_a_function() {
    for (name, message) in [("missing", "no function of this name"), ("f", "`void f(void)`")] {
        let output =
            check("int f(int x) { return x; }\nint main(void) { return f(0); }", &["--interrupt", name]);
        assert_eq!(output.status.code(), Some(2));
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(told.contains(message), "{told}");
    }
}
