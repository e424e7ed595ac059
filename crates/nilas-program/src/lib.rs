//! Control-flow automata with guarded commands: text, interpreter, passes, encodings.
