#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    const char*w[]={"one","two","three",0};
    int n=0;
    for(const char**p=w;*p;p++) {
        printf("%s:%d ",*p,(int)strlen(*p));
        n++;
    }
    printf("%d\n",n);
    return n;
}
