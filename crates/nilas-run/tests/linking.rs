//! Programs of two files do what the same programs of one file do.
#![allow(clippy::unwrap_used)]

mod kit;
#[path = "kit/split.rs"]
mod split;

use nilas_c::Dialect;
use nilas_c::types::DataModel;
use nilas_c::{File, Input};
use nilas_run::choice::Defaults;
use nilas_run::{Interpreter, Options};
use std::path::Path;
use std::process::Command;

fn link(texts: &[String; 2], model: DataModel) -> Result<nilas_c::tree::Program, String> {
    let options = nilas_c::Options { model, ..nilas_c::Options::default() };
    let file = |(number, text): (usize, &String)| File {
        input: Input::Text { name: format!("{number}.c"), text: text.as_bytes().to_vec() },
        preprocessor: options.preprocessor.clone(),
        dialect: Dialect::default(),
    };
    let files: Vec<File> = texts.iter().enumerate().map(file).collect();
    nilas_c::parse_files(&files, &options).map_err(|failure| failure.render())
}

/// Whether gcc compiles and links the files; not, if there is no gcc.
fn gcc_links(texts: &[String; 2]) -> bool {
    let paths: Vec<_> = texts.iter().map(|_| kit::temporary("split.c")).collect();
    for (path, text) in paths.iter().zip(texts) {
        std::fs::write(path, text).unwrap();
    }
    let program = kit::temporary("split");
    let status = Command::new("gcc").arg("-w").args(&paths).arg("-lm").arg("-o").arg(&program).output();
    for path in paths.iter().chain([&program]) {
        let _ = std::fs::remove_file(path);
    }
    status.is_ok_and(|output| output.status.success())
}

fn expected(path: &Path, model: DataModel) -> String {
    let narrow = path.with_extension("out32");
    let stored =
        if model == DataModel::Ilp32 && narrow.exists() { narrow } else { path.with_extension("out") };
    String::from_utf8_lossy(&std::fs::read(stored).unwrap()).into_owned()
}

#[test]
fn split_programs_do_what_they_did() {
    let (mut done, mut wrong) = (0, Vec::new());
    for path in kit::files("programs") {
        let text = std::fs::read_to_string(&path).unwrap();
        // With one function there is nothing to link.
        let Some(files) = split::split(&text).filter(|files| files.iter().all(|file| file.contains('{')))
        else {
            continue;
        };
        let models = if text.starts_with("// lp64") { &kit::MODELS[..1] } else { &kit::MODELS };
        for &model in models {
            match link(&files, model) {
                Ok(program) => {
                    let mut output = Vec::new();
                    let execution =
                        Interpreter::new(&program).run(&Options::default(), &mut Defaults, &mut output);
                    let told = kit::told(&execution, &String::from_utf8_lossy(&output));
                    done += usize::from(model == DataModel::Lp64);
                    if told != expected(&path, model) {
                        wrong.push(format!("{} {model:?}:\n{told}", path.display()));
                    }
                }
                // What `split` made a mess of is refused by gcc, too.
                Err(why) if model == DataModel::Lp64 && gcc_links(&files) => {
                    wrong.push(format!("{}: refused\n{why}", path.display()));
                }
                Err(_) => {}
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(done >= 60, "only {done} programs could be split");
}
