#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    int x=( {
        int a=3;
        int b=4;
        a*a+b*b;
    });
    printf("%d\n",x);
    for(int i=0;i<5;i++) {
        int y=( {
            if(i==3) break;
            i*2;
        });
        printf("%d ",y);
    }
    puts("");
    return ( {
        if(x>10) return 7;
        1;
    });
}
