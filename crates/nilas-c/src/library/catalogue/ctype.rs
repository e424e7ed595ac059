//! `ctype.h` in the C locale: the functions, and the tables that glibc's macros read.

use super::Target::Static;
use super::{Row, text};

pub(super) const ROWS: &[Row] = &[
    text("isalnum", "i:i").builtin().determined(),
    text("isalpha", "i:i").builtin().determined(),
    text("isascii", "i:i").builtin().determined(),
    text("isblank", "i:i").builtin().determined(),
    text("iscntrl", "i:i").builtin().determined(),
    text("isdigit", "i:i").builtin().determined(),
    text("isgraph", "i:i").builtin().determined(),
    text("islower", "i:i").builtin().determined(),
    text("isprint", "i:i").builtin().determined(),
    text("ispunct", "i:i").builtin().determined(),
    text("isspace", "i:i").builtin().determined(),
    text("isupper", "i:i").builtin().determined(),
    text("isxdigit", "i:i").builtin().determined(),
    text("toascii", "i:i").builtin().determined(),
    text("tolower", "i:i").builtin().determined().also(&["_tolower"]),
    text("toupper", "i:i").builtin().determined().also(&["_toupper"]),
    text("__ctype_b_loc", "p:").determined().points(Static),
    text("__ctype_tolower_loc", "p:").determined().points(Static),
    text("__ctype_toupper_loc", "p:").determined().points(Static),
    text("__ctype_get_mb_cur_max", "z:").determined(),
];
