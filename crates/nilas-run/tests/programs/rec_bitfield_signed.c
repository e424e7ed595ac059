#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct B {
    int a:1;
    int b:2;
    unsigned c:1;
};
int main(void) {
    struct B x={0};
    x.a=1;
    x.b=3;
    x.c=1;
    printf("%d %d %u\n",x.a,x.b,x.c);
    x.b=2;
    printf("%d\n",x.b);
    printf("%d\n",x.c<<3);
    x.a++;
    printf("%d\n",x.a);
    return 0;
}
