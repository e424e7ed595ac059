; Sorts that scripts declare and define, with parameters or without.
; expect: sat
; expect: unsat
; expect: (error "line 22 column 18: unknown sort `Gone`")
; expect: (error "line 23 column 20: only sorts without parameters can be declared")
; expect: unsat
(declare-sort U 0)
(define-sort Word () (_ BitVec 8))
(define-sort Table (X) (Array Word X))
(declare-const t (Table U))
(declare-fun next (U) U)
(declare-const u U)
(declare-const i Word)
(assert (distinct (select t i) (next (select t i))))
(check-sat)
(push)
(declare-sort Gone 0)
(declare-const g Gone)
(assert (= (next (next u)) u))
(check-sat-assuming ((distinct (next (next (next (next u)))) u)))
(pop)
(declare-const h Gone)
(declare-sort Pair 2)
(check-sat-assuming ((= (next (select t i)) (select t i))))
