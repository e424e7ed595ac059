/* What the other texts use. Values that a function leaves open hold any value that it allows. */
typedef __typeof__(sizeof 0) __nilas_size;
typedef __typeof__((char *)0 - (char *)0) __nilas_ssize;
typedef __typeof__(L'a') __nilas_wchar;
/* Any value: an input, or a result that the arguments fix and that is not computed, as the row says. */
extern int __nilas_any_int(void);
extern char __nilas_any_char(void);
extern __nilas_size __nilas_any_size(void);
extern long __nilas_any_long(void);
extern float __nilas_any_float(void);
extern double __nilas_any_double(void);
extern long double __nilas_any_long_double(void);
/* The execution goes on in a way that is not modelled. */
extern void __nilas_not_covered(const char *what);
/* The execution goes on, though C may leave it undefined: if it reaches the error, it may be none. */
extern void __nilas_presume(const char *what);
static int __nilas_errno;
static int *__nilas___errno_location(void) { return &__nilas_errno; }
/* A function that fails says why; it never sets errno to zero. */
static void __nilas_failure(void) {
    int number = __nilas_any_int();
    __nilas_errno = number > 0 ? number : 1;
}
/* Memory that cannot be had: ENOMEM. */
static void __nilas_no_memory(void) { __nilas_errno = 12; }
/* The end of the input is no error. */
static void __nilas_no_input(void) {
    if (__nilas_any_int()) __nilas_failure();
}
/* The value of a predicate that holds is any but zero. */
static int __nilas_some(int holds) {
    int value;
    if (!holds) return 0;
    return value ? value : 1;
}
/* Any value with the sign of the difference. */
static int __nilas_sign(int less, int more) {
    int value;
    if (less) return value < 0 ? value : -1;
    if (more) return value > 0 ? value : 1;
    return 0;
}
/* A string that the program did not make. One argument or variable of a process has at most 128 KB. */
static char *__nilas_any_string(void) {
    /* Where allocations may fail: what is found outside of the program needs none. */
    static char empty[1];
    __nilas_size length = __nilas_any_size();
    if (length > 131071) length = 131071;
    char *text = (char *)__builtin_malloc(length + 1);
    if (!text) return empty;
    text[length] = 0;
    return text;
}
/* Bytes from outside. */
static void __nilas_receive(void *to, __nilas_size count) {
    char *bytes = to;
    for (__nilas_size i = 0; i < count; i++) bytes[i] = __nilas_any_char();
}
/* An error while reading leaves what came before it (C11 7.21.7.2p3: contents are open); the end of the input leaves
   all as it was. */
static void __nilas_no_line(char *to, __nilas_size room) {
    __nilas_size count = __nilas_any_size();
    if (__nilas_any_int()) {
        __nilas_no_input();
        return;
    }
    __nilas_receive(to, count < room ? count : room);
    __nilas_failure();
}
/* What is left of a number of bytes, or -1 for a failure. */
static __nilas_ssize __nilas_at_most(__nilas_size most) {
    __nilas_size count = __nilas_any_size();
    if (__nilas_any_int()) {
        __nilas_failure();
        return -1;
    }
    return count < most ? count : most;
}
/* Handles of open files and directories: each is another object, and nothing looks inside. One that was closed may
   come again. */
static char __nilas_handles[256];
static char __nilas_closed[256];
static int __nilas_opened;
static int __nilas_closed_count;
static void *__nilas_open_handle(void) {
    if (__nilas_any_int()) {
        __nilas_failure();
        return 0;
    }
    if (__nilas_closed_count > 0)
        for (int i = 0; i < __nilas_opened; i++)
            if (__nilas_closed[i] && __nilas_any_int()) {
                __nilas_closed[i] = 0;
                __nilas_closed_count--;
                return &__nilas_handles[i];
            }
    if (__nilas_opened == 256) __nilas_not_covered("more than 256 open files");
    return &__nilas_handles[__nilas_opened++];
}
static void __nilas_close_handle(void *handle) {
    if (!handle) __nilas_not_covered("closing no stream");
    for (int i = 0; i < __nilas_opened; i++)
        if (handle == (void *)&__nilas_handles[i] && !__nilas_closed[i]) {
            __nilas_closed[i] = 1;
            __nilas_closed_count++;
        }
}
/* Whether a file was opened for writing: what is read from a file afterwards may be what was written. */
static int __nilas_written;
static char __nilas_stdin[1];
static char __nilas_stdout[1];
static char __nilas_stderr[1];
/* Reading a stream. */
static void __nilas_reading(void *stream) {
    if (__nilas_written && stream != (void *)__nilas_stdin)
        __nilas_presume("what a file holds that the program may have written itself");
}
/* Numbers of descriptors. The lowest free one is given: a larger one than before, as long as none was closed. */
static int __nilas_highest = -1;
static int __nilas_closed_descriptor;
/* Whether standard input was closed before the program began, and something else has its number. */
static int __nilas_zero_given;
static int __nilas_descriptor(int given) {
    if (given == 0) __nilas_zero_given = 1;
    if (given > __nilas_highest) {
        __nilas_highest = given;
        return given;
    }
    if (__nilas_closed_descriptor) {
        __nilas_presume("the number of a descriptor that is given again");
        return given;
    }
    if (__nilas_highest == 2147483647) return -1;
    return ++__nilas_highest;
}
static int __nilas_new_descriptor(void) {
    int given = __nilas_any_int();
    if (given < 0) {
        __nilas_failure();
        return -1;
    }
    return __nilas_descriptor(given);
}
/* What happens to names of files shows later: in what is found, and in what fails. */
static int __nilas_renamed;
static int __nilas_name_result(int changes) {
    if (__nilas_renamed) __nilas_presume("what became of the names of files that the program made or removed");
    if (changes) __nilas_renamed = 1;
    if (__nilas_any_int()) {
        __nilas_failure();
        return -1;
    }
    return 0;
}
/* KLEE. */
static void __nilas_klee_make_symbolic(void *to, __nilas_size count, const char *name) { __nilas_receive(to, count); }
static int __nilas_klee_range(int start, int end, const char *name) {
    int value = __nilas_any_int();
    return value >= start && value < end ? value : start;
}
