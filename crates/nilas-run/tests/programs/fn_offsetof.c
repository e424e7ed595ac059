#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stddef.h>
struct S {
    char c;
    double d;
    short s[3];
    struct {
        int x;
        long y;
    } n;
};
int main(void) {
    printf("%d %d %d %d\n",(int)offsetof(struct S,d),(int)offsetof(struct S,s[2]),(int)offsetof(struct S,n.y),(int)sizeof(struct S));
    return 0;
}
