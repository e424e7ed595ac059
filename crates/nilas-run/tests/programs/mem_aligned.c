#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    void*p=aligned_alloc(64,128);
    printf("%d\n",(int)((unsigned long)p%64));
    free(p);
    void*q=0;
    int r=posix_memalign(&q,32,10);
    printf("%d %d\n",r,(int)((unsigned long)q%32));
    free(q);
    return 0;
}
