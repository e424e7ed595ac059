#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    double n=0.0/0.0;
    printf("%d%d%d%d%d%d\n",n<1,n>1,n<=1,n>=1,n==1,n!=1);
    printf("%d%d\n",1.0<2.0,2.0f==2.0);
    printf("%d\n",__builtin_isunordered(n,1.0));
    return 0;
}
