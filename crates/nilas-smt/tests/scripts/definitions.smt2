; Functions, constants and sorts with definitions.
; expect: sat
; expect: ((x #x04)
; expect:  ((double x) #x08))
; expect: unsat
; expect: (error "line 17 column 39: the body has sort Bool, but (_ BitVec 8) is declared")
; expect: sat
(define-sort Byte () (_ BitVec 8))
(declare-const x Byte)
(define-fun double ((n Byte)) Byte (bvadd n n))
(define-const eight Byte #x08)
(define-fun limit () Bool (bvult x #x10))
(assert limit)
(assert (= (double x) eight))
(check-sat) (get-value (x (double x)))
(check-sat-assuming ((not (= (double (double x)) (let ((y (double x))) (bvadd y y))))))
(define-fun wrong () (_ BitVec 8)     (= x #x00))
(check-sat)
