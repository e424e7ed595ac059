//! Deciding only what needs a justification, and stopping when nothing does.
//!
//! A query is satisfiable long before every variable of its cone has a value. Let a clause be *settled*
//! if one of its literals is true, or outside the cone. Once all constraints in force are settled (root
//! clauses, clauses under assumed activation variables), and all clauses of each gate of the cone whose
//! output has a value, the assignment extends to a model: give the open inputs any values, and let the gates
//! without value follow. The gates with a value are right whatever their open inputs become, since all
//! their clauses hold already. (This is the J-frontier of test generation and of circuit solvers such as
//! that of Kuehlmann, Ganai and Paruthi 2001.) What is left open has no value in the model: for IC3, such a
//! model is a cube of states rather than a state.
//!
//! So as long as a call has had few conflicts, what is decided is the oldest open literal of the first
//! clause that is not settled: it is nearest to the inputs, and making it true settles the clause. (Tried on
//! 10,000 queries of `examples/sat_stream.rs`, every second literal a comparison: the most active literal
//! takes a quarter more propagations, the most active variable with its saved phase more than twice as many,
//! the youngest literal three times as many.) When a call turns out to be hard, it goes on with
//! the order of activities over the whole cone, see [`super::decide`].
//!
//! A cursor goes through the clauses to be settled: those of root literals, root clauses, clauses under
//! activation variables, and at last those of the gates on the trail, which grows meanwhile. Going back
//! to a level restores the cursor to where it was when the next level was opened: what lies before it was
//! settled by literals that are still assigned.
//!
//! Atoms of a theory are gates in this sense, too: where one has a value, variables that it needs are to be
//! decided ([`Justification::add_needs`]).
//!
//! Gates outside the cone that have a value for ever need no justification: their value is implied, so the
//! model has it anyway. A stale entry among the root clauses does no harm, it merely asks for a decision.

use super::super::{Lit, Var};
use super::Cdcl;
use super::assign::{Assignment, OPEN, TRUE};

const NOTHING: u32 = u32::MAX;

/// How far the clauses are settled.
#[derive(Clone, Copy, Default)]
struct Cursor {
    root_literals: u32,
    root_clauses: u32,
    /// Segment of the cone, and clause under its activation variable.
    segment: u32,
    clause: u32,
    /// Literals of the trail behind the root literals.
    trail: u32,
}

/// What has to be settled, and how far it is.
#[derive(Default)]
pub(super) struct Justification {
    /// Per literal, where in `gates` the clauses begin that need settling if it is true.
    starts: Vec<u32>,
    /// Clauses of gates without their output: each its length and its literals, a zero behind the last. That
    /// a variable is to be decided is a clause of both of its literals.
    gates: Vec<u32>,
    /// Root clauses of two or more literals: each its length and its literals.
    roots: Vec<u32>,
    /// Root literals that root literals alone do not justify.
    root_literals: Vec<Lit>,
    cursor: Cursor,
    /// Cursors when the levels above 1 were opened.
    saved: Vec<Cursor>,
}

/// Where in a clause there is a literal that settles it.
#[inline]
fn settled_by(codes: &[u32], assign: &Assignment) -> Option<usize> {
    codes.iter().position(|&code| assign.value(Lit::from_code(code)) >= TRUE)
}

/// The literal to decide if a clause is not settled: the oldest open one.
#[inline]
fn wanted(codes: &[u32], assign: &Assignment) -> Option<Lit> {
    if settled_by(codes, assign).is_some() {
        return None;
    }
    codes.iter().map(|&code| Lit::from_code(code)).filter(|&lit| assign.value(lit) == OPEN).min()
}

impl Justification {
    /// Makes room for one more variable.
    pub(super) fn new_var(&mut self) {
        self.starts.extend([NOTHING; 2]);
    }

    /// Notes the clauses of a gate.
    pub(super) fn add_gate(&mut self, output: Var, clauses: &[&[Lit]]) {
        for lit in [output.lit(), !output.lit()] {
            let start = self.gates.len() as u32;
            // Unit and binary clauses are settled by propagation.
            for clause in clauses.iter().filter(|clause| clause.len() > 2 && clause.contains(&!lit)) {
                self.gates.push(clause.len() as u32 - 1);
                self.gates.extend(clause.iter().filter(|&&other| other != !lit).map(|other| other.code()));
            }
            if start < self.gates.len() as u32 {
                self.gates.push(0);
                self.starts[lit.code() as usize] = start;
            }
        }
    }

    /// Notes that these variables have to be decided where the output of a gate has a value.
    pub(super) fn add_needs(&mut self, output: Var, needs: impl Iterator<Item = Var>) {
        let needs: Vec<u32> = needs.flat_map(|var| [2, var.lit().code(), (!var.lit()).code()]).collect();
        if needs.is_empty() {
            return;
        }
        for lit in [output.lit(), !output.lit()] {
            let start = self.gates.len() as u32;
            let mut known = self.starts[lit.code() as usize];
            while known != NOTHING && self.gates[known as usize] > 0 {
                let end = known + 1 + self.gates[known as usize];
                self.gates.extend_from_within(known as usize..end as usize);
                known = end;
            }
            self.gates.extend_from_slice(&needs);
            self.gates.push(0);
            self.starts[lit.code() as usize] = start;
        }
    }

    /// Notes a root clause.
    pub(super) fn add_root(&mut self, clause: impl ExactSizeIterator<Item = Lit>) {
        self.roots.push(clause.len() as u32);
        self.roots.extend(clause.map(Lit::code));
    }

    /// Starts over: the level is at most 1, or clauses have moved.
    pub(super) fn restart(&mut self) {
        self.cursor = Cursor::default();
        self.saved.iter_mut().for_each(|cursor| *cursor = Cursor::default());
    }

    /// A level above 1 was opened.
    pub(super) fn open_level(&mut self) {
        self.saved.push(self.cursor);
    }

    /// The levels above `level` were taken back.
    pub(super) fn backtrack(&mut self, level: u32) {
        if level == 0 {
            self.cursor = Cursor::default();
            self.saved.clear();
        } else if let Some(&cursor) = self.saved.get(level as usize - 1) {
            self.cursor = cursor;
            self.saved.truncate(level as usize - 1);
        }
    }

    /// The literal to decide if a clause of the gate is not settled, given that `lit` is true. What settles a
    /// clause is looked at first the next time: a wide gate is false by the same input again and again.
    #[inline]
    fn wanted_by_gate(&mut self, lit: Lit, assign: &Assignment) -> Option<Lit> {
        let start = self.starts[lit.code() as usize];
        if start != NOTHING {
            let mut at = start as usize;
            while self.gates[at] > 0 {
                let end = at + 1 + self.gates[at] as usize;
                let clause = &mut self.gates[at + 1..end];
                match settled_by(clause, assign) {
                    Some(found) => clause.swap(0, found),
                    None => {
                        let wanted = wanted(clause, assign);
                        if let Some(lit) = wanted {
                            // Where it only has to have a value, it is the one it had last.
                            let any = clause[0] == clause[1] ^ 1;
                            return Some(if any { assign.preferred(lit.var()) } else { lit });
                        }
                    }
                }
                at = end;
            }
        }
        None
    }
}

impl Cdcl {
    /// Collects the root literals that need a justification: called when there are new ones, at level 0.
    pub(super) fn note_root_literals(&mut self) {
        let Cdcl { justification, assign, .. } = self;
        let mut open = std::mem::take(&mut justification.root_literals);
        open.clear();
        for &lit in &assign.trail {
            let start = justification.starts[lit.code() as usize];
            let mut at = start as usize;
            while start != NOTHING && justification.gates[at] > 0 {
                let end = at + 1 + justification.gates[at] as usize;
                let clause = &justification.gates[at + 1..end];
                if !clause.iter().any(|&code| assign.value(Lit::from_code(code)) == TRUE) {
                    open.push(lit);
                    break;
                }
                at = end;
            }
        }
        justification.root_literals = open;
    }

    /// A literal to decide so that more is justified; nothing if the assignment extends to a model.
    pub(super) fn unjustified(&mut self) -> Option<Lit> {
        let Cdcl { justification, assign, cone, acts, arena, root_done, .. } = self;
        let mut cursor = justification.cursor;
        let found = 'found: {
            while let Some(&lit) = justification.root_literals.get(cursor.root_literals as usize) {
                if cone.contains(lit.var())
                    && let Some(wanted) = justification.wanted_by_gate(lit, assign)
                {
                    break 'found Some(wanted);
                }
                cursor.root_literals += 1;
            }
            while let Some(&len) = justification.roots.get(cursor.root_clauses as usize) {
                let start = cursor.root_clauses as usize + 1;
                let end = start + len as usize;
                if let Some(wanted) = wanted(&justification.roots[start..end], assign) {
                    break 'found Some(wanted);
                }
                cursor.root_clauses = end as u32;
            }
            while let Some((segment, activation)) = cone.first_segment(cursor.segment as usize) {
                cursor.segment = segment as u32;
                let clauses = acts.clauses_under(activation);
                while let Some(&clause) = clauses.get(cursor.clause as usize) {
                    if !arena.is_garbage(clause)
                        && let Some(wanted) = wanted(arena.codes(clause), assign)
                    {
                        break 'found Some(wanted);
                    }
                    cursor.clause += 1;
                }
                cursor.segment += 1;
                cursor.clause = 0;
            }
            while let Some(&lit) = assign.trail.get(*root_done + cursor.trail as usize) {
                if !assign.is_defined(lit)
                    && let Some(wanted) = justification.wanted_by_gate(lit, assign)
                {
                    break 'found Some(wanted);
                }
                cursor.trail += 1;
            }
            None
        };
        justification.cursor = cursor;
        found
    }
}
