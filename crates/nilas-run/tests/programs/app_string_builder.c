#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct SB {
    char*b;
    int n,c;
};
void add(struct SB*s,const char*t) {
    int l=strlen(t);
    if(s->n+l+1>s->c) {
        s->c=(s->n+l+1)*2;
        s->b=realloc(s->b,s->c);
    }
    memcpy(s->b+s->n,t,l+1);
    s->n+=l;
}
int main(void) {
    struct SB s={0};
    for(int i=0;i<5;i++) {
        char t[10];
        sprintf(t,"%d,",i*i);
        add(&s,t);
    }
    puts(s.b);
    printf("%d\n",s.n);
    free(s.b);
    return 0;
}
