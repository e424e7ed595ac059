#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    int a[2][3][4];
    int n=0;
    for(int*p=&a[0][0][0];n<24;n++)p[n]=n;
    printf("%d %d\n",a[1][2][3],a[1][0][0]);
    int(*q)[4]=a[1];
    printf("%d\n",q[1][2]);
    return 0;
}
