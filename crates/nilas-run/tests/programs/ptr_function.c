#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int add(int a,int b) {
    return a+b;
}
int mul(int a,int b) {
    return a*b;
}
int apply(int(*f)(int,int),int x) {
    return f(x,x+1);
}
int main(void) {
    int(*t[2])(int,int)={add,&mul};
    for(int i=0;i<2;i++) printf("%d %d\n",t[i](3,4),apply(t[i],5));
    printf("%d\n",(*t[0])(1,1));
    return t[0]==t[1];
}
