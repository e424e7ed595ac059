#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int cmp(const void*a,const void*b) {
    return *(const int*)a-*(const int*)b;
}
int main(void) {
    int a[]={1,3,5,7,9,11};
    int k=7;
    int*p=bsearch(&k,a,6,sizeof(int),cmp);
    printf("%d\n",(int)(p-a));
    k=4;
    printf("%d\n",bsearch(&k,a,6,sizeof(int),cmp)==0);
    return 0;
}
