#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    int x=77,*p=&x,*q;
    unsigned char b[sizeof p];
    for(unsigned i=0;i<sizeof p;i++) b[i]=((unsigned char*)&p)[i];
    for(unsigned i=0;i<sizeof p;i++) ((unsigned char*)&q)[i]=b[i];
    printf("%d\n",*q);
    memcpy(&q,&p,sizeof p);
    *q=5;
    printf("%d\n",x);
    return 0;
}
