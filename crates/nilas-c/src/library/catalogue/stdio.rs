//! `stdio.h`. What is read is an input; what is written is nobody's business.

use super::Meaning::{Print, PrintInto, Scan};
use super::Target::{Argument, Fresh};
use super::{Model, Row, any, known, text, within};

const PRINT: &[&str] = &["__nilas_print_into"];
const SCAN: &[&str] = &["__nilas_scan_text"];
/// `fscanf` asks first whether the stream may hold what the program wrote.
const SCAN_STREAM: &[&str] = &["__nilas_scan_text", "__nilas_reading"];
const INT_MAX: i64 = 0x7fff_ffff;
/// What is written there is written to the program's memory, whenever that suits the library.
const IN_MEMORY: &str = "a stream in memory";

pub(super) const ROWS: &[Row] = &[
    known("printf", "i:S.", Print(0)).builtin().errno(),
    known("fprintf", "i:pS.", Print(1)).builtin().errno(),
    known("dprintf", "i:iS.", Print(1)).errno(),
    known("vprintf", "i:Sp", Print(0)).builtin().errno(),
    known("vfprintf", "i:pSp", Print(1)).builtin().errno(),
    known("vdprintf", "i:iSp", Print(1)).errno(),
    known("__printf_chk", "i:iS.", Print(1)).builtin().errno(),
    known("__fprintf_chk", "i:piS.", Print(2)).builtin().errno(),
    known("__vprintf_chk", "i:iSp", Print(1)).builtin().errno(),
    known("__vfprintf_chk", "i:piSp", Print(2)).builtin().errno(),
    known("printk", "i:S.", Print(0)).also(&["_printk"]),
    known("syslog", "v:iS.", Print(1)),
    known("vsyslog", "v:iSp", Print(1)),
    known("sprintf", "i:sS.", PrintInto { size: None, format: 1 })
        .with(PRINT)
        .builtin()
        .determined()
        .writes(&[0]),
    known("vsprintf", "i:sSp", PrintInto { size: None, format: 1 })
        .with(PRINT)
        .builtin()
        .determined()
        .writes(&[0]),
    known("snprintf", "i:szS.", PrintInto { size: Some(1), format: 2 })
        .with(PRINT)
        .builtin()
        .determined()
        .writes(&[0]),
    known("vsnprintf", "i:szSp", PrintInto { size: Some(1), format: 2 })
        .with(PRINT)
        .builtin()
        .determined()
        .writes(&[0]),
    known("__sprintf_chk", "i:sizS.", PrintInto { size: None, format: 3 })
        .with(PRINT)
        .builtin()
        .determined()
        .writes(&[0]),
    known("__vsprintf_chk", "i:sizSp", PrintInto { size: None, format: 3 })
        .with(PRINT)
        .builtin()
        .determined()
        .writes(&[0]),
    known("__snprintf_chk", "i:szizS.", PrintInto { size: Some(1), format: 4 })
        .with(PRINT)
        .builtin()
        .determined()
        .writes(&[0]),
    known("__vsnprintf_chk", "i:szizSp", PrintInto { size: Some(1), format: 4 })
        .with(PRINT)
        .builtin()
        .determined()
        .writes(&[0]),
    Row::new("asprintf", "i:eS.", Model::Unmodelled("printing into new memory")),
    Row::new("vasprintf", "i:eSp", Model::Unmodelled("printing into new memory")),
    known("scanf", "i:S.", Scan { format: 0, input: true })
        .with(SCAN)
        .builtin()
        .isoc()
        .errno()
        .writes_from(1)
        .partial(),
    known("fscanf", "i:pS.", Scan { format: 1, input: true })
        .with(SCAN_STREAM)
        .builtin()
        .isoc()
        .errno()
        .writes_from(2)
        .partial(),
    known("sscanf", "i:SS.", Scan { format: 1, input: false })
        .with(SCAN)
        .builtin()
        .isoc()
        .determined()
        .writes_from(2),
    Row::new("vscanf", "i:Sp", Model::Unmodelled("reading into a list of arguments")).isoc(),
    Row::new("vfscanf", "i:pSp", Model::Unmodelled("reading into a list of arguments")).isoc(),
    Row::new("vsscanf", "i:SSp", Model::Unmodelled("reading into a list of arguments")).isoc(),
    text("putchar", "i:i").builtin().also(&["putchar_unlocked"]),
    text("putc", "i:ip").also(&["fputc", "__builtin_fputc", "_IO_putc", "putc_unlocked", "fputc_unlocked"]),
    within("puts", "i:S", -1, INT_MAX).builtin().errno(),
    within("fputs", "i:Sp", -1, INT_MAX).builtin().errno().also(&["fputs_unlocked"]),
    text("fwrite", "z:Pzzp").builtin().also(&["fwrite_unlocked"]),
    within("putw", "i:ip", -1, 0).errno(),
    any("perror", "v:S"),
    within("getchar", "i:", -1, 255).errno().also(&["getchar_unlocked"]),
    text("getc", "i:p").errno().also(&["fgetc", "_IO_getc", "getc_unlocked", "fgetc_unlocked"]),
    text("getw", "i:p").errno(),
    text("ungetc", "i:ip").also(&["_IO_ungetc"]),
    text("fgets", "s:sip").writes(&[0]).points(Argument(0)).errno().also(&["fgets_unlocked"]),
    text("gets", "s:s").writes(&[0]).points(Argument(0)).errno(),
    text("fread", "z:pzzp").writes(&[0]).errno().also(&["fread_unlocked"]),
    text("getline", "k:epp").writes(&[0, 1]).errno().also(&["__getline"]),
    text("getdelim", "k:epip").writes(&[0, 1]).errno().also(&["__getdelim"]),
    text("fopen", "p:SS").points(Fresh).errno().also(&["fopen64"]),
    text("fdopen", "p:iS").points(Fresh).errno(),
    text("freopen", "p:SSp").points(Argument(2)).errno().also(&["freopen64"]),
    text("tmpfile", "p:").points(Fresh).errno(),
    text("popen", "p:SS").points(Fresh).errno(),
    text("pclose", "i:p").errno(),
    text("fclose", "i:p").errno(),
    within("fflush", "i:p", -1, 0).errno().also(&["fflush_unlocked"]),
    within("fseek", "i:pli", -1, 0).errno(),
    within("fseeko", "i:pli", -1, 0).errno(),
    within("ftell", "l:p", -1, i64::MAX).determined().errno(),
    within("ftello", "l:p", -1, i64::MAX).determined().errno(),
    any("rewind", "v:p").errno(),
    within("fgetpos", "i:pp", -1, 0).writes(&[1]).errno(),
    within("fsetpos", "i:pP", -1, 0).errno(),
    any("feof", "i:p").determined().also(&["feof_unlocked"]),
    any("ferror", "i:p").determined().also(&["ferror_unlocked"]),
    any("clearerr", "v:p").also(&["clearerr_unlocked"]),
    within("fileno", "i:p", -1, INT_MAX).determined().errno().also(&["fileno_unlocked"]),
    text("setbuf", "v:ps"),
    text("setbuffer", "v:psz"),
    any("setlinebuf", "v:p"),
    text("setvbuf", "i:psiz"),
    Row::new("open_memstream", "p:pp", Model::Unmodelled(IN_MEMORY)),
    Row::new("fmemopen", "p:pzS", Model::Unmodelled(IN_MEMORY)),
    any("flockfile", "v:p"),
    any("funlockfile", "v:p"),
    text("remove", "i:S").errno(),
    text("rename", "i:SS").errno(),
    Row::new("tmpnam", "s:s", Model::Unmodelled("names of temporary files")),
    any("openlog", "v:Sii"),
    any("closelog", "v:"),
    any("setlogmask", "i:i"),
];
