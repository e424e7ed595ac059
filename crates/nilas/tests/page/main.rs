//! `nilas check --html`: pages as they are written, and in a browser, which steps, clicks and slides.
//!
//! The browser is Debian's Chromium without a window. Where it is not on the path, its part is left out, with a
//! note.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

use serde_json::Value as Json;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// An assertion that fails behind a call and a loop. Its strings are not markup.
const UNSAFE: &str = "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\nconst char *nasty = \
                      \"</script><img src=x>&amp;\";\nstatic int half(int n) {\n  int r = n / 2;\n  return r;\n}\nint \
                      main(void) {\n  int a = __VERIFIER_nondet_int();\n  if (a < 8 || a > 20) return 0;\n  int h = \
                      half(a);\n  while (h > 3)\n    h--;\n  assert(h < 3);\n  return 0;\n}\n";
const SAFE: &str = "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\nint main(void) {\n  int i = 0;\n  \
                    while (__VERIFIER_nondet_int())\n    if (i < 9) i++;\n  assert(i >= 0 && i <= 9);\n  return 0;\n}\n";
/// Nobody shows soon that 2^62 - 57 is prime.
const HARD: &str = "extern void reach_error(void);\nextern unsigned long long __VERIFIER_nondet_ulonglong(void);\nint \
                    main(void) {\n  unsigned i = 0;\n  while (i < 7) i++;\n  unsigned long long a = \
                    __VERIFIER_nondet_ulonglong();\n  unsigned long long b = __VERIFIER_nondet_ulonglong();\n  if (a > 1 \
                    && b > 1 && a < 4294967296 && b < 4294967296)\n    if (a * b == 4611686018427387847) \
                    reach_error();\n  return 0;\n}\n";

fn folder() -> PathBuf {
    let folder = std::env::temp_dir().join(format!("nilas-page-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// The page of a program, and its exit code.
fn page(name: &str, text: &str, options: &[&str]) -> (i32, String) {
    let (path, html) = (folder().join(name), folder().join(format!("{name}.html")));
    std::fs::write(&path, text).unwrap();
    page_of(&path, &html, options)
}

fn page_of(path: &Path, html: &Path, options: &[&str]) -> (i32, String) {
    let limit: &[&str] = if options.contains(&"--timeout") { &[] } else { &["--timeout", "60"] };
    let mut command = Command::new(env!("CARGO_BIN_EXE_nilas"));
    let output =
        command.arg("check").args(limit).args(options).arg("--html").arg(html).arg(path).output().unwrap();
    (output.status.code().unwrap(), std::fs::read_to_string(html).unwrap())
}

/// What a browser shows of a page while the driver uses it; `None` if there is no browser.
fn driven(name: &str, html: &str, width: u32) -> Option<Json> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    if !std::env::split_paths(&path).any(|folder| folder.join("chromium").is_file()) {
        println!("note: chromium is not on the path: what a browser shows is not looked at");
        return None;
    }
    let driver = format!("<script>\n{}</script>\n</body>", include_str!("driver.js"));
    let folder = folder().join(format!("{name}-{width}"));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("page.html"), html.replace("</body>", &driver)).unwrap();
    let (file, out) = (folder.join("frame.html"), folder.join("out.html"));
    let frame = format!(
        "<!DOCTYPE html><body><script>onmessage = (event) => document.body.append(event.data);</script><iframe \
         src=\"page.html\" style=\"width: {width}px; height: 900px; border: 0\"></iframe>"
    );
    std::fs::write(&file, frame).unwrap();
    let mut chromium = Command::new("chromium")
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-extensions"])
        .args(["--disable-background-networking", "--virtual-time-budget=5000", "--dump-dom"])
        .arg(format!("--user-data-dir={}", folder.join("profile").display()))
        .arg("--window-size=1600,1000")
        .arg(format!("file://{}", file.display()))
        .stdout(std::fs::File::create(&out).unwrap())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let until = Instant::now() + Duration::from_secs(180);
    while chromium.try_wait().unwrap().is_none() {
        if Instant::now() > until {
            chromium.kill().unwrap();
            chromium.wait().unwrap();
            panic!("chromium does not end");
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    let dom = std::fs::read_to_string(&out).unwrap();
    let told = dom.split_once("driven:").and_then(|(_, rest)| rest.split_once(":driven"));
    let Some((told, _)) = told else { panic!("the driver did not run: {dom}") };
    let seen: Json = serde_json::from_str(&decoded(told)).unwrap();
    assert_eq!(seen["error"], Json::Null, "{seen:#}");
    assert_eq!((&seen["images"], &seen["width"]), (&Json::from(0), &Json::from(width)));
    assert_eq!(seen["wide"], false, "nothing is wider than {width} pixels");
    Some(seen)
}

/// Text that `encodeURIComponent` made.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digits = [rest.next().unwrap(), rest.next().unwrap()];
            bytes.push(u8::from_str_radix(std::str::from_utf8(&digits).unwrap(), 16).unwrap());
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).unwrap()
}

fn texts(list: &Json) -> Vec<&str> {
    list.as_array()
        .unwrap_or_else(|| panic!("no list: {list}"))
        .iter()
        .map(|it| it.as_str().unwrap())
        .collect()
}

#[test]
fn an_execution_can_be_stepped_through() {
    let (code, html) = page("unsafe<&>.c", UNSAFE, &["--quiet"]);
    assert_eq!(code, 10);
    assert!(!html.contains("<img") && html.contains("&lt;/script&gt;&lt;img src=x&gt;&amp;amp;"), "{html}");
    for width in [400, 1400] {
        let Some(seen) = driven("unsafe", &html, width) else { return };
        assert_eq!(seen["verdict"], "unsafe");
        assert!(seen["headline"].as_str().unwrap().ends_with("unsafe<&>.c:14: h < 3"), "{seen:#}");
        // It begins with the failure.
        let end = &seen["end"];
        assert_eq!(texts(&end["current"]), ["L0-14"]);
        assert!(texts(&end["beside"]).contains(&"h = 3"), "{end:#}");
        assert!(texts(&end["beside"]).contains(&"fails"), "{end:#}");
        let first = &seen["first"];
        assert!(first["position"].as_str().unwrap().starts_with("step 1 of "), "{first:#}");
        assert_eq!(texts(&first["current"]), ["L0-9"]);
        assert_eq!(texts(&first["beside"]), ["input __VERIFIER_nondet_int() = 8", "a = 8"]);
        assert_eq!(texts(&first["values"]), ["a = 8"]);
        // Somewhere on the way it is inside of the call.
        let steps = seen["steps"].as_array().unwrap();
        let inside = steps.iter().find(|step| texts(&step["current"]) == ["L0-5"]).unwrap();
        assert_eq!(inside["stack"].as_array().unwrap().len(), 2, "{inside:#}");
        assert!(texts(&inside["stack"])[0].starts_with("half() "), "{inside:#}");
        assert!(texts(&inside["stack"])[1].starts_with("main() "), "{inside:#}");
        assert_eq!(texts(&inside["values"]), ["n = 8", "r = 4", "a = 8"]);
        let last = steps.last().unwrap();
        assert_eq!(last, end, "the last step is where it began");
        assert_eq!(&seen["back"], &steps[steps.len() - 2]);
        assert_eq!(&seen["slid"], &steps[0]);
        assert_eq!(&seen["clicked"], first);
        assert_eq!(texts(&seen["over"]["current"]), ["L0-10"]);
        assert_ne!(seen["light"], seen["dark"]);
    }
}

#[test]
fn invariants_open_and_frames_move() {
    let (code, html) = page("safe.c", SAFE, &["--engine", "ic3cfa"]);
    assert_eq!(code, 0);
    for width in [400, 1400] {
        let Some(seen) = driven("safe", &html, width) else { return };
        assert_eq!(seen["verdict"], "safe");
        assert_eq!((&seen["closed"], &seen["opened"]), (&Json::Bool(false), &Json::Bool(true)), "{seen:#}");
        assert_eq!(texts(&seen["facts"]), ["0 <= i && i <= 9"]);
        assert_eq!(seen["above"], "L0-5");
        let frames = seen["frames"].as_array().unwrap();
        assert!(texts(&frames[0]["none"]).contains(&"false: no way is that short"), "{seen:#}");
        assert!(frames[0]["lemmas"].as_array().unwrap().is_empty());
        let invariant =
            frames.iter().find(|frame| frame["label"].as_str().unwrap().contains("the invariant"));
        let invariant = invariant.unwrap_or_else(|| panic!("{seen:#}"));
        assert!(!invariant["lemmas"].as_array().unwrap().is_empty(), "{seen:#}");
        // Frames lose lemmas, and never gain any, once all locations are reached.
        let reached =
            frames.iter().skip_while(|frame| texts(&frame["none"]).contains(&"false: no way is that short"));
        let counts: Vec<usize> = reached.map(|frame| frame["lemmas"].as_array().unwrap().len()).collect();
        assert!(counts.windows(2).all(|pair| pair[0] >= pair[1]), "{counts:?}");
        assert_eq!(texts(&seen["passed"]), ["L0-5"], "{seen:#}");
        assert_eq!(seen["chosen"].as_array().unwrap().len(), 1, "{seen:#}");
    }
}

#[test]
fn an_unknown_says_what_is_known() {
    let (code, html) = page("hard.c", HARD, &["--timeout", "2", "--engine", "ic3cfa"]);
    assert_eq!(code, 5);
    for part in ["What is known", "a larger --timeout", "Statistics"] {
        assert!(html.contains(part), "{part}\n{html}");
    }
    for width in [400, 1400] {
        let Some(seen) = driven("unknown", &html, width) else { return };
        assert_eq!(
            (&seen["verdict"], &seen["headline"]),
            (&Json::from("unknown"), &Json::from("time limit reached"))
        );
        assert!(!seen["nodes"].as_array().unwrap().is_empty(), "{seen:#}");
    }
}

#[test]
fn every_answer_has_a_page() {
    let (code, html) = page("nothing.c", "int main(void) { return 0; }\n", &[]);
    assert!(code == 0 && html.contains("nothing to check"), "{html}");
    let (code, html) = page("refused.c", "int main(void) { return 0 <b> }\n", &[]);
    assert!(code == 2 && html.contains("there is no answer") && html.contains("0 &lt;b&gt;"), "{html}");
    let (code, html) = page("places.c", UNSAFE, &["--property", "assert,signed-overflow,bounds"]);
    assert_eq!(code, 10);
    for part in [
        "data-property=\"assert\"",
        "data-property=\"signed-overflow\"",
        "step through",
        "That this cannot happen",
    ] {
        assert!(html.contains(part), "{part}\n{html}");
    }
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let (code, html) =
        page_of(&examples.join("lock_bug.cfa"), &folder().join("lock.html"), &["--engine", "bmc"]);
    assert!(code == 10 && html.contains("the error is reached"), "{html}");
    let two = "var x : bv8 entry a error e, f\na -> b { havoc x }\nb -> e { assume x == 1 }\nb -> f { assume x != x }\n";
    let (code, html) = page("two.cfa", two, &[]);
    assert!(code == 10 && html.contains("input x = 1") && html.contains("<li>f</li>"), "{html}");
}
