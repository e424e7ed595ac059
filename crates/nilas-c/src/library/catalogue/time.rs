//! `time.h` and `sys/time.h`.

use super::Target::Static;
use super::{Model, Row, any, text, within};

const BROKEN_DOWN: &str = "broken-down time of the library";

pub(super) const ROWS: &[Row] = &[
    text("time", "l:p").writes(&[0]).errno(),
    any("clock", "l:"),
    any("difftime", "d:ll").determined(),
    any("mktime", "l:p").determined().writes(&[0]).also(&["timelocal"]),
    any("timegm", "l:p").determined().writes(&[0]),
    Row::new("gmtime", "p:P", Model::Unmodelled(BROKEN_DOWN)).points(Static),
    Row::new("localtime", "p:P", Model::Unmodelled(BROKEN_DOWN)).points(Static),
    Row::new("gmtime_r", "p:Pp", Model::Unmodelled(BROKEN_DOWN)),
    Row::new("localtime_r", "p:Pp", Model::Unmodelled(BROKEN_DOWN)),
    text("ctime", "s:P").points(Static),
    text("asctime", "s:P").points(Static),
    text("strftime", "z:szSP").determined().writes(&[0]),
    Row::new("strptime", "s:SSp", Model::Unmodelled("`strptime`")),
    within("gettimeofday", "i:pp", -1, 0).writes(&[0]).partial().errno(),
    within("settimeofday", "i:PP", -1, 0).errno(),
    within("clock_gettime", "i:ip", -1, 0).writes(&[1]).partial().errno(),
    within("clock_getres", "i:ip", -1, 0).writes(&[1]).partial().errno(),
    within("clock_settime", "i:iP", -1, 0).errno(),
    within("nanosleep", "i:Pp", -1, 0).writes(&[1]).partial().errno(),
    any("tzset", "v:"),
    text("sleep", "u:u"),
    within("usleep", "i:u", -1, 0).errno(),
    any("times", "l:p").writes(&[0]).errno(),
    within("getrusage", "i:ip", -1, 0).writes(&[1]).partial().errno(),
];
