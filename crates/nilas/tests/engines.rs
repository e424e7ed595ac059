//! The tables of docs/engines.md are what engines declare. `NILAS_WRITE=1 cargo test -p nilas --test engines`
//! writes them anew.

#![allow(clippy::unwrap_used)]

use nilas_engine::{Registry, Role, Technique, Techniques};
use std::fmt::Write;
use std::path::Path;

const BEGIN: &str = "<!-- engines: written by crates/nilas/tests/engines.rs -->";
const END: &str = "<!-- end of engines -->";

fn tables() -> String {
    let registry = Registry::default();
    let mut text = String::from("\n\n| engine | in the portfolio | what it does |\n|---|---|---|\n");
    for entry in registry.entries() {
        let role = match entry.role {
            Role::First => "first",
            Role::Beside => "yes",
            Role::Briefly => "briefly",
            Role::Alone => "",
        };
        let _ = writeln!(text, "| `{}` | {role} | {} |", entry.engine, entry.engine.method());
    }
    text.push_str("\n| setting | values | default | what it does |\n|---|---|---|---|\n");
    for (group, setting) in registry.settings() {
        let name = if group.is_empty() { setting.key.to_owned() } else { format!("{group}.{}", setting.key) };
        let default = setting.default.map(|value| format!("`{value}`")).unwrap_or_default();
        let _ = writeln!(text, "| `{name}` | {} | {default} | {} |", setting.kind.values(), setting.help);
    }
    text.push_str("\n| technique of `ic3cfa` | default | what it does |\n|---|---|---|\n");
    let default = Techniques::default();
    for technique in Technique::ALL {
        let on = if default.contains(technique) { "on" } else { "" };
        let _ = writeln!(text, "| `{technique}` | {on} | {} |", technique.help());
    }
    text + "\n"
}

#[test]
fn the_page_says_what_there_is() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/engines.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let (head, rest) = page.split_once(BEGIN).unwrap();
    let (old, tail) = rest.split_once(END).unwrap();
    if std::env::var_os("NILAS_WRITE").is_some() {
        std::fs::write(&path, format!("{head}{BEGIN}{}{END}{tail}", tables())).unwrap();
        return;
    }
    assert!(old == tables(), "run `NILAS_WRITE=1 cargo test -p nilas --test engines`");
}
