//! The pragmas that change the meaning of a program: `#pragma pack` as a timeline over the text, and those
//! about symbols.

/// What pragmas say about symbols.
#[derive(Clone, Debug, Default)]
pub(crate) struct SymbolPragmas {
    /// `#pragma weak a`, `#pragma weak a = b`
    pub weak: Vec<(String, Option<String>)>,
    /// `#pragma redefine_extname a b`: the symbol of `a` is `b`.
    pub renamed: Vec<(String, String)>,
}

impl SymbolPragmas {
    /// Takes note of the text of a `#pragma` line (without `#pragma`).
    pub(super) fn pragma(&mut self, text: &str) {
        let separated = text.replace('=', " = ");
        let words: Vec<&str> = separated.split_whitespace().collect();
        match words[..] {
            ["weak", name] => self.weak.push((name.to_owned(), None)),
            ["weak", name, "=", target] => self.weak.push((name.to_owned(), Some(target.to_owned()))),
            ["redefine_extname", name, symbol] => self.renamed.push((name.to_owned(), symbol.to_owned())),
            _ => {}
        }
    }
}

/// The pack limits of a text: which limit holds from which byte on.
#[derive(Clone, Debug, Default)]
pub(crate) struct PackTimeline {
    /// `(first byte, limit)`, in order of bytes.
    changes: Vec<(u32, Option<u32>)>,
    stack: Vec<Option<u32>>,
}

impl PackTimeline {
    /// The limit on member alignment that holds at this byte, if any.
    pub(crate) fn at(&self, offset: u32) -> Option<u32> {
        let after = self.changes.partition_point(|&(start, _)| start <= offset);
        after.checked_sub(1).and_then(|i| self.changes[i].1)
    }

    /// Takes note of the text of a `#pragma` line (without `#pragma`) that ends at `offset`.
    pub(super) fn pragma(&mut self, text: &str, offset: u32) {
        let Some(arguments) = text.trim().strip_prefix("pack") else { return };
        let arguments = arguments.trim();
        let Some(inner) = arguments.strip_prefix('(').and_then(|a| a.split(')').next()) else { return };
        let mut current = self.changes.last().and_then(|&(_, limit)| limit);
        if inner.trim().is_empty() {
            current = None;
        }
        for argument in inner.split(',').map(str::trim) {
            match argument {
                "push" => self.stack.push(current),
                "pop" => current = self.stack.pop().flatten(),
                _ => {
                    if let Ok(limit) = argument.parse::<u32>() {
                        current = (limit.is_power_of_two() && limit <= 16).then_some(limit);
                    }
                }
            }
        }
        self.changes.push((offset, current));
    }
}

#[cfg(test)]
mod tests {
    use super::PackTimeline;

    #[test]
    fn push_and_pop() {
        let mut timeline = PackTimeline::default();
        for (offset, text) in [(10, "pack(push, 1)"), (20, "pack(2)"), (30, "pack(pop)"), (40, "once")] {
            timeline.pragma(text, offset);
        }
        assert_eq!([5, 10, 25, 35, 50].map(|o| timeline.at(o)), [None, Some(1), Some(2), None, None]);
    }
}
