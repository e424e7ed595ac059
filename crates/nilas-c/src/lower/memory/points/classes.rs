//! Classes as sets that are united (union by parents), and the class of what the contents of a class point
//! to.

use super::{Origin, Points};

impl Points {
    /// The class of a node while classes are still united.
    pub(super) fn class_of(&self, mut class: u32) -> u32 {
        while self.parents[class as usize] != class {
            class = self.parents[class as usize];
        }
        class
    }

    pub(super) fn root(&self, mut class: u32) -> u32 {
        while self.parents[class as usize] != class {
            class = self.parents[class as usize];
        }
        class
    }

    pub(super) fn find(&mut self, mut class: u32) -> u32 {
        while self.parents[class as usize] != class {
            let above = self.parents[self.parents[class as usize] as usize];
            self.parents[class as usize] = above;
            class = above;
        }
        class
    }

    pub(super) fn unite(&mut self, one: u32, other: u32) {
        let mut work = vec![(one, other)];
        while let Some((one, other)) = work.pop() {
            crate::work::poll();
            let (one, other) = (self.find(one), self.find(other));
            if one == other {
                continue;
            }
            let (keep, drop) = (one.min(other), one.max(other));
            self.parents[drop as usize] = keep;
            match (self.contents[keep as usize], self.contents[drop as usize]) {
                (Some(a), Some(b)) => work.push((a, b)),
                (None, content) => self.contents[keep as usize] = content,
                (Some(_), None) => {}
            }
        }
    }

    /// The class of what the contents of a class point to.
    pub(super) fn content(&mut self, class: u32) -> u32 {
        let class = self.find(class);
        if let Some(content) = self.contents[class as usize] {
            return self.find(content);
        }
        let fresh = u32::try_from(self.parents.len()).unwrap_or(u32::MAX);
        self.parents.push(fresh);
        self.contents.push(None);
        self.origins.push(Origin::default());
        self.contents[class as usize] = Some(fresh);
        fresh
    }
}
