; Assumptions and those that failed.
; expect: sat
; expect: unsat
; expect: ((not q) p)
; expect: unsat
; expect: ((bvult x #x10) (= x #x20))
; expect: unsat
; expect: (false)
; expect: sat
; expect: (error "line 29 column 1: the last command was no `check-sat-assuming` answered `unsat`")
; expect: (error "line 30 column 21: list expected")
; expect: (error "line 31 column 22: an assumption is of sort Bool")
; expect: unsat
; expect: (p (not p))
(set-option :produce-unsat-assumptions true)
(declare-const p Bool)
(declare-const q Bool)
(declare-const r Bool)
(declare-const x (_ BitVec 8))
(assert (=> p q))
(check-sat-assuming (p r))
(check-sat-assuming (r (not q) p))
(get-unsat-assumptions)
(check-sat-assuming (r (bvult x #x10) p (= x #x20)))
(get-unsat-assumptions)
(check-sat-assuming (p false))
(get-unsat-assumptions)
(check-sat-assuming ())
(get-unsat-assumptions)
(check-sat-assuming p)
(check-sat-assuming (x))
(check-sat-assuming (p p q (not p)))
(get-unsat-assumptions)
