//! `asm`: parsed in full, so that later phases can tell a barrier from real assembly.

use super::{Parse, Parser};
use crate::ast::{Asm, AsmOperand};
use crate::lex::{Keyword, Punct, TokenKind};

impl Parser<'_> {
    /// `asm qualifiers ( template : outputs : inputs : clobbers : labels )`, without the semicolon.
    pub(super) fn asm(&mut self) -> Parse<Asm> {
        self.advance();
        let mut volatile = false;
        loop {
            match self.token().kind {
                TokenKind::Keyword(Keyword::Volatile) => volatile = true,
                TokenKind::Keyword(Keyword::Goto | Keyword::Inline | Keyword::Const) => {}
                _ => break,
            }
            self.advance();
        }
        let open = self.expect(Punct::LeftParen)?;
        let template = self.plain_string()?;
        let mut asm = Asm {
            template,
            volatile,
            outputs: Vec::new(),
            inputs: Vec::new(),
            clobbers: Vec::new(),
            labels: Vec::new(),
        };
        let mut section = 0;
        while self.eat(Punct::Colon) {
            section += 1;
            while !self.at(Punct::Colon) && !self.at(Punct::RightParen) {
                match section {
                    1 => {
                        let operand = self.asm_operand()?;
                        asm.outputs.push(operand);
                    }
                    2 => {
                        let operand = self.asm_operand()?;
                        asm.inputs.push(operand);
                    }
                    3 => asm.clobbers.push(self.plain_string()?),
                    _ => asm.labels.push(self.identifier()?),
                }
                if !self.eat(Punct::Comma) {
                    break;
                }
            }
        }
        self.expect_close(Punct::RightParen, open)?;
        Ok(asm)
    }

    fn asm_operand(&mut self) -> Parse<AsmOperand> {
        if self.eat(Punct::LeftBracket) {
            self.identifier()?;
            self.expect(Punct::RightBracket)?;
        }
        let constraint = self.plain_string()?;
        let open = self.expect(Punct::LeftParen)?;
        let value = self.nested(Self::expression)?;
        self.expect_close(Punct::RightParen, open)?;
        Ok(AsmOperand { constraint, value })
    }
}
