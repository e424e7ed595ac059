//! Invariants, unwindings and executions as data; their checker and replayer.
