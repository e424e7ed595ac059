#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int f(int x) {
    int r=0;
    switch(x) {
        case 1: r+=1;
        case 2: r+=2;
        break;
        case 3 ... 5: r=35;
        break;
        default: r=-1;
        case -7: r*=2;
    }
    return r;
}
int main(void) {
    for(int i=-8;i<8;i++) printf("%d ",f(i));
    puts("");
    return 0;
}
