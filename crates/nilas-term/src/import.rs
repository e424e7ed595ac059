//! Terms from one arena in another.

use crate::arena::Arena;
use crate::op::Op;
use crate::sorting::SortError;
use crate::term::Term;
use rustc_hash::FxHashMap;

/// Copies terms from one arena to another, by name of symbols. Remembers what it has copied, so one importer
/// belongs to one pair of arenas.
#[derive(Clone, Debug, Default)]
pub struct Importer {
    memo: FxHashMap<Term, Term>,
    stack: Vec<Term>,
    arguments: Vec<Term>,
}

impl Importer {
    /// An importer that has copied nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The term of `target` that means what `term` means in `source`. Symbols are declared as needed.
    ///
    /// # Errors
    /// When a symbol is declared in `target` with another signature.
    pub fn import(&mut self, target: &mut Arena, source: &Arena, term: Term) -> Result<Term, SortError> {
        self.stack.clear();
        self.stack.push(term);
        while let Some(&top) = self.stack.last() {
            if self.memo.contains_key(&top) {
                self.stack.pop();
                continue;
            }
            let before = self.stack.len();
            self.stack.extend(source.children(top).iter().filter(|child| !self.memo.contains_key(child)));
            if self.stack.len() > before {
                continue;
            }
            self.arguments.clear();
            self.arguments.extend(source.children(top).iter().map(|child| self.memo[child]));
            let imported = match source.op(top) {
                Op::Var(symbol) => {
                    let signature = source.signature(symbol);
                    target.variable(&signature.name, &signature.result)?
                }
                Op::Const(value) => target.constant(source.value(value).clone()),
                Op::Apply(symbol) => {
                    let signature = source.signature(symbol).clone();
                    let symbol = target.declare(&signature.name, signature.arguments, signature.result)?;
                    target.mk(Op::Apply(symbol), &self.arguments)
                }
                Op::ConstArray(sort) => {
                    let sort = target.sort_id(source.sort_by_id(sort));
                    target.mk(Op::ConstArray(sort), &self.arguments)
                }
                op => target.mk(op, &self.arguments),
            };
            self.memo.insert(top, imported);
            self.stack.pop();
        }
        Ok(self.memo[&term])
    }
}
