#include <stdlib.h>
#include <string.h>
static int strings(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}
int main(void) {
    const char *s[3] = { "c", "a", "b" };
    qsort(s, 3, sizeof *s, strings);
    CHECK(s[0][0] == 'a' && s[2][0] == 'c')
    return 0;
}
