/* stdio.h. What is read is any; what is written is lost. */
static int __nilas_putchar(int c) {
    if (__nilas_any_int()) return (unsigned char)c;
    __nilas_failure();
    return -1;
}
static int __nilas_putc(int c, void *stream) { return __nilas_putchar(c); }
static int __nilas_ungetc(int c, void *stream) {
    if (c == -1) return -1;
    if (!__nilas_any_int()) return -1;
    __nilas_not_covered("a character that is put back");
    return (unsigned char)c;
}
static __nilas_size __nilas_fwrite(const void *from, __nilas_size size, __nilas_size count, void *stream) {
    __nilas_size done = __nilas_any_size();
    if (!size || !count) return 0;
    if (done >= count) return count;
    __nilas_failure();
    return done;
}
static int __nilas_getc(void *stream) {
    int c = __nilas_any_int();
    __nilas_reading(stream);
    if (c >= 0) return (unsigned char)c;
    __nilas_no_input();
    return -1;
}
static int __nilas_getw(void *stream) {
    __nilas_reading(stream);
    return __nilas_any_int();
}
static __nilas_size __nilas_fread(void *to, __nilas_size size, __nilas_size count, void *stream) {
    __nilas_size done = __nilas_any_size(), rest = __nilas_any_size();
    __nilas_reading(stream);
    if (!size || !count) return 0;
    if (done >= count) {
        __nilas_receive(to, size * count);
        return count;
    }
    __nilas_no_input();
    /* The last element may have come in part. */
    __nilas_receive(to, size * done + (rest < size ? rest : 0));
    return done;
}
static char *__nilas_fgets(char *to, int limit, void *stream) {
    int i = 0;
    __nilas_reading(stream);
    if (limit <= 0) return 0;
    if (limit > 1 && __nilas_any_int()) {
        __nilas_no_line(to, limit);
        return 0;
    }
    while (i + 1 < limit) {
        to[i] = __nilas_any_char();
        if (to[i++] == '\n' || __nilas_any_int()) break;
    }
    to[i] = 0;
    return to;
}
static char *__nilas_gets(char *to) {
    __nilas_size i = 0;
    if (__nilas_any_int()) {
        __nilas_no_input();
        return 0;
    }
    while (__nilas_any_int()) {
        char c = __nilas_any_char();
        if (c == '\n') break;
        to[i++] = c;
    }
    to[i] = 0;
    return to;
}
static __nilas_ssize __nilas_getdelim(char **line, __nilas_size *room, int delimiter, void *stream) {
    __nilas_size length = __nilas_any_size();
    int fails = __nilas_any_int();
    __nilas_reading(stream);
    if (length == 0 || length > 0x7ffffffe) length = 1;
    if (!*line || *room < length + 1) {
        char *larger = (char *)__builtin_realloc(*line, length + 1);
        if (!larger) {
            __nilas_no_memory();
            return -1;
        }
        *line = larger;
        *room = length + 1;
    }
    if (fails) {
        __nilas_no_line(*line, length);
        return -1;
    }
    for (__nilas_size i = 0; i < length; i++) {
        char c = __nilas_any_char();
        /* Only the last one can be the delimiter. */
        if (c == (char)delimiter && i + 1 < length) c++;
        (*line)[i] = c;
    }
    (*line)[length] = 0;
    return length;
}
static __nilas_ssize __nilas_getline(char **line, __nilas_size *room, void *stream) {
    return __nilas_getdelim(line, room, '\n', stream);
}
/* What a format prints, into a buffer of a size. */
static int __nilas_print_into(char *to, __nilas_size size) {
    int length = __nilas_any_int(), fails = __nilas_any_int();
    __nilas_size count = length;
    if (length < 0) return -1;
    if (size) {
        if (count > size - 1) count = size - 1;
        __nilas_receive(to, count);
        to[count] = 0;
    }
    return fails ? -1 : length;
}
/* What a conversion of scanf stores, if it comes to that: a string without spaces, or so many characters. */
static void __nilas_scan_text(char *to, __nilas_size most, int string, int reached) {
    __nilas_size i = 0;
    if (!reached) return;
    while (i < most && (!string || i == 0 || __nilas_any_int())) {
        char c = __nilas_any_char();
        if (string == 1 && (c == ' ' || (c >= 9 && c <= 13))) c = 'x';
        to[i++] = c;
    }
    if (string) to[i] = 0;
}
/* The mode `r` alone, perhaps followed by letters, does not write. */
static void __nilas_opening(const char *mode) {
    if (mode[0] != 'r' || (mode[1] && (mode[1] == '+' || (mode[2] && (mode[2] == '+' || mode[3]))))) __nilas_written = 1;
}
static void *__nilas_fopen(const char *name, const char *mode) {
    __nilas_opening(mode);
    return __nilas_open_handle();
}
static void *__nilas_fdopen(int descriptor, const char *mode) {
    __nilas_opening(mode);
    return __nilas_open_handle();
}
static void *__nilas_tmpfile(void) {
    __nilas_written = 1;
    return __nilas_open_handle();
}
static void *__nilas_popen(const char *command, const char *mode) { return __nilas_open_handle(); }
static int __nilas_fclose(void *stream) {
    __nilas_close_handle(stream);
    __nilas_closed_descriptor = 1;
    if (__nilas_any_int()) {
        __nilas_failure();
        return -1;
    }
    return 0;
}
static int __nilas_pclose(void *stream) {
    int status = __nilas_any_int();
    __nilas_close_handle(stream);
    __nilas_closed_descriptor = 1;
    if (status == -1) __nilas_failure();
    return status;
}
static void *__nilas_freopen(const char *name, const char *mode, void *stream) {
    __nilas_opening(mode);
    __nilas_closed_descriptor = 1;
    if (__nilas_any_int()) {
        __nilas_failure();
        return 0;
    }
    return stream;
}
/* What is printed later is kept there, as long as it suits the library. */
static void __nilas_setbuf(void *stream, char *buffer) {
    if (buffer) __nilas_not_covered("a buffer for a stream");
}
static void __nilas_setbuffer(void *stream, char *buffer, __nilas_size size) { __nilas_setbuf(stream, buffer); }
static int __nilas_setvbuf(void *stream, char *buffer, int mode, __nilas_size size) {
    __nilas_setbuf(stream, buffer);
    return __nilas_any_int();
}
static int __nilas_remove(const char *name) { return __nilas_name_result(1); }
static int __nilas_rename(const char *name, const char *other) { return __nilas_name_result(1); }
