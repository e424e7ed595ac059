/* Functions of string.h. Results that the standard leaves open hold any value that it allows. */
static __nilas_size __nilas_strlen(const char *s) {
    __nilas_size n = 0;
    while (s[n]) n++;
    return n;
}
static __nilas_size __nilas_strnlen(const char *s, __nilas_size most) {
    __nilas_size n = 0;
    while (n < most && s[n]) n++;
    return n;
}
static char *__nilas_strcpy(char *to, const char *from) {
    __nilas_size i = 0;
    while ((to[i] = from[i])) i++;
    return to;
}
static char *__nilas_stpcpy(char *to, const char *from) {
    __nilas_size i = 0;
    while ((to[i] = from[i])) i++;
    return to + i;
}
static char *__nilas_strncpy(char *to, const char *from, __nilas_size n) {
    __nilas_size i = 0;
    for (; i < n && from[i]; i++) to[i] = from[i];
    for (; i < n; i++) to[i] = 0;
    return to;
}
static char *__nilas_strcat(char *to, const char *from) {
    __nilas_size end = 0, i = 0;
    while (to[end]) end++;
    while ((to[end + i] = from[i])) i++;
    return to;
}
static char *__nilas_strncat(char *to, const char *from, __nilas_size n) {
    __nilas_size end = 0, i = 0;
    while (to[end]) end++;
    for (; i < n && from[i]; i++) to[end + i] = from[i];
    to[end + i] = 0;
    return to;
}
/* The sign of the difference of two bytes. */
static int __nilas_order(unsigned char a, unsigned char b) { return __nilas_sign(a < b, a > b); }
static int __nilas_strcmp(const char *a, const char *b) {
    __nilas_size i = 0;
    while (a[i] && a[i] == b[i]) i++;
    return __nilas_order(a[i], b[i]);
}
static int __nilas_strncmp(const char *a, const char *b, __nilas_size n) {
    __nilas_size i = 0;
    while (i < n && a[i] && a[i] == b[i]) i++;
    if (i == n) return 0;
    return __nilas_order(a[i], b[i]);
}
static int __nilas_memcmp(const void *a, const void *b, __nilas_size n) {
    const unsigned char *p = a, *q = b;
    __nilas_size i = 0;
    while (i < n && p[i] == q[i]) i++;
    if (i == n) return 0;
    return __nilas_order(p[i], q[i]);
}
static void *__nilas_memchr(const void *s, int c, __nilas_size n) {
    const unsigned char *p = s;
    for (__nilas_size i = 0; i < n; i++)
        if (p[i] == (unsigned char)c) return (void *)(p + i);
    return 0;
}
static char *__nilas_strchr(const char *s, int c) {
    for (__nilas_size i = 0;; i++) {
        if (s[i] == (char)c) return (char *)(s + i);
        if (!s[i]) return 0;
    }
}
static char *__nilas_strrchr(const char *s, int c) {
    char *last = 0;
    for (__nilas_size i = 0;; i++) {
        if (s[i] == (char)c) last = (char *)(s + i);
        if (!s[i]) return last;
    }
}
static char *__nilas_strstr(const char *s, const char *word) {
    for (__nilas_size i = 0;; i++) {
        __nilas_size k = 0;
        while (word[k] && s[i + k] == word[k]) k++;
        if (!word[k]) return (char *)(s + i);
        if (!s[i]) return 0;
    }
}
static __nilas_size __nilas_strspn(const char *s, const char *set) {
    for (__nilas_size i = 0;; i++) {
        __nilas_size k = 0;
        while (set[k] && set[k] != s[i]) k++;
        if (!s[i] || !set[k]) return i;
    }
}
static __nilas_size __nilas_strcspn(const char *s, const char *set) {
    for (__nilas_size i = 0;; i++) {
        __nilas_size k = 0;
        while (set[k] && set[k] != s[i]) k++;
        if (!s[i] || set[k]) return i;
    }
}
static char *__nilas_strpbrk(const char *s, const char *set) {
    for (__nilas_size i = 0; s[i]; i++)
        for (__nilas_size k = 0; set[k]; k++)
            if (set[k] == s[i]) return (char *)(s + i);
    return 0;
}
static char *__nilas_strdup(const char *s) {
    __nilas_size n = 0;
    while (s[n]) n++;
    char *copy = (char *)__builtin_malloc(n + 1);
    if (!copy) {
        __nilas_no_memory();
        return 0;
    }
    for (__nilas_size i = 0; i <= n; i++) copy[i] = s[i];
    return copy;
}
static char *__nilas_strndup(const char *s, __nilas_size most) {
    __nilas_size n = 0;
    while (n < most && s[n]) n++;
    char *copy = (char *)__builtin_malloc(n + 1);
    if (!copy) {
        __nilas_no_memory();
        return 0;
    }
    for (__nilas_size i = 0; i < n; i++) copy[i] = s[i];
    copy[n] = 0;
    return copy;
}
static void *__nilas_memset(void *to, int c, __nilas_size n) {
    unsigned char *p = to;
    for (__nilas_size i = 0; i < n; i++) p[i] = c;
    return to;
}
static void *__nilas_memcpy(void *to, const void *from, __nilas_size n) {
    unsigned char *p = to;
    const unsigned char *q = from;
    for (__nilas_size i = 0; i < n; i++) p[i] = q[i];
    return to;
}
static void *__nilas_mempcpy(void *to, const void *from, __nilas_size n) {
    unsigned char *p = to;
    const unsigned char *q = from;
    for (__nilas_size i = 0; i < n; i++) p[i] = q[i];
    return p + n;
}
static void *__nilas_memmove(void *to, const void *from, __nilas_size n) {
    unsigned char *p = to;
    const unsigned char *q = from;
    int inside = 0;
    if (p == q) return to;
    /* Where objects lie decides the order of their addresses, but not whether one begins inside of the other. */
    for (__nilas_size i = 1; i < n; i++)
        if (q + i == p) inside = 1;
    if (inside)
        for (__nilas_size i = n; i > 0; i--) p[i - 1] = q[i - 1];
    else
        for (__nilas_size i = 0; i < n; i++) p[i] = q[i];
    return to;
}
static void __nilas_bzero(void *to, __nilas_size n) {
    unsigned char *p = to;
    for (__nilas_size i = 0; i < n; i++) p[i] = 0;
}
static unsigned char __nilas_lower(char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }
static int __nilas_strcasecmp(const char *a, const char *b) {
    __nilas_size i = 0;
    while (a[i] && __nilas_lower(a[i]) == __nilas_lower(b[i])) i++;
    return __nilas_order(__nilas_lower(a[i]), __nilas_lower(b[i]));
}
static int __nilas_strncasecmp(const char *a, const char *b, __nilas_size n) {
    __nilas_size i = 0;
    while (i < n && a[i] && __nilas_lower(a[i]) == __nilas_lower(b[i])) i++;
    if (i == n) return 0;
    return __nilas_order(__nilas_lower(a[i]), __nilas_lower(b[i]));
}
static char *__nilas_strtok_r(char *s, const char *set, char **rest) {
    if (!s) s = *rest;
    if (!s) return 0;
    s += __nilas_strspn(s, set);
    if (!*s) {
        *rest = s;
        return 0;
    }
    char *end = s + __nilas_strcspn(s, set);
    if (*end) *end++ = 0;
    *rest = end;
    return s;
}
static char *__nilas_strtok(char *s, const char *set) {
    static char *rest;
    return __nilas_strtok_r(s, set, &rest);
}
static char *__nilas_stpncpy(char *to, const char *from, __nilas_size n) {
    __nilas_size i = 0, end;
    for (; i < n && from[i]; i++) to[i] = from[i];
    end = i;
    for (; i < n; i++) to[i] = 0;
    return to + end;
}
static __nilas_size __nilas_strlcpy(char *to, const char *from, __nilas_size n) {
    __nilas_size i = 0;
    for (; from[i]; i++)
        if (i + 1 < n) to[i] = from[i];
    if (n) to[i < n ? i : n - 1] = 0;
    return i;
}
static __nilas_size __nilas_strlcat(char *to, const char *from, __nilas_size n) {
    __nilas_size end = 0, i = 0;
    while (end < n && to[end]) end++;
    for (; from[i]; i++)
        if (end + i + 1 < n) to[end + i] = from[i];
    if (end < n) to[end + i < n ? end + i : n - 1] = 0;
    return end + i;
}
static int __nilas_strcoll(const char *a, const char *b) { return __nilas_strcmp(a, b); }
static __nilas_size __nilas_strxfrm(char *to, const char *from, __nilas_size n) {
    __nilas_size length = __nilas_strlen(from);
    for (__nilas_size i = 0; i < n && i <= length; i++) to[i] = from[i];
    return length;
}
static char *__nilas_strchrnul(const char *s, int c) {
    __nilas_size i = 0;
    while (s[i] && s[i] != (char)c) i++;
    return (char *)(s + i);
}
static char *__nilas_strcasestr(const char *s, const char *word) {
    for (__nilas_size i = 0;; i++) {
        __nilas_size k = 0;
        while (word[k] && __nilas_lower(s[i + k]) == __nilas_lower(word[k])) k++;
        if (!word[k]) return (char *)(s + i);
        if (!s[i]) return 0;
    }
}
static char *__nilas_strsep(char **text, const char *set) {
    char *start = *text;
    if (!start) return 0;
    char *end = start + __nilas_strcspn(start, set);
    if (*end) {
        *end = 0;
        *text = end + 1;
    } else {
        *text = 0;
    }
    return start;
}
/* A text may be written over by the next one, and may be at the same place. */
static char *__nilas_strerror(int number) {
    static int told;
    if (told) __nilas_not_covered("the text of an error behind another one");
    told = 1;
    return __nilas_any_string();
}
static char *__nilas_strsignal(int number) {
    static int told;
    if (told) __nilas_not_covered("the name of a signal behind another one");
    told = 1;
    return __nilas_any_string();
}
static void *__nilas_memccpy(void *to, const void *from, int c, __nilas_size n) {
    unsigned char *p = to;
    const unsigned char *q = from;
    for (__nilas_size i = 0; i < n; i++) {
        p[i] = q[i];
        if (q[i] == (unsigned char)c) return p + i + 1;
    }
    return 0;
}
static void *__nilas_memrchr(const void *s, int c, __nilas_size n) {
    const unsigned char *p = s;
    for (__nilas_size i = n; i > 0; i--)
        if (p[i - 1] == (unsigned char)c) return (void *)(p + i - 1);
    return 0;
}
static void *__nilas_rawmemchr(const void *s, int c) {
    const unsigned char *p = s;
    while (*p != (unsigned char)c) p++;
    return (void *)p;
}
static void *__nilas_memmem(const void *s, __nilas_size n, const void *word, __nilas_size m) {
    const unsigned char *p = s, *q = word;
    if (m > n) return 0;
    for (__nilas_size i = 0; i <= n - m; i++) {
        __nilas_size k = 0;
        while (k < m && p[i + k] == q[k]) k++;
        if (k == m) return (void *)(p + i);
    }
    return 0;
}
static void *__nilas_memfrob(void *s, __nilas_size n) {
    unsigned char *p = s;
    for (__nilas_size i = 0; i < n; i++) p[i] ^= 42;
    return s;
}
static void __nilas_swab(const void *from, void *to, __nilas_ssize n) {
    const char *q = from;
    char *p = to;
    for (__nilas_ssize i = 0; i + 1 < n; i += 2) {
        char first = q[i], second = q[i + 1];
        p[i] = second;
        p[i + 1] = first;
    }
}
static void __nilas_bcopy(const void *from, void *to, __nilas_size n) { __nilas_memmove(to, from, n); }
/* With a size of the object as the last argument. */
static void *__nilas___memset_chk(void *to, int c, __nilas_size n, __nilas_size size) {
    return __nilas_memset(to, c, n);
}
static void *__nilas___memcpy_chk(void *to, const void *from, __nilas_size n, __nilas_size size) {
    return __nilas_memcpy(to, from, n);
}
static void *__nilas___memmove_chk(void *to, const void *from, __nilas_size n, __nilas_size size) {
    return __nilas_memmove(to, from, n);
}
static void *__nilas___mempcpy_chk(void *to, const void *from, __nilas_size n, __nilas_size size) {
    return __nilas_mempcpy(to, from, n);
}
static char *__nilas___strcpy_chk(char *to, const char *from, __nilas_size size) {
    return __nilas_strcpy(to, from);
}
static char *__nilas___stpcpy_chk(char *to, const char *from, __nilas_size size) {
    return __nilas_stpcpy(to, from);
}
static char *__nilas___strncpy_chk(char *to, const char *from, __nilas_size n, __nilas_size size) {
    return __nilas_strncpy(to, from, n);
}
static char *__nilas___strcat_chk(char *to, const char *from, __nilas_size size) {
    return __nilas_strcat(to, from);
}
static char *__nilas___strncat_chk(char *to, const char *from, __nilas_size n, __nilas_size size) {
    return __nilas_strncat(to, from, n);
}
