/* stdlib.h and search.h, but for numbers. */
static int __nilas_is_power(__nilas_size n) { return n && !(n & (n - 1)); }
static int __nilas_posix_memalign(void **to, __nilas_size alignment, __nilas_size size) {
    if (!__nilas_is_power(alignment) || alignment < sizeof(void *)) return 22;
    void *memory = __builtin_aligned_alloc(alignment, size);
    if (!memory) return 12;
    *to = memory;
    return 0;
}
typedef struct { int quot; int rem; } __nilas_div_t;
typedef struct { long quot; long rem; } __nilas_ldiv_t;
typedef struct { long long quot; long long rem; } __nilas_lldiv_t;
static __nilas_div_t __nilas_div(int a, int b) {
    __nilas_div_t result;
    result.quot = a / b;
    result.rem = a % b;
    return result;
}
static __nilas_ldiv_t __nilas_ldiv(long a, long b) {
    __nilas_ldiv_t result;
    result.quot = a / b;
    result.rem = a % b;
    return result;
}
static __nilas_lldiv_t __nilas_lldiv(long long a, long long b) {
    __nilas_lldiv_t result;
    result.quot = a / b;
    result.rem = a % b;
    return result;
}
static __nilas_lldiv_t __nilas_imaxdiv(long long a, long long b) { return __nilas_lldiv(a, b); }
/* Elements of the sizes of numbers and pointers move as a whole. */
static void __nilas_swap(char *a, char *b, __nilas_size size) {
    if (size == sizeof(int)) {
        int *p = (int *)a, *q = (int *)b, held = *p;
        *p = *q;
        *q = held;
    } else if (size == sizeof(long long)) {
        long long *p = (long long *)a, *q = (long long *)b, held = *p;
        *p = *q;
        *q = held;
    } else {
        for (__nilas_size i = 0; i < size; i++) {
            char held = a[i];
            a[i] = b[i];
            b[i] = held;
        }
    }
}
/* Elements that are equal come in any order. */
static int __nilas_after(int order) { return order > 0 || (order == 0 && __nilas_any_int()); }
static void __nilas_qsort(void *base, __nilas_size count, __nilas_size size,
                          int (*compare)(const void *, const void *)) {
    char *first = base;
    for (__nilas_size i = 1; i < count; i++)
        for (__nilas_size j = i; j > 0 && __nilas_after(compare(first + (j - 1) * size, first + j * size)); j--)
            __nilas_swap(first + (j - 1) * size, first + j * size, size);
}
static void __nilas_qsort_r(void *base, __nilas_size count, __nilas_size size,
                            int (*compare)(const void *, const void *, void *), void *extra) {
    char *first = base;
    for (__nilas_size i = 1; i < count; i++)
        for (__nilas_size j = i; j > 0 && __nilas_after(compare(first + (j - 1) * size, first + j * size, extra)); j--)
            __nilas_swap(first + (j - 1) * size, first + j * size, size);
}
/* Which one of equal elements is found is open. */
static void *__nilas_bsearch(const void *key, const void *base, __nilas_size count, __nilas_size size,
                             int (*compare)(const void *, const void *)) {
    __nilas_size low = 0, high = count;
    while (low < high) {
        __nilas_size middle = (low + high) / 2;
        const char *element = (const char *)base + middle * size;
        int order = compare(key, element);
        if (order < 0)
            high = middle;
        else if (order > 0)
            low = middle + 1;
        else {
            while (middle > 0 && __nilas_any_int() && !compare(key, element - size)) {
                element -= size;
                middle--;
            }
            while (middle + 1 < count && __nilas_any_int() && !compare(key, element + size)) {
                element += size;
                middle++;
            }
            return (void *)element;
        }
    }
    return 0;
}
static void *__nilas_lfind(const void *key, const void *base, __nilas_size *count, __nilas_size size,
                           int (*compare)(const void *, const void *)) {
    for (__nilas_size i = 0; i < *count; i++) {
        const char *element = (const char *)base + i * size;
        if (!compare(key, element)) return (void *)element;
    }
    return 0;
}
/* One seed gives one sequence, and the first one begins as if the seed were 1. */
static int __nilas_seeds;
static void __nilas_seed(long seed, int generator) {
    if ((__nilas_seeds & generator) || seed == 1) __nilas_not_covered("random numbers from a seed that may come again");
    __nilas_seeds |= generator;
}
static void __nilas_srand(unsigned seed) { __nilas_seed(seed, 1); }
static void __nilas_srandom(unsigned seed) { __nilas_seed(seed, 2); }
static void __nilas_srand48(long seed) { __nilas_seed(seed, 4); }
static double __nilas_drand48(void) {
    /* 48 bits behind the point. */
    unsigned high = __nilas_any_int(), low = __nilas_any_int();
    return (high >> 16) * 0x1p-16 + low * 0x1p-48;
}
static double __nilas_erand48(unsigned short *state) {
    for (int i = 0; i < 3; i++) state[i] = __nilas_any_int();
    return __nilas_drand48();
}
static unsigned __nilas_arc4random_uniform(unsigned bound) {
    unsigned value = __nilas_any_int();
    return value < bound ? value : 0;
}
/* Two variables may be one, and one does not change unless it is set. So the answers are kept, by the names. */
static char __nilas_names[4][32];
static char *__nilas_values[4];
static int __nilas_named;
static int __nilas_environment_set;
static char *__nilas_getenv(const char *name) {
    static char *known;
    char *value = 0;
    int i, k = 0;
    if (__nilas_environment_set) __nilas_not_covered("an environment that the program has changed");
    for (i = 0; i < __nilas_named; i++) {
        for (k = 0; name[k] && name[k] == __nilas_names[i][k]; k++) ;
        if (name[k] == __nilas_names[i][k]) return __nilas_values[i];
    }
    if (__nilas_named == 4) __nilas_not_covered("more than 4 names of variables of the environment");
    if (__nilas_any_int()) {
        if (!known || __nilas_any_int()) known = __nilas_any_string();
        value = known;
    }
    for (k = 0; name[k]; k++) {
        if (k == 31) __nilas_not_covered("a long name of a variable of the environment");
        __nilas_names[__nilas_named][k] = name[k];
    }
    __nilas_names[__nilas_named][k] = 0;
    __nilas_values[__nilas_named++] = value;
    return value;
}
static int __nilas_set_environment(void) {
    if (__nilas_any_int()) {
        __nilas_failure();
        return -1;
    }
    __nilas_environment_set = 1;
    return 0;
}
static int __nilas_setenv(const char *name, const char *value, int replaces) { return __nilas_set_environment(); }
static int __nilas_unsetenv(const char *name) { return __nilas_set_environment(); }
static int __nilas_clearenv(void) { return __nilas_set_environment(); }
/* Handlers that run at exit, the last one first. A handler may register others. */
static void (*__nilas_handlers[32])(void);
static int __nilas_handler_count;
static int __nilas_atexit(void (*handler)(void)) {
    if (__nilas_handler_count == 32) __nilas_not_covered("more than 32 functions that run at exit");
    __nilas_handlers[__nilas_handler_count++] = handler;
    return 0;
}
static void __nilas_run_at_exit(void) {
    while (__nilas_handler_count > 0) {
        __nilas_handler_count--;
        __nilas_handlers[__nilas_handler_count]();
    }
}
