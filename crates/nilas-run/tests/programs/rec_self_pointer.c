#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct S {
    struct S*me;
    int v;
};
struct S s={&s,3};
int main(void) {
    printf("%d\n",s.me->me->me->v);
    struct S l={&l,4};
    struct S m=l;
    printf("%d %d\n",m.me==&l,m.me->v);
    return 0;
}
