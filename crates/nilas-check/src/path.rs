//! The way of an execution: which branches it takes, and what it chooses between them.

use crate::challenge::{STACK, guarded};
use nilas_c::tree::{Program, StmtId};
use nilas_run::choice::ChoiceFile;
use nilas_run::{Interpreter, Made, Observer, Options, State};
use std::collections::{BTreeMap, BTreeSet};

/// Branches that are told; a longer way is told by its inputs alone.
const MOST: usize = 1000;
/// Steps of the execution.
const STEPS: u64 = 20_000_000;

/// What happens on the way.
pub(crate) enum Turn {
    /// A condition of a statement held, or not.
    Branch(StmtId, bool),
    /// Something was chosen.
    Choice(Made),
}

/// The turns of an execution with these choices, in their order. Without branches where there are too many,
/// or where the execution takes too long; with none where it cannot be repeated at all.
pub(crate) fn path(tree: &Program, choices: &str) -> Vec<Turn> {
    guarded(|| followed(tree, choices)).flatten().unwrap_or_default()
}

fn followed(tree: &Program, choices: &str) -> Option<Vec<Turn>> {
    let mut chooser = ChoiceFile::parse(choices).ok()?;
    let mut branches = Branches { told: told(tree), taken: Vec::new() };
    let options = Options { steps: STEPS, ..Options::default() };
    let execution = Interpreter::new(tree).run_observed(&options, &mut chooser, &mut branches, STACK);
    let taken = if branches.taken.len() > MOST { Vec::new() } else { branches.taken };
    let mut turns = Vec::new();
    let mut taken = taken.into_iter().peekable();
    for (number, made) in execution.choices.into_iter().enumerate() {
        while let Some((_, statement, holds)) = taken.next_if(|it| it.0 <= number) {
            turns.push(Turn::Branch(statement, holds));
        }
        turns.push(Turn::Choice(made));
    }
    turns.extend(taken.map(|(_, statement, holds)| Turn::Branch(statement, holds)));
    Some(turns)
}

/// Statements that a place names alone: several that a macro made stand at one place.
fn told(tree: &Program) -> BTreeSet<StmtId> {
    let mut by_place: BTreeMap<(String, u32, u32), Vec<StmtId>> = BTreeMap::new();
    for (id, node) in tree.stmts.enumerate() {
        use nilas_c::tree::StmtKind::{DoWhile, For, If, While};
        if !matches!(node.kind, If { .. } | While { .. } | DoWhile { .. } | For { .. }) {
            continue;
        }
        let at = tree.sources.locate(node.span);
        // Functions of the library are not the user's.
        if !at.file.starts_with("<nilas>") {
            by_place.entry((at.file, at.line, at.column)).or_default().push(id);
        }
    }
    by_place.into_values().filter(|all| all.len() == 1).flatten().collect()
}

struct Branches {
    told: BTreeSet<StmtId>,
    /// How many choices were made before, the statement, and whether its condition held.
    taken: Vec<(usize, StmtId, bool)>,
}

impl Observer for Branches {
    fn branch(&mut self, statement: StmtId, taken: bool, state: &State<'_, '_>) {
        if self.taken.len() <= MOST && self.told.contains(&statement) {
            self.taken.push((state.choices(), statement, taken));
        }
    }
}
