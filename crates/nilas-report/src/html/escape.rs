//! Text of the user inside of markup and scripts.

use crate::facts::shortened;
use serde_json::Value as Json;

/// Text as the content of an element or as the value of an attribute in double quotes.
pub(super) fn text(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            // What markup may not hold, and what would change the direction of the text around it.
            '\n' | '\t' => escaped.push(character),
            _ if character.is_control() || is_directional(character) => escaped.push('\u{fffd}'),
            _ => escaped.push(character),
        }
    }
    escaped
}

/// The start of a text, if it is long.
pub(super) fn brief(long: &str, longest: usize) -> String {
    text(&shortened(long, longest))
}

/// Data in an element `script`: no `<` is left that could end it.
pub(super) fn data(data: &Json) -> String {
    let escaped = |character: char| match character {
        '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => Some(format!("\\u{:04x}", u32::from(character))),
        _ if is_directional(character) => Some("\\ufffd".to_owned()),
        _ => None,
    };
    let mut out = String::new();
    // In JSON these stand inside of strings only.
    for character in data.to_string().chars() {
        match escaped(character) {
            Some(code) => out.push_str(&code),
            None => out.push(character),
        }
    }
    out
}

/// Marks that let text read otherwise than it runs.
fn is_directional(character: char) -> bool {
    matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn nothing_ends_an_element() {
        assert_eq!(text("a<b>&\"'\u{202e}\0"), "a&lt;b&gt;&amp;&quot;&#39;\u{fffd}\u{fffd}");
        let said = data(&json!({ "</script>": "<!-- & \u{2028}" }));
        assert!(!said.contains('<') && !said.contains('&'), "{said}");
        let read: Json = serde_json::from_str(&said).expect("it is JSON");
        assert_eq!(read["</script>"], "<!-- & \u{2028}");
    }
}
