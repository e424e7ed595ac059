//! SMT-LIB text of terms.

/// A symbol as SMT-LIB writes it: with bars where it is not a simple symbol.
#[must_use]
pub fn quote_symbol(name: &str) -> String {
    let simple = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c);
    if !name.is_empty() && name.chars().all(simple) && !name.starts_with(|c: char| c.is_ascii_digit()) {
        name.to_owned()
    } else {
        format!("|{name}|")
    }
}
