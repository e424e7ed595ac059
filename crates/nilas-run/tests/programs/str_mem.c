#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    char a[10],b[10];
    memset(a,'x',9);
    a[9]=0;
    memcpy(b,a,10);
    b[3]='y';
    printf("%s %s %d\n",a,b,memcmp(a,b,10)<0);
    memmove(b+2,b,5);
    puts(b);
    printf("%d %d\n",memchr(b,'y',10)!=0,memchr(b,'q',10)==0);
    return 0;
}
