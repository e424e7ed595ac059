#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct E {
    const char*n;
    int v;
}  t[]={{"a",3},{"b",1},{"c",2}};
int cmp(const void*x,const void*y) {
    return ((struct E*)x)->v-((struct E*)y)->v;
}
int main(void) {
    qsort(t,3,sizeof*t,cmp);
    for(int i=0;i<3;i++)printf("%s%d ",t[i].n,t[i].v);
    puts("");
    return 0;
}
