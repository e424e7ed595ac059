//! The largest part of a set of formulas that is inductive (Houdini; Flanagan, Leino, FME 2001).
//!
//! Formulas belong to locations. What a step violates from states that satisfy the formulas of its source is
//! thrown out, until no step does. What is left holds whenever executions are at its location.
//!
//! Solvers are made for the purpose and go with it, with all the circuits that it took. What they may cost is
//! limited, in propagations and clauses.

use crate::bmc::Reasoning;
use crate::outcome::Unknown;
use crate::transition::{Transition, holds};
use nilas_program::{Automaton, EdgeId, LocationId};
use nilas_smt::{Answer, Budget, Interrupt, Reason, SatCore, Solver, SolverStats};
use nilas_term::{Arena, Cube, Term};

/// Conflicts that one question may take.
pub(crate) const CONFLICTS: u64 = 2_000;
/// Propagations that a clause counts for.
const PER_CLAUSE: u64 = 4;

/// What a solver has done, in propagations.
pub(crate) fn effort(stats: &SolverStats) -> u64 {
    stats.sat_solver.propagations + PER_CLAUSE * stats.clauses
}

/// The relations of edges.
pub(crate) trait Transitions {
    /// That of an edge; `None` if the edge does not matter.
    fn transition(&mut self, arena: &mut Arena, edge: EdgeId) -> Result<Option<&mut Transition>, Unknown>;
}

/// See the module's text.
pub(crate) struct Houdini {
    /// One for each edge as it is needed.
    solvers: Vec<Option<Box<dyn Solver>>>,
    /// What they reason about.
    reasoning: Reasoning,
    most: u64,
    /// Questions asked.
    pub(crate) checks: u64,
}

impl Houdini {
    /// For an automaton with so many edges. Together, the solvers may cost so much.
    pub(crate) fn new(edges: usize, most: u64) -> Self {
        Houdini::over(Reasoning::Bits(Some(SatCore::default())), edges, most)
    }

    /// The same with solvers that reason about something.
    pub(crate) fn over(reasoning: Reasoning, edges: usize, most: u64) -> Self {
        Houdini { solvers: (0..edges).map(|_| None).collect(), reasoning, most, checks: 0 }
    }

    /// The solver of an edge, which knows the edge's guard.
    pub(crate) fn solver(&mut self, arena: &Arena, transition: &Transition) -> &mut dyn Solver {
        let reasoning = self.reasoning;
        let solver = self.solvers[transition.edge.index()].get_or_insert_with(|| {
            let mut solver = reasoning.solver();
            solver.assert(arena, transition.encoding.guard);
            solver
        });
        &mut **solver
    }

    /// What it has cost.
    pub(crate) fn spent(&self) -> u64 {
        self.solvers.iter().flatten().map(|solver| effort(&solver.stats())).sum()
    }

    /// Whether all is spent that it may cost.
    pub(crate) fn is_spent(&self) -> bool {
        self.spent() > self.most
    }

    /// Throws out candidates until no edge leads from a state that satisfies those of its source, and what is
    /// `known` there (nothing anywhere, if it is empty), to one that violates one of its target. Returns
    /// whether that was reached with what may be spent. Entry and sinks must have no candidates.
    pub(crate) fn keep_inductive(
        &mut self,
        arena: &mut Arena,
        automaton: &Automaton,
        transitions: &mut dyn Transitions,
        known: &[Vec<Term>],
        candidates: &mut [Vec<Term>],
        budget: &Budget,
    ) -> Result<bool, Unknown> {
        let inner = |&id: &EdgeId| !automaton.is_sink(automaton.edge(id).target);
        let edges: Vec<EdgeId> = automaton.edge_ids().filter(inner).collect();
        let ends = |edge: EdgeId| (automaton.edge(edge).source, automaton.edge(edge).target);
        let mut changed = true;
        while changed {
            changed = false;
            for &edge in &edges {
                let Some(transition) = transitions.transition(arena, edge)? else { continue };
                loop {
                    match self.throw_out(arena, transition, ends(edge), known, candidates, budget)? {
                        None => return Ok(false),
                        Some(false) => break,
                        Some(true) => changed = true,
                    }
                    if self.is_spent() {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }

    /// One question over one edge: throws out the candidates of its target that a step violates, or for which
    /// it is too hard to tell. Returns whether there was a step; `None` if the solver contradicts itself.
    fn throw_out(
        &mut self,
        arena: &mut Arena,
        transition: &mut Transition,
        (source, target): (LocationId, LocationId),
        known: &[Vec<Term>],
        candidates: &mut [Vec<Term>],
        budget: &Budget,
    ) -> Result<Option<bool>, Unknown> {
        if candidates[target.index()].is_empty() {
            return Ok(Some(false));
        }
        let budget = Budget { conflicts: Some(CONFLICTS), ..budget.clone() };
        let mut before = candidates[source.index()].clone();
        before.extend(known.get(source.index()).into_iter().flatten());
        self.checks += 1;
        let after = Cube::new(candidates[target.index()].iter().copied());
        let conditions = transition.preconditions(arena, &after);
        let all = arena.and(&conditions);
        let violated = arena.not(all);
        if arena.as_bool(violated) == Some(false) {
            return Ok(Some(false));
        }
        let solver = self.solver(arena, transition);
        let activation = solver.activation();
        solver.assert_under(arena, activation, violated);
        let mut kept: Vec<Term> = Vec::new();
        let result = match solver.check(arena, &[activation], &before, &budget) {
            Answer::Unsat => Some(false),
            Answer::Sat => {
                for (candidate, condition) in after.iter().zip(conditions) {
                    if holds(solver, arena, condition)? {
                        kept.push(candidate);
                    }
                }
                Some(true)
            }
            Answer::Unknown(Reason::Interrupted(why)) if why != Interrupt::Conflicts => {
                return Err(Unknown::Interrupted(why));
            }
            // Too hard to tell: each by itself, and those for which that is too hard are not kept.
            Answer::Unknown(_) => {
                for (candidate, condition) in after.iter().zip(conditions) {
                    let violated = arena.not(condition);
                    let mut assumptions = before.clone();
                    assumptions.push(violated);
                    match solver.check(arena, &[], &assumptions, &budget) {
                        Answer::Unsat => kept.push(candidate),
                        Answer::Unknown(Reason::Interrupted(why)) if why != Interrupt::Conflicts => {
                            return Err(Unknown::Interrupted(why));
                        }
                        Answer::Sat | Answer::Unknown(_) => {}
                    }
                }
                if kept.len() == after.len() { Some(false) } else { Some(true) }
            }
        };
        solver.retire(activation);
        if result == Some(true) {
            // A step that violates nothing would come again for ever.
            if kept.len() == after.len() {
                return Ok(None);
            }
            candidates[target.index()] = kept;
        }
        Ok(result)
    }
}
