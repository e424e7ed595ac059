//! One source text with its line starts and GNU line markers (`# 12 "foo.c" 1 3` and `#line 12 "foo.c"`).

use super::Location;

/// A line marker: the physical line *after* it is line `line` of file `name`.
#[derive(Clone, Debug)]
struct Marker {
    /// Index of the physical line that the marker stands on.
    physical: u32,
    line: u32,
    name: u32,
}

/// A source text. Lines end at `\n`; a marker without a name keeps the name before it.
#[derive(Clone, Debug)]
pub struct SourceFile {
    text: Vec<u8>,
    line_starts: Vec<u32>,
    markers: Vec<Marker>,
    /// `names[0]` is the name that the file was added with.
    names: Vec<String>,
}

impl SourceFile {
    pub(super) fn new(name: &str, text: Vec<u8>) -> SourceFile {
        let mut file = SourceFile::plain(name, text);
        file.find_markers();
        file
    }

    /// A text in which nothing is a line marker.
    #[must_use]
    pub fn plain(name: &str, text: Vec<u8>) -> SourceFile {
        let mut file =
            SourceFile { text, line_starts: vec![0], markers: Vec::new(), names: vec![name.to_owned()] };
        for (i, &byte) in file.text.iter().enumerate() {
            if byte == b'\n' {
                file.line_starts.push(u32::try_from(i + 1).unwrap_or(u32::MAX));
            }
        }
        file
    }

    fn find_markers(&mut self) {
        for physical in 0..self.line_starts.len() {
            let Some((line, name)) = parse_marker(self.line_bytes(physical)) else { continue };
            let name = match name {
                None => self.markers.last().map_or(0, |m| m.name),
                Some(name) => match self.markers.last() {
                    Some(m) if self.names[m.name as usize] == name => m.name,
                    _ => {
                        let known = self.names.iter().position(|n| *n == name);
                        let index = known.unwrap_or_else(|| {
                            self.names.push(name);
                            self.names.len() - 1
                        });
                        u32::try_from(index).unwrap_or(0)
                    }
                },
            };
            self.markers.push(Marker { physical: u32::try_from(physical).unwrap_or(u32::MAX), line, name });
        }
    }

    /// The name that the file was added with.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.names[0]
    }

    /// The last part of the name.
    #[must_use]
    pub fn base_name(&self) -> &str {
        self.name().rsplit('/').next().unwrap_or_default()
    }

    /// The whole text.
    #[must_use]
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// The bytes of a physical line (from 0), without its end.
    fn line_bytes(&self, line: usize) -> &[u8] {
        let start = self.line_starts[line] as usize;
        let end = self.line_starts.get(line + 1).map_or(self.text.len(), |&next| next as usize - 1);
        let bytes = &self.text[start.min(end)..end];
        bytes.strip_suffix(b"\r").unwrap_or(bytes)
    }

    fn physical_line(&self, offset: u32) -> usize {
        self.line_starts.partition_point(|&start| start <= offset).saturating_sub(1)
    }

    /// The line of this byte in the text itself, counted from 1, whatever line markers say.
    #[must_use]
    pub fn own_line(&self, offset: u32) -> usize {
        self.physical_line(offset) + 1
    }

    /// The lines in order, without their ends, with bytes that are not UTF-8 replaced.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        let last =
            self.line_starts.len() - usize::from(self.line_bytes(self.line_starts.len() - 1).is_empty());
        (0..last).map(|line| String::from_utf8_lossy(self.line_bytes(line)).into_owned())
    }

    /// The line that holds this byte, and where in it that is: at the start of a character.
    pub(super) fn line_at(&self, offset: u32) -> (&[u8], usize) {
        let physical = self.physical_line(offset);
        let bytes = self.line_bytes(physical);
        let mut within = ((offset - self.line_starts[physical].min(offset)) as usize).min(bytes.len());
        while within > 0 && bytes.get(within).is_some_and(|byte| byte & 0b1100_0000 == 0b1000_0000) {
            within -= 1;
        }
        (bytes, within)
    }

    /// The text of the line that holds this byte, with bytes that are not UTF-8 replaced.
    #[must_use]
    pub fn line_text(&self, offset: u32) -> String {
        String::from_utf8_lossy(self.line_bytes(self.physical_line(offset))).into_owned()
    }

    /// Where this byte is, following line markers.
    #[must_use]
    pub fn locate(&self, offset: u32) -> Location {
        let physical = self.physical_line(offset);
        let (bytes, within) = self.line_at(offset);
        let column = String::from_utf8_lossy(&bytes[..within]).chars().count() + 1;
        let after = self.markers.partition_point(|m| (m.physical as usize) < physical);
        let (name, line) = match after.checked_sub(1).map(|i| &self.markers[i]) {
            None => (0, physical + 1),
            Some(m) => {
                (m.name as usize, (m.line as usize).saturating_add(physical - m.physical as usize - 1))
            }
        };
        Location {
            file: self.names[name].clone(),
            line: u32::try_from(line).unwrap_or(u32::MAX),
            column: u32::try_from(column).unwrap_or(u32::MAX),
        }
    }
}

/// Reads `# 12 "name" flags` or `#line 12 "name"`.
fn parse_marker(line: &[u8]) -> Option<(u32, Option<String>)> {
    let line = std::str::from_utf8(line.trim_ascii_start().strip_prefix(b"#")?).ok()?.trim_start();
    let line = line.strip_prefix("line").unwrap_or(line).trim_start();
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let number = line[..digits].parse().ok()?;
    let rest = line[digits..].trim_start();
    let name = rest.strip_prefix('"').map(|quoted| {
        let mut name = String::new();
        let mut chars = quoted.chars();
        while let Some(c) = chars.next() {
            match c {
                '"' => break,
                '\\' => name.extend(chars.next()),
                _ => name.push(c),
            }
        }
        name
    });
    Some((number, name))
}

/// Whether a line that starts with `#` is a line marker.
#[must_use]
pub fn is_line_marker(line: &[u8]) -> bool {
    parse_marker(line).is_some()
}

#[cfg(test)]
mod tests {
    use super::SourceFile;

    fn place(file: &SourceFile, needle: &str) -> String {
        let text = String::from_utf8_lossy(file.text()).into_owned();
        let at = file.locate(u32::try_from(text.find(needle).expect("needle")).expect("small"));
        format!("{}:{}:{}", at.file, at.line, at.column)
    }

    #[test]
    fn markers_lead_back() {
        let text = "int a;\n# 10 \"dir/b.c\" 2\nint b;\n\n  int c;\n#line 3\nint d;\n";
        let file = SourceFile::new("a.i", text.as_bytes().to_vec());
        assert_eq!(place(&file, "a;"), "a.i:1:5");
        assert_eq!(place(&file, "b;"), "dir/b.c:10:5");
        assert_eq!(place(&file, "c;"), "dir/b.c:12:7");
        assert_eq!(place(&file, "d;"), "dir/b.c:3:5");
    }

    #[test]
    fn ends_of_text() {
        let file = SourceFile::new("e.c", b"x".to_vec());
        assert_eq!(file.locate(1).column, 2);
        assert_eq!(file.locate(1000).column, 2);
        assert_eq!(SourceFile::new("e.c", Vec::new()).locate(0).line, 1);
    }
}
