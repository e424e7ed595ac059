//! Typed indices: which of the automaton's parts is meant.

use std::fmt;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl $name {
            /// The id of that position.
            #[must_use]
            pub fn new(index: usize) -> Self {
                $name(u32::try_from(index).expect("fewer than 2^32 of them"))
            }

            /// The position, dense from 0.
            #[must_use]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self.0)
            }
        }
    )* };
}

ids! {
    /// A location of an automaton.
    LocationId;
    /// An edge of an automaton.
    EdgeId;
    /// A variable of an automaton.
    VarId;
    /// A `havoc` of the program text. Copies that passes make keep the site of the original.
    HavocSite;
    /// A node of a command's flow graph. Node 0 is where it starts.
    NodeId;
    /// An arc of a command's flow graph.
    ArcId;
    /// A procedure of a program with procedures.
    ProcedureId;
    /// A call edge of a program with procedures.
    CallId;
}
