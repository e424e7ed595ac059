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

/// A text with one to three changes: something dropped, doubled, swapped, or another atom.
pub(crate) fn tamper(rng: &mut Rng, text: &str) -> String {
    let mut tokens = tokens(text);
    for _ in 0..1 + rng.below(3) {
        let parts: Vec<usize> = (1..tokens.len()).filter(|&index| tokens[index] != ")").collect();
        let atoms: Vec<usize> = parts.iter().copied().filter(|&index| tokens[index] != "(").collect();
        if atoms.is_empty() {
            break;
        }
        let part = parts[rng.below(parts.len())];
        let atom = atoms[rng.below(atoms.len())];
        // Most of what is put in is of the same kind, so that much can still be read.
        let alike: Vec<usize> =
            atoms.iter().copied().filter(|&index| kind(&tokens[index]) == kind(&tokens[atom])).collect();
        let other =
            if rng.chance(85) { alike[rng.below(alike.len())] } else { atoms[rng.below(atoms.len())] };
        match rng.below(8) {
            0 => drop(tokens.drain(part..end(&tokens, part))),
            1 => {
                let copy = tokens[part..end(&tokens, part)].to_vec();
                let place = parts[rng.below(parts.len())];
                tokens.splice(place..place, copy);
            }
            2 => tokens.swap(atom, other),
            3 => {
                let other = parts[rng.below(parts.len())];
                let copy = tokens[other..end(&tokens, other)].to_vec();
                tokens.splice(part..end(&tokens, part), copy);
            }
            4 if kind(&tokens[atom]) < KINDS.len() => {
                let words = KINDS[kind(&tokens[atom])];
                tokens[atom] = words[rng.below(words.len())].to_owned();
            }
            5 => {
                // The number one more or less, a bit of a constant, the other truth value.
                let changed = match tokens[atom].as_str() {
                    "true" => "false".to_owned(),
                    "false" => "true".to_owned(),
                    bits if bits.starts_with("#b") => {
                        let at = 2 + rng.below(bits.len() - 2);
                        let flip = |(index, bit): (usize, char)| match bit {
                            '0' if index == at => '1',
                            '1' if index == at => '0',
                            other => other,
                        };
                        bits.chars().enumerate().map(flip).collect()
                    }
                    word => match word.parse::<u64>() {
                        Ok(number) if rng.chance(50) => (number + 1).to_string(),
                        Ok(number) => number.saturating_sub(1).to_string(),
                        Err(_) => tokens[other].clone(),
                    },
                };
                tokens[atom] = changed;
            }
            6 => {
                let negated =
                    [&["(".to_owned(), "not".to_owned()], &tokens[part..end(&tokens, part)]].concat();
                let until = end(&tokens, part);
                tokens.splice(part..until, negated.into_iter().chain([")".to_owned()]));
            }
            _ => tokens[atom] = tokens[other].clone(),
        }
    }
    tokens.join(" ")
}
