; Answers are compared with what the script says of them.
; expect: sat
; expect: unsat
; expect: sat
; expect: (error "line 13 column 1: the answer is sat, but the script says unsat")
; expect: sat
(set-logic QF_BV)
(declare-const x (_ BitVec 32))
(set-info :status sat)
(check-sat)
(set-info :status unsat) (check-sat-assuming ((bvult x x)))
(set-info :status unsat)
(check-sat)
(check-sat)
