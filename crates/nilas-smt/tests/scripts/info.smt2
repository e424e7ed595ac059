; What the runner says of itself.
; expect: (:name "Nilas")
; expect: (:error-behavior continued-execution)
; expect: unsupported
; expect: true
; expect: (error "line 13 column 1: the last command was no check answered `unknown`")
; expect: (error "line 15 column 12: the logic is QF_BV already")
; expect: (error "line 16 column 19: the status is `sat`, `unsat` or `unknown`")
(get-info :name)
(get-info :error-behavior)
(get-info :frob)
(get-option :produce-models)
(get-info :reason-unknown)
(set-logic QF_BV)
(set-logic QF_LIA)
(set-info :status perhaps)
(set-info :source |anything at all|)
