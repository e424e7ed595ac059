//! Automata as Horn clauses, VMT and BTOR2.
