#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
int main(void) {
    wchar_t w[]=L"h\u00e9llo";
    printf("%d %d %d\n",(int)(sizeof w/sizeof*w),(int)w[1],(int)wcslen(w));
    return 0;
}
