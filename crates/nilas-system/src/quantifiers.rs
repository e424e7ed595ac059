//! Formulas with quantifiers that may stand at their front: the formula without them.
//!
//! Universal quantifiers may stand where the formula is asserted, existential ones where it is denied; their
//! variables become fresh ones. `let`, annotations and the connectives are walked over, everything without a
//! quantifier is read as a whole. Nothing here recurses, and names in scope are kept between the parts, so
//! that neither depth nor a long chain of `let`s costs more than it has letters.

use crate::script::{Result, Script, exactly, list, symbol};
use nilas_term::smtlib::Scope;
use nilas_term::smtlib::sexpr::{Children, Sexpr};
use nilas_term::{Arena, Term};

/// What waits for the formula that is read next.
enum Frame<'a, 't> {
    /// A connective, of which some parts are read; the values of these come after the first `start`.
    Parts { connective: Connective, rest: Children<'a, 't>, positive: bool, start: usize },
    /// The end of what a `let` or a quantifier stands around.
    Leave { depth: usize },
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Connective {
    Not,
    And,
    Or,
    /// The last part follows from the others.
    Implies,
}

impl Connective {
    fn of(word: &str, parts: usize) -> Option<Self> {
        Some(match (word, parts) {
            ("not", 1) => Connective::Not,
            ("and", 1..) => Connective::And,
            ("or", 1..) => Connective::Or,
            ("=>", 2..) => Connective::Implies,
            _ => return None,
        })
    }

    fn make(self, arena: &mut Arena, mut parts: Vec<Term>) -> Term {
        match (self, &mut parts[..]) {
            (Connective::Not, &mut [part]) => arena.not(part),
            (Connective::And, parts) => arena.and(parts),
            (Connective::Implies, [premises @ .., _]) => {
                for premise in premises {
                    *premise = arena.not(*premise);
                }
                arena.or(&parts)
            }
            (_, parts) => arena.or(parts),
        }
    }
}

/// The formula without its quantifiers; `positive` tells whether it is asserted or denied.
pub(crate) fn matrix(script: &mut Script, text: Sexpr<'_, '_>, positive: bool) -> Result<Term> {
    let mut walk = Walk {
        script,
        quantifiers: places(text),
        scope: Scope::default(),
        values: Vec::new(),
        frames: Vec::new(),
    };
    walk.run(text, positive)
}

struct Walk<'s, 'a, 't> {
    script: &'s mut Script,
    /// Where quantifiers stand, in the order of the text.
    quantifiers: Vec<usize>,
    scope: Scope<'t>,
    values: Vec<Term>,
    frames: Vec<Frame<'a, 't>>,
}

impl<'a, 't> Walk<'_, 'a, 't> {
    fn run(&mut self, root: Sexpr<'a, 't>, positive: bool) -> Result<Term> {
        let mut next = Some((root, positive));
        loop {
            next = match next {
                Some((text, positive)) => self.enter(text, positive)?,
                None => match self.frames.pop() {
                    Some(frame) => self.resume(frame),
                    None => return self.values.pop().ok_or_else(|| root.error("formula expected")),
                },
            };
        }
    }

    fn is_quantified(&self, text: Sexpr<'_, '_>) -> bool {
        let span = text.span();
        let first = self.quantifiers.partition_point(|&place| place < span.start);
        self.quantifiers.get(first).is_some_and(|&place| place < span.end)
    }

    /// Starts on a formula. Returns the part to read next; `None` when the frame on top has to go on.
    fn enter(&mut self, text: Sexpr<'a, 't>, positive: bool) -> Result<Option<(Sexpr<'a, 't>, bool)>> {
        if !self.is_quantified(text) {
            let formula = self.script.formula(text, &mut self.scope)?;
            self.values.push(formula);
            return Ok(None);
        }
        let mut parts = text.children();
        let Some(head) = parts.next() else { return Err(text.error("formula expected")) };
        let word = head.word().unwrap_or_default();
        let count = parts.clone().take(3).count();
        if let Some(connective) = Connective::of(word, count) {
            let start = self.values.len();
            self.frames.push(Frame::Parts { connective, rest: parts, positive, start });
            return Ok(None);
        }
        let depth = self.scope.depth();
        let body = match (word, count) {
            ("!", 1..) => return Ok(parts.next().map(|body| (body, positive))),
            ("forall" | "exists", 2) => {
                if (word == "forall") != positive {
                    let message = format!("`{word}` stands where Horn clauses have no such quantifier");
                    return Err(head.error(message));
                }
                let [variables, body] = exactly(text, &parts.collect::<Vec<_>>())?;
                for (name, variable) in self.script.sorted_variables(variables)? {
                    self.scope.bind(name, variable);
                }
                body
            }
            ("let", 2) => {
                let [bindings, body] = exactly(text, &parts.collect::<Vec<_>>())?;
                let mut bound = Vec::new();
                for binding in list(bindings)? {
                    let members: Vec<_> = binding.children().collect();
                    let [name, value] = exactly(binding, &members)?;
                    if self.is_quantified(value) {
                        return Err(value.error("a quantifier stands in a binding of `let`"));
                    }
                    bound.push((symbol(name)?, self.script.term_in(value, &mut self.scope)?));
                }
                for (name, value) in bound {
                    self.scope.bind(name, value);
                }
                body
            }
            _ => return Err(text.error("a quantifier stands where Horn clauses have none")),
        };
        self.frames.push(Frame::Leave { depth });
        Ok(Some((body, positive)))
    }

    fn resume(&mut self, frame: Frame<'a, 't>) -> Option<(Sexpr<'a, 't>, bool)> {
        match frame {
            Frame::Leave { depth } => {
                self.scope.leave(depth);
                None
            }
            Frame::Parts { connective, mut rest, positive, start } => match rest.next() {
                Some(part) => {
                    let denied = match connective {
                        Connective::Not => true,
                        Connective::Implies => rest.clone().next().is_some(),
                        Connective::And | Connective::Or => false,
                    };
                    self.frames.push(Frame::Parts { connective, rest, positive, start });
                    Some((part, positive != denied))
                }
                None => {
                    let parts = self.values.split_off(start);
                    let made = connective.make(&mut self.script.arena, parts);
                    self.values.push(made);
                    None
                }
            },
        }
    }
}

/// Where quantifiers stand in an expression, in order, without looking at what they mean.
fn places(text: Sexpr<'_, '_>) -> Vec<usize> {
    let mut found = Vec::new();
    let mut stack = vec![text];
    while let Some(text) = stack.pop() {
        if matches!(text.word(), Some("forall" | "exists")) {
            found.push(text.offset());
        }
        stack.extend(text.children());
    }
    found.sort_unstable();
    found
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use crate::read_horn;
    use nilas_term::smtlib::print_term;

    /// Nested deeper than a stack of calls goes.
    const DEEP: usize = 100_000;

    /// The constraint of the clause that a formula makes of `P`.
    #[track_caller]
    fn constraint(formula: &str) -> String {
        let text = format!("(set-logic HORN) (declare-fun P ((_ BitVec 8)) Bool) (assert {formula})",);
        let system = read_horn(&text).unwrap_or_else(|error| panic!("{}", error.render("text", &text)));
        let [clause] = &system.clauses[..] else { panic!("{} clauses", system.clauses.len()) };
        assert!(!clause.body.is_empty(), "{formula}");
        print_term(&system.arena, clause.constraint)
    }

    #[track_caller]
    fn refused(formula: &str, message: &str) {
        let text = format!("(set-logic HORN) (declare-fun P ((_ BitVec 8)) Bool) (assert {formula})");
        assert_eq!(read_horn(&text).unwrap_err().message, message);
    }

    #[test]
    fn names_are_those_of_the_innermost_binder() {
        // Both bindings of a `let` see what is outside, and its names end with it.
        let text = "(forall ((x (_ BitVec 8))) (let ((x #x01) (y x)) (=> (and (exists ((x (_ BitVec 8))) \
                    (P x)) (= x y)) false)))";
        assert_eq!(constraint(text), "(= v!1 #x01)");
        let text = "(forall ((x (_ BitVec 8))) (=> (P x) (or (forall ((x (_ BitVec 8))) (= x #x02)) \
                    (= x #x03))))";
        assert_eq!(constraint(text), "(and (not (= v!2 #x02)) (not (= v!1 #x03)))");
    }

    #[test]
    fn quantifiers_stand_where_they_can_be_moved_from() {
        assert_eq!(constraint("(not (exists ((x (_ BitVec 8))) (and (P x) (= x #x02))))"), "(= v!1 #x02)");
        let no = "`exists` stands where Horn clauses have no such quantifier";
        refused("(exists ((x (_ BitVec 8))) (P x))", no);
        refused("(=> (P #x00) (exists ((x (_ BitVec 8))) (P x)))", no);
        let no = "`forall` stands where Horn clauses have no such quantifier";
        refused("(not (forall ((x (_ BitVec 8))) (P x)))", no);
        refused(
            "(= true (forall ((x (_ BitVec 8))) (P x)))",
            "a quantifier stands where Horn clauses have none",
        );
        let no = "a quantifier stands in a binding of `let`";
        refused("(let ((a (forall ((x (_ BitVec 8))) (P x)))) a)", no);
    }

    /// With names and without, around the quantifier and inside of it.
    #[test]
    fn depth_is_bounded_by_memory_only() {
        let lets: String =
            (0..DEEP).map(|index| format!("(let ((a{} (bvadd #x01 a{index}))) ", index + 1)).collect();
        let close = ")".repeat(DEEP);
        let inner = format!("(forall ((x (_ BitVec 8))) (=> (and (P x) (= x a{DEEP})) false))");
        // 100,001 modulo 256.
        assert_eq!(constraint(&format!("(let ((a0 #x01)) {lets}{inner}{close})")), "(= v!1 #xa1)");
        let inner = format!("(=> (and (P x) (= x a{DEEP})) false)");
        let text = format!("(forall ((x (_ BitVec 8)) (a0 (_ BitVec 8))) {lets}{inner}{close})");
        assert_eq!(constraint(&text), "(= v!1 (bvadd v!2 #xa0))");
        let binders: String = (0..DEEP).map(|index| format!("(forall ((x{index} (_ BitVec 8))) ")).collect();
        let text = format!("{binders}(=> (and (P x7) (= x7 x{})) false){close}", DEEP - 1);
        assert_eq!(constraint(&text), format!("(= v!8 v!{DEEP})"));
        let premises = "(=> (exists ((y (_ BitVec 8))) (= y x)) ".repeat(DEEP);
        let text = format!("(forall ((x (_ BitVec 8))) {premises}(=> (P x) false){close})");
        assert!(constraint(&text).contains(&format!("v!{DEEP}")));
        let annotated = format!(
            "{}(forall ((x (_ BitVec 8))) (=> (P x) false)){}",
            "(! ".repeat(DEEP),
            " :a)".repeat(DEEP)
        );
        assert_eq!(constraint(&annotated), "true");
    }
}
