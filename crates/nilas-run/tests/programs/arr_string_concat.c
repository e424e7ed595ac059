#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    const char*s="abc" "def" "\x41" "B";
    printf("%s %d\n",s,(int)sizeof("a\0b"));
    puts("\t\"quoted\"\\");
    return 0;
}
