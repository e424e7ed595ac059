//! A position in the text that never sees a line continuation (`\` at the end of a line).

/// Walks over bytes; every byte it shows comes after skipping line continuations.
#[derive(Clone)]
pub(super) struct Cursor<'a> {
    pub(super) text: &'a [u8],
    pos: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a [u8]) -> Cursor<'a> {
        let mut cursor = Cursor { text, pos: 0 };
        cursor.skip_splices();
        cursor
    }

    pub(super) fn pos(&self) -> usize {
        self.pos
    }

    /// The byte here, 0 at the end.
    pub(super) fn peek(&self) -> u8 {
        self.text.get(self.pos).copied().unwrap_or(0)
    }

    /// The byte `n` further on, 0 past the end.
    pub(super) fn peek_at(&self, n: usize) -> u8 {
        if n == 0 {
            return self.peek();
        }
        let mut ahead = self.clone();
        for _ in 0..n {
            ahead.bump();
        }
        ahead.peek()
    }

    pub(super) fn at_end(&self) -> bool {
        self.pos >= self.text.len()
    }

    /// Steps over one byte and returns it.
    pub(super) fn bump(&mut self) -> u8 {
        let byte = self.peek();
        if self.pos < self.text.len() {
            self.pos += 1;
            self.skip_splices();
        }
        byte
    }

    /// Steps over `text` if it is here.
    pub(super) fn eat(&mut self, text: &[u8]) -> bool {
        let mut ahead = self.clone();
        for &byte in text {
            if ahead.peek() != byte || ahead.at_end() {
                return false;
            }
            ahead.bump();
        }
        *self = ahead;
        true
    }

    fn skip_splices(&mut self) {
        loop {
            match &self.text[self.pos..] {
                [b'\\', b'\n', ..] => self.pos += 2,
                [b'\\', b'\r', b'\n', ..] => self.pos += 3,
                _ => return,
            }
        }
    }

    /// The bytes from `start` to here, without line continuations.
    pub(super) fn slice(&self, start: usize) -> Vec<u8> {
        let raw = &self.text[start..self.pos];
        if !raw.contains(&b'\\') {
            return raw.to_vec();
        }
        let mut out = Vec::with_capacity(raw.len());
        let mut inner = Cursor::new(raw);
        while !inner.at_end() {
            out.push(inner.bump());
        }
        out
    }
}
