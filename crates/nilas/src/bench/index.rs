//! The index of a benchmark set: which programs there are, and what is known about them.

use super::csv::{Malformed, Record, Table};
use super::definitions;
use nilas_c::UnknownFunctions;
use nilas_check::{Definition, Refusal, read_text};
use std::collections::BTreeSet;
use std::path::Path;

/// What is known about a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expected {
    Safe,
    Unsafe,
}

impl Expected {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Expected::Safe => "safe",
            Expected::Unsafe => "unsafe",
        }
    }

    /// Reads the words of an index (`true`, `false`) and of a results file (`safe`, `unsafe`).
    pub(crate) fn parse(text: &str) -> Option<Expected> {
        match text {
            "true" | "safe" => Some(Expected::Safe),
            "false" | "unsafe" => Some(Expected::Unsafe),
            _ => None,
        }
    }
}

/// The widths of C's types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DataModel {
    Ilp32,
    Lp64,
}

/// One program of an index.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    /// The file, relative to the folder of the tasks; names the task everywhere.
    pub(crate) path: String,
    pub(crate) expected: Expected,
    pub(crate) data_model: Option<DataModel>,
    /// What is assumed of functions of which nothing is known.
    pub(crate) unknown_functions: Option<UnknownFunctions>,
    /// The set it is counted in; where the index has none, its folder.
    pub(crate) set: String,
    pub(crate) tier: String,
    /// All columns, as in the header.
    pub(crate) fields: Vec<String>,
}

/// The programs of an index, in its order. No path occurs twice.
#[derive(Debug)]
pub(crate) struct Index {
    pub(crate) header: Vec<String>,
    pub(crate) tasks: Vec<Task>,
    /// How many rows were left out, because they ask for another property or have no verdict.
    pub(crate) other_properties: usize,
}

impl Index {
    /// Reads an index: CSV, a task definition (`.yml`), or a list of patterns of these (`.set`).
    pub(crate) fn read(path: &Path) -> Result<Index, Refusal> {
        let ends_in = |end: &str| path.extension().is_some_and(|it| it == end);
        if ends_in("yml") || ends_in("yaml") {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            return Index::of_definitions(path.parent().unwrap_or(Path::new("")), &[name]);
        }
        if ends_in("set") {
            let folder = path.parent().unwrap_or(Path::new(""));
            return Index::of_definitions(folder, &definitions::named(folder, &read_text(path)?)?);
        }
        Index::parse(&read_text(path)?, &path.display().to_string())
    }

    /// The tasks of definitions. Those whose properties Nilas does not check, or whose verdict nobody knows, are
    /// left out.
    fn of_definitions(folder: &Path, names: &[String]) -> Result<Index, Refusal> {
        let header = ["path", "expected"].map(str::to_owned).to_vec();
        let (mut tasks, mut other_properties) = (Vec::new(), 0);
        for path in names {
            let definition = Definition::read(&folder.join(path))?;
            let expected = match definition.chosen() {
                Ok(Some((asked, _))) => asked.expected,
                Ok(None) | Err(_) => None,
            };
            let Some(expected) = expected else {
                other_properties += 1;
                continue;
            };
            let expected = if expected { Expected::Safe } else { Expected::Unsafe };
            let fields = vec![path.clone(), expected.word().to_owned()];
            let (set, tier) = (set_or_folder("", path), String::new());
            let (data_model, unknown_functions) = (None, None);
            let path = path.clone();
            tasks.push(Task { path, expected, data_model, unknown_functions, set, tier, fields });
        }
        Ok(Index { header, tasks, other_properties })
    }

    pub(crate) fn parse(text: &str, name: &str) -> Result<Index, Refusal> {
        let refuse = |error: Malformed| Refusal::new(format!("{name}:{error}"));
        let table = Table::parse(text, 1).map_err(refuse)?;
        Index::from_table(table).map_err(refuse)
    }

    fn from_table(table: Table) -> Result<Index, Malformed> {
        let needed = |name: &str| {
            let message = format!("the header has no column `{name}`");
            table.column(name).ok_or(Malformed { line: 1, message })
        };
        let (path, expected) = (needed("path")?, needed("expected")?);
        let optional = |name: &str| table.column(name);
        let (property, data_model) = (optional("property"), optional("data_model"));
        let unknown = optional("unknown_functions");
        let (set, tier) = (optional("set"), optional("tier"));
        let mut seen = BTreeSet::new();
        let mut tasks = Vec::new();
        let mut other_properties = 0;
        for Record { line, fields } in table.records {
            let refuse = |message: String| Malformed { line, message };
            let field =
                |column: Option<usize>| column.map(|column| fields[column].trim()).unwrap_or_default();
            // Reachability of the error is the only question Nilas answers.
            if !matches!(field(property), "" | "unreach-call") {
                other_properties += 1;
                continue;
            }
            let path = field(Some(path)).to_owned();
            if path.is_empty() {
                return Err(refuse("`path` is empty".into()));
            }
            if !seen.insert(path.clone()) {
                return Err(refuse(format!("`{path}` is listed twice")));
            }
            let text = field(Some(expected));
            let expected = Expected::parse(text)
                .ok_or_else(|| refuse(format!("`expected` is `{text}` instead of true or false")))?;
            let data_model = match field(data_model) {
                "" => None,
                "ILP32" => Some(DataModel::Ilp32),
                "LP64" => Some(DataModel::Lp64),
                other => return Err(refuse(format!("`data_model` is `{other}` instead of ILP32 or LP64"))),
            };
            let unknown_functions = match field(unknown) {
                "" => None,
                word => Some(word.parse().map_err(|why| refuse(format!("`unknown_functions`: {why}")))?),
            };
            let set = set_or_folder(field(set), &path);
            let tier = field(tier).to_owned();
            tasks.push(Task { path, expected, data_model, unknown_functions, set, tier, fields });
        }
        Ok(Index { header: table.header, tasks, other_properties })
    }
}

/// The set that a table names, or else the folder.
pub(crate) fn set_or_folder(set: &str, path: &str) -> String {
    match set {
        "" => path.rsplit_once('/').map_or("all", |(folder, _)| folder).to_owned(),
        set => set.to_owned(),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn message(text: &str) -> String {
        Index::parse(text, "i.csv").err().map(|refusal| refusal.message).unwrap()
    }

    #[test]
    fn columns_are_found_by_name() {
        let text = "set,path,licence,expected,data_model,property\ns,a/x.c,MIT,true,ILP32,unreach-call\n\
                    ,a/y.c,,false,,\nt,z.c,,false,LP64,termination\n,z.c,,safe,LP64,\n";
        let index = Index::parse(text, "i.csv").map_err(|refusal| refusal.message).unwrap();
        assert_eq!(index.other_properties, 1);
        let sets: Vec<&str> = index.tasks.iter().map(|task| &*task.set).collect();
        assert_eq!(sets, ["s", "a", "all"]);
        assert_eq!(index.tasks[0].expected, Expected::Safe);
        assert_eq!(index.tasks[1].expected, Expected::Unsafe);
        assert_eq!(index.tasks[0].data_model, Some(DataModel::Ilp32));
        assert_eq!(index.tasks[1].data_model, None);
        assert_eq!(index.tasks[2].data_model, Some(DataModel::Lp64));
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        for (text, part) in [
            ("", "i.csv:1: a header"),
            ("path,set\n", "i.csv:1: the header has no column `expected`"),
            ("path,expected\nx.c,maybe\n", "i.csv:2: `expected` is `maybe`"),
            ("path,expected\nx.c,true\nx.c,true\n", "i.csv:3: `x.c` is listed twice"),
            ("path,expected\n,true\n", "i.csv:2: `path` is empty"),
            ("path,expected,data_model\nx.c,true,ILP64\n", "i.csv:2: `data_model` is `ILP64`"),
            (
                "path,expected,unknown_functions\nx.c,true,all\n",
                "i.csv:2: `unknown_functions`: `all` is none of",
            ),
            ("path,expected\nx.c\n", "i.csv:2: 1 fields"),
        ] {
            assert!(message(text).starts_with(part), "{text:?}: {}", message(text));
        }
    }
}
