#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct P {
    int x,y;
};
int sum(struct P p) {
    return p.x+p.y;
}
int main(void) {
    printf("%d\n",sum((struct P){3,4}));
    int*a=(int[]){1,2,3};
    a[1]=20;
    printf("%d\n",a[0]+a[1]+a[2]);
    struct P*p=&(struct P){.y=7};
    printf("%d %d\n",p->x,p->y);
    for(int i=0;i<2;i++) {
        int*q=&(int){i*5};
        (*q)++;
        printf("%d ",*q);
    }
    puts("");
    return 0;
}
