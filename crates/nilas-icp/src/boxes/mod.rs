//! Boxes: what is known of the values of variables.

pub mod bits;
pub mod float;
pub mod interval;
