//! The list of faults: a name, the part that is wrong, and a sentence that says what goes wrong.

/// An entry of the list.
#[derive(Clone, Copy, Debug)]
pub struct Seeded {
    /// The fault.
    pub fault: Fault,
    /// What `NILAS_FAULT` calls it.
    pub name: &'static str,
    /// The part of Nilas that is wrong.
    pub part: &'static str,
    /// What goes wrong.
    pub sentence: &'static str,
}

macro_rules! faults {
    ($($part:literal: $($fault:ident $name:literal $sentence:literal,)*)*) => {
        /// A mistake that can be planted.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Fault {
            $($(#[doc = $sentence] $fault,)*)*
        }

        /// All faults, part by part.
        pub const ALL: &[Seeded] = &[
            $($(Seeded { fault: Fault::$fault, name: $name, part: $part, sentence: $sentence },)*)*
        ];
    };
}

faults! {
    "Control":
    ElseLost "else-lost" "Where an `if` with an `else` fails, the execution vanishes.",
    LoopExitLost "loop-exit-lost" "A loop with a `break` is left by the `break` only.",
    DoWhileContinueToHead "do-while-continue-to-head" "`continue` in a `do` loop skips the condition.",
    ContinueSkipsStep "continue-skips-step" "`continue` in a `for` loop skips the step.",
    SwitchDefaultLost "switch-default-lost" "A `switch` never goes to its `default`.",
    SwitchNoFallThrough "switch-no-fall-through" "No case falls through to the next one.",
    CaseRangeOpen "case-range-open" "The last number of a case range is no part of it.",
    AndFailureLost "and-failure-lost"
        "Where the first operand of `&&` fails and the second has effects, the execution vanishes.",
    GuardLost "guard-lost" "Undefined behaviour in an operand that is not evaluated ends the execution.",
    GotoSkipsCleanup "goto-skips-cleanup"
        "`goto` out of a block does not call the `cleanup` of its variables.",
    CleanupInOrder "cleanup-in-order" "Variables with a `cleanup` are cleaned up first declared, first.",
    GotoKeepsValue "goto-keeps-value"
        "A variable whose declaration is jumped over keeps the value of its last life.",
    "Order of evaluation":
    OperandNotSaved "operand-not-saved"
        "The first operand of an operator is computed again after the effects of the second.",
    ArgumentNotSaved "argument-not-saved" "Arguments are computed again after the effects of later ones.",
    OrderOneWay "order-one-way" "Where C leaves the order of evaluation open, only one order is explored.",
    PostfixGivesNew "postfix-gives-new" "`x++` has the new value.",
    BitFieldValueNotCut "bit-field-value-not-cut"
        "The value of an assignment to a bit-field is what was assigned, not what fits.",
    "Numbers":
    SubtractionSwapped "subtraction-swapped" "`a - b` is `b - a`.",
    DivisionUnsigned "division-unsigned" "Signed division is unsigned.",
    RemainderOfDivisor "remainder-of-divisor" "A signed remainder has the sign of the divisor.",
    ShiftRightLogical "shift-right-logical" "`>>` of a negative number shifts zeros in.",
    LessUnsigned "less-unsigned" "`<` of signed numbers is unsigned.",
    LessEqualStrict "less-equal-strict" "`<=` of unsigned numbers is `<`.",
    SignExtensionLost "sign-extension-lost" "Widening a negative number gives a positive one.",
    BoolLowBit "bool-low-bit" "Conversion to `_Bool` looks at the lowest bit only.",
    BitFieldUnsigned "bit-field-unsigned" "Signed bit-fields are read as unsigned.",
    PopcountTopBit "popcount-top-bit" "`__builtin_popcount` forgets the highest bit.",
    OverflowUnsigned "overflow-unsigned" "The `…_overflow` builtins take the target for unsigned.",
    "Pointers":
    DifferenceUnscaled "difference-unscaled" "The difference of two pointers is in bytes.",
    NegativeIndex "negative-index" "An `int` index is extended without its sign.",
    PointerMinusAdds "pointer-minus-adds" "`p - i` is `p + i`.",
    FirstTargetCalled "first-target-called" "A call through a pointer calls the first function of its type.",
    "Memory":
    SecondCandidateNotWritten "second-candidate-not-written"
        "A write through a pointer with several candidates misses the last one.",
    SecondCandidateNotRead "second-candidate-not-read"
        "A read through a pointer with several candidates reads the first one.",
    ArrayStoreLost "array-store-lost"
        "A store to an array at an index that is no constant is lost where it is one of several.",
    LastCellRepeated "last-cell-repeated"
        "A read of a small array at a variable index never gives the last element but one.",
    NeighbourClobbered "neighbour-clobbered" "A write of a part of a word clears what lies above it.",
    BytesInOtherOrder "bytes-in-other-order"
        "A read over several elements puts them together in the wrong order.",
    StructCopyFirstElement "struct-copy-first-element"
        "Copying a struct copies the first element of its arrays.",
    StructCopyLastLost "struct-copy-last-lost" "Copying a struct forgets its last member.",
    MemmoveAsItGoes "memmove-as-it-goes" "Moving bytes inside of an object reads what it wrote.",
    MemcpyWholeOnly "memcpy-whole-only" "`memcpy` skips a member of which only a part is copied.",
    MemsetByteOnce "memset-byte-once" "`memset` sets the lowest byte of a number only.",
    ReallocOneShort "realloc-one-short" "`realloc` moves one element less than there are.",
    ReallocOldAlive "realloc-old-alive" "`realloc` leaves the old object alive.",
    FreeForgotten "free-forgotten" "`free` does nothing.",
    DeclaredKeepsValue "declared-keeps-value"
        "A variable without initialiser keeps the value of its last life.",
    MallocClears "malloc-clears" "Memory from `malloc` that is called once holds zero.",
    CallocFirstCleared "calloc-first-cleared" "`calloc` in a loop clears the first element only.",
    ShapeOfFirstAllocation "shape-of-first-allocation"
        "All objects of an allocation have the shape of the first.",
    StaticLocalAgain "static-local-again"
        "A static local variable is initialised whenever its declaration is reached.",
    StaticAnyValue "static-any-value" "Static objects without initialiser hold any value.",
    RestNotZero "rest-not-zero" "Elements without initialiser are not zero.",
    TerminatorLost "terminator-lost" "A string that initialises an array loses its last character.",
    OlderInstanceAlive "older-instance-alive"
        "A pointer to a dead instance of a variable is one to the present instance.",
    VolatileCached "volatile-cached" "Volatile objects outside of the program keep their value.",
    "Points-to analysis":
    FlowReturnLost "flow-return-lost" "Pointers that a function returns are forgotten.",
    FlowMemcpyLost "flow-memcpy-lost" "Pointers that `memcpy` copies are forgotten.",
    FlowNumberLost "flow-number-lost" "Pointers that go through integers are forgotten.",
    FlowStructLost "flow-struct-lost" "Pointers in structs that are assigned are forgotten.",
    FlowCallbackLost "flow-callback-lost"
        "Pointers that are given to functions called through pointers are forgotten.",
    SpanWithoutLast "span-without-last" "The span of a class lacks the region of its last object.",
    "Assumed instead of unmodelled":
    StrayStoreAssumed "stray-store-assumed"
        "A pointer that is not expected where it is stored ends the execution.",
    OddAccessAssumed "odd-access-assumed" "An access across elements ends the execution.",
    RecursionCut "recursion-cut" "Recursion beyond the bound ends the execution.",
    HeapCut "heap-cut" "Allocations beyond the bound end the execution.",
    LibraryPointerAssumed "library-pointer-assumed"
        "A library call on a pointer into an unknown object ends the execution.",
    "Calls":
    WrittenParameterBound "written-parameter-bound"
        "A parameter that is given a constant keeps it though it is written.",
    MissingReturnKeepsLast "missing-return-keeps-last"
        "A function that returns nothing returns what it returned before.",
    SharedReturnAnywhere "shared-return-anywhere"
        "A shared body of a recursive function returns to any of its calls.",
    DestructorSkipped "destructor-skipped" "Destructors do not run.",
    ConstructorPriorityIgnored "constructor-priority-ignored"
        "Constructors run in the order of their definitions.",
    ExitSkipsHandlers "exit-skips-handlers" "`exit` does not run what runs at exit.",
    ArgvLonger "argv-longer" "`argv[argc]` is a string.",
    UnknownWritesNothing "unknown-writes-nothing" "Unknown functions write nothing.",
    ErrnoNeverSet "errno-never-set" "Functions of the library that fail leave `errno` alone.",
    "Library texts":
    HandlersInOrder "handlers-in-order" "Functions registered with `atexit` run first registered, first.",
    QsortDoesNotCompare "qsort-does-not-compare" "`qsort` does not call the comparison.",
    StrlenOffByOne "strlen-off-by-one" "`strlen` of a literal counts the terminator.",
    StrncpyDoesNotPad "strncpy-does-not-pad" "`strncpy` does not fill the rest with zeros.",
    StrcmpSigned "strcmp-signed" "`strcmp` compares signed characters.",
    StrchrNoTerminator "strchr-no-terminator" "`strchr` does not find the terminator.",
    MemcmpOneShort "memcmp-one-short" "`memcmp` does not compare the last byte.",
    BsearchLastMissed "bsearch-last-missed" "`bsearch` does not look at the last element.",
    ToupperWithoutZ "toupper-without-z" "`toupper` leaves `z` alone.",
    StrtolNoSign "strtol-no-sign" "`strtol` forgets the minus sign.",
    "Floats":
    NanEqualToItself "nan-equal-to-itself" "`x != x` is false for a NaN.",
    RoundTowardZero "round-toward-zero" "Arithmetic rounds toward zero.",
    FloatToIntNearest "float-to-int-nearest" "Conversion to an integer rounds to nearest.",
    UnsignedToFloatSigned "unsigned-to-float-signed" "Unsigned numbers become floats as signed ones.",
    MinusAsDifference "minus-as-difference" "`-x` of a float is `0 - x`.",
    FmodPositive "fmod-positive" "`fmod` is never negative.",
    "Passes and terms":
    CopySurvivesWrite "copy-survives-write" "Copy propagation keeps copies of a variable that is written.",
    ConstantsMeetKeeps "constants-meet-keeps"
        "Constant propagation keeps a value that another way into a location does not know.",
    NegationLearntTrue "negation-learnt-true" "Constant propagation takes `!p` for `p`.",
    LivenessOneRound "liveness-one-round"
        "Liveness is not carried around loops, so assignments that are needed disappear.",
    BranchesCover "branches-cover" "Two assumptions side by side are taken to cover everything.",
    MergeByTarget "merge-by-target"
        "Locations that lead to the same locations are merged, whatever they do on the way.",
    BlockOneEdge "block-one-edge" "A large block has only one edge between two locations.",
    FactsForgotten "facts-forgotten" "What passes relied on is not handed over with the evidence.",
    ShiftFoldedLogical "shift-folded-logical"
        "Constant shifts to the right of negative numbers shift zeros in.",
}
