/* POSIX: descriptors, time, byte orders. */
static __nilas_ssize __nilas_read(int descriptor, void *to, __nilas_size count) {
    __nilas_ssize done = __nilas_at_most(count);
    if (descriptor != 0 || __nilas_zero_given) __nilas_reading(0);
    if (done > 0) __nilas_receive(to, done);
    return done;
}
static __nilas_ssize __nilas_pread(int descriptor, void *to, __nilas_size count, long offset) {
    return __nilas_read(descriptor, to, count);
}
static __nilas_ssize __nilas_recv(int socket, void *to, __nilas_size count, int flags) {
    return __nilas_read(socket, to, count);
}
static __nilas_ssize __nilas_readlink(const char *name, char *to, __nilas_size count) {
    __nilas_ssize done = __nilas_read(0, to, count);
    if (__nilas_name_result(0)) return -1;
    /* No link is empty. */
    if (done) return done;
    __nilas_failure();
    return -1;
}
static __nilas_ssize __nilas_write(int descriptor, const void *from, __nilas_size count) {
    return __nilas_at_most(count);
}
static __nilas_ssize __nilas_pwrite(int descriptor, const void *from, __nilas_size count, long offset) {
    return __nilas_at_most(count);
}
static __nilas_ssize __nilas_send(int socket, const void *from, __nilas_size count, int flags) {
    return __nilas_at_most(count);
}
static char *__nilas_getcwd(char *to, __nilas_size size) {
    __nilas_size length = __nilas_any_size();
    if (__nilas_any_int()) {
        /* What the array holds then is open. */
        if (to) __nilas_receive(to, length < size ? length : size);
        __nilas_failure();
        return 0;
    }
    /* The path of a directory is not empty. */
    if (!length) length = 1;
    if (!to) {
        to = __nilas_any_string();
        if (!to[0]) __nilas_not_covered("a directory that cannot be told");
        return to;
    }
    if (length >= size) {
        __nilas_receive(to, size);
        __nilas_errno = 34;
        return 0;
    }
    __nilas_receive(to, length);
    to[0] = '/';
    to[length] = 0;
    return to;
}
static void *__nilas_opendir(const char *name) { return __nilas_open_handle(); }
static int __nilas_closedir(void *directory) {
    __nilas_close_handle(directory);
    if (__nilas_any_int()) {
        __nilas_failure();
        return -1;
    }
    return 0;
}
/* No file has a negative descriptor (EBADF). */
static int __nilas_bad_descriptor(void) {
    __nilas_errno = 9;
    return -1;
}
static int __nilas_close(int descriptor) {
    if (descriptor < 0) return __nilas_bad_descriptor();
    __nilas_closed_descriptor = 1;
    if (__nilas_any_int()) {
        __nilas_failure();
        return -1;
    }
    return 0;
}
static int __nilas_dup2(int old, int new) {
    if (old < 0 || new < 0) return __nilas_bad_descriptor();
    if (__nilas_any_int()) {
        __nilas_failure();
        return -1;
    }
    __nilas_closed_descriptor = 1;
    if (new == 0) __nilas_zero_given = 1;
    if (new > __nilas_highest) __nilas_highest = new;
    return new;
}
/* O_RDONLY is 0. */
static int __nilas_open(const char *name, int flags, ...) {
    if (flags) __nilas_written = 1;
    return __nilas_new_descriptor();
}
static int __nilas_openat(int directory, const char *name, int flags, ...) {
    if (flags) __nilas_written = 1;
    return __nilas_new_descriptor();
}
static int __nilas_creat(const char *name, unsigned mode) {
    __nilas_written = 1;
    return __nilas_new_descriptor();
}
static int __nilas_dup(int descriptor) {
    if (descriptor < 0) return __nilas_bad_descriptor();
    return __nilas_new_descriptor();
}
static int __nilas_socket(int domain, int type, int protocol) {
    __nilas_written = 1;
    return __nilas_new_descriptor();
}
static int __nilas_pipe(int *ends) {
    int reads = __nilas_new_descriptor(), writes;
    if (reads < 0) return -1;
    writes = __nilas_new_descriptor();
    if (writes < 0) return -1;
    __nilas_written = 1;
    ends[0] = reads;
    ends[1] = writes;
    return 0;
}
static int __nilas_access(const char *name, int mode) { return __nilas_name_result(0); }
static int __nilas_unlink(const char *name) { return __nilas_name_result(1); }
static int __nilas_link(const char *name, const char *other) { return __nilas_name_result(1); }
static int __nilas_symlink(const char *name, const char *other) { return __nilas_name_result(1); }
static int __nilas_mkdir(const char *name, unsigned mode) { return __nilas_name_result(1); }
static int __nilas_rmdir(const char *name) { return __nilas_name_result(1); }
static int __nilas_chdir(const char *name) { return __nilas_name_result(1); }
/* What is left to sleep. */
static unsigned __nilas_sleep(unsigned seconds) {
    unsigned left = __nilas_any_int();
    return left < seconds ? left : seconds;
}
/* Without a command: whether there is a shell. */
static int __nilas_system(const char *command) {
    int status = __nilas_any_int();
    if (!command && status < 0) status = 0;
    if (status == -1) __nilas_failure();
    return status;
}
/* There is the C locale only. */
static char __nilas_locale[2] = { 'C', 0 };
static char *__nilas_setlocale(int category, const char *name) {
    if (name && (name[0] != 'C' || name[1])) __nilas_not_covered("another locale than C");
    /* From LC_CTYPE to LC_IDENTIFICATION. */
    if (category < 0 || category > 12) return 0;
    return __nilas_locale;
}
static int __nilas_execv(const char *path, char **arguments) {
    if (!__nilas_any_int()) __builtin__exit(0);
    __nilas_failure();
    return -1;
}
static int __nilas_execvp(const char *path, char **arguments) { return __nilas_execv(path, arguments); }
static int __nilas_execve(const char *path, char **arguments, char **environment) {
    return __nilas_execv(path, arguments);
}
static long __nilas_time(long *to) {
    long now = __nilas_any_long();
    if (now < -1) now = 0;
    if (to) *to = now;
    return now;
}
/* A line of 26 characters. */
static char *__nilas_time_line(void) {
    static char line[26];
    __nilas_receive(line, 24);
    line[24] = '\n';
    line[25] = 0;
    return line;
}
/* The year has to fit an `int`; at which second that ends depends on the time zone. */
static char *__nilas_ctime(const long *moment) {
    long long seconds = *moment;
    if (seconds > 67768036191900000LL || seconds < -67768040609900000LL) return 0;
    if ((seconds > 67768036191500000LL || seconds < -67768040609500000LL) && __nilas_any_int()) return 0;
    return __nilas_time_line();
}
static char *__nilas_asctime(const void *moment) {
    const int *parts = moment;
    if (parts[5] > 2147483647 - 1900) return 0;
    return __nilas_time_line();
}
static __nilas_size __nilas_strftime(char *to, __nilas_size size, const char *format, const void *moment) {
    __nilas_size length = __nilas_any_size();
    if (length >= size) {
        __nilas_receive(to, size);
        return 0;
    }
    __nilas_receive(to, length);
    to[length] = 0;
    return length;
}
static unsigned __nilas_htonl(unsigned x) { return __builtin_bswap32(x); }
static unsigned short __nilas_htons(unsigned short x) { return __builtin_bswap16(x); }
/* A process has one number. */
static int __nilas_getpid(void) {
    static int number;
    if (!number) number = __nilas_any_int();
    if (number <= 0) number = 1;
    return number;
}
/* The first return. Another one needs `longjmp`, which is not modelled. */
static int __nilas_setjmp(void *place) { return 0; }
static int __nilas_sigsetjmp(void *place, int mask) { return 0; }
