#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct I {
    int a[3];
    char c;
};
struct O {
    struct I i[2];
    double d;
};
int main(void) {
    struct O o={{{{1,2,3},'x'},{{4,5,6},'y'}},2.5};
    struct O p=o;
    p.i[1].a[2]=60;
    printf("%d %d %c %.1f %d\n",o.i[1].a[2],p.i[1].a[2],p.i[0].c,p.d,(int)sizeof(o));
    return 0;
}
