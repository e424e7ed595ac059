#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int ack(int m,int n) {
    return m==0?n+1:n==0?ack(m-1,1):ack(m-1,ack(m,n-1));
}
int main(void) {
    printf("%d %d\n",ack(2,3),ack(1,7));
    return 0;
}
