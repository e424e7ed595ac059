#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct P {
    int x,y;
};
struct P add(struct P a,struct P b) {
    struct P r={a.x+b.x,a.y+b.y};
    return r;
}
int main(void) {
    struct P a={1,2},b={.y=10,.x=20};
    struct P c=add(a,b);
    printf("%d %d\n",c.x,c.y);
    c=a;
    c.x=99;
    printf("%d %d %d\n",a.x,c.x,add(c,a).y);
    return 0;
}
