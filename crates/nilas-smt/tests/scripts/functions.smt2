; Models of functions and arrays say what the assertions say.
; expect: sat
; expect: (
; expect:   (define-fun f ((x!0 (_ BitVec 4)) (x!1 Bool)) (_ BitVec 4) (ite (and (= x!0 #x1) (= x!1 true)) #x7 (ite (and (= x!0 #x2) (= x!1 false)) #x9 #x0)))
; expect:   (define-fun g ((x!0 (_ BitVec 4))) Bool (ite (= x!0 #x9) true false))
; expect:   (define-fun m () (Array (_ BitVec 4) (_ BitVec 4)) (store ((as const (Array (_ BitVec 4) (_ BitVec 4))) #x0) #x3 #x5))
; expect: )
; expect: (((f #x1 true) #x7))
; expect: unsat
(set-logic QF_AUFBV)
(declare-fun f ((_ BitVec 4) Bool) (_ BitVec 4))
(declare-fun g ((_ BitVec 4)) Bool)
(declare-const m (Array (_ BitVec 4) (_ BitVec 4)))
(assert (= (f #x1 true) #x7))
(assert (= (f #x2 false) #x9))
(assert (= (select m #x3) #x5))
(check-sat-assuming ((g (f #x2 false))))
(get-model)
(get-value ((f #x1 true)))
(check-sat-assuming ((g (f #x2 false)) (not (g #x9))))
