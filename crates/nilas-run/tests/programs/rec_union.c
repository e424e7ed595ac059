#include <stdio.h>
#include <stdlib.h>
#include <string.h>
union U {
    int i;
    float f;
    unsigned char c[4];
};
int main(void) {
    union U u;
    u.f=1.0f;
    printf("%x %d\n",u.i,u.c[3]);
    u.i=0x01020304;
    printf("%d%d%d%d\n",u.c[0],u.c[1],u.c[2],u.c[3]);
    printf("%d\n",(int)sizeof u);
    return 0;
}
