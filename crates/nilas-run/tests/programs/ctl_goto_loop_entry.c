#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    int i=0,n=0;
    goto middle;
    while(i<3) {
        n+=10;
        middle: n++;
        i++;
    }
    printf("%d %d\n",i,n);
    int j=5;
    goto inner;
    for(j=0;j<3;j++) {
        inner: printf("j%d ",j);
    }
    puts("");
    return 0;
}
