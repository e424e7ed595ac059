#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    printf("%d %d %d %d %d\n",'a','\n','\x41','\101','\0');
    printf("%d\n",'ab');
    printf("%d\n",(int)sizeof('a'));
    return '\377'==-1;
}
