#include <stdio.h>
#include <stdlib.h>
#include <string.h>
void done(int*p) {
    printf("done %d\n",*p);
}
int f(int n) {
    __attribute__((cleanup(done))) int a=n;
    if(n>2) return a*2;
    {
        __attribute__((cleanup(done))) int b=n+100;
        a++;
    }
    puts("end");
    return a;
}
int main(void) {
    printf("%d\n",f(1));
    printf("%d\n",f(5));
    return 0;
}
