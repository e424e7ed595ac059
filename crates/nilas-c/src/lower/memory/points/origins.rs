//! Where pointers come from that do not come from an object.

use super::Points;

impl Points {
    /// Origins belong to whole classes.
    pub(super) fn gather_origins(&mut self) {
        for index in 0..self.parents.len() {
            let root = self.find(u32::try_from(index).unwrap_or(0)) as usize;
            let own = self.origins[index];
            let origin = &mut self.origins[root];
            origin.external |= own.external;
            origin.uninitialised |= own.uninitialised;
            origin.number |= own.number;
        }
    }

    /// What comes from outside holds pointers that do.
    pub(super) fn spread_origins(&mut self) {
        self.gather_origins();
        // Memory of unknown origin is one: whatever it holds may be loaded through any pointer into it.
        let mut contents: Option<u32> = None;
        loop {
            let external = (0..self.parents.len()).find(|&index| {
                crate::work::poll();
                let content = self.contents[index].map(|content| self.root(content));
                self.parents[index] as usize == index
                    && self.origins[index].external
                    && content.is_some_and(|content| contents.is_none_or(|all| self.root(all) != content))
            });
            let Some(external) = external else { break };
            let Some(content) = self.contents[external] else { break };
            let all = *contents.get_or_insert(content);
            self.origins[content as usize].external = true;
            let before = [self.root(all), self.root(content)].map(|root| self.origins[root as usize]);
            self.unite(all, content);
            let root = self.find(all) as usize;
            for origin in before {
                self.origins[root].external = true;
                self.origins[root].uninitialised |= origin.uninitialised;
                self.origins[root].number |= origin.number;
            }
            self.gather_origins();
        }
    }
}
