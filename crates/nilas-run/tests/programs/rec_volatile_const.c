#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct S {
    const int a;
    volatile int b;
};
int main(void) {
    struct S s={1,2};
    s.b+=s.a;
    printf("%d\n",s.b);
    const struct S*p=&s;
    printf("%d\n",p->b);
    return 0;
}
