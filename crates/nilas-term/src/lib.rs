//! Sorts, exact values, hash-consed terms, simplifier, evaluator, SMT-LIB text; literals and cubes.
