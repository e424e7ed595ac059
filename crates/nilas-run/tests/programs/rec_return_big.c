#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct B {
    long v[20];
};
struct B mk(int n) {
    struct B b;
    for(int i=0;i<20;i++)b.v[i]=i*n;
    return b;
}
int main(void) {
    struct B b=mk(3);
    printf("%ld %ld\n",b.v[19],mk(2).v[5]);
    return 0;
}
