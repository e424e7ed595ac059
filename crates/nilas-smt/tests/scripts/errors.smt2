; Whatever is wrong is said, and the script goes on.
; expect: (error "line 19 column 1: unknown command `frobnicate`")
; expect: (error "line 20 column 1: command expected")
; expect: (error "line 21 column 10: `bvadd`: arguments of different sorts: (_ BitVec 8) and (_ BitVec 4)")
; expect: unknown
; expect: (:reason-unknown "the command `frobnicate` is unknown")
; expect: (error "line 24 column 12: unknown symbol `y`")
; expect: (error "line 25 column 1: 1 arguments expected, 2 found")
; expect: unsat
; expect: (error "line 28 column 1: there is no model: the last command was no check answered `sat`")
; expect: (error "line 29 column 12: unexpected character '}'")
; expect: success
; expect: success
; expect: unsupported
; expect: "it says ""hi"""
; expect: (error "line 34 column 15: number of levels expected")
; expect: success
(declare-const x (_ BitVec 8))
(frobnicate x)
(42)
(assert (bvadd x #x1))
(check-sat)
(get-info :reason-unknown)
(assert (= y x))
(assert x x)
(assert false)
(check-sat)
(get-model)
(check-sat }
(set-option :print-success true)
(declare-const z Bool)
(set-option :frob 3)
(echo "it says ""hi""")
(push         many)
(exit)
(check-sat)
