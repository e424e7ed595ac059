//! Objects whose first values an execution chooses: those that the program declares and does not define, and
//! those that a function which is checked alone is called with. The harness has them as arrays of bytes.

use nilas_c::index::Id;
use nilas_c::tree::{Duration, Linkage, Program, VarId};
use nilas_run::choice::Made;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Objects of the C library that programs declare.
const LIBRARY: [&str; 13] = [
    "stdin", "stdout", "stderr", "errno", "environ", "signgam", "timezone", "daylight", "tzname", "optarg",
    "optind", "opterr", "optopt",
];

/// Whether the C library has an object: by its name, or because the name belongs to the implementation (C11
/// 7.1.3).
fn is_of_library(name: &str) -> bool {
    LIBRARY.contains(&name) || name.starts_with("__")
}

pub(super) struct Objects<'a> {
    tree: &'a Program,
    /// By what choices are named by: the place of the declaration and the name.
    declared: BTreeMap<(String, String), VarId>,
    /// What is stored into objects at first: offset, bytes, value.
    stores: BTreeMap<usize, Vec<(u64, u32, i128)>>,
}

impl<'a> Objects<'a> {
    pub(super) fn new(tree: &'a Program) -> Objects<'a> {
        let mut declared = BTreeMap::new();
        for (id, variable) in tree.variables.enumerate() {
            let outside = variable.duration != Duration::Automatic && !variable.defined;
            if variable.any || (outside && !is_of_library(&variable.name)) {
                let at = tree.sources.locate(variable.span);
                let place = format!("{}:{}:{}", at.file, at.line, at.column);
                declared.insert((place, variable.name.clone()), id);
            }
        }
        Objects { tree, declared, stores: BTreeMap::new() }
    }

    /// Notes what an object holds; whether there is such an object.
    pub(super) fn store(&mut self, made: &Made) -> bool {
        let key = (made.choice.place.to_string(), made.choice.name.clone());
        let Some(&object) = self.declared.get(&key) else { return false };
        let bits = made.choice.ty.bits();
        let pointer = matches!(made.choice.ty, nilas_run::choice::ChoiceType::Pointer { .. });
        if bits > 128 || !bits.is_multiple_of(8) || (pointer && made.value != 0) {
            return false;
        }
        self.stores.entry(object.index()).or_default().push((made.choice.offset, bits / 8, made.value));
        true
    }

    /// What the harness calls an object.
    pub(super) fn name(&mut self, object: VarId) -> Result<String, String> {
        let variable = &self.tree.variables[object];
        self.stores.entry(object.index()).or_default();
        match variable.linkage {
            Linkage::External => Ok(variable.name.clone()),
            // A variable of the user's; what a function is called with belongs to nobody.
            linkage if linkage == Linkage::Internal || variable.function.is_some() => {
                Err(format!("`{}` is static: a test in another file cannot set it", variable.name))
            }
            _ => Ok(format!("nilas_{}_{}", object.index(), plain_name(&variable.name))),
        }
    }

    /// Objects that the program uses and nobody defines must be there.
    pub(super) fn used(&mut self, object: VarId) {
        let variable = &self.tree.variables[object];
        let missing = variable.duration != Duration::Automatic && !variable.defined && !variable.any;
        let library = is_of_library(&variable.name);
        if missing && variable.linkage == Linkage::External && !variable.weak && !library {
            self.stores.entry(object.index()).or_default();
        }
    }

    /// Their definitions, and the statements that fill them.
    ///
    /// # Errors
    /// One of them cannot be set.
    pub(super) fn text(&mut self) -> Result<(String, String), String> {
        let (mut before, mut inside) = (String::new(), String::new());
        let stores = std::mem::take(&mut self.stores);
        for (object, stores) in &stores {
            let id = VarId::from_index(*object);
            let name = self.name(id)?;
            let variable = &self.tree.variables[id];
            let size = self.tree.types.size_of(variable.ty).unwrap_or(16).max(1);
            if variable.defined && variable.linkage == Linkage::External {
                let _ = writeln!(before, "extern unsigned char {name}[];");
            } else {
                let word = if variable.linkage == Linkage::External { "" } else { "static " };
                let _ =
                    writeln!(before, "{word}unsigned char {name}[{size}] __attribute__((__aligned__(16)));");
            }
            for (offset, bytes, value) in stores {
                for byte in 0..*bytes {
                    let part = (value >> (8 * byte)) & 0xff;
                    if part != 0 {
                        let _ = writeln!(inside, "    {name}[{}] = {part};", offset + u64::from(byte));
                    }
                }
                if *value == 0 && variable.defined {
                    let _ = writeln!(inside, "    for (i = 0; i < {bytes}; i++) {name}[{offset} + i] = 0;");
                }
            }
        }
        Ok((before, inside))
    }
}

/// A name in which only letters, digits and `_` are left.
pub(super) fn plain_name(name: &str) -> String {
    let letter = |it: char| if it.is_ascii_alphanumeric() { it } else { '_' };
    name.chars().map(letter).collect()
}
