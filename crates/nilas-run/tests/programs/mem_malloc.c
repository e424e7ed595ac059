#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    int*p=malloc(5*sizeof(int));
    for(int i=0;i<5;i++)p[i]=i;
    p=realloc(p,10*sizeof(int));
    for(int i=5;i<10;i++)p[i]=i*2;
    int s=0;
    for(int i=0;i<10;i++)s+=p[i];
    printf("%d\n",s);
    free(p);
    free(0);
    return 0;
}
