#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct S {
    int*p;
    char c;
};
int main(void) {
    int x=5,y=6;
    struct S a[2]={{&x,'a'},{&y,'b'}},b[2];
    memcpy(b,a,sizeof a);
    memmove(&b[0],&b[1],sizeof b[0]);
    printf("%d %c %d\n",*b[0].p,b[0].c,*b[1].p);
    void*v[3]={&x,&y,0};
    void*w[3];
    for(int i=0;i<3;i++)w[i]=v[2-i];
    printf("%d %d\n",*(int*)w[1],w[0]==0);
    return 0;
}
