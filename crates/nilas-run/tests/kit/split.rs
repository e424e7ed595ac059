//! Splits a C program of one file into two: functions and variables go to the one and the other in turn, and
//! both get all types, directives and declarations. What was `static` at file scope no longer is.
//!
//! It works on text and gives up on what it does not understand.

/// The two files.
pub(crate) fn split(text: &str) -> Option<[String; 2]> {
    let mut files = [String::new(), String::new()];
    let mut next = 0;
    for item in items(text)? {
        let (own, other) = match sort(&item)? {
            Sort::Shared => (item.clone(), item.clone()),
            Sort::Declaration => (without_static(&item), without_static(&item)),
            Sort::Function => {
                let head = without_static(item.split_once('{')?.0);
                (without_static(&item), format!("{};\n", head.trim_end()))
            }
            Sort::Variable => {
                let declared = without_static(&item);
                let place = declared.split_once('=').map_or(declared.as_str(), |(place, _)| place);
                let place = place.trim_end().trim_end_matches(';').to_owned();
                (declared, format!("extern {};\n", place.trim_start()))
            }
        };
        files[next].push_str(&own);
        files[1 - next].push_str(&other);
        if !matches!(sort(&item)?, Sort::Shared | Sort::Declaration) {
            next = 1 - next;
        }
    }
    Some(files)
}

enum Sort {
    Shared,
    Declaration,
    Function,
    Variable,
}

/// The items at file scope with their ends.
fn items(text: &str) -> Option<Vec<String>> {
    let mut items = Vec::new();
    let mut item = String::new();
    let mut depth = 0_usize;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let fresh = depth == 0 && item.trim().is_empty();
        match c {
            '#' if fresh => {
                item.push('#');
                let mut last = ' ';
                for c in chars.by_ref() {
                    item.push(c);
                    if c == '\n' && last != '\\' {
                        break;
                    }
                    last = c;
                }
                items.push(std::mem::take(&mut item));
                continue;
            }
            '/' if chars.peek() == Some(&'/') => {
                for c in chars.by_ref() {
                    if c == '\n' {
                        break;
                    }
                }
                item.push('\n');
                continue;
            }
            '/' if chars.peek() == Some(&'*') => {
                let mut last = ' ';
                chars.next();
                for c in chars.by_ref() {
                    if c == '/' && last == '*' {
                        break;
                    }
                    last = c;
                }
                item.push(' ');
                continue;
            }
            '"' | '\'' => {
                item.push(c);
                while let Some(inner) = chars.next() {
                    item.push(inner);
                    match inner {
                        '\\' => item.extend(chars.next()),
                        inner if inner == c => break,
                        _ => {}
                    }
                }
                continue;
            }
            '{' | '(' | '[' => depth += 1,
            '}' | ')' | ']' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        item.push(c);
        let ends = match c {
            ';' => true,
            '}' => is_function(&item),
            _ => false,
        };
        if depth == 0 && ends {
            item.push('\n');
            items.push(std::mem::take(&mut item));
        }
    }
    item.trim().is_empty().then_some(items)
}

fn is_function(item: &str) -> bool {
    item.split_once('{').is_some_and(|(head, _)| head.trim_end().ends_with(')') && !head.contains('='))
}

fn sort(item: &str) -> Option<Sort> {
    let text = item.trim_start();
    let starts = |words: &[&str]| words.iter().any(|word| text.starts_with(word));
    if starts(&["#", "typedef", "_Static_assert", "__extension__ typedef", ";"]) {
        return Some(Sort::Shared);
    }
    if is_function(item) {
        return Some(Sort::Function);
    }
    let (place, value) = item.split_once('=').map_or((item, ""), |(place, value)| (place, value));
    if let Some((_, behind)) = place.rsplit_once('}') {
        // A type; with a variable it is too much.
        return (behind.trim() == ";" && value.is_empty()).then_some(Sort::Shared);
    }
    if place.contains('{') {
        return starts(&["struct", "union", "enum"]).then_some(Sort::Shared);
    }
    let words = place.split_whitespace().count();
    if starts(&["struct", "union", "enum"]) && words == 2 && value.is_empty() {
        return Some(Sort::Shared);
    }
    let opening = place.find('(');
    let is_prototype =
        value.is_empty() && opening.is_some_and(|at| !place[at + 1..].trim_start().starts_with('*'));
    if starts(&["extern"]) || is_prototype {
        return Some(Sort::Declaration);
    }
    // Several variables of which one has a value.
    let mut depth = 0_usize;
    for c in item.chars().filter(|_| !value.is_empty()) {
        match c {
            '{' | '(' | '[' => depth += 1,
            '}' | ')' | ']' => depth = depth.checked_sub(1)?,
            ',' if depth == 0 => return None,
            _ => {}
        }
    }
    Some(Sort::Variable)
}

/// The item without `static` and `inline` among its first words.
fn without_static(item: &str) -> String {
    let mut rest = item.trim_start();
    loop {
        let word = ["static", "inline", "__inline__", "__inline"]
            .into_iter()
            .find(|word| rest.strip_prefix(word).is_some_and(|rest| rest.starts_with(char::is_whitespace)));
        match word {
            Some(word) => rest = rest[word.len()..].trim_start(),
            None => return rest.to_owned(),
        }
    }
}
