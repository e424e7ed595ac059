//! Conjectures: what procedures do at most, guessed from what they do.
//!
//! Most procedures are functions of the values that they are entered with. So what an evaluation finds for
//! some values ([`table`]) is all that happens for these, and closed forms of many such points ([`fit`]) are
//! what happens for all on a line. Both become lemmas only after the solver has shown that they are
//! inductive: a group of candidates holds if each one follows from the others, and from lemmas that
//! always hold, over every rule (as in Houdini). So a wrong guess costs time and nothing else.
//!
//! Closed forms are looked for at the beginning, from small values. Points are evaluated for values that an
//! obligation asks about: IC3 alone would learn one value that is not the result after the other.

mod fit;
mod shape;
mod table;

pub(super) use shape::Shape;
use table::{Key, Tables};

use super::instance::Search;
use super::rules::{PlaceId, RuleId};
use super::solver::Taken;
use crate::outcome::Unknown;
use crate::pdr::Level;
use nilas_smt::{Answer, Budget, Embedded, Interrupt, Reason, Solver};
use nilas_term::{BitVec, Cube, Sort, Substitution, Term};
use std::collections::{BTreeMap, BTreeSet};

/// Steps of all evaluations at the beginning, and of one.
const FIRST_STEPS: usize = 20_000;
const STEPS: usize = 4_000;
/// Evaluations at the beginning that may fail, by procedure.
const FAILURES: usize = 6;
/// Obligations that are looked at, and points that become candidates.
const OBLIGATIONS: usize = 400;
const POINTS: usize = 1_000;
/// Sets of guards of a callee that are looked at, and points of a procedure that are tried with closed forms.
const ALTERNATIVES: usize = 16;
const SPARSE: usize = 40;
/// Magnitudes within which control values are looked for, one after the other.
const MAGNITUDES: [u64; 3] = [6, 50, 1_000];
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
    /// Candidates that became lemmas.
    adopted: Vec<Candidate>,
}

/// A cube that is perhaps never derivable.
#[derive(Clone)]
struct Candidate {
    place: PlaceId,
    cube: Cube,
    clause: Term,
    /// If it says that a variable has a value: these, and the other literals.
    equality: Option<(Term, Term)>,
    guards: Vec<Term>,
}

impl Conjectures {
    pub(super) fn new(shape: Shape) -> Self {
        let procedures = shape.exits.len();
        let tables = Tables::new(procedures);
        let told = BTreeSet::new();
        Conjectures { shape, tables, tried: vec![0; procedures], told, obligations: 0, adopted: Vec::new() }
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
                let mut own = steps.min(STEPS);
                steps -= own;
                let ended = conjectures.tables.evaluate(&mut self.arena, at, entry, &mut own, self.budget);
                steps += own;
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

    /// Small control values, the smallest first, and those that are not negative before the others.
    fn small_keys(&mut self, control: &[Term]) -> Vec<Key> {
        let most: i64 = match control.len() {
            0 => 0,
            1 => 8,
            2 => 6,
            3 => 3,
            _ => return Vec::new(),
        };
        let mut keys: Vec<Vec<i64>> = vec![Vec::new()];
        for _ in control {
            let longer = |key: &Vec<i64>| {
                let key = key.clone();
                (-most / 2..most).map(move |value| [&key[..], &[value]].concat())
            };
            keys = keys.iter().flat_map(longer).collect();
        }
        keys.sort_by_key(|key| (key.iter().any(|&it| it < 0), key.iter().map(|it| it.abs()).sum::<i64>()));
        let mut constants = Vec::new();
        for key in keys {
            let value = |(&value, &of): (&i64, &Term)| match self.arena.sort(of).width() {
                Some(width) => self.arena.bv_constant(BitVec::from_signed(width, &value.into())),
                None => self.arena.mk_bool(value % 2 == 1),
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
                    let guards = [&literals[..], &range[..]].concat();
                    self.candidate(&mut group, fit.place, guards, Some((fit.variable, fit.value)));
                }
            }
            if conjectures.tried[procedure] < fits.len() {
                self.where_points_are(conjectures, procedure, &mut group);
            }
            conjectures.tried[procedure] = fits.len();
        }
        self.adopt(conjectures, group)
    }

    /// Beside closed forms: which control values lead to a place, and points of places that few come to.
    fn where_points_are(&mut self, conjectures: &Conjectures, procedure: usize, group: &mut Vec<Candidate>) {
        let control = conjectures.shape.control_of(procedure);
        let points = &conjectures.tables.points[procedure];
        let mut at: BTreeMap<PlaceId, Vec<&Key>> = BTreeMap::new();
        for (key, point) in points {
            for &place in point.at.keys() {
                at.entry(place).or_default().push(key);
            }
        }
        for (place, keys) in at {
            for (position, &old) in control.iter().enumerate() {
                let values = keys.iter().filter_map(|key| self.arena.as_bitvec(key[position]).cloned());
                let mut values: Vec<BitVec> = values.collect();
                values.sort_by(BitVec::compare_signed);
                let (Some(least), Some(most)) = (values.first(), values.last()) else { continue };
                let (least, most) =
                    (self.arena.bv_constant(least.clone()), self.arena.bv_constant(most.clone()));
                values.sort_by(BitVec::compare_unsigned);
                let lowest = values.first().cloned().unwrap_or_else(|| BitVec::zero(1));
                let lowest = self.arena.bv_constant(lowest);
                let below = self.arena.bv_ult(old, lowest);
                let one = self.arena.bv(self.arena.width(old), 1);
                let before = self.arena.bv_sub(least, one);
                // The value before the first one is often what a recursion ends with.
                let ends = self.arena.eq(old, before);
                let outside = [self.arena.bv_slt(old, least), self.arena.bv_slt(most, old), below, ends];
                for literal in outside {
                    self.candidate(group, place, vec![literal], None);
                }
            }
            if keys.len() <= SPARSE {
                for key in keys {
                    self.point(conjectures, procedure, key, Some(place), group);
                }
            }
        }
    }

    /// What a point says about places.
    fn point(
        &mut self,
        conjectures: &Conjectures,
        procedure: usize,
        key: &Key,
        only: Option<PlaceId>,
        group: &mut Vec<Candidate>,
    ) {
        let Some(point) = conjectures.tables.points[procedure].get(key) else { return };
        let control = conjectures.shape.control_of(procedure);
        let entered: BTreeSet<Term> = conjectures.shape.entered[procedure].iter().map(|it| it.1).collect();
        let mut fixed = Vec::new();
        for (&old, &value) in control.iter().zip(key) {
            fixed.push(self.arena.eq(old, value));
        }
        for (&place, values) in point.at.iter().filter(|it| only.is_none_or(|only| only == *it.0)) {
            let variables = self.instance.rules.of(place).variables.clone();
            for (variable, &value) in variables.into_iter().zip(values.iter().flatten()) {
                let is_function = self.arena.free_variables(value).iter().all(|it| entered.contains(it));
                if is_function && !entered.contains(&variable) {
                    self.candidate(group, place, fixed.clone(), Some((variable, value)));
                }
            }
        }
    }

    fn candidate(
        &mut self,
        group: &mut Vec<Candidate>,
        place: PlaceId,
        mut guards: Vec<Term>,
        equality: Option<(Term, Term)>,
    ) {
        guards.retain(|&it| self.arena.as_bool(it) != Some(true));
        let mut literals = guards.clone();
        if let Some((variable, value)) = equality {
            let equal = self.arena.eq(variable, value);
            literals.push(self.arena.not(equal));
        }
        let never = literals.iter().any(|&it| self.arena.as_bool(it) == Some(false));
        let cube = Cube::new(literals);
        let known = never || self.frames.blocks(Level::INFINITE, place, &cube).is_some();
        if !known && !group.iter().any(|other| other.place == place && other.cube == cube) {
            let clause = cube.negation(&mut self.arena);
            group.push(Candidate { place, cube, clause, equality, guards });
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
        let control = conjectures.shape.control_of(procedure);
        let Some(key) = self.small_model(&control, place, cube)? else { return Ok(()) };
        let at = (&conjectures.shape, self.instance.rules);
        let entry = (procedure, key);
        let mut steps = STEPS;
        if !conjectures.tables.evaluate(&mut self.arena, at, entry.clone(), &mut steps, self.budget) {
            return Ok(());
        }
        self.closed_forms(conjectures)?;
        self.points(conjectures, entry)
    }

    /// Control values of a cube that no lemma excludes for ever, small ones if there are any.
    fn small_model(&mut self, control: &[Term], place: PlaceId, cube: &Cube) -> Result<Option<Key>, Unknown> {
        let mut solver: Embedded = Embedded::default();
        let budget = Budget { conflicts: Some(CONFLICTS), ..self.budget.clone() };
        for magnitude in MAGNITUDES.into_iter().map(Some).chain([None]) {
            let mut literals = cube.literals().to_vec();
            literals.extend(self.frames.frame(Level::INFINITE, place).map(|lemma| lemma.clause));
            for &old in control {
                if let (Some(magnitude), Some(width)) = (magnitude, self.arena.sort(old).width())
                    && width > 16
                {
                    let shift = self.arena.bv(width, magnitude / 4);
                    let shifted = self.arena.bv_add(old, shift);
                    let most = self.arena.bv(width, magnitude + magnitude / 4);
                    literals.push(self.arena.bv_ule(shifted, most));
                }
            }
            if solver.check(&self.arena, &[], &literals, &budget) == Answer::Sat {
                let mut key = Key::new();
                for &old in control {
                    let value = solver.value(&self.arena, old)?;
                    key.push(self.arena.constant(value));
                }
                return Ok(Some(key));
            }
        }
        Ok(None)
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
            let mut group = Vec::new();
            self.point(conjectures, entry.0, &entry.1, None, &mut group);
            self.adopt(conjectures, group)?;
        }
        Ok(())
    }

    /// Those of a group that are inductive together become lemmas.
    fn adopt(&mut self, conjectures: &mut Conjectures, mut group: Vec<Candidate>) -> Result<(), Unknown> {
        loop {
            let mut kept = Vec::with_capacity(group.len());
            for at in 0..group.len() {
                self.in_time()?;
                kept.push(self.follows(conjectures, &group, at)?);
            }
            let before = group.len();
            let mut kept = kept.into_iter();
            group.retain(|_| kept.next().unwrap_or(false));
            if group.len() == before {
                break;
            }
        }
        for candidate in group {
            if self.frames.blocks(Level::INFINITE, candidate.place, &candidate.cube).is_none() {
                self.statistics.lemmas += 1;
                self.add_lemma(Level::INFINITE, candidate.place, candidate.cube.clone());
                conjectures.adopted.push(candidate);
            }
        }
        Ok(())
    }

    /// Whether a candidate holds after every rule, if all of the group hold before.
    fn follows(
        &mut self,
        conjectures: &Conjectures,
        group: &[Candidate],
        at: usize,
    ) -> Result<bool, Unknown> {
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
            let taken = vec![Taken::Frame(above); premises.len()];
            outside.extend(self.substituted(conjectures, group, at, rule));
            let solver = &mut self.instance.solvers[rule];
            match solver.ask(&mut self.arena, &taken, &outside, &conditions, &budget) {
                Ok(false) => {}
                Ok(true) | Err(Reason::Interrupted(Interrupt::Conflicts)) => return Ok(false),
                Err(reason) => return Err(reason.into()),
            }
        }
        Ok(true)
    }

    /// What follows for a candidate over a rule when values that are known take the place of variables: sums
    /// and products meet as terms then, which bits alone show with difficulty. One clause for each set of
    /// guards that the callee has values under.
    fn substituted(
        &mut self,
        conjectures: &Conjectures,
        group: &[Candidate],
        at: usize,
        id: RuleId,
    ) -> Vec<Term> {
        let candidate = &group[at];
        let Some((variable, value)) = candidate.equality else { return Vec::new() };
        let rule = &self.instance.rules.rules[id];
        let known = || group.iter().chain(&conjectures.adopted);
        let callee = conjectures.shape.callee[id].zip(rule.premises.last());
        let mut here = Substitution::new();
        let before = rule.premises.first().filter(|_| rule.premises.len() > usize::from(callee.is_some()));
        if let Some(premise) = before {
            let names = &self.instance.rules.of(premise.place).variables;
            for other in known().filter(|other| other.place == premise.place) {
                let implied = other.guards.iter().all(|guard| candidate.guards.contains(guard));
                if let (true, Some((variable, value))) = (implied, other.equality)
                    && let Some(position) = names.iter().position(|&name| name == variable)
                    && here.get(premise.variables[position]).is_none()
                {
                    here.insert(premise.variables[position], value);
                }
            }
        }
        let equal = self.arena.eq(variable, value);
        let other = self.arena.not(equal);
        let question = self.instance.solvers[id].preconditions(&mut self.arena, &Cube::new([other]));
        let Some(&question) = question.first() else { return Vec::new() };
        let Some((callee, premise)) = callee else {
            return vec![here.apply(&mut self.arena, question)];
        };
        // What the callee is entered with.
        let names = self.instance.rules.of(premise.place).variables.clone();
        let mut entered = Substitution::new();
        for &(_, old) in &conjectures.shape.entered[callee] {
            let passed = names.iter().position(|&name| name == old).map(|at| premise.variables[at]);
            let equation = rule.equations.iter().find(|equation| Some(equation.0) == passed);
            if let (Some(passed), Some(&(_, argument))) = (passed, equation) {
                let argument = here.apply(&mut self.arena, argument);
                entered.insert(old, argument);
                here.insert(passed, argument);
            }
        }
        let mut alternatives: Vec<Vec<Term>> = Vec::new();
        for other in known().filter(|other| other.place == premise.place && other.equality.is_some()) {
            if alternatives.len() < ALTERNATIVES && !alternatives.contains(&other.guards) {
                alternatives.push(other.guards.clone());
            }
        }
        let mut clauses = Vec::new();
        for guards in alternatives {
            let mut all = here.clone();
            for other in known().filter(|other| other.place == premise.place) {
                let implied = other.guards.iter().all(|guard| guards.contains(guard));
                if let (true, Some((variable, value))) = (implied, other.equality)
                    && let Some(position) = names.iter().position(|&name| name == variable)
                {
                    let value = entered.apply(&mut self.arena, value);
                    all.insert(premise.variables[position], value);
                }
            }
            let mut clause = vec![all.apply(&mut self.arena, question)];
            for guard in guards {
                let guard = entered.apply(&mut self.arena, guard);
                clause.push(self.arena.not(guard));
            }
            clauses.push(self.arena.or(&clause));
        }
        clauses
    }
}
