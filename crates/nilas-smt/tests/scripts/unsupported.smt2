; What the solver does not decide is unknown, with the reason, and only where it is in force.
; expect: unknown
; expect: (:reason-unknown "not supported by the solver: sort Int")
; expect: sat
; expect: unknown
; expect: (:reason-unknown "not supported by the solver: sort Real")
; expect: (error "line 22 column 1: there is no model: the last command was no check answered `sat`")
; expect: sat
(set-logic ALL)
(declare-const n Int)
(declare-const r Real)
(declare-const p Bool)
(push)
(assert (or p (< n (* n n))))
(check-sat)
(get-info :reason-unknown)
(pop)
(check-sat)
(push)
(assert (or (not p) (< r (* r r))))
(check-sat) (get-info :reason-unknown)
(get-model)
(pop)
(check-sat)
