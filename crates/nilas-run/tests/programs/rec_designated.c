#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    int a[10]={[3]=5,6,[8]=9,[0]=1};
    for(int i=0;i<10;i++)printf("%d",a[i]);
    puts("");
    struct {
        int a,b,c;
        struct {
            int d,e;
        } f;
    } s={.c=3,.f.e=7,.a=1};
    printf("%d%d%d%d%d\n",s.a,s.b,s.c,s.f.d,s.f.e);
    int r[]={[2 ... 4]=8,1};
    printf("%d %d %d\n",(int)(sizeof r/sizeof*r),r[3],r[5]);
    return 0;
}
