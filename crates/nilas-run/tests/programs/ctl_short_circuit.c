#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    int *p=0;
    if(p&&*p) puts("no");
    int a[3]={1,2,3};
    int i=5;
    if(i<3&&a[i]) puts("no");
    if(i>=3||a[i]) puts("yes");
    return 0;
}
