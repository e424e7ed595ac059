/* wchar.h and wctype.h in the C locale. */
static __nilas_size __nilas_wcsnlen(const __nilas_wchar *s, __nilas_size most) {
    __nilas_size n = 0;
    while (n < most && s[n]) n++;
    return n;
}
static __nilas_size __nilas_wcslen(const __nilas_wchar *s) {
    __nilas_size n = 0;
    while (s[n]) n++;
    return n;
}
static __nilas_wchar *__nilas_wcscpy(__nilas_wchar *to, const __nilas_wchar *from) {
    __nilas_size i = 0;
    while ((to[i] = from[i])) i++;
    return to;
}
static __nilas_wchar *__nilas_wcpcpy(__nilas_wchar *to, const __nilas_wchar *from) {
    __nilas_size i = 0;
    while ((to[i] = from[i])) i++;
    return to + i;
}
static __nilas_wchar *__nilas_wcsncpy(__nilas_wchar *to, const __nilas_wchar *from, __nilas_size n) {
    __nilas_size i = 0;
    for (; i < n && from[i]; i++) to[i] = from[i];
    for (; i < n; i++) to[i] = 0;
    return to;
}
static __nilas_wchar *__nilas_wcscat(__nilas_wchar *to, const __nilas_wchar *from) {
    __nilas_size end = 0, i = 0;
    while (to[end]) end++;
    while ((to[end + i] = from[i])) i++;
    return to;
}
static __nilas_wchar *__nilas_wcsncat(__nilas_wchar *to, const __nilas_wchar *from, __nilas_size n) {
    __nilas_size end = 0, i = 0;
    while (to[end]) end++;
    for (; i < n && from[i]; i++) to[end + i] = from[i];
    to[end + i] = 0;
    return to;
}
static __nilas_wchar *__nilas_wcschr(const __nilas_wchar *s, __nilas_wchar c) {
    for (__nilas_size i = 0;; i++) {
        if (s[i] == c) return (__nilas_wchar *)(s + i);
        if (!s[i]) return 0;
    }
}
static __nilas_wchar *__nilas_wcsrchr(const __nilas_wchar *s, __nilas_wchar c) {
    __nilas_wchar *last = 0;
    for (__nilas_size i = 0;; i++) {
        if (s[i] == c) last = (__nilas_wchar *)(s + i);
        if (!s[i]) return last;
    }
}
static __nilas_wchar *__nilas_wcsstr(const __nilas_wchar *s, const __nilas_wchar *word) {
    for (__nilas_size i = 0;; i++) {
        __nilas_size k = 0;
        while (word[k] && s[i + k] == word[k]) k++;
        if (!word[k]) return (__nilas_wchar *)(s + i);
        if (!s[i]) return 0;
    }
}
static __nilas_size __nilas_wcsspn(const __nilas_wchar *s, const __nilas_wchar *set) {
    for (__nilas_size i = 0;; i++) {
        __nilas_size k = 0;
        while (set[k] && set[k] != s[i]) k++;
        if (!s[i] || !set[k]) return i;
    }
}
static __nilas_size __nilas_wcscspn(const __nilas_wchar *s, const __nilas_wchar *set) {
    for (__nilas_size i = 0;; i++) {
        __nilas_size k = 0;
        while (set[k] && set[k] != s[i]) k++;
        if (!s[i] || set[k]) return i;
    }
}
static __nilas_wchar *__nilas_wcspbrk(const __nilas_wchar *s, const __nilas_wchar *set) {
    for (__nilas_size i = 0; s[i]; i++)
        for (__nilas_size k = 0; set[k]; k++)
            if (set[k] == s[i]) return (__nilas_wchar *)(s + i);
    return 0;
}
static __nilas_wchar *__nilas_wcsdup(const __nilas_wchar *s) {
    __nilas_size n = 0;
    while (s[n]) n++;
    __nilas_wchar *copy = (__nilas_wchar *)__builtin_malloc((n + 1) * sizeof(__nilas_wchar));
    if (!copy) {
        __nilas_no_memory();
        return 0;
    }
    for (__nilas_size i = 0; i <= n; i++) copy[i] = s[i];
    return copy;
}
static int __nilas_wcscmp(const __nilas_wchar *a, const __nilas_wchar *b) {
    __nilas_size i = 0;
    while (a[i] && a[i] == b[i]) i++;
    return __nilas_sign(a[i] < b[i], a[i] > b[i]);
}
static int __nilas_wcsncmp(const __nilas_wchar *a, const __nilas_wchar *b, __nilas_size n) {
    __nilas_size i = 0;
    while (i < n && a[i] && a[i] == b[i]) i++;
    if (i == n) return 0;
    return __nilas_sign(a[i] < b[i], a[i] > b[i]);
}
static __nilas_wchar *__nilas_wcstok(__nilas_wchar *s, const __nilas_wchar *set, __nilas_wchar **rest) {
    if (!s) s = *rest;
    if (!s) return 0;
    s += __nilas_wcsspn(s, set);
    if (!*s) {
        *rest = 0;
        return 0;
    }
    __nilas_wchar *end = s + __nilas_wcscspn(s, set);
    if (*end) {
        *end = 0;
        *rest = end + 1;
    } else {
        *rest = 0;
    }
    return s;
}
static __nilas_wchar *__nilas_wmemcpy(__nilas_wchar *to, const __nilas_wchar *from, __nilas_size n) {
    for (__nilas_size i = 0; i < n; i++) to[i] = from[i];
    return to;
}
static __nilas_wchar *__nilas_wmemmove(__nilas_wchar *to, const __nilas_wchar *from, __nilas_size n) {
    int inside = 0;
    if (to == from) return to;
    for (__nilas_size i = 1; i < n; i++)
        if (from + i == to) inside = 1;
    if (inside)
        for (__nilas_size i = n; i > 0; i--) to[i - 1] = from[i - 1];
    else
        for (__nilas_size i = 0; i < n; i++) to[i] = from[i];
    return to;
}
static __nilas_wchar *__nilas_wmemset(__nilas_wchar *to, __nilas_wchar c, __nilas_size n) {
    for (__nilas_size i = 0; i < n; i++) to[i] = c;
    return to;
}
static int __nilas_wmemcmp(const __nilas_wchar *a, const __nilas_wchar *b, __nilas_size n) {
    __nilas_size i = 0;
    while (i < n && a[i] == b[i]) i++;
    if (i == n) return 0;
    return __nilas_sign(a[i] < b[i], a[i] > b[i]);
}
static __nilas_wchar *__nilas_wmemchr(const __nilas_wchar *s, __nilas_wchar c, __nilas_size n) {
    for (__nilas_size i = 0; i < n; i++)
        if (s[i] == c) return (__nilas_wchar *)(s + i);
    return 0;
}
static int __nilas_iswalnum(unsigned c) { return c < 128 ? __nilas_isalnum(c) : 0; }
static int __nilas_iswalpha(unsigned c) { return c < 128 ? __nilas_isalpha(c) : 0; }
static int __nilas_iswblank(unsigned c) { return c < 128 ? __nilas_isblank(c) : 0; }
static int __nilas_iswcntrl(unsigned c) { return c < 128 ? __nilas_iscntrl(c) : 0; }
static int __nilas_iswdigit(unsigned c) { return c < 128 ? __nilas_isdigit(c) : 0; }
static int __nilas_iswgraph(unsigned c) { return c < 128 ? __nilas_isgraph(c) : 0; }
static int __nilas_iswlower(unsigned c) { return c < 128 ? __nilas_islower(c) : 0; }
static int __nilas_iswprint(unsigned c) { return c < 128 ? __nilas_isprint(c) : 0; }
static int __nilas_iswpunct(unsigned c) { return c < 128 ? __nilas_ispunct(c) : 0; }
static int __nilas_iswspace(unsigned c) { return c < 128 ? __nilas_isspace(c) : 0; }
static int __nilas_iswupper(unsigned c) { return c < 128 ? __nilas_isupper(c) : 0; }
static int __nilas_iswxdigit(unsigned c) { return c < 128 ? __nilas_isxdigit(c) : 0; }
static unsigned __nilas_towlower(unsigned c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }
static unsigned __nilas_towupper(unsigned c) { return c >= 'a' && c <= 'z' ? c - 32 : c; }
