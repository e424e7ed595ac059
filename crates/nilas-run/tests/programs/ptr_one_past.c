#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    int a[4]={4,3,2,1};
    int s=0;
    for(int*p=a;p!=a+4;p++) s+=*p;
    printf("%d\n",s);
    int*e=&a[4];
    printf("%d\n",e[-1]);
    return 0;
}
