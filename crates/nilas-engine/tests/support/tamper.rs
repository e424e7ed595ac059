//! Random changes of evidence texts.

use super::Rng;

/// How many changes are made: few in an ordinary run, as many as `NILAS_TAMPERED` says otherwise.
pub(crate) fn changes(usual: usize) -> usize {
    std::env::var("NILAS_TAMPERED").ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// The parentheses and atoms of a text.
fn tokens(text: &str) -> Vec<String> {
    text.replace('(', " ( ").replace(')', " ) ").split_whitespace().map(str::to_owned).collect()
}

/// The end of the atom or list that begins at a token.
fn end(tokens: &[String], start: usize) -> usize {
    let mut depth = 0;
    for (index, token) in tokens.iter().enumerate().skip(start) {
        match token.as_str() {
            "(" => depth += 1,
            ")" => depth -= 1,
            _ => {}
        }
        if depth <= 0 {
            return index + 1;
        }
    }
    tokens.len()
}

/// Atoms that may stand in each other's place.
const KINDS: [&[&str]; 4] = [
    &["=", "bvult", "bvule", "bvslt", "bvsle", "distinct"],
    &["and", "or", "=>", "xor"],
    &["bvadd", "bvsub", "bvmul", "bvand", "bvor", "bvxor"],
    &["true", "false"],
];

/// The number of an atom's kind.
fn kind(atom: &str) -> usize {
    let words = KINDS.iter().position(|words| words.contains(&atom));
    words.unwrap_or_else(|| match atom.as_bytes() {
        [b'#', ..] => KINDS.len() + atom.len(),
        [b'0'..=b'9', ..] => KINDS.len(),
        _ => KINDS.len() + 1,
    })
}

/// The lists that are members of a list of any length: they can be left out, doubled and swapped.
fn members(tokens: &[String]) -> Vec<(usize, usize)> {
    const LONG: [&str; 6] = ["and", "or", "invariant", "unwinding", "execution", "trace"];
    let mut heads: Vec<&str> = Vec::new();
    let mut found = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        match token.as_str() {
            "(" => {
                if heads.last().is_some_and(|head| LONG.contains(head)) {
                    found.push((index, end(tokens, index)));
                }
                heads.push(tokens.get(index + 1).map_or("", String::as_str));
            }
            ")" => drop(heads.pop()),
            _ => {}
        }
    }
    found
}

/// A text with one or two changes: something dropped, doubled, swapped, negated, or another atom.
pub(crate) fn tamper(rng: &mut Rng, text: &str) -> String {
    let mut tokens = tokens(text);
    for _ in 0..1 + rng.below(2) {
        let atoms: Vec<usize> =
            (2..tokens.len()).filter(|&index| !["(", ")"].contains(&&*tokens[index])).collect();
        let members = members(&tokens);
        if rng.chance(35) && !members.is_empty() {
            let (start, end) = members[rng.below(members.len())];
            let (other, until) = members[rng.below(members.len())];
            let copy = tokens[other..until].to_vec();
            match rng.below(4) {
                0 => drop(tokens.drain(start..end)),
                1 => drop(tokens.splice(start..start, copy)),
                2 => drop(tokens.splice(start..end, copy)),
                _ => {
                    let negated = [&["(".to_owned(), "not".to_owned()], &tokens[start..end]].concat();
                    tokens.splice(start..end, negated.into_iter().chain([")".to_owned()]));
                }
            }
            continue;
        }
        if atoms.is_empty() {
            break;
        }
        let atom = atoms[rng.below(atoms.len())];
        // Most of what is put in is of the same kind, so that much can still be read.
        let alike: Vec<usize> =
            atoms.iter().copied().filter(|&index| kind(&tokens[index]) == kind(&tokens[atom])).collect();
        let other =
            if rng.chance(95) { alike[rng.below(alike.len())] } else { atoms[rng.below(atoms.len())] };
        match tokens[atom].as_str() {
            word if kind(word) < KINDS.len() && rng.chance(70) => {
                let words = KINDS[kind(word)];
                tokens[atom] = words[rng.below(words.len())].to_owned();
            }
            bits if bits.starts_with("#b") && rng.chance(70) => {
                let at = 2 + rng.below(bits.len() - 2);
                let flip = |(index, bit): (usize, char)| match bit {
                    '0' if index == at => '1',
                    '1' if index == at => '0',
                    other => other,
                };
                tokens[atom] = bits.chars().enumerate().map(flip).collect();
            }
            word => match word.parse::<u64>() {
                Ok(number) if rng.chance(50) => tokens[atom] = (number + 1).to_string(),
                Ok(number) => tokens[atom] = number.saturating_sub(1).to_string(),
                Err(_) if rng.chance(50) => tokens.swap(atom, other),
                Err(_) => tokens[atom] = tokens[other].clone(),
            },
        }
    }
    tokens.join(" ")
}
