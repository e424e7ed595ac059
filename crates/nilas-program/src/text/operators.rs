//! Numbers and operators, once the sorts of operands are known.

use super::ast::Node;
use super::message::shorten;
use super::typing::Typing;
use super::words::sort_text;
use crate::source::Diagnostic;
use crate::source::Span;
use nilas_term::{BitVec, Op, Sort, Term, Value};
use num_bigint::BigInt;
use num_rational::BigRational;

impl Typing<'_, '_> {
    pub(super) fn literal(&mut self, value: &BigInt, sort: Option<&Sort>, span: Span) -> Option<Term> {
        match sort {
            Some(&Sort::BitVec(width)) => {
                let limit = BigInt::from(1) << width;
                if *value >= limit || *value < -(&limit >> 1u32) {
                    let text = shorten(&value.to_string());
                    let mut error = Diagnostic::error(span, format!("{text} does not fit into bv{width}"));
                    if width <= 128 {
                        let (low, high) = (-(&limit >> 1u32), limit - 1);
                        error.hint = Some(format!("numbers from {low} to {high} do"));
                    }
                    self.errors.push(error);
                    return None;
                }
                Some(self.arena.constant(Value::BitVec(BitVec::from_signed(width, value))))
            }
            Some(Sort::Int) => Some(self.arena.constant(Value::Int(value.clone()))),
            Some(Sort::Real) => Some(self.arena.constant(Value::Real(BigRational::from(value.clone())))),
            Some(other) => {
                self.error(format!("this is a number, {} is expected", sort_text(other)), span);
                None
            }
            None if self.blurred => None,
            None => {
                let text = shorten(&value.to_string());
                let error =
                    Diagnostic::error(span, format!("nothing here tells the sort of the number {text}"));
                self.errors.push(error.with_hint(format!("write it out, as in `{text}:bv32`")));
                None
            }
        }
    }

    pub(super) fn decimal(&mut self, text: &str, sort: Option<&Sort>, span: Span) -> Option<Term> {
        let parts = text.split_once('.').filter(|(whole, fraction)| {
            let digits = |part: &str| {
                !part.is_empty() && part.len() < 10_000 && part.bytes().all(|c| c.is_ascii_digit())
            };
            digits(whole) && digits(fraction)
        });
        let Some((whole, fraction)) = parts else {
            self.error("not a number", span);
            return None;
        };
        if sort.is_some_and(|sort| *sort != Sort::Real) {
            self.error("a number with a fraction has sort real", span);
            return None;
        }
        let digits = BigInt::parse_bytes(format!("{whole}{fraction}").as_bytes(), 10)?;
        let scale = BigInt::from(10).pow(u32::try_from(fraction.len()).ok()?);
        Some(self.arena.constant(Value::Real(BigRational::new(digits, scale))))
    }

    pub(super) fn unary(&mut self, operator: &str, node: &Node<'_>, child: Term) -> Option<Term> {
        let span = self.span_of(node, 0);
        match (operator, self.arena.sort(child)) {
            ("!", Sort::Bool) => Some(self.arena.not(child)),
            ("-", Sort::BitVec(_)) => Some(self.arena.bv_neg(child)),
            ("-", Sort::Int | Sort::Real) => Some(self.arena.mk(Op::Neg, &[child])),
            ("~", Sort::BitVec(_)) => Some(self.arena.bv_not(child)),
            ("!", found) => {
                let message = format!("this has sort {}, bool is expected", sort_text(found));
                self.errors.push(Diagnostic::error(span, message).with_hint("the complement of bits is `~`"));
                None
            }
            _ => self.not_bits(child, span),
        }
    }

    pub(super) fn binary(
        &mut self,
        operator: &str,
        node: &Node<'_>,
        left: Term,
        right: Term,
    ) -> Option<Term> {
        if operator == "++" {
            for (index, child) in [left, right].into_iter().enumerate() {
                if self.arena.width(child) == 0 {
                    return self.not_bits(child, self.span_of(node, index));
                }
            }
            return self.make(Op::Concat, &[left, right], node.span);
        }
        let sort = self.arena.sort(left).clone();
        if sort != *self.arena.sort(right) {
            let (left, right) = (sort_text(&sort), sort_text(self.arena.sort(right)));
            self.error(
                format!("this has sort {right}, the left side of `{operator}` has {left}"),
                self.span_of(node, 1),
            );
            return None;
        }
        let arena = &mut *self.arena;
        let term = match (operator, &sort) {
            ("==", _) => arena.eq(left, right),
            ("!=", _) => arena.ne(left, right),
            ("^", Sort::Bool) => arena.xor(left, right),
            (_, Sort::BitVec(_)) => match operator {
                "+" => arena.bv_add(left, right),
                "-" => arena.bv_sub(left, right),
                "*" => arena.bv_mul(left, right),
                "/u" => arena.bv_udiv(left, right),
                "/s" => arena.bv_sdiv(left, right),
                "%u" => arena.bv_urem(left, right),
                "%s" => arena.bv_srem(left, right),
                "<<" => arena.bv_shl(left, right),
                ">>u" => arena.bv_lshr(left, right),
                ">>s" => arena.bv_ashr(left, right),
                "&" => arena.bv_and(left, right),
                "|" => arena.bv_or(left, right),
                "^" => arena.bv_xor(left, right),
                "<u" => arena.bv_ult(left, right),
                "<=u" => arena.bv_ule(left, right),
                ">u" => arena.bv_ult(right, left),
                ">=u" => arena.bv_ule(right, left),
                "<s" => arena.bv_slt(left, right),
                "<=s" => arena.bv_sle(left, right),
                ">s" => arena.bv_slt(right, left),
                ">=s" => arena.bv_sle(right, left),
                _ => return self.unfit(operator, &sort, node),
            },
            (_, Sort::Int | Sort::Real) => match (operator, &sort) {
                ("+", _) => arena.mk(Op::Add, &[left, right]),
                ("-", _) => {
                    let negated = arena.mk(Op::Neg, &[right]);
                    arena.mk(Op::Add, &[left, negated])
                }
                ("*", _) => arena.mk(Op::Mul, &[left, right]),
                ("/", Sort::Int) => arena.mk(Op::IntDiv, &[left, right]),
                ("/", _) => arena.mk(Op::RealDiv, &[left, right]),
                ("%", Sort::Int) => arena.mk(Op::IntMod, &[left, right]),
                ("<", _) => arena.mk(Op::Lt, &[left, right]),
                ("<=", _) => arena.mk(Op::Le, &[left, right]),
                (">", _) => arena.mk(Op::Lt, &[right, left]),
                (">=", _) => arena.mk(Op::Le, &[right, left]),
                _ => return self.unfit(operator, &sort, node),
            },
            _ => return self.unfit(operator, &sort, node),
        };
        Some(term)
    }

    /// An operator that the sort of its operands does not have.
    fn unfit(&mut self, operator: &str, sort: &Sort, node: &Node<'_>) -> Option<Term> {
        let message = format!("`{operator}` cannot be applied to {}", sort_text(sort));
        let mut error = Diagnostic::error(node.span, message);
        error.hint = match (operator, sort) {
            ("/" | "%" | "<" | "<=" | ">" | ">=" | ">>", Sort::BitVec(_)) => {
                Some(format!("say `{operator}u` for unsigned or `{operator}s` for signed numbers"))
            }
            ("&" | "|", Sort::Bool) => Some(format!("write `{operator}{operator}`")),
            (_, Sort::Int | Sort::Real) if operator.ends_with(['u', 's']) => {
                Some(format!("write `{}`", operator.trim_end_matches(['u', 's'])))
            }
            (_, Sort::Float(..)) => {
                Some("write it in SMT-LIB, as in `(fp.add RNE x y)` with backticks".to_owned())
            }
            _ => None,
        };
        self.errors.push(error);
        None
    }
}
