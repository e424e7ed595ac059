#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    int i=0,s=0;
    while(1) {
        if(++i>10) break;
        if(i%3==0) continue;
        s+=i;
    }
    printf("%d\n",s);
    return s;
}
