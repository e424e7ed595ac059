//! Task definitions and property files of competitions: `.yml` (format 2.0 of the task definitions of
//! BenchExec, as sv-benchmarks has them) and `.prp`.
//!
//! A definition names the files of a program, its data model, and properties with the verdicts that are
//! expected. Properties are read from their text, never guessed from the name of a file. What Nilas does not
//! check is refused by its name.

use crate::answer::Standing;
use crate::input::read_text;
use crate::places::Place;
use crate::refusal::Refusal;
use crate::task::{Language, Task, ends_in};
use nilas_c::{Properties, Property};
use std::path::{Path, PathBuf};
use yaml_rust2::{Yaml, YamlLoader};

/// What a property file asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Specification {
    /// The properties; `None` for the reachability of the error.
    pub properties: Option<Properties>,
    /// Those of them that say more than is asked: a proof needs them, a violation decides nothing.
    pub stricter: Properties,
}

/// A property of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The file that says what it is.
    pub file: PathBuf,
    /// Whether it holds, if that is known.
    pub expected: Option<bool>,
}

/// A task definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// The files of the program.
    pub files: Vec<PathBuf>,
    /// What is asked about it.
    pub asked: Vec<Asked>,
    /// Pointers have 32 bits, if that is said.
    pub narrow: Option<bool>,
}

impl Definition {
    /// Reads a definition. Its paths start from its folder.
    ///
    /// # Errors
    /// When it cannot be read, or is about something else than a C program.
    pub fn read(path: &Path) -> Result<Definition, Refusal> {
        Definition::parse(&read_text(path)?, path)
    }

    fn parse(text: &str, path: &Path) -> Result<Definition, Refusal> {
        let wrong = |what: &str| Refusal::new(format!("nilas: `{}`: {what}", path.display()));
        let documents =
            YamlLoader::load_from_str(text).map_err(|error| wrong(&format!("no YAML: {error}")))?;
        let yaml = documents.first().ok_or_else(|| wrong("it is empty"))?;
        match &yaml["format_version"] {
            Yaml::String(version) | Yaml::Real(version)
                if version.starts_with("1.") || version.starts_with("2.") => {}
            _ => return Err(wrong("`format_version` is not 1.0, 2.0 or 2.1")),
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        let files: Vec<PathBuf> = match &yaml["input_files"] {
            Yaml::String(file) => vec![folder.join(file)],
            Yaml::Array(files) => {
                files.iter().filter_map(Yaml::as_str).map(|file| folder.join(file)).collect()
            }
            _ => Vec::new(),
        };
        if files.is_empty() {
            return Err(wrong("`input_files` names no file"));
        }
        let options = &yaml["options"];
        if let Some(language) = options["language"].as_str()
            && language != "C"
        {
            return Err(wrong(&format!("the language is {language}, not C")));
        }
        let narrow = match options["data_model"].as_str() {
            None => None,
            Some("ILP32") => Some(true),
            Some("LP64") => Some(false),
            Some(other) => return Err(wrong(&format!("`data_model` is `{other}` instead of ILP32 or LP64"))),
        };
        let mut asked = Vec::new();
        for property in yaml["properties"].as_vec().into_iter().flatten() {
            let file = property["property_file"]
                .as_str()
                .ok_or_else(|| wrong("a property has no `property_file`"))?;
            asked.push(Asked { file: folder.join(file), expected: property["expected_verdict"].as_bool() });
        }
        Ok(Definition { files, asked, narrow })
    }

    /// The property that is checked if none is named: reachability of the error if it is among them, else the
    /// first that can be checked. `None` if there is no property at all.
    ///
    /// # Errors
    /// None of them can be checked.
    pub fn chosen(&self) -> Result<Option<(&Asked, Specification)>, Refusal> {
        let mut first = None;
        let mut refused = None;
        for asked in &self.asked {
            match specification(&asked.file) {
                Ok(it) if it.properties.is_none() => return Ok(Some((asked, it))),
                Ok(it) => first = first.or(Some((asked, it))),
                Err(refusal) => refused = refused.or(Some(refusal)),
            }
        }
        match (first, refused) {
            (None, Some(refusal)) => Err(refusal),
            (first, _) => Ok(first),
        }
    }
}

/// Reads a property file.
///
/// # Errors
/// When it cannot be read, or asks for what Nilas does not check.
pub fn specification(path: &Path) -> Result<Specification, Refusal> {
    parse(&read_text(path)?).map_err(|why| Refusal::new(format!("nilas: `{}`: {why}", path.display())))
}

fn parse(text: &str) -> Result<Specification, String> {
    let mut all = Specification { properties: Some(Properties::NONE), stricter: Properties::NONE };
    let mut count = 0;
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//")) {
        let bare: String = line.chars().filter(|it| !it.is_whitespace()).collect();
        if bare.starts_with("COVER(") {
            return Err(format!("test coverage is not checked: {line}"));
        }
        let formula = bare.strip_prefix("CHECK(init(main()),LTL(").and_then(|it| it.strip_suffix("))"));
        let formula =
            formula.ok_or_else(|| format!("no property of a program that starts with `main`: {line}"))?;
        let of = |list: &[Property]| -> Properties { list.iter().copied().collect() };
        use Property as P;
        let asked = match formula {
            "G!call(reach_error())" | "G!call(__VERIFIER_error())" => {
                all.properties = None;
                count += 1;
                continue;
            }
            // A signed number that is shifted too far to the left overflows; one that is shifted by too much
            // does not.
            "G!overflow" => {
                all.stricter = all.stricter.union(of(&[P::Shift]));
                of(&[P::SignedOverflow, P::Shift])
            }
            "Gvalid-free" => of(&[P::BadFree, P::DoubleFree]),
            "Gvalid-deref" => of(&[P::Bounds, P::Null, P::UseAfterFree, P::StringLiteralWrite]),
            "Gvalid-memcleanup" => of(&[P::Leak]),
            "Gvalid-memtrack" => {
                all.stricter = all.stricter.union(of(&[P::Leak]));
                of(&[P::Leak])
            }
            "Gdef-behavior" => Properties::group("undefined").unwrap_or_default(),
            "Fend" => return Err("termination is not checked".to_owned()),
            "G!data-race" => return Err("data races are not checked".to_owned()),
            _ => return Err(format!("an unknown property: {line}")),
        };
        count += 1;
        all.properties = all.properties.map(|it| it.union(asked));
    }
    match (count, all.properties) {
        (0, _) => Err("it names no property".to_owned()),
        (2.., None) => Err("reachability of the error is a property by itself".to_owned()),
        _ => Ok(all),
    }
}

/// Where Nilas asks more than a property file does, a violation of that alone decides nothing: memory that is
/// never freed may still be pointed to (`valid-memtrack`), and an invalid shift need not be an overflow.
pub(crate) fn judge_no_stricter(task: &Task, places: &mut [Place]) {
    let Task::C(program) = task else { return };
    let stricter = program.language.stricter;
    let violated =
        |place: &&mut Place| stricter.contains(place.finding.property) && place.standing == Standing::Unsafe;
    for place in places.iter_mut().filter(violated) {
        place.standing = Standing::Unknown;
        let why = match place.finding.property {
            Property::Leak => {
                "memory is never freed; whether something points to it at the end is not looked at"
            }
            _ => "it is invalid; whether that is what the property file asks about is not looked at",
        };
        place.why = Some(why.to_owned());
        (place.reached, place.course) = (None, None);
    }
}

/// Whether files name a definition or a property.
pub(crate) fn is_meant(files: &[PathBuf]) -> bool {
    files.iter().any(|path| ends_in(path, &["yml", "yaml", "prp"]))
}

/// The task that files with a definition or a property among them are.
pub(crate) fn task(
    files: &[PathBuf],
    project: Option<&Path>,
    mut language: Language,
) -> Result<Task, Refusal> {
    let (properties, files): (Vec<&PathBuf>, Vec<&PathBuf>) =
        files.iter().partition(|path| ends_in(path, &["prp"]));
    let (definitions, mut files): (Vec<&PathBuf>, Vec<PathBuf>) = {
        let (definitions, files): (Vec<&PathBuf>, Vec<&PathBuf>) =
            files.into_iter().partition(|path| ends_in(path, &["yml", "yaml"]));
        (definitions, files.into_iter().cloned().collect())
    };
    let named = match properties[..] {
        [] => None,
        [path] => Some(specification(path)?),
        _ => return Err(Refusal::usage("nilas: one property file at a time")),
    };
    let asked = match definitions[..] {
        [] => named,
        [path] if files.is_empty() => {
            let definition = Definition::read(path)?;
            files.clone_from(&definition.files);
            language.narrow = language.narrow.or(definition.narrow);
            match named {
                Some(named) => Some(named),
                None => definition.chosen()?.map(|(_, it)| it),
            }
        }
        _ => return Err(Refusal::usage("nilas: a task definition names all files of its program")),
    };
    // What the command line asks for goes first.
    if let Some(asked) = asked
        && language.properties.is_none()
    {
        language.properties = asked.properties;
        language.stricter = asked.stricter;
    }
    Ok(Task::of_c_files(&files, project, language))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn properties_are_read_from_their_text() {
        let asked = |text: &str| parse(text).map(|it| it.properties.map(|all| all.iter().count()));
        assert_eq!(asked("CHECK( init(main()), LTL(G ! call(reach_error())) )\n"), Ok(None));
        assert_eq!(asked("CHECK( init(main()), LTL(G ! overflow) )"), Ok(Some(2)));
        let memory = "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n\
                      CHECK( init(main()), LTL(G valid-memtrack) )\n";
        let it = parse(memory).unwrap();
        assert!(
            it.stricter.contains(Property::Leak)
                && it.properties.is_some_and(|all| all.contains(Property::Leak))
        );
        assert_eq!(parse("CHECK( init(main()), LTL(F end) )"), Err("termination is not checked".into()));
        assert!(
            asked("COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )").unwrap_err().contains("coverage")
        );
        assert!(asked("CHECK( init(f()), LTL(G ! overflow) )").is_err());
        assert!(asked("").is_err());
    }

    #[test]
    fn definitions_name_files_and_verdicts() {
        let text = "format_version: '2.0'\ninput_files: 'a.i'\nproperties:\n  - property_file: ../p/unreach-call.prp\n    \
                    expected_verdict: false\n  - property_file: ../p/termination.prp\noptions:\n  language: C\n  \
                    data_model: ILP32\n";
        let it = Definition::parse(text, Path::new("sets/x.yml")).unwrap();
        assert_eq!(it.files, [PathBuf::from("sets/a.i")]);
        assert_eq!(it.narrow, Some(true));
        let expected: Vec<Option<bool>> = it.asked.iter().map(|it| it.expected).collect();
        assert_eq!(expected, [Some(false), None]);
        let java = text.replace("language: C", "language: Java");
        assert!(Definition::parse(&java, Path::new("x.yml")).unwrap_err().message.contains("Java"));
        assert!(Definition::parse("input_files: a.c", Path::new("x.yml")).is_err());
        assert!(Definition::parse("[", Path::new("x.yml")).is_err());
    }
}
