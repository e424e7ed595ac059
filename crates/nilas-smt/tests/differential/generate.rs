//! Random scripts over Booleans, bit-vectors, arrays, functions, sorts and floats.
//!
//! What SMT-LIB leaves open (the sign of `fp.min` of two zeros, `fp.to_sbv` out of range) is not generated,
//! as solvers may differ there and be right.

use super::common::Rng;
use super::expr::{Cmd, E, Script, Ty, app, leaf};

/// Which theories there are besides Booleans and bit-vectors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Theories {
    pub arrays: bool,
    pub functions: bool,
    pub floats: bool,
}

const WIDTHS: [u32; 18] = [1, 2, 3, 4, 5, 6, 7, 8, 8, 9, 13, 16, 17, 31, 32, 33, 64, 65];
/// Not two bits of exponent: cvc5 1.0.3 rounds 3/4 to the integral 3/4 there.
const FORMATS: [(u32, u32); 5] = [(3, 3), (3, 4), (3, 5), (4, 4), (5, 11)];
const SAME: [&str; 13] = [
    "bvand", "bvor", "bvxor", "bvadd", "bvsub", "bvshl", "bvlshr", "bvashr", "bvnand", "bvnor", "bvxnor",
    "bvadd", "bvsub",
];
const HARD: [&str; 6] = ["bvmul", "bvudiv", "bvurem", "bvsdiv", "bvsrem", "bvsmod"];
const COMPARE: [&str; 8] = ["bvult", "bvule", "bvugt", "bvuge", "bvslt", "bvsle", "bvsgt", "bvsge"];

pub struct Generator {
    pub rng: Rng,
    theories: Theories,
    widths: Vec<u32>,
    format: (u32, u32),
    array: (u32, u32),
    depth: u32,
}

impl Generator {
    pub fn new(seed: u64, available: Theories) -> Self {
        let mut rng = Rng::new(seed);
        let theories = Theories {
            arrays: available.arrays && rng.chance(40),
            functions: available.functions && rng.chance(40),
            floats: available.floats && rng.chance(40),
        };
        let count = 1 + rng.below(3);
        let widths: Vec<u32> = (0..count).map(|_| rng.pick(&WIDTHS)).collect();
        let small = [1, 2, 3, 4, 8];
        let array = (rng.pick(&small), rng.pick(&small));
        let format = rng.pick(&FORMATS);
        Generator { rng, theories, widths, format, array, depth: 0 }
    }

    fn small(&mut self, limit: u32) -> u32 {
        u32::try_from(self.rng.below(u64::from(limit))).unwrap()
    }

    /// Bits as a constant of one of the written forms.
    fn constant(&mut self, width: u32) -> E {
        let style = self.rng.below(6);
        let bit = |rng: &mut Rng| match style {
            0 => '0',
            1 => '1',
            _ => {
                if rng.chance(50) {
                    '1'
                } else {
                    '0'
                }
            }
        };
        let mut digits: Vec<char> = (0..width).map(|_| bit(&mut self.rng)).collect();
        if style == 2 {
            // A small number.
            let keep = width.saturating_sub(3) as usize;
            digits[..keep].fill('0');
        }
        let digits: String = digits.into_iter().collect();
        let text = if width <= 60 && self.rng.chance(30) {
            format!("(_ bv{} {width})", u64::from_str_radix(&digits, 2).unwrap())
        } else if width.is_multiple_of(4) && width <= 64 && self.rng.chance(50) {
            let value = u64::from_str_radix(&digits, 2).unwrap();
            format!("#x{value:0length$x}", length = width as usize / 4)
        } else {
            format!("#b{digits}")
        };
        leaf(text, Ty::Bits(width))
    }

    fn width(&mut self) -> u32 {
        let widths = self.widths.clone();
        self.rng.pick(&widths)
    }

    pub fn boolean(&mut self, depth: u32) -> E {
        if depth == 0 || self.rng.chance(10) {
            let name = self.rng.below(4);
            return if self.rng.chance(5) {
                leaf(if self.rng.chance(50) { "true" } else { "false" }, Ty::Bool)
            } else {
                leaf(format!("p{name}"), Ty::Bool)
            };
        }
        let below = depth - 1;
        match self.rng.below(20) {
            0 => app("not", Ty::Bool, vec![self.boolean(below)]),
            1 | 2 => {
                let count = 2 + self.rng.below(3);
                let head = self.rng.pick(&["and", "or"]);
                app(head, Ty::Bool, (0..count).map(|_| self.boolean(below)).collect())
            }
            3 => {
                let head = self.rng.pick(&["xor", "=", "=>", "distinct"]);
                app(head, Ty::Bool, vec![self.boolean(below), self.boolean(below)])
            }
            4 => app("ite", Ty::Bool, vec![self.boolean(below), self.boolean(below), self.boolean(below)]),
            5 | 6 if self.theories.floats => self.float_predicate(below),
            7 if self.theories.arrays => {
                let head = self.rng.pick(&["=", "distinct"]);
                app(head, Ty::Bool, vec![self.array(below), self.array(below)])
            }
            8 if self.theories.functions => {
                if self.rng.chance(30) {
                    let width = self.widths[0];
                    return app("r", Ty::Bool, vec![self.bits(width, below), self.element(below)]);
                }
                let count = 2 + self.rng.below(2);
                let head = self.rng.pick(&["=", "distinct"]);
                app(head, Ty::Bool, (0..count).map(|_| self.element(below)).collect())
            }
            9 => {
                let width = self.width();
                let count = 2 + self.rng.below(2);
                app("distinct", Ty::Bool, (0..count).map(|_| self.bits(width, below)).collect())
            }
            10..=12 => {
                let width = self.width();
                app("=", Ty::Bool, vec![self.bits(width, below), self.bits(width, below)])
            }
            _ => {
                let width = self.width();
                let head = self.rng.pick(&COMPARE);
                app(head, Ty::Bool, vec![self.bits(width, below), self.bits(width, below)])
            }
        }
    }

    pub fn bits(&mut self, width: u32, depth: u32) -> E {
        let ty = Ty::Bits(width);
        let variable = self.widths.contains(&width);
        if depth == 0 || self.rng.chance(8) {
            return if variable && self.rng.chance(75) {
                let name = self.rng.below(3);
                leaf(format!("x{width}v{name}"), ty)
            } else {
                self.constant(width)
            };
        }
        let below = depth - 1;
        match self.rng.below(24) {
            0 => app("bvnot", ty, vec![self.bits(width, below)]),
            1 => app("bvneg", ty, vec![self.bits(width, below)]),
            2 | 3 => {
                app("ite", ty, vec![self.boolean(below), self.bits(width, below), self.bits(width, below)])
            }
            4 if width > 1 => {
                let cut = 1 + self.small(width - 1);
                app("concat", ty, vec![self.bits(cut, below), self.bits(width - cut, below)])
            }
            5 | 6 => {
                let wide = width + self.small(9);
                let low = self.small(wide - width + 1);
                let head = format!("(_ extract {} {low})", low + width - 1);
                app(head, ty, vec![self.bits(wide, below)])
            }
            7 if width > 1 => {
                let by = 1 + self.small(width - 1);
                let head = if self.rng.chance(50) { "zero_extend" } else { "sign_extend" };
                app(format!("(_ {head} {by})"), ty, vec![self.bits(width - by, below)])
            }
            8 => {
                let by = self.small(width * 2);
                let head = if self.rng.chance(50) { "rotate_left" } else { "rotate_right" };
                app(format!("(_ {head} {by})"), ty, vec![self.bits(width, below)])
            }
            9 if width == 1 => {
                let width = self.width();
                app("bvcomp", ty, vec![self.bits(width, below), self.bits(width, below)])
            }
            10 if width.is_multiple_of(2) => app("(_ repeat 2)", ty, vec![self.bits(width / 2, below)]),
            11 | 12 if self.theories.arrays && width == self.array.1 => {
                let index = self.array.0;
                app("select", ty, vec![self.array(below), self.bits(index, below)])
            }
            13 if self.theories.functions && width == self.widths[0] => {
                if self.rng.chance(50) {
                    app("f", ty, vec![self.bits(width, below)])
                } else {
                    app("g", ty, vec![self.bits(width, below), self.boolean(below)])
                }
            }
            14 if self.theories.floats => self.converted(width, below),
            15..=17 if width <= 9 || self.depth == 0 && width <= 33 => {
                // Wide multipliers and dividers: one per script, or nobody would answer.
                self.depth += u32::from(width > 9);
                let head = self.rng.pick(&HARD);
                app(head, ty, vec![self.bits(width, below), self.bits(width, below)])
            }
            _ => {
                let head = self.rng.pick(&SAME);
                app(head, ty, vec![self.bits(width, below), self.bits(width, below)])
            }
        }
    }

    fn array(&mut self, depth: u32) -> E {
        let (index, element) = self.array;
        let ty = Ty::Array(index, element);
        if depth == 0 || self.rng.chance(25) {
            if self.rng.chance(15) {
                return app(format!("(as const {ty})"), ty, vec![self.constant(element)]);
            }
            let name = self.rng.below(2);
            return leaf(format!("a{name}"), ty);
        }
        let below = depth - 1;
        match self.rng.below(5) {
            0 => app("ite", ty, vec![self.boolean(below), self.array(below), self.array(below)]),
            // cvc5 takes values only, and not the rest of the script.
            1 if self.rng.chance(10) => app(format!("(as const {ty})"), ty, vec![self.bits(element, below)]),
            _ => {
                app("store", ty, vec![self.array(below), self.bits(index, below), self.bits(element, below)])
            }
        }
    }

    fn element(&mut self, depth: u32) -> E {
        if depth == 0 || self.rng.chance(30) {
            let name = self.rng.below(3);
            return leaf(format!("u{name}"), Ty::Element);
        }
        let below = depth - 1;
        match self.rng.below(3) {
            0 => app("ite", Ty::Element, vec![self.boolean(below), self.element(below), self.element(below)]),
            _ => app("h", Ty::Element, vec![self.element(below)]),
        }
    }

    fn rounding(&mut self) -> E {
        let modes = ["RNE", "RNA", "RTP", "RTN", "RTZ", "m0", "m0"];
        leaf(self.rng.pick(&modes), Ty::Rounding)
    }

    fn float_predicate(&mut self, depth: u32) -> E {
        if self.rng.chance(35) {
            let head = self.rng.pick(&[
                "fp.isNormal",
                "fp.isSubnormal",
                "fp.isZero",
                "fp.isInfinite",
                "fp.isNaN",
                "fp.isNegative",
                "fp.isPositive",
            ]);
            return app(head, Ty::Bool, vec![self.float(depth)]);
        }
        let head = self.rng.pick(&["fp.eq", "fp.leq", "fp.lt", "fp.geq", "fp.gt", "=", "distinct"]);
        app(head, Ty::Bool, vec![self.float(depth), self.float(depth)])
    }

    /// `2^power` of the format.
    fn power(&self, power: u32) -> E {
        let (e, s) = self.format;
        let biased = (1u64 << (e - 1)) - 1 + u64::from(power);
        let text =
            format!("(fp #b0 #b{biased:0e$b} #b{zero:0s$b})", e = e as usize, zero = 0, s = s as usize - 1);
        leaf(text, Ty::Float(e, s))
    }

    /// A bit-vector from a float that is in range.
    fn converted(&mut self, width: u32, depth: u32) -> E {
        let ty = Ty::Bits(width);
        // Below 2^power everything is in range of `width` signed bits, and in the format.
        let power = (width.saturating_sub(2)).min((1 << (self.format.0 - 1)) - 2);
        if width < 3 {
            return self.constant(width);
        }
        let value = self.float(depth);
        let limit = self.power(power);
        let size = app("fp.abs", value.ty.clone(), vec![value.clone()]);
        let mut guards = vec![app("fp.leq", Ty::Bool, vec![size, limit])];
        let signed = self.rng.chance(50);
        if !signed {
            let negative = app("fp.isNegative", Ty::Bool, vec![value.clone()]);
            guards.push(app("not", Ty::Bool, vec![negative]));
        } else {
            guards.push(leaf("true", Ty::Bool));
        }
        let head = if signed { "fp.to_sbv" } else { "fp.to_ubv" };
        let number = app(format!("(_ {head} {width})"), ty.clone(), vec![self.rounding(), value]);
        let otherwise = self.constant(width);
        app("ite", ty, vec![app("and", Ty::Bool, guards), number, otherwise])
    }

    fn float(&mut self, depth: u32) -> E {
        let (e, s) = self.format;
        let ty = Ty::Float(e, s);
        if depth == 0 || self.rng.chance(15) {
            if self.rng.chance(65) {
                let name = self.rng.below(3);
                return leaf(format!("f{name}"), ty);
            }
            if self.rng.chance(40) {
                let name = self.rng.pick(&["+oo", "-oo", "NaN", "+zero", "-zero"]);
                return leaf(format!("(_ {name} {e} {s})"), ty);
            }
            let bit = |rng: &mut Rng| if rng.chance(50) { '1' } else { '0' };
            let mut digits = |count: u32| -> String { (0..count).map(|_| bit(&mut self.rng)).collect() };
            let text = format!("(fp #b{} #b{} #b{})", digits(1), digits(e), digits(s - 1));
            return leaf(text, ty);
        }
        let below = depth - 1;
        match self.rng.below(16) {
            0 => app("fp.abs", ty, vec![self.float(below)]),
            1 => app("fp.neg", ty, vec![self.float(below)]),
            2 | 3 => app("fp.add", ty, vec![self.rounding(), self.float(below), self.float(below)]),
            4 => app("fp.sub", ty, vec![self.rounding(), self.float(below), self.float(below)]),
            5 => app("fp.mul", ty, vec![self.rounding(), self.float(below), self.float(below)]),
            6 => app("fp.div", ty, vec![self.rounding(), self.float(below), self.float(below)]),
            7 if s <= 5 => {
                let arguments =
                    vec![self.rounding(), self.float(below), self.float(below), self.float(below)];
                app("fp.fma", ty, arguments)
            }
            8 => app("fp.sqrt", ty, vec![self.rounding(), self.float(below)]),
            9 if s <= 5 => app("fp.rem", ty, vec![self.float(below), self.float(below)]),
            10 => app("fp.roundToIntegral", ty, vec![self.rounding(), self.float(below)]),
            11 => {
                let (a, b) = (self.float(below), self.float(below));
                let zeros = [&a, &b].map(|it| app("fp.isZero", Ty::Bool, vec![it.clone()])).to_vec();
                let head = self.rng.pick(&["fp.min", "fp.max"]);
                let best = app(head, ty.clone(), vec![a.clone(), b]);
                app("ite", ty, vec![app("and", Ty::Bool, zeros), a, best])
            }
            12 => app("ite", ty, vec![self.boolean(below), self.float(below), self.float(below)]),
            13 => app(format!("(_ to_fp {e} {s})"), ty, vec![self.bits(e + s, below)]),
            14 => {
                let (width, unsigned) = (self.width(), self.rng.chance(50));
                let head = if unsigned { "to_fp_unsigned" } else { "to_fp" };
                app(format!("(_ {head} {e} {s})"), ty, vec![self.rounding(), self.bits(width, below)])
            }
            _ => {
                // Through another format and back.
                let (other_e, other_s) = self.rng.pick(&FORMATS);
                let there = Ty::Float(other_e, other_s);
                let inner = vec![self.rounding(), self.float(below)];
                let inner = app(format!("(_ to_fp {other_e} {other_s})"), there, inner);
                app(format!("(_ to_fp {e} {s})"), ty, vec![self.rounding(), inner])
            }
        }
    }

    fn declarations(&self) -> Vec<String> {
        let mut all: Vec<String> = (0..4).map(|number| format!("(declare-fun p{number} () Bool)")).collect();
        let mut widths = self.widths.clone();
        widths.sort_unstable();
        widths.dedup();
        let constant = |name: String, ty: &Ty| format!("(declare-fun {name} () {ty})");
        for width in widths {
            all.extend((0..3).map(|number| constant(format!("x{width}v{number}"), &Ty::Bits(width))));
        }
        if self.theories.arrays {
            let ty = Ty::Array(self.array.0, self.array.1);
            all.extend((0..2).map(|number| constant(format!("a{number}"), &ty)));
        }
        if self.theories.functions {
            let width = Ty::Bits(self.widths[0]);
            all.push("(declare-sort U 0)".to_owned());
            all.extend((0..3).map(|number| constant(format!("u{number}"), &Ty::Element)));
            all.push(format!("(declare-fun f ({width}) {width})"));
            all.push(format!("(declare-fun g ({width} Bool) {width})"));
            all.push("(declare-fun h (U) U)".to_owned());
            all.push(format!("(declare-fun r ({width} U) Bool)"));
        }
        if self.theories.floats {
            let ty = Ty::Float(self.format.0, self.format.1);
            all.extend((0..3).map(|number| constant(format!("f{number}"), &ty)));
            all.push(constant("m0".to_owned(), &Ty::Rounding));
        }
        all
    }

    pub fn script(&mut self) -> Script {
        let Theories { arrays, functions, floats } = self.theories;
        // Constant arrays are in none of the logics of arrays.
        let logic = match (arrays, functions, floats) {
            (true, _, _) => "ALL",
            (_, true, true) => "QF_UFBVFP",
            (_, true, false) => "QF_UFBV",
            (_, false, true) => "QF_BVFP",
            (_, false, false) => "QF_BV",
        }
        .to_owned();
        let mut commands = Vec::new();
        let incremental = self.rng.chance(60);
        let length = if incremental { 4 + self.rng.below(12) } else { 1 + self.rng.below(5) };
        let mut depth = 0;
        for _ in 0..length {
            match self.rng.below(if incremental { 10 } else { 1 }) {
                5 => {
                    depth += 1;
                    commands.push(Cmd::Push);
                }
                6 if depth > 0 => {
                    depth -= 1;
                    commands.push(Cmd::Pop);
                }
                7 => commands.push(Cmd::Check),
                8 | 9 => {
                    let count = 1 + self.rng.below(3);
                    let literals = (0..count)
                        .map(|_| (format!("p{}", self.rng.below(4)), self.rng.chance(50)))
                        .collect();
                    commands.push(Cmd::Assuming(literals));
                }
                _ => {
                    let depth = 2 + self.small(4);
                    let formula = self.boolean(depth);
                    commands.push(Cmd::Assert(formula));
                }
            }
        }
        commands.push(Cmd::Check);
        Script { logic, declarations: self.declarations(), commands }
    }
}
