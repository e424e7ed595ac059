#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    int*p=calloc(10,sizeof*p);
    int s=0;
    for(int i=0;i<10;i++)s+=p[i];
    printf("%d\n",s);
    free(p);
    char*q=calloc(1,1);
    printf("%d\n",*q);
    free(q);
    return 0;
}
