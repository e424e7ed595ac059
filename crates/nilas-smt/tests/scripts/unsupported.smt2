; What the solver does not decide is unknown, with the reason, and only where it is in force.
; expect: unknown
; expect: (:reason-unknown "not supported by the solver: sort (Array (_ BitVec 8) (_ BitVec 8))")
; expect: sat
; expect: unknown
; expect: (:reason-unknown "not supported by the solver: sort Int")
; expect: unknown
; expect: (:reason-unknown "not supported by the solver: the uninterpreted function `f`")
; expect: (error "line 27 column 1: there is no model: the last command was no check answered `sat`")
; expect: sat
(set-logic ALL)
(declare-const m (Array (_ BitVec 8) (_ BitVec 8)))
(declare-const i (_ BitVec 8))
(declare-const n Int)
(declare-fun f ((_ BitVec 8)) Bool)
(push)
(assert (= (select m i) (bvadd i #x01)))
(check-sat)
(get-info :reason-unknown)
(pop)
(check-sat)
(check-sat-assuming ((< n (* n n))))
(get-info :reason-unknown)
(push)
(assert (f i))
(check-sat) (get-info :reason-unknown)
(get-model)
(pop)
(check-sat)
