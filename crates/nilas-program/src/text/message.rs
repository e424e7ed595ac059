//! Words for messages: pieces of the text, and names that are near.

/// A piece of the text for a message: at most one line of it, and not too long.
#[must_use]
pub(crate) fn shorten(text: &str) -> String {
    const LONGEST: usize = 40;
    let shown: String =
        text.chars().take(LONGEST).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if text.chars().nth(LONGEST).is_some() { shown + "…" } else { shown }
}

/// The candidate that is nearest to a name, if one is near: for "did you mean".
#[must_use]
pub(crate) fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    // Bounds on the work: a file may declare very many or very long names.
    const LONGEST: usize = 64;
    const MOST: usize = 2000;
    if name.len() > LONGEST {
        return None;
    }
    let allowed = if name.chars().count() <= 2 { 1 } else { 2 };
    let scored = candidates
        .filter(|candidate| candidate.len() <= LONGEST)
        .take(MOST)
        .map(|candidate| (edit_distance(name, candidate), candidate));
    let best = scored.min_by_key(|(distance, _)| *distance)?;
    // A name of one letter is one edit away from every other.
    (best.0 <= allowed && best.0 < name.chars().count()).then_some(best.1)
}

fn edit_distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, a) in left.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, b) in right.iter().enumerate() {
            let replaced = diagonal + usize::from(a != *b);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names() {
        assert_eq!(nearest("conut", ["x", "count", "total"].into_iter()), Some("count"));
        assert_eq!(nearest("x", ["y"].into_iter()), None);
        assert_eq!(nearest("abcdef", ["uvwxyz"].into_iter()), None);
    }
}
