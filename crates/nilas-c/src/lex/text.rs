//! Character constants and string literals: escapes are decoded, the encoding is chosen when the final kind
//! is known.

use super::cursor::Cursor;

/// The prefix of a character constant or string literal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(crate) enum Encoding {
    /// No prefix: `char`, bytes as they stand (UTF-8).
    Narrow,
    /// `u8`: `char`, UTF-8.
    Utf8,
    /// `u`: `char16_t`.
    Utf16,
    /// `U`: `char32_t`.
    Utf32,
    /// `L`: `wchar_t`.
    Wide,
}

/// One element of a literal before encoding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Piece {
    /// A character of the source or a universal character name.
    Char(char),
    /// The number of an octal, hexadecimal or simple escape, or a byte that is not UTF-8: one code unit.
    Unit(u32),
}

/// A character constant or string literal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct TextLiteral {
    /// The prefix.
    pub encoding: Encoding,
    /// The contents.
    pub pieces: Vec<Piece>,
}

/// The code units of `pieces` in an encoding, without terminating zero.
pub(crate) fn encode(pieces: &[Piece], encoding: Encoding) -> Vec<u32> {
    let mut units = Vec::with_capacity(pieces.len());
    for &piece in pieces {
        match (piece, encoding) {
            (Piece::Unit(unit), Encoding::Narrow | Encoding::Utf8) => units.push(unit & 0xff),
            (Piece::Unit(unit), Encoding::Utf16) => units.push(unit & 0xffff),
            (Piece::Unit(unit), _) => units.push(unit),
            (Piece::Char(c), Encoding::Narrow | Encoding::Utf8) => {
                let mut buffer = [0; 4];
                units.extend(c.encode_utf8(&mut buffer).bytes().map(u32::from));
            }
            (Piece::Char(c), Encoding::Utf16) => {
                let mut buffer = [0; 2];
                units.extend(c.encode_utf16(&mut buffer).iter().map(|&u| u32::from(u)));
            }
            (Piece::Char(c), Encoding::Utf32 | Encoding::Wide) => units.push(c as u32),
        }
    }
    units
}

/// Reads up to the closing `quote`; the cursor stands after the opening one. Errors leave the cursor at the
/// line end.
pub(super) fn read(cursor: &mut Cursor<'_>, quote: u8, encoding: Encoding) -> Result<TextLiteral, String> {
    let mut pieces = Vec::new();
    let mut error = None;
    loop {
        if cursor.at_end() || cursor.peek() == b'\n' {
            return Err(if quote == b'"' {
                "the string literal is not closed on its line".to_owned()
            } else {
                "the character constant is not closed on its line".to_owned()
            });
        }
        let byte = cursor.bump();
        if byte == quote {
            break;
        }
        if byte == b'\\' {
            match escape(cursor) {
                Ok(piece) => pieces.push(piece),
                Err(message) => error = error.or(Some(message)),
            }
        } else {
            pieces.push(source_char(cursor, byte));
        }
    }
    match error {
        Some(message) => Err(message),
        None => Ok(TextLiteral { encoding, pieces }),
    }
}

/// A character of the source that starts with `first`, which has been read.
fn source_char(cursor: &mut Cursor<'_>, first: u8) -> Piece {
    let length = match first {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => 1,
    };
    let mut bytes = vec![first];
    let mut ahead = cursor.clone();
    for _ in 1..length {
        bytes.push(ahead.bump());
    }
    match std::str::from_utf8(&bytes).ok().and_then(|s| s.chars().next()) {
        Some(c) => {
            *cursor = ahead;
            Piece::Char(c)
        }
        None => Piece::Unit(u32::from(first)),
    }
}

fn escape(cursor: &mut Cursor<'_>) -> Result<Piece, String> {
    let byte = cursor.bump();
    let unit = match byte {
        b'n' => 10,
        b't' => 9,
        b'r' => 13,
        b'a' => 7,
        b'b' => 8,
        b'f' => 12,
        b'v' => 11,
        b'e' | b'E' => 27,
        b'0'..=b'7' => {
            let mut value = u32::from(byte - b'0');
            for _ in 0..2 {
                if !(b'0'..=b'7').contains(&cursor.peek()) {
                    break;
                }
                value = value * 8 + u32::from(cursor.bump() - b'0');
            }
            value
        }
        b'x' => {
            if !cursor.peek().is_ascii_hexdigit() {
                return Err("`\\x` is followed by no hexadecimal digit".to_owned());
            }
            let mut value: u32 = 0;
            while let Some(digit) = char::from(cursor.peek()).to_digit(16) {
                value = value.wrapping_mul(16).wrapping_add(digit);
                cursor.bump();
            }
            value
        }
        b'u' | b'U' => {
            let mut value: u32 = 0;
            for _ in 0..if byte == b'u' { 4 } else { 8 } {
                let Some(digit) = char::from(cursor.peek()).to_digit(16) else {
                    return Err("a universal character name needs 4 or 8 hexadecimal digits".to_owned());
                };
                value = value.wrapping_mul(16).wrapping_add(digit);
                cursor.bump();
            }
            return char::from_u32(value)
                .map(Piece::Char)
                .ok_or_else(|| format!("{value:#x} is no character"));
        }
        // GCC takes an unknown escape for the character itself; `\\`, `\'`, `\"` and `\?` are the same rule.
        0x20..=0x7e => u32::from(byte),
        _ => return Ok(source_char(cursor, byte)),
    };
    Ok(Piece::Unit(unit))
}
