#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct S {
    int t;
    union {
        int i;
        struct {
            short lo,hi;
        };
    };
};
int main(void) {
    struct S s={1,{0x00020001}};
    printf("%d %d %d\n",s.i,s.lo,s.hi);
    s.hi=5;
    printf("%x\n",s.i);
    return 0;
}
