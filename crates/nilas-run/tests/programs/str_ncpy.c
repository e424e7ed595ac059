#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    char b[8];
    memset(b,'#',8);
    strncpy(b,"abc",6);
    for(int i=0;i<8;i++)printf("%d ",b[i]);
    puts("");
    char*e=stpcpy(b,"xy");
    *e++='!';
    *e=0;
    puts(b);
    return 0;
}
