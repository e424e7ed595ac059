//! An automaton unrolled layer by layer.
//!
//! Layer `k` is where executions are after `k` edges. Each location has one symbolic state per layer; where
//! edges meet, states are merged, so the unrolling is linear in the depth. Terms are built over the values in
//! layer 0 by substitution, and simplification runs whatever is concrete.

use crate::execution::{ExecutionBuilder, sites};
use crate::outcome::Unknown;
use crate::transition::holds;
use nilas_evidence::Execution;
use nilas_program::{ArcId, Automaton, EdgeId, Encoding, HavocSite, LocationId, State, encode_within};
use nilas_smt::{Budget, Solver};
use nilas_term::{Arena, Sort, Term, Value};
use std::collections::BTreeMap;

/// A place in a layer: the condition to be there, and the state.
#[derive(Clone)]
pub(crate) struct Place {
    pub(crate) condition: Term,
    pub(crate) state: State,
}

impl Place {
    /// Tells a solver that a formula over the program's variables holds at the place.
    pub(crate) fn assume(&mut self, arena: &mut Arena, solver: &mut dyn Solver, formula: Term) {
        let here = self.state.apply(arena, formula);
        let elsewhere = arena.not(self.condition);
        let assumed = arena.or(&[elsewhere, here]);
        if arena.as_bool(assumed) != Some(true) {
            solver.assert(arena, assumed);
        }
    }
}

/// The places of a layer. Their conditions exclude each other.
pub(crate) type Layer = BTreeMap<LocationId, Place>;

/// An edge on the way of a model: its arcs, and the inputs that the `havoc`s among these read.
type Passed = (EdgeId, Vec<ArcId>, Vec<Term>);

/// Edges that were taken, and where they lead.
pub(crate) type Arrived = (Vec<Taken>, Vec<(LocationId, Place)>);

/// An edge taken from one layer to the next.
pub(crate) struct Taken {
    edge: EdgeId,
    encoding: Encoding,
}

/// See the module's text.
pub(crate) struct Unrolling<'a> {
    pub(crate) automaton: &'a Automaton,
    pub(crate) arena: Arena,
    budget: &'a Budget,
    outgoing: Vec<Vec<EdgeId>>,
    /// `layers[k]` leads from layer k to layer k + 1.
    layers: Vec<Vec<Taken>>,
}

impl<'a> Unrolling<'a> {
    pub(crate) fn new(
        automaton: &'a Automaton,
        arena: Arena,
        outgoing: Vec<Vec<EdgeId>>,
        budget: &'a Budget,
    ) -> Self {
        Unrolling { automaton, arena, budget, outgoing, layers: Vec::new() }
    }

    /// How many layers there are behind layer 0.
    pub(crate) fn depth(&self) -> u64 {
        self.layers.len() as u64
    }

    /// A condition as conditions of so many ways that exclude each other, by fresh selectors.
    pub(crate) fn select(&mut self, condition: Term, ways: usize) -> Vec<Term> {
        let mut rest = condition;
        let mut conditions = Vec::with_capacity(ways);
        for _ in 1..ways {
            let selector = self.arena.fresh_variable("edge", &Sort::Bool);
            let unselected = self.arena.not(selector);
            conditions.push(self.arena.and(&[rest, selector]));
            rest = self.arena.and(&[rest, unselected]);
        }
        conditions.extend((ways > 0).then_some(rest));
        conditions
    }

    /// Goes on by a layer, from the places of the last one: what arrives where. The error comes first.
    pub(crate) fn next_layer(&mut self, layer: &Layer) -> Result<Vec<(LocationId, Place)>, Unknown> {
        let (taken, places) = self.step(layer)?;
        self.layers.push(taken);
        Ok(places)
    }

    /// All edges from some places, and what arrives where, merged. The error comes first.
    pub(crate) fn step(&mut self, layer: &Layer) -> Result<Arrived, Unknown> {
        let mut taken = Vec::new();
        let mut arrivals: BTreeMap<LocationId, Vec<usize>> = BTreeMap::new();
        for (&location, place) in layer {
            let edges = self.outgoing[location.index()].clone();
            // Selectors make the edges exclude each other, so that merging loses nothing.
            let conditions = self.select(place.condition, edges.len());
            for (edge, condition) in edges.into_iter().zip(conditions) {
                let command = &self.automaton.edge(edge).command;
                let (arena, state) = (&mut self.arena, &place.state);
                let encoding = encode_within(arena, self.automaton, command, state, condition, self.budget);
                let encoding = encoding.map_err(Unknown::Interrupted)?;
                if self.arena.as_bool(encoding.guard) == Some(false) {
                    continue;
                }
                arrivals.entry(self.automaton.edge(edge).target).or_default().push(taken.len());
                taken.push(Taken { edge, encoding });
            }
        }
        let mut places = Vec::with_capacity(arrivals.len());
        for (location, indices) in arrivals {
            let ways: Vec<(Term, &State)> = indices
                .iter()
                .map(|&index| (taken[index].encoding.guard, &taken[index].encoding.next))
                .collect();
            let (condition, state) = State::merge(&mut self.arena, &ways);
            places.push((location, Place { condition, state }));
        }
        places.sort_by_key(|(location, _)| *location != self.automaton.error);
        Ok((taken, places))
    }

    /// The execution of the solver's model, from layer 0 to `sink`, which the layer of this depth reaches.
    pub(crate) fn execution(
        &mut self,
        solver: &mut dyn Solver,
        sink: LocationId,
        depth: usize,
    ) -> Result<Execution, Unknown> {
        let way = self.way(solver, sink, depth)?;
        let mut builder = ExecutionBuilder::new(self.automaton);
        for variable in &self.automaton.variables {
            builder.initial(variable.term, solver.value(&self.arena, variable.term)?);
        }
        for (edge, arcs, inputs) in way {
            let values = inputs.iter().map(|&input| solver.value(&self.arena, input));
            builder.step(edge, arcs, values.collect::<Result<_, _>>()?);
        }
        Ok(builder.finish())
    }

    /// The inputs of the model on its way to a location that the last layer reaches. Arrays are left out: to
    /// read them takes long.
    pub(crate) fn inputs(
        &mut self,
        solver: &mut dyn Solver,
        location: LocationId,
    ) -> Result<Vec<(HavocSite, Value)>, Unknown> {
        let mut found = Vec::new();
        for (edge, arcs, inputs) in self.way(solver, location, self.layers.len())? {
            for (site, input) in sites(self.automaton, edge, &arcs).zip(inputs) {
                if !matches!(self.arena.sort(input), Sort::Array(_)) {
                    found.push((site, solver.value(&self.arena, input)?));
                }
            }
        }
        Ok(found)
    }

    /// The edges that the model takes from layer 0 to a location that the layer of this depth reaches, each
    /// with what stands for all inputs of its command.
    pub(crate) fn steps(
        &mut self,
        solver: &mut dyn Solver,
        location: LocationId,
        depth: usize,
    ) -> Result<Vec<(EdgeId, Vec<Term>)>, Unknown> {
        let taken = self.taken(solver, location, depth)?;
        let inputs = |taken: &Taken| taken.encoding.inputs.iter().map(|input| input.variable).collect();
        Ok(taken.into_iter().map(|taken| (taken.edge, inputs(taken))).collect())
    }

    /// The way of the model from layer 0 to a location that the layer of this depth reaches: edges, their
    /// arcs, and the inputs that the `havoc`s among these read.
    fn way(
        &mut self,
        solver: &mut dyn Solver,
        location: LocationId,
        depth: usize,
    ) -> Result<Vec<Passed>, Unknown> {
        let mut way = Vec::with_capacity(depth);
        for taken in self.taken(solver, location, depth)? {
            let command = &self.automaton.edge(taken.edge).command;
            let arcs = taken.encoding.path(command, &mut |formula| holds(solver, &self.arena, formula))?;
            let inputs = arcs.iter().filter_map(|&arc| taken.encoding.havoc_input(arc)).collect();
            way.push((taken.edge, arcs, inputs));
        }
        Ok(way)
    }

    /// The edges of the model, first to last.
    fn taken(
        &self,
        solver: &mut dyn Solver,
        mut location: LocationId,
        depth: usize,
    ) -> Result<Vec<&Taken>, Unknown> {
        let Unrolling { automaton, arena, layers, .. } = self;
        // Backwards: conditions of different ways exclude each other, so the edge taken is the one that
        // holds.
        let mut way = Vec::with_capacity(layers.len());
        for layer in layers[..depth].iter().rev() {
            let mut found = None;
            for taken in layer.iter().filter(|taken| automaton.edge(taken.edge).target == location) {
                if holds(solver, arena, taken.encoding.guard)? {
                    found = Some(taken);
                    break;
                }
            }
            let taken = found.ok_or_else(|| Unknown::Internal("the model takes no edge".into()))?;
            location = automaton.edge(taken.edge).source;
            way.push(taken);
        }
        way.reverse();
        Ok(way)
    }
}
