//! Lists of task definitions: a `.set` file has a pattern of paths per line, in which `*` stands for anything
//! but `/`.

use nilas_check::Refusal;
use std::collections::BTreeSet;
use std::path::Path;

/// The definitions that a list names, sorted, with paths from the folder of the list.
pub(crate) fn named(folder: &Path, list: &str) -> Result<Vec<String>, Refusal> {
    let mut found = BTreeSet::new();
    for line in list.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let parts: Vec<&str> = line.split('/').collect();
        let before = found.len();
        matching(folder, "", &parts, &mut found);
        if found.len() == before && !line.contains('*') {
            return Err(Refusal::new(format!(
                "nilas: `{}`: no such task definition",
                folder.join(line).display()
            )));
        }
    }
    Ok(found.into_iter().collect())
}

fn matching(folder: &Path, prefix: &str, parts: &[&str], found: &mut BTreeSet<String>) {
    let Some((first, rest)) = parts.split_first() else { return };
    let join = |name: &str| if prefix.is_empty() { name.to_owned() } else { format!("{prefix}/{name}") };
    let names: Vec<String> = match first.contains('*') {
        false => vec![(*first).to_owned()],
        true => std::fs::read_dir(folder.join(prefix))
            .into_iter()
            .flatten()
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .filter(|name| fits(first, name))
            .collect(),
    };
    for name in names {
        let path = join(&name);
        if rest.is_empty() {
            if folder.join(&path).is_file() {
                found.insert(path);
            }
        } else {
            matching(folder, &path, rest, found);
        }
    }
}

/// Whether a name fits a pattern.
fn fits(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((start, rest)) => name.strip_prefix(start).is_some_and(|tail| {
            let cuts = (0..=tail.len()).filter(|&at| tail.is_char_boundary(at));
            cuts.into_iter().any(|at| fits(rest, &tail[at..]))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn stars_stand_for_anything() {
        assert!(fits("*.yml", "a.yml") && fits("a*b*.yml", "axxbyy.yml") && fits("a.yml", "a.yml"));
        assert!(!fits("*.yml", "a.yaml") && !fits("a*.yml", "b.yml"));
    }
}
