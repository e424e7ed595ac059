//! Truth values to decide, the most active one first.

use super::bound::Column;

const ABSENT: u32 = u32::MAX;

/// A binary heap that knows where its members are.
#[derive(Debug, Default)]
pub(crate) struct Heap {
    members: Vec<Column>,
    places: Vec<u32>,
}

impl Heap {
    pub(crate) fn clear(&mut self) {
        for column in self.members.drain(..) {
            self.places[column.index()] = ABSENT;
        }
    }

    pub(crate) fn insert(&mut self, column: Column, activity: &[f64]) {
        if self.places.len() <= column.index() {
            self.places.resize(column.index() + 1, ABSENT);
        }
        if self.places[column.index()] != ABSENT {
            return;
        }
        self.places[column.index()] = self.members.len() as u32;
        self.members.push(column);
        self.up(self.members.len() - 1, activity);
    }

    pub(crate) fn raised(&mut self, column: Column, activity: &[f64]) {
        match self.places.get(column.index()) {
            Some(&place) if place != ABSENT => self.up(place as usize, activity),
            _ => {}
        }
    }

    pub(crate) fn pop(&mut self, activity: &[f64]) -> Option<Column> {
        let first = *self.members.first()?;
        self.places[first.index()] = ABSENT;
        let last = self.members.pop()?;
        if last != first {
            self.members[0] = last;
            self.places[last.index()] = 0;
            self.down(0, activity);
        }
        Some(first)
    }

    /// More active first, then older: nothing depends on the order of insertion.
    fn before(left: Column, right: Column, activity: &[f64]) -> bool {
        let (a, b) = (activity[left.index()], activity[right.index()]);
        a > b || (a == b && left < right)
    }

    fn up(&mut self, mut at: usize, activity: &[f64]) {
        while at > 0 {
            let parent = (at - 1) / 2;
            if !Self::before(self.members[at], self.members[parent], activity) {
                break;
            }
            self.swap(at, parent);
            at = parent;
        }
    }

    fn down(&mut self, mut at: usize, activity: &[f64]) {
        loop {
            let mut first = at;
            for child in [2 * at + 1, 2 * at + 2] {
                if child < self.members.len()
                    && Self::before(self.members[child], self.members[first], activity)
                {
                    first = child;
                }
            }
            if first == at {
                return;
            }
            self.swap(at, first);
            at = first;
        }
    }

    fn swap(&mut self, left: usize, right: usize) {
        self.members.swap(left, right);
        self.places[self.members[left].index()] = left as u32;
        self.places[self.members[right].index()] = right as u32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_active_one_comes_first() {
        let mut activity = vec![0.0, 3.0, 1.0, 3.0, 2.0];
        let mut heap = Heap::default();
        for column in [4, 3, 2, 1, 0, 3] {
            heap.insert(Column(column), &activity);
        }
        activity[0] = 9.0;
        heap.raised(Column(0), &activity);
        let order: Vec<u32> = std::iter::from_fn(|| heap.pop(&activity)).map(|column| column.0).collect();
        assert_eq!(order, [0, 1, 3, 4, 2]);
        heap.insert(Column(2), &activity);
        heap.clear();
        assert_eq!(heap.pop(&activity), None);
    }
}
