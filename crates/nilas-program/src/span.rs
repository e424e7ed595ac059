//! Places in a source text.

/// A piece of a source text: bytes `start` up to but not including `end` of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The file, as the reader of the text numbered it; 0 where there is only one.
    pub file: u32,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// A span in the only file.
    #[must_use]
    pub fn new(start: usize, end: usize) -> Self {
        let clip = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        Span { file: 0, start: clip(start), end: clip(end) }
    }
}
