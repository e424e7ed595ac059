#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    int a=(1,2,3);
    int i,j;
    for(i=0,j=10;i<j;i++,j--);
    printf("%d %d %d\n",a,i,j);
    return 0;
}
