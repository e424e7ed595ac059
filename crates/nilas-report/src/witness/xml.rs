//! As much of XML as witnesses need: elements, attributes, text, comments and the five entities. Document types
//! are not read, so nothing is ever expanded or fetched.

/// An element.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Element {
    pub(super) name: String,
    pub(super) attributes: Vec<(String, String)>,
    pub(super) children: Vec<Element>,
    /// Its text, that of its children excluded.
    pub(super) text: String,
}

/// How deep elements may lie in each other.
const MOST_DEPTH: usize = 100;

impl Element {
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(it, _)| it == name).map(|(_, value)| value.as_str())
    }

    /// The children of a name.
    pub(super) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Element> {
        self.children.iter().filter(move |child| child.name == name)
    }
}

/// The outermost element of a text.
pub(super) fn parse(text: &str) -> Result<Element, String> {
    let mut rest = text;
    let mut open: Vec<Element> = vec![Element::default()];
    while let Some(at) = rest.find('<') {
        let before = &rest[..at];
        if let Some(element) = open.last_mut() {
            element.text.push_str(&unescaped(before)?);
        }
        rest = &rest[at..];
        if let Some(behind) = rest.strip_prefix("<!--") {
            rest = behind.split_once("-->").ok_or("a comment does not end")?.1;
        } else if let Some(behind) = rest.strip_prefix("<![CDATA[") {
            let (text, behind) = behind.split_once("]]>").ok_or("a section does not end")?;
            if let Some(element) = open.last_mut() {
                element.text.push_str(text);
            }
            rest = behind;
        } else if rest.starts_with("<!") {
            return Err("document types are not read".to_owned());
        } else if let Some(behind) = rest.strip_prefix("<?") {
            rest = behind.split_once("?>").ok_or("an instruction does not end")?.1;
        } else if let Some(behind) = rest.strip_prefix("</") {
            let (name, behind) = behind.split_once('>').ok_or("a tag does not end")?;
            let closed = open.pop().filter(|it| it.name == name.trim()).ok_or("tags do not match")?;
            open.last_mut().ok_or("tags do not match")?.children.push(closed);
            rest = behind;
        } else {
            let end = tag_end(rest).ok_or("a tag does not end")?;
            let tag = &rest[1..end];
            rest = &rest[end + 1..];
            let (tag, empty) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
            let element = start(tag)?;
            if empty {
                open.last_mut().ok_or("tags do not match")?.children.push(element);
            } else if open.len() > MOST_DEPTH {
                return Err("elements lie too deep in each other".to_owned());
            } else {
                open.push(element);
            }
        }
    }
    match (open.pop(), open.is_empty()) {
        (Some(mut all), true) if all.children.len() == 1 => Ok(all.children.remove(0)),
        _ => Err("one element expected".to_owned()),
    }
}

/// Where a tag ends; `>` may stand in the values of attributes.
fn tag_end(text: &str) -> Option<usize> {
    let mut quote = None;
    for (at, letter) in text.char_indices() {
        match (quote, letter) {
            (None, '>') => return Some(at),
            (None, '"' | '\'') => quote = Some(letter),
            (Some(open), letter) if open == letter => quote = None,
            _ => {}
        }
    }
    None
}

fn start(tag: &str) -> Result<Element, String> {
    let tag = tag.trim();
    let (name, mut rest) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
    let mut attributes = Vec::new();
    loop {
        rest = rest.trim_start();
        if rest.is_empty() {
            break;
        }
        let (name, behind) = rest.split_once('=').ok_or("an attribute without value")?;
        let behind = behind.trim_start();
        let quote =
            behind.chars().next().filter(|it| matches!(it, '"' | '\'')).ok_or("a value without quotes")?;
        let (value, behind) = behind[1..].split_once(quote).ok_or("a value does not end")?;
        attributes.push((name.trim().to_owned(), unescaped(value)?));
        rest = behind;
    }
    Ok(Element { name: name.to_owned(), attributes, ..Element::default() })
}

fn unescaped(text: &str) -> Result<String, String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('&') {
        out.push_str(before);
        let (entity, behind) = behind.split_once(';').ok_or("an entity does not end")?;
        let number = |digits: &str, radix| u32::from_str_radix(digits, radix).ok().and_then(char::from_u32);
        let letter = match entity {
            "amp" => Some('&'),
            "lt" => Some('<'),
            "gt" => Some('>'),
            "quot" => Some('"'),
            "apos" => Some('\''),
            _ => match (entity.strip_prefix("#x"), entity.strip_prefix('#')) {
                (Some(digits), _) => number(digits, 16),
                (None, Some(digits)) => number(digits, 10),
                (None, None) => None,
            },
        };
        out.push(letter.ok_or_else(|| format!("an unknown entity `{entity}`"))?);
        rest = behind;
    }
    out.push_str(rest);
    Ok(out)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn elements_attributes_and_text_are_read() {
        let text = "<?xml version=\"1.0\"?><!-- <x> --><a b='1 &gt; 0' c=\"x>y\"><d/>x &#60; y<e>z</e></a>";
        let a = parse(text).unwrap();
        assert_eq!((a.attribute("b"), a.attribute("c")), (Some("1 > 0"), Some("x>y")));
        assert_eq!(a.text, "x < y");
        assert_eq!(a.all("e").next().unwrap().text, "z");
        for wrong in ["<a>", "<a></b>", "<a b=1/>", "<!DOCTYPE a><a/>", "<a>&foo;</a>", "", "<a/><b/>"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
        assert!(parse(&"<a>".repeat(5000)).is_err());
    }
}
