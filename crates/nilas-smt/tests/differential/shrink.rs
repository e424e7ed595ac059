//! Making a failing script smaller: commands first, then terms.

use super::expr::{Cmd, E, Expr, Script, Ty, leaf};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// How often and for how long the failure may be tried.
const ATTEMPTS: usize = 1500;
const PATIENCE: Duration = Duration::from_secs(180);

/// The smallest script found that still fails.
pub fn shrink(script: &Script, fails: &mut dyn FnMut(&Script) -> bool) -> Script {
    let mut best = script.clone();
    let mut attempts = 0;
    let until = Instant::now() + PATIENCE;
    let mut try_one = |candidate: Script, best: &mut Script| {
        attempts += 1;
        if attempts > ATTEMPTS || Instant::now() > until {
            return None;
        }
        let smaller = fails(&candidate);
        if smaller {
            *best = candidate;
        }
        Some(smaller)
    };
    loop {
        let before = best.text(false);
        // Chunks of commands, from halves down to single ones.
        let mut size = best.commands.len().div_ceil(2);
        while size > 0 {
            let mut start = 0;
            while start < best.commands.len() {
                let mut candidate = best.clone();
                let end = (start + size).min(candidate.commands.len());
                candidate.commands.drain(start..end);
                match try_one(candidate, &mut best) {
                    None => return best,
                    Some(true) => {}
                    Some(false) => start += size,
                }
            }
            size /= 2;
        }
        for index in 0..best.commands.len() {
            match best.commands[index].clone() {
                Cmd::Assert(_) => {
                    // The largest simplification first; positions shift when one succeeds, so start over.
                    'again: while let Cmd::Assert(expr) = best.commands[index].clone() {
                        for candidate in smaller(&expr) {
                            let mut script = best.clone();
                            script.commands[index] = Cmd::Assert(candidate);
                            match try_one(script, &mut best) {
                                None => return best,
                                Some(true) => continue 'again,
                                Some(false) => {}
                            }
                        }
                        break;
                    }
                }
                Cmd::Assuming(literals) if literals.len() > 1 => {
                    for skip in (0..literals.len()).rev() {
                        let Cmd::Assuming(mut now) = best.commands[index].clone() else { break };
                        if skip < now.len() && now.len() > 1 {
                            now.remove(skip);
                            let mut script = best.clone();
                            script.commands[index] = Cmd::Assuming(now);
                            if try_one(script, &mut best).is_none() {
                                return best;
                            }
                        }
                    }
                }
                _ => {}
            }
        }
        if best.text(false) == before {
            return best;
        }
    }
}

/// The simplest expression of a sort.
fn simplest(ty: &Ty) -> Option<E> {
    Some(match ty {
        Ty::Bool => leaf("true", Ty::Bool),
        Ty::Bits(width) => leaf(format!("#b{}", "0".repeat(*width as usize)), ty.clone()),
        Ty::Float(e, s) => leaf(format!("(_ +zero {e} {s})"), ty.clone()),
        Ty::Rounding => leaf("RNE", Ty::Rounding),
        Ty::Array(..) => leaf("a0", ty.clone()),
        Ty::Element => leaf("u0", Ty::Element),
    })
}

fn size(expr: &E) -> usize {
    1 + expr.args.iter().map(size).sum::<usize>()
}

/// Expressions with one place simplified: descendants of the same sort in the place of an ancestor, or a
/// constant.
fn smaller(expr: &E) -> Vec<E> {
    let mut found = Vec::new();
    for replacement in replacements(expr) {
        found.push(replacement);
    }
    for (index, argument) in expr.args.iter().enumerate() {
        for inner in smaller(argument) {
            let mut args = expr.args.clone();
            args[index] = inner;
            found.push(Rc::new(Expr { head: expr.head.clone(), ty: expr.ty.clone(), args }));
        }
    }
    if matches!(expr.head.as_str(), "and" | "or" | "distinct") && expr.args.len() > 2 {
        for index in 0..expr.args.len() {
            let mut args = expr.args.clone();
            args.remove(index);
            found.push(Rc::new(Expr { head: expr.head.clone(), ty: expr.ty.clone(), args }));
        }
    }
    found.sort_by_key(size);
    found.truncate(400);
    found
}

fn replacements(expr: &E) -> Vec<E> {
    let mut found = Vec::new();
    if !expr.args.is_empty() {
        found.extend(simplest(&expr.ty));
        if expr.ty == Ty::Bool {
            found.push(leaf("false", Ty::Bool));
        }
    }
    let mut stack: Vec<E> = expr.args.clone();
    while let Some(inner) = stack.pop() {
        if inner.ty == expr.ty {
            found.push(Rc::clone(&inner));
        }
        stack.extend(inner.args.iter().cloned());
    }
    found
}
