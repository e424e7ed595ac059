//! Properties in the words of the second reading of C.
//!
//! Both readings name what goes wrong: the lowering by property, the interpreter by kind of undefined
//! behaviour. An execution confirms a violation only if property and place are the same.

use nilas_c::{Properties, Property};
use nilas_report::Violation;
use nilas_run::{End, Frame, Kinds, Place, UndefinedKind};

/// The property that behaviour of a kind violates; `None` for what no property is about.
pub(crate) fn property(kind: UndefinedKind) -> Option<Property> {
    use UndefinedKind as K;
    Some(match kind {
        K::OutOfBoundsRead | K::OutOfBoundsWrite | K::IndexOutOfArray => Property::Bounds,
        K::UseAfterFree | K::DeadObject => Property::UseAfterFree,
        K::NullDereference | K::CallOfNoFunction => Property::Null,
        K::DivisionByZero => Property::Division,
        K::DivisionOverflow | K::SignedOverflow => Property::SignedOverflow,
        K::ShiftTooFar | K::ShiftOverflow => Property::Shift,
        K::FloatToInt => Property::FloatToInt,
        K::InvalidFree => Property::BadFree,
        K::DoubleFree => Property::DoubleFree,
        K::NoReturnValue => Property::MissingReturn,
        K::StringLiteralWrite => Property::StringLiteralWrite,
        K::UninitialisedRead => Property::Uninitialised,
        K::Unreachable => Property::Unreachable,
        K::Leak => Property::Leak,
        K::UnsignedOverflow => Property::UnsignedOverflow,
        K::SignedConversion => Property::SignedConversion,
        K::NotANumber => Property::FloatNan,
        K::Unsequenced
        | K::ArrayLength
        | K::ConstWrite
        | K::NoreturnReturns
        | K::OpenResult
        | K::MissingArgument
        | K::ArgumentType => Property::OtherUndefined,
        K::WildPointer
        | K::NotAnObject
        | K::Misaligned
        | K::CallOfOtherType
        | K::OverlappingCopy
        | K::PointerArithmetic
        | K::PointerComparison
        | K::PointerDifference
        | K::DeadPointer
        | K::TrapRepresentation
        | K::LibraryArgument
        | K::ArgumentList
        | K::Format
        | K::JumpOutOfScope => return None,
    })
}

/// The kinds that violate one of some properties.
pub(crate) fn kinds(properties: Properties) -> Kinds {
    let violates = |kind: &UndefinedKind| property(*kind).is_some_and(|it| properties.contains(it));
    UndefinedKind::ALL.iter().copied().filter(violates).collect()
}

/// What an execution violates of some properties, and which place of the user's text answers for it.
pub(crate) fn violation(end: &End, properties: Properties) -> Option<Violation> {
    let (property, place, stack, span) = match end {
        End::Error { place, stack, .. } => (Property::Assert, place, stack, None),
        End::Undefined(undefined) => {
            (property(undefined.kind)?, &undefined.place, &undefined.stack, Some(undefined.span))
        }
        _ => return None,
    };
    let answers = blamed(place, stack);
    let span = span.filter(|_| answers == place);
    let Place { file, line, column } = answers.clone();
    properties.contains(property).then_some(Violation { property, file, line, column, span })
}

/// The place that answers for what happens: the call of a text of the library, or of an assertion.
fn blamed<'a>(place: &'a Place, stack: &'a [Frame]) -> &'a Place {
    let stands_for_call =
        |frame: &&Frame| nilas_c::is_text(&frame.place.file) || frame.function == "__VERIFIER_assert";
    let inside = stack.iter().take_while(stands_for_call).count();
    if inside == 0 { place } else { stack.get(inside).map_or(place, |caller| &caller.place) }
}
