; Starting over.
; expect: unsat
; expect: sat
; expect: (error "line 15 column 9: unknown symbol `p`: it was declared at a level that is gone")
; expect: (error "line 18 column 9: unknown symbol `p`")
; expect: sat
; expect: ((p #b11))
(declare-const p Bool)
(push 2)
(assert p)
(assert (not p))
(check-sat)
(reset-assertions)
(check-sat)
(assert p)
(reset)
; Not even the arena knows it now.
(assert p)
(reset)
(declare-const p (_ BitVec 2))
(assert (= p (bvnot #b00)))
(check-sat)
(get-value (p))
