#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    int i=10;
    do {
        printf("%d ",i);
        i-=3;
        if(i==4) continue;
    }  while(i>0);
    puts("");
    do puts("once");
    while(0);
    return 0;
}
