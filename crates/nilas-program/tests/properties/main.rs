//! Properties on random programs; a failure prints the seed and the program.
#![allow(clippy::unwrap_used)]

mod encoding;
mod examples;
mod explicit;
mod fuzz;
mod large_blocks;
mod passes;
mod precondition;
mod procedures;
mod round_trip;
