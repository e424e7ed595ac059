#include <wchar.h>
#include <wctype.h>
int main(void) {
    wchar_t b[8], *rest, t[] = L"x y";
    CHECK(wcscpy(b, L"abc") == b && b[2] == L'c')
    CHECK(wcslen(b) == 3)
    CHECK(wcsnlen(b, 2) == 2)
    CHECK(wcscmp(b, L"abd") < 0)
    CHECK(wcsncmp(b, L"abd", 2) == 0)
    CHECK(wcschr(b, L'b') == b + 1)
    CHECK(wcsrchr(b, L'z') == 0)
    CHECK(wcsstr(b, L"bc") == b + 1)
    CHECK(wcsspn(b, L"ba") == 2)
    CHECK(wcscspn(b, L"c") == 2)
    CHECK(wcscat(b, L"d") == b && b[3] == L'd')
    CHECK(wmemset(b, L'x', 2) == b && b[1] == L'x' && b[2] == L'c')
    CHECK(wmemcpy(b, L"pq", 2) == b && b[1] == L'q')
    CHECK(wmemcmp(b, L"pq", 2) == 0)
    CHECK(wmemchr(b, L'c', 4) == b + 2)
    CHECK(wcstok(t, L" ", &rest) == t && t[1] == 0)
    CHECK(wcstok(0, L" ", &rest) == t + 2)
    CHECK(iswdigit(L'4') && !iswdigit(L'x'))
    CHECK(towupper(L'a') == L'A')
    return 0;
}
