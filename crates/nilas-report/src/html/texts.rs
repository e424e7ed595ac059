//! Which lines of which files are shown: the files that occur, and of large ones the functions that matter.

use crate::source::Source;
use std::collections::BTreeSet;

/// Files up to so many lines are shown as they are.
const WHOLE: usize = 1_500;
/// Lines around one that matters and lies in no function, and before a function's body.
const AROUND: usize = 4;
/// Lines of a function that are shown; of a longer one those around what matters.
const FUNCTION: usize = 800;
/// Lines that a page has, all files together.
const MOST: usize = 8_000;

/// The files of a page, those that were named first come first.
#[derive(Default)]
pub(super) struct Texts<'a> {
    sources: Vec<&'a Source>,
    pub(super) files: Vec<File>,
}

/// A file.
pub(super) struct File {
    pub(super) name: String,
    /// Whether it is written in C.
    pub(super) is_c: bool,
    /// Numbers and lines, as far as they are known.
    text: Vec<(usize, String)>,
    /// Lines that something is told about.
    matters: BTreeSet<usize>,
    /// First and last lines of functions.
    functions: Vec<(usize, usize)>,
}

/// A part of a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece<'f> {
    Line(usize, &'f str),
    /// So many lines are left out.
    Hidden(usize),
}

impl<'a> Texts<'a> {
    pub(super) fn new(sources: Vec<&'a Source>) -> Self {
        Texts { sources, ..Texts::default() }
    }

    /// Names a line; the number of its file, if its text is known.
    pub(super) fn matters(&mut self, file: &str, line: usize) -> Option<usize> {
        let index = self.file(file)?;
        self.files[index].matters.insert(line);
        Some(index)
    }

    /// Names all files that the user wrote, up to the size that is shown as a whole.
    pub(super) fn all(&mut self) {
        let names: Vec<String> = self.sources.iter().flat_map(|source| source.files()).collect();
        for name in names {
            self.file(&name);
        }
    }

    /// The number of a file, if it is there.
    pub(super) fn find(&self, file: &str) -> Option<usize> {
        self.files.iter().position(|it| it.name == file)
    }

    fn file(&mut self, name: &str) -> Option<usize> {
        if let Some(index) = self.find(name) {
            return Some(index);
        }
        let (source, text) = self.sources.iter().find_map(|source| Some((source, source.lines(name)?)))?;
        let functions = source.function_lines(name);
        let (name, is_c) = (name.to_owned(), source.is_c());
        self.files.push(File { name, is_c, text, matters: BTreeSet::new(), functions });
        Some(self.files.len() - 1)
    }
}

impl File {
    /// What is shown of it.
    pub(super) fn pieces(&self, left: &mut usize) -> Vec<Piece<'_>> {
        let whole = self.text.len() <= WHOLE;
        let chosen = if whole { BTreeSet::new() } else { self.chosen() };
        let mut pieces = Vec::new();
        let mut hidden = 0;
        for (number, line) in &self.text {
            if *left > 0 && (whole || chosen.contains(number)) {
                if hidden > 0 {
                    pieces.push(Piece::Hidden(std::mem::take(&mut hidden)));
                }
                pieces.push(Piece::Line(*number, line));
                *left -= 1;
            } else {
                hidden += 1;
            }
        }
        if hidden > 0 {
            pieces.push(Piece::Hidden(hidden));
        }
        pieces
    }

    fn chosen(&self) -> BTreeSet<usize> {
        let mut chosen = BTreeSet::new();
        for &line in &self.matters {
            let around = line.saturating_sub(AROUND)..=line + AROUND;
            let inside = self.functions.iter().filter(|(first, last)| (*first..=*last).contains(&line));
            // The innermost.
            let function = inside.min_by_key(|(first, last)| last - first);
            match function {
                Some(&(first, last)) if last - first <= FUNCTION => {
                    chosen.extend(first.saturating_sub(2)..=last);
                }
                _ => chosen.extend(around),
            }
        }
        chosen
    }
}

/// How many lines a page has room for.
pub(super) fn room() -> usize {
    MOST
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(lines: usize, matters: &[usize], functions: &[(usize, usize)]) -> File {
        let text = (1..=lines).map(|number| (number, format!("line {number}"))).collect();
        let (matters, functions) = (matters.iter().copied().collect(), functions.to_vec());
        File { name: "a.c".into(), is_c: true, text, matters, functions }
    }

    fn shown(file: &File) -> Vec<usize> {
        let pieces = file.pieces(&mut room());
        pieces
            .iter()
            .filter_map(|it| if let Piece::Line(number, _) = it { Some(*number) } else { None })
            .collect()
    }

    #[test]
    fn large_files_are_folded() {
        assert_eq!(shown(&file(WHOLE, &[], &[])).len(), WHOLE);
        let large = file(WHOLE + 1, &[12, 1000], &[(10, 14), (5, 900), (20, 30)]);
        let lines = shown(&large);
        assert_eq!(lines, [8, 9, 10, 11, 12, 13, 14, 996, 997, 998, 999, 1000, 1001, 1002, 1003, 1004]);
        let hidden: usize = large
            .pieces(&mut room())
            .iter()
            .map(|it| if let Piece::Hidden(count) = it { *count } else { 0 })
            .sum();
        assert_eq!(hidden + lines.len(), WHOLE + 1);
        let huge = file(100_000, &[50_000], &[(10, 99_000)]);
        assert_eq!(shown(&huge).len(), 2 * AROUND + 1);
        assert_eq!(file(100, &[], &[]).pieces(&mut 3).len(), 4);
    }
}
