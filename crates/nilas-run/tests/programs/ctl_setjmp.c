#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <setjmp.h>
jmp_buf env;
void f(int n) {
    if(n==0) longjmp(env,42);
    f(n-1);
}
int main(void) {
    volatile int count=0;
    int r=setjmp(env);
    if(r==0) {
        count++;
        f(5);
    }  else {
        count+=10;
        printf("%d %d\n",r,count);
    }
    if(count<20 && setjmp(env)<3) {
        count++;
        longjmp(env,count>12?5:2);
    }
    printf("%d\n",count);
    return 0;
}
