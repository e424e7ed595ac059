; A little search: a number and its square root.
; expect: sat
; expect: ((r #x3039))
; expect: unsat
(set-logic QF_BV)
(declare-const r (_ BitVec 16))
(define-fun square () (_ BitVec 32) (bvmul (concat #x0000 r) (concat #x0000 r)))
(push)
(assert (= square #x09156cb1))
(check-sat)
(get-value (r))
(pop)
(assert (= square #x09156cb3))
(check-sat)
