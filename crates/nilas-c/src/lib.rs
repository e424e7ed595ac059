//! The C front end of Nilas: C text to a control-flow automaton.
