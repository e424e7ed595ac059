#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    int d[40]={1},n=1;
    for(int k=2;k<=25;k++) {
        int c=0;
        for(int i=0;i<n;i++) {
            int v=d[i]*k+c;
            d[i]=v%10;
            c=v/10;
        }
        while(c) {
            d[n++]=c%10;
            c/=10;
        }
    }
    for(int i=n-1;i>=0;i--)putchar('0'+d[i]);
    puts("");
    return 0;
}
