//! Memory of unknown origin: the upper half of all addresses, which the program does not own.
//!
//! It is one array of elements. How wide these are is found round by round: as wide as every access of it is
//! wide and aligned. A wider access moves several of them. How an access is aligned is computed from where
//! its pointer comes from ([`crate::lower::build::alignment`]); the alignment that is relied on is assumed at
//! the access, and one that is not known is not relied on, so that accesses at odd addresses meet bytes.
//!
//! What is loaded from there as a pointer is null, of unknown origin, or a pointer that the program stored
//! there and that was checked then. Everything else that the program stores there is a *stray*: a number, a
//! part of something, a pointer with another alignment than some load expects. Strays are marked in an array
//! of flags beside the elements; where one is loaded as a pointer and is none, the execution leaves the
//! model. There are flags only in programs that have both, stray stores and loads of pointers. Members of
//! structs of one type at different places are taken not to be the same memory; that is an assumption of the
//! answer.

use super::Key;
use super::access::{Alternative, Base, Index, Piece, Raw};
use super::provenance::STORED;
use crate::lower::AssumptionKind;
use crate::lower::build::alignment::Solved;
use crate::lower::build::levels::Level;
use crate::lower::lowering::Lowering;
use crate::types::{RecordId, TypeId};
use nilas_program::VarId;
use nilas_term::{Sort, Term, Value};
use std::collections::BTreeSet;

const ALIGNED: &str = "pointers of unknown origin are aligned for what they are declared to point to";
const WHOLE: &str = "structs of unknown origin overlap only as wholes";
/// The widest element is so many bytes, as a power of two.
const WIDEST: u32 = 3;

/// What is known of memory of unknown origin.
#[derive(Default)]
pub(in crate::lower) struct Outside {
    /// What the round relies on, from the rounds before.
    relied: Uses,
    /// The same, and what this round found.
    found: Uses,
    /// The stores of pointers of this round.
    pointers: Vec<Part>,
    /// The flags: whether an element holds a part of a stray.
    strays: Option<(VarId, Term)>,
}

/// How the program uses memory of unknown origin.
#[derive(Clone, Default)]
struct Uses {
    /// It loads pointers from there. The largest alignment of what these are declared to point to.
    alignment: u32,
    /// What these loads mean.
    loads: BTreeSet<Part>,
    /// What it stores.
    stores: BTreeSet<Part>,
    /// What it stores that is not known to be a pointer as the loads expect them.
    strays: BTreeSet<Part>,
}

/// What an access means: the bytes of a struct from one on up to another. `None` for anything.
type Part = Option<(RecordId, u64, u64)>;

/// Whether two accesses may mean the same memory, if structs overlap only as wholes.
fn meets(one: &Part, other: &Part) -> bool {
    match (one, other) {
        (Some((record, start, end)), Some((other, from, to))) if record == other => start < to && from < end,
        _ => true,
    }
}

fn any_meets(parts: &BTreeSet<Part>, part: &Part) -> bool {
    parts.iter().any(|other| meets(other, part))
}

impl Outside {
    /// What the next round knows.
    pub(in crate::lower) fn after(before: Outside) -> Self {
        Outside { relied: before.found.clone(), found: before.found, ..Outside::default() }
    }

    /// How much is known; more in a later round, until nothing is added.
    pub(in crate::lower) fn size(&self) -> usize {
        let Uses { alignment, loads, stores, strays } = &self.found;
        *alignment as usize + loads.len() + stores.len() + strays.len()
    }
}

impl Lowering<'_> {
    /// The alignment that pointers to a type are assumed to have, as a power of two.
    pub(in crate::lower) fn alignment(&self, pointee: Option<TypeId>) -> u32 {
        // Wider scalars are aligned less on some machines.
        let word = self.tree.types.model().pointer_size();
        pointee.map_or(0, |ty| self.tree.types.align_of(ty).clamp(1, word).ilog2())
    }

    /// The same for what a type points to.
    pub(in crate::lower) fn pointee_alignment(&self, pointer: TypeId) -> u32 {
        self.alignment(self.tree.types.pointee(pointer))
    }

    /// Makes memory of unknown origin, if a round before has met accesses to it.
    pub(in crate::lower) fn known_external(&mut self) {
        let Some(&width) = self.memory.widths.first() else { return };
        self.object(Key::External(width));
        let Uses { loads, strays, .. } = &self.memory.outside.relied;
        if loads.iter().any(|load| any_meets(strays, load)) {
            let sort = Sort::array(Sort::BitVec(self.pointer_bits()), Sort::Bool);
            self.memory.outside.strays = Some(self.build.new_variable("external.strays", &sort));
        }
    }

    /// Memory of unknown origin holds anything at first, and nothing that the program stored.
    pub(in crate::lower) fn initialise_external(&mut self) {
        if let Some(object) = self.memory.external {
            self.havoc_object(object);
        }
        if let Some((variable, term)) = self.memory.outside.strays {
            let sort = self.build.arena.sort(term).clone();
            let none = self.build.arena.constant(Value::default_of(&sort));
            self.build.assign(variable, none);
        }
    }

    /// Notes how wide the elements are that this round needs, and whether all pointers that are stored are
    /// aligned.
    pub(in crate::lower) fn note_alignments(&mut self) -> Solved {
        let solved = self.build.solve_alignments();
        self.memory.widths.extend(solved.least.map(|zeros| 8 << zeros));
        let Outside { found, pointers, .. } = &mut self.memory.outside;
        found.strays.extend(solved.odd_stores.iter().filter_map(|&store| pointers.get(store)));
        solved
    }

    /// The part of an access that is in memory of unknown origin.
    pub(in crate::lower) fn resolve_external(
        &mut self,
        raw: Raw,
        bit: u32,
        width: u32,
    ) -> Option<Alternative> {
        raw.class.filter(|&class| self.points.origin(class).external)?;
        let whole = bit == 0 && width.is_multiple_of(8);
        let asked = if whole { (width / 8).trailing_zeros().min(WIDEST) } else { 0 };
        self.build.alignments.accessed(raw.address, asked);
        let inside = self.build.arena.bv_is_negative(raw.address);
        // The next round has it.
        let object = self.memory.external?;
        self.build.rests_on(
            AssumptionKind::UnknownPointer,
            "pointers of unknown origin are null or point into memory that the program does not own",
        );
        let zeros = self.build.zero_bits(raw.address).min(asked);
        self.assume_aligned(raw.address, inside, zeros);
        let pointer = self.pointer_bits();
        let element = self.memory.objects[object.0].leaves[0].width;
        let log = (element / 8).ilog2();
        if zeros < log {
            // The next round knows better.
            let aligned = self.has_zeros(raw.address, log);
            let odd = self.build.arena.not(aligned);
            let odd = self.build.arena.and(&[inside, odd]);
            self.build.unmodelled_if(odd, "access of memory of unknown origin across its elements");
        }
        let first = self.build.arena.extract(raw.address, pointer - 2, log);
        let first = self.extend(first, pointer, false);
        let mut pieces = Vec::new();
        let mut done = 0;
        while done < width {
            let (number, low) = ((bit + done) / element, (bit + done) % element);
            let number = self.build.arena.bv(pointer, u64::from(number));
            let index = Index::Term(self.build.arena.bv_add(first, number));
            let count = (element - low).min(width - done);
            pieces.push(Piece { object, leaf: 0, index, low, width: count });
            done += count;
        }
        // Nothing lies at the very end of all addresses and goes on behind it.
        let all = (1_u64 << (pointer - 1)) >> log;
        let run = u64::from((bit + width).div_ceil(element));
        let last = self.build.arena.bv(pointer, all - run);
        let fits = self.build.arena.bv_ule(first, last);
        if run > 1 {
            let fits = self.build.arena.implies(inside, fits);
            self.build.assume(fits);
        }
        Some(Alternative { condition: inside, pieces })
    }

    /// Whether so many low bits of an address are zero.
    fn has_zeros(&mut self, address: Term, zeros: u32) -> Term {
        if zeros == 0 {
            return self.build.arena.mk_true();
        }
        let low = self.build.arena.extract(address, zeros - 1, 0);
        let none = self.build.arena.bv(zeros, 0);
        self.build.arena.eq(low, none)
    }

    /// An access outside of the program is aligned as its pointer was computed, if pointers from outside are
    /// aligned.
    fn assume_aligned(&mut self, address: Term, inside: Term, zeros: u32) {
        let aligned = self.has_zeros(address, zeros);
        if self.build.arena.as_bool(aligned) != Some(true) {
            self.build.rests_on(AssumptionKind::UnknownPointer, ALIGNED);
            let aligned = self.build.arena.implies(inside, aligned);
            self.build.assume(aligned);
        }
    }

    /// What an access of so many bits means.
    fn part(&self, base: &Base, width: u32) -> Part {
        let Base::Raw(raw) = base else { return None };
        let record = raw.ty.and_then(|ty| self.tree.types.as_record(ty))?;
        let (member, _) = raw.member?;
        Some((record, member, member + u64::from(width.div_ceil(8))))
    }

    /// Whether an access finds a pointer where pointers are stored: not in the parts of two of them.
    fn is_on_pointers(&self, base: &Base) -> bool {
        matches!(base, Base::Raw(raw) if self.build.zero_bits(raw.address) >= self.pointer_log())
    }

    /// The bytes of a pointer, as a power of two.
    fn pointer_log(&self) -> u32 {
        (self.pointer_bits() / 8).ilog2()
    }

    /// Whether a value is among the pointers that are expected in memory of unknown origin.
    fn is_expected_outside(&mut self, value: Term) -> Term {
        let class = self.points.outside_content();
        let known = self.known_in(value, class, None).is_some()
            || self.known_pointer(value, None) == Some(super::provenance::Known::Outside);
        if known {
            return self.build.arena.mk_true();
        }
        let expected = self.expected(value, class);
        let outside = self.build.arena.bv_is_negative(value);
        self.build.arena.or(&[outside, expected])
    }

    /// A value is about to be written to memory of unknown origin.
    pub(in crate::lower) fn store_outside(
        &mut self,
        base: &Base,
        alternative: &Alternative,
        (value, width): (Term, u32),
        alone: bool,
    ) {
        let part = self.part(base, width);
        self.memory.outside.found.stores.insert(part);
        if !any_meets(&self.memory.outside.relied.loads, &part) {
            return;
        }
        let expected = self.memory.outside.relied.alignment;
        let pointer = *self.build.arena.sort(value) == Sort::BitVec(self.pointer_bits());
        let stray = if let Base::Raw(raw) = base
            && pointer
        {
            let store = self.memory.outside.pointers.len();
            self.memory.outside.pointers.push(part);
            self.build.alignments.stored(raw.address, self.pointer_log(), store);
            self.build.alignments.stored(value, expected, store);
            let known = self.is_expected_outside(value);
            if self.build.arena.as_bool(known) != Some(true) {
                self.memory.outside.found.strays.insert(part);
            }
            let known = match self.is_on_pointers(base) {
                true => known,
                false => self.build.arena.mk_false(),
            };
            let aligned = match self.build.zero_bits(value) {
                zeros if zeros >= expected => self.build.arena.mk_true(),
                _ => self.has_zeros(value, expected),
            };
            let good = self.build.arena.and(&[known, aligned]);
            self.build.arena.not(good)
        } else {
            self.memory.outside.found.strays.insert(part);
            self.build.arena.mk_true()
        };
        let Some((variable, flags)) = self.memory.outside.strays else { return };
        let mut after = flags;
        for piece in &alternative.pieces {
            let index = self.index_term(piece.index);
            after = self.build.arena.store(after, index, stray);
        }
        if !alone {
            after = self.build.arena.ite(alternative.condition, after, flags);
        }
        self.build.assign(variable, after);
    }

    fn index_term(&mut self, index: Index) -> Term {
        match index {
            Index::Fixed(index) => self.build.arena.bv(self.pointer_bits(), index),
            Index::Term(index) => index,
        }
    }

    /// Checks a value that is written into memory of unknown origin, where a condition holds. An address must
    /// be expected among the pointers there, because it may be loaded as one.
    pub(in crate::lower) fn check_given_away(&mut self, value: Term, condition: Option<Term>) {
        match self.build.level(value) {
            Level::Clean => {}
            Level::Address(_) if *self.build.arena.sort(value) == Sort::BitVec(self.pointer_bits()) => {
                let class = self.points.outside_content();
                if self.known_in(value, class, None).is_none() {
                    let expected = self.expected(value, class);
                    let not = self.build.arena.not(expected);
                    let stray = match condition {
                        Some(condition) => self.build.arena.and(&[condition, not]),
                        None => not,
                    };
                    self.build.unmodelled_if(stray, STORED);
                }
            }
            _ => {
                self.unmodelled_where(
                    condition,
                    "a part of an address is stored in memory of unknown origin",
                );
            }
        }
    }

    /// A pointer that was loaded from memory of unknown origin: what is written there is checked or a stray,
    /// and what was there before is of unknown origin itself.
    pub(in crate::lower) fn loaded_outside(
        &mut self,
        base: &Base,
        alternative: &Alternative,
        value: Term,
        pointee: TypeId,
    ) -> Term {
        let zeros = self.alignment(Some(pointee));
        let part = self.part(base, self.pointer_bits());
        let Outside { relied, found, .. } = &mut self.memory.outside;
        found.loads.insert(part);
        found.alignment = found.alignment.max(zeros);
        let (stored, strayed) = (any_meets(&relied.stores, &part), any_meets(&relied.strays, &part));
        if relied.stores.iter().any(|store| !meets(store, &part)) {
            self.build.rests_on(AssumptionKind::UnknownPointer, WHOLE);
        }
        let mut strays = Vec::new();
        if stored && !self.is_on_pointers(base) {
            strays.push(self.build.arena.mk_true());
        } else if let Some((_, flags)) = self.memory.outside.strays.filter(|_| strayed) {
            for piece in &alternative.pieces {
                let index = self.index_term(piece.index);
                strays.push(self.build.arena.select(flags, index));
            }
        }
        let stray = self.build.arena.or(&strays);
        let stray = self.build.arena.and(&[alternative.condition, stray]);
        let class = self.points.outside_content();
        let expected = self.expected(value, class);
        let outside = self.build.arena.bv_is_negative(value);
        let expected = self.build.arena.or(&[outside, expected]);
        let aligned = self.has_zeros(value, zeros);
        let aligned = self.build.arena.implies(outside, aligned);
        let good = self.build.arena.and(&[expected, aligned]);
        let not = self.build.arena.not(good);
        let odd = self.build.arena.and(&[stray, not]);
        self.build.unmodelled_if(odd, "what is no pointer is loaded as one from memory of unknown origin");
        let expected = self.build.arena.implies(alternative.condition, expected);
        self.build.assume(expected);
        // In a variable: what is known of it is not known of what is there later.
        let sort = Sort::BitVec(self.pointer_bits());
        let (variable, loaded) = self.build.new_variable(&format!("{}::%loaded", self.context()), &sort);
        self.build.track_temporary(variable);
        self.build.assign_aligned(variable, value, zeros);
        loaded
    }
}
