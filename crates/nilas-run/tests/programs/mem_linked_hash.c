#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct E {
    int k,v;
    struct E*n;
};
struct E*t[7];
void put(int k,int v) {
    struct E*e=malloc(sizeof*e);
    e->k=k;
    e->v=v;
    e->n=t[k%7];
    t[k%7]=e;
}
int get(int k) {
    for(struct E*e=t[k%7];e;e=e->n)if(e->k==k)return e->v;
    return -1;
}
int main(void) {
    for(int i=0;i<20;i++)put(i,i*3);
    printf("%d %d %d\n",get(5),get(19),get(77));
    return 0;
}
