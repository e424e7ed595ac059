#include <stdlib.h>
#include <string.h>
#include <ctype.h>
static size_t (*length)(const char *) = strlen;
static int (*const classes[2])(int) = { isdigit, isalpha };
int main(void) {
    void *(*copy)(void *, const void *, size_t) = memcpy;
    void *(*get)(size_t) = malloc;
    void (*give)(void *) = free;
    char *(*find)(const char *, int) = strchr;
    char s[] = "abc";
    int x = 5, y = 0, *p = get(sizeof *p), *q = &x, *r = 0;
    CHECK(length("abcd") == 4)
    copy(&y, &x, sizeof x);
    CHECK(y == 5)
    copy(&r, &q, sizeof q);
    CHECK(*r == 5)
    *p = 3;
    CHECK(*p == 3)
    give(p);
    CHECK(find(s, 'b') == s + 1)
    CHECK(classes[0]('4') && !classes[1]('4'))
    CHECK(strlen == length)
    return 0;
}
