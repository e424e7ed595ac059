#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ctype.h>
int main(void) {
    const char*s="aZ5 _\n~";
    for(;*s;s++)printf("%d%d%d%d%d%d ",!!isalpha(*s),!!isdigit(*s),!!isspace(*s),!!isupper(*s),!!ispunct(*s),!!isprint(*s));
    puts("");
    for(const char*p="MiXed 12";*p;p++)putchar(isupper(*p)?tolower(*p):toupper(*p));
    puts("");
    printf("%d %d\n",!!isxdigit('f'),!!isalnum('-'));
    return 0;
}
