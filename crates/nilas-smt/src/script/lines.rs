//! Lines and columns of byte offsets.

/// Where the lines of a text start.
pub(super) struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let after_breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        Lines { text, starts: std::iter::once(0).chain(after_breaks).collect() }
    }

    /// Line and column, both from 1; columns count characters.
    pub(super) fn position(&self, offset: usize) -> (usize, usize) {
        let offset = offset.min(self.text.len());
        let line = self.starts.partition_point(|&start| start <= offset);
        let start = self.starts[line - 1];
        // Long lines would make many errors quadratic.
        let column = match self.text.get(start..offset) {
            Some(before) if before.len() < 10_000 => before.chars().count(),
            _ => offset - start,
        };
        (line, column + 1)
    }
}
