//! Layouts and initialisers against GCC: random types with random initialisers are compiled, and the bytes
//! that GCC puts into the object file are compared with the bytes that the typed tree describes. Both data
//! models; nothing is run. Without `gcc` and `objcopy` the test says so and passes.
#![allow(clippy::print_stderr, reason = "a skipped test says so")]

use nilas_c::tree::{ExprKind, InitValue, Program, Variable};
use nilas_c::types::DataModel;
use nilas_c::{Input, Options, parse_program};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

/// A small generator of numbers; the same sequence in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
}

/// A generated type, enough of it to write initialisers.
enum Shape {
    Int,
    Array(Box<Shape>, u64),
    /// Members that take values in order: name (if any) and shape.
    Struct(Vec<(String, Shape)>),
    Union(Vec<(String, Shape)>),
    Text(u64),
}

const INTS: [(&str, u64); 10] = [
    ("char", 8),
    ("unsigned char", 8),
    ("short", 16),
    ("unsigned short", 16),
    ("int", 32),
    ("unsigned", 32),
    ("long", 32),
    ("unsigned long", 32),
    ("long long", 64),
    ("unsigned long long", 64),
];

fn attributes(random: &mut Random, text: &mut String) {
    match random.below(20) {
        0 => text.push_str(" __attribute__((packed))"),
        1 => text.push_str(" __attribute__((aligned(8)))"),
        2 => text.push_str(" __attribute__((packed, aligned(2)))"),
        _ => {}
    }
}

/// Writes a struct or union specifier and returns its shape.
fn record(random: &mut Random, text: &mut String, depth: u64, names: &mut u64) -> Shape {
    let is_union = random.chance(20);
    text.push_str(if is_union { "union {" } else { "struct {" });
    let mut members = Vec::new();
    for _ in 0..=random.below(6) {
        *names += 1;
        let name = format!("m{names}");
        let (int, bits) = INTS[usize::try_from(random.below(10)).expect("small")];
        match random.below(10) {
            0..=3 => {
                // A bit-field; now and then an unnamed one, or one that closes its unit.
                match random.below(6) {
                    0 if !is_union => write!(text, " {int} : {};", random.below(bits + 1)).expect("text"),
                    _ => {
                        write!(text, " {int} {name} : {};", 1 + random.below(bits)).expect("text");
                        members.push((name, Shape::Int));
                    }
                }
            }
            4 if depth > 0 => {
                text.push(' ');
                let inner = record(random, text, depth - 1, names);
                if random.chance(40) {
                    text.push(';');
                    members.push((String::new(), inner));
                } else {
                    write!(text, " {name};").expect("text");
                    members.push((name, inner));
                }
            }
            5 => {
                let length = 1 + random.below(4);
                write!(text, " {int} {name}[{length}];").expect("text");
                members.push((name, Shape::Array(Box::new(Shape::Int), length)));
            }
            6 => {
                let length = 1 + random.below(6);
                write!(text, " char {name}[{length}];").expect("text");
                members.push((name, Shape::Text(length)));
            }
            _ => {
                write!(text, " {int} {name}").expect("text");
                attributes(random, text);
                text.push(';');
                members.push((name, Shape::Int));
            }
        }
    }
    text.push_str(" }");
    attributes(random, text);
    if is_union { Shape::Union(members) } else { Shape::Struct(members) }
}

fn scalar(random: &mut Random) -> String {
    match random.below(5) {
        0 => "-1".to_owned(),
        1 => format!("{}", random.below(1 << 20)),
        2 => format!("-{}", random.below(300)),
        3 => format!("0x{:x}ull", random.below(1 << 31) * random.below(1 << 31)),
        _ => format!(
            "'{}' + {}",
            char::from(b'a' + u8::try_from(random.below(20)).expect("small")),
            random.below(9)
        ),
    }
}

/// Writes values for a shape; without braces the values run on.
fn values(random: &mut Random, shape: &Shape, braces: bool, text: &mut String) {
    match shape {
        Shape::Int => text.push_str(&scalar(random)),
        Shape::Text(length) if random.chance(60) || !braces => {
            // GCC takes a literal without its terminating zero.
            let letters: String = (0..random.below(length + 1)).map(|_| 'z').collect();
            write!(text, "\"{letters}\"").expect("text");
        }
        Shape::Text(length) => {
            let list: Vec<String> = (0..random.below(*length)).map(|_| scalar(random)).collect();
            write!(text, "{{ {} }}", list.join(", ")).expect("text");
        }
        Shape::Array(element, length) => {
            if braces {
                text.push_str("{ ");
            }
            let count = if braces { random.below(length + 1) } else { *length };
            for i in 0..count {
                if braces && random.chance(20) {
                    write!(text, "[{}] = ", random.below(*length)).expect("text");
                    values(random, element, true, text);
                    text.push_str(", ");
                    // A designator may have moved to the last place: stop, rather than run over the end.
                    break;
                }
                if braces && random.chance(10) {
                    let low = random.below(*length);
                    write!(text, "[{low} ... {}] = ", low + random.below(length - low)).expect("text");
                    values(random, element, true, text);
                    text.push_str(", ");
                    break;
                }
                values(random, element, braces, text);
                if braces || i + 1 < count {
                    text.push_str(", ");
                }
            }
            text.push_str(if braces { "}" } else { "" });
        }
        Shape::Struct(members) | Shape::Union(members) => {
            let is_union = matches!(shape, Shape::Union(_));
            if members.is_empty() {
                text.push_str(if braces { "{}" } else { "0" });
                return;
            }
            let first = if is_union { 1 } else { members.len() };
            if !braces {
                for (i, (_, member)) in members[..first].iter().enumerate() {
                    values(random, member, false, text);
                    text.push_str(if i + 1 < first { ", " } else { "" });
                }
                return;
            }
            text.push_str("{ ");
            if random.chance(30) {
                let chosen = &members[usize::try_from(random.below(members.len() as u64)).expect("small")];
                if !chosen.0.is_empty() {
                    write!(text, ".{} = ", chosen.0).expect("text");
                    values(random, &chosen.1, true, text);
                    text.push_str(" }");
                    return;
                }
            }
            for (_, member) in &members[..first] {
                let inner = random.chance(70);
                values(random, member, inner, text);
                text.push_str(", ");
            }
            text.push('}');
        }
    }
}

/// A file with `count` initialised objects, each in a section of its own.
fn source(random: &mut Random, count: u64) -> String {
    let mut text = String::new();
    let mut names = 0;
    for i in 0..count {
        let pack = random.chance(10);
        if pack {
            writeln!(text, "#pragma pack(push, {})", 1 << random.below(4)).expect("text");
        }
        let mut specifier = String::new();
        let shape = record(random, &mut specifier, 2, &mut names);
        let (shape, suffix) =
            if random.chance(20) { (Shape::Array(Box::new(shape), 2), "[]") } else { (shape, "") };
        let mut init = String::new();
        values(random, &shape, true, &mut init);
        if suffix == "[]" && init == "{ }" {
            init = "{ {} }".to_owned();
        }
        writeln!(text, "{specifier} x{i}{suffix} __attribute__((section(\".x{i}\"))) = {init};")
            .expect("text");
        if pack {
            text.push_str("#pragma pack(pop)\n");
        }
    }
    text
}

/// The bytes of an object as the tree describes them.
fn image(program: &Program, variable: &Variable) -> Vec<u8> {
    let size = program.types.size_of(variable.ty).expect("complete");
    let mut bytes = vec![0u8; usize::try_from(size).expect("small")];
    let init = variable.init.as_ref().expect("initialised");
    let mut put = |offset: u64, bit: u32, width: u32, value: i128| {
        for i in 0..width {
            let position = offset * 8 + u64::from(bit + i);
            let byte = &mut bytes[usize::try_from(position / 8).expect("small")];
            let mask = 1u8 << (position % 8);
            if value >> i & 1 == 1 { *byte |= mask } else { *byte &= !mask }
        }
    };
    for item in &init.items {
        match item.value {
            InitValue::Expr(expr) => {
                let ExprKind::Int(value) = program.exprs[expr].kind else {
                    panic!("not folded: {}", program.show_expr(expr));
                };
                let full =
                    u32::try_from(8 * program.types.size_of(item.ty).expect("complete")).expect("small");
                let (bit, width) = item.bits.map_or((0, full), |bits| (bits.offset, bits.width));
                put(item.offset, bit, width, value);
            }
            InitValue::String { string, units } => {
                let literal = &program.strings[string];
                let total = program.types.size_of(item.ty).expect("complete");
                for i in 0..total {
                    let unit = literal.units.get(usize::try_from(i).expect("small")).copied().unwrap_or(0);
                    put(item.offset + i, 0, 8, if i < units { i128::from(unit) } else { 0 });
                }
            }
        }
    }
    bytes
}

fn available(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

fn compare(folder: &Path, model: DataModel, flag: &str, seed: u64, count: u64) {
    let text = source(&mut Random(seed), count);
    let (c, o) = (folder.join("t.c"), folder.join("t.o"));
    std::fs::write(&c, &text).expect("a temporary folder");
    let output = Command::new("gcc")
        .args([flag, "-w", "-c", "-fno-zero-initialized-in-bss", "-o"])
        .args([&o, &c])
        .output()
        .expect("gcc");
    assert!(output.status.success(), "gcc refuses\n{text}\n{}", String::from_utf8_lossy(&output.stderr));
    let input = Input::Text { name: "t.c".to_owned(), text: text.clone().into_bytes() };
    let program = match parse_program(&input, &Options { model, ..Options::default() }) {
        Ok(program) => program,
        Err(failure) => panic!("{}", failure.render()),
    };
    let mut checks = String::new();
    for i in 0..count {
        let section = folder.join("section");
        let status = Command::new("objcopy")
            .args(["-O", "binary", "-j", &format!(".x{i}"), "--set-section-flags", &format!(".x{i}=alloc")])
            .args([&o, &section])
            .status()
            .expect("objcopy");
        assert!(status.success());
        let expected = std::fs::read(&section).expect("the section");
        let name = format!("x{i}");
        let variable = program.variables.iter().find(|v| v.name == name).expect("declared");
        let line =
            text.lines().find(|l| l.contains(&format!(" {name} ")) || l.contains(&format!(" {name}[")));
        let line = line.unwrap_or_default();
        let found = image(&program, variable);
        // The assembler may pad a section; sizes are checked on their own below.
        let shown = &expected[..found.len().min(expected.len())];
        assert_eq!(found, shown, "seed {seed} {flag}\n{line}");
        writeln!(checks, "_Static_assert(sizeof x{i} == {}, \"x{i}\");", found.len()).expect("text");
        let alignment = program.types.align_of(variable.ty);
        writeln!(checks, "_Static_assert(_Alignof(__typeof__(x{i})) == {alignment}, \"x{i}\");")
            .expect("text");
    }
    std::fs::write(&c, text + &checks).expect("a temporary folder");
    let output = Command::new("gcc").args([flag, "-w", "-fsyntax-only"]).arg(&c).output().expect("gcc");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn objects_look_as_gcc_lays_them_out() {
    if !available("gcc") || !available("objcopy") {
        eprintln!("skipped: needs gcc and objcopy");
        return;
    }
    let folder = std::env::temp_dir().join(format!("nilas-images-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    let rounds = std::env::var("NILAS_IMAGE_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(3);
    for seed in 0..rounds {
        compare(&folder, DataModel::Lp64, "-m64", seed, 40);
        compare(&folder, DataModel::Ilp32, "-m32", seed, 40);
    }
    let _ = std::fs::remove_dir_all(&folder);
}
