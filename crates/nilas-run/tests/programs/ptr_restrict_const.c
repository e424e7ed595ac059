#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int len(const char*restrict s) {
    const char*p=s;
    while(*p) p++;
    return p-s;
}
int main(void) {
    char b[]="hello";
    const char*const c=b;
    printf("%d %c\n",len(c),c[1]);
    b[1]='a';
    printf("%s\n",c);
    return 0;
}
