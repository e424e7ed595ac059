//! As much of JSON Schema as the schema in `docs/` uses. What it does not know is an error, so that nothing is
//! taken to be checked that is not.

use serde_json::Value as Json;

/// What is wrong with a value, if something is.
pub(crate) fn check(root: &Json, schema: &Json, value: &Json, at: &str) -> Result<(), String> {
    let Json::Object(rules) = schema else { return Err(format!("{at}: no schema")) };
    for (rule, said) in rules {
        match (rule.as_str(), said) {
            ("$schema" | "title" | "$defs" | "required" | "properties" | "additionalProperties", _) => {}
            ("$ref", Json::String(reference)) => {
                let path = reference.strip_prefix('#').ok_or("a reference to elsewhere")?;
                let target = root.pointer(path).ok_or_else(|| format!("no {reference}"))?;
                check(root, target, value, at)?;
            }
            ("const", said) if said == value => {}
            ("enum", Json::Array(all)) if all.contains(value) => {}
            ("type", said) => {
                let kinds = said.as_array().cloned().unwrap_or_else(|| vec![said.clone()]);
                if !kinds.iter().any(|kind| is(kind.as_str().unwrap_or_default(), value)) {
                    return Err(format!("{at}: {value} is no {said}"));
                }
            }
            ("items", said) => {
                for (number, item) in value.as_array().into_iter().flatten().enumerate() {
                    check(root, said, item, &format!("{at}[{number}]"))?;
                }
            }
            ("anyOf", Json::Array(all)) => {
                let wrong: Vec<String> =
                    all.iter().filter_map(|it| check(root, it, value, at).err()).collect();
                if wrong.len() == all.len() {
                    return Err(wrong.join("; "));
                }
            }
            ("allOf", Json::Array(all)) => {
                for it in all {
                    check(root, it, value, at)?;
                }
            }
            (rule, said) => return Err(format!("{at}: {value} is not as `{rule}: {said}` says")),
        }
    }
    let Json::Object(fields) = value else { return Ok(()) };
    for name in rules.get("required").and_then(Json::as_array).into_iter().flatten() {
        if !fields.contains_key(name.as_str().unwrap_or_default()) {
            return Err(format!("{at}: {name} is missing"));
        }
    }
    for (name, field) in fields {
        let at = format!("{at}.{name}");
        match (rules.get("properties").and_then(|all| all.get(name)), rules.get("additionalProperties")) {
            (Some(schema), _) => check(root, schema, field, &at)?,
            (None, Some(Json::Bool(false))) => return Err(format!("{at} is not in the schema")),
            (None, Some(schema)) => check(root, schema, field, &at)?,
            (None, None) => {}
        }
    }
    Ok(())
}

fn is(kind: &str, value: &Json) -> bool {
    match kind {
        "null" => value.is_null(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.is_u64() || value.is_i64(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => false,
    }
}
