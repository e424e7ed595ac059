//! From expressions and statements to steps of the automaton, directed by the syntax.
//!
//! `stmt`, `scope` and `assembly` are the control flow, `expr`, `condition`, `operators` and `float` the
//! values. `facts` is what the translation knows of the tree beforehand, `temporary` the variables it needs
//! on the way.

pub(in crate::lower) mod assembly;
pub(in crate::lower) mod bounds;
pub(in crate::lower) mod condition;
pub(in crate::lower) mod end;
pub(in crate::lower) mod expr;
pub(in crate::lower) mod facts;
pub(in crate::lower) mod float;
pub(in crate::lower) mod kept;
pub(in crate::lower) mod operators;
pub(in crate::lower) mod order;
pub(in crate::lower) mod overflow;
pub(in crate::lower) mod relation;
pub(in crate::lower) mod scope;
pub(in crate::lower) mod stmt;
pub(in crate::lower) mod temporary;
pub(in crate::lower) mod volatile;
