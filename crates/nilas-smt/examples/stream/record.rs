//! The stream of queries: made by a small IC3-like loop, recorded, written out.

use crate::system::{Atom, Literal, State, System};
use nilas_smt::{Activation, Answer, Budget, Embedded, Solver};
use std::fmt::Write;

/// Frames above the initial one.
pub const LEVELS: usize = 5;

const CONSTANTS: [u32; 24] = [
    0,
    1,
    2,
    3,
    4,
    5,
    7,
    8,
    10,
    15,
    16,
    31,
    100,
    255,
    256,
    1000,
    4096,
    65_535,
    65_536,
    1_000_000,
    0x7fff_ffff,
    0x8000_0000,
    0xdead_beef,
    0xffff_ffff,
];

/// One thing that happens to the solver.
pub enum Event {
    /// Has the cube a predecessor outside of itself in the frame of that level?
    Query { level: usize, cube: Vec<Literal>, sat: bool },
    /// The negation of the cube holds in frames up to that level.
    Lemma { level: usize, cube: Vec<Literal> },
}

pub struct Stream {
    pub events: Vec<Event>,
}

/// The activations of a frame: lemmas of its level and all above, since lemmas live at their highest level
/// only; the initial frame is the initial states.
pub fn frame(levels: &[Activation], level: usize) -> Vec<Activation> {
    if level == 0 { vec![levels[0]] } else { levels[level..].to_vec() }
}

struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    fn index(&mut self, limit: usize) -> usize {
        usize::try_from(self.below(limit as u64)).unwrap()
    }

    /// One of the constants of the "program": cubes of a real run are about few numbers, in many
    /// combinations.
    fn number(&mut self) -> u32 {
        CONSTANTS[self.index(CONSTANTS.len())]
    }

    /// A literal that holds in the state.
    fn literal(&mut self, state: &State) -> Literal {
        let (v, other) = (self.index(3), 1 + self.index(2));
        let w = (v + other) % 3;
        // Equal to the state's value where that is one of the constants.
        let near = if CONSTANTS.contains(&state[v]) && self.below(2) == 0 { state[v] } else { self.number() };
        let atom = match self.below(9) {
            0 | 1 => Atom::EqualConstant(v, near),
            2 | 3 => Atom::LessConstant(v, near),
            4 => Atom::SignedLessConstant(v, near),
            5 => Atom::Bit(v, u32::try_from(self.below(32)).unwrap()),
            6 => Atom::Equal(v, w),
            7 => Atom::Less(v, w),
            _ => Atom::SignedLess(v, w),
        };
        Literal { atom, value: atom.holds(state) }
    }

    /// A cube of 2 to 8 literals around the state that excludes the initial one.
    fn cube(&mut self, state: &State) -> Vec<Literal> {
        let size = 2 + self.index(7);
        let mut cube: Vec<Literal> = (0..size).map(|_| self.literal(state)).collect();
        if cube.iter().all(|literal| literal.atom.holds(&[0; 3]) == literal.value) {
            let v = (0..3).find(|&v| state[v] != 0).unwrap_or(0);
            cube[0] = Literal { atom: Atom::EqualConstant(v, 0), value: false };
        }
        cube.sort_unstable();
        cube.dedup();
        cube
    }

    fn state(&mut self) -> State {
        loop {
            let state = [self.number(), self.number(), self.number()];
            if state != [0; 3] {
                return state;
            }
        }
    }
}

pub fn make(queries: usize) -> Stream {
    let mut rng = Rng(0x5eed_1234_5678_9abd);
    let mut system = System::new();
    let mut solver = Embedded::hard();
    let levels: Vec<Activation> = (0..=LEVELS).map(|_| solver.activation()).collect();
    for init in system.init() {
        solver.assert_under(&system.arena, levels[0], init);
    }
    let mut events = Vec::new();
    let mut lemmas: Vec<(usize, Vec<Literal>)> = Vec::new();
    let (mut state, mut target) = (rng.state(), 1);
    for _ in 0..queries {
        let cube = rng.cube(&state);
        let level = target - 1;
        let assumptions: Vec<_> = cube.iter().map(|&literal| system.next(literal)).collect();
        let (clause, activation) = (system.blocked(&cube), solver.activation());
        solver.assert_under(&system.arena, activation, clause);
        let mut named = frame(&levels, level);
        named.push(activation);
        let answer = solver.check(&system.arena, &named, &assumptions, &Budget::unlimited());
        let sat = answer == Answer::Sat;
        if sat {
            let values = system.variables().map(|variable| solver.value(&system.arena, variable).unwrap());
            let number = |index: usize| {
                u32::try_from(values[index].as_bitvec().and_then(nilas_term::BitVec::to_u64).unwrap())
                    .unwrap()
            };
            let before = [number(0), number(1), number(2)];
            // Go on with the predecessor, one frame below, while it is not initial.
            (state, target) = if level > 0 && before != [0; 3] {
                (before, level)
            } else {
                (rng.state(), 1 + rng.index(LEVELS))
            };
            events.push(Event::Query { level, cube, sat });
        } else {
            let mut blocked: Vec<Literal> = (cube.iter().zip(&assumptions))
                .filter(|(_, assumption)| solver.failed().contains(assumption))
                .map(|(&literal, _)| literal)
                .collect();
            let initial = |literal: &&Literal| literal.atom.holds(&[0; 3]) == literal.value;
            if blocked.iter().all(|literal| initial(&literal)) {
                blocked.extend(cube.iter().find(|literal| !initial(literal)));
            }
            events.push(Event::Query { level, cube, sat });
            // An engine tests syntactically whether a lemma is new before it asserts it.
            let subsumes = |(known, lemma): &(usize, Vec<Literal>)| {
                *known >= target && lemma.iter().all(|literal| blocked.contains(literal))
            };
            if !lemmas.iter().any(subsumes) {
                let lemma = system.blocked(&blocked);
                solver.assert_under(&system.arena, levels[target], lemma);
                lemmas.push((target, blocked.clone()));
                events.push(Event::Lemma { level: target, cube: blocked });
            }
            (state, target) = if target < LEVELS && rng.below(2) == 0 {
                (state, target + 1)
            } else {
                (rng.state(), 1 + rng.index(LEVELS))
            };
        }
        solver.retire(activation);
    }
    Stream { events }
}

impl Stream {
    /// One event per line: `Q level sat|unsat literals` or `L level literals`.
    pub fn record(&self) -> String {
        let mut text = format!("levels {LEVELS}\n");
        for event in &self.events {
            let (cube, head) = match event {
                Event::Query { level, cube, sat } => {
                    (cube, format!("Q {level} {}", if *sat { "sat" } else { "unsat" }))
                }
                Event::Lemma { level, cube } => (cube, format!("L {level}")),
            };
            text.push_str(&head);
            for literal in cube {
                let _ = write!(text, " {literal}");
            }
            text.push('\n');
        }
        text
    }

    /// The same as an incremental script: level activations are Booleans, the negated cube stands on a level
    /// of the assertion stack.
    pub fn script(&self) -> String {
        let mut text = String::from(
            "(set-logic QF_BV)\n\
             (declare-const x (_ BitVec 32))\n(declare-const y (_ BitVec 32))\n(declare-const z (_ BitVec 32))\n\
             (declare-const c Bool)\n\
             (define-fun x1 () (_ BitVec 32) (ite c (bvadd x y) (bvxor x (bvshl y #x00000001))))\n\
             (define-fun y1 () (_ BitVec 32) (bvadd y #x00000001))\n\
             (define-fun z1 () (_ BitVec 32) (ite (bvult x y) (bvadd z x) (bvsub z #x00000001)))\n",
        );
        for level in 0..=LEVELS {
            let _ = writeln!(text, "(declare-const l{level} Bool)");
        }
        for name in ["x", "y", "z"] {
            let _ = writeln!(text, "(assert (=> l0 (= {name} #x00000000)))");
        }
        for event in &self.events {
            let (level, cube, query) = match event {
                Event::Query { level, cube, sat } => (*level, cube, Some(*sat)),
                Event::Lemma { level, cube } => (*level, cube, None),
            };
            let clause: Vec<String> = cube.iter().map(|&literal| smtlib(literal, false)).collect();
            let clause = format!("(not (and true {}))", clause.join(" "));
            let Some(sat) = query else {
                let _ = writeln!(text, "(assert (or (not l{level}) {clause}))");
                continue;
            };
            let mut assumptions: Vec<String> = match level {
                0 => vec!["l0".to_owned()],
                _ => (level..=LEVELS).map(|level| format!("l{level}")).collect(),
            };
            assumptions.extend(cube.iter().map(|&literal| smtlib(literal, true)));
            let status = if sat { "sat" } else { "unsat" };
            let _ = writeln!(
                text,
                "(push 1)\n(assert {clause})\n(set-info :status {status})\n(check-sat-assuming ({}))\n(pop 1)",
                assumptions.join(" "),
            );
        }
        text
    }
}

fn smtlib(literal: Literal, next: bool) -> String {
    let name = |v: usize| format!("{}{}", ["x", "y", "z"][v], if next { "1" } else { "" });
    let atom = match literal.atom {
        Atom::EqualConstant(v, c) => format!("(= {} #x{c:08x})", name(v)),
        Atom::LessConstant(v, c) => format!("(bvult {} #x{c:08x})", name(v)),
        Atom::SignedLessConstant(v, c) => format!("(bvslt {} #x{c:08x})", name(v)),
        Atom::Bit(v, bit) => format!("(= ((_ extract {bit} {bit}) {}) #b1)", name(v)),
        Atom::Equal(v, w) => format!("(= {} {})", name(v), name(w)),
        Atom::Less(v, w) => format!("(bvult {} {})", name(v), name(w)),
        Atom::SignedLess(v, w) => format!("(bvslt {} {})", name(v), name(w)),
    };
    if literal.value { atom } else { format!("(not {atom})") }
}
