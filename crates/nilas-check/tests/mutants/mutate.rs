//! Ways to damage a program.

/// Numbers that follow from a seed.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % n.max(1)
    }
}

const SPLINTERS: [&str; 24] = [
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ";",
    ",",
    "*",
    "&",
    "struct",
    "int",
    "...",
    "=",
    "0x",
    "\"",
    "'",
    "99999999999",
    "sizeof",
    "-1",
    "typedef",
    "?",
    ":",
    "#",
];

fn damage(random: &mut Random, text: &mut Vec<u8>) {
    if text.is_empty() {
        return;
    }
    let at = random.below(text.len());
    let length = 1 + random.below(12.min(text.len() - at));
    match random.below(5) {
        0 => drop(text.drain(at..at + length)),
        1 => {
            let piece = text[at..at + length].to_vec();
            let to = random.below(text.len());
            text.splice(to..to, piece);
        }
        2 => text[at] = u8::try_from(random.below(256)).unwrap_or(0),
        3 => {
            let splinter = SPLINTERS[random.below(SPLINTERS.len())];
            text.splice(at..at, format!(" {splinter} ").into_bytes());
        }
        _ => {
            let to = random.below(text.len());
            text.swap(at, to);
        }
    }
}

/// Replaces a word or an operator by another one of the text: the result is often still a program.
fn exchange(random: &mut Random, text: &mut Vec<u8>) {
    let word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let sign = |byte: &u8| b"+-*/%&|^<>!=?:,".contains(byte);
    let mut tokens: Vec<(usize, usize, u8)> = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let same: &dyn Fn(&u8) -> bool = if word(&text[at]) { &word } else { &sign };
        let length = text[at..].iter().take_while(|byte| same(byte)).count();
        if length > 0 {
            let class = if text[at].is_ascii_digit() { 0 } else { u8::from(word(&text[at])) + 1 };
            tokens.push((at, length, class));
        }
        at += length.max(1);
    }
    let (to, length, class) = tokens[random.below(tokens.len())];
    let others: Vec<_> = tokens.iter().filter(|token| token.2 == class).collect();
    let (from, size, _) = *others[random.below(others.len())];
    let new = text[from..from + size].to_vec();
    text.splice(to..to + length, new);
}

/// A damaged program: the same for the same number.
pub(crate) fn mutant(original: &[u8], whole: bool, number: u64) -> Vec<u8> {
    let mut random = Random(number.wrapping_mul(7919).wrapping_add(number >> 7));
    let mut text = original.to_vec();
    for _ in 0..=random.below(4) {
        if whole && !number.is_multiple_of(4) || number.is_multiple_of(3) {
            exchange(&mut random, &mut text);
        } else {
            damage(&mut random, &mut text);
        }
    }
    text
}
