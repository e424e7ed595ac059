#include <stdlib.h>
#include <search.h>
static int numbers(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int reversed(const void *a, const void *b, void *sign) { return *(int *)sign * numbers(a, b); }
int main(void) {
    int a[5] = { 3, 1, 2, 5, 4 }, key = 4, minus = -1;
    size_t count = 5;
    qsort(a, 5, sizeof *a, numbers);
    CHECK(a[0] == 1 && a[1] == 2 && a[2] == 3 && a[3] == 4 && a[4] == 5)
    CHECK(bsearch(&key, a, 5, sizeof *a, numbers) == &a[3])
    CHECK(lfind(&key, a, &count, sizeof *a, numbers) == &a[3])
    key = 9;
    CHECK(bsearch(&key, a, 5, sizeof *a, numbers) == 0)
    CHECK(lfind(&key, a, &count, sizeof *a, numbers) == 0)
    qsort_r(a, 5, sizeof *a, reversed, &minus);
    CHECK(a[0] == 5 && a[4] == 1)
    return 0;
}
