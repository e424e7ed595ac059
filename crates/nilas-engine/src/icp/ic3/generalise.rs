//! Generalisation of blocked cubes: GENERALIZE and CTG of §2.4.4 and §3.4.
//!
//! Every question about relative inductiveness ends with ANALYZE where it is refuted (`instance`), so what is
//! here goes from cube to cube: up to the highest frame first, then literal by literal.

use super::preimage::Lifting;
use super::{Dropping, IcpIc3};
use crate::outcome::Unknown;
use crate::pdr::{Level, Purpose, SpotOf};
use nilas_program::{EdgeId, LocationId};
use nilas_term::{Cube, Term};
use std::time::Instant;

use super::Bounds;

/// `maxRecDepth` and `maxCTGs` of §4.
const DEPTH: u32 = 1;
const CTGS: u32 = 3;
/// Joins of one try. Each makes the cube larger, but on floats by as little as one rank.
const JOINS: u32 = 32;

impl IcpIc3<'_, '_> {
    /// Step 1 of GENERALIZE: as high as it goes. Without inductive generalisation the clause stays that of
    /// the given cube; with `+ld` literals are dropped at every level.
    pub(super) fn rise(
        &mut self,
        mut level: Level,
        place: LocationId,
        cube: &Cube,
        core: &Cube,
    ) -> Result<(Level, Cube), Unknown> {
        let dropping = self.instance.configuration.dropping;
        let outside = (dropping != Dropping::Inductive).then(|| cube.clone());
        let before = std::mem::replace(&mut self.instance.outside, outside);
        let mut blocked = core.clone();
        let risen = loop {
            if dropping == Dropping::Always {
                match self.drop_each(level, place, &blocked) {
                    Ok(shorter) => blocked = shorter,
                    Err(why) => break Err(why),
                }
            }
            if level >= self.level {
                break Ok((level, blocked));
            }
            match self.reachable(level.next(), place, &blocked, Purpose::Truth) {
                Err(why) => break Err(why),
                Ok(Err(_)) => break Ok((level, blocked)),
                Ok(Ok(core)) => {
                    self.statistics.pushed_at_once += 1;
                    (level, blocked) = (level.next(), core);
                }
            }
        };
        self.instance.outside = before;
        risen
    }

    /// Literal dropping of §2.4.4: the clause is what it was.
    fn drop_each(&mut self, level: Level, place: LocationId, cube: &Cube) -> Result<Cube, Unknown> {
        let mut result = cube.clone();
        for literal in cube.iter() {
            if !result.contains(literal) {
                continue;
            }
            if let Ok(core) = self.reachable(level, place, &result.without(literal), Purpose::Truth)? {
                result = core;
            }
        }
        Ok(result)
    }

    /// Step 2 of GENERALIZE: literals are dropped once the cube is as high as it goes.
    pub(super) fn drop_once(
        &mut self,
        spot: SpotOf<Bounds<'_>>,
        cube: &Cube,
        core: &Cube,
        depth: u32,
    ) -> Result<Cube, Unknown> {
        let start = Instant::now();
        let result = match self.instance.configuration.dropping {
            // With `+ld` it was done on the way.
            Dropping::Never | Dropping::Always => return Ok(core.clone()),
            Dropping::Once => {
                let before = self.instance.outside.replace(cube.clone());
                let result = self.drop_each(spot.level, spot.place, core);
                self.instance.outside = before;
                result
            }
            Dropping::Inductive => self.drop_inductively(spot, core, depth),
        };
        if depth == 0 {
            self.instance.statistics.additional += start.elapsed();
        }
        result
    }

    fn drop_inductively(
        &mut self,
        spot: SpotOf<Bounds<'_>>,
        core: &Cube,
        depth: u32,
    ) -> Result<Cube, Unknown> {
        let before = self.instance.outside.take();
        let mut result = core.clone();
        let literals: Vec<Term> = core.iter().collect();
        let mut failure = None;
        for literal in literals {
            if !result.contains(literal) {
                continue;
            }
            match self.ctg(spot, result.without(literal), depth) {
                Ok(Some(shorter)) => result = shorter,
                Ok(None) => {}
                Err(why) => {
                    failure = Some(why);
                    break;
                }
            }
        }
        self.instance.outside = before;
        failure.map_or(Ok(result), Err)
    }

    /// Procedure CTG of §3.4: what is blocked of a cube, perhaps after it was joined with its predecessors,
    /// or after these were blocked.
    fn ctg(&mut self, spot: SpotOf<Bounds<'_>>, mut cube: Cube, depth: u32) -> Result<Option<Cube>, Unknown> {
        let configuration = self.instance.configuration;
        let asks = configuration.join || configuration.ctg;
        let purpose = if asks { Purpose::Model } else { Purpose::Truth };
        let most = if configuration.ctg { DEPTH } else { 0 };
        let (mut ctgs, mut joins) = (0, 0);
        loop {
            let way = match self.reachable(spot.level, spot.place, &cube, purpose)? {
                Ok(core) => return Ok(Some(core)),
                Err(way) => way,
            };
            if !asks || depth > most {
                return Ok(None);
            }
            let ctg = self.counterexample_to_generalisation(spot.level, way, &cube)?;
            let (below, place, before) = (ctg.level, ctg.place, ctg.cube);
            if configuration.ctg && ctgs < CTGS && self.block_counterexample(below, place, &before, depth)? {
                ctgs += 1;
                continue;
            }
            // Executions begin elsewhere: a cube is joined with states of the same place only.
            if !configuration.join || place != spot.place || joins == JOINS {
                return Ok(None);
            }
            (ctgs, joins) = (0, joins + 1);
            let joined = self.instance.literals.join(&mut self.arena, &cube, &before);
            if joined == cube {
                return Ok(None);
            }
            self.instance.statistics.joins += 1;
            cube = joined;
        }
    }

    /// The predecessor that keeps a cube from being blocked, generalised.
    fn counterexample_to_generalisation(
        &mut self,
        level: Level,
        way: EdgeId,
        cube: &Cube,
    ) -> Result<super::instance::Obligation, Unknown> {
        let lifting = if self.instance.configuration.lift { Lifting::Lift } else { Lifting::GeNtr };
        let below = level.previous().unwrap_or(Level(0));
        self.predecessor(below, way, cube, None, lifting)
    }

    /// Blocks a counterexample to generalisation, if it can be.
    fn block_counterexample(
        &mut self,
        level: Level,
        place: LocationId,
        cube: &Cube,
        depth: u32,
    ) -> Result<bool, Unknown> {
        if level == Level(0) || place == self.instance.map.automaton.entry {
            return Ok(false);
        }
        let Ok(core) = self.reachable(level, place, cube, Purpose::Truth)? else { return Ok(false) };
        let (level, core) = self.rise(level, place, cube, &core)?;
        let spot = SpotOf::<Bounds<'_>> { level, place, over: None };
        let core = self.drop_once(spot, cube, &core, depth + 1)?;
        self.instance.statistics.ctgs += 1;
        self.block(level, place, core)?;
        Ok(true)
    }
}
