//! Comma-separated values as RFC 4180 has them: quoted fields may hold commas, line ends and doubled quotes.
//!
//! A file starts with a header, and every record has as many fields as the header; anything else is an error
//! that names its line. Blank lines are skipped, a byte-order mark is ignored.

use std::fmt;

/// Why a text is not CSV.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Malformed {
    pub(crate) line: usize,
    pub(crate) message: String,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.line, self.message)
    }
}

/// One line of a table, or several when quoted fields hold line ends.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Record {
    /// The line where it starts, from one.
    pub(crate) line: usize,
    pub(crate) fields: Vec<String>,
}

/// A header and its records.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Table {
    pub(crate) header: Vec<String>,
    pub(crate) records: Vec<Record>,
}

impl Table {
    /// Reads a text whose first line has the number `first_line` in its file.
    pub(crate) fn parse(text: &str, first_line: usize) -> Result<Table, Malformed> {
        let mut records = records(text.strip_prefix('\u{feff}').unwrap_or(text), first_line)?.into_iter();
        let Some(Record { fields: header, .. }) = records.next() else {
            return Err(Malformed { line: first_line, message: "a header expected".into() });
        };
        let records: Vec<Record> = records.collect();
        for Record { line, fields } in &records {
            if fields.len() != header.len() {
                let message =
                    format!("{} fields, but the header names {} columns", fields.len(), header.len());
                return Err(Malformed { line: *line, message });
            }
        }
        Ok(Table { header, records })
    }

    /// The position of a column.
    pub(crate) fn column(&self, name: &str) -> Option<usize> {
        self.header.iter().position(|column| column == name)
    }
}

/// Where the reader is in a field.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Start,
    Plain,
    Quoted,
    /// After a quote inside quotes: the end of the field, or the first half of a doubled quote.
    Closing,
}

fn records(text: &str, first_line: usize) -> Result<Vec<Record>, Malformed> {
    let mut records = Vec::new();
    let (mut line, mut start) = (first_line, first_line);
    let (mut fields, mut field) = (Vec::new(), String::new());
    let mut place = Place::Start;
    let mut characters = text.chars().peekable();
    let error = |line, message: &str| Err(Malformed { line, message: message.into() });
    while let Some(character) = characters.next() {
        let line_end = character == '\n'
            || (character == '\r' && (characters.peek() == Some(&'\n')) && place != Place::Quoted);
        match (place, character) {
            (Place::Quoted, '"') => place = Place::Closing,
            (Place::Quoted, _) => {
                field.push(character);
                line += usize::from(character == '\n');
            }
            (_, _) if line_end => {
                if character == '\r' {
                    characters.next();
                }
                // A blank line is no record of one empty field.
                if place != Place::Start || !fields.is_empty() {
                    fields.push(std::mem::take(&mut field));
                    records.push(Record { line: start, fields: std::mem::take(&mut fields) });
                }
                line += 1;
                start = line;
                place = Place::Start;
            }
            (_, ',') => {
                fields.push(std::mem::take(&mut field));
                place = Place::Start;
            }
            (Place::Start, '"') => place = Place::Quoted,
            (Place::Closing, '"') => {
                field.push('"');
                place = Place::Quoted;
            }
            (Place::Closing, _) => {
                return error(line, "a comma or the end of the line expected after a quoted field");
            }
            (_, '"') => return error(line, "a quote inside a field that does not start with one"),
            (_, _) => {
                field.push(character);
                place = Place::Plain;
            }
        }
    }
    if place == Place::Quoted {
        return error(start, "a quoted field does not end");
    }
    if place != Place::Start || !fields.is_empty() {
        fields.push(field);
        records.push(Record { line: start, fields });
    }
    Ok(records)
}

/// One record with its line end, quoted where needed.
pub(crate) fn line<T: AsRef<str>>(fields: &[T]) -> String {
    let mut text = String::new();
    for (position, field) in fields.iter().map(AsRef::as_ref).enumerate() {
        if position > 0 {
            text.push(',');
        }
        if field.contains([',', '"', '\n', '\r']) || (fields.len() == 1 && field.is_empty()) {
            text.push('"');
            text.push_str(&field.replace('"', "\"\""));
            text.push('"');
        } else {
            text.push_str(field);
        }
    }
    text.push('\n');
    text
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn fields(text: &str) -> Vec<Vec<String>> {
        records(text, 1).unwrap().into_iter().map(|record| record.fields).collect()
    }

    #[test]
    fn plain_and_quoted_fields() {
        assert_eq!(fields("a,b\n1,2\n"), [["a", "b"], ["1", "2"]]);
        assert_eq!(fields("a,b\r\n1,2"), [["a", "b"], ["1", "2"]]);
        assert_eq!(fields("\"a,\"\"x\"\"\",\"two\r\nlines\"\n,\n"), [["a,\"x\"", "two\r\nlines"], ["", ""]]);
        assert_eq!(fields("\n\na\n\n"), [["a"]]);
        assert_eq!(fields("\"\"\n"), [[""]]);
        assert!(fields("").is_empty());
    }

    #[test]
    fn what_is_written_is_read_again() {
        for record in [vec!["a", "b"], vec!["", ""], vec![""], vec!["x,y", "say \"no\"", "two\nlines", "\r"]]
        {
            assert_eq!(fields(&line(&record)), [record]);
        }
    }

    #[test]
    fn errors_name_the_line() {
        let at = |text: &str| Table::parse(text, 1).unwrap_err().line;
        assert_eq!(at(""), 1);
        assert_eq!(at("a,b\n1,2\n1\n"), 3);
        assert_eq!(at("a\n\"x\ny\"\n\"z"), 4);
        assert_eq!(at("a\nx\"y\n"), 2);
        assert_eq!(at("a\n\"x\"y\n"), 2);
    }

    #[test]
    fn a_byte_order_mark_is_ignored() {
        let table = Table::parse("\u{feff}path,set\nx,y\n", 1).unwrap();
        assert_eq!(table.column("path"), Some(0));
        assert_eq!(table.records[0].line, 2);
    }
}
