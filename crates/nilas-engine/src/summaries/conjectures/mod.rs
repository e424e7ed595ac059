//! Conjectures: what procedures do at most, guessed from what they do.
//!
//! Most procedures are functions of the values that they are entered with. So what an evaluation finds for
//! some values ([`table`]) is all that happens for these, and closed forms of many such points ([`fit`]) are
//! what happens for all on a line. Both become lemmas only after the solver has shown that they are inductive:
//! a group of candidates holds if each one follows from the others, and from lemmas that always hold, over
//! every rule (as in Houdini). So a wrong guess costs time and nothing else.
//!
//! Closed forms are looked for at the beginning, from small values. Points are evaluated for values that an
//! obligation asks about: IC3 alone would learn one value that is not the result after the other.

mod fit;
mod shape;
mod table;

pub(super) use shape::Shape;
use table::{Key, Tables};

use super::instance::Search;
use super::rules::PlaceId;
use super::solver::Taken;
use crate::outcome::Unknown;
use crate::pdr::Level;
use nilas_smt::{Answer, Budget, Embedded, Interrupt, Reason, Solver};
use nilas_term::{Cube, Sort, Term};
use std::collections::BTreeSet;

/// Steps of all evaluations at the beginning, and of one that an obligation asks for.
const FIRST_STEPS: usize = 20_000;
const STEPS: usize = 40_000;
/// Evaluations at the beginning that may fail, by procedure.
const FAILURES: usize = 6;
/// Obligations that are looked at, and points that become candidates.
const OBLIGATIONS: usize = 400;
const POINTS: usize = 1_000;
/// Conflicts of a question.
const CONFLICTS: u64 = 4_000;

pub(super) struct Conjectures {
    shape: Shape,
    tables: Tables,
    /// By procedure: how many closed forms were tried.
    tried: Vec<usize>,
    /// Points that were tried.
    told: BTreeSet<(usize, Key)>,
    obligations: usize,
}

/// A cube that is perhaps never derivable.
#[derive(Clone)]
struct Candidate {
    place: PlaceId,
    cube: Cube,
    clause: Term,
}

impl Conjectures {
    pub(super) fn new(shape: Shape) -> Self {
        let procedures = shape.exits.len();
        let tables = Tables::new(procedures);
        let told = BTreeSet::new();
        Conjectures { shape, tables, tried: vec![0; procedures], told, obligations: 0 }
    }
}

impl Search<'_, '_> {
    /// Evaluates procedures for small values and tries closed forms.
    pub(super) fn conjecture(&mut self) -> Result<(), Unknown> {
        let Some(mut conjectures) = self.instance.conjectures.take() else { return Ok(()) };
        let mut steps = FIRST_STEPS;
        for procedure in 0..conjectures.shape.exits.len() {
            let control = conjectures.shape.control_of(procedure);
            let is_plain = |it: &Term| matches!(self.arena.sort(*it), Sort::BitVec(_) | Sort::Bool);
            if conjectures.shape.exits[procedure].is_none() || !control.iter().all(is_plain) {
                continue;
            }
            let mut failures = 0;
            for key in self.small_keys(&control) {
                let at = (&conjectures.shape, self.instance.rules);
                let entry = (procedure, key);
                let ended =
                    conjectures.tables.evaluate(&mut self.arena, at, entry, &mut steps, self.budget);
                failures += usize::from(!ended);
                if failures > FAILURES || steps == 0 {
                    break;
                }
            }
        }
        let closed = self.closed_forms(&mut conjectures);
        self.instance.conjectures = Some(conjectures);
        closed
    }

    /// Small control values, the smallest first.
    fn small_keys(&mut self, control: &[Term]) -> Vec<Key> {
        let most: u64 = match control.len() {
            0 => 0,
            1 => 8,
            2 => 6,
            3 => 3,
            _ => return Vec::new(),
        };
        let mut keys: Vec<Vec<u64>> = vec![Vec::new()];
        for _ in control {
            let longer = |key: &Vec<u64>| {
                let key = key.clone();
                (0..most).map(move |value| [&key[..], &[value]].concat())
            };
            keys = keys.iter().flat_map(longer).collect();
        }
        keys.sort_by_key(|key| key.iter().sum::<u64>());
        let mut constants = Vec::new();
        for key in keys {
            let value = |(&value, &of): (&u64, &Term)| match self.arena.sort(of).width() {
                Some(width) if *self.arena.sort(of) != Sort::Bool => self.arena.bv(width, value),
                _ => self.arena.mk_bool(value % 2 == 1),
            };
            constants.push(key.iter().zip(control).map(value).collect());
        }
        constants
    }

    /// Tries the closed forms that are new.
    fn closed_forms(&mut self, conjectures: &mut Conjectures) -> Result<(), Unknown> {
        let at = (&conjectures.shape, self.instance.rules);
        let mut group = Vec::new();
        for procedure in 0..conjectures.shape.exits.len() {
            conjectures.tables.find_fits(&mut self.arena, at, procedure);
            let control = conjectures.shape.control_of(procedure);
            let fits = conjectures.tables.fits[procedure].clone();
            for fit in &fits[conjectures.tried[procedure]..] {
                let mut literals = Vec::new();
                for (&old, fixed) in control.iter().zip(&fit.fixed) {
                    literals.extend(fixed.map(|fixed| self.arena.eq(old, fixed)));
                }
                let equal = self.arena.eq(fit.variable, fit.value);
                literals.push(self.arena.not(equal));
                let least = self.arena.bv_constant(fit.least.clone());
                let above = self.arena.bv_sle(least, fit.counter);
                let above_unsigned = self.arena.bv_ule(least, fit.counter);
                let mut ranges = vec![vec![], vec![above_unsigned], vec![above]];
                if let Some(most) = &fit.most {
                    let most = self.arena.bv_constant(most.clone());
                    let below = self.arena.bv_sle(fit.counter, most);
                    let below_unsigned = self.arena.bv_ule(fit.counter, most);
                    ranges.extend([vec![below_unsigned], vec![below], vec![above, below]]);
                }
                for range in ranges {
                    self.candidate(&mut group, fit.place, &[&literals[..], &range[..]].concat());
                }
            }
            conjectures.tried[procedure] = fits.len();
        }
        self.adopt(group)
    }

    fn candidate(&mut self, group: &mut Vec<Candidate>, place: PlaceId, literals: &[Term]) {
        let literals: Vec<Term> =
            literals.iter().copied().filter(|&it| self.arena.as_bool(it) != Some(true)).collect();
        let never = literals.iter().any(|&it| self.arena.as_bool(it) == Some(false));
        let cube = Cube::new(literals);
        let known = never || self.frames.blocks(Level::INFINITE, place, &cube).is_some();
        if !known && !group.iter().any(|other| other.place == place && other.cube == cube) {
            let clause = cube.negation(&mut self.arena);
            group.push(Candidate { place, cube, clause });
        }
    }

    /// What a procedure does for values that an obligation asks about.
    pub(super) fn wonder(&mut self, place: PlaceId, cube: &Cube) -> Result<(), Unknown> {
        let Some(mut conjectures) = self.instance.conjectures.take() else { return Ok(()) };
        let done = self.wonder_about(&mut conjectures, place, cube);
        self.instance.conjectures = Some(conjectures);
        done
    }

    fn wonder_about(
        &mut self,
        conjectures: &mut Conjectures,
        place: PlaceId,
        cube: &Cube,
    ) -> Result<(), Unknown> {
        let Some(procedure) = conjectures.shape.owner[place.index()] else { return Ok(()) };
        let enough = conjectures.obligations >= OBLIGATIONS || conjectures.told.len() >= POINTS;
        if enough || conjectures.shape.exits[procedure].is_none() {
            return Ok(());
        }
        conjectures.obligations += 1;
        let mut solver: Embedded = Embedded::default();
        let budget = Budget { conflicts: Some(CONFLICTS), ..self.budget.clone() };
        if solver.check(&self.arena, &[], cube.literals(), &budget) != Answer::Sat {
            return Ok(());
        }
        let mut key = Key::new();
        for old in conjectures.shape.control_of(procedure) {
            let value = solver.value(&self.arena, old)?;
            key.push(self.arena.constant(value));
        }
        let at = (&conjectures.shape, self.instance.rules);
        let entry = (procedure, key);
        let mut steps = STEPS;
        if !conjectures.tables.evaluate(&mut self.arena, at, entry.clone(), &mut steps, self.budget) {
            return Ok(());
        }
        self.closed_forms(conjectures)?;
        self.points(conjectures, entry)
    }

    /// Tries a point, and those that it rests on before it.
    fn points(&mut self, conjectures: &mut Conjectures, entry: (usize, Key)) -> Result<(), Unknown> {
        let mut work = vec![(entry, false)];
        while let Some((entry, are_callees_done)) = work.pop() {
            let Some(point) = conjectures.tables.points[entry.0].get(&entry.1).cloned() else { continue };
            if !are_callees_done {
                if conjectures.told.len() < POINTS && conjectures.told.insert(entry.clone()) {
                    work.push((entry, true));
                    work.extend(point.calls.into_iter().map(|callee| (callee, false)));
                }
                continue;
            }
            let (procedure, key) = entry;
            let control = conjectures.shape.control_of(procedure);
            let entered: BTreeSet<Term> = conjectures.shape.entered[procedure].iter().map(|it| it.1).collect();
            let mut fixed = Vec::new();
            for (&old, &value) in control.iter().zip(&key) {
                fixed.push(self.arena.eq(old, value));
            }
            let covered: Vec<(PlaceId, Term)> = conjectures.tables.fits[procedure]
                .iter()
                .filter(|fit| fit.is_about(&self.arena, &key))
                .map(|fit| (fit.place, fit.variable))
                .collect();
            let mut group = Vec::new();
            for (place, values) in point.at {
                let variables = self.instance.rules.of(place).variables.clone();
                for (variable, value) in variables.into_iter().zip(values.into_iter().flatten()) {
                    let is_known = entered.contains(&variable) || covered.contains(&(place, variable));
                    let is_function = self.arena.free_variables(value).iter().all(|it| entered.contains(it));
                    if is_function && !is_known {
                        let equal = self.arena.eq(variable, value);
                        let other = self.arena.not(equal);
                        self.candidate(&mut group, place, &[&fixed[..], &[other]].concat());
                    }
                }
            }
            self.adopt(group)?;
        }
        Ok(())
    }

    /// Those of a group that are inductive together become lemmas.
    fn adopt(&mut self, mut group: Vec<Candidate>) -> Result<(), Unknown> {
        loop {
            let mut kept = Vec::with_capacity(group.len());
            for at in 0..group.len() {
                self.in_time()?;
                kept.push(self.follows(&group, at)?);
            }
            let before = group.len();
            let mut kept = kept.into_iter();
            group.retain(|_| kept.next().unwrap_or(false));
            if group.len() == before {
                break;
            }
        }
        for Candidate { place, cube, .. } in group {
            if self.frames.blocks(Level::INFINITE, place, &cube).is_none() {
                self.statistics.lemmas += 1;
                self.add_lemma(Level::INFINITE, place, cube);
            }
        }
        Ok(())
    }

    /// Whether a candidate holds after every rule, if all of the group hold before.
    fn follows(&mut self, group: &[Candidate], at: usize) -> Result<bool, Unknown> {
        let budget = Budget { conflicts: Some(CONFLICTS), ..self.budget.clone() };
        // No lemma is at that level but those that always hold.
        let above = self.level.next();
        let Candidate { place, cube, .. } = &group[at];
        for rule in self.instance.into[place.index()].clone() {
            let premises = &self.instance.rules.rules[rule].premises;
            let solver = &mut self.instance.solvers[rule];
            let conditions = solver.preconditions(&mut self.arena, cube);
            if conditions.iter().any(|&condition| self.arena.as_bool(condition) == Some(false)) {
                continue;
            }
            let mut outside = Vec::new();
            for (position, premise) in premises.iter().enumerate() {
                for other in group.iter().filter(|other| other.place == premise.place) {
                    outside.push(solver.about(&mut self.arena, position, other.clause));
                }
            }
            let taken = vec![Taken::Frame; premises.len()];
            match solver.ask(&mut self.arena, above, &taken, &outside, &conditions, &budget) {
                Ok(false) => {}
                Ok(true) | Err(Reason::Interrupted(Interrupt::Conflicts)) => return Ok(false),
                Err(reason) => return Err(reason.into()),
            }
        }
        Ok(true)
    }
}
