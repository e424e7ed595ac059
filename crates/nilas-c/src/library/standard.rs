//! Functions of the standard library whose results follow from their arguments.
//!
//! Where such a function has neither body nor model, *any value* over-approximates it: good for a proof, but an
//! execution that chooses its result is not a real one.

/// Without the suffixes of the type (`f`, `l`) that `math.h` adds.
const MATH: &[&str] = &[
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "ceil",
    "copysign",
    "cos",
    "cosh",
    "erf",
    "erfc",
    "exp",
    "exp10",
    "exp2",
    "expm1",
    "fabs",
    "fdim",
    "floor",
    "fma",
    "fmax",
    "fmin",
    "fmod",
    "frexp",
    "hypot",
    "ilogb",
    "j0",
    "j1",
    "jn",
    "ldexp",
    "lgamma",
    "llrint",
    "llround",
    "log",
    "log10",
    "log1p",
    "log2",
    "logb",
    "lrint",
    "lround",
    "modf",
    "nan",
    "nearbyint",
    "nextafter",
    "nexttoward",
    "pow",
    "remainder",
    "remquo",
    "rint",
    "round",
    "scalb",
    "scalbln",
    "scalbn",
    "significand",
    "sin",
    "sincos",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "tgamma",
    "trunc",
    "y0",
    "y1",
    "yn",
];

const OTHERS: &[&str] = &[
    // stdlib.h
    "abs",
    "atof",
    "atoi",
    "atol",
    "atoll",
    "bsearch",
    "div",
    "labs",
    "ldiv",
    "llabs",
    "lldiv",
    "mblen",
    "mbstowcs",
    "mbtowc",
    "qsort",
    "strtod",
    "strtof",
    "strtol",
    "strtold",
    "strtoll",
    "strtoul",
    "strtoull",
    "wcstombs",
    "wctomb",
    // string.h, strings.h
    "bcmp",
    "bcopy",
    "bzero",
    "ffs",
    "ffsl",
    "ffsll",
    "index",
    "memccpy",
    "memchr",
    "memcmp",
    "memcpy",
    "memmem",
    "memmove",
    "mempcpy",
    "memrchr",
    "memset",
    "rawmemchr",
    "rindex",
    "stpcpy",
    "stpncpy",
    "strcasecmp",
    "strcat",
    "strchr",
    "strchrnul",
    "strcmp",
    "strcoll",
    "strcpy",
    "strcspn",
    "strdup",
    "strlcat",
    "strlcpy",
    "strlen",
    "strncasecmp",
    "strncat",
    "strncmp",
    "strncpy",
    "strndup",
    "strnlen",
    "strpbrk",
    "strrchr",
    "strsep",
    "strspn",
    "strstr",
    "strcasestr",
    "strtok",
    "strtok_r",
    "strverscmp",
    "strxfrm",
    "wcscat",
    "wcschr",
    "wcscmp",
    "wcscpy",
    "wcslen",
    "wcsncat",
    "wcsncmp",
    "wcsncpy",
    "wmemcpy",
    "wmemset",
    "wmemcmp",
    // stdio.h, on strings only
    "snprintf",
    "sprintf",
    "sscanf",
    "vsnprintf",
    "vsprintf",
    "vsscanf",
    // ctype.h
    "isalnum",
    "isalpha",
    "isascii",
    "isblank",
    "iscntrl",
    "isdigit",
    "isgraph",
    "islower",
    "isprint",
    "ispunct",
    "isspace",
    "isupper",
    "isxdigit",
    "toascii",
    "tolower",
    "toupper",
    "towlower",
    "towupper",
    "iswalpha",
    "iswdigit",
    "iswspace",
    // Bit tricks and time arithmetic.
    "htonl",
    "htons",
    "ntohl",
    "ntohs",
    "difftime",
    "gmtime",
    "mktime",
];

/// Whether the C standard (or glibc) fixes the result of the function by its arguments.
#[must_use]
pub fn is_determined(name: &str) -> bool {
    let plain = name.strip_prefix("__builtin_").unwrap_or(name);
    let plain = plain.strip_prefix("__").unwrap_or(plain);
    let plain = plain.strip_suffix("_chk").unwrap_or(plain);
    let math = |name: &str| MATH.contains(&name);
    OTHERS.contains(&plain) || math(plain) || plain.strip_suffix(['f', 'l']).is_some_and(math)
}

/// Whether a function without model writes less than Nilas assumes (any bytes into all of the object that it is given a
/// pointer into), so that an execution that relies on what it wrote is not a real one.
#[must_use]
pub fn writes_less(name: &str) -> bool {
    let plain = name.strip_prefix("__").unwrap_or(name);
    let plain = plain.strip_suffix("_chk").unwrap_or(plain);
    let plain = plain.strip_prefix("isoc99_").unwrap_or(plain);
    is_determined(name)
        || matches!(plain, "fgets" | "fread" | "fscanf" | "gets" | "read" | "recv" | "scanf" | "sscanf")
}

#[cfg(test)]
mod tests {
    use super::is_determined;

    #[test]
    fn inputs_are_not_determined() {
        for name in ["sin", "sinf", "powl", "__builtin_sin", "strtol", "__strcpy_chk", "atoi"] {
            assert!(is_determined(name), "{name}");
        }
        for name in ["getchar", "rand", "read", "time", "__VERIFIER_nondet_int", "my_function", "printf"] {
            assert!(!is_determined(name), "{name}");
        }
    }
}
