//! Variables by activity.

const DECAY: f64 = 0.95;
const RESCALE_AT: f64 = 1e100;

/// A binary heap of variables, the most active on top; ties go to the smaller number.
pub(super) struct Heap {
    activity: Vec<f64>,
    increment: f64,
    heap: Vec<usize>,
    /// By variable: its place in the heap.
    place: Vec<Option<usize>>,
}

impl Heap {
    /// All variables, none active.
    pub(super) fn new(variables: usize) -> Self {
        Heap {
            activity: vec![0.0; variables],
            increment: 1.0,
            heap: (0..variables).collect(),
            place: (0..variables).map(Some).collect(),
        }
    }

    fn above(&self, a: usize, b: usize) -> bool {
        self.activity[a] > self.activity[b] || (self.activity[a] == self.activity[b] && a < b)
    }

    fn put(&mut self, place: usize, var: usize) {
        self.heap[place] = var;
        self.place[var] = Some(place);
    }

    fn up(&mut self, mut place: usize) {
        let var = self.heap[place];
        while place > 0 {
            let parent = (place - 1) / 2;
            if !self.above(var, self.heap[parent]) {
                break;
            }
            self.put(place, self.heap[parent]);
            place = parent;
        }
        self.put(place, var);
    }

    fn down(&mut self, mut place: usize) {
        let var = self.heap[place];
        loop {
            let (left, right) = (2 * place + 1, 2 * place + 2);
            let Some(&first) = self.heap.get(left) else { break };
            let child = match self.heap.get(right) {
                Some(&second) if self.above(second, first) => right,
                _ => left,
            };
            if !self.above(self.heap[child], var) {
                break;
            }
            self.put(place, self.heap[child]);
            place = child;
        }
        self.put(place, var);
    }

    /// Takes the most active variable out.
    pub(super) fn pop(&mut self) -> Option<usize> {
        let top = *self.heap.first()?;
        let last = self.heap.pop()?;
        self.place[top] = None;
        if last != top {
            self.put(0, last);
            self.down(0);
        }
        Some(top)
    }

    /// Puts a variable back.
    pub(super) fn insert(&mut self, var: usize) {
        if self.place[var].is_none() {
            self.heap.push(var);
            self.place[var] = Some(self.heap.len() - 1);
            self.up(self.heap.len() - 1);
        }
    }

    /// Makes a variable more active.
    pub(super) fn bump(&mut self, var: usize) {
        self.activity[var] += self.increment;
        if self.activity[var] > RESCALE_AT {
            for activity in &mut self.activity {
                *activity /= RESCALE_AT;
            }
            self.increment /= RESCALE_AT;
        }
        if let Some(place) = self.place[var] {
            self.up(place);
        }
    }

    /// Makes everything that was bumped so far count less.
    pub(super) fn decay(&mut self) {
        self.increment /= DECAY;
    }
}
