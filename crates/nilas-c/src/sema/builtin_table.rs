//! The types of library functions and `__builtin_` functions.
//!
//! A type is written `result:parameters` with one letter each: `v` void, `i` int, `u` unsigned, `h` unsigned short,
//! `l` long, `L` unsigned long, `q` long long, `Q` unsigned long long, `z` size_t, `f` float, `d` double, `D` long
//! double, `p` `void *`, `P` `const void *`, `s` `char *`, `S` `const char *`; a dot at the end means variadic.

/// Functions known with and without the prefix `__builtin_`.
const LIBRARY: &[(&str, &str)] = &[
    ("abs", "i:i"),
    ("labs", "l:l"),
    ("llabs", "q:q"),
    ("memcpy", "p:pPz"),
    ("mempcpy", "p:pPz"),
    ("memmove", "p:pPz"),
    ("memset", "p:piz"),
    ("memcmp", "i:PPz"),
    ("memchr", "p:Piz"),
    ("bzero", "v:pz"),
    ("strlen", "z:S"),
    ("strnlen", "z:Sz"),
    ("strcpy", "s:sS"),
    ("stpcpy", "s:sS"),
    ("strncpy", "s:sSz"),
    ("strcat", "s:sS"),
    ("strncat", "s:sSz"),
    ("strcmp", "i:SS"),
    ("strncmp", "i:SSz"),
    ("strcasecmp", "i:SS"),
    ("strncasecmp", "i:SSz"),
    ("strchr", "s:Si"),
    ("strrchr", "s:Si"),
    ("strstr", "s:SS"),
    ("strspn", "z:SS"),
    ("strcspn", "z:SS"),
    ("strpbrk", "s:SS"),
    ("strdup", "s:S"),
    ("strndup", "s:Sz"),
    ("malloc", "p:z"),
    ("calloc", "p:zz"),
    ("realloc", "p:pz"),
    ("aligned_alloc", "p:zz"),
    ("free", "v:p"),
    ("alloca", "p:z"),
    ("abort", "v:"),
    ("exit", "v:i"),
    ("_exit", "v:i"),
    ("_Exit", "v:i"),
    ("printf", "i:S."),
    ("fprintf", "i:pS."),
    ("sprintf", "i:sS."),
    ("snprintf", "i:szS."),
    ("scanf", "i:S."),
    ("sscanf", "i:SS."),
    ("puts", "i:S"),
    ("putchar", "i:i"),
    ("isalnum", "i:i"),
    ("isalpha", "i:i"),
    ("isdigit", "i:i"),
    ("islower", "i:i"),
    ("isupper", "i:i"),
    ("isspace", "i:i"),
    ("isxdigit", "i:i"),
    ("tolower", "i:i"),
    ("toupper", "i:i"),
    ("ffs", "i:i"),
    ("ffsl", "i:l"),
    ("ffsll", "i:q"),
    ("signbit", "i:d"),
    ("signbitf", "i:f"),
    ("signbitl", "i:D"),
    ("finite", "i:d"),
    ("finitef", "i:f"),
    ("finitel", "i:D"),
];

/// Functions known only with the prefix `__builtin_`.
const BUILTINS: &[(&str, &str)] = &[
    ("bswap16", "h:h"),
    ("bswap32", "u:u"),
    ("bswap64", "Q:Q"),
    ("clz", "i:u"),
    ("clzl", "i:L"),
    ("clzll", "i:Q"),
    ("ctz", "i:u"),
    ("ctzl", "i:L"),
    ("ctzll", "i:Q"),
    ("clrsb", "i:i"),
    ("clrsbl", "i:l"),
    ("clrsbll", "i:q"),
    ("popcount", "i:u"),
    ("popcountl", "i:L"),
    ("popcountll", "i:Q"),
    ("parity", "i:u"),
    ("parityl", "i:L"),
    ("parityll", "i:Q"),
    ("alloca_with_align", "p:zz"),
    ("assume_aligned", "p:Pz."),
    ("object_size", "z:Pi"),
    ("dynamic_object_size", "z:Pi"),
    ("frame_address", "p:u"),
    ("return_address", "p:u"),
    ("extract_return_addr", "p:p"),
    ("prefetch", "v:P."),
    ("__clear_cache", "v:pp"),
    ("flt_rounds", "i:"),
    ("setjmp", "i:p"),
    ("longjmp", "v:pi"),
    ("__memcpy_chk", "p:pPzz"),
    ("__memmove_chk", "p:pPzz"),
    ("__memset_chk", "p:pizz"),
    ("__strcpy_chk", "s:sSz"),
    ("__strncpy_chk", "s:sSzz"),
    ("__strcat_chk", "s:sSz"),
    ("__sprintf_chk", "i:sizS."),
    ("__snprintf_chk", "i:szizS."),
    ("__printf_chk", "i:iS."),
];

/// Mathematical functions: the type for `double`; with `f` or `l` behind the name `d` stands for `float` or
/// `long double`.
const MATHEMATICS: &[(&str, &str)] = &[
    ("fabs", "d:d"),
    ("sqrt", "d:d"),
    ("cbrt", "d:d"),
    ("sin", "d:d"),
    ("cos", "d:d"),
    ("tan", "d:d"),
    ("asin", "d:d"),
    ("acos", "d:d"),
    ("atan", "d:d"),
    ("sinh", "d:d"),
    ("cosh", "d:d"),
    ("tanh", "d:d"),
    ("asinh", "d:d"),
    ("acosh", "d:d"),
    ("atanh", "d:d"),
    ("exp", "d:d"),
    ("exp2", "d:d"),
    ("expm1", "d:d"),
    ("log", "d:d"),
    ("log2", "d:d"),
    ("log10", "d:d"),
    ("log1p", "d:d"),
    ("logb", "d:d"),
    ("erf", "d:d"),
    ("erfc", "d:d"),
    ("tgamma", "d:d"),
    ("lgamma", "d:d"),
    ("ceil", "d:d"),
    ("floor", "d:d"),
    ("trunc", "d:d"),
    ("round", "d:d"),
    ("roundeven", "d:d"),
    ("rint", "d:d"),
    ("nearbyint", "d:d"),
    ("pow", "d:dd"),
    ("fmod", "d:dd"),
    ("remainder", "d:dd"),
    ("drem", "d:dd"),
    ("atan2", "d:dd"),
    ("fmin", "d:dd"),
    ("fmax", "d:dd"),
    ("fdim", "d:dd"),
    ("copysign", "d:dd"),
    ("hypot", "d:dd"),
    ("nextafter", "d:dd"),
    ("fma", "d:ddd"),
    ("ldexp", "d:di"),
    ("scalbn", "d:di"),
    ("scalbln", "d:dl"),
    ("frexp", "d:dp"),
    ("modf", "d:dp"),
    ("remquo", "d:ddp"),
    ("ilogb", "i:d"),
    ("lrint", "l:d"),
    ("llrint", "q:d"),
    ("lround", "l:d"),
    ("llround", "q:d"),
];

fn find(table: &[(&str, &str)], name: &str) -> Option<String> {
    table.iter().find(|(known, _)| *known == name).map(|(_, text)| (*text).to_owned())
}

/// The type of a function that GCC knows without a declaration.
pub(super) fn signature(name: &str) -> Option<String> {
    let (plain, builtin) = match name.strip_prefix("__builtin_") {
        Some(plain) => (plain, true),
        None => (name, false),
    };
    if let Some(found) = find(LIBRARY, plain).or_else(|| find(MATHEMATICS, plain)) {
        return Some(found);
    }
    if builtin && let Some(found) = find(BUILTINS, plain) {
        return Some(found);
    }
    for (suffix, letter) in [('f', "f"), ('l', "D")] {
        if let Some(found) = plain.strip_suffix(suffix).and_then(|stem| find(MATHEMATICS, stem)) {
            return Some(found.replace('d', letter));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::signature;

    #[test]
    fn suffixes() {
        assert_eq!(signature("fabsf").as_deref(), Some("f:f"));
        assert_eq!(signature("__builtin_powl").as_deref(), Some("D:DD"));
        assert_eq!(signature("__builtin_bswap32").as_deref(), Some("u:u"));
        assert_eq!(signature("bswap32"), None);
        assert_eq!(signature("frobnicate"), None);
    }
}
