//! Broken texts: the readers and the way to automata survive them. The count can be raised by the variable
//! `NILAS_MUTANTS`.

#![allow(clippy::unwrap_used)]

use nilas_system::{System, read_btor2, read_horn, read_vmt, to_automaton};

const HORN: &str = "(set-logic HORN)
(declare-fun P ((_ BitVec 8) Bool) Bool)
(declare-fun |a b| ((Array (_ BitVec 2) (_ BitVec 4))) Bool)
(define-fun twice ((x (_ BitVec 8))) (_ BitVec 8) (bvadd x x))
(assert (forall ((x (_ BitVec 8)) (y Bool)) (=> (and (= x #x00) y) (P x y))))
(assert (forall ((x (_ BitVec 8)) (y Bool)) (let ((z (twice x))) (=> (and (P x y) (or (bvult z #x0a) (not y))) (P z y)))))
(assert (forall ((m (Array (_ BitVec 2) (_ BitVec 4)))) (=> (= (select m #b01) #x3) (|a b| m))))
(assert (not (exists ((x (_ BitVec 8))) (and (P x true) (= x (_ bv9 8))))))
(check-sat)
(exit)
";

const RULES: &str = "(declare-rel p ((_ BitVec 4))) (declare-rel q ()) (declare-var x (_ BitVec 4))
(rule (p #x1)) (rule (=> (p x) (p (bvmul x #x3))) step) (rule (=> (and (p x) (= x #x2)) q)) (query q)
";

const VMT: &str = "(declare-fun x () (_ BitVec 8)) (declare-fun |x'| () (_ BitVec 8)) (declare-fun i () Bool)
(define-fun s () (_ BitVec 8) (! x :next |x'|))
(define-fun .i () Bool (! (= x #x01) :init true))
(define-fun .t () Bool (! (ite i (= |x'| (bvadd x #x02)) (= |x'| x)) :trans true))
(define-fun .p () Bool (! (distinct x #x05) :invar-property 0))
(assert true)
";

const BTOR2: &str = "1 sort bitvec 4
2 sort bitvec 1
3 input 2 up
4 state 1 count
5 zero 1
6 init 1 4 5
7 inc 1 4
8 ite 1 3 7 -4
9 next 1 4 8
10 constd 1 -3
11 eq 2 4 10
12 sort array 1 2
13 state 12 memory
14 read 2 13 4
15 write 12 13 4 -14
16 next 12 13 15
17 slice 2 4 3 3
18 and 2 14 11
19 bad 18
20 constraint 17
";

struct Rng(u64);

impl Rng {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % bound.max(1)
    }
}

/// Words that are put somewhere.
const WORDS: [&str; 24] = [
    "(",
    ")",
    "x",
    "P",
    "true",
    "#x00",
    "#b1",
    "(_ BitVec 0)",
    "(_ BitVec 4294967295)",
    "forall",
    "exists",
    "let",
    "(! x :next x)",
    "Int",
    "99999999999999999999",
    "-1",
    "0",
    "|",
    "\"",
    "not",
    ":init",
    "state",
    "(_ extract 9 2)",
    "\n",
];

fn mutate(rng: &mut Rng, text: &str) -> String {
    let mut text: Vec<char> = text.chars().collect();
    for _ in 0..=rng.below(3) {
        let at = rng.below(text.len() + 1);
        match rng.below(5) {
            0 => {
                let end = (at + 1 + rng.below(12)).min(text.len());
                text.drain(at.min(end)..end);
            }
            1 => {
                let word = format!(" {} ", WORDS[rng.below(WORDS.len())]);
                text.splice(at..at, word.chars());
            }
            2 if at < text.len() => text[at] = char::from(u8::try_from(32 + rng.below(95)).unwrap()),
            3 => {
                // A word in the place of another.
                let is_word = |c: &char| c.is_ascii_alphanumeric() || "#.!'".contains(*c);
                let start = (0..at.min(text.len()))
                    .rev()
                    .find(|&index| !is_word(&text[index]))
                    .map_or(0, |index| index + 1);
                let end = (start..text.len()).find(|&index| !is_word(&text[index])).unwrap_or(text.len());
                text.splice(start..end, WORDS[rng.below(WORDS.len())].chars());
            }
            _ => {
                // A piece again, elsewhere.
                let end = (at + rng.below(40)).min(text.len());
                let piece: Vec<char> = text[at.min(end)..end].to_vec();
                let to = rng.below(text.len() + 1);
                text.splice(to..to, piece);
            }
        }
    }
    text.into_iter().collect()
}

#[test]
fn no_text_breaks_a_reader() {
    let count = std::env::var("NILAS_MUTANTS").ok().and_then(|count| count.parse().ok()).unwrap_or(4000);
    let mut rng = Rng(0x9e37_79b9_7f4a_7c15);
    type Reader = fn(&str) -> Result<System, nilas_program::Diagnostic>;
    let seeds: [(Reader, &str); 4] =
        [(read_horn, HORN), (read_horn, RULES), (read_vmt, VMT), (read_btor2, BTOR2)];
    let (mut read, mut refused) = (0, 0);
    for number in 0..count {
        let (reader, seed) = seeds[number % seeds.len()];
        let text = mutate(&mut rng, seed);
        match reader(&text) {
            Ok(system) => {
                read += 1;
                let layout = to_automaton(&system, None);
                assert_eq!(nilas_program::wellformed::check(&layout.program), Ok(()), "{text}");
            }
            Err(diagnostic) => {
                refused += 1;
                let shown = diagnostic.render("text", &text);
                assert!(shown.starts_with("text:") && shown.contains('^'), "{shown}");
            }
        }
    }
    assert!(read > count / 200 && refused > count / 50, "{read} read, {refused} refused");
}
