//! Reading witnesses, whoever wrote them; those of format 2.0 here.

use super::{Invariant, Location, Waypoint, Witness};
use yaml_rust2::{Yaml, YamlLoader};

/// What a witness of either format says.
///
/// # Errors
/// When the text is no witness.
pub fn read(text: &str) -> Result<Witness, String> {
    if text.trim_start().starts_with('<') {
        return super::graphml::read(text);
    }
    let documents = YamlLoader::load_from_str(text).map_err(|error| format!("no YAML: {error}"))?;
    let entries = documents.first().and_then(Yaml::as_vec).ok_or("no list of entries")?;
    for entry in entries {
        let content = entry["content"].as_vec();
        match (entry["entry_type"].as_str(), content) {
            (Some("invariant_set"), Some(all)) => {
                return all.iter().map(invariant).collect::<Result<_, _>>().map(Witness::Correctness);
            }
            (Some("violation_sequence"), Some(all)) => {
                let segments = all.iter().map(|it| it["segment"].as_vec().ok_or("a segment is missing"));
                let mut waypoints = Vec::new();
                for segment in segments {
                    for it in segment? {
                        waypoints.push(waypoint(&it["waypoint"])?);
                    }
                }
                return Ok(Witness::Violation(waypoints));
            }
            _ => {}
        }
    }
    Err("neither `invariant_set` nor `violation_sequence` with a content".to_owned())
}

fn text(yaml: &Yaml) -> Option<String> {
    match yaml {
        Yaml::String(text) | Yaml::Real(text) => Some(text.clone()),
        Yaml::Integer(number) => Some(number.to_string()),
        Yaml::Boolean(value) => Some(value.to_string()),
        _ => None,
    }
}

fn location(yaml: &Yaml) -> Result<Location, String> {
    let number = |yaml: &Yaml| yaml.as_i64().and_then(|number| u64::try_from(number).ok());
    Ok(Location {
        file: text(&yaml["file_name"]).unwrap_or_default(),
        line: number(&yaml["line"]).ok_or("a location without line")?,
        column: number(&yaml["column"]),
        function: text(&yaml["function"]),
    })
}

fn invariant(yaml: &Yaml) -> Result<Invariant, String> {
    let yaml = &yaml["invariant"];
    let is_loop = match yaml["type"].as_str() {
        Some("loop_invariant") => true,
        Some("location_invariant") => false,
        other => return Err(format!("an invariant of type {other:?}")),
    };
    let value = text(&yaml["value"]).ok_or("an invariant without value")?;
    Ok(Invariant { is_loop, location: location(&yaml["location"])?, value })
}

fn waypoint(yaml: &Yaml) -> Result<Waypoint, String> {
    Ok(Waypoint {
        kind: text(&yaml["type"]).ok_or("a waypoint without type")?,
        location: location(&yaml["location"])?,
        constraint: text(&yaml["constraint"]["value"]),
        avoided: yaml["action"].as_str() == Some("avoid"),
        called: None,
    })
}
