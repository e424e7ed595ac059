; Every operator of QF_BV by name: each line is a theorem, so its negation is unsat.
; expect: unsat
; expect: unsat
; expect: unsat
; expect: unsat
; expect: unsat
; expect: unsat
; expect: unsat
; expect: unsat
; expect: unsat
; expect: unsat
; expect: unsat
; expect: unsat
(set-logic QF_BV)
(declare-const a (_ BitVec 6))
(declare-const b (_ BitVec 6))
(check-sat-assuming ((distinct (bvsub a b) (bvadd a (bvneg b)))))
(check-sat-assuming ((distinct (bvnand a b) (bvnot (bvand a b)))))
(check-sat-assuming ((distinct (bvxnor a b) (bvnot (bvxor a b)))))
(check-sat-assuming ((distinct (bvnor a b) (bvand (bvnot a) (bvnot b)))))
(check-sat-assuming ((distinct a (bvadd (bvmul (bvudiv a b) b) (bvurem a b)))))
(check-sat-assuming ((distinct a (bvadd (bvmul (bvsdiv a b) b) (bvsrem a b)))))
(check-sat-assuming ((not (=> (distinct b #b000000) (or (= (bvsmod a b) #b000000) (= (bvslt (bvsmod a b) #b000000) (bvslt b #b000000)))))))
(check-sat-assuming ((distinct (concat ((_ extract 5 2) a) ((_ extract 1 0) a)) a)))
(check-sat-assuming ((distinct ((_ rotate_left 2) a) (concat ((_ extract 3 0) a) ((_ extract 5 4) a)))))
(check-sat-assuming ((distinct ((_ rotate_right 2) a) ((_ rotate_left 4) a))))
(check-sat-assuming ((distinct (bvcomp a b) (ite (= a b) #b1 #b0))))
(check-sat-assuming ((xor (bvuge a b) (bvule b a))))
