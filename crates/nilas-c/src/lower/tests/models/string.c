#include <string.h>
#include <strings.h>
#include <stdlib.h>
int main(void) {
    char b[16], c[16] = "ab", s[] = "hello", t[] = "a,b", u[] = " x y", v[] = "a b", *rest = t, *k;
    memset(b, 0, sizeof b);
    CHECK(strlen("abc") == 3)
    CHECK(strnlen("abc", 2) == 2)
    CHECK(strcpy(b, "hey") == b && b[2] == 'y' && b[3] == 0)
    CHECK(stpcpy(b, "ab") == b + 2)
    CHECK(strncpy(b, "abcdef", 3) == b && b[2] == 'c')
    CHECK(stpncpy(b, "a", 4) == b + 1 && b[3] == 0)
    CHECK(strcat(c, "cd") == c && c[3] == 'd' && c[4] == 0)
    CHECK(strncat(c, "efgh", 2) == c && c[5] == 'f' && c[6] == 0)
    CHECK(strcmp("abc", "abd") < 0)
    CHECK(strcmp("b", "a") > 0)
    CHECK(strcmp("\x80", "a") > 0)
    CHECK(strncmp("abX", "abY", 2) == 0)
    CHECK(strcoll("a", "b") < 0)
    CHECK(strcasecmp("AbC", "aBc") == 0)
    CHECK(strncasecmp("ABx", "aby", 2) == 0)
    CHECK(strchr(s, 'l') == s + 2)
    CHECK(strchr(s, 0) == s + 5)
    CHECK(strrchr(s, 'l') == s + 3)
    CHECK(strchr(s, 'z') == 0)
    CHECK(strchrnul(s, 'z') == s + 5)
    CHECK(strstr(s, "ll") == s + 2)
    CHECK(strstr(s, "") == s)
    CHECK(strstr(s, "lx") == 0)
    CHECK(strcasestr(s, "LL") == s + 2)
    CHECK(index(s, 'e') == s + 1)
    CHECK(rindex(s, 'o') == s + 4)
    CHECK(strspn("aab", "a") == 2)
    CHECK(strcspn("abc", "c") == 2)
    CHECK(strpbrk(t, ",;") == t + 1)
    CHECK(strsep(&rest, ",") == t && rest == t + 2 && t[1] == 0)
    CHECK(strsep(&rest, ",") == t + 2 && rest == 0)
    CHECK(strsep(&rest, ",") == 0)
    CHECK(strtok(v, " ") == v)
    CHECK(strtok(0, " ") == v + 2)
    CHECK(strtok(0, " ") == 0)
    CHECK(strtok_r(u, " ", &k) == u + 1)
    CHECK(strtok_r(0, " ", &k) == u + 3)
    CHECK(strxfrm(b, "abc", 16) == 3 && b[3] == 0)
    k = strdup("abc");
    CHECK(k[0] == 'a' && k[3] == 0)
    free(k);
    k = strndup("abc", 2);
    CHECK(k[1] == 'b' && k[2] == 0)
    CHECK(__builtin___strcpy_chk(b, "xy", 16) == b && b[1] == 'y')
    CHECK(__builtin___strncpy_chk(b, "zz", 1, 16) == b && b[0] == 'z' && b[1] == 'y')
    return 0;
}
