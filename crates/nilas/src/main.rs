//! The command line of Nilas.
fn main() {}
