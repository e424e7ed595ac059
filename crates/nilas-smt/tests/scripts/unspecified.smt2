; SMT-LIB leaves the minimum of zeros of different sign open, so an `unsat` that rests on one choice must not be said.
; expect: unknown
; expect: (:reason-unknown "fp.min is not specified on all arguments")
; expect: sat
(set-logic QF_FP)
(push)
(assert (= (fp.min (_ +zero 5 11) (_ -zero 5 11)) (_ +zero 5 11)))
(check-sat)
(get-info :reason-unknown)
(pop)
(assert (= (fp.min (_ +zero 5 11) (_ -zero 5 11)) (_ -zero 5 11)))
(check-sat)
