#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
int main(void) {
    wchar_t a[10];
    wcscpy(a,L"abc");
    wcscat(a,L"de");
    printf("%d %d %d\n",(int)wcslen(a),wcscmp(a,L"abcde"),(int)(wcschr(a,L'd')-a));
    wmemset(a,L'x',2);
    printf("%c%c%c\n",(char)a[0],(char)a[1],(char)a[2]);
    return 0;
}
