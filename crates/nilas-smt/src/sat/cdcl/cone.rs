//! The cone of a query: the variables that it is about.
//!
//! The cone is the transitive fan-in of the variables of root clauses, of the assumptions, and of the
//! clauses under the activation variables assumed. The idea is that of GipSAT, the solver of rIC3 (Su,
//! Yang, Ci, Li, Bu, Huang: *Deeply Optimizing the SAT Solver for the IC3 Algorithm*, CAV 2025). Why the
//! rest may be left alone is told in the documentation of [`super::Cdcl`].
//!
//! Members are kept on a stack: first the cone of the root clauses, which only grows; then one segment
//! for each activation variable that is assumed again and again (the levels of IC3), and more for what came
//! under it later; then what is new in this call. A call keeps the segments it shares with the call before
//! and so computes only the rest.
//!
//! Invariants: a variable is on the stack once, exactly if `inside` says so, and then its value is not
//! *outside*; the stack up to the end of any segment is closed under fan-in. Segments are changed at
//! level 0 only.

use super::super::Var;
use super::assign::{Assignment, OPEN, OUTSIDE};

/// An empty fan-in that no gate has.
const NO_GATE: (u32, u32) = (u32::MAX, u32::MAX);

/// The members that an assumed activation variable brought, or that clauses brought which came under it
/// later.
pub(super) struct Segment {
    pub(super) activation: Var,
    /// Which list of variables of its clauses is meant.
    generation: u32,
    /// How many of these variables are members by this segment and those below.
    pub(super) seeds: usize,
    /// Whether it is the first segment of its activation variable.
    is_first: bool,
    start: usize,
}

/// With more segments than this it is better to start over.
const MAX_SEGMENTS: usize = 512;

/// Gates and the cone of the present call.
#[derive(Default)]
pub(super) struct Cone {
    /// Per variable, where its fan-in lies in `inputs`.
    gates: Vec<(u32, u32)>,
    inputs: Vec<Var>,
    inside: Vec<bool>,
    members: Vec<Var>,
    /// Variables of root clauses that are not yet members.
    pending: Vec<Var>,
    segments: Vec<Segment>,
    /// Length of the stack without this call's own part.
    base: usize,
}

impl Cone {
    /// Makes room for one more variable.
    pub(super) fn new_var(&mut self) {
        self.gates.push(NO_GATE);
        self.inside.push(false);
    }

    /// The variables in the cone.
    pub(super) fn members(&self) -> &[Var] {
        &self.members
    }

    /// Whether the variable is in the cone.
    #[inline]
    pub(super) fn contains(&self, var: Var) -> bool {
        self.inside[var.0 as usize]
    }

    /// Whether a gate has this output.
    pub(super) fn is_gate(&self, var: Var) -> bool {
        self.gates[var.0 as usize] != NO_GATE
    }

    /// Declares a gate; its inputs are older than its output, which is what keeps fan-in acyclic.
    pub(super) fn declare(&mut self, output: Var, inputs: &[Var], assign: &mut Assignment) {
        let start = self.inputs.len() as u32;
        self.inputs.extend_from_slice(inputs);
        self.gates[output.0 as usize] = (start, self.inputs.len() as u32);
        if self.inside[output.0 as usize] {
            // Used before it was declared: the cone was not closed under this fan-in.
            self.leave_segments(0, assign);
            if self.inside[output.0 as usize] {
                self.pending.extend_from_slice(inputs);
            }
        }
    }

    /// A root clause mentions this variable.
    pub(super) fn add_root(&mut self, var: Var) {
        if !self.inside[var.0 as usize] || !self.segments.is_empty() {
            self.pending.push(var);
        }
    }

    /// Drops what belonged to the last call alone.
    pub(super) fn leave(&mut self, assign: &mut Assignment) {
        self.truncate(self.base, assign);
    }

    /// Brings in the root clauses added since, and drops the segments of activation variables up from the
    /// first that `keeps` rejects, given the generation of its seeds then.
    pub(super) fn enter(&mut self, assign: &mut Assignment, mut keeps: impl FnMut(Var, u32) -> bool) {
        if !self.pending.is_empty() {
            self.leave_segments(0, assign);
            let pending = std::mem::take(&mut self.pending);
            self.extend(pending, assign);
            self.base = self.members.len();
        }
        let kept = self.segments.iter().take_while(|s| keeps(s.activation, s.generation)).count();
        self.leave_segments(if kept > MAX_SEGMENTS { 0 } else { kept }, assign);
    }

    /// The segments, from the bottom.
    pub(super) fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// The first segment from this one on that is the first of its activation variable, and that variable.
    #[inline]
    pub(super) fn first_segment(&self, from: usize) -> Option<(usize, Var)> {
        let found = self.segments.get(from..)?.iter().position(|segment| segment.is_first)?;
        Some((from + found, self.segments[from + found].activation))
    }

    /// Adds a segment for an activation variable whose clauses mention `seeds`, so many of which have
    /// segments already.
    pub(super) fn enter_segment(
        &mut self,
        activation: Var,
        generation: u32,
        seeds: &[Var],
        covered: Option<usize>,
        assign: &mut Assignment,
    ) {
        let (start, is_first) = (self.members.len(), covered.is_none());
        self.segments.push(Segment { activation, generation, seeds: seeds.len(), is_first, start });
        let new = &seeds[covered.unwrap_or(0)..];
        self.extend([activation].iter().chain(new).copied(), assign);
        self.base = self.members.len();
    }

    /// Drops the segment of this activation variable and those above it.
    pub(super) fn leave_activation(&mut self, activation: Var, assign: &mut Assignment) {
        if let Some(at) = self.segments.iter().position(|s| s.activation == activation) {
            self.leave_segments(at, assign);
        }
    }

    fn leave_segments(&mut self, keep: usize, assign: &mut Assignment) {
        if let Some(segment) = self.segments.get(keep) {
            self.base = segment.start;
            self.segments.truncate(keep);
            self.truncate(self.base, assign);
        }
    }

    fn truncate(&mut self, len: usize, assign: &mut Assignment) {
        for var in self.members.drain(len..) {
            self.inside[var.0 as usize] = false;
            assign.set_unassigned(var, OUTSIDE);
        }
    }

    /// Adds variables and their fan-in.
    pub(super) fn extend(&mut self, vars: impl IntoIterator<Item = Var>, assign: &mut Assignment) {
        let mut at = self.members.len();
        for var in vars {
            self.add(var, assign);
        }
        // The members not yet looked at are the worklist.
        while let Some(&var) = self.members.get(at) {
            at += 1;
            let (start, end) = self.gates[var.0 as usize];
            for index in start..end {
                self.add(self.inputs[index as usize], assign);
            }
        }
    }

    #[inline]
    fn add(&mut self, var: Var, assign: &mut Assignment) {
        let inside = &mut self.inside[var.0 as usize];
        if !*inside {
            *inside = true;
            self.members.push(var);
            assign.set_unassigned(var, OPEN);
        }
    }
}
