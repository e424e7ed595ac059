#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int depth(int n) {
    int pad[4]={n};
    return n==0?pad[0]:1+depth(n-1);
}
int main(void) {
    printf("%d\n",depth(5000));
    return 0;
}
