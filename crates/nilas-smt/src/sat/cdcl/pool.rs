//! Many short lists in one vector.
//!
//! Propagation is bound by memory: it jumps from list to list, and lists are short. So they lie in one
//! vector, in the order of their literals, neighbours of a circuit near each other. A list that outgrows its
//! place moves to the end, with room to double; when the places left behind are a third of all, everything
//! moves together again.
//!
//! A place has two lists, which share its room: one grows from the left, the other one from the right.
//!
//! Invariants: the places do not overlap, and each lies inside the vector; the two lists of a place do not
//! meet.

use std::ops::Range;

/// The place of two lists.
#[derive(Clone, Copy, Default)]
pub(super) struct Place {
    start: u32,
    end: u32,
    /// Length of the list at the left.
    left: u32,
    /// Length of the list at the right.
    right: u32,
}

impl Place {
    fn room(self) -> usize {
        (self.end - self.start) as usize
    }

    fn len(self) -> usize {
        (self.left + self.right) as usize
    }

    /// Where the list at the left lies.
    #[inline]
    pub(super) fn left(self) -> Range<usize> {
        self.start as usize..(self.start + self.left) as usize
    }

    /// Where the list at the right lies.
    #[inline]
    pub(super) fn right(self) -> Range<usize> {
        (self.end - self.right) as usize..self.end as usize
    }

    /// Keeps only so many items of the list at the left.
    #[inline]
    pub(super) fn truncate_left(&mut self, len: usize) {
        // Not more than there were.
        self.left = self.left.min(len as u32);
    }
}

/// The items of all lists.
pub(super) struct Pool<T> {
    items: Vec<T>,
    /// Room that no place has.
    wasted: usize,
}

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Pool { items: Vec::new(), wasted: 0 }
    }
}

impl<T: Copy + PartialEq> Pool<T> {
    /// All items; a [`Place`] tells which are whose.
    #[inline]
    pub(super) fn items(&self) -> &[T] {
        &self.items
    }

    /// All items, to be changed.
    #[inline]
    pub(super) fn items_mut(&mut self) -> &mut [T] {
        &mut self.items
    }

    /// The list at the left.
    #[inline]
    pub(super) fn left(&self, place: Place) -> &[T] {
        &self.items[place.left()]
    }

    /// The list at the right, the last item first.
    #[inline]
    pub(super) fn right(&self, place: Place) -> &[T] {
        &self.items[place.right()]
    }

    /// Adds items to the list at the left.
    #[inline]
    pub(super) fn push_left<const N: usize>(&mut self, place: &mut Place, items: [T; N]) {
        if place.room() < place.len() + N {
            self.widen(place, N, items[0]);
        }
        let at = (place.start + place.left) as usize;
        self.items[at..at + N].copy_from_slice(&items);
        place.left += N as u32;
    }

    /// Adds an item to the list at the right.
    #[inline]
    pub(super) fn push_right(&mut self, place: &mut Place, item: T) {
        if place.room() < place.len() + 1 {
            self.widen(place, 1, item);
        }
        place.right += 1;
        self.items[(place.end - place.right) as usize] = item;
    }

    /// Moves both lists to the end, with room for more.
    fn widen(&mut self, place: &mut Place, more: usize, filler: T) {
        let start = self.items.len();
        let room = (place.len() + more).max(2 * place.len()).max(4);
        self.items.extend_from_within(place.left());
        self.items.resize(start + room - place.right as usize, filler);
        self.items.extend_from_within(place.right());
        self.wasted += place.room();
        // As many items as 32 bits can count would not fit into memory.
        (place.start, place.end) = (start as u32, (start + room) as u32);
    }

    /// Removes the youngest occurrence of an item from the list at the right; the youngest item takes its
    /// place.
    pub(super) fn remove_right(&mut self, place: &mut Place, item: T) {
        let range = place.right();
        if let Some(at) = self.items[range.clone()].iter().position(|&other| other == item) {
            self.items.swap(range.start, range.start + at);
            place.right -= 1;
        }
    }

    /// Whether so much room is wasted that moving everything together pays.
    #[inline]
    pub(super) fn wants_packing(&self) -> bool {
        self.wasted > 4096 && 3 * self.wasted > self.items.len()
    }

    /// Moves the lists with these places together, in this order. They must be all there are.
    pub(super) fn pack<'p>(&mut self, places: impl Iterator<Item = &'p mut Place>) {
        let capacity = (self.items.len() - self.wasted) * 5 / 4;
        let old = std::mem::replace(&mut self.items, Vec::with_capacity(capacity));
        for place in places {
            let start = self.items.len() as u32;
            self.items.extend_from_slice(&old[place.left()]);
            self.items.extend_from_slice(&old[place.right()]);
            (place.start, place.end) = (start, self.items.len() as u32);
        }
        self.wasted = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_keep_their_items_wherever_they_lie() {
        const LISTS: usize = 300;
        let mut pool = Pool::default();
        let mut places = vec![Place::default(); LISTS];
        let mut left: Vec<Vec<u64>> = vec![Vec::new(); LISTS];
        let mut right: Vec<Vec<u64>> = vec![Vec::new(); LISTS];
        let (mut state, mut packed) = (1_u64, 0);
        for number in 0..60_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let (list, what) = ((state >> 33) as usize % LISTS, (state >> 50) % 16);
            let (place, left, right) = (&mut places[list], &mut left[list], &mut right[list]);
            match what {
                0 => {
                    let keep = left.len() / 2;
                    place.truncate_left(keep);
                    left.truncate(keep);
                }
                1..4 if !right.is_empty() => {
                    let item = right[(state >> 45) as usize % right.len()];
                    pool.remove_right(place, item);
                    let at = right.iter().rposition(|&other| other == item);
                    right.swap_remove(at.expect("it is one of them"));
                }
                4..7 => {
                    pool.push_left(place, [number, state % 100]);
                    left.extend([number, state % 100]);
                }
                7..11 => {
                    pool.push_left(place, [number]);
                    left.push(number);
                }
                _ => {
                    pool.push_right(place, state % 100);
                    right.push(state % 100);
                }
            }
            if pool.wants_packing() {
                pool.pack(places.iter_mut());
                packed += 1;
            }
            let stored: Vec<u64> = pool.right(places[list]).iter().rev().copied().collect();
            assert_eq!((pool.left(places[list]), stored), (&left[..], right.clone()), "step {number}");
        }
        for ((place, left), right) in places.iter().zip(&left).zip(&right) {
            assert_eq!(pool.left(*place), *left);
            assert!(pool.right(*place).iter().rev().eq(right));
        }
        assert!(packed > 3, "{packed}");
    }
}
