//! Reading what the user names.

use crate::exit::Exit;
use nilas_program::{Program, text};
use std::path::Path;

/// Files larger than this are refused: no automaton or script of that size is meant.
const LARGEST: u64 = 1 << 30;

/// A message for standard error, and how the process ends.
pub(crate) struct Refusal {
    pub(crate) message: String,
    pub(crate) exit: Exit,
}

impl Refusal {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Refusal { message: message.into(), exit: Exit::Refused }
    }
}

/// The bytes of a file.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Refusal> {
    let name = path.display();
    let explain = |error: &std::io::Error| Refusal::new(format!("nilas: cannot read `{name}`: {error}"));
    let metadata = std::fs::metadata(path).map_err(|error| explain(&error))?;
    if metadata.is_dir() {
        return Err(Refusal::new(format!("nilas: `{name}` is a directory; name a file in it")));
    }
    if metadata.len() > LARGEST {
        return Err(Refusal::new(format!("nilas: `{name}` is larger than 1 GiB")));
    }
    std::fs::read(path).map_err(|error| explain(&error))
}

/// The text of a file.
pub(crate) fn read_text(path: &Path) -> Result<String, Refusal> {
    String::from_utf8(read(path)?).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        Refusal::new(format!("nilas: `{}` is not UTF-8 text (at byte {offset})", path.display()))
    })
}

/// A program with its text.
pub(crate) struct Input {
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) program: Program,
}

/// Reads and checks a program.
pub(crate) fn program(path: &Path) -> Result<Input, Refusal> {
    let name = path.display().to_string();
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("cfa") => {}
        Some("c" | "i") => {
            return Err(Refusal::new(format!(
                "nilas: `{name}`: C programs cannot be read yet; give a `.cfa` file"
            )));
        }
        _ => return Err(Refusal::new(format!("nilas: `{name}`: a file that ends in `.cfa` expected"))),
    }
    let bytes = read(path)?;
    let lossy = String::from_utf8_lossy(&bytes);
    let program = text::parse_bytes(&bytes).map_err(|diagnostics| {
        let messages: Vec<String> =
            diagnostics.iter().map(|diagnostic| diagnostic.render(&name, &lossy)).collect();
        Refusal::new(messages.join("\n"))
    })?;
    Ok(Input { text: lossy.into_owned(), name, program })
}
