// expect: open-result with strict
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct E {
    int k,o;
};
int cmp(const void*a,const void*b) {
    return ((struct E*)a)->k-((struct E*)b)->k;
}
int main(void) {
    struct E e[8];
    for(int i=0;i<8;i++) {
        e[i].k=(i*3)%4;
        e[i].o=i;
    }
    qsort(e,8,sizeof*e,cmp);
    for(int i=0;i<8;i++)printf("%d%d ",e[i].k,e[i].o);
    puts("");
    return 0;
}
