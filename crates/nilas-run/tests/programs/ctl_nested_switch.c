#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    for(int i=0;i<3;i++) switch(i) {
        case 0: switch(i+1) {
            case 1: puts("in");
            break;
            default: puts("no");
        }
        puts("after");
        break;
        case 1: continue;
        default: puts("end");
    }
    return 0;
}
