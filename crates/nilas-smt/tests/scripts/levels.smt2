; Levels of assertions and declarations.
; expect: sat
; expect: unsat
; expect: (:assertion-stack-levels 2)
; expect: sat
; expect: (error "line 27 column 9: unknown symbol `q`: it was declared at a level that is gone")
; expect: unknown
; expect: (error "line 29 column 1: there are only 1 levels to pop")
; expect: sat
; expect: ((q #b1))
; expect: (error "line 39 column 16: `q` is declared already")
(declare-const p Bool)
(push)
(declare-const q Bool)
(assert (or p q))
(check-sat)
(push 1)
(assert (not p))
(assert (not q))
(check-sat)
(get-info :assertion-stack-levels)
(pop 1)
(check-sat)
(pop)
(push)
; The refused assertion may have mattered.
(assert (= q p))
(check-sat)
(pop 2)
(pop 1)
; That `pop` failed made the bottom level suspicious; start over.
(reset)
(declare-const p Bool)
; A name may come back with another sort.
(declare-const q (_ BitVec 1))
(assert (= q #b1))
(check-sat)
(get-value (q))
(declare-const q (_ BitVec 1))
