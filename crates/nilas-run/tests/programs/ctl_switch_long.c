#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int f(long long x) {
    switch(x) {
        case 0x100000000LL: return 1;
        case -1: return 2;
        case 0: return 3;
    }
    return 4;
}
int main(void) {
    printf("%d %d %d %d\n",f(0x100000000LL),f(-1),f(0),f(1));
    switch((unsigned char)300) {
        case 44: puts("44");
    }
    return 0;
}
