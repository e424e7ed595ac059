//! What engines tell of their work while it goes on, and what is kept of it.

pub(crate) mod observer;
pub(crate) mod phase;
pub(crate) mod processor;
pub(crate) mod recorder;
