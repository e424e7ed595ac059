#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    printf("%d %d %s\n",(int)strspn("abcxyz","abc"),(int)strcspn("hello","lo"),strpbrk("key=value","=:"));
    printf("%d %d\n",(int)strnlen("abcdef",3),(int)strnlen("ab",3));
    return 0;
}
