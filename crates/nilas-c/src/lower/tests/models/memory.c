#include <string.h>
#include <strings.h>
#include <stdlib.h>
#include <errno.h>
int main(void) {
    char a[8] = "abcdefg", b[8], c[8] = "abcabc", *q;
    void *v;
    int *p;
    CHECK(memcpy(b, a, 8) == b && b[6] == 'g')
    CHECK(mempcpy(b, a, 3) == b + 3)
    CHECK(memmove(a + 1, a, 4) == a + 1 && a[1] == 'a' && a[4] == 'd')
    CHECK(memset(b, 1, 3) == b && b[2] == 1 && b[3] == 'd')
    CHECK(memcmp("abc", "abd", 3) < 0)
    CHECK(bcmp("abc", "abc", 3) == 0)
    CHECK(memchr(c, 'c', 6) == c + 2)
    CHECK(memchr(c, 'z', 6) == 0)
    CHECK(memrchr(c, 'c', 6) == c + 5)
    CHECK(rawmemchr(c, 'b') == c + 1)
    CHECK(memmem(c, 6, "ca", 2) == c + 2)
    CHECK(memmem(c, 6, "cx", 2) == 0)
    CHECK(memccpy(b, c, 'b', 6) == b + 2)
    CHECK(memccpy(b, c, 'z', 2) == 0)
    bzero(b, 8);
    CHECK(b[7] == 0)
    bcopy(c, b, 3);
    CHECK(b[2] == 'c')
    CHECK(__builtin___memcpy_chk(b, "abc", 4, 8) == b && b[2] == 'c')
    CHECK(__builtin___memset_chk(b, 7, 3, 8) == b && b[2] == 7)
    CHECK(reallocarray(0, (size_t)-1, 2) == 0)
    CHECK(calloc((size_t)-1, 2) == 0)
    p = malloc(sizeof *p);
    *p = 3;
    p = reallocarray(p, 8, sizeof *p);
    CHECK(*p == 3)
    q = aligned_alloc(16, 32);
    q[31] = 1;
    CHECK(q[31] == 1)
    CHECK(posix_memalign(&v, 3, 8) == EINVAL)
    CHECK(posix_memalign(&v, 8, 8) == 0)
    CHECK(__builtin_object_size(q, 0) == (size_t)-1)
    CHECK(__builtin_object_size(q, 2) == 0)
    return 0;
}
