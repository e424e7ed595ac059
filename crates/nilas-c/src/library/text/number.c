/* Numbers in strings. */
static int __nilas_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'z') return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
    return 99;
}
/* The number that a string starts with, cut at the largest value (one more if it is negative and signed). C23 takes 0b. */
static unsigned long long __nilas_integer(const char *s, char **end, int base, unsigned long long most,
                                          int is_signed, int binary) {
    const char *p = s;
    int negative = 0, found = 0, over = 0, radix = base;
    unsigned long long value = 0;
    if (base < 0 || base == 1 || base > 36) {
        __nilas_errno = 22;
        return 0;
    }
    while (*p == ' ' || (*p >= 9 && *p <= 13)) p++;
    if (*p == '-') negative = 1;
    if (*p == '-' || *p == '+') p++;
    if ((base == 0 || base == 16) && p[0] == '0' && (p[1] == 'x' || p[1] == 'X') && __nilas_digit(p[2]) < 16) {
        p += 2;
        radix = 16;
    } else if (binary && (base == 0 || base == 2) && p[0] == '0' && (p[1] == 'b' || p[1] == 'B') &&
               __nilas_digit(p[2]) < 2) {
        p += 2;
        radix = 2;
    } else if (base == 0) {
        radix = *p == '0' ? 8 : 10;
    }
    unsigned long long limit = is_signed && negative ? most + 1 : most;
    unsigned long long cut = limit / radix;
    int last = limit % radix;
    for (;;) {
        int digit = __nilas_digit(*p);
        if (digit >= radix) break;
        found = 1;
        if (value > cut || (value == cut && digit > last)) over = 1;
        value = value * radix + digit;
        p++;
    }
    if (end) *end = (char *)(found ? p : s);
    if (over) {
        __nilas_errno = 34;
        return limit;
    }
    return negative ? -value : value;
}
static long __nilas_strtol(const char *s, char **end, int base) {
    return __nilas_integer(s, end, base, (unsigned long)-1 >> 1, 1, 0);
}
static unsigned long __nilas_strtoul(const char *s, char **end, int base) {
    return __nilas_integer(s, end, base, (unsigned long)-1, 0, 0);
}
static long long __nilas_strtoll(const char *s, char **end, int base) {
    return __nilas_integer(s, end, base, (unsigned long long)-1 >> 1, 1, 0);
}
static unsigned long long __nilas_strtoull(const char *s, char **end, int base) {
    return __nilas_integer(s, end, base, (unsigned long long)-1, 0, 0);
}
static long __nilas___isoc23_strtol(const char *s, char **end, int base) {
    return __nilas_integer(s, end, base, (unsigned long)-1 >> 1, 1, 1);
}
static unsigned long __nilas___isoc23_strtoul(const char *s, char **end, int base) {
    return __nilas_integer(s, end, base, (unsigned long)-1, 0, 1);
}
static long long __nilas___isoc23_strtoll(const char *s, char **end, int base) {
    return __nilas_integer(s, end, base, (unsigned long long)-1 >> 1, 1, 1);
}
static unsigned long long __nilas___isoc23_strtoull(const char *s, char **end, int base) {
    return __nilas_integer(s, end, base, (unsigned long long)-1, 0, 1);
}
static int __nilas_atoi(const char *s) { return (int)__nilas_strtol(s, 0, 10); }
static long __nilas_atol(const char *s) { return __nilas_strtol(s, 0, 10); }
static long long __nilas_atoll(const char *s) { return __nilas_strtoll(s, 0, 10); }
/* Where a floating number in decimal ends; what is written in letters or hexadecimal ends anywhere in the string. Where
   there is no number, its start. */
static const char *__nilas_real_end(const char *s) {
    const char *p = s, *exponent;
    int digits = 0;
    while (*p == ' ' || (*p >= 9 && *p <= 13)) p++;
    if (*p == '-' || *p == '+') p++;
    if (*p == 'i' || *p == 'I' || *p == 'n' || *p == 'N' || (*p == '0' && (p[1] == 'x' || p[1] == 'X'))) {
        if (__nilas_any_int()) return s;
        while (*p && __nilas_any_int()) p++;
        return p;
    }
    while (*p >= '0' && *p <= '9') {
        digits = 1;
        p++;
    }
    if (*p == '.' && (digits || (p[1] >= '0' && p[1] <= '9'))) {
        p++;
        while (*p >= '0' && *p <= '9') p++;
        digits = 1;
    }
    if (!digits) return s;
    if (*p == 'e' || *p == 'E') {
        exponent = p + 1;
        if (*exponent == '-' || *exponent == '+') exponent++;
        if (*exponent >= '0' && *exponent <= '9') {
            p = exponent;
            while (*p >= '0' && *p <= '9') p++;
        }
    }
    return p;
}
/* The value is not computed. */
static double __nilas_strtod(const char *s, char **end) {
    const char *behind = __nilas_real_end(s);
    if (end) *end = (char *)behind;
    if (behind == s) return 0;
    if (__nilas_any_int()) __nilas_errno = 34;
    return __nilas_any_double();
}
static float __nilas_strtof(const char *s, char **end) {
    const char *behind = __nilas_real_end(s);
    if (end) *end = (char *)behind;
    if (behind == s) return 0;
    if (__nilas_any_int()) __nilas_errno = 34;
    return __nilas_any_float();
}
static long double __nilas_strtold(const char *s, char **end) {
    const char *behind = __nilas_real_end(s);
    if (end) *end = (char *)behind;
    if (behind == s) return 0;
    if (__nilas_any_int()) __nilas_errno = 34;
    return __nilas_any_long_double();
}
static double __nilas_atof(const char *s) { return __nilas_strtod(s, 0); }
