//! What an answer rests on, for people: what is assumed of several functions is said once.

use crate::summary::Assumption;

/// How the sentence about a function goes on behind its name, and about several.
const ONE: &str = " has no body: it ";
const SEVERAL: &str = " have no body: each ";

/// The assumptions, a sentence each.
#[must_use]
pub fn assumed(assumptions: &[Assumption]) -> Vec<String> {
    let mut told: Vec<(Vec<&str>, &str)> = Vec::new();
    for assumption in assumptions {
        let Some((name, rest)) = assumption.text.split_once(ONE) else {
            told.push((Vec::new(), &assumption.text));
            continue;
        };
        match told.iter_mut().find(|(names, other)| !names.is_empty() && *other == rest) {
            Some((names, _)) => names.push(name),
            None => told.push((vec![name], rest)),
        }
    }
    let sentence = |(names, rest): (Vec<&str>, &str)| match &names[..] {
        [] => rest.to_owned(),
        [name] => format!("{name}{ONE}{rest}"),
        [names @ .., last] => format!("{} and {last}{SEVERAL}{rest}", names.join(", ")),
    };
    told.into_iter().map(sentence).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_without_body_are_told_together() {
        let span = nilas_program::source::Span::default();
        let of = |text: &str| Assumption { kind: "unknown-function", text: text.to_owned(), span };
        let all = [
            of("`f` has no body: it returns any value"),
            of("memory"),
            of("`g` has no body: it returns any value"),
        ];
        assert_eq!(assumed(&all), ["`f` and `g` have no body: each returns any value", "memory"]);
        assert_eq!(assumed(&all[..1]), ["`f` has no body: it returns any value"]);
    }
}
