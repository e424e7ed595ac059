#![allow(clippy::unwrap_used)]

use super::*;

fn read_one(text: &str) -> Result<Option<Tree<'_>>, ParseError> {
    Reader::new(text).read()
}

#[test]
fn atoms_have_kinds_texts_and_spans() {
    let text = " (a |b c| :key 12 1.50 #x2a #b01 \"x\"\"y\" ; comment )\n () ->) rest";
    let mut reader = Reader::new(text);
    let tree = reader.read().unwrap().unwrap();
    let atoms: Vec<_> = tree.root().children().map(|child| child.atom()).collect();
    assert_eq!(
        atoms,
        [
            Some((AtomKind::Symbol, "a")),
            Some((AtomKind::Quoted, "b c")),
            Some((AtomKind::Keyword, ":key")),
            Some((AtomKind::Numeral, "12")),
            Some((AtomKind::Decimal, "1.50")),
            Some((AtomKind::Hexadecimal, "2a")),
            Some((AtomKind::Binary, "01")),
            Some((AtomKind::String, "x\"\"y")),
            None,
            Some((AtomKind::Symbol, "->")),
        ]
    );
    let members: Vec<_> = tree.root().children().collect();
    assert_eq!(members[7].string().unwrap(), "x\"y");
    assert_eq!(members[1].source(), "|b c|");
    assert_eq!(members[8].children().count(), 0);
    assert_eq!(reader.read().unwrap().unwrap().root().symbol(), Some("rest"));
    assert!(reader.read().unwrap().is_none());
}

#[test]
fn mistakes_are_reported_where_they_are() {
    for (text, offset) in [
        ("(a (b)", 0),
        (" )", 1),
        ("(a |b", 3),
        ("\"x", 0),
        ("(#q)", 1),
        ("#b012", 0),
        ("#x", 0),
        ("(é)", 1),
        ("1.", 0),
        ("12ab", 0),
        (": ", 0),
        ("|a\\b|", 2),
    ] {
        let error = read_one(text).expect_err(text);
        assert_eq!(error.offset, offset, "{text}: {error}");
    }
}

#[test]
fn nesting_is_bounded_by_memory_only() {
    let depth = 200_000;
    let text = "(".repeat(depth) + &")".repeat(depth);
    let tree = read_one(&text).unwrap().unwrap();
    assert_eq!(tree.nodes.len(), depth);
    drop(tree);
    assert_eq!(read_one(&"(".repeat(depth)).expect_err("unclosed").offset, depth - 1);
}
