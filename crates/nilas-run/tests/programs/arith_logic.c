#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int n;
int t(int v) {
    n++;
    return v;
}
int main(void) {
    int r=t(0)&&t(1);
    printf("%d %d\n",r,n);
    r=t(1)||t(0);
    printf("%d %d\n",r,n);
    r=!t(3);
    printf("%d %d\n",r,n);
    return 0;
}
