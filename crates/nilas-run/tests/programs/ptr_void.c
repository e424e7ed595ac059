#include <stdio.h>
#include <stdlib.h>
#include <string.h>
void fill(void*p,int n) {
    unsigned char*c=p;
    while(n--) *c++=0xAB;
}
int main(void) {
    unsigned x;
    fill(&x,sizeof x);
    printf("%x\n",x);
    void*v=&x;
    v=(char*)v+1;
    printf("%x\n",*(unsigned char*)v);
    return 0;
}
