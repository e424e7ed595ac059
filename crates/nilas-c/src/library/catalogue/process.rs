//! Processes, signals, and jumps out of functions.

use super::Model::Unmodelled;
use super::{Row, text, within};

const PROCESSES: &str = "processes";
const HANDLERS: &str = "signal handlers";
const JUMPS: &str = "a jump out of functions by `longjmp`";
const INT_MAX: i64 = 0x7fff_ffff;

pub(super) const ROWS: &[Row] = &[
    Row::new("fork", "i:", Unmodelled(PROCESSES)),
    Row::new("vfork", "i:", Unmodelled(PROCESSES)),
    Row::new("clone", "i:ppip.", Unmodelled(PROCESSES)),
    Row::new("posix_spawn", "i:pSPPpp", Unmodelled(PROCESSES)),
    text("execv", "i:Sp").errno(),
    text("execvp", "i:Sp").errno(),
    text("execve", "i:Spp").errno(),
    Row::new("execl", "i:SS.", Unmodelled(PROCESSES)),
    Row::new("execlp", "i:SS.", Unmodelled(PROCESSES)),
    Row::new("execle", "i:SS.", Unmodelled(PROCESSES)),
    within("wait", "i:p", -1, INT_MAX).writes(&[0]).errno(),
    within("waitpid", "i:ipi", -1, INT_MAX).writes(&[1]).errno(),
    Row::new("signal", "p:ip", Unmodelled(HANDLERS)),
    Row::new("bsd_signal", "p:ip", Unmodelled(HANDLERS)),
    Row::new("sigaction", "i:iPp", Unmodelled(HANDLERS)),
    Row::new("raise", "i:i", Unmodelled("signals")),
    Row::new("kill", "i:ii", Unmodelled("signals")),
    Row::new("alarm", "u:u", Unmodelled("signals")),
    within("sigemptyset", "i:p", -1, 0).writes(&[0]).errno(),
    within("sigfillset", "i:p", -1, 0).writes(&[0]).errno(),
    within("sigaddset", "i:pi", -1, 0).writes(&[0]).errno(),
    within("sigdelset", "i:pi", -1, 0).writes(&[0]).errno(),
    within("sigprocmask", "i:iPp", -1, 0).writes(&[2]).errno(),
    text("setjmp", "i:p").builtin().also(&["_setjmp", "setjmp_sigs"]),
    text("sigsetjmp", "i:pi").also(&["__sigsetjmp"]),
    Row::new("longjmp", "v:pi", Unmodelled(JUMPS)).builtin().noreturn().also(&["_longjmp"]),
    Row::new("siglongjmp", "v:pi", Unmodelled(JUMPS)).noreturn(),
    text("setlocale", "s:iS"),
    Row::new("localeconv", "p:", Unmodelled("the format of numbers in a locale")),
    within("sched_yield", "i:", -1, 0).errno(),
];
