#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    int a[10];
    for(int i=0;i<10;i++) a[i]=i*i;
    int*p=a+3,*q=&a[8];
    printf("%d %d %d %d\n",*p,*(q-1),(int)(q-p),p<q);
    p+=2;
    printf("%d %d\n",p[-1],2[p]);
    char*c=(char*)a;
    printf("%d\n",*(int*)(c+4*sizeof(int)));
    return 0;
}
