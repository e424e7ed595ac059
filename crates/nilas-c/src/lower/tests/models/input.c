#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
int main(void) {
    char b[8] = "", line[32];
    int c, r, q;
    time_t now, told;
    FILE *f = fopen("/nowhere/at/all", "r");
    CHECK(stdin != stdout && stdout != stderr && stdin != stderr && stdin)
    CHECK(f != stdin)
    r = snprintf(b, sizeof b, "%d", 12);
    CHECK(strlen(b) < 8)
    r = sprintf(line, "x");
    CHECK(r >= -1)
    c = getchar();
    CHECK(c >= -1 && c <= 255)
    r = rand();
    CHECK(r >= 0 && r <= RAND_MAX)
    q = putchar(65);
    CHECK(q == 65 || q == -1)
    told = time(&now);
    CHECK(told == now)
    memset(b, 1, sizeof b);
    char *got = fgets(b, sizeof b, stdin);
    CHECK(got == 0 || got == b)
    CHECK(!got || strlen(b) < 8)
    CHECK(read(0, b, 8) <= 8)
    CHECK(fread(b, 2, 4, stdin) <= 4)
    CHECK(b[7] == 1 || b[7] != 1)
    CHECK(getpid() > 0)
    CHECK(isatty(0) <= 1)
    errno = 0;
    r = close(-1);
    CHECK(r == 0 || r == -1)
    CHECK(errno >= 0)
    return 0;
}
