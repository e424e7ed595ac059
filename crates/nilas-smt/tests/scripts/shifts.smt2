; Shifts, extensions and comparisons.
; expect: unsat
; expect: unsat
; expect: unsat
; expect: unsat
; expect: unsat
; expect: sat
; expect: ((a #b100000))
(set-logic QF_BV)
(declare-const a (_ BitVec 6))
(declare-const b (_ BitVec 6))
(check-sat-assuming ((distinct (bvshl a #b000010) (bvmul a #b000100))))
(check-sat-assuming ((distinct (bvlshr a #b000011) (bvudiv a #b001000))))
(check-sat-assuming ((bvuge b #b000110) (distinct (bvashr a b) (ite (bvslt a #b000000) #b111111 #b000000))))
(check-sat-assuming ((distinct ((_ sign_extend 2) a) (concat (ite (bvsge a #b000000) #b00 #b11) a))))
(check-sat-assuming ((distinct ((_ zero_extend 2) a) (concat #b00 a))))
(check-sat-assuming ((= a (bvneg a)) (distinct a #b000000)))
(get-value (a))
