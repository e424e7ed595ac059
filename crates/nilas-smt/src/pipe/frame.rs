//! Cutting a stream of bytes into s-expressions.
//!
//! A solver's output arrives in pieces that end anywhere. [`Framer`] looks at each byte once and hands
//! out one complete top-level expression at a time. It does not judge: whatever stands between blanks is
//! an expression, so that nonsense comes out as nonsense and not as silence.

/// Where the scan is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    /// Between expressions.
    Nothing,
    /// In an atom at the top.
    Atom,
    /// In a list, outside of strings and the like.
    List,
    /// In a string; a doubled quote is left and entered again, which comes to the same.
    String,
    /// Between the bars of a symbol.
    Bars,
    /// In a comment; the scan goes back to what it was within.
    Comment,
}

/// Bytes that have arrived, and how far they have been looked at.
pub(super) struct Framer {
    bytes: Vec<u8>,
    /// Start of the expression that is being read.
    start: usize,
    /// The first byte that has not been looked at.
    position: usize,
    depth: usize,
    within: Within,
}

impl Framer {
    pub(super) fn new() -> Self {
        Framer { bytes: Vec::new(), start: 0, position: 0, depth: 0, within: Within::Nothing }
    }

    /// More bytes.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// How many bytes wait for the end of their expression.
    pub(super) fn pending(&self) -> usize {
        self.bytes.len() - self.start
    }

    /// The next complete expression, without blanks around it.
    pub(super) fn next(&mut self) -> Option<String> {
        while let Some(&byte) = self.bytes.get(self.position) {
            match self.within {
                Within::Nothing => {
                    self.start = self.position;
                    match byte {
                        b' ' | b'\t' | b'\r' | b'\n' => {}
                        b'(' => (self.within, self.depth) = (Within::List, 1),
                        b'"' => self.within = Within::String,
                        b'|' => self.within = Within::Bars,
                        b';' => self.within = Within::Comment,
                        _ => self.within = Within::Atom,
                    }
                }
                Within::Atom => {
                    if matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b'(' | b')') {
                        // The byte belongs to what follows.
                        return Some(self.cut(self.position));
                    }
                }
                Within::List => match byte {
                    b'(' => self.depth += 1,
                    b')' => {
                        self.depth -= 1;
                        if self.depth == 0 {
                            return Some(self.cut(self.position + 1));
                        }
                    }
                    b'"' => self.within = Within::String,
                    b'|' => self.within = Within::Bars,
                    b';' => self.within = Within::Comment,
                    _ => {}
                },
                Within::String | Within::Bars => {
                    let end = if self.within == Within::String { b'"' } else { b'|' };
                    if byte == end {
                        if self.depth == 0 {
                            return Some(self.cut(self.position + 1));
                        }
                        self.within = Within::List;
                    }
                }
                Within::Comment => {
                    if byte == b'\n' {
                        self.within = if self.depth == 0 { Within::Nothing } else { Within::List };
                    }
                }
            }
            self.position += 1;
        }
        if self.within == Within::Nothing {
            self.bytes.clear();
            (self.start, self.position) = (0, 0);
        }
        None
    }

    fn cut(&mut self, end: usize) -> String {
        let text = String::from_utf8_lossy(&self.bytes[self.start..end]).into_owned();
        self.bytes.drain(..end);
        (self.start, self.position, self.depth, self.within) = (0, 0, 0, Within::Nothing);
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(pieces: &[&str]) -> Vec<String> {
        let mut framer = Framer::new();
        let mut found = Vec::new();
        for piece in pieces {
            framer.push(piece.as_bytes());
            while let Some(text) = framer.next() {
                found.push(text);
            }
        }
        found
    }

    #[test]
    fn expressions_are_cut_wherever_the_pieces_end() {
        let text = "sat\n((x #x0(3)) (|a ) b| \"q \"\" )\")) ; (note\nunsat (error \"no)\")\n\"s\" |t| end ";
        let wanted =
            ["sat", "((x #x0(3)) (|a ) b| \"q \"\" )\"))", "unsat", "(error \"no)\")", "\"s\"", "|t|", "end"];
        assert_eq!(all(&[text]), wanted);
        for cut in 0..text.len() {
            assert_eq!(all(&[&text[..cut], &text[cut..]]), wanted, "cut at {cut}");
        }
        let bytes: Vec<&str> = (0..text.len()).map(|at| &text[at..=at]).collect();
        assert_eq!(all(&bytes), wanted);
    }

    #[test]
    fn what_is_incomplete_waits() {
        assert_eq!(all(&["sa"]), Vec::<String>::new());
        assert_eq!(all(&["((a"]), Vec::<String>::new());
        assert_eq!(all(&["sa", "t", "\n"]), ["sat"]);
        // Nonsense is handed on as such.
        assert_eq!(all(&[") ~\n"]), [")", "~"]);
    }
}
